"""Suffix references (RFC 3986 §4.5, RFC 2396 Appendix F): `www.w3.org/Addressing/`, written without its scheme.

They are not URI references: `www.w3.org/Addressing/` is a relative path, and only a guess makes it more. So
it is never resolved as one; `rehref check` asks what may have been meant by a reference that leads nowhere. A text is
taken for a suffix reference if

1. it begins with a host: a DNS name, an IPv4 address, or an IP literal in brackets;
2. the host is followed by nothing, "/", "?", "#", or ":" and a port of one to five digits (so that
   `example.org:8080` is host and port, though `example.org` could be a scheme);
3. a DNS name has two labels or more, of which the last begins with a letter and has at least two characters;
   it has 253 characters at most; `localhost` alone is one too, if a port follows;
4. a DNS name whose last label is a common file extension (`index.html`, `photo.jpg/`) is not one, unless it begins with
   `www.` or `ftp.`, or a port follows;
5. nobody is named before the host: `me@example.org` is an address for mail, not a place;
6. the result is a URI by the grammar of RFC 3986.

The scheme:

7. `ftp` where the first label of the name is `ftp`, as is the custom;
8. otherwise the one asked for, `http` by default.
"""

from __future__ import annotations

import re
from functools import cache

from rehref.uri._grammar.ip_addresses import is_ipv4_address
from rehref.uri.components import refuse_other_types
from rehref.uri.grammar_of_3986 import is_valid

TOP_LEVEL = "com|org|net|edu|gov|mil|int|info|biz|name|museum|mobi|travel|jobs|post|asia|arpa"
"""Generic top-level domains that web sites had before 2012, as a pattern; countries' have two letters."""

# Extensions that are seen in links and (except a few) are not top-level domains
# fmt: off
_FILE_EXTENSIONS = frozenset({
    "asp", "aspx", "atom", "bmp", "bz2", "cfm", "cgi", "class", "conf", "cpp", "css", "csv", "deb", "diff",
    "doc", "docx", "dtd", "epub", "exe", "gif", "gz", "htm", "html", "ico", "ics", "ini", "jar", "jpeg",
    "jpg", "js", "jsp", "json", "log", "md", "mhtml", "mp3", "mp4", "mpeg", "odt", "ogg", "patch", "pdf",
    "php", "pl", "png", "ppt", "pptx", "ps", "py", "rdf", "rss", "rtf", "sh", "shtml", "svg", "tar", "tex",
    "tgz", "tif", "tiff", "txt", "wav", "webm", "webp", "woff", "woff2", "xht", "xhtml", "xls", "xlsx",
    "xml", "xsd", "xsl", "xslt", "yaml", "yml", "zip",
})
# fmt: on

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
_SUFFIX = (
    r"(?:"
    rf"(?P<name>(?:{_LABEL}\.)+[A-Za-z][A-Za-z0-9\-]{{0,61}}[A-Za-z0-9]|localhost(?=:))"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
    r"|\[[^\]/?#]*+\]"
    r")"
    r"(?P<port>:[0-9]{1,5}+)?"
    r"(?=[/?#]|\Z)"
)


def expand_suffix(text: str, *, scheme: str = "http") -> str | None:
    """Make a URI of a suffix reference (RFC 3986 §4.5); None where the text does not look like one.

    `scheme`: taken where the host name does not decide. Raises TypeError for what is not a str.
    """
    refuse_other_types("text", text)
    found = _suffix().match(text)
    if found is None:
        return None
    name, port = found["name"], found["port"]
    if name is not None:
        if len(name) > 253:
            return None
        labels = name.lower().split(".")
        if labels[-1] in _FILE_EXTENSIONS and labels[0] not in ("www", "ftp") and port is None:
            return None
        if labels[0] == "ftp":
            scheme = "ftp"
    elif not text.startswith("[") and is_ipv4_address(_host(text)) is None:
        return None
    uri = f"{scheme}://{text}"
    return uri if is_valid(uri, "URI") else None


@cache
def _suffix() -> re.Pattern[str]:
    """Matches what may be a suffix reference (rules 1 to 3)."""
    return re.compile(_SUFFIX, re.IGNORECASE)


def _host(text: str) -> str:
    """The text before the port, the path, the query and the fragment."""
    return re.split("[:/?#]", text, maxsplit=1)[0]

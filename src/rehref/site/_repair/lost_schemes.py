"""References that are not as URIs are written: without their scheme, or with the slashes of browsers.

A scheme is a guess, and never sure. The suggestion is a valid URI: invalid characters are percent-encoded.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rehref.uri.normalization import percent_encode
from rehref.uri.resolver import parse_or_none
from rehref.uri.written_uris import TOP_LEVEL, expand_suffix

_SCHEME = re.compile(
    r"(?:(?:\.{0,2}/)+(?P<made>https?|ftp):/|(https?|ftp)(?:[;.,]?/|(?P<colon>:)))/(?=[^/])", re.IGNORECASE
).match
_MAIL = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@(?P<host>[A-Za-z0-9.-]+)(?:\?.*)?", re.DOTALL).fullmatch
_BEHIND_HOST = re.compile("[:/?#]")
_ENDING = re.compile(rf"(?:{TOP_LEVEL}|(?P<country>[a-z]{{2}})|xn--[a-z0-9-]+)", re.IGNORECASE).fullmatch
_LONGEST = 2000
# countries' domains that are also extensions of files
_EXTENSIONS = frozenset(
    {"ai", "am", "cc", "in", "la", "md", "mk", "ml", "mm", "pl", "pm", "ps", "py", "rs", "sh", "so"}
)


class MeantUri(NamedTuple):
    """The URI that may have been meant, its host as it is written, and whether that is evident.

    If it is, a file of the site that is spelt like the reference does not count, unless the host is the name of a
    folder in its path (as in mirrors). If it is not, files come first.
    """

    uri: str
    host: str
    evident: bool

    def precedes(self, path: str | None) -> bool:
        """Whether this takes precedence over a file of the site, given by its path below the folder; None: no file."""
        return path is None or (self.evident and self.host not in path.split("/"))


@lru_cache(maxsize=64)  # the same reference is in many documents
def lost_scheme(reference: str) -> MeantUri | None:
    """Return the URI that a reference means which lost its scheme, or None.

    - `https;//h/x`, `http//h/x`, `https.//h/x`: the colon is missing, or is another character; `https:/h/x`: a slash
      is.
    - `../https://h/x`: something made the URI relative.
    - `anna@example.org`: an address for mail.
    - `www.example.org/x`, `example.org/x`: a suffix reference (`rehref.uri.written_uris`), to which `https:` is added.

    The last one is evident only if the host begins with `www.` or `ftp.`; if only a slash is missing, the host must
    have a dot.
    """
    if len(reference) > _LONGEST:
        return None
    if (typed := _SCHEME(reference)) is not None:
        rest = reference[typed.end() :]
        host = _host(rest)
        evident = typed["colon"] is None or "." in host
        return MeantUri(percent_encode(f"{(typed['made'] or typed[2]).lower()}://{rest}"), host, evident)
    if (mail := _MAIL(reference)) is not None:
        host = mail["host"]
        is_host = expand_suffix(host) is not None and _ends_like_one(host, has_path=True)
        return MeantUri(f"mailto:{reference}", host, evident=True) if is_host else None
    host = _host(reference)
    uri = expand_suffix(host + percent_encode(reference[len(host) :]), scheme="https")
    if uri is None:
        return None
    if host.lower().startswith(("www.", "ftp.")):
        return MeantUri(uri, host, evident=True)
    return MeantUri(uri, host, evident=False) if _ends_like_one(host, has_path=len(host) < len(reference)) else None


def _host(text: str) -> str:
    return _BEHIND_HOST.split(text, maxsplit=1)[0]


def _ends_like_one(host: str, *, has_path: bool) -> bool:
    """Whether the last label of a name is one that hosts have: an old generic domain, a country's, or one in punycode.

    A country's domain that is also known as the extension of a file (`main.rs`) is not enough, unless a path follows.
    """
    label = host.rpartition(".")[2].lower()
    ending = _ENDING(label)
    return ending is not None and (has_path or label not in _EXTENSIONS)


_PARTS = re.compile(r"(https?:)?([^?#]*)(.*)", re.IGNORECASE | re.DOTALL).fullmatch


def with_slashes(reference: str, base: str, seen: str) -> str | None:
    """Return a reference with the slashes that are meant.

    Browsers read a backslash before the query as a slash, and find the host, or the path, after `https:` with any
    number of slashes. In ASCII, other invalid characters are percent-encoded. Browsers must go from the base to the
    same URL as before, so the new reference is sure.
    """
    parts = _PARTS(reference)
    assert parts is not None
    path, rest = parts[2].replace("\\", "/"), parts[3]
    spellings = (f"{parts[1] or ''}//{path.lstrip('/')}{rest}", path + rest)
    encoded = map(percent_encode, spellings) if reference.isascii() else ()
    return next((new for new in (*encoded, *spellings) if parse_or_none(new, base) == seen), None)

"""URIs in plain text, and where they end (RFC 3986 Appendix C, RFC 2396 Appendix E), in linear time.

A URI begins with a scheme, not in the middle of a word, and is in angle brackets, in double quotes, or bare. A suffix
reference (`www.w3.org/Addressing/`) has no scheme: it is a relative path, and only a guess makes it more. So it is
never resolved as one; `rehref check` asks `expand_suffix` what a reference that leads nowhere may have meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from rehref.uri._grammar.grammar_of_3986 import is_valid
from rehref.uri._grammar.ip_addresses import is_ipv4_address
from rehref.uri.components import SCHEME, refuse_other_types

Delimiter: TypeAlias = Literal["angle", "quote", "none"]

# Schemes without "//" that are seen in texts and are not words before a colon in prose (which `data`, `tag`, `info`,
# `about` may be)
# `note: this` is prose, so without "//" only these count; in `<URL:foo:bar>` every scheme does
# `note: this` is prose, so without "//" only these count; in `<URL:foo:bar>` every scheme does
OPAQUE_SCHEMES = frozenset(
    {"cid", "doi", "geo", "magnet", "mailto", "mid", "news", "sip", "sips", "sms", "tel", "urn", "xmpp"}
)

# Appendix C: "the hyphen may or may not actually be part of the URI"
# Appendix C: "the hyphen may or may not actually be part of the URI"
NOTE_HYPHEN_INSIDE = "there is a hyphen before a line break: it may or may not belong to the URI (it was kept)"
NOTE_HYPHEN_AT_END = "ends in a hyphen at the end of a line: the URI may go on in the next"
NOTE_WHITE_SPACE = "white space within the delimiters was taken out"
NOTE_FOREIGN = "has characters outside ASCII: an IRI rather than a URI"
NOTE_EXCLUDED = "has characters that no URI has"

# scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ), with what may precede it. Each run of a scheme's characters
# is entered at its beginning only; what cannot begin a scheme there ("...", a "-" of a list) is skipped.
_BEGIN = re.compile(
    r"(?P<open><[ \t\r\n]*+|\")?(?<![A-Za-z0-9+.\-])"
    r"(?:(?P<prefix>(?i:URL):[ \t\r\n]*+)|(?!(?i:URL):))"
    r"(?P<before>[0-9+.\-]*+)"
    rf"(?P<scheme>{SCHEME}):"
).match

_ANGLE = re.compile("[<>]").search
_QUOTE = re.compile('[<>"]').search
_LINE_BREAKS = ("\n", "\r", "\r\n")

# Outside ASCII: spaces and format characters, quotation marks, dashes and ellipses, CJK and full-width punctuation
_NOT_ASCII_PUNCTUATION = (
    "\x80-\xa0\xab\xbb\u1680\u2000-\u200f\u2012-\u201f\u2022\u2026\u2028-\u202f\u2039\u203a\u205f-\u206f"
    "\u3000-\u3003\u3008-\u3011\u3014-\u301f\ufe50-\ufe6b\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_ENDS_BARE = rf"\x00-\x20\x7f<>\"{{}}|\\^`{_NOT_ASCII_PUNCTUATION}"
_BARE = re.compile(rf"[^{_ENDS_BARE}]*+").match
_PLAIN_RUN = rf"[^{_ENDS_BARE}.,;:!?()\[\]'\-]++"
_NEXT = re.compile(
    rf"""
    (?<![A-Za-z0-9+.\-]) (?={SCHEME}:)
    (?: (?!(?i:URL):)
        ( {SCHEME}:// {_PLAIN_RUN} (?: [.,;:!?\-]++ {_PLAIN_RUN} )* )      # 1: a plain URI, bare, before what ends it,
        (?= [.,;:!?]*+ (?: [{_ENDS_BARE}] | \Z ) )                        # with no more than `.,;:!?` after it
      | )                                                                 # else, empty, what may begin a URI
    | (?=[<"0-9+.\-])
      (?= (?: <[ \t\r\n]*+ | " )? (?<![A-Za-z0-9+.\-]) (?: (?i:URL):[ \t\r\n]*+ )? [0-9+.\-]*+ {SCHEME}: )
    """,
    re.VERBOSE,
).finditer

_WHITE_SPACE = re.compile(r"\s+")
_HYPHEN_BREAK = re.compile(r"-[ \t]*+[\r\n]").search
_LINE_END = re.compile(r"[ \t]*+(?:[\r\n]|\Z)").match
_EXCLUDED = re.compile(r"[\x00-\x20\x7f<>\"{}|\\^`]").search

_OPENING = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class FoundUri:
    """A URI found in plain text.

    `uri`: without white space. `start`, `end`: its span in the text, in characters, 0-based, `end` exclusive; white
    space within is in the span, delimiters and `URL:` are not. `delimiter`: what delimits it. `notes`: what is
    doubtful, for people; `hyphen`: the one about a hyphen at the end of a line, "" if there is none.
    """

    uri: str
    start: int
    end: int
    delimiter: Delimiter
    notes: tuple[str, ...]
    hyphen: str = ""


def find_uris(text: str) -> Iterator[FoundUri]:
    """Find the URIs in plain text, in order, none overlapping (RFC 3986 Appendix C), in linear time.

    Any scheme counts if "//" and something more follow. Letters outside ASCII belong to the URI, though a URI has none
    (an IRI has): cutting it there would make another one. Raises TypeError for what is not a str.
    """
    refuse_other_types("text", text)
    return _found_uris(text)


def _found_uris(text: str) -> Iterator[FoundUri]:
    for start, end, found in spans_of_uris(text):
        uri = text[start:end]
        yield found or FoundUri(uri, start, end, "none", _notes(uri))


def spans_of_uris(text: str) -> Iterator[tuple[int, int, FoundUri | None]]:
    """The spans of the same URIs, and what was found; None for a plain one: bare, without brackets and apostrophes."""
    position: int | None = 0
    while position is not None:
        matches, position = _NEXT(text, position), None
        for match in matches:
            if match.lastindex:
                yield (*match.span(1), None)
                continue
            begin = _BEGIN(text, match.start())
            if begin is None:  # `URL:` alone
                continue
            found = _delimited(text, begin) or _bare(text, begin)
            position = begin.end() if found is None else found.end
            if found is not None:
                yield found.start, found.end, found
            break


def _delimited(text: str, begin: re.Match[str]) -> FoundUri | None:
    """The URI between the delimiters that `begin` may have found; None if there is none."""
    if begin["open"] is None or begin["before"] != "":
        return None
    delimiter: Delimiter = "angle" if begin["open"].startswith("<") else "quote"
    start = begin.start("scheme")
    raw = _within_angles(text, start) if delimiter == "angle" else _within_quotes(text, start)
    if raw is None:
        return None
    uri = _WHITE_SPACE.sub("", raw)
    any_scheme = delimiter == "angle" and begin["prefix"] is not None
    if not _is_recognised(uri, begin["scheme"], any_scheme=any_scheme):
        return None
    white_space = NOTE_WHITE_SPACE if uri != raw else ""
    hyphen = NOTE_HYPHEN_INSIDE if _HYPHEN_BREAK(raw) is not None else ""
    return FoundUri(uri, start, start + len(raw), delimiter, _notes(uri, white_space, hyphen), hyphen)


def _within_angles(text: str, start: int) -> str | None:
    """The text in angle brackets from `start` on, white space included; None if they are not closed.

    A blank line, "<" and white space other than space, tab and line breaks end the attempt.
    """
    end = _ANGLE(text, start)
    if end is None or end[0] != ">":
        return None
    raw = text[start : end.start()].rstrip(" \t\r\n")
    return raw if all(space in ("", *_LINE_BREAKS) for space in _white_space(raw)) else None


def _within_quotes(text: str, start: int) -> str | None:
    """The text before the closing quote from `start` on; None where a line has a blank within: the quotes enclose
    prose.
    """
    end = _QUOTE(text, start)
    if end is None or end[0] != '"':
        return None
    raw = text[start : end.start()]
    return raw.rstrip() if all(space in _LINE_BREAKS for space in _white_space(raw)) else None


def _white_space(raw: str) -> Iterator[str]:
    """The white space in a text, each without the blanks around it."""
    return (space[0].strip(" \t") for space in _WHITE_SPACE.finditer(raw))


def _bare(text: str, begin: re.Match[str]) -> FoundUri | None:
    """The URI that begins at the scheme `begin` has found, delimited by white space; None if there is none."""
    start = begin.start("scheme")
    if not _may_be_recognised(text, begin):
        return None
    run = _BARE(text, start)
    uri = _without_trailing_punctuation("" if run is None else run[0])
    if not _is_recognised(uri, begin["scheme"], any_scheme=False):
        return None
    end = start + len(uri)
    hyphen = NOTE_HYPHEN_AT_END if uri.endswith("-") and _LINE_END(text, end) and end < len(text) else ""
    return FoundUri(uri, start, end, "none", _notes(uri, hyphen), hyphen)


def _may_be_recognised(text: str, begin: re.Match[str]) -> bool:
    """Whether what follows the scheme is worth a look: keeps `a:b:c:d…` from being read again at every colon."""
    return text.startswith("//", begin.end()) or begin["scheme"].lower() in OPAQUE_SCHEMES


def _is_recognised(uri: str, scheme: str, *, any_scheme: bool) -> bool:
    """Whether a scheme counts, for a URI without white space and without punctuation after it."""
    rest = uri[len(scheme) + 1 :]
    if rest.startswith("//"):
        return len(rest) > 2
    return rest != "" and (any_scheme or scheme.lower() in OPAQUE_SCHEMES)


def _without_trailing_punctuation(uri: str) -> str:
    """Take off what the sentence put after a URI: `.,;:!?`, brackets that are not opened within, a lone apostrophe."""
    surplus = {closing: uri.count(closing) - uri.count(opening) for closing, opening in _OPENING.items()}
    apostrophes = uri.count("'")
    end = len(uri)
    while end > 0:
        last = uri[end - 1]
        if last in _OPENING:
            if surplus[last] <= 0:
                break
            surplus[last] -= 1
        elif last == "'":
            if apostrophes % 2 == 0:
                break
            apostrophes -= 1
        elif last not in ".,;:!?":
            break
        end -= 1
    return uri[:end]


def _notes(uri: str, *notes: str) -> tuple[str, ...]:
    """These notes, without empty ones, and those about white space taken out and characters that no URI has."""
    foreign = "" if uri.isascii() else NOTE_FOREIGN
    excluded = NOTE_EXCLUDED if _EXCLUDED(uri) is not None else ""
    return tuple(filter(None, (*notes, foreign, excluded)))


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
    """Make a URI of a suffix reference (RFC 3986 §4.5, RFC 2396 Appendix F); None where the text does not look like
    one.

    It begins with a host: a DNS name of two labels or more, an IPv4 address, an IP literal in brackets, or `localhost`
    and a port. Nothing, "/", "?", "#" or a port follows (so `example.org:8080` is host and port, though `example.org`
    could be a scheme), and the result is a URI. Not taken for one: `index.html` and other names that end in a common
    file extension (unless `www.`, `ftp.` or a port says otherwise), and `me@example.org`, which is an address for mail.

    `scheme`: taken where the host name does not decide (`ftp.example.org` does, as is the custom). Raises TypeError for
    what is not a str.
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
    """Matches what may be a suffix reference. The last label begins with a letter and has two characters or more."""
    return re.compile(_SUFFIX, re.IGNORECASE)


def _host(text: str) -> str:
    """The text before the port, the path, the query and the fragment."""
    return re.split("[:/?#]", text, maxsplit=1)[0]

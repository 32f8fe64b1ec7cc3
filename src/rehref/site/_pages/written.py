"""What is wrong with a reference as it is written, whatever files exist; and its problems (`docs/problems.md`).

References that `--include` and `--exclude` leave out are not examined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from rehref.documents.base import Problem, clean
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.addresses import mailto_fault, tel_fault
from rehref.site._pages.classifier import Verdict
from rehref.site._series import edits
from rehref.site.findings import UNKNOWN_HOST
from rehref.uri.components import split
from rehref.uri.resolver import parse_or_none

UNRESOLVABLE: Final = "unresolvable"
"""The code of a reference that browsers cannot parse as a URL."""
DROPPED: Final = "dropped-candidate"
"""The code of a candidate in a `srcset` that browsers drop."""
FILE_URI: Final = "file-uri"
"""The code of a reference to a file on a disk."""
UNKNOWN_SCHEME: Final = "unknown-scheme"
"""The code of a reference whose scheme is misspelt."""
SUSPICIOUS_HOST: Final = "suspicious-host"
"""The code of a reference whose host is hardly one."""
AS_WRITTEN: Final = frozenset(
    {UNRESOLVABLE, DROPPED, FILE_URI, UNKNOWN_SCHEME, SUSPICIOUS_HOST, "invalid-mailto", "invalid-tel"}
)
"""The codes of references that are wrong as written: their targets are not looked up."""

ENDPOINT: Final = "missing-endpoint"
"""The code of an address that something is sent to, and that has no file."""
LOCAL_ADDRESS: Final = "local-address"
"""The code of a reference to the reader's own computer."""
_EXTERNAL: Final = "external"  # the name of the check that asks servers
_NOT_A_URI: Final = "not-a-uri"
_DIFFERS: Final = "browser-differs"
_ASCII_FOR_OTHERS = re.compile("[^\0-\x7f]")
_IS_DATA = re.compile("data:", re.IGNORECASE).match
_ON_WEB: Final = ("http://", "https://")
_IS_LOCAL = re.compile(
    r"https?://(?:[^/?#@]*@)?(?:(?:[^/?#@:]*\.)?localhost\.?|127(?:\.[0-9]{1,3}){3}|\[::1\])(?=[:/?#]|\Z)",
    re.IGNORECASE,
).match
_IS_IDENTIFIER = re.compile(
    r"\s*(?!(?:https?|ftp|file|wss?):)[a-z][a-z0-9+.-]+://[\w.-]+:[\w.%:-]*(?:[/?#]|\s*\Z)", re.IGNORECASE
).match
"""Matches an identifier of other programs: `at://did:plc:x/`, with something else than a host after the slashes."""
_SLASHES = frozenset("/\\")
_SCHEME: Final = r"(?:(?P<address>mailto|tel)|file):|(?P<drive>[a-z]:)[\\/]|(?P<other>[a-z][a-z0-9+.-]{0,11}+:)"
has_two_schemes = re.compile(r"https?:[\\/]*(https?)(?=:?[\\/]{2})", re.IGNORECASE).match
"""Matches what two schemes begin: group 1 is the second."""
_ONE_LABEL: Final = r"[\\/]{2,}((?!localhost\b)[a-z][a-z0-9-]*+)(?=[\\/?#]|\Z)"
_MAY_BE_WRONG = re.compile(
    r"\s*(?:(?!(?:https?|data|javascript):)[a-z][a-z0-9+.-]{0,11}+:|[\\/]{2}|https?:[\\/]*https?:?[\\/]{2})",
    re.IGNORECASE,
).match
_IN_USE: Final = frozenset({"dat", "dhttp", "pttp", "sftp", "shttp", "tftp", "xftp", "ftps", "httpu"})
"""Schemes that are one edit away from a common one: those registered in February 2026, and two that are not."""
_ADDRESSES: Final[Mapping[str, tuple[str, Callable[[str], str | None]]]] = {
    "mailto": ("invalid-mailto", mailto_fault),
    "tel": ("invalid-tel", tel_fault),
}


def code_for(verdict: Verdict, kind: str | None) -> str:
    """Return the code of a verdict on a reference of a kind: something may be sent to an address without a file."""
    return ENDPOINT if kind == "form" and verdict.code not in AS_WRITTEN else verdict.code


def wrong_as_written(
    context: SiteContext, reference: str, target: str | None, problems: Sequence[Problem] = ()
) -> Verdict | None:
    r"""Return what is wrong with a reference, or None.

    `file-uri`: it names a file on a disk, by the scheme `file` or by a drive (`C:\a.html`). On the web, that is the
    reader's own disk. It is right in a site whose `--site-url` is a `file:` URI, and if `--remap` moves it.
    `invalid-mailto`, `invalid-tel`: the text after these schemes is not an address, or not a number.
    """
    if not problems and _MAY_BE_WRONG(reference) is None:  # nearly always
        return None
    verdict = _verdict_as_written(context, clean(reference), target, problems)
    return verdict if verdict is None or context.scope.chooses(target or reference, reference) else None


def _verdict_as_written(
    context: SiteContext, reference: str, target: str | None, problems: Sequence[Problem]
) -> Verdict | None:
    if not _is_read(context, reference, problems):
        return Verdict(UNRESOLVABLE, "browsers cannot parse it as a URL (URL Standard): it leads nowhere")
    if (host := _suspicious_host(context, reference)) is not None:
        return Verdict(SUSPICIOUS_HOST, host)
    scheme = re.match(_SCHEME, reference, re.IGNORECASE)
    if scheme is None:
        return None
    if scheme["other"] is not None:
        meant = scheme_meant(reference)
        message = f"{scheme['other'][:-1]} is not a known scheme; {meant} is one letter away"
        return None if meant is None else Verdict(UNKNOWN_SCHEME, message)
    if scheme["address"] is not None:
        code, fault_of = _ADDRESSES[scheme["address"].lower()]
        fault = fault_of(reference)
        return None if fault is None else Verdict(code, fault)
    options = context.options
    has_files = (options.site_url or "").lower().startswith("file:")
    if has_files or any(rule.pattern.search(target or reference) for rule in options.remap):
        return None
    what = "a file: URI" if scheme["drive"] is None else f"{scheme['drive']} is the beginning of a path on a disk: it"
    return Verdict(FILE_URI, f"{what} does not lead to the web, but to the reader's own disk")


@cache
def _common_schemes() -> Mapping[str, Callable[[str], object]]:
    """The common schemes, each with what matches the text after it; nearly all pages have no other ones."""
    slashes = re.compile(r"[\\/]{2}").match
    return {
        "https": slashes,
        "http": slashes,
        "mailto": re.compile("[^@/?#]+@").match,
        "javascript": re.compile("").match,
        "tel": re.compile(r"[+0][-0-9.()]{6}").match,
        "data": re.compile(r"[a-z]+/[a-z0-9.+-]+[;,]", re.IGNORECASE).match,
        "file": re.compile("///").match,
        "ftp": re.compile(r"//ftp\.", re.IGNORECASE).match,
    }


def scheme_meant(reference: str) -> str | None:
    """Return the common scheme that was meant by a misspelt one (`htps://example.org/`, `mailt:anna@example.org`), or
    None.

    It is one edit away (the first of several), and the text after it is what follows that one: slashes, an address, a
    number, a media type. `javascript` is too long to be near by chance. Two short names are alike by chance (`rtp` and
    `ftp`), so for `ftp` the host must say it too. A scheme that IANA has registered (RFC 7595) is never misspelt, nor
    another one in use (`_IN_USE`). Any other may belong to an application (`web+x`, `obsidian`, `com.example.app`), or
    not be a scheme (`foaf:name`).
    """
    scheme, _, rest = reference.partition(":")
    scheme = scheme.lower()
    schemes = _common_schemes()
    if scheme in schemes or scheme in _IN_USE:
        return None
    return next((common for common, fits in schemes.items() if edits(scheme, common) == 1 and fits(rest)), None)


def _suspicious_host(context: SiteContext, reference: str) -> str | None:
    """What is suspicious about the host that a reference names, or None.

    The host is a scheme, since that is there twice (`http://http://x/`); or, after two slashes alone, it is one label
    (`//images/logo.png`), so that a path from the root was probably meant. `localhost`, a host with a port, and an own
    host are right, and so is any if the site's own host is one label.
    """
    if (twice := has_two_schemes(reference)) is not None:
        return f"the scheme is there twice, so that the host is {twice[1]}"
    label = re.match(_ONE_LABEL, reference, re.IGNORECASE)
    if (
        label is None
        or "." not in (split(context.uri).authority or "")
        or label[1].lower() in map(str.lower, context.options.own_hosts)
    ):
        return None
    return f"after two slashes, {label[1]} is the host, but it has no dot; a path from the root begins with one slash"


def _is_read(context: SiteContext, reference: str, problems: Sequence[Problem]) -> bool:
    """Whether browsers parse a reference as a URL (URL Standard, "basic URL parser"), or leave it to other programs.

    A site on the disk is meant for a host: a reference that begins with two slashes is parsed there as on `https:`
    pages.
    """
    if _IS_IDENTIFIER(reference) is not None:
        return True
    for problem in problems:
        if problem.code == UNRESOLVABLE or (problem.code == _DIFFERS and problem.target is None):
            return False
    from_root = len(reference) > 1 and _SLASHES.issuperset(reference[:2])
    return not (from_root and context.uri.startswith("file:")) or parse_or_none("https:" + reference) is not None


def noticed(
    context: SiteContext, reference: str, target: str | None, problems: Sequence[Problem] = ()
) -> Sequence[Problem]:
    """Return the problems of a reference that leads to `target`; `problems`: all problems found in it."""
    if any(problem.code == _NOT_A_URI for problem in problems):
        others = [problem for problem in problems if problem.code != _NOT_A_URI]
        problems = [*others, *_of_grammar(context, clean(reference))]
    if _IS_IDENTIFIER(reference) is not None:  # how browsers would read it does not matter
        problems = [problem for problem in problems if problem.code not in (_DIFFERS, _NOT_A_URI)]
    if target is not None and is_local_address(context, target, reference):
        message = "it leads to the reader's own computer"
        problems = [*problems, Problem(LOCAL_ADDRESS, message)]
    return problems


def is_local_address(context: SiteContext, uri: str, reference: str = "") -> bool:
    """Whether a URI leads to the reader's own computer, from a published site: one whose own URI is on the web.

    That is `localhost`, a name below it, 127.0.0.0/8, `[::1]` (RFC 6761 §6.3, RFC 1122 §3.2.1.3). It is not reported if
    such hosts are asked, too (`--external --allow-private`): their answers are.
    """
    if _IS_LOCAL(uri) is None or not context.uri.startswith(_ON_WEB) or _IS_LOCAL(context.uri) is not None:
        return False
    if context.uri.startswith(f"{UNKNOWN_HOST}/"):
        return False
    if context.options.web.allows_private and _EXTERNAL in context.options.checks:
        return False
    return context.scope.chooses(uri, reference)


def _of_grammar(context: SiteContext, reference: str) -> list[Problem]:
    """Return the problems of a reference, but `not-a-uri` only for faults that may reach a server in another form.

    It is left out for `data:` URIs, which nobody requests; for fragments, which browsers do not send; and for
    characters outside ASCII, which browsers percent-encode.
    """
    if _IS_DATA(reference) is not None:
        return []
    in_ascii = _ASCII_FOR_OTHERS.sub("~", reference.partition("#")[0])
    return Problem.of_grammar(in_ascii, context.options.how.profile)

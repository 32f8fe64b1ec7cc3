"""Hashes that do not match, so that browsers refuse what they are for: the code `integrity-mismatch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from rehref.documents.base import clean, without_fragment
from rehref.documents.integrity import Digests, GuardedPage, Hashes
from rehref.documents.media_types import MediaType
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.made_findings import collected, finding_at
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_tables import SiteTable
from rehref.site._paths import shown
from rehref.site.findings import Finding
from rehref.text import lower
from rehref.text.large_bytes import mentions

_CODE: Final = "integrity-mismatch"
_CHECKED: Final = (*MediaType.PAGES, MediaType.CSS)
_BEHIND: Final = {
    "script-src-elem": ("script-src-elem", "script-src", "default-src"),
    "style-src-elem": ("style-src-elem", "style-src", "default-src"),
    "style-src-attr": ("style-src-attr", "style-src", "default-src"),
}
"""The directives that decide, the first that a policy has (CSP3, "Get fetch directive fallback list")."""
_NAMED: Final = {
    "script-src-elem": "this script",
    "style-src-elem": "this style sheet",
    "style-src-attr": "this style attribute",
}


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings of a page, as plain tuples."""
    page, data = read.page, read.data
    if page.media_type not in _CHECKED or not mentions(data, b"integrity", b"content-security-policy"):
        return None
    guarded = page.document.guarded()
    found = [] if read.context.is_sent else list(_of_files(read, guarded))
    if guarded.has_hashes:
        found += _of_policies(read, guarded, guarded)
        found += _of_policies(read, guarded, page.document.guarded(untyped=True)) if page.is_html else ()
    return [tuple(finding) for finding in sorted(found, key=lambda each: each.line or 0)] or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield the findings of all pages."""
    return collected(facts)


def _of_files(read: ReadPage, guarded: GuardedPage) -> Iterator[Finding]:
    """Yield the findings about files of the site that browsers fetch with integrity metadata
    (`rehref.documents.integrity`).
    """
    digests_of = lru_cache(maxsize=64)(partial(_digests_of, read.context))
    for guard in guarded.guards:
        hashes = guard.hashes
        if not hashes.found or not guard.fetched or guarded.parsed.places[guard.place].in_template:
            continue
        target = read.page.document.resolver(clean(guard.reference))[0]
        path = None if target is None else _file(read.context, target)
        here = None if path is None else digests_of(path)
        if path is not None and here is not None and not hashes.accept(here):
            yield _finding(read, guarded, guard.place, path)._replace(reference=guard.reference, target=target)


def _finding(read: ReadPage, guarded: GuardedPage, place: int, path: str) -> Finding:
    message = f"the hash is not that of {shown(path)}, so browsers refuse it"
    return finding_at(read.path, guarded, place, _CODE, message)


def _file(context: SiteContext, target: str) -> str | None:
    """Return the file that a target leads to; None if there is none, or it is not checked."""
    located = context.locator.locate(without_fragment(target))
    is_chosen = not located.code and not located.outside and context.scope.chooses(target)
    return located.path if is_chosen else None


def _digests_of(context: SiteContext, path: str) -> Digests | None:
    data = read_or_skip(context, path)
    return None if data is None else Digests.of(data)


def _of_policies(read: ReadPage, guarded: GuardedPage, having: GuardedPage) -> Iterator[Finding]:
    """Yield the findings about contents of the page, those that `having` has.

    Of a policy in a page, only directives with hashes count. A script, style sheet or `style` attribute behind it is
    reported if browsers refuse it (CSP3, "Does element match source list for type and source?").
    """
    places = [guarded.parsed.places[number] for number in guarded.policies]
    policies = [(place.tag, _directives(place.value)) for place in places]
    for content in having.contents:
        place = having.parsed.places[content.place]
        is_used = content.directive and content.data and not place.in_template
        if is_used and any(
            before < place.tag and _refuses(policy, content.directive, content.nonce, content.data)
            for before, policy in policies
        ):
            message = f"the policy of the page has other hashes than that of {_NAMED[content.directive]}: it is refused"
            found = finding_at(read.path, having, content.place, _CODE, message)
            yield found._replace(reference="", target=None)


def _directives(policy: str) -> dict[str, str]:
    """Return the directives of a policy, by their names (CSP3, "Parse a serialized CSP")."""
    found: dict[str, str] = {}
    for text in policy.split(";"):
        name, *values = text.split(maxsplit=1) or [""]
        found.setdefault(lower(name), "".join(values))
    return found


def _refuses(policy: Mapping[str, str], directive: str, nonce: str, data: bytes) -> bool:
    """Whether a policy refuses a content because of its hashes."""
    name = next((each for each in _BEHIND[directive] if each in policy), "")
    values = policy.get(name, "")
    hashes = Hashes.in_policy(values)
    is_attribute = directive == "style-src-attr"
    if not hashes.found or (is_attribute and "'unsafe-hashes'" not in lower(values).split()):
        return False
    has_nonce = nonce != "" and f"'nonce-{nonce}'" in values.split()
    return not has_nonce and not hashes.have(Digests.of(data))

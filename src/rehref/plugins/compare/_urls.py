"""What became of the URLs of a state: kept, moved, or gone; for what is gone, `_matching.py` says where it went.

A URL is kept if the new state answers it. If it redirects there for good, or if a page refreshes at once, it has moved.
All URLs of a resource must be answered. A redirection of the old state leads where its target went; one that led in a
circle promised nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from rehref.plugins.compare._matching import url_moves
from rehref.plugins.compare.changes import Change, UrlMove
from rehref.site.site import Resource
from rehref.site.states import Landing, State

_OF_BUILD = re.compile(r"(?<=[.\-_])(?=[0-9a-zA-Z]*[0-9])(?:[0-9a-f]{8,}|[0-9A-Za-z_]{8,10})(?=\.[a-z0-9.]+\Z)")


class Fate(NamedTuple):
    """What became of a resource. `landing`: of its URL; `missing`: those of its URLs that nothing answers.

    `move`: where it went, if some are missing. `is_replaced`: it is a file that was built anew under another name.
    """

    resource: Resource
    landing: Landing
    missing: tuple[str, ...] = ()
    move: UrlMove = UrlMove(None)
    is_replaced: bool = False

    @property
    def has_moved(self) -> bool:
        """Whether its URL leads to another one for good, and did not before."""
        return self.landing.is_moved and not (self.missing or self.resource.to is not None or self.resource.is_redirect)


def fates_of(old: State, new: State, *, looks_for_moves: bool = True) -> dict[str, Fate]:
    """Return what became of each resource of the old state, by URL; reads the details that are needed for moves."""
    fates = {}
    for url, resource in sorted(old.resources.items()):
        if resource.is_redirect and _is_circle(old, resource):
            continue  # it never led anywhere
        if new.has_files or resource.named is not None or resource.is_redirect:
            landings = {each: new.land(each) for each in (url, *resource.also)}
            missing = tuple(each for each, landing in landings.items() if landing.is_gone)
            fates[url] = Fate(resource, landings[url], missing)
    if not looks_for_moves:
        return fates
    _read_details(old, new, fates)
    gone = {url: fate for url, fate in fates.items() if fate.missing}
    moves = url_moves(old, new, gone)
    of_builds = {_OF_BUILD.sub("*", url) for url in new.resources}
    for url, fate in gone.items():
        if fate.resource.to is None:
            fates[url] = fate._replace(move=moves[url], is_replaced=_is_replaced(fate.resource, of_builds))
    for url, fate in gone.items():
        if fate.resource.to is not None:
            fates[url] = fate._replace(move=_of_redirect(fate.resource.to, fates))
    return fates


def changes_of_urls(
    fates: Mapping[str, Fate], unpublished: Collection[str], *, looks_for_moves: bool = True
) -> Iterator[Change]:
    """Yield the URLs that are gone or have moved. `unpublished`: those that their pages left out of search engines."""
    for url, fate in fates.items():
        landing = fate.landing
        if fate.missing and not fate.is_replaced:
            what = "gone" if looks_for_moves else "not there"
            if fate.missing[0] != url:
                what += f", but /{url} is there"
            elif landing.status != 200:
                what += f", though it is redirected: {landing.why}"
            if url in unpublished:
                yield fate.move.change("url-gone", fate.missing[0], f"{what} (its page was noindex)", "info")
            else:
                yield fate.move.change("url-gone", fate.missing[0], what)
        elif fate.has_moved and looks_for_moves:
            to = None if landing.resource is None else landing.resource.url
            by = "by a page that refreshes" if landing.refreshes else f"with {landing.status}"
            by += " and drops fragments" if landing.drops else ""
            what = f"redirected to {'another site' if to is None else to or '/'}, {by}"
            yield Change("url-moved", "info", url, what, to, 1.0)


def _is_circle(state: State, resource: Resource) -> bool:
    """Whether a redirection leads back to itself, or into a circle."""
    seen, found = set[str](), state.at(resource.url)
    while found is not None and found.is_redirect and found.to is not None:
        if found.url in seen:
            return True
        seen.add(found.url)
        found = state.at(found.to.partition("#")[0])
    return False


def _is_replaced(resource: Resource, of_builds: Collection[str]) -> bool:
    """Whether a file that a build had named by its content (`main.3f2a9c1b.js`) has another such name now."""
    pattern = _OF_BUILD.sub("*", resource.url)
    return pattern != resource.url and resource.named is None and pattern in of_builds


def unchanged(fates: Mapping[str, Fate]) -> dict[str, str]:
    """Return the URLs of resources with the same bytes as before, each with its URL in the old state."""
    return {
        fate.landing.resource.url: url
        for url, fate in fates.items()
        if fate.landing.resource is not None and fate.resource.digest == fate.landing.resource.digest
    }


def _of_redirect(to: str, fates: Mapping[str, Fate]) -> UrlMove:
    """Return where a redirection of the old state would lead now. A fragment of a later one takes precedence."""
    seen, fragment = set[str](), ""
    while True:
        to, mark, ending = to.partition("#")
        fragment = mark + ending or fragment
        fate = fates.get(to)
        if fate is None or to not in fate.missing:
            return UrlMove(to + fragment, 0.99, "it was redirected there")
        if fate.resource.to is None or to in seen:
            break
        seen.add(to)
        to = fate.resource.to
    move = UrlMove(None) if fate.resource.to is not None else fate.move
    if move.to is not None and "#" not in move.to:
        move = move._replace(to=move.to + fragment)
    return move._replace(why=f"it was redirected to {to or '/'}: {move.why}")


def _read_details(old: State, new: State, fates: Mapping[str, Fate]) -> None:
    """Read the details of all pages that differ in the two states."""
    same = unchanged(fates)
    old.read_details(old.resources.keys() - set(same.values()))
    new.read_details(new.resources.keys() - same.keys(), old)

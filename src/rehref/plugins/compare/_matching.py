"""Where the resources that are gone from a state went: the URL that has their content now.

Equal bytes say it. For pages, signals are combined: one is never enough, and texts that have nothing in common speak
against names and titles. A move is certain from 0.9 on; one from 0.6 on is a suggestion, and is not written anywhere.
Several equally good pages are listed, and none is chosen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest
from itertools import chain
from math import prod
from posixpath import dirname
from typing import Final, TypeVar

from rehref.plugins.compare.changes import SURE, UrlMove
from rehref.site.states import State

_LIKELY: Final = 0.6
"""From this certainty on, a place is suggested."""
_OFTEN: Final = 50
_FEWEST: Final = 8
"""Pages that share fewer hashes may do so by chance."""
_MOST: Final = 20
_SAME, _ALIKE, _WITHIN, _COVERED = 0.4, 0.2, 0.8, 0.6
_IN_TITLE = re.compile(r"\s+[-|–—·»:]\s+")
_DENIED, _MOSTLY = 0.7, 0.6
_STRONG: Final = frozenset({"text", "alias", "canonical", "ids"})
_WORDS: Final = {
    "alias": "another of its URLs is there",
    "canonical": "same canonical URL",
    "title": "same title",
    "ids": "same ids",
    "name": "same name",
    "folder": "same folder",
    "mutual": "",
}

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def url_moves(old: State, new: State, gone: Collection[str]) -> Mapping[str, UrlMove]:
    """Return where resources of the old state went, by URL. Both states know the details of the pages that differ."""
    return _Matching(old, new, gone).moves


class _Matching:
    """Finds where the resources that are gone went. `moves`: by their URLs."""

    def __init__(self, old: State, new: State, gone: Collection[str]) -> None:
        self._old, self._new, self._gone = old, new, gone
        self._old_titles, self._new_titles = _titles(old), _titles(new)
        wanted = {each for url in gone for each in old.about(url).text.hashes}
        urls = [url for url, resource in new.resources.items() if not resource.is_redirect]
        pages = [(url, new.details[url]) for url in urls if url in new.details]
        self._by_digest = index_of((new.resources[url].digest, url) for url in urls)
        self._by_stem = index_of((_stem(url), url) for url in urls if url not in old.addresses)
        self._by_title = index_of((self._new_titles[url], url) for url, _ in pages)
        self._by_canonical = index_of((page.canonical, url) for url, page in pages)
        self._by_hash = index_of((each, url) for url, page in pages for each in wanted.intersection(page.text.hashes))
        self._titles_gone = Counter(self._old_titles.get(url, "") for url in gone)
        self._places = _rare_places(old, new, gone)
        self._texts = {url: self._text_of(url) for url in gone}
        self._nearest = defaultdict[str, list[tuple[float, str]]](list)
        for url, texts in self._texts.items():
            for other, shared in texts.items():
                self._nearest[other] = nlargest(2, (*self._nearest[other], (shared, url)))
        self.moves = {url: self._move(url) for url in gone}
        self._follow_pages()

    def _follow_pages(self) -> None:
        """Let files that are not pages, and have changed, go where pages of their folders went, if their names are
        there.
        """
        sure = (_renamed(url, move.to or "") for url, move in self.moves.items() if move.is_sure)
        renamed = [folders for folders, number in Counter(sure).items() if number > 1 and folders[0] != folders[1]]
        for url, move in self.moves.items():
            if renamed and not move.is_sure and self._old.resources[url].named is None:
                ends = {to + url.removeprefix(folder) for folder, to in renamed if url.startswith(folder)}
                there = [each for each in ends if each in self._new.resources and each not in self._old.addresses]
                if len(there) == 1:
                    self.moves[url] = UrlMove(there[0], 0.93, "same name, in the folder to which pages went")

    def _move(self, url: str) -> UrlMove:
        resource = self._old.resources[url]
        equal = self._by_digest[resource.digest] if resource.digest else []
        equal = [each for each in equal[:_OFTEN] if self._is_candidate(url, each)]
        for few in (equal, [each for each in equal if _stem(each) == _stem(url)]):
            if len(few) == 1:
                return UrlMove(few[0], 0.99, "same bytes")
        if equal:
            return UrlMove(None, candidates=tuple(sorted(equal)[:_MOST]))
        if resource.named is None:
            few = [each for each in self._by_stem[_stem(url)][:_OFTEN] if each.endswith(url[url.rfind(".") :])]
            return UrlMove(few[0], _LIKELY, "same name") if len(few) == 1 else UrlMove(None)
        signals = self._signals(url)
        texts = self._texts[url]
        each_with = ((self._certainty(url, each, signals[each]), texts.get(each, 0.0), each) for each in signals)
        certain = sorted(each_with, reverse=True)
        best = certain[0] if certain else (0.0, 0.0, "")
        split = self._split(url)
        if split is not None and (best[0] < SURE or best[1] < _SAME):
            return split
        if best[0] < _LIKELY:
            return UrlMove(None)
        shares = self._shares(url)
        if shares.get(best[2], 1.0) < _MOSTLY:
            others = [each for each, share in shares.items() if share > max(_ALIKE, shares[best[2]] / 2)]
            if len(others) > 1:
                return UrlMove(None, candidates=tuple(others))
        as_good = [each for certainty, text, each in certain if certainty > best[0] - 0.01 and text > best[1] - 0.1]
        if len(as_good) > 1:
            return UrlMove(None, candidates=tuple(as_good[:_MOST]))
        same = f"{100 * best[1]:.0f} % the same text"
        words = [same if one == "text" else _WORDS[one] for one in signals[best[2]]]
        return UrlMove(best[2], round(best[0], 2), ", ".join(filter(None, words)))

    def _is_candidate(self, url: str, other: str) -> bool:
        """Whether a page may have the content of another one now: a new URL, or one to which the text has come.

        What two pages had in common before says nothing.
        """
        before = self._old.at(other)
        if before is None or before.url in self._gone:
            return True
        if url not in self._old.details or other not in self._new.details or before.url not in self._old.details:
            return False
        text, now, then = self._old.about(url).text, self._new.about(other).text, self._old.about(before.url).text
        return now.likeness(text) > then.likeness(text) + 0.2 or now.share_of(text) > then.share_of(text) + 0.5

    def _signals(self, url: str) -> dict[str, dict[str, float]]:
        """Return the signals for each candidate, each with its certainty.

        They are: another URL of the page that is answered, the canonical URL, the title without what all titles share,
        ids that only this page had and only that page has, the text, the name, the folder, and that no other page is as
        near in both directions.
        """
        found: defaultdict[str, dict[str, float]] = defaultdict(dict)
        details = self._old.about(url)
        for address in (url, *self._old.resources[url].also):
            landing = self._new.land(address)
            if landing.resource is not None and not landing.is_gone:
                found[landing.resource.url]["alias"] = 0.8
        for each in self._by_canonical[details.canonical][:_OFTEN] if details.canonical else ():
            found[each]["canonical"] = 0.9
        title = self._old_titles.get(url, "")
        if title and len(self._by_title[title]) == 1 == self._titles_gone[title]:
            found[self._by_title[title][0]]["title"] = 0.8
        places = self._places[url]
        for each, number in places.items():
            if 2 * number >= places.total():
                found[each]["ids"] = 0.9 if number > 2 else 0.6
        for each, shared in self._texts[url].items():
            within = self._new.about(each).text.share_of(details.text)
            if shared >= _ALIKE or within >= _WITHIN:
                found[each]["text"] = 0.9 if shared >= _SAME else 0.8 if within >= _WITHIN else 0.6
            if shared >= _SAME and self._is_mutual(url, each, shared):
                found[each]["mutual"] = 0.3
        for each in found:
            if _stem(each) == _stem(url):
                found[each]["name"] = 0.5
            if dirname(each) == dirname(url):
                found[each]["folder"] = 0.5
        return {each: signals for each, signals in found.items() if len(signals) > 1 and self._is_candidate(url, each)}

    def _certainty(self, url: str, other: str, signals: Mapping[str, float]) -> float:
        """Return the certainty of signals together: that not all of them are wrong; less if the texts differ."""
        wrong = prod(1 - each for each in signals.values())
        before, now = self._old.about(url).text, self._new.about(other).text
        is_denied = not _STRONG & signals.keys() and now.is_comparable(before)
        return round((1 - wrong) * (_DENIED if is_denied else 1), 4)

    def _is_mutual(self, url: str, other: str, shared: float) -> bool:
        """Whether no other page is as near, in both directions."""
        others = [each for one, each in self._texts[url].items() if one != other]
        nearer = [each for each, one in self._nearest[other] if one != url]
        return max((*others, *nearer), default=0.0) <= shared / 2

    def _sharing(self, url: str) -> Counter[str]:
        """Return the pages that have hashes of a page, each with the number of these.

        Hashes that more than `_OFTEN` pages have say nothing, so that time grows with the text of the pages that
        differ.
        """
        having = (self._by_hash.get(each, ()) for each in self._old.about(url).text.hashes)
        return Counter(chain.from_iterable(each for each in having if len(each) <= _OFTEN))

    def _text_of(self, url: str) -> dict[str, float]:
        """Return how much of the text candidates have in common with a page."""
        text = self._old.about(url).text
        near = {each: text.likeness(self._new.about(each).text) for each, _ in self._sharing(url).most_common(_MOST)}
        return {each: shared for each, shared in near.items() if shared > 0}

    def _shares(self, url: str) -> dict[str, float]:
        """Return how much of the text of a page its candidates have, if that is known."""
        text = self._old.about(url).text
        found = {each: self._new.about(each).text.share_of(text) for each in self._texts[url]}
        return {each: share for each, share in found.items() if share and self._is_candidate(url, each)}

    def _split(self, url: str) -> UrlMove | None:
        """Return over which pages a page was split; None if it was not.

        It is if new pages have 60 % of its text, each with hardly anything else. It leads to that with its name or
        title, if there is one. If the best page has less than that, and others more than half as much, all are listed.
        """
        whole = self._old.about(url).text
        often = [each for each, shared in self._sharing(url).items() if shared >= _FEWEST]
        parts = {each: self._new.about(each).text for each in often if each not in self._old.addresses}
        parts = {each: text for each, text in parts.items() if whole.share_of(text) >= _WITHIN}
        have = set[int]().union(*(text.at(whole.level) for text in parts.values()))
        if len(parts) < 2 or len(have.intersection(whole.hashes)) < _COVERED * len(whole.hashes):
            return None
        title = self._old_titles.get(url, "")
        like = {each for each in parts if title and self._new_titles.get(each) == title}
        like.update(each for each in self._by_stem[_stem(url)][:_OFTEN] if self._new.resources[each].named is not None)
        why = f"split into {len(parts)} pages"
        return UrlMove(like.pop() if len(like) == 1 else None, 0.9, why, tuple(sorted(parts)[:_MOST]))


def index_of(pairs: Iterable[tuple[_Key, _Value]]) -> defaultdict[_Key, list[_Value]]:
    """Return values by their keys."""
    found = defaultdict[_Key, list[_Value]](list)
    for key, value in pairs:
        found[key].append(value)
    return found


def _stem(url: str) -> str:
    """Return what a URL calls its resource: its file's name without extension, or that of the folder of an index."""
    segments = url.partition("?")[0].split("/")
    if segments[-1].partition(".")[0] in ("", "index") and len(segments) > 1:
        segments.pop()
    return re.sub("[-_.~]|%20", " ", segments[-1].rpartition(".")[0] or segments[-1]).lower()


def _renamed(url: str, to: str) -> tuple[str, str]:
    """Return the folder whose name changed when a URL moved, before and now; both "" if the file's name changed."""
    before, now = url.split("/"), to.split("/")
    if before[-1] != now[-1]:
        return "", ""
    while before and now and before[-1] == now[-1]:
        before.pop()
        now.pop()
    return "".join(f"{each}/" for each in before), "".join(f"{each}/" for each in now)


def _titles(state: State) -> dict[str, str]:
    """Return the titles of pages without the parts that more than half of them have."""
    parts = {url: _IN_TITLE.split(each.title) for url, each in state.details.items()}
    counted = Counter(part for each in parts.values() for part in set(each))
    most = max(1, len(parts) // 2)
    return {url: " - ".join(part for part in each if counted[part] <= most) for url, each in parts.items()}


def _rare_places(old: State, new: State, gone: Iterable[str]) -> dict[str, Counter[str]]:
    """Return for each page the pages that have ids now that only it had, with their number."""
    wanted = {name for url in gone for name in old.resources[url].names}
    before, now = places_of(old, wanted), places_of(new, wanted)
    rare = {name: places[0] for name, places in now.items() if len(places) == 1 == len(before[name])}
    return {url: Counter(rare[name] for name in old.resources[url].names if name in rare) for url in gone}


def places_of(state: State, wanted: set[str]) -> Mapping[str, list[str]]:
    """Return the URLs of the pages that have some names, by name."""
    named = ((url, resource.names) for url, resource in state.resources.items() if resource.named)
    return index_of((name, url) for url, names in named for name in wanted & names)

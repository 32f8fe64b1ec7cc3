"""Asking servers about URLs, each once in a run, and what is known of them then.

1. A URL is asked about once, however many folders and checks of them there are (`--fix` checks twice). The body is
   asked for where a fragment is looked for; one that was asked for without is asked for again if a later folder needs
   it.
2. Where a page sends browsers on with the fragment, the page that it leads to is asked for, too: at most so often in a
   row (`_MOST_SENT_ON`, and no more than redirections), and only what would be asked about if a link led to it. Of what
   is not asked for nothing is known, and any fragment may be right.
3. Of a page that is moved for good the fragment is looked for in the new one. If it is not there, the new URL is not
   sure. A fragment that a redirection names goes before that of the link (RFC 9110 §10.2.2); where the link has
   another one, the new URL is not sure: it is no longer what somebody wrote.
4. Ctrl-C ends the asking, and what was answered counts (`stopped`). What was not asked about was not checked.
5. Where several hosts were asked, and none could be reached, it is this machine that has no network (`is_offline`).
   Nothing is said then of URLs whose hosts could not be reached; what is known of others, from runs before, counts.
   Hosts that are local by name or address tell nothing of the network. Where there are few, their errors are reported,
   and a note asks whether there is a network (`notes`).
6. Where a host that had answered was given up, nothing is said of its URLs that were not asked; one note is.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.base import without_fragment
from rehref.checking.browsing.fragments import Defined, is_top, without_directive
from rehref.checking.external.fragments import defined_in, is_right
from rehref.checking.external.remembered import Recalled, Remembered
from rehref.checking.external.verdicts import verdict_of
from rehref.checking.model import WebVerdict
from rehref.checking.options import CheckOptions
from rehref.checking.pages.classifier import missing_fragment
from rehref.uri.components import split
from rehref.uri.privacy import mask_text
from rehref.web.cache.cache import Cache
from rehref.web.host_records import HostRecords
from rehref.web.hosts import host_of, is_local_host
from rehref.web.model import Answer, Question

_UNREACHED: Final = frozenset({"unknown-host", "no-connection"})
_SAYS_NOTHING: Final = _UNREACHED | {"private-address"}
"""The failures that come without a network, too."""
_FEW_HOSTS: Final = 5
_MOST_SENT_ON: Final = 3
"""So many pages in a row that send browsers on are followed (rule 2)."""
OFFLINE: Final = (
    "no server could be reached, and links for which one has to be asked were not checked; check the network"
)
"""What is said if it is this machine that has no network (rule 5)."""
_NO_ADDRESS: Final = "no host had an address: is there a network?"

Progress = Callable[[int, int], None]
MayAsk = Callable[[str], bool]
"""Whether a URL would be asked about if a link led to it."""


class Known(NamedTuple):
    """What is known of a URL.

    `fragment`: that of the last redirection that has one. `is_unreached`: whether its server was to be asked,
    and could not be reached.
    """

    verdict: WebVerdict | None
    final: str
    fragment: str
    is_unreached: bool
    from_cache: bool


class Judged(NamedTuple):
    """What there is to say about URLs with fragments: `wrong`, of those that something is wrong with; `answered`."""

    wrong: dict[str, tuple[WebVerdict, ...]]
    answered: frozenset[str]


@dataclass(slots=True)
class Outside:
    """What is known of URLs on other sites.

    `progress`: called with how many were answered, of how many. `remembered`: what is known from runs before. `hosts`:
    what they asked for in this run. `on_stop`: called once Ctrl-C ends the asking. `fetched`: how many pages were
    fetched, to be checked, until that ended the fetching.
    """

    options: CheckOptions
    progress: Progress | None = None
    remembered: Remembered = field(default_factory=lambda: Remembered(Cache.none()))
    stopped: bool = False
    on_stop: Callable[[], None] | None = None
    fetched: int | None = None
    is_offline: bool = False
    hosts: HostRecords = field(default_factory=HostRecords)
    _known: dict[str, Known] = field(default_factory=dict)
    _defined: dict[str, Defined] = field(default_factory=dict)
    _asked: dict[str, bool] = field(default_factory=dict)
    _sent_on: dict[str, int] = field(default_factory=dict)  # by URL: so many pages in a row led there
    _is_reached: bool = False
    _has_address: bool = False
    _answers: Counter[str] = field(default_factory=Counter)  # by host: how often it answered
    _given_up: dict[str, str] = field(default_factory=dict)  # by URL that was not asked for that: the host

    def know(self, answer: Answer, *, is_page: bool) -> None:
        """Take in an answer that came before, asked for with its body: its URL is not asked about again.

        `is_page`: its names are known otherwise, since it is one of the pages that are checked.
        """
        self._asked[answer.url] = True
        self._notice(answer)
        defined = None if is_page else defined_in(answer, self.options)
        self._note(Recalled(answer, None) if is_page else self.remembered.take(answer, defined, has_body=True))

    def stop(self) -> None:
        """Ask nothing more (rule 4)."""
        self.stopped = True
        if self.on_stop is not None:
            self.on_stop()

    def counted(self, urls: Iterable[str]) -> tuple[int, int]:
        """How many resources some URLs with fragments are, and about how many of these no server was asked."""
        known = [self._known[url] for url in set(map(without_fragment, urls))]
        return len(known), sum(each.from_cache for each in known)

    def judge(self, urls: Collection[str], may_ask: MayAsk = lambda _: True) -> Judged:
        """Ask about URLs that are not known yet, and judge all of them. Raises `OptionError`.

        `may_ask`: for what pages send browsers on to (rule 2).
        """
        with_bodies: dict[str, bool] = {}
        for url in urls:
            plain = without_fragment(url)
            with_bodies[plain] = with_bodies.get(plain, False) or plain != url
        if not self.stopped:
            self._ask(
                (Question(url, needs_body) for url, needs_body in with_bodies.items() if self._is_new(url, needs_body)),
                may_ask,
            )
        self.is_offline = self._seems_offline()
        answered = frozenset(url for url in urls if self._is_answered(without_fragment(url)))
        judged = ((url, tuple(self._verdicts(url))) for url in urls if url in answered)
        return Judged({url: verdicts for url, verdicts in judged if verdicts}, answered)

    def _is_answered(self, url: str) -> bool:
        """Whether there is an answer about a URL that says something of it (rule 5)."""
        known = self._known.get(url)
        return known is not None and not (self.is_offline and known.is_unreached) and not self._has_stopped(url)

    def _has_stopped(self, url: str) -> bool:
        """Whether a URL was not asked, since its host stopped answering (rule 6)."""
        return self._answers[self._given_up[url]] > 0 if url in self._given_up else False

    def _is_new(self, url: str, needs_body: bool) -> bool:
        """Whether a URL has to be asked about, and from now on has been."""
        if self._asked.get(url, False) or (url in self._asked and not needs_body):
            return False
        self._asked[url] = needs_body
        return True

    def _ask(self, questions: Iterable[Question], may_ask: MayAsk) -> None:
        from rehref.web.asking import ask  # it needs more packages than the rest

        total = done = 0

        def answered(answer: Answer) -> Iterable[Question]:
            nonlocal total, done
            self._notice(answer)
            defined = defined_in(answer, self.options)
            recalled = self.remembered.take(answer, defined, has_body=self._asked.get(answer.url, False))
            further = self._to_ask(self._learn(recalled, may_ask), may_ask)
            done, total = done + 1, total + len(further)
            if self.progress is not None:
                self.progress(done, total)
            return further

        try:  # to look into the cache may take long, too
            waiting = self._to_ask(questions, may_ask)
            total = len(waiting)
            if waiting:
                ask(waiting, self.options.web, answered, self.hosts)
        except KeyboardInterrupt:
            self.stop()

    def _to_ask(self, questions: Iterable[Question], may_ask: MayAsk) -> list[Question]:
        """Those questions that servers are to be asked; of the others what is known is learnt."""
        waiting, found = deque(questions), []
        while waiting:
            recalled = self.remembered.recall(waiting.popleft())
            if isinstance(recalled, Question):
                found.append(recalled)
            else:
                waiting += self._learn(recalled, may_ask)
        return found

    def _learn(self, recalled: Recalled, may_ask: MayAsk) -> list[Question]:
        """Take in what an answer says; what is to be asked because of it (rule 2)."""
        self._note(recalled)
        on = None if recalled.defined is None else recalled.defined.sent_on
        steps = self._sent_on.get(recalled.answer.url, 0) + 1
        if on is None or on.path == "" or not on.keeps_fragment:
            return []
        if steps > min(_MOST_SENT_ON, self.options.web.max_redirects) or not may_ask(on.path):
            return []
        if not self._is_new(on.path, needs_body=True):
            return []
        self._sent_on[on.path] = steps
        return [Question(on.path, needs_body=True)]

    def _note(self, recalled: Recalled) -> None:
        """Take in what an answer says."""
        answer, defined = recalled
        if defined is not None:
            self._defined[answer.url] = defined
        self._known[answer.url] = Known(
            verdict_of(answer, self.options.accept),
            answer.final or answer.url,
            next((text for hop in reversed(answer.hops) if (text := hop.location.partition("#")[2])), ""),
            answer.failure in _UNREACHED and not answer.from_cache,
            answer.from_cache,
        )

    def _verdicts(self, url: str) -> Iterator[WebVerdict]:
        """What there is to say about a URL with a fragment (rule 3)."""
        plain, _, fragment = url.partition("#")
        known = self._known[plain]
        verdict = known.verdict
        if verdict is not None and verdict.moved_to is not None and known.fragment:
            is_kept = fragment in ("", known.fragment)
            verdict = verdict._replace(moved_to=f"{verdict.moved_to}#{known.fragment}", sure=verdict.sure and is_kept)
        missing = self._missing(plain, without_directive(known.fragment) or fragment) if fragment else None
        if verdict is not None:
            yield verdict if missing is None else verdict._replace(sure=False)
        if missing is not None:
            yield missing

    def _missing(self, url: str, fragment: str) -> WebVerdict | None:
        """The verdict on a fragment that names nothing in the page at a URL; None: it does, or that is not known."""
        defined = self._defined.get(url)
        ids = self.options.script_ids
        if defined is None or is_top(fragment) or is_right(url, fragment, defined, self._defined, ids):
            return None
        code, message = missing_fragment(fragment, self._known[url].final, defined.sent_on)
        return WebVerdict(code, mask_text(message))

    def _notice(self, answer: Answer) -> None:
        """Notice whether a server was reached (rules 5, 6)."""
        if answer.status is not None and not answer.from_cache:
            self._answers[host_of(answer.url)] += 1
        elif answer.attempts == 0:
            self._given_up[answer.url] = host_of(answer.url)
        if not answer.from_cache and answer.failure not in _SAYS_NOTHING and not is_local_host(answer.url):
            self._is_reached = True
        elif answer.failure == "no-connection":
            self._has_address = True

    def _seems_offline(self) -> bool:
        """Whether no server could be reached (rule 5), as far as it was tried in this run."""
        return not self._is_reached and len(self._unreached()) >= _FEW_HOSTS

    def _unreached(self) -> set[str | None]:
        """The hosts that are not local, and could not be reached (rule 5)."""
        return {
            split(url).authority for url, known in self._known.items() if known.is_unreached and not is_local_host(url)
        }

    def notes(self) -> tuple[str, ...]:
        """What is to be said besides the findings (rule 5)."""
        if self.is_offline:
            return (OFFLINE,)
        stopped = Counter(host for url, host in self._given_up.items() if self._has_stopped(url))
        if stopped:
            return tuple(
                f"{host} stopped answering (answers until then: {self._answers[host]:,}); it was not asked about "
                f"{number:,} more of its URLs, and links to these were not checked"
                for host, number in stopped.items()
            )
        no_address = not self._is_reached and not self._has_address and self._unreached()
        return (_NO_ADDRESS,) if no_address else ()

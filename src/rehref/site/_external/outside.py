"""Asks servers about URLs, each once in a run, and keeps what is known about them.

That holds even if several folders or checks need it (`--fix` checks twice). The body is requested if a fragment is
looked for; if the first request was without the body, and a later folder needs it, there is a second request. Nothing
is known about a URL that is not requested: there, any fragment may be right.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.documents.base import without_fragment
from rehref.site._external.fragments_elsewhere import Recalled, Remembered, is_defined, names_in
from rehref.site._external.verdicts import verdict_of
from rehref.site._pages.classifier import missing_fragment
from rehref.site._pages.fragments import Defined, is_top, without_directive
from rehref.site.check_options import CheckOptions, Progress
from rehref.site.findings import WebVerdict
from rehref.uri.components import mask_text, split
from rehref.web.answers import Answer, Question
from rehref.web.kept_answers import Cache
from rehref.web.servers import HostRecords, host_of, is_local_host

_UNREACHED: Final = frozenset({"unknown-host", "no-connection"})
_SAYS_NOTHING: Final = _UNREACHED | {"private-address"}
"""The failures that also occur without a network."""
_FEW_HOSTS: Final = 5
_MOST_SENT_ON: Final = 3
"""The largest number of pages in a row that send browsers on."""
OFFLINE: Final = (
    "no server could be reached; links that need an answer from a server were not checked; check the network"
)
"""The note if this machine has no network."""
_NO_ADDRESS: Final = "no host had an address: is there a network?"

MayAsk = Callable[[str], bool]
"""Whether a URL would be asked about if a link led to it."""


class KnownUrl(NamedTuple):
    """What is known about a URL.

    `fragment`: that of the last redirection that has one. `is_unreached`: whether this run asked its server, but could
    not reach it.
    """

    verdict: WebVerdict | None
    final: str
    fragment: str
    is_unreached: bool
    from_cache: bool


class Judged(NamedTuple):
    """The result for URLs with fragments: `wrong`, those with faults; `answered`, all that have an answer."""

    wrong: dict[str, tuple[WebVerdict, ...]]
    answered: frozenset[str]


@dataclass(slots=True)
class Outside:
    """What is known about URLs on other sites.

    `progress`: called with the number of answers, and the number of questions. `remembered`: what earlier runs learnt.
    `hosts`: their records of this run. `on_stop`: called once Ctrl-C ends the asking. `fetched`: the number of pages
    fetched for checking, if Ctrl-C ended the fetching.
    """

    options: CheckOptions
    progress: Progress | None = None
    remembered: Remembered = field(default_factory=lambda: Remembered(Cache.none()))
    stopped: bool = False
    on_stop: Callable[[], None] | None = None
    fetched: int | None = None
    is_offline: bool = False
    hosts: HostRecords = field(default_factory=HostRecords)
    _known: dict[str, KnownUrl] = field(default_factory=dict)
    _defined: dict[str, Defined] = field(default_factory=dict)
    _asked: dict[str, bool] = field(default_factory=dict)
    _sent_on: dict[str, int] = field(default_factory=dict)  # by URL: how many pages in a row led there
    _is_reached: bool = False
    _has_address: bool = False
    _answers: Counter[str] = field(default_factory=Counter)  # by host: how often it answered
    _given_up: dict[str, str] = field(default_factory=dict)  # by URL not asked for this reason: the host

    def know(self, answer: Answer, *, is_page: bool) -> None:
        """Take in an answer to a question with the body that was asked elsewhere: its URL is not asked about again.

        `is_page`: its names are known from elsewhere, since it is one of the pages that are checked.
        """
        self._asked[answer.url] = True
        self._notice(answer)
        defined = None if is_page else names_in(answer, self.options)
        self._note(Recalled(answer, None) if is_page else self.remembered.take(answer, defined, has_body=True))

    def stop(self) -> None:
        """Ask no more, after Ctrl-C; the answers until then count. URLs that were not asked about are not checked."""
        self.stopped = True
        if self.on_stop is not None:
            self.on_stop()

    def counted(self, urls: Iterable[str]) -> tuple[int, int]:
        """How many resources some URLs with fragments are, and how many of these answers are from an earlier run."""
        known = [self._known[url] for url in set(map(without_fragment, urls))]
        return len(known), sum(each.from_cache for each in known)

    def judge(self, urls: Collection[str], may_ask: MayAsk = lambda _: True) -> Judged:
        """Ask about URLs that are not known yet, and judge all of them. Raises `OptionError`.

        `may_ask`: whether to ask about a URL that pages send browsers on to: only one that would be asked about if a
        link led to it.
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
        """Whether there is an answer about a URL that says something about it.

        If this machine has no network, nothing is reported for URLs whose hosts could not be reached; what earlier runs
        learnt about others counts.
        """
        known = self._known.get(url)
        return known is not None and not (self.is_offline and known.is_unreached) and not self._has_stopped(url)

    def _has_stopped(self, url: str) -> bool:
        """Whether a URL was not asked about because its host stopped answering; then nothing is reported for it."""
        return self._answers[self._given_up[url]] > 0 if url in self._given_up else False

    def _is_new(self, url: str, needs_body: bool) -> bool:
        """Whether a URL has to be asked about; the answer to the next call is no."""
        if self._asked.get(url, False) or (url in self._asked and not needs_body):
            return False
        self._asked[url] = needs_body
        return True

    def _ask(self, questions: Iterable[Question], may_ask: MayAsk) -> None:
        from rehref.web.asking import ask

        total = done = 0

        def answered(answer: Answer) -> Iterable[Question]:
            nonlocal total, done
            self._notice(answer)
            defined = names_in(answer, self.options)
            recalled = self.remembered.take(answer, defined, has_body=self._asked.get(answer.url, False))
            further = self._to_ask(self._learn(recalled, may_ask), may_ask)
            done, total = done + 1, total + len(further)
            if self.progress is not None:
                self.progress(done, total)
            return further

        try:  # a look into the cache may take long, too
            waiting = self._to_ask(questions, may_ask)
            total = len(waiting)
            if waiting:
                ask(waiting, self.options.web, answered, self.hosts)
        except KeyboardInterrupt:
            self.stop()

    def _to_ask(self, questions: Iterable[Question], may_ask: MayAsk) -> list[Question]:
        """The questions that have to go to servers; learn what is known about the others."""
        waiting, found = deque(questions), []
        while waiting:
            recalled = self.remembered.recall(waiting.popleft())
            if isinstance(recalled, Question):
                found.append(recalled)
            else:
                waiting += self._learn(recalled, may_ask)
        return found

    def _learn(self, recalled: Recalled, may_ask: MayAsk) -> list[Question]:
        """Take in an answer, and return the questions that follow from it.

        If a page sends browsers on with the fragment, the page that it leads to is requested, too: at most
        `_MOST_SENT_ON` in a row, and no more than redirections.
        """
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
        """Take in an answer."""
        answer, defined = recalled
        if defined is not None:
            self._defined[answer.url] = defined
        self._known[answer.url] = KnownUrl(
            verdict_of(answer, self.options.accept),
            answer.final or answer.url,
            next((text for hop in reversed(answer.hops) if (text := hop.location.partition("#")[2])), ""),
            answer.failure in _UNREACHED and not answer.from_cache,
            answer.from_cache,
        )

    def _verdicts(self, url: str) -> Iterator[WebVerdict]:
        """The verdicts on a URL with a fragment.

        If a page has moved for good, the fragment is looked for in the new one. If it is not there, the new URL is not
        sure. The fragment of a redirection takes precedence over that of the link (RFC 9110 §10.2.2); if the link has
        another one, the new URL is not sure: it is no longer what somebody wrote.
        """
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
        """The verdict on a fragment that names nothing in the page at a URL; None if it does, or that is not known."""
        defined = self._defined.get(url)
        ids = self.options.script_ids
        if defined is None or is_top(fragment) or is_defined(url, fragment, defined, self._defined, ids):
            return None
        code, message = missing_fragment(fragment, self._known[url].final, defined.sent_on)
        return WebVerdict(code, mask_text(message))

    def _notice(self, answer: Answer) -> None:
        """Note whether a server was reached."""
        if answer.status is not None and not answer.from_cache:
            self._answers[host_of(answer.url)] += 1
        elif answer.attempts == 0:
            self._given_up[answer.url] = host_of(answer.url)
        if not answer.from_cache and answer.failure not in _SAYS_NOTHING and not is_local_host(answer.url):
            self._is_reached = True
        elif answer.failure == "no-connection":
            self._has_address = True

    def _seems_offline(self) -> bool:
        """Whether no server could be reached, as far as this run tried.

        If few hosts were asked, their errors are reported.
        """
        return not self._is_reached and len(self._unreached()) >= _FEW_HOSTS

    def _unreached(self) -> set[str | None]:
        """The hosts that could not be reached.

        Those that are local by name or address say nothing about the network.
        """
        return {
            split(url).authority for url, known in self._known.items() if known.is_unreached and not is_local_host(url)
        }

    def notes(self) -> tuple[str, ...]:
        """The notes to report besides the findings: whether there is a network, and hosts that stopped answering."""
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

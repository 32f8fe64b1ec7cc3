"""How questions are asked: each once, no more at once than may be, not too soon, and again where that is worth it.

Time is that of a clockwork (`stub.clockwork`), so it is exact.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from patience import wait_until

pytest.importorskip("aiohttp")

import stamina

from rehref.web.answers import Answer, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords, host_of
from web.stub import QUICK, Servers, refused


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://a/x", "http://a"),
        ("HTTP://A:80/", "http://a"),
        ("http://a:443", "http://a:443"),
        ("https://a:443?q@b", "https://a"),
        ("https://me:secret@a:8443/@c", "https://a:8443"),
        ("http://a:", "http://a"),
        ("http://[::1]:80/", "http://[::1]"),
        ("http://[::80]/", "http://[::80]"),
        ("http:///a/b", "http://a"),
        (r"http://a\@b/", "http://a"),
        ("mailto:x", "mailto:x"),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert host_of(url) == host


def test_no_questions() -> None:
    assert Servers().ask([]) == []


def test_answers_give_further_questions() -> None:
    def more(answer: Answer) -> Iterator[Question]:
        number = int(answer.url.rpartition("/")[2])
        if number < 40:
            yield Question(f"http://a/{2 * number}")
            yield Question(f"http://a/{2 * number + 1}")

    answers = Servers(0.1).ask(["http://a/1"], answered=more)
    assert sorted(int(answer.url.rpartition("/")[2]) for answer in answers) == list(range(1, 80))


@pytest.mark.parametrize(("hosts", "in_all", "at_one"), [(1, 6, 6), (5, 30, 6), (40, 50, 6)])
def test_limits(hosts: int, in_all: int, at_one: int) -> None:
    """Both are reached, and neither is exceeded."""
    servers = Servers(0.1)
    assert len(servers.ask(f"http://h{number % hosts}/{number}" for number in range(1000))) == 1000
    assert servers.most[""] == in_all
    assert max(most for host, most in servers.most.items() if host) <= at_one
    assert servers.most["http://h0"] == at_one or hosts == 40


@pytest.mark.parametrize("takes", [0.0, 0.3])
@pytest.mark.parametrize("places", [1, 3, 50])
def test_the_interval_counts_from_request_to_request(takes: float, places: int) -> None:
    """However long a request has waited for a place among all."""
    servers = Servers(lambda url: takes if "h1" in url else 0.02)
    options = WebOptions(host_interval=0.05, max_concurrency=places)
    servers.ask((f"http://h{number % 4}/{number}" for number in range(120)), options)
    for times in servers.at.values():
        assert min(later - before for before, later in pairwise(times)) >= 0.05 - 1e-6


def test_a_host_is_asked_as_soon_as_the_interval_is_over() -> None:
    servers = Servers(0.01)
    servers.ask((f"http://a/{number}" for number in range(100)), WebOptions(host_interval=0.05))
    assert servers.at["http://a"][-1] == pytest.approx(99 * 0.05)


def test_a_slow_host_holds_up_no_other() -> None:
    servers = Servers(lambda url: 20.0 if "//slow" in url else 0.01)
    urls = [f"http://slow{number % 3}/{number}" for number in range(300)] + [f"http://h/{n}" for n in range(60)]
    answers = servers.ask(urls)
    assert len(answers) == 360
    assert servers.at["http://h"][-1] < 20  # before the first slow answer
    assert all(answer.url.startswith("http://h/") for answer in answers[:60])


def test_what_reporting_raises_ends_the_run() -> None:
    def report(answer: Answer) -> tuple[Question, ...]:
        raise LookupError(answer.url)

    servers = Servers(0.1)
    with pytest.raises(LookupError):
        servers.ask([f"http://h{number}/" for number in range(1000)], answered=report)
    assert servers.is_closed
    assert len(servers.asked) <= 100


def test_an_error_of_who_gives_questions_ends_the_run() -> None:
    def questions() -> Iterator[Question]:
        yield Question("http://a/")
        raise LookupError

    servers = Servers(0.1)
    with pytest.raises(LookupError):
        servers.ask(questions())
    assert servers.is_closed


@pytest.fixture
def _interrupts() -> Iterator[None]:
    """Whoever runs the tests may have Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts")
def test_ctrl_c_leaves_nothing_running() -> None:
    """What was answered was reported; what was under way has ended; connections are closed."""
    reported: list[str] = []

    def report(answer: Answer) -> tuple[Question, ...]:
        reported.append(answer.url)
        if len(reported) == 10:
            signal.raise_signal(signal.SIGINT)
        return ()

    servers = Servers(lambda url: 0.1 * int(url.rpartition("/")[2]))
    urls = [f"http://h{number}/{number}" for number in range(1, 200)]
    with pytest.raises(KeyboardInterrupt):
        servers.ask(urls, answered=report)
    assert reported == urls[:10]
    assert servers.is_closed
    assert servers.cancelled == 50  # all that were under way; so they have ended


def test_retry_after_holds_for_the_host() -> None:
    url, servers = "http://a/1", Servers(0.01)
    servers.give(url, refused(url, 429, 30.0), Answer(url, 200, final=url))
    answers = servers.ask([url, *(f"http://a/{number}" for number in range(2, 60)), "http://b/"])
    assert {answer.url: answer.attempts for answer in answers if answer.attempts > 1} == {url: 2}
    assert all(answer.status == 200 for answer in answers)
    times = servers.at["http://a"]
    assert len([time for time in times if time <= 0.01]) <= 12  # those under way when it asked to wait
    assert [time for time in times if 0.01 < time < 30] == []
    assert servers.at["http://b"] == [pytest.approx(0, abs=1e-6)]


@pytest.mark.parametrize("status", [429, 503])
def test_without_retry_after_it_is_our_choice(status: int) -> None:
    """Twice as long each time, with some chance; the host gets no other question meanwhile."""
    url, servers = "http://a/1", Servers(0.01)
    servers.give(url, refused(url, status))
    options = replace(QUICK, host_concurrency=1)
    (answer,) = (each for each in servers.ask([url, "http://a/2"], options) if each.url == url)
    assert (answer.status, answer.attempts) == (status, 3)
    first, second, third, _ = sorted(servers.at["http://a"])[:4]
    assert first == pytest.approx(0, abs=1e-6)
    assert second >= 1
    assert third >= second


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        (Answer("http://a/", 200), 1),
        (Answer("http://a/", 404), 1),
        (Answer("http://a/", 500), 1),
        (Answer("http://a/", 501), 1),
        (Answer("http://a/", 502), 3),
        (Answer("http://a/", 503), 3),
        (Answer("http://a/", 504), 3),
        (Answer("http://a/", 429), 3),
        (Answer("http://a/", failure="timeout"), 3),
        (Answer("http://a/", failure="no-connection"), 3),
        (Answer("http://a/", failure="unknown-host"), 1),
        (Answer("http://a/", failure="tls"), 1),
        (Answer("http://a/", failure="private-address"), 1),
        (Answer("http://a/", failure="bad-response"), 1),
        (Answer("http://a/", 200, "timeout"), 3),
        (Answer("http://a/", 404, "timeout"), 1),
        (Answer("http://a/", 503, "timeout"), 3),
    ],
)
def test_what_is_asked_again(answer: Answer, attempts: int) -> None:
    servers = Servers()
    servers.give("http://a/", replace(answer, final="http://a/"))
    assert [each.attempts for each in servers.ask(["http://a/"])] == [attempts]
    assert len(servers.asked) == attempts
    assert [each.attempts for each in servers.ask(["http://a/"], replace(QUICK, max_retries=0))] == [1]


def test_a_server_that_asks_to_wait_too_long_is_given_up() -> None:
    url, servers = "http://a/1", Servers(0.01)
    servers.give(url, refused(url, 503, 61.0))
    urls = [url, *(f"http://a/{number}" for number in range(2, 100)), "http://b/"]
    answers = {answer.url: answer for answer in servers.ask(urls)}
    assert (answers[url].status, answers[url].attempts, answers[url].retry_after) == (503, 1, 61.0)
    assert (answers["http://a/99"].status, answers["http://a/99"].attempts) == (503, 0)
    assert "not asked" in answers["http://a/99"].detail
    assert answers["http://b/"].status == 200
    assert len(answers) == 100
    assert len(servers.asked) < 20


@pytest.mark.parametrize(("wait", "most_asked"), [(50.0, 30), (None, 600)])
def test_a_server_that_has_to_be_waited_for_forever_is_given_up(wait: float | None, most_asked: int) -> None:
    servers = Servers(0.01)
    urls = [f"http://a/{number}" for number in range(1000)]
    for url in urls:
        servers.give(url, refused(url, 429, wait))
    answers = servers.ask(urls)
    assert {answer.status for answer in answers} == {429}
    assert len(answers) == 1000
    assert servers.at["http://a"][-1] < 200  # seconds
    assert len(servers.asked) < most_asked
    assert {answer.attempts for answer in answers} >= {0}


def test_a_silent_host_is_not_asked_again_and_again() -> None:
    servers = Servers(20.0)
    urls = [f"http://a/{number}" for number in range(60)]
    for url in urls:
        servers.give(url, Answer(url, failure="timeout", final=url))
    answers = servers.ask(urls)
    assert len(answers) == 60
    assert len(servers.asked) < 40
    assert {answer.attempts for answer in answers} >= {0, 1, 3}
    assert {answer.failure for answer in answers} == {"timeout"}
    assert "had no answer" in next(answer.detail for answer in answers if answer.attempts == 0)


def test_a_host_that_answers_something_is_asked_on() -> None:
    servers = Servers(0.1)
    urls = [f"http://a/{number}" for number in range(60)]
    for number, url in enumerate(urls):
        if number % 5:
            servers.give(url, Answer(url, failure="timeout", final=url))
    answers = servers.ask(urls, replace(QUICK, host_concurrency=1))
    assert set(servers.asked) == set(urls)
    assert sum(answer.status == 200 for answer in answers) == 12


def test_a_host_whose_bodies_come_too_slowly_is_not_silent() -> None:
    servers = Servers(0.1)
    urls = [f"http://a/{number}" for number in range(30)]
    for url in urls:
        servers.give(url, Answer(url, 200, failure="timeout", final=url))
    servers.ask(urls)
    assert set(servers.asked) == set(urls)


def test_waiting_to_ask_again_holds_up_nobody() -> None:
    servers = Servers(0.01)
    urls = [f"http://h{number}/" for number in range(100)]
    for url in urls[:60]:
        servers.give(url, refused(url, 429, 30.0), Answer(url, 200, final=url))
    servers.ask(urls)
    assert max(servers.at[host_of(url)][0] for url in urls) < 1
    assert min(servers.at[host_of(url)][1] for url in urls[:60]) >= 30


def test_reading_a_page_holds_up_no_other_host() -> None:
    """What an answer with a body leads to is found beside the asking, one after the other."""
    servers, at_once, most = Servers(), 0, 0
    page = "http://a/page"
    servers.give(page, Answer(page, 200, final=page, body=b"<p>"))

    def reading(answer: Answer) -> Iterator[Question]:
        nonlocal at_once, most
        at_once, most = at_once + 1, max(most, at_once + 1)
        if answer.url == page:
            wait_until(lambda: len(servers.asked) >= 41)
            found.append(len(servers.asked))
        at_once -= 1
        return iter((Question("http://c/more"),) if answer.url == page else ())

    found = list[int]()
    answers = servers.ask([page, *(f"http://b{number}/" for number in range(40))], answered=reading)
    assert found == [41]
    assert most == 1
    assert len(answers) == 42
    assert servers.left == set()


def test_what_reading_a_page_raises_ends_the_run() -> None:
    def reading(answer: Answer) -> Iterator[Question]:
        raise ValueError(threading.current_thread() is threading.main_thread())

    servers, page = Servers(), "http://a/page"
    servers.give(page, Answer(page, 200, final=page, body=b"<p>"))
    with pytest.raises(ValueError, match="False"):
        servers.ask([page, "http://b/"], answered=reading)
    assert servers.is_closed


def test_what_a_host_asked_for_holds_for_the_run() -> None:
    """However often servers are asked in it: a wait that is short, one that is long, and the interval."""
    servers, records = Servers(0.01), HostRecords()
    servers.give("http://short/1", refused("http://short/1", 429, 30.0), refused("http://short/1", 200))
    servers.give("http://long/1", refused("http://long/1", 429, 3600.0))
    options = WebOptions(max_retries=0, host_interval=0.0)
    servers.ask(["http://short/1", "http://long/1"], options, records=records)
    (short, long) = servers.ask(["http://long/2", "http://short/2"], options, records=records)[::-1]
    assert (short.status, short.attempts) == (200, 1)
    assert servers.at["http://short"][1] >= 30
    assert (long.status, long.attempts) == (429, 0)
    assert servers.asked == ["http://short/1", "http://long/1", "http://short/2"]
    assert servers.ask(["http://long/2"], options)[0].attempts == 1  # another run


def test_the_interval_holds_from_one_asking_to_the_next() -> None:
    servers, records = Servers(0.01), HostRecords()
    for number in range(3):
        servers.ask([f"http://a/{number}"], WebOptions(host_interval=5.0), records=records)
    assert [later - before for before, later in pairwise(servers.at["http://a"])] == pytest.approx([5.0, 5.0])


def test_silence_is_remembered_for_the_run() -> None:
    servers, records = Servers(), HostRecords()
    urls = [f"http://a/{number}" for number in range(4)]
    for url in urls:
        servers.give(url, Answer(url, failure="timeout", final=url))
    assert [servers.ask([url], records=records)[0].attempts for url in urls] == [3, 3, 3, 1]


@pytest.mark.parametrize("status", [429, 502, 503])
def test_without_stamina_nothing_is_asked_again(status: int) -> None:
    url, servers = "http://a/", Servers()
    servers.give(url, refused(url, status))
    stamina.set_active(False)
    try:
        (answer,) = servers.ask([url])
    finally:
        stamina.set_active(True)
    assert (answer.status, answer.attempts) == (status, 1)


def test_urls_of_a_host_without_an_address_wait_for_no_turn() -> None:
    servers, options = Servers(), replace(QUICK, host_interval=1.0, host_concurrency=2)
    urls = [f"http://dead/{number}" for number in range(400)]
    for url in urls:
        servers.give(url, Answer(url, failure="unknown-host", detail="why", final=url))
    found = servers.ask([*urls, "http://alive/"], options)
    assert servers.now < 5
    assert len(servers.asked) < 5
    assert sorted((each.url, each.final, each.failure) for each in found if each.failure) == sorted(
        (url, url, "unknown-host") for url in urls
    )
    assert {each.detail for each in found if each.failure} == {"why"}


def test_whether_a_host_has_an_address_is_looked_up_again_after_a_while() -> None:
    servers, records = Servers(), HostRecords()
    servers.give("http://a/1", Answer("http://a/1", failure="unknown-host", final="http://a/1"))
    servers.ask(["http://a/1"], records=records)
    assert [each.failure for each in servers.ask(["http://a/2"], records=records)] == ["unknown-host"]
    servers.now += 61
    assert [each.status for each in servers.ask(["http://a/3"], records=records)] == [200]

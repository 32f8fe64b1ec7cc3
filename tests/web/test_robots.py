"""robots.txt (RFC 9309), where it is to be followed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

pytest.importorskip("aiohttp")

from rehref.web._robots import MOST_DELAY
from rehref.web.answers import Answer, Failure, Question
from rehref.web.asking import ask
from rehref.web.servers import HostRecords
from web.servers import Sent, pages, serving
from web.stub import QUICK, Servers

POLITE = replace(QUICK, robots=True)


def robots_txt(text: str, host: str = "http://a") -> Answer:
    url = f"{host}/robots.txt"
    return Answer(url, 200, final=url, body=text.encode())


def allowed(text: str, path: str, user_agent: str = "") -> bool:
    """Whether a path is asked for."""
    servers = Servers()
    servers.give("http://a/robots.txt", robots_txt(text))
    (answer,) = servers.ask([f"http://a{path}"], replace(POLITE, user_agent=user_agent))
    was_asked = servers.asked == ["http://a/robots.txt", f"http://a{path}"]
    assert was_asked or servers.asked == ["http://a/robots.txt"]
    assert was_asked == (answer.failure is None) == (answer.status == 200)
    assert answer.failure in (None, "robots")
    assert answer.url == f"http://a{path}"
    return was_asked


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("", "/x", True),
        ("User-agent: *\nDisallow: /", "/x", False),
        ("User-agent: *\nDisallow:", "/x", True),
        ("User-agent: other\nDisallow: /", "/x", True),
        ("User-agent: rehref\nDisallow: /x", "/x/y", False),
        ("user-agent: REHREF\ndisallow: /x", "/x/y", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: rehref\nDisallow: /y", "/x", True),
        ("User-agent: *\nDisallow: /x", "/X", True),
        # the longest match counts, whatever comes first (section 2.2.2)
        ("User-agent: *\nDisallow: /x\nAllow: /x/public", "/x/public/1", True),
        ("User-agent: *\nAllow: /x\nDisallow: /x/private", "/x/private/1", False),
        ("User-agent: *\nAllow: /x\nDisallow: /x", "/x", True),
        # special characters (section 2.2.3)
        ("User-agent: *\nDisallow: /*.gif$", "/a/b.gif", False),
        ("User-agent: *\nDisallow: /*.gif$", "/a/b.gif?q", True),
        ("User-agent: *\nDisallow: *.gif", "/a/b.gif?q", False),
        ("User-agent: *\nDisallow: /a%62", "/ab", False),
        # several groups for one robot are one (section 2.2.1)
        ("User-agent: rehref\nDisallow: /x\n\nUser-agent: rehref\nDisallow: /y", "/x", False),
        ("User-agent: other\nUser-agent: rehref\nDisallow: /x", "/x", False),
    ],
)
def test_what_it_says(text: str, path: str, expected: bool) -> None:
    assert allowed(text, path) == expected


def test_it_may_name_whom_we_say_we_are() -> None:
    text = "User-agent: linkbot\nDisallow: /"
    assert not allowed(text, "/x", "Mozilla/5.0 (compatible; linkbot/1.0)")
    assert allowed(text, "/x")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_where_there_is_none_everything_may_be_asked(status: int) -> None:
    servers = Servers()
    servers.give("http://a/robots.txt", Answer("http://a/robots.txt", status, final="http://a/robots.txt"))
    assert [answer.status for answer in servers.ask(["http://a/x"], POLITE)] == [200]


@pytest.mark.parametrize("failure", ["redirect-loop", "too-many-redirects", "bad-redirect"])
def test_where_it_leads_nowhere_everything_may_be_asked(failure: Failure) -> None:
    servers = Servers()
    servers.give("http://a/robots.txt", Answer("http://a/robots.txt", failure=failure))
    assert [answer.status for answer in servers.ask(["http://a/x"], POLITE)] == [200]


@pytest.mark.parametrize(
    "given",
    [
        Answer("http://a/robots.txt", 500, final="http://a/robots.txt"),
        Answer("http://a/robots.txt", 503, final="http://a/robots.txt"),
        Answer("http://a/robots.txt", failure="timeout"),
        Answer("http://a/robots.txt", failure="bad-response"),
    ],
)
def test_where_it_cannot_be_read_nothing_may_be_asked(given: Answer) -> None:
    servers = Servers()
    servers.give("http://a/robots.txt", given)
    (answer,) = servers.ask(["http://a/x"], POLITE)
    assert (answer.url, answer.failure) == ("http://a/x", "robots")
    assert "could not be read" in answer.detail
    assert "http://a/x" not in servers.asked


@pytest.mark.parametrize("failure", ["unknown-host", "no-connection", "tls", "private-address"])
def test_a_host_that_cannot_be_reached_is_what_is_reported(failure: Failure) -> None:
    servers = Servers()
    servers.give("http://a/robots.txt", Answer("http://a/robots.txt", failure=failure, detail="why"))
    (answer,) = servers.ask(["http://a/x"], POLITE)
    assert (answer.url, answer.failure, answer.detail) == ("http://a/x", failure, "why")


def test_it_is_fetched_once_for_each_host() -> None:
    servers = Servers(0.1)
    urls = [f"http://{host}/{number}" for number in range(50) for host in "ab"]
    assert len(servers.ask(urls, POLITE)) == 100
    assert [url for url in servers.asked if "robots" in url] == ["http://a/robots.txt", "http://b/robots.txt"]
    assert max(most for host, most in servers.most.items() if host) <= POLITE.host_concurrency


def test_it_is_not_asked_for_unless_it_is_to_be_followed() -> None:
    servers = Servers()
    servers.ask(["http://a/x"])
    assert servers.asked == ["http://a/x"]


@pytest.mark.parametrize(("asked", "given"), [(2, 2.0), (0.001, 0.05), (3600, MOST_DELAY), (-1, 0.05)])
def test_the_crawl_delay_is_an_interval(asked: float, given: float) -> None:
    servers = Servers()
    servers.give("http://a/robots.txt", robots_txt(f"User-agent: *\nCrawl-delay: {asked}"))
    servers.ask([f"http://a/{number}" for number in range(5)], replace(POLITE, host_interval=0.05))
    gaps = [later - before for before, later in pairwise(servers.at["http://a"])]
    assert gaps[1:] == pytest.approx([given] * 4, rel=1e-3)


def test_redirections_are_checked_too() -> None:
    class Redirecting(Servers):
        async def once(self, question, gate):  # type: ignore[no-untyped-def]
            answer = await super().once(question, gate)
            if question.url != "http://a/x":
                return answer
            return replace(await super().once(replace(question, url="http://b/x"), gate), url=question.url)

    servers = Redirecting()
    servers.give("http://b/robots.txt", robots_txt("User-agent: *\nDisallow: /x", "http://b"))
    (answer,) = servers.ask(["http://a/x"], POLITE)
    assert (answer.url, answer.final, answer.failure) == ("http://a/x", "http://b/x", "robots")
    assert "http://b/x" not in servers.asked


def test_of_a_large_one_the_beginning_counts() -> None:
    line = b"Disallow: /y/and/more\n"
    begin = b"User-agent: *\nDisallow: /x\n" + line * 20_000
    robots = begin.ljust(500 * 1024 - 12, b"#") + b"\nDisallow: /zz\n" + line * 500_000
    assert robots[: 500 * 1024].endswith(b"\nDisallow: /")

    found: dict[str, Answer] = {}

    def answered(answer: Answer) -> tuple[Question, ...]:
        found[answer.url.rpartition("/")[2]] = answer
        return ()

    with serving(pages(a="", x="", z="", **{"robots.txt": Sent(body=robots)})) as server:
        ask([Question(server.url + name) for name in "axz"], replace(POLITE, allows_private=True), answered)
    assert len(robots) > 10 * 1024 * 1024
    assert {name: (answer.status, answer.failure) for name, answer in found.items()} == {
        "a": (200, None),
        "x": (None, "robots"),
        "z": (200, None),
    }


def test_it_is_fetched_once_in_a_run() -> None:
    servers, records = Servers(), HostRecords()
    servers.give("http://a/robots.txt", robots_txt("User-agent: *\nDisallow: /x\nCrawl-delay: 2"))
    assert servers.ask(["http://a/x"], POLITE, records=records)[0].failure == "robots"
    assert servers.ask(["http://a/x"], POLITE, records=records)[0].failure == "robots"
    servers.ask([f"http://a/{number}" for number in range(3)], records=records)  # does not have to be followed now
    assert servers.asked.count("http://a/robots.txt") == 1
    assert [later - before for before, later in pairwise(servers.at["http://a"])] == pytest.approx([2.0] * 3, rel=1e-3)


def test_nothing_is_waited_for_where_nothing_is_sent() -> None:
    """The questions to a host that cannot be reached are answered as soon as that is known."""
    servers = Servers()
    url = "http://a/robots.txt"
    servers.give(url, Answer(url, failure="no-connection", final=url))
    answers = servers.ask([f"http://a/{number}" for number in range(20)], POLITE)
    assert {answer.failure for answer in answers} == {"no-connection"}
    assert {answer.attempts for answer in answers} == {1}
    assert servers.now == pytest.approx(servers.at["http://a"][-1], abs=0.01)

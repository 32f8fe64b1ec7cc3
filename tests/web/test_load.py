"""Many questions to many hosts on loopback: a server counts whether the limits are kept."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections import Counter

import pytest

pytest.importorskip("aiohttp")

from rehref.exceptions import OptionError
from rehref.web.answers import Answer, Question
from rehref.web.asking import ask
from rehref.web.asking_options import WebOptions
from web.load_server import counting


def answers_to(urls: list[str], options: WebOptions) -> list[Answer]:
    found: list[Answer] = []

    def report(answer: Answer) -> tuple[Question, ...]:
        found.append(answer)
        return ()

    ask(map(Question, urls), options, report)
    return found


def test_limits_are_kept() -> None:
    """All are answered, each URL is asked once, and no limit is exceeded (that they are reached, `test_pace` shows)."""
    with counting(0.01) as server:
        urls = [server.url(number % 20, number) for number in range(2000)]
        random.Random(20).shuffle(urls)
        options = WebOptions(host_interval=0.0, max_concurrency=30, host_concurrency=2, allows_private=True)
        answers = answers_to(urls, options)
    assert Counter(answer.status for answer in answers) == {200: 2000}
    assert sorted(answer.url for answer in answers) == sorted(urls)
    counted = server.report
    assert (counted["requests"], counted["urls"], counted["hosts"]) == (2000, 2000, 20)
    assert 1 < counted["most"] <= 30
    assert 1 <= counted["most at a host"] <= 2


def test_hosts_that_ask_to_wait_are_left_alone() -> None:
    with counting(0.0) as server:
        urls = [server.url(number % 5, f"429/1/{number}") for number in range(5)]
        answers = answers_to(urls, WebOptions(host_concurrency=1, allows_private=True))
    assert {(answer.status, answer.attempts) for answer in answers} == {(200, 2)}
    assert server.report["requests"] == 10


def test_connections_are_used_again() -> None:
    with counting(0.0) as server:
        urls = [server.url(number % 4, number) for number in range(200)]
        answers_to(urls, WebOptions(host_interval=0.0, host_concurrency=2, allows_private=True))
    assert server.report["connections"] <= 8


@pytest.mark.parametrize("package", ["aiohttp", "stamina", "protego"])
def test_what_is_not_installed_is_said_in_one_line(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(OptionError) as error:
        ask([], WebOptions(), lambda _: ())
    assert str(error.value) == f"--external: needs the package {package}; install it: pip install 'rehref[web]'"


def test_a_thread_with_an_event_loop_is_refused() -> None:
    """As that of a notebook; another thread will do."""

    async def in_a_notebook() -> None:
        with pytest.raises(RuntimeError, match=r"asyncio\.to_thread"):
            ask([], WebOptions(), lambda _: ())
        await asyncio.to_thread(ask, [], WebOptions(), lambda _: ())

    asyncio.run(in_a_notebook())


def test_asking_can_be_imported_without_the_extra() -> None:
    program = "import sys; sys.modules.update(aiohttp=None, uvloop=None, stamina=None, protego=None)\n"
    subprocess.run([sys.executable, "-c", program + "import rehref.web.asking"], check=True)

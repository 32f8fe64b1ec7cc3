"""Each way in which servers misbehave has its answer, `rehref check --external` reports it, and the docs say so."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from patience import PATIENCE
from rehref.cli.program import program
from rehref.web.answers import Answer, Question
from rehref.web.asking import ask
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords
from web.misbehaving import Server, misbehaving
from web.stub import connected
from web.verdict_table import PAGE, REPORTED, written
from web.ways import BEHAVIOUR, MOST_SIZE, WAYS, Way, url_of

IN_VAIN = 0.5
"""Seconds for servers that say nothing, or too little."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with misbehaving(tmp_path_factory.mktemp("certificates"), BEHAVIOUR) as running:
        yield running


@pytest.fixture(scope="module")
def answers(server: Server) -> dict[str, Answer]:
    """The answer to each way: all are asked at once, and only those that say nothing are waited for in vain."""

    async def some(ways: list[Way], timeout: float) -> dict[str, Answer]:
        options = WebOptions(allows_private=True, ca_file=server.ca_file, timeout=timeout, max_size=MOST_SIZE)
        questions = [Question(url_of(way, server), needs_body=way.with_body) for way in ways]
        async with connected(options) as ask:
            found = await asyncio.gather(*map(ask, questions))
        return {way.name: each for way, each in zip(ways, found, strict=True)}

    async def run() -> dict[str, Answer]:
        return await some([way for way in WAYS if not way.is_silent], 60.0) | await some(
            [way for way in WAYS if way.is_silent], IN_VAIN
        )

    return asyncio.run(run())


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_answer(way: Way, answers: dict[str, Answer], server: Server) -> None:
    found = answers[way.name]
    assert (found.status, found.failure) == (way.status, way.failure), found.detail
    assert found.url == url_of(way, server)
    assert (found.detail == "") == (way.failure is None)
    assert (found.body is not None) == (way.with_body and way.failure is None and way.name != "image")
    if way.failure is None:
        assert len(found.hops) == way.hops
    if way.retry_after is None:
        assert found.retry_after is None
    else:
        assert found.retry_after is not None
        assert way.retry_after - 600 < found.retry_after <= way.retry_after


@pytest.mark.parametrize("way", [way for way in WAYS if way.asked is not None], ids=lambda way: way.name)
def test_how_it_is_asked(way: Way, answers: dict[str, Answer], server: Server) -> None:
    assert answers[way.name].url
    asked = server.asked(way.path or way.name)
    # others redirect to what is there
    assert tuple(dict.fromkeys(asked)) == way.asked


def test_cookies_are_kept_for_the_run(server: Server) -> None:
    """However often servers are asked in it."""
    options = WebOptions(allows_private=True)

    def hops(records: HostRecords) -> int:
        found: list[Answer] = []
        ask([Question(server.url("needs-cookie"))], options, lambda answer: found.append(answer) or (), records)
        return len(found[0].hops)

    run = HostRecords()
    assert [hops(run), hops(run), hops(HostRecords())] == [1, 0, 1]


# what is reported, and that the docs say so


def reference_to(way: Way, server: Server) -> str:
    return url_of(way, server) + ("#here" if way.with_body else "")


@pytest.fixture(scope="module")
def reported(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The codes that are reported of the reference to each way, by that; of others than those of servers, too."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    folder = tmp_path_factory.mktemp("site")
    silent = [way for way in WAYS if way.is_silent]
    # a host that asks to wait is not asked for other URLs in that run
    alone = [way for way in WAYS if way.status == 429 or way.retry_after is not None]
    others = [way for way in WAYS if way not in (*silent, *alone)]
    monkeypatch = pytest.MonkeyPatch()

    def ask_for_less(questions: Any, options: WebOptions, *others: Any) -> None:
        ask(questions, replace(options, max_size=MOST_SIZE), *others)

    monkeypatch.setattr("rehref.web.asking.ask", ask_for_less)
    for ways, timeout in ((silent, IN_VAIN), (others, PATIENCE), *(([way], PATIENCE) for way in alone)):
        for problem in problems(folder, ways, server, timeout):
            found[problem["reference"]].append(problem["code"])
    monkeypatch.undo()
    return found


def problems(folder: Path, ways: Sequence[Way], server: Server, timeout: float) -> list[dict[str, str]]:
    """What is found on a page with a link to each way."""
    links = "".join(f'<a href="{reference_to(way, server)}">{way.name}</a>\n' for way in ways)
    (folder / "index.html").write_text(f"<meta charset=utf-8>{links}", "utf-8")
    options = (
        *("--external", "--allow-private", "--no-cache", "--max-retries", "0", "--host-request-interval", "0"),
        *("--host-concurrency", "50", "--timeout", str(timeout), "--ca-file", server.ca_file),
        *("--format", "json", "--show-secrets"),
    )
    result = CliRunner().invoke(program, ["check", str(folder), *options])
    assert result.exit_code in (0, 1), result.output
    report = json.loads(result.stdout)
    assert report["summary"]["asked"] == len({url_of(way, server) for way in ways})
    assert report["summary"]["checked"] == report["summary"]["links"] == len(ways)
    found: list[dict[str, str]] = report["problems"]
    return found


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_what_is_reported(way: Way, server: Server, reported: dict[str, list[str]]) -> None:
    codes = reported.get(reference_to(way, server), [])
    of_servers = [code for code in codes if code.startswith("web-") or code == "missing-fragment"]
    assert of_servers == ([REPORTED[way.name]] if REPORTED[way.name] else [])


def test_every_way_has_a_verdict_and_every_verdict_a_way() -> None:
    assert REPORTED.keys() == {way.name for way in WAYS}
    assert len(WAYS) >= 25


def test_the_docs_have_the_table() -> None:
    page = PAGE.read_text("utf-8")
    assert "| what the server does | what is reported |" in page
    assert written(page) == page, "python tests/web/verdict_table.py writes it"

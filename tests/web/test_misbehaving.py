"""Each way in which servers misbehave has the answer that it should have."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from rehref.web.asking import ask
from rehref.web.connections import open_client
from rehref.web.following import answer
from rehref.web.hosts import HostRecords
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions
from web.misbehaving import Server, misbehaving
from web.servers import anyhow
from web.ways import BEHAVIOUR, MOST_SIZE, WAYS, Way, url_of


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
        async with open_client(options) as client:
            found = await asyncio.gather(*(answer(each, client, anyhow) for each in questions))
        return {way.name: each for way, each in zip(ways, found, strict=True)}

    async def run() -> dict[str, Answer]:
        return await some([way for way in WAYS if not way.is_silent], 60.0) | await some(
            [way for way in WAYS if way.is_silent], 1.0
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

"""What the whole `rehref check --external` reports of each way in which servers misbehave, and that the docs say so."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from patience import PATIENCE
from rehref.checking import given
from rehref.checking.external.web_options import web_options
from rehref.cli.program import program
from web.misbehaving import Server, misbehaving
from web.verdict_table import PAGE, REPORTED, written
from web.ways import BEHAVIOUR, MOST_SIZE, WAYS, Way, url_of


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with misbehaving(tmp_path_factory.mktemp("certificates"), BEHAVIOUR) as running:
        yield running


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
    monkeypatch.setattr(given, "web_options", lambda named: replace(web_options(named), max_size=MOST_SIZE))
    for ways, timeout in ((silent, 1), (others, PATIENCE), *(([way], PATIENCE) for way in alone)):
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
        *(
            "--host-concurrency",
            "50",
            "--timeout",
            str(timeout),
            "--ca-file",
            server.ca_file,
            "--format",
            "json",
            "--show-secrets",
        ),
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

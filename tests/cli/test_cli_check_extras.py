"""`rehref check`: what it finds beside links: circles of refreshes, sitemaps, text fragments."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    folder.mkdir()
    return folder


def told(result: Result) -> list[tuple[str, int | None, str]]:
    problems: list[dict[str, Any]] = json.loads(result.stdout)["problems"]
    return [(one["document"], one["line"], one["code"]) for one in problems]


def test_circles_of_refreshes_are_always_found(run: Run, folder: Path) -> None:
    (folder / "a.html").write_text(
        "<p>\n<a href=gone.html></a>\n<meta http-equiv=refresh content='0; b.html'>\n<a href=no>"
    )
    (folder / "b.html").write_text("<meta http-equiv=refresh content='9; a.html'>")
    (folder / "c.html").write_text("<meta http-equiv=refresh content=0> <!-- rehref-ignore -->")
    result = run("check", "--format", "json", folder)
    assert result.exit_code == 1
    assert told(result) == [
        ("a.html", 2, "missing-file"),
        ("a.html", 3, "refresh-loop"),
        ("a.html", 4, "missing-file"),
        ("b.html", 1, "refresh-loop"),
    ]
    assert json.loads(result.stdout)["summary"]["broken"] == 4


def test_sitemaps_are_compared_if_asked_for(run: Run, folder: Path) -> None:
    (folder / "index.html").write_text("<a href=.>")
    (folder / "a.html").write_text("")
    (folder / "sitemap.xml").write_text(
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<url><loc>https://example.org/</loc></url>\n"
        "<url><loc>https://example.org/b.html</loc></url>\n</urlset>"
    )
    plain = ["check", "--format", "json", "--site-url", "https://example.org/", folder]
    assert told(run(*plain)) == [("sitemap.xml", 3, "missing-file")]
    result = run(*plain, "--sitemap")
    assert result.exit_code == 1
    assert told(result) == [("a.html", None, "not-in-sitemap"), ("sitemap.xml", 3, "missing-from-site")]
    summary = json.loads(result.stdout)["summary"]
    assert (summary["broken"], summary["warnings"]) == (1, 1)
    assert told(run("check", "--format", "json", folder, "--sitemap")) == [("sitemap.xml", None, "no-site-url")]
    assert "a.html" not in run(*plain, "--sitemap", "--exclude-path", "a.*").stdout


def test_text_fragments_are_checked_if_asked_for(run: Run, folder: Path) -> None:
    (folder / "a.html").write_text("<a href='b.html#:~:text=good%20day'>\n<a href='b.html#:~:text=good%20night'>")
    (folder / "b.html").write_text("<p>Good <b>day</b>!")
    assert run("check", folder).exit_code == 0
    result = run("check", "--text-fragments", "--format", "json", folder)
    assert result.exit_code == 1
    assert told(result) == [("a.html", 2, "text-fragment")]


def test_notes_in_reports(run: Run, folder: Path) -> None:
    (folder / "a.html").write_text('<meta charset=utf-8><a href="é.html">', encoding="utf-8")
    (folder / "é.html").write_bytes(b"")
    assert "no errors in" in run("check", folder).stdout
    for name, says in (
        ("text", "info non-ascii"),
        ("sarif", '"level": "note"'),
        ("github", "::notice "),
        ("html", 'class="card info"'),
        ("markdown", "| info |"),
        ("json", '"severity": "info"'),
    ):
        result = run("check", "--strict-uris", "--format", name, folder)
        assert result.exit_code == 0
        assert says in result.stdout, name

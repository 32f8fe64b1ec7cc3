"""`scripts/bench roads`: it measures right results only, of pages that all can read, and judges what it measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import modules
import rehref

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
PAGE = b'<body><a href="x.html">x</a> <a href="https://www.example.com/a/b.html">b</a></body>\n'
URL = "https://www.example.com/a/page.html"


@pytest.fixture
def roads(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return modules.module_at(BENCHMARKS / "roads.py", "roads")


def road(roads: ModuleType, name: str) -> Any:
    return next(each for each in roads.ROADS if each.name == name)


def documents(roads: ModuleType, name: str, page: bytes = PAGE) -> dict[str, bytes | str]:
    return {URL: road(roads, name).prepared(roads.Page(URL, page))}


def test_every_road_passes_its_check(roads: ModuleType) -> None:
    assert [text for each in roads.ROADS for text in roads.complaints(each, documents(roads, each.name, PAGE))] == []


def test_a_str_has_a_character_outside_ascii_in_its_text(roads: ModuleType) -> None:
    assert roads.with_dash(roads.Page(URL, PAGE)) == PAGE.decode().replace("</body>", "—</body>")
    assert roads.with_dash(roads.Page(URL, b"<p>x\xff")) == "<p>x\ufffd—"


def test_relative_gets_absolute_references_too(roads: ModuleType) -> None:
    found = documents(roads, "relative-of-absolute")
    assert [link.reference for link in rehref.links(found[URL])] == [f"{URL[:-9]}x.html", f"{URL[:-9]}b.html"]


@pytest.mark.parametrize(
    ("name", "call", "complaint"),
    [
        ("nothing", lambda document, **_: document + b" ", "it changes"),
        ("absolute", lambda document, **_: document, "it finds nothing to do"),
        ("links", lambda *_, **__: [], "it finds nothing to do"),
        ("absolute-str", lambda document, **_: document * (1 + isinstance(document, str)), "not give the same"),
    ],
)
def test_a_wrong_result_ends_it(roads: ModuleType, name: str, call: Any, complaint: str) -> None:
    wrong = roads.Road(name, call, {}, road(roads, name).prepared)
    assert [complaint in text for text in roads.complaints(wrong, documents(roads, name))] == [True]


def test_a_sample_has_no_page_twice_and_ends_at_its_size(roads: ModuleType, tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number} .html").write_bytes(b"%d" % (number // 2) * 1000)
    (tmp_path / "other.txt").write_bytes(b"x")
    (tmp_path / "large.html").write_bytes(b"x" * 200_001)
    pages = roads.sampled(tmp_path, 1.0)
    assert sorted(page.data[:1] for page in pages) == [b"%d" % number for number in range(10)]
    assert all(page.url.startswith("https://www.example.com/") and "%20.html" in page.url for page in pages)
    assert roads.sampled(tmp_path, 0.0055) == pages[:6]


def test_what_a_peer_cannot_read_is_left_out(roads: ModuleType) -> None:
    def run(data: bytes, _url: str) -> bytes:
        if b"[" in data:
            raise ValueError(data)
        return data

    peer = roads.Candidate("peer", "1", "rewrite", run)
    assert roads.readable(roads.Page(URL, PAGE), [peer])
    assert not roads.readable(roads.Page(URL, b'<a href="http://[">'), [peer])


def test_a_row_compares_within_each_round(roads: ModuleType) -> None:
    figures = {"absolute": [1.0, 2.0, 4.0], roads.LOLHTML: [3.0, 8.0, 16.0], roads.LXML: [9.0, 18.0, 36.0]}
    for kind, wanted in ((0, [(4.0, True), (12.0, False)]), (1, [(4.0, True), (12.0, False)])):
        rows = roads.rows([road(roads, "absolute")], figures, 6.0, kind)
        assert [(row.megabytes_per_second, row.ratio) for row in rows] == [(3.0, 4.0), (3.0, 9.0)]
        assert [(row.target, row.met) for row in rows] == wanted


def test_the_whole_run(
    roads: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(found: Any, pages: Any, rounds: int) -> dict[str, list[float]]:
        assert all(each.run(page.data, page.url) for each in found for page in pages)
        return {each.name: [1.0] * rounds for each in found}

    peers = [
        roads.Candidate(name, "1", "rewrite", lambda data, _url: data) for name in (roads.LOLHTML, roads.ITERLINKS)
    ]
    monkeypatch.setattr(roads, "candidates", lambda: (peers, []))
    monkeypatch.setattr(roads, "measure", measure)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/page.html").write_bytes(PAGE)
    out = tmp_path / "out.json"
    arguments = ["--rounds", "1", "--corpus", str(tmp_path / "pages"), "--json", str(out), "--roads"]
    monkeypatch.setattr(sys, "argv", ["roads.py", *arguments, "nothing", "links"])
    assert roads.main() == 0
    assert [row["road"] for row in json.loads(out.read_bytes())["corpora"]["pages"]] == ["nothing", "links"]
    assert "pages: 1 pages" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["roads.py", *arguments, "links", "--strict"])
    assert roads.main() == (roads.TWIN is not None)  # as fast as the peer, not four times
    monkeypatch.setattr(roads, "TWIN", None)
    assert roads.main() == 0

"""`scripts/comparison`: the table is made of what the benchmarks report, and nothing but the table is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import modules

ROOT = Path(__file__).resolve().parents[1]
comparison = modules.module_at(ROOT / "scripts/comparison.py", "comparison")

CHECKERS = """
| site | broken | rehref | lychee | lychee, HTTP | linkchecker | linkinator |
| --- | --- | --- | --- | --- | --- | --- |
| a | 3 | 3 / 0 / 0 | 1 / 2 / 9 | 1 / 2 / 9 | 2 / 1 / 0 | 0 / 3 / 4 |
| **all** | **30** | **28 / 2 / 1** | **11 / 19 / 9** | **10 / 20 / 9** | **24 / 6 / 7** | **29 / 1 / 4** |
"""


def candidate(name: str, speed: float, ratio: float) -> dict[str, object]:
    return {"name": name, "megabytes_per_second": speed, "ratio": ratio}


def corpus(speed: float) -> dict[str, object]:
    return {
        "candidates": [
            candidate("rehref.rewrite", speed, 1.0),
            candidate("rehref.links", 96.4, 1.0),
            candidate("lxml make_links_absolute", 4.9, 47.6),
            candidate("lolhtml + urljoin", 21.0, 11.2),
            candidate("lexbor, parsing only", 60.0, 3.0),
            candidate("lxml iterlinks", 8.8, 9.94),
        ]
    }


def figures() -> object:
    row = {"name": "rehref.Resolver", "nanoseconds": 310.4, "ratio": 1.0}
    return comparison.Figures(
        check=[
            {"candidate": "rehref", "cpu": 1.04, "memory": 76_000_000, "cpu_ratio": 1.0},
            {"candidate": "lychee", "cpu": 11.6, "memory": 190_000_000, "cpu_ratio": 11.2},
        ],
        rewrite={"corpora": {"python3.11-doc": corpus(234.0), "modern": corpus(171.0)}},
        resolve={
            "workloads": {
                "8 mixed references, one base": [row],
                "100 unique references, one base": [row, {"name": "urllib urljoin", "nanoseconds": 1, "ratio": 0.08}],
            }
        },
        checkers=CHECKERS,
    )


def test_the_table_is_made_of_what_was_measured():
    assert comparison.table(figures()).splitlines()[2:] == [
        "| broken links found, of 30; false reports | 28, 1 "
        "| lychee 11, 9; LinkChecker 24, 7; linkinator 29, 4 | `scripts/checkers` |",
        "| check 530 pages, with fragments | 1.0 s, 76 MB | lychee 11 ×, 2.5 × the memory | `scripts/bench check` |",
        "| make links absolute: 120 manual pages | 230 MB/s | "
        "lol-html *with a Python handler* 11 ×, lxml 48 × | `scripts/bench rewrite` |",
        "| the same: 60 modern pages | 170 MB/s | "
        "lol-html *with a Python handler* 11 ×, lxml 48 × | `scripts/bench rewrite` |",
        "| list links: 120 manual pages | 96 MB/s | lxml 9.9 × | `scripts/bench rewrite` |",
        "| resolve a reference | 310 ns | `urljoin` 12 × | `scripts/bench resolve` |",
    ]


def test_only_what_is_between_the_markers_is_written():
    page = f"before\n{comparison.BEGIN}old\n{comparison.END}\nafter\n"
    assert comparison.written(page, "new\n") == f"before\n{comparison.BEGIN}new\n{comparison.END}\nafter\n"


def test_a_page_without_the_markers_is_not_written():
    with pytest.raises(ValueError):
        comparison.written("a page", "new\n")

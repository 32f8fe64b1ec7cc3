"""The `source` core against html5lib's suites for HTML parsers: the attributes it finds are those of the right tree.

Each case is read as a str, as UTF-8 and as UTF-16. Cases that are known to fail are listed, with the reason, in
`source_expected_failures.txt` beside this file; one that is listed and does not fail is an error too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from suites import Result, listed
from suites.html5lib import LIST, tokenizer, tree_construction


@pytest.mark.parametrize(
    ("suite", "run", "least"),
    [
        ("tree-construction/", tree_construction, 1200),
        pytest.param("tokenizer/", tokenizer, 7000, marks=pytest.mark.slow),
    ],
)
def test_what_fails_is_what_is_listed(
    suite: str, run: Callable[[Path], Result], least: int, suites: Path, record_property: Callable[[str, str], None]
) -> None:
    result = run(suites)
    record_property("passed", f"{result.cases - len(result.failed)} of {result.cases}")
    expected = listed(LIST, suite).keys()
    assert result.cases > least
    assert sorted(result.failed - expected) == [], "these fail"
    assert sorted(expected - result.failed) == [], "these are listed, but do not fail (any more)"


def test_every_listed_case_is_of_one_of_the_suites() -> None:
    assert len(listed(LIST)) == len(listed(LIST, "tree-construction/")) + len(listed(LIST, "tokenizer/"))


@pytest.mark.parametrize("text", ["a/1\n", "a/1\t\n", "a/1\tb\na/1\tc\n"], ids=["no field", "no reason", "twice"])
def test_a_list_is_read_only_if_every_case_has_one_reason(text: str, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"list\.txt: a case without a reason, or one that is listed twice"):
        listed(path)

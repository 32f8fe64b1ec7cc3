"""The cores find the same links; where they do not, it is listed and explained.

- `core_differences.txt`, beside this file, lists the cases in which a core gives other links than `source`: the core,
  the case, and the reasons, which are explained at the top of the list. What is not listed and differs is an error;
  so is what is listed and does not differ (any more).
- That links are only `moved` or `copied` is not just said: it is looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

import rehref
from suites import listed
from suites.parity import CORES, LIST, Difference, Rows, differences, documents, fixtures

FIXTURES = "fixtures/"


def reasons(of_fixtures: bool) -> dict[str, str]:
    """The listed cases, and why each differs: those that are fixtures, or those of the suite."""
    return {
        case: why for case, why in listed(LIST).items() if case.partition("\t")[2].startswith(FIXTURES) is of_fixtures
    }


def check(read: Iterable[tuple[str, list[Rows]]], expected: Mapping[str, str]) -> None:
    found = differences(read)
    assert sorted(found.keys() - expected.keys()) == [], "these differ"
    assert sorted(expected.keys() - found.keys()) == [], "these are listed, but do not differ (any more)"
    of_that_kind = {each.value for each in Difference if each is not Difference.OTHER}
    kinds = {case: kind.value for case, kind in found.items() if kind is not Difference.OTHER}
    assert {case: why for case, why in expected.items() if why in of_that_kind} == kinds


def test_every_fixture() -> None:
    read = list(fixtures())
    assert len(read) > 100
    assert sum(len(rows[0]) > 5 for _, rows in read) > 50
    check(read, reasons(of_fixtures=True))


def test_every_document_of_tree_construction(suites: Path) -> None:
    read = list(documents(suites))
    assert len(read) > 1200
    assert sum(len(rows[0]) > 0 for _, rows in read) > 900
    check(read, reasons(of_fixtures=False))


def test_every_reason_is_explained_once_and_used() -> None:
    text = LIST.read_text(encoding="utf-8")
    explained = re.findall(r"^#   ([\w-]+): \S", text, re.MULTILINE)
    used = {reason for why in listed(LIST).values() for reason in why.split(", ")}
    assert sorted(explained) == sorted(used)


def test_the_list_names_the_cores_that_are_compared() -> None:
    assert {case.partition("\t")[0] for case in listed(LIST)} == set(CORES)


# What the reasons say, in one small document each: the links of `source`, and of the core that differs.
EXAMPLES = [
    ("lxml", "frameset", "<frame src=1><p>x<iframe src=2></iframe>", "2", "12"),
    ("lxml", "table-part", "<select><td background=1></select><td background=2>", "", "12"),
    ("lxml", "second", "<form action=1><form action=2></form>", "1", "12"),
    ("lxml", "late", "<p>x<body background=1>", "1", ""),
    ("lxml", "foreign-text", "<svg><title><a href=1></a></title></svg>", "1", ""),
    ("lxml", "cdata", "<svg><![CDATA[>]]><a href=1></a></svg><svg><![CDATA[><a href=2></a>]]></svg>", "1", "12"),
    ("lxml", "break-out", "<svg><p></p><a xlink:href=1></a></svg>", "", "1"),
    ("lxml", "annotation", "<math><annotation-xml><svg fill=url(1)></svg></annotation-xml></math>", "1", ""),
    ("lxml", "control", "<a href='a\1b\fc'></a>", "a\1b\fc", "a\ufffdb c"),
    ("html5lib", "moved", "<table><tr background=1><td background=2><tr><a href=3></a></table>", "123", "312"),
    ("html5lib", "copied", "<a href=1><p>x</a>", "1", "11"),
    ("html5lib", "select", "<select><a href=1></a></select>", "1", ""),
    ("html5lib", "template", "<template><td background=1></td></template>", "1", ""),
    ("html5lib", "isindex", "<form><isindex action=1></form>", "1", ""),
]


@pytest.mark.parametrize(("core", "reason", "html", "expected", "found"), EXAMPLES, ids=lambda value: value)
def test_what_a_reason_means(core: str, reason: str, html: str, expected: str, found: str) -> None:
    def references(parser: str) -> str:
        return "".join(link.reference for link in rehref.links(html, url="http://h/", parser=parser))

    assert (references("source"), references(core)) == (expected, found)
    assert any(case.startswith(core) and reason in why.split(", ") for case, why in listed(LIST).items())


def test_a_base_that_leaves_its_table_stays_in_it_in_lxml() -> None:
    def target(parser: str) -> str | None:
        html = "<table><td><base href=/1/></td></tr><base href=/2/></table><a href=x>"
        return rehref.links(html, url="http://h/", parser=parser)[-1].target

    assert (target("source"), target("lxml")) == ("http://h/2/x", "http://h/1/x")


def test_what_is_behind_the_body_is_not_in_it_in_lxml() -> None:
    def codes(parser: str) -> set[str]:
        (link,) = rehref.links("<p>x</body></html><base href=x/>", url="http://h/", parser=parser)
        return {problem.code for problem in link.problems}

    assert codes("source") - codes("lxml") == {"base-in-body"}

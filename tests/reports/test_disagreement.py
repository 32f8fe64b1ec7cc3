"""What cores disagree about, given plain links; and how it is shown."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.reports.disagreement import Disagreement, disagreements
from rehref.reports.formats import OF_LINKS, LinksFormat, Presentation, links_format, names
from rehref.reports.terminal import COLORED, PLAIN, Style, width

BASE = Base("http://h/d/", "retrieval", "retrieval URI")
OTHER = Base("http://u:secret@o/", "embedded", "<base href> at 1:1")


def link(reference: str, target: str | None = None, line: int | None = 1, column: int | None = 1) -> Link:
    target = f"http://h/d/{reference}" if target is None else target
    span = None if column is None else (column, column + 1)
    return Link(reference, target, BASE, "a", "href", "hyperlink", line, column, span, False, ())


def compared(**found: str) -> list[tuple[str, str, str]]:
    """Each disagreement between cores whose links are given by letters, capitals being the same with another target."""
    lists = {
        name: [link(each.lower(), each, column=at) for at, each in enumerate(letters)]
        for name, letters in found.items()
    }
    return [
        (
            disagreement.links[0].link.reference,
            "; ".join(f"{finding.link.target}: {' '.join(finding.parsers)}" for finding in disagreement.links),
            " ".join(disagreement.missing),
        )
        for disagreement in disagreements(lists)
    ]


@pytest.mark.parametrize(
    "found", [{}, {"s": "abc"}, {"s": "abc", "t": "abc"}, {"s": "", "t": ""}, {"s": "ab", "t": "ba"}]
)
def test_who_has_the_same_in_whatever_order_agrees(found: dict[str, str]) -> None:
    assert compared(**found) == []


def test_a_finding_has_the_cores_that_have_it_and_those_that_have_not() -> None:
    assert compared(s="abc", t="ac", u="ac") == [("b", "b: s", "t u")]
    assert compared(s="ac", t="abc", u="abc") == [("b", "b: t u", "s")]
    assert compared(s="abc", t="", u="") == [(each, f"{each}: s", "t u") for each in "abc"]


def test_another_target_is_one_disagreement() -> None:
    assert compared(s="abc", t="aBc", u="ac") == [("b", "b: s; B: t", "u")]
    assert compared(s="b", t="B", u="B") == [("b", "b: s; B: t u", "")]
    assert compared(s="bB", t="B", u="b") == [("b", "b: s u", "t"), ("b", "B: s t", "u")]
    assert compared(s="bb", t="BB") == [("b", "b: s; B: t", "")] * 2


def test_of_links_that_are_alike_the_missing_ones_count() -> None:
    assert compared(s="aaa", t="a", u="aa") == [("a", "a: s u", "t"), ("a", "a: s", "t u")]


def test_what_all_have_at_both_ends_is_skipped_first() -> None:
    lists = {"s": [link("a", column=1), link("b", column=2), link("a", column=3)], "t": [link("b"), link("a")]}
    (disagreement,) = disagreements(lists)
    assert disagreement.links[0].link.column == 1


def test_the_order_is_that_of_the_first_core() -> None:
    assert [what for what, _, _ in compared(s="abcdef", t="xaByf", u="faz")] == list("xzbycde")
    assert [what for what, _, _ in compared(s="abc", t="ABxC")] == list("abxc")


def test_a_link_stands_where_the_first_core_that_knows_says() -> None:
    nowhere, somewhere, exact = (
        link("a", line=line, column=column) for line, column in ((None, None), (7, None), (8, 9))
    )
    for lists, place in (
        ((nowhere, somewhere, exact), (8, 9, (9, 10))),
        ((nowhere, somewhere), (7, None, None)),
        ((nowhere,), (None, None, None)),
    ):
        (found,) = disagreements({**{str(each): [a_link] for each, a_link in enumerate(lists)}, "none": []})
        shown = found.links[0].link
        assert (shown.line, shown.column, shown.span) == place


@given(st.lists(st.text("abABc", max_size=12), min_size=1, max_size=4))
def test_every_core_has_what_all_have_and_its_findings(letters: list[str]) -> None:
    lists = {str(core): [link(each.lower(), each) for each in text] for core, text in enumerate(letters)}
    found = disagreements(lists)
    common = Counter(letters[0])
    for text in letters:
        common &= Counter(text)
    for core, links in lists.items():
        its_own = [finding for each in found for finding in each.links if core in finding.parsers]
        assert common + Counter(finding.link.target for finding in its_own) == Counter(each.target for each in links)
    for each in found:
        parsers = [parser for finding in each.links for parser in finding.parsers]
        assert sorted([*parsers, *each.missing]) == list(lists)
        assert len({finding.link.target for finding in each.links}) == len(each.links)
        assert 0 < len(each.links[0].parsers) < len(lists)


@pytest.mark.slow
def test_many_links_are_soon_compared() -> None:
    def comparing(many: int) -> Callable[[], None]:
        lists = {
            "s": [link(f"r{number % 7}", f"t{number}") for number in range(many)],
            "t": [link(f"r{number % 7}", f"u{number}") for number in range(many)],
            "u": [link("r0", "t0")] * many,
        }

        def run() -> None:
            assert sum(len(each.links) for each in disagreements(lists)) == 3 * many - 1

        return run

    assert_proportional(comparing, 500)


# --- how it is shown


def shown_as(name: str, columns: int | None = None, style: Style = PLAIN) -> LinksFormat:
    return links_format(name, Presentation(columns, style, compared=True))


def table(columns: int | None = None, style: Style = PLAIN) -> LinksFormat:
    return shown_as("table", columns, style)


FOUND = disagreements(
    {
        "source": [link("x"), link("http://u:secret@h/y", "http://u:secret@h/y", 12, 34), link("z", "http://h/d/z")],
        "html5lib": [link("x"), link("z", "http://o/z", None, None)],
        "lxml": [link("x"), link("z", "http://h/d/z", 20, None)],
    }
)
BASES = {"source": BASE, "html5lib": BASE, "lxml": BASE}


def test_the_table() -> None:
    assert table().disagreements("a.html", BASES, FOUND).splitlines() == [
        "a.html  2 disagreements among source, html5lib, lxml",
        "  base  http://h/d/  (retrieval URI)",
        "",
        "  12:34  a@href  http://u:***@h/y",
        "                 → http://u:***@h/y  (source)",
        "                 ! not html5lib, lxml",
        "    1:1  a@href  z",
        "                 → http://h/d/z  (source, lxml)",
        "                 → http://o/z  (html5lib)",
    ]


def test_the_table_shows_bases_that_differ() -> None:
    text = table().disagreements("a.html", {**BASES, "lxml": OTHER}, [])
    assert text.splitlines() == [
        "a.html  0 disagreements among source, html5lib, lxml",
        "  base  http://h/d/  (source, html5lib)",
        "        http://u:***@o/  (lxml)",
    ]
    none = Base(None, "none", "no base")
    assert "  base  none\n" in table().disagreements("a.html", dict.fromkeys(BASES, none), FOUND)
    assert "        none  (lxml)\n" in table().disagreements("a.html", {**BASES, "lxml": none}, FOUND)


def test_the_table_says_nothing_of_a_document_that_all_agree_about() -> None:
    assert table().disagreements("a.html", BASES, []) == ""


def test_the_table_keeps_its_width_and_loses_nothing() -> None:
    found = disagreements({"source": [link("long/" * 20), link("日本" * 30, "nowhere " * 20)], "another-core": []})
    lines = table(50).disagreements("a.html", {"source": BASE, "another-core": BASE}, found).splitlines()
    assert max(map(width, lines)) <= 50
    together = "".join(line.strip() for line in lines).replace(" ", "")
    assert "→http://h/d/" + "long/" * 20 + "(source)!notanother-core" in together
    assert "日本" * 30 in together


def test_the_table_has_colours_and_nothing_that_commands_a_terminal() -> None:
    found = disagreements({"source": [link("\x1b[2J", "\x1b]0;x\x07")], "lxml": []})
    assert "\x1b" not in table().disagreements("\x1b.html", BASES, found)
    colored = table(None, COLORED).disagreements("a.html", BASES, found)
    assert "\x1b[33m! not lxml\x1b[0m" in colored
    assert "\x1b[2J" not in colored


def test_texts_and_references_that_lead_nowhere() -> None:
    text_link = link("")._replace(element="style", attribute=None, target=None, line=None, column=None)
    text = table().disagreements("a.html", BASES, disagreements({"source": [text_link], "lxml": []}))
    assert text.splitlines()[3:5] == ['  -  <style>  ""', "              → nowhere  (source)"]


def test_json_jsonl_and_csv_hold_the_same() -> None:
    whole, lines, form = shown_as("json"), shown_as("jsonl"), shown_as("csv")
    array = json.loads(whole.head + whole.disagreements("a\udce9.html", BASES, FOUND) + whole.tail)
    assert array == [json.loads(line) for line in lines.disagreements("a\udce9.html", BASES, FOUND).splitlines()]
    assert [each["parsers"] for each in array] == [["source"], ["source", "lxml"], ["html5lib"]]
    assert array[0]["target"] == "http://u:***@h/y"
    rows = list(csv.DictReader(io.StringIO(form.head + form.disagreements("a.html", BASES, FOUND))))
    assert [row["parsers"] for row in rows] == ["source", "source; lxml", "html5lib"]
    assert [row["target"] for row in rows] == [each["target"] for each in array]


@pytest.mark.parametrize("name", names(OF_LINKS))
def test_no_format_shows_a_password(name: str) -> None:
    form = shown_as(name)
    text = form.head + form.disagreements("a.html", {**BASES, "lxml": OTHER}, FOUND) + form.tail
    assert "u:***@h" in text
    assert "secret" not in text


@pytest.mark.parametrize("name", ["table", "jsonl"])
def test_nothing_is_nothing(name: str) -> None:
    nothing: list[Disagreement] = []
    assert shown_as(name).disagreements("a.html", BASES, nothing) == ""

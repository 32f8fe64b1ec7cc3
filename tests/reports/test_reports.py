"""The formats, given plain values."""

from __future__ import annotations

import csv
import io
import json
import pickle
import shutil
import subprocess
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patience import PATIENCE
from rehref.documents.base import Base, Layers, Problem, Rejected
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.reports.diff import hunks, patch, pretty, split_lines
from rehref.reports.formats import (
    OF_LINKS,
    LinksFormat,
    LongText,
    Presentation,
    described,
    in_pieces,
    links_format,
    names,
)
from rehref.reports.spreadsheets import LINK_COLUMNS
from rehref.reports.terminal import COLORED, PLAIN, Style, fold, json_text, mask, readable, shown, visible, width
from rehref.uri.components import mask_text

REJECTED = Rejected("http://u:secret@[", "embedded", "<base href> at 1:1", "the URL Standard's parser rejects it")
BASE = Base("http://h/d/", "retrieval", "retrieval URI", (REJECTED,))
OTHER = Base("http://o/", "embedded", "codebase of <object> at 2:1")


def link(reference: str = "x", target: str | None = "http://h/d/x", base: Base = BASE, **changes: object) -> Link:
    values: dict[str, object] = {
        "reference": reference,
        "target": target,
        "base": base,
        "element": "a",
        "attribute": "href",
        "kind": "hyperlink",
        "line": 3,
        "column": 10,
        "span": (40, 41),
        "same_document": False,
        "problems": (),
    }
    return Link(**{**values, **changes})  # type: ignore[arg-type]


DOCUMENTS = [
    ("a.html", BASE, [link(), link("é\n", "http://u:secret@h/", problems=(Problem("p", "see //u:secret@h"),))]),
    ("none.html", BASE, []),
    ('b,"c".html', OTHER, [link("", None, OTHER, attribute=None, line=None, column=None, span=None)]),
]


def form_of(name: str, columns: int | None = None, style: Style = PLAIN, *, raw_csv: bool = False) -> LinksFormat:
    return links_format(name, Presentation(columns, style, raw_csv=raw_csv))


def report(form: LinksFormat, documents: Iterable[tuple[str, Base, list[Link]]] = DOCUMENTS) -> str:
    texts = (form.document(name, base, links) for name, base, links in documents)
    return form.head + form.between.join(filter(None, texts)) + form.tail


# --- json, jsonl, csv


def test_json_and_jsonl_hold_the_same() -> None:
    array = json.loads(report(form_of("json")))
    assert array == [json.loads(line) for line in report(form_of("jsonl")).splitlines()]
    assert [each["document"] for each in array] == ["a.html", "a.html", 'b,"c".html']
    assert array[0]["base"]["rejected"] == [
        {
            "reference": "http://u:***@[",
            "origin": "embedded",
            "where": "<base href> at 1:1",
            "reason": "the URL Standard's parser rejects it",
        }
    ]
    assert array[1]["reference"] == "é\n"
    assert array[1]["problems"] == [{"code": "p", "message": "see //u:***@h"}]
    assert (array[2]["span"], array[2]["target"], array[2]["attribute"]) == (None, None, None)
    assert array[0]["span"] == [40, 41]


def test_the_array_has_one_link_a_line() -> None:
    assert len(report(form_of("json")).splitlines()) == 3 + 2


def test_nothing_is_still_a_report() -> None:
    assert json.loads(report(form_of("json"), [])) == []
    assert report(form_of("jsonl"), []) == ""
    assert report(form_of("csv"), []) == ",".join(LINK_COLUMNS) + "\n"
    assert report(form_of("table"), []) == ""


LINKS = st.builds(
    link,
    st.text(),
    st.none() | st.text(),
    st.sampled_from([BASE, OTHER]),
    element=st.sampled_from(["a", 'odd"\u2028']),
    attribute=st.none() | st.sampled_from(["href", "\\"]),
    line=st.none() | st.integers(1),
    column=st.none() | st.integers(1),
    span=st.none() | st.tuples(st.integers(0), st.integers(0)),
    same_document=st.booleans(),
    problems=st.sampled_from([(), (Problem("p", 'a "b" //u:secret@h'), Problem("q", ""))]),
    part=st.none() | st.sampled_from(["part 1", "\n"]),
    inside=st.none() | st.sampled_from(["part 2"]),
    page=st.just("http://u:secret@h/d/"),
    date=st.just("2024-01-02T03:04:05Z"),
    rel=st.none() | st.sampled_from(["", "next", 'a"b', "http://u:secret@h/"]),
    text=st.none() | st.sampled_from(["", 'Read "on"', "http://u:secret@h/"]),
)


def as_object(document: str, given: Link) -> dict[str, object]:
    """A link as the documentation has it, made plainly."""
    base = given.base
    rejected = [{**each._asdict(), "reference": mask_text(each.reference)} for each in base.rejected]
    return {
        "document": document,
        **({} if given.part is None else {"part": given.part}),
        "reference": mask_text(given.reference),
        "target": mask(given.target),
        "base": {"uri": mask(base.uri), "origin": base.origin, "where": base.where, "rejected": rejected},
        "element": given.element,
        "attribute": given.attribute,
        "kind": given.kind,
        **({} if given.inside is None else {"inside": given.inside}),
        "line": given.line,
        "column": given.column,
        "span": given.span,
        "same_document": given.same_document,
        "problems": [{"code": each.code, "message": mask_text(each.message)} for each in given.problems],
        **{name: mask(value) for name in ("rel", "text") if (value := getattr(given, name)) is not None},
        "page": mask(given.page),
        "date": given.date,
    }


@given(st.lists(LINKS, max_size=6))
def test_what_is_written_piece_by_piece_is_what_json_writes(links: list[Link]) -> None:
    expected = [json.dumps(as_object("a.html", each), ensure_ascii=False) for each in links]
    assert report(form_of("jsonl"), [("a.html", BASE, links)]) == json_text("".join(f"{each}\n" for each in expected))


PAGES = {
    "ordinary": b'<a href="x">\n<a href="../y?q#z"><img src=a srcset="b 1x, c 2x">\r\n<a href="#f">'
    b'<svg><a xlink:href="q"/></svg>',
    "none": b"<p>",
    "odd ones between": b'<a href=a><a href="a b"><a href=c><iframe srcdoc="<a href=x>"></iframe><a href=d>',
    "the first and the last are odd": b'<a href="[]"><a href=b><a href="\x01">',
    "passwords": b"<a href=//u:secret@h/><a href=http:u:secret@h/><a href=a:b@c><a href=a@b><a href=mailto:a@b>"
    b"<a href=http://h.example/@a?b:c@d><a href=?q:secret@h><a href=#q:secret@h>",
    "not ASCII": '<p>\u00e9\U0001f600<a href=a>\r<a href="\u00e9">\n\u00e9<caf\u00e9 href=x><a href=z>'.encode(),
    "not UTF-8": b"<meta charset=utf-8><a href=a>\xff<a href=b>",
    "names of no element": b"<x\"y href=a><x\\y background=a><b style='background:url(b)'>",
    "relations": b"<link rel=next href=a><a href=b rel='no\"\\ \tq'>x</a><a rel href=c><a href='' rel=''>"
    b"<area rel=&#97; href=d><form rel=search action=e><svg><a rel=x href=f /></svg><a href=g rel='\xc3\xa9'>"
    b"<a rel=http://u:secret@h/ href=h ping='i j'>"
    b"<b rel=x cite=k></b><q cite=l rel=y>",
    "a base": b"<base href='/b/c/'><a href=x><a href=#f><a href=''><form action=''>",
}


@pytest.mark.parametrize("url", ["http://h.example/d/p.html", "http://u:secret@h.example/", "file:///a/b.html", None])
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_the_twin_writes_links_as_they_are_written_without(name: str, page: bytes, url: str | None) -> None:
    form = form_of(name)
    for called, part in (('a\udcff"\u00e9.html', None), ("b.warc", "urn:uuid:\u00e9\n")):
        document = read_document(page, "text/html", None, Layers(retrieval=url), ReadOptions())
        document.part_of = document.part_of._replace(name=part)
        written = form.written(called, document, "record")
        links = list(document.links())
        text = form.document(called, document.base, links, "record")
        assert written in (None, (text.encode("utf-8", "backslashreplace"), len(links)))
        assert b"//u:secret" not in (written or (b"",))[0]
        assert (written is not None) == ("@" not in (url or ""))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["json", "jsonl"])
@pytest.mark.parametrize("end", ["", "<a href='x y'>", "<meta name=x content=y>"], ids=["link", "odd", "no link"])
def test_the_links_of_a_large_page_are_written_in_pieces(name: str, end: str) -> None:
    page = ("<a href=a><a href='é b'>\n" * 20_000 + end).encode()
    document = read_document(page, "text/html", "utf-8", Layers(retrieval="http://h.example/"), ReadOptions())
    form = form_of(name)
    written = form.written("p", document)
    assert written is not None
    text, count = written
    assert isinstance(text, LongText)
    links = list(document.links())
    assert b"".join(text) == form.document("p", document.base, links).encode()
    assert count == len(links)
    assert b"".join(text) == b"".join(pickle.loads(pickle.dumps(text)))


def test_lone_surrogates_are_escapes_in_json() -> None:
    text = report(form_of("json"), [("caf\udce9", BASE, [link()])])
    text.encode("utf-8")
    assert json.loads(text)[0]["document"] == "caf\udce9"


def test_what_a_terminal_acts_on_is_an_escape_in_json() -> None:
    for code in (*range(0x80, 0x200C), *range(0x200E, 0xD800), *range(0xE000, 0x10000)):
        escaped = json_text(f'"é{chr(code)}"') != f'"é{chr(code)}"'
        assert escaped == (visible(chr(code)) != chr(code))
    odd = [chr(code) for code in range(0x80, 0x10000) if visible(chr(code)) != chr(code)]
    assert json.loads(json_text(json.dumps(odd, ensure_ascii=False))) == odd


@pytest.mark.parametrize("name", ["a\x9b\u202e\u2028.html", "é.html"])
def test_the_twin_writes_the_same_of_odd_names(name: str) -> None:
    page = "<a href=x><a href='\u202e\x85'><q cite=y>".encode()
    document = read_document(page, "text/html", "utf-8", Layers(retrieval="http://h/d/p.html"), ReadOptions())
    text = form_of("jsonl").document(name, document.base, document.links())
    assert [json.loads(line)["document"] for line in text.split("\n")[:-1]] == [name] * 3
    assert set("\x9b\x85\u202e\u2028").isdisjoint(text)
    written = form_of("jsonl").written(name, document)
    assert written is None or b"".join(in_pieces(written[0])) == text.encode()


def test_the_twin_leaves_out_no_password() -> None:
    tokens = ("http:", "mailto:", "x:", "//", "/", "u", "?", "@", "@h.example")
    references = [*map("".join, product(tokens, repeat=4)), "https://h.example/" * 3 + "?a:b@c", "mailto:a:b@c"]
    page = "".join(f"<a href={reference}>" for reference in references).encode()
    layers = Layers(retrieval="http://h.example/d/p.html")
    document = read_document(page, "text/html", "utf-8", layers, ReadOptions())
    text = form_of("jsonl").document("p", document.base, document.links())
    assert "***" in text
    written = form_of("jsonl").written("p", document)
    assert written is not None
    assert b"".join(in_pieces(written[0])) == text.encode()
    assert written[1] == len(references)


@pytest.mark.parametrize("name", names(OF_LINKS))
def test_a_format_travels_to_other_processes(name: str) -> None:
    form = form_of(name)
    assert report(pickle.loads(pickle.dumps(form))) == report(form)


def test_a_name_that_is_none_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'xml' is not a format; there are table, json, jsonl, csv"):
        form_of("xml")
    assert described(OF_LINKS).startswith("table: for people; json: ")


def test_csv_reads_back() -> None:
    rows = list(csv.DictReader(io.StringIO(report(form_of("csv", raw_csv=True)), newline="")))
    assert tuple(rows[0]) == LINK_COLUMNS
    assert rows[0]["span_start"] == "40"
    assert rows[1]["reference"] == "é\n"
    assert rows[1]["problems"] == "p: see //u:***@h"
    assert rows[2]["document"] == 'b,"c".html'
    assert rows[2]["line"] == rows[2]["target"] == rows[2]["span_end"] == ""


@pytest.mark.parametrize("form", [*map(form_of, names(OF_LINKS)), form_of("table", 60, COLORED)])
def test_no_format_shows_a_password(form: LinksFormat) -> None:
    text = report(form)
    assert "secret" not in text
    assert "u:***@h" in text


# --- table


def test_the_table() -> None:
    links = [
        link(),
        link("../long", "http://h/long", line=12),
        link("http://abs/", "http://abs/"),
        link("#x", "http://h/d/#x", same_document=True),
        link("", "http://h/d/", same_document=True, element="form", attribute="action"),
        link("bad", None, problems=(Problem("no-base", "there is none"),)),
        link("y", "http://o/y", OTHER, element="object", attribute="data"),
        link("z", "http://h/d/z", element="style", attribute=None, line=None, column=None),
    ]
    assert report(form_of("table"), [("a.html", BASE, links)]).splitlines() == [
        "a.html  8 references",
        "  base  http://h/d/  (retrieval URI)",
        "  skipped  http://u:***@[  (<base href> at 1:1): the URL Standard's parser rejects it",
        "",
        "   3:10  a@href       x       → http://h/d/x",
        "  12:10  a@href       ../long → http://h/long",
        "   3:10  a@href       http://abs/",
        "   3:10  a@href       #x      → this document",
        '   3:10  form@action  ""      → this document',
        "   3:10  a@href       bad     → nowhere",
        "                      ! no-base: there is none",
        "   3:10  object@data  y       → http://o/y",
        "                      relative to http://o/  (codebase of <object> at 2:1)",
        "      -  <style>      z       → http://h/d/z",
    ]


def test_a_document_without_a_base_says_what_to_do() -> None:
    text = report(form_of("table"), [("-", Base(None, "none", "no base"), [])])
    assert text == "-  0 references\n  base  none: relative references lead nowhere; --url URI gives one\n"


@given(
    st.integers(40, 120),
    st.lists(st.tuples(st.text("ab/日é?&", max_size=200), st.text("ab/日é?&", max_size=200)), min_size=1, max_size=5),
)
def test_the_table_keeps_its_width_and_loses_nothing(columns: int, values: list[tuple[str, str]]) -> None:
    links = [link("r" + reference, "t" + target) for reference, target in values]
    text = report(form_of("table", columns), [("a.html", Base("http://h/d/", "retrieval", "retrieval URI"), links)])
    lines = text.splitlines()
    assert max(map(width, lines[1:])) <= columns
    together = "".join(line.strip() for line in lines[3:]).replace(" ", "")
    assert together.endswith(("→t" + values[-1][1]).replace(" ", ""))


def test_most_targets_stand_beside_their_references() -> None:
    links = [link("short", "http://h/d/short")] * 9 + [link("long/" * 8, "http://h/d/" + "long/" * 8)]
    lines = report(form_of("table", 60), [("a.html", BASE, links)]).splitlines()
    assert sum("short → http" in line for line in lines) == 9
    assert any(line.strip().startswith("→ ") for line in lines)


def test_a_very_long_value_is_shortened() -> None:
    target = "data:image/png;base64," + "A" * 100_000
    text = report(form_of("table"), [("a.html", BASE, [link(target, target)])])
    assert len(text) < 1000
    assert "…[99,672 characters]…" in text


# --- text


def test_what_a_terminal_would_act_on_is_visible() -> None:
    assert visible("a\x1b[31m\n\t\x7f\x9b\u202e\u2028\ud800é日") == (r"a\x1b[31m\n\t\x7f\x9b\u202e\u2028\ud800" + "é日")


def test_shown_masks_before_it_shortens() -> None:
    text = "http://user:" + "s3cret" * 200 + "@h/"
    assert shown(text) == "http://user:***@h/"


@given(st.text(), st.integers(2, 40))
def test_folding_loses_nothing_and_fits(text: str, columns: int) -> None:
    text = visible(text)
    pieces = fold(text, columns)
    assert "".join(pieces) == text
    assert all(width(piece) <= columns for piece in pieces)


def test_a_uri_is_folded_behind_a_slash() -> None:
    assert fold("http://example.org/aaaa/bbbb", 26) == ["http://example.org/aaaa/", "bbbb"]
    assert fold("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


# --- diff


def test_a_diff() -> None:
    old = b"".join(b"%d\n" % number for number in range(1, 21)) + b"end"
    new = old.replace(b"\n2\n", b"\ntwo\n").replace(b"\n15\n", b"\nfifteen\n").replace(b"end", b"END")
    assert patch("/d/a.html", old, new).decode() == (
        "--- a/d/a.html\n+++ b/d/a.html\n"
        "@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n"
        "@@ -12,10 +12,10 @@\n 12\n 13\n 14\n-15\n+fifteen\n 16\n 17\n 18\n 19\n 20\n"
        "-end\n\\ No newline at end of file\n+END\n\\ No newline at end of file\n"
    )


def test_no_difference_is_no_diff() -> None:
    assert patch("a", b"x", b"x") == b""
    assert pretty("a", "x", "x", PLAIN) == ""
    assert list(hunks(b"", b"")) == []


def applied(old: bytes, new: bytes) -> bytes:
    """What the hunks make of the old text."""
    before, after = split_lines(old), []
    at = 0
    for hunk in hunks(old, new):
        start, _, length = hunk.heading.split()[1][1:].partition(b",")
        first = int(start) - (length != b"0")
        after.extend(before[at:first])
        at = first
        for mark, line in hunk.lines:
            if mark != b"+":
                assert before[at] == line
                at += 1
            if mark != b"-":
                after.append(line)
    return b"".join([*after, *before[at:]])


@given(st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n", b"\xff"]), max_size=60).map(b"".join), st.data())
def test_a_diff_applied_to_the_old_gives_the_new(old: bytes, data: st.DataObject) -> None:
    new = data.draw(
        st.lists(st.sampled_from([b"a", b"c", b"\n", b"\r\n", old[:20], old[20:]]), max_size=8).map(b"".join)
    )
    assert applied(old, new) == new


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch program")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"", b"a\n"),
        (b"a\n", b""),
        (b"a", b"a\n"),
        (b"a\nb\nc\n", b"a\nB\nC\nd\n"),
        (b"\xff\r\na\r\n", b"\xff\r\nb\r\n"),
        (b"1\n" * 50 + b"x\n" + b"1\n" * 50, b"1\n" * 49 + b"y\n" + b"1\n" * 52),
    ],
)
def test_the_patch_program_agrees(tmp_path: Path, old: bytes, new: bytes) -> None:
    (tmp_path / "f").write_bytes(old)
    subprocess.run(
        ["patch", "-p1", "--binary", "--silent"], cwd=tmp_path, input=patch("f", old, new), check=True, timeout=PATIENCE
    )
    assert (tmp_path / "f").read_bytes() == new


def test_many_lines_more_are_one_change_found_at_once() -> None:
    old = b"a\n" + b"b\nc\n" * 200_000 + b"z\n"
    new = b"a\n" + b"c\nb\nd\n" * 200_000 + b"z\n"
    assert applied(old, new) == new


def test_a_diff_for_a_terminal() -> None:
    text = pretty("a.html", "<a href='//u:secret@h'>\té\x1b\r\n", "<a href='x'>\té\x1b\r\n", COLORED)
    assert "secret" not in text
    assert "\x1b[31m-<a href='//u:***@h'>\té\\x1b\x1b[0m\n" in text
    assert "\x1b[32m+<a href='x'>\té\\x1b\x1b[0m\n" in text
    assert pretty("a", "\ud800", "x", PLAIN).count("No newline at end of file") == 2


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("a.html", b"--- a/a.html\n"),
        ("a b.html", b"--- a/a b.html\t\n"),
        ('t\tn\n"\\', b'--- "a/t\\tn\\n\\"\\\\"\n'),
        ("\x01é", '--- "a/\\001é"\n'.encode()),
    ],
)
def test_names_in_a_patch_are_written_as_patch_reads_them(name: str, heading: bytes) -> None:
    assert patch(name, b"x", b"y").startswith(heading)


def test_what_has_no_width_is_seen() -> None:
    assert visible("a\u200bb\u2060c\ufeffd\u00ade") == r"a\u200bb\u2060c\ufeffd\xade"
    assert visible("a\u200cb \u200dc\u200c") == r"a\u200cb \u200dc\u200c"
    assert visible("\u0646\u200c\u0647 \u0915\u094d\u200d\u0937") == "\u0646\u200c\u0647 \u0915\u094d\u200d\u0937"


def test_a_uri_is_read_without_what_encodes_it() -> None:
    assert readable("http://h/%C3%A9%20%2F%25%E2%80%AE") == "http://h/é %2F%25\\u202e"
    assert readable("http://u:a%20b@h/") == "http://u:***@h/"
    assert readable("%FF%C3%A9") == "%FF%C3%A9"


# --- texts of any length


@pytest.mark.parametrize("count", [0, 1, 3, 20])
def test_a_text_is_read_as_it_was_added(count: int) -> None:
    text = LongText()
    assert text.is_empty
    added = [bytes([number]) * (1 << 20) for number in range(count)]
    for piece in added:
        text.add(piece)
    assert text.is_empty == (count == 0)
    for each in (text, text, pickle.loads(pickle.dumps(text))):
        assert b"".join(in_pieces(each)) == b"".join(added)


def test_other_texts_are_one_piece() -> None:
    assert list(in_pieces(b"")) == [b""]
    assert list(in_pieces(bytearray(b"a"))) == [b"a"]

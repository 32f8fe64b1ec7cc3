"""MDX: its blocks, tags and expressions, the values of attributes, what is refused, and the laws.

`mdx/` has texts, and in `expected.json` what @mdx-js/mdx 3.1 finds in them; `scripts/mdx --record` writes that.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import rehref

pytest.importorskip("pyromark", reason="needs the package pyromark")

from growth import assert_proportional
from laws import between
from modules import module_at
from rehref.cli.program import program
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.edits import rewrite_document

URL = "http://h.example/d/p.mdx"
FOLDER = Path(__file__).with_name("mdx")
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
oracle = module_at(Path(__file__).resolve().parents[2] / "scripts" / "mdx.py", "scripts_mdx")


def links(text: bytes | str, **options: Any) -> list[rehref.Link]:
    return rehref.links(text, media_type="text/markdown", url=URL, **options)


def references(text: bytes | str, **options: Any) -> list[str]:
    return [link.reference for link in links(text, **options)]


def rewrite(text: Any, rule: Any = None) -> Any:
    return rehref.rewrite(text, rule or rehref.Absolute(), media_type="text/markdown", url=URL)


def document(text: str, dialect: str | None = None) -> Document:
    how = replace(ReadOptions.DEFAULT, dialect=dialect, names=True)
    return read_document(text.encode(), "text/markdown", None, Layers(retrieval=URL), how)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_links_and_headings_are_those_of_mdx(name: str) -> None:
    theirs = EXPECTED[name]
    ours = oracle.found_in((FOLDER / name).read_bytes())
    assert oracle.differences(ours, theirs) == []
    assert (ours["error"] is None) is (theirs["error"] is None)
    assert ours["links"]


def test_the_comparison_sees_what_differs() -> None:
    theirs = EXPECTED["texts.mdx"]
    ours = {**theirs, "error": "x", "links": theirs["links"][1:], "headings": [[1, 1, "x"]]}
    assert len(oracle.differences(ours, theirs)) == 4
    assert oracle.differences(theirs, {**theirs, "error": "x"}) != []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_text_is_the_same_but_for_its_references(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    found = links(data)
    assert rewrite(data, lambda link: None) == data
    made = rewrite(data)
    assert between(made, links(made)) == between(data, found)
    assert [link.target for link in links(made)] == [link.target for link in found]
    for text in (data.decode(), data.decode().encode("utf-16"), data.replace(b"\n", b"\r\n")):
        assert [(link.reference, link.line, link.column) for link in links(text)] == [
            (link.reference, link.line, link.column) for link in found
        ]


def test_each_destination_is_where_it_is_written() -> None:
    text = "> 1. é [a](b.md)\n>\n>    <A>\n>\t    - <i>é</i> [c](<d e.md>) <a href='f.md'>é</a>\n>    </A>\n"
    found = links(text)
    assert [(each.reference, each.line, each.column) for each in found] == [
        ("b.md", 1, 12),
        ("d e.md", 4, 23),
        ("f.md", 4, 41),
    ]
    assert all(each.span is not None and text[slice(*each.span)] == each.reference for each in found)


def test_attributes_are_written_as_their_quotes_need() -> None:
    new = "n'\"&\\`${x"
    for text, expected in {
        "<a href='a'/>": "<a href='n&#39;\"&amp;\\`${x'/>",
        '<a href="a"/>': '<a href="n\'&quot;&amp;\\`${x"/>',
        "<a href={'a'}/>": "<a href={'n\\'\"&\\\\`\\${x'}/>",
        '<a href={ "a" }/>': '<a href={ "n\'\\"&\\\\`\\${x" }/>',
        "<a href={`a`}/>": "<a href={`n'\"&\\\\\\`\\${x`}/>",
    }.items():
        made = rewrite(text, lambda link: new)
        assert references(made) == [new]
        assert made == expected, text
    text = "<img srcSet='a.png&#32;1x, b.png&#9;2x' />"
    assert rewrite(text) == text.replace("a.png", "http://h.example/d/a.png").replace(
        "b.png", "http://h.example/d/b.png"
    )


def test_what_would_be_read_otherwise_is_not_written() -> None:
    text = "|a|\n|-|\n|<a href='b'>c</a>|\n"
    made = rewrite_document(document(text), lambda link: "d|e")
    assert made.data == text.encode()
    assert made.refused == ((3, 11),)


def test_what_a_program_decides_is_skipped_and_counted() -> None:
    text = """<Link to="/a">x</Link> <Card href='b' {...c}/> <a href={d}>e</a> <img src={`${f}.png`}/> <a {...g}/>

{h.map(i => <a href={i}>j</a>)} {/* <a href="k"> */}

export const l = [<img src="m"/>, {href: "p", "src": 'q', to: 1, a: {href}}]

<Cards all={[{ href: "r" }]} href={"s"} />

<a href="n">o</a>"""
    found = document(text)
    assert [link.reference for link in found.links()] == ["n"]
    assert found.parsed.skipped == 10  # type: ignore[attr-defined]


def test_attributes_of_components_are_read_if_they_are_asked_for() -> None:
    text = "<Card href='a'/> <Link to={'b'} href='c'/> <Tabs.Item href='d'/> <a data-x='e'/>"
    assert references(text) == []
    asked = links(text, attributes=["card@href", "link@to", "tabs.item@href", "*@data-x"])
    assert [(link.element, link.attribute, link.reference) for link in asked] == [
        ("Card", "href", "a"),
        ("Link", "to", "b"),
        ("Tabs.Item", "href", "d"),
        ("a", "data-x", "e"),
    ]


def test_svg_and_ids() -> None:
    text = "<svg><use xlinkHref='#a' /></svg> <Heading id='b'/> <h2 id={'c'}>d</h2>"
    assert [(link.attribute, link.kind) for link in links(text)] == [("xlink:href", "fragment")]
    assert {place.value for place in document(text).parsed.places} == {"#a", "b", "c"}


def test_what_is_read_although_mdx_refuses_it() -> None:
    for text, expected, fault in (
        ("a { b [c](d)\n\n[e](f)", ["d", "f"], (1, 3)),
        ("<i>\n\n[a](b)\n\nc </i> [d](e)", ["b", "e"], (5, 3)),
        ("<i>[a](b)", ["b"], (1, 1)),
        ("[a](b)\n\n> <i\n\n[c](d)", ["b", "d"], (3, 3)),
        ("<https://a.b/> <c@d.e> [f](g)", ["https://a.b/", "mailto:c@d.e", "g"], (1, 1)),
        ("import {\n\n[a](b)", ["b"], (1, 1)),
        ("<div a=>\n[a](b)\n</div>", ["b"], (1, 1)),
        ("<!-- [a](b) --> [c](d)\n<!--\n[e](f)\n-->\n[g](h)", ["d", "h"], None),
        ("## a {#b}\n\n[c](d)", ["d"], None),
    ):
        found = document(text)
        assert [link.reference for link in found.links()] == expected, text
        wrong = found.not_well_formed()
        assert (wrong and wrong[1:]) == fault, text


def test_mdx_that_is_refused_is_reported_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.mdx").write_text("[b](b.md)\n\n[c](c.md) {", encoding="utf-8")
    (tmp_path / "b.md").write_text("{ <i> <https://a.b>", encoding="utf-8")
    found = [(one.document, one.code, one.line, one.column) for one in rehref.check(tmp_path).findings]
    assert found == [("a.mdx", "missing-file", 3, 5), ("a.mdx", "not-well-formed", 3, 11)]


def test_links_and_rewrite_note_what_mdx_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mdx").write_text("[b](b.md) <i>", encoding="utf-8")
    for command in (["links"], ["rewrite", "--url", URL]):
        done = CliRunner().invoke(program, [*command, "a.mdx"])
        assert "rehref: a.mdx: is not MDX: <i> is not closed at 1:11; programs refuse it\n" in done.stderr
        assert done.exit_code == 0


def test_docusaurus_may_say_which_files_are_mdx(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("    [b](b.md)\n\n<br>", encoding="utf-8")
    for said, expected in (("", 2), ("markdown: {format: 'detect'}", 0), ("markdown: {format: 'mdx'}", 2)):
        (tmp_path / "docusaurus.config.js").write_text(f"export default {{{said}}}", encoding="utf-8")
        assert len(rehref.check(tmp_path).findings) == expected, said


def test_docusaurus_reads_code_in_mdx_code_blocks() -> None:
    text = "```mdx-code-block\n<A>\n```\n\n[a](b)\n\n```mdx-code-block\n</A>\n```\n\n```md\n[no](c)\n```\n"
    assert [link.reference for link in document(text, "docusaurus").links()] == ["b"]
    assert document(text, "docusaurus").not_well_formed() is None
    text = "```mdx-code-block\nexport function A() {\n  return <b>c</b>\n}\n```\n\n````mdx-code-block\n[d](e)\n````"
    assert [link.reference for link in document(text, "docusaurus").links()] == ["e"]
    assert document(text, "docusaurus").not_well_formed() is None


def test_no_container_begins_in_a_tag_and_tables_end_where_a_list_begins() -> None:
    for text, expected, headings in (
        ("<a\n  href='b'\n>c [d](e)</a>\n===\n", ["b", "e"], 1),
        ("<a\n>``` [no](b)</a>```\n", [], 0),
        ("|a|\n|-|\n2. ## b [c](d)\n", ["d"], 1),
        ("> |a|\n|-|\n|b|[c](d)|\n", ["d"], 0),
        ("a\n{b}{c}\n[d](e)\n===\n", ["e"], 1),
        ("[a]: b\n| [c](d)\n", ["b", "d"], 0),
    ):
        found = oracle.found_in(text.encode())
        assert (sorted(value for _, value in found["links"]), len(found["headings"])) == (expected, headings), text


def test_headings_get_their_ids_in_elements() -> None:
    text = "<A>\n    ## b <C>d</C> {e}\n\n    ## f {#g}\n</A>\n"
    ids = {place.value for place in document(text, "docusaurus").parsed.places if place.attribute == "id"}
    assert {"b-d", "g"} <= ids


def test_a_page_may_have_more_than_its_text() -> None:
    for text, is_whole in {
        "a <B.C d={e}\n/>": False,
        "<A/> <A>b</A>": False,
        "<A>": False,
        "<A>b</A> <i>c</i>": True,
        "`<A/>` {'<A/>'}\n\n```\n<A/>\n```": True,
    }.items():
        assert document(text).parsed.is_whole is is_whole, text


def test_headings_may_have_the_ids_of_nextra() -> None:
    assert document("## a [#b]\n", "github").parsed.possible_ids == ("b",)  # type: ignore[attr-defined]
    assert "b" in document("## a [#b]\n").parsed.possible_ids  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        *(
            ("{}", piece)
            for piece in ("{", "{\n", "{`${", "<a b={", "{<a>", "<a>", "> <a\n", "- {\n", "<!--", '[](a "')
        ),
        *(
            ("{}", piece)
            for piece in ("import {\n\n", "<b>\n- ", "`{", "{/", "|{", "[^a]: {\n", "<a\n  b\n>c\n", "\\{")
        ),
        ("{}x", "- "),
        ("{}x", "* "),
        ("a {}}!", "<a b={"),
        ("{{}", "a\n\n"),
    ],
)
def test_the_time_grows_with_the_text(text: str, piece: str) -> None:
    def prepare(count: int) -> Callable[[], object]:
        return partial(document, text.replace("{}", piece * count, 1))

    assert_proportional(prepare, 200)


# ------------------------------------------------------------------------------------------------------------- the laws

_PIECES = st.sampled_from(
    [
        *("[a](b)", "![i](<c d>)", "[x]", "[x]: y\n", "[x]: <z> 't'\n", "http://f.g/h", "`", "*", "](", "[", "]", "("),
        *("<", ">", "\\", "&amp;", "|", "~~", "!", " ", "\n", "\n\n", "> ", "- ", "1. ", "    ", "\t", "# ", "===\n"),
        *(
            "|a|\n|-|\n",
            '<a href="j">',
            "</a>",
            "<img src={'k'}/>",
            "<A b={c}>",
            "</A>",
            "<>",
            "</>",
            "{d}",
            "{`",
            "`}",
        ),
        *(
            "<a\n  href='m'\n>",
            "import a\n",
            "export {\n",
            "}",
            "{",
            "<!--",
            "-->",
            "é",
            "\r\n",
            "\r",
            "\0",
            "<b",
            "'t'",
        ),
        *(
            "```\n",
            "[^1]: ",
            "[^1]",
            "{/* [c](d) */}",
            "<a href={`n`} />",
            "<a href={o} />",
            "<q@r.s>",
            "<p>\n",
            "</p>\n",
        ),
    ]
)
TEXTS = st.lists(_PIECES, max_size=14).map("".join)


@given(TEXTS, st.sampled_from(["utf-8", "str"]))
@settings(max_examples=300)
def test_laws(text: str, form: str) -> None:
    source = text if form == "str" else text.encode()
    found = links(source)
    assert rewrite(source, lambda link: None) == source
    made = rewrite(source, lambda link: "http://new.example/x_y?z=1&copy=2")
    again = links(made)
    assert len(again) == len(found)
    assert between(source, found) == between(made, again)
    for one, other in zip(found, again, strict=True):
        assert other.target in (one.target, "http://new.example/x_y?z=1&copy=2")
    absolute = rewrite(source)
    assert rewrite(absolute) == absolute
    assert [each.target for each in links(absolute)] == [each.target for each in found]

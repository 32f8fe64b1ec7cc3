"""Markdown: the rules of `rehref.documents._formats.markdown` and `rehref.documents._markdown`, and the laws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import rehref
from laws import between
from rehref.documents.base import Layers
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.edits import rewrite_document

pytest.importorskip("pyromark", reason="needs the package pyromark")
HERE = "http://h.example/d/p.md"

PAGE = """---
title: x
url: /a/b/
image: "/img/é.png"
aliases:
  - /old/
---
# T

[a](b.md "t") ![i](<x y.png>) [r][L] <http://e.org/x> see http://q.org/a_b.

<a href="h.html">é</a> <img src=y.png>

> quote <div
> id="w"><a href="in&amp;q">z</a> [two
> lines](
> n.md) `[no](code.md)`

[l]: ../up.md 'T'

| a |
|---|
| [x](a\\|b) |
"""


def read(text: bytes | str, **options: Any) -> list[rehref.Link]:
    return rehref.links(text, media_type="text/markdown", url=HERE, **options)


def rewrite(text: bytes | str, rule: Any = None, **options: Any) -> Any:
    return rehref.rewrite(text, rule or rehref.Absolute(), media_type="text/markdown", url=HERE, **options)


def references(text: str) -> list[str]:
    return [link.reference for link in read(text)]


def test_every_kind_of_place_with_its_span_line_and_column() -> None:
    data = PAGE.encode()
    links = read(data)
    assert [(each.element, each.attribute, each.kind, each.reference) for each in links] == [
        ("", "url", "metadata", "/a/b/"),
        ("", "image", "resource", "/img/é.png"),
        ("", "aliases", "metadata", "/old/"),
        ("a", "href", "hyperlink", "b.md"),
        ("img", "src", "resource", "x y.png"),
        ("a", "href", "hyperlink", "http://e.org/x"),
        ("a", "href", "hyperlink", "http://q.org/a_b"),
        ("a", "href", "hyperlink", "h.html"),
        ("img", "src", "resource", "y.png"),
        ("a", "href", "hyperlink", "in&q"),
        ("a", "href", "hyperlink", "n.md"),
        ("a", "href", "hyperlink", "../up.md"),
        ("a", "href", "hyperlink", "a|b"),
    ]
    for each in links:
        assert each.span is not None
        assert each.line is not None
        assert each.column is not None
        written = data[slice(*each.span)].decode()
        assert written.replace("&amp;", "&").replace("\\|", "|") == each.reference
        assert PAGE.split("\n")[each.line - 1][each.column - 1 :].startswith(written)
    assert links[3].target == "http://h.example/d/b.md"


def test_a_str_and_other_encodings_are_read_alike() -> None:
    places = [(each.reference, each.line, each.column) for each in read(PAGE)]
    absolute = rewrite(PAGE)
    assert absolute == rewrite(PAGE.encode()).decode()
    for encoding in ("utf-8", "utf-16", "windows-1252"):
        data = PAGE.encode(encoding)
        options = {"encoding": encoding} if encoding == "windows-1252" else {}
        assert [(each.reference, each.line, each.column) for each in read(data, **options)] == places
        assert rewrite(data, **options) == absolute.encode(encoding)
    assert [each.span for each in read(b"\xef\xbb\xbf[a]: b\n\n[a]")] == [(8, 9)]


def test_the_definition_is_the_place_and_the_first_one_counts() -> None:
    assert references("[a][x] [b][X] ![c][i] [e]\n\n[x]: one\n[x]: two\n[i]: p.png\n[e]: <>") == ["one", "p.png", ""]
    assert read("![c][i]\n\n[i]: p.png")[0].kind == "resource"
    assert rewrite("[x] [X]\n\n[x]: one 'T'") == "[x] [X]\n\n[x]: http://h.example/d/one 'T'"


def test_bare_urls_end_as_in_gfm() -> None:
    for text, expected in {
        "http://a.b/c.": ["http://a.b/c"],
        "(www.a.org/x(y)) www": ["http://www.a.org/x(y)"],
        "http://a.b/?q=1&copy; x": ["http://a.b/?q=1"],
        "http://a.b/1;; http://a.b/2;) http://a.b/3&4;": ["http://a.b/1", "http://a.b/2", "http://a.b/3&4"],
        "(M)[http://a.b/] [x [y] www.c.d m@e.f": ["mailto:m@e.f"],
        "[x] http://a.b/": ["http://a.b/"],
        "**http://a.b/**": ["http://a.b/"],
        "mail me@a.org!": ["mailto:me@a.org"],
        "http://a_b.c_d/ `http://code/` [http://t/](u) \\http://x.y": ["u", "http://x.y"],
        "xhttp://a.b ftp://f.g/ http:// http://h.i/]": ["ftp://f.g/", "http://h.i/"],
        "tar@6.2.1 a@b.c": ["mailto:a@b.c"],
        "http://${host}/ http://[h]/ http://-a.b/": ["http://-a.b/"],
    }.items():
        assert references(text) == expected, text


def test_a_link_in_the_text_of_an_image_is_not_one() -> None:
    """CommonMark 0.31.2, example 520."""
    assert references("![[[a](b)](c)](d) [![e](f)](g) ![h ![i](j)](k)") == ["d", "f", "g", "k"]


def test_what_a_generator_decides_is_not_a_reference() -> None:
    text = '[a]({{< ref "b" >}}) [c]({{site.url}}/d) {% link e.md %} [[wiki]] [f](g) <http://h/{{i}}> http://j/{{ k }}'
    assert references(text) == ["g"]
    document = read_document(text.encode(), "text/markdown", None, Layers(retrieval=HERE), ReadOptions.DEFAULT)
    assert document.parsed.skipped == 6  # type: ignore[attr-defined]


def test_front_matter_is_only_at_the_beginning() -> None:
    """What pyromark takes for it further on is a line, and text: a heading, if a line is below it."""
    for line in ("---", "+++"):
        assert references(f"{line}\nurl: /a\n{line}\n[b](c)\n\n{line}\n[d](e)\n\n[f](g)\n\n{line}\n") == [
            "/a",
            "c",
            "e",
            "g",
        ]
    assert references("---\nurl: /a\n...\n[b](c)") == ["/a", "c"]
    assert references("\n---\nurl: /a\n---\n") == []
    assert rewrite("x\n\n---\n[d](e)\n\n---\n") == "x\n\n---\n[d](http://h.example/d/e)\n\n---\n"


def test_of_front_matter_only_plain_values_are_read() -> None:
    for written, expected in {
        "image: /a,b.png # c": ["/a,b.png"],
        "image: /a#b": ["/a#b"],
        "image: {a: /b}": [],
        "url: [/a": [],
        "url: |\n  /a": [],
        "url: 'it''s'": [],
        'url: "a\\"b"': [],
        "aliases: ['/a', \"/b\", /c, \"d\\\"e\", 'f''g']": ["/a", "/b", "/c"],
        "aliases:\n  - /a # b\n  - '/c'": ["/a", "/c"],
        "url: /é": ["/é"],
    }.items():
        assert references(f"---\n{written}\n---\n") == expected, written


MDX = """---
url: /u/
---
import Link from "@docusaurus/Link"

{/* [no](no.md) */}

<Link to="/a">x</Link> <Link href="b.md" id="i">y</Link> <Tabs.Item to='c'/> <a href={url}>z</a>

<img src={require("./d.png").default} /> <Image src="/e.png" />

[ok](f.md) <a href="g.md">h</a> `<Link to="no">`
"""


def test_what_a_component_or_an_expression_decides_is_skipped_in_mdx() -> None:
    for url, dialect in (
        ("http://h.example/d/p.mdx", None),
        ("http://h.example/d/P.MDX", "github"),
        (HERE, "docusaurus"),
    ):
        how = replace(ReadOptions.DEFAULT, dialect=dialect)
        document = read_document(MDX.encode(), "text/markdown", None, Layers(retrieval=url), how)
        assert [link.reference for link in document.links()] == ["/u/", "f.md", "g.md"]
        assert document.parsed.skipped == 6  # type: ignore[attr-defined]
        assert rewrite_document(document, lambda link: None).data == MDX.encode()
        assert "i" in {place.value for place in document.parsed.places}
    assert len(read(MDX)) == 7  # not MDX by its name


def test_writing_keeps_the_meaning() -> None:
    for text, new, expected in (
        ("[a](b)", "x y(z", "[a](x%20y\\(z)"),
        ("[a](b)", "x(y)", "[a](x(y))"),
        ("[a](<b>)", "x(y", "[a](<x(y>)"),
        ("[a](b)", "?x&copy;=`<>", "[a](?x&amp;copy;=%60%3C%3E)"),
        ("[a](b)", "c\\*d", "[a](c\\\\*d)"),
        ("[a](b)", "{{c}}", "[a](%7B{c}})"),
        ("[a]\n\n[a]: b", "", "[a]\n\n[a]: <>"),
        ("[a](b&amp;c\\*d)", "/x/b&c*d", "[a](/x/b&amp;c\\*d)"),
        ("<http://a.b>", "c", "<http://a.b>"),
        ("<http://a.b>", "ftp://c", "<ftp://c>"),
        ("<http://a.b>", "ftp://{{c}}", "<http://a.b>"),
        ("see http://a.b", "ftp://{%c%}", "see http://a.b"),
        ("see http://a.b.", "https://c.d/", "see https://c.d/."),
        ("see http://a.b.", "https://c.d/.", "see http://a.b."),
        ("see http://a.b.", "c", "see http://a.b."),
        ("|a|\n|-|\n|[b](c)|", "d|e", "|a|\n|-|\n|[b](d%7Ce)|"),
        ('<a href="b">', 'c"d', '<a href="c&quot;d">'),
        ("---\nimage: /a.png\n---\n", "/b.png", "---\nimage: /b.png\n---\n"),
        ("---\nimage: /a.png\n---\n", "/b: c", "---\nimage: /a.png\n---\n"),
    ):
        assert rewrite(text, lambda link, new=new: new) == expected, text


def test_a_change_that_would_be_read_otherwise_is_not_made_and_not_counted() -> None:
    text = "[a](\nb\n'title') and [c](d)"  # a line of "===" would make a heading of it
    document = read_document(text, "text/markdown", None, Layers(retrieval=HERE), ReadOptions.DEFAULT)
    made = rewrite_document(document, lambda link: "===" if link.reference == "b" else "e")
    assert made.data == "[a](\nb\n'title') and [c](e)"
    assert (made.changed, made.references, made.refused) == (1, 2, ((2, 1),))


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from rehref.documents import reading

    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name}", name="pyromark")

    reading._format.cache_clear()
    monkeypatch.setattr(reading, "import_module", missing)
    with pytest.raises(rehref.UnknownMediaTypeError, match=r"pip install 'rehref\[markdown\]'"):
        read("[a](b)")


def test_files_with_the_extensions_are_markdown_if_they_are_named(tmp_path: Path) -> None:
    assert {MediaType.by_extension(f"a.{ending}") for ending in ("md", "markdown", "mdx", "MD")} == {"text/markdown"}
    file = tmp_path / "a.md"
    file.write_text("[a](b.md)")
    assert [link.reference for link in rehref.links(file)] == ["b.md"]


# ------------------------------------------------------------------------------------------------------------- the laws

_PIECES = st.sampled_from(
    [
        *("[a](b)", "![i](<c d>)", "[x]", "[x]: y\n", "[x]: <z> 't'\n", "<http://e/>", "http://f.g/h", "www.i.org"),
        *("`", "*", "_", "](", "[", "]", "(", ")", "<", ">", "\\", "&amp;", "|", "~~", "!", " ", "  ", "\n", "\n\n"),
        *("> ", "- ", "1. ", "    ", "# ", "===\n", "---\n", "|a|\n|-|\n", '<a href="j">', "<img src='k'>", "<!--"),
        *("-->", "[^1]: ", "é", "{{", "{%", "\r\n", "\r", "\t", "\0", "[a](\n> b)", "<b", "'t'", "```\n", "<q@r.s>"),
    ]
)
TEXTS = st.lists(_PIECES, max_size=14).map("".join)


def targets_by_markdown_it(text: str) -> list[str]:
    """What markdown-it-py links to, by CommonMark, with GFM's tables."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    found: list[str] = []
    waiting = parser.parse(text)
    while waiting:
        token = waiting.pop()
        found += [str(token.attrs[name]) for name in ("href", "src") if name in token.attrs]
        waiting += token.children or []
    return sorted(found)


@given(TEXTS, st.sampled_from(["utf-8", "str"]))
@settings(max_examples=300)
def test_laws(text: str, form: str) -> None:
    source = text if form == "str" else text.encode()
    links = read(source)
    assert rewrite(source, lambda link: None) == source
    made = rewrite(source, lambda link: "http://new.example/x_y?z=1&copy=2")
    again = read(made)
    assert len(again) == len(links)
    assert between(source, links) == between(made, again)
    for one, other in zip(links, again, strict=True):
        assert other.target in (one.target, "http://new.example/x_y?z=1&copy=2")
    absolute = rewrite(source)
    assert rewrite(absolute) == absolute
    assert [each.target for each in read(absolute)] == [each.target for each in links]


def test_targets_are_those_of_markdown_it() -> None:
    for text in (PAGE, "[a](b) ![c](d 'e') [f] <g:h>\n\n[f]: <i j>\n", "> 1. [a](\n>    b)\n", "[![a](b)](c) [](d)"):
        body = text.partition("\n---\n")[2] if text.startswith("---") else text
        parser_targets = targets_by_markdown_it(body)
        links = [each for each in read(body) if each.reference not in ("http://q.org/a_b", "h.html", "y.png", "in&q")]
        assert sorted(each.reference.replace(" ", "%20").replace("|", "%7C") for each in links) == parser_targets

"""HTML documents: one test for each rule of `rehref.documents._formats.html`, `problems` and of the public `links`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import rehref
from rehref.exceptions import ParserError
from rehref.markup.cores import names

CORES = ("source", "lxml", "html5lib")
URL = "http://h/a/b.html"


@pytest.fixture(params=CORES)
def core(request: pytest.FixtureRequest) -> str:
    """Each of the cores."""
    return request.param


def read(html: str | bytes, **options) -> list[rehref.Link]:
    options.setdefault("url", URL)
    return rehref.links(html, **options)


def targets(html: str | bytes, **options) -> list[str | None]:
    return [link.target for link in read(html, **options)]


def codes(html: str, **options) -> list[list[str]]:
    return [[problem.code for problem in link.problems] for link in read(html, **options)]


def test_the_three_cores_are_registered():
    assert names()[0] == "source"
    assert set(CORES) <= set(names())


# ------------------------------------------------------------------------------------------------ the base


def test_the_first_base_with_an_href_counts_and_what_stands_before_it_too(core):
    html = '<a href="1">x</a><base target="_top"><base href="/x/"><base href="/y/"><a href="2">y</a>'
    links = read(html, parser=core)
    assert [link.target for link in links if link.element == "a"] == ["http://h/x/1", "http://h/x/2"]
    assert {link.base.origin for link in links if link.element == "a"} == {"embedded"}


@pytest.mark.parametrize("core", [name for name in CORES if name != "lxml"])  # there, nothing leaves a table
@pytest.mark.parametrize(
    ("html", "base"),
    [
        # foster parenting puts it before the table, and so before what is in the table
        ("<table><td><base href=1/></td></tr><base href=2/></table>", 2),
        ("<table><td><base href=1/></td><div><b><base href=2/></b></div></table>", 2),
        ("<table><td><base href=1/></td><svg><desc><base href=2/></desc></svg></table>", 2),
        # again and again
        ("<table><td><base href=1/><table><td><base href=2/></td><base href=3/></table></td><base href=4/></table>", 4),
        ("<table><td><table><td><base href=1/></td><base href=2/></table></td><base href=3/><base href=4/></table>", 3),
    ],
)
def test_a_base_moves_before_its_table_and_so_before_what_is_in_the_table(core, html, base):
    assert base_of(html, core) == {f"http://h/a/{base}/x"}


@pytest.mark.parametrize(
    ("html", "base"),
    [
        # the first is not in that table
        ("<base href=1/><table><td><base href=2/></td><base href=3/></table>", 1),
        ("<table><td><base href=1/></table><table><base href=2/></table>", 1),
        ("<table><b><base href=1/></b><base href=2/></table>", 1),
        ("<table><base href=1/><td></td><base href=2/></table>", 1),
        ("<table><td><base href=1/><table><td><base href=2/></td><base href=3/></table></table>", 1),
        # what is not the base
        ("<table><td><base target=1/></td><base href=2/></table>", 2),
        ("<table><td><base href=1/></td><base target=2/></table>", 1),
        ("<table><td><base href=1/></td><template><base href=2/></template></table>", 1),
    ],
)
def test_the_first_base_in_the_tree_counts(core, html, base):
    assert base_of(html, core) == {f"http://h/a/{base}/x"}


def base_of(html, core):
    return {link.target for link in read(f"{html}<p><a href=x>", parser=core) if link.element == "a"}


def test_a_base_that_takes_over_counts_for_frames_behind_it_and_is_the_one_without_problems():
    frame = "<iframe srcdoc='<a href=x>'></iframe>"
    links = read(f"{frame}<table><td><base href=/1/>{frame}</td></tr><base href=/2/>{frame}</table>")
    assert [link.target for link in links if link.element == "a"] == ["http://h/a/x", "http://h/1/x", "http://h/2/x"]
    assert [[problem.code for problem in link.problems] for link in links if link.kind == "base"] == [
        ["base-repeated", "base-in-body"],
        ["base-in-body"],
    ]


def test_a_base_says_where_it_stands():
    html = '<html>\n<head>\n  <base href="/x/">\n<a href="1">'
    base, link = read(html)
    assert link.base == rehref.Base("http://h/x/", "embedded", "<base href> at 3:3")
    assert (base.line, base.column) == (3, 15)


def test_no_base_in_a_template_in_svg_or_in_a_comment(core):
    for hidden in (
        "<template><base href=/no/></template>",
        "<svg><base href=/no/></svg>",
        "<!-- <base href=/no/> -->",
        "<textarea><base href=/no/></textarea>",
        "<script>'<base href=/no/>'</script>",
    ):
        links = read(f"<body>{hidden}<a href=x>x</a>", parser=core)
        assert links[-1].target == "http://h/a/x", hidden


def test_noscript_is_markup(core):
    assert read("<body><noscript><a href=x>x</a></noscript>", parser=core)[0].target == "http://h/a/x"


def test_a_bases_own_href_is_resolved_against_what_stands_outside(core):
    base, link = read("<base href=../x/><a href=y>y</a>", parser=core)
    assert (base.kind, base.target, base.base.origin) == ("base", "http://h/x/", "retrieval")
    assert link.target == "http://h/x/y"


def test_a_srcdoc_has_the_base_that_is_there_when_its_frame_is_read(core):
    frame = "<iframe srcdoc='<base href=k/><a href=1>'></iframe><iframe srcdoc='<a href=2>'></iframe>"
    behind = [link.target for link in read(f"{frame}<base href=/x/>{frame}", parser=core) if link.element == "a"]
    assert behind == ["http://h/a/k/1", "http://h/a/2", "http://h/x/k/1", "http://h/x/2"]
    nested = f'<iframe srcdoc="{frame}<base href=/y/>{frame}"></iframe><base href=/x/>'
    links = read(nested, parser=core, profile="whatwg")
    assert [link.target for link in links if link.element == "a"] == [
        *("http://h/a/k/1", "http://h/a/2", "http://h/y/k/1", "http://h/y/2"),
    ]


def test_a_base_in_a_template_of_a_srcdoc_is_relative_to_the_base_of_the_page(core):
    html = "<base href=/x/><iframe srcdoc='<template><base href=k/></template>'></iframe>"
    found = rehref.links(html, url="http://h/a/b", profile="whatwg", parser=core)
    assert found[-1].target == "http://h/x/k/"


def test_a_base_behind_a_srcdoc_that_is_ignored():
    html = "<base href=/x/><iframe srcdoc='<base href=k/><a href=1>'></iframe><base href=/y/>"
    assert targets(html, ignore_embedded_base=True)[2] == "http://h/a/k/1"


def test_a_srcdoc_is_in_utf_8_and_a_comment_in_the_encoding_of_the_page(core):
    html = "<iframe srcdoc='<a href=?é>'></iframe><!--[if IE]><a href=?é><![endif]--><a href=?é>".encode("latin-1")
    links = read(html, parser=core, profile="whatwg", encoding="windows-1252")
    page = "http://h/a/b.html"
    assert {(link.reference, link.target) for link in links} == {("?é", f"{page}?%C3%A9"), ("?é", f"{page}?%E9")}
    assert links[0].target == f"{page}?%C3%A9"
    assert links[-1].target == f"{page}?%E9"


def test_many_frames_and_bases_take_linear_time():
    html = "<iframe srcdoc='<a href=1>'></iframe><template><base href=/x/></template>" * 3000 + "<base href=/y/>"
    links = read(html)
    assert {link.target for link in links if link.element == "a"} == {"http://h/a/1"}


def test_a_rejected_base_is_skipped_and_named():
    link = read("<base href='data:,x'><a href=y>y</a>")[-1]
    assert (link.target, link.base.origin) == ("http://h/a/y", "retrieval")
    (rejected,) = link.base.rejected
    assert (rejected.reference, rejected.where) == ("data:,x", "<base href> at 1:1")
    assert "data:" in rejected.reason


def test_the_layers_outside():
    html = "<a href=x>x</a>"
    assert targets(html, url=None) == [None]
    assert codes(html, url=None) == [["no-base"]]
    assert targets(html, url=None, default_base="http://d/") == ["http://d/x"]
    assert targets(html, entity_base="http://e/") == ["http://e/x"]
    assert targets(html, entity_base="sub/") == ["http://h/a/sub/x"]
    assert targets("<base href=/x/>" + html, ignore_embedded_base=True)[-1] == "http://h/a/x"


def test_codebase_is_the_base_of_its_own_element():
    html = "<base href=/x/><object codebase=cb/ data=d archive='a b' usemap='#m'></object><img src=i>"
    assert targets(html)[1:] == [
        "http://h/x/cb/",
        "http://h/x/cb/d",
        "http://h/x/cb/a",
        "http://h/x/cb/b",
        "http://h/a/b.html#m",
        "http://h/x/i",
    ]
    assert targets(html, profile="whatwg")[2] == "http://h/x/d"


def test_an_empty_action_is_the_document(core):
    html = "<base href=/x/><form action=''><button formaction=''></button><button formaction=y></button></form>"
    links = read(html, parser=core)[1:]
    assert [link.target for link in links] == [URL, URL, "http://h/x/y"]
    assert [link.same_document for link in links] == [True, True, False]


# ---------------------------------------------------------------------------------------------- references


def test_surrounding_white_space_is_stripped_and_inner_line_ends_are_removed(core):
    (link,) = read("<a href=' \n p/\n\tq '>x</a>", parser=core)
    assert link.reference == "p/\n\tq"
    assert link.target == "http://h/a/p/q"
    assert [problem.code for problem in link.problems] == ["white-space-in-reference"]


def test_a_scheme_without_hierarchy_is_its_own_target():
    for reference in ("javascript:a('/../b')", "data:text/html,a/../b", "mailto:a@b", "about:blank", "cid:x", "tel:+1"):
        assert targets(f'<a href="{reference}">x</a>') == [reference]


def test_same_document_references():
    html = "<a href=#x></a><a href=''></a><a href=b.html#y></a><a href=c.html></a><map></map><img usemap=#m>"
    assert [link.same_document for link in read(html)] == [True, True, True, False, True]
    diverted = read("<base href=/x/>" + html)
    # what usemap names is in this document, whatever the base
    assert [link.same_document for link in diverted] == [False, False, False, False, False, True]
    assert diverted[-1].target == "http://h/a/b.html#m"
    assert read("<base href=/x/>" + html, profile="whatwg")[-1].target == "http://h/x/#m"
    assert [[problem.code for problem in link.problems] for link in diverted] == [
        [],
        ["leaves-document"],
        ["leaves-document"],
        [],
        [],
        [],
    ]


def test_nothing_is_known_of_the_documents_uri():
    links = read("<a href=#x></a><a href=y></a>", url=None)
    assert [(link.target, link.same_document) for link in links] == [(None, True), (None, False)]


def test_rfc_2396_reads_an_empty_reference_as_the_current_document():
    html = "<base href=/x/y><a href='#s'></a><a href=''></a><a href='?q'></a>"
    links = read(html, profile="rfc2396")[1:]
    assert [link.target for link in links] == [URL + "#s", URL, "http://h/x/?q"]
    assert [link.same_document for link in links] == [True, True, False]


def test_one_link_for_each_reference_of_a_list():
    html = "<img srcset='a,b 1x, c 2x'><a href=d ping='e  f'>x</a>"
    links = read(html)
    assert [link.reference for link in links] == ["a,b", "c", "d", "e", "f"]
    assert [html[link.span[0] : link.span[1]] for link in links if link.span] == ["a,b", "c", "d", "e", "f"]


def test_references_in_a_style_sheet_that_is_a_url(core):
    page = (
        "<base href=/d/><link rel=stylesheet href=a>"
        "<link rel=stylesheet href='data:text/css,a{b:url(x)}c{d:url(%22y%20%22)}'>"
        "<link rel=stylesheet href=' &#100;ata:text/css,a{b:url(z)}'><link rel=stylesheet href=data:text/css,a{}>"
        "<link rel=preload as=style href='data:text/css,a{b:url(p)}'>"
    )
    links = [link for link in read(page, parser=core) if link.kind == "resource"]
    whole = ["data:text/css,a{}", "data:text/css,a{b:url(p)}"]
    assert [link.reference for link in links] == ["a", "x", "y ", "z", *whole]
    assert links[1].target == "http://h/d/x"
    if core == "source":
        spans = [page[slice(*link.span)] for link in links if link.span]
        assert spans == ["a", "x", "y%20", "z", *whole]


def test_kinds(core):
    html = (
        "<base href=/><link rel=stylesheet href=s><link rel=next href=n><a href=a></a><form action=f></form>"
        "<q cite=c></q><img src=i usemap=#m><svg><rect fill='url(#g)'/></svg>"
    )
    kinds = [link.kind for link in read(html, parser=core)]
    assert kinds == [
        *("base", "resource", "hyperlink", "hyperlink", "form", "citation", "resource", "fragment", "fragment"),
    ]


def test_meta_refresh(core):
    html = (
        '<meta http-equiv="Refresh" content="0; url=x"><meta http-equiv=refresh content=5>'
        '<meta name=a content="0;url=y">'
    )
    assert [link.reference for link in read(html, parser=core)] == ["x"]


def test_references_in_styles():
    html = "<style>@import 'a'; p{background:url( b )}</style><p style='background:url(&quot;c&quot;)'>"
    links = read(html)
    assert [(link.attribute, link.reference) for link in links] == [(None, "a"), (None, "b"), ("style", "c")]
    assert [html[link.span[0] : link.span[1]] for link in links if link.span] == ["a", "b", "c"]


@pytest.mark.parametrize("core", ["source", "lxml", "html5lib"])
@pytest.mark.parametrize("around", ["{}", "<svg>{}</svg>"])
def test_only_styles_of_css_have_references(core, around):
    types = ["", " type", " type=''", " type=Text/CSS", " type=text/less", " type=text/tailwindcss"]
    types += [
        " type='text/css; charset=utf-8'",
        " type=' text/css'",
        " type=text/css media=print",
        " type=text&sol;css",
    ]
    styles = "".join(f"<style{type_}>@import '{number}'</style>" for number, type_ in enumerate(types))
    assert [link.reference for link in read(around.format(styles), parser=core)] == ["0", "1", "2", "3", "8", "9"]


@pytest.mark.parametrize("core", ["source", "lxml", "html5lib"])
def test_mathml_has_no_styles(core):
    assert read("<math><style>@import 'a'</style></math>", parser=core) == []


def test_a_style_sheet_that_is_a_url_and_has_another_type_has_no_references():
    html = "<link rel=stylesheet type=text/less href='data:text/css,a{b:url(x)}'>"
    assert [link.reference for link in read(html)] == ["data:text/css,a{b:url(x)}"]
    assert [link.reference for link in read(html.replace("less", "css"))] == ["x"]


# ------------------------------------------------------------------------------------------------ problems


@pytest.mark.parametrize(
    ("reference", "code", "says"),
    [
        (r"\\x\y", "browser-differs", "http://x/y"),
        ("http:g", "browser-differs", "http://h/a/g"),
        ("http://[bad", "browser-differs", "no URL"),
        ("///p", "browser-differs", "http://p/"),
        ("ws:?q", "browser-differs", "no URL"),
        ("a b", "not-a-uri", "character 2"),
        ("http://u:secret@x/", "password-in-uri", "password"),
        ("a\tb", "white-space-in-reference", "TAB"),
    ],
)
def test_problems(reference, code, says):
    (link,) = read(f"<a href='{reference}'>x</a>")
    found = {problem.code: problem.message for problem in link.problems}
    assert code in found
    assert says in found[code]
    assert "secret" not in found[code]


def test_an_ordinary_reference_has_no_problem():
    for reference in ("x", "../x?y#z", "/x", "#x", "?q", "", "http://x/y", "//x/y", "%7Ex", "mailto:a@b", "x;y=1,2"):
        assert codes(f"<a href='{reference}'>x</a>") == [[]], reference


def test_a_browser_goes_nowhere():
    assert targets("<a href='http://[bad'>", profile="whatwg") == [None]
    assert codes("<a href='http://[bad'>", profile="whatwg") == [["unresolvable", "not-a-uri"]]


def test_what_is_only_spelt_otherwise_is_no_difference():
    assert codes("<a href='é'>") == [[]]
    assert codes("<a href='HTTP://EX:80'>") == [[]]


# ----------------------------------------------------------------------------------------------- the source


def test_sources_of_every_kind(tmp_path: Path):
    html = "<a href=é>x</a>"
    path = tmp_path / "p q.html"
    path.write_bytes(html.encode("utf-8"))
    assert rehref.links(path)[0].base.uri == path.as_uri()
    assert read(html)[0].span == (8, 9)
    assert read(html.encode(), encoding="utf-8")[0].span == (8, 10)
    assert rehref.links(io.BytesIO(html.encode()), url=URL, encoding="utf-8")[0].target == "http://h/a/é"


def test_an_unknown_parser_is_refused_with_those_that_there_are():
    with pytest.raises(ParserError, match="source"):
        read("", parser="none")


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "gbk", "euc-kr", "windows-1252", "utf-16le", "utf-16be"])
def test_spans_and_positions_in_every_encoding(encoding):
    word = {"shift_jis": "表ソ能", "gbk": "漢字丂", "euc-kr": "한국어"}.get(encoding, "éüñ")
    html = f"<p>{word}</p>\n<p>{word}<a href='{word}/x'>x</a><img src=y>"
    python = {"shift_jis": "cp932", "euc-kr": "cp949", "windows-1252": "cp1252"}.get(encoding, encoding)
    data = html.encode(python)
    if encoding.startswith("utf-16"):
        data = "\ufeff".encode(encoding) + data
    links = read(data, encoding=encoding)
    assert [link.reference for link in links] == [f"{word}/x", "y"]
    line = html.splitlines()[1]
    assert [(link.line, link.column) for link in links] == [
        (2, line.index(f"{word}/x") + 1),
        (2, line.index("y>") + 1),
    ]
    for link in links:
        assert link.span is not None
        assert data[slice(*link.span)].decode(python) == link.reference


def test_hostile_sizes_do_not_hurt():
    assert len(read("<a href=x>" * 20_000)) == 20_000
    assert read("<" * 1_000_000) == []
    assert read("<a " * 300_000) == []
    assert len(read("<div>" * 100_000 + "<a href=x>")) == 1
    assert read("<!--" * 300_000) == []

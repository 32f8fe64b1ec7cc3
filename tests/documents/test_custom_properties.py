"""`url()` in custom properties of CSS: relative to what uses them (documents/_bases/bases_of_values.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from growth import assert_proportional
from rehref.uri.syntaxes import SYNTAXES, CustomProperties

PAGE = "http://h/p/"


def targets(data: str, media_type: str = "text/html", **options: object) -> dict[str, str | None]:
    links = rehref.links(data, url=PAGE, media_type=media_type, **options)  # type: ignore[arg-type]
    return {link.reference: link.target for link in links}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("--x:url(a)", {"a": "--x"}),
        ("a{--x: url('a;b'), url(c);background:url(d)}", {"a;b": "--x", "c": "--x", "d": ""}),
        ('--x:"a;b" url(c);b:url(d)', {"c": "--x", "d": ""}),
        ("/*--*/--\\78 : url(e)", {"e": "--x"}),
        ("a{b:url(x--;y);--z:{c:url(q)}}", {"x--;y": "", "q": ""}),
        ("--x:url(data:,),url(#f),url(http://h/),url(r)", {"data:,": "", "#f": "", "http://h/": "", "r": "--x"}),
        ("--x url(r)", {"r": ""}),
        ("a{c:--x;d:url(r)}b{--x :image-set('s' 1x,url(t) 2x)}", {"r": "", "s": "--x", "t": "--x"}),
        ("a{--x:src('r')", {"r": "--x"}),
        ("--x:url(a\\)b);y:url(c)", {"a)b": "--x", "c": ""}),
    ],
)
def test_the_property_that_a_reference_is_in(text: str, names: dict[str, str]) -> None:
    assert {found.text: found.property for found in SYNTAXES["css"].find(text)} == names


def test_what_css_uses_and_registers() -> None:
    text = "a:var(--x, url(b));c:VAR( --y );@property --z{syntax:'<url>';inherits:true}@property --w{syntax:'<image>'}"
    assert CustomProperties.of(text) == ({"--x", "--y"}, {"--z"})


@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
def test_a_document_knows_only_its_own_uses(parser: str) -> None:
    html = (
        "<style>:root{--x:url(a)} p{background:var(--x)}</style>"
        "<p style='--y:url(b);--z:url(http://o/c);background:url(d)'>"
    )
    assert targets(html, parser=parser) == {"a": f"{PAGE}a", "b": None, "http://o/c": "http://o/c", "d": f"{PAGE}d"}
    [problem] = [each for link in rehref.links(html, url=PAGE, parser=parser) for each in link.problems]  # type: ignore[arg-type]
    assert (problem.code, "--y" in problem.message) == ("uncertain-base", True)


def test_style_sheets_and_images_are_documents_too() -> None:
    assert targets(":root{--x:url(a)}b{c:url(d)}", "text/css") == {"a": None, "d": f"{PAGE}d"}
    assert targets(":root{--x:url(a)}b{c:var(--x)}", "text/css") == {"a": f"{PAGE}a"}
    assert targets("@property --x{syntax:'<url>'}b{--x:url(a)}", "text/css") == {"a": f"{PAGE}a"}
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><style>a{--x:url(b)}</style><g style="fill:url(c)"/></svg>'
    assert targets(svg, "image/svg+xml") == {"b": None, "c": f"{PAGE}c"}


def test_what_is_uncertain_stays() -> None:
    html = "<base href=/k/><p style='--y:url(b)'><a href=x>"
    for rule in (rehref.Absolute(), rehref.Relative(), rehref.Absolute(base_element="drop")):
        assert "--y:url(b)" in rehref.rewrite(html, rule, url=PAGE)


def site(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


FILES = {
    "page.html": "<link rel=stylesheet href=css/s.css><p style='--a:url(img/x.gif);--b:url(no.gif)'>",
    "css/s.css": "p{background:var(--a)} q{background:var(--b)}",
    "css/img/x.gif": "",
}


def test_a_site_knows_who_uses_a_property(tmp_path: Path) -> None:
    [finding] = rehref.check(site(tmp_path, FILES)).findings
    assert (finding.code, finding.reference, finding.target) == (
        "missing-file",
        "no.gif",
        "https://site.invalid/css/no.gif",
    )


def test_uses_that_do_not_agree_say_nothing(tmp_path: Path) -> None:
    files = FILES | {"other/t.css": "q{background:var(--b)}"}
    result = rehref.check(site(tmp_path, files))
    assert [each.code for each in result.findings if each.severity != "info"] == []


def test_a_path_from_the_root_is_the_same_for_a_whole_site(tmp_path: Path) -> None:
    [finding] = rehref.check(site(tmp_path, {"a.html": "<p style='--x:url(/no.gif)'>"})).findings
    assert (finding.code, finding.reference) == ("missing-file", "/no.gif")


def test_a_picture_that_moves_is_found_from_there(tmp_path: Path) -> None:
    rehref.move(site(tmp_path, FILES) / "css/img/x.gif", tmp_path / "css/img/y.gif", folder=tmp_path)
    assert "--a:url(img/y.gif)" in (tmp_path / "page.html").read_text()


def test_time_is_linear() -> None:
    lists = ("--x:" + "url(data:,),url(r)," * 50, "a:" + "url(data:,),url(r)," * 50)
    registered = ("--x:url(r);" + "@property --a " * 100, "--x:url(r);@property --a{" + "syntax:" * 200)
    for text in (*lists, *registered, "--x;" * 200 + "url(r)", "supports(" * 100, "@supports " * 100):
        assert_proportional(lambda size, text=text: lambda: targets(text * size, "text/css"), 20)  # type: ignore[misc]

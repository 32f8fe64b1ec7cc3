"""What a move corrects, by the rules of `rehref.plugins.mv._planning`, and what it does not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import rehref
from checked.contexts import host_named, written
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.plugins.mv import moving
from rehref.plugins.mv.move_plan import MovePlan
from rehref.site.check_options import CheckOptions

URL = "https://h.example/docs/"


def planned(folder: Path, old: str, new: str, host: str | None = None) -> MovePlan:
    options = CheckOptions(site_url=URL, host=None if host is None else host_named(host))
    return moving.planned(f"{folder}/{old}", f"{folder}/{new}", folder, options)


def moved(folder: Path, files: dict[str, str], old: str, new: str, host: str | None = None) -> dict[str, str]:
    """The files of a site after a move, by their paths."""
    written(folder, files)
    moving.move(f"{folder}/{old}", f"{folder}/{new}", folder=folder, site_url=URL, host=host)
    return {
        file.relative_to(folder).as_posix(): file.read_bytes().decode("utf-8", "replace")
        for file in folder.rglob("*")
        if file.is_file()
    }


def in_page(folder: Path, text: str, old: str, new: str, more: tuple[str, ...] = (), host: str | None = None) -> str:
    """What a move makes of `text` in the page index.html."""
    return moved(folder, {"index.html": text, old: "<p id=x>", **dict.fromkeys(more, "")}, old, new, host)["index.html"]


FORMS = """<a href="wind.html">1</a> <a href=./wind.html?q#x>2</a> <a href="/docs/wind.html">3</a>
<a href='//h.example/docs/wind.html'>4</a> <A HREF="https://h.example/docs/wind.html#x">5</A>
<img srcset="wind.html 1x, other.png 2x" style="background: url( 'wind.html' )"> wind.html
<meta property="og:url" content="https://h.example/docs/wind.html"><meta http-equiv=refresh content="0; url=wind.html">
"""


def test_references_keep_their_forms(tmp_path: Path) -> None:
    expected = FORMS.replace("wind.html", "a/storm.html").replace("a/storm.html\n<meta", "wind.html\n<meta")
    assert in_page(tmp_path, FORMS, "wind.html", "a/storm.html") == expected


def test_every_format_is_corrected(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><a href="{}"/></svg>'
    documents = {
        "s.css": "@import 'wind.html'; a { b: url({}) }".replace("wind.html", "{}"),
        "i.svg": svg,
        "feed.atom": '<feed xmlns="http://www.w3.org/2005/Atom"><id>'
        + f"{URL}wind.html"
        + f'</id><link href="{URL}{{}}"/></feed>',
        "sitemap.xml": '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>'
        + f"{URL}{{}}</loc></url></urlset>",
        "app.webmanifest": '{"start_url": "{}"}',
    }
    files = {path: text.replace("{}", "wind.html") for path, text in documents.items()}
    result = moved(tmp_path, {**files, "wind.html": ""}, "wind.html", "storm.html")
    assert {path: result[path] for path in documents} == {
        path: text.replace("{}", "storm.html") for path, text in documents.items()
    }


def test_what_moves_refers_to_what_it_referred_to(tmp_path: Path) -> None:
    here = '<a href="../index.html"><a href=""><a href="#x">'
    page = f'{here}<a href="b.html"><a href="c/d.html"><a href="../../out.html">'
    files = {"index.html": "", "a/a.html": page, "a/b.html": "", "a/c/d.html": ""}
    result = moved(tmp_path, files, "a/a.html", "a/c/")
    expected = '<a href="../../index.html"><a href=""><a href="#x"><a href="../b.html"><a href="d.html">'
    assert result["a/c/a.html"] == f'{expected}<a href="../../../out.html">'
    assert moved(tmp_path, {}, "a/c", "f")["f/a.html"] == (
        f'{here}<a href="../a/b.html"><a href="d.html"><a href="../../out.html">'
    )


def test_a_folder_keeps_the_references_within_it(tmp_path: Path) -> None:
    files = {
        "a/index.html": '<a href="b.html"><a href="nope.html">',
        "a/b.html": "<a href=./>",
        "c.html": "<a href=a/>",
    }
    result = moved(tmp_path, files, "a", "d/e")
    assert result == {
        "d/e/index.html": files["a/index.html"],
        "d/e/b.html": files["a/b.html"],
        "c.html": "<a href=d/e/>",
    }


@pytest.mark.parametrize(
    ("reference", "old", "new", "host", "expected"),
    [
        ("a/", "a/index.html", "b/index.html", None, "b/"),
        ("a", "a/index.html", "b/index.html", None, "b"),
        ("a/", "a/index.html", "b.html", None, "b.html"),
        ("a/index.html", "a/index.html", "b/index.html", None, "b/index.html"),
        ("wind", "wind.html", "a/storm.html", "github-pages", "a/storm"),
        ("wind#x", "wind.html", "a/storm.svg", "github-pages", "a/storm.svg#x"),
    ],
)
def test_a_file_is_named_as_the_host_serves_it(
    tmp_path: Path, reference: str, old: str, new: str, host: str | None, expected: str
) -> None:
    assert in_page(tmp_path, f'<a href="{reference}">', old, new, host=host) == f'<a href="{expected}">'


def test_a_reference_that_another_file_would_catch_is_corrected(tmp_path: Path) -> None:
    files = {"index.html": "<a href=wind>", "wind.html": "", "other.html": ""}
    assert moved(tmp_path, files, "other.html", "wind", "github-pages")["index.html"] == "<a href=wind.html>"


@pytest.mark.parametrize(("host", "before"), [("netlify", "/"), ("gitlab-pages", "/docs/")])
def test_the_rules_of_the_host_are_corrected(tmp_path: Path, host: str, before: str) -> None:
    rules = f"# {before}wind.html\n{before}old  {before}wind.html#x 301\n{before}b {URL}wind.html\n{before}c /nope\n"
    files = {"index.html": '<a href="/docs/old">', "wind.html": "<p id=x>", "_redirects": rules}
    result = moved(tmp_path, files, "wind.html", "a/ö.html", host)
    new = rules.replace("wind.html", "a/%C3%B6.html").replace("a/%C3%B6.html\n", "wind.html\n", 1)
    assert result["_redirects"] == new
    assert result["index.html"] == '<a href="/docs/a/%C3%B6.html">'
    result = moved(tmp_path, {}, "a/ö.html#x", "a/ö.html#y", host)
    assert result["_redirects"] == new.replace("#x", "#y")


def test_a_rule_at_a_place_that_is_not_known_is_an_error(tmp_path: Path) -> None:
    rules = '{"redirects": [{"source": "/old", "destination": "\\/wind.html"}]}'
    written(tmp_path, {"wind.html": "", "vercel.json": rules})
    with pytest.raises(FileError, match="line 1 leads to what moves; let it lead to /storm"):
        planned(tmp_path, "wind.html", "storm.html", "vercel")


def test_a_base_stays_and_its_references_follow(tmp_path: Path) -> None:
    files = {"a/a.html": '<base href="../b/"><a href="c.html"><a href="../a/a.html">', "b/c.html": ""}
    assert moved(tmp_path, files, "a/a.html", "x/y/z.html")["x/y/z.html"] == (
        '<base href="../b/"><a href="../../b/c.html"><a href="../y/z.html">'
    )


def test_a_path_never_climbs_out_of_the_root(tmp_path: Path) -> None:
    folder = written(tmp_path, {"a/a.html": '<a href="../b.html">', "b.html": ""})
    moving.move(folder / "a/a.html", folder / "c.html", folder=folder)
    assert (folder / "c.html").read_text() == '<a href="b.html">'


def test_gzipped_documents_are_packed_again(tmp_path: Path) -> None:
    loc = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}</loc></url></urlset>'
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(loc.format(f"{URL}a.html").encode()))
    (tmp_path / "p.html.gz").write_bytes(gzip.compress(b"<p id=x><a href=a.html><a href=#x>"))
    moved(tmp_path, {"a.html": "", "p.html": "<p id=x><a href=a.html><a href=#x>"}, "a.html", "b.html")
    assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()).decode() == loc.format(f"{URL}b.html")
    moved(tmp_path, {}, "p.html#x", "p.html#y")
    assert gzip.decompress((tmp_path / "p.html.gz").read_bytes()) == (tmp_path / "p.html").read_bytes()
    assert (tmp_path / "p.html").read_text() == "<p id=y><a href=b.html><a href=#y>"
    with pytest.raises(FileError, match="is a gzipped copy"):
        planned(tmp_path, "p.html", "q.html")


IDS = """<h1 id="gale">g</h1><label for=gale aria-describedby="x gale">l</label><a name='gale'></a>
<a href="#gale">1</a><a href="#g&#97;le:~:text=x">2</a><a href="#gales">3</a><p title="gale" class=gale>#gale
<template><p id="gale"></template>"""


def test_an_id_is_renamed_with_its_references(tmp_path: Path) -> None:
    files = {"a.html": IDS, "b.html": "<p id=gale><a href=a.html#gale><a href=#gale><a href='/docs/a.html?q#%67ale'>"}
    result = moved(tmp_path, files, "a.html#gale", "a.html#böe")
    assert result["b.html"] == "<p id=gale><a href=a.html#b%C3%B6e><a href=#gale><a href='/docs/a.html?q#b%C3%B6e'>"
    assert result["a.html"] == (
        """<h1 id="böe">g</h1><label for=böe aria-describedby="x böe">l</label><a name='böe'></a>
<a href="#b%C3%B6e">1</a><a href="#b%C3%B6e:~:text=x">2</a><a href="#gales">3</a><p title="gale" class=gale>#gale
<template><p id="gale"></template>"""
    )


def test_an_id_in_svg_is_renamed(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><g id="{0}"/><use href="#{0}"/></svg>'
    result = moved(tmp_path, {"i.svg": svg.format("a"), "p.html": "<img src=i.svg#a>"}, "i.svg#a", "i.svg#b")
    assert result == {"i.svg": svg.format("b"), "p.html": "<img src=i.svg#b>"}


def test_a_reference_that_a_page_sends_on_with_its_fragment_is_one_to_the_id(tmp_path: Path) -> None:
    sends = '<meta http-equiv=refresh content="0; url={}"><script>location.hash</script>'
    files = {
        "a.html": "<p id=x>",
        "old.html": sends.format("a.html"),
        "b.html": "<a href=old.html#x><a href=c.html#x>",
        "c.html": f"{sends.format('a.html')}<p id=x>",
    }
    assert moved(tmp_path, files, "a.html#x", "a.html#y")["b.html"] == "<a href=old.html#y><a href=c.html#x>"


def test_what_leads_to_a_folder_without_an_index_follows(tmp_path: Path) -> None:
    page = """<a href="js/">1</a><a href=js>2</a><script type=importmap>{"imports": {"m/": "./js/"}}</script>"""
    written(tmp_path, {"index.html": page, "js/m.js": "", "a/b.html": "<a href=../js/><a href=../gone/>"})
    rehref.move(tmp_path / "js", tmp_path / "lib/x", folder=tmp_path)
    assert (tmp_path / "index.html").read_text() == page.replace("js", "lib/x")
    rehref.move(tmp_path / "a/b.html", tmp_path / "b.html", folder=tmp_path)
    assert (tmp_path / "b.html").read_text() == "<a href=lib/x/><a href=../gone/>"


def test_markdown_sources_are_corrected(tmp_path: Path) -> None:
    pytest.importorskip("pyromark")
    text = "# Home\n\n[w](guide/wind.md#gale) [r][ref] `guide/wind.md`\n\n[ref]: <guide/wind.md> 'T'\n"
    files = {
        "index.md": text,
        "guide/wind.md": "# Gale\n\n[u](../index.md) [m](#gale) [c](calm.md)\n",
        "guide/calm.md": "",
    }
    result = moved(tmp_path, files, "guide/wind.md", "storm.md")
    new = text.replace("guide/wind.md", "storm.md").replace("`storm.md`", "`guide/wind.md`")
    assert result["index.md"] == new
    assert result["storm.md"] == "# Gale\n\n[u](index.md) [m](#gale) [c](guide/calm.md)\n"


def test_a_plan_counts_what_it_corrects(tmp_path: Path) -> None:
    plan = planned(
        written(tmp_path, {"a.html": "<a href=b.html><a href=c/>", "b.html": "<a href=a.html>"}), "a.html", "d/"
    )
    assert (plan.references, plan.within, len(plan.documents)) == (2, 1, 2)


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    folder = written(tmp_path, {"a.html": '<img srcset="i.png 1x">', "i.png": ""})
    assert planned(folder, "i.png", "j,k.png").references == 1
    plan = planned(folder, "i.png", "j,.png")
    assert plan.references == 1
    with pytest.raises(FileError, match=r"would be read differently|no reference"):
        planned(folder, "i.png", "d/j.png,")


def test_a_document_with_two_names_is_an_error(tmp_path: Path) -> None:
    written(tmp_path, {"a.html": "<a href=b.html>", "b.html": ""})
    (tmp_path / "c.html").symlink_to("a.html")
    with pytest.raises(FileError, match="another name of a file"):
        planned(tmp_path, "b.html", "d.html")


def test_a_document_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    written(tmp_path, {"a.html": ""})
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b"<urlset/>")[:-6])
    with pytest.raises(FileError, match=r"ends too early|gzipped"):
        planned(tmp_path, "a.html", "b.html")


def test_ids_are_refused(tmp_path: Path) -> None:
    written(tmp_path, {"a.html": "<p id=x><p id=y>", "b.html": "", "c.txt": "", "d.md": "# x"})
    for old, new, error in (
        ("a.html#z", "a.html#u", OptionError),
        ("a.html#x", "a.html#y", OptionError),
        ("a.html#x", "b.html#z", OptionError),
        ("a.html#x", "a.html", OptionError),
        ("a.html", "a.html#x", OptionError),
        ("a.html#x", "a.html#", OptionError),
        ("a.html#x", "a.html#a b", OptionError),
        ("c.txt#x", "c.txt#y", FileError),
        ("d.md#x", "d.md#y", FileError),
    ):
        with pytest.raises(error):
            planned(tmp_path, old, new)


def test_the_list_of_a_book_names_sources_and_its_pages_name_pages(tmp_path: Path) -> None:
    pytest.importorskip("pyromark", reason="needs the package pyromark")
    files = {
        "book.toml": "",
        "src/SUMMARY.md": "- [A](README.md)\n- [X](x/README.md)\n",
        "src/README.md": "[x](x/index.md) [gone](x/README.md)",
        "src/x/README.md": "# X",
    }
    result = moved(tmp_path, files, "src/x", "src/z")
    assert result["src/SUMMARY.md"] == files["src/SUMMARY.md"].replace("x/", "z/")
    assert result["src/README.md"] == files["src/README.md"].replace("x/", "z/")

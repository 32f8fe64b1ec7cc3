"""Suggestions as references, and written into files (site/_repair/fixing.py); a whole site is in `test_fix_site`."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_parts import context_of

from checked.contexts import checked
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.site._repair.fixing import Fixed, fix, fixes
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site
from rehref.uri.components import split
from rehref.uri.resolver import resolve

SITE = "https://example.org/docs/"
PAGE = SITE + "a/b/page.html"


def uri_of(path: str) -> str:
    return SITE + encode_path(path)


@cache
def site_at(uri: str) -> Site:
    return context_of(uri, lambda _: ())


def rewritten(path: str, old: str, base: str | None = PAGE, uri: str = SITE, fragment: str | None = None) -> str | None:
    return site_at(uri).new_reference(path, old, base, fragment)


# what is written


@pytest.mark.parametrize(
    ("old", "path", "new"),
    [
        ("instal.html", "a/b/install.html", "install.html"),
        ("../instal.html", "a/install.html", "../install.html"),
        ("./instal.html", "a/b/install.html", "./install.html"),
        ("./instal.html", "a/install.html", "../install.html"),
        (" instal.html\n", "a/b/install.html", "install.html"),
        ("x.html", "a/b/c:d.html", "./c:d.html"),
        ("pag.html", "a/b/page.html", "page.html"),
        ("../guied/", "a/guide/", "../guide/"),
        ("../../B/", "a/b/", "./"),
        ("../../B/", "a/", "../"),
        ("/docs/instal.html", "install.html", "/docs/install.html"),
        ("/instal.html", "install.html", "/docs/install.html"),
        ("//example.org/docs/instal.html", "install.html", "//example.org/docs/install.html"),
        ("https://example.org/docs/instal.html", "install.html", "https://example.org/docs/install.html"),
        ("HTTPS://Example.org/docs/instal.html", "install.html", "https://example.org/docs/install.html"),
        ("instal.html?a=b&c#d", "a/b/install.html", "install.html?a=b&c#d"),
        ("instal.html?", "a/b/install.html", "install.html?"),
        ("instal.html#", "a/b/install.html", "install.html#"),
    ],
)
def test_a_new_reference_has_the_form_of_the_old_one(old: str, path: str, new: str) -> None:
    assert rewritten(path, old) == new


@pytest.mark.parametrize(
    ("old", "path", "new"),
    [
        ("%7Euser/instal.html", "a/b/~user/install.html", "%7Euser/install.html"),
        ("c%20d/e.htm", "a/b/c d/e.html", "c%20d/e.html"),
        ("c d/e.htm", "a/b/c d/e.html", "c d/e.html"),
        ("x y.html", "a/b/z w.html", "z w.html"),
        ("x.html", "a/b/z w.html", "z%20w.html"),
        ("größ.html", "a/b/größe.html", "größe.html"),
        ("gr%c3%b6%c3%9fe/x.html", "a/b/größe/y.html", "gr%c3%b6%c3%9fe/y.html"),
        ("grosse.html", "a/b/größe.html", "gr%C3%B6%C3%9Fe.html"),
        ("ü/x.html", "a/b/ü/100% #1?.html", "ü/100%25%20%231%3F.html"),
        ("ü.html", "a/b/\udcff.html", "%FF.html"),
        ("..\\x y.html", "a/b/z w.html", "z%20w.html"),
    ],
)
def test_names_are_encoded_as_the_author_does_it(old: str, path: str, new: str) -> None:
    assert rewritten(path, old) == new


@pytest.mark.parametrize(
    ("old", "name", "new"),
    [
        ("x.html?q#Instal", "Install", "x.html?q#Install"),
        ("../A%7e/#instal", "install", "../A%7e/#install"),
        ("#instal", "a b", "#a%20b"),
        ("#défini", "définir", "#définir"),
        ("#defini", "définir", "#d%C3%A9finir"),
        ("#a", "b#c%", "#b%23c%25"),
        ("#instal:~:text=a", "install", "#install:~:text=a"),
    ],
)
def test_if_the_fragment_is_wrong_nothing_else_is_touched(old: str, name: str, new: str) -> None:
    assert rewritten("whatever", old, fragment=name) == new


def test_a_path_of_the_disk_is_never_written() -> None:
    on_disk = "file:///home/me/site/"
    base = f"{on_disk}a/page.html"
    assert rewritten("css/x.css", "/css/y.css", base, on_disk) == "../css/x.css"
    assert rewritten("css/x.css", "y.css", base, on_disk) == "../css/x.css"
    assert rewritten("css/x.css", "file:///css/y.css", base, on_disk) == "../css/x.css"
    assert rewritten("css/x.css", "y.css", "https://example.org/", on_disk) is None
    assert rewritten("css/x.css", "y.css", None, on_disk) is None
    # from a base that lies outside of the folder, the way is through the folder's name, which is that on the disk
    assert rewritten("css/x.css", "css/y.css", on_disk, on_disk) == "css/x.css"
    assert rewritten("css/x.css", "css/y.css", "file:///home/me/", on_disk) is None


def test_another_base() -> None:
    assert rewritten("css/x.css", "y.css", "https://elsewhere.example/") == SITE + "css/x.css"
    assert rewritten("css/x.css", "/y.css", "http://example.org/") == SITE + "css/x.css"
    assert rewritten("css/x.css", "y.css", None) == SITE + "css/x.css"
    assert rewritten("css/x.css", "docs/y.css", "https://example.org/wrong/") == "../docs/css/x.css"


NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "a b", "é", "c:d", "100%", "x?y", "#", "%41", "~", "ü ü", "\udcff", "http:", "..a", "&;"]
    ),
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=4),
).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
OLD = st.one_of(
    st.tuples(st.sampled_from(["", "./", "../", "/docs/", "/", "//example.org/", SITE]), PATHS).map("".join),
    st.tuples(st.sampled_from(["", "./", "../", "/docs/", SITE]), PATHS.map(encode_path)).map("".join),
)


def decoded(uri: str) -> tuple[object, ...]:
    parts = split(uri)
    names = [unquote(name, errors="surrogateescape") for name in parts.path.split("/")]
    return parts.scheme, parts.authority, names, parts.query, parts.fragment


@given(
    document=PATHS, old=OLD, path=PATHS, is_folder=st.booleans(), tail=st.sampled_from(["", "?", "?q=1", "#f", "?q#"])
)
def test_a_new_reference_leads_to_what_was_suggested(
    document: str, old: str, path: str, is_folder: bool, tail: str
) -> None:
    path += "/" if is_folder else ""
    base = uri_of(document)
    old = old.replace("#", "").replace("?", "") + tail
    new = rewritten(path, old, base)
    assert new is not None
    query, fragment = split(old.strip())[3:]
    wanted = split(uri_of(path))._replace(query=query, fragment=fragment)
    assert decoded(resolve(base, new.strip(" \t\n\f\r"))) == decoded_parts(wanted)
    # the form stays
    if not re.match(r"[a-zA-Z][a-zA-Z0-9+.\-]*:|//", old):
        assert (split(new).scheme, split(new).authority) == (None, None)
        assert new.startswith("/") == old.strip(" \t\n\f\r").startswith("/")


def decoded_parts(parts: object) -> tuple[object, ...]:
    scheme, authority, path, query, fragment = parts  # type: ignore[misc]
    return scheme, authority, [unquote(name, errors="surrogateescape") for name in path.split("/")], query, fragment


# written into files


def finding(document: str, link: Link, suggestion: str | None, *, sure: bool = True) -> Finding:
    place = {name: getattr(link, name) for name in ("line", "column", "span", "element", "attribute", "reference")}
    told = Finding(document, "missing-file", "", **place, target=link.target, base=link.base)
    return told._replace(suggestion=suggestion, sure=sure)


def opened(data: bytes, media_type: str = "text/html") -> Document:
    return read_document(data, media_type, None, Layers(retrieval=PAGE), ReadOptions())


def fixed(data: bytes, news: dict[str, str], media_type: str = "text/html") -> Fixed:
    found = [
        finding("p", link, news[link.reference]) for link in opened(data, media_type).links() if link.reference in news
    ]
    return fix("p", data, found, partial(opened, media_type=media_type))


def test_only_the_reference_changes() -> None:
    data = b"<P><a  HREF = 'x.html'>x.html</a>\r\n<img src=x.html alt='&amp'><a href=\"y.html\">"
    new = fixed(data, {"x.html": "a'b.html?a=1&b"})
    assert new.new == (
        b"<P><a  HREF = 'a&#39;b.html?a=1&amp;b'>x.html</a>\r\n"
        b'<img src="a\'b.html?a=1&amp;b" alt=\'&amp\'><a href="y.html">'
    )
    assert [link.reference for link in opened(new.new).links()] == ["a'b.html?a=1&b"] * 2 + ["y.html"]
    assert (len(new.corrected), new.left, new.old) == (2, (), data)


def test_one_of_several_in_a_list_and_in_css() -> None:
    data = b'<img srcset="a.png 1x, b.png 2x"><p style="background: url(b.png)"><style>@import "c.css";</style>'
    assert fixed(data, {"b.png": "d.png", "c.css": "e.css"}).new == (
        b'<img srcset="a.png 1x, d.png 2x"><p style="background: url(d.png)"><style>@import "e.css";</style>'
    )
    assert fixed(b"p { background: url( 'b.png' ) }", {"b.png": "d.png"}, "text/css").new == (
        b"p { background: url( 'd.png' ) }"
    )


def test_a_base_is_not_mended() -> None:
    data = b"<base href=x/><a href=y>"
    new = fixed(data, {"x/": "z/"})
    assert (new.new, new.corrected, len(new.left)) == (data, (), 1)


def test_a_file_that_has_changed_stays() -> None:
    before = b"<a href=x.html>"
    link = next(opened(before).links())
    for now in (b" <a href=x.html>", b"<a href=y.html>", b""):
        new = fix("p", now, [finding("p", link, "z.html")], opened)
        assert (new.new, new.corrected, len(new.left)) == (now, (), 1)


def test_of_two_suggestions_for_one_reference_the_sure_one_counts() -> None:
    data = b"<a href=x.html>"
    link = next(opened(data).links())
    both = [finding("p", link, "y.html", sure=False), finding("p", link, "z.html")]
    assert fix("p", data, both, opened).new == b"<a href=z.html>"


def test_what_would_not_read_as_meant_is_not_written() -> None:
    data = b'<a ping="x y" href="z">'
    new = fixed(data, {"x": "a b", "z": "c"})  # a list of spaces cannot hold one
    assert new.new == b'<a ping="x y" href="c">'
    assert ([one.reference for one in new.corrected], [one.reference for one in new.left]) == (["z"], ["x"])
    # a core that reads it otherwise the second time
    link = next(opened(data).links())
    again = iter([opened(data), opened(b"<a href=1><a href=2>")])
    new = fix("p", data, [finding("p", link, "q")], lambda _: next(again))
    assert (new.new, new.corrected, len(new.left)) == (data, (), 1)


def test_what_cannot_be_written_leaves_the_others_alone() -> None:
    pages = [f"<a href=/old{number}>" for number in range(9)]
    data = "".join([*pages[:4], '<img srcset="/old 1x, /z 2x">', *pages[4:]]).encode()
    data += b"<meta http-equiv=refresh content=\"30;url='/far'\">"
    news = {f"/old{number}": f"/new{number}" for number in range(9)}
    found = fixed(data, {**news, "/old": "/newold,", "/far": "/it's"})
    assert found.new == re.sub(rb"/old(\d)", rb"/new\1", data)
    assert [one.reference for one in found.unwritable] == ["/old", "/far"]
    assert found.left == found.unwritable
    assert len(found.corrected) == 9


def test_a_document_is_read_again_so_often_at_most() -> None:
    data = b"".join(b'<img srcset="/old%d 1x">' % number for number in range(300))
    data += b"<a href=/fine>"
    reads = []

    def counted(data: bytes) -> Document:
        reads.append(data)
        return opened(data)

    findings = [finding("a.html", link, link.reference + ",") for link in opened(data).links()]
    found = fix("a.html", data, findings, counted)
    assert len(reads) <= 203
    assert found.left == found.unwritable
    assert len(found.left) >= 300


def test_containers_and_places_that_are_not_known_are_left() -> None:
    data = b"<a href=x.html>"
    link = next(opened(data).links())
    assert fix("p.mhtml", data, [finding("p.mhtml", link, "y.html")], opened).new == data
    assert fix("p", data, [finding("p", link._replace(span=None), "y.html")], opened).new == data


def test_which_documents(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside.html"
    site.mkdir()
    data = b"<a href=x.html>"
    for path in (site / "a.html", site / "b.html", outside):
        path.write_bytes(data)
    (site / "c.html").symlink_to("b.html")
    (site / "d.html").symlink_to(outside)
    link = next(opened(data).links())
    found = [finding(f"{name}.html", link, "y.html", sure=name != "a") for name in "adcbe"]
    found.append(finding("a.html", link, None))
    context = Site.of(site, CheckOptions(site_url=SITE))
    results = list(fixes(context, found))
    assert [result.document if isinstance(result, Fixed) else str(result) for result in results] == [
        "b.html",
        f"{site}/c.html: is another name of a file that is corrected; check again",
        f"{site}/d.html: leads out of the folder {site} through a symbolic link, and is not changed; "
        "remove the link, or name the file itself",
        f"{site}/e.html: cannot be read: no such file or directory; check the name",
    ]
    unsure = [result for result in fixes(context, found, unsure=True) if isinstance(result, Fixed)]
    assert [result.document for result in unsure] == ["a.html", "b.html"]
    assert (site / "a.html").read_bytes() == data  # nothing is written until it is asked for
    unsure[0].write(site, backup=True)
    assert (site / "a.html").read_bytes() == b"<a href=y.html>"
    assert (site / "a.html.bak").read_bytes() == data
    (site / "b.html").unlink()
    (site / "b.html").mkdir()
    with pytest.raises(FileError, match="is a directory"):
        unsure[1].write(site)


# findings


def test_what_is_meant_is_remembered_for_a_folder_but_not_for_the_page_that_is_meant(tmp_path: Path) -> None:
    pages = ("index.html", "guide.html", "about.html", "deep/index.html", "deep/other.html")
    page = "<a href={}giude.html>guide</a><a href=#abuot>x</a><h2 id=about>"
    result = checked(tmp_path, {name: page.format("../" * name.count("/")) for name in pages})
    found = {(one.document, one.reference): (one.suggestion, one.sure) for one in result.findings}
    assert found == {
        **{(name, "#abuot"): ("#about", found[name, "#abuot"][1]) for name in pages},
        ("index.html", "giude.html"): ("guide.html", True),
        ("about.html", "giude.html"): ("guide.html", True),
        ("guide.html", "giude.html"): (None, False),  # a page that leads to itself means another
        ("deep/index.html", "../giude.html"): ("../guide.html", True),
        ("deep/other.html", "../giude.html"): ("../guide.html", True),
    }


@pytest.mark.parametrize(
    ("reference", "suggestion"),
    [
        ("giude.html", "guide.html"),
        ("giude.html#install", "guide.html#install"),
        ("giude.html#%69nstall", "guide.html#%69nstall"),
        ("giude.html#top", "guide.html#top"),
        ("giude.html#:~:text=x", "guide.html#:~:text=x"),
        ("giude.html#gone", None),
        ("Guide.html#gone", None),
        ("manaul.pdf#page=3", "manual.pdf#page=3"),  # nobody knows what is in it
        ("sent.htm#install", None),  # browsers drop it where they are sent on
    ],
)
def test_no_file_is_suggested_that_has_not_the_fragment(tmp_path: Path, reference: str, suggestion: str | None) -> None:
    files = {
        "index.html": f"<a href={reference}>1</a>",
        "guide.html": "<h2 id=install>",
        "sent.html": "<meta http-equiv=refresh content='0;url=guide.html'>",
        "manual.pdf": "%PDF-",
    }
    result = checked(tmp_path, files)
    assert [one.suggestion for one in result.findings if one.severity == "error"] == [suggestion]


def test_where_fragments_are_not_looked_at_a_file_is_suggested_all_the_same(tmp_path: Path) -> None:
    files = {"index.html": "<a href=giude.html#gone>1</a>", "guide.html": ""}
    result = checked(tmp_path, files, fragments=False)
    assert [one.suggestion for one in result.findings] == ["guide.html#gone"]


@pytest.mark.parametrize(
    ("reference", "suggestion", "from_another"),
    [
        ("../b/i.html", None, "i.html"),
        ("../b/i.html#there", "i.html#there", "i.html#there"),
        ("../b/i.html#gone", None, None),
        ("I.html", "i.html", "i.html"),  # this is the page itself
    ],
)
def test_the_page_itself_is_not_suggested(
    tmp_path: Path, reference: str, suggestion: str | None, from_another: str | None
) -> None:
    result = checked(
        tmp_path, dict.fromkeys(("m/a/i.html", "m/a/other.html"), f"<a href={reference}>1</a><h2 id=there>")
    )
    found = {one.document: one.suggestion for one in result.findings if one.severity == "error"}
    assert found == {"m/a/i.html": suggestion, "m/a/other.html": from_another}


@pytest.mark.parametrize(
    ("reference", "code", "suggestion", "root_dir"),
    [
        ("instal.html#x", "missing-file", ("install.html#x", True), None),
        ("Install.html", "case-mismatch", ("install.html", True), None),
        ("readme.txt", "case-mismatch", ("README.txt", True), None),
        ("../A/", "case-mismatch", ("./", True), None),
        ("nothing.html", "missing-file", (None, False), None),
        ("/a/install.html", "escapes-site", ("/docs/a/install.html", True), None),
        ("/index.html", "escapes-site", ("/docs/index.html", False), None),
        ("/instal.html", "missing-file", ("/docs/a/install.html", True), "a"),
        ("#getting-started", "missing-fragment", ("#Getting-Started", False), None),
        ("./#getting-started", "missing-fragment", ("./#Getting-Started", False), None),
        ("../#instal", "missing-fragment", ("../#install", True), None),
        ("../b/x.html#a", "missing-fragment", (None, False), None),
        ("gone/#a", "missing-file", (None, False), None),
    ],
)
def test_what_a_finding_is_suggested(
    tmp_path: Path, reference: str, code: str, suggestion: tuple[str | None, bool], root_dir: str | None
) -> None:
    files = {
        "index.html": "<p id=install>",
        "a/index.html": f'<p id="Getting-Started"><a href="{reference}">x</a>',
        "a/install.html": "<p id=x>",
        "a/README.txt": "",
        "b/x.html": "",
    }
    findings = checked(tmp_path, files, site_url=SITE, root_dir=root_dir).findings
    assert [(one.code, (one.suggestion, one.sure)) for one in findings] == [(code, suggestion)]


def test_what_cannot_be_written_takes_one_more_attempt(tmp_path: Path) -> None:
    """Rule 7: the references that read differently are left out at once, however many there are."""
    pytest.importorskip("pyromark", reason="needs the package pyromark")
    page = b"<img srcset='winds.png 1x'>\n\n" + b"[x](winds.md)\n\n" * 40
    (tmp_path / "a.md").write_bytes(page)
    (tmp_path / "wind.md").write_text("")
    (tmp_path / ",winds.png").write_text("")
    context = Site.of(tmp_path, CheckOptions())
    found = CheckRun().check(context).result.findings
    read: list[bytes] = []

    def opened(data: bytes) -> Document:
        read.append(data)
        return context.document_of("a.md", data)

    fixed = fix("a.md", page, found, opened)
    assert (len(fixed.corrected), len(fixed.unwritable)) == (40, 1)
    assert fixed.new == page.replace(b"winds.md", b"wind.md")
    assert len(read) == 3

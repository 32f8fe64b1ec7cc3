"""A folder that is checked again gives what it gives when it is checked anew, and little is read for it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from checked.contexts import host_named
from rehref.site.check import CheckRun, Rechecker
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site

NAMES = [
    "a.html",
    "b.html",
    "sub/c.html",
    "sub/index.html",
    "sub/deep/d.html",
    "e.svg",
    "feed.xml",
    "style.css",
    "plain",
]


def page(chosen: random.Random) -> str:
    """A page with references to some of the files, to some of their fragments, and with some ids."""
    pieces = [f"<p id={name}>" for name in chosen.sample("xyz", 2)]
    for _ in range(chosen.randrange(6)):
        target = chosen.choice([*NAMES, "sub/", "sub", "A.html", "b", "none.html", "../x", "old", "#x", ""])
        fragment = chosen.choice(["", "", "#x", "#y", "#w", "#:~:text=word"])
        pieces.append(f'<a href="/{target.lstrip("/")}{fragment}">word</a>')
    if chosen.random() < 0.2:
        pieces.append(f'<meta http-equiv=refresh content="0; url=/{chosen.choice(NAMES)}">')
    if chosen.random() < 0.1:
        pieces.append("<!-- rehref-ignore --><base href=/sub/>")
    return "\n".join(pieces)


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def change(root: Path, chosen: random.Random) -> None:
    """Do something to the site."""
    there = [name for name in NAMES if (root / name).is_file()]
    what = chosen.random()
    if what < 0.4 or not there:
        write(root, chosen.choice(NAMES), page(chosen))
    elif what < 0.6:
        (root / chosen.choice(there)).unlink()
    elif what < 0.7:
        source, target = chosen.choice(there), root / chosen.choice(NAMES)
        target.parent.mkdir(parents=True, exist_ok=True)
        (root / source).replace(target)
    elif what < 0.8:
        rules = chosen.choice(["/old /a.html\n", "/old /none\n/b /sub/\n", "/* /b.html 200\n", ""])
        (root / "_redirects").write_text(rules)
    elif what < 0.9:
        (root / ".rehrefignore").write_text(chosen.choice(["b.html\n", "uri:none\n", ""]))
    else:
        write(root, chosen.choice(["x/y/z.png", "B.html", "notes.txt"]), "data")


def without_time(result: CheckResult) -> CheckResult:
    return replace(result, summary=replace(result.summary, seconds=0.0))


SITE = {"site_url": "https://e.example/", "jobs": 1}
EVERYTHING = frozenset({"orphans", "sitemap", "text_fragments"})


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "options",
    [
        CheckOptions(**SITE, host=host_named("netlify")),
        CheckOptions(**SITE, checks=EVERYTHING, lists_external=True, fallback_extensions=("html",)),
        CheckOptions(**SITE, files=("a.html", "sub"), checks=frozenset({"orphans"})),
        CheckOptions(**SITE, files=("b.html",), directory_listing=True),
        CheckOptions(**SITE, files=("a.html",)),
        CheckOptions(jobs=1, exclude_paths=("sub",)),
        CheckOptions(**SITE, select=("all",), host=host_named("cloudflare-pages")),
    ],
    ids=["netlify", "everything", "some", "one", "page", "excluded", "lint"],
)  # fmt: skip
def test_checking_again_gives_what_checking_anew_gives(tmp_path: Path, options: CheckOptions, seed: int) -> None:
    chosen = random.Random(seed)
    for name in NAMES:
        write(tmp_path, name, page(chosen))
    rechecker = Rechecker(lambda: Site.of(tmp_path, options))
    for _ in range(12):
        anew = CheckRun().check(Site.of(tmp_path, options)).result
        assert without_time(rechecker.check()) == without_time(anew)
        for _ in range(chosen.randrange(1, 3)):
            change(tmp_path, chosen)


Read = Callable[[], list[str]]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in {
        "index.html": '<a href="a.html#x">1</a><a href="b.html">2</a><a href="c.html">3</a>',
        "a.html": '<p id=x><a href="sub/">4</a>',
        "b.html": '<a href="a.html#x">5</a><a href="B.png">6</a>',
        "sub/d.html": '<a href="../gone/">7</a>',
    }.items():
        write(tmp_path, name, text)
    return tmp_path


@pytest.fixture
def read(site: Path) -> Read:
    """Checks the site again: what is read for it."""
    rechecker = Rechecker(lambda: Site.of(site, CheckOptions(jobs=1)))

    def checking() -> list[str]:
        rechecker.check()
        return sorted(rechecker.read_last)

    return checking


def test_at_first_everything_is_read_and_then_what_changed(site: Path, read: Read) -> None:
    assert read() == ["a.html", "b.html", "index.html", "sub/d.html"]
    assert read() == []
    write(site, "a.html", "<p id=y>")  # who leads to #x is known, and where; it is not read as a page again
    assert read() == ["a.html"]
    write(site, ".rehrefignore", "a.html\n")
    assert read() == []


def test_what_leads_to_a_file_that_comes_or_goes_is_read(site: Path, read: Read) -> None:
    read()
    write(site, "c.html", "<p>")
    assert read() == ["c.html", "index.html"]
    (site / "c.html").unlink()
    assert read() == ["index.html"]
    write(site, "sub/index.html", "<p>")
    assert read() == ["a.html", "sub/index.html"]
    write(site, "b.PNG", "")  # it is only spelt otherwise
    assert read() == ["b.html"]
    write(site, "unrelated.png", "")
    assert read() == []
    (site / "gone").mkdir()
    assert read() == ["sub/d.html"]


@pytest.mark.parametrize("name", ["_headers", "_redirects", "sub/.htaccess", "vercel.json", "CNAME"])
def test_what_tells_the_host_something_has_all_read_again(site: Path, read: Read, name: str) -> None:
    read()
    for text in ("{}", '{"cleanUrls": true}'):
        write(site, name, text)
        assert len(read()) == 4
        assert read() == []


def test_a_page_in_the_place_of_another_is_seen_whatever_its_time(site: Path, read: Read) -> None:
    read()
    before = (site / "a.html").stat()
    write(site, "new", "<p id=z>" + "x" * (before.st_size - 8))
    import os

    os.utime(site / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
    (site / "new").replace(site / "a.html")
    assert read() == ["a.html"]


def test_a_page_of_which_other_things_than_its_content_changed_is_seen(site: Path, read: Read) -> None:
    read()
    before = (site / "a.html").stat()
    (site / "a.html").chmod(0o600)
    after = (site / "a.html").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert read() == ["a.html"]


def test_where_pages_refresh_to_that_are_not_checked_is_looked_at(tmp_path: Path) -> None:
    write(tmp_path, "a.html", '<a href="b.html#x">1</a>')
    write(tmp_path, "b.html", '<meta http-equiv=refresh content="0; url=c.html">')
    write(tmp_path, "c.html", "<p>")
    options = CheckOptions(jobs=1, files=("a.html",))
    rechecker = Rechecker(lambda: Site.of(tmp_path, options))
    told = []
    for there in (True, False, True):
        (tmp_path / "c.html").write_text("<p>") if there else (tmp_path / "c.html").unlink()
        result = rechecker.check()
        assert without_time(result) == without_time(CheckRun().check(Site.of(tmp_path, options)).result)
        told.append([finding.message for finding in result.findings])
    assert told[0] == told[2] != told[1]


def test_what_could_not_be_read_is_read_when_it_can_be(site: Path, read: Read) -> None:
    (site / "a.html").unlink()
    (site / "a.html").symlink_to("/nonexistent/elsewhere")
    read()
    (site / "a.html").unlink()
    write(site, "a.html", "<p id=x>")
    assert "a.html" in read()


def test_something_is_suggested_for_what_is_new(site: Path) -> None:
    rechecker = Rechecker(lambda: Site.of(site, CheckOptions(jobs=1)))
    (site / "sub/page.html").write_text("<p>")
    (site / "index.html").write_text('<a href="sub/Page.html">1</a>')
    suggested = [[one.suggestion for one in rechecker.check(only_new=True).findings if one.document == "index.html"]]
    (site / "index.html").write_text('<a href="sub/Page.html">1</a><a href="sub/paeg.html">2</a>')
    for only_new in (True, True, False):
        result = rechecker.check(only_new=only_new)
        suggested.append([one.suggestion for one in result.findings if one.document == "index.html"])
    good = "sub/page.html"
    assert suggested == [[good], [None, good], [None, None], [good, good]]

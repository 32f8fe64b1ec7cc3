"""Rules for old URLs that are there already: moved on with the page, taken out when it is back, or refused."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import rehref
from checked.contexts import host_named, written
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

FILES = {"index.html": '<a href="a.html">1</a>', "a.html": "<p id=x>"}
FORMATS = [
    ("_redirects", "netlify"),
    ("_redirects", "cloudflare-pages"),
    ("_redirects", "gitlab-pages"),
    (".htaccess", "apache"),
    ("netlify.toml", "netlify"),
    ("vercel.json", "vercel"),
    ("moved.map", "nginx"),
]
MINE = {
    "_redirects": "# mine\n/old /a.html#x 302 # why\n",
    ".htaccess": "# mine\r\nRedirect /old /a.html#x\r\nErrorDocument 404 /404.html\r\n",
    "netlify.toml": "# mine\n[[redirects]]\n# why\nfrom = '/old'\nto = '/a.html#x'\n\n# b\n[build]\npublish = 'ö'\n",
    "vercel.json": '{"ö": 1, "redirects": [\n\t{"source": "/old",\n\t"destination": "/a.html#x"}]}\n',
    "moved.map": "# mine\n/old /a.html#x;\n",
}


def leads(file: Path, host: str) -> dict[str, str]:
    """Where the rules of a file lead, by their sources."""
    if file.suffix == ".map":
        return dict(re.findall(r'^"?(/[^" ]*)"? "?([^" ]*)"?;$', file.read_text("utf-8"), re.MULTILINE))
    options = CheckOptions(host=host_named(host), site_url="https://h.example/")
    return {each.source: each.to for each in Site.of(file.parent, options).rules if "40" not in each.to}


def moved(folder: Path, name: str, host: str, *names: str) -> None:
    for old, new in pairwise(names):
        rehref.move(folder / old, folder / new, folder=folder, redirects=folder / name, host=host)


@pytest.mark.parametrize(("name", "host"), FORMATS)
def test_what_moves_on_and_back_has_no_chains_and_no_circles(tmp_path: Path, name: str, host: str) -> None:
    folder = written(tmp_path, FILES)
    moved(folder, name, host, "a.html", "b.html", "c.html")
    assert {key: to for key, to in leads(folder / name, host).items() if "." in key} == {
        "/a.html": "/c.html",
        "/b.html": "/c.html",
    }
    moved(folder, name, host, "c.html", "a.html")
    assert {key: to for key, to in leads(folder / name, host).items() if "." in key} == {
        "/b.html": "/a.html",
        "/c.html": "/a.html",
    }
    assert "/a" not in leads(folder / name, host)
    assert (folder / "index.html").read_text() == FILES["index.html"]
    assert rehref.check(folder, host=host).findings == ()


@pytest.mark.parametrize(("name", "host"), FORMATS)
def test_a_page_that_gets_an_old_url_is_not_redirected(tmp_path: Path, name: str, host: str) -> None:
    folder = written(tmp_path, {**FILES, "d.html": ""})
    moved(folder, name, host, "a.html", "b.html")
    moved(folder, name, host, "d.html", "a.html")
    found = {key: to for key, to in leads(folder / name, host).items() if "." in key}
    assert found == {"/d.html": "/a.html"}


@pytest.mark.parametrize(("name", "host"), FORMATS)
def test_other_rules_and_lines_stay(tmp_path: Path, name: str, host: str) -> None:
    folder = written(tmp_path, FILES)
    (folder / name).write_bytes(MINE[name].encode())
    moved(folder, name, host, "a.html", "ö.html")
    after = (folder / name).read_bytes().decode()
    old = "/old" if name != ".htaccess" else ""
    assert leads(folder / name, host) | {"/a": "/%C3%B6.html"} == {
        old: "/%C3%B6.html#x",
        "/a.html": "/%C3%B6.html",
        "/a": "/%C3%B6.html",
    }
    if name != "vercel.json":
        assert after.startswith(MINE[name].split("a.html")[0])
        assert MINE[name].split("a.html")[1].rstrip() in after
    moved(folder, name, host, "ö.html", "a.html")
    assert leads(folder / name, host)[old] == "/a.html#x"


@pytest.mark.parametrize(("name", "host"), FORMATS[:-1])
def test_without_redirects_the_rules_of_the_host_follow_alone(tmp_path: Path, name: str, host: str) -> None:
    folder = written(tmp_path, FILES)
    (folder / name).write_bytes(MINE[name].encode())
    rehref.move(folder / "a.html", folder / "b.html", folder=folder, host=host)
    assert (folder / name).read_bytes().decode() == MINE[name].replace("a.html", "b.html")
    rehref.move(folder / "b.html", folder / "index2.html", folder=folder, host=host)
    assert rehref.check(folder, host=host, exclude=["404"]).findings == ()


def test_what_cannot_be_read_or_written_is_refused_in_one_line(tmp_path: Path) -> None:
    for name, text, why in (
        ("netlify.toml", "redirects = [{from = '/old', to = '/a.html'}]", "line 1 leads to what moves; let it lead to"),
        (
            ".htaccess",
            "RedirectMatch ^/old$ /a.html\n",
            r"line 1 leads to what moves; let it lead to /b%3F\.html first",
        ),
        ("vercel.json", "{", "it is not JSON"),
    ):
        folder = written(tmp_path / name[-4:], {**FILES, name: text})
        new = "b?.html" if name == ".htaccess" else "b.html"
        host = dict(FORMATS)[name]
        with pytest.raises((OSError, ValueError), match=why) as caught:
            rehref.move(folder / "a.html", folder / new, folder=folder, redirects=folder / name, host=host)
        assert "\n" not in str(caught.value)
        assert (folder / name).read_text() == text
    folder = written(tmp_path / "c", {"a\nb.html": ""})
    result = rehref.move(folder / "a\nb.html", folder / "c.html", folder=folder, redirects=folder / ".htaccess")
    assert [(each.url, each.reason) for each in result.unwritten] == [
        ("a%0Ab.html", "no rule can have control characters")
    ]
    assert not (folder / ".htaccess").exists()


def test_rules_beside_sources_follow(tmp_path: Path) -> None:
    pytest.importorskip("pyromark")
    files = {"mkdocs.yml": "#", "docs/a.md": "# A", "docs/index.md": "[a](a.md)", "docs/_redirects": "/old /a/ 301\n"}
    folder = written(tmp_path, files)
    rehref.move(folder / "docs/a.md", folder / "docs/b/c.md", folder=folder / "docs", host="netlify")
    assert (folder / "docs/_redirects").read_text() == "/old /b/c/ 301\n"


def test_a_rule_for_an_address_of_the_page_itself_stays_when_an_id_is_renamed(tmp_path: Path) -> None:
    folder = written(tmp_path, {**FILES, "_redirects": "/a /a.html#x 301\n"})
    rehref.move(f"{folder}/a.html#x", f"{folder}/a.html#y", folder=folder, host="netlify")
    assert (folder / "_redirects").read_text() == "/a /a.html#y 301\n"


def test_a_page_that_refreshes_away_from_a_page_that_is_back_is_named(tmp_path: Path) -> None:
    folder, pages = written(tmp_path / "s", FILES), tmp_path / "pages"
    rehref.move(folder / "a.html", folder / "b.html", folder=folder, redirects=pages)
    rehref.move(folder / "b.html", folder / "c.html", folder=folder, redirects=pages)
    assert sorted(path.name for path in pages.iterdir()) == ["a.html", "b.html"]
    result = rehref.move(folder / "c.html", folder / "a.html", folder=folder, redirects=pages)
    assert [each.url for each in result.unwritten] == ["c.html"]
    assert result.unwritten[0].reason.endswith("a.html leads away from a page that is there again; remove it")
    (pages / "a.html").unlink()
    rehref.move(folder / "c.html", folder / "a.html", folder=folder, redirects=pages)
    assert sorted(path.name for path in pages.iterdir()) == ["b.html", "c.html"]


def test_pages_that_refresh_are_written_into_the_site_once_the_move_is_done(tmp_path: Path) -> None:
    folder = written(tmp_path, FILES)
    first = rehref.move(folder / "a.html", folder / "b.html", folder=folder, redirects=folder)
    assert [each.reason for each in first.unwritten if each.url == "a.html"] == [
        "its page can be written only once this move is done; run the same again then"
    ]
    again = rehref.move(folder / "a.html", folder / "b.html", folder=folder, redirects=folder)
    assert (again.unwritten, again.is_done) == ((), True)
    assert "b.html" in (folder / "a.html").read_text()


def test_no_page_that_refreshes_is_written_through_a_link_that_leads_out(tmp_path: Path) -> None:
    folder = written(tmp_path / "s", {**FILES, "old/a.html": "", "old.html": ""})
    pages, elsewhere = tmp_path / "pages", tmp_path / "elsewhere"
    pages.mkdir()
    elsewhere.mkdir()
    (pages / "old").symlink_to(elsewhere)
    result = rehref.move(folder / "old/a.html", folder / "new.html", folder=folder, redirects=pages)
    assert [each.reason for each in result.unwritten] == [
        f"{pages / 'old/a.html'} leads out of the folder through a symbolic link"
    ]
    assert list(elsewhere.iterdir()) == []
    assert (folder / "new.html").exists()


def test_a_rule_for_a_path_in_another_case_stays(tmp_path: Path) -> None:
    folder = written(tmp_path, {**FILES, "_redirects": "/B.html /a.html 301\n"})
    rehref.move(folder / "a.html", folder / "b.html", folder=folder, host="gitlab-pages")
    assert (folder / "_redirects").read_text() == "/B.html /b.html 301\n"


def test_a_line_that_the_host_does_not_use_is_no_rule(tmp_path: Path) -> None:
    folder = written(tmp_path, {**FILES, "_redirects": "/a.html /gone.html 410\n"})
    moved(folder, "_redirects", "cloudflare-pages", "a.html", "b.html")
    assert (folder / "_redirects").read_text().splitlines()[1:] == ["/a.html /b.html 301", "/a /b.html 301"]


def test_the_path_of_the_site_may_be_encoded(tmp_path: Path) -> None:
    folder = written(tmp_path, FILES)
    site = {"host": "gitlab-pages", "site_url": "https://h.example/%C3%A9/"}
    rehref.move(folder / "a.html", folder / "b.html", folder=folder, redirects=folder / "_redirects", **site)
    assert "/%C3%A9/a.html /%C3%A9/b.html 301\n" in (folder / "_redirects").read_text()

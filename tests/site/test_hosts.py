"""Host profiles (site/_hosts/hosts.py), and what hosts serve under which path (site/_grounds/serving.py)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from checked.contexts import written
from rehref.exceptions import OptionError
from rehref.site._hosts.hosts import HOSTS, Host
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

SITE = "https://example.org/"
FILES = [
    *("index.html", "404.html", "file.html", "folder/index.html", "both.html", "both/index.html"),
    *("bare/x.css", "Up.html"),
]

# What is served for each path; the first six columns of github.com/slorber/trailing-slash-guide are among them
PATHS = [
    *("", "file", "file/", "file.html", "folder", "folder/", "folder/index.html", "both", "both/", "bare/"),
    "up.html",
]
NO_CLEAN_URLS = {
    "": "index.html",
    "file.html": "file.html",
    "folder": "folder/index.html",
    "folder/": "folder/index.html",
    "folder/index.html": "folder/index.html",
    "both": "both/index.html",
    "both/": "both/index.html",
}
CLEAN_URLS = NO_CLEAN_URLS | {"file": "file.html", "both": "both.html"}
SERVED = {
    "none": NO_CLEAN_URLS,
    "nginx": NO_CLEAN_URLS,
    "vercel": NO_CLEAN_URLS,
    "apache": NO_CLEAN_URLS,
    "github-pages": CLEAN_URLS,
    "gitlab-pages": CLEAN_URLS | {"both": "both/index.html"},
    "cloudflare-pages": CLEAN_URLS | {"file/": "file.html"},
    "netlify": CLEAN_URLS | {"file/": "file.html", "up.html": "Up.html"},
}


def on(host: Host, files: Iterable[str] = FILES) -> Any:
    """What finds the files of a site on a host."""
    with TemporaryDirectory() as name:
        folder = written(Path(name), dict.fromkeys(files, ""))
        return Site.of(folder, CheckOptions(site_url=SITE, host=host)).locator


def served(host_name: str, **changes: object) -> dict[str, str]:
    locator = on(HOSTS[host_name]._replace(**changes))
    found = {path: locator.locate(SITE + path) for path in PATHS}
    return {path: located.path for path, located in found.items() if located.code == "" and located.path is not None}


def test_all_hosts_are_here() -> None:
    assert set(HOSTS) == set(SERVED)
    assert all(host.name == name for name, host in HOSTS.items())


@pytest.mark.parametrize("name", SERVED)
def test_what_a_host_serves(name: str) -> None:
    assert served(name) == SERVED[name]


@pytest.mark.parametrize("name", SERVED)
def test_a_folder_without_an_index(name: str) -> None:
    located = on(HOSTS[name]).locate(SITE + "bare/")
    assert (located.path, located.code) == (None, "missing-index")
    assert located.message == f"there is no {' or '.join(HOSTS[name].index_names)} in the folder bare"


@pytest.mark.parametrize("name", ["github-pages", "gitlab-pages", "netlify", "cloudflare-pages"])
def test_the_404_page_mends_nothing(name: str) -> None:
    assert HOSTS[name].not_found == "404.html"
    assert on(HOSTS[name]).locate(SITE + "nothing").code == "missing-file"


def test_no_404_page_of_cloudflare_mends_nothing_either() -> None:
    files = [name for name in FILES if name != "404.html"]
    assert on(HOSTS["cloudflare-pages"], files).locate(SITE + "nothing").code == "missing-file"


def test_what_the_host_answers_itself() -> None:
    located = on(HOSTS["netlify"]).locate(SITE + ".netlify/functions/hello")
    assert (located.outside, located.code) == (True, "")
    assert on(HOSTS["none"]).locate(SITE + ".netlify/functions/hello").code == "missing-file"


def test_a_folder_may_take_precedence_without_an_index_too() -> None:
    files = ["data.html", "data/page.html"]
    codes = {name: on(HOSTS[name], files).locate(SITE + "data").code for name in SERVED}
    assert (codes["github-pages"], codes["gitlab-pages"]) == ("", "missing-index")


def test_other_index_names() -> None:
    files = ["a/home.htm", "a/index.html", "b/index.html"]
    locator = on(HOSTS["none"]._replace(index_names=("home.htm", "index.html")), files)
    assert locator.locate(SITE + "a/").path == "a/home.htm"
    assert locator.locate(SITE + "b/").path == "b/index.html"
    assert locator.locate(SITE).message == "there is no home.htm or index.html in the folder of the site"


def test_other_extensions() -> None:
    files = ["a.htm", "a.html", "b.htm", "c", "c.html", ".html", "d/.html"]
    locator = on(HOSTS["nginx"]._replace(fallback_extensions=("html", "htm")), files)
    assert [locator.locate(SITE + name).path for name in "abc"] == ["a.html", "b.htm", "c"]
    # a file that is all extension is no page of its folder
    assert [locator.locate(SITE + name).code for name in ("", "d/")] == ["missing-index"] * 2
    assert HOSTS["nginx"].fallback_extensions == ()


# what .htaccess says of folders


DOCS = "https://example.org/docs/"


def site_of(folder: Path, files: dict[str, str], **options: object) -> Site:
    written(folder, files)
    return Site.of(folder, CheckOptions(site_url=DOCS, host=HOSTS["apache"], **options))  # type: ignore[arg-type]


def found(context: Site, *paths: str) -> list[str]:
    """The file, or the code, of each path."""
    located = [context.locator.locate(DOCS + path) for path in paths]
    return [each.code or each.path or "" for each in located]


# DirectoryIndex


def test_other_index_files(tmp_path: Path) -> None:
    files = {".htaccess": "DirectoryIndex home.html", "home.html": "", "home/home.html": "", "old/index.html": ""}
    context = site_of(tmp_path, files)
    assert found(context, "", "home/", "home", "old/") == [
        "home.html",
        "home/home.html",
        "home/home.html",
        "missing-index",
    ]
    message = context.locator.locate(DOCS + "old/").message
    assert message.startswith("there is no home.html in the folder old, but there is index.html")


def test_index_files_of_one_file_add_up(tmp_path: Path) -> None:
    said = "DirectoryIndex x.html\nDirectoryIndex disabled\nDirectoryIndex a.html b.html\nDirectoryIndex c.html"
    files = {".htaccess": said, "1/c.html": "", "2/c.html": "", "2/b.html": "", "3/x.html": "", "3/index.html": ""}
    assert found(site_of(tmp_path, files), "1/", "2/", "3/") == ["1/c.html", "2/b.html", "missing-index"]


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    files = {
        ".htaccess": "DirectoryIndex a.html",
        "in/.htaccess": "# nothing",
        "in/deep/.htaccess": "DirectoryIndex b.html",
        "none/.htaccess": "DirectoryIndex disabled",
    } | {f"{folder}/{name}.html": "" for folder in ("in", "in/deep", "in/deep/er", "none") for name in "ab"}
    expected = ["in/a.html", "in/deep/b.html", "in/deep/er/b.html", "missing-index"]
    assert found(site_of(tmp_path, files), "in/", "in/deep/", "in/deep/er/", "none/") == expected


def test_an_index_file_elsewhere(tmp_path: Path) -> None:
    files = {".htaccess": "DirectoryIndex x/y.html /docs/all.html /gone.html", "all.html": "", "a/x/y.html": ""}
    assert found(site_of(tmp_path, files), "a/", "a/x/") == ["a/x/y.html", "all.html"]


def test_an_htaccess_goes_before_what_is_asked_for(tmp_path: Path) -> None:
    files = {"a/.htaccess": "DirectoryIndex h.html", "a/h.html": "", "b/x.html": ""}
    assert found(site_of(tmp_path, files, index_files=("x.html",)), "a/", "b/") == ["a/h.html", "b/x.html"]


def test_only_apache_reads_it(tmp_path: Path) -> None:
    site_of(tmp_path, {".htaccess": "DirectoryIndex h.html\nFallbackResource /h.html", "a/h.html": "", "h.html": ""})
    locator = Site.of(tmp_path, CheckOptions(site_url=DOCS, host=HOSTS["nginx"])).locator
    assert [locator.locate(DOCS + path).code for path in ("a/", "x")] == ["missing-index", "missing-file"]


# FallbackResource


def test_what_is_not_there_is_served_by_another_file(tmp_path: Path) -> None:
    files = {
        ".htaccess": "FallbackResource /no\nFallbackResource /docs/app.html?x",
        "app.html": "",
        "a.html": "",
        "img/x.png": "",
        "off/.htaccess": "FallbackResource disabled",
    }
    context = site_of(tmp_path, files)
    assert found(context, "b", "b/c/", "img/y.png", "a.html") == ["app.html", "app.html", "app.html", "a.html"]
    # a folder is something, and so is a file with a path behind it
    assert found(context, "img/", "a.html/b", "off/b") == ["missing-index", "missing-file", "missing-file"]
    assert found(context, "b" * 4097) == ["missing-file"]


def test_a_fallback_that_is_not_there(tmp_path: Path) -> None:
    context = site_of(tmp_path, {".htaccess": "FallbackResource /docs/index.php"})
    located = context.locator.locate(DOCS + "a")
    assert located.message == ".htaccess:1 leads to /docs/index.php: there is no file index.php"


def test_redirections_go_before_a_fallback(tmp_path: Path) -> None:
    files = {
        ".htaccess": "Redirect /docs/a/old /docs/new.html",
        "a/.htaccess": "FallbackResource /docs/app.html",
        "app.html": "",
        "new.html": "",
    }
    assert found(site_of(tmp_path, files), "a/old", "a/other") == ["new.html", "app.html"]


# ErrorDocument


def test_pages_for_errors(tmp_path: Path) -> None:
    files = {
        ".htaccess": "DirectoryIndex home.html\nErrorDocument 404 /docs/no.html\nErrorDocument 500 'Sorry'",
        "a/.htaccess": "<Files x>\nErrorDocument 403 /docs/a/not%20you.html\n</Files>\nErrorDocument 404 /other/no",
    }
    host = site_of(tmp_path, files).host
    assert host.error_pages == {"no.html", "a/not you.html"}
    assert host.index_names == ("home.html",)


# the folder for paths from the root


@pytest.mark.parametrize("root_dir", ["nowhere", "../x", "en/nowhere", "EN"])
def test_there_must_be_such_a_folder(tmp_path: Path, root_dir: str) -> None:
    with pytest.raises(OptionError, match=f"there is no such folder in {tmp_path}"):
        site_of(tmp_path, {"en/a.html": ""}, root_dir=root_dir)


def test_it_must_be_no_file(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^--root-dir en/a.html: is a file; name a folder below "):
        site_of(tmp_path, {"en/a.html": ""}, root_dir="en/a.html")


def test_it_may_be_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "now").symlink_to("en")
    assert site_of(tmp_path, {"en/a.html": ""}, root_dir="now").locator.locate("https://example.org/a.html").path == (
        "en/a.html"
    )

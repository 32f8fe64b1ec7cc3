"""Host profiles (checking/hosting/hosts.py), and what hosts serve under which path (checking/site/serving.py)."""

from __future__ import annotations

import pytest

from rehref.checking.hosting.hosts import HOSTS
from rehref.checking.site.files import Files
from rehref.checking.site.locating import Locator

SITE = "https://example.org/"
FILES = Files(
    frozenset(
        [
            *("index.html", "404.html", "file.html", "folder/index.html", "both.html", "both/index.html"),
            *("bare/x.css", "Up.html"),
        ]
    ),
    frozenset(["", "folder", "both", "bare"]),
)

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


def served(host_name: str, **changes: object) -> dict[str, str]:
    locator = Locator(FILES, SITE, HOSTS[host_name]._replace(**changes))
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
    located = Locator(FILES, SITE, HOSTS[name]).locate(SITE + "bare/")
    assert (located.path, located.code) == (None, "missing-index")
    assert located.message == f"there is no {' or '.join(HOSTS[name].index_names)} in the folder bare"


@pytest.mark.parametrize("name", ["github-pages", "gitlab-pages", "netlify", "cloudflare-pages"])
def test_the_404_page_mends_nothing(name: str) -> None:
    assert HOSTS[name].not_found == "404.html"
    assert Locator(FILES, SITE, HOSTS[name]).locate(SITE + "nothing").code == "missing-file"


def test_no_404_page_of_cloudflare_mends_nothing_either() -> None:
    files = Files(FILES.paths - {"404.html"}, FILES.folders)
    assert Locator(files, SITE, HOSTS["cloudflare-pages"]).locate(SITE + "nothing").code == "missing-file"


def test_what_the_host_answers_itself() -> None:
    located = Locator(FILES, SITE, HOSTS["netlify"]).locate(SITE + ".netlify/functions/hello")
    assert (located.outside, located.code) == (True, "")
    assert Locator(FILES, SITE, HOSTS["none"]).locate(SITE + ".netlify/functions/hello").code == "missing-file"


def test_a_folder_may_take_precedence_without_an_index_too() -> None:
    files = Files(frozenset(["data.html", "data/page.html"]), frozenset(["", "data"]))
    codes = {name: Locator(files, SITE, HOSTS[name]).locate(SITE + "data").code for name in SERVED}
    assert (codes["github-pages"], codes["gitlab-pages"]) == ("", "missing-index")


def test_other_index_names() -> None:
    files = Files(frozenset(["a/home.htm", "a/index.html", "b/index.html"]), frozenset(["", "a", "b"]))
    locator = Locator(files, SITE, HOSTS["none"]._replace(index_names=("home.htm", "index.html")))
    assert locator.locate(SITE + "a/").path == "a/home.htm"
    assert locator.locate(SITE + "b/").path == "b/index.html"
    assert locator.locate(SITE).message == "there is no home.htm or index.html in the folder of the site"


def test_other_extensions() -> None:
    files = Files(frozenset(["a.htm", "a.html", "b.htm", "c", "c.html", ".html", "d/.html"]), frozenset(["", "d"]))
    locator = Locator(files, SITE, HOSTS["nginx"]._replace(fallback_extensions=("html", "htm")))
    assert [locator.locate(SITE + name).path for name in "abc"] == ["a.html", "b.htm", "c"]
    # a file that is all extension is no page of its folder
    assert [locator.locate(SITE + name).code for name in ("", "d/")] == ["missing-index"] * 2
    assert HOSTS["nginx"].fallback_extensions == ()

"""From a target URI to a file (site/_grounds/locating.py, site/_paths.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_parts import files_of

from checked.contexts import host_named, written
from rehref.site._grounds.locating import Locator
from rehref.site.check_options import ROWS, CheckOptions
from rehref.site.site import Site

SITE = "https://example.org/docs/"


def locator_of(
    *paths: str,
    site: str = SITE,
    host: str = "none",
    links: Mapping[str, str] | None = None,
    root_dir: str | None = None,
    rules: str | None = None,
) -> Locator:
    """What finds files. `links`: symbolic links, and where they lead; `rules`: those of `_redirects`."""
    files, redirects = files_of(paths), None
    if links or rules is not None:
        with TemporaryDirectory() as name:
            folder = written(Path(name), dict.fromkeys(paths, "") if links else {})
            for link, to in (links or {}).items():
                (folder / link).unlink(missing_ok=True)
                (folder / link).symlink_to(to)
            if rules is not None:
                written(folder, {"_redirects": rules})
            read = Site.of(folder, CheckOptions(host=host_named(host)))
        files, redirects = files._replace(links=read.files.links), read.redirects if rules is not None else None
        assert redirects is None or redirects.unread == ()
    return Locator(files, site, host_named(host), root_dir=root_dir, redirects=redirects)


def outcome(located: Any) -> tuple[str | None, str]:
    return located.path, located.code


def whole(located: Any) -> tuple[str | None, str, str, bool]:
    """With the message, and whether it is outside; there is nothing else."""
    assert (located.fragment, located.unlisted) == (None, "")
    return located.path, located.code, located.message, located.outside


# Rule 1: what is on the site


@pytest.mark.parametrize(
    "target",
    [
        "https://example.org/docs/a.html",
        "http://example.org/docs/a.html",
        "HTTPS://EXAMPLE.ORG:443/docs/a.html",
        "http://example.org:80/docs/a.html",
        "https://ex%61mple.org/docs/a.html",
        "https://example.org/%64ocs/a.html",
        "https://example.org/other/../docs/a.html",
        "https://example.org/%2E%2e/docs/./a.html",
        "https://example.org//docs//a.html",
    ],
)
def test_spellings_of_the_site(target: str) -> None:
    assert outcome(locator_of("a.html").locate(target)) == ("a.html", "")


@pytest.mark.parametrize(
    "target",
    [
        "https://example.com/docs/a.html",
        "https://www.example.org/docs/a.html",
        "https://example.org:8443/docs/a.html",
        "https://example.org.evil.example/docs/a.html",
        "ftp://example.org/docs/a.html",
        "mailto:a@example.org",
        "file:///docs/a.html",
        "docs/a.html",
        "",
        "//example.org/docs/a.html",
    ],
)
def test_what_is_elsewhere(target: str) -> None:
    located = locator_of("a.html").locate(target)
    assert whole(located) == (None, "", "", True)


@pytest.mark.parametrize("target", ["file:///site/a.html", "file://localhost/site/a.html", "file:/site/a.html"])
def test_files_of_a_folder(target: str) -> None:
    assert locator_of("a.html", site="file:///site/").locate(target).path == "a.html"


def test_the_site_needs_a_scheme() -> None:
    with pytest.raises(ValueError, match="not an absolute URI: /docs/"):
        locator_of(site="/docs/")


@pytest.mark.parametrize(
    "site", ["https://example.org/docs", "https://EXAMPLE.org/docs/", "https://example.org/%64ocs"]
)
def test_the_site_may_be_spelt_otherwise(site: str) -> None:
    assert locator_of("a.html", site=site).locate("https://example.org/docs/a.html").path == "a.html"


def test_a_site_without_a_path() -> None:
    locator = locator_of("index.html", "a.html", site="https://example.org")
    assert locator.locate("https://example.org").path == "index.html"
    assert locator.locate("https://example.org/a.html").path == "a.html"


# Rule 2: the host, but not the site


def test_leaving_the_site() -> None:
    located = locator_of("a.html").locate("https://example.org/css/x.css")
    assert whole(located) == (None, "escapes-site", "/css/x.css is not in /docs/, where the site is", True)
    assert locator_of("a.html").locate("https://example.org/docsx/a.html").code == "escapes-site"
    assert locator_of("a.html", site="file:///site/").locate("file:///css/x.css").code == "escapes-site"


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/s.css", "/s.css"), ("/", "/"), ("/hom/x.css", "/hom/x.css"), ("/a%20b", "/a b"), ("/css/../s.css", "/s.css")],
)
def test_a_path_from_the_root_of_the_disk_tells_what_to_do(path: str, shown: str) -> None:
    located = locator_of("s.css", site="file:///home/site/").locate(f"file://{path}")
    message = f"{shown} leads out of the folder; if / is the root of the site, say --root-dir ."
    assert whole(located) == (None, "escapes-site", message, True)


@pytest.mark.parametrize("path", ["/home/x.css", "/home", "/home/"])
def test_a_path_that_shares_a_folder_with_the_site_may_be_meant(path: str) -> None:
    located = locator_of("s.css", site="file:///home/site/").locate(f"file://{path}")
    assert (located.code, located.message) == ("escapes-site", f"{path} is not in /home/site/, where the site is")


def test_the_site_without_its_slash() -> None:
    assert locator_of("index.html").locate("https://example.org/docs").path == "index.html"


def test_a_folder_for_paths_from_the_root() -> None:
    locator = locator_of("css/x.css", "en/css/y.css", site="file:///home/site/", root_dir="")
    assert locator.locate("file:///css/x.css").path == "css/x.css"
    assert locator.locate("file:///home/site/css/x.css").path == "css/x.css"
    assert locator.locate("file:///css/z.css").code == "missing-file"


@pytest.mark.parametrize("root_dir", ["", ".", "./", "/", "././/", "a/..", "/home/site", "/home/site/", "/home/site/."])
def test_the_site_itself_is_the_folder_for_paths_from_the_root(root_dir: str) -> None:
    locator = locator_of("css/x.css", "en/css/y.css", site="file:///home/site/", root_dir=root_dir)
    assert locator.root_dir == ""
    assert locator.locate("file:///css/x.css").path == "css/x.css"


@pytest.mark.parametrize("root_dir", ["en", "en/", "./en", "/en", "/en/", "en//.", "en/a/..", "/home/site/en"])
def test_a_folder_below_for_paths_from_the_root(root_dir: str) -> None:
    locator = locator_of("css/x.css", "en/css/y.css", site="file:///home/site/", root_dir=root_dir)
    assert locator.root_dir == "en"
    assert locator.locate("file:///css/y.css").path == "en/css/y.css"
    assert locator.locate("file:///css/x.css").code == "missing-file"


@pytest.mark.parametrize("root_dir", ["", ".", "/"])
def test_a_folder_on_a_host(root_dir: str) -> None:
    locator = locator_of("css/x.css", root_dir=root_dir)
    assert locator.locate("https://example.org/css/x.css").path == "css/x.css"


def test_a_folder_on_a_host_is_below_the_site() -> None:
    locator = locator_of("docs/css/x.css", root_dir="/docs")
    assert locator.locate("https://example.org/css/x.css").path == "docs/css/x.css"


def test_a_folder_that_is_not_below_has_no_files() -> None:
    locator = locator_of("css/x.css", site="file:///home/site/", root_dir="../css")
    assert locator.locate("file:///x.css").code == "missing-file"


# Rules 3 and 4: the file


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("a b.html", "a%20b.html"),
        ("a b.html", "a b.html"),
        ("é.html", "%C3%A9.html"),
        ("é.html", "é.html"),
        ("100%.html", "100%25.html"),
        ("100%.html", "100%.html"),
        ("a%20b.html", "a%2520b.html"),
        ("a?b.html", "a%3Fb.html"),
        ("a#b.html", "a%23b.html"),
        ("caf\udce9.html", "caf%E9.html"),
        ("a+b.html", "a+b.html"),
    ],
)
def test_escapes(name: str, reference: str) -> None:
    assert outcome(locator_of(name).locate(SITE + reference)) == (name, "")


def test_an_escape_is_not_a_name() -> None:
    assert locator_of("a%20b.html").locate(SITE + "a%20b.html").path is None
    assert locator_of("a?b.html").locate(SITE + "a?b.html").path is None


def test_an_escaped_slash_goes_through_redirections() -> None:
    located = locator_of("x.html", host="netlify", rules="/a/* /b/:splat\n/c%2Fd /x.html").locate(SITE + "a/1%2F2")
    assert located.message == "_redirects:1 leads to /b/1%2F2: there is no file b/1%2F2"
    assert locator_of("x.html", host="netlify", rules="/c%2Fd /x.html").locate(SITE + "c%2Fd").path == "x.html"


def test_an_escaped_slash_is_no_slash() -> None:
    locator = locator_of("a/b.html", "a%2Fb.html")
    assert locator.locate(SITE + "a%2Fb.html").code == "missing-file"
    assert locator.locate(SITE + "a%252Fb.html").path == "a%2Fb.html"


def test_the_query_does_not_count() -> None:
    locator = locator_of("index.html", "search.html")
    assert locator.locate(SITE + "search.html?q=a/b").path == "search.html"
    assert locator.locate(SITE + "?").path == "index.html"


def test_a_link_to_a_folder() -> None:
    links = {"latest": "1.2", "1.2/up": "..", "en": "a/b"}
    locator = locator_of("1.2/index.html", "1.2/x/a.html", "a/b/c.html", links=links)
    for target in ("latest", "latest/", "latest/index.html", "latest/up/latest", "1.2/up/latest/up/1.2/"):
        assert outcome(locator.locate(SITE + target)) == ("1.2/index.html", ""), target
    assert locator.locate(SITE + "latest/x/a.html").path == "1.2/x/a.html"
    assert locator.locate(SITE + "en/c.html").path == "a/b/c.html"
    assert locator.locate(SITE + "latest/nothing.html").code == "missing-file"
    assert locator.locate(SITE + "1.2/up" * 3).code == "missing-file"
    assert outcome(locator.locate(SITE + "latest/Index.html")) == ("1.2/index.html", "case-mismatch")


# Rule 4: redirections


def test_redirections_are_followed() -> None:
    rules = "/a /b\n/b /c.html 302\n/out https://example.com/x\n/own https://example.org/docs/c.html"
    locator = locator_of("c.html", host="netlify", rules=rules)
    assert outcome(locator.locate(SITE + "a")) == ("c.html", "")
    assert outcome(locator.locate(SITE + "own")) == ("c.html", "")
    assert locator.locate(SITE + "out").outside


def test_a_redirection_to_nothing() -> None:
    located = locator_of("c.html", host="netlify", rules="/a /gone.html#there").locate(SITE + "a")
    assert whole(located) == (
        None,
        "missing-file",
        "_redirects:1 leads to /gone.html#there: there is no file gone.html",
        False,
    )


def test_the_fragment_of_a_redirection_goes_before_that_of_the_target() -> None:
    rules = "/a /c.html#one\n/b /a 302\n/d /a#two\n/e /c.html\n/f /c.html#no 200"
    locator = locator_of("c.html", host="netlify", rules=rules)
    # RFC 9110 §10.2.2: the last that has one counts; a rewrite is not seen by the browser
    fragments = [locator.locate(SITE + name).fragment for name in ("a", "b", "d", "e", "f", "c.html")]
    assert fragments == ["one", "one", "one", None, None, None]
    assert {locator.locate(SITE + name).path for name in "abdef"} == {"c.html"}


def test_a_redirection_that_says_no() -> None:
    located = locator_of("404.html", host="netlify", rules="/en/* /404.html 404").locate(SITE + "en/x")
    assert whole(located) == (None, "missing-file", "_redirects:1 answers it with the status 404", False)


@pytest.mark.parametrize("rules", ["/a /a", "/a /b\n/b /a", "/a /a/", "/a/* /a/:splat/b"])
def test_redirections_without_an_end(rules: str) -> None:
    located = locator_of("c.html", host="netlify", rules=rules).locate(SITE + "a/")
    assert outcome(located) == (None, "redirect-loop")


def test_what_goes_first() -> None:
    rules = "/a.html /c.html\n/b.html /c.html 301!"
    locator = locator_of("a.html", "b.html", "c.html", host="netlify", rules=rules)
    assert locator.locate(SITE + "a.html").path == "a.html"
    assert locator.locate(SITE + "a").path == "a.html"
    assert locator.locate(SITE + "b.html").path == "c.html"
    locator = locator_of("a.html", "b.html", "c.html", host="cloudflare-pages", rules="/a.html /c")
    assert locator.locate(SITE + "a.html").path == "c.html"


def test_behind_a_rewrite_there_are_files_only() -> None:
    locator = locator_of(
        "index.html", "b.html", host="netlify", rules="/a /b.html 200\n/b.html /x 301!\n/* /index.html 200!"
    )
    assert locator.locate(SITE + "a").path == "b.html"
    assert locator.locate(SITE + "whatever/it/is").path == "index.html"


# Rule 5: spelling


def test_case() -> None:
    located = locator_of("a/Readme.html").locate(SITE + "A/README.html")
    assert whole(located) == ("a/Readme.html", "case-mismatch", "it is spelt a/Readme.html", False)
    assert locator_of("a/index.html").locate(SITE + "A/").message == "it is spelt a/"
    assert outcome(locator_of("Über.html").locate(SITE + "%C3%BCber.html")) == ("Über.html", "case-mismatch")


def test_case_does_not_matter_on_netlify() -> None:
    locator = locator_of("a/Readme.html", "B.html", "b.html", host="netlify")
    assert outcome(locator.locate(SITE + "A/README.html")) == ("a/Readme.html", "")
    assert outcome(locator.locate(SITE + "a/readme/")) == ("a/Readme.html", "")
    assert outcome(locator.locate(SITE + "b")) == ("b.html", "")


@pytest.mark.parametrize("host", ["none", "netlify"])
def test_normalization_forms(host: str) -> None:
    nfc, nfd = "\u00e9.html", "e\u0301.html"
    located = locator_of(nfd, host=host).locate(SITE + quote(nfc))
    message = "it is spelt e%CC%81.html, in another Unicode normalization form"
    assert whole(located) == (nfd, "case-mismatch", message, False)
    assert outcome(locator_of(nfc, nfd, host=host).locate(SITE + quote(nfc))) == (nfc, "")


# Rule 6: what is missing


@pytest.mark.parametrize(
    ("reference", "code", "message"),
    [
        ("b.html", "missing-file", "there is no file b.html"),
        ("b/c%0A.html", "missing-file", "there is no file b/c%0A.html"),
        ("sub%2fx.html", "missing-file", "there is no file sub%2fx.html"),
        ("a%00%41.html", "missing-file", "there is no file a%00A.html"),
        ("a.html/", "missing-file", "a.html is a file, and has no slash after it"),
        ("f", "missing-index", "there is no index.html in the folder f"),
        ("f/?q", "missing-index", "there is no index.html in the folder f"),
        ("", "missing-index", "there is no index.html in the folder of the site"),
        ("x" * 5000, "missing-file", "the path is too long for a file"),
        ("x" * 300, "missing-file", "there is no file " + "x" * 200 + "…"),
        ("gone.html", "dangling-link", "the symbolic link gone.html leads nowhere"),
        ("out/x.html", "leaves-folder", "the symbolic link out leads out of the folder"),
    ],
)
def test_what_is_missing(reference: str, code: str, message: str) -> None:
    links = {"gone.html": "nowhere", "out": str(Path(__file__).parent)}
    locator = locator_of("a.html", "f/a.html", links=links)
    assert whole(locator.locate(SITE + reference)) == (None, code, message, False)


def test_a_file_outside_of_the_folder_is_there() -> None:
    located = locator_of("x.css", links={"x.css": __file__}).locate(SITE + "x.css")
    assert whole(located) == ("x.css", "leaves-folder", "the symbolic link x.css leads out of the folder", False)


# Rule 7


@given(st.text(st.characters(blacklist_characters="/\0", blacklist_categories=("Cs",)), min_size=1))
def test_every_name_is_found_by_its_uri(name: str) -> None:
    if name not in (".", ".."):
        assert whole(locator_of("a/" + name).locate(f"{SITE}a/{quote(name)}")) == ("a/" + name, "", "", False)


@given(st.text(st.characters()), st.sampled_from(sorted(ROWS["host"].choices)))
def test_never_fails(text: str, host: str) -> None:
    links = {"l": "a", "d": "nowhere"}
    rules = "/x/* /:splat" if "_redirects" in host_named(host).redirect_files else None
    locator = locator_of("a/b.html", "é.html", host=host, links=links, rules=rules)
    for target in (
        text,
        SITE + text,
        SITE + "l/" + text,
        SITE + "x/" + text,
        "https://example.org/" + text,
        "https:" + text,
    ):
        located = locator.locate(target)
        assert located.path is None or located.path in ("a/b.html", "é.html")
        assert (located.code == "") == (located.message == "")
        assert (located.path is None) <= (located.outside or located.code != "")


@pytest.mark.parametrize("piece", ["l/", "%2E%2E/", "a/", "//", "%", "é"])
def test_long_targets_take_no_longer_for_their_length(piece: str) -> None:
    locator = locator_of("a/b.html", links={"l": "."}, host="netlify", rules="/a/*/b /x\n/:x/:y/:z /w")
    # a minute, if it were quadratic
    assert locator.locate(SITE + piece * 300_000).code != ""

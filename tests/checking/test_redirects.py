"""Redirections: `_redirects`, `.htaccess`, and finding the rule for a path (checking/redirects*.py, htaccess.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional, work
from rehref.checking.hosting.configured import read_redirects
from rehref.checking.hosting.hosts import HOSTS
from rehref.checking.hosting.htaccess import parse_htaccess
from rehref.checking.hosting.redirects import LONGEST_PATH, FoundRules, Redirection, Redirects
from rehref.checking.hosting.redirects_file import parse_redirects
from rehref.checking.site.files import list_files
from rehref.checking.site.locating import Locator


def netlify(text: str, site: str = "https://example.org/docs/") -> Redirects:
    found = FoundRules()
    parse_redirects(found, text.encode(), "_redirects", plain=False, site_uri=site)
    return Redirects(found)


def cloudflare(text: str) -> Redirects:
    found = FoundRules()
    parse_redirects(found, text.encode(), "_redirects", plain=True)
    return Redirects(found)


def apache(text: str, within: str = "/") -> Redirects:
    found = FoundRules()
    parse_htaccess(found, text.encode(), ".htaccess", within)
    return Redirects(found)


def to(redirects: Redirects, path: str, query: str | None = None, *, exists: bool = False) -> str | None:
    assert redirects.unread == ()
    found = redirects.find(path, query, exists=exists)
    return None if found is None else found.to


# _redirects


def test_lines_and_words() -> None:
    redirects = netlify("# comment\n\n/a\t /b   302  # why\n/c /d#e\r\n  /e /f 404\n/g /h 200!")
    assert redirects.unread == ()
    assert redirects.find("/a", None, exists=False) == Redirection("/b", 302, "_redirects:3")
    assert redirects.find("/c", None, exists=False) == Redirection("/d#e", 301, "_redirects:4")
    assert redirects.find("/e", None, exists=False) == Redirection("/f", 404, "_redirects:5")
    assert redirects.find("/g", None, exists=True) == Redirection("/h", 200, "_redirects:6")
    assert redirects.find("/c", None, exists=True) is None
    assert redirects.find("/C", None, exists=False) is None


def test_splats() -> None:
    redirects = netlify("/news/* /blog/:splat\n/* /404/:splat")
    assert to(redirects, "/news/2024/a b.html") == "/blog/2024/a%20b.html"
    assert to(redirects, "/news/") == "/blog/"
    assert to(redirects, "/news") == "/blog/"
    assert to(redirects, "/newsletter") == "/404/newsletter"
    assert to(redirects, "/") == "/404/"


def test_placeholders() -> None:
    redirects = netlify("/news/:month/:date/:year/:slug /blog/:year/:month/:date/:slug?x=:none")
    assert to(redirects, "/news/02/12/2004/my-story") == "/blog/2004/02/12/my-story?x=:none"
    assert to(redirects, "/news/02/12/2004") is None
    assert to(redirects, "/news/02/12/2004/a/b") is None
    assert to(netlify("/:a.html https://h.example:8080/:a"), "/x.html") == "https://h.example:8080/x"


def test_the_slash_at_the_end_does_not_count_on_netlify() -> None:
    redirects = netlify("/a /x\n/b/ /y\n/ /z")
    assert [to(redirects, path) for path in ("/a", "/a/", "/b", "/b/", "/")] == ["/x", "/x", "/y", "/y", "/z"]


def test_query_parameters() -> None:
    text = (
        "/articles id=:id tag=:tag /posts/:tag/:id\n/articles id=:id /posts/:id\n/articles id=7 /seven\n/articles /all"
    )
    redirects = netlify(text)
    assert to(redirects, "/articles", "tag=a%2Fb&id=1") == "/posts/a/b/1"
    assert to(redirects, "/articles", "id=7") == "/posts/7"
    assert to(redirects, "/articles", "id=1&other=2") == "/all"
    assert to(redirects, "/articles") == "/all"
    assert to(netlify("/a id=7 /seven"), "/a", "id=8") is None
    assert to(netlify("/a id=:id /:id"), "/a", "&".join(f"x{n}=" for n in range(1000))) is None


def test_the_first_counts() -> None:
    redirects = netlify("/a/* /1/:splat\n/a/b /2\n/c /3\n/* /4 301!")
    assert to(redirects, "/a/b") == "/1/b"
    assert to(redirects, "/c") == "/3"
    assert to(redirects, "/c", exists=True) == "/4"


def test_conditions_hold_for_some_only() -> None:
    redirects = netlify("/ /anz 302! Country=au,nz\n/x /de 302 Language=de\n/x /en")
    assert to(redirects, "/") == "/anz"
    assert to(redirects, "/", exists=True) is None
    assert not redirects.has_always
    assert to(redirects, "/x") == "/en"


def test_escapes_in_rules() -> None:
    assert to(netlify("/a%20b/* /c%20d/:splat"), "/a b/é") == "/c%20d/%C3%A9"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("/a", "it has no target"),
        ("/a id=:id", "it has no target"),
        ("a /b", "a path begins with a slash, and a does not"),
        ("https://old.example/* /new/:splat", "it is for another site"),
        ("http://example.org/* https://example.org/:splat 301!", "it is for another site"),
        ("https://example.org/doc/a /b", "it is for another site"),
        ("/a b", "b is neither a path from the root nor a whole URI"),
        ("/a /b soon", "soon is neither a status nor a condition"),
        ("/a /b 999", "999 is neither a status nor a condition"),
        ("/*/a/* /b", "it has more than one splat"),
        ("/:a-:b /b", "there is more than one placeholder in :a-:b"),
        ("/:a/:a /b", "it has the same placeholder twice"),
    ],
)
def test_what_is_not_understood(line: str, reason: str) -> None:
    redirects = netlify("/x /y\n" + line)
    assert redirects.unread == (("_redirects", 2, reason),)
    assert redirects.find("/x", None, exists=False) is not None


def test_a_whole_url_of_the_site_is_a_rule_for_its_path() -> None:
    redirects = netlify("https://EXAMPLE.org:443/full /foo.html\nhttps://example.org /all", "https://example.org/")
    assert (to(redirects, "/full"), to(redirects, "/")) == ("/foo.html", "/all")
    assert to(netlify("https://example.org/docs/* /x/:splat"), "/a/b") == "/x/a/b"
    assert netlify("https://example.org/a /b", "file:///site/").unread[0].reason == "it is for another site"


def test_cloudflare() -> None:
    redirects = cloudflare("/a /b 301\n/news/* /blog/:splat\n/x/*.html /y/:splat")
    assert to(redirects, "/a", exists=True) == "/b"
    assert to(redirects, "/a/") is None
    assert to(redirects, "/news") is None
    assert to(redirects, "/news/") == "/blog/"
    assert to(redirects, "/x/1/2.html") == "/y/1/2"


@pytest.mark.parametrize(
    "line",
    [
        *("https://example.org/docs/a /b", "/* /index.html 200", "/a/ /index", "/a /b 404", "/a id=1 /b"),
        "/a /b 302 Country=de",
    ],
)
def test_what_cloudflare_ignores(line: str) -> None:
    redirects = cloudflare(line)
    assert len(redirects.unread) == 1
    assert redirects.unread[0].reason.startswith("this host ")


# .htaccess


def test_redirect() -> None:
    redirects = apache('Redirect "/one" "/two"\nredirect permanent /a/ https://x.example/b/\nRedirectTemp /t /u')
    assert to(redirects, "/one") == "/two"
    assert to(redirects, "/one/two.txt", exists=True) == "/two/two.txt"
    assert to(redirects, "/oneandtwo.txt") is None
    assert to(redirects, "/a/ü/") == "https://x.example/b/%C3%BC/"
    assert to(redirects, "/a") is None
    found = [redirects.find(path, None, exists=False) for path in ("/one", "/a/", "/t")]
    assert [redirection.status for redirection in found if redirection is not None] == [302, 301, 302]


def test_redirect_with_a_status() -> None:
    redirects = apache(
        "Redirect gone /a\nRedirect 404 /b\nRedirect 308 /c /d\nRedirectPermanent /e /f\nRedirect seeother /g /h"
    )
    found = [redirects.find(f"/{name}", None, exists=True) for name in "abceg"]
    assert found == [
        Redirection("", 410, ".htaccess:1"),
        Redirection("", 404, ".htaccess:2"),
        Redirection("/d", 308, ".htaccess:3"),
        Redirection("/f", 301, ".htaccess:4"),
        Redirection("/h", 303, ".htaccess:5"),
    ]


def test_redirect_match() -> None:
    redirects = apache(
        "RedirectMatch 301 ^/blog/([0-9]{4})/(.*)\\.php$ /$1/$2.html?from=$0\nRedirectMatch (?i)\\.gif$ /no-\\$1$9.png"
    )
    assert to(redirects, "/blog/2020/a b.php") == "/2020/a%20b.html?from=/blog/2020/a%20b.php"
    assert to(redirects, "/x/y.GIF") == "/no-$1.png"
    assert to(redirects, "/x/y.png") is None


def test_a_redirect_match_may_begin_with_what_it_caught(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("")
    (tmp_path / ".htaccess").write_text("RedirectMatch 301 (.*)\\.php$ $1.html\nRedirectMatch (c)\\.cgi $1\n")
    files = list_files(tmp_path)
    site = "https://example.org/"
    redirects = read_redirects(tmp_path, files.paths, HOSTS["apache"], site)
    assert redirects is not None
    assert redirects.unread == ()
    locator = Locator(files, site, HOSTS["apache"], redirects=redirects)
    assert locator.locate(site + "b.php").path == "b.html"
    assert locator.locate(site + "d.php").message == ".htaccess:1 leads to /d.html: there is no file d.html"
    located = locator.locate(site + "c.cgi")
    assert located.code == "missing-file"
    assert located.message == ".htaccess:2 leads to c, which is neither a path from the root nor a whole URI"


@pytest.mark.parametrize(
    "expression",
    [
        "^/([^/]+)/([^/]+)/(.*)$",
        "^/(.*?)/(.*?)/(.*?)$",
        "^/([a-z]{2}/)?old/(.+)\\.html?$",
        f"^/({'|'.join(f'page{number}' for number in range(40))})\\.php$",
        "/index\\.(html?|php)$",
    ],
)
def test_usual_expressions_are_taken(expression: str) -> None:
    assert apache(f"RedirectMatch {expression} /x").unread == ()


def test_comments_and_continued_lines() -> None:
    redirects = apache("# Redirect /a /b\nRedirect \\\n  /c \\\n  /d\r\nDirectoryIndex x.html\nRedirect /e '/f g'")
    assert to(redirects, "/a") is None
    assert redirects.find("/c", None, exists=False) == Redirection("/d", 302, ".htaccess:2")
    assert to(redirects, "/e") == "/f g"


def test_sections() -> None:
    text = (
        "<IfModule mod_alias.c>\nRedirect /a /1\n</IfModule>\n<IfModule !mod_rewrite.c>\nRedirect /b /2\n</IfModule>\n"
    )
    redirects = apache(
        text + "<Files x>\n<IfModule mod_alias.c>\nRedirect /c /3\n</IfModule>\n</Files>\nRedirect /d /4"
    )
    reason = "it depends on a condition"
    assert redirects.unread == ((".htaccess", 5, reason), (".htaccess", 9, reason))
    found = [redirects.find(f"/{name}", None, exists=False) for name in "abcd"]
    assert [redirection is not None for redirection in found] == [True, False, False, True]


@pytest.mark.parametrize(
    "line",
    [
        "Options -Indexes -MultiViews +FollowSymLinks",
        *("DirectorySlash On", "AcceptPathInfo Default", "ErrorDocument 404 'no'", "RewriteEngine On"),
        "ExpiresActive On",
    ],
)
def test_directives_of_which_nothing_need_be_reported(line: str) -> None:
    assert apache(line).unread == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("RewriteRule ^a$ /b [R]", "RewriteRule is not read"),
        ("aliasmatch ^/a$ /b", "AliasMatch is not read"),
        ("DirectorySlash Off", "DirectorySlash Off is not read"),
        ("Options -ExecCGI +MultiViews Indexes", "Options +MultiViews Indexes is not read"),
        ("CheckSpelling on", "CheckSpelling on is not read"),
        ("FallbackResource", "it needs one path, or disabled"),
        ("FallbackResource index.php", "index.php is not a path from the root"),
        ("RedirectMatch ^/a$ b", "b is neither a path from the root nor a whole URI"),
        ("Redirect", "it needs a path and a target, with the status 302"),
        ("Redirect /a", "it needs a path and a target, with the status 302"),
        ("Redirect gone /a /b", "it needs a path, and nothing else, with the status 410"),
        ("Redirect a /b", "a path begins with a slash, and a does not"),
        ("Redirect /a b", "b is neither a path from the root nor a whole URI"),
        ("RedirectMatch ^/(a /b", "the expression is not understood: "),
        ("RedirectMatch ^/(?R)$ /b", "the expression calls itself, which is not supported"),
        (f"RedirectMatch ^/{'a' * 10_000}$ /b", "the expression has more than 10,000 characters"),
    ],
)
def test_directives_that_are_not_taken(line: str, reason: str) -> None:
    redirects = apache(line)
    assert len(redirects.unread) == 1
    assert redirects.unread[0][:2] == (".htaccess", 1)
    assert redirects.unread[0].reason.startswith(reason)


def test_the_folder_of_an_htaccess() -> None:
    redirects = apache("RedirectMatch html$ /x\nRedirect /a/b /y", within="/a/")
    assert to(redirects, "/a/c.html") == "/x"
    assert to(redirects, "/b/c.html") is None


# Finding


def test_long_paths_match_nothing() -> None:
    redirects = netlify("/* /x")
    assert to(redirects, "/" + "a" * (LONGEST_PATH - 1)) == "/x"
    assert to(redirects, "/" + "a" * LONGEST_PATH) is None


def test_many_rules_cost_no_more_than_a_few() -> None:
    def finding(n: int) -> Callable[[], None]:
        redirects = netlify("\n".join(f"/old{number}/* /new/{number}/:splat" for number in range(n)))

        def run() -> None:
            for number in range(0, n, 10):
                assert to(redirects, f"/old{number}/a/b") == f"/new/{number}/a/b"

        return run

    assert_proportional(finding, 200)


def test_overriding() -> None:
    redirects = netlify("/a/* /x 301!\n/b /y\n/c id=:id /z 200!")
    assert [redirects.overrides(path) for path in ("/a/b", "/b", "/c", "/d")] == [True, False, True, False]


@given(st.text(st.characters(blacklist_categories=("Cs",))), st.text(st.sampled_from("/ab:*")))
def test_never_fails(text: str, path: str) -> None:
    lines = [text, f"/{text} /x", f"/a/{text}* /x", f"/:a/{text} /x", f"/a {text}"]
    for redirects in (netlify("\n".join(lines)), cloudflare("\n".join(lines))):
        redirects.find("/" + path, text, exists=False)
    lines = [
        text,
        f"Redirect {text}",
        f"Redirect /a {text}",
        f"RedirectMatch {text} /$1",
        f"RedirectMatch ({text}) /$1",
    ]
    apache("\n".join(lines)).find("/" + path, text, exists=False)


@given(st.text(st.sampled_from("ab(|)*+?{2,}[^]\\.$"), max_size=24))
def test_no_expression_takes_long(expression: str) -> None:
    redirects = apache(f"RedirectMatch {expression} /x")
    path = "/" + "ab" * 100 + "/" + "a" * 100
    assert work(lambda: redirects.find(path, None, exists=False)) < 20_000


# Reading


def test_reading_for_a_host(tmp_path: Path) -> None:
    (tmp_path / "_redirects").write_bytes(b"\xef\xbb\xbf/a /b 301\r\n/c d\r\n")
    (tmp_path / ".htaccess").write_text("Redirect /docs/a /docs/c\n")
    files = list_files(tmp_path)
    site = "https://example.org/docs/"
    by_host = {name: read_redirects(tmp_path, files.paths, host, site) for name, host in HOSTS.items()}
    assert {name for name, redirects in by_host.items() if redirects is not None} == {
        "netlify",
        "cloudflare-pages",
        "gitlab-pages",
        "apache",
    }
    netlify, apache = by_host["netlify"], by_host["apache"]
    assert netlify is not None
    assert apache is not None
    assert netlify.find("/a", None, exists=False) == Redirection("/b", 301, "_redirects:1")
    assert [(unread.file, unread.line) for unread in netlify.unread] == [("_redirects", 2)]
    assert (netlify.root, apache.root) == ("/", "/docs/")
    assert apache.find("/docs/a/x", None, exists=False) == Redirection("/docs/c/x", 302, ".htaccess:1")


def test_no_redirections(tmp_path: Path) -> None:
    for name in ("netlify", "apache", "none"):
        assert read_redirects(tmp_path, list_files(tmp_path).paths, HOSTS[name], "https://example.org/") is None


@pytest.mark.parametrize("name", ["_redirects", ".htaccess"])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    files = list_files(tmp_path)
    (tmp_path / name).unlink()
    redirects = read_redirects(
        tmp_path, files.paths, HOSTS["netlify" if name == "_redirects" else "apache"], "file:///x/"
    )
    assert redirects is not None
    assert redirects.unread[0][:2] == (name, None)
    assert "cannot be read" in redirects.unread[0].reason


@pytest.mark.parametrize("site", ["https://example.org/docs/", "https://example.org/docs", "file:///home/site/"])
def test_htaccess_on_a_site(tmp_path: Path, site: str) -> None:
    root = "/" if site.startswith("file:") else "/docs/"
    (tmp_path / "sub").mkdir()
    (tmp_path / "new.html").write_text("")
    (tmp_path / ".htaccess").write_text(f"RedirectMatch \\.txt$ {root}none\nRedirect {root}old.html {root}new.html\n")
    (tmp_path / "sub/.htaccess").write_text(f"Redirect {root}sub/a.txt {root}new.html\n")
    files = list_files(tmp_path)
    redirects = read_redirects(tmp_path, files.paths, HOSTS["apache"], site)
    locator = Locator(files, site, HOSTS["apache"], redirects=redirects)
    folder = site.rstrip("/") + "/"
    assert locator.locate(folder + "old.html").path == "new.html"
    assert locator.locate(folder + "sub/a.txt").path == "new.html"  # the deepest goes first
    assert locator.locate(folder + "sub/b.txt").code == "missing-file"
    if root != "/":
        assert locator.locate("https://example.org/old.html").code == "escapes-site"

"""Redirections: `_redirects`, `.htaccess`, `netlify.toml`, `vercel.json`, and finding the rule for a path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked.contexts import checked, host_named, written
from growth import assert_proportional, work
from rehref.site._hosts.redirect_rules import LONGEST_PATH, FoundRules, Redirection, Redirects
from rehref.site.check_options import ROWS, CheckOptions
from rehref.site.site import Site


def read(files: Mapping[str, str | bytes], host: str, site: str = "https://example.org/") -> Redirects:
    """The rules of a host in the files of a folder."""
    with TemporaryDirectory() as name:
        context = Site.of(written(Path(name), files), CheckOptions(host=host_named(host), site_url=site))
    return Redirects(FoundRules()) if context.redirects is None else context.redirects


def netlify(text: str, site: str = "https://example.org/docs/") -> Redirects:
    return read({"_redirects": text}, "netlify", site)


def cloudflare(text: str) -> Redirects:
    return read({"_redirects": text}, "cloudflare-pages")


def apache(text: str | bytes, within: str = "/") -> Redirects:
    return read({".htaccess": text}, "apache", f"https://example.org{within}")


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
    site = "https://example.org/"
    context = Site.of(tmp_path, CheckOptions(host=host_named("apache"), site_url=site))
    locator = context.locator
    assert context.redirects is not None
    assert context.redirects.unread == ()
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
    by_host = {
        name: Site.of(tmp_path, CheckOptions(host=host_named(name), site_url="https://example.org/docs/")).redirects
        for name in ROWS["host"].choices
    }
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
        assert Site.of(tmp_path, CheckOptions(host=host_named(name))).redirects is None


@pytest.mark.parametrize("site", ["https://example.org/docs/", "https://example.org/docs", "file:///home/site/"])
def test_htaccess_on_a_site(tmp_path: Path, site: str) -> None:
    root = "/" if site.startswith("file:") else "/docs/"
    (tmp_path / "sub").mkdir()
    (tmp_path / "new.html").write_text("")
    (tmp_path / ".htaccess").write_text(f"RedirectMatch \\.txt$ {root}none\nRedirect {root}old.html {root}new.html\n")
    (tmp_path / "sub/.htaccess").write_text(f"Redirect {root}sub/a.txt {root}new.html\n")
    locator = Site.of(tmp_path, CheckOptions(host=host_named("apache"), site_url=site)).locator
    folder = site.rstrip("/") + "/"
    assert locator.locate(folder + "old.html").path == "new.html"
    assert locator.locate(folder + "sub/a.txt").path == "new.html"  # the deepest goes first
    assert locator.locate(folder + "sub/b.txt").code == "missing-file"
    if root != "/":
        assert locator.locate("https://example.org/old.html").code == "escapes-site"


# netlify.toml and vercel.json


def of_toml(text: str) -> Redirects:
    return read({"netlify.toml": text}, "netlify")


def of_vercel(text: str) -> Redirects:
    return read({"vercel.json": text}, "vercel")


def rewrite(source: str, destination: str = "/x") -> Redirects:
    return of_vercel(json.dumps({"rewrites": [{"source": source, "destination": destination}]}))


# netlify.toml


def test_tables_are_rules() -> None:
    redirects = of_toml("""[build]
publish = "."
[[redirects]]
from = "/old"
to = "/new"

[[redirects]] # an application
from = "/spa/*"
to = "/app/:splat"
status = 200
force = true
[[redirects]]
from = "https://example.org/q"
to = "/q/:id"
query = {id = ":id"}
""")
    assert redirects.find("/old/", None, exists=False) == Redirection("/new", 301, "netlify.toml:3")
    assert redirects.find("/spa/x", None, exists=True) == Redirection("/app/x", 200, "netlify.toml:7")
    assert to(redirects, "/old", exists=True) is None
    assert (to(redirects, "/q", "id=7"), to(redirects, "/q")) == ("/q/7", None)
    assert [(one.line, one.to, one.source) for one in redirects.pointers] == [(3, "/new", "/old")]


def test_a_table_with_conditions_is_asked_last() -> None:
    first = '[[redirects]]\nfrom = "/a"\nto = "/de"\nforce = true\nconditions = {Language = ["de"]}\n'
    redirects = of_toml(first + '[[redirects]]\nfrom = "/a"\nto = "/en"\n')
    assert to(redirects, "/a") == "/en"
    assert not redirects.has_always


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ('to = "/b"', "it has no 'from'"),
        ('from = "/a"', "it has no 'to'"),
        ('from = 1\nto = "/b"', "'from' is not a text"),
        ('from = "/a\\n"\nto = "/b"', "'from' has characters that no URI has"),
        ('from = "a"\nto = "/b"', "a path begins with a slash, and a does not"),
        ('from = "/a"\nto = "b"', "b is neither a path from the root nor a whole URI"),
        ('from = "https://old.example/a"\nto = "/b"', "it is for another site"),
        ('from = "/a"\nto = "/b"\nstatus = true', "'status' is not a status"),
        ('from = "/a"\nto = "/b"\nstatus = 999', "'status' is not a status"),
        ('from = "/a"\nto = "/b"\nquery = 1', "query is not a table"),
        ('from = "/*/*"\nto = "/b"', "it has more than one splat"),
    ],
)
def test_tables_that_are_not_taken(table: str, reason: str) -> None:
    redirects = of_toml('[[redirects]]\nfrom = "/x"\nto = "/y"\n[[redirects]]\n' + table)
    assert redirects.unread == (("netlify.toml", 4, reason),)
    assert redirects.find("/x", None, exists=False) is not None


def test_tables_whose_lines_are_not_known() -> None:
    assert of_toml('\nredirects = [{from = "/a", to = "/b"}, 7]').unread == (("netlify.toml", 1, "it is not a table"),)
    assert of_toml("redirects = 1").unread == (("netlify.toml", 1, "redirects is not a list of tables"),)


@pytest.mark.parametrize("data", [b"[", b"\xff", b"a = " + b"[" * 100_000])
def test_what_is_not_toml(data: bytes) -> None:
    found = read({"netlify.toml": data}, "netlify")
    assert (found.find("/a", None, exists=False), list(found.pointers)) == (None, [])
    assert [one[:2] for one in found.unread] == [("netlify.toml", None)]


def test_redirects_go_before_netlify_toml(tmp_path: Path) -> None:
    (tmp_path / "_redirects").write_text("/a /1\n/b /de 302 Language=de\n")
    tables = (f'[[redirects]]\nfrom = "/{name}"\nto = "/2"\n' for name in "abc")
    (tmp_path / "netlify.toml").write_text("".join(tables))
    redirects = Site.of(tmp_path, CheckOptions(host=host_named("netlify"))).redirects
    assert redirects is not None
    assert [to(redirects, path) for path in ("/a", "/b", "/c")] == ["/1", "/2", "/2"]
    assert Site.of(tmp_path, CheckOptions(host=host_named("vercel"))).redirects is None


# vercel.json


def test_redirects_go_before_files_and_rewrites_do_not() -> None:
    redirects = of_vercel("""{
  "cleanUrls": true,
  "rewrites": [{"source": "/a", "destination": "/3"},
    {"source": "/c", "destination": "/c.html"}],
  "redirects": [
    {"source": "/a", "destination": "/1", "permanent": false},
    {"source": "/b", "destination": "/2"}, {
      "source": "/d", "destination": "https://other.example/", "statusCode": 301}
  ]
}""")
    assert redirects.find("/a", None, exists=True) == Redirection("/1", 307, "vercel.json:6")
    assert redirects.find("/b", None, exists=True) == Redirection("/2", 308, "vercel.json:7")
    assert redirects.find("/d", None, exists=True) == Redirection("https://other.example/", 301, "vercel.json:7")
    assert redirects.find("/c", None, exists=False) == Redirection("/c.html", 200, "vercel.json:4")
    assert redirects.find("/c", None, exists=True) is None
    assert to(redirects, "/b/") is None
    assert [(one.line, one.source) for one in redirects.pointers] == [
        (6, "/a"),
        (7, "/b"),
        (7, "/d"),
        (3, "/a"),
        (4, "/c"),
    ]
    assert [one.always for one in redirects.pointers] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("source", "destination", "path", "expected"),
    [
        ("/", "/i", "/", "/i"),
        ("/a%20b", "/i", "/a b", "/i"),
        ("/u/:id", "/user/:id.html", "/u/é", "/user/%C3%A9.html"),
        ("/u/:id/x", "/:id/:none", "/u/7/x", "/7/:none"),
        ("/u/:id", "/i", "/u/7/8", None),
        ("/d/:path*", "/e/:path*", "/d/1/2", "/e/1/2"),
        ("/d/:path*", "/e/:path", "/d/1", "/e/1"),
        ("/d/:path*", "/e", "/d", "/e"),
        ("/d/:path*", "/e", "/dd", None),
        ("/:path*", "/e", "/1/2", "/e"),
        ("/d/:path+", "/e", "/d", None),
        ("/d/:path+", "/:path+", "/d/1/2", "/1/2"),
        ("/(.*)", "/index.html", "/", "/index.html"),
        ("/s/:id/(.*)", "/t/$2/$1/$3", "/s/7/a/b", "/t/a/b/7/$3"),
        ("/s/:all(.*)", "/t/:all", "/s/a/b", "/t/a/b"),
        ("/s", "https://h.example:80/", "/s", "https://h.example:80/"),
    ],
)
def test_sources(source: str, destination: str, path: str, expected: str | None) -> None:
    assert to(rewrite(source, destination), path) == expected


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (7, "it is not an object"),
        ({"destination": "/b"}, "it has no 'source'"),
        ({"source": "/a"}, "it has no 'destination'"),
        ({"source": "/\ud800", "destination": "/b"}, "'source' has characters that no URI has"),
        ({"source": "a", "destination": "/b"}, "a path begins with a slash, and a does not"),
        ({"source": "/a", "destination": "b"}, "b is neither a path from the root nor a whole URI"),
        ({"source": "/a", "destination": "/b", "has": [{"type": "host"}]}, "it is for some requests only"),
        ({"source": "/a", "destination": "/b", "missing": [{"type": "host"}]}, "it is for some requests only"),
        ({"source": "/a", "destination": "/b", "statusCode": "301"}, "'statusCode' is not a status"),
        ({"source": "/:a(\\d+)", "destination": "/b"}, "the expression in /:a(\\d+) is not read"),
        ({"source": "/:a*/b", "destination": "/b"}, "the expression in /:a*/b is not read"),
        ({"source": "/a*", "destination": "/b"}, "the expression in /a* is not read"),
        ({"source": "/*", "destination": "/b"}, "the expression in /* is not read"),
        ({"source": "/:a/:a", "destination": "/b"}, "it has the same placeholder twice"),
    ],
)
def test_entries_that_are_not_taken(entry: object, reason: str) -> None:
    said = {"redirects": [{"source": "/x", "destination": "/y"}, entry]}
    redirects = of_vercel(json.dumps(said, indent=1))
    assert redirects.unread == (("vercel.json", 7, reason),)
    assert redirects.find("/x", None, exists=False) is not None


def test_what_vercel_json_says_otherwise() -> None:
    redirects = of_vercel('{"redirects": 1,\n"routes": [{}],\n"rewrites": {}, "bulkRedirectsPath": "a.csv"}')
    assert redirects.unread == (
        ("vercel.json", 1, "redirects is not a list of rules"),
        ("vercel.json", 3, "rewrites is not a list of rules"),
        ("vercel.json", 2, "routes is not read"),
        ("vercel.json", 3, "bulkRedirectsPath is not read"),
    )
    assert of_vercel("[]").unread == (("vercel.json", 1, "it is not an object"),)
    assert of_vercel("{}").unread == ()


@pytest.mark.parametrize("text", ['{"a": {"rewrites": [1]},\n%s}', '{"a": 1,\n"rewrites": [],\n%s}'])
def test_a_list_that_cannot_be_told_from_another(text: str) -> None:
    redirects = of_vercel(text % '"rewrites": [\n{"source": "/a", "destination": "/b"}]')
    assert redirects.find("/a", None, exists=False) == Redirection("/b", 200, "vercel.json:1")


@pytest.mark.parametrize(
    "rules",
    [
        r'{"a": {"rewrites": []}, "rewrit\u0065s": [7]}',
        r'{"a": {"rewrites": [8]}, "rewrit\u0065s": [7]}',
    ],
)
def test_a_list_that_stands_elsewhere(rules: str) -> None:
    assert of_vercel("\n" + rules).unread == (("vercel.json", 1, "it is not an object"),)


@pytest.mark.parametrize("data", [b"[", b"\xff", b"[" * 100_000])
def test_what_is_not_json(data: bytes) -> None:
    found = read({"vercel.json": data}, "vercel")
    assert (found.find("/a", None, exists=False), list(found.pointers)) == (None, [])
    assert [one[:2] for one in found.unread] == [("vercel.json", None)]


@given(
    st.text(st.sampled_from("/ab:*+(.)$1?\\")), st.text(st.sampled_from("/ab:*$19")), st.text(st.sampled_from("/ab"))
)
def test_settings_never_fails(source: str, destination: str, path: str) -> None:
    rewrite("/" + source, "/" + destination).find("/" + path, None, exists=False)
    table = f"[[redirects]]\nfrom = '/{source}'\nto = '/{destination}'"
    of_toml(table).find("/" + path, None, exists=False)


# A folder

LINKS = '<a href="/old"><a href="/spa/x"><a href="/gone">'
RULES = {
    "netlify.toml": """[[redirects]]
from = "/old"
to = "/new.html"
[[redirects]]
from = "/spa/*"
to = "/index.html"
status = 200
[[redirects]]
from = "/lost"
to = "/nowhere"
[[redirects]]
from = "lost"
to = "/nowhere"
""",
    "vercel.json": """{"redirects": [{"source": "/old", "destination": "/new.html"}],
"rewrites": [{"source": "/spa/:rest*", "destination": "/index.html"}, {"source": "/f", "destination": "/api/f"},

{"source": "/lost", "destination": "/nowhere"},
{"source": "lost", "destination": "/nowhere"}
]}""",
}


@pytest.mark.parametrize(("name", "lost", "unread"), [("netlify.toml", 10, 11), ("vercel.json", 4, 5)])
def test_the_rules_of_a_folder(tmp_path: Path, name: str, lost: int, unread: int) -> None:
    found = checked(tmp_path, {"index.html": LINKS, "new.html": "", name: RULES[name]}).findings
    assert sorted(
        (one.document, one.line, one.code, one.reference) for one in found if one.severity != "info"
    ) == sorted(
        [
            ("index.html", 1, "missing-file", "/gone"),
            (name, lost, "missing-file", "/nowhere"),
            (name, unread, "redirect-not-read", ""),
        ]
    )


@pytest.mark.parametrize("name", list(RULES))
@pytest.mark.parametrize("text", ["[", "x" * (1024 * 1024 + 1)])
def test_a_broken_file_is_one_finding(tmp_path: Path, name: str, text: str) -> None:
    found = checked(tmp_path, {"index.html": "", name: text}).findings
    assert [(one.document, one.code) for one in found] == [(name, "redirect-not-read")]


def test_an_expression_for_one_path_is_tried_for_that_path_alone() -> None:
    redirects = apache("".join(f'RedirectMatch 301 "^/a/{number}\\.html$" "/b"\n' for number in range(100)))
    assert to(redirects, "/a/7.html") == "/b"
    assert redirects.rules_for("/a/7.html") == 1
    assert redirects.rules_for("/a/7xhtml") == 0
    others = apache("RedirectMatch 301 /a$ /b\nRedirectMatch 301 ^/[a]$ /c\n")
    assert others.rules_for("/z") == 2


def test_words_of_mod_rewrite() -> None:
    rule = 'RewriteCond %{REQUEST_URI} ^/a\\ \\"b\\\\\\.html$\nRewriteRule ^ /c\\%20d [R=301,NE,L]\n'
    redirects = apache(rule)
    assert to(redirects, '/a "b\\.html') == "/c%20d"
    assert [(each.to, each.written("/x%20$y")) for each in redirects.pointers] == [("/c%20d", "/x\\%20\\$y")]
    plain = apache("RewriteRule ^a$ '/c d' [R]\nRewriteRule ^b$ /c%20d\nRewriteRule ^b$ /$1\n")
    assert [each.written("/x%20%24y.html") for each in plain.pointers] == ["/x \\$y.html"]
    assert [each.written("/x%3Fy") for each in plain.pointers] == [None]
    assert len(plain.unread) == 3


def test_a_path_that_is_not_utf8() -> None:
    redirects = apache(b'RedirectMatch 301 "^/\xff$" "/b"\nFallbackResource \xff\n')
    assert redirects.find("/\udcff", None, exists=False) == Redirection("/b", 301, ".htaccess:1")
    assert [each.reason.isprintable() for each in redirects.unread] == [True]

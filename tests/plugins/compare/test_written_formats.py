"""What each format can express: names with colons, queries, other characters, the pretty URLs of its host."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.contexts import host_named
from plugins.compare.archives import archive
from plugins.compare.sites import page, site, text
from plugins.compare.test_written_targets import FILES, place_of
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

HOSTS = {"_redirects": "netlify", ".htaccess": "apache", "netlify.toml": "netlify", "vercel.json": "vercel"}
ODD = ("a:storm", "q$m$1", "é ü", "50%", "x'y", "(1)", "a+b*c", "$1", "k&l", "semi;colon", "[b]")


def gone(comparison: rehref.Comparison) -> set[str]:
    return {each.url for each in comparison.problems if each.code == "url-gone"}


@pytest.mark.parametrize("name", FILES)
def test_odd_names_are_paths_on_both_sides(tmp_path: Path, name: str) -> None:
    old = site(tmp_path / "old", {f"{each}.html": page(f"Old {each}") for each in ODD})
    moved = {f"new {each}:{each}.html": page(f"Old {each}", f"<p>{text(f'Old {each}')} .") for each in ODD}
    new = site(tmp_path / "new", moved)
    file = place_of(tmp_path, name, new)
    how = {"host": HOSTS[name]} if name in HOSTS else {}
    comparison = rehref.compare(old, new, write_redirects=file, **how)
    assert comparison.unwritten == ()
    assert comparison.summary.redirects >= len(ODD)
    if name == "moved.map":
        content = file.read_text()
        assert '"/a:storm.html" "/new%20a:storm:a:storm.html";' in content.splitlines()
        assert "\\u" not in content
    else:
        side = new if name in HOSTS else file
        if name == "pages":
            for each in file.iterdir():
                each.rename(new / each.name)
            side = new
        assert gone(rehref.compare(old, side, **how)) == set()


QUERIES = {"p.html?id=1": "/news.html", "p.html?id=2&b=%C3%A9%20x": "/club.html", "p.html?": "/news.html"}
QUERIES |= {"p.html": "/club.html", "list?x": "/news.html", "r.html": "https://other.example/q?x=1#y"}


@pytest.mark.parametrize("name", FILES)
def test_queries_are_written_where_a_format_can_express_them(tmp_path: Path, name: str) -> None:
    old, new = archive(tmp_path / "old.warc", {}, QUERIES), site(tmp_path / "new", {})
    file = place_of(tmp_path, name, new)
    how = {"host": HOSTS[name]} if name in HOSTS else {}
    comparison = rehref.compare(old, new, write_redirects=file, **how)
    unwritten = {each.url for each in comparison.unwritten}
    if name in (".htaccess", "moved.map"):
        assert unwritten == set()
    elif name in HOSTS:
        assert unwritten == {"p.html?", "list?x"}
        reason = "its query does not consist of one value for each name"
        assert {each.reason for each in comparison.unwritten} == {reason}
    else:
        assert unwritten == {url for url in QUERIES if "?" in url}
    if name in HOSTS:
        options = CheckOptions(host=host_named(HOSTS[name]), site_url="https://mill.example/")
        redirects = Site.of(new, options).redirects
        assert redirects is not None
        for url, to in QUERIES.items():
            path, mark, query = url.partition("?")
            found = redirects.find(f"/{path}", query if mark else None, exists=False)
            assert url in unwritten or (found is not None and found.to == to), url
        assert gone(rehref.compare(old, new, **how)) == unwritten & {"list?x"}
        assert rehref.compare(old, new, write_redirects=file, **how).summary.redirects == 0
        assert [each for each in rehref.check(new, **how).findings if each.code == "redirect-not-read"] == []


@pytest.mark.parametrize("host", ["cloudflare-pages", "gitlab-pages"])
def test_hosts_without_queries_get_the_rest(tmp_path: Path, host: str) -> None:
    old, new = archive(tmp_path / "old.warc", {}, QUERIES), site(tmp_path / "new", {})
    comparison = rehref.compare(old, new, host=host, write_redirects=new / "_redirects")
    assert {each.url for each in comparison.unwritten} == {url for url in QUERIES if "?" in url}
    assert gone(rehref.compare(old, new, host=host)) == {"list?x"}  # the others get what the URL without a query gets


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("_redirects", "netlify"),
        ("_redirects", "cloudflare-pages"),
        ("_redirects", "gitlab-pages"),
        ("netlify.toml", "netlify"),
        ("vercel.json", "vercel"),
        (".htaccess", "apache"),
    ],
)
def test_the_pretty_urls_of_its_host_are_redirected(tmp_path: Path, name: str, host: str) -> None:
    settings = '{"cleanUrls": true}' if name == "vercel.json" else ""
    old = site(tmp_path / "old", {"archiving.html": page("Archiving"), "docs/a.html": page("A")})
    moved = {each: page(title, f"<p>{text(title)} .") for each, title in (("x/b.html", "Archiving"), ("b.html", "A"))}
    new = site(tmp_path / "new", moved)
    if settings:
        (new / name).write_text(settings)
    rehref.compare(old, new, host="none", write_redirects=new / name)
    assert gone(rehref.compare(old, new, host=host)) == set()


def test_a_pretty_url_that_is_there_is_not_redirected(tmp_path: Path) -> None:
    old = site(tmp_path / "old", {"a.html": page("A")})
    new = site(tmp_path / "new", {"b.html": page("A", f"<p>{text('A')} ."), "a/index.html": page("Other")})
    rehref.compare(old, new, host="none", write_redirects=new / "_redirects")
    assert (new / "_redirects").read_text() == "/a.html /b.html 301\n"


def test_names_that_differ_in_case_alone_are_kept_apart(tmp_path: Path) -> None:
    old = site(tmp_path / "old", {"A.html": page("First"), "b.html": page("Second"), "B.html": page("Third")})
    new = site(
        tmp_path / "new",
        {
            "a.html": page("Fourth"),
            "x.html": page("First", f"<p>{text('First')} ."),
            "y.html": page("Second", f"<p>{text('Second')} ."),
            "z.html": page("Third", f"<p>{text('Third')} ."),
        },
    )
    rehref.compare(old, new, write_redirects=tmp_path / "m.map")
    lines = {'"~^/A\\\\.html$" "/x.html";', '"~^/b\\\\.html$" "/y.html";', '"~^/B\\\\.html$" "/z.html";'}
    assert set((tmp_path / "m.map").read_text().splitlines()) == lines
    (tmp_path / "n.map").write_text('"/a.html" "/elsewhere.html";\n')
    comparison = rehref.compare(old, new, write_redirects=tmp_path / "n.map")
    assert [each.url for each in comparison.unwritten] == ["A.html"]


def test_pages_keep_the_scheme_of_another_site(tmp_path: Path) -> None:
    old, new = archive(tmp_path / "old.warc", {}, {"q.html": "https://other.example/q"}), site(tmp_path / "new", {})
    file = place_of(tmp_path, "pages", new)
    rehref.compare(old, new, write_redirects=file)
    assert 'location.replace("https://other.example/q"+location.hash)' in (file / "q.html").read_text()


def test_pages_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    redirects = {"a.png": "/news.html", "b.html": "/news.html", "b.html/c.html": "/news.html"}
    redirects |= {f"{'x' * 300}.html": "/news.html"}
    old, new = archive(tmp_path / "old.warc", {}, redirects), site(tmp_path / "new", {"d": "a file"})
    comparison = rehref.compare(old, new, write_redirects=place_of(tmp_path, "pages", new))
    assert {each.url for each in comparison.unwritten} == redirects.keys() - {"b.html/c.html"}
    assert comparison.summary.redirects == 1


def test_an_apache_rule_for_a_query_is_read_only_as_it_is_written(tmp_path: Path) -> None:
    new = site(tmp_path / "new", {})
    path, query = "RewriteCond %{REQUEST_URI} ^/a$", "RewriteCond %{QUERY_STRING} ^x$"
    rule = "RewriteRule ^ /news.html [R=301,NE,QSD,L]"
    for lines in (
        ("RewriteRule ^a$ /b [R=301,L]",),
        (query, rule),
        (path.replace("/a", "/a.b"), query, rule),
        (path, query, query, rule),
        (path, query, rule.replace("QSD", "QSA")),
        (path, query, rule.replace("news", "%1")),
        ("<If true>", path, query, rule, "</If>"),
    ):
        (new / ".htaccess").write_text("\n".join(lines))
        codes = [each.code for each in rehref.check(new, host="apache").findings]
        assert "redirect-not-read" in codes

"""Redirects that are written: in the syntax of each host, merged into what there is, read back, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rehref
from plugins.compare.sites import page, section, site, text

OLD = {
    "guide.html": page("Guide", section("sails"), section("masts")),
    "docs/wind.html": page("Wind"),
    "docs/tide/index.html": page("Tide"),
    "a b (1).html": page("Space"),
    "gone.html": page("Gone"),
}
NEW = {
    "begin.html": page("Guide", section("sails"), section("masts"), "<p>more"),
    "manual/wind.html": page("Wind", f"<p>{text('Wind')} ."),
    "manual/tide/index.html": page("Tide", f"<p>{text('Tide')} ."),
    "c $d.html": page("Space", f"<p>{text('Space')} ."),
}
MOVED = {"guide.html": "begin.html", "docs/wind.html": "manual/wind.html", "docs/tide/": "manual/tide/"}
FORMATS = {
    "_redirects": ("netlify", "cloudflare-pages", "gitlab-pages"),
    ".htaccess": ("apache",),
    "netlify.toml": ("netlify",),
    "vercel.json": ("vercel",),
}


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    return site(tmp_path / "old", OLD), site(tmp_path / "new", NEW)


@pytest.mark.parametrize(("name", "host"), [(name, host) for name, hosts in FORMATS.items() for host in hosts])
def test_nothing_that_has_moved_is_gone_afterwards(name: str, host: str, states: tuple[Path, Path]) -> None:
    old, new = states
    before = rehref.compare(old, new, host=host, write_redirects=new / name)
    assert before.summary.redirects >= len(MOVED) + 1
    after = rehref.compare(old, new, host=host)
    assert {each.url for each in after.problems if each.code == "url-gone"} == {"gone.html"}
    moved = {each.url: each.moved_to for each in after.problems if each.code == "url-moved"}
    assert moved == MOVED | {"a%20b%20(1).html": "c%20$d.html"}
    assert after.summary.ids.gone == 0
    written = (new / name).read_bytes()
    assert rehref.compare(old, new, host=host, write_redirects=new / name).summary.redirects == 0
    assert (new / name).read_bytes() == written


def test_a_host_of_projects_has_their_path_in_rules(states: tuple[Path, Path]) -> None:
    old, new = states
    how = {"host": "gitlab-pages", "site_url": "https://boats.example/club/"}
    rehref.compare(old, new, write_redirects=new / "_redirects", **how)
    assert "/club/guide.html /club/begin.html 301\n" in (new / "_redirects").read_text()
    assert {each.url for each in rehref.compare(old, new, **how).problems if each.code == "url-gone"} == {"gone.html"}


def test_pages_that_refresh_keep_fragments(states: tuple[Path, Path]) -> None:
    old, new = states
    rehref.compare(old, new, write_redirects=new)
    assert "location.hash" in (new / "docs/tide/index.html").read_text()
    after = rehref.compare(old, new)
    assert {each.url for each in after.problems if each.code == "url-gone"} == {"gone.html"}
    assert {each.url for each in after.problems if each.code == "id-moved"} == {"guide.html#sails", "guide.html#masts"}
    assert after.summary.ids.gone == 0
    assert rehref.check(new, select=["errors"]).findings == ()


def test_a_host_without_extensions_needs_one_page_for_each(states: tuple[Path, Path]) -> None:
    old, new = states
    rehref.compare(old, new, host="github-pages", write_redirects=new)
    assert sorted(path.name for path in (new / "docs").rglob("*")) == ["index.html", "tide", "wind.html"]
    after = rehref.compare(old, new, host="github-pages")
    assert {each.url for each in after.problems if each.code == "url-gone"} == {"gone.html"}


def test_a_page_that_is_there_is_not_replaced(states: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "stubs" / "docs").mkdir(parents=True)
    (tmp_path / "stubs" / "docs" / "wind.html").write_text("mine")
    unwritten = rehref.compare(*states, write_redirects=tmp_path / "stubs").unwritten
    assert [each.url for each in unwritten] == ["docs/wind.html"]
    assert unwritten[0].reason.endswith("docs/wind.html is there, and would be replaced")
    assert (tmp_path / "stubs" / "docs" / "wind.html").read_text() == "mine"
    assert (tmp_path / "stubs" / "guide.html").exists()


def test_nginx_gets_lines_for_a_map(states: tuple[Path, Path], tmp_path: Path) -> None:
    file = tmp_path / "moved.map"
    file.write_text("# mine\n/older.html /guide.html;\n/docs/wind.html /elsewhere.html;\n")
    rehref.compare(*states, write_redirects=file)
    lines = file.read_text().splitlines()
    assert lines[:3] == ["# mine", "/older.html /begin.html;", "/docs/wind.html /elsewhere.html;"]
    assert '"/guide.html" "/begin.html";' in lines
    assert '"/a b (1).html" "/c%20%24d.html";' in lines
    assert sum(line.startswith(('"/docs/wind.html"', "/docs/wind.html")) for line in lines) == 1


MINE = {
    "_redirects": (
        "# mine\n/older /guide.html 302 # why\n/app/* /app.html 200\n",
        ["# mine", "/older /begin.html 302 # why", "/guide.html /begin.html 301"],
        "/app/* /app.html 200",
    ),
    ".htaccess": (
        "# mine\r\nRedirect 301 /older /guide.html\r\nErrorDocument 404 /404.html\r\n",
        ["# mine", "Redirect 301 /older /begin.html", "ErrorDocument 404 /404.html"],
        None,
    ),
    "netlify.toml": (
        '[build]\npublish = "public" # mine\n\n[[redirects]]\nfrom = "/older"\nto = "/guide.html"\n\n'
        '[[redirects]]\nfrom = "/app/*"\nto = "/app.html"\nstatus = 200\n',
        ["[build]", 'publish = "public" # mine', 'to = "/begin.html"', 'from = "/guide.html"'],
        'from = "/app/*"',
    ),
}


@pytest.mark.parametrize("name", MINE)
def test_no_line_of_a_file_is_lost_and_chains_are_shortened(name: str, states: tuple[Path, Path]) -> None:
    old, new = states
    before, first, last = MINE[name]
    (new / "app.html").write_text(page("App"))
    (new / name).write_bytes(before.encode())
    rehref.compare(old, new, host=FORMATS[name][0], write_redirects=new / name)
    written = (new / name).read_bytes().decode()
    lines = written.splitlines()
    assert [line for line in first if line in lines] == first
    assert [line for line in before.splitlines() if line not in lines and "guide.html" not in line] == []
    assert last is None or lines.index(last) > max(at for at, line in enumerate(lines) if "manual" in line)
    assert ("\r\n" in before) == (written.count("\n") == written.count("\r\n"))


def test_vercel_keeps_what_else_is_in_the_file(states: tuple[Path, Path]) -> None:
    old, new = states
    mine = {"trailingSlash": False, "redirects": [{"source": "/older", "destination": "/guide.html"}], "rewrites": []}
    mine["redirects"] += [{"source": "/x/(.*)", "destination": "/$1"}]  # type: ignore[operator]
    (new / "vercel.json").write_text(json.dumps(mine))
    rehref.compare(old, new, host="vercel", write_redirects=new / "vercel.json")
    found = json.loads((new / "vercel.json").read_text())
    assert (found["trailingSlash"], found["rewrites"]) == (False, [])
    assert found["redirects"][0] == {"source": "/older", "destination": "/begin.html"}
    assert found["redirects"][-1] == mine["redirects"][-1]  # type: ignore[index]
    assert {"source": "/guide.html", "destination": "/begin.html", "permanent": True} in found["redirects"]


def test_a_circle_is_refused(states: tuple[Path, Path]) -> None:
    old, new = states
    (new / "_redirects").write_text("/begin* /guide.html 301\n")
    unwritten = rehref.compare(old, new, host="cloudflare-pages", write_redirects=new / "_redirects").unwritten
    reason = "with the rules in the file it would lead in a circle"
    assert {(each.url, each.reason) for each in unwritten} == {("guide.html", reason), ("guide", reason)}
    lines = (new / "_redirects").read_text().splitlines()
    assert lines[-1] == "/begin* /guide.html 301"
    assert "/docs/wind.html /manual/wind.html 301" in lines


def test_a_rule_for_what_is_a_page_again_goes(states: tuple[Path, Path]) -> None:
    old, new = states
    (new / "_redirects").write_text("/begin.html /guide.html 301\n/x /y 301\n")
    rehref.compare(old, new, host="cloudflare-pages", write_redirects=new / "_redirects")
    lines = (new / "_redirects").read_text().splitlines()
    assert lines[0] == "/x /y 301"
    assert "/guide.html /begin.html 301" in lines
    assert [line for line in lines if line.startswith("/begin.html")] == []


def test_a_rule_that_leads_nowhere_gets_the_right_target(states: tuple[Path, Path]) -> None:
    old, new = states
    for name, host, rule in (
        ("_redirects", "netlify", "/guide.html {} 301\n"),
        (".htaccess", "apache", "Redirect 301 /guide.html {}\n"),
        (".htaccess", "apache", "RedirectMatch 301 ^/guide\\.html$ '{}'\n"),
    ):
        (new / name).write_text(rule.format("/nothing.html"))
        rehref.compare(old, new, host=host, write_redirects=new / name)
        assert (new / name).read_text().startswith(rule.format("/begin.html"))


def test_a_rule_that_leads_elsewhere_is_refused(states: tuple[Path, Path]) -> None:
    old, new = states
    (new / ".htaccess").write_text("RedirectMatch 301 ^/guide /nothing.html\n")
    unwritten = rehref.compare(old, new, host="apache", write_redirects=new / ".htaccess").unwritten
    reason = "another rule in the file comes first, and leads elsewhere than to /begin.html"
    assert [(each.url, each.reason) for each in unwritten] == [("guide.html", reason)]
    lines = (new / ".htaccess").read_text().splitlines()
    assert lines[0] == "RedirectMatch 301 ^/guide /nothing.html"
    assert [line for line in lines if "begin" in line] == []
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rules.txt", "", "names no format"),
        ("netlify.toml", "[[", "not TOML"),
        ("vercel.json", "{", "not JSON"),
        ("vercel.json", '{"redirects": 3}', "not a list"),
    ],
)
def test_a_file_that_cannot_be_merged_is_refused(
    name: str, content: str, message: str, states: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises((rehref.OptionError, OSError), match=message):
        rehref.compare(*states, write_redirects=tmp_path / name)
    assert (tmp_path / name).read_text() == content

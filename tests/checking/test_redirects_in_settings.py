"""Redirections in `netlify.toml` and `vercel.json` (redirects_file.py, vercel_redirects.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.checking.hosting.configured import read_redirects
from rehref.checking.hosting.hosts import HOSTS
from rehref.checking.hosting.redirects import FoundRules, Redirection, Redirects
from rehref.checking.hosting.redirects_file import parse_netlify_toml
from rehref.checking.hosting.vercel_redirects import parse_vercel_json
from rehref.checking.model import CheckResult
from rehref.checking.options import CheckOptions
from rehref.checking.run import check_folder
from rehref.checking.site.files import list_files
from rehref.checking.site.site_context import site_context


def checked(folder: Path, files: Mapping[str, str]) -> CheckResult:
    for name, text in files.items():
        (folder / name).write_text(text)
    return check_folder(site_context(folder, CheckOptions(jobs=1)))


def netlify(text: str) -> Redirects:
    found = FoundRules()
    parse_netlify_toml(found, text.encode(), site_uri="https://example.org/")
    return Redirects(found)


def vercel(text: str) -> Redirects:
    found = FoundRules()
    parse_vercel_json(found, text.encode())
    return Redirects(found)


def rewrite(source: str, destination: str = "/x") -> Redirects:
    return vercel(json.dumps({"rewrites": [{"source": source, "destination": destination}]}))


def to(redirects: Redirects, path: str, query: str | None = None, *, exists: bool = False) -> str | None:
    assert redirects.unread == ()
    found = redirects.find(path, query, exists=exists)
    return None if found is None else found.to


# netlify.toml


def test_tables_are_rules() -> None:
    redirects = netlify("""[build]
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
    redirects = netlify(first + '[[redirects]]\nfrom = "/a"\nto = "/en"\n')
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
    redirects = netlify('[[redirects]]\nfrom = "/x"\nto = "/y"\n[[redirects]]\n' + table)
    assert redirects.unread == (("netlify.toml", 4, reason),)
    assert redirects.find("/x", None, exists=False) is not None


def test_tables_whose_lines_are_not_known() -> None:
    assert netlify('\nredirects = [{from = "/a", to = "/b"}, 7]').unread == (("netlify.toml", 1, "it is not a table"),)
    assert netlify("redirects = 1").unread == (("netlify.toml", 1, "redirects is not a list of tables"),)


@pytest.mark.parametrize("data", [b"[", b"\xff", b"a = " + b"[" * 100_000])
def test_what_is_not_toml(data: bytes) -> None:
    found = FoundRules()
    parse_netlify_toml(found, data)
    assert (found.rules, found.pointers, [one[:2] for one in found.unread]) == ([], [], [("netlify.toml", None)])


def test_redirects_go_before_netlify_toml(tmp_path: Path) -> None:
    (tmp_path / "_redirects").write_text("/a /1\n/b /de 302 Language=de\n")
    tables = (f'[[redirects]]\nfrom = "/{name}"\nto = "/2"\n' for name in "abc")
    (tmp_path / "netlify.toml").write_text("".join(tables))
    paths = list_files(tmp_path).paths
    redirects = read_redirects(tmp_path, paths, HOSTS["netlify"], "https://example.org/")
    assert redirects is not None
    assert [to(redirects, path) for path in ("/a", "/b", "/c")] == ["/1", "/2", "/2"]
    assert read_redirects(tmp_path, paths, HOSTS["vercel"], "https://example.org/") is None


# vercel.json


def test_redirects_go_before_files_and_rewrites_do_not() -> None:
    redirects = vercel("""{
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
    assert [(one.line, one.source) for one in redirects.pointers] == [(6, ""), (7, ""), (7, ""), (3, "/a"), (4, "/c")]


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
    redirects = vercel(json.dumps(said, indent=1))
    assert redirects.unread == (("vercel.json", 7, reason),)
    assert redirects.find("/x", None, exists=False) is not None


def test_what_vercel_json_says_otherwise() -> None:
    redirects = vercel('{"redirects": 1,\n"routes": [{}],\n"rewrites": {}, "bulkRedirectsPath": "a.csv"}')
    assert redirects.unread == (
        ("vercel.json", 1, "redirects is not a list of rules"),
        ("vercel.json", 3, "rewrites is not a list of rules"),
        ("vercel.json", 2, "routes is not read"),
        ("vercel.json", 3, "bulkRedirectsPath is not read"),
    )
    assert vercel("[]").unread == (("vercel.json", 1, "it is not an object"),)
    assert vercel("{}").unread == ()


@pytest.mark.parametrize("text", ['{"a": {"rewrites": [1]},\n%s}', '{"a": 1,\n"rewrites": [],\n%s}'])
def test_a_list_that_cannot_be_told_from_another(text: str) -> None:
    redirects = vercel(text % '"rewrites": [\n{"source": "/a", "destination": "/b"}]')
    assert redirects.find("/a", None, exists=False) == Redirection("/b", 200, "vercel.json:1")


@pytest.mark.parametrize(
    "rules",
    [
        r'{"a": {"rewrites": []}, "rewrit\u0065s": [7]}',
        r'{"a": {"rewrites": [8]}, "rewrit\u0065s": [7]}',
    ],
)
def test_a_list_that_stands_elsewhere(rules: str) -> None:
    assert vercel("\n" + rules).unread == (("vercel.json", 1, "it is not an object"),)


@pytest.mark.parametrize("data", [b"[", b"\xff", b"[" * 100_000])
def test_what_is_not_json(data: bytes) -> None:
    found = FoundRules()
    parse_vercel_json(found, data)
    assert (found.rules, found.pointers, [one[:2] for one in found.unread]) == ([], [], [("vercel.json", None)])


@given(
    st.text(st.sampled_from("/ab:*+(.)$1?\\")), st.text(st.sampled_from("/ab:*$19")), st.text(st.sampled_from("/ab"))
)
def test_never_fails(source: str, destination: str, path: str) -> None:
    rewrite("/" + source, "/" + destination).find("/" + path, None, exists=False)
    table = f"[[redirects]]\nfrom = '/{source}'\nto = '/{destination}'"
    netlify(table).find("/" + path, None, exists=False)


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


@pytest.mark.parametrize(("name", "lost", "unread"), [("netlify.toml", 8, 11), ("vercel.json", 4, 5)])
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

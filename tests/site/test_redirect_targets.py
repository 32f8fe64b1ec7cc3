"""Where redirections lead, checked at their lines (checks/redirect_targets.py, checks/unread_redirects.py)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from checked import contexts
from checked.contexts import host_named
from rehref.site._checks import redirect_targets
from rehref.site.check_options import ROWS, CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site

PAGES = {"index.html": '<p id=x><a href="#x">', "a/b.html": "<p id=y>", "a/c.html": "", "folder/x.txt": ""}


def checked(folder: Path, files: Mapping[str, str | bytes], host: str | None = None, **options: Any) -> CheckResult:
    return contexts.checked(folder, {**PAGES, **files}, host=None if host is None else host_named(host), **options)


def found(folder: Path, name: str, text: str | bytes, host: str | None = None, **options: Any) -> list[tuple[Any, ...]]:
    """The line, the reference and the code of each finding in the file called `name`, which stands where it says."""
    told = []
    for finding in checked(folder, {name: text}, host, **options).findings:
        if finding.document != name or finding.code == "redirect-not-read":
            continue
        if finding.span is not None:
            data = (folder / name).read_bytes()
            assert data[slice(*finding.span)] == finding.reference.encode()
            assert data.count(b"\n", 0, finding.span[0]) + 1 == finding.line
        told.append((finding.line, finding.reference, finding.code))
    return told


REDIRECTS = """\
# comment /gone0
/old   /index.html
/old2\t/gone.html  302 # why
/x     /a/B.html
/y     /a/b.html#y
/z     /a/b.html#no
/s/*   /:splat
/p/:n  /p2/:n
/f     /folder/
/e     https://elsewhere.example/gone.html
/ü     /gönè.html
/one   /two
/two   /three
/a/c.html /gone2.html
/a/c.html /gone3.html 301!
/* /gone4.html 404
"""


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_rules_of_netlify_that_lead_nowhere(tmp_path: Path, mark: bytes) -> None:
    assert found(tmp_path, "_redirects", mark + REDIRECTS.encode(), "netlify", site_url="https://example.org/") == [
        (3, "/gone.html", "missing-file"),
        (6, "/a/b.html#no", "missing-fragment"),
        (9, "/folder/", "missing-index"),
        (11, "/gönè.html", "missing-file"),
        (13, "/three", "missing-file"),
        (15, "/gone3.html", "missing-file"),
        (16, "/gone4.html", "missing-file"),
    ]


def test_rules_of_cloudflare_pages_go_before_files(tmp_path: Path) -> None:
    text = "/a/b.html /gone.html\n/x /a/B.html\n/y /a/b\n/z /gone2.html 404\n"
    assert found(tmp_path, "_redirects", text, "cloudflare-pages") == [
        (1, "/gone.html", "missing-file"),
        (2, "/a/B.html", "case-mismatch"),
    ]


def test_an_application_of_one_page_needs_it(tmp_path: Path) -> None:
    assert found(tmp_path, "_redirects", "/* /index.html 200\n") == []
    assert found(tmp_path, "_redirects", "/* /app.html 200\n/x /anything\n") == [(1, "/app.html", "missing-file")]


def test_a_circle_is_reported_where_links_lead_into_it(tmp_path: Path) -> None:
    assert found(tmp_path, "_redirects", "/here /there\n/there /here\n") == []


def test_paths_begin_at_the_folder_and_whole_uris_at_the_host(tmp_path: Path) -> None:
    text = "/x /gone.html\n/y https://example.org/docs/gone.html\n/z https://example.org/gone.html\n/ok /a/b.html\n"
    told = found(tmp_path, "_redirects", text, "netlify", site_url="https://example.org/docs/")
    assert told[:2] == [(1, "/gone.html", "missing-file"), (2, "https://example.org/docs/gone.html", "missing-file")]


HTACCESS = r"""
Redirect 301 /old /gone.html
Redirect /old2 "/gone 2.html"
Redirect permanent /docs /folder
RedirectPermanent /z /a/b.html
RedirectMatch ^/q$ /gone3.html
RedirectMatch ^/q/(.*)$ /gone4/$1
Redirect gone /nothing
ErrorDocument 404 /404.html
ErrorDocument 500 "Sorry /gone"
ErrorDocument 403 /index.html
RewriteRule ^x$ /gone5.html [L,R=301]
RewriteRule ^x/(.*)$ /gone6/$1 [L]
RewriteRule ^y$ gone7.html
RewriteRule ^z$ - [F]
<If "true">
  Redirect /w \
    /gone8.html
</If>
Redirect /o https://elsewhere.example/x
"""


def test_directives_of_apache_that_lead_nowhere(tmp_path: Path) -> None:
    assert found(tmp_path, ".htaccess", HTACCESS, site_url="https://example.org/") == [
        (2, "/gone.html", "missing-file"),
        (3, "/gone 2.html", "missing-file"),
        (6, "/gone3.html", "missing-file"),
        (9, "/404.html", "missing-file"),
        (12, "/gone5.html", "missing-file"),
        (18, "/gone8.html", "missing-file"),
    ]


def test_a_fallback_is_for_what_is_not_there_but_itself(tmp_path: Path) -> None:
    text = "FallbackResource /index.html\nRedirect /a /gone.html\n"
    assert found(tmp_path, ".htaccess", text) == []
    assert found(tmp_path, ".htaccess", "FallbackResource /gone.html\n") == [(1, "/gone.html", "missing-file")]


def test_in_htaccess_paths_begin_at_the_host(tmp_path: Path) -> None:
    text = "Redirect /x /gone.html\nRedirect /y /docs/gone.html\nErrorDocument 404 /docs/index.html\n"
    assert found(tmp_path, ".htaccess", text, site_url="https://example.org/docs/") == [
        (1, "/gone.html", "escapes-site"),
        (2, "/docs/gone.html", "missing-file"),
    ]


def test_they_are_counted_and_left_out_like_links(tmp_path: Path) -> None:
    files = {"_redirects": "/x /gone.html\n/y https://elsewhere.example/\n/z /index.html\n"}
    before = checked(tmp_path, files)
    assert (before.summary.links, before.summary.skipped, before.summary.broken) == (4, 1, 1)
    after = checked(tmp_path, files, exclude=(re.compile("gone"),))
    assert (after.summary.links, after.summary.skipped, after.summary.broken) == (4, 2, 0)
    assert checked(tmp_path, files, exclude_paths=("_redirects",)).summary.links == 1


@pytest.mark.parametrize(
    "host", [name for name in ROWS["host"].choices if "_redirects" not in host_named(name).redirect_files]
)
def test_redirects_that_the_host_does_not_read_are_worth_a_note(tmp_path: Path, host: str) -> None:
    result = checked(tmp_path, {"_redirects": "/x /gone.html\n/y /gone2.html\n"}, host)
    (note,) = result.findings
    assert (note.document, note.code, note.severity, note.line) == ("_redirects", "redirects-not-used", "info", None)
    assert "netlify or cloudflare-pages or gitlab-pages would" in note.message
    assert (result.summary.broken, result.summary.warnings) == (0, 0)


def test_there_is_no_note_where_they_are_read(tmp_path: Path) -> None:
    assert checked(tmp_path, {"_redirects": "/x /index.html\n"}).findings == ()
    assert checked(tmp_path / "b", {"a/_redirects": "/x /gone.html\n"}, "none").findings == ()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The paths that rules were asked about."""
    paths: list[str] = []
    site = contexts.written(tmp_path_factory.mktemp("site"), {"_redirects": "/a /b"})
    rules = type(Site.of(site, CheckOptions(host=host_named("netlify"))).redirects)
    find = rules.find

    def counted(redirects: Any, path: str, query: str | None, *, exists: bool) -> object:
        paths.append(path)
        return find(redirects, path, query, exists=exists)

    monkeypatch.setattr(rules, "find", counted)
    return paths


def test_rules_are_asked_about_so_many_targets_and_what_is_left_is_skipped(
    tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "".join(f"RedirectMatch ^/o{number}x?$ /n{number}\n" for number in range(100))
    monkeypatch.setattr(redirect_targets, "_MOST_ASKED", 1050)
    result = checked(tmp_path, {".htaccess": rules}, "apache")
    assert asked == [f"/n{number}" for number in range(10)]
    assert [finding.line for finding in result.findings] == list(range(1, 11))
    assert (result.summary.broken, result.summary.skipped) == (10, 90)


def test_rules_are_asked_once_about_a_target(tmp_path: Path, asked: list[str]) -> None:
    rules = "".join(f"RedirectMatch ^/o{number}$ /{'ok' if number % 2 else 'gone'}\n" for number in range(50))
    result = checked(tmp_path, {".htaccess": f"{rules}RedirectMatch ^/ok$ /a/b.html\n"}, "apache")
    assert sorted(asked) == ["/gone", "/ok"]
    assert (result.summary.broken, result.summary.skipped) == (25, 25)


def test_rules_are_not_asked_about_targets_with_a_file(tmp_path: Path, asked: list[str]) -> None:
    rules = "".join(f"RedirectMatch ^/o{number}$ /a/b.html\n" for number in range(50))
    result = checked(tmp_path, {".htaccess": rules}, "apache")
    assert asked == []
    assert (result.summary.links, result.summary.broken, result.summary.skipped) == (51, 0, 0)


def test_a_fragment_is_looked_for_unless_another_rule_leads_on_from_the_file(tmp_path: Path) -> None:
    text = "Redirect /x /a/b.html#no\nRedirect /y /a/c.html#no\nRedirect /a/c.html /a/b.html\n"
    assert found(tmp_path, ".htaccess", text, "apache") == [(1, "/a/b.html#no", "missing-fragment")]

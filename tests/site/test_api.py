"""`rehref.check`: what `rehref check` finds, from Python (site/check.py)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import import_command, program

ABOUT_THE_COMMAND = frozenset(
    {
        *("targets", "root", "files_from", "quiet", "no_progress", "config", "help", "allow_empty", "watch", "why"),
        *("exit_zero", "strict", "fix", "fix_unsure", "diff", "baseline", "write_baseline", "dump_external", "formats"),
        *("out", "raw_csv", "all_places", "all", "max_findings", "show_secrets", "color", "verbose"),
    }
)
"""What only the command line has: what is named, what is said, and what is done with what is found."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    files = {
        "index.html": "<a href=a.html><a href=gone.html><a href='a.html#no'><a href=/docs/a.html><a href=old/x.html>",
        "a.html": "<p id=x><a href=index><a href='#made'>",
        "alone.html": "<a href=alsogone.html>",
        "old/x.html": "<a href=gone2.html>",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return tmp_path


def references(result: rehref.CheckResult) -> list[tuple[str, str]]:
    return [(finding.code, finding.reference) for finding in result.findings]


def test_it_gives_what_the_command_reports(site: Path) -> None:
    result = rehref.check(site)
    reported = CliRunner().invoke(program, ["check", str(site), "--format", "json"])
    told = json.loads(reported.stdout)
    shown = ("document", "line", "column", "code", "message", "severity", "reference", "target", "suggestion")
    assert [[getattr(one, name) for name in shown] for one in result.findings] == [
        [one[name] for name in shown] for one in told["problems"]
    ]
    assert len(result.findings) > 4
    for name in ("documents", "links", "checked", "broken", "warnings", "skipped"):
        assert getattr(result.summary, name) == told["summary"][name]
    assert result.folder == str(site)


@pytest.mark.parametrize("make", [str, Path, os.fspath], ids=lambda make: make.__name__)
def test_a_folder_is_a_path_or_its_name(site: Path, make: Callable[[Path], Any]) -> None:
    assert rehref.check(make(site)).summary.documents == 4


@pytest.mark.parametrize(
    ("options", "reference", "is_found"),
    [
        ({}, "gone.html", True),
        ({"exclude": ["/gone\\.html$"]}, "gone.html", False),
        ({"include": ["gone2"]}, "gone.html", False),
        ({"include": ["gone2"]}, "gone2.html", True),
        ({"exclude_path": ["old"]}, "gone2.html", False),
        ({}, "a.html#no", True),
        ({"no_fragments": True}, "a.html#no", False),
        ({"script_ids": ["made"]}, "#made", False),
        ({}, "#made", True),
        ({"host": "github-pages"}, "index", False),
        ({"fallback_extensions": ["html"]}, "index", False),
        ({"fallback_extensions": "html"}, "index", False),
        ({}, "index", True),
        ({"site_url": "https://example.org/docs/"}, "/docs/a.html", False),
        ({"files": ["a.html"]}, "gone.html", False),
        ({"files": ["a.html", "old"]}, "gone2.html", True),
        ({"jobs": 2}, "gone.html", True),
        ({"external": False}, "gone.html", True),
        ({"select": ["missing-fragment"]}, "gone.html", False),
        ({"select": ["missing-fragment"]}, "#made", True),
        ({"ignore": ["missing-file"]}, "gone.html", False),
        ({"per_path_ignores": {"old/**": ["missing-file"]}}, "gone2.html", False),
        ({"per_path_ignores": {"old/**": ["missing-file"]}}, "gone.html", True),
        ({"ignore_attributes": ["href"]}, "gone.html", False),
        ({"remap": ["gone=a"]}, "gone.html", False),
    ],
)
def test_options_are_those_of_the_command_line(
    site: Path, options: dict[str, Any], reference: str, *, is_found: bool
) -> None:
    found = [finding.reference for finding in rehref.check(site, **options).findings]
    assert (reference in found) is is_found


def test_files_may_be_absolute(site: Path) -> None:
    assert references(rehref.check(site, files=[site / "alone.html"])) == [("missing-file", "alsogone.html")]


def test_checks_and_options_of_reading_have_their_names(site: Path) -> None:
    codes = {finding.code for finding in rehref.check(site, orphans=True, sitemap=True).findings}
    assert {"orphan", "no-sitemap"} <= codes
    (site / "a.html").write_text("<meta charset=utf-8><a href='é'>")
    codes = {finding.code for finding in rehref.check(site, strict_uris=True, files=["a.html"]).findings}
    assert "non-ascii" in codes


def test_severities_are_chosen(site: Path) -> None:
    result = rehref.check(site, warn=["missing-file"], lazy=True, attributes=["a@data-x"], conditional_comments=True)
    assert {finding.severity for finding in result.findings if finding.code == "missing-file"} == {"warning"}


def test_progress_is_called(site: Path) -> None:
    seen: list[tuple[int, int]] = []
    rehref.check(site, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (4, 4)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"site_url": "example.org"}, ValueError, "cannot be a base"),
        ({"include": ["("]}, ValueError, "include ("),
        ({"own_hosts": ["a/"]}, ValueError, "own_hosts a/: is not the name of a host"),  # --own-host
        ({"published_at": ["a"]}, ValueError, "published_at a: is not a place"),
        ({"host": "netlfy"}, ValueError, "netlify"),
        ({"encoding": "utf-9"}, ValueError, "no such encoding"),
        ({"root_dir": "none"}, ValueError, "no such folder"),
        ({"files": ["none.html"]}, OSError, "none.html"),
        ({"files": [".."]}, ValueError, "is not in"),
        ({"external": True, "accept": "2xx"}, ValueError, "accept 2xx"),
        ({"external": True, "timeout": "soon"}, ValueError, "timeout soon: is not "),
        ({"external": True, "max_concurrency": 0}, ValueError, "max_concurrency 0: is not "),
        ({"header": "A: b"}, TypeError, r"header is a sequence of texts, such as \[…\]$"),
        ({"external": True, "header": [1]}, TypeError, "header is a sequence of texts, and not list"),
        ({"external": True, "header": None}, TypeError, "header is a sequence of texts, and not NoneType"),
        ({"external": True, "accept": None}, TypeError, "accept must be statuses"),
        ({"external": True, "accept": [None]}, TypeError, "accept must be statuses"),
        ({"external": True, "cache": 5}, TypeError, "cache must be the path of a file, not int"),
        ({"external": True, "netrc": 5}, TypeError, "netrc must be the path of a file, not int"),
        ({"external": True, "cache_age": 5}, TypeError, "cache_age is a sequence of texts, and not 5"),
        ({"external": True, "cache_age": [5]}, TypeError, "cache_age is a sequence of texts"),
        ({"external": True, "scope": 5}, TypeError, "scope is a sequence of texts, and not 5"),
        ({"exclude": [5]}, TypeError, "exclude is a sequence of texts"),
        ({"exclude": "x"}, TypeError, "sequence"),
        ({"select": ["missing"]}, ValueError, "missing-file"),
        ({"own_hosts": ["a b"]}, ValueError, "is not the name of a host"),
        ({"attributes": ["@"]}, ValueError, "does not name an attribute"),
        ({"profile": "rfc1"}, ValueError, "whatwg"),
        ({"client_routes": ["none"]}, ValueError, "hashbang"),
        ({"orphan": True}, TypeError, "orphans"),
    ],
)
def test_what_cannot_be_is_refused(site: Path, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("(", r"\(")):
        rehref.check(site, **options)


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="none"):
        rehref.check(tmp_path / "none")


def test_every_option_of_the_command_about_checking_is_one_of_python() -> None:
    documented = rehref.check.__doc__ or ""
    for option in import_command("check").params:
        assert option.name is not None
        if option.name not in ABOUT_THE_COMMAND:
            assert f"\n`{option.name}`: " in documented, option.name


def test_a_finding_and_the_sum_can_be_asked(site: Path) -> None:
    (finding,) = rehref.check(site, files=["alone.html"]).findings
    assert isinstance(finding, rehref.Finding)
    assert isinstance(rehref.check(site).summary, rehref.Summary)
    assert (finding.line, finding.column, finding.severity) == (1, 9, "error")


def test_urls_on_other_sites_can_be_asked_for(site: Path) -> None:
    (site / "index.html").write_text('<a href="https://b.example/#x">1</a><a href="https://a.example/">2</a>')
    assert rehref.check(site).external == ()
    assert rehref.check(site, lists_external=True).external == (
        ("https://a.example/", "index.html", 1, 46),
        ("https://b.example/", "index.html", 1, 10),
    )


def test_codes_of_paths_are_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<a href=gone.html>")
    assert rehref.check(tmp_path, per_path_ignores={"a.html": "all"}).findings == ()
    assert rehref.check(tmp_path, per_path_ignores={"a.html": ["all"]}).findings == ()
    with pytest.raises(TypeError, match="per_path_ignores is a mapping from globs to codes"):
        rehref.check(tmp_path, per_path_ignores=["a.html:all"])  # type: ignore[arg-type]


@pytest.mark.parametrize("folder", [["a"], b"a", 3, None])
def test_the_folder_is_a_path(folder: Any) -> None:
    with pytest.raises(TypeError, match="folder is a path, not"):
        rehref.check(folder)

"""`rehref check`: which codes are reported, how severe, and where not: options, configuration, attributes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import Result

import rehref

Run = Callable[..., Result]
RunProcess = Callable[..., CompletedProcess[bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site with two errors (`missing-file`, `missing-fragment`), two warnings and nothing else."""
    folder = tmp_path / "public"
    (folder / "old").mkdir(parents=True)
    (folder / "index.html").write_text("<a href=gone.html></a>\n<a href=#no></a><a href=#x></a><p id=x><p id=x>")
    (folder / "old" / "a.html").write_text("<a href=gone.html></a>\n<a href=https://a:b@c.example/></a>")
    return folder


def found(run: Run, folder: Path, *options: str, code: int = 1) -> list[str]:
    result = run("check", "--format", "json", folder, *options)
    assert result.exit_code == code, result.output
    return [
        f"{one['document']} {one['severity']} {one['code']}".removeprefix("old/")
        for one in json.loads(result.stdout)["problems"]
    ]


ALL = [
    "index.html error missing-file",
    "index.html error missing-fragment",
    "index.html warning duplicate-id",
    "a.html error missing-file",
    "a.html warning password-in-uri",
]


def without(*codes: str) -> list[str]:
    return [one for one in ALL if one.rpartition(" ")[2] not in codes]


def test_select_and_ignore(run: Run, folder: Path) -> None:
    assert found(run, folder) == ALL
    assert found(run, folder, "--ignore", "missing-file") == without("missing-file")
    assert found(run, folder, "--ignore", "errors", code=0) == without("missing-file", "missing-fragment")
    for options in (
        ["--select", "duplicate-id, password-in-uri"],
        ["--select", "duplicate-id", "--select", "password-in-uri"],
    ):
        assert found(run, folder, *options, code=0) == without("missing-file", "missing-fragment")
    assert found(run, folder, "--select", "errors", "--ignore", "missing-file") == [ALL[1]]
    assert found(run, folder, "--select", "base", code=0) == []


def test_severities(run: Run, folder: Path) -> None:
    options = ("--select", "errors", "--warn", "missing-file", "--error", "duplicate-id")
    assert found(run, folder, *options) == [
        "index.html warning missing-file",
        ALL[1],
        "index.html error duplicate-id",
        "a.html warning missing-file",
    ]
    assert found(run, folder, *options, "--ignore", "missing-fragment,duplicate-id", code=0) == [
        "index.html warning missing-file",
        "a.html warning missing-file",
    ]
    summary = json.loads(run("check", "--format", "json", folder, *options).stdout)["summary"]
    assert (summary["broken"], summary["warnings"]) == (2, 2)


def test_a_suggestion_is_made_for_a_warning_too(run: Run, folder: Path) -> None:
    (folder / "index.html").write_text("<a href=old/A.html></a>")
    result = run("check", "--format", "json", folder, "--warn", "case-mismatch", "--select", "case-mismatch")
    assert json.loads(result.stdout)["problems"][0]["suggestion"] == "old/a.html"


def test_strict_and_exit_zero(run: Run, folder: Path) -> None:
    warnings = ("--select", "duplicate-id")
    assert run("check", folder, *warnings).exit_code == 0
    assert run("check", folder, *warnings, "--strict").exit_code == 1
    assert run("check", folder, "--exit-zero").exit_code == 0
    assert run("check", folder, *warnings, "--strict", "--exit-zero").exit_code == 0
    assert run("check", folder / "old", "--select", "base", "--strict").exit_code == 0
    assert run("check", folder, "--fix", "--diff", "--exit-zero").exit_code == 0


def test_errors_of_use_are_errors_all_the_same(run_process: RunProcess, folder: Path) -> None:
    result = run_process("check", "nowhere", "--exit-zero")
    assert result.returncode == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--select", "mising-file"], "--select mising-file: there is no such code; did you mean missing-file?"),
        (["--ignore", "orphan,bose"], "--ignore bose: there is no such code; did you mean base?"),
        (["--error", "zzzzzz"], "--error zzzzzz: there is no such code; rehref explain lists them"),
        (["--warn", "Orphan"], "--warn Orphan: there is no such code; did you mean orphan?"),
        (["--per-path-ignores", "a/**"], "--per-path-ignores a/**: is not GLOB:CODES; write a pattern"),
        (["--per-path-ignores", "a/**:orfan"], "--per-path-ignores a/**:orfan: there is no such code; did you mean"),
    ],
)
def test_wrong_names(run: Run, folder: Path, options: list[str], says: str) -> None:
    result = run("check", folder, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"rehref: {says}")


def test_by_path(run: Run, folder: Path) -> None:
    assert found(run, folder, "--per-path-ignores", "old/:missing-file,warnings") == ALL[:3]
    assert found(
        run, folder, "--per-path-ignores", "a.html:errors", "--per-path-ignores", "index.*:errors", code=0
    ) == [ALL[2], ALL[4]]
    assert found(run, folder, "--per-path-ignores", "!old/**:all") == ALL[3:]


def test_the_configuration(run: Run, folder: Path) -> None:
    Path("rehref.toml").write_text(
        '[check]\nselect = ["errors", "duplicate-id"]\nignore = "missing-fragment"\nexit-zero = true\n'
        '[check.per-path-ignores]\n"old/**" = ["missing-file"]\n"x" = "all"\n'
    )
    assert found(run, folder, code=0) == [ALL[0], ALL[2]]
    # the command line goes before it, name by name
    assert found(run, folder, "--select", "missing-fragment", code=0) == [ALL[1]]
    assert found(run, folder, "--ignore", "errors", code=0) == [ALL[2]]
    assert found(run, folder, "--per-path-ignores", "*.html:all", code=0) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[check]\nselect = "eror"', "rehref.toml: select eror: there is no such code; did you mean errors?"),
        ('[check.per_path_ignores]\n"a" = 1', "check.per_path_ignores must be a table of patterns, each with a code"),
        ('[check]\nselct = "errors"', "check.selct is not an option; did you mean select?"),
        ('[check]\nper-path-ignores = "a:b:c"', "rehref.toml: per_path_ignores a:b:c: there is no such code"),
    ],
)
def test_wrong_configurations(run: Run, folder: Path, text: str, says: str) -> None:
    Path("rehref.toml").write_text(text)
    result = run("check", folder)
    assert result.exit_code == 2
    assert says in result.stderr


# attributes


def test_an_attribute_leaves_out_an_element_with_all_in_it(run: Run, folder: Path) -> None:
    (folder / "index.html").write_text(
        "<a href=gone.html></a>\n<nav data-rehref-ignore><p><a href=gone.html></a>\n<a href=#no></a></nav>\n"
        "<a data-rehref-ignore=true href=gone.html></a><a href=#no></a>"
        '<ul><li data-rehref-ignore="missing-fragment base"><a href=gone.html></a><a href=#no></a><li>'
        "<a href=#no></a></ul>"
    )
    result = run("check", "--format", "json", folder, "--exclude-path", "old")
    assert [(one["line"], one["code"]) for one in json.loads(result.stdout)["problems"]] == [
        (1, "missing-file"),
        (4, "missing-fragment"),
        (4, "missing-file"),
        (4, "missing-fragment"),
    ]


def test_the_attribute_can_be_another(run: Run, folder: Path) -> None:
    (folder / "index.html").write_text(
        "<div data-rehref-ignore><a href=gone.html></a></div><div data-proofer-ignore=no><a href=#no></a></div>"
    )
    (folder / "old" / "a.html").write_text("")
    assert found(run, folder) == [ALL[1]]
    other = ("--ignore-attribute", "data-Proofer-ignore")
    assert found(run, folder, *other) == [ALL[0]]
    assert found(run, folder, *other, "--ignore-attribute", "data-rehref-ignore", code=0) == []


def test_a_class_does_the_same(run: Run, folder: Path) -> None:
    (folder / "index.html").write_text(
        "<p class='a Data-Proofer-Ignore'><a href=gone.html></a></p>"
        "<p class='data-proofer-ignored'><a href=#no></a></p>"
    )
    (folder / "old" / "a.html").write_text("")
    assert found(run, folder) == ALL[:2]
    assert found(run, folder, "--ignore-attribute", "data-proofer-ignore") == [ALL[1]]


def test_attributes_in_xml_and_in_any_encoding(run: Run, folder: Path) -> None:
    (folder / "index.html").write_bytes(
        "<meta charset=utf-16><p data-rehref-ignore>é<a href=gone.html></a></p>".encode("utf-16")
    )
    (folder / "old" / "a.html").write_text("")
    (folder / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><g data-rehref-ignore=""><a href="gone.svg"/></g><a href="gone.svg"/>'
        "</svg>"
    )
    (folder / "a.css").write_text("/* data-rehref-ignore */ a { background: url(gone.png) }")
    assert found(run, folder) == ["a.css error missing-file", "a.svg error missing-file"]


def test_a_group_in_a_comment(run: Run, folder: Path) -> None:
    (folder / "old" / "a.html").write_text("")
    text = "<!-- rehref-ignore-start errors: why -->\n<a href=gone.html></a><a href=#x></a><p id=x><p id=x>\n"
    text += "<!-- rehref-ignore-end -->\n"
    (folder / "index.html").write_text(text + "<a href=#no></a>")
    assert found(run, folder) == [ALL[2], ALL[1]]


def test_what_is_not_reported_makes_nothing_sure(tmp_path: Path) -> None:
    """Where browsers read a reference otherwise, no suggestion is sure, whether that is reported or not."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "a.html").write_text("<p>")
    (tmp_path / "index.html").write_text("<a href='https:old/A.html'></a>")
    for options in ({}, {"ignore": ["browser-differs"]}, {"select": ["errors"]}):
        (found,) = rehref.check(tmp_path, site_url="https://x.example/", **options).findings
        assert (found.suggestion, found.sure) == ("https://x.example/old/a.html", False)

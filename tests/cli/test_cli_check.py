"""`rehref check`: what it reports, what it writes, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rehref.site.findings import UNKNOWN_HOST

Run = Callable[..., Result]
RunProcess = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    (folder / "docs").mkdir(parents=True)
    (folder / "index.html").write_text(
        '<!DOCTYPE html>\n<p id=top2><a href="docs/guide.html#install">a</a>\n<a href="docs/Guide.html">b</a>\n'
        '<a href="docs/giude.html">c</a> <a href="docs/guide.html#instal">d</a> <a href="https://else.example/x">e</a>\n'
    )
    (folder / "docs/guide.html").write_text('<!DOCTYPE html>\n<h1 id=install>x</h1><a href="../">up</a>\n')
    return folder


def problems(result: Result) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(result.stdout)["problems"]
    return found


def codes(result: Result) -> list[tuple[str, int, str, str]]:
    return [(one["document"], one["line"], one["reference"], one["code"]) for one in problems(result)]


ALL = [
    ("index.html", 3, "docs/Guide.html", "case-mismatch"),
    ("index.html", 4, "docs/giude.html", "missing-file"),
    ("index.html", 4, "docs/guide.html#instal", "missing-fragment"),
]


def test_what_is_broken_is_reported_with_its_place(run: Run, public: Path) -> None:
    result = run("check", "--format", "json", public)
    assert result.exit_code == 1
    assert codes(result) == ALL
    summary = json.loads(result.stdout)["summary"]
    assert set(summary) == {
        "documents",
        "links",
        "checked",
        "broken",
        "warnings",
        "skipped",
        "seconds",
        "others",
        "asked",
        "from_cache",
        "sites",
    }
    assert (summary["documents"], summary["links"], summary["broken"], summary["skipped"]) == (2, 6, 3, 1)
    first = problems(result)[0]
    start, end = first["span"]
    assert (public / "index.html").read_bytes()[start:end] == b"docs/Guide.html"
    assert first["suggestion"] == "docs/guide.html"


def test_the_text_is_clickable_and_shows_the_line(run: Run, public: Path) -> None:
    lines = run("check", public).stdout.splitlines()
    assert f"{public}/index.html:3:10  error case-mismatch  a@href" in lines
    assert '    3 | <a href="docs/Guide.html">b</a>' in lines
    assert "      |          ^^^^^^^^^^^^^^^" in lines
    assert "    write instead: docs/guide.html" in lines


def test_nothing_wrong(run: Run, public: Path) -> None:
    (public / "index.html").write_text('<a href="docs/guide.html#install">')
    result = run("check", public)
    assert result.exit_code == 0
    assert result.stdout.startswith("no errors in 2 documents (2 links checked, ")


@pytest.mark.parametrize("content", [None, "<p>no link"])
def test_nothing_to_check_is_an_error(run: Run, tmp_path: Path, content: str | None) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    if content is not None:
        (folder / "a.html").write_text(content)
    result = run("check", folder)
    assert result.exit_code == 2
    assert "--allow-empty" in result.stderr
    assert run("check", "--allow-empty", folder).exit_code == 0


def test_no_folder(run: Run, tmp_path: Path) -> None:
    assert "there is no such folder" in run("check", tmp_path / "none").stderr


# --- options


def test_fragments_are_left_alone_on_request(run: Run, public: Path) -> None:
    assert codes(run("check", "--no-fragments", "--format", "json", public)) == ALL[:2]


def test_include_and_exclude(run: Run, public: Path) -> None:
    assert codes(run("check", "--exclude", "giude|Guide", "--format", "json", public)) == ALL[2:]
    assert codes(run("check", "--include", "giude", "--format", "json", public)) == ALL[1:2]
    wrong = run("check", "--exclude", "(", public)
    assert wrong.exit_code == 2
    assert "the expression is not understood" in wrong.stderr


def test_documents_can_be_left_out(run: Run, public: Path) -> None:
    assert run("check", "--exclude-path", "index.html", public).exit_code == 0
    (public / ".rehrefignore").write_text("/index.html\n")
    assert run("check", public).exit_code == 0


def test_one_line_can_be_ignored(run: Run, public: Path) -> None:
    page = public / "index.html"
    page.write_text(page.read_text().replace("\n<a href", " <!-- rehref-ignore-next-line -->\n<a href", 1))
    assert codes(run("check", "--format", "json", public)) == ALL[1:]


def test_the_site_url_is_the_folder(run: Run, public: Path) -> None:
    (public / "index.html").write_text(
        '<link rel=canonical href="https://example.org/docs/"><a href="https://example.org/docs/docs/guide.html">'
        '<a href="https://example.org/docs/none"><a href="/elsewhere">'
    )
    result = run("check", "--site-url", "https://example.org/docs/", "--format", "json", public)
    assert {(reference, code) for _, _, reference, code in codes(result)} == {
        ("https://example.org/docs/none", "missing-file"),
        ("/elsewhere", "escapes-site"),
    }
    assert run("check", "--site-url", "docs/", public).exit_code == 2


def test_hosts_have_their_own_rules(run: Run, public: Path) -> None:
    (public / "index.html").write_text('<a href="docs/guide">')
    assert run("check", public).exit_code == 1
    assert run("check", "--host", "github-pages", "--site-url", "https://e.example/", public).exit_code == 0
    assert run("check", "--fallback-extensions", "html", public).exit_code == 0


def test_a_wrong_base_can_be_skipped(run: Run, public: Path) -> None:
    (public / "index.html").write_text('<base href="/wrong/"><a href="docs/guide.html">')
    url = ("--site-url", "https://e.example/")
    assert run("check", *url, public).exit_code == 1
    assert run("check", *url, "--ignore-embedded-base", public).exit_code == 0


def test_why(run: Run, public: Path) -> None:
    result = run("check", "--why", "docs/guide.html#install", "--site-url", "https://e.example/", public)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "docs/guide.html#install is https://e.example/docs/guide.html#install, relative to the site's URI",
        "it leads to the file docs/guide.html",
        "the fragment #install exists",
    ]
    assert run("check", "--why", "docs/none", public).exit_code == 1
    for uri, code, status in (
        ("htps://x.org/", "unknown-scheme", 1),
        ("file:///x", "file-uri", 1),
        ("tel:x", "invalid-tel", 0),
    ):
        wrong = run("check", "--why", uri, public)
        assert f"\n{code}: " in wrong.stdout
        assert "not checked" not in wrong.stdout
        assert wrong.exit_code == status
    outside = run("check", "--why", "https://other.example/", public)
    assert outside.exit_code == 0
    assert "not on this site" in outside.stdout


def why(run: Run, *arguments: object) -> tuple[int, str]:
    """What is told of a target, and the exit code."""
    result = run("check", *arguments)
    return result.exit_code, result.stdout


@pytest.mark.parametrize(
    ("url", "code", "told"),
    [
        ("https://e.example/", 0, "it is not checked, since it names its host: / is not in /docs/, where the site is"),
        ("//e.example/x", 0, "it is not checked, since it names its host: /x is not in /docs/, where the site is"),
        ("/x", 1, "escapes-site: /x is not in /docs/, where the site is"),
        ("https://e.example/docs/docs/guide.html", 0, "it leads to the file docs/guide.html"),
        ("docs/guide.html?a#TOP", 0, "the fragment #TOP is the top of every document"),
        ("docs/guide.html#nothing", 1, "missing-fragment: nothing in docs/guide.html has the id 'nothing'"),
        ("docs/guide.html#js-1", 0, "the fragment #js-1 is created by scripts (--script-ids)"),
        ("x.png#a", 0, "the fragment #a is not checked in a file of this type"),
        ("", 0, "it leads to the file index.html"),
        ("#top2", 0, "the fragment #top2 exists"),
        ("docs\\guide.html", 0, "it leads to the file docs/guide.html"),
        ("docs/Guide.html", 1, "case-mismatch: it is spelt docs/guide.html"),
        ("skip.html", 0, "it is skipped: --exclude skip matches"),
        ("later.html", 0, "it is not reported: later in .rehrefignore matches"),
        ("mailto:a@b.example", 0, "it is not on this site (https://e.example/docs/), so it is not checked"),
        ("a\udce9", 1, "missing-file: there is no file a\ufffd"),
    ],
)
def test_why_says_what_the_check_does(run: Run, public: Path, url: str, code: int, told: str) -> None:
    (public / "x.png").touch()
    (public / ".rehrefignore").write_text("uri:later\n")
    options = ("--site-url", "https://e.example/docs/", "--exclude", "skip", "--script-ids", "js-.")
    exit_code, text = why(run, public, *options, "--why", url)
    assert (exit_code, text.splitlines()[-1]) == (code, told)


def test_why_no_fragments_and_no_include(run: Run, public: Path) -> None:
    found = why(run, public, "--no-fragments", "--why", "docs/guide.html#x")
    assert found[0] == 0
    assert found[1].endswith("the fragment #x is not checked (--no-fragments)\n")
    assert why(run, public, "--include", "nothing", "--why", "docs/none")[1].endswith("no --include matches\n")


def test_why_a_target_that_is_none(run: Run, public: Path) -> None:
    code, text = why(run, public, "--profile", "whatwg", "--why", "http://[")
    assert code == 1
    assert text.splitlines()[-1].startswith("unresolvable: browsers cannot parse it")
    (public / ".rehrefignore").write_text("uri:^http:..\\[")
    assert why(run, public, "--why", "http://[")[0] == 0


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (("--fix",), "--fix"),
        (("--fix-unsure",), "--fix-unsure"),
        (("--diff",), "--diff"),
        (("--format", "json"), "--format"),
        (("-o", "r.txt"), "--output"),
        (("--baseline", "b.json"), "--baseline"),
        (("--write-baseline", "b.json"), "--write-baseline"),
        (("--all-places",), "--all-places"),
        (("--max-findings", "3"), "--max-findings"),
        (("--show-secrets",), "--show-secrets"),
        (("--raw-csv",), "--raw-csv"),
    ],
)
def test_why_goes_with_no_report_and_no_fix(run: Run, public: Path, other: tuple[str, ...], named: str) -> None:
    result = run("check", public, "--why", "index.html", *other)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"rehref: --why: explains one URL, so it does not go with {named}; leave one of them out\n"


def test_why_goes_with_what_is_configured(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[check]\nformat = "json"\nall_places = true\n')
    assert run("check", public, "--why", "index.html").exit_code == 0


def test_why_tells_of_redirections(run: Run, public: Path) -> None:
    (public / "_redirects").write_text("/a /docs/guide.html#install\n/b https://other.example/\n")
    options = (public, "--host", "netlify", "--site-url", "https://e.example/")
    assert why(run, *options, "--why", "a#x")[1].splitlines()[1:] == [
        "it leads to the file docs/guide.html",
        "the redirect sets the fragment #install",
        "the fragment #install exists",
    ]
    assert why(run, *options, "--why", "b")[1].endswith(
        "it leads out of this site (https://e.example/), so it is not checked\n"
    )


@pytest.mark.parametrize(
    ("root_dir", "told"), [("nowhere", "there is no such folder in public"), ("index.html", "is a file")]
)
def test_the_folder_for_paths_from_the_root_must_be_there(run: Run, public: Path, root_dir: str, told: str) -> None:
    result = run("check", "public", "--root-dir", root_dir)
    assert result.exit_code == 2
    assert result.stderr == f"rehref: --root-dir {root_dir}: {told}; name a folder below public, or . for itself\n"


def test_noscript_may_be_text(run: Run, public: Path) -> None:
    (public / "index.html").write_text("<a href=docs/guide.html><noscript><a href=none></noscript>")
    assert run("check", public).exit_code == 1
    assert run("check", "--scripting", public).exit_code == 0


def test_the_index_of_an_htaccess_is_no_orphan(run: Run, public: Path) -> None:
    (public / ".htaccess").write_text("DirectoryIndex home.html\n")
    (public / "index.html").rename(public / "home.html")
    (public / "index.html").write_text("")
    found = problems(run("check", "--host", "apache", "--orphans", "--format", "json", public))
    assert [one["document"] for one in found if one["code"] == "orphan"] == ["index.html"]


# --- formats


def test_several_reports_at_once(run: Run, public: Path, tmp_path: Path) -> None:
    result = run(
        "check",
        public,
        "--format",
        "jsonl",
        "--format",
        f"sarif={tmp_path}/out.sarif",
        "--format",
        f"csv={tmp_path}/o.csv",
    )
    assert [json.loads(line)["code"] for line in result.stdout.splitlines()] == [code for *_, code in ALL]
    sarif = json.loads((tmp_path / "out.sarif").read_text())
    assert [one["ruleId"] for one in sarif["runs"][0]["results"]] == [code for *_, code in ALL]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text())))
    assert [row["code"] for row in rows] == [code for *_, code in ALL]


def test_a_report_in_a_file(run: Run, public: Path, tmp_path: Path) -> None:
    result = run("check", public, "--format", "markdown", "-o", tmp_path / "r.md")
    assert result.stdout == ""
    assert f"rehref: markdown written to {tmp_path / 'r.md'}\n" in result.stderr
    assert "case-mismatch" in (tmp_path / "r.md").read_text()


@pytest.mark.parametrize(
    "arguments", [("--format", "x"), ("--format", "json="), ("--format", "json", "--format", "csv")]
)
def test_formats_that_cannot_be(run: Run, public: Path, arguments: tuple[str, ...]) -> None:
    result = run("check", public, *arguments)
    assert result.exit_code == 2
    assert "--format" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux")
def test_names_and_texts_that_the_locale_lacks(run_process: RunProcess, tmp_path: Path) -> None:
    folder = tmp_path / "é"
    folder.mkdir()
    (folder / "café.html").write_text("<p id=x>", encoding="utf-8")
    page = '<meta charset=utf-8><a href="caf%C3%A9.html#x"><a href="café.html"><a href="nö.html">'
    (folder / "index.html").write_text(page, encoding="utf-8")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    told = run_process("check", folder, "--format", "text", "--format", "json=report", env=ascii_only, cwd=tmp_path)
    assert told.returncode == 1
    assert told.stderr == b"rehref: json written to report\n"
    assert told.stdout.count(b"error missing-file") == 1
    assert b"there is no file n%C3%B6.html" in told.stdout
    assert rb"-> /n\xf6.html" in told.stdout
    assert rb'<a href="n\xf6.html">' in told.stdout
    report = json.loads((tmp_path / "report").read_bytes())
    assert [one["reference"] for one in report["problems"] if one["severity"] == "error"] == ["nö.html"]


# --- where the root is

ASSUMED = "rehref: assuming site is the root of the site; --site-url says otherwise\n"


@pytest.mark.parametrize(
    ("reference", "is_said"),
    [
        ("no.html", False),
        ("other.html", False),
        ("/other.html", False),
        ("/no.html", True),
        ("/k/other.html", True),
        ("//h/no.html", False),
    ],
)
def test_the_guess_that_a_folder_is_the_root_is_said_where_a_finding_depends_on_it(
    run: Run, tmp_path: Path, reference: str, is_said: bool
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "other.html").write_text("<title>t</title>")
    (tmp_path / "site" / "index.html").write_text(f'<a href="{reference}">x</a><a href="other.html">y</a>')
    assert run("check", "site").stderr == (ASSUMED if is_said else "")
    assert run("check", "site", "-q").stderr == ""
    assert ASSUMED not in run("check", "site", "--site-url", "http://h/k/").stderr


@pytest.mark.parametrize(
    ("reference", "suggestion"),
    [
        ("/k/style.css", None),
        ("/k/guide/wind.css", None),
        ("/guide/windd.css", "/guide/wind.css"),
        ("/stile.css", "/style.css"),
        ("k/style.css", "style.css"),
    ],
)
def test_no_suggestion_rests_on_the_guess_that_the_folder_is_the_root(
    run: Run, tmp_path: Path, reference: str, suggestion: str | None
) -> None:
    """`/k/style.css` is right if the folder is at `/k/`."""
    (tmp_path / "site" / "guide").mkdir(parents=True)
    for name in ("style.css", "guide/wind.css"):
        (tmp_path / "site" / name).write_text("a {}")
    (tmp_path / "site" / "index.html").write_text(f'<link rel=stylesheet href="{reference}"><a href=index.html>x</a>')
    found = json.loads(run("check", "site", "--format", "json").stdout)["problems"]
    assert [(one["code"], one.get("suggestion")) for one in found] == [("missing-file", suggestion)]


# --- causes


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A site in which three pages in two folders have the same navigation, with a link that leads nowhere."""
    folder = tmp_path / "public"
    for name in ("index.html", "a/one.html", "b/two.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('<!DOCTYPE html>\n<a href="gone.html">x</a>\n<a href="/index.html">y</a>\n')
    (folder / "index.html").write_text((folder / "index.html").read_text() + "<a href=none.html>z</a>\n")
    return folder


def test_each_cause_is_reported_once(run: Run, template: Path) -> None:
    result = run("check", "public", "--root-dir", ".")
    assert result.exit_code == 1
    assert result.stdout.startswith("in 3 pages: gone.html  error missing-file  a@href, first public/a/one.html:2:10\n")
    assert result.stdout.count("error missing-file  a@href") == 2
    assert "  4  error missing-file, 2 causes\n" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("4 errors from 2 causes in 3 documents (")


def test_all_places(run: Run, template: Path) -> None:
    shown = run("check", "public", "--root-dir", ".", "--all-places").stdout
    assert shown.count("error missing-file  a@href") == 4
    assert "public/b/two.html:2:10  error missing-file  a@href\n" in shown
    assert "public/index.html  2 errors\n" in shown


def test_no_more_findings_than_asked_for(run: Run, template: Path) -> None:
    result = run("check", "public", "--root-dir", ".", "--max-findings", "1")
    assert result.exit_code == 1
    assert result.stdout.count("error missing-file  a@href") == 1
    assert "\n1 cause more not shown (--max-findings 1)\n" in result.stdout
    assert "4 errors from 2 causes" in result.stdout
    assert run("check", "public", "--root-dir", ".", "--max-findings", "0").exit_code == 1
    whole = problems(run("check", "public", "--root-dir", ".", "--max-findings", "1", "--format", "json"))
    assert len(whole) == 4
    assert "'-1' is not a whole number, 0 or more" in run("check", "public", "--max-findings", "-1").stderr


def test_causes_in_json_are_of_what_is_reported(run: Run, template: Path, tmp_path: Path) -> None:
    options = ("check", "public", "--root-dir", ".")
    report = json.loads(run(*options, "--format", "json").stdout)
    assert [(cause["occurrences"], cause["target"]) for cause in report["causes"]] == [
        (3, None),
        (1, f"{UNKNOWN_HOST}/none.html"),
    ]
    first, second = (cause["id"] for cause in report["causes"])
    assert [one["cause"] for one in report["problems"]] == [first, first, first, second]
    assert report["summary"]["broken"] == 4
    run(*options, "--write-baseline", "known.json")
    page = template / "b/two.html"
    page.write_text(page.read_text() + "\n<a href=../none.html>z</a>")
    left = json.loads(run(*options, "--baseline", "known.json", "--format", "json").stdout)
    assert [(cause["id"], cause["occurrences"]) for cause in left["causes"]] == [(second, 1)]


def test_passwords_are_shown_on_request_to_programs_only(run: Run, public: Path) -> None:
    (public / "index.html").write_text('<a href="http://u:pa55word@/none.html">')
    options = ("check", "public", "--site-url", "https://e.example/")
    for name in ("json", "jsonl", "csv", "sarif", "junit"):
        assert "pa55word" not in run(*options, "--format", name).stdout
        assert "pa55word" in run(*options, "--format", name, "--show-secrets").stdout
    for name in ("text", "github", "markdown", "html"):
        assert "pa55word" not in run(*options, "--format", name, "--show-secrets").stdout


# --- baseline


def test_a_baseline_leaves_what_was_known(run: Run, public: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    assert run("check", public, "--write-baseline", known).exit_code == 0
    assert run("check", public, "--baseline", known).exit_code == 0
    page = public / "index.html"
    page.write_text("\n\n" + page.read_text() + '<a href="new.html">')
    result = run("check", public, "--baseline", known, "--format", "json")
    assert result.exit_code == 1
    assert [code[2] for code in codes(result)] == ["new.html"]
    assert "3 findings were known before\n" in result.stderr


def test_what_a_baseline_lists_in_vain_is_counted(run: Run, public: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    (public / "docs/other.html").write_text('<a href="gone.html">')
    run("check", public, "--write-baseline", known)
    (public / "index.html").write_text('<a href="docs/giude.html">')
    (public / "docs/other.html").write_text("")
    said = f"1 finding was known before; 3 more in {known} did not occur (--write-baseline leaves them out)\n"
    assert said in run("check", public, "--baseline", known).stderr
    one = run("check", "--root", public, public / "index.html", "--baseline", known).stderr
    assert said.replace("3 more", "2 more") in one  # nothing is known of documents that are not checked
    assert "more" not in run("check", public, "--baseline", known, "-q").stderr
    assert "; 2 more" in run("check", public, "--baseline", known, "--ignore", "missing-file").stderr


def test_a_baseline_that_is_none(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[")
    result = run("check", public, "--baseline", tmp_path / "x.json")
    assert result.exit_code == 2
    assert "x.json" in result.stderr


# --- fixing


def test_what_is_sure_is_mended_and_nothing_else_changes(run: Run, public: Path) -> None:
    before = (public / "index.html").read_bytes()
    result = run("check", "--fix", "--no-infer", "--format", "json", public)
    after = (public / "index.html").read_bytes()
    assert after == before.replace(b"docs/Guide.html", b"docs/guide.html").replace(
        b"docs/giude.html", b"docs/guide.html"
    ).replace(b'#instal"', b'#install"')
    assert problems(result) == []
    assert result.exit_code == 0
    assert result.stderr == "rehref: 3 references corrected in 1 document\n"


def test_other_names_of_a_corrected_file_are_counted(run: Run, public: Path) -> None:
    (public / "index.html").with_suffix(".bak").hardlink_to(public / "index.html")
    result = run("check", "--fix", "--no-infer", public)
    assert result.stderr.endswith(
        "rehref: 3 references corrected in 1 document\n"
        "rehref: 1 file had other names (hard links), which keep the old content\n"
    )


def test_what_cannot_be_written_is_counted_and_the_rest_corrected(run: Run, tmp_path: Path) -> None:
    (tmp_path / "installation,").write_text("")
    (tmp_path / "guide.html").write_text("")
    page = '<a href="giude.html">x</a><img srcset="installatin 1x">'
    (tmp_path / "index.html").write_text(page)
    shown = run("check", "--fix-unsure", "--diff", "--no-infer", tmp_path)
    result = run("check", "--fix-unsure", "--no-infer", tmp_path)
    for said in (shown.stderr, result.stderr):
        assert "rehref: 1 reference not corrected: in that place the suggestion would be read differently\n" in said
    assert (tmp_path / "index.html").read_text() == page.replace("giude", "guide")


def test_a_fix_can_be_looked_at_first(run: Run, public: Path) -> None:
    before = (public / "index.html").read_bytes()
    result = run("check", "--fix", "--diff", public)
    assert (public / "index.html").read_bytes() == before
    assert '-<a href="docs/Guide.html">b</a>' in result.stdout
    assert '+<a href="docs/guide.html">b</a>' in result.stdout
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("tag", "beside", "said"),
    [
        ('<meta name="generator" content="Hugo 0.111.3">', "", "if Hugo 0.111.3 builds these pages again"),
        ("<meta content=Jekyll name=generator>", "hugo.toml", "if Jekyll builds these pages again"),
        ("<meta content='Hugo 0.1' name=generator>", "", "if Hugo 0.1 builds these pages again"),
        ("<meta name=author content=generator>", "hugo.toml", "if Hugo builds these pages again"),
        ("<meta name=author content=generator>", "mkdocs.yml", ""),  # MkDocs writes into site
        ("<meta name=description content=generator>", "notes.txt", ""),
        ("<!-- <meta name=generator content=Hugo> -->", "", ""),
        ("<title><meta name=generator content=Hugo></title>", "", ""),
        ("<script>'<meta name=generator content=Hugo>'</script>", "", ""),
        ("<template><meta name=generator content=Hugo></template>", "", ""),
        ("<meta title='>' name=generator content=Hugo>", "", "if Hugo builds these pages again"),
        ("<meta name=generator content='A &amp; B'>", "", "if A & B builds these pages again"),
        ("<meta data-content=no name=generator content=Hugo>", "", "if Hugo builds these pages again"),
    ],
)
def test_corrections_that_the_next_build_undoes(run: Run, public: Path, tag: str, beside: str, said: str) -> None:
    if beside:
        (public.parent / beside).touch()
    page = public / "index.html"
    page.write_text(f"<meta charset=utf-8>{tag}{page.read_text()}")
    lines = run("check", "--fix", "--no-infer", "--format", "json", public).stderr.splitlines()
    assert lines[1:] == ([f"rehref: {said}, that is undone: correct its sources, too"] if said else [])
    assert run("check", "--fix", "--no-infer", "--format", "json", public).stderr.count("\n") == 1  # nothing corrected


def test_diff_goes_with_fix(run: Run, public: Path) -> None:
    assert "goes with --fix only" in run("check", "--diff", public).stderr


def test_configuration(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[check]\nno_fragments = true\nexclude = ["giude"]\n')
    assert codes(run("check", "--format", "json", public)) == ALL[:1]


def test_two_reports_cannot_go_to_one_file(run: Run, public: Path, tmp_path: Path) -> None:
    file = tmp_path / "report"
    result = run("check", public, "--format", f"json={file}", "--format", f"csv={file}")
    assert result.exit_code == 2
    assert "two reports cannot both go there" in result.stderr
    assert not file.exists()


def test_a_folder_whose_documents_are_all_left_out(run: Run, public: Path, tmp_path: Path) -> None:
    result = run("check", public, "--exclude-path", "*")
    assert (result.exit_code, result.stderr) == (
        2,
        f"rehref: {public}: --exclude-path leaves out all its documents; leave out less, or add --allow-empty\n",
    )
    assert run("check", public, "--exclude-path", "*", "--allow-empty").exit_code == 0
    (tmp_path / "none").mkdir()
    assert "there is no document in it" in run("check", "none", "--exclude-path", "*").stderr


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_report_to_the_file_that_stands_for_standard_output(
    run: Run, public: Path, tmp_path: Path, name: str
) -> None:
    plain = run("check", public, "--format", "csv").stdout
    assert run("check", public, "--format", f"csv={name}").stdout == plain
    both = run("check", public, "--format", f"csv={name}", "--format", "json=r.json")
    assert both.stdout == plain
    assert json.loads((tmp_path / "r.json").read_bytes())
    # what -o names is for the report without a file
    third = run("check", public, "--format", f"csv={name}", "--format", "text", "-o", "r.txt")
    assert third.stdout == plain
    assert (tmp_path / "r.txt").read_bytes()
    assert not (tmp_path / "-").exists()
    twice = run("check", public, "--format", f"csv={name}", "--format", "text")
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert twice.stderr == ("rehref: --format: two reports cannot both go to standard output; write NAME=FILE\n")
    none_left = run("check", public, "--format", f"csv={name}", "-o", "r2.txt")
    assert (none_left.exit_code, none_left.stderr) == (
        2,
        "rehref: -o r2.txt: every report has a file of its own; leave it out\n",
    )


def test_a_configuration_may_name_standard_output(run: Run, public: Path, tmp_path: Path) -> None:
    plain = run("check", public, "--format", "csv").stdout
    (tmp_path / "rehref.toml").write_text('[check]\nformat = "csv=-"\n')
    result = run("check", public)
    assert result.stdout == plain
    assert "ignored" not in result.stderr


def test_a_folder_that_cannot_be_read_is_named_by_its_path_below(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "np" / "sub").mkdir(parents=True)
    (tmp_path / "np" / "b.html").write_text("<a href=none.html>x</a>")
    whole = os.scandir

    def failing(path: Any) -> Any:
        if str(path) in ("np/sub", "./sub", "sub"):
            raise PermissionError(13, "Permission denied", str(path))
        return whole(path)

    monkeypatch.setattr(os, "scandir", failing)
    rows = list(csv.DictReader(io.StringIO(run("check", "np", "--format", "csv").stdout)))
    assert {row["document"] for row in rows if row["code"] == "unreadable"} == {"sub"}
    text = run("check", "np").stdout
    assert "np/sub" in text
    assert "np/np/sub" not in text


def test_a_quiet_report_has_no_summary(run: Run, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<a href=no.html>x</a>")
    assert "1 link checked" in run("check", "site").stdout
    quiet = run("check", "site", "--quiet").stdout
    assert "missing-file" in quiet
    assert "checked" not in quiet

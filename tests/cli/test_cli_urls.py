"""`--urls TABLE` and `--ignore-saved-from`: where files were saved from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_runs import Run


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A folder with two pages and an image."""
    folder = tmp_path / "mirror"
    (folder / "d").mkdir(parents=True)
    (folder / "a.html").write_bytes(b"<a href=x>")
    (folder / "d/b.html").write_bytes(b"<a href=y>")
    (folder / "i.png").write_bytes(b"\x89PNG")
    return folder


CSV = "a.html,https://h.example/p/?id=1\n./d/b.html,https://h.example/q/\ni.png,https://h.example/i\n"
CDXJ = (
    "!meta {}\n"
    'example,h)/p/?id=1 20260102030405 {"url": "https://h.example/p/?id=1", "filename": "a.html"}\n\n'
    'example,h)/q 20260102030405 {"url": "https://h.example/q/", "filename": "d/b.html"}\n'
    'example,h)/r 20260102030405 {"url": "https://h.example/r/", "filename": "rec-1.warc.gz", "offset": "12"}\n'
    'example,h)/s 20260102030405 {"url": "https://h.example/s/"}\n'
)


@pytest.mark.parametrize("table", [CSV, "\ufeff" + CSV, "path,url\n" + CSV, CDXJ])
def test_a_table_gives_the_uris(run: Run, mirror: Path, table: str) -> None:
    Path("urls").write_text(table, encoding="utf-8")
    result = run("links", "--quiet", "--format", "jsonl", "--urls", "urls", "mirror")
    assert [json.loads(line)["target"] for line in result.stdout.splitlines()] == [
        "https://h.example/p/x",
        "https://h.example/q/y",
    ]
    result = run("rewrite", "--urls", "urls", "mirror", "-o", "out")
    assert result.exit_code == 0
    assert Path("out/d/b.html").read_bytes() == b"<a href=https://h.example/q/y>"


def test_what_does_not_fit_is_one_line(run: Run, mirror: Path) -> None:
    Path("urls.csv").write_text("a.html,https://h.example/p/\ngone.html,https://h.example/\n\n", encoding="ascii")
    result = run("links", "--format", "jsonl", "--urls", "urls.csv", "mirror")
    assert (
        result.stderr == "rehref: urls.csv: 1 row names no existing file; 1 document has no row\n"
        "rehref: 2 documents; 1 file is not a document\n"
    )
    result = run("links", "--format", "jsonl", "--urls", "urls.csv", "--url", "http://g/", "mirror")
    assert [json.loads(line)["target"] for line in result.stdout.splitlines()] == [
        "https://h.example/p/x",
        "http://g/d/y",
    ]


def test_a_table_that_fits_says_nothing(run: Run, mirror: Path) -> None:
    Path("urls.csv").write_text(CSV, encoding="ascii")
    assert "urls.csv" not in run("links", "--urls", "urls.csv", "mirror").stderr


def test_a_table_for_one_file(run: Run, mirror: Path) -> None:
    Path("urls.csv").write_text("a.html,https://h.example/p/", encoding="ascii")
    (link,) = json.loads(run("links", "--format", "json", "--urls", "urls.csv", "mirror/a.html").stdout)
    assert link["target"] == "https://h.example/p/x"


def test_offline_takes_the_table(run: Run, mirror: Path) -> None:
    (mirror / "a.html").write_bytes(b"<a href=/q/><img src=/i><a href=/else>")
    Path("urls.csv").write_text(CSV, encoding="ascii")
    result = run("rewrite", "--to", "offline", "--urls", "urls.csv", "mirror", "-o", "out", "--copy-others")
    assert result.exit_code == 0, result.stderr
    assert Path("out/a.html").read_bytes() == b"<a href=d/b.html><img src=i.png><a href=https://h.example/else>"


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ("", "names no file"),
        ("path,url\n", "names no file"),
        ("a.html,rel\n", "line 1: 'rel' is not a URI with a scheme; write absolute URIs"),
        ("https://h/a.html,a.html\n", "line 1: 'a.html' is not a URI with a scheme; "),
        ("none.html,rel\na.html,http://h/\n", "line 1: 'rel' is not a URI with a scheme; "),
        ("LICENSE,rel\na.html,http://h/\n", "line 1: 'rel' is not a URI with a scheme; "),
        ("a.html\n", "line 1: two columns are needed, not 1"),
        ("a,http://h/\na.html,x/y\n", "line 2: 'x/y' is not a URI with a scheme"),
        ('a,"http://h/\n', "is not CSV: line 1: "),
        ('k 2026 {"url": "x", "filename": "a"}\n', "line 1: 'x' is not a URI with a scheme"),
        ('k 2026 {"url": "http://h/"}\nk 2026 {"url"\n', "line 2: is not a line of CDXJ"),
        ("\xff", "is not UTF-8 (byte 0)"),
    ],
)
def test_a_table_that_is_none(run: Run, mirror: Path, table: str, what: str) -> None:
    Path("urls").write_text(table, encoding="latin-1")
    (mirror / "LICENSE").touch()
    result = run("links", "--urls", "urls", "mirror")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rehref: urls: {what}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("header", ["path,url", "old,new", "File name,Saved from", "No.,e.g. this"])
def test_what_is_a_header(run: Run, mirror: Path, header: str) -> None:
    Path("urls").write_text(f"{header}\na.html,http://a/\nd/b.html,http://b/\n", encoding="ascii")
    result = run("links", "--urls", "urls", "mirror", "--format", "csv")
    assert (result.exit_code, "row" in result.stderr) == (0, False)
    assert "http://a/x" in result.stdout


def test_of_contradictory_rows_the_first_counts_and_one_line_says_so(run: Run, mirror: Path) -> None:
    rows = "a.html,http://a/\n\n./a.html,http://b/\na.html,http://a/\nd/b.html,http://d/\n"
    Path("urls").write_text(rows, encoding="ascii")
    result = run("links", "--urls", "urls", "mirror", "--format", "csv")
    assert result.exit_code == 0
    said = "rehref: urls: line 3: a.html has another URI in line 1; the first counts"
    assert result.stderr.splitlines()[0] == said
    assert "http://a/x" in result.stdout
    assert "http://b/x" not in result.stdout
    with Path("urls").open("a", encoding="ascii") as file:
        file.write("a.html,http://c/\n")
    again = run("links", "--urls", "urls", "mirror").stderr.splitlines()
    assert [line for line in again if "another" in line] == [said + " (and 1 more like it)"]
    assert "another" not in run("links", "-q", "--urls", "urls", "mirror").stderr
    Path("urls").write_text("a.html,http://a/\na.html,http://a/\n", encoding="ascii")
    assert "another" not in run("links", "--urls", "urls", "mirror").stderr


def test_a_table_that_is_not_there(run: Run, mirror: Path) -> None:
    result = run("links", "--urls", "absent", "mirror")
    assert (result.exit_code, result.stderr) == (
        2,
        "rehref: absent: cannot be read: no such file or directory; check the name\n",
    )


def test_saved_from_on_the_command_line(run: Run, mirror: Path) -> None:
    page = mirror / "a.html"
    page.write_bytes(b"<!-- saved from url=(0022)https://h.example/p/q -->\n<a href=x>")
    (link,) = json.loads(run("links", "--format", "json", page).stdout)
    assert link["target"] == "https://h.example/p/x"
    assert link["base"]["origin"] == "retrieval"
    assert link["base"]["where"] == "saved-from comment at 1:1"
    (link,) = json.loads(run("links", "--format", "json", "--ignore-saved-from", page).stdout)
    assert link["target"] == f"file://{mirror}/x"
    assert run("rewrite", page).stdout.endswith("<a href=https://h.example/p/x>")
    (link,) = json.loads(run("links", "--format", "json", "-", input=page.read_bytes()).stdout)
    assert link["target"] == "https://h.example/p/x"


def test_check_looks_for_files_wherever_they_came_from(run: Run, mirror: Path) -> None:
    (mirror / "a.html").write_bytes(
        b"<!-- saved from url=(0022)https://h.example/p/q -->\n<a href=d/b.html><a href=gone>"
    )
    report = json.loads(run("check", "--format", "json", mirror).stdout)
    assert [problem["reference"] for problem in report["problems"]] == ["gone", "y"]

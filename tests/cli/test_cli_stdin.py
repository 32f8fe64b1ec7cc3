"""Sources of other kinds: standard input, style sheets and plain texts, and what is damaged."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from cli_runs import Run, RunProcess, shell, told

HEADERS = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


@pytest.fixture
def unreadable(tmp_path: Path) -> Iterator[int]:
    """A file opened for writing alone, as standard input: whoever reads it gets an error of the system."""
    file = os.open(tmp_path / "written", os.O_WRONLY | os.O_CREAT)
    yield file
    os.close(file)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(f"<a href=x-{name}>", encoding="utf-8")
    (tmp_path / "headers").write_text(HEADERS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("options", [(), ("--format", "jsonl"), ("--parser", "all"), ("--jobs", "2")])
def test_the_others_are_reported(
    run_process: RunProcess, pages: Path, unreadable: int, options: tuple[str, ...]
) -> None:
    result = run_process("links", *options, "a.html", "-", "b.html", stdin=unreadable)
    assert result.stderr.decode().splitlines() == ["rehref: -: cannot be read: bad file descriptor"]
    assert result.returncode == 2
    if options == ("--parser", "all"):
        assert b"2 documents, 0 with disagreements" in result.stdout
    else:
        assert result.stdout.index(b"x-a.html") < result.stdout.index(b"x-b.html")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-o", "out.html"),
        ("--diff",),
        ("--unpack", "folder"),
        ("--headers", "headers"),
        ("--media-type", "application/warc", "-o", "out.warc"),
        ("--media-type", "text/html"),
    ],
)
def test_nothing_is_rewritten(run_process: RunProcess, pages: Path, unreadable: int, options: tuple[str, ...]) -> None:
    result = run_process("rewrite", "--quiet", *options, "-", stdin=unreadable)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode().splitlines() == ["rehref: -: cannot be read: bad file descriptor"]
    assert not any((pages / name).exists() for name in ("out.html", "out.warc"))


@pytest.mark.parametrize("command", ["links a.html - b.html", "rewrite --quiet -", "rewrite --quiet -o out -"])
def test_one_that_is_closed_is_reported(pages: Path, command: str) -> None:
    ran = shell(f"$REHREF {command} <&-")
    assert ran.returncode == 2
    assert ran.stderr.decode() == "rehref: -: cannot be read: standard input is closed; name a file\n"
    assert command.startswith("rewrite") or ran.stdout.index(b"x-a.html") < ran.stdout.index(b"x-b.html")
    assert not (pages / "out").exists()


CONTAINERS = Path(__file__).parents[2] / "fixtures" / "containers"


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x" * 100)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        (
            "site.wacz",
            (CONTAINERS / "pages.wacz").read_bytes()[:-200],
            "a damaged WACZ: the zip file's directory is missing",
        ),
        (
            "book.epub",
            (CONTAINERS / "book.epub").read_bytes()[:-200],
            "a damaged EPUB: the zip file's directory is missing",
        ),
        ("some.zip", zipped("a.txt")[:-40], "a damaged zip file: the zip file's directory is missing"),
        ("some.zip", zipped("a.txt"), "is a zip file, but neither an EPUB nor a WACZ; unpack it"),
        ("all.wacz", zipped("datapackage.json", "a.wacz"), "is a multi-WACZ, a zip file of WACZ files; unpack it"),
        ("all.zip", zipped("a.wacz", "datapackage.json"), "is a multi-WACZ, a zip file of WACZ files; unpack it"),
        ("site.wacz", b"\0\1garbage", "is named like a WACZ, but is not one; check where it comes from"),
        ("site.warc.gz", b"\0\1garbage", "is named like a WARC, but is not one; check where it comes from"),
    ],
)
def test_a_damaged_container_is_named(run: Run, tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert told(run("links", "--quiet", name)).startswith(f"{name}: {expected}")
    assert told(run("rewrite", "--quiet", name, "-o", "out")).startswith(f"{name}: {expected}")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><a href="x">\n</svg>'


def test_xml_that_is_not_well_formed_is_reported_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(SVG)
    (tmp_path / "x").write_bytes(b"")
    line = "rehref: a.svg: is not well-formed XML: mismatched tag at 2:3; browsers and feed readers stop there\n"
    result = run("links", "a.svg")
    assert (result.exit_code, result.stderr) == (0, line)
    assert run("links", "--quiet", "a.svg").stderr == ""
    result = run("rewrite", "--url", "http://h/", "a.svg")
    assert (result.exit_code, result.stderr.splitlines(keepends=True)[0]) == (0, line)
    assert result.stdout_bytes == SVG.replace(b'"x"', b'"http://h/x"')
    report = json.loads(run("check", "--format", "json", tmp_path).stdout)
    (problem,) = report["problems"]
    assert (problem["code"], problem["severity"], problem["line"], problem["column"]) == (
        "not-well-formed",
        "warning",
        2,
        3,
    )


def test_html_is_not_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p><a href=a.html></p>&nbsp;")
    assert run("links", "a.html").stderr == ""
    assert json.loads(run("check", "--format", "json", tmp_path).stdout)["problems"] == []


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A style sheet, with Latin-1 in it."""
    file = tmp_path / "style.css"
    file.write_bytes(b'@charset "iso-8859-1";\n@import "a\xe9.css";\n')
    return file


def targets(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return [json.loads(line)["target"] for line in result.stdout.splitlines()]


def test_links_of_a_style_sheet(run: Run, sheet: Path) -> None:
    (link,) = json.loads(run("links", "--format", "json", sheet).stdout)
    assert (link["target"], link["kind"], link["attribute"]) == (f"file://{sheet.parent}/aé.css", "resource", None)
    assert (link["line"], link["column"]) == (2, 10)
    assert link["problems"] == []
    (link,) = json.loads(run("links", "--strict-uris", "--format", "json", sheet).stdout)
    assert [problem["code"] for problem in link["problems"]] == ["non-ascii"]
    table = run("links", sheet)
    assert table.exit_code == 0
    assert "2:10" in table.stdout


def test_a_style_sheet_in_place(run: Run, sheet: Path) -> None:
    result = run("rewrite", "--url", "http://h/d/s.css", "--in-place", "style.css")
    assert result.stderr == "rehref: 1 of 1 reference changed in 1 of 1 document\n"
    assert sheet.read_bytes() == b'@charset "iso-8859-1";\n@import "http://h/d/a\xe9.css";\n'


def test_a_folder_with_style_sheets(run: Run, site: Path) -> None:
    (site / "notes.txt").write_bytes(b"see http://h/\n")
    (site / "deep" / "s.css").write_bytes(b"a { b: url(../i.png) url(#f) }")
    found = targets(run("links", "--format", "jsonl", "--url", "http://h/", site))
    assert {"http://h/i.png", "http://h/deep/s.css#f", "http://h/index.html"} < set(found)
    result = run("rewrite", "--url", "http://h/", site, "-o", "out", "--copy-others")
    assert result.stderr == "rehref: 4 of 6 references changed in 3 of 4 documents; 2 files are not documents\n"
    assert Path("out/deep/s.css").read_bytes() == b"a { b: url(http://h/i.png) url(#f) }"
    assert Path("out/notes.txt").read_bytes() == b"see http://h/\n"


def test_a_style_sheet_from_standard_input_says_so(run: Run) -> None:
    options = ("--media-type", "text/css", "--url", "http://h/d/", "-")
    assert targets(run("links", "--format", "jsonl", *options, input=b"url(x)")) == ["http://h/d/x"]
    assert run("rewrite", "--quiet", *options, input=b"url(x)").stdout_bytes == b"url(http://h/d/x)"


def test_a_text_that_is_named(run: Run, site: Path) -> None:
    (site / "notes.txt").write_bytes(b"see http://h/\n")
    assert targets(run("links", "--format", "jsonl", site / "notes.txt")) == ["http://h/"]
    result = run("rewrite", "--to", "https://r.example/{uri}", "--in-place", site / "notes.txt")
    assert result.exit_code == 0
    assert (site / "notes.txt").read_bytes() == b"see https://r.example/http://h/\n"

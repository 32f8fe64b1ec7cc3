"""What is damaged is named for what it is."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

CONTAINERS = Path(__file__).parents[2] / "fixtures" / "containers"


def told(result: Result) -> str:
    """The only line on standard error."""
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    return line.removeprefix("rehref: ")


def cut_off(name: str) -> bytes:
    """A container without its end."""
    return (CONTAINERS / name).read_bytes()[:-200]


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

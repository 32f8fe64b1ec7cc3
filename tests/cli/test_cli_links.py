"""`rehref links`, and the parser cores that it can use."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from cli_runs import Run, RunProcess
from patience import PATIENCE
from rehref import Link
from rehref._native import HOW, TWIN
from rehref.markup import cores as registry

PAGE = b'<base href="../">\n<a href="a.html">a</a> <img src="http://u:secret@h/i.png">\n<a href="#x">x</a>\n'
URL = "http://h/d/page.html"


def test_the_table_says_which_base_and_why_and_where_each_reference_stands(run: Run) -> None:
    result = run("links", "--url", URL, "-", input=PAGE)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "-  4 references"
    assert lines[1] == "  base  http://h/  (<base href> at 1:1)"
    assert lines[3].split() == ["1:13", "base@href", "../", "→", "http://h/"]
    assert ["2:10", "a@href", "a.html", "→", "http://h/a.html"] in [line.split() for line in lines]
    assert "! leaves-document: the base, <base href> at 1:1, makes this leave the document" in result.stdout


def test_the_table_lists_the_candidates_that_were_skipped(run: Run) -> None:
    result = run("links", "--url", URL, "-", input=b'<base href="data:,x"><a href=b>')
    assert "base  http://h/d/page.html  (retrieval URI)" in result.stdout
    assert "skipped  data:,x  (<base href> at 1:1): data: is not allowed as a base" in result.stdout


def test_json_is_one_array_with_the_fields_of_link_and_the_document(run: Run) -> None:
    found = json.loads(run("links", "--url", URL, "--format", "json", "-", input=PAGE).stdout)
    assert [link["reference"] for link in found] == ["../", "a.html", "http://u:***@h/i.png", "#x"]
    names = [name for name in Link._fields if name not in ("part", "inside", "date", "rel", "text")]  # if there are any
    assert all(list(link) == ["document", *names] for link in found)
    assert found[1]["base"] == {"uri": "http://h/", "origin": "embedded", "where": "<base href> at 1:1", "rejected": []}
    assert PAGE[slice(*found[1]["span"])] == b"a.html"
    assert found[3]["problems"] == [
        {"code": "leaves-document", "message": "the base, <base href> at 1:1, makes this leave the document"}
    ]


def test_json_of_nothing_is_an_empty_array(run: Run) -> None:
    assert json.loads(run("links", "--format", "json", "-", input=b"").stdout) == []


def test_json_of_several_documents_is_still_one_array(run: Run, site: Path) -> None:
    found = json.loads(run("links", "--format", "json", site).stdout)
    assert [link["document"] for link in found] == [
        f"{site}/deep/page.html",
        f"{site}/deep/page.html",
        f"{site}/index.html",
        f"{site}/index.html",
    ]


def test_jsonl_is_one_link_a_line(run: Run, site: Path) -> None:
    lines = run("links", "--format", "jsonl", site).stdout.splitlines()
    assert [json.loads(line)["reference"] for line in lines] == ["../", "index.html", "deep/page.html", "#top"]


def test_csv_has_a_header_and_flat_columns(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("links", "--url", URL, "--format", "csv", "-", input=PAGE).stdout)))
    assert len(rows) == 4
    assert rows[1]["reference"] == "a.html"
    assert rows[1]["target"] == "http://h/a.html"
    assert rows[1]["base"] == "http://h/"
    assert rows[3]["problems"].startswith("leaves-document: ")


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_no_format_shows_a_password(run: Run, form: str) -> None:
    document = b'<base href="http://u:secret@h/"><a href=x></a><a href="http://v:secret@h:bad/">'
    result = run("links", "--format", form, "-", input=document)
    assert "secret" not in result.output
    assert "u:***@h" in result.stdout


def test_a_file_has_its_own_uri(run: Run, site: Path) -> None:
    (link, _) = json.loads(run("links", "--format", "json", site / "index.html").stdout)
    assert link["base"]["uri"] == (site / "index.html").as_uri()
    assert link["base"]["origin"] == "retrieval"


def test_url_is_that_of_the_folder(run: Run, site: Path) -> None:
    found = json.loads(run("links", "--url", "https://example.org/s", "--format", "json", site).stdout)
    assert [link["target"] for link in found] == [
        "https://example.org/s/",
        "https://example.org/s/index.html",
        "https://example.org/s/deep/page.html",
        "https://example.org/s/index.html#top",
    ]


def test_standard_input_has_no_uri(run: Run) -> None:
    (link,) = json.loads(run("links", "--format", "json", "-", input=b"<a href=x>").stdout)
    assert link["target"] is None
    assert link["base"]["origin"] == "none"
    assert [problem["code"] for problem in link["problems"]] == ["no-base"]


@pytest.mark.parametrize(
    ("options", "base"),
    [
        (["--default-base", "http://d/"], ("http://d/", "default")),
        (["--default-base", "http://d/", "--url", URL], (URL, "retrieval")),
        (["--url", URL, "--entity-base", "e/"], ("http://h/d/e/", "entity")),
        (["--url", URL, "--entity-base", "http://e/"], ("http://e/", "entity")),
    ],
)
def test_the_layers_of_the_base_can_be_given(run: Run, options: list[str], base: tuple[str, str]) -> None:
    (link,) = json.loads(run("links", *options, "--format", "json", "-", input=b"<a href=x>").stdout)
    assert (link["base"]["uri"], link["base"]["origin"]) == base


def test_the_embedded_base_can_be_ignored(run: Run) -> None:
    options = ("links", "--url", URL, "--ignore-embedded-base", "--format", "json", "-")
    found = json.loads(run(*options, input=PAGE).stdout)
    assert found[1]["target"] == "http://h/d/a.html"


def test_the_encoding_can_be_given(run: Run) -> None:
    options = ("links", "--url", URL, "--format", "json", "-", "--encoding")
    page = "<a href=日>".encode("shift_jis")
    assert json.loads(run(*options, "shift_jis", input=page).stdout)[0]["reference"] == "日"
    assert json.loads(run(*options, "latin1", input=page).stdout)[0]["reference"] != "日"


@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
def test_every_parser_finds_the_links(run: Run, parser: str) -> None:
    found = json.loads(run("links", "--url", URL, "--parser", parser, "--format", "json", "-", input=PAGE).stdout)
    assert [link["target"] for link in found] == ["http://h/", "http://h/a.html", "http://u:***@h/i.png", "http://h/#x"]


def test_the_profile_is_followed(run: Run) -> None:
    options = ("links", "--url", URL, "--format", "json", "-", "--profile")
    page = b'<a href="http:g">'
    assert json.loads(run(*options, "rfc3986", input=page).stdout)[0]["target"] == "http:g"
    assert json.loads(run(*options, "rfc3986-compat", input=page).stdout)[0]["target"] == "http://h/d/g"


def test_an_unknown_name_is_html_if_asked_for(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.php"
    file.write_bytes(b"Hello <a href=x>")
    assert "  0 references\n" in run("links", file).stdout
    assert "  1 reference\n" in run("links", "--media-type", "text/html", file).stdout


def test_jobs_change_nothing(run: Run, run_process: RunProcess, tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.html").write_text(f"<a href='{number + 1}.html'>", encoding="ascii")
    (tmp_path / "5.html").unlink()
    (tmp_path / "5.html").symlink_to("5.html")
    alone = run("links", "--format", "jsonl", "--jobs", 1, tmp_path)
    together = run_process("links", "--format", "jsonl", "--jobs", 3, tmp_path)
    assert alone.stdout_bytes.count(b"\n") == 59
    assert together.stdout == alone.stdout_bytes
    assert together.stderr == alone.stderr_bytes
    assert together.returncode == alone.exit_code == 2


def test_without_a_terminal_there_are_no_colours_and_nothing_is_folded(run: Run) -> None:
    page = b"<a href='" + b"long/" * 60 + b"'>"
    result = run("links", "--url", URL, "-", input=page)
    assert "\x1b" not in result.stdout
    assert "→ http://h/d/" + "long/" * 60 in result.stdout


def _on_terminal(*arguments: object, columns: int = 80, **environment: str) -> str:
    """What the program writes to a terminal."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "rehref", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
        env={**os.environ, "COLUMNS": str(columns), "LINES": "24", "TERM": "xterm", **environment},
    )
    os.close(child)
    pieces = []
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(parent)
    assert process.wait(PATIENCE) == 0
    return b"".join(pieces).decode().replace("\r\n", "\n")


def test_a_terminal_has_colours_and_its_width_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"<a href='" + b"long/" * 60 + b"'>")
    assert "\x1b[" in _on_terminal("links", file)
    plain = _on_terminal("links", "--url", URL, file, NO_COLOR="1")
    assert "\x1b" not in plain
    lines = plain.splitlines()[3:]
    assert len(lines) > 4
    assert max(map(len, lines)) <= 80
    assert "".join(line.strip() for line in lines).endswith("→ http://h/d/" + "long/" * 60)


def test_what_a_document_holds_cannot_command_the_terminal(run: Run) -> None:
    result = run("links", "--url", URL, "-", input="<a href='&#x1b;]0;owned\x07\u202egnp.exe'>".encode())
    assert "\x1b" not in result.stdout
    assert "\x07" not in result.stdout
    assert r"\x1b]0;owned\x07" in result.stdout


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.html").write_bytes(b"<a href=x>" * 2000)
    process = subprocess.Popen(
        [sys.executable, "-m", "rehref", "links", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(100)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(PATIENCE) == 141


def test_file_names_may_be_any_bytes(run_process: RunProcess, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    try:
        (tmp_path / name).write_bytes(b"<a href=x>")
    except OSError:
        pytest.skip("this file system takes no such name")
    for form in ("json", "csv", "table"):
        result = run_process("links", "--format", form, tmp_path)
        assert (result.returncode, result.stderr) == (0, b"")
        assert b"/caf%E9.html" in result.stdout
    (link,) = json.loads(run_process("links", "--format", "json", tmp_path).stdout)
    assert os.fsencode(link["document"]).endswith(b"/caf\xe9.html")


def test_what_the_locale_cannot_write_is_an_escape_for_people_and_utf_8_for_programs(
    run_process: RunProcess, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text("<meta charset=utf-8><a href=é>", encoding="utf-8")
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    table = run_process("links", tmp_path, env=ascii_only)
    assert (table.returncode, table.stderr) == (0, b"")
    assert rb"a@href  \xe9 -> file://" in table.stdout
    assert json.loads(run_process("links", "--format", "json", tmp_path, env=ascii_only).stdout)[0]["reference"] == "é"


def test_a_dumb_terminal_has_no_colours(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"<a href=x>")
    assert "\x1b" not in _on_terminal("links", tmp_path, TERM="dumb")


def test_a_diff_on_a_terminal_is_decoded_coloured_and_masked(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes("<meta charset=shift_jis>\n<a href=日>http://u:secret@h/".encode("shift_jis"))
    shown = _on_terminal("rewrite", "--diff", "--quiet", "--url", "http://h/", tmp_path / "page.html")
    assert "\x1b[31m-<a href=日>http://u:***@h/\x1b[0m\n" in shown
    assert "\x1b[32m+<a href=http://h/日>http://u:***@h/\x1b[0m\n" in shown


def test_a_diff_of_a_style_sheet_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_bytes('@charset "shift_jis";\na { background: url(日) }'.encode("shift_jis"))
    shown = _on_terminal("rewrite", "--diff", "--quiet", "--url", "http://h/", tmp_path / "a.css", NO_COLOR="1")
    assert "+a { background: url(http://h/日) }\n" in shown


def test_a_diff_of_utf_16_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes("\ufeff<a href=x>\r\n<p>".encode("utf-16-le"))
    shown = _on_terminal("rewrite", "--diff", "--quiet", "--url", "http://h/", tmp_path / "page.html", NO_COLOR="1")
    assert shown.splitlines()[2:5] == ["@@ -1,2 +1,2 @@", "-<a href=x>", "+<a href=http://h/x>"]


def test_every_core_is_listed_with_what_it_is(run: Run) -> None:
    result = run("parsers")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("source ")
    assert {"lxml", "html5lib"} <= {line.split()[0] for line in lines}
    assert all(len(line.split()) > 3 for line in lines)
    assert [(f"(default, {HOW})" in line) for line in lines] == [True] + [False] * (len(lines) - 1)


def test_json(run: Run) -> None:
    found = {each["name"]: each for each in json.loads(run("parsers", "--format", "json").stdout)}
    assert found["source"]["default"] is True
    assert found["source"]["compiled"] is (TWIN is not None)
    assert found["lxml"]["default"] is False
    assert found["lxml"]["compiled"] is None
    assert found["lxml"]["summary"]
    assert found["lxml"]["error"] is None


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plug-ins that do not work are installed."""

    def with_broken(*, group: str) -> list[EntryPoint]:
        return [
            *entry_points(group=group),
            EntryPoint("absent", "no_such_module:CORE", group),
            EntryPoint("hollow", "builtins:object", group),
        ]

    registry._registered.cache_clear()
    registry.core.cache_clear()
    monkeypatch.setattr("importlib.metadata.entry_points", with_broken)
    yield
    registry._registered.cache_clear()
    registry.core.cache_clear()


@pytest.mark.usefixtures("broken")
def test_a_broken_plug_in_is_listed_with_its_error(run: Run) -> None:
    result = run("parsers")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert "broken: " in lines["absent"]
    assert "No module named 'no_such_module'" in lines["absent"]
    assert "broken: " in lines["hollow"]
    assert "broken" not in lines["source"]
    found = {each["name"]: each for each in json.loads(run("parsers", "--format", "json").stdout)}
    assert found["absent"]["summary"] is None
    assert "no_such_module" in found["absent"]["error"]


@pytest.mark.usefixtures("broken")
def test_a_broken_plug_in_cannot_be_used(run: Run) -> None:
    result = run("links", "--parser", "absent", "-", input=b"")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "no_such_module" in result.stderr

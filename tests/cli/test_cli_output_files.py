"""One way to write to a file: `--format NAME=FILE` and `-o FILE`; what cannot be written is refused before any work."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli_runs import Run, told
from rehref.cli.config import _options
from rehref.cli.parameters import Report
from rehref.cli.program import command_names, import_command, program


@pytest.fixture(autouse=True)
def site(tmp_path: Path) -> Path:
    """A site with one page, in the working directory."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<title>t</title><a href=no.html>x</a>")
    return folder


def writing() -> list[tuple[str, str, str]]:
    """Every option that names what is to be written: its command, its name, and what is before the name of the file."""
    found = set()
    for name in command_names(installed=False):
        for option in _options(import_command(name)).values():
            makes_folder = option.row is not None and option.row.makes_folder
            if option.found == "writes" and not makes_folder and isinstance(option.type, click.Path | Report):
                flag = max(option.opts, key=len)
                forms = ["html"] if isinstance(option.type, Report) else [""]
                found |= {(name, flag, f"{form}=" if form else "") for form in forms}
    return sorted(found)


def test_these_options_write() -> None:
    assert {(name, flag) for name, flag, _ in writing()} == {
        *(("check", each) for each in ("--format", "--output", "--write-baseline", "--dump-external")),
        *(("compare", each) for each in ("--format", "--output", "--save", "--write-redirects")),
        *(("links", each) for each in ("--format", "--output")),
        *(("rewrite", each) for each in ("--output", "--unpack")),
        ("mv", "--redirects"),
    }


@pytest.mark.parametrize(("command", "flag", "before"), writing())
def test_a_missing_folder_is_named_before_anything_is_read(
    run: Run, command: str, flag: str, before: str, tmp_path: Path
) -> None:
    sources = ["nowhere", "nowhere"] if command in ("compare", "mv") else ["nowhere"]
    said = told(run(command, *sources, flag, f"{before}reports/_redirects"))
    spelt = f"{flag} {before}reports/_redirects".replace("=", " ")
    assert said == f"{spelt}: the folder reports does not exist; make it first, or name another"
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize("name", ["red.txt", "red.html"])
@pytest.mark.parametrize("command", ["compare --write-redirects", "mv --redirects"])
def test_a_name_that_names_no_format_of_redirects_is_refused_before_anything_is_read(
    run: Run, command: str, name: str
) -> None:
    verb, flag = command.split()
    assert told(run(verb, "nowhere", "nowhere", flag, name)).startswith(f"{flag} {name}: names no format; ")


def test_a_folder_is_not_a_file(run: Run) -> None:
    assert told(run("check", "site", "-o", "site")) == "--output site: is a folder; name a file in it"


@pytest.mark.parametrize("form", ["html", "json", "csv", "table"])
def test_links_go_into_a_file(run: Run, form: str, tmp_path: Path) -> None:
    printed = run("links", "site", "--format", form)
    for arguments in (["--format", form, "-o", "out"], ["--format", f"{form}=out"]):
        written = run("links", "site", *arguments)
        assert (written.exit_code, written.stdout) == (0, "")
        assert f"{form} written to out" in written.stderr
        assert (tmp_path / "out").read_text() == printed.stdout
        (tmp_path / "out").unlink()


def test_lines_of_links_go_into_a_file_or_into_a_folder(run: Run, tmp_path: Path) -> None:
    assert run("links", "site", "--format", "jsonl=lines.jsonl").exit_code == 0
    assert run("links", "site", "--format", "jsonl", "-o", "lines").exit_code == 0
    assert (tmp_path / "lines.jsonl").is_file()
    assert (tmp_path / "lines").is_dir()


def test_a_report_of_links_has_one_place(run: Run) -> None:
    said = told(run("links", "site", "--format", "html=a", "-o", "b"))
    assert said == "-o b: the report has a file of its own; leave it out"


def test_a_configuration_that_was_found_writes_no_links(tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[links]\nformat = "html=out.html"\n')
    done = CliRunner().invoke(program, ["links", "site"])
    assert done.exit_code == 0
    assert "format: ignored, for it is about writing to files" in done.stderr
    assert not (tmp_path / "out.html").exists()
    own = CliRunner().invoke(program, ["links", "site", "--config", "rehref.toml"])
    assert own.exit_code == 0
    assert (tmp_path / "out.html").exists()

"""A configuration that is found may have come with the folder; one that is named is the user's own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import click
import pytest
from click.testing import Result

from rehref.cli.config import load_config
from rehref.cli.parameters import Report, Setting
from rehref.cli.program import command_names, import_command
from rehref.option_rows import Found, Option
from rehref.site.check_options import OF_SERVERS

COMMANDS = command_names(installed=False)

Run = Callable[..., Result]

PAGE = b"<a href=x>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A site with one page, beside which a configuration may stand."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "page.html").write_bytes(PAGE)
    return tmp_path / "site" / "page.html"


def configuration(folder: Path, text: str) -> Path:
    (folder / "rehref.toml").write_text(text, encoding="utf-8")
    return folder / "rehref.toml"


WRITING = {
    "in_place": ("rewrite", 'url = "http://h/"\n[rewrite]\nin_place = true', "site/page.html"),
    "output": ("rewrite", 'url = "http://h/"\n[rewrite]\noutput = "out"', "site/page.html"),
    "unpack": ("rewrite", 'url = "http://h/"\n[rewrite]\nunpack = "out"', "site/page.html"),
    "fix": ("check", "[check]\nfix = true", "site"),
    "fix_unsure": ("check", "[check]\nfix_unsure = true", "site"),
    "write_baseline": ("check", '[check]\nwrite_baseline = "out"', "site"),
    "format": ("check", '[check]\nformat = "json=out"', "site"),
    "cache": ("check", '[check]\ncache = "out"', "site"),
    "external": ("check", "[check]\nexternal = true", "site"),
    "allow_private": ("check", "[check]\nallow_private = true", "site"),
    "insecure": ("check", "[check]\ninsecure = true", "site"),
    "netrc": ("check", '[check]\nnetrc = "secrets"', "site"),
    "header": ("check", '[check]\nheader = "a: b"', "site"),
    "no_robots": ("check", "[check]\nno_robots = true", "site"),
    "recursive": ("check", "[check]\nrecursive = true", "site"),
    "host_request_interval": ("check", '[check]\nhost_request_interval = "0s"', "site"),
    "max_concurrency": ("check", "[check]\nmax_concurrency = 5000", "site"),
}


def test_what_other_commands_would_write_is_ignored_too(run: Run, page: Path, tmp_path: Path) -> None:
    note = "ignored, for it is about writing to files"
    configuration(tmp_path, '[mv]\nredirects = "out"\n[compare]\nsave = "out"\nwrite_redirects = "out"')
    assert f"rehref.toml: save, write_redirects: {note}" in run("compare", "site", "site").stderr
    assert f"rehref.toml: redirects: {note}" in run("mv", "--folder", "site", "site/page.html", "site/b.html").stderr
    assert not (tmp_path / "out").exists()


def test_sources_outside_of_the_folder_are_ignored(run: Run, page: Path, tmp_path: Path) -> None:
    for folder, is_ignored in (("../elsewhere", True), ("site", False)):
        configuration(tmp_path, f'[check]\nsources = "{folder}"')
        assert (
            "sources: ignored, for it is about files outside of its folder" in run("check", "site").stderr
        ) is is_ignored


@pytest.mark.parametrize("key", WRITING)
def test_what_would_write_to_files_is_ignored_with_a_note(run: Run, page: Path, tmp_path: Path, key: str) -> None:
    command, text, source = WRITING[key]
    file = configuration(tmp_path, text)
    result = run(command, source)
    about = "writing to files" if list(WRITING).index(key) <= list(WRITING).index("cache") else "asking servers"
    note = f"rehref: {file}: {key}: ignored, for it is about {about}; if this file is yours, name it with --config"
    assert note in result.stderr
    assert page.read_bytes() == PAGE
    assert not (tmp_path / "out").exists()
    if command == "rewrite":
        assert result.stdout == "<a href=http://h/x>"
    else:
        assert "missing-file" in result.stdout
    assert note not in run(command, "--quiet", source).stderr


def test_what_is_ignored_is_said_with_its_own_reason(run: Run, page: Path, tmp_path: Path) -> None:
    configuration(tmp_path, '[check]\nexternal = true\nfix = true\ncache = "out"\ninsecure = true')
    reasons = "fix, cache: ignored, for it is about writing to files; external, insecure: ignored, for it is about"
    assert f"rehref.toml: {reasons} asking servers; if this file is yours" in run("check", "site").stderr


def test_what_is_named_counts_as_a_whole(run: Run, page: Path, tmp_path: Path) -> None:
    configuration(tmp_path, WRITING["in_place"][1]).rename(tmp_path / "own.toml")
    result = run("rewrite", "--config", "own.toml", page)
    assert page.read_bytes() == b"<a href=http://h/x>"
    assert result.stderr == "rehref: 1 of 1 reference changed in 1 of 1 document; options from own.toml\n"


def test_what_is_named_counts_alone(run: Run, page: Path, tmp_path: Path) -> None:
    configuration(tmp_path, "this is not TOML")
    (tmp_path / "own.toml").write_text("", encoding="utf-8")
    assert run("links", "--config", "own.toml", page).exit_code == 0
    assert run("links", page).exit_code == 2


def test_a_project_file_that_is_named(run: Run, page: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.rehref]\nurl = "http://h/"', encoding="utf-8")
    result = run("rewrite", "--config", "pyproject.toml", page)
    assert result.stdout == "<a href=http://h/x>"
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    result = run("rewrite", "--config", "pyproject.toml", page)
    assert result.stderr == "rehref: pyproject.toml: has no table [tool.rehref]; name another file\n"


@pytest.mark.parametrize(
    ("name", "told"), [("", "--config: is empty"), ("absent", "absent: cannot be read: no such file")]
)
def test_a_name_that_is_none(run: Run, page: Path, name: str, told: str) -> None:
    result = run("links", "--config", name, page)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert told in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_it(command: str) -> None:
    assert any("--config" in parameter.opts for parameter in import_command(command).params)


@pytest.mark.usefixtures("page")
def test_the_summary_line_names_it(run: Run, tmp_path: Path) -> None:
    said = f"; options from {configuration(tmp_path, 'verbose = false')}\n"
    assert run("check", "site").stdout.endswith(said)
    assert run("check", "site", "--format", "json").stderr == f"rehref: 1 document checked{said}"
    assert run("links", "site").stderr == f"rehref: 1 document{said}"
    assert run("rewrite", "--url", "http://h/", "site", "-o", "out").stderr.endswith(said)
    assert run("links", "--quiet", "site").stderr == ""
    json.loads(run("check", "site", "--format", "json").stdout)


def test_only_an_ordinary_file_in_its_folder_is_read(run: Run, page: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text('url = "http://outside/"', encoding="utf-8")
    file = page.parent / "rehref.toml"
    os.chdir(page.parent)
    file.symlink_to("../outside.toml")
    assert "leads out of the folder" in run("rewrite", "page.html").stderr
    file.unlink()
    os.mkfifo(file)
    assert "rehref.toml: is not an ordinary file, and is not read; remove it\n" in run("rewrite", "page.html").stderr
    file.unlink()
    file.write_bytes(b"#" * (1 << 20) + b"\n")
    result = run("rewrite", "page.html")
    assert "rehref.toml: is larger than 1 MiB, and is not read; shorten it\n" in result.stderr
    assert result.exit_code == 2


def test_a_byte_order_mark_is_none_of_it(run: Run, page: Path, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_bytes(b'\xef\xbb\xbfurl = "http://h/"')
    assert run("rewrite", page).stdout == "<a href=http://h/x>"


def test_one_that_is_nested_too_deeply(run: Run, page: Path, tmp_path: Path) -> None:
    result = run("rewrite", page) if configuration(tmp_path, "x = " + "[" * 100_000) else None
    assert result is not None
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize("row", OF_SERVERS, ids=lambda row: row.name)
def test_of_the_options_for_asking_servers_those_count_that_their_rows_say(tmp_path: Path, row: Option) -> None:
    value = {"flag": "true", "count": "7", "time": '"7s"', "text": '"x"', "file": '"x"'}.get(row.kind or "", '["x"]')
    configuration(tmp_path, f"[check]\n{row.name} = {value}")
    config = load_config(tmp_path, lambda: ["check"], import_command)
    assert config is not None
    counts = row.found == "counts"
    assert config.ignored["check"] == ([] if counts else [row.name])
    assert set(config.defaults["check"]) == ({row.name} if counts else set())


def options() -> list[tuple[str, click.Option]]:
    """Every option of every command, except those that name the configuration."""
    return [
        (command, option)
        for command in COMMANDS
        for option in import_command(command).params
        if isinstance(option, click.Option) and option.name != "config"
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_whether_it_counts_in_what_was_found(tmp_path: Path, command: str) -> None:
    for name, option in options():
        if name != command:
            continue
        assert isinstance(option, Setting), "declare it with rehref.cli.parameters.setting, or in a table"
        assert option.found in get_args(Found), "say whether it counts in a configuration that was found"
        key = max(option.opts, key=len).removeprefix("--").replace("-", "_")
        choices = option.type.choices if isinstance(option.type, click.Choice) else ("x",)
        text = "json=out" if isinstance(option.type, Report) else str(choices[0])
        is_number = isinstance(option.type, click.types.IntParamType)
        value = "true" if option.is_flag else "7" if is_number else f'"{text}"'
        for where, is_in_folder in (("site", True), ("../elsewhere", False)):
            of_file = option.found == "inside"
            configuration(tmp_path, f"[{command}]\n{key} = " + (f'"{where}"' if of_file else value))
            config = load_config(tmp_path, lambda: [command], import_command)
            assert config is not None
            counts = option.found == "counts" or (of_file and is_in_folder)
            found = config.ignored[command], list(config.defaults[command])
            assert found == (([], [option.name]) if counts else ([key], []))


def test_what_the_rows_decided() -> None:
    """What never counts, so that a change is seen."""
    by = {(command, option.name): getattr(option, "found", "") for command, option in options()}
    never = {each for each, found in by.items() if found in ("asks", "yours")}
    assert {name for command, name in never if command == "compare"} == {
        *("external", "allow_private", "recursive", "max_pages", "show_secrets", "jobs")
    }
    assert {"watch", "why", "show_secrets", "raw_csv", "jobs", "max_time"} < {name for _, name in never}
    writing = {each for each, found in by.items() if found == "writes"}
    assert {name for command, name in writing if command == "mv"} == {"redirects", "aliases"}
    assert {name for command, name in writing if command == "rewrite"} == {"output", "in_place", "unpack", "resume"}


@pytest.mark.parametrize(
    ("command", "line", "arguments", "reason"),
    [
        ("check", "watch = true", ["site"], "for a person to decide"),
        ("check", 'why = "x"', ["site"], "for a person to decide"),
        ("check", 'files_from = "-"', ["site"], "about files outside of its folder"),
        ("check", 'baseline = "pipe"', ["site"], "about files outside of its folder"),
        ("check", 'root = "/"', ["site/page.html"], "about files outside of its folder"),
        ("compare", "external = true", ["site", "site"], "about asking servers"),
        ("mv", "aliases = true", ["--folder", "site", "site/page.html", "site/b.html"], "about writing to files"),
        ("mv", 'folder = ".."', ["site/page.html", "site/b.html"], "about files outside of its folder"),
    ],
)
def test_what_a_folder_cannot_ask_for(
    run: Run, page: Path, tmp_path: Path, command: str, line: str, arguments: list[str], reason: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    configuration(tmp_path, f"[{command}]\n{line}")
    note = f"rehref.toml: {line.partition(' ')[0]}: ignored, for it is {reason}; if this file is yours"
    assert note in run(command, *arguments).stderr

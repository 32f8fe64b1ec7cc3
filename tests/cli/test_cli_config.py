"""Configuration: where it is found, what it may hold, what goes before what."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from rehref.cli.config import load_config
from rehref.cli.program import command_names, import_command

COMMANDS = command_names(installed=False)

Run = Callable[..., Result]

PAGE = b"<a href=x>"


def target(run: Run, *options: str) -> str:
    result = run("links", "--format", "jsonl", *options, "-", input=PAGE)
    assert result.exit_code == 0, result.stderr
    found: str = json.loads(result.stdout)["target"]
    return found


def test_rehref_toml(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('url = "http://config/"\n')
    assert target(run) == "http://config/x"


def test_pyproject_toml(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.rehref]\nurl = "http://config/"\n')
    assert target(run) == "http://config/x"


def test_rehref_toml_goes_before_pyproject_toml(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.rehref]\nurl = "http://project/"\n')
    (tmp_path / "rehref.toml").write_text('default_base = "http://config/"\n')
    assert target(run) == "http://config/x"


def test_it_is_looked_for_upward_and_the_nearest_counts(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    (tmp_path / "rehref.toml").write_text('url = "http://far/"\n')
    assert target(run) == "http://far/x"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nurl = 1\n")
    assert target(run) == "http://far/x"
    (tmp_path / "a" / "rehref.toml").write_text('url = "http://near/"\n')
    assert target(run) == "http://near/x"


def test_the_command_line_goes_before_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('url = "http://config/"\n')
    assert target(run, "--url", "http://typed/") == "http://typed/x"


def test_a_command_has_its_own_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('url = "http://all/"\n[links]\nurl = "http://links/"\nformat = "csv"\n')
    assert run("links", "-", input=PAGE).stdout.startswith("document,")
    assert target(run) == "http://links/x"
    assert run("rewrite", "-", input=PAGE).stdout == "<a href=http://all/x>"


def test_every_kind_of_value(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text(
        'verbose = false\nquiet = true\nurl = "http://h/"\n[rewrite]\nto = "http://r/{a}/{uri}"\nset = ["a=1"]\n'
    )
    result = run("rewrite", "-", input=PAGE)
    assert (result.stdout, result.stderr) == ("<a href=http://r/1/http://h/x>", "")


def test_file_names_are_relative_to_it(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rehref.toml").write_text('url = "http://h/"\n[rewrite]\nmap = "map.json"\n')
    (tmp_path / "map.json").write_text('{"http://h/x": "/new"}')
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert run("rewrite", "-", input=PAGE).stdout == "<a href=/new>"


NUMBERS = (
    "--port",
    *("--jobs", "--max-findings", "--max-redirects", "--max-retries", "--max-concurrency", "--host-concurrency"),
    *("--max-documents", "--max-references", "--max-time"),
    *("--depth", "--max-pages"),
)


def options_of(command: str) -> list[tuple[str, str, click.Option]]:
    """Every option of a command: its name, each long name that it has on the command line, and itself."""
    return [
        (option.name or "", text, option)
        for option in import_command(command).params
        if isinstance(option, click.Option) and option.name != "config"
        for text in option.opts
        if text.startswith("--")
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_can_be_configured_by_its_name_on_the_command_line(tmp_path: Path, command: str) -> None:
    for name, text, option in options_of(command):
        for value in [True] if option.is_flag else [1] if text in NUMBERS else ["x", ["x"]]:
            if isinstance(value, list) and not option.multiple:
                continue
            key = text[2:].replace("-", "_")
            (tmp_path / "rehref.toml").write_text(f"[{command}]\n{key} = {json.dumps(value)}\n")
            config = load_config(tmp_path / "rehref.toml", lambda: COMMANDS, import_command)
            assert config is not None
            wanted: object = str(tmp_path / "x") if isinstance(option.type, click.Path) else value
            assert config.defaults[command] == {name: ["x"] if option.multiple else wanted}


@pytest.mark.parametrize("value", ['"json"', '["json"]', '["json", "csv=out.csv"]'])
def test_formats(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    named = ("--config", tmp_path / "rehref.toml") if "=" in value else ()
    (tmp_path / "rehref.toml").write_text(f"[check]\nformat = {value}\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("<a href=b>")
    monkeypatch.chdir(tmp_path / "site")
    assert json.loads(run("check", ".", *named).stdout)["problems"][0]["code"] == "missing-file"
    assert (tmp_path / "out.csv").exists() == ("csv" in value)


def test_where_the_site_is_may_be_said_for_all_commands(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('url = "http://config/"\n')
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("<a href=//config/b>")
    assert run("check", "site").exit_code == 1


def test_what_is_typed_goes_before_what_it_excludes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('url = "http://h/"\n[rewrite]\nmap = "absent.json"\ndiff = true\n')
    result = run("rewrite", "--to", "absolute", "-o", "-", "-", input=PAGE)
    assert result.stdout == "<a href=http://h/x>"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ulr = 'x'", "ulr is not an option that commands share; did you mean url?"),
        ("format = 'csv'", "format is not an option that commands share; put it below [links]"),
        ("[links]\nto = 'x'", "links.to is not an option; rehref links --help lists the options"),
        ("[chck]\nx = 1", "chck is not an option that commands share; did you mean check?"),
        ("links = 1", "links must be a table; write [links]"),
        ("url = 1", "url must be a text; it is 1"),
        ("jobs = '2'", "jobs must be a whole number; it is '2'"),
        ("jobs = true", "jobs must be a whole number; it is True"),
        ("quiet = 'yes'", "quiet must be true or false; it is 'yes'"),
        ("[rewrite]\nset = [1]", "rewrite.set must be a text, or a list of texts; it is [1]"),
        ("[check]\nformats = ['json']", "check.formats is not an option; did you mean format?"),
        ("[check]\nout = 'x'", "check.out is not an option; did you mean output?"),
        ("[check]\nzzz = 'x'", "check.zzz is not an option; rehref check --help lists the options"),
        ("zzz = 'x'", "zzz is not an option that commands share; rehref COMMAND --help lists the options"),
        ("url = [1\nx", "is not TOML: Unclosed array (at line 2, column 1); correct it"),
    ],
)
def test_a_mistake_names_the_file_and_the_key(run: Run, tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "rehref.toml"
    file.write_text(text)
    result = run("links", "-", input=PAGE)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"rehref: {file}: {told}\n"


def test_a_mistake_in_pyproject_toml_names_the_whole_key(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.rehref.links]\nurll = 1\n")
    assert f"{tmp_path}/pyproject.toml: tool.rehref.links.urll is not an option" in run("links", "-", input=b"").stderr


def test_a_value_that_is_no_choice_names_the_file_and_the_key(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rehref.toml"
    file.write_text('profile = "rfc1808"\n')
    result = run("links", "-", input=PAGE)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rehref: {file}: profile: ")
    assert "there is no 'rfc1808'; take one of" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_not_utf_8(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_bytes(b"url = '\xff'")
    result = run("links", "-", input=PAGE)
    assert result.exit_code == 2
    assert "rehref.toml: is not TOML" in result.stderr


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        ('[check]\nexclude = "("', ("check", "site"), "exclude (: the expression is not understood: "),
        ('[check]\nsite_url = "x"', ("check", "site"), "site_url x: cannot be a base: "),
        ('[check]\nurl = "x"', ("check", "site"), "site_url x: cannot be a base: "),
        ('encoding = "x"', ("check", "site"), "encoding x: there is no such encoding; "),
        ('encoding = "x"', ("links", "site"), "encoding x: there is no such encoding; "),
        ('[check]\nformat = "x"', ("check", "site"), "format x: there is no such format; "),
        ('[check]\nroot_dir = "x"', ("check", "site"), "root_dir x: there is no such folder in site; "),
        ("[check]\ndiff = true", ("check", "site"), "diff: goes with --fix only; "),
        ('[rewrite]\nto = "nothing"', ("rewrite", "site"), "to nothing: "),
    ],
)
def test_what_is_wrong_with_a_configured_value_is_said_of_its_file(
    run: Run, site: Path, tmp_path: Path, content: str, arguments: tuple[str, ...], told: str
) -> None:
    (tmp_path / "rehref.toml").write_text(content)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rehref: {tmp_path}/rehref.toml: {told}")


def test_a_slow_expression_is_said_of_its_file(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "index.html").write_text(f"<a href={'x' * 300}>")
    (tmp_path / "rehref.toml").write_text("[check]\nexclude = '(x|xx|x.)+(x|xx)+y$'\n")
    result = run("check", "site", "-j", 1)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rehref: {tmp_path}/rehref.toml: exclude: the expression ")


def test_what_is_wrong_with_a_typed_value_is_not_said_of_a_file(run: Run, site: Path, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[check]\nexclude = "a"\n')
    assert run("check", "site", "--exclude", "(").stderr.startswith("rehref: --exclude (: the expression")

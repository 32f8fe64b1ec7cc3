"""`rehref check --format html` says how the check was made: when, by which version, with which options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import click.testing
import pytest

from rehref._version import __version__
from rehref.cli._commands.check.asked import asked
from rehref.cli.click_options import declared
from rehref.option_rows import Option
from rehref.site.check_options import OF_SERVERS, ROWS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.html").write_text("<a href=b.html>")
    return site


def options_of(page: str) -> list[str]:
    found = re.search("<dt>Options</dt> <dd>(.*?)</dd>", page)
    assert found is not None
    return re.findall("<code>(.*?)</code>", found[1])


def test_the_page_says_when_it_was_made_and_by_which_version(run: Any, folder: Path) -> None:
    page = run("check", folder, "--format", "html").stdout
    assert re.search(rf"rehref {re.escape(__version__)}, 20\d\d-\d\d-\d\d \d\d:\d\d UTC<", page)
    assert re.search("<dt>Options</dt> <dd>none</dd>", page)


def test_the_page_has_the_options_without_passwords(run: Any, folder: Path) -> None:
    options = [
        "--exclude",
        "x",
        "--exclude",
        "<y>",
        "--site-url",
        "http://user:secret@h/",
        "--no-fragments",
        "--jobs",
        "1",
    ]
    page = run("check", folder, *options, "--format", "html").stdout
    assert options_of(page) == [
        "--exclude x",
        "--exclude &lt;y&gt;",
        "--no-fragments",
        "--site-url http://user:***@h/",
        "--jobs 1",
    ]
    assert "secret" not in page


def test_the_page_has_the_options_of_a_configuration(run: Any, folder: Path) -> None:
    Path("rehref.toml").write_text('[check]\nexclude = ["q"]\n')
    assert options_of(run("check", folder, "--format", "html").stdout) == ["--exclude q"]


@pytest.mark.parametrize("row", [row for row in OF_SERVERS if row.is_secret], ids=lambda row: row.name)
def test_only_the_names_of_secrets_are_shown(row: Option) -> None:
    @click.command
    @declared("check", ROWS)
    @click.option("--strict/--no-strict", default=False)
    @click.pass_context
    def command(context: click.Context, /, **_: Any) -> None:
        click.echo(" ".join(asked(context)))

    given = [row.flag, "X-Key: secret", "--timeout", "9s", "--no-strict"]
    result = click.testing.CliRunner().invoke(command, given)
    assert f"{row.flag} ***" in result.output
    assert "secret" not in result.output
    assert "--timeout 9s" in result.output
    assert "--no-strict" in result.output

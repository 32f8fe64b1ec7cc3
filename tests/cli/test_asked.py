"""The command line that a report shows: what was asked, without secrets."""

from __future__ import annotations

from typing import Any

import click
import click.testing
import pytest

from rehref.cli._commands.check.asked import asked
from rehref.cli.click_options import declared
from rehref.option_rows import Option
from rehref.site.check_options import OF_SERVERS, ROWS


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

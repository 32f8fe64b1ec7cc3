"""The options of rules: a new row is all that the command line needs."""

from __future__ import annotations

from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from rehref.cli._commands.rewrite import rule_options
from rehref.documents.link import Link
from rehref.rewriting import built_in_rules as registry
from rehref.rewriting.built_in_rules import RULES, RuleEntry, RuleOption


@dataclass(frozen=True)
class Shout:
    """A rule that is made here."""

    loud: bool = False

    def __call__(self, link: Link) -> str:
        return link.reference.upper() + "!" * self.loud


@pytest.fixture
def with_shout(monkeypatch: pytest.MonkeyPatch) -> click.Command:
    """A command whose rules are the built-in ones and `Shout`."""
    row = RuleEntry("shout", "Shout", "shout them", (RuleOption("loud", "Louder.", "counts"),), __name__)
    options = (*registry.OPTIONS, *row.options)
    for module in (registry, rule_options):
        monkeypatch.setattr(module, "RULES", (*RULES, row))
        monkeypatch.setattr(module, "OPTIONS", options)

    @click.command()
    @rule_options.rule_options
    @click.pass_context
    def command(context: click.Context, /, **options: object) -> None:
        click.echo(repr(rule_options.rule_of(context)))
        click.echo(dict(rule_options.idle_options(rule_options.kind_of(context))).get("loud"))

    return command


def test_a_new_row_is_all_that_the_command_line_needs(with_shout: click.Command) -> None:
    run = CliRunner().invoke
    assert run(with_shout, ["--to", "shout", "--loud"]).output.splitlines() == ["Shout(loud=True)", ""]
    assert run(with_shout, []).output.splitlines()[1] == "--to shout"
    shown = run(with_shout, ["--help"]).output
    assert "absolute|relative|offline|TEMPLATE|shout" in shown
    assert "--loud" in shown
    assert "or shout them." in " ".join(shown.split())

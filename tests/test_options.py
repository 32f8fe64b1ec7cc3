"""Options are declared once: the command line and the configuration have what is declared."""

from __future__ import annotations

import pytest

from rehref.cli.errors import config_keys
from rehref.cli.program import COMMANDS, load
from rehref.options import DECLARED


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_the_options_that_are_declared_for_it(command: str) -> None:
    has = {each.name: each for each in load(command).params}
    for name, (shown, default) in DECLARED.items():
        if command in shown.commands:
            option = has[name]
            key = shown.name or name
            assert option.opts == ["--" + key.replace("_", "-")]
            assert config_keys(option) == [key]
            assert (getattr(option, "is_flag", False), option.multiple) == (default is False, default == ())  # type: ignore[attr-defined]
            assert option.help == shown.help  # type: ignore[attr-defined]
        else:
            assert name not in has


def test_every_option_has_a_command() -> None:
    for shown, _ in DECLARED.values():
        assert set(shown.commands) <= set(COMMANDS)
        assert shown.commands

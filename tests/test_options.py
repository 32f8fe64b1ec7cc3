"""Options are declared once: the command line and the configuration have what is declared."""

from __future__ import annotations

import re

import pytest

import rehref
from rehref.cli.messages import config_keys
from rehref.cli.program import command_names, import_command
from rehref.documents.options import DECLARED

COMMANDS = command_names(installed=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_the_options_that_are_declared_for_it(command: str) -> None:
    has = {each.name: each for each in import_command(command).params}
    for name, row in DECLARED.items():
        if command in row.commands:
            option = has[name]
            assert option.opts == [row.flag]
            assert config_keys(option) == [row.flag[2:].replace("-", "_")]
            assert (getattr(option, "is_flag", False), option.multiple) == (row.default is False, row.default == ())  # type: ignore[attr-defined]
            assert option.help == row.help  # type: ignore[attr-defined]
        else:
            assert name not in has


def test_every_option_has_a_command() -> None:
    for row in DECLARED.values():
        assert set(row.commands) <= set(COMMANDS)
        assert row.commands


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"nonsense": 1}, "unknown argument 'nonsense'; there are "),
        ({"url": 3}, "url is a str, not int"),
        ({"entity_base": ["a"]}, "entity_base is a str, not list"),
        ({"media_type": b"text/html"}, "media_type is a str, not bytes"),
        ({"attributes": "data-src"}, "attributes is a sequence of texts"),
        ({"max_size": "2G"}, "max_size is a number of bytes, not str"),
    ],
)
def test_what_is_no_option_is_a_type_error_that_says_what_is_wanted(given, message):
    for function in (rehref.links, rehref.rewrite):
        with pytest.raises(TypeError, match=re.escape(message)):
            function("<a href=x>", **given)


def test_what_python_is_told_of_an_option_is_so_in_python():
    said = rehref.links.__doc__ or ""
    assert "2G" not in said
    assert "May be repeated" not in said
    assert "all: report" not in said


@pytest.mark.parametrize("made", [lambda: rehref.Mapping(3), lambda: rehref.Template("http://r/{uri}", schemes="http")])
def test_a_rule_of_what_it_cannot_be_made_of_is_a_type_error(made):
    with pytest.raises(TypeError, match=r"is made of a function|is a collection of texts"):
        made()

"""The rule of `rehref rewrite`: `--to`, `--map`, and the options that go with them.

`rehref.rewriting.built_in_rules` lists the rules, and the options of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import click

from rehref.cli.click_options import picked, typed
from rehref.cli.messages import OptionError, say
from rehref.cli.parameters import Choice, Named, setting
from rehref.exceptions import nearest
from rehref.rewriting.built_in_rules import OFFLINE, OPTIONS, RULES, TEMPLATE, RuleOption, rule_named
from rehref.uri.components import split

if TYPE_CHECKING:
    from rehref.rewriting.mapping import Mapping
    from rehref.rewriting.rule import DocumentRule, Rule

MAP: Final = "map"
"""The kind of rule of a table."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def rule_options(command: _Command) -> _Command:
    """Add `--to`, `--map` and the options of all rules to a command."""
    does = "; or ".join(rule.does for rule in RULES)
    names = [rule.name for rule in RULES if rule.name != TEMPLATE]
    for option in reversed(OPTIONS):
        command = _declared(option)(command)
    command = setting(
        "--map",
        type=click.Path(),
        metavar="FILE",
        help="Replace targets by a table, JSON or CSV with two columns: target URI, replacement. A target that ends in "
        "* is a prefix. Targets are normalized before they are compared. With --to offline the table takes precedence.",
        found="inside",
    )(command)
    return setting(
        "--to",
        type=Named(lambda: names, names),
        metavar="|".join(rule.name for rule in RULES),
        default=RULES[0].name,
        show_default=True,
        help=f"{does[0].upper()}{does[1:]}.",
        found="counts",
    )(command)


def _declared(option: RuleOption) -> Callable[[_Command], _Command]:
    name = f"--{option.name.replace('_', '-')}"
    if option.choices:
        return setting(name, option.name, type=Choice(option.choices), help=option.help, found=option.found)
    if option.metavar is not None:
        return setting(
            name, option.name, metavar=option.metavar, multiple=option.multiple, help=option.help, found=option.found
        )
    return setting(name, option.name, is_flag=True, help=option.help, found=option.found)


def kind_of(context: click.Context) -> str:
    """Return the kind of rule: the name of a row of `RULES`, or `MAP`. Raises `OptionError`."""
    given = picked(context, ("to", "map"))
    if len(given) > 1 and context.params["to"] != OFFLINE:
        raise OptionError("--map", "does not go with --to", "choose one of them")
    if given == ["map"]:
        return MAP
    to: str = context.params["to"]
    if to != TEMPLATE and rule_named(to) is not None:
        return to
    if "{" not in to:
        names = [rule.name for rule in RULES if rule.name != TEMPLATE]
        what = f"is neither {', '.join(names[:-1])} nor {names[-1]}, nor a template"
        near = nearest(to, names)
        raise OptionError(f"--to {to}", what, "a template names {uri}" if near is None else f"did you mean {near}?")
    return TEMPLATE


def idle_options(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the options that do nothing for a kind of rule, each with the `--to` that it goes with."""
    for option in OPTIONS:
        having = [rule.name for rule in RULES if option in rule.options]
        if kind not in having and len(having) < len(RULES):
            yield option.name, f"--to {' or '.join(having)}"


def rule_of(context: click.Context) -> Rule | DocumentRule:
    """Return the rule that the options name. Raises `OptionError`, or `FileError` for the map."""
    kind = kind_of(context)
    if kind == MAP:
        return _mapping(context)
    if kind == OFFLINE:
        return _offline(context)
    if kind == TEMPLATE:
        return _template(context)
    rule = rule_named(kind)
    assert rule is not None
    given = {option.name: context.params[option.name] for option in rule.options}
    return rule.load()(**{name: value for name, value in given.items() if value is not None})


def _mapping(context: click.Context) -> Mapping:
    """Return the rule of a table. Raises `FileError`."""
    from rehref.cli._terminal_tables import read_map
    from rehref.rewriting.mapping import Mapping

    table = read_map(context.params["map"], context.params["profile"])
    if table.note is not None and not context.params["quiet"]:
        say(table.note)
    return Mapping(table.replacements, metadata=bool(context.params["metadata"]))


def _template(context: click.Context) -> DocumentRule:
    """Return the rule of a template. Raises `OptionError`."""
    from rehref.rewriting.built_in_rules import Template

    options, schemes, values = context.params, _schemes(context), _values(context)
    try:
        return Template(
            options["to"],
            metadata=options["metadata"],
            schemes=schemes,
            file_urls=options["file_urls"],
            **values,
        )
    except ValueError as error:
        raise OptionError("--to", str(error), "give values with --set NAME=VALUE") from error


def _schemes(context: click.Context) -> Sequence[str]:
    """Return the schemes of the targets that are put into a template. Raises `OptionError`."""
    from rehref.rewriting.built_in_rules import SCHEMES

    if context.params["schemes"] is None:
        return SCHEMES
    names = [name.strip() for name in context.params["schemes"].split(",")]
    for name in names:
        if split(f"{name}:").scheme != name:
            remedy = "separate schemes by commas, such as http,https"
            raise OptionError("--schemes", f"{name!r} is not a scheme", remedy)
    return names


def _offline(context: click.Context) -> DocumentRule:
    """Return `Offline` without its files, which are not known yet. Raises `OptionError` and `FileError`."""
    from rehref.rewriting.offline_rule import Offline, Removal

    base_element = context.params["base_element"]
    if typed(context, "base_element") and base_element not in get_args(Removal):
        remedy = f"use {' or '.join(get_args(Removal))}, or leave it out"
        raise OptionError(f"--base-element {base_element}", "does not go with --to offline", remedy)
    removal: Removal = "drop" if base_element == "drop" else "empty"
    first = _mapping(context) if context.params["map"] else None
    return Offline({}, base_element=removal, metadata=bool(context.params["metadata"]), first=first)


def _values(context: click.Context) -> dict[str, str]:
    """Return the values for a template. Raises `OptionError`."""
    from rehref.rewriting.built_in_rules import OWN, RESERVED

    values: dict[str, str] = {}
    for item in context.params["set"]:
        name, equals, value = item.partition("=")
        if not equals or not name.isidentifier():
            raise OptionError(
                f"--set {item}",
                "is not NAME=VALUE",
                f"use a name that the template has in braces, except {', '.join(OWN[:-1])} and {OWN[-1]}",
            )
        if name in RESERVED:
            what = "has a value of its own" if name in OWN else "cannot be given a value"
            raise OptionError(f"--set {item}", f"{{{name}}} {what}", "use another name, in the template too")
        if typed(context, "set") and "{" + name + "}" not in context.params["to"]:
            raise OptionError(f"--set {item}", f"the template does not name {{{name}}}", "leave it out")
        values[name] = value
    return values

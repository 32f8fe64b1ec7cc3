"""The rule that `rehref rewrite` was asked for: `--to`, `--map`, and the options that go with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

import click

from rehref.cli.errors import OptionError, say
from rehref.cli.options import chosen, typed

if TYPE_CHECKING:
    from rehref.rewriting.contract import DocumentRule, Rule

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*+").fullmatch  # RFC 3986 §3.1

_OWN = ("uri", "kind", "modifier")
"""What a template may name without `--set`; `{timestamp}` has a value in a WARC, and may be given one."""

Kind = Literal["map", "absolute", "relative", "offline", "template"]


def kind_of(context: click.Context) -> Kind:
    """What kind of rule was asked for. Raises `OptionError`."""
    given = chosen(context, ("to", "map"))
    if len(given) > 1 and context.params["to"] != "offline":
        raise OptionError("--map", "does not go with --to", "choose one of them")
    if given == ["map"]:
        return "map"
    to = context.params["to"]
    if to in ("absolute", "relative", "offline"):
        return cast(Kind, to)
    if "{" not in to:
        raise OptionError(
            f"--to {to}", "is neither absolute, relative nor offline, nor a template", "a template names {uri}"
        )
    return "template"


def rule_of(context: click.Context) -> Rule | DocumentRule:
    """The rule that was asked for. Raises `OptionError`, or `FileError` for the map."""
    from rehref.rewriting.rules.absolute import Absolute
    from rehref.rewriting.rules.mapping import Mapping
    from rehref.rewriting.rules.relative import Relative
    from rehref.rewriting.rules.template import Template

    options = context.params
    metadata = bool(options["metadata"])
    file_urls = bool(options["file_urls"])
    kind = kind_of(context)
    moved = None
    if kind == "map" or (kind == "offline" and options["map"]):
        from rehref.cli.commands.rewrite.map_file import read_map

        table = read_map(options["map"], options["profile"])
        if table.note is not None and not options["quiet"]:
            say(table.note)
        moved = Mapping(table.entries, metadata=metadata)
    if kind == "map":
        assert moved is not None
        return moved
    if kind == "offline":
        return _offline(context, moved)
    if kind == "absolute":
        return Absolute(options["base_element"] or "absolute", options["same_document"], metadata, file_urls)
    if kind == "relative":
        return Relative(metadata)
    try:
        schemes = _schemes(context)
        return Template(options["to"], metadata=metadata, schemes=schemes, file_urls=file_urls, **_values(context))
    except ValueError as error:
        raise OptionError("--to", str(error), "give values with --set NAME=VALUE") from error


def _schemes(context: click.Context) -> Sequence[str]:
    """What is put into a template. Raises `OptionError`."""
    from rehref.rewriting.rules.template import SCHEMES

    if context.params["schemes"] is None:
        return SCHEMES
    names = [name.strip() for name in context.params["schemes"].split(",")]
    for name in names:
        if not _SCHEME(name):
            raise OptionError(
                "--schemes", f"{name!r} is not a scheme", "separate schemes by commas, such as http,https"
            )
    return names


def _offline(context: click.Context, moved: Rule | DocumentRule | None) -> Rule | DocumentRule:
    """The rule for what is saved, which is not known yet; `moved` goes first. Raises `OptionError`."""
    from rehref.rewriting.rules.offline import Offline, Removal

    base_element = context.params["base_element"]
    if typed(context, "base_element") and base_element not in ("empty", "drop"):
        raise OptionError(
            f"--base-element {base_element}", "does not go with --to offline", "say empty or drop, or leave it out"
        )
    removal: Removal = "drop" if base_element == "drop" else "empty"
    return Offline({}, base_element=removal, metadata=bool(context.params["metadata"]), first=moved)


def _values(context: click.Context) -> dict[str, str]:
    """The values for a template. Raises `OptionError`."""
    from rehref.rewriting.rules.template import RESERVED

    values: dict[str, str] = {}
    for item in context.params["set"]:
        name, equals, value = item.partition("=")
        if not equals or not name.isidentifier():
            raise OptionError(
                f"--set {item}",
                "is not NAME=VALUE",
                "name what the template has in braces, besides uri, kind and modifier",
            )
        if name in RESERVED:
            what = "has a value of its own" if name in _OWN else "cannot be given a value"
            raise OptionError(f"--set {item}", f"{{{name}}} {what}", "take another name, in the template too")
        if typed(context, "set") and "{" + name + "}" not in context.params["to"]:
            raise OptionError(f"--set {item}", f"the template does not name {{{name}}}", "leave it out")
        values[name] = value
    return values

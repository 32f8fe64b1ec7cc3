"""The codes that the options of `rehref check` name: what is reported, how severe it is, and where not.

1. An option may be repeated, and takes several names separated by commas.
2. The command line takes precedence over the configuration, name by name: if it names a code in one of these options,
   the configuration does not count for that code.
"""

from __future__ import annotations

import click

from rehref.cli.click_options import typed
from rehref.cli.errors import OptionError
from rehref.exceptions import with_value
from rehref.site._given import OF_CODES, Selected, code_names, named_codes


def selected(context: click.Context) -> Selected:
    """Return the codes that the options name. Raises `OptionError`."""
    given = named_codes(context.params)
    typed_ones = {each for name in OF_CODES if typed(context, name) for each in given[name]}
    for name in OF_CODES:
        if not typed(context, name):
            given[name] = tuple(each for each in given[name] if each not in typed_ones)
    return Selected(**given, per_path_ignores=tuple(map(_path_ignore, context.params["per_path_ignores"])))


def _path_ignore(text: str) -> tuple[str, tuple[str, ...]]:
    glob, colon, names = text.rpartition(":")
    if not colon or not glob:
        remedy = "write a pattern for paths, a colon, and codes, such as 'legacy/**:missing-file'"
        raise OptionError(with_value("--per-path-ignores", text), "is not GLOB:CODES", remedy)
    return glob, code_names("--per-path-ignores", (names,), glob)

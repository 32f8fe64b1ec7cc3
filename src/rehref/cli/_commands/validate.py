"""`rehref validate`: say whether references match a grammar, and if not, what is wrong and where.

Positions count from 0 in `json` and `jsonl`, as in Python, and from 1 in the text for people.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import click

import rehref
from rehref.cli import output
from rehref.cli._explanation import validity
from rehref.cli._reference_lines import each_reference, format_option, references_argument, show_objects
from rehref.cli.click_options import color_option
from rehref.cli.config import config_option
from rehref.cli.messages import OptionError
from rehref.cli.parameters import Choice, setting
from rehref.reports.formats import TEXT
from rehref.uri.components import mask_text
from rehref.uri.validation import PRODUCTIONS

INVALID: Final = 1
_PRODUCTIONS: Final = tuple(dict.fromkeys(name for names in PRODUCTIONS.values() for name in names))


@click.command(
    "validate",
    short_help="Check references against the grammar of RFC 3986 or RFC 2396.",
    epilog="""
    \b
    Examples:
      rehref validate 'http://example.org/a b'
      rehref validate --production absolute-URI https://example.org/#top
      rehref validate --grammar rfc2396 --format json - < references.txt
    """,
)
@references_argument("REFERENCE...")
@setting(
    "--grammar",
    type=Choice(tuple(PRODUCTIONS)),
    default=next(iter(PRODUCTIONS)),
    show_default=True,
    help="The grammar of RFC 3986, or of RFC 2396 with RFC 2732 (IPv6).",
    found="counts",
)
@setting(
    "--production",
    type=Choice(_PRODUCTIONS),
    default="URI-reference",
    show_default=True,
    help="What each reference must be. URI-reference is any; the others are "
    + "; ".join(f"{', '.join(names[1:])} of {grammar}" for grammar, names in PRODUCTIONS.items())
    + ".",
    found="counts",
)
@format_option
@setting("-q", "--quiet", is_flag=True, help="Print nothing: the exit code says whether all are valid.", found="counts")
@color_option
@config_option
@click.pass_context
def command(
    context: click.Context,
    references: tuple[str, ...],
    grammar: rehref.Grammar,
    production: str,
    format: str,
    quiet: bool,
) -> None:
    """Check whether URI references are valid, and print what is wrong and where.

    The exit code is 1 if any is invalid. With - for a reference, standard input is read, one reference a line.
    Passwords are shown as ***. To see how browsers read a reference, use rehref resolve --profile whatwg.
    """
    if production not in PRODUCTIONS[grammar]:
        remedy = f"take one of {', '.join(PRODUCTIONS[grammar])}"
        raise OptionError(f"--production {production}", f"is not in the grammar of {grammar}", remedy)
    invalid = 0

    def judged() -> Iterator[tuple[str, list[rehref.Violation]]]:
        nonlocal invalid
        for reference in each_reference(references):
            found = rehref.violations(reference, grammar, production)
            invalid += bool(found)
            yield reference, found

    if quiet:
        deque(judged(), maxlen=0)
    elif format == TEXT:
        style = output.screen().style
        for reference, found in judged():
            output.show(validity(reference, found, style))
    else:
        shared = {"grammar": grammar, "production": production}
        show_objects((_object(reference, found, shared) for reference, found in judged()), format)
    context.exit(INVALID if invalid else 0)


def _object(reference: str, found: Sequence[rehref.Violation], shared: Mapping[str, str]) -> dict[str, Any]:
    """Return the object for programs about a reference; `shared`: the members that all objects have."""
    return {
        "reference": mask_text(reference),
        **shared,
        "valid": not found,
        "violations": [asdict(each) for each in found],
    }

"""`rehref resolve`: one target for each reference, and how it comes about."""

from __future__ import annotations

import click

from rehref.cli import output
from rehref.cli.click_options import color_option, declared
from rehref.cli.config import config_option
from rehref.cli.errors import FAILED, OptionError, say
from rehref.uri.components import split
from rehref.uri.resolver import Profile


@click.command(
    "resolve",
    short_help="Resolve references against a base URI.",
    epilog="""
    \b
    Examples:
      rehref resolve 'http://a/b/c/d;p?q' ../g
      rehref resolve --explain --profile rfc2396 'http://a/b/c/d;p?q' '?y'
      rehref resolve https://example.org/ -- -x.html
    """,
)
@click.argument("base")
@click.argument("references", metavar="REFERENCE...", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Show each step of the algorithm, and what other profiles give.")
@declared("resolve")
@color_option
@config_option
@click.pass_context
def command(context: click.Context, base: str, references: tuple[str, ...], explain: bool, profile: Profile) -> None:
    """Resolve references against a base URI, and print their targets, one a line.

    Passwords are shown as ***.
    """
    uri = _usable(base, references, profile)
    status = 0
    for number, reference in enumerate(references):
        if explain and number:
            output.write_bytes(b"\n")
        status = max(status, _explain(uri, reference, profile) if explain else _resolve(uri, reference, profile))
    context.exit(status)


def _usable(base: str, references: tuple[str, ...], profile: Profile) -> str:
    """The base without its fragment. Raises `OptionError` if it cannot be one, and a reference needs it."""
    from rehref.base import Candidate, clean, establish, without_fragment

    found = establish((Candidate(base, "retrieval", "BASE"),), profile)
    if found.uri is not None:
        return found.uri
    reason = found.rejected[0].reason
    uri = clean(base)
    relative = [reference for reference in references if split(reference).scheme is None]
    if split(uri).scheme is None:
        raise OptionError(
            base or '""', f"cannot be a base: {reason}", "give one with a scheme, such as https://example.org/"
        )
    if relative:
        raise OptionError(base, f"cannot be the base of {relative[0]!r}: {reason}", "give another base")
    return without_fragment(uri)


def _resolve(base: str, reference: str, profile: Profile) -> int:
    from rehref.reports.text import visible
    from rehref.uri.privacy import mask_text
    from rehref.uri.resolver import resolve
    from rehref.uri.whatwg import ResolutionError

    try:
        target = resolve(base, reference, profile)
    except ResolutionError:
        say(f"{reference}: a browser finds no URL here; see what --profile rfc3986 gives")
        return FAILED
    output.show(visible(mask_text(target)) + "\n")
    return 0


def _explain(base: str, reference: str, profile: Profile) -> int:
    from rehref.reports.explanation import render
    from rehref.uri.explain import explain

    explanation = explain(base, reference, profile)
    output.show(render(explanation, output.screen().style))
    return FAILED if explanation.target is None else 0

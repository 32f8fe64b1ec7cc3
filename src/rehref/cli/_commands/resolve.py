"""`rehref resolve`: print the target of each reference, and how it is computed."""

from __future__ import annotations

from collections.abc import Sequence

import click

import rehref
from rehref.cli import output
from rehref.cli._reference_lines import each_reference, format_option, references_argument, show_objects
from rehref.cli.click_options import color_option, declared
from rehref.cli.config import config_option
from rehref.cli.messages import FAILED, OptionError, say
from rehref.cli.parameters import setting
from rehref.documents.base import Candidate, clean, without_fragment
from rehref.files.file_documents import STDIN
from rehref.reports.formats import TEXT
from rehref.reports.terminal import mask, visible
from rehref.uri.components import mask_text, split


@click.command(
    "resolve",
    short_help="Resolve references against a base URI.",
    epilog="""
    \b
    Examples:
      rehref resolve 'http://a/b/c/d;p?q' ../g
      rehref resolve --explain --profile rfc2396 'http://a/b/c/d;p?q' '?y'
      rehref resolve --format jsonl https://example.org/docs/ - < references.txt
      rehref resolve https://example.org/ -- -x.html
    """,
)
@click.argument("base")
@references_argument("REFERENCE...")
@setting(
    "--explain",
    is_flag=True,
    help="Show each step of the algorithm, and the targets of other profiles.",
    found="counts",
)
@format_option
@declared("resolve")
@color_option
@config_option
@click.pass_context
def command(
    context: click.Context, base: str, references: tuple[str, ...], explain: bool, format: str, profile: rehref.Profile
) -> None:
    """Resolve references against a base URI, and print their targets, one a line.

    With - for a reference, standard input is read, one reference a line (./- is the relative reference -). A reference
    without a target (only with --profile whatwg) is reported; in json its target is null. Passwords are shown as ***.
    """
    if explain and format != TEXT:
        raise OptionError("--explain", f"is for people, and --format {format} for programs", "leave one of them out")
    found = _Resolving(base, profile)
    found.refuse_unusable([reference for reference in references if reference != STDIN])
    if explain:
        for number, reference in enumerate(each_reference(references)):
            output.write_bytes(b"\n" if number else b"")
            found.explain(reference)
    elif format == TEXT:
        for reference in each_reference(references):
            target = found.target(reference)
            if target is not None:
                output.show(visible(mask_text(target)) + "\n")
    else:
        show_objects(
            (
                {"reference": mask_text(reference), "target": mask(found.target(reference))}
                for reference in each_reference(references)
            ),
            format,
        )
    context.exit(found.status)


class _Resolving:
    """Resolves references against a base. `status`: the exit code, 2 once a reference had no target."""

    def __init__(self, base: str, profile: rehref.Profile) -> None:
        """Parse the base. Raises `OptionError` if it cannot be the base of any reference."""
        found = Candidate(base, "retrieval", "BASE").alone(profile)
        uri = clean(base)
        self._given, self._profile = base, profile
        # why relative references cannot be resolved; a reference with a scheme can
        self._reason = None if found.uri is not None else found.rejected[0].reason
        self._base = without_fragment(uri) if found.uri is None else found.uri
        self._resolver = rehref.Resolver(self._base, profile)
        self.status = 0
        if found.uri is None and split(uri).scheme is None:
            remedy = "give one with a scheme, such as https://example.org/"
            raise OptionError(base or '""', f"cannot be a base: {self._reason}", remedy)

    def refuse_unusable(self, references: Sequence[str]) -> None:
        """Raise `OptionError` if the base cannot be the base of one of these references."""
        relative = [reference for reference in references if split(reference).scheme is None]
        if self._reason is not None and relative:
            raise OptionError(
                self._given, f"cannot be the base of {relative[0]!r}: {self._reason}", "give another base"
            )

    def target(self, reference: str) -> str | None:
        """Return the target; or None, after a message, if there is none."""
        if self._reason is not None and split(reference).scheme is None:
            self._report(f"{reference}: {self._given} cannot be its base: {self._reason}")
            return None
        target = self._resolver.or_none(reference)
        if target is None:
            self._report(f"{reference}: browsers reject it; --profile rfc3986 resolves it by RFC 3986")
        return target

    def explain(self, reference: str) -> None:
        """Print how the reference is resolved."""
        from rehref.cli._explanation import explained

        explanation = rehref.explain(self._base, reference, self._profile)
        output.show(explained(explanation, output.screen().style))
        self.status = FAILED if explanation.target is None else self.status

    def _report(self, message: str) -> None:
        self.status = FAILED
        output.flush()
        say(message)

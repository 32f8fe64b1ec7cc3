"""The options that every command with documents has, and the settings they make.

1. `@document_options` adds them to a command, which gets one `Settings` for all of them.
2. What can be wrong about them is found out before any document is read: an unknown encoding or parser, a base that is
   none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, TypeVar

import click

from rehref.cli.errors import OptionError
from rehref.uri.resolver import PROFILES, Profile

_GIVE = "give an absolute URI such as https://example.org/folder/page.html"

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the shared options; the names are those of the options."""

    url: str | None = None
    entity_base: str | None = None
    default_base: str | None = None
    ignore_embedded_base: bool = False
    media_type: str | None = None
    encoding: str | None = None
    parser: str = "source"
    profile: Profile = "rfc3986"
    jobs: int | None = None
    quiet: bool = False
    no_progress: bool = False

    def check(self) -> None:
        """Raise `OptionError` for what cannot be used."""
        from rehref.base import Candidate, Layers, establish
        from rehref.parsers.encoding import lookup
        from rehref.parsers.registry import ParserError, core
        from rehref.uri.components import split

        if self.encoding is not None and lookup(self.encoding) is None:
            raise OptionError(
                f"--encoding {self.encoding}",
                "there is no such encoding",
                "take a label of the Encoding Standard, such as utf-8, windows-1252 or shift_jis",
            )
        try:
            core(self.parser)
        except ParserError as error:
            raise OptionError(f"--parser {self.parser}", str(error), "rehref parsers lists what there is") from error
        for option, value in (("--url", self.url), ("--default-base", self.default_base)):
            found = establish(() if value is None else (Candidate(value, "default", option),), self.profile)
            if found.rejected:
                raise OptionError(f"{option} {value}", f"cannot be a base: {found.rejected[0].reason}", _GIVE)
        # an entity base may be relative, to what only the document tells; what is sure to fail is refused
        if self.entity_base is not None and split(self.entity_base).scheme is not None:
            own = Candidate(self.entity_base, "entity", "--entity-base")
            found = establish(Layers((own,), self.url, self.default_base).candidates(), self.profile)
            if found.rejected:
                reason = found.rejected[0].reason
                raise OptionError(f"--entity-base {self.entity_base}", f"cannot be a base: {reason}", _GIVE)


def profile_option(command: _Command) -> _Command:
    """Add `--profile`."""
    return click.option(
        "--profile",
        type=click.Choice(PROFILES),
        default="rfc3986",
        show_default=True,
        help="How to resolve: as RFC 3986 has it, strictly or with a scheme that equals the base's ignored (compat); "
        "as RFC 2396; or as browsers do.",
    )(command)


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--url",
        metavar="URI",
        help="Where the document was retrieved from; for a folder, where the folder is. Default: its file: URI.",
    ),
    click.option("--entity-base", metavar="URI", help="The base of what encloses the document (RFC 3986 §5.1.2)."),
    click.option("--default-base", metavar="URI", help="The base where nothing else gives one (RFC 3986 §5.1.4)."),
    click.option("--ignore-embedded-base", is_flag=True, help="Pass over <base> elements."),
    click.option("--media-type", metavar="TYPE", help="Read documents as this type. Default: by name, then content."),
    click.option("--encoding", metavar="LABEL", help="Read documents in this encoding. Default: what they say."),
    click.option(
        "--parser", metavar="NAME", default="source", show_default=True, help="The parser core; see rehref parsers."
    ),
    profile_option,
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Processes. Default: one for each core, for many files.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="No progress, no summary; errors only."),
    click.option("--no-progress", is_flag=True, help="No progress bar. There is one only on a terminal."),
)


def document_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the shared options to a command function, which is called with `settings` in their place."""
    names = [field.name for field in fields(Settings)]

    @wraps(command)
    def with_settings(*arguments: Any, **options: Any) -> Any:
        settings = Settings(**{name: options.pop(name) for name in names})
        settings.check()
        return command(*arguments, settings=settings, **options)

    decorated: Callable[..., Any] = with_settings
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def sources_argument(command: _Command) -> _Command:
    """Add `SOURCE…`."""
    return click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(allow_dash=True))(
        command
    )


def chosen(context: click.Context, names: Sequence[str]) -> list[str]:
    """Which of these options were given: those of the command line; if there are none, those of the configuration."""
    from click.core import ParameterSource

    for source in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP):
        found = [name for name in names if context.get_parameter_source(name) is source and context.params[name]]
        if found:
            return found
    return []


def typed(context: click.Context, name: str) -> bool:
    """Whether an option was given on the command line."""
    from click.core import ParameterSource

    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE

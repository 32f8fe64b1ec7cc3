"""The options that every command with documents has, and the settings they make.

1. `@document_options` adds them to a command, which gets one `Settings` for all of them.
2. What can be wrong about them is found out before any document is read: an unknown encoding or parser, a base that is
   none, an attribute that cannot be one.
3. `--lazy-attributes` says `--lazy` too. What `--attribute` says of an attribute goes before both.
4. `--parser all` is for commands that compare what cores find; the others refuse it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rehref.cli.errors import CONFIG_FILE, OptionError
from rehref.cli.output import STDOUT
from rehref.uri.resolver import PROFILES, Profile

if TYPE_CHECKING:
    from rehref.base import Layers
    from rehref.containers.parts import Limits
    from rehref.documents.reading import Reading

    Number = click.ParamType[int]
    Text = click.ParamType[str]
else:
    Number = Text = click.ParamType  # before click 8.4 it takes no type

ALL_PARSERS = "all"
"""The name that stands for every parser core there is."""

_GIVE = "give an absolute URI such as https://example.org/folder/page.html"

_SIZE = re.compile(r"([0-9]{1,12})\s*([kKmMgG]?)[bB]?").fullmatch
_NAME = re.compile(r"[^\s@=/>\"']+").fullmatch

_Command = TypeVar("_Command", bound=Callable[..., Any])


def refuse_unknown_encoding(label: str | None) -> None:
    """Raise `OptionError` if `--encoding` names none."""
    from rehref.text.encoding import named

    if label is not None and named(label) is None:
        raise OptionError(
            f"--encoding {label}",
            "there is no such encoding",
            "take a label of the Encoding Standard, such as utf-8, windows-1252 or shift_jis",
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the shared options; the names are those of the options."""

    url: str | None = None
    entity_base: str | None = None
    default_base: str | None = None
    ignore_embedded_base: bool = False
    scripting: bool = False
    strict_uris: bool = False
    conditional_comments: bool = False
    attribute: tuple[str, ...] = ()
    lazy: bool = False
    lazy_attributes: str | None = None
    media_type: str | None = None
    encoding: str | None = None
    parser: str = "source"
    profile: Profile = "rfc3986"
    jobs: int | None = None
    quiet: bool = False
    no_progress: bool = False
    headers: str | None = None
    content_location_base: bool = False
    max_size: int | None = None
    urls: str | None = None
    ignore_saved_from: bool = False

    def check(self) -> None:
        """Raise `OptionError` for what cannot be used."""
        from rehref.base import Candidate, Layers, establish
        from rehref.parsers.registry import ParserError, core
        from rehref.uri.components import split

        refuse_unknown_encoding(self.encoding)
        self._check_attributes()
        try:
            if self.parser != ALL_PARSERS:
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

    def _check_attributes(self) -> None:
        from rehref.documents.selection import extra

        for text in self.attribute:
            try:
                extra(text)
            except ValueError as error:
                what, _, remedy = str(error).rpartition("; ")
                raise OptionError(f"--attribute {text}", what, remedy) from error
        for name in () if self.lazy_attributes is None else self._lazy_names():
            if not _NAME(name):
                remedy = "separate names by commas, such as data-src,data-original"
                raise OptionError("--lazy-attributes", f"{name!r} is no name of an attribute", remedy)

    def _lazy_names(self) -> Sequence[str]:
        if self.lazy_attributes is not None:
            return [name.strip() for name in self.lazy_attributes.split(",")]
        if self.lazy:
            from rehref.documents.selection import LAZY

            return LAZY
        return ()

    def attributes(self) -> tuple[str, ...]:
        """What carries references besides, as `ELEMENT@NAME` or `NAME`; of what is said twice the last counts."""
        return (*self._lazy_names(), *self.attribute)

    def layers(self, retrieval: str | None, file: str | None) -> Layers:
        """What stands outside of a source: its retrieval URI, if one is given, and its own `file:` URI."""
        from rehref.base import Candidate, Layers

        entity = () if self.entity_base is None else (Candidate(self.entity_base, "entity", "entity base"),)
        return Layers(entity, retrieval, self.default_base, file)

    def limits(self) -> Limits:
        """How much of a container is unpacked."""
        from rehref.containers.parts import Limits

        return Limits() if self.max_size is None else Limits(size=self.max_size)

    def reading(self) -> Reading:
        """How documents are read, whatever encloses them."""
        from rehref.documents.reading import Reading, selection

        looked_for = selection(
            scripting=self.scripting,
            conditional_comments=self.conditional_comments,
            attributes=self.attributes(),
        )
        return Reading(self.parser, self.profile, self.ignore_embedded_base, looked_for, self.strict_uris)

    def refuse_all_parsers(self, command: str) -> None:
        """Raise `OptionError` if every parser core is asked for; `command` needs one."""
        if self.parser == ALL_PARSERS:
            raise OptionError(
                f"--parser {ALL_PARSERS}",
                f"is for comparing cores, and {command} needs one",
                "rehref parsers lists them",
            )


class Size(Number):
    """A number of bytes, with K, M or G (of 1,024) behind it."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        found = _SIZE(str(value).strip())
        if found is None or int(found[1]) == 0:
            self.fail(f"{value!r} is no size; write such as 500M or 2G.", param, ctx)
        return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2].lower()]


class Report(Text):
    """The name of a format, and perhaps a file for the report: `NAME[=FILE]`."""

    name = "report"

    @staticmethod
    def below(folder: Path, text: str) -> str:
        """The text with its file, if it names one, relative to a folder."""
        name, _, file = text.partition("=")
        return f"{name}={folder / file}" if file and file not in STDOUT else text


def config_option(command: _Command) -> _Command:
    """Add `--config`, which gives the command its other defaults."""
    return click.option(
        "--config",
        type=click.Path(),
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=_configure,
        help="Take options from this file, of your own, and from no rehref.toml or pyproject.toml that is found.",
    )(command)


def _configure(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if not context.resilient_parsing:
        from rehref.cli.config import configure

        configure(context, value)


def configured(context: click.Context) -> str:
    """What a summary line says of the configuration that was read; "" if none was."""
    file = context.meta.get(CONFIG_FILE)
    return "" if file is None else f"; options from {file}"


def raw_csv_option(command: _Command) -> _Command:
    """Add `--raw-csv`."""
    return click.option(
        "--raw-csv",
        is_flag=True,
        help="In CSV, leave cells as they are: without ' before = + - @, and control characters not as escapes.",
    )(command)


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


def scripting_option(command: _Command) -> _Command:
    """Add `--scripting`."""
    return click.option(
        "--scripting", is_flag=True, help="Read as a browser that runs scripts: <noscript> holds text."
    )(command)


def strict_uris_option(command: _Command) -> _Command:
    """Add `--strict-uris`."""
    return click.option(
        "--strict-uris",
        is_flag=True,
        help="Report characters outside ASCII too, which IRIs may have and URIs may not (RFC 3987).",
    )(command)


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--url",
        metavar="URI",
        help="Where the document was retrieved from; for a folder, where the folder is. May be repeated for redirects: "
        "the last one counts. Default: what the tool that saved the page wrote into it, else its file: URI.",
    ),
    click.option(
        "--urls",
        type=click.Path(),
        metavar="TABLE",
        help="Where the files of a mirror were saved from: CSV with two columns, path below SOURCE and URI, or CDXJ "
        "with url and filename.",
    ),
    click.option(
        "--ignore-saved-from",
        is_flag=True,
        help="Where a saved page says itself that it came from (the comments of browsers, SingleFile, HTTrack, "
        "monolith) is not its URI.",
    ),
    click.option("--entity-base", metavar="URI", help="The base of what encloses the document (RFC 3986 §5.1.2)."),
    click.option("--default-base", metavar="URI", help="The base where nothing else gives one (RFC 3986 §5.1.4)."),
    click.option("--ignore-embedded-base", is_flag=True, help="Pass over <base> elements."),
    scripting_option,
    click.option("--conditional-comments", is_flag=True, help="Look into <!--[if IE]> comments, too."),
    click.option(
        "--attribute",
        multiple=True,
        metavar="ELEMENT@NAME[=SYNTAX]",
        help="An attribute that carries references besides; * is any element. SYNTAX: url (the default), srcset (that "
        "of names that end so), spaces, commas, css, or image (a URL or a CSS value, if it is one). May be repeated.",
    ),
    click.option(
        "--lazy",
        is_flag=True,
        help="Attributes for loading late carry references: data-src, data-srcset, data-lazy-src, data-original, "
        "data-bg and all others that the well-known lazy loaders, sliders and optimizers have.",
    ),
    click.option("--lazy-attributes", metavar="NAMES", help="These instead, separated by commas; says --lazy."),
    click.option(
        "--media-type",
        metavar="TYPE",
        help="What it is: text/html, application/xml, text/css, application/warc ... Default: by content and name.",
    ),
    click.option("--encoding", metavar="LABEL", help="Read documents in this encoding. Default: what they say."),
    click.option(
        "--parser",
        metavar="NAME",
        default="source",
        show_default=True,
        help="The parser core; see rehref parsers. For links, all: report what the cores disagree about.",
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
    click.option(
        "--headers",
        type=click.Path(),
        metavar="FILE",
        help="The HTTP headers that the document came with, as curl -D saves them: type, charset, redirects, and "
        "references of their own.",
    ),
    click.option(
        "--content-location-base",
        is_flag=True,
        help="Have the Content-Location of an HTTP message set the base, though RFC 9110 says that it does not.",
    ),
    click.option(
        "--max-size",
        type=Size(),
        metavar="SIZE",
        help="Unpack no document of a container that is larger, such as 500M or 2G. Default: 256M.",
    ),
    click.option("--no-progress", is_flag=True, help="No progress bar. There is one only on a terminal."),
    config_option,
)


def document_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the shared options to a command function, which is called with `settings` in their place."""
    names = [field.name for field in fields(Settings)]

    @wraps(command)
    def with_settings(*arguments: Any, **options: Any) -> Any:
        settings = Settings(**{name: options.pop(name) for name in names if name in options})
        settings.check()
        return command(*arguments, settings=settings, **options)

    decorated: Callable[..., Any] = with_settings
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def sources_argument(command: _Command) -> _Command:
    """Add `SOURCE…`."""
    return click.argument(
        "sources",
        metavar="SOURCE...",
        nargs=-1,
        required=True,
        type=click.Path(allow_dash=True),
        callback=lambda context, parameter, values: expanded(values),
    )(command)


def expanded(sources: Sequence[str]) -> tuple[str, ...]:
    """The sources with patterns expanded where no shell does that, on Windows; what matches nothing stays."""
    if sys.platform != "win32":
        return tuple(sources)
    from glob import glob

    found: list[str] = []
    for source in sources:
        # no name may hold these there, though a long path begins with \\?\; brackets are ordinary characters
        has_pattern = ("*" in source or "?" in source) and not os.path.lexists(source)
        found += (sorted(glob(source.replace("[", "[[]"))) if has_pattern else ()) or [source]  # noqa: PTH207
    return tuple(found)


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

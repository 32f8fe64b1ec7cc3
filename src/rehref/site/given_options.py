"""The options of the checker (`CheckOptions`), from those given by the names of the command line.

Impossible values are found before any file is read: a URL that cannot be a base, an invalid expression. A value that
the command line separates by commas may be a sequence here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from rehref.documents.options import ReadOptions, SourceOptions
from rehref.exceptions import OptionError, with_value
from rehref.files.file_errors import FileError
from rehref.option_rows import is_attribute_name
from rehref.site._checks.all_checks import ON_REQUEST, UnknownCodeError, closeness, severities
from rehref.site._client_routes import CLIENT_ROUTES
from rehref.site._external.web_options import accepted, web_options
from rehref.site._hosts.hosts import HOSTS
from rehref.site._option_types import refuse_no_path, refuse_other_types, refuse_unknown_names
from rehref.site._target_rules import Readers, target_rules
from rehref.site.check_options import DEFAULTS, OF_SERVERS, PLAIN, ROWS, CheckOptions
from rehref.site.codes import Severity
from rehref.uri.components import split

if TYPE_CHECKING:
    from rehref.site._expressions import Expression
    from rehref.site._target_map import Remap
    from rehref.site.check_options import GivenToCheck

_FLAG = re.compile(r"(?<!\S)--[a-z]+(?:-[a-z]+)*")
_NAMES: Final = {flag: row.name for row in ROWS.values() for flag in (row.flag, *row.flags)}
_SHOWN = 80
_NON_ASCII = "non-ascii"
_INSECURE = ("http-link", "own-http", "mixed-content")
"""The codes that `--require-https` reports as errors."""
_CONTRARY: Final = (
    ("no_cache", "cache_age", "no answers are kept"),
    ("no_robots", "robots", "they contradict each other"),
)
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\[\]\\]+)(?::[0-9]{1,5})?").fullmatch


class Selected(NamedTuple):
    """The names of codes that each option has, in the form that `CheckOptions` has them."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    error: tuple[str, ...]
    warn: tuple[str, ...]
    per_path_ignores: tuple[tuple[str, tuple[str, ...]], ...]


_OF_CODES: Final = Selected._fields[:-1]
"""The names of the options that name codes."""


def check_options(given: Mapping[str, Any], is_typed: Callable[[str], bool] = lambda _: False) -> CheckOptions:
    """Return the options of the checker, from those given by name. Raises `OptionError`.

    `is_typed`: whether the option of a name was typed, and is not of a configuration.
    """
    selected = _selected(given, is_typed)
    site_url = given["site_url"]
    known = SourceOptions(default_base=site_url, encoding=given["encoding"], how=ReadOptions(profile=given["profile"]))
    known.refuse_unusable({"default_base": "--site-url"})
    if site_url is not None:
        _refuse_no_site(site_url)
    places = _places(given["published_at"])
    read = given if given["dialect"] or not places else {**given, "dialect": _dialect_at(places)}
    read = read if given["sources"] is None else {**read, "dialect": None}  # it is that of the sources
    how = ReadOptions.of({**read, "strict_uris": _is_strict(given, selected)})
    return CheckOptions(
        site_url=site_url,
        root_dir=given["root_dir"],
        host=None if given["host"] is None else HOSTS[given["host"]],
        infer=not given["no_infer"],
        fallback_extensions=_names(given["fallback_extensions"], "."),
        index_files=_names(given["index_files"]),
        own_hosts=tuple(map(_own_host, given["own_hosts"])),
        remap=tuple(map(_remap, given["remap"])),
        published_at=places,
        own_repository=given["own_repository"],
        directory_listing=given["directory_listing"],
        document_extensions=_names(given["document_extensions"], ".") or (),
        encoding=given["encoding"],
        how=how,
        include=patterns("--include", given["include"]),
        exclude=patterns("--exclude", given["exclude"]),
        exclude_paths=tuple(given["exclude_path"]),
        **_secured(selected, require_https=given["require_https"])._asdict(),
        rules=target_rules(given["rules"], Readers(patterns, _codes_in, accepted)),
        ignore_attributes=tuple(map(_ignore_attribute, given["ignore_attributes"])),
        jobs=given["jobs"],
        lists_external=given["lists_external"],
        fragments=not given["no_fragments"],
        script_ids=(
            *patterns("--script-ids", given["script_ids"]),
            *(CLIENT_ROUTES[name] for name in given["client_routes"]),
        ),
        web=web_options(given),
        accept=accepted(given["accept"]),
        checks=frozenset(check.name for check in ON_REQUEST if given[check.name]),
        given=cast("GivenToCheck", {name: given[name] for name in PLAIN}),
    )


def _refuse_no_site(url: str) -> None:
    """Raise `OptionError` for a URI that cannot be the URL of a folder."""
    parts = split(url)
    if parts.query is not None or parts.fragment is not None:
        raise OptionError(f"--site-url {url}", "has a query or a fragment", "end it before the ? or the #")


def _is_strict(given: Mapping[str, Any], selected: Selected) -> bool:
    """Whether to look for characters outside ASCII: the option or the code asks for it."""
    return given["strict_uris"] or _NON_ASCII in (*selected.select, *selected.error, *selected.warn)


def _secured(selected: Selected, *, require_https: bool) -> Selected:
    """Return the names; if HTTPS is required, with the codes for references that do not use it as errors."""
    return selected._replace(error=(*selected.error, *_INSECURE)) if require_https else selected


def _selected(given: Mapping[str, Any], is_typed: Callable[[str], bool]) -> Selected:
    """Return the codes that the options name. Raises `OptionError`.

    The command line takes precedence over the configuration, code by code: if it names one in an option, the
    configuration does not count for that code.
    """
    named = named_codes(given)
    typed = {each for name in _OF_CODES if is_typed(name) for each in named[name]}
    for name in _OF_CODES:
        if not is_typed(name):
            named[name] = tuple(each for each in named[name] if each not in typed)
    return Selected(**named, per_path_ignores=tuple(_per_path_ignores(given["per_path_ignores"])))


def _per_path_ignores(
    given: Mapping[str, str | Sequence[str]] | Sequence[str],
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield globs for paths, and codes; they are given by glob, or as `GLOB:CODES` each. Raises `OptionError`."""
    option = "--per-path-ignores"
    if isinstance(given, Mapping):
        for glob, names in given.items():
            yield glob, _code_names(option, [names] if isinstance(names, str) else names, glob)
        return
    for text in given:
        glob, colon, codes = text.rpartition(":")
        if not colon or not glob:
            remedy = "write a pattern for paths, a colon, and codes, such as 'legacy/**:missing-file'"
            raise OptionError(with_value(option, text), "is not GLOB:CODES", remedy)
        yield glob, _code_names(option, (codes,), glob)


def _code_names(option: str, texts: Sequence[str], glob: str = "") -> tuple[str, ...]:
    """Return the names of codes in texts, separated by commas. `glob`: its paths. Raises `OptionError`.

    A name that is neither a code nor a group of codes is an error, which names the nearest one; a text without any name
    is an error too.
    """
    before = f"{glob}:" if glob else ""
    listed = [[name for one in text.split(",") if (name := one.strip()) != ""] for text in texts]
    if [] in listed:
        shown = with_value(option, before + texts[listed.index([])])
        raise OptionError(shown, "no code is named", "rehref explain lists them")
    names = tuple(name for own in listed for name in own)
    try:
        closeness(names)
    except UnknownCodeError as error:
        raise OptionError(f"{option} {before}{error.name}", "there is no such code", error.remedy) from error
    return names


def _codes_in(option: str, texts: Sequence[str]) -> frozenset[str]:
    """Return the codes that texts name, those of groups too. Raises `OptionError`."""
    return frozenset(closeness(_code_names(option, texts)))


def named_codes(given: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the codes that each option for codes names. `given`: the options by name. Raises `OptionError`."""
    return {name: _code_names(f"--{name}", given.get(name, ())) for name in _OF_CODES}


def _names(given: str | Sequence[str] | None, without: str = "") -> tuple[str, ...] | None:
    """Return the texts between commas, stripped of white space, and of the characters `without` at the start."""
    if given is None:
        return None
    names = (name.strip() for name in (given.split(",") if isinstance(given, str) else given))
    return tuple(name.lstrip(without) if without else name for name in names if name)


def patterns(option: str, texts: Sequence[str]) -> tuple[Expression, ...]:
    """Return the expressions that an option names. Raises `OptionError`."""
    from rehref.site._expressions import Expression, ExpressionError

    patterns = []
    for text in texts:
        try:
            patterns.append(Expression(text, option))
        except ExpressionError as error:
            raise _wrong_value(option, text, error) from error
    return tuple(patterns)


def _wrong_value(option: str, text: str, error: ValueError) -> OptionError:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return OptionError(f"{option} {shown}", str(error), "correct it")


def _places(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of places, and URLs, where documents are published. Raises `OptionError`."""
    from rehref.site._grounds.publishing import PLACES

    places, remedy = _names(given) or (), f"write {', '.join(PLACES)}, or a URL"
    if (given and not places) or given == "":
        shown = with_value("--published-at", given if isinstance(given, str) else ",".join(given))
        raise OptionError(shown, "names no place", remedy)
    for place in places:
        if place not in PLACES and re.match("https?://[^/]", place) is None:
            raise OptionError(f"--published-at {place}", "is not a place", remedy)
    return places


def _dialect_at(places: Sequence[str]) -> str:
    """Return the dialect of Markdown at places: indexes give headings the ids that GitHub does."""
    return "gitlab" if "gitlab" in places else "github"


def _own_host(text: str) -> str:
    """Return the name of a host, with or without a port. Raises `OptionError` if it is not one."""
    if _HOST(text) is None:
        raise OptionError(with_value("--own-host", text), "is not the name of a host", "write such as www.example.org")
    return text


def _ignore_attribute(name: str) -> str:
    """Return the name of an attribute, in lower case. Raises `OptionError` if it is not one."""
    if not is_attribute_name(name):
        remedy = "write such as data-proofer-ignore"
        raise OptionError(with_value("--ignore-attribute", name), "is not the name of an attribute", remedy)
    return name.lower()


def _remap(text: str) -> Remap:
    """Return a rule, from a pattern and its replacement, separated by the first =."""
    from rehref.site._expressions import Expression, ExpressionError
    from rehref.site._target_map import remap_of

    pattern, equals, replacement = text.partition("=")
    if not pattern or not equals:
        remedy = "write = between the two, and \\x3D for one in REGEX"
        raise OptionError(with_value("--remap", text), "is not REGEX=URL", remedy)
    try:
        return remap_of(Expression(pattern, "--remap"), replacement)
    except ExpressionError as error:
        raise _wrong_value("--remap", text, error) from error


def all_options(options: Mapping[str, Any], **paths: object) -> dict[str, Any]:
    """Return the options of a check by name, with the defaults of those that are not given.

    `paths`: other arguments that are paths. Raises `TypeError`, and ValueError for values that no option has.
    """
    for name, path in paths.items():
        refuse_no_path(name, path)
    refuse_unknown_names(options)
    given = {**DEFAULTS, **options}
    refuse_other_types(given)
    return given


def site_options(options: Mapping[str, Any], **paths: object) -> CheckOptions:
    """Return the options of the checker that say how a site is read: no codes are named, no checks requested.

    Those that are not given have their defaults. `paths`, and what it raises: as for `all_options`; and `OptionError`.
    """
    given = all_options(options, **paths)
    read = check_options({**given, "per_path_ignores": {}, **dict.fromkeys(_OF_CODES, ())})
    return read._replace(checks=frozenset())


def reported_codes(given: Mapping[str, Any], group: str) -> Mapping[str, Severity]:
    """Return the severities of the codes that options name: of those of a group, if none is selected."""
    named = named_codes(given)
    return severities(**{**named, "select": named["select"] or (group,)})


def refuse_options(given: Mapping[str, Any]) -> None:
    """Raise what `check` would raise for these options, as far as that is known without a folder."""
    with os_errors():
        check_options(all_options(given))


@contextmanager
def os_errors() -> Iterator[None]:
    """Raise Python's own exception for a file that cannot be read, and name arguments, not options."""
    try:
        yield
    except OptionError as error:
        raise OptionError.of(_FLAG.sub(lambda found: _NAMES.get(found[0], found[0]), str(error))) from error
    except FileError as error:
        cause = error.__cause__
        is_missing = isinstance(cause, FileNotFoundError) or not os.path.lexists(error.file)
        raise (FileNotFoundError if is_missing else OSError)(str(error)) from error


def refuse_unasked(given: Mapping[str, Any], is_given: Callable[[str], bool], shown: Callable[[str], str]) -> None:
    """Raise `OptionError` for an option about servers if none may be asked (`external`).

    `is_given`: whether the option of a name was given; `shown`: the name as the user writes it.
    """
    row = None if given["external"] else next((row for row in OF_SERVERS if is_given(row.name)), None)
    if row is not None:
        external = shown("external")
        raise OptionError(shown(row.name), f"goes with {external} only", f"say {external}, or leave it out")


def refuse_contrary(is_given: Callable[[str], bool], shown: Callable[[str], str]) -> None:
    """Raise `OptionError` for two options that contradict each other.

    `is_given`: whether the option of a name was given; `shown`: the name as the user writes it.
    """
    for name, other, what in _CONTRARY:
        if is_given(name) and is_given(other):
            raise OptionError(shown(name), f"and {shown(other)}: {what}", "leave one of them out")


def refuse_redirects_file(option: str, file: str | os.PathLike[str], *, makes_folder: bool = False) -> None:
    """Refuse a file for redirects whose name names no format, or that cannot be written. Raises `OptionError`.

    `makes_folder`: its folder will be there.
    """
    from rehref.files.writing import refuse_no_place
    from rehref.site._repair.carried_redirects import format_of_file, is_for_pages

    path = Path(file)
    if not is_for_pages(path):
        format_of_file(option, path)
    if not makes_folder:
        refuse_no_place(option, path)

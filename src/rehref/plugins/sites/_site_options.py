"""The options of an integration: those of `rehref check`, with the same names, and a few of its own.

Those are `fail` (whether a broken link fails the build, whatever else does), `max_findings`, and `compare_with`.
Options about single files or about processes do not exist here: a build is checked as a whole. Nor does `sources`,
which a build knows. Mistakes are found before anything is built: an unknown name, an unknown code, an invalid
expression.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rehref.cli.program import plugin_modules
from rehref.exceptions import RehrefError, did_you_mean
from rehref.site.check import check
from rehref.site.check_options import OF_SERVERS, ROWS
from rehref.site.findings import CheckResult
from rehref.site.given_options import refuse_options

FAIL: Final = "fail"
MOST: Final = "max_findings"
PUBLISHED: Final = "compare_with"
_OF_STATES = ("host", "site_url", "exclude_path", "fallback_extensions", "index_files", "script_ids")
"""The options that say how a site is read, and so also how two are compared."""
_COMPARING: Final = "comparing"
"""The module of the plug-in that compares."""
_MOST_BY_DEFAULT = 100
_OPTIONS = {
    row.flag[2:].replace("-", "_"): row
    for row in ROWS.values()
    if "check" in row.commands and row.about != "pages" and row.name != "sources"
}
"""The options of a check, by the names that they have in a configuration file."""
_FOR_SERVERS = frozenset(row.name for row in OF_SERVERS)
"""Options that do not matter without `external`."""


class BuildOptionError(RehrefError):
    """A problem with an option: its `name`, and `what`, one line for people."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"{name}: {what}")
        self.name, self.what = name, what


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The options of the check of a build. `given`: keyword arguments of `rehref.check`.

    `published`: a contract, or the folder of the published site, with which the build is compared.
    """

    given: Mapping[str, Any]
    fails: bool = False
    most: int = _MOST_BY_DEFAULT
    published: str = ""

    def results(self, folder: str, site_url: str | None, root: str) -> list[CheckResult]:
        """Return the results of the check of a built site, and of the comparison, if that is asked for.

        `root`: the folder to which `compare_with` is relative. Raises what `rehref.check` and `rehref.compare` raise.
        """
        given = {"site_url": site_url, **self.given}
        results = [check(folder, **given)]
        if self.published:
            of_states = {name: given[name] for name in _OF_STATES if name in given}
            published = Path(root) / self.published
            results += (each.result_of(published, folder, **of_states) for each in plugin_modules(_COMPARING))
        return results


def defaults() -> dict[str, Any]:
    """The options by name, with their defaults."""
    return {name: row.default for name, row in _OPTIONS.items()} | {FAIL: False, MOST: _MOST_BY_DEFAULT, PUBLISHED: ""}


def build_options(given: Mapping[str, Any]) -> BuildOptions:
    """Read the options of a configuration. Raises `BuildOptionError`.

    A name is that of the option on the command line, with `_`: `own_host`, `no_fragments`.
    """
    own = defaults()
    asked = {}
    for name, value in given.items():
        if name not in own:
            raise BuildOptionError(name, f"there is no such option; {did_you_mean(name, sorted(own))}")
        _refuse_other_kind(name, value, own[name])
        if name == PUBLISHED and value and not plugin_modules(_COMPARING):
            raise BuildOptionError(name, "needs the plug-in compare")
        if name not in (FAIL, MOST, PUBLISHED):
            python_name = _OPTIONS[name].name
            asked[python_name] = [value] if _is_repeated(name) and isinstance(value, str) else value
            _try_out(name, {python_name: asked[python_name]})
    if not given.get("external"):
        asked = {name: value for name, value in asked.items() if name not in _FOR_SERVERS}
    return BuildOptions(asked, given.get(FAIL, False), given.get(MOST, _MOST_BY_DEFAULT), given.get(PUBLISHED, ""))


def _is_repeated(name: str) -> bool:
    """Whether an option may be given several times on the command line; it is a text or a list of texts here."""
    return name in _OPTIONS and _OPTIONS[name].kind in ("texts", "codes")


def _refuse_other_kind(name: str, value: Any, default: Any) -> None:
    """Raise `BuildOptionError` for a value of another kind than the option's."""
    what = ""
    if isinstance(default, bool):
        what = "" if isinstance(value, bool) else "true or false"
    elif name == MOST:
        is_number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        what = "" if is_number else "a number, 0 or more"
    elif name == PUBLISHED:
        what = "" if isinstance(value, str) else "a path"
    elif _is_repeated(name):
        texts = [value] if isinstance(value, str) else value
        are_texts = isinstance(texts, list | tuple) and all(isinstance(text, str) for text in texts)
        what = "" if are_texts else "a text or a list of texts"
    if what:
        raise BuildOptionError(name, f"must be {what}, not {value!r}")


def _try_out(name: str, asked: Mapping[str, Any]) -> None:
    """Raise `BuildOptionError` for a value that `rehref.check` does not accept."""
    try:
        refuse_options(asked)
    except ValueError as error:
        raise BuildOptionError(name, str(error).removeprefix(f"{_OPTIONS[name].name} ")) from error
    except (TypeError, AttributeError, LookupError) as error:
        raise BuildOptionError(name, f"has a value of the wrong kind: {error}") from error

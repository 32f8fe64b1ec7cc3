"""The types of the options of `rehref.check`.

1. A value of a wrong type, which only a program can give, is a TypeError that names the option and says what is wanted.
   It is raised before any file is read.
2. A sequence of texts is never a single text, except where the command line separates texts by commas (`SEPARATED`).
3. A message does not show a secret value.
4. `check` names most options itself. `More` has the types of those that rows declare; a test compares it with them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

from rehref.checking.external import declared
from rehref.exceptions import OptionError, refuse_no_flags
from rehref.options import GivenToCheck, refuse_other_value

_File: TypeAlias = str | os.PathLike[str] | None


class More(GivenToCheck, total=False):
    """The options for reading documents, the checks on request, and the options for asking servers (rule 4)."""

    text_fragments: bool
    orphans: bool
    sitemap: bool
    accept: str | int | Sequence[str | int]
    timeout: str | float
    max_redirects: int
    max_retries: int
    max_concurrency: int
    host_concurrency: int
    host_request_interval: str | float
    header: Sequence[str]
    user_agent: str
    cookie_jar: _File
    netrc: _File
    insecure: bool
    ca_file: _File
    robots: bool
    allow_private: bool
    cache: _File
    no_cache: bool
    cache_age: Sequence[str]
    recursive: bool
    scope: Sequence[str]
    depth: int | None
    max_pages: int
    no_robots: bool


OF_CODES: Final = ("select", "ignore", "error", "warn")
"""The options that are names of codes."""
OF_TEXTS: Final = (
    *("own_hosts", "remap", "include", "exclude", "exclude_path", "script_ids", "client_routes", "ignore_attributes"),
    *OF_CODES,
    "attributes",
    *declared.OF_TEXTS,
)
"""The options that are sequences of texts, never a single text."""
SEPARATED: Final = {
    "fallback_extensions": "html",
    "index_files": "index.html",
    "document_extensions": "tmpl",
    "lazy_attributes": "data-src",
}
"""The options that are sequences of texts, or a single text with commas between them, each with an example."""
_OF_TEXT = ("site_url", "host", "encoding", "profile", "parser")
"""The options that are a single text."""


def refuse_other_types(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Raise TypeError for a value of the wrong type, ValueError for an impossible number of processes.

    `given`: all options by name. `defaults`: their defaults.
    """
    declared.refuse_other_types(given)
    refuse_no_flags(**{name: given[name] for name, default in defaults.items() if isinstance(default, bool)})
    _refuse_other_jobs(given["jobs"])
    refuse_other_value("max_time", given["max_time"])
    if given.get("progress") is not None and not callable(given["progress"]):
        raise TypeError(f"progress is a function of two numbers, not {type(given['progress']).__name__}")
    for name in _OF_TEXT:
        if name in given and not isinstance(given[name], str | None):
            raise TypeError(f"{name} is a str, not {type(given[name]).__name__}")
    if not isinstance(given["root_dir"], str | os.PathLike | None):
        raise TypeError(f"root_dir is the path of a folder, not {type(given['root_dir']).__name__}")
    for name in OF_TEXTS:
        _refuse_no_texts(name, given[name])
    for name, example in SEPARATED.items():
        if given[name] is not None and not isinstance(given[name], str) and not _are_texts(given[name]):
            what = f"{name} is a sequence of texts, such as [{example!r}], or one text with commas between them"
            raise TypeError(f"{what}, not {given[name]!r:.80}")
    per_path = given["per_path_ignores"]
    if not isinstance(per_path, Mapping) or not all(
        isinstance(glob, str) and (isinstance(names, str) or _are_texts(names)) for glob, names in per_path.items()
    ):
        raise TypeError("per_path_ignores is a mapping from globs to codes, such as {'drafts/**': ['missing-file']}")


def refuse_no_path(option: str, path: object) -> None:
    """Raise TypeError for what is not a path, `OptionError` for a text that cannot be one."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{option} is a path, not {type(path).__name__}")
    try:
        is_usable = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_usable = False
    if not is_usable:
        raise OptionError(option, f"{os.fspath(path)!r} cannot be the name of a file or folder", "correct it")


def _refuse_other_jobs(jobs: object) -> None:
    if not isinstance(jobs, int | None) or isinstance(jobs, bool):
        raise TypeError(f"jobs is a number of processes, not {type(jobs).__name__}")
    if jobs is not None and jobs < 1:
        raise OptionError("jobs", f"{jobs} is not a number of processes", "give a whole number, 1 or more")


def _refuse_no_texts(name: str, value: object) -> None:
    if isinstance(value, str | bytes):
        shown = "[…]" if name in declared.SECRET else f"[{value!r}]"
        raise TypeError(f"{name} is a sequence of texts, such as {shown}")
    if not _are_texts(value):
        shown = type(value).__name__ if name in declared.SECRET else repr(value)
        raise TypeError(f"{name} is a sequence of texts, and not {shown}")


def _are_texts(value: object) -> bool:
    return (
        isinstance(value, Collection)
        and not isinstance(value, str | bytes)
        and all(isinstance(text, str) for text in value)
    )

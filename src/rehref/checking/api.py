"""`rehref.check`: the findings of `rehref check`, as values.

1. The options are those of the command line, by the same names (`rehref.checking.given`). Options for reading documents
   are declared in `rehref.options`, checks on request in `rehref.checking.checks.registry`, options for asking servers
   in `rehref.checking.external.declared`; `More` has the types of all these.
2. Nothing is fetched unless it is asked for (`external`), and nothing is written except the named cache (`cache`). No
   process is started unless more than one job is asked for: where processes are spawned, a script needs a guard for
   that.
3. A file that cannot be read is an `OSError`. The package's own exceptions are also Python's: `OptionError` is a
   ValueError; an expression that takes too long and a process that dies are RuntimeErrors.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from inspect import cleandoc
from pathlib import Path
from textwrap import fill
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

from rehref.checking.checks.registry import ON_REQUEST
from rehref.checking.client_routes import CLIENT_ROUTES
from rehref.checking.external import declared
from rehref.checking.given import Selected, check_options, code_names, path_below
from rehref.checking.hosting.hosts import HOSTS
from rehref.checking.ignoring import IGNORE_ATTRIBUTE
from rehref.checking.model import CheckResult
from rehref.checking.option_types import OF_CODES, More, refuse_no_path, refuse_other_types
from rehref.checking.options import OF_FOLDERS, OF_WHOLE_SITES
from rehref.checking.remote.crawl_scope import first_pages, is_page
from rehref.checking.run import check_folder
from rehref.checking.site.site_context import RootDirError, SiteContext, site_context
from rehref.files.file_errors import FileError
from rehref.option_errors import OptionError
from rehref.options import DECLARED
from rehref.text.nearest import nearest
from rehref.uri.resolver import PROFILES

if TYPE_CHECKING:
    from rehref.checking.external.outside import Outside
    from rehref.checking.options import CheckOptions

_MORE: list[tuple[str, str, Any]] = [
    *((name, of.in_python or of.help, default) for name, (of, default) in DECLARED.items() if "check" in of.commands),
    *((check.name, check.help, False) for check in ON_REQUEST if not check.asks_servers),
    *((row.name, row.help, row.unsaid) for row in declared.ROWS),
]
"""The options that rows declare: name, help, default."""
_DEFAULTS = {name: default for name, _, default in _MORE}
_CHOICES = {"host": tuple(HOSTS), "client_routes": tuple(CLIENT_ROUTES), "profile": PROFILES}


def check(
    folder: str | os.PathLike[str],
    *,
    files: Iterable[str | os.PathLike[str]] | None = None,
    site_url: str | None = None,
    external: bool = False,
    root_dir: str | os.PathLike[str] | None = None,
    host: str | None = None,
    no_infer: bool = False,
    fallback_extensions: Sequence[str] | None = None,
    index_files: Sequence[str] | None = None,
    directory_listing: bool = False,
    document_extensions: Sequence[str] = (),
    own_hosts: Sequence[str] = (),
    remap: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    exclude_path: Sequence[str] = (),
    no_fragments: bool = False,
    script_ids: Sequence[str] = (),
    client_routes: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    error: Sequence[str] = (),
    warn: Sequence[str] = (),
    per_path_ignores: Mapping[str, str | Sequence[str]] = MappingProxyType({}),
    ignore_attributes: Sequence[str] = (IGNORE_ATTRIBUTE,),
    require_https: bool = False,
    lazy: bool = False,
    lazy_attributes: Sequence[str] | None = None,
    lists_external: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **more: Unpack[More],
) -> CheckResult:
    """Check the links of all documents in a folder: whether their targets exist.

    `folder`: its path. With `external`, it may be the URL of a page, which is fetched and checked; with `recursive`,
    the URL of the first page. Options about a folder are refused then.

    `files`: check only these documents, or the documents in these folders, against the whole folder; relative to the
    folder, unless they are absolute. `site_url`: where the folder is on the web. `external`: ask servers whether
    targets on other sites exist; without it, nothing is fetched. It needs the extra `web`.

    `root_dir`: a folder below it; paths from the root that lead out of the site are looked up there. `host`: the host
    whose rules map paths to files, one of those that `rehref check --help` lists. A `site_url` or `host` that is not
    given is inferred from the files if they are clear (`CheckResult.sites` has the result); with `no_infer`, the
    folder's file: URI is used, and no host. `fallback_extensions`: extensions to try where no file has the name;
    `index_files`: the files that a folder's path leads to; both replace the host's. `directory_listing`: the host also
    shows a folder without an index. `document_extensions`: more extensions of files that are HTML. `own_hosts`: other
    host names of the site. `remap`: rules `REGEX=URL`; in each target, the match of the expression is replaced before
    the target is judged.

    `include`, `exclude`: regular expressions, searched for in each reference and in its target. If there is any
    `include`, only references in which one of them is found are checked; references in which an `exclude` is found are
    not. `exclude_path`: globs for documents that are not checked. `no_fragments`: do not check fragments. `script_ids`:
    regular expressions for whole fragments that scripts create; `client_routes`: names of kinds of fragments that
    scripts use as routes (hash, hashbang, params).

    `select`, `ignore`: codes, or groups of codes; only these are reported, or these are not. `error`, `warn`: codes to
    report as errors, or as warnings. `per_path_ignores`: codes that are not reported for documents, by globs for their
    paths. `ignore_attributes`: nothing is reported in elements that have such an attribute or class. `require_https`: a
    link to `http:`, and a resource loaded by it, is an error. `lazy`, `lazy_attributes`: attributes for lazy loading
    carry references: those of the well-known scripts, or these.

    `lists_external`: include the URLs on other sites in the result (`CheckResult.external`).

    `jobs`: how many processes; with more than one, a script on Windows or macOS needs the guard `if __name__ ==
    "__main__"`. `progress`: called with the number of documents read so far, and the number of all.

    Returns the findings, sorted by document and place, and a summary. Findings that the folder's `.rehrefignore` or
    comments in documents exclude are left out. A folder without documents has no findings: also look at
    `result.summary.documents`.

    Raises `OSError` if the folder or a file in it that is needed cannot be read, ValueError for an option value that
    cannot be used, `TypeError` for an unknown argument, `RuntimeError` if an expression takes too long or a process
    dies. The content of documents never raises.

    More arguments, which the command line has as options:
    """
    arguments, began = locals(), time.perf_counter()
    refuse_no_path("folder", folder)
    given = {**_DEFAULTS, **_known(more), **{name: arguments[name] for name in check.__kwdefaults__ or ()}}
    with os_errors():
        options = _options(given)
        declared.refuse_contrary(lambda name: bool(given[name]), str)
        notes: list[str] = []
        if isinstance(folder, str) and is_page(folder):
            urls = first_pages([folder], "" if external else "external=True")
            _refuse_of_folders(given)
            from rehref.checking.remote.fetching import pages_of

            with _asking(options, given, notes) as outside, pages_of(urls, given, outside, progress) as pages:
                result = check_folder(pages.context, progress, outside=outside)
        else:
            _refuse_of_pages(given)
            declared.refuse_unasked(given, lambda row: given[row.name] != row.unsaid, str)
            options = options._replace(files=None if files is None else _below(Path(folder), files))
            context = _context(Path(folder), options)
            if not external:
                return check_folder(context, progress)
            with _asking(options, given, notes) as outside:
                result = check_folder(context, progress, outside=outside)
    if outside.stopped:
        raise KeyboardInterrupt
    summary = replace(result.summary, seconds=time.perf_counter() - began)  # pages were fetched before the check
    return replace(result, summary=summary, hints=(*result.hints, *notes))


def _context(folder: Path, options: CheckOptions) -> SiteContext:
    """Return the context in which a folder is checked. Raises `FileError`, `OptionError`."""
    if folder.is_file():
        raise FileError(str(folder), "is not a folder", "name the folder of its site")
    try:
        return site_context(folder, options)
    except RootDirError as error:
        remedy = f"name a folder below {folder}, or . for itself"
        raise OptionError(f"root_dir {options.root_dir}", str(error), remedy) from error


def _asking(options: CheckOptions, given: Mapping[str, Any], notes: list[str]) -> AbstractContextManager[Outside]:
    """Return what asks servers; problems with the cache are appended to `notes`. Raises `OptionError`."""
    from rehref.checking.external.caching import asking  # few ask servers

    return asking(options, given, notes.append, named="external", usually=False)


def option_defaults() -> dict[str, Any]:
    """Return the options of `check` for folders, by name, with their defaults, without `files` and `progress`."""
    others = {"files", "progress", *(row.name for row in declared.OF_PAGES)}
    return {name: default for name, default in _all_defaults().items() if name not in others}


def refuse_options(given: Mapping[str, Any]) -> None:
    """Raise what `check` would raise for these options, as far as that is known without a folder."""
    with os_errors():
        _options({**_all_defaults(), **given})


def _all_defaults() -> dict[str, Any]:
    return dict(check.__kwdefaults__ or {}) | _DEFAULTS


def _options(given: Mapping[str, Any]) -> CheckOptions:
    """Return the options of the checker. Raises `OptionError`, TypeError for unusable values."""
    refuse_other_types(given, _all_defaults())
    for name, names in _CHOICES.items():
        _refuse_others(name, given[name], names)
    return check_options(given, _selected(given))


def _selected(given: Mapping[str, Any]) -> Selected:
    """Return the given names of codes. Raises `OptionError`."""
    of_paths = tuple(
        (glob, code_names("--per-path-ignores", [names] if isinstance(names, str) else names, glob))
        for glob, names in given["per_path_ignores"].items()
    )
    return Selected(**{name: code_names(f"--{name}", given[name]) for name in OF_CODES}, per_path_ignores=of_paths)


def _refuse_of_folders(given: Mapping[str, Any]) -> None:
    """Raise `OptionError` for options about folders, crawling or whole sites, where pages are named."""
    defaults = _all_defaults()
    for name in ("files", *OF_FOLDERS.values()):
        if name in defaults and given[name] != defaults[name]:
            raise OptionError(name, "is about a folder, but a URL is named", "leave it out")
    for row in declared.OF_PAGES:
        if not given["recursive"] and given[row.name] != row.unsaid:
            raise OptionError(row.name, "needs recursive", "say recursive=True, or leave it out")
    for name in sorted(OF_WHOLE_SITES):
        if not given["recursive"] and given[name]:
            raise OptionError(name, "needs all pages of the site", "say recursive=True, or leave it out")


def _refuse_of_pages(given: Mapping[str, Any]) -> None:
    """Raise `OptionError` for options about pages of a server, where a folder is checked."""
    for row in declared.OF_PAGES:
        if given[row.name] != row.unsaid:
            raise OptionError(row.name, "is about pages of a server, and a folder is checked", "leave it out")


def _refuse_others(name: str, given: str | Sequence[str] | None, names: Collection[str]) -> None:
    """Raise `OptionError` for values that are not among the names; None is allowed."""
    for one in [given] if isinstance(given, str) else given or ():
        if one not in names:
            raise OptionError(name, f"there is no {one!r}", f"there are {', '.join(names)}")


def _known(given: Mapping[str, object]) -> Mapping[str, object]:
    """Return the known options. Raises `TypeError` for an unknown one."""
    for name in given:
        if name not in _DEFAULTS:
            near = nearest(name, _all_defaults())
            known = f"there are, besides those of the signature, {', '.join(_DEFAULTS)}"
            raise TypeError(f"unknown argument {name!r}; {known if near is None else f'did you mean {near}?'}")
    return given


def _below(folder: Path, files: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Return the paths of files below the folder. Raises `FileError`, `OptionError`, TypeError."""
    found = []
    if not isinstance(files, str | os.PathLike | Iterable):
        raise TypeError(f"files is a sequence of paths, not {type(files).__name__}")
    for file in [files] if isinstance(files, str | os.PathLike) else files:
        refuse_no_path("each of files", file)
        name = str(folder / file)
        if not os.path.lexists(name):
            raise FileError(name, "there is no such file or folder", "name files of the folder")
        path = path_below(folder, name)
        if path is None:
            raise OptionError("files", f"{name} is not in {folder}", "name files of the folder")
        found.append(path)
    return tuple(found)


@contextmanager
def os_errors() -> Iterator[None]:
    """Raise Python's own exception for a file that cannot be read (rule 3)."""
    try:
        yield
    except FileError as error:
        cause = error.__cause__
        is_missing = isinstance(cause, FileNotFoundError) or not os.path.lexists(error.file)
        raise (FileNotFoundError if is_missing else OSError)(str(error)) from error


if check.__doc__ is not None:  # as with python -OO
    _lines = (fill(f"`{name}`: {text}", 116) for name, text, _ in _MORE)
    check.__doc__ = cleandoc(check.__doc__) + "\n\n" + "\n".join(_lines)

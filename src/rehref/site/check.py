"""`rehref.check`: the findings of `rehref check`, as values; and what runs checks, once or again (`CheckRun`).

Nothing is fetched unless it is asked for (`external`), and nothing is written except the named cache (`cache`). No
process is started unless more than one job is asked for: where processes are spawned, a script needs a guard for that.
Messages have the names of arguments where those of the command line have its options: `own_hosts`, not `--own-host`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from rehref.exceptions import OptionError
from rehref.files.file_documents import path_below
from rehref.files.file_errors import FileError, is_url
from rehref.option_rows import Option, described
from rehref.site._checking import MOST_SUGGESTED, check_folder
from rehref.site._crawling.crawl_scope import first_page
from rehref.site._found.repeated import Rows
from rehref.site._hosts.hosts import CONFIGURING
from rehref.site._option_types import refuse_no_path
from rehref.site._pages.classifier import leads_of
from rehref.site._pages.reading_site_pages import in_processes
from rehref.site._pages.site_tables import Chunk
from rehref.site._reading_pages import PageReader
from rehref.site._results.causes import with_causes
from rehref.site._tracing.traced import Traced, traced
from rehref.site.check_options import DEFAULTS, OF_FOLDERS, OF_PAGES, OF_WHOLE_SITES, ROWS, GivenToCheck, Progress
from rehref.site.findings import CheckResult, Finding, Summary
from rehref.site.given_options import all_options, check_options, os_errors, refuse_contrary, refuse_unasked
from rehref.site.site import Site

if TYPE_CHECKING:
    from rehref.site._crawling.fetching import Pages
    from rehref.site._external.outside import Outside
    from rehref.site.check_options import CheckOptions


def check(folder: str | os.PathLike[str], **options: Unpack[GivenToCheck]) -> CheckResult:
    """Check the links of all documents in a folder: whether their targets exist.

    `folder`: its path. With `external`, it may be the URL of a page, which is fetched and checked; with `recursive`,
    the URL of the first page. Options about a folder are refused then. All other arguments are keyword arguments.
    Nothing is fetched without `external`, which needs the extra `web`.

    Regular expressions are searched for, in each reference and in its target; those of `script_ids` match whole
    fragments. Options that the command line separates by commas may be sequences.

    Returns the findings, sorted by document and place, and a summary. Findings that the folder's `.rehrefignore` or
    comments in documents exclude are left out. A folder without documents has no findings: also look at
    `result.summary.documents`.

    Raises `OSError` if the folder or a file in it that is needed cannot be read, ValueError for an option value that
    cannot be used, `TypeError` for an unknown argument, `RuntimeError` if an expression takes too long or a process
    dies. The content of documents never raises.
    """
    began = time.perf_counter()
    given = all_options(options, folder=folder)
    files, progress = given["files"], given["progress"]
    notes: list[str] = []
    with os_errors(), ExitStack() as stack:
        read = check_options(given)
        refuse_contrary(lambda name: bool(given[name]), str)
        if isinstance(folder, str) and is_page(folder):
            urls = first_pages([folder], "" if given["external"] else "external=True")
            _refuse_of_folders(given)
            run = stack.enter_context(CheckRun.begun(read, notes.append))
            site = stack.enter_context(run.fetched(urls, progress)).context
        else:
            _refuse(OF_PAGES, given, "is about pages of a server, and a folder is checked", "leave it out")
            refuse_unasked(given, lambda name: given[name] != DEFAULTS[name], str)
            site = _site(Path(folder), read._replace(files=None if files is None else _below(Path(folder), files)))
            run = stack.enter_context(CheckRun.begun(read, notes.append))
        result = run.check(site, progress).result
    if run.is_stopped:
        raise KeyboardInterrupt
    result = result.timed(began)  # pages were fetched before the check
    return result.but(hints=(*result.hints, *notes))


def _site(folder: Path, options: CheckOptions) -> Site:
    """Return the site in a folder. Raises `FileError`, `OptionError`."""
    if folder.is_file():
        raise FileError(str(folder), "is not a folder", "name the folder of its site")
    return Site.of(folder, options)


class CheckRun(NamedTuple):
    """A run of the checker over some sites. `outside`: what asks servers; None: nothing does."""

    outside: Outside | None = None

    @classmethod
    @contextmanager
    def begun(
        cls,
        options: CheckOptions,
        say: Callable[[str], None],
        *,
        named: str = "external",
        usually: bool = False,
    ) -> Iterator[CheckRun]:
        """Begin a run, in which servers are asked with `external`; what they answer is kept, also after an error.

        `say`, `named`, `usually`: as for `asking`. Raises `OptionError`, also if a package is missing.
        """
        if not options.given["external"]:
            yield cls()
            return
        from rehref.site._external.caching import asking  # few ask servers

        with asking(options, say, named=named, usually=usually) as outside:
            yield cls(outside)

    @property
    def is_stopped(self) -> bool:
        """Whether Ctrl-C has ended the asking."""
        return self.outside is not None and self.outside.stopped

    def fetched(self, urls: Sequence[str], progress: Progress | None = None) -> AbstractContextManager[Pages]:
        """Fetch pages, and keep them while they are checked and reported on. Raises `FileError`, `OptionError`."""
        from rehref.site._crawling.fetching import pages_of

        assert self.outside is not None
        return pages_of(urls, self.outside, progress)

    def check(self, site: Site, progress: Progress | None = None, *, suggests_all: bool = False) -> Traced:
        """Check a site, and find where its references are written. Raises what `check_folder` and `traced` raise.

        `suggests_all`: whether any number of targets gets suggestions.
        """
        most = None if suggests_all else MOST_SUGGESTED
        return traced(site, check_folder(site, progress, most, outside=self.outside))


def is_page(name: str) -> bool:
    """Whether an input is a URL, and there is no file of that name."""
    return is_url(name) and not Path(name).exists()


def first_pages(names: Sequence[str], external: str) -> tuple[str, ...]:
    """The URLs of first pages, from the names that the user gave. Raises `OptionError`.

    `external`: the option that allows fetching; "" if it was given.
    """
    if external:
        raise OptionError(names[0], "is a URL, and nothing is fetched unasked", f"say {external}")
    return tuple(map(first_page, names))


def _refuse_of_folders(given: Mapping[str, Any]) -> None:
    """Raise `OptionError` for options about folders, crawling or whole sites, where pages are named."""
    _refuse(OF_FOLDERS, given, "is about a folder, but a URL is named", "leave it out")
    if not given["recursive"]:
        _refuse(OF_PAGES, given, "needs recursive", "say recursive=True, or leave it out")
        _refuse(OF_WHOLE_SITES, given, "needs all pages of the site", "say recursive=True, or leave it out")


def _refuse(rows: Iterable[Option], given: Mapping[str, Any], what: str, remedy: str) -> None:
    """Raise `OptionError` if one of some options is given."""
    for row in rows:
        if given[row.name] != row.default:
            raise OptionError(row.name, what, remedy)


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


class _Seen(NamedTuple):
    """A file as it was last seen: the times of its last change of content and of metadata (its permissions too), size,
    inode number; all 0 if its status could not be read.
    """

    changed: int = 0
    status_changed: int = 0
    size: int = 0
    number: int = 0


@dataclass(slots=True)
class Rechecker:
    """Checks a folder as often as it is asked: the results of a document are kept until something that it depends on
    changes.

    That is its own bytes, or its text in an editor; where its targets lead, because a file was added, removed, or has
    another type; and the configuration of the host, and its URI. All else is computed from the results of all. The
    caller need not say what changed: files are listed, and their status is compared.

    `find_context`: lists its files, and finds its URI and host.

    `read_last`: the documents that were read for the last check.
    """

    find_context: Callable[[], Site]
    context: Site | None = None
    read_last: list[str] = field(default_factory=list)
    _findings: Rows | None = None
    _chunks: dict[str, Chunk] = field(default_factory=dict)
    _seen: dict[str, _Seen] = field(default_factory=dict)

    def check(self, progress: Progress | None = None, *, only_new: bool = False) -> CheckResult:
        """Check it as it is now. Raises what `find_context` and `check_folder` raise.

        `only_new`: after the first check, suggestions are made for new findings only.
        """
        context = self.find_context()
        seen = {path: _look(context, path) for path in (*context.scope.documents, *_telling(context))}
        for path in self._outdated(context, seen):
            self._chunks.pop(path, None)
        self.context, self._seen, self.read_last = context, seen, []
        known = self._findings if only_new else None
        result = check_folder(context, progress, read=self._read, known=known)
        self._findings = result.rows
        return result

    def _outdated(self, context: Site, seen: dict[str, _Seen]) -> list[str]:
        """Return the documents whose remembered results no longer hold."""
        before = self.context
        if before is None:
            return []
        changed = {path for path in {*seen, *self._seen} if seen.get(path) != self._seen.get(path)}
        if (before.uri, before.host) != (context.uri, context.host) or any(map(_tells_host, changed)):
            return list(self._chunks)
        if before.files != context.files:
            targets = set[str]().union(*(chunk.targets for chunk in self._chunks.values()))
            moved = {target for target in targets if leads_of(before, target) != leads_of(context, target)}
            changed.update(path for path, chunk in self._chunks.items() if not moved.isdisjoint(chunk.targets))
        return list(changed)

    def _read(self, documents: Sequence[str]) -> Iterator[Chunk]:
        """Yield the results of documents; those without remembered results are read."""
        assert self.context is not None
        wanted = [path for path in documents if path not in self._chunks]
        self.read_last += wanted
        for chunks in in_processes(self.context, _OneByOne(PageReader.of(self.context, keeps_targets=True)), wanted):
            for chunk in chunks:
                self._chunks[chunk.read[0]] = chunk
        for path in documents:
            yield self._chunks[path]


@dataclass(frozen=True, slots=True)
class _OneByOne:
    """Reads documents, and keeps the results of each apart."""

    reader: PageReader

    def __call__(self, paths: Sequence[str]) -> list[Chunk]:
        return [self.reader([path]) for path in paths]


def _look(context: Site, path: str) -> _Seen:
    text = None if context.texts is None else context.texts.get(path)
    if text is not None:
        return _Seen(size=len(text), number=hash(text))
    try:
        status = os.stat(f"{context.folder}/{path}")  # noqa: PTH116 -- there are many
    except OSError:
        return _Seen()
    return _Seen(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _telling(context: Site) -> list[str]:
    """Return the files that configure the host."""
    return [path for path in context.files.paths if _tells_host(path)]


def _tells_host(path: str) -> bool:
    return path[path.rfind("/") + 1 :] in CONFIGURING


def result_of_findings(folder: str, findings: Sequence[Finding], documents: int, sentence: str) -> CheckResult:
    """Return findings that something else than a check has, as the result of one, with their causes."""
    return CheckResult(folder, Summary(documents, 0, 0), (), sentence=sentence).with_findings(with_causes(findings, ""))


described(check, ROWS.values())

"""The arguments of `rehref check`: folders, each a site of its own, or files of one site. (Pages: `crawl.py`.)

With `--root` that folder is the site, and all arguments are in it; without arguments the whole of it is checked: a
configuration with `root = "public"` makes `rehref check` enough. An argument must exist, and be in the site. Files that
are not documents are skipped, and one line reports how many.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from rehref.cli.messages import OptionError, say
from rehref.files.file_documents import common_folder, path_below, path_from
from rehref.files.reading_files import stream_of
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.site.site import Site

_LINE_END = re.compile(rb"\r?\n")
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"').fullmatch
_ESCAPED = re.compile(rb"\\(?:([0-3][0-7]{2})|(.))", re.DOTALL)
_LIKE_HOST = re.compile(r"//[^/]|(?:[\w-]+\.)+[\w-]+(?::[0-9]+)?(?:/.*)?\Z|[\w-]+:[0-9]+(?:/.*)?\Z").match
_MEANT = dict(zip(b"abtnvfr", b"\a\b\t\n\v\f\r", strict=True))
"""How git writes control characters."""


class NamedSite(NamedTuple):
    """A site to check: its folder; `files`: the paths below it that were named, None if all of it is checked.

    `elsewhere`, `gone`: how many paths of a list are not in it, and how many do not exist.
    """

    folder: Path
    files: tuple[str, ...] | None = None
    elsewhere: int = 0
    gone: int = 0

    def note(self, context: Site) -> str:
        """What was skipped, for people; "" if nothing was."""
        types, files = context.files.types, self.files or ()
        others = sum(path in context.files.paths and not types.is_document(path) for path in files)
        parts = (
            (others, "not documents" if others > 1 else "not a document"),
            (self.gone, "not there"),
            (self.elsewhere, f"not in {self.folder}"),
        )
        skipped = sum(number for number, _ in parts)
        if skipped == 0:
            return ""
        said = ", ".join(f"{number:,} {'are' if number > 1 else 'is'} {what}" for number, what in parts if number)
        return f"{count(skipped, 'path')} skipped: {said}"


def sites(targets: Sequence[str], root: str | None, files_from: str | None) -> list[NamedSite]:
    """Return the sites to check. Raises `OptionError`, `FileError`."""
    if root is not None and not Path(root).is_dir():
        raise OptionError(f"--root {root}", "is not a folder", "name the folder that holds the site")
    if not targets and files_from is None:
        if root is not None:
            return [NamedSite(Path(root))]
        missing = "missing argument 'FOLDER...': name a folder, or set root in rehref.toml"
        raise click.UsageError(missing, click.get_current_context())
    for target in targets:
        if target == "" or not Path(target).exists():
            raise OptionError(target or '""', "there is no such folder or file", _remedy(target))
    folders = [target for target in targets if Path(target).is_dir()]
    if root is None and folders and files_from is None and len(folders) == len(targets):
        return [NamedSite(Path(folder)) for folder in {os.path.realpath(folder): folder for folder in folders}.values()]
    if root is None and folders:
        remedy = f"name the site that contains all, such as --root {folders[0]}"
        raise OptionError(folders[0], "is a folder, but other arguments are files", remedy)
    return [_of_files(_folder_of(targets) if root is None else Path(root), targets, _listed(files_from))]


def _folder_of(files: Sequence[str]) -> Path:
    """The folder that is the site of files: the working directory, or the nearest folder that they have in common.

    It may hold much else: only what the files need of it is listed (`site/_checking.py`), unless it is clearly a site:
    it has a home page or a file of ours, and is not the home of the user or above that.
    """
    if all(path_below(Path(), file) is not None for file in files):
        return Path()
    return Path(common_folder([os.path.realpath(Path(file).parent) for file in files]))


def _remedy(target: str) -> str:
    """Return what to name instead of a target that does not exist."""
    if "://" in target:
        return "rehref fetches pages only by http and https"
    if _LIKE_HOST(target) is not None:
        return "name the folder that holds the site, or write http:// before it for a page of a server"
    return "name the folder that holds the site"


def _of_files(root: Path, targets: Sequence[str], listed: Sequence[str]) -> NamedSite:
    """Return a site with the files to check. Raises `OptionError` for an argument that is not in it."""
    paths = {}
    for target in targets:
        path = path_below(root, target)
        if path is None:
            raise OptionError(target, f"is not in {root}", "name the folder of its site with --root")
        paths[path] = True
    elsewhere = gone = 0
    for name in listed:
        path = path_below(root, name)
        if path is None:
            elsewhere += 1
        elif not Path(name).exists():
            gone += 1
        else:
            paths[path] = True
    return NamedSite(root, tuple(paths), elsewhere, gone)


def _listed(file: str | None) -> list[str]:
    """The paths in a list (`--files-from`). Raises `FileError`.

    It has one path a line or, if there is any NUL in it, one before each NUL, as `git diff -z` writes it. A list of
    changed files may have deleted and other files: those that do not exist or are not in the site are skipped.
    """
    if file is None:
        return []
    with stream_of("standard input" if file == "-" else file, None if file == "-" else Path(file)) as stream:
        data = stream.read()
    names = data.split(b"\0") if b"\0" in data else map(_unquoted, _LINE_END.split(data))
    return [os.fsdecode(name) for name in dict.fromkeys(names) if name != b""]


def _unquoted(line: bytes) -> bytes:
    """The path in a line of a list, decoded if git quoted it, as it does names that are not ASCII without `-z`.

    Not if a file has exactly the name in the line.
    """
    if _QUOTED(line) is None or Path(os.fsdecode(line)).exists():
        return line

    def meant(found: re.Match[bytes]) -> bytes:
        octal, other = found.groups()
        return bytes([int(octal, 8)]) if octal is not None else bytes([_MEANT.get(other[0], other[0])])

    return _ESCAPED.sub(meant, line[1:-1])


def lines_of(contexts: Sequence[Site]) -> Callable[[str, int], str | None]:
    """Return what gives source lines of the documents of all sites, under the names of `one_result`."""
    common = common_folder([context.place.folder for context in contexts])
    found = [(path_from(common, context.place.folder), context.lines()) for context in contexts]
    found.sort(key=lambda one: len(one[0]), reverse=True)

    def line_of(document: str, number: int) -> str | None:
        return next(
            (lines(document[len(before) :], number) for before, lines in found if document.startswith(before)), None
        )

    return line_of


def say_read(named: Sequence[NamedSite], contexts: Sequence[Site], *, verbose: bool) -> None:
    """Print what was skipped of lists, and, if `verbose`, what is read. `named`: empty for pages of a server."""
    for number, context in enumerate(contexts):
        note = named[number].note(context) if named else ""
        if note:
            say(note)
        if verbose:
            _say_documents(context)


def _say_documents(context: Site) -> None:
    """Print which documents of a site are read, with their types, and the site's URI and host."""
    scope, folder = context.scope, context.place.folder
    documents, files = count(len(scope.checked), "document"), count(len(context.files.paths), "file")
    if context.is_sent:
        say(f"{folder}: {documents}")
    else:
        say(f"{folder}: {documents} of {files}, at {context.uri}, host {context.host.name}")
    for path in scope.documents:
        left_out = ", for its names only" if path in scope.unchecked else ""
        say(f"{path if context.is_sent else context.folder / path}: {context.files.types.of(path)}{left_out}")

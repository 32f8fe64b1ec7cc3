"""Where rewritten documents go, and the files beside them that are copied there (`--copy-others`).

No document is written over a source: `--in-place` does that. No two documents are written to the same file, however the
file system compares names, and nothing into a folder that is being read. Nothing is written through a symbolic link
that leads out of the folder; a file that is an argument itself may be a link to anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rehref.archives.many_files import UNFINISHED
from rehref.cli.messages import OptionError, say
from rehref.files.discovery import others
from rehref.files.file_documents import STDIN, DocumentOrError, FileDocument, relative_to, same_file_key
from rehref.files.file_errors import FileError
from rehref.files.writing import clear_leftovers, copy, write_link


class Destination(NamedTuple):
    """The place for one document. `path`: None is standard output. `within`: the folder to stay within."""

    document: FileDocument
    path: Path | None
    within: Path | None = None

    @property
    def name(self) -> str:
        """The document's name."""
        return self.document.name


def to_stdout(found: Sequence[DocumentOrError]) -> list[Destination | FileError]:
    """Return standard output for every document."""
    return [each if isinstance(each, FileError) else Destination(each, None) for each in found]


def in_place(found: Sequence[DocumentOrError], sources: Sequence[str]) -> list[Destination | FileError]:
    """The own file of every document.

    One with several names is written once, under the first that is not a symbolic link.
    """
    first: dict[str, int] = {}
    keys = [same_file_key(Path(source)) for source in sources]
    for number, each in enumerate(found):
        if isinstance(each, FileDocument) and each.path is not None:
            real = keys[each.source](os.path.realpath(each.path))
            if real not in first or (_is_link(found[first[real]]) and not _is_link(each)):
                first[real] = number
    chosen = set(first.values())
    planned: list[Destination | FileError] = []
    for number, each in enumerate(found):
        if isinstance(each, FileError):
            planned.append(each)
        elif each.path is None:
            planned.append(FileError(STDIN, "standard input cannot be rewritten in place", "leave out --in-place"))
        elif number in chosen:
            planned.append(Destination(each, each.path, Path(sources[each.source]) if each.in_folder else None))
    return planned


def _is_link(found: DocumentOrError) -> bool:
    return isinstance(found, FileDocument) and found.path is not None and found.path.is_symlink()


def mirrored(
    found: Sequence[DocumentOrError], sources: Sequence[str], out: Path, *, is_folder: bool
) -> list[Destination | FileError]:
    """A place below `out` for every document, under its path, or `out` for the only one. Raises `OptionError`.

    A single file is written to `out`, or into that folder under its own name; of several sources each is written there
    under its own name. `is_folder`: `out` was given with a slash at its end.
    """
    single = len(sources) == 1 and not Path(sources[0]).is_dir()
    # os.path, unlike Path, raises nothing if access is denied: writing will then fail, and report it
    is_folder = is_folder or os.path.isdir(out)  # noqa: PTH112
    if single and sources[0] == STDIN and is_folder:
        raise OptionError(f"-o {out}", "is a folder, but standard input has no file name", "name a file")
    if not single and os.path.exists(out) and not os.path.isdir(out):  # noqa: PTH110, PTH112
        raise OptionError(f"-o {out}", "is a file, but there may be several documents to write", "name a folder")
    for source in sources:
        _not_inside(out, source)
    planned: list[Destination | FileError] = []
    key = same_file_key(out)
    taken: dict[str, str] = {
        key(os.path.realpath(each.path)): ""
        for each in found
        if isinstance(each, FileDocument) and each.path is not None
    }
    for each in found:
        if isinstance(each, FileError):
            planned.append(each)
            continue
        if each.path is None and not single:
            planned.append(
                FileError(STDIN, "standard input has no file name, which a folder needs", "rewrite it on its own")
            )
            continue
        is_out = single and not is_folder
        target = out if is_out else out / _below(each, sources)
        real = key(os.path.realpath(target))
        if real in taken:
            if taken[real] == "":
                what = f"{each.name} would be written over the source {target}"
                raise OptionError(f"-o {out}", what, "name another place, or use --in-place")
            what = f"{taken[real]} and {each.name} would both be written to {target}"
            raise OptionError(f"-o {out}", what, "rewrite them one after the other")
        taken[real] = each.name
        planned.append(Destination(each, target, None if is_out else out))
    return planned


def _below(document: FileDocument, sources: Sequence[str]) -> Path:
    """Return the path of a document below the output folder."""
    source = Path(sources[document.source])
    if len(sources) > 1 and source.is_dir():
        return Path(source.resolve().name) / document.relative
    return Path(document.relative)


def _not_inside(out: Path, source: str) -> None:
    folder = Path(source).resolve()
    if source != STDIN and folder.is_dir() and relative_to(str(out.resolve()), str(folder)) is not None:
        raise OptionError(
            f"-o {out}", f"is in the folder {source}, which is being read", "name another, or use --in-place"
        )


def unfinished_at(planned: Sequence[Destination | FileError]) -> Path | None:
    """Return the folder for unfinished files (`rehref.archives.many_files`); None if there can be none.

    It is in the output folder, or beside the only output file.
    """
    places = [each for each in planned if isinstance(each, Destination) and each.path is not None]
    if not places or places[0].path is None:
        return None
    if places[0].within is not None:
        return places[0].within / UNFINISHED
    path = places[0].path
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 -- a pipe, or a device
        return None
    return path.with_name(path.name + UNFINISHED)


def clear_leftovers_at(planned: Sequence[Destination | FileError]) -> None:
    """Remove what killed runs left in places where files will be written."""
    folders = {
        (each.within or Path(os.path.realpath(each.path)).parent, each.within is not None)
        for each in planned
        if isinstance(each, Destination) and each.path is not None
    }
    for folder, below in folders:
        clear_leftovers(folder, below=below)


def copy_others(sources: Sequence[str], out: Path) -> int:
    """Copy the files that are not documents into the mirror, and return how many failed."""
    failed = 0
    for source in filter(Path.is_dir, map(Path, sources)):
        below = out / source.resolve().name if len(sources) > 1 else out
        for other in sorted(others(source), key=partial(_links, source)):  # links last: what is in the copy is known
            try:
                _copy(source, other, below, out)
            except FileError as error:
                say(str(error))
                failed += 1
    return failed


def _links(source: Path, other: str | FileError) -> bool:
    return isinstance(other, str) and (source / other).is_symlink()


def _copy(source: Path, file: str | FileError, below: Path, out: Path) -> None:
    """Copy a file or a link, but not the index of an archive that was rewritten: it would not fit."""
    from rehref.containers.indexes import would_not_fit

    if isinstance(file, FileError):
        raise FileError(str(source / file.file), file.what, file.remedy)
    if _links(source, file):
        _copy_link(source, file, below, out)
        return
    try:
        if file.endswith((".cdx", ".cdxj", ".gz")) and would_not_fit(source / file, below / file):
            return
    except OSError as error:
        raise FileError.of(str(source / file), "cannot be copied", error) from error
    copy(source / file, below / file, within=out)


def _copy_link(source: Path, link: str, below: Path, out: Path) -> None:
    """Copy a symbolic link as a relative one, if its target is within the source and in the copy too.

    A link to nothing, out of the source, or to something that is not copied is reported and skipped: nothing outside
    the source is read.
    """
    name = str(source / link)
    try:
        real = os.path.realpath(name, strict=True)
    except FileNotFoundError:
        what = "is a symbolic link to nothing, so it is not copied"
        raise FileError(name, what, "correct it, or remove it") from None
    except OSError as error:
        raise FileError.of(name, "cannot be copied", error) from error
    inside = relative_to(real, os.path.realpath(source))
    if inside is None:
        what = f"is a symbolic link out of the folder {source}, so it is not copied"
        raise FileError(name, what, "move its target into the folder")
    if not (below / inside).exists():
        what = f"is a symbolic link to {source / inside}, which is not copied, so the link is not copied either"
        raise FileError(name, what, "copy both, or remove it")
    write_link(below / link, os.path.relpath(inside or ".", os.path.dirname(link) or "."), within=out)  # noqa: PTH120

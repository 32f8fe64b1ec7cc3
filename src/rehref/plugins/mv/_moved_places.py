"""From two names to a move: what is to move, whether it can, and the folder that holds everything.

A new place that is a folder means a place of the same name in it, as for `mv`. So does, for a file, one that ends in a
slash; a folder is renamed then. What exists is never replaced. Hidden files move with their folder, and are not read,
as everywhere in a site.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from rehref.documents.media_types import FileName, MediaType
from rehref.exceptions import OptionError
from rehref.files.file_documents import real_path_within, relative_to
from rehref.files.file_errors import FileError
from rehref.plugins.mv.move_plan import Moving
from rehref.site.site import Site

_IN_MARKDOWN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*").fullmatch  # kramdown, the strictest
_SPACE = re.compile(r"[ \t\n\f\r]")


def _split_id(name: str) -> tuple[str, str]:
    """Return the file and the id that a name has, "" without one; a file that has the whole name counts first."""
    if os.path.lexists(name):
        return name, ""
    file, mark, fragment = name.rpartition("#")
    return (file, fragment) if mark else (name, "")


def move_of(context: Site, old: str, new: str) -> Moving:
    """Return the move from one name to another. Raises `FileError`, `OptionError` if it cannot be."""
    old_name, old_id = _split_id(old)
    if not old or not new:
        raise OptionError("OLD NEW", "one of them is empty", "name two places")
    if not os.path.lexists(old_name):
        return _done(context, old_name, new)
    old_path = _below(context.folder, old_name)
    if old_id or old.endswith("#"):
        return _of_ids(context, old_path, old_id, new)
    if "#" in new and _split_id(new)[0] in ("", old_name) and not Path(old_name).is_dir():
        raise OptionError(new, f"has an id, and {old} has none", f"name {old}#ID")
    if Path(old_name).is_symlink():
        raise FileError(old_name, "is a symbolic link", "move the file that it leads to")
    is_same = _is_other_case(Path(old_name), Path(new))
    if (Path(new).is_dir() and not is_same) or (new.endswith("/") and not Path(old_name).is_dir()):
        new = f"{new.rstrip('/')}/{Path(old_name).resolve().name}"
    if os.path.lexists(new) and not is_same:
        raise FileError(new, "is there already", "name another place, or remove it")
    new_path = _below(context.folder, new)
    if new_path.startswith(old_path + "/"):
        raise FileError(new, f"is within {old_name}, which cannot be moved into itself", "name another place")
    above = next(each for each in Path(new).absolute().parents if os.path.lexists(each))
    if not above.is_dir():
        raise FileError(new, f"{above.name} is a file", "name another place")
    move = Moving(old_path, new_path)
    types, moving = context.files.types, [path for path, _ in move.pairs(context.files.paths)]
    if not moving:
        raise FileError(old_name, "has no files that belong to the site", "name another one")
    if any(types.of(path) == MediaType.MARKDOWN for path in moving) and not any(map(types.is_document, moving)):
        why = "is Markdown, which is not read beside pages: its references would not be corrected"
        raise FileError(old_name, why, "name the folder of its sources with --folder, or their --dialect")
    if f"{old_path}.gz" in context.files.paths and move.of(f"{old_path}.gz") == f"{old_path}.gz":
        raise FileError(f"{old_name}.gz", "is a gzipped copy of what moves", "remove it, and make it anew")
    _refuse_links(context, move)
    return move


def _is_other_case(old: Path, new: Path) -> bool:
    """Whether both names are of one file, since the disk ignores case."""
    return old.name != new.name and old.name.lower() == new.name.lower() and new.exists() and old.samefile(new)


def _done(context: Site, old: str, new: str) -> Moving:
    """Return a move that is done already: nothing is at the old place, something at the new one. Raises `FileError`.

    A name that says a type is not one of a folder.
    """
    within = f"{new.rstrip('/')}/{Path(old).name}"
    may_be_it = os.path.lexists(new) and not (Path(new).is_dir() and not FileName.of(Path(old).name).is_open)
    at = within if os.path.lexists(within) else new if may_be_it else None
    if at is None:
        raise FileError(old, "there is no such file or folder", "name one that is there")
    move = Moving(_below(context.folder, old), _below(context.folder, at), is_done=True)
    if not any(move.pairs(context.files.paths)):
        raise FileError(at, "has no files that belong to the site", "name another one")
    return move


def _of_ids(context: Site, path: str, old_id: str, new: str) -> Moving:
    """Return the renaming of an id of the file at `path`, which is a page, SVG or Markdown in a known dialect.

    In Markdown the new id has what all dialects allow.
    """
    new_name, mark, new_id = new.rpartition("#")
    name = str(context.folder / path)
    if not mark or (new_name and _below(context.folder, new_name) != path):
        raise OptionError(new, "is not an id of the same file", f"name it {name}#ID")
    found, is_markdown = context.defined_in(path), context.files.types.of(path) == MediaType.MARKDOWN
    if found is None or (is_markdown and context.options.how.dialect is None):
        raise FileError(name, "has no ids that can be renamed", "name a page, an SVG file, or Markdown with --dialect")
    ids = [each for each in (old_id, unquote(old_id)) if each in found.names]
    if not ids and old_id and new_id in found.names:
        return Moving(path, path, unquote(old_id), new_id, is_done=True)
    if not ids:
        raise OptionError(f"{name}#{old_id}", "nothing there has that id", "name an id of the file")
    what = "is there already" if new_id in found.names else ""
    if new_id == "" or _SPACE.search(new_id):
        what = "is not an id, which has at least one character and no white space"
    elif context.files.types.of(path) == MediaType.MARKDOWN and not _IN_MARKDOWN(new_id):
        what = "is not an id for Markdown: a letter, and letters, digits, - and _"
    if what:
        raise OptionError(new, what, "name another id")
    return Moving(path, path, ids[0], new_id)


def _below(folder: Path, name: str) -> str:
    """Return the path of a name below the folder, also once symbolic links are followed. Raises `FileError`."""
    path, top = (os.path.normpath(each.absolute()) for each in (Path(name), folder))
    is_below = relative_to(path, top) is not None
    real = real_path_within(folder, Path(path), done="moved") if is_below else Path(path).resolve()
    found = relative_to(str(real), os.path.realpath(folder))
    if not found:
        what = "is the folder itself" if found == "" else f"is not in {folder}"
        raise FileError(name, what, "name a file or folder in it, or another --folder")
    return found


def _refuse_links(context: Site, move: Moving) -> None:
    """Raise `FileError` for a symbolic link that the move would break.

    One into what moves, or a relative one out of it.
    """
    folder = context.folder
    real_folder = os.path.realpath(folder)
    for path in sorted(context.files.paths | context.files.links.keys()):
        link = folder / path
        if not link.is_symlink():
            continue
        is_absolute = link.readlink().is_absolute()
        led = relative_to(os.path.realpath(link), real_folder)
        is_inside = move.of(path) != path
        leads_inside = led is not None and move.of(led) != led
        if (leads_inside and (is_absolute or not is_inside)) or (is_inside and not leads_inside and not is_absolute):
            raise FileError(str(link), "is a symbolic link that the move would break", "remove it, and make it anew")

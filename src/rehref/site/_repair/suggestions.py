"""What a reference that leads nowhere was meant to refer to, and how sure that is.

The tables are made when they are first needed, in time and space proportional to the number of files, or of the ids of
one document; the latter are kept for the last few documents. The time of a look-up depends on the length of the name;
the content of a folder is listed to compare it with another, and kept for the last few. Results for a path are kept,
since often all documents of a folder refer to the missing file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Final
from urllib.parse import unquote

from rehref.site._grounds.files import Files
from rehref.site._grounds.serving import served
from rehref.site._hosts.directories import Directories
from rehref.site._hosts.hosts import Host
from rehref.site._pages.classifier import NUL
from rehref.site._pages.fragments import without_directive
from rehref.site._paths import folded
from rehref.site._repair.misspelt_names import (
    LONGEST,
    SHORTEST_SURE,
    NearNames,
    is_identifier,
    is_slip,
    may_be_meant,
    words_in,
    words_misspelt,
)
from rehref.site._repair.names_found import (
    are_of_one_kind,
    cut,
    ends_first,
    grouped,
    has_extension,
    is_misspelt,
    is_other_form,
    last_name,
    may_be_added,
    named_literally,
    two_names,
    without_zeros,
)
from rehref.site._series import (
    edits,
    ends_alike,
    folder_left_out,
    folders_beside,
    is_another_path,
    is_distinctive,
    is_numbered,
)
from rehref.text.encoding import alike_up_to

_MOST_SHOWN: Final = 3
_MOST_WITH_FRAGMENT: Final = 20
"""Files of one name, of which the one is meant that has the fragment."""
_DOCUMENTS_REMEMBERED: Final = 64
_FOLDERS_REMEMBERED: Final = 64
_PATHS_REMEMBERED: Final = 1024
_BETWEEN_WORDS = re.compile(r"[-_\s]+")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The target that was meant.

    `path`: below the folder, decoded, as the host serves it: a file; a folder, with a slash at its end; or, where pages
    have clean URLs, one without its extension. `fragment`: None if the path is wrong; else the path is right, and this
    id, not encoded, is meant. `sure`: whether to write it without asking. `misspelt`: the words, in lower case, that
    seem misspelt. `needs_sign`: whether only its name in another folder, or an id in another case, speaks for it.
    """

    path: str
    sure: bool
    fragment: str | None = None
    misspelt: frozenset[str] = frozenset()
    needs_sign: bool = False


class Suggester:
    """Finds the targets that were meant, on one site."""

    def __init__(
        self,
        files: Files,
        ids_of: Callable[[str], Collection[str]],
        uri_of: Callable[[str], str],
        *,
        index_names: Sequence[str] = ("index.html",),
        extensions: Sequence[str] = (),
    ) -> None:
        """`ids_of`: the ids of the document at a path, not encoded. `uri_of`: the URI of a path, also that of a
        `Suggestion`.

        `index_names`, `extensions`: those of the host (`Host.index_names`, `Host.fallback_extensions`).
        """
        self.uri_of = uri_of
        self._files = files
        self._ids_of = ids_of
        self._index_names = index_names
        self._extensions = extensions
        # a missing file is often referred to many times
        self.for_missing_fragment = cache(self._for_missing_fragment)
        self._candidates = lru_cache(maxsize=_PATHS_REMEMBERED)(self._candidates_for)
        self._held = lru_cache(maxsize=_FOLDERS_REMEMBERED)(self._names_in)
        self._ids = lru_cache(maxsize=_DOCUMENTS_REMEMBERED)(self._ids_and_words)
        self.named_literally = lru_cache(maxsize=_PATHS_REMEMBERED)(lambda rest: named_literally(rest, self._served))
        self._near_files = cache(self._near_files_in)
        self._near_folders = cache(lambda folder: NearNames(map(last_name, self._folders_in.get(folder, ()))))
        self._near_names = cache(lambda folder: NearNames(map(last_name, self._by_folder.get(folder, ()))))

    def file_of(self, path: str) -> str | None:
        """The file that is served for a path, which may be that of a folder; None if there is none."""
        if path == "":
            return next((name for name in self._index_names if name in self._served), None)
        return self._served.get(path) or self._served.get(path + "/")

    def for_missing_file(
        self, path_wanted: str, document: str, names: int = 2, fragment: str = ""
    ) -> Suggestion | None:
        """The suggestion for a path (decoded, no slash before it) that a reference in `document` leads to.

        Two suggestions are never sure: another member of a series, as `part-3` is not a misspelt `part-2`; and another
        edition, in the name of the file or of a folder (`_series.py`). Nor is the document that has the reference. This
        does not matter if the name is spelt the same apart from case. `names`: how many names of the path are in the
        reference; the others are those of its base, which may be wrong: a folder's name there gives no evidence. Of
        several files, one that has the `fragment` (decoded) is meant.
        """
        if path_wanted == "" or len(path_wanted) > LONGEST:
            return None
        found, is_spelt_so = self._candidates(path_wanted, document.rpartition("/")[0], names)
        best = _best(found, lambda path: fragment in self._ids_of(self._served[path]) if fragment else True)
        if best is None or is_spelt_so or not best.sure:
            return best
        is_other = names == 0 or self._served[best.path] == document
        is_other = is_other or is_another_path(path_wanted, best.path, document)
        beside = folders_beside(path_wanted, best.path)
        if is_other or beside is None:
            return replace(best, sure=not is_other)
        one, other = beside
        if one in self._files.folders:
            return replace(best, sure=not self._have_same(one, other, best.path))
        is_misspelt = is_slip(last_name(one), last_name(other), self._all_words)
        return replace(best, sure=is_misspelt, misspelt=words_misspelt(last_name(one), last_name(other)))

    def _candidates_for(self, path: str, folder: str, names: int) -> tuple[list[Suggestion], bool]:
        """The suggestions for a path, and whether they are spelt so; `folder`: that of the document.

        The candidates, in order: a file that is spelt the same apart from case or Unicode normalization form; one with
        the extension that is missing or misspelt; one of the same name in another place (it was moved, or the base
        differs from what the author thought); one whose name, or the name of one folder above it, is an edit or two
        away, surely a slip (`misspelt_names.py`). A name that is misspelt where its extension begins is compared as a
        whole.
        """
        found = list(self._as_spelt(path))
        if found:
            return found, True
        if path.rstrip("/") not in self._files.folders:  # else an index is missing
            found = [*self._with_extension(path), *self._elsewhere(path, folder, names), *self._misspelt(path)]
        return found or list(self._alike(path, folder)), False

    def _for_missing_fragment(self, path: str, fragment: str) -> Suggestion | None:
        """The id for a fragment, as it is written, that names nothing in the document at `path`.

        It is one spelt the same apart from its Unicode normalization form; else apart from case and `-`, `_` or spaces;
        else one that is an edit or two away, which is as sure as a name is. A fragment that may be an identifier
        (`misspelt_names.py`) is never surely another one, whether case or an edit makes the difference.
        """
        wanted = unquote(without_directive(fragment))
        if wanted == "" or len(wanted) > LONGEST:
            return None
        if wanted.startswith("#") and wanted.lstrip("#") in self._ids_of(path):
            return Suggestion(path, sure=True, fragment=wanted.lstrip("#"))
        spellings, near, words = self._ids(path)
        same = spellings.get(_words(wanted))
        if same is not None:
            same = [name for name in same if is_other_form(wanted, name)] or same
            is_in_case = not is_other_form(wanted, same[0]) and not _is_case_same(wanted, same[0])
            may_be_other = is_in_case and (_is_identifier_of(wanted, same[0]) or self._begins_others(path, wanted))
            return Suggestion(path, len(same) == 1 and not may_be_other, same[0], needs_sign=is_in_case)
        like = near.within_two(wanted)
        for name in like:
            may_be_other = _is_identifier_of(wanted, name)
            if may_be_meant(wanted, name, is_identifier=may_be_other):
                is_longer = name.startswith(wanted) and name[len(wanted)] != wanted[-1]  # `instal` lacks a letter
                sure = len(like) == 1 and not (may_be_other or is_longer) and is_slip(wanted, name, words)
                return Suggestion(path, sure, name, words_misspelt(wanted, name))
        return None

    def _begins_others(self, path: str, wanted: str) -> bool:
        """Whether an id of the document begins with the one that is not there: that one may be gone."""
        return any(name.startswith(wanted) for name in self._ids_of(path))

    def occurs_once(self, path: str) -> bool:
        """Whether no other file has the name of this one."""
        return len(self._by_name.get(folded(last_name(path)), ())) == 1

    # the searches, in the order in which their results count

    def _as_spelt(self, path: str) -> Iterator[Suggestion]:
        """Files spelt the same, apart from case."""
        if path in self._served:  # the author left out the path of the site; the host may have an index
            is_index = path in self._index_names
            yield Suggestion(path, not is_index)
        elif path[:-1] in self._files.paths and path.endswith("/"):
            yield Suggestion(path[:-1], sure=True)
        else:
            for spelling in self._by_spelling.get(folded(path), ()):
                yield Suggestion(spelling, sure=True)

    def _with_extension(self, path: str) -> Iterator[Suggestion]:
        """Files with the extension that is missing or misspelt."""
        stem, extension = cut(path)
        for file in self._by_stem.get(path, ()):
            sure = not has_extension(extension) and may_be_added(cut(file).extension)
            yield Suggestion(file, sure)
        if extension not in ("", "/"):
            others = self._by_stem.get(stem, ())
            for file in others:
                if edits(cut(file).extension, extension) == 1:
                    sure = len(others) == 1 and len(last_name(path)) >= SHORTEST_SURE
                    sure = sure and is_misspelt(extension, cut(file).extension, self._all_names)
                    yield Suggestion(file, sure)

    def _elsewhere(self, path: str, folder: str, names: int) -> Iterator[Suggestion]:
        """Files of the same name in another place.

        One is sure if it is the only one of that name anywhere, or with that name and that of its folder, if the
        reference leads there from a folder above the document. It is not if its name is not distinctive, unless one
        path is the end of the other, including a folder; and never if its name ends in a number (`form_0.png`). Of
        several, those whose path is the end of the one in the reference come first.

        An index is named by its folder: `b/a/index.html` means `a/index.html`, but `b/index.html` does so only if there
        is no other index anywhere, and the document is below it.
        """
        name = last_name(path)
        same = ends_first(self._by_name.get(folded(name), ()), path)
        with_folder = self._by_two_names.get(folded(two_names(path)), []) if names > 1 else []
        above = list(self._above(path, folder))
        if name in self._index_names:
            beside = two_names(path).partition("/")[0]
            is_sure = any(is_distinctive(beside) or ends_alike(path, other) for other in with_folder)
            is_sure = is_sure or (len(same) == 1 and same == above)
            is_sure = is_sure and not is_numbered(beside) and not self._is_of_another_site(path, with_folder)
            chosen = with_folder or above
        elif len(same) == 1:
            is_sure, chosen = is_distinctive(cut(name).stem) or ends_alike(path, same[0]), same
            is_sure = is_sure and not is_numbered(cut(name).stem)
            is_sure = is_sure and not (name.endswith("/") and self._is_of_another_site(path, same))
        else:
            is_sure = len(with_folder) == 1 and above == with_folder and not is_numbered(cut(name).stem)
            chosen = with_folder if is_sure else ends_first([*above, *same[:_MOST_WITH_FRAGMENT]], path)
        for other in chosen[:_MOST_WITH_FRAGMENT]:
            exact = last_name(other) == name
            # the reference names its folder, too, and only its beginning is wrong
            is_told = with_folder == [other] and (other in above or path.endswith(f"/{other}"))
            is_told = is_told and name not in self._index_names
            yield Suggestion(other, is_sure and exact, needs_sign=not is_told)

    def _is_of_another_site(self, path: str, found: Sequence[str]) -> bool:
        """Whether a path goes through a folder that is not there, since that may be another site.

        So `cargo-doc/reference/` is not `reference/`.
        """
        left_out = [folder_left_out(path, other) for other in found]
        return bool(found) and all(one is not None and one not in self._files.folders for one in left_out)

    def _above(self, path: str, folder: str) -> Iterator[str]:
        """The rest of the path, after the part in common with the document's, from each folder above the document."""
        here, there = folder.split("/") if folder else [], path.split("/")
        common = alike_up_to(here, there[:-1])
        tail = "/".join(there[common:])
        for depth in range(len(here), -1, -1):
            other = "/".join((*here[:depth], tail))
            if other in self._served and other != path:
                yield other

    def _have_same(self, one: str, other: str, found: str) -> bool:
        """Whether two folders have any name in common, apart from the file found in the latter.

        A file is not sure whose folder is a sibling of the one in the reference, unless that one is there, or is
        misspelt, and the two have no name in common.
        """
        name = found[len(other) + 1 :].partition("/")[0]
        return not self._held(one).isdisjoint(self._held(other) - {name, f"{name}/"})

    def _names_in(self, folder: str) -> frozenset[str]:
        return frozenset(map(last_name, (*self._by_folder.get(folder, ()), *self._folders_in.get(folder, ()))))

    def _misspelt(self, path: str) -> Iterator[Suggestion]:
        """Files with one name up to two edits away: the first name of the path that is not there."""
        names = path.rstrip("/").split("/")
        depth = 0
        while depth < len(names) - 1 and "/".join(names[: depth + 1]) in self._files.folders:
            depth += 1
        folder = "/".join(names[:depth])
        before = folder + "/" if folder != "" else ""
        name, rest = names[depth], path[len(before) + len(names[depth]) :]
        if rest == "":
            stem, extension = cut(name)
            yield from self._near_in(self._near_files(folder).get(extension), before, stem, extension)
            for one in self._near_names(folder).within_two(name):
                # misspelt where its extension begins, so that it seems to have another extension
                if stem != cut(one).stem and extension != cut(one).extension:
                    yield self._slip(before + one, name, one)
            if extension != "":
                return
        yield from self._near_in(self._near_folders(folder), before, name, rest or "/")

    def _near_in(self, near: NearNames | None, before: str, name: str, rest: str) -> Iterator[Suggestion]:
        """The files that are there if a similar name replaces `name`."""
        like = [one for one in near.within_two(name) if before + one + rest in self._served] if near else []
        for one in like[:_MOST_SHOWN]:
            if may_be_meant(name, one):
                found = self._slip(before + one + rest, name, one)
                yield replace(found, sure=found.sure and len(like) == 1)

    def _slip(self, path: str, wanted: str, name: str) -> Suggestion:
        """A suggestion for a path in which `name` is like the wanted one."""
        return Suggestion(path, is_slip(wanted, name, self._all_words), misspelt=words_misspelt(wanted, name))

    def _alike(self, path: str, folder: str) -> Iterator[Suggestion]:
        """Files that are alike in some way, none of them sure.

        A guess has to be a good one: a file of the same kind (`names_found.py`); a name that is nearly the same
        (`misspelt_names.py`), and in another folder an edit away at most. In a page with a pretty URL (`a/`, once
        `a.md`), `b.md` is `../b/`.
        """
        stem, extension = cut(path)
        is_page = extension != "/" and are_of_one_kind(extension, "/")
        other = self._by_numbers.get(without_zeros(folded(path)), [])[:]
        other += [stem + "/"] if is_page and stem + "/" in self._served else []
        other += (one for one in self._by_stem.get(stem, ()) if are_of_one_kind(extension, cut(one).extension))
        if not other and is_page:
            other += self._above(stem + "/", folder)
        if not other:
            near, last = self._all_names.get(extension), last_name(stem)
            for name in near.within_two(last) if near is not None else ():
                if len(name) >= SHORTEST_SURE and edits(last, name) == 1 and may_be_meant(last, name):
                    other += self._by_name.get(folded(name + extension), ())
        for one in other[:_MOST_SHOWN]:
            yield Suggestion(one, sure=False)

    # the tables

    @cached_property
    def _served(self) -> dict[str, str]:
        """The file for each path that is served, in order, except those of the site and of folders without a slash."""
        host = Host("", tuple(self._index_names), tuple(self._extensions))
        table = sorted(served(self._files, host, Directories()).items())
        found = ((path, located.path or "") for path, located in table)
        return {path: file for path, file in found if path and not file.startswith(path + "/")}

    @cached_property
    def _folded(self) -> dict[str, str]:
        return {path: folded(path) for path in self._served}

    @cached_property
    def _by_spelling(self) -> dict[str, list[str]]:
        return grouped(self._served, self._folded.__getitem__)

    @cached_property
    def _by_numbers(self) -> dict[str, list[str]]:
        return grouped(self._served, lambda path: without_zeros(self._folded[path]))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return grouped(self._served, lambda path: last_name(self._folded[path]))

    @cached_property
    def _by_two_names(self) -> dict[str, list[str]]:
        return grouped(self._served, lambda path: two_names(self._folded[path]))

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        files = filter(self._files.paths.__contains__, self._served)
        return grouped((path for path in files if cut(path).extension != ""), lambda path: cut(path).stem)

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        files = (path for path in self._served if not path.endswith("/"))
        return grouped(files, lambda path: path.rpartition("/")[0])

    @cached_property
    def _folders_in(self) -> dict[str, list[str]]:
        return grouped(sorted(self._files.folders - {""}), lambda path: path.rpartition("/")[0])

    @cached_property
    def _all_names(self) -> dict[str, NearNames]:
        return _by_extension(self._served)

    @cached_property
    def _all_words(self) -> frozenset[str]:
        return words_in(self._served)

    def _near_files_in(self, folder: str) -> dict[str, NearNames]:
        """The names of the files in a folder, without extension, by extension."""
        return _by_extension(self._by_folder.get(folder, ()))

    def _ids_and_words(self, path: str) -> tuple[dict[str, list[str]], NearNames, frozenset[str]]:
        """The ids of a document, by spelling, and for searching; and all words in them."""
        ids = sorted(name for name in set(self._ids_of(path)) if name != "" and NUL not in name)
        all_words = _words(NUL.join(ids)).split(NUL) if ids else []  # in one call, since there may be many
        by_words: dict[str, list[str]] = {}
        for name, words in zip(ids, all_words, strict=True):
            by_words.setdefault(words, []).append(name)
        return by_words, NearNames(ids), words_in(ids)


def _best(found: Sequence[Suggestion], has_fragment: Callable[[str], bool]) -> Suggestion | None:
    """The best suggestion, sure only if there is no other; of several, first one that has the fragment."""
    if not found:
        return None
    if all(suggestion.path == found[0].path for suggestion in found):
        return max(found, key=lambda suggestion: (suggestion.sure, not suggestion.needs_sign))
    best = max(found, key=lambda one: (has_fragment(one.path), one.sure, not one.needs_sign))
    return replace(best, sure=False)


def _is_identifier_of(wanted: str, name: str) -> bool:
    """Whether one of two fragments may be an identifier."""
    return is_identifier(wanted) or is_identifier(name)


def _is_case_same(one: str, other: str) -> bool:
    """Whether two fragments differ only in the separators of words."""
    return _BETWEEN_WORDS.sub("-", one) == _BETWEEN_WORDS.sub("-", other)


def _words(text: str) -> str:
    """The form that ids share if they differ only in case and in the separators of words."""
    return _BETWEEN_WORDS.sub("-", folded(text))


def _by_extension(paths: Iterable[str]) -> dict[str, NearNames]:
    """The names of some paths, without extension, by extension."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        stem, extension = cut(last_name(path))
        names[extension].add(stem)
    return {extension: NearNames(stems) for extension, stems in names.items()}

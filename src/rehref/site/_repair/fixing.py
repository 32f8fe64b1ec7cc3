"""Writes suggestions into files: a new reference in place of the old one, and no other change.

Findings with a sure suggestion are corrected, or all those with a suggestion (`unsure`). A reference is identified by
its place in bytes and its text: if the file has changed since the check, the reference stays. A file that has several
names because of links is corrected under one name only, and never outside the folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote, unquote_to_bytes

from rehref.documents.base import clean
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.files.discovery import is_container_name
from rehref.files.file_documents import encode_path, real_path_within
from rehref.files.file_errors import FileError
from rehref.files.reading_files import is_packed, packed_like, read_file, unpacked
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import DIRECTIVE, without_directive
from rehref.site._repair.suggestions import Suggestion
from rehref.site.findings import Finding
from rehref.uri.components import Components, split, unsplit
from rehref.uri.resolver import Relativizer, Resolver

DOTS: Final = frozenset({"", ".", ".."})
_BASES_REMEMBERED: Final = 1024
_MOST_TRIES: Final = 200  # each reads a document again
# RFC 3986 §3.5: characters that a fragment may have unencoded, besides unreserved ones
_IN_FRAGMENT = "/?:@!$&'()*+,;="

Key: TypeAlias = tuple[tuple[int, int], str]
"""The place of a reference, in bytes, and its text."""


def new_reference(suggestion: Suggestion, reference: str, base: str | None, uri_of: Callable[[str], str]) -> str | None:
    """The new text of a reference, relative to `base`, so that it leads to the suggested target; None if no form does.

    It has the form of the old one: a relative one stays relative to its base, with `./` before it if the old one had
    that; a path from the root stays a path from the root; one that names the host still does. Query and fragment stay.
    If only the fragment is wrong, the text before it does not change. A `file:` URI is never written, nor a path from
    the root of the disk, nor the name of the folder: they mean nothing on a host. The new reference is then relative,
    to a base within the folder. `uri_of`: the URI of a path of a suggestion.
    """
    old = clean(reference)
    if suggestion.fragment is not None:
        return old.partition("#")[0] + "#" + _fragment(suggestion.fragment, old)
    parts, target = split(old), split(uri_of(suggestion.path))
    if target.scheme == "file" and base is not None and not base.startswith(uri_of("")):
        return None  # the way back into the folder would name the folder on the disk
    query, fragment = parts.query, parts.fragment
    wanted = target._replace(query=query, fragment=fragment)
    resolve = None if base is None else _resolver(base)
    for form in _forms(parts, target, base):
        for path in (_as_written(form.path, parts.path), form.path):
            new = unsplit(form._replace(path=path, query=query, fragment=fragment))
            resolved = new if resolve is None else resolve(clean(new))
            if _is_same(split(resolved), wanted):
                return new
    return None


@lru_cache(maxsize=_BASES_REMEMBERED)  # findings come target by target, and many documents refer to each
def _resolver(base: str) -> Resolver:
    return Resolver(base)


@lru_cache(maxsize=_BASES_REMEMBERED)
def _relativizer(base: str) -> Relativizer:
    return Relativizer(base, paths_only=True)


def _forms(old: Components, target: Components, base: str | None) -> Iterator[Components]:
    """The forms that a new reference can have, the author's first, the whole URI last; without query and fragment."""
    relative = "" if base is None else _relative(base, unsplit(target), dotted=old.path.startswith("./"))
    is_file = target.scheme == "file"
    if relative != "" and (is_file or (old.scheme is None and old.authority is None and old.path[:1] != "/")):
        yield Components(None, None, relative, None, None)
    if is_file:
        return
    if old.scheme is None and old.authority is None and base is not None:
        yield Components(None, None, target.path, None, None)
    if old.scheme is None and old.authority is not None and base is not None:
        yield target._replace(scheme=None)
    yield target


def _relative(base: str, target: str, *, dotted: bool) -> str:
    """A relative path from a base to a target; "" if there is no such path."""
    relative = _relativizer(base)(target)
    parts = split(relative)
    if parts.scheme is not None or parts.authority is not None or relative.startswith("/"):
        return ""
    path = parts.path
    if path == "":  # the base itself: with a name, since an empty reference does not mean the document everywhere
        name = split(target).path.rpartition("/")[2]
        path = "./" + name if ":" in name or name == "" else name
    elif path in DOTS or path.endswith("/.."):
        path += "/"
    return f"./{path}" if dotted and not path.startswith(".") else path


def _as_written(path: str, old: str) -> str:
    """An encoded path whose parts in common with the old one, or alike, are written as they were there, escapes
    included.

    New names are percent-encoded, except for characters beyond ASCII and spaces if the old reference has such.
    """
    if "\\" in old or (old.isascii() and not any(sign in text for text in (old, path) for sign in "% ")):
        return path
    written = {_octets(name): name for name in old.split("/") if name not in DOTS}
    keeps_characters, keeps_spaces = not old.isascii(), " " in old

    def name_as_written(name: str) -> str:
        data = _octets(name)
        if data in written:
            return written[data]
        if name in DOTS or not (keeps_characters or keeps_spaces):
            return name
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return name
        return "".join(
            char if (char == " " and keeps_spaces) or _is_letter(char, keeps_characters) else _encoded(char)
            for char in text
        )

    return "/".join(map(name_as_written, path.split("/")))


def _is_letter(char: str, keeps_characters: bool) -> bool:
    return keeps_characters and not char.isascii() and char.isprintable()


def _encoded(char: str) -> str:
    return "%2F" if char == "/" else encode_path(char)


def _fragment(name: str, old: str) -> str:
    """An id as a fragment, written like the old reference, with the directives that it has."""
    before = without_directive(old)
    directives = old[len(before) :] if DIRECTIVE in old else ""
    keeps_characters = not before.isascii()
    written = "".join(
        char if _is_letter(char, keeps_characters) else quote(char, safe=_IN_FRAGMENT, errors="replace")
        for char in name
    )
    return written + directives


def _is_same(one: Components, other: Components) -> bool:
    """Whether two URIs are the same, apart from the encoding of their paths."""
    if one == other or one._replace(path="") != other._replace(path=""):
        return one == other
    return list(map(_octets, one.path.split("/"))) == list(map(_octets, other.path.split("/")))


def _octets(name: str) -> bytes:
    return unquote_to_bytes(name.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Fixed:
    """A document to correct: its path below the folder, its data before and after, what is corrected.

    `left`: findings that should have been corrected, but stay. `unwritable`: those of them that stay because their new
    references would not read as meant in their places. `packed`: the content of the file, if it is gzipped; the data
    are then the uncompressed ones. `stale`: about hashes that were wrong before, and
    stay; `is_hashed`: whether others are written anew.
    """

    document: str
    old: bytes
    new: bytes
    corrected: tuple[Finding, ...]
    left: tuple[Finding, ...] = ()
    unwritable: tuple[Finding, ...] = ()
    packed: bytes = b""
    stale: tuple[str, ...] = ()
    is_hashed: bool = False

    def write(self, folder: Path, *, backup: bool = False) -> bool:
        """Write it; return whether it had other names. Raises `FileError`. `backup`: keep the old one."""
        from rehref.files.writing import write_atomically

        return write_atomically(
            folder / self.document, packed_like(self.packed, self.new), backup=backup, within=folder
        )


def fixes(context: SiteContext, findings: Iterable[Finding], *, unsure: bool = False) -> Iterator[Fixed | FileError]:
    """The corrections of the documents of a folder, one by one, in order. Nothing is written yet.

    `unsure`: also use suggestions that are not sure.
    """
    by_document: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.suggestion is not None and (finding.sure or unsure):
            by_document[finding.document].append(finding)
    seen: set[Path] = set()
    for document, found in sorted(by_document.items()):
        path = context.folder / document
        try:
            real_path = real_path_within(context.folder, path, done="changed")
            if real_path in seen:
                yield FileError(str(path), "is another name of a file that is corrected", "check again")
                continue
            seen.add(real_path)
            raw = read_file(path)
            fixed = fix(document, unpacked(str(path), raw), found, partial(context.document_of, document))
            yield replace(fixed, packed=raw) if is_packed(raw) else fixed
        except FileError as error:
            yield error


def fix(document: str, data: bytes, findings: Sequence[Finding], opened: Callable[[bytes], Document]) -> Fixed:
    """The correction of one document; all findings have suggestions. `opened`: reads it as the check did."""
    nothing = Fixed(document, data, data, (), tuple(findings))
    new_by_key: dict[Key, str] = {}
    for finding in sorted(findings, key=lambda finding: not finding.sure):
        if finding.span is not None and finding.suggestion is not None:
            new_by_key.setdefault((finding.span, finding.reference), finding.suggestion)
    if is_container_name(document.rpartition("/")[2]) or not new_by_key:
        return nothing
    attempts = _Attempts(opened(data), opened)
    present = attempts.present(new_by_key)
    done, new_data = attempts.most(present)
    corrected = tuple(one for one in findings if (one.span, one.reference) in done)
    left = tuple(one for one in findings if (one.span, one.reference) not in done)
    unwritable = tuple(one for one in left if (one.span, one.reference) in present)
    return Fixed(document, data, data if new_data is None else new_data, corrected, left, unwritable)


class _Attempts:
    """Attempts to write new references into one document, up to a bound.

    References that cannot be written so (a URL that ends in a comma, in a `srcset`) stay, and the others are corrected.
    They are those that read differently; if others do, too, bisection finds them, in at most `_MOST_TRIES` attempts;
    untried references stay, too.
    """

    def __init__(self, before: Document, opened: Callable[[bytes], Document]) -> None:
        self._before = before
        self._links = list(before.links())
        self._opened = opened
        self._left = _MOST_TRIES

    def present(self, news: Mapping[Key, str]) -> dict[Key, str]:
        """The new references whose old ones are in the document, and may be corrected."""
        here = {(link.span, link.reference) for link in self._links if _new_of(link, news) is not None}
        return {key: new for key, new in news.items() if key in here}

    def most(self, news: Mapping[Key, str]) -> tuple[Mapping[Key, str], bytes | None]:
        """Those of some new references that can be written, and the document with them; None if there are none."""
        data, misread = self._written(news)
        if data is None and misread:
            news = {key: new for key, new in news.items() if key not in misread}
            data, _ = self._written(news)
        if data is None:
            news = self._writable(news)
            data, _ = self._written(news)
        return (news, data) if data is not None else ({}, None)

    def _writable(self, news: Mapping[Key, str]) -> dict[Key, str]:
        """The new references that can be written, of some that cannot all be written; found by bisection."""
        keys = list(news)
        if len(keys) < 2:
            return {}
        found: dict[Key, str] = {}
        for half in (keys[: len(keys) // 2], keys[len(keys) // 2 :]):
            some = {key: news[key] for key in half}
            if self._left > 0:
                self._left -= 1
                found |= some if self._written(some)[0] is not None else self._writable(some)
        return found

    def _written(self, news: Mapping[Key, str]) -> tuple[bytes | None, AbstractSet[Key]]:
        """The document with new references; None if there are none, or it would not read as meant, and which do not."""
        if not news:
            return None, frozenset()
        new_data = _with(self._before, news)
        misread = _misread(self._links, self._opened(new_data).links(), news)
        return (None, misread or frozenset()) if misread != set() else (new_data, misread)


def corrected(before: Document, news: Mapping[Key, str], opened: Callable[[bytes], Document]) -> bytes | None:
    """The data of a document with new references; None if it would not read as meant.

    It is read again: each corrected reference must read as meant, and each other one must lead where it did.
    """
    new_data = _with(before, news)
    return new_data if _misread(list(before.links()), opened(new_data).links(), news) == set() else None


def _with(before: Document, news: Mapping[Key, str]) -> bytes:
    from rehref.rewriting.edits import rewrite_document

    new_data = rewrite_document(before, lambda link: _new_of(link, news)).data
    assert isinstance(new_data, bytes)
    return new_data


def _new_of(link: Link, new_by_key: Mapping[Key, str]) -> str | None:
    """The new reference of a link, or None.

    A `base` stays: a new one would change the meaning of all other references.
    """
    if link.span is None or link.kind in ("base", "namespace"):
        return None
    return new_by_key.get((link.span, link.reference))


def _misread(before: Sequence[Link], after: Iterable[Link], new_by_key: Mapping[Key, str]) -> set[Key] | None:
    """The new references that do not read as meant in a corrected document; None if others do not, either."""
    new_links = list(after)
    if len(before) != len(new_links):
        return None
    found: set[Key] = set()
    for old, new in zip(before, new_links, strict=True):
        meant = _new_of(old, new_by_key)
        if meant is None:
            if (new.reference, new.target) != (old.reference, old.target):
                return None
        elif new.reference != meant and old.span is not None:
            found.add((old.span, old.reference))
    return found

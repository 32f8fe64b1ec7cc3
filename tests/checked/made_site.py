"""A site whose references are known: where each stands, what it is meant to lead to, and where it leads.

- A file is a list of literal bytes and of references, by number. What follows a reference has a number in it that
  stands nowhere else: so it is known what stands there now if the file has changed.
- Where a reference leads is found by `urllib.parse.urljoin` and the names of the files: nothing of rehref is used.
- Files can be moved, and references be others: `moved` and `values` say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote, urljoin

from checked.made_forms import Form

Chunk: TypeAlias = bytes | int


class Truth(NamedTuple):
    """Where a reference is meant to lead: a file, by the path it has at first, and an id in it."""

    path: str
    fragment: str | None


class Reference(NamedTuple):
    """A reference as it is at first: the file it stands in, what it is, and means.

    `truth`: None of a base. `base`: the number of the reference that is its base; None if that is the file's URI.
    """

    file: str
    value: str
    truth: Truth | None
    form: Form
    base: int | None


@dataclass(slots=True)
class Page:
    """A file with references: its path at first, how it is encoded, what is in it, and what fragments can name."""

    path: str
    encoding: str = "utf-8"
    line_end: str = "\n"
    base: int | None = None
    chunks: list[Chunk] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def write(self, text: str) -> None:
        self.chunks.append(text.replace("\n", self.line_end).encode(self.encoding))


@dataclass(slots=True)
class Site:
    """A site. `uri`: that of its folder.

    `pages`: files that are written here, `others`: files in which there are no references; by the paths they have at
    first. `moved`: paths that files have now, by those. `values`: what references are now, by number, if they differ.
    """

    uri: str
    references: list[Reference] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    values: dict[int, str] = field(default_factory=dict)

    # where it leads

    def base_of(self, file: str, base: int | None) -> str:
        """The base of references in a file, if the reference with number `base` sets it."""
        uri = self.uri + quote(self.moved.get(file, file))
        return uri if base is None else urljoin(uri, self.value(base))

    def value(self, number: int) -> str:
        """What a reference is now."""
        return self.values.get(number, self.references[number].value)

    def leads_to(self, number: int, value: str | None = None) -> Truth | None:
        """Where a reference leads, or would with another value: to a file that is there, and an id in it; else None."""
        reference = self.references[number]
        base = self.base_of(reference.file, reference.base)
        target, _, fragment = urljoin(base, self.value(number) if value is None else value).partition("#")
        if not target.startswith(self.uri):
            return None
        path = unquote(target.removeprefix(self.uri).partition("?")[0])
        file = self.file_at(path) or self.file_at(f"{path.removesuffix('/')}/index.html".lstrip("/"))
        if file is None or fragment == "":
            return None if file is None else Truth(file, None)
        name = unquote(fragment)
        return Truth(file, name) if file in self.pages and name in self.pages[file].ids else None

    def file_at(self, path: str) -> str | None:
        """The file that has a path now, by the one it had at first."""
        if path in self.moved:
            return None
        for before, now in self.moved.items():
            if now == path:
                return before
        return path if path in self.pages or path in self.others else None

    def is_right(self, number: int) -> bool:
        """Whether a reference leads where it is meant to; of a base: whether it is what it was."""
        reference = self.references[number]
        return (
            self.value(number) == reference.value
            if reference.truth is None
            else self.leads_to(number) == reference.truth
        )

    # on the disk

    def bytes_of(self, path: str) -> bytes:
        """The bytes of a page that had this path at first, as it is now."""
        return b"".join(
            chunk if isinstance(chunk, bytes) else self.references[chunk].form.write(self.value(chunk))
            for chunk in self.pages[path].chunks
        )

    def write_to(self, folder: Path) -> None:
        """Write all files into an empty folder."""
        for path in (*self.pages, *self.others):
            file = folder / self.moved.get(path, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.bytes_of(path) if path in self.pages else b"\x89PNG " + path.encode())

    def read_from(self, folder: Path) -> Mapping[int, bytes]:
        """What stands in the files where references are, by number. Fails if anything else has changed."""
        found: dict[int, bytes] = {}
        for path, page in self.pages.items():
            data = (folder / self.moved.get(path, path)).read_bytes()
            at = 0
            for index, chunk in enumerate(page.chunks):
                if isinstance(chunk, bytes):
                    assert data.startswith(chunk, at), (path, chunk, data[at : at + 200])
                    at += len(chunk)
                else:
                    after = page.chunks[index + 1]
                    assert isinstance(after, bytes)
                    end = data.index(after, at)
                    found[chunk] = data[at:end]
                    at = end
            assert at == len(data)
        for path in self.others:
            assert (folder / self.moved.get(path, path)).read_bytes() == b"\x89PNG " + path.encode()
        return found

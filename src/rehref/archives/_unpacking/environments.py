"""The encodings of style sheets and scripts of a web archive that declare none (`inherited_encodings`).

Which documents refer to them is looked for only if there are such files, and pages in another encoding than UTF-8. Of
documents with different encodings the first one in the archive counts; the file is in one encoding in the copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from rehref.archives.saved_captures import CapturePlan, FindAt
from rehref.containers.inherited_encodings import ATTRIBUTES, REFERRING, Referring, inherited, inherits
from rehref.containers.parts import Diagnostic, Part
from rehref.documents.base import Layers
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of
from rehref.rewriting.offline_rule import comparable

_UTF_8 = "utf-8"


@dataclass(slots=True)
class Environments:
    """What the captures of an archive are, as far as it matters; `of`: the encodings of files, by path."""

    of: dict[str, str] = field(default_factory=dict)
    _inheriting: set[int] = field(default_factory=set)
    _has_other: bool = False

    def look_at(self, number: int, part: Part) -> None:
        """Look at the body of a capture."""
        if inherits(part.data, part.media_type, part.encoding):
            self._inheriting.add(number)
        elif not self._has_other and MediaType.of(part.media_type) in MediaType.PAGES and part.encoding != _UTF_8:
            name = encoding_of(
                part.data, MediaType.of(part.media_type), part.encoding, is_response=part.is_response
            ).name
            self._has_other = name != _UTF_8

    def referring(self, plan: CapturePlan) -> set[int]:
        """Return the numbers of the captures to look for references in; none if it does not matter."""
        if not (self._inheriting and self._has_other):
            return set()
        return {entry.number for entry in plan.entries if entry.path and entry.media_type in REFERRING}

    def find(self, plan: CapturePlan, bodies: Iterable[tuple[int, Part]], how: ReadOptions) -> Iterator[Diagnostic]:
        """Find the encodings of files that declare none; yield what is odd. `bodies`: of the captures that refer."""
        found = inherited(_referring(plan, bodies, replace(how, attributes=ATTRIBUTES)))
        for path in sorted({entry.path for entry in plan.entries if entry.number in self._inheriting} & found.keys()):
            self.of[path], *others = found[path]
            if others:
                what = f"{path} is read as {self.of[path]}, which the first page that refers to it has"
                yield Diagnostic("", f"{what}; others have {', '.join(others)}", code="odd")


def _referring(plan: CapturePlan, bodies: Iterable[tuple[int, Part]], how: ReadOptions) -> Iterator[Referring]:
    """Yield what captures refer to; those that cannot be read are reported when they are written."""
    for number, part in bodies:
        for entry in plan.files.get(number, ()):
            find = FindAt(plan, entry.date)
            with suppress(Exception):
                document = part._replace(layers=Layers(retrieval=entry.uri)).opened(how)
                yield Referring.of(entry.path, document, partial(_path_of, find), part.encoding)


def _path_of(find: FindAt, uri: str) -> str | None:
    return find(comparable(uri))

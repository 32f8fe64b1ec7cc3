"""The encodings of style sheets and scripts of a web archive that declare none (`inherited_encodings`).

Which documents refer to them is looked for only if there are such files, and pages in another encoding than UTF-8. Of
documents with different encodings the first one in the archive counts; the file is in one encoding in the copy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rehref.archives.saved_captures import CapturePlan, Saved
from rehref.containers.inherited_encodings import (
    ATTRIBUTES,
    ImportingSheet,
    PassedOn,
    declared_by,
    inherits,
    pass_on,
    passed_on,
)
from rehref.containers.parts import Diagnostic, Part
from rehref.documents.base import Layers
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of
from rehref.rewriting.offline_rule import comparable

_REFERRING = (*MediaType.PAGES, MediaType.CSS)
_UTF_8 = "utf-8"


@dataclass(slots=True)
class Environments:
    """What the captures of an archive are, as far as it matters; `of`: the encodings of files, by path."""

    of: dict[str, str] = field(default_factory=dict)
    _inheriting: set[int] = field(default_factory=set)
    _has_other: bool = False

    def look_at(self, number: int, part: Part) -> None:
        """Look at the body of a capture."""
        if inherits(part.data, part.media_type, part.charset):
            self._inheriting.add(number)
        elif not self._has_other and MediaType.of(part.media_type) in MediaType.PAGES and part.charset != _UTF_8:
            name = encoding_of(
                part.data, MediaType.of(part.media_type), part.charset, is_response=part.is_response
            ).name
            self._has_other = name != _UTF_8

    def referring(self, plan: CapturePlan) -> set[int]:
        """Return the numbers of the captures to look for references in; none if it does not matter."""
        if not (self._inheriting and self._has_other):
            return set()
        return {entry.number for entry in plan.entries if entry.path and entry.media_type in _REFERRING}

    def find(self, plan: CapturePlan, bodies: Iterable[tuple[int, Part]], how: ReadOptions) -> Iterator[Diagnostic]:
        """Find the encodings of files that declare none; yield what is odd. `bodies`: of the captures that refer."""
        imports: dict[str, ImportingSheet] = {}
        found = defaultdict[str, list[str]](list)
        how = replace(how, attributes=ATTRIBUTES)
        for number, part in bodies:
            for entry in plan.files.get(number, ()):
                led = [(plan.find(comparable(uri), entry.date), name) for uri, name in _passed_on(part, entry, how)]
                if entry.media_type == MediaType.CSS:
                    paths = [path for path, _ in led if path is not None]
                    imports[entry.path] = ImportingSheet(declared_by(part.data, part.charset), paths)
                    continue
                for path, name in led:
                    if path is not None and name not in found[path]:
                        found[path].append(name)
        pass_on(found, imports)
        for path in sorted({entry.path for entry in plan.entries if entry.number in self._inheriting} & found.keys()):
            self.of[path], *others = dict.fromkeys(found[path])
            if others:
                what = f"{path} is read as {self.of[path]}, which the first page that refers to it has"
                yield Diagnostic("", f"{what}; others have {', '.join(others)}", code="odd")


def _passed_on(part: Part, entry: Saved, how: ReadOptions) -> list[PassedOn]:
    """Return what a document refers to; nothing if it cannot be read, which is reported when it is written."""
    try:
        document = part._replace(layers=Layers(retrieval=entry.uri)).opened(how)
        return list(passed_on(document))
    except Exception:
        return []

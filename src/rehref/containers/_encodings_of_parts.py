"""The encodings that style sheets and scripts of a container inherit (`rehref.containers.inherited_encodings`).

When the first one asks that is not UTF-8, the container is read once more, if it can be (`referring_documents`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, TypeAlias

from rehref.containers.parts import ContainerOptions, Diagnostic, Part, WantsDocument
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.text.large_bytes import is_utf_8

ReadParts: TypeAlias = Callable[[BinaryIO, ContainerOptions, WantsDocument], Iterator[Part | Diagnostic]]


class EncodingsOfParts:
    """Finds the encodings of the parts of a container, which is at its beginning when this is made."""

    def __init__(
        self,
        read: ReadParts,
        file: BinaryIO,
        options: ContainerOptions,
        how: ReadOptions,
        *,
        is_stream: bool,
        as_files: bool,
    ) -> None:
        """`read`: reads the container, `how`: documents are read. `is_stream`, `as_files`: see `Container`."""
        self._read, self._file, self._options, self._how = read, file, options, how
        self._start = file.tell() if file.seekable() else None
        self._is_divided = is_stream and (self._start == 0 or options.within is not None)
        self._as_files = as_files
        self._found: dict[int, Mapping[str, str]] = {}

    def applied(self, part: Part) -> Part:
        """Return a part with the encoding that it has by the pages which refer to it."""
        kind = MediaType.of(part.media_type)
        if self._start is None or not (self._as_files or kind == MediaType.CSS) or is_utf_8(part.data):
            return part
        from rehref.containers._referring_documents import key_of  # few containers have such parts
        from rehref.containers._warc.borders import STRETCH
        from rehref.containers.inherited_encodings import depends, inherits

        if not (inherits if self._as_files else depends)(part.data, kind, part.encoding):
            return part
        stretch = part.offset // STRETCH if self._is_divided else 0
        if stretch not in self._found:
            self._found[stretch] = self._near(stretch, self._start)
        name = self._found[stretch].get(key_of(part))
        return part if name is None else part._replace(encoding=name)

    def _near(self, stretch: int, start: int) -> Mapping[str, str]:
        """The encodings of what is near a stretch of the container. Its file stays where it is.

        Of an archive that may be divided, only what is near is read (`borders.neighborhood`): so its pieces give what
        the whole gives, and none of them takes much longer for it.
        """
        from rehref.containers._referring_documents import encodings_in, may_refer
        from rehref.containers._warc.borders import neighborhood

        file = self._file
        here = file.tell()
        try:
            within = neighborhood(file, stretch) if self._is_divided else None
            file.seek(start if within is None else within.start)
            found = self._read(file, self._options._replace(within=within), may_refer)
            return encodings_in((part for part in found if isinstance(part, Part)), self._how)
        finally:
            file.seek(here)

"""The encodings of the style sheets of a folder or a site that declare none (`rehref.containers.inherited_encodings`).

They matter only for references that are not ASCII. Then all pages and style sheets are read, when the first such sheet
asks for it, and once in each process. Of pages with different encodings the first one in the order of paths counts,
which is reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from rehref.containers.inherited_encodings import (
    ImportingSheet,
    declared_by,
    inherits,
    pass_on,
    passed_on,
)
from rehref.documents.document import Document
from rehref.documents.media_types import MediaType
from rehref.text.encoding import lookup
from rehref.uri.syntaxes import SYNTAXES

REFERRING = (MediaType.HTML, MediaType.XHTML, MediaType.CSS)
"""The media types of documents that may refer to style sheets."""


def depends(data: bytes, media_type: str | None, charset: str | None) -> bool:
    """Return whether the references of a document depend on the documents that refer to it. `charset`: as sent."""
    if media_type != MediaType.CSS or not inherits(data, media_type, charset):
        return False
    return any(not each.text.isascii() for each in SYNTAXES["css"].find(data.decode("latin-1")))


def disagreement(several: Mapping[str, Sequence[str]]) -> str:
    """Return what to report about style sheets that pages with several encodings refer to; "" if there are none.

    `several`: these encodings, by path, as it is shown; the first one counts.
    """
    if not several:
        return ""
    path, (first, *others) = min(several.items())
    more = f" (and {len(several) - 1:,} more such)" if len(several) > 1 else ""
    what = f"{path} is read as {first}, which the first page that refers to it has"
    return f"{what}; others have {', '.join(others)}{more}"


class SheetEncodings:
    """The encodings of style sheets, by path, once somebody has asked.

    `several`: those of sheets that were asked about, and that pages with several encodings refer to.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths`: those of all documents."""
        self._paths = paths
        self._found: dict[str, list[str]] | None = None
        self.several: dict[str, list[str]] = {}

    def of(
        self,
        path: str,
        read: Callable[[str], Document | None],
        sent: Callable[[str], str | None],
        path_of: Callable[[str], str | None],
    ) -> str | None:
        """Return the encoding that a style sheet inherits; None if nothing refers to it.

        `read`: reads a document, if it may refer to style sheets; `sent`: returns the charset that it is sent with;
        `path_of`: returns the path that a URI leads to.
        """
        if self._found is None:
            self._found = {}
            found = defaultdict[str, list[str]](list)
            sheets: dict[str, ImportingSheet] = {}
            for each in sorted(self._paths):
                document = read(each)
                if document is None:
                    continue
                led = [(path_of(uri), encoding) for uri, encoding in passed_on(document)]
                if document.media_type == MediaType.CSS:
                    data, charset = document.source.data, sent(each)
                    assert isinstance(data, bytes)
                    declared = declared_by(data, None if charset is None else lookup(charset))
                    sheets[each] = ImportingSheet(declared, [target for target, _ in led if target is not None])
                    continue
                for target, encoding in led:
                    if target is not None and encoding not in found[target]:
                        found[target].append(encoding)
            pass_on(found, sheets)
            self._found = dict(found)
        encodings = self._found.get(path, [])
        if len(encodings) > 1:
            self.several[path] = encodings
        return encodings[0] if encodings else None

"""Document formats (HTML, XML, CSS, plain text, …): one module for each.

A module takes a `Source` and `ReadOptions`, finds the references, and says what they are relative to. To add a format,
add a module with a `FORMAT` (see `format_contract.py`), and its media types and file extensions to
`documents/media_types.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from rehref.documents.base import Layers
    from rehref.documents.document import Document
    from rehref.documents.options import ReadOptions
    from rehref.text.encoding import Sniffed, Source

Sniff: TypeAlias = "Callable[[bytes, str | None, bool], Sniffed]"


class DocumentFormat(NamedTuple):
    """The functions that read documents of one format."""

    read: Callable[[Source, Layers, ReadOptions], Document]
    sniff: Sniff

"""What changes the plain pages of an archive (`plain_pages`), for code that is to import little."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rehref.containers.warc.plain_pages import PlainPage
    from rehref.options import ReadOptions
    from rehref.text.large_bytes import AnyBytes


class PageChanges(NamedTuple):
    """How plain pages are read, and the function that returns the changed page; None: it stays as it is."""

    how: ReadOptions
    change: Callable[[PlainPage], AnyBytes | None]

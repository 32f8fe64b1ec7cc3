"""Prints the walks of a page: into which modules it goes from `rehref.links` to its links, and in a check to a finding.

A page goes into a module when another one passes it to a function there: its bytes, or what has been made of them
(`FORMS`). The methods of these values do not count, and `HELPERS` (functions on texts) are printed, but not counted
either. The references of the page are ordinary ones, and what can be imported or remembered before is.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

import rehref
from rehref.documents._table.complete_table import Table
from rehref.documents.document import Document
from rehref.files.file_documents import FileDocument
from rehref.files.sources import Opened
from rehref.markup.places import CompleteParsed
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_page import SitePage
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

PAGE: Final = b"<!doctype html><title>t</title><a href=gone.html id=i>a</a><a href=page.html>b</a><a href=#i>c</a>"
URL: Final = "http://example.org/"
FORMS: Final = (Source, SourceText, CompleteParsed, Document, Table, SitePage, ReadPage, Opened, FileDocument)
HELPERS: Final = ("rehref.text.", "rehref.uri.")


class Stop(NamedTuple):
    """A module that a page goes into, by which function, and from which module."""

    module: str
    function: str
    before: str


def walk(read: Callable[[], object]) -> list[Stop]:
    """The stops of the page while a function reads it, in order."""
    found: list[Stop] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        module, code, caller = _module(frame), frame.f_code, frame.f_back
        is_resumed = bool(code.co_flags & inspect.CO_GENERATOR) and frame.f_lasti > 4
        if event != "call" or module == "" or is_resumed:
            return
        while caller is not None and _module(caller) == "":
            caller = caller.f_back
        before = "" if caller is None else _module(caller)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if before != module and any(_is_page(frame.f_locals.get(name)) for name in names if name != "self"):
            found.append(Stop(module, code.co_name, before))

    read()
    sys.setprofile(watch)
    try:
        read()
    finally:
        sys.setprofile(None)
    return found


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name if name.startswith("rehref.") else ""


def _is_page(value: object) -> bool:
    return isinstance(value, FORMS) or (type(value) is bytes and value == PAGE)


def to_links() -> list[Stop]:
    """The walk from `rehref.links` to the links."""
    return walk(lambda: rehref.links(PAGE, url=URL))


def to_finding() -> list[Stop]:
    """The walk in a check of a folder to the findings about the page."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "page.html").write_bytes(PAGE)
        return walk(lambda: rehref.check(folder, site_url=URL))


def visits(stops: Sequence[Stop]) -> Counter[str]:
    """How often the page goes into each module, helpers aside."""
    return Counter(stop.module for stop in stops if not stop.module.startswith(HELPERS))


if __name__ == "__main__":
    for name, stops in (("rehref.links", to_links()), ("rehref.check", to_finding())):
        print(f"{name}:")
        for module, function, before in stops:
            print(f"  {module}: {function}" + (f", from {before}" if before else ""))
        print(
            "  more than once:", {module: times for module, times in visits(stops).items() if times > 1} or "none", "\n"
        )

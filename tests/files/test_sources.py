"""A source goes one way: in at the door, and on to what finds the first place, without coming back."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from crawl import response
from rehref.cli.program import program
from rehref.containers.kinds import HEAD
from rehref.documents.options import ReadOptions

PAGE = "<meta charset=utf-8>" + "<p>text</p>" * (HEAD // 8) + "<a href=x>"
"""A page that is longer than any beginning of it that is looked at."""


def is_source(value: object, sources: tuple[object, ...], depth: int = 0) -> bool:
    """Whether a value is the source, or holds it."""
    if isinstance(value, str | bytes | Path):
        return any(type(value) is type(source) and value == source for source in sources)
    if isinstance(value, io.BytesIO):
        return is_source(value.getvalue(), sources)
    if isinstance(value, tuple):
        return depth < 2 and any(is_source(item, sources, depth + 1) for item in value)
    names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
    ours = type(value).__module__.startswith("rehref.")
    return ours and depth < 2 and any(is_source(getattr(value, name, None), sources, depth + 1) for name in names)


def entered(read: Callable[[], object], *sources: object) -> list[str]:
    """The modules that a source is handed to by others, in order, until it is scanned."""
    found: list[str] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        module, code = frame.f_globals.get("__name__", ""), frame.f_code
        scanned = found and found[-1] in ("rehref.markup.twin", "rehref.markup._source.scan")
        if event != "call" or scanned or not module.startswith("rehref.") or frame.f_lasti > 4:
            return  # a generator that goes on is not entered
        caller = frame.f_back
        while caller is not None and not caller.f_globals.get("__name__", "").startswith("rehref."):
            caller = caller.f_back
        if caller is not None and caller.f_globals["__name__"] == module:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if any(is_source(frame.f_locals.get(name), sources) for name in names):
            found.append(module)

    read()  # what is imported or remembered is so the second time
    sys.setprofile(watch)
    try:
        read()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("kind", ["bytes", "str", "path"])
def test_a_source_enters_eleven_modules_at_most_and_none_of_them_twice(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    source: Any = {"bytes": PAGE.encode(), "str": PAGE, "path": path}[kind]
    modules = entered(lambda: rehref.links(source), source, PAGE.encode(), PAGE)
    assert modules[:2] == ["rehref.api", "rehref.files.sources"]
    assert modules[-1].startswith(("rehref.markup._source.", "rehref.markup.twin"))
    assert len(modules) <= 11
    assert len(modules) == len(set(modules)), modules


OPENED: list[str] = []
"""The files that were opened to be read, since the list was emptied: a hook stays for as long as its process."""
PAGES = {
    "page.html": b"<!doctype html><title>t</title><a href=#a id=a>",
    "noname": b"<!doctype html><title>t</title><a href=#a id=a>",
    "packed.html.gz": gzip.compress(b"<!doctype html><title>t</title><a href=#a id=a>"),
    "a.warc.gz": response("http://h/a", b"<!doctype html><a href=x>"),
    "m.mhtml": b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<a href=x>",
}


@pytest.fixture(scope="module")
def _hooked() -> None:
    sys.addaudithook(_record)


def _record(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | os.PathLike):
        path, _, flags = arguments
        OPENED.extend([] if flags & (os.O_WRONLY | os.O_RDWR) else [Path(path).name])


@pytest.mark.usefixtures("_hooked")
@pytest.mark.parametrize(
    "way", ["links", "rewrite", "links --quiet", "rewrite --url http://h/ -o OUT", "check --site-url http://h/"]
)
def test_a_file_is_opened_once(tmp_path: Path, way: str) -> None:
    """A folder is listed first: a file in it whose name does not say what it is is looked at, as is one of `check`."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, content in PAGES.items():
        (folder / name).write_bytes(content)
    named = [folder / name for name in PAGES] if "check" not in way else []
    for source in [*named, *([] if way == "rewrite" else [folder])]:
        OPENED.clear()
        if way in ("links", "rewrite"):
            getattr(rehref, way)(source)
        else:
            arguments = way.replace("OUT", str(tmp_path / f"{source.name}.out")).split()
            assert CliRunner().invoke(program, [*arguments, str(source)]).exit_code == 0
        expected = Counter(list(PAGES) if source == folder else [source.name])
        if source == folder:
            expected["noname"] += 1
            if "-o" in way:  # which pages have hashes of files must be known before one of these changes
                expected.update(["page.html", "noname", "packed.html.gz"])
        if "check" in way:
            expected -= Counter(["a.warc.gz", "m.mhtml"])
        assert Counter(each for each in OPENED if each in PAGES) == expected


def test_an_attribute_that_is_none_is_refused_before_anything_is_read() -> None:
    for source in (b"<a href=x>", b"HTTP/1.1 200 OK\r\n\r\n", "a{}"):
        with pytest.raises(ValueError, match="does not name an attribute"):
            rehref.links(source, attributes=["a@b c@"])
    assert ReadOptions().attributes == ()

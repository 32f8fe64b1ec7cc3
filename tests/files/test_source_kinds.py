"""What can be handed to `rehref.links`, and the diagnostics of a container that reach the caller."""

from __future__ import annotations

import doctest
import gzip
import io
import logging
import socket
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import rehref
from crawl import response
from rehref.documents.options import DECLARED, Given, ReadOptions, SourceOptions

CONTAINERS = Path(__file__).parents[2] / "fixtures" / "containers"
PAGE = b"<base href='http://h/a/'>" + b"<p>text</p>" * 40_000 + b"<a href=x>"
WACZ = (CONTAINERS / "pages.wacz").read_bytes()
WARC = (CONTAINERS / "pages.warc.gz").read_bytes()
EPUB = (CONTAINERS / "book.epub").read_bytes()


class Short:
    """Gives a few bytes at a time, cannot seek, and says nothing about itself."""

    def __init__(self, data: bytes, most: int = 1000) -> None:
        self._data, self._most = io.BytesIO(data), most

    def read(self, size: int = -1) -> bytes:
        return self._data.read(self._most if size < 0 else min(size, self._most))


class Whole:
    """Gives all there is, whenever it is asked (as the responses of some HTTP libraries do)."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self) -> bytes:
        return self._data


class Generous(Short):
    """Gives more than it is asked for, in a bytearray."""

    def read(self, size: int = -1) -> bytes:
        return bytearray(self._data.read(size + 5000 if size > 0 else size))  # type: ignore[return-value]


class Liar(Short):
    """Says that it can seek, and cannot."""

    def seekable(self) -> bool:
        return True

    def seek(self, *_: object) -> int:
        raise AssertionError

    def tell(self) -> int:
        raise AssertionError


class Raw(io.RawIOBase):
    """A raw stream as the io module has them, which gives a little at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._data.read(min(len(buffer), 777))
        buffer[: len(piece)] = piece
        return len(piece)


MAKERS: list[Callable[[bytes], Any]] = [Short, Whole, Generous, Liar, Raw, io.BytesIO]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("data", [PAGE, WARC, WACZ, EPUB, b""], ids=["page", "warc", "wacz", "epub", "empty"])
def test_whatever_has_read_is_a_source(maker: Callable[[bytes], Any], data: bytes) -> None:
    expected = rehref.links(data, url="http://u/")
    assert rehref.links(maker(data), url="http://u/") == expected
    assert rehref.rewrite(maker(data), url="http://u/") == rehref.rewrite(data, url="http://u/")


@pytest.mark.parametrize("data", [PAGE, WACZ], ids=["page", "wacz"])
def test_a_temporary_file_is_a_source(data: bytes) -> None:
    for make in (tempfile.SpooledTemporaryFile, tempfile.NamedTemporaryFile, tempfile.TemporaryFile):
        with make() as file:
            file.write(data)
            file.seek(0)
            assert rehref.links(file) == rehref.links(data)


def test_a_socket_file_is_a_source() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(PAGE[-200:])
        theirs.shutdown(socket.SHUT_WR)
        with ours.makefile("rb") as file:
            assert [link.reference for link in rehref.links(file)] == ["x"]
            assert not file.closed


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # warcio's temporary files
def test_a_record_of_warcio_is_a_source() -> None:
    from warcio.archiveiterator import ArchiveIterator

    seen = []
    for record in ArchiveIterator(io.BytesIO(WARC)):
        if record.rec_type == "response" and "html" in record.http_headers.get_header("Content-Type", ""):
            url = record.rec_headers.get_header("WARC-Target-URI")
            seen += [link.target for link in rehref.links(record.content_stream(), url=url)]
    assert seen
    assert set(seen) <= {link.target for link in rehref.links(WARC)}


def test_it_is_read_from_where_it_stands_and_stays_open() -> None:
    file = io.BytesIO(b"<a href=no><a href=x>")
    file.seek(11)
    assert [link.reference for link in rehref.links(file)] == ["x"]
    assert not file.closed


class _Nothing(Short):
    def read(self, size: int = -1) -> bytes:
        return None  # type: ignore[return-value]


def test_what_is_no_source_is_reported_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<a href=x>")
    with (tmp_path / "a.html").open() as file, pytest.raises(TypeError, match="binary mode"):
        rehref.links(file)  # type: ignore[arg-type]

    class Text:
        def read(self, size: int = -1) -> str:
            return "<a>"

    with pytest.raises(TypeError, match="binary mode"):
        rehref.links(Text())  # type: ignore[arg-type]
    with pytest.raises(BlockingIOError):
        rehref.links(_Nothing(b""))


# --- options


def test_the_options_are_one_list() -> None:
    declared = {
        each.name: each.type
        for of in (SourceOptions, ReadOptions)
        for each in fields(of)
        if each.name not in ("how", "names", "metas", "mdx_by_name")  # which nobody gives
    }
    assert declared == Given.__annotations__
    assert declared.keys() == DECLARED.keys()


def test_attributes_may_be_a_list() -> None:
    assert [link.reference for link in rehref.links("<p data-x=y>", attributes=["*@data-x"])] == ["y"]


# --- one after the other


class Endless:
    """A WARC without an end, of which is counted what was read."""

    def __init__(self) -> None:
        self.given = 0
        self._record = record(0, b"<a href=x>" * 3)

    def read(self, size: int) -> bytes:
        self.given += 1
        return self._record


def test_a_warc_is_read_record_by_record() -> None:
    source = Endless()
    found = rehref.iter_links(source)
    assert source.given == 0
    assert next(found).target == "http://h/x"
    assert source.given < 5000
    for _ in range(10_000):
        next(found)
    assert source.given < 20_000


def test_a_file_is_opened_with_the_first_link_and_closed(tmp_path: Path) -> None:
    found = rehref.iter_links(tmp_path / "no.html")
    with pytest.raises(FileNotFoundError):
        next(found)
    (tmp_path / "a.html").write_bytes(b"<a href=x>")
    assert [link.reference for link in rehref.iter_links(tmp_path / "a.html")] == ["x"]


# --- diagnostics


def gathered(source: bytes, **options: Any) -> tuple[list[rehref.Link], list[rehref.Diagnostic]]:
    diagnostics: list[rehref.Diagnostic] = []
    return rehref.links(source, on_diagnostic=diagnostics.append, **options), diagnostics


def record(number: int, body: bytes) -> bytes:
    return gzip.decompress(response(f"http://h/{number}", body, number=number))


PAGES = [record(number, b"<a href=p%d>" % number * 200) for number in range(3)]


@pytest.fixture(params=[b"".join, lambda records: b"".join(map(gzip.compress, records))], ids=["plain", "gzip"])
def truncated(request: pytest.FixtureRequest) -> Callable[[int], bytes]:
    """Makes a WARC of so many records, the last of which ends in its middle."""
    join = request.param
    return lambda number: join(PAGES[:number])[: -len(join(PAGES[number - 1 : number])) // 2]


def test_what_can_be_read_is_read_and_the_diagnostics_reported(
    truncated: Callable[[int], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    links, diagnostics = gathered(truncated(3))
    assert len(links) == 400
    assert [diagnostic.code for diagnostic in diagnostics] == ["truncated"]
    assert "the file ends within" in diagnostics[0].message
    assert "byte" in diagnostics[0].where
    assert not caplog.records


def test_without_a_listener_diagnostics_are_logged(
    truncated: Callable[[int], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "rehref"):
        assert len(rehref.links(truncated(2))) == 200
    assert len(caplog.records) == 1


def test_where_nothing_can_be_read_that_is_an_error(truncated: Callable[[int], bytes], tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(truncated(1))
    for source in (truncated(1), file):
        diagnostics: list[rehref.Diagnostic] = []
        with pytest.raises(rehref.ContainerError) as raised:
            rehref.links(source, on_diagnostic=diagnostics.append)
        assert list(raised.value.diagnostics) == diagnostics
        assert [diagnostic.code for diagnostic in diagnostics] == ["truncated"]
        assert "the file ends within" in str(raised.value)
    found = rehref.iter_links(file)
    with pytest.raises(rehref.ContainerError):
        next(found)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_an_archive_that_was_cut_off_anywhere_in_its_first_record_says_so(pack: Callable[[bytes], bytes]) -> None:
    whole = pack(record(1, b"".join(b"<a href=%x>" % (number * number) for number in range(500))))
    for size in [*range(10, 200), len(whole) // 2, len(whole) - 20]:
        diagnostics: list[rehref.Diagnostic] = []
        with pytest.raises(rehref.ContainerError):
            rehref.links(whole[:size], on_diagnostic=diagnostics.append)
        assert [diagnostic.code for diagnostic in diagnostics] == ["truncated"], size


def test_a_container_without_documents_is_no_error() -> None:
    picture = PAGES[0].replace(b"text/html", b"image/gif")
    assert gathered(picture) == ([], [])


def test_rewriting_copies_what_it_cannot_read_and_tells(truncated: Callable[[int], bytes]) -> None:
    for number in (1, 3):
        diagnostics: list[rehref.Diagnostic] = []
        source = truncated(number)
        assert rehref.rewrite(source, lambda link: None, on_diagnostic=diagnostics.append) == source
        assert [diagnostic.code for diagnostic in diagnostics] == ["truncated"]
        out = io.BytesIO()
        rehref.rewrite_into(source, out, lambda link: None, on_diagnostic=diagnostics.append)
        assert out.getvalue() == source
        assert len(diagnostics) == 2


@pytest.mark.parametrize("data", [WACZ, EPUB], ids=["wacz", "epub"])
def test_a_zip_that_was_cut_off_says_so_and_stays(data: bytes, tmp_path: Path) -> None:
    for size in (40, 200, len(data) // 2, len(data) - 30):
        file = tmp_path / "book"
        file.write_bytes(data[:size])
        for source in (data[:size], file, Short(data[:size])):
            with pytest.raises(rehref.ContainerError, match="the file is cut off") as raised:
                rehref.links(source)
            assert [diagnostic.code for diagnostic in raised.value.diagnostics] == ["damaged"]
        assert rehref.rewrite(data[:size], url="http://h/") == data[:size]


def test_another_zip_is_no_container_and_text_that_begins_so_is_none() -> None:
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("word/document.xml", "<a/>")
    for data in (other.getvalue(), b"PK <a href=x>"):
        assert not gathered(data)[1]


def test_what_the_page_on_containers_shows_is_what_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    text = (root / "docs" / "containers.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, "containers.md", None, 0)
    assert examples.examples
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        runner = doctest.DocTestRunner(verbose=False)
        assert runner.run(examples).failed == 0


def test_half_a_character_cannot_be_written() -> None:
    out = io.BytesIO()
    with pytest.raises(ValueError, match=r"^the source cannot be written in UTF-8: half a character \(U\+D800\) at 3"):
        rehref.rewrite_into("<p>\ud800", out, url="http://h/")
    assert out.getvalue() == b""
    assert rehref.rewrite("<p>\ud800", url="http://h/") == "<p>\ud800"


def test_a_container_in_a_folder_is_named_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"<a href=x>")
    (tmp_path / "book.epub").write_bytes(b"PK\x03\x04 and nothing else")
    found: list[rehref.Diagnostic] = []
    rehref.links(tmp_path, on_diagnostic=found.append)
    assert [each.where for each in found] == [f"{tmp_path}/book.epub"]

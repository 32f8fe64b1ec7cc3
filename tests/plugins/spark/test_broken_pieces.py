"""What cannot be read of a piece is bounded (the part that needs no Spark)."""

from __future__ import annotations

import gzip
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from rehref.archives.links_of_many import file_at
from rehref.archives.pieces import Piece
from rehref.documents.options import SourceOptions
from rehref.plugins.spark._broken_pieces import MOST, BrokenRecord
from rehref.plugins.spark._read_links import _LinksOfContents, _LinksOfPieces
from spark_collection import record


class Added:
    """Stands for an accumulator."""

    value: frozenset[BrokenRecord] = frozenset()

    def add(self, more: frozenset[BrokenRecord]) -> None:
        self.value |= more


@pytest.mark.parametrize("more", [0, 3])
def test_no_more_than_some_are_kept_and_the_others_counted(tmp_path: Path, more: int) -> None:
    file = tmp_path / "a.warc.gz"
    good = record(1, random.Random(1))
    bad = gzip.compress(b"WARC/1.1\r\nnot a record\r\n\r\n", mtime=0)
    file.write_bytes((good + bad) * (MOST + more))
    added = Added()
    how = SourceOptions()
    rows = list(_LinksOfPieces(how, added)([Piece((file_at(str(file), how),), 0)]))
    assert len(rows) == 2 * (MOST + more)
    others = [each for each in added.value if each.code == "more"]
    assert len(added.value) - len(others) == MOST
    assert others == ([BrokenRecord(str(file), "", "more", "3 more cannot be read")] if more else [])


def test_what_is_not_a_document_is_not_broken(tmp_path: Path) -> None:
    image = tmp_path / "a.html"
    image.write_bytes(b"\x89PNG\r\n\x1a\n")
    added = Added()
    how = SourceOptions()
    assert list(_LinksOfPieces(how, added)([Piece((file_at(str(image), how),), 0)])) == []
    assert added.value == frozenset()


def test_a_message_says_what_to_do(tmp_path: Path) -> None:
    added = Added()
    how = SourceOptions()
    missing = str(tmp_path / "a.html")
    assert list(_LinksOfPieces(how, added)([Piece((file_at(missing, how),), 0)])) == []
    (found,) = added.value
    assert found == BrokenRecord(missing, "", "unreadable", "cannot be read: no such file or directory; check the name")


REMOTE: Mapping[str, bytes] = {
    "hdfs://h/dir/page.html": b"<a href=x>",
    "hdfs://h/dir/notes.txt": b"see http://h/ there",
    "hdfs://h/dir/image.png": b"\x89PNG\r\n\x1a\n",
    "hdfs://h/dir/short.gz": b"\x1f\x8b\x08\0",
}


def test_of_a_remote_folder_only_documents_are_read() -> None:
    added = Added()
    rows = [(uri, len(data), bytearray(data)) for uri, data in REMOTE.items()]
    found = list(_LinksOfContents(_LinksOfPieces(SourceOptions(), added), frozenset({"hdfs://h/dir/"}))(rows))
    assert [row[0] for row in found] == ["hdfs://h/dir/page.html"]
    assert added.value == frozenset()


def test_a_remote_file_that_is_named_is_read() -> None:
    added = Added()
    rows = [(uri, len(data), bytearray(data)) for uri, data in REMOTE.items()]
    found = list(_LinksOfContents(_LinksOfPieces(SourceOptions(), added), frozenset(REMOTE))(rows))
    assert [row[0] for row in found] == ["hdfs://h/dir/page.html", "hdfs://h/dir/notes.txt"]
    assert {each.document for each in added.value} == {"hdfs://h/dir/image.png", "hdfs://h/dir/short.gz"}

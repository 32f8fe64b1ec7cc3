"""Which encoding an XML document is read in."""

from __future__ import annotations

import pytest

from rehref.parsers.contract import XmlWanted
from rehref.parsers.source.xml.reader import read_xml
from rehref.text.declared_encoding import sniff_xml
from rehref.text.encoding import Sniffed, UnknownEncodingError
from rehref.text.source import Source

DECLARATION = '<?xml version="1.0" encoding="{}"?><a/>'


@pytest.mark.parametrize(
    ("data", "declared", "expected"),
    [
        (b"\xef\xbb\xbf<a/>", "latin1", Sniffed("utf-8", 3, "byte order mark")),
        (b"\xff\xfe<\0", None, Sniffed("utf-16le", 2, "byte order mark")),
        (b"\xfe\xff\0<", None, Sniffed("utf-16be", 2, "byte order mark")),
        (DECLARATION.format("koi8-r").encode(), "latin1", Sniffed("windows-1252", 0, "declared")),
        (DECLARATION.format("koi8-r").encode(), None, Sniffed("koi8-r", 0, "XML declaration")),
        (DECLARATION.replace('"', "'").format("Shift_JIS").encode(), None, Sniffed("shift_jis", 0, "XML declaration")),
        (
            DECLARATION.replace("=", "\n = \t").format("latin1").encode(),
            None,
            Sniffed("windows-1252", 0, "XML declaration"),
        ),
        (DECLARATION.format("UTF-16").encode(), None, Sniffed("utf-8", 0, "default")),
        (DECLARATION.format("no-such").encode(), None, Sniffed("utf-8", 0, "default")),
        (b" " + DECLARATION.format("koi8-r").encode(), None, Sniffed("utf-8", 0, "default")),
        (b"<?xml version='1.0'?><a encoding='koi8-r'/>", None, Sniffed("utf-8", 0, "default")),
        ("<?xml".encode("utf-16-le"), None, Sniffed("utf-16le", 0, "UTF-16 without a byte order mark")),
        ("<a/>".encode("utf-16-be"), None, Sniffed("utf-16be", 0, "UTF-16 without a byte order mark")),
        (b"", None, Sniffed("utf-8", 0, "default")),
    ],
)
def test_sniff_xml(data: bytes, declared: str | None, expected: Sniffed):
    assert sniff_xml(data, declared) == expected


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be", "utf-32", "cp037"])
def test_what_is_recognised_but_not_read_gives_nothing_and_stays(encoding: str):
    data = "<?xml version='1.0'?><a href='b'/>".encode(encoding)
    sniffed = sniff_xml(data)
    assert sniffed.name == "replacement"
    assert sniffed.why.endswith("which is not read")
    parsed = read_xml(Source(data, sniffed.name, sniffed.bom), XmlWanted(frozenset({"href"})))
    assert parsed.places == []
    assert parsed.apply([]) is data


def test_an_unknown_encoding_that_is_declared_by_the_caller():
    with pytest.raises(UnknownEncodingError):
        sniff_xml(b"<a/>", "no-such")


def test_a_long_beginning_is_not_searched_twice():
    assert sniff_xml(b"<?xml " + b" encoding" * 100_000).name == "utf-8"

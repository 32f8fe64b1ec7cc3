"""What is no document whatever its name says. One test or more for each rule of the module."""

from __future__ import annotations

import pytest

from rehref.documents.types.sniffing import magic, type_of_content, type_of_file

BEGINNINGS = {
    "a PNG image": b"\x89PNG\r\n\x1a\n",
    "a JPEG image": b"\xff\xd8\xff\xe0",
    "a GIF image": b"GIF89a",
    "a WebP image": b"RIFF\x10\0\0\0WEBPVP8 ",
    "a BMP image": b"BM\x10\0\0\0",
    "a Windows icon": b"\0\0\1\0\1",
    "a PDF file": b"%PDF-1.4 ",
    "a PostScript file": b"%!PS-Adobe-3.0 ",
    "a zip file": b"PK\3\4",
    "a RAR archive": b"Rar!\x1a\x07\0",
    "an Ogg file": b"OggS\0",
    "a WebM or Matroska file": b"\x1aE\xdf\xa3",
    "a MIDI file": b"MThd\0\0\0\6",
    "a WAVE file": b"RIFF\x10\0\0\0WAVE",
    "an AVI film": b"RIFF\x10\0\0\0AVI ",
    "an AIFF file": b"FORM\0\0\0\1AIFF",
    "an AU file": b".snd\0\0\0",
    "an MP3 file": b"ID3\3\0\0",
    "an MP4, AVIF or HEIC file": b"\0\0\0\x18ftypmp42",
    "a TrueType font": b"\0\1\0\0\0",
    "an OpenType font": b"OTTO\0\1",
    "a collection of TrueType fonts": b"ttcf\0\1",
    "a WOFF font": b"wOF2\0\1",
    "an Embedded OpenType font": b"abcdefgh\1\0\2\0" + b"x" * 22 + b"LP",
}


@pytest.mark.parametrize(("name", "begins"), list(BEGINNINGS.items()))
def test_the_patterns_of_the_standard(name: str, begins: bytes) -> None:
    data = begins + b"<a href=x>"
    assert magic(data) == name
    assert magic(begins) == name
    assert type_of_content(data) is None
    for file in ("a.html", "a.css", "a.svg", "a.txt", "page.php?id=1", "a"):
        assert type_of_file(file, data) is None


@pytest.mark.parametrize("begins", BEGINNINGS.values())
def test_they_stand_at_the_very_beginning(begins: bytes) -> None:
    assert magic(b" " + begins) is None
    assert magic(b"<p>" + begins) is None


@pytest.mark.parametrize("text", [b"BMI <a href=x>", b"ID3 tags", b"OTTO <p>", b"wOFF", b".snd", b"RIFF....WAVE"])
def test_letters_are_not_enough(text: bytes) -> None:
    assert magic(text) is None
    assert magic(text + b"x" * 1445 + b"\0") is None


@pytest.mark.parametrize("mark", ["utf-16", "utf-16-be", "utf-16-le", "utf-8-sig", "utf-8"])
def test_markup_in_unicode_is_none_of_these(mark: str) -> None:
    assert magic("<!doctype html>".encode(mark)) is None


def test_what_is_gzipped_is_not_known_by_that() -> None:
    assert magic(b"\x1f\x8b\x08\0") is None

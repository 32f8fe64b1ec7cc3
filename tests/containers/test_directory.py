"""The directory of a zip file."""

from __future__ import annotations

from rehref.containers._zip.directory import decode_name


def test_names_are_utf_8_or_code_page_437():
    assert decode_name("é".encode()) == "é"
    assert decode_name(b"\x82\xff") == "é\xa0"

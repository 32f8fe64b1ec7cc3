"""Encodings as Python calls them, where a user names one: `encoding.named`, `encoding=`, `--encoding`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import program
from rehref.text.charsets import decode as standard_decode
from rehref.text.encoding import lookup, named

# by Python's name: the Standard's, and a text that can be written in it
KNOWN = {
    "cp932": ("shift_jis", "表①"),
    "ms932": ("shift_jis", "表"),
    "sjis": ("shift_jis", "表"),
    "euc_kr": ("euc-kr", "한국"),
    "euckr": ("euc-kr", "한국"),
    "cp949": ("euc-kr", "똠방"),
    "uhc": ("euc-kr", "똠방"),
    "utf-8-sig": ("utf-8", "é日"),
    "utf_8_sig": ("utf-8", "é日"),
    "utf_8": ("utf-8", "é日"),
    "U8": ("utf-8", "é日"),
    "latin-1": ("windows-1252", "é"),
    "latin_1": ("windows-1252", "é"),
    "iso8859_1": ("windows-1252", "é"),
    "ascii": ("windows-1252", "e"),
    "euc_jp": ("euc-jp", "表"),
    "iso2022_jp": ("iso-2022-jp", "表"),
    "cp950": ("big5", "中文"),
    "big5hkscs": ("big5", "㗎"),
    "cp936": ("gbk", "汉"),
    "gb18030_2000": ("gb18030", "汉"),
    "cp874": ("windows-874", "ก"),
    "windows_1251": ("windows-1251", "ж"),
    "mac_roman": ("macintosh", "é"),
    "mac_cyrillic": ("x-mac-cyrillic", "ж"),
    "iso8859_15": ("iso-8859-15", "€"),
    "iso8859_16": ("iso-8859-16", "ș"),
    "koi8_u": ("koi8-u", "ж"),
    "utf_16_le": ("utf-16le", "é"),
    "utf_16_be": ("utf-16be", "é"),
}


@pytest.mark.parametrize("label", KNOWN)
def test_python_names_are_known(label: str) -> None:
    name, text = KNOWN[label]
    assert named(label) == name
    assert standard_decode(text.encode(label), name).removeprefix("\ufeff") == text


def test_labels_of_the_standard_go_first() -> None:
    for label in ("ISO-8859-1", "gb2312", "ks_c_5601-1987", "utf-16", "shift_jis", "big5"):
        assert named(label) == lookup(label)


@pytest.mark.parametrize(
    "label", ["", "none", "utf-7", "utf_32", "cp437", "johab", "shift_jis_2004", "hex", "rot13", "idna", "a\0b", "日"]
)
def test_others_are_none(label: str) -> None:
    assert named(label) is None


def test_the_library_takes_them() -> None:
    page = "<a href='表.html'>".encode("cp932")
    assert [link.reference for link in rehref.links(page, encoding="cp932")] == ["表.html"]
    style = "a{background:url(표.gif)}".encode("euc_kr")
    assert [link.reference for link in rehref.links(style, encoding="euc_kr", media_type="text/css")] == ["표.gif"]
    xml = "<html xmlns='http://www.w3.org/1999/xhtml'><a href='é'/></html>".encode("latin-1")
    found = rehref.links(xml, encoding="latin_1", media_type="application/xhtml+xml")
    assert "é" in [link.reference for link in found]
    with pytest.raises(LookupError, match="cp437"):
        rehref.links(page, encoding="cp437")


def test_the_command_line_takes_them() -> None:
    page = "<a href='表.html'>".encode("cp932")
    result = CliRunner().invoke(program, ["links", "--encoding", "cp932", "--format", "csv", "-"], input=page)
    assert result.exit_code == 0
    assert "表.html" in result.stdout


def test_documents_and_headers_have_the_labels_of_the_standard() -> None:
    page = "<meta charset=cp932><a href='表.html'>".encode("cp932")
    assert [link.reference for link in rehref.links(page)] != ["表.html"]
    response = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=cp932\r\n\r\n<a href='" + "表".encode("cp932") + b"'>"
    )
    assert [link.reference for link in rehref.links(response)] != ["表"]

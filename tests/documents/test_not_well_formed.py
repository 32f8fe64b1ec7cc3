"""Whether XML is well-formed, and where it is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.documents._not_well_formed import not_well_formed

BOMB = (
    "<!DOCTYPE a [<!ENTITY a 'xxxxxxxxxxxxxxxxxxxx'>"
    + "".join(f"<!ENTITY {new} '{f'&{old};' * 20}'>" for old, new in zip("abcdef", "bcdefg", strict=True))
    + "]><a>&g;</a>"
).encode()


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"<a>\n<b>\n</a>", 3, 3),
        (b"<a><br></a>", 1, 10),
        (b"<a b=c/>", 1, 6),
        (b"<a>&nbsp;</a>", 1, 4),
        (b"<a>&b</a>", 1, 6),
        (b"<a x='1' x='2'/>", 1, 10),
        (b"<a/><b/>", 1, 5),
        (b"<a>\xff</a>", 1, 4),
        (b"", 1, 1),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><a xlink:href='x'/></svg>", 1, 41),
        ("<a>é<b></a>".encode(), 1, 10),
    ],
)
def test_the_first_error(data: bytes, line: int, column: int) -> None:
    found = not_well_formed(data)
    assert found is not None
    assert (found.line, found.column) == (line, column)
    assert str(found) == f"is not well-formed XML: {found.message} at {line}:{column}"


@pytest.mark.parametrize(
    "data",
    [
        b"<a/>",
        b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>",
        b"<?xml version='1.0' encoding='windows-1252'?><a>\x80</a>",
        "<a/>".encode("utf-16"),
        b"<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'xhtml1-strict.dtd'><html>&nbsp;</html>",
        b"<?xml version='1.1'?><a>&#1;</a>",
        b"<?xml version='1.0' encoding='shift_jis'?><a>\x83\x5c</a>",
        b"<?xml version='1.0' encoding='nothing-known'?><a></b>",
        BOMB,
    ],
)
def test_nothing_is_reported(data: bytes) -> None:
    assert not_well_formed(data) is None


@given(st.binary() | st.text().map(lambda text: b"<a>" + text.encode("utf-8", "surrogatepass")))
def test_nothing_is_raised(data: bytes) -> None:
    not_well_formed(data)

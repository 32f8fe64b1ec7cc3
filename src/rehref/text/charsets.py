"""Decoding text as the Encoding Standard does, with byte offsets where they are asked for.

The bytes are split into units by one pattern for each encoding, and a table says what a unit means. An ASCII byte is
never swallowed by a broken sequence before it, so no error can hide a quote or a `<`. Names are the Standard's, in
lower case (`lookup` in `encoding` gives them). References are to the Encoding Standard,
<https://encoding.spec.whatwg.org/>.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from itertools import accumulate
from types import MappingProxyType

from rehref.text._charset_tables import CODECS, MULTI_BYTE, SINGLE_BYTE, jis0208, multi_byte, single_byte

_ERROR = "\ufffd"
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]").search

# A lead byte takes the byte behind it along even if the two mean nothing (§12.1.1 and the like), but it leaves
# an ASCII byte alone that cannot be a trail byte. One that can be is in the unit, and `_broken` returns it.
_PAIRS = rb"[\x00-\x7f]++|[\x81-\xfe][\x40-\xff]|[\x80-\xff]"

_UNITS: Mapping[str, bytes] = MappingProxyType(
    {
        "big5": _PAIRS,
        "euc-kr": _PAIRS,
        "shift_jis": rb"[\x00-\x7f]++|[\x81-\x9f\xe0-\xfc][\x40-\xff]|[\x80-\xff]",  # §13.3.1
        "euc-jp": (  # §13.1.1
            rb"[\x00-\x7f]++|\x8f[\xa1-\xfe][\x80-\xff]?|[\x8e\x8f\xa1-\xfe][\x80-\xff]|[\x80-\xff]"
        ),
        "gb18030": (  # §11.2.1; what the end cuts short is one error
            rb"[\x00-\x7f]++|[\x81-\xfe][0-9][\x81-\xfe][0-9]|[\x81-\xfe][0-9][\x81-\xfe]?\Z"
            rb"|[\x81-\xfe][\x40-\xff]|[\x80-\xff]"
        ),
        "utf-8": (  # §8.1.1; a sequence that breaks off is one error
            rb"[\x00-\x7f]++|[\xc2-\xdf][\x80-\xbf]?|\xe0(?:[\xa0-\xbf][\x80-\xbf]?)?"
            rb"|\xed(?:[\x80-\x9f][\x80-\xbf]?)?|[\xe1-\xef](?:[\x80-\xbf][\x80-\xbf]?)?"
            rb"|\xf0(?:[\x90-\xbf][\x80-\xbf]?[\x80-\xbf]?)?|\xf4(?:[\x80-\x8f][\x80-\xbf]?[\x80-\xbf]?)?"
            rb"|[\xf1-\xf3](?:[\x80-\xbf][\x80-\xbf]?[\x80-\xbf]?)?|[\x80-\xff]"
        ),
        "utf-16le": rb".[\xd8-\xdb].[\xdc-\xdf]|.[\xd8-\xdb].?\Z|..|.",  # §14.2.1
        "utf-16be": rb"[\xd8-\xdb].[\xdc-\xdf].|[\xd8-\xdb]..?\Z|..|.",
    }
)

_ISO_2022_JP_STATES: Mapping[bytes, str] = MappingProxyType(
    {b"(B": "ascii", b"(J": "roman", b"(I": "katakana", b"$@": "kanji", b"$B": "kanji"}
)
"""What each escape sequence says of the bytes behind it (§13.2.1)."""


@cache
def _units(name: str) -> Callable[[bytes], list[bytes]]:
    """Splits bytes in an encoding into its units."""
    return re.compile(_UNITS["gb18030" if name == "gbk" else name], re.DOTALL).findall


def decode(data: bytes, name: str) -> str:
    """Decode bytes, without a byte order mark, in the encoding of that canonical name, in linear time. Never raises.

    Bytes that are not text become U+FFFD, as many of them and at the same places as the Standard's decoders give.
    """
    if name == "utf-8":
        return data.decode("utf-8", "replace")  # Python replaces exactly as §8.1.1 does
    if name in SINGLE_BYTE:
        return codecs.charmap_decode(data, "strict", single_byte(name))[0]
    if name == "iso-2022-jp":
        return _iso_2022_jp(data)[0]
    if name == "replacement":  # §14.1.1
        return _ERROR if data else ""
    if name in MULTI_BYTE:
        return "".join(_texts(_units(name)(data), name))
    try:
        return data.decode(CODECS[name])
    except UnicodeDecodeError:
        return "".join(_texts(_units(name)(data), name))


def decode_with_offsets(data: bytes, name: str) -> tuple[str, list[int]]:
    """Decode bytes, and give for each character the offset of its first byte, and at the end `len(data)`.

    Offsets never fall. Two characters share one where Big5 has one unit for both. In ISO-2022-JP an escape
    sequence belongs to the character behind it, and one with none behind it to the last.
    """
    if name in SINGLE_BYTE:
        return decode(data, name), list(range(len(data) + 1))
    if name == "iso-2022-jp":
        return _iso_2022_jp(data)
    if name == "replacement":
        return (_ERROR, [0, len(data)]) if data else ("", [0])
    units = _units(name)(data)
    texts = list(_texts(units, name))
    offsets: list[int] = []
    for unit, text, end in zip(units, texts, accumulate(map(len, units)), strict=True):
        start = end - len(unit)
        if len(text) == 1:
            offsets.append(start)
        elif len(text) == len(unit) and text.isascii():
            offsets.extend(range(start, end))
        else:
            # An error and the ASCII byte it leaves alone; or Big5's two characters in one.
            offsets.extend((start, end - 1 if text[0] == _ERROR else start))
    offsets.append(len(data))
    return "".join(texts), offsets


def first_bytes(data: bytes, name: str) -> bytes:
    """Bytes of the same length with the same lines and characters, as if in UTF-8.

    ASCII stays as it is; of other characters, all bytes but the first are those that continue one in UTF-8.
    """
    units, mark = _units(name), cache(partial(_marked, name=name))
    pieces: list[bytes] = []
    last = 0
    while (found := _BEYOND_ASCII(data, last)) is not None:
        run = _runs(name)(data, found.start())
        assert run is not None
        pieces += (data[last : run.start()], b"".join(map(mark, units(run[0]))))
        last = run.end()
    return b"".join((*pieces, data[last:]))


@cache
def _runs(name: str) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Matches units, not too many, that are not ASCII."""
    units = _UNITS["gb18030" if name == "gbk" else name].partition(b"|")[2]
    return re.compile(b"(?:%s){1,1000}" % units, re.DOTALL).match


def _marked(unit: bytes, name: str) -> bytes:
    """The bytes for one that is not ASCII."""
    count = len("".join(_texts([unit], name)))
    return (b"\xc0" * count + b"\x80" * len(unit))[: len(unit)]


def is_ascii_compatible(name: str) -> bool:
    """Whether every byte below 0x80 outside a longer sequence is its ASCII character, always."""
    return name not in ("utf-16le", "utf-16be", "iso-2022-jp", "replacement")


def _texts(units: Iterable[bytes], name: str) -> Iterable[str]:
    """Give each unit's text."""
    if name not in MULTI_BYTE:
        # One unit of UTF-8 or UTF-16 is one character or one error, whatever Python calls it.
        texts = (unit.decode(CODECS[name], "replace") for unit in units)
        return (text if len(text) < 2 or text[0] != _ERROR else _ERROR for text in texts)
    known = multi_byte(name).get
    other: Callable[[bytes], str] = _gb18030 if name in ("gb18030", "gbk") else _broken
    return (known(unit) or (unit.decode("ascii") if unit.isascii() else other(unit)) for unit in units)


def _broken(unit: bytes) -> str:
    """Give the error for a unit that is not a character, and the ASCII byte at its end, if that could be a trail."""
    return _ERROR + chr(unit[1]) if len(unit) == 2 and 0x40 <= unit[1] < 0x80 else _ERROR


def _gb18030(unit: bytes) -> str:
    """Read a unit of GB18030 that is not in the table (§11.2.1)."""
    if len(unit) != 4:
        return _broken(unit)
    if unit == b"\x81\x35\xf4\x37":  # §5, index gb18030 ranges code point: pointer 7457
        return "\ue7c7"
    return unit.decode("gb18030", "replace")[:1]


def _iso_2022_jp(data: bytes) -> tuple[str, list[int]]:
    """Decode ISO-2022-JP, which has shift states (§13.2.1); give the text, the offsets, and `len(data)` at the end.

    An escape sequence belongs to the character behind it, and one with none behind it to the last. Two in a row with
    nothing between them are an error (they have been used to hide markup).
    """
    kanji = jis0208()
    state = "ascii"
    escaped = False  # the Standard's "ISO-2022-JP output": an escape sequence was the last thing read
    chars: list[str] = []
    ends: list[int] = []
    at = 0
    while at < len(data):
        byte = data[at]
        size = 1
        if byte == 0x1B:
            new = _ISO_2022_JP_STATES.get(data[at + 1 : at + 3])
            if new is not None:
                state = new
                at += 3
                if escaped:
                    chars.append(_ERROR)
                    ends.append(at)
                escaped = True
                continue
            char = _ERROR
        elif state == "kanji":
            trail = data[at + 1] if at + 1 < len(data) else None
            char = _ERROR
            if 0x21 <= byte <= 0x7E and trail != 0x1B:
                # A byte that is not a trail byte is part of the error; the end and an escape are not.
                size = 1 if trail is None else 2
                char = kanji.get(data[at : at + 2], _ERROR)
        elif state == "katakana":
            char = chr(0xFF61 - 0x21 + byte) if 0x21 <= byte <= 0x5F else _ERROR
        elif byte in (0x0E, 0x0F) or byte >= 0x80:
            char = _ERROR
        elif state == "roman":
            char = {0x5C: "\u00a5", 0x7E: "\u203e"}.get(byte, chr(byte))
        else:
            char = chr(byte)
        escaped = False
        at += size
        chars.append(char)
        ends.append(at)
    # Each character begins where the one before it ends; the rest belongs to the last.
    return "".join(chars), [0, *ends[:-1], len(data)] if chars else [len(data)]

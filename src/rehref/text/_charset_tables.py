"""The tables of the Encoding Standard's legacy encodings, made from Python's codecs.

A table says what each byte, or each unit of two or three bytes, means. It is made when an encoding is first used, from
the nearest Python codec; where codec and Standard differ, the Standard's entry is written here. References are to the
Encoding Standard, <https://encoding.spec.whatwg.org/>.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

CODECS: Mapping[str, str] = MappingProxyType(
    {
        "utf-8": "utf-8",
        "utf-16le": "utf-16-le",
        "utf-16be": "utf-16-be",
        "big5": "big5hkscs",
        "euc-jp": "euc_jp",
        "euc-kr": "cp949",
        "gb18030": "gb18030",
        "gbk": "gb18030",
        "iso-2022-jp": "iso2022_jp",
        "shift_jis": "cp932",
        "ibm866": "cp866",
        "iso-8859-8-i": "iso8859_8",
        "koi8-r": "koi8_r",
        "koi8-u": "koi8_u",
        "macintosh": "mac_roman",
        "x-mac-cyrillic": "mac_cyrillic",
        "windows-874": "cp874",
        **{f"iso-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
        **{f"windows-{page}": f"cp{page}" for page in range(1250, 1259)},
        # No codec is near these two: Latin-1 at least keeps the bytes apart, and UTF-8 is what the Standard
        # writes where it reads nothing.
        "x-user-defined": "latin-1",
        "replacement": "utf-8",
    }
)
"""The Python codec that comes closest to each encoding."""

MULTI_BYTE = frozenset({"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"})
"""Encodings whose units have one to four bytes, without shift states."""

SINGLE_BYTE = frozenset(CODECS) - MULTI_BYTE - {"utf-8", "utf-16le", "utf-16be", "iso-2022-jp", "replacement"}
"""Encodings in which each byte is a character."""

_SINGLE_FIXES: Mapping[str, Mapping[int, str]] = MappingProxyType(
    {"koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"}, "windows-1255": {0xCA: "\u05ba"}}
)

# index-gb18030: the characters that GB 18030-2022 moved out of the private use area, and A3A0.
_GB18030_FIXES = (
    "a3a0\u3000 a6d9\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16 a6ec\ufe17\ufe18 a6f3\ufe19 a8bc\u1e3f fe59\u9fb4 "
    "fe61\u9fb5 fe66\u9fb6\u9fb7 fe6d\u9fb8 fe7e\u9fb9 fe90\u9fba fea0\u9fbb"
)

# index-big5: HKSCS-2008, duplicates that HKSCS-2004 dropped, and control pictures.
_BIG5_FIXES = (
    "877a㡵𡵓𣚞𦀡㻬 "
    "87a1𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠"
    "権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥"
    "讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 "
    "8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 8fcb覦覩 8ffe起 906d都 "
    "907a銹 90dc靜 90f1響 91bf鼖 9244蔃 92af兙兛兝兞 92c8鍮 92d1瑹 9447浧 94ca禛 95d9邗 9644靝 96ed瀞 "
    "96fc嬨 9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶 9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 "
    "9cbc尐秣 9cd0婧 9d57輋 9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fcb僭 9fd8弌 a063蠏 "
    "a077拎 a0d5瑨 a0df煢 a0e4牐 a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡ c6cf廴 c6d3无 c6d5癶 c6d7隶 "
    "c6de〃仝 fa5f倩 fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4f彘 fc6c悤 fcb9撐 "
    "fce2晴 fcf1杞 fdb7沜渝 fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 fedd砉"
)


def _fixes(runs: str) -> Iterable[tuple[bytes, str]]:
    """Read runs such as `a1a2xyz`: the first unit in hexadecimal, then characters for it and those that follow."""
    for run in runs.split(" "):
        first = int(run[:4], 16)
        for step, character in enumerate(run[4:]):
            yield (first + step).to_bytes(2, "big"), character


def _read(unit: bytes, codec: str) -> str:
    """Decode a unit; "" if it is not one."""
    try:
        return unit.decode(codec)
    except UnicodeDecodeError:
        return ""


def _pairs(codec: str, leads: Iterable[int], trails: Iterable[int]) -> dict[bytes, str]:
    """Give every two bytes of `leads` and `trails` that the codec reads, with their text."""
    trails = tuple(trails)
    units = (bytes((lead, trail)) for lead in leads for trail in trails)
    return {unit: text for unit in units if (text := _read(unit, codec))}


@cache
def single_byte(name: str) -> str:
    """The 256 characters of a single-byte encoding; an error is U+FFFD.

    A byte of 0x80 to 0x9F that a codec leaves open is the control character of that number; any other is an error.
    """
    if name == "x-user-defined":  # §14.5
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    table = list(bytes(range(256)).decode(CODECS[name], "replace"))
    for byte in range(0x80, 0xA0):
        if table[byte] == "\ufffd" and not name.startswith("iso-"):
            table[byte] = chr(byte)
    for byte, character in _SINGLE_FIXES.get(name, {}).items():
        table[byte] = character
    return "".join(table)


@cache
def single_byte_back(name: str) -> dict[int, int]:
    """The bytes of a single-byte encoding by their code points."""
    return {ord(character): byte for byte, character in enumerate(single_byte(name)) if character != "\ufffd"}


@cache
def jis0208() -> dict[bytes, str]:
    """Give index jis0208, the first 94 rows, by two bytes of 0x21 to 0x7E each."""
    table = {}
    for row in range(94):
        for cell in range(94):
            # Shift_JIS packs two rows into one lead byte; Python's cp932 has exactly this index.
            lead, trail = row // 2, row % 2 * 94 + cell
            unit = bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)))
            if text := _read(unit, "cp932"):
                table[bytes((0x21 + row, 0x21 + cell))] = text
    return table


@cache
def jis0208_back() -> dict[str, bytes]:
    """Give character to two bytes; of several, the first (§5, index pointer)."""
    back: dict[str, bytes] = {}
    for unit, char in jis0208().items():
        back.setdefault(char, unit)
    return back


@cache
def multi_byte(name: str) -> dict[bytes, str]:
    """Give every unit of one to three bytes of a multi-byte encoding that is not ASCII, with its text.

    GB18030's units of four bytes are reckoned, not listed. In Big5 four units stand for two characters.
    """
    table: dict[bytes, str] = {}
    if name == "euc-jp":
        high = bytes(byte ^ 0x80 for byte in range(256))
        table.update((unit.translate(high), text) for unit, text in jis0208().items())
        table.update((bytes((0x8E, 0xA1 + cell)), chr(0xFF61 + cell)) for cell in range(63))
        for lead in range(0xA1, 0xFF):
            for trail in range(0xA1, 0xFF):
                unit = bytes((0x8F, lead, trail))
                if text := _read(unit, "euc_jp"):
                    table[unit] = text
        table[b"\x8f\xa2\xb7"] = "\uff5e"
    elif name == "shift_jis":
        leads = (*range(0x81, 0xA0), *range(0xE0, 0xFD))
        table.update(_pairs("cp932", leads, (*range(0x40, 0x7F), *range(0x80, 0xFD))))
        table.update((bytes((0xA1 + cell,)), chr(0xFF61 + cell)) for cell in range(63))
        table[b"\x80"] = "\x80"
    elif name == "euc-kr":
        table.update(_pairs("cp949", range(0x81, 0xFF), range(0x41, 0xFF)))
    elif name == "big5":
        table.update(_pairs("big5hkscs", range(0x81, 0xFF), range(0x40, 0xFF)))
        table.update(_pairs("cp950", range(0xA1, 0xA4), range(0x40, 0xFF)))
        table.update(_fixes(_BIG5_FIXES))
    else:
        table.update(_pairs("gb18030", range(0x81, 0xFF), (*range(0x40, 0x7F), *range(0x80, 0xFF))))
        table.update(_fixes(_GB18030_FIXES))
        table[b"\x80"] = "\u20ac"
    return table


@cache
def multi_byte_back(name: str) -> dict[str, bytes]:
    """The units of a multi-byte encoding by their text; of several units, the one the Standard's encoder writes.

    Other characters that read back the same are there, too.
    """

    def rank(unit: bytes) -> tuple[int, bytes]:
        """Sort the units that the Standard's encoder skips behind the others."""
        passed_over = (
            (name == "big5" and unit[0] < 0xA1)  # §12.1.2: nothing of Hong Kong's extensions
            or (name == "shift_jis" and 0xED <= unit[0] <= 0xEF)  # §13.3.2: pointers 8272 to 8835
            or (name == "euc-jp" and unit[0] == 0x8F)  # §13.1.2: index jis0212 is for reading only
            or (name == "gb18030" and len(unit) == 1)  # §11.2.2: 0x80 is GBK's euro sign
        )
        return int(passed_over), unit

    back: dict[str, bytes] = {}
    for unit, text in sorted(multi_byte(name).items(), key=lambda entry: rank(entry[0])):
        if len(text) == 1:
            back.setdefault(text, unit)
    if name == "big5":  # §5, index Big5 pointer: of these, the last
        for unit, text in multi_byte(name).items():
            if text in "\u2550\u255e\u2561\u256a\u5341\u5345" and unit[0] >= 0xA1:
                back[text] = max(back[text], unit)
    return back

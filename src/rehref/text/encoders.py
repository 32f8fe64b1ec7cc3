"""Encoding text as the Encoding Standard does: for documents, and to the byte as queries of URLs are written.

`encode` writes only bytes that `charsets.decode` reads back as the same text. `encode_for_urls` gives what a browser
sends, which need not: the Standard writes a similar character for some (¥ becomes a backslash). References are to the
Encoding Standard, <https://encoding.spec.whatwg.org/>.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rehref.text._charset_tables import (
    CODECS,
    MULTI_BYTE,
    SINGLE_BYTE,
    jis0208_back,
    multi_byte_back,
    single_byte_back,
)
from rehref.text.charsets import is_ascii_compatible

# §13.2.2: index ISO-2022-JP katakana, for U+FF61 on
_KATAKANA = (
    "。「」、・ヲァィゥェォャュョッー"
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜"
)
# §11.2.2: index gb18030's units for characters that GB 18030-2022 moved
_MOVED = "a6d9 a6da a6db a6dc a6dd a6de a6df a6ec a6ed a6f3 fe59 fe61 fe66 fe67 fe6d fe7e fe90 fea0"
_MOVED_FROM = (
    "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864"
)

# Lead bytes that the Standard's encoders never write: §12.1.2; §13.1.2; §13.3.2 (what is read as private use)
_UNWRITTEN: Mapping[str, range] = MappingProxyType(
    {"big5": range(0xA1), "euc-jp": range(0x8F, 0x90), "shift_jis": range(0xF0, 0xFA)}
)
_ESCAPES: Mapping[str, bytes] = MappingProxyType({"ascii": b"\x1b(B", "roman": b"\x1b(J", "kanji": b"\x1b$B"})
_ROMAN: Mapping[str, bytes] = MappingProxyType({"\xa5": b"\\", "\u203e": b"~"})


def encode(text: str, name: str) -> bytes | None:
    """Encode text so that `charsets.decode` reads it back, or give None where the encoding cannot say it."""
    if name in SINGLE_BYTE:
        try:
            return codecs.charmap_encode(text, "strict", single_byte_back(name))[0]
        except UnicodeEncodeError:
            return None
    if name == "iso-2022-jp":
        return _iso_2022_jp(text)
    if name == "replacement":
        return None if text else b""
    if name in MULTI_BYTE:
        return _encode_units(text, name)
    try:
        return text.encode(CODECS[name])
    except UnicodeEncodeError:  # a lone surrogate
        return None


def encodable(text: str, name: str) -> bool:
    """Whether `encode` can say the text."""
    return (text.isascii() and is_ascii_compatible(name)) or encode(text, name) is not None


def encode_with_references(text: str, name: str) -> bytes:
    """Encode markup; a character the encoding cannot say becomes a decimal character reference.

    Markup reads such a reference in most places; in a script, a style sheet or a comment it is just
    text, but no character there can come from bytes in the encoding except U+FFFD. In the encoding
    `replacement` nothing can be said at all: the result is UTF-8, as §4.3 (get an output encoding) says.
    """
    if name == "replacement":
        return text.encode("utf-8", "xmlcharrefreplace")
    data = encode(text, name)
    if data is None:
        missing = {ord(char): f"&#{ord(char)};" for char in set(text) if encode(char, name) is None}
        data = encode(text.translate(missing), name)
    assert data is not None  # character by character, all of it can be said
    return data


def _encode_units(text: str, name: str) -> bytes | None:
    """Encode text in a multi-byte encoding, character by character."""
    if text.isascii():
        return text.encode("ascii")
    back = multi_byte_back(name)
    units: list[bytes] = []
    for char in text:
        unit = back.get(char)
        if unit is None and char.isascii():
            unit = char.encode("ascii")
        if unit is None and name == "gb18030":
            unit = _encode_gb18030(char)
        if unit is None:
            return None
        units.append(unit)
    return b"".join(units)


def _encode_gb18030(char: str) -> bytes | None:
    """Encode a character that has no two bytes in GB18030 (§11.2.2)."""
    if char == "\ue7c7":
        return b"\x81\x35\xf4\x37"
    try:
        unit = char.encode("gb18030")
    except UnicodeEncodeError:
        return None
    return unit if len(unit) == 4 else None


def _iso_2022_jp(text: str) -> bytes | None:
    """Encode text in ISO-2022-JP (§13.2.2), which begins and ends in the ASCII state.

    It must not directly follow another escape sequence: an edit of such a document replaces whole values.
    """
    kanji = jis0208_back()
    parts: list[bytes] = []
    ascii_state = True
    for char in text:
        is_ascii = char.isascii()
        if is_ascii and char in "\x0e\x0f\x1b":
            return None
        unit = char.encode("ascii") if is_ascii else kanji.get(char)
        if unit is None:
            return None
        if is_ascii != ascii_state:
            parts.append(b"\x1b(B" if is_ascii else b"\x1b$B")
            ascii_state = is_ascii
        parts.append(unit)
    if not ascii_state:
        parts.append(b"\x1b(B")
    return b"".join(parts)


def encode_for_urls(text: str, name: str) -> bytes | None:
    """Encode text as the Standard's encoder of that canonical name does; None where it lacks a character.

    Shift_JIS, EUC-JP and ISO-2022-JP write a similar character for four or more: ¥ and ‾ as ASCII's backslash and tilde
    (ISO-2022-JP has them in its Roman state), − as －, and ISO-2022-JP half-width katakana as full-width ones. Big5
    writes nothing of Hong Kong's extensions, EUC-JP nothing of JIS X 0212, Shift_JIS no private use. GB18030 writes the
    two bytes they once had for the eighteen private characters that were moved out of that area.
    """
    if name == "iso-2022-jp":
        return _iso_2022_jp_for_urls(text)
    if name not in MULTI_BYTE:
        return encode(text, name)
    back = _back(name)
    units: list[bytes] = []
    for char in text:
        unit = char.encode("ascii") if char.isascii() else back.get(char)
        if unit is None and name == "gb18030" and char != "\ue5e5":  # §11.2.2
            unit = encode(char, name)
        if unit is None:
            return None
        units.append(unit)
    return b"".join(units)


@cache
def _back(name: str) -> Mapping[str, bytes]:
    """Give character to unit as in the Standard's encoder."""
    unwritten = _UNWRITTEN.get(name, range(0))
    back = {char: unit for char, unit in multi_byte_back(name).items() if unit[0] not in unwritten}
    if name in ("shift_jis", "euc-jp"):
        back |= {**_ROMAN, "\u2212": back["\uff0d"]}
    elif name in ("gb18030", "gbk"):
        back.pop("\ue5e5", None)
        back |= zip(_MOVED_FROM, map(bytes.fromhex, _MOVED.split()), strict=True)
        if name == "gbk":
            back["\u20ac"] = b"\x80"
    return back


@cache
def _kanji() -> Mapping[str, bytes]:
    """The two bytes of each character in JIS X 0208, and of those for which a similar one is written."""
    back = jis0208_back()
    wide = {chr(0xFF61 + place): back[char] for place, char in enumerate(_KATAKANA)}
    return back | wide | {"\u2212": back["\uff0d"]}


def _iso_2022_jp_for_urls(text: str) -> bytes | None:
    """Encode text in ISO-2022-JP as the Standard does (§13.2.2)."""
    kanji = _kanji()
    state = "ascii"
    parts: list[bytes] = []
    for char in text:
        if char in "\x0e\x0f\x1b":
            return None
        if char.isascii():
            unit, wanted = char.encode("ascii"), "roman" if state == "roman" and char not in "\\~" else "ascii"
        elif char in _ROMAN:
            unit, wanted = _ROMAN[char], "roman"
        elif char in kanji:
            unit, wanted = kanji[char], "kanji"
        else:
            return None
        if wanted != state:
            parts.append(_ESCAPES[wanted])
            state = wanted
        parts.append(unit)
    if state != "ascii":
        parts.append(_ESCAPES["ascii"])
    return b"".join(parts)

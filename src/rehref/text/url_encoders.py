"""The Encoding Standard's encoders to the byte, as queries of URLs are written.

1. `encode_for_urls` gives what a browser sends, which need not read back as the same: `charsets.encode` declines there,
   and knows characters that the Standard's encoders do not write.
2. Shift_JIS, EUC-JP and ISO-2022-JP write a similar character for four or more: ¥ and ‾ as ASCII's backslash and tilde
   (ISO-2022-JP has them in its Roman state), − as －, and ISO-2022-JP half-width katakana as full-width ones.
3. Big5 writes nothing of Hong Kong's extensions, EUC-JP nothing of JIS X 0212, Shift_JIS no private use.
4. GB18030 writes the two bytes they once had for the eighteen private characters that were moved out of that area.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rehref.text.charset_tables import MULTI_BYTE, jis0208_back, multi_byte_back
from rehref.text.charsets import encode

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


def encode_for_urls(text: str, name: str) -> bytes | None:
    """Encode text as the Standard's encoder of that canonical name does; None where it lacks a character."""
    if name == "iso-2022-jp":
        return _iso_2022_jp(text)
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
    """Give character to two bytes, those included that a similar one is written for (rule 2)."""
    back = jis0208_back()
    wide = {chr(0xFF61 + place): back[char] for place, char in enumerate(_KATAKANA)}
    return back | wide | {"\u2212": back["\uff0d"]}


def _iso_2022_jp(text: str) -> bytes | None:
    """Encode text in ISO-2022-JP (§13.2.2)."""
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

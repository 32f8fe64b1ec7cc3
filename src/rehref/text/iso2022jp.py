"""ISO-2022-JP, the one encoding of the Encoding Standard with shift states (§13.2).

1. Decoding follows the Standard's state machine: what each byte means depends on the escape sequence before it.
2. Two escape sequences in a row with nothing between them are an error (they have been used to hide markup).
3. Encoded text begins and ends in the ASCII state. It must not directly follow another escape sequence: an edit of
   such a document replaces whole values, from quote to quote.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rehref.text.charset_tables import jis0208, jis0208_back

_ERROR = "\ufffd"
_ESCAPES: Mapping[bytes, str] = MappingProxyType(
    {b"(B": "ascii", b"(J": "roman", b"(I": "katakana", b"$@": "kanji", b"$B": "kanji"}
)


def decode(data: bytes) -> tuple[str, list[int]]:
    """Decode bytes (§13.2.1); give the text, each character's offset, and `len(data)` at the end.

    An escape sequence belongs to the character behind it, and one with none behind it to the last.
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
            new = _ESCAPES.get(data[at + 1 : at + 3])
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


def encode(text: str) -> bytes | None:
    """Encode text (§13.2.2) so that `decode` reads it back; None if that is not possible."""
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

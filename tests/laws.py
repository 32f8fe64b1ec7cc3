"""What the laws of rewriting need: encodings and noise, and what lies outside of references."""

from __future__ import annotations

from hypothesis import strategies as st

import rehref

ENCODINGS = {
    "utf-8": "utf-8",
    "windows-1252": "cp1252",
    "shift_jis": "cp932",
    "gbk": "gb18030",
    "big5": "big5",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "iso-2022-jp": "iso2022_jp",
}
NOISE = st.binary(max_size=5) | st.sampled_from([b"\x1b", b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x81", b"\xe3\x82"])


def bytes_in(text: str, encoding: str) -> bytes:
    """A text in an encoding; UTF-16 with its mark."""
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    return (mark + text).encode(ENCODINGS[encoding], "replace")


def between(source: bytes | str, links: list[rehref.Link]) -> list[bytes | str]:
    """What lies outside of the links' spans."""
    edges = [0, *(edge for link in links for edge in link.span or ()), len(source)]
    return [source[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]

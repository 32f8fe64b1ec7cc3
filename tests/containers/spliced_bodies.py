"""Bodies of messages, and what is put into them in places."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hypothesis import strategies as st

Splices = list[tuple[int, int, bytes]]

LONG: Mapping[str, Callable[[int], bytes]] = {
    "equals": lambda n: b"=" * n,
    "spaces": lambda n: b" " * n,
    "escapes": lambda n: b"=3D" * n,
    "one line": lambda n: b"x" * n,
    "soft breaks": lambda n: b"=\n" * n,
    "empty lines": lambda n: b" \n" * n,
    "CR": lambda n: b"\r" * n,
}
"""Bodies of any length."""

ODD = st.lists(
    st.sampled_from(
        [
            *(b"=3D", b"=C3=A9", b"=", b"=4", b"=zz", b"=\r\n", b"= \t\r\n", b"=\n", b"\r\n", b"\n", b"\r"),
            *(b" ", b"\t", b"a", b"href", b"=0D=0A", b"=0a", b"41", b"D", b"x" * 30, b"x" * 75, b"\xe9", b"--", b"."),
            b"word " * 9,
        ]
    ),
    max_size=30,
).map(b"".join)
"""Bodies that are quoted-printable, more or less."""
NEW = st.lists(
    st.sampled_from([b"http://h/", b"=", b"41", b"\r\n", b"\n", b"\r", b" ", b"\xff", b"y" * 80]), max_size=4
)


@st.composite
def spliced(draw: st.DrawFn, bodies: st.SearchStrategy[bytes], decode: object) -> tuple[bytes, Splices]:
    body = draw(bodies)
    length = len(decode(body))  # type: ignore[operator]
    offsets = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    pairs = list(zip(offsets[::2], offsets[1::2], strict=False))
    return body, [(start, end, b"".join(draw(NEW))) for start, end in pairs]


def applied(data: bytes, splices: Splices) -> bytes:
    out, at = b"", 0
    for start, end, new in splices:
        out += data[at:start] + new
        at = end
    return out + data[at:]

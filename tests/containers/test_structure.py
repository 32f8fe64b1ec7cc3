"""Structure of messages: one test or more for each rule."""

from __future__ import annotations

import base64
import email
import email.policy
import mmap
import quopri
from collections.abc import Callable
from email.message import EmailMessage, Message
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.containers._mime.structure import DEEPEST, Entity, MessageStructure, scan_message
from rehref.containers.messages import recognizes


def leaves(data: bytes) -> list[tuple[str, bytes]]:
    return [
        (entity.number, data[entity.body : entity.end])
        for entity in scan_message(data).entities
        if entity.kind == "leaf"
    ]


def multipart(*parts: str, boundary: str = "b", kind: str = "mixed", close: bool = True) -> str:
    heading = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'
    return heading + "".join(f"--{boundary}\n{part}\n" for part in parts) + (f"--{boundary}--\n" if close else "")


def structure(text: str) -> MessageStructure:
    return scan_message(text.encode())


def test_parts_are_numbered_as_in_imap() -> None:
    inner = multipart("\nc", "\nd", boundary="i")
    message = "Content-Type: message/rfc822\n\n"
    text = multipart("\na", inner, message + inner, message + "\ne", message + message + "\nf")
    assert [number for number, _ in leaves(text.encode())] == ["1", "2.1", "2.2", "3.1", "3.2", "4.1", "5.1.1"]
    assert [entity.label for entity in structure(text).entities if entity.message and entity.kind != "leaf"] == [
        "the message in part 3",
        "the message in part 5",
    ]
    assert leaves(b"A: b\n\ntext") == [("1", b"text")]


def test_the_line_end_before_a_delimiter_belongs_to_it() -> None:
    head = b"Content-Type: multipart/mixed; boundary=b\n\n"
    assert leaves(head + b"preamble\n--b\n\none\n\n--b  \r\n\r\ntwo\r\n--b--\t\nepilogue\n--b\n\nno part") == [
        ("1", b"one\n"),
        ("2", b"two"),
    ]
    assert leaves(head + b"--b\n\n--b\n--b\n\nx--b\n--bb\n -- b\n--b--") == [
        ("1", b""),
        ("2", b""),
        ("3", b"x--b\n--bb\n -- b"),
    ]


def test_an_outer_delimiter_ends_what_is_open() -> None:
    text = multipart(multipart("\na", boundary="i", close=False), "\nb")
    assert leaves(text.encode()) == [("1.1", b"a\n"), ("2", b"b")]
    assert [str(diagnostic) for diagnostic in structure(text).diagnostics] == [
        "part 1: it ends without its closing boundary: something may be missing"
    ]


def test_a_boundary_may_begin_like_another_and_be_used_twice() -> None:
    text = multipart("\na", multipart("\nb", boundary="bb"), multipart("\nc", boundary="b--"), "\nd")
    assert [number for number, _ in leaves(text.encode())] == ["1", "2.1", "3.1", "4"]
    assert leaves(multipart(multipart("\na\n--b--x", "\nb")).encode())[:2] == [("1.1", b"a\n--b--x"), ("1.2", b"b")]


def test_a_digest_holds_messages() -> None:
    text = multipart("\nSubject: a\n\none", "Content-Type: text/plain\n\ntwo", kind="digest")
    assert leaves(text.encode()) == [("1.1", b"one"), ("2", b"two")]


MBOX = (
    b"From a@b Mon Jul 1\nSubject: 1\n\none\n\nFrom here on\nit is text\n\n"
    b"From a@b Tue Jul 2\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntwo\n--b\n\nthree\n\r\n"
    b"From a@b Wed Jul 3\r\nSubject: 3\r\n\r\n--b\r\nfour\r\n>From\r\n\r\n"
    b"From a@b Thu Jul 4\nContent-Type: message/rfc822\n\nSubject: 4\n\nfive\n"
)


def test_an_mbox_holds_messages() -> None:
    assert leaves(MBOX) == [
        ("1.1", b"one\n\nFrom here on\nit is text\n"),
        ("2.1", b"two"),
        ("2.2", b"three\n"),
        ("3.1", b"--b\r\nfour\r\n>From\r\n"),
        ("4.1.1", b"five\n"),
    ]
    found = scan_message(MBOX)
    assert [str(diagnostic) for diagnostic in found.diagnostics] == [
        "the message in part 2: it ends without its closing boundary: something may be missing"
    ]
    assert (found.entities[0].essence, found.entities[0].end) == ("application/mbox", len(MBOX))
    holders = [entity for entity in found.entities if entity.parent == 0]
    assert [(entity.number, entity.kind, entity.essence) for entity in holders] == [
        (str(number), "message", "message/rfc822") for number in range(1, 5)
    ]
    assert all(MBOX[entity.start :].startswith(b"From a@b") for entity in holders)
    assert scan_message(b"\xef\xbb\xbf" + MBOX).entities[-1].number == "4.1.1"


def test_an_mbox_of_one_message_is_the_message() -> None:
    single = MBOX[: MBOX.index(b"From a@b Tue")]
    assert leaves(single) == [("1", b"one\n\nFrom here on\nit is text\n\n")]
    assert leaves(MBOX[MBOX.index(b"\n") + 1 :])[0][0] == "1"  # what begins otherwise is no mbox


def test_an_encoded_message_is_not_looked_into() -> None:
    text = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nQTogYgo="
    assert leaves(text.encode()) == [("1", b"QTogYgo=")]


@pytest.mark.parametrize(
    ("text", "diagnostic"),
    [
        ("", "there are no header fields: this is not a MIME message"),
        ("text", "there are no header fields: this is not a MIME message"),
        ("Content-Type: multipart/related\n\n--b\n\na\n--b--", "the message: its Content-Type names no boundary"),
        ('Content-Type: multipart/related; boundary=""\n\n--', "the message: its Content-Type names no boundary"),
        (
            f"Content-Type: multipart/related; boundary={'b' * 2000}\n\n",
            "the message: its boundary is longer than 1,000",
        ),
        (
            "Content-Type: multipart/related; boundary=c\n\n--b\n\na\n--b--",
            "the message: its boundary is nowhere in it",
        ),
        ("Content-Type: multipart/related; boundary=b\n\n--b--\n\na", "the message: it has no parts"),
        (
            "Content-Type: multipart/related; boundary=b\n\n--b\n\na",
            "the message: it ends without its closing boundary",
        ),
        ("Content-Type: text/html\n<p>", "the message: no empty line separates the header fields from the body"),
        ("Content-Type: message/rfc822\n\ntext", "the message in part 1: there are no header fields"),
        ("Subject: a\nb\nDate: c\n\n", "the message: a line among its header fields is not one"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, diagnostic: str) -> None:
    (found,) = structure(text).diagnostics
    assert str(found).startswith(diagnostic)
    assert "\n" not in str(found)


def nested(levels: int, text: str = "\nx", *, close: bool = True) -> bytes:
    opening = [
        f"Content-Type: multipart/mixed; boundary=b{number}\n\n--b{number}\n".encode() for number in range(levels)
    ]
    closing = [f"\n--b{number}--".encode() for number in range(levels)] if close else []
    return b"".join([*opening, text.encode(), *reversed(closing)])


@pytest.mark.parametrize("close", [True, False])
def test_nesting_is_bounded(close: bool) -> None:
    found = scan_message(nested(1000, close=close))
    assert len(found.entities) == DEEPEST + 1
    assert found.entities[-1].kind == "opaque"
    assert sum("nested more than 100 deep" in diagnostic.message for diagnostic in found.diagnostics) == 1
    assert scan_message(nested(1000, close=close), 5).entities[-1].kind == "opaque"
    assert scan_message(nested(100)).diagnostics == []
    assert scan_message(b"Content-Type: message/rfc822\n\n" * 10_000 + b"x").entities[-1].kind == "opaque"


def test_what_is_wrong_many_times_is_counted() -> None:
    deep = "".join(f"--b{DEEPEST - 1}\nContent-Type: message/rfc822\n\nx\n" for _ in range(5000))
    found = scan_message(nested(DEEPEST, "\n" + deep))
    assert [str(diagnostic) for diagnostic in found.diagnostics if "deep" in diagnostic.message] == [
        f"part {'1.' * (DEEPEST - 1)}2: it is nested more than 100 deep, and not parsed; "
        "4,999 more like it in this message"
    ]
    (open_,) = scan_message(multipart(*[multipart("\nx", boundary="i", close=False)] * 5000).encode()).diagnostics
    assert str(open_) == (
        "part 1: it ends without its closing boundary: something may be missing; 4,999 more like it in this message"
    )
    messages = [f"Content-Type: message/rfc822\n\n{multipart(chr(10), boundary='i', close=False)}"] * 50
    assert len(scan_message(multipart(*messages).encode()).diagnostics) == 21
    odd = scan_message(multipart(*["Content-Type: multipart/mixed\n\nx"] * 50).encode()).diagnostics
    assert len(odd) == 21
    assert str(odd[-1]).startswith("30 more, up to part 50: its Content-Type names no boundary")


@pytest.mark.parametrize(
    "data",
    [
        lambda n: b"From a\nA: b\n\n" * n,
        lambda n: b"From a\n\n" * n,
        lambda n: b"From a\nA: b\n" + b"\n\nFrom " * n,
        lambda n: multipart(*["Content-Location: a/b\n\nx"] * n).encode(),
        lambda n: multipart(*[multipart("\nx", boundary="i")] * n).encode(),
        lambda n: multipart(*["Content-Type: multipart/mixed; boundary=b\n\n"] * n).encode(),
        lambda n: multipart("\n" + "--bb\n" * n).encode(),
        lambda n: multipart("\n" + "--" * n).encode(),
        lambda n: multipart("--b" + " " * n).encode(),
        lambda n: b"A: b\n" * n,
        lambda n: b"A: b\n" + b" c\n" * n,
        lambda n: b"A" * n,
        lambda n: (b"A: b\n" + b"x\n" * 19) * n,
        lambda n: nested(1000, multipart(*["\n--b1-"] * n)),
        lambda n: b"Content-Type: a/b" + b';a="' * n + b"\n\n",
    ],
    ids=[
        *("mbox", "mbox without headings", "mbox without ends"),
        *("parts", "multiparts", "unclosed", "dashes", "long line", "white space", "headings", "folds", "letters"),
        *("strays", "deep", "quotes"),
    ],
)
def test_time_is_linear(data: Callable[[int], bytes]) -> None:
    def reading(n: int) -> Callable[[], object]:
        made = data(n)
        return lambda: (scan_message(made), recognizes(made[:8192]))

    assert_proportional(reading, 200)


def test_a_file_that_is_mapped_is_read_like_bytes_and_can_be_closed(fixtures: Path) -> None:
    for path in sorted((fixtures / "mime").iterdir()):
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = scan_message(data)
        assert found == scan_message(path.read_bytes())


# --- against the standard library ---------------------------------------------------------------------------------

LINES = st.lists(st.sampled_from(["text", "--", "--b", "From here", ".", "", "é", " x ", "A: b"]), max_size=6).map(
    "\n".join
)


@st.composite
def messages(draw: st.DrawFn, depth: int = 2) -> EmailMessage:
    message = EmailMessage()
    kind = draw(st.sampled_from(["leaf", "leaf", "mixed", "related", "alternative"])) if depth else "leaf"
    if kind == "leaf":
        encoding = draw(st.sampled_from(["quoted-printable", "base64", "8bit"]))
        message.set_content(draw(LINES), subtype=draw(st.sampled_from(["plain", "html"])), cte=encoding)
    else:
        message["Content-Type"] = f"multipart/{kind}"
        for part in draw(st.lists(messages(depth - 1), min_size=1, max_size=3)):
            message.attach(part)
    message["Subject"] = "x"
    return message


@given(messages(), st.sampled_from(["\n", "\r\n"]))
def test_well_formed_messages_have_the_parts_that_the_standard_library_sees(message: EmailMessage, end: str) -> None:
    data = message.as_bytes(policy=email.policy.default.clone(linesep=end))
    found = scan_message(data)
    assert found.diagnostics == []
    assert [body_of(data, entity) for entity in leaf_entities(data)] == [
        part.get_payload(decode=True) for part in email.message_from_bytes(data).walk() if not part.is_multipart()
    ]


def described(message: Message, number: str) -> list[tuple[str, str, bytes]]:
    payload = message.get_payload()
    if not isinstance(payload, list):
        body = message.get_payload(decode=True)
        assert isinstance(body, bytes)
        return [(number or "1", message.get_content_type(), body)]
    if message.get_content_type() == "message/rfc822":
        inner = payload[0]
        assert isinstance(inner, Message)
        is_multipart = inner.get_content_maintype() == "multipart"
        return described(inner, (number or "1") + ("" if is_multipart else ".1"))
    return [
        each
        for index, part in enumerate(payload, 1)
        for each in described(part, f"{number}.{index}" if number else str(index))
    ]


def test_the_well_formed_fixtures_too(fixtures: Path) -> None:
    compared = 0
    for path in sorted((fixtures / "mime").iterdir()):
        if path.name.startswith("bad-"):
            continue
        data = path.read_bytes()
        seen = described(email.message_from_bytes(data), "")
        assert [(entity.number, entity.essence, body_of(data, entity)) for entity in leaf_entities(data)] == seen, path
        compared += len(seen)
    assert compared == 34


def leaf_entities(data: bytes) -> list[Entity]:
    return [entity for entity in scan_message(data).entities if entity.kind == "leaf"]


def body_of(data: bytes, entity: Entity) -> bytes:
    body = data[entity.body : entity.end]
    match entity.encoding:
        case "quoted-printable":
            return quopri.decodestring(body)
        case "base64":
            return base64.b64decode(body)
    return body

"""Messages as files: one test or more for each rule of the module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.archives._unpacking.unpack_messages import UnpackedParts, plan_parts
from rehref.containers.messages import MimeMessage
from rehref.containers.parts import ContainerOptions


def message(data: bytes) -> MimeMessage:
    return MimeMessage(data, ContainerOptions())


def planned(*header_fields: str, kind: str = "related") -> UnpackedParts:
    text = f"Content-Type: multipart/{kind}; boundary=b\n\n" + "".join(f"--b\n{each}\n\n\n" for each in header_fields)
    return plan_parts(message((text + "--b--").encode()))


def names(*header_fields: str) -> list[str]:
    """The names of the parts behind the root."""
    return list(planned("Content-Type: text/html", *header_fields).files.values())[1:]


def image(location: str) -> str:
    return f"Content-Type: image/png\nContent-Location: {location}"


def test_a_page_is_named_by_its_locations(fixtures: Path) -> None:
    found = plan_parts(message((fixtures / "mime/unmht.mht").read_bytes()))
    assert found.files == {"1": "index.html", "2": "tea.css", "3": "pot.png", "4.1": "frame.html"}
    assert found.root == "index.html"
    assert found.targets["http://tea.example/leaves/pot.png"] == "pot.png"
    assert found.targets["http://tea.example/#top"] == "index.html"
    assert "http://tea.example/other" not in found.targets


def test_a_mail_is_named_by_file_names_and_ids(fixtures: Path) -> None:
    found = plan_parts(message((fixtures / "mime/newsletter.eml").read_bytes()))
    assert found.files == {"1.1": "part-1-1.txt", "1.2.1": "l-go.png", "1.2.2": "index.html", "2": "price-list.pdf"}
    assert found.targets["cid:logo%251@shop.example"] == "l-go.png"


def test_the_outermost_message_comes_first(fixtures: Path) -> None:
    one = "Content-Location: http://h/a\nContent-Type: text/html\n\n"
    text = f"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n{one}--b\n{one}--b--"
    found = plan_parts(message(text.encode()))
    assert found.targets["http://h/a"] == found.files["2"] == "a.html"
    assert found.files["1.1"] == "index.html"


def test_the_start_is_the_root() -> None:
    text = 'Content-Type: multipart/related; start="<r>"; boundary=b\n\n--b\n\n\n--b\nContent-ID: <r>\n\n\n--b--'
    assert message(text.encode()).root == "2"
    assert planned("A: b", "Content-Type: text/html", "A: b", kind="alternative").files["2"] == "index.html"


@pytest.mark.parametrize(
    ("type_", "parts", "root"),
    [
        ("text/html", ("Content-Type: image/png", "Content-Type: Text/HTML", "Content-Type: text/html"), "2"),
        ("TEXT/html; charset=x", ("Content-Type: image/png", "Content-Type: text/html"), "2"),
        ("text/html", ("Content-Type: image/png", "Content-Type: text/plain"), "1"),
        ("", ("Content-Type: image/png", "Content-Type: text/html"), "1"),
        (
            "text/html",
            (
                "Content-Type: image/png",
                "Content-Type: multipart/alternative; boundary=c\n\n--c\n\n\n--c\nContent-Type: text/html\n\n\n--c--",
            ),
            "2.2",
        ),
        (
            "multipart/alternative",
            (
                "Content-Type: text/html",
                "Content-Type: multipart/alternative; boundary=c\n\n--c\n\n\n--c--",
            ),
            "2.1",
        ),
    ],
)
def test_without_a_start_the_part_of_the_declared_type_is_the_root(
    type_: str, parts: tuple[str, ...], root: str
) -> None:
    text = f'Content-Type: multipart/related; type="{type_}"; start="<none>"; boundary=b\n\n'
    text += "".join(f"--b\n{part}\n\n\n" for part in parts) + "--b--"
    assert message(text.encode()).root == root


def test_roots_of_deeply_nested_parts_are_found_in_linear_time() -> None:
    head = 'Content-Type: multipart/related; type="text/x"; boundary=b{}\n\n--b{}\n'
    text = "".join(head.format(number, number) for number in range(60))
    assert message(text.encode()).root is not None


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("http://h/a/../b%2F..%2F..%2Fetc%2Fpasswd", "passwd.png"),
        ("http://h/..", "part-2.png"),
        ("http://h/%2e%2e", "part-2.png"),
        ("http://h/.htaccess", "htaccess.png"),
        ("file:///C:%5CWindows%5Cwin.ini", "win.ini.png"),
        ("http://h/a:b*c?.png", "a-b-c.png"),
        ("http://h/a%00b%0A.png", "a-b.png"),
        ("http://h/CON", "_CON.png"),
        ("http://h/nul.tar.png", "_nul.tar.png"),
        ("http://h/%C3%A4.PNG", "PNG.png"),
        ("http://h/x.php?y=/z.png", "x.php.png"),
        ("http://h/a.PNG", "a.PNG"),
        ("http://h/-rf", "rf.png"),
        ("http://h/a. .", "a.png"),
    ],
)
def test_names_are_safe(location: str, name: str) -> None:
    assert names(image(location)) == [name]


@given(st.lists(st.text(alphabet="aA./\\%2eE:-_\0 é~CONnul" + "x", max_size=20), max_size=6))
def test_whatever_the_locations_names_are_safe_and_differ(locations: list[str]) -> None:
    found = names(*(image(f"http://h/{location}") for location in locations))
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name) for name in found)
    assert all(len(name) <= 100 and not name.endswith(".") for name in found)
    assert len({name.lower() for name in [*found, "index.html"]}) == len(locations) + 1


def test_names_are_no_longer_than_allowed() -> None:
    found = names(*[image("http://h/" + "x" * 5000)] * 2)
    assert len(set(found)) == 2
    assert max(map(len, found)) <= 100


def test_names_differ_in_more_than_case() -> None:
    assert names(
        image("http://h/A.png"), image("http://h/a.png"), image("http://h/a.PNG"), image("http://h/a-2.png")
    ) == [
        "A.png",
        "a-2.png",
        "a-3.PNG",
        "a-2-2.png",
    ]
    assert names("Content-Type: text/html\nContent-Location: http://h/index.html") == ["index-2.html"]


def test_endings_tell_the_type() -> None:
    assert names(
        "Content-Type: text/css\nContent-Location: http://h/style.php?v=1",
        "Content-Type: image/jpeg\nContent-Location: http://h/a.jpeg",
        "Content-Type: application/x-thing\nContent-Location: http://h/a.thing",
        "Content-Type: application/x-thing\nContent-Location: http://h/a",
        "Content-Type: application/x-thing",
    ) == ["style.php.css", "a.jpeg", "a.thing", "a.bin", "part-6.bin"]


def test_many_parts_of_one_name_take_linear_time() -> None:
    assert len(set(names(*[image("http://h/a.png")] * 1000))) == 1000
    assert_proportional(lambda n: lambda: names(*[image("http://h/a.png")] * n), 500)


def test_bodies_are_decoded(fixtures: Path) -> None:
    data = (fixtures / "mime/newsletter.eml").read_bytes()
    found = {each.number: b"".join(each.pieces) for each in message(data).leaves()}
    assert list(found) == list(plan_parts(message(data)).files)
    assert found["1.2.1"].startswith(b"\x89PNG")
    assert found["1.2.2"].startswith(b'<p><img src="cid:logo%251@shop.example">')
    assert found["2"] == b"%PDF-1.4\n"


def test_what_cannot_be_decoded_stays_encoded(fixtures: Path) -> None:
    found = list(message((fixtures / "mime/bad-part-without-header-fields.mht").read_bytes()).leaves())
    assert [str(each.unread) for each in found if each.unread is not None] == [
        "part 4: its transfer encoding 'x-uuencode' cannot be read; it stays encoded"
    ]
    assert b"".join(found[3].pieces) == b"begin 644 page.html"


def test_nothing_is_lost_of_what_cannot_be_told_apart(fixtures: Path) -> None:
    data = (fixtures / "mime/bad-no-boundary.mht").read_bytes()
    (leaf,) = message(data).leaves()
    assert b"".join(leaf.pieces) == data.partition(b"\n\n")[2]
    assert plan_parts(message(data)).files == {"1": "index.bin"}
    assert len(message(data).diagnostics) == 1


def test_the_messages_of_an_mbox_are_files_too() -> None:
    data = b"From a\nContent-Type: text/html\n\n<p>\n\nFrom b\nA: b\n\ntext\n"
    assert plan_parts(message(data)).files == {"1.1": "index.html", "2.1": "part-2-1.txt"}
    assert [b"".join(each.pieces) for each in message(data).leaves()] == [b"<p>\n", b"text\n"]

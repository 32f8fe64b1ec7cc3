"""Documents in messages: their bases, read, and put back. One test or more for each rule of the two modules."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from containers.in_memory import everything, in_memory
from growth import assert_proportional
from rehref.containers.messages import read, rewrite
from rehref.containers.parts import ChangedPart, ChangePart, ContainerOptions, Limits, Part, WantsDocument
from rehref.documents.base import Base, Layers, establish

MIME = in_memory("mime")
LIMITS = Limits()
NO_LAYERS = Layers()
THIS_MESSAGE = ("thismessage:/", "default", "no header field gives one (RFC 2557 §5)")


def any_text(essence: str, uri: str) -> bool:
    return essence.startswith("text/")


def parts(data: bytes, outer: Layers = NO_LAYERS, wanted: WantsDocument = any_text) -> list[Part]:
    return MIME.parts(data, ContainerOptions(outer), wanted)


def diagnostics(data: bytes, wanted: WantsDocument = any_text, limits: Limits = LIMITS) -> list[str]:
    return MIME.diagnostics(data, ContainerOptions(limits=limits), wanted)


def base(part: Part) -> Base:
    return establish(part.layers.candidates())


def bases(data: bytes, outer: Layers = NO_LAYERS) -> dict[str, tuple[str | None, str, str]]:
    return {part.name: (base(part).uri, base(part).origin, base(part).where) for part in parts(data, outer)}


def rewritten(data: bytes, change: ChangePart, wanted: WantsDocument = any_text) -> tuple[bytes, list[str]]:
    return MIME.rewritten(data, change, wanted=wanted)


def replacing(old: bytes, new: bytes) -> ChangePart:
    """A change that replaces each `old` by `new`, and says where."""

    def change(part: Part) -> ChangedPart | None:
        splices = []
        at = part.data.find(old)
        while at >= 0:
            splices.append((at, at + len(old), new))
            at = part.data.find(old, at + len(old))
        return ChangedPart(part.data.replace(old, new), splices) if splices else None

    return change


def location(part: int | str, field: str = "Content-Location") -> str:
    return f"{field} of part {part}"


# --- bases --------------------------------------------------------------------------------------------------------


def test_internet_explorer(fixtures: Path) -> None:
    data = (fixtures / "mime/internet-explorer.mht").read_bytes()
    assert bases(data) == {
        "1": ("http://garden.example/beds/index.html?month=5", "entity", location(1)),
        "3": ("http://garden.example/style/main.css", "entity", location(3)),
    }
    page, style = parts(data)
    assert (page.media_type, page.encoding, page.label) == ('text/html; charset="iso-8859-1"', "windows-1252", "part 1")
    assert b'<A href="one.html">first</A> and a <A href="two.html">second</A>' in page.data
    assert style.inside["http://garden.example/beds/images/gate.png"] == "part 2"


def test_unmht(fixtures: Path) -> None:
    data = (fixtures / "mime/unmht.mht").read_bytes()
    assert bases(data) == {
        "1": ("http://tea.example/", "entity", location(1)),
        "2": ("http://tea.example/css/tea.css", "entity", location(2)),
        "4.1": ("http://tea.example/frame.html", "entity", location("4.1")),
    }
    assert "こんにちは".encode() in parts(data)[0].data
    assert parts(data)[0].inside["http://tea.example/frame.html#cups"] == "part 4.1"


def test_a_mail_refers_to_its_parts(fixtures: Path) -> None:
    data = (fixtures / "mime/newsletter.eml").read_bytes()
    assert bases(data) == {"1.1": THIS_MESSAGE, "1.2.2": THIS_MESSAGE}
    text, page = parts(data)
    assert (text.media_type, text.data.decode()) == (
        "text/plain; charset=utf-8",
        "Söckchen: https://shop.example/socks",
    )
    for uri, label in {
        "cid:logo%251@shop.example": "part 1.2.1",
        "CID:%6Cogo%251@shop.example": "part 1.2.1",
        "mid:july%252024@shop.example/logo%251@shop.example": "part 1.2.1",
        "mid:july%252024@shop.example": "part 1.2.2",
    }.items():
        assert page.inside[uri] == label
    assert "cid:other@shop.example" not in page.inside


def test_content_base(fixtures: Path) -> None:
    assert bases((fixtures / "mime/content-base.mht").read_bytes()) == {
        "1": ("http://old.example/site/start.html", "entity", location(1)),
        "2": ("http://old.example/site/deeper/", "entity", location(2, "Content-Base")),
        "3": ("http://other.example/a/", "entity", location(3, "Content-Base")),
    }
    assert dict(parts((fixtures / "mime/content-base.mht").read_bytes())[0].inside) == {
        "http://old.example/site/start.html": "part 1",
        "http://old.example/site/deeper/here.html": "part 2",
        "http://other.example/a/b.html": "part 3",
    }


def test_this_message(fixtures: Path) -> None:
    data = (fixtures / "mime/this-message.mht").read_bytes()
    assert {name: found[0] for name, found in bases(data).items()} == {
        "1": "thismessage:/index.html",
        "2": "thismessage:/more/page.html",
        "4": "thismessage:/encoded/word.html",
    }
    assert parts(data)[0].inside["thismessage:/images/a b.png"] == "part 3"
    assert parts(data)[0].inside["thismessage:/images/a%20b.png"] == "part 3"
    outer = Layers(retrieval="http://h/x/y.mht")
    assert bases(data, outer)["1"] == ("http://h/x/index.html", "entity", location(1))


def test_what_is_around_comes_before_this_message() -> None:
    data = b"Content-Type: text/html\n\n"
    assert bases(data, Layers(retrieval="http://h/r"))["1"] == ("http://h/r", "retrieval", "retrieval URI")
    assert bases(data, Layers(default="http://h/d"))["1"] == ("http://h/d", "default", "default base")
    assert bases(data)["1"] == THIS_MESSAGE


def test_a_message_in_a_message(fixtures: Path) -> None:
    data = (fixtures / "mime/forwarded.eml").read_bytes()
    assert bases(data) == {
        "1": THIS_MESSAGE,
        "2.1": ("http://forward.example/box/page.html", "entity", location("2.1")),
        "3.1": ("http://third.example/x/y.html", "entity", "Content-Location of the message in part 3"),
    }
    first, second, third = parts(data)
    assert second.inside["cid:i@example.net"] == "part 2.2"
    assert "cid:i@example.net" not in first.inside
    assert dict(third.inside) == {"http://third.example/x/y.html": "part 3.1"}
    # RFC 3986 §5.1.2: the candidates go on outward
    assert [each.where for each in second.layers.entity] == [
        location("2.1"),
        location(2),
        "no header field gives one (RFC 2557 §5)",
    ]


def test_a_rejected_location_is_named() -> None:
    data = b"Content-Location: http://h/a\nContent-Type: multipart/related; boundary=b\n\n" + (
        b"--b\nContent-Type: text/html\nContent-Location: data:,x\n\n\n--b--"
    )
    found = base(parts(data)[0])
    assert (found.uri, found.where) == ("http://h/a", "Content-Location of the message")
    assert [(each.reference, each.where) for each in found.rejected] == [("data:,x", location(1))]


# --- the suite ----------------------------------------------------------------------------------------------------

FRAMES = "https://frames.example/"
SITE = "https://site.example/docs/"
LAST = "http://msindwan.bitbucket.org/"
CHROME: dict[str, dict[str, tuple[str, str]]] = {
    "chrome-frameset.mhtml": {
        "1": (FRAMES + "index.html", location(1)),
        "2": (FRAMES + "left.html", location(2)),
        "3": (FRAMES + "sub/right.html", location(3)),
    },
    "chrome-latin1.mhtml": {"1": ("https://latin.example/a/b", location(1))},
    "chrome-relative-base.mhtml": {
        "1": (SITE + "guide/page.html", location(1)),
        "3": (SITE + "assets/main.css", location(3)),
        "4": (SITE + "assets/more.css", location(4)),
        "5": (SITE + "assets/", "base of part 1, which embeds it"),
        "6": (SITE + "guide/page.html", "Snapshot-Content-Location of the message"),
        "7": (SITE + "assets/frame.html", location(7)),
    },
}
SUITE: dict[str, dict[str, tuple[str, str]]] = {
    "missing_boundary.mhtml": {},
    "missing_boundary_header.mhtml": {},
    "missing_headers.mhtml": {"1": (LAST, location(1)), "2": ("thismessage:/", THIS_MESSAGE[2])},
    "portfolio.mhtml": {
        "1": (LAST, location(1)),
        "3": (LAST + "ext/font-awesome/css/font-awesome.min.css", location(3)),
        "4": (LAST + "ext/bootstrap/bootstrap.min.css", location(4)),
        "7": ("https://fonts.googleapis.com/css?family=Roboto:400,100", location(7)),
        "13": (LAST + "css/design.css", location(13)),
    },
    "unexpected_eof.mhtml": {"1": (LAST, location(1))},
}
SUITE_TROUBLES = {
    "missing_boundary.mhtml": ["the message: its boundary is nowhere in it: its parts cannot be separated"],
    "missing_boundary_header.mhtml": ["the message: its Content-Type names no boundary: its parts cannot be separated"],
    "missing_headers.mhtml": ["the message: it ends without its closing boundary: something may be missing"],
    "portfolio.mhtml": ["the message: a line among its header fields is not one, and is skipped"],
    "unexpected_eof.mhtml": ["the message: it ends without its closing boundary: something may be missing"],
}


@pytest.mark.parametrize("name", SUITE)
def test_the_bases_of_the_suite(name: str, suites: Path) -> None:
    data = (suites / "mhtml" / name).read_bytes()
    assert {part: (uri, where) for part, (uri, _, where) in bases(data).items()} == SUITE[name]
    assert diagnostics(data) == SUITE_TROUBLES.get(name, [])
    for change in (lambda part: None, lambda part: ChangedPart(part.data), lambda part: ChangedPart(part.data, [])):
        assert rewritten(data, change, everything)[0] == data


@pytest.mark.parametrize("name", CHROME)
def test_the_bases_of_what_chromium_saved(name: str, fixtures: Path) -> None:
    found = bases((fixtures / "mime" / name).read_bytes())
    assert {part: (uri, where) for part, (uri, _, where) in found.items()} == CHROME[name]


def test_what_chrome_calls_frames_is_inside(fixtures: Path) -> None:
    page = parts((fixtures / "mime/chrome-frameset.mhtml").read_bytes())[0]
    assert page.inside["cid:frame-E942791B1E067F3146CF02DA8AAAD163@mhtml.blink"] == "part 2"
    assert page.inside[FRAMES + "sub/right.html"] == "part 3"


def test_a_style_sheet_with_a_name_only_takes_the_base_of_the_first_page_that_mentions_it() -> None:
    def page(number: int, base: str, text: str) -> str:
        return f"--b\nContent-Type: text/html\nContent-Location: http://h/{number}/p\n\n<base href={base}>{text}\n"

    data = (
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
        + page(1, "one/", "cid:css-none")
        + "--b\nContent-Type: text/css\nContent-Location: cid:css-a\n\nx\n"
        + page(3, "data:,", "<link href='cid:css-a'>")
        + page(4, "four/", "<link href='cid:css-a'><link href=cid:css-b>")
        + "--b\nContent-Type: text/css\nContent-Location: cid:css-b\nContent-Base: http://never/\n\nx\n"
        + "--b\nContent-Type: text/css\nContent-Location: cid:css-c\n\nx\n--b--"
    )
    found = {name: (uri, where) for name, (uri, _, where) in bases(data.encode()).items()}
    assert found["2"] == ("http://h/3/p", "base of part 3, which embeds it")
    assert found["5"] == ("http://h/4/four/", "base of part 4, which embeds it")
    assert found["6"] == ("thismessage:/", THIS_MESSAGE[2])
    assert base(parts(data.encode())[1]).rejected == ()


# --- reading ------------------------------------------------------------------------------------------------------


def test_only_what_is_wanted_is_read() -> None:
    data = b"Content-Type: multipart/related; boundary=b\n\n" + (
        b"--b\nContent-Type: Text/HTML; a=b\nContent-Location: http://h/a\n\n1\n--b\n\n2\n"
        b"--b\nContent-Type: x\n\n3\n--b--"
    )
    asked = []

    def wanted(essence: str, uri: str) -> bool:
        asked.append((essence, uri))
        return essence == ""

    assert [part.data for part in parts(data, wanted=wanted)] == [b"3"]
    assert asked == [("text/html", "http://h/a"), ("text/plain", "2"), ("", "3")]


BAD = {
    "bad-no-boundary.mht": (["the message: its Content-Type names no boundary: its parts cannot be separated"], []),
    "bad-no-header-fields.mht": (["there are no header fields: this is not a MIME message"], []),
    "bad-not-closed.mht": (
        ["part 1: it ends without its closing boundary: something may be missing; 1 more like it in this message"],
        [b'<a href="x">the inner multipart is not closed</a>', b'<a href="y">neither is the outer</a>\n'],
    ),
    "bad-part-without-header-fields.mht": (
        [
            "part 1: no empty line separates the header fields from the body",
            "part 4: its transfer encoding 'x-uuencode' cannot be read",
            "part 5: its charset 'klingon' is unknown, and skipped",
        ],
        [
            b'<a href="x">no empty line before this</a>',
            b"https://bare.example/text without any heading",
            b"",
            b'<a href="z">an unknown charset</a>',
        ],
    ),
    "bad-unexpected-end.mht": (
        ["the message: it ends without its closing boundary: something may be missing"],
        [b'<a href="x.html">x</a> <a href=3'],
    ),
    "bad-encodings.mht": (
        [],
        [
            b'<a href="x.html">x</a> 100=% =zz =4\ntrailing white space\n'
            b'<a href="y.html">a line that is far too long for quoted-printable, and holds a bare = sign</a>',
            b'<a href="x.html">!!!</a> with junk and a cut quantum',
        ],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_messages_are_read_as_far_as_they_can_be(name: str, fixtures: Path) -> None:
    data = (fixtures / "mime" / name).read_bytes()
    assert diagnostics(data) == BAD[name][0]
    assert [part.data for part in parts(data)] == BAD[name][1]


def test_what_is_too_large_is_not_read_and_stays() -> None:
    data = b"Content-Type: text/html\n\n" + b"x" * 2000
    limits = Limits(size=1999)
    assert diagnostics(data, limits=limits) == [
        "part 1: unpacks to more than 1,999 bytes; allow more with --max-size if you trust it"
    ]
    new, found = MIME.rewritten(data, lambda part: ChangedPart(b""), ContainerOptions(limits=limits), everything)
    assert (new, len(found)) == (data, 1)


def test_a_large_message_of_many_parts_is_read_in_linear_time() -> None:
    part = "--b\nContent-Type: text/html\nContent-Location: p\nContent-ID: <x>\n\n<a href=cid:css-x>x\n"
    style = "--b\nContent-Type: text/css\nContent-Location: cid:css-x\n\nx\n"
    head = 'Message-ID: <m>\nContent-Type: multipart/related; start="<none>"; boundary=b\n\n'
    assert len(parts((head + (part + style) * 1000).encode())) == 2000
    assert_proportional(lambda n: partial(parts, (head + (part + style) * n).encode()), 50)


# --- rewriting ----------------------------------------------------------------------------------------------------


def test_identity(fixtures: Path) -> None:
    changes: list[ChangePart] = [
        lambda part: None,
        lambda part: ChangedPart(part.data),
        lambda part: ChangedPart(part.data, []),
        lambda part: ChangedPart(part.data, [(0, 0, b"")]),
    ]
    for path in sorted((fixtures / "mime").iterdir()):
        data = path.read_bytes()
        for change in changes:
            assert rewritten(data, change, everything)[0] == data, path


@given(
    st.lists(
        st.sampled_from(["--b", "--c", "--b--", "--c--", "", "A: b", "text", "Content-Type: text/html"])
        | st.just("Content-Type: multipart/mixed; boundary=c"),
        max_size=30,
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_identity_whatever_the_message(lines: list[str], end: str) -> None:
    data = end.join(["Content-Type: multipart/mixed; boundary=b", *lines]).encode()
    assert rewritten(data, lambda part: None, everything)[0] == data
    assert rewritten(data, lambda part: ChangedPart(part.data), everything)[0] == data


def changed_lines(old: bytes, new: bytes) -> list[tuple[bytes, bytes]]:
    before, after = old.split(b"\n"), new.split(b"\n")
    assert len(before) == len(after)
    return [(one.rstrip(), two.rstrip()) for one, two in zip(before, after, strict=True) if one != two]


def test_only_the_lines_that_hold_a_change_are_others(fixtures: Path) -> None:
    data = (fixtures / "mime/internet-explorer.mht").read_bytes()
    new, found = rewritten(data, replacing(b"one.html", b"1.html"))
    assert changed_lines(data, new) == [
        (
            b'ng line with a <A href=3D"one.html">first</A> and a <A href=3D"two.html">sec=',
            b'ng line with a <A href=3D"1.html">first</A> and a <A href=3D"two.html">sec=',
        )
    ]
    assert found == []
    longer, _ = rewritten(data, replacing(b"two.html", b"http://garden.example/beds/two.html"))
    assert longer == data.replace(
        b'ng line with a <A href=3D"one.html">first</A> and a <A href=3D"two.html">sec=\r\n',
        b'ng line with a <A href=3D"one.html">first</A> and a <A href=3D"http://garde=\r\n'
        b'n.example/beds/two.html">sec=\r\n',
    )


@pytest.mark.parametrize("name", ["internet-explorer.mht", "unmht.mht", "newsletter.eml", "forwarded.eml"])
@pytest.mark.parametrize("with_splices", [True, False])
def test_what_is_written_is_read_again(name: str, with_splices: bool, fixtures: Path) -> None:
    data = (fixtures / "mime" / name).read_bytes()
    replace = replacing(b"htt", b"HTT=\n=41 ")
    new, found = rewritten(
        data, lambda part: (one := replace(part)) and (one if with_splices else ChangedPart(one.data))
    )
    assert new != data
    assert found == []
    assert [part.data for part in parts(new)] == [part.data.replace(b"htt", b"HTT=\n=41 ") for part in parts(data)]


def test_what_is_not_ascii_is_refused_where_the_header_fields_promise_that() -> None:
    data = b"Content-Type: text/html\n\n<p>"
    new, found = rewritten(data, replacing(b"p", "ö".encode()))
    assert new == data
    assert found == ["part 1: it stays as it is: its transfer encoding is 7bit, and the new text is not ASCII"]


@pytest.mark.parametrize("new_text", [b"x\n--b x", b"x\n--b--", b"--b"])
@pytest.mark.parametrize(("encoding", "refused"), [("7bit", True), ("quoted-printable", True), ("base64", False)])
def test_a_line_that_would_read_like_a_delimiter_is_refused(encoding: str, refused: bool, new_text: bytes) -> None:
    head = f"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: {encoding}\n\n"
    data = (head + ("eHg=" if encoding == "base64" else "xx") + "\n--b--").encode()
    new, found = rewritten(data, lambda part: ChangedPart(new_text), everything)
    assert (new == data) is refused
    assert found == ["part 1: it stays as it is: a line of it would read like the delimiter of parts"] * refused


def test_a_line_that_was_there_before_may_read_like_a_delimiter() -> None:
    data = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--bb old\n--b--"
    assert rewritten(data, replacing(b"old", b"new"))[0] == data.replace(b"old", b"new")


def test_what_is_signed_stays() -> None:
    signed = (
        "Content-Type: multipart/signed; boundary=s\n\n--s\n\nhttp\n--s\nContent-Type: application/x-sig\n\nx\n--s--\n"
    )
    data = ("Content-Type: multipart/mixed; boundary=b\n\n--b\n" + signed + "--b\n\nhttp\n--b--").encode()
    new, found = rewritten(data, replacing(b"http", b"HTTP"))
    assert found == ["part 1.1: it is signed, and stays as it is: the signature would no longer be valid"]
    assert new == data.replace(b"\n\nhttp\n--b--", b"\n\nHTTP\n--b--")


def test_base64_with_more_behind_its_padding_is_reported_and_stays() -> None:
    data = b"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGE+\nPGI=\nPGM+\n"
    assert [part.data for part in parts(data)] == [b"<a><b"]
    what = "part 1: there are more data after the padding of its base64, "
    assert diagnostics(data) == [what + "which are not read"]
    new, found = rewritten(data, replacing(b"a", b"abbr"))
    assert new == data
    assert found == [
        what + "which are not read",
        "part 1: it stays as it is: there are more data after the padding of its base64, which readers treat "
        "differently",
    ]


MBOX = (
    b"From a@b Mon Jul 1\nMessage-ID: <1@h>\nContent-Location: http://h/1/\nContent-Type: text/html\n\n<a href=x>\n\n"
    b"From a@b Mon Jul 2\nMessage-ID: <2@h>\nContent-Type: text/html\n\n<a href=y>\n"
)


def test_all_messages_of_an_mbox_are_read_and_put_back() -> None:
    assert bases(MBOX) == {
        "1.1": ("http://h/1/", "entity", "Content-Location of the message in part 1"),
        "2.1": THIS_MESSAGE,
    }
    first, second = parts(MBOX)
    assert dict(first.inside) == {"http://h/1/": "part 1.1", "mid:1@h": "part 1.1"}
    assert dict(second.inside) == {"mid:2@h": "part 2.1"}
    new, found = rewritten(MBOX, replacing(b"href=", b"href=http://h/"))
    assert found == []
    assert new == MBOX.replace(b"href=", b"href=http://h/")
    assert rewritten(MBOX, lambda part: None) == (MBOX, [])


@pytest.mark.parametrize("new_text", [b"From ", b"x\n\nFrom ", b"x\n\r\nFrom a"])
def test_a_line_that_would_begin_another_message_of_an_mbox_is_refused(new_text: bytes) -> None:
    for data in (MBOX, MBOX[: MBOX.index(b"\nFrom")]):
        new, found = rewritten(data, replacing(b"<a href=x>", new_text))
        assert new == data
        assert [each.partition(": ")[2] for each in found] == [
            "it stays as it is: a line of it would read like the beginning of another message"
        ]
    mail = MBOX[MBOX.index(b"\n") + 1 : MBOX.index(b"\nFrom")]
    assert rewritten(mail, replacing(b"<a href=x>", new_text)) == (mail.replace(b"<a href=x>", new_text), [])


def test_many_parts_that_cannot_be_read_take_few_lines() -> None:
    part = b"--b\nContent-Transfer-Encoding: x-%d\n\nx\n"
    data = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"".join(part % each for each in range(500)) + b"--b--"
    for found in (diagnostics(data), rewritten(data, lambda part: None)[1]):
        assert len(found) == 21
        assert found[-1] == "480 more, up to part 500: its transfer encoding 'x-499' cannot be read"


def test_the_length_of_a_part_is_corrected() -> None:
    data = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Length:  5\n\nhttp\n--b\ncontent-length: x\n\nhttp"
    )
    new, _ = rewritten(data, replacing(b"http", b"http://h/"))
    assert new == data.replace(b"http", b"http://h/").replace(b" 5", b" 10")


def test_a_file_that_is_mapped_is_rewritten(fixtures: Path) -> None:
    path = fixtures / "mime/unmht.mht"
    out = io.BytesIO()
    with path.open("rb") as file:
        reading = read(file, ContainerOptions(), any_text)
        next(reading)  # and left there: the file can be closed all the same
        list(rewrite(file, out, replacing(b"tea", b"TEA"), ContainerOptions(), any_text))
    assert [part.data for part in parts(out.getvalue())] == [
        part.data.replace(b"tea", b"TEA") for part in parts(path.read_bytes())
    ]

"""Style sheets in archives and messages that declare no encoding have that of the page which refers to them."""

from __future__ import annotations

import gzip
import io
import quopri
import random
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from containers.pages_with_sheets import BACKGROUND, LINK, SITE, WORDS, page, sheet
from crawl import digest, http, record, redirect, response
from rehref.archives.links_of_many import process
from rehref.archives.pieces import ranges_of
from rehref.archives.rewriting_files import RewriteOptions, rewrite_file
from rehref.cli.program import program
from rehref.documents.options import ReadOptions, SourceOptions


def of_sheet(archive: bytes | Path, **options: str) -> list[str]:
    """The targets in the style sheets of an archive."""
    found = rehref.iter_pages(archive, **options)  # type: ignore[arg-type]
    return [link.target or "" for each in found if each.media_type == "text/css" for link in each.links]


@pytest.mark.parametrize("profile", ["rfc3986", "whatwg"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("encoding", WORDS)
def test_it_is_that_of_the_page(encoding: str, first: bool, profile: str) -> None:
    word = WORDS[encoding]
    records = [page(encoding), sheet(encoding)]
    found = of_sheet(b"".join(records if first else records[::-1]), profile=profile)
    declared = rehref.links(
        BACKGROUND.format(word, word).encode(encoding),
        media_type="text/css",
        encoding=encoding,
        url=SITE,
        profile=profile,
    )
    assert found == [link.target for link in declared]
    assert "\ufffd" not in found[0]
    assert "%EF%BF%BD" not in found[0]


def test_imported_sheets_have_that_of_the_sheet_also_through_redirects() -> None:
    records = [
        page("windows-1251", "<style>@import 'old.css'</style>"),
        redirect(f"{SITE}old.css", "/a.css"),
        sheet("utf-8", "a.css", "@import 'b.css'; @import 'c.css';"),
        sheet("windows-1251", "b.css"),
        sheet("iso-8859-2", "c.css", "@import 'd.css';", "text/css; charset=iso-8859-2"),
        sheet("iso-8859-2", "d.css", "p { background: url(ě.png) }"),
    ]
    found = of_sheet(b"".join(records), profile="whatwg")
    assert f"{SITE}%D1%84%D0%BE%D0%BD.png?%F4%EE%ED" in found
    assert f"{SITE}%C4%9B.png" in found


def test_a_declaration_takes_precedence_and_what_is_utf_8_stays_so() -> None:
    head = LINK.replace("s.css", "t.css") + LINK
    declared = sheet("shift_jis", "s.css", '@charset "shift_jis"; p { background: url(画像.png) }')
    records = [page("windows-1251", head), declared, sheet("utf-8", "t.css")]
    assert of_sheet(b"".join(records)) == [f"{SITE}画像.png", f"{SITE}фон.png?фон"]


def test_of_two_pages_the_first_counts_that_is_not_utf_8() -> None:
    records = [page("utf-8"), page("windows-1251", name="a"), page("windows-1252", name="b"), sheet("windows-1251")]
    assert of_sheet(b"".join(records)) == [f"{SITE}фон.png?фон"]


def test_a_page_that_declares_none_has_that_of_browsers() -> None:
    records = [page("windows-1252", declared=False), sheet("windows-1252")]
    found = [link for link in rehref.links(b"".join(records), profile="whatwg") if link.element == ""]
    assert [(link.target, link.problems) for link in found] == [(f"{SITE}%C3%A9t%C3%A9.png?%E9t%E9", ())]


class _ReadOnce(io.BytesIO):
    """What cannot be read twice."""

    def seekable(self) -> bool:
        return False


def test_what_is_read_only_once_is_a_guess_that_is_reported() -> None:
    data = page("windows-1251") + sheet("windows-1251")
    found = [link for link in rehref.links(_ReadOnce(data), profile="whatwg") if link.element == ""]
    assert [problem.code for link in found for problem in link.problems] == ["encoding-undeclared"]


def test_what_is_rewritten(tmp_path: Path) -> None:
    out = io.BytesIO()
    data = page("windows-1251") + sheet("windows-1251")
    rehref.rewrite_into(data, out, all_types=True, profile="whatwg")
    found = of_sheet(out.getvalue())
    assert found == [f"{SITE}%D1%84%D0%BE%D0%BD.png?%F4%EE%ED"]
    text = rehref.rewrite(data, rehref.Relative())
    assert text == data


def test_a_wacz_with_the_page_in_another_file(tmp_path: Path) -> None:
    file = tmp_path / "a.wacz"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("datapackage.json", "{}")
        made.writestr("archive/1.warc.gz", sheet("gbk"))
        made.writestr("archive/2.warc.gz", page("gbk"))
    assert of_sheet(file, profile="whatwg") == [f"{SITE}%E8%83%8C%E6%99%AF.png?%B1%B3%BE%B0"]


# --- messages


def message(*parts: tuple[str, str, bytes], header: str = "") -> bytes:
    """A message of parts: the type, the location or the id, and the content."""
    lines = [b"MIME-Version: 1.0", f"Content-Type: multipart/related; boundary=b{header}".encode(), b""]
    for media_type, where, data in parts:
        name = f"Content-ID: <{where}>" if "@" in where else f"Content-Location: {where}"
        head = f"Content-Type: {media_type}\r\n{name}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        lines += [b"--b", head.encode() + quopri.encodestring(data).replace(b"\n", b"\r\n")]
    return b"\r\n".join([*lines, b"--b--", b""])


CSS = BACKGROUND.format("фон", "фон").encode("windows-1251")
MESSAGES = {
    "a location": [("text/html; charset=windows-1251", SITE, LINK.encode()), ("text/css", f"{SITE}s.css", CSS)],
    "before the page": [("text/css", f"{SITE}s.css", CSS), ("text/html; charset=windows-1251", SITE, LINK.encode())],
    "an id": [
        ("text/html; charset=windows-1251", SITE, LINK.replace("s.css", "cid:s@x").encode()),
        ("text/css", "s@x", CSS),
    ],
    "an import": [
        ("text/html", SITE, b"<meta charset=windows-1251><style>@import 'a.css'</style>"),
        ("text/css", f"{SITE}a.css", b"@import 's.css';"),
        ("text/css", f"{SITE}s.css", CSS),
    ],
}


@pytest.mark.parametrize("shape", MESSAGES)
def test_a_part_of_a_message_has_that_of_the_page(shape: str) -> None:
    data = message(*MESSAGES[shape])
    found = of_sheet(data, profile="whatwg", default_base=SITE)
    assert found[-1] == f"{SITE}%D1%84%D0%BE%D0%BD.png?%F4%EE%ED"
    again = of_sheet(rehref.rewrite(data, profile="whatwg", default_base=SITE), default_base=SITE)
    assert again[-1] == found[-1]


def test_messages_in_an_mbox_have_their_own() -> None:
    one = message(*MESSAGES["a location"])
    other = message(
        ("text/html; charset=gbk", SITE, LINK.encode()),
        ("text/css", f"{SITE}s.css", "p{background:url(背)}".encode("gbk")),
    )
    mbox = b"".join(b"From a@h Mon Jan  1 00:00:00 2024\r\n" + each + b"\r\n" for each in (one, other))
    assert of_sheet(mbox) == [f"{SITE}фон.png?фон", f"{SITE}背"]


def test_parts_that_are_unpacked(tmp_path: Path) -> None:
    head = LINK + "<script src=s.js></script><script src=u.js></script><p>ф"
    script = "document.title = 'ф'"
    data = message(
        ("text/html; charset=windows-1251", SITE, head.encode("windows-1251")),
        ("text/css", f"{SITE}s.css", CSS),
        ("text/javascript", f"{SITE}s.js", script.encode("windows-1251")),
        ("text/javascript", f"{SITE}u.js", script.encode()),
        ("text/plain", f"{SITE}t.txt", script.encode("windows-1251")),
    )
    (tmp_path / "m.mht").write_bytes(data)
    result = CliRunner().invoke(program, ["rewrite", "-q", "--unpack", str(tmp_path / "m"), str(tmp_path / "m.mht")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "m/index.html").read_text("utf-8-sig").endswith("<p>ф")
    assert "%D1%84%D0%BE%D0%BD.png" in (tmp_path / "m/s.css").read_text("utf-8-sig")
    assert (tmp_path / "m/s.js").read_bytes() == BOM_UTF8 + script.encode()
    assert (tmp_path / "m/u.js").read_bytes() == script.encode()
    assert (tmp_path / "m/t.txt").read_bytes() == script.encode("windows-1251")


# --- pieces of archives

STRETCH = 40_000


def unpacked(member: bytes) -> bytes:
    return gzip.decompress(member)


def many(count: int = 60) -> Iterator[bytes]:
    """Records with noise; the sheets of a page are sometimes behind it, sometimes before it, and sometimes far away."""
    noise = random.Random(1)
    encodings = list(WORDS)
    for number in range(count):
        encoding = encodings[number % len(encodings)]
        yield page(encoding, LINK.replace("s.css", f"{number}.css"), name=str(number))
        yield response(f"{SITE}{number}.txt", noise.randbytes(noise.randrange(5000)).hex(), "text/plain")
        other = (number + noise.choice([0, 0, 1, -1, 30, -30])) % count
        yield sheet(encodings[other % len(encodings)], f"{other}.css")


SHAPES = {
    "members": lambda: b"".join(many()),
    "several records in a member": lambda: b"".join(
        gzip.compress(b"".join(map(unpacked, records)), mtime=0) for records in zip(*[many()] * 3, strict=True)
    ),
    "not compressed": lambda: b"".join(map(unpacked, many())),
}


@pytest.fixture
def small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rehref.containers._warc.borders.STRETCH", STRETCH)


@pytest.mark.usefixtures("small_stretches")
@pytest.mark.parametrize("size", [50_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_pieces_give_what_the_whole_gives(tmp_path: Path, shape: str, size: int) -> None:
    file, new = tmp_path / "a.warc", tmp_path / "new"
    file.write_bytes(SHAPES[shape]())
    pieces = ranges_of(file, file.stat().st_size, size)
    assert len(pieces) > 3
    whole = list(process(file, SourceOptions.DEFAULT))
    guesses = sum(problem["code"] == "encoding-undeclared" for row in whole for problem in row.problems)
    assert 0 < guesses < 40  # those of pages that are far away
    assert [row for each in pieces for row in process(file, SourceOptions.DEFAULT, within=each)] == whole
    wanted = RewriteOptions(all_types=True)
    rewrite_file(file, new, wanted)
    expected, found = new.read_bytes(), b""
    for each in pieces:
        rewrite_file(file, new, wanted, within=each)
        found += new.read_bytes()
    assert found == expected


@pytest.mark.usefixtures("small_stretches")
def test_only_what_is_near_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    noise = response(f"{SITE}n.txt", random.Random(1).randbytes(STRETCH).hex(), "text/plain")
    for gap, target in ((noise, f"{SITE}фон.png?фон"), (noise * 3, f"{SITE}ôîí.png?ôîí")):
        file.write_bytes(page("windows-1251") + gap + sheet("windows-1251"))
        assert of_sheet(file) == [target]


@pytest.mark.usefixtures("small_stretches")
def test_revisits_are_of_what_the_original_becomes(tmp_path: Path) -> None:
    file, new = tmp_path / "a.warc.gz", tmp_path / "new"
    noise = response(f"{SITE}n.txt", random.Random(1).randbytes(STRETCH).hex(), "text/plain")
    block = http(b"", "text/css")
    same, other = f"{SITE}s.css", f"{SITE}d/t.css"
    records = [page("windows-1251", LINK + LINK.replace("s.css", "d/t.css")), sheet("windows-1251")]
    about = {"WARC_Payload_Digest": digest(CSS), "Content_Type": "application/http"}
    records += [record("revisit", uri, block, **about) for uri in (same, other)]
    file.write_bytes(b"".join([noise] * 4 + records))
    rewrite_file(file, new, RewriteOptions(all_types=True), SourceOptions(how=ReadOptions(profile="whatwg")))
    text = gzip.decompress(new.read_bytes())
    body = b".png?%F4%EE%ED) }"
    assert text.count(b"%D1%84%D0%BE%D0%BD" + body) == 2
    assert b"h.example/d/%D1%84%D0%BE%D0%BD" + body in text
    payload = b"p { background: url(https://h.example/%D1%84%D0%BE%D0%BD" + body
    assert text.count(digest(payload).encode()) == 2

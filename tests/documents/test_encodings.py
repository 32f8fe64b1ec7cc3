"""Which encoding a document's references are read in, where they come from, and what is said where nothing tells.

(`markup/html_encoding.py`, `documents/_problems.py`; docs/decisions-references.md, "Encoding")
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

import rehref
from rehref.documents.reading import encoding_of
from rehref.uri.resolver import Profile

URL = "http://www.example.org/docs/"
UNDECLARED = "encoding-undeclared"
CORES = ("source", "lxml", "html5lib")
FAR = b"<!--" + b"x" * 1024 + b"-->"


def codes(link: rehref.Link) -> list[str]:
    return [problem.code for problem in link.problems]


def last(source: object, **options: object) -> rehref.Link:
    return rehref.links(source, url=URL, **options)[-1]  # type: ignore[arg-type]


# --- a late meta


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("utf-8", "gr%C3%A4n?q=%C3%A4"),
        ("windows-1252", "gr%C3%A4n?q=%E4"),
        ("windows-1250", "gr%C3%A4n?q=%E4"),
        ("gb18030", "gr%C3%A4n?q=%810%8A1"),
    ],
)
def test_a_late_meta_counts_in_every_core(parser: str, name: str, target: str) -> None:
    data = FAR + f'<meta charset={name}><a href="grän?q=ä">x</a>'.encode(name)
    assert last(data, parser=parser).reference == "grän?q=ä"
    assert last(data, parser=parser, profile="whatwg").target == URL + target


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize("profile", ["rfc3986", "whatwg"])
@pytest.mark.parametrize("name", ["utf-8", "windows-1252", "koi8-r", "shift_jis", "iso-2022-jp"])
@pytest.mark.parametrize("head", ["", "<head><title>x</title>"])
def test_a_rewrite_that_moves_a_meta_changes_nothing_that_is_read(
    parser: str, profile: Profile, name: str, head: str
) -> None:
    before = head + "x" * 390 + "".join(f'<a href="p{number}">x</a>' for number in range(30))
    text = f'{before}<meta charset={name}><a href="д?q=д">x</a><a href="http://a.example/?q=д">x</a>'
    data = (text if name != "windows-1252" else text.replace("д", "ä")).encode(name)
    assert data.index(b"<meta") < 1024
    new = rehref.rewrite(data, url=URL, profile=profile, parser=parser)
    assert new.index(b"<meta") > 1024
    assert encoding_of(new).name == encoding_of(data).name == name
    old_links, new_links = (rehref.links(each, url=URL, profile=profile, parser=parser) for each in (data, new))
    assert [link.target for link in new_links] == [link.target for link in old_links]


@pytest.mark.parametrize("parser", CORES)
def test_queries_in_x_user_defined_are_bytes(parser: str) -> None:
    data = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x-user-defined\r\n\r\n"
        b'<a href="\xe4?q=\xe4"></a><a href="?q=&#8364;"></a>'
    )
    targets = [link.target for link in rehref.links(data, url=URL, profile="whatwg", parser=parser)]
    assert targets == [f"{URL}%EF%9F%A4?q=%E4", f"{URL}?q=%26%238364%3B"]


# --- a file and a response that say nothing

REFERENCE = b'<a href="gr\xc3\xbcn.html">x</a>'  # UTF-8
OTHER = b'<a href="gr\xfcn.html">x</a>'  # windows-1252
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html%b\r\n\r\n"


def warc(body: bytes, parameter: bytes = b"") -> bytes:
    http = RESPONSE % parameter + body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        f"WARC-Date: 2024-01-02T03:04:05Z\r\nWARC-Target-URI: {URL}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def mhtml(body: bytes, parameter: bytes = b"") -> bytes:
    head = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
    return head + b"Content-Type: text/html" + parameter + b"\r\n\r\n" + body + b"\r\n--b--\r\n"


def epub(body: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles/></container>',
        )
        book.writestr("a.html", body)
    return file.getvalue()


@pytest.mark.parametrize("parser", CORES)
def test_a_file_is_utf_8_if_it_is_that_throughout(parser: str, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    for data, read in ((REFERENCE, "grün.html"), (OTHER, "grün.html"), (REFERENCE + OTHER, "grÃ¼n.html")):
        path.write_bytes(data)
        for source in (data, path, io.BytesIO(data)):
            assert rehref.links(source, url=URL, parser=parser)[0].reference == read


def test_a_file_in_an_epub_is_one_too() -> None:
    assert rehref.links(epub(REFERENCE))[-1].reference == "grün.html"


@pytest.mark.parametrize("wrapped", [warc, mhtml, lambda body, more=b"": RESPONSE % more + body])
def test_a_response_that_says_nothing_is_windows_1252(wrapped: object) -> None:
    assert callable(wrapped)
    assert rehref.links(wrapped(REFERENCE))[-1].reference == "grÃ¼n.html"
    assert UNDECLARED in codes(rehref.links(wrapped(REFERENCE))[-1])
    link = rehref.links(wrapped(REFERENCE, b"; charset=utf-8"))[-1]
    assert (link.reference, UNDECLARED in codes(link)) == ("grün.html", False)
    link = rehref.links(wrapped(FAR + b"<meta charset=utf-8>" + REFERENCE))[-1]
    assert (link.reference, UNDECLARED in codes(link)) == ("grün.html", False)


@pytest.mark.parametrize("wrapped", [warc, mhtml, epub])
def test_a_container_whose_documents_say_nothing_reads_the_same_when_it_is_rewritten(wrapped: object) -> None:
    assert callable(wrapped)
    data = wrapped(REFERENCE + b'<a href="http://www.example.org/docs/old">x</a>')
    new = rehref.rewrite(data, rehref.Mapping({URL + "old": URL + "new"}))
    old_links, new_links = rehref.links(data), rehref.links(new)
    assert [link.reference for link in new_links[:-1]] == [link.reference for link in old_links[:-1]]
    assert new_links[-1].target == URL + "new"


@pytest.mark.parametrize("parser", CORES)
def test_queries_of_what_is_all_ascii_are_encoded_as_browsers_do(parser: str) -> None:
    data = b'<a href="&auml;?q=&auml;">x</a>'
    assert last(data, parser=parser, profile="whatwg").target == URL + "%C3%A4?q=%E4"
    assert last(data + REFERENCE, parser=parser, profile="whatwg").target == URL + "gr%C3%BCn.html"
    assert rehref.links(data + REFERENCE, url=URL, profile="whatwg")[0].target == URL + "%C3%A4?q=%C3%A4"
    assert rehref.links(data, url=URL, profile="whatwg", encoding="utf-8")[0].target == URL + "%C3%A4?q=%C3%A4"


# --- the problem


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize("data", [REFERENCE, OTHER])
def test_a_guess_that_a_reference_depends_on_is_a_problem(parser: str, data: bytes) -> None:
    found = rehref.links(data + b'<a href="a.html">y</a>', url=URL, parser=parser)
    assert [UNDECLARED in codes(link) for link in found] == [True, False]
    message = found[0].problems[-1].message
    assert ("utf-8" if data is REFERENCE else "windows-1252") in message


@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
def test_it_is_one_in_every_profile_and_place(profile: Profile) -> None:
    data = (
        '<a href=" ü "></a><img srcset="ü 1x, a 2x"><iframe srcdoc="<a href=ü>"></iframe><a href="//x.example/ü"></a>'
    )
    found = [UNDECLARED in codes(link) for link in rehref.links(data.encode(), url=URL, profile=profile)]
    assert found == [True, True, False, True, True]


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (b"<meta charset=utf-8>" + REFERENCE, {}),
        (FAR + b"<meta charset=utf-8>" + REFERENCE, {}),
        (b"<?xml version='1.0' encoding='utf-8'?><p>" + REFERENCE, {"media_type": "text/html"}),
        (b"\xef\xbb\xbf" + REFERENCE, {}),
        (REFERENCE, {"encoding": "utf-8"}),
        (REFERENCE.decode(), {}),
        (b'<a href="gr&uuml;n.html">x</a>', {}),
        (b'<a xmlns="http://www.w3.org/1999/xhtml" href="gr\xc3\xbcn.html"/>', {"media_type": "application/xhtml+xml"}),
        (b"a { background: url(gr\xc3\xbcn.png) }", {"media_type": "text/css"}),
    ],
)
def test_no_guess_no_problem(data: bytes | str, options: dict[str, str]) -> None:
    assert last(data, **options).reference.startswith("grün.")
    assert UNDECLARED not in codes(last(data, **options))

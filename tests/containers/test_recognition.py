"""Which files are messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.containers._mime.recognition import looks_like_mime


@pytest.mark.parametrize(
    "head",
    [
        b"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>",
        b"\xef\xbb\xbfMIME-Version: 1.0\n\n",
        b"From a@b Mon Jul 1\nSubject: x\nFrom: a@b\n\n",
        b"Received: x\n y\nReceived: x\nDate: y\nX-Cut-In-The-Mid",
        b"content-type: Multipart/related; boundary=a\n\n",
        b"Content-Type: text/html\nContent-Transfer-Encoding: 7bit\n\n",
    ],
)
def test_messages_are_recognised(head: bytes) -> None:
    assert looks_like_mime(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"<html>\nMIME-Version: 1.0\n\n",
        b"HTTP/1.1 200 OK\r\nMIME-Version: 1.0\r\n\r\n",
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: multipart/related\r\n\r\n",
        b"filedesc://a.arc 0 19960923142103 text/plain 76\n1 0 Alexa\n\n",
        b"From: here\nTo: there\nit is a long way.\n",
        b"Content-Type: text/html\r\nContent-Length: 12\r\nDate: x\r\n\r\n",
        b"title: Page\ndate: 2020\n---\n",
        b"a { color: red }\n",
        b"http://h/\n",
    ],
)
def test_other_things_are_not(head: bytes) -> None:
    assert not looks_like_mime(head)


def test_all_fixtures_but_one_are_recognised_however_they_are_cut(fixtures: Path) -> None:
    for path in sorted((fixtures / "mime").iterdir()):
        data = path.read_bytes()
        assert looks_like_mime(data) is (path.name != "bad-no-header-fields.mht"), path.name
        assert looks_like_mime(data[:400]) is (path.name != "bad-no-header-fields.mht"), path.name
    for path in sorted(fixtures.glob("*.html")):
        assert not looks_like_mime(path.read_bytes())


FOLDS = b" " + b"x" * 70 + b"\r\n"


@pytest.mark.parametrize(
    "first",
    [
        b"To: a@b,\r\n",
        b"Received: from a\r\n",
        b"MIME-Version: 1.0\r\nX-Long: x\r\n",
        b"Content-Type: multipart/related; boundary=b;\r\n",
        b"From a@b Mon Jul 1\nX-Long: x\n",
    ],
)
def test_messages_whose_header_fields_go_on_and_on_are_recognised(first: bytes) -> None:
    head = (first + FOLDS * 1000)[: 1 << 16]
    for cut in range(100):
        assert looks_like_mime(head[: len(head) - cut])
    assert not looks_like_mime((b"X-Long: x\r\n" + FOLDS * 1000)[: 1 << 16])
    assert not looks_like_mime(b"To: a@b,\r\n" + FOLDS * 10)
    assert not looks_like_mime(first + FOLDS * 1000 + b"no heading\r\nat all")

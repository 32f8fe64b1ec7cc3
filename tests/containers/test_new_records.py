"""Digests of new records."""

from __future__ import annotations

import pytest

from rehref.containers._warc.new_records import digest_like


@pytest.mark.parametrize(
    "digest",
    [
        "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "SHA1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "sha-1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
        "sha1:2jmj7l5rSw0yVb_vlWAYkK_YBwk=",
        "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====",
        "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ",
        "md5:d41d8cd98f00b204e9800998ecf8427e",
    ],
)
def test_digests_keep_their_form(digest: str) -> None:
    assert digest_like(digest, ()) == digest
    assert digest_like(digest, (b"", b"a")) != digest


def test_digests_of_no_known_form() -> None:
    assert digest_like("sha1:", ()) == digest_like("sha1:whatever", ()) == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
    assert digest_like("crc32:00000000", ()) is None
    assert digest_like("", ()) is None

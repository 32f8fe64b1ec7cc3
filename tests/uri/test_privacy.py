"""Passwords are found wherever userinfo can stand, and never shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri.components import has_password, mask_password, mask_text, split


@pytest.mark.parametrize(
    ("uri", "masked"),
    [
        ("http://user:secret@h/", "http://user:***@h/"),
        ("http://user:secret@h:80/p?q#s", "http://user:***@h:80/p?q#s"),
        ("//user:secret@h/p", "//user:***@h/p"),
        ("http://:secret@h/", "http://:***@h/"),
        ("http://u:a:b:c@h/", "http://u:***@h/"),
        ("http://u:a@b@h/", "http://u:***@h/"),
        ("http://u@x:secret@h/", "http://u@x:***@h/"),
        ("http://u:@@h/", "http://u:***@h/"),
        ('http://u:a b"<c>@h/', "http://u:***@h/"),
        ("http://u:secret@[::1]:80/", "http://u:***@[::1]:80/"),
        ("foo+bar://u:secret@", "foo+bar://u:***@"),
        ("http://u:%73ecret@h?a@b", "http://u:***@h?a@b"),
        ("http://u:***@h/", "http://u:***@h/"),
    ],
)
def test_passwords_are_masked(uri: str, masked: str) -> None:
    assert has_password(uri) is True
    assert mask_password(uri) == masked


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "http://h:80/",
        "http://user@h/",
        "http://user:@h/",
        "http://:@h/",
        "http://h/a:b@c",
        "http://h?//a@c",
        "mailto:u:p@h",
        "/p:q@h",
        "u:p@h",
        "http://h/@scope:a/b@1.0",
    ],
)
def test_the_rest_is_left_alone(uri: str) -> None:
    assert has_password(uri) is False
    assert mask_password(uri) == uri


def test_a_uri_within_a_uri_is_masked_too() -> None:
    uri = "https://replay.example/2024/http://user:secret@h/"
    assert has_password(uri) is False
    assert mask_password(uri) == "https://replay.example/2024/http://user:***@h/"
    assert mask_password("https://a:b@h/?u=http://c:d@i/") == "https://a:***@h/?u=http://c:***@i/"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("cannot read http://u:secret@h/p: 404", "cannot read http://u:***@h/p: 404"),
        ('<a href="//u:s@h/">, (ftp://a:b@c)', '<a href="//u:***@h/">, (ftp://a:***@c)'),
        ("http://u:a@b@h/ and me@h", "http://u:***@h/ and me@h"),
        ("ht\ntp://u:secret@h/", "ht\ntp://u:***@h/"),
        ("http:\\\\u:secret@h\\", "http:\\\\u:***@h\\"),
        ("http://u:@h/", "http://u:@h/"),
        ("see http://h:80/ or mail a:b@h", "see http://h:80/ or mail a:b@h"),
        ("no sign", "no sign"),
    ],
)
def test_passwords_in_texts_are_masked(text: str, masked: str) -> None:
    assert mask_text(text) == masked


SIGNS = st.text(alphabet='ab:@/\\?#<" .*', max_size=30)


@given(text=SIGNS)
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask_text(mask_text(text)) == mask_text(text)
    assert mask_password(mask_password(text)) == mask_password(text)


@given(
    user=st.text(alphabet="abc@", max_size=4),
    password=st.text(alphabet='xyz:@<" %', min_size=1, max_size=8),
    before=st.sampled_from(["http:", "", "foo:"]),
)
def test_no_password_stays_visible(user: str, password: str, before: str) -> None:
    uri = f"{before}//{user}:{password}@host/path"
    assert mask_password(uri) == f"{before}//{user}:***@host/path"


@pytest.mark.parametrize(
    ("hostile", "masked"),
    [
        (lambda many: "//a:" * many + "@", lambda many: "//a:" * many + "@"),
        (lambda many: "//a:" + "b" * many, lambda many: "//a:" + "b" * many),
        (lambda many: "@" + "/" * many, lambda many: "@" + "/" * many),
        (lambda many: "//a:" + "@" * many, lambda _: "//a:***@"),
    ],
)
def test_hostile_texts_take_linear_time(hostile: Callable[[int], str], masked: Callable[[int], str]) -> None:
    assert mask_text(hostile(100)) == masked(100)
    assert_proportional(lambda many: partial(mask_text, hostile(many)), 20_000)


def test_browsers_need_no_slashes_after_their_schemes():
    assert mask_password("http:u:secret@h/") == "http:u:***@h/"
    assert mask_text("see HTTPS:/u:secret@h/x") == "see HTTPS:/u:***@h/x"
    assert mask_text("mailto:a@b, http://h/a:b@c") == "mailto:a@b, http://h/a:b@c"


@pytest.mark.parametrize(
    ("uri", "has"),
    [
        ("https://me@h.example/", True),
        ("https://me:secret@h.example/", True),
        ("//@h.example/", True),
        ("https://h.example/@me", False),
        ("mailto:me@h.example", False),
        ("https://h.example/", False),
    ],
)
def test_userinfo_stands_in_the_authority(uri: str, *, has: bool) -> None:
    assert split(uri).has_userinfo == has

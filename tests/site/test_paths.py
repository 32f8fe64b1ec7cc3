"""Paths: passwords in them are never shown."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.site._paths import mask_path


@pytest.mark.parametrize(
    ("path", "masked"),
    [
        ("https;/user:secret@h/x", "https;/user:***@h/x"),
        ("user:secret@h/x", "user:***@h/x"),
        ("a/:s:e@c@h", "a/:***@h"),
        ("a/b c:d e@h", "a/b c:***@h"),
        ("https://user:secret@h/x", "https://user:***@h/x"),
        ("a:b/c@d", "a:b/c@d"),
        ("a/@b:c", "a/@b:c"),
        ("a/b", "a/b"),
    ],
)
def test_passwords_in_paths_are_masked(path: str, masked: str) -> None:
    assert mask_path(path) == masked
    assert mask_path(masked) == masked


def test_hostile_paths_take_linear_time() -> None:
    assert_proportional(lambda many: partial(mask_path, "/a:" * many + "@/" + ":" * many), 20_000)

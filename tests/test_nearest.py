"""The nearest name (exceptions.py)."""

from __future__ import annotations

import pytest

from rehref.exceptions import did_you_mean, nearest

NAMES = ("missing-file", "missing-index", "base-late", "netlify", "JSON")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mising-file", "missing-file"),
        ("missing_index", "missing-index"),
        ("NETLFY", "netlify"),
        ("json", "JSON"),
        ("js", "JSON"),
        ("jsonlines", "JSON"),
        ("base", "base-late"),
        ("quite another", None),
        ("x", None),
        ("", None),
        ("m" * 100_000, None),
    ],
)
def test_nearest(written: str, meant: str | None) -> None:
    assert nearest(written, NAMES) == meant


def test_what_is_said_of_it() -> None:
    assert did_you_mean("netlfy", NAMES) == "did you mean netlify?"
    assert did_you_mean("zzz", ("a", "b")) == "take one of a, b"

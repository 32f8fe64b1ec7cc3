"""The browser's profile against the URL test data of web-platform-tests: every case that has a base."""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.uri.resolver import resolve
from rehref.uri.whatwg import ResolutionError
from suites.url import resolved


def test_every_case_with_a_base(suites: Path) -> None:
    result = resolved(suites)
    assert result.cases > 300
    assert sorted(result.failed) == []


def test_a_lone_surrogate_is_a_replacement_character() -> None:
    assert resolve("http://h/", "a\ud800b", "whatwg") == "http://h/a%EF%BF%BDb"
    with pytest.raises(ResolutionError):
        resolve("http://h/", "http://[\ud800", "whatwg")

"""The browser's profile against the URL test data of web-platform-tests: every case that has a base."""

from __future__ import annotations

import json

import pytest

from rehref.uri.resolver import resolve
from rehref.uri.whatwg import ResolutionError


def test_every_case_with_a_base(suites):
    cases = [
        case
        for case in json.loads((suites / "url" / "urltestdata.json").read_text(encoding="utf-8"))
        if isinstance(case, dict) and case.get("base") is not None
    ]
    assert len(cases) > 300
    wrong = []
    for case in cases:
        expected = None if case.get("failure") else case["href"]
        try:
            found = resolve(case["base"], case["input"], "whatwg")
        except ResolutionError:
            found = None
        if found != expected:
            wrong.append((case["base"], case["input"], expected, found))
    assert wrong == []


def test_a_lone_surrogate_is_a_replacement_character():
    assert resolve("http://h/", "a\ud800b", "whatwg") == "http://h/a%EF%BF%BDb"
    with pytest.raises(ResolutionError):
        resolve("http://h/", "http://[\ud800", "whatwg")

"""Explanations of how a reference is resolved, as texts."""

from __future__ import annotations

from rehref.cli._explanation import explained
from rehref.uri.resolver import explain


def test_an_explanation_masks_passwords_everywhere() -> None:
    for reference in ("x", "//v:secret@i/../x", "http://v:secret@i/"):
        text = explained(explain("http://u:secret@h/a/../b", reference))
        assert "secret" not in text
        assert "***" in text


def test_an_explanation_of_a_failure() -> None:
    text = explained(explain("http://h/", "http://[", "whatwg"))
    assert "returns failure" in text
    assert "Target  none" in text
    assert "  rfc3986         http://[" in text

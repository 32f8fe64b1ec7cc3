"""Findings as records of a page."""

from __future__ import annotations

import pytest

from rehref.reports._findings.records import host_shown


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("https://user:secret@Example.org:8080/x", "Example.org:8080"),
        ("https://site.invalid/x", "this site"),
        ("/x", "this site"),
        ("mailto:x@y", "mailto:"),
        ("file:///x", "file:"),
    ],
)
def test_hosts_of_targets(target: str, host: str) -> None:
    assert host_shown(target) == host

"""A base that patterns of speculation rules are relative to is not removed (rewriting/edits.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import program


@pytest.mark.parametrize("base_element", ["drop", "empty"])
@pytest.mark.parametrize(
    ("where", "stays"),
    [
        ('{"href_matches": "next/*"}', True),
        ('{"and": [{"not": {"href_matches": ["https://h/*", "/x"]}}, {"selector_matches": "a"}]}', True),
        ('{"href_matches": {"pathname": "/x"}}', True),
        ('{"href_matches": {"pathname": "/x", "protocol": "https"}}', False),
        ('{"href_matches": {"pathname": "/x", "baseURL": "https://h/"}}', False),
        ('{"href_matches": "https://h/*"}', False),
        ('{"selector_matches": "a"}', False),
        ('{"href_matches": 1}', False),
    ],
)
def test_a_base_that_patterns_are_relative_to_stays(base_element: Any, where: str, stays: bool) -> None:
    rules = f'<script type=speculationrules>{{"prefetch": [{{"where": {where}}}]}}</script>'
    page = f"<base href=/d/>{rules}<a href=x>"
    new = rehref.rewrite(page, rehref.Absolute(base_element=base_element), url="http://h/p")
    assert new.endswith(f"{rules}<a href=http://h/d/x>")
    assert new.startswith("<base href=/d/>") is stays
    without = page.replace("speculationrules", "text/x")
    assert "/d/>" not in rehref.rewrite(without, rehref.Absolute(base_element=base_element), url="http://h/p")


def test_a_line_says_how_many_bases_stay(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    rules = '<script type=speculationrules>{"prefetch": [{"where": {"href_matches": "x"}}]}</script>'
    page.write_text(f"<base href=/d/><a href=x>{rules}")
    arguments = ["rewrite", "--base-element", "drop", "--url", "http://h/", str(page)]
    result = CliRunner().invoke(program, arguments)
    assert "1 document keeps its base: patterns of speculation rules are relative to it" in result.stderr

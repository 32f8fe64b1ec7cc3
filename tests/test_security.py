"""SECURITY.md names a test for each untrusted thing, and each of these tests is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_each_row_names_tests_that_are_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = text.partition("## What it can make rehref do\n")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 3
    for row in rows:
        assert row.count("|") == 4, row
        tests = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row.split("|")[3])
        assert tests, row
        for file, name in tests:
            assert re.search(rf"(?m)^ *(?:async )?def {name}\(", (ROOT / file).read_text(encoding="utf-8")), (
                f"{file}::{name}"
            )

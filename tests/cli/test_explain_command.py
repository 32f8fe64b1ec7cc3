"""What is explained of a code is what its page says."""

from __future__ import annotations

from pathlib import Path

from cli_runs import Run
from rehref.cli._commands.explain_command import section_of
from rehref.site.codes import PROBLEMS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_a_problem_is_explained_as_its_page_does(run: Run) -> None:
    page = (DOCS / "problems.md").read_text(encoding="utf-8")
    for row in PROBLEMS:
        section = section_of(row.name)
        assert f"\n## `{row.name}`\n\n{section}\n" in page
        assert "\n## " not in section
        assert section in run("explain", row.name).stdout

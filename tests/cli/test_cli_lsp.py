"""`rehref lsp` on the command line: its help, and the line for a missing package."""

from __future__ import annotations

import importlib.util

import pytest

from cli_runs import Run, told


def test_a_missing_package_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "rehref.plugins.lsp.command.find_spec", lambda name: None if name == "pygls" else found("rehref")
    )
    assert told(run("lsp")) == "lsp: needs the package pygls; install it: pip install 'rehref[lsp]'"


def test_it_takes_no_arguments(run: Run) -> None:
    assert "unexpected extra argument" in told(run("lsp", "docs"))
    assert "language server" in run("lsp", "--help").stdout

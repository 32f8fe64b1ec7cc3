"""Rules for some findings, on the command line and in a configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_runs import Run

RULE = '{"targets": "gone", "severity": "ignore"}'


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.html").write_text("<!doctype html><title>x</title><a href=gone.html>x</a><a href=b.html>x</a>")
    monkeypatch.chdir(tmp_path)


def test_why_names_the_rules_for_a_url(run: Run) -> None:
    said = run("check", ".", "--rules", RULE, "--why", "gone.html").output
    assert "a rule is for it: targets = 'gone', severity = 'ignore'" in said
    assert "a rule is for it" not in run("check", ".", "--rules", RULE, "--why", "b.html").output


def test_rules_are_tables_in_a_configuration(run: Run) -> None:
    Path("rehref.toml").write_text(
        "[[check.rules]]\ntargets = 'gone'\nseverity = 'ignore'\n[[check.rules]]\naccept = [200, '401..=403']\n"
    )
    result = run("check", ".", "--format", "json")
    assert [each["reference"] for each in json.loads(result.stdout)["problems"]] == ["b.html"]
    result = run("check", ".", "--format", "json", "--rules", '{"targets": "b.html", "severity": "warning"}')
    assert [each["severity"] for each in json.loads(result.stdout)["problems"]] == ["error", "warning"]


def test_mistakes_in_them_are_named(run: Run) -> None:
    Path("rehref.toml").write_text("[check]\nrules = 'x'\n")
    assert "is not a table in JSON" in run("check", ".").stderr
    Path("rehref.toml").write_text("[[check.rules]]\nseverity = 2020-01-01\n")
    assert "check.rules must be tables of texts, numbers, true and false" in run("check", ".").stderr

"""What is found in a build, as messages, as messages, and what is asked of the check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rehref
from rehref.cli.program import import_command
from rehref.plugins.sites._log_messages import LinesInSource, Message, limited, messages
from rehref.plugins.sites._site_options import BuildOptionError, build_options, defaults


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> rehref.CheckResult:
    (tmp_path / "a.html").write_text("<a href=gone.html>\n<a href=gone.html>\n<img src='x\x1b.png'>")
    (tmp_path / "b.html").write_text("<a href=gone.html><a href='//u:secret@h/'><a href='https;//u:secret@h/'>")
    monkeypatch.chdir(tmp_path)
    return rehref.check(".")


def test_one_message_for_what_is_written_in_a_source_and_the_others_by_cause(result: rehref.CheckResult) -> None:
    sources = {"a.html": LinesInSource("a.md", (3, 5), "gone.md", "there.md")}
    found = messages(result, lambda finding: sources.get(finding.document))
    assert [(one.path, one.line, one.text) for one in found if "gone.html" in one.text] == [
        ("a.md", 3, "there is no file gone.html (a@href gone.md, missing-file); also in line 5; perhaps: there.md"),
        ("b.html", 1, "there is no file gone.html (a@href gone.html, missing-file)"),
    ]


def test_what_is_in_no_source_is_said_once(result: rehref.CheckResult) -> None:
    found = messages(result, lambda finding: LinesInSource("a.md") if finding.document == "b.html" else None)
    assert [(one.path, one.line, one.text) for one in found if "gone.html" in one.text] == [
        (
            "a.md",
            None,
            "there is no file gone.html (a@href gone.html, missing-file); in the built b.html:1:9, "
            "and in 2 places more",
        )
    ]


def test_texts_are_fit_for_people(result: rehref.CheckResult) -> None:
    said = "".join(one.text for one in messages(result, lambda _: None))
    assert r"x\x1b.png" in said
    assert "\x1b" not in said
    assert "secret" not in said


def test_errors_are_shown_before_warnings_in_their_order() -> None:
    found = [
        Message(severity, "c", "p", line, "t") for line, severity in enumerate(("info", "warning", "error", "error"))
    ]
    assert [one.line for one in limited(found, 3)] == [1, 2, 3]
    assert limited(found, 4) == found
    assert limited(found, 0) == []


# --- options


def test_options_are_called_as_on_the_command_line() -> None:
    """Each is one of the command, but for `fail`."""
    of_command = {
        opt.lstrip("-").replace("-", "_")
        for each in import_command("check").params
        for opt in each.opts
        if opt.startswith("--")
    }
    assert defaults().keys() - of_command == {"fail", "compare_with"}


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, {}),
        ({"own_host": "a.example"}, {"own_hosts": ["a.example"]}),
        ({"exclude": ["a", "b"], "no_fragments": True}, {"exclude": ["a", "b"], "no_fragments": True}),
        ({"root_dir": "docs"}, {"root_dir": "docs"}),
        ({"fail": True, "max_findings": 3}, {}),
        ({"per_path_ignores": {"a/**": "missing-file"}}, {"per_path_ignores": {"a/**": "missing-file"}}),
    ],
)
def test_options_become_arguments(given: dict[str, Any], asked: dict[str, Any]) -> None:
    options = build_options(given)
    assert options.given == asked
    assert (options.fails, options.most) == (given.get("fail", False), given.get("max_findings", 100))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"fial": True}, "fial: there is no such option; did you mean fail?"),
        ({"jobs": 2}, "jobs: there is no such option"),
        ({"site_url": "example.org"}, "site_url: example.org: cannot be a base"),
        ({"host": "iis"}, "host: host: there is no 'iis'"),
        ({"per_path_ignores": ["a"]}, "per_path_ignores: has a value of the wrong kind"),
        ({"site_url": 3}, "site_url: has a value of the wrong kind"),
        ({"scripting": "yes"}, "scripting: must be true or false, not 'yes'"),
    ],
)
def test_what_cannot_be_is_said_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BuildOptionError) as raised:
        build_options(given)
    assert str(raised.value).startswith(said)

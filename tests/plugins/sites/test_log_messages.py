"""What is found in a build, as messages."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from rehref.plugins.sites._log_messages import LinesInSource, Message, limited, messages


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

"""Rules for some findings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import rehref
from web.servers import listening

PAGE = "<!doctype html><title>x</title><a href=gone.html>x</a><a href=old/b.html>x</a><a href='#no'>x</a>"


def told(folder: Path, rules: Sequence[str | Mapping[str, Any]], **options: Any) -> list[tuple[str | None, str]]:
    for name in ("a.html", "blog/c.html"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(PAGE)
    found = rehref.check(folder, rules=rules, **options).findings
    return [(each.reference, each.severity) for each in found if each.document == "a.html"]


ALL = [("#no", "error"), ("gone.html", "error"), ("old/b.html", "error")]


@pytest.mark.parametrize(
    ("rules", "changed"),
    [
        ([], {}),
        ([{"targets": "gone", "severity": "ignore"}], {"gone.html": None}),
        ([{"targets": ["^old/", "/gone.html$"], "severity": "info"}], {"gone.html": "info", "old/b.html": "info"}),
        ([{"codes": "missing-file", "severity": "warning"}], {"gone.html": "warning", "old/b.html": "warning"}),
        ([{"pages": "blog/**", "severity": "ignore"}], {}),
        ([{"pages": ["blog/**", "a.html"], "codes": ["all"], "targets": "no", "severity": "info"}], {"#no": "info"}),
        ([{"fragments": False}], {"#no": None}),
        ([{"fragments": False, "targets": "x"}, {"redirects": True}, {"accept": 404}], {}),
        # the last one that says something counts
        (
            [{"severity": "info"}, {"targets": "gone", "severity": "error"}, {"redirects": True}],
            {"#no": "info", "old/b.html": "info"},
        ),
        (['{"targets": "gone", "severity": "ignore"}'], {"gone.html": None}),
    ],
)
def test_what_a_rule_does(tmp_path: Path, rules: list[Any], changed: dict[str, str | None]) -> None:
    expected = [(reference, changed.get(reference, severity)) for reference, severity in ALL]
    assert sorted(told(tmp_path, rules), key=str) == sorted((each for each in expected if each[1]), key=str)


def test_a_rule_turns_nothing_on(tmp_path: Path) -> None:
    assert told(tmp_path, [{"severity": "error"}], select=["missing-fragment"]) == [("#no", "error")]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"target": "x"}, "rules target: is not a key of a rule; did you mean targets"),
        ({"targets": "a"}, "rules targets = 'a': does nothing; add one of severity, accept, redirects, fragments"),
        ({"severity": "bad"}, "is not a severity; write one of error, warning, info, ignore"),
        ({"targets": "(", "severity": "ignore"}, "rules targets (: the expression is not understood"),
        ({"codes": "x", "severity": "ignore"}, "rules codes x: there is no such code"),
        ({"accept": "x"}, "neither a status nor a range"),
        ({"accept": 1.5}, "rules accept = 1.5: is neither a status nor a list of statuses"),
        ({"accept": None}, "accept = None: is neither"),
        ({"accept": {}}, "accept = {}: is neither"),
        ({"accept": [[403]]}, "accept = [[403]]: is neither"),
        ({"accept": True}, "accept = True: is neither"),
        ({"accept": []}, "accept = []: is neither"),
        ({5: 1}, "rules 5: is not a key of a rule"),
        ({"targets": [], "severity": "ignore"}, "targets = []: is empty; leave it out, and the rule is for all"),
        ({"fragments": 1}, "fragments = 1: is neither true nor false"),
        ({"pages": 1, "severity": "ignore"}, "pages = 1: is neither a text nor a list of texts"),
        ("{", "is not a table in JSON"),
        ("[]", "is not a table in JSON"),
    ],
)
def test_a_mistake_in_a_rule_is_named(tmp_path: Path, rule: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:
        rehref.check(tmp_path, rules=[rule])
    assert message in str(error.value)


def test_rules_are_tables(tmp_path: Path) -> None:
    for rules in ("{}", [1], {"severity": "info"}):
        with pytest.raises(TypeError, match="rules is a sequence of tables"):
            rehref.check(tmp_path, rules=rules)  # type: ignore[arg-type]


def test_statuses_and_redirects_of_some_targets_are_fine(tmp_path: Path) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1]
        answers = {b"/moved": b"301 X\r\nLocation: /new", b"/private": b"403 X", b"/other": b"403 X"}
        writer.write(b"HTTP/1.1 %b\r\nContent-Length: 0\r\n\r\n" % answers.get(path, b"200 OK"))
        writer.close()

    async def run(*rules: Mapping[str, Any]) -> list[tuple[str, str]]:
        async with listening(serve) as base:
            links = "".join(f"<a href={base}/{path}>x</a>" for path in ("moved", "private", "other"))
            (tmp_path / "a.html").write_text(f"<!doctype html><title>x</title>{links}")
            options = {"external": True, "allow_private": True, "select": ["web"], "rules": rules}
            found = (await asyncio.to_thread(rehref.check, tmp_path, **options)).findings
            return [((each.reference or "").rpartition("/")[2], each.code) for each in found]

    private, other, moved = (("private", "web-forbidden"), ("other", "web-forbidden"), ("moved", "web-redirected"))
    assert set(asyncio.run(run())) == {moved, private, other}
    assert set(asyncio.run(run({"targets": "/private$", "accept": [200, "401..=403"]}))) == {moved, other}
    assert set(asyncio.run(run({"targets": "/moved$", "redirects": True}))) == {private, other}

"""Regular expressions of users and files: whatever they are, they end, with one line."""

from __future__ import annotations

import pickle
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked.contexts import checked
from rehref.exceptions import SlowExpressionError
from rehref.site import _expressions as expressions
from rehref.site._expressions import Expression, ExpressionError
from rehref.site.findings import CheckResult


@pytest.mark.parametrize(
    ("text", "subject", "caught"),
    [
        ("a(.)c", "xabcx", "abc"),
        ("^https?://(?!example)", "http://other/", "http://"),
        (r"(?<=/)\d+$", "/a/12", "12"),
        (r"(a)\1", "baa", "aa"),
        ("[[:alpha:]]+", "12ab", "ab"),
        ("(?i)ABC", "xabc", "abc"),
        (r"\d{4}-\d{2}", "on 2024-05-01", "2024-05"),
        ("(?:[a-z]{1,63}[.]){1,100}x", "a.b.x", "a.b.x"),
        ("a{,3}b", "aaab", "aaab"),
        ("[]{99999999]", "}{", "{"),
        (r"\{99999999}", "{99999999}", "{99999999}"),
        ("a.*b.*c.*d.*e.*f", "abcdef", "abcdef"),
    ],
)
def test_what_is_found(text: str, subject: str, caught: str) -> None:
    found = Expression(text, "x").search(subject)
    assert found is not None
    assert found[0] == caught


def test_the_whole_text_and_any_character() -> None:
    assert Expression("a.b", "x").fullmatch("a\nb") is None
    assert Expression("a.b", "x", dot_is_any=True).fullmatch("a\nb") is not None
    assert Expression("a", "x").fullmatch("ab") is None
    assert Expression("(a)(b)?", "x").compiled.groups == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(", "is not understood: missing \\)"),
        ("a" * 10_001, "has more than 10,000 characters"),
        ("(" * 101 + ")" * 101, "is nested deeper than 100 groups"),
        ("(" * 100_000, "has more than 10,000 characters"),
        ("a{100000000}", "is too large with its repetitions written out"),
        ("a{,100000000}", "is too large with its repetitions written out"),
        ("a{0,100000000}?", "is too large with its repetitions written out"),
        ("((a{1000}){1000}){1000}", "is too large with its repetitions written out"),
        ("(?:(?:a|b){1,1000}c){1,1000}", "is too large with its repetitions written out"),
        ("[]a{1]{99999999}", "is too large with its repetitions written out"),
        ("(?R)?a", "calls itself"),
        ("(a(?1)?)", "calls itself"),
        ("(a(?-1)?)", "calls itself"),
        ("(?P<x>a(?&x)?)", "calls itself"),
        ("(?P<x>a(?P>x)?)", "calls itself"),
        ("(?#[)a{100000000}(?#])", "has comments"),
        ("(?x)#[\na{100000000}#]", "has comments"),
        ("(?i-sx:#[\na{100000000}#]\n)", "has comments"),
        (r"\L<names>", "is not understood"),
        ("a**", "is not understood"),
    ],
)
def test_what_is_not_taken(text: str, told: str) -> None:
    with pytest.raises(ExpressionError, match=f"^the expression {told}"):
        Expression(text, "x")


@pytest.mark.parametrize("text", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(x+x+)+y", "(?:.|x)*$(?<=z)"])
@pytest.mark.parametrize("method", ["search", "fullmatch"])
def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch, text: str, method: str) -> None:
    monkeypatch.setattr(expressions, "_SECONDS", 0.05)
    expression = Expression(text, ".htaccess:3")
    expression._left = 0.05
    told = f".htaccess:3: the expression {text} takes too long to search for; simplify its repetitions"
    with pytest.raises(SlowExpressionError) as raised:
        getattr(expression, method)(("a" if "a" in text else "x") * 50_000 + "!")
    assert str(raised.value) == told
    with pytest.raises(SlowExpressionError):  # its time is up
        expression.search("a" * 50_000 + "!")


@pytest.mark.slow
def test_many_searches_that_each_take_long_are_too_long() -> None:
    expression = Expression("(a|a)*$", "x")
    given_up = 0
    for _ in range(100_000):
        try:
            expression.search("a" * 20 + "!")
        except SlowExpressionError:
            given_up += 1
            break
    assert given_up == 1


def test_many_searches_that_are_quick_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10_000_000))
    monkeypatch.setattr(expressions.time, "thread_time", lambda: next(clock) * expressions._FREE)
    expression = Expression("b", "x")
    for _ in range(20_000):
        assert expression.search("a") is None


def test_it_goes_to_other_processes() -> None:
    found = pickle.loads(pickle.dumps(Expression("a.b", "x", dot_is_any=True)))
    assert found.search("a\nb") is not None
    assert (found.pattern, found.where) == ("a.b", "x")


@given(st.text(alphabet="ab().*+?|[]{}1,^$\\", max_size=12), st.text(alphabet="ab1,", max_size=8))
def test_it_finds_what_pythons_re_finds(text: str, subject: str) -> None:
    try:
        wanted = re.compile(text).search(subject)
        found = Expression(text, "x").search(subject)
    except (re.error, ExpressionError, FutureWarning, SlowExpressionError, OverflowError):
        return
    assert (None if found is None else found[0]) == (None if wanted is None else wanted[0])


def check(folder: Path, files: Mapping[str, str | bytes] | None = None, **options: Any) -> CheckResult:
    return checked(folder, files or {}, **options)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_rule_that_is_too_slow_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """The rest of the check goes on, whichever process finds out."""
    monkeypatch.setattr(expressions, "_SECONDS", 0.0)
    pages = {f"{number}.html": "<a href=/old/a><a href=/moved>" for number in range(90)}
    rules = "# comment\nRedirectMatch ^/old/(.)$ /$1.html\nRedirect /moved /0.html\n"
    result = check(tmp_path, {**pages, "a.html": "", ".htaccess": rules}, jobs=jobs, site_url="https://e.org/")
    slow = [one for one in result.findings if one.document == ".htaccess"]
    assert [(one.line, one.code, one.severity) for one in slow] == [(2, "redirect-not-read", "warning")]
    assert slow[0].message == "the expression ^/old/(.)$ takes too long to search for; simplify its repetitions"
    assert {(one.reference, one.code) for one in result.findings} - {("", "redirect-not-read")} == {
        ("/old/a", "missing-file")
    }

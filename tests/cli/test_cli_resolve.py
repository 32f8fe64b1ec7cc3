"""`rehref resolve`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result

Run = Callable[..., Result]

BASE = "http://a/b/c/d;p?q"


def test_one_target_a_line(run: Run) -> None:
    result = run("resolve", BASE, "g", "../g", "", "#s", "//g")
    assert result.stdout.splitlines() == [
        "http://a/b/c/g",
        "http://a/b/g",
        "http://a/b/c/d;p?q",
        "http://a/b/c/d;p?q#s",
        "http://g",
    ]
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("profile", "target"),
    [
        ("rfc3986", "http:g"),
        ("rfc3986-compat", "http://a/b/c/g"),
        ("rfc2396", "http:g"),
        ("whatwg", "http://a/b/c/g"),
    ],
)
def test_the_profile_is_followed(run: Run, profile: str, target: str) -> None:
    assert run("resolve", "--profile", profile, BASE, "http:g").stdout == target + "\n"


def test_explain_follows_the_pseudocode(run: Run) -> None:
    lines = [" ".join(line.split()) for line in run("resolve", "--explain", BASE, "../g").stdout.splitlines()]
    steps = lines[lines.index("RFC 3986 §5.2.2, strict") + 1 :]
    assert steps[: steps.index("")] == [
        "if defined(R.scheme) then no",
        "if defined(R.authority) then no",
        'if (R.path == "") then no',
        'if (R.path starts-with "/") then no',
        'T.path = merge(Base.path, R.path) "/b/c/../g"',
        'T.path = remove_dot_segments(T.path) "/b/g"',
        "§5.2.4 input buffer output buffer",
        '1 "/b/c/../g" ""',
        '2E "/c/../g" "/b"',
        '2E "/../g" "/b/c"',
        '2C "/g" "/b"',
        '2E "" "/b/g"',
        "T.query = R.query undefined",
        'T.authority = Base.authority "a"',
        'T.scheme = Base.scheme "http"',
        "T.fragment = R.fragment undefined",
    ]
    assert "Target http://a/b/g" in lines


def test_explain_tells_undefined_and_empty_apart(run: Run) -> None:
    lines = [" ".join(line.split()) for line in run("resolve", "--explain", BASE, "x?").stdout.splitlines()]
    assert 'R.query ""' in lines
    assert "R.fragment undefined" in lines


def test_explain_lists_the_profiles_that_differ(run: Run) -> None:
    text = run("resolve", "--explain", BASE, "http:g").stdout
    others = text.partition("Other profiles")[2].split()
    assert others == ["rfc3986-compat", "http://a/b/c/g", "whatwg", "http://a/b/c/g"]
    assert "The other profiles give the same." in run("resolve", "--explain", BASE, "g").stdout


def test_explain_for_the_other_profiles(run: Run) -> None:
    compat = run("resolve", "--explain", "--profile", "rfc3986-compat", BASE, "http:g").stdout
    assert "if (not strict and (R.scheme == Base.scheme)) then  yes" in compat
    assert "undefine(R.scheme)" in compat
    older = run("resolve", "--explain", "--profile", "rfc2396", BASE, "../../../g").stdout
    assert [line.split()[0] for line in older.splitlines() if line[2:3].isdigit()] == [
        *"12345",
        *("6a", "6b", "6c", "6d", "6e", "6f", "6g"),
        "7",
    ]
    browser = run("resolve", "--explain", "--profile", "whatwg", BASE, "..\\g").stdout
    assert "Target  http://a/b/g" in browser
    assert "rfc3986         http://a/b/c/..\\g" in browser


def test_explain_of_several_references(run: Run) -> None:
    assert run("resolve", "--explain", BASE, "x", "y").stdout.count("Target  ") == 2


@pytest.mark.parametrize("base", ["foo", "", "//h/p", "/p", "#f"])
def test_a_base_without_a_scheme_is_none(run: Run, base: str) -> None:
    result = run("resolve", base, "http://h/")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert "cannot be a base" in result.stderr


def test_a_base_without_a_hierarchy_is_one_to_the_letter_and_none_to_browsers(run: Run) -> None:
    assert run("resolve", "mailto:a@b", "x").stdout == "mailto:x\n"  # RFC 3986 §5.2.3
    assert run("resolve", "mailto:a@b", "http://h/x").stdout == "http://h/x\n"
    result = run("resolve", "--profile", "whatwg", "mailto:a@b", "x")
    assert result.exit_code == 2
    assert result.stderr.startswith("rehref: ")


def test_what_a_browser_cannot_read_is_reported_and_the_rest_done(run: Run) -> None:
    result = run("resolve", "--profile", "whatwg", BASE, "http://[", "g")
    assert result.exit_code == 2
    assert result.stdout == "http://a/b/c/g\n"
    assert result.stderr.startswith("rehref: http://[: browsers reject it; ")
    explained = run("resolve", "--explain", "--profile", "whatwg", BASE, "http://[")
    assert explained.exit_code == 2
    assert "Target  none" in explained.stdout


def test_passwords_are_masked(run: Run) -> None:
    for options in ((), ("--explain",)):
        result = run("resolve", *options, "http://u:secret@h/", "x", "//v:secret@i/")
        assert "secret" not in result.output
        assert "http://u:***@h/x" in result.stdout


def test_a_reference_may_begin_with_a_hyphen(run: Run) -> None:
    assert run("resolve", BASE, "--", "-x").stdout == "http://a/b/c/-x\n"

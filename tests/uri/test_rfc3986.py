"""The explanation of how a target comes about is true: it ends where `Resolver` does, and its steps are the RFC's."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rehref.exceptions import ResolutionError
from rehref.uri._rfc3986 import LIMIT, Assignment, Condition, DotStep, Rounds, StepStatement
from rehref.uri.components import remove_dot_segments
from rehref.uri.resolver import PROFILES, Profile, Resolver, explain

BASE = "http://a/b/c/d;p?q"

pieces = st.lists(
    st.sampled_from(["/", ".", "..", "a", "b:", ":", "?", "#", "//", "http:", "x", "%2e", "é", "[", "@", ""]),
    max_size=10,
).map("".join)
bases = st.sampled_from(["http://h", "http://h/a/b", "http:", "x:", "x:/", "/a/../", "", "//h"])


def resolved(base: str, reference: str, profile: Profile) -> str | None:
    try:
        return Resolver(base, profile, relative_base=True)(reference)
    except ResolutionError:
        return None


@given(bases, pieces, pieces, st.sampled_from(PROFILES))
@example("http:", "a", "../..//x", "rfc3986")
def test_the_target_is_that_of_the_resolver(base: str, more: str, reference: str, profile: Profile) -> None:
    explanation = explain(base + more, reference, profile, relative_base=True)
    assert explanation.target == resolved(base + more, reference, profile)
    others = dict(explanation.others)
    for other in PROFILES:
        given_there = resolved(base + more, reference, other)
        if given_there == explanation.target:
            assert other not in others
        else:
            assert others[other] == given_there


def watched(path: str) -> tuple[tuple[DotStep, ...], int, str]:
    """The rounds of remove_dot_segments, how many were not taken down, and the result."""
    rounds = Rounds(path)
    result = remove_dot_segments(path, rounds.add)
    return tuple(rounds.taken), rounds.unrecorded, result


@given(pieces)
def test_the_rounds_end_with_the_result(path: str) -> None:
    rounds, unrecorded, result = watched(path)
    assert result == remove_dot_segments(path)
    assert unrecorded == 0
    if rounds:
        assert rounds[0] == DotStep("1", path, "")
        assert rounds[-1].input == ""
        assert rounds[-1].output == result
    else:
        assert result == path


def test_the_example_of_the_rfc() -> None:
    # RFC 3986 §5.2.4
    rounds, _, _ = watched("/a/b/c/./../../g")
    assert rounds == (
        DotStep("1", "/a/b/c/./../../g", ""),
        DotStep("2E", "/b/c/./../../g", "/a"),
        DotStep("2E", "/c/./../../g", "/a/b"),
        DotStep("2E", "/./../../g", "/a/b/c"),
        DotStep("2B", "/../../g", "/a/b/c"),
        DotStep("2C", "/../g", "/a/b"),
        DotStep("2C", "/g", "/a"),
        DotStep("2E", "", "/a/g"),
    )
    rounds, _, _ = watched("mid/content=5/../6")
    assert [(rule, output) for rule, _, output in rounds[1:]] == [
        ("2E", "mid"),
        ("2E", "mid/content=5"),
        ("2C", "mid"),
        ("2E", "mid/6"),
    ]


@pytest.mark.parametrize(
    ("path", "rules"),
    [("../a", ["1", "2A", "2E"]), ("./a", ["1", "2A", "2E"]), ("..", ["1", "2D"]), ("/a/.", ["1", "2E", "2B", "2E"])],
)
def test_every_rule_is_named(path: str, rules: list[str]) -> None:
    assert [step.rule for step in watched(path)[0]] == rules


@pytest.mark.parametrize("path", ["", "/", "/a/b", "a/.b/c..", "//", "/a//b/"])
def test_without_dot_segments_there_are_no_rounds(path: str) -> None:
    assert watched(path) == ((), 0, path)


def test_what_is_recorded_stays_small() -> None:
    path = "/a/.." * 100_000
    rounds, unrecorded, result = watched(path)
    assert result == "/"
    assert len(rounds) <= LIMIT + 2
    assert unrecorded == 200_000 - LIMIT


def test_the_branches_of_the_pseudocode() -> None:
    def conditions(reference: str, profile: Profile = "rfc3986") -> list[tuple[str, bool]]:
        steps = explain(BASE, reference, profile).steps
        return [(step.text, step.holds) for step in steps if isinstance(step, Condition)]

    assert conditions("g:h") == [("if defined(R.scheme) then", True)]
    assert conditions("//g")[-1] == ("if defined(R.authority) then", True)
    assert conditions("?y")[-2:] == [('if (R.path == "") then', True), ("if defined(R.query) then", True)]
    assert conditions("")[-1] == ("if defined(R.query) then", False)
    assert conditions("/g")[-1] == ('if (R.path starts-with "/") then', True)
    assert conditions("http:g", "rfc3986-compat")[0] == ("if (not strict and (R.scheme == Base.scheme)) then", True)


# RFC 3986 §5.2.2, without what only ends a line or a block
PSEUDOCODE = """
if (not strict and (R.scheme == Base.scheme)) then
   undefine(R.scheme)
if defined(R.scheme) then
   T.scheme = R.scheme
   T.authority = R.authority
   T.path = remove_dot_segments(R.path)
   T.query = R.query
else
   if defined(R.authority) then
      T.authority = R.authority
      T.path = remove_dot_segments(R.path)
      T.query = R.query
   else
      if (R.path == "") then
         T.path = Base.path
         if defined(R.query) then
            T.query = R.query
         else
            T.query = Base.query
      else
         if (R.path starts-with "/") then
            T.path = remove_dot_segments(R.path)
         else
            T.path = merge(Base.path, R.path)
            T.path = remove_dot_segments(T.path)
         T.query = R.query
      T.authority = Base.authority
   T.scheme = Base.scheme
T.fragment = R.fragment
""".strip().splitlines()


def test_the_lines_are_those_of_the_pseudocode_in_its_order_and_at_its_depths() -> None:
    seen = set()
    for reference in ("g:h", "http:g", "//g", "?y", "", "/g", "g", "../g#s"):
        lines = []
        for step in explain(BASE, reference, "rfc3986-compat").steps:
            assert not isinstance(step, StepStatement)
            assert step.depth >= 0
            if isinstance(step, Condition):
                lines.append("   " * step.depth + step.text)
            else:
                lines.append("   " * step.depth + (f"{step.name} = " if step.name else "") + step.expression)
        rest = iter(PSEUDOCODE)
        assert [line for line in lines if line not in rest] == [], reference
        seen.update(lines)
    assert seen == {line for line in PSEUDOCODE if line.strip() != "else"}


@pytest.mark.parametrize("step", [Condition(0, "", True), Assignment(0, "", "", None), StepStatement("", "")])
def test_steps_are_values(step: Condition | Assignment | StepStatement) -> None:
    with pytest.raises(AttributeError):
        setattr(step, step._fields[0], "x")
    assert len({step, step._replace()}) == 1


def test_assignments_have_their_values() -> None:
    found = {step.name: step.value for step in explain(BASE, "../g#s").steps if isinstance(step, Assignment)}
    assert found == {"T.path": "/b/g", "T.query": None, "T.authority": "a", "T.scheme": "http", "T.fragment": "s"}


def test_the_guard_is_reported() -> None:
    (told,) = [step for step in explain("x:/a", "..//b").steps if isinstance(step, StepStatement)]
    assert (told.number, told.value) == ("§3.3", "/.//b")


@pytest.mark.parametrize(
    ("reference", "numbers"),
    [
        ("", "1 2"),
        ("#s", "1 2"),
        ("g:h", "1 2 3"),
        ("//g", "1 2 3 4 7"),
        ("/g", "1 2 3 4 5 7"),
        ("g", "1 2 3 4 5 6a 6b 6c 6d 6e 6f 7"),
        ("../../../g", "1 2 3 4 5 6a 6b 6c 6d 6e 6f 6g 7"),
    ],
)
def test_the_steps_of_rfc_2396(reference: str, numbers: str) -> None:
    steps = explain(BASE, reference, "rfc2396").steps
    assert [step.number for step in steps if isinstance(step, StepStatement)] == numbers.split()


def test_an_unknown_profile() -> None:
    with pytest.raises(ValueError, match="unknown profile 'rfc1808'"):
        explain(BASE, "g", "rfc1808")  # type: ignore[arg-type]

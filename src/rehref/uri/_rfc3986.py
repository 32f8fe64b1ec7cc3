"""Reference resolution (RFC 3986 §5.2), literally: the algorithm, step by step, and the record of its steps.

Nothing is normalized besides the dot segments that the algorithm removes, and whether the base is a valid base URI is
not asked. The record has the lines of the pseudocode of §5.2.2 that are reached, with answers and values, and the
rounds of remove_dot_segments (§5.2.4) with both buffers. RFC 2396 (`_rfc2396`) records its steps 1 to 7 in the same
way.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from rehref.uri.components import Components, remove_dot_segments, split

LIMIT = 100
"""How many rounds of remove_dot_segments are recorded before the last, so that a record stays linear."""
"""How many rounds of remove_dot_segments are recorded before the last, so that a record stays linear."""


class DotStep(NamedTuple):
    """One round of remove_dot_segments: the rule applied ("2A" … "2E"), and the buffers after it."""

    rule: str
    input: str
    output: str


class Condition(NamedTuple):
    """A line of the pseudocode that asks: `if defined(R.scheme) then`."""

    depth: int
    text: str
    holds: bool


class Assignment(NamedTuple):
    """A line of the pseudocode that sets: `T.path = merge(Base.path, R.path);`, and the value (None: undefined).

    `name` is "" where the expression is the whole line: `undefine(R.scheme)`.
    """

    depth: int
    name: str
    expression: str
    value: str | None
    removal: tuple[DotStep, ...] = ()
    """The rounds of remove_dot_segments, the first with the buffers before it; empty if nothing was removed."""
    unrecorded: int = 0
    """How many more rounds there were."""


class StepStatement(NamedTuple):
    """A step in words, its number (`6a`, or ""), and what it leaves behind (None: nothing to show)."""

    number: str
    text: str
    value: str | None = None


Step: TypeAlias = Condition | Assignment | StepStatement


class StepRow(NamedTuple):
    """A step as a line, and its result: whether a condition holds, or a value (None: undefined), if it `has_value`.

    `is_authority`: whether the value is one. `removal`, `unrecorded`: see `Assignment`.
    """

    line: str
    holds: bool | None = None
    value: str | None = None
    has_value: bool = False
    is_authority: bool = False
    removal: tuple[DotStep, ...] = ()
    unrecorded: int = 0


def row_of(step: Step) -> StepRow:
    """Return a step of an explanation as a row, indented by its depth."""
    if isinstance(step, StepStatement):
        line = f"  {step.number:<4}{step.text}" if step.number else f"  {step.text}"
        return StepRow(line, value=step.value, has_value=step.value is not None)
    indent = "  " * (step.depth + 1)
    if isinstance(step, Condition):
        return StepRow(indent + step.text, step.holds)
    line = indent + (f"{step.name} = {step.expression}" if step.name else step.expression)
    is_authority = step.name == "T.authority"
    return StepRow(line, None, step.value, True, is_authority, step.removal, step.unrecorded)


class Rounds:
    """The rounds of remove_dot_segments on a path: those `taken`, and how many more there were."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.taken: list[DotStep] = []
        self.unrecorded = 0

    def add(self, rule: str, slash: str, at: int, output: list[str]) -> None:
        """Record a round: the input buffer is now `slash` and the path from `at` on."""
        if not self.taken:
            self.taken.append(DotStep("1", self.path, ""))
        if len(self.taken) <= LIMIT or (slash == "" and at == len(self.path)):
            self.taken.append(DotStep(rule, slash + self.path[at:], "".join(output)))
        else:
            self.unrecorded += 1


class Steps(NamedTuple):
    """Records the steps. `taken`: those so far; None: nobody asked for them."""

    taken: list[Step] | None = None

    def ask(self, depth: int, text: str, holds: bool) -> bool:
        """Record a condition; return its answer."""
        if self.taken is not None:
            self.taken.append(Condition(depth, f"if {text} then", holds))
        return holds

    def let(self, depth: int, name: str, expression: str, value: str | None, rounds: Rounds | None = None) -> None:
        """Record an assignment."""
        if self.taken is not None:
            removal, unrecorded = ((), 0) if rounds is None else (tuple(rounds.taken), rounds.unrecorded)
            self.taken.append(Assignment(depth, name, expression, value, removal, unrecorded))

    def note(self, number: str, text: str, value: str | None = None) -> None:
        """Record a step in words."""
        if self.taken is not None:
            self.taken.append(StepStatement(number, text, value))


UNSEEN = Steps()
"""Records nothing."""


def guard(scheme: str | None, authority: str | None, path: str) -> str:
    """Keep a path from being read as something else (§3.3): `//x` as an authority, `a:b` as a scheme."""
    if authority is None:
        if path.startswith("//"):
            return "/." + path
        if scheme is None and split(path).scheme is not None:
            return "./" + path
    return path


def transform(base: Components, reference: Components, *, compat: bool = False, steps: Steps = UNSEEN) -> Components:
    """Transform a reference into target components (RFC 3986 §5.2.2), the `guard` of §3.3 included.

    `compat`: a scheme equal to the base's is ignored ("for backward compatibility"); schemes compare without regard to
    case (§3.1).
    """
    scheme, authority, path, query, fragment = reference
    ask, let = steps.ask, steps.let
    if compat:
        same = scheme is not None and base.scheme is not None and scheme.lower() == base.scheme.lower()
        if ask(0, "(not strict and (R.scheme == Base.scheme))", same):
            scheme = None
            let(1, "", "undefine(R.scheme)", None)
    if ask(0, "defined(R.scheme)", scheme is not None):
        let(1, "T.scheme", "R.scheme", scheme)
        let(1, "T.authority", "R.authority", authority)
        path = _remove_dot_segments(path, steps, 1, "R.path")
        let(1, "T.query", "R.query", query)
    else:
        if ask(1, "defined(R.authority)", authority is not None):
            let(2, "T.authority", "R.authority", authority)
            path = _remove_dot_segments(path, steps, 2, "R.path")
            let(2, "T.query", "R.query", query)
        else:
            if ask(2, '(R.path == "")', path == ""):
                path = base.path
                let(3, "T.path", "Base.path", path)
                if ask(3, "defined(R.query)", query is not None):
                    let(4, "T.query", "R.query", query)
                else:
                    query = base.query
                    let(4, "T.query", "Base.query", query)
            else:
                if ask(3, '(R.path starts-with "/")', path.startswith("/")):
                    path = _remove_dot_segments(path, steps, 4, "R.path")
                else:
                    path = base.merged(path)
                    let(4, "T.path", "merge(Base.path, R.path)", path)
                    path = _remove_dot_segments(path, steps, 4, "T.path")
                let(3, "T.query", "R.query", query)
            authority = base.authority
            let(2, "T.authority", "Base.authority", authority)
        scheme = base.scheme
        let(1, "T.scheme", "Base.scheme", scheme)
    let(0, "T.fragment", "R.fragment", fragment)
    guarded = guard(scheme, authority, path)
    if guarded != path:
        steps.note("§3.3", "this path would be read as something else, so it is written", guarded)
    return Components(scheme, authority, guarded, query, fragment)


def _remove_dot_segments(path: str, steps: Steps, depth: int, expression: str) -> str:
    """Set T.path to a path without dot segments."""
    if steps is UNSEEN:
        return remove_dot_segments(path)
    rounds = Rounds(path)
    result = remove_dot_segments(path, rounds.add)
    steps.let(depth, "T.path", f"remove_dot_segments({expression})", result, rounds)
    return result

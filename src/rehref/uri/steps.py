"""The steps of a resolution algorithm, recorded as it runs, for people who want to see them.

1. For RFC 3986: the lines of the pseudocode of §5.2.2 that are reached, each condition with its answer and each
   assignment with its value; within them remove_dot_segments (§5.2.4) round by round, with the two buffers. For RFC
   2396: the steps 1 to 7 of §5.2.
2. Buffers are recorded for the first `LIMIT` rounds and the last, so that the record stays linear.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

LIMIT = 100


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


class Statement(NamedTuple):
    """A step in words, its number (`6a`, or ""), and what it leaves behind (None: nothing to show)."""

    number: str
    text: str
    value: str | None = None


Step: TypeAlias = Condition | Assignment | Statement


class Rounds:
    """The rounds of remove_dot_segments on a path: those `taken`, and how many more there were."""

    def __init__(self, path: str) -> None:
        """Record nothing yet."""
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
            self.taken.append(Statement(number, text, value))


UNSEEN = Steps()
"""Records nothing."""

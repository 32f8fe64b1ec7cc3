"""How a reference is resolved, and whether it is valid, for people: `rehref resolve --explain`, `rehref validate`.

Undefined and empty components differ. Characters are counted from 1 in the reference as it was given, even if its
password is shown as ***.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rehref.reports.terminal import PLAIN, Style, shown
from rehref.uri.components import unsplit

if TYPE_CHECKING:
    import rehref

_TITLES = {
    "rfc3986": "RFC 3986 §5.2.2, strict",
    "rfc3986-compat": "RFC 3986 §5.2.2, for backward compatibility",
    "rfc2396": "RFC 2396 §5.2",
    "whatwg": "URL Standard, what browsers do",
}


def explained(explanation: rehref.Explanation, style: Style = PLAIN) -> str:
    """The explanation as text, in lines."""
    return "\n".join(_lines(explanation, style)) + "\n"


def _lines(explanation: rehref.Explanation, style: Style) -> Iterator[str]:
    yield from _components("Base", explanation.base, style)
    yield from _components("R", explanation.reference, style)
    yield ""
    yield style.strong(_TITLES[explanation.profile])
    yield from _steps(explanation, style)
    yield ""
    yield f"{style.strong('Target')}  {_target(explanation.target, style)}"
    yield ""
    if not explanation.others:
        yield style.faint("The other profiles give the same.")
    else:
        yield style.strong("Other profiles")
        for profile, target in explanation.others:
            yield f"  {profile:<16}{_target(target, style)}"


def _components(name: str, components: rehref.Components, style: Style) -> Iterator[str]:
    yield f"{style.strong(f'{name:<6}')}  {shown(unsplit(components)) or _value('')}"
    for part, value in components._asdict().items():
        yield style.faint(f"  {f'{name}.{part}':<16}{_value(value, is_authority=part == 'authority')}")


def _value(value: str | None, *, is_authority: bool = False) -> str:
    if value is None:
        return "undefined"
    # a password is only recognized after "//"
    return f'"{shown(f"//{value}")[2:]}"' if is_authority else f'"{shown(value)}"'


def _target(target: str | None, style: Style) -> str:
    return style.alarm("none") if target is None else style.target(shown(target) or _value(""))


def _steps(explanation: rehref.Explanation, style: Style) -> Iterator[str]:
    """The steps, their values in one column; below them the rounds of remove_dot_segments."""
    rows = explanation.rows
    column = max((len(row.line) for row in rows if row.has_value or row.holds is not None), default=0)
    for row in rows:
        if row.holds is not None:
            yield f"{row.line:<{column}}  {style.good('yes') if row.holds else style.faint('no')}"
        elif row.has_value:
            yield f"{row.line:<{column}}  {style.target(_value(row.value, is_authority=row.is_authority))}"
        else:
            yield row.line
        if row.removal:
            indent = " " * (len(row.line) - len(row.line.lstrip()) + 4)
            yield from _removal(row.removal, row.unrecorded, indent, style)


def _removal(removal: Sequence[tuple[str, str, str]], more: int, indent: str, style: Style) -> Iterator[str]:
    """The rounds of remove_dot_segments in columns: rule, input buffer, output buffer."""
    rounds = [(rule, _value(before), _value(after)) for rule, before, after in removal]
    wide = max(len("input buffer"), *(len(before) for _, before, _ in rounds))
    yield style.faint(f"{indent}{'§5.2.4':<8}{'input buffer':<{wide}}  output buffer")
    for rule, before, after in rounds:
        yield f"{indent}{rule:<8}{before:<{wide}}  {after}"
    if more:
        yield style.faint(f"{indent}… and {more:,} steps more")


def validity(reference: str, found: Sequence[rehref.Violation], style: Style = PLAIN) -> str:
    """The lines about a reference."""
    verdict = style.alarm("invalid") if found else style.good("valid") + "  "
    lines = [f"{verdict}  {shown(reference)}", *map(_line, found)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _line(violation: rehref.Violation) -> str:
    where = f"character {violation.position + 1:,}, {violation.component}"
    return f"         {where}: {shown(violation.message)} (rule {violation.rule})"

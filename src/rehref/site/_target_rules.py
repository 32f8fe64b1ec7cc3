"""Rules for some findings: `[[check.rules]]`, each a table, what findings it is for and what to do about them.

A rule is for the findings in `pages` (patterns of `.rehrefignore`), about `targets` (expressions, searched for in the
reference as written and in its target), with `codes`; what it does not name does not matter. Of several rules for one
finding, the last with a severity counts. A rule turns on no code that is not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from rehref.exceptions import OptionError, nearest, with_value
from rehref.site._expressions import Searched
from rehref.site._ignoring import IgnoreRules, path_rules
from rehref.site.codes import SEVERITIES, Severity
from rehref.site.findings import Finding

OPTION: Final = "--rules"
_REDIRECTS: Final = frozenset({"web-redirected", "web-moved-for-now"})
_FRAGMENTS: Final = frozenset({"missing-fragment", "script-fragments", "text-fragment"})
_TEXTS: Final = ("pages", "targets", "codes")
_FLAGS: Final = ("redirects", "fragments")
_EFFECTS: Final = ("severity", "accept", *_FLAGS)
KEYS: Final = (*_TEXTS, *_EFFECTS)

RuleSeverity: TypeAlias = Severity | Literal["ignore"]


class TargetRule(NamedTuple):
    """A rule. Without `pages`, `targets` or `codes`, it is for all.

    `severity`: that of its findings. `accepted`: statuses of servers that are fine. `redirects`: whether redirects are
    fine. `fragments`: whether fragments are checked. `shown`: it as it was given.
    """

    pages: tuple[IgnoreRules, ...] = ()
    targets: tuple[Searched, ...] = ()
    codes: frozenset[str] = frozenset()
    severity: RuleSeverity | None = None
    accepted: tuple[range, ...] = ()
    redirects: bool = False
    fragments: bool = True
    shown: str = ""

    def is_for(self, target: str, reference: str) -> bool:
        """Return whether it is for what a reference leads to, wherever that is and whatever is wrong with it."""
        return not self.targets or any(each.search(target) or each.search(reference) for each in self.targets)

    def covers(self, finding: Finding) -> bool:
        """Return whether code, page and target of a finding are those of the rule."""
        return (
            (not self.codes or finding.code in self.codes)
            and (not self.pages or any(each.ignores(finding.document) for each in self.pages))
            and self.is_for(finding.target or "", finding.reference or "")
        )

    def asks_for(self, finding: Finding, status: int | None = None) -> RuleSeverity | None:
        """Return the severity of a finding that it is for; None if it leaves that as it is. `status`: of a server."""
        is_fine = (
            any(status in each for each in self.accepted)
            or (self.redirects and finding.code in _REDIRECTS)
            or (not self.fragments and finding.code in _FRAGMENTS)
        )
        return "ignore" if is_fine else self.severity


def asked_severity(rules: Sequence[TargetRule], finding: Finding, status: int | None = None) -> RuleSeverity | None:
    """Return the severity that rules ask for; None if they leave it as it is. `status`: what a server answered."""
    asked = (rule.asks_for(finding, status) for rule in reversed(rules) if rule.covers(finding))
    return next((severity for severity in asked if severity is not None), None)


class Readers(NamedTuple):
    """What reads the values of a rule as those of options; each raises `OptionError`."""

    patterns: Callable[[str, Sequence[str]], tuple[Searched, ...]]
    codes: Callable[[str, Sequence[str]], frozenset[str]]
    statuses: Callable[[Any], tuple[range, ...]]


def target_rules(given: Iterable[str | Mapping[str, Any]], readers: Readers) -> tuple[TargetRule, ...]:
    """Return rules from tables, or from texts that are tables in JSON. Raises `OptionError`."""
    return tuple(_rule(each, readers) for each in given)


def _rule(given: str | Mapping[str, Any], readers: Readers) -> TargetRule:
    table = _table(given) if isinstance(given, str) else given
    shown = ", ".join(f"{key} = {value!r}" for key, value in table.items())
    for key in table:
        if key not in KEYS:
            near = nearest(str(key), KEYS)
            raise _error(
                str(key), "is not a key of a rule", f"did you mean {near}?" if near else f"there are {', '.join(KEYS)}"
            )
    if not any(key in table for key in _EFFECTS):
        raise _error(shown, "does nothing", f"add one of {', '.join(_EFFECTS)}")
    texts = {key: _texts(key, table[key]) if key in table else [] for key in _TEXTS}
    flags = {key: _flag(key, table[key]) for key in _FLAGS if key in table}
    severity = table.get("severity")
    if severity not in (None, "ignore", *SEVERITIES):
        raise _error(f"severity = {severity!r}", "is not a severity", f"write one of {', '.join(SEVERITIES)}, ignore")
    return TargetRule(
        pages=tuple(map(path_rules, texts["pages"])),
        targets=readers.patterns(f"{OPTION} targets", texts["targets"]),
        codes=readers.codes(f"{OPTION} codes", texts["codes"]) if texts["codes"] else frozenset(),
        severity=cast("RuleSeverity | None", severity),
        accepted=readers.statuses(_statuses(table["accept"])) if "accept" in table else (),
        shown=shown,
        **flags,
    )


def _table(text: str) -> Mapping[str, Any]:
    from json import loads

    try:
        table = loads(text)
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise _error(text, "is not a table in JSON", """write '{"targets": "REGEX", "severity": "ignore"}'""")
    return table


def _texts(key: str, value: object) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        raise _error(f"{key} = {value!r}", "is neither a text nor a list of texts", "correct it")
    if not texts:
        raise _error(f"{key} = []", "is empty", "leave it out, and the rule is for all")
    return list(texts)


def _statuses(value: object) -> list[str | int]:
    statuses = value if isinstance(value, list | tuple) else [value]
    if not statuses or not all(isinstance(each, str | int) and not isinstance(each, bool) for each in statuses):
        raise _error(
            f"accept = {value!r}", "is neither a status nor a list of statuses", "write for example [401, 403]"
        )
    return list(statuses)


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _error(f"{key} = {value!r}", "is neither true nor false", "write one of them")
    return value


def _error(value: str, what: str, remedy: str) -> OptionError:
    return OptionError(with_value(OPTION, value), what, remedy)

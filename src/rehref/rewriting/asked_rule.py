"""A rule as it is asked about the references of one document.

1. A rule that needs only a reference and its target (`plain`) is asked for texts, unless browsers read one
   differently; any other for links.
2. References that a built-in rule would write differently if browsers read them like the RFC are counted
   (`rehref.rewriting.browser_differences`).
3. If a rule raises an exception, it is raised here, since the rule is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any

from rehref.base import Base
from rehref.documents.link import Link
from rehref.rewriting.browser_differences import difference
from rehref.rewriting.contract import ByBeginning, DocumentRule, Drop, LinkNeeded, NewBeginning, Rule, is_careful
from rehref.uri.grammar.rfc3986 import is_valid


class AskedRule:
    """`rule`: that of the document, made by `of`. `valid`: every reference is written as a valid URI.

    `base`: the base of the document's references.
    """

    def __init__(self, rule: Rule, of: Rule | DocumentRule, base: Base, *, valid: bool) -> None:
        self.rule = rule
        self.valid = valid
        self.otherwise = 0
        """How many references count by rule 2."""
        self._careful = is_careful(of)
        per_link = getattr(of, "per_link", False)
        self.sees_positions = per_link or not self._careful
        """Whether it may look at where a link is."""
        # below a valid base the targets of ordinary references are valid, too
        of_texts = not per_link and not (valid and not is_valid(base.uri or ""))
        self.plain: Callable[..., str | LinkNeeded | None] | None = getattr(rule, "plain", None) if of_texts else None
        """That of the rule, if it has it and it may be called."""
        by_beginning: Callable[[Base], ByBeginning | None] | None = getattr(rule, "by_beginning", None)
        self.begins = by_beginning(base) if of_texts and by_beginning is not None else None
        """What `by_beginning` of the rule says, if it has that."""
        self.of_element: Callable[..., str | Drop | None] | None = getattr(rule, "of_element", None)
        """That of the rule, if it has it."""
        self.needs_link: Callable[[str, str, str | None], bool] = cache(getattr(rule, "needs_link", _never))
        """Whether the rule needs the place of a kind of reference, on an element, in an attribute."""
        self.note: Callable[[str, str | None, str, int], None] | None = getattr(rule, "note", None)
        """Counts resources that `plain` wrote or left: element, attribute, reference, and at how many places."""
        self.by_row = not per_link and (self._careful or self.plain is not None)
        """Whether it may be asked once for a row of a table."""

    def __call__(self, link: Link, attributes: Mapping[str, str] | None = None) -> str | Drop | None:
        """Return the new text for a link. `attributes`: those of its element, if they are known."""
        rule = self.rule
        if self.of_element is not None and attributes is not None:
            rule = partial(self.of_element, attributes=attributes)
        new = rule(link)
        if not (new is None or isinstance(new, str | Drop)):
            raise _wrong(link, new)
        if self._careful and link.problems and difference(link.problems) is not None:
            self.otherwise += rule(link._replace(problems=())) != new
        return new

    def of_all(self, links: Iterable[Link]) -> list[str | Drop | None]:
        """Return the new texts for links, whose elements are not known."""
        if self._careful:
            return [self(link) for link in links]
        news = []
        rule = self.rule
        for link in links:
            new = rule(link)
            if new is not None and not isinstance(new, str | Drop):
                raise _wrong(link, new)
            news.append(new)
        return news

    def of_beginning(self, beginning: str, *of: Any) -> NewBeginning | None:
        """Return what `of_beginning` of the rule says; None also if it may write what is invalid."""
        assert self.begins is not None
        new = self.begins.of_beginning(beginning, *of)
        return None if new is not None and self.valid and not is_valid(f"{new.text or ''}x") else new


def _never(kind: str, element: str, attribute: str | None) -> bool:
    return False


def _wrong(link: Link, new: object) -> TypeError:
    return TypeError(
        "a rule returns the new reference as a str, None for one that stays as it is, or rehref.DROP, "
        f"not {type(new).__name__} (for {link.reference!r})"
    )

"""What a rule is: what `rewrite` takes, and what it may offer beside that to be asked less.

1. A rule is called with a `Link` and gives the new reference as text, or None to leave it as it stands. Any callable
   with that signature is a rule.
2. A rule that must know the document first has `for_document`, which gives the rule for that document.
3. `DROP` in place of a text removes the attribute; it is meant for the `href` of a `base`.
4. What browsers read otherwise stays, or is written as they read it (`rehref.rewriting.browser_differences`). A rule of
   ours has `careful`, which says that it is so; rules of one's own decide for themselves.
5. A rule that needs to know no more of an ordinary link than its texts has `plain` (`PlainRule`), one that wants to
   know the other attributes of the element `of_element` (`ElementRule`).
6. A rule that does not write the `file:` URIs of this machine (`Base.local`) has `with_file_urls()`, which gives the
   same rule with that option; None if it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, cast

from rehref.base import Base
from rehref.documents.link import Link
from rehref.uri.resolver import Profile


class Drop(Enum):
    """The one value of it, `DROP`, stands for "without the attribute"."""

    DROP = "drop"


DROP: Final = Drop.DROP
"""What a rule returns to remove the attribute that the reference is in; meant for the `href` of a `base`."""

Rule: TypeAlias = Callable[[Link], "str | Drop | None"]
"""What takes a `Link` and returns the new reference as text, None to leave it, or `DROP` to remove the attribute."""
BaseElement: TypeAlias = Literal["absolute", "keep", "empty", "drop"]


class DocumentRule(Protocol):
    """A rule that depends on the document."""

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """The rule for a document whose own URI is `own` and whose references are relative to `base`."""


class PlainRule(Protocol):
    """A rule that, of an ordinary link, needs to know no more than this; `link` is as before for all others."""

    def __call__(self, link: Link) -> str | Drop | None:
        """As any rule."""

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """What a link becomes whose reference is not empty, of kind `hyperlink`, `resource`, `form` or `citation`.

        It is not asked of what browsers read otherwise.
        """


class ElementRule(Protocol):
    """A rule that wants to know the other attributes of the element, too, as far as they are read for the document."""

    def __call__(self, link: Link) -> str | Drop | None:
        """As any rule."""

    def of_element(self, link: Link, attributes: Mapping[str, str]) -> str | Drop | None:
        """What a link becomes on an element with these attributes."""


class WrittenTargets(NamedTuple):
    """What a `PlainRule` makes of ordinary links that makes targets of them, unless they are, or stay in the document.

    `fragments`: it makes a target of `#x`, too, that stays in the document. `metadata`: it writes some metadata.
    """

    fragments: bool
    metadata: bool


def written_targets(rule: object, base: Base) -> WrittenTargets | None:
    """What a rule says (`writes_targets`) if all that it does below a base is to write targets; None if it is not."""
    found: WrittenTargets | None = rule.writes_targets(base) if hasattr(rule, "writes_targets") else None
    return found


def is_careful(rule: Rule | DocumentRule) -> bool:
    """Whether a rule leaves what browsers read otherwise, or writes it as they do (rule 4)."""
    return bool(getattr(rule, "careful", False))


def rule_for(rule: Rule | DocumentRule, own: Base, base: Base, profile: Profile) -> Rule:
    """The rule for a document (rule 2): that of `for_document`, or else the rule itself."""
    for_document: Callable[[Base, Base, Profile], Rule] | None = getattr(rule, "for_document", None)
    return cast(Rule, rule) if for_document is None else for_document(own, base, profile)

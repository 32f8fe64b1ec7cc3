"""What a rule is: the function that `rewrite` takes, and optional methods so that it is called less often.

1. A rule is called with a `Link` and returns the new reference as text, or None to leave it unchanged. Any callable
   with that signature is a rule.
2. A rule that must know the document first has `for_document`, which returns the rule for that document.
3. `DROP` instead of a text removes the attribute; it is meant for the `href` of a `base`.
4. References that browsers read differently stay, or are written as browsers read them
   (`rehref.rewriting.link_properties`). Built-in rules have `careful`, which says so; other rules decide
   themselves.
5. A built-in rule is called once for all links that differ only in their places; these links have no line, column
   and span. If it must be called for each link, `per_link` is True. A rule that needs only the texts of a link has
   `plain` (see `MixedRule`), and if it only replaces what targets begin with, `by_beginning(base)`, which returns a
   `ByBeginning` for references relative to that base, or None if it must be asked; a rule that needs the other
   attributes of the element has `of_element`, and `needs_link(kind, element, attribute)`, which returns whether it
   needs them for such references: then neither `plain` nor the rule itself is called. One that counts resources has
   `note(element, attribute, reference, count)`, which is called for what `plain` wrote or left.
6. A rule that does not write the `file:` URIs of this machine (`Base.local`) has `with_file_urls()`, which returns the
   same rule with that option, or None if it has the option already.
7. A rule that may need the date of a document's record (`Template`) has `dated(date)`, which returns the rule for it,
   and `needs_date`: whether it cannot do without.
8. A rule for saved files (`Offline`) has `in_file(path)`, which returns the rule for the document at that path below
   the output folder. It is not for documents in a container, which are not saved.
9. If what a rule writes may lead to a file that does not exist (`Relative`), its `may_miss_files` is True.
10. A rule for offline copies (`Copied`) has `counting(document)`, which returns the rule for one document, to be asked
   afterwards for what the document needs, and for the finished document.
11. A rule that removes the base (`Absolute`) has `with_base_kept()`, which returns the same rule for a document that
   needs it (`rehref.rewriting.needed_base`), or None if it does not remove it.
12. `optional_members` alone looks for names that an object may have or not; all others read them from the tuple that
   it returns, which for a rule is its `Offer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from rehref.base import Base
from rehref.documents.link import Link
from rehref.uri.resolver import Profile

if TYPE_CHECKING:
    from rehref.documents.document import Document


class Drop(Enum):
    """The type of `DROP`, its only value, which means "without the attribute"."""

    DROP = "drop"


DROP: Final = Drop.DROP
"""What a rule returns to remove the attribute that the reference is in; meant for the `href` of a `base`."""


class LinkNeeded(Enum):
    """The type of `LINK_NEEDED`, its only value."""

    LINK_NEEDED = "link"


LINK_NEEDED: Final = LinkNeeded.LINK_NEEDED
"""What `plain` returns if it must know more than texts: then the rule is called with the link."""

Rule: TypeAlias = Callable[[Link], "str | Drop | None"]
"""A function that takes a `Link` and returns the new reference, None to leave it, or `DROP` to remove the attribute."""
BaseElement: TypeAlias = Literal["absolute", "keep", "empty", "drop"]


class DocumentRule(Protocol):
    """A rule that depends on the document."""

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """Return the rule for a document with the URI `own`, whose references are relative to `base`."""


class MixedRule(Protocol):
    """A rule that needs only the texts of most links, and for others the attributes of the element (rule 5)."""

    def __call__(self, link: Link) -> str | Drop | None:
        """As any rule."""

    @property
    def plain(self) -> Callable[..., str | LinkNeeded | None] | None:
        """Takes the reference, target, base and `same_document` of a link, and returns the new reference.

        It is called for links that are not empty, of kind `hyperlink`, `resource`, `form` or `citation`; not for
        references that browsers read differently. None: the rule needs every link.
        """

    def of_element(self, link: Link, attributes: Mapping[str, str]) -> str | Drop | None:
        """Return the new reference of a link on an element with these attributes, as far as they are read."""

    def needs_link(self, kind: str, element: str, attribute: str | None) -> bool:
        """Return whether it needs the link of references of this kind in that attribute, or text (None)."""


class NewBeginning(NamedTuple):
    """What a rule writes instead of the beginning of a target; the rest stays as it is.

    `text`: None if the whole reference stays as it is written. `unless`: the rule must be asked about a rest that
    begins with one of these texts; if `unless_escaped`, about one with a percent-encoded octet, or with characters
    that no URI has; and about one that may have this extension, unless that is "": its path ends like that in any
    case, or is empty, so that the beginning ends the path.
    """

    text: str | None
    unless: tuple[str, ...] = ()
    unless_escaped: bool = False
    unless_extension: str = ""


OfBeginning: TypeAlias = Callable[..., "NewBeginning | None"]
"""Takes a beginning, and the element, attribute, kind, `rel` and `as` of references (texts, or None).

None: the rule must be asked of each.
"""


class ByBeginning(NamedTuple):
    """How a rule with `plain` answers for ordinary references by what their targets begin with.

    A beginning is the nearest folder of the base; the base up to its query; its scheme; or `http://`, `https://`, or
    "", of references that are their own targets (the last of all others). `fragments`: a `#x` that stays in the
    document may change, too. `metadata`: so may some metadata. `of_class`: whether the element, the attribute, the
    kind, `rel` and `as` matter; otherwise they are those of any reference.
    """

    of_beginning: OfBeginning
    of_class: bool = False
    fragments: bool = False
    metadata: bool = False


class Offer(NamedTuple):
    """What a rule has of the attributes at the top of this module, by their names there; defaults for what it lacks."""

    for_document: Callable[[Base, Base, Profile], Rule] | None = None
    careful: bool = False
    per_link: bool = False
    plain: Callable[..., str | LinkNeeded | None] | None = None
    by_beginning: Callable[[Base], ByBeginning | None] | None = None
    of_element: Callable[..., str | Drop | None] | None = None
    needs_link: Callable[[str, str, str | None], bool] | None = None
    note: Callable[[str, str | None, str, int], None] | None = None
    with_file_urls: Callable[[], Rule | DocumentRule | None] | None = None
    with_base_kept: Callable[[], Rule | DocumentRule | None] | None = None
    dated: Callable[[str], Rule | DocumentRule] | None = None
    needs_date: bool = False
    in_file: Callable[[str], Rule | DocumentRule] | None = None
    may_miss_files: bool = False
    counting: Callable[[Document], Any] | None = None


_Named = TypeVar("_Named", bound=NamedTuple)


def optional_members(kind: type[_Named], of: object) -> _Named:
    """Return the attributes of an object that `kind` names, all of which have defaults there (rule 12)."""
    return kind._make([getattr(of, name, default) for name, default in kind._field_defaults.items()])


def offered_by(rule: object) -> Offer:
    """Return what a rule offers."""
    return optional_members(Offer, rule)


def rule_for(rule: Rule | DocumentRule, own: Base, base: Base, profile: Profile, offer: Offer | None = None) -> Rule:
    """Return the rule for a document (rule 2): that of `for_document`, or else the rule itself.

    `offer`: what the rule offers, if that is known.
    """
    for_document = (offer or offered_by(rule)).for_document
    return cast("Rule", rule) if for_document is None else for_document(own, base, profile)

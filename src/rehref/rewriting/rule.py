"""What a rule is: the function that `rewrite` takes; and what a built-in rule gives so that it is asked less often.

A rule is called with a `Link` and returns the new reference as text, None to leave it unchanged, or `DROP` to remove
the attribute. Any callable with that signature is one. A rule that must know the document first has `for_document`,
which returns the rule for it: a function, or a `RowRule`, which is asked once for all references that differ only in
their places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.uri.resolver import Profile

if TYPE_CHECKING:
    from rehref.documents.document import Document


class Drop(Enum):
    """The type of `DROP`, its only value, which means "without the attribute"."""

    DROP = "drop"


DROP: Final = Drop.DROP
"""What a rule returns to remove the attribute that the reference is in; meant for the `href` of a `base`."""

Rule: TypeAlias = Callable[[Link], "str | Drop | None"]
"""A function that takes a `Link` and returns the new reference, None to leave it, or `DROP` to remove the attribute."""
BaseElement: TypeAlias = Literal["absolute", "keep", "empty", "drop"]


class DocumentRule(Protocol):
    """A rule that depends on the document."""

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """Return the rule for a document with the URI `own`, whose references are relative to `base`."""


Attributes: TypeAlias = Callable[[], Mapping[str, str]]
"""Returns the attributes of a link's element, as far as they are read. A `RowRule` that calls it is asked for each."""


def no_attributes() -> Mapping[str, str]:
    """Return no attributes: those of an element that nobody knows."""
    return _NOTHING


_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RowRule:
    """A built-in rule for one document. Its answer does not depend on line, column and span of a link.

    `write`: takes a link, and what returns the attributes of its element. `beginnings`: how it answers for ordinary
    references by what their targets begin with; None: `write` must be asked. `is_careful`: references that browsers
    read differently stay, or are written as browsers read them (`rehref.rewriting.link_properties`). `for_each`: it is
    asked for each reference all the same, in document order, with its position.
    """

    write: Callable[[Link, Attributes], str | Drop | None]
    beginnings: ByBeginning | None = None
    is_careful: bool = True
    for_each: bool = False

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of a link on an element whose attributes are not known."""
        return self.write(link, no_attributes)


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
    """How a rule answers for ordinary references by what their targets begin with.

    A beginning is the nearest folder of the base; the base up to its query; its scheme; or `http://`, `https://`, or
    "", of references that are their own targets (the last of all others). `fragments`: a `#x` that stays in the
    document may change, too. `metadata`: so may some metadata. `of_class`: whether the element, the attribute, the
    kind, `rel` and `as` matter; otherwise they are those of any reference. `codebases`: a `codebase` is like any other
    reference, and what is below one stays if browsers read it differently. `only_relative`: what does not depend on the
    base stays, whatever it is.
    """

    of_beginning: OfBeginning
    of_class: bool = False
    fragments: bool = False
    metadata: bool = False
    codebases: bool = False
    only_relative: bool = False


class Offer(NamedTuple):
    """What else a rule may have, by the names of its attributes; defaults for what it lacks.

    `with_file_urls`: returns the same rule, which writes the `file:` URIs of this machine (`Base.local`); or None if it
    does so already. `dated`: returns the rule for documents of a date; `needs_date`: it cannot do without. `in_file`:
    returns the rule for the document at a path below the output folder; such a rule is not for documents in a
    container, which are not saved. `may_miss_files`: what it writes may lead to a file that does not exist. `counting`:
    returns the rule for one document, to be asked afterwards for what the document needs, and for the finished
    document. `with_base_kept`: returns the same rule for a document that needs its base
    (`rehref.rewriting.edits`); or None if it does not remove it.
    """

    for_document: Callable[[Base, Base, Profile], Rule] | None = None
    with_file_urls: Callable[[], Rule | DocumentRule | None] | None = None
    with_base_kept: Callable[[], Rule | DocumentRule | None] | None = None
    dated: Callable[[str], Rule | DocumentRule] | None = None
    needs_date: bool = False
    in_file: Callable[[str], Rule | DocumentRule] | None = None
    may_miss_files: bool = False
    counting: Callable[[Document], Any] | None = None


_Named = TypeVar("_Named", bound=NamedTuple)


def optional_members(kind: type[_Named], of: object) -> _Named:
    """Return the attributes of an object that `kind` names, all of which have defaults there."""
    return kind._make([getattr(of, name, default) for name, default in kind._field_defaults.items()])


def offered_by(rule: object) -> Offer:
    """Return what a rule offers."""
    return optional_members(Offer, rule)


def rule_for(rule: Rule | DocumentRule, own: Base, base: Base, profile: Profile) -> Rule:
    """Return the rule for a document: that of `for_document`, or else the rule itself."""
    for_document: Callable[[Base, Base, Profile], Rule] | None = getattr(rule, "for_document", None)
    return cast("Rule", rule) if for_document is None else for_document(own, base, profile)

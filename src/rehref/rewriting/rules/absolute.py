"""The rules: what a reference becomes.

1. They keep to `rehref.rewriting.contract`.
2. `Absolute` asks for nothing but a link; the others must know the document first.
3. What no built-in rule touches: hash-name references, `url(#id)` (kind `fragment`), namespaces; metadata, unless asked
   to (`<meta>` and JSON-LD only: `itemid` and the like never); what has no target; an empty `src` or the like, which
   means that there is nothing; schemes without a hierarchy (`javascript:`, `data:`, `mailto:`, `about:`, `cid:` …).
4. Same-document references as they are written (`""`, `#x`) stay, unless an embedded base makes them leave the
   document; then they are treated like the rest.
5. Only `Absolute` removes an attribute (`DROP`): the `href` of a `base`.
6. What browsers read otherwise stays, or is written as they read it (`rehref.rewriting.browser_differences`).
7. Metadata, where it is asked for, is treated like the rest, `@base` of JSON-LD too. What is relative to an `@base` is
   written in full where it could come to mean something else, since the `@base` may change.
8. A `file:` URI of this machine, which a document has only for want of another (`Base.local`), is written nowhere: it
   means something here alone. The reference stays. `Absolute` and `Template` write it if they are told to.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, replace
from typing import ClassVar, get_args

from rehref.base import Base, clean
from rehref.documents.link import Link
from rehref.rewriting.browser_differences import has_no_hierarchy, may_go, settled
from rehref.rewriting.contract import DROP, BaseElement, Drop, PlainRule, Rule
from rehref.rewriting.removed_base import WithoutBase
from rehref.rewriting.rules.mapping_table import Table
from rehref.uri.components import Components, split, unsplit
from rehref.uri.normalization import DEFAULT_PORTS, comparison_key
from rehref.uri.relative import Relativizer
from rehref.uri.resolver import Profile
from rehref.uri.same_document import is_current_document


def is_same_document_as_written(link: Link) -> bool:
    """Whether the reference is `""` or `#…` (RFC 3986 §4.4), and stays in the document."""
    return link.same_document and is_current_document(clean(link.reference))


def is_base_element(link: Link) -> bool:
    """Whether the link is the `href` of a `base` element, or what is a base in XML in the same way (`xml:base`)."""
    return link.kind == "base" and (link.element == "base" or link.attribute in ("xml:base", "BASE"))


def is_out_of_reach(link: Link, *, metadata: bool = False) -> bool:
    """Whether no built-in rule touches the link (rule 3). `metadata`: statements may be touched, where they can be."""
    if link.target is None or link.kind in ("fragment", "namespace"):
        return True
    if link.kind == "metadata":
        # an empty IRI reference in JSON-LD is one; an empty `content` says nothing
        return not (metadata and (is_json_ld(link) or (link.element == "meta" and link.reference != "")))
    return link.reference == "" and (link.element, link.attribute) not in _EMPTY_MEANS_DOCUMENT


def is_json_ld(link: Link) -> bool:
    """Whether the link stands in JSON-LD, and is no name of a context."""
    return link.kind == "metadata" and link.element in ("script", "json-ld")


def is_below_json_ld_base(link: Link) -> bool:
    """Whether the link is relative to an `@base` in the same JSON-LD (JSON-LD 1.1 §4.1.3)."""
    return is_json_ld(link) and link.base.where == "@base"


def is_below_codebase(link: Link) -> bool:
    """Whether the link is relative to the `codebase` of its element, which browsers do not know."""
    return link.base.where.startswith("codebase ")


# where an empty reference is one; elsewhere (`src=""`) it means that there is nothing, and a browser fetches nothing
_EMPTY_MEANS_DOCUMENT = frozenset(
    {
        *(("a", "href"), ("area", "href"), ("base", "href"), ("a", "xlink:href")),
        *(("form", "action"), ("button", "formaction"), ("input", "formaction")),
    }
)


def is_hierarchical(parts: Components) -> bool:
    """Whether a target has an authority or a rooted path, and so can be relative or replayed."""
    return parts.authority is not None or parts.path.startswith("/")


@dataclass(frozen=True, slots=True)
class Absolute:
    """Make every relative reference absolute.

    `base_element`: what becomes of the `href` of a `base` element: made `absolute` (scripts may depend on it), `keep`,
    `empty` (`href=""`), or `drop` (the attribute; the element goes only if nothing else is on it).
    `same_document`: make `#x` and `""` absolute too. `metadata`: so too what statements about the page and its things
    hold (`<meta property="og:image">`, JSON-LD), which are otherwise only reported. `file_urls`: write the `file:` URIs
    of this machine, too, where a document has no other URI; without, such references stay.

    What browsers read otherwise (`browser-differs`) stays as it stands; where its base goes, it is written as they read
    it. A base that nothing is relative to in browsers (`mailto:x`) stays.
    """

    careful: ClassVar[bool] = True
    base_element: BaseElement = "absolute"
    same_document: bool = False
    metadata: bool = False
    file_urls: bool = False

    def __post_init__(self) -> None:
        if self.base_element not in get_args(BaseElement):
            raise ValueError(
                f"unknown base_element {self.base_element!r}; there are {', '.join(get_args(BaseElement))}"
            )

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """The rule for one document."""
        if self.base_element not in ("drop", "empty"):
            return self
        if has_no_hierarchy(base):
            return replace(self, base_element="keep")
        return _BaseGoes(self, own.uri, base, WithoutBase(own, profile))

    def __call__(self, link: Link) -> str | Drop | None:
        """What the link's reference becomes; None if it stays."""
        base_goes = self.base_element in ("drop", "empty") and may_go(link.base, None)
        return self.of(link, self, base_goes=base_goes)

    def of(self, link: Link, how: PlainRule, *, base_goes: bool) -> str | Drop | None:
        """What the link's reference becomes: what `how` says of it, if it is not left alone.

        `base_goes`: whether the embedded base goes that browsers read it against.
        """
        if link.base.local and not self.file_urls and is_file_uri(link.target):
            return None  # a base too: what is relative to it stays
        if is_base_element(link):
            if self.base_element == "drop":
                return DROP
            if self.base_element == "empty":
                return ""
            if self.base_element == "keep":
                return None
        if is_out_of_reach(link, metadata=self.metadata):
            return None
        here = settled(link, base_goes=base_goes)
        if here is None:
            return None
        return how.plain(here.reference, here.target, here.base, same_document=here.same_document)

    @property
    def writes_fragments(self) -> bool:
        """See `TargetRule`."""
        return self.same_document

    @property
    def writes_metadata(self) -> bool:
        """See `TargetRule`."""
        return self.metadata

    def writes_targets(self, base: Base) -> bool:
        """See `TargetRule`."""
        return self.file_urls or not base.local

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """See `PlainRule`."""
        if same_document and not self.same_document and (reference[:1] == "#" or is_current_document(clean(reference))):
            return None
        if ":" in reference and is_absolute(reference, target, base):
            return None
        return None if base.local and not self.file_urls and is_file_uri(target) else target

    def with_file_urls(self) -> Absolute | None:
        """See `WithholdingRule`."""
        return None if self.file_urls else replace(self, file_urls=True)


def is_file_uri(target: str | None) -> bool:
    """Whether a target is a `file:` URI (RFC 8089)."""
    return target is not None and target[:5].lower() == "file:"


@dataclass(frozen=True, slots=True)
class _BaseGoes:
    """`Absolute` where embedded bases go; what they lead to the document's own URI, that does without them.

    `base`: what browsers read against, who do not know `codebase`.
    """

    rule: Absolute
    own: str | None
    base: Base
    without_base: WithoutBase

    def __call__(self, link: Link) -> str | Drop | None:
        """What the link's reference becomes; None if it stays."""
        base = self.base if is_below_codebase(link) else link.base
        return self.rule.of(link, self, base_goes=may_go(base, self.own))

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """See `PlainRule`."""
        new = self.rule.plain(reference, target, base, same_document=same_document)
        if target is None or (base.local and not self.rule.file_urls):
            return new
        if new is not None:
            return self.without_base(new, target, base)
        # what stays stands for itself, but perhaps no longer so
        if ":" not in reference:
            return None
        stays = clean(reference)
        written = self.without_base(stays, target, base)
        return None if written == stays else written


def is_absolute(reference: str, target: str | None, base: Base) -> bool:
    """Whether a reference stands for itself: with a scheme, that the profile does not ignore (§5.2.2).

    Browsers take `http:x` for relative or for `http://x`, depending on the base's scheme: it does not.
    """
    if ":" not in reference:
        return False
    parts = split(clean(reference))
    if parts.scheme is None:
        return False
    if parts.authority is not None or base.uri is None:
        return True
    if target is not None and split(target).authority is not None:
        return False
    return parts.scheme.lower() != (split(base.uri).scheme or "").lower()


def in_full(link: Link) -> str | None:
    """The target; None if the reference stands for itself as it is, or would lead to a file of this machine."""
    if link.base.local and is_file_uri(link.target):
        return None
    return None if is_absolute(link.reference, link.target, link.base) else link.target


class _Host:
    """The scheme and authority of a URI, and which other ones are the same (RFC 3986 §6.2.2, §6.2.3)."""

    __slots__ = ("_authority", "_key", "_profile", "_scheme")

    def __init__(self, uri: str, profile: Profile) -> None:
        self._scheme, self._authority = split(uri)[:2]
        self._profile = profile
        self._key = self._key_of(self._scheme, self._authority)

    def as_own(self, target: str, parts: Components) -> str | None:
        """A hierarchical target on this host, with scheme and authority written as here; None for any other."""
        scheme, authority, path, query, fragment = parts
        if (scheme, authority) == (self._scheme, self._authority):
            if path != "":
                return target
        elif self._key_of(scheme, authority) != self._key:
            return None
        if path == "" and scheme is not None and scheme.lower() in DEFAULT_PORTS:
            path = "/"
        return unsplit((self._scheme, self._authority, path, query, fragment))

    def _key_of(self, scheme: str | None, authority: str | None) -> str:
        return comparison_key(unsplit((scheme, authority, "/", None, None)), self._profile)


@dataclass(frozen=True, slots=True)
class Relative:
    """Make every reference to the document's own scheme and host relative to the document's own URI.

    These are compared as `rehref.equivalent` does, in the `whatwg` profile as the URL Standard serializes them.

    Relative paths only, which keep working when the documents are moved or opened from a disk. A `base` element's
    `href` becomes empty, for what is relative to the document must not be relative to something else. A document
    without a URI of its own is left as it is. `metadata`: as with `Absolute`, but what is absolute in JSON-LD stays so,
    for below `@base: null` nothing else is a reference; and what is relative to an `@base` becomes absolute. What
    browsers read otherwise is as with `Absolute`; below a base that nothing is relative to in browsers nothing changes.
    """

    careful: ClassVar[bool] = True
    metadata: bool = False

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """The rule for one document."""
        if own.uri is None or has_no_hierarchy(base):
            return lambda link: None
        relative = Relativizer(own.uri, profile, paths_only=True)
        host = _Host(own.uri, profile)

        def rule(link: Link) -> str | None:
            if is_base_element(link):
                return ""
            if link.kind == "text":  # nothing is relative there
                return None
            if is_out_of_reach(link, metadata=self.metadata):
                return None
            of_codebase = is_below_codebase(link)
            here = settled(link, base_goes=may_go(base if of_codebase else link.base, own.uri))
            if here is None:
                return None
            link = here
            if of_codebase:  # which other attributes (`code`) stay relative to
                return in_full(link)
            if is_json_ld(link) and (is_below_json_ld_base(link) or in_full(link) is None):
                return in_full(link)
            if is_same_document_as_written(link):
                return None
            assert link.target is not None
            parts = split(link.target)
            if not is_hierarchical(parts):
                return None
            target = host.as_own(link.target, parts)
            if target is None:
                # what was relative to another base must say so now
                return in_full(link)
            reference = relative(target)
            if reference[:1] == "@" and is_json_ld(link):
                return f"./{reference}"  # what looks like a keyword is no reference
            # "" is no resource and no stylesheet, though the RFC would have it be the document
            return target if reference == "" and link.element not in ("a", "area") else reference

        return rule

    def __call__(self, link: Link) -> str | None:
        """Relative to the base the link was resolved against, where no document is known."""
        return self.for_document(link.base, link.base, "rfc3986")(link)  # type: ignore[return-value]


class Mapping:
    """Replace references by a function or a table.

    A function is called with each `Link` (those of kind `base` included) and returns the new reference as text, or
    None. A table maps target URIs to replacements (`rehref.rewriting.rules.mapping_table`): compared normalized (RFC
    3986 §6.2.2, §6.2.3), in the `whatwg` profile as the URL Standard serializes them. A key that ends in `*` is a
    prefix, whose rest is carried over to the replacement's end (in place of its own `*`, if it has one); the longest
    key that fits counts, an exact one before all. A target with a fragment that has no entry is looked up without, and
    its fragment carried over. A table leaves `base` elements alone: what was relative to them and is in the table is
    written out in full. `metadata`: a table is for metadata too, as with `Absolute`. A table has nothing for what
    browsers read otherwise (`browser-differs`), which stays as it stands.
    """

    __slots__ = ("_entries", "_function", "_metadata", "_tables")

    def __init__(
        self, mapping: Callable[[Link], str | None] | AbstractMapping[str, str], *, metadata: bool = False
    ) -> None:
        self._metadata = metadata
        self._function = mapping if callable(mapping) else None
        self._entries: AbstractMapping[str, str] = mapping if isinstance(mapping, AbstractMapping) else {}
        for key, value in self._entries.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise TypeError(f"a mapping has texts for keys and values, not {key!r}: {value!r}")
        self._tables: dict[Profile, Table] = {}

    @property
    def careful(self) -> bool:
        """Whether it is a table."""
        return self._function is None

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """The rule for one document."""
        if self._function is not None:
            return self._function
        if profile not in self._tables:
            self._tables[profile] = Table(self._entries, profile)
        look_up, metadata = self._tables[profile], self._metadata

        def rule(link: Link) -> str | None:
            if link.kind == "base" or is_out_of_reach(link, metadata=metadata):  # codebase too
                return None
            if settled(link, base_goes=False) is None:
                return None
            assert link.target is not None
            if is_below_json_ld_base(link):
                assert link.base.uri is not None
                new = look_up(link.target)
                # what is not in the table must not go where its `@base` goes
                return in_full(link) if new is None and look_up(link.base.uri) is not None else new
            return None if is_same_document_as_written(link) else look_up(link.target)

        return rule

    def __call__(self, link: Link) -> str | Drop | None:
        """What the link's reference becomes, in the profile `rfc3986`; None if it stays."""
        return self.for_document(link.base, link.base, "rfc3986")(link)

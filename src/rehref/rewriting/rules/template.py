"""The rule that puts targets into a template, for replay.

1. `{uri}` is the target; `{uri:encoded}` the same, percent-encoded like a value in a query. A template names one of
   them once. A fragment is moved to the end of the result, since it is only for browsers.
2. `{kind}` is the kind of the link; `{modifier}` the modifier of pywb (`rehref.rewriting.rules.pywb_modifiers`);
   `{timestamp}` the date of the record that the document is in, as 14 digits, unless a value is given. All other names
   have the given values.
3. Only `http` and `https` targets are put into a template, unless other schemes are given: references to other schemes
   stay as they are written, as do relative references in a document with another scheme.
4. A reference that begins like the template, up to `{uri}`, is in the template already, and stays, whatever its kind,
   modifier and timestamp are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from rehref.base import Base, clean
from rehref.documents.link import Link
from rehref.option_errors import OptionError, refuse_no_flags
from rehref.rewriting.browser_differences import may_go, settled
from rehref.rewriting.contract import ByBeginning, Drop, NewBeginning, Rule
from rehref.rewriting.rules.link_properties import (
    is_absolute,
    is_base_element,
    is_below_json_ld_base,
    is_file_uri,
    is_hierarchical,
    is_out_of_reach,
    is_same_document_as_written,
)
from rehref.rewriting.rules.pywb_modifiers import modifier, modifier_of_class
from rehref.uri.components import split
from rehref.uri.resolver import Profile
from rehref.uri.same_document import is_current_document

SCHEMES: Final = ("http", "https")
"""The schemes of targets that are put into a template (rule 3)."""
_PER_LINK = frozenset(("kind", "modifier"))
OWN: Final = ("uri", "kind", "modifier")
"""Names that have a value of their own."""
RESERVED: Final = (*OWN, "metadata", "schemes", "file_urls")
"""Names that cannot be given a value."""

_SURELY_HIERARCHICAL = ("https://", "http://")
_URIS = ("uri", "uri:encoded")
_TIMESTAMP = "timestamp"
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?::[a-z]+)?)\}")
_BRACE = re.compile(r"[{}]").search
# completes an imprecise date to the beginning of its period
_EARLIEST = "00000101000000"
_NOTHING: Mapping[str, str] = MappingProxyType({})


def timestamp(date: str) -> str:
    """Return the 14 digits of a date in WARC's form (`2024-01-02T03:04:05Z`, or less precise); "" for no date."""
    digits = re.sub("[^0-9]", "", date)[:14]
    return digits + _EARLIEST[len(digits) :] if len(digits) >= 4 else ""


class Template:
    """Put every target into a template for replay servers: `https://replay.example/{timestamp}{modifier}/{uri}`.

    The top of this module explains the names; values for other names are keyword arguments. The `href` of a `base`
    element is put into the template too, so that references which scripts resolve against it lead to the same place.
    `metadata`, `file_urls`: as with `Absolute`; `schemes`: the schemes of targets to put into the template. So the
    template cannot have these names.
    Raises ValueError if there is no `{uri}`, or a name has no value; and when a document without a date is rewritten,
    but the template needs one.
    """

    __slots__ = ("_file_urls", "_metadata", "_parts", "_schemes", "_text", "_values")

    careful = True

    def __init__(
        self,
        template: str,
        /,
        *,
        metadata: bool = False,
        schemes: Collection[str] = SCHEMES,
        file_urls: bool = False,
        **values: str,
    ) -> None:
        if not isinstance(template, str):
            raise TypeError(f"a template is a str, not {type(template).__name__}")
        refuse_no_flags(metadata=metadata, file_urls=file_urls)
        self._text = template
        self._file_urls = file_urls
        self._metadata = metadata
        is_collection = isinstance(schemes, Collection) and not isinstance(schemes, str | bytes)
        if not is_collection or not all(isinstance(scheme, str) for scheme in schemes):
            raise TypeError("schemes is a collection of texts, such as ['http', 'https']")
        self._schemes = frozenset(scheme.lower() for scheme in schemes)
        self._values = values
        self._parts = tuple(_PLACEHOLDER.split(template))  # a text, a name, a text, and so on
        names = self._parts[1::2]
        if (stray := _BRACE("".join(self._parts[::2]))) is not None:
            raise OptionError.of(
                f"the template {template!r} has a {stray[0]} that is not of a {{name}}; write %7B or %7D"
            )
        if sum(name in _URIS for name in names) != 1:
            raise OptionError.of(f"the template {template!r} must name {{uri}} or {{uri:encoded}} once")
        for name in names:
            if name not in (*_URIS, *_PER_LINK, _TIMESTAMP) and name not in values:
                raise OptionError.of(f"the template {template!r} names {{{name}}}, which has no value")
        for name in values:
            if name in RESERVED:
                raise OptionError.of(f"{{{name}}} has a value of its own")
            if not isinstance(values[name], str):
                raise TypeError(f"the value of {{{name}}} is a str, not {type(values[name]).__name__}")

    def _value(self) -> tuple[object, ...]:
        return self._text, frozenset(self._values.items()), self._schemes, self._metadata, self._file_urls

    def __eq__(self, other: object) -> bool:
        """Return whether the other is the same template with the same values and options."""
        return self._value() == other._value() if isinstance(other, Template) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        options: dict[str, object] = {name: True for name in ("metadata", "file_urls") if getattr(self, f"_{name}")}
        if self._schemes != frozenset(SCHEMES):
            options["schemes"] = sorted(self._schemes)
        given = "".join(f", {name}={value!r}" for name, value in {**options, **self._values}.items())
        return f"Template({self._text!r}{given})"

    @property
    def needs_date(self) -> bool:
        """Return whether it names `{timestamp}`, and no value is given for it."""
        return _TIMESTAMP in self._parts[1::2] and _TIMESTAMP not in self._values

    def dated(self, date: str) -> Template:
        """Return the template for documents of a date in WARC's form; itself, if it needs no date."""
        values = {**self._values, _TIMESTAMP: timestamp(date)}
        return self._with(values, file_urls=self._file_urls) if self.needs_date and values[_TIMESTAMP] else self

    def with_file_urls(self) -> Template | None:
        """See `rehref.rewriting.contract`, rule 6."""
        return None if self._file_urls else self._with(self._values, file_urls=True)

    def _with(self, values: Mapping[str, str], *, file_urls: bool) -> Template:
        return Template(self._text, metadata=self._metadata, schemes=self._schemes, file_urls=file_urls, **values)

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """The rule for one document. Raises ValueError if it needs a date."""
        if self.needs_date:
            raise OptionError.of(
                f"the template {self._text!r} names {{timestamp}}, but the document is not in a record that has a date"
            )
        at = next(number for number, name in enumerate(self._parts) if number % 2 and name in _URIS)
        filled = _Filled(
            before=self._parts[:at],
            after=self._parts[at + 1 :],
            values=self._values,
            encoded=self._parts[at] != "uri",
            schemes=self._schemes,
            metadata=self._metadata,
            file_urls=self._file_urls,
            begins=_beginning(self._parts[:at], self._values),
            literal=_literal(self._parts[:at], self._values),
        )
        if any(name in _PER_LINK for name in self._parts[1::2]):
            return filled
        return _Plain(filled, filled.side(filled.before, _NOTHING), filled.side(filled.after, _NOTHING))

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link, without a known document; None if it stays."""
        return self.for_document(link.base, link.base, "rfc3986")(link)


def _beginning(before: Sequence[str], values: Mapping[str, str]) -> Callable[[str], object]:
    """Return whether a text begins like the template, up to its `{uri}` (rule 4)."""
    varying = {"kind": "[a-z]+", "modifier": "(?:[a-z]{2}_)?"}
    pattern = "".join(
        re.escape(values.get(part, part)) if part not in varying or not number % 2 else varying[part]
        for number, part in enumerate(before)
    )
    return re.compile(pattern or "(?!)").match


def _literal(before: Sequence[str], values: Mapping[str, str]) -> str:
    """Return how the template begins, up to a name whose value varies."""
    names = enumerate(before)
    known = takewhile(lambda part: part[0] % 2 == 0 or part[1] in values, names)
    return "".join(values[part] if number % 2 else part for number, part in known)


@dataclass(frozen=True, slots=True)
class _Filled:
    """A template for one document.

    `before`, `after`: the parts on both sides of `{uri}`: a text, a name, a text, … `begins`: whether a text begins
    like the template. `literal`: with what every such text begins.
    """

    before: Sequence[str]
    after: Sequence[str]
    values: Mapping[str, str]
    encoded: bool
    schemes: Collection[str]
    metadata: bool
    file_urls: bool
    begins: Callable[[str], object]
    literal: str

    @property
    def of_class(self) -> bool:
        """Return whether a name before the URI has its value from the link."""
        return not _PER_LINK.isdisjoint(self.before[1::2])

    def side(self, parts: Sequence[str], per_link: Mapping[str, str]) -> str:
        """Return one side, with values instead of names."""
        values = {**self.values, **per_link}
        return "".join(values[part] if number % 2 else part for number, part in enumerate(parts))

    def __call__(self, link: Link) -> str | None:
        """Return the new reference of the link, without known attributes of its element."""
        return self.of_element(link, _NOTHING)

    def of_element(self, link: Link, attributes: Mapping[str, str]) -> str | None:
        """See `MixedRule`."""
        if is_out_of_reach(link, metadata=self.metadata):
            return None
        if is_same_document_as_written(link) and not is_below_json_ld_base(link):
            return None
        here = settled(link, base_goes=not is_base_element(link) and may_go(link.base, None))
        if here is None:
            return None
        assert here.target is not None
        per_link = {"kind": here.kind, "modifier": modifier(here, attributes)}
        sides = self.side(self.before, per_link), self.side(self.after, per_link)
        return self.put(*sides, here.reference, here.target, here.base)

    def needs_link(self, kind: str, element: str, attribute: str | None) -> bool:
        """See `MixedRule`: the modifier of a `link` depends on its `rel`."""
        return (element, attribute) == ("link", "href")

    def by_beginning(self, base: Base) -> ByBeginning | None:
        """See `ByBeginning`."""
        is_before_all = not self.encoded and "".join(self.after) == "" and self.literal.startswith(_SURELY_HIERARCHICAL)
        return (
            ByBeginning(self._of_beginning, of_class=self.of_class, metadata=self.metadata)
            if is_before_all and not base.local
            else None
        )

    def _of_beginning(
        self, beginning: str, element: str, attribute: str | None, kind: str, rel: str | None
    ) -> NewBeginning | None:
        unless = self.literal.removeprefix(beginning)
        if beginning == "" or unless == "" or beginning.startswith(self.literal):
            return None
        if beginning.partition(":")[0] not in self.schemes:
            return NewBeginning(None)
        named = modifier_of_class(element, attribute, kind, rel)
        if named is None and "modifier" in self.before[1::2]:
            return None
        before = self.side(self.before, {"kind": kind, "modifier": named or ""})
        return NewBeginning(before + beginning, () if unless == self.literal else (unless,))

    def put(self, before: str, after: str, reference: str, target: str, base: Base) -> str | None:
        """Return the target in the template (rules 1, 3, 4), or the absolute target; None if the reference stays."""
        if self.begins(reference):
            return None
        if base.local and is_file_uri(target):
            if not self.file_urls:
                return None
        elif target.partition(":")[0].lower() not in self.schemes:
            return None
        is_hierarchical_here = target.startswith(_SURELY_HIERARCHICAL) or is_hierarchical(split(target))
        if not is_hierarchical_here or self.begins(target):
            return None if is_absolute(reference, target, base) else target
        document, mark, fragment = target.partition("#")
        return f"{before}{quote(document, safe='') if self.encoded else document}{after}{mark}{fragment}"


@dataclass(frozen=True, slots=True)
class _Plain:
    """A template that puts the same text around every target of the document."""

    filled: _Filled
    before: str
    after: str

    def __call__(self, link: Link) -> str | None:
        """Return the new reference of the link, or None if it stays."""
        return self.filled(link)

    def by_beginning(self, base: Base) -> ByBeginning | None:
        """See `ByBeginning`."""
        return self.filled.by_beginning(base)

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """See `MixedRule`."""
        if target is None or (same_document and is_current_document(clean(reference))):
            return None
        return self.filled.put(self.before, self.after, reference, target, base)

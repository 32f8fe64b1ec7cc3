"""How `Template` writes references.

`{uri}` is the target; `{uri:encoded}` the same, percent-encoded like a value in a query. A fragment is moved to the end
of the result, since it is only for browsers. `{kind}` is the kind of the link; `{modifier}` the modifier of pywb;
`{timestamp}` the date of the record that the document is in, as 14 digits, unless a value is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from urllib.parse import quote

from rehref.documents.link import Link
from rehref.exceptions import OptionError
from rehref.rewriting._rules.pywb_modifiers import EMBEDDED, SHEET_EXTENSION, modifier, modifier_of_class
from rehref.rewriting.link_properties import (
    has_hierarchy,
    is_absolute,
    is_base_element,
    is_below_json_ld_base,
    is_file_uri,
    is_out_of_reach,
    is_same_document_as_written,
    is_usual,
    may_go,
    settled,
)
from rehref.rewriting.rule import Attributes, ByBeginning, NewBeginning
from rehref.uri.components import split

_PER_LINK = frozenset(("kind", "modifier"))
_SURELY_HIERARCHICAL = ("https://", "http://")
_URIS = ("uri", "uri:encoded")
_TIMESTAMP = "timestamp"
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?::[a-z]+)?)\}")
_BRACE = re.compile(r"[{}]").search
_NOTHING: Mapping[str, str] = MappingProxyType({})


def parts_of(template: str, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parts of a template: a text, a name, a text, and so on. Raises `OptionError`; see `Template`."""
    parts = tuple(_PLACEHOLDER.split(template))
    names = parts[1::2]
    if (stray := _BRACE("".join(parts[::2]))) is not None:
        raise OptionError.of(f"the template {template!r} has a {stray[0]} that is not of a {{name}}; write %7B or %7D")
    if sum(name in _URIS for name in names) != 1:
        raise OptionError.of(f"the template {template!r} must name {{uri}} or {{uri:encoded}} once")
    for name in names:
        if name not in (*_URIS, *_PER_LINK, _TIMESTAMP) and name not in values:
            raise OptionError.of(f"the template {template!r} names {{{name}}}, which has no value")
    return parts


def _beginning(before: Sequence[str], values: Mapping[str, str]) -> Callable[[str], object]:
    """Whether a text begins like the template, up to its `{uri}`.

    Such a reference is in the template already, and stays, whatever its kind, modifier and timestamp are.
    """
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


class Filled:
    """A template for documents. `parts`: those of the template: a text, a name, a text, …"""

    def __init__(
        self, parts: Sequence[str], values: Mapping[str, str], schemes: Collection[str], metadata: bool, file_urls: bool
    ) -> None:
        at = next(number for number, name in enumerate(parts) if number % 2 and name in _URIS)
        self._before, self._after = parts[:at], parts[at + 1 :]
        self._values = values
        self._encoded = parts[at] != "uri"
        self._schemes = schemes
        self._metadata = metadata
        self._file_urls = file_urls
        self._begins = _beginning(self._before, values)
        self._literal = _literal(self._before, values)
        self._sides = None  # if they are the same for all links
        if _PER_LINK.isdisjoint(parts[1::2]):
            self._sides = self._side(self._before), self._side(self._after)
        self._before_of: dict[tuple[str, str | None], str] = {}  # by kind and modifier; these are few

    def _side(self, parts: Sequence[str], per_link: Mapping[str, str] = _NOTHING) -> str:
        """Return one side of the URI, with values instead of names."""
        values = {**self._values, **per_link}
        return "".join(values[part] if number % 2 else part for number, part in enumerate(parts))

    def write(self, link: Link, attributes: Attributes) -> str | None:
        """Return the new reference of the link, or None if it stays. The modifier of a `link` needs its attributes."""
        if self._sides is not None and is_usual(link):
            return None if is_same_document_as_written(link) else self._filled_template(*self._sides, link)
        if is_out_of_reach(link, metadata=self._metadata):
            return None
        if is_same_document_as_written(link) and not is_below_json_ld_base(link):
            return None
        here = settled(link, base_goes=not is_base_element(link) and may_go(link.base, None))
        if here is None:
            return None
        if self._sides is not None:
            return self._filled_template(*self._sides, here)
        known = attributes() if (here.element, here.attribute) == ("link", "href") else _NOTHING
        per_link = {"kind": here.kind, "modifier": modifier(here, known)}
        return self._filled_template(self._side(self._before, per_link), self._side(self._after, per_link), here)

    @property
    def beginnings(self) -> ByBeginning | None:
        """See `RowRule`; of a document that is not on this machine only."""
        is_before_all = not self._encoded and "".join(self._after) == ""
        if not is_before_all or not self._literal.startswith(_SURELY_HIERARCHICAL):
            return None
        of_class = not _PER_LINK.isdisjoint(self._before[1::2])
        return ByBeginning(self._of_beginning, of_class=of_class, metadata=self._metadata)

    def _of_beginning(
        self, beginning: str, element: str, attribute: str | None, kind: str, rel: str | None, as_: str | None
    ) -> NewBeginning | None:
        unless = self._literal.removeprefix(beginning)
        if beginning == "":  # neither http nor https
            return NewBeginning(None, tuple(f"{scheme}:" for scheme in sorted(self._schemes)))
        if unless == "" or beginning.startswith(self._literal):
            return None
        if beginning.partition(":")[0] not in self._schemes:
            return NewBeginning(None)
        named, extension = modifier_of_class(element, attribute, kind, rel, as_), ""
        if named is None and "modifier" in self._before[1::2]:
            if attribute == "href":
                return None
            named, extension = EMBEDDED, SHEET_EXTENSION
        before = self._before_of.get((kind, named))
        if before is None:
            per_link = {"kind": kind, "modifier": named or ""}
            before = self._before_of[kind, named] = self._side(self._before, per_link)
        return NewBeginning(before + beginning, () if unless == self._literal else (unless,), False, extension)

    def _filled_template(self, before: str, after: str, link: Link) -> str | None:
        """The target in the template, or the absolute target; None if the reference stays.

        Only `http` and `https` targets are put into it, unless other schemes are given: references to others stay as
        they are written, as do relative references in a document with another scheme.
        """
        reference, target, base = link[:3]
        assert target is not None
        if self._begins(reference):
            return None
        if base.local and is_file_uri(target):
            if not self._file_urls:
                return None
        elif target.partition(":")[0].lower() not in self._schemes:
            return None
        is_hierarchical_here = target.startswith(_SURELY_HIERARCHICAL) or has_hierarchy(split(target))
        if not is_hierarchical_here or self._begins(target):
            return None if is_absolute(reference, target, base) else target
        document, mark, fragment = target.partition("#")
        return f"{before}{quote(document, safe='') if self._encoded else document}{after}{mark}{fragment}"

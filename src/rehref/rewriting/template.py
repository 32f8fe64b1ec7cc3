"""The rule that puts targets into a template, for replay."""

from __future__ import annotations

import re

from rehref.base import Base, clean
from rehref.documents.link import Link
from rehref.rewriting.browsers import settled
from rehref.rewriting.rules import (
    is_absolute,
    is_base_element,
    is_below_json_ld_base,
    is_hierarchical,
    is_out_of_reach,
    is_same_document_as_written,
)
from rehref.uri.components import split
from rehref.uri.same_document import is_current_document

_SURELY_HIERARCHICAL = ("https://", "http://")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Template:
    """Put every target into a template, as replay servers want it: `https://replay.example/{timestamp}/{uri}`.

    `{uri}` is the target, with its fragment moved to the end of the whole. The other names are given as keyword
    arguments. A target that has the template's beginning already stays. A `base` element's `href` is put into the
    template too, so that what scripts resolve against it leads to the same place. `metadata`: as with `Absolute`; so
    that is no name for a value.
    Raises ValueError if `{uri}` is missing or a name has no value.
    """

    __slots__ = ("_after", "_before", "_metadata")

    careful = True

    def __init__(self, template: str, /, *, metadata: bool = False, **values: str) -> None:
        self._metadata = metadata
        names = _PLACEHOLDER.findall(template)
        if names.count("uri") != 1:
            raise ValueError(f"the template {template!r} must name {{uri}} once")
        for name in names:
            if name != "uri" and name not in values:
                raise ValueError(f"the template {template!r} names {{{name}}}, which has no value")
        filled = _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)
        self._before, _, self._after = filled.partition("{uri}")

    def __call__(self, link: Link) -> str | None:
        """What the link's reference becomes; None if it stays."""
        if is_out_of_reach(link, metadata=self._metadata):
            return None
        if is_same_document_as_written(link) and not is_below_json_ld_base(link):
            return None
        here = settled(link, base_goes=not is_base_element(link))
        if here is None:
            return None
        assert here.target is not None
        return self._put(here.reference, here.target, here.base)

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """See `PlainRule`."""
        if target is None or (same_document and is_current_document(clean(reference))):
            return None
        return self._put(reference, target, base)

    def _put(self, reference: str, target: str, base: Base) -> str | None:
        """The target in the template; or in full, where that makes no sense."""
        before = self._before
        if (before and (target.startswith(before) or reference.startswith(before))) or not (
            target.startswith(_SURELY_HIERARCHICAL) or is_hierarchical(split(target))
        ):
            return None if is_absolute(reference, target, base) else target
        document, mark, fragment = target.partition("#")
        return f"{before}{document}{self._after}{mark}{fragment}"

"""The references in JSON-LD: the text of `<script type="application/ld+json">`.

JSON-LD 1.1 (syntax; and API §4.1 contexts, §5.2 IRI expansion), schema.org. The content of other contexts is not known
here; contexts of terms (scoped contexts) and `@propagate` are ignored. A text that is not JSON has no references:
processors fail on it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from rehref.text import json_text
from rehref.text.json_text import Array, Object, String, Value, read
from rehref.uri.components import split
from rehref.uri.syntaxes import Kind, Occurrence

# Properties whose values are, by schema.org, URLs or else things, never text, so that a string there is a URL. This
# excludes properties where authors write the name of the thing instead (`colleague`, `season`), and `target`, where
# they write URI templates.
_URLS_OR_THINGS = """
    acquireLicensePage actionableFeedbackPolicy archivedAt benefitsSummaryUrl codeRepository colorSwatch contentUrl
    correctionsPolicy discussionUrl diseasePreventionInfo diseaseSpreadStatistics diversityPolicy
    diversityStaffingReport documentation downloadUrl embedUrl ethicsPolicy gettingTestedInfo hasGS1DigitalLink hasMap
    healthPlanMarketingUrl image installUrl isBasedOn isBasedOnUrl isPartOf labelDetails layoutImage license logo
    mainEntityOfPage map maps masthead merchantReturnLink missionCoveragePrioritiesPolicy newsUpdatesAndGuidelines
    noBylinesPolicy originalMediaLink paymentUrl prescribingInfo productReturnLink publicTransportClosuresInfo
    publishingPrinciples quarantineGuidelines relatedLink replyToUrl sameAs schoolClosuresInfo screenshot sdLicense
    serviceUrl shippingSettingsLink significantLink significantLinks targetUrl thumbnailUrl tourBookingPage
    trackingUrl travelBans unnamedSourcesPolicy url usageInfo verificationFactCheckingPolicy webFeed
"""
# Properties to which schema.org gives text or things, and authors give URLs.
_URLS_IN_USE = "hasMenu item menu photo photos primaryImageOfPage thumbnail"

SCHEMA_URLS = frozenset(f"{_URLS_OR_THINGS} {_URLS_IN_USE}".split())
"""The properties of schema.org whose values, if strings of one word, are references."""

_Role: TypeAlias = Literal["iri", "url", "json", "plain"]
"""The kind of a string: a reference by JSON-LD (`@id`, or what a context makes one), a reference by schema.org, in a
JSON literal (an object or list as `@value`, a term of `@type: @json`), or else (`@type`, `@vocab`, text)."""

_NO_REFERENCE = ("plain", "json")
_SCHEMA = re.compile(r"\A(?:schema:|https?://schema\.org/)")
_KEYWORD = re.compile(r"@[A-Za-z]+")
_DEEPEST = 32
"""Contexts with terms or bases of their own that nest deeper are not followed: nothing in them is found."""


class _Scope(NamedTuple):
    """The active context, as far as it is known."""

    bases: tuple[str, ...] | None
    """Like `Occurrence.bases`; None below `@base: null`."""
    terms: tuple[dict[str, _Role | None], ...]
    """What terms say of their values, None for a name that is not a term; context by context, nearest first."""

    def term(self, name: str) -> _Role | None:
        return next((terms[name] for terms in self.terms if name in terms), None)


_DOCUMENT = _Scope((), ())


def find_json_ld(value: str) -> list[Occurrence]:
    """The references of JSON-LD, in order; each with its own `kind` and `bases`.

    The strings of `@id`, and of terms that are aliases of it or have `@type: @id`, are `metadata`: they name things,
    whether or not anything can be retrieved there, and nothing is fetched for them. Others are strings, alone or in
    lists, of the properties in `SCHEMA_URLS`, also written with `schema:` or in full. Of members of the same name the
    last counts.
    """
    found: list[Occurrence] = []
    root = read(value)
    todo: list[tuple[Value, _Scope, _Role]] = [] if root is None else [(root, _DOCUMENT, "plain")]
    while todo:
        node, scope, role = todo.pop()
        if isinstance(node, Object) and role != "json":
            counting = node.members
            context = counting.pop("@context", None)
            inside = scope if context is None else _entered(found, scope, context)
            if inside is None:
                continue
            for name, item in counting.items():
                if isinstance(item, str) or (isinstance(item, String) and not inside.terms and _is_plain(name)):
                    continue  # most are such strings
                below = _role(name, item, inside, role)
                if below not in _NO_REFERENCE or not isinstance(item, String):
                    todo.append((item, inside, below))
        elif isinstance(node, Array) and role != "json":
            todo += [(item, scope, role) for item in node.items]
        elif isinstance(node, String) and role not in _NO_REFERENCE and _is_reference(node.text, scope, role):
            found.append(_occurrence_of(node, "metadata", scope.bases, fetched=role == "url"))
    return sorted(found, key=lambda reference: reference.start)


def write_json_ld(text: str, form: str) -> str:
    """Write `text` where `find_json_ld` found a reference: escaped as JSON, a space as `%20`, so that it is one word.

    A text that reading would not take for a reference is written as it is.
    """
    return json_text.write(text.replace(" ", "%20"), form)  # many consumers accept only one word as a reference


def _entered(found: list[Occurrence], scope: _Scope, context: Value) -> _Scope | None:
    """Add the references of a local context. Return the scope inside; None if that is too deep.

    A `@context` applies to the whole object that contains it, whatever its position, and to all objects inside. Its
    strings and `@import` name other contexts; `@context: null` resets to the document's base and no terms.
    """
    # JSON-LD 1.1 API §4.1, context processing
    bases, outside = scope
    terms: dict[str, _Role | None] = {}
    for local in context.items if isinstance(context, Array) else [context]:
        if isinstance(local, String):
            found.append(_occurrence_of(local, "namespace", ()))
        elif isinstance(local, Object):
            entries = local.members
            if isinstance(import_ := entries.get("@import"), String):
                found.append(_occurrence_of(import_, "namespace", ()))
            bases = _based(found, bases, entries.get("@base"))
            terms |= {name: _defined(definition) for name, definition in entries.items() if name[:1] != "@"}
        elif local == "null":
            bases, outside = _DOCUMENT
            terms = {}
        if bases is not None and len(bases) > _DEEPEST:
            return None
    if terms:
        outside = (terms, *outside)
    return _Scope(bases, outside) if len(outside) <= _DEEPEST else None


def _based(found: list[Occurrence], bases: tuple[str, ...] | None, base: Value | None) -> tuple[str, ...] | None:
    """Add an `@base`, which is relative to the outer one, if there is one. Return the bases inside.

    They are the ones in scope, nearest first, up to the first that is absolute. Below `@base: null` there is no base:
    relative references are not found.
    """
    if not isinstance(base, String):
        return None if base == "null" else bases
    is_absolute = _is_absolute(base.text)
    if bases is None and not is_absolute:
        return None
    found.append(_occurrence_of(base, "metadata", bases, fetched=False))
    return (base.text,) if is_absolute or bases is None else (base.text, *bases)


def _defined(definition: Value) -> _Role | None:
    """What a term definition says of the term's values; None if it says that this is not a term."""
    # JSON-LD 1.1 API §4.2, create term definition
    if not isinstance(definition, Object):
        return None if definition == "null" else "iri" if _means(definition, "@id") else "plain"
    entries = definition.members
    id_, type_ = entries.get("@id"), entries.get("@type")
    if id_ == "null":
        return None
    if _means(id_, "@id") or _means(type_, "@id"):
        return "iri"
    return "json" if _means(type_, "@json") else "plain"


def _means(value: Value | None, keyword: str) -> bool:
    return isinstance(value, String) and value.text == keyword


def _role(name: str, value: Value, scope: _Scope, outer: _Role) -> _Role:
    """What strings are in the value of a member; `outer` is what they are in the value that contains the object."""
    if name == "@id":
        return "iri"
    if name in ("@list", "@set"):
        return outer
    if name == "@value":
        return "url" if outer == "url" and isinstance(value, String) else "json"
    role = scope.term(name) if scope.terms else None
    if role in ("iri", "json"):
        return role
    return "url" if _is_schema_url(name) else "plain"


@lru_cache(maxsize=1024)
def _is_plain(name: str) -> bool:
    """Whether a string that is the value of a member of this name is not a reference, where there are no terms."""
    return name not in ("@id", "@list", "@set", "@value") and not _is_schema_url(name)


@lru_cache(maxsize=1024)
def _is_schema_url(name: str) -> bool:
    return _SCHEMA.sub("", name) in SCHEMA_URLS


def _is_reference(text: str, scope: _Scope, role: _Role) -> bool:
    """Whether a string is one. A blank node (`_:b`), a compact IRI whose prefix is a term in scope, and a text in the
    form of a keyword (`@x`) are not; nor, for schema.org, what is empty or has white space inside.
    """
    if (role == "url" and len(text.split()) != 1) or (text[:1] == "@" and _KEYWORD.fullmatch(text) is not None):
        return False
    prefix, colon, rest = text.partition(":")  # JSON-LD 1.1 API §5.2.2, IRI expansion, step 6
    if colon and rest[:2] != "//" and (prefix == "_" or scope.term(prefix) is not None):
        return False
    return scope.bases is not None or _is_absolute(text)


def _is_absolute(reference: str) -> bool:
    return split(reference).scheme is not None


def _occurrence_of(string: String, kind: Kind, bases: tuple[str, ...] | None, *, fetched: bool = True) -> Occurrence:
    return Occurrence(string.start, string.end, string.text, string.form, bases or (), kind=kind, fetched=fetched)

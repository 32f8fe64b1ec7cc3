"""Which URI a document's references are relative to, and why (RFC 3986 §5.1).

Four layers, tried from the inside outward: embedded in the content (§5.1.1), the encapsulating entity (§5.1.2), the
retrieval URI (§5.1.3), the default (§5.1.4). A layer may hold several candidates, nearest first. One that does not end
up as a URI with a scheme is rejected with a reason, and the next one is tried: the scheme is all that a base needs
(§5.2.1), `urn:x:y` is one, against which `#z` is `urn:x:y#z`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from rehref.text import WHITE_SPACE
from rehref.uri.components import SPECIAL_SCHEMES, Components, Violation, split
from rehref.uri.ordinary_references import NOWHERE, Prefixes, is_canonical, prefixes_of
from rehref.uri.resolver import Profile, is_current_document, parse_or_none, resolve
from rehref.uri.validation import Grammar, violations

Origin: TypeAlias = Literal["embedded", "entity", "retrieval", "default", "none"]
Scope: TypeAlias = Literal["document", "xml:base", "codebase", "@base"]
"""What a base is for: the document (or what a manifest says of it); the content of an element that has an `xml:base`;
the references of an element that has a `codebase`; those in JSON-LD below an `@base`."""

LONGEST_EMBEDDED = 2_000
LONGEST = 16_000
"""Characters of a base, with which every target begins: one that a document embeds has the first (or as many as the
base it is relative to), any other the second. RFC 9110 §4.1 asks for 8,000 at least; a path on a disk may have 4,096
bytes, all encoded."""
_SHOWN = 200
"""Characters of a rejected candidate that is too long to be kept with every link."""
_INNER = frozenset({"embedded", "entity"})
"""The layers whose candidates may be relative, to what the layers outside of them establish; others must be
absolute."""

_INNER_WHITE_SPACE = str.maketrans("", "", "\t\n\r")
# replaced by a character that a host may have
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# how nearly every base begins: as its authority a name or an IPv4 address, or nothing, and perhaps a port
_PLAIN = re.compile(r"(?:https?|file)://[A-Za-z0-9.\-]*+(?::[0-9]*+)?(?![^/?#])").match


ENCODING_UNDECLARED: Final = "encoding-undeclared"
_ALLOWED = "~"
"""A character that is allowed wherever letters outside ASCII are, and is in no scheme, port or address."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a link: a stable `code` for machines, a `message` for people.

    `target`: for `browser-differs`, where a browser goes; None if it goes nowhere.
    """

    code: str
    message: str
    target: str | None = None

    @property
    def is_of_encoding(self) -> bool:
        """Whether it only says that nothing declares the encoding, so that it is guessed."""
        return self.code == ENCODING_UNDECLARED

    @classmethod
    def of_grammar(cls, reference: str, profile: Profile, *, strict: bool = False) -> list[Problem]:
        """The faults of a reference by the grammar of a profile: `not-a-uri`, and with `strict` `non-ascii`."""
        return list(_of_grammar(reference, profile, strict=strict))


@cache
def _iri_characters() -> re.Pattern[str]:
    """The URL Standard's "URL code points" outside ASCII: neither controls nor surrogates nor noncharacters."""
    planes = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 17))
    return re.compile(f"[\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd{planes}]")


@lru_cache(maxsize=4096)  # the pages of a site have the same odd references, such as `#get(int, long)`
def _of_grammar(reference: str, profile: Profile, *, strict: bool) -> tuple[Problem, ...]:
    grammar: Grammar = "rfc2396" if profile == "rfc2396" else "rfc3986"
    first = None if reference.isascii() else _iri_characters().search(reference)
    as_iri = reference if first is None else _iri_characters().sub(_ALLOWED, reference)
    found = [_of_fault("not-a-uri", fault, reference) for fault in violations(as_iri, grammar)]
    if strict and first is not None:
        at = first.start()
        found += [_of_fault("non-ascii", each) for each in violations(reference, grammar) if each.position == at]
    return tuple(found)


def _of_fault(code: str, fault: Violation, reference: str = "") -> Problem:
    message = fault.message
    is_in_path = reference.startswith("\\", fault.position) and fault.component not in ("query", "fragment")
    if is_in_path and (split(reference).scheme or "http").lower() in SPECIAL_SCHEMES:
        message = f'"\\" is not allowed in the {fault.component}; browsers read it as "/", so write "/"'
    return Problem(code, f"{fault.component}, character {fault.position + 1}: {message} ({fault.rule})")


class Policy(Protocol):
    """What browsers enforce when a document embeds a base (`rehref.documents._bases.policies_on_bases`)."""

    def objection(self, uri: str) -> str:
        """Why a URI must not be the base, for people; "" if it may."""


class Candidate(NamedTuple):
    """A URI reference that may become the base, its layer, and where it is (for people).

    `local`: it is the `file:` URI of a file on this machine, which nobody gave. `scope`: the references it is the base
    of. `policy`: what browsers enforce for it; None: nothing.
    """

    reference: str
    origin: Origin
    where: str
    local: bool = False
    scope: Scope = "document"
    policy: Policy | None = None

    def alone(self, profile: Profile = "rfc3986") -> Base:
        """The base that it gives if there is nothing outside of it."""
        return establish((self,), profile)


class Rejected(NamedTuple):
    """A candidate that was rejected, and why."""

    reference: str
    origin: Origin
    where: str
    reason: str


class Base(NamedTuple):
    """An established base URI.

    `uri` is None where no layer gave one (`origin` is "none" then); it never has a fragment (§5.1). `where` says for
    people where it is: "<base href> at 5:3". `rejected`: the candidates that were tried before it. `local`: the URI is
    that of a file on this machine, or relative to that, and nobody gave it. `scope`: what it is the base of.
    """

    uri: str | None
    origin: Origin
    where: str
    rejected: tuple[Rejected, ...] = ()
    local: bool = False
    scope: Scope = "document"

    def as_dict(self) -> dict[str, Any]:
        """The base as plain values, as in `rehref links --format json`: `uri`, `origin`, `where`, `rejected`."""
        rejected = [each._asdict() for each in self.rejected]
        return {"uri": self.uri, "origin": self.origin, "where": self.where, "rejected": rejected}


NO_BASE = Base(None, "none", "no base")


class Layers(NamedTuple):
    """What is outside a document: the layers of §5.1.2 to §5.1.4.

    `saved`: where the document says itself that it came from (`rehref.files._saved_from`). `file`: its own
    `file:` URI. Each is its retrieval URI where none before it is known. `policies`: the Content Security Policies of
    its HTTP header.
    """

    entity: tuple[Candidate, ...] = ()
    retrieval: str | None = None
    default: str | None = None
    file: str | None = None
    saved: Candidate | None = None
    policies: tuple[str, ...] = ()

    def around(self, entity: Candidate, policies: tuple[str, ...]) -> Layers:
        """The layers of what an entity in a document with these layers holds; `policies`: of its HTTP header."""
        return Layers((entity, *self.entity), self.retrieval, self.default, self.file, self.saved, policies)

    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates of all three layers, nearest first."""
        found = list(self.entity)
        if self.retrieval is not None:
            found.append(Candidate(self.retrieval, "retrieval", "retrieval URI"))
        else:
            if self.saved is not None:
                found.append(self.saved)
            if self.file is not None:
                found.append(Candidate(self.file, "retrieval", "retrieval URI", local=True))
        if self.default is not None:
            found.append(Candidate(self.default, "default", "default base"))
        return tuple(found)

    def base(self, profile: Profile = "rfc3986") -> Base:
        """The base of a document in these layers that embeds none."""
        return establish(self.candidates(), profile)


def clean(reference: str) -> str:
    """A reference without its surrounding white space and without TAB, LF and CR anywhere, which do not count in a
    candidate.
    """
    reference = reference.strip(WHITE_SPACE)
    if "\n" in reference or "\t" in reference or "\r" in reference:  # nearly never
        return reference.translate(_INNER_WHITE_SPACE)
    return reference


def without_fragment(uri: str) -> str:
    """The URI up to its fragment."""
    return uri.partition("#")[0]


def establish(candidates: Sequence[Candidate], profile: Profile = "rfc3986") -> Base:
    """Establish the base from its candidates, nearest first (RFC 3986 §5.1). Raises nothing."""
    if candidates:
        found = plain_base(candidates[0])
        if found is None and len(candidates) > 1:
            found = _plain_within(candidates[0], candidates[1])
        if found is not None:
            return found
    base = NO_BASE
    inner: list[Candidate] = []
    for candidate in candidates:
        if candidate.origin not in _INNER or not _needs_outer(candidate, profile):
            found = _established(NO_BASE, candidate, profile, relative=False)
            if found.uri is not None:
                base = found
                break
        inner.append(candidate)
    # what was rejected or is relative, from the outside inward
    while inner:
        base = establish_within(base, inner.pop(), profile)
    return base


def plain_base(candidate: Candidate, outer: Base = NO_BASE, before: Prefixes = NOWHERE) -> Base | None:
    """The base that a candidate gives if that is canonical: all profiles read it alike, as nearly always. Else None.

    `outer`: the base outside of it, and `before` the texts that precede references there, if it is such a base, too.
    """
    reference, origin, where, local, scope, policy = candidate
    if policy is not None:
        return None
    uri = reference
    if before is not NOWHERE and origin in _INNER and reference[:1] != "?":  # RFC 2396 reads a query otherwise
        target = before.target(reference)
        if target is not None and target != reference:  # one that is its own target is not relative
            uri, local = target, local or outer.local
    is_plain = len(uri) <= LONGEST_EMBEDDED and is_canonical(uri)
    return Base(without_fragment(uri), origin, where, (), local, scope) if is_plain else None


@lru_cache(maxsize=16)
def _plain_within(candidate: Candidate, outer: Candidate) -> Base | None:
    """The same, where `outer` is the next candidate."""
    around = plain_base(outer)
    uri = None if around is None else around.uri
    return None if around is None or uri is None else plain_base(candidate, around, prefixes_of(uri, uri))


def establish_within(outer: Base, candidate: Candidate, profile: Profile = "rfc3986") -> Base:
    """The base that a candidate gives, where `outer` is the base outside of it. Raises nothing."""
    return _established(outer, candidate, profile, relative=_needs_outer(candidate, profile))


def _established(outer: Base, candidate: Candidate, profile: Profile, *, relative: bool) -> Base:
    """The same; `relative`: whether the candidate needs `outer`."""
    reference, origin, where, local, scope, policy = candidate
    given = clean(reference)
    is_inner = origin in _INNER
    uri, reason = _resolved((outer.uri or "") if relative else "", given, profile) if is_inner else (given, "")
    if uri is not None:
        reason = _objection(uri, profile) or _too_long(uri, candidate, outer)
        if reason == "" and policy is not None and profile == "whatwg":
            reason = policy.objection(uri)
        if reason == "":
            if profile == "whatwg":
                uri = parse_or_none(uri) or uri
            if relative:
                return Base(without_fragment(uri), origin, where, outer.rejected, local or outer.local, scope)
            return Base(without_fragment(uri), origin, where, (), local, scope)
    here = rejected_for(candidate, reason)
    return outer._replace(rejected=(here, *outer.rejected))


def rejected_for(candidate: Candidate, reason: str) -> Rejected:
    """A rejected candidate as it is kept: of a very long one only the beginning."""
    reference = candidate.reference
    shown = reference if len(reference) <= LONGEST_EMBEDDED else f"{reference[:_SHOWN]}…"
    return Rejected(shown, candidate.origin, candidate.where, reason)


def _too_long(uri: str, candidate: Candidate, outer: Base) -> str:
    """Why a base is too long; "" if it is not."""
    if len(uri) <= LONGEST_EMBEDDED:
        return ""
    is_embedded = candidate.origin == "embedded"
    most = max(LONGEST_EMBEDDED, len(outer.uri or "")) if is_embedded else LONGEST
    return too_long(LONGEST_EMBEDDED if is_embedded else LONGEST) if len(uri) > most else ""


def too_long(most: int) -> str:
    """The reason why a base of more than so many characters is rejected, for people."""
    return f"it has more than {most:,} characters"


def _needs_outer(candidate: Candidate, profile: Profile) -> bool:
    """Whether it is relative to what is outside: `http:x` is, in the lenient profiles."""
    if candidate.origin not in _INNER:
        return False
    parts = split(clean(candidate.reference))
    return parts.scheme is None or (profile in ("rfc3986-compat", "whatwg") and parts.authority is None)


def _resolved(outer: str, reference: str, profile: Profile) -> tuple[str | None, str]:
    """The URI that `reference` gives against `outer` ("" for none); or None, and the reason."""
    if outer == "" and split(reference).scheme is None:
        return None, "it is relative, and no layer outside of it gives a base"
    if profile == "whatwg":
        return parse_or_none(reference, outer or None), "the URL Standard's parser rejects it"
    if profile == "rfc2396" and is_current_document(reference):
        return outer, ""
    return resolve(outer, reference, profile, relative_base=True), ""


def _objection(uri: str, profile: Profile) -> str:
    """Why `uri` cannot be a base; "" if it can.

    `data:` and `javascript:` cannot in any profile (HTML Standard, "set the frozen base URL"), and in `whatwg` what a
    Content Security Policy forbids.
    """
    if profile in ("rfc3986", "rfc3986-compat") and _PLAIN(uri):
        return ""
    parts = split(uri)
    if parts.scheme is None:
        return "it is relative, and an absolute URI is needed here"
    if parts.scheme.lower() in ("data", "javascript"):
        return f"{parts.scheme.lower()}: is not allowed as a base (HTML Standard)"
    if profile == "whatwg":
        return "" if parse_or_none(uri) is not None else "the URL Standard's parser rejects it"
    return "" if parts.authority is None else _broken_authority(parts, profile)


def _broken_authority(parts: Components, profile: Profile) -> str:
    """How the authority of a URI breaks the grammar of the profile's RFC; "" if it does not.

    Letters outside ASCII are allowed, as in an IRI. In `whatwg` the URL Standard's parser decides instead.
    """
    alone = f"{parts.scheme}://{_NOT_ASCII.sub('~', parts.authority or '')}"
    broken = violations(alone, "rfc2396" if profile == "rfc2396" else "rfc3986")
    return f"it is not a URI: {broken[0].component}: {broken[0].message}" if broken else ""

"""References resolved against one base, with what is odd about them.

1. Nearly all references of a document are relative to the same base, and many of them are written more than once: what
   came of a text is remembered.
2. A reference of a scheme that has no hierarchy (`javascript:`, `data:`, `mailto:` …) is its own target, as written.
3. In the `rfc2396` profile `""` and `#x` mean the current document, whatever the base (RFC 2396 §4.2).
4. Most references are plain: a relative path, in no characters but those of a URI, against an ordinary base. There is
   nothing odd about them, and no need to look for it (`_PLAIN`).
5. Where many references are known beforehand, most are resolved at once (`learn`); what came of them is the same.
6. A reference leads to the document it stands in if the target is the document's own URI, fragments aside. (RFC 3986
   §4.4 has the base there instead.) Where no URI is known, it is so for `""` and `#x`, unless an embedded base says
   otherwise: they need no base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import compress, repeat
from typing import TypeAlias

from rehref.base import Base, Candidate, clean
from rehref.carriers.lists import WHITE
from rehref.documents.gluing import LEVELS, glue
from rehref.documents.link import Problem
from rehref.documents.problems import browser_base, encoding_undeclared, problems_of
from rehref.parsers.source.twin import Bases
from rehref.uri.components import split
from rehref.uri.resolver import Profile, Resolver
from rehref.uri.same_document import is_current_document
from rehref.uri.whatwg import Encode, ResolutionError, parse_or_none, resolve_or_none

# a relative path without a colon and, but at its beginning, without dots that might go up; a query, a fragment
_PLAIN = re.compile(
    r"(?!//)(?:\.\./|(?!))*+[A-Za-z0-9_~!$'()*+,;=@/\-]*+(?:\.[A-Za-z0-9_~!$'()*+,;=@/\-]++|(?!))*+"
    r"(?:\?[A-Za-z0-9_~!$&'()*+,;=:@/?.\-]*+(?:%[0-9A-Fa-f]{2}[A-Za-z0-9_~!$&'()*+,;=:@/?.\-]*+|(?!))*+)?"
    r"(?:#[A-Za-z0-9_~!$&'()*+,;=:@/?.\-]*+)?"
).fullmatch
# an absolute URI with a name for a host, and no port, that all agree about
_ABSOLUTE = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9]|-(?![\-.])|(?!))*+\.|(?!))++[a-z]++"
    r"(?:/(?:[A-Za-z0-9_~!$&'()*+,;=:@/.\-]|%(?!00|2[fF]|5[cC])[0-9A-Fa-f]{2}|(?!))*+)?"
    r"(?:\?(?:[A-Za-z0-9_~!$&'()*+,;=:@/?.\-]|%[0-9A-Fa-f]{2}|(?!))*+)?"
    r"(?:#[A-Za-z0-9_~!$&'()*+,;=:@/?.\-]*+)?"
).fullmatch
_END_OF_URI = ("", "#")

Resolved: TypeAlias = tuple["str | None", bool, tuple[Problem, ...]]
"""What came of a reference: its target, whether that is in this document, and what is odd about it."""


class Against(dict[str, "Resolved | None"]):
    """Resolves the references of a document against one base, and remembers what came of them.

    `own`: the document's own URI. `candidates`: what `base` was established from. `encode`: writes text in the
    document's encoding, if that matters (`rehref.uri.whatwg`). `guessed`: the encoding it is read in, if nothing says
    so, and it is not all ASCII.

    `strict`: characters outside ASCII are told.

    `against[value]` is what came of a value that is a reference as it stands; None for one that is not: empty, or with
    white space around it; `all_known` tells whether there was none such. `against(reference)` is what came of any
    reference.
    """

    __slots__ = (
        "_browser",
        "_directory",
        "_folders",
        "_guessed",
        "_own",
        "_plain",
        "_prefixes",
        "_profile",
        "_resolvers",
        "_strict",
        "_top",
        "all_known",
        "base",
        "encode",
    )

    def __init__(
        self,
        base: Base,
        own: str | None,
        candidates: Sequence[Candidate],
        profile: Profile,
        encode: Encode | None,
        guessed: str | None = None,
        *,
        strict: bool = False,
    ) -> None:
        """Prepare to resolve."""
        super().__init__()
        self.base = base
        self.all_known = True
        self._own = own
        self._profile = profile
        self.encode = encode
        self._strict = strict
        self._guessed = guessed
        self._browser = browser_base(base, candidates, encode)
        self._resolvers: dict[str, Resolver] = {}
        # resolves plain references (rule 4), if that is all there is to it; but not those that go up as far as `_top`
        self._plain: Resolver | None = None
        self._top = ""
        self._directory = ""
        self._prefixes: dict[str, str] = {}
        self._folders: list[str] = []
        if base.uri is not None and self._browser.alike and profile in ("rfc3986", "rfc3986-compat"):
            path = split(base.uri).path
            if "/." not in path:
                self._plain = self._resolver(base.uri)
                self._directory, self._prefixes = self._plain.prefixes()
                ups = path.count("/") or 1
                self._top = "../" * ups
                self._folders = [self._directory, *(self._plain("../" * up) for up in range(1, min(ups, LEVELS)))]

    def twins(self) -> Bases | None:
        """What the compiled twin resolves ordinary references with; None if it cannot: the base is not ordinary."""
        if self._plain is None:
            return None
        own, document = self._own, self._prefixes["#"]
        prefixes = self._prefixes
        scheme, *_ = document.partition("//")
        bases = Bases(
            tuple(self._folders),
            document if document == own else None,
            prefixes["?"],
            prefixes["/"],
            scheme if scheme in ("http:", "https:") else None,
            own,
        )
        return bases if all(map(str.isascii, (*bases.folders, document, bases.query, bases.root, own or ""))) else None

    def learn(self, values: Iterable[str]) -> None:
        """Resolve those of these values that take no more than `glue`, all at once (rule 5)."""
        texts, targets, same = self.glued(values)
        self.update(zip(texts, zip(targets, same, repeat(()), strict=False), strict=True))

    def glued(self, values: Iterable[str]) -> tuple[Sequence[str], Sequence[str], Sequence[bool]]:
        """Those of these values that take no more than `glue`; for each its target, and whether that is this document.

        Nothing is odd about them.
        """
        if self._plain is None:
            return (), (), ()
        own = self._own
        document = self._prefixes["#"]
        texts, targets = glue(values, self._folders, document if document == own else None)
        if own is None:
            return texts, targets, [False] * len(texts)
        same = list(map(str.startswith, targets, repeat(own)))
        inside = own + "#"
        long = len(inside)
        # the document itself, or a longer name: the long way tells
        unsure = {text for text, target in compress(zip(texts, targets, strict=True), same) if target[:long] != inside}
        if unsure:
            sure = [text not in unsure for text in texts]
            return list(compress(texts, sure)), list(compress(targets, sure)), list(compress(same, sure))
        return texts, targets, same

    def __missing__(self, value: str) -> Resolved | None:
        """Resolve a value that has not been asked for."""
        plain, own = self._plain, self._own
        target: str | None = None
        if plain is not None:
            if _PLAIN(value):
                first = value[:1]
                if first == "." or first == "" or "/." in value:
                    target = None if value.startswith(self._top) else plain(value)
                else:
                    target = self._prefixes.get(first, self._directory) + value
            elif _ABSOLUTE(value) and "/." not in value:
                target = value
        if target is not None:
            if own is None or not target.startswith(own):
                if value[:1] not in _END_OF_URI:
                    known = self[value] = (target, False, ())
                    return known
            elif value and target[len(own) : len(own) + 1] in _END_OF_URI:
                known = self[value] = (target, True, ())
                return known
        if value == "" or value[0] in WHITE or value[-1] in WHITE:
            self[value] = None
            self.all_known = False
            return None
        found = self[value] = self.resolve(value)
        return found

    def __call__(self, reference: str) -> Resolved:
        """Resolve one reference, or remember what came of it. Raises nothing."""
        known = self[reference]
        return self.resolve(reference) if known is None else known

    def in_browsers(self, reference: str) -> str | None:
        """Where a browser goes (URL Standard, "basic URL parser"); None: nowhere."""
        against = self._browser.uri
        cleaned = clean(reference)
        return parse_or_none(cleaned) if against is None else resolve_or_none(against, cleaned, self.encode)

    def resolve(self, reference: str) -> Resolved:
        """Resolve one reference (RFC 3986 §5.2). Raises nothing."""
        cleaned = clean(reference)
        target, resolvable = self._target(cleaned)
        same = self._is_own(target, cleaned)
        problems = problems_of(
            reference,
            cleaned,
            target,
            self._profile,
            self.base.uri,
            self._browser,
            resolvable=resolvable,
            strict=self._strict,
        )
        if self.base.origin == "embedded" and not same and is_current_document(cleaned):
            message = f"the base, {self.base.where}, makes this leave the document"
            problems += (Problem("leaves-document", message),)
        if self._guessed is not None and not reference.isascii():
            problems += (encoding_undeclared(self._guessed),)
        return target, same, problems

    def _target(self, cleaned: str) -> tuple[str | None, bool]:
        """The target of a cleaned reference, and whether there was something to resolve it against."""
        uri = self.base.uri
        if ":" in cleaned:
            parts = split(cleaned)
            if parts.scheme is not None:
                if parts.authority is None and parts.path[:1] != "/" and self._keeps(parts.scheme, uri):
                    return cleaned, True
                if uri is None:
                    uri = cleaned
        if uri is None:
            return None, False
        try:
            target = self._resolver(uri)(cleaned)
        except ResolutionError:
            return None, True
        if self._profile == "rfc2396" and is_current_document(cleaned) and self._own is not None:
            target = self._own + cleaned
        return target, True

    def _keeps(self, scheme: str, base: str | None) -> bool:
        """Whether a reference with this scheme and a rootless path means just itself (rule 2)."""
        if self._profile == "whatwg":
            return False
        if self._profile == "rfc3986-compat" and base is not None:
            return (split(base).scheme or "").lower() != scheme.lower()
        return True

    def _resolver(self, base: str) -> Resolver:
        resolver = self._resolvers.get(base)
        if resolver is None:
            resolver = Resolver(base, self._profile, self.encode)
            if base == self.base.uri:
                self._resolvers[base] = resolver
        return resolver

    def _is_own(self, target: str | None, cleaned: str) -> bool:
        """Whether the target is this document (rule 6)."""
        own = self._own
        if own is None or target is None:
            return is_current_document(cleaned) and self.base.origin != "embedded"
        return target.startswith(own) and target[len(own) : len(own) + 1] in ("", "#")

"""The rule for documents that are opened without the network: references to saved resources lead to the saved files.

Such a reference becomes a path from the document's own file to the saved one, followed by the target's fragment; other
relative references become absolute, as with `Absolute`. Browsers read offline documents: a reference that they read
differently means what they read. Metadata, if requested, becomes absolute: it names things on the web. For a document
that is not saved anywhere all references become absolute, since nothing can be relative to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Final, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import quote, unquote_to_bytes

from rehref.documents.base import Base, clean, without_fragment
from rehref.documents.link import Link
from rehref.exceptions import OptionError, ResolutionError, refuse_no_flags
from rehref.files.file_documents import encode_path
from rehref.rewriting.built_in_rules import refuse_other_rules
from rehref.rewriting.link_properties import (
    full,
    is_base_element,
    is_of_codebase,
    is_out_of_reach,
    is_same_document_as_written,
    is_usual,
    means_nothing_elsewhere,
    settled,
)
from rehref.rewriting.rule import (
    DROP,
    Attributes,
    DocumentRule,
    Drop,
    RowRule,
    Rule,
    optional_members,
    rule_for,
)
from rehref.uri.components import split, unsplit
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import Profile, Resolver, parse_or_none

Find: TypeAlias = Callable[[str], "str | None"]
"""Returns the path of the saved URI below the output folder, with slashes; None if not saved. The URI is normalized."""
Removal: TypeAlias = Literal["empty", "drop"]

ATTRIBUTES: Final = ("integrity", "crossorigin", "meta@http-equiv")
"""The attributes that a document must report besides its references (`rehref.links`): they restrict loading."""

_REFERENCES = ("src", "href", "xlink:href")
_NEVER_SAVED = ("data:", "javascript:", "about:", "mailto:", "tel:")
# RFC 3986 §2.2, §2.3, and "%", which starts an escape
_URI_CHARACTERS = ":/?#[]@!$&'()*+,;=-._~%"
_OTHER_CHARACTERS = re.compile(f"[^A-Za-z0-9{re.escape(_URI_CHARACTERS)}]").search


@dataclass(frozen=True, slots=True)
class Offline:
    """Make references to saved resources lead to the saved files, and all others absolute, like `wget -k`.

    `files`: for each saved URI its path below the output folder, with slashes; or a function that returns the path for
    a normalized URI without fragment, or None, and may have what `SavedFiles` names.
    `at`: the path of the document itself; by default what `files` has for its own URI. `base_element`: the `href` of a
    `base` becomes `empty`, or is removed (`drop`). `metadata`: as with `Absolute`. `first`: a rule that is called
    before; its result is then looked up like a written reference. `only_saved`: attributes (`*@data-src`) whose
    references stay unless they lead to saved files.
    Raises ValueError for a path that leaves the folder, TypeError for a value of another type.
    """

    files: AbstractMapping[str, str] | Find
    at: str | None = None
    base_element: Removal = "empty"
    metadata: bool = False
    first: Rule | DocumentRule | None = None
    only_saved: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        refuse_no_flags(metadata=self.metadata)
        if self.first is not None:
            refuse_other_rules(self.first)
        if self.base_element not in get_args(Removal):
            raise OptionError.of(
                f"unknown base_element {self.base_element!r}; choose from {', '.join(get_args(Removal))}"
            )
        if self.at is not None:
            _check(self.at)
        if isinstance(self.files, AbstractMapping):
            object.__setattr__(self, "files", SavedUris(self.files))
        elif not callable(self.files):
            raise TypeError(f"files are a table or a function, not {type(self.files).__name__}")

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for one document."""
        return RowRule(_ForDocument(self, own, base, profile).write, is_careful=False, for_each=self.first is not None)

    def in_file(self, path: str) -> Offline:
        """Return the rule for the document at a path."""
        return replace(self, at=path)

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference as for a document whose own URI is the base, since no document is known."""
        return self.for_document(link.base, link.base, "rfc3986")(link)


class SavedFiles(NamedTuple):
    """What a function that finds saved files may say of them.

    `has`: whether something is saved at a path. `converted`: the paths of documents that were rewritten already.
    `queries`: whether a query matters: not if no file name has one. `fragment`: returns the fragment that a redirect
    from a URI gives, None if it gives none; it takes precedence over that of the reference (Fetch Standard, "location
    URL").
    """

    has: Callable[[str], bool] | None = None
    converted: Collection[str] = ()
    queries: bool = True
    fragment: Callable[[str], str | None] | None = None


class SavedUris:
    """A table of saved URIs, which is called with normalized ones."""

    __slots__ = ("_paths", "_saved")

    def __init__(self, files: AbstractMapping[str, str]) -> None:
        """Read the table. Of URIs that are equal when normalized the first counts. Raises ValueError, see `Offline`."""
        self._paths: dict[str, str] = {}
        for uri, path in files.items():
            if not isinstance(uri, str):
                raise TypeError(f"a saved URI is a str, not {type(uri).__name__}")
            _check(path)
            self._paths.setdefault(comparable(uri), path)
        self._saved = frozenset(self._paths.values())

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same URIs at the same paths."""
        return self._paths == other._paths if isinstance(other, SavedUris) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._paths.items()))

    def __repr__(self) -> str:
        return repr(self._paths)

    def __call__(self, uri: str) -> str | None:
        """Return the path that a URI is saved at."""
        return self._paths.get(uri)

    def has(self, path: str) -> bool:
        """Return whether something is saved at the path."""
        return path in self._saved


def _check(path: str) -> None:
    if not isinstance(path, str):
        raise TypeError(f"a path is a str, not {type(path).__name__}")
    if path.startswith("/") or any(segment in ("", ".", "..") for segment in path.split("/")):
        raise OptionError.of(f"{path!r} is not a path below a folder")


def comparable(uri: str) -> str:
    """A URI in the form in which it is compared: without its fragment and normalized (`comparison_key`).

    Characters that a URI cannot have are percent-encoded (RFC 3987 §3.1).
    """
    return _remembered(uri) if len(uri) < _LONG else _comparable(uri)


def _comparable(uri: str) -> str:
    key = comparison_key(without_fragment(uri))
    return quote(key, safe=_URI_CHARACTERS, errors="replace") if _OTHER_CHARACTERS(key) else key


_LONG = 1000
_remembered = lru_cache(maxsize=1 << 13)(_comparable)  # pages of a site lead to the same ones


def in_other_web_scheme(uri: str) -> str:
    """Return the `https` URI for an `http` one, and the other way round; any other URI unchanged."""
    if uri.startswith("https:"):
        return f"http{uri[5:]}"
    return f"https{uri[4:]}" if uri.startswith("http:") else uri


class _ForDocument:
    """The rule for a document that is saved at `at`, and whose own URI is `own`.

    The `href` of a `base` becomes empty, as with `wget -k`, or is dropped, since local references must not be relative
    to another place. So does `xml:base`. References that were relative to them are written again; those relative to a
    `codebase` become absolute, since other attributes stay relative to that.
    """

    def __init__(self, whole: Offline, own: Base, base: Base, profile: Profile) -> None:
        find: Find = whole.files  # type: ignore[assignment]  # a table has become a function
        self.whole = whole
        self.find = find
        self.own = own.uri
        self.at = find(comparable(own.uri)) if whole.at is None and own.uri is not None else whole.at
        saved = optional_members(SavedFiles, find)
        self.has = saved.has
        self.fragment = saved.fragment
        self.converted = self.at in saved.converted
        self.queries_are_idle = self.converted or not saved.queries
        self.first = None if whole.first is None else rule_for(whole.first, own, base, profile)
        self.profile: Profile = profile

    def write(self, link: Link, attributes: Attributes) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        if is_base_element(link):
            return DROP if self.whole.base_element == "drop" else ""
        if is_restricting(link.element, link.attribute):
            return DROP if self._restricts_loading(link, attributes) else None
        is_only_if_saved = self._is_only_if_saved(link.element, link.attribute)
        if self.first is None and is_usual(link) and link.kind != "text" and not is_only_if_saved:
            return self._plain(link)
        first = None if self.first is None else self.first(link)
        if first is None or isinstance(first, Drop):
            return self._offline(link) if first is None else first
        new = self._offline(self._written(first, link))
        return first if new is None else new

    def _written(self, reference: str, link: Link) -> Link:
        """Return the link as if another reference were written."""
        base = link.base.uri
        try:
            target = reference if base is None else _resolver(base, self.profile)(clean(reference))
        except ResolutionError:
            target = reference
        return link._replace(reference=reference, target=target, same_document=False, problems=())

    def _offline(self, link: Link) -> str | None:
        if link.kind == "text" or is_out_of_reach(link, metadata=self.whole.metadata):
            return None
        here = settled(link, base_goes=True)
        if here is None or here.target is None:
            return None
        if here.kind == "metadata":
            return _in_full(here.reference, _with_slashes(here.target), here.base)
        path = self._path(here.reference, _with_slashes(here.target), here.base)
        if path is None and self._is_only_if_saved(here.element, here.attribute):
            return None
        return self._plain(here)

    def _is_only_if_saved(self, element: str, attribute: str | None) -> bool:
        return is_one_of(element, attribute, self.whole.only_saved)

    def _plain(self, link: Link) -> str | None:
        reference, target, base = link[:3]
        if target is None:
            return None
        target = _with_slashes(target)
        if is_of_codebase(base):
            return _in_full(reference, target, base)
        if is_same_document_as_written(link):
            return None
        if target[:16].lower().startswith(_NEVER_SAVED):
            return None
        path = self._path(reference, target, base)
        if path is None or self.at is None:
            return _in_full(reference, target, base)
        _, mark, fragment = target.partition("#")
        given = None if self.fragment is None else self.fragment(comparable(target))
        if given is not None:
            return f"{relative_path(self.at, path)}#{given}"
        new = relative_path(self.at, path) + mark + fragment
        return None if new == reference or self._path_of_reference(reference) == path else new

    def _path(self, reference: str, target: str | None, base: Base) -> str | None:
        """The path that a target is saved at, or that the reference leads to as it is written.

        A reference whose target is not saved, but that leads to a saved file as it is written, stays: the tool that
        saved the document has rewritten it already. In a document that is known to be rewritten (`converted`) it stays
        even if its target is saved elsewhere, and whatever its query, which means nothing on a disk. (Not if the
        document has another base.)
        """
        if self.at is None or target is None:
            return None
        led = self._saved_path(self._path_of_reference(reference)) if base.uri == self.own else None
        found = led if led is not None and self.converted else self.find(comparable(target)) or led
        return found or (self._saved_path(self._named_with_query(reference)) if base.uri == self.own else None)

    def _saved_path(self, path: str | None) -> str | None:
        """Return a path if something is known to be saved there."""
        return path if path is not None and self.has is not None and self.has(path) else None

    def _path_of_reference(self, reference: str) -> str | None:
        """Return the path that the reference leads to as it is written."""
        reference = clean(reference)
        if self.queries_are_idle:  # queries mean nothing on a disk
            reference = unsplit(split(reference)._replace(query=None))
        return reached(reference, self.at or "")

    def _named_with_query(self, reference: str) -> str | None:
        """The path that the reference leads to if its query is part of the file's name, as `wget -k` leaves it without
        `-E`.

        It is written so that browsers find the file (`s.css%3Fv=2`), if nothing else is saved.
        """
        parts = split(clean(reference))
        if parts.query is None:
            return None
        name = f"{parts.path}%3F{parts.query.replace('/', '%252F')}"
        return reached(unsplit(parts._replace(path=name, query=None)), self.at or "")

    def _restricts_loading(self, link: Link, attributes: Attributes) -> bool:
        """Whether such an attribute keeps something from being loaded; then it is removed.

        For a page on a disk every file has another origin, and none is shared with it (CORS), so even a file with the
        right `integrity` is refused: that and `crossorigin` go if the reference of their element leads to a saved file,
        or if the element has no reference, since its children may have one (`video`). A `Content-Security-Policy` in a
        `meta` names hosts on the web: its `http-equiv` goes, which disables it.
        """
        if link.attribute == "http-equiv":
            return link.reference.strip().lower() == "content-security-policy"
        known = attributes()
        own = next((known[name] for name in _REFERENCES if name in known), None)
        if own is None:
            return True
        written = self._written(own, link)
        return self._path(written.reference, written.target, written.base) is not None


def is_restricting(element: str, attribute: str | None) -> bool:
    """Return whether this attribute of an element is one of `ATTRIBUTES`, and not a reference."""
    return attribute in ("integrity", "crossorigin") or (element, attribute) == ("meta", "http-equiv")


def is_one_of(element: str, attribute: str | None, attributes: frozenset[str]) -> bool:
    """Return whether an attribute of an element is one of these (`*@data-src`)."""
    return not attributes.isdisjoint((f"*@{attribute}", f"{element}@{attribute}"))


@lru_cache(maxsize=16)  # most links of a document have the same base
def _resolver(base: str, profile: Profile) -> Resolver:
    return Resolver(base, profile)


def _in_full(reference: str, target: str, base: Base) -> str | None:
    """The target, unless the reference is absolute, or it means nothing in another place.

    That is a `file:` URI, which means something on one machine only, and one that means something in its container only
    (`thismessage:/x`).
    """
    return None if means_nothing_elsewhere(target) else full(reference, target, base)


def _with_slashes(target: str) -> str:
    """Return the target with backslashes written as browsers read them; not for looking up files."""
    return ("\\" in target and parse_or_none(target)) or target


def relative_path(own: str, path: str) -> str:
    """A reference from the file `own` to the file `path`, both below the same folder.

    Names are percent-encoded (RFC 3986 §2.1): `page.php?id=1` is written `page.php%3Fid=1`, and `a:b` as `./a:b`
    (§4.2).
    """
    return _from_folder(own.rpartition("/")[0], path)


@lru_cache(maxsize=1 << 13)  # pages of a folder refer to the same files
def _from_folder(folder: str, path: str) -> str:
    here, there = folder.split("/") if folder else [], path.split("/")
    common = sum(1 for _ in takewhile(lambda names: names[0] == names[1], zip(here, there[:-1], strict=False)))
    relative = "../" * (len(here) - common) + encode_path("/".join(there[common:]))
    # §4.2: it would look like a scheme
    return f"./{relative}" if ":" in relative.partition("/")[0] else relative


def reached(reference: str, own: str) -> str | None:
    """Return the path to which a reference in the file `own`, as written, leads a browser; None if there is none."""
    parts = split(reference)
    if parts.scheme is not None or parts.authority is not None or parts.query is not None:
        return None
    if parts.path[:1] in ("", "/") or "\\" in parts.path:
        return None
    segments = own.split("/")[:-1]
    for segment in parts.path.split("/"):
        if segment == "..":
            if not segments:
                return None
            segments.pop()
        elif segment != ".":
            decoded = unquote_to_bytes(segment)
            if decoded in (b"", b".", b"..") or b"/" in decoded:
                return None
            segments.append(os.fsdecode(decoded))
    return "/".join(segments)

r"""Web app manifests: the references in them (W3C Web Application Manifest; `application/manifest+json`).

1. A reference is a string under one of the members in `_MEMBERS`, in an object of the array that the path names, where
   it names one. All are relative to the manifest's own URI ("processing a manifest"), but for `id`.
2. `id` is relative to the origin of `start_url`; it names the application and leads nowhere: its kind is `metadata`.
3. An empty reference is none: an empty `start_url` means the page that refers to the manifest, an empty `src` nothing.
4. A text that is not JSON has no references. Of members of the same name the last counts.
5. What is written is escaped for JSON, and a character that the encoding lacks is too (`\u00e9`).
6. Many things are called `manifest.json`. One is taken for a web app manifest if it is an object with a string under
   `start_url` or `scope`, or an array of objects under `icons`, `screenshots` or `shortcuts`.
7. Nothing is fetched for a `scope`, with which others are compared; for a template of a protocol handler with `%s`
   anywhere but in the query, as nobody knows what is filled in; and for the `action` of a share target that is POSTed
   to, which a service worker has to answer. Their form says so (`rehref.carriers.kinds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rehref.base import Candidate, Layers, establish
from rehref.carriers import json_text
from rehref.carriers.json_text import Array, Object, String, Value
from rehref.carriers.kinds import Kind, not_fetched
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.document import Document, Reference, at, document_without_bases
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.contract import Edit
from rehref.parsers.without_markup import PlainParsed
from rehref.text.source import Source

# each name leads into an object; into the objects of an array if that is what it holds
_MEMBERS: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (("start_url",), "hyperlink"),
    (("scope",), "hyperlink"),
    (("id",), "metadata"),
    (("icons", "src"), "resource"),
    (("screenshots", "src"), "resource"),
    (("shortcuts", "url"), "hyperlink"),
    (("shortcuts", "icons", "src"), "resource"),
    (("related_applications", "url"), "hyperlink"),
    (("protocol_handlers", "url"), "hyperlink"),
    (("file_handlers", "action"), "hyperlink"),
    (("file_handlers", "icons", "src"), "resource"),
    (("share_target", "action"), "form"),
    (("serviceworker", "src"), "resource"),
)
_FILLED_IN = "%s"
_TELLING_STRINGS = ("start_url", "scope")
_TELLING_ARRAYS = ("icons", "screenshots", "shortcuts")


def is_manifest(text: str) -> bool:
    """Whether a text that may be any JSON, or none, is taken for a manifest (rule 6). Takes linear time."""
    root = json_text.read(text)
    if not isinstance(root, Object):
        return False
    found = json_text.members(root)
    if any(isinstance(found.get(name), String) for name in _TELLING_STRINGS):
        return True
    arrays = [value for name in _TELLING_ARRAYS if isinstance(value := found.get(name), Array)]
    return any(isinstance(item, Object) for array in arrays for item in array.items)


def find(document: Document, number: int) -> Sequence[Reference]:
    """The references of a manifest, in order (rules 1 to 3)."""
    root = json_text.read(document.parsed.places[number].value)
    if not isinstance(root, Object):
        return ()
    references = []
    for path, kind in _MEMBERS:
        for holder, string in _strings(root, path):
            if string.text != "":
                base = _base_of_id(document, root) if path == ("id",) else None
                form = string.form if _is_fetched(path, string.text, holder) else not_fetched(string.form)
                references.append(Reference(number, string.start, string.end, string.text, form, "json", kind, base))
    return sorted(references, key=lambda reference: reference.start)


def _strings(value: Value | None, path: Sequence[str]) -> Iterator[tuple[Object, String]]:
    """The strings at the end of a path of members, each with the object that it is in (rule 1)."""
    for item in value.items if isinstance(value, Array) else (value,):
        if isinstance(item, Object):
            member = json_text.members(item).get(path[0])
            if len(path) > 1:
                yield from _strings(member, path[1:])
            elif isinstance(member, String):
                yield item, member


def _is_fetched(path: Sequence[str], text: str, holder: Object) -> bool:
    """Whether something is fetched for a reference at the end of a path of members (rule 7)."""
    if path == ("protocol_handlers", "url"):
        before, _, fragment = text.partition("#")
        return _FILLED_IN not in before.partition("?")[0] + fragment
    if path == ("share_target", "action"):
        method = json_text.members(holder).get("method")
        return not (isinstance(method, String) and method.text.upper() == "POST")
    return path != ("scope",)


def _base_of_id(document: Document, root: Object) -> BoundResolver:
    """What `id` is relative to (rule 2)."""
    candidates = (Candidate("/", "embedded", "the origin of the manifest's URI"), *document.candidates)
    start_url = json_text.members(root).get("start_url")
    if isinstance(start_url, String) and start_url.text != "":
        where = f"start_url{at(document.parsed, 0, start_url.start)}"
        candidates = (
            Candidate("/", "embedded", f"the origin of {where}"),
            Candidate(start_url.text, "embedded", where),
            *document.candidates,
        )
    return document.relative_to(establish(candidates, document.how.profile), candidates)


def escape(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> list[Edit]:
    """Edits without characters that the encoding lacks (rule 5); see `rehref.parsers.without_markup.Escape`."""
    return [Edit(place, start, end, new if new is None else _held(new, holds)) for place, start, end, new in edits]


def _held(text: str, holds: Callable[[str], bool]) -> str:
    if holds(text):
        return text
    return "".join(char if holds(char) else json_text.write(char, "ascii") for char in text)


def read(source: Source, layers: Layers, how: ReadOptions = READ_OPTIONS) -> Document:
    """Read a web app manifest: find its references, establish its base. Raises nothing, whatever is in it."""
    return document_without_bases(PlainParsed(source, escape), find, layers, how)

"""Web app manifests: the references in them (W3C Web Application Manifest; `application/manifest+json`).

A reference is a string under one of the members in `_MEMBERS`. All are relative to the manifest's own URI ("processing
a manifest"), except `id`. An empty string is not one: an empty `start_url` means the page that refers to the manifest,
an empty `src` nothing. A text that is not JSON has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rehref.documents._bases.bound_resolver import BoundResolver
from rehref.documents._formats.format_contract import TextCarriers, escaping, text_format
from rehref.documents._formats.html_carriers import NOTHING, ODD, code_of
from rehref.documents.base import Candidate, establish
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.markup.places import at
from rehref.markup.twin_exchange import FoundSpans
from rehref.text import json_text
from rehref.text.encoding import Sniffed, sniff_css
from rehref.text.json_text import ITEMS, Array, Object, String, Value
from rehref.uri.syntaxes import PLACEHOLDER, Carrier, Kind, Occurrence

# W3C Web Application Manifest and its extensions; WICG, Manifest Incubations (note_taking), Tabbed Application Mode
# (tab_strip); Microsoft Edge, widgets. Each name leads into an object, or into the objects of an array.
_MEMBERS: Mapping[Kind, str] = {
    "hyperlink": (
        "start_url scope shortcuts/url related_applications/url protocol_handlers/url file_handlers/action "
        "shortcuts_localized/*/url note_taking/new_note_url tab_strip/new_tab_button/url"
    ),
    "metadata": "id",
    "resource": (
        "icons/src screenshots/src shortcuts/icons/src file_handlers/icons/src serviceworker/src "
        "icons_localized/*/src shortcuts/icons_localized/*/src shortcuts_localized/*/icons/src "
        "tab_strip/home_tab/icons/src widgets/icons/src widgets/screenshots/src widgets/ms_ac_template widgets/data"
    ),
    "form": "share_target/action",
}
_ANY_NAME = "*"
_HANDLER = "protocol_handlers/url"
_CODES = {
    path: ODD if path in ("id", _HANDLER) else code_of(Carrier("json", kind, "Web Application Manifest"), "", "")
    for kind, paths in _MEMBERS.items()
    for path in paths.split()
}
_INNER = {path[:at] for path in _CODES for at, char in enumerate(path) if char == "/"}
_FILLED_IN = "%s"
_TELLING_STRINGS = ("start_url", "scope")
_TELLING_ARRAYS = ("icons", "screenshots", "shortcuts")


def is_manifest(text: str) -> bool:
    """Whether a text, JSON or not, is read as a manifest: many things are called `manifest.json`. Takes linear time.

    It is an object with a string under `start_url` or `scope`, or an array of objects under `icons`, `screenshots` or
    `shortcuts`.
    """
    root = json_text.read(text)
    if not isinstance(root, Object):
        return False
    found = root.members
    if any(isinstance(found.get(name), String) for name in _TELLING_STRINGS):
        return True
    arrays = [value for name in _TELLING_ARRAYS if isinstance(value := found.get(name), Array)]
    return any(isinstance(item, Object) for array in arrays for item in array.items)


def find(document: Document, number: int) -> Sequence[Reference]:
    """The references of a manifest, in order."""
    root = json_text.read(document.parsed.places[number].value)
    if not isinstance(root, Object):
        return ()
    references = []
    for path, kind in ((path, kind) for kind, paths in _MEMBERS.items() for path in paths.split()):
        for holder, string in _strings(root, path.split("/")):
            if string.text != "":
                form = f"{string.form} {PLACEHOLDER}" if path == _HANDLER else string.form
                fetched = _is_fetched(path, string.text, holder)
                found = Occurrence(string.start, string.end, string.text, form, fetched=fetched)
                base = _base_of_id(document, root) if path == "id" else None
                references.append(Reference.of(found, number, "json", kind, base))
    return sorted(references, key=lambda reference: reference.start)


def give(syntax: int, value: str) -> FoundSpans | None:
    """The references for the compiled twin; None if paths do not decide what is one (`rehref.text.json_text`)."""
    found = json_text.strings(value)
    if found is None:
        return None
    known: list[str | None] = [""]  # what leads to each path; None: nothing that counts
    for around, name in found.paths:
        before = known[around]
        around_any = "" if before is None else f"{before.removesuffix(ITEMS)}/{_ANY_NAME}"
        if before is None:
            here = None
        elif name == ITEMS:
            here = before + ITEMS if before in _INNER else None
        elif around_any in _INNER:
            here = around_any
        elif "/" in name:
            here = None
        else:
            here = f"{before.removesuffix(ITEMS)}/{name}" if before else name
        known.append(here)
    return FoundSpans(found.triples, bytes(NOTHING if here is None else _CODES.get(here, NOTHING) for here in known))


def _strings(value: Value | None, path: Sequence[str]) -> Iterator[tuple[Object, String]]:
    """The strings at the end of a path of members, each with the object that it is in.

    If the path names an array, in each object of it; `*` is any name, such as a language. Of members of the same name
    the last counts.
    """
    for item in value.items if isinstance(value, Array) else (value,):
        if isinstance(item, Object):
            members = item.members
            for member in members.values() if path[0] == _ANY_NAME else (members.get(path[0]),):
                if len(path) > 1:
                    yield from _strings(member, path[1:])
                elif isinstance(member, String):
                    yield item, member


def _is_fetched(path: str, text: str, holder: Object) -> bool:
    """Whether something is fetched for a reference at the end of a path of members.

    Not for a `scope`, which is only compared with other URLs; for a template of a protocol handler with `%s` outside
    the query, since the value is not known; and for the `action` of a share target with the method POST, which a
    service worker has to answer. (The `%s` is a `PLACEHOLDER`, so the compiled twin leaves these to Python.)
    """
    if path == _HANDLER:
        before, _, fragment = text.partition("#")
        return _FILLED_IN not in before.partition("?")[0] + fragment
    if path == "share_target/action":
        method = holder.members.get("method")
        return not (isinstance(method, String) and method.text.upper() == "POST")
    return path != "scope"


def _base_of_id(document: Document, root: Object) -> BoundResolver:
    """The resolver for `id`: it is relative to the origin of `start_url`, names the application and leads nowhere."""
    candidates = (Candidate("/", "embedded", "the origin of the manifest's URI"), *document.bases.candidates)
    start_url = root.members.get("start_url")
    if isinstance(start_url, String) and start_url.text != "":
        where = f"start_url{at(document.parsed, 0, start_url.start)}"
        candidates = (
            Candidate("/", "embedded", f"the origin of {where}"),
            Candidate(start_url.text, "embedded", where),
            *document.bases.candidates,
        )
    return document.resolvers.relative_to(establish(candidates, document.how.profile), candidates)


ESCAPE = escaping(lambda char: json_text.write(char, "ascii"))
r"""Writes JSON in any encoding: a character that it lacks is escaped (`\u00e9`)."""


def sniff_json(data: bytes, declared: str | None, is_response: bool) -> Sniffed:
    """The encoding of JSON: UTF-8 (RFC 8259 §8.1), or the one of a byte order mark."""
    return sniff_css(data, "utf-8")


FORMAT = text_format(find, sniff_json, ESCAPE, carriers=TextCarriers(), give=give)

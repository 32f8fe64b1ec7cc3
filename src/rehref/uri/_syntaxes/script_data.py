"""The references in import maps and speculation rules: the text of `<script type=importmap|speculationrules>`.

HTML Standard, "parse an import map string", "parse a speculation rule set string". An entry or rule is found even if a
browser skips it (an address without the slash that its key ends in, a rule with an unknown key): to a reader of the
page it is a reference. A text that is not JSON, or not an object, has none: browsers reject the whole.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rehref.text import json_text
from rehref.text.json_text import Array, Object, String, read
from rehref.uri.syntaxes import Occurrence

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:")
_IGNORED = re.compile(r"\A[\x00-\x20]+|[\t\n\r]+")  # URL Standard, basic URL parser, steps 1.3 and 3
_SPECIFIER = "specifier"
_USUAL = 4096
"""The length of an import map, in characters, up to which it is remembered."""


def find_import_map(value: str) -> list[Occurrence]:
    """The references of an import map, in order; the last maps of a usual size are remembered, since the pages of a
    site have the same one.

    In `imports`, and in the values of `scopes`, URL-like keys and URL-like addresses are references, except the address
    of an empty key; in `scopes`, all keys; in `integrity`, URL-like keys of strings. Where one of these is not an
    object, there are none. Two names may be the same only once resolved, so all are found.
    """
    return list(_remembered(value) if len(value) <= _USUAL else _of_import_map(value))


def _of_import_map(value: str) -> list[Occurrence]:
    parts = read(value)
    if not isinstance(parts, Object):
        return []
    of_top = parts.members
    imports, scopes, integrity = (of_top.get(name, Object([])) for name in ("imports", "scopes", "integrity"))
    if not (isinstance(imports, Object) and isinstance(scopes, Object) and isinstance(integrity, Object)):
        return []
    if not all(isinstance(map_, Object) for map_ in scopes.members.values()):
        return []
    found = _of_specifier_map(imports)
    for prefix, map_ in scopes.items:
        found.append(_occurrence_of(prefix, fetched=False))
        if isinstance(map_, Object):
            found += _of_specifier_map(map_)
    for url, metadata in integrity.items:
        if _is_url_like(url.text) and isinstance(metadata, String):
            found.append(_occurrence_of(url, _SPECIFIER, fetched=False))
    return sorted(found)


_remembered = lru_cache(maxsize=16)(_of_import_map)


def find_speculation_rules(value: str, *, is_file: bool = False) -> list[Occurrence]:
    """The references of speculation rules, in order: the strings in the `urls` of each rule, whatever the action.

    Patterns (`href_matches`) are not references: they match what a browser has resolved (`Document.relative_patterns`).
    """
    rule_set = read(value)
    if not isinstance(rule_set, Object):
        return []
    found = []
    for rules in rule_set.members.values():
        for rule in rules.items if isinstance(rules, Array) else []:
            if not isinstance(rule, Object) or (is_file and rule.text_of("relative_to") == "document"):
                continue
            urls = rule.members.get("urls")
            if isinstance(urls, Array):
                found += [_occurrence_of(url) for url in urls.items if isinstance(url, String)]
    return found


def find_in_file(value: str) -> list[Occurrence]:
    """The references of speculation rules in a file that are relative to it.

    Those of a rule that is `relative_to` the document are not: a file does not know which documents name it.
    """
    return find_speculation_rules(value, is_file=True)


def write_import_map(text: str, form: str) -> str:
    """Write `text` where `find_import_map` found a reference: `./` is put before one that would be a bare specifier.

    One that is empty or begins with `?` or `#` cannot be expressed, and is written as it is; the built-in rules write
    none.
    """
    if _SPECIFIER in form.split() and text and text[0] not in "?#" and not _is_url_like(text):
        text = f"./{text}"
    return json_text.write(text, form)


def _of_specifier_map(map_: Object) -> list[Occurrence]:
    # HTML Standard, "sort and normalize a module specifier map"
    found = []
    counting = map_.members
    for key, address in map_.items:
        is_url = _is_url_like(key.text)
        if is_url:
            found.append(_occurrence_of(key, _SPECIFIER, fetched=False))
        counts = is_url or (key.text != "" and address is counting[key.text])
        if counts and isinstance(address, String) and _is_url_like(address.text):
            found.append(_occurrence_of(address, _SPECIFIER, fetched=not key.text.endswith("/")))
    return found


def _is_url_like(specifier: str) -> bool:
    # HTML Standard, "resolve a URL-like module specifier"
    """Whether it begins with `/`, `./` or `../`, or with a scheme. All others are bare specifiers."""
    return specifier.startswith(("/", "./", "../")) or _SCHEME.match(_IGNORED.sub("", specifier)) is not None


def _occurrence_of(string: String, word: str = "", *, fetched: bool = True) -> Occurrence:
    """Nothing is fetched for a key, a scope, or the address of a key that ends in a slash."""
    form = f"{word} {string.form}".strip()
    return Occurrence(string.start, string.end, string.text, form, kind="resource", fetched=fetched)

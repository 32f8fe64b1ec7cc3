r"""The references in import maps and speculation rules: the text of `<script type=importmap|speculationrules>`.

HTML Standard, "parse an import map string", "parse a speculation rule set string".

1. The text is read as `rehref.text.json_text` reads it. A text that is not JSON, or not an object, has no
   references: a browser rejects the whole of it. The same holds for an import map whose `imports`, `scopes` or
   `integrity`, or one of whose scopes, is not an object. All references found are resources.
2. A text is URL-like if it begins with `/`, `./` or `../`, or with a scheme ("resolve a URL-like module specifier").
   All others are bare specifiers, not references. The resolver decides whether a URL can be parsed.
3. Import map: in `imports`, and in the values of `scopes`, URL-like keys and URL-like addresses are references, except
   the address of an empty key; in `scopes`, all keys, URL-like or not; in `integrity`, URL-like keys of strings.
4. Of members of the same name the last counts, except where the names are references: two of these may be the same only
   once resolved, so whether one hides another is not checked, and all are found.
5. Speculation rules: the strings in the `urls` of each rule of each list at the top level, whatever the action.
   Patterns (`href_matches`) are not touched: they match what a browser has resolved. They are relative to the base of
   the document unless they have a scheme (`Document.relative_patterns`).
6. An entry or rule is found even if a browser skips it for another reason (an address without the slash that its key
   ends in, a rule with an unknown key): to a reader of the page it is a reference.
7. Written text is escaped as JSON. In a place of rule 2, `./` is put before a reference that is not URL-like, or it
   would be a bare specifier. One that is empty or begins with `?` or `#` cannot be expressed there, and is written as
   it is; the built-in rules write none.
8. Nothing is fetched for a key, a scope, or the address of a key that ends in a slash: see `Occurrence.fetched`.
9. The pages of a site have the same import map, so the last ones of a usual size are remembered.
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
    """The references of an import map, in order (rules 1 to 4)."""
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
        found.append(_found(prefix, fetched=False))
        if isinstance(map_, Object):
            found += _of_specifier_map(map_)
    for url, metadata in integrity.items:
        if _is_url_like(url.text) and isinstance(metadata, String):
            found.append(_found(url, _SPECIFIER, fetched=False))
    return sorted(found)


_remembered = lru_cache(maxsize=16)(_of_import_map)


def find_speculation_rules(value: str, *, is_file: bool = False) -> list[Occurrence]:
    """The references of speculation rules, in order (rules 1 and 5)."""
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
                found += [_found(url) for url in urls.items if isinstance(url, String)]
    return found


def find_in_file(value: str) -> list[Occurrence]:
    """The references of speculation rules in a file that are relative to it.

    Those of a rule that is `relative_to` the document are not: a file does not know which documents name it.
    """
    return find_speculation_rules(value, is_file=True)


def write_import_map(text: str, form: str) -> str:
    """Write `text` where `find_import_map` found a reference (rule 7)."""
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
            found.append(_found(key, _SPECIFIER, fetched=False))
        counts = is_url or (key.text != "" and address is counting[key.text])
        if counts and isinstance(address, String) and _is_url_like(address.text):
            found.append(_found(address, _SPECIFIER, fetched=not key.text.endswith("/")))
    return found


def _is_url_like(specifier: str) -> bool:
    # HTML Standard, "resolve a URL-like module specifier"
    return specifier.startswith(("/", "./", "../")) or _SCHEME.match(_IGNORED.sub("", specifier)) is not None


def _found(string: String, word: str = "", *, fetched: bool = True) -> Occurrence:
    form = f"{word} {string.form}".strip()
    return Occurrence(string.start, string.end, string.text, form, kind="resource", fetched=fetched)

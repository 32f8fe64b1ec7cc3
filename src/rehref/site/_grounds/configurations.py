"""What the configuration of a generator says of the pages that it makes: read as text.

1. Hugo's may be in `config/_default`, in the folder of the site. Of several files there, the main one is read.
2. The collections of Jekyll are published if they have `output: true`.
3. Of a configuration that is a program, only what is written out is read: strings, and the keys of `locales`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from rehref.files.file_documents import read_within
from rehref.files.file_errors import FileError
from rehref.site._grounds.generators import Generator
from rehref.site._grounds.page_rules import PAGE_RULES, PageRules
from rehref.site._grounds.unsure_paths import Configured

_LANGUAGE = re.compile(r"^\s*\[languages\.([\w-]+)\]|^[ \t]+([a-z]{2,3}(?:-\w+)?):[ \t]*$", re.MULTILINE)
_COLLECTION = re.compile(r"^([ \t]+)(\w[\w-]*):[ ]*\n((?:\1[ \t]+.*(?:\n|\Z))*)", re.MULTILINE)
_LOCALES = re.compile(r"\blocales\b(?:\s*[:=]\s*|[^=\n]*=\s*)\{").search
_KEY_OR_BRACE = re.compile(r"""['"]?([A-Za-z][\w-]*)['"]?\s*:\s*\{|[{}]""")
_IS_PUBLISHED = re.compile(r"output:[ ]*true").search


def generator_of(folder: Path, dialect: str | None, configuration: Path | None) -> Generator | None:
    """Return the generator of a folder with sources in a dialect; None if that is not one of a generator."""
    rules = PAGE_RULES.get(dialect or "")
    if rules is None or dialect is None:
        return None
    top = folder.absolute() if configuration is None else _top(rules, configuration)
    try:
        text = (b"" if configuration is None else read_within(top, configuration) or b"").decode("utf-8", "replace")
        scripts = read_within(top, top / "package.json") if rules.argument is not None else None
    except FileError:
        text, scripts = "", None  # what they say is not known
    contents = _said(rf"{rules.key}[ \t]*[:=(][ \t]*[\"']?([^\"'#\r\n,]*[^\"'#\s,])", text) or rules.contents
    argument = rules.argument and rules.argument.search((scripts or b"").decode("utf-8", "replace"))
    contents = contents if argument is None else argument[1]
    folders = tuple(os.path.normpath(top / each.format(contents)) for each in rules.folders)
    said = {name: _said(key, text) for name, key in {**rules.says, "flat": rules.flat}.items()}
    said["language"], languages = _languages(rules, text, said.get("language", ""))
    site = Configured(top, text, said, languages)
    unsure = [*rules.unsure(site)]
    return Generator(
        dialect,
        os.path.normpath(folder.absolute()),
        folders,
        configuration or top,
        text=text,
        said=said,
        languages=languages,
        collections=_collections(rules, said),
        unsure=re.compile("|".join(unsure), re.DOTALL) if unsure else None,
        base=f"{site.base}/" if site.base and rules.has_base else "",
    )


def _top(rules: PageRules, configuration: Path) -> Path:
    """Return the folder of a site, from its configuration (rule 1)."""
    parts = configuration.parent.parts
    inside = (PurePosixPath(each).parts for each in rules.inside)
    above = next((len(each) for each in inside if parts[-len(each) :] == each), 0)
    return configuration.parents[above]


def _languages(rules: PageRules, text: str, default: str) -> tuple[str, frozenset[str]]:
    """Return the default language of a site, and those that it names (rule 3)."""
    if rules.languages == "locales":
        named = frozenset(_locales(text))
        default = "root" if "root" in named or not named else default
        return default, named - {"root", default}
    if rules.languages == "tables":
        found = _LANGUAGE.findall(text) if "languages" in text else ()
        return default or "en", frozenset({default or "en", *(one or other for one, other in found)})
    return default, frozenset()


def _locales(text: str) -> Iterator[str]:
    """Yield the names of the languages of Starlight, if they are written out (rule 3)."""
    begun = _LOCALES(text)
    depth = 1
    for found in _KEY_OR_BRACE.finditer(text, begun.end() if begun else len(text)):
        if depth == 1 and found[1]:
            yield found[1]
        depth += found[0].count("{") - found[0].count("}")
        if depth <= 0:
            return


def _collections(rules: PageRules, said: Mapping[str, str]) -> Mapping[str, str]:
    """Return the permalinks of the collections of Jekyll that are published, by their names (rule 2)."""
    if not said.get("collections"):
        return {}
    default = "/:collection/:path" + ("/" if said["permalink"] == "pretty" else ":output_ext")
    found = {name: text for _, name, text in _COLLECTION.findall(said["collections"])}
    key = rf"[ \t]+{rules.says['permalink']}"
    links = {name: _said(key, text) for name, text in found.items() if _IS_PUBLISHED(text)}
    return {name: link or default for name, link in links.items() if link or name != "posts"}


def _said(key: str, text: str) -> str:
    """Return what a configuration says, by an expression for the beginning of a line; "" if nothing."""
    found = re.search(rf"^{key}", text, re.MULTILINE)
    return "" if found is None else found[found.lastindex or 0] or "yes"

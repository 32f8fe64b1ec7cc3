"""What the configuration of a generator says of the pages that it makes: read as text."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote

from rehref.files.file_documents import read_within, relative_to
from rehref.files.file_errors import FileError
from rehref.site._grounds.generators import Generator
from rehref.site._grounds.page_rules import PAGE_RULES, PageRules
from rehref.site._grounds.source_signs import path_in_repository
from rehref.site._grounds.unsure_paths import Configured

_OF_PROGRAM: Final = frozenset({"base", "redirects", "rewrites"})
"""What only the object itself says that a program exports, not one within it."""
_EXPORTED = re.compile(r"(?:\bexport\s+default\b|\bmodule\.exports\s*=|\bdefineConfig\w*\s*\()[\s\w(]*\{").search
_BRACKET = re.compile(
    r"""//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{(\[]|[})\]]"""
).finditer
_IMPORTED = re.compile(r"""\b(?:from|import)\b\s*\(?\s*['"](\.{1,2}/[^'"\n]+)['"]""").findall
_MODULES: Final = ("", ".ts", ".mts", ".js", ".mjs", "/index.ts", "/index.js")
_MOST_MODULES: Final = 20
_DESTINATION = re.compile(r"\]\((?:<([^>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))").findall
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
        modules = [*_modules(top, configuration)]
        scripts = read_within(top, top / "package.json") if rules.argument is not None else None
    except FileError:
        modules, scripts = [], None  # what they say is not known
    text, exported = "\n".join(modules), "\n".join(map(_exported, modules))
    contents = _value_of(rf"{rules.key}[ \t]*[:=(][ \t]*[\"']?([^\"'#\r\n,]*[^\"'#\s,])", text) or rules.contents
    argument = rules.argument and rules.argument.search((scripts or b"").decode("utf-8", "replace"))
    contents = contents if argument is None else argument[1]
    if _is_above_repository(top, os.path.realpath(top / contents)):
        contents = rules.contents
    folders = tuple(os.path.normpath(top / each.format(contents)) for each in rules.folders)
    keys = {**rules.says, "flat": rules.flat}
    said = {name: _value_of(key, exported if name in _OF_PROGRAM else text) for name, key in keys.items()}
    said["language"], languages = _languages(rules, text, said.get("language", ""))
    listed = _listed(folders[0], rules.listing) if rules.listing else None
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
        listed=listed,
        base=f"{site.base}/" if site.base and rules.has_base else "",
    )


def _modules(top: Path, configuration: Path | None) -> Iterator[str]:
    """Yield the text of a configuration, and those of the modules that it imports by their paths.

    Of a program, only what is written out is read: strings, and the keys of `locales`. Raises `FileError` if they are
    outside of the folder.
    """
    waiting, seen = [] if configuration is None else [configuration], {configuration}
    while waiting and len(seen) <= _MOST_MODULES:
        file = waiting.pop(0)
        text = (read_within(top, file) or b"").decode("utf-8", "replace")
        yield text
        names = _IMPORTED(text) if file.suffix in (".ts", ".mts", ".js", ".mjs", ".cjs") else ()
        for each in (Path(os.path.normpath(f"{file.parent / name}{end}")) for name in names for end in _MODULES):
            if each not in seen and each.suffix in _MODULES and relative_to(str(each), str(top)) and each.is_file():
                seen.add(each)
                waiting.append(each)


def _exported(text: str) -> str:
    """Return what the object says that a program exports, without those within it; all, if it is not clear.

    `base` is a key of the configuration itself, not of a plug-in.
    """
    begun = _EXPORTED(text)
    if begun is None:
        return text
    depth, start, own = 1, begun.end(), []
    for found in _BRACKET(text, begun.end()):
        if found[0] in "{([":
            own += [text[start : found.start()]] * (depth == 1)
            depth += 1
        elif found[0] in "})]":
            depth -= 1
            start = found.end() if depth == 1 else start
        if depth == 0:
            return "".join((*own, text[start : found.start()]))
    return text


def _is_above_repository(top: Path, contents: str) -> bool:
    """Whether a folder of contents has that of the site below it, and all of its repository."""
    real = os.path.realpath(top)
    return (
        real != contents
        and relative_to(real, contents) is not None
        and relative_to(contents, str(path_in_repository(top)[0])) is None
    )


def _listed(contents: str, listing: str) -> frozenset[str] | None:
    """Return the sources that a list of pages names, as paths from its folder; None if there is no list."""
    try:
        text = read_within(Path(contents), Path(contents, listing))
    except FileError:
        text = None
    found = _DESTINATION((text or b"").decode("utf-8", "replace"))
    paths = (posixpath.normpath(unquote(one or other)) for one, other in found)
    return frozenset(path for path in paths if path != ".") or None


def _top(rules: PageRules, configuration: Path) -> Path:
    """Return the folder of a site, from its configuration.

    Hugo's may be in `config/_default`, in the folder of the site. Of several files there, the main one is read.
    """
    parts = configuration.parent.parts
    inside = (PurePosixPath(each).parts for each in rules.inside)
    above = next((len(each) for each in inside if parts[-len(each) :] == each), 0)
    return configuration.parents[above]


def _languages(rules: PageRules, text: str, default: str) -> tuple[str, frozenset[str]]:
    """Return the default language of a site, and those that it names."""
    if rules.languages == "locales":
        named = frozenset(_locales(text))
        default = "root" if "root" in named or not named else default
        return default, named - {"root", default}
    if rules.languages == "tables":
        found = _LANGUAGE.findall(text) if "languages" in text else ()
        return default or "en", frozenset({default or "en", *(one or other for one, other in found)})
    return default, frozenset()


def _locales(text: str) -> Iterator[str]:
    """Yield the names of the languages of Starlight, if they are written out."""
    begun = _LOCALES(text)
    depth = 1
    for found in _KEY_OR_BRACE.finditer(text, begun.end() if begun else len(text)):
        if depth == 1 and found[1]:
            yield found[1]
        depth += found[0].count("{") - found[0].count("}")
        if depth <= 0:
            return


def _collections(rules: PageRules, said: Mapping[str, str]) -> Mapping[str, str]:
    """Return the permalinks of the collections of Jekyll that are published (`output: true`), by their names."""
    if not said.get("collections"):
        return {}
    default = "/:collection/:path" + ("/" if said["permalink"] == "pretty" else ":output_ext")
    found = {name: text for _, name, text in _COLLECTION.findall(said["collections"])}
    key = rf"[ \t]+{rules.says['permalink']}"
    links = {name: _value_of(key, text) for name, text in found.items() if _IS_PUBLISHED(text)}
    return {name: link or default for name, link in links.items() if link or name != "posts"}


def _value_of(key: str, text: str) -> str:
    """Return what a configuration says, by an expression for the beginning of a line; "" if nothing."""
    found = re.search(rf"^{key}", text, re.MULTILINE)
    return "" if found is None else found[found.lastindex or 0] or "yes"

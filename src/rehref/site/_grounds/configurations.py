"""What the configuration of a generator says of the pages that it makes: read as text.

1. Hugo's may be in `config/_default`, in the folder of the site. Of several files there, the main one is read.
2. The collections of Jekyll are published if they have `output: true`.
3. A Hugo site with a link render hook of its own or of its theme decides what links in Markdown mean, as does one with
   several languages by the hook within Hugo. Several mounts of contents may add any file.
4. Of a configuration that is a program, only what is written out is read: strings, and the keys of `locales`. What
   Starlight has in `src/pages`, what VitePress rewrites, what is below its base in HTML, and what aliases of Docsify
   lead to, is not known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rehref.files.file_documents import read_within
from rehref.files.file_errors import FileError
from rehref.site._grounds.generators import WITHOUT_NAME, Generator
from rehref.site._grounds.page_rules import IN_PROGRAM, PAGE_RULES

_SAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "permalinks": r"\[?permalinks\b",
        "defaults": r"defaults:[ ]*\n(?:[ \t-].*\n)*?[ \t]+permalink:",
        "collections": r"collections:[ ]*\n((?:[ \t].*(?:\n|\Z))+)",
        "permalink": r"permalink:[ ]*[\"']?([^\"'#\s]+)",
        "theme": r"[ ]+custom_dir:[ ]*[\"']?([^\"'#\s]+)",
        "has_plain_letters": r"removePathAccents\s*[=:]\s*true",
        "has_capitals": r"disablePathToLower\s*[=:]\s*true",
        "language": IN_PROGRAM + r"(?:defaultContentLanguage|defaultLocale)\s*[=:]\s*[\"']?([\w-]+)",
        "base": IN_PROGRAM + r"base:[ ]*[\"']/?([^\"'\s]*)",
        "is_relative": IN_PROGRAM + r"relativePath:[ ]*true",
        "rewrites": IN_PROGRAM + r"rewrites\b",
        "has_prefix": r"\A(?=[\s\S]*\bpathPrefix\b)(?![\s\S]*HtmlBasePlugin)",
    }
)
"""What configurations say, each as an expression for the beginning of a line."""
_INPUT = re.compile(r"""\beleventy\b[^"\n]{0,200}?--input[= ]['"\\]*([^\s'"\\]+)""").search
_LANGUAGE = re.compile(r"^\s*\[languages\.([\w-]+)\]|^[ \t]+([a-z]{2,3}(?:-\w+)?):[ \t]*$", re.MULTILINE)
_COLLECTION = re.compile(r"^([ \t]+)(\w[\w-]*):[ ]*\n((?:\1[ \t]+.*(?:\n|\Z))*)", re.MULTILINE)
_LOCALES = re.compile(r"\blocales\b(?:\s*[:=]\s*|[^=\n]*=\s*)\{").search
_KEY_OR_BRACE = re.compile(r"""['"]?([A-Za-z][\w-]*)['"]?\s*:\s*\{|[{}]""")
_ALIAS = re.compile(r"""['"]([^'"\r\n]+)['"]\s*:\s*['"](?:https?:|/)""")
_MOST: Final = 1000
_ENDING = re.compile(r"(?:/?index)?(?:\.(?:astro|mdx?|html|[jt]s))+\Z")
_DYNAMIC = re.compile(r"\\\[.*?\\\]")
_IS_PUBLISHED = re.compile(r"output:[ ]*true").search
_HOOKS: Final = tuple(
    f"{theme}layouts/{folder}_markup/render-link*.html" for theme in ("", "themes/*/") for folder in ("", "_default/")
)
_MOUNT = re.compile(r"""^[ \t-]*target\s*[:=]\s*["']?content\b""", re.MULTILINE)


def generator_of(folder: Path, dialect: str | None, configuration: Path | None) -> Generator | None:
    """Return the generator of a folder with sources in a dialect; None if that is not one of a generator."""
    rules = PAGE_RULES.get(dialect or "")
    if rules is None or dialect is None:
        return None
    top = folder.absolute() if configuration is None else _top(dialect, configuration)
    try:
        text = (b"" if configuration is None else read_within(top, configuration) or b"").decode("utf-8", "replace")
        scripts = read_within(top, top / "package.json") if dialect == "eleventy" else None
    except FileError:
        text, scripts = "", None  # what they say is not known
    contents = _said(rf"{rules.key}[ \t]*[:=(][ \t]*[\"']?([^\"'#\r\n,]*[^\"'#\s,])", text) or rules.contents
    argument = _INPUT((scripts or b"").decode("utf-8", "replace"))
    contents = contents if argument is None else argument[1]
    folders = tuple(os.path.normpath(top / each.format(contents)) for each in rules.folders)
    said = {name: _said(key, text) for name, key in {**_SAYS, "flat": rules.flat}.items()}
    if dialect == "starlight":
        languages = frozenset(_locales(text))
        said["language"] = "root" if "root" in languages or not languages else said["language"]
        languages -= {"root", said["language"]}
    else:
        said["language"] = said["language"] or "en"
        found = _LANGUAGE.findall(text) if "languages" in text else ()
        languages = frozenset({said["language"], *(one or other for one, other in found)})
    base = said["base"].strip("/") if dialect in ("starlight", "vitepress") else ""
    return Generator(
        dialect,
        os.path.normpath(folder.absolute()),
        folders,
        configuration or top,
        text=text,
        said=said,
        languages=languages,
        collections=_collections(said),
        unsure=_unsure(top, text, languages) if dialect == "hugo" else _routes(dialect, top, said, base, text),
        base=f"{base}/" if base and dialect == "starlight" else "",
    )


def _top(dialect: str, configuration: Path) -> Path:
    """Return the folder of a site, from its configuration (rule 1)."""
    above = {"hugo": ("_default", 2), "vitepress": (".vitepress", 1)}.get(dialect)
    folder = configuration.parent
    if dialect == "vitepress" and folder.name == "config":
        folder = folder.parent
    return folder.parents[above[1] - 1] if above is not None and folder.name == above[0] else folder


def _locales(text: str) -> Iterator[str]:
    """Yield the names of the languages of Starlight, if they are written out (rule 4)."""
    begun = _LOCALES(text)
    depth = 1
    for found in _KEY_OR_BRACE.finditer(text, begun.end() if begun else len(text)):
        if depth == 1 and found[1]:
            yield found[1]
        depth += found[0].count("{") - found[0].count("}")
        if depth <= 0:
            return


def _of_alias(key: str) -> str:
    """Return the expression for paths to which an alias of Docsify applies, from its key (rule 4)."""
    pattern = re.sub(r"(?:\\\()?\\\.\\\*(?:\\\?)?(?:\\\))?", ".*", re.escape(key.removeprefix("/")))
    return re.sub(r"\A\.\*/", "(?:.*/)?", pattern) + r"(?:\.md)?"


def _routes(dialect: str, top: Path, said: Mapping[str, str], base: str, text: str) -> re.Pattern[str] | None:
    """Return the paths that a program answers, or that are not known (rule 4)."""
    known: list[str] = []
    if dialect == "vitepress":
        known += [WITHOUT_NAME.pattern] if said["rewrites"] else []
        known += [rf"{re.escape(base)}/.*"] if base else []
    elif dialect == "myst":
        known += [WITHOUT_NAME.pattern, r".*\.\*"]  # labels, and pictures in several formats
    elif dialect == "docsify":
        known += [_of_alias(key) for key in _ALIAS.findall(text[text.find("alias") :])] if "alias" in text else []
    elif dialect == "starlight":
        pages = (path.relative_to(top / "src/pages").as_posix() for path in islice(top.glob("src/pages/**/*.*"), _MOST))
        known += [rf"(?:{re.escape(base)}/)?{_DYNAMIC.sub('.*', re.escape(_ENDING.sub('', each)))}/?" for each in pages]
        known += [r"(?:.*/)?(?:_astro|pagefind)/.*"]
    return re.compile("|".join(known), re.DOTALL) if known else None


def _collections(said: Mapping[str, str]) -> Mapping[str, str]:
    """Return the permalinks of the collections of Jekyll that are published, by their names (rule 2)."""
    default = "/:collection/:path" + ("/" if said["permalink"] == "pretty" else ":output_ext")
    found = {name: text for _, name, text in _COLLECTION.findall(said["collections"])}
    links = {name: _said(rf"[ \t]+{_SAYS['permalink']}", text) for name, text in found.items() if _IS_PUBLISHED(text)}
    return {name: link or default for name, link in links.items() if link or name != "posts"}


def _unsure(top: Path, text: str, languages: Collection[str]) -> re.Pattern[str] | None:
    """Return what a path may lead to on a Hugo site though no file is there (rule 3)."""
    if len(_MOUNT.findall(text)) > 1:
        return re.compile(r".*", re.DOTALL)
    has_hook = len(languages) > 1 or any(next(top.glob(hook), None) is not None for hook in _HOOKS)
    return WITHOUT_NAME if has_hook else None


def _said(key: str, text: str) -> str:
    """Return what a configuration says, by an expression for the beginning of a line; "" if nothing."""
    found = re.search(rf"^{key}", text, re.MULTILINE)
    return "" if found is None else found[found.lastindex or 0] or "yes"

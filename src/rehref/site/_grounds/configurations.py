"""What the configuration of a generator says of the pages that it makes: read as text.

1. Hugo's may be in `config/_default`, in the folder of the site. Of several files there, the main one is read.
2. The collections of Jekyll are published if they have `output: true`.
3. A Hugo site with a link render hook of its own or of its theme decides what links in Markdown mean, as does one with
   several languages by the hook within Hugo. Several mounts of contents may add any file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rehref.files.file_documents import read_within
from rehref.files.file_errors import FileError
from rehref.site._grounds.generators import PAGE_RULES, WITHOUT_NAME, Generator

_SAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "permalinks": r"\[?permalinks\b",
        "defaults": r"defaults:[ ]*\n(?:[ \t-].*\n)*?[ \t]+permalink:",
        "collections": r"collections:[ ]*\n((?:[ \t].*(?:\n|\Z))+)",
        "permalink": r"permalink:[ ]*[\"']?([^\"'#\s]+)",
        "theme": r"[ ]+custom_dir:[ ]*[\"']?([^\"'#\s]+)",
        "has_plain_letters": r"removePathAccents\s*[=:]\s*true",
        "has_capitals": r"disablePathToLower\s*[=:]\s*true",
        "language": r"defaultContentLanguage\s*[=:]\s*[\"']?([\w-]+)",
    }
)
"""What configurations say, each as an expression for the beginning of a line."""
_LANGUAGE = re.compile(r"^\s*\[languages\.([\w-]+)\]|^[ \t]+([a-z]{2,3}(?:-\w+)?):[ \t]*$", re.MULTILINE)
_COLLECTION = re.compile(r"^([ \t]+)(\w[\w-]*):[ ]*\n((?:\1[ \t]+.*(?:\n|\Z))*)", re.MULTILINE)
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
    top = folder.absolute() if configuration is None else configuration.parent
    top = top.parent.parent if dialect == "hugo" and top.name == "_default" else top  # rule 1
    try:
        text = (b"" if configuration is None else read_within(top, configuration) or b"").decode("utf-8", "replace")
    except FileError:
        text = ""  # what it says is not known
    contents = _said(rf"{rules.key}[ \t]*[:=][ \t]*[\"']?([^\"'#\r\n]*[^\"'#\s])", text) or rules.folders[0]
    folders = tuple(os.path.normpath(top / each) for each in (contents, *rules.folders[1:]))
    said = {name: _said(key, text) for name, key in {**_SAYS, "flat": rules.flat}.items()}
    said["language"] = said["language"] or "en"
    found = _LANGUAGE.findall(text) if "languages" in text else ()
    languages = frozenset({said["language"], *(one or other for one, other in found)})
    return Generator(
        dialect,
        os.path.normpath(folder.absolute()),
        folders,
        configuration or top,
        text=text,
        said=said,
        languages=languages,
        collections=_collections(said),
        unsure=_unsure(top, text, languages) if dialect == "hugo" else None,
    )


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

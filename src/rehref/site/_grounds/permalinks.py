"""What the files of an Eleventy site say of its pages: permalinks in front matter, in data of folders, in programs.

If a function makes a permalink, the URL of any page may be anything. A page with `pagination` is several.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from rehref.documents.media_types import MediaType
from rehref.site._grounds.generators import Generator, front_matter_of, url_of_page
from rehref.site._grounds.source_signs import beginning
from rehref.site._grounds.unsure_paths import WITHOUT_NAME

_DATA: Final = (".11tydata.js", ".11tydata.cjs", ".11tydata.mjs", ".11tydata.json", ".json")
_DATA_OF_ALL: Final = frozenset({"_data/permalink", "_data/eleventyComputed"})
_PROGRAMS: Final = (".11ty.js", ".11ty.cjs", ".11ty.mjs", ".js", ".cjs", ".mjs", ".json")
_QUOTED: Final = r"""(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`"""
_PERMALINK = re.compile(
    rf"""\bpermalink["']?[ \t]*(?:[:=][ \t]*{_QUOTED}|(?=[^\s({{])([^\n#,(]*)(?=[\n#,}}]))|[:=(])"""
)
_AT_LINE = re.compile(r"^permalink[ \t]*[:=]", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_$][\w$]*").match
_IN_BRACES = re.compile(r"\{\{-?[ \t]*([\w.]+)[ \t]*-?\}\}")
_DATE = re.compile(r"\A\d{4}-\d\d-\d\d-")
_OF_ALL = re.compile(
    r"""addGlobalData\(\s*["'](?:permalink|eleventyComputed)|addTemplate\(|addPassthroughCopy\(\s*[^\s"'`{]"""
)
_ADDED = re.compile(r"""addExtension\(\s*\[?\s*["']([\w.]+)""")
_COPIES = re.compile(r"addPassthroughCopy\(\s*\{([^}]{0,4000})\}|\boutputPath(:[^\n]*)")
_TO_PLACE = re.compile(r""":\s*["'](?:\./|/)?([^"'\n]+)["']""")
_PAGINATION = re.compile(r"^pagination[ \t]*:|\bpagination[\"']?[ \t]*:[ \t]*\{", re.MULTILINE)
_NOT_WRITTEN: Final = "{"
"""In place of a permalink that is not written out."""


class Permalinks(NamedTuple):
    """What is known of URLs. `own`: what a file says, as in `own_urls`; `unsure`: as in `Generator`.

    `endings`: of the files in each folder of the site, after the path of the folder and a slash.
    """

    own: Mapping[str, Mapping[str, str]]
    unsure: re.Pattern[str]
    endings: frozenset[str]


def read_permalinks(folder: Path, generator: Generator, paths: Collection[str]) -> Permalinks:
    """Return what is known of the URLs of an Eleventy site from the files below a folder. Raises nothing."""
    own: dict[str, Mapping[str, str]] = {}
    unsure = set(_of_configuration(generator))
    sources = {path: source for path in sorted(paths) if (source := generator.source(path)) is not None}
    of_data = _of_data(folder, sources)
    added = tuple(f".{each}" for each in _ADDED.findall(generator.text))
    for path, source in sources.items():
        unsure |= {WITHOUT_NAME.pattern} if source.partition(".")[0] in _DATA_OF_ALL else set()
        ending = generator.ending(path.rpartition("/")[2])
        if ending is None or generator.page(path) is None:
            unsure |= {rf"{re.escape(source[: -len(each)])}(?:[/.].*)?" for each in added if path.endswith(each)}
            continue
        data = beginning(folder / path)
        text = (data if ending in _PROGRAMS else front_matter_of(data)).decode("utf-8", "replace")
        places = (path[: -len(ending)], *_of_folders(path))
        found = (each for place in places if (each := of_data.get(place)) is not None)
        said = _permalink(text, is_program=ending in _PROGRAMS) or next(found, None)
        if said is not None:
            said = _filled(said, source[: -len(ending)])
            own[path] = {generator.rules.url: said}
            unsure |= {_anything(said)} if "{" in said else set()
        made = generator.page(path, own.get(path, {})) if _PAGINATION.search(text) else None
        unsure |= {f"{re.escape(url_of_page(made))}.*"} if made else set()
    endings = frozenset(map(_ending, sources.values()))
    return Permalinks(own, re.compile("|".join(sorted(unsure)) or "(?!)", re.DOTALL), endings)


def _of_data(folder: Path, sources: Mapping[str, str]) -> Mapping[str, str]:
    """Return the permalinks that data say, by the path of these without the ending.

    Data beside a template (`a.11tydata.js`, `a.json`) are for it. A template takes precedence over its data, and these
    over those of the nearest folder.
    """
    found: dict[str, str] = {}
    for path in sources:
        stem = next((path[: -len(end)] for end in _DATA if path.endswith(end)), None)
        said = (
            None if stem is None else _permalink(beginning(folder / path).decode("utf-8", "replace"), is_program=True)
        )
        if stem is not None and said is not None:
            found.setdefault(stem, said)
    return found


def may_be_made(generator: Generator, path: str) -> bool:
    """Whether a path on the site to a file that is not there may lead to one that is made, or copied.

    A file is only known not to be on the site if others with its ending are in its folder: plugins make files, too.
    """
    has_name = WITHOUT_NAME.fullmatch(path) is None and MediaType.by_extension(path) != MediaType.MARKDOWN
    return generator.endings is not None and has_name and _ending(path) not in generator.endings


def _ending(path: str) -> str:
    """Return the folder and the ending of a path on the site, as in `Permalinks.endings`."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/{name.rpartition('.')[2].lower()}"


def _of_folders(path: str) -> Iterator[str]:
    """Yield the names of data that folders have, the nearest first, without their endings.

    Data with the name of their folder are for all below it.
    """
    above = [*accumulate(path.split("/")[:-1], "{}/{}".format)]
    yield from (f"{each}/{each.rpartition('/')[2]}" for each in reversed(above))


def _of_configuration(generator: Generator) -> Iterator[str]:
    """Yield what paths may lead to by the configuration.

    Of templates that it adds, and of what it copies to other places.
    """
    if _OF_ALL.search(generator.text):
        yield WITHOUT_NAME.pattern
    for copied, file in _COPIES.findall(generator.text):
        yield from (rf"{re.escape(place.rstrip('/'))}(?:/.*)?" for place in _TO_PLACE.findall(copied or file))


def _permalink(text: str, *, is_program: bool) -> str | None:
    """Return the permalink that a template or data say, `_NOT_WRITTEN` if it is not written; None: they say none."""
    found = _PERMALINK.search(text)
    if found is None:
        return None
    written = next((each.strip() for each in found.groups() if each is not None), _NOT_WRITTEN)
    if not is_program:
        return written if _AT_LINE.search(text) else _NOT_WRITTEN
    if found[4] is None:
        return written
    name = _NAME(written)
    if name is None or name[0] == "false":
        return _NOT_WRITTEN if name is None else "false"
    constant = re.search(rf"""\b{re.escape(name[0])}[ ]*=[ ]*["'`]([^"'`\n]*)""", text)
    return _NOT_WRITTEN if constant is None else constant[1]


def _filled(permalink: str, stem: str) -> str:
    """Return a permalink with the names of its template (`page.fileSlug`, `page.filePathStem`), from its path.

    The path is that without the ending.
    """
    folder, _, name = stem.rpartition("/")
    slug = _DATE.sub("", folder.rpartition("/")[2] if name == "index" else name)
    values = {"page.fileSlug": slug, "page.filePathStem": f"/{stem}"}
    return _IN_BRACES.sub(lambda found: values.get(found[1], found[0]), permalink)


def _anything(permalink: str) -> str:
    """Return what a permalink with braces may lead to: what begins like it."""
    beginning = permalink.partition("{")[0].lstrip("/").removesuffix("$")
    return f"{re.escape(beginning)}.*" if beginning else WITHOUT_NAME.pattern

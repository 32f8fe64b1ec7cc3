"""Folders of Markdown sources: when a folder is one, its dialect, and which paths lead to its files.

Installed packages are not checked, nor are layouts of Hugo and Jekyll, which are relative to the pages with them.
Templates of a theme in MkDocs' `custom_dir` are not, either. What the template languages of Hugo and Jekyll decide is
skipped in HTML, too.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Final

from rehref.documents.media_types import MediaType
from rehref.files.file_documents import encode_path, relative_to
from rehref.files.file_errors import FileError
from rehref.site._grounds.configurations import generator_of
from rehref.site._grounds.files import Files, Types, is_in_package
from rehref.site._grounds.forge_pages import FORGES
from rehref.site._grounds.generators import UNKNOWN, Generator, aliases_of, front_matter_of, own_urls
from rehref.site._grounds.page_rules import PAGE_RULES
from rehref.site._grounds.permalinks import read_permalinks
from rehref.site._grounds.repository import named_forge
from rehref.site._grounds.source_signs import (
    beginning,
    configuration_of,
    other_configuration,
    path_in_repository,
    sites_below,
)
from rehref.site._grounds.unsure_paths import WITHOUT_NAME
from rehref.site._hosts.hosts import Host
from rehref.site._placing.placing import Placed
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST

_PACKAGES: Final = ("node_modules", "*/node_modules")
_TEMPLATE: Final = re.compile(r"\{[{%]")
_EXTENSIONS: Final = tuple(
    ending[1:] for ending, its_type in MediaType.BY_EXTENSION.items() if its_type == MediaType.MARKDOWN
)
_INDEXES: Final = ("index.md", "README.md", "_index.md", "index.mdx", "index.qmd", "readme.md", "index.html")
_INDEX_NAMES: Final = ("index", "readme", "_index")
NEEDS_PYROMARK: Final = "needs the package pyromark"
INSTALLING: Final = "install it: pip install 'rehref[markdown]'"
_REPOSITORY: Final = ("repository",)


def with_sources(folder: Path, options: CheckOptions, files: Files) -> tuple[Files, CheckOptions]:
    """Return the files, with Markdown among the documents if it is read, and the options, with its dialect.

    Without the package pyromark, Markdown that is not asked for, beside other documents, is skipped
    (`Types.needs_package`); else `FileError` is raised.
    """
    without, sources = files.types, files.unread
    if not sources:
        return files, options
    is_asked = options.how.dialect is not None or not set(sources).isdisjoint(options.files or ())
    found = configuration_of(folder)
    other = other_configuration(folder) if found is None else None
    found = found or (named_forge(folder) if other is None else None)
    dialect = options.how.dialect or (None if found is None else found[0])
    generator = generator_of(folder, dialect, found[1] if found is not None and found[0] == dialect else None)
    if not is_asked and not _is_of_sources(files, sources, generator):
        return files, options
    if find_spec("pyromark") is None:
        if not is_asked and any(map(without.is_document, files.paths)):
            return files._replace(types=without._replace(needs_package=True)), options
        raise FileError(str(folder), f"has Markdown, and reading that {NEEDS_PYROMARK}", INSTALLING)
    types = without._replace(has_sources=True)
    filled: frozenset[str] = frozenset()
    if generator is not None:
        files, filled = _with_generator(folder, files, generator, types)
        generator = files.generator
    above = None if found is None else found[1]
    sites = {at: file for at, file in sites_below(folder, sorted(files.paths)) if above != folder / file}
    files = files._replace(sites={at: file for at, file in sites.items() if not is_in_package(file)})
    unpublished = frozenset(path for path in sources if generator is not None and files.page_of(path) is None)
    unpublished = unpublished if len(unpublished) < len(sources) else frozenset()  # the generator may be for others
    ignore = options.ignore if dialect in PAGE_RULES else (*options.ignore, "above-root")
    has_root = options.given["dialect"] not in (None, *PAGE_RULES) or (
        generator is not None
        and generator.rules.has_root
        and generator.below is not None
        and not generator.said.get("has_prefix")
    )
    has_ids = _has_ids(dialect, generator) and (other is None or dialect is not None)
    unpublished |= {path for path in sources if files.site_of(path) is not None}
    unpublished |= filled
    types = types._replace(
        has_ids=has_ids,
        has_root=has_root,
        unpublished=unpublished,
        has_other=other is not None and dialect is None,
        is_repository=dialect in FORGES and other is None and (folder / ".git").exists(),
        ids_by=_said_of_ids(options, found, other, has_ids=has_ids),
    )
    layouts = () if generator is None else generator.rules.layouts
    excluded = (*options.exclude_paths, *_PACKAGES, *layouts)
    said = {} if generator is None else generator.said
    if generator is not None and said.get("theme"):
        theme = relative_to(os.path.normpath(generator.configuration.parent / said["theme"]), generator.folder)
        excluded = (*excluded, *([f"{theme}/*.html"] if theme else ()))
    how = replace(options.how, dialect=dialect, mdx_by_name=bool(said.get("md_by_name")))
    options = options._replace(how=how, ignore=ignore, exclude_paths=excluded)
    if layouts:
        options = options._replace(exclude=(*options.exclude, _TEMPLATE), ignore=(*ignore, "template-file"))
    return files._replace(types=types), options


def _with_generator(folder: Path, files: Files, generator: Generator, types: Types) -> tuple[Files, frozenset[str]]:
    """Return the files with what front matter and data say of URLs, and the sources whose ids are not known."""
    with_front = (MediaType.MARKDOWN, MediaType.HTML) if generator.rules.has_posts else (MediaType.MARKDOWN,)
    read = (path for path in files.paths if types.of(path) in with_front)
    fronts = {path: beginning(folder / path) for path in read}
    own: Mapping[str, Mapping[str, str]] = {path: said for path, front in fronts.items() if (said := own_urls(front))}
    key = generator.rules.aliases
    aliases = {path: former for path, front in fronts.items() if (former := aliases_of(front, key))}
    filled = _filled(folder, generator, fronts, files.paths)
    if generator.rules.has_data:
        own, unsure, endings = read_permalinks(folder, generator, files.paths)
        generator = generator._replace(unsure=unsure, endings=endings)
    return files._replace(generator=generator, own=own, aliases=aliases), filled


def _filled(folder: Path, generator: Generator, fronts: Mapping[str, bytes], paths: Container[str]) -> frozenset[str]:
    """Return the sources with pages into which programs put content, whose ids are not known.

    `fronts`: how each begins.
    """
    if generator.rules.fills is None:
        return frozenset()
    name, says = generator.rules.fills
    above = {path: ("", *accumulate(path.split("/")[:-1], "{}/{}".format)) for path in fronts}
    files = {at: posixpath.join(at, name) for at in {each for places in above.values() for each in places}}
    filled = {at for at, file in files.items() if file in paths and says.search(beginning(folder / file))}
    return frozenset(
        path
        for path, front in fronts.items()
        if not filled.isdisjoint(above[path]) or says.search(front_matter_of(front))
    )


def _is_of_sources(files: Files, sources: Sequence[str], generator: Generator | None) -> bool:
    """Whether a folder with these sources is one of sources: a dialect or a Markdown file is named, or there are more
    of them.

    They are compared with the HTML pages in the folder, or in what a generator publishes of it: the pages are parts of
    a theme, or demonstrations.
    """
    paths = files.paths
    pages = [path for path in paths if files.types.of(path) in MediaType.PAGES and not is_in_package(path)]
    own = [path for path in sources if not _is_copy(path, paths)]
    if not pages or len(own) > len(pages):
        return True

    def published(among: Iterable[str]) -> int:
        return sum(generator is not None and generator.page(path, {}, paths) is not None for path in among)

    return published(own) > published(pages)


def _is_copy(source: str, paths: Container[str]) -> bool:
    """Whether a source is a copy that a built site publishes beside its page, which is not what its readers see."""
    stem = source.rpartition(".")[0]
    folder, _, name = stem.rpartition("/")
    index = posixpath.join(folder if name.lower() in _INDEX_NAMES else stem, "index.html")
    return f"{stem}.html" in paths or index in paths


def _said_of_ids(options: CheckOptions, found: tuple[str, Path] | None, other: Path | None, *, has_ids: bool) -> str:
    """Return why headings get the ids that they get, or why these are not known, for people."""
    dialect = options.how.dialect
    if dialect is not None:
        said, by = dialect, f"--dialect {dialect}"
    elif other is not None:
        return f"the ids of headings are not known ({other} is of a generator whose ids are not known)"
    elif found is None:
        return "headings have the ids that all dialects give, since no file names a generator or a forge"
    else:
        said, by = found[0], f"{found[1]} names it"
    return f"headings have the ids of {said} ({by})" if has_ids else f"the ids of headings are not known ({by})"


def _has_ids(dialect: str | None, generator: Generator | None) -> bool:
    """Whether it is known which ids headings get.

    Without a dialect, they are those that all dialects give; what only some give counts as skipped. If a configuration
    says that ids are made another way, they are not known, and fragments of Markdown are not checked.
    """
    other = None if generator is None else generator.rules.other_ids
    if generator is None or other is None or generator.configuration == Path(generator.folder):
        return dialect != "commonmark"
    is_read = generator.configuration.is_file() and os.access(generator.configuration, os.R_OK)
    return is_read and other.search(generator.text) is None


def in_site(folder: Path, found: Placed, generator: Generator | None) -> Placed:
    """Return where a folder is whose paths from the root begin at that of its site or repository, or as found.

    They do in the dialect of a forge that is named, and in a document at several places (`publishing.py`). In an
    inferred dialect, such a path may be for a generator that is not known, and is skipped. `generator`: what makes the
    site, if that is known.
    """
    if found.basis != "root":
        return found
    if generator is not None:
        below, sources = generator.below or "", (generator.configuration.name,)
    else:
        below, sources = path_in_repository(folder)[1], _REPOSITORY
    return Placed(f"{UNKNOWN_HOST}/{encode_path(below)}", "stated", sources) if below else found


def serving_sources(host: Host, files: Files, found: Placed, dialect: str | None) -> Host:
    """Return the host, as it finds sources in a dialect: a path leads to a source as on the site that is made of it.

    `guide`, `guide/` and `guide.html` lead to `guide.md`, and the path of a folder to its `index.md`, `README.md` or
    `_index.md` (on a forge to its `README.md` first), or to the list of its files.
    """
    if not files.types.has_sources:
        return host
    indexes = sorted(_INDEXES, key=lambda name: name.lower() != "readme.md") if dialect in FORGES else _INDEXES
    return host._replace(
        index_names=tuple(dict.fromkeys((*host.index_names, *indexes))),
        fallback_extensions=(*host.fallback_extensions, *_EXTENSIONS),
        slash_after_file=True,
        lists_folders=True,
        made_of=_EXTENSIONS,
        is_part=found.basis == "stated" and found.uri.startswith(UNKNOWN_HOST),
        unknown=_unknown(files),
    )


def _unknown(files: Files) -> re.Pattern[str] | None:
    """Return the paths that may be those of pages that are not known.

    That is a path without the name of a file, if the URL of a page is not known, or a link render hook of Hugo decides
    what links mean; any path, if the contents of a Hugo site are mounted from several places.
    """
    sources = (path for path in files.paths if files.types.of(path) == MediaType.MARKDOWN)
    if files.types.has_other:
        return WITHOUT_NAME
    if files.generator is None or files.generator.unsure is not None:
        return None if files.generator is None else files.generator.unsure
    return WITHOUT_NAME if any(files.page_of(path) == UNKNOWN for path in sources) else None

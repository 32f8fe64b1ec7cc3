"""To what a reference in a source is relative, as far as its site decides that, and not its text.

Bundlers take pictures from anywhere in a project. A source that is not published may be a part of any page: it is not
known where its paths from the root lead; nor is what is beside a book of mdBook.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from rehref.documents.media_types import MediaType
from rehref.files.file_documents import encode_path, relative_to
from rehref.site._grounds.files import Files
from rehref.site._grounds.generators import Generator
from rehref.site._grounds.page_rules import LinksFrom
from rehref.site._paths import decode_path


def base_of_page(files: Files, site: str, path: str, to: str) -> str | None:
    """Return the URI to which a path in the source at `path` is relative; "" if not known; None: to the source.

    `site`: the URI of the folder. In a repository, paths from the root lead below it if what they begin with is there:
    others may be for a generator that is not known.
    """
    generator = files.generator
    if files.site_of(path) is not None:
        return None if _is_there(files, path, to) else ""
    if generator is None and to.startswith("/") and files.types.is_repository:
        first = decode_path(to[1:].partition("/")[0]) or ""
        return site if first in files.folders or first in files.paths else None
    if generator is None:
        return _above(files, site, path, to) if files.types.has_other and _is_markdown(to) else None
    if to.startswith("/"):
        is_of_site = files.page_of(path) is not None or not generator.rules.has_root
        return "" if not is_of_site or _is_beside(files, generator, to[1:].removeprefix(generator.base)) else None
    if generator.rules.has_parts and files.page_of(path) is None and not _is_there(files, path, to):
        return ""
    if to.startswith(("@", "~")) and generator.rules.has_root and not generator.rules.at_contents:
        return ""  # of a bundler
    if generator.rules.has_root and to.startswith("..") and _is_outside(generator, path, to):
        return ""
    if generator.rules.at_contents and to.startswith(generator.rules.at_contents):
        return "" if _is_beside(files, generator, to.removeprefix(generator.rules.at_contents)) else site
    if generator.rules.unless and generator.said[generator.rules.unless]:
        return None
    return _OF_RELATIVE[generator.rules.from_](files, generator, site, path, to)


def _from_contents(_: Files, generator: Generator, site: str, __: str, to: str) -> str | None:
    """Return the folder of contents for a link to a page.

    Docsify looks links up there, unless it has `relativePath`; pictures, beside the source.
    """
    return _root(generator, site) if _is_markdown(to) or not posixpath.splitext(to)[1] else None


def _from_source(files: Files, generator: Generator, site: str, path: str, to: str) -> str | None:
    """Return the URI of the site for a path that leads out of the folder of contents, to nothing."""
    above = _above_contents(generator, path, to) if to.startswith("..") else None
    if above is None:
        return None
    is_known = not generator.rules.is_part or _is_published(files, generator, path, above)
    return site + encode_path(generator.source(path) or "") if is_known else ""


def _from_page_if_stated(files: Files, generator: Generator, site: str, path: str, to: str) -> str | None:
    """Return the URI of the page if its front matter says it.

    Zola leaves references, and that is not beside its source.
    """
    is_stated = generator.rules.url in files.own.get(path, {})
    return _from_page(files, generator, site, path, to) if is_stated else None


def _from_page(files: Files, generator: Generator, site: str, path: str, to: str) -> str | None:
    """Return the URI of the page, unless the link is to Markdown.

    Jekyll leaves references as they are, except those (jekyll-relative-links).
    """
    if _is_markdown(to) or files.page_of(path) is None:
        return None
    address = next(generator.addresses(path, files.own.get(path, {}), files.paths), "")
    return address and site + encode_path(address)


def _from_page_to_static(files: Files, generator: Generator, _: str, path: str, to: str) -> str | None:
    """Return that it is not known for what is in folders of static files.

    Hugo leaves references. A file that is there on the site, in its folder of static files for example, is not looked
    up beside the source.
    """
    made = None if _is_markdown(to) else files.page_of(path)
    return "" if made and _is_static(generator, made, to) else None


def _is_markdown(to: str) -> bool:
    return MediaType.by_extension(to) == MediaType.MARKDOWN


def _is_there(files: Files, path: str, to: str) -> bool:
    """Whether a path in a source leads to a file or folder beside it."""
    there = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(to)))
    return there in files.paths or there in files.folders


def _above(files: Files, site: str, path: str, to: str) -> str | None:
    """Return the URI of the nearest folder below which there is a file of Markdown.

    A generator that is not known may look for it beside the source, or from a folder above. Of a site in a folder
    below, only its own check knows where what is not there leads.
    """
    name = unquote(to)
    folders = ["", *accumulate(path.split("/")[:-1], "{}/{}".format)]
    found = (each for each in reversed(folders) if posixpath.normpath(posixpath.join(each, name)) in files.paths)
    folder = next(found, None)
    return None if folder is None else f"{site}{encode_path(folder)}/" if folder else site


def _from_page_or_source(files: Files, generator: Generator, site: str, path: str, to: str) -> str | None:
    """Return the URI of the page, or that of a folder with the file.

    Eleventy leaves references, but plugins look up files beside the source, and those of Markdown also from a folder
    above.
    """
    if _is_markdown(to) or (_is_there(files, path, to) and posixpath.splitext(to)[1]):
        return _above(files, site, path, to)
    address = next(generator.addresses(path, files.own.get(path, {}), files.paths), "")
    if posixpath.splitext(to)[1]:
        there = posixpath.normpath(posixpath.join(posixpath.dirname(address), unquote(to)))
        return site + encode_path(address) if address and there in files.paths else None
    return address and site + encode_path(address)


def _root(generator: Generator, site: str) -> str:
    """Return the URI of the folder of contents, in which VitePress and Starlight look up paths from the root, Zola
    `@/`.
    """
    below = relative_to(generator.folder, generator.folders[0])
    if below:
        return site.removesuffix(f"{encode_path(below)}/")
    above = relative_to(generator.folders[0], generator.folder)
    return f"{site}{encode_path(above)}/" if above else site


def _is_outside(generator: Generator, path: str, to: str) -> bool:
    """Whether a path in a source leads out of the checked folder, to a file of the project."""
    there = os.path.normpath(os.path.join(generator.folder, os.path.dirname(path), unquote(to)))  # noqa: PTH118, PTH120
    return relative_to(there, generator.folder) is None and os.path.isfile(there)  # noqa: PTH113


def _above_contents(generator: Generator, path: str, to: str) -> str | None:
    """Return where a path leads that leaves the folder of contents for what is not there, without the `..`; or None.

    Of a generator whose pages are in a folder each, it depends on the page; then None, too.
    """
    source = generator.source(path) if generator.said["flat"] else None
    there = "" if source is None else posixpath.normpath(posixpath.join(posixpath.dirname(source), unquote(to)))
    is_left = there.startswith("../") and not Path(generator.folders[-1], there).exists()
    return re.sub(r"\A(?:\.\./)+", "", there) if is_left else None


def _is_published(files: Files, generator: Generator, path: str, above: str) -> bool:
    """Whether there is a page or file at a path from the folder of contents."""
    own = path.removesuffix(generator.source(path) or "") + above
    return own in files.paths or own.removesuffix("html") + "md" in files.paths


def _is_beside(files: Files, generator: Generator, to: str) -> bool:
    """Whether a path on the site leads to a file that is published, and not in the checked folder."""
    name = decode_path(to)
    there = (os.path.normpath(os.path.join(folder, name)) for folder in generator.folders if name)  # noqa: PTH118
    return any(relative_to(path, generator.folder) is None and os.path.isfile(path) for path in there)  # noqa: PTH113


def _is_static(generator: Generator, page: str, to: str) -> bool:
    """Whether a page leads to a file that is in none of the folders of contents."""
    there = decode_path(posixpath.normpath(posixpath.join("/", posixpath.dirname(page), to))).lstrip("/")
    return any(Path(folder, there).is_file() for folder in generator.folders[1:])


def _from_folders_above(files: Files, generator: Generator, site: str, path: str, to: str) -> str | None:
    """Return the URI of the nearest folder below which there is a file.

    Docusaurus looks for a file of Markdown beside the source, and, unless the path begins with a dot, below the folders
    above: that of the documentation, and of the site (`resolveMarkdownLink` in its `@docusaurus/utils`). What is there
    above the checked folder is not known; nor is `@site/`, the folder of the site.
    """
    if to.startswith(("./", "../")) or not (_is_markdown(to) or to.startswith("@site/")):
        return None
    if to.startswith("@"):
        return ""
    name = decode_path(to) or to
    above = ["", *accumulate(path.split("/")[:-1], "{}/{}".format)]
    found = (each for each in reversed(above) if posixpath.join(each, name) in files.paths)
    folder = next(found, None)
    if folder is not None:
        return f"{site}{encode_path(folder)}/" if folder else site
    return "" if os.path.lexists(generator.configuration.parent / name) else None


_OF_RELATIVE: Final[Mapping[LinksFrom, Callable[[Files, Generator, str, str, str], str | None]]] = MappingProxyType(
    {
        "source": _from_source,
        "contents": _from_contents,
        "page": _from_page,
        "page-if-stated": _from_page_if_stated,
        "page-to-static": _from_page_to_static,
        "page-or-source": _from_page_or_source,
        "folders-above": _from_folders_above,
    }
)
"""The base of a relative path, by what `PageRules.from_` says."""

"""Hooks of MkDocs: add the pages that are made from the code, and adapt links in Markdown files to the site.

- Nothing in the code is documented twice: names, commands, codes, micro-syntaxes and profiles become pages
  when the site is built (`docs_pages`).
- Pages in `docs/` link to other files of the project. The README is the start page; no other such file is part
  of the site, so a link to one becomes its text.
- The theme's search is a dialog without a name, which screen readers need; it gets one.
"""

from __future__ import annotations

import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from docs_pages import codes, commands, profiles, public_names, syntaxes

PAGES = {
    "reference/python.md": public_names.page,
    "reference/codes.md": codes.page,
    "reference/micro-syntaxes.md": syntaxes.page,
    "reference/profiles.md": profiles.page,
    **commands.PAGES,
}
"""The function that makes each page, by its path."""

_OUTSIDE = re.compile(r"(?<!!)\[([^]]*)\]\(((?:\.\./)+[^)#]*)(#[^)]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of commands into the navigation."""
    config.nav = _with_commands(config.nav)
    return config


def _with_commands(nav: Any) -> Any:
    """The navigation, with a page for each command below `Commands`."""
    if isinstance(nav, list):
        return [_with_commands(item) for item in nav]
    if isinstance(nav, dict):
        return {title: commands.NAV if title == "Commands" else _with_commands(value) for title, value in nav.items()}
    return nav


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages made from the code."""
    for path, page in PAGES.items():
        files.append(File.generated(config, path, content=page()))
    return files


def on_page_markdown(markdown: str, *, page: Any, files: Files, **_: Any) -> str:
    """Adapt the links that lead out of `docs/`."""
    depth = page.file.src_uri.count("/")
    home = "../" * depth + "index.md"

    def fitted(found: re.Match[str]) -> str:
        text, path = found[1], found[2]
        ups = path.count("../")
        if ups <= depth:
            return found[0]
        return f"[{text}]({home})" if path.endswith("/README.md") and ups * 3 + 9 == len(path) else text

    return _OUTSIDE.sub(fitted, markdown)


def on_post_page(output: str, **_: Any) -> str:
    """Name the search dialog of a page."""
    return _with_search_named(output)


def on_post_template(output_content: str, **_: Any) -> str:
    """Name the search dialog of 404.html, too."""
    return _with_search_named(output_content)


def _with_search_named(output: str) -> str:
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )

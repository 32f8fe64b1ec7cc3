"""The dialects of Markdown, each a row: what they add to CommonMark as far as references depend on it.

1. Without a name, a text is read as `github` reads it, whose additions nearly all others have too.
2. Bare URLs are links where a dialect links them by default: not in kramdown (`jekyll`), nor in Python-Markdown.
3. Front matter is between lines of `---`; between lines of `+++`, it is TOML.
4. In Python-Markdown's admonitions and tabs (`!!! note`, `??? note`, `=== "Tab"`), what is indented is Markdown; by
   CommonMark it would be code.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

DialectName: TypeAlias = Literal["commonmark", "github", "gitlab", "mkdocs", "docusaurus", "hugo", "jekyll"]


class Dialect(NamedTuple):
    """One dialect. `has_tables`: also footnotes and strikethrough.

    `links_urls`: whether bare URLs are links (rule 2).
    `has_admonitions`: rule 4. `is_jsx`: whether a value that begins with `{` is an expression.
    """

    has_tables: bool = True
    links_urls: bool = False
    has_front_matter: bool = True
    has_admonitions: bool = False
    is_jsx: bool = False


DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {
        "commonmark": Dialect(has_tables=False, has_front_matter=False),
        "github": Dialect(links_urls=True),
        "gitlab": Dialect(links_urls=True),
        "mkdocs": Dialect(has_admonitions=True),
        "docusaurus": Dialect(links_urls=True, is_jsx=True),
        "hugo": Dialect(links_urls=True),
        "jekyll": Dialect(),
    }
)
"""The dialects by name."""
OF_SITES: Final = frozenset({"mkdocs", "docusaurus", "hugo", "jekyll"})
"""Those of generators of sites; files above the folder of their sources are not on the site."""
IN_FOLDERS: Final = frozenset({"mkdocs", "hugo"})
"""Those of which a page is in a folder of its own by default: `guide/index.html`."""


def dialect_named(name: str | None) -> Dialect:
    """The dialect with this name (rule 1)."""
    return DIALECTS[name or "github"]

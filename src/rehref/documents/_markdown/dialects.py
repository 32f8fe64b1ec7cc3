"""The dialects of Markdown, each a row: what they add to CommonMark as far as references depend on it.

A generator may put content into a page that is not in its text, such as that of another file: such a page may have any
id (`Dialect.inserts`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

DialectName: TypeAlias = Literal[
    "commonmark",
    "github",
    "gitlab",
    "mkdocs",
    "docusaurus",
    "hugo",
    "jekyll",
    "vitepress",
    "starlight",
    "mdbook",
    "zola",
    "docsify",
    "eleventy",
    "myst",
    "gitbook",
    "quarto",
    "nuxt",
]

_NO_HEADINGS = rb"/|(?:assign|els\w+|end\w*|figure|gist|highlight|link|param|post_url|ref|relref|when|youtube)\b"
_TAG = rb"\{%%-?[ \t]*+(?!%s)(\w++)" % _NO_HEADINGS
_SHORTCODE = rb"\{\{[<%%][ \t]*+(?!%s)([\w./-]++)" % _NO_HEADINGS


_COMPONENT = rb"(?!Badge\b)([A-Z][\w.-]*+))"
"""A component at the beginning of a line, but one that is only a label."""


def _inserts(at_line: bytes, in_heading: bytes = rb"\{[{%]") -> re.Pattern[bytes]:
    """What may put content into a page: by what begins a line with no text behind it, or is in a heading.

    Group 1: the name of what may be closed again, which is only around content that is in the text. `in_heading`: what
    makes ids that are not known: Zola transliterates headings; that of an emoji, or of a letter of another script, is
    not known. Hugo may give ids to the terms of lists of definitions.
    """
    line = rb"[ \t>*+\d.)-]*(?:%s)(?![^\n]*\}[ \t]+[^\s{<])" % at_line
    return re.compile(rb"(?m)^(?:%s|[ \t]*#{1,6}[ \t][^\n]*?(?:%s))" % (line, in_heading))


class Dialect(NamedTuple):
    """One dialect. `has_tables`: also footnotes and strikethrough.

    `links_urls`: whether bare URLs are links by default: not in kramdown (`jekyll`), nor in Python-Markdown. Front
    matter is between lines of `---`; between lines of `+++`, it is TOML. `has_admonitions`: whether what is indented in
    Python-Markdown's admonitions and tabs (`!!! note`, `??? note`, `=== "Tab"`) is Markdown; by CommonMark it would be
    code. A heading needs no space behind its `#` there; it is found if a blank line is before it. `is_jsx`: whether it
    is MDX (`mdx_texts`), where a component may put content into a page. `inserts`: what else may. `has_elements`:
    whether a block of HTML is an element, blank lines or not, and is Markdown only if its attribute `markdown` says so
    (Python-Markdown, kramdown). `in_folders`: whether a page is in a folder of its own by default: `guide/index.html`.
    `has_attributes`: whether URLs in quotes behind `=` are values of attributes, not bare (Nuxt).
    """

    has_tables: bool = True
    links_urls: bool = False
    has_front_matter: bool = True
    has_admonitions: bool = False
    is_jsx: bool = False
    inserts: re.Pattern[bytes] | None = None
    has_elements: bool = False
    in_folders: bool = False
    has_attributes: bool = False


DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {
        "commonmark": Dialect(has_tables=False, has_front_matter=False),
        "github": Dialect(links_urls=True),
        "gitlab": Dialect(links_urls=True),
        "mkdocs": Dialect(
            has_admonitions=True,
            has_elements=True,
            inserts=_inserts(rb"-8<-|:::[ \t]+\w|\{[!{]|" + _TAG),
            in_folders=True,
        ),
        "docusaurus": Dialect(links_urls=True, is_jsx=True),
        "hugo": Dialect(links_urls=True, inserts=_inserts(rb":(?=[ \t])|" + _SHORTCODE), in_folders=True),
        "jekyll": Dialect(has_elements=True, inserts=_inserts(rb"\{\{|" + _TAG)),
        "vitepress": Dialect(links_urls=True, inserts=re.compile(rb"(?m)^[ \t]*<(?:!--[ \t]*@include|" + _COMPONENT)),
        "starlight": Dialect(links_urls=True, inserts=re.compile(rb"(?m)^[ \t]*<(?:" + _COMPONENT), in_folders=True),
        "mdbook": Dialect(inserts=_inserts(rb"\{\{#(\w++)")),
        "docsify": Dialect(
            links_urls=True, inserts=re.compile(rb"(?m)^[ \t]*\[([^\]\n]*+)\]\([^()\n]*?[ \t][\"'][^()\n]*?:include")
        ),
        "myst": Dialect(),
        "gitbook": Dialect(links_urls=True, inserts=_inserts(rb"\{\{|" + _TAG)),
        "quarto": Dialect(inserts=_inserts(_SHORTCODE)),
        "nuxt": Dialect(links_urls=True, has_attributes=True, inserts=_inserts(rb":{2,}(\w[\w-]*+)")),
        "eleventy": Dialect(inserts=_inserts(rb"\{\{|" + _TAG)),
        "zola": Dialect(
            inserts=_inserts(rb"\{[{%]-?[ \t]*+(\w++)", rb"[\xce-\xe1\xe3-\xf4]|\xe2[\x98-\x9f]|\{[{%]"),
            in_folders=True,
        ),
    }
)
"""The dialects by name."""
OF_SITES: Final = frozenset(DIALECTS) - {"commonmark", "github", "gitlab"}
"""Those of generators of sites; files above the folder of their sources are not on the site."""


def dialect_named(name: str | None) -> Dialect:
    """The dialect with this name; without a name `github`, whose additions nearly all others have too."""
    return DIALECTS[name or "github"]

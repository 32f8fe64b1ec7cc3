"""The rules by which generators make pages of sources, each a row: folders, names of indexes, keys in configurations.

`generators.py` says what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class PageRules(NamedTuple):
    """The rules of a generator. `folders`: of contents and of static files, the first that has a file counts; `{}` is
    the one that `key` names in the configuration, by default `contents`; `flat`: what says there that pages are files;
    `indexes`: names of the index of a folder; `unpublished`: how names begin that are not published; `url`: the key of
    a whole path in front matter. `has_root`: whether paths from the root lead to what is published, below its base.
    `at_contents`: what precedes the path of a source in a link from the folder of contents. `own_ids`: of each page.
    `has_routes`: whether fragments that begin with a slash are paths. `templates`: endings of pages besides Markdown.
    """

    folders: tuple[str, ...]
    contents: str
    key: str
    flat: str
    indexes: frozenset[str] = frozenset({"index", "readme"})
    unpublished: tuple[str, ...] = (".",)
    url: str = ""
    has_root: bool = False
    at_contents: str = ""
    own_ids: tuple[str, ...] = ()
    has_routes: bool = False
    templates: tuple[str, ...] = ()


IN_PROGRAM: Final = r"(?:.*[{,])?[ \t]*"
"""What is before a key in a line of a configuration that is a program."""
_TEMPLATES: Final = ("11ty.js", "11ty.cjs", "11ty.mjs", "njk", "liquid", "html", "webc", "hbs", "mustache", "ejs")
_NEVER: Final = "(?!)"
_ALWAYS: Final = r"\A"


PAGE_RULES: Final[Mapping[str, PageRules]] = MappingProxyType(
    {
        "mkdocs": PageRules(("{}",), "docs", "docs_dir", r"^use_directory_urls:[ ]*false"),
        "hugo": PageRules(
            ("{}", "static"),
            "content",
            "contentDir",
            r"^uglyURLs\s*[=:]\s*true",
            frozenset({"index", "_index"}),
            url="url",
        ),
        "jekyll": PageRules(
            ("{}",),
            ".",
            "source",
            r"\A(?!(?:.*\n)*?permalink:[ ]*[\"']?(?:pretty|/.*/[\"']?\s*$))",
            unpublished=(".", "_"),
            url="permalink",
        ),
        "docusaurus": PageRules(("src/pages", "static", "."), ".", _NEVER, _NEVER, unpublished=(".", "_")),
        "vitepress": PageRules(
            ("{}/public", "{}"),
            ".",
            IN_PROGRAM + "srcDir",
            _ALWAYS,
            frozenset({"index"}),
            has_root=True,
            own_ids=("app",),
        ),
        "starlight": PageRules(
            ("{}/content/docs", "public"),
            "src",
            IN_PROGRAM + "srcDir",
            rf"^{IN_PROGRAM}format:[ ]*['\"]file",
            frozenset({"index"}),
            (".", "_"),
            "slug",
            has_root=True,
            own_ids=("_top", "starlight__on-this-page"),
        ),
        "mdbook": PageRules(("{}",), "src", "src", _ALWAYS, unpublished=(".", "SUMMARY.md")),
        "docsify": PageRules(
            ("{}",),
            ".",
            _NEVER,
            _ALWAYS,
            frozenset({"readme"}),
            (".", "_sidebar", "_navbar", "_coverpage", "_footer"),
            has_root=True,
            has_routes=True,
        ),
        "zola": PageRules(
            ("content", "static"),
            "content",
            _NEVER,
            _NEVER,
            frozenset({"index", "_index"}),
            url="path",
            at_contents="@/",
        ),
        "myst": PageRules(("{}",), ".", _NEVER, _ALWAYS, frozenset({"index"}), (".", "_"), has_root=True),
        "eleventy": PageRules(
            ("{}",),
            ".",
            rf"(?:{IN_PROGRAM}input|.*\.setInputDirectory)",
            _NEVER,
            frozenset({"index"}),
            (".", "_includes", "_data", "node_modules"),
            "permalink",
            has_root=True,
            templates=tuple(f".{each}" for each in _TEMPLATES),
        ),
    }
)

"""The generators of sites, each a row: how one is recognised, where the pages of its sources are, what its links mean.

`generators.py` says what the rules mean. All that a generator does in its own way is a field or a function of its row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.site._grounds import page_names, unsure_paths
from rehref.site._grounds.page_names import NamedPage
from rehref.site._grounds.unsure_paths import Configured

LinksFrom: TypeAlias = Literal[
    "source", "contents", "page", "page-if-stated", "page-to-static", "page-or-source", "folders-above"
]
"""To what a relative path in a source is relative (`source_bases.py`)."""
LanguagesIn: TypeAlias = Literal["", "tables", "locales"]
"""Where a configuration names languages (`configurations.py`)."""


class PageRules(NamedTuple):
    """The rules of a generator.

    Recognising: `configurations`: their names, from the folder of the site; `says_so`: what those whose names begin so
    have, since other programs use the name, too; `beside`: what else is there; `unless_beside`: what is not.
    Folders: `folders`: of contents and of static files, the first that has a file counts; `{}` is the one that `key`
    names in the configuration, by default `contents`; `argument`: that names it in a script of `package.json`;
    `inside`: folders of the site in which the configuration may be; `layouts`: what is not checked.
    Pages: `flat`: what in the configuration says that pages are files, `flat_index` whether those of folders, too;
    `indexes`: names of the index of a folder; `has_case`: whether their case matters; `by_folder`: whether a page with
    the name of its folder is one; `unpublished`: how names begin that are not published; `listing`: the file in which
    all pages are listed; `unknown`: paths, without an ending, of which the page is not known; `named`, `slugged`:
    functions of `page_names.py`; `url`: the key of a whole path in front matter, `flat_url`: whether that is one of a
    file, `names_file`: what is in it if it names one; `aliases`: the key of paths that lead on to the page;
    `has_assets`: whether what is beside an index is published below its page; `templates`: endings of pages besides
    Markdown; `has_posts`: whether there are posts and collections (Jekyll); `has_bundles`: whether a page
    with the name of an index has no other page below its folder, and other files theirs below the nearest index (Hugo);
    `has_data`: whether data beside it say where a page is (`permalinks.py`); `has_fallbacks`: whether a page that a
    language lacks is that of the default language; `languages`: where they are named.
    Links: `from_`: of relative paths, `unless` a key of the configuration is there; `has_root`: whether paths from the
    root lead to what is published, below its base, which `has_base` says is in the configuration; `at_contents`: what
    precedes the path of a source in a link from the folder of contents; `also_index`: how the index of a folder is
    linked to, too; `is_part`: whether sites mostly are below a path of their host, beside others to which relative
    paths lead; `unsure`: a function of `unsure_paths.py`.
    Ids: `own_ids`: of each page; `has_routes`: whether fragments that begin with a slash are paths; `other_ids`: what
    in the configuration says that ids of headings are not made as by default; `fills`: what in front matter, or in a
    file for all pages below its folder, says that programs put content into a page; `has_parts`: whether a source
    without a page is a part of others, which its references are relative to.
    `says`: what else the configuration may say, each as an expression for the beginning of a line.
    """

    configurations: tuple[str, ...]
    folders: tuple[str, ...] = ("{}",)
    contents: str = "."
    key: str = "(?!)"
    flat: str = "(?!)"
    says_so: tuple[str | tuple[str, ...], re.Pattern[str]] | None = None
    beside: str = ""
    unless_beside: str = ""
    argument: re.Pattern[str] | None = None
    inside: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    flat_index: bool = False
    indexes: frozenset[str] = frozenset({"index", "readme"})
    has_case: bool = False
    by_folder: bool = False
    unpublished: tuple[str, ...] = (".",)
    listing: str = ""
    unknown: re.Pattern[str] = re.compile(r"(?!)")
    named: Callable[[str, Mapping[str, str]], str] = page_names.as_on_disk
    slugged: Callable[[NamedPage, Mapping[str, str]], Sequence[str]] = page_names.as_named
    url: str = ""
    flat_url: bool = False
    names_file: re.Pattern[str] = re.compile(r"[^/]\.[^./]+\Z")
    aliases: str = ""
    has_assets: bool = False
    templates: tuple[str, ...] = ()
    has_posts: bool = False
    has_bundles: bool = False
    has_data: bool = False
    has_fallbacks: bool = False
    languages: LanguagesIn = ""
    from_: LinksFrom = "source"
    unless: str = ""
    has_root: bool = False
    has_base: bool = False
    at_contents: str = ""
    also_index: str = ""
    is_part: bool = False
    unsure: Callable[[Configured], Iterator[str]] = unsure_paths.nothing
    own_ids: tuple[str, ...] = ()
    has_routes: bool = False
    other_ids: re.Pattern[str] | None = None
    fills: tuple[str, re.Pattern[bytes]] | None = None
    has_parts: bool = False
    says: Mapping[str, str] = MappingProxyType({})


_OF_SCRIPTS: Final = ("ts", "mts", "js", "mjs")
_IN_PROGRAM: Final = r"(?:.*[{,])?[ \t]*"
"""What is before a key in a line of a configuration that is a program."""
_ALWAYS: Final = r"\A"
_DYNAMIC: Final = re.compile(r"\[")
"""In a name of which a generator makes one page for each of some values."""
_INDEX: Final = frozenset({"index"})
_LANGUAGE: Final = _IN_PROGRAM + r"(?:defaultContentLanguage|defaultLocale)\s*[=:]\s*[\"']?([\w-]+)"
_BASE: Final = _IN_PROGRAM + r"base:[ ]*[\"']/?([^\"'\s]*)"
_REDIRECTS: Final = r"(?:.*[{,\s])?redirects\b"
_TOC: Final = r"(?m)^([ ]*)(?:-[ ]+)?(?:markdown\.extensions\.)?toc:(?:[ ]*\{[^}]*|.*\n(?:\1[ ].*\n)*?\1[ ]+)"
_KRAMDOWN: Final = r"auto_ids:\s*false|input:\s*kramdown|auto_id_prefix:|transliterated_header_ids:\s*true"
_OF_ELEVENTY: Final = ("11ty.js", "11ty.cjs", "11ty.mjs", "njk", "liquid", "html", "webc", "hbs", "mustache", "ejs")
_PROGRAM: Final = unsure_paths.PREPROCESSOR.removeprefix("(?m)^")
_OF_BOOK: Final = r"\b(?:root|plugins|pluginsConfig|structure|gitbook)[\"']?\s*:"
_INCLUDED: Final = ("_includes", "*/_includes", "_layouts", "*/_layouts")


PAGE_RULES: Final[Mapping[str, PageRules]] = MappingProxyType(
    {
        "mkdocs": PageRules(
            ("mkdocs.yml", "mkdocs.yaml"),
            contents="docs",
            key="docs_dir",
            flat=r"^use_directory_urls:[ ]*false",
            other_ids=re.compile(_TOC + r"(?:slugify|separator)\b"),
            says={"theme": r"[ ]+custom_dir:[ ]*[\"']?([^\"'#\s]+)"},
        ),
        # numbers before names go: of `01-intro.md`, not of `2026-11-28.md`; `slug: /a` is below `docs`; blogs: not
        # known
        "docusaurus": PageRules(
            tuple(f"{at}docusaurus.config.{end}" for at in ("", "website/") for end in ("js", "ts", "mjs")),
            ("src/pages", "static", "."),
            by_folder=True,
            unpublished=(".", "_"),
            unknown=re.compile(r"\Ablog(?:/|\Z)"),
            named=page_names.without_number,
            slugged=page_names.slugged_in_docusaurus,
            from_="folders-above",
            other_ids=re.compile(r"\bmaintainCase:\s*true"),
            says={"md_by_name": r".*\bformat:\s*[\"'](?:detect|md)[\"']"},
        ),
        # names of folders and pages lose all but letters, digits and a few signs, a space becomes a hyphen, capitals
        # are lowered (`UnicodeSanitize` in its `helpers/path.go`); `url` in front matter is the whole path, `slug` the
        # last name, except in `_index.md`; `a.fr.md` is in `fr/`, if the configuration has that language
        "hugo": PageRules(
            tuple(
                f"{at}.{end}"
                for at in ("hugo", "config", "config/_default/hugo", "config/_default/config")
                for end in ("toml", "yaml", "json")
            ),
            ("{}", "static"),
            "content",
            "contentDir",
            r"^uglyURLs\s*[=:]\s*true",
            says_so=("config.", re.compile(r'^(?:\s*")?baseURL\b', re.MULTILINE | re.IGNORECASE)),
            inside=("config/_default",),
            layouts=("layouts", "archetypes", "assets"),
            flat_index=True,
            indexes=frozenset({"index", "_index"}),
            has_case=True,
            named=page_names.sanitized_by_hugo,
            slugged=page_names.slugged_in_hugo,
            url="url",
            aliases="aliases",
            has_bundles=True,
            languages="tables",
            from_="page-to-static",
            unsure=unsure_paths.of_hooks,
            other_ids=re.compile(r"autoHeadingIDType[\"']?\s*[:=]\s*[\"']?(?!github[\"'\s])\w"),
            says={
                "permalinks": r"\[?permalinks\b",
                "has_plain_letters": r"removePathAccents\s*[=:]\s*true",
                "has_capitals": r"disablePathToLower\s*[=:]\s*true",
                "language": _LANGUAGE,
            },
        ),
        # of `[name].md` it makes pages that are not known
        "vitepress": PageRules(
            tuple(f".vitepress/config{at}.{end}" for at in ("", "/index") for end in _OF_SCRIPTS),
            ("{}/public", "{}"),
            key=_IN_PROGRAM + "srcDir",
            flat=_ALWAYS,
            inside=(".vitepress/config", ".vitepress"),
            indexes=_INDEX,
            unknown=_DYNAMIC,
            has_root=True,
            unsure=unsure_paths.of_rewrites,
            own_ids=("app",),
            other_ids=re.compile(r"\banchor:|slugify|Delimiter:"),
            says={"base": _BASE, "rewrites": _IN_PROGRAM + r"rewrites\b"},
        ),
        "starlight": PageRules(
            tuple(f"astro.config.{end}" for end in _OF_SCRIPTS),
            ("{}/content/docs", "public"),
            "src",
            _IN_PROGRAM + "srcDir",
            rf"^{_IN_PROGRAM}format:[ ]*['\"]file",
            says_so=("astro.config.", re.compile(r"\bstarlight\s*\(")),
            indexes=_INDEX,
            unpublished=(".", "_"),
            unknown=_DYNAMIC,
            named=page_names.slug_of_starlight,
            url="slug",
            has_fallbacks=True,
            languages="locales",
            has_root=True,
            has_base=True,
            unsure=unsure_paths.of_routes,
            own_ids=("_top", "starlight__on-this-page"),
            other_ids=re.compile(r"rehype-?slug|rehypeHeadingIds", re.IGNORECASE),
            says={"base": _BASE, "redirects": _REDIRECTS, "language": _LANGUAGE},
        ),
        "mdbook": PageRules(
            ("book.toml",),
            contents="src",
            key="src",
            flat=_ALWAYS,
            unpublished=(".", "SUMMARY.md"),
            listing="SUMMARY.md",
            also_index="index.md",
            is_part=True,
            unsure=unsure_paths.of_book,
            other_ids=re.compile(unsure_paths.PREPROCESSOR),
            says={"other": rf"(?:{_PROGRAM}|use-default-preprocessors[ ]*=[ ]*false)"},
        ),
        # names become slugs, without the date before them; links to sources begin with `@/`
        "zola": PageRules(
            ("zola.toml", "config.toml"),
            ("content", "static"),
            says_so=("config.toml", re.compile(r"^base_url\b", re.MULTILINE)),
            beside="content",
            indexes=frozenset({"index", "_index"}),
            unknown=re.compile(r"\.[^/]*\Z"),  # in another language, or in a version
            named=page_names.slug_of_zola,
            slugged=page_names.slugged_in_zola,
            url="path",
            names_file=re.compile(r"\.html\Z"),
            aliases="aliases",
            has_assets=True,
            from_="page-if-stated",
            has_root=True,
            has_base=True,
            at_contents="@/",
            unsure=unsure_paths.of_zola,
            other_ids=re.compile(r"""(?m)^anchors\s*=\s*["'](?!on["'])"""),
            says={"base": r"base_url\s*=\s*[\"']https?://[^/\"']+(/?[^\"'#]*)"},
        ),
        # shows sources as pages; parts of pages are not among them
        "docsify": PageRules(
            ("index.html",),
            flat=_ALWAYS,
            says_so=("index.html", re.compile(r"\$docsify\b")),
            indexes=frozenset({"readme"}),
            unpublished=(".", "_sidebar", "_navbar", "_coverpage", "_footer"),
            unknown=_DYNAMIC,
            from_="contents",
            unless="is_relative",
            has_root=True,
            unsure=unsure_paths.of_aliases,
            has_routes=True,
            says={"is_relative": _IN_PROGRAM + r"relativePath:[ ]*true"},
        ),
        "eleventy": PageRules(
            (".eleventy.js", *(f"eleventy.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts"))),
            key=rf"(?:{_IN_PROGRAM}input|.*\.setInputDirectory)",
            argument=re.compile(r"""\beleventy\b[^"\n]{0,200}?--input[= ]['"\\]*([^\s'"\\]+)"""),
            layouts=(*_INCLUDED, "*.html"),
            indexes=_INDEX,
            has_case=True,
            by_folder=True,
            unpublished=(".", "_includes", "_data", "node_modules"),
            unknown=_DYNAMIC,
            url="permalink",
            templates=tuple(f".{each}" for each in _OF_ELEVENTY),
            has_data=True,
            from_="page-or-source",
            has_root=True,
            other_ids=re.compile(""),  # those of a plugin
            says={"has_prefix": r"\A(?=[\s\S]*\bpathPrefix\b)(?![\s\S]*HtmlBasePlugin)"},
        ),
        "jekyll": PageRules(
            ("_config.yml",),
            unless_beside="_toc.yml",  # Jupyter Book's
            key="source",
            flat=r"\A(?!(?:.*\n)*?permalink:[ ]*[\"']?(?:pretty|/.*/[\"']?\s*$))",
            layouts=_INCLUDED,
            unpublished=(".", "_"),
            url="permalink",
            flat_url=True,
            aliases="redirect_from",
            has_posts=True,
            from_="page",
            other_ids=re.compile(rf"(?m)^markdown:\s*(?!kramdown|GFM)\w|^\s+(?:{_KRAMDOWN})"),
            says={
                "defaults": r"defaults:[ ]*\n(?:[ \t-].*\n)*?[ \t]+permalink:",
                "collections": r"collections:[ ]*\n((?:[ \t].*(?:\n|\Z))+)",
                "permalink": r"permalink:[ ]*[\"']?([^\"'#\s]+)",
            },
        ),
        # Sphinx with MyST, and Jupyter Book: a name without an ending may be a label of any file
        "myst": PageRules(
            ("myst.yml", "_toc.yml", "conf.py"),
            flat=_ALWAYS,
            says_so=("conf.py", re.compile(r"\bmyst_(?:parser|nb)\b")),
            indexes=_INDEX,
            unpublished=(".", "_"),
            unknown=_DYNAMIC,
            has_root=True,
            unsure=unsure_paths.of_labels,
            other_ids=re.compile(""),  # those of labels in all files
        ),
        "gitbook": PageRules(
            (".gitbook.yaml", ".gitbook.yml", "book.json", "book.js", "SUMMARY.md"),
            key=_IN_PROGRAM + "[\"']?root[\"']?",
            flat=_ALWAYS,
            says_so=(("SUMMARY.md", "book."), re.compile(rf"\A\s*# Table of contents[ \t]*$|{_OF_BOOK}", re.MULTILINE)),
            unless_beside="../book.toml",
            indexes=frozenset({"readme"}),
            unpublished=(".", "SUMMARY.md", "_book", "node_modules"),
            has_root=True,
            unsure=unsure_paths.of_spaces,
            other_ids=re.compile(r"\A(?!\s*\{)"),  # only those of HonKit are known
        ),
        "quarto": PageRules(
            ("_quarto.yml", "_quarto.yaml"),
            flat=_ALWAYS,
            layouts=("_site", "_book", "_freeze", "_extensions"),
            indexes=_INDEX,
            unpublished=(".", "_", "README."),
            templates=(".ipynb", ".Rmd", ".rmd"),
            fills=("_metadata.yml", re.compile(rb"^(?:listing|filters):", re.MULTILINE)),
            has_parts=True,
            aliases="aliases",
            has_root=True,
            other_ids=re.compile(r"(?m)auto_identifiers|^\s*(?:from|reader):"),
        ),
        # names become slugs, without the number before them
        "nuxt": PageRules(
            tuple(f"nuxt.config.{end}" for end in _OF_SCRIPTS),
            ("content", "public"),
            says_so=("nuxt.config.", re.compile(r"@nuxt/content|\bdocus\b")),
            beside="content",
            indexes=_INDEX,
            named=page_names.slug_of_nuxt,
            url="path",
            has_root=True,
            unsure=unsure_paths.of_nuxt,
            own_ids=("__nuxt",),
            other_ids=re.compile(r"(?:rehype|remark)Plugins"),
        ),
    }
)
"""The rules by the names of dialects, in the order in which their configurations are looked for."""

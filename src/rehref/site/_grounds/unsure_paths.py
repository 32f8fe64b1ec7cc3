"""The paths that may lead to something on a site though no file is there: each function is one of a row of
`page_rules.py`.

Of a configuration that is a program, only what is written out is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

WITHOUT_NAME: Final = re.compile(r"(?:.*/)?[^./]*", re.DOTALL)
"""Paths without the name of a file, as those of pages mostly are."""

_ALIAS = re.compile(r"""['"]([^'"\r\n]+)['"]\s*:\s*['"](?:https?:|/)""")
_REDIRECT = re.compile(r"""['"](/[^'"\s]*)['"]\s*:\s*(?:['"](?:https?:|/)|\{\s*(?:status|destination)\b)""").findall
_PLUGGED = re.compile(r"""\b(?:base|prefix|route(?:Prefix)?)['"]?\s*:\s*['"](/?\w[\w/-]*)['"]""").findall
PREPROCESSOR: Final = (
    r"(?m)^\[preprocessor\.(?!(?:links|index|admonish|alerts|footnote|gettext|katex|mermaid|open-on-gh|pagetoc|quiz|"
    r"svgbob|tabs|toc|yapp)\b)"
)
"""What in the configuration of mdBook names a program that may change links and ids."""
_FORMER = re.compile(r"""(?m)^["']/([^"'#\n]+)[^"'\n]*["'][ \t]*=""").findall
_NO_FILE: Final = (
    r"(?:.*/)?(?![^/]*\.(?:md|html?|png|svg|jpe?g|gif|webp|pdf|txt|rs|js|css|json|toml|zip|mp4|webm)\Z)[^/]+"
)
_OF_ZOLA: Final = (
    r"(?:.*/)?(?:(?:atom|rss|feed|sitemap)\.xml|page/\d+/?)",
    r"(?:404\.html|robots\.txt|search_index\..*|elasticlunr\.min\.js|(?:giallo|syntax)[\w-]*\.css)",
)
_TAXONOMY = re.compile(r"""\bname\s*=\s*["']([^"']+)["']""").findall
_FEEDS = re.compile(r"""\bfeed_filenames?\s*=\s*\[?([^\]\n]*)""").findall
_MOST: Final = 1000
_ENDING = re.compile(r"(?:/?index)?(?:\.(?:astro|mdx?|html|vue|[jt]s))+\Z")
_DYNAMIC = re.compile(r"\\\[.*?\\\]")
_HOOKS: Final = tuple(
    f"{theme}layouts/{folder}_markup/render-link*.html" for theme in ("", "themes/*/") for folder in ("", "_default/")
)
_MOUNT = re.compile(r"""^[ \t-]*target\s*[:=]\s*["']?content\b""", re.MULTILINE)


class Configured(NamedTuple):
    """What is known of a site: its folder, the text of its configuration, what that says, its languages."""

    top: Path
    text: str
    said: Mapping[str, str]
    languages: Collection[str]

    @property
    def base(self) -> str:
        """The path of the site on its host, without slashes around it."""
        return self.said.get("base", "").strip("/")


def nothing(_: Configured) -> Iterator[str]:
    """Yield no path."""
    yield from ()


def of_hooks(site: Configured) -> Iterator[str]:
    """Yield what Hugo may make.

    A link render hook of the site or of its theme decides what links in Markdown mean, as does, with several languages,
    the hook within Hugo. Several mounts of contents may add any file.
    """
    if len(_MOUNT.findall(site.text)) > 1:
        yield r".*"
    elif len(site.languages) > 1 or any(next(site.top.glob(hook), None) is not None for hook in _HOOKS):
        yield WITHOUT_NAME.pattern


def of_rewrites(site: Configured) -> Iterator[str]:
    """Yield what VitePress rewrites, and what is below its base in HTML."""
    if site.said["rewrites"]:
        yield WITHOUT_NAME.pattern
    if site.base:
        yield rf"{re.escape(site.base)}/.*"


def of_routes(site: Configured) -> Iterator[str]:
    """Yield the pages of `src/pages` in Astro, what it bundles, redirects and plug-ins."""
    below = (each.strip("/") for each in _PLUGGED(site.text) if each.strip("/") != site.base)
    yield from (rf"(?:[\w-]+/)?{re.escape(each)}(?:/.*)?" for each in below)
    for former in _REDIRECT(site.text) if site.said["redirects"] else ():
        yield _DYNAMIC.sub(".*", re.escape(former.strip("/"))) + "/?"
    pages = islice(site.top.glob("src/pages/**/*.*"), _MOST)
    before = rf"(?:{re.escape(site.base)}/)?"
    for page in pages:
        path = _ENDING.sub("", page.relative_to(site.top / "src/pages").as_posix())
        yield rf"{before}{_DYNAMIC.sub('.*', re.escape(path))}/?"
    yield r"(?:.*/)?(?:_astro|pagefind)/.*"


def of_book(site: Configured) -> Iterator[str]:
    """Yield what programs of mdBook may make (anything of a name without the ending of a file, and of headings), and
    redirects.
    """
    if re.search(PREPROCESSOR, site.text):
        yield _NO_FILE
    redirects = site.text.partition("[output.html.redirect]")[2]
    yield from (rf"(?:.*/)?{re.escape(each)}" for each in _FORMER(redirects))


def of_zola(site: Configured) -> Iterator[str]:
    """Yield what Zola makes besides pages.

    Feeds, taxonomies, further pages of lists, style sheets of Sass, and highlighting.
    """
    yield from _OF_ZOLA
    lists = _TAXONOMY(site.text.partition("taxonomies")[2])
    feeds = re.findall(r"[\w.-]+", " ".join(_FEEDS(site.text)))
    yield from (rf"(?:.*/)?{re.escape(each)}(?:/.*)?" for each in (*lists, *feeds))
    if next(site.top.glob("sass/**/*.s[ac]ss"), None) is not None:
        yield r".*\.css"


def of_labels(_: Configured) -> Iterator[str]:
    """Yield labels of MyST, and pictures in several formats."""
    yield from (WITHOUT_NAME.pattern, r".*\.\*")


def of_spaces(site: Configured) -> Iterator[str]:
    """Yield what GitBook may have elsewhere: other spaces. HonKit, which is configured in JSON, has none."""
    if not site.text.lstrip().startswith("{"):
        yield WITHOUT_NAME.pattern


def of_nuxt(site: Configured) -> Iterator[str]:
    """Yield the pages of components in Nuxt, and what its server and other layers may have."""
    for folder in ("pages", "app/pages"):
        for page in islice(site.top.glob(f"{folder}/**/*.vue"), _MOST):
            path = _ENDING.sub("", page.relative_to(site.top / folder).as_posix())
            yield from () if "[..." in path else (rf"{_DYNAMIC.sub('.*', re.escape(path))}/?",)
    yield r"(?:api|_\w+)/.*"
    if re.search(r"\bextends\b|\bi18n\b", site.text) or next(site.top.glob("content.config.*"), None) is not None:
        yield WITHOUT_NAME.pattern


def of_aliases(site: Configured) -> Iterator[str]:
    """Yield what aliases of Docsify may lead to."""
    for key in _ALIAS.findall(site.text[site.text.find("alias") :]) if "alias" in site.text else ():
        pattern = re.sub(r"(?:\\\()?\\\.\\\*(?:\\\?)?(?:\\\))?", ".*", re.escape(key.removeprefix("/")))
        yield re.sub(r"\A\.\*/", "(?:.*/)?", pattern) + r"(?:\.md)?"

"""A plugin of MkDocs: checks the links of the built site, and reports them at their places in the Markdown.

The site's URL is that of MkDocs, unless the plugin has its own; `mkdocs serve` sets that of its server. A file that
MkDocs copies from the folder of the documents (style sheets, HTML) is its own source. The plugin runs after the others,
since some write files of the site at the very end.
"""

from __future__ import annotations

import logging
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Literal
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from rehref.plugins.sites._log_messages import LinesInSource, Locate, from_here, logged
from rehref.plugins.sites._markdown_text import references_by_line
from rehref.plugins.sites._site_options import MOST, BuildOptionError, BuildOptions, build_options
from rehref.reports.terminal import count
from rehref.site.findings import CheckResult, Finding

_LOG = get_plugin_logger("rehref")
_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO}
_BEFORE: Final = 0.5
_AFTER: Final = -100.0
"""The priority with which MkDocs changes references is 0."""
_LAST: Final = -100.0
_ATTRIBUTES = {"a": "href", "img": "src"}
"""The attributes that MkDocs changes."""
_ESCAPED = re.compile(f"{STX}([0-9]{{1,6}}){ETX}")
"""How Python-Markdown represents a character after a backslash while it works on the tree."""


class RehrefPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]  # its options are those of `rehref check`, not a class
    """The plugin; MkDocs makes one, and calls the methods below in their order."""

    def __init__(self) -> None:
        self.options = BuildOptions({})
        self._serves = False
        self._noted = _Noted()
        self._rendered: dict[str, Mapping[str, set[str]]] = {}
        self._files: Files | None = None

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Take the options, and report problems with them."""
        try:
            self.options = build_options(options)
        except BuildOptionError as error:
            return [(error.name, ValidationError(error.what))], []
        return super().load_config({}, config_file_path)

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether the site is served: then a build never fails."""
        self._serves = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Make Python-Markdown note references before and after their conversion."""
        self._noted, self._rendered = _Noted(), {}
        config.markdown_extensions.append(self._noted)  # type: ignore[arg-type]  # Python-Markdown accepts it
        return config

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Note the references of a page."""
        self._rendered[page.file.src_uri] = self._noted.taken()
        return html

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        """Note the files of the site."""
        self._files = files
        return env

    @event_priority(_LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Check the site. Raises `PluginError` if the check fails, and for broken links with `fail`."""
        root = posixpath.dirname(config.config_file_path or "")
        try:
            results = self.options.results(from_here(config.site_dir), config.site_url or None, root)
        except (ValueError, OSError, RuntimeError) as error:
            if not self._serves:
                raise PluginError(f"rehref: {error}") from error
            _LOG.info("%s", error)
            return
        for result in results:
            self._report(result, config)
        broken = [result.summary.broken for result in results]
        if self.options.fails and any(broken) and not self._serves:
            what = count(broken[0], "broken link") if broken[0] else "the change loses URLs or ids"
            raise PluginError(f"rehref: {what}")

    def _report(self, result: CheckResult, config: MkDocsConfig) -> None:
        """Log the findings: an error as an error, a warning as a warning.

        So `mkdocs build --strict` fails on both; with the option `fail` a build fails on errors without `--strict`.
        """
        found = logged(result, self._locate(result, config), self.options.most, MOST)
        quiet = self._serves and config.strict  # MkDocs would end on a warning
        for message in found.shown:
            level = logging.INFO if quiet else _LEVELS[message.severity]
            line = "" if message.line is None else f":{message.line}"
            _LOG.log(level, "%s%s: %s", message.path, line, message.text)
        for note in found.notes:
            _LOG.info("%s", note)

    def _locate(self, result: CheckResult, config: MkDocsConfig) -> Locate:
        """A function that returns the source of a finding."""
        files = {file.dest_uri: file for file in self._files or () if _is_of(file, config)}
        lines_of = cache(_lines_of)

        def source_of(path: str) -> str | None:
            return None if (built := files.get(path)) is None else built.src_uri

        def locate(finding: Finding) -> LinesInSource | None:
            file = files.get(finding.document)
            if file is None:
                return None
            path = from_here(file.abs_src_path) if file.abs_src_path else file.src_uri
            if file.page is None:
                copied = () if finding.line is None else (finding.line,)
                return LinesInSource(path, copied, suggestion=finding.suggestion)
            noted = self._rendered.get(file.src_uri, {}).get(finding.reference)
            if noted is None:  # raw HTML, which MkDocs leaves as it is, or not from this page's source
                lines = lines_of(file).get(finding.reference, ())
                return LinesInSource(path, lines, suggestion=finding.suggestion)
            lines = tuple(sorted({line for each in noted for line in lines_of(file).get(each, ())}))
            new = None
            if result.sites:
                new = finding.suggestion_in_source(file.src_uri, result.sites[0].url, source_of)
            return LinesInSource(path, lines, min(noted), new)

        return locate


def _is_of(file: File, config: MkDocsConfig) -> bool:
    """Whether a file is one of the documents, rather than part of the theme."""
    return file.page is not None or file.src_dir == config.docs_dir


def _lines_of(file: File) -> Mapping[str, tuple[int, ...]]:
    """The references in a page's source with their lines; none if it cannot be read."""
    if file.generated_by is not None:
        return {}
    try:
        return references_by_line(file.content_string)
    except (OSError, ValueError):
        return {}


class _Noted(Extension):
    """The references of a page as Python-Markdown converted them: each with its text before MkDocs changed it."""

    def __init__(self) -> None:
        super().__init__()
        self._before: list[tuple[Element, str]] = []
        self._found: dict[str, set[str]] = defaultdict(set)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # the name that Python-Markdown calls
        """Visit the tree of a page before and after MkDocs changes its references (`start.md` becomes `start/`).

        So a reference is searched in the Markdown as its author wrote it. Suggestions are converted back in the same
        way.
        """
        md.treeprocessors.register(_Visit(md, self._note), "rehref_before", _BEFORE)
        md.treeprocessors.register(_Visit(md, self._compare), "rehref_after", _AFTER)

    def taken(self) -> Mapping[str, set[str]]:
        """The notes since the last call: converted references, each with its texts from before."""
        found, self._found = self._found, defaultdict(set)
        return found

    def _note(self, root: Element) -> None:
        self._before = [
            (each, _ESCAPED.sub(lambda found: chr(int(found[1])), each.get(attribute, "")))
            for tag, attribute in _ATTRIBUTES.items()
            for each in root.iter(tag)
        ]

    def _compare(self, root: Element) -> None:
        for element, written in self._before:
            self._found[element.get(_ATTRIBUTES[element.tag], "")].add(written)
        self._before = []


class _Visit(Treeprocessor):
    """Calls a function with the tree of a page."""

    def __init__(self, md: Markdown, look: Callable[[Element], None]) -> None:
        super().__init__(md)
        self._look = look

    def run(self, root: Element) -> None:
        """Call the function, and leave the tree as it is."""
        self._look(root)

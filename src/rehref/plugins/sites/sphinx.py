"""An extension of Sphinx: checks the links of the built HTML, and reports them at their places in the sources.

Options are those of `rehref check` with `rehref_` before their names, in `conf.py`. `html_baseurl` is the site's URL,
unless `rehref_site_url` is given. The extension checks the output of the builders of sites; it does nothing for others
(epub, linkcheck, latex).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError, ExtensionError
from sphinx.util import logging

from rehref._version import __version__
from rehref.plugins.sites._doctrees import (
    Written,
    keep_notes,
    kept_notes,
    line_of,
    lines_in,
    references_in,
    with_markup,
)
from rehref.plugins.sites._log_messages import LinesInSource, Locate, from_here, logged
from rehref.plugins.sites._site_options import (
    MOST,
    BuildOptionError,
    BuildOptions,
    build_options,
    defaults,
)
from rehref.site.findings import CheckResult, Finding

_LOG = logging.getLogger("rehref")
_LEVELS = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}
_PREFIX: Final = "rehref_"
_BUILDERS = frozenset({"html", "dirhtml", "singlehtml", "readthedocs", "readthedocsdirhtml"})
_LAST: Final = 1000
_DEFAULTS: Final = {name: each if isinstance(each, bool | int) else None for name, each in defaults().items()}
"""The defaults of options; their types are those that `sphinx-build -D` turns a text into."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; Sphinx calls this."""
    for name, default in _DEFAULTS.items():
        app.add_config_value(f"{_PREFIX}{name}", default, "")
    check = _BuildCheck()
    app.connect("config-inited", check.configure)
    app.connect("doctree-resolved", check.note)
    app.connect("build-finished", check.finish, priority=_LAST)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


class _BuildCheck:
    """The check of one build: its options, and the references noted in the documents."""

    def __init__(self) -> None:
        self._options = BuildOptions({})
        self._noted: dict[str, list[Written]] = {}

    def configure(self, app: Sphinx, config: Config) -> None:
        """Take the options. Raises `ConfigError` for invalid ones."""
        written: Mapping[str, Any] = getattr(config, "_raw_config", {})
        values = {name: config[f"{_PREFIX}{name}"] for name in _DEFAULTS}
        given = {name: value for name, value in values.items() if value != _DEFAULTS[name]}
        unknown = {each.removeprefix(_PREFIX): None for each in written if each.startswith(_PREFIX)}
        try:
            self._options = build_options({name: None for name in unknown if name not in _DEFAULTS} | given)
        except BuildOptionError as error:
            raise ConfigError(f"{_PREFIX}{error}") from error

    def note(self, app: Sphinx, doctree: nodes.document, docname: str) -> None:
        """Note the references of a document, after Sphinx has resolved them and before it writes them.

        The notes are kept with the document trees, for the documents that a later build does not write again.
        """
        if app.builder.name in _BUILDERS:
            self._noted[docname] = list(references_in(doctree))

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Check the built site. Raises `ExtensionError` if that fails."""
        if exception is not None or app.builder.name not in _BUILDERS:
            return
        self._noted = kept_notes(_file_of(app)) | self._noted
        keep_notes(_file_of(app), self._noted)
        site_url = app.config.html_baseurl or None
        try:
            results = self._options.results(from_here(str(app.outdir)), site_url, str(app.confdir))
        except (ValueError, OSError, RuntimeError) as error:
            raise ExtensionError(f"rehref: {error}") from error
        for result in results:
            self._report(result, self._locate(app))
        if self._options.fails and any(result.summary.broken for result in results):
            app.statuscode = 1

    def _report(self, result: CheckResult, locate: Locate) -> None:
        """Log the findings: an error as an error, a warning as a warning, of the type `rehref.CODE`, for
        `suppress_warnings`.

        So `sphinx-build -W` fails on both; with `rehref_fail` a build fails on errors without `-W`.
        """
        found = logged(result, locate, self._options.most, f"{_PREFIX}{MOST}")
        for message in found.shown:
            location = None if message.line is None else f"{message.path}:{message.line}"
            text = f"{message.path}: {message.text}" if location is None else message.text
            _LOG.log(_LEVELS[message.severity], "%s", text, location=location, type="rehref", subtype=message.code)
        for note in found.notes:
            _LOG.info("rehref: %s", note)

    def _locate(self, app: Sphinx) -> Locate:
        """A function that returns the source of a finding."""
        outdir = Path(app.outdir)
        documents = {}
        for docname in app.env.found_docs:
            built = Path(app.builder.get_outfilename(docname))  # type: ignore[attr-defined]  # builders of HTML have it
            documents[built.relative_to(outdir).as_posix()] = docname

        @cache
        def written_in(docname: str) -> list[Written]:
            return with_markup(self._noted.get(docname, []), list(references_in(app.env.get_doctree(docname))))

        lines_of = cache(lines_in)

        def locate(finding: Finding) -> LinesInSource | None:
            docname = documents.get(finding.document)
            if docname is None:
                return None
            found = [each for each in written_in(docname) if each.reference == finding.reference]
            if not found:
                return LinesInSource(from_here(str(app.env.doc2path(docname))))
            source = found[0].source
            lines = {line_of(each, lines_of(each.source)) for each in found if each.source == source}
            return LinesInSource(from_here(source), tuple(sorted(lines)), suggestion=finding.suggestion)

        return locate


def _file_of(app: Sphinx) -> Path:
    """The file of the notes, one for each builder: references depend on it."""
    return Path(app.doctreedir) / f"rehref-{app.builder.name}.json"

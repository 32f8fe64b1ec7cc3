"""An HTML report: one file, made of a template, styles and scripts; its charts, and the hashes of its policy.

The page requests nothing from servers. Its Content-Security-Policy allows its style and its scripts by their hashes,
and nothing else: no style attribute, no handler in markup. All text from documents is escaped by the template (Jinja's
autoescape), or is in the page's data, from which the script makes text nodes, never markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rehref.documents.integrity import Digests

if TYPE_CHECKING:
    from jinja2 import Environment

STYLES: Final = ("_html/look.css", "_html/bars.css", "_html/list.css")
"""The styles of every page."""
SCRIPTS: Final = ("_html/dom.js", "_html/fragment.js", "_html/copying.js", "_html/windowed.js", "_html/keys.js")
"""The functions that scripts of pages call."""

_IN_BLOCK = 64
_MARKUP = re.compile("[<>&]")


def page(
    template: str,
    values: Mapping[str, object],
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    data: object = None,
    functions: Sequence[Callable[..., object]] = (),
) -> Iterator[str]:
    """The page, piece by piece.

    `template`: it extends `html/frame.html`. `values`, `functions`: those that it names and calls. `styles`, `scripts`:
    those besides the shared ones, named by their path below `rehref/reports`; scripts are plain functions, one file
    after the other in one function. `data`: the result of `pageData()` in scripts, as a value for JSON; None: the page
    has no script.
    """
    style = "\n".join(map(_file, (*STYLES, *styles)))
    early = _file("_html/early.js")
    script = _in_function([*SCRIPTS, *scripts]) if data is not None else ""
    filled = (
        _environment()
        .get_template(template)
        .stream(
            **{each.__name__: each for each in functions},
            **values,
            style=style,
            style_hash=_hash(style),
            early=early,
            script=script,
            script_hashes=[_hash(early), _hash(script)] if script else [],
            data=json_in_markup(data) if script else "",
        )
    )
    filled.enable_buffering(_IN_BLOCK)
    yield from filled


def rendered(template: str, values: Mapping[str, object], functions: Sequence[Callable[..., object]] = ()) -> str:
    """A part of a page, made by its own template; a page may have any number of them."""
    return _environment().get_template(template).render({each.__name__: each for each in functions}, **values)


def json_in_markup(data: object) -> str:
    """JSON that is safe in a `script` element.

    ASCII, without `<`, `>` and `&`, so that nothing in it ends the element.
    """
    text = json.dumps(data, separators=(",", ":"))
    return _MARKUP.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _hash(text: str) -> str:
    """The hash of a style's or script's text, as a Content-Security-Policy names it (CSP 3 §2.3.1)."""
    return f"sha256-{Digests.of(text.encode()).sha256}"


def _in_function(names: Sequence[str]) -> str:
    return '(function () {\n"use strict";\n' + "\n".join(map(_file, names)) + "})();\n"


@cache
def _file(name: str) -> str:
    """The text of a file below `rehref/reports`."""
    return files("rehref.reports").joinpath(name).read_text("utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(_file),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters: dict[str, Any] = {"number": lambda number: f"{number:,}"}
    environment.filters.update(filters)
    return environment


_LEAST = 0.6


class Bar(NamedTuple):
    """A bar. `kind`: the class of its colour; `key`: its name in scripts; `about`: a longer description."""

    label: str
    number: int
    kind: str = ""
    key: str = ""
    about: str = ""


class Chart(NamedTuple):
    """A chart. `name`: its name in scripts and styles; `unit`: what is counted, in the singular, for screen readers.

    `more`: a sentence below; `is_share`: the bars are parts of one whole, and one bar shows all; `has_paths`: labels
    that are too long lose their beginning, since paths differ at their ends.
    """

    name: str
    heading: str
    bars: Sequence[Bar]
    unit: str = ""
    more: str = ""
    is_share: bool = False
    has_paths: bool = False

    def unit_of(self, bar: Bar) -> str:
        """The unit for the number of a bar: `finding`, `findings`."""
        return self.unit if bar.number == 1 else f"{self.unit}s"

    def percent(self, bar: Bar) -> str:
        """The length of a bar, in percent of the longest; a number above 0 is always visible."""
        longest = max((each.number for each in self.bars), default=0)
        return f"{max(_LEAST, 100 * bar.number / longest) if bar.number else 0:.4g}%"

    def parts(self) -> list[tuple[Bar, str, str]]:
        """The beginning and the length of each part in the one bar."""
        whole = sum(each.number for each in self.bars) or 1
        found, start = [], 0
        for bar in self.bars:
            found.append((bar, f"{100 * start / whole:.4g}%", f"{100 * bar.number / whole:.4g}%"))
            start += bar.number
        return found

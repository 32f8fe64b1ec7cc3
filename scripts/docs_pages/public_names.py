"""The page of public names: those of `rehref.__all__`, each with its signature and docstring, by mkdocstrings.

- The names are those of `__all__`, and nobody lists them here. A name is in the section of the package that defines
  it, an exception in the section for these. A package without a section comes last.
- Options are declared once (`rehref.documents.options`, `rehref.site.check_options`), and shown once.
"""

from __future__ import annotations

from pathlib import Path

import griffe

import rehref
from docs_pages.markdown import code, plain, table
from rehref.documents.options import DECLARED
from rehref.site.check_options import ROWS

RULES = "Rules for rewriting"
"""The heading for rules: what users pass to `rewrite`."""
_NO_MEMBERS = "    options:\n      members: false\n\n"

SECTIONS = {
    "api": "Documents",
    "documents": "What documents hold",
    "rewriting": RULES,
    "site": "Checking",
    "uri": "URIs",
    "containers": "Containers",
    "uri.syntaxes": "What documents hold",
}
"""The heading for the names of each room, or of a module of it."""
EXCEPTIONS = "Exceptions and warnings"
OTHERS = "Others"

_TOP = """# Python

Every public name of `rehref`, from its docstring. `import rehref` is quick: each name is loaded when it is
first used.

The [tutorial](../tutorials/python.md) shows the names that you need first.
"""
_OPTIONS = """## Options of sources { #options }

`links`, `iter_links`, `rewrite` and `rewrite_into` take these by keyword. The command line has them too.

"""
_OF_CHECK = """
## Options of check { #check-options }

`check` takes these by keyword.

"""


def sections() -> dict[str, list[str]]:
    """The public names by heading."""
    package = griffe.load("rehref", search_paths=[str(Path(__file__).resolve().parents[2] / "src")])
    found: dict[str, list[str]] = {heading: [] for heading in (*SECTIONS.values(), EXCEPTIONS, OTHERS)}
    for name in rehref.__all__:
        found[_heading(name, package[name])].append(name)
    return {heading: names for heading, names in found.items() if names}


def _heading(name: str, member: griffe.Object | griffe.Alias) -> str:
    value = getattr(rehref, name)
    if isinstance(value, type) and issubclass(value, Exception):
        return EXCEPTIONS
    home = member.target_path if isinstance(member, griffe.Alias) else member.path
    _, room, module, *_ = home.split(".")
    return SECTIONS.get(f"{room}.{module}", SECTIONS.get(room, OTHERS))


def page() -> str:
    """The page, as Markdown."""
    parts = [_TOP]
    for heading, names in sections().items():
        parts.append(f"## {heading}\n\n")
        more = _NO_MEMBERS if heading == RULES else "\n"
        parts += [f"::: rehref.{name}\n{more}" for name in sorted(names, key=lambda name: (name[0].isupper(), name))]
    rows = (
        [(code(row.name), plain(row.in_python or row.help), code(repr(row.default))) for row in table_of.values()]
        for table_of in (DECLARED, ROWS)
    )
    heading = ("option", "what it says", "default")
    of_sources, of_check = (table(heading, each) for each in rows)
    return "".join(parts) + _OPTIONS + of_sources + _OF_CHECK + of_check

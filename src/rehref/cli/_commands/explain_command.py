"""`rehref explain CODE`: what a code means, and what to do about it.

The row of a code (`rehref.site.codes`) says what it means; for a problem, its section in `docs/problems.md` says more.
That page is packaged with rehref; in a checkout it is read from `docs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

import click

from rehref.cli import output
from rehref.cli.click_options import color_option
from rehref.cli.config import config_option
from rehref.cli.messages import OptionError
from rehref.cli.parameters import CodeName
from rehref.reports.terminal import Style
from rehref.site.check_options import ROWS
from rehref.site.codes import CODES, DIAGNOSTICS, GROUPS, WEB, Code, Group

PAGE = "problems.md"
_PROBLEMS = """In the examples, problems(page) calls rehref.links(page, url="https://www.example.org/docs/page.html"),
and prints the target and the problems of each link."""
"""What the beginning of the page says about its examples."""


@click.command(
    "explain",
    short_help="Explain a code: what it means, and what to do.",
    epilog="""
    \b
    Examples:
      rehref explain missing-fragment
      rehref explain base
      rehref explain
    """,
)
@click.argument("names", metavar="[CODE]...", nargs=-1, type=CodeName())
@color_option
@config_option
def command(names: tuple[str, ...]) -> None:
    """Explain what a code of a problem, a finding or a diagnostic means, and what to do about it.

    For a group, list its codes. Without a CODE, list all codes and groups.
    """
    style = output.screen().style
    each = [name.strip() for text in names for name in text.split(",")]
    texts = [text for name in each for text in _explained(name, style)] if names else [_all(style)]
    output.show("\n".join(texts))


def _explained(name: str, style: Style) -> Iterator[str]:
    """Yield the texts about a name; one that is a code in two tables (`unreadable`) is explained by both.

    With the name of a group, its codes. Raises `OptionError`.
    """
    rows = [row for row in (CODES.get(name), *DIAGNOSTICS) if row is not None and row.name == name]
    if not rows and name not in GROUPS:
        from rehref.exceptions import nearest

        near = nearest(name, (*CODES, *GROUPS, *(row.name for row in DIAGNOSTICS)))
        remedy = "rehref explain lists them" if near is None else f"did you mean {near}?"
        raise OptionError(name or '""', "there is no such code", remedy)
    if name in GROUPS:
        group = GROUPS[name]
        yield f"{style.strong(name)}: {group.summary}\n\n{_listed(map(CODES.__getitem__, group.codes), style)}"
    for row in rows:
        about = row.severity if row in CODES.values() else "of a container"
        section = section_of(name) if row in CODES.values() else ""
        section += f"\n\n{_PROBLEMS}" if ">>> problems(" in section else ""
        text = f"{style.strong(name)} ({about}): {row.sentence}\n{row.help}\n"
        yield text + (f"{_asked_by(row)}\n" if row.on_request else "") + (f"\n{section}\n" if section else "")


def _asked_by(row: Code) -> str:
    """Return the options that turn on a code that is off by default."""
    name, option = row.name, ROWS.get(row.check)
    if option is not None and option.found == "asks":  # no server is asked for a selected code alone
        besides = "" if row in WEB else f" with --select {name}"
        return f"It is off by default; {option.flag}{besides} turns it on."
    ways = [f"--select {each}" for each in (name, *(group.name for group in GROUPS.values() if _asks(group, name)))]
    return f"It is off by default; {' or '.join([*ways, *([option.flag] if option else [])])} turns it on."


def _asks(group: Group, name: str) -> bool:
    return not group.broad and name in group.codes


def _all(style: Style) -> str:
    """Return the list of all codes and groups."""
    of_containers = _listed(DIAGNOSTICS, style)
    return (
        f"{style.strong('Codes')} of problems and findings\n\n{_listed(CODES.values(), style)}\n"
        f"{style.strong('Codes')} of what cannot be read in a container\n\n{of_containers}\n"
        f"{style.strong('Groups')}, for --select, --ignore, --error and --warn\n\n{_groups(GROUPS.values())}"
    )


def _listed(rows: Iterable[Code], style: Style) -> str:
    listed = list(rows)
    wide = max(len(row.name) for row in listed)
    return "".join(f"  {row.name:{wide}}  {row.severity:7}  {style.faint(row.sentence)}\n" for row in listed)


def _groups(groups: Iterable[Group]) -> str:
    return "".join(f"  {group.name:10}  {group.summary}\n" for group in groups)


def section_of(name: str) -> str:
    """Return the section about a code on the page of problems; "" if there is none."""
    text = _page()
    found = re.search(rf"^## `{re.escape(name)}`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return "" if found is None else found[1].strip()


def _page() -> str:
    """The page of problems; "" if it is missing. The package may be in a zip file."""
    page = files("rehref") / PAGE
    if not page.is_file():
        page = Path(__file__).resolve().parents[4] / "docs" / PAGE  # in a checkout
    return page.read_text(encoding="utf-8") if page.is_file() else ""

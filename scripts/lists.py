"""Writes lists of codes, hosts, report formats, doors and the like into `docs/`, from the tables in the code.

- A list is between `<!-- list: NAME, written by scripts/lists -->` and `<!-- end -->`; people write the rest of the
  page.
- With `--check` the script writes nothing, and the exit code is 1 if a page is not up to date.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import house
from rehref.option_rows import Option
from rehref.reports.formats import OF_FINDINGS
from rehref.site._checks.all_checks import ON_REQUEST
from rehref.site._hosts.hosts import HOSTS
from rehref.site.check_options import OF_PAGES, OF_SERVERS, ROWS
from rehref.site.codes import COMPARED, DIAGNOSTICS, FINDINGS, GROUPS, LINT, WEB

WEB_ROWS = [row for row in OF_SERVERS if row not in OF_PAGES]
ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs"
SITES = ROOT / "fixtures" / "sites"
CASES = SITES / "other-checkers"
SIDE_BY_SIDE = ("rehref", "lychee", "linkchecker", "linkinator")
_LIST = re.compile(r"(<!-- list: ([a-z ]+), written by scripts/lists -->\n).*?(?=<!-- end -->)", re.DOTALL)


def table(*rows: Iterable[str]) -> str:
    """A table, the heading first."""
    heading, *others = ([*row] for row in rows)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (heading, ["---"] * len(heading), *others))


def said(text: str | None) -> str:
    """The text of a cell that may be empty."""
    return text or "–"


def default_of(row: Option) -> str | None:
    """The default of an option, unless its help says it."""
    if row.kind not in ("count", "time"):
        return None
    return f"{row.default:g}{' s' if row.kind == 'time' else ''}"


def cases() -> dict[str, list[dict[str, str]]]:
    """The cases of other checkers, by checker."""
    return {path.stem: tomllib.loads(path.read_text("utf-8"))["case"] for path in sorted(CASES.glob("*.toml"))}


def differing() -> Iterator[tuple[str, str, str, str, str]]:
    """The cases in which rehref's verdict differs."""
    for checker, rows in cases().items():
        for row in rows:
            if "why" in row:
                ours = ", ".join(f"`{code}`" for code in row.get("found", ())) or "fine"
                yield checker, row["says"], row["theirs"], ours, row["why"]


def side_by_side() -> Iterator[tuple[str, ...]]:
    """The cases that checkers read differently, with the figures of each checker: found / missed / false."""
    for row in tomllib.loads((SITES / "side-by-side.toml").read_text("utf-8"))["case"]:
        broken = set(row["broken"])
        reports = [set(row[checker]) for checker in SIDE_BY_SIDE]
        figures = [f"{len(each & broken)} / {len(broken - each)} / {len(each - broken)}" for each in reports]
        yield row["says"], *figures, row["why"]


LISTS = {
    "doors": table(
        ("room", "doors"),
        *((f"`{room}`", ", ".join(f"`{door}`" for door in doors) or "itself") for room, doors in house.rooms().items()),
    ),
    "cases of other checkers": table(
        ("checker", "cases", "agree", "differ"),
        *(
            (
                checker,
                str(len(rows)),
                str(sum("why" not in row for row in rows)),
                str(sum("why" in row for row in rows)),
            )
            for checker, rows in cases().items()
        ),
    ),
    "cases that differ": table(("checker", "case", "it says", "rehref finds", "why"), *differing()),
    "cases side by side": table(("case", *SIDE_BY_SIDE, "what is right, and why"), *side_by_side()),
    "findings": table(
        ("code", "severity", "what it says", "what to do"),
        *((f"`{row.name}`", row.severity, row.sentence, row.help) for row in FINDINGS),
    ),
    "diagnostics": table(
        ("code", "what it says", "what to do"), *((f"`{row.name}`", row.sentence, row.help) for row in DIAGNOSTICS)
    ),
    "lint": table(("code", "what it says", "what to do"), *((f"`{row.name}`", row.sentence, row.help) for row in LINT)),
    "web codes": table(
        ("code", "severity", "what it says", "what to do"),
        *((f"`{row.name}`", row.severity, row.sentence, row.help) for row in WEB),
    ),
    "compare codes": table(
        ("code", "severity", "what it says", "what to do"),
        *((f"`{row.name}`", row.severity, row.sentence, row.help) for row in COMPARED),
    ),
    "web options": table(
        ("option", "what it does", "default"),
        *(
            (f"`{' '.join(filter(None, (row.flag, row.metavar)))}`", row.help, said(default_of(row)))
            for row in WEB_ROWS
        ),
    ),
    "trusted options": ", ".join(f"`{row.name}`" for row in OF_SERVERS if row.found != "counts") + "\n",
    "groups": table(("group", "its codes"), *((f"`{group.name}`", group.summary) for group in GROUPS.values())),
    "checks": table(
        ("option", "what it does"), *((f"`{ROWS[check.name].flag}`", ROWS[check.name].help) for check in ON_REQUEST)
    ),
    "hosts": table(
        (
            "host",
            "`/a` is `a.html`",
            "so is `/a/`",
            "case matters",
            "404 page",
            "redirections",
            "header fields",
            "sends",
        ),
        *(
            (
                f"`{host.name}`",
                said(", ".join(f"`.{extension}`" for extension in host.fallback_extensions)),
                "yes" if host.slash_after_file else "no",
                "yes" if host.case_sensitive else "no",
                said(host.not_found and f"`{host.not_found}`"),
                said(", ".join(f"`{file}`" for file in host.redirect_files)),
                said(host.header_file and f"`{host.header_file}`"),
                said(host.charset),
            )
            for host in HOSTS.values()
        ),
    ),
    "formats of findings": table(("format", "what it is"), *((f"`{row.name}`", row.summary) for row in OF_FINDINGS)),
}


def written(page: str) -> str:
    """The page with up-to-date lists."""
    return _LIST.sub(lambda found: found[1] + LISTS[found[2]], page)


def main(arguments: list[str]) -> int:
    """Write the lists, or check them; return the exit code."""
    stale = [path for path in PAGES.glob("*.md") if (old := path.read_text("utf-8")) != written(old)]
    if "--check" in arguments:
        for path in stale:
            print(f"lists: docs/{path.name} is not up to date; scripts/lists writes it", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.write_text(written(path.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

r"""Compares the links and headings that rehref finds in MDX with those of @mdx-js/mdx (`mdx_oracle.mjs`).

Links are compared by line and destination: those of Markdown, with GFM, and attributes of elements that are strings;
headings by line, level and text. What @mdx-js/mdx refuses must be refused by rehref, too, except for comments as in
HTML, which Docusaurus allows. Known differences are printed like all others: mdast-util-gfm-autolink-literal links URLs
in texts a second time, without a place (behind a `[` that is not closed, and across `\{`); for mdast, a heading that is
underlined begins with the definitions directly above it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from rehref.documents._markdown.dialects import dialect_named
from rehref.documents._markdown.jsx_values import read_tags
from rehref.documents._markdown.read_markdown import read
from rehref.markup.places import Wanted

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "documents" / "mdx"
LINKING: Final = frozenset({"href", "src", "srcset", "poster", "cite", "data", "action", "formaction", "xlink:href"})
_COMMENT: Final = "(note: to create a comment in MDX"


def found_in(data: bytes) -> dict[str, Any]:
    """What rehref finds in a text: its links and headings, as in `mdx_oracle.mjs`, and its `error`, if it has one."""
    found = read(data, dialect_named(None)._replace(is_jsx=True))
    assert found.blocks is not None
    places, _ = read_tags(data, found.blocks.tags, Wanted(anywhere=LINKING), ())
    starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    links = [(each.tag, each.value) for each in found.destinations] + [(each.tag, each.value) for each, _ in places]
    fault = found.blocks.fault
    return {
        "links": sorted([bisect_right(starts, at), value] for at, value in links),
        "headings": [[bisect_right(starts, each.start), each.level, each.text.strip()] for each in found.headings],
        "error": None if fault is None else f"{bisect_right(starts, fault.at)}: {fault.message}",
    }


def recorded(oracle: str, files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """What @mdx-js/mdx finds in files, in order."""
    names = "\n".join(str(file.resolve()) for file in files)
    done = subprocess.run(["node", oracle], input=names, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    for line in done.stdout.splitlines():
        row = json.loads(line)
        yield {"error": None, **row, "links": sorted(row.get("links", ()), key=lambda link: (link[0] or 0, link[1]))}


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """What differs between two results for one file."""
    if theirs["error"] is not None:
        is_known = ours["error"] is not None or _COMMENT in theirs["error"]
        return [] if is_known else [f"is not refused, but should be: {theirs['error']}"]
    found = [] if ours["error"] is None else [f"is refused, but should not be: {ours['error']}"]
    for name in ("links", "headings"):
        found += [f"{name}: missing {each}" for each in theirs[name] if each not in ours[name]]
        found += [f"{name}: too many {each}" for each in ours[name] if each not in theirs[name]]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or record; return the exit code."""
    parser = ArgumentParser(description="Compares how rehref reads MDX with @mdx-js/mdx.")
    parser.add_argument("oracle", help="mdx_oracle.mjs, in a folder with the packages that it needs")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--record", action="store_true", help=f"write the results for {RECORDED.name}/")
    given = parser.parse_args(arguments)
    folders = [RECORDED] if given.record else given.folders
    files = sorted({file for folder in folders for file in folder.rglob("*.mdx") if file.is_file()})
    rows = list(recorded(given.oracle, files))
    if given.record:
        results = {Path(row.pop("file")).name: row for row in rows}
        lines = [f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in results.items()]
        (RECORDED / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    different = refused = links = headings = 0
    for file, theirs in zip(files, rows, strict=True):
        found = differences(found_in(file.read_bytes()), theirs)
        different += bool(found)
        refused += theirs["error"] is not None
        links += len(theirs["links"])
        headings += len(theirs.get("headings", ()))
        for each in found:
            print(f"{file}\t{each}")
    sums = f"{links:,} links and {headings:,} headings in {len(files):,} files; {refused:,} are refused"
    print(f"{sums}; {different:,} differ", file=sys.stderr)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())

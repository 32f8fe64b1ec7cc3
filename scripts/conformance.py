"""Runs the public conformance suites, and writes the results into `docs/conformance.md`.

- `tests/suites` defines what is compared, and how; the tests use it, too. Python must look for modules in `tests`.
- The script writes the tables, between two comments; people write the rest of the page.
- A case that fails must be on the list of expected differences. If another one fails, the script names it, writes
  nothing, and the exit code is 1. With `--check` it never writes, and 1 means that the page is not up to date.
- Without the suites, the exit code is 2.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rehref.markup.cores import core
from suites import TESTS, Result, browser, css, html5lib, listed, parity, suites_folder, url
from suites.parity import Difference

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "conformance.md"
BEGIN, END = "<!-- begin: written by scripts/conformance -->", "<!-- end -->"


class UnexpectedError(Exception):
    """Cases that are not on the list fail."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or check it; return the exit code."""
    options = ArgumentParser(description="Runs the conformance suites, and writes the tables of docs/conformance.md.")
    options.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is not up to date")
    check = options.parse_args(arguments).check
    suites = suites_folder()
    if not suites.is_dir():
        return _complain(f"{suites} does not exist; REHREF_SUITES names another folder", 2)
    old = PAGE.read_text(encoding="utf-8")
    try:
        new = replaced(old, tables(suites))
    except UnexpectedError as error:
        return _complain(f"these cases fail, and are not listed:\n{error}", 1)
    if new == old:
        return 0
    if check:
        return _complain(f"{PAGE.relative_to(ROOT)} is not up to date; scripts/conformance writes it", 1)
    PAGE.write_text(new, encoding="utf-8")
    return 0


def _complain(text: str, code: int) -> int:
    print(f"conformance: {text}", file=sys.stderr)
    return code


def replaced(page: str, text: str) -> str:
    """The page with a new text between its comments."""
    before, begin, rest = page.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} does not have the comments {BEGIN} and {END}")
    return f"{before}{begin}\n{text}\n{end}{after}"


def tables(suites: Path) -> str:
    """The results of the suites, in Markdown."""
    heads = ("suite", "what is compared", "cases", "passed", "expected differences")
    of_cores = ("core", "the attributes of the expected tree", "the links of `source`", "expected differences")
    return f"{table(heads, suite_rows(suites))}\n\n{table(of_cores, core_rows(suites))}"


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ("---",) * len(heads), *rows))


def suite_rows(suites: Path) -> Iterator[tuple[str, ...]]:
    """A row for each comparison."""
    forms = "as text, UTF-8 and UTF-16"
    yield row(
        "html5lib `tokenizer`",
        f"start tags: their attributes, in order ({forms})",
        html5lib.tokenizer(suites),
        html5lib.LIST,
    )
    yield row(
        "html5lib `tree-construction`",
        f"documents: the set of (namespace, element, attribute, value) ({forms})",
        html5lib.tree_construction(suites),
        html5lib.LIST,
    )
    yield row("html5lib `encoding`", "the encoding that is found", html5lib.encoding(suites), html5lib.ENCODING_LIST)
    yield row("`url/urltestdata.json`", "cases with a base: the URL in `whatwg`, or none", url.resolved(suites))
    kinds = css.kinds(suites)
    yield row(
        "`css/*.json`",
        "texts: the references that tinycss2 finds and those in the published values, with exact spans; among them are "
        f"{kinds['url']} URL tokens, {kinds['bad-url']} bad ones, {kinds['function']} functions `url()`",
        css.published(suites),
    )
    cases = browser.read_cases()
    answers = "`browser/answers.json`"
    yield row(answers, "documents: their places, in order", browser.places(cases), browser.LIST)
    yield row(answers, "documents: their base in `whatwg`", browser.bases(cases))
    yield row(answers, "references: their target in `whatwg`", browser.targets(cases), browser.LIST)
    yield row(
        answers,
        "references in `rfc3986`: `browser-differs` where Chromium goes elsewhere, and only there",
        browser.announced(cases),
    )


def row(suite: str, what: str, result: Result, path: Path | None = None) -> tuple[str, ...]:
    """The result of one suite; `path`: its list of expected differences, if it has one."""
    unexpected = result.failed - (set() if path is None else listed(path).keys())
    if unexpected:
        raise UnexpectedError("\n".join(sorted(unexpected)))
    failed = len(result.failed)
    return suite, what, f"{result.cases:,}", f"{result.cases - failed:,}", link(str(failed), path)


def core_rows(suites: Path) -> Iterator[tuple[str, ...]]:
    """A row for each core."""
    read = [*parity.fixtures(), *parity.documents(suites)]
    differences = parity.differences(read)
    unexpected = differences.keys() - listed(parity.LIST).keys()
    if unexpected:
        raise UnexpectedError("\n".join(sorted(unexpected)))
    for name in ("source", *parity.CORES):
        tree = html5lib.tree_construction(suites, core(name), html5lib.text_alone)
        same = f"{tree.cases - len(tree.failed):,} of {tree.cases:,}"
        if name == "source":
            yield f"`{name}`", same, "–", "–"
            continue
        kinds = Counter(kind for case, kind in differences.items() if case.startswith(f"{name}\t"))
        said = ((Difference.OTHER, "with others"), (Difference.MOVED, "moved"), (Difference.COPIED, "copied"))
        how = ", ".join(f"{kinds[kind]} {text}" for kind, text in said if kinds[kind])
        yield f"`{name}`", same, f"{len(read) - kinds.total():,} of {len(read):,}", link(how, parity.LIST)


def link(text: str, path: Path | None) -> str:
    """A link from the page to a file below `tests`; the text alone without a path."""
    return text if path is None else f"[{text}](../{path.relative_to(TESTS.parent).as_posix()})"


if __name__ == "__main__":
    sys.exit(main())

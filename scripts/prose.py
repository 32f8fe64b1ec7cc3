"""Finds words that we do not write: `scripts/prose [FILE...]`.

The rules are in `prose.toml`, the reasons in `docs/style.md`.

- Without FILE, it reads every page, source file, template, script, benchmark and example of the project. In source
  files it reads all text: the words do not occur in code. In Markdown it skips code: fenced blocks, and text in
  backticks.
- A module of `src` opens with at most eight lines, and numbers no items: a fact is where it is true.
- A page of `docs` has at most 2,500 words. Blocks of code, and tables that a script writes, do not count: one looks
  something up in them, and nobody writes them.
- It prints a line for each occurrence: file, line and column (1-based), name of the rule, the words, what to write.
- The exit code is 1 if there are any, 2 for a file that cannot be read.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import regex as re

ROOT = Path(__file__).resolve().parents[1]
RULES = Path(__file__).with_name("prose.toml")
KINDS = (
    "*.md",
    ".github/**/*.md",
    "docs/**/*.md",
    "benchmarks/*.md",
    "benchmarks/*.py",
    "examples/**/*.md",
    "examples/**/*.py",
    "fixtures/*.md",
    "fixtures/sites/**/README.md",
    "fixtures/generators/README.md",
    "scripts/**/*.py",
    "src/**/*.py",
    "src/**/*.[ch]",
    "src/**/*.js",
    "src/**/*.html",
    "src/**/*.css",
)
NOT_OURS = (RULES.with_suffix(".py"),)
LONGEST_OPENING = 8
LONGEST_PAGE = 2500
_NUMBERED = re.compile(r"^\s*\d+[a-z]?\. ", re.MULTILINE)
_GAP = r"(?:\s+(?:(?:\#|//|\*|>)+\s+)?)"
_NOT_COUNTED = re.compile(
    r"^(?:[ \t]*(```|~~~).*?^[ \t]*\1|<!-- [^>\n]*\bwritten by [^>\n]*-->.*?^<!-- end -->)", re.DOTALL | re.MULTILINE
)
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.DOTALL | re.MULTILINE)


class Rule(NamedTuple):
    """Words that we do not write, what to write instead, and where the words are right after all."""

    name: str
    words: re.Pattern[str]
    instead: str
    exception: re.Pattern[str] | None


class Occurrence(NamedTuple):
    """Where words are, line and column 1-based."""

    line: int
    column: int
    rule: Rule
    words: str


def expression(text: str) -> re.Pattern[str]:
    """A rule's expression: each of its spaces also matches a line break within a comment."""
    return re.compile(text.replace(" ", _GAP), re.IGNORECASE)


def rules() -> list[Rule]:
    """The rules of `prose.toml`."""
    rows = tomllib.loads(RULES.read_text("utf-8"))["rule"]
    return [
        Rule(
            row["name"],
            expression(row["words"]),
            row["instead"],
            expression(row["except"]) if "except" in row else None,
        )
        for row in rows
    ]


def occurrences(text: str, rules: Sequence[Rule], *, markdown: bool = False) -> Iterator[Occurrence]:
    """The words of a text that we do not write."""
    if markdown:
        text = _CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text)
    for rule in rules:
        for match in rule.words.finditer(text):
            if rule.exception is None or not rule.exception.match(text, match.start()):
                start = match.start()
                column = start - text.rfind("\n", 0, start)
                yield Occurrence(text.count("\n", 0, start) + 1, column, rule, " ".join(match[0].split()))


def in_openings(text: str) -> Iterator[Occurrence]:
    """What is wrong with the docstring of a module of ours."""
    opening = ast.get_docstring(ast.parse(text)) or ""
    if (count := opening.count("\n") + 1) > LONGEST_OPENING:
        instead = "what it is for, how, and the one surprise; the rest at the functions, constants and rows"
        yield Occurrence(1, 1, Rule("opening", _NUMBERED, instead, None), f"{count} lines")
    if found := _NUMBERED.search(opening):
        instead = "sentences; or say it where it is true"
        line = opening.count("\n", 0, found.end()) + 1
        yield Occurrence(line, 1, Rule("numbered", _NUMBERED, instead, None), found[0].strip())


def in_page(text: str) -> Iterator[Occurrence]:
    """What is wrong with a page of documentation as a whole."""
    if (count := len(_NOT_COUNTED.sub("", text).split())) > LONGEST_PAGE:
        yield Occurrence(1, 1, Rule("page", _NUMBERED, "a page for each job", None), f"{count:,} words")


def wrong_in(file: Path, ours: Sequence[Rule]) -> list[Occurrence]:
    """All that is wrong in a file, in its order. Raises `OSError`, `UnicodeDecodeError`."""
    text = file.read_text("utf-8")
    found = list(occurrences(text, ours, markdown=file.suffix == ".md"))
    if file.suffix == ".py" and file.is_relative_to(ROOT / "src"):
        found += in_openings(text)
    if file.suffix == ".md" and file.is_relative_to(ROOT / "docs"):
        found += in_page(text)
    return sorted(found, key=lambda each: each[:2])


def files() -> list[Path]:
    """All files that a person reads, except the rules."""
    found = {file for kind in KINDS for file in ROOT.glob(kind)} | {
        file for file in (ROOT / "scripts").iterdir() if file.is_file()
    }
    return sorted(found - set(NOT_OURS) - {RULES})


def main(arguments: Sequence[str]) -> int:
    """Print what is found in files; the exit code."""
    ours, count = rules(), 0
    for file in [Path(argument) for argument in arguments] or files():
        try:
            wrong = wrong_in(file.absolute(), ours)
        except (OSError, UnicodeDecodeError) as error:
            print(f"prose: {file} cannot be read: {error}", file=sys.stderr)
            return 2
        shown = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        for each in wrong:
            print(f"{shown}:{each.line}:{each.column}: {each.rule.name}: “{each.words}”; write: {each.rule.instead}")
            count += 1
    return min(count, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

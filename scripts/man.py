r"""Writes man pages into a folder: `rehref.1`, and `rehref-COMMAND.1` for each command.

- Everything on a page comes from click: what `--help` shows. Text that click does not wrap (below `\b`) is not
  wrapped.
- A page uses the `man` macros that groff and mandoc read alike. `-` in options is `\-`, which can be copied; no line
  begins with a control character of roff.
- The same sources and the same `SOURCE_DATE_EPOCH` give the same bytes.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import cleandoc
from pathlib import Path

import click

from rehref._version import __version__
from rehref.cli.program import command_names, import_command, option_groups, program

EXIT_CODES = "Exit codes: "


def roff(text: str) -> str:
    """Text escaped for roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    escaped = escaped.replace("`", "\\(ga").replace("'", "\\(aq").replace("…", "...").replace("§", "\\(sc")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)


def paragraphs(text: str) -> Iterator[str]:
    r"""The paragraphs of a help text; those below `\b` are not wrapped."""
    for block in re.split(r"\n[ \t]*\n", cleandoc(text)):
        if block.startswith("\b"):
            yield f".PP\n.nf\n{roff(block.removeprefix(chr(8)).strip(chr(10)))}\n.fi"
        elif block.strip():
            yield f".PP\n{roff(' '.join(block.split()))}"


def option(parameter: click.Option, context: click.Context) -> str:
    """The entry of an option."""
    names, said = parameter.get_help_record(context) or ("", "")
    return f".TP\n\\fB{roff(names)}\\fR\n{roff(' '.join(said.split()))}"


def options(command: click.Command, context: click.Context) -> str:
    """The entries of all options; if they are in groups, each group with a heading."""
    groups = option_groups(command, context)
    lines: list[str] = []
    for name, own in groups.items():
        lines += [f".SS {roff(name)}"] * (len(groups) > 1)
        lines += [option(each, context) for each in own]
    return "\n".join(lines)


def sections(epilog: str) -> tuple[str, str, str]:
    """The parts of an epilog, in roff: examples, exit codes, everything else."""
    blocks = list(paragraphs(epilog))
    examples = [block for block in blocks if "\nExamples:\n" in block]
    codes = [block for block in blocks if roff(EXIT_CODES) in block]
    others = [block for block in blocks if block not in (*examples, *codes)]
    shown = "\n".join(block.replace("\nExamples:\n", "\n", 1) for block in examples)
    return shown, "\n".join(codes).replace(roff(EXIT_CODES), "", 1), "\n".join(others)


def short(command: click.Command) -> str:
    """What a command does, in one sentence."""
    return command.get_short_help_str(500)


def page(name: str, command: click.Command, date: str) -> str:
    """The page of the program (`rehref`), or of one of its commands."""
    whole = click.Context(program, info_name="rehref", **program.context_settings)
    context = whole if command is program else click.Context(command, whole, info_name=name.partition(" ")[2])
    title = name.replace(" ", "-")
    summary = short(command).rstrip(".")
    usage = command.collect_usage_pieces(context)
    examples, codes, others = sections(command.epilog or "")
    listed = (
        f".TP\n\\fB{roff(f'rehref-{each}')}\\fR(1)\n{roff(short(import_command(each)))}"
        for each in command_names(installed=False)
    )
    parts = {
        "NAME": f"{roff(title)} \\- {roff(summary[:1].lower() + summary[1:])}",
        "SYNOPSIS": f"\\fB{roff(name)}\\fR {roff(' '.join(usage))}",
        "DESCRIPTION": "\n".join(paragraphs((command.help or "").partition("\f")[0])),
        "COMMANDS": "\n".join(listed) if command is program else "",
        "OPTIONS": options(command, context),
        "EXAMPLES": examples,
        "CONFIGURATION AND COMPLETION": others if command is program else "",
        "EXIT STATUS": codes if command is program else "See \\fBrehref\\fR(1).",
        "SEE ALSO": ",\n".join(f"\\fB{roff(each)}\\fR(1)" for each in related(title)),
    }
    if command is not program and others:
        parts["DESCRIPTION"] += f"\n{others}"
    body = "".join(f".SH {heading}\n{text}\n" for heading, text in parts.items() if text)
    return f'.TH {roff(title.upper())} 1 {date} "rehref {roff(__version__)}" "User Commands"\n{body}'


def related(title: str) -> list[str]:
    """The other pages that a page refers to."""
    return [
        each for each in ("rehref", *(f"rehref-{name}" for name in command_names(installed=False))) if each != title
    ]


def pages() -> Iterator[tuple[str, str]]:
    """The name of each page's file, and the page."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    when = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(int(seconds), UTC)
    date = when.strftime("%Y-%m-%d")
    yield "rehref.1", page("rehref", program, date)
    for name in command_names(installed=False):
        yield f"rehref-{name}.1", page(f"rehref {name}", import_command(name), date)


def main(folder: str) -> None:
    """Write all pages into a folder, and make it if it does not exist."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in pages():
        (Path(folder) / name).write_text(text, encoding="utf-8", newline="\n")
        print(Path(folder) / name)


if __name__ == "__main__":
    main(sys.argv[1])

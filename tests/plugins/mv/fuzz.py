"""Kills random moves in generated sites, and runs them again: `scripts/fuzz moves` runs it.

In the end, all files are those of an undisturbed run, byte for byte, and so is what the index of git has.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from checked.contexts import written
from plugins.mv.kills import content, killed
from rehref import move
from rehref.plugins.mv.unfinished import refuse

FOLDERS = ("", "a/", "a/b/", "c d/", "é/")
NAMES = ("index.html", "x.html", "wind.html", "s.css", "i.svg", "f.xml")
NEW = ("new.html", "a/n ew.html", "deep/er/new.html", "c d/new.css", "b.svg", "e", "a/e", "c d/f", "deep/er")
REDIRECTS = (None, None, "_redirects", ".htaccess", "netlify.toml", "vercel.json")


class Case(NamedTuple):
    """A site, and a move in it. `in_git`: whether the site is a repository."""

    files: dict[str, str]
    old: str
    new: str
    options: dict[str, Any]
    in_git: bool


def case(chance: Random) -> Case:
    """A random one."""
    paths = chance.sample([folder + name for folder in FOLDERS for name in NAMES], chance.randint(2, 14))
    files = {path: _document(path, paths, chance) for path in paths}
    folders = sorted({path.rpartition("/")[0] for path in paths} - {""})
    old = chance.choice([*paths, *folders, *folders])
    new = chance.choice([each for each in NEW if not each.startswith(f"{old}/")])
    if old.endswith(".html") and chance.random() < 0.2:
        old, new = f"{old}#top", f"{old}#high"
    named = None if "#" in old else chance.choice(REDIRECTS)
    options = {} if named is None else {"redirects": named}
    if chance.random() < 0.5:
        files["_redirects"] = f"/old /{quote(chance.choice(paths))} 301\n"
        options["host"] = "netlify"
    return Case(files, old, new, options, chance.random() < 0.3)


def _document(path: str, paths: Sequence[str], chance: Random) -> str:
    up = "../" * path.count("/")
    references = [chance.choice((up, "/")) + quote(chance.choice(paths)) for _ in range(chance.randint(0, 6))]
    if path.endswith(".css"):
        return "".join(f"p {{ background: url({each}) }}\n" for each in references)
    links = "".join(f'<a href="{each}{chance.choice(("", "#top"))}">x</a>\n' for each in references)
    if path.endswith(".html"):
        return f"<p id=top>\n{links}"
    return f'<svg xmlns="http://www.w3.org/2000/svg">{links}</svg>' if path.endswith(".svg") else "<x/>"


def made(folder: Path, case: Case) -> Path:
    """Write the site."""
    written(folder, case.files)
    if case.in_git:
        _git(folder, "init", "-q")
        _git(folder, "add", ".")
    return folder


def run(folder: Path, case: Case) -> str:
    """Run the move; return what it raises, "" if nothing."""
    options = {
        **case.options,
        **({"redirects": folder / case.options["redirects"]} if "redirects" in case.options else {}),
    }
    try:
        move(f"{folder}/{case.old}", f"{folder}/{case.new}", folder=folder, **options)
    except (OSError, ValueError) as error:
        return str(error).replace(str(folder), "FOLDER")
    return ""


def state(folder: Path, case: Case) -> tuple[dict[str, bytes], str]:
    """The files of a site, and the paths in the index."""
    files = {path: data for path, data in content(folder).items() if not path.startswith(".git/")}
    return files, _git(folder, "ls-files", "-s") if case.in_git else ""


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def difference(chance: Random, folder: Path) -> str:
    """Kill a random move up to three times; return what is wrong in the end, "" if nothing is."""
    one = case(chance)
    undisturbed = made(folder / "undisturbed", one)
    said = run(undisturbed, one)
    disturbed = made(folder / "disturbed", one)
    if said:
        again = run(disturbed, one)
        return "" if (again, state(disturbed, one)) == (said, state(made(folder / "same", one), one)) else again
    for _ in range(chance.randint(1, 3)):
        killed(chance.randrange(40), lambda: run(disturbed, one))
    again = run(disturbed, one)
    if again or state(disturbed, one) != state(undisturbed, one):
        return f"{one.old} to {one.new}, {one.options}: {again or 'other files'}"
    refuse(disturbed)  # raises if the move still counts as begun
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is over, or for some cases; 1 on a difference."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz moves")
    parser.add_argument("seconds", nargs="?", type=float, default=60)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    ends, cases = time.monotonic() + given.seconds, 0
    while cases < given.cases if given.cases else time.monotonic() < ends:
        with tempfile.TemporaryDirectory() as name:
            os.environ["XDG_STATE_HOME"] = f"{name}/state"
            found = difference(Random(f"{given.seed} {cases}"), Path(name))
            if found:
                kept = shutil.copytree(name, tempfile.mkdtemp(), dirs_exist_ok=True)
                print(f"move {cases} of seed {given.seed}: {found}; the sites are in {kept}")
                return 1
        cases += 1
    print(f"{cases:,} moves, killed and run again, without a difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())

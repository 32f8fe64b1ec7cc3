"""Records hashes of the results of rehref, and compares a later state with them: `scripts/pin` runs it.

`pinned_results` has the documents and the results. A document that changed since the recording is named, and not
compared. Processes make the results, one for a part of the documents, with the compiled twin or without.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from pinned_results import ROOT, WITHOUT, Task, hashed, result, subjects, tasks

FORMAT: Final = "rehref-pins 1"
SHOWN: Final = 40
AROUND: Final = 60


class Corpora(NamedTuple):
    """Which documents are read."""

    quick: bool
    folders: Sequence[str]


def outcomes(
    part: int, parts: int, corpora: Corpora, wanted: Sequence[Task] | None, *, twin: bool
) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the results of every nth subject: its name and digest, setting, view, and the hash, or all if wanted."""
    chosen = None if wanted is None else set(map(tuple, wanted))
    names = None if chosen is None else {name for name, _, _ in chosen}
    with tempfile.TemporaryDirectory() as folder:
        found = subjects(list(map(Path, corpora.folders)), Path(folder), quick=corpora.quick)
        for subject in islice(found, part, None, parts):
            if names is not None and subject.name not in names:
                continue
            digest = subject.digest
            for setting, view, make in tasks(subject, twin=twin, quick=corpora.quick):
                if chosen is None:
                    yield subject.name, digest, setting, view, hashed(result(make))
                elif (subject.name, setting, view) in chosen:
                    yield subject.name, digest, setting, view, result(make).decode("latin-1")


def work(asked: Mapping[str, Any]) -> None:
    """Print outcomes as JSON lines."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    corpora = Corpora(*asked["corpora"])
    for outcome in outcomes(asked["part"], asked["parts"], corpora, asked["wanted"], twin=asked["twin"]):
        print(json.dumps(outcome))


Results: TypeAlias = dict[Task, str]
"""What was made of each task: a hash, or all of it."""


def made(
    corpora: Corpora, jobs: int, wanted: Sequence[Task] | None = None, beside: Path | None = None
) -> tuple[Results, dict[str, str]]:
    """Return results, and the digests of the documents; by another checkout, with its scripts, if it is given."""
    has_twin = beside is not None or _has_twin()
    checkout = ROOT if beside is None else beside
    parts = 1 if wanted is not None else 4 * jobs
    runs = [(part, twin) for part in range(parts) for twin in ((True, False) if has_twin else (False,))]
    if wanted is not None:
        runs = [(part, twin) for part, twin in runs if any((task[1].endswith(WITHOUT)) != twin for task in wanted)]

    def run(how: tuple[int, bool]) -> str:
        part, twin = how
        paths = [str(checkout / name) for name in ("src", "scripts", "tests")]
        environment = {**os.environ, "REHREF_NATIVE": "require" if twin else "no", "PYTHONPATH": os.pathsep.join(paths)}
        asked = json.dumps({"part": part, "parts": parts, "twin": twin, "wanted": wanted, "corpora": corpora})
        command = [sys.executable, "-P", str(checkout / "scripts" / "pin.py"), "work"]
        process = subprocess.run(command, input=asked, env=environment, text=True, stdout=subprocess.PIPE, check=True)
        return process.stdout

    results: Results = {}
    digests: dict[str, str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for output in pool.map(run, runs):
            for name, digest, setting, view, value in map(json.loads, output.splitlines()):
                results[name, setting, view] = value
                digests[name] = digest
    return results, digests


def _has_twin() -> bool:
    from rehref._native import TWIN

    return TWIN is not None


def written(results: Results, digests: Mapping[str, str], corpora: Corpora) -> str:
    """Return the content of a file of pins: for each document and setting a line with a hash for each view."""
    views = sorted({view for _, _, view in results})
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for (name, setting, view), value in results.items():
        rows.setdefault((name, setting), {})[view] = value
    head = {"format": FORMAT, "views": views, "quick": corpora.quick, "corpora": list(corpora.folders)}
    lines = [json.dumps(head)]
    for (name, setting), row in sorted(rows.items()):
        lines.append(json.dumps((name, digests[name], setting, " ".join(row.get(view, "-") for view in views))))
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[Results, dict[str, str], Corpora]:
    """Return what a file of pins says. Raises ValueError if it is another file."""
    first, *lines = text.splitlines() or [""]
    head = json.loads(first) if first.startswith("{") else {}
    if head.get("format") != FORMAT:
        raise ValueError(f"this file has no pins ({FORMAT})")
    results: Results = {}
    digests: dict[str, str] = {}
    for name, digest, setting, hashes in map(json.loads, lines):
        digests[name] = digest
        pairs = zip(head["views"], hashes.split(" "), strict=True)
        results |= {(name, setting, view): value for view, value in pairs if value != "-"}
    return results, digests, Corpora(head["quick"], head["corpora"])


def record(file: Path, corpora: Corpora, jobs: int) -> int:
    """Write the results of now into a file; the exit code."""
    results, digests = made(corpora, jobs)
    file.write_text(written(results, digests, corpora), encoding="utf-8")
    without = (
        (name, setting.removesuffix(WITHOUT), view) for name, setting, view in results if setting.endswith(WITHOUT)
    )
    differing = [
        task for task in without if task in results and results[task] != results[task[0], task[1] + WITHOUT, task[2]]
    ]
    print(f"{len(results):,} results of {len(digests):,} documents; {len(differing):,} differ without the twin.")
    _name(differing)
    return 0


def compare(file: Path, jobs: int, beside: Path | None) -> int:
    """Name the results that are other ones than in a file; the exit code. `beside`: the checkout of then."""
    old, digests, corpora = read(file.read_text(encoding="utf-8"))
    new, new_digests = made(corpora, jobs)
    changed = sorted(name for name in digests if new_digests.get(name) != digests[name])
    same = new.keys() & old.keys() - {task for task in old if task[0] in set(changed)}
    differing = sorted(task for task in same if old[task] != new[task])
    missing = sorted(task for task in old.keys() - new.keys() if task[0] in new_digests)
    print(f"{len(same):,} results compared; {len(differing):,} differ, {len(missing):,} are missing.")
    if changed:
        print(f"{len(changed):,} documents changed, or are gone: {', '.join(changed[:SHOWN])}")
    if beside is None:
        _name(differing)
    else:
        _show(differing[:SHOWN], corpora, beside)
        _name_rest(differing)
    _name(missing, "is missing")
    return 1 if differing or missing else 0


def _name(differing: Sequence[Task], what: str = "differs") -> None:
    for name, setting, view in differing[:SHOWN]:
        print(f"  {name} [{setting}] {view}: {what}")
    _name_rest(differing)


def _name_rest(differing: Sequence[Task]) -> None:
    if len(differing) > SHOWN:
        print(f"  and {len(differing) - SHOWN:,} more")


def _show(differing: Sequence[Task], corpora: Corpora, beside: Path) -> None:
    """Print the first difference of each result between another checkout and this one."""
    if not differing:
        return
    old, _ = made(corpora, 1, differing, beside)
    new, _ = made(corpora, 1, differing)
    for task in differing:
        name, setting, view = task
        before, after = old.get(task, ""), new.get(task, "")
        at = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(before), len(after)) if at is None else at
        print(f"  {name} [{setting}] {view}: differs at {at}")
        for label, text in (("then", before), ("now", after)):
            shown = text[max(0, at - AROUND) : at + AROUND].encode("latin-1").decode("utf-8", "replace")
            print(f"    {label:<5}{shown!r}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or compare; the exit code."""
    started_in = Path(os.environ.get("STARTED_IN", "."))
    parser = argparse.ArgumentParser(prog="scripts/pin", description="Record the results of rehref, or compare them.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("record", "compare"):
        command = commands.add_parser(name)
        command.add_argument("file", type=Path)
        command.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
        if name == "record":
            command.add_argument("--quick", action="store_true", help="fewer documents")
            command.add_argument("--corpus", type=Path, action="append", default=[], metavar="FOLDER")
        else:
            command.add_argument(
                "--beside", type=Path, metavar="CHECKOUT", help="the state that was recorded, to show it"
            )
    given = parser.parse_args(arguments)
    file = started_in / given.file
    try:
        return _done(given, file, started_in)
    except (OSError, ValueError) as error:
        print(f"pin: {error}", file=sys.stderr)
    except subprocess.CalledProcessError:
        print("pin: a process that makes results failed; the lines above say why", file=sys.stderr)
    return 2


def _done(given: argparse.Namespace, file: Path, started_in: Path) -> int:
    if given.command == "record":
        folders = [str((started_in / each).resolve()) for each in given.corpus]
        return record(file, Corpora(given.quick, folders), given.jobs)
    return compare(file, given.jobs, None if given.beside is None else (started_in / given.beside).resolve())


if __name__ == "__main__":
    if sys.argv[1:] == ["work"]:
        work(json.loads(sys.stdin.read()))
    else:
        sys.exit(main())

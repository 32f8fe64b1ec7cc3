"""Whether links and bytes are the same with the compiled twin and without, on every page of the corpora.

    scripts/bench twins [FOLDER…]

- The links of each page are listed, and made absolute, once with the twin and once without, in separate processes;
  the results are compared by hash.
- The retrieval URI of a page contains its path; in every third page same-document references become absolute, too.
- Exit 1 if a page differs; the first ones are named.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import modern

CORPORA = Path(__file__).resolve().parent / "corpora"
SITE = "https://www.example.com/"
SHOWN = 20


def pages(folders: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """The name and the bytes of every page: those below the folders, and generated ones."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".html", ".htm", ".xhtml") and path.is_file() and not path.is_symlink():
                yield f"{folder.name}/{path.relative_to(folder).as_posix()}", path.read_bytes()
    for number, data in enumerate(modern.pages(modern.PAGES), 1):
        yield f"modern/{number:03}.html", data


def results(folders: Iterable[Path]) -> Iterator[str]:
    """A line for each page: the hash of the results, and its name."""
    import rehref

    for number, (name, data) in enumerate(pages(folders)):
        url = SITE + quote(name)
        rule = rehref.Absolute(same_document=number % 3 == 0)
        links = repr(rehref.links(data, url=url)).encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(links + b"\0" + rehref.rewrite(data, rule, url=url)).hexdigest()
        yield f"{digest} {name}"


def begun(folders: Iterable[Path], wish: str) -> subprocess.Popen[str]:
    """A process that prints the results, with `REHREF_NATIVE` set to `wish`."""
    command = [sys.executable, __file__, "--print", *map(str, folders)]
    environment = {**os.environ, "REHREF_NATIVE": wish}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare links and bytes with the compiled twin and without.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="instead of all corpora")
    parser.add_argument("--print", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    folders = options.folders or sorted(path for path in CORPORA.glob("*") if path.is_dir())
    if options.print:
        for line in results(folders):
            print(line)
        return 0
    processes = [begun(folders, wish) for wish in ("require", "no")]
    differing, count = [], 0
    for with_twin, without in zip(*(process.stdout or () for process in processes), strict=True):
        count += 1
        if with_twin != without:
            differing.append(without.split(" ", 1)[1].strip())
    if any(process.wait() for process in processes):
        return 2
    print(f"{count:,} pages; {len(differing):,} differ with the compiled twin and without.")
    print(*differing[:SHOWN], sep="\n", end="\n" if differing else "")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

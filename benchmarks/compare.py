"""How much of what moved `rehref compare` finds, and what it costs: a corpus beside itself with files and ids renamed.

    scripts/bench compare [FOLDER] [--renamed 1000] [--seed 1]

Half of the renamed things are files, half are ids. A third of the files stay in their folder, the others go to new
ones; every second one gets another paragraph, so that its bytes differ. Pages that only refresh are left alone.
`found`: the new place is stated, with certainty; `wrong`: another one is. Ids that are on more than a tenth of the
pages, or end in a digit, are not renamed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import rehref

RUST = Path(__file__).parent / "corpora/rust-doc/usr/share/doc/rust-doc/html"
ID = re.compile(rb'\bid="([A-Za-z][A-Za-z._-]{3,40})"')


def copied(folder: Path, to: Path) -> None:
    """Copy a folder with hard links, and without symbolic links."""
    subprocess.run(["cp", "-al", f"{folder}/.", str(to)], check=True)


def renamed_files(folder: Path, pages: list[Path], number: int, draw: random.Random) -> dict[str, str]:
    """Rename some pages, and return their old and new URLs."""
    truth = {}
    usual = [page for page in pages if page.name != "index.html" and b'http-equiv="refresh"' not in page.read_bytes()]
    for count, page in enumerate(draw.sample(usual, number)):
        stays = count % 3 == 0
        new = page.parent if stays else folder / f"moved-{count % 7}" / page.parent.relative_to(folder)
        name = f"renamed-{count}.html" if stays or count % 3 == 1 else page.name
        new.mkdir(parents=True, exist_ok=True)
        data = page.read_bytes()
        page.unlink()
        if count % 2:
            data = re.sub(
                rb"</(?:main|article|body)>", rb"<p>Another paragraph has come to this page.</p>\g<0>", data, count=1
            )
        (new / name).write_bytes(data)
        truth[page.relative_to(folder).as_posix()] = (new / name).relative_to(folder).as_posix()
    return truth


def renamed_ids(folder: Path, pages: list[Path], number: int, draw: random.Random) -> dict[str, str]:
    """Rename an id in each of some pages, and return the old and new ones with their URLs."""
    truth: dict[str, str] = {}
    names_of = {page: set(ID.findall(page.read_bytes())) for page in pages if page.exists()}
    often = Counter(name for names in names_of.values() for name in names)
    for page in draw.sample(pages, len(pages)):
        data = page.read_bytes() if page.exists() else b""
        names = sorted(name for name in names_of.get(page, ()) if often[name] <= len(pages) // 10)
        if names and len(truth) < number:
            name = draw.choice(names)
            new = b"new-%d" % len(truth)
            page.unlink()
            page.write_bytes(re.sub(rb'\bid="%b"' % re.escape(name), b'id="%b"' % new, data))
            url = page.relative_to(folder).as_posix()
            url = url.removesuffix("index.html") if page.name == "index.html" else url
            truth[f"{url}#{name.decode()}"] = f"{url}#{new.decode()}"
    return truth


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=RUST)
    parser.add_argument("--renamed", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    with TemporaryDirectory(dir=os.environ.get("TMPDIR")) as temporary:
        new = Path(temporary)
        copied(asked.folder, new)
        pages = sorted(page for page in new.rglob("*.html") if page.is_file() and not page.is_symlink())
        files = renamed_files(new, pages, asked.renamed // 2, draw)
        truth = files | renamed_ids(new, pages, asked.renamed // 2, draw)
        began = time.process_time()
        result = rehref.compare(asked.folder, new)
        seconds = time.process_time() - began
    print(result.summary)
    gone = {each.url: each for each in result.problems if each.code in ("url-gone", "id-gone")}
    sure = {url: each.moved_to for url, each in gone.items() if each.moved_to and (each.certainty or 0) >= 0.9}
    found = [url for url, to in truth.items() if sure.get(url) == to]
    wrong = [(url, to, truth.get(url)) for url, to in sure.items() if truth.get(url) != to]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{len(truth)} renamed in {len(pages)} pages: {len(found)} found, {len(wrong)} wrong")
    print(f"{seconds:.1f} s of CPU, {memory} MB")
    for url in [url for url in truth if url not in found][:40]:
        print(
            "not found:",
            url,
            "->",
            truth[url],
            "|",
            gone[url].message if url in gone else "not reported",
            file=sys.stderr,
        )
    for each in wrong[:40]:
        print("wrong:", *each, file=sys.stderr)


if __name__ == "__main__":
    main()

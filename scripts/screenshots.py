"""Makes the pictures of the pages of `rehref check` and `rehref links` (`--format html`) for the documentation.

- The pages are about Python's documentation; the command line makes them.
- Each picture shows a window of one size, in one colour scheme (`tests/browser/devtools.py`).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/browser")]

import chromium  # noqa: E402 -- it is found there
import devtools  # noqa: E402

CORPUS = ROOT / "benchmarks/corpora/python3.11-doc/usr/share/doc/python3.11"
WIDTH, HEIGHT = 1280, 1000
SMALL_WIDTH, SMALL_HEIGHT = 1000, 760
"""A little wider than the README on the screen, so that the text is legible there."""
OFFLINE_HEIGHT = 420

SCHEMES = ("light", "dark")
URL = "https://docs.python.org/3.11/"
TO_MARK = """(mark => { mark.scrollIntoView({block: "center"}); mark.focus() })
  (document.querySelectorAll(".source mark")[5])"""


def rehref(corpus: Path, *arguments: str) -> bytes:
    """The output of the program in that folder."""
    return subprocess.run(
        [sys.executable, "-m", "rehref", *arguments], cwd=corpus, check=True, stdout=subprocess.PIPE
    ).stdout


def keep(tab: devtools.Tab, name: str) -> None:
    """Save a picture of a page."""
    file = ROOT / "docs" / name
    file.write_bytes(tab.picture())
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")


def report(tab: devtools.Tab, corpus: Path, page: Path) -> None:
    """The page of a check."""
    rehref(corpus, "check", "html", "--quiet", "--exit-zero", "--format", f"html={page}")
    for scheme in SCHEMES:
        tab.look(scheme, WIDTH, HEIGHT)
        tab.open(page.as_uri())
        keep(tab, f"report-{scheme}.png")


def small_report(tab: devtools.Tab, page: Path) -> None:
    """The page of a check of the README's small site."""
    site = ("check", "site", "--site-url", "https://kites.example/kites/")
    rehref(ROOT / "examples", *site, "--quiet", "--exit-zero", "--format", f"html={page}")
    tab.look("light", SMALL_WIDTH, SMALL_HEIGHT)
    tab.open(page.as_uri())
    keep(tab, "report-small.png")


def offline(tab: devtools.Tab, folder: Path) -> None:
    """The first page of an archive that was unpacked."""
    rehref(ROOT, "rewrite", "--quiet", "--unpack", str(folder), "fixtures/containers/crawl.warc.gz")
    tab.look("light", SMALL_WIDTH, OFFLINE_HEIGHT)
    tab.open((folder / "index.html").as_uri())
    keep(tab, "offline-small.png")


def inventory(tab: devtools.Tab, corpus: Path, page: Path) -> None:
    """The page of links: the picture of who links where, and a source."""
    one = page.with_name("one.html")
    page.write_bytes(rehref(corpus, "links", "html", "--url", URL, "--quiet", "--format", "html"))
    name = "library/json.html"
    one.write_bytes(rehref(corpus, "links", f"html/{name}", "--url", URL + name, "--quiet", "--format", "html"))
    for scheme in SCHEMES:
        tab.look(scheme, WIDTH, HEIGHT)
        tab.open(page.as_uri())
        tab.run("document.querySelector('#ways').scrollIntoView()")
        keep(tab, f"inventory-{scheme}.png")
        tab.open(one.as_uri())
        tab.run(TO_MARK)
        keep(tab, f"source-{scheme}.png")


def main() -> int:
    """Make all pictures."""
    parser = argparse.ArgumentParser(description="Makes the pictures of pages.")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="the folder that html/ is in")
    arguments = parser.parse_args()
    program = chromium.find_chromium()
    if program is None:
        print("Chromium is not installed.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, devtools.browser(program, 9, Path(folder, "profile")) as browser:
        tab = devtools.Tab(browser)
        small_report(tab, Path(folder, "small.html"))
        offline(tab, Path(folder, "offline"))
        report(tab, arguments.corpus, Path(folder, "report.html"))
        inventory(tab, arguments.corpus, Path(folder, "inventory.html"))
    return 0


if __name__ == "__main__":
    sys.exit(main())

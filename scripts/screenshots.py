"""Makes the pictures of the page of `rehref check --format html` that docs show.

1. The page is that of Python's documentation, checked by the command line as anybody would.
2. Each picture is what a window of one size shows, in one colour scheme (`tests/browser/devtools.py`).
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


def main() -> int:
    """Make them."""
    parser = argparse.ArgumentParser(description="Makes the pictures of the page of a check.")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="the folder that html/ is in")
    arguments = parser.parse_args()
    program = chromium.find_chromium()
    if program is None:
        print("There is no chromium.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, devtools.browser(program, 9, Path(folder, "profile")) as browser:
        page = Path(folder, "report.html")
        command = [
            sys.executable,
            "-m",
            "rehref",
            "check",
            "html",
            "--quiet",
            "--exit-zero",
            "--format",
            f"html={page}",
        ]
        subprocess.run(command, cwd=arguments.corpus, check=True)
        tab = devtools.Tab(browser)
        for scheme in ("light", "dark"):
            tab.look(scheme, WIDTH, HEIGHT)
            tab.open(page.as_uri())
            file = ROOT / f"docs/report-{scheme}.png"
            file.write_bytes(tab.picture())
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Fetches the public conformance suites, at the commits that the project was last compared with.

- Each suite is a folder of a repository of GitHub. git fetches one commit, and no history; since a commit's name is a
  hash of all that is in it, that is also the checksum.
- A suite is written to a folder beside its own, and then renamed: it is there as a whole or not at all. One that is
  there already, from the same commit, stays; one from another commit is replaced.
- The first suite that cannot be fetched ends the run: one line, and exit code 1.
- The lists of expected differences and the tables of `docs/conformance.md` are about a part of some suites; the other
  files are in `ASIDE`, and are not copied.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMIT_FILE = "commit.txt"


CSS_FILES = (
    "LICENSE",
    *("component_value_list.json", "declaration_list.json", "one_component_value.json", "one_declaration.json"),
    *("one_rule.json", "rule_list.json", "stylesheet.json", "stylesheet_bytes.json", "An+B.json"),
)


class SuiteError(Exception):
    """A suite cannot be fetched; the message says why."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite: its folder here, and where it comes from.

    Each of the `paths` in the repository is copied to the folder; of one that ends in "/", the files in it.
    """

    folder: str
    repository: str
    commit: str
    paths: tuple[str, ...]
    licence: str


SUITES = (
    Suite(
        "html5lib",
        "html5lib/html5lib-tests",
        "ed8c9e46c38a3982a11c44aad02e8e4c2cd0ee48",
        ("LICENSE", "tokenizer", "tree-construction", "encoding"),
        "MIT",
    ),
    Suite(
        "url",
        "ada-url/ada",
        "839625c129eaf58dacbd217739ed6517de272b54",
        ("LICENSE-APACHE", "LICENSE-MIT", "tests/wpt/urltestdata.json"),
        "BSD-3-Clause (web-platform-tests)",
    ),
    Suite(
        "css",
        "SimonSapin/css-parsing-tests",
        "c5749e51dda3868b3e8062e65a36584c2fec8059",
        ("LICENSE", *CSS_FILES),
        "CC0",
    ),
    Suite(
        "xmlbase",
        "kurtmckee/feedparser",
        "6b6e3b5e00ab869bff41ee7c2fbe99315c4a8276",
        ("LICENSE", "tests/wellformed/base/"),
        "BSD-2-Clause",
    ),
    Suite(
        "warc",
        "webrecorder/warcio",
        "19594f62cf437f6e1c8da1157fa97e4bfbfc185e",
        ("LICENSE", "test/data/"),
        "Apache-2.0",
    ),
    Suite(
        "mhtml",
        "msindwan/mhtml2html",
        "65173bab979bfed709831f302099e6765b0ff073",
        ("LICENSE.txt", "tests/templates/"),
        "MIT",
    ),
)


ASIDE = frozenset(
    (
        *("adoption02.dat", "domjs-unsafe.dat", "foreign-fragment.dat", "math.dat", "svg.dat", "tests10.dat"),
        *("tests19.dat", "tests20.dat", "tests26.dat", "tests6.dat", "tricky01.dat", "webkit02.dat"),
        *("chardet", "scripted"),
        *("bad.arc", "example-bad.warc.gz.bad", "example-resource.warc.gz", "example-space-in-target-uri.warc.gz"),
        *("example-space-in-url.arc", "example.arc", "post-test.warc.gz", "iframes.mhtml"),
        *("entry_content_xml_base_inherit_3.xml", "entry_summary_xml_base_inherit_3.xml"),
        *("entry_title_xml_base_inherit_3.xml", "feed_copyright_xml_base_inherit_3.xml"),
        *("feed_info_xml_base_inherit_3.xml", "feed_tagline_xml_base_inherit_2.xml"),
        *("feed_title_xml_base_inherit_2.xml", "http_channel_link_base_content_location.xml"),
        *("http_entry_content_base64_base_docuri.xml", "http_entry_contributor_url_base_content_location.xml"),
        *("http_entry_link_base_docuri.xml", "http_entry_summary_inline_base_content_location.xml"),
        *("http_entry_title_base_docuri.xml", "http_feed_contributor_url_base_content_location.xml"),
        *("http_feed_copyright_base_docuri.xml", "http_feed_id_base_content_location.xml"),
        *("http_feed_info_base_docuri.xml", "http_feed_tagline_base64_base_content_location.xml"),
        *("http_feed_tagline_inline_base_docuri.xml", "http_feed_title_inline_base_content_location.xml"),
        *("http_item_comments_base_docuri.xml", "http_item_description_spaces.xml"),
        *("http_item_wfw_commentRSS_base_content_location.xml", "http_item_xhtml_body_base_docuri.xml"),
        "relative_xml_base.xml",
    )
)
"""What is not copied: names of files and folders."""


def main(arguments: Sequence[str] | None = None, suites: Sequence[Suite] = SUITES) -> int:
    """Fetch what is missing; return the exit code."""
    parser = ArgumentParser(prog="scripts/suites", description="Fetches the public conformance suites.")
    parser.add_argument("--from", dest="origin", metavar="URL", default="https://github.com", help="a mirror")
    parser.add_argument("--into", metavar="FOLDER", type=Path, default=ROOT / "suites", help="default: suites/")
    options = parser.parse_args(arguments)
    options.into.mkdir(parents=True, exist_ok=True)
    for suite in suites:
        folder = options.into / suite.folder
        try:
            is_new = bring(suite, options.origin, folder)
        except SuiteError as error:
            print(f"suites: {suite.folder}: {error}", file=sys.stderr)
            if not any(options.into.iterdir()):
                options.into.rmdir()  # an empty one would be taken for the suites
            return 1
        print(f"{suite.folder}: {'fetched' if is_new else 'there already'}, {suite.repository} at {suite.commit[:12]}")
    return 0


def bring(suite: Suite, origin: str, folder: Path) -> bool:
    """Have the suite in its folder; return whether it was fetched for it. Raises SuiteError."""
    marker = folder / COMMIT_FILE
    if marker.is_file() and marker.read_text(encoding="ascii").strip() == suite.commit:
        return False
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".suite-") as name:
        clone, new = Path(name, "clone"), Path(name, "new")
        fetch(f"{origin.rstrip('/')}/{suite.repository}", suite.commit, clone)
        new.mkdir()
        for path in suite.paths:
            copy(clone, path, new)
        (new / COMMIT_FILE).write_text(f"{suite.commit}\n", encoding="ascii")
        if folder.exists():
            folder.rename(Path(name, "old"))
        new.rename(folder)
    return True


def fetch(url: str, commit: str, clone: Path) -> None:
    """Check out one commit of a repository."""
    run("init", "--quiet", str(clone))
    run("-C", str(clone), "fetch", "--quiet", "--depth=1", url, commit)
    run("-C", str(clone), "-c", "advice.detachedHead=false", "checkout", "--quiet", commit)


def run(*arguments: str) -> None:
    """Run git. Raises SuiteError with the line that says why it failed."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["git failed"]
        raise SuiteError(
            next((line for line in lines if line.startswith("fatal: ")), lines[-1]).removeprefix("fatal: ")
        )


def copy(clone: Path, path: str, folder: Path) -> None:
    """Copy a file, a folder, or the files of a folder. Raises SuiteError if it is not there."""
    source = clone / path
    if not source.exists():
        raise SuiteError(f"the commit has no {path}")
    if path.endswith("/"):
        for each in source.iterdir():
            if each.is_file() and each.name not in ASIDE:
                shutil.copy(each, folder)
    elif source.is_dir():
        shutil.copytree(source, folder / source.name, ignore=lambda _, names: ASIDE.intersection(names))
    else:
        shutil.copy(source, folder)


if __name__ == "__main__":
    sys.exit(main())

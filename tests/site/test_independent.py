"""`rehref check` beside a checker that shares nothing with it (`independent.py`): they find the same broken links.

- The sites of `fixtures/sites` are checked where they need no host, and compared with what is known to be broken too.
- The corpora are Debian's documentation packages, as `benchmarks/fetch-corpora --check` unpacks them, or those in the
  folder `$REHREF_CORPORA`. Tests are skipped for those that are not there.
- Every page is compared; the 32,101 of `rust-doc` take two minutes.
- Differences are listed in `independent_differences.txt`, with their reasons. An unexpected one fails, and so does one
  that is listed and not there.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from checked.independent import Checker, Reference
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site
from suites import listed

ROOT = Path(__file__).resolve().parents[2]
SITES = ROOT / "fixtures" / "sites"
DIFFERENCES = Path(__file__).resolve().parents[1] / "checked" / "independent_differences.txt"
CORPORA = {
    "python3.11-doc": ["python3.11-doc/usr/share/doc/python3.11/html"],
    "libreoffice-help": [f"libreoffice-help-{part}/usr/share/libreoffice/help" for part in ("en-us", "common")],
    "postgresql-doc-15": ["postgresql-doc-15/usr/share/doc/postgresql-doc-15/html"],
    "rust-doc": ["rust-doc/usr/share/doc/rust-doc/html"],
}
WHOLE = {"postgresql-doc-15"}
"""Corpora in which nothing is broken."""
PLAIN = [
    path.parent
    for path in sorted(SITES.glob("*/expected.json"))
    if not json.loads(path.read_text(encoding="utf-8"))["options"]["rehref"]
]

BEYOND = {
    "base-query": "its base has no query",
    "base-rejected": "it takes every base for one",
    "embedded": "it looks for where forms send to",
    "frames": "it knows no roots of hosts, and no base in srcdoc",
    "imports": "it does not let fonts in SVG go",
    "manifest": "it reads no manifests",
    "markup": "it writes characters that URIs do not have in another way",
    "modules": "it reads no import maps and speculation rules",
    "redirect-pages": "it follows no refreshes",
    "svg": "it reads no processing instructions and paints",
    "unparsable": "it looks for files only",
    "xhtml": "it reads XHTML as HTML",
}
"""What the independent checker does not do, by the site that needs it."""


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[[str], Path]:
    """The folder of a corpus; if it comes in several packages, a copy of all in one."""
    root = Path(os.environ.get("REHREF_CORPORA") or ROOT / "benchmarks" / "corpora")

    def folder(name: str) -> Path:
        parts = [root / part for part in CORPORA[name]]
        missing = [str(part) for part in parts if not part.is_dir()]
        if missing:
            pytest.skip(f"no corpus {Path(missing[0]).name}: run benchmarks/fetch-corpora --check")
        if len(parts) == 1:
            return parts[0]
        for part in parts:
            shutil.copytree(part, tmp_path, symlinks=True, dirs_exist_ok=True)
        return tmp_path

    return folder


def found_by_rehref(folder: Path) -> set[Reference]:
    findings = CheckRun().check(Site.of(folder, CheckOptions())).result.findings
    return {(each.document, each.reference.strip()) for each in findings if each.severity == "error"}


@pytest.mark.parametrize(
    "site",
    [
        pytest.param(
            site,
            id=site.name,
            marks=[pytest.mark.xfail(strict=True, reason=BEYOND[site.name])] if site.name in BEYOND else [],
        )
        for site in PLAIN
    ],
)
def test_sites(site: Path) -> None:
    checker = Checker(site / "site")
    found = checker.broken(checker.documents())
    broken = json.loads((site / "expected.json").read_text(encoding="utf-8"))["broken"]
    assert found == {(each["document"], each["reference"]) for each in broken}
    assert found == found_by_rehref(site / "site")


@pytest.mark.slow
@pytest.mark.parametrize("name", CORPORA)
def test_corpora(name: str, corpus: Callable[[str], Path]) -> None:
    folder = corpus(name)
    checker = Checker(folder, fast=True)
    documents = checker.documents()
    assert len(documents) > 500
    theirs = checker.broken(documents)
    ours = found_by_rehref(folder)
    assert bool(theirs) is (name not in WHOLE), "a corpus without a broken link shows little"
    alone = [("rehref", *each) for each in ours - theirs] + [("independent", *each) for each in theirs - ours]
    assert {"\t".join((name, *each)) for each in alone} == listed(DIFFERENCES, f"{name}\t").keys()

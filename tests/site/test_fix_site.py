"""`rehref check --fix` on a made site with 200 mistakes: the promise, from end to end.

- Where all references are right, nothing is found.
- Of 200 mistakes, at least 110 are corrected: the references lead where they are meant to. That goes by `made_site`,
  not by what rehref says. Most of the others lead to single files that have moved, which a name does not prove. Each
  link that a wrong base breaks is a mistake, and the base one more, which is never corrected.
- No reference is made wrong: what is changed is right then, and what was right is not touched.
- No byte changes outside of references.
- What rehref says is broken, before and after, are the references that lead to nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from checked.made_mistakes import seed_mistakes
from checked.made_pages import SITE, make_site
from checked.made_site import Site
from rehref.cli.program import program
from rehref.files.file_errors import FileError
from rehref.site import site
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions

MISTAKES = 200
INFERRED = "https://www.example.net/"
"""Where the site says it is; no option does."""
MOST_LEFT = MISTAKES * 9 // 20
SLOW_SEEDS = range(1, 8)


class Checked(NamedTuple):
    """What a check said: its exit code, the summary, the errors and the other codes, and what it said besides."""

    code: int
    summary: dict[str, Any]
    errors: int
    warnings: set[str]
    said: str


def check(folder: Path, *options: str) -> Checked:
    arguments = ["check", str(folder), "--format", "json", *options]
    result = CliRunner().invoke(program, arguments, catch_exceptions=False)
    report = json.loads(result.stdout)
    errors = [one for one in report["problems"] if one["severity"] == "error"]
    warnings = {one["code"] for one in report["problems"]} - {one["code"] for one in errors}
    return Checked(result.exit_code, report["summary"], len(errors), warnings, result.stderr)


def made(seed: int, folder: Path, *, on_host: bool = True) -> tuple[Site, set[int], list[str]]:
    """A site with mistakes, in a folder; the numbers of those, and the options to check it. Without, it is right."""
    folder.mkdir()
    site = make_site(seed, SITE if on_host else INFERRED)
    options = ["--site-url", SITE] if on_host else []
    site.write_to(folder)
    right = check(folder, *options)
    assert (right.code, right.errors) == (0, 0)
    assert right.warnings <= {"not-a-uri", "base-relative"}
    assert right.summary["checked"] == sum(reference.truth is not None for reference in site.references)
    mistakes = set(seed_mistakes(site, MISTAKES, random.Random(seed)))
    assert len(mistakes) == MISTAKES
    site.write_to(folder)
    for path in site.moved:
        (folder / path).unlink()
    return site, mistakes, options


def leading_nowhere(site: Site, numbers: Iterable[int]) -> int:
    """How many of these references lead to nothing; a base leads nowhere by itself."""
    return sum(site.references[number].truth is not None and site.leads_to(number) is None for number in numbers)


def correct(site: Site, mistakes: set[int], folder: Path, *options: str) -> int:
    """Correct the site, look at every reference, and give the number of mistakes that are left."""
    before = site.read_from(folder)
    found = check(folder, *options)
    assert (found.code, found.errors) == (1, leading_nowhere(site, mistakes))
    after = check(folder, *options, "--fix")
    now = site.read_from(folder)
    changed = {number for number in now if now[number] != before[number]}
    assert changed <= mistakes
    documents = {site.references[number].file for number in changed}
    assert (
        after.said.splitlines(keepends=True)[-1]
        == f"rehref: {len(changed)} references corrected in {len(documents)} documents\n"
    )
    was = {number: site.value(number) for number in changed}
    for number in changed:
        site.values[number] = site.references[number].form.read(now[number])
    wrong = [number for number in range(len(site.references)) if not site.is_right(number)]
    assert [(site.references[number], was[number], site.value(number)) for number in changed & set(wrong)] == []
    assert set(wrong) <= mistakes
    assert after.errors == leading_nowhere(site, wrong)
    return len(wrong)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in SLOW_SEEDS)])
def test_of_200_mistakes_most_are_corrected_and_none_made_wrong(tmp_path: Path, seed: int) -> None:
    site, mistakes, options = made(seed, tmp_path / "site")
    assert correct(site, mistakes, tmp_path / "site", *options) <= MOST_LEFT
    again = check(tmp_path / "site", *options, "--fix")
    assert again.said == "rehref: 0 references corrected in 0 documents\n"


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW_SEEDS)
def test_where_the_place_is_inferred_none_is_made_wrong_either(tmp_path: Path, seed: int) -> None:
    site, mistakes, options = made(seed, tmp_path / "site", on_host=False)
    assert correct(site, mistakes, tmp_path / "site", *options) <= MOST_LEFT * 4 // 3


def test_all_that_is_sure_is_written(tmp_path: Path) -> None:
    made(0, tmp_path / "site")
    context = site.Site.of(tmp_path / "site", CheckOptions(site_url=SITE))
    result = CheckRun().check(context, suggests_all=True).result
    sure = [one for one in result.findings if one.sure]
    fixed = [one for one in context.fixes(result.findings) if not isinstance(one, FileError)]
    assert [finding for one in fixed for finding in one.left] == []
    assert sum(len(one.corrected) for one in fixed) == len(sure) > MISTAKES - MOST_LEFT

"""`rehref check --format html` says how the check was made: when, by which version, with which options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rehref._version import __version__


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.html").write_text("<a href=b.html>")
    return site


def options_of(page: str) -> list[str]:
    found = re.search("<dt>Options</dt> <dd>(.*?)</dd>", page)
    assert found is not None
    return re.findall("<code>(.*?)</code>", found[1])


def test_the_page_says_when_it_was_made_and_by_which_version(run: Any, folder: Path) -> None:
    page = run("check", folder, "--format", "html").stdout
    assert re.search(rf"rehref {re.escape(__version__)}, 20\d\d-\d\d-\d\d \d\d:\d\d UTC<", page)
    assert re.search("<dt>Options</dt> <dd>none</dd>", page)


def test_the_page_has_the_options_without_passwords(run: Any, folder: Path) -> None:
    options = [
        "--exclude",
        "x",
        "--exclude",
        "<y>",
        "--site-url",
        "http://user:secret@h/",
        "--no-fragments",
        "--jobs",
        "1",
    ]
    page = run("check", folder, *options, "--format", "html").stdout
    assert options_of(page) == [
        "--exclude x",
        "--exclude &lt;y&gt;",
        "--no-fragments",
        "--site-url http://user:***@h/",
        "--jobs 1",
    ]
    assert "secret" not in page


def test_the_page_has_the_options_of_a_configuration(run: Any, folder: Path) -> None:
    Path("rehref.toml").write_text('[check]\nexclude = ["q"]\n')
    assert options_of(run("check", folder, "--format", "html").stdout) == ["--exclude q"]

"""Files of a site that say how it is checked: ordinary ones in the folder only, with expressions that end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")

HOST_OF = {
    ".rehrefignore": "none",
    "_redirects": "netlify",
    ".htaccess": "apache",
    "_headers": "netlify",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site, and a file outside."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text('<a href="x">', encoding="utf-8")
    (tmp_path / "outside").write_text("*\n/x /index.html\nRedirect /x /index.html\n", encoding="utf-8")
    return tmp_path / "site"


@pytest.mark.parametrize("name", HOST_OF)
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("link", "leads out of the folder"),
        ("pipe", "is not an ordinary file"),
        ("device", "leads out of the folder"),
        ("large", "is larger than 1 MiB"),
    ],
)
def test_only_an_ordinary_file_in_the_folder_is_read(run: Run, site: Path, name: str, kind: str, told: str) -> None:
    file = site / name
    if kind == "link":
        file.symlink_to("../outside")
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.write_bytes(b"#" * (1 << 20) + b"\n*\n")
    result = run("check", site, "--host", HOST_OF[name], "--root-dir", ".")
    if name == ".rehrefignore":
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
        assert told in result.stderr
    elif kind in ("pipe", "device"):  # no file of the site: it is not there
        assert (result.exit_code, result.stderr) == (1, "")
    else:
        assert result.exit_code == 1
        assert told in result.stdout
        assert result.stderr == ""


SLOW = "(a|a)*$"
PAGE = f'<a href="{"a" * 100}!">'


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("option", ["--exclude", "--include", "--script-ids"])
def test_an_option_that_takes_too_long_is_one_line(run: Run, tmp_path: Path, option: str, jobs: str) -> None:
    for number in range(4):
        (tmp_path / f"{number}.html").write_text(f'{PAGE}<a href="#{"a" * 100}!">', encoding="utf-8")
    result = run("check", tmp_path, option, SLOW, "--jobs", jobs)
    line = f"rehref: {option}: the expression {SLOW} takes too long to search for; simplify its repetitions\n"
    assert (result.exit_code, result.stderr) == (2, line)


@pytest.mark.slow
def test_a_file_that_takes_too_long_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "site" / ".rehrefignore").write_text(f"# why\nuri:{SLOW}", encoding="utf-8")
    result = run("check", "site", "--host", "none", "--root-dir", ".", "--site-url", "http://h/")
    assert result.exit_code == 2
    assert result.stderr.startswith("rehref: site/.rehrefignore:2: the expression ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", ["(", "a{100000000}", "(" * 200 + ")" * 200, "a" * 20_000, "(?R)"])
def test_an_option_that_is_not_taken_is_one_line(run: Run, site: Path, text: str) -> None:
    result = run("check", site, "--exclude", text)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert len(result.stderr) < 300
    (site / ".rehrefignore").write_text(f"uri:{text}", encoding="utf-8")
    result = run("check", site)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert ".rehrefignore:1: the expression " in result.stderr

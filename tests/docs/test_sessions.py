"""What the pages of the site show is what comes out.

- Every session of the pages below runs, one after the other, in a copy of the project's examples and fixtures, and
  prints what is shown (`tests/sessions.py`). All `pycon` blocks of a page are one Python.
- A tutorial is short, and begins with a result.
"""

from __future__ import annotations

import doctest
import shutil
import sys
from pathlib import Path

import pytest

import sessions

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in (
        DOCS / "index.md",
        DOCS / "coming-from.md",
        DOCS / "links.md",
        *DOCS.glob("tutorials/*.md"),
        *DOCS.glob("how-to/*.md"),
        *DOCS.glob("explanation/*.md"),
    )
    if sessions.blocks(path.read_text("utf-8"))
)
TUTORIALS = [page for page in PAGES if page.startswith("tutorials/")]
LONGEST, FIRST_SCREEN = 150, 20

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are for a shell")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what pages speak of, which is the working directory."""
    for name in ("examples", "fixtures"):
        shutil.copytree(DOCS.parent / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_comes_out(page: str, copy: Path) -> None:
    if page == "how-to/from-wget.md" and shutil.which("wget") is None:
        pytest.skip("needs wget")
    if page == "how-to/from-urljoin.md" and sys.version_info[:2] != (3, 11):
        pytest.skip("shows urljoin of Python 3.11")
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    names: dict[str, object] = {"__name__": "__main__"}
    for language, text in sessions.blocks((DOCS / page).read_text("utf-8")):
        if language == "console":
            sessions.try_console(text, copy)
        else:
            example = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
            assert example.examples
            runner.run(example, clear_globs=False)
            names = example.globs
    assert runner.failures == 0


@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial_is_short_and_begins_with_a_result(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST
    first = sessions.blocks(text)[0]
    assert text.partition(f"```{first.language}")[0].count("\n") < FIRST_SCREEN
    outputs = [step.output for step in sessions.steps(first.text)] if first.language == "console" else [first.text]
    assert any(outputs)


def test_there_is_a_tutorial_for_each_reader() -> None:
    assert len(TUTORIALS) == 3


def test_a_step_that_prints_something_else_is_found(copy: Path) -> None:
    with pytest.raises(AssertionError):
        sessions.try_console("$ echo a\nb\n", copy)
    with pytest.raises(AssertionError):
        sessions.try_console("$ false\n", copy)
    sessions.try_console("$ cat <<'END'\n> a\n> END\na\n$ pwd\n/home/you\n", copy)

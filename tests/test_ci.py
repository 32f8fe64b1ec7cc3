"""What the scripts of .ci do with a test that fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

RUN = """
set -euo pipefail
. "$1/.ci/tests.sh"
status=0
run_tests "$VENV_PYTHON" -m pytest -q -c /dev/null --rootdir . . || status=$?
name_unsteady
rm -f "$UNSTEADY_TESTS"
exit $status
"""

STEADY = "def test_steady(): pass\n"
FAILS_ONCE = """
from pathlib import Path

def test_fails_once():
    before = Path("before").exists()
    Path("before").touch()
    assert before
"""
FAILS = "def test_fails(): assert False\n"


def _run(folder: Path, *texts: str) -> subprocess.CompletedProcess[str]:
    for number, text in enumerate(texts):
        (folder / f"test_{number}.py").write_text(text)
    # a run of CI, in which this test may be, has names of its own
    outer = {name: value for name, value in os.environ.items() if name != "UNSTEADY_TESTS"}
    return subprocess.run(
        ["bash", "-c", RUN, "bash", str(ROOT)],
        cwd=folder,
        env={**outer, "VENV_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_test_that_fails_once_is_named_and_a_test_that_fails_again_fails_the_run(tmp_path: Path) -> None:
    steady, unsteady, failing = (tmp_path / name for name in ("steady", "unsteady", "failing"))
    for folder in (steady, unsteady, failing):
        folder.mkdir()
    run = _run(steady, STEADY)
    assert (run.returncode, "unsteady" in run.stdout) == (0, False)
    run = _run(unsteady, STEADY, FAILS_ONCE)
    assert run.returncode == 0, run.stdout
    assert run.stdout.endswith("unsteady: 1 failed, and passed when run again alone:\n  test_1.py::test_fails_once\n")
    run = _run(failing, FAILS_ONCE, FAILS)
    assert run.returncode == 1
    assert run.stdout.endswith("1 failed, and passed when run again alone:\n  test_0.py::test_fails_once\n")


@pytest.mark.slow
def test_many_failures_are_not_run_again(tmp_path: Path) -> None:
    run = _run(tmp_path, *[FAILS] * 11)
    assert (run.returncode, run.stderr) == (1, "")

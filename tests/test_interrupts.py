"""A child process that a test starts ends at an interrupt, whatever who runs the tests does with interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")

IGNORING = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
)
"""A program that becomes another one, as a shell starts it in the background: with interrupts ignored."""


def ignoring(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python where interrupts are ignored."""
    command = [sys.executable, "-c", IGNORING, sys.executable, *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_child_ends_at_an_interrupt() -> None:
    program = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stderr[-18:].strip()) == (-signal.SIGINT, b"KeyboardInterrupt")


def test_a_child_ends_at_an_interrupt_where_the_tests_ignore_it() -> None:
    """The first line shows that it is inherited; then pytest runs the test above."""
    shown = ignoring("-c", "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)")
    assert shown.stdout == "True\n"
    test = f"{__file__}::{test_a_child_ends_at_an_interrupt.__name__}"
    ran = ignoring("-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", test)
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr

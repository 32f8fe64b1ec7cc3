"""Which of the twins runs: the compiled one where there is one, and nobody says otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rehref._native import TWIN, VARIABLE


def how(wish: str, code: str = "from rehref._native import HOW; print(HOW)") -> subprocess.CompletedProcess[str]:
    """What a new process says with that wish."""
    environment = os.environ | {VARIABLE: wish}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


def test_without_the_twin_on_request() -> None:
    assert how("no").stdout == "not compiled\n"


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
@pytest.mark.parametrize("wish", ["", "require"])
def test_with_the_twin_where_it_was_built(wish: str) -> None:
    assert how(wish).stdout == "compiled\n"


def test_a_twin_that_is_required_and_not_there_is_an_error() -> None:
    hidden = "import sys; sys.modules['rehref._native._twin'] = None\nimport rehref._native"
    assert how("require", hidden).returncode == 1
    assert "ImportError: REHREF_NATIVE=require, and the part in C is not here" in how("require", hidden).stderr
    assert how("", hidden).returncode == 0


def test_a_wish_that_is_none_is_an_error() -> None:
    ended = how("bogus", "from rehref.cli import main\nmain(['parsers'])")
    assert (ended.returncode, ended.stderr) == (2, "rehref: REHREF_NATIVE=bogus: use no, require, or nothing\n")


def test_the_command_says_so_in_a_line() -> None:
    hidden = "import sys; sys.modules['rehref._native._twin'] = None\nfrom rehref.cli import main\n"
    assert how("", hidden + "main(['parsers'])").returncode == 0
    ended = how("require", hidden + "main(['parsers'])")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("rehref: REHREF_NATIVE=require, and the part in C is not here")
    assert ended.stderr.count("\n") == 1


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
def test_a_twin_of_other_sources_is_not_used() -> None:
    older = "from importlib import import_module\nimport_module('rehref._native._twin').VERSION = 1\n"
    script = older + "import importlib, rehref._native as native; importlib.reload(native); print(native.HOW)"
    assert how("", script).stdout == "not compiled\n"
    assert "other sources" in how("require", script).stderr

"""The documentation site, built for tests."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
_NEEDED = ("mkdocs", "material", "mkdocstrings")


def built(folder: Path) -> Path:
    """Build the site in a folder, every warning an error; skip the test without `rehref[docs]`."""
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        pytest.skip("needs rehref[docs]")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder

"""The types of what runs the command line in tests (`cli/conftest.py`)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import TypeAlias

from click.testing import Result

Run: TypeAlias = Callable[..., Result]
RunProcess: TypeAlias = "Callable[..., subprocess.CompletedProcess[bytes]]"

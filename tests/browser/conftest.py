"""What the tests of this folder share: its modules, which pytest's way of importing tests does not find, and a tab."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

sys.path.append(str(Path(__file__).resolve().parent))

import chromium
import devtools

NO_SERVER: Final = 9
"""The port of "discard", where nothing answers."""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[devtools.Tab]:
    """A tab of Chromium in which nothing but files can be loaded."""
    found = chromium.needed()
    with devtools.browser(found, NO_SERVER, tmp_path_factory.mktemp("profile")) as browser:
        yield devtools.Tab(browser)

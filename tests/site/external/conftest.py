"""Fixtures for tests of links to other sites."""

from __future__ import annotations

import pytest

from checked.made_web import Servers


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    """Servers that are asked in the place of real ones."""
    found = Servers()
    monkeypatch.setattr("rehref.web.asking.ask", found.ask)
    return found

"""Fixtures for all tests."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder with the conformance data; without it, tests that need it are skipped."""
    beside = Path(__file__).resolve().parents[1].parent / "shared" / "suites"
    folder = Path(os.environ.get("REHREF_SUITES") or beside)
    if not folder.is_dir():
        pytest.skip(f"no conformance data: {folder} does not exist ($REHREF_SUITES names another place)")
    return folder


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of documents written for these tests."""
    return Path(__file__).resolve().parents[1] / "fixtures"

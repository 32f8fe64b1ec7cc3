"""Cases whose results are known to be wrong: such a test must fail until they are right, and then loses its mark."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet


def wrong_today(because: str, *values: object) -> ParameterSet:
    """The values of a case that fails."""
    return pytest.param(*values, marks=pytest.mark.xfail(strict=True, raises=AssertionError, reason=because))

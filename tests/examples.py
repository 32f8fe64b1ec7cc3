"""How many examples a law is tried with: a quarter, unless all tests are run (`scripts/test --all`)."""

from __future__ import annotations

import os

ALL = os.environ.get("REHREF_EXAMPLES") == "all"


def examples(many: int) -> int:
    """So many, or a quarter of them."""
    return many if ALL else many // 4

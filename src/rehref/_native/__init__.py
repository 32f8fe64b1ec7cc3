"""The compiled twin: C that does what the reference in Python does, faster. None of it is needed.

1. The C files know nothing of Python, and hold no table: names and what they mean come from Python at run time.
2. `TWIN` is the compiled module, or None where none was built, or `REHREF_NATIVE=no` says not to use it.
   `REHREF_NATIVE=require` makes its absence an ImportError.
3. Whoever calls it has the reference beside it, and tests hold the two equal.
"""

from __future__ import annotations

import os
from types import ModuleType

VARIABLE = "REHREF_NATIVE"


def _load() -> ModuleType | None:
    wish = os.environ.get(VARIABLE, "")
    if wish == "no":
        return None
    try:
        from rehref._native import _twin  # type: ignore[attr-defined]  # built where there is a compiler
    except ImportError:
        if wish == "require":
            raise
        return None
    twin: ModuleType = _twin
    return twin


TWIN = _load()
HOW = "not compiled" if TWIN is None else "compiled"
"""The same for people."""

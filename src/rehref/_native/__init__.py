"""The compiled twin: C that does what the reference in Python does, faster. None of it is needed.

1. The C files know nothing of Python, and hold no table: names and what they mean come from Python at run time.
2. `TWIN` is the compiled module, or None where none was built, or `REHREF_NATIVE=no` says not to use it.
   `REHREF_NATIVE=require` makes its absence an ImportError, whose `name` is that of the compiled module; any other wish
   is one, too.
3. Whoever calls it has the reference beside it, and tests hold the two equal.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

VARIABLE = "REHREF_NATIVE"
NAME = "rehref._native._twin"
VERSION = 7
"""What the compiled module must say of itself, too: one that was built from older sources is not used."""


def _load() -> ModuleType | None:
    wish = os.environ.get(VARIABLE, "")
    if wish not in ("", "no", "require"):
        raise ImportError(f"{VARIABLE}={wish}: it is no or require, or nothing", name=NAME)
    if wish == "no":
        return None
    try:
        twin = import_module(NAME)  # built where there is a compiler
    except ImportError as error:
        if wish == "require":
            message = f"{VARIABLE}=require, and there is no compiled twin: install rehref where there is a C compiler"
            raise ImportError(message, name=NAME) from error
        return None
    if getattr(twin, "VERSION", None) == VERSION:
        return twin
    if wish == "require":
        raise ImportError("the compiled twin was built from other sources: install rehref again", name=NAME)
    return None


TWIN = _load()
HOW = "not compiled" if TWIN is None else "compiled"
"""The same for people."""

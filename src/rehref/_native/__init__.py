"""The compiled twin: the part in C, an equal of the Python code, and faster. rehref works without it.

The C files contain no table: names and their meaning come from Python at run time. Every caller can also use the Python
code, and tests check that both give equal results. `TWIN` is the compiled module, or None if none was built, or if
`REHREF_NATIVE=no` turns it off. With `REHREF_NATIVE=require`, a missing twin is an ImportError whose `name` is that of
the compiled module. Any other value is an ImportError too.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

VARIABLE = "REHREF_NATIVE"
NAME = "rehref._native._twin"
VERSION = 61
"""The compiled module must have the same number: one that was built from older sources is not used."""


def _load() -> ModuleType | None:
    wish = os.environ.get(VARIABLE, "")
    if wish not in ("", "no", "require"):
        raise ImportError(f"{VARIABLE}={wish}: use no, require, or nothing", name=NAME)
    if wish == "no":
        return None
    try:
        twin = import_module(NAME)  # built where there is a compiler
    except ImportError as error:
        if wish == "require":
            message = f"{VARIABLE}=require, and the part in C is not here: install rehref where there is a C compiler"
            raise ImportError(message, name=NAME) from error
        return None
    if getattr(twin, "VERSION", None) == VERSION:
        return twin
    if wish == "require":
        raise ImportError("the part in C was built from other sources: install rehref again", name=NAME)
    return None


TWIN = _load()
HOW = "not compiled" if TWIN is None else "compiled"
"""The same as a word for people."""

"""Builds the compiled twin where there is a C compiler; all else is in pyproject.toml.

`REHREF_NATIVE=require` makes a build that fails an error, `REHREF_NATIVE=no` leaves it out.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

WISH = os.environ.get("REHREF_NATIVE", "")
FOLDER = Path("src/rehref/_native")

twin = Extension(
    "rehref._native._twin",
    sources=sorted(map(str, FOLDER.glob("*.c"))),
    depends=sorted(map(str, FOLDER.glob("*.h"))),
    extra_compile_args=[] if os.name == "nt" else ["-std=c99", "-O2"],
    define_macros=[("Py_LIMITED_API", "0x030b0000")],
    py_limited_api=True,
    optional=WISH != "require",
)

setup(ext_modules=[] if WISH == "no" else [twin])

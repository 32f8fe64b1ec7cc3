"""Builds the compiled twin where there is a C compiler; all else is in pyproject.toml.

`REHREF_NATIVE=require` makes a build that fails an error, `REHREF_NATIVE=no` leaves it out.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

WISH = os.environ.get("REHREF_NATIVE", "")
FOLDER = Path("src/rehref/_native")

twin = Extension(
    "rehref._native._twin",
    sources=sorted(map(str, FOLDER.glob("*.c"))),
    depends=sorted(map(str, FOLDER.glob("*.h"))),
    extra_compile_args=[] if os.name == "nt" else ["-std=c99", "-O2", "-fvisibility=hidden"],
    define_macros=[("Py_LIMITED_API", "0x030b0000")],
    py_limited_api=True,
    optional=WISH != "require",
)

# a wheel for this Python and all later ones; without the limited API (free-threaded builds) for this one only
LIMITED = WISH != "no" and sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    ext_modules=[] if WISH == "no" else [twin],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)

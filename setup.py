"""Builds the compiled twin where there is a C compiler; all else is in pyproject.toml.

`REHREF_NATIVE=require` makes a build without the twin an error, `REHREF_NATIVE=no` leaves it out. The twin is for
CPython, in the limited API: one wheel is for 3.11 and all later ones. Free-threaded Python has no such API before
3.15: there it is compiled for that one version. Everywhere else rehref is pure Python. `REHREF_REPOSITORY` is the
address of the repository that a release comes from (the workflow sets it). The project's URLs begin with it; without
it there are none.
"""

from __future__ import annotations

import os
import re
import runpy
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

WISH = os.environ.get("REHREF_NATIVE", "")
PAGE = Path("docs/problems.md")
FOLDER = Path("src/rehref/_native")
VERSION = runpy.run_path("src/rehref/_version.py")["__version__"]
REPOSITORY = os.environ.get("REHREF_REPOSITORY", "").rstrip("/")
CODE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(
    r"""(?P<before>(?P<picture>!?)\[[^\]]*\]\(|\b(?P<name>href|src|srcset)=")(?![a-z]+:|#|//)(?P<path>[^)"\s]+)"""
)
IS_FOR_IT = sys.implementation.name == "cpython"
IS_LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")

if WISH not in ("", "require", "no"):
    raise SystemExit(f"REHREF_NATIVE is {WISH!r}; there are require and no.")
if WISH == "require" and not IS_FOR_IT:
    raise SystemExit("REHREF_NATIVE=require: the compiled twin is for CPython.")

twin = Extension(
    "rehref._native._twin",
    sources=sorted(map(str, FOLDER.glob("*.c"))),
    depends=sorted(map(str, FOLDER.glob("*.h"))),
    extra_compile_args=[] if os.name == "nt" else ["-std=c99", "-O2", "-g0", "-fvisibility=hidden"],
    define_macros=[("Py_LIMITED_API", "0x030b0000")] if IS_LIMITED else [],
    py_limited_api=IS_LIMITED,
    optional=WISH != "require",
)


def project_urls() -> dict[str, str]:
    """The links beside the page of a package index, which shows it without the files there: they become absolute."""
    if not REPOSITORY:
        return {}
    return {
        "Source": REPOSITORY,
        "Documentation": f"{REPOSITORY}/tree/v{VERSION}/docs",
        "Changelog": f"{REPOSITORY}/blob/v{VERSION}/CHANGELOG.md",
        "Issues": f"{REPOSITORY}/issues",
    }


def absolute(link: re.Match[str]) -> str:
    """A relative link of README.md, made absolute: a picture is its bytes, all else the page that shows the file."""
    kind = "raw" if link["picture"] or link["name"] in ("src", "srcset") else "blob"
    return f"{link['before']}{REPOSITORY}/{kind}/v{VERSION}/{link['path'].removeprefix('./')}"


def long_description() -> str:
    """README.md as a package index shows it. Blocks of code stay as they are."""
    text = Path("README.md").read_text(encoding="utf-8")
    if not REPOSITORY:
        return text
    return "".join(part if part.startswith("```") else LINK.sub(absolute, part) for part in CODE.split(text))


class Modules(build_py):
    """The modules, and with them the page of problems, for `rehref explain`."""

    def run(self) -> None:
        """Copy them."""
        super().run()
        if not self.editable_mode:
            self.copy_file(PAGE, str(Path(self.build_lib) / "rehref" / PAGE.name))


class Wheel(bdist_wheel):
    """A wheel whose tag says what is in it: the twin is compiled before, and may fail."""

    def run(self) -> None:
        """Compile, and only then decide what the wheel is for."""
        made = [Path(each) for each in self.get_finalized_command("build_ext").get_outputs()]
        for each in made:
            each.unlink(missing_ok=True)  # of a build before
        self.run_command("build_ext")
        if not any(each.exists() for each in made):
            self.distribution.ext_modules = []
            self.root_is_pure, self.py_limited_api = True, False
            self.reinitialize_command("build", reinit_subcommands=True)
        super().run()


setup(
    long_description=long_description(),
    long_description_content_type="text/markdown",
    project_urls=project_urls(),
    ext_modules=[twin] if IS_FOR_IT and WISH != "no" else [],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if IS_LIMITED else {},
    cmdclass={"bdist_wheel": Wheel, "build_py": Modules},
)

"""The public names of `rehref`, pinned: a program written against them keeps working."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rehref
from patience import PATIENCE

PUBLIC = [
    "Absolute",
    "Base",
    "Cause",
    "CheckResult",
    "Components",
    "ContainerError",
    "Diagnostic",
    "Finding",
    "Link",
    "Mapping",
    "Offline",
    "Problem",
    "Relative",
    "ResolutionError",
    "Resolver",
    "Summary",
    "Template",
    "__version__",
    "check",
    "equivalent",
    "find_uris",
    "is_same_document",
    "iter_links",
    "links",
    "normalize",
    "relativize",
    "resolve",
    "rewrite",
    "rewrite_into",
    "split",
]


def fresh(code: str) -> str:
    """What Python code prints in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8", timeout=PATIENCE
    ).stdout


def test_the_public_names() -> None:
    assert rehref.__all__ == PUBLIC


def test_dir_gives_the_public_names_and_nothing_else() -> None:
    assert dir(rehref) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_each_name_loads(name: str) -> None:
    assert getattr(rehref, name) is not None


@pytest.mark.parametrize("name", [name for name in PUBLIC if name != "__version__"])
def test_each_name_is_documented(name: str) -> None:
    assert getattr(rehref, name).__doc__


def test_a_star_import_gives_all_of_them() -> None:
    assert fresh("from rehref import *\nprint(resolve('http://h/a/b', '../c'), __version__)") == (
        f"http://h/c {rehref.__version__}\n"
    )


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'rehref' has no attribute 'Linkk'"):
        rehref.Linkk  # noqa: B018


def test_importing_loads_nothing_else() -> None:
    loaded = fresh("import sys; before = set(sys.modules); import rehref; print(*sorted(set(sys.modules) - before))")
    names = set(loaded.split())
    assert "rehref" in names
    assert {name for name in names if name.startswith("rehref.")} == {"rehref._version"}
    heavy = {"lxml", "html5lib", "rich", "click", "ada_url", "webencodings", "warcio", "jinja2"}
    assert {name.partition(".")[0] for name in names}.isdisjoint(heavy)


@pytest.mark.parametrize(
    ("use", "unneeded"),
    [
        ("resolve('http://h/a/b', 'c')", {"lxml", "html5lib", "ada_url", "webencodings"}),
        ("links('<a href=x>', url='http://h/')", {"lxml", "html5lib"}),
        ("rewrite('<a href=x>', url='http://h/')", {"lxml", "html5lib"}),
        ("links('<a href=x>', url='http://h/', parser='lxml')", {"html5lib"}),
        ("check('.')", {"lxml", "html5lib", "jinja2"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(use: str, unneeded: set[str]) -> None:
    loaded = fresh(f"import sys, rehref; rehref.{use}; print(*sys.modules)").split()
    assert {name.partition(".")[0] for name in loaded}.isdisjoint(unneeded | {"rich", "click"})

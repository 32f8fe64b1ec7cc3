"""The public names of `rehref`, pinned: a program written against them keeps working."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rehref
from patience import PATIENCE

PUBLIC = [
    "DROP",
    "Absolute",
    "Authority",
    "Base",
    "Cause",
    "Change",
    "CheckResult",
    "Comparison",
    "ComparisonSummary",
    "Components",
    "ContainerError",
    "CustomAttributeError",
    "Diagnostic",
    "DocumentRule",
    "Drop",
    "Explanation",
    "ExternalLink",
    "Finding",
    "FoundUri",
    "Grammar",
    "Kind",
    "Link",
    "Mapping",
    "Move",
    "NoBaseWarning",
    "Offline",
    "OptionError",
    "Page",
    "ParserError",
    "Problem",
    "Profile",
    "RehrefError",
    "Rejected",
    "Relative",
    "Relativizer",
    "ResolutionError",
    "Resolver",
    "Rule",
    "SitePlace",
    "SourceResemblesPathWarning",
    "Summary",
    "Tally",
    "Template",
    "UnknownEncodingError",
    "UnknownMediaTypeError",
    "UnwrittenRedirect",
    "Violation",
    "__version__",
    "check",
    "compare",
    "equivalent",
    "expand_suffix",
    "explain",
    "find_uris",
    "is_same_document",
    "is_valid",
    "iter_links",
    "iter_pages",
    "links",
    "move",
    "normalize",
    "relativize",
    "resolve",
    "rewrite",
    "rewrite_into",
    "split",
    "split_authority",
    "unsplit",
    "violations",
]
ALIASES = {"Grammar", "Kind", "Profile", "Rule"}
"""Names of types, which have no docstring of their own."""


def fresh(code: str) -> str:
    """What Python code prints in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8", timeout=PATIENCE
    ).stdout


def test_the_public_names() -> None:
    assert rehref.__all__ == PUBLIC


def test_dir_gives_the_public_names_and_nothing_else() -> None:
    assert dir(rehref) == sorted(PUBLIC)


def test_each_name_loads_and_is_documented() -> None:
    for name in PUBLIC:
        value = getattr(rehref, name)
        assert value is not None
        assert value.__doc__ or name in ALIASES, name


@pytest.mark.parametrize("name", sorted(ALIASES))
def test_each_type_alias_has_its_docstring_below_it(name: str) -> None:
    source = Path(sys.modules["rehref"].__file__ or "").parent.parent
    module = source.joinpath(*rehref._HOMES[name].split(".")).with_suffix(".py").read_text(encoding="utf-8")
    assert re.search(rf'^{name}: TypeAlias = (?:.+|\w+\[\n(?:    .*\n)+\])\n"""', module, re.MULTILINE)


def test_what_public_functions_return_and_values_hold_is_public() -> None:
    """Whoever annotates a variable finds its type in `rehref`."""
    missing = set()
    for name in rehref.__all__:
        thing = getattr(rehref, name)
        annotations = getattr(thing, "__annotations__", {})
        wanted = [annotations.get("return", "")] if inspect.isfunction(thing) else annotations.values()
        around = vars(sys.modules.get(getattr(thing, "__module__", ""), rehref))
        for word in {word for text in wanted for word in re.findall(r"\w+", str(text))}:
            kind = around.get(word)
            if isinstance(kind, type) and kind.__module__.startswith("rehref.") and word not in rehref.__all__:
                missing.add((name, word))
    assert missing == set()


def test_all_exceptions_of_our_own_have_one_base() -> None:
    import importlib
    import pkgutil

    own = set()
    for module in pkgutil.walk_packages(rehref.__path__, "rehref."):
        if not module.name.startswith(
            (
                "rehref.plugins.spark",
                "rehref.plugins.sites",
                "rehref.spark",
                "rehref.integrations",
                "rehref._native",
                "rehref.__main__",
            )
        ):
            found = importlib.import_module(module.name)
            own |= {
                value
                for value in vars(found).values()
                if isinstance(value, type) and issubclass(value, Exception) and value.__module__.startswith("rehref.")
            }
    assert len(own) > 20
    # an address that is refused is an OSError to what connects
    others = {kind for kind in own if not issubclass(kind, rehref.RehrefError)}
    assert {kind.__name__ for kind in others} == {"AddressRefusedError", "NoBaseWarning", "SourceResemblesPathWarning"}


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("ContainerError", ValueError),
        ("ResolutionError", ValueError),
        ("OptionError", ValueError),
        ("UnknownMediaTypeError", ValueError),
        ("CustomAttributeError", ValueError),
        ("UnknownEncodingError", LookupError),
        ("ParserError", LookupError),
    ],
)
def test_an_exception_is_also_one_of_python(name: str, base: type[Exception]) -> None:
    assert issubclass(getattr(rehref, name), (rehref.RehrefError))
    assert issubclass(getattr(rehref, name), base)


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
        ("check('examples/site')", {"lxml", "html5lib", "jinja2"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(use: str, unneeded: set[str]) -> None:
    loaded = fresh(f"import sys, rehref; rehref.{use}; print(*sys.modules)").split()
    assert {name.partition(".")[0] for name in loaded}.isdisjoint(unneeded | {"rich", "click"})

"""Public values and exceptions cross to other processes: each is pickled and comes back the same."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import rehref
from rehref.uri.resolver import PROFILES

LINK = rehref.links('<base href="http://h/a/"><a href="x\ny">', url="http://u/")[1]

SITE = Path(__file__).resolve().parents[1] / "examples" / "site"
RESULT = rehref.check(SITE)
COMPARISON = rehref.compare(SITE, SITE)


def raised(call: Callable[[], object]) -> Exception:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError


VALUES: dict[str, Any] = {
    "Link": LINK,
    "Base": LINK.base,
    "Problem": LINK.problems[0],
    "Components": rehref.split("http://a/?b"),
    "Authority": rehref.split_authority("u@h:1"),
    "Explanation": rehref.explain("http://a/b", "../c"),
    "Violation": rehref.violations("a b")[0],
    "FoundUri": next(rehref.find_uris("see <http://h/>")),
    "Rejected": rehref.links("<a href=x>", entity_base="data:,x", url="http://u/")[0].base.rejected[0],
    "DROP": rehref.DROP,
    "CheckResult": RESULT,
    "SitePlace": RESULT.sites[0],
    "ExternalLink": rehref.check(SITE, lists_external=True).external[0],
    "Cause": RESULT.causes[0],
    "Change": rehref.Change("url-gone", "error", "a.html", "gone"),
    "Comparison": COMPARISON,
    "ComparisonSummary": COMPARISON.summary,
    "UnwrittenRedirect": rehref.UnwrittenRedirect("a.html", "it leads elsewhere"),
    "Tally": COMPARISON.summary.urls,
    "Move": rehref.Move("a.html", "b.html", ("a.html",), ("b.html",), 1, 1),
    "Summary": RESULT.summary,
    "Finding": RESULT.findings[0],
    "Diagnostic": rehref.Diagnostic("part 2", "is broken", "make it anew", code="truncated"),
}
RULES: dict[str, Any] = {
    "Absolute": rehref.Absolute("drop"),
    "Relative": rehref.Relative(metadata=True),
    "Mapping": rehref.Mapping({"http://h/a/xy": "http://i/"}),
    "Offline": rehref.Offline({"http://h/a/": "a/index.html", "http://h/a/xy": "a/xy.html"}, "a/index.html"),
    "Template": rehref.Template("http://r/{when}/{uri}", when="2024"),
}
ERRORS: dict[str, Any] = {
    "ResolutionError": raised(lambda: rehref.resolve("http://a/", "http://[", "whatwg")),
    "ContainerError": rehref.ContainerError([VALUES["Diagnostic"]]),
    "RehrefError": rehref.RehrefError("x"),
    "NoBaseWarning": rehref.NoBaseWarning("x"),
    "SourceResemblesPathWarning": rehref.SourceResemblesPathWarning("x"),
    "OptionError": raised(lambda: rehref.check(".", site_url="x")),
    "CustomAttributeError": raised(lambda: rehref.links(b"", attributes=["a b@c"])),
    "UnknownEncodingError": raised(lambda: rehref.links(b"", encoding="utf-99")),
    "ParserError": raised(lambda: rehref.links(b"", parser="none")),
    "UnknownMediaTypeError": raised(lambda: rehref.links(b"", media_type="image/png")),
    "unknown profile": raised(lambda: rehref.links(b"", profile="none")),  # type: ignore[arg-type]
}
PROTOCOLS = ("DocumentRule",)
WAYS: list[Callable[[Any], Any]] = [lambda value: pickle.loads(pickle.dumps(value)), copy.copy, copy.deepcopy]


def test_all_that_is_public_is_here() -> None:
    of_this_process = {"Page"}  # it has an iterator
    tested = {*VALUES, *RULES, *ERRORS, *PROTOCOLS, "Resolver", "Relativizer", "Drop", *of_this_process}
    assert {name for name in rehref.__all__ if isinstance(getattr(rehref, name), type)} <= tested
    for name in rehref.__all__:
        if name in tested and name not in ("DROP", *PROTOCOLS, "Drop", "Resolver", "Relativizer", *of_this_process):
            assert type({**VALUES, **RULES, **ERRORS}[name]).__name__ == name


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", VALUES)
def test_values(name: str, way: Callable[[Any], Any]) -> None:
    assert way(VALUES[name]) == VALUES[name]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", RULES)
def test_rules(name: str, way: Callable[[Any], Any]) -> None:
    page = '<base href="http://h/a/"><a href="x\ny">'
    assert rehref.rewrite(page, way(RULES[name]), url="http://u/") == rehref.rewrite(page, RULES[name], url="http://u/")
    assert way(RULES[name]) == RULES[name]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ERRORS)
def test_exceptions(name: str, way: Callable[[Any], Any]) -> None:
    error = ERRORS[name]
    other = way(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert vars(other) == vars(error)


def test_what_is_found_in_text() -> None:
    found = list(rehref.find_uris("see http://h/ there"))
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_resolver(profile: Any, way: Callable[[Any], Any]) -> None:
    resolver = rehref.Resolver("http://h/a/b?c", profile)
    other = way(resolver)
    assert (other.base, other.profile) == (resolver.base, resolver.profile)
    for reference in ("x", "../x", "?q", "#f", "", "http:g", "//o/p"):
        assert other(reference) == resolver(reference)


def test_a_failure_reaches_the_other_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(rehref.Resolver("http://a/"), "x").result() == "http://a/x"
        with pytest.raises(rehref.ResolutionError, match=r"http://\[") as error:
            pool.submit(rehref.resolve, "http://a/", "http://[", "whatwg").result()
    assert error.value.reference == "http://["

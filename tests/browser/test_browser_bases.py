"""A browser finds the same URLs in every page of the fixtures before and after it is made absolute.

- Each page is rewritten in the profiles `rfc3986` and `whatwg`, with its `base` made absolute and with it dropped, and
  loaded in a headless Chromium under one URL; see `chromium.py` for what is compared.
- Every URL stays the same, in `rfc3986` too, where the RFC has a reference lead elsewhere (`browser-differs`).
- What differs all the same is listed in `browser_expected_differences.txt` with its reason: the page, the version, the
  element with its attribute and what is written there (patterns, as in a shell) and why, between tabs. What is listed
  and does not differ is an error too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple, TypeAlias

import chromium
import pytest

import rehref
from rehref.markup.html_encoding import sniff_html
from rehref.uri.resolver import Profile

pytestmark = pytest.mark.browser

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "fixtures"
PAGES = sorted([*FIXTURES.glob("*.html"), *FIXTURES.glob("bases/*.html")])
EXPECTED = HERE / "browser_expected_differences.txt"

RULES = {"absolute": rehref.Absolute(), "drop": rehref.Absolute(base_element="drop")}
PROFILES: tuple[Profile, ...] = ("rfc3986", "whatwg")
VERSIONS = {f"{profile}-{name}": (profile, rule) for profile in PROFILES for name, rule in RULES.items()}
Answers: TypeAlias = Mapping[tuple[str, str], chromium.Answer]
"""What Chromium says, by path and version."""


class Difference(NamedTuple):
    """What a browser finds in a page and in a version of it, where these are not the same."""

    page: str
    version: str
    element: str
    attribute: str
    value: str
    before: str
    after: str


class Expected(NamedTuple):
    """A line of the list of expected differences."""

    page: str
    version: str
    place: str
    reason: str

    def covers(self, difference: Difference) -> bool:
        place = f"{difference.element} {difference.attribute}={difference.value}"
        return all(map(fnmatchcase, (difference.page, difference.version, place), self))


def path_of(page: Path) -> str:
    return f"/{page.relative_to(FIXTURES.parent).as_posix()}"


def expected_differences() -> list[Expected]:
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    return [Expected(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def versions_of(page: Path) -> Iterator[chromium.Document]:
    """A page as it is and as rehref rewrites it."""
    data, path = page.read_bytes(), path_of(page)
    yield chromium.Document(path, "before", data)
    for version, (profile, rule) in VERSIONS.items():
        yield chromium.Document(path, version, rehref.rewrite(data, rule, url=chromium.url(path), profile=profile))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What Chromium finds in all versions of all pages, by path and version."""
    program = chromium.needed()
    documents = [document for page in PAGES for document in versions_of(page)]
    found: Answers = chromium.ask(program, documents, tmp_path_factory.mktemp("chromium"))
    assert len(found) == len(documents)
    return found


def differences(answers: Answers, page: Path, version: str) -> Iterator[Difference]:
    """What is not the same in a version of a page."""
    path = path_of(page)
    name = page.relative_to(FIXTURES).as_posix()
    before, after = (answers[path, each] for each in ("before", version))
    if version.endswith("-absolute") and before.base != after.base:
        yield Difference(name, version, "base", "baseURI", "", before.base, after.base)
    # what becomes of the base element itself is for the rule to say
    found = [[each for each in answer.found if each.element != "base"] for answer in (before, after)]
    places = [[(each.element, each.attribute) for each in some] for some in found]
    if places[0] != places[1]:
        yield Difference(name, version, "", "places", "", str(places[0]), str(places[1]))
        return
    for old, new in zip(*found, strict=True):
        if old.url != new.url:
            yield Difference(name, version, old.element, old.attribute, old.value, old.url, new.url)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_url_stays(answers: Answers, version: str) -> None:
    listed = expected_differences()
    wrong = [
        difference
        for page in PAGES
        for difference in differences(answers, page, version)
        if not any(line.covers(difference) for line in listed)
    ]
    assert not wrong, "\n".join(map(str, wrong))


def test_every_expected_difference_is_one_and_has_a_reason(answers: Answers) -> None:
    found = [each for page in PAGES for version in VERSIONS for each in differences(answers, page, version)]
    for line in expected_differences():
        assert any(line.covers(difference) for difference in found), f"does not differ (any more): {line}"
        assert line.reason


def test_without_a_base_element_the_base_is_the_document(answers: Answers) -> None:
    for page in PAGES:
        for version in VERSIONS:
            if version.endswith("-drop"):
                base = answers[path_of(page), version].base
                # a base that nothing is relative to stays, and so does one that patterns of speculation rules need
                stays = page.stem in ("about", "blob", "mailto", "modern", "urn")
                assert base == chromium.url(path_of(page)) or stays, page.name


def test_the_encoding_is_what_the_browser_takes_it_for(answers: Answers) -> None:
    for page in PAGES:
        assert sniff_html(page.read_bytes(), is_response=True).name == answers[path_of(page), "before"].encoding.lower()


def test_the_browser_finds_references_in_every_page(answers: Answers) -> None:
    few = [page.name for page in PAGES if len(answers[path_of(page), "before"].found) < 6]
    assert few == ["meta-refresh.html"]
    assert len(PAGES) > 110

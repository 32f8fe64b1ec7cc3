"""The documentation site in Chromium, opened from a disk: all can use it, it asks no other host, and search works.

What axe-core says of a page is asked in both colour schemes, if there is axe-core (`axe.py`).
"""

from __future__ import annotations

from pathlib import Path

import devtools
import pytest
from axe import axe, violations

from built_docs import built

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = (
    "index.html",
    "tutorials/check-a-site.html",
    "tutorials/python.html",
    "how-to/from-lxml.html",
    "reference/python.html",
    "reference/commands/check.html",
    "reference/codes.html",
    "reference/profiles.html",
    "reference/micro-syntaxes.html",
    "explanation/bases.html",
    "checking.html",
    "problems.html",
    "architecture.html",
)
SEARCH = """new Promise(done => {
  const field = document.querySelector("[data-md-component=search-query]")
  field.focus()
  field.value = "srcset"
  field.dispatchEvent(new Event("input", {bubbles: true}))
  field.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true}))
  const results = () => [...document.querySelectorAll(".md-search-result__link")].map(link => link.href)
  const look = turn => results().length || turn > 200 ? done(results()) : setTimeout(look, 50, turn + 1)
  look(0)
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return built(tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_all_can_use_it(tab: devtools.Tab, site: Path, page: str, scheme: str) -> None:
    script = axe()
    tab.look(scheme)
    tab.open("about:blank")
    tab.open((site / page).as_uri())
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
    wanted = "slate" if scheme == "dark" else "default"
    assert tab.run("document.body.getAttribute('data-md-color-scheme')") == wanted
    assert violations(tab, script) == []


@pytest.mark.parametrize("page", [*PAGES, "404.html"])
def test_it_asks_no_other_host(tab: devtools.Tab, site: Path, page: str) -> None:
    tab.look()
    failed = tab.failures((site / page).as_uri())
    assert [url for url in tab.requested() if not url.startswith(("file:", "data:", "blob:"))] == []
    assert failed == [] or page == "404.html"  # its paths are from the root of a host
    assert len(tab.requested()) > 3


def test_search_works_from_a_disk(tab: devtools.Tab, site: Path) -> None:
    tab.look()
    tab.open((site / "index.html").as_uri())
    found = tab.run(SEARCH)
    assert any("from-lxml.html" in url for url in found), found


@pytest.mark.parametrize("page", PAGES)
def test_no_page_is_wider_than_a_telephone(tab: devtools.Tab, site: Path, page: str) -> None:
    tab.look(width=390)
    tab.open((site / page).as_uri())
    assert tab.run("document.documentElement.scrollWidth") <= 390

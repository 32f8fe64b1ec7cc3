"""Documents with odd bases, frames and trees: rehref finds the URLs that Chromium finds, and rewriting keeps them.

- Each document is loaded as it is and rewritten, in one launch; see `chromium.py`.
- All cores agree with Chromium, as far as places and targets go; the order of places may differ. (`lxml` moves nothing
  out of a table, so it is not asked about a base there.)
- Where Chromium leaves the HTML Standard, both answers are here, and `docs/conformance.md` has the clause.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import chromium
import devtools
import pytest

import rehref

pytestmark = pytest.mark.browser

FRAMES: Final = {
    "base-behind": "<iframe srcdoc='<a href=x><img src=i>'></iframe><base href=/b/><a href=y>",
    "base-before": "<base href=/b/><iframe srcdoc='<a href=x><img src=i>'></iframe><base href=/c/><a href=y>",
    "base-inside": "<iframe srcdoc='<base href=k/><a href=x>'></iframe><base href=/b/><a href=y>",
    "nested": "<iframe srcdoc=\"<iframe srcdoc='<a href=n>'></iframe><base href=/k/><a href=x>\"></iframe>"
    "<base href=/b/><iframe srcdoc=\"<base href=k/><iframe srcdoc='<a href=n>'></iframe><a href=x>\"></iframe>",
    "encoding": "<meta charset=windows-1252>"
    "<iframe srcdoc='<meta charset=koi8-r><a href=?q=é><img src=é?q=é>'></iframe>"
    "<a href=?q=é>",
}
TABLES: Final = {
    "base-in-table": "<table><td><base href=a/></td></tr><base href=b/></table><a href=x>",
    "frames-in-table": "<table><td><base href=a/><a href=1></td></tr><base href=b/><a href=2></table><a href=3>"
    "<iframe srcdoc='<a href=4>'></iframe>",
}
DOCUMENTS: Final = FRAMES | TABLES
RULES: Final = {
    "absolute": rehref.Absolute(),
    "drop": rehref.Absolute(base_element="drop"),
    "relative": rehref.Relative(),
}
Answers: TypeAlias = Mapping[tuple[str, str], chromium.Answer]


def path_of(name: str) -> str:
    return f"/a/{name}.html"


def data_of(name: str) -> bytes:
    return DOCUMENTS[name].encode("windows-1252")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    program = chromium.needed()
    documents = []
    for name in DOCUMENTS:
        path, data = path_of(name), data_of(name)
        documents.append(chromium.Document(path, "before", data))
        for version, rule in RULES.items():
            new = rehref.rewrite(data, rule, url=chromium.url(path), profile="whatwg", media_type="text/html")
            documents.append(chromium.Document(path, version, new))
    return chromium.ask(program, documents, tmp_path_factory.mktemp("chromium"))


def urls(answer: chromium.Answer) -> list[tuple[str, str, str]]:
    return sorted((found.element, found.attribute, found.url) for found in answer.found if found.element != "base")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_targets_are_those_of_the_browser(answers: Answers, name: str) -> None:
    found = urls(answers[path_of(name), "before"])
    assert found
    for parser in ("source", "html5lib") if name in TABLES else ("source", "lxml", "html5lib"):
        links = rehref.links(
            data_of(name), url=chromium.url(path_of(name)), profile="whatwg", parser=parser, media_type="text/html"
        )
        targets = sorted((link.element, link.attribute, link.target) for link in links if link.element != "base")
        assert targets == found, parser


@pytest.mark.parametrize("version", RULES)
def test_rewriting_keeps_every_url(answers: Answers, version: str) -> None:
    for name in DOCUMENTS:
        assert urls(answers[path_of(name), version]) == urls(answers[path_of(name), "before"]), name


PLACES = """(html => {
  const found = [];
  const look = within => {
    for (const element of within.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) found.push(`${element.localName}@${name}=${value}`);
      if (element.content) look(element.content);
    }
  };
  look(new DOMParser().parseFromString(html, "text/html"));
  return found;
})"""


@pytest.mark.parametrize(
    ("html", "by_standard", "in_chromium"),
    [
        ("<template><base><td background=1></template>", ["td@background=1"], []),
        ("<template><title></title><td background=1></template>", ["td@background=1"], []),
        ("<template><link href=0><td background=1></template>", ["link@href=0", "td@background=1"], None),
        ("<template><table><form action=1></template><form action=2>", ["form@action=1", "form@action=2"], None),
        ("<template></template><a href=1><frameset><frame src=2>", ["frame@src=2"], None),
        ("<body><template></template><a href=1><frameset><frame src=2>", ["a@href=1"], None),
        ("<foreignObject><svg></foreignObject><td background=1>", [], ["td@background=1"]),
        ("\0<head itemtype=1><a href=2>", ["a@href=2"], ["head@itemtype=1", "a@href=2"]),
        ("<p><html manifest=1><a href=2><frameset><frame src=3>", ["html@manifest=1", "frame@src=3"], None),
    ],
)
def test_what_is_in_the_tree(
    tab: devtools.Tab, html: str, by_standard: list[str], in_chromium: list[str] | None
) -> None:
    ours = rehref.links(html, profile="whatwg", media_type="text/html")
    assert [f"{link.element}@{link.attribute}={link.reference}" for link in ours] == by_standard
    assert tab.run(f"{PLACES}({json.dumps(html)})") == (by_standard if in_chromium is None else in_chromium)


SHEETS: Final = """<!DOCTYPE html><base href=http://h.invalid/b/><link rel=stylesheet
href="data:text/css,p{background:url(x%2Epng)}"><link rel=stylesheet
href="data:text/css,p{list-style:url(/z.png)}"><p>"""
IMAGES: Final = "[look.backgroundImage, look.listStyleImage].map(text => text.slice(5, -2))"


def test_a_style_sheet_that_is_a_url_is_relative_to_the_page(tab: devtools.Tab, tmp_path: Path) -> None:
    targets = [link.target for link in rehref.links(SHEETS, media_type="text/html") if link.element == "link"]
    absolute = rehref.rewrite(SHEETS, rehref.Absolute(), media_type="text/html")
    written = SHEETS.replace("/z.png", "http://h.invalid/z.png")
    assert absolute == written.replace("x%2Epng", "http://h.invalid/b/x.png")
    for page in (SHEETS, absolute):
        file = tmp_path / "page.html"
        file.write_text(page, encoding="ascii")
        tab.open(file.as_uri())
        said = tab.run(f"(look => {IMAGES})(getComputedStyle(document.querySelector('p')))")
        assert said == ["http://h.invalid/b/x.png", "http://h.invalid/z.png"] == targets

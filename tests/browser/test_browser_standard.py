"""Where Chromium leaves the Standard and rehref does not: both answers are those of the table in docs/conformance.md.

- Each row has a document, Chromium's target of its last link, and that of the profile `whatwg`.
- Where a refresh leads is seen when Chromium has followed it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import chromium
import pytest
from asking import Asker, Response, asking

import rehref

pytestmark = pytest.mark.browser

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
HOST = "http://pages.example/"
# a refresh that Chromium follows is its second load; otherwise another frame has been refreshed so many times since
FOLLOW = """new Promise((done) => {
  const load = (path) => document.body.appendChild(Object.assign(document.createElement("iframe"), { src: path }));
  const frame = load(PATHS[0]);
  const said = () => done(frame.contentWindow.location.href);
  let loads = 0;
  let later = 0;
  frame.onload = () => {
    if (++loads === 2) said();
    else load(PATHS[1]).onload = () => ++later === 20 && said();
  };
})"""


class Row(NamedTuple):
    """A row of the table; None is no URL."""

    document: str
    in_chromium: str | None
    in_whatwg: str | None


def rows() -> Iterator[Row]:
    section = (
        PAGE.read_text(encoding="utf-8").partition("## Where browsers leave the Standard\n")[2].partition("\n## ")[0]
    )
    for line in section.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:4]]
            yield Row(cells[0].strip("`"), *(None if cell == "none" else cell.strip("`") for cell in cells[1:]))


ROWS = list(rows())


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    program = chromium.needed()
    with asking(program, tmp_path_factory.mktemp("profile")) as found:
        yield found


def test_there_are_rows() -> None:
    assert len(ROWS) >= 15


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.document)
def test_both_answers_are_as_the_page_says(asker: Asker, row: Row) -> None:
    data = row.document.encode("ascii")
    path = "/0/p/c.html"
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + data
    ours = [link.target for link in rehref.links(response, url=chromium.url(path), profile="whatwg")]
    assert at_root(ours[-1] if ours else None) == row.in_whatwg
    if "refresh" in row.document:
        later = Response(b'<meta http-equiv=refresh content="0">', "text/html")
        asker.serve({path: Response(data, "text/html"), "/1/p/c.html": later})
        theirs = asker.run(FOLLOW.replace("PATHS", json.dumps([path, "/1/p/c.html"])))
        theirs = None if theirs == chromium.url(path) else theirs
    else:
        theirs = asker.loaded({path: Response(data, "text/html")})[0].found[-1][3]
    assert at_root(theirs) == row.in_chromium


def at_root(url: str | None) -> str | None:
    """The URL without the folder of the server."""
    return None if url is None else url.replace(f"{HOST}0/", HOST)

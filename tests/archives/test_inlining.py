"""What is put into the pages of offline copies: what may need it, and import maps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import assert_proportional
from rehref.archives._copies.inlining import may_need_inlining
from rehref.archives._copies.remaining import CopiedFile, Remaining

SITE = "https://h.example/"


def test_an_import_map_completes_nothing_that_the_end_of_the_page_cuts_off(tmp_path):
    from rehref.archives._copies.put_into_pages import Modules

    files = {name: CopiedFile(SITE, "text/javascript", lambda uri: None) for name in ("a.js",)}
    of_page = Modules(CopiedFile(SITE, "text/html", lambda uri: None), files, lambda path: b"1")
    of_page.reference("src", "a.js", {"type": "module"})
    cut_off = b"<!DOCTYPE html><img src=/x onerror='"
    assert of_page.with_map(cut_off).endswith(b"</script><img src=/x onerror='")


@pytest.mark.parametrize(
    "piece",
    ["<script ", "<!--", "<script>", "--a", "mask:", "mask:url(", 'fetch("', 'from"./', "import( ", "'/a", "'/ "],
)
def test_time_is_proportional_to_size(piece):
    def prepare(times: int) -> Callable[[], object]:
        text, file = piece.encode() * times, CopiedFile(SITE, "text/html", lambda uri: None)

        def look() -> None:
            may_need_inlining(text)
            Remaining().look_at_page(text, file)
            Remaining().look_at_script(text, file)

        return look

    assert_proportional(prepare, 2000)


@pytest.mark.parametrize(
    "page",
    [
        "<svg><use href='s.svg#i'></svg>",
        "<svg><USE title='>' xlink:href='s.svg#i'></svg>",
        "<svg><use title=' href=#' href='s.svg#i'>",
        "<svg:svg><svg:use href='s.svg#i'/></svg:svg>",
        "<p style='mask: ur\\6c(s.svg)'>",
    ],
)
def test_what_refers_to_another_file_may_need_it(page):
    assert may_need_inlining(page.encode())

"""What may need something put into it before a browser opens it from a disk."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.archives._copies.inlining import may_need_inlining


@pytest.mark.parametrize("piece", ["<script ", "<!--", "<script>", "--a", "mask:", "mask:url(", "'/a", "'/ "])
def test_time_is_proportional_to_size(piece):
    assert_proportional(lambda times: partial(may_need_inlining, piece.encode() * times), 2000)


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

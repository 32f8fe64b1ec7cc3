"""The text of a page tag by tag: the same by the compiled twin, without it, and nearly that of tree construction."""

from __future__ import annotations

import re
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from rehref._native import TWIN
from rehref.markup._page import visible_text as module
from rehref.markup._page.text_of_tree import BLOCK, text_of_tree
from rehref.markup._page.visible_text import visible_text

PIECES = (
    *(
        "a",
        "é",
        " ",
        "\r",
        "\n",
        "\0",
        "&",
        "&am",
        "p;",
        "&lt;",
        "&#13;",
        "&#1",
        "&#1c",
        "&#x05;",
        "&#x",
        "\x01",
        "\x04",
        "\x05",
        "<",
        "</",
        "<!",
    ),
    *("<p>", "</p>", "<P CLASS='>'>", "<br>", "<td>", "<b>", "</b>", "<a href=x>", "<p", "<a-b/>", "<?x>", "<!-->"),
    *("<template>", "</template>", "<template shadowrootmode=open>", "<div>", "</div>", "<!-- <p> -->", "<!--", "-->"),
    *("<script>", "<script/>", "</script>", "<style>", "</style>", "<title>", "</title>", "<textarea>", "</textarea>"),
    *("<xmp>", "</xmp>", "<plaintext>", "<iframe>", "</iframe>", "<noscript>", "</noscript>"),
    *("<svg>", "</svg>", "<svg/>", "<math>", "</math>", "<desc>", "<foreignObject>", "<font>", "<![CDATA[", "]]>"),
)
pages = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
@given(pages)
@settings(max_examples=examples(1000))
def test_the_twin_shows_what_the_reference_shows(page: str) -> None:
    marks = {found.start(): f"[{found.start()}]" for found in re.finditer("<[A-Za-z]", page)}
    by_twin = visible_text(page), visible_text(page, marks=marks)
    with mock.patch.object(module, "TWIN", None):
        assert by_twin == (visible_text(page), visible_text(page, marks=marks))


@pytest.mark.parametrize(
    ("page", "shown"),
    [("&#1c", "\x01c"), ("&#x4<p>", "\x04\x1d"), ("&#05a", "\x05a"), ("&#x1c", "\x1c"), ("&#14", "\x0e")],
)
def test_a_reference_to_what_the_twin_puts_between_texts_is_shown(page: str, shown: str) -> None:
    assert visible_text(page).replace(BLOCK, "\x1d") == shown


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<svg><template>a", "a"),
        ("<math><template>a</template>b</math>", "ab"),
        ("<svg><desc><template>a</template>b", "b"),
        ("<svg><title><title></title>a</title>b", "b"),
    ],
)
def test_only_a_template_of_html_hides_its_content(page: str, shown: str) -> None:
    assert visible_text(page) == shown


IN_PLACE = (
    *("a", " ", "&amp;", "<p>b</p>", "<p>c", "<b>d</b>", "<br>", "<div>e<p>f</div>", "<!-- <p> -->", "</p>"),
    *("<script>x<</script>", "<textarea>&lt;</p></textarea>", "<xmp>&lt;</xmp>", "<title>x</title>"),
    "<svg><title>x</title><text>y</text></svg>",
)


@given(st.lists(st.sampled_from(IN_PLACE), max_size=10).map("".join))
@settings(max_examples=examples(600))
def test_tag_by_tag_is_as_by_the_tree_where_all_is_in_its_place(page: str) -> None:
    page = f"<body>{page}"
    assert _words(visible_text(page)) == _words(text_of_tree(page))


def _words(text: str) -> list[str]:
    return text.replace(BLOCK, " ").split()


@pytest.mark.parametrize("before", ["", "é", "\U0001f600\ufeff"])
def test_marks_come_where_tags_end(before: str) -> None:
    page = f"{before}<p id=a>x<!-- <p> --><b id=b title='>'>y</b><script id=c>z</script>"
    marks = {page.index(f"<{tag}"): f"[{tag}]" for tag in ("p", "b", "script")}
    assert visible_text(page, marks=marks) == f"{before}\0[p]x[b]y[script]"

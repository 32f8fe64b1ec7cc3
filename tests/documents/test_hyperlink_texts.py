"""The texts of hyperlinks (`rehref.markup._page.visible_text`), which come on request."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from click.testing import CliRunner

import rehref
from growth import assert_proportional
from rehref.cli.program import program

EPUB = Path(__file__).resolve().parents[2] / "fixtures" / "containers" / "book.epub"


def texts(source: Any, **options: Any) -> dict[str, str | None]:
    return {link.reference: link.text for link in rehref.links(source, text=True, **options)}


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=x> Read\n <b>on</b>\u00a0 </a>more", "Read on"),
        ("<a href=x>A&amp;B &eacute;&#233;</a>", "A&B éé"),
        ("<a href=x>be<b>tw</b>een<br>lines<h2>Head</h2><p>and</p>body</a>", "between lines Head and body"),
        ("<a href=x><img src=i alt='a &lt;sail'> and <img src=j></a>", "a <sail and"),
        ("<a href=x>a<script>b</script><style>c</style><!--d--><template>e<b>f</template>g</a>", "ag"),
        ("<a href=x><svg><title>no</title><text>yes</text></svg><textarea>&lt;</textarea></a>", "yes<"),
        ("<a href=x></a>", ""),
        ("<A HREF=x>a</A\n>b", "a"),
        ("<a href=x>to the end", "to the end"),
        ("<a href=x>to the <a href=y>next", "to the"),
        ("<p>no<a href=x", None),
        (f"<a href=x>{'ab ' * 1000}</a>", ("ab " * 333 + "a")),
        ("<area href=x alt=' one\n of all '>", "one of all"),
        ("<area href=x>no", ""),
        ("<a name=n>no<a href=x>yes</a>", "yes"),
        ("<svg><a href=x><text>in</text></a></svg>", "in"),
        ("<svg><a href=x /><text>no</text></svg>", ""),
    ],
)
def test_the_text_of_a_hyperlink(markup: str, text: str | None) -> None:
    assert texts(markup).get("x") == text
    assert texts(("é" + markup).encode()).get("x") == text
    assert texts(("\ufeffé" + markup).encode("utf-16-le")).get("x") == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=x>one <a-b>two</a-b></a>", "one two"),
        ("<template><a href=x>one <template>no</template><script>no</script></a></template>", "one"),
        ("<a href=x><!-- <img alt=no> -->one</a>", "one"),
        ("<a href=x><img title='alt=no' alt=one></a>", "one"),
        ("<a href=x>one <!-- </a> -->two</a>", "one two"),
        ("<a href=x>one <b title='</a>'>two</b></a>", "one two"),
        ("<a href=x>one <script>'</a>'</script>two</a>", "one two"),
        ("<a href=x>one <style>/* </a> */</style>two</a>", "one two"),
        ("<a href=x>one <template></a></template>two</a>", "one two"),
        ("<a href=x>one <textarea></a></textarea>two</a>", "one </a>two"),
        ("<a href=x>one <iframe></a></iframe>two</a>", "one two"),
        ("<svg><a href=x><text><![CDATA[</a>]]>two</text></a></svg>", "</a>two"),
        ("<a href=x>one <svg><a><text>two</text></a></svg> three</a>", "one two three"),
        ("<a href=x>one <table><a href=y>two</a></table>three", "one two"),
        ("<a href=x>one <select><option><a href=y>two</a></select>three", "one two"),
        ("<a href=x>one<p></a>two", "one"),
        ("<a href=x>one<div><template shadowrootmode=open>two</template>", "one two"),
        ("<p><a href=x>one<div><template shadowrootmode=open>two</template>three", "one three"),
        ("<b><a href=x>one</b>two</a>three", "onetwo"),
        ("<a href=x>one <form><div></form>two</a>three", "one two"),
    ],
)
def test_the_text_of_a_hyperlink_ends_where_its_element_does(markup: str, text: str) -> None:
    assert texts(markup)["x"] == text


def test_only_hyperlinks_have_a_text() -> None:
    found = texts("<link rel=next href=a><a href=b style='background:url(c)'>t</a><form action=d><img src=e alt=f>")
    assert found == {"a": None, "b": "t", "c": None, "d": None, "e": None}


def test_legacy_encodings_and_documents_in_documents() -> None:
    assert texts("<a href=x>日本</a>".encode("shift_jis"), encoding="shift_jis") == {"x": "日本"}
    assert texts('<iframe srcdoc="<a href=x>a &amp;amp; b</a>">') == {"x": "a & b"}


def test_xhtml_is_read_as_xml() -> None:
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:h="http://www.w3.org/1999/xhtml"><script/><title/>'
        '<a href="x"><![CDATA[a<b&amp;]]> &amp;</a><h:a href="y">c<img src="i" alt="d"/></h:a><a href="z"/>no</html>'
    )
    assert texts(page, media_type="application/xhtml+xml") == {"x": "a<b&amp; &", "y": "cd", "i": None, "z": ""}
    assert any(link.text for link in rehref.links(EPUB, text=True))


def test_a_text_costs_nothing_unless_it_is_asked_for() -> None:
    with mock.patch("rehref.markup._page.text_of_tree.texts_of_hyperlinks", side_effect=AssertionError):
        (link,) = rehref.links("<a href=' x'>a</a>")
    assert link.text is None
    assert "text" not in link.as_dict()


def test_the_command_line_shows_texts(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<a href=x>see //u:secret@h</a>")
    for form, text in (
        ("table", 'text: "see //u:***@h"'),
        ("jsonl", '"text": "see //u:***@h"'),
        ("csv", "see //u:***@h"),
    ):
        result = CliRunner().invoke(program, ["links", "--text", "--format", form, str(tmp_path / "a.html")])
        assert text in result.stdout
        result = CliRunner().invoke(program, ["links", "--format", form, str(tmp_path / "a.html")])
        assert "see" not in result.stdout


@pytest.mark.parametrize(
    "piece", ["<a href=x>", "<", "</", "<a href=x>a", "<a href=x><img alt=", "<svg><a href=x>", "<a href=x><!--"]
)
def test_unclosed_hyperlinks_take_linear_time(piece: str) -> None:
    assert_proportional(lambda count: lambda: rehref.links("<a href=x>" + piece * count, text=True), 500)


def test_a_rule_may_read_the_text() -> None:
    new = rehref.rewrite("<a href=x>a</a><a href=y>b</a>", lambda link: "z" if link.text == "b" else None, text=True)
    assert new == "<a href=x>a</a><a href=z>b</a>"

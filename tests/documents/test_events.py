"""Which pages may have more than their text."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.documents._markdown.dialects import dialect_named
from rehref.documents._markdown.events import is_whole


@pytest.mark.parametrize(
    ("dialect", "inserts", "does_not"),
    [
        ("mkdocs", "--8<-- 'a.md'|::: a.b|{! a.md !}|{% include 'a' %}|- {{ a }}|# a {{ b }}", "a {{ b }}|::|---|---8"),
        (
            "hugo",
            '{{% include "a" %}}|> {{< a >}}|# a {{< b >}}|a\n: b',
            '{{< ref "a" >}}|{{% a %}}b{{% /a %}}|a {{< b >}}|- {{< a >}} b',
        ),
        ("jekyll", "{% include a %}|{%- a b -%}|# {{ a }}|{{ a }}", "{% link a %}|{% if a %}b{% endif %}|a {{ b }}"),
        ("github", "", "{% include a %}|::: a|{{< a >}}|<A />"),
        (
            "vitepress",
            "<!--@include: ./a.md-->|<Team />|  <Team>",
            "# a <Badge text='1' />|<Badge/> x|a <Team/>|<b>|<A>x</A>",
        ),
        ("starlight", "<Steps kind='x'/>", "<Badge text='x'/>|<b>"),
        ("docsify", "[a](b.md ':include')", "[a](b.md 'title')|<A/>"),
        ("mdbook", "{{#include a.md}}", "{{ a }}|<A/>"),
        ("zola", "{{ a(id='x') }}|{% a() %}|# a 🦀|## Привет|# 風", "<A/>|a {{ b() }}|🦀|# été — “x”"),
    ],
)
def test_a_page_may_have_more_than_its_text(dialect: str, inserts: str, does_not: str) -> None:
    named = dialect_named(dialect)
    for text in filter(None, inserts.split("|")):
        assert not is_whole(f"a\n\n{text}\n".encode(), named), text
        assert is_whole(f"---\na: b\n{text}\n---\n\n```\n{text}\n```\n".encode(), named), text
    assert [text for text in does_not.split("|") if not is_whole(f"a\n\n{text}\n".encode(), named)] == []
    assert is_whole(b"# a `{{< b >}} <A> {{ c }}`\n", named)


@pytest.mark.parametrize("dialect", ["hugo", "mkdocs"])
def test_the_time_grows_with_the_page(dialect: str) -> None:
    named = dialect_named(dialect)
    for piece in ("<p>\n", "<p></p>", "<p>\n</p>\n", "```\n", "# {{ a ", "-", "# a\n", "# a" + " " * 9 + "b\n"):
        assert_proportional(lambda count, piece=piece: partial(is_whole, piece.encode() * count, named), 2_000)

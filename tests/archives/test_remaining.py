"""What a copy still needs: scripts that fetch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import assert_proportional
from rehref.archives._copies.remaining import CopiedFile, Remaining


def scripts_that_fetch(page: str) -> int:
    """How many scripts of a page fetch a saved file."""
    remaining = Remaining()
    remaining.look_at_page(page.encode(), CopiedFile("https://h.example/", "text/html", lambda _: "a.json"))
    return remaining.fetching


FETCHES = "fetch('a.json')"


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (f"<script>{FETCHES}</script>", 1),
        (f"<!-- <script>{FETCHES}</script> -->", 0),
        (f"<script src=https://web.example/a.js>{FETCHES}</script>", 0),
        (f"<script type=application/json>{FETCHES}</script>", 0),
        (f"<script>'<!--'</script><script>{FETCHES}</script>", 1),
        (f'<p title="<script>{FETCHES}</script>">', 0),
        (f"<textarea><script>{FETCHES}</script></textarea>", 0),
        (f"<title><script>{FETCHES}</script></title>", 0),
        (f"<iframe><script>{FETCHES}</script></iframe>", 0),
        (f"<template><script>{FETCHES}</script></template>", 0),
        (f"<svg><![CDATA[<script>{FETCHES}</script>]]></svg>", 0),
        (f"<script-x>{FETCHES}</script-x>", 0),
        (f"<p title='<!--'><script>{FETCHES}</script>", 1),
        (f"<style>/*<!--*/</style><script>{FETCHES}</script>", 1),
        (f"<!-- --!><script>{FETCHES}</script>", 1),
        (f"<script>'</script-x>'; {FETCHES}</script>", 1),
        (f"<script><!-- <script> </script> {FETCHES} --></script>", 1),
        (f"<script data-x=a'b>{FETCHES}</script>", 1),
        (f"<script data-x='{'z' * 2001}'>{FETCHES}</script>", 1),
        (f"<script title=' src=http://x'>{FETCHES}</script>", 1),
        (f"<script src='&#104;ttps://web.example/a.js'>{FETCHES}</script>", 0),
        (f"<script type='application/jso&#110;'>{FETCHES}</script>", 0),
        (f"<svg><script type=application/json /></svg><script>{FETCHES}</script>", 1),
    ],
)
def test_only_what_is_a_script_fetches(page: str, count: int) -> None:
    assert scripts_that_fetch(page) == count


SVG = "<svg xmlns='http://www.w3.org/2000/svg' {}>{}</svg>"


@pytest.mark.parametrize(
    ("data", "runs"),
    [
        (SVG.format("", "<script>x()</script>"), True),
        (SVG.format("onload='x()'", ""), True),
        (SVG.format("", "<!-- <script>x()</script> --><![CDATA[<script>]]><?x <script> ?>"), False),
        (SVG.format("desc=\" onload='x()'\"", ""), False),
        (SVG.format("", "<text> onload='x()'</text>"), False),
        (SVG.format("", "<text>javascript: is no language</text>"), False),
        (SVG.format("", "<a href='x?javascript:'/>"), False),
        ("<rss><script>x</script></rss>", False),
        (SVG.format("", "<a href='java&#115;cript:x()'/>"), True),
        (SVG.format("desc='&lt;!--'", "<script>x()</script>"), True),
        (SVG.format("", "<a><set attributeName='href' to=' javascript:x()'/></a>"), True),
        (SVG.format("", "<a><animate attributeName='href' values='#a;javascript:x()'/></a>"), True),
        (SVG.format("", "<a href='x;javascript:'/>"), False),
        (SVG.format("", "<script type='application/json'>{}</script>"), False),
        ("<feed><m:a xmlns:m='http://www.w3.org/1998/Math/MathML' onclick='x()'/></feed>", True),
        ("<feed><a onclick='x()' href='javascript:x()'/></feed>", False),
    ],
)
def test_only_what_runs_in_xml_counts(data: str, runs: bool) -> None:
    remaining = Remaining()
    remaining.look_at_xml(data.encode())
    assert remaining.scripted_xml == runs


@pytest.mark.parametrize(
    "piece",
    ["<script ", "<!--", "<script>", "--a", "mask:", "mask:url(", 'fetch("', 'from"./', "import( ", "'/a", "'/ "],
)
def test_time_is_proportional_to_size(piece):
    def prepare(times: int) -> Callable[[], object]:
        text, file = piece.encode() * times, CopiedFile("https://h.example/", "text/html", lambda uri: None)

        def look() -> None:
            Remaining().look_at_page(text, file)
            Remaining().look_at_script(text, file)

        return look

    assert_proportional(prepare, 2000)

"""What pages are made of: data and bars."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from rehref.reports._html.html_page import Bar, Chart, json_in_markup


@given(st.text())
def test_json_in_markup_says_what_it_was_made_of(text: str) -> None:
    written = json_in_markup({"text": text})
    assert json.loads(written) == {"text": text}
    assert written.isascii()
    assert not set("<>&") & set(written)


def test_bars_are_as_long_as_their_numbers_and_seen() -> None:
    chart = Chart("x", "X", [Bar("a", 200), Bar("b", 50), Bar("c", 1), Bar("d", 0)])
    assert [chart.percent(bar) for bar in chart.bars] == ["100%", "25%", "0.6%", "0%"]
    assert [each[1:] for each in Chart("x", "X", [Bar("a", 3), Bar("b", 1)]).parts()] == [("0%", "75%"), ("75%", "25%")]

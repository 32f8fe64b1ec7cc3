"""Methods of requests, as indexes of archives have them."""

from __future__ import annotations

from bounded import assert_bounded
from rehref.containers._cdx.methods import methods_in


def test_what_an_index_says_is_bounded() -> None:
    assert_bounded(
        lambda number: list(
            methods_in([f'com,h)/ 2024 {{"method": "POST", "offset": {number}, "url": {number}}}'.encode()])
        )
    )

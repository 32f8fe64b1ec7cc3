"""How long a server asks to wait."""

from __future__ import annotations

import pytest

from rehref.web._following_redirects import seconds_to_wait


@pytest.mark.parametrize(
    ("field", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("99999999999999999999", 999999999999.0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 37.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 37.0),
        ("Sun Nov  6 08:49:37 1994", 37.0),
        ("Sun, 06 Nov 1994 08:48:00 GMT", 0.0),
        ("Sun, 06 Nov 1994 08:49:37 -0000", 37.0),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("\u0661", None),
        ("Sun, 99 Nov 99999 99:99:99 GMT", None),
        ("Mon, 01 Jan 0000 00:00:00 -9999", None),
        (None, None),
    ],
)
def test_how_long_a_server_asks_to_wait(field: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(field, 784111740.0) == seconds  # Sun, 06 Nov 1994 08:49:00 GMT

"""The options for asking servers: their rows, and how they are read (site/_external/web_options.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.exceptions import OptionError
from rehref.site._external.web_options import accepted, read_option, web_options
from rehref.site.check import check
from rehref.site.check_options import ACCEPTED, OF_SERVERS
from rehref.site.given_options import refuse_contrary
from rehref.web.asking_options import WebOptions


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("200", [range(200, 201)]),
        ("200..=299,403", [range(200, 300), range(403, 404)]),
        ("200..299", [range(200, 299)]),
        ("200.., 404", [range(200, 1000), range(404, 405)]),
        ("..=299", [range(100, 300)]),
        ("..", [range(100, 1000)]),
        ("..300", [range(100, 300)]),
        ("999", [range(999, 1000)]),
        ("500..600", [range(500, 600)]),
    ],
)
def test_statuses(text: str, ranges: list[range]) -> None:
    assert accepted(text) == accepted([text]) == tuple(ranges)


def test_statuses_without_any_are_the_usual_ones() -> None:
    assert accepted(()) == ACCEPTED
    assert accepted(404) == (range(404, 405),)
    assert accepted(["200", 404]) == (range(200, 201), range(404, 405))


@pytest.mark.parametrize(
    "text", ["", "2xx", "20", "2000", "200-299", "200..=", "299..=200", "200..200", "200,,404", "000", "..=", "099"]
)
def test_what_is_no_status_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r"^--accept"):
        accepted([text])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("600", "a status is a number from 100 to 599"),
        ("700", "a status is a number from 100 to 599"),
        ("200..=600", "a status is a number from 100 to 599"),
        ("601..", "a status is a number from 100 to 599"),
        ("1000", "a status is a number from 100 to 599"),
        ("200..=1000", "a status is a number from 100 to 599"),
        ("200..99", "a status is a number from 100 to 599"),
        ("299..=200", "the range 299..=200 is empty"),
        ("200-299", "is neither a status nor a range"),
    ],
)
def test_what_is_wrong_with_statuses_is_said(text: str, what: str) -> None:
    with pytest.raises(OptionError, match=what):
        accepted([text])


@pytest.mark.parametrize(("name", "least"), [("timeout", "0.001"), ("host_request_interval", "0")])
def test_the_bounds_and_units_of_times_are_said(name: str, least: str) -> None:
    with pytest.raises(OptionError, match=rf"write {least} seconds or more, such as 20 or 20s \(seconds\), 500ms"):
        web_options({name: "-1"})


@pytest.mark.parametrize(("one", "other"), [("no_cache", "cache_age"), ("no_robots", "robots")])
def test_contrary_options_are_refused(one: str, other: str) -> None:
    refuse_contrary({one}.__contains__, str)
    refuse_contrary({other}.__contains__, str)
    with pytest.raises(OptionError, match=f"^{one}: and {other}: .*; leave one of them out"):
        refuse_contrary({one, other}.__contains__, str)


@pytest.mark.parametrize(
    ("text", "seconds"), [("20", 20), ("20s", 20), ("500ms", 0.5), ("1.5m", 90), ("1h", 3_600), (3, 3), (0.25, 0.25)]
)
def test_times(text: object, seconds: float) -> None:
    assert web_options({"timeout": text}).timeout == seconds


@pytest.mark.parametrize("text", ["", "-1", "soon", "1y", "0", "1 s", None, "9" * 40])
def test_what_is_no_time_is_refused(text: object) -> None:
    with pytest.raises(OptionError, match=r"^--timeout"):
        web_options({"timeout": text})


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("X-A:b", ("X-A", "b", None)),
        ("X-A:  b c  ", ("X-A", "b c", None)),
        ("X-A:", ("X-A", "", None)),
        ("X-A: https://h X-B: c", ("X-A", "https://h X-B: c", None)),
        ("https://h.example Authorization: Bearer x", ("Authorization", "Bearer x", "https://h.example")),
        ("https://h.example:443/  Cookie: a=b", ("Cookie", "a=b", "https://h.example")),
        ("http://127.0.0.1:81 X-Api-Key:k", ("X-Api-Key", "k", "http://127.0.0.1:81")),
    ],
)
def test_header_fields(text: str, pair: tuple[str, str, str | None]) -> None:
    assert web_options({"header": [text]}).headers == (pair,)


@pytest.mark.parametrize(
    "name",
    ["Authorization", "cookie", "Proxy-Authorization", "X-Api-Key", "Private-Token", "X-SESSION"],
)
def test_what_lets_somebody_in_is_for_one_host(name: str) -> None:
    with pytest.raises(OptionError, match="every host") as raised:
        web_options({"header": [f"{name}: s3cret"]})
    assert "s3cret" not in str(raised.value)
    assert f"https://HOST {name}: " in str(raised.value)


@pytest.mark.parametrize("url", ["https://h/path", "https://[h", "https://u@h", "ftp://h", "h", "https://"])
def test_a_host_is_named_by_its_url(url: str) -> None:
    with pytest.raises(OptionError, match=r"^--header") as raised:
        web_options({"header": [f"{url} X-Api-Key: s3cret"]})
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "X-A", "X A: secret", ": secret", "X: a\r\nY: secret", "Host: h", "X\n: secret"])
def test_what_is_no_header_field_is_refused_without_its_value(text: str) -> None:
    with pytest.raises(OptionError, match=r"^--header") as raised:
        web_options({"header": [text]})
    assert "secret" not in str(raised.value)


def test_every_row_is_a_field_or_something_else_that_is_known() -> None:
    assert web_options({row.name: row.default for row in OF_SERVERS}) == WebOptions() == web_options({})
    texts = {"host_request_interval": "3s", "timeout": "3s", "header": ["A: b"]}
    given = {"flag": True, "count": 3, "text": "x", "file": "x"}
    changed = {
        row.name
        for row in OF_SERVERS
        if web_options({row.name: texts.get(row.name, given.get(row.kind or "", ()))}) != WebOptions()
    }
    others = {"accept", "cache", "no_cache", "cache_age"}
    assert {row.name for row in OF_SERVERS if row.about != "pages"} == changed | others


@pytest.mark.parametrize(("name", "value"), [("max_concurrency", 0), ("max_redirects", -1), ("max_retries", True)])
def test_numbers_have_a_least_value(name: str, value: int) -> None:
    with pytest.raises(OptionError, match=name.replace("_", "-")):
        web_options({name: value})


def test_what_counts_from_a_found_configuration_was_decided() -> None:
    """An option that is new is the user's alone until this list has it."""
    from_anybody = {"accept", "timeout", "max_redirects", "robots", "no_cache", "cache_age", "depth"}
    assert {row.name for row in OF_SERVERS if row.found == "counts"} == from_anybody


def test_what_holds_secrets_was_decided() -> None:
    """An option that is new has to be in one of these lists: reports show the values of all that are not secret."""
    shown = {
        *("accept", "timeout", "max_redirects", "max_retries", "max_concurrency", "host_concurrency"),
        *("host_request_interval", "user_agent", "insecure", "ca_file", "robots", "allow_private"),
        *("cache", "no_cache", "cache_age", "recursive", "scope", "depth", "max_pages", "no_robots"),
    }
    secret = {row.name for row in OF_SERVERS if row.is_secret}
    assert secret == {"header", "cookie_jar", "netrc"}
    assert {row.name for row in OF_SERVERS} == secret | shown


def test_sequences_of_texts_are_those_of_the_rows() -> None:
    assert {row.name for row in OF_SERVERS if row.kind == "texts"} == {"header", "cache_age", "scope"}
    with pytest.raises(TypeError, match="scope is a sequence of texts"):
        check(Path(), scope="/docs/")


def test_a_number_that_may_be_left_out_has_a_least_value_all_the_same() -> None:
    assert read_option("depth", {"depth": None}) is None
    for wrong in (-1, True, "1"):
        with pytest.raises(OptionError, match="--depth"):
            read_option("depth", {"depth": wrong})

"""What is wrong with mailto: and tel: URIs (site/_pages/addresses.py)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import assert_proportional
from rehref.site._pages.addresses import mailto_fault, tel_fault


@pytest.mark.parametrize(
    "uri",
    [
        "mailto:anna@example.org",
        "MAILTO:anna.b+c@sub.example.org?subject=Hello&body=a%0Ab",
        "mailto:a@example.org,b@example.org",
        "mailto:?to=anna@example.org",
        "mailto:?to=a@example.org%2Cb@example.org&cc=anybody",
        "mailto:?subject=Look%20at%20this",  # to share a page
        "mailto:root@localhost",
        "mailto:a@[192.0.2.1]",
        "mailto:%22not%40me%22@example.org",
        "mailto:gorby%25kremvax@example.com",
        "mailto:unlikely%3Faddress@example.com",
        "mailto:user@%E7%B4%8D%E8%B1%86.example.org",
        "mailto:jörg@bücher.example",
        "mailto:a@xn--bcher-kva.example#top",
        "mailto:o'neill@1und1.example",
    ],
)
def test_addresses_for_mail(uri: str) -> None:
    assert mailto_fault(uri) is None


@pytest.mark.parametrize(
    ("uri", "fault"),
    [
        ("mailto:", "it has no address"),
        ("mailto:#", "it has no address"),
        ("mailto:?", "it has no address"),
        ("mailto:octocat", "'octocat' is not an address: there is no \"@\" in it"),
        ("mailto:a@", "'a@' is not an address: there is nothing after the \"@\""),
        ("mailto:@example.org", "'@example.org' is not an address: there is nothing before the \"@\""),
        ("mailto: a@example.org", "' a@example.org' is not an address: there is white space in it"),
        ("mailto:%20a@example.org", "' a@example.org' is not an address: there is white space in it"),
        ("mailto:a@example.org,", "an address is empty"),
        ("mailto:a@b@example.org", "'a@b@example.org' is not an address"),
        ("mailto:a..b@example.org", "'a..b@example.org' is not an address"),
        ("mailto:a@example..org", "'a@example..org' is not an address"),
        ("mailto:a@example.org.", "'a@example.org.' is not an address"),
        ("mailto:a@-x.org", "'a@-x.org' is not an address"),
        ("mailto:Anna%20%3Ca@example.org%3E", "'Anna <a@example.org>' is not an address: there is white space in it"),
        ("mailto:a@example.org;b@example.org", "'a@example.org;b@example.org' is not an address"),
        ("mailto:anna[at]example.org", "'anna[at]example.org' is not an address: there is no \"@\" in it"),
        ("mailto://a@example.org", 'after "mailto:" there is "//", which is not part of an address'),
        ("mailto:?to=octocat", "'octocat' is not an address: there is no \"@\" in it"),
    ],
)
def test_what_is_no_address(uri: str, fault: str) -> None:
    assert mailto_fault(uri) == fault


@pytest.mark.parametrize(
    "uri",
    [
        "tel:+1-201-555-0123",
        "tel:+12015550123;ext=102",
        "tel:7042;phone-context=example.com",
        "tel:863-1234;phone-context=+1-914-555",
        "TEL:(030)1234.567",
        "tel:911",
        "tel:*123#",
        "tel:%2A123%23",
        "tel:+18005551212,,123",
    ],
)
def test_numbers(uri: str) -> None:
    assert tel_fault(uri) is None


@pytest.mark.parametrize(
    ("uri", "fault"),
    [
        ("tel:", "it has no number"),
        ("tel:%20", "it has no number"),
        ("tel:;ext=1", "it has no number"),
        ("tel:octocat", "'octocat' is not a number: there is 'o' in it"),
        ("tel:1-800-FLOWERS", "'1-800-FLOWERS' is not a number: there is 'F' in it"),
        ("tel:+1 201 555", "'+1 201 555' is not a number: there is white space in it"),
        ("tel:+1%20201", "'+1 201' is not a number: there is white space in it"),
        ("tel:+49–30", "'+49–30' is not a number: there is '–' in it"),
        ("tel:0049+30", "'0049+30' is not a number: there is '+' in it"),
        ("tel:+", "'+' is not a number"),
        ("tel:--", "'--' is not a number"),
        ("tel://5551234", 'after "tel:" there is "//", which is not part of a number'),
    ],
)
def test_what_is_no_number(uri: str, fault: str) -> None:
    assert tel_fault(uri) == fault


def test_a_long_one_is_shown_in_part() -> None:
    assert len(mailto_fault("mailto:" + "a" * 9000) or "") < 120
    assert len(tel_fault("tel:" + "1" * 9000) or "") < 120


@pytest.mark.parametrize("unit", ["a@b.", "a,", "1-", '"', "&to=a", "\\\\", "a-", "é_"])
def test_hostile_ones_take_linear_time(unit: str) -> None:
    def reading(n: int) -> Callable[[], object]:
        return lambda: (mailto_fault("mailto:?to=" + unit * n), mailto_fault(f"mailto:{unit * n}"), tel_fault(unit * n))

    assert_proportional(reading, 2000)

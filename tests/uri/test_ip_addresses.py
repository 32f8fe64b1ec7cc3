"""Literals of addresses in hosts, against a literal reading of RFC 3986."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from rehref.uri._grammar.ip_addresses import ip_literal_fault, ipv6_fault, ipvfuture_fault
from uri.test_grammar_of_3986 import IPV6ADDRESS, IPVFUTURE

ADDRESS_PIECES = st.sampled_from(
    ["0", "1", "fFfF", "12345", ":", ":", ":", "::", ".", "1.2.3.4", "255.0.0.256", "g", "v"]
)


@given(
    text=st.lists(ADDRESS_PIECES, max_size=18).map("".join) | st.lists(st.sampled_from("1:"), max_size=18).map("".join)
)
def test_addresses_agree_with_the_nine_alternatives(text: str) -> None:
    assert (ipv6_fault(text) is None) is (re.fullmatch(IPV6ADDRESS, text) is not None)


@given(left=st.integers(0, 9), right=st.integers(0, 9), ipv4=st.booleans(), shortened=st.booleans())
def test_every_number_of_groups(left: int, right: int, ipv4: bool, shortened: bool) -> None:
    after = ["a"] * right + (["1.2.3.4"] if ipv4 else [])
    text = ":".join(["1"] * left) + ("::" if shortened else ":") + ":".join(after)
    assert (ipv6_fault(text) is None) is (re.fullmatch(IPV6ADDRESS, text) is not None)


@given(
    text=st.lists(st.sampled_from(["v", "V", "1", "F", ".", "a", ":", "!", "%41", "]", "é", "\n"]), max_size=7).map(
        "".join
    )
)
def test_future_addresses_agree_with_the_grammar(text: str) -> None:
    expected = re.fullmatch(f"{IPV6ADDRESS}|{IPVFUTURE}", text) is not None
    assert (ip_literal_fault(text) is None) is expected


def test_an_address_of_the_future_is_judged_to_its_end() -> None:
    assert ipvfuture_fault("v1." + "a" * 1000) is None
    assert ipvfuture_fault("VF.a") is None
    for text, offset in (("", 0), ("x", 0), ("v", 1), ("v12", 3), ("v12.", 4), ("v12.a%", 5)):
        fault = ipvfuture_fault(text)
        assert fault is not None
        assert fault.offset == offset, text


def test_what_shortens_an_address_stands_once() -> None:
    for text, offset in (("1::2::3", 4), ("::1::", 3)):
        fault = ipv6_fault(text)
        assert fault is not None
        assert (fault.offset, "only once" in fault.message) == (offset, True)

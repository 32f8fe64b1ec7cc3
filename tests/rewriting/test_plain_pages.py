"""Plain pages of archives (`rehref.containers.warc.plain_pages`) are rewritten as they are in the usual way."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from containers.test_warc_plain_pages import FIELDS, HTML, PAGE, PIECES, URIS, container, needs_twin, response
from rehref.containers.parts import ContainerOptions
from rehref.containers.registry import Container
from rehref.containers.warc import documents
from rehref.options import ReadOptions
from rehref.rewriting.containers import Counts, rewrite_container

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DIGESTS = (
    b"WARC-Record-ID: <urn:uuid:1>",
    b"WARC-Date: 2024-01-02T03:04:05Z",
    b"WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    b"WARC-Payload-Digest: sha256:" + b"0" * 64,
)
RULES: Sequence[Any] = (
    rehref.Absolute(),
    rehref.Absolute(same_document=True, metadata=True),
    rehref.Absolute(base_element="drop"),
    rehref.Template("http://h/{timestamp}mp_/{uri}"),
    rehref.Relative(),
    lambda link: link.target and link.target.upper(),
    lambda link: None,
)


def rewritten(data: bytes, rule: Any, how: ReadOptions, *, percent_encode: bool = False) -> list[object]:
    """The new archive, the counts and the diagnostics."""
    out, counts = BytesIO(), Counts()
    rewriting = rewrite_container(container(data), out, rule, how, counts, guarded=True, percent_encode=percent_encode)
    return [list(rewriting), counts, out.getvalue()]


def both_ways(data: bytes, rule: Any, how: ReadOptions | None = None, **more: bool) -> list[list[object]]:
    how = how or ReadOptions()
    with mock.patch.object(documents, "plain_pages", return_value=None):
        usual = rewritten(data, rule, how, **more)
    return [rewritten(data, rule, how, **more), usual]


@needs_twin
@pytest.mark.parametrize("rule", RULES)
def test_a_plain_page(rule: Any) -> None:
    data = response(PAGE, (HTML, b"Content-Length: 9", b"Content-MD5: x"), record=DIGESTS)
    with mock.patch.object(documents, "CurrentRecord", side_effect=AssertionError("not in the short way")):
        short = rewritten(data, rule, ReadOptions())
    assert short == both_ways(data, rule)[1]
    assert (short[2] == data) is (rule is RULES[-1])


@pytest.mark.sampled(3)
@needs_twin
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ignores_base", [False, True])
def test_every_page_of_the_fixtures(rule: Any, ignores_base: bool) -> None:
    pages = sorted(FIXTURES.glob("*.html"))
    data = b"".join(response(page.read_bytes(), record=DIGESTS) for page in pages)
    short, usual = both_ways(data, rule, ReadOptions(ignore_embedded_base=ignores_base))
    assert short == usual


@needs_twin
def test_an_exception_of_a_rule_is_reported() -> None:
    def fails(link: rehref.Link) -> str:
        raise ValueError(link.reference)

    short, usual = both_ways(response(), fails)
    assert short == usual
    assert "ValueError: x.html" in str(short[0])


@needs_twin
@given(
    PIECES,
    st.lists(st.tuples(FIELDS, URIS), min_size=1, max_size=3),
    st.sampled_from(RULES),
    st.sampled_from(["rfc3986", "rfc3986-compat", "whatwg"]),
    st.booleans(),
)
def test_both_ways_write_the_same(
    pieces: list[str], records: list[tuple[list[bytes], str]], rule: Any, profile: Any, percent_encode: bool
) -> None:
    page = "".join(pieces).encode()
    data = b"".join(response(page, tuple(fields), uri, DIGESTS) for fields, uri in records)
    short, usual = both_ways(data, rule, ReadOptions(profile=profile), percent_encode=percent_encode)
    assert short == usual


@needs_twin
def test_conversions_are_made_in_the_usual_way() -> None:
    kind = container(response()).kind
    options = ContainerOptions(as_conversion=True)
    out = BytesIO()
    list(rewrite_container(Container(kind, BytesIO(response()), options), out, RULES[0], ReadOptions(), Counts()))
    links = rehref.links(out.getvalue())
    old, new = links[:4], links[4:]
    assert [link.reference for link in new] == [link.target for link in old]

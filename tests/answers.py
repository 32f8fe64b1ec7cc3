"""Answers of servers, for tests."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from rehref.uri.resolver import parse_or_none
from rehref.web.answers import Answer, Failure, Hop

_URLS = (
    st.text("abcdefgh/?#%é.", max_size=20)
    .map("https://example.org/".__add__)
    .map(lambda url: parse_or_none(url) or "https://example.org/")
)
_STATUSES = st.integers(100, 999)
_NAMES = st.sampled_from(("etag", "last-modified", "content-type", "set-cookie", "link", "retry-after", "x-other"))


@st.composite
def answers(draw: st.DrawFn, url: str | None = None, checked_at: float | None = None) -> Answer:
    """Any answer that a cache may keep, with a status or a failure."""
    failure = draw(st.none() | st.sampled_from(get_args(Failure)))
    return Answer(
        draw(_URLS) if url is None else url,
        status=draw(_STATUSES) if failure is None else None,
        failure=failure,
        detail=draw(st.text()),
        final=draw(_URLS),
        hops=tuple(draw(st.lists(st.builds(Hop, _URLS, _STATUSES, _URLS), max_size=3))),
        headers=draw(st.dictionaries(_NAMES, st.text("abc\"'é", min_size=1, max_size=9))),
        attempts=draw(st.integers(1, 5)),
        retry_after=draw(st.none() | st.floats(0, 1e9)),
        checked_at=draw(st.floats(0, 2e9)) if checked_at is None else checked_at,
    )

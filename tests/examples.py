"""How much is tried: all, if all tests are run (`scripts/test --all` sets REHREF_EXAMPLES=all), else a sample.

1. A law is tried with a quarter of its examples. They are other ones each time.
2. Of a test of growth, which calls `assert_proportional` for each of its values, the first value is tried; of a test
   that is marked `sampled(n)`, every nth. The others become `slow`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

ALL = os.environ.get("REHREF_EXAMPLES") == "all"


def examples(many: int) -> int:
    """So many, or a quarter of them (rule 1)."""
    return many if ALL else many // 4


def outside_the_sample(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """The items of collected tests that are not in the sample (rule 2)."""
    seen: Counter[str] = Counter()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if seen[name] and (_is_of_growth(item) or seen[name] % _step(item)):
            yield item
        seen[name] += 1


def _step(item: pytest.Item) -> int:
    marker = item.get_closest_marker("sampled")
    return 1 if marker is None else int(marker.args[0])


def _is_of_growth(item: pytest.Item) -> bool:
    function = getattr(item, "function", None)
    return "assert_proportional" in getattr(getattr(function, "__code__", None), "co_names", ())

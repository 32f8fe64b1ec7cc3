"""Which ids are left out takes time in proportion to their length."""

from __future__ import annotations

from growth import assert_proportional
from rehref.plugins.compare._compared_ids import IgnoredIds
from rehref.site.states import State


def test_ids_of_many_digits_take_time_in_proportion() -> None:
    state = State.of_contract(b'{"format": "rehref-contract", "version": 1}', "contract.jsonl")
    assert state is not None
    ignored = IgnoredIds(state, lambda _: False)
    assert_proportional(lambda size: lambda: f"{'1' * size}a1" in ignored, 1000)

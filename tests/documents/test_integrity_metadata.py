"""Hashes in integrity metadata and in policies (documents/_integrity/integrity_metadata.py)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import assert_proportional
from hashed_site import hashed
from rehref.documents._integrity.integrity_metadata import (
    accepts,
    digests,
    hashes_in,
    hashes_in_policy,
    renewed,
    renewed_policy,
)

OLD, NEW = digests(b"old"), digests(b"new")
OLD_256, NEW_256, OLD_512, NEW_512 = (
    hashed(text, algorithm) for algorithm in ("sha256", "sha512") for text in ("old", "new")
)


@pytest.mark.parametrize(
    ("metadata", "accepted"),
    [
        ("", True),
        ("md5-x nonsense sha256", True),
        (OLD_256, True),
        (f"\t{OLD_256}\n", True),
        (f"{OLD_256}?option", True),
        (OLD_256.replace("sha256", "SHA256"), True),
        (OLD_256.rstrip("="), True),
        (OLD_256.replace("+", "-").replace("/", "_"), True),
        (NEW_256, False),
        (f"{NEW_256} {OLD_256}", True),
        (f"{OLD_256} {NEW_512}", False),
        (f"{NEW_256} {OLD_512}", True),
        (f"x{OLD_256}", True),
        (f"sha256-{OLD['sha384']}", False),
    ],
)
def test_the_strongest_hashes_decide(metadata: str, accepted: bool) -> None:
    assert accepts(hashes_in(metadata), OLD) is accepted


def test_each_hash_that_matches_is_written_anew() -> None:
    metadata = f" {OLD_256}?a  {hashed('other')} {OLD_512}\n{OLD_256.rstrip('=')}"
    become = dict.fromkeys(OLD.values(), (NEW,))
    assert renewed(metadata, become) == f" {NEW_256}?a  {hashed('other')} {NEW_512}\n{NEW_256}"
    assert renewed("sha256-none", become) == "sha256-none"
    assert renewed(f"{OLD_256}?a", {OLD["sha256"]: [NEW, OLD, NEW]}) == f"{NEW_256} {OLD_256}?a"


def test_a_hash_in_a_policy_becomes_those_of_what_has_it_now() -> None:
    policy = f"style-src 'self' '{OLD_256}' '{hashed('other')}' {OLD_256}; script-src '{OLD_512}'"
    become = {each.value: [NEW, OLD, NEW] for each in hashes_in_policy(f"'{OLD_256}'")}
    expected = policy.replace(f"'{OLD_256}'", f"'{NEW_256}' '{OLD_256}'")
    assert renewed_policy(policy, lambda each: become.get(each.value, [])) == expected


@pytest.mark.parametrize("text", ["sha256-", "'sha256-", "sha256-a ", "sha256-a?", "'sha256-a' "])
def test_they_take_linear_time(text: str) -> None:
    def finding(n: int) -> Callable[[], None]:
        value = text * n

        def run() -> None:
            hashes_in(value)
            hashes_in_policy(value)

        return run

    assert_proportional(finding, 1000)

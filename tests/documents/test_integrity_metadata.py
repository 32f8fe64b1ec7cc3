"""Hashes in integrity metadata and in policies (documents/integrity.py)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import assert_proportional
from hashed_site import hashed
from rehref.documents.integrity import Digests, Hashes

OLD, NEW = Digests.of(b"old"), Digests.of(b"new")
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
        (f"sha256-{OLD.sha384}", False),
    ],
)
def test_the_strongest_hashes_decide(metadata: str, accepted: bool) -> None:
    assert Hashes.in_metadata(metadata).accept(OLD) is accepted


def test_each_hash_that_matches_is_written_anew() -> None:
    metadata = f" {OLD_256}?a  {hashed('other')} {OLD_512}\n{OLD_256.rstrip('=')}"

    def become(value: str) -> list[Digests]:
        return [NEW] if value in OLD else []

    assert Hashes.in_metadata(metadata).renewed(become) == f" {NEW_256}?a  {hashed('other')} {NEW_512}\n{NEW_256}"
    assert Hashes.in_metadata("sha256-none").renewed(become) == "sha256-none"
    assert Hashes.in_metadata(f"{OLD_256}?a").renewed(lambda value: [NEW, OLD, NEW]) == f"{NEW_256} {OLD_256}?a"


def test_a_hash_in_a_policy_becomes_those_of_what_has_it_now() -> None:
    policy = f"style-src 'self' '{OLD_256}' '{hashed('other')}' {OLD_256}; script-src '{OLD_512}'"
    expected = policy.replace(f"'{OLD_256}'", f"'{NEW_256}' '{OLD_256}'")
    assert Hashes.in_policy(policy).renewed(lambda value: [NEW, OLD, NEW] if value == OLD.sha256 else []) == expected


@pytest.mark.parametrize("text", ["sha256-", "'sha256-", "sha256-a ", "sha256-a?", "'sha256-a' "])
def test_they_take_linear_time(text: str) -> None:
    def finding(n: int) -> Callable[[], None]:
        value = text * n

        def run() -> None:
            Hashes.in_metadata(value)
            Hashes.in_policy(value)

        return run

    assert_proportional(finding, 1000)

"""Which differences between names are slips, and which names are identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked.plain_edits import is_within
from rehref.site._repair import misspelt_names
from rehref.site._repair.misspelt_names import NearNames, is_identifier, is_slip
from rehref.site._series import edits


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("instal", "install"),
        ("isntall", "install"),
        ("nstall", "install"),
        ("install-guied", "install-guide"),
        ("install,html", "install.html"),
        ("niche", "inche"),
    ],
)
def test_slips(wanted: str, name: str) -> None:
    assert is_slip(wanted, name, frozenset({"other"}))


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("getter", "setter"),
        ("about-mapping", "about-tapping"),
        ("users", "user"),
        ("server", "serves"),
        ("served", "serve" + "r"),
        ("other", "othe"),
        ("dogs", "dog"),
        ("fog", "dog"),
        ("part-1", "part-2"),
        ("othor", "other-x"),
    ],
)
def test_no_slips(wanted: str, name: str) -> None:
    assert not is_slip(wanted, name, frozenset({"other"}))


def test_identifiers() -> None:
    assert all(map(is_identifier, ["a.b", "Q_CHECK_PTR", "javax.net", "std::vector", "getName", "HTML", "f()"]))
    assert not any(map(is_identifier, ["install", "Getting-Started", "über-uns", "section-2", ""]))


@given(st.lists(st.text("abc", max_size=8)), st.text("abc", max_size=8))
def test_all_names_within_two_edits_are_found_the_nearest_first(names: list[str], name: str) -> None:
    near = NearNames(names).within_two(name)
    assert set(near) == {one for one in names if len(one) >= 3 and one != name and is_within(one, name, 2)}
    assert near == sorted(near, key=lambda one: (edits(name, one), one))


def test_what_was_looked_for_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    names = NearNames(f"name-{number}" for number in range(50))
    first = names.within_two("name-1x")
    assert first[0] == "name-1"
    monkeypatch.setattr(misspelt_names, "edits", None)
    assert names.within_two("name-1x") == first


def test_never_too_much_is_remembered() -> None:
    names = NearNames(["abcdef"])
    for number in range(5000):
        names.within_two(f"abcdef{number}")
    assert names.within_two.cache_info().currsize <= 1000

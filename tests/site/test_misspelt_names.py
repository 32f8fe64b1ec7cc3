"""Which differences between names are slips, and which names are identifiers."""

from __future__ import annotations

import pytest

from rehref.site._repair.misspelt_names import is_identifier, is_slip


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

"""Which part of a message a URI leads to."""

from __future__ import annotations

from rehref.containers._mime.bases import Inside


def test_the_first_of_several_parts_with_one_uri_counts() -> None:
    inside = Inside()
    inside.add("http://h/a#b", "first")
    inside.add("http://h/a", "second")
    assert (inside["http://h/a"], len(inside), list(inside)) == ("first", 1, ["http://h/a#b"])

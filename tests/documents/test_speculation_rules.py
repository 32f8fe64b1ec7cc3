"""Speculation rules in files."""

from __future__ import annotations

import rehref

URL = "https://h.example/rules/r.json"
TYPE = "application/speculationrules+json"
RULES = b'{"prefetch": [{"urls": ["a", "/b"]}, {"urls": ["of-page"], "relative_to": "document"}]}'


def test_references_are_relative_to_the_file() -> None:
    links = rehref.links(RULES, url=URL, media_type=TYPE)
    assert [(link.target, link.kind) for link in links] == [
        ("https://h.example/rules/a", "resource"),
        ("https://h.example/b", "resource"),
    ]
    made = rehref.rewrite(RULES, url=URL, media_type=TYPE)
    assert made == RULES.replace(b'"a"', b'"https://h.example/rules/a"').replace(b'"/b"', b'"https://h.example/b"')


def test_in_a_page_all_are_relative_to_the_page() -> None:
    page = b"<script type=speculationrules>" + RULES + b"</script>"
    assert [link.reference for link in rehref.links(page, url=URL)] == ["a", "/b", "of-page"]


def test_what_is_no_set_of_rules_has_none() -> None:
    for text in (b"", b"[]", b'{"prefetch": 1}', b'{"prefetch": [{"urls": [1]}]}', b"{"):
        assert rehref.links(text, url=URL, media_type=TYPE) == []

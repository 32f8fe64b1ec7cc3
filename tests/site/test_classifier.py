"""Which of the values of a page are looked at: each target once."""

from __future__ import annotations

from site_parts import context_of

from rehref.site._pages.classifier import TargetClassifier


def test_a_judge_asks_once_for_each_file() -> None:
    asked: list[str] = []

    def locate(uri: str) -> tuple[object, ...]:
        asked.append(uri)
        return "p.html", "", ""

    context = context_of("file:///s/", locate)
    classifier = TargetClassifier(context)
    assert [classifier[target] for target in ("/p.html#a", "/p.html#b", "/p.html#a", "/p.html", "http://h/#a")] == [
        1,
        2,
        1,
        0,
        1,
    ]
    assert classifier.fragments == ["p.html\0a", "p.html\0b"]
    assert classifier.path("/p.html#c") == "p.html"
    assert asked == ["file:///s/p.html", "http://h/"]

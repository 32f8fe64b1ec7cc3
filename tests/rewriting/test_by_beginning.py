"""What rules answer for beginnings of targets is what they answer for each reference."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.rewriting.rule import NewBeginning, rule_for
from rehref.uri.ordinary_references import classify, is_canonical, prefixes_of
from rehref.uri.resolver import Profile, prefixes_in

RULES: tuple[Any, ...] = (
    rehref.Absolute(),
    rehref.Relative(),
    rehref.Template("https://replay.example/1/{uri}"),
    rehref.Template("https://replay.example/{modifier}/{kind}/{uri}"),
    rehref.Template("{server}{uri}", server="http://h.example/a/"),
    rehref.Mapping({"http://h.example/*": "http://new.example/*", "http://h.example/a/b": "x:b"}),
    rehref.Mapping({"http://h.example/a*": "n:*", "HTTP://H.example/%61/b/*": "m:*", "https://i.example": "i:"}),
    rehref.Mapping({"http://h.example/a/": "n:", "http://i.example*": "https://i.example/x/*", "mailto:a": "b"}),
)
OWN = (
    "http://h.example/a/b/c",
    "http://h.example/a/",
    "http://h.example",
    "http://h.example:80/a/b?c/d",
    "file:///a/b",
)
BASES = (*OWN, "http://h.example/a/x.css", "http://h.example/a/b/", "https://i.example/x/y", "http://h.example/other/x")
CLASSES = (("a", "href", "hyperlink"), ("style", None, "resource"))
PIECES = st.sampled_from(
    [
        *("a", "b", "c", "x", " ", "é", "/", "../", "./", "//", ":", "?", "#", "%61"),
        *("http://", "https:", "h.example", "i.example", "mailto:", ".css", ".CSS?"),
    ]
)


def beginning_of(reference: str, base: str, own: str, profile: Profile) -> tuple[str, str] | None:
    """What the target of an ordinary reference begins with, and the rest; None if it is not ordinary."""
    prefixes = prefixes_in(profile, prefixes_of(base, own), iris=True)
    found, (target, _) = classify(reference), prefixes.known(reference)
    if found is None or target is None or found.form == "fragment":
        return None
    if found.form in ("absolute", "opaque"):
        if target != reference:  # it has got a path
            return None
        beginnings = (*prefixes.folders, "http://", "https://", "") if found.form == "absolute" else ("",)
        beginning = next(each for each in beginnings if reference.startswith(each))
    else:
        skip = 1 if found.form == "rooted" else found.skip
        beginning = target.removesuffix(reference[skip:])
        if beginning == target and reference[skip:]:
            return None
    if beginning in prefixes.folders:  # the nearest one
        beginning = next(folder for folder in prefixes.folders if target.startswith(folder))
    return beginning, target[len(beginning) :]


def may_answer(new: NewBeginning, rest: str, *, is_whole: bool) -> bool:
    """Whether the rest is none about which the rule must be asked."""
    first = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    means_more = new.text == "" and not is_whole and (":" in rest[:first] or rest[:1] in ("/", " "))
    is_respelt = "%" in rest or " " in rest or not rest.isascii()
    path = rest.partition("#")[0].partition("?")[0].lower()
    has_extension = new.unless_extension != "" and (path == "" or path.endswith(new.unless_extension))
    is_excepted = rest.startswith(new.unless) or (new.unless_escaped and is_respelt) or has_extension
    return rest != "" and not is_excepted and not means_more


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rule", RULES, ids=repr)
@given(
    st.sampled_from(OWN),
    st.sampled_from(BASES),
    st.sampled_from(("rfc3986", "rfc2396", "whatwg")),
    st.lists(PIECES, min_size=1, max_size=5).map("".join),
    st.sampled_from(CLASSES),
)
def test_the_answer_is_that_for_the_reference(
    rule: Any, own: str, base: str, profile: Profile, reference: str, of: tuple[str, str | None, Any]
) -> None:
    if not is_canonical(base) and profile == "whatwg":
        return
    found = beginning_of(reference, base, own, profile)
    here = Base(base, "retrieval" if base == own else "embedded", "")
    asked: Any = rule_for(rule, Base(own, "retrieval", ""), here, profile)
    begins = asked.beginnings
    if found is None or begins is None:
        return
    beginning, rest = found
    new = begins.of_beginning(beginning, *of, None, None)
    if new is None or not may_answer(new, rest, is_whole=beginning + rest == reference):
        return
    expected = asked(Link(reference, beginning + rest, here, *of, None, None, None, False, ()))
    answer = reference if new.text is None else new.text + rest
    assert answer == (reference if expected is None else expected)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_each_has_an_answer_for_a_folder(rule: Any) -> None:
    base = Base("http://h.example/a/b/c", "retrieval", "")
    begins: Any = rule_for(rule, base, base, "rfc3986").beginnings
    assert begins is not None
    answers = [
        begins.of_beginning(f"http://h.example/{folder}", "a", "href", "hyperlink", None, None) for folder in ("", "a/")
    ]
    assert any(answer is not None for answer in answers)

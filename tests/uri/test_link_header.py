"""The references in a Link field: a test or more for each rule of `rehref.uri._syntaxes.link_header`."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.text.header_fields import links_in
from rehref.uri._syntaxes.link_header import find, write

VALUES = st.text(alphabet='<>";,=\\ \t anchorREL/#é.:x', max_size=60)
REFERENCES = st.text(alphabet="abc/:;,?#=&%20'()*é", min_size=1, max_size=20)


def texts(value: str) -> list[str]:
    return [found.text for found in find(value)]


# --- the list


def test_links_are_separated_by_commas_outside_brackets_and_quotes():
    value = '<a,b;c>; rel=next; title="x, <y>; z" , <d>'
    assert texts(value) == ["a,b;c", "d"]
    assert [link.get("title") for link in links_in(value)] == ["x, <y>; z", None]


def test_empty_elements_count_for_nothing():
    assert texts(" , ,<a>,,\t<b>, ") == ["a", "b"]
    assert texts("") == []


# --- parameters


def test_names_have_no_case_and_the_first_counts():
    (link,) = links_in('<a>; REL=up ; rel="next";title')
    assert [(parameter.name, parameter.value) for parameter in link.parameters] == [
        ("rel", "up"),
        ("rel", "next"),
        ("title", ""),
    ]
    assert (link.get("rel"), link.get("anchor")) == ("up", None)
    assert texts('<a>; anchor="#x"; ANCHOR="#y"') == ["a", "#x"]


def test_white_space_around_signs_is_no_part_of_anything():
    value = '<a> ; anchor = "#x" ; rel = next '
    assert texts(value) == ["a", "#x"]
    assert links_in(value)[0].get("rel") == "next"


# --- quotes


def test_a_backslash_stands_before_a_character_that_means_itself():
    value = r'<a>; anchor="x\"y\\z"; rel=b'
    _, anchor = find(value)
    assert (anchor.text, value[anchor.start : anchor.end]) == ('x"y\\z', r"x\"y\\z")
    assert links_in(value)[0].get("rel") == "b"


def test_an_open_quote_goes_to_the_end():
    assert texts('<a>; title="x, <b>; anchor=c') == ["a"]
    assert texts('<a>; anchor="x, <b>') == ["a", "x, <b>"]
    assert texts('<a>; anchor="x\\') == ["a", "x"]


# --- what is found


def test_spans_and_forms():
    value = '< a >;anchor=" #x ", <b>;anchor=#y;z, <c>;anchor, <d>;anchor='
    found = [(value[each.start : each.end], each.form) for each in find(value)]
    assert found == [("a", "target"), ("#x", "quoted"), ("b", "target"), ("#y", "bare"), ("c", "target"),
                     ("d", "target"), ("", "bare")]  # fmt: skip


@given(VALUES)
def test_spans_lie_in_order_and_hold_the_text(value: str):
    last = 0
    for found in find(value):
        assert last <= found.start <= found.end <= len(value)
        if found.form != "quoted":
            assert value[found.start : found.end] == found.text
        last = found.end


def test_white_space_with_a_backslash_before_it_is_no_part_of_a_reference():
    value = r'<a>; anchor="\  \x \ \\\ "'
    _, anchor = find(value)
    assert (anchor.text, value[anchor.start : anchor.end]) == ("x  \\", r"\x \ \\")
    _, anchor = find(r'<a>; anchor="\ "')
    assert (anchor.text, anchor.start, anchor.end) == ("", 13, 13)


# --- what is no link


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('<a>; rel=preload; as=image; imagesrcset="b.png 1x, c,d.png 2x"', ["a", "b.png", "c,d.png"]),
        ('<a>; imagesrcset="b 1x"; anchor=x; rel="X Preload"; imagesrcset="c 1x"', ["a", "b", "x"]),
        ('<a>; anchor=x; imagesrcset="b\\,c\\"d 1x"; rel=preload, <e>', ["a", "x", 'b,c"d', "e"]),
        ("<a>; rel=preload; imagesrcset=b", ["a"]),
        ("<a>; rel=preload; imagesrcset", ["a"]),
        ('<a>; rel=preload; imagesrcset=" , "', ["a"]),
        ('<a>; rel=icon; imagesrcset="b 1x"', ["a"]),
    ],
)
def test_a_preload_has_candidates_for_images(value: str, expected: list[str]):
    assert texts(value) == expected


@pytest.mark.parametrize("text", ["x y", ",x,", 'a"b', "a\\b", "", "<", "x"])
def test_a_candidate_is_written_for_both_syntaxes(text: str):
    value = '<a>; rel=preload; imagesrcset="b 1x, c\\"d 2x"; as=image'
    for index in (1, 2):
        found = find(value)
        one = found[index]
        after = value[: one.start] + write(text, one.form) + value[one.end :]
        expected = {"x y": "x%20y", ",x,": "./,x%2C", 'a"b': "a%22b", "": "#", "<": "%3C"}.get(text, text)
        assert texts(after) == [expected if at == index else each.text for at, each in enumerate(found)]
        assert after.endswith('2x"; as=image')


def test_rubbish_is_skipped_up_to_the_next_comma():
    assert texts('rubbish, <a> more "x, <no>" rubbish, <b>') == ["a", "b"]
    assert texts("<a> <b>, <c>") == ["a", "c"]


def test_a_target_without_its_end_is_none():
    assert texts("<a>, <b; rel=next") == ["a"]


# --- writing


@pytest.mark.parametrize(
    ("form", "written"),
    [("target", "a,b;c'%22%3E%20\\"), ("quoted", r"a,b;c'%22%3E%20\\"), ("bare", r'''"a,b;c'%22%3E%20\\"''')],
)
def test_what_would_end_it_is_percent_encoded(form: str, written: str):
    assert write(" a,b;c'\"> \\", form) == written


@pytest.mark.parametrize("value", [r"<b>;anchor=\\e.org\a", r'<b>;anchor="x\y"', r"<\\e.org\a>"])
def test_a_backslash_is_kept(value: str):  # for browsers it is a slash, and `%5C` is not
    found = find(value)[-1]
    text = r"\\e.org\a"
    assert find(value[: found.start] + write(text, found.form) + value[found.end :])[-1].text == text


@given(VALUES, st.data())
def test_what_was_written_is_read_and_the_rest_stays(value: str, data: st.DataObject):
    before = find(value)
    if not before:
        return
    number = data.draw(st.integers(0, len(before) - 1))
    reference, chosen = data.draw(REFERENCES), before[number]
    after = find(value[: chosen.start] + write(reference, chosen.form) + value[chosen.end :])
    expected = [found.text for found in before]
    expected[number] = reference.strip()
    assert [found.text for found in after] == expected


# --- linear time


@pytest.mark.parametrize("piece", ["<", "<a>,", '"', '\\"', "<a>;", '<a>;a="\\', ",", " ", "<a", ';a="b"', "x,"])
def test_long_values_take_linear_time(piece: str):
    assert_proportional(lambda n: partial(find, "<a>" + piece * n), 2000)

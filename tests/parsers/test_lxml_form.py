"""How the `lxml` core goes about it: a tree's XML form, the places in it, and its way back to HTML."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from rehref.parsers.contract import Edit, Wanted
from rehref.parsers.lxml_core.html import CORE
from rehref.parsers.lxml_core.html_as_xml import ATTRIBUTE, TOKEN, XmlForm, decode, encode, xml_form
from rehref.parsers.lxml_core.html_namespaces import in_body
from rehref.parsers.lxml_core.html_places import find
from rehref.parsers.lxml_core.html_writing import write
from rehref.parsers.source.names import VOID
from rehref.text.source import Source

WANTED = Wanted(frozenset({"href", "class"}), {"img": frozenset({"src"})}, frozenset({"style"}))


def form_of(markup: str) -> XmlForm:
    root = etree.fromstring(markup.encode(), etree.HTMLParser(encoding="utf-8"))
    return xml_form(etree.tostring(root, encoding="unicode"))


def found(markup: str, wanted: Wanted = WANTED) -> list[tuple[str, str | None, str]]:
    return [(place[0], place[2], place[3]) for place in find(form_of(markup), wanted).places]


def rewritten(markup: str, wanted: Wanted = WANTED, text: str | None = "new") -> str:
    parsed = CORE.parse(Source(markup), wanted)
    result = parsed.apply([Edit(number, 0, len(place[3]), text) for number, place in enumerate(parsed.places)])
    assert isinstance(result, str)
    return result


def written(markup: str) -> str:
    """What a document becomes when nothing else in it is changed than an attribute."""
    result = rewritten(markup + "<i id=x>", Wanted(on={"i": frozenset({"id"})}), None)
    start, end = "<html><body>", "<i></i></body></html>"
    assert result.startswith(start)
    assert result.endswith(end)
    return result[len(start) : -len(end)]


# --- the form


@given(st.text())
def test_what_is_encoded_holds_no_delimiters_and_decodes_to_itself(value: str) -> None:
    encoded = encode(value)
    assert not set(encoded) & set('<>"\r\0')
    assert decode(encoded) == value.replace("\0", "\ufffd")


def test_all_kinds_of_references_are_decoded() -> None:
    assert decode("&lt;&gt;&amp;lt;&quot;&apos;&#10;&#xe9;&copy;&") == "<>&lt;\"'\né&copy;&"


def test_a_tag_ends_at_the_first_greater_than_and_values_at_the_first_quote() -> None:
    form = form_of("<p title='a>b\"&lt;/&#13;' \"q='x=' =eq=1 a=' '>c&gt;d</p>")
    token = next(token for token in TOKEN.finditer(form.text) if token[3] == "p")
    attributes = [(name, decode(value)) for name, value in ATTRIBUTE.findall(token[4])]
    assert attributes == [("title", 'a>b"</\r'), ('"q', "x="), ("=eq", "1"), ("a", " ")]


def test_landmarks_are_comments_and_elements_that_matter() -> None:
    form = form_of("<p><!--a<b>--><svg><style>x>y</style></svg><script/></p><wbr>z<template></template>")
    assert [(mark.name, form.text[mark.start : mark.end], mark.opaque) for mark in form.landmarks] == [
        ("!--", "a<b>", True),
        ("svg", "", False),
        ("style", "x&gt;y", True),
        ("script", "/>", True),
        ("wbr", "", False),
        ("template", "", False),
    ]


def test_nothing_in_a_name_is_a_landmark() -> None:
    form = form_of("<a<!--b c<svg=d><style></style><x<!-->y<!-- z -->")
    assert [(mark.name, form.text[mark.start : mark.end]) for mark in form.landmarks] == [
        ("style", "/>"),
        ("!--", " z "),
    ]
    assert form.odd
    assert not form_of("<p><!-- < --><a<b title='<'>").odd


# --- places


def test_a_value_that_ends_in_an_equals_sign_does_not_hide_what_follows() -> None:
    assert found("<a title='href=' href=1><a title='x href='><a title='x href=' id=' y' class=' href=' href=2>") == [
        ("a", "href", "1"),
        ("a", "class", " href="),
        ("a", "href", "2"),
    ]
    assert found("<img title='x class=' src=1 href=2><img src=3 title='x src='>") == [
        ("img", "src", "1"),
        ("img", "href", "2"),
        ("img", "src", "3"),
    ]


def test_text_and_comments_hold_no_attributes() -> None:
    assert found(' href="1" <b> class="2"</b><!-- <a href="3" --> x href="<a href=4> ="<a class=\'\'>') == [
        ("a", "href", "4"),
        ("a", "class", ""),
    ]


def test_names_with_less_than_signs() -> None:
    assert found("<a<b href=1><p <lt=2 href=3><img<a src=4><img src=5 <a>") == [
        ("a<b", "href", "1"),
        ("p", "href", "3"),
        ("img", "src", "5"),
    ]


def test_a_script_without_type_is_skipped_where_its_type_is_wanted() -> None:
    markup = "<script>a</script><script type=x>b</script><script></script><svg><script>c</script></svg>"
    texts = frozenset({"script"})
    assert [value for *_, value in found(markup, Wanted(texts=texts))] == ["a", "b", "", "c"]
    assert [value for *_, value in found(markup, Wanted(frozenset({"type"}), texts=texts))] == ["x", "b"]


@pytest.mark.parametrize("name", ["data-src", "x" * 90, "a.b*c[d]", "a\\", "]", "^", "-", "ü"])
def test_any_name_can_be_wanted(name: str) -> None:
    wanted = Wanted(frozenset({name, "href"}), {"img": frozenset({name + "2"})})
    markup = f"<p {name}=1 {name}2=no><img {name}2=2 href=3 z{name}=no {name}z=no>"
    assert [value for *_, value in found(markup, wanted)] == ["1", "2", "3"]
    assert found(markup, Wanted()) == []


def test_which_elements_are_in_a_body() -> None:
    text = '<html><head><base/><!--<body>--></head><body/><base/><body a="b"><p><base/></p></body><base/></html>'
    offsets = [at for at in range(len(text)) if text.startswith("<base", at)]
    assert in_body(text, offsets) == {offsets[2]}
    assert in_body(text, []) == set()


ELEMENTS = ["a", "img", "p", "b", "style", "script", "br", "xmp", "title", "a<b", "x<!--y", "td", "noscript", "wbr"]
ATTRIBUTES = ["href=1", "HREF='a b'", "class=' x'", "title='x href='", "src", "x='>'", "<lt=2", '"q=1', "=eq", '=" ']
ATTRIBUTES += ["class='x class='", "href='&lt;&quot;&#13;&#10;&#1;'", "src=' '", "a<!--=3", "é=1", "a='/>'", "href=''"]
TEXTS = ["x", ' href="1" ', "<!-- <a href=1> -->", "<!-->", "&lt;", "</a>", "</p>", "</script>", "-->", '="', "\xa0"]
TAGS = st.builds(
    lambda name, attributes: f"<{name} {' '.join(attributes)}>",
    st.sampled_from(ELEMENTS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=4),
)
MARKUP = st.lists(st.one_of(TAGS, st.sampled_from(TEXTS)), max_size=10).map("".join)


@settings(max_examples=300)
@given(MARKUP)
def test_the_places_are_the_attributes_of_the_tree(markup: str) -> None:
    root = etree.fromstring(f"<body>{markup}".encode(), etree.HTMLParser(encoding="utf-8"))
    names = {"href", "class"}
    expected = [
        (element.tag, name, value, element.sourceline)
        for element in root.iter(etree.Element)
        for name, value in element.items()
        if name in names or (name == "src" and element.tag == "img")
    ]
    parsed = CORE.parse(Source(f"<body>{markup}"), Wanted(frozenset(names), {"img": frozenset({"src"})}))
    places = [(*place[:3:2], place[3], parsed.locate(number, None)[0]) for number, place in enumerate(parsed.places)]
    assert places == expected


@settings(max_examples=300)
@given(MARKUP)
def test_what_is_written_reads_as_the_same_tree(markup: str) -> None:
    def tree(markup: str) -> str:
        parser = etree.HTMLParser(encoding="utf-8")
        return etree.tostring(etree.fromstring(markup.encode(), parser), encoding="unicode")

    # a `body` is made up where none is, unless there is one
    once = rewritten(f"<body>{markup}<i id=1></i>", Wanted(on={"i": frozenset({"id"})}), "1")
    assert tree(once) == tree(f"<body>{markup}<i id=1></i>")


# --- writing


def test_empty_elements_get_end_tags_and_void_ones_have_none() -> None:
    markup = "".join(f"<div><{name} a=1>x</div>" for name in sorted(VOID - {"frame", "col"}))
    assert written(markup) == markup.replace("a=1", 'a="1"')
    assert written("<p/><a<b/><br/><b c='/>'/><embed><wbr></wbr>x</embed>") == (
        '<p></p><a<b></a<b><br><b c="/&gt;"></b><embed><wbr>x'
    )


def test_raw_text_and_comments_are_written_as_they_are() -> None:
    markup = "<style>a<b>&amp;\xa0</style><!--<p/>&amp;\xa0<br/>--><script></script><xmp>/></xmp><textarea></textarea>"
    assert written(f"<body>{markup}") == markup


def test_white_space_quotes_and_spaces_that_do_not_break() -> None:
    markup = "<p>a\t\n\"'&nbsp;&amp;nbsp;&#13;<b>&nbsp;</b></p>"
    assert written(markup) == markup
    assert written("<p title='\t\n\xa0&#13;'></p>") == '<p title="\t\n\xa0&#13;"></p>'
    assert written("<p\xa0q \xa0r=s>\xa0</p\xa0q>") == '<p\xa0q \xa0r="s">&nbsp;</p\xa0q>'


def test_a_void_element_without_attributes_is_gone_and_others_are_not() -> None:
    markup = "<br class=1><br class=1 href=2><br class=1 id=3><p class=1></p><wbr class=1>x<a<b class=1></a<b>"
    assert rewritten(f"<body>{markup}", text=None) == '<html><body><br id="3"><p></p>x<a<b></a<b></body></html>'


def test_new_text_of_an_empty_style_and_of_several() -> None:
    assert rewritten("<body><style></style><style>a</style><svg><style class=b></style></svg>", text="<&\xa0") == (
        '<html><body><style><&\xa0</style><style><&\xa0</style><svg><style class="&lt;&amp;\xa0"><&\xa0</style></svg>'
        "</body></html>"
    )


def test_new_text_that_has_an_end_gets_an_end_tag() -> None:
    scripts = Wanted(texts=frozenset({"script"}))
    assert rewritten("<script><!--<script>", scripts, "x") == "<html><head><script>x</script></head></html>"


def test_a_form_stays_as_it_is() -> None:
    form = form_of("<a href=1><style>a</style>")
    places = find(form, WANTED)
    first = write(form, places, {0: "2", 1: "b"})
    assert first == '<html><body><a href="2"><style>b</style></a></body></html>'
    assert write(form, places, {0: "2", 1: "b"}) == first
    assert write(form, places, {}) == first.replace("2", "1").replace(">b<", ">a<")


# --- what XML cannot say


def test_control_characters_stay() -> None:
    markup = "<a href='\x01&#2;\x0cx' b\x01=c>\x03<b>\x04</b>\x05\ufffe</a><style>\x06</style><!--\x07-->\x08"
    parsed = CORE.parse(Source("<body>" + markup), WANTED)
    assert [place[3] for place in parsed.places] == ["\x01\x02\x0cx", "\x06"]
    assert parsed.apply([Edit(0, 3, 4, "\x0b")]) == (
        '<html><body><a href="\x01\x02\x0c\x0b" b\x01="c">\x03<b>\x04</b>\x05\ufffe</a><style>\x06</style>'
        "<!--\x07-->\x08</body></html>"
    )


def test_a_control_character_that_lxml_cannot_address_is_lost() -> None:
    assert written("<p {x}y='\x01'>\x01</p>") == '<p {x}y="\ufffd">\x01</p>'


def test_characters_that_stand_in_are_not_mistaken() -> None:
    private = "".join(map(chr, itertools.chain(range(0xF0000, 0xF0040), range(0xF0042, 0xF0060))))
    assert written(f"<p>{private}\x01\x02</p>") == f"<p>{private}\x01\x02</p>"
    private = "".join(map(chr, range(0xF0000, 0xFFFFE)))
    assert written(f"<p>{private}\x01</p><xmp>\x02</xmp>") == f"<p>{private}\ufffd</p><xmp>\ufffd</xmp>"

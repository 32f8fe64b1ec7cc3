"""From a rule to edits: what is edited and counted, also in documents in documents, and what a rule is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rehref
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.files.sources import open_document
from rehref.rewriting.edits import Rewritten, rewrite_document
from rehref.rewriting.rule import DROP, Attributes, RowRule

URL = "http://h/a/b.html"
FOLDER = "http://h/a/"
CORES = ("source", "lxml", "html5lib")
MAPPED = rehref.Mapping({"http://h/a/x": "http://h/n/x"})
PAGE = (
    "<a href=x>1</a><a href=../y>2</a><a href=http://h/z>3</a><a href=''>4</a><a href='#f'>5</a>"
    "<img srcset='x 1x, y 2x' src=x>"
)
"""Eight references, of which five are neither absolute nor in the document."""


def read(markup: str | bytes, **options: Any) -> Document:
    return open_document(markup, SourceOptions(url=URL, **options))


def written(markup: str, rule: Any, **options: Any) -> tuple[Any, int, int]:
    """The new source, how many references were changed, and how many there are."""
    found = rewrite_document(read(markup), rule, **options)
    return found.data, found.changed, found.references


def rewritten(html: str, rule: Any, **options: Any) -> Rewritten:
    """What a rule makes of a page that is read in some way."""
    return rewrite_document(read(html, how=ReadOptions(**options)), rule)


def target(link: Link) -> str | None:
    """The rule of somebody's own that writes targets, whatever stands there."""
    return link.target


RULES: tuple[Callable[[Link], object], ...] = (rehref.Absolute(), target)


def test_what_is_changed_is_counted_and_what_there_is() -> None:
    data, *counts = written(PAGE, rehref.Absolute())
    assert data.count("http://h/a/x") == 3
    assert counts == [5, 8]
    assert written(PAGE, lambda link: None) == (PAGE, 0, 8)
    assert written("", rehref.Absolute()) == ("", 0, 0)
    assert written(PAGE, MAPPED)[1:] == (3, 8)
    of_bytes = rewrite_document(read(PAGE.encode()), rehref.Absolute())
    assert (of_bytes.changed, of_bytes.references) == (5, 8)


def test_what_a_rule_gives_as_it_is_written_is_no_change() -> None:
    assert written(PAGE, lambda link: link.reference) == (PAGE, 0, 8)
    assert written("<a href='&#120;'>", lambda _: "x") == ("<a href='&#120;'>", 0, 1)
    for parser in CORES:
        found = rewritten("<a href='x&amp;y'>", lambda link: link.reference, parser=parser)
        assert (found.data, found.references, found.changed) == ("<a href='x&amp;y'>", 1, 0)


def test_splices_are_given_only_where_they_are_asked_for() -> None:
    data = b"<p><a href=x>1</a><p><a href=http:g>2</a>"
    for rule in (rehref.Absolute(), MAPPED, lambda link: link.reference + "!"):
        found = rewrite_document(read(data), rule)
        assert found.splices is None
        found = rewrite_document(read(data), rule, splices=True)
        assert found.splices is not None
        pieces, last = [], 0
        for start, end, new in found.splices:
            pieces += [data[last:start], new]
            last = end
        assert b"".join([*pieces, data[last:]]) == found.data != data


def test_what_is_read_from_its_place_is_written_beside_what_is_not() -> None:
    page = "<a href={0}x>1</a><a href='http:g'>2</a><meta http-equiv=refresh content='0;url={0}y'>{1}"
    markup = page.format("", "<iframe srcdoc='<a href=z>'>")
    data = page.format("http://h/a/", "<iframe srcdoc='<a href=http://h/a/z>'>")
    assert written(markup, rehref.Absolute()) == (data, 3, 4)
    found = rewrite_document(read(markup.encode()), rehref.Absolute())
    assert (found.data, found.changed, found.references) == (data.encode(), 3, 4)


def test_documents_in_documents_are_edited_there() -> None:
    inner = '<a href=x>1</a><b style="background:url(x)">2</b>'
    deep = "<a href=x><iframe srcdoc='&amp;lt;a href=x>&amp;lt;a href=y>'></iframe><a href=y>"
    rule = rehref.Mapping({"http://h/a/x": "/n&m", "http://h/a/y": "/o"})
    assert written(f"<iframe srcdoc='{inner}'>", rule) == (
        "<iframe srcdoc='<a href=/n&amp;amp;m>1</a><b style=\"background:url(/n&amp;amp;m)\">2</b>'>", 2, 2,
    )  # fmt: skip
    assert written(f'<iframe srcdoc="{deep}">', rule) == (
        "<iframe srcdoc=\"<a href=/n&amp;amp;m>"
        "<iframe srcdoc='&amp;lt;a href=/n&amp;amp;amp;m>&amp;lt;a href=/o>'></iframe><a href=/o>\">", 4, 4,
    )  # fmt: skip
    assert written(f'<iframe srcdoc="{deep}">', lambda link: None) == (f'<iframe srcdoc="{deep}">', 0, 4)


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize("rule", RULES, ids=["ours", "own"])
def test_all_references_are_counted_and_those_that_change(rule: object, parser: str) -> None:
    html = f"<a href=x></a><a href={FOLDER}y></a><img srcset='a, b 2x'><iframe srcdoc='<a href=z><a href=w>'></iframe>"
    found = rewritten(html, rule, parser=parser)
    assert (found.references, found.changed, found.otherwise) == (6, 5, 0)


@pytest.mark.parametrize("rule", RULES, ids=["ours", "own"])
def test_what_stands_in_a_comment_or_a_document_is_edited_there(rule: object) -> None:
    html = "<!--[if IE 6]><a href=x><a href=y><![endif]-->"
    assert rewritten(html, rule, conditional_comments=True).data == html.replace("=", f"={FOLDER}")
    nested = """<iframe srcdoc="<a href=x><iframe srcdoc='<a href=y><a href=z>'></iframe><a href=w>"></iframe>"""
    expected = nested
    for name in "xyzw":
        expected = expected.replace(f"href={name}", f"href={FOLDER}{name}")
    assert rewritten(nested, rule).data == expected


def test_each_document_in_a_document_has_its_own_escapes() -> None:
    nested = """<iframe srcdoc="<a href=x><iframe srcdoc='<a href=y>'></iframe><a href=w>"></iframe>"""
    data = rewritten(nested, lambda link: link.reference + "&lt;'\"").data
    assert [link.reference for link in rehref.links(data, url=URL)] == ["x&lt;'\"", "y&lt;'\"", "w&lt;'\""]


@pytest.mark.parametrize("parser", CORES)
def test_one_text_below_two_bases_is_two_references(parser: str) -> None:
    html = "<a href=x></a>" + "".join(f"<iframe srcdoc='<base href=/{name}/><a href=x>'></iframe>" for name in "ce")
    data = rewritten(html, rehref.Absolute(), parser=parser).data
    links = rehref.links(data, url="http://elsewhere.example/")
    expected = [f"{FOLDER}x", "http://h/c/x", "http://h/e/x"]
    assert [link.reference for link in links if link.kind != "base"] == expected


def test_only_rules_of_ours_are_counted_as_leaving_what_browsers_read_otherwise() -> None:
    html = r"<a href='\x'>"
    assert rewritten(html, rehref.Absolute()).otherwise == 1
    assert rewritten(html, lambda link: None if link.problems else "y").otherwise == 0


def test_a_base_in_a_document_in_a_document_is_that_of_its_references_alone() -> None:
    markup = '<a href=x><iframe srcdoc="<base href=/s/><a href=x>"></iframe><a href=x>'
    assert written(markup, rehref.Absolute())[0] == (
        '<a href=http://h/a/x><iframe srcdoc="<base href=http://h/s/><a href=http://h/s/x>"></iframe><a href=http://h/a/x>'
    )


def test_a_removed_attribute_takes_its_references_along() -> None:
    assert written("<base href=/b/ target=t><a href=x>", lambda link: DROP if link.element == "base" else None) == (
        "<base target=t><a href=x>", 1, 2,
    )  # fmt: skip


def test_a_css_url_keeps_what_is_escaped_in_its_end() -> None:
    assert written("<p style='background:url(\\61 b)'>", lambda link: "http://h/" + link.reference) == (
        "<p style='background:url(http://h/\\61 b)'>", 1, 1,
    )  # fmt: skip
    assert written("<style>@import 'a';</style>", lambda link: "b")[0] == "<style>@import 'b';</style>"


def test_a_rule_that_fails_is_heard() -> None:
    def failing(link: Link) -> str:
        raise LookupError(link.reference)

    with pytest.raises(LookupError, match="y"):
        written("<a href=y>", failing)


class Noting:
    """A built-in rule that notes which links it is asked about."""

    def __init__(self, *, for_each: bool = False, is_careful: bool = False) -> None:
        self.links: list[Link] = []
        self._how = {"for_each": for_each, "is_careful": is_careful}

    def for_document(self, own: object, base: object, profile: object) -> RowRule:
        return RowRule(self.write, **self._how)

    def write(self, link: Link, attributes: Attributes) -> str | None:
        self.links.append(link)
        return None

    @property
    def references(self) -> list[str]:
        return [link.reference for link in self.links]


def test_a_row_rule_is_asked_once_for_each_row() -> None:
    rule = Noting()
    written("<a href=x><a href=x><img src=' x'><a href=''><a href=#f><img usemap=#f>" * 2, rule)
    assert [(link.element, link.reference) for link in rule.links] == [
        ("a", "x"), ("img", "x"), ("a", ""), ("a", "#f"), ("img", "#f"),
    ]  # fmt: skip
    assert {(link.line, link.column, link.span) for link in rule.links} == {(None, None, None)}


def test_a_row_rule_is_asked_again_where_the_base_is_another() -> None:
    rule = Noting()
    written("<a href=x><object codebase=/a/ data=x></object><object codebase=/b/ data=x></object><a href=x>", rule)
    assert [link.target for link in rule.links if link.reference == "x"] == [
        "http://h/a/x", "http://h/a/x", "http://h/b/x",
    ]  # fmt: skip


def test_a_row_rule_is_asked_about_what_is_to_be_a_uri() -> None:
    rule = Noting()
    written("<a href=x><a href='a b'>", rule, percent_encode=True)
    assert rule.references == ["x", "a%20b"]


def test_all_references_are_written_as_valid_uris_where_that_is_asked_for() -> None:
    markup = "<a href='a b'>1</a><a href='c'>2</a>"
    assert written(markup, lambda link: None, percent_encode=True) == (markup.replace("a b", "a%20b"), 1, 2)
    assert written(markup, lambda link: link.reference + "é", percent_encode=True) == (
        "<a href='a%20b%C3%A9'>1</a><a href='c%C3%A9'>2</a>", 2, 2,
    )  # fmt: skip


def test_an_empty_reference_does_not_replace_white_space() -> None:
    page = """<base href="http://h:99999/d/"><a style="background: url(' ')">"""
    written = rehref.rewrite(page, rehref.Relative(), url="http://h/x/y.html")
    assert written == """<base href=""><a style="background: url(' ')">"""
    assert rehref.rewrite('<a href=" ">', lambda link: "") == '<a href=" ">'


def test_white_space_around_a_new_reference_is_not_written() -> None:
    assert written("<applet archive=x>", lambda link: " x")[0] == "<applet archive=x>"
    assert written("<a href=x>", lambda link: " y ")[0] == "<a href=y>"


def test_what_browsers_read_differently_is_counted() -> None:
    class Other(Noting):
        def write(self, link: Link, attributes: Attributes) -> str | None:
            super().write(link, attributes)
            return "y" if link.problems == () else None

    rule = Other(is_careful=True)
    assert rewrite_document(read("<a href='\\x'><a href='\\x'><a href=x>"), rule).otherwise == 2
    assert rule.references == ["\\x", "\\x", "x"]  # asked once more, without the problem


class OfElement(Noting):
    """A rule that wants to know the other attributes of a `link`."""

    def __init__(self) -> None:
        super().__init__()
        self.rels: list[str | None] = []

    def write(self, link: Link, attributes: Attributes) -> str | None:
        if link.element == "link":
            self.rels.append(attributes().get("rel"))
        return super().write(link, attributes)


def test_a_row_rule_that_wants_the_attributes_of_the_element_is_asked_for_each() -> None:
    rule = OfElement()
    written(
        "<link rel=icon href=z><a href=x rel=y><a href=x><link href=z title=t rel=icon>"
        "<iframe srcdoc='<link rel=canonical href=&quot;&quot;>'></iframe>",
        rule,
    )
    assert sorted(map(str, rule.rels)) == ["canonical", "icon", "icon"]
    assert rule.references.count("x") == 2  # a `rel` makes another row


def test_a_row_rule_that_must_see_each_link_is_asked_for_each_with_its_position() -> None:
    rule = Noting(for_each=True)
    written("<a href=x><a href=x>", rule)
    assert [link.span for link in rule.links] == [(8, 9), (18, 19)]


def test_a_function_is_asked_in_document_order_and_sees_the_position() -> None:
    seen: list[tuple[str, int | None, tuple[int, int] | None]] = []

    def noting(link: Link) -> str | None:
        seen.append((link.reference, link.line, link.span))
        return {"b": rehref.DROP, "c": '"'}.get(link.reference, "z")  # type: ignore[return-value]

    page = "<a href=a>\n<a href=b>\n<a href=c><a href=&lt;><a href=a>"
    assert written(page, noting)[0] == '<a href=z>\n<a>\n<a href="&quot;"><a href=z><a href=z>'
    assert seen == [("a", 1, (8, 9)), ("b", 2, (19, 20)), ("c", 3, (30, 31)), ("<", 3, (40, 44)), ("a", 3, (53, 54))]

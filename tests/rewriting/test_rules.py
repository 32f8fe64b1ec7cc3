"""Rewriting: what each rule makes of a reference, and how it is written."""

from __future__ import annotations

import pytest

import rehref
from rehref.documents.options import SourceOptions
from rehref.files.sources import open_document
from rehref.rewriting.edits import rewrite_document

URL = "http://h/a/b.html"
CORES = ("source", "lxml", "html5lib")


def rewrite(html, rule=None, **options):
    options.setdefault("url", URL)
    return rehref.rewrite(html, rule, **options)


# ------------------------------------------------------------------------------------------------- Absolute


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a href='x'>", "<a href='http://h/a/x'>"),
        ("<a href=x>", "<a href=http://h/a/x>"),
        ("<a href=x/>", "<a href=http://h/a/x/>"),
        ('<A HREF = "../x" id=y>', '<A HREF = "http://h/x" id=y>'),
        ("<a href='#x'>", "<a href='#x'>"),
        ("<a href=''>", "<a href=''>"),
        ("<a href>", "<a href>"),
        ("<a href='b.html#x'>", "<a href='http://h/a/b.html#x'>"),
        ("<a href='http://x/../y'>", "<a href='http://x/../y'>"),
        ("<a href='mailto:a@b'>", "<a href='mailto:a@b'>"),
        ("<a href='//x/y'>", "<a href='http://x/y'>"),
        ("<a href=' x '>", "<a href=' http://h/a/x '>"),
        ("<a href='x\ny'>", "<a href='http://h/a/xy'>"),
        ("<a href='x?a=1&amp;b=2&copy=3&lang'>", "<a href='http://h/a/x?a=1&amp;b=2&copy=3&lang'>"),
        ("<a href=x&#x2e;y>", "<a href=http://h/a/x&#x2e;y>"),
        ("<img srcset='a 1x, b,c 2x' src=d>", "<img srcset='http://h/a/a 1x, http://h/a/b,c 2x' src=http://h/a/d>"),
        ("<meta http-equiv=refresh content=5;url=x>", "<meta http-equiv=refresh content=5;url=http://h/a/x>"),
        ("<p style='background:url(x)'>", "<p style='background:url(http://h/a/x)'>"),
        ("<img usemap='#m'>", "<img usemap='#m'>"),
        ("<svg><use href='#i'/><rect fill='url(#g)'/></svg>", "<svg><use href='#i'/><rect fill='url(#g)'/></svg>"),
        ("<form action=''>", "<form action=''>"),
        ("<base href='http://b/'><img src=''><script src=' '>", "<base href='http://b/'><img src=''><script src=' '>"),
        ("<!-- <a href=x> --><script>'<a href=x>'</script>", "<!-- <a href=x> --><script>'<a href=x>'</script>"),
    ],
)
def test_absolute(before, after):
    assert rewrite(before) == after
    assert rewrite(after) == after


def test_same_document_references_that_a_base_diverts_are_made_absolute():
    html = "<base href='/x/'><a href='#y'></a><form action=''></form><img usemap='#m'>"
    assert rewrite(html) == (
        "<base href='http://h/x/'><a href='http://h/x/#y'></a><form action=''></form><img usemap='#m'>"
    )


def test_same_document_references_on_request():
    html = "<a href='#y'></a><a href=''></a><form action></form>"
    assert rewrite(html, rehref.Absolute(same_document=True)) == (
        "<a href='http://h/a/b.html#y'></a><a href='http://h/a/b.html'></a><form action=\"http://h/a/b.html\"></form>"
    )


@pytest.mark.parametrize(
    ("policy", "after"),
    [
        ("absolute", "<base target=t href='http://h/x/'><base HREF='http://h/y/' ><a href='http://h/x/z'>"),
        ("keep", "<base target=t href='/x/'><base HREF='/y/' ><a href='http://h/x/z'>"),
        ("empty", "<base target=t href=''><base HREF='' ><a href='http://h/x/z'>"),
        ("drop", "<base target=t><a href='http://h/x/z'>"),
    ],
)
def test_what_becomes_of_the_base_element(policy, after):
    html = "<base target=t href='/x/'><base HREF='/y/' ><a href='z'>"
    assert rewrite(html, rehref.Absolute(base_element=policy)) == after


def test_the_profile_decides_what_is_absolute():
    html = "<a href='http:x'>"
    assert rewrite(html) == html
    assert rewrite(html, profile="rfc3986-compat") == "<a href='http://h/a/x'>"
    assert rewrite(html, profile="whatwg") == "<a href='http://h/a/x'>"


def test_without_a_base_nothing_is_changed():
    assert rewrite("<a href=x>", url=None) == "<a href=x>"


def test_an_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="absolute, keep, empty, drop"):
        rehref.Absolute(base_element="none")


# ------------------------------------------------------------------------------------------- the other rules


def test_relative():
    html = (
        "<base href='/x/'><a href='y'></a><a href='http://h/a/c#d'></a><a href='http://o/p'></a><a href='#z'></a>"
        "<a href='//o/p'></a><a href='mailto:a@b'></a>"
    )
    assert rewrite(html, rehref.Relative()) == (
        "<base href=''><a href='../x/y'></a><a href='c#d'></a><a href='http://o/p'></a><a href='../x/#z'></a>"
        "<a href='http://o/p'></a><a href='mailto:a@b'></a>"
    )
    assert rewrite(html, rehref.Relative(), url=None) == html


def test_there_and_back():
    html = "<a href='c'></a><a href='../d/e?f#g'></a><img src='/h'>"
    relative = "<a href='c'></a><a href='../d/e?f#g'></a><img src='../h'>"
    assert rewrite(rewrite(html), rehref.Relative()) == relative


def test_mapping_with_a_function():
    seen = []

    def rule(link: rehref.Link) -> str | None:
        seen.append(link.target)
        return "new" if link.reference == "x" else None

    html = "<a href='x'></a><a href='y'></a>"
    assert rewrite(html, rehref.Mapping(rule)) == "<a href='new'></a><a href='y'></a>"
    assert rewrite(html, rule) == "<a href='new'></a><a href='y'></a>"
    assert seen == ["http://h/a/x", "http://h/a/y"] * 2


@pytest.mark.parametrize("result", [5, b"x", ["x"], False])
@pytest.mark.parametrize("percent_encode", [False, True])
def test_a_rule_that_returns_anything_else(result, percent_encode):
    told = rf"a rule returns the new reference as a str, None .*, not {type(result).__name__} \(for 'x'\)"
    for source in (
        "<a href=x>",
        b"<a href=x>",
        "<svg><style>a{b:url(x)}</style></svg>",
        "<iframe srcdoc='<a href=x>'>",
    ):
        with pytest.raises(TypeError, match=told):
            rehref.rewrite(source, lambda link: result, url="http://h/", percent_encode=percent_encode)
    with pytest.raises(TypeError, match=told):
        rehref.rewrite("<a href=x>", rehref.Mapping(lambda link: result), url="http://h/")


def test_mapping_with_a_table():
    table = {"http://h/a/x": "https://n/X", "http://h/*": "https://h/", "http://h/a/*": "https://h/A/*", "s:*": "t:"}
    html = (
        "<base href='http://h/'><a href='a/x'></a><a href='a/x#f'></a><a href='a/y'></a><a href='z'></a><a href='o:'>"
    )
    assert rewrite(html, rehref.Mapping(table)) == (
        "<base href='http://h/'><a href='https://n/X'></a><a href='https://n/X#f'></a><a href='https://h/A/y'></a>"
        "<a href='https://h/z'></a><a href='o:'>"
    )
    with pytest.raises(TypeError, match="texts"):
        rehref.Mapping({"a": 1})


def test_template():
    rule = rehref.Template("https://r.example/{timestamp}/{uri}", timestamp="2026")
    html = "<a href='x#f'></a><a href='#g'></a><a href='mailto:a@b'></a><a href='http://o/p'></a>"
    once = (
        "<a href='https://r.example/2026/http://h/a/x#f'></a><a href='#g'></a><a href='mailto:a@b'></a>"
        "<a href='https://r.example/2026/http://o/p'></a>"
    )
    assert rewrite(html, rule) == once
    assert rewrite(once, rule) == once


# ----------------------------------------------------------------------------------------- how it is written


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("<a href='x'>", "a'b\"c&d=e", "<a href='a&#39;b\"c&amp;d=e'>"),
        ('<a href="x">', "a'b\"c", '<a href="a\'b&quot;c">'),
        ("<a href=x>", "a b", '<a href="a b">'),
        ("<a href=x>", "", '<a href="">'),
        ("<a href>", "y", '<a href="y">'),
        ("<a href=>", "y", "<a href=y>"),
        ("<a href= >", "y", "<a href= y>"),
        ("<a href='x&amp;copy;'>", "y&copy;", "<a href='y&amp;copy;'>"),
        ("<img srcset='x 1x'>", "a b,", "<img srcset='a%20b%2C 1x'>"),
        ("<p style='background:url(x)'>", "a b)", "<p style='background:url(a\\20 b\\))'>"),
        ("<meta http-equiv=refresh content='0;url=x'>", "'y", "<meta http-equiv=refresh content='0;url=\"&#39;y\"'>"),
    ],
)
def test_a_new_value_means_what_was_meant(before, new, after):
    written = rewrite(before, lambda link: new)
    assert written == after


def test_what_the_encoding_cannot_hold_is_a_character_reference():
    html = "<a href='é/x'>"
    data = html.encode("latin-1")
    new = rewrite(data, lambda link: "é/☃", encoding="windows-1252")
    assert new == "<a href='é/&#9731;'>".encode("latin-1")
    assert rehref.links(new, url=URL, encoding="windows-1252")[0].reference == "é/☃"


@pytest.mark.parametrize("core", CORES)
def test_every_core_writes_what_was_meant(core):
    html = (
        "<!DOCTYPE html><html><head><base href='/x/'></head>"
        "<body><a href='y?a&amp;b'>é</a><img srcset='p 1x,q 2x'></body></html>"
    )
    written = rewrite(html, parser=core)
    assert isinstance(written, str)
    links = rehref.links(written, url=URL)
    assert [link.reference for link in links] == ["http://h/x/", "http://h/x/y?a&b", "http://h/x/p", "http://h/x/q"]
    assert rewrite(html, lambda link: None, parser=core) == html


def test_bytes_give_bytes_and_paths_too(tmp_path):
    path = tmp_path / "x.html"
    path.write_bytes(b"<a href=y>")
    assert rewrite(b"<a href=y>") == b"<a href=http://h/a/y>"
    assert rehref.rewrite(path, url=URL) == b"<a href=http://h/a/y>"
    assert path.read_bytes() == b"<a href=y>"


def test_what_is_relative_to_a_codebase_stays_what_it_means():
    url = "http://h/d/p.html"
    page = '<applet codebase="/a/" code="Foo.class"></applet><object codebase="/b/" data=x></object>'
    meant = [link.target for link in rehref.links(page, url=url)]
    for rule in (rehref.Relative(), rehref.Absolute(), rehref.Mapping({"http://h/a/": "http://new/"})):
        assert [link.target for link in rehref.links(rehref.rewrite(page, rule, url=url), url=url)] == meant


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<object codebase=b/ data=/c>", "<object codebase=http://h/d/b/ data=http://h/c>"),
        ("<object codebase=b/ data=c>", "<object codebase=http://h/d/b/ data=c>"),  # browsers: http://h/d/c
        ("<object codebase=b/ data=http://o/>", "<object codebase=http://h/d/b/ data=http://o/>"),
        ("<object codebase=#b data=c>", "<object codebase=#b data=http://h/d/c>"),
        ("<object codebase='' data=c>", "<object codebase='' data=http://h/d/c>"),
        ("<object codebase=http://o/b/ data=/c>", "<object codebase=http://o/b/ data=/c>"),
        ("<object codebase=./ data=c>", "<object codebase=http://h/d/ data=http://h/d/c>"),
    ],
)
def test_below_a_codebase_stays_what_browsers_read_differently(before, after):
    assert rehref.rewrite(before, url="http://h/d/p.html") == after


def test_without_a_url_what_is_relative_stays():
    page = "<a href=a/b><a href=/c><a href=?d><a href=#e><a href=//f/><a href=http://g/><img src=x:y>"
    assert rehref.rewrite(page, rehref.Template("http://r/{uri}")) == page.replace("http://g/", "http://r/http://g/")
    assert rehref.rewrite(page) == page


def test_a_template_that_is_not_normalized_is_put_around_once():
    rule = rehref.Template("https://R.example/x/{uri}")
    once = rehref.rewrite("<a href=x>", rule, url="http://h/", profile="whatwg")
    assert rehref.rewrite(once, rule, url="http://h/", profile="whatwg") == once


def test_in_css_what_stays_is_left_as_it_was_written():
    for before, after in (
        (rb"a{b:url(x\29.png)}", rb"a{b:url(http://h/x\29.png)}"),
        (b"a{b:url(\xe9.png)}", b"a{b:url(http://h/\xe9.png)}"),
    ):
        assert rehref.rewrite(before, url="http://h/", media_type="text/css") == after


# ------------------------------------------------------------------------------- what browsers read otherwise


@pytest.mark.parametrize(
    "rule",
    [
        *(
            rehref.Absolute(),
            rehref.Absolute(base_element="drop"),
            rehref.Relative(),
            rehref.Mapping({"http://*": "s:"}),
        ),
        rehref.Template("https://r.example/{uri}"),
    ],
    ids=lambda rule: type(rule).__name__,
)
def test_what_browsers_read_otherwise_stays(rule):
    html = r"<a href='\img\a.png'></a><a href='http:g'></a><img srcset='\b 1x'>"
    assert rewrite(html, rule) == html
    assert rewrite(html, rule, profile="whatwg") != html


@pytest.mark.parametrize("policy", ["drop", "empty"])
def test_what_browsers_read_otherwise_is_written_so_where_its_base_goes(policy):
    html = r"<base href='//o/p/'><a href='\img\a.png'></a><a href='https:q'></a><a href='z'></a>"
    base = "" if policy == "drop" else "<base href=''>"
    written = rewrite(html, rehref.Absolute(base_element=policy)).replace("<base>", "")
    assert written == base + ("<a href='http://o/img/a.png'></a><a href='https://q/'></a><a href='http://o/p/z'></a>")
    kept = r"<base href='//o/p/'><a href='\img\a.png'></a><a href='https:q'></a><a href='http://o/p/z'></a>"
    assert rewrite(html, rehref.Absolute(base_element="keep")) == kept
    assert rewrite(html, rehref.Relative()) == (
        "<base href=''><a href='http://o/img/a.png'></a><a href='https://q/'></a><a href='http://o/p/z'></a>"
    )


def test_below_a_template_what_browsers_read_otherwise_is_what_they_read():
    html = r"<base href='//o/p/'><a href='\img\a.png'></a>"
    assert rewrite(html, rehref.Template("https://r.example/{uri}")) == (
        "<base href='https://r.example/http://o/p/'><a href='https://r.example/http://o/img/a.png'></a>"
    )


@pytest.mark.parametrize("policy", ["absolute", "keep", "empty", "drop"])
def test_a_base_that_nothing_is_relative_to_stays(policy):
    html = "<base href='mailto:x'><a href='y'></a><a href='#z'></a><a href='http://h/'></a>"
    once = "<base href='mailto:x'><a href='y'></a><a href='mailto:x#z'></a><a href='http://h/'></a>"
    rule = rehref.Absolute(base_element=policy)
    assert rewrite(html, rule) == once
    assert rewrite(once, rule) == once
    assert rewrite(html, rehref.Relative()) == html


def test_a_base_that_browsers_read_otherwise_stays_where_it_would_be_written_out():
    html = r"<base href='\p\'><a href='x'></a><a href='/y'></a>"
    assert rewrite(html) == r"<base href='\p\'><a href='x'></a><a href='http://h/y'></a>"
    assert rewrite(html, rehref.Absolute(base_element="drop")) == (
        "<base><a href='http://h/p/x'></a><a href='http://h/y'></a>".replace("<base>", "")
    )


def test_a_rule_of_ones_own_decides_for_itself():
    html = r"<a href='\a'></a>"
    assert rewrite(html, rehref.Mapping(lambda link: "new")) == "<a href='new'></a>"
    assert rewrite(html, lambda link: rehref.Absolute()(link)) == html


def test_it_is_counted_what_would_have_been_written_otherwise():
    html = r"<a href='\a'></a><a href='\a'></a><a href='http:\b'></a><a href='http://h:99999/'></a><a href=x></a>"
    document = open_document(html, SourceOptions(url=URL))
    assert rewrite_document(document, rehref.Absolute()).otherwise == 3
    assert rewrite_document(document, rehref.Relative()).otherwise == 2
    assert rewrite_document(document, rehref.Mapping({"http://h/a/x": "y"})).otherwise == 0
    assert rewrite_document(document, lambda link: None).otherwise == 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: rehref.Offline({}, at=3), "a path is a str, not int"),
        (lambda: rehref.Offline({"a:b": 3}), "a path is a str, not int"),
        (lambda: rehref.Offline({3: "b"}), "a saved URI is a str, not int"),
        (lambda: rehref.Offline(3), "files are a table or a function, not int"),
        (lambda: rehref.Template(3), "a template is a str, not int"),
    ],
)
def test_rules_are_not_made_of_other_types(make, says):
    with pytest.raises(TypeError, match=f"^{says}$"):
        make()


@pytest.mark.parametrize("base_element", ["empty", "drop"])
def test_only_the_base_that_counts_in_a_srcdoc_stays_for_that(base_element) -> None:
    rule = rehref.Absolute(base_element)
    stays = '<iframe srcdoc="<base href=mailto:x><a href=g>"></iframe>'
    assert rewrite(stays, rule) == stays
    goes = rewrite('<iframe srcdoc="<base href=c/><base href=mailto:x><a href=g>"></iframe>', rule)
    assert "mailto" not in goes
    assert "<a href=http://h/a/c/g>" in goes


def test_the_own_folder_is_relative_too() -> None:
    html = '<img srcset=". 2x, ../ 3x" src="."><p style="background:url(.)"></p><a href=.></a>'
    once = '<img srcset="./ 2x, .. 3x" src="./"><p style="background:url(./)"></p><a href=></a>'
    made = rewrite(html, rehref.Relative(), url="http://h/a b/")
    assert made.replace('href=""', "href=") == once, made
    assert rewrite(made, rehref.Relative(), url="http://h/a b/") == made


@pytest.mark.parametrize("inner", ["<base href=mailto:x><a href=#>", "<a href=#><base href=o:>"])
def test_a_base_without_hierarchy_stays_in_a_srcdoc_too(inner: str) -> None:
    page = f'<iframe srcdoc="{inner}"></iframe><a href="http://h/x">'
    new = rehref.rewrite(page.encode(), rehref.Relative(), url="http://h/d/p", profile="whatwg")
    assert new == page.replace("http://h/x", "../x").encode()


def test_an_import_map_has_no_query_or_fragment_alone():
    page = (
        '<script type=importmap>{"imports":{"a":"/d/p?q","b":"http://h/d/p#f","/d/p?k":"/d/x?q","c":"/d/p"}}</script>'
    )
    new = page.replace('"/d/p', '"http://h/d/p').replace("/d/x", "./x")
    assert rehref.rewrite(page, rehref.Relative(), url="http://h/d/p") == new
    assert rehref.rewrite(new, rehref.Relative(), url="http://h/d/p") == new


@pytest.mark.parametrize(
    ("rule", "base", "new"),
    [
        (rehref.Relative(), ' xml:base=""', "https://o.example/blog/post1"),
        (rehref.Absolute(base_element="drop"), "", "https://o.example/blog/post1"),
        (rehref.Offline({"https://o.example/blog/post1": "o/p"}, at="d/f"), ' xml:base=""', "../o/p"),
    ],
)
def test_an_empty_reference_in_a_feed_keeps_its_target(rule, base, new):
    feed = '<feed xmlns="http://www.w3.org/2005/Atom"{}><entry{}><link href="{}"/></entry></feed>'
    old = feed.format(' xml:base="https://o.example/blog/"', ' xml:base="post1"', "")
    read = {"url": "https://h.example/d/f", "media_type": "application/atom+xml"}
    assert rehref.rewrite(old, rule, **read) == feed.format(base, base, new)
    assert rehref.rewrite(feed.format("", "", ""), rule, **read) == feed.format("", "", "")

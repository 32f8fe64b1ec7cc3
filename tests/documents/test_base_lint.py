"""The base lint: one test for each of its rules, and for what a core tells of the body."""

from __future__ import annotations

import random

import pytest

import rehref
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, IN_BODY, IN_TEMPLATE, Wanted
from rehref.text.encoding import Source
from rehref.uri.resolver import PROFILES

CORE = core()

CORES = ("source", "lxml", "html5lib")
URL = "http://h/a/b.html"


@pytest.fixture(params=CORES)
def core(request: pytest.FixtureRequest) -> str:
    """Each of the cores."""
    return request.param


def lint(html: str, **options) -> list[list[str]]:
    """The codes of the lint, of each `base` element with an `href`."""
    return [[problem.code for problem in each if problem.code.startswith("base-")] for each in found(html, **options)]


def found(html: str, **options) -> list[tuple[rehref.Problem, ...]]:
    options.setdefault("url", URL)
    return [link.problems for link in rehref.links(html, **options) if link.element == "base"]


def message(code: str, html: str, **options) -> str:
    """The one message with this code."""
    (one,) = [problem.message for each in found(html, **options) for problem in each if problem.code == code]
    return one


# ---------------------------------------------------------------------------------------------- the rules


def test_a_good_base_has_no_problem(core):
    html = (
        '<!doctype html><html><head><meta charset="utf-8"><title>x</title><base href="http://x/" target="_top">'
        "<link rel=icon href=i></head><body><a href=y>y</a>"
    )
    assert found(html, parser=core) == [()]


def test_only_links_of_base_elements_have_these_problems():
    html = "<a href=x></a><base target=t><base href=/x/><base href=mailto:y><object codebase=../z data=d>"
    for link in rehref.links(html, url=URL):
        assert (link.element == "base") == any(problem.code.startswith("base-") for problem in link.problems)


def test_no_base_in_a_template_in_svg_or_in_a_comment_is_looked_at(core):
    assert lint("<body><template><base href=x><base target=y></template>", parser=core) == [[]]
    assert lint("<p>x</p><svg><base href=x></base></svg>", parser=core) == []
    assert lint("<!--[if IE]><p><base href=x><base href=y><![endif]-->", conditional_comments=True) == [[], []]
    # nor does it count
    html = "<template><base href=x><base target=y></template><base href='http://x/'>"
    inside, outside = lint(html, parser=core)
    assert inside == []
    assert not {"base-repeated", "base-without-href"} & set(outside)
    assert lint("<!--[if IE]><base href=x><![endif]--><base href='http://x/'>", conditional_comments=True)[1] == []


def test_a_base_without_href_stands_before_it(core):
    assert lint("<base target=t><base href=http://x/>", parser=core) == [["base-without-href"]]
    assert lint("<base href=http://x/><base target=t>", parser=core) == [[]]
    assert lint("<base target=t>", parser=core) == []
    assert lint("<base href=http://x/><base target=t><base href=http://y/>", parser=core) == [
        *([], ["base-without-href", "base-repeated"])
    ]


def test_where_the_base_without_href_stands():
    code = "base-without-href"
    one = "a base element without href comes before it, at 2:3; it is skipped"
    assert message(code, "<head>\n  <base target=t>\n<base href=http://x/>") == one
    two = "2 base elements without href come before it, the first at 1:1; they are skipped"
    assert message(code, "<base target=t><base target=u><base href=http://x/>") == two
    none = "a base element without href comes before it; it is skipped"
    assert message(code, "<base target=t><base href=http://x/>", parser="html5lib") == none


def test_a_repeated_base_is_asked_nothing_else_about_its_href(core):
    html = "<head><base href='http://x/'><base href='../y'><base href='data:,'><base href='http://x/'>"
    assert lint(html, parser=core) == [[], ["base-repeated"], ["base-repeated"], ["base-repeated"]]


def test_the_first_counts_even_if_it_is_of_no_use():
    html = "<base href='data:,'><base href='http://x/'><a href=y>"
    assert lint(html) == [["base-not-hierarchical"], ["base-repeated"]]
    assert rehref.links(html, url=URL)[-1].target == "http://h/a/y"


def test_where_the_one_that_counts_stands():
    html = "\n<base href='http://x/'><base href='http://y/'>"
    says = "it has no effect: the first base element with an href counts"
    assert message("base-repeated", html) == f"{says}, which is at 2:1"
    assert message("base-repeated", html, parser="html5lib") == says


@pytest.mark.parametrize(
    ("before", "number"),
    [
        ("<link rel=icon href=i>", 1),
        ("<link rel=icon href=''>", 1),
        ("<link rel=icon href='#x'>", 1),
        ("<link rel=icon href=' /x '><link rel=icon href=?y>", 2),
        ("<img src=s srcset='a 1x, http://x/ 2x, c 3x'>", 3),
        ("<style>@import 'a'; p {background: url(b)}</style>", 2),
        ("<template><a href=x></a></template>", 1),
        # absolute, or of another base, or one that stays where it is
        ("<link rel=icon href=http://x/i><script src=//x/y></script>", 0),
        ("<a href=mailto:x>m</a><a href=' javascript:x()'>j</a>", 0),
        ("<form action=''></form>", 0),
        ("<img usemap='#m'><svg><rect fill='url(#g)'/></svg>", 0),
        ("<iframe srcdoc='<a href=x>'></iframe>", 0),
        ("<iframe srcdoc=\"<iframe srcdoc='<a href=x>'>\"></iframe>", 0),
        ("<iframe srcdoc='<base href=http://x/><a href=y>'></iframe>", 0),
        ("<base target=x>", 0),
    ],
)
def test_references_before_it(before, number):
    codes = [code for each in lint(before + "<base href=http://x/>") for code in each]
    assert ("base-late" in codes) == (number > 0)
    if number:
        assert message("base-late", before + "<base href=http://x/>").startswith("a " if number == 1 else f"{number} ")


def test_where_the_first_of_them_stands():
    says = "a relative reference comes before it{}; the base applies to it, too"
    html = "<head>\n<link rel=icon href=i>{}\n<base href='http://x/'>"
    assert message("base-late", html.format("")) == says.format(", at 2:21")
    assert message("base-late", html.format(""), parser="html5lib") == says.format("")
    says = "2 relative references come before it{}; the base applies to them, too"
    assert message("base-late", html.format("<link href=j>")) == says.format(", the first at 2:21")
    assert message("base-late", html.format("<link href=j>"), parser="html5lib") == says.format("")


def test_a_base_that_is_not_heeded_is_not_late(core):
    html = "<link rel=icon href=i><base href='{}'><link rel=icon href=j><base href='http://x/'>"
    assert lint(html.format("http://x/"), parser=core) == [["base-late"], ["base-repeated"]]
    assert lint(html.format("data:,"), parser=core) == [["base-not-hierarchical"], ["base-repeated"]]


def test_a_relative_base():
    for href in ("#x", "?x", "x", "../x", " \n./x ", "10:30"):
        assert lint(f"<base href='{href}'>") == [["base-relative"]], href
    depends = "its href is relative: the base depends on where the document is"
    assert message("base-relative", "<base href=x/>") == depends
    assert "scheme" in message("base-relative", "<base href=//x/>")
    # nobody knows where the document is, and so there is no base; that is not the fault of a missing hierarchy
    (problems,) = found("<base href=x>", url=None)
    assert [problem.code for problem in problems] == ["no-base", "base-relative"]


@pytest.mark.parametrize("href", ["/", "/app/", " \n/x "])
@pytest.mark.parametrize("url", [URL, "file:///a/b.html", None])
def test_a_base_that_is_a_path_from_the_root_depends_on_the_host_only(href, url, core):
    (problems,) = found(f"<base href='{href}'>", url=url, parser=core)
    codes = [problem.code for problem in problems]
    assert "base-relative" not in codes
    assert "base-not-hierarchical" not in codes


@pytest.mark.parametrize("href", ["", " \n"])
@pytest.mark.parametrize("url", ["http://h/a/b?c", None])
def test_an_empty_base_is_no_base_of_its_own(href, url, core):
    html = f"<head><script src=s></script><base href='{href}' target=t></head><a href=x>"
    (problems,) = found(html, url=url, parser=core)
    assert [problem.code for problem in problems if problem.code.startswith("base-")] == []
    # what does not ask where the base leads is said all the same
    assert lint(f"<base target=t><base href='{href}'><base href=z>", parser=core) == [
        ["base-without-href"],
        ["base-repeated"],
    ]


@pytest.mark.parametrize("href", ["data:,x", "JavaScript:x", "http://[", "//[", "http://h:x/", "http:// h/"])
def test_it_cannot_be_a_base(href, core):
    html = f"<base href='{href}'><a href=x>"
    assert lint(html, parser=core) == [["base-not-hierarchical"]]
    (rejected,) = rehref.links(html, url=URL, parser=core)[-1].base.rejected
    assert message("base-not-hierarchical", html, parser=core) == f"it is rejected: {rejected.reason}"


@pytest.mark.parametrize("href", ["mailto:x", "about:blank", "urn:x:y"])
def test_a_base_without_hierarchy_is_one_of_which_browsers_make_nothing(href, core):
    html = f"<base href='{href}'><a href=y><a href='#z'>"
    says = "it has no hierarchy: browsers use it as the base, and then resolve only fragments"
    for profile in PROFILES:
        assert lint(html, parser=core, profile=profile) == [["base-not-hierarchical"]], profile
        assert message("base-not-hierarchical", html, parser=core, profile=profile) == says
    _, path, fragment = rehref.links(html, url=URL, parser=core)
    assert path.target == href.rpartition(":")[0].partition(":")[0] + ":y"  # §5.2.3: up to the last slash
    assert [problem.code for problem in path.problems] == ["browser-differs"]
    assert fragment.target == f"{href}#z"
    assert [problem.code for problem in fragment.problems] == ["leaves-document"]
    assert rehref.links(html, url=URL, parser=core, profile="whatwg")[1].target is None
    assert rehref.links(html, url=URL, parser=core, profile="whatwg")[2].target == f"{href}#z"
    assert lint("<base href='foo:/x/'>", profile="whatwg") == [[]]


def test_a_base_in_the_body(core):
    says = "it is in the body; a base element belongs in the head (HTML Standard)"
    assert message("base-in-body", "<body><base href='http://x/'>", parser=core) == says
    assert lint("<p>x</p><base href='http://x/'><base href='http://y/'>", parser=core) == [
        *(["base-in-body"], ["base-repeated", "base-in-body"])
    ]


def test_the_order_of_problems(core):
    html = "<a href=x>x</a><base target=t><base href=y>"
    assert lint(html, parser=core) == [["base-without-href", "base-late", "base-relative", "base-in-body"]]
    (problems,) = found("<base target=t><base href='../../a\tb'>")
    assert [problem.code for problem in problems] == [
        *("white-space-in-reference", "above-root", "base-without-href", "base-relative")
    ]


def test_a_base_that_is_to_be_ignored_is_looked_at_all_the_same(core):
    for html in (
        "<a href=x>x</a><base target=t><base href=y><base href=z>",
        "<base href='data:,'><a href=x>",
        "<base href='http://x/'><a href=x>",
    ):
        assert lint(html, parser=core, ignore_embedded_base=True) == lint(html, parser=core), html


# ------------------------------------------------------------------------------------------------- srcdoc


def test_the_bases_of_a_srcdoc():
    inner = "<a href=x>x</a>\n<base target=t><base href=y><base href=mailto:z>"
    html = f"<!doctype html>\n<iframe srcdoc='{inner}'></iframe>"
    assert lint(html) == [
        ["base-without-href", "base-late", "base-relative", "base-in-body"],
        ["base-repeated", "base-in-body"],
    ]
    assert ", at 1:9 of the srcdoc;" in message("base-late", html)
    assert ", at 2:1 of the srcdoc;" in message("base-without-href", html)
    assert message("base-repeated", html).endswith(", which is at 2:16 of the srcdoc")


def test_each_document_has_its_own_base_that_counts():
    frames = "<iframe srcdoc='<base href=http://y/>'></iframe><iframe srcdoc='<base href=z>'></iframe>"
    assert lint("<base href='http://x/'>" + frames) == [[], [], ["base-relative"]]


def test_a_srcdoc_knows_what_its_base_is_relative_to():
    # the container's base is there for it, even though nobody knows where the document is
    html = "<base href='http://x/'><iframe srcdoc='<base href=//[>'></iframe>"
    assert lint(html, url=None) == [[], ["base-not-hierarchical"]]
    assert lint("<iframe srcdoc='<base href=//[>'></iframe>", url=None) == [["base-relative"]]


# -------------------------------------------------------------------------------------- what is in the body


@pytest.mark.parametrize(
    ("before", "in_body"),
    [
        *(("", False), (" \n", False), ("<!doctype html>", False), ("<!--x-->", False), ("<?x?>", False)),
        *(("<html><head>", False), ("<html>\n<head>\n", False), ("</p>", False), ("<head></x></head>", False)),
        *(("<meta charset=utf-8><link><title>a<p>b</title>", False), ("<basefont><bgsound>", False)),
        *(("<script>'<p>'</script><style><p></style>", False), ("<noframes><p>x</noframes>", False)),
        *(("<noscript><link></noscript>", False), ("<noscript>", False), ("<template><p>x</template>", False)),
        *(("<head></head> ", False), ("</head><meta>", False), ("&#32;", False), ("<base href=x>", False)),
        *(("x", True), ("&nbsp;", True), ("&#x;", True), ("<p>", True), ("<body>", True), ("</br>", True)),
        *(("</body>", True), ("</html>", True), ("<head></head>x", True), ("</head><noscript>", True)),
        *(("<noscript>x", True), ("<noscript><p>", True), ("<title></title>x", True), ("<svg></svg>", True)),
        *(("<body></body></html>", True), ("<table>", True), ("<p>x</p><template></template>", True)),
        *(("</head></head><head>", False), ("<title>", None), ("<!--", None), ("<p><svg>", None)),
    ],
)
def test_where_the_body_begins(before, in_body):
    wanted = Wanted(frozenset({"href"}))
    source = Source(before + "<base href=y>")
    flags = [place[7] for place in CORE.parse(source, wanted).places if place[3] == "y" and place[1] == HTML]
    assert flags == ([] if in_body is None else [IN_BODY * in_body])


def test_scripting_decides_what_a_noscript_is():
    html = "<noscript><p></noscript><base href='http://x/'>"
    assert lint(html) == [["base-in-body"]]
    assert lint(html, scripting=True) == [[]]


def test_nothing_but_a_base_is_flagged():
    wanted = Wanted(frozenset({"href"}))
    html = "<p><a href=1></a><base href=2><template><base href=3></template><svg><base href=4></base></svg>"
    flags = [place[7] for place in CORE.parse(Source(html), wanted).places]
    assert flags == [0, IN_BODY, IN_TEMPLATE, 0]


PIECES = (
    *("<base href=x>", "<base target=x>", "<BASE HREF='x'>", "<base/href=x>", "<base>", "<base href=x>"),
    *(
        "<head>",
        "</head>",
        "<html>",
        "</html>",
        "<body>",
        "</body>",
        "<noscript>",
        "</noscript>",
        "<title>",
        "</title>",
    ),
    *("<script>", "</script>", "<style>", "</style>", "<template>", "</template>", "<noframes>", "</noframes>"),
    *("x", " ", "\n", "&#32;", "&#x;", "\0", "\xa0", "<!--c-->", "<!doctype html>", "<![CDATA[ ]]>", "</", "</x>"),
    *("<meta>", "<link>", "<bgsound>", "<p>", "</p>", "</br>", "<svg>", "</svg>", "<mi>", "<math>", "<frameset>"),
    *("<table>", "<td>", "</table>", "<select>", "</select>"),
)


def test_the_cores_agree():
    draw = random.Random(1)
    # html5lib and libxml2 are older than templates; what they make of a select is another matter too
    pieces = [piece for piece in PIECES if not any(name in piece for name in ("template", "select", "\0", "<![", "</"))]
    for _ in range(300):
        html = "".join(draw.choices(pieces, k=draw.randint(1, 8)))
        expected = lint(html, parser="html5lib")
        assert lint(html, parser="source") == expected, html


# ------------------------------------------------------------------------------------------------- growth


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("html", "number"),
    [
        ("<base href=x>" * 5_000, 5_000),
        ("<p>" + "<base href=x>" * 5_000, 5_000),
        ("<base target=x>" * 5_000 + "<base href=y>", 1),
        ("<base target=x><base href=y>" * 2_500, 2_500),
        ("<a href=x></a>" * 5_000 + "<base href=y>" * 5_000, 5_000),
        ("<meta><!-- -->" * 5_000 + "<base href=y>", 1),
        ("<noscript>" * 5_000 + "<base href=y>", 1),
        ("<template>" * 2_500 + "</template>" * 2_500 + "<base href=y>", 1),
        ("<base href=x " * 5_000, 0),
    ],
    ids=lambda value: str(value)[:20],
)
def test_hostile_bases_are_done(html, number):
    assert len(found(html)) == number


def test_a_base_with_an_unknown_entity_is_no_candidate() -> None:
    page = b'<html xmlns="http://www.w3.org/1999/xhtml"><base href="&e;"/><p xml:base="" l="" l=""/></html>'
    found = rehref.links(page, url="http://h/a", media_type="application/xhtml+xml")
    assert [(link.base.uri, link.problems) for link in found] == [(None, ())]

"""The laws of rewriting for XML, over the fixtures and generated documents: identity, locality, agreement, idempotence.

And that both cores give the same links; that nothing aborts, whatever the input; that entities neither unfold nor reach
out; and that time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import examples
from growth import assert_proportional
from laws import between
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.built_in_rules import Absolute
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.link_properties import difference

URL = "https://www.example.org/fixtures/doc.xml"
NAMES = ("*.xml", "*.svg", "*.atom", "*.rss", "*.xhtml", "*.opf", "*.ncx")
FIXTURES = sorted(path for name in NAMES for path in (Path(__file__).resolve().parents[2] / "fixtures").glob(name))
PROFILES = ("rfc3986", "rfc3986-compat", "rfc2396", "whatwg")


def document(data: bytes | str, profile="rfc3986", **options) -> Document:
    encoding = options.pop("encoding", None)
    return read_document(data, "text/xml", encoding, Layers(retrieval=URL), ReadOptions(profile=profile, **options))


def spelt(links: list[Link]) -> list[str | None]:
    """Targets as they can be written: a base with spaces in it gives targets with some, which lists cannot hold."""
    return [None if link.target is None else link.target.rstrip(" ").replace(" ", "%20") for link in links]


def comparable(stretch: bytes | str) -> str:
    """A stretch without what may come to be there.

    An unquoted value is given quotes, in HTML in XML as a reference. Comments and the ends of CDATA sections inside a
    text may come to stand before or behind what is written there.
    """
    text = stretch.decode("latin-1") if isinstance(stretch, bytes) else stretch
    text = re.sub(r"<!-- c -->|<!\[CDATA\[|\]\]>", "", text.replace("\0", ""))
    return re.sub(r"\A(?:&quot;|[\"'=])+|(?:&quot;|[\"'=])+\Z", "", text)


def check_laws(data: bytes | str, *, local: bool = True, **options) -> None:
    read = document(data, **options)
    assert rewrite_document(read, lambda link: None).data == data  # identity
    links = list(read.links())
    assert [reference.text for reference in read.references()] == [link.reference for link in links]
    once = rewrite_document(read, Absolute()).data
    again = list(document(once, **options).links())
    assert spelt(again) == spelt(links)  # agreement
    if not any(link.kind == "base" and difference(link.problems) for link in links):
        # below a base that browsers read otherwise, a reference stays until the base nearest to it is absolute
        assert rewrite_document(document(once, **options), Absolute()).data == once  # idempotence
    if local:
        before, after = between(data, links), between(once, again)
        assert list(map(comparable, before)) == list(map(comparable, after))  # locality


# ------------------------------------------------------------------------------------------------------- the fixtures


def test_there_are_fixtures_and_the_readme_lists_each(fixtures: Path) -> None:
    section = (fixtures / "README.md").read_text(encoding="utf-8").partition("\n## XML\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^- `([^`]+)`: [^\n]+\.$", section, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in FIXTURES)
    assert len(listed) > 15


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
@pytest.mark.parametrize("profile", PROFILES)
def test_the_laws_hold_on_every_fixture(path: Path, profile) -> None:
    data = path.read_bytes()
    check_laws(data, profile=profile)
    check_laws(data.decode(), profile=profile)
    check_laws(data.replace(b"\n", b"\r\n"), profile=profile)
    check_laws(data, profile=profile, ignore_embedded_base=True)
    assert document(data).parsed.diagnostics == []
    if b"encoding=" not in data:
        check_laws("\ufeff".encode("utf-16-le") + data.decode().encode("utf-16-le"), profile=profile)


def test_every_fixture_has_links() -> None:
    counts = {path.name: len(list(document(path.read_bytes()).links())) for path in FIXTURES}
    assert min(counts.values()) >= 2
    assert sum(counts.values()) > 180


@pytest.mark.parametrize("name", ["entity-bomb.xml", "external-entity.xml"])
def test_entities_neither_unfold_nor_reach_out(fixtures: Path, name: str) -> None:
    data = (fixtures / name).read_bytes()
    read = document(data)
    assert sum(len(place[3]) for place in read.parsed.places) < 1000
    links = list(read.links())
    assert [link.reference for link in links if link.reference in ("before", "after")] == ["before", "after"]
    written = rewrite_document(read, Absolute()).data
    assert isinstance(written, bytes)
    assert written.count(b"&") == data.count(b"&")


# -------------------------------------------------------------------------------- both ways to read XML


def row(link: Link) -> tuple[object, ...]:
    return (
        *(link.element, link.attribute, link.reference, link.target, link.kind),
        *(link.base.uri, link.base.origin, link.same_document, *(problem.code for problem in link.problems)),
    )


def rows(data: bytes, parser: str) -> list[tuple[object, ...]]:
    return [row(link) for link in document(data, parser=parser).links()]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_both_cores_give_the_same_links(path: Path) -> None:
    data = path.read_bytes()
    assert rows(data, "lxml") == rows(data, "source")


def test_every_feed_of_the_suite(suites: Path) -> None:
    paths = sorted((suites / "xmlbase").glob("*.xml"))
    assert len(paths) > 95
    for path in paths:
        data = path.read_bytes()
        assert rows(data, "lxml") == rows(data, "source"), path.name


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_identity_and_agreement_in_lxml(path: Path) -> None:
    data = path.read_bytes()
    read = document(data, parser="lxml")
    assert rewrite_document(read, lambda link: None).data == data
    links = [link.target for link in read.links()]
    once = rewrite_document(read, Absolute()).data
    assert [link.target for link in document(once, parser="lxml").links()] == links


# ------------------------------------------------------------------------------------------------ generated documents

references = st.one_of(
    st.sampled_from(
        ["x", "../x", "/x", "#x", "", "?q&a;b", "//o/p", "http://o/p?q#f", "mailto:a@b", "http:g", "data:,"]
    ),
    st.text(alphabet="ab/.?#:;&= \\éソ\t\n%@[]|<>'\"", max_size=12),
)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("'", "&#39;")


in_attribute = references.map(escaped)
in_text = st.one_of(
    in_attribute,
    references.map(lambda text: f"<![CDATA[{text.replace(']]>', '')}]]>"),
    st.tuples(in_attribute, in_attribute).map(lambda pair: f"{pair[0]}<!-- c --><![CDATA[x]]>{pair[1]}"),
)
in_html = st.one_of(
    references.map(lambda text: escaped(f'<a href="{escaped(text)}">é</a>')),
    references.map(lambda text: f"<![CDATA[<p style=\"a:url('{escaped(text)}')\"><img srcset='b 1x, c'>]]>"),
    references.map(lambda text: f"<![CDATA[<a hr]]>ef={escaped(escaped(text))}&gt;&lt;base href=/y>"),
)
bases = st.one_of(st.just(""), in_attribute.map(lambda value: f' xml:base="{value}"'))
leaves = st.one_of(
    st.builds(lambda base, value: f"<link{base} href='{value}' rel='enclosure'/>", bases, in_attribute),
    st.builds(lambda base, value: f"<id{base}>{value}</id><icon> {value}\n</icon>", bases, in_text),
    st.builds(lambda base, value: f'<title{base} type="html">{value}</title>', bases, in_html),
    st.builds(
        lambda base, value: f"<r:link>{value}</r:link><r:guid{base} isPermaLink='true'>x</r:guid>", bases, in_text
    ),
    st.builds(lambda base, value: f"<r:description{base}>{value}</r:description>", bases, in_html),
    st.builds(lambda base, value: f'<z{base} x:href="{value}" x:role="r" xml:lang="en"/>', bases, in_attribute),
    st.builds(lambda base, value: f'<h:a{base} href="{value}" style="a:url({value})"/>', bases, in_attribute),
    st.builds(lambda base, value: f'<h:base{base} href="{value}"/><h:form action=""/>', bases, in_attribute),
    st.builds(
        lambda base, value: f'<h:iframe{base} srcdoc="&lt;a href=x>"/><s:use x:href="{value}"/>', bases, in_attribute
    ),
    st.builds(
        lambda value: f"<?xml-stylesheet href='{value}'?>", in_attribute.filter(lambda value: "?&gt;" not in value)
    ),
    st.sampled_from(["text é", "<!-- <link href='no'/> -->", "&unknown;", "<h:style>a { b: url(c) }</h:style>"]),
)
elements = st.recursive(
    st.lists(leaves, max_size=3).map("".join),
    lambda inner: st.builds(
        lambda name, base, content: f"<{name}{base}>{content}</{name}>",
        st.sampled_from(["entry", "r:item", "h:div", "s:g", "z"]),
        bases,
        st.lists(inner, max_size=3).map("".join),
    ),
    max_leaves=6,
)
PREFIXES = (
    'xmlns:x="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml" '
    'xmlns:s="http://www.w3.org/2000/svg" xmlns:r="http://purl.org/rss/1.0/" xmlns="http://www.w3.org/2005/Atom"'
)
documents = st.builds(
    lambda name, base, content: f"<{name} {PREFIXES}{base}>{content}</{name}>",
    st.sampled_from(["feed", "h:html", "s:svg"]),
    bases,
    elements,
)
whole = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@whole
@given(documents, st.sampled_from(PROFILES))
def test_the_laws_hold_on_text(text, profile):
    check_laws(text, profile=profile)


def test_a_base_may_end_with_a_space_before_its_fragment() -> None:
    title = '<title xml:base="?q" type="html">&lt;a href=&quot;&quot;>é&lt;/a></title>'
    check_laws(f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base=": #">{title}</feed>')


@whole
@given(documents, st.sampled_from(["utf-8", "utf-16", "iso-8859-1", "shift_jis"]))
def test_the_laws_hold_on_bytes(text, encoding):
    declaration = "" if encoding == "utf-16" else f'<?xml version="1.0" encoding="{encoding}"?>'
    check_laws((declaration + text).encode(encoding, "replace"))


@whole
@given(documents, st.integers(0, 400), st.sampled_from(["<", ">", "&", '"', "]]>", "<![CDATA[", "</", "<!--", "é"]))
def test_the_laws_hold_on_what_is_not_well_formed(text, place, noise):
    check_laws(text[:place] + noise + text[place:], local=False)


@whole
@given(st.binary(max_size=120))
def test_nothing_aborts_whatever_the_bytes(data):
    check_laws(data, local=False)


# --------------------------------------------------------------------------------------------------------------- time


@pytest.mark.parametrize(
    "repeated",
    [
        '<entry xml:base="a/"><link href="b"/></entry>',
        '<title type="html">&lt;a href="b"></title>',
        '<link href="&amp;b;&amp;c;"/>',
        '<h:a xmlns:h="http://www.w3.org/1999/xhtml" href="x"/>',
    ],
    ids=["scopes", "inner", "entities", "plain"],
)
def test_time_grows_with_the_document(repeated: str) -> None:
    def reading(count: int) -> Callable[[], None]:
        text = f'<feed xmlns="http://www.w3.org/2005/Atom">{repeated * count}</feed>'

        def run() -> None:
            read = document(text)
            rewrite_document(read, Absolute())
            assert len(list(read.links())) >= count

        return run

    assert_proportional(reading, 50)

"""Texts without markup whose references Python finds, and the compiled twin writes: plain text, manifests."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rehref
from growth import assert_proportional
from rehref._native import TWIN
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup import twin

pytestmark = pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")

URL = "http://h.example/a/b/c"
TEXT, MANIFEST = "text/plain", "application/manifest+json"
RULES = (
    rehref.Absolute("keep", metadata=True, same_document=True),
    rehref.Relative(metadata=True),
    rehref.Mapping({"http://old.example/": "https://new.example/n/", "http://h.example/": "x/"}),
    lambda link: "q(r).",
    lambda link: f"http://n.example/{link.reference[3:]}",
    lambda link: f"<\u00e9>{link.reference}",
)

words = st.sampled_from(
    [
        *(
            "http://h.example/p",
            "http://old.example/q(",
            "http://",
            "ftp://h",
            "mailto:x@y",
            "urn:x",
            "foo:",
            "URL:",
            ":",
        ),
        *(
            "<http://h/x>",
            '"http://h/y"',
            "<http://h/\n x>",
            "http://h/-",
            "://",
            "//",
            "a",
            "/",
            "?q",
            "#f",
            "é",
            "\u3000",
        ),
        *(
            " ",
            "\n",
            "\t",
            "<",
            ">",
            '"',
            ".",
            ",",
            "!",
            "(",
            ")",
            "[",
            "]",
            "'",
            "-",
            "+",
            "0",
            "{",
            "\\",
            "\x7f",
            "\x85",
        ),
    ]
)
names = st.sampled_from(
    [
        "start_url",
        "scope",
        "icons",
        "src",
        "shortcuts",
        "url",
        "id",
        "share_target",
        "action",
        "x",
        "icons/src",
        "\\u0062",
    ]
)
strings = st.sampled_from(
    [
        "i.png",
        "/x/i.png",
        "a b",
        "http://old.example/z",
        "é.png",
        "x\\/y",
        "",
        "<b",
        "../../..",
        "?q",
        "//h/x",
        "mailto:x",
    ]
)
values = st.recursive(
    st.builds('"{}"'.format, strings) | st.sampled_from(["1", "-0.5e3", "true", "null", "01", ""]),
    lambda inner: (
        st.builds(lambda items: f"[{','.join(items)}]", st.lists(inner, max_size=3))
        | st.builds(
            lambda items: "{ " + ",".join(f'"{name}": {value}' for name, value in items) + "}",
            st.lists(st.tuples(names, inner), max_size=3),
        )
    ),
    max_leaves=8,
)
documents = st.tuples(st.lists(words, max_size=12).map("".join), st.just(TEXT)) | st.tuples(values, st.just(MANIFEST))


def document(data: bytes, media_type: str) -> Document:
    return read_document(data, media_type, None, Layers(retrieval=URL), ReadOptions())


def made(data: Any, media_type: str) -> list[object]:
    options: Any = {"url": URL, "media_type": media_type}
    rewritten = [rehref.rewrite(data, rule, **options) for rule in RULES]
    return [rehref.links(data, **options), *rewritten]


@given(documents, st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "utf-16", None]))
@example(("see http://h.example/p.", TEXT), "utf-8")
@example(("é http://old.example/é!\n(http://old.example/(x)) <http://old.example/y>", TEXT), "utf-8")
@example(('{"id":"x","start_url":"?y"}', MANIFEST), "utf-8")
@example(('{"start_url":"x","start_url":"y"}', MANIFEST), "utf-8")
def test_it_is_the_same_as_without_the_twin(found: tuple[str, str], encoding: str | None) -> None:
    text, media_type = found
    data = text if encoding is None else text.encode(encoding, "replace")
    with_twin = made(data, media_type)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert with_twin == made(data, media_type)


@pytest.mark.parametrize(
    ("text", "media_type", "kinds"),
    [
        ("see http://h/a, é <http://h/b> and (mailto:x@y).", TEXT, ["text"] * 3),
        ("a http://h/b-\nc", TEXT, None),  # a doubt about its end
        ("<http://h/\n b>", TEXT, None),
        (
            '{"icons":[{"src":"é.png","x":["a\\u0062"]}],"scope":"","start_url":"/"}',
            MANIFEST,
            ["resource", "hyperlink"],
        ),
        ('{"icons":[[{"src":"a"}]],"icons/src":"b","share_target":{"action":"c"}}', MANIFEST, ["form"]),
        ('[{"scope":"a"}]', MANIFEST, []),
        ('{"id":"a"}', MANIFEST, None),
        ('{"scope":"a\\/b"}', MANIFEST, None),
        ('{"x":{"a":"b","a":"c"}}', MANIFEST, None),
        ('{"scope":"a",}', MANIFEST, None),
    ],
)
def test_the_twin_takes_what_is_found(text: str, media_type: str, kinds: list[str] | None) -> None:
    table = document(text.encode(), media_type).table()
    if table._twin is None or table._twin.odd:
        assert kinds is None
    else:
        assert [row.kind for row in table.rows() for _ in range(row.uses if row else 0) if row] == kinds


@pytest.mark.parametrize(
    "wrong", [(b"\0" * 13, b"\5"), (b"\1\0\0\0\0\0\0\0\0\0\0\0", b"\x59"), (b"\0\0\0\0\1\0\0\1" + bytes(4), b"\x1d")]
)
def test_what_is_given_is_checked(wrong: tuple[bytes, bytes]) -> None:
    found = document(b"http://h/x", TEXT)
    places: Any = found.parsed.places
    carriers: Any = found.format.carriers
    parts = found.resolvers.for_parts(None)
    how = places.how(*found.resolver.for_twin(), carriers, int, lambda *of: wrong, base_is_own=True, parts=parts)
    if len(wrong[0]) == 13:
        assert len(places.scan.table(how, True)) == 0  # no whole triple but an empty one
    else:
        with pytest.raises(ValueError, match="references must be in order"):
            places.scan.table(how, True)
    how = how._replace(find=lambda *of: (b"", 0))
    with pytest.raises(TypeError):
        places.scan.table(how, True)


@pytest.mark.parametrize(
    ("unit", "ends", "media_type"),
    [
        ('{"src":"i%d"},', ('{"icons":[', '{"src":"x"}]}'), MANIFEST),
        ('"k%d":"v",', ("{", '"k":"v"}'), MANIFEST),
        ('{"a":', ("", ""), MANIFEST),
        ("http://a%d/b:c.(", ("", ""), TEXT),
        ("a%d://-", ("", ""), TEXT),
        (".a{background:url(x%d)}", ("", ""), "text/css"),  # with nothing that ends the name of a tag
    ],
)
def test_it_takes_linear_time(unit: str, ends: tuple[str, str], media_type: str) -> None:
    def prepare(size: int) -> Any:
        units = "".join(unit.replace("%d", str(number)) for number in range(size))
        data = f"{ends[0]}{units}{ends[1]}".encode()
        return lambda: rehref.links(data, url=URL, media_type=media_type)

    assert_proportional(prepare, 500)

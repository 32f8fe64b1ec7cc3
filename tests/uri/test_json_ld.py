"""JSON-LD: the rules one by one, and the law of every micro-syntax."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri._syntaxes.json_ld import SCHEMA_URLS, find_json_ld, write_json_ld
from rehref.uri.syntaxes import Occurrence


def texts(value: str, kind: str = "metadata") -> list[str]:
    return [found.text for found in find_json_ld(value) if found.kind == kind]


def bases(value: str) -> dict[str, tuple[str, ...]]:
    return {found.text: found.bases for found in find_json_ld(value)}


def replaced(value: str, found: Occurrence, text: str) -> str:
    return value[: found.start] + write_json_ld(text, found.form) + value[found.end :]


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        '"/a"',
        "null",
        "1",
        '{"@id":"a"},',
        '<!--{"@id":"a"}-->',
        '{"@id":"a\n"}',
        '{"@id":"a",}',
        '//\n{"@id":"a"}',
    ],
)
def test_what_is_not_json_has_no_references(value: str) -> None:
    assert find_json_ld(value) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('{"@id":"a","\\u0040id":"b"}', ["b"]),
        ('{"x":{"@id":"a"},"x":{"@id":"b"}}', ["b"]),
        ('{"@id":"a","@context":{"@base":"b/"},"@context":{}}', ["a"]),
        ('{"@id":"#a"}', ["#a"]),
        ('[{"@id":"a"},[{"@id":""}],{"x":{"y":[{"@id":"b c"}]}}]', ["a", "", "b c"]),
        ('{"@graph":[{"@id":"a"}],"@included":[{"@id":"b"}],"@reverse":{"x":{"@id":"c"}}}', ["a", "b", "c"]),
        ('{"@id":1,"x":{"@id":null},"id":"a","@ID":"b"}', []),
        ('[{"@id":"_:a"},{"@id":"@type"},{"@id":"@unknown"},{"@id":"@a-b"},{"@id":"_"}]', ["@a-b", "_"]),
        ('{"@id":"p:a","x":{"@id":"q:a"},"@context":{"p":"https://e.org/"}}', ["q:a"]),
        ('{"@id":"p://a","x":{"@id":"q:a"},"@context":{"p":"x","q":{"@id":"y"}}}', ["p://a"]),
        ('{"@context":{"p":"x"},"y":{"@context":{"p":null},"@id":"p:a"},"z":{"@context":{},"@id":"p:b"}}', ["p:a"]),
        ('{"@context":{"p":{"@id":null}},"@id":"p:a"}', ["p:a"]),
        ('{"@context":{"p":"x"},"y":{"@context":null,"@id":"p:a"},"@id":"p:b"}', ["p:a"]),
        ('{"@context":[{"p":"x","q":"y"},{"p":null}],"y":[{"@id":"p:a"},{"@id":"q:a"}]}', ["p:a"]),
        ('{"@context":{"":"x"},"@id":"x:a","y":{"@id":"x"}}', ["x:a", "x"]),
        ('{"@context":{"id":"@id","i":{"@id":"@id"}},"id":"a","x":{"i":"b"}}', ["a", "b"]),
        ('{"@context":{"x":{"@id":"y","@type":"@id"}},"x":["a b",{"@list":["c"]},{"@set":"d"}]}', ["a b", "c", "d"]),
        ('{"@context":{"x":{"@type":"@vocab"},"y":{"@type":"xsd:string"},"z":"@type"},"x":"a","y":"b","z":"c"}', []),
        ('{"@context":{"x":{"@type":"@id"}},"x":{"@value":"a"}}', []),
        ('{"url":"a","image":["/b","c:c",["d"]],"logo":{"url":"e"},"sameAs":"f"}', ["a", "/b", "c:c", "d", "e", "f"]),
        ('{"url":"","image":"a b","logo":" ","sameAs":["a\\u00a0b","c\\td"," e "]}', [" e "]),
        ('{"url":{"@value":"a"},"image":{"@list":["b",{"@value":"c"}]},"logo":{"@set":["d"]}}', ["a", "b", "c", "d"]),
        ('{"url":{"name":"a"},"image":{"caption":"b"},"name":"c","URL":"d"}', []),
        ('{"url":1,"image":null,"logo":[true]}', []),
        ('{"schema:url":"a","https://schema.org/logo":"b","http://schema.org/logo":"c"}', ["a", "b", "c"]),
        ('{"x:url":"d","xschema:url":"e"}', []),
        ('{"url":"_:a","sameAs":"@someone","image":"p:a","logo":"q:a","@context":{"p":"x"}}', ["q:a"]),
        ('{"potentialAction":{"target":{"urlTemplate":"/?q={q}"}},"target":"/?q={q}"}', []),
        ('{"@context":{"url":"https://e.org/url"},"url":"a"}', ["a"]),
        ('{"@type":"a","x":{"@type":["b"]},"@language":"c","@index":"d","e":"f","https://e.org/":"g"}', []),
        ('{"x":{"@type":"@json","@value":{"@id":"a","url":"b"}},"url":{"@value":{"@id":"a"}}}', []),
        ('{"x":{"@value":[{"@id":"a"}]},"url":{"@value":["a"]}}', []),
        ('{"@context":{"x":{"@type":"@json"}},"x":{"@id":"a","y":[{"url":"b"}]},"@id":"c"}', ["c"]),
        ('{"@context":{"@vocab":"a","x":{"@id":"b","@context":{"@base":"c","url":"d"}},"url":"e","@id":"f"}}', []),
        ('{"@context":{"@base":"a/"},"@id":"b"}', ["a/", "b"]),
        ('{"@context":[{"@base":"a/"},[{"@base":"b/"}],{"@base":1},2]}', ["a/"]),
        ('{"@context":{"@base":"a/","@base":"b/"}}', ["b/"]),
    ],
)  # fmt: skip
def test_references(value: str, expected: list[str]) -> None:
    assert texts(value) == expected


def test_the_properties_are_names_of_schema_org() -> None:
    assert {"url", "image", "logo", "sameAs", "contentUrl", "embedUrl", "thumbnailUrl", "item", "photo"} <= SCHEMA_URLS
    assert not {"target", "urlTemplate", "additionalType", "name", "identifier", "applicationCategory"} & SCHEMA_URLS
    for name in SCHEMA_URLS:
        assert texts(json.dumps({name: "/a"})) == ["/a"]


def test_contexts_are_names() -> None:
    value = """{"@context": ["https://schema.org", {"@import": "a", "x": "b", "@version": 1.1}, "c"],
                "@graph": [{"@id": "e", "@context": "d"}]}"""
    assert texts(value, "namespace") == ["https://schema.org", "a", "c", "d"]
    assert texts(value) == ["e"]
    assert bases('{"@context":[{"@base":"a/","@import":"b"},"c"],"x":{"@context":"d"}}') == {
        "a/": (),
        "b": (),
        "c": (),
        "d": (),
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('{"@id":"a","@context":{"@base":"b/"}}', {"a": ("b/",), "b/": ()}),
        ('{"x":{"@id":"a","url":"c"},"@context":{"@base":"b/"}}', {"a": ("b/",), "c": ("b/",), "b/": ()}),
        (
            '{"@context":{"@base":"a/"},"x":[{"@context":{"@base":"b/"},"@id":"c"},{"@id":"d"}]}',
            {"a/": (), "b/": ("a/",), "c": ("b/", "a/"), "d": ("a/",)},
        ),
        (
            '{"@context":{"@base":"a/"},"x":{"@context":{"@base":"https://e.org/"},"@id":"c"}}',
            {"a/": (), "https://e.org/": ("a/",), "c": ("https://e.org/",)},
        ),
        ('{"@context":[{"@base":"a/"},{"@base":"b/"}],"@id":"c"}', {"a/": (), "b/": ("a/",), "c": ("b/", "a/")}),
        ('{"@context":{"@base":"a/"},"x":{"@context":{"y":"z"},"@id":"c"}}', {"a/": (), "c": ("a/",)}),
        ('{"@context":{"@base":"a/"},"x":{"@context":null,"@id":"c"}}', {"a/": (), "c": ()}),
        ('{"@context":[{"@base":"a/"},null,{"@base":"b/"}],"@id":"c"}', {"a/": (), "b/": (), "c": ("b/",)}),
        ('{"@context":{"@base":"\\/a\\u002f"},"@id":"c"}', {"/a/": (), "c": ("/a/",)}),
        ('{"@context":{"@base":""},"@id":"c"}', {"": (), "c": ("",)}),
        # null
        ('{"@context":{"@base":null},"@id":"a","url":"#b","sameAs":"x:y","x":{"@id":"d"}}', {"x:y": ()}),
        ('{"@context":[{"@base":null},{"@base":"a/"}],"@id":"b"}', {}),
        ('{"@context":[{"@base":null},{"@base":"x:/a/"}],"@id":"b"}', {"x:/a/": (), "b": ("x:/a/",)}),
        ('{"@context":{"@base":null},"x":{"@context":null,"@id":"b"}}', {"b": ()}),
        ('{"x":{"@context":{"@base":null},"@id":"a"},"y":{"@id":"b"}}', {"b": ()}),
    ],
)  # fmt: skip
def test_bases(value: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert bases(value) == expected


@pytest.mark.parametrize("context", ['{"@base":"a/"}', '{"p":"x"}'])
def test_what_nests_too_deep_is_not_followed(context: str) -> None:
    def nested(depth: int) -> str:
        return f'{{"@context":{context},"x":' * depth + '{"@id":"b"}' + "}" * depth

    assert texts(nested(32))[-1:] == ["b"]
    assert "b" not in texts(nested(33))
    value = f'[{nested(33)},{{"@id":"c"}}]'
    assert texts(value)[-1:] == ["c"]
    assert texts(nested(40).replace(context, '"https://schema.org"')) == ["b"]


@pytest.mark.parametrize(
    ("raw", "text", "written"),
    [
        ("a", '</script>"\\\n', '\\u003c/script>\\"\\\\\\n'),
        ("\\/a", "/b", "\\/b"),
        ("\\u00e9", "/\ud800é", "/\\ud800\\u00e9"),
    ],
)
def test_write(raw: str, text: str, written: str) -> None:
    (found,) = find_json_ld(f'{{"@id":"{raw}"}}')
    assert write_json_ld(text, found.form) == written
    assert texts(f'{{"@id":"{written}"}}') == [text]


# --- the law ----------------------------------------------------------------------------------------------------

STRINGS = st.sampled_from(
    ["", "a", "/b", "#c", "d e", "_:f", "p:g", "@type", "https://e.org/h", "@base", "@id", "é/\U0001f600", '"\\</']
)
CONTEXT_OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "@base": STRINGS | st.none(),
        "@import": STRINGS,
        "p": STRINGS | st.none(),
        "x": st.sampled_from(["@id", "y", {"@type": "@id"}, {"@type": "@json"}, {"@context": {"@base": "z"}}]),
    },
)
CONTEXTS = STRINGS | st.none() | CONTEXT_OBJECTS | st.lists(STRINGS | st.none() | CONTEXT_OBJECTS, max_size=3)
NAMES = st.sampled_from(["@id", "@value", "@list", "@graph", "@type", "url", "image", "x", "y"])


def with_context(node: dict[str, object], context: object, before: bool) -> dict[str, object]:
    return {"@context": context} | node if before else node | {"@context": context}


DATA = st.recursive(
    STRINGS | st.none() | st.integers(),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(NAMES, inside, max_size=4)
        | st.builds(with_context, st.dictionaries(NAMES, inside, max_size=3), CONTEXTS, st.booleans())
    ),
    max_leaves=12,
)
VALUES = st.builds(
    lambda data, ascii_, indent: json.dumps(data, ensure_ascii=ascii_, indent=indent),
    DATA,
    st.booleans(),
    st.sampled_from([None, 1]),
)
WORDS = st.sampled_from(["a", "/b?c#d", "https://e.org/x/", "é", "urn:x:y", "</script>", '"\\']) | st.text(
    min_size=1, max_size=6
)


@given(VALUES)
@example('{"url":"a","@context":"b"}')
def test_references_are_in_order_and_spans_hold_their_text(value: str) -> None:
    position = 0
    for found in find_json_ld(value):
        assert position < found.start <= found.end < len(value)
        assert json.loads(f'"{value[found.start : found.end]}"') == found.text
        position = found.end


@given(VALUES)
def test_writing_what_was_read_changes_nothing(value: str) -> None:
    def told(value: str) -> list[tuple[str, object, object]]:
        # a space is written as %20
        return [
            (found.text.replace(" ", "%20"), found.kind, tuple(base.replace(" ", "%20") for base in found.bases))
            for found in find_json_ld(value)
        ]

    for found in find_json_ld(value):
        assert told(replaced(value, found, found.text)) == told(value)


@given(VALUES, WORDS, st.booleans())
def test_writing_another_text_changes_that_one_alone(value: str, text: str, absolute: bool) -> None:
    assume(text.split() == [text] and not text.startswith(("@", "p:", "x:", "_:")))
    if absolute:  # it is one below `@base: null` too
        text = f"urn:{text}"
    before = find_json_ld(value)
    if not absolute:
        assume(not any(":" in found.text for found in before))
    for index, found in enumerate(before):
        after = [reference.text for reference in find_json_ld(replaced(value, found, text))]
        assert after.pop(index) == text
        assert after == [reference.text for i, reference in enumerate(before) if i != index]


@pytest.mark.parametrize(
    "value",
    [
        lambda n: '{"@id":' * n,
        lambda n: '{"@id":' * n + '"a"' + "}" * n,
        lambda n: '{"url":' + "[" * n + '"a"' + "]" * n + "}",
        lambda n: '{"@context":{"@base":"a/"},"x":' * n + "1" + "}" * n,
        lambda n: '{"@context":{"a":"b"},"x":' * n + "1" + "}" * n,
        lambda n: '{"@context":[' + '{"@base":"a/"},' * n + "null]}",
        lambda n: '{"@context":[' + '{"a":"b"},' * n + '"c"],"@id":"a:b"}',
        lambda n: '{"@context":{' + ",".join(f'"t{i}":"x"' for i in range(n)) + "},"
        + '"x":{"@context":{"y":"z"},"@id":"t1:a",' * n + '"@id":"b"' + "}" * n,
        lambda n: '{"@context":' + "[" * n + "]" * n + "}",
        lambda n: '{"image":[' + '"a.png",' * n + '"b c"]}',
        lambda n: '{"url":"' + "a " * n + '"}',
        lambda n: '{"@id":"' + ":" * n + '"}',
        lambda n: '{"@id":"@' + "a" * n + '"}',
    ],
)  # fmt: skip
def test_hostile_text_takes_linear_time(value: Callable[[int], str]) -> None:
    assert_proportional(lambda n: partial(find_json_ld, value(n)), 500)

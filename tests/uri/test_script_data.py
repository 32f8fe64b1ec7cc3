"""Import maps and speculation rules: the rules one by one, and the law of every micro-syntax."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.text import json_text
from rehref.uri._syntaxes import script_data
from rehref.uri._syntaxes.script_data import find_import_map, find_speculation_rules, write_import_map
from rehref.uri.syntaxes import Occurrence

Find = Callable[[str], list[Occurrence]]
Write = Callable[[str, str], str]


def texts(found: list[Occurrence]) -> list[str]:
    return [reference.text for reference in found]


def replaced(value: str, found: Occurrence, text: str, write: Write) -> str:
    return value[: found.start] + write(text, found.form) + value[found.end :]


@pytest.mark.parametrize("find", [find_import_map, find_speculation_rules])
@pytest.mark.parametrize(
    "value",
    [
        *["", " ", "[]", "null", '"/a.js"', '[{"imports":{"/a":"/b"}}]', '[{"urls":["/a"]}]'],
        '{"imports":{"/a":"/b"},"prefetch":[{"urls":["/a"]}],}',
        '<!--{"imports":{"/a":"/b"},"prefetch":[{"urls":["/a"]}]}-->',
        '{"imports":{"/a":"/b"},"prefetch":[{"urls":["/a"]}]} // a',
        '{"imports":{"/a":"/b"},"prefetch":[{"urls":["/a"]}]} {}',
    ],
)
def test_in_what_a_browser_rejects_nothing_is_found(find: Find, value: str) -> None:
    assert find(value) == []


@pytest.mark.parametrize(
    "part",
    [
        '"imports":[]',
        '"imports":null',
        '"scopes":"/a"',
        '"scopes":{"/a":"/b"}',
        '"scopes":{"/b/":{},"/a":[]}',
        '"integrity":1',
        '"imports":{}, "imports":null',
    ],
)
def test_an_import_map_of_other_parts_than_objects_is_rejected(part: str) -> None:
    other = "integrity" if "imports" in part else "imports"
    assert find_import_map(f'{{"{other}":{{"/c":"/d"}},{part}}}') == []
    assert find_import_map(f'{{"{other}":{{"/c":"/d"}}}}') != []


def test_all_are_resources() -> None:
    found = find_import_map('{"imports":{"/a":"/b"},"scopes":{"c":{}},"integrity":{"/d":""}}')
    found += find_speculation_rules('{"prefetch":[{"urls":["e"]}]}')
    assert texts(found) == ["/a", "/b", "c", "/d", "e"]
    assert {reference.kind for reference in found} == {"resource"}
    assert {reference.bases for reference in found} == {()}


@pytest.mark.parametrize(
    ("specifier", "is_url_like"),
    [
        *[("/", True), ("./", True), ("../", True), ("/a", True), ("./a", True), ("../a", True), ("//e.org/", True)],
        *[("https://e.org/a.js", True), ("data:text/javascript,1", True), ("blob:x", True), ("node:fs", True)],
        *[(" https://e.org/", True), ("\\u0000ht\\ntps:\\t//e.org/", True), ("a+b-c.d1:e", True)],
        *[("", False), (".", False), ("..", False), ("a", False), ("a/b.js", False), ("@a/b", False), ("#a", False)],
        *[
            ("?a", False),
            (" /a", False),
            (".a/", False),
            ("..a/", False),
            ("1:a", False),
            (":a", False),
            ("é:a", False),
        ],
        *[("\\\\a", False), ("a/b:c", False), ("a b:c", False)],
    ],
)
def test_what_is_url_like(specifier: str, is_url_like: bool) -> None:
    meaning = json.loads(f'"{specifier}"')
    expected = [meaning] * is_url_like
    assert texts(find_import_map(f'{{"imports":{{"a":"{specifier}"}}}}')) == expected
    assert texts(find_import_map(f'{{"imports":{{"{specifier}":null}}}}')) == expected
    assert texts(find_import_map(f'{{"integrity":{{"{specifier}":""}}}}')) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            '{"imports":{"a":"/a.js","./b":"./b.js","c/":"https://e.org/c/"}}',
            ["/a.js", "./b", "./b.js", "https://e.org/c/"],
        ),
        ('{"imports":{"/a":null,"/b":1,"/c":["/x"],"/d":{"/y":"/z"},"/e":"f"}}', ["/a", "/b", "/c", "/d", "/e"]),
        ('{"imports":{"":"/a"}}', []),
        ('{"scopes":{"":{"a":"./b"},"c/":{"/d":"e"},"/f":{}}}', ["", "./b", "c/", "/d", "/f"]),
        ('{"integrity":{"/a":"sha384-x","b":"sha384-y","/c":1,"https://e.org/d":""}}', ["/a", "https://e.org/d"]),
        ('{"other":{"/a":"/b"},"Imports":{"/c":"/d"}}', []),
        ('{"scopes":{"/s":{"a":"/1"}},"integrity":{"/2":""},"imports":{"a":"/3"}}', ["/s", "/1", "/2", "/3"]),
        ('{"\\u0069mports":{"a":"\\/\\u0061"}}', ["/a"]),
    ],
)
def test_import_maps(value: str, expected: list[str]) -> None:
    assert texts(find_import_map(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('{"imports":{"a":"/1"},"imports":{"a":"/2"}}', ["/2"]),
        ('{"imports":null,"imports":{"a":"/2"}}', ["/2"]),
        ('{"imports":{"a":"/1","b":"/2","\\u0061":"/3"}}', ["/2", "/3"]),
        ('{"imports":{"a":"/1","a":null}}', []),
        ('{"imports":{"/a":"/1","/a":"/2"}}', ["/a", "/1", "/a", "/2"]),
        ('{"scopes":{"/s":{"a":"/1"},"/s":{"a":"/2"}}}', ["/s", "/1", "/s", "/2"]),
        ('{"scopes":{"/s":null,"/s":{"a":"/2"}}}', ["/s", "/s", "/2"]),
        ('{"integrity":{"/a":"1","/a":"2"}}', ["/a", "/a"]),
    ],
)
def test_members_of_the_same_name(value: str, expected: list[str]) -> None:
    assert texts(find_import_map(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            '{"prefetch":[{"urls":["a","/b","https://e.org/c"]}],"prerender":[{"urls":["d"]}]}',
            ["a", "/b", "https://e.org/c", "d"],
        ),
        ('{"prefetch_with_subresources":[{"source":"list","urls":["a",""," b "]}]}', ["a", "", " b "]),
        ('{"prerender":[{"where":{"and":[{"href_matches":"/a"},{"href_matches":["/b"]}]}}]}', []),
        ('{"prefetch":[{"urls":["a",1,null,["b"],{"urls":["c"]}]},"d",["e"],1]}', ["a"]),
        ('{"prefetch":{"urls":["a"]},"prerender":[{"urls":"b"}],"tag":"c","urls":["d"]}', []),
        ('{"prefetch":[{"urls":["a"],"urls":["b"]}],"prefetch":[{"urls":["c"],"urls":["d"]}]}', ["d"]),
        ('{"prefetch":[],"prerender":[{"urls":["b"]}],"prefetch":[{"urls":["c"]}]}', ["b", "c"]),
        ('{"prefetch":[{"urls":["a"],"unknown":1,"where":{}}]}', ["a"]),
    ],
)
def test_speculation_rules(value: str, expected: list[str]) -> None:
    assert texts(find_speculation_rules(value)) == expected


def test_entries_a_browser_passes_over_are_found() -> None:
    assert texts(find_import_map('{"imports":{"a/":"/b","c":"https://["}}')) == ["/b", "https://["]


@pytest.mark.parametrize(
    ("value", "fetched"),
    [
        ('{"imports":{"lib/":"./lib/","/app/":"./js/","./old.js":"./js/app.js"}}', ["./js/app.js"]),
        ('{"imports":{"a":"./lib/","b/":"./c.js"}}', ["./lib/"]),
        ('{"scopes":{"./virtual/":{"x":"./js/x.js","y/":"/y/"},"z":{}}}', ["./js/x.js"]),
        ('{"integrity":{"./a.js":"sha384-x"}}', []),
        ('{"imports":{"a\\/":"\\/b\\/"}}', []),
    ],
)
def test_keys_scopes_and_prefixes_are_not_fetched(value: str, fetched: list[str]) -> None:
    assert texts([found for found in find_import_map(value) if found.fetched]) == fetched


def test_what_speculation_rules_name_is_fetched() -> None:
    assert all(found.fetched for found in find_speculation_rules('{"prefetch":[{"urls":["a/","/b"]}]}'))


def test_spans() -> None:
    value = '{"imports" : { "\\/a" : "./\\u0062" }}'
    assert [value[found.start : found.end] for found in find_import_map(value)] == ["\\/a", "./\\u0062"]
    value = '{"prefetch" : [ {"urls" : [ "\\/a" , "" ] } ] }'
    assert [value[found.start : found.end] for found in find_speculation_rules(value)] == ["\\/a", ""]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *[("a.js", "./a.js"), ("a/b:c", "./a/b:c"), (".a", "./.a"), ("..", "./.."), ("é", "./é")],
        *[("/a", "/a"), ("./a", "./a"), ("../a", "../a"), ("//e.org", "//e.org"), ("https://e.org/", "https://e.org/")],
        *[("", ""), ("?a", "?a"), ("#a", "#a")],
        *[('/"\\</script>', '/\\"\\\\\\u003c/script>'), ("/\ud800\n", "/\\ud800\\n")],
    ],
)
def test_write_a_specifier(text: str, written: str) -> None:
    for value in ('{"imports":{"a":"/x"}}', '{"imports":{"/x":1}}', '{"integrity":{"/x":""}}'):
        (found,) = find_import_map(value)
        assert write_import_map(text, found.form) == written


def test_write_what_is_no_specifier() -> None:
    (found,) = find_import_map('{"scopes":{"x":{}}}')
    assert write_import_map("a<", found.form) == "a\\u003c"
    (found,) = find_speculation_rules('{"prefetch":[{"urls":["x"]}]}')
    assert json_text.write("a<", found.form) == "a\\u003c"


def test_the_author_s_way_is_kept() -> None:
    (found,) = find_import_map('{"imports":{"a":"\\/\\u00e9"}}')
    assert write_import_map("é/", found.form) == ".\\/\\u00e9\\/"
    (found,) = find_speculation_rules('{"prefetch":[{"urls":["\\/"]}]}')
    assert json_text.write("/é", found.form) == "\\/é"
    (found,) = find_import_map('{"scopes":{"\\/\\u00e9":{}}}')
    assert write_import_map("/é/", found.form) == "\\/\\u00e9\\/"


# --- the law ----------------------------------------------------------------------------------------------------

ANY_CHARACTER = st.characters(codec=None, exclude_categories=())
SPECIFIERS = st.sampled_from(
    [
        "",
        "a",
        "b/",
        "/a",
        "/a/",
        "./b",
        "../c/",
        "https://e.org/d?e#f",
        "data:,x",
        "?q",
        "#f",
        '/"\\\n</script>é\U0001f600',
    ]
)
TEXTS = SPECIFIERS | st.text(ANY_CHARACTER, max_size=8)
SCALARS = st.sampled_from([None, 1, True, [], ["/x"]])
SPECIFIER_MAPS = st.dictionaries(SPECIFIERS, SPECIFIERS | SCALARS, max_size=4)
IMPORT_MAPS = st.fixed_dictionaries(
    {},
    optional={
        "imports": SPECIFIER_MAPS,
        "scopes": st.dictionaries(SPECIFIERS, SPECIFIER_MAPS, max_size=3),
        "integrity": SPECIFIER_MAPS,
        "other": SPECIFIER_MAPS,
    },
)
RULES = st.fixed_dictionaries({}, optional={"urls": st.lists(TEXTS | SCALARS, max_size=4) | SCALARS, "where": SCALARS})
SPECULATION_RULES = st.dictionaries(
    st.sampled_from(["prefetch", "prerender", "x"]), st.lists(RULES | SCALARS, max_size=3) | SCALARS, max_size=3
)


def slashed(text: str) -> str:
    return text.replace("/", "\\/")


def serialized(data: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda data, ascii_, indent, way: way(json.dumps(data, ensure_ascii=ascii_, indent=indent)),
        data,
        st.booleans(),
        st.sampled_from([None, 1]),
        st.sampled_from([str, slashed]),
    )


def joined(text: str) -> str:
    """`text` with surrogates side by side as one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def can_be_said(text: str, form: str) -> bool:
    return "specifier" not in form or (text != "" and text[0] not in "?#")


@given(serialized(IMPORT_MAPS), TEXTS)
def test_writing_into_an_import_map_changes_that_one_alone(value: str, text: str) -> None:
    before = find_import_map(value)
    for index, found in enumerate(before):
        if can_be_said(text, found.form):
            after = texts(find_import_map(replaced(value, found, text, write_import_map)))
            assert after.pop(index) in (joined(text), joined(f"./{text}"))
            assert after == [*texts(before[:index]), *texts(before[index + 1 :])]


@given(serialized(SPECULATION_RULES), TEXTS)
def test_writing_into_speculation_rules_changes_that_one_alone(value: str, text: str) -> None:
    before = find_speculation_rules(value)
    for index, found in enumerate(before):
        after = find_speculation_rules(replaced(value, found, text, json_text.write))
        assert texts(after) == [*texts(before[:index]), joined(text), *texts(before[index + 1 :])]


@given(serialized(IMPORT_MAPS))
def test_writing_what_was_read_changes_no_text(value: str) -> None:
    before = find_import_map(value)
    for found in before:
        assert texts(find_import_map(replaced(value, found, found.text, write_import_map))) == texts(before)


@given(serialized(IMPORT_MAPS | SPECULATION_RULES), st.sampled_from([find_import_map, find_speculation_rules]))
def test_spans_are_in_order_and_hold_the_text(value: str, find: Find) -> None:
    position = 0
    for found in find(value):
        assert position < found.start <= found.end < len(value)
        assert json.loads(f'"{value[found.start : found.end]}"') == found.text
        position = found.end


@given(st.text(ANY_CHARACTER), st.text(ANY_CHARACTER))
def test_writing_never_raises(text: str, form: str) -> None:
    assume(form != "")
    assert isinstance(write_import_map(text, form), str)
    assert isinstance(json_text.write(text, form), str)


@pytest.mark.parametrize(
    "value",
    [
        lambda n: '{"imports":' + "[" * n,
        lambda n: '{"imports":' * n,
        lambda n: '{"imports":{"/a":' + "[" * n + "]" * n + "}}",
        lambda n: '{"imports":{' + '"/a":"/b",' * n + '"c":"/d"}}',
        lambda n: '{"scopes":{' + '"/a":{},' * n + '"c":{}}}',
        lambda n: '{"prefetch":[' + '{"urls":["a"]},' * n + "{}]}",
        lambda n: '{"prefetch":[{"urls":[' + '"a",' * n + '""]}]}',
        lambda n: '{"imports":{"a":"' + " " * n + '"}}',
        lambda n: '{"imports":{"a":"' + "a" * n + '"}}',
    ],
)
def test_hostile_text_takes_linear_time(value: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_data, "_USUAL", -1)  # else the smaller text alone is remembered

    def reading(n: int) -> Callable[[], None]:
        text = value(n)

        def run() -> None:
            script_data.find_import_map(text)
            script_data.find_speculation_rules(text)
            write_import_map(text, "specifier slashed ascii")

        return run

    assert_proportional(reading, 500)


# --- remembered


@pytest.mark.parametrize("more", ["", " " * 5000])
def test_an_import_map_that_is_read_again_has_the_same_references(more: str) -> None:
    value = '{"imports":{"/a":"/b"}}' + more
    first = find_import_map(value)
    expected = list(first)
    first.clear()  # what one caller does with its list changes nothing for others
    assert find_import_map(value) == expected != []

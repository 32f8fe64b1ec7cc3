"""JSON against the standard library's reader, on generated text, and the rules one by one."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.text import json_text
from rehref.text.encoding import spliced
from rehref.text.json_text import Array, Object, String, Value

DEEP = 200


def plain(value: Value) -> Any:
    """A value as `json.loads` gives it."""
    if isinstance(value, String):
        return value.text
    if isinstance(value, Array):
        return [plain(item) for item in value.items]
    if isinstance(value, Object):
        return {name: plain(item) for name, item in value.members.items()}
    return json.loads(value)


def strings(value: Value | None) -> list[String]:
    if isinstance(value, String):
        return [value]
    if isinstance(value, Array):
        return [string for item in value.items for string in strings(item)]
    if isinstance(value, Object):
        return [string for name, item in value.items for string in (name, *strings(item))]
    return []


def read(text: str) -> Value | None:
    """The value, which the compiled twin and its reference read alike."""
    value, by_reference = json_text.read(text), json_text.read_by_reference(text)
    assert (value is None) == (by_reference is None)
    if max(text.count("["), text.count("{")) < DEEP:  # for Python to compare
        assert value == by_reference
    return value


def only(text: str) -> String:
    (string,) = strings(read(text))
    return string


def refuse(constant: str) -> None:
    raise ValueError(constant)


def oracle(text: str) -> Any:
    """What `json.loads` makes of the text; Ellipsis if it is not JSON."""
    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError:
        return ...


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            " ",
            "[1,]",
            '{"a":1,}',
            "[,]",
            "{,}",
            "[1 2]",
            '{"a" 1}',
            '{"a"}',
            "{1:2}",
            "{a:1}",
            "['a']",
            "[1]]",
            "1 2",
        ],
        *["[", "{", '"', "[1}", '{"a":1]', "[[]", '{"a":{}', "]", "}", ",", ":"],
        *["// a\n1", "/**/1", "1//", "<!-- 1 -->", "<![CDATA[1]]>", "\ufeff1", "\xa01", "\f1", "\v1", "\u20281"],
        *[
            "01",
            "-",
            "+1",
            ".5",
            "1.",
            "1e",
            "1e+",
            "0x1",
            "NaN",
            "Infinity",
            "True",
            "nul",
            "truefalse",
            "--1",
            "1_0",
            "١",
        ],
        *['"\n"', '"\t"', '"\x00"', '"\\x41"', '"\\u12"', '"\\u12g4"', '"\\\n"', '"\\"', '"a""b"', '"a"b'],
    ],
)
def test_what_is_not_json_has_no_value(text: str) -> None:
    assert read(text) is None
    assert oracle(text) is ...


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        " [ \t\r\n] ",
        "{ }",
        '""',
        "0",
        "-0",
        "-1.50e-07",
        "1E+2",
        "null",
        " true\n",
        "[[],{},[{}]]",
        '"\x7f\u2028"',
    ],
)
def test_what_is_json_has_its_value(text: str) -> None:
    value = read(text)
    assert value is not None
    assert plain(value) == oracle(text)


def test_scalars_are_as_they_are_written() -> None:
    assert read("[1.50, true ,null]") == Array(["1.50", "true", "null"])


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
        (r'"\u0061\u00E9\u20ac"', "aé€"),
        (r'"\ud83d\uDE00"', "\U0001f600"),
        (r'"\ud83d"', "\ud83d"),
        (r'"\ude00\ud83d"', "\ude00\ud83d"),
        (r'"\ud83d\ud83d\ude00"', "\ud83d\U0001f600"),
        (r'"\\ud83d\\/"', "\\ud83d\\/"),
        ('"\udc80"', "\udc80"),
    ],
)
def test_strings_mean_what_they_say_without_escapes(text: str, meaning: str) -> None:
    assert only(text).text == meaning


def test_strings_stand_inside_their_quotes() -> None:
    text = ' {"a" : ["\\u0062", {"":"\\""}], "c":"d"}'
    found = strings(read(text))
    assert [text[string.start : string.end] for string in found] == ["a", "\\u0062", "", '\\"', "c", "d"]


def test_of_members_of_one_name_the_last_counts() -> None:
    value = read('{"a": 1, "b": 2, "\\u0061": 3}')
    assert isinstance(value, Object)
    assert value.members == {"b": "2", "a": "3"}
    assert list(value.members) == ["b", "a"]
    assert [name.text for name, _ in value.items] == ["a", "b", "a"]


def test_values_keep_their_kind() -> None:
    text = '{ "a" : 1,"b":"1\\/2", "c": {"a": 3}, "a" :\t22 , "d": null, "e": [{"f": "g"}, 1]}'
    value = Object.read(text)
    assert value is not None
    assert [value.text_of(name) for name in "abcdx"] == ["22", "1/2", None, "null", None]
    assert [each.text_of("f") for each in value.objects_in("e") or ()] == ["g"]
    assert (value.objects_in("a"), Object.read("[1]")) == (None, None)
    written = spliced(text, value.splices(text, {"a": "7", "b": "x/y", "x": "5"}))
    assert written == '{ "a" : 7,"b":"x\\/y", "c": {"a": 3}, "a" :\t7 , "d": null, "e": [{"f": "g"}, 1]}'


@pytest.mark.parametrize(
    ("text", "form", "written"),
    [
        ('"\\\b\f\n\r\t\x01\x1f', "", r"\"\\\b\f\n\r\t\u0001\u001f"),
        ("</script><!--", "", r"\u003c/script>\u003c!--"),
        ("é\u2028\x7f\U0001f600", "", "é\u2028\x7f\U0001f600"),
        ("\ud83d \udc80", "", r"\ud83d \udc80"),
        ("a/b\\/", "slashed", r"a\/b\\\/"),
        ("/é\U0001f600\ud83d", "ascii", r"/\u00e9\ud83d\ude00\ud83d"),
        ("/é", "specifier slashed ascii", r"\/\u00e9"),
    ],
)
def test_write(text: str, form: str, written: str) -> None:
    assert json_text.write(text, form) == written
    assert only(f'"{written}"').text == text


@pytest.mark.parametrize(
    ("raw", "form"),
    [
        ("a/b", ""),
        (r"a\/b", "slashed"),
        (r"a\\/b", ""),
        (r"a\\\/b", "slashed"),
        (r"\u00e9", "ascii"),
        (r"\u00e9é", ""),
        (r"\u0061", ""),
        (r"\/\u00e9", "slashed ascii"),
        ("é", ""),
    ],
)
def test_the_form_tells_the_way_of_the_author(raw: str, form: str) -> None:
    assert only(f'"{raw}"').form == form


FRAGMENTS = st.sampled_from(
    [
        *'[]{},:"\\/ \n1-.eau',
        *[
            '"a"',
            '"a":',
            '{"a":',
            "[1,",
            "null",
            "true",
            "0",
            "-1.5e3",
            "\\u0061",
            "\\ud83d",
            "\\ude00",
            '"\\',
            '"é\\n"',
            "<!--",
        ],
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=4), children, max_size=4),
)
ANY_CHARACTER = st.characters(codec=None, exclude_categories=())


@given(st.lists(FRAGMENTS, max_size=12).map("".join))
@example('{"a":1,"a":[]}')
def test_reads_what_the_standard_library_reads(text: str) -> None:
    value = read(text)
    assert (... if value is None else plain(value)) == oracle(text)


@given(JSON, st.booleans(), st.sampled_from([None, 0, "\t"]))
def test_reads_what_the_standard_library_writes(data: Any, ascii_: bool, indent: int | str | None) -> None:
    value = read(json.dumps(data, ensure_ascii=ascii_, indent=indent))
    assert value is not None
    assert plain(value) == data


@given(st.text(ANY_CHARACTER), st.sampled_from(["", "slashed", "ascii", "slashed ascii"]))
def test_what_is_written_reads_back(text: str, form: str) -> None:
    written = json_text.write(text, form)
    together = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert only(f'"{written}"').text == together
    assert json.loads(f'"{written}"') == together
    assert "<" not in written
    written.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "is_json"),
    [
        (lambda n: "[" * n, False),
        (lambda n: "[" + ("[" * 9 + "]" * 9 + ",") * n + "1]", True),
        (lambda n: '{"a":' * n, False),
        (lambda n: "[" + ('{"a":' * 9 + "1" + "}" * 9 + ",") * n + "1]", True),
        (lambda n: '"' * n, False),
        (lambda n: "\\" * n, False),
        (lambda n: '"' + "\\" * n, False),
        (lambda n: '"' + "\\\\" * n + '"', True),
        (lambda n: '"' + "\\ud83d" * n + '"', True),
        (lambda n: '["a"' + ',"a"' * n + "]", True),
        (lambda n: "[" + "1" * n, False),
        (lambda n: "[" + "1." * n, False),
        (lambda n: "[" + " " * n, False),
        (lambda n: "[ " * n, False),
        (lambda n: "{ " + '"a" : {' * n, False),
        (lambda n: " " * n, False),
        (lambda n: '{"a":1' + ',"a":1' * n + "}", True),
    ],
)
def test_hostile_text_takes_linear_time(text: Callable[[int], str], is_json: bool) -> None:
    def reading(n: int) -> Callable[[], None]:
        made = text(n)

        def run() -> None:
            value = read(made)
            if isinstance(value, Object):
                assert value.members is not None
            json_text.write(made, "slashed ascii")
            assert (value is not None) == is_json

        return run

    assert_proportional(reading, 2000)


@pytest.mark.parametrize(("open_", "inside", "close"), [("[", "", "]"), ('{"a":', "1", "}"), ('[{"a":', "{}", "}]")])
def test_a_text_is_read_up_to_a_depth(open_: str, inside: str, close: str) -> None:
    text = open_ * (1000 // len(close)) + inside + close * (1000 // len(close))
    is_read = read(text) is not None
    assert is_read == (inside != "{}")  # which is one deeper
    assert read(f"[{text},{text}]") is None
    is_read = read(text.replace(open_, "", 1).removesuffix(close)) is not None
    assert is_read


@pytest.mark.parametrize("piece", ["[", '{"a":', '[{"a":'])
def test_a_deep_text_takes_little_memory(piece: str) -> None:
    text = piece * 300_000
    tracemalloc.start()
    assert read(text) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20

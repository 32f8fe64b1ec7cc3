"""The law of every micro-syntax: what is written is what is read, in its place, and nothing else changes."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rehref.text import WHITE_SPACE
from rehref.uri.syntaxes import SYNTAXES, Syntax

FRAGMENTS = st.sampled_from(
    [
        *" \t\n\f\r,;#'\"()\\=.aé%",
        *"0123",
        "a.png",
        "url",
        "url=",
        "0;url='",
        "5, ",
        "data:,x",
        " 2x",
        "url(",
        "url('",
        ")",
        "@import '",
        "@namespace '",
        "<a>;anchor=",
        "image-set(",
        "/*",
        "*/",
        "\\61 ",
        "https://e.org/a b?c,d#e",
        "report-uri ",
        '"',
        "\0",
    ]
)
VALUES = st.lists(FRAGMENTS, max_size=20).map("".join)
NAMES = [name for name in get_args(Syntax) if name != "json"]  # which strings of JSON count, only its reader tells
ANY_SYNTAX = st.sampled_from(NAMES)
TEXTS = VALUES | st.text(max_size=12)

SEPARATORS = {
    "commas": ",",
    "semicolons": ";",
    "report-uris": "\t\n\f\r ,;",
}
"""What separates the references of a list: percent-encoded in a reference. The empty reference is written as `#`."""


def readable(syntax: Syntax, text: str) -> str:
    """What `text` reads as once written: the rules of the modules, in short."""
    if syntax == "css":
        return text.replace("\0", "%00")
    if syntax == "fragment":
        return text
    text = text.strip(WHITE_SPACE)
    if syntax in ("link-header", "strings"):
        return "".join(f"%{ord(char):02X}" if char in '<>"\x7f' or char <= " " else char for char in text)
    if syntax == "image":
        if SYNTAXES["css"].find(f"{text} "):
            text = text.replace("(", "%28").replace(")", "%29").replace("@", "%40")
        return text if SYNTAXES["image"].find(text) else f"./{text}"
    if syntax in ("spaces", "srcset"):
        text = text.replace("\t", "").replace("\r", "").replace("\n", "").replace(" ", "%20").replace("\f", "%0C")
    if syntax == "srcset":
        text = text.rstrip(",") + "%2C" * (len(text) - len(text.rstrip(",")))
        text = f"./{text}" if text.startswith(",") else text
    for separator in SEPARATORS.get(syntax, ""):
        text = text.replace(separator, f"%{ord(separator):02X}")
    return text or ("#" if syntax in ("spaces", "srcset", *SEPARATORS) else "")


def same(syntax: Syntax, text: str, expected: str) -> bool:
    if syntax == "refresh":  # quotes may be percent-encoded
        text, expected = (t.replace("'", "%27").replace('"', "%22") for t in (text, expected))
    return text == expected


def test_every_syntax_can_be_read_and_written() -> None:
    assert set(SYNTAXES) == set(get_args(Syntax))


@given(ANY_SYNTAX, VALUES)
def test_spans_are_in_order_and_apart(syntax: Syntax, value: str) -> None:
    position = 0
    for found in SYNTAXES[syntax].find(value):
        assert position <= found.start <= found.end <= len(value)
        position = found.end


@given(ANY_SYNTAX, VALUES)
@example("link-header", "<a>;anchor=\\61 ")
@example("link-header", '<a>;anchor="\\ \\\\\\ "')
@example("image", "a.png@import ',\n")
def test_writing_what_was_read_changes_no_text(syntax: Syntax, value: str) -> None:
    before = SYNTAXES[syntax].find(value)
    for index, found in enumerate(before):
        after = value[: found.start] + SYNTAXES[syntax].write(found.text, found.form) + value[found.end :]
        expected = [f.text for f in before]
        # what a Link field may contain and a URI may not is percent-encoded; so is, in an address of an image, what may
        # be CSS without the line break behind it
        if syntax in ("link-header", "strings") or found.form == "address":
            expected[index] = readable(syntax, found.text)
        assert [f.text for f in SYNTAXES[syntax].find(after)] == expected


@given(ANY_SYNTAX, VALUES, TEXTS)
@example("image", "a.png ", "url('")
def test_writing_another_text_changes_that_one_alone(syntax: Syntax, value: str, text: str) -> None:
    if syntax in ("css", "image"):
        assume(text)  # an empty URL is none
    if syntax == "fragment":
        text = f"#{text or 'a'}"
    before = SYNTAXES[syntax].find(value)
    for index, found in enumerate(before):
        after = value[: found.start] + SYNTAXES[syntax].write(text, found.form) + value[found.end :]
        texts = [f.text for f in SYNTAXES[syntax].find(after)]
        in_css = syntax == "image" and found.form != "address"
        assert same(syntax, texts.pop(index), readable("css" if in_css else syntax, text))
        assert texts == [f.text for i, f in enumerate(before) if i != index]


@pytest.mark.parametrize("syntax", NAMES)
@given(value=st.text(max_size=50))
def test_reading_and_writing_never_raise(syntax: Syntax, value: str) -> None:
    for found in SYNTAXES[syntax].find(value):
        assert isinstance(SYNTAXES[syntax].write(value, found.form), str)


@pytest.mark.parametrize("syntax", NAMES)
def test_lone_surrogates_are_kept(syntax: Syntax) -> None:
    values = {
        "css": "url(\udc80)",
        "data-style": "data:text/css,url(\udc80)",
        "image": "./\udc80",
        "refresh": "0;\udc80",
        "fragment": "#\udc80",
        "import-map": '{"imports": {"a": "./\udc80"}}',
        "speculation-rules": '{"prefetch": [{"urls": ["\udc80"]}]}',
        "json-ld": '{"@id": "\udc80"}',
        "link-header": "<\udc80>",
        "strings": '"\udc80"',
        "report-uris": "report-uri \udc80",
    }
    values["speculation-rules-file"] = values["speculation-rules"]
    value = values.get(syntax, "\udc80")
    (found,) = SYNTAXES[syntax].find(value)
    written = SYNTAXES[syntax].write(found.text, found.form)
    (again,) = SYNTAXES[syntax].find(value[: found.start] + written + value[found.end :])
    assert again.text == found.text

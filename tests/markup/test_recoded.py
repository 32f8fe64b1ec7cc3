"""A str and UTF-16 are read in UTF-8; what is said of them is said in characters of the one, in bytes of the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref.markup._source import core
from rehref.text.encoding import Source
from rehref.text.source_text import recoded

URL = "http://h.example/a/"
PAGE = (
    "é\u2028\U0001f600<a href=\"é&amp;x\">ä</a>\n<a href=ü.html><img srcset='ß 1x,\té 2x'>" + "ö" * 300 + "<a href=z>"
)


def test_what_is_read_as_it_is() -> None:
    for source in (
        Source("a"),
        Source("é\ud800"),
        Source(b"\xc3\xa9", "utf-8"),
        Source(b"a", "iso-2022-jp"),
        Source(b"a\0b", "utf-16le"),
        Source(b"\xd8\0\0a", "utf-16be"),
        Source("\ufffd".encode("utf-16-le"), "utf-16le"),
    ):
        assert recoded(source) is None
    for source in (Source("\ufeffé"), Source(b"\xff\xfe\xe9\0", "utf-16le", 2)):
        found = recoded(source)
        assert found is not None
        assert found.source == Source(b"\xef\xbb\xbf\xc3\xa9", "utf-8", 3)
        assert found.again(found.source.data) is source.data
        assert found.again(bytes(bytearray(found.source.data))) == source.data


@given(st.text(st.sampled_from("aé\u2028\U0001f600"), max_size=2000), st.integers(0, 2000))
def test_offsets_are_those_in_what_was_given(text: str, at: int) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        found = recoded(Source(text.encode(encoding), encoding.replace("-le", "le").replace("-be", "be")))
        assert found is not None
        assert found.at(len(text[:at].encode())) == len(text[:at].encode(encoding))
    found = recoded(Source(text))
    assert (found is None) == text.isascii()
    if found is not None:
        assert found.at(len(text[:at].encode())) == len(text[:at])
        assert found.at(len(text[: at // 2].encode())) == len(text[: at // 2])  # and from there back


def test_spans_lines_and_columns_are_those_of_the_text() -> None:
    for text in (PAGE, "\ufeff" + PAGE):
        links = rehref.links(text, url=URL)
        written = ["é&amp;x", "ü.html", "ß", "é", "z"]
        assert [text[slice(*link.span)] for link in links if link.span] == written
        mark = text[0] == "\ufeff"
        assert [(link.line, link.column) for link in links][:2] == [(1, 13), (2, 9)]
        assert links[0].span == (12 + mark, 19 + mark)


@pytest.mark.parametrize("rule", [rehref.Absolute(), rehref.Relative(), lambda link: "é" + link.reference, None])
def test_a_str_is_rewritten_as_its_bytes_are(rule: object) -> None:
    changed = rehref.rewrite(PAGE, rule or (lambda link: None), url=URL)  # type: ignore[arg-type]
    assert changed.encode() == rehref.rewrite(PAGE.encode(), rule or (lambda link: None), url=URL, encoding="utf-8")  # type: ignore[arg-type]
    assert (changed == PAGE) == (rule is None or rule == rehref.Relative())


def test_a_srcdoc_in_a_str_is_rewritten_in_it() -> None:
    page = "é<iframe srcdoc='ü<a href=x>é</a><a href=\"ä b\">'></iframe>"
    new = rehref.rewrite(page, rehref.Absolute(), url=URL)
    assert new == "é<iframe srcdoc='ü<a href=http://h.example/a/x>é</a><a href=\"http://h.example/a/ä b\">'></iframe>"


_PIECES = (
    "<a href=x>",
    "<a href='é y'>",
    "<img srcset='\U0001f600 1x, b&amp;c 2x'>",
    "\r\n",
    "\r",
    "\U0001f600",
    "ä",
    "\ufffd",
)
_PIECES += (
    "<base href=b/>",
    "<iframe srcdoc='<a href=é>'></iframe>",
    "<a rel=ü href='z\U0001f600'>",
    "<script type=x>é</script>",
)


@given(
    st.lists(st.sampled_from(_PIECES), max_size=9).map("".join),
    st.booleans(),
    st.sampled_from(("le", "be")),
    st.binary(max_size=2),
)
def test_utf_16_is_read_as_it_would_be_without_that(text: str, has_mark: bool, order: str, more: bytes) -> None:
    data = (("\ufeff" if has_mark else "") + text).encode(f"utf-16-{order}") + more

    def made() -> list[object]:
        rules = (rehref.Absolute(), rehref.Relative(), lambda link: f"é{link.reference}\ud800", lambda link: None)
        options = {"url": URL, "encoding": f"utf-16{order}", "media_type": "text/html"}
        return [rehref.links(data, **options), *(rehref.rewrite(data, rule, **options) for rule in rules)]  # type: ignore[call-overload, list-item]

    found = made()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(core, "recoded", lambda source: recoded(source) if isinstance(source.data, str) else None)
        assert made() == found


@pytest.mark.parametrize(
    ("page", "new", "media_type"),
    [
        ("<a href=x>", "<a href=é\ud800>", "text/html"),
        ("a{b:url(x)}", "a{b:url(é\ud800)}", "text/css"),
        ("see http://h/x", "see é\ud800", "text/plain"),
    ],
)
def test_a_str_that_is_all_ascii_may_get_any_character(page: str, new: str, media_type: str) -> None:
    assert rehref.rewrite(page, lambda link: "é\ud800", url=URL, media_type=media_type) == new

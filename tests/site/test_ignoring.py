"""What is not to be checked (site/_ignoring.py)."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional, work
from rehref.files.file_errors import FileError
from rehref.site import _ignoring
from rehref.site._ignoring import (
    IgnoredRanges,
    ignored_lines,
    is_excluded,
    may_ignore,
    parse_ignore_file,
    read_ignore_file,
)
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

# .rehrefignore


def ignored(text: str, *paths: str) -> list[str]:
    rules = parse_ignore_file(text)
    return [path for path in paths if rules.ignores(path)]


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("a.html", ["a.html", "x/a.html", "a.html/b"], ["ba.html", "a.htm", "A.html"]),
        ("/a.html", ["a.html"], ["x/a.html"]),
        ("x/a.html", ["x/a.html"], ["y/x/a.html"]),
        ("x/", ["x/a", "y/x/a", "x/y/a"], ["x", "y/x"]),
        ("/x/", ["x/a"], ["y/x/a", "x"]),
        ("*.html", ["a.html", "x/y.html", ".html"], ["a.htm", "a.html.gz"]),
        ("x/*.html", ["x/a.html"], ["x/y/a.html"]),
        ("?.html", ["a.html", "x/b.html"], ["ab.html", ".html"]),
        ("[ab].html", ["a.html"], ["c.html", "[ab].html"]),
        ("[a-c]x", ["bx"], ["dx"]),
        ("[!ab]x", ["cx"], ["ax"]),
        ("[^ab]x", ["cx", "^x"], ["ax"]),
        ("[]]x", ["]x"], ["x"]),
        ("[x", ["[x"], ["x"]),
        ("**/x/a", ["x/a", "y/x/a", "y/z/x/a"], ["yx/a", "x/y/a"]),
        ("x/**", ["x/a", "x/y/a"], ["x", "y/x/a"]),
        ("x/**/a", ["x/a", "x/y/a", "x/y/z/a"], ["xa", "x/b"]),
        ("x/**/y/**/a", ["x/y/a", "x/1/y/2/3/a", "x/y/y/a"], ["x/a", "x/1/a"]),
        ("**", ["a", "x/a"], []),
        ("/**", ["a", "x/a"], []),
        ("a**b/c", ["ab/c", "a1b/c"], ["a/b/c"]),
        ("\\#a", ["#a"], ["a", "\\#a"]),
        ("\\!a", ["!a"], ["a"]),
        ("\\*a", ["*a"], ["xa"]),
        ("a\\b", ["ab"], ["a\\b"]),
        ("a.b+c(d", ["a.b+c(d"], ["axb+c(d"]),
        ("  a b  ", ["a b"], ["a"]),
    ],
)
def test_patterns(pattern: str, yes: list[str], no: list[str]) -> None:
    assert ignored(pattern, *yes, *no) == yes


def test_lines_that_say_nothing() -> None:
    assert ignored("# a\n\n  \n/\n!\n//\n", "a", "# a", "!", "") == []


def test_the_last_pattern_that_matches_counts() -> None:
    assert ignored("*.html\n!a.html\n", "a.html", "b.html", "x/a.html") == ["b.html"]
    assert ignored("!a.html\n*.html\n", "a.html") == ["a.html"]


def test_nothing_comes_back_from_a_folder_that_is_left_out() -> None:
    assert ignored("x/\n!x/a.html\n", "x/a.html", "x/b.html") == ["x/a.html", "x/b.html"]
    assert ignored("x/*\n!x/a.html\n", "x/a.html", "x/b.html") == ["x/b.html"]


def test_line_ends() -> None:
    assert ignored("a\r\nb\rc\n", "a", "b", "c", "d") == ["a", "b", "c"]


def test_targets(tmp_path: Path) -> None:
    rules = parse_ignore_file("uri: ^https://[^/]*\\.example/\nuri:\\?draft\na\n")
    assert [pattern.pattern for pattern in rules.uris] == ["^https://[^/]*\\.example/", "\\?draft"]
    assert (rules.ignores("a"), rules.ignores("uri:x")) == (True, False)
    assert not Site.of(tmp_path, CheckOptions(exclude=rules.uris)).scope.chooses("https://a.example/x")
    with pytest.raises(FileError, match=r"my file:2: the expression is not understood: .*; see"):
        parse_ignore_file("a\nuri:(\n", "my file")


def test_the_file(tmp_path: Path) -> None:
    assert not read_ignore_file(tmp_path).ignores("a")
    (tmp_path / ".rehrefignore").write_bytes(b"\xef\xbb\xbfa\n\xff\n\xc3\xa9\n")
    rules = pickle.loads(pickle.dumps(read_ignore_file(tmp_path)))  # as it goes to other processes
    assert [path for path in ("a", "\udcff", "é", "b") if rules.ignores(path)] == ["a", "\udcff", "é"]
    (tmp_path / ".rehrefignore").unlink()
    (tmp_path / ".rehrefignore").mkdir()
    with pytest.raises(FileError, match="cannot be read"):
        read_ignore_file(tmp_path)


def naive(patterns: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if not patterns:
        return not names
    if patterns[0] == "**":
        return naive(patterns[1:], names) or (bool(names) and naive(patterns, names[1:]))
    return bool(names) and patterns[0] == names[0] and naive(patterns[1:], names[1:])


@given(st.lists(st.sampled_from(["a", "b", "**"]), max_size=6), st.lists(st.sampled_from("ab"), min_size=1, max_size=7))
def test_any_number_of_folders(patterns: list[str], names: list[str]) -> None:
    rules = parse_ignore_file("/" + "/".join([*patterns, "x"]))
    assert rules.ignores("/".join([*names, "x"])) == naive((*patterns, "x"), (*names, "x"))


@given(st.text(st.sampled_from("ab*?[]!^\\/-#\n uri:(")), st.text(st.sampled_from("ab/*["), min_size=1))
def test_whatever_stands_there_nothing_fails(text: str, path: str) -> None:
    try:
        rules = parse_ignore_file(text)
    except FileError:
        return
    assert rules.ignores(path) in (True, False)


def test_long_patterns_take_little_time() -> None:
    def asking() -> None:
        rules = parse_ignore_file("a*" * 200 + "b\n" + "**/a/" * 200 + "b\n")
        assert not rules.ignores("a" * 800)
        assert not rules.ignores("a/" * 400 + "c")

    assert work(asking) < 10_000


# include, exclude, exclude_paths


def test_paths_that_are_left_out() -> None:
    assert is_excluded("a/b/c.html", ["x", "*.html"])
    assert is_excluded("a/b/c.html", ["a"])
    assert is_excluded("a/b/c.html", ["a/"])
    assert is_excluded("a/b/c.html", ["*/b"])
    assert not is_excluded("a/b/c.html", ["b", "c.html", "A", "a/b/c"])
    assert not is_excluded("a", [])


# comments


def lines(text: str, code: str = "missing-file") -> list[int]:
    found = ignored_lines(text)
    return [line for line in range(1, 12) if found.cover(line, code)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n<a href=x> <!-- rehref-ignore -->\nb", [2]),
        ("a\n<!-- rehref-ignore --> b\nc", [2]),
        ("a\n <!-- rehref-ignore -->\t\nb\nc", [2, 3]),
        ("<!--rehref-ignore-->\nb\nc", [1, 2]),
        ("<!-- rehref-ignore", []),
        ("a\n<!--\n rehref-ignore\n-->\nb\nc", [2, 3, 4, 5]),
        ("<!-- rehref-ignore-next-line --> a\nb\nc", [2]),
        ("<!-- rehref-ignore: because\nof that -->\nb\nc", [1, 2, 3]),
        ("<!-- rehref-ignore: because", [1, 2]),
        ("a\n<!-- rehref-ignore-start -->\nb\n<!-- rehref-ignore-end -->\nc", [2, 3, 4]),
        ("a\n<!-- rehref-ignore-start -->\nb\n", [2, 3, 4]),
        ("a\n<!-- rehref-ignore-end -->\nb", []),
        ("a\r\n<i> <!-- rehref-ignore -->\rb\r\n<i> /* rehref-ignore */", [2, 4]),
        ("a\nb {} /* rehref-ignore */\n/* rehref-ignore */\nc\nd", [2, 3, 4]),
        ("/* rehref-ignore-start: why */\n\n/* rehref-ignore-end */\n", [1, 2, 3]),
        ("<!-- rehref-ignored -->\n<!-- rehref-ignore-all -->\n<!-- rehref-ignore-started -->\n", []),
        ("rehref-ignore\n<!-- please rehref-ignore -->\n", []),
        ("<!-- rehref-ignore --><!-- rehref-ignore-next-line -->\n\n", [1, 2]),
    ],
)
def test_comments(text: str, expected: list[int]) -> None:
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "here", "other"),
    [
        ("<!-- rehref-ignore-next-line missing-file -->\n", [2], []),
        ("<!-- rehref-ignore missing-file, missing-fragment: why --> x", [1], []),
        ("<!-- rehref-ignore missing-fragment missing-file--> x", [1], []),
        ("<!-- rehref-ignore orphan --> x", [], [1]),
        (
            "<!-- rehref-ignore-start orphan -->\n/* rehref-ignore-start missing-file */\n/* rehref-ignore-end */",
            [2, 3],
            [1, 2, 3],
        ),
        ("<!-- rehref-ignore-start -->\n<!-- rehref-ignore-start orphan -->\n\n", [1, 2, 3, 4], [1, 2, 3, 4]),
    ],
)
def test_codes(text: str, here: list[int], other: list[int]) -> None:
    assert (lines(text), lines(text, "orphan")) == (here, other)


def test_what_has_no_line_is_not_ignored() -> None:
    found = ignored_lines("<!-- rehref-ignore-start -->")
    assert (found.cover(1, "x"), found.cover(None, "x")) == (True, False)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 5), st.sampled_from(["", "a", "b"]))))
def test_ranges_may_overlap(found: list[tuple[int, int, str]]) -> None:
    ranges = [(first, first + more, code) for first, more, code in found]
    covered = IgnoredRanges(ranges)
    for line in range(1, 16):
        for code in "abc":
            assert covered.cover(line, code) == any(
                first <= line <= last and each in ("", code) for first, last, each in ranges
            )


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "<!-- rehref-ignore --> " * n,
        lambda n: "<!-- rehref-ignore: " * n,
        lambda n: "<!-- rehref-ignore-start a -->" * n,
        lambda n: " " * n + "<!-- rehref-ignore --> " * n,
        lambda n: "<!-- rehref-ignore " + "a-" * n,
        lambda n: "<!--" * n + "rehref-ignore",
        lambda n: "<!-- rehref-ignore -->\n" * n,
    ],
)
def test_linear(text: Callable[[int], str]) -> None:
    def reading(n: int) -> Callable[[], None]:
        made = text(n)

        def run() -> None:
            found = ignored_lines(made)
            for line in range(1, n):
                found.cover(line, "a")

        return run

    assert_proportional(reading, 1000)


def test_a_document_is_not_searched_for_names_that_have_the_word_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[bytes] = []
    monkeypatch.setattr(_ignoring, "mentions", lambda data, *words: not searched.extend(words))
    assert may_ignore(b"<p data-quiet>", ("data-rehref-ignore", "data-quiet"))
    assert searched == [b"rehref-ignore", b"data-quiet"]
    monkeypatch.undo()
    assert may_ignore(b"<p data-Quiet>", ("data-rehref-ignore", "data-quiet"))
    assert may_ignore(b"<p data-rehref-ignore>", ("data-rehref-ignore",))
    assert not may_ignore(b"<p data-quiet>", ("data-rehref-ignore",))

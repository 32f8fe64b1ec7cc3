"""Names for URIs below a folder; `test_unpack_messages.py` has more of single names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.archives._unpacking.file_names import LONGEST, Folder, safe
from rehref.files.discovery import _ENDINGS, endings

HTML = "text/html"


def paths(*uris: str, kind: str = HTML) -> list[str]:
    folder = Folder(("index.html",))
    return [folder.take(uri, kind) for uri in uris]


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("http://h.example/", "h.example/index.html"),
        ("http://h.example", "h.example/index.html"),
        ("https://user:secret@H.example:8080/a/b.htm", "h.example-8080/a/b.htm"),
        ("http://h/a/b?x=1&y=/../z", "h/a/b-x-1-y-..-z.html"),
        ("http://h/?q", "h/index-q.html"),
        ("http://h/a.php", "h/a.php.html"),
        ("http://h/../../etc/passwd", "h/61c4a3c1/61c4a3c1/etc/passwd.html"),
        ("http://h/..%2f..%2fetc/%2e%2e/x", "h/etc/61c4a3c1/x.html"),
        ("http://h//a///b", "h/a/b.html"),
        ("http://h/con/aux.txt/NUL", "h/_con/_aux.txt/_NUL.html"),
        ("http://h/.git/.htaccess", "h/git/htaccess.html"),
        ("http://h/a b:c*d|e<f>\\g/x", "h/g/x.html"),
        ("http://[::1]/x", "1/x.html"),
        ("http://index.html/", "index.html-2/index.html"),
        ("http:///x", "http/x.html"),
        ("urn:uuid:1", "urn/uuid-1.html"),
        ("file:///C:/a/b.html", "file/C/a/b.html"),
        ("", "_/index.html"),
    ],
)
def test_paths_are_safe_and_like_the_uri(uri: str, path: str) -> None:
    found = paths(uri)[0]
    assert re.sub(r"(?<=/)[0-9a-f]{8}(?=/)", "61c4a3c1", found) == path


def test_files_and_folders_do_not_collide() -> None:
    assert paths("http://h/a.html", "http://h/a.html/b", "http://h/c/d", "http://h/c", "http://h/C/e") == [
        "h/a.html",
        "h/a.html-2/b.html",
        "h/c/d.html",
        "h/c.html",
        "h/c/e.html",
    ]


def test_no_two_differ_in_case_only() -> None:
    assert paths("http://h/A", "http://h/a", "https://H/a", "http://h/a?") == [
        "h/A.html",
        "h/a-2.html",
        "h/a-3.html",
        "h/a-4.html",
    ]


def test_what_nothing_is_left_of_is_called_by_its_hash() -> None:
    one, two = paths("http://h/%E4%BD%A0/%E5%A5%BD", "http://h/%E5%A5%BD/x")
    assert re.fullmatch(r"h/[0-9a-f]{8}/[0-9a-f]{8}\.html", one)
    assert two.split("/")[1] == one.split("/")[2].partition(".")[0]


def test_long_paths_are_cut_and_stay_apart() -> None:
    long = "x" * 3000
    found = paths(f"http://h/{long}1", f"http://h/{long}2", f"http://h/{'d/' * 500}f", f"http://h/?{long}")
    assert len(set(found)) == 4
    assert all(len(path) <= 220 and max(map(len, path.split("/"))) <= LONGEST for path in found)
    assert found[2].count("/") == 2
    (deep,) = paths(f"http://{'h' * 90}/{'a' * 90}/{'b' * 90}/{'c' * 90}.html?{'d' * 90}")
    assert len(deep) <= 220
    assert deep.count("/") == 2
    assert paths(f"http://h/{long}2") == [found[1]]  # whatever came before it


@pytest.mark.parametrize("kind", [*_ENDINGS, "application/ld+json", "image/x-thing+xml", "application/x-unknown", ""])
def test_endings_tell_the_type(kind: str) -> None:
    for uri in ("http://h/a", "http://h/a.b", "http://h/a.thing?v=1.2", "http://h/"):
        (path,) = paths(uri, kind=kind)
        known = endings(kind)
        assert path.endswith(known) if known else "." in path.rpartition("/")[2]


_PIECES = st.sampled_from(
    ["a", "A", "..", ".", "/", "%2f", "%2e", "\\", ":", "con", "é", "\0", "?", "x" * 200, ".html"]
)


@given(st.lists(st.lists(_PIECES, max_size=8).map(lambda pieces: "http://h/" + "".join(pieces)), max_size=8))
def test_whatever_the_uris_the_paths_are_safe_and_differ(uris: list[str]) -> None:
    found = paths(*uris)
    names = [name for path in found for name in path.split("/")]
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name) and not name.endswith(".") for name in names)
    lower = [path.lower() for path in found]
    assert len(set(lower)) == len(lower)
    folders = {"/".join(path.split("/")[:depth]) for path in lower for depth in range(1, path.count("/") + 1)}
    assert not folders & set(lower)


def test_nothing_is_left_of_what_is_no_name() -> None:
    assert [safe(each) for each in ("", "...", "/", "é", "a/")] == ["", "", "", "", ""]

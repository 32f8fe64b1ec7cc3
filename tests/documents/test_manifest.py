"""Web app manifests: a test or more for each of their rules, and the laws of rewriting."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.documents._formats.manifest import FORMAT, is_manifest
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.rewriting.built_in_rules import Absolute
from rehref.rewriting.edits import rewrite_document
from rehref.text.encoding import Source

URL = "https://h.example/app/manifest.webmanifest"
MANIFEST = r"""{
  "name": "start.html", "start_url": "start.html?x", "scope": ".", "id": "me",
  "icons": [{"src": "icons\/a.png", "sizes": "1x1"}, {"src": "/b.png"}],
  "screenshots": [{"src": "s.png"}],
  "shortcuts": [{"name": "N", "url": "new", "icons": [{"src": "n.png"}]}],
  "related_applications": [{"platform": "web", "url": "https://o.example/"}, {"platform": "play", "id": "x"}],
  "protocol_handlers": [{"protocol": "web+x", "url": "open?u=%s"}],
  "share_target": {"action": "share", "params": {"url": "u"}},
  "file_handlers": [{"action": "open", "accept": {"a/b": [".b"]}, "icons": [{"src": "f.png"}]}],
  "serviceworker": {"src": "sw.js"}
}
"""


def read(text: bytes | str, url: str | None = URL, encoding: str = "utf-8") -> Document:
    source = Source(text) if isinstance(text, str) else Source(text, encoding)
    return FORMAT.read(source, Layers(retrieval=url), ReadOptions.DEFAULT)


def links(text: bytes | str, url: str | None = URL) -> list[Link]:
    return list(read(text, url).links())


def rewrite(text: bytes | str, rule) -> bytes | str:
    return rewrite_document(read(text), rule).data


def test_the_references_their_kinds_and_targets():
    here = "https://h.example/app/"
    assert [(link.reference, link.kind, link.target) for link in links(MANIFEST)] == [
        ("start.html?x", "hyperlink", here + "start.html?x"),
        (".", "hyperlink", here),
        ("me", "metadata", "https://h.example/me"),
        ("icons/a.png", "resource", here + "icons/a.png"),
        ("/b.png", "resource", "https://h.example/b.png"),
        ("s.png", "resource", here + "s.png"),
        ("new", "hyperlink", here + "new"),
        ("n.png", "resource", here + "n.png"),
        ("https://o.example/", "hyperlink", "https://o.example/"),
        ("open?u=%s", "hyperlink", here + "open?u=%s"),
        ("share", "form", here + "share"),
        ("open", "hyperlink", here + "open"),
        ("f.png", "resource", here + "f.png"),
        ("sw.js", "resource", here + "sw.js"),
    ]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"note_taking": {"new_note_url": "a"}}, ["a hyperlink"]),
        (
            {"tab_strip": {"home_tab": {"icons": [{"src": "a"}], "scope_patterns": [{"pathname": "/"}]}}},
            ["a resource"],
        ),
        ({"tab_strip": {"new_tab_button": {"url": "a"}}}, ["a hyperlink"]),
        ({"widgets": [{"icons": [{"src": "a"}], "screenshots": [{"src": "b"}]}]}, ["a resource", "b resource"]),
        ({"widgets": [{"ms_ac_template": "a", "data": "b", "tag": "c"}]}, ["a resource", "b resource"]),
        ({"icons_localized": {"de": [{"src": "a"}], "x/y": {"src": "b"}}}, ["a resource", "b resource"]),
        ({"shortcuts": [{"icons_localized": {"de": [{"src": "a"}]}}]}, ["a resource"]),
        (
            {"shortcuts_localized": {"de": [{"url": "a", "icons": [{"src": "b"}]}]}},
            ["a hyperlink", "b resource"],
        ),
        ({"name_localized": {"de": "a"}, "icons_localized": {"src": "b"}, "*": {"src": "c"}}, []),
        ({"scope_extensions": [{"type": "origin", "origin": "https://o.example"}]}, []),
    ],
)
def test_members_of_extensions(members: dict[str, object], expected: list[str]):
    assert [f"{link.reference} {link.kind}" for link in links(json.dumps(members))] == expected


def test_the_base_is_its_own_uri():
    (link,) = links('{"start_url": "x"}')
    assert (link.base.uri, link.base.origin) == (URL, "retrieval")
    assert links('{"start_url": "x"}', None)[0].target is None


def test_positions_are_those_of_the_strings():
    for link in links(MANIFEST):
        assert link.span is not None
        assert MANIFEST[slice(*link.span)].replace("\\/", "/") == link.reference
        assert link.line == MANIFEST.count("\n", 0, link.span[0]) + 1


@pytest.mark.parametrize(
    ("start", "target", "where"),
    [
        ("https://o.example/x/y", "https://o.example/me", "the origin of start_url at 1:28"),
        ("x", "https://h.example/me", "the origin of start_url at 1:28"),
        (None, "https://h.example/me", "the origin of the manifest's URI"),
    ],
)
def test_an_id_is_relative_to_the_origin_of_the_start(start: str | None, target: str, where: str):
    text = json.dumps({"id": "me"} | ({} if start is None else {"start_url": start}))
    link = links(text)[0]
    assert (link.target, link.kind, link.base.where) == (target, "metadata", where)
    assert '"id": "me"' in rewrite(text, Absolute(metadata=True))


def fetched(text: str) -> list[str]:
    return [one.text for one in read(text, None).references() if one.fetched]


def test_what_is_fetched():
    everything = [link.reference for link in links(MANIFEST)]
    assert fetched(MANIFEST) == [reference for reference in everything if reference != "."]
    written = rewrite(MANIFEST, Absolute())
    assert '"scope": "https://h.example/app/"' in str(written)


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ({"scope": "./app/"}, []),
        ({"start_url": "./app/"}, ["./app/"]),
        ({"protocol_handlers": [{"url": "open?u=%s"}, {"url": "open/%s"}, {"url": "x#%s"}]}, ["open?u=%s"]),
        ({"protocol_handlers": [{"url": "%s?u=%s"}, {"url": "open?a=%s&b=%s"}]}, ["open?a=%s&b=%s"]),
        ({"share_target": {"action": "share", "method": "post"}}, []),
        ({"share_target": {"action": "share", "method": "GET"}}, ["share"]),
        ({"share_target": [{"action": "share", "method": 1}, {"action": "b", "method": "POST"}]}, ["share"]),
        ({"file_handlers": [{"action": "open"}], "shortcuts": [{"url": "new/%s"}]}, ["new/%s", "open"]),
    ],
)
def test_what_is_only_compared_or_filled_in_is_not_fetched(member: dict[str, object], expected: list[str]):
    assert sorted(fetched(json.dumps(member))) == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"start_url": "", "icons": [{"src": ""}]}',
        "",
        "[]",
        "not JSON",
        '{"start_url": "x",}',
        '{"icons": {"url": "x"}}',
        '{"start_url": {"src": "x"}, "icons": ["x", 1, [{"src": "y"}], null], "shortcuts": 5}',
    ],
)
def test_what_has_no_references(text: str):
    assert links(text) == []


def test_of_members_of_the_same_name_the_last_counts():
    assert [link.reference for link in links('{"start_url": "x", "start_url": "y"}')] == ["y"]


def test_an_object_in_place_of_an_array_of_them_will_do():
    assert [link.reference for link in links('{"icons": {"src": "x"}}')] == ["x"]


def test_rewriting_changes_the_strings_alone():
    written = rewrite(MANIFEST.encode(), Absolute())
    assert isinstance(written, bytes)
    assert b'"https:\\/\\/h.example\\/app\\/icons\\/a.png"' in written
    assert b'"open?u=%s"' not in written
    assert b'"https://h.example/app/open?u=%s"' in written
    assert json.loads(written)["name"] == "start.html"
    assert rewrite(written, Absolute()) == written


def test_what_is_written_is_escaped():
    written = rewrite_document(
        read('{"scope": "x", "name": "é"}'.encode("latin-1"), encoding="windows-1252"), lambda link: 'é"\\я\n'
    ).data
    assert written == b'{"scope": "\xe9\\"\\\\\\u044f\\n", "name": "\xe9"}'


# --- the laws


NAMES = st.sampled_from(
    [
        "start_url",
        "id",
        "icons",
        "src",
        "url",
        "shortcuts",
        "share_target",
        "action",
        "icons_localized",
        "de",
        "x/y",
        "*",
    ]
)
VALUES = st.recursive(
    st.none() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
)


@given(VALUES)
def test_identity_locality_and_agreement(value):
    text = json.dumps(value, ensure_ascii=False)
    assert rewrite(text, lambda link: None) == text
    targets = [link.target for link in links(text)]
    written = rewrite(text, lambda link: link.target)
    assert [link.target for link in links(written)] == targets
    assert [link.reference for link in links(text)] == [one.text for one in read(text).references()]


MANIFESTS = [
    {"name": "x", "start_url": "/"},
    {"scope": ""},
    {"icons": [{"src": "a.png"}]},
    {"icons": [1, {}], "x": 1},
    {"screenshots": [{"src": "a.png"}]},
    {"shortcuts": [{"url": "a"}], "icons": None},
]


OTHERS = [
    # a build tool's list of what it made; a browser extension; a description of images; a plug-in
    {"index.html": {"file": "assets/index-1.js", "src": "index.html", "isEntry": True}},
    {"manifest_version": 3, "icons": {"16": "i.png"}, "action": {"default_icon": "i.png"}},
    {"id": "https://x.example/iiif", "type": "Manifest", "items": [{"id": "p1"}]},
    {"id": "not a URI", "url": "x"},
    {"icons": ["a.png"], "start_url": None, "scope": ["a"], "screenshots": [], "shortcuts": "x"},
    {},
    [],
    [{"start_url": "/"}],
    "start_url",
    None,
]


@pytest.mark.parametrize(("values", "expected"), [(MANIFESTS, True), (OTHERS, False)])
def test_members_tell_a_manifest(values: list[object], *, expected: bool) -> None:
    assert [is_manifest(json.dumps(value)) for value in values] == [expected] * len(values)


def test_of_members_of_the_same_name_the_last_tells() -> None:
    assert not is_manifest('{"scope": "/", "scope": 1}')
    assert is_manifest('{"scope": 1, "scope": "/"}')

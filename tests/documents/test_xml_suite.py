"""The feeds of a public suite: every reference in them has the base that the suite expects.

- A comment at the beginning of each file has the headers and the expected value. The files were retrieved from
  `http://127.0.0.1:8097`; a `Content-Location` is the base there only if that is asked for, as it is here.
- The value is a reference resolved, or markup with one in it; or the base of an element: then every reference in that
  element has it. An element without a reference is given one.
- What is expected to fail is listed with the reason; what is listed and passes is an error.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from rehref.documents.base import Candidate, Layers
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.uri.resolver import Profile

_BASE64 = "Base64 (Atom 0.3) is not read"
_EXPECTED_FAILURES = {
    **{
        f"http_{name}.xml": _BASE64
        for name in (
            "entry_content_base64_base_content_location",
            "entry_summary_base64_base_content_location",
            "entry_summary_base64_base_docuri",
            "entry_title_base64_base_content_location",
            "entry_title_base64_base_docuri",
            "feed_copyright_base64_base_content_location",
            "feed_copyright_base64_base_docuri",
            "feed_info_base64_base_content_location",
            "feed_info_base64_base_docuri",
            "feed_tagline_base64_base_docuri",
            "feed_title_base64_base_content_location",
            "feed_title_base64_base_docuri",
        )
    },
    "malformed_base.xml": "the RFC has an empty host in http:///x/; browsers skip a slash (profile whatwg)",
}


class Case(NamedTuple):
    """A file, what the suite expects of which part of it, and the `Content-Location`."""

    name: str
    data: bytes
    path: str
    expected: str
    location: str | None


def cases(suites: Path) -> list[Case]:
    found = []
    for path in sorted((suites / "xmlbase").glob("*.xml")):
        text = path.read_text(encoding="utf-8")
        expect = re.search(r"^Expect: +not bozo and (\S+) == (.+)$", text, re.MULTILINE)
        assert expect is not None, path.name
        location = re.search(r"^Header: +Content-Location: (\S+)$", text, re.MULTILINE)
        data = text.replace("blah blah blah", '<a href="test.html">test</a>').encode()
        found.append(
            Case(path.name, data, expect[1], ast.literal_eval(expect[2]), None if location is None else location[1])
        )
    return found


def links_of(case: Case, profile: Profile = "rfc3986") -> list[Link]:
    entity = () if case.location is None else (Candidate(case.location, "entity", "Content-Location"),)
    layers = Layers(entity, f"http://127.0.0.1:8097/tests/wellformed/base/{case.name}")
    document = read_document(case.data, "text/xml", None, layers, ReadOptions(profile=profile))
    return [link for link in document.links() if link.kind != "base"]


def passes(case: Case, profile: Profile = "rfc3986") -> bool:
    links = links_of(case, profile)
    if case.path.endswith("['base']"):
        return bool(bases := bases_in(case, links)) and bases == {case.expected}
    markup = re.search(r'<a href="(.*)">', case.expected)
    expected = case.expected if markup is None else markup[1]
    return [link.target for link in links] == [expected]


def bases_in(case: Case, links: list[Link]) -> set[str | None]:
    """The bases of the references in the element that a case is about."""
    name = re.findall(r"\['(\w+?)(?:_detail)?'\]", case.path)[-2].encode()
    # the abstract in a channel definition holds text alone: its item is asked
    name = b"ITEM" if b"<CHANNEL" in case.data else name
    element = re.search(rb"<%b\b.*?</%b>" % (name, name), case.data, re.DOTALL)
    assert element is not None
    start, end = element.span()
    return {link.base.uri for link in links if link.span is not None and start <= link.span[0] < end}


def test_every_case(suites: Path) -> None:
    read = cases(suites)
    assert len(read) > 95
    failed = {case.name for case in read if not passes(case)}
    assert sorted(failed - _EXPECTED_FAILURES.keys()) == [], "these fail"
    assert sorted(_EXPECTED_FAILURES.keys() - failed) == [], "these are listed, but pass (by now)"


def test_browsers_read_the_malformed_base_as_the_suite_does(suites: Path) -> None:
    (case,) = [case for case in cases(suites) if case.name == "malformed_base.xml"]
    assert passes(case, "whatwg")

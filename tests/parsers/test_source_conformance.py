"""The `source` core against html5lib's suites for HTML parsers: the attributes it finds are those of the right tree.

Each case is read as a str, as UTF-8 and as UTF-16. Cases that are known to fail are listed, with the reason, in
`source_expected_failures.txt` beside this file; one that is listed and does not fail is an error too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rehref.parsers.contract import HTML, MATHML, SVG, Source, Wanted
from rehref.parsers.source import CORE
from rehref.parsers.source.names import lower

EXPECTED_FAILURES = Path(__file__).with_name("source_expected_failures.txt")


class Case(NamedTuple):
    """A document, and the attributes it has: (namespace, element, attribute, value)."""

    name: str
    document: str
    attributes: list[tuple[str, str, str, str]]


def expected_failures(suite: str) -> dict[str, str]:
    """The cases of a suite that are expected to fail, and why."""
    lines = EXPECTED_FAILURES.read_text(encoding="utf-8").splitlines()
    listed = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {name: reason for name, reason in listed if name.startswith(suite)}


def names_in(case: Case) -> set[str]:
    """The names of all attributes a document may be read to have."""
    words = re.findall("[^\t\n\f\r />=\"']+", case.document)
    return {lower(name) for _, _, name, _ in case.attributes} | {lower(word).replace("\0", "\ufffd") for word in words}


def found(source: Source, wanted: Wanted) -> list[tuple[str, str, str, str]]:
    return [
        (namespace, element, attribute, value)
        for element, namespace, attribute, value, *_ in CORE.parse(source, wanted).places
        if attribute is not None
    ]


def sources(document: str) -> Iterator[tuple[Source, bool]]:
    """A document in several forms; whether names that are not ASCII can be wanted in it."""
    yield Source(document), True
    if re.search("[\ud800-\udfff]", document) is None:
        yield Source(document.encode("utf-8"), "utf-8"), False
        yield Source(document.encode("utf-16-le"), "utf-16le"), True


def failures(cases: list[Case], *, ordered: bool) -> set[str]:
    wanted = Wanted(frozenset().union(*map(names_in, cases)))
    wrong = set()
    for case in cases:
        for source, any_name in sources(case.document):
            attributes = [found(source, wanted), case.attributes]
            if not any_name:
                attributes = [[each for each in some if each[2].isascii()] for some in attributes]
            if not ordered:
                attributes = [sorted(set(some)) for some in attributes]
            if attributes[0] != attributes[1]:
                wrong.add(case.name)
    return wrong


def compare(suite: str, wrong: set[str], total: int, record: Any) -> None:
    """Compare what has failed with what was expected to fail."""
    expected = expected_failures(suite)
    record("passed", f"{total - len(wrong)} of {total}")
    assert sorted(wrong - expected.keys()) == [], "these fail"
    assert sorted(expected.keys() - wrong) == [], "these are listed, but do not fail (any more)"
    assert all(expected.values()), "every listed case has a reason"


# --- tree construction

_SECTION = re.compile("^#(data|errors|new-errors|document-fragment|script-off|script-on|document)\n", re.MULTILINE)
_PREFIXES = {"svg": SVG, "math": MATHML}
_ATTRIBUTE = re.compile(r" *(.[^=]*)=\"(.*)\"", re.DOTALL)


def tree_cases(path: Path) -> Iterator[Case]:
    """The cases of a file that are documents, parsed without scripting."""
    text = path.read_bytes().decode("utf-8")
    for number, part in enumerate(("\n" + text).split("\n#data\n")[1:], 1):
        sections = {}
        name, position = "data", 0
        for section in _SECTION.finditer(part):
            sections[name] = part[position : section.start()]
            name, position = section[1], section.end()
        sections[name] = part[position:]
        if "document-fragment" not in sections and "script-on" not in sections:
            yield Case(
                f"tree-construction/{path.name}#{number}",
                sections["data"].removesuffix("\n"),
                list(tree_attributes(sections["document"])),
            )


def tree_attributes(dump: str) -> Iterator[tuple[str, str, str, str]]:
    """The attributes in a dump of a tree (the format is described in the suite's README)."""
    namespace, element = HTML, ""
    for entry in ("\n" + dump.rstrip("\n")).split("\n| ")[1:]:
        line = entry.lstrip(" ")
        if line.startswith("<") and line.endswith(">"):
            prefix, space, name = line[1:-1].partition(" ")
            namespace, element = (_PREFIXES[prefix], name) if space and prefix in _PREFIXES else (HTML, line[1:-1])
        elif not line.startswith('"') and (attribute := _ATTRIBUTE.fullmatch(entry)) is not None:
            name = attribute[1]
            if (prefixed := re.fullmatch("(xlink|xml|xmlns) (.+)", name)) is not None:
                name = "xmlns" if prefixed[2] == "xmlns" else f"{prefixed[1]}:{prefixed[2]}"
            yield namespace, element, name, attribute[2]


def test_tree_construction(suites: Path, record_property: Any) -> None:
    files = sorted((suites / "html5lib" / "tree-construction").glob("*.dat"))
    wrong: set[str] = set()
    total = 0
    for path in files:
        cases = list(tree_cases(path))
        total += len(cases)
        wrong |= failures(cases, ordered=False)
    assert total > 1100
    compare("tree-construction/", wrong, total, record_property)


# --- the tokenizer

_BEGINNINGS = {
    "Data state": "",
    "PLAINTEXT state": "<plaintext>",
    "RCDATA state": "<{last}>",
    "RAWTEXT state": "<{last}>",
    "Script data state": "<script>",
    "CDATA section state": "<svg><![CDATA[",
}
"""What a document begins with to be in a state where a case begins."""

_DEFAULT_LAST = {"RCDATA state": "title", "RAWTEXT state": "xmp"}


def token_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, for each state they begin in."""
    tests = json.loads(path.read_text(encoding="utf-8")).get("tests", [])
    for number, test in enumerate(tests, 1):
        text, output = test["input"], test["output"]
        if test.get("doubleEscaped"):
            text, output = unescaped(text), unescaped(output)
        attributes = [
            (HTML, token[1], name, value)
            for token in output
            if token[0] == "StartTag"
            for name, value in token[2].items()
        ]
        for state in test.get("initialStates", ["Data state"]):
            last = test.get("lastStartTag") or _DEFAULT_LAST.get(state, "")
            beginning = _BEGINNINGS[state].format(last=last)
            yield Case(f"tokenizer/{path.name}#{number} {state}", beginning + text, attributes)


def unescaped(value: Any) -> Any:
    if isinstance(value, str):
        return re.sub(r"\\u([0-9a-fA-F]{4})", lambda escape: chr(int(escape[1], 16)), value)
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    if isinstance(value, dict):
        return {unescaped(name): unescaped(item) for name, item in value.items()}
    return value


def test_tokenizer(suites: Path, record_property: Any) -> None:
    files = sorted((suites / "html5lib" / "tokenizer").glob("*.test"))
    wrong: set[str] = set()
    total = 0
    for path in files:
        cases = list(token_cases(path))
        total += len(cases)
        wrong |= failures(cases, ordered=True) if cases else set()
    assert total > 6000
    compare("tokenizer/", wrong, total, record_property)


@pytest.mark.parametrize("suite", ["tree-construction/", "tokenizer/"])
def test_expected_failures_are_listed_once_with_a_reason(suite: str) -> None:
    listed = [line for line in EXPECTED_FAILURES.read_text(encoding="utf-8").splitlines() if line.startswith(suite)]
    assert all(re.fullmatch(r"[^\t]+\t[^\t]+", line) for line in listed)
    assert len(listed) == len(expected_failures(suite))

"""html5lib's suites for HTML parsers: tokenizer, tree construction, encoding.

- A case is a document and the attributes it has. Of tree construction, the cases are those that are documents, and are
  parsed without scripting; their attributes are those of the expected tree, and count as a set.
- The attributes of a case of the tokenizer are those of its start tags, in order. A case counts once for each state
  it begins in; a document is begun so that the tokenizer gets into that state.
- Names and values must be right. Every name the document may be read to have is wanted from the core.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from rehref.markup.cores import core
from rehref.markup.html_encoding import sniff_html
from rehref.markup.parsed import HTML, MATHML, SVG, Core, Wanted
from rehref.text import lower
from rehref.text.encoding import Source, lookup
from suites import TESTS, Result

SOURCE_CORE = core()

LIST = TESTS / "markup" / "source_expected_failures.txt"
ENCODING_LIST = TESTS / "text" / "encoding_expected_failures.txt"

Attribute: TypeAlias = tuple[str, str, str, str]
Forms: TypeAlias = Callable[[str], Iterable[tuple[Source, bool]]]
"""The sources to read for a document, and whether names that are not ASCII can be wanted in each."""


class Case(NamedTuple):
    """A document, and the attributes it has: (namespace, element, attribute, value)."""

    name: str
    document: str
    attributes: list[Attribute]


def text_alone(document: str) -> Iterator[tuple[Source, bool]]:
    """A document as a str."""
    yield Source(document), True


def text_and_bytes(document: str) -> Iterator[tuple[Source, bool]]:
    """A document as a str, in UTF-8 and in UTF-16."""
    yield Source(document), True
    if re.search("[\ud800-\udfff]", document) is None:
        yield Source(document.encode("utf-8"), "utf-8"), False
        yield Source(document.encode("utf-16-le"), "utf-16le"), True


def failures(cases: list[Case], *, ordered: bool, core: Core = SOURCE_CORE, forms: Forms = text_and_bytes) -> set[str]:
    """The cases in which a core finds other attributes than there are."""
    wanted = Wanted(frozenset().union(*map(_names, cases)))
    wrong = set()
    for case in cases:
        for source, any_name in forms(case.document):
            attributes = [_found(core, source, wanted), case.attributes]
            if not any_name:
                attributes = [[each for each in some if each[2].isascii()] for some in attributes]
            if not ordered:
                attributes = [sorted(set(some)) for some in attributes]
            if attributes[0] != attributes[1]:
                wrong.add(case.name)
    return wrong


def _names(case: Case) -> set[str]:
    """The names of all attributes a document may be read to have."""
    words = re.findall("[^\t\n\f\r />=\"']+", case.document)
    return {lower(name) for _, _, name, _ in case.attributes} | {lower(word).replace("\0", "\ufffd") for word in words}


def _found(core: Core, source: Source, wanted: Wanted) -> list[Attribute]:
    return [
        (namespace, element, attribute, value)
        for element, namespace, attribute, value, *_ in core.parse(source, wanted).places
        if attribute is not None
    ]


# --- tree construction

_SECTION = re.compile("^#(data|errors|new-errors|document-fragment|script-off|script-on|document)\n", re.MULTILINE)
_PREFIXES = {"svg": SVG, "math": MATHML}
_ATTRIBUTE = re.compile(r" *(.[^=]*)=\"(.*)\"", re.DOTALL)
_START_TAG = re.compile(r"<[a-zA-Z][^\s/>]*")


def tree_construction(suites: Path, core: Core = SOURCE_CORE, forms: Forms = text_and_bytes) -> Result:
    """Hold a core to the trees of the suite."""
    total = 0
    failed: set[str] = set()
    for cases in tree_files(suites):
        total += len(cases)
        failed |= failures(cases, ordered=False, core=core, forms=forms)
    return Result(total, frozenset(failed))


def tree_files(suites: Path) -> Iterator[list[Case]]:
    """The cases of tree construction that are documents, file by file."""
    for path in sorted((suites / "html5lib" / "tree-construction").glob("*.dat")):
        yield list(_tree_cases(path))


def numbered(document: str, attribute: str = "m={}") -> str:
    """A document with an attribute on every start tag that has the tag's number in it."""
    numbers = iter(range(1, len(document) + 1))
    return _START_TAG.sub(lambda tag: f"{tag[0]} {attribute.format(next(numbers))} ", document)


def _tree_cases(path: Path) -> Iterator[Case]:
    text = path.read_bytes().decode("utf-8")
    for number, part in enumerate(("\n" + text).split("\n#data\n")[1:], 1):
        sections = {}
        name, position = "data", 0
        for section in _SECTION.finditer(part):
            sections[name] = part[position : section.start()]
            name, position = section[1], section.end()
        sections[name] = part[position:]
        if "document-fragment" not in sections and "script-on" not in sections:
            document = sections["data"].removesuffix("\n")
            yield Case(f"tree-construction/{path.name}#{number}", document, list(_attributes(sections["document"])))


def _attributes(dump: str) -> Iterator[Attribute]:
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


def tokenizer(suites: Path) -> Result:
    """Hold the `source` core to the start tags of the tokenizer's suite."""
    total = 0
    failed: set[str] = set()
    for path in sorted((suites / "html5lib" / "tokenizer").glob("*.test")):
        cases = list(_token_cases(path))
        total += len(cases)
        if cases:
            failed |= failures(cases, ordered=True)
    return Result(total, frozenset(failed))


def _token_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, for each state they begin in."""
    tests = json.loads(path.read_text(encoding="utf-8")).get("tests", [])
    for number, test in enumerate(tests, 1):
        text, output = test["input"], test["output"]
        if test.get("doubleEscaped"):
            text, output = _unescaped(text), _unescaped(output)
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


def _unescaped(value: Any) -> Any:
    if isinstance(value, str):
        return re.sub(r"\\u([0-9a-fA-F]{4})", lambda escape: chr(int(escape[1], 16)), value)
    if isinstance(value, list):
        return [_unescaped(item) for item in value]
    if isinstance(value, dict):
        return {_unescaped(name): _unescaped(item) for name, item in value.items()}
    return value


# --- the encoding


def encoding(suites: Path) -> Result:
    """Hold `sniff_html` to the encodings of the suite."""
    total = 0
    failed = set()
    for path in sorted((suites / "html5lib" / "encoding").glob("*.dat")):
        for number, case in enumerate(path.read_bytes().split(b"#data\n")[1:], 1):
            data, rest = case.split(b"\n#encoding\n")
            total += 1
            if sniff_html(data, is_response=True).name != lookup(rest.split(b"\n")[0].decode()):
                failed.add(f"encoding/{path.name}#{number}")
    return Result(total, frozenset(failed))

"""The contract of a state: the URLs that a site answers, and the ids that fragments reach there; and its file.

The file is JSON lines. The first one is `{"format": "rehref-contract", "version": 1, "urls": N}`; then comes a line for
each resource, sorted by URL; then one for each broken link: `{"broken": [document, target, code, count]}`. The same
state gives the same bytes.
"""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from rehref.files.file_errors import FileError
from rehref.files.reading_files import whole_number
from rehref.site._pages.classifier import NUL
from rehref.site.site import Resource

FORMAT: Final = "rehref-contract"
VERSION: Final = 1
_MOST: Final = 128
FEWEST: Final = 8
"""Smaller samples say nothing."""
_REMEDY: Final = "write it again with rehref compare --save"


class Print(NamedTuple):
    """The hashes of the heading and of the text behind an id; 0: there is none."""

    heading: int = 0
    text: int = 0

    def likeness(self, other: Print) -> int:
        """Return in what two prints agree: 1: the heading; 2: the text; 3: both; 0: nothing."""
        return (self.heading == other.heading != 0) + 2 * (self.text == other.text != 0)

    @property
    def keys(self) -> tuple[tuple[int | None, int | None], ...]:
        """Itself, its text alone, and its heading alone."""
        return self, (None, self.text), (self.heading, None)


NO_PRINT: Final = Print()


class Sketch(NamedTuple):
    """A sample of the hashes of a text: all those below 2**32 >> `level`, sorted."""

    level: int = 0
    hashes: array[int] = array("I")

    @property
    def size(self) -> int:
        """About how many runs of words the text has."""
        return len(self.hashes) << self.level

    def at(self, level: int) -> frozenset[int]:
        """Return the hashes of the sample at a level that is not below its own."""
        return frozenset(self.hashes[: bisect_left(self.hashes, 1 << (32 - level))])

    def likeness(self, other: Sketch) -> float:
        """Return how much two texts have in common of both; 0 if the samples are too small to say."""
        level = max(self.level, other.level)
        ours, theirs = self.at(level), other.at(level)
        return len(ours & theirs) / len(ours | theirs) if min(len(ours), len(theirs)) >= FEWEST else 0.0

    def is_comparable(self, other: Sketch) -> bool:
        """Whether the samples are large enough to say how alike two texts are."""
        level = max(self.level, other.level)
        return min(len(self.at(level)), len(other.at(level))) >= FEWEST

    def share_of(self, other: Sketch) -> float:
        """Return how much of another text this one has; 0 if the sample is too small to say."""
        level = max(self.level, other.level)
        theirs = other.at(level)
        return len(theirs & self.at(level)) / len(theirs) if len(theirs) >= FEWEST else 0.0


class Details(NamedTuple):
    """What is known of the content of a page. `prints`: by the names that fragments reach."""

    title: str = ""
    canonical: str = ""
    noindex: bool = False
    text: Sketch = Sketch()
    prints: Mapping[str, Print] = {}

    def print_of(self, name: str) -> Print:
        """Return the print of a name; that of nothing if it has none."""
        return self.prints.get(name, NO_PRINT)


class Known(NamedTuple):
    """A broken link, whatever its line: the document, the target, the code."""

    document: str
    target: str
    code: str


class Contract(NamedTuple):
    """What a state promises, by URL, with the details that have been read; and how often each broken link occurs."""

    resources: dict[str, Resource]
    details: dict[str, Details]
    broken: Counter[Known]


_TEXTS: Final = {"digest": "", "title": "", "canonical": "", "text": ""}
_USUAL: Final[Mapping[str, Any]] = {"also": (), "to": None, "keeps": False, "status": 200, "noindex": False, **_TEXTS}
"""The values that are left out of a line."""


def contract_file(contract: Contract) -> bytes:
    """Return the content of the file. Values that say nothing are left out.

    A resource has `url`, `also`, `digest` (of the bytes), `status` and `to` (of a redirect), `to` and `keeps` (of a
    page that refreshes), and of a page `title`, `canonical`, `noindex`, `text` and `ids`. `text` is `LEVEL:HASHES`
    (base64): of the hashes of runs of four words (`word_runs.py`), those whose first LEVEL bits are 0, at most 128.
    `ids` has for each name the hashes of heading and text behind it, in 16 hexadecimal digits; "" if there is no text.
    """
    return "".join(f"{line}\n" for line in _lines(contract)).encode()


def _lines(contract: Contract) -> Iterator[str]:
    encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
    yield encode({"format": FORMAT, "version": VERSION, "urls": len(contract.resources)})
    for url, resource in sorted(contract.resources.items()):
        yield encode(_row(resource, contract.details.get(url, Details())))
    yield from (encode({"broken": [*known, count]}) for known, count in sorted(contract.broken.items()))


def _row(resource: Resource, details: Details) -> dict[str, Any]:
    values = {**resource._asdict(), **details._asdict(), "text": _text(details.text)}
    named = values.pop("named")
    del values["prints"]
    row = {key: value for key, value in values.items() if value != _USUAL.get(key)}
    if named is not None:
        row["ids"] = {name: _hex(details.print_of(name)) for name in sorted(resource.names)}
    return row


def _hex(print_: Print) -> str:
    return "" if print_ == NO_PRINT else f"{print_[0]:08x}{print_[1]:08x}"


def _text(sketch: Sketch) -> str:
    level, hashes = sketch
    while len(hashes) > _MOST:
        level += 1
        hashes = array("I", sorted(sketch.at(level)))
    return f"{level}:{b64encode(b''.join(each.to_bytes(4) for each in hashes)).decode()}" if hashes else ""


def is_contract(data: bytes) -> bool:
    """Whether a file begins like a contract."""
    return b"rehref-contract" in data[:100]


def read_contract(data: bytes, name: str) -> Contract:
    """Return the contract in a file called `name`. Unknown keys are skipped.

    Raises `FileError` for one of a newer version, and for what is not a contract.
    """
    version, contract = VERSION, Contract({}, {}, Counter())
    for number, line in enumerate(data.splitlines(), 1):
        try:
            found = json.loads(line)
            if number == 1:
                version = found["version"]
            if "broken" in found:
                document, target, code, times = found["broken"]
                contract.broken[Known(str(document), str(target), str(code))] += whole_number(times)
            elif "url" in found:
                _take(found, contract)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
            raise FileError(name, f"is not a contract: line {number} is damaged", _REMEDY) from error
        if version != VERSION:
            what = f"is a contract of version {version}, and this rehref reads {VERSION}"
            raise FileError(name, what, "update rehref, or " + _REMEDY)
    return contract


def _take(row: Mapping[str, Any], contract: Contract) -> None:
    """Add the resource of a line. Raises what wrong values raise."""
    values: dict[str, Any] = {
        key: (type(usual) if usual is not None else str)(row[key]) for key, usual in _USUAL.items() if key in row
    }
    values |= {"url": str(row["url"]), "also": tuple(map(str, row.get("also", ())))}
    if "ids" in row:
        values["named"] = NUL.join(map(str, row["ids"]))
        values["prints"] = {
            name: Print(int(text[:8], 16), int(text[8:16], 16)) for name, text in row["ids"].items() if text
        }
        level, _, hashes = row.get("text", "0:").partition(":")
        values["text"] = Sketch(whole_number(int(level), most=32), _unpacked(b64decode(hashes, validate=True)))
        contract.details[values["url"]] = Details(**{key: values[key] for key in Details._fields if key in values})
    whole_number(values.get("status", 200), 100, 999)
    resource = Resource(**{key: values[key] for key in Resource._fields if key in values})
    contract.resources[resource.url] = resource


def _unpacked(data: bytes) -> array[int]:
    return array("I", (int.from_bytes(data[at : at + 4]) for at in range(0, len(data), 4)))

"""The contract of a state: the URLs that a site answers, and the ids that fragments reach there; and its file.

1. A resource is a file or a redirect of the site. It is named by its `url`, an encoded path below the site: that
   of the file, or of the folder whose index it is. `also` has all other paths that the host answers with the same.
2. The file is JSON lines. The first one is `{"format": "rehref-contract", "version": 1, "urls": N}`; then comes a line
   for each resource, sorted by URL: `url`, `also`, `digest` (of the bytes), `status` and `to` (of a redirect), `to`
   and `keeps` (of a page that refreshes), and of a page `title`, `canonical`, `noindex`, `text` and `ids`; then one
   for each broken link: `{"broken": [document, target, code, count]}`. Values that say nothing are left out. The same
   state gives the same bytes.
3. `text` is `LEVEL:HASHES` (base64): of the hashes of runs of four words (`pages.py`), those whose first LEVEL bits are
   0, at most 128. `ids` has for each name the hashes of heading and text behind it, in 16 hexadecimal digits; "" if
   there is no text.
4. A file of a newer version, and one that is not a contract, is a `FileError`. Unknown keys are skipped.
"""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from rehref.checking.pages.classifier import NUL
from rehref.files.file_errors import FileError
from rehref.files.writing import write_atomically

FORMAT: Final = "rehref-contract"
VERSION: Final = 1
_MOST: Final = 128
_REMEDY: Final = "write it again with rehref compare --save"

Print: TypeAlias = tuple[int, int]
"""The hashes of the heading and of the text behind an id; 0: there is none."""
NO_PRINT: Final[Print] = (0, 0)


class Sketch(NamedTuple):
    """A sample of the hashes of a text: all those below 2**32 >> `level`, sorted."""

    level: int
    hashes: array[int]

    @property
    def size(self) -> int:
        """About how many runs of words the text has."""
        return len(self.hashes) << self.level

    def at(self, level: int) -> frozenset[int]:
        """Return the hashes of the sample at a level that is not below its own."""
        return frozenset(each for each in self.hashes if each < 1 << (32 - level))


class Details(NamedTuple):
    """What is known of the content of a page. `prints`: by the names that fragments reach."""

    title: str = ""
    canonical: str = ""
    is_left_out: bool = False
    sketch: Sketch = Sketch(0, array("I"))
    prints: Mapping[str, Print] = {}


class Resource(NamedTuple):
    """A resource (rule 1). `to`: where it redirects or refreshes to; `keeps`: whether a page keeps the fragment then.

    `named`: what fragments reach, separated by NUL; None: nothing is known of that, as it is not a page.
    """

    url: str
    also: tuple[str, ...] = ()
    digest: str = ""
    status: int = 200
    to: str = ""
    keeps: bool = False
    named: str | None = None
    details: Details | None = None

    @property
    def names(self) -> frozenset[str]:
        """What fragments reach."""
        return frozenset(self.named.split(NUL)) - {""} if self.named else frozenset()

    @property
    def content(self) -> Details:
        """The details; those that say nothing if they are not known."""
        return Details() if self.details is None else self.details

    @property
    def is_redirect(self) -> bool:
        """Whether the host redirects, so that there is no content."""
        return self.status >= 300


class Known(NamedTuple):
    """A broken link, whatever its line: the document, the target, the code."""

    document: str
    target: str
    code: str


class Contract(NamedTuple):
    """What a state promises, and how often each broken link occurs in it."""

    resources: tuple[Resource, ...]
    broken: Counter[Known]


def write_contract(path: Path, contract: Contract) -> None:
    """Write the file (rule 2). Raises `FileError`."""
    write_atomically(path, "".join(f"{line}\n" for line in _lines(contract)).encode())


def _lines(contract: Contract) -> Iterator[str]:
    encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
    resources = sorted(contract.resources, key=lambda each: each.url)
    yield encode({"format": FORMAT, "version": VERSION, "urls": len(resources)})
    yield from (encode(_object(each)) for each in resources)
    yield from (encode({"broken": [*known, count]}) for known, count in sorted(contract.broken.items()))


def _object(of: Resource) -> dict[str, Any]:
    found: dict[str, Any] = {"url": of.url, "also": of.also, "digest": of.digest, "to": of.to, "keeps": of.keeps}
    if of.status != 200:
        found["status"] = of.status
    if of.details is not None:
        found |= {"title": of.details.title, "canonical": of.details.canonical, "noindex": of.details.is_left_out}
        found["text"] = _text(of.details.sketch)
    found = {key: value for key, value in found.items() if value or key == "url"}
    if of.named is not None:
        prints = {} if of.details is None else of.details.prints
        found["ids"] = {name: _hex(prints.get(name, NO_PRINT)) for name in sorted(of.names)}
    return found


def _hex(print_: Print) -> str:
    return "" if print_ == NO_PRINT else f"{print_[0]:08x}{print_[1]:08x}"


def _text(sketch: Sketch) -> str:
    level, hashes = sketch.level, sketch.hashes
    while len(hashes) > _MOST:
        level += 1
        hashes = array("I", sorted(sketch.at(level)))
    return f"{level}:{b64encode(b''.join(each.to_bytes(4) for each in hashes)).decode()}" if hashes else ""


def is_contract(data: bytes) -> bool:
    """Whether a file begins like a contract."""
    return b"rehref-contract" in data[:100]


def read_contract(data: bytes, name: str) -> Contract:
    """Return the contract in a file called `name`. Raises `FileError` (rule 4)."""
    version, resources, broken = VERSION, list[Resource](), Counter[Known]()
    for number, line in enumerate(data.splitlines(), 1):
        try:
            found = json.loads(line)
            if number == 1:
                version = found["version"]
            if "broken" in found:
                document, target, code, times = found["broken"]
                broken[Known(str(document), str(target), str(code))] += int(times)
            elif "url" in found:
                resources.append(_resource(found))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise FileError(name, f"is not a contract: line {number} is damaged", _REMEDY) from error
        if version != VERSION:
            what = f"is a contract of version {version}, and this rehref reads {VERSION}"
            raise FileError(name, what, "update rehref, or " + _REMEDY)
    return Contract(tuple(resources), broken)


def _resource(found: Mapping[str, Any]) -> Resource:
    """Return the resource of a line. Raises what wrong values raise."""
    named, details = None, None
    if "ids" in found:
        named = NUL.join(map(str, found["ids"]))
        prints = {name: (int(text[:8], 16), int(text[8:], 16)) for name, text in found["ids"].items() if text}
        level, _, hashes = found.get("text", "0:").partition(":")
        if int(level) not in range(33):
            raise ValueError(level)
        sketch = Sketch(int(level), _unpacked(b64decode(hashes, validate=True)))
        title, canonical = (str(found.get(key, "")) for key in ("title", "canonical"))
        details = Details(title, canonical, bool(found.get("noindex")), sketch, prints)
    also: Iterable[object] = found.get("also", ())
    digest, to = (str(found.get(key, "")) for key in ("digest", "to"))
    keeps, status = bool(found.get("keeps")), int(found.get("status", 200))
    return Resource(str(found["url"]), tuple(map(str, also)), digest, status, to, keeps, named, details)


def _unpacked(data: bytes) -> array[int]:
    return array("I", (int.from_bytes(data[at : at + 4]) for at in range(0, len(data), 4)))

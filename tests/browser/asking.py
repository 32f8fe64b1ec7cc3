"""Asks Chromium for the references in the attributes of many documents, and for their URLs (`asking.js`).

- A text is parsed by `DOMParser`, as a document of a page with the URL asked for. A response is loaded in a frame
  without scripts, several at a time.
- Nothing else is loaded: a content security policy forbids it, and no host but one leads anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import chromium
import devtools

from local_server import Quiet, served_by
from rehref.documents._carriers.html_attributes import HTML_CARRIERS, MATHML_CARRIERS, SVG_CARRIERS

_HERE = Path(__file__).resolve().parent
# in windows-1252, since a document in a frame that declares no encoding has that of the page around
_HARNESS = b"<!DOCTYPE html><meta charset=windows-1252><title>Harness</title><body>"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

Found: TypeAlias = tuple[str, str, str, str | None]
"""Element, attribute, text (trimmed), URL (None: none)."""


class Response(NamedTuple):
    """What the server sends."""

    data: bytes
    content_type: str


class Answer(NamedTuple):
    """What Chromium says of a document: its base and those of documents in it, all references in tree order."""

    bases: str
    found: Sequence[Found]


class Asker:
    """A tab that answers."""

    def __init__(self, tab: devtools.Tab, served: dict[str, Response]) -> None:
        self._tab, self._served = tab, served
        self._carriers = json.dumps(_carriers())
        self.begin()

    def begin(self) -> None:
        """Begin with a new page: what the one before kept is freed."""
        self._tab.open(chromium.url("/"))
        self._tab.run("\n".join((_HERE / name).read_text("utf-8") for name in ("collect.js", "asking.js")))

    def parsed(self, texts: Sequence[str], path: str) -> list[Answer]:
        """What it says of texts, as documents at a path."""
        return self._ask(f"parsed({json.dumps(texts)}, {json.dumps(path)}, {self._carriers})")

    def loaded(self, responses: Mapping[str, Response]) -> list[Answer]:
        """What it says of responses, by path; the first folder of each path is its own."""
        self.serve(responses)
        return self._ask(f"loaded({json.dumps(list(responses))}, {self._carriers})")

    def serve(self, responses: Mapping[str, Response]) -> None:
        """Have the server send these, and nothing else but the page around them."""
        self._served.clear()
        self._served.update({path.split("/")[1]: response for path, response in responses.items()})

    def run(self, expression: str) -> Any:
        """What an expression gives in the page."""
        return self._tab.run(expression)

    def _ask(self, expression: str) -> list[Answer]:
        answers = self.run(expression)
        return [Answer(each["bases"], [tuple(one) for one in each["found"]]) for each in answers]


NOT_OF_THE_DOM = frozenset(
    {("param", "value"), ("set", "to"), *(("animate", name) for name in ("from", "to", "values"))}
)
"""Elements and attributes of which a page cannot be asked what they resolve to."""


def _carriers() -> dict[str, dict[str, dict[str, str]]]:
    """The micro-syntax of each attribute, by namespace and element."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for namespace, table in (("html", HTML_CARRIERS), ("svg", SVG_CARRIERS), ("mathml", MATHML_CARRIERS)):
        for (element, attribute), carrier in table.items():
            if carrier.syntax != "curie" and (element, attribute) not in NOT_OF_THE_DOM:
                found.setdefault(namespace, {}).setdefault(element, {})[attribute] = carrier.syntax
    return found


@contextmanager
def asking(program: str, profile: Path) -> Iterator[Asker]:
    """Start Chromium, with an empty folder for its own use, and the server."""
    served: dict[str, Response] = {}

    class Handler(Quiet):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one piece: in two, each load takes 40 ms longer

        def do_GET(self) -> None:
            response = served.get(self.path.split("/")[1])
            data, content_type = response or Response(_HARNESS, "text/html")
            headers = {"Content-Type": content_type, "Content-Length": str(len(data)), "Cache-Control": "no-store"}
            if response is not None:
                headers["Content-Security-Policy"] = _POLICY
            self.send_response(200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    with served_by(Handler) as port, devtools.browser(program, port, profile) as browser:
        yield Asker(devtools.Tab(browser), served)

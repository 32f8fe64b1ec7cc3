"""Asks a headless Chromium which URLs it finds in documents.

- One launch answers for any number of documents. Each is loaded in a frame, one after the other, by a page that
  collects what it finds (`collect.js`) and leaves it in its own DOM, which `--dump-dom` prints.
- A document has the same URL in all its versions: each time it is asked for, the server gives the next one.
- Nothing but these documents is ever loaded: their host leads to a server on this machine and every other host
  nowhere, and a content security policy forbids what they would embed. The URLs in them are only read.
- Scripting is off in the documents (their frame is a sandbox), so `noscript` is markup.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from base64 import b64decode
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from local_server import Quiet, served_by
from patience import PATIENCE

HOST = "pages.example"
"""The host that documents are loaded from."""

_COLLECT = Path(__file__).with_name("collect.js")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
# in windows-1252, since a document in a frame that declares no encoding has that of the page around
_HARNESS = """<!DOCTYPE html>
<meta charset="windows-1252">
<title>Harness</title>
<body>
<script src="/collect.js"></script>
<script>collectAll({documents})</script>
"""
_ANSWERS = re.compile(r'<pre id="answers">([A-Za-z0-9+/=]*)</pre>')


class Document(NamedTuple):
    """A document to load: where it is loaded from, which of its versions this is, and what it holds."""

    path: str
    version: str
    data: bytes
    content_type: str = "text/html"


class Found(NamedTuple):
    """A reference that Chromium finds.

    `attribute`: `rule` and `computed …` for style. `value`: what is written; nothing, of what is computed. `url`: the
    URL, or what is written where Chromium makes none of it.
    """

    element: str
    attribute: str
    value: str
    url: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What Chromium says of a document: its base URL, its encoding, and all references in tree order."""

    base: str
    encoding: str
    found: tuple[Found, ...]


def url(path: str) -> str:
    """The URL that a document is loaded from."""
    return f"http://{HOST}{path}"


def find_chromium() -> str | None:
    """The program, if this machine has one; `$REHREF_CHROMIUM` names another."""
    names = (os.environ.get("REHREF_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


def needed() -> str:
    """The program; without one, the test is skipped."""
    program = find_chromium()
    if program is None:
        pytest.skip("there is no chromium here ($REHREF_CHROMIUM names one in another place)")
    return program


def ask(program: str, documents: Iterable[Document], profile: Path) -> dict[tuple[str, str], Answer]:
    """Load all documents: path and version to what Chromium says.

    `profile`: an empty folder for Chromium's own use. Raises `subprocess.TimeoutExpired` if it hangs, and
    AssertionError if it says nothing.
    """
    pages = list(documents)
    with _serve(pages) as port:
        dom = _dump(program, port, profile)
    answers = _ANSWERS.search(dom)
    assert answers is not None, f"no answers in {dom[-2000:]!r}"
    return {
        (answer["path"], answer["version"]): Answer(
            answer["base"], answer["encoding"], tuple(Found(*found) for found in answer["found"])
        )
        for answer in json.loads(b64decode(answers[1]))
    }


def _dump(program: str, port: int, profile: Path) -> str:
    """The DOM of the harness, when it has loaded everything from the server at `port`."""
    command = [
        program,
        "--headless=new",
        "--no-sandbox",  # root, in a container, can have none
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--no-proxy-server",
        f"--host-resolver-rules=MAP {HOST} 127.0.0.1:{port}, MAP * ~NOTFOUND",
        f"--user-data-dir={profile}",
        "--dump-dom",
        url("/harness.html"),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", start_new_session=True
    )
    try:
        return process.communicate(timeout=PATIENCE)[0]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it has started too
        process.communicate()


@contextmanager
def _serve(documents: Sequence[Document]) -> Iterator[int]:
    """Serve the documents and the harness from a port of this machine, which is given."""
    keys = json.dumps([[document.path, document.version] for document in documents])
    waiting: defaultdict[str, deque[Document]] = defaultdict(deque)
    for document in documents:
        waiting[document.path].append(document)
    own = {
        "/harness.html": (_HARNESS.format(documents=keys).encode("ascii"), "text/html"),
        "/collect.js": (_COLLECT.read_bytes(), "text/javascript; charset=utf-8"),
    }

    class Handler(Quiet):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one piece: in two, each load takes 40 ms longer

        def do_GET(self) -> None:
            if self.path in own:
                self.answer(*own[self.path])
            elif waiting[self.path]:
                document = waiting[self.path].popleft()
                self.answer(document.data, document.content_type, {"Content-Security-Policy": _POLICY})
            else:
                self.answer(b"", "text/plain", None, 404)

        def answer(
            self, data: bytes, content_type: str, more: Mapping[str, str] | None = None, code: int = 200
        ) -> None:
            self.send_response(code)
            headers = {"Content-Type": content_type, "Content-Length": str(len(data)), "Cache-Control": "no-store"}
            for name, value in {**headers, **(more or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    with served_by(Handler) as port:
        yield port

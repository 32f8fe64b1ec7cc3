"""An editor for tests: it speaks the protocol on the pipes of a server, and applies the edits that it gets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, Any, Final, Protocol

from patience import PATIENCE

_UNITS: Final = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Server(Protocol):
    """A server that runs: `incoming` goes to it, `outgoing` comes from it."""

    incoming: IO[bytes]
    outgoing: IO[bytes]

    def wait(self) -> int:
        """Wait until it has ended; its exit code."""

    def kill(self) -> None:
        """End it at once, and close the pipes."""

    def errors(self) -> str:
        """What it has written to standard error, when it has ended."""


class ServerProcess:
    """`rehref lsp` as people have it: a process."""

    def __init__(self, folder: Path) -> None:
        command, pipe = [sys.executable, "-m", "rehref", "lsp"], subprocess.PIPE
        self._process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.incoming, self.outgoing = self._process.stdin, self._process.stdout

    def wait(self) -> int:
        return self._process.wait(PATIENCE)

    def kill(self) -> None:
        self._process.kill()
        self.wait()
        for pipe in (self._process.stdin, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def errors(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read().decode()


class Editor:
    """An editor with one folder open. `encodings`: those of positions that it offers; without any, it says nothing.

    `begins`: whether it sends `initialize`; `versions`: whether it takes edits for one version of a document. `server`:
    by default, a process.
    """

    def __init__(
        self,
        folder: Path,
        *encodings: str,
        begins: bool = True,
        versions: bool = True,
        server: Server | None = None,
    ) -> None:
        self.folder, self.units = folder, "utf-16"
        self.server = server or ServerProcess(folder.parent)
        self.texts: dict[str, str] = {}
        self.said: list[str] = []
        self._published: dict[str, dict[str, Any]] = {}
        self.reported: set[str] = set()
        """The documents about which the server has said what is wrong with them, by URIs."""
        self._heard: Queue[dict[str, Any] | None] = Queue()
        self._number = 0
        self._versions: dict[str, int] = {}
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        workspace = {
            "didChangeWatchedFiles": {"dynamicRegistration": True},
            "fileOperations": {"willRename": True},
            **({"workspaceEdit": {"documentChanges": True}} if versions else {}),
        }
        self.begin_params = {
            "processId": None,
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "site"}],
            "capabilities": {
                "general": {"positionEncodings": list(encodings)} if encodings else {},
                "workspace": workspace,
                "textDocument": {"rename": {"prepareSupport": True}},
            },
        }
        if begins:
            self.begin()

    def begin(self) -> None:
        self.units = self.ask("initialize", self.begin_params)["capabilities"]["positionEncoding"]
        self.tell("initialized", {})

    def uri(self, path: str) -> str:
        return (self.folder / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        self.texts[path] = (self.folder / path).read_bytes().decode() if text is None else text
        self._versions[path] = 1
        item = {"uri": self.uri(path), "languageId": "x", "version": 1, "text": self.texts[path]}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, path: str, text: str) -> None:
        self.texts[path] = text
        self._versions[path] += 1
        document = {"uri": self.uri(path), "version": self._versions[path]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self, path: str) -> None:
        del self.texts[path], self._versions[path]
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def at(self, path: str, mark: str, offset: int = 0) -> dict[str, Any]:
        """The parameters for a position: that of a text which occurs once, or some characters after it."""
        assert self.texts[path].count(mark) == 1
        place = self.place(self.texts[path], self.texts[path].index(mark) + offset)
        return {"textDocument": {"uri": self.uri(path)}, "position": place}

    def place(self, text: str, offset: int) -> dict[str, int]:
        before = text[:offset].replace("\r\n", "\n").split("\n")
        name, size = _UNITS[self.units]
        return {"line": len(before) - 1, "character": len(before[-1].encode(name)) // size}

    def at_range(self, text: str, where: dict[str, Any]) -> str:
        """The characters in a range."""
        start, end = (self._offset(text, where[name]) for name in ("start", "end"))
        return text[start:end]

    def edits(self, edit: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """The edits of each document, by URIs; they must be for the version that is open, and for none if none is."""
        versions = {self.uri(path): version for path, version in self._versions.items()}
        for each in edit["documentChanges"]:
            assert each["textDocument"]["version"] == versions.get(each["textDocument"]["uri"])
        return {each["textDocument"]["uri"]: each["edits"] for each in edit["documentChanges"]}

    def edited(self, text: str, edits: list[dict[str, Any]]) -> str:
        """A text with edits applied."""
        for edit in reversed(edits):
            start, end = (self._offset(text, edit["range"][name]) for name in ("start", "end"))
            text = text[:start] + edit["newText"] + text[end:]
        return text

    def _offset(self, text: str, position: dict[str, int]) -> int:
        name, size = _UNITS[self.units]
        lines = [*text.splitlines(keepends=True), ""]
        line = lines[position["line"]].encode(name)
        return sum(map(len, lines[: position["line"]])) + len(line[: position["character"] * size].decode(name))

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request; of an error, the whole answer."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        message = self.answer(self._number)
        return message["result"] if "error" not in message else message

    def answer(self, id: Any) -> dict[str, Any]:
        """The answer to the request that has this id."""
        while (message := self._next()).get("id", "") != id or "method" in message:
            self._take(message)
        return message

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, message: Any) -> None:
        self.write(json.dumps(message).encode())

    def write(self, body: bytes) -> None:
        self.server.incoming.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.server.incoming.flush()

    def published(self, path: str) -> list[Any]:
        """The diagnostics of a document: if it is open, those of its text as it is now."""
        uri, version = self.uri(path), self._versions.get(path)
        while uri not in self._published or self._published[uri].get("version") != version:
            self._take(self._next())
        return list(self._published.pop(uri)["diagnostics"])

    def codes(self, path: str) -> list[str]:
        return [each["code"] for each in self.published(path)]

    def becomes(self, path: str, codes: list[str]) -> None:
        """Wait until a document has findings with these codes."""
        while self.codes(path) != codes:
            pass

    def hear(self, text: str) -> str:
        """The message for people that has some text, when it comes."""
        while not any(text in each for each in self.said):
            self._take(self._next())
        return next(each for each in self.said if text in each)

    def end(self) -> int:
        """End the server as an editor does; its exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.server.wait()

    def kill(self) -> None:
        """End the server at once."""
        self.server.kill()
        self._listener.join(PATIENCE)

    def _take(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        if method == "textDocument/publishDiagnostics":
            self._published[params["uri"]] = params
            self.reported.add(params["uri"])
        elif method == "window/showMessage":
            self.said.append(params["message"])
        elif method == "client/registerCapability":
            self.said.append(params["registrations"][0]["method"])
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def _next(self) -> dict[str, Any]:
        message = self._heard.get(timeout=PATIENCE)
        if message is None:
            raise AssertionError(self.server.errors())
        return message

    def _listen(self) -> None:
        with self.server.outgoing as out:  # closed by who reads it
            while line := out.readline():
                name, _, length = line.partition(b":")
                if name.lower() == b"content-length":
                    while out.readline().strip():
                        pass
                    message = out.read(int(length))
                    if len(message) == int(length):  # else it was cut off by the end of the server
                        self._heard.put(json.loads(message))
        self._heard.put(None)

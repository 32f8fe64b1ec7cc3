"""A server of WebHDFS on loopback, which shows a folder: Hadoop's file system over HTTP, as far as reading needs it.

https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/WebHDFS.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from local_server import Quiet, served_by

_PREFIX = "/webhdfs/v1"


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The root's URI, and the operations that were asked for so far."""
    asked: list[str] = []

    class Handler(_Handler):
        root, operations = folder, asked

    with served_by(Handler) as port:
        yield f"webhdfs://127.0.0.1:{port}", asked


class _Handler(Quiet):
    root: Path
    operations: list[str]

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        asked = {name.lower(): values[0] for name, values in parse_qs(url.query).items()}
        operation = asked["op"].upper()
        path = self.root / unquote(url.path).removeprefix(_PREFIX).strip("/")
        self.operations.append(operation)
        if not path.exists():
            found = {"exception": "FileNotFoundException", "javaClassName": "java.io.FileNotFoundException"}
            self._answer(404, {"RemoteException": {**found, "message": f"{path} does not exist"}})
        elif operation == "OPEN" and "from" not in asked:  # the name node names a data node
            self.send_response(307)
            self.send_header("Location", f"http://{self.headers['Host']}{self.path}&from=here")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif operation == "OPEN":
            self._content(path, int(asked.get("offset", 0)), int(asked.get("length", 1 << 62)))
        elif operation == "GETFILESTATUS":
            self._answer(200, {"FileStatus": _status(path, "")})
        elif operation == "LISTSTATUS":
            inside = sorted(path.iterdir()) if path.is_dir() else [path]
            found_there = [_status(each, each.name if path.is_dir() else "") for each in inside]
            self._answer(200, {"FileStatuses": {"FileStatus": found_there}})
        elif operation in ("GETFILEBLOCKLOCATIONS", "GET_BLOCK_LOCATIONS"):
            self._answer(200, {"BlockLocations": {"BlockLocation": []}})
        else:
            found = {"exception": "UnsupportedOperationException", "message": operation}
            self._answer(400, {"RemoteException": found})

    def _content(self, path: Path, offset: int, length: int) -> None:
        data = path.read_bytes()[offset : offset + length]
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _answer(self, code: int, found: Any) -> None:
        data = json.dumps(found).encode()
        self.send_response(code)  # without a media type: the classes that would parse it are not in Spark's jars
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _status(path: Path, name: str) -> dict[str, Any]:
    known = path.stat()
    return {
        "accessTime": 0,
        "blockSize": 1 << 27,
        "childrenNum": 0,
        "fileId": known.st_ino,
        "group": "users",
        "length": 0 if path.is_dir() else known.st_size,
        "modificationTime": known.st_mtime_ns // 1_000_000,
        "owner": "users",
        "pathSuffix": name,
        "permission": "644",
        "replication": 1,
        "storagePolicy": 0,
        "type": "DIRECTORY" if path.is_dir() else "FILE",
    }

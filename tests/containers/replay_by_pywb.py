"""What pywb replays of an archive: run by a Python that has pywb, with the paths of archives; not by the tests' own.

For each archive a line of JSON: for each URI whose capture is asked for, as a browser asks for it, the status and the
body of the last one; null if it is not found. The URIs are in a file beside the archive, `<archive>.uris`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

FUTURE = "20991231000000"


def replayed(archive: Path) -> dict[str, Any]:
    """The status and the body of each URI."""
    from pywb.indexer.cdxindexer import write_cdx_index
    from pywb.warcserver.warcserver import WarcServer

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, archive.name)
        shutil.copy(archive, copy)
        index = Path(folder, "index.cdxj")
        with copy.open("rb") as file, index.open("wb") as out:
            write_cdx_index(out, file, copy.name, append_post=True, sort=True, cdxj=True)
        collections = {"c": {"index_paths": str(index), "archive_paths": f"{folder}/"}}
        server = WarcServer(config_file=None, custom_config={"collections": collections, "enable_auto_colls": False})
        uris = Path(f"{archive}.uris").read_text("utf-8").splitlines()
        return {uri: answer(server, uri) for uri in uris}


def answer(server: Any, uri: str) -> Any:
    """The status and the body of the last capture of a URI."""
    from warcio.archiveiterator import ArchiveIterator

    found: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/c/resource",
        "QUERY_STRING": f"url={quote(uri, safe='')}&closest={FUTURE}",
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "HTTP_HOST": "localhost",
    }
    data = b"".join(server(environ, lambda status, fields, info=None: found.append(status)))
    if not found[0].startswith("200"):
        return None
    for record in ArchiveIterator(BytesIO(data)):
        return [int(record.http_headers.get_statuscode()), record.content_stream().read().decode("latin-1")]
    return None


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(json.dumps(replayed(Path(name))), flush=True)

"""Files called `manifest.json` that are no web app manifests, and so no documents.

1. Their name alone does not tell: build tools, browser extensions and others call their own lists so. Read as manifests
   are those that look like one (`rehref.documents.formats.manifest`, rule 6).
2. One that cannot be read is left to whoever reads documents, to tell.
"""

from __future__ import annotations

from pathlib import Path

from rehref.documents.formats.manifest import is_manifest
from rehref.documents.reading import encoding_of
from rehref.documents.types.media_types import MANIFEST_NAME, MANIFEST_TYPE
from rehref.text.charsets import decode


def is_other_json(folder: Path, path: str) -> bool:
    """Whether the file at a path below the folder is called like a web app manifest, and is none. Raises nothing."""
    if not path.endswith(MANIFEST_NAME) or path.rpartition("/")[2] != MANIFEST_NAME:
        return False
    try:
        data = (folder / path).read_bytes()
    except OSError:
        return False
    sniffed = encoding_of(data, MANIFEST_TYPE)
    return not is_manifest(decode(data[sniffed.bom :], sniffed.name))

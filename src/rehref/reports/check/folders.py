"""The folders that findings are in: those one level below the folder that all are in."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

HERE = "./"
"""What is said of documents in the common folder itself."""


def common_folder(documents: Iterable[str]) -> str:
    """The folder that all documents are in, with a slash behind it; "" for the one that was checked."""
    folders = {document.rpartition("/")[0] for document in documents}
    if not folders or "" in folders:
        return ""
    common = posixpath.commonpath(folders)
    return f"{common}/" if common else ""


def folder_of(document: str, above: str) -> str:
    """The folder of a document, one level below `above`, with a slash behind it."""
    name, slash, _ = document.removeprefix(above).partition("/")
    return f"{above}{name}/" if slash else above or HERE

"""The folders that findings are in: those one level below the folder that all are in."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

HERE = "./"
"""What is said of documents in the common folder itself."""


def common_folder(documents: Iterable[str]) -> str:
    """The folder that all documents (their paths, or URLs) are in, with a slash behind it; "" for the one checked."""
    folders = {document.rpartition("/")[0] for document in documents}
    if not folders or "" in folders:
        return ""
    pieces = [folder.split("/") for folder in folders]
    # what the first and the last of all begin with, all between them begin with, too
    both = zip(min(pieces), max(pieces), strict=False)
    return "".join(f"{one}/" for one, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def folder_of(document: str, above: str) -> str:
    """The folder of a document, one level below `above`, with a slash behind it."""
    name, slash, _ = document.removeprefix(above).partition("/")
    return f"{above}{name}/" if slash else above or HERE

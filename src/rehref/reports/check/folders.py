"""The folders of findings: those one level below their common folder."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

HERE = "./"
"""The label of documents in the common folder itself."""


def common_folder(documents: Iterable[str]) -> str:
    """The folder of all documents (their paths, or URLs), with a slash at its end; "" for the checked folder."""
    folders = {document.rpartition("/")[0] for document in documents}
    if not folders or "" in folders:
        return ""
    pieces = [folder.split("/") for folder in folders]
    # the common beginning of the first and the last is that of all between them, too
    both = zip(min(pieces), max(pieces), strict=False)
    return "".join(f"{one}/" for one, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def folder_of(document: str, above: str) -> str:
    """The folder of a document, one level below `above`, with a slash at its end."""
    name, slash, _ = document.removeprefix(above).partition("/")
    return f"{above}{name}/" if slash else above or HERE

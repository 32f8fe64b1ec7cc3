"""Where documents are written in place: each file once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.cli._commands.rewrite.written_to import in_place
from rehref.files.file_documents import FileDocument


@pytest.fixture
def ignoring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are the same in upper and lower case."""
    monkeypatch.setattr("rehref.files.file_documents.ignores_case", lambda folder: True)


def _site(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("<a href=x>")
    return folder


@pytest.mark.usefixtures("ignoring")
def test_in_place_a_file_is_rewritten_once_however_it_is_spelled(tmp_path: Path) -> None:
    site = _site(tmp_path / "site", "a.html", "A.html")
    found = [
        FileDocument(str(site / name), site / name, name, None, number)
        for number, name in enumerate(["a.html", "A.html"])
    ]
    assert len(in_place(found, [document.name for document in found])) == 1

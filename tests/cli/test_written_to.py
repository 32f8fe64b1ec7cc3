"""Where documents are written in place: each file once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import site_of
from rehref.cli._commands.rewrite.written_to import in_place
from rehref.files.file_documents import FileDocument


@pytest.mark.usefixtures("ignoring")
def test_in_place_a_file_is_rewritten_once_however_it_is_spelled(tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", "a.html", "A.html")
    found = [
        FileDocument(str(site / name), site / name, name, None, number)
        for number, name in enumerate(["a.html", "A.html"])
    ]
    assert len(in_place(found, [document.name for document in found])) == 1

"""Texts in Parquet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rehref.archives._parquet import batches
from rehref.archives.links_of_many import process


def test_what_is_no_unicode_can_be_written(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / os.fsdecode(b"odd-\xff.html")
    try:
        file.write_bytes(b"<a href=x>")
    except OSError as error:  # not every system has such names
        pytest.skip(str(error))
    (batch,) = batches(process(file))
    assert batch.to_pylist()[0]["document"].endswith("odd-\ufffd.html")

"""Files called `manifest.json` (site/files.py; formats/manifest.py; types/media_types.py)."""

from __future__ import annotations

import pytest

from rehref.documents.media_types import MediaType


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("manifest.json", MediaType.MANIFEST),
        ("a/manifest.json", MediaType.MANIFEST),
        ("site.webmanifest", MediaType.MANIFEST),
        ("Manifest.json", None),
        ("a-manifest.json", None),
        ("manifest.json/a", None),
    ],
)
def test_the_name_tells_the_type(name: str, media_type: str | None) -> None:
    assert MediaType.by_extension(name) == media_type

"""A mirror that was rewritten opens in Chromium with the server stopped: whatever it loads from the disk is there."""

from __future__ import annotations

from pathlib import Path

import chromium
import devtools
import pytest
import site_to_mirror as site
from test_wget import RUNS, WGET, mirrored

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# the width of each image (0: it did not load), and the colour that the style sheet gives
SEEN = """({
    images: [...document.images].map(image => [image.currentSrc, image.naturalWidth]),
    color: document.getElementById('styled') && getComputedStyle(document.getElementById('styled')).color,
})"""


@pytest.fixture(scope="module", params=[name for name in RUNS if "windows" not in name])
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[str, object], list]:
    """The run; what each page shows; and what failed to load from the disk."""
    program = chromium.find_chromium()
    if WGET is None or program is None:
        pytest.skip("there is no wget, or no Chromium, on this machine")
    folder = tmp_path_factory.mktemp(request.param)
    with site.serve() as port:
        top = mirrored(request.param, port, folder).rewritten
    # the server has stopped
    seen: dict[str, object] = {}
    failed: list[str] = []
    with devtools.browser(program, port, folder / "profile") as browser:
        tab = devtools.Tab(browser)
        for page in _pages(top):
            failed += tab.failures(page.as_uri())
            seen[page.relative_to(top).as_posix().partition("/")[2] or page.name] = tab.evaluate(SEEN)
    return request.param, seen, failed


def _pages(top: Path) -> list[Path]:
    return [path for path in sorted(top.rglob("*")) if path.is_file() and path.read_bytes()[:9].upper() == b"<!DOCTYPE"]


def test_nothing_that_is_saved_is_missing(opened: tuple[str, dict[str, object], list]) -> None:
    _, seen, failed = opened
    assert seen
    assert [url for url in failed if url.startswith("file:")] == []


def test_images_and_style_sheets_are_shown(opened: tuple[str, dict[str, object], list]) -> None:
    name, seen, _ = opened
    local = [
        (page, source, width)
        for page, frames in seen.items()
        for frame in frames  # type: ignore[attr-defined]
        for source, width in frame["images"]
        if source.startswith("file:")
    ]
    assert bool(local) == (name != "mirror-below-a-folder")  # its images are outside of that
    assert [image for image in local if image[2] == 0] == []
    colors = {frame["color"] for frames in seen.values() for frame in frames} - {None}  # type: ignore[attr-defined]
    # `style.css?v=1` has no ending that tells a browser its type: that is why wget has --adjust-extension
    assert ("rgb(1, 2, 3)" in colors) == (name in ("mirror-adjusted", "mirror-ascii"))
    # and this sheet has the digest of what the server sent
    assert ("rgb(7, 8, 9)" in colors) == (name in ("mirror", "mirror-adjusted", "mirror-ascii", "mirror-without-host"))

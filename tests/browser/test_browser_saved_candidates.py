"""Chromium shows images and media of which something is saved, on any screen and without a network."""

from __future__ import annotations

import struct
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlsplit

import devtools
import pytest
from click.testing import CliRunner

from crawl import crawl, png, response
from rehref.cli.program import program

pytestmark = pytest.mark.browser

SITE = "https://h.example/"
# each with the names of its candidates
SHAPES = {
    '<img src="{0}" srcset="{1} 2x">': 2,
    '<img src="{0}" srcset="{1} 1x, {2} 2x">': 3,
    '<img src="{0}" srcset="{1} 8w, {2} 800w" sizes="8px">': 3,
    '<img crossorigin srcset="{0}, {1} 2x">': 2,
    '<picture><source srcset="{0}, {1} 2x" type="image/png"><img src="{2}"></picture>': 3,
    '<picture><source media="(width < 9px)" srcset="{0}"><source srcset="{1}"><img crossorigin src="{2}"></picture>': 3,
    '<picture><source srcset="{0} 2x"><img src="{1}" srcset="{2} 2x"></picture>': 3,
    "<p style='background: image-set(\"{0}\" 1x, url({1}) 2x)'></p>": 2,
    '<style>[title="{0}"] {{ background: -webkit-image-set(url({0}) 1x, url({1}) 2x) }}</style><p title="{0}"></p>': 2,
}
MEDIA = {
    '<audio><source src="{0}"><source src="{1}"></audio>': 2,
    '<audio src="{0}"><source src="{1}"></audio>': 2,
    '<video preload=auto src="{0}"><source src="{1}"><source src="{2}"></video>': 3,
}
SHOWN = """
Promise.all([...document.querySelectorAll("img, audio, video")].map((each) => each.decode
  ? each.decode().then(() => true, () => false)
  : new Promise((done) => {
      const ends = () => done(each.duration > 0);
      if (each.readyState > 0 || each.networkState === 3) ends();
      for (const name of ["error", "loadedmetadata"]) each.addEventListener(name, ends);
    })))
"""


def wav() -> bytes:
    """A tenth of a second of silence."""
    data = bytes(800)
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data", len(data)
    )
    return head + data


def made() -> bytes:
    """A page with every shape for every choice of candidates that are saved, but none."""
    page: list[str] = ["<!DOCTYPE html><meta charset=utf-8>"]
    saved: list[bytes] = []
    number = 0
    for shapes, content, kind in ((SHAPES, png(), "image/png"), (MEDIA, wav(), "audio/wav")):
        for shape, count in shapes.items():
            for choice in product((False, True), repeat=count):
                if not any(choice):
                    continue
                names = [f"/{number + each}.x" for each in range(count)]
                number += count
                page.append(shape.format(*names))
                saved += [
                    response(SITE + name[1:], content, kind)
                    for name, is_saved in zip(names, choice, strict=True)
                    if is_saved
                ]
    return crawl([response(SITE, "\n".join(page)), *saved])


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("candidates")
    (folder / "crawl.warc.gz").write_bytes(made())
    arguments = ["rewrite", "-q", "--unpack", str(folder / "out"), str(folder / "crawl.warc.gz")]
    assert CliRunner().invoke(program, arguments).exit_code == 0
    return folder / "out/h.example/index.html"


@pytest.mark.parametrize("density", [1, 2])
def test_what_is_saved_is_shown(tab: devtools.Tab, page: Path, density: int) -> None:
    tab.open("about:blank")  # else the page before would choose again, for the other density
    tab.dense(density)
    tab.failures(page.as_uri())  # Chromium may cancel the load of a picture, and begin it again
    shown = tab.run(SHOWN)
    assert len(shown) == 54
    assert all(shown)
    asked = tab.requested()
    assert len(asked) > 54
    assert all(Path(unquote(urlsplit(url).path)).is_file() for url in asked if not url.startswith("data:"))
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]

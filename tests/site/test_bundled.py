"""What a bundler resolves among sources (site/_results/bundled.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.contexts import written

pytest.importorskip("pyromark", reason="needs the package pyromark")

FILES = {
    "src/a.css": "@import 'theme'; @import url(swiper/css.css); @import './gone.css'; a{background:url(gone.png)}"
    " b{background:url(~@/x.png)}",
    "src/theme.css": "",
    "app/index.html": "<!doctype html><title>x</title><script src=/src/main.ts></script><img src=gone.png alt=x>",
    "app/package.json": "{}",
    "README.md": "# A\n",
    "docs/b.md": "x",
    "docs/c.md": "x",
}
SHARED = {"src/a.css: ./gone.css", "src/a.css: gone.png", "app/index.html: gone.png"}
PUBLISHED = {"public/p.css": "@import 'theme';", "t/p.html": "<!doctype html><title>x</title><img src=/g.png alt=x>"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({".github/x": ""}, SHARED),
        (
            {"astro.config.mjs": "starlight()", "src/content/docs/d.md": "x", **PUBLISHED},
            {*SHARED, "public/p.css: theme", "t/p.html: /g.png"},
        ),
    ],
    ids=["forge", "starlight"],
)
def test_what_a_program_resolves_is_skipped(tmp_path: Path, more: dict[str, str], expected: set[str]) -> None:
    result = rehref.check(written(tmp_path, {**FILES, **more}))
    assert {f"{one.document}: {one.reference}" for one in result.findings if one.severity == "error"} == expected
    assert result.summary.skipped == 4


def test_on_a_built_site_it_is_not_there(tmp_path: Path) -> None:
    files = {path: text for path, text in FILES.items() if not path.endswith(".md")}
    found = rehref.check(written(tmp_path, files)).findings
    assert {one.reference for one in found if one.code == "missing-file"} > {"theme", "/src/main.ts"}

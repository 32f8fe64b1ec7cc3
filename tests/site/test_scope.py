"""Documents that are checked alone are checked as if all were."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import written
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site


def check(folder: Path, *files: str, **options: object) -> CheckResult:
    return CheckRun().check(Site.of(folder, CheckOptions(files=files or None, jobs=1, **options))).result  # type: ignore[arg-type]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    pages = {
        "index.html": '<a href="a.html#one">1</a><a href="b.html#three">2</a><a href="sub/c.html#none">3</a>',
        "a.html": '<p id=one><a href="b.html#two">1</a><a href="draft.html#d">1</a><a href="draft.html#e">2</a>',
        "b.html": '<p id=two><meta http-equiv=refresh content="0; url=sub/c.html">',
        "sub/c.html": '<meta http-equiv=refresh content="0; url=../b.html"><a href="../alone.html">',
        "alone.html": "<p>nobody",
        "draft.html": "<p id=d><a href=none.html>",
        "sitemap.xml": "<urlset><url><loc>https://e.example/none</loc></url></urlset>",
        "_headers": "/*\n  Link: </lost.css>; rel=preload\n",
    }
    return written(tmp_path, pages)


ALL = {"checks": frozenset({"orphans", "sitemap", "text_fragments"}), "site_url": "https://e.example/"}


@pytest.mark.parametrize(
    "options", [{}, ALL, {"exclude_paths": ("draft.html",)}, {**ALL, "exclude_paths": ("a.html",)}]
)
@pytest.mark.parametrize(
    "files", [("index.html",), ("a.html", "alone.html"), ("sub",), ("b.html",), ("_headers",), ("sitemap.xml",)]
)
def test_the_findings_about_some_are_those_about_all(site: Path, files: tuple[str, ...], options: dict) -> None:
    of_all = check(site, **options).findings
    assert len(of_all) > 5
    some = check(site, *files, **options)
    wanted = tuple(
        one for one in of_all if any(one.document == file or one.document.startswith(file + "/") for file in files)
    )
    assert some.findings == wanted

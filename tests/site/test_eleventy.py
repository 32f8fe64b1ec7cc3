"""What the files of an Eleventy site say of its pages: data, programs and the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.contexts import written
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

pytest.importorskip("pyromark", reason="needs the package pyromark")

CONFIGURATION = "eleventy.config.js"


def page_of(folder: Path, path: str) -> str | None:
    return Site.of(folder, CheckOptions(infer=False)).files.page_of(path)


@pytest.mark.parametrize(
    ("data", "page"),
    [
        ({"a/a.json": '{"permalink": "/n/{{ page.filePathStem }}/"}'}, "n/a/b/w/index.html"),
        ({"a/b/b.11tydata.js": "export default { permalink: '/x/' }", "a/a.json": '{"permalink": 1}'}, "x/index.html"),
        ({"a/b/w.json": '{"permalink": "/own/"}', "a/b/b.json": '{"permalink": "/all/"}'}, "own/index.html"),
        ({"a/a.11tydata.js": "export default { permalink: (data) => `/${data.x}/` }"}, ""),
        ({"a/a.11tydata.cjs": "module.exports = { permalink: false }"}, None),
        ({"a/a.json": '{"layout": "x"}'}, "a/b/w/index.html"),
    ],
)
def test_data_say_where_pages_are(tmp_path: Path, data: dict[str, str], page: str | None) -> None:
    written(tmp_path, {CONFIGURATION: "", "a/b/w.md": "# W", **data})
    assert page_of(tmp_path, "a/b/w.md") == page


def test_a_permalink_within_other_data_is_not_known(tmp_path: Path) -> None:
    written(tmp_path, {CONFIGURATION: "", "w.md": "---\neleventyComputed:\n  permalink: /x/\n---\n"})
    assert page_of(tmp_path, "w.md") == ""


@pytest.mark.parametrize(
    "files",
    [
        {CONFIGURATION: "c.addTemplate('x.md', '')"},
        {CONFIGURATION: "c.addGlobalData('permalink', () => 1)"},
        {CONFIGURATION: "c.addPassthroughCopy(copies)"},
        {CONFIGURATION: "const base = { pathPrefix: '/x/' }"},
        {CONFIGURATION: "", "_data/eleventyComputed.js": ""},
        {CONFIGURATION: "", "t.11ty.js": "export const data = { permalink(data) {} }"},
        {CONFIGURATION: "c.addExtension('org', {})", "made.org": ""},
        {CONFIGURATION: "c.addPassthroughCopy({ 'x': 'made' })"},
    ],
)
def test_what_is_made_elsewhere_is_skipped(tmp_path: Path, files: dict[str, str]) -> None:
    written(tmp_path, {**files, "a.md": "[1](/made/) [2](gone.md)"})
    assert [one.reference for one in rehref.check(tmp_path).findings] == ["gone.md"]


def test_a_prefix_that_a_plugin_writes_leaves_paths_from_the_root_those_of_the_site(tmp_path: Path) -> None:
    written(tmp_path, {CONFIGURATION: "c.addPlugin(HtmlBasePlugin); x = { pathPrefix: '/x/' }", "a.md": "[1](/made/)"})
    assert [one.reference for one in rehref.check(tmp_path).findings] == ["/made/"]


def test_the_folder_of_input_may_be_set_by_a_call(tmp_path: Path) -> None:
    written(tmp_path, {".eleventy.js": "c.setInputDirectory('src');", "src/a.md": "[1](/b/)", "src/b.md": "# B"})
    assert page_of(tmp_path, "src/b.md") == "b/index.html"
    assert rehref.check(tmp_path).findings == ()


def test_the_folder_of_input_may_be_an_argument_of_a_script(tmp_path: Path) -> None:
    scripts = '{"scripts": {"build": "eleventy --quiet --input=./src --output=x"}}'
    written(tmp_path, {CONFIGURATION: "", "package.json": scripts, "src/b.md": "# B"})
    assert page_of(tmp_path, "src/b.md") == "b/index.html"

"""Sources of VitePress, Starlight, mdBook, Zola, Eleventy, MyST: which page is made of each, where references lead."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from rehref.cli.program import program
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

pytest.importorskip("pyromark", reason="needs the package pyromark")

CONFIGURATIONS = {
    "vitepress": {".vitepress/config.mts": "export default { base: '/handbook/', srcDir: './src' }"},
    "starlight": {
        "redirects.js": "export default { '/old/b': '/guide/b', '/old/[...x]/c': { status: 302, destination: '/' } };",
        "astro.config.mjs": "import redirects from './redirects.js';\nexport default defineConfig({\n"
        "  base: '/almanac',\n  redirects: { ...redirects, '/older': '/' },\n  integrations: [starlight({\n"
        "    locales: { root: { label: 'E', lang: 'en' }, de: { label: 'D' }, 'pt-br': { label: 'P' } },\n"
        "  })],\n});\n",
    },
    "mdbook": {
        "book.toml": '[book]\ntitle = "x"\n[preprocessor.toc]\n[output.html.redirect]\n"/older.html" = "guide/b.html"\n'
    },
    "docsify": {
        "docs/index.html": "<script>\nwindow.$docsify = {\n  alias: { '.*?/awesome': 'https://e.example/README.md', "
        "'/zh/(.*)': '/$1' },\n};\n</script>"
    },
    "zola": {
        "sass/a.scss": "",
        "config.toml": 'base_url = "https://e.example/z"\nfeed_filenames = ["f.xml"]\n'
        'taxonomies = [{ name = "tags" }]\n',
    },
    "myst": {"conf.py": 'extensions = ["myst_parser"]\n'},
    "eleventy": {
        "eleventy.config.js": "c.addPassthroughCopy({ 'x/*.js': 'js/', 'y.txt': '/copied.txt' });\n"
        "export const config = {\n  dir: {\n    input: './site',\n  },\n};\n"
    },
    "gitbook": {"book.json": '{\n  "title": "T",\n  "root": "./docs/"\n}\n'},
    "quarto": {"_quarto.yml": "project:\n  type: website\n"},
    "nuxt": {"nuxt.config.ts": "export default defineNuxtConfig({\n  modules: ['@nuxt/content'],\n});\n"},
}
CONTENTS = {"docsify": "docs", "vitepress": "src", "starlight": "src/content/docs", "mdbook": "src"}
CONTENTS |= {"zola": "content", "eleventy": "site", "myst": ".", "gitbook": "docs", "quarto": ".", "nuxt": "content"}
PAGES: Mapping[str, Mapping[str, str | None]] = {
    "vitepress": {
        "index.md": "index.html",
        "a/b c.md": "a/b c.html",
        "a/index.md": "a/index.html",
        "README.md": "README.html",
        "x/[name].md": "",
        "public/lamp.svg": "lamp.svg",
        ".dot.md": None,
    },
    "starlight": {
        "index.mdx": "index.html",
        "My Dir/A_B page.v1.md": "my-dir/a_b-pagev1/index.html",
        "slugged.md | slug: other/place": "other/place/index.html",
        "README.md": "readme/index.html",
        "lights/index.mdx": "lights/index.html",
        "_part.md": None,
    },
    "mdbook": {
        "README.md": "index.html",
        "heads.md": "heads.html",
        "sub/README.md": "sub/index.html",
        "sub/My Page.md": "sub/My Page.html",
        "SUMMARY.md": None,
    },
    "zola": {
        "_index.md": "index.html",
        "docs/_index.md": "docs/index.html",
        "docs/My Page.md": "docs/my-page/index.html",
        "docs/2020-01-02-wind.md": "docs/wind/index.html",
        "docs/bundle/index.md": "docs/bundle/index.html",
        "docs/a.md | slug: B c": "docs/b-c/index.html",
        "docs/p.md | path: x/y": "x/y/index.html",
        "docs/v.md | path: x/v-1.82": "x/v-1.82/index.html",
        "docs/bundle/a/b.png": "docs/bundle/a/b.png",
        "docs/In It/index.md | path: it": "it/index.html",
        "docs/In It/b.png": "it/b.png",
        "docs/p.fr.md": "",
    },
    "myst": {"index.md": "index.html", "a/b.md": "a/b.html", "README.md": "README.html", "_build/x.md": None},
    "eleventy": {
        "index.md": "index.html",
        "README.md": "README/index.html",
        "_under.md": "_under/index.html",
        "docs/Index.md": "docs/Index/index.html",
        "docs/A B.v1.md": "docs/A B.v1/index.html",
        "posts/posts.md": "posts/index.html",
        "posts/2020-01-02-wind.md": "posts/2020-01-02-wind/index.html",
        "t/n.njk": "t/n/index.html",
        "t/h.html": "t/h/index.html",
        "t/feed.njk | permalink: /feed.xml": "feed.xml",
        "e.md | permalink: /else/where/": "else/where/index.html",
        "f.md | permalink: false": None,
        "2020-01-02-z.md | permalink: '/z/{{ page.fileSlug }}/'": "z/z/index.html",
        "g.md | permalink: '/z/{{ title | slug }}/'": "",
        "lamp.svg": "lamp.svg",
        "_includes/base.njk": None,
    },
    "gitbook": {
        "README.md": "index.html",
        "sub/README.md": "sub/index.html",
        "sub/My B.md": "sub/My B.html",
        "index.md": "index.html",
        "SUMMARY.md": None,
    },
    "quarto": {
        "index.qmd": "index.html",
        "a/b c.qmd": "a/b c.html",
        "n.md": "n.html",
        "nb.ipynb": "nb.html",
        "README.md": None,
        "_part.qmd": None,
    },
    "nuxt": {
        "index.md": "index.html",
        "1.guide/index.md": "guide/index.html",
        "1.guide/2.My Page.md": "guide/my-page/index.html",
        "1.0/a.draft.md": "1.0/a/index.html",
        "x_y.v1.md": "x_y.v1/index.html",
        "p.md | path: /else/where": "else/where/index.html",
        ".dot.md": None,
    },
}
"""Measured, but for Zola's and Quarto's, which are by their manuals."""
FILES = {
    "vitepress": {"index.md": "# Home", "guide/a.md": "{}", "guide/b.md": "# 1. Wind", "public/lamp.svg": "<svg/>"},
    "starlight": {
        "index.md": "## Home",
        "guide/a.md": "{}",
        "guide/b.md": "## a -- b",
        "de/guide/a.md": "## Hallo",
        "guide/c.png": "",
        "../../../public/lamp.svg": "<svg/>",
        "../../assets/d.png": "",
        "../../pages/blog/[slug].astro": "",
        "../../pages/about.astro": "",
    },
    "mdbook": {
        "SUMMARY.md": "[x](README.md) [y](gone.md) [a](guide/a.md) [b](<guide/b.md>) [c](./sub/README.md)",
        "README.md": "# Home",
        "guide/a.md": "{}",
        "guide/b.md": "# W",
        "guide/unlisted.md": "",
        "sub/README.md": "[x](../index.md)",
        "../README.md": "[x](src/sub/README.md) [y](src/guide/unlisted.md)",
    },
    "docsify": {
        "README.md": "# Home",
        "guide/a.md": "# A\n\n{}",
        "guide/b.md": "# B c",
        "c.md": "# C :id=own",
        "p.png": "",
        "_sidebar.md": "[1](c.md) [2](#home)",
    },
    "zola": {
        "_index.md": "+++\n[[extra.more]]\npath = '/x'\n+++\n# Home",
        "guide/a.md": "{}",
        "guide/b.md": '+++\naliases = ["old.html", "old/b"]\n+++\n# W -- x',
        "../static/lamp.svg": "<svg/>",
        "v.md": '+++\npath = "2026/v-1.0"\n+++\n[1](../v-2.0/c.png) [2](../v-2.0/)',
        "w/index.md": '+++\npath = "2026/v-2.0"\n+++\n',
        "w/c.png": "",
    },
    "myst": {"index.md": "# Home", "guide/a.md": "{}", "guide/b.md": "(lab)=\n## B", "r.rst": "R\n=\n", "p.png": ""},
    "eleventy": {
        "index.md": "# Home",
        "guide/a.md": "{}",
        "guide/b.md": "# B",
        "guide/c.png": "",
        "guide/a/d.png": "",
        "news/news.json": '{{"permalink": "/n/{{{{ page.fileSlug }}}}/"}}',
        "news/first.md": "# F",
        "tags.njk": "---\npermalink: /tags/{{{{ tag }}}}/\npagination:\n  data: tags\n---\n",
        "made.11ty.js": "const TO = '/made.rss'; export default {{ data: {{ permalink: TO }} }};",
        "pages.njk": "---\npagination:\n  data: x\n---\n",
    },
    "gitbook": {
        "SUMMARY.md": "* [x](README.md)\n* [y](gone.md)\n",
        "README.md": "# Home",
        "guide/README.md": "",
        "guide/a.md": "{}",
        "guide/b.md": "# B c\n\n# B c\n\n# D {{#own}}\n",
        "p.png": "",
    },
    "quarto": {
        "index.qmd": "# Home",
        "guide/a.qmd": "{}",
        "guide/b.qmd": "# 1. B.c -- d\n\n::: {{#fig-x}}\n:::\n",
        "guide/code.qmd": "```{{python}}\n#| label: fig-y\n```\n",
        "guide/n.ipynb": '{{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {{}}}}',
        "p.png": "",
    },
    "nuxt": {
        "index.md": "# Home",
        "1.guide/index.md": "",
        "1.guide/1.a.md": "{}",
        "1.guide/2.b.md": "# 1. B  c\n\n# B -- c",
        "../public/lamp.svg": "<svg/>",
        "../app/pages/about.vue": "",
        "../app/pages/[...slug].vue": "",
    },
}
SOURCE = {dialect: next(path for path, text in files.items() if "{}" in text) for dialect, files in FILES.items()}
"""The source with the references."""
RIGHT = {
    "vitepress": "b ./b.md b.html#_1-wind /guide/b /guide/b.html /guide/b.md#_1-wind / /lamp.svg ../index.md @/x.png "
    "/handbook/anything",
    "starlight": "../b/ ../b/#a--b /almanac/guide/b/ /almanac/guide/b#a--b /almanac/de/guide/b/#a--b "
    "./c.png ../../../assets/d.png ../ /almanac/lamp.svg /almanac/de/guide/a/#hallo "
    "#_top /almanac/blog/x/ /almanac/about/ /almanac/_astro/x.css ../b#_top "
    "/almanac/old/b/ /almanac/old/y/c /almanac/older",
    "mdbook": "b.md b.html#w ../index.html ../index.md ../ ../sub/ ../sub/index.md /host/x.html ../older.html "
    "../../std/index.html#x ../../n/ ../../core/x.md",
    "docsify": "c.md c guide/b.md#b-c /c / guide/b?id=b-c /c.md#own ../p.png awesome /zh/x #/c #a",
    "zola": "@/guide/b.md @/guide/b.md#w-x @/_index.md ../b/ /z/lamp.svg /z/old.html#w-x /z/old/b/ "
    "/z/guide/b/ /z/f.xml /z/tags/x/ /z/a.css /else/",
    "myst": "b b.md /guide/b.md /guide/b ../r.rst /r.rst ../p.* label b.md#lab #lab a-label",
    "gitbook": "b.md ./b.md#b-c b.html ../guide/ ../guide b.md#own /guide/b.md ../p.png /p.png ../README.md",
    "quarto": "b.qmd b.qmd#b.c-d b.html#b.c-d /guide/b.qmd#fig-x ../index.qmd / n.ipynb n.html /p.png code.qmd#fig-y",
    "nuxt": "/guide/b /guide/b#_1-b-c /guide/b#b-c ./2.b.md /guide /lamp.svg / /about /api/x",
    "eleventy": "../b/ ../b b.md ./b.md ../index.md /guide/b/ /guide/b.md / c.png ../c.png d.png /n/first/ /tags/any/ "
    "/made.rss /pages/1/ /js/any.js /copied.txt /guide/gone.css ../b/#any ../../n/first",
}
WRONG = {
    "vitepress": "c ./c.md b#1-wind /guide/c /guide/b.md#wind /gone.svg ./gone.png",
    "starlight": "../c/ ../b/#b /almanac/guide/c/ /almanac/de/guide/c/ /almanac/gone.svg ./gone.png "
    "../../../assets/e.png",
    "mdbook": "c.md b.html#x gone.png ../../guide/b.html ../gone.html ../../guide/b.md ../README.md "
    "../sub/README.md ../sub/README.html#x unlisted.md",
    "docsify": "b.md /gone guide/b.md#b p.png #b",
    "zola": "@/guide/c.md @/guide/b.md#w---x gone.png /z/guide/c/ /z/gone.svg /z/old/",
    "myst": "c.md /guide/c.md /b.md ../gone.rst gone.ipynb gone.txt ../gone.png /gone.png",
    "gitbook": "c.md b.md#b-c-1 /guide/c.md gone.png /gone.png",
    "quarto": "c.qmd b.qmd#b-c c.html /guide/c.qmd gone.png",
    "nuxt": "/guide/c /guide/b#1-b--c ./3.c.md /gone.svg /2.guide/x",
    "eleventy": "../c/ c/ gone.md gone.png gone.css /guide/c/ /guide/gone.md /guide/gone.png /n/gone/ /x/",
}


def made(folder: Path, dialect: str, references: str) -> Path:
    links = "".join(f"[x]({reference})\n\n" for reference in references.split())
    written(folder, CONFIGURATIONS[dialect])
    files = {f"{CONTENTS[dialect]}/{path}": text.format(links) for path, text in FILES[dialect].items()}
    return written(folder, files)


@pytest.mark.parametrize("dialect", PAGES)
def test_pages(tmp_path: Path, dialect: str) -> None:
    written(tmp_path, CONFIGURATIONS[dialect])
    for name in PAGES[dialect]:
        path, _, said = name.partition(" | ")
        written(tmp_path / CONTENTS[dialect], {path: f"---\ntitle: T\n{said}\n---\n"})
    for folder, below in ((tmp_path, f"{CONTENTS[dialect]}/"), (tmp_path / CONTENTS[dialect], "")):
        page_of = Site.of(folder, CheckOptions(infer=False)).files.page_of
        found = {name: page_of(below + name.partition(" | ")[0]) for name in PAGES[dialect]}
        assert found == PAGES[dialect]


@pytest.mark.parametrize("dialect", RIGHT)
def test_what_leads_to_pages_and_ids_is_right(tmp_path: Path, dialect: str) -> None:
    made(tmp_path, dialect, RIGHT[dialect])
    of_summary = [("gone.md", "missing-file")] if dialect in ("mdbook", "gitbook") else []
    for folder in (tmp_path, tmp_path / CONTENTS[dialect])[dialect == "docsify" :]:
        result = rehref.check(folder)
        assert [(one.reference, one.code) for one in result.findings] == of_summary, folder
    below = (tmp_path / CONTENTS[dialect] / SOURCE[dialect]).parent
    assert [one.reference for one in rehref.check(below).findings] == []


@pytest.mark.parametrize("dialect", WRONG)
def test_what_leads_nowhere_is_reported(tmp_path: Path, dialect: str) -> None:
    made(tmp_path, dialect, WRONG[dialect])
    for folder in (tmp_path, tmp_path / CONTENTS[dialect])[dialect == "docsify" :]:
        found = [one.reference for one in rehref.check(folder).findings if one.document.endswith(SOURCE[dialect])]
        assert found == WRONG[dialect].split(), folder


def test_a_readme_beside_the_contents_is_not_of_the_site(tmp_path: Path) -> None:
    made(tmp_path, "starlight", "")
    written(tmp_path, {"README.md": "# A -- b\n\n[1](#a----b) [2](src/content/docs/index.md) [3](gone.md) [4](/x)"})
    result = rehref.check(tmp_path)
    assert ([one.reference for one in result.findings], result.summary.skipped) == (["gone.md"], 2)


def test_what_a_plug_in_of_a_configuration_has_is_not_said_of_the_site(tmp_path: Path) -> None:
    """The keys of the object that a program exports count, also those of modules that it imports."""
    inner = "[{ label: \"a {\", items: [\n...linksOf([\n  { base: 'changes', x: `}` }, // { '\n])] }]"
    text = f"import {{ x }} from './own/more';\nexport default defineConfig({{\n  integrations: [starlight({inner})],\n"
    for own, expected in (("", "x/"), ("  base: '/y',\n", "y/")):
        folder = written(
            tmp_path / (own and "2"), {"astro.config.ts": f"{text}{own}}});", "src/content/docs/a.md": "x"}
        )
        written(folder, {"own/more.ts": "export const x = defineConfig({\n  base: '/x',\n});"})
        generator = Site.of(folder, CheckOptions()).files.generator
        assert generator is not None
        assert generator.base == expected


def test_ids_that_a_configuration_makes_are_not_known(tmp_path: Path) -> None:
    for dialect, said in (
        ("vitepress", "\nmarkdown: { anchor: { slugify } }"),
        ("vitepress", "\nmarkdown: { attrs: { leftDelimiter: '%{' } }"),
        ("starlight", "\nmarkdown: { rehypePlugins: [rehypeSlug] }"),
        ("mdbook", "\n[preprocessor.own]\ncommand = 'x'\n"),
        ("zola", "\n[slugify]\nanchors = 'safe'\n"),
    ):
        folder = made(tmp_path / str(hash(said)), dialect, "#gone")
        name, text = list(CONFIGURATIONS[dialect].items())[-1]
        assert [one.reference for one in rehref.check(folder).findings if one.reference != "gone.md"] == ["#gone"]
        written(folder, {name: text + said})
        assert [one.reference for one in rehref.check(folder).findings if one.reference != "gone.md"] == []


@pytest.mark.parametrize("file", ["conf.py", "nuxt.config.ts", "antora.yml"])
def test_paths_of_a_generator_that_is_not_known_are_skipped(tmp_path: Path, file: str) -> None:
    written(
        tmp_path, {file: "", "b.md": "# B", "a.md": "[1](/x/) [2](/gone.png) [3](../x/) [4](b.md#any) [5](gone.md)"}
    )
    result = rehref.check(tmp_path)
    assert [one.reference for one in result.findings] == ["gone.md"]
    assert result.summary.skipped == 3


def test_without_any_generator_a_path_from_the_root_may_lead_to_what_is_not_there(tmp_path: Path) -> None:
    written(tmp_path, {"b.md": "## B", "a.md": "[1](/x/) [2](/b.md#b) [3](/b.md#gone) [4](gone/)"})
    result = rehref.check(tmp_path)
    assert [one.reference for one in result.findings] == ["/b.md#gone", "gone/"]
    assert result.summary.skipped == 1


def test_redirects_of_a_site_whose_paths_are_not_known_may_lead_to_what_is_built(tmp_path: Path) -> None:
    redirects = {"_redirects": "/a /gone\n/b /x.md\n", "x.md": "[x](x.md)"}
    assert rehref.check(written(tmp_path / "1", redirects), host="netlify").findings == ()
    result = rehref.check(written(tmp_path / "2", {**redirects, ".vitepress/config.js": ""}), host="netlify")
    assert [one.reference for one in result.findings] == ["/gone"]


SITES = {
    "docs/.vitepress/config.ts": "docs",
    "packages/docs/.vitepress/config/index.ts": "packages/docs",
    "book/book.toml": "book",
    "site/config.toml": "site",
    "web/docusaurus.config.js": "web",
    "pages/index.html": "pages",
    "a/b/eleventy.config.js": "a/b",
}
SAYING = {"site/config.toml": "base_url = 'https://e.example'", "pages/index.html": "<script>$docsify = {}</script>"}


def test_a_configuration_with_a_common_name_is_one_of_zola_beside_contents(tmp_path: Path) -> None:
    written(tmp_path, {"config.toml": "base_url = 'x'", "a.md": "# A b\n\n[1](@/a.md)"})
    assert Site.of(tmp_path, CheckOptions()).files.generator is None
    written(tmp_path, {"content/a.md": ""})
    assert Site.of(tmp_path, CheckOptions()).files.generator is not None


@pytest.mark.parametrize("file", SITES)
def test_a_folder_below_may_be_a_site_of_its_own(tmp_path: Path, file: str) -> None:
    """What is there is right; what is not there may be on that site."""
    at = SITES[file]
    written(tmp_path, {"site/content/z.md": ""} if at == "site" else {})
    written(tmp_path, {".github/x": "", "README.md": f"# R\n\n[1]({at}/x.md#x) [2]({at}/gone.md)\n", "X.md": ""})
    written(
        tmp_path, {file: SAYING.get(file, ""), f"{at}/x.md": "[1](y.md) [2](gone/) [3](@/a.md) [4](#no)", "Y.md": ""}
    )
    written(tmp_path, {f"{at}/y.md": ""})
    result = rehref.check(tmp_path)
    assert [(one.document, one.reference) for one in result.findings] == [("README.md", f"{at}/gone.md")]
    assert result.hints == (
        f"{tmp_path}/{at} is a site of its own ({file}): what leads nowhere there is skipped; check it alone "
        f"(rehref check {tmp_path}/{at})",
    )
    written(
        tmp_path, {"b/book.toml": "", "config.toml": "", "n/node_modules/m/book.toml": "", "c/config.toml": "x = 1"}
    )
    assert "is a site of its own, and so is 1 more (" in " ".join(rehref.check(tmp_path).hints)
    assert rehref.check(tmp_path, files=["README.md"]).hints == ()


def test_the_configuration_of_jupyter_book_is_not_that_of_jekyll(tmp_path: Path) -> None:
    written(tmp_path, {"_config.yml": "", "a.md": "# A\n\n[1](b.md) [2](#none) [3](/x.md) [4](gone.md)\n", "b.md": ""})
    assert Site.of(tmp_path, CheckOptions()).files.generator is not None
    written(tmp_path, {"_toc.yml": ""})
    generator = Site.of(tmp_path, CheckOptions()).files.generator
    assert generator is not None
    assert generator.dialect == "myst"
    assert [one.reference for one in rehref.check(tmp_path).findings] == ["/x.md", "gone.md"]


def test_why_says_that_only_the_generator_knows(tmp_path: Path) -> None:
    written(tmp_path, {"nuxt.config.js": "", "a.md": "[x](b/)"})
    said = CliRunner().invoke(program, ["check", str(tmp_path), "--why", "b/"]).stdout
    assert "it may be what the generator of the site makes, so it is not checked" in said


def test_contents_above_the_repository_are_not_those_of_the_site(tmp_path: Path) -> None:
    folder = written(tmp_path / "a/b", {"mkdocs.yml": "docs_dir: ../../\n", "a.md": "[x](gone.md)"})
    assert [one.target for one in rehref.check(folder).findings] == ["https://site.invalid/gone.md"]
    written(tmp_path, {".git/HEAD": ""})
    assert [one.target for one in rehref.check(folder).findings] == ["https://site.invalid/a/b/gone.md"]


def test_of_pages_that_programs_of_quarto_fill_no_ids_are_known(tmp_path: Path) -> None:
    pages = {"a.qmd": "---\nlisting: x\n---\n", "b/c.qmd": "# C", "d.qmd": "# D", "b/_metadata.yml": "filters:\n - x\n"}
    written(tmp_path, {"_quarto.yml": "", "index.qmd": "[1](a.qmd#x) [2](b/c.qmd#x) [3](d.qmd#x)", **pages})
    assert [one.reference for one in rehref.check(tmp_path).findings] == ["d.qmd#x"]


def test_parts_of_pages_of_quarto_are_relative_to_these(tmp_path: Path) -> None:
    written(tmp_path, {"_quarto.yml": "", "a.qmd": "{{< include b/_c.qmd >}}", "b/_c.qmd": "[1](a.qmd) [2](_c.qmd)"})
    assert rehref.check(tmp_path).findings == ()


def test_a_url_in_an_attribute_of_nuxt_is_not_a_link(tmp_path: Path) -> None:
    text = '::tip{to="https://e.example/a"}\nhttps://e.example/b\n::\n'
    (tmp_path / "a.md").write_text(text, "utf-8")
    assert [link.reference for link in rehref.links(tmp_path / "a.md", dialect="nuxt")] == ["https://e.example/b"]


def test_not_every_file_called_book_is_of_gitbook(tmp_path: Path) -> None:
    written(tmp_path, {"a.md": "[x](b.md)", "b.md": "", "book.json": '[{"name": "x"}]'})
    assert Site.of(tmp_path, CheckOptions()).files.generator is None


def test_why_skips_a_path_from_the_root_as_the_check_does(tmp_path: Path) -> None:
    written(tmp_path, {"a.md": "[x](/x/)"})
    assert rehref.check(tmp_path).findings == ()
    said = CliRunner().invoke(program, ["check", str(tmp_path), "--why", "/x/"]).stdout
    assert "it may be what the generator of the site makes, so it is not checked" in said

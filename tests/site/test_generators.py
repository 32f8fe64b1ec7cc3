"""What generators make of names: tables that the generators themselves hold, where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import rehref
from checked.contexts import written
from patience import PATIENCE
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

pytest.importorskip("pyromark", reason="needs the package pyromark")

HUGO = {
    "plain.md": "plain/",
    "My Page.md": "my-page/",
    "UPPER.md": "upper/",
    "Ünï çode.md": "ünï-çode/",
    "a_b.md": "a_b/",
    "a--b - c.md": "a--b-c/",
    "dots.in.name.md": "dots.in.name/",
    "C++ & Friends.md": "c++-friends/",
    "what?.md": "what/",
    "100%.md": "100/",
    "at@home~.md": "at@home~/",
    "comma,x;y=z!.md": "commaxyz/",
    "it's (br) [ac].md": "its-br-ac/",
    " lead.md": "-lead/",
    "trail .md": "trail-/",
    "日本 語.md": "日本-語/",
    "İstanbul.md": "istanbul/",
    "Straße.md": "straße/",
    "tail..md": "tail./",
    "2026-11-28-dated.md": "2026-11-28-dated/",
    "README.md": "readme/",
    "x.en.md": "x/",
    "y.fr.md": "fr/y/",
    "_private/x.md": "_private/x/",
    "My Sec/_index.md": "my-sec/",
    "My Sec/Sub Sec/In It.md": "my-sec/sub-sec/in-it/",
    "My Sec/One Bundle/index.md": "my-sec/one-bundle/",
    "My Sec/One Bundle/My Pic.PNG": "my-sec/one-bundle/My Pic.PNG",
    "My Sec/One Bundle/Sub X/Pic 2.png": "my-sec/one-bundle/Sub X/Pic 2.png",
    "My Sec/Loose Pic.PNG": "my-sec/Loose Pic.PNG",
    "Plain Dir/Sub Dir/Pic A.png": "Plain Dir/Sub Dir/Pic A.png",
    "sec2/INDEX.md": "sec2/index/",
    "s/slug.md | slug: My Slug Here": "s/my-slug-here/",
    "s/deep.md | slug: a/b": "s/a/b/",
    "s/bundle/index.md | slug: 'Ünï X' # x": "s/ünï-x/",
    "s/sec/_index.md | slug: newsec": "s/sec/",
    "s/sec/p.md": "s/sec/p/",
    "u/url.md | url: /My Url/Here/": "My Url/Here/",
    "u/rel.md | url: rel/here": "rel/here/",
    'u/file.md | url: "/x/y.html"': "x/y.html",
    "u/sec/_index.md | url: /moved/": "moved/",
    "u/sec/p.md": "u/sec/p/",
    "u/empty.md | slug: ''": "u/empty/",
    ".dot.md": None,
    "My Sec/One Bundle/Extra.md": None,
}
"""Sources, with a line of their front matter, and the paths of what is made of them, below the site."""
LANGUAGES = "[languages.en]\n[languages.fr]\n"
HUGO_SAYS = {
    LANGUAGES: {},
    f"disablePathToLower = true\n{LANGUAGES}": {
        "My Page.md": "My-Page/",
        "My Sec/Sub Sec/In It.md": "My-Sec/Sub-Sec/In-It/",
        "s/slug.md | slug: My Slug Here": "s/My-Slug-Here/",
        "İstanbul.md": "İstanbul/",
    },
    f"removePathAccents = true\n{LANGUAGES}": {
        "Ünï çode.md": "uni-code/",
        "s/bundle/index.md | slug: 'Ünï X' # x": "s/uni-x/",
    },
    f"uglyURLs = true\n{LANGUAGES}": {
        "My Page.md": "my-page.html",
        "y.fr.md": "fr/y.html",
        "My Sec/_index.md": "my-sec.html",
        "My Sec/One Bundle/index.md": "my-sec/one-bundle.html",
        "s/slug.md | slug: My Slug Here": "s/my-slug-here.html",
        "sec2/INDEX.md": "sec2/",
    },
}
"""What a configuration changes in that."""
JEKYLL = {
    "My Page.md": "My Page.html",
    "a b/c d.md": "a b/c d.html",
    "s/index.md": "s/",
    "p/perm.md | permalink: /my perm/": "my perm/",
    "p/rel.md | permalink: rel/x": "rel/x.html",
    "p/file.md | permalink: /x/y.html": "x/y.html",
    "_posts/2020-01-02-My Post.md": "2020/01/02/My-Post.html",
    "_posts/2020-01-02-up CASE & x.md": "2020/01/02/up-CASE-&-x.html",
    "_posts/2020-01-02-slugged.md | slug: My Slug": "2020/01/02/My-Slug.html",
    "_posts/sub/2020-01-02-insub.md": "2020/01/02/insub.html",
    "_posts/2020-01-02-perm.md | permalink: /pp/": "pp/",
    "cat/_posts/2020-01-02-incat.md": "cat/2020/01/02/incat.html",
    "a b/pic 1.png": "a b/pic 1.png",
    "_drafts/d.md": None,
    "_posts/nodate.md": None,
}
UNKNOWN = {"_posts/2020-01-02-a.md | date: 2021-05-06": "?", "_posts/2020-01-02-b.md | categories: [A B]": "?"}
JEKYLL_SAYS: Mapping[str, Mapping[str, str | None]] = {
    "x: y": {},
    "permalink: pretty": {
        "My Page.md": "My Page/",
        "a b/c d.md": "a b/c d/",
        "_posts/2020-01-02-My Post.md": "2020/01/02/My-Post/",
        "_posts/2020-01-02-up CASE & x.md": "2020/01/02/up-CASE-&-x/",
        "_posts/2020-01-02-slugged.md | slug: My Slug": "2020/01/02/My-Slug/",
        "_posts/sub/2020-01-02-insub.md": "2020/01/02/insub/",
        "cat/_posts/2020-01-02-incat.md": "cat/2020/01/02/incat/",
    },
    'permalink: "/blog/:year/:title.html"': {
        "_posts/2020-01-02-My Post.md": "blog/2020/My-Post.html",
        "_posts/2020-01-02-up CASE & x.md": "blog/2020/up-CASE-&-x.html",
        "_posts/2020-01-02-slugged.md | slug: My Slug": "blog/2020/My-Slug.html",
        "_posts/sub/2020-01-02-insub.md": "blog/2020/insub.html",
        "cat/_posts/2020-01-02-incat.md": "blog/2020/incat.html",
        "_posts/2020-01-02-b.md | categories: [A B]": "blog/2020/b.html",
    },
    """collections:
  guides:
    output: true
    permalink: "/:collection/:path/"
  notes:
    output: true
  titles:
    permalink: /t/:title:output_ext
    output: true
  hidden:
    permalink: /h/:path
  posts:
    output: true
    permalink: /n/:title/
x: y
""": {
        "_guides/sub/x y.md": "guides/sub/x y/",
        "_guides/index.md | permalink: /guides/": "guides/",
        "_guides/pic.png": "guides/pic.png",
        "_notes/a.md": "notes/a.html",
        "_titles/sub/plain-1.md": "t/plain-1.html",
        "_hidden/a.md": None,
        "_posts/2020-01-02-My Post.md": "n/My-Post/",
        "_posts/2020-01-02-up CASE & x.md": "n/up-CASE-&-x/",
        "_posts/2020-01-02-slugged.md | slug: My Slug": "n/My-Slug/",
        "_posts/sub/2020-01-02-insub.md": "n/insub/",
        "cat/_posts/2020-01-02-incat.md": "n/incat/",
        "_posts/2020-01-02-b.md | categories: [A B]": "n/b/",
    },
}
DOCUSAURUS = {
    "01-intro.md": "intro/",
    "1. Intro.md": "Intro/",
    "01 - x.md": "x/",
    "7_y.md": "y/",
    "3-.md": "3-/",
    "5.md": "5/",
    "10-11.md": "10-11/",
    "2020-01-01-x.md": "2020-01-01-x/",
    "2020-01 notes/x.md": "2020-01 notes/x/",
    "index.md": "",
    "r/ReadMe.md": "r/",
    "01-a/02-b/03-c.md": "a/b/c/",
    "02-guide/index.md": "guide/",
    "02-guide/02-guide.md": "guide/",
    "02-guide/guide.md": "guide/guide/",
    "g/G.md": "g/",
    "My Page.mdx": "My Page/",
    "a/abs.md | slug: /abs": "abs/",
    "a/rel.md | slug: rel/": "a/rel/",
    "a/up.md | slug: ../up": "up/",
    "a/i.md | id: my-id": "a/my-id/",
    "b/README.md | id: zed": "b/",
    "a/index.md | slug: foo": "a/foo/",
}
"""Measured: `getSlug` of @docusaurus/plugin-content-docs 3, below `docs`."""


def sources_of(folder: Path, below: str, names: Mapping[str, str | None]) -> None:
    for name in names:
        path, _, said = name.partition(" | ")
        text = f"---\ntitle: T\n{said}\n---\n{path}" if path.endswith((".md", ".mdx")) else path
        written(folder, {below + path: text})


def made_of(folder: Path, dialect: str, names: Mapping[str, str | None]) -> dict[str, str | None]:
    how = replace(CheckOptions().how, dialect=dialect)
    page_of = Site.of(folder, CheckOptions(infer=False, how=how)).files.page_of
    pages = {name: page_of(name.partition(" | ")[0]) for name in names}
    return {name: page and page.removesuffix("index.html") if page != "" else "?" for name, page in pages.items()}


def as_files(names: Mapping[str, str | None]) -> dict[str, str]:
    pages = {name.partition(" | ")[0]: page for name, page in names.items() if page is not None}
    return {f"{page}index.html" if page.endswith("/") or not page else page: name for name, page in pages.items()}


def built(site: Path) -> dict[str, str]:
    """What a generator wrote: the source of each file."""
    files = {path.relative_to(site).as_posix(): path.read_text("utf-8") for path in site.rglob("*") if path.is_file()}
    return {path: unescape(text).strip("\n").removeprefix("<p>").removesuffix("</p>") for path, text in files.items()}


@pytest.mark.parametrize("said", HUGO_SAYS)
@pytest.mark.parametrize("is_real", [False, True], ids=["rehref", "hugo"])
def test_hugo(tmp_path: Path, said: str, is_real: bool) -> None:
    names = dict(HUGO)
    if said.startswith("uglyURLs"):
        names = {name: page and page.removesuffix("/") + ".html" * page.endswith("/") for name, page in names.items()}
        names |= {name: page for name, page in HUGO.items() if " | url: " in name}
    if said.startswith("disable"):
        names = {name: page for name, page in names.items() if name.lower() == name}
    names |= HUGO_SAYS[said]
    sources_of(tmp_path, "content/", names)
    written(tmp_path, {"hugo.toml": f'baseURL = "https://e.example/"\n{said}'})
    if not is_real:
        assert made_of(tmp_path / "content", "hugo", names) == names
        names = {f"content/{name}": page for name, page in names.items()}
        assert made_of(tmp_path, "hugo", names) == names
        return
    hugo = shutil.which("hugo") or pytest.skip("apt-get install --no-install-recommends hugo")
    layouts = {f"layouts/_default/{name}.html": "{{ .RawContent | safeHTML }}" for name in ("single", "list")}
    written(tmp_path, layouts)
    subprocess.run([hugo, "--quiet"], cwd=tmp_path, check=True, timeout=PATIENCE)
    expected, real = as_files(names), built(tmp_path / "public")
    assert {path: real.get(path) for path in expected} == expected
    assert not {path for path, text in real.items() if names.get(text, "") is None}


@pytest.mark.parametrize("said", JEKYLL_SAYS)
@pytest.mark.parametrize("is_real", [False, True], ids=["rehref", "jekyll"])
def test_jekyll(tmp_path: Path, said: str, is_real: bool) -> None:
    names = {**JEKYLL, **JEKYLL_SAYS[said]}
    sources_of(tmp_path, "", names)
    written(tmp_path, {"_config.yml": said})
    if not is_real:
        names = {**UNKNOWN, **names}
        sources_of(tmp_path, "", names)
        assert made_of(tmp_path, "jekyll", names) == names
        return
    jekyll = shutil.which("jekyll") or pytest.skip("apt-get install --no-install-recommends jekyll")
    subprocess.run([jekyll, "build", "-q"], cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE)
    expected, real = as_files(names), built(tmp_path / "_site")
    assert {path: real.get(path) for path in expected} == expected


def test_jekyll_permalinks_that_are_not_known(tmp_path: Path) -> None:
    names = {"a.md": "a.html", "_titles/Not Plain.md": "?", "_titles/2020-01-02-x.md": "?"}
    sources_of(tmp_path, "", names)
    collections = "collections:\n  titles:\n    output: true\n    permalink: /t/:title\n"
    written(tmp_path, {"_config.yml": collections})
    assert made_of(tmp_path, "jekyll", names) == names
    written(tmp_path, {"_config.yml": "defaults:\n- scope:\n    path: x\n  values:\n    permalink: /y/:path/\n"})
    assert made_of(tmp_path, "jekyll", {"a.md": None}) == {"a.md": "?"}


def test_a_configuration_that_is_not_a_readable_file_says_nothing(tmp_path: Path) -> None:
    written(tmp_path, {"docs/a.md": "x", "mkdocs.yml/x": ""})
    assert made_of(tmp_path / "docs", "mkdocs", {"a.md": None}) == {"a.md": "a/"}


def test_docusaurus(tmp_path: Path) -> None:
    sources_of(tmp_path, "docs/", DOCUSAURUS)
    written(
        tmp_path, {"docusaurus.config.js": "", "blog/2026-01-01-x.md": "", "src/pages/about.md": "", "static/a.png": ""}
    )
    expected = {name: f"docs/{page}" for name, page in DOCUSAURUS.items()}
    assert made_of(tmp_path / "docs", "docusaurus", DOCUSAURUS) == expected
    others = {"blog/2026-01-01-x.md": "?", "src/pages/about.md": "about/", "static/a.png": "a.png"}
    assert made_of(tmp_path, "docusaurus", others) == others


def test_mkdocs(tmp_path: Path) -> None:
    """Held by the builds of tests/plugins/mv."""
    names = {
        "index.md": "",
        "README.md": None,
        "a/README.md": "a/",
        "My Page.md": "My Page/",
        "_x.md": "_x/",
        "p.png": "p.png",
    }
    sources_of(tmp_path, "src/", names)
    written(tmp_path, {"mkdocs.yml": "docs_dir: src"})
    assert made_of(tmp_path / "src", "mkdocs", names) == names
    written(tmp_path, {"mkdocs.yml": "docs_dir: src\nuse_directory_urls: false"})
    flat = {"My Page.md": "My Page.html", "_x.md": "_x.html"}
    assert made_of(tmp_path / "src", "mkdocs", names) == {**names, **flat}
    assert made_of(tmp_path, "mkdocs", {"mkdocs.yml": None}) == {"mkdocs.yml": None}


def test_a_folder_of_sources_is_checked_by_these_names(tmp_path: Path) -> None:
    """References that are written for the site lead to the sources of its pages, from all folders."""
    pages = {
        "content/_index.md": "[1](my-page/) [2](my-sec/in-it/) [3](s/my-slug) [4](elsewhere/#top) [x](my-gone/)",
        "content/My Page.md": "[1](../my-sec/) [2](../my-sec/in-it/#a) [3](../my-sec/sub-sec/deep/) [x](../gone/)",
        "content/My Sec/_index.md": "[1](in-it/) [2](sub-sec/deep/) [3](../my-page/)",
        "content/My Sec/In It.md": "# A\n\n[1](../) [2](../sub-sec/deep/) [3](../../my-page/) [4](../../s/my-slug/)",
        "content/My Sec/Sub Sec/Deep.md": "[1](../../in-it/#a) [2](../../../my-page/) [3](../../) [x](../../in-it/#b)",
        "content/s/x.md": "---\nslug: My Slug\n---\n[1](../../my-page/) [x](../gone/)",
        "content/s/y.md": "---\nurl: /elsewhere/\n---\n# Top\n",
    }
    written(tmp_path, {**pages, "hugo.toml": ""})
    for folder in (tmp_path, tmp_path / "content"):
        found = {Path(one.document).name: one.reference for one in rehref.check(folder).findings}
        broken = {
            "_index.md": "my-gone/",
            "My Page.md": "../gone/",
            "Deep.md": "../../in-it/#b",
            "x.md": "../gone/",
        }
        assert found == broken

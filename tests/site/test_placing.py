"""Where a folder is, and on which host, as its files say (checking/placing/, site/_grounds/site_context.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rehref
from checked.contexts import checked, host_named, written
from checked.made_places import (
    APP,
    BLOG,
    DOCS,
    LOADS,
    NAMES,
    SILENT,
    SITES,
    VERSION,
    atom,
    canonical,
    og_url,
    pages,
    rooted,
    rss,
    sitemap,
)
from rehref.reports.words_of_findings import place_of_site
from rehref.site._placing.placing import infer_place
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST, SitePlace
from rehref.site.site import Site


def place(folder: Path, files: Mapping[str, str], **options: Any) -> SitePlace:
    return Site.of(written(folder, files), CheckOptions(**options)).place


@pytest.mark.parametrize("name", SITES)
def test_a_site_is_where_it_says(tmp_path: Path, name: str) -> None:
    site = SITES[name]
    found = place(tmp_path, site.files)
    assert (found.url, found.basis, found.sources) == (site.url, site.basis, site.sources)
    assert found.has_host == (site.basis == "stated")


@pytest.mark.parametrize("name", SITES)
def test_a_first_run_finds_what_the_right_options_find(tmp_path: Path, name: str) -> None:
    files = {**SITES[name].files, "more.html": '<a href="gone.html"><a href="more.html"><a href="/nowhere/x.html">'}
    first = checked(tmp_path, files)
    extensions = ("html",) if name == "clean URLs" else None
    right = checked(tmp_path, files, site_url=SITES[name].url, fallback_extensions=extensions)
    assert first.findings == right.findings
    errors = {finding.reference for finding in first.findings if finding.severity == "error"}
    assert errors == {"gone.html", "/nowhere/x.html"}


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_clear_is_not_taken(tmp_path: Path, name: str) -> None:
    found = place(tmp_path, SILENT[name])
    assert (found.url, found.basis, found.sources, found.has_host) == (f"{UNKNOWN_HOST}/", "root", (), False)


def test_old_versions_are_where_their_paths_lead_not_where_their_canonical_pages_are(tmp_path: Path) -> None:
    files = {**pages(head=canonical(VERSION), body=rooted("/v1/")), "img/a.png": ""}
    found = place(tmp_path, files)
    assert (found.url, found.basis) == (f"{UNKNOWN_HOST}/v1/", "links")


def test_a_preview_is_the_root_whatever_its_pages_say(tmp_path: Path) -> None:
    assert place(tmp_path, {**pages(head=canonical(DOCS), body=rooted("/")), "img/a.png": ""}).basis == "root"


def test_one_path_from_the_root_that_is_wrong_does_not_move_the_site(tmp_path: Path) -> None:
    body = "".join(f'<a href="{DOCS}{name}">' for name in NAMES) + '<a href="/about.html">'
    files = pages(head=canonical(DOCS), body=body)
    assert place(tmp_path, files).url == DOCS
    wrong = checked(tmp_path, files).findings
    assert {(finding.reference, finding.code) for finding in wrong} == {("/about.html", "escapes-site")}


def test_whole_uris_of_the_site_are_checked_as_far_as_they_are_its_own(tmp_path: Path) -> None:
    body = f'<a href="{DOCS}gone.html"><a href="https://example.org/elsewhere"><img src="{DOCS}about.html">'
    found = checked(tmp_path, pages(head=canonical(DOCS), body=body)).findings
    assert {(finding.reference, finding.code) for finding in found} == {(f"{DOCS}gone.html", "missing-file")}


def test_a_few_wrong_uris_do_not_outweigh_one_right_uri_on_every_page(tmp_path: Path) -> None:
    gone = {f"more{number}.html": f'<a href="{DOCS}gone{number}.html">' for number in range(3)}
    files = pages(head=canonical(DOCS), body=f'<a href="{DOCS}about.html">') | gone
    found = checked(tmp_path, files).findings
    assert {finding.reference for finding in found} == {f"{DOCS}gone{number}.html" for number in range(3)}


def test_paths_from_the_root_are_looked_up_in_the_folder(tmp_path: Path) -> None:
    files = {"a/b.html": '<a href="/a/b.html"><a href="/a/c.html"><a href="//elsewhere.example/x">'}
    (finding,) = checked(tmp_path, files).findings
    assert (finding.reference, finding.code) == ("/a/c.html", "missing-file")
    assert finding.target == f"{UNKNOWN_HOST}/a/c.html"


def test_a_path_above_the_root_is_the_roots_wherever_the_folder_lies(tmp_path: Path) -> None:
    page = '<a href="../../../../../../../../../../../a.html"><a href="../x/b.html">'
    for folder in (tmp_path, tmp_path / "x/y/z"):
        for options in ({}, {"root_dir": "."}, {"root_dir": str(folder)}):
            result = checked(folder, {"a.html": page, "x/b.html": "x"}, **options)
            assert {finding.code for finding in result.findings} == {"above-root"}


def test_above_a_folder_beside_the_root_is_the_root_wherever_it_lies(tmp_path: Path) -> None:
    page = '<a href="../../../b.html"><a href="/b.html"><a href="www/b.html"><a href="../a.html">'
    for folder in (tmp_path, tmp_path / "x/y/z"):
        for root_dir in ("www", str(folder / "www")):
            said = "it leads above the folder, to ../a.html; there is no file www/a.html"
            result = checked(folder, {"a.html": page, "www/b.html": "x"}, root_dir=root_dir)
            found = {(finding.reference, finding.code, finding.message) for finding in result.findings}
            assert ("../a.html", "missing-file", said) in found
            assert {reference for reference, code, _ in found if code != "above-root"} == {"../a.html"}


@pytest.mark.parametrize("clean", [0, 1, 2, 3, 4])
def test_urls_are_clean_if_most_pages_say_so(tmp_path: Path, clean: int) -> None:
    files = {
        **pages(NAMES[2 : 2 + clean], head=canonical(BLOG), clean=True),
        **pages(NAMES[2 + clean :], head=canonical(BLOG)),
    }
    context = Site.of(written(tmp_path, files), CheckOptions())
    assert context.place.has_clean_urls == (clean >= 3)
    assert context.host.fallback_extensions == (("html",) if clean >= 3 else ())
    assert "--fallback-extensions" in place_of_site(context.place) or clean < 3
    given = Site.of(tmp_path, CheckOptions(fallback_extensions=()))
    assert given.host.fallback_extensions == ()
    assert not given.place.has_clean_urls


CLEAN_LINKS = '<a href="/about">1</a><a href="/guide/start/">2</a><a href="/guide/start#x">3</a>'


def test_one_hint_says_what_to_do_where_pages_are_linked_to_without_their_ending(tmp_path: Path) -> None:
    result = checked(tmp_path, pages(body=CLEAN_LINKS))
    (hint,) = result.hints
    assert len(result.findings) == 3 * len(NAMES)
    assert hint == (
        "there is no about, but there is about.html; all are like this: if the host serves it, say --host "
        "(github-pages, netlify, cloudflare-pages, gitlab-pages) or --fallback-extensions html"
    )


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("", {}),
        (CLEAN_LINKS, {"host": host_named("none")}),
        (CLEAN_LINKS, {"host": host_named("nginx")}),
        (CLEAN_LINKS, {"fallback_extensions": ()}),
        (CLEAN_LINKS, {"fallback_extensions": ("html",)}),
        ('<a href="/about"><a href="/gone">', {}),
        ('<a href="/about">', {}),
        ('<a href="/gone"><a href="/gone.html"><a href="about.htm">', {}),
    ],
)
def test_there_is_no_hint_where_options_say_it_or_where_other_pages_are_missing(
    tmp_path: Path, body: str, options: dict[str, Any]
) -> None:
    assert checked(tmp_path, pages(body=body), **options).hints == ()


def test_options_go_before(tmp_path: Path) -> None:
    files = SITES["docusaurus"].files
    given = place(tmp_path, files, site_url="https://else.example", host=host_named("nginx"))
    assert given == SitePlace(str(tmp_path), "https://else.example/", "given", ("--site-url",), "nginx", "--host")
    assert place(tmp_path, files, root_dir=".") == SitePlace(
        str(tmp_path), f"{UNKNOWN_HOST}/", "given", ("--root-dir",), "github-pages", ".nojekyll"
    )
    disk = SitePlace(str(tmp_path), f"{tmp_path.as_uri()}/", "file", (), "none", "")
    assert place(tmp_path, files, infer=False) == disk


@pytest.mark.parametrize(
    ("names", "host", "source"),
    [
        (("_redirects",), "netlify", "_redirects"),
        (("_redirects", ".nojekyll"), "netlify", "_redirects"),
        (("_redirects", "netlify.toml"), "netlify", "netlify.toml"),
        (("_redirects", "_routes.json"), "cloudflare-pages", "_routes.json"),
        (("_redirects", "wrangler.toml"), "cloudflare-pages", "wrangler.toml"),
        ((".htaccess",), "apache", ".htaccess"),
        ((".htaccess", "_redirects"), "none", ""),
        ((".htaccess", "vercel.json"), "vercel", "vercel.json"),
        (("vercel.json", "netlify.toml"), "none", ""),
        ((".nojekyll",), "github-pages", ".nojekyll"),
        (("a/.htaccess", "a/_redirects", "a/CNAME"), "none", ""),
        (("CNAME",), "none", ""),
        (("CNAME", ".nojekyll"), "github-pages", ".nojekyll"),
        ((), "none", ""),
    ],
)
def test_the_host_is_the_one_whose_files_are_there(
    tmp_path: Path, names: tuple[str, ...], host: str, source: str
) -> None:
    found = place(tmp_path, {"index.html": "", **dict.fromkeys(names, "")})
    assert (found.host, found.host_source) == (host, source)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://anna.github.io/", "github-pages"),
        ("https://anna.github.io/docs/", "github-pages"),
        ("https://anna.gitlab.io/docs/", "gitlab-pages"),
        ("https://a--b.Netlify.App/", "netlify"),
        ("https://x.y.pages.dev/", "cloudflare-pages"),
        ("https://x.vercel.app/", "vercel"),
        ("https://github.io/", "none"),
        ("https://mygithub.io/", "none"),
        ("https://anna.github.io.example/", "none"),
        ("https://example.org/anna.github.io/", "none"),
    ],
)
def test_the_host_is_the_one_whose_domain_the_site_has(tmp_path: Path, url: str, host: str) -> None:
    """Given, or as the pages say; a file of another host does not count, an option does."""
    name = "its domain" if host != "none" else ""
    claims = {file: f'<link rel=canonical href="{url}{file}">' for file in ("a.html", "b.html", "c.html")}
    found = place(tmp_path, {**claims, "index.html": '<a href="a">'})
    assert (found.url.lower(), found.host, found.host_source) == (url.lower(), host, name)
    given = place(tmp_path, {".nojekyll": ""} if host != "none" else {}, site_url=url)
    assert (given.host, given.host_source) == (host, name and "--site-url")
    assert place(tmp_path, {}, site_url=url, host=host_named("apache")).host == "apache"
    assert place(tmp_path, {}, site_url=url, infer=False).host == "none"


def test_rules_for_gitlab_begin_at_the_root_of_the_host(tmp_path: Path) -> None:
    files = {"index.html": '<a href="old"> <a href="older">', "new.html": ""}
    files["_redirects"] = "/docs/old /docs/new.html\n/older /docs/new.html\n"
    found = checked(tmp_path, files, site_url="https://anna.gitlab.io/docs/").findings
    assert [(one.reference, one.code) for one in found] == [("older", "missing-file")]


def test_cname_has_to_be_the_name_of_a_host(tmp_path: Path) -> None:
    found = place(tmp_path, {"index.html": "", "CNAME": "www.example.org\n"})
    assert (found.host, found.host_source, found.url) == ("github-pages", "CNAME", "https://www.example.org/")
    for text in ("", "a b", "https://example.org/", "a.example\nb.example", "127.0.0.1", "x" * 2_000_000):
        found = place(tmp_path, {"CNAME": text})
        assert (found.host, found.basis) == ("none", "root")


@pytest.mark.parametrize(
    ("text", "is_clean"),
    [('{"cleanUrls": true}', True), ('{"cleanUrls": false}', False), ("{}", False), ("[", False), ("[]", False)],
)
def test_vercel_says_whether_its_urls_are_clean(tmp_path: Path, text: str, is_clean: bool) -> None:
    files = {"index.html": '<a href="a"><a href="a/">', "a.html": "", "vercel.json": text}
    found = [finding.code for finding in checked(tmp_path, files).findings]
    assert found.count("missing-file") == (0 if is_clean else 2)
    assert len(checked(tmp_path, files, host=host_named("netlify")).findings) == 0


def test_rehref_check_infers_unless_it_is_told_not_to(tmp_path: Path) -> None:
    written(tmp_path, SITES["mkdocs"].files)
    assert rehref.check(tmp_path).sites == (Site.of(tmp_path, CheckOptions()).place,)
    assert rehref.check(tmp_path, no_infer=True).sites[0].basis == "file"


def test_no_message_denies_a_file_that_is_there(tmp_path: Path) -> None:
    page = '<a href=".git/config">1</a><a href="b.html/">2</a><a href="../../b.html">3</a><a href="/b.html">4</a>'
    result = checked(tmp_path / "x/y", {"a.html": page, "b.html": "", ".git/config": ""})
    told = {finding.reference: finding.message for finding in result.findings if finding.code == "missing-file"}
    assert told == {
        ".git/config": ".git/config is not published, as nothing in .git is",
        "b.html/": "b.html is a file, and has no slash after it",
    }


def test_what_leads_out_of_the_folder_and_back_says_what_the_folder_is_called(tmp_path: Path) -> None:
    up = {name: "../" * (name.count("/") + 1) for name in NAMES}
    files = {name: "".join(f'<a href="{up[name]}en-US/{other}">x</a>' for other in NAMES) for name in NAMES}
    assert place(tmp_path / "a", files).url == f"{UNKNOWN_HOST}/en-US/"
    assert checked(tmp_path / "a", files).findings == ()
    with_base = {
        name: f'<base href="{up[name]}">' + "".join(f'<a href="en-US/{other}">' for other in NAMES) for name in NAMES
    }
    assert place(tmp_path / "b", with_base).url == f"{UNKNOWN_HOST}/en-US/"
    assert {finding.code for finding in checked(tmp_path / "b", with_base).findings} <= {"base-relative"}


@pytest.mark.parametrize("base", ["/app/", " /app/index.html", "/app/?x=/y/#/z/", "/%61pp/"])
def test_a_base_from_the_root_says_where_the_site_is_if_its_files_are_there(tmp_path: Path, base: str) -> None:
    files = {**APP, "index.html": f'<base href="{base}">{LOADS}'}
    assert place(tmp_path, files).url == f"{UNKNOWN_HOST}/app/"
    assert checked(tmp_path, files).findings == ()


def test_a_base_from_the_root_leads_into_the_folder_where_that_is_the_root(tmp_path: Path) -> None:
    files = {"index.html": f'<base href="/app/">{LOADS}', **{f"app/{name}": text for name, text in APP.items()}}
    assert place(tmp_path, files).basis == "root"
    assert checked(tmp_path, files).findings == ()


def test_a_page_for_errors_does_not_say_that_urls_are_clean(tmp_path: Path) -> None:
    heads = canonical(BLOG) + og_url(BLOG)
    files = {**pages(("index.html", "a/index.html"), head=heads), **pages(("404.html",), head=heads, clean=True)}
    found = place(tmp_path, files)
    assert (found.url, found.has_clean_urls) == (BLOG, False)


# --- samples


def test_a_sitemap_that_is_cut_counts_as_far_as_it_goes(tmp_path: Path) -> None:
    names = tuple(f"{'page-' * 30}{number:03}.html" for number in range(600))
    files = {**dict.fromkeys(names[:3], ""), "sitemap.xml": sitemap(DOCS, names)}
    assert place(tmp_path, files).basis == "root"  # most of what it lists is not there
    assert place(tmp_path, dict.fromkeys(names, "")).url == DOCS


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    written(tmp_path, {"index.html": "", "b.html": ""})
    (tmp_path / "sitemap.xml").symlink_to("nowhere")
    (tmp_path / "feed.xml").write_bytes(b"<rss \xff\xfe\0" + b"<link>" * 5000)
    assert place(tmp_path, {"a.html": "\0<base href='//['><a href=x>"}).basis == "root"


def test_pages_in_other_encodings(tmp_path: Path) -> None:
    for name, page in pages(head=canonical(DOCS)).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"\xff\xfe" + page.encode("utf-16-le"))
    assert place(tmp_path, {}).url == DOCS


def test_names_that_are_escaped(tmp_path: Path) -> None:
    files = {
        "a b.html": '<link rel=canonical href="https://EXAMPLE.org/d%C3%B6cs/a%20b.html">',
        "c.html": '<link rel=canonical href="https://example.org:443/d%c3%b6cs/c.html">',
    }
    found = place(tmp_path, files)
    assert found.url in ("https://example.org/d%C3%B6cs/", "https://example.org:443/d%C3%B6cs/")


@pytest.mark.parametrize(
    ("before", "inside", "basis"),
    [
        ("<!-- " + 3000 * "x" + " -->", "{}", "stated"),
        ("<!DOCTYPE urlset [<!ENTITY x '>'>]>", "{}", "stated"),
        ("<!-- <urlset > -->", "<other>{}</other>", "root"),
        ("", "<other>{}</other>", "root"),
    ],
)
def test_the_document_element_tells_a_list(tmp_path: Path, before: str, inside: str, basis: str) -> None:
    files = {**pages(), "sitemap.xml": before + inside.format(sitemap(DOCS).partition("?>")[2])}
    assert place(tmp_path, files).basis == basis


def test_feeds_of_both_kinds_say_the_same(tmp_path: Path) -> None:
    assert place(tmp_path / "a", {**pages(), "x.atom": atom(DOCS)}) == place(
        tmp_path / "a", {**pages(), "x.atom": rss(DOCS)}
    )


def test_a_folder_beside_with_the_same_files_is_not_the_place(tmp_path: Path) -> None:
    """Two manuals with the same names of pages refer to each other from the folder above theirs."""
    page = "".join(f'<a href="../../doc/tut/chap{number}.html">x</a>' for number in range(4))
    for folder in ("ref", "tut"):
        for number in range(4):
            path = tmp_path / f"doc/{folder}/chap{number}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page)
    names = [f"chap{number}.html" for number in range(4)]
    assert infer_place(tmp_path / "doc/ref", names, names).basis == "root"
    assert infer_place(tmp_path / "doc/tut", names, names).uri.endswith("/doc/tut/")

"""`rehref check`: what people have on their sites, and say with an option: hosts, routes, endings, lazy images."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/guide.html").write_text("<h1 id=here>x</h1>")
    (folder / "there.png").touch()
    return folder


def wrong(run: Run, folder: Path, *options: str, page: str | None = None) -> list[str]:
    """The references in which an error is found; `page`: what stands in the index."""
    if page is not None:
        (folder / "index.html").write_text(page)
    result = run("check", folder, "--format", "json", *options)
    assert result.exit_code in (0, 1), result.stderr
    return [one["reference"] for one in json.loads(result.stdout)["problems"] if one["severity"] == "error"]


@pytest.fixture(params=["no", "require"])
def native(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the compiled twin, and without."""
    from rehref.markup import twin

    if request.param == "no":
        monkeypatch.setattr(twin, "TWIN", None)
    elif twin.TWIN is None:
        pytest.skip("there is no compiled twin")


# --- what carries references, as in `links`


@pytest.mark.usefixtures("native")
def test_attributes_that_are_asked_for_carry_references(run: Run, public: Path) -> None:
    page = (
        '<img src=there.png data-src=gone.png data-mine="there.png 1x, lost.png 2x"><p data-src=there.png>'
        "<a data-mine=not.png>"
    )
    assert wrong(run, public, page=page) == []
    assert wrong(run, public, "--lazy") == ["gone.png"]
    assert wrong(run, public, "--attribute", "img@data-mine=srcset") == ["lost.png"]
    assert wrong(run, public, "--lazy", "--attribute", "*@data-mine=srcset") == ["gone.png", "lost.png", "not.png"]
    assert wrong(run, public, "--lazy-attributes", "data-mine", "--attribute", "img@data-mine=srcset") == [
        "lost.png",
        "not.png",
    ]


@pytest.mark.usefixtures("native")
def test_fragments_in_attributes_that_are_asked_for(run: Run, public: Path) -> None:
    page = '<a data-href="docs/guide.html#here"></a><a data-href="docs/guide.html#none"></a><a data-href="#none"></a>'
    assert wrong(run, public, "--attribute", "a@data-href", page=page) == ["docs/guide.html#none", "#none"]


def test_what_names_no_attribute_is_refused_at_once(run: Run, public: Path) -> None:
    for option, value in (("--attribute", "a@"), ("--attribute", "a@b=nonsense"), ("--lazy-attributes", "a b")):
        result = run("check", public, option, value)
        assert result.exit_code == 2
        assert option in result.stderr


@pytest.mark.usefixtures("native")
def test_conditional_comments_are_looked_into_on_request(run: Run, public: Path) -> None:
    page = "<!--[if IE]><a href=gone.html></a><link rel=stylesheet href=there.png><![endif]--><!-- <a href=no.html> -->"
    assert wrong(run, public, "--allow-empty", page=page) == []
    assert wrong(run, public, "--conditional-comments") == ["gone.html"]


@pytest.mark.usefixtures("native")
def test_urls_in_json_ld_are_checked_and_names_are_not(run: Run, public: Path) -> None:
    data = {
        "@context": "https://schema.org",
        "@id": "#organization",
        "@type": "Organization",
        "url": "docs/guide.html",
        "logo": "gone.png",
        "image": {"@type": "ImageObject", "@id": "/image/1", "contentUrl": ["there.png", "lost.png"]},
        "name": "no.png",
    }
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    assert wrong(run, public, page=f"<a href=there.png>{script}") == ["gone.png", "lost.png"]
    (public / "data.jsonld").write_text(json.dumps(data))
    assert wrong(run, public, page="<p>") == ["gone.png", "lost.png"]


# --- other host names, other places


def test_links_to_other_names_of_the_host_are_checked(run: Run, public: Path) -> None:
    page = (
        '<a href="https://www.example.org/docs/guide.html#here"></a><a href="http://WWW.Example.org:80/gone.html"></a>'
        '<a href="https://b\u00fccher.example:8080/docs/guide.html#none"></a><a href="https://b\u00fccher.example/gone2.html"></a>'
        '<a href="https://else.example/gone3.html"></a><a href="//www.example.org/gone4.html?a=b#c"></a>'
    )
    hosts = ("--own-host", "www.example.org", "--own-host", "xn--bcher-kva.example:8080")
    expected = [
        "http://WWW.Example.org:80/gone.html",
        "https://b\u00fccher.example:8080/docs/guide.html#none",
        "//www.example.org/gone4.html?a=b#c",
    ]
    site = ("--site-url", "https://example.org/")
    assert wrong(run, public, *site, *hosts[:2], page=page) == [expected[0], expected[2]]
    assert wrong(run, public, *site, *hosts) == expected
    # without a URL, the folder is the root of the hosts; on the disk, what has no scheme is a file on a share
    assert wrong(run, public, *hosts) == expected
    assert wrong(run, public, *hosts, "--no-infer") == expected[:2]


def test_the_site_keeps_its_prefix_on_other_hosts(run: Run, public: Path) -> None:
    page = '<a href="https://www.example.org/d/docs/guide.html"></a><a href="https://www.example.org/d/gone.html"></a>'
    page += '<a href="https://www.example.org/elsewhere"></a>'
    site = ("--site-url", "https://example.org/d/", "--own-host", "www.example.org")
    assert wrong(run, public, *site, page=page) == ["https://www.example.org/d/gone.html"]


def test_redirections_may_lead_to_other_names_of_the_host(run: Run, public: Path) -> None:
    (public / "_redirects").write_text("/a https://www.example.org/docs/guide.html\n/b https://www.example.org/gone\n")
    site = ("--site-url", "https://example.org/", "--host", "netlify", "--own-host", "www.example.org")
    found = wrong(run, public, *site, page="<a href=/a></a><a href=/b></a>")
    assert "/a" not in found
    assert "/b" in found


def test_a_sitemap_on_another_name_of_the_host(run: Run, public: Path) -> None:
    locations = "".join(f"<url><loc>https://www.example.org/{path}</loc></url>" for path in ("", "gone.html"))
    (public / "sitemap.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{locations}</urlset>'
    )
    found = wrong(run, public, "--sitemap", "--own-host", "www.example.org", page="<p>")
    assert found == ["https://www.example.org/gone.html"]


@pytest.mark.parametrize(
    "host", ["https://www.example.org/", "www.example.org/x", "", "me@www.example.org", "a b?c", "a:b:c"]
)
def test_what_is_no_host_is_refused(run: Run, public: Path, host: str) -> None:
    result = run("check", public, "--own-host", host)
    assert result.exit_code == 2
    assert "is not the name of a host" in result.stderr


def test_targets_are_judged_as_they_are_mapped(run: Run, public: Path) -> None:
    page = (
        '<a href="https://cdn.example/v2/there.png"></a><a href="https://cdn.example/v2/gone.png"></a>'
        '<a href="/old/guide.html#here"></a><a href="/old/guide.html#none"></a><a href="/api/x"></a>'
        '<a href="/api/y#z"></a>'
    )
    rules = (
        *("--remap", r"^https://cdn\.example/v[0-9]/="),
        *("--remap", r"/old/(?P<name>\w+)=/docs/\g<name>"),
        *("--remap", r"^.*/api/(.*)=https://api.example/\1"),
    )
    site = ("--site-url", "https://example.org/")
    found = ["https://cdn.example/v2/gone.png", "/old/guide.html#none"]
    assert wrong(run, public, *site, *rules, page=page) == found
    assert wrong(run, public, *site, page=page) == [
        "/old/guide.html#here",
        "/old/guide.html#none",
        "/api/x",
        "/api/y#z",
    ]
    # the site of a folder without a URL is at its file: URI
    assert wrong(run, public, *rules[:2]) == [
        found[0],
        *["/old/guide.html#here", "/old/guide.html#none"],
        "/api/x",
        "/api/y#z",
    ]


def test_the_first_rule_that_is_found_counts(run: Run, public: Path) -> None:
    page = '<a href="https://a.example/x"></a>'
    rules = ("--remap", "a.example/x=b.example/x", "--remap", "b.example=c.example", "--remap", "a=d")
    (public / "index.html").write_text(page)
    (public / "x").touch()
    site = ("--site-url", "https://b.example/")
    assert "leads to the file x" in run("check", public, *site, *rules, "--why", "https://a.example/x").stdout


def test_what_is_replaced_gets_no_suggestion(run: Run, public: Path) -> None:
    (public / "index.html").write_text('<a href="https://www.example.org/docs/giude.html">')
    options = ("--site-url", "https://example.org/", "--format", "json")
    problems = json.loads(run("check", public, *options, "--own-host", "www.example.org").stdout)["problems"]
    assert [one["suggestion"] for one in problems] == [None]
    assert problems[0]["target"] == "https://www.example.org/docs/giude.html"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("nothing", "is not REGEX=URL"),
        ("=https://x/", "is not REGEX=URL"),
        ("(=x", "the expression is not understood"),
        (r"(a)=\2", r"\2 in the replacement is not a group"),
        (r"(a)=\g<b>", r"\g<b> in the replacement is not a group"),
        (r"a=\x", r"\x in the replacement is not a group"),
    ],
)
def test_what_is_no_rule_is_refused(run: Run, public: Path, rule: str, message: str) -> None:
    result = run("check", public, "--remap", rule)
    assert result.exit_code == 2
    assert message in result.stderr


def test_why_says_what_is_judged_instead(run: Run, public: Path) -> None:
    (public / "index.html").write_text("<p>")
    options = ("--site-url", "https://example.org/", "--own-host", "www.example.org")
    said = run("check", public, *options, "--why", "https://www.example.org/docs/guide.html#here").stdout
    assert "https://example.org/docs/guide.html is looked up instead" in said
    assert "it leads to the file docs/guide.html" in said


# --- files and fragments


def test_folders_without_an_index_may_be_listed(run: Run, public: Path) -> None:
    (public / "docs/deep").mkdir()
    page = "<a href=docs/>1</a><a href=docs>2</a><a href=docs/deep/>3</a><a href=docs/none/>4</a><a href=docs/#x>5</a>"
    assert wrong(run, public, page=page) == ["docs/", "docs", "docs/deep/", "docs/none/", "docs/#x"]
    assert wrong(run, public, "--directory-listing") == ["docs/none/"]
    assert wrong(run, public, "--directory-listing", "--orphans") == ["docs/none/"]
    (public / "index.html").unlink()
    (public / "page.html").write_text("<a href=.>")
    assert wrong(run, public) == ["."]
    assert wrong(run, public, "--directory-listing", "--orphans", "--text-fragments") == []
    assert "docs/" in run("check", public, "--directory-listing", "--why", "docs/").stdout


def test_files_with_other_endings_may_be_html(run: Run, public: Path) -> None:
    (public / "page.tpl").write_text("include x <h1 id=a><a href=gone.html>x</a>")
    (public / "Upper.TPL").write_text("include x <a href=gone2.html>x</a>")
    (public / "logo.svg.inc").write_text("include x <a href=gone3.html>x</a>")
    page = '<a href="page.tpl#none">1</a><a href="page.tpl#a">1</a>'
    assert wrong(run, public, page=page) == []
    assert wrong(run, public, "--document-extensions", "tpl, .inc") == [
        "gone2.html",
        "page.tpl#none",
        "gone3.html",
        "gone.html",
    ]


def test_routes_of_scripts_are_right_on_every_page(run: Run, public: Path) -> None:
    routes = ["#/users/1", "#!", "#!/x", "#?tab=2", "#tab=install&os=linux", "#/", "docs/guide.html#/y"]
    page = "".join(f'<a href="{route}">x</a>' for route in [*routes, "#none"])

    def without(*options: str) -> set[str]:
        return set(wrong(run, public, *options, page=page))

    assert without("--client-routes", "hash") == {"#!", "#!/x", "#?tab=2", "#tab=install&os=linux", "#none"}
    assert without("--client-routes", "hashbang") == set(routes) - {"#!", "#!/x"} | {"#none"}
    assert without("--client-routes", "params") == set(routes) - {"#?tab=2", "#tab=install&os=linux"} | {"#none"}
    assert without(*(word for name in ("hash", "hashbang", "params") for word in ("--client-routes", name))) == {
        "#none"
    }
    assert run("check", public, "--client-routes", "nonsense").exit_code == 2


def test_all_of_it_can_be_configured(run: Run, public: Path) -> None:
    Path("rehref.toml").write_text(
        'lazy = true\n[check]\nown_host = "www.example.org"\nremap = ["^x:=https://e.example/"]\n'
        'client_routes = "hash"\ndirectory_listing = true\ndocument_extensions = "tpl"\n'
    )
    page = "<img data-src=gone.png><a href='https://www.example.org/gone.html'></a><a href='#/x'></a><a href=docs/></a>"
    assert wrong(run, public, page=page) == ["gone.png", "https://www.example.org/gone.html"]


def test_why_says_of_a_folder_that_cannot_be_read_that_nobody_knows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shut").mkdir()
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("/shut"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = run("check", tmp_path, "--why", "shut/a.html")
    assert result.exit_code == 0
    assert "it leads into a folder that cannot be read, so it is not checked" in result.stdout


def test_why_says_that_scripts_may_make_a_fragment(run: Run, public: Path) -> None:
    (public / "app.html").write_text("<div id=root></div><script src=app.js></script>")
    result = run("check", public, "--why", "app.html#x")
    assert "script-fragments (a warning): nothing in app.html has the id 'x': scripts may make it" in result.stdout
    assert result.exit_code == 0

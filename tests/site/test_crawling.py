"""Which pages of servers are fetched (`rehref.site._crawling`), and that they are checked as those of a folder are."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Callable, Sequence
from random import Random

import pytest

from checked.made_web import HTML, Response, Web, checked, documents, fetching, found, moved
from rehref.files.file_errors import FileError
from rehref.site.check_options import CheckOptions
from rehref.site.given_options import patterns
from rehref.web.answers import Question

DOCS = "https://a.example/docs/"


def links(*references: str) -> str:
    """A page with some links."""
    return "<!DOCTYPE html><title>T</title>" + "\n".join(f'<a href="{each}">x</a>' for each in references)


def sitemap(*urls: str, media_type: str = "text/xml") -> Response:
    """A sitemap of these pages."""
    listed = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'
    return Response(body, headers={"content-type": media_type})


# scope


def test_without_recursive_only_the_named_pages_are_read() -> None:
    web = Web({DOCS: links("a", "b"), f"{DOCS}a": links("b")})
    assert documents(web, DOCS, f"{DOCS}a", recursive=False) == [DOCS, f"{DOCS}a"]
    assert web.asked == [DOCS, f"{DOCS}a"]


def test_the_pages_in_scope_are_read_and_each_url_is_asked_for_once() -> None:
    web = Web(
        {
            DOCS: links("a", "a#x", "./b", "../", "/docs/c/"),
            f"{DOCS}a": links("b", "", "https://b.example/"),
            f"{DOCS}b": links("a", "c/"),
            f"{DOCS}c/": links("../a"),
        }
    )
    assert documents(web, DOCS) == [DOCS, f"{DOCS}a", f"{DOCS}b", f"{DOCS}c/"]
    assert sorted(web.asked) == [DOCS, f"{DOCS}a", f"{DOCS}b", f"{DOCS}c/"]


def test_where_the_first_page_redirects_to_is_in_scope_too() -> None:
    start = "http://a.example/"
    web = Web(
        {
            start: moved("https://www.a.example/en/"),
            "https://www.a.example/en/": links("a", "/de/"),
            "https://www.a.example/en/a": links("b"),
        }
    )
    assert documents(web, start) == ["https://www.a.example/en/", "https://www.a.example/en/a"]


def test_a_page_out_of_scope_that_one_in_scope_redirects_to_is_not_read() -> None:
    web = Web({DOCS: links("a"), f"{DOCS}a": moved("https://b.example/"), "https://b.example/": links("x")})
    assert documents(web, DOCS) == [DOCS]
    assert web.asked == [DOCS, f"{DOCS}a"]


def test_several_urls_that_redirect_to_a_page_are_one_page() -> None:
    web = Web(
        {
            DOCS: links("old", "older", "new"),
            f"{DOCS}old": moved(f"{DOCS}new"),
            f"{DOCS}older": moved(f"{DOCS}new"),
            f"{DOCS}new": links("#nothing"),
        },
        takes=lambda waiting: 0,
    )
    assert [each for each in found(web, DOCS) if each[1] == "missing-fragment"] == [
        (f"{DOCS}new", "missing-fragment", "#nothing")
    ]


def test_what_a_redirection_led_to_is_not_asked_for_again() -> None:
    web = Web({DOCS: links("old"), f"{DOCS}old": moved(f"{DOCS}new"), f"{DOCS}new": links("new")})
    assert documents(web, DOCS) == [DOCS, f"{DOCS}new"]
    assert web.asked == [DOCS, f"{DOCS}old"]


def test_forms_are_not_sent_and_images_not_fetched() -> None:
    web = Web({DOCS: '<form action="delete"></form><img src="a.png"><a ping="log" href="a">x</a>'})
    documents(web, DOCS)
    assert web.asked == [DOCS, f"{DOCS}a"]


def test_what_is_left_out_is_not_fetched() -> None:
    web = Web({DOCS: links("a", "private/b")})
    options = CheckOptions(jobs=1, exclude=patterns("--exclude", ["private/"]))
    documents(web, DOCS, options=options)
    assert web.asked == [DOCS, f"{DOCS}a"]


# bounds

FIRST: Callable[[Sequence[Question]], int] = lambda _: 0  # noqa: E731
LAST: Callable[[Sequence[Question]], int] = lambda waiting: len(waiting) - 1  # noqa: E731


@pytest.mark.parametrize("seed", range(30))
def test_depth_does_not_depend_on_what_comes_first(seed: int) -> None:
    random = Random(seed)
    names = [f"p{number}" for number in range(25)]
    pages = {f"{DOCS}{name}": links(*random.sample(names, 2)) for name in names}
    expected = breadth_first(pages, f"{DOCS}p0", 3)
    for takes in (FIRST, LAST, lambda waiting: random.randrange(len(waiting))):
        assert documents(Web(pages, takes=takes), f"{DOCS}p0", depth=3) == sorted(expected)


def breadth_first(pages: dict[str, str], start: str, depth: int) -> set[str]:
    """The pages that are so many links away, at most."""
    reached = {start}
    for _ in range(depth):
        reached |= {url for url in pages if any(f'"{url.removeprefix(DOCS)}"' in pages[page] for page in reached)}
    return reached


def test_no_more_is_kept_than_there_is_to_be_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {f"{DOCS}{number}": links(str(number + 1)) for number in range(100)}
    size = len(pages[f"{DOCS}0"].encode())
    monkeypatch.setattr("rehref.site._crawling.fetching.MOST_BYTES", 5 * size)
    web = Web(pages)
    with fetching(web, f"{DOCS}0") as (fetched, _):
        assert fetched.is_full
        assert list(fetched.context.scope.documents) == [f"{DOCS}{number}" for number in range(5)]
        assert fetched.not_asked == (f"{DOCS}5",)
    assert web.asked == [f"{DOCS}{number}" for number in range(6)]


def test_where_there_is_no_room_the_folder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", write)
    with pytest.raises(FileError) as caught, fetching(Web({DOCS: links("a")}), DOCS):
        pass
    assert tempfile.gettempdir() in caught.value.file
    assert str(caught.value).endswith(": no page can be kept there: no space left on device; make room")


def test_header_fields_are_read_as_they_were_sent() -> None:
    fields = {"content-type": "text/html", "link": "</docs/日本>; rel=next, </docs/é>; rel=prev"}
    web = Web({DOCS: Response(links(), headers=fields)})
    documents(web, DOCS)
    assert sorted(web.asked) == [DOCS, f"{DOCS}%C3%A9", f"{DOCS}%E6%97%A5%E6%9C%AC"]


def test_ctrl_c_leaves_what_came_so_far() -> None:
    web = Web({DOCS: links("a", "b"), f"{DOCS}a": links("#nothing"), f"{DOCS}b": links("#no")}, stop_after=2)
    with fetching(web, DOCS) as (pages, run):
        assert run.is_stopped
        assert list(pages.context.scope.documents) == [DOCS, f"{DOCS}a"]


# how pages are read


def test_the_charset_that_was_sent_counts() -> None:
    page = links("\u00e9").encode("latin-1")
    sent = {"content-type": "text/html; charset=iso-8859-1"}
    web = Web({DOCS: Response(page, headers=sent), f"{DOCS}%C3%A9": links()})
    assert documents(web, DOCS) == [DOCS, f"{DOCS}%C3%A9"]


def test_a_page_without_any_charset_is_read_as_browsers_read_responses() -> None:
    web = Web({DOCS: Response(links("#\u00e9") + '<p id="\u00e9">', headers={"content-type": "text/html"})})
    with fetching(web, DOCS) as (pages, _):
        assert "\u00c3\u00a9" in (pages.context.lines()(DOCS, 1) or "")


@pytest.mark.parametrize("label", ["no-such-charset", ""])
def test_a_label_of_no_encoding_is_ignored(label: str) -> None:
    web = Web({DOCS: Response(links("a"), headers={"content-type": f"text/html; charset={label}"})})
    assert documents(web, DOCS, recursive=False) == [DOCS]


@pytest.mark.parametrize(
    ("media_type", "body", "is_read"),
    [
        ("text/html", links(), True),
        ("application/xhtml+xml", '<html xmlns="http://www.w3.org/1999/xhtml"/>', True),
        ("application/rss+xml", "<rss/>", True),
        ("text/css", "", True),
        ("application/manifest+json", "{}", True),
        ("text/plain", "https://a.example/docs/x", False),
        ("application/pdf", "%PDF-1.4", False),
        ("", links(), True),
        ("", "\0\1\2", False),
    ],
)
def test_which_types_are_read(media_type: str, body: str, is_read: bool) -> None:
    web = Web({DOCS: Response(body, headers={"content-type": media_type} if media_type else {})})
    assert bool(documents(web, DOCS)) is is_read


def test_references_are_relative_to_where_redirections_led() -> None:
    web = Web({DOCS: links("old"), f"{DOCS}old": moved(f"{DOCS}new/"), f"{DOCS}new/": links("a")})
    documents(web, DOCS)
    assert web.asked[-1] == f"{DOCS}new/a"


def test_a_base_element_counts_and_fragments_are_those_of_the_base() -> None:
    page = '<base href="sub/"><a href="a">x</a><a href="#here">x</a><p id="here">'
    web = Web({DOCS: page, f"{DOCS}sub/": "<p id=there>", f"{DOCS}sub/a": links()})
    assert (DOCS, "missing-fragment", "#here") in found(web, DOCS)
    assert f"{DOCS}sub/a" in web.asked


def test_the_base_of_a_finding_says_where_it_comes_from() -> None:
    result = checked(Web({DOCS: links("#nothing")}), DOCS)
    base = result.findings[0].base
    assert base is not None
    assert (base.uri, base.origin) == (DOCS, "retrieval")


def test_header_fields_are_documents_beside_their_pages() -> None:
    headers = {**HTML, "link": "<a>; rel=next, <b.css>; rel=stylesheet"}
    web = Web({DOCS: Response(links(), headers=headers), f"{DOCS}a": links()})
    assert documents(web, DOCS) == [DOCS, f"{DOCS} (header fields)", f"{DOCS}a"]
    assert web.asked == [DOCS, f"{DOCS}a", f"{DOCS}b.css"]


def test_a_sitemap_is_a_page_to_begin_with() -> None:
    start = "https://a.example/sitemap.xml"
    listed = sitemap(f"{DOCS}a", "https://a.example/b", media_type="application/xml")
    web = Web({start: listed, f"{DOCS}a": links("#nothing")})
    assert found(web, start)[0] == (f"{DOCS}a", "missing-fragment", "#nothing")
    assert web.asked == [start, f"{DOCS}a", "https://a.example/b"]


# what is shared with folders


def test_fragments_of_other_pages_are_checked_with_what_scripts_and_refreshes_make_of_them() -> None:
    web = Web(
        {
            DOCS: links("a#there", "a#not", "b#c", "top#top"),
            f"{DOCS}a": '<p id="there">',
            f"{DOCS}b": '<meta http-equiv="refresh" content="0; url=c">',
            f"{DOCS}c": '<p id="c">',
            f"{DOCS}top": "",
        }
    )
    assert found(web, DOCS) == [(DOCS, "missing-fragment", "a#not"), (DOCS, "missing-fragment", "b#c")]


def test_comments_and_attributes_in_pages_leave_findings_out() -> None:
    web = Web(
        {DOCS: '<!-- rehref-ignore-next-line -->\n<a href="#a">x</a>\n<p data-rehref-ignore><a href="#b">x</a></p>'}
    )
    assert found(web, DOCS) == []


def test_codes_are_selected_and_lines_shown() -> None:
    web = Web({DOCS: links("#a", "#x") + '<p id="x"><p id="x">'})
    options = CheckOptions(jobs=1, ignore=("missing-fragment",))
    assert {code for _, code, _ in found(web, DOCS, options=options)} == {"duplicate-id"}
    with fetching(web, DOCS) as (pages, _):
        assert (pages.context.lines()(DOCS, 1) or "").startswith("<!DOCTYPE html>")


def test_options_for_folders_do_not_matter() -> None:
    options = CheckOptions(jobs=1, site_url="https://c.example/", root_dir="x", exclude_paths=("*",), files=("a",))
    assert found(Web({DOCS: links("#a")}), DOCS, options=options) == [(DOCS, "missing-fragment", "#a")]


def test_pages_that_only_a_sitemap_names_are_orphans() -> None:
    start = "https://a.example/sitemap.xml"
    web = Web({start: sitemap(f"{DOCS}a", f"{DOCS}b"), f"{DOCS}a": links("b"), f"{DOCS}b": links()})
    options = CheckOptions(jobs=1, checks=frozenset({"orphans"}))
    assert found(web, start, options=options) == [(f"{DOCS}a", "orphan", "")]


# URLs to begin with


@pytest.mark.parametrize(
    ("status", "code"), [(404, "web-not-found"), (500, "web-server-error"), (403, "web-forbidden")]
)
def test_a_page_to_begin_with_that_cannot_be_had_is_reported(status: int, code: str) -> None:
    web = Web({DOCS: status})
    with fetching(web, DOCS) as (pages, _):
        assert pages.context.fetched is not None
        assert [(each.url, each.code) for each in pages.context.fetched.failed] == [(DOCS, code)]


def test_one_that_is_no_document_is_named_and_nothing_is_wrong_with_it() -> None:
    web = Web({f"{DOCS}a.pdf": Response(b"%PDF", headers={"content-type": "application/pdf"})})
    with fetching(web, f"{DOCS}a.pdf") as (pages, _):
        assert pages.no_documents == ((f"{DOCS}a.pdf", "application/pdf"),)
        assert pages.context.fetched is not None
        assert pages.context.fetched.failed == ()


def test_of_an_error_page_no_fragments_are_looked_for() -> None:
    web = Web({DOCS: links("gone#x"), f"{DOCS}gone": Response("<p id=y>", status=404)})
    assert found(web, DOCS) == [(DOCS, "web-not-found", "gone#x")]


def test_addresses_that_pages_give_as_their_own_have_one_cause() -> None:
    page = '<link rel="canonical" href="file:///srv/docs/{}">'
    web = Web({f"{DOCS}{name}": links("a", "b") + page.format(name) for name in "ab"})
    result = checked(web, f"{DOCS}a")
    assert [(cause.code, cause.occurrences) for cause in result.causes] == [("file-uri", 2)]


def test_links_to_a_page_that_was_redirected_to_are_checked_for_their_fragments() -> None:
    web = Web({DOCS: links("old#x", "old#y"), f"{DOCS}old": moved(f"{DOCS}new", 302), f"{DOCS}new": "<p id=x>"})
    assert found(web, DOCS) == [(DOCS, "missing-fragment", "old#y")]


def test_codes_are_left_out_of_pages_by_patterns_for_their_urls() -> None:
    options = CheckOptions(jobs=1, per_path_ignores=(("**/old/**", ("missing-fragment",)),))
    web = Web({DOCS: links("old/a", "#x"), f"{DOCS}old/a": links("#x")})
    assert found(web, DOCS, options=options) == [(DOCS, "missing-fragment", "#x")]


def test_pages_that_no_fetched_sitemap_lists_are_named() -> None:
    start = "https://a.example/map"
    pages = {f"{DOCS}a": links("b"), f"{DOCS}b": links("a")}
    web = Web({start: sitemap(f"{DOCS}a"), **pages})
    options = CheckOptions(jobs=1, checks=frozenset({"sitemap"}))
    assert found(web, start, options=options) == [(f"{DOCS}b", "not-in-sitemap", "")]
    assert found(Web(pages), f"{DOCS}a", options=options) == [("https://a.example/sitemap.xml", "no-sitemap", "")]


def test_what_hosts_asked_for_while_pages_were_fetched_is_known_later() -> None:
    web = Web({DOCS: links("https://b.example/")})
    with fetching(web, DOCS) as (_, run):
        assert run.outside is not None
        assert web.records is run.outside.hosts

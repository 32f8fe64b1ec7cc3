"""Archives as states: methods of requests, redirects with fragments, in chains, to the home page, to themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from plugins.compare.archives import SITE, answer, archive, record
from plugins.compare.sites import page, site, text


def changes(old: Path, new: Path, **options: object) -> dict[str, tuple[str, str | None]]:
    problems = rehref.compare(old, new, **options).problems
    return {each.url: (each.code, each.moved_to) for each in problems if each.code.startswith("url-")}


def asked(method: str, url: str, body: str, status: int = 200) -> bytes:
    """A request of a method, and its answer."""
    request = record(SITE + url, f"{method} /{url} HTTP/1.1\r\nHost: mill.example\r\n\r\n".encode(), "request")
    return request + answer(SITE + url, body, status)


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST"])
def test_only_answers_to_get_are_pages(tmp_path: Path, method: str) -> None:
    body = "" if method == "HEAD" else page("Other")
    old = archive(tmp_path / "old.warc", {"a.html": page("A")}, {}, [asked("GET", "b.html", page("B"))])
    more = [asked("GET", "b.html", page("B")), asked(method, "b.html", body), asked(method, "a.html", body)]
    new = archive(tmp_path / "new.warc", {"a.html": page("A")}, {}, more)
    assert changes(old, new) == {}
    assert [each.code for each in rehref.compare(old, new).problems] == []


def test_a_page_that_was_only_asked_for_its_head_is_not_promised(tmp_path: Path) -> None:
    old = archive(tmp_path / "old.warc", {}, {}, [asked("HEAD", "b.html", ""), asked("OPTIONS", "c.html", "")])
    assert changes(old, site(tmp_path / "new", {})) == {}


def test_redirects_that_never_ended_are_not_promised(tmp_path: Path) -> None:
    redirects = {"self.html": "/self.html", "secure.html": "https://mill.example/secure.html", "x": "/y", "y": "/x#z"}
    old, new = archive(tmp_path / "old.warc", {}, redirects), site(tmp_path / "new", {})
    assert changes(old, new, write_redirects=new / "_redirects") == {}
    assert not (new / "_redirects").exists()
    archive(tmp_path / "old.warc", {name: page(name) for name in redirects}, {})
    archive(tmp_path / "new.warc", {}, redirects)
    found = rehref.compare(tmp_path / "old.warc", tmp_path / "new.warc")
    assert {each.url for each in found.problems if each.code == "url-gone"} == redirects.keys()
    assert {"circles" in each.message for each in found.problems if each.code == "url-gone"} == {True}


def test_redirects_lead_on_with_their_fragments(tmp_path: Path) -> None:
    pages = {"new/a.html": page("A", f"<p id=x>{text('A')}"), "plain.html": page("Plain")}
    redirects = {
        "home.html": "/",
        "one.html": "/two.html#late",
        "two.html": "new/a.html",
        "three.html": "four.html#x",
        "four.html": "new/a.html#y",
        "secure.html": "https://mill.example/plain.html",
        "out.html": "https://other.example/#z",
    }
    old = archive(tmp_path / "old.warc", pages, redirects)
    new = site(tmp_path / "new", {"moved.html": page("A", f"<p id=x>{text('A')}"), "plain.html": page("Plain")})
    leads = {
        "new/a.html": "moved.html",
        "home.html": "",
        "one.html": "moved.html#late",
        "two.html": "moved.html",
        "three.html": "moved.html#y",
        "four.html": "moved.html#y",
        "secure.html": "plain.html",
        "out.html": "https://other.example/#z",
    }
    assert changes(old, new) == {url: ("url-gone", to) for url, to in leads.items()}
    contract = tmp_path / "c.jsonl"
    rehref.compare(old, old, save=contract)
    assert changes(contract, new) == {url: ("url-gone", to) for url, to in leads.items()}
    rehref.compare(contract, new, host="apache", write_redirects=new / ".htaccess")
    after = rehref.compare(contract, new, host="apache")
    assert {each.url for each in after.problems if each.code == "url-gone"} == set()
    lines = (new / ".htaccess").read_text().splitlines()
    assert 'RedirectMatch 301 "^/one\\.html$" "/moved.html#late"' in lines
    assert 'RedirectMatch 301 "^/home\\.html$" "/"' in lines


def test_a_folder_keeps_its_redirects_to_the_home_page(tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", {"_redirects": "/start /index.html 301\n"}), site(tmp_path / "new", {})
    contract = tmp_path / "c.jsonl"
    rehref.compare(old, old, host="netlify", save=contract)
    for state in (old, contract):
        assert changes(state, new, host="netlify") == {"start": ("url-gone", "")}

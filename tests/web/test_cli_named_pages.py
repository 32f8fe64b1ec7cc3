"""`rehref check --external URL…`: pages that are named, and what comes of those that cannot be had."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rehref
from rehref.checking.remote.fetching import Pages, fetch_pages
from rehref.cli.program import program
from web.servers import Sent, pages, serving

PAGE = '<!DOCTYPE html><title>A</title><p id="yes"><a href="#yes">yes</a>'
FORBIDS_ALL = Sent(body=b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})


def run(*arguments: str) -> Result:
    command = ["check", "--external", "--no-cache", *arguments]
    return CliRunner().invoke(program, command, catch_exceptions=False)


@pytest.mark.parametrize(
    ("status", "code"),
    [(403, "web-forbidden"), (429, "web-too-many-requests"), (404, "web-not-found"), (500, "web-server-error")],
)
def test_whatever_it_answers_a_named_page_that_is_not_read_is_an_error(status: int, code: str) -> None:
    with serving(pages(index=Sent(status), a=PAGE)) as server:
        named = ("--allow-private", "--max-retries", "0", server.url, f"{server.url}a", "--format", "json")
        result = run(*named)
        (problem,) = json.loads(result.stdout)["problems"]
        assert (result.exit_code, problem["code"], problem["severity"]) == (1, code, "error")
        assert run(*named, "--warn", "web").exit_code == (
            1 if code in ("web-forbidden", "web-too-many-requests") else 0
        )


def test_a_local_host_that_is_named_is_asked_and_no_other() -> None:
    with serving(pages(index=PAGE)) as other:
        links = "".join(f'<a href="{each}">x</a>' for each in ("a", other.url, "r", "none", "image.png"))
        moved = Sent(302, headers={"Location": other.url})
        with serving(lambda path: pages(index=links + there, a=PAGE, r=moved)(path)) as server:
            there = f'<a href="{server.url.replace("127.0.0.1", "localhost")}">by another name</a>'
            result = run("--recursive", server.url, "--format", "json")
            found = {(one["target"], one["code"]) for one in json.loads(result.stdout)["problems"]}
            assert found == {
                (other.url, "web-private-address"),
                (f"{server.url}r", "web-private-address"),
                (server.url.replace("127.0.0.1", "localhost"), "web-private-address"),
                (f"{server.url}none", "web-not-found"),
                (f"{server.url}image.png", "web-not-found"),
            }
            assert ("GET", "/a") in server.requests
    assert other.requests == []
    assert json.loads(result.stdout)["summary"]["documents"] == 2


def test_a_url_in_python_may_come_from_anybody() -> None:
    with serving(pages(index=PAGE)) as server:
        (finding,) = rehref.check(server.url, external=True).findings
        assert (finding.code, server.requests) == ("web-private-address", [])


def test_one_whose_address_is_private_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    really = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *more, **named: really("127.0.0.1", *more, **named))
    with serving(pages(index=PAGE)) as server:
        result = run(server.url.replace("127.0.0.1", "inside.example"))
        assert result.exit_code == 1
        assert "error web-private-address" in result.stdout
        assert server.requests == []


def test_a_named_page_that_is_left_out_and_nothing_else_is_not_checked() -> None:
    with serving(pages(index=Sent(403))) as server:
        assert run("--allow-private", server.url, "--ignore", "web-forbidden").exit_code == 2


def test_robots_txt_counts_for_named_pages_only_if_that_is_asked_for() -> None:
    with serving(pages(index=PAGE + '<a href="a">a</a>', a=PAGE, **{"robots.txt": FORBIDS_ALL})) as server:
        result = run("--allow-private", "--recursive", server.url, "--format", "json")
        assert [each["code"] for each in json.loads(result.stdout)["problems"]] == ["web-robots"]
        assert json.loads(result.stdout)["summary"]["documents"] == 1
        assert result.exit_code == 0
        assert ("GET", "/a") not in server.requests
        for more in ((), ("--recursive",)):
            server.requests.clear()
            result = run("--allow-private", "--robots", *more, server.url)
            assert result.exit_code == 1
            assert "error web-robots" in result.stdout
            assert "was not asked, because of its robots.txt\n" in result.stdout
            assert server.requests == [("GET", "/robots.txt")]


def test_the_home_page_is_not_an_orphan_where_the_check_begins_elsewhere() -> None:
    sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>"
    with serving(lambda path: SITE[path](server.url)) as server:
        urls = "".join(f"<url><loc>{server.url}{name}</loc></url>" for name in ("", "a", "index.html"))
        SITE["/sitemap.xml"] = lambda _: Sent(body=sitemap.format(urls).encode(), headers={"Content-Type": "text/xml"})
        result = run(
            "--allow-private", "--no-robots", "--recursive", "--orphans", f"{server.url}sitemap.xml", "--format", "json"
        )
        assert result.stderr == ""
        found = json.loads(result.stdout)["problems"]
        assert [each["document"] for each in found if each["code"] == "orphan"] == [f"{server.url}a"]


def _page(_: str) -> Sent:
    return Sent(body=PAGE.encode(), headers={"Content-Type": "text/html"})


SITE: dict[str, Callable[[str], Sent]] = {"/": _page, "/a": _page, "/index.html": _page}


def test_the_seconds_of_a_crawl_include_the_fetching(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(*arguments: Any) -> Pages:
        clock[0] += 100.0
        return fetch_pages(*arguments)

    clock = [0.0]
    monkeypatch.setattr("rehref.checking.remote.fetching.fetch_pages", fetch)
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    with serving(pages(index=PAGE)) as server:
        result = run("--allow-private", server.url, "--format", "json")
        assert json.loads(result.stdout)["summary"]["seconds"] == 100
        assert rehref.check(server.url, external=True, allow_private=True).summary.seconds == 100


def test_the_folder_of_a_cache_is_made(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "web.sqlite"
    with serving(pages(index=PAGE)) as server:
        command = ["check", "--external", "--allow-private", "--cache", str(file), server.url]
        result = CliRunner().invoke(program, command, catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    assert file.is_file()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("127.0.9.8:8105", "write http:// before it"),
        ("//none.example/", "write http:// before it"),
        ("localhost:8000/x", "write http:// before it"),
        ("ftp://none.example/", "only by http and https"),
        ("nothing", "there is no such folder or file; name the folder that holds the site\n"),
    ],
)
def test_what_is_no_url_but_looks_like_one_gets_its_remedy(name: str, said: str) -> None:
    result = run(name)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1

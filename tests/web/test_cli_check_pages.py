"""`rehref check --external URL…`: pages of a server, from the command line and from Python."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rehref
from patience import PATIENCE, wait_until
from rehref.cli.program import program
from rehref.web.asking import ask
from web.servers import Sent, Server, pages, serving

INDEX = """<!DOCTYPE html>
<title>T</title>
<a href="a">a</a> <a href="gone">gone</a>
<a href="a#no">fragment</a>
"""
PAGE = '<!DOCTYPE html><title>A</title><p id="yes"><a href="gone">gone</a>'


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(pages(index=INDEX, a=PAGE)) as found:
        yield found


def run(*arguments: str) -> Result:
    at_once = ("--allow-private", "--no-cache", "--host-request-interval", "0") if "--external" in arguments else ()
    return CliRunner().invoke(program, ["check", *at_once, *arguments], catch_exceptions=False)


def codes(result: Result, root: str) -> list[tuple[str, int | None, str]]:
    found = json.loads(result.stdout)["problems"]
    return [(each["document"].removeprefix(root), each["line"], each["code"]) for each in found]


def test_the_links_of_a_page_are_checked(server: Server) -> None:
    result = run("--external", server.url, "--format", "json")
    assert result.exit_code == 1
    assert codes(result, server.url) == [("", 3, "web-not-found"), ("", 4, "missing-fragment")]
    assert sorted(server.requests) == [("GET", "/"), ("GET", "/a"), ("GET", "/gone"), ("HEAD", "/gone")]


def test_with_recursive_those_of_the_pages_that_it_leads_to_are_too(server: Server) -> None:
    result = run("--external", "--recursive", server.url, "--format", "json")
    assert codes(result, server.url) == [
        ("", 3, "web-not-found"),
        ("", 4, "missing-fragment"),
        ("a", 1, "web-not-found"),
    ]
    assert sorted(server.requests) == [("GET", "/"), ("GET", "/a"), ("GET", "/gone"), ("GET", "/robots.txt")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("policy", "found"),
    [("base-uri 'none'", ["base-blocked"]), ("default-src 'self'; base-uri 'self'", ["web-not-found"])],
)
def test_a_base_that_the_policy_of_the_server_forbids_does_not_count(policy: str, found: list[str]) -> None:
    page = b'<!DOCTYPE html><title>T</title><base href="/elsewhere/"><a href="a">a</a>'
    fields = {"Content-Type": "text/html", "Content-Security-Policy": policy}

    def send(path: str) -> Sent:
        return Sent(200, page, fields) if path in ("/", "/a") else Sent(404)

    with serving(send) as server:
        result = run("--external", server.url, "--profile", "whatwg", "--format", "json")
        assert [code for _, _, code in codes(result, server.url)] == found


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("text", "{url}:3:28  error web-not-found"),
        ("csv", "{url},3,28,"),
        ("sarif", '"artifactLocation": {{"uri": "{url}"}}'),
        ("junit", "{url}"),
        ("github", "title=web-not-found {quoted}:"),
        ("markdown", "{url}"),
        ("html", "{url}"),
        ("jsonl", '"document": "{url}"'),
    ],
)
def test_every_report_names_a_page_by_its_url(server: Server, form: str, shown: str) -> None:
    result = run("--external", server.url, "--format", form)
    assert result.exit_code == 1
    expected = shown.format(url=server.url, quoted=server.url.replace(":", "%3A"))
    assert expected in result.stdout


def test_a_text_report_shows_the_line_of_the_page(server: Server) -> None:
    result = run("--external", server.url)
    assert '3 | <a href="a">a</a> <a href="gone">gone</a>' in result.stdout


def test_a_baseline_leaves_out_what_was_known(server: Server, tmp_path: Path) -> None:
    file = str(tmp_path / "known.json")
    assert run("--external", server.url, "--write-baseline", file).exit_code == 0
    assert server.url in Path(file).read_text(encoding="utf-8")
    result = run("--external", server.url, "--baseline", file)
    assert result.exit_code == 0
    assert "2 findings were known before" in result.stderr


def test_codes_are_selected_and_urls_left_out(server: Server) -> None:
    result = run("--external", server.url, "--format", "json", "--exclude", "gone")
    assert codes(result, server.url) == [("", 4, "missing-fragment")]
    result = run("--external", server.url, "--format", "json", "--ignore", "missing-fragment")
    assert codes(result, server.url) == [("", 3, "web-not-found")]


def test_robots_txt_is_followed_unless_it_is_not_to_be() -> None:
    robots = Sent(body=b"User-agent: *\nDisallow: /a\n", headers={"Content-Type": "text/plain"})
    with serving(pages(index=INDEX, a=PAGE, **{"robots.txt": robots})) as server:
        result = run("--external", "--recursive", server.url, "--format", "json")
        assert ("GET", "/a") not in server.requests
        assert ("", 3, "web-robots") in codes(result, server.url)
        run("--external", "--recursive", "--no-robots", server.url)
        assert ("GET", "/a") in server.requests


def test_bounds_are_said() -> None:
    def send(path: str) -> Sent:
        number = int(path.partition("=")[2] or 0)
        body = f'<!DOCTYPE html><title>T</title><a href="?month={number + 1}">next</a>'
        return Sent(body=body.encode(), headers={"Content-Type": "text/html"})

    with serving(send) as server:
        result = run("--external", "--recursive", server.url, "--max-pages", "5")
        assert result.exit_code == 0
        assert f"1 page more in scope not fetched, for 5 were (--max-pages); most are {server.url}?…" in result.stderr
        result = run("--external", "--recursive", server.url, "--depth", "2", "--format", "json")
        assert json.loads(result.stdout)["summary"]["documents"] == 3


def test_a_page_that_is_not_there_is_an_error(server: Server) -> None:
    result = run("--external", f"{server.url}gone", "--format", "json")
    assert result.exit_code == 1
    assert codes(result, server.url) == [("gone", None, "web-not-found")]


def test_what_is_no_document_is_said_and_a_page_without_links_is_an_error() -> None:
    with serving(pages(index="<title>x</title>", b=Sent(body=b"%PDF-", headers={"Content-Type": "x/y"}))) as server:
        result = run("--external", f"{server.url}b")
        assert result.exit_code == 2
        assert "is x/y, which rehref does not read" in result.stderr
        result = run("--external", server.url)
        assert result.exit_code == 2
        assert "there is no link in it" in result.stderr
        assert run("--external", server.url, "--allow-empty").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["https://a.example/"], "nothing is fetched unasked; say --external"),
        (["--external", "https://a.example/", "."], "is not a URL, but the other arguments are"),
        (["--external", "https://a.example/", "--fix"], "--fix: is about a folder"),
        (["--external", "https://a.example/", "--site-url", "https://b.example/"], "--site-url: is about a folder"),
        (["--external", "https://a.example/", "--root", "."], "--root: is about a folder"),
        (["--external", "https://a.example/", "--host", "netlify"], "--host: is about a folder"),
        (["--external", "https://a.example/", "--exclude-path", "x"], "--exclude-path: is about a folder"),
        (["--external", "https://a.example/", "--why", "x"], "--why: explains one URL, so it does not go with"),
        (["--external", "https://a.example/", "--orphans"], "--orphans: needs all pages of the site; add --recursive"),
        (["--external", "https://a.example/", "--depth", "1"], "--depth: goes with --recursive only"),
        (["--external", "https://a.example/", "--scope", "/"], "--scope: goes with --recursive only"),
        (["--external", "--recursive", "https://a.example/", "--scope", "mailto:x"], "is not an http or https URL"),
        (["--external", "--recursive", "https://a.example/x/", "--scope", "/y/"], "https://a.example/x/ is not in it"),
        (["--external", "https://me:secret@a.example/"], "has a user name in it"),
        (["--external", "http://[/"], "is not an http or https URL"),
        (["--recursive", "."], "--recursive: is about pages of a server, but no URL is named"),
        (["--max-pages", "3", "."], "--max-pages: is about pages of a server, but no URL is named"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(program, ["check", *arguments], catch_exceptions=False)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "secret" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_a_configuration_says_of_folders_does_not_matter(server: Server, tmp_path: Path) -> None:
    config = tmp_path / "rehref.toml"
    config.write_text('[check]\nexclude-path = ["*"]\nhost = "netlify"\nsite-url = "https://x.example/"\n')
    result = CliRunner().invoke(
        program,
        ["check", "--config", str(config), "--external", "--allow-private", "--no-cache", server.url],
        catch_exceptions=False,
    )
    assert result.exit_code == 1
    assert "web-not-found" in result.stdout


def interrupted(server: Server, is_time: Callable[[], bool], *options: str) -> str:
    """What a run says that is interrupted when it is time."""
    allowed = ("--external", "--allow-private", "--no-cache")
    command = [sys.executable, "-m", "rehref", "check", *allowed, server.url, *options]
    with subprocess.Popen(command, env=os.environ, stderr=subprocess.PIPE, text=True) as process:
        wait_until(is_time)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    return said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_gives_the_results_so_far(tmp_path: Path) -> None:
    def send(path: str) -> Sent:
        if path.startswith("/slow"):
            time.sleep(1)
        body = '<a href="#nothing">x</a>' + "".join(f'<a href="/slow{path[1:]}{name}">x</a>' for name in "abcdefgh")
        return Sent(body=body.encode(), headers={"Content-Type": "text/html"})

    report = tmp_path / "report.json"
    with serving(send) as server:
        options = ("--recursive", "--format", "json", "-o", str(report))
        said = interrupted(server, lambda: any(path.startswith("/slow") for _, path in server.requests), *options)
    assert "Traceback" not in said
    assert "stopped: 1 page fetched, not the others\n" in said
    found = json.loads(report.read_text(encoding="utf-8"))["problems"]
    assert (server.url, "missing-fragment") in [(each["document"], each["code"]) for each in found]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_before_the_first_page_has_come() -> None:
    def send(path: str) -> Sent:
        time.sleep(1)
        return Sent()

    with serving(send) as server:
        said = interrupted(server, lambda: bool(server.requests))
    assert said == (
        "rehref: stopping: rehref reports what is known so far\nrehref: stopped: 0 pages fetched, not the others\n"
    )


def test_where_no_more_is_kept_one_line_says_so(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rehref.site._crawling.fetching.MOST_BYTES", len(INDEX))
    result = run("--external", "--recursive", server.url)
    assert "more in scope not fetched, for the pages that are kept fill 0 MiB; check parts of the site" in result.stderr


# pages that are named, and what comes of those that cannot be had


FINE = '<!DOCTYPE html><title>A</title><p id="yes"><a href="#yes">yes</a>'
FORBIDS_ALL = Sent(body=b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})


def external(*arguments: str) -> Result:
    command = ["check", "--external", "--no-cache", "--host-request-interval", "0", *arguments]
    return CliRunner().invoke(program, command, catch_exceptions=False)


@pytest.mark.parametrize(
    ("status", "code"),
    [(403, "web-forbidden"), (429, "web-too-many-requests"), (404, "web-not-found"), (500, "web-server-error")],
)
def test_whatever_it_answers_a_named_page_that_is_not_read_is_an_error(status: int, code: str) -> None:
    with serving(pages(index=Sent(status), a=FINE)) as server:
        named = ("--allow-private", "--max-retries", "0", server.url, f"{server.url}a", "--format", "json")
        result = external(*named)
        (problem,) = json.loads(result.stdout)["problems"]
        assert (result.exit_code, problem["code"], problem["severity"]) == (1, code, "error")
        assert external(*named, "--warn", "web").exit_code == (
            1 if code in ("web-forbidden", "web-too-many-requests") else 0
        )


def test_a_local_host_that_is_named_is_asked_and_no_other() -> None:
    with serving(pages(index=FINE)) as other:
        links = "".join(f'<a href="{each}">x</a>' for each in ("a", other.url, "r", "none", "image.png"))
        moved = Sent(302, headers={"Location": other.url})
        with serving(lambda path: pages(index=links + there, a=FINE, r=moved)(path)) as server:
            there = f'<a href="{server.url.replace("127.0.0.1", "localhost")}">by another name</a>'
            result = external("--recursive", server.url, "--format", "json")
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
    with serving(pages(index=FINE)) as server:
        (finding,) = rehref.check(server.url, external=True).findings
        assert (finding.code, server.requests) == ("web-private-address", [])


def test_one_whose_address_is_private_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    really = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *more, **named: really("127.0.0.1", *more, **named))
    with serving(pages(index=FINE)) as server:
        result = external(server.url.replace("127.0.0.1", "inside.example"))
        assert result.exit_code == 1
        assert "error web-private-address" in result.stdout
        assert server.requests == []


def test_a_named_page_that_is_left_out_and_nothing_else_is_not_checked() -> None:
    with serving(pages(index=Sent(403))) as server:
        assert external("--allow-private", server.url, "--ignore", "web-forbidden").exit_code == 2


def test_robots_txt_counts_for_named_pages_only_if_that_is_asked_for() -> None:
    with serving(pages(index=FINE + '<a href="a">a</a>', a=FINE, **{"robots.txt": FORBIDS_ALL})) as server:
        result = external("--allow-private", "--recursive", server.url, "--format", "json")
        assert [each["code"] for each in json.loads(result.stdout)["problems"]] == ["web-robots"]
        assert json.loads(result.stdout)["summary"]["documents"] == 1
        assert result.exit_code == 0
        assert ("GET", "/a") not in server.requests
        for more in ((), ("--recursive",)):
            server.requests.clear()
            result = external("--allow-private", "--robots", *more, server.url)
            assert result.exit_code == 1
            assert "error web-robots" in result.stdout
            assert "was not asked, because of its robots.txt\n" in result.stdout
            assert server.requests == [("GET", "/robots.txt")]


def test_the_home_page_is_not_an_orphan_where_the_check_begins_elsewhere() -> None:
    sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>"
    with serving(lambda path: SITE[path](server.url)) as server:
        urls = "".join(f"<url><loc>{server.url}{name}</loc></url>" for name in ("", "a", "index.html"))
        SITE["/sitemap.xml"] = lambda _: Sent(body=sitemap.format(urls).encode(), headers={"Content-Type": "text/xml"})
        result = external(
            "--allow-private", "--no-robots", "--recursive", "--orphans", f"{server.url}sitemap.xml", "--format", "json"
        )
        assert result.stderr == ""
        found = json.loads(result.stdout)["problems"]
        assert [each["document"] for each in found if each["code"] == "orphan"] == [f"{server.url}a"]


def fine_page(_: str) -> Sent:
    return Sent(body=FINE.encode(), headers={"Content-Type": "text/html"})


SITE: dict[str, Callable[[str], Sent]] = {"/": fine_page, "/a": fine_page, "/index.html": fine_page}


def test_the_seconds_of_a_crawl_include_the_fetching(monkeypatch: pytest.MonkeyPatch) -> None:
    def asking(*arguments: Any) -> None:
        clock[0] += 100.0
        ask(*arguments)

    clock = [0.0]
    monkeypatch.setattr("rehref.web.asking.ask", asking)
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    with serving(pages(index=FINE)) as server:
        result = external("--allow-private", server.url, "--format", "json")
        assert json.loads(result.stdout)["summary"]["seconds"] == 100
        assert rehref.check(server.url, external=True, allow_private=True).summary.seconds == 100


def test_the_folder_of_a_cache_is_made(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "web.sqlite"
    with serving(pages(index=FINE)) as server:
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
    result = external(name)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


# from Python


def found_in(url: str, **options: Any) -> list[tuple[str, str]]:
    result = rehref.check(url, external=True, allow_private=True, no_cache=True, **options)
    return [(finding.document.removeprefix(url), finding.code) for finding in result.findings]


def test_from_python_a_page_is_checked_and_with_recursive_those_that_it_leads_to(server: Server) -> None:
    of_index = [("", "web-not-found"), ("", "missing-fragment")]
    assert found_in(server.url) == of_index
    assert found_in(server.url, recursive=True) == [*of_index, ("a", "web-not-found")]
    assert found_in(server.url, recursive=True, depth=0) == of_index


def test_what_was_checked_is_the_url(server: Server) -> None:
    assert rehref.check(server.url, external=True, allow_private=True).folder == server.url


OF_PAGE = {"external": True}
OF_CRAWL = {"external": True, "recursive": True}


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, "nothing is fetched unasked"),
        ({**OF_CRAWL, "scope": ["mailto:x"]}, "is not an http or https URL"),
        ({**OF_CRAWL, "depth": -1}, "is not a possible number"),
        ({**OF_CRAWL, "max_pages": 0}, "is not a possible number"),
        ({**OF_PAGE, "depth": 3}, "depth: needs recursive"),
        ({**OF_PAGE, "scope": ["/"]}, "scope: needs recursive"),
        ({**OF_PAGE, "orphans": True}, "orphans: needs all pages of the site; say rec"),
        ({**OF_PAGE, "sitemap": True}, "sitemap: needs all pages of the site; say rec"),
        ({**OF_PAGE, "site_url": "https://b.example/"}, "site_url: is about a folder"),
        ({**OF_PAGE, "files": ["a.html"]}, "files: is about a folder"),
    ],
)
def test_what_makes_no_sense_for_a_page_is_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        rehref.check("https://a.example/", **options)


def test_a_page_with_a_password_is_refused() -> None:
    with pytest.raises(ValueError, match="has a user name in it"):
        rehref.check("https://me:secret@a.example/", external=True)


@pytest.mark.parametrize(
    ("option", "value", "what"),
    [
        ("recursive", True, "is about pages of a server"),
        ("cache", "web.sqlite", "cache: goes with external only"),
        ("accept", ["200"], "accept: goes with external only"),
        ("timeout", 3, "timeout: goes with external only"),
    ],
)
def test_what_makes_no_sense_for_a_folder_is_refused(option: str, value: object, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        rehref.check(".", **{option: value})

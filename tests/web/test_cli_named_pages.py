"""`rehref check --external URL…`: pages that are named, and what comes of those that cannot be had."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from rehref.cli.program import program
from web.served_sites import Sent, pages, serving

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


def test_one_whose_address_is_private_is_an_error() -> None:
    with serving(pages(index=PAGE)) as server:
        result = run(server.url)
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

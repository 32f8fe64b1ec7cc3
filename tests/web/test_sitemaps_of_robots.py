"""The sitemaps that a robots.txt names, when pages of a server are fetched."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytest.importorskip("aiohttp")

from rehref.cli.program import program
from web.servers import Sent, serving

LISTED = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{}</loc></url></urlset>"
AT_ONCE = ("--external", "--recursive", "--allow-private", "--no-cache", "--host-request-interval", "0")


def checked(robots: str, *options: str, start: str = "", recursive: bool = True) -> tuple[list[str], list[str]]:
    """The paths that were asked for, and the references of the errors. In `robots`, `HERE` is the server."""

    def send(path: str) -> Sent:
        texts = {
            "/": ("<p>", "text/html"),
            "/docs/": ("<p>", "text/html"),
            "/robots.txt": (robots.replace("HERE", server.url), "text/plain"),
            "/hidden/map.xml": (LISTED.format(f"{server.url}alone"), "application/xml"),
            "/alone": ("<a href=gone>", "text/html"),
        }
        if path not in texts:
            return Sent(404)
        return Sent(body=texts[path][0].encode(), headers={"Content-Type": texts[path][1]})

    words = [*(word for word in AT_ONCE if recursive or word != "--recursive"), *options]
    with serving(send) as server:
        run = CliRunner().invoke(program, ["check", *words, server.url + start, "--format", "json", "--quiet"])
    problems = json.loads(run.stdout)["problems"]
    return [path for _, path in server.requests], [
        each["reference"] for each in problems if each["severity"] == "error"
    ]


NAMED = "User-agent: *\nDisallow:\n\nSitemap: HEREhidden/map.xml\n"


def test_they_are_fetched_and_their_pages_are_checked() -> None:
    asked, broken = checked(NAMED)
    assert sorted(asked) == ["/", "/alone", "/gone", "/hidden/map.xml", "/robots.txt"]
    assert broken == ["gone"]


@pytest.mark.parametrize(
    ("robots", "options", "start"),
    [
        (NAMED.replace("HERE", "http://elsewhere.example/"), (), ""),
        (NAMED.replace("Disallow:", "Disallow: /hidden/"), (), ""),
        (NAMED, (), "docs/"),
        (NAMED, ("--no-robots",), ""),
        (NAMED, ("--depth", "0"), ""),
        ("Sitemap: /hidden/map.xml\nSitemap: mailto:x\nSitemap:\n", (), ""),
    ],
    ids=["another host", "excluded", "out of scope", "not followed", "too deep", "not URLs"],
)
def test_others_are_not(robots: str, options: tuple[str, ...], start: str) -> None:
    asked, broken = checked(robots, *options, start=start)
    assert (set(asked) - {"/robots.txt"}, broken) == ({f"/{start}"}, [])


def test_for_named_pages_alone_robots_txt_is_not_read() -> None:
    assert checked(NAMED, recursive=False)[0] == ["/"]


def test_only_the_first_of_many_count() -> None:
    many = "".join(f"Sitemap: HEREmap-{number}.xml\n" for number in range(60))
    asked, _ = checked(many)
    assert sum(path.startswith("/map-") for path in asked) == 50

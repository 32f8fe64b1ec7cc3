"""`rehref check --external --recursive URL` finds in a site on a server what `rehref check FOLDER` finds in its folder.

Compared are broken links and fragments: their documents, lines and references. Codes are those of servers for what is
not there. What is found otherwise has a reason, which is listed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

from rehref.cli.program import program
from web.servers import FIXTURES, SITES, fixture, serving

NAMES = sorted(path.parent.name for path in SITES.glob("*/expected.json"))
AS_SERVERS_SAY = {
    **dict.fromkeys(("missing-file", "missing-index", "case-mismatch", "escapes-site"), "web-not-found"),
    "redirect-loop": "web-redirect-loop",
}
"""The codes of what is not there in a folder, and those of what a server says then."""
STARTS = ("", "feed.atom", "sitemap.xml", "404.html")
"""With which pages it begins: what no page of a site leads to would not be found."""


class Broken(NamedTuple):
    """A broken link."""

    document: str
    line: int
    reference: str


REASONS: Mapping[str, tuple[frozenset[Broken], frozenset[Broken], str]] = {
    "clean-urls": (
        frozenset(
            {
                Broken("about", 11, "team/boris"),
                Broken("about?from=home", 11, "team/boris"),
                Broken("concerts/spring", 9, "tickets"),
            }
        ),
        frozenset({Broken("concerts/spring.html", 9, "tickets")}),
        "a page is named by the URL by which it is linked: /about is about.html, and a URL with a query is a page too",
    ),
    "redirects": (
        frozenset({Broken("members", 9, "/private/minutes.html")}),
        frozenset({Broken("private/area.html", 9, "/private/minutes.html")}),
        "/members is a rewrite to /private/area.html: the server does not say so",
    ),
}
"""What is found on the server alone, and in the folder alone, and why."""


def problems(*arguments: str) -> list[dict[str, Any]]:
    """The errors that a run reports."""
    result = CliRunner().invoke(program, ["check", *arguments, "--format", "json", "--quiet"], catch_exceptions=False)
    assert result.exit_code == 1, result.stderr
    return [each for each in json.loads(result.stdout)["problems"] if each["severity"] == "error"]


def on_server(name: str) -> dict[Broken, str]:
    """What is found in a site on a server, with the codes; but for what leads to other hosts: there are none."""
    site = FIXTURES.Site.read(name)
    with serving(fixture(name)) as server:
        root = server.url + urlsplit(site.uri).path.lstrip("/")
        starts = [root + page for page in STARTS if page == "" or page in site.files]
        remap = rf"(?i)^https?://{FIXTURES.HOST.replace('.', '[.]')}(:80)?/={server.url}"
        at_once = ("--allow-private", "--no-cache", "--host-request-interval", "0")
        found = problems("--external", "--recursive", *at_once, "--remap", remap, *starts)
    here = [each for each in found if each["code"] != "web-unknown-host"]
    return {_broken(each, unquote(each["document"].removeprefix(root))): each["code"] for each in here}


def in_folder(name: str) -> dict[Broken, str]:
    """What is found in the folder of a site, with the codes."""
    site = FIXTURES.Site.read(name)
    found = problems(str(site.folder), *site.options["rehref"])
    return {_broken(each, each["document"]): each["code"] for each in found}


def _broken(problem: dict[str, Any], document: str) -> Broken:
    is_folder = document == "" or document.endswith("/")
    return Broken(f"{document}index.html" if is_folder else document, problem["line"], problem["reference"])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_a_site_on_a_server_has_the_same_broken_links_as_its_folder(name: str) -> None:
    here, there = in_folder(name), on_server(name)
    more, less, _ = REASONS.get(name, (frozenset(), frozenset(), ""))
    assert there.keys() - here.keys() == more
    assert here.keys() - there.keys() == less
    for broken in here.keys() & there.keys():
        assert there[broken] == AS_SERVERS_SAY.get(here[broken], here[broken])

"""Redirects that are planned: what cannot be written is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import host_named
from rehref.exceptions import RehrefError
from rehref.site._hosts.written_redirects import Planned
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site


@pytest.mark.parametrize(
    "url", ["a%00b.html", "a%2Fb.html", "a%2fb", "\0", "a\nb", "%0a", "x/../y", "x//y", "%2e%2e/y", "/y"]
)
def test_urls_that_no_server_answers_by_a_rule_are_refused(url: str) -> None:
    with pytest.raises(RehrefError):
        Planned(url, "b.html").redirect()


@pytest.mark.parametrize("url", [r"https://h.example\@evil.example/", "https://h. example/", "https://h.example|/"])
def test_what_no_host_is_called_is_not_written(url: str) -> None:
    with pytest.raises(RehrefError, match="no host is called"):
        Planned("a.html", url, on_site=False).redirect()


@pytest.mark.parametrize(("url", "to"), [("a" * 4001, "b"), ("a", "b" * 4001), ("é" * 1000, "b")])
def test_no_url_is_written_that_is_so_long_that_servers_would_not_start(url: str, to: str) -> None:
    with pytest.raises(RehrefError, match=r"longer than 4,000 characters"):
        Planned(url, to).redirect()


def test_no_source_is_written_that_is_too_long_for_a_map_of_nginx(tmp_path: Path) -> None:
    (tmp_path / "b.html").touch()
    site = Site.of(tmp_path, CheckOptions(host=host_named("nginx"), site_url="https://h.example/"))
    urls = ("a" * 481, "%C3%A9" * 300, "a?" + "-" * 480, "a" * 479)
    written = site.with_redirects(tmp_path / "nginx.map", [(url, "b.html") for url in urls])
    (data,) = written.files.values()
    assert (data.count(b"\n"), [each.url for each in written.unwritten]) == (1, [*urls[:3]])

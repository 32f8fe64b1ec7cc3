"""What is written for Apache and nginx is what they answer: servers on this machine are asked for each old URL."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

import rehref
from plugins.compare.redirect_fuzz import Fuzz
from plugins.compare.servers import HAS_APACHE, NGINX, answered, apache, nginx
from plugins.compare.sites import site
from plugins.compare.test_redirects import NEW, OLD


@pytest.mark.skipif(not HAS_APACHE, reason="needs apache2 with its modules")
def test_apache_answers_each_old_url(tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", OLD), site(tmp_path / "new", NEW)
    comparison = rehref.compare(old, new, host="apache", write_redirects=new / ".htaccess")
    moved = {each.url: each.moved_to for each in comparison.problems if each.code == "url-gone" and each.moved_to}
    assert len(moved) == 4
    with apache(new, tmp_path / "server") as port:
        assert_led_on(port, moved)


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_nginx_answers_each_old_url(tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", OLD), site(tmp_path / "new", NEW)
    comparison = rehref.compare(old, new, host="nginx", write_redirects=tmp_path / "moved.map")
    moved = {each.url: each.moved_to for each in comparison.problems if each.code == "url-gone" and each.moved_to}
    assert len(moved) == 4
    with nginx(new, tmp_path / "server", tmp_path / "moved.map") as port:
        assert_led_on(port, moved)


def assert_led_on(port: int, moved: Mapping[str, str]) -> None:
    """A server leads each URL to its new place, and nothing else."""
    for url, to in moved.items():
        status, place = answered(port, f"/{url}")
        assert (status, unquote(place)) == (301, unquote(f"/{to}")), url
        assert answered(port, place)[0] == 200, url
    assert answered(port, "/gone.html")[0] == 404
    assert answered(port, "/guide.html/below")[0] == 404  # the rule is for the path alone


ODD = (
    "a:b",
    "#1",
    "c?d",
    "e\\f",
    "\\",
    'g "h"',
    "i'j",
    "50%",
    "a%20b",
    "k{l}$m$1&n",
    "n;o",
    "~p",
    "é ü",
    "${PATH}",
    "(+)[*]^|.",
)


def moved_twice(site_folder: Path, redirects: Path, host: str) -> None:
    """A site of pages with odd names, in a folder that was renamed twice; and one that changed the case of its name."""
    for name in ODD:
        (site_folder / "old").mkdir(parents=True, exist_ok=True)
        (site_folder / "old" / f"{name}.html").write_text(name)
    (site_folder / "Case.html").write_text("case")
    for old, new in (("old", "x"), ("x", "new"), ("Case.html", "case.html")):
        rehref.move(site_folder / old, site_folder / new, folder=site_folder, redirects=redirects, host=host)


def assert_odd_names_lead_on(port: int) -> None:
    """A server leads each old URL to the new one at once, which it answers."""
    for name in ODD:
        for folder in ("old", "x"):
            status, place = answered(port, quote(f"/{folder}/{name}.html"))
            assert (status, unquote(place)) == (301, f"/new/{name}.html")
            assert answered(port, place)[0] == 200, name
    assert answered(port, "/Case.html") == (301, "/case.html")
    assert answered(port, "/case.html")[0] == 200


@pytest.mark.skipif(not HAS_APACHE, reason="needs apache2 with its modules")
def test_apache_reads_odd_names_as_meant(tmp_path: Path) -> None:
    moved_twice(tmp_path / "s", tmp_path / "s" / ".htaccess", "apache")
    with apache(tmp_path / "s", tmp_path / "server") as port:
        assert_odd_names_lead_on(port)


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_nginx_reads_odd_names_as_meant(tmp_path: Path) -> None:
    moved_twice(tmp_path / "s", tmp_path / "moved.map", "nginx")
    with nginx(tmp_path / "s", tmp_path / "server", tmp_path / "moved.map") as port:
        assert_odd_names_lead_on(port)


@pytest.mark.slow
@pytest.mark.skipif(not HAS_APACHE or NGINX is None, reason="needs apache2 with its modules, and nginx")
def test_old_urls_of_generated_sites_lead_on(tmp_path: Path) -> None:
    fuzz = Fuzz(seed=7, first=0, number=12, folder=tmp_path)
    fuzz.run()
    assert fuzz.failures == []
    assert min(fuzz.asked[form] for form in ("apache", "nginx", "pages")) > 50

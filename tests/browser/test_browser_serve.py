"""A served copy runs in Chromium as the site did on the web: modules, what scripts fetch, routes, several hosts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import devtools
import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "plugins" / "serve"))

import served

from crawl import crawl, png, redirect, response
from patience import wait_until

pytestmark = pytest.mark.browser

SITE, CDN = "http://app.example/", "https://cdn.example:8080/"
PAGE = """<!DOCTYPE html><title>app</title>
<script type=importmap>{"imports": {"lib/": "https://cdn.example:8080/lib/"}}</script>
<link rel=stylesheet href="https://cdn.example:8080/s.css" integrity="sha256-none" crossorigin>
<p id=route></p><p id=data></p><a href="/about">About</a><img id=image src="/old.png">
<script type=module src="/app.js" crossorigin></script>"""
APP = """
import { show } from "lib/show.js";
const route = () => show("route", location.pathname);
addEventListener("popstate", route);
document.querySelector("a").addEventListener("click", (event) => {
  event.preventDefault();
  history.pushState({}, "", event.target.getAttribute("href"));
  route();
});
route();
const { data } = await import("./data.js");
show("data", JSON.stringify(await data()));
"""
DATA = """export const data = async () => [
  (await (await fetch("/api/mill?id=1")).json()).wheels, (await fetch("/api/none")).status];"""
SHOW = "export const show = (id, text) => { document.getElementById(id).textContent = text; };"
BASED = """<base href=/d/><p id=data></p><script type=module>import { show } from "./show.js";
show("data", await (await fetch("text")).text());</script>"""
CSS = "#route { color: rgb(1, 2, 3); background: url(dot.png) }"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[served.Served]:
    archive = crawl(
        [
            *(response(f"{SITE}{path}", PAGE) for path in ("", "about")),
            response(f"{SITE}based", BASED),
            response(f"{SITE}d/show.js", SHOW, "text/javascript"),
            response(f"{SITE}d/text", "below the base", "text/plain"),
            response(f"{SITE}app.js", APP, "text/javascript"),
            response(f"{SITE}data.js", DATA, "text/javascript"),
            response(f"{SITE}api/mill?id=1", '{"wheels": 3}', "application/json"),
            redirect(f"{SITE}old.png", f"{CDN}dot.png"),
            response(f"{CDN}lib/show.js", SHOW, "text/javascript"),
            response(f"{CDN}s.css", CSS, "text/css"),
            response(f"{CDN}dot.png", png(), "image/png"),
        ]
    )
    with served.serving(served.unpacked(archive, tmp_path_factory.mktemp("app"))) as found:
        yield found


def text(tab: devtools.Tab, element: str) -> str:
    found: str = tab.run(f'document.getElementById("{element}").textContent')
    return found


def test_modules_fetch_and_routes_work(tab: devtools.Tab, copy: served.Served) -> None:
    failed = tab.failures(copy.url("app.example"))
    wait_until(lambda: text(tab, "data") != "")
    assert failed == []
    assert text(tab, "route") == "/"
    assert text(tab, "data") == "[3,404]"
    assert tab.run("getComputedStyle(route).color") == "rgb(1, 2, 3)"
    assert tab.run("document.images[0].naturalWidth") == 1
    tab.run("document.querySelector('a').click()")
    assert (text(tab, "route"), tab.run("location.href")) == ("/about", copy.url("app.example", "/about"))
    tab.run("history.back()")
    wait_until(lambda: text(tab, "route") == "/")
    assert {url.split("/")[2] for url in tab.requested()} == {
        f"app.example.localhost:{copy.port}",
        f"cdn.example.8080.localhost:{copy.port}",
    }


def test_scripts_of_a_page_are_relative_to_its_base(tab: devtools.Tab, copy: served.Served) -> None:
    tab.open(copy.url("app.example", "/based"))
    wait_until(lambda: text(tab, "data") == "below the base")


def test_a_route_is_loaded_directly_and_the_index_leads_to_it(tab: devtools.Tab, copy: served.Served) -> None:
    tab.open(f"http://localhost:{copy.port}/")
    links = tab.run("Array.from(document.links, (link) => link.href)")
    assert copy.url("app.example", "/about") in links
    tab.open(copy.url("app.example", "/about"))
    wait_until(lambda: text(tab, "data") != "")
    assert text(tab, "route") == "/about"

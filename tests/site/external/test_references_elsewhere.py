"""What a page asks of servers is counted by value where that says all; it is what its references one by one give."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rehref
from checked.asked_sites import Check
from rehref.site._external.references_elsewhere import outward, urls_on
from web.servers import SITES

PAGE = """<!DOCTYPE html><link rel=preconnect href=https://pre.example/><link rel=stylesheet href=https://a.example/a.css>
<meta property=og:image content=https://og.example/i.png><p cite=https://cite.example/>
<a href=https://a.example/x>1</a><a href=https://a.example/x#top>2</a><a href=https://a.example/x#there>3</a>
<a href=https://a.example/form>4</a><form method=post action=https://a.example/form><button
formaction=https://b.example/></button></form><form action=https://a.example/form></form><a href=//a.example/x>5</a>
<a href=" https://a.example/x ">6</a><a href=HTTPS://A.example/x>7</a><a href=https://a.example/%zz>8</a><a href=https://a.example/?q=ä>9</a>
<a href=http:y>10</a><a href=https:\\\\a.example>11</a><a href=https://own.example/here>12</a><a
href=mailto:a@b.example>13</a>
<img srcset="https://a.example/1.png 1x, https://a.example/2.png 2x"><a ping=https://ping.example/ href=https://a.example/x>
</a><template><a href=https://never.example/></template><a href=https://a.example/x:~:text=y>14</a>
<a href=https://a.example/x#:~:text=y>15</a><a href="https://a.example/a b">16</a><a href=https://a.example>17</a>
<iframe srcdoc="<a href=https://inner.example/>x</a>"></iframe><a href=https://left.example/out>18</a>"""


Counts = list[tuple[dict[str, int], dict[str, int]]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, servers: object) -> Counts:
    """What is counted on each page that is checked, by value and one by one."""
    found: Counts = []

    def counting(page: Any) -> dict[str, int]:
        found.append((urls_on(page), dict(Counter(each.url for each in outward(page)))))
        return found[-1][0]

    monkeypatch.setattr("rehref.site._checks.external.urls_on", counting)
    return found


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"no_fragments": True},
        {"remap": ["https://a.example/=https://mapped.example/"]},
        {"own_hosts": ["a.example"]},
        {"exclude": ["left.example"]},
        {"profile": "whatwg"},
    ],
    ids=str,
)
def test_on_a_page(options: dict[str, Any], check: Check, counted: Counts) -> None:
    check(PAGE, jobs=1, **options)
    ((by_value, one_by_one),) = counted
    assert by_value == one_by_one
    assert len(by_value) > 3


@pytest.mark.parametrize("site", sorted(path.name for path in SITES.iterdir() if path.is_dir()))
def test_on_the_pages_of_a_site(site: str, counted: Counts) -> None:
    rehref.check(SITES / site, external=True, no_cache=True, jobs=1)
    assert [by_value for by_value, _ in counted] == [one_by_one for _, one_by_one in counted]

"""Each pair of states is one thing that is hard: all that is lost is found, its place is right, nothing is invented.

What a pair has besides is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import rehref
from plugins.compare.sites import page, section, site, text


class Pair(NamedTuple):
    """Two states, and all changes: code, URL, and the place that is stated with certainty. `maybe`: all suggestions."""

    old: Mapping[str, str | bytes]
    new: Mapping[str, str | bytes]
    changes: set[tuple[str, str, str | None]]
    options: Mapping[str, Any] = {}
    candidates: Mapping[str, tuple[str, ...]] = {}
    maybe: Mapping[str, str | None] = {}


def inventory(*lines: str) -> bytes:
    """The file `objects.inv` of a site that Sphinx has built."""
    first = "# Sphinx inventory version 2\n# Project: Boats\n# Version: 1\n# The rest is compressed using zlib.\n"
    return first.encode() + zlib.compress("".join(f"{line}\n" for line in lines).encode())


GUIDE = {"guide.html": page("Guide", section("sails"), section("masts"))}
SECTIONS = [section(name, words=150) for name in ("hull", "keel", "rigging", "engine")]
STUB = "<!DOCTYPE html><title>Moved</title><meta http-equiv=refresh content='0; url=begin.html'>"
KEEPS = "<script>location.replace('begin.html' + location.hash)</script>"
BEGIN = {"begin.html": GUIDE["guide.html"]}

PAIRS = {
    "nothing changes": Pair(GUIDE, GUIDE, set()),
    "a page is renamed and edited": Pair(
        {"guide.html": page("Guide", f"<p>{text('g', 200)} the end")},
        {"begin.html": page("First steps", f"<p>{text('g', 200)} and one more sentence at the end of it")},
        {("url-gone", "guide.html", "begin.html")},
    ),
    "a folder is renamed": Pair(
        {f"docs/{name}.html": page(name.title()) for name in ("wind", "tide", "rope")},
        {
            f"manual/{name}.html": page(name.title(), f"<p>{text(name.title())} new")
            for name in ("wind", "tide", "rope")
        },
        {("url-gone", f"docs/{name}.html", f"manual/{name}.html") for name in ("wind", "tide", "rope")},
    ),
    "a page is split": Pair(
        {"boat.html": page("Boat", *SECTIONS)},
        {"boat/index.html": page("Boat", "<p>See the parts.")}
        | {f"boat/{number}.html": page(f"Part {number}", each) for number, each in enumerate(SECTIONS)},
        {("url-gone", "boat.html", "boat/")},
        candidates={"boat.html": tuple(f"boat/{number}.html" for number in range(4))},
    ),
    "pages are merged": Pair(
        {"hull.html": page("Hull", f"<p>{text('h', 150)}"), "keel.html": page("Keel", f"<p>{text('k', 150)}")},
        {"below.html": page("Below", f"<p>{text('h', 150)}</p><p>{text('k', 150)}")},
        {("url-gone", "hull.html", "below.html"), ("url-gone", "keel.html", "below.html")},
    ),
    "a page is merged into one that was there": Pair(
        {"hull.html": page("Hull", f"<p>{text('h', 150)}"), "keel.html": page("Keel", f"<p>{text('k', 150)}")},
        {"keel.html": page("Keel", f"<p>{text('k', 150)}</p><h2 id=hull>Hull</h2><p>{text('h', 150)}")},
        {("url-gone", "hull.html", "keel.html")},
    ),
    "half of a page goes to each of two": Pair(
        {"boat.html": page("Boat", f"<p>{text('h', 300)}</p><p>{text('k', 300)}")},
        {
            "hull.html": page("Boat", f"<p>{text('h', 300)}</p><p>{text('more h', 400)}"),
            "keel.html": page("Keel", f"<p>{text('k', 300)}</p><p>{text('more k', 400)}"),
        },
        {("url-gone", "boat.html", None)},
        candidates={"boat.html": ("hull.html", "keel.html")},
    ),
    "ids are renamed": Pair(
        GUIDE,
        {"guide.html": page("Guide", section("the-sails", "sails"), section("masts-1", "masts"))},
        {
            ("id-gone", "guide.html#sails", "guide.html#the-sails"),
            ("id-gone", "guide.html#masts", "guide.html#masts-1"),
        },
    ),
    "ids move to another page": Pair(
        GUIDE,
        {"guide.html": page("Guide", section("masts")), "sail.html": page("Sail", section("sails"))},
        {("id-gone", "guide.html#sails", "sail.html#sails")},
    ),
    "an id is removed with its only link": Pair(
        {"guide.html": page("Guide", "<a href=#sails>sails</a>", section("sails"), section("masts"))},
        {"guide.html": page("Guide", section("masts"))},
        {("id-gone", "guide.html#sails", None)},
    ),
    "pretty URLs are switched on": Pair(
        {f"{name}.html": page(name.title()) for name in ("wind", "tide")},
        {f"{name}/index.html": page(name.title(), f"<p>{text(name.title())} more") for name in ("wind", "tide")},
        {("url-gone", "wind.html", "wind/"), ("url-gone", "tide.html", "tide/")},
    ),
    "pretty URLs on a host that had them": Pair(
        {"wind.html": page("Wind")},
        {"wind/index.html": page("Wind", f"<p>{text('Wind')} more")},
        {("url-gone", "wind.html", "wind/")},
        {"host": "github-pages"},
    ),
    "a language is added": Pair(
        {"wind.html": page("Wind"), "tide.html": page("Tide")},
        {f"en/{name}.html": page(name.title(), f"<p>{text(name.title())} .") for name in ("wind", "tide")}
        | {f"ja/{name}.html": page(name.title(), f"<p>{text(name + ' ja')}") for name in ("wind", "tide")},
        {("url-gone", "wind.html", "en/wind.html"), ("url-gone", "tide.html", "en/tide.html")},
    ),
    "an index becomes a page": Pair(
        {"docs/index.html": page("Docs")},
        {"docs.html": page("Docs", f"<p>{text('Docs')} more")},
        {("url-gone", "docs/index", "docs.html")},
        {"host": "netlify"},
    ),
    "a host asks for another index": Pair(
        {"docs/index.html": page("Docs", section("parts")), "docs/main.html": page("Main")},
        {
            "docs/index.html": page("Docs", section("parts")),
            "docs/main.html": page("Main"),
            "docs/.htaccess": "DirectoryIndex main.html\n",
        },
        {("id-gone", "docs/#parts", "docs/index.html#parts")},
        {"host": "apache"},
    ),
    "the case changes": Pair(
        {"Wind.html": page("Wind")},
        {"wind.html": page("Wind")},
        {("url-gone", "Wind.html", "wind.html")},
        {"host": "apache"},
    ),
    "the case changes, and the host ignores it": Pair(
        {"Wind.html": page("Wind")}, {"wind.html": page("Wind")}, set(), {"host": "netlify"}
    ),
    "a page is redirected for good": Pair(
        GUIDE,
        {**BEGIN, "_redirects": "/guide.html /begin.html 301\n/guide /begin.html 301\n"},
        {
            ("url-moved", "guide.html", "begin.html"),
            *(("id-moved", f"guide.html#{name}", f"begin.html#{name}") for name in ("sails", "masts")),
        },
        {"host": "netlify"},
    ),
    "a page is redirected for now": Pair(
        GUIDE,
        {**BEGIN, "_redirects": "/guide.html /begin.html 302\n/guide /begin.html 302\n"},
        set(),
        {"host": "netlify"},
    ),
    "a redirect lacks an id": Pair(
        GUIDE,
        {
            "begin.html": page("Guide", section("sails")),
            "_redirects": "/guide.html /begin.html 301\n/guide /begin.html 301\n",
        },
        {
            ("url-moved", "guide.html", "begin.html"),
            ("id-moved", "guide.html#sails", "begin.html#sails"),
            ("id-gone", "guide.html#masts", None),
        },
        {"host": "netlify"},
    ),
    "a redirect ends nowhere": Pair(
        GUIDE,
        {"_redirects": "/guide.html /begin.html 301\n"},
        {("url-gone", "guide.html", None)},
        {"host": "netlify"},
    ),
    "redirects go round in circles": Pair(
        GUIDE,
        {"_redirects": "/guide.html /b 301\n/b /guide.html 301\n"},
        {("url-gone", "guide.html", None)},
        {"host": "netlify"},
    ),
    "a page refreshes and drops fragments": Pair(
        GUIDE,
        {**BEGIN, "guide.html": STUB},
        {
            ("url-moved", "guide.html", "begin.html"),
            *(("id-moved", f"guide.html#{name}", f"begin.html#{name}") for name in ("sails", "masts")),
        },
    ),
    "a page refreshes and keeps fragments": Pair(
        GUIDE,
        {**BEGIN, "guide.html": STUB + KEEPS},
        {
            ("url-moved", "guide.html", "begin.html"),
            *(("id-moved", f"guide.html#{name}", f"begin.html#{name}") for name in ("sails", "masts")),
        },
    ),
    "a file changes in a folder that is renamed": Pair(
        {
            **{f"docs/{name}/index.html": page(name.title()) for name in ("wind", "tide")},
            "docs/wind/chart.pdf": b"old",
            "docs/feed.xml": b"old",
        },
        {
            **{f"manual/{name}/index.html": page(name.title()) for name in ("wind", "tide")},
            "manual/wind/chart.pdf": b"new",
            "manual/feed.xml": b"new",
        },
        {("url-gone", f"docs/{name}", f"manual/{name}") for name in ("wind/", "tide/", "wind/chart.pdf", "feed.xml")},
    ),
    "a file that is not a page moves": Pair(
        {"img/old.png": b"\x89PNG old", "img/gone.png": b"\x89PNG gone"},
        {"img/new.png": b"\x89PNG old"},
        {("url-gone", "img/old.png", "img/new.png"), ("url-gone", "img/gone.png", None)},
    ),
    "a build names files by their content": Pair(
        {"main.3f2a9c1b.js": b"let a = 1", "main.js": b"let b = 1"},
        {"main.77aa01fe.js": b"let a = 2"},
        {("url-gone", "main.js", None)},
    ),
    "a page is hollow": Pair(
        {"boat.html": page("Boat", f"<p>{text('b', 400)}")},
        {"boat.html": page("Boat", "<p>See Domains.")},
        {("page-hollow", "boat.html", None)},
    ),
    "an id means something else": Pair(
        {"a.html": page("A", section("first", "sails"), section("next", "masts"))},
        {"a.html": page("A", section("first", "keels"), section("next", "sails"), section("last", "masts"))},
        {("id-changed", "a.html#first", "a.html#next"), ("id-changed", "a.html#next", "a.html#last")},
    ),
    "an unpublished page goes": Pair(
        {"draft.html": page("Draft", head="<meta name=robots content=noindex>")},
        {},
        {("url-gone", "draft.html", None)},
    ),
    "two pages have the same text": Pair(
        {"wind.html": page("Wind", f"<p>{text('w', 150)}")},
        {name: page("Wind", f"<p>{text('w', 150)} .") for name in ("a/wind.html", "b/wind.html")},
        {("url-gone", "wind.html", None)},
        candidates={"wind.html": ("b/wind.html", "a/wind.html")},
    ),
    "a page goes, and another comes": Pair(
        {"wind.html": page("Wind", f"<p>{text('w', 150)}")},
        {"tide.html": page("Tide", f"<p>{text('t', 150)}")},
        {("url-gone", "wind.html", None)},
    ),
    "another page has the same title": Pair(
        {"intro.html": page("Introduction", f"<p>{text('w', 150)}")},
        {"about.html": page("Introduction", f"<p>{text('t', 150)}")},
        {("url-gone", "intro.html", None)},
        maybe={"intro.html": "about.html"},
    ),
    "one of two twins goes": Pair(
        {f"{name}/option.html": page(f"{name}::option", f"<p>{text('o', 150)}") for name in ("core", "std")},
        {"std/option.html": page("std::option", f"<p>{text('o', 150)} .")},
        {("url-gone", "core/option.html", None)},
    ),
    "generators number ids": Pair(
        {"a.html": page("A", *(section(f"id{number}", f"s{number}") for number in range(1, 5)))},
        {"a.html": page("A", *(section(f"id{number}", f"s{number}") for number in range(1, 3)))},
        set(),
    ),
    "another section has the same heading on a page that has just come": Pair(
        GUIDE,
        {"guide.html": page("Guide", section("masts")), "boat.html": page("Boat", section("sails", "b", "Sails"))},
        {("id-gone", "guide.html#sails", None)},
        maybe={"guide.html#sails": "boat.html#sails"},
    ),
    "a section is rewritten on its way to another page, with its neighbours": Pair(
        {"guide.html": page("Guide", *(section(name) for name in ("sails", "reefs", "ropes", "masts")))},
        {
            "guide.html": page("Guide", section("masts")),
            "sail.html": page("Sail", section("sails", "new", "Sails"), section("reefs"), section("ropes")),
        },
        {("id-gone", f"guide.html#{name}", f"sail.html#{name}") for name in ("sails", "reefs", "ropes")},
    ),
    "a page moves, and another one loses an id that it had, too": Pair(
        {**GUIDE, "old/boat.html": page("Boat", section("sails", "b", "Sails"), section("keel"))},
        {
            "guide.html": page("Guide", section("masts")),
            "new/boat.html": page("Boat", section("sails", "b", "Sails"), section("keel")),
        },
        {("url-gone", "old/boat.html", "new/boat.html"), ("id-gone", "guide.html#sails", None)},
    ),
    "a single page has ids that libxslt numbers": Pair(
        {"a.html": page("A", section("idm481"), section("idp482", "s"), section("idm483-bb", "t"))},
        {"a.html": page("A", section("idm491"), section("idp492", "s"), section("idm493-bb", "t"))},
        set(),
    ),
    "generators put a number into ids": Pair(
        {f"{at}.html": page(f"P{at}", section(f"idm{at}-b"), section(f"at-{at}.1.4")) for at in range(5)},
        {f"{at}.html": page(f"P{at}", section(f"idm7{at}-b"), section(f"at-{at}.2.4")) for at in range(5)},
        set(),
    ),
    "generators number ids anew": Pair(
        {"a.html": page("A", section("id1", "sails"), section("id2", "masts"))},
        {"a.html": page("A", section("id1", "keels"), section("id2", "sails"), section("id3", "masts"))},
        set(),
    ),
    "another page had the same id and heading before": Pair(
        {**GUIDE, "boat.html": page("Boat", section("sails", "boat", "Sails"))},
        {"guide.html": page("Guide", section("masts")), "boat.html": page("Boat", section("sails", "boat", "Sails"))},
        {("id-gone", "guide.html#sails", None)},
    ),
    "an id that nothing else had is at another place": Pair(
        GUIDE,
        {"guide.html": page("Guide", section("masts")), "boat.html": page("Boat", section("sails", "boat"))},
        {("id-gone", "guide.html#sails", None)},
        maybe={"guide.html#sails": "boat.html#sails"},
    ),
    "a heading is reworded, and its label stays": Pair(
        {
            "a.html": page(
                "A", f"<span id=strings></span>{section('all-strings', 's', 'All Strings')}", section("masts")
            )
        },
        {"a.html": page("A", f"<span id=strings></span>{section('text', 't', 'Text')}", section("masts"))},
        {("id-gone", "a.html#all-strings", "a.html#strings")},
    ),
    "an id is renamed on several pages, and one proves it": Pair(
        {f"{name}.html": page(name, section("methods", name, "Methods"), section("keel")) for name in ("oar", "rope")},
        {
            "oar.html": page("oar", section("impls", "oar", "Impls"), section("keel")),
            "rope.html": page("rope", section("impls", "new", "Impls"), section("keel")),
        },
        {("id-gone", "oar.html#methods", "oar.html#impls"), ("id-gone", "rope.html#methods", None)},
        maybe={"rope.html#methods": "rope.html#impls"},
    ),
    "an id is renamed in two ways, and a page has both": Pair(
        {
            f"{name}.html": page(name, section("methods", name, "Methods"), section("keel"))
            for name in ("oar", "rope", "mast")
        },
        {
            "oar.html": page("oar", section("impls", "oar", "Impls"), section("keel")),
            "rope.html": page("rope", section("calls", "rope", "Calls"), section("keel")),
            "mast.html": page("mast", section("impls", "i", "Impls"), section("calls", "c", "Calls"), section("keel")),
        },
        {
            ("id-gone", "oar.html#methods", "oar.html#impls"),
            ("id-gone", "rope.html#methods", "rope.html#calls"),
            ("id-gone", "mast.html#methods", None),
        },
    ),
    "the new name of an id was there before": Pair(
        {
            "oar.html": page("oar", section("methods", "oar", "Methods"), section("keel")),
            "rope.html": page("rope", section("methods", "rope", "Methods"), section("impls", "i")),
        },
        {
            "oar.html": page("oar", section("impls", "oar", "Impls"), section("keel")),
            "rope.html": page("rope", section("impls", "i"), section("keel")),
        },
        {("id-gone", "oar.html#methods", "oar.html#impls"), ("id-gone", "rope.html#methods", None)},
    ),
    "a label moves with its heading, which is reworded": Pair(
        {
            "a.html": page("A", f"<a id=strings></a>{section('all-strings', 's', 'All Strings')}", section("masts")),
            "objects.inv": inventory("strings std:label -1 a.html#$ All Strings"),
        },
        {
            "a.html": page("A", section("masts")),
            "b.html": page("B", f"<a id=strings></a>{section('text', 't', 'Text')}"),
            "objects.inv": inventory("strings std:label -1 b.html#$ Text"),
        },
        {("id-gone", "a.html#strings", "b.html#strings"), ("id-gone", "a.html#all-strings", "b.html#strings")},
    ),
    "an inventory knows where a name is": Pair(
        {
            "a.html": page("A", section("haul", "h"), section("masts")),
            "objects.inv": inventory("boat.haul() py:function 1 a.html#haul -"),
        },
        {
            "a.html": page("A", section("masts")),
            "b.html": page("B", section("boat.haul", "i")),
            "objects.inv": inventory("boat.haul() py:function 1 b.html#boat.haul -"),
        },
        {("id-gone", "a.html#haul", "b.html#boat.haul")},
    ),
    "a label is given to something else": Pair(
        {
            "a.html": page("A", section("aliases", "a"), section("masts")),
            "objects.inv": inventory("aliases std:label -1 a.html#$ A"),
        },
        {
            "a.html": page("A", section("masts")),
            **{f"{name}.html": page(name, section("aliases", name)) for name in "bc"},
            "objects.inv": inventory("aliases std:label -1 b.html#$ B"),
        },
        {("id-gone", "a.html#aliases", None)},
        candidates={"a.html#aliases": ("b.html#aliases", "c.html#aliases")},
    ),
    "all titles have another version": Pair(
        {f"{name}.html": page(f"{name} — Boats 3.11", f"<p>{text(name, 30)}") for name in ("rope", "oar", "spar")},
        {
            f"new/{name}.html": page(f"{name} — Boats 3.13", f"<p>{text(name, 30)} .")
            for name in ("rope", "oar", "spar")
        },
        {("url-gone", f"{name}.html", f"new/{name}.html") for name in ("rope", "oar", "spar")},
    ),
    "the target of an old redirect is renamed": Pair(
        {**GUIDE, "_redirects": "/start /guide.html 301\n"},
        BEGIN,
        {("url-gone", "guide.html", "begin.html"), ("url-gone", "start", "begin.html")},
        {"host": "netlify"},
    ),
    "names are not ASCII": Pair(
        {"straße und ufer.html": page("Ufer")},
        {"ufer straße.html": page("Ufer", f"<p>{text('Ufer')} .")},
        {("url-gone", "stra%C3%9Fe%20und%20ufer.html", "ufer%20stra%C3%9Fe.html")},
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_became_of_a_state(name: str, tmp_path: Path) -> None:
    pair = PAIRS[name]
    old, new = site(tmp_path / "old", pair.old), site(tmp_path / "new", pair.new)
    result = rehref.compare(old, new, ignore=["newly-broken"], **pair.options)
    found = {(each.code, each.url, each.moved_to if (each.certainty or 0) >= 0.9 else None) for each in result.problems}
    assert found == pair.changes
    unsure = {each.url: each.moved_to for each in result.problems if each.moved_to and (each.certainty or 0) < 0.9}
    assert unsure == pair.maybe
    assert {each.url: each.candidates for each in result.problems if each.candidates} == pair.candidates
    assert result.summary.urls.kept >= 3


@pytest.mark.parametrize("name", [name for name, pair in PAIRS.items() if "objects.inv" not in pair.old])
def test_a_contract_says_the_same(name: str, tmp_path: Path) -> None:
    """The old state by its contract alone, with smaller samples of texts; it has no inventory."""
    pair = PAIRS[name]
    old, new = site(tmp_path / "old", pair.old), site(tmp_path / "new", pair.new)
    contract = tmp_path / "contract.jsonl"
    rehref.compare(old, old, save=contract, **pair.options)
    result = rehref.compare(contract, new, ignore=["newly-broken"], **pair.options)
    whole = rehref.compare(old, new, ignore=["newly-broken"], **pair.options)
    assert [each._replace(certainty=None) for each in result.problems] == [
        each._replace(certainty=None) for each in whole.problems
    ]
    assert result.summary == whole.summary


@pytest.mark.parametrize(
    "damaged", [b"", b"# Sphinx inventory version 2\n", inventory("a py:function 1 a.html#sails -")[:-9]]
)
def test_a_damaged_inventory_says_nothing(damaged: bytes, tmp_path: Path) -> None:
    old = site(tmp_path / "old", {**GUIDE, "objects.inv": damaged})
    new = site(tmp_path / "new", {"guide.html": page("Guide", section("masts")), "objects.inv": damaged})
    lost = [each.url for each in rehref.compare(old, new).problems if not each.moved_to]
    assert lost == ["guide.html#sails"]

"""Fragments that the scripts of a page make."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.made_web import Web, checked

SCRIPT = "<script src=s.js></script>"


def told(folder: Path, **pages: str) -> list[tuple[str, str]]:
    (folder / "s.js").write_text("")
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(f"<!doctype html><title>x</title>{page}")
    return [(finding.document, finding.code) for finding in rehref.check(folder).findings]


def links(number: int, to: str = "b.html", first: int = 0) -> str:
    return "".join(f"<a href='{to}#m{each}'>x</a>" for each in range(first, first + number))


def test_a_page_that_misses_most_of_many_fragments_is_one_warning(tmp_path: Path) -> None:
    some = "".join(f"<p id=m{each}>x</p>" for each in range(60, 100))
    assert told(tmp_path, a=links(100), b=f"{some}{SCRIPT}") == [("b.html", "script-fragments")]
    (finding,) = rehref.check(tmp_path).findings
    assert finding.severity == "warning"
    assert finding.message == (
        "60 of 100 fragments that links ask of this page are not in it ('m0', 'm1', 'm10', …; in 1 document): its "
        "scripts may make them; --script-ids says which are right"
    )
    assert rehref.check(tmp_path, script_ids=[r"m\d+"]).findings == ()


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("<p>x", 60),  # no script
        (SCRIPT + "x", 49),
        (SCRIPT + "".join(f"<p id=m{each}>x" for each in range(30)), 60),
        ("<script>1</script><p>x", 1),
        (f"<p id=m0>x</p>{SCRIPT}<script>location.hash</script>", 2),  # some are there
        (f"<p>x</p>{SCRIPT}", 1),
        ("<h2 id=install>x</h2><p>x<script>location.hash</script>", 2),  # a theme's script reads the fragment
        ("<section id=install>x</section><script>location.hash</script>", 2),
        (f"<p>x{''.join(f'<p id=n{each}>x' for each in range(21))}<script>location.hash</script>", 2),
        (f"<img id=one src=data:, alt=x>{SCRIPT}", 1),
        (f'<meta name="generator" content="Doxygen 1.9.4"/><p>x{SCRIPT}', 60),
        (SCRIPT + "".join(f"<p id=n{each}>x" for each in range(60)), 60),  # they have other names now
    ],
)
def test_other_missing_fragments_are_errors(tmp_path: Path, page: str, number: int) -> None:
    assert {code for _, code in told(tmp_path, a=links(number), b=page)} == {"missing-fragment"}


@pytest.mark.parametrize(
    "page",
    [
        f"<div id=root></div>{SCRIPT}",
        "<div id=app><div></div></div><noscript>Needs JavaScript.</noscript><script type=module src=s.js></script>",
        f"<div id=root></div><noscript><img src=s.js alt=x></noscript>{SCRIPT}",
        "<p>x</p><script>addEventListener('load', () => show(window.location.hash))</script>",
    ],
)
def test_a_page_that_its_scripts_fill_is_one_warning(tmp_path: Path, page: str) -> None:
    assert told(tmp_path, a=links(3), b=page, c=links(1)) == [("b.html", "script-fragments")]


def test_a_link_says_so_where_the_page_is_not_reported_on(tmp_path: Path) -> None:
    """A file that is checked alone, as by an editor or before a commit, said nothing of its links to such a page."""
    told(tmp_path, a=links(2), b=f"<div id=root></div>{SCRIPT}")
    alone = rehref.check(tmp_path, files=[tmp_path / "a.html"]).findings
    assert [(each.document, each.code, each.reference, each.suggestion) for each in alone] == [
        ("a.html", "script-fragments", f"b.html#m{each}", None) for each in range(2)
    ]
    assert alone[0].severity == "warning"
    assert (
        alone[0].message == "nothing in b.html has the id 'm0': scripts may make it; --script-ids says which are right"
    )
    assert [each.document for each in rehref.check(tmp_path, exclude_path=["b.html"]).findings] == ["a.html"] * 2


def test_rules_for_a_page_that_scripts_fill(tmp_path: Path) -> None:
    told(tmp_path, a=links(2), b=f"<div id=root></div>{SCRIPT}")
    assert rehref.check(tmp_path, rules=[{"targets": r"b\.html$", "fragments": False}]).findings == ()


def test_the_page_of_a_server_has_its_url() -> None:
    host = "https://a.example/"
    web = Web({host: "<title>x</title><a href=b#m>x</a>", f"{host}b": f"<title>x</title><div id=root></div>{SCRIPT}"})
    (finding,) = (each for each in checked(web, host).findings if each.code == "script-fragments")
    assert (finding.document, finding.target) == (f"{host}b", f"{host}b")


def test_what_many_pages_are_asked_for_is_counted_once(tmp_path: Path) -> None:
    """The uses of all documents were gone through for each page that its scripts fill."""
    shells = {f"b{each}": f"<div id=root></div>{SCRIPT}" for each in range(3)}
    told(tmp_path, a="".join(links(2, f"{name}.html") for name in shells), c=links(1, "b0.html"), **shells)
    table = rehref.check(tmp_path).findings
    assert [finding.message.partition("; ")[2].partition(")")[0] for finding in table] == [
        "in 2 documents",
        "in 1 document",
        "in 1 document",
    ]


def test_a_page_that_its_scripts_fill_may_have_some_of_them(tmp_path: Path) -> None:
    page = f"<div id=root></div>{SCRIPT}"
    assert told(tmp_path, a=f"{links(2)}<a href=b.html#root>x</a>", b=page) == [("b.html", "script-fragments")]
    assert told(tmp_path, a=f"{links(2)}<a href=b.html#/x>x</a><a href=b.html#a=1>x</a>", b=page) == [
        ("b.html", "script-fragments")
    ]
    assert "2 of 2 fragments" in rehref.check(tmp_path).findings[0].message


@pytest.mark.parametrize("fragment", ["map=5/51/0", "t=30s", "gid=0", "/x", "!x", "tab=install&amp;os=linux"])
def test_a_state_is_for_scripts(tmp_path: Path, fragment: str) -> None:
    link = f"<a href='b.html#{fragment}'>x</a>"
    assert told(tmp_path, a=link, b=f"<p>x</p>{SCRIPT}") == []
    assert told(tmp_path, a=link, b="<p>x</p>") == [("a.html", "missing-fragment")]


@pytest.mark.parametrize("fragment", ["operator==", "a=(b", "=x"])
def test_an_operator_is_an_id(tmp_path: Path, fragment: str) -> None:
    assert told(tmp_path, a=f"<a href='b.html#{fragment}'>x</a>", b=f"<p id=y>x</p>{SCRIPT}") == [
        ("a.html", "missing-fragment")
    ]


def test_a_refresh_for_readers_without_scripts_changes_nothing(tmp_path: Path) -> None:
    without = '<noscript><meta http-equiv=refresh content="0; url=c.html"></noscript>'
    assert told(tmp_path, a=links(60), b=f"{without}{SCRIPT}", c="<p>x") == [("b.html", "script-fragments")]

"""`rehref compare` and `rehref.compare`: the two sides, links that only the change broke, formats, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rehref
from crawl import crawl, png, redirect, response
from plugins.compare.sites import page, section, site, text
from rehref.cli.program import program
from web.servers import Sent, serving

GUIDE = page("Guide", section("sails"), section("masts"))
SITES = Path(__file__).resolve().parents[3] / "fixtures" / "sites"
URL = "https://boats.example/docs/"
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(program, ["compare", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def states(tmp_path: Path) -> tuple[Path, Path]:
    """Two states: a page is renamed, an id of another is, and a page that did not change links to the first."""
    link = page("Links", '<p><a href="guide.html#masts">Masts</a> <a href="never.html">Never</a>')
    old = site(tmp_path / "old", {"guide.html": GUIDE, "boat.html": page("Boat", section("keel")), "links.html": link})
    new = site(
        tmp_path / "new",
        {"begin.html": GUIDE, "boat.html": page("Boat", section("a-keel", "keel")), "links.html": link},
    )
    return old, new


def broken(old: Path, new: Path) -> list[tuple[str, str, bool]]:
    found = rehref.compare(old, new, select=["newly-broken"]).problems
    return [(each.document, each.reference, each.is_unchanged) for each in found]


# --- newly broken links


def test_only_what_the_change_broke_is_reported(states: tuple[Path, Path]) -> None:
    assert broken(*states) == [("links.html", "guide.html#masts", True)]


def test_lines_do_not_count_but_numbers_do(tmp_path: Path) -> None:
    link = '<a href="never.html">Never</a>\n'
    old = site(tmp_path / "old", {"a.html": page("A", link)})
    moved = site(tmp_path / "moved", {"a.html": page("A", "<p>more\n\n" * 9 + link)})
    twice = site(tmp_path / "twice", {"a.html": page("A", f"{link}<p>{link}")})
    assert broken(old, moved) == []
    assert broken(old, twice) == [("a.html", "never.html", False)]


def test_a_broken_link_stays_known_where_its_page_or_its_text_goes(tmp_path: Path) -> None:
    link = f'<p>{text("l", 150)} <a href="never.html">Never</a>'
    old = site(tmp_path / "old", {"a.html": page("A", link)})
    renamed = site(tmp_path / "renamed", {"b/a.html": page("A", link)})
    other = site(tmp_path / "other", {"a.html": page("A"), "c.html": page("C", link)})
    assert broken(old, renamed) == broken(old, other) == []


def test_a_broken_link_stays_known_where_its_target_goes(tmp_path: Path) -> None:
    guide = page("Guide", section("sail"), '<a href="#lost">l</a>')
    old = site(tmp_path / "old", {"guide.html": guide, "index.html": '<a href="guide.html#gale">a</a>'})
    new = site(tmp_path / "new", {"manual.html": guide, "index.html": '<a href="manual.html#gale">b</a>'})
    assert broken(old, new) == []


def test_links_of_unchanged_pages_come_first(tmp_path: Path) -> None:
    files = {"a.html": page("A", '<a href="gone.html">x</a>'), "z.html": page("Z", '<a href="gone.html">x</a>')}
    old = site(tmp_path / "old", {**files, "gone.html": page("Gone")})
    new = site(tmp_path / "new", {**files, "a.html": files["a.html"] + "<p>edited"})
    assert [each[::2] for each in broken(old, new)] == [("z.html", True), ("a.html", False)]


def test_a_contract_knows_the_broken_links_of_its_state(states: tuple[Path, Path], tmp_path: Path) -> None:
    old, new = states
    rehref.compare(old, old, save=tmp_path / "contract.jsonl")
    assert broken(tmp_path / "contract.jsonl", new) == [("links.html", "guide.html#masts", True)]


def test_new_only_counts_nothing_else(states: tuple[Path, Path], run: Run) -> None:
    assert run(*states, "--new-only").exit_code == 1
    (states[1] / "guide.html").write_text(page("Other", section("masts")))
    assert "url-gone" not in run(*states, "--new-only", "--format", "jsonl").stdout
    assert run(*states, "--new-only").exit_code == 0
    assert run(*states).exit_code == 1


# --- the sides


@pytest.mark.sampled(3)
@pytest.mark.parametrize("host", ["none", "netlify", "apache"])
def test_a_state_loses_nothing_against_itself_nor_against_its_contract(host: str, tmp_path: Path) -> None:
    folders = [folder for folder in sorted(SITES.iterdir()) if (folder / "expected.json").exists()]
    assert len(folders) > 30
    for folder in folders:
        itself = rehref.compare(folder, folder, host=host, save=tmp_path / "contract.jsonl")
        assert [each for each in itself.problems if each.severity != "info"] == [], folder.name
        kept = rehref.compare(tmp_path / "contract.jsonl", folder, host=host)
        assert (kept.summary, kept.problems) == (itself.summary, itself.problems), folder.name
        both = rehref.compare(tmp_path / "contract.jsonl", tmp_path / "contract.jsonl")
        assert [each for each in both.problems if each.severity != "info"] == [], folder.name


def test_a_rule_may_show_what_is_not_promised(tmp_path: Path) -> None:
    files = {"404.html": page("No"), "_redirects": "/app /404.html 200\n/start /news.html 200\n"}
    result = rehref.compare(site(tmp_path, files), tmp_path, host="netlify", save=tmp_path / ".contract")
    assert result.problems == ()
    assert [line for line in (tmp_path / ".contract").read_text().splitlines() if '"app"' in line] == []
    assert '"also":["news","start"]' in (tmp_path / ".contract").read_text()


def captured(files: dict[str, str]) -> bytes:
    """An archive of a site below `URL`, with an image, a redirect, and a page of another site."""
    return crawl(
        [
            *(response(f"{URL}{name}", content) for name, content in files.items()),
            response(f"{URL}img/a.png", png(), "image/png"),
            redirect(f"{URL}start", f"{URL}guide.html"),
            response("https://other.example/frame.html", page("Other")),
        ]
    )


def test_the_old_state_may_be_an_archive(states: tuple[Path, Path], tmp_path: Path) -> None:
    archive = tmp_path / "crawl.warc.gz"
    archive.write_bytes(captured({path.name: path.read_text() for path in states[0].glob("*.html")}))
    result = rehref.compare(archive, states[1], ignore=["newly-broken"])
    assert {(each.url, each.moved_to) for each in result.problems if each.code != "id-moved"} == {
        ("guide.html", "begin.html"),
        ("start", "begin.html"),
        ("img/a.png", None),
        ("boat.html#keel", "boat.html#a-keel"),
    }
    assert result.summary.urls.kept == 5


def test_a_side_may_be_a_site_that_is_crawled(states: tuple[Path, Path], tmp_path: Path, run: Run) -> None:
    home = page("Home", '<a href="/guide.html">Guide</a> <a href="/boat.html">Boat</a>')
    boat = (states[0] / "boat.html").read_text()
    sent = {"/": home, "/guide.html": GUIDE, "/boat.html": boat}
    headers = {"Content-Type": "text/html"}
    with serving(lambda path: Sent(200 if path in sent else 404, sent.get(path, "").encode(), headers)) as server:
        how = ("--external", "--recursive", "--allow-private", "--ignore", "newly-broken", "--format", "jsonl")
        done = run(server.url, states[1], *how)
        assert run(server.url, states[1]).exit_code == 2
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(each["url"], each["moved_to"]) for each in found} == {
        ("guide.html", "begin.html"),
        ("boat.html#keel", "boat.html#a-keel"),
    }


def test_a_contract_is_the_same_for_the_same_state(states: tuple[Path, Path], tmp_path: Path, run: Run) -> None:
    for name in ("one", "two"):
        assert run("--save", name, states[0], "--jobs", "2").exit_code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    first, *lines = map(json.loads, (tmp_path / "one").read_text().splitlines())
    assert first == {"format": "rehref-contract", "version": 1, "urls": 6}
    assert [each["url"] for each in lines if "url" in each] == sorted(each["url"] for each in lines if "url" in each)
    assert [each["broken"] for each in lines if "broken" in each] == [["links.html", "never.html", "missing-file", 1]]
    assert run("one", states[0]).stdout == "nothing gone; 6 URLs and 3 ids kept\n"


def test_a_translation_lacks_pages_and_ids(tmp_path: Path, run: Run) -> None:
    site(tmp_path / "en", {"guide.html": GUIDE, "boat.html": page("Boat")})
    site(tmp_path / "ja", {"guide.html": page("手引き", section("sails", heading="帆")), "bo.html": page("Boat")})
    done = run("en", "ja", "--anchors")
    assert done.stdout.splitlines() == [
        "boat.html         not there",
        "guide.html#masts  not there",
        "1 URL and 1 id gone; 4 URLs and 1 id kept",
    ]


# --- what is refused


NEWER = b'{"format":"rehref-contract","version":2,"urls":0}\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file or directory"),
        (b"<p>a page", "is not a site"),
        (NEWER, "is a contract of version 2, and this rehref reads 1"),
        (b'{"format":"rehref-contract","version":1}\n{"url":\n', "is not a contract: line 2 is damaged"),
        (b'{"format":"rehref-contract","version":1}\n{"url":"a","ids":3}\n', "line 2 is damaged"),
        (b'{"format":"rehref-contract","version":1}\n{"url":"a","ids":{},"text":"99:"}\n', "line 2 is damaged"),
        (b'{"format":"rehref-contract","version":1}\n', "has no pages"),
        (captured({})[:200], "has no pages"),
    ],
)
def test_a_side_that_is_no_site_is_refused_in_one_line(
    content: bytes | None, message: str, states: tuple[Path, Path], tmp_path: Path, run: Run
) -> None:
    if content is not None:
        (tmp_path / "side").write_bytes(content)
    done = run("side", states[1], "--save", "new.jsonl", "--write-redirects", states[1] / "_redirects")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert not (tmp_path / "new.jsonl").exists()
    assert not (states[1] / "_redirects").exists()


def test_sites_with_nothing_in_common_and_empty_folders_are_refused(tmp_path: Path, run: Run) -> None:
    for name, content in (("a/x.html", text("x")), ("b/y.html", text("y"))):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    (tmp_path / "empty").mkdir()
    assert "has nothing in common with a" in run("a", "b").stderr
    assert "empty: has no pages" in run("a", "empty").stderr
    assert "only one side is named" in run("a").stderr
    assert "3 sides are named" in run("a", "a", "b").stderr
    assert "--ignore-ids (: the expression is not understood" in run("a", "a", "--ignore-ids", "(").stderr


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"hsot": "netlify"}, TypeError),
        ({"host": "nowhere"}, ValueError),
        ({"select": "url-gone"}, TypeError),
        ({"select": ["url-gonee"]}, ValueError),
        ({"jobs": 0}, ValueError),
    ],
)
def test_wrong_arguments(options: dict[str, object], error: type[Exception], states: tuple[Path, Path]) -> None:
    with pytest.raises(error):
        rehref.compare(*states, **options)


# --- reports


def test_json_has_the_numbers_and_each_change(states: tuple[Path, Path], run: Run) -> None:
    done = run(*states, "--format", "json")
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    assert found["summary"]["urls"] == {"kept": 5, "moved": 0, "gone": 1}
    assert found["summary"]["ids"] == {"kept": 0, "moved": 0, "gone": 1}
    assert found["summary"]["newly_broken"] == 1
    gone = next(each for each in found["problems"] if each["code"] == "url-gone")
    assert (gone["url"], gone["moved_to"], gone["certainty"]) == ("guide.html", "begin.html", 0.99)


@pytest.mark.parametrize("form", ["csv", "jsonl", "sarif", "junit", "github", "markdown", "html"])
def test_every_format_names_what_is_lost(form: str, states: tuple[Path, Path], run: Run) -> None:
    shown = run(*states, "--format", form).stdout
    for each in ("guide.html", "begin.html", "boat.html", "a-keel", "links.html", "newly-broken"):
        assert each in shown
    if form in ("markdown", "github"):
        assert "1 URL and 1 id gone, 1 link newly broken; 5 URLs and 0 ids kept" in shown
    if form == "sarif":
        rules = json.loads(shown)["runs"][0]["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == ["id-gone", "newly-broken", "url-gone"]


def test_an_id_that_pages_lost_alike_is_listed_once(tmp_path: Path, run: Run) -> None:
    names = ["hull", "keel", "mast", "oar", "rope"]

    def state(folder: str, name: str) -> Path:
        return site(tmp_path / folder, {f"{each}.html": page(each, section(name, each, "Parts")) for each in names})

    old, new = state("old", "parts"), state("new", "pieces")
    (new / "rope.html").write_text(page("rope"))
    assert run(old, new, "--max-findings", "1").stdout == (
        "#parts  in 4 pages (hull.html, keel.html, mast.html, …): gone; now #pieces (same heading and text)\n"
        "1 change more not shown (--max-findings 1)\n"
        "5 ids gone; 8 URLs and 0 ids kept\n"
    )
    assert "\nrope.html#parts  gone\n" in run(old, new).stdout
    assert len(json.loads(run(old, new, "--format", "json").stdout)["problems"]) == 5


def test_codes_are_selected_as_everywhere(states: tuple[Path, Path], run: Run) -> None:
    assert run(*states, "--select", "url-moved").stdout == "1 URL and 1 id gone; 5 URLs and 0 ids kept\n"
    assert run(*states, "--ignore", "url-gone,newly-broken", "--warn", "id-gone").exit_code == 0
    assert run(*states, "--exit-zero").exit_code == 0
    (states[1] / "_redirects").write_text("/guide.html /begin.html\n/guide /begin.html\n")
    redirected = (*states, "--host", "netlify", "--select", "url-moved")
    assert run(*redirected).exit_code == 0
    assert run(*redirected, "--error", "url-moved").exit_code == 1
    (states[1] / "_redirects").unlink()
    assert run(*states, "--ignore-ids", "^keel$", "--ignore", "url-gone,newly-broken").exit_code == 0


def test_control_characters_of_a_page_are_no_marks(run: Run, tmp_path: Path) -> None:
    pages = {"index.html": page("Home", section("keel")), "b.html": "\x0221\x03 &#2;0&#3; \x02" + "9" * 5000 + "\x03"}
    old = site(tmp_path / "old", {"index.html": pages["index.html"]})
    assert run(old, site(tmp_path / "new", pages)).exit_code == 0
    assert run("--save", "contract.jsonl", tmp_path / "new").exit_code == 0


def test_a_contract_goes_to_standard_output_alone(states: tuple[Path, Path], tmp_path: Path, run: Run) -> None:
    old, new = states
    result = run("--save", "-", new)
    assert (result.exit_code, result.stderr) == (0, "")
    assert run("--save", tmp_path / "c.jsonl", new).exit_code == 0
    assert result.stdout_bytes == (tmp_path / "c.jsonl").read_bytes()
    assert run("--save", "-", old, new).stderr.startswith("rehref: --save -: the report is on standard")
    assert not Path("-").exists()


def test_no_file_is_written_if_there_are_no_redirects(states: tuple[Path, Path], tmp_path: Path, run: Run) -> None:
    _, new = states
    for name in ("_redirects", ".htaccess", "netlify.toml", "vercel.json", "moved.map", "pages"):
        result = run(new, new, "--write-redirects", tmp_path / name)
        assert (result.exit_code, (tmp_path / name).exists()) == (0, False)
        assert result.stderr == f"rehref: no redirects to write: {tmp_path / name} stays as it is\n"
    assert "names no format" in run(*states, "--write-redirects", "-").stderr
    assert not Path("-").exists()


def contract_of(folder: Path, body: str, encoding: str = "utf-8") -> dict[str, Any]:
    """What a contract has about a page."""
    site(folder / "a", {"x.html": page("X", body).encode(encoding)})
    rehref.compare(folder / "a", folder / "a", save=folder / "contract")
    rows = map(json.loads, (folder / "contract").read_text(encoding="utf-8").splitlines())
    return next(row for row in rows if row.get("url") == "x.html")


CANONICAL = "<link rel=canonical href=news.html>"


@pytest.mark.parametrize(
    ("body", "encoding", "canonical"),
    [
        (CANONICAL, "utf-8", "news.html"),
        (f"<!-- {CANONICAL} --><script>'{CANONICAL}'</script>", "utf-8", None),
        (f"<template>{CANONICAL}</template>", "utf-8", None),
        (CANONICAL.replace("canonical", "&#99;anonical"), "utf-8", "news.html"),
        (CANONICAL.replace("canonical", "CANONICAL"), "utf-8", "news.html"),
        (CANONICAL, "utf-16", "news.html"),
    ],
)
def test_the_canonical_page_is_that_of_a_link(tmp_path: Path, body: str, encoding: str, canonical: str | None) -> None:
    assert contract_of(tmp_path, body + section("one"), encoding).get("canonical") == canonical


ROBOTS = "<meta name=robots content=noindex>"


@pytest.mark.parametrize(
    ("body", "encoding", "is_left_out"),
    [
        (ROBOTS, "utf-8", True),
        (f"<!-- {ROBOTS} --><template>{ROBOTS}</template>", "utf-8", None),
        (ROBOTS.replace("robots", "&#114;obots"), "utf-8", True),
        (ROBOTS, "utf-16", True),
    ],
)
def test_a_page_is_left_out_by_its_meta(tmp_path: Path, body: str, encoding: str, is_left_out: bool | None) -> None:
    assert contract_of(tmp_path, body + section("one"), encoding).get("noindex") == is_left_out


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("<p id=two>", {"two"}),
        ("<svg><g id=two></g></svg>", {"two"}),
        ("<textarea><p id=no></textarea><!-- <p id=no> --><template><p id=no></template>", set()),
        ("<script id=two></script>", {"two"}),
        ("<style id=two></style>", {"two"}),
        ("<iframe id=two></iframe>", {"two"}),
        ("<svg><title id=two></title></svg>", {"two"}),
    ],
)
def test_each_id_has_the_text_behind_it(tmp_path: Path, body: str, names: set[str]) -> None:
    found = contract_of(tmp_path, f"{body}The text behind it says some words. {section('one')}")["ids"]
    assert {name for name, text in found.items() if text} == {"one", *names}

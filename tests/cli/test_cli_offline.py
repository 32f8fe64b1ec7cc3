"""`rehref rewrite --to offline`: a mirrored folder as one that opens without the network."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path

import pytest

from rehref.documents.reading import encoding_of

PAGES = {
    "index.html": '<base href="/d/"><a href="x.html?p=2#f">x</a> <a href="/old">o</a> <img src="/i.png"> <a href=#t>',
    "d/index.html": '<a href="../">up</a> <a href="?p=2">2</a> <a href="//cdn.example/s.css">s</a>',
    "d/x.html?p=2.html": '<link rel=stylesheet href="/s.css?v=1"><a href="http://h.example/d">d</a><a href=none>',
    "s.css": "a { background: url(i.png) } b { background: url(none.png) }",
    "i.png": "",
}
OFFLINE = {
    "index.html": '<base href=""><a href="d/x.html%3Fp=2.html#f">x</a> <a href="https://h.example/old">o</a> '
    '<img src="i.png"> <a href=d/index.html#t>',
    "d/index.html": '<a href="../index.html">up</a> <a href="https://h.example/d/?p=2">2</a> '
    '<a href="https://cdn.example/s.css">s</a>',
    "d/x.html?p=2.html": '<link rel=stylesheet href="https://h.example/s.css?v=1">'
    '<a href="index.html">d</a><a href=https://h.example/d/none>',
    "s.css": "a { background: url(i.png) } b { background: url(https://h.example/none.png) }",
    "i.png": "",
}


def write(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_mirrored_folder(run, tmp_path):
    source, out = write(tmp_path / "in", PAGES), tmp_path / "out"
    done = run("rewrite", "--to", "offline", "--url", "https://h.example", str(source), "-o", str(out), "--copy-others")
    assert done.exit_code == 0, done.stderr
    assert read(out) == OFFLINE
    assert read(source) == PAGES
    again = run("rewrite", "--to", "offline", "--url", "https://h.example", "--in-place", str(out))
    assert again.exit_code == 0
    assert read(out) == OFFLINE


def test_in_place_and_as_a_difference(run, tmp_path):
    source = write(tmp_path / "in", PAGES)
    done = run("rewrite", "--to", "offline", "--url", "https://h.example/", "--diff", str(source))
    assert done.exit_code == 0
    assert '+<base href=""><a href="d/x.html%3Fp=2.html#f">' in done.stdout
    assert run("rewrite", "--to", "offline", "--url", "https://h.example/", "--in-place", str(source)).exit_code == 0
    assert read(source) == OFFLINE


@pytest.mark.parametrize("options", [(), ("--url", "https://h.example/")])
def test_a_folder_with_a_folder_for_each_host(run, tmp_path, options):
    source = write(tmp_path / "in" / "h.example", PAGES).parent
    write(
        source / "cdn.example", {"s.css": "a{}", "p.html": "<a href=http://cdn.example/x>https://h.example/ is up</a>"}
    )
    done = run("rewrite", "--to", "offline", str(source), "-o", str(tmp_path / "out"), "--copy-others", *options)
    assert done.exit_code == 0, done.stderr
    expected = {f"h.example/{name}": text for name, text in OFFLINE.items()}
    expected["h.example/d/index.html"] = expected["h.example/d/index.html"].replace(
        "https://cdn.example", "../../cdn.example"
    )
    # that is what its own pages say, where nothing else does
    scheme = "http" if not options else "https"
    if scheme == "http":
        expected = {name: text.replace("https://h.example", "http://h.example") for name, text in expected.items()}
        assert "taken for a mirror of http://cdn.example/, http://h.example/" in done.stderr
    written = read(tmp_path / "out")
    assert {name: text for name, text in written.items() if name.startswith("h.")} == expected


def test_names_made_for_windows(run, tmp_path):
    pages = {"h+8080/p.php@id=1.html": "<a href='?id=2'></a><a href='?id=3'></a>", "h+8080/p.php@id=2.html": ""}
    source = write(tmp_path / "in", {name.replace("h+", "h.example+"): text for name, text in pages.items()})
    done = run("rewrite", "--to", "offline", str(source), "-o", str(tmp_path / "out"))
    assert done.exit_code == 0, done.stderr
    assert read(tmp_path / "out")["h.example+8080/p.php@id=1.html"] == (
        "<a href='p.php@id=2.html'></a><a href='https://h.example:8080/p.php?id=3'></a>"
    )


def test_a_map_goes_first(run, tmp_path):
    source = write(tmp_path / "in", {"a.html": "<a href=https://old.example/b.html></a><a href=//old.example/c></a>"})
    write(source, {"b.html": ""})
    (tmp_path / "map.json").write_text(json.dumps({"https://old.example/*": "https://h.example/"}))
    map_ = ("--map", str(tmp_path / "map.json"))
    done = run("rewrite", "--to", "offline", "--url", "https://h.example/", *map_, str(source), "--diff")
    assert done.exit_code == 0, done.stderr
    assert "+<a href=b.html></a><a href=https://h.example/c></a>" in done.stdout
    assert run("rewrite", "--to", "relative", *map_, str(source), "--diff").exit_code == 2


def test_the_href_of_a_base_may_be_dropped(run, tmp_path):
    source = write(tmp_path / "in", {"a.html": "<base href=/x/ target=t><base href=/y/><a href=../a.html>"})
    options = ("--to", "offline", "--url", "https://h.example/", str(source), "--diff")
    assert "+<base target=t><a href=a.html>" in run("rewrite", *options, "--base-element", "drop").stdout
    assert '+<base href="" target=t><base href=""><a href=a.html>' in run("rewrite", *options).stdout
    refused = run("rewrite", *options, "--base-element", "keep")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "use empty or drop" in refused.stderr


def test_what_is_saved_but_not_copied_is_reported(run, tmp_path):
    source = write(tmp_path / "in", {"a.html": "<img src=i.png>", "i.png": ""})
    options = ("rewrite", "--to", "offline", "--url", "https://h.example/", str(source), "-o", str(tmp_path / "out"))
    assert "1 file is not a document, so references to such files will lead nowhere" in run(*options).stderr
    assert "missing" not in run(*options, "--copy-others").stderr
    assert run(*options, "--quiet").stderr == ""


@pytest.mark.parametrize("source", ["in/a.html", "-", "in in2"])
def test_it_takes_one_folder(run, tmp_path, source, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in", {"a.html": "<a href=b>"})
    write(tmp_path / "in2", {"a.html": "<a href=b>"})
    done = run("rewrite", "--to", "offline", *source.split(), "-o", "out")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "takes one folder" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_from_nobody_knows_where_is_refused(run, tmp_path):
    source = write(tmp_path / "in", {"img/a.html": "<a href=b>", "v1.2/b.html": "<a href=b>"})
    done = run("rewrite", "--to", "offline", str(source), "-o", str(tmp_path / "out"))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "give --url" in done.stderr


def test_what_httrack_leaves_beside_the_hosts_stays(run, tmp_path):
    index = '<a href="h.example/index.html">h</a>'
    pages = {
        "index.html": index,
        "hts-cache/readme.txt": "",
        "h.example/index.html": "<a href=a.html></a><a href=z></a>",
    }
    source = write(tmp_path / "in", {**pages, "h.example/a.html": ""})
    assert run("rewrite", "--to", "offline", "--in-place", str(source)).exit_code == 0
    assert read(source)["index.html"] == index
    assert read(source)["h.example/index.html"] == "<a href=a.html></a><a href=https://h.example/z></a>"


def test_relative_says_how_many_references_lead_to_what_is_not_there(run, tmp_path):
    source = write(tmp_path / "in", {"d/a.html": "<a href=/d/b.html?q#f></a><a href=/z></a><a href=/d/></a><a href=y>"})
    write(source, {"d/b.html": "<img src=https://h.example/i.png><a href=//h.example/d/a.html>"})
    options = ("rewrite", "--to", "relative", "--url", "https://h.example/", "-o", str(tmp_path / "out"), str(source))
    done = run(*options)
    assert done.exit_code == 0
    assert "2 references were written that lead to missing files; --to offline" in done.stderr
    one = run("rewrite", "--to", "relative", "--url", "https://h.example/d/b.html", str(source / "d" / "b.html"))
    assert "1 reference was written" in one.stderr
    write(source, {"z": "", "i.png": ""})
    assert "not there" not in run(*options).stderr
    # but what is above a folder that is rewritten is not part of it
    above = run("rewrite", "--to", "relative", "--url", "https://h.example/d/", "--diff", str(source / "d"))
    assert "2 references" in above.stderr


def test_pages_that_say_where_they_came_from(run, tmp_path):
    """As browsers save them: what they load is beside them already, what they link to is not."""
    mark = "<!-- saved from url=(0018)https://h.example/{} -->\n"
    page = '<link rel=stylesheet href="./a_files/s.css"><a href="https://h.example/d/b#x">b</a><a href="/c">c</a>'
    pages = {"a.html": mark.format("a") + page, "a_files/s.css": "a{}", "a_files/frame.html": "<img src=i.png>"}
    pages |= {"b.html": mark.format("d/b") + "<a href=../a>a</a>", "a_files/i.png": ""}
    source = write(tmp_path / "in", pages)
    done = run("rewrite", "--to", "offline", str(source), "-o", str(tmp_path / "out"), "--copy-others")
    assert done.exit_code == 0, done.stderr
    written = read(tmp_path / "out")
    assert written["a.html"] == mark.format("a") + page.replace("https://h.example/d/b#x", "b.html#x").replace(
        "/c", "https://h.example/c"
    )
    assert written["b.html"] == mark.format("d/b") + "<a href=a.html>a</a>"
    assert written["a_files/frame.html"] == pages["a_files/frame.html"]
    assert run("rewrite", "--to", "offline", "--ignore-saved-from", str(source), "--diff").exit_code == 2


def test_a_mirror_of_httrack(run, tmp_path):
    """It has converted what it knows, and leaves queries behind the names of files."""
    mark = "<!-- Mirrored from h.example:81/d/{} by HTTrack Website Copier/3.x -->"
    pages = {
        "d/p681a.html": mark.format("p.php?id=1")
        + "<a href=../index.html?x#y>i</a><a href='?id=2'>2</a><a href=z.html>z</a><img src='i3860.png?v=1'>",
        "d/i3860.png": "",
        "index.html": "<a href='d/p681a.html?id=1'>1</a><a href='/d/p.php?id=1#x'>1</a><img src='/d/i.png?v=1'>"
        "<a href=https://cdn.example/a>a</a>",
    }
    source = write(tmp_path / "in" / "h.example_81", pages).parent
    write(source / "cdn.example", {"a.html": "<a href='../h.example_81/d/p681a.html'>p</a>"})
    assert run("rewrite", "--to", "offline", "--in-place", str(source)).exit_code == 0
    written = read(source)
    assert written["h.example_81/d/p681a.html"] == pages["d/p681a.html"].replace(
        "'?id=2'", "'https://h.example:81/d/p.php?id=2'"
    ).replace("=z.html", "=https://h.example:81/d/z.html")
    assert written["h.example_81/index.html"] == (
        "<a href='d/p681a.html'>1</a><a href='d/p681a.html#x'>1</a><img src='d/i3860.png'>"
        "<a href=../cdn.example/a.html>a</a>"
    )
    assert written["cdn.example/a.html"] == "<a href='../h.example_81/d/p681a.html'>p</a>"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_comments_of_httrack_have_the_scheme_of_the_folder(run, tmp_path, scheme):
    mark = "<!-- Mirrored from h.example/a.html by HTTrack Website Copier/3.x -->"
    pages = {"a.html": f"{mark}<a href=gone>g</a>", "b.html": f"<a href=gone>g</a><a href={scheme}://h.example/x>x</a>"}
    source = write(tmp_path / "in" / "h.example", pages).parent
    assert run("rewrite", "--to", "offline", "--in-place", str(source)).exit_code == 0
    for page in read(source).values():
        assert f"<a href={scheme}://h.example/gone>g</a>" in page


def test_a_table_says_where_files_came_from(run, tmp_path):
    source = write(tmp_path / "in", {"1.html": "<a href=b>b</a><a href=c>c</a><img src=/i>", "2.html": "", "3.png": ""})
    (tmp_path / "t.csv").write_text(
        "path,url\n1.html,https://h.example/a\n2.html,https://h.example/b\n3.png,https://h.example/i\n"
    )
    done = run("rewrite", "--to", "offline", "--urls", str(tmp_path / "t.csv"), str(source), "--in-place")
    assert done.exit_code == 0, done.stderr
    assert read(source)["1.html"] == "<a href=2.html>b</a><a href=https://h.example/c>c</a><img src=3.png>"


def test_relative_still_says_what_browsers_read_otherwise(run, tmp_path):
    source = write(tmp_path / "in", {"a.html": r"<a href='\\x\\y'>y</a><a href=/none>n</a>"})
    options = ("--to", "relative", "--url", "https://h.example/", str(source / "a.html"))
    assert "browsers read differently" in run("rewrite", *options).stderr
    assert "1 reference was written" in run("rewrite", *options).stderr


def test_queries_that_no_file_has_in_its_name_do_not_matter(run, tmp_path):
    """As in the folder of a static site, whose pages ask for versions of style sheets."""
    page = "<link rel=stylesheet href='s.css?v=1'><link rel=stylesheet href='/s.css?v=1'><img src='i.png?2'>"
    source = write(tmp_path / "in", {"a.html": page, "s.css": ""})
    assert run("rewrite", "--to", "offline", "--url", "https://h.example/", "--in-place", str(source)).exit_code == 0
    assert read(source)["a.html"] == (
        "<link rel=stylesheet href='s.css?v=1'><link rel=stylesheet href='s.css'><img src='https://h.example/i.png?2'>"
    )


def test_queries_alone_in_pages_that_were_saved_with_an_ending(run, tmp_path):
    pages = {"list.html": "<a href='?p=2'></a><a href='?p=3'></a>", "list?p=2.html": "<a href=list></a><a href='?p=4'>"}
    source = write(tmp_path / "in", pages)
    assert run("rewrite", "--to", "offline", "--url", "http://h/", "--in-place", str(source)).exit_code == 0
    assert read(source) == {
        "list.html": "<a href='list%3Fp=2.html'></a><a href='http://h/list?p=3'></a>",
        "list?p=2.html": "<a href=list.html></a><a href='http://h/list?p=4'>",
    }


def test_an_escaped_slash_in_the_name_of_a_folder_stays_escaped(run, tmp_path):
    pages = {"a%2Fb/x.html": "<a href=z.html></a><a href='/a%2Fb/y'></a><a href=../a.html>", "a%2Fb/y.html": ""}
    source = write(tmp_path / "in", pages)
    assert run("rewrite", "--to", "offline", "--url", "http://h/", "--in-place", str(source)).exit_code == 0
    assert (
        read(source)["a%2Fb/x.html"]
        == "<a href=http://h/a%2Fb/z.html></a><a href='y.html'></a><a href=http://h/a.html>"
    )


@pytest.mark.parametrize(
    ("other", "beside", "own"),
    [
        ("<a href=list>", {}, "list"),
        ("<a href='//h/list#x'>", {}, "list"),
        ("<a href=https://h/list>", {}, "list"),
        ("<base href=/d/><a href=../list>", {}, "list"),
        ("<link rel=canonical href=list>", {}, "list"),
        ("<a href=list.html>", {}, "list.html"),
        # that there is a page of the name with a query says less than a link
        ("<a href=list.html>", {"list?p=2.html": ""}, "list.html"),
        ("<a href='list?p=2'>", {"list?p=2.html": ""}, "list"),
        # these say nothing
        ("<a href=d/list>", {"d/list.html": ""}, "list.html"),
        ("<form action=list>", {}, "list.html"),
        ("<a href='list?p=3'>", {}, "list.html"),
        ("", {"x@p=2.html": ""}, "list.html"),
    ],
)
def test_links_tell_whether_a_page_was_saved_with_an_ending(run, tmp_path, other, beside, own):
    page = "<a href='#x'></a><a href=''></a><a href='?p=3'>"
    source = write(tmp_path / "in", {"list.html": page, "other.html": other, "x?p=1.html": "", **beside})
    assert run("rewrite", "--to", "offline", "--url", "http://h/", "--in-place", str(source)).exit_code == 0
    assert read(source)["list.html"] == page.replace("?p=3", f"http://h/{own}?p=3")


def test_a_page_links_to_itself_by_the_name_that_it_was_saved_from(run, tmp_path):
    source = write(tmp_path / "in", {"c%3Ad.html": "<a href='./c:d'></a><a href='?p=3'>", "x@p=1.html": ""})
    assert run("rewrite", "--to", "offline", "--url", "http://h/", "--in-place", str(source)).exit_code == 0
    assert read(source)["c%3Ad.html"] == "<a href='c%253Ad.html'></a><a href='http://h/c:d?p=3'>"


def test_a_table_says_more_than_links(run, tmp_path):
    source = write(tmp_path / "in", {"list.html": "<a href='list'></a><a href='?p=3'>", "x?p=1.html": ""})
    (tmp_path / "t.csv").write_text("list.html,http://h/list.html\n")
    options = ("--url", "http://h/", "--urls", str(tmp_path / "t.csv"), "--in-place", str(source))
    assert run("rewrite", "--to", "offline", *options).exit_code == 0
    assert "'http://h/list.html?p=3'" in read(source)["list.html"]


def test_lazy_attributes_lead_to_saved_files_and_else_stay(run, tmp_path):
    page = '<img data-src=/i.png data-bg="url(/i.png)" data-lazy-srcset="/i.png 1x, n.png 2x" data-x=/i.png>'
    source = write(tmp_path / "in", {"index.html": f"{page}<p data-src=none.png>", "i.png": ""})
    options = ("rewrite", "-q", "--to", "offline", "--url", "https://h.example/", "--copy-others", "-o")
    assert run(*options, tmp_path / "out", source).exit_code == 0
    new = '<img data-src=i.png data-bg="url(i.png)" data-lazy-srcset="i.png 1x, n.png 2x" data-x=/i.png>'
    assert read(tmp_path / "out")["index.html"] == f"{new}<p data-src=none.png>"
    assert run(*options, tmp_path / "all", "--lazy", source).exit_code == 0
    assert "<p data-src=https://h.example/none.png>" in read(tmp_path / "all")["index.html"]


POLICY = "default-src file: data: blob: 'self' http://*.localhost:* 'unsafe-inline' 'unsafe-eval'"
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>'
COPYING = ("rewrite", "--to", "offline", "--url", "https://h.example/", "--copy-others", "-o")


def test_a_copy_counts_what_it_needs(run, tmp_path):
    script = 'fetch("/api.json"); "https://h.example/i.png"'
    page = '<p><img src=none.png><a href=/none></a><img src=i.png><script src="s.js?v=1"></script>'
    files = {"a.html": page, "b.php": page, "i.png": "", "s.js?v=1": script, "api.json": "{}"}
    source, out = write(tmp_path / "in", files), tmp_path / "out"
    expected = [
        "rehref: 2 references to the web stay; --no-network lets nothing be loaded from there",
        "rehref: 1 absolute URL in scripts, though saved, may lead to the web",
        f"rehref: 1 fetching script will not work from a disk: rehref serve {out}",
    ]
    assert run(*COPYING, out, source).stderr.splitlines()[-3:] == expected
    assert run(*COPYING, out, "--resume", "--jobs", "2", source).stderr.splitlines()[-3:] == expected
    assert run(*COPYING, tmp_path / "quiet", "-q", source).stderr == ""


def test_pages_of_a_copy_that_never_ask_the_web(run, tmp_path):
    page = '<link rel=preconnect href="https://a.example/"><img src=/none.png><img src=i.png>'
    page += "<script type=SpeculationRules></script>"
    files = {"a.html": page, "i.png": "", "s.svg": '<svg xmlns="http://www.w3.org/2000/svg"><image href="/n"/></svg>'}
    source = write(tmp_path / "in", files)
    done = run(*COPYING, tmp_path / "out", "--no-network", source)
    assert "1 reference to the web stays; nothing is loaded from there" in done.stderr
    written = read(tmp_path / "out")
    written["a.html"] = re.sub("(?s)<script>.*?</script>", "", written["a.html"])
    assert written == {
        "a.html": f"{META}<link rel=preconnect><img src=https://h.example/none.png><img src=i.png>"
        "<script type=data-speculationrules></script>",
        "i.png": "",
        "s.svg": '<svg xmlns="http://www.w3.org/2000/svg"><image href="data:,"/></svg>',
    }


SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


@pytest.mark.parametrize(
    ("name", "text", "may_ask"),
    [
        ("s.svg", SVG.format('<script>fetch("https://b.example/")</script>'), True),
        ("s.svg", SVG.format('<g onload = "f()"/>'), True),
        ("s.svg", SVG.format('<a href="javascript:f()"/>'), True),
        ("s.svg", '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script href="s.js"/></s:svg>', True),
        ("s.svg", SVG.format("<script>f()</script>").encode("utf-16"), True),
        ("s.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml"><script>f()</script></html>', True),
        ("s.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml"><head/><script>f()</script></html>', False),
        ("s.xml", '<feed><h:script xmlns:h="http://www.w3.org/1999/xhtml">f()</h:script></feed>', True),
        ("s.xml", "<rss><description><![CDATA[<script>f()</script>]]> script</description></rss>", False),
        ("s.svg", SVG.format("<!-- <script>f()</script> --><?x <script>?>"), False),
        ("s.html", "<script>f()</script>", False),
    ],
)
def test_scripts_that_no_policy_restricts_are_counted(run, tmp_path, name, text, may_ask):
    source = write(tmp_path / "in", {"a.html": "<img src=/none.png>"})
    (source / name).write_bytes(text.encode() if isinstance(text, str) else text)
    said = run(*COPYING, tmp_path / "out", "--no-network", source).stderr.splitlines()
    stays = "rehref: 1 reference to the web stays; "
    if may_ask:
        assert said[-2:] == [
            f"{stays}only scripts can load from there",
            "rehref: scripts in 1 XML document can ask the web: there is no place for a policy",
        ]
    else:
        assert said[-1] == f"{stays}nothing is loaded from there"


@pytest.mark.parametrize("option", ["--no-network", "--no-inline"])
@pytest.mark.parametrize("where", ["--in-place", "--diff"])
def test_what_only_copies_have_is_refused_elsewhere(run, tmp_path, option, where):
    source = write(tmp_path / "in", {"a.html": "<p>"})
    refused = run("rewrite", "--to", "offline", "--url", "https://h.example/", option, where, source)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert f"{option}: goes with --unpack, or with --to offline and -o, only" in refused.stderr


def test_nothing_outside_of_a_copy_is_put_into_it(run, tmp_path):
    (tmp_path / "secret.png").write_text("secret")
    page = '<p style="mask: url(m.png)"></p><p style="mask: url(n.png)">'
    source, out = write(tmp_path / "in", {"a.html": page, "m.png": "m", "n.png": "n"}), tmp_path / "out"
    out.mkdir()
    (out / "m.png").symlink_to(tmp_path / "secret.png")
    done = run(*COPYING, out, source)
    assert "m.png: leads out of the folder" in done.stderr
    assert "rehref: 1 SVG or track reference will not work" in done.stderr
    assert (out / "a.html").read_text() == page.replace("n.png", "data:image/png;base64,bg==")


def test_names_of_modules_may_contain_anything(run, tmp_path):
    files = {
        "a.html": "<script type=module src='x%22;alert(1);%22.js'></script>",
        'x";alert(1);".js': "import './y%27.js'",
        "y'.js": "",
    }
    assert run(*COPYING, tmp_path / "out", "-q", write(tmp_path / "in", files)).exit_code == 0
    page = read(tmp_path / "out")["a.html"]
    imports = json.loads(page.partition('"importmap">')[2].partition("</script>")[0])["imports"]
    assert sorted(imports) == ["x%22%3Balert%281%29%3B%22.js", "y%27.js"]
    assert b64decode(imports["x%22%3Balert%281%29%3B%22.js"].partition(",")[2]) == b"import 'y%27.js'"
    assert "alert(1)" not in page


def test_a_query_that_is_part_of_a_files_name_is_written_so(run, tmp_path):
    """As `wget -k -H` leaves links to another host without `-E`."""
    page = (
        '<link rel=stylesheet href="../127.0.0.1:8765/s.css?v=2">'
        '<a href="../127.0.0.1:8765/l?u=a%252Fb&amp;c=d%20e#f">l</a>'
        '<a href="../127.0.0.1:8765/none?v=3">n</a>'
    )
    files = {"localhost:8765/i.html": page, "127.0.0.1:8765/s.css?v=2": "a { }", "127.0.0.1:8765/l?u=a%2Fb&c=d e": ""}
    source, out = write(tmp_path / "in", files), tmp_path / "out"
    done = run("rewrite", "--to", "offline", str(source), "-o", str(out), "--copy-others")
    assert done.exit_code == 0, done.stderr
    assert read(out)["localhost:8765/i.html"] == (
        '<link rel=stylesheet href="../127.0.0.1:8765/s.css%3Fv=2">'
        '<a href="../127.0.0.1:8765/l%3Fu=a%252Fb&amp;c=d%20e#f">l</a>'
        '<a href="https://localhost:8765/127.0.0.1:8765/none?v=3">n</a>'
    )
    again = run("rewrite", "--to", "offline", "--in-place", str(out))
    assert again.exit_code == 0
    assert read(out)["localhost:8765/i.html"].count("s.css%3Fv=2") == 1


def test_a_sheet_has_the_encoding_of_the_page_that_refers_to_it(run, tmp_path):
    css = "p { background: url(ü.png) } a { background: url(gone-é.png) }"
    write(tmp_path / "in", {"h.example/i.html": "<meta charset=windows-1252><link rel=stylesheet href=s.css>"})
    (tmp_path / "in/h.example/s.css").write_bytes(css.encode("windows-1252"))
    (tmp_path / "in/h.example/ü.png").write_bytes(b"")
    done = run("rewrite", "--to", "offline", tmp_path / "in", "-o", tmp_path / "out", "--copy-others")
    assert done.exit_code == 0, done.stderr
    written = (tmp_path / "out/h.example/s.css").read_text("windows-1252")
    assert written == css.replace("gone-é", "https://h.example/gone-é")


@pytest.mark.parametrize("more", [[], ["--no-network"]])
def test_scripts_and_pages_keep_their_encoding(run, tmp_path, more):
    """A page that became UTF-8 would change what its scripts mean which declare nothing."""
    page = "<meta charset=windows-1251><title>ф</title><script src=s.js></script><script src=m.js type=module></script>"
    script, module = "document.title = 'ф'", "import './o.js'; document.body.append('ф')"
    write(tmp_path / "in", {"h.example/i.html": "", "h.example/m.js": module, "h.example/o.js": "'ф'"})
    (tmp_path / "in/h.example/i.html").write_bytes(page.encode("windows-1251"))
    (tmp_path / "in/h.example/s.js").write_bytes(script.encode("windows-1251"))
    done = run("rewrite", "--to", "offline", *more, tmp_path / "in", "-o", tmp_path / "out", "--copy-others")
    assert done.exit_code == 0, done.stderr
    written = (tmp_path / "out/h.example/i.html").read_bytes()
    assert encoding_of(written, "text/html").name == "windows-1251"
    assert "<title>ф</title><script src=s.js></script>".encode("windows-1251") in written
    assert (tmp_path / "out/h.example/s.js").read_bytes() == script.encode("windows-1251")


def test_of_two_pages_the_first_decides_on_a_sheet_and_that_is_reported(run, tmp_path):
    head = "<meta charset={}><link rel=stylesheet href=s.css>"
    pages = {f"h.example/{name}.html": head.format(name) for name in ("windows-1251", "windows-1252")}
    write(tmp_path / "in", pages)
    (tmp_path / "in/h.example/s.css").write_bytes("p { background: url(фон.png) }".encode("windows-1251"))
    done = run("rewrite", "--to", "offline", tmp_path / "in", "-o", tmp_path / "out")
    what = (
        "h.example/s.css is read as windows-1251, which the first page that refers to it has; others have windows-1252"
    )
    assert what in done.stderr
    assert "https://h.example/фон.png" in (tmp_path / "out/h.example/s.css").read_text("windows-1251")

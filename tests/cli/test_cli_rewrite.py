"""`rehref rewrite`: rules, and where results go."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from cli_runs import Run, RunProcess
from crawl import crawl, response

URL = "http://h/d/page.html"
PAGE = b'<a href="a.html">a</a>\r\n<a href="http://u:secret@h/b">\xff</a>\n<a href="#x">x'


def result_of(run: Run, *options: str, page: bytes = PAGE) -> bytes:
    result = run("rewrite", "--url", URL, *options, "-", input=page)
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


# --- rules


def test_the_result_goes_to_standard_output_byte_for_byte(run: Run) -> None:
    assert result_of(run) == PAGE.replace(b"a.html", b"http://h/d/a.html")


@pytest.mark.parametrize(
    "page", [b"", b"\0\xff\xfe", b"\xff\xfe<\0a\0", b"no markup\r\r\n", b"<p>" + bytes(range(256))]
)
def test_what_does_not_change_is_the_same_bytes(run: Run, page: bytes) -> None:
    assert result_of(run, page=page) == page


def test_relative(run: Run) -> None:
    assert result_of(run, "--to", "relative", page=b"<a href=http://h/x/y>") == b"<a href=../x/y>"


def test_what_browsers_read_otherwise_is_counted_at_the_end(run: Run) -> None:
    page = b"<base href=//o/><a href=\\a><a href=\\a><a href=x>"
    ends = "differently from the RFC (first in -:1; browser-differs in rehref links) stay, or are written as browsers "
    ends += "read them if the base changes; "
    for options in ((), ("--base-element", "drop"), ("--to", "relative")):
        result = run("rewrite", "--url", URL, *options, "-", input=page)
        assert result.exit_code == 0
        assert result.stderr.splitlines()[-1] == (
            f"rehref: 2 references that browsers read {ends}--profile whatwg reads all as browsers do"
        )
    assert "browsers" not in run("rewrite", "--url", URL, "--profile", "whatwg", "-", input=page).stderr
    assert run("rewrite", "--quiet", "--url", URL, "-", input=page).stderr == ""


def test_references_that_cannot_be_written_are_named(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyromark", reason="needs the package pyromark")
    page = tmp_path / "a.md"
    page.write_text("<http://h/b>\n" * 4 + "[c](http://h/c)\n")
    options = ("rewrite", "--to", "relative", "--url", "http://h/a.md", page)
    first = ", ".join(f"{page}:{line}:2" for line in (1, 2, 3))
    said = "in that place the new reference would be read differently"
    assert run(*options).stderr.splitlines()[:2] == [
        f"rehref: {first}: 4 references stay, the first ones here: {said}",
        "rehref: 1 of 5 references changed in 1 of 1 document",
    ]
    page.write_text("<http://h/b>\n")
    assert f"rehref: {page}:1:2: 1 reference stays: {said}\n" in run(*options).stderr


def test_the_first_such_places_are_named(run: Run, tmp_path: Path) -> None:
    """In a file, a folder, an archive."""

    def said(*arguments: str) -> str:
        line = run("rewrite", *arguments).stderr.splitlines()[-1]
        return line.partition("RFC (")[2].partition("; browser-differs")[0]

    (tmp_path / "site").mkdir()
    page = "<a href=x>\n<a href=\\a><a href=\\b>\n<a href=http:g>\n<a href=http:h>"
    (tmp_path / "site/a.html").write_text(page)
    (tmp_path / "site/b.html").write_text("<a href=\\a>")
    assert said("--url", URL, "site/a.html") == "first in site/a.html:2, site/a.html:3"
    assert said("--url", URL, "--parser", "html5lib", "site/b.html") == "in site/b.html"
    assert said("--url", URL, "site", "-o", "out") == "first in site/a.html:2, site/a.html:3, site/b.html:1"
    (tmp_path / "a.warc.gz").write_bytes(crawl([response("http://h/1", "<p>"), response("http://h/2", page)]))
    assert said("a.warc.gz", "-o", "b.warc.gz") == "first in a.warc.gz http://h/2:2, a.warc.gz http://h/2:3"
    assert "browsers" not in run("rewrite", "--quiet", "a.warc.gz", "-o", "c.warc.gz").stderr


def test_a_template(run: Run) -> None:
    template = ("--to", "https://r.example/{timestamp}/{uri}", "--set", "timestamp=2024")
    assert result_of(run, *template, page=b"<a href=x>") == b"<a href=https://r.example/2024/http://h/d/x>"


@pytest.mark.parametrize(
    ("policy", "written"),
    [
        ("absolute", b'<base href="http://h/" target=t><a href="http://h/x">'),
        ("keep", b'<base href="../" target=t><a href="http://h/x">'),
        ("empty", b'<base href="" target=t><a href="http://h/x">'),
        ("drop", b'<base target=t><a href="http://h/x">'),
    ],
)
def test_what_becomes_of_the_base_element(run: Run, policy: str, written: bytes) -> None:
    page = b'<base href="../" target=t><a href="x">'
    assert result_of(run, "--base-element", policy, page=page) == written


def test_same_document_references_on_request(run: Run) -> None:
    assert b'"#x"' in result_of(run)
    assert b'"http://h/d/page.html#x"' in result_of(run, "--same-document")


@pytest.mark.parametrize(
    "text",
    [
        '{"http://h/d/a.html": "/new", "http://u:secret@h/*": "https://h2/*"}',
        "\n \t" + '{"http://h/d/a.html": "/new", "http://u:secret@h/*": "https://h2/*"}',
        "\ufeff" + '{"http://h/d/a.html": "/new", "http://u:secret@h/*": "https://h2/*"}',
        "target,replacement\r\nhttp://h/d/a.html,/new\r\n\r\nhttp://u:secret@h/*,https://h2/*\r\n",
        'http://h/d/a.html,"/new"\nhttp://u:secret@h/*,https://h2/*',
    ],
    ids=["json", "white space first", "byte order mark", "csv", "csv without header"],
)
def test_a_map(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "map"
    file.write_text(text, encoding="utf-8", newline="")
    written = result_of(run, "--map", str(file))
    assert written == PAGE.replace(b"a.html", b"/new").replace(b"http://u:secret@h/b", b"https://h2/b")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            "http://h/*,/1*\nhttp://h/*,/2*\n",
            "line 2: 'http://h/*' has another replacement in line 1; the first counts",
        ),
        (
            "http://h/*,/1*\nHTTP://H:80/*,/2*\nhttp://h/*,/1*",
            "line 2: 'HTTP://H:80/*' has another replacement in line 1, as 'http://h/*'; the first counts",
        ),
        ("http://h/x,/1x\nhttp://h/x,/2\n", "line 2: 'http://h/x' has another replacement in line 1; the first counts"),
        (
            "HTTP://H/x,/1x\nhttp://h:80/x,/2x\n",
            "line 2: 'http://h:80/x' has another replacement in line 1, as 'HTTP://H/x'; "
            "each counts where it is written so, and the first elsewhere",
        ),
        (
            '{"http://h/x": "/1x", "http://h/x": "/2x"}',
            "entry 2: 'http://h/x' has another replacement in entry 1; the first counts",
        ),
        ("http://h/x,/1x\nHTTP://h/x,/1x\nhttp://h/x,/1x\nhttp://h/x#y,/2\nhttp://h/x*,/3\n", None),
    ],
)
def test_a_map_that_contradicts_itself(run: Run, tmp_path: Path, table: str, said: str | None) -> None:
    (tmp_path / "map").write_text(table, encoding="ascii")
    arguments = ("--map", "map", "--url", "http://h/", "-")
    result = run("rewrite", *arguments, input=b"<a href=x>")
    assert (result.exit_code, result.stdout) == (0, "<a href=/1x>")
    lines = [line for line in result.stderr.splitlines() if "another" in line]
    assert lines == ([] if said is None else [f"rehref: map: {said}"])
    assert run("rewrite", "-q", *arguments, input=b"<a href=x>").stderr == ""


# --- where results go


def test_into_a_file(run: Run, site: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.html"
    out.parent.mkdir()
    result = run("rewrite", "--url", "http://h/", site / "index.html", "-o", out)
    assert result.stdout == ""
    assert result.stderr == "rehref: 1 of 2 references changed in 1 of 1 document\n"
    assert out.read_bytes() == b'<a href="http://h/deep/page.html">page</a>\n<a href="#top">top</a>\n'


def test_into_a_folder_under_its_own_name(run: Run, site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("rewrite", "--url", URL, site / "index.html", "-o", f"{out}/").exit_code == 0
    assert run("rewrite", "--url", URL, site / "deep" / "page.html", "-o", out).exit_code == 0
    assert {file.name for file in out.iterdir()} == {"index.html", "page.html"}


def test_standard_input_into_a_file(run: Run, tmp_path: Path) -> None:
    assert run("rewrite", "--url", URL, "-", "-o", "out.html", input=b"<a href=x>").exit_code == 0
    assert (tmp_path / "out.html").read_bytes() == b"<a href=http://h/d/x>"


def test_a_hyphen_is_standard_output(run: Run) -> None:
    assert result_of(run, "-o", "-") == result_of(run)


def test_a_folder_is_mirrored(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "index.html").chmod(0o640)
    result = run("rewrite", "--url", "http://h/", site, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stderr == "rehref: 3 of 4 references changed in 2 of 3 documents; 1 file is not a document\n"
    files = {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*") if file.is_file()}
    assert files == {"index.html", "deep/page.html", "deep/plain.HTM"}
    assert (tmp_path / "out/deep/plain.HTM").read_bytes() == (site / "deep/plain.HTM").read_bytes()
    assert (tmp_path / "out/deep/page.html").read_bytes() == (
        b'<base href="http://h/">\n<a href="http://h/index.html">home</a>\n'
    )
    assert stat.S_IMODE((tmp_path / "out/index.html").stat().st_mode) == 0o640


def test_what_is_no_document_is_copied_on_request(run: Run, site: Path, tmp_path: Path) -> None:
    (site / ".htaccess").write_bytes(b"Options -Indexes\n")
    (site / "latest").symlink_to("deep")
    assert run("rewrite", "--file-urls", site, "-o", tmp_path / "out", "--copy-others").exit_code == 0
    assert (tmp_path / "out/data.bin").read_bytes() == (site / "data.bin").read_bytes()
    assert (tmp_path / "out/.htaccess").exists()
    assert (tmp_path / "out/latest").readlink() == Path("deep")
    assert b"file://" in (tmp_path / "out/index.html").read_bytes()


def test_several_folders_are_mirrored_under_their_names(run: Run, site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "other")
    sources = (site, tmp_path / "other", site / "index.html")
    assert run("rewrite", "--file-urls", *sources, "-o", tmp_path / "out").exit_code == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"site", "other", "index.html"}


def test_in_place_touches_only_what_changes(run: Run, site: Path) -> None:
    for file in site.rglob("*"):
        os.utime(file, (1_000_000_000, 1_000_000_000))
    (site / "index.html").chmod(0o604)
    result = run("rewrite", "--url", "http://h/", "--in-place", site)
    assert result.exit_code == 0
    assert result.stdout == ""
    touched = {file.name for file in site.rglob("*") if file.is_file() and file.stat().st_mtime != 1_000_000_000}
    assert touched == {"index.html", "page.html"}
    assert stat.S_IMODE((site / "index.html").stat().st_mode) == 0o604
    assert sorted(file.name for file in site.iterdir()) == ["data.bin", "deep", "index.html"]
    again = run("rewrite", "--url", "http://h/", "--in-place", site)
    assert again.stderr == "rehref: 0 of 4 references changed in 0 of 3 documents; 1 file is not a document\n"


def test_a_backup_on_request(run: Run, site: Path) -> None:
    before = (site / "index.html").read_bytes()
    assert run("rewrite", "--url", URL, "--in-place", "--backup", site).exit_code == 0
    assert (site / "index.html.bak").read_bytes() == before
    assert (site / "index.html").read_bytes() != before
    assert not (site / "deep/plain.HTM.bak").exists()


def test_in_place_a_link_is_written_through_and_nothing_twice(run: Run, site: Path) -> None:
    (site / "alias.html").symlink_to("index.html")
    result = run("rewrite", "--url", "http://h/", "--in-place", site, "--backup")
    assert result.stderr == "rehref: 3 of 4 references changed in 2 of 3 documents; 1 file is not a document\n"
    assert (site / "alias.html").is_symlink()
    assert b"http://h/deep/page.html" in (site / "index.html").read_bytes()


def test_a_diff_can_be_applied(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "index.html").write_bytes("<a href='é.html'>é\r\nend".encode("latin-1"))
    expected = tmp_path / "expected"
    assert run("rewrite", "--url", URL, "site", "-o", expected).exit_code == 0
    result = run("rewrite", "--url", URL, "site", "--diff")
    assert result.exit_code == 0
    assert b"\n-<a href='\xe9.html'>\xe9\r\n" in result.stdout_bytes
    (tmp_path / "patch").write_bytes(result.stdout_bytes)
    patch = shutil.which("patch")
    if patch is None:
        pytest.skip("there is no patch program")
    subprocess.run([patch, "-p1", "--binary", "-i", "patch"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    for file in expected.rglob("*.html"):
        assert (site / file.relative_to(expected)).read_bytes() == file.read_bytes()


def test_a_diff_of_nothing_is_empty(run: Run, site: Path) -> None:
    result = run("rewrite", "--diff", site / "deep/plain.HTM")
    assert (result.stdout, result.exit_code) == ("", 0)


def test_quiet_says_nothing(run: Run, site: Path) -> None:
    assert run("rewrite", "--quiet", "--url", URL, "--in-place", site).stderr == ""


def test_one_is_reported_when_there_is_no_base(run: Run) -> None:
    result = run("rewrite", "-", input=b"<a href=x>")
    assert result.stdout == "<a href=x>"
    assert "there is no base" in result.stderr


def test_jobs_change_nothing(run_process: RunProcess, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / "many" / f"{number:02}").mkdir(parents=True)
        (tmp_path / "many" / f"{number:02}" / "p.html").write_text("<a href=x>" * number, encoding="ascii")
    (tmp_path / "map.json").write_text('{"http://h/*": "https://h/"}', encoding="ascii")
    alone, together = (
        run_process("rewrite", "--url", "http://h/", "--map", "map.json", "--jobs", jobs, "many", "--diff")
        for jobs in (1, 3)
    )
    assert alone.returncode == 0
    assert alone.stdout.count(b"+++ ") == 39
    assert together == together
    assert (together.stdout, together.stderr) == (alone.stdout, alone.stderr)
    mirrored = run_process("rewrite", "--url", "http://h/", "--jobs", 3, "many", "-o", "out")
    assert mirrored.stderr == b"rehref: 780 of 780 references changed in 39 of 40 documents\n"
    assert (tmp_path / "out/02/p.html").read_bytes() == b"<a href=http://h/02/x>" * 2


TEMPLATE = "https://r.example/{timestamp}{modifier}/{uri}"


def test_a_template_takes_the_timestamp_of_the_record_or_a_value(run, tmp_path):
    page = response("https://h/a/", "<img src=x><a href=whatsapp://y>", date="2024-01-02T03:04:05Z")
    (tmp_path / "a.warc").write_bytes(gzip.decompress(page))
    (tmp_path / "b.html").write_bytes(b"<img src=x>")
    done = run("rewrite", "--to", TEMPLATE, str(tmp_path / "a.warc"))
    assert b"<img src=https://r.example/20240102030405im_/https://h/a/x><a href=whatsapp://y>" in done.stdout_bytes
    refused = run("rewrite", "--to", TEMPLATE, "--url", "https://h/", str(tmp_path / "b.html"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.splitlines()[0].endswith("give one with --set timestamp=20240102030405")
    given = run("rewrite", "--to", TEMPLATE, "--set", "timestamp=2020", "--url", "https://h/", str(tmp_path / "b.html"))
    assert given.stdout == "<img src=https://r.example/2020im_/https://h/x>"


def test_the_schemes_that_are_put_into_a_template(run, tmp_path):
    (tmp_path / "a.html").write_text("<a href='ftp://h/x'><a href='y'>")
    options = ("--to", "https://r.example/?u={uri:encoded}", "--url", "https://h/", str(tmp_path / "a.html"))
    web = run("rewrite", *options)
    assert web.stdout == "<a href='ftp://h/x'><a href='https://r.example/?u=https%3A%2F%2Fh%2Fy'>"
    both = run("rewrite", *options, "--schemes", "ftp, https")
    assert both.stdout == web.stdout.replace("ftp://h/x", "https://r.example/?u=ftp%3A%2F%2Fh%2Fx")


@pytest.mark.parametrize(
    "options",
    [
        ("--to", "https://r/{uri:hex}"),
        ("--to", "https://r/{uri}/{nobody}"),
        ("--to", "https://r/{uri}", "--set", "kind=x"),
        ("--to", "https://r/{uri}", "--schemes", "a b"),
        ("--to", "absolute", "--schemes", "http"),
    ],
)
def test_fields_that_are_not_known_are_an_error_in_one_line(run, tmp_path, options):
    (tmp_path / "a.html").write_text("<a href=x>")
    done = run("rewrite", *options, str(tmp_path / "a.html"))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)

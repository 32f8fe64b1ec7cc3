"""Containers on the command line: recognized by content, read and rewritten document by document."""

from __future__ import annotations

import gzip
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli_runs import Run, shell
from crawl import record
from rehref.cli import output

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MHT = FIXTURES / "mime" / "internet-explorer.mht"
MAIL = FIXTURES / "mime" / "newsletter.eml"
RESPONSE = FIXTURES / "containers" / "response.http"
WARC = FIXTURES / "containers" / "pages.warc.gz"
WACZ = FIXTURES / "containers" / "pages.wacz"
BOOK = FIXTURES / "containers" / "book.epub"
URL = "https://harbour.example/start"


def links(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def references(result: Result) -> list[str]:
    return [link["reference"] for link in links(result)]


# --- what is recognized, and how it is reported


@pytest.mark.parametrize(
    ("source", "key", "name", "base"),
    [
        (MHT, "part", "1", "http://garden.example/beds/index.html?month=5"),
        (WARC, "record", "urn:uuid:00000000-0000-0000-0000-000000000002", "https://harbour.example/tides/"),
        (WACZ, "record", "urn:uuid:00000000-0000-0000-0000-000000000002", "https://harbour.example/tides/"),
        (RESPONSE, "part", "headers 1", URL),
    ],
)
def test_a_container_is_known_by_its_content(
    run: Run, tmp_path: Path, source: Path, key: str, name: str, base: str
) -> None:
    file = tmp_path / "something.html"  # whatever the name says
    file.write_bytes(source.read_bytes())
    found = links(run("links", "--url", URL, "--format", "jsonl", file))
    assert found[0][key] == name
    assert found[0]["base"]["uri"] == base
    assert list(found[0])[:3] == ["document", key, "reference"]


@pytest.mark.parametrize("source", [MHT, WARC, RESPONSE, WACZ, BOOK])
def test_standard_input(run: Run, source: Path) -> None:
    url = ("--url", "https://e.example/x")
    named = links(run("links", *url, "--format", "jsonl", source))
    piped = links(run("links", *url, "--format", "jsonl", "-", input=source.read_bytes()))
    assert [link | {"document": "-"} for link in named] == piped
    assert piped


def test_in_a_folder_containers_are_documents_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/a.html").write_bytes(b"<a href=x>")
    (tmp_path / "site/b.mht").write_bytes(MHT.read_bytes())
    (tmp_path / "site/c.html").write_bytes(b"<a href=y>")
    found = links(run("links", "--format", "jsonl", "--url", "http://h/", tmp_path / "site"))
    documents = [Path(link["document"]).name for link in found]
    assert documents[0] == "a.html"
    assert set(documents[1:-1]) == {"b.mht"}
    assert documents[-1] == "c.html"


def test_json_is_one_array(run: Run) -> None:
    found = json.loads(run("links", "--format", "json", MHT).stdout)
    assert {link["part"] for link in found} == {"1", "3"}


def test_csv_tells_the_part(run: Run) -> None:
    lines = run("links", "--format", "csv", MHT).stdout.splitlines()
    assert lines[0].endswith(",part,inside,page,date,rel,text")
    assert ",1,part 3," in lines[1]


def test_what_leads_to_another_part_says_so(run: Run) -> None:
    (image,) = [link for link in links(run("links", "--format", "jsonl", MAIL)) if link["element"] == "img"]
    assert (image["kind"], image["inside"]) == ("part", "part 1.2.1")
    table = run("links", MAIL).stdout
    assert "= part 1.2.1 of this container" in table


def test_a_media_type_decides(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"From: a\r\nDate: b\r\n\r\n<a href=x>")
    assert links(run("links", "--format", "jsonl", "--media-type", "text/html", file))[0].get("part") is None
    found = run("links", "--format", "jsonl", "--media-type", "message/rfc822", file)
    assert found.exit_code == 0


def test_what_only_begins_like_a_zip_is_named_a_damaged_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and \0 so on")
    result = run("links", tmp_path / "a.zip")
    assert result.exit_code == 2
    assert "a.zip: a damaged zip file: the zip file's directory is missing" in result.stderr


def targets(command: str) -> list[str]:
    """What the links lead to that a process reads; `command` has `{}` for the program."""
    done = shell(command.format("$REHREF links --url http://h/a/ --format jsonl"))
    assert done.returncode == 0
    return [json.loads(line)["target"] for line in done.stdout.splitlines()]


@cache
def targets_of(source: Path) -> list[str]:
    return targets(f"{{}} {source}")


@pytest.mark.parametrize("source", [WARC, BOOK, MAIL])
def test_a_pipe_that_has_a_name_is_no_other_source(source: Path) -> None:
    assert targets(f"{{}} <(cat {source})") == targets_of(source) != []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("source", [WARC, BOOK, MAIL])
@pytest.mark.parametrize("first", [1, 4, 20, 100])
def test_a_slow_pipe_is_no_other_source(source: Path, first: int) -> None:
    slow = f"(head -c {first} {source}; sleep 0.2; tail -c +{first + 1} {source})"
    assert targets(f"{slow} | {{}} -") == targets_of(source)


def test_a_reader_that_goes_away_is_no_error_of_the_source(tmp_path: Path) -> None:
    with (tmp_path / "many.warc.gz").open("wb") as file:
        for _ in range(3000):
            file.write(WARC.read_bytes())
    done = shell(f"$REHREF rewrite -q {tmp_path}/many.warc.gz | head -c 10; exit ${{PIPESTATUS[0]}}")
    assert done.returncode == 141
    assert done.stderr == b""


def test_a_full_disk_is_no_error_of_the_source() -> None:
    done = shell(f"$REHREF rewrite -q {WARC} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == b"rehref: standard output: no space left on device\n"


def test_a_part_that_cannot_be_read_does_not_end_the_rest(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("no luck")

    monkeypatch.setattr("rehref.documents._formats.plain_text.PlainParsed", broken)
    result = run("links", "--format", "json", MHT)
    assert result.exit_code == 2
    assert f"part 3: it could not be read (RuntimeError: no luck); this is a fault of {__name__}" in result.stderr
    assert {link["part"] for link in json.loads(result.stdout)} == {"1"}
    rewritten = run("rewrite", MHT)
    assert rewritten.exit_code == 2
    assert b"http://garden.example/beds/roses.html" in rewritten.stdout_bytes.replace(b"=\r\n", b"")


def test_a_backup_is_made_only_of_what_changes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.mht"
    file.write_bytes(run("rewrite", "-q", MHT).stdout_bytes)
    assert run("rewrite", "--in-place", "--backup", file).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.mht"]


# --- rewriting


@pytest.mark.parametrize("source", [MHT, MAIL, WARC, WACZ, BOOK])
def test_a_rule_that_changes_nothing_gives_it_back(run: Run, tmp_path: Path, source: Path) -> None:
    (tmp_path / "map.json").write_text("{}")
    result = run("rewrite", "--map", tmp_path / "map.json", source, "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert (tmp_path / "out").read_bytes() == source.read_bytes()


def test_rewriting_to_a_file_and_to_standard_output(run: Run, tmp_path: Path) -> None:
    result = run("rewrite", MHT, "-o", tmp_path / "out.mht")
    assert result.exit_code == 0
    assert result.stderr == "rehref: 5 of 7 references changed in 2 of 2 documents\n"
    written = (tmp_path / "out.mht").read_bytes()
    assert b'href=3D"http://garden.example/beds/roses.html"' in written.replace(b"=\r\n", b"")
    assert run("rewrite", "-q", MHT).stdout_bytes == written


def test_in_place_what_does_not_change_is_not_touched(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.mht"
    file.write_bytes(MHT.read_bytes())
    assert run("rewrite", "--in-place", "--backup", file).exit_code == 0
    assert file.read_bytes() != MHT.read_bytes()
    assert (tmp_path / "a.mht.bak").read_bytes() == MHT.read_bytes()
    before = file.stat()
    again = run("rewrite", "--in-place", file)
    assert again.stderr == "rehref: 0 of 7 references changed in 0 of 2 documents\n"
    after = file.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mht", "a.mht.bak"]


def test_pages_of_an_archive_by_default_and_all_types_on_request(run: Run, tmp_path: Path) -> None:
    assert run("rewrite", WARC, "-o", tmp_path / "pages").stderr == (
        "rehref: 5 of 5 references changed in 1 of 1 document\n"
    )
    assert b"url(../img/paper.png)" in gzip.decompress((tmp_path / "pages").read_bytes())
    assert run("rewrite", "--all-types", WARC, "-o", tmp_path / "all").stderr == (
        "rehref: 8 of 8 references changed in 4 of 4 documents\n"
    )
    data = gzip.decompress((tmp_path / "all").read_bytes())
    assert b"url(https://harbour.example/img/paper.png)" in data
    assert b"Location: https://harbour.example/tides/\r\n" in data


def test_as_conversion_keeps_every_record(run: Run, tmp_path: Path) -> None:
    assert run("rewrite", "--as-conversion", WARC, "-o", tmp_path / "out").exit_code == 0
    written = (tmp_path / "out").read_bytes()
    members = [b"\x1f\x8b\x08" + member for member in WARC.read_bytes().split(b"\x1f\x8b\x08")[1:]]
    assert len(members) == 4
    assert all(member in written for member in members)
    after = gzip.decompress(written)
    assert after.count(b"WARC-Type: conversion\r\n") == 1
    assert b"WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000002>\r\n" in after


def test_a_book_still_opens(run: Run, tmp_path: Path) -> None:
    result = run("rewrite", "--to", "https://replay.example/{uri}", BOOK, "-o", tmp_path / "out.epub")
    assert result.exit_code == 0, result.stderr
    with zipfile.ZipFile(tmp_path / "out.epub") as book:
        assert book.namelist()[0] == "mimetype"
        assert book.testzip() is None
        page = book.read("OEBPS/text/one.page").decode()
    assert 'href="chapter%20two.xhtml"' in page
    assert 'href="gone.xhtml"' in page
    assert 'href="https://replay.example/https://books.example/two/"' in page


def test_a_message_without_any_base_keeps_what_is_relative(run: Run) -> None:
    out = run("rewrite", "-q", MAIL).stdout_bytes
    assert b"thismessage" not in out
    assert b"terms.html" in out


def test_a_difference_cannot_be_shown(run: Run) -> None:
    result = run("rewrite", "--diff", MHT)
    assert result.exit_code == 2
    assert "is a container, so differences cannot be shown; say -o OUT" in result.stderr


@pytest.mark.parametrize("size", [3, 12, 40, 200])
def test_an_archive_that_is_cut_off_in_its_first_record_fails(run: Run, tmp_path: Path, size: int) -> None:
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(WARC.read_bytes()[:size])
    result = run("links", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"rehref: {file}, byte 0: the file ends within a gzip member\n"
    result = run("rewrite", file, "-o", tmp_path / "out.warc.gz")
    assert result.exit_code == 2
    assert (tmp_path / "out.warc.gz").read_bytes() == file.read_bytes()


def test_a_broken_record_is_reported_and_copied(run: Run, tmp_path: Path) -> None:
    data = gzip.decompress(WARC.read_bytes()).replace(b"Content-Length: 0\r\n\r\n", b"Content-Length: 0\r\n", 1)
    broken = data.replace(
        b"WARC-Target-URI: https://harbour.example/old", b"WARC-Target-URI: https://harbour.example/o", 1
    )
    file = tmp_path / "x.warc"
    file.write_bytes(broken[: len(broken) // 2])
    result = run("rewrite", file, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "at byte " in result.stderr
    assert "Traceback" not in result.stderr
    assert (tmp_path / "out").stat().st_size > 0


# --- limits


def test_what_is_larger_than_allowed_is_reported_and_stays(run: Run, tmp_path: Path) -> None:
    result = run("rewrite", "--max-size", "100", WARC, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "100 bytes" in result.stderr
    assert (tmp_path / "out").read_bytes() == WARC.read_bytes()


@pytest.mark.parametrize("size", ["0", "-1", "x", "1T", ""])
def test_a_size_that_is_none(run: Run, size: str) -> None:
    result = run("links", "--max-size", size, MHT)
    assert result.exit_code == 2
    assert "not a size" in result.stderr


def test_a_bomb_is_reported(run: Run, tmp_path: Path) -> None:
    page = b"<a href=x>" + b" " * 30_000_000
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
    block = head + gzip.compress(page)
    file = tmp_path / "bomb.warc.gz"
    file.write_bytes(record("response", "http://h/", block, Content_Type="application/http; msgtype=response"))
    result = run("links", file)
    assert result.exit_code == 2
    assert "200 times its size" in result.stderr
    assert run("rewrite", file, "-o", tmp_path / "out").exit_code == 2
    assert (tmp_path / "out").read_bytes() == file.read_bytes()


# --- headers


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "h.txt").write_bytes(
        b"HTTP/1.1 302 Found\r\nLocation: /b/c/\r\n\r\n"
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Location: /other/\r\n"
        b"Link: <s.css>; rel=stylesheet\r\n\r\n"
    )
    file = tmp_path / "page.html"
    file.write_bytes("<a href='\xe9'>".encode("latin-1"))
    return file


def test_headers_tell_charset_type_and_redirects(run: Run, page: Path) -> None:
    arguments = ("--headers", page.with_name("h.txt"), "--url", "http://h/a", page)
    found = links(run("links", "--format", "jsonl", *arguments))
    assert [(link["part"], link["kind"], link["target"]) for link in found] == [
        ("headers 1", "header", "http://h/b/c/"),
        ("headers", "metadata", "http://h/other/"),
        ("headers", "header", "http://h/b/c/s.css"),
        ("body", "hyperlink", "http://h/b/c/é"),
    ]
    assert run("rewrite", "-q", *arguments).stdout_bytes == "<a href='http://h/b/c/\xe9'>".encode("latin-1")


def test_content_location_sets_the_base_only_if_asked_for(run: Run, page: Path) -> None:
    arguments = ("--format", "jsonl", "--headers", page.with_name("h.txt"), "--url", "http://h/a", page)
    assert links(run("links", *arguments))[-1]["base"]["uri"] == "http://h/b/c/"
    base = links(run("links", "--content-location-base", *arguments))[-1]["base"]
    assert (base["uri"], base["origin"]) == ("http://h/other/", "entity")
    assert base["where"].startswith("Content-Location")


def test_of_several_urls_the_last_counts(run: Run, page: Path) -> None:
    found = links(run("links", "--format", "jsonl", "--url", "http://h/1", "--url", "http://g/2/", page))
    assert found[0]["base"]["uri"] == "http://g/2/"


def test_headers_belong_to_one_document(run: Run, page: Path) -> None:
    result = run("links", "--headers", page.with_name("h.txt"), page, page)
    assert result.exit_code == 2
    assert "cannot be the headers of 2 documents" in result.stderr
    missing = run("links", "--headers", "none.txt", page)
    assert missing.exit_code == 2
    assert "none.txt: cannot be read" in missing.stderr


@pytest.mark.parametrize("command", ["links", "rewrite"])
@pytest.mark.parametrize("held", [b"<a href=x>x</a>", b"", b"\n\n", b"<p>\n\nContent-Type: text/html\n"])
def test_a_file_without_header_fields_is_refused(run: Run, page: Path, command: str, held: bytes) -> None:
    page.with_name("p.html").write_bytes(held)
    result = run(command, "--headers", "p.html", page)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("rehref: p.html: has no HTTP header fields; name the file that curl -D saved")


@pytest.mark.parametrize("held", [b"HTTP/1.1 200 OK", b"\r\nContent-Type: text/html\n", b"Link: <s.css>"])
def test_a_status_line_or_one_field_is_enough(run: Run, page: Path, held: bytes) -> None:
    page.with_name("h").write_bytes(held)
    assert run("links", "--headers", "h", "--url", "http://h/", page).exit_code == 0


# --- what names records


def test_links_head_each_record_with_its_uri_and_date(run: Run) -> None:
    found = run("links", WARC).stdout.splitlines()
    headings = [line for line in found if line.startswith(str(WARC))]
    assert len(headings) == 4
    assert ", https://harbour.example/tides/, 2024-01-01T00:00:00Z (headers of record <urn:uuid:" in headings[0]
    assert ", https://harbour.example/tides/tides.css, 2024-01-01T00:00:00Z (record <urn:uuid:" in headings[3]


def test_links_write_the_dates_of_arc_records_as_those_of_warc(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.arc").write_bytes(
        b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 1 0\nx\n"
        b"http://h/a b 1.2.3.4 20140216050222 text/html 32\nHTTP/1.0 200 OK\r\n\r\n<p><a href=c>\n\n"
    )
    assert "http://h/a b, 2014-02-16T05:02:22Z (record at byte " in run("links", tmp_path / "a.arc").stdout


# --- unpacking


def test_unpacking(run: Run, tmp_path: Path) -> None:
    result = run("rewrite", "--unpack", tmp_path / "page", MHT)
    assert result.exit_code == 0
    assert result.stderr == f"rehref: 3 files in {tmp_path}/page; open {tmp_path}/page/index.html\n"
    assert sorted(path.name for path in (tmp_path / "page").iterdir()) == ["gate.png", "index.html", "main.css"]
    text = (tmp_path / "page/index.html").read_text(encoding="utf-8-sig")
    assert 'src="gate.png"' in text
    assert 'href="main.css"' in text
    assert 'href="http://garden.example/beds/roses.html"' in text
    assert (tmp_path / "page/gate.png").read_bytes().startswith(b"\x89PNG")


def test_rewriting_a_book_says_why_its_url_does_not_matter(run: Run, tmp_path: Path) -> None:
    told = run("rewrite", "--url", "http://h/", BOOK, "-o", tmp_path / "out.epub").stderr
    assert "book.epub: the files of a book refer to each other inside it, so --url changes nothing" in told
    assert "so --url" not in run("rewrite", BOOK, "-o", tmp_path / "out2.epub").stderr


def test_names_that_leave_the_folder_are_left_out_of_a_book(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.epub", "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        for name in ("../up", "/root", "a//b", "c:d", "con.txt", "a/./b", "A.html", "a.html", "é/ü.html"):
            book.writestr(name, "x")
    told = run("rewrite", "--unpack", tmp_path / "new", tmp_path / "bad.epub")
    files = sorted(str(each.relative_to(tmp_path / "new")) for each in (tmp_path / "new").rglob("*") if each.is_file())
    assert files == ["A.html", "mimetype", "é/ü.html"]
    assert "its name is not one that a file can have on every system; it is left out" in told.stderr
    assert not (tmp_path / "up").exists()


def test_unpacking_needs_a_new_folder_and_a_container(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_bytes(b"text")
    assert "exists and is not empty" in run("rewrite", "--unpack", tmp_path / "full", MHT).stderr
    (tmp_path / "response").write_bytes(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
    for source in (tmp_path / "response", tmp_path / "full/x"):
        other = run("rewrite", "--unpack", tmp_path / "new", source)
        assert other.exit_code == 2
        assert "--unpack takes one of these: an EPUB, a WACZ, a WARC, an ARC, a MIME message" in other.stderr
    message = run("rewrite", "--unpack", tmp_path / "new", "--all-captures", MHT)
    assert message.exit_code == 2
    assert "is not a web archive; leave out --all-captures" in message.stderr
    assert not (tmp_path / "new").exists()
    several = run("rewrite", "--unpack", tmp_path / "new", MHT, MAIL)
    assert several.exit_code == 2
    assert "does not go with" in run("rewrite", "--unpack", tmp_path / "new", "-o", tmp_path / "o", MHT).stderr
    assert "goes with --unpack only" in run("rewrite", "--all-captures", "-o", tmp_path / "o", WARC).stderr


def test_names_that_lead_out_stay_inside(run: Run, tmp_path: Path) -> None:
    message = (
        b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/html\r\nContent-Location: http://h/../../../etc/passwd\r\n\r\n<a href=x>\r\n"
        b"--b\r\nContent-Type: text/css\r\nContent-Location: http://h/..%2f..%2fx.css\r\n\r\n/**/\r\n--b--\r\n"
    )
    (tmp_path / "m.mht").write_bytes(message)
    (tmp_path / "out").mkdir()
    assert run("rewrite", "-q", "--unpack", tmp_path / "out" / "deep", tmp_path / "m.mht").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.mht", "out"]
    assert all(path.parent == tmp_path / "out/deep" for path in (tmp_path / "out").rglob("*.*"))


# --- on a terminal


@pytest.mark.parametrize("archive", [WARC, WACZ, BOOK])
def test_no_archive_is_written_to_a_terminal(run: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    result = run("rewrite", archive)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is an archive, which a terminal cannot show; say -o OUT" in result.stderr
    assert run("rewrite", "-q", archive, "-o", "out").exit_code == 0


@pytest.mark.parametrize("text", [MHT, MAIL, RESPONSE])
def test_what_is_text_is(run: Run, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    result = run("rewrite", "--url", URL, text)
    assert result.exit_code == 0
    assert len(result.stdout_bytes) > 500

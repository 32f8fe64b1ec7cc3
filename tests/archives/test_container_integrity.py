"""`rehref rewrite` keeps the hashes right that documents in an archive, a message or a book have of each other."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import crawl
import rehref
from hashed_site import hashed
from rehref.archives import _container_integrity as container_integrity
from rehref.archives import many_files as rewriting_many
from rehref.cli.program import program
from rehref.containers.kinds import Container, recognize
from rehref.containers.parts import Part

HOST = "https://e.example/"
SHEET = "p { background: url(a.svg) }"
_LINK = re.compile("href=([^ ]+) integrity='([^']*)'").findall


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(program, list(map(str, arguments)), input=stdin, catch_exceptions=False)


def linked(sheet: str = SHEET, href: str = "css/a.css") -> str:
    hashes = " ".join(hashed(sheet, algorithm) for algorithm in ("sha256", "sha384", "sha512"))
    return f"<!DOCTYPE html><link rel=stylesheet href={href} integrity='{hashes}'><p>a"


def page(text: str | None = None, uri: str = HOST, number: int = 1, date: str = crawl.DATE) -> bytes:
    return crawl.response(uri, linked() if text is None else text, number=number, date=date)


def sheet(text: str = SHEET, uri: str = HOST + "css/a.css", number: int = 2, date: str = crawl.DATE) -> bytes:
    return crawl.response(uri, text, "text/css", number=number, date=date)


def documents(data: bytes, *, heads: bool = False) -> list[tuple[str, str]]:
    """The documents of a container, or the HTTP heads, each with its URI."""
    kind = recognize(data[:1000], io.BytesIO(data))
    assert kind is not None
    found = Container(kind, io.BytesIO(data)).read(lambda media_type, name: (media_type == "message/http") is heads)
    return [(each.uri, each.data.decode()) for each in found if isinstance(each, Part)]


def rewritten(data: bytes, folder: Path, *options: str, name: str = "a.warc.gz") -> tuple[dict[str, str], str]:
    """The documents of a rewritten archive by their URIs, and what was reported."""
    (folder / name).write_bytes(data)
    result = run("rewrite", "--all-types", folder / name, "-o", folder / f"new-{name}", *options)
    assert result.exit_code == 0, result.output
    return dict(documents((folder / f"new-{name}").read_bytes())), result.stderr


def assert_accepted(found: dict[str, str], uri: str = HOST, number: int = 1) -> None:
    """A browser accepts what a page has the hashes of."""
    links = _LINK(found[uri])
    assert len(links) == number
    for target, metadata in links:
        assert set(metadata.split()) == {hashed(found[target], each) for each in ("sha256", "sha384", "sha512")}


@pytest.mark.parametrize("records", [(page(), sheet()), (sheet(), page())], ids=["before", "behind"])
def test_a_page_has_the_hashes_of_the_sheet(tmp_path: Path, records: tuple[bytes, ...]) -> None:
    found, stderr = rewritten(crawl.crawl(records), tmp_path)
    assert found[HOST + "css/a.css"] == SHEET.replace("a.svg", HOST + "css/a.svg")
    assert_accepted(found)
    assert "hashes written anew in 1 document" in stderr


def test_in_an_archive_without_compression(tmp_path: Path) -> None:
    data = gzip.decompress(crawl.crawl([page(), sheet()]))
    assert_accepted(rewritten(data, tmp_path, name="a.warc")[0])


def test_a_wrong_hash_stays_and_is_named(tmp_path: Path) -> None:
    wrong = linked(SHEET + " ").replace("css/a.css", HOST + "css/a.css")
    found, stderr = rewritten(crawl.crawl([page(wrong), sheet()]), tmp_path)
    assert found[HOST] == wrong
    assert f"the integrity of {HOST}css/a.css did not match before, and stays" in stderr
    assert "hashes written anew" not in stderr


def test_the_strongest_hash_decides_what_is_wrong(tmp_path: Path) -> None:
    wrong = f"<link rel=stylesheet href={HOST}css/a.css integrity='{hashed(SHEET)} {hashed('other', 'sha512')}'>"
    found, stderr = rewritten(crawl.crawl([page(wrong), sheet()]), tmp_path)
    assert found[HOST] == wrong
    assert "did not match before" in stderr


def test_a_hash_says_which_capture_it_is_of(tmp_path: Path) -> None:
    second = SHEET.replace("a.svg", "b.svg")
    later = "2025-05-06T07:08:09Z"
    records = [page(), sheet(), page(linked(second), HOST + "new", 3, later), sheet(second, number=4, date=later)]
    (tmp_path / "a.warc.gz").write_bytes(crawl.crawl(records))
    run("rewrite", "--all-types", tmp_path / "a.warc.gz", "-o", tmp_path / "b.warc.gz")
    found = documents((tmp_path / "b.warc.gz").read_bytes())
    assert_accepted(dict(found[:2]))
    assert_accepted(dict(found[2:]), HOST + "new")


def test_captures_that_become_different_are_all_accepted(tmp_path: Path) -> None:
    records = [page(), sheet(), sheet(number=3, date="2025-05-06T07:08:09Z")]
    (tmp_path / "a.warc.gz").write_bytes(crawl.crawl(records))
    template = "https://r.example/{timestamp}/{uri}"
    run("rewrite", "--to", template, "--all-types", tmp_path / "a.warc.gz", "-o", tmp_path / "b.warc.gz")
    found = documents((tmp_path / "b.warc.gz").read_bytes())
    assert found[1][1] != found[2][1]
    assert all(hashed(text, "sha384") in found[0][1] for _, text in found[1:])


def test_sheets_have_hashes_of_sheets(tmp_path: Path) -> None:
    third = SHEET
    second = f"@import url('c.css' integrity('{hashed(third)}'));"
    first = f"@import url('b.css' integrity('{hashed(second)}'));"
    records = [page(linked(first)), sheet(first)]
    records += [
        sheet(text, f"{HOST}css/{name}.css", number) for name, number, text in (("b", 3, second), ("c", 4, third))
    ]
    found, stderr = rewritten(crawl.crawl(records), tmp_path)
    assert_accepted(found)
    assert hashed(found[HOST + "css/b.css"]) in found[HOST + "css/a.css"]
    assert hashed(found[HOST + "css/c.css"]) in found[HOST + "css/b.css"]
    assert "hashes written anew in 3 documents" in stderr


def test_a_redirect_leads_to_the_sheet(tmp_path: Path) -> None:
    records = [page(linked(href="latest.css")), crawl.redirect(HOST + "latest.css", "css/a.css"), sheet()]
    found, _ = rewritten(crawl.crawl(records), tmp_path)
    assert hashed(found[HOST + "css/a.css"], "sha512") in found[HOST]
    assert hashed(SHEET, "sha512") in found[HOST]  # of what is not in the archive, and loaded from the web


def test_a_revisit_of_another_uri_becomes_another_sheet(tmp_path: Path) -> None:
    revisit = crawl.record(
        "revisit",
        HOST + "b/a.css",
        crawl.http(b"", "text/css"),
        number=3,
        Content_Type="application/http",
        WARC_Refers_To=crawl.record_id(2),
    )
    found, _ = rewritten(crawl.crawl([page(linked(href="b/a.css")), sheet(), revisit]), tmp_path)
    assert found[HOST + "b/a.css"] != found[HOST + "css/a.css"]
    assert_accepted(found)


def test_import_maps_and_the_policies_that_have_their_hashes(tmp_path: Path) -> None:
    text = f'{{"integrity":{{"{HOST}css/a.css":"{hashed(SHEET)}"}}}}'
    policy = f"<meta http-equiv=Content-Security-Policy content=\"script-src '{hashed(text)}'\">"
    found, _ = rewritten(crawl.crawl([page(f"{policy}<script type=importmap>{text}</script>"), sheet()]), tmp_path)
    new = text.replace(hashed(SHEET), hashed(found[HOST + "css/a.css"]))
    assert f"'{hashed(new)}'" in found[HOST]
    assert new in found[HOST]


def test_a_policy_in_the_head_of_a_response_has_the_hashes_of_the_page(tmp_path: Path) -> None:
    block = crawl.http(
        f"<style>{SHEET}</style>".encode(), Content_Security_Policy=f"style-src 'self' '{hashed(SHEET)}'", Server="x"
    )
    record = crawl.record("response", HOST, block, number=1, Content_Type="application/http;msgtype=response")
    again = crawl.revisit(HOST, number=2, WARC_Refers_To=crawl.record_id(1))
    (tmp_path / "a.warc.gz").write_bytes(crawl.crawl([record, again]))
    run("rewrite", tmp_path / "a.warc.gz", "-o", tmp_path / "b.warc.gz")
    new = gzip.decompress((tmp_path / "b.warc.gz").read_bytes()).decode()
    inline = SHEET.replace("a.svg", HOST + "a.svg")
    assert f"Content-Security-Policy: style-src 'self' '{hashed(inline)}'\r\nServer: x\r\n" in new
    assert f"<style>{inline}</style>" in new


@pytest.mark.parametrize("separator", [" ", "?a "])
def test_a_link_in_the_head_of_a_response(tmp_path: Path, separator: str) -> None:
    metadata = separator.join([hashed(SHEET), hashed(SHEET, "sha512")])
    link = f'</css/a.css>; rel=preload; as=style; integrity="{metadata}", <b>; integrity="{hashed("b")}"'
    block = crawl.http("<p>é".encode(), Link=link)
    record = crawl.record("response", HOST, block, number=1, Content_Type="application/http;msgtype=response")
    found, _ = rewritten(crawl.crawl([record, sheet()]), tmp_path)
    new = found[HOST + "css/a.css"]
    expected = separator.join([hashed(new), hashed(new, "sha512")])
    heads = dict(documents((tmp_path / "new-a.warc.gz").read_bytes(), heads=True))
    assert f'<{HOST}css/a.css>; rel=preload; as=style; integrity="{expected}", <{HOST}b>; integr' in heads[HOST]
    assert hashed("b") in heads[HOST]


@pytest.mark.parametrize("before", ["", "<!-- <base href=x> -->"])
def test_a_document_in_an_attribute(tmp_path: Path, before: str) -> None:
    inner = f"{before}<link rel=stylesheet href=css/a.css integrity='{hashed(SHEET)}'>".replace("+", "&#43;")
    escaped = inner.replace("&", "&amp;")
    found, _ = rewritten(crawl.crawl([page(f'<iframe srcdoc="{escaped}"></iframe>'), sheet()]), tmp_path)
    assert f"integrity='{hashed(found[HOST + 'css/a.css'])}'" in found[HOST]


def test_in_several_archives(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(crawl.crawl([page()]))
    (tmp_path / "b.warc.gz").write_bytes(crawl.crawl([sheet()]))
    run("rewrite", "--all-types", tmp_path / "a.warc.gz", tmp_path / "b.warc.gz", "-o", tmp_path / "new", "--jobs", "2")
    both = [
        *documents((tmp_path / "new/a.warc.gz").read_bytes()),
        *documents((tmp_path / "new/b.warc.gz").read_bytes()),
    ]
    assert_accepted(dict(both))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_in_pieces_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    data = crawl.crawl([page(), sheet()])
    found, _ = rewritten(data, tmp_path)
    monkeypatch.setitem(rewriting_many.rewrite_many.__kwdefaults__, "size", 300)
    again, stderr = rewritten(data, tmp_path, "--jobs", jobs, name="b.warc.gz")
    assert again == found
    assert stderr.count("hashes written anew in 1 document") == 1


def test_in_a_wacz(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("datapackage.json", "{}")
        file.writestr("archive/a.warc.gz", crawl.crawl([page()]))
        file.writestr("archive/b.warc.gz", crawl.crawl([sheet()]))
    (tmp_path / "a.wacz").write_bytes(out.getvalue())
    run("rewrite", "--all-types", tmp_path / "a.wacz", "-o", tmp_path / "b.wacz")
    assert_accepted(dict(documents((tmp_path / "b.wacz").read_bytes())))


def test_a_message_is_rewritten_as_a_whole(tmp_path: Path) -> None:
    parts = ((linked(), "text/html", HOST), (SHEET, "text/css", HOST + "css/a.css"))
    lines = [f"--x\nContent-Type: {kind}\nContent-Location: {uri}\n\n{text}\n" for text, kind, uri in parts]
    text = f"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x; type=text/html\n\n{''.join(lines)}--x--\n"
    (tmp_path / "a.mhtml").write_text(text)
    run("rewrite", tmp_path / "a.mhtml", "-o", tmp_path / "b.mhtml")
    new = (tmp_path / "b.mhtml").read_text()
    inside = SHEET.replace("a.svg", HOST + "css/a.svg")
    assert f"\n{inside}\n--x" in new
    assert hashed(inside, "sha512") in new
    assert hashed(SHEET, "sha512") not in new


def test_pages_alone_leave_hashes_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(crawl.crawl([page(), sheet()]))
    result = run("rewrite", tmp_path / "a.warc.gz", "-o", tmp_path / "b.warc.gz")
    assert hashed(SHEET, "sha512") in dict(documents((tmp_path / "b.warc.gz").read_bytes()))[HOST]
    assert "hash" not in result.stderr


def test_conversions_leave_the_sheet_and_its_hashes_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(crawl.crawl([page(), sheet()]))
    run("rewrite", "--all-types", "--as-conversion", tmp_path / "a.warc.gz", "-o", tmp_path / "b.warc.gz")
    found = documents((tmp_path / "b.warc.gz").read_bytes())
    assert len(found) == 4
    assert all(hashed(SHEET, "sha512") in text for uri, text in found if uri == HOST)


class Pipe(io.BytesIO):
    """What can be read only once."""

    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize("text", [linked(), "<p>integrity", linked().replace("link rel=stylesheet href", "script src")])
def test_from_a_pipe_hashes_stay_with_one_line(text: str) -> None:
    found, out = [], io.BytesIO()
    data = crawl.crawl([page(text), page(text, HOST + "b", 3), sheet()])
    rehref.rewrite_into(Pipe(data), out, all_types=True, on_diagnostic=lambda each: found.append(str(each)))
    assert out.getvalue() != data
    expected = (
        "hashes of other documents in it (integrity) stay as they are: it is read only once; rewrite a whole file"
    )
    assert found == ([expected] if "stylesheet" in text else [])


def test_too_many_hashes_stay_with_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container_integrity, "_MOST", 3)
    found, stderr = rewritten(crawl.crawl([page(), sheet()]), tmp_path)
    assert hashed(SHEET, "sha512") in found[HOST]
    assert "stay as they are: there are more than 3" in stderr

"""No `file:` URI of this machine is written into a document that has no other, unless that is asked for."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from click.testing import Result

import rehref
from cli_runs import Run

PAGE = (
    b'<a href="b.html">1</a><a href="http://h/">2</a><a href="#f">3</a><img src="/i.png"><a href="?q">4</a>'
    b'<a href="//h/x">5</a><a href="mailto:a@b">6</a>'
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page on this machine."""
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)
    return file


def test_a_file_has_links_to_files(page: Path) -> None:
    link = rehref.links(page)[0]
    assert (link.target, link.base.uri, link.base.local) == (
        f"file://{page.parent}/b.html",
        f"file://{page}",
        True,
    )
    assert not rehref.links(page, url=f"file://{page}")[0].base.local
    assert not rehref.links(PAGE, url="http://h/")[0].base.local


@pytest.mark.parametrize("rule", [rehref.Absolute(), rehref.Absolute("drop"), rehref.Absolute("empty")])
def test_absolute_writes_none(page: Path, rule: rehref.Absolute, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "rehref"):
        assert rehref.rewrite(page, rule) == PAGE
    assert caplog.messages == [
        f"{page}: 4 references stay: they would become file: URIs of this machine; give url, or file_urls=True"
    ]


def test_a_template_writes_none(page: Path, caplog: pytest.LogCaptureFixture) -> None:
    new = rehref.rewrite(page, rehref.Template("https://r/{uri}"))
    assert new == PAGE.replace(b'"http://h/"', b'"https://r/http://h/"')
    assert "4 references stay" in caplog.text


@pytest.mark.parametrize("rule", [rehref.Absolute(file_urls=True), rehref.Template("https://r/{uri}", file_urls=True)])
def test_they_are_written_on_request(page: Path, rule: rehref.Absolute, caplog: pytest.LogCaptureFixture) -> None:
    assert f"file://{page.parent}/b.html".encode() in rehref.rewrite(page, rule)
    assert caplog.messages == []


def test_a_file_uri_that_is_given_is_written(page: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert b'"file:///srv/b.html"' in rehref.rewrite(page, url="file:///srv/a.html")
    assert caplog.messages == []


@pytest.mark.parametrize("element", ["absolute", "keep", "empty", "drop"])
def test_a_relative_base_stays_with_what_is_relative_to_it(tmp_path: Path, element: str) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b'<base href="d/"><a href=x></a>')
    assert rehref.rewrite(file, rehref.Absolute(element)) == file.read_bytes()  # type: ignore[arg-type]


def test_below_a_base_elsewhere_nothing_is_withheld(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b'<base href="http://h/d/"><a href=x></a>')
    assert rehref.rewrite(file) == b'<base href="http://h/d/"><a href=http://h/d/x></a>'
    assert caplog.messages == []


def test_the_rest_of_a_codebase_stays_relative(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b'<object codebase="d/" data="x"></object>')
    for rule in (rehref.Relative(), rehref.Absolute()):
        assert rehref.rewrite(file, rule) == file.read_bytes()


def test_nor_into_a_saved_response(tmp_path: Path) -> None:
    file = tmp_path / "a.http"
    file.write_bytes(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>")
    assert rehref.links(file)[0].target == f"file://{tmp_path}/x"
    assert rehref.rewrite(file) == file.read_bytes()
    assert b"<a href=http://h/x>" in rehref.rewrite(file, url="http://h/")


# --- the command


@pytest.fixture
def run(page: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in the folder of the page."""
    from click.testing import CliRunner

    from rehref.cli.program import program

    monkeypatch.chdir(page.parent)

    def running(*arguments: str) -> Result:
        return CliRunner().invoke(program, list(arguments))

    return running


TOLD = "relative: as file: URIs of this machine they mean nothing elsewhere; use --url URI or --file-urls\n"


def test_the_command_says_how_many_and_what_to_do(run: Run, page: Path) -> None:
    result = run("rewrite", "page.html")
    assert (result.exit_code, result.stdout_bytes) == (2, PAGE)
    assert result.stderr.endswith(f"rehref: 4 references stay {TOLD}")


def test_it_is_no_failure_if_something_was_done(run: Run, page: Path) -> None:
    page.with_name("other.html").write_bytes(b"<base href=http://h/><a href=x>")
    result = run("rewrite", ".", "--in-place")
    assert result.exit_code == 0
    assert result.stderr.endswith(f"rehref: 4 references stay {TOLD}")
    assert page.read_bytes() == PAGE


def test_one_reference(run: Run, page: Path) -> None:
    page.write_bytes(b"<a href=x>")
    assert run("rewrite", "--quiet", "page.html").stderr == f"rehref: 1 reference stays {TOLD}"


@pytest.mark.parametrize("option", [("--file-urls",), ("--url", "file:///srv/a.html"), ("--to", "relative")])
def test_nothing_is_said_where_nothing_stays_for_that(run: Run, option: tuple[str, ...]) -> None:
    result = run("rewrite", *option, "page.html")
    assert result.exit_code == 0
    assert "--file-urls" not in result.stderr

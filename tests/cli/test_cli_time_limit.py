"""`--max-time` and `max_time`: the time that the references of a document may take. The clock is one of the test."""

from __future__ import annotations

import email.message
import json
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

import rehref
from cli_runs import Run
from rehref import exceptions
from rehref.exceptions import OutOfTimeError

LIMIT = 20
SHORT = b"<a href=x>"
OBJECT = b"<object codebase=&Tab;/c/ data=&Tab;/x></object>"  # Python reads what has such a character reference
OBJECTS = b"".join(b"<object codebase=&Tab;/c%d/ data=&Tab;/x></object>" % number for number in range(LIMIT))
ITEM = b"<item><description>%b</description></item>" % OBJECT.replace(b"<", b"&lt;")
FEED = b"<rss><channel>%b</channel></rss>" % (ITEM * LIMIT)
LONG = {"objects": OBJECTS, "inside": b"<iframe srcdoc='" + OBJECT * 3 * LIMIT + b"'></iframe>", "feed": FEED}
TOLD = "its references take longer than 20 seconds to read; allow more (max_time, --max-time)"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that is a second later whenever it is looked at: each place takes one."""
    ticks = count()
    fake = SimpleNamespace(monotonic=lambda: next(ticks))
    monkeypatch.setattr(exceptions, "time", fake)
    return fake


@pytest.mark.parametrize("name", LONG)
def test_references_that_take_too_long_raise(name: str) -> None:
    expected = rehref.links(LONG[name], url="http://h/", max_time=1000)
    assert len(expected) >= LIMIT
    with pytest.raises(RuntimeError) as raised:
        rehref.links(LONG[name], url="http://h/", max_time=LIMIT)
    assert str(raised.value) == TOLD
    assert rehref.links(SHORT, url="http://h/", max_time=LIMIT) == rehref.links(SHORT, url="http://h/")


def test_reading_the_markup_takes_part_of_the_time(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=LIMIT)
    monkeypatch.setattr(clock, "monotonic", lambda: next(ticks))
    with pytest.raises(OutOfTimeError):
        rehref.links(b"<object codebase=&Tab;/c/ data=&Tab;/x>", url="http://h/", max_time=LIMIT)


def test_what_the_caller_does_takes_none_of_it(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0]
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    found = 0
    for _ in rehref.iter_links(OBJECTS, url="http://h/", max_time=LIMIT):
        now[0] += LIMIT
        found += 1
    assert found == 2 * LIMIT


@pytest.mark.parametrize("name", LONG)
def test_a_document_that_takes_too_long_stays_as_it_is(name: str) -> None:
    said: list[rehref.Diagnostic] = []
    source = LONG[name]
    assert rehref.rewrite(source, url="http://h/", max_time=LIMIT, on_diagnostic=said.append) == source
    assert [(each.message, each.code) for each in said] == [(TOLD, "too-large")]
    assert rehref.rewrite(source, url="http://h/", max_time=1000, on_diagnostic=said.append) != source


def message(*bodies: bytes) -> bytes:
    whole = email.message.EmailMessage()
    for body in bodies:
        whole.add_related(body, "text", "html", cte="8bit")
    whole.set_boundary("b")
    return whole.as_bytes()


def test_the_other_documents_of_a_container_are_read_and_rewritten() -> None:
    container, said = message(SHORT, OBJECTS, SHORT), list[rehref.Diagnostic]()
    links = rehref.links(container, url="http://h/", max_time=LIMIT, on_diagnostic=said.append)
    assert [link.reference for link in links] == ["x", "x"]
    assert list(rehref.iter_links(container, url="http://h/", max_time=LIMIT, on_diagnostic=said.append)) == links
    new = rehref.rewrite(container, url="http://h/", max_time=LIMIT, on_diagnostic=said.append)
    assert new == message(b"<a href=http://h/x>", OBJECTS, b"<a href=http://h/x>")
    assert {(each.message, each.code) for each in said} == {(TOLD, "too-large")}
    assert len(said) == 3
    with pytest.raises(rehref.ContainerError, match="longer than 20 seconds"):
        rehref.links(message(OBJECTS), max_time=LIMIT, on_diagnostic=said.append)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a document that takes too long, and others."""
    files = {"a.html": SHORT, "b.html": OBJECTS, "c.eml": message(OBJECTS, SHORT), "d.html": SHORT, "x": b""}
    (tmp_path / "in").mkdir()
    for name, data in files.items():
        (tmp_path / "in" / name).write_bytes(data)
    return tmp_path / "in"


@pytest.mark.parametrize("into", [False, True])
def test_the_command_line_goes_on_with_the_rest(run: Run, folder: Path, into: bool) -> None:
    out = folder.parent / "out"
    more = ("-o", out) if into else ()
    result = run("links", "--max-time", LIMIT, "--format", "jsonl", "--jobs", 1, *more, folder)
    lines = [each for part in out.glob("*.jsonl") for each in part.read_text().splitlines()] if into else result.stdout
    found = [json.loads(each) for each in (lines if isinstance(lines, list) else lines.splitlines())]
    names = [Path(each["document"]).name for each in found if "document" in each]
    assert sorted(names) == ["a.html", "c.eml", "d.html"]
    said = [line for line in result.stderr.splitlines() if TOLD in line]
    assert [line.split(":")[1].strip()[len(str(folder)) + 1 :][:5] for line in said] == ["b.htm", "c.eml"]
    assert result.exit_code == 2


def test_rewriting_goes_on_with_the_rest(run: Run, folder: Path) -> None:
    result = run("rewrite", "--in-place", "--max-time", LIMIT, "--url", "http://h/", folder)
    assert (folder / "b.html").read_bytes() == OBJECTS
    assert (folder / "d.html").read_bytes() == b"<a href=http://h/x>"
    assert result.stderr.count(TOLD) == 2
    assert result.exit_code == 2


def test_unpacking_goes_on_with_the_rest(run: Run, folder: Path) -> None:
    result = run("rewrite", folder / "c.eml", "--unpack", folder / "out", "--max-time", LIMIT, "--url", "http://h/")
    assert result.stderr.count(TOLD) == 1
    assert [OBJECTS in each.read_bytes() for each in sorted((folder / "out").iterdir())] == [True, False]
    assert result.exit_code == 2


def test_a_check_goes_on_with_the_rest(run: Run, folder: Path) -> None:
    result = run("check", "--max-time", LIMIT, "--format", "json", "--no-infer", folder)
    problems = json.loads(result.stdout)["problems"]
    assert [(each["document"], each["code"], each["message"]) for each in problems] == [("b.html", "unreadable", TOLD)]
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("given", "error"), [("1", TypeError), (True, TypeError), (0, ValueError), (10**400, ValueError), (None, TypeError)]
)
def test_a_limit_is_a_number_of_seconds(tmp_path: Path, given: float, error: type[Exception]) -> None:
    with pytest.raises(error, match="max_time"):
        rehref.links(SHORT, max_time=given)
    with pytest.raises(error, match="max_time"):
        rehref.check(tmp_path, max_time=given)

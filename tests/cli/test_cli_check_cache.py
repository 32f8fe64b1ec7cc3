"""`rehref check --external` with a cache: a second run asks for nothing that is fresh, and says the same."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import rehref
from patience import PATIENCE
from web.servers import Asked, Counting, Page, counting

pytest.importorskip("aiohttp", reason="there is no extra web")

Run = Callable[..., Result]
ASKING = ("--external", "--allow-private", "--host-request-interval", "0")
"""Without the time that is left between requests to one host."""
MODIFIED = "Sat, 01 Jan 2000 00:00:00 GMT"
NAMES = b'<h1 id="there">There</h1>'
PAGES = {
    "/etag": Page(etag='"1"'),
    "/modified": Page(modified=MODIFIED),
    "/names": Page(body=NAMES, etag='"n"'),
    "/plain": Page(),
    "/gone": Page(410),
    "/for-good": Page(301, location="/plain"),
    "/for-now": Page(302, location="/plain"),
    "/busy": Page(500),
}
FRESH = ["/etag", "/for-good", "/for-now", "/gone", "/missing", "/modified", "/names", "/plain"]


@pytest.fixture
def server() -> Iterator[Counting]:
    with counting() as state:
        state.pages |= PAGES
        yield state


@pytest.fixture
def page(tmp_path: Path, server: Counting) -> Path:
    """A page with a link to each of the server's, and to one that it has not."""
    paths = [*PAGES, "/missing", "/names#there", "/names#not-there"]
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "index.html").write_text("".join(f'<a href="{server.url(path)}">x</a>\n' for path in paths))
    return folder


@pytest.fixture
def checked(run: Run, page: Path) -> Callable[..., Result]:
    """Check it: what was found, as JSON."""

    def checking(*options: object) -> Result:
        return run("check", page, *ASKING, "--max-retries", "0", "-f", "json", *options)

    return checking


def found(result: Result) -> list[tuple[str, str, str]]:
    """What is wrong, without how often a server was asked."""
    problems = json.loads(result.stdout)["problems"]
    return [(each["reference"].rpartition("/")[2], each["code"], each["message"]) for each in problems]


def paths(asked: list[Asked]) -> list[str]:
    return list(dict.fromkeys(each.path for each in asked))


def test_a_second_run_asks_for_nothing_that_is_fresh(checked: Callable[..., Result], server: Counting) -> None:
    first = checked()
    assert paths(server.taken()) == sorted([*FRESH, "/busy"])
    assert {name: code for name, code, _ in found(first)} == {
        "gone": "web-not-found",
        "missing": "web-not-found",
        "for-good": "web-redirected",
        "busy": "web-server-error",
        "names#not-there": "missing-fragment",
    }
    second = checked()
    assert paths(server.taken()) == ["/busy"]
    assert found(second) == found(first)
    assert (second.exit_code, first.exit_code) == (1, 1)
    assert first.stderr == second.stderr
    summaries = [json.loads(result.stdout)["summary"] for result in (first, second)]
    assert [each["from_cache"] for each in summaries] == [0, 8]
    assert summaries[0] | {"seconds": 0, "from_cache": 0} == summaries[1] | {"seconds": 0, "from_cache": 0}


def test_what_is_not_fresh_is_only_asked_whether_it_has_changed(
    checked: Callable[..., Result], server: Counting
) -> None:
    first = checked("--cache-age", "0")
    server.taken()
    second = checked("--cache-age", "0")
    known = {each.path: each.known for each in server.taken()}
    assert known == dict.fromkeys(FRESH, None) | {
        "/busy": None,
        "/etag": '"1"',
        "/modified": MODIFIED,
        "/names": '"n"',
    }
    assert found(second) == found(first)
    assert json.loads(second.stdout)["summary"]["from_cache"] == 0


def test_what_has_changed_is_read_again(checked: Callable[..., Result], server: Counting) -> None:
    checked("--cache-age", "0")
    server.pages["/names"] = Page(body=b'<h1 id="not-there">', etag='"new"')
    server.pages["/modified"] = Page(404)
    assert {"names#there", "modified"} <= {name for name, _, _ in found(checked("--cache-age", "0"))}
    assert "names#not-there" not in {name for name, _, _ in found(checked())}


def test_a_page_without_a_fragment_before_is_read_for_one(run: Run, tmp_path: Path, server: Counting) -> None:
    file = tmp_path / "a.html"
    for reference, asked in (("/names", "HEAD"), ("/names#there", "GET"), ("/names#not-there", None), ("/names", None)):
        file.write_text(f'<a href="{server.url(reference)}">x</a>')
        result = run("check", file, *ASKING, "--cache", tmp_path / "c.sqlite")
        assert result.exit_code == (reference == "/names#not-there")
        assert server.taken() == ([] if asked is None else [Asked(asked, "/names", None)])


def test_ages_can_be_said_by_status(checked: Callable[..., Result], server: Counting) -> None:
    checked("--cache-age", "500..=599=1h", "--cache-age", "404,410=0")
    server.taken()
    checked("--cache-age", "500..=599=1h", "--cache-age", "404,410=0")
    assert paths(server.taken()) == ["/gone", "/missing"]


def test_without_a_cache_all_is_asked_each_time(
    checked: Callable[..., Result], server: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches = tmp_path / "caches"
    monkeypatch.setenv("XDG_CACHE_HOME", str(caches))
    checked("--no-cache")
    first = server.taken()
    checked("--no-cache")
    assert server.taken() == first
    assert not caches.exists()
    checked()
    assert (caches / "rehref" / "web.sqlite").is_file()


def test_the_file_can_be_named(checked: Callable[..., Result], server: Counting, tmp_path: Path) -> None:
    checked("--cache", tmp_path / "a.sqlite")
    server.taken()
    checked("--cache", tmp_path / "b.sqlite")
    assert paths(server.taken()) == sorted([*FRESH, "/busy"])
    checked("--cache", tmp_path / "a.sqlite")
    assert paths(server.taken()) == ["/busy"]


def test_who_asks_otherwise_asks_again(checked: Callable[..., Result], server: Counting) -> None:
    checked()
    server.taken()
    checked("--header", "https://h.example X-Key: s3cret")
    assert paths(server.taken()) == sorted([*FRESH, "/busy"])


def test_what_may_not_be_asked_is_not_answered_from_the_cache(run: Run, page: Path, server: Counting) -> None:
    run("check", page, *ASKING)
    result = run("check", page, "--external", "-f", "json")
    assert {code for _, code, _ in found(result)} == {"web-private-address"}


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--cache-age", "soon", "--cache-age soon: is not [STATUSES=]AGE; write such as 2d, 404=6h or 500..=599=10m"),
        ("--cache", "", "--cache: is empty; name a file"),
    ],
)
def test_what_cannot_be_is_an_error(
    checked: Callable[..., Result], server: Counting, option: str, value: str, message: str
) -> None:
    result = checked(option, value)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"rehref: {message}\n"
    assert server.taken() == []


def _letter(path: Path) -> None:
    path.write_text("a letter\n")


def _damaged(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 1919248498")  # rehr
        connection.execute("CREATE TABLE a (b)")
    path.write_bytes(path.read_bytes()[:4000])


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (_letter, "is not a cache of rehref, so it is left as it is; going on without a cache"),
        (_damaged, "is damaged; a new cache is begun"),
        (Path.mkdir, "is not an ordinary file; going on without a cache"),
        (_link, "is a symbolic link, which is not followed; going on without a cache"),
    ],
)
def test_whatever_is_wrong_with_the_file_the_run_goes_on(
    checked: Callable[..., Result], tmp_path: Path, spoil: Callable[[Path], Any], line: str
) -> None:
    expected = checked("--no-cache")
    file = tmp_path / "c.sqlite"
    spoil(file)
    result = checked("--cache", file)
    assert f"rehref: {file}: {line}\n" in result.stderr
    assert result.stderr.replace(f"rehref: {file}: {line}\n", "") == expected.stderr
    assert (result.exit_code, found(result)) == (1, found(expected))


def test_in_python_there_is_a_cache_if_one_is_named(page: Path, server: Counting, tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    options: dict[str, Any] = {"external": True, "allow_private": True, "max_retries": 0, "host_request_interval": 0}
    rehref.check(page, **options)
    everything = paths(server.taken())
    first = rehref.check(page, cache=str(file), **options)
    assert paths(server.taken()) == everything
    second = rehref.check(page, cache=str(file), **options)
    assert paths(server.taken()) == ["/busy"]
    assert second.findings == first.findings
    file.write_text("a letter")
    third = rehref.check(page, cache=str(file), **options)
    assert third.findings == first.findings
    line = f"{file}: is not a cache of rehref, so it is left as it is; going on without a cache"
    assert third.hints == (*second.hints, line)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX here")
def test_what_was_learnt_before_ctrl_c_is_kept(server: Counting, page: Path, checked: Callable[..., Result]) -> None:
    server.pages["/busy"] = Page(waits=True)
    command = [sys.executable, "-m", "rehref", "check", str(page), "--external", "--allow-private"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert server.is_waiting.wait(PATIENCE)
        while len(paths(list(server.asked))) < len(FRESH) + 1:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    server.pages["/busy"] = Page(500)
    server.taken()
    checked()
    again = paths(server.taken())
    assert "/busy" in again
    assert len(again) < len(FRESH) + 1  # six at most were under way at once


@pytest.mark.slow  # four processes; tests/web/cache has others at once
def test_runs_at_once_say_the_same(tmp_path: Path, server: Counting, page: Path) -> None:
    command = [sys.executable, "-m", "rehref", "check", page, "--external", "--allow-private", "--max-retries", "0"]
    command += ["-q", "-f", "csv", "--cache", tmp_path / "c.sqlite"]

    def outputs(number: int) -> set[tuple[bytes, bytes, int]]:
        runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(number)]
        return {(*each.communicate(timeout=PATIENCE), each.returncode) for each in runs}

    at_once = outputs(3)
    assert len(at_once) == 1
    assert {(errors, status) for _, errors, status in at_once} == {(b"", 1)}
    server.taken()
    assert outputs(1) == at_once
    assert paths(server.taken()) == ["/busy"]

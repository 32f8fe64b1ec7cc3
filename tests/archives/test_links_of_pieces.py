"""The links of a collection in a folder: the same however many work, whatever ends them, and resumed."""

from __future__ import annotations

import gzip
import itertools
import json
import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from crawl import response
from rehref.archives import _links_of_pieces as links_of_pieces
from rehref.archives import many_files as running
from rehref.archives import pieces
from rehref.archives.links_of_many import file_at, process
from rehref.archives.pieces import PieceDone, divided
from rehref.cli.program import program
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError

HOW = SourceOptions()
SIZE = 100_000
NAMES = ("one.warc.gz", "page.html", "two.warc.gz", "other.html")
MANIFEST = "_manifest"
"""The file that says what is done."""


def record(number: int, noise: random.Random) -> bytes:
    filling = noise.randbytes(noise.randrange(2000)).hex()
    body = f'<!doctype html><base href="/b/"><a href="a{number}">{filling}</a><img src=//i.example/{number}>'
    return response(f"https://h.example/{number}", body, number=number)


@pytest.fixture
def collection(tmp_path: Path) -> list[FileDocument]:
    """Two archives and two pages."""
    noise = random.Random(1)
    for name in NAMES:
        if name.endswith("html"):
            (tmp_path / name).write_bytes(b"<a href=x>")
        else:
            (tmp_path / name).write_bytes(b"".join(record(number, noise) for number in range(300)))
    return [file_at(str(tmp_path / name), HOW) for name in NAMES]


def written(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir()) if each.name != MANIFEST}


def run(folder: Path, files: list[FileDocument], form: running.Format = "jsonl", **more: Any) -> list[PieceDone]:
    first, *done = running.links_into(folder, files, HOW, form, size=SIZE, **more)
    assert (first.outcome, first.done, first.is_new) == (None, 0, False)
    return done


def test_pieces_hold_all_files_in_their_order(collection: list[FileDocument]) -> None:
    pieces = list(divided(collection, HOW, SIZE))
    assert len(pieces) > 6
    names = [file.path.name for piece in pieces for file in piece.files if file.path is not None]
    assert list(dict.fromkeys(names)) == list(NAMES)
    ranges = [piece.within for piece in pieces if piece.within is not None]
    assert all(first.end == second.start or second.start == 0 for first, second in itertools.pairwise(ranges))
    assert sum(piece.size for piece in pieces) == sum(file.path.stat().st_size for file in collection if file.path)
    with_headers = [each._replace(headers=b"x") for each in collection]
    whole = list(divided(with_headers, HOW, SIZE))
    assert [file for piece in whole for file in piece.files] == with_headers


@pytest.mark.parametrize("form", running.FORMATS)
def test_a_pattern_for_the_files_matches_no_manifest(
    form: running.Format, collection: list[FileDocument], tmp_path: Path
) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    run(out, collection[1:2], form, jobs=1)
    assert [each.name for each in out.glob(f"*.{form}")] == [f"part-00000.{form}"]
    assert sorted(each.name for each in out.iterdir()) == [MANIFEST, f"part-00000.{form}"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_parts_are_what_one_process_writes(collection: list[FileDocument], tmp_path: Path, jobs: int) -> None:
    folder = tmp_path / "out"
    done = run(folder, collection, jobs=jobs)
    assert done[-1].done == done[-1].total
    assert sum(each.outcome.counts.references for each in done if each.outcome is not None) == 1802
    names = [str(file.path) for file in collection]
    one = CliRunner().invoke(program, ["links", "--format", "jsonl", *names])
    assert b"".join(written(folder).values()) == one.stdout_bytes
    lines = (folder / MANIFEST).read_text().splitlines()
    assert json.loads(lines[-1]) == {"complete": True}
    assert len(lines) == len(written(folder)) + 2


def test_a_run_that_was_interrupted_is_resumed(collection: list[FileDocument], tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "out"
    run(whole, collection)
    begun = running.links_into(folder, collection, HOW, "jsonl", size=SIZE, jobs=1)
    for _ in range(4):
        next(begun)
    begun.close()  # type: ignore[attr-defined]
    last = sorted(written(folder))[-1]
    (folder / last).write_bytes(b"something else")
    with (folder / MANIFEST).open("rb+") as file:  # as if it had been cut off while its last line was written
        file.truncate((folder / MANIFEST).stat().st_size - 9)
    done = run(folder, collection, resume=True)
    assert [each.is_new for each in done] == [False, False, *(True for _ in done[2:])]
    assert written(folder) == written(whole)
    lines = [sorted((each / MANIFEST).read_bytes().splitlines()) for each in (folder, whole)]
    assert lines[0] == lines[1]
    assert not any(each.is_new for each in run(folder, collection, resume=True))


def test_a_part_that_is_gone_is_made_again(collection: list[FileDocument], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run(folder, collection)
    before = written(folder)
    (folder / "part-00002.jsonl").unlink()
    assert sum(each.is_new for each in run(folder, collection, resume=True)) == 1
    assert written(folder) == before


def test_other_work_is_not_resumed(collection: list[FileDocument], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run(folder, collection)
    before = written(folder)
    with pytest.raises(FileError, match="is a folder that is not empty; name another, or use --resume"):
        run(folder, collection)
    changed = [file._replace(url="https://other.example/") for file in collection]
    for files, form in ((changed, "jsonl"), (collection[1:], "jsonl"), (collection, "parquet")):
        with pytest.raises(
            FileError, match="is from a run with other files, other options, or another version of rehref"
        ):
            run(folder, list(files), form, resume=True)  # type: ignore[arg-type]
    assert written(folder) == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a").write_text("")
    with pytest.raises(FileError, match=r"not empty; name another$"):
        run(tmp_path / "mine", collection, resume=True)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_of_a_process_that_is_killed_nothing_is_lost_or_doubled(
    collection: list[FileDocument], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, folder, killed = tmp_path / "whole", tmp_path / "out", tmp_path / "killed"
    run(whole, collection)
    first = os.getpid()

    def dying(*arguments: Any) -> Iterator[Any]:
        for number, each in enumerate(documents_of(*arguments)):
            yield each
            if number == 20 and os.getpid() != first:
                with suppress(FileExistsError):  # another process is the one
                    killed.mkdir()
                    os.kill(os.getpid(), signal.SIGKILL)

    documents_of = links_of_pieces.documents_of
    monkeypatch.setattr(links_of_pieces, "documents_of", dying)
    done = run(folder, collection, jobs=2)
    assert killed.exists()
    assert {name: data for name, data in written(folder).items() if name.startswith("part-")} == written(whole)
    assert all(each.is_new for each in done)
    assert multiprocessing.active_children() == []
    assert not any(each.is_new for each in run(folder, collection, resume=True))
    assert written(folder) == written(whole)  # and what the killed process was writing is no longer there


def test_parquet_has_the_same_rows(collection: list[FileDocument], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "out"
    run(folder, collection, "parquet", jobs=2)
    found = [row for name in sorted(written(folder)) for row in parquet.read_table(folder / name).to_pylist()]
    assert found == [row._asdict() for file in collection for row in process(str(file.path))]


def test_what_cannot_be_read_is_reported_and_the_rest_is_done(collection: list[FileDocument], tmp_path: Path) -> None:
    path = collection[0].path
    assert path is not None
    path.write_bytes(path.read_bytes()[:-100])
    missing = file_at(str(tmp_path / "missing.html"), HOW)
    for resume in (False, True):
        done = run(tmp_path / "out", [*collection, missing], resume=resume)
        errors = [error for each in done if each.outcome is not None for error in each.outcome.errors]
        assert {each.what for each in errors} == {  # as pieces are finished, in any order
            "the file ends within a gzip member",
            "cannot be read: no such file or directory",
        }
        assert len(errors) == 2
        assert sum(each.outcome.counts.documents for each in done if each.outcome is not None) == 601


def test_pieces_of_another_size_are_not_resumed(collection: list[FileDocument], tmp_path: Path) -> None:
    pages = [file for file in collection if file.relative.endswith("html")]
    run(tmp_path / "out", pages)
    with pytest.raises(FileError, match="is from a run with other files, other options"):
        list(running.links_into(tmp_path / "out", pages, HOW, "jsonl", size=1, resume=True))


def test_an_archive_that_is_read_as_another_type_is_not_divided(collection: list[FileDocument], tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(gzip.decompress((tmp_path / NAMES[0]).read_bytes()))
    how = SourceOptions(media_type="text/plain")
    file = file_at(str(tmp_path / "a.warc"), how)
    _, done = running.links_into(tmp_path / "out", [file], how, "jsonl", size=SIZE)
    assert done.outcome is not None
    assert (done.outcome.counts.documents, done.outcome.counts.references, done.outcome.errors) == (1, 600, ())
    as_warc = SourceOptions(media_type="application/warc; x=y")
    assert list(divided(collection, as_warc, SIZE)) == list(divided(collection, HOW, SIZE))


def test_names_of_parts_have_as_many_digits_as_the_last_one() -> None:
    """So that their order by name is the order of the input."""
    assert links_of_pieces.part_name(7, 100_000, "jsonl") == "part-00007.jsonl"
    assert links_of_pieces.part_name(7, 100_001, "jsonl") == "part-000007.jsonl"
    assert links_of_pieces.part_name(1_000_000, 1_000_001, "parquet") == "part-1000000.parquet"


def test_progress_begins_before_archives_are_divided(
    collection: list[FileDocument], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dividing(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(pieces, "ranges_of", dividing)
    total = sum(file.path.stat().st_size for file in collection if file.path is not None)
    made = running.links_into(tmp_path / "out", collection, HOW, "jsonl", size=SIZE)
    assert next(made) == PieceDone(None, 0, total, is_new=False)


# --- on the command line


Ran = Callable[..., Result]


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(program, ["links", *arguments])


def test_the_command_writes_a_folder_and_resumes(collection: list[FileDocument], ran: Ran) -> None:
    result = ran(*NAMES, "--format", "jsonl", "-o", "out", "--jobs", "2")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "rehref: 1,802 references of 602 documents in out\n"
    again = ran(*NAMES, "--format", "jsonl", "-o", "out")
    assert again.exit_code == 2
    assert again.stderr == "rehref: out: is a folder that is not empty; name another, or use --resume\n"
    result = ran(*NAMES, "--format", "jsonl", "-o", "out", "--resume")
    assert (result.exit_code, result.stderr) == (0, "rehref: 1,802 references of 602 documents in out\n")


def test_the_exit_code_says_that_something_failed_also_when_it_is_resumed(
    collection: list[FileDocument], ran: Ran
) -> None:
    for more in ([], ["--resume"]):
        result = ran("missing.html", *NAMES, "--format", "jsonl", "-o", "out", *more)
        assert result.exit_code == 2
        assert result.stderr.splitlines()[0] == (
            "rehref: missing.html: cannot be read: no such file or directory; check the name"
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["page.html", "--resume"], "--resume: goes with -o only; name the folder with -o"),
        (["page.html", "--format", "parquet"], "--format parquet: is written into a folder; name one with -o"),
        (["page.html", "--format", "jsonl", "-o", ""], "-o: is empty; name a folder"),
        (["-", "--format", "jsonl", "-o", "out"], "-o: does not go with standard input; name files"),
        (
            ["page.html", "--format", "jsonl", "-o", "out", "--parser", "all"],
            "-o: does not go with --parser all; leave out one of them",
        ),
    ],
)
def test_what_does_not_go_together(
    collection: list[FileDocument], ran: Ran, arguments: list[str], message: str
) -> None:
    result = ran(*arguments)
    assert (result.exit_code, result.stderr) == (2, f"rehref: {message}\n")
    assert not Path("out").exists()

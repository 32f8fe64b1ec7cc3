"""Many files rewritten: the same bytes however many work, whatever ends them, and resumed."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from crawl import crawl, record, response
from rehref.archives import _rewriting_pieces as rewriting_pieces
from rehref.archives import pieces
from rehref.archives.links_of_many import file_at
from rehref.archives.many_files import UNFINISHED, rewrite_many
from rehref.archives.pieces import PieceDone, PieceOutcome, RunCounts, together
from rehref.archives.rewriting_files import RewriteOptions, rewrite_file, rewrite_found
from rehref.archives.targets_of_rewriting import FileTarget, FileToRewrite
from rehref.cli._commands.rewrite import command as rewrite_command
from rehref.cli.program import program
from rehref.containers.parts import Limits
from rehref.documents.options import SourceOptions
from rehref.files.file_errors import FileError
from rehref.files.writing import temporary_name
from rehref.rewriting.built_in_rules import Template

HOW = SourceOptions()
SIZE = 60_000
MANIFEST = "_manifest"
"""The file that says what is done."""
NAMES = ("one.warc.gz", "page.html", "two.warc.gz", "image.html")


def archive(count: int, seed: int) -> bytes:
    noise = random.Random(seed)
    return crawl(
        response(f"https://h.example/{n}", f"<a href=a{n}>{noise.randbytes(noise.randrange(3000)).hex()}</a>", number=n)
        for n in range(count)
    )


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two archives, a page, and what is not a document."""
    monkeypatch.chdir(tmp_path)
    for seed, name in enumerate(("one.warc.gz", "two.warc.gz")):
        Path(name).write_bytes(archive(150, seed))
    Path("page.html").write_bytes(b"<base href=https://h.example/><a href=x>")
    Path("image.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return list(NAMES)


def run(folder: Path, names: list[str], **more: Any) -> list[PieceDone]:
    files = [FileToRewrite(file_at(name, HOW), FileTarget(folder / name, folder)) for name in names]
    more = {"size": SIZE, **more}
    first, *done = rewrite_many(
        files, more.pop("wanted", RewriteOptions()), HOW, unfinished=folder / UNFINISHED, **more
    )
    assert (first.outcome, first.done, first.is_new) == (None, 0, False)
    return done


def written(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


@pytest.fixture
def expected(sources: list[str], tmp_path: Path) -> dict[str, bytes]:
    """What one process writes, file by file."""
    for name in sources:
        rewrite_file(name, tmp_path / "expected" / name)
    return written(tmp_path / "expected")


@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_give_what_one_process_gives(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path, jobs: int
) -> None:
    done = run(tmp_path / "out", sources, jobs=jobs)
    assert written(tmp_path / "out") == expected
    assert len(done) > 8
    outcomes = [each.outcome for each in done if each.outcome is not None]
    assert len(outcomes) == len(sources)
    whole = together(outcomes)
    assert (whole.counts.documents, whole.counts.changed, whole.counts.others, whole.errors) == (301, 301, 1, ())
    assert done[-1].done == done[-1].total == sum(Path(name).stat().st_size for name in sources)


def test_a_run_that_was_interrupted_is_resumed(sources: list[str], expected: dict[str, bytes], tmp_path: Path) -> None:
    """After each number of pieces: what was done is not done again."""
    number = len(run(tmp_path / "whole", sources))
    for stop in (1, 3, number - 3, number - 1):
        folder = tmp_path / str(stop)
        files = [FileToRewrite(file_at(name, HOW), FileTarget(folder / name, folder)) for name in sources]
        begun = rewrite_many(files, RewriteOptions(), HOW, unfinished=folder / UNFINISHED, size=SIZE, jobs=1)
        for _ in range(1 + stop):
            next(begun)
        begun.close()  # type: ignore[attr-defined]
        assert (folder / UNFINISHED / MANIFEST).exists()
        done = run(folder, sources, resume=True)
        assert [each.is_new for each in done] == [False] * stop + [True] * (number - stop)
        assert sum(each.outcome.counts.changed for each in done if each.outcome is not None) == 301
        assert written(folder) == expected


def begun(folder: Path, names: list[str], stop: int = 3, **more: Any) -> None:
    """A run that ended in the middle."""
    files = [FileToRewrite(file_at(name, HOW), FileTarget(folder / name, folder)) for name in names]
    made = rewrite_many(files, RewriteOptions(), HOW, unfinished=folder / UNFINISHED, size=SIZE, jobs=1, **more)
    for _ in range(1 + stop):
        next(made)
    made.close()  # type: ignore[attr-defined]


def test_what_is_gone_or_damaged_is_done_again(sources: list[str], expected: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    number = len(run(tmp_path / "whole", sources))
    begun(folder, sources, number - 1)
    (folder / "one.warc.gz").unlink()
    lines = (folder / UNFINISHED / MANIFEST).read_bytes().splitlines(keepends=True)
    damaged = [
        b"\0\0\n",
        b'{"piece": 99999}\n',
        b'{"piece": "1"}\n',
        b'{"piece": 2, "errors": [["a"]]}\n',
        b"[]\n",
        b'{"pie',
    ]
    (folder / UNFINISHED / MANIFEST).write_bytes(b"".join([*lines, *damaged]))
    run(folder, sources, resume=True)
    assert written(folder) == expected


def test_a_run_without_resume_begins_anew(sources: list[str], expected: dict[str, bytes], tmp_path: Path) -> None:
    begun(tmp_path / "out", sources)
    assert all(each.is_new for each in run(tmp_path / "out", sources))
    assert written(tmp_path / "out") == expected


def test_other_work_is_not_resumed(sources: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    begun(folder, sources)
    before = written(folder)
    other = (
        "is from a run with other files, other options, or another version of rehref; "
        "name another folder, or repeat the same command$"
    )
    with pytest.raises(FileError, match=other):
        run(folder, sources, resume=True, what="other options")
    with pytest.raises(FileError, match=other):
        run(folder, sources[1:], resume=True)
    os.utime("two.warc.gz", (1, 1))
    with pytest.raises(FileError, match=other):
        run(folder, sources, resume=True)
    path = folder / UNFINISHED / MANIFEST
    first, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(first), "work": "x", "version": "0.0.1"}).encode() + b"\n" + rest)
    with pytest.raises(FileError, match=r"was written by rehref 0\.0\.1, and this is "):
        run(folder, sources, resume=True)
    path.write_bytes(b"\0" + path.read_bytes())
    with pytest.raises(FileError, match="is damaged: its first line does not identify the work; remove the folder"):
        run(folder, sources, resume=True)
    path.unlink()
    with pytest.raises(FileError, match="is a folder that is not empty"):
        run(folder, sources, resume=True)
    assert {name: data for name, data in before.items() if UNFINISHED not in name}.items() <= written(folder).items()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_of_a_process_that_is_killed_nothing_is_lost(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed, first = tmp_path / "killed", os.getpid()

    def dying(*arguments: Any) -> Any:
        if arguments[4] is not None and arguments[4].start > 0 and os.getpid() != first and not killed.exists():
            killed.mkdir()
            (arguments[1].path.parent / temporary_name()).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return rewrite_found(*arguments)

    monkeypatch.setattr(rewriting_pieces, "rewrite_found", dying)
    done = run(tmp_path / "out", sources, jobs=2)
    assert killed.exists()
    assert sum(each.outcome.counts.changed for each in done if each.outcome is not None) == 301
    assert written(tmp_path / "out") == expected
    assert not (tmp_path / "out" / UNFINISHED).exists()


def test_an_archive_that_cannot_be_written_keeps_its_parts(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    (folder / "one.warc.gz").mkdir(parents=True)
    done = run(folder, sources)
    errors = [error for each in done if each.outcome is not None for error in each.outcome.errors]
    assert [(each.what, each.remedy) for each in errors] == [("cannot be written: is a directory", "name a file")]
    (folder / "one.warc.gz").rmdir()
    again = run(folder, sources, resume=True)
    assert not any(each.is_new for each in again)
    assert written(folder) == expected


def test_parts_that_are_gone_are_an_error(sources: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an error, nobody would learn that the archive is not written."""
    folder = tmp_path / "out"

    def losing(*arguments: Any) -> Any:
        result = rewrite_found(*arguments)
        for part in (folder / UNFINISHED).glob("*.part"):
            part.unlink()
        return result

    monkeypatch.setattr(rewriting_pieces, "rewrite_found", losing)
    done = run(folder, ["one.warc.gz"], jobs=1)
    errors = [str(error) for each in done if each.outcome is not None for error in each.outcome.errors]
    assert errors == ["one.warc.gz: its parts are no longer there; run it again"]
    assert not (folder / "one.warc.gz").exists()


def test_parts_of_a_joined_archive_are_removed_later(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends after an archive is joined, but before its parts are removed, leaves them to the next one."""
    folder = tmp_path / "out"
    unlink = Path.unlink

    def ending(path: Path, **more: Any) -> None:
        if path.suffix == ".part":
            raise KeyboardInterrupt
        unlink(path, **more)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", ending)
        with pytest.raises(KeyboardInterrupt):
            run(folder, sources, jobs=1)
    assert len(list((folder / UNFINISHED).glob("*.part"))) > 1
    run(folder, sources, resume=True)
    assert written(folder) == expected


def test_an_archive_that_is_read_as_another_type_is_not_divided(sources: list[str], tmp_path: Path) -> None:
    as_text = SourceOptions(media_type="text/plain")
    (tmp_path / "text.warc").write_bytes(gzip.decompress(archive(150, 0)))
    wanted = RewriteOptions(Template("https://r.example/{uri}"))
    rewrite_file("text.warc", "whole", wanted, as_text)
    files = [FileToRewrite(file_at("text.warc", as_text), FileTarget(tmp_path / "out" / "text.warc"))]
    done = list(rewrite_many(files, wanted, as_text, unfinished=tmp_path / "out" / UNFINISHED, size=SIZE))
    assert [each.outcome.errors for each in done if each.outcome is not None] == [()]
    assert (tmp_path / "out" / "text.warc").read_bytes() == Path("whole").read_bytes()


def test_files_of_others_in_the_folder_are_ignored_and_kept(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    (folder / UNFINISHED).mkdir(parents=True)
    (folder / UNFINISHED / ".DS_Store").write_bytes(b"theirs")
    theirs = {f"{UNFINISHED}/.DS_Store": b"theirs"}
    run(folder, sources)
    assert written(folder) == expected | theirs
    begun(folder, sources)
    run(folder, sources, resume=True)
    assert written(folder) == expected | theirs


def test_a_file_that_failed_is_not_done(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is done again, even if an older file has the name of its output."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "page.html").write_bytes(b"old")
    names = ["page.html", "one.warc.gz", "two.warc.gz"]
    with monkeypatch.context() as patched:
        patched.setattr(rewriting_pieces, "rewrite_found", _failing_for("page.html"))
        begun(folder, names)
    done = run(folder, names, resume=True)
    assert [each.is_new for each in done][:3] == [True, False, False]
    assert (folder / "page.html").read_bytes() == expected["page.html"]


def _failing_for(name: str) -> Callable[..., Any]:
    def failing(file: Any, *arguments: Any) -> Any:
        if file.name == name:
            raise FileError(name, "cannot be read")
        return rewrite_found(file, *arguments)

    return failing


def test_a_manifest_that_cannot_be_written_is_named(
    sources: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not standard output, which is full in other programs' words."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    folder = tmp_path / "out"
    path = folder / UNFINISHED / MANIFEST
    open_ = Path.open
    monkeypatch.setattr(Path, "open", lambda each, *more, **kw: open_(full if each == path else each, *more, **kw))
    with pytest.raises(FileError) as raised:
        run(folder, sources)
    assert (raised.value.file, raised.value.what) == (str(path), "cannot be written: no space left on device")


def test_progress_begins_before_archives_are_divided(
    sources: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [FileToRewrite(file_at(name, HOW), FileTarget(tmp_path / "out" / name)) for name in sources]

    def dividing(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(rewriting_pieces, "ranges_of", dividing)
    made = rewrite_many(files, RewriteOptions(), HOW, unfinished=tmp_path / "out" / UNFINISHED, size=SIZE)
    assert next(made) == PieceDone(None, 0, sum(Path(name).stat().st_size for name in sources), is_new=False)


def test_an_archive_is_joined_although_its_source_is_gone(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path
) -> None:
    """Only its indexes need it."""
    (tmp_path / "part").write_bytes(expected["one.warc.gz"])
    Path("one.warc.gz").unlink()
    target = FileTarget(tmp_path / "new.warc.gz")
    target.join(file_at("one.warc.gz", HOW), [tmp_path / "part"], Limits(), changed=True)
    assert (tmp_path / "new.warc.gz").read_bytes() == expected["one.warc.gz"]


def test_an_index_that_is_gone_is_written_again(sources: list[str], tmp_path: Path) -> None:
    """With `--cdx`; and if the index of a source has changed since, that is other work."""
    line = b'example,h)/0 20240102030405 {"url": "https://h.example/0", "offset": "0", "filename": "one.warc.gz"}\n'
    Path("one.cdxj").write_bytes(line)
    folder = tmp_path / "out"

    def rewritten(*, stop: int = 99, resume: bool = False) -> list[bool]:
        names = ["one.warc.gz", "page.html", "two.warc.gz"]
        files = [FileToRewrite(file_at(name, HOW), FileTarget(folder / name, folder, indexes=True)) for name in names]
        made = rewrite_many(
            files, RewriteOptions(), HOW, unfinished=folder / UNFINISHED, size=SIZE, jobs=1, resume=resume
        )
        done = [each.is_new for each, _ in zip(made, range(stop), strict=False) if each.outcome is not None]
        made.close()  # type: ignore[attr-defined]
        return done

    parts = len(pieces.ranges_of(Path("one.warc.gz"), Path("one.warc.gz").stat().st_size, SIZE))
    assert rewritten(stop=parts + 2) == [True, True]
    index = (folder / "one.cdxj").read_bytes()
    assert b"one.warc.gz" in index
    (folder / "one.cdxj").unlink()
    assert rewritten(stop=parts + 2, resume=True) == [True, False]
    assert (folder / "one.cdxj").read_bytes() == index
    assert rewritten(stop=parts + 2, resume=True) == [False, False]
    Path("one.cdxj").write_bytes(line + line)
    with pytest.raises(FileError, match="is from a run with other files"):
        rewritten(resume=True)


def test_conversions_stay_with_their_records(tmp_path: Path) -> None:
    """A record that has conversions gets another one behind them, wherever the archive is divided."""
    noise = random.Random(1)
    members = []
    for number in range(60):
        page = f"<a href=a{number}>{noise.randbytes(1500).hex()}</a>"
        members.append(response(f"https://h.example/{number}", page, number=number))
        refers = f"<urn:uuid:{number:032x}>"
        refers = gzip.decompress(members[-1]).partition(b"WARC-Record-ID: ")[2].partition(b"\r\n")[0].decode() or refers
        for other in range(3):
            block = noise.randbytes(3000).hex().encode()
            members.append(record("conversion", "", block, number=1000 + 3 * number + other, WARC_Refers_To=refers))
    source = tmp_path / "a.warc.gz"
    source.write_bytes(crawl(members))
    wanted = RewriteOptions(as_conversion=True)
    rewrite_file(source, tmp_path / "whole", wanted)
    for size in (4_000, 9_000, 20_000):
        ranges = pieces.ranges_of(source, source.stat().st_size, size)
        assert len(ranges) > 5
        found = b""
        for each in ranges:
            rewrite_file(source, tmp_path / "part", wanted, within=each)
            found += (tmp_path / "part").read_bytes()
        assert found == (tmp_path / "whole").read_bytes()


def test_an_outcome_is_read_as_it_was_written() -> None:
    outcome = PieceOutcome(RunCounts(3, 4), ("a", "b"), (FileError("file", "what"),))
    stored = outcome.as_object()
    again = PieceOutcome.of_object(json.loads(json.dumps(stored)))
    assert again is not None
    assert (again.counts, again.as_object()) == (outcome.counts, stored)
    assert PieceOutcome().as_object() == {}
    bads: list[dict[str, Any]] = [
        {"documents": "1"},
        {"notes": "a"},
        {"notes": [1]},
        {"errors": [["a", "b"]]},
        {"errors": {}},
    ]
    for bad in bads:
        assert PieceOutcome.of_object(bad) is None


FAILURES = (
    (FileError("other", "is missing", "look for it"), "other: is missing; look for it"),
    (MemoryError(), "page.html: there is not enough memory for it; try --jobs 1"),
    (KeyError("x"), "page.html: this should not happen (KeyError: 'x'); it is a fault of rehref, please report it"),
)
"""Errors, and how every way of working on a page reports them (`cli/test_cli_jobs.py` has the other)."""


@pytest.mark.parametrize(("error", "message"), FAILURES)
def test_every_way_reports_a_failure_in_the_same_words(
    sources: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def failing(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(rewriting_pieces, "rewrite_found", failing)
    (done,) = run(tmp_path / "out", ["page.html"])
    assert done.outcome is not None
    assert [*map(str, done.outcome.errors)] == [message]


def test_a_rule_that_raises_is_named_and_not_rehref(sources: list[str], tmp_path: Path) -> None:
    module: dict[str, Any] = {"__name__": "our_rules"}
    exec("def rule(link):\n    return {}[link.reference]", module)
    (tmp_path / "out").mkdir()
    files = [FileToRewrite(file_at("page.html", HOW), FileTarget(tmp_path / "out/page.html"))]
    *_, done = rewrite_many(files, RewriteOptions(module["rule"]), HOW, unfinished=None, what="", jobs=1)
    assert done.outcome is not None
    assert [*map(str, done.outcome.errors)] == [
        "page.html: our_rules failed (KeyError: 'https://h.example/'); it is not part of rehref: correct it, or report "
        "it to its authors"
    ]


# --- on the command line

Ran = Callable[..., Result]


def small(*arguments: Any, **more: Any) -> Any:
    return rewrite_many(*arguments, **more, size=SIZE)


@pytest.fixture
def ran(sources: list[str], monkeypatch: pytest.MonkeyPatch) -> Ran:
    """The command, which divides archives into small parts."""
    monkeypatch.setattr(rewrite_command, "rewrite_many", small)
    return lambda *arguments: CliRunner().invoke(program, ["rewrite", *map(str, arguments)])


def test_the_command_resumes_and_reports_all(ran: Ran, expected: dict[str, bytes], monkeypatch: Any) -> None:
    stopped = small

    def interrupted(*arguments: Any, **more: Any) -> Any:
        for number, each in enumerate(stopped(*arguments, **more)):
            if number == 5:
                raise KeyboardInterrupt
            yield each

    Path("missing").symlink_to("nowhere.html")
    arguments = ("missing", *NAMES, "-o", "out", "--jobs", "1")
    monkeypatch.setattr(rewrite_command, "rewrite_many", interrupted)
    assert ran(*arguments).exit_code != 0
    monkeypatch.setattr(rewrite_command, "rewrite_many", stopped)
    assert Path("out", UNFINISHED).is_dir()
    result = ran(*arguments, "--resume")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == (
        "rehref: 301 of 302 references changed in 301 of 301 documents; 1 file is not a document; 1 failed"
    )
    assert written(Path("out")) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["page.html", "--resume"], "--resume: goes with -o only; leave it out"),
        (["page.html", "--in-place", "--resume"], "--resume: goes with -o only; leave it out"),
        (["page.html", "--diff", "--resume"], "--resume: goes with -o only; leave it out"),
        (["one.warc.gz", "--unpack", "x", "--resume"], "--resume: does not go with --unpack; leave it out"),
    ],
)
def test_what_does_not_go_together(ran: Ran, arguments: list[str], message: str) -> None:
    result = ran(*arguments)
    assert (result.exit_code, result.stderr) == (2, f"rehref: {message}\n")


def test_two_inputs_of_the_same_name(ran: Ran, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "page.html").write_bytes(b"<a href=x>")
    result = ran("page.html", "more/page.html", "-o", "out")
    assert (result.exit_code, result.stderr) == (
        2,
        "rehref: -o out: page.html and more/page.html would both be written to out/page.html; "
        "rewrite them one after the other\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need privileges there")
def test_what_is_unfinished_is_not_written_through_a_link(ran: Ran, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / UNFINISHED).symlink_to(tmp_path / "outside")
    result = ran(*NAMES, "-o", "out")
    assert result.exit_code == 2
    assert "leads out of the folder out through a symbolic link" in result.stderr
    assert list((tmp_path / "outside").iterdir()) == []

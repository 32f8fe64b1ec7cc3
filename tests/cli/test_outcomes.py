"""What comes of documents, in one process or several: its order, and failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from archives.test_rewriting_pieces import FAILURES
from cli_runs import Run
from crawl import response
from rehref.archives.links_of_many import file_at
from rehref.cli._outcomes import Outcome, _Guarded
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument


def test_a_container_is_left_to_the_first_process_and_comes_in_its_turn(run: Run, tmp_path: Path) -> None:
    done: list[int] = []

    def work(document: FileDocument) -> Iterator[Outcome]:
        for number in range(3):
            done.append(number)
            yield Outcome(b"%d" % number, is_part=document.name == "archive")

    page, archive = (FileDocument(name, None, name, None) for name in ("page", "archive"))
    assert _Guarded(work, verbose=False)([archive, page])[0] is archive
    assert done == [0, 0, 1, 2]
    for number in range(30):
        name = f"{number:02}.warc.gz" if number % 7 == 3 else f"{number:02}.html"
        body = f"<a href={number}>"
        pages = b"".join(response(f"http://h/{each}", body, number=each) for each in range(5))
        (tmp_path / name).write_bytes(pages if name.endswith("gz") else body.encode())
    for form in ("table", "jsonl", "html"):
        alone, together = (run("links", "--format", form, "--jobs", jobs, ".") for jobs in (1, 2))
        assert (together.exit_code, together.stdout, together.stderr) == (0, alone.stdout, alone.stderr)


@pytest.mark.parametrize(("error", "message"), FAILURES)
def test_every_way_reports_a_failure_in_the_same_words(error: Exception, message: str) -> None:
    def failing(*_: object) -> Iterable[Outcome]:
        raise error

    (alone,) = _Guarded(failing, verbose=False).outcomes(file_at("page.html", SourceOptions()))
    assert [*map(str, alone.errors)] == [message]

"""`scripts/pin` notices what differs, and names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import modules
import rehref

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
URL = "https://h.example/a/b.html"


@pytest.fixture
def pin(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, with two documents, of which this process makes the results."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import pinned_results as pinned

    script = modules.module_at(SCRIPTS / "pin.py", "pin")
    pages = [("one", b'<base href="/x/"><a href="y.html">y</a>'), ("two", b"<p id=z>")]

    def subjects(*_: object, **__: object) -> Iterator[object]:
        for name, data in pages:
            yield pinned.Subject(name, data, URL, {"media_type": "text/html"})

    def made(corpora: object, _jobs: int, wanted: object = None, source: Path | None = None) -> object:
        with monkeypatch.context() as patch:
            if source is not None:  # another checkout, without what is planted
                patch.setattr(rehref, "rewrite", rewrite)
            outcomes = list(script.outcomes(0, 1, corpora, wanted, twin=True))
        results = {(name, setting, view): value for name, _, setting, view, value in outcomes}
        return results, {name: digest for name, digest, *_ in outcomes}

    rewrite = rehref.rewrite
    monkeypatch.setattr(script, "subjects", subjects)
    monkeypatch.setattr(script, "made", made)
    script.pages = pages
    return script


def planted(rewrite: Callable[..., Any]) -> Callable[..., Any]:
    """A function that rewrites like another one, but for one byte in one case."""

    def other(source: Any, rule: Any, **options: Any) -> Any:
        new = rewrite(source, rule, **options)
        is_case = rule == rehref.Relative() and options["profile"] == "whatwg" and options["parser"] == "source"
        return new.replace(b"y.html", b"y,html") if is_case else new

    return other


def test_what_differs_is_named(
    pin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "file")
    assert pin.main(["record", file]) == 0
    assert pin.main(["compare", file]) == 0
    capsys.readouterr()
    monkeypatch.setattr(rehref, "rewrite", planted(rehref.rewrite))
    assert pin.main(["compare", file, "--beside", str(tmp_path)]) == 1
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.endswith(" results compared; 1 differ, 0 are missing.")
    assert lines[0].startswith("  one [source whatwg] relative: differs at ")
    then, now = (line[9:] for line in lines[1:])
    assert then.replace("y.html", "y,html") == now != then


def test_what_is_missing_is_named(
    pin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "file")
    assert pin.main(["record", file]) == 0
    tasks = pin.tasks
    monkeypatch.setattr(pin, "tasks", lambda *given, **how: list(tasks(*given, **how))[1:])
    assert pin.main(["compare", file]) == 1
    assert "one [source rfc3986] links: is missing" in capsys.readouterr().out


def test_a_document_that_changed_is_not_compared(pin: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "file")
    assert pin.main(["record", file]) == 0
    pin.pages[1] = ("two", b'<a href="new">')
    assert pin.main(["compare", file]) == 0
    assert "1 documents changed, or are gone: two" in capsys.readouterr().out


def test_another_file_is_refused(pin: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("[1]\n", encoding="utf-8")
    assert pin.main(["compare", str(file)]) == 2
    assert capsys.readouterr().err == "pin: this file has no pins (rehref-pins 1)\n"


@pytest.mark.slow  # each command is imported
def test_every_view_has_a_result(pin: Any, fixtures: Path) -> None:
    """Nothing is recorded as an exception that a view raises by itself."""
    import pinned_results as pinned

    page = fixtures / "inline-svg.html"
    document = pinned.Subject(page.name, page.read_bytes(), URL, {"media_type": "text/html"})
    container = pinned.Subject(
        "page.mht", (fixtures / "mime/unmht.mht").read_bytes(), None, {}, None, is_container=True
    )
    site = pinned.Subject("site", folder=fixtures / "sites/base-late/site")
    options = {"profile": "rfc3986", "parser": "source"}
    for subject, views, how in (
        (document, pinned.DOCUMENT_VIEWS, {**options, "media_type": "text/html"}),
        (container, pinned.CONTAINER_VIEWS, options),
        (site, pinned.SITE_VIEWS, options),
    ):
        for name, view in views.items():
            made = view(subject, how)
            assert made, name
            assert b"exit code 2" not in made, made

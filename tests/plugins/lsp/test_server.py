"""`rehref lsp` as a process, with the editor of `editor.py`: what might end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from checked.contexts import written
from plugins.lsp.editor import Editor

Started = Callable[..., Editor]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    """Starts an editor on a folder with files; its server ends with the test."""
    editors = []

    def start(files: dict[str, str | bytes]) -> Editor:
        editors.append(Editor(written(tmp_path / "a site", files)))
        return editors[-1]

    yield start
    for editor in editors:
        editor.kill()


def test_hostile_messages_end_nothing(started: Started, tmp_path: Path) -> None:
    secret = written(tmp_path, {"outside.html": "<p id=secret><a href=none.html>"}) / "outside.html"
    editor = started({"a.html": "<a href=link.html#s>", "latin.html": b"<meta charset=latin1><a href=\xe9.html>"})
    (editor.folder / "link.html").symlink_to(secret)
    for body in (b"{", b"[]", b"null", b'"x"', b'{"jsonrpc": "2.0"}', b"\xff\xfe", b"[" * 100_000, b"{}" * 9):
        editor.write(body)
    editor.send({"jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": {"position": "x"}})
    editor.send({"jsonrpc": "2.0", "id": {}, "method": "textDocument/hover", "params": 1})
    assert "error" in editor.ask("no/such", None)
    for uri in ("", "x", "file:", "file:///%00", "untitled:1", "https://example.org/a.html", secret.as_uri()):
        document = {"uri": uri, "languageId": "html", "version": 1, "text": "<a href=none.html>"}
        editor.tell("textDocument/didOpen", {"textDocument": document})
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 10}}
        assert editor.ask("textDocument/definition", place) is None
        assert editor.ask("textDocument/completion", place) in ([], None)
        editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    editor.open("a.html", "<a href=link.html#s>\ud800\0<a href=none.html>" + "<a href='" * 50)
    assert [each for each in editor.codes("a.html") if each.startswith("missing")] == ["missing-file"]
    led = editor.ask("textDocument/definition", editor.at("a.html", "link", 2))
    assert led is None or led["range"]["end"] == {"line": 0, "character": 0}  # nothing in that file was looked up
    assert "secret" not in str(editor.ask("textDocument/completion", editor.at("a.html", "#s", 1)))
    wrong = {"line": 2**31 - 1, "character": 2**31 - 1}
    editor.ask("textDocument/hover", {"textDocument": {"uri": editor.uri("a.html")}, "position": wrong})
    editor.open("latin.html", "<meta charset=latin1><a href=é.html>😀")
    [found] = editor.published("latin.html")
    assert editor.at_range(editor.texts["latin.html"], found["range"]) == "é.html"
    editor.change("a.html", "<a href=none.html>" * 120_000)
    [one] = editor.published("a.html")
    assert "more than 2,000,000 characters" in one["message"]
    editor.change("a.html", "<a href=none.html>" * 2_000)
    assert len(editor.published("a.html")) == 500
    assert str(tmp_path / "outside.html") not in str(editor.said)


def test_the_server_ends_with_the_editor(started: Started) -> None:
    editor = started({f"{number}.html": "<a href=x.html>" * 100 for number in range(200)})
    editor.open("1.html")
    editor.server.incoming.close()  # in the middle of a check
    assert editor.server.wait() == 0
    assert "Traceback" not in editor.server.errors()

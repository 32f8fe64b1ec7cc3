"""The protocol as LSP 3.17 defines it, with messages that no editor sends: each request has an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checked.contexts import written
from plugins.lsp.editor import Editor

INVALID_REQUEST, UNKNOWN, INVALID_PARAMS, UNREADABLE, TOO_EARLY = -32600, -32601, -32602, -32700, -32002
PAGE = "<meta charset=utf-8><a href=none.html>"


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    """An editor that has not begun."""
    editor = Editor(written(tmp_path / "site", {"a.html": PAGE}), begins=False)
    yield editor
    editor.kill()


def code(answer: dict[str, Any]) -> int:
    assert "Traceback" not in str(answer)
    return int(answer["error"]["code"])


def test_every_request_has_an_answer_and_nobody_sees_a_traceback(editor: Editor) -> None:
    place = {"textDocument": {"uri": editor.uri("a.html")}, "position": {"line": 0, "character": 30}}
    assert code(editor.ask("textDocument/hover", place)) == TOO_EARLY
    editor.open("a.html")  # too early: it is dropped
    editor.close("a.html")
    editor.begin()
    assert code(editor.ask("initialize", editor.begin_params)) == INVALID_REQUEST
    editor.open("a.html")
    assert editor.codes("a.html") == ["missing-file"]
    for params in (None, 1, [], {}, {"position": "x"}, {**place, "position": {"line": -1, "character": -5}}):
        for method in ("hover", "completion", "rename", "codeAction"):
            assert code(editor.ask(f"textDocument/{method}", params)) == INVALID_PARAMS, (method, params)
    for number, method in enumerate(("no/such", "$/no", 5)):
        editor.send({"jsonrpc": "2.0", "id": f"n{number}", "method": method})
        assert code(editor.answer(f"n{number}")) == UNKNOWN
    for body, expected in ((b"{", UNREADABLE), (b"[]", INVALID_REQUEST), (b"null", INVALID_REQUEST)):
        editor.write(body)
        assert code(editor.answer(None)) == expected
    assert editor.ask("textDocument/hover", place) is not None
    assert editor.ask("shutdown", None) is None
    assert code(editor.ask("textDocument/hover", place)) == INVALID_REQUEST
    editor.tell("exit", None)
    assert editor.server.wait() == 0
    assert editor.server.errors() == ""
    assert editor.said == ["workspace/didChangeWatchedFiles"]


def test_an_end_without_shutdown_is_a_failure(editor: Editor) -> None:
    editor.begin()
    editor.tell("exit", None)
    assert editor.server.wait() == 1

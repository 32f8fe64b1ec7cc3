"""What was checked and what is open, when findings are published, in this process."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types as lsp

from rehref.plugins.lsp import _language_server as module
from rehref.plugins.lsp._protocol import EditorServer, Protocol

URI = "file:///srv/a.html"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The diagnostics that are sent."""
    found: list[Any] = []
    monkeypatch.setattr(EditorServer, "text_document_publish_diagnostics", lambda _, params: found.append(params))
    return found


def test_findings_of_a_text_that_is_gone_are_dropped(sent: list[Any]) -> None:
    session: Any = module._Session(EditorServer("x", "1", protocol_cls=Protocol), lambda _: SimpleNamespace())
    session._loop = SimpleNamespace(call_soon_threadsafe=lambda send: send())
    checked = lsp.TextDocumentItem(URI, "html", 4, "<p>")
    session._opened[URI] = checked
    session._publish(URI, [], checked)
    session._opened[URI] = lsp.TextDocumentItem(URI, "html", 5, "<p>")
    session._publish(URI, [], checked)  # it has changed
    session._publish(URI, [])  # it is open, and the file was checked
    del session._opened[URI]
    session._publish(URI, [], checked)  # it was closed while it was checked
    session._publish(URI, [])
    assert [each.version for each in sent] == [4, None]

"""`rehref lsp` in threads of this process, with the editor of `editor.py`: what it answers, and what it publishes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import IO, Any

import pytest
from lsprotocol import types as lsp

from checked.contexts import written
from hashed_site import hashed
from patience import PATIENCE
from plugins.lsp.editor import Editor
from rehref.plugins.lsp import _language_server as module
from rehref.plugins.lsp.command import command

URI = "file:///srv/a.html"
BEGIN = "<!doctype html><meta charset=utf-8><title>t</title>\n"
SITE = {
    "index.html": f'{BEGIN}<p>😀e\u0301 <a href="guide/windd.html#gale">w</a> <a href="guide/wind.html#gael">v</a>\n',
    "guide/wind.html": f'{BEGIN}<p id="gale">x <a href="../index.html">i</a> <a href="#gale">g</a>\n',
    "guide/two words.html": f"{BEGIN}<p id='ü'>\n",
    "style.css": "p { background: url(none.png) }\n",
    "feed.xml": '<feed xmlns="http://www.w3.org/2005/Atom"><link href="guide/wind.html"/></feed>\n',
}

Started = Callable[..., Editor]


class ServerHere:
    """The command in a thread; it speaks on two pipes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        (read, write), (read_back, write_back) = os.pipe(), os.pipe()
        self.incoming, self.outgoing = os.fdopen(write, "wb"), os.fdopen(read_back, "rb")
        ends = os.fdopen(read, "rb"), os.fdopen(write_back, "wb")
        monkeypatch.setattr(module, "serve", lambda settings_of: module.speak(settings_of, *ends))
        self._code = -1
        self._thread = Thread(target=self._run, args=ends)
        self._thread.start()

    def _run(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        with incoming, outgoing:
            self._code = command.main([], standalone_mode=False)

    def wait(self) -> int:
        self._thread.join(PATIENCE)
        return self._code

    def kill(self) -> None:
        self.incoming.close()
        self.wait()

    def errors(self) -> str:
        return ""


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """Starts an editor on a folder with files; its server ends with the test, and does not wait before it checks."""
    editors = []
    monkeypatch.setattr(module, "_SOON", 0.005)
    monkeypatch.setattr(module, "_LATER", 0.01)

    def start(files: dict[str, str | bytes], *encodings: str, **given: bool) -> Editor:
        folder = written(tmp_path / "a site", files)
        editors.append(Editor(folder, *encodings, server=ServerHere(monkeypatch), **given))
        return editors[-1]

    yield start
    for editor in editors:
        editor.kill()


def actions(editor: Editor, path: str, **context: Any) -> list[dict[str, Any]]:
    """What is offered for the whole document."""
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}
    params = {"textDocument": {"uri": editor.uri(path)}, "range": whole, "context": {"diagnostics": [], **context}}
    found = editor.ask("textDocument/codeAction", params)
    assert isinstance(found, list)
    return found


def labels(found: list[dict[str, Any]]) -> list[str]:
    return [each["label"] for each in found]


@pytest.mark.parametrize("offered", [(), ("utf-8",), ("utf-32", "utf-16")])
def test_a_document_is_checked_corrected_and_followed(started: Started, offered: tuple[str, ...]) -> None:
    editor = started(SITE, *offered)
    assert editor.units == (*offered, "utf-16")[0]
    editor.open("index.html")
    found, text = editor.published("index.html"), editor.texts["index.html"]
    assert [(each["code"], editor.at_range(text, each["range"])) for each in found] == [
        ("missing-file", "guide/windd.html#gale"),
        ("missing-fragment", "guide/wind.html#gael"),
    ]
    assert {(each["source"], each["severity"]) for each in found} == {("rehref", 1)}

    led = editor.ask("textDocument/documentLink", {"textDocument": {"uri": editor.uri("index.html")}})
    assert [(editor.at_range(text, each["range"]), each["target"]) for each in led] == [
        ("guide/wind.html#gael", editor.uri("guide/wind.html"))
    ]
    hover = editor.ask("textDocument/hover", editor.at("index.html", "windd"))
    assert editor.at_range(text, hover["range"]) == "guide/windd.html#gale"
    assert hover["contents"]["value"].splitlines() == [
        "**`/guide/windd.html#gale`**  ",
        "base: `/index.html`, retrieval URI  ",
        "there is no file guide/windd.html",
    ]

    fixes = [each for each in actions(editor, "index.html") if each["kind"] == "quickfix"]
    assert [each["title"] for each in fixes] == ["Write guide/wind.html#gale"] * 2
    for each in reversed(fixes):
        text = editor.edited(text, editor.edits(each["edit"])[editor.uri("index.html")])
    editor.change("index.html", text)
    assert editor.published("index.html") == []
    assert text.count('"guide/wind.html#gale"') == 2
    assert editor.end() == 0
    assert (editor.folder / "index.html").read_text("utf-8") == SITE["index.html"]  # it is only the editor's


def test_what_is_known_of_references(started: Started) -> None:
    editor = started(SITE)
    editor.open("guide/wind.html")
    assert editor.codes("guide/wind.html") == []
    line = f'{BEGIN}<base href="/x/"><p id="gale"><a href="#gale">g</a><a href="wind.html">h</a> <a href="..\\y">'
    editor.change("guide/wind.html", line)
    hover = editor.ask("textDocument/hover", editor.at("guide/wind.html", '"wind', 2))["contents"]["value"]
    assert hover.splitlines()[1] == "base: `/x/`, \\<base href\\> at 2:1  "
    assert "there is no file x/wind.html" in hover
    assert editor.ask("textDocument/hover", editor.at("guide/wind.html", "<base")) is None

    editor.open("index.html", SITE["index.html"].replace("windd", "wind").replace("gael", "gale"))
    editor.change("guide/wind.html", SITE["guide/wind.html"])
    where = editor.ask("textDocument/definition", editor.at("index.html", 'guide/wind.html#gale">w', 3))
    assert where["uri"] == editor.uri("guide/wind.html")
    assert editor.at_range(editor.texts["guide/wind.html"], where["range"]) == "gale"
    assert editor.codes("index.html") == []
    editor.change("guide/wind.html", SITE["guide/wind.html"].replace('id="gale"', 'id="storm"'))
    assert editor.codes("guide/wind.html") == ["missing-fragment"]
    editor.becomes("index.html", ["missing-fragment"] * 2)  # of the text that is open there
    editor.close("guide/wind.html")
    editor.becomes("index.html", [])  # of the file again


def test_paths_and_ids_are_completed(started: Started) -> None:
    editor = started({**SITE, ".hidden.html": "", "b(1).md": ""})
    editor.open(
        "index.html", f'{BEGIN}<a href="">a</a> <a href="guide/w">b</a> <a href="guide/two%20words.html#">c</a>'
    )

    def completed(mark: str, offset: int) -> list[dict[str, Any]]:
        found = editor.ask("textDocument/completion", editor.at("index.html", mark, offset))
        assert isinstance(found, list)
        return found

    assert labels(completed('href="">', 6)) == ["b(1).md", "feed.xml", "guide/", "index.html", "style.css"]
    inside = completed("guide/w", 7)
    assert labels(inside) == ["two words.html", "wind.html"]
    assert [each["textEdit"]["newText"] for each in inside] == ["two%20words.html", "wind.html"]
    new = editor.edited(editor.texts["index.html"], [inside[1]["textEdit"]])
    assert '<a href="guide/wind.html">b</a>' in new
    assert [each["textEdit"]["newText"] for each in completed('html#"', 5)] == ["%C3%BC"]
    for text in ('<p><a href="guide/', "<p><a href='guide/", "<p>😀<a href=guide/"):  # not ended yet
        editor.change("index.html", text)
        assert labels(completed("guide/", 6)) == ["two words.html", "wind.html"], text
    for text in ("<p>no reference", '<a href="https://example.org/">', '<a href="none/">'):
        editor.change("index.html", text)
        assert completed(text, len(text) - 2) == []


def test_names_of_files_folders_and_ids_change_with_their_references(started: Started) -> None:
    more = {"c.html": f'{BEGIN}<a href="guide/wind.html#gale">\n', "_redirects": "/old /guide/wind.html 301\n"}
    editor = started({**SITE, **more})
    editor.open("index.html", '<a href="c.html">é</a> <a href="guide/wind.html">\r\n<img src=i.png>')

    def changed(files: dict[str, str]) -> dict[str, str]:
        pairs = [{"oldUri": editor.uri(old), "newUri": editor.uri(new)} for old, new in files.items()]
        edit = editor.ask("workspace/willRenameFiles", {"files": pairs})
        return applied(editor.edits(edit))

    def applied(changes: dict[str, Any]) -> dict[str, str]:
        found = {}
        for path in [*SITE, *more]:
            text = editor.texts.get(path, (editor.folder / path).read_bytes().decode())
            found[path] = editor.edited(text, changes.pop(editor.uri(path), []))
        assert changes == {}
        return {path: text for path, text in found.items() if text != {**SITE, **more, **editor.texts}[path]}

    one = changed({"guide": "book"})
    assert one["index.html"] == '<a href="c.html">é</a> <a href="book/wind.html">\r\n<img src=i.png>'
    assert one["_redirects"] == "/old /book/wind.html 301\n"
    assert one["feed.xml"] == str(SITE["feed.xml"]).replace("guide", "book")
    assert "guide/wind.html" not in one  # what it refers to is where it was

    both = changed({"guide/wind.html": "w.html", "index.html": "a/home.html", "c.html": "a/c.html"})
    assert both["index.html"] == '<a href="c.html">é</a> <a href="../w.html">\r\n<img src=i.png>'
    assert both["c.html"] == f'{BEGIN}<a href="../w.html#gale">\n'
    assert '<a href="a/home.html">' in both["guide/wind.html"]

    outside = [{"oldUri": editor.uri("c.html"), "newUri": (editor.folder.parent / "c.html").as_uri()}]
    assert editor.ask("workspace/willRenameFiles", {"files": outside}) is None
    gone = [{"oldUri": editor.uri("none.html"), "newUri": editor.uri("n.html")}]
    assert editor.ask("workspace/willRenameFiles", {"files": gone}) is None
    assert "there is no such file or folder" in editor.hear("none.html")

    editor.open("c.html")
    editor.open("guide/wind.html")
    for place in (editor.at("guide/wind.html", '"gale">x', 2), editor.at("c.html", "#gale", 2)):
        known = editor.ask("textDocument/prepareRename", place)
        where = known["range"]
        assert known["placeholder"] == "gale"
        assert where["end"]["character"] - where["start"]["character"] == 4
        ids = applied(editor.edits(editor.ask("textDocument/rename", {**place, "newName": "storm"})))
        assert ids == {
            "c.html": f'{BEGIN}<a href="guide/wind.html#storm">\n',
            "guide/wind.html": str(SITE["guide/wind.html"]).replace("gale", "storm"),
        }
    assert editor.ask("textDocument/prepareRename", editor.at("c.html", "guide/", 2)) is None
    assert editor.ask("textDocument/rename", {**editor.at("c.html", "#gale", 2), "newName": "a b"}) is None
    assert "is not an id" in editor.hear("a b")


def test_the_folder_is_checked_with_its_settings(started: Started, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('ignore = "missing-file"\n')  # above the folder: it does not count
    editor = started({**SITE, "rehref.toml": '[check]\nignore = "missing-fragment"\nfix = true\n'})
    editor.becomes("style.css", ["missing-file"])
    editor.becomes("index.html", ["missing-file"])
    assert editor.hear("didChange") == "workspace/didChangeWatchedFiles"
    (editor.folder / "none.png").touch()
    editor.tell("workspace/didChangeWatchedFiles", {"changes": []})
    editor.becomes("style.css", [])
    (editor.folder / "rehref.toml").write_text('[check]\nselct = "lint"\n')
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri("rehref.toml")}})
    assert "check.selct is not an option; did you mean select?" in editor.hear("selct")
    (editor.folder / "rehref.toml").write_text('[check]\nroot = "guide"\n')
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri("rehref.toml")}})
    editor.becomes("index.html", [])  # which is not in the folder any more
    (editor.folder / "guide/new.html").write_text(f"{BEGIN}<a href=gone.html>")
    editor.tell("workspace/didChangeWatchedFiles", {"changes": []})
    editor.becomes("guide/new.html", ["missing-file"])


def test_markdown_css_and_notebooks(started: Started) -> None:
    pytest.importorskip("pyromark")
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["[é](gidue.md)\n"]}
    notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}, ensure_ascii=False)
    editor = started(
        {
            "mkdocs.yml": "site_name: x\nmarkdown_extensions: [attr_list]\n",
            "index.md": "# Home\n",
            "guide.md": "# The *Wind*\n\n## Calm\n",
            "n.ipynb": notebook,
        }
    )
    editor.open("index.md", "# Home\n\n😀 [w](guide.md#the-wnd) [x](guid")
    found = editor.published("index.md")
    assert [each["code"] for each in found] == ["missing-fragment"]
    assert editor.at_range(editor.texts["index.md"], found[0]["range"]) == "guide.md#the-wnd"
    [fix] = actions(editor, "index.md", only=["quickfix"])
    new = editor.edited(editor.texts["index.md"], editor.edits(fix["edit"])[editor.uri("index.md")])
    assert "[w](guide.md#the-wind)" in new
    assert labels(editor.ask("textDocument/completion", editor.at("index.md", "[x](guid", 8))) == [
        "guide.md",
        "index.md",
        "mkdocs.yml",
        "n.ipynb",
    ]
    editor.change("index.md", new)
    where = editor.ask("textDocument/definition", editor.at("index.md", "#the-wind", 2))
    assert (where["uri"], where["range"]["start"]["line"]) == (editor.uri("guide.md"), 0)
    editor.change("index.md", f"{new}) [c](guide.md#calm)")
    editor.open("guide.md")
    for path, mark in (("index.md", "#calm"), ("guide.md", "Calm")):
        place = editor.at(path, mark, 2)
        assert editor.ask("textDocument/prepareRename", place)["placeholder"] == "calm"
        renamed = editor.edits(editor.ask("textDocument/rename", {**place, "newName": "storm"}))
        for each, part in (("index.md", "[c](guide.md#storm)"), ("guide.md", "\n\n## Calm {#storm}\n")):
            assert part in editor.edited(editor.texts[each], renamed[editor.uri(each)])
    editor.change("index.md", new)
    editor.open("n.ipynb")
    [broken] = editor.published("n.ipynb")
    assert editor.at_range(notebook, broken["range"]) == "gidue.md"
    edit = editor.ask(
        "workspace/willRenameFiles", {"files": [{"oldUri": editor.uri("guide.md"), "newUri": editor.uri("a/g.md")}]}
    )
    assert editor.edited(new, editor.edits(edit)[editor.uri("index.md")]).startswith(
        "# Home\n\n😀 [w](a/g.md#the-wind)"
    )


def test_a_readme_beside_pages_is_read_when_it_is_open(started: Started) -> None:
    pytest.importorskip("pyromark")
    editor = started({**SITE, "README.md": "[x](none.md) [i](index.html)\n"})
    editor.open("README.md")
    assert editor.codes("README.md") == ["missing-file"]
    place = editor.at("README.md", "index", 2)
    assert editor.ask("textDocument/definition", place)["uri"] == editor.uri("index.html")


def test_a_document_may_have_any_name(started: Started) -> None:
    editor = started({"two words & ü.html": "<a href=none.html>", "100%.html": ""})
    for path in ("two words & ü.html", "100%.html"):
        editor.open(path, "<meta charset=utf-8><a href=gone.html>")
        assert "missing-file" in editor.codes(path)


def test_an_edit_is_for_the_text_that_the_editor_has_and_else_there_is_none(started: Started) -> None:
    """The files of a host, and texts that are too long, are read from the disk: only if they are saved, they change."""
    rules = "/😀 /guide/wind.html\n"
    editor = started({**SITE, "_redirects": rules})

    def moved() -> dict[str, Any] | None:
        pair = {"oldUri": editor.uri("guide/wind.html"), "newUri": editor.uri("guide/gale.html")}
        edit = editor.ask("workspace/willRenameFiles", {"files": [pair]})
        return None if edit is None else editor.edits(edit)

    (editor.folder / "_redirects").write_text(f"/new /x\n{rules}", "utf-8")  # nobody says so
    edits = moved()
    assert edits is not None
    assert editor.edited(f"/new /x\n{rules}", edits[editor.uri("_redirects")]) == "/new /x\n/😀 /guide/gale.html\n"

    editor.open("_redirects")
    assert moved() == edits
    editor.change("_redirects", f"/newer /x\n/new /x\n{rules}")
    assert moved() is None
    assert "_redirects" in editor.hear("is not saved")
    editor.close("_redirects")
    assert moved() == edits

    long = f"{SITE['index.html']}{' ' * 2_000_000}"
    (editor.folder / "index.html").write_text(long, "utf-8")
    editor.open("index.html")
    edits = moved()
    assert edits is not None
    assert editor.edited(long, edits[editor.uri("index.html")]) == long.replace("guide/wind.html", "guide/gale.html")
    editor.change("index.html", f"\n{long}")
    assert moved() is None
    assert "index.html" in editor.hear("index.html")
    for method in ("hover", "definition", "completion", "prepareRename"):
        assert editor.ask(f"textDocument/{method}", editor.at("index.html", "gael")) in (None, [])


def test_an_edit_for_another_version_is_refused_by_the_editor(started: Started) -> None:
    """As Neovim says that it knows versions: by the operations that it knows."""
    editor = started(SITE, begins=False)
    editor.begin_params["capabilities"]["workspace"]["workspaceEdit"] = {"resourceOperations": ["rename"]}
    editor.begin()
    editor.open("index.html")
    editor.published("index.html")
    fixes = actions(editor, "index.html", only=["quickfix"])
    assert {each["edit"]["documentChanges"][0]["textDocument"]["version"] for each in fixes} == {1}
    editor.change("index.html", f"\n{SITE['index.html']}")
    with pytest.raises(AssertionError):
        editor.edits(fixes[0]["edit"])


def test_a_part_of_a_text_is_no_text(started: Started) -> None:
    """The server asks for whole texts: after anything else, its edits stay those of the version before."""
    editor = started(SITE)
    editor.open("index.html")
    editor.published("index.html")
    part = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n"}
    document = {"uri": editor.uri("index.html"), "version": 2}
    editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [part]})
    fixes = actions(editor, "index.html", only=["quickfix"])
    assert {each["edit"]["documentChanges"][0]["textDocument"]["version"] for each in fixes} == {1}


def test_an_editor_that_knows_no_versions_gets_plain_edits(started: Started) -> None:
    editor = started(SITE, versions=False)
    pair = {"oldUri": editor.uri("guide/wind.html"), "newUri": editor.uri("guide/gale.html")}
    edit = editor.ask("workspace/willRenameFiles", {"files": [pair]})
    assert set(edit) == {"changes"}
    assert editor.uri("index.html") in edit["changes"]


def test_a_damaged_document_hides_no_other(started: Started) -> None:
    editor = started({"bad.html": b"\x1f\x8bxx", "c.html": f"{BEGIN}<a href=none.html>"})
    assert editor.codes("bad.html") == ["unreadable"]
    assert editor.codes("c.html") == ["missing-file"]


def test_a_broken_configuration_is_said_once_and_ends_nothing(started: Started) -> None:
    editor = started({**SITE, "rehref.toml": "[chec"})
    editor.open("index.html")
    editor.hear("is not TOML")
    place = editor.at("index.html", "windd")
    editor.close("index.html")
    assert editor.ask("textDocument/hover", place) is None
    (editor.folder / "rehref.toml").write_text("")
    editor.tell("workspace/didChangeWatchedFiles", {"changes": []})
    editor.becomes("index.html", ["missing-file", "missing-fragment"])
    assert len([each for each in editor.said if each.startswith(("rehref", "Error"))]) == 1


def test_another_folder_is_checked_once_it_is_the_first(started: Started, tmp_path: Path) -> None:
    other = written(tmp_path / "other", {"o.html": f"{BEGIN}<a href=none.html>"})
    editor = started({"a.html": f"{BEGIN}<a href=none.html>"})
    editor.becomes("a.html", ["missing-file"])
    first, second = ({"uri": each.as_uri(), "name": "x"} for each in (editor.folder, other))
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [second], "removed": [first]}})
    editor.becomes("a.html", [])
    editor.folder = other
    editor.becomes("o.html", ["missing-file"])


def test_a_document_that_cannot_be_a_file_affects_no_other(started: Started) -> None:
    editor = started(SITE)
    long = editor.uri("x" * 5000), f"{editor.uri('')}/{'a/' * 3000}"
    odd = *long, "file://[bad", f"{editor.uri('')}%00", "untitled:1", ""
    for number, uri in enumerate(odd):
        item = {"uri": uri, "languageId": "x", "version": number, "text": "<a href=gone.html>"}
        editor.tell("textDocument/didOpen", {"textDocument": item})
    editor.open("index.html", f"{BEGIN}<a href=no.html>")
    editor.becomes("index.html", ["missing-file"])
    editor.becomes("style.css", ["missing-file"])
    editor.change("index.html", BEGIN)
    editor.becomes("index.html", [])
    assert {editor.uri("index.html"), editor.uri("style.css")} <= editor.reported
    assert editor.reported.isdisjoint(odd)
    assert [each for each in editor.said if each.startswith(("rehref", "Error"))] == []


def test_hashes_follow_what_a_move_changes(started: Started) -> None:
    sheet = "p { background: url(x.svg) }"
    editor = started(
        {"a.css": sheet, "x.svg": "<svg/>", "i.html": f"<link rel=stylesheet href=a.css integrity={hashed(sheet)}>"}
    )
    pair = {"oldUri": editor.uri("x.svg"), "newUri": editor.uri("y.svg")}
    edits = editor.edits(editor.ask("workspace/willRenameFiles", {"files": [pair]}))
    assert hashed(sheet.replace("x.svg", "y.svg"))[7:-1] in str(edits[editor.uri("i.html")])


def test_findings_of_a_text_that_is_gone_are_dropped() -> None:
    sent: list[Any] = []
    server: Any = SimpleNamespace(feature=lambda *_: lambda _: None, text_document_publish_diagnostics=sent.append)
    session: Any = module._Session(server, lambda _: SimpleNamespace())
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

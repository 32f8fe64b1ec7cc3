"""Jupyter notebooks: one test for each rule of `rehref.documents._formats.notebook`, and the laws."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rehref
from growth import assert_proportional
from laws import between
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.edits import rewrite_document

pytest.importorskip("pyromark", reason="needs the package pyromark")

NOTEBOOK = {
    "cells": [
        {
            "cell_type": "markdown",
            "metadata": {},
            "source": ['# Hé "x"\n', "[a](b.md) 😀 \\\\ ![i](<c d>) <a href='e&amp;f'>\n", "[l]\n", "\n", "[l]: ../g"],
        },
        {"cell_type": "markdown", "source": "[one](two) [t](u)"},
        {
            "cell_type": "code",
            "source": ["[no](no)"],
            "outputs": [{"data": {"text/html": ["<p>\n", '<a href="h/i">x</a>'], "text/plain": ["x"]}}, 1],
        },
    ],
    "metadata": {},
    "nbformat": 4,
}
REFERENCES = ["b.md", "c d", "e&f", "../g", "two", "u", "h/i"]
FORMS = [{"indent": 1}, {"indent": 1, "ensure_ascii": False}, {}]


def options(**more: Any) -> dict[str, Any]:
    return {"media_type": "application/x-ipynb+json", "url": "http://h.example/d/n.ipynb", **more}


@pytest.mark.parametrize("form", FORMS)
def test_cells_and_outputs_and_where_they_are(form: dict[str, Any]) -> None:
    text = json.dumps(NOTEBOOK, **form)
    for source in (text, text.encode(), text.encode("utf-16")):
        links = rehref.links(source, **options())
        assert [each.reference for each in links] == REFERENCES
        for each in links:
            assert each.line is not None
            assert each.column is not None
            line = text.split("\n")[each.line - 1]
            assert line[each.column - 1 :].replace("&amp;", "&").startswith(each.reference)


@pytest.mark.parametrize("form", FORMS)
def test_laws(form: dict[str, Any]) -> None:
    data = json.dumps(NOTEBOOK, **form).encode()
    links = rehref.links(data, **options())
    assert rehref.rewrite(data, lambda link: None, **options()) == data
    absolute = rehref.rewrite(data, rehref.Absolute(), **options())
    again = rehref.links(absolute, **options())
    assert between(data, links) == between(absolute, again)
    assert [each.target for each in again] == [each.target for each in links]
    assert rehref.rewrite(absolute, rehref.Absolute(), **options()) == absolute


def test_cells_are_not_mdx() -> None:
    data = json.dumps({"cells": [{"cell_type": "markdown", "source": "    [no](a)\n\n<img src=b> {"}]})
    assert [each.reference for each in rehref.links(data, **options(dialect="docusaurus"))] == ["b"]


def test_what_is_written_is_escaped_for_markdown_and_for_json() -> None:
    data = json.dumps(NOTEBOOK).encode()
    made = rehref.rewrite(data, lambda link: 'é"\\*' if link.reference == "two" else None, **options())
    assert json.loads(made)["cells"][1]["source"] == '[one](é"\\\\*) [t](u)'


def test_a_change_in_two_strings_is_not_made() -> None:
    data = json.dumps({"cells": [{"cell_type": "markdown", "source": ['<a href="a\n', 'b">x</a>']}]}).encode()
    assert [each.reference for each in rehref.links(data, **options())] == ["a\nb"]
    assert rehref.rewrite(data, lambda link: "c", **options()) == data


def test_what_is_not_written_is_not_counted_as_changed_and_named() -> None:
    cell = {"cell_type": "markdown", "source": ["<http://a.b/> [c](d)\n", '<a href="e\n', 'f">x</a>']}
    data = json.dumps({"cells": [cell]}).encode()
    document = read_document(data, "application/x-ipynb+json", None, Layers(), ReadOptions.DEFAULT)
    made = rewrite_document(document, lambda link: "g")
    assert (made.changed, made.references) == (1, 3)
    assert made.refused == ((1, data.index(b"http:") + 1), (1, data.index(b"e\\n") + 1))


def test_the_time_is_linear_for_a_long_string() -> None:
    """As a table has it that a program has put out: the characters are counted once, not for each reference."""

    def reading(number: int) -> Callable[[], object]:
        output = {"data": {"text/html": ['<a href="x">\n' * number]}}
        data = json.dumps({"cells": [{"cell_type": "code", "outputs": [output]}]}).encode()
        return partial(rehref.links, data, **options())

    assert_proportional(reading, 500)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"cells": 1}', b'{"cells": [{"cell_type": "markdown"}]}'])
def test_what_is_not_a_notebook_has_no_references(data: bytes) -> None:
    assert rehref.links(data, **options()) == []


def test_files_with_the_extension_are_notebooks(tmp_path: Path) -> None:
    file = tmp_path / "a.ipynb"
    file.write_text(json.dumps(NOTEBOOK))
    assert [each.reference for each in rehref.links(file)] == REFERENCES
    found = {one.reference for one in rehref.check(tmp_path).findings if one.code == "missing-file"}
    assert found == set(REFERENCES) - {"../g"}  # which is above the folder

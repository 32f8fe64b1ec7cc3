"""Template syntax in a folder of sources: no visitor gets such a file, whatever links to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.contexts import written

pytest.importorskip("pyromark", reason="needs the package pyromark")

LINKING = "[a](a.md) [b](index.md) [c](c.html)\n"
PLAIN = "[1](x.md) [2](x.md) [3](x.md)\n\n"
TEMPLATE = f"{PLAIN}<a href='{{{{site.url}}}}/a'>4</a>\n"


def errors(folder: Path, files: dict[str, str], dialect: str | None) -> list[tuple[str, str]]:
    result = rehref.check(written(folder, {"x.md": LINKING, **files}), dialect=dialect)
    assert result.summary.skipped >= len([one for one in result.findings if one.code == "template-file"])
    return [(one.document, one.reference) for one in result.findings if one.severity == "error"]


@pytest.mark.parametrize("name", ["a.md", "index.md"])
def test_references_with_template_syntax_are_skipped_in_markdown(tmp_path: Path, name: str) -> None:
    files = {"a.md": "", "index.md": "", "c.html": "", name: TEMPLATE}
    assert errors(tmp_path, files, None) == []
    assert errors(tmp_path, files, "mkdocs") == []
    assert errors(tmp_path, files, "github") == [(name, "{{site.url}}/a")]  # a forge shows it as it is
    assert errors(tmp_path, {**files, name: "{% if a %}\n" + TEMPLATE}, "github") == []
    assert errors(tmp_path, {**files, name: "[x](gone.md)\n" + TEMPLATE}, None) == [(name, "gone.md")]


def test_html_among_sources_is_a_template_by_its_text_alone(tmp_path: Path) -> None:
    files = {"a.md": "", "index.md": "", "c.html": "{% if a %}<a href='{{a}}'>x</a>"}
    assert errors(tmp_path, files, "mkdocs") == []
    links = "<a href=a.md>x</a>" * 3
    assert errors(tmp_path, {**files, "c.html": f"{links}<a href='{{{{a}}}}'>x</a>"}, "mkdocs") == [("c.html", "{{a}}")]

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


def test_what_templates_capture_is_not_certainly_on_the_page(tmp_path: Path) -> None:
    captured = "{%- set code %}\n<a href=gone.md>x</a>\n{%- endset %}\n\n{% set x = 1 %}\n\n[x](gone.png)\n"
    files = {"a.md": captured + "\n{% highlight 'js' %}\n[x](none.md)\n", "index.md": "", "c.html": ""}
    assert errors(tmp_path, files, None) == [("a.md", "gone.png"), ("a.md", "none.md")]
    assert len(errors(tmp_path, files, "github")) == 3
    files["a.md"] += "{% endhighlight %}\n{% raw %}[x](none.md){% endraw %}"
    assert errors(tmp_path, files, None) == [("a.md", "gone.png")]


def test_a_generator_that_is_not_known_may_look_from_folders_above(tmp_path: Path) -> None:
    files = {
        "eleventy.config.js": "",
        "src/a/b.md": "[1](./c.md) [2](a/c.md) [3](d.md) [4](gone.md) [5](../d.md)",
        "src/a/c.md": "",
    }
    assert errors(tmp_path, {**files, "src/d.md": "", "a.md": "", "index.md": "", "c.html": ""}, None) == [
        ("src/a/b.md", "gone.md")
    ]

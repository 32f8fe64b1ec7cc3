"""Templates among the files of a site (site/_results/template_files.py)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from checked.contexts import checked, host_named
from growth import assert_proportional
from rehref.site._results import template_files
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site

# as pydata-sphinx-theme ships it
MACROS = """{% macro head_pre_assets() %}
<link href="{{ pathto('_static/styles/theme.css', 1) }}?digest=90905a2f556bf617f1a9" rel="stylesheet" />
{% endmacro %}
{% macro body_post() %}
<script defer src="{{ pathto('_static/scripts/theme.js', 1) }}"></script>
<script defer src="{{ pathto('_static/scripts/theme.js', 1) }}"></script>
{% endmacro %}"""
STRAY = '<a href="{{ url }}">x</a>'
TEMPLATE = "template-file"


def found(result: CheckResult) -> list[tuple[str, str]]:
    return [(finding.document, finding.code) for finding in result.findings]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_template_that_a_theme_ships_is_one_note(tmp_path: Path, jobs: int) -> None:
    pages = {f"p{number}.html": f"<a href=p{number}.html>" for number in range(90)}
    result = checked(tmp_path, {"index.html": "<p>", **pages, "_static/macros.html": MACROS}, jobs=jobs)
    (note,) = result.findings
    assert (note.document, note.code, note.severity) == ("_static/macros.html", TEMPLATE, "info")
    assert note.line is None
    assert "(3, such as {{ pathto('_static/styles/theme.css', 1) }}" in note.message
    assert (result.summary.links, result.summary.checked, result.summary.skipped) == (93, 90, 3)
    assert (result.summary.broken, result.summary.warnings) == (0, 0)


@pytest.mark.parametrize(
    "template",
    [
        '<a pwp:use="F" href="$(F)$"/>',
        "<a href=mailto:$(E_Mail)$>",
        '<img src="{{logo}}">',
        '<a href="<%= url %>">',
        '<a href="<?php echo $url ?>">',
        '<a href="${url}">',
        '<a href="{$url}">',
        '<a href="https://{{ host }}/">',
        '<a href="a.html#{{ id }}">',
        '<a href="#{{ id }}">',
        '{% extends "base" %}<a href="{{ url }}"><a href=../a.html><a href=../a.html><a href=../a.html>',
        '{{#each pages}}<a href="{{ url }}"><a href=../a.html><a href=../a.html><a href=../a.html>{{/each}}',
        '<% for x in y %><a href="<%= x %>"><a href=../a.html><a href=../a.html><a href=../a.html><% end %>',
    ],
)
def test_references_with_template_syntax_are_not_checked_in_a_template(tmp_path: Path, template: str) -> None:
    result = checked(tmp_path, {"a.html": "", "x/t.html": template})
    assert found(result) == [("x/t.html", TEMPLATE)]
    assert result.summary.skipped == 1


def test_other_references_of_a_template_are_checked(tmp_path: Path) -> None:
    result = checked(tmp_path, {"t.html": f"{MACROS}<a href=gone.html>"})
    assert found(result) == [("t.html", TEMPLATE), ("t.html", "missing-file")]
    assert (result.summary.checked, result.summary.skipped) == (1, 3)


@pytest.mark.parametrize(
    "files",
    [
        # a page where a generator failed to replace one reference, or all
        {"p.html": f"{STRAY}<a href=p.html><a href=p.html>"},
        {"p.html": STRAY, "q.html": "<a href=p.html>"},
        {"p.html": MACROS, "q.html": "<a href='/p.html'>"},
        {"p.html": MACROS, "feed.xml": "<rss version='2.0'><channel><item><link>p.html</link></item></channel></rss>"},
        # what visitors get, though nothing links to it
        {"index.html": MACROS},
        {"a/index.html": STRAY},
        {"404.html": MACROS},
        # in a page about templates
        {"p.html": f"<pre>{{{{ url }}}} {{{{ x }}}}</pre>{STRAY}<a href=p.html><a href=p.html>"},
    ],
)
def test_in_any_other_page_they_are_mistakes(tmp_path: Path, files: dict[str, str]) -> None:
    result = checked(tmp_path, files)
    assert TEMPLATE not in [finding.code for finding in result.findings]
    assert result.summary.broken > 0
    assert result.summary.skipped == 0


def test_the_note_shows_no_password(tmp_path: Path) -> None:
    (note,) = checked(tmp_path, {"t.html": f'<a href="https://u:{"secret" * 20}@{{{{ host }}}}/">'}).findings
    assert note.code == TEMPLATE
    assert "secret" not in note.message


def test_templates_may_name_each_other(tmp_path: Path) -> None:
    result = checked(tmp_path, {"base.html": MACROS, "child.html": f'{{% extends "base.html" %}}{STRAY}'})
    assert found(result) == [("base.html", TEMPLATE), ("child.html", TEMPLATE)]


def test_a_page_may_be_linked_without_its_extension(tmp_path: Path) -> None:
    files = {"about.html": STRAY, "q.html": "<a href=about>"}
    assert found(checked(tmp_path, files, host=host_named("github-pages"))) == [("about.html", "missing-file")]


def test_the_same_is_found_if_only_some_files_are_checked(tmp_path: Path) -> None:
    files = {"index.html": "<a href=p.html>", "p.html": STRAY, "t.html": STRAY}
    assert found(checked(tmp_path, files)) == [("p.html", "missing-file"), ("t.html", TEMPLATE)]
    assert found(checked(tmp_path, files, files=("p.html",))) == [("p.html", "missing-file")]
    assert found(checked(tmp_path, files, files=("t.html",))) == [("t.html", TEMPLATE)]


def test_documents_are_searched_only_for_templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_files, "read_or_skip", None)  # nothing may be read again
    result = checked(tmp_path, {"a.html": "<a href=gone.html><a href='a{b}'>", ".htaccess": "RewriteRule ^x ${m:x}"})
    assert ("a.html", "missing-file") in found(result)


def test_looking_for_statements_takes_time_by_the_length() -> None:
    for repeated in (b"{%", b"{% ", b"{{ ", b"<%"):
        assert_proportional(lambda n, each=repeated: partial(template_files._STATEMENT, each * n), 20_000)


def test_pages_about_templates_mention_each_other(tmp_path: Path) -> None:
    about = "<pre>{% if x %}</pre>" + "".join(f"<a href={name}.html>" for name in ("index", "guide", "faq"))
    pages = {f"{name}.html": about for name in ("index", "faq")}
    result = checked(tmp_path, {**pages, "guide.html": f'{about}<a href="{{{{ page.url }}}}">'})
    assert found(result) == [("guide.html", "missing-file")]


def test_nothing_is_a_template_where_not_all_files_are_known(tmp_path: Path) -> None:
    for name in ("sub", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_text(STRAY)
    options = CheckOptions(jobs=1, files=("sub/a.html",))
    assert found(CheckRun().check(Site.of_named(tmp_path, options)).result) == [("sub/a.html", "missing-file")]
    assert found(CheckRun().check(Site.of(tmp_path, options)).result) == [("sub/a.html", TEMPLATE)]

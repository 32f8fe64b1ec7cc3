"""The extension of Sphinx (plugins/sites/sphinx.py), in Sphinx itself."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from plugins.sites.programs import Ran, copied, replace, run, run_here

build_main = pytest.importorskip("sphinx.cmd.build").build_main
doctrees = pytest.importorskip("rehref.plugins.sites._doctrees")

SAIL = (
    "guide/start.rst:6: ERROR: nothing in index.html has the id 'sails' (a@href ../index.html#sails, "
    "missing-fragment); perhaps: ../index.html#sail"
)
MODULES = "guide/start.rst:7: ERROR: there is no file py-modindex.html (a@href ../py-modindex.html, missing-file)"


def build_apart(project: Path, *options: str) -> Ran:
    """Build it in another process."""
    return run(project, "sphinx", "-q", *options, ".", "_build/html")


def build(project: Path, *options: str) -> Ran:
    """Build it in this one."""
    return run_here(project, lambda: build_main(["-q", *options, ".", "_build/html"]))


def told(ran: Ran) -> list[str]:
    """The messages, without the code that newer versions of Sphinx write behind them."""
    return [re.sub(r" \[rehref\.[a-z-]+\]$", "", line) for line in ran.messages]


def mend(project: Path) -> None:
    start = project / "guide/start.rst"
    replace(start, "#sails", "#sail")
    replace(start, ":ref:`modindex`", ":ref:`genindex`")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copied("sphinx", tmp_path)


def test_the_example_fails_on_a_broken_link_and_passes_when_it_is_fixed(project: Path) -> None:
    broken = build_apart(project, "-W", "--keep-going")
    assert broken.status == 1
    assert told(broken) == [SAIL, MODULES]
    mend(project)
    fixed = build(project, "-W", "--keep-going")
    assert (fixed.status, told(fixed)) == (0, [])


def test_without_w_a_build_passes_and_with_fail_it_does_not(project: Path) -> None:
    passed = build(project)
    assert (passed.status, told(passed)) == (0, [SAIL, MODULES])
    failed = build(project, "-D", "rehref_fail=1")
    assert (failed.status, told(failed)) == (1, [SAIL, MODULES])
    mend(project)
    assert build(project, "-D", "rehref_fail=1").status == 0


@pytest.mark.slow
def test_lines_are_the_same_when_a_document_is_not_written_again(project: Path) -> None:
    """What was noted of it is kept; without that, the source is named, and the place in what was built."""
    assert told(build_apart(project, "-j", "2")) == [SAIL, MODULES]
    assert told(build(project)) == [SAIL, MODULES]
    (kept,) = project.glob("_build/html/.doctrees/rehref-html.json")
    kept.write_text("{")
    first, second = told(build(project))
    assert first.startswith("ERROR: guide/start.rst: nothing in index.html has the id 'sails'")
    assert second.startswith("ERROR: guide/start.rst: there is no file py-modindex.html")
    assert "; in the built _build/html/guide/start.html:" in second


@pytest.mark.slow
def test_lines_are_known_where_documents_are_written_by_several_processes(project: Path) -> None:
    """Sphinx begins no processes for a few."""
    for number in range(12):
        text = f":orphan:\n\nPage\n====\n\nOne\n`x <gone-{number}.html>`__ and :ref:`modindex`.\n"
        (project / f"page-{number}.rst").write_text(text, encoding="utf-8")
    found = told(build_apart(project, "-j", "2"))
    assert sum(re.match(r"page-\d+\.rst:7: ERROR: there is no file gone-", line) is not None for line in found) == 12
    assert sum(re.match(r"page-\d+\.rst:7: ERROR: there is no file py-mod", line) is not None for line in found) == 12


def test_messages_can_be_suppressed_by_code(project: Path) -> None:
    suppressed = "suppress_warnings=rehref.missing-file,rehref.missing-fragment"
    ran = build(project, "-W", "--keep-going", "-D", suppressed)
    assert (ran.status, told(ran)) == (0, [])


def test_options_are_those_of_the_command_line(project: Path) -> None:
    conf = project / "conf.py"
    conf.write_text(
        conf.read_text(encoding="utf-8") + 'rehref_ignore = "missing-file"\nrehref_warn = ["missing-fragment"]\n'
    )
    ran = build(project, "-D", "rehref_fail=1")
    assert (ran.status, told(ran)) == (0, [SAIL.replace("ERROR", "WARNING")])


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("rehref_exlude = 'x'", "rehref_exlude: there is no such option; did you mean exclude?"),
        ("rehref_exclude = '('", "rehref_exclude: (: the expression is not understood"),
        ("rehref_fail = 'yes'", "rehref_fail: must be true or false, not 'yes'"),
        ("rehref_own_host = 'a b'", "rehref_own_host: a b: is not the name of a host"),
    ],
)
def test_an_option_that_cannot_be_is_named_before_anything_is_built(project: Path, setting: str, said: str) -> None:
    conf = project / "conf.py"
    conf.write_text(conf.read_text(encoding="utf-8") + setting + "\n")
    ran = build(project)
    assert ran.status == 2
    assert said in ran.said
    assert not list(project.glob("_build/html/*.html"))


def test_lines_are_those_in_which_the_reference_is_written(project: Path) -> None:
    """Raw HTML, an image's link, a named target, a file that is included, a table, several places in one document."""
    (project / "more.inc").write_text("Included: `this <gone-3.html>`__.\n")
    (project / "kinds.rst").write_text(
        ":orphan:\n\n"
        "Kinds\n=====\n\n"
        "First, `one <gone-1.html>`__ and\n"
        "`two <gone-2.html>`__.\n\n"
        ".. raw:: html\n\n"
        "   <p>\n"
        "   <a href='gone-html.html'>x</a>\n\n"
        ".. include:: more.inc\n\n"
        "- A list\n"
        "- has `one <gone-1.html>`__, and a named_ one.\n\n"
        ".. _named: gone-named.html\n\n"
        "===== ======================\n"
        "a     b\n"
        "===== ======================\n"
        "c     `d <gone-table.html>`_\n"
        "===== ======================\n",
        encoding="utf-8",
    )
    found = [line for line in told(build(project)) if "gone-" in line]
    assert [
        re.sub(r" ERROR: .*\(a@href (\S+), missing-file\)((?:; also in .*)?)$", r" \1\2", line) for line in found
    ] == [
        "kinds.rst:6: gone-1.html; also in line 17",
        "kinds.rst:7: gone-2.html",
        "kinds.rst:12: gone-html.html",
        "kinds.rst:17: gone-named.html",
        "kinds.rst:24: gone-table.html",
        "more.inc:1: gone-3.html",
    ]


@pytest.mark.parametrize("builder", ["dirhtml", "singlehtml"])
def test_other_builders_of_sites_are_checked(project: Path, builder: str) -> None:
    ran = build(project, "-b", builder)
    assert any(line.startswith("guide/start.rst:6: ERROR: ") and "sails" in line for line in told(ran))


@pytest.mark.parametrize("builder", ["text", "linkcheck", "dummy"])
def test_what_is_no_site_is_not_checked(project: Path, builder: str) -> None:
    replace(project / "index.rst", "`shop <https://kites.example/kites/shop/>`__", "shop")
    ran = run_here(project, lambda: build_main(["-b", builder, "-D", "linkcheck_ignore=.*", ".", "_build/other"]))
    assert "missing-f" not in ran.said
    assert "links checked" not in ran.said


def test_what_the_theme_has_is_one_message(project: Path) -> None:
    replace(project / "conf.py", 'project = "Kites"', 'project = "Kites"\nhtml_css_files = ["gone.css"]')
    found = [line for line in told(build(project)) if "gone.css" in line and "missing-file" in line]
    assert len(found) == 1
    assert re.search(
        r"^ERROR: [a-z/]+\.rst: .*; in the built _build/html/\S+:\d+:\d+, and in \d places more$", found[0]
    )


def test_a_second_build_in_one_process_has_the_lines_as_they_are_now(tmp_path: Path) -> None:
    source = tmp_path / "a.rst"
    written = doctrees.Written("gone.html", str(source), 1, ("gone.html",))
    source.write_text("gone.html\n", encoding="utf-8")
    assert doctrees.line_of(written, doctrees.lines_in(str(source))) == 1
    source.write_text("more\n\ngone.html\n", encoding="utf-8")
    assert doctrees.line_of(written, doctrees.lines_in(str(source))) == 3


def test_the_build_is_compared_with_the_published_site(project: Path) -> None:
    mend(project)
    assert build(project).status == 0
    (project / "_build/html").rename(project / "published")
    shutil.rmtree(project / "_build")
    replace(project / "guide/start.rst", "Start", "Begin")
    compared = build(project, "-D", "rehref_compare_with=published", "-D", "rehref_fail=1")
    assert compared.status == 1
    lost = "guide/start.rst: guide/start.html#start: gone (guide/start.html#start, id-gone)"
    assert any(lost in line for line in told(compared))

"""`rehref check --sources`: sources are shown and corrected, built pages are not (checking/tracing)."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Run

pytest.importorskip("pyromark")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A site and its sources; the reference in `c` is in none of them."""
    files = {
        "site/guide/index.html": '<p>x<a href="../wnid/">The wind</a> <a href="../b/#galeforse">b</a>',
        "site/b/index.html": '<h2 id="galeforce">Gale</h2>',
        "site/c/index.html": '<a href="/winnd/">not written anywhere</a>',
        "site/wind/index.html": "x",
        "docs/guide.md": 'x [The wind](../wnid/ "x"), [b](b.md#galeforse)\n',
        "docs/b.md": "x",
        "mkdocs.yml": "site_name: x",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


WORDS = ("check", "site", "--sources", "docs", "--site-url", "https://harbour.example/")


@pytest.mark.usefixtures("project")
def test_the_report_shows_the_line_of_the_source(run: Run) -> None:
    ran = run(*WORDS)
    assert "docs/guide.md:1:14  error missing-file  a@href" in ran.stdout
    assert '1 | x [The wind](../wnid/ "x"), [b](b.md#galeforse)' in ran.stdout
    assert "write instead: b.md#galeforce" in ran.stdout
    assert "site/c/index.html:1:10  error missing-file" in ran.stdout
    assert ran.exit_code == 1


def test_a_source_is_corrected_and_the_built_page_never(run: Run, project: Path) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*.html")}
    corrected = 'x [The wind](../wind/ "x"), [b](b.md#galeforce)\n'
    assert f"+{corrected}" in run(*WORDS, "--fix-unsure", "--diff").stdout
    ran = run(*WORDS, "--fix-unsure")
    assert (project / "docs/guide.md").read_text() == corrected
    assert before == {path: path.read_bytes() for path in project.rglob("*.html")}
    assert "2 references corrected in 1 document" in ran.stderr
    assert "1 reference not corrected: not surely written in a source" in ran.stderr
    assert "build the site again, and check it" in ran.stderr
    assert "docs/guide.md" not in ran.stdout
    assert "1 error in 4 documents" in ran.stdout
    assert ran.exit_code == 1


def test_nothing_outside_the_sources_is_corrected(run: Run, project: Path) -> None:
    outside = project / "outside.md"
    (project / "docs/guide.md").rename(outside)
    (project / "docs/guide.md").symlink_to("../outside.md")
    before = outside.read_bytes()
    run(*WORDS, "--fix-unsure")
    assert outside.read_bytes() == before


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "site", "--sources", "gone"), "gone"),
        (("check", "site", "docs", "--sources", "docs"), "--sources: is for one site, but several are named"),
        ((*WORDS, "--watch"), "--watch: checks again and again, so it does not go with --sources"),
        ((*WORDS, "--why", "x"), "--why: explains one URL, so it does not go with --sources"),
    ],
)
def test_what_does_not_go(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run(*words)
    assert ran.exit_code == 2
    assert said in ran.stderr


def test_a_configuration_may_name_the_sources(run: Run, project: Path) -> None:
    (project / "rehref.toml").write_text('[check]\nroot = "site"\nsources = "docs"\n')
    assert "docs/guide.md:1:14  error missing-file" in run("check").stdout.replace(f"{project}/", "")

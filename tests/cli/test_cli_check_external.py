"""`rehref check --dump-external`: the URLs on other sites, once each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    (folder / "docs").mkdir(parents=True)
    (folder / "index.html").write_text(
        '<a href="https://b.example/x#one">1</a> <a href="docs/page.html">2</a>\n'
        '<a href="https://b.example/x#two">3</a> <img src=" http://a.example/i.png?q ">\n'
        '<a href="https://example.org/docs/page.html">4</a> <a href="mailto:me@e.example">5</a>'
        '<html prefix="og: https://ogp.me/ns#"><a href="https://exa mple/">6</a>'
    )
    (folder / "docs/page.html").write_text(
        '<base href="https://c.example/d/">\n<a href="rest">1</a><a href="https://b.example/x">2</a>'
        '<p style="background: url(//a.example/bg.png)">'
    )
    (folder / "style.css").write_text('@import "https://d.example/\u00e9.css";')
    return folder


def listed(run: Run, public: Path, *options: str) -> list[str]:
    result = run("check", "--site-url", "https://example.org/", public, "--dump-external", "-", *options)
    return result.stdout.splitlines()


def test_each_url_is_listed_once_with_its_first_place(run: Run, public: Path) -> None:
    assert listed(run, public) == [
        f"http://a.example/i.png?q\t{public}/index.html:2:52",
        f"https://a.example/bg.png\t{public}/docs/page.html:2:82",
        f"https://b.example/x\t{public}/docs/page.html:2:30",
        f"https://c.example/d/rest\t{public}/docs/page.html:2:10",
        f"https://d.example/\u00e9.css\t{public}/style.css:1:10",
    ]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_processes_do_not_matter(run: Run, public: Path, jobs: str) -> None:
    assert len(listed(run, public, "--jobs", jobs)) == 5


def test_a_site_without_a_url_has_all_hosts_outside(run: Run, public: Path) -> None:
    result = run("check", public, "--dump-external", "-")
    assert "https://example.org/docs/page.html\t" in result.stdout
    assert "file:" not in result.stdout


def test_a_rooted_reference_that_is_replaced_may_lead_to_another_site(run: Run, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<a href=/x/a>")
    found = run("check", "--remap", "^https://site.invalid/x/=https://x.example/", tmp_path, "--dump-external", "-")
    assert found.stdout.startswith("https://x.example/a\t")


def test_what_is_left_out_is_not_listed(run: Run, public: Path) -> None:
    assert [line.split("\t")[0] for line in listed(run, public, "--exclude", "b.example|a.example/i")] == [
        "https://a.example/bg.png",
        "https://c.example/d/rest",
        "https://d.example/\u00e9.css",
    ]
    (public / ".rehrefignore").write_text("style.css\nuri:^https://b\n")
    assert len(listed(run, public)) == 3
    assert len(listed(run, public, "--exclude-path", "docs")) == 1


def test_urls_are_listed_as_they_are_judged(run: Run, public: Path) -> None:
    found = listed(run, public, "--remap", r"^https://b\.example=https://mirror.example", "--own-host", "c.example")
    assert [line.split("\t")[0] for line in found] == [
        "http://a.example/i.png?q",
        "https://a.example/bg.png",
        "https://d.example/\u00e9.css",
        "https://mirror.example/x",
    ]


def test_the_list_goes_to_a_file_beside_the_report(run: Run, public: Path, tmp_path: Path) -> None:
    result = run("check", "--site-url", "https://example.org/", public, "--dump-external", public)
    assert result.exit_code == 2
    result = run("check", "--site-url", "https://example.org/", public, "--dump-external", "list.tsv")
    assert "https://exa mple/" in result.stdout
    assert (tmp_path / "list.tsv").read_text(encoding="utf-8").count("\n") == 5
    both = run("check", "--site-url", "https://example.org/", public, "--dump-external", "-", "-o", "report.txt")
    assert both.stdout.count("\n") == 5
    assert "unresolvable" in (tmp_path / "report.txt").read_text()


def test_two_lists_cannot_both_go_to_standard_output(run: Run, public: Path) -> None:
    result = run("check", public, "--dump-external", "-", "--format", "json")
    assert result.exit_code == 2
    assert "cannot both go to standard output" in result.stderr


def test_several_folders_have_one_list(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/index.html").write_text(
        '<a href="https://d.example/\u00e9.css"></a><a href="https://e.example/">'
    )
    found = run("check", "public", "blog", "--dump-external", "-").stdout.splitlines()
    assert "https://d.example/\u00e9.css\tblog/index.html:1:10" in found
    assert "https://e.example/\tblog/index.html:1:48" in found


def test_passwords_and_what_would_break_a_line_do_not_show(run: Run, public: Path) -> None:
    (public / "index.html").write_text('<a href="https://me:secret@f.example/a b&#1;c">')
    (public / "a b.html").write_text('<a href="https://g.example/">')
    found = listed(run, public)
    assert f"https://me:***@f.example/a%20b%01c\t{public}/index.html:1:10" in found
    assert "https://me:secret@f.example/" in "".join(listed(run, public, "--show-secrets"))
    assert f"https://g.example/\t{public}/a b.html:1:10" in found


def test_a_configuration_that_is_found_writes_no_list(run: Run, public: Path) -> None:
    Path("rehref.toml").write_text('[check]\ndump_external = "list.tsv"\n')
    result = run("check", public)
    assert "dump_external: ignored" in result.stderr
    assert not Path("list.tsv").exists()

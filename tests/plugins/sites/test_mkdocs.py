"""The plugin of MkDocs (plugins/sites/mkdocs.py), in MkDocs itself."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from local_server import Quiet, served_by
from patience import PATIENCE, wait_until
from plugins.sites.programs import ROOT, Ran, copied, replace, run, run_here

cli = pytest.importorskip("mkdocs.__main__").cli

SAIL = (
    "docs/guide/start.md:4: nothing in index.html has the id 'sails' "
    "(a@href ../index.md#sails, missing-fragment); perhaps: ../index.md#sail"
)


def build_apart(project: Path, *options: str) -> Ran:
    """Build it in another process."""
    return run(project, "mkdocs", "build", *options)


def build(project: Path, *options: str) -> Ran:
    """Build it in this one."""
    return run_here(project, lambda: cli.main(["build", *options], "mkdocs"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copied("mkdocs", tmp_path)


def test_the_entry_point_is_the_plugin() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    (found,) = entry_points(group="mkdocs.plugins", name="rehref")
    assert {"rehref": found.value} == declared["mkdocs.plugins"]
    assert found.load().__name__ == "RehrefPlugin"


def test_the_example_fails_on_a_broken_link_and_passes_when_it_is_fixed(project: Path) -> None:
    broken = build_apart(project, "--strict")
    assert broken.status == 1
    assert [f"ERROR   -  rehref: {SAIL}"] == broken.messages
    replace(project / "docs/guide/start.md", "#sails", "#sail")
    fixed = build(project, "--strict")
    assert fixed.status == 0
    assert fixed.messages == []
    assert re.search(r"rehref: no errors in \d+ documents", fixed.said)


def test_without_strict_a_build_passes_and_with_fail_it_does_not(project: Path) -> None:
    passed = build(project)
    assert passed.status == 0
    assert SAIL in passed.said
    replace(project / "mkdocs.yml", "exclude:", "fail: true\n      exclude:")
    failed = build(project)
    assert failed.status == 1
    assert SAIL in failed.said
    assert "rehref: 1 broken link" in failed.said
    replace(project / "docs/guide/start.md", "#sails", "#sail")
    assert build(project).status == 0


def test_warnings_fail_with_strict_only(project: Path) -> None:
    replace(project / "mkdocs.yml", "exclude:", "fail: true\n      warn: missing-fragment\n      exclude:")
    assert build(project).status == 0
    strict = build(project, "--strict")
    assert strict.status == 1
    assert [f"WARNING -  rehref: {SAIL}"] == strict.messages


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("exlude: x", "option 'exlude': there is no such option; did you mean exclude?"),
        ("own_hosts: [a.example]", "option 'own_hosts': there is no such option; did you mean own_host?"),
        ("exclude: (", "option 'exclude': (: the expression is not understood"),
        ("ignore: missing-fil", "option 'ignore': missing-fil: there is no such code"),
        ("no_fragments: 1", "option 'no_fragments': must be true or false, not 1"),
        ("max_findings: -1", "option 'max_findings': must be a number, 0 or more, not -1"),
        ("include: [1]", "option 'include': must be a text or a list of texts, not [1]"),
        ("files: [a]", "option 'files': there is no such option"),
    ],
)
def test_an_option_that_cannot_be_is_named_before_anything_is_built(project: Path, option: str, said: str) -> None:
    replace(project / "mkdocs.yml", "exclude: ^/kites/shop/", option)
    ran = build(project)
    assert ran.status == 1
    assert f"Plugin 'rehref' {said}" in ran.said
    assert "Traceback" not in ran.said
    assert not (project / "site").exists()


def test_lines_are_those_in_which_the_reference_is_written(project: Path) -> None:
    """Links of all kinds, with and without what MkDocs changes, front matter above them, and code that has none."""
    (project / "docs/kinds.md").write_text(
        "---\n"
        "title: Kinds\n"
        "---\n"
        "# Kinds\n\n"
        "A [page](gone.md), `[code](gone.md)`, and\n"
        "![a picture](<gone one.png> 'title') \n\n"
        "```\n[x](guide/start.md#no)\n```\n\n"
        "See [start][s], and [again](guide/start.md#no) and <a href='../gone.html'>HTML</a>.\n\n"
        "- [in a list](gone.md)\n- [escaped](gone\\_too.md)\n\n"
        "[s]: guide/start.md#no\n",
        encoding="utf-8",
    )
    found = [line.partition("rehref: ")[2] for line in build(project).messages if "docs/kinds.md" in line]
    assert [re.sub(r": .*\((.*), .*?\).*?((?:; also in .*?)?)(?:; .*)?$", r" \1\2", line) for line in found] == [
        "docs/kinds.md:6 a@href gone.md; also in line 15",
        "docs/kinds.md:7 img@src gone one.png",
        "docs/kinds.md:13 a@href guide/start.md#no; also in line 18",
        "docs/kinds.md:13 a@href ../gone.html",
        "docs/kinds.md:16 a@href gone_too.md",
    ]


def test_what_is_copied_is_its_own_source(project: Path) -> None:
    (project / "docs/own.css").write_text("a { }\nb { background: url(gone.png) }\n", encoding="utf-8")
    assert any("rehref: docs/own.css:2: there is no file gone.png" in line for line in build(project).messages)


def test_what_the_theme_has_is_one_message_with_the_place_in_what_was_built(project: Path) -> None:
    replace(project / "mkdocs.yml", "plugins:", "extra_css: [gone.css]\nplugins:")
    found = [line for line in build(project).messages if "gone.css" in line]
    assert len(found) == 1
    assert re.search(
        r"rehref: docs/\S+\.md: there is no file gone\.css \(link@href \S*gone\.css, missing-file\); "
        r"in the built site/\S+\.html:\d+:\d+, and in 3 places more",
        found[0],
    )


def test_no_more_messages_than_asked_for_errors_first(project: Path) -> None:
    replace(project / "mkdocs.yml", "exclude:", "max_findings: 1\n      warn: missing-file\n      exclude:")
    replace(project / "docs/index.md", "# Kites", "# Kites\n\n[a](gone.txt)\n")
    ran = build(project)
    assert [f"ERROR   -  rehref: {SAIL}"] == ran.messages
    assert "rehref: 1 message more not shown (max_findings)" in ran.said


def test_pages_without_folders_of_their_own(project: Path) -> None:
    replace(project / "mkdocs.yml", "plugins:", "use_directory_urls: false\nplugins:")
    replace(project / "docs/index.md", "guide/wind/", "guide/wind.html")
    assert [f"ERROR   -  rehref: {SAIL}"] == build(project).messages


class Nothing(Quiet):
    """Answers that nothing is there."""

    def do_GET(self) -> None:
        self.send_error(404)

    def do_HEAD(self) -> None:
        self.send_error(404)


@pytest.mark.slow
def test_other_sites_are_asked_if_that_is_wanted(project: Path) -> None:
    with served_by(Nothing) as port:
        there = f"http://127.0.0.1:{port}/gone"
        replace(project / "docs/guide/start.md", "../index.md#sails", there)
        replace(project / "mkdocs.yml", "exclude:", "external: true\n      allow_private: true\n      exclude:")
        ran = build(project)
    assert any(re.search(rf"rehref: docs/guide/start.md:4: .*{there}, web-not-found", line) for line in ran.messages)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/kites/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


@pytest.mark.skipif(os.name != "posix", reason="interrupts a program as POSIX systems do")
def test_serve_checks_each_build_and_never_fails(project: Path) -> None:
    """Neither strict nor fail ends it; a second build is checked, too."""
    replace(project / "mkdocs.yml", "exclude:", "fail: true\n      exclude:")
    port, log = free_port(), project.parent / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--strict", "--dev-addr", f"127.0.0.1:{port}"],
            cwd=project,
            stdout=out,
            stderr=out,
        )
    try:
        wait_for(lambda: answers(port), server)
        assert log.read_text(encoding="utf-8").count("1 error in") == 1
        assert SAIL in log.read_text(encoding="utf-8")
        replace(project / "docs/guide/start.md", "#sails", "#sail")
        wait_for(lambda: "no errors in" in log.read_text(encoding="utf-8"), server)
    finally:
        interrupt(server)


def interrupt(server: subprocess.Popen[bytes]) -> None:
    """End it, as Ctrl-C does. One that comes while Python calls a callback of its own is lost, so there may be more."""
    while server.poll() is None:
        server.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            server.wait(5)


def wait_for(it_is_so, server: subprocess.Popen[bytes]) -> None:  # type: ignore[no-untyped-def]
    wait_until(lambda: server.poll() is not None or it_is_so())
    assert server.poll() is None


def test_the_build_is_compared_with_the_published_site(project: Path) -> None:
    replace(project / "docs/guide/start.md", "#sails", "#sail")
    assert build(project, "-d", "published").status == 0
    replace(project / "mkdocs.yml", "exclude:", "compare_with: published\n      fail: true\n      exclude:")
    assert build(project).status == 0
    (project / "docs/guide/start.md").rename(project / "docs/guide/begin.md")
    lost = build(project)
    assert lost.status == 1
    assert "guide/start/: gone; now guide/begin/" in lost.said

"""`rehref check --external` as people run it: against servers on loopback, with `--allow-private`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from patience import PATIENCE
from web.misbehaving import Server, misbehaving
from web.ways import BEHAVIOUR

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with misbehaving(tmp_path_factory.mktemp("certificates"), BEHAVIOUR) as running:
        yield running


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own for each test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "public").mkdir()
    return tmp_path / "public" / "index.html"


ASK = ("check", "public", "--external", "--allow-private", "--max-retries", "0")


def test_it_asks_and_reports(run: Run, page: Path, server: Server) -> None:
    page.write_text(f"<a href={server.url('gone')}>1</a><a href={server.url('there')}>2</a>")
    result = run(*ASK)
    assert result.exit_code == 1
    assert "error web-not-found  a@href" in result.stdout
    assert f"127.0.0.1:{server.ports['http']} answers 410 Gone" in result.stdout
    assert "(2 links checked, answers for 2 URLs, " in result.stdout
    assert run(*ASK, "--accept", "200,410").exit_code == 0
    assert run(*ASK, "--warn", "web").exit_code == 0
    assert run(*ASK, "--exclude", "gone").exit_code == 0


def test_to_explain_a_url_nothing_is_needed_for_asking(
    run: Run, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.write_text("<a href=index.html>1</a>")
    (tmp_path / "rehref.toml").write_text("[check]\nexternal = true\n")
    monkeypatch.setattr("rehref.web.asking._is_there", lambda _: False)
    result = run("check", "--config", "rehref.toml", "public", "--why", "index.html")
    assert (result.exit_code, result.stderr) == (0, "")
    assert not (tmp_path / "cache").exists()


def test_without_it_nothing_is_asked(run: Run, page: Path, server: Server) -> None:
    page.write_text(f"<a href={server.url('there')}>1</a>")
    before = len(server.requests)
    assert run("check", "public", "--select", "all").exit_code in (0, 1)
    assert len(server.requests) == before


def test_what_is_not_public_is_not_asked(run: Run, page: Path, server: Server) -> None:
    page.write_text(f"<a href={server.url('there')}>1</a>")
    before = len(server.requests)
    result = run("check", "public", "--external")
    assert len(server.requests) == before
    assert result.exit_code == 0
    assert "warning web-private-address" in result.stdout
    assert run("check", "public", "--external", "--strict").exit_code == 1


def test_what_was_asked_is_remembered(run: Run, page: Path, server: Server, tmp_path: Path) -> None:
    page.write_text(f"<a href={server.url('kept')}>1</a>")
    before = len(server.requests)
    for options, asked in (((), 1), ((), 1), (("--cache", "other.sqlite"), 2), (("--no-cache",), 3), ((), 3)):
        summary = json.loads(run(*ASK, "--format", "json", *options).stdout)["summary"]
        assert summary["asked"] == 1
        assert len(server.requests) == before + asked
    assert summary["from_cache"] == 1
    assert (tmp_path / "cache" / "rehref" / "web.sqlite").exists()
    assert (tmp_path / "other.sqlite").exists()


def test_a_new_url_is_written(run: Run, page: Path, server: Server) -> None:
    old, new = server.url("moved-301"), server.url("there")
    page.write_text(f"<p>\n<a  href='{old}#here' >1</a>\n<a href={server.url('moved-302')}>2</a>")
    shown = run(*ASK, "--fix", "--diff")
    assert f"+<a  href='{new}#here' >1</a>" in shown.stdout
    assert run(*ASK, "--fix").exit_code == 0
    assert page.read_text() == f"<p>\n<a  href='{new}#here' >1</a>\n<a href={server.url('moved-302')}>2</a>"
    assert "no errors" in run(*ASK, "--strict").stdout


@pytest.mark.parametrize("name", ["text", "json", "jsonl", "csv", "sarif", "junit", "github", "markdown", "html"])
def test_passwords_are_masked(run: Run, page: Path, server: Server, name: str) -> None:
    url = server.url("gone").replace("://", "://u:secret@")
    page.write_text(f"<a href={url}>1</a><a href={url}#x>2</a>")
    result = run(*ASK, "--format", name, "--header", "https://h.example X-Token: secret")
    assert "web-not-found" in result.output
    assert "secret" not in result.output


def test_a_found_configuration_does_not_have_servers_asked(run: Run, page: Path, server: Server) -> None:
    page.write_text(f"<a href={server.url('gone')}>1</a>")
    Path("rehref.toml").write_text("[check]\nexternal = true\nallow_private = true\nno_cache = true\ntimeout = '9s'\n")
    before = len(server.requests)
    result = run("check", "public")
    assert (result.exit_code, len(server.requests)) == (0, before)
    assert "external, allow_private: ignored, for it is about asking servers" in result.stderr
    assert run("check", "public", "--config", "rehref.toml").exit_code == 1


@pytest.mark.parametrize("value", ["[200, 410]", "410", '["200", "410"]', '"200,410"', '[200, "410"]'])
def test_statuses_of_a_configuration_may_be_numbers(run: Run, page: Path, server: Server, value: str) -> None:
    page.write_text(f"<a href={server.url('gone')}>1</a>")
    assert run(*ASK).exit_code == 1
    Path("rehref.toml").write_text(f"[check]\naccept = {value}\n")
    assert run(*ASK).exit_code == 0
    Path("rehref.toml").write_text("[check]\nexclude = [3]\n")
    assert "check.exclude must be a text, or a list of texts" in run(*ASK).stderr


def test_what_was_asked_on_the_own_computer_is_not_odd(run: Run, page: Path, server: Server) -> None:
    page.write_text(f"<a href={server.url('good')}>1</a>")
    published = ("--site-url", "https://example.org/")
    assert "local-address" in run("check", "public", *published).stdout
    assert "local-address" in run("check", "public", "--external", *published).stdout
    assert "local-address" not in run(*ASK, *published).stdout


@pytest.mark.parametrize("names", [("--no-cache", "--cache-age=2d"), ("--no-robots", "--robots")])
def test_contrary_options_are_refused(run: Run, server: Server, names: tuple[str, str]) -> None:
    result = run("check", "--external", "--recursive", server.url(""), *names)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rehref: {names[0]}: and {names[1].partition('=')[0]}: ")
    assert result.stderr.count("\n") == 1


def test_without_a_network_the_run_has_failed(run: Run, page: Path) -> None:
    page.write_text("".join(f"<a href=http://h{number}.invalid/>x</a>" for number in range(6)))
    for quiet in ((), ("--quiet",)):
        result = run(*ASK, *quiet)
        assert result.exit_code == 2
        assert result.stderr.count("no server could be reached") == 1
        assert "web-unknown-host" not in result.stdout
        assert ("0 links checked, 6 skipped" in result.stdout) == (quiet == ())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--ca-file", "none.pem"), "rehref: --ca-file none.pem"),
        (("--cookie-jar", "none.txt"), "rehref: --cookie-jar none.txt"),
        (("--netrc", "none"), "rehref: --netrc none"),
        (
            ("--accept", "2xx"),
            "rehref: --accept 2xx: '2xx' is neither a status nor a range of them; write for example ",
        ),
        (("--cache-age", "soon"), "rehref: --cache-age soon"),
        (("--header", "no field"), "rehref: --header …: is not a header field"),
        (("--cache", "a", "--no-cache"), "rehref: --no-cache"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    run: Run, page: Path, server: Server, options: tuple[str, ...], says: str
) -> None:
    page.write_text(f"<a href={server.url('there')}>1</a>")
    result = run(*ASK, "--quiet", *options)
    assert result.exit_code == 2
    assert result.stderr.startswith(says)
    assert result.stderr.count("\n") == 1


def test_without_the_packages_it_says_what_to_install(run: Run, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.write_text("<a href=https://a.example/>1</a>")
    monkeypatch.setattr("rehref.web.asking.find_spec", lambda name: None)
    result = run("check", "public", "--external")
    assert result.exit_code == 2
    assert result.stderr.endswith("install it: pip install 'rehref[web]'\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
def test_ctrl_c_reports_what_is_known(page: Path, server: Server, tmp_path: Path) -> None:
    page.write_text(f"<a href={server.url('gone')}>1</a><a href={server.url('silent')}>2</a><a href=none.html>3</a>")
    before = len(server.requests)
    arguments = [
        sys.executable,
        "-m",
        "rehref",
        *ASK,
        "--fix",
        "--timeout",
        "600",
        "--host-concurrency",
        "1",
        "--format",
        "json",
    ]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, start_new_session=True
    ) as process:
        # one after the other: what is gone, by both methods, and then what is never answered
        for _ in range(int(PATIENCE / 0.05)):
            if len(server.requests) >= before + 3:
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    report = json.loads(out)
    assert [problem["code"] for problem in report["problems"]] == ["web-not-found", "missing-file"]
    assert (report["summary"]["checked"], report["summary"]["skipped"], report["summary"]["asked"]) == (2, 1, 1)
    assert b"Traceback" not in err
    assert b"stopped: links to other sites were checked as far as servers had answered" in err
    assert err.count(b"corrected") == err.count(b"; nothing was corrected") == 1
    assert b"stopping: rehref reports what is known so far" in err
    assert (tmp_path / "cache" / "rehref" / "web.sqlite").exists()

"""Values of options that mean nothing, and names in pages that are no codes, are said; no message has a password."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from rehref.reports.formats import OF_FINDINGS, names

Run = Callable[..., Result]

PAGE = b'<title>t</title><a href="%b">a</a>'
LISTS = "rehref explain lists them"


def refused(run: Run, *options: str) -> str:
    """The one line on standard error, without the program's name."""
    result = run("check", ".", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr.removeprefix("rehref: ").rstrip("\n")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--select", ""), f'--select "": no code is named; {LISTS}'),
        (("--ignore", " , "), f"--ignore , : no code is named; {LISTS}"),
        (("--per-path-ignores", "foo:bar"), f"--per-path-ignores foo:bar: there is no such code; {LISTS}"),
        (("--per-path-ignores", "foo:"), f"--per-path-ignores foo:: no code is named; {LISTS}"),
        (("--own-host", ""), '--own-host "": is not the name of a host; write such as www.example.org'),
        (
            ("--ignore-attribute", "bad name"),
            "--ignore-attribute bad name: is not the name of an attribute; write such as data-proofer-ignore",
        ),
        (
            ("--ignore-attribute", ""),
            '--ignore-attribute "": is not the name of an attribute; write such as data-proofer-ignore',
        ),
        (
            ("--site-url", "https://h/docs?x#y"),
            "--site-url https://h/docs?x#y: has a query or a fragment; end it before the ? or the #",
        ),
        (
            ("--site-url", "https://h/docs/#"),
            "--site-url https://h/docs/#: has a query or a fragment; end it before the ? or the #",
        ),
    ],
)
def test_a_value_that_means_nothing_is_refused(run: Run, tmp_path: Path, options: tuple[str, ...], line: str) -> None:
    assert refused(run, *options) == line


def test_two_keys_for_one_option_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[check]\nsite-url = "https://a/"\nsite_url = "https://b/"\n')
    line = refused(run)
    assert line.endswith("rehref.toml: check.site-url and check.site_url are the same option; write one of them")


def test_two_shared_keys_for_one_option_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('max-size = "1M"\nmax_size = "2M"\n')
    assert refused(run).endswith("rehref.toml: max-size and max_size are the same option; write one of them")


def test_a_table_of_a_command_still_goes_before_what_is_shared(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text("ignore-embedded-base = true\n[check]\nignore_embedded_base = false\n")
    (tmp_path / "index.html").write_bytes(PAGE % b"index.html")
    result = run("check", ".")
    assert result.exit_code == 0, result.stderr


def test_explain_takes_commas(run: Run) -> None:
    assert run("explain", "missing-file,lint").stdout == run("explain", "missing-file", "lint").stdout
    assert run("explain", "missing-file, ").exit_code == 2


@pytest.mark.parametrize("name", names(OF_FINDINGS))
@pytest.mark.parametrize(
    ("reference", "options"),
    [
        (b"http//user:s3cret@h.org/x", ()),
        (b"https;//user:s3cret@h.org/x", ()),
        (b"https;//user:%73%33cret@h.org/x", ()),
        (b"https;//user:s3cret" + b"x" * 300 + b"@h.org/x", ()),
        (b"https://user:s3cret@other.org/x", ("--remap", "https=")),
    ],
)
def test_no_message_has_a_password(
    run: Run, tmp_path: Path, name: str, reference: bytes, options: tuple[str, ...]
) -> None:
    (tmp_path / "index.html").write_bytes(PAGE % reference)
    result = run("check", ".", "--site-url", "https://me.org/", *options, "--format", name)
    assert result.exit_code == 1
    assert "missing-file" in result.stdout
    assert "s3cret" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("asks", "hint"),
    [
        (b"<!-- rehref-ignore missing-fil -->", "names missing-fil, which is not a code; did you mean missing-file?"),
        (b"<p data-rehref-ignore=nosuch>", f"names nosuch, which is not a code; {LISTS}"),
        (
            b"<!-- rehref-ignore qqq --><!-- rehref-ignore zzz: why -->",
            f"names qqq, which is not a code (and 1 more such); {LISTS}",
        ),
    ],
)
def test_a_page_that_names_no_code_is_worth_a_hint(run: Run, tmp_path: Path, asks: bytes, hint: str) -> None:
    (tmp_path / "index.html").write_bytes(asks + PAGE % b"gone.html")
    result = run("check", ".", "--format", "json")
    assert result.exit_code == 1
    assert f"rehref: hint: index.html: rehref-ignore {hint}\n" in result.stderr
    assert "hint" not in run("check", ".", "--format", "json", "-q").stderr


@pytest.mark.parametrize("asks", [b"<!-- rehref-ignore orphan, lint -->", b"<!-- rehref-ignore-next-line: why -->"])
def test_a_page_that_names_codes_is_not(run: Run, tmp_path: Path, asks: bytes) -> None:
    (tmp_path / "index.html").write_bytes(asks + b"\n\n" + PAGE % b"gone.html")
    result = run("check", ".", "--format", "json")
    assert result.exit_code == 1
    assert "hint" not in result.stderr

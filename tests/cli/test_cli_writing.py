"""Where `rehref rewrite` writes to, in its corners: standard output by name, pipes, backups, and whom messages name."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Run, shell, told
from crawl import response

URL = ("--url", "http://h/")
PAGE = b"<a href=x>"
WRITTEN = b"<a href=http://h/x>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A document."""
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)
    return file


# --- devices and pipes


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
@pytest.mark.usefixtures("page")
@pytest.mark.parametrize("reader", ["| cat", "> out; cat out", ">> out; cat out", ""])
def test_standard_output_by_its_name(reader: str) -> None:
    ran = shell(f"$REHREF rewrite -q --url http://h/ page.html -o /dev/stdout {reader}")
    assert (ran.stdout, ran.stderr) == (WRITTEN, b"")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
@pytest.mark.usefixtures("page")
def test_what_others_write_to_the_same_file_stays() -> None:
    ran = shell(
        "{ echo before; $REHREF rewrite -q --url http://h/ page.html -o /dev/stdout; echo after; } > out; cat out"
    )
    assert ran.stdout == b"before\n" + WRITTEN + b"after\n"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
@pytest.mark.usefixtures("page")
def test_a_pipe_is_written_to() -> None:
    ran = shell("$REHREF rewrite -q --url http://h/ page.html -o >(tr a-z A-Z; echo end)  | cat")
    assert (ran.stdout, ran.stderr) == (WRITTEN.upper() + b"end\n", b"")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_written_to_and_stays(run: Run, page: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    reader = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    assert run("rewrite", "-q", *URL, page, "-o", "fifo").exit_code == 0
    assert os.read(reader, 1000) == WRITTEN
    os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)


def test_a_device_is_written_to_and_stays(run: Run, page: Path) -> None:
    assert run("rewrite", "-q", *URL, page, "-o", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


# --- options that say nothing


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["-o", ""], "-o: is empty; name a file or a folder, or - for standard output"),
        (["--map", ""], "--map: is empty; name a file"),
        (["--set", "a=1"], "--set: goes with --to TEMPLATE only; leave it out"),
        (["--to", "relative", "--set", "a=1"], "--set: goes with --to TEMPLATE only; leave it out"),
        (["--to", "http://r/{uri}", "--set", "a=1"], "--set a=1: the template does not name {a}; leave it out"),
        (["--map", "map.json", "--same-document"], "--same-document: goes with --to absolute only; leave it out"),
    ],
)
def test_an_option_that_would_do_nothing(run: Run, tmp_path: Path, options: list[str], line: str) -> None:
    (tmp_path / "map.json").write_text("{}")
    result = run("rewrite", *URL, *options, "page.html")
    assert told(result) == line
    assert result.stdout == ""


def test_an_empty_name_in_the_configuration(run: Run, tmp_path: Path, page: Path) -> None:
    file = tmp_path / "rehref.toml"
    for key in ("output", "map"):
        file.write_text(f'[rewrite]\n{key} = ""\n')
        assert told(run("rewrite", page)) == f"{file}: rewrite.{key} is empty; name a file, or leave it out"


def test_values_in_the_configuration_may_be_for_another_template(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[rewrite]\nto = "http://r/{a}/{uri}"\nset = ["a=1"]\n')
    for to in ("absolute", "http://q/{uri}"):
        assert run("rewrite", *URL, "--to", to, "-", input=PAGE).exit_code == 0


def test_a_map_in_the_configuration_leaves_no_room_for_what_goes_with_absolute(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[rewrite]\nmap = "map.json"\n')
    (tmp_path / "map.json").write_text("{}")
    assert told(run("rewrite", *URL, "--same-document", "-", input=PAGE)).startswith("--same-document: goes with ")


# --- backups


def test_no_backup_is_written_over(run: Run, page: Path, tmp_path: Path) -> None:
    page.chmod(0o640)
    for host in ("a", "b", "c", "d"):
        page.write_bytes(PAGE.replace(b"x", host.encode()))
        assert run("rewrite", *URL, "--in-place", "--backup", page).exit_code == 0
    kept = {file.name: file.read_bytes() for file in tmp_path.glob("page.html.bak*")}
    assert kept == {
        "page.html.bak": b"<a href=a>",
        "page.html.bak.1": b"<a href=b>",
        "page.html.bak.2": b"<a href=c>",
        "page.html.bak.3": b"<a href=d>",
    }
    assert stat.S_IMODE((tmp_path / "page.html.bak.2").stat().st_mode) == 0o640


def test_a_backup_that_says_the_same_is_enough(run: Run, page: Path, tmp_path: Path) -> None:
    for text in (PAGE, b"<a href=y>", PAGE):
        page.write_bytes(text)
        assert run("rewrite", *URL, "--in-place", "--backup", page).exit_code == 0
    assert sorted(file.name for file in tmp_path.glob("*.bak*")) == ["page.html.bak", "page.html.bak.1"]


def test_what_has_the_name_of_a_backup_is_skipped(run: Run, page: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html.bak").mkdir()
    (tmp_path / "page.html.bak.1").symlink_to("nowhere")
    assert run("rewrite", *URL, "--in-place", "--backup", page).exit_code == 0
    assert (tmp_path / "page.html.bak.2").read_bytes() == PAGE
    assert not (tmp_path / "nowhere").exists()


# --- whom messages name


def _failing(monkeypatch: pytest.MonkeyPatch, method: str, name: str) -> None:
    """Have a method of `Path` fail for files of that name, as if nobody might read or write them."""
    whole = getattr(Path, method)

    def failing(path: Path, *rest: object) -> object:
        if name in (path.name, *(Path(str(each)).name for each in rest)):
            raise PermissionError(13, "Permission denied")
        return whole(path, *rest)

    monkeypatch.setattr(Path, method, failing)


def test_a_backup_that_cannot_be_written_is_named(run: Run, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(monkeypatch, "replace", "page.html.bak")
    assert told(run("rewrite", "-q", *URL, "--in-place", "--backup", page)).startswith(
        f"{page}.bak: cannot be written: permission denied; "
    )
    assert page.read_bytes() == PAGE
    assert [file.name for file in page.parent.iterdir()] == ["page.html"]


def test_a_file_to_be_copied_that_cannot_be_read_is_named(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "data.bin").write_bytes(b"")

    real = os.open

    def failing(path: str | Path, *how: Any, **more: Any) -> int:
        if Path(path).name == "data.bin":
            raise PermissionError(13, "Permission denied")
        return real(path, *how, **more)

    monkeypatch.setattr("rehref.files.reading_files.os.open", failing)
    assert told(run("rewrite", "-q", "--url", "http://h/", "site", "-o", "out", "--copy-others")).startswith(
        "site/data.bin: cannot be read: permission denied; "
    )


def test_a_file_to_be_copied_that_cannot_be_written_is_named(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "data.bin").write_bytes(b"")
    (tmp_path / "out" / "data.bin").mkdir(parents=True)
    assert told(run("rewrite", "-q", "--url", "http://h/", "site", "-o", "out", "--copy-others")).startswith(
        "out/data.bin: cannot be written: is a directory"
    )


def test_a_folder_to_be_copied_from_that_cannot_be_read_is_named(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / ".hidden").mkdir()
    whole = os.scandir

    def failing(path: Path) -> object:
        if Path(path).name == ".hidden":
            raise PermissionError(13, "Permission denied")
        return whole(path)

    monkeypatch.setattr(os, "scandir", failing)
    assert told(run("rewrite", "-q", "--url", "http://h/", "site", "-o", "out", "--copy-others")).startswith(
        "site/.hidden: the folder cannot be read: permission denied; "
    )


# --- the help


def test_the_help_names_every_exit_code_and_where_configuration_is_looked_for(run: Run) -> None:
    text = " ".join(run("--help").stdout.split())
    assert "0, nothing wrong; 1, broken links found (check) or invalid references (validate); 2, a usage," in text
    assert "130, interrupted (Ctrl-C); 141, the program that reads the output has ended" in text
    assert "The nearest such file counts, from the working directory upward" in text


# --- hard links


def test_other_names_keep_the_old_content_and_are_counted(run: Run, tmp_path: Path) -> None:
    archive = response("http://h/", PAGE)
    for name, data in {"a.html": PAGE, "b.html": PAGE, "c.html": b"<p>", "d.warc.gz": archive}.items():
        (tmp_path / "mirror").mkdir(exist_ok=True)
        (tmp_path / "mirror" / name).write_bytes(data)
        if name != "b.html":
            (tmp_path / name).hardlink_to(tmp_path / "mirror" / name)
    result = run("rewrite", "--in-place", "--url", "http://h/", tmp_path / "mirror")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[1:] == [
        "rehref: 2 files had other names (hard links), which keep the old content"
    ]
    assert (tmp_path / "a.html").read_bytes() == PAGE
    assert (tmp_path / "mirror" / "a.html").read_bytes() == WRITTEN
    assert (tmp_path / "c.html").samefile(tmp_path / "mirror" / "c.html")

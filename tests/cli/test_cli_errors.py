"""Bad input: one clear line each, exit 2, the other documents done; never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from cli_runs import Run, RunProcess, shell, told
from patience import PATIENCE
from rehref import __version__
from rehref._native import HOW
from rehref.cli.program import command_names
from rehref.files import sources as door
from rehref.files.file_documents import FileDocument

COMMANDS = command_names(installed=False)

# --- documents


def test_a_missing_file_and_the_others_still_done(run: Run, site: Path) -> None:
    result = run("links", "absent.html", site / "index.html")
    assert told(result) == "absent.html: cannot be read: no such file or directory; check the name"
    assert "deep/page.html" in result.stdout


DANGLES = "it is a symbolic link that leads nowhere; correct it, or remove it"


def test_a_link_that_leads_nowhere(run: Run, site: Path) -> None:
    (site / "dangle.html").symlink_to("nowhere")
    assert told(run("links", "site/dangle.html")) == f"site/dangle.html: cannot be read: {DANGLES}"
    assert told(run("rewrite", "--map", "site/dangle.html", "site/index.html")) == (
        f"site/dangle.html: cannot be read: {DANGLES}"
    )


def test_a_place_that_one_may_not_look_at(run: Run, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `Path.is_dir` and `Path.exists` fail, before Python 3.14, in a folder that belongs to somebody else."""

    def failing(whole: Callable[[Path], bool]) -> Callable[[Path], bool]:
        def asked(path: Path) -> bool:
            if path.parts[:1] == ("secret",):
                raise PermissionError(13, "Permission denied", str(path))
            return whole(path)

        return asked

    for name in ("is_dir", "exists"):
        monkeypatch.setattr(Path, name, failing(getattr(Path, name)))
    (site.parent / "secret").mkdir()
    remedy = "permission denied; check who may read and write it (ls -l)"
    for source in ("site/index.html", "-"):
        result = run("rewrite", "-q", "--url", "http://h/", source, "-o", "secret/x", input=b"<a href=x>")
        assert told(result) == f"secret/x: cannot be written: {remedy}"
    assert told(run("check", "secret/x")) == f"secret/x: cannot be accessed: {remedy}"
    assert os.listdir("secret") == []  # noqa: PTH208
    line = told(run("rewrite", "-q", "--url", "http://h/", "site", "-o", "secret/y"))
    assert line.startswith("secret/y/")  # the first file there says it for all
    assert line.endswith(f": cannot be written: {remedy}")


def test_an_unreadable_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop.html").symlink_to("loop.html")
    assert told(run("links", "loop.html")).startswith("loop.html: cannot be read: too many levels of symbolic links; ")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_one_may_not_read(run: Run, site: Path) -> None:
    (site / "index.html").chmod(0)
    assert told(run("links", site)).endswith(
        "index.html: cannot be read: permission denied; check who may read and write it (ls -l)"
    )


def test_a_folder_without_documents(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert told(run("links", "empty")).startswith("empty: there is no document in this folder (HTML, ")


def test_an_empty_name(run: Run) -> None:
    assert told(run("links", "")) == '"": is not a name; name a file or a folder'


def test_a_file_that_is_neither_html_nor_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(b"\x8a\0\1")
    assert told(run("links", "noise")) == (
        "noise: looks like neither HTML nor text; if it is, say --media-type text/html or text/plain"
    )
    (tmp_path / "image").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert told(run("links", "image")) == (
        "image: is a PNG image, not a document; if it is one, say --media-type text/html or what it is"
    )


def test_a_media_type_that_cannot_be_read(run: Run, site: Path) -> None:
    assert "'image/png' cannot be read" in told(run("links", "--media-type", "image/png", site / "index.html"))


def test_standard_input_twice(run: Run) -> None:
    assert told(run("links", "-", "-", input=b"")) == "-: standard input can be read only once; name - only once"


def test_a_bracket_in_a_host_is_a_problem_of_its_link(run: Run) -> None:
    page = b'<a href="http://[">1</a><a href="http://[::1/x">2</a><a href="//]/">3</a><a href=ok>4</a>'
    result = run("links", "--url", "http://h/", "-", input=page)
    assert result.exit_code == 0
    assert result.stdout.count("! not-a-uri: host") == 3
    assert "http://h/ok" in result.stdout
    assert run("rewrite", "--url", "http://h/", "-", input=page).stdout == page.decode().replace(
        "href=ok", "href=http://h/ok"
    ).replace("//]/", "http://]/")


def test_nul_bytes(run: Run) -> None:
    page = b'\0<a href="x\0y">\0</a>\0'
    result = run("rewrite", "--url", "http://h/", "-", input=page)
    assert result.exit_code == 0
    assert result.stdout_bytes.startswith(b'\0<a href="http://h/x')
    assert run("links", "-", input=b"\0" * 100_000).exit_code == 0


def test_a_nul_in_a_name_cannot_come_from_a_shell_but_is_reported(run: Run) -> None:
    assert "embedded null" in told(run("links", "a\0b.html"))


@pytest.mark.parametrize("failing", ["index.html", "-"])
def test_what_nobody_foresaw_is_one_line_and_the_others_are_done(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def opened(document: FileDocument, *arguments: object, **more: object) -> AbstractContextManager[object]:
        if document.name.endswith(failing):
            raise RuntimeError("two\nlines")
        return door.opened(document, *arguments, **more)

    monkeypatch.setattr("rehref.archives.links_of_many.opened", opened)
    result = run("links", "--quiet", "-", site)
    assert told(result).endswith(
        f"{failing}: this should not happen (RuntimeError: two lines); it is a fault of rehref, please report it"
    )
    assert result.exit_code == 2
    assert "deep/page.html" in result.stdout


def _long_line(megabytes: int, folder: Path) -> Path:
    file = folder / "long.html"
    with file.open("wb") as stream:
        for _ in range(megabytes):
            stream.write(b"x" * (1 << 20))
        stream.write(b"<a href=y>")
    return file


@pytest.mark.parametrize("megabytes", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_a_very_long_line(run: Run, tmp_path: Path, megabytes: int) -> None:
    file = _long_line(megabytes, tmp_path)
    result = run("links", "--url", "http://h/", file)
    assert result.exit_code == 0
    assert f"1:{(megabytes << 20) + 9}  a@href  y → http://h/y" in result.stdout
    assert run("rewrite", "--url", "http://h/", "--in-place", file).exit_code == 0
    assert file.stat().st_size == (megabytes << 20) + len(b"<a href=http://h/y>")


# --- options


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--encoding", "utf-9"], "--encoding utf-9: there is no such encoding; did you mean utf-8?"),
        (["--parser", "none"], "--parser none: there is no parser 'none'; there are source, "),
        (["--url", "foo"], "--url foo: cannot be a base: it is relative, and an absolute URI is needed here; give "),
        (["--url", "http://h:x/"], "--url http://h:x/: cannot be a base: it is not a URI: port: a port has nothing"),
        (["--url", "data:,x"], "--url data:,x: cannot be a base: data: is not allowed as a base"),
        (["--url", "http://["], "--url http://[: cannot be a base: it is not a URI: host: there is no "),
        (["--default-base", "/x"], "--default-base /x: cannot be a base: it is relative"),
        (["--entity-base", "data:,x"], "--entity-base data:,x: cannot be a base: data: is not allowed"),
        (["--profile", "rfc1808"], "links: invalid value for '--profile': there is no 'rfc1808'; take one of "),
        (["--jobs", "0"], "links: invalid value for '-j' / '--jobs': '0' is not a whole number, 1 or more"),
        (["--jobs", "x"], "links: invalid value for '-j' / '--jobs': 'x' is not a whole number, 1 or more; see "),
        (["--jobs", "1.5"], "links: invalid value for '-j' / '--jobs': '1.5' is not a whole number, 1 or more; see "),
        (["--frmat", "json"], "links: no such option"),
        (["--format", "xml"], "--format xml: there is no such format; take one of "),
    ],
)
def test_an_impossible_option(run: Run, options: list[str], line: str) -> None:
    result = run("links", *options, "-", input=b"<a href=x>")
    assert told(result).startswith(line)
    assert result.stdout == ""


def test_a_url_for_several_sources(run: Run, site: Path) -> None:
    assert "cannot be the URI of 2 sources" in told(run("links", "--url", "http://h/", site, "-", input=b""))


def test_a_url_with_a_query_for_a_folder(run: Run, site: Path) -> None:
    assert "http://h/?x: cannot be the URI of a folder" in told(run("links", "--url", "http://h/?x", site))


@pytest.mark.parametrize("arguments", [["links"], ["nonsense"], ["--nonsense"], ["resolve", "http://a/"]])
def test_bad_usage(run: Run, arguments: list[str]) -> None:
    assert "--help" in told(run(*arguments))


# --- where results go


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-", "-o", "."], "-o .: is a folder, but standard input has no file name; name a file"),
        (["-", "-o", "new/"], "-o new: is a folder, but standard input has no file name; name a file"),
        (
            ["-", "site", "-o", "out", "--file-urls"],
            "-: standard input has no file name, which a folder needs; rewrite it on its own",
        ),
        (["-", "--in-place"], "-: standard input cannot be rewritten in place; leave out --in-place"),
        (["site"], "standard output: takes one document, not the folder site; use -o FOLDER, --in-place or --diff"),
        (["site/index.html", "-"], "standard output: takes one document, not 2 sources; use "),
        (["site", "-o", "site"], "-o site: is in the folder site, which is being read; name another, or "),
        (["site", "-o", "site/out"], "-o site/out: is in the folder site, which is being read; "),
        (["site", "-o", "file"], "-o file: is a file, but there may be several documents to write; name a folder"),
        (["site/index.html", "-o", "site/index.html"], "-o site/index.html: site/index.html would be written over "),
        (
            ["site/index.html", "copy/index.html", "-o", "out"],
            "-o out: site/index.html and copy/index.html would both ",
        ),
        (["site/index.html", "-o", "file/below.html"], "--output file/below.html: file is not a folder; "),
        (["site/index.html", "-o", "out", "--diff"], "-o: does not go with --diff; choose one of them"),
        (["site", "--in-place", "--diff"], "--in-place: does not go with --diff; choose one of them"),
        (["site", "--diff", "--backup"], "--backup: goes with --in-place only; leave it out"),
        (["site", "--diff", "--copy-others"], "--copy-others: goes with -o only; leave it out"),
        (["site", "--diff", "--to", "relative", "--base-element", "drop"], "--base-element: goes with --to absolute "),
        (
            ["site", "--diff", "--to", "realtive"],
            "--to realtive: is neither absolute, relative nor offline, nor a template; ",
        ),
        (["site", "--diff", "--to", "http://r/{x}/{uri}"], "--to: the template 'http://r/{x}/{uri}' names {x}, which "),
        (
            ["site", "--diff", "--to", "http://r/{x}"],
            "--to: the template 'http://r/{x}' must name {uri} or {uri:encoded} once; ",
        ),
        (["site", "--diff", "--to", "{uri}", "--set", "x"], "--set x: is not NAME=VALUE; "),
        (["site", "--diff", "--to", "relative", "--map", "map"], "--map: does not go with --to; choose one of them"),
        (["site", "--diff", "--map", "absent"], "absent: cannot be read: no such file or directory; check the name"),
    ],
)
def test_a_result_that_can_go_nowhere(run: Run, site: Path, tmp_path: Path, arguments: list[str], line: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "index.html").write_bytes(b"")
    result = run("rewrite", "--quiet", *arguments, input=b"")
    assert told(result).startswith(line)
    assert (site / "index.html").read_bytes().startswith(b'<a href="deep')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b'{"http://h/": 1}', "map: the value of 'http://h/' is not a text; "),
        (b'{"x.html": "y"}', "map: entry 1: 'x.html' is not a URI; write absolute target URIs, or end them in *"),
        (b'{"http://h/": "y"', "map: is not JSON: "),
        (b"{" * 100_000, "map: is not JSON: "),
        (b"[]", "map: is a JSON array, not an object; "),
        (b"http://h/,y\nz,y\n", "map: line 2: 'z' is not a URI; "),
        (b"i.html,https://h/a/i.html\n", "map: line 1: 'i.html' is not a URI; "),
        (b"i.html,new\nhttp://h/,y\n", "map: line 1: 'i.html' is not a URI; "),
        (b"/old/,/new/\nhttp://h/,y\n", "map: line 1: '/old/' is not a URI; "),
        (b"old,http://h/\nhttp://h/,y\n", "map: line 1: 'old' is not a URI; "),
        (b"from,to\nold,http://h/\n", "map: line 2: 'old' is not a URI; "),
        (b"from,to\n", "map: maps nothing; "),
        (b"a,b,c\n", "map: line 1: two columns are needed, not 3; "),
        (b'http://h/,"y', "map: is not CSV: line 1: "),
        (b"", "map: maps nothing; "),
        (b"\xff,\xfe", "map: is not UTF-8 (byte 0); "),
    ],
)
def test_a_bad_map(run: Run, tmp_path: Path, text: bytes, line: str) -> None:
    (tmp_path / "map").write_bytes(text)
    assert told(run("rewrite", "--map", "map", "-", input=b"")).startswith(line)


def test_the_other_documents_are_rewritten(run: Run, site: Path, tmp_path: Path) -> None:
    (site / "gone.html").symlink_to("nowhere")
    result = run("rewrite", "--quiet", "--url", "http://h/", site, "-o", tmp_path / "out")
    assert told(result) == f"{site}/gone.html: cannot be read: {DANGLES}"
    assert (tmp_path / "out/index.html").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_standard_output_that_takes_nothing(site: Path) -> None:
    ran = shell(f"$REHREF links {site} > /dev/full")
    assert ran.returncode == 2
    assert ran.stderr == b"rehref: standard output: no space left on device\n"


@pytest.mark.parametrize("to", ["2> /dev/full", "2> >(exec 0<&-)", "2>&-"])
def test_standard_error_that_takes_nothing(site: Path, to: str) -> None:
    if "full" in to and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    (site / "a.html").write_text("<a href=b.html>")
    (site / "b.html").write_text("")
    for command, status in ((f"check {site}/a.html", 0), (f"check {site}/none", 2), ("none", 2)):
        assert shell(f"$REHREF {command} {to}").returncode == status
    assert shell(f"$REHREF mv {site}/b.html {site}/c.html --folder {site} {to}").returncode == 0
    assert (site / "a.html").read_text() == "<a href=c.html>"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_output_that_takes_only_some(site: Path, tmp_path: Path, unbuffered: str) -> None:
    (site / "many.html").write_text("".join(f"<a href=/{number}.html>\n" for number in range(30_000)))
    program = f"PYTHONUNBUFFERED={unbuffered} $REHREF rewrite --url http://h/"
    ran = shell(f"ulimit -f 100; {program} {site}/many.html > {tmp_path}/out")
    assert ran.returncode == 2
    assert b"standard output: file too large" in ran.stderr


@pytest.mark.parametrize("command", ["links", "check"])
def test_a_reader_that_has_gone_before_all_is_written(run_process: RunProcess, site: Path, command: str) -> None:
    (site / "many.html").write_text("".join(f"<a href=/{number}.html>\n" for number in range(3000)))
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = run_process(command, "--quiet", site, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, b"")


# --- the program as a whole


@pytest.mark.parametrize("command", [["links", "/"], ["check", "."]])
def test_a_working_directory_that_is_gone(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "gone").mkdir()
    script = f'cd gone && rmdir ../gone && exec "{sys.executable}" -m rehref {" ".join(command)}'
    ran = subprocess.run(["sh", "-c", script], capture_output=True, timeout=PATIENCE, check=False, cwd=tmp_path)
    assert ran.returncode == 2
    said = b"rehref: the working directory: cannot be found: no such file or directory; go to a folder that exists\n"
    assert ran.stderr.replace(b"sh: 0: getcwd() failed: No such file or directory\n", b"") == said


def test_no_message_holds_a_password_or_a_control_character(run: Run) -> None:
    assert told(run("links", "http://u:secret@h/\x1b[31m")).startswith(r"http://u:***@h/\x1b[31m: cannot be read")


def test_an_interrupt_ends_it_quietly(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    process = subprocess.Popen([sys.executable, "-m", "rehref", "links", fifo], stderr=subprocess.PIPE)
    writer = os.open(fifo, os.O_WRONLY)  # waits until it is being read
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    os.close(writer)
    assert process.returncode == 130
    assert said.strip() == b""


@pytest.mark.parametrize("arguments", [[], ["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: rehref ")
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_the_help_names_every_command(run: Run) -> None:
    text = run("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert "_REHREF_COMPLETE" in text


def test_the_version_is_reported_without_loading_what_it_does_not_need() -> None:
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rehref", "--version"],
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    assert ran.stdout == f"rehref {__version__} ({HOW})\n".encode()
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.decode().splitlines()}
    assert "click" in loaded
    assert not loaded & {"rich", "lxml", "html5lib", "ada_url", "jinja2", "warcio", "webencodings", "tomllib"}
    modules = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()}
    assert not modules & {
        "rehref.api",
        "rehref.cli._commands.links.command",
        "rehref.cli.config",
        "rehref.markup.cores",
    }


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
def test_a_closed_standard_stream_is_nobody_to_talk_to(tmp_path: Path, closed: str) -> None:
    (tmp_path / "x.html").write_text("<a href=y>", encoding="utf-8")
    ran = shell(f"$REHREF links {tmp_path}/x.html {closed}")
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "command",
    [
        "links x.html",
        "links --format json x.html",
        "rewrite x.html",
        "resolve http://h/ x",
        "resolve --format json http://h/ x",
        "normalize http://h/ x",
        "validate http://h/ x",
        "find x.html",
        "find --format json x.html",
        "parsers",
        "check s",
        "check s --format json",
        "check s --format sarif",
        "check s --why x.html",
        "check broken",
        "--help",
        "--version",
    ],
)
def test_what_cannot_be_written_to_a_closed_standard_output_is_an_error(tmp_path: Path, command: str) -> None:
    files = {"x.html": "<a href=http://y/>", "s/x.html": "<a href=x.html>", "broken/x.html": "<a href=y>"}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    ran = shell(f"$REHREF {command} >&-")
    assert (ran.returncode, ran.stderr.decode().splitlines()[-1]) == (2, "rehref: standard output: it is closed")
    assert "Traceback" not in ran.stderr.decode()


@pytest.mark.parametrize(
    "command", ["check s -o r.txt", "check s --format json=r.json", "rewrite --url http://h/ -o out.html s/x.html"]
)
def test_a_closed_standard_output_is_no_error_where_nothing_is_written_there(tmp_path: Path, command: str) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/x.html").write_text("<a href=x.html>", encoding="utf-8")
    ran = shell(f"$REHREF {command} >&-")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_links_are_not_written_into_a_folder_named_like_standard_output(
    run: Run, tmp_path: Path, form: str, name: str
) -> None:
    (tmp_path / "page.html").write_bytes(b"<a href=x>")
    result = run("links", "page.html", "--format", form, "-o", name)
    assert told(result) == f"-o {name}: is standard output, not a folder; leave out -o"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_links_are_not_written_into_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"<a href=x>")
    result = run("links", "page.html", "--format", "jsonl", "-o", "page.html")
    assert told(result) == "-o page.html: is not a folder; name a folder"


@pytest.mark.parametrize("more", [(), ("--resume",), ("--ordered",)])
def test_no_folder_is_made_where_there_is_no_source(run: Run, tmp_path: Path, more: tuple[str, ...]) -> None:
    (tmp_path / "page.html").write_bytes(b"<a href=x>")
    wrong = run("links", "pgae.html", "--format", "jsonl", "-o", "out", *more)
    assert told(wrong).startswith("pgae.html: ")
    assert not (tmp_path / "out").exists()
    assert run("links", "page.html", "--format", "jsonl", "-o", "out").exit_code == 0
    assert len((tmp_path / "out" / "part-00000.jsonl").read_bytes().splitlines()) == 1

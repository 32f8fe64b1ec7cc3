"""What the command line says to people who are new to it: help, short options, the nearest right name, colours."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from cli_runs import Run
from rehref.cli.program import command_names, import_command, option_groups, program

COMMANDS = command_names(installed=False)


@pytest.fixture
def said(run: Run) -> Callable[..., str]:
    """The one line that a usage error is."""

    def saying(*arguments: object) -> str:
        result = run(*arguments)
        line = result.stderr
        assert (result.exit_code, result.stdout, line.count("\n")) == (2, "", 1), result.output
        assert line.startswith("rehref: ")
        return line.removeprefix("rehref: ").rstrip()

    return saying


# help


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(run: Run, command: str) -> None:
    assert run("help", command).stdout == run(command, "--help").stdout
    assert run(command, "-h").exit_code == 0


def test_help_alone(run: Run) -> None:
    assert run("help").stdout == run("--help").stdout


def test_version(run: Run) -> None:
    assert run("-V").stdout == run("--version").stdout


@pytest.mark.parametrize("command", ["links", "check", "parsers"])
def test_format_has_a_short_name(run: Run, site: Path, command: str) -> None:
    arguments = [] if command == "parsers" else [site]
    short, long = (run(command, *arguments, name, "json").stdout for name in ("-f", "--format"))
    assert re.sub('"seconds": [0-9.]+', "", short) == re.sub('"seconds": [0-9.]+', "", long) != ""


GROUPS = {
    "check": [
        "What to check",
        "Where the site is",
        "What to report",
        "Output",
        "Fixing",
        "Links to other sites, with --external",
        "Pages of a server, with --external URL",
        "Reading documents",
        "General",
    ],
    "links": ["Output", "Base URI", "Reading documents", "General"],
    "rewrite": [
        "New references",
        "Where the result goes",
        "Archives and mail",
        "Base URI",
        "Reading documents",
        "General",
    ],
    "find": ["Options"],
}


@pytest.mark.parametrize("name", GROUPS)
def test_options_are_in_groups_in_the_order_of_their_declaration(run: Run, name: str) -> None:
    command = import_command(name)
    context = click.Context(command, click.Context(program, info_name="rehref", **program.context_settings))
    groups = option_groups(command, context)
    assert list(groups) == GROUPS[name]
    in_groups = [option for options in groups.values() for option in options]
    assert in_groups == [each for each in command.get_params(context) if isinstance(each, click.Option)]
    assert re.findall(r"^(\S.*):$", run(name, "--help", "all").stdout, re.MULTILINE) == GROUPS[name]


def test_the_help_begins_with_examples(run: Run) -> None:
    before, _, _ = run("--help").stdout.partition("\nOptions:\n")
    assert len(re.findall("^    rehref ", before.partition("Start here:\n")[2], re.MULTILINE)) == 3


def test_the_help_of_check_shows_first_what_most_need(run: Run) -> None:
    shown, whole = (run("check", "--help", *words).stdout for words in ((), ("all",)))
    named = re.findall("^  (?:-., )?--([a-z-]+)", shown.partition("Examples:")[2].partition("All ")[0], re.MULTILINE)
    assert 12 <= len(named) <= 15
    assert shown.index("Examples:") < shown.index("--exclude")
    assert len(shown.splitlines()) < 75 < 250 < len(whole.splitlines())
    assert run("help", "check", "all").stdout == whole


def test_each_group_of_the_help_has_a_word_that_shows_it(run: Run) -> None:
    words = re.findall(r"^  --help (\w+) +(.+)$", run("check", "--help").stdout, re.MULTILINE)
    whole = run("check", "--help", "all").stdout
    assert [title for _, title in words] == GROUPS["check"]
    for word, title in words:
        group = f"\n{title}:\n" + whole.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert group in run("check", "--help", word).stdout


def test_a_word_of_an_option_shows_it(run: Run) -> None:
    shown = run("check", "--help", "retries").stdout
    assert re.findall("^  (--[a-z-]+)", shown, re.MULTILINE) == ["--max-retries"]


@pytest.mark.parametrize("arguments", [["--help", "public/"], ["public/", "--help"], ["-h", "--strict"]])
def test_any_other_word_behind_help_shows_the_first_help(run: Run, arguments: list[str]) -> None:
    assert run("check", *arguments).stdout == run("check", "--help").stdout


def test_groups_have_the_same_columns(run: Run) -> None:
    help = run("check", "--help", "all").stdout.partition("What to check:")[2].partition("Examples:")[0]
    texts = {found.start(1) for found in re.finditer(r"^  -.*?  +(\S)", help, re.MULTILINE)}
    columns = {position - help.rfind("\n", 0, position) for position in texts}
    assert len(columns) == 1


# the nearest right name


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chek"], "no such command 'chek'; did you mean check?"),
        (["public"], "no such command 'public'; did you mean rehref check public?"),
        (["check", ".", "--timeout", "3"], "--timeout: goes with --external only; say --external, or leave it out"),
        (["check", ".", "--watch", "--external"], "--watch: checks again and again, so it does not go with --external"),
        (["zzz"], "no such command 'zzz'; see rehref --help"),
        (["help", "lnks"], "help: no such command 'lnks'; did you mean links?"),
        (["check", ".", "--formt", "json"], "check: no such option '--formt'; did you mean --format?"),
        (["links", "--zzz", "."], "links: no such option '--zzz'; see rehref links --help"),
        (["check", "--htlm", "."], "check: no such option '--htlm'; did you mean --format html?"),
        (["check", "--netlify", "."], "check: no such option '--netlify'; did you mean --host netlify?"),
        (["links", "--json", "."], "links: no such option '--json'; did you mean --format json?"),
        (["links", "--base-url", "."], "links: no such option '--base-url'; did you mean --url?"),
        (["rewrite", "--relativ", "."], "rewrite: no such option '--relativ'; did you mean --to relative?"),
        (["check", "--utf-8", "."], "check: no such option '--utf-8'; see rehref check --help"),
        (["check", ".", "-f", "jso"], "--format jso: there is no such format; did you mean json?"),
        (["check", ".", "-f", "zzz=x"], "--format zzz=x: there is no such format; take one of text, json,"),
        (
            ["links", ".", "-f", "tabel"],
            "--format tabel: there is no such format; did you mean table?",
        ),
        (["check", ".", "--host", "netlfy"], "check: invalid value for '--host': there is no 'netlfy'; did you mean"),
        (["links", ".", "--parser", "lxm"], "--parser lxm: there is no parser 'lxm'; there are"),
        (["links", ".", "--encoding", "utf-9"], "--encoding utf-9: there is no such encoding; did you mean utf-8?"),
        (["links", ".", "--encoding", "zzzz"], "--encoding zzzz: there is no such encoding; use a label"),
        (
            ["rewrite", ".", "--to", "absolut"],
            "--to absolut: is neither absolute, relative nor offline, nor a template",
        ),
        (
            ["rewrite", ".", "--base-element", "kep"],
            "rewrite: invalid value for '--base-element': there is no 'kep'; did",
        ),
    ],
)
def test_what_is_wrong_is_told_what_would_be_right(said: Callable[..., str], arguments: list[str], says: str) -> None:
    Path("public").mkdir()
    assert said(*arguments).startswith(says.replace("'--format' / '-f'", "'-f' / '--format'"))


# what is no file


@pytest.mark.parametrize("url", ["https://example.org/", "HTTP://x/a.html", "www.example.org"])
def test_a_url_is_not_fetched(said: Callable[..., str], run: Run, url: str) -> None:
    assert "is a URL, and nothing is fetched unasked; say --external" in said("check", url)
    for command in ("links", "rewrite"):
        result = run(command, url)
        assert result.exit_code == 2
        assert "it is a URL, and nothing is fetched; save it" in result.stderr
    assert "it is a URL, and nothing is fetched" in said("rewrite", "a.html", "--map", url)


def test_a_file_that_is_called_so_is_a_file(run: Run, site: Path) -> None:
    Path("https:/x").mkdir(parents=True)
    (site / "index.html").rename("https:/x/index.html")
    assert run("links", "https://x/index.html").exit_code == 0
    assert run("check", "https://x", "--exit-zero").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--map", '{"https://a/": "b"'],
            """--map {"https://a/": "b": is a table, not the name of a file; write it""",
        ),
        (["--map", "broken.json"], "broken.json: is not JSON: expecting value at 1:7; write a JSON object, "),
        (["--map", "list.json"], "list.json: is a JSON array, not an object; write a JSON object, "),
        (["--to", "http://r/{uri"], "--to: the template 'http://r/{uri' has a { that is not of a {name}; write %7B"),
        (["--to", "http://r/uri}{"], "--to: the template 'http://r/uri}{' has a } that is not of a {name}; write %7B"),
        (["--config", "-"], "--config -: is not a file, and standard input has no configuration; name a file"),
    ],
)
def test_other_messages(said: Callable[..., str], site: Path, arguments: list[str], says: str) -> None:
    Path("broken.json").write_text('{"a": ')
    Path("list.json").write_text('[{"a": 1}]')
    assert said("rewrite", site / "index.html", *arguments).startswith(says)


def test_what_is_too_large_names_the_option(run: Run, site: Path) -> None:
    Path("a.html.gz").write_bytes(gzip.compress(b"<a href=x>" * 10))
    Path("a.mhtml").write_bytes(
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n"
        b"<a href=x>\n--x--\n"
    )
    for file in ("a.html.gz", "a.mhtml"):
        result = run("links", file, "--max-size", 5)
        assert result.exit_code == 2
        assert "unpacks to more than 5 bytes; " in result.stderr
        assert "allow more with --max-size" in result.stderr


# what is said, and how


def test_verbose_says_what_is_read(run: Run, site: Path) -> None:
    result = run("links", "-v", "--no-progress", site)
    assert result.stderr.splitlines()[:3] == [
        f"rehref: {site}/deep/page.html: 2 references",
        f"rehref: {site}/deep/plain.HTM: 0 references",
        f"rehref: {site}/index.html: 2 references",
    ]
    assert result.stdout == run("links", site).stdout
    result = run("rewrite", "--to", "relative", "--verbose", "--url", "https://x/", site, "-o", "out")
    assert f"rehref: {site}/deep/page.html: 2 references, 2 changed\n" in result.stderr
    result = run("check", "-v", site, "--exclude-path", "index.html")
    assert result.stderr.splitlines()[:2] == [
        f"rehref: {site}: 2 documents of 4 files, at https://site.invalid/, host none",
        f"rehref: {site}/deep/page.html: text/html",
    ]
    assert f"rehref: {site}/index.html: text/html, for its names only\n" in result.stderr
    for command in ("links", "check"):
        assert run(command, "-vq", site).stderr == ""


def test_colours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_colored(*arguments: str) -> bool:
        return "\x1b[" in run("parsers", *arguments).stdout

    assert not is_colored()
    assert is_colored("--color", "always")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert is_colored()
    assert is_colored("--color=auto")
    assert not is_colored("--color=never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not is_colored()
    assert is_colored("--color", "always")
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "0")
    assert not is_colored()


def test_colours_everywhere(run: Run, site: Path) -> None:
    page = site / "index.html"
    for arguments in (
        ["links", page],
        ["check", site, "--format", "text"],
        ["explain"],
        ["resolve", "--explain", "a:b", "c"],
    ):
        plain, colored = (run(*arguments, "--color", when).stdout for when in ("auto", "always"))
        assert "\x1b[" in colored
        assert re.sub(", [0-9.]+ s", "", re.sub(r"\x1b\[[0-9;]*m", "", colored)) == re.sub(", [0-9.]+ s", "", plain)
    Path("rehref.toml").write_text('color = "always"')
    assert "\x1b[" in run("links", page).stdout
    assert "\x1b[" not in run("links", page, "-f", "json").stdout

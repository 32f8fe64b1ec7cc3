"""What bash, zsh and fish make of a line and Tab: the shells themselves are asked.

Zsh completes in its line editor only: it and bash run in a terminal here, where the line is typed, Tab, and a key that
writes down what the line is then.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from patience import PATIENCE
from rehref.reports.formats import OF_FINDINGS
from rehref.site.codes import CODES, GROUPS
from rehref.text.encoding import alike_up_to

Complete = Callable[[str], list[str]]

_ZSHRC = r"""
PS1= RPROMPT=
unsetopt beep
autoload -U compinit && compinit -u -D
eval "$(_REHREF_COMPLETE=zsh_source rehref)"
compadd() {
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        local -a offered
        builtin compadd -A offered "$@"
        print -rl -- $offered >> $OUT.offered
    fi
    builtin compadd "$@"
}
shown() { print -r -- "$BUFFER" > $OUT; exit }
zle -N shown
bindkey '^X' shown
"""

_BASHRC = r"""
PS1=
bind 'set bell-style none'
eval "$(_REHREF_COMPLETE=bash_source rehref)"
shown() { printf '%s\n' "$READLINE_LINE" > "$OUT"; exit; }
bind -x '"\C-x": shown'
"""

_LINES = [
    ("rehref che", ["check"]),
    ("rehref help exp", ["explain"]),
    ("rehref check --outp", ["--output"]),
    ("rehref check --format gi", ["github"]),
    ("rehref check -f gi", ["github"]),
    ("rehref check --format=gi", ["--format=github"]),
    ("rehref check --format=", [f"--format={row.name}" for row in OF_FINDINGS]),
    ("rehref check --select missing-fi", ["missing-file"]),
    ("rehref check --select orphan,missing-fi", ["orphan,missing-file"]),
    ("rehref check --select=orphan,missing-fi", ["--select=orphan,missing-file"]),
    ("rehref check --ignore bas", [name for name in (*CODES, *GROUPS) if name.startswith("bas")]),
    ("rehref check --per-path-ignores a.html:missing-fi", ["a.html:missing-file"]),
    ("rehref check --color ", ["auto", "always", "never"]),
    ("rehref explain missing-in", ["missing-index"]),
    ("rehref explain truncated,missing-in", ["truncated,missing-index"]),
    ("rehref explain trunc", ["truncated"]),
    ("rehref links --parser html5", ["html5lib"]),
    ("rehref resolve --profile wh", ["whatwg"]),
    ("rehref rewrite --to off", ["offline"]),
]
"""Lines, and what the last word of each may become."""
_FILES = [
    ("rehref check publ", "public/"),
    ("rehref check -o li", "links.sarif"),
    ("rehref check --output=li", "--output=links.sarif"),
    ("rehref check --format sarif=li", "sarif=links.sarif"),
    ("rehref check --format=sarif=li", "--format=sarif=links.sarif"),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """One in which `rehref` is a program; and a working directory with some files."""
    for folder in ("bin", "config", "work/public"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "work" / "links.sarif").touch()
    script = tmp_path / "bin" / "rehref"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rehref "$@"\n')
    script.chmod(0o755)
    return {
        **os.environ,
        "PYTHONDEVMODE": "0",
        "PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}",
        "TERM": "dumb",
        "ZDOTDIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "OUT": str(tmp_path / "out"),
    }


def typed(shell: list[str], line: str, environment: dict[str, str], folder: Path) -> str:
    """What a shell in a terminal makes of a line, Tab, and the key that writes down what the line is then."""
    import pty

    ours, its = pty.openpty()
    with subprocess.Popen(
        shell, stdin=its, stdout=its, stderr=its, cwd=folder, env=environment, start_new_session=True
    ) as process:
        os.close(its)
        os.write(ours, f"{line}\t\x18".encode())
        with suppress(OSError):  # which is how it ends
            while select.select([ours], [], [], PATIENCE)[0] and os.read(ours, 4096):
                pass
        os.close(ours)
    assert process.returncode == 0
    return Path(environment["OUT"]).read_text().rstrip()


@pytest.fixture
def in_bash(tmp_path: Path, environment: dict[str, str]) -> Callable[[str], str]:
    """What bash makes of a line."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    (tmp_path / "bashrc").write_text(_BASHRC)
    shell = ["bash", "--noprofile", "--rcfile", str(tmp_path / "bashrc"), "-i"]
    return lambda line: typed(shell, line, environment, tmp_path / "work")


@pytest.fixture
def in_zsh(tmp_path: Path, environment: dict[str, str]) -> Callable[[str], tuple[str, list[str]]]:
    """What zsh makes of a line, and what it offers."""
    if shutil.which("zsh") is None:
        pytest.skip("there is no zsh")
    (tmp_path / ".zshrc").write_text(_ZSHRC)

    def completing(line: str) -> tuple[str, list[str]]:
        after, offered = typed(["zsh", "-d", "-i"], line, environment, tmp_path / "work"), tmp_path / "out.offered"
        return after, offered.read_text().split() if offered.exists() else []

    return completing


@pytest.fixture
def in_fish(tmp_path: Path, environment: dict[str, str]) -> Complete:
    """What fish offers for a line."""
    if shutil.which("fish") is None:
        pytest.skip("there is no fish")

    def completing(line: str) -> list[str]:
        ran = subprocess.run(
            ["fish", "--no-config", "-c", "_REHREF_COMPLETE=fish_source rehref | source; complete -C $argv[1]", line],
            cwd=tmp_path / "work",
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ran.stderr == ""
        return [each.partition("\t")[0] for each in ran.stdout.splitlines()]

    return completing


@pytest.mark.sampled(10)  # each starts a shell
@pytest.mark.parametrize(("line", "completed"), [each for each in _LINES if len(each[1]) == 1])
def test_bash_completes(in_bash: Callable[[str], str], line: str, completed: list[str]) -> None:
    assert in_bash(line) == f"{line.rpartition(' ')[0]} {completed[0]}"


@pytest.mark.sampled(10)  # each starts a shell
@pytest.mark.parametrize(("line", "completed"), _FILES)
def test_bash_completes_files(in_bash: Callable[[str], str], line: str, completed: str) -> None:
    assert in_bash(line) == f"{line.rpartition(' ')[0]} {completed}"


@pytest.mark.sampled(10)  # each starts a shell
@pytest.mark.parametrize(("line", "completed"), _LINES)
def test_zsh_completes(in_zsh: Callable[[str], tuple[str, list[str]]], line: str, completed: list[str]) -> None:
    after, offered = in_zsh(line)
    assert sorted(offered) == sorted(completed)
    before = line.rpartition(" ")[0]
    first, last = min(completed), max(completed)
    assert after == f"{before} {first[: alike_up_to(first, last)]}".rstrip()


@pytest.mark.sampled(10)  # each starts a shell
@pytest.mark.parametrize(("line", "completed"), _FILES)
def test_zsh_completes_files(in_zsh: Callable[[str], tuple[str, list[str]]], line: str, completed: str) -> None:
    assert in_zsh(line)[0] == f"{line.rpartition(' ')[0]} {completed}"


def test_zsh_leaves_what_there_is_not(in_zsh: Callable[[str], tuple[str, list[str]]]) -> None:
    after, _ = in_zsh("rehref check --format zz")
    assert after == "rehref check --format zz"


@pytest.mark.sampled(10)  # each starts a shell
@pytest.mark.parametrize(("line", "completed"), _LINES)
def test_fish_completes(in_fish: Complete, line: str, completed: list[str]) -> None:
    assert sorted(in_fish(line)) == sorted(completed)


@pytest.mark.sampled(10)  # each starts a shell
@pytest.mark.parametrize(("line", "completed"), _FILES)
def test_fish_completes_files(in_fish: Complete, line: str, completed: str) -> None:
    assert in_fish(line) == [completed]


def test_fish_offers_nothing_for_what_there_is_not(in_fish: Complete) -> None:
    assert in_fish("rehref check --format zz") == []

"""Completion in shells, where click's own is not enough.

Zsh and fish get a line for each item, with tabs between its type (`plain`, `file`, `dir`), the text before it in the
word, its value, and its help: a value may have commas (`--select orphan,missing-file`) and colons, and a file may
follow a name (`--format sarif=out.sarif`), which is then the text before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete, add_completion_class

if TYPE_CHECKING:
    Item = Any  # its values are texts; before click 8.4 it is not generic

_ZSH = r"""#compdef %(prog_name)s

%(complete_func)s() {
    local -a plain described fields
    local line
    (( ! $+commands[%(prog_name)s] )) && return 1
    local -x COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) %(complete_var)s=zsh_complete
    for line in "${(@f)$(%(prog_name)s)}"; do
        fields=("${(@ps:\t:)line}")
        if [[ $fields[1] == plain && -n $fields[4] ]]; then
            described+=("${${fields[2]}//:/\\:}${${fields[3]}//:/\\:}:$fields[4]")
        elif [[ $fields[1] == plain ]]; then
            plain+=("$fields[2]$fields[3]")
        elif [[ $fields[1] == (file|dir) ]]; then
            [[ -n $fields[2] ]] && compset -p $#fields[2]
            if [[ $fields[1] == dir ]]; then _path_files -/; else _path_files -f; fi
        fi
    done
    (( $#described )) && _describe -V unsorted described -U
    (( $#plain )) && compadd -U -V unsorted -a plain
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""
_FISH = r"""function %(complete_func)s
    set -l words (commandline -cp | string collect)
    set -l word (commandline -t | string collect)
    for line in (env %(complete_var)s=fish_complete COMP_WORDS="$words" COMP_CWORD="$word" %(prog_name)s)
        set -l fields (string split -m 3 \t -- $line)
        switch $fields[1]
            case plain
                printf '%%s%%s\t%%s\n' $fields[2] $fields[3] $fields[4]
            case dir
                for path in (__fish_complete_directories $fields[3])
                    printf '%%s%%s\n' $fields[2] $path
                end
            case file
                for path in (__fish_complete_path $fields[3])
                    printf '%%s%%s\n' $fields[2] $path
                end
        end
    end
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


class InBash(BashComplete):
    """Bash, with its words joined again: it splits `--format=gi` into three.

    The `=` is dropped, so that the value is completed as in `--format gi`. Bash also splits `--per-path-ignores
    a.html:missing`; it gets only the part of the completion after the `:`.
    """

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and that one."""
        words, incomplete, _ = self._parted()
        return words, incomplete

    def format_completion(self, item: Item) -> str:
        """Return the line for an item."""
        return f"{item.type},{item.value.removeprefix(self._parted()[2])}"

    def _parted(self) -> tuple[list[str], str, str]:
        """Return the words, the one that is completed, and the part of it that bash takes for other words."""
        words, incomplete = super().get_completion_args()
        words = [word for word in words if word != "="]
        if incomplete == ":" and words:
            return words[:-1], f"{words[-1]}:", f"{words[-1]}:"
        if words[-1:] == [":"] and len(words) > 1:
            return words[:-2], f"{words[-2]}:{incomplete}", f"{words[-2]}:"
        return words, incomplete, ""


class InZsh(ZshComplete):
    """Zsh, which keeps one word, and replaces all of it by the completion; that therefore includes the `--format=`."""

    source_template = _ZSH

    def complete(self) -> str:
        """The lines for what is completed."""
        return _lines(self)


class InFish(FishComplete):
    """Fish, like zsh."""

    source_template = _FISH

    def complete(self) -> str:
        """The lines for what is completed."""
        return _lines(self)


def use_our_completion() -> None:
    """Make click use these classes."""
    for shell in (InBash, InZsh, InFish):
        add_completion_class(shell)


def _lines(shell: ShellComplete) -> str:
    words, incomplete = shell.get_completion_args()
    option, equals, _ = incomplete.partition("=")
    before = option + equals if equals and option.startswith("-") else ""
    return "\n".join(_line(before, item) for item in shell.get_completions(words, incomplete))


def _line(before: str, item: Item) -> str:
    help = " ".join((item.help or "").split())
    return "\t".join((item.type, before + (item.before or ""), item.value, help))

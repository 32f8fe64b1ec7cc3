"""What shells complete, where click does not know what it should.

1. Bash makes three words of `--format=gi`. Then the `=` is none, so that the value is completed as in `--format gi`.
"""

from __future__ import annotations

from click.shell_completion import BashComplete, add_completion_class


class WordsOfBash(BashComplete):
    """Bash, with its words put right (rule 1)."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def complete_in_bash() -> None:
    """Have click complete so."""
    add_completion_class(WordsOfBash)

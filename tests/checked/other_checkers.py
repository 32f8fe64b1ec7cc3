"""The cases of `fixtures/sites/other-checkers`: what other checkers say of small sites, and what rehref finds."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checked.contexts import written

CASES = Path(__file__).resolve().parents[2] / "fixtures" / "sites" / "other-checkers"
CHECKERS = sorted(path.stem for path in CASES.glob("*.toml"))
_WHOLE = re.compile(r"<(?:!doctype|html)", re.IGNORECASE).match
_HEAD = '<!DOCTYPE html>\n<meta charset="utf-8"><title>x</title>\n'


@dataclass(frozen=True, slots=True)
class Case:
    """A case; `README.md` beside them says what its fields are. `checker`: whose it is."""

    checker: str
    says: str
    theirs: str
    found: tuple[str, ...] = ()
    page: str = ""
    head: str = ""
    files: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    why: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether both find fault, or neither."""
        return bool(self.found) == (self.theirs == "fault")

    def write(self, folder: Path) -> None:
        """Write the site into a folder."""
        pages = {"index.html": self.page if _WHOLE(self.page) else _page(self.head, self.page)}
        for name, text in self.files.items():
            is_part = name.endswith((".html", ".foo", ".bar")) and not _WHOLE(text)
            pages[name] = _HEAD + text if is_part else text
        written(folder, pages)


def cases(checker: str) -> list[Case]:
    """The cases of one checker."""
    table = tomllib.loads((CASES / f"{checker}.toml").read_text(encoding="utf-8"))
    return [_case(checker, row) for row in table["case"]]


def _case(checker: str, row: dict[str, Any]) -> Case:
    lists = {name: tuple(row[name]) for name in ("options", "found") if name in row}
    return Case(checker, **{**row, **lists})


def _page(head: str, body: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>x</title>\n{head}\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )

"""What fragments mean on the pages in which forges show files: lines of a source, ids with a prefix, a README.

A forge shows most files as they are written, with lines that a fragment can name; Markdown only with a query. Whether a
file has so many lines is not looked up: they move with each change. Ids in documents get a prefix, and scripts find
them with it and without. A folder is shown with its README, in an element that has an id of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.documents.media_types import MediaType


class ForgePages(NamedTuple):
    """The pages of a forge. `lines`: what names lines; `plain`: the query that shows Markdown as it is written.

    `prefix`: what precedes the ids in documents. `readme`: the id of the README on the page of a folder.
    """

    lines: re.Pattern[str]
    plain: str
    prefix: str
    readme: str = "readme"

    def names_lines(self, media_type: MediaType | None, query: str, fragment: str) -> bool:
        """Whether a fragment names lines of a file with this type."""
        is_plain = media_type != MediaType.MARKDOWN or not self.plain or self.plain in query.split("&")
        return is_plain and self.lines.fullmatch(fragment) is not None


FORGES: Final[Mapping[str, ForgePages]] = MappingProxyType(
    {
        "github": ForgePages(re.compile(r"L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?"), "plain=1", "user-content-"),
        "gitlab": ForgePages(re.compile(r"L\d+(?:-L?\d+)?"), "plain=1", "user-content-"),
        "forgejo": ForgePages(re.compile(r"L\d+(?:-L\d+)?"), "display=source", "user-content-"),
        "bitbucket": ForgePages(re.compile(r"lines-\d+(?:[:,]\d+)*"), "", "markdown-header-", ""),
    }
)
"""The forges by name: those that are dialects, and others, which a folder may be for if no dialect is known."""
LINES: Final = re.compile("|".join(forge.lines.pattern for forge in FORGES.values()))


def forges_of(dialect: str | None) -> tuple[ForgePages, ...]:
    """Return the forges that sources in a dialect may be for: all if it is not known."""
    return tuple(FORGES.values()) if dialect is None else tuple(filter(None, (FORGES.get(dialect),)))

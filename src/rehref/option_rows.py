"""What an option is that is declared once: a row (`Option`), from which all else derives.

Rows give the options of commands, in groups; the keys of a configuration file, and which of them count; the keyword
arguments of functions, and the text about them in docstrings; the options of programs that build sites; and tables in
the documentation. The type of an option says what it takes (`KINDS`), unless the row does.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import cleandoc
from os import PathLike
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_origin

DOCUMENTS: Final = ("links", "rewrite")
"""The commands that read any document."""
_Function = TypeVar("_Function", bound=Callable[..., Any])
Kind: TypeAlias = Literal[
    "flag",
    "count",
    "size",
    "seconds",
    "time",
    "text",
    "texts",
    "separated",
    "statuses",
    "file",
    "folder",
    "codes",
    "codes of paths",
    "rules",
    "report",
    "jobs",
    "files",
    "call",
]
"""What an option takes."""
FilePath: TypeAlias = str | PathLike[str] | None
Separated: TypeAlias = str | Sequence[str] | None
"""Several texts, or one text with commas between them."""
Statuses: TypeAlias = str | int | Sequence[str | int]

Found: TypeAlias = Literal["counts", "inside", "writes", "asks", "yours"]
"""Whether an option counts in a configuration that was found.

`counts`: yes; `inside`: if it names an ordinary file, or a folder, in the folder of the configuration; `writes`: no, it
writes to files; `asks`: no, it makes rehref ask servers, ask them more or sooner, trust more, or send something of the
user's; `yours`: no, a person decides it: how much of the machine is used, what is shown, when a command ends.
"""

KINDS: Final[Mapping[object, Kind]] = {
    bool: "flag",
    int: "count",
    int | None: "count",
    float: "seconds",
    str | float: "time",
    str: "text",
    str | None: "text",
    Sequence[str]: "texts",
    Separated: "separated",
    Statuses: "statuses",
    FilePath: "file",
}
"""The kind that a type says."""


class Option(NamedTuple):
    """A row: how an option is described to users, what it takes, and who may set it.

    `commands`: the commands that have it. `flags`: its names on the command line, if they are not its own with `-`.
    `choices`: the allowed texts; `described`: names that it begins with, each with a summary; `known`: returns texts
    for shells to complete, if it takes others, too. `kind`: if its type does not say it. `group`: the heading above it
    in `--help`; `after`: the option that it follows there, if it is declared elsewhere. `shows_default`: whether
    `--help` shows its default. `in_python`: the text of `help` for Python, if it differs. `least`: the least number.
    `example`: one of its texts, for messages.

    `is_secret`: whether its value stays out of reports. `found`: what a configuration that was found may do with it,
    for it may have come with the folder; every option of a command says so. `makes_folder`:
    whether the folder of its file is made. `about`: what it is about, if not about
    every check.

    `name` and `type` are those of the field, or of the key, that declares it.
    """

    help: str
    metavar: str | None = None
    default: Any = None
    commands: Sequence[str] = DOCUMENTS
    flags: Sequence[str] = ()
    choices: Sequence[str] = ()
    described: Mapping[str, str] = MappingProxyType({})
    known: Callable[[], Sequence[str]] = tuple
    kind: Kind | None = None
    group: str = "Reading documents"
    after: str | None = None
    shows_default: bool = False
    in_python: str | None = None
    least: float = 0
    example: str = ""
    is_secret: bool = False
    found: Found | None = None
    makes_folder: bool = False
    about: Literal["", "folder", "pages", "whole site"] = ""
    name: str = ""
    type: Any = None

    @property
    def flag(self) -> str:
        """Its usual name on the command line."""
        return next((flag for flag in self.flags if flag.startswith("--")), f"--{self.name.replace('_', '-')}")

    def declared_as(self, name: str, type: Any) -> "Option":
        """Return the row with the name and the type of the field or key that declares it."""
        kind = self.kind or KINDS[type]
        unset = {"flag": False, "texts": (), "codes": (), "statuses": ()}.get(kind)
        default = unset if self.default is None else self.default
        return self._replace(name=name, type=type, kind=kind, default=default)


def rows_of(table: Any) -> dict[str, Option]:
    """Return the options that the keys of a `TypedDict` declare, by name: those that are annotated with an `Option`."""
    hints = {name: hint for name, hint in table.__annotations__.items() if get_origin(hint) is Annotated}
    return {name: hint.__metadata__[0].declared_as(name, hint.__origin__) for name, hint in hints.items()}


def described(function: _Function, rows: Iterable[Option]) -> _Function:
    """Make the docstring of a function describe each option."""
    if function.__doc__ is not None:  # it is None with python -OO
        from textwrap import fill

        lines = (fill(f"`{row.name}`: {row.in_python or row.help}", 116) for row in rows)
        heading = "The arguments, which the command line has as options:"
        function.__doc__ = f"{cleandoc(function.__doc__)}\n\n{heading}\n\n" + "\n".join(lines)
    return function


def is_attribute_name(text: str) -> bool:
    """Whether a text can name an attribute in an option."""
    return re.fullmatch(r"[^\s@=/>\"'\ud800-\udfff]+", text) is not None

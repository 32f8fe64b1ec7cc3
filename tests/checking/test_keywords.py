"""The keyword arguments of `rehref.check`: each is declared once, with a type that type checkers know."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import rehref
from rehref.checking import api
from rehref.checking.checks.registry import ON_REQUEST
from rehref.checking.external.declared import ROWS, Kind, WebOption
from rehref.checking.option_types import More
from rehref.options import DECLARED, Given, GivenToCheck

SOURCE = Path(rehref.__file__).parent
TYPES: dict[Kind, Any] = {
    "flag": bool,
    "count": int,
    "time": str | float,
    "text": str,
    "texts": Sequence[str],
    "statuses": str | int | Sequence[str | int],
    "file": str | PathLike[str] | None,
}
"""What a program may give for an option of each kind."""


def type_of(row: WebOption) -> Any:
    return int | None if row.kind == "count" and row.unsaid is None else TYPES[row.kind]


def test_every_row_is_a_keyword_with_its_type() -> None:
    given = get_type_hints(Given)
    reading = {name: given[name] for name, (shown, _) in DECLARED.items() if "check" in shown.commands}
    named = inspect.signature(rehref.check).parameters
    checks = {check.name: bool for check in ON_REQUEST if check.name not in named}
    assert get_type_hints(GivenToCheck) == reading
    assert get_type_hints(More) == reading | checks | {row.name: type_of(row) for row in ROWS}
    assert not named.keys() & get_type_hints(More)


def errors(path: Path, code: str) -> str:
    """What mypy says of a program; it looks only at the modules that declare the arguments of `check`."""
    mypy = pytest.importorskip("mypy.api")
    path.write_text(f"from pathlib import Path\nfrom rehref.checking.api import check\n{code}\n")
    modules = [api.__file__, str(SOURCE / "checking" / "option_types.py"), str(SOURCE / "options.py")]
    options = ["--config-file=", "--follow-imports=skip", "--cache-dir", str(path.parent / "cache")]
    said: str = mypy.run([*options, str(path), *modules])[0]
    return said


def test_type_checkers_find_mistakes_in_keywords(tmp_path: Path) -> None:
    said = errors(
        tmp_path / "program.py",
        'check(".", site_ulr="https://example.org/")\n'
        'check(".", encodign="utf-8")\n'
        'check(".", timeout=["3s"])\n'
        'check(".", external=True, timeout="3s", accept=403, orphans=True, depth=None, root_dir=Path("a"))',
    )
    for line, error in (
        (3, 'Unexpected keyword argument "site_ulr"'),
        (4, 'Unexpected keyword argument "encodign"'),
        (5, 'Argument "timeout" to "check" has incompatible type'),
    ):
        assert f"program.py:{line}: error: {error}" in said
    assert "Found 3 errors in 1 file" in said

"""The keyword arguments of `rehref.check`: each is declared once, with a type that type checkers know."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import pytest

import rehref
from rehref.documents.options import DECLARED, Given, GivenShared
from rehref.site import check as api
from rehref.site.check_options import ROWS, CheckOptions, GivenToCheck

SOURCE = Path(rehref.__file__).parent


def test_every_row_is_a_keyword_with_its_type() -> None:
    given: dict[str, Any] = get_type_hints(Given)
    assert get_type_hints(GivenShared) == {n: given[n] for n, row in DECLARED.items() if "check" in row.commands}
    assert get_type_hints(GivenToCheck) == {name: row.type for name, row in ROWS.items()}
    assert CheckOptions().given.keys() == ROWS.keys() - {
        *("files", "progress", "per_path_ignores", "rules"),
        *("header", "cookie_jar", "netrc"),  # secrets
    }


def errors(path: Path, code: str) -> str:
    """What mypy says of a program; it looks only at the modules that declare the arguments of `check`."""
    mypy = pytest.importorskip("mypy.api")
    path.write_text(f"from pathlib import Path\nfrom rehref.site.check import check\n{code}\n")
    tables = ("site/check_options.py", "site/_server_options.py", "documents/options.py", "option_rows.py")
    modules = [api.__file__, *(str(SOURCE / name) for name in tables)]
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

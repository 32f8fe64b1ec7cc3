"""Sites for tests: their files, and what is found there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult, Finding
from rehref.site.given_options import all_options, check_options
from rehref.site.site import Site


def written(folder: Path, files: Mapping[str, str | bytes] | Mapping[str, str]) -> Path:
    """A folder with these files, by their paths below it; texts are in UTF-8."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def checked(folder: Path, files: Mapping[str, str | bytes] | Mapping[str, str], /, **options: Any) -> CheckResult:
    """The result of checking a folder with these files; `options`: the fields of `CheckOptions`."""
    return CheckRun().check(Site.of(written(folder, files), CheckOptions(**{"jobs": 1, **options}))).result


def host_named(name: str) -> Any:
    """The value of `CheckOptions.host` for the name of a host."""
    return check_options(all_options({"host": name})).host


def found(folder: Path, page: str, name: str = "index.html", **options: Any) -> list[Finding]:
    return list(checked(folder, {name: page}, **options).findings)


def codes(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(finding.reference, finding.code, finding.severity) for finding in findings]

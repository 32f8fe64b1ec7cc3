"""Sites of a folder whose links to other sites are asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import rehref

Check: TypeAlias = Callable[..., rehref.CheckResult]
OutsideAndResult: TypeAlias = Callable[..., tuple[Any, rehref.CheckResult]]


def found(result: rehref.CheckResult) -> list[tuple[str, str]]:
    return [(one.code, one.reference) for one in result.findings]

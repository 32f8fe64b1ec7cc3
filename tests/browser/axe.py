"""axe-core, which looks for what keeps people from using a page.

It is no part of the project: `$REHREF_AXE` names its `axe.min.js`; without that, tests that need it are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import devtools
import pytest


def axe() -> str:
    """Its script."""
    path = os.environ.get("REHREF_AXE", "")
    if not Path(path).is_file():
        pytest.skip("no axe-core ($REHREF_AXE names its axe.min.js: npm pack axe-core@4)")
    return Path(path).read_text(encoding="utf-8")


def violations(tab: devtools.Tab, script: str) -> list[str]:
    """What it finds in the page of a tab."""
    tab.run(f"{script}\n;0")
    found = tab.run("axe.run(document, {resultTypes: ['violations']}).then(it => it.violations)")
    return [
        f"{one['id']}: {[node['html'][:200] + node['failureSummary'] for node in one['nodes'][:3]]}" for one in found
    ]

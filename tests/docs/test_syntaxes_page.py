"""The page of micro-syntaxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.uri.syntaxes import SYNTAXES

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def test_every_micro_syntax_has_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from docs_pages.syntaxes import SAMPLES, page

    assert list(SAMPLES) == list(SYNTAXES)
    assert all(SYNTAXES[name].find(value) for name, (_, value) in SAMPLES.items() if value)
    assert "<code>semicolons</code>" in page()

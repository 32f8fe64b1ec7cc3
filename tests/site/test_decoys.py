"""`rehref check --fix` beside 200 decoys (`made_decoys`): what is like a file that is there, and not meant.

- At most one in a hundred is touched: of what may be meant, and may not, nothing is written unasked.
- Most get a suggestion all the same, for people to judge.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from checked.made_decoys import make_decoys
from checked.made_pages import SITE, make_site
from rehref.cli.program import program

DECOYS = 200
MOST_TOUCHED = DECOYS // 100


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))])
def test_of_200_decoys_one_in_a_hundred_is_touched_at_most(tmp_path: Path, seed: int) -> None:
    make_site(seed, SITE).write_to(tmp_path)
    pages = make_decoys(tmp_path, DECOYS, random.Random(seed))
    arguments = ["check", str(tmp_path), "--site-url", SITE, "--format", "json"]
    found = json.loads(CliRunner().invoke(program, arguments).stdout)["problems"]
    decoys = {(one["document"], one["reference"]): one for one in found if one["severity"] == "error"}
    assert len(decoys) >= DECOYS - 2  # one may stand for two in a page
    assert {document for document, _ in decoys} == set(pages)
    assert sum(one["suggestion"] is not None for one in decoys.values()) > DECOYS // 2
    CliRunner().invoke(program, [*arguments, "--fix"])
    lines = [(old, (tmp_path / path).read_bytes().split(b"\n")) for path, old in pages.items()]
    touched = [line for old, new in lines for line, now in zip(old.split(b"\n"), new, strict=True) if line != now]
    assert len(touched) <= MOST_TOUCHED, touched

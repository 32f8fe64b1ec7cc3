"""Copies that are served: where they redirect to."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from plugins.compare.archives import SITE, answer
from rehref.cli.program import program
from rehref.plugins.serve._copies import Copy

SCRIPT = "javascript:alert(1)"


def test_a_served_copy_redirects_within_itself_alone(tmp_path: Path) -> None:
    archive = tmp_path / "a.warc"
    archive.write_bytes(answer(SITE, "<a href=/r>r</a>") + answer(SITE + "r", "", 301, {"Location": SCRIPT}))
    command = ["rewrite", "-q", "--unpack", str(tmp_path / "out"), "--no-inline", str(archive)]
    assert CliRunner().invoke(program, command).exit_code == 0
    copy = Copy(tmp_path / "out", 80)
    assert copy.find("mill.example", "/r") is None
    row = {"uri": f"{SITE}x", "date": "2024", "status": 301, "location": SCRIPT}
    with (copy.folder / "_captures.jsonl").open("a") as captures:
        captures.write(json.dumps(row) + "\n")
        captures.write(json.dumps({**row, "uri": f"{SITE}y", "location": "http://elsewhere.example/"}) + "\n")
        captures.write(json.dumps({**row, "uri": f"{SITE}z", "location": SITE}) + "\n")
    copy = Copy(copy.folder, 80)
    assert [copy.find("mill.example", path) is None for path in ("/x", "/y", "/z")] == [True, True, False]

"""References that nothing is fetched for are found, and not checked (site/_pages/targets.py)."""

from __future__ import annotations

import json
from pathlib import Path

from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

IMPORTS = {"lib/": "./lib/", "./app/": "./js/", "./old.js": "./js/app.js", "gone": "./js/gone.js"}
SCOPES = {"./virtual/": {"x": "./js/x.js"}}
MANIFEST = {
    "start_url": "index.html",
    "scope": "./app/",
    "protocol_handlers": [{"url": "open/%s"}, {"url": "gone.html?u=%s"}],
    "share_target": {"action": "share", "method": "POST"},
    "file_handlers": [{"action": "gone.html"}],
}


def test_keys_scopes_and_prefixes_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "lib").mkdir()
    for name in ("js/app.js", "js/x.js", "lib/a.js"):
        (tmp_path / name).touch()
    map_ = json.dumps({"imports": IMPORTS, "scopes": SCOPES, "integrity": {"./js/other.js": "sha384-x"}})
    script = f"<script type=importmap>{map_}</script>"
    (tmp_path / "index.html").write_text(script)
    (tmp_path / "frame.html").write_text(f"<iframe srcdoc='{script}'></iframe>")
    (tmp_path / "app.webmanifest").write_text(json.dumps(MANIFEST))
    result = CheckRun().check(Site.of(tmp_path, CheckOptions())).result
    errors = [(one.document, one.reference, one.code) for one in result.findings if one.severity == "error"]
    assert errors == [
        ("app.webmanifest", "gone.html?u=%s", "missing-file"),
        ("app.webmanifest", "gone.html", "missing-file"),
        ("frame.html", "./js/gone.js", "missing-file"),
        ("index.html", "./js/gone.js", "missing-file"),
    ]
    assert result.summary.skipped == 2 * 6 + 3
    assert result.summary.checked == 2 * 3 + 3

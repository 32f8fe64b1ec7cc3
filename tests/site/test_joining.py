"""What several folders gave, as one result (`CheckResult.joined`)."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site


def test_the_order_in_which_folders_are_named_does_not_matter_to_where_urls_are_first(tmp_path: Path) -> None:
    results = []
    for name in ("b", "a", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(f'\n<a href="https://e.example/">{name}</a>')
        results.append(CheckRun().check(Site.of(tmp_path / name, CheckOptions(jobs=1, lists_external=True))).result)
    for order in permutations(results):
        (link,) = CheckResult.joined(order).external
        assert (link.url, link.document, link.line) == ("https://e.example/", "a/index.html", 2)

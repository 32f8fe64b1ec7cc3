"""What several folders gave, as one result (`CheckResult.joined`)."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

from rehref.site._checking import check_folder
from rehref.site._grounds.site_context import site_context
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult


def test_the_order_in_which_folders_are_named_does_not_matter_to_where_urls_are_first(tmp_path: Path) -> None:
    results = []
    for name in ("b", "a", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(f'\n<a href="https://e.example/">{name}</a>')
        results.append(check_folder(site_context(tmp_path / name, CheckOptions(jobs=1, lists_external=True))))
    for order in permutations(results):
        (link,) = CheckResult.joined(order).external
        assert (link.url, link.document, link.line) == ("https://e.example/", "a/index.html", 2)

"""The results of several folders as one.

1. All documents are named from the common folder, so that no two have the same name, and each can be opened.
2. The sums are added, and the findings sorted like those of one folder. Each folder has causes of its own.
3. The first place of a URL on another site is the first by document, line and column, regardless of the order in which
   the folders are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from rehref.files.inside_folder import common_folder, path_from
from rehref.site._results.causes import id_below
from rehref.site.findings import CheckResult, ExternalLink, Finding, Summary


def place_of(finding: Finding) -> tuple[str, int, int, str, str]:
    """The place of a finding in the order of all."""
    return finding.document, finding.line or 0, finding.column or 0, finding.code, finding.message


def _place(link: ExternalLink) -> tuple[str, int, int]:
    return link.document, link.line or 0, link.column or 0


def one_result(results: Sequence[CheckResult]) -> CheckResult:
    """The results of several folders as one (rules 1, 2); a single result stays as it is."""
    if len(results) == 1:
        return results[0]
    common = common_folder([result.folder for result in results])
    found = [
        finding._replace(document=before + finding.document, cause=id_below(before, finding.cause))
        for result in results
        for before in (path_from(common, result.folder),)
        for finding in result.findings
    ]
    found.sort(key=place_of)
    sums = {each.name: sum(getattr(result.summary, each.name) for result in results) for each in fields(Summary)}
    external: dict[str, ExternalLink] = {}
    for result in results:
        for link in result.external:
            before = path_from(common, result.folder)
            placed = link._replace(document=before + link.document)
            external[link.url] = min(external.get(link.url, placed), placed, key=_place)
    sites = tuple(site for result in results for site in result.sites)
    listed = tuple(sorted(external.values()))
    hints = tuple(dict.fromkeys(hint for result in results for hint in result.hints))
    return CheckResult(common, Summary(**sums), (), sites, listed, hints=hints).with_findings(found)

"""The results of several folders as one.

1. All documents are named from the common folder, so that no two have the same name, and each can be opened.
2. The sums are added, and the findings sorted like those of one folder. Each folder has causes of its own.
3. The first place of a URL on another site is the first by document, line and column, regardless of the order in which
   the folders are named.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from rehref.site._results.causes import id_below
from rehref.site.findings import CheckResult, ExternalLink, Finding, Summary


def place_of(finding: Finding) -> tuple[str, int, int, str, str]:
    """The place of a finding in the order of all."""
    return finding.document, finding.line or 0, finding.column or 0, finding.code, finding.message


def common_folder(folders: Sequence[str]) -> str:
    """The common folder of several, "." for the working directory; of one, that folder itself."""
    if len(folders) == 1:
        return folders[0]
    plain = [os.path.normpath(folder) for folder in folders]
    if len({Path(folder).is_absolute() for folder in plain}) > 1 or any(path.startswith("..") for path in plain):
        plain = [os.path.abspath(folder) for folder in plain]  # noqa: PTH100 -- links stay as they were named
    try:
        return os.path.commonpath(plain) or "."
    except ValueError:  # on two drives
        return "."


def _place(link: ExternalLink) -> tuple[str, int, int]:
    return link.document, link.line or 0, link.column or 0


def below(common: str, folder: str) -> str:
    """The prefix of the paths of documents in a folder; "" if it is the common folder."""
    path = Path(os.path.relpath(folder, common)).as_posix() if folder != common else "."
    return "" if path == "." else f"{path}/"


def one_result(results: Sequence[CheckResult]) -> CheckResult:
    """The results of several folders as one (rules 1, 2); a single result stays as it is."""
    if len(results) == 1:
        return results[0]
    common = common_folder([result.folder for result in results])
    found = [
        finding._replace(document=before + finding.document, cause=id_below(before, finding.cause))
        for result in results
        for before in (below(common, result.folder),)
        for finding in result.findings
    ]
    found.sort(key=place_of)
    sums = {each.name: sum(getattr(result.summary, each.name) for result in results) for each in fields(Summary)}
    external: dict[str, ExternalLink] = {}
    for result in results:
        for link in result.external:
            before = below(common, result.folder)
            placed = link._replace(document=before + link.document)
            external[link.url] = min(external.get(link.url, placed), placed, key=_place)
    sites = tuple(site for result in results for site in result.sites)
    listed = tuple(sorted(external.values()))
    hints = tuple(dict.fromkeys(hint for result in results for hint in result.hints))
    return CheckResult(common, Summary(**sums), (), sites, listed, hints=hints).with_findings(found)

"""What programs resolve in style sheets and pages among sources, before a browser sees them: it counts as skipped.

In a folder of sources, a bundler reads style sheets: `@import "theme"` is a package, or `theme.css` beside the sheet,
as what begins with `~` and `@` is. A page in the folder of a package is that of an application, below whose folder its
paths from the root lead; where no generator is known, it is not known where those of any page lead. Only what leads
nowhere is skipped, and nothing of what is published as it is. What may be beside the site, above its root, is, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from rehref.documents.media_types import MediaType
from rehref.site._found.repeated import Repeated, spread
from rehref.site._grounds.site_context import SiteContext
from rehref.site._grounds.source_bases import base_of_page
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._results.crowds import MISSING
from rehref.site.findings import Finding

_IS_IMPORT = re.compile(rb"""@import\s+(?:url\(\s*)?["']?\Z""", re.IGNORECASE).search
_BEFORE: Final = 40


def without_bundled(context: SiteContext, rows: Iterable[Repeated]) -> tuple[list[Repeated], int]:
    """Return the findings without those about what programs resolve, and how many these are."""
    if not context.files.types.has_sources:
        return list(rows), 0
    left: list[Repeated] = []
    bundled = 0
    for row in rows:
        is_in_sheet = context.files.types.of(row.finding.document) == MediaType.CSS
        for one in spread([row]) if is_in_sheet else [row]:  # whether it is an import depends on the place
            if _is_bundled(context, one.finding):
                bundled += one.number
            else:
                left.append(one)
    return left, bundled


def _is_bundled(context: SiteContext, finding: Finding) -> bool:
    types, files, reference = context.files.types, context.files, finding.reference
    if finding.code == "above-root" and types.of(finding.document) == MediaType.MARKDOWN:
        return base_of_page(files, context.uri, finding.document, reference.partition("#")[0]) == ""
    if finding.code not in MISSING or (files.generator is not None and files.page_of(finding.document) is not None):
        return False
    media_type = types.of(finding.document)
    if media_type == MediaType.CSS:
        is_name = reference[:1] not in (".", "/") and ":" not in reference
        return is_name and (reference.startswith(("~", "@")) or _is_import(context, finding))
    if media_type not in MediaType.PAGES or reference[:1] != "/" or reference[:2] == "//":
        return False
    above = accumulate(finding.document.split("/")[:-1], "{}/{}".format)
    return files.generator is None or any(f"{each}/package.json" in files.paths for each in above)


def _is_import(context: SiteContext, finding: Finding) -> bool:
    """Whether a style sheet imports what a finding is about."""
    data = read_or_skip(context, finding.document)
    if data is None or finding.span is None:
        return False
    return _IS_IMPORT(data[max(0, finding.span[0] - _BEFORE) : finding.span[0]]) is not None

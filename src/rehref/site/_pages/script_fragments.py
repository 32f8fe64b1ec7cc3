"""Pages whose scripts make what fragments name: one warning for the page, not an error for each link.

A documentation program lists its members in a page that fills itself (scaladoc: 97,605 fragments of one page). What is
read of such a page does not say which fragments are right. A page counts as one if it has a script, and most of many
fragments are missing; or none is there, and a script in the page reads `location.hash`, or the page shows no text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import FEW_NAMES, is_filled_by_scripts, keeps_fragment, shown_fragment
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import MissingFragments, SiteTable
from rehref.site.findings import Finding

CODE: Final = "script-fragments"
_MANY: Final = 50
_SHOWN: Final = 3


def is_made_by_scripts(context: SiteContext, missing: MissingFragments) -> bool:
    """Return whether the scripts of a page may make the fragments that are missing in it."""
    number = len(missing.fragments)
    if not missing.defined.scripts.any or missing.defined.sent_on is not None:
        return False
    if number >= _MANY and 2 * number > missing.asked:
        return True
    has_none = number == missing.asked
    if not has_none and len(missing.defined.names) > FEW_NAMES:
        return False
    data = read_or_skip(context, missing.path)
    if data is None:
        return False
    return (has_none and keeps_fragment(data)) or is_filled_by_scripts(SitePage(context, missing.path, data))


def finding_about(table: SiteTable, missing: MissingFragments) -> Finding:
    """Return the finding about a page that others ask for fragments which its scripts may make."""
    examples: Sequence[str] = sorted(missing.fragments.values())[:_SHOWN]
    shown = ", ".join(map(shown_fragment, examples))
    documents = table.number_of_documents(missing.fragments.keys())
    where = f"{documents:,} document{'' if documents == 1 else 's'}"
    more = ", …" if len(missing.fragments) > len(examples) else ""
    message = (
        f"{len(missing.fragments):,} of {missing.asked:,} fragments that links ask of this page are not in it "
        f"({shown}{more}; in {where}): its scripts may make them; --script-ids says which are right"
    )
    return Finding(document=missing.path, code=CODE, message=message)

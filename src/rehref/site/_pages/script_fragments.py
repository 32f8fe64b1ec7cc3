"""Pages whose scripts make what fragments name: one warning for the page, not an error for each link.

A documentation program lists its members in a page that fills itself (scaladoc: 97,605 fragments of one page). What is
read of such a page does not say which fragments are right. A page counts as one if it has a script and few ids, and
shows nothing; or no heading or section has an id, and most of many fragments are missing, more than it has ids, or none
is there and a script in the page reads `location.hash`. So the ids of an ordinary page count, and those of Doxygen's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import keeps_fragment, shown_fragment
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import MissingFragments, SiteTable
from rehref.site.findings import Finding

CODE: Final = "script-fragments"
_FEW_NAMES: Final = 20
"""The most names of a page that its scripts fill."""
_MOST_WORDS: Final = 100
"""The most words of a `noscript` that are looked for: the first search costs much less than the second."""
_MANY: Final = 50
_SHOWN: Final = 3
_REMEDY: Final = "--script-ids says which are right"
_WRITES_IDS: Final = ("doxygen", "sphinx", "javadoc")
"""Programs that write all ids into their pages; what their scripts read of a fragment is which menu to open."""
_PARTS: Final = ("h1", "h2", "h3", "h4", "h5", "h6", "section")


def is_made_by_scripts(context: SiteContext, missing: MissingFragments) -> bool:
    """Return whether the scripts of a page may make the fragments that are missing in it."""
    number = len(missing.fragments)
    if not missing.defined.scripts.any or missing.defined.sent_on is not None:
        return False
    ids = len(missing.defined.names)
    are_most = number >= _MANY and 2 * number > missing.asked and number > ids
    if (ids > _FEW_NAMES and not are_most) or (data := read_or_skip(context, missing.path)) is None:
        return False
    page = SitePage(context, missing.path, data)
    if _is_of_such_program(page):
        return False
    if is_filled_by_scripts(page):
        return True
    return (are_most or (number == missing.asked and keeps_fragment(data))) and not _has_named_parts(page)


def is_filled_by_scripts(page: SitePage) -> bool:
    """Return whether the script of a page fills it: few elements have an id, and nothing is shown.

    Without scripts, the text of a `noscript` may be shown. Pictures are shown as texts are.
    """
    content = page.document.page
    if not page.scripts.any or content.is_xml or len(page.names) > _FEW_NAMES:
        return False
    blocks = content.blocks()
    shown = None if blocks is None else set(" ".join(blocks).split())
    if shown is None or len(shown) > _MOST_WORDS:
        return False
    if shown and not shown.issubset((content.text_of("noscript", frozenset()) or "").split()):
        return False
    return not content.elements({"img": ("src", "srcset")})


def _is_of_such_program(page: SitePage) -> bool:
    metas = page.document.page.elements({"meta": ("name", "content")})
    generators = [
        each.values.get("content", "") for each in metas if each.values.get("name", "").lower() == "generator"
    ]
    return any(name.lower().startswith(_WRITES_IDS) for name in generators)


def _has_named_parts(page: SitePage) -> bool:
    """Return whether a heading or a section has an id, as in pages that a generator makes."""
    elements = page.document.page.elements(dict.fromkeys(_PARTS, ("id",)))
    return any("id" in each.values for each in elements)


def findings_about(context: SiteContext, table: SiteTable, pages: Sequence[MissingFragments]) -> Iterator[Finding]:
    """Yield the findings about pages that others ask for fragments which their scripts may make."""
    numbers = table.numbers_of_documents([each.fragments.keys() for each in pages])
    for each, number in zip(pages, numbers, strict=True):
        message = _message_about(each, number)
        yield Finding(document=each.path, code=CODE, message=message, target=context.uri_of(each.path))


def made_at_link(finding: Finding) -> Finding:
    """Return the finding about a link to such a page, where the page itself is not reported on."""
    message = f"{finding.message}: scripts may make it; {_REMEDY}"
    return finding._replace(code=CODE, message=message)


def _message_about(missing: MissingFragments, documents: int) -> str:
    examples: Sequence[str] = sorted(missing.fragments.values())[:_SHOWN]
    shown = ", ".join(map(shown_fragment, examples))
    where = f"{documents:,} document{'' if documents == 1 else 's'}"
    more = ", …" if len(missing.fragments) > len(examples) else ""
    return (
        f"{len(missing.fragments):,} of {missing.asked:,} fragments that links ask of this page are not in it "
        f"({shown}{more}; in {where}): its scripts may make them; {_REMEDY}"
    )

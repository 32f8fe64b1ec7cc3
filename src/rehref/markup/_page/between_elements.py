"""What is between two elements of a page: only white space, or some tags. Elements are given by where their tags begin.

Raw text of HTML is known by the names of elements alone, without the tree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from rehref.markup._source.construction.tokens import Tag, next_token
from rehref.markup._source.names_of_html import RAW_TEXT, RCDATA
from rehref.markup._tokenization import raw_text_end
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_WITH_TEXT = RAW_TEXT | RCDATA | {"script", "plaintext"}


def is_first_child_alike(units: SourceText, outer: int, inner: int, attribute: str) -> bool:
    """Whether an element of HTML is the first child of another, with only white space before it, and an attribute of
    both is written alike.
    """
    first, second = (next_token(units, tag, lower, foreign=False) for tag in (outer, inner))
    if not isinstance(first, Tag) or not isinstance(second, Tag) or first.self_closing:
        return False
    values = {next((one.raw for one in tag.attributes if one.name == attribute), None) for tag in (first, second)}
    if len(values) > 1 or units.text[first.end : inner].strip(WHITE_SPACE):
        return False
    from rehref.markup._page.extents import html_extents  # all other questions need no tree

    both = units.text[outer : second.end]
    extents = html_extents(SourceText(Source(both)), frozenset({attribute}), scripting=False)
    return any(extent.start == 0 and extent.end == len(both) for extent in extents)


def has_tag_between(
    units: SourceText, first: int, second: int, names: Collection[tuple[bool, str]], *, is_xml: bool
) -> bool:
    """Whether one of these tags (whether it is an end tag, and its name) is between the tags of two elements."""
    tags = islice(_tags(units, first, second, is_xml=is_xml), 1, None)
    return any((tag.is_end, tag.name) in names for tag in tags)


def _tags(units: SourceText, position: int, stop: int, *, is_xml: bool) -> Iterator[Tag]:
    """The tags from `position`, where one begins, to before `stop`."""
    while position < stop:
        token = next_token(units, position, str if is_xml else lower, foreign=is_xml)
        position = token if isinstance(token, int) else token.end
        if isinstance(token, Tag):
            yield token
            if not is_xml and not token.is_end and token.name in _WITH_TEXT:
                position = raw_text_end(units.text, token.name, position)

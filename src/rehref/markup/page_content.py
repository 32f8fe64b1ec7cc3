"""A page: what HTML or XHTML shows and contains, beside its references.

Each question is a reading of its own, by the tokenizer and the tree construction that find the places (`_page`). What
answers it is imported when somebody asks, and the answer is not kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rehref.text.charsets import decode
from rehref.text.source_text import SourceText

if TYPE_CHECKING:
    from rehref.markup._page.elements import Alternative, PageElement
    from rehref.markup._page.extents import ElementExtent
    from rehref.markup._page.names_in_page import NameTable
    from rehref.markup._page.page_scripts import PageScript
    from rehref.markup.places import Place
    from rehref.text.encoding import Source

_NO_MARKS: Final[Mapping[int, str]] = MappingProxyType({})


class PageContent:
    """A page, by its source. Its content raises nothing, and every answer takes linear time.

    Elements are named by the positions of their tags, and places by their numbers, as its core has found them.
    """

    def __init__(self, source: Source, *, is_xml: bool = False, places: Sequence[Place] = ()) -> None:
        """`is_xml`: it is read as XML. `places`: those that a core has found, if one has read it for its references."""
        self.source, self.is_xml, self._places = source, is_xml, places

    @cached_property
    def _units(self) -> SourceText:
        return SourceText(self.source)

    @cached_property
    def _text(self) -> str:
        """The page, decoded, without a byte order mark."""
        data, encoding, bom, _ = self.source
        return data if isinstance(data, str) else decode(data[bom:], encoding or "")

    # ---- what it shows

    @property
    def title(self) -> str:
        """The text of its title; "" if it has none."""
        from rehref.markup._page.titles import title_of

        return title_of(self._text, xml=self.is_xml)

    def blocks(self, marks: Mapping[int, str] = _NO_MARKS) -> list[str] | None:
        """The texts of its blocks as browsers show them; None if they are not known.

        `marks`: what comes into the text of HTML where start tags end.
        """
        if self.is_xml:
            from rehref.markup._page.text_of_xml import visible_text_of_xml

            text = visible_text_of_xml(self._text)
        else:
            from rehref.markup._page.visible_text import visible_text

            text = visible_text(self._text, marks=self._decoded_positions(marks))
        return None if text is None else text.split("\0")

    def _decoded_positions(self, marks: Mapping[int, str]) -> dict[int, str]:
        """The marks by the positions of their tags in the decoded page."""
        found: dict[int, str] = {}
        units, at = self._units, 0
        before = units.bom
        for tag in sorted(marks):
            raw = units.text[before:tag]
            at += len(decode(raw.encode("latin-1"), units.encoding) if units.bytes_as_units else raw)
            before, found[at] = tag, marks[tag]
        return found

    def texts(self) -> list[str]:
        """The text that HTML shows, in which hyperlinks are separate words; then its labels (`alt`, `title` …)."""
        from rehref.markup._page.text_of_tree import texts_of_page

        return texts_of_page(self._text)

    def text_of(self, name: str, classes: AbstractSet[str]) -> str | None:
        """The text of the first HTML element of that name with all these classes; None if there is none."""
        from rehref.markup._page.text_of_tree import text_of_first

        return text_of_first(self._units, name, classes)

    def texts_of_hyperlinks(self) -> Mapping[int, str]:
        """The texts of the hyperlinks, by their tags."""
        if self.is_xml:
            from rehref.markup._page.text_of_xml import texts_of_hyperlinks_in_xml

            return texts_of_hyperlinks_in_xml(self._units)
        from rehref.markup._page.text_of_tree import texts_of_hyperlinks

        return texts_of_hyperlinks(self._units)

    # ---- what it runs

    def scripts(self) -> list[PageScript]:
        """The scripts in it and in the documents in its `srcdoc`, without those in templates."""
        from rehref.markup._page.page_scripts import scripts_of

        return scripts_of(self.source, is_xml=self.is_xml)

    def runs_scripts(self) -> bool:
        """Whether it has a script that browsers run itself, not data."""
        from rehref.markup._page.page_scripts import runs_scripts

        return runs_scripts(self.source, self._places, is_xml=self.is_xml)

    def runs_anything(self) -> bool:
        """Whether browsers run something of a document of XML: a script, an event handler or a `javascript:` URL."""
        from rehref.markup._page.page_scripts import runs_in_xml

        return runs_in_xml(self.source)

    # ---- its elements

    def elements(
        self, attributes: Mapping[str, Collection[str]], *, scripting: bool = True, everywhere: bool = False
    ) -> list[PageElement]:
        """The elements of HTML that have some attribute, not those in templates, in order.

        `attributes`: which are asked for, by the names of elements. `scripting`: the content of `noscript` is text.
        `everywhere`: also those of SVG and MathML, and in templates.
        """
        from rehref.markup._page.elements import elements_of

        return elements_of(self.source, attributes, scripting=scripting, everywhere=everywhere)

    def alternatives(self) -> list[Alternative]:
        """The texts for the images of HTML, in order."""
        from rehref.markup._page.elements import alternatives_of

        return alternatives_of(self.source)

    def extents(self, attribute: str, *, scripting: bool = False) -> list[ElementExtent]:
        """The elements with an attribute, each from its start tag to what closes it, in no order."""
        from rehref.markup._page.extents import html_extents, xml_extents

        names = frozenset({attribute})
        return xml_extents(self._units, names) if self.is_xml else html_extents(self._units, names, scripting=scripting)

    def is_first_child_alike(self, outer: int, inner: int, attribute: str) -> bool:
        """Whether an element of HTML is the first child of another, and an attribute of both is written alike."""
        from rehref.markup._page.between_elements import is_first_child_alike

        return is_first_child_alike(self._units, outer, inner, attribute)

    def has_tag_between(self, first: int, second: int, names: Collection[tuple[bool, str]]) -> bool:
        """Whether one of these tags (whether it is an end tag, and its name) is between the tags of two elements."""
        from rehref.markup._page.between_elements import has_tag_between

        return has_tag_between(self._units, first, second, names, is_xml=self.is_xml)

    # ---- its places

    def named(self, *attributes: str) -> Sequence[int]:
        """The places of some attributes, by their names in HTML, in order."""
        from rehref.markup._page.names_in_page import places_named

        return places_named(self._places, *attributes)

    def names(self, *, any_of_them: bool = True) -> NameTable:
        """What fragments and maps can name in it, and whether a `meta` may send browsers elsewhere.

        `any_of_them`: whether it has names at all.
        """
        from rehref.markup._page.names_in_page import NameTable, names_of

        return names_of(self._places) if any_of_them else NameTable()

    def in_templates(self) -> frozenset[int]:
        """The places of HTML that nobody sees: in a template and no shadow root."""
        from rehref.markup._page.unseen_places import inert_places

        return inert_places(self._places, self.source)

    def superseded(self) -> frozenset[int]:
        """The places of `xlink:href` that browsers ignore, since there is an `href`, too."""
        from rehref.markup._page.unseen_places import superseded_places

        return superseded_places(self._places)

    def reverse_links(self) -> frozenset[int]:
        """The places on a `link` with `rev`, but without `rel`: browsers ignore it."""
        from rehref.markup._page.unseen_places import reverse_links

        return reverse_links(self._places)

    # ---- where something begins

    @property
    def document_element(self) -> str:
        """The name of the document element of XML, as written; "" if there is none in the source."""
        from rehref.markup._page.beginnings import document_element

        return document_element(self.source)

    def comments_before_content(self) -> Iterator[tuple[int, str]]:
        """The comments of HTML before anything but `html` and `head`: where each is, and its text."""
        from rehref.markup._page.beginnings import comments_before_content

        return comments_before_content(self.source)

    def with_in_head(self, text: str) -> bytes | str:
        """The page with an ASCII text as the first thing of its head; XHTML without a head stays as it is."""
        from rehref.markup._page.insertion_points import with_in_head

        return with_in_head(self._units, text, is_xml=self.is_xml)

    def end_of_body(self, tag: str, attribute: str) -> int | None:
        """Where an element of SVG can be put at the end of the body; None if that is not known.

        `tag`: its start tag, which has that attribute.
        """
        from rehref.markup._page.insertion_points import end_of_body

        return end_of_body(self.source, tag, attribute, is_xml=self.is_xml)

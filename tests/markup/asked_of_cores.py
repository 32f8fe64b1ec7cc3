"""What documents ask their cores for, by how they are read."""

from __future__ import annotations

from functools import cache

import pytest

from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.cores import core
from rehref.markup.parsed import Parsed, Source, Wanted, XmlDocument, XmlWanted

CORE = core()


class _Asked:
    """A core that keeps what it is asked for."""

    name, summary = "asked", "keeps what it is asked for"
    wanted: Wanted
    wanted_in_xml: XmlWanted

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        self.wanted = wanted
        return CORE.parse(source, wanted)

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlDocument:
        self.wanted_in_xml = wanted
        return CORE.parse_xml(source, wanted)  # type: ignore[attr-defined, no-any-return]


@cache
def _asked(how: ReadOptions) -> _Asked:
    asked = _Asked()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ReadOptions, "core", lambda how: asked)
        for media_type in ("text/html", "text/xml"):
            read_document("<a/>", media_type, None, Layers(), how)
    return asked


def wanted_in_html(how: ReadOptions) -> Wanted:
    """What a document of HTML asks for."""
    return _asked(how).wanted


def wanted_in_xml(how: ReadOptions) -> XmlWanted:
    """What a document of XML asks for."""
    return _asked(how).wanted_in_xml

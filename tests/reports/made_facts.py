"""Documents of an inventory: read, or facts that are made of what they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hypothesis import strategies as st

from rehref.documents.base import Base, Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.reports._inventory.facts import Facts
from rehref.reports._inventory.totals import Structure, Totals
from rehref.text.encoding import Source

BASE = Base("http://h/", "retrieval", "retrieval URI")


def opened(data: bytes | str, parser: str = "source", url: str = "http://h/d/page.html") -> Document:
    return read_document(data, "text/html", None, Layers(retrieval=url), ReadOptions(parser=parser))


def read(data: bytes | str, parser: str = "source") -> tuple[Source, list[Link], Base]:
    document = opened(data, parser)
    return document.source, list(document.links()), document.base


def facts(uri: str, *targets: str) -> Facts:
    """The facts of a document that has these targets."""
    empty: Counter[str] = Counter()
    return Facts(uri, uri, len(targets), BASE, empty, empty, empty, empty, Counter(targets), empty, empty, 0)


def structure(documents: Iterable[Facts], most: int = 1000) -> Structure:
    made = Structure(most)
    for each in documents:
        made.add(each)
    return made


def total(documents: Iterable[Facts]) -> Totals:
    made = Totals()
    for each in documents:
        made.add(each)
    return made


_segments = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
_uris = st.builds("http://{}/{}".format, st.sampled_from(["h", "o"]), _segments)
SITES = st.lists(st.builds(lambda uri, targets: facts(uri, *targets), _uris, st.lists(_uris, max_size=6)), max_size=12)

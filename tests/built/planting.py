"""Ten breakages, planted into a site that a generator built: one of each kind, in references as it writes them.

- A reference is broken by changing its text, and nothing else. That it led to a file of the site, and leads to none
  then, is found with `urllib.parse.urljoin` and the names of the files, by where the site is to be; not with rehref's
  checker.
- Where a site has no reference of a kind, one is added at the end of a page, or of a style sheet; where it has no
  style sheet, in a `style` element.
- Each is in a page of its own, as far as there are enough; always the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import unquote, urljoin

import rehref
from rehref import Link


class Planted(NamedTuple):
    """A broken reference: the kind, the document it is in, what is written, and where that leads."""

    kind: str
    document: str
    reference: str
    target: str


@dataclass(slots=True)
class BuiltSite:
    """The files of a site. `uri`: where it is to be."""

    folder: Path
    uri: str
    files: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        found = (path for path in self.folder.rglob("*") if path.is_file())
        self.files = frozenset(path.relative_to(self.folder).as_posix() for path in found)

    def pages(self) -> list[str]:
        """Its pages, those of the deepest folders first; without error pages, and those that only lead elsewhere."""
        found = [path for path in self.files if path.endswith(".html") and "404" not in path]
        return sorted((path for path in found if self._is_shown(path)), key=lambda path: (-path.count("/"), path))

    def _is_shown(self, path: str) -> bool:
        data = (self.folder / path).read_bytes().lower()
        return b"</body>" in data and not re.search(rb"http-equiv=[\"']?refresh", data)

    def file_of(self, document: str, reference: str) -> str | None:
        """The file that a reference in a document leads to, fragment aside; None if there is none."""
        target = urljoin(self.uri + document, reference).partition("#")[0].partition("?")[0]
        if not target.startswith(self.uri):
            return None
        path = unquote(target.removeprefix(self.uri))
        names = (path, f"{path}/index.html".lstrip("/"), f"{path}index.html", f"{path}.html")
        return next((name for name in names if name in self.files), None)


def plant(folder: Path, uri: str) -> list[Planted]:
    """Break ten references of a site, in the files of a folder; which they are."""
    site = BuiltSite(folder, uri)
    pages = site.pages()
    planted: list[Planted] = []
    used: set[str] = set()
    for number, (kind, make) in enumerate(_KINDS.items()):
        order = [*pages[number % len(pages) :], *pages[: number % len(pages)]]
        order.sort(key=lambda page: page in used)
        found = next((done for page in order if (done := _break(site, page, kind, make))), None)
        one = found or _add(site, kind, order[0])
        planted.append(one)
        used.add(one.document)
    assert len({(one.document, one.reference) for one in planted}) == len(_KINDS)
    return planted


Maker = Callable[[BuiltSite, str, Link], str | None]
"""What makes a broken reference of one, in a document; None if it is not of the kind."""


def _break(site: BuiltSite, page: str, kind: str, make: Maker) -> Planted | None:
    """Break one reference in a page, if there is one."""
    path = site.folder / page
    data = path.read_bytes()
    for link in rehref.links(data, url=site.uri + page, media_type="text/html"):
        if link.span is None or data[slice(*link.span)] != link.reference.encode() or link.base.origin != "retrieval":
            continue
        new = make(site, page, link)
        if new is not None and new.encode() not in data:
            start, end = link.span
            path.write_bytes(data[:start] + new.encode() + data[end:])
            return Planted(kind, page, new, urljoin(site.uri + page, new))
    return None


def _add(site: BuiltSite, kind: str, page: str) -> Planted:
    """Add a broken reference."""
    markup, reference = _ADDED[kind]
    if kind == "style sheet's picture":
        sheets = sorted(path for path in site.files if path.endswith(".css"))
        page, markup = (sheets[0], markup) if sheets else (page, f"<style>{markup}</style>")
    path = site.folder / page
    data = path.read_bytes()
    end = len(data) if page.endswith(".css") else data.lower().rindex(b"</body>")
    path.write_bytes(data[:end] + markup.encode() + data[end:])
    return Planted(kind, page, reference, urljoin(site.uri + page, reference))


def _renamed(site: BuiltSite, page: str, link: Link, change: Callable[[str], str]) -> str | None:
    """A reference to a file of the site with the last name of its path changed, such that it leads nowhere."""
    path, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", link.reference, re.DOTALL).groups()  # type: ignore[union-attr]
    file = site.file_of(page, link.reference)
    folder, name, slash = re.match(r"(.*?)([^/]*)(/?)$", path, re.DOTALL).groups()  # type: ignore[union-attr]
    if file is None or file == page or len(name) < 4 or name.startswith("."):
        return None
    new = folder + change(name) + slash + mark + rest
    is_within = urljoin(site.uri + page, new).startswith(site.uri)  # what is beyond may be another site
    return new if new != link.reference and is_within and site.file_of(page, new) is None else None


def _of(element: str, attribute: str, change: Callable[[str], str], ending: str = "") -> Maker:
    def make(site: BuiltSite, page: str, link: Link) -> str | None:
        if (link.element, link.attribute) != (element, attribute):
            return None
        file = site.file_of(page, link.reference)
        return _renamed(site, page, link, change) if file is not None and file.endswith(ending) else None

    return make


def _slip(name: str) -> str:
    """Two letters in each other's places."""
    return name[:1] + name[2] + name[1] + name[3:] if name[1] != name[2] else "x" + name


def _gone(name: str) -> str:
    return "gone-" + name


def _other_case(name: str) -> str:
    return name[0].swapcase() + name[1:]


def _fragment(*, here: bool) -> Maker:
    def make(site: BuiltSite, page: str, link: Link) -> str | None:
        before, mark, name = link.reference.partition("#")
        file = site.file_of(page, link.reference)
        if link.element != "a" or len(name) < 4 or file is None or (file == page) is not here:
            return None
        if f'"{name}"'.encode() not in (site.folder / file).read_bytes():
            return None
        return f"{before}{mark}{name}-gone"

    return make


def _too_far(site: BuiltSite, page: str, link: Link) -> str | None:
    """One level of folders too many, or too few."""
    old = link.reference
    file = site.file_of(page, old)
    if link.element != "a" or file is None or file == page or "#" in old or ":" in old or old.startswith("//"):
        return None
    new = "/" + old[1:].partition("/")[2] if old.startswith("/") else "../" + old
    return new if len(new) > 4 and site.file_of(page, new) is None else None


_KINDS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "page": _of("a", "href", _slip, ".html"),
        "page that is gone": _of("a", "href", _gone, ".html"),
        "case": _of("a", "href", _other_case, ".html"),
        "fragment here": _fragment(here=True),
        "fragment there": _fragment(here=False),
        "picture": _of("img", "src", _slip),
        "style sheet": _of("link", "href", _gone, ".css"),
        "script": _of("script", "src", _gone),
        "levels": _too_far,
        "style sheet's picture": lambda site, page, link: None,
    }
)
_ADDED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "page": ('<a href="nowhere.html">x</a>', "nowhere.html"),
        "page that is gone": ('<a href="gone.html">x</a>', "gone.html"),
        "case": ('<a href="INDEX.html">x</a>', "INDEX.html"),
        "fragment here": ('<a href="#gone-from-here">x</a>', "#gone-from-here"),
        "fragment there": ('<a href="index.html#gone-from-there">x</a>', "index.html#gone-from-there"),
        "picture": ('<img src="gone.png" alt="x">', "gone.png"),
        "style sheet": ('<link rel="stylesheet" href="gone.css">', "gone.css"),
        "script": ('<script src="gone.js"></script>', "gone.js"),
        "levels": ('<a href="../../../nowhere/">x</a>', "../../../nowhere/"),
        "style sheet's picture": ("\n.gone{background:url(gone-picture.png)}\n", "gone-picture.png"),
    }
)

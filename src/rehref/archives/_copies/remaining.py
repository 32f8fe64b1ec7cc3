"""What of an offline copy still needs the web or a server, counted for people (`Remaining`).

A script fetches if one of the usual calls in it has a text that leads to a saved file; so does one, unless it is a
module, with any such text that begins with a slash, which is the root of the disk. This is a plain search in its first
megabyte; nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rehref.archives._copies.candidates import is_on_web
from rehref.archives._copies.without_network import has_policy
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.reports.terminal import count
from rehref.rewriting.offline_rule import Find, comparable
from rehref.text.encoding import Source
from rehref.uri.resolver import Resolver

_LOOKED_AT = 1 << 20
_MOST = 500  # how many URLs, and how many calls, are looked up for each script
_URL = re.compile(rb"""https?://[^\s"'`<>\\(){}$,;]{1,2000}""").finditer
_FETCHES = (
    *(b"fetch", b"import", b"getJSON", b"importScripts", b"Worker"),
    *(b"%b.%b" % (library, method) for library in (b"axios", b"$", b"jQuery") for method in (b"get", b"post", b"ajax")),
)
# patterns that begin with a plain text are found many times faster
_CALL = re.compile(
    rb"""\((?=\s*["'`])(?:%b|(?<=\.open\()\s*["'`][A-Za-z]{3,7}["'`]\s*,)\s*["'`]([^"'`$\s]{1,2000})["'`]"""
    % b"|".join(rb"(?<=%b\()" % re.escape(name) for name in _FETCHES)
).finditer
_ROOTED = re.compile(rb"""["'`](/[^/"'`$\s\\][^"'`$\s\\]{0,2000})["'`]""").finditer
_MODULE = re.compile(
    rb"""port(?:(?<=(?<![^\s;}])import)\s*[\w{*"']|(?<=(?<![^\s;}])export)\s*[\w{*]|(?<=\bimport)\.meta\b)"""
).search


def scripts(page: bytes, *, is_xml: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield the scripts of a page, except those on the web: the type in lower case, and the text in UTF-8."""
    for script in read_page(Source.marked(page), is_xml=is_xml).scripts():
        if script.src is None or not is_on_web(script.src):
            yield script.kind, script.text.encode("utf-8", "surrogatepass")


class CopiedFile(NamedTuple):
    """A file of a copy: its base, its media type, and what finds the path of a comparable URI.

    `base`: the URI that it was saved from; or that of its `base` element, which a copy does not have.
    """

    base: str
    media_type: MediaType
    find: Find


@dataclass(slots=True)
class Remaining:
    """The counts.

    `web`: references that browsers load without being asked, and that lead to the web. `in_scripts`: absolute URLs in
    scripts whose files are saved: nobody knows what a script does with them, so they stay. `modules`, `fetching`,
    `refused`: what browsers refuse from a disk: modules, scripts that fetch, and icons, masks and tracks that are not
    in the page. `scripted_xml`: documents of XML without a policy whose scripts browsers may run.
    """

    web: int = 0
    in_scripts: int = 0
    modules: int = 0
    fetching: int = 0
    refused: int = 0
    scripted_xml: int = 0

    def look_at_page(self, page: bytes, file: CopiedFile) -> bool:
        """Count the scripts in a page; return whether modules are among them."""
        before = self.modules
        for type_, text in scripts(page, is_xml=file.media_type == MediaType.XHTML):
            self.modules += type_ == "module" and (not text.strip() or _MODULE(text) is not None)
            if text and not type_.endswith(("json", "importmap", "rules")):
                self.look_at_script(text, file)
        return self.modules > before

    def look_at_xml(self, data: bytes) -> None:
        """Count an XML document if it has `script` elements, event handlers or `javascript:` URLs, and no policy."""
        self.scripted_xml += (
            not has_policy(data.replace(b"\0", b""))  # in UTF-16, too
            and read_page(Source.marked(data), is_xml=True).runs_anything()
        )

    def look_at_script(self, text: bytes, file: CopiedFile) -> None:
        """Count what a script in a file says."""
        text = text[:_LOOKED_AT].replace(rb"\/", b"/")
        urls = {found[0].decode("utf-8", "replace") for found in islice(_URL(text), _MOST)}
        self.in_scripts += sum(file.find(comparable(url)) is not None for url in urls)
        asked = list(islice(_CALL(text), _MOST))
        if _MODULE(text) is None:
            asked += islice(_ROOTED(text), _MOST)
        else:  # what it imports is counted with it
            asked = [call for call in asked if not text.endswith(b"import", 0, call.start())]
        resolve = Resolver(file.base, relative_base=True)
        fetched = (resolve(call[1].decode("utf-8", "replace")) for call in asked)
        self.fetching += any(file.find(comparable(uri)) is not None for uri in fetched)

    def lines(self, folder: Path, *, no_network: bool) -> Iterator[str]:
        """Yield what the copy in a folder still needs, for people."""
        if self.web:
            loaded = "only scripts can load from there" if self.scripted_xml else "nothing is loaded from there"
            remedy = loaded if no_network else "--no-network lets nothing be loaded from there"
            yield f"{count(self.web, 'reference')} to the web {'stays' if self.web == 1 else 'stay'}; {remedy}"
        if self.in_scripts and not no_network:
            yield f"{count(self.in_scripts, 'absolute URL')} in scripts, though saved, may lead to the web"
        if self.scripted_xml and no_network:
            documents = count(self.scripted_xml, "XML document")
            yield f"scripts in {documents} can ask the web: there is no place for a policy"
        kinds = {
            "module": self.modules,
            "fetching script": self.fetching,
            "SVG or track reference": self.refused,
        }
        refused = [count(number, noun) for noun, number in kinds.items() if number]
        if refused:
            yield f"{' and '.join(refused)} will not work from a disk: rehref serve {folder}"

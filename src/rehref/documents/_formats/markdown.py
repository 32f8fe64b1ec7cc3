"""Markdown: links, images, definitions, autolinks, the HTML inside, and known keys of the front matter.

The references are those of the HTML that a text becomes, and are read like those: the base is the URI of the document
unless HTML in it has a `base` element. The dialect is the one that an option names, else GitHub's
(`rehref.documents._markdown.dialects`). The package pyromark reads it, of the extra `markdown`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from rehref.documents._carriers.html_attributes import ANY as ANY_ELEMENT
from rehref.documents._formats import DocumentFormat, html
from rehref.documents._formats.format_contract import carried_references
from rehref.documents._formats.html_carriers import HtmlCarriers, html_carriers
from rehref.documents._formats.text import sniff_text
from rehref.documents._markdown.dialects import OF_SITES, dialect_named
from rehref.documents._markdown.parsed_markdown import ANY, FrontValue, MarkdownParsed
from rehref.documents.base import Candidate, Layers
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.options import ReadOptions
from rehref.markup.places import Wanted
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Source
from rehref.uri.syntaxes import Carrier, Kind

_RESOURCE = Carrier("url", "resource", "the front matter of Hugo, Jekyll and others")
_NAME = Carrier("url", "metadata", "the front matter of Hugo, Jekyll and others")
_KEY = re.compile(rb"""(?m)^(url|image|permalink|aliases)[ \t]*[:=][ \t]*([^\r\n]*)((?:\r?\n[ \t]*-[ \t]+[^\r\n]*)*)""")
_UNREAD = rb"""|"(?:[^"\\\r\n]|\\.){0,500}"|'(?:[^'\r\n]|''){0,500}'|#.*"""  # with escapes; a comment
_VALUE = rb"""(?:"([^"\\\r\n]*)"|'([^'\r\n]*)'(?!')|([^\s"'\[\]{}|>&*!,#-](?:[^\r\n#%b]|(?<=\S)#)*)%b)"""
_SCALAR = re.compile(_VALUE % (b"", _UNREAD))
_ITEM = re.compile(_VALUE % (rb",\]", _UNREAD))


def front_values(data: bytes) -> Iterator[FrontValue]:
    """The values of the known keys of front matter: only plain values and such in quotes, without escapes.

    `image` is a resource if it is a URI or begins with a slash: what else it is relative to, its generator decides.
    `url`, `permalink` and `aliases` are metadata: they name the page itself.
    """
    for found in _KEY.finditer(data):
        key = found[1].decode()
        if key == "aliases":
            items: Iterable[re.Match[bytes] | None] = _ITEM.finditer(data, found.start(2), found.end(3))
        else:
            items = [_SCALAR.match(data, *found.span(2))]
        for item in items:
            if item is not None and (group := item.lastindex):
                text, quote = item[group].rstrip(), "" if group == 3 else data[item.start() : item.start() + 1].decode()
                start = item.start(group)
                yield FrontValue(key, start, start + len(text), text.decode("utf-8", "replace"), quote)


def find(carriers: HtmlCarriers, document: Document, number: int) -> Sequence[Reference]:
    """The references in one place."""
    parsed = document.parsed
    place = parsed.places[number]
    if isinstance(parsed, MarkdownParsed) and parsed.is_destination(number):
        text = place.value.strip(WHITE_SPACE)
        start = place.value.find(text)
        kind: Kind = "hyperlink" if place.element == "a" else "resource"
        reference = Reference(number, start, start + len(text), text, "", "url", kind)
        return (_on_site(document, reference),)
    if isinstance(parsed, MarkdownParsed) and parsed.is_of_component(number):
        asked = [(lower(place.element), place.attribute or ""), (ANY_ELEMENT, place.attribute or "")]
        carrier = next((carriers.extras[name] for name in asked if name in carriers.extras), None)
        return (
            ()
            if carrier is None
            else [_on_site(document, each) for each in carried_references(document, number, carrier)]
        )
    if place.namespace or place.element:
        found = html.find(carriers, document, number)
        return found if document.how.dialect is None else [_on_site(document, each, in_html=True) for each in found]
    is_resource = place.attribute == "image" and re.match(r"/|[A-Za-z][A-Za-z0-9+.-]*:", place.value) is not None
    return carried_references(document, number, _RESOURCE if is_resource else _NAME)


def _on_site(document: Document, found: Reference, *, in_html: bool = False) -> Reference:
    """A reference with its base on the site that is made of sources, and whether it is known where it leads.

    In a named dialect, where a path from the root leads depends on where the site is (`Document.has_root`), and on a
    forge there are files above any folder: if that is not known, nothing is looked up for these (`Reference.fetched`).
    """
    path = found.text.partition("#")[0].partition("?")[0]
    is_elsewhere = path[:2] in ("", "//") or ":" in path.partition("/")[0] or found.is_local
    if is_elsewhere or found.base is not None:
        return found
    base = document.site.base_of_page(path)
    if path[0] == "/":
        is_known = document.how.dialect is None or bool(base) or (document.site.has_root and base != "")
        return found if is_known else found._replace(fetched=False)
    is_known = base != ""
    if not base and dialect_named(document.how.dialect).in_folders:
        base = _folder_of_page(document, path, in_html=in_html or not is_known)
    elif base is None and document.how.dialect not in OF_SITES:
        depth = (document.own.uri or "").partition("://")[2].count("/") - 1
        is_known = not path.startswith("../" * max(depth + 1, 1))
    found = found._replace(fetched=found.fetched and is_known)
    if not base:
        return found
    candidate = Candidate(base, "embedded", "the URL of the page that is made of it")
    return found._replace(base=document.resolvers.below((candidate,)))


def _folder_of_page(document: Document, path: str, *, in_html: bool) -> str | None:
    """The folder of the page, for a reference that is written for the site; None: it is for the source.

    MkDocs and Hugo make `guide/index.html` of `guide.md`. So a reference without an extension is relative to `guide/`;
    one to a file, such as `wind.md`, to the source. In HTML, which they leave as it is, only one to Markdown is. What
    depends on more than the text, its site says (`Document.base_of_page`).
    """
    name = (document.own.uri or "").rpartition("/")[2].rpartition(".")[0]
    ending = path.rstrip("./").rpartition("/")[2].rpartition(".")
    is_for_source = ending[2].lower() in ("md", "markdown") if in_html else ending[1] != ""
    return None if is_for_source or name.lower() in ("index", "readme", "_index", "") else f"{name}/"


def parse(
    source: Source,
    wanted: Wanted,
    how: ReadOptions = ReadOptions.DEFAULT,
    *,
    is_mdx: bool = False,
    asked: Collection[tuple[str, str]] = (),
) -> MarkdownParsed:
    """The places of a text. Raises nothing because of the content. `is_mdx`: whether its name ends with `.mdx`.

    `asked`: elements and attributes that options name.
    """
    dialect = dialect_named(how.dialect)
    dialect = dialect._replace(is_jsx=is_mdx or (dialect.is_jsx and not how.mdx_by_name))
    ids_in = how.dialect or (ANY if how.names else None)
    return MarkdownParsed(source, wanted, dialect, front_values, ids_in, asked)


def read(source: Source, layers: Layers, how: ReadOptions = ReadOptions.DEFAULT) -> Document:
    """Read a Markdown document. Raises nothing because of the content."""
    carriers = html_carriers(how)
    wanted = carriers.wanted
    on = {name: wanted.on.get(name, frozenset()) | {"name"} for name in ("a", "map")}
    wanted = replace(wanted, anywhere=wanted.anywhere | {"id"}, on={**wanted.on, **on})
    is_mdx = any((uri or "").lower().endswith(".mdx") for uri in (layers.file, layers.retrieval))
    as_published = source._replace(encoding="utf-8", undeclared=False)
    parsed = parse(source, wanted, how, is_mdx=is_mdx, asked=carriers.extras)
    document = html.understood(as_published, parsed, carriers, layers, how)
    # a name alone does not decide what a place carries
    document.format = document.format._replace(find=partial(find, carriers), carriers=None)
    return document


FORMAT = DocumentFormat(read, sniff_text)

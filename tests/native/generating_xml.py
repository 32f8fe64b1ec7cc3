"""XML documents without end, for the fuzzer.

- What carries references is taken from the tables of `rehref.documents._carriers`, as are the texts that are HTML.
- Most documents have no error, since the twin leaves all others to the reference; some are damaged.
- Values are written in every way: with references, in CDATA sections, in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import NamedTuple

from native.generating import FIXTURES, css, markup, reference, srcset
from rehref.documents._carriers.html_attributes import ANY, HTML_CARRIERS, SVG_CARRIERS, TEXT
from rehref.documents._carriers.xml_vocabularies import (
    ATOM,
    ATOM_03,
    GENERIC,
    HTML_TEXTS,
    MEDIA,
    TYPED_TEXTS,
    XML_CARRIERS,
)
from rehref.markup.parsed import HTML, SVG

_TABLES = {**XML_CARRIERS, HTML: HTML_CARRIERS, SVG: SVG_CARRIERS}
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XLINK = "http://www.w3.org/1999/xlink"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_ROOTS = (
    *((ATOM, "feed"), (ATOM_03, "feed"), (_SITEMAP, "urlset"), (SVG, "svg"), (HTML, "html"), (_RDF, "RDF")) * 2,
    *(("", "rss"), ("", "rss"), ("", "opml"), ("", "package"), ("", "CHANNEL"), ("", "book"), ("", "x")),
    *(("", "topic"), ("http://www.tei-c.org/ns/1.0", "TEI"), ("http://a9.com/-/spec/opensearch/1.1/", "x")),
    *(
        ("urn:oasis:names:tc:opendocument:xmlns:container", "container"),
        ("http://www.opengis.net/kml/2.2", "kml"),
        ("http://xspf.org/ns/0/", "playlist"),
    ),
    *(("http://docbook.org/ns/docbook", "book"), ("urn:unknown", "x"), ("http://www.idpf.org/2007/opf", "package")),
)
_VOCABULARIES = {"rss": "rss", "opml": "opml", "package": "opf", "CHANNEL": "cdf", "topic": "dita"}
_OTHERS = (ATOM, HTML, SVG, MEDIA[0], _SITEMAP, "http://purl.org/rss/1.0/modules/content/", "urn:unknown", "urn:u2", "")
_DECIDING = (
    *('rel="enclosure"', 'rel="alternate"', 'rel="&#101;nclosure"', 'rel="r\u00e9l"', 'rel="next" as="x"'),
    *('type="html"', 'type="text/html"', "type='text'", 'type="HTML"', 'type="html" mode="escaped"', 'type="xhtml"'),
    *('isPermaLink="true"', 'isPermaLink="false"', 'title="t"', 'xml:lang="de"', 'xlink:show="embed"', 'y:z="q"'),
)
_PROLOGS = (
    *("", "", "", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-8"?>\n', "<!-- c -->"),
    '<?xml-stylesheet href="s.xsl" type="text/xsl"?>',
    '<?xml-model href="s.rng"?>',
    "<?xml-stylesheet  href = 's.css?a&amp;b' title=\"&x;\"?>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    *("<!doctype html>", "<!DOCTYPE x SYSTEM 'y'>", '<!DOCTYPE x [<!ENTITY e "v">]>', "<?xml-stylesheet?>"),
)
_BETWEEN = (*("", "", "", "\n", "\r\n", "text", "\u00e9"), "<!-- c -->", "<?p i?>", "<![CDATA[ c ]]>", "&amp;", "]]>")
_DAMAGE = (
    *("<", ">", "&", '"', "'", "/", "<a", "</", "</x>", "<x>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "=", ":"),
    *(
        "&e;",
        "&#0;",
        "&#x110000;",
        "&#xD800;",
        "&amp",
        "\0",
        "\r",
        "\t",
        "x:",
        "xmlns=''",
        "<!DOCTYPE x>",
        " a='1' a='1'",
    ),
    *(' xmlns:q="urn:q" q:href="x"', " xlink:href='x'", ' xml:base="/b/"', ' href="x" href="y"', "\ufeff", "\u00e9"),
)


class _Names(NamedTuple):
    """What elements of a namespace have: names that carry references, each with the attributes, and HTML texts."""

    carriers: Sequence[tuple[str, str]]
    markup: Sequence[str]


def _names(vocabulary: str) -> _Names:
    carriers = [
        (chosen, attribute)
        for element, attribute in (*_TABLES.get(vocabulary, ()), *GENERIC)
        for chosen in (("p", "g", "item") if element == ANY else (element,))
    ]
    return _Names(carriers, sorted((*HTML_TEXTS.get(vocabulary, ()), *TYPED_TEXTS.get(vocabulary, ()))))


_KNOWN = {
    name: _names(name) for name in (*_TABLES, *HTML_TEXTS, *TYPED_TEXTS, *_OTHERS, *_VOCABULARIES.values(), "docbook")
}


def _escaped(chance: Random, text: str) -> str:
    """A text as it may be written where references count."""
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    how = chance.random()
    if how < 0.7 or not text:
        return text
    if how < 0.8:
        return text.replace("/", chance.choice(("&#47;", "&#x2f;", "&#x2F;"))).replace(">", "&gt;")
    if how < 0.9:
        return (
            chance.choice(("\n", " ", "\t", "&#32;", "\r\n", "&#10;", "\u00a0")) + text + chance.choice(("\n", " ", ""))
        )
    at = int(chance.random() * len(text))
    return (
        text[:at]
        + chance.choice(("&#233;", "\u00e9", "&#8217;", "&apos;", "&quot;", "\n", "\t", "\r", "&e;", "&eacute;", "&"))
        + text[at:]
    )


def _value(chance: Random, attribute: str) -> str:
    if attribute in ("style", "fill", "filter"):
        return css(chance)
    return srcset(chance) if attribute == "srcset" else reference(chance)


def _attribute(chance: Random, name: str, value: str) -> str:
    quote = chance.choice('""\'')
    value = _escaped(chance, value).replace(quote, "&quot;" if quote == '"' else "&apos;")
    return f"{name}{chance.choice(('=', '=', '=', ' = '))}{quote}{value}{quote}"


def _text(chance: Random, value: str) -> str:
    how = chance.random()
    if how < 0.6:
        return _escaped(chance, value)
    if how < 0.85 and "]]>" not in value:
        return f"<![CDATA[{value}]]>"
    at = int(chance.random() * (len(value) + 1))
    between = chance.choice(("<!-- c -->", "<?p i?>", "<![CDATA[]]>", "<![CDATA[ ]]>"))
    return _escaped(chance, value[:at]) + between + _escaped(chance, value[at:])


def _element(chance: Random, uri: str, root: str, depth: int) -> str:
    """An element, perhaps in another namespace than its parent."""
    mine, declared, prefix = uri, "", ""
    if chance.random() < 0.2:
        mine = chance.choice(_OTHERS)
        prefix = chance.choice(("", "a:", "b:")) if mine else ""
        declared = f' xmlns{":" if prefix else ""}{prefix[:-1]}="{mine}"'
    names = _KNOWN.get(mine or _VOCABULARIES.get(root, "docbook"), _KNOWN["urn:unknown"])
    element, attribute = chance.choice(names.carriers)
    attributes = [declared.strip()] if declared else []
    content = ""
    if names.markup and chance.random() < 0.3:
        element, attribute = chance.choice(names.markup), ""
        inner = "".join(markup(chance) for _ in range(int(chance.random() * 3)))
        content = _text(chance, inner if chance.random() < 0.8 else reference(chance))
        attributes += ["type='html'"] * (chance.random() < 0.6)
    elif attribute == TEXT or (element == "style" and chance.random() < 0.5):
        content = _text(chance, css(chance) if element == "style" else reference(chance))
    elif not attribute.startswith("{"):
        if attribute.startswith("xlink:") and chance.random() < 0.2:
            attributes.append(f'xmlns:l="{_XLINK}"')
            attribute = attribute.replace("xlink", "l")
        attributes.append(_attribute(chance, attribute, _value(chance, attribute)))
    if chance.random() < 0.3:
        deciding = chance.choice(_DECIDING)
        attributes.insert(
            int(chance.random() * (len(attributes) + 1)), deciding if mine != "" or "y:" not in deciding else ""
        )
    if chance.random() < 0.04:
        attributes.append(_attribute(chance, "xml:base", reference(chance)))
    if depth < 4 and (content == "" or chance.random() < 0.05) and chance.random() < 0.5:
        content += "".join(
            chance.choice(_BETWEEN) + _element(chance, mine, root, depth + 1) for _ in range(int(chance.random() * 3))
        )
    tag = " ".join((prefix + element, *filter(None, attributes)))
    if content == "" and chance.random() < 0.7:
        return f"<{tag}/>"
    return f"<{tag}>{content}</{prefix}{element}{chance.choice(('', '', ' '))}>"


def _document(chance: Random) -> str:
    uri, root = chance.choice(_ROOTS)
    declared = f' xmlns="{uri}"' if uri else ""
    if chance.random() < 0.1:
        declared += f" {_attribute(chance, 'xml:base', reference(chance))}"
    declared += f' xmlns:xlink="{_XLINK}" xmlns:rdf="{_RDF}" xmlns:y="urn:y"'
    content = "".join(
        chance.choice(_BETWEEN) + _element(chance, uri, root, 0) for _ in range(1 + int(chance.random() ** 2 * 6))
    )
    prolog = "".join(chance.choice(_PROLOGS) for _ in range(int(chance.random() * 3)))
    return f"{prolog}<{root}{declared}>{content}</{root}>{chance.choice(('', chr(10)))}"


def _damaged(chance: Random, text: str) -> str:
    for _ in range(1 + int(chance.random() * 2)):
        at = int(chance.random() * (len(text) + 1))
        behind = min(len(text), at + int(chance.random() ** 2 * 12))
        text = text[:at] + (chance.choice(_DAMAGE) if chance.random() < 0.7 else "") + text[behind:]
    return text


def xml_texts(chance: Random) -> Iterator[str]:
    """XML documents without end."""
    kinds = ("*.xml", "*.xhtml", "*.atom", "*.rss", "*.svg", "*.opf")
    paths = sorted(chain.from_iterable(map(FIXTURES.rglob, kinds)))
    fixtures = [path.read_bytes().decode("utf-8", "replace") for path in paths if path.stat().st_size < 10_000]
    while True:
        how = chance.random()
        if how < 0.01:
            yield _damaged(chance, chance.choice(fixtures))
        else:
            text = _document(chance)
            yield _damaged(chance, text) if how < 0.2 else text

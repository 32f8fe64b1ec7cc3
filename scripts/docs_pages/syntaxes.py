"""The page of micro-syntaxes: how values contain references, with a real example of each, and its attributes.

- Each row of `rehref.uri.syntaxes.SYNTAXES` has a sample here; the build fails if one is missing. The code itself
  finds the references in the sample.
- The attributes are those of the tables of carriers.
"""

from __future__ import annotations

from docs_pages.markdown import code, plain, table
from rehref.documents._carriers.html_attributes import HTML_ROWS, MATHML_ROWS, SVG_ROWS, CarrierRow
from rehref.documents._custom_attributes import LAZY_ROWS
from rehref.uri.syntaxes import SYNTAXES, Syntax

SAMPLES: dict[Syntax, tuple[str, str]] = {
    "url": ("One reference; white space around it does not count", " guide/a.html "),
    "origin": ("One reference; only its scheme, host and port count", "https://cdn.example/"),
    "srcset": ("Images for several sizes, each with a descriptor", "a.png 1x, b.png 2x"),
    "spaces": ("References with white space between them", "/ping /count?x"),
    "commas": ("References with commas between them", "a.jar, b.jar"),
    "semicolons": ("References with semicolons between them", "a.png; b.png"),
    "css": ("CSS: `url(…)`, `@import` and the like", "background: url('bg.png'); color: red"),
    "data-style": ("A `data:` URL that is a style sheet", "data:text/css,a{background:url(bg.png)}"),
    "image": ("A URL, or a CSS value that names images", "url(a.png)"),
    "curie": ("One reference, unless it is in brackets or begins with `_:` (RDFa)", "people.html#anna"),
    "refresh": ("A delay, and where to go then", "5; url=next.html"),
    "fragment": ("`#name`, which never leaves the document", "#map"),
    "import-map": ("JSON: names of modules and where they are", '{"imports": {"app": "./app.js"}}'),
    "speculation-rules": ("JSON: pages to load ahead", '{"prefetch": [{"source": "list", "urls": ["next.html"]}]}'),
    "speculation-rules-file": (
        "The same in a file, whose references are relative to it",
        '{"prefetch": [{"urls": ["next.html"]}]}',
    ),
    "json-ld": (
        "JSON: statements about the page",
        '{"@context": "https://schema.org", "@type": "WebPage", "image": "a.png"}',
    ),
    "json": ("A string in JSON that is a reference in documents of that type", ""),
    "link-header": ("A `Link` header field", '<style.css>; rel=preload, <next.html>; rel="next"'),
    "strings": ("Strings in a structured header field", 'main="/reports", other="https://o.example/r"'),
    "report-uris": ("`report-uri` of a Content Security Policy", "default-src 'self'; report-uri /csp"),
}
"""A description of each micro-syntax, and an example."""

_TOP = """# Where references are

An attribute such as `href` contains one reference. Others contain several, or contain them in other text. The
*micro-syntax* of a value defines where its references are. rehref reads all of them, and writes a changed reference so
that the rest of the value stays the same.

## Micro-syntaxes

The references in each example are computed when this page is built.

"""
_CUSTOM = (
    "`--attribute ELEMENT@NAME=SYNTAX` (in Python `attributes=`) adds an attribute of your own. "
    "It takes these micro-syntaxes: "
)


def _sample(syntax: Syntax) -> tuple[str, str, str, str]:
    about, value = SAMPLES[syntax]
    found = [each.text for each in SYNTAXES[syntax].find(value)]
    return code(syntax), about, code(value), "<br>".join(map(code, found)) or "–"


def _carriers(rows: tuple[CarrierRow, ...]) -> str:
    cells = (
        (code(elements), code(attributes), code(syntax), kind, plain(spec))
        for elements, attributes, syntax, kind, spec in rows
    )
    return table(("element", "attribute", "micro-syntax", "kind", "where it is defined"), cells)


def page() -> str:
    """The page, as Markdown."""
    custom = ", ".join(code(name) for name, row in SYNTAXES.items() if row.is_for_custom_attributes)
    lazy = (
        (code(elements), code(attributes), code(syntax), plain(of)) for elements, attributes, syntax, of in LAZY_ROWS
    )
    return "".join(
        (
            _TOP,
            table(("micro-syntax", "what it is", "example", "found"), map(_sample, SYNTAXES)),
            f"{_CUSTOM}{custom}.\n\n",
            "## Attributes of HTML\n\n`*` is any element.\n\n",
            _carriers(HTML_ROWS),
            "## Attributes of SVG\n\n",
            _carriers(SVG_ROWS),
            "## Attributes of MathML\n\n",
            _carriers(MATHML_ROWS),
            "## Attributes that scripts load from\n\nWith `--lazy`.\n\n",
            table(("element", "attribute", "micro-syntax", "whose it is"), lazy),
        )
    )

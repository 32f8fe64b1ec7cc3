"""Small pages, drawn by chance, in which much looks like a tag that is none: around templates, shadow roots and titles.

Each text is a word of its own, and so is each address and each id.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Final

_ROOT: Final = "<template shadowrootmode=open>"
_ALIKE: Final = (
    "<template>",
    "</template>",
    _ROOT,
    "<a href=no>",
    "</a>",
    "<title>no</title>",
    "</title>",
    "<script>no</script>",
    "<b id=no>",
    "]]>",
    "-->",
    "<svg>",
    "<!--",
    "<!-->",
    "<!--->",
    "--!>",
    "<?",
    "</ >",
    "</template title='>'>",
    "<TEMPLATE/>",
    "<template",
    "&lt;template>",
    "</br>",
    "</p>",
    "<title/>",
    "</svg>",
    "<template-x>",
)
"""What looks like markup, and most often is none where it is put."""
_ROOTS: Final = (
    *(_ROOT, _ROOT, _ROOT, "<template>", "<template>"),
    "<template shadowrootmode='OPEN'>",
    "<template title='>' shadowrootmode=open>",
    "<template shadowrootmode=&#111;pen>",
    "<template shadowrootmode=none>",
    "<template data-shadowrootmode=open>",
    "<template title='shadowrootmode=open'>",
    "<template shadowrootmode=none shadowrootmode=open>",
    "<template/shadowrootmode=open/>",
)
_AROUND: Final = (
    *("div", "p", "x-a", "section", "span", "h1", "body"),  # may have a shadow root
    *(
        "b",
        "i",
        "font color=x",
        "nobr",
        "em",
        "ul",
        "li",
        "SVG",
        "pre",
        "form",
        "button",
        "select",
        "option",
        "x.a",
        "a-B",
    ),
    *("table", "tr", "td", "caption", "svg", "math", "svg><foreignObject", "desc", "mi", "mtext"),
    *("g", "annotation-xml encoding=text/html", "annotation-xml", "font-face", "html", "head", "ruby"),
)
_RAW: Final = ("style", "textarea", "xmp", "iframe", "noembed", "noframes", "title", "script", "script type=x/y")


def drawn_pages(chance: Random, size: int) -> Iterator[str]:
    """So many pages; the same `chance` gives the same ones."""
    return (_Drawing(chance).page() for _ in range(size))


class _Drawing:
    """A page that is being drawn."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._numbers = count()

    def page(self) -> str:
        begin = self._chance.choice(("", "<body>", "<title>t</title><body>", "<head>", "<p>"))
        return f"<!doctype html>{begin}{self._content(3)}"

    def _content(self, depth: int) -> str:
        return "".join(self._piece(depth) for _ in range(self._chance.randrange(1, 4)))

    def _piece(self, depth: int) -> str:
        chance, number = self._chance, next(self._numbers)
        draw = chance.random()
        inner = self._content(depth - 1) if depth else f" w{number} "
        if draw < 0.12:
            return f" w{number} "
        if draw < 0.3:
            return f"{chance.choice(_ROOTS)}{inner}{self._end('template')}"
        if draw < 0.45:
            return f"<a href=h{number}>{inner}{self._end('a')}"
        if draw < 0.7:
            name = chance.choice(_AROUND)
            own = f" id=i{number}" if chance.random() < 0.2 else ""
            ends = "".join(self._end(each.split()[0]) for each in reversed(name.split("><")))
            return f"<{name}{own}>{inner}{ends}"
        return self._alike(number)

    def _alike(self, number: int) -> str:
        """Something that has the text of a tag in it."""
        chance = self._chance
        text = "".join(chance.choices(_ALIKE, k=chance.randrange(1, 3)))
        how = chance.randrange(7)
        if how == 0:
            return f"<!--{text}-->"
        if how == 1:
            return f"<![CDATA[{text}]]>"
        if how == 2:
            return f"<svg><![CDATA[ w{number} {text}]]></svg>"
        if how == 3:
            return f"<b title='{text}'> w{number} </b>"
        if how == 4:
            return f"<{chance.choice(('svg', 'math'))}><title> w{number} </title>{chance.choice(_ALIKE)}"
        if how == 5:
            return text
        name = chance.choice(_RAW)
        return f"<{name}> w{number} {text}{self._end(name.split()[0])}"

    def _end(self, name: str) -> str:
        """The end tag; seldom none, or another."""
        draw = self._chance.random()
        if draw < 0.85:
            return f"</{name}>"
        return "" if draw < 0.95 else f"</{self._chance.choice(_AROUND).split()[0].partition('><')[0]}>"

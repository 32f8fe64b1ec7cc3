"""Makes a site from a seed: documents of many kinds, written in many ways, all of whose references are right.

- There are 120 pages in nested folders, some of them with a base; and style sheets, pictures (SVG too), downloads, a
  feed with `xml:base`, and a sitemap.
- Some pages are in windows-1252, have a byte order mark, or lines that end with CR LF. Names have spaces and umlauts.
- References are relative, paths from the root, or whole URIs; with queries and fragments, percent-encoded or not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from posixpath import dirname, relpath
from urllib.parse import quote, unquote

from checked.made_forms import Form, in_markup, in_style, quoted
from checked.made_site import Page, Reference, Site, Truth

SITE = "https://example.org/docs/"
WORDS = re.findall(
    r"\w+",
    "install configure overview glossary download security database template releases gallery calendar workflow "
    "language function operator keyboard printing charting networks currency settings commands examples profiles "
    "accounts backup billing caching charset clients colours compiler contacts cookies debugging deployment devices "
    "drivers editing encoding events exports filters formulas grammar history imaging importing indexes invoices "
    "licence logging macros mailing mapping messages metrics migration modules monitoring objects packages payments "
    "plugins policies protocols queries queues recovery reports sampling schedules scripting searching servers "
    "sessions sharing storage streams styles symbols testing themes threads tokens tracing training upgrade variables "
    "versions",
)
FOLDERS = ("", "guide", "guide/advanced", "guide/advanced/tuning", "reference", "reference/library", "tutorial", "news")
UNUSUAL = ("user guide", "größen", "übersicht", "what's new", "c++", "tutorial/part-1", "tutorial/part-2")


def make_site(seed: int, uri: str = SITE) -> Site:
    """A site whose folder has this URI. Only if it is `SITE`, there are paths from the root, and whole URIs."""
    return _Maker(seed, uri).site


class _Maker:
    """Makes one site."""

    def __init__(self, seed: int, uri: str) -> None:
        self.rng = random.Random(seed)
        self.site = Site(uri)
        self._make_files()
        self._write_files()

    # what there is

    def _make_files(self) -> None:
        self.html_paths = [f"{folder}/index.html".lstrip("/") for folder in FOLDERS]
        self.html_paths += [f"{folder}/{name}.html" for folder in FOLDERS[1::2] for name in ("introduction", "faq")]
        self.html_paths += [f"{name}.html" for name in UNUSUAL]
        names = [word + tail for word in WORDS for tail in ("", "-notes", "-in-detail")]
        for number, name in enumerate(self.rng.sample(names, 120 - len(self.html_paths))):
            self.html_paths.append(f"{FOLDERS[number % len(FOLDERS)]}/{name}.html".lstrip("/"))
        pictures = self.rng.sample(WORDS, 30)
        self.icons = "assets/images/icons.svg"
        self.drawings = [f"assets/images/{word}-diagram.svg" for word in self.rng.sample(WORDS, 6)]
        self.images = [f"assets/images/{word}{size}.png" for word in pictures[:24] for size in ("", "@2x")]
        self.images += [f"assets/photos/{word} at work.jpg" for word in pictures[24:]]
        self.downloads = [f"files/{word}-handbook.pdf" for word in self.rng.sample(WORDS, 12)]
        self.scripts = ["assets/js/site.js", "assets/js/search.js"]
        self.styles = ["assets/css/site.css", "assets/css/print.css"]
        self.site.others = [*self.images, *self.downloads, *self.scripts, "favicon.ico"]
        self.site.pages[self.icons] = Page(self.icons, ids=[f"icon-{word}" for word in self.rng.sample(WORDS, 12)])
        for number, path in enumerate(self.html_paths):
            words = self.rng.sample(WORDS, 11)
            ids = [f"{one}-{other}" for one, other in zip(words[:5], words[5:10], strict=True)]
            ids.append(self.rng.choice(["faq", "größe", "a b", words[10]]))
            encoding = "windows-1252" if number % 10 == 3 else "utf-8"
            page = Page(path, encoding, "\r\n" if number % 6 == 1 else "\n", ids=ids)
            page.chunks += [b"\xef\xbb\xbf"] if number % 10 == 5 else []
            self.site.pages[path] = page

    def _write_files(self) -> None:
        for number, path in enumerate(self.html_paths):
            self._write_page(self.site.pages[path], with_base=number % 10 == 7)
        page = self.site.pages[self.icons]
        symbols = "".join(f"<symbol id='{name}'><path d='M0 0'/></symbol>\n" for name in page.ids)
        page.write(f"<svg xmlns='http://www.w3.org/2000/svg'>\n{symbols}</svg>\n")
        for path in self.drawings:
            self._write_drawing(self._new(path))
        for path in self.styles:
            self._write_style_sheet(self._new(path))
        self._write_feed(self._new("feed.xml"))
        self._write_sitemap(self._new("sitemap.xml"))

    def _new(self, path: str) -> Page:
        return self.site.pages.setdefault(path, Page(path))

    def _any(self, paths: Sequence[str]) -> Truth:
        return Truth(self.rng.choice(paths), None)

    def _any_id(self, path: str) -> Truth:
        return Truth(path, self.rng.choice(self.site.pages[path].ids))

    # what is in it

    def _add(self, page: Page, before: str, value: str, truth: Truth | None, form: Form, after: str) -> int:
        """Add a reference, what stands before it, and what stands after it, with `%d` for a number; give its own."""
        number = len(self.site.references)
        self.site.references.append(Reference(page.path, value, truth, form, None if truth is None else page.base))
        page.write(before)
        page.chunks.append(number)
        page.write(after.replace("%d", str(number + 10_000)))
        return number

    def _write_page(self, page: Page, *, with_base: bool) -> None:
        charset = "" if page.chunks else f"<meta charset={page.encoding}>\n"
        page.write(f"<!DOCTYPE html>\n<html lang=en><head>\n{charset}<title>&Uuml;ber x</title>\n")
        if with_base:
            self._write_base(page)
        self._attribute(page, "<link rel=stylesheet href=", self._any(self.styles), ">\n", query="?v=3&t=1")
        self._attribute(page, "<script src=", self._any(self.scripts), "></script>\n", query="?v=3")
        self._attribute(page, "<link rel=icon href=", Truth("favicon.ico", None), ">\n")
        if self.rng.random() < 0.2:
            self._style(page, "<style>body { background: url(", ") /*%d*/ }</style>\n")
        page.write("</head>\n<body><nav>\n")
        for _ in range(3):
            self._attribute(page, "<li><a class='nav' href=", self._any(self.html_paths), ">x</a>\n")
        page.write("</nav>\n<p>No reference: href=wrong.html <!-- <a href=gone.html> -->\n")
        for number, name in enumerate(page.ids):
            page.write(f"<a name='{name}'></a>" if number == 1 else f'<h2 id="{name}">x &amp; y</h2>')
            page.write("\n<p>Text, größer &lt; 5.\n")
            if self.rng.random() < 0.3:
                self._attribute(page, "<a href=", self._any_id(page.path), ">above</a>\n")
        for _ in range(self.rng.randrange(3, 7)):
            truth = self._any(self.html_paths)
            truth = self._any_id(truth.path) if self.rng.random() < 0.5 else truth
            self._attribute(page, "<P>See <A\tHREF = ", truth, " >x</A>.\n")
        self._attribute(page, "<img alt='' src=", self._any(self.images), ">\n")
        if self.rng.random() < 0.4:
            self._srcset(page)
        if self.rng.random() < 0.2:
            self._style(page, '<p style="background: url(', ') %dpx 0">\n', is_attribute=True)
        if self.rng.random() < 0.3:
            self._attribute(page, "<svg><use href=", self._any_id(self.icons), "></use></svg>\n")
        if self.rng.random() < 0.3:
            self._attribute(page, "<a download href=", self._any(self.downloads), ">PDF</a>\n")
        if self.rng.random() < 0.2:
            self._attribute(page, "<object data=", self._any(self.drawings), "></object>\n")
        page.write("<a href='https://elsewhere.example/x.html'>x</a> <a href=mailto:a@b.example>y</a>")

    def _write_base(self, page: Page) -> None:
        """Write a base: the folder of the page, or one above it."""
        names = page.path.split("/")[:-1]
        folder = "".join(name + "/" for name in names[: self.rng.randrange(len(names) + 1)])
        value = relpath(folder or ".", dirname(page.path) or ".") + "/"
        if self.site.uri == SITE and self.rng.random() < 0.5:
            value = SITE + folder
        form = in_markup(page.encoding, '"')
        page.base = self._add(page, '<base target=_top href="', value, None, form, '" data-n=%d>\n')

    def _attribute(self, page: Page, before: str, truth: Truth, after: str, query: str = "") -> None:
        quotes = self.rng.choice(['"', '"', '"', "'", ""])
        style = self.rng.choice(["", "", "bare", "named", "numeric", "hexadecimal", "padded"])
        value = self._value(page, truth, query, with_spaces=quotes != "")
        form = in_markup(page.encoding, quotes, style)
        self._add(page, before + quotes, value, truth, form, f"{quotes} data-n=%d{after}")

    def _srcset(self, page: Page) -> None:
        page.write("<img alt='' srcset=\"")
        for after in (" %dw, ", " %dw, ", ' %dw" sizes=50vw>\n'):
            truth = self._any(self.images)
            self._add(page, "", self._value(page, truth), truth, in_markup(page.encoding, '"'), after)

    def _style(self, page: Page, before: str, after: str, *, is_attribute: bool = False) -> None:
        quotes = self.rng.choice(["'", "" if is_attribute else '"', ""])
        truth = self._any(self.images)
        value = self._value(page, truth, with_spaces=quotes != "")
        form = in_style(page.encoding, quotes, is_attribute=is_attribute)
        self._add(page, before + quotes, value, truth, form, quotes + after)

    def _write_drawing(self, page: Page) -> None:
        page.write("<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'\n")
        page.write(" xmlns:xlink='http://www.w3.org/1999/xlink'>\n")
        form = in_markup("utf-8", '"')
        for start, truth, end in (
            ("<image href", self._any(self.images), "/>"),
            ("<use xlink:href", self._any_id(self.icons), "/>"),
            ("<a xlink:href", self._any_id(self.rng.choice(self.html_paths)), "><text>x</text></a>"),
        ):
            self._add(page, f'{start}="', self._value(page, truth), truth, form, f'" class="n%d"{end}\n')
        page.write("</svg>\n")

    def _write_style_sheet(self, page: Page) -> None:
        page.write('@charset "utf-8"; /* Größen */\n')
        if page.path != self.styles[0]:
            form = in_style("utf-8", '"')
            self._add(page, '@import "', "site.css", Truth(self.styles[0], None), form, '" /*%d*/;\n')
        for number in range(12):
            self._style(page, f".c{number} {{ background: url( ", " ) /*%d*/ }\n")

    def _write_feed(self, page: Page) -> None:
        form = in_markup("utf-8", '"')
        page.write("<?xml version='1.0' encoding='utf-8'?>\n<feed xmlns='http://www.w3.org/2005/Atom'>\n")
        for number in range(12):
            if number == 6:
                page.base = self._add(page, '<entry xml:base="', "guide/", None, form, '" n="%d">')
            page.write("<entry>" if number < 6 else "")
            truth = self._any(self.html_paths)
            self._add(page, '<link href="', self._value(page, truth), truth, form, '" title="%d"/>')
            page.write("</entry>\n" if number < 6 else "")
        page.write("</entry></feed>\n")

    def _write_sitemap(self, page: Page) -> None:
        form = in_markup("utf-8", "<")
        page.write("<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n")
        for path in self.rng.sample(self.html_paths, 20):
            truth = Truth(path, None)
            self._add(page, "<url><loc>", self.site.uri + quote(path), truth, form, "</loc><n>%d</n></url>\n")
        page.write("</urlset>\n")

    def _value(self, page: Page, truth: Truth, query: str = "", *, with_spaces: bool = False) -> str:
        """A reference to what is meant, in one of the ways that people write it."""
        path = truth.path
        if path.endswith("index.html") and self.rng.random() < 0.5:
            path = path.removesuffix("index.html")
        is_raw = self.rng.random() < 0.4
        is_same = truth.path == page.path and truth.fragment is not None and page.base is None
        form = self.rng.random() if self.site.uri == SITE and not is_same else 1
        if is_same:
            path = ""
        elif form < 0.12:
            path = "/docs/" + path
        elif form > 0.2:
            folder = unquote(self.site.base_of(page.path, page.base).removeprefix(self.site.uri)).rpartition("/")[0]
            path = relpath("/" + path, "/" + folder) + ("/" if path == "" or path.endswith("/") else "")
            if path[0] != "." and self.rng.random() < 0.1:
                path = "./" + path
        safe = ("/@'öüß " if with_spaces else "/@'öüß") if is_raw else "/@'"
        value = quoted(path, safe)
        if 0.12 <= form <= 0.2:
            value = self.rng.choice(["https:", ""]) + "//example.org/docs/" + value
        return value + query + ("" if truth.fragment is None else "#" + quoted(truth.fragment, safe))

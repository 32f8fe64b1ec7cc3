"""The media types that rehref reads, the reader of each, and the type of a file, from its name and its first bytes.

A known extension decides: the type of a document, or that the file is not one; `a.png` and `a.js` are not opened. If
none decides (`LICENSE`, `page.php?id=1`, `*.cgi`), the content does. What begins like an image or an archive is not a
document, whatever its name: where servers send images as `text/html`, `wget -E` names them `a.png.html`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from io import RawIOBase
from types import MappingProxyType
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from rehref.documents._signatures import GZIP, LZ4, ZIP, is_binary, no_document
from rehref.text import lower
from rehref.text.header_fields import parameters

Reader: TypeAlias = Literal[
    "html", "xml", "css", "text", "manifest", "json-ld", "speculation-rules", "headers", "markdown", "notebook"
]

_READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "text/html": "html",
        "application/x-asp": "html",
        "application/x-httpd-php": "html",
        "text/css": "css",
        "text/plain": "text",
        "text/markdown": "markdown",
        "application/x-ipynb+json": "notebook",
        "text/xml": "xml",
        "application/xml": "xml",
        "application/manifest+json": "manifest",
        "application/x-web-app-manifest+json": "manifest",
        "application/ld+json": "json-ld",
        "application/speculationrules+json": "speculation-rules",
        "message/http": "headers",
    }
)


class MediaType(str):
    """The essence of a media type: in lower case, without parameters (RFC 9110 §8.3.1); "" if it is not known."""

    __slots__ = ()

    HTML: ClassVar[MediaType]
    XHTML: ClassVar[MediaType]
    CSS: ClassVar[MediaType]
    XML: ClassVar[MediaType]
    SVG: ClassVar[MediaType]
    TEXT: ClassVar[MediaType]
    MARKDOWN: ClassVar[MediaType]
    NOTEBOOK: ClassVar[MediaType]
    HEAD: ClassVar[MediaType]
    MANIFEST: ClassVar[MediaType]
    JSON_LD: ClassVar[MediaType]
    JSON: ClassVar[MediaType]
    """The type that servers often send for web app manifests (`rehref.documents.reading`)."""
    PAGES: ClassVar[frozenset[MediaType]]
    """HTML and XHTML."""
    BY_EXTENSION: ClassVar[Mapping[str, MediaType]]
    """Media types by file extension, with its dot and in lower case."""
    EXTENSIONS: ClassVar[Mapping[str, frozenset[str]]]
    """File extensions, without the dot, by the kind of file that has them, on the web and elsewhere."""
    MANIFEST_NAME: Final = "manifest.json"

    @staticmethod
    @lru_cache(maxsize=16)  # most records of an archive have one of a few types
    def of(written: str | None) -> MediaType:
        """A media type without its parameters; "" for None."""
        return MediaType("" if written is None else lower(written.partition(";")[0].strip()))

    @staticmethod
    @lru_cache(maxsize=16)
    def charset_of(written: str | None) -> str:
        """The parameter `charset` of a media type, as it is written; "" if it has none."""
        return next((each.value for each in parameters(written or "") if each.name == "charset"), "")

    @staticmethod
    def by_extension(name: str) -> MediaType | None:
        """The type of the extension of a name, in upper or lower case, or of the whole name (`manifest.json`)."""
        name = name[name.rfind("/") + 1 :]
        dot = name.rfind(".")
        if dot <= 0:
            return None
        return MediaType.MANIFEST if name == MediaType.MANIFEST_NAME else MediaType.BY_EXTENSION.get(name[dot:].lower())

    @property
    def reader(self) -> Reader | None:
        """The reader of documents of this type; None: it is not read.

        XML is every type that RFC 7303 calls XML: `text/xml`, `application/xml`, and all that end in `+xml`; XHTML too.
        """
        return _READERS.get(self) or ("xml" if self.endswith("+xml") else None)

    @property
    def is_rewritten(self) -> bool:
        """Whether documents of this type are rewritten in a copy: not header fields, and not URLs in plain text."""
        return self.reader not in (None, "text", "headers")

    @property
    def is_source(self) -> bool:
        """Whether pages of sites are made of documents of this type."""
        return self in _SOURCES

    @property
    def is_found(self) -> bool:
        """Whether files of this type are documents in a folder: texts, Markdown and notebooks have to be named."""
        return self != "" and self not in _NAMED


MediaType.HTML = MediaType("text/html")
MediaType.XHTML = MediaType("application/xhtml+xml")
MediaType.CSS = MediaType("text/css")
MediaType.XML = MediaType("application/xml")
MediaType.SVG = MediaType("image/svg+xml")
MediaType.TEXT = MediaType("text/plain")
MediaType.MARKDOWN = MediaType("text/markdown")
MediaType.NOTEBOOK = MediaType("application/x-ipynb+json")
MediaType.HEAD = MediaType("message/http")
MediaType.MANIFEST = MediaType("application/manifest+json")
MediaType.JSON_LD = MediaType("application/ld+json")
MediaType.JSON = MediaType("application/json")
MediaType.PAGES = frozenset({MediaType.HTML, MediaType.XHTML})
MediaType.BY_EXTENSION = MappingProxyType(
    {
        ".html": MediaType.HTML,
        ".htm": MediaType.HTML,
        ".shtml": MediaType.HTML,
        ".xhtml": MediaType.XHTML,
        ".xht": MediaType.XHTML,
        ".css": MediaType.CSS,
        ".svg": MediaType.SVG,
        ".xml": MediaType.XML,
        ".atom": MediaType("application/atom+xml"),
        ".rss": MediaType("application/rss+xml"),
        ".rdf": MediaType("application/rdf+xml"),
        ".opml": MediaType("text/x-opml+xml"),
        ".opf": MediaType("application/oebps-package+xml"),
        ".ncx": MediaType("application/x-dtbncx+xml"),
        ".xsl": MediaType("application/xslt+xml"),
        ".xslt": MediaType("application/xslt+xml"),
        ".mathml": MediaType("application/mathml+xml"),
        ".webmanifest": MediaType.MANIFEST,
        ".jsonld": MediaType.JSON_LD,
        ".txt": MediaType.TEXT,
        ".md": MediaType.MARKDOWN,
        ".markdown": MediaType.MARKDOWN,
        ".mdx": MediaType.MARKDOWN,
        ".qmd": MediaType.MARKDOWN,
        ".ipynb": MediaType.NOTEBOOK,
    }
)
_SOURCES: Final = frozenset({MediaType.MARKDOWN, MediaType.NOTEBOOK})
_NAMED: Final = frozenset({MediaType.TEXT, *_SOURCES})

# the beginnings of XML: its declaration, or the document element of feeds and the like
_LOOKS_LIKE_XML = re.compile(rb"<\?xml[ \t\r\n]|[ \t\r\n]*+<(?:rss|feed|rdf:RDF|opml|urlset|sitemapindex)[\s>]").match
_LOOKED_AT: Final = 4096
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

MediaType.EXTENSIONS = MappingProxyType(
    {
        group: frozenset(names.split())
        for group, names in {
            "made from another file": (
                "asc bak br bz2 crc32 gz lz lz4 map md5 old orig part rej sha1 sha256 sha512 sig sum swp tmp torrent "
                "xz z zst"
            ),
            "pages": "asp aspx cgi htm html jsp jspx md mdx mht mhtml php php3 qmd shtml xht xhtml",
            "texts and data": (
                "atom csv ics json json5 opml rdf rss tex toml tsv txt vcf webmanifest xml xsd xsl xslt yaml yml"
            ),
            "styles and programs": (
                "c cc cjs cpp css h hpp java js jsx less lua mjs pl py pyc rb rs sass scss sh sql styl ts tsx vue wasm"
            ),
            "documents": "doc docx dot epub key mobi odg odp ods odt pdf pps ppt pptx ps rtf xls xlsx",
            "images": "apng avif bmp gif heic heif ico jp2 jpeg jpg jxl png psd svg svgz tif tiff webp",
            "sound": "aac aif aiff flac m4a mid midi mp2 mp3 oga ogg opus wav wma",
            "films": "avi flv m4v mkv mov mp4 mpeg mpg ogv webm wmv",
            "fonts": "eot otc otf ttc ttf woff woff2",
            "others that hold no markup": (
                "bat bin cdx cdxj class conf cfg dat db dll eps geojson glb gltf go gradle ini jsonl kml kt log mmd "
                "parquet pickle po pot properties ps1 pyi pyx r rst s so sqlite svelte swf swift vtt xpi zsh"
            ),
            "archives": "7z apk deb dmg exe gz iso jar msi rar rpm tar tgz zip",
        }.items()
    }
)

_PACKED: Final = frozenset({MediaType.HTML, MediaType.XHTML, MediaType.SVG})
"""Types that are documents when gzipped, too."""
_SCRIPTS: Final = frozenset({"asp", "aspx", "cgi", "jsp", "jspx", "php", "php3"})
_Told: TypeAlias = tuple[MediaType | None, bool]
"""The first two fields of a `FileName`."""
_OTHER: Final[_Told] = (None, False)
_OPEN: Final[_Told] = (None, True)
_BY_ENDING: Final[Mapping[str, _Told]] = MappingProxyType(
    {
        **dict.fromkeys(frozenset().union(*MediaType.EXTENSIONS.values()) - _SCRIPTS - {"orig"}, _OTHER),
        **{ending.removeprefix("."): (its_type, False) for ending, its_type in MediaType.BY_EXTENSION.items()},
        "svgz": (MediaType.SVG, False),
    }
)
_TAIL = re.compile(r"[?@,]").search
_QUERY = re.compile(r"\?|@[^?]*=").search
_COUNTED = re.compile(r"(?:\.(?:[0-9]{1,4}|orig))+\Z", re.IGNORECASE)
_LAST_OF_COUNTED: Final = frozenset("0123456789gG")

# MIME Sniffing Standard §7.1, step 1: the patterns of HTML, with their tag-terminating byte. Beyond the Standard, a
# byte order mark and comments may precede the tag, and any white space may end its name.
_HTML = re.compile(
    rb"\s*+<(?:(?:!doctype\s++html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?:[\s>]|\Z)|!--)",
    re.IGNORECASE,
).match
_XML = re.compile(rb"<\?xml\s").match
# a byte order mark, white space, "<" or the end; NUL is skipped so that the "<" of UTF-16 is seen
_LOOKS_LIKE_HTML = re.compile(rb"(?:\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?[\s\0]*+(?:<|\Z)").match
_UTF_16: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

_SITEMAP = re.compile(r"sitemap.*\.(?:xml|txt)|.*\.xml\.gz", re.IGNORECASE | re.DOTALL).fullmatch


class FileName(NamedTuple):
    """What the name of a file, without its folders, says of it.

    `media_type`: that of a document. `is_open`: whether the content decides. `stem`: the name without what mirrors
    append. `likely`: the type that a text has, and XML if it is one of XML, where the content decides. A name that ends
    in `~` or `.bak` is that of a backup, and not of a document.
    """

    media_type: MediaType | None
    is_open: bool
    stem: str
    likely: MediaType | None

    @classmethod
    def of(cls, name: str) -> FileName:
        """Look at a name."""
        whole, stem = _told_by_extension(name), _stem(name)
        if stem == name:  # the usual case
            return cls(*whole, stem, whole[0])
        before = _told_by_extension(stem)
        likely = (whole if before == _OPEN else before)[0]
        is_title = whole[0] == MediaType.HTML or (whole[0] in _SOURCES and "=" not in name)  # Why not?.md
        if before == _OPEN and not is_title and _QUERY(name, 1) is not None:
            is_backup = _COUNTED.sub("", name).lower().endswith(("~", ".bak"))
            return cls(None, not is_backup, stem, likely)
        if before in (_OPEN, whole):
            return cls(*whole, stem, likely)
        return cls(None, before != _OTHER or whole != _OPEN, stem, likely)

    @staticmethod
    def is_of_sitemap(path: str) -> bool:
        """Whether a path ends in the name of a sitemap, which servers send as anything, packed or not."""
        return _SITEMAP(path[path.rfind("/") + 1 :]) is not None


def _stem(name: str) -> str:
    """The name without the parts that mirrors append: `main.css?v=1.2`, `index.html@p=1`, `a.html.1`.

    If that names a type that the extension does not, the content decides. `Why not?.md` has no query, which would have
    `=`: mirrors have no Markdown.
    """
    if "?" in name or "@" in name or "," in name:
        tail = _TAIL(name, 1)
        name = name if tail is None else name[: tail.start()]
    if name[-1:] not in _LAST_OF_COUNTED:
        return name
    return _COUNTED.sub("", name) or name


def _told_by_extension(name: str) -> _Told:
    """What the last extension of a name says."""
    before, _, ending = name.rpartition(".")
    if before == "" or ending[-1:] == "~":
        return _OTHER if ending[-1:] == "~" else _OPEN
    ending = ending.lower()
    if ending == "gz":
        inner = MediaType.by_extension(before)
        return (inner, False) if inner in _PACKED else _OTHER
    return (MediaType.MANIFEST, False) if name == MediaType.MANIFEST_NAME else _BY_ENDING.get(ending, _OPEN)


class Beginning(NamedTuple):
    """The first bytes of a file, and what they say of its type; all of its content serves as well."""

    data: bytes

    @classmethod
    def of(cls, content: bytes | str) -> Beginning:
        """Take as much of some content as is looked at."""
        begins = content[:_LOOKED_AT]
        return cls(begins.encode("utf-8", "replace") if isinstance(begins, str) else begins)

    @classmethod
    def read(cls, file: RawIOBase) -> Beginning:
        """Read as much of a file as is looked at."""
        return cls(file.read(_LOOKED_AT) or b"")

    @property
    def is_gzipped(self) -> bool:
        """Whether it is that of gzipped data."""
        return self.data.startswith(GZIP)

    @property
    def is_zip(self) -> bool:
        """Whether it is that of a zip file."""
        return self.data.startswith(ZIP)

    @property
    def is_lz4(self) -> bool:
        """Whether it is that of data compressed with LZ4."""
        return self.data.startswith(LZ4)

    @property
    def looks_like_html(self) -> bool:
        """Whether it begins with `<`, white space and a byte order mark aside, or is empty."""
        return _LOOKS_LIKE_HTML(self.data) is not None

    @property
    def looks_like_xml(self) -> bool:
        """Whether a document without a type that begins so is XML.

        One that begins with an `html` element is read as HTML, with an XML declaration or without: most pages that
        claim to be XHTML were never read as XHTML.
        """
        head = self.data
        if head.startswith(_MARKS):
            for mark in _MARKS:
                head = head.removeprefix(mark)
        head = head.replace(b"\0", b"")  # this is enough for UTF-16
        if _LOOKS_LIKE_XML(head) is None:
            return False
        if b"<html" not in head:
            return True
        from rehref.markup.page_content import PageContent
        from rehref.text.encoding import Source

        return PageContent(Source(head), is_xml=True).document_element != "html"

    @property
    def no_document(self) -> str | None:
        """What it is instead of a document, in words (`a PNG image`); None if no pattern matches."""
        data = self.data
        if data[:1] in (b"<", b"\n"):  # nearly every document
            return None
        return no_document(data)

    @property
    def media_type(self) -> MediaType | None:
        """The media type by the content alone: HTML, XML, plain text; None: binary.

        As in the MIME Sniffing Standard (§7.1), but feeds and sitemaps need no XML declaration, and content that begins
        with an `html` element is HTML even after one. For gzipped data, the type of the content counts.
        """
        wide = _UTF_16.get(self.data[:2])
        head = self.data if wide is None else self.data[2:].decode(wide, "replace").encode("utf-8", "replace")
        content = Beginning(head.removeprefix(b"\xef\xbb\xbf"))
        if content.no_document is not None:
            return None
        if content.looks_like_xml:
            return MediaType.XML
        if _HTML(content.data) is not None or _XML(content.data) is not None:
            return MediaType.HTML
        return None if is_binary(content.data) else MediaType.TEXT

    def media_type_named(self, name: FileName) -> MediaType | None:
        """The media type of a file with this name; None: it is binary.

        Data whose name says that they are gzipped must be unpacked already. `text/plain` means without markup: a
        document if the user names it, but not in a folder (`MediaType.is_found`); so are Markdown and notebooks.
        """
        if name.media_type is not None:
            return name.media_type if self.no_document is None else None
        found = self._unpacked().media_type
        if found == MediaType.TEXT:
            return name.likely or found
        if found == MediaType.XML and name.likely is not None and name.likely.reader == "xml":
            return name.likely
        return MediaType.XHTML if found == MediaType.HTML and name.likely == MediaType.XHTML else found

    def _unpacked(self) -> Beginning:
        """The same of what is gzipped in it; a NUL if that is damaged."""
        if not self.is_gzipped:
            return self
        try:
            return Beginning(zlib.decompressobj(31).decompress(self.data, _LOOKED_AT))
        except zlib.error:
            return Beginning(b"\0")

"""The media types that rehref reads, the reader of each, and the type of a file, from its name and its first bytes.

1. A known extension decides: the type of a document, or that the file is not one. `a.png` and `a.js` are not opened.
2. The part of a name before `?`, `@` or `,` counts as well, and the part before `.1` or `.orig`: mirrors write
   `main.css?v=1.2`, `index.html@p=1`, `a.html.1`. If that part names a type that the extension does not, the content
   decides: the file has the type of that part unless the content is binary, HTML, or XML. `Why not?.md` has no query,
   which would have `=`: mirrors have no Markdown.
3. If no extension decides (`LICENSE`, `page.php?id=1`, `*.asp`, `*.cgi`), the content does: HTML and XML as in the MIME
   Sniffing Standard (§7.1), `text/plain` for content without a binary data byte, and None for content with one.
4. Beyond the Standard, a byte order mark and comments may precede the tag, any white space may end its name, feeds
   and sitemaps need no XML declaration, and content that begins with an `html` element is HTML even after an XML
   declaration.
5. For gzipped data, the type of the content counts. `*.html.gz` and `*.svgz` are documents by their names.
6. A file that begins like an image, an archive, a PDF file or the like (`magic`) is not a document, whatever its name:
   where servers send images as `text/html`, `wget -E` names them `a.png.html`. This is found when the file is read; no
   file is opened for it.
7. A file whose name ends in `~` or `.bak` is a backup, and not a document.
8. The patterns of `magic` are those of the MIME Sniffing Standard: §6.1 images, §6.2 audio and video, §6.3 fonts, §6.4
   archives, §7.1 PDF and PostScript; and LZ4. gzip is missing on purpose (rule 5). They match at the very beginning. No
   markup, style sheet or text in Unicode begins so.
9. If a pattern consists of letters that a text may begin with (`BM`, `ID3`, `OTTO`), a binary data byte (§3) must be
   among the first bytes as well, which the Standard does not require; so must the version of an Embedded OpenType font.
10. A media type's essence (without parameters, in lower case) determines the reader: `html`, `xml`, `css`, `text`,
   `markdown`, `notebook` (of Jupyter), `manifest` (a web app manifest), `json-ld`, `headers` (the head of an HTTP
   message). None: it is not read.
11. XML is every type that RFC 7303 calls XML: `text/xml`, `application/xml`, and all that end in `+xml`; XHTML too.
12. Without a type, the extension of a name may determine it, or the whole name: `manifest.json`.
13. XML without a type is recognized by its beginning. A document that begins with an `html` element is read as HTML,
   with an XML declaration or without: most pages that claim to be XHTML were never read as XHTML.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias

from rehref.text import lower

Reader: TypeAlias = Literal["html", "xml", "css", "text", "manifest", "json-ld", "headers", "markdown", "notebook"]

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
    """The type that servers often send for web app manifests (`rehref.documents.reading`, rule 3)."""
    PAGES: ClassVar[frozenset[MediaType]]
    """HTML and XHTML."""
    BY_EXTENSION: ClassVar[Mapping[str, MediaType]]
    """Media types by file extension, with its dot and in lower case."""
    MANIFEST_NAME: Final = "manifest.json"

    @staticmethod
    @lru_cache(maxsize=16)  # most records of an archive have one of a few types
    def of(written: str | None) -> MediaType:
        """Return a media type without its parameters; "" for None."""
        return MediaType("" if written is None else lower(written.partition(";")[0].strip()))

    @staticmethod
    def by_extension(name: str) -> MediaType | None:
        """Return the type of the extension of a name, in upper or lower case, or of the whole name (rule 12)."""
        name = name[name.rfind("/") + 1 :]
        dot = name.rfind(".")
        if dot <= 0:
            return None
        return MediaType.MANIFEST if name == MediaType.MANIFEST_NAME else MediaType.BY_EXTENSION.get(name[dot:].lower())

    @property
    def reader(self) -> Reader | None:
        """The reader of documents of this type (rules 10, 11)."""
        return _READERS.get(self) or ("xml" if self.endswith("+xml") else None)

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
        ".ipynb": MediaType.NOTEBOOK,
    }
)
_SOURCES: Final = frozenset({MediaType.MARKDOWN, MediaType.NOTEBOOK})
_NAMED: Final = frozenset({MediaType.TEXT, *_SOURCES})

# the beginnings of XML: its declaration, or the document element of feeds and the like
_LOOKS_LIKE_XML = re.compile(rb"<\?xml[ \t\r\n]|[ \t\r\n]*+<(?:rss|feed|rdf:RDF|opml|urlset|sitemapindex)[\s>]").match
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

LOOKED_AT = 4096
"""The number of bytes of a document that `looks_like_xml` needs."""


def looks_like_xml(head: bytes) -> bool:
    """Whether a document without a type is XML; `head`: its first bytes, `LOOKED_AT` or all (rule 13)."""
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


GZIP: Final = b"\x1f\x8b"
"""The first bytes of gzipped data (RFC 1952 §2.3.1)."""


class NoType(Enum):
    """Results for a name that names no type of document."""

    OTHER = "not a document"
    ASK = "not known"


OTHER: Final = NoType.OTHER
ASK: Final = NoType.ASK

GROUPS: Final = MappingProxyType(
    {
        group: frozenset(names.split())
        for group, names in {
            "made from another file": (
                "asc bak br bz2 crc32 gz lz lz4 map md5 old orig part rej sha1 sha256 sha512 sig sum swp tmp torrent "
                "xz z zst"
            ),
            "pages": "asp aspx cgi htm html jsp jspx md mdx mht mhtml php php3 shtml xht xhtml",
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
"""File extensions, without the dot, by the kind of file that has them, on the web and elsewhere."""

_PACKED: Final = frozenset({MediaType.HTML, MediaType.XHTML, MediaType.SVG})
"""Types that are documents when gzipped, too."""
_SCRIPTS: Final = frozenset({"asp", "aspx", "cgi", "jsp", "jspx", "php", "php3"})
_BY_ENDING: Final[dict[str, MediaType | NoType]] = {
    **dict.fromkeys(frozenset().union(*GROUPS.values()) - _SCRIPTS - {"orig"}, OTHER),
    **{ending.removeprefix("."): media_type for ending, media_type in MediaType.BY_EXTENSION.items()},
    "svgz": MediaType.SVG,
}
_TAIL = re.compile(r"[?@,]").search
_QUERY = re.compile(r"\?|@[^?]*=").search
_COUNTED = re.compile(r"(?:\.(?:[0-9]{1,4}|orig))+\Z", re.IGNORECASE)
_LAST_OF_COUNTED: Final = frozenset("0123456789gG")

# §7.1, step 1: the patterns of HTML, with their tag-terminating byte (rule 4)
_HTML = re.compile(
    rb"\s*+<(?:(?:!doctype\s++html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?:[\s>]|\Z)|!--)",
    re.IGNORECASE,
).match
_XML = re.compile(rb"<\?xml\s").match
# a byte order mark, white space, "<" or the end; NUL is skipped so that the "<" of UTF-16 is seen
_LOOKS_LIKE_HTML = re.compile(rb"(?:\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?[\s\0]*+(?:<|\Z)").match
_UTF_16: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

ZIP_FILE: Final = "a zip file"
LZ4_FILE: Final = "compressed with LZ4"

_CERTAIN: Final = (
    (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"\x00\x00[\x01\x02]\x00", "a Windows icon"),
    (rb"%PDF-", "a PDF file"),
    (rb"%!PS-Adobe-", "a PostScript file"),
    (rb"PK\x03\x04", ZIP_FILE),
    (rb"Rar!\x1a\x07\x00", "a RAR archive"),
    (rb"\x04\x22\x4d\x18", LZ4_FILE),
    (rb"OggS\x00", "an Ogg file"),
    (rb"\x1a\x45\xdf\xa3", "a WebM or Matroska file"),
    (rb"MThd\x00\x00\x00\x06", "a MIDI file"),
    (rb"\x00\x01\x00\x00", "a TrueType font"),
    (rb".{8}[\x00-\x02]\x00[\x01\x02]\x00.{22}LP", "an Embedded OpenType font"),
)
_WITH_BINARY: Final = (
    (rb"RIFF....WEBPVP", "a WebP image"),
    (rb"BM", "a BMP image"),
    (rb"RIFF....WAVE", "a WAVE file"),
    (rb"RIFF....AVI ", "an AVI film"),
    (rb"FORM....AIFF", "an AIFF file"),
    (rb"\.snd", "an AU file"),
    (rb"ID3|\xff[\xfb\xf3\xf2]", "an MP3 file"),
    (rb"....ftyp", "an MP4, AVIF or HEIC file"),
    (rb"OTTO", "an OpenType font"),
    (rb"ttcf", "a collection of TrueType fonts"),
    (rb"wOF[F2]", "a WOFF font"),
)
_NAMES: Final = tuple(name for _, name in (*_CERTAIN, *_WITH_BINARY))
# §3, "binary data byte"; §5.2: the number of bytes of a resource that count
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]").search
_HEADER: Final = 1445


def type_by_name(name: str) -> MediaType | NoType:
    """The result for the name of a file, without its folders (rules 1, 2, 7): a media type, `OTHER` or `ASK`."""
    whole = _type_by_extension(name)
    short = stem(name)
    if short == name:  # the usual case
        return whole
    before = _type_by_extension(short)
    is_title = whole == MediaType.HTML or (whole in _SOURCES and "=" not in name)  # Why not?.md
    if before is ASK and not is_title and _QUERY(name, 1) is not None:
        is_backup = _COUNTED.sub("", name).lower().endswith(("~", ".bak"))
        return OTHER if is_backup else ASK
    if before is ASK or before == whole:
        return whole
    return OTHER if before is OTHER and whole is ASK else ASK


def stem(name: str) -> str:
    """The name without the parts that mirrors append (rule 2)."""
    if "?" in name or "@" in name or "," in name:
        tail = _TAIL(name, 1)
        name = name if tail is None else name[: tail.start()]
    if name[-1:] not in _LAST_OF_COUNTED:
        return name
    return _COUNTED.sub("", name) or name


def _type_by_extension(name: str) -> MediaType | NoType:
    """The result for the last extension of a name."""
    before, _, ending = name.rpartition(".")
    if before == "" or ending[-1:] == "~":
        return OTHER if ending[-1:] == "~" else ASK
    ending = ending.lower()
    if ending == "gz":
        inner = MediaType.by_extension(before)
        return inner if inner in _PACKED else OTHER
    return MediaType.MANIFEST if name == MediaType.MANIFEST_NAME else _BY_ENDING.get(ending, ASK)


def type_of_file(name: str, head: bytes) -> MediaType | None:
    """The media type of a file, by its name (without its folders) and its first `LOOKED_AT` bytes; None: it is binary.

    Data whose name says that they are gzipped must be unpacked already.

    `text/plain` means without markup: a document if the user names it, but not in a folder (`MediaType.is_found`);
    so are Markdown and notebooks.
    """
    named = type_by_name(name)
    if isinstance(named, MediaType):
        return named if magic(head) is None else None
    return _type_by_content(name, head)


def _type_by_content(name: str, head: bytes) -> MediaType | None:
    """The media type of a file whose name names none, or two (rules 2, 3, 5)."""
    found = type_of_content(_unpacked(head) if head.startswith(GZIP) else head)
    before = _type_by_extension(stem(name))
    named = before if before is not ASK else _type_by_extension(name)
    if found == MediaType.TEXT:
        return named if isinstance(named, MediaType) else found
    if found == MediaType.XML and isinstance(named, MediaType) and named.reader == "xml":
        return named
    return MediaType.XHTML if found == MediaType.HTML and named == MediaType.XHTML else found


def type_of_content(head: bytes) -> MediaType | None:
    """The media type of content by its beginning (rules 3, 4, 6): HTML, XML, plain text; None: binary."""
    wide = _UTF_16.get(head[:2])
    if wide is not None:
        head = head[2:].decode(wide, "replace").encode("utf-8", "replace")
    head = head.removeprefix(b"\xef\xbb\xbf")
    if magic(head) is not None:
        return None
    if looks_like_xml(head):
        return MediaType.XML
    if _HTML(head) is not None or _XML(head) is not None:
        return MediaType.HTML
    return None if is_binary(head) else MediaType.TEXT


def _unpacked(head: bytes) -> bytes:
    """The beginning of gzipped data, unpacked; a NUL if they are damaged."""
    try:
        return zlib.decompressobj(31).decompress(head, LOOKED_AT)
    except zlib.error:
        return b"\0"


def looks_like_html(data: bytes) -> bool:
    """Whether content begins with `<`, white space and a byte order mark aside, or is empty."""
    return _LOOKS_LIKE_HTML(data) is not None


def is_binary(head: bytes) -> bool:
    """Whether a binary data byte is among the first bytes that count."""
    return _BINARY(head, 0, _HEADER) is not None


def magic(data: bytes) -> str | None:
    """The type of data with these first bytes, in words (`a PNG image`); None if no pattern matches."""
    if data[:1] in (b"<", b"\n"):  # nearly every document
        return None
    found = _patterns().match(data)
    if found is None:
        return None
    assert found.lastindex is not None
    number = found.lastindex - 1
    return _NAMES[number] if number < len(_CERTAIN) or is_binary(data) else None


@cache
def _patterns() -> re.Pattern[bytes]:
    """The patterns of rules 8 and 9, each in a group."""
    return re.compile(b"|".join(b"(" + pattern + b")" for pattern, _ in (*_CERTAIN, *_WITH_BINARY)), re.DOTALL)

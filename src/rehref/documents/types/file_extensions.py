"""File extensions, by the kind of file that has them.

The groups are kinds of files in use on the web and elsewhere; extensions are written without the dot here.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

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

"""Small sites as generators make them, each with what it says of where it is, and where that is.

A folder is made of pages and other files; what is said is written into them as the generator would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rehref.site.findings import UNKNOWN_HOST

Files = Mapping[str, str]
NAMES = ("index.html", "guide/index.html", "guide/start.html", "about.html", "blog/one.html", "blog/two.html")


class Made(NamedTuple):
    """A site: its files, where it is, what says so."""

    files: Files
    url: str
    basis: str
    sources: tuple[str, ...] = ()


def url_of(path: str, *, clean: bool = False) -> str:
    """The path of a page below its site as generators write it."""
    path = path.removesuffix("index.html")
    return path.removesuffix(".html") if clean else path


def pages(names: tuple[str, ...] = NAMES, head: str = "", body: str = "", *, clean: bool = False) -> dict[str, str]:
    """Pages with that head and body, in which `{url}` stands for the path of the page below the site."""
    return {
        name: f"<!DOCTYPE html><html><head>{head.replace('{url}', url_of(name, clean=clean))}</head><body>{body}"
        for name in names
    }


def sitemap(base: str, names: tuple[str, ...] = NAMES, *, clean: bool = False) -> str:
    """A sitemap of these pages."""
    listed = "".join(f"<url><loc>{base}{url_of(name, clean=clean)}</loc></url>" for name in names)
    return f'<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'


def atom(base: str, names: tuple[str, ...] = NAMES[3:], own: str = "feed.xml") -> str:
    """An Atom feed of these pages, as Jekyll makes it."""
    entries = "".join(
        f'<entry><link href="{base}{url_of(name)}" rel="alternate"/><id>{base}{url_of(name, clean=True)}</id>'
        "<content type='html'>&lt;a href='https://elsewhere.example/a.html'&gt;</content></entry>"
        for name in names
    )
    return (
        f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><link href="{base}{own}" rel="self"/>'
        f'<link href="{base}" rel="alternate"/><id>{base}{own}</id>{entries}</feed>'
    )


def rss(base: str, names: tuple[str, ...] = NAMES[3:]) -> str:
    """An RSS feed of these pages."""
    items = "".join(
        f"<item><link>{base}{url_of(name)}</link><guid>{base}{url_of(name)}</guid></item>" for name in names
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><link>{base}</link>{items}</channel></rss>'


def canonical(base: str) -> str:
    """The canonical link of each page."""
    return f'<link rel="canonical" href="{base}{{url}}">'


def og_url(base: str) -> str:
    """The `og:url` of each page."""
    return f'<meta property="og:url" content="{base}{{url}}">'


def rooted(prefix: str) -> str:
    """Links of each page with paths from the root."""
    return "".join(f'<a href="{prefix}{url_of(name)}">x</a>' for name in NAMES) + f'<img src="{prefix}img/a.png">'


DOCS = "https://example.org/docs/"
BLOG = "https://blog.example/"
RELATIVE = '<a href="?x">x</a><a href="https://elsewhere.example/about.html">y</a>'

IMAGES = "".join(
    '<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">'
    f"<i:loc>https://cdn.example/{number}.png</i:loc></i:image>"
    for number in range(9)
)

APP = {"styles-5INURTSO.css": "a{}", "main-RRXWJ7ZP.js": "1"}
LOADS = '<link rel="stylesheet" href="styles-5INURTSO.css"><script src="main-RRXWJ7ZP.js"></script>'

SITES: Mapping[str, Made] = {
    "docusaurus": Made(
        {
            **pages(head=canonical(DOCS) + og_url(DOCS), body=rooted("/docs/"), clean=True),
            "sitemap.xml": sitemap(DOCS, clean=True),
            "img/a.png": "",
            ".nojekyll": "",
        },
        DOCS,
        "stated",
        ("canonical links", "og:url", "sitemap"),
    ),
    "docusaurus without its URL": Made(
        {**pages(body=rooted("/docs/")), "img/a.png": ""}, f"{UNKNOWN_HOST}/docs/", "links", ("paths from the root",)
    ),
    "hugo": Made(
        {
            **pages(head=canonical(BLOG), body='<link rel="stylesheet" href="https://blog.example/style.css">'),
            "old/index.html": '<link rel="canonical" href="https://blog.example/about.html">'
            '<meta http-equiv="refresh" content="0; url=https://blog.example/about.html">',
            "style.css": "",
            "index.xml": rss(BLOG),
        },
        BLOG,
        "stated",
        ("canonical links", "feed"),
    ),
    "jekyll": Made({**pages(body=RELATIVE), "feed.xml": atom(BLOG)}, BLOG, "stated", ("feed",)),
    "jekyll with a base URL": Made(
        {**pages(body=rooted("/project/")), "feed.xml": atom("https://me.example/project/"), "img/a.png": ""},
        "https://me.example/project/",
        "stated",
        ("feed",),
    ),
    "mkdocs": Made(
        {
            **pages(head=canonical(DOCS), body=RELATIVE),
            "sitemap.xml": sitemap(DOCS),
            "404.html": '<a href="/docs/">home</a><link rel="stylesheet" href="/docs/style.css">',
            "style.css": "",
        },
        DOCS,
        "stated",
        ("canonical links", "sitemap"),
    ),
    "pelican": Made({**pages(), "feeds/all.atom.xml": atom(BLOG, own="feeds/all.atom.xml")}, BLOG, "stated", ("feed",)),
    "vitepress": Made(
        {**pages(body=rooted("/docs/"), clean=True), "sitemap.xml": sitemap(DOCS), "img/a.png": ""},
        DOCS,
        "stated",
        ("sitemap",),
    ),
    "astro": Made(
        {
            **pages(head=canonical(DOCS).replace("{url}", "{url}"), body=rooted("/docs/")),
            "img/a.png": "",
            "sitemap-index.xml": '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>'
            "<loc>https://example.org/docs/sitemap-0.xml</loc></sitemap></sitemapindex>",
            "sitemap-0.xml": sitemap(DOCS),
        },
        DOCS,
        "stated",
        ("canonical links", "sitemap"),
    ),
    "angular": Made(
        {
            **pages(
                head='<base href="/app/">', body='<a href="about.html"><a href="blog/one.html"><a href="blog/two.html">'
            )
        },
        f"{UNKNOWN_HOST}/app/",
        "links",
        ("paths from the root",),
    ),
    "angular, one page": Made(
        {**APP, "index.html": pages(("index.html",), head='<base href="/app/">', body=LOADS)["index.html"]},
        f"{UNKNOWN_HOST}/app/",
        "links",
        ("paths from the root",),
    ),
    "angular at the root": Made(
        {**APP, "index.html": pages(("index.html",), head='<base href="/">', body=LOADS)["index.html"]},
        f"{UNKNOWN_HOST}/",
        "root",
    ),
    "a host of one's own": Made(
        {**pages(body=rooted("/")), "CNAME": "Docs.Example.org\n", "img/a.png": ""},
        "https://docs.example.org/",
        "stated",
        ("CNAME",),
    ),
    "two languages": Made(
        {
            **pages(
                tuple(f"{language}/{name}" for language in ("en", "fr") for name in NAMES),
                head=canonical(BLOG) + '<link rel="alternate" hreflang="fr" href="https://blog.example/fr/about.html">',
            ),
            "index.html": '<link rel="canonical" href="https://blog.example/en/">',
        },
        BLOG,
        "stated",
        ("canonical links",),
    ),
    "one sitemap of http and https": Made(
        {
            **pages(),
            "sitemap.xml": sitemap("http://example.org/docs/", NAMES[:2]).replace("</urlset>", "")
            + sitemap(DOCS, NAMES[2:]).partition('0.9">')[2],
        },
        DOCS,
        "stated",
        ("sitemap",),
    ),
    "robots and one page": Made(
        {
            "index.html": '<link rel="canonical" href="https://blog.example/">',
            "about.html": '<link rel="canonical" href="https://blog.example/about.html">',
            "robots.txt": "User-agent: *\nSitemap: https://blog.example/map.txt\n",
            "map.txt": "https://blog.example/about.html\n",
        },
        BLOG,
        "stated",
        ("canonical links",),
    ),
    "clean URLs": Made(
        {
            **pages(head=canonical(BLOG), body='<a href="/about"><a href="/guide/start">', clean=True),
            "feed.xml": rss(BLOG, ()),
        },
        BLOG,
        "stated",
        ("canonical links",),
    ),
    "a sitemap with images of another host": Made(
        {**pages(), "sitemap.xml": sitemap(DOCS).replace("</url>", IMAGES + "</url>", 1)},
        DOCS,
        "stated",
        ("sitemap",),
    ),
    "plain": Made(pages(body=RELATIVE), f"{UNKNOWN_HOST}/", "root"),
    "plain, from the root": Made({**pages(body=rooted("/")), "img/a.png": ""}, f"{UNKNOWN_HOST}/", "root"),
}
"""By the name of what makes such a site."""

OTHER = "https://other.example/"
VERSION = "https://example.org/latest/"

SILENT: Mapping[str, Files] = {
    "all pages canonical to the home page": pages(head='<link rel="canonical" href="https://example.org/">'),
    "all pages with the home page's og:url": pages(head='<meta property="og:url" content="https://example.org/">'),
    "all pages canonical to one page": pages(head='<link rel="canonical" href="https://example.org/about.html">'),
    "canonical pages on another site, sitemap on one's own": {
        **pages(head=canonical(OTHER)),
        "sitemap.xml": sitemap(BLOG),
    },
    "half on one site, half on another": {
        **pages(NAMES[:3], head=canonical(OTHER)),
        **pages(NAMES[3:], head=canonical(BLOG)),
    },
    "with www and without": {
        **pages(head=canonical("https://www.example.org/")),
        "sitemap.xml": sitemap("https://example.org/"),
    },
    "articles first published elsewhere": pages(head='<link rel="canonical" href="https://other.example/p/1234">'),
    "one page only": {"about.html": '<link rel="canonical" href="https://example.org/about.html">'},
    "the home page only": {"index.html": '<link rel="canonical" href="https://example.org/docs/">'},
    "paths that fit no file": pages(head=canonical("https://example.org/wiki?title=")),
    "a folder of a larger site": {
        "about.html": "x",
        "contact.html": "y",
        "sitemap.xml": sitemap(BLOG, (*NAMES, *(f"shop/{number}.html" for number in range(9)))),
    },
    "relative canonical links": pages(head='<link rel="canonical" href="/docs/{url}">'),
    "canonical links that contradict each other": pages(head=canonical(BLOG) + canonical(OTHER)),
    "a mirror of which half is there": pages(
        head=canonical(OTHER),
        body="".join(f'<a href="{OTHER}missing/{number}.html">x</a>' for number in range(9)),
    ),
    "two prefixes": pages(body=rooted("/en/") + rooted("/fr/")),
    "two paths from the root": pages(body='<a href="/docs/about.html"><a href="/docs/guide/">'),
    "a base, and one file below it": {
        **pages(("index.html",), head='<base href="/app/">', body='<img src="a.png"><img src="b.png">'),
        "a.png": "",
    },
    "a base, and files both below it and where it leads from the root": {
        **APP,
        **{f"app/{name}": text for name, text in APP.items()},
        **pages(("index.html",), head='<base href="/app/">', body=LOADS),
    },
    "a base, and a path that fits the root": {
        **APP,
        **pages(("index.html", "about.html"), head='<base href="/app/">', body=LOADS + '<a href="/about.html">'),
    },
    "two bases": {
        **APP,
        **pages(("index.html",), head='<base href="/en/">', body=LOADS),
        **pages(("fr.html",), head='<base href="/fr/">', body=LOADS),
    },
    "a feed of links to elsewhere": {**pages(), "feed.xml": rss(OTHER, ("a.html", "b.html", "about.html"))},
    "built for one's own computer": {
        **pages(head=canonical("http://localhost:1313/")),
        "sitemap.xml": sitemap("http://127.0.0.1:8000/"),
        "feed.xml": rss("http://[::1]/"),
    },
    "no URLs": pages(head='<link rel="canonical" href="about:blank"><meta property="og:url" content="http://">'),
}
"""What nothing is to be concluded from."""

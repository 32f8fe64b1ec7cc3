"""Sources of a site for Hugo and for Eleventy, with twenty mistakes, and where each of them stands.

1. `⟦kind|reference⟧` in a text is a mistake: the reference is written, and its place noted. So the truth does not come
   from rehref.
2. Both have pages in nested folders, front matter, definitions, HTML in Markdown, shortcodes, layouts, data files, and
   lists that repeat the beginnings of pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

URL: Final = "https://harbour.example/"
_MISTAKE = re.compile(r"⟦([^|⟧]+)\|([^⟧]+)⟧")


class Mistake(NamedTuple):
    """A mistake: its kind, the source and the line in which it stands, the reference."""

    kind: str
    path: str
    line: int
    reference: str


def write(folder: Path, texts: Mapping[str, str | bytes]) -> list[Mistake]:
    """Write sources, and return their mistakes (rule 1)."""
    mistakes = []
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            file.write_bytes(text)
            continue
        for number, line in enumerate(text.split("\n"), 1):
            mistakes += [Mistake(found[1], path, number, found[2]) for found in _MISTAKE.finditer(line)]
        file.write_bytes(_MISTAKE.sub(lambda found: found[2], text).encode())
    return mistakes


_PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d49484452")
_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>\n'
_TOPICS = ("tides", "moorings", "knots", "wind", "buoys", "lights", "charts", "radio")
_POSTS = ("harbour-opening", "new-pier", "storm", "regatta", "dredging", "fish-market", "lamp-repair", "winter")
_WORDS = {
    "tides": "See the [table of the moorings](⟦relative|../mooringss/⟧) before you leave, and [the wind](../wind/).",
    "moorings": "Read about [knots](/guide/knots/) and [the lights](⟦rooted|/guide/lihgts/⟧).\n\n"
    "![A buoy in the sun](/img/buoy.png)\n\n![The lamp at night](⟦rooted image|/img/lampp.png⟧)",
    "knots": "A [bowline][bow] holds; so does a [clove hitch][bow].\n\nMore: [tides][t].\n\n"
    "[t]: /guide/tides/\n[bow]: ⟦definition|/guide/bowlines/⟧ 'Knots'",
    "wind": "## Force\n\nAbove [force eight](⟦fragment here|#forcee⟧) nobody sails; see [force](#force).\n\n"
    '<p>In HTML: <a class="x" href="⟦HTML link|/guide/gale-warning/⟧">the <b>gale</b> warning</a>.</p>',
    "buoys": 'Old charts: <img src="⟦HTML image|/img/chart-1890.png⟧" alt="A chart of 1890" width=3> and text.\n\n'
    "| buoy | where |\n|---|---|\n| red | [port side](⟦in a table|/guide/portside/⟧) |\n| green | [radio](/guide/radio/) |",
    "lights": "The force of the wind is [explained there](⟦fragment there|/guide/wind/#gail⟧), and [here](/guide/wind/#force).",
    "charts": "- one\n- two, with [a list of symbols](⟦in a list|/guide/symbols.html⟧)\n  > quoted, [again](/guide/tides/)",
    "radio": "Write to <https://harbour.example/guide/tides/>, or look at <⟦autolink|https://harbour.example/guide/chanels/⟧>.",
}


def _posts(folder: str, front: str) -> Iterator[tuple[str, str]]:
    for number, name in enumerate(_POSTS):
        text = f"The {name} of the year.\n\nIt was seen from [the guide](/guide/{_TOPICS[number]}/)."
        if name == "storm":
            text = "It broke [the old pier](⟦in what lists repeat|/posts/old-peir/⟧), and the [new pier](/posts/new-pier/).\n"
        yield f"{folder}/{name}.md", f"---\ntitle: {name}\ndate: 2026-0{number + 1}-03\n{front}---\n\n{text}\n"


_CSS = "body { color: navy }\n.wave { background: url(../img/wave.svg) }\n.lamp { background: url(⟦style sheet|../img/lamp-big.svg⟧) }\n"
_LEGACY = '<!doctype html>\n<title>Old</title>\n<p><a href="/guide/">Guide</a>\n<a href="⟦copied page|/guide/old-index.html⟧">Old index</a>\n'
_LINKS = "- name: Guide\n  url: /guide/\n- name: Tide office\n  url: ⟦data file|/office/tide-office/⟧\n"


def hugo() -> dict[str, str | bytes]:
    """The sources for Hugo."""
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{{ .Title }}</title>\n'
        '<link rel="canonical" href="{{ .Permalink }}">\n<link rel="stylesheet" href="/css/site.css">\n'
        '<link rel="stylesheet" href="⟦head of a layout|/css/prnt.css⟧" media="print">\n</head>\n'
    )
    base = (
        '{{ partial "head.html" . }}<body>\n<nav>{{ range site.Menus.main }}<a href="{{ .URL }}">{{ .Name }}</a> {{ end }}</nav>\n'
        '{{ block "main" . }}{{ end }}\n{{ partial "footer.html" . }}\n</body>\n</html>\n'
    )
    texts: dict[str, str | bytes] = {
        "hugo.toml": f'baseURL = "{URL}"\ntitle = "Harbour"\nlanguageCode = "en"\n[markup.goldmark.renderer]\nunsafe = true\n'
        '[[menu.main]]\nname = "Guide"\nurl = "/guide/"\n[[menu.main]]\nname = "Webcam"\nurl = "⟦menu in the configuration|/webcam/⟧"\n',
        "layouts/partials/head.html": head,
        "layouts/_default/baseof.html": base,
        "layouts/_default/single.html": '{{ define "main" }}<h1>{{ .Title }}</h1>\n'
        '{{ with .Params.hero }}<img src="{{ . }}" alt="">{{ end }}\n{{ .Content }}{{ end }}\n',
        "layouts/_default/list.html": '{{ define "main" }}<h1>{{ .Title }}</h1>\n{{ .Content }}\n{{ range .Pages }}'
        '<h2><a href="{{ .RelPermalink }}">{{ .Title }}</a></h2>\n{{ .Content }}\n{{ end }}{{ end }}\n',
        "layouts/index.html": '{{ define "main" }}{{ .Content }}\n<ul>{{ range site.Data.links }}<li><a href="{{ .url }}">'
        "{{ .name }}</a>{{ end }}</ul>{{ end }}\n",
        "layouts/404.html": '{{ define "main" }}<p>Not found. <a href="⟦error page|/site-map/⟧">Map of the site</a>{{ end }}\n',
        "layouts/partials/footer.html": '<footer><a href="/about-us/">About</a>\n<a href="⟦partial|/imprnt/⟧">Imprint</a></footer>\n',
        "layouts/shortcodes/button.html": '<a class="button" href="{{ .Get "href" }}">{{ .Inner }}</a>',
        "layouts/shortcodes/harbour.html": '<aside>See <a href="⟦output of a shortcode|/posts/harbour-openning/⟧">the opening</a></aside>',
        "content/_index.md": "---\ntitle: Harbour\n---\n\nWelcome to [the guide](/guide/).\n",
        "content/about.md": "---\ntitle: About\nurl: /about-us/\n---\n\nWe are [the harbour office](⟦page with a URL of its own|/office/⟧).\n",
        "content/guide/_index.md": "---\ntitle: Guide\n---\n\nBegin with [the first steps](⟦page of a section|first-steps/⟧), or [tides](tides/).\n",
        "content/posts/_index.md": "---\ntitle: Posts\n---\n\nAll of them.\n",
        "content/posts/walk/index.md": "---\ntitle: Walk\ndate: 2026-09-01\nhero: ⟦front matter|/img/heroo.png⟧\n---\n\nA walk.\n\n"
        "![The map of the walk](map.png) ![The pier from above](⟦image of a bundle|peir.png⟧)\n",
        "content/posts/walk/map.png": _PIXEL,
        "content/posts/walk/pier.png": _PIXEL,
        "content/posts/slow.md": "+++\ntitle = 'Slow'\nslug = 'slow-travel'\ndate = 2026-10-01\n+++\n\nGo by boat.\n\n"
        '{{< button href="⟦argument of a shortcode|/guide/knotts/⟧" >}}Learn your knots{{< /button >}}\n\n{{< harbour >}}\n',
        "static/css/site.css": _CSS,
        "static/legacy.html": _LEGACY,
        "data/links.yaml": _LINKS,
        "static/img/wave.svg": _SVG,
        **{f"static/img/{name}": _PIXEL for name in ("buoy.png", "lamp.png", "hero.png")},
        **dict(_posts("content/posts", "")),
    }
    for name in _TOPICS:
        texts[f"content/guide/{name}.md"] = f"---\ntitle: {name}\n---\n\nAll about {name}.\n\n{_WORDS[name]}\n"
    return texts


def eleventy() -> dict[str, str | bytes]:
    """The sources for Eleventy."""
    base = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{{ title }}</title>\n'
        f'<link rel="canonical" href="{URL}{{{{ page.url | slice: 1, 200 }}}}">\n<link rel="stylesheet" href="/css/site.css">\n'
        '<link rel="stylesheet" href="⟦head of a layout|/css/prnt.css⟧" media="print">\n</head>\n<body>\n'
        '<nav>{% for one in nav %}<a href="{{ one.url }}">{{ one.name }}</a> {% endfor %}</nav>\n'
        '{% if hero %}<img src="{{ hero }}" alt="">{% endif %}\n{{ content }}\n{% include "footer.liquid" %}\n</body>\n</html>\n'
    )
    front = "layout: base.liquid\n"
    texts: dict[str, str | bytes] = {
        "eleventy.config.js": "module.exports = function (config) {\n"
        '  config.addPassthroughCopy({ "static": "/" });\n'
        "  config.addPairedShortcode(\"button\", (inner, href) => `<a class=\"button\" href=\"${href}\">${inner}</a>`);\n"
        '  config.addShortcode("harbour", () => `<aside>See <a href="⟦output of a shortcode|/posts/harbour-openning/⟧">the opening</a></aside>`);\n'
        '  return { dir: { input: "src", output: "_site" } };\n};\n',
        "src/_includes/base.liquid": base,
        "src/_includes/footer.liquid": '<footer><a href="/about-us/">About</a>\n<a href="⟦partial|/imprnt/⟧">Imprint</a></footer>\n',
        "src/_data/nav.json": '[\n  {"name": "Guide", "url": "/guide/"},\n  {"name": "Webcam", "url": "⟦menu in a data file|/webcam/⟧"}\n]\n',
        "src/_data/links.json": '[\n  {"name": "Guide", "url": "/guide/"},\n  {\n    "name": "Tide office",\n'
        '    "url": "⟦data file|/office/tide-office/⟧"\n  }\n]\n',
        "src/index.md": f"---\ntitle: Harbour\n{front}---\n\nWelcome to [the guide](/guide/).\n\n"
        '{% for one in links %}<a href="{{ one.url }}">{{ one.name }}</a>\n{% endfor %}\n',
        "src/404.liquid": f'---\ntitle: Not found\n{front}permalink: /404.html\n---\n<p>Not found. <a href="⟦error page|/site-map/⟧">Map</a>\n',
        "src/about.md": f"---\ntitle: About\n{front}permalink: /about-us/\n---\n\nWe are [the harbour office](⟦page with a URL of its own|/office/⟧).\n",
        "src/guide/index.md": f"---\ntitle: Guide\n{front}---\n\nBegin with [the first steps](⟦page of a section|first-steps/⟧), or [tides](tides/).\n",
        "src/posts/posts.json": '{ "layout": "base.liquid", "tags": "posts" }\n',
        "src/posts/index.liquid": f"---\ntitle: Posts\n{front}eleventyExcludeFromCollections: true\n---\n{{% for one in collections.posts %}}"
        '<h2><a href="{{ one.url }}">{{ one.data.title }}</a></h2>\n{{ one.templateContent }}\n{% endfor %}\n',
        "src/posts/walk.md": "---\ntitle: Walk\ndate: 2026-09-01\nhero: ⟦front matter|/img/heroo.png⟧\n---\n\nA walk, with [a view](../../guide/lights/).\n\n"
        "![The map of the walk](/img/buoy.png) ![The pier from above](⟦relative image|../../img/peir.png⟧)\n",
        "src/posts/2026-10-01-slow.md": "---\ntitle: Slow\ndate: 2026-10-01\n---\n\nGo by boat.\n\n"
        '{% button "⟦argument of a shortcode|/guide/knotts/⟧" %}Learn your knots{% endbutton %}\n\n{% harbour %}\n',
        "static/css/site.css": _CSS,
        "static/legacy.html": _LEGACY,
        "static/img/wave.svg": _SVG,
        **{f"static/img/{name}": _PIXEL for name in ("buoy.png", "lamp.png", "hero.png", "pier.png")},
        **dict(_posts("src/posts", "")),
    }
    for name in _TOPICS:
        text = _WORDS[name].replace("## Force", '## Force <a id="force"></a>')
        texts[f"src/guide/{name}.md"] = f"---\ntitle: {name}\n{front}---\n\nAll about {name}.\n\n{text}\n"
    return texts

"""Generates pages like those of modern sites: the same bytes for the same seed.

    python benchmarks/modern.py OUT [--pages N] [--seed N]        writes OUT/001.html and so on

- They contain what makes such pages large: scripts with markup in their strings, state as JSON, styles with `url()`,
  `srcset` with many widths, `data:` URLs, SVG sprites, long `class` lists, JSON in `data-*`. The mixture differs from
  page to page.
- Sizes are between 20 and 400 KB, most of them in the lower half. Every fifth page is minified: without optional
  quotes, end tags and line ends.
- No page has a `base`, because the measured libraries treat it in different ways. All are UTF-8, and so valid that
  a parser has nothing to repair.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

PAGES = 60
SEED = 1808
SMALLEST, LARGEST = 20_000, 400_000
"""Bytes of a page, approximately."""

_TEXT = """
about after again all alone always and answer anyone around autumn away back before below between both bread bridge
bring but by carry centre change city clear close coast colour corner country day deep door down each early east edge
evening every fair far few field find first five for forest from full garden give glass good grand green hand harbour
high hill home hour house in into island keep kind lake land large last late leave less letter light line little long
look made many market may mild month more morning mountain much near new next night north of old on once one open or
other out over paper part people place plain quiet rain reach river road room round same sea season second see short
side silver sky small snow some south spring station stone street summer sun the then there they third this through
time to town travel tree under until up valley very view walk wall warm water way west what when where white wide wind
window winter with without wood work year naïve façade Zürich Ærø Łódź São Malmö 東京 北京 Αθήνα Київ café – … “so” it’s
"""
_CLASSES = """
flex grid block hidden relative absolute inline-flex items-center justify-between gap-4 gap-x-6 p-4 px-6 py-3 mx-auto
mt-8 mb-2 w-full max-w-7xl min-h-screen text-sm text-lg font-semibold leading-6 tracking-tight text-gray-900
dark:text-white bg-white dark:bg-slate-800 hover:bg-gray-50 focus-visible:outline-2 focus-visible:outline-offset-2
rounded-lg rounded-2xl shadow-sm shadow-black/5 ring-1 ring-inset ring-gray-900/10 transition-colors duration-200
sm:px-6 md:grid-cols-2 lg:grid-cols-3 xl:w-1/3 lg:before:content-[''] [&>svg]:h-5 aspect-[16/9] group-hover:opacity-75
"""
_WORDS = _TEXT.split()
_PLAIN_WORDS = [word for word in _WORDS if word.isascii()]
_UTILITIES = _CLASSES.split()
_STATEMENTS = (
    "function {a}({b},{c}){{return {b}&&{b}.{a}?{b}.{a}({c}):void 0}}",
    'var {a}={b}.createElement("div");{a}.innerHTML="<a href=\\"/{w}/"+{c}+"\\" class=\\"x\\">"+{b}.{w}+"</a></div>";',
    '{a}.push({{id:{n},{b}:\'<img src="/img/{w}.png" alt="">\',{c}:!0}}),',
    "if({a}<{n}&&{b}>{c}.length){{for(let i=0;i<{b};i++){c}[i]^={a}<<3}}else throw Error(`{w} ${{{a}}}`);",
    "const {a}=({b},{c})=>{b}.replace(/<\\/?([a-z]+)[^>]*>/gi,(m,t)=>{c}[t]||m).split('</p>');",
    '{a}.prototype.{b}=async function(){{const r=await fetch("/api/v2/{w}?n={n}&q="+{c});return r.json()}};',
    "try{{{a}.{b}()}}catch(e){{console.warn('<!-- {w} -->',e)}}",
    'switch({a}){{case {n}:{b}+="</li><li>";break;default:{c}=null}}',
)
_SIZED_IMAGES = (
    "/wp-content/uploads/2024/05/{slug}-{width}.jpg",
    "https://cdn.example.net/{slug}/{width}x0.webp",
    "https://images.example.net/{slug}.jpg?w={width}&amp;fit=crop&amp;auto=format,compress&amp;q=75",
    "/_next/image?url=%2Fmedia%2F{slug}.jpg&amp;w={width}&amp;q=75",
)
_TAG_ATTRIBUTE = re.compile(r'(?<=[a-z])="([^"\'=<>`\s]+)"(?=[ >])')


class _Page:
    """Makes the parts of one page; all random choices come from `rng`."""

    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng = rng
        self.number = number
        # choices that are the same in the whole site
        self.sized_image = rng.choice(_SIZED_IMAGES)
        self.widths = sorted(rng.sample((160, 320, 480, 640, 828, 1080, 1200, 1920, 2048, 3840), rng.randint(4, 8)))
        self.formats = rng.choice(((), ("webp",), ("avif", "webp")))
        self.has_sprites = rng.random() < 0.5

    def words(self, low: int, high: int) -> str:
        return " ".join(self.rng.choices(_WORDS, k=self.rng.randint(low, high)))

    def slug(self) -> str:
        return re.sub("[^a-z0-9]+", "-", self.words(2, 6).lower()).strip("-") + f"-{self.rng.randint(1, 99999)}"

    def classes(self, low: int = 4, high: int = 14) -> str:
        return f' class="{" ".join(self.rng.choices(_UTILITIES, k=self.rng.randint(low, high)))}"'

    def identifier(self) -> str:
        return "".join(self.rng.choices("abcdefghijklmnoprstuvwxyz", k=self.rng.choice((1, 1, 2, 3))))

    def link(self) -> str:
        """An escaped reference like those of `a`."""
        slug = self.slug()
        return self.rng.choice(
            (
                f"/{slug}",
                f"/news/2024/{slug}/",
                f"/en/shop/{slug}?color=blue&amp;size=m&amp;ref=grid",
                f"{slug}.html",
                f"../{slug}/",
                f"../../topics/{slug}#comments",
                f"./?page={self.rng.randint(2, 40)}&amp;sort=new",
                f"#{slug}",
                f"https://www.example.com/{slug}",
                f"https://social.example.net/share?url=https%3A%2F%2Fwww.example.com%2F{slug}",
                f"//partner.example.org/{slug}/",
                f"mailto:{slug}@example.com",
                "#",
            )
        )

    def image(self, width: int = 800) -> str:
        host = self.rng.choice(("https://cdn.example.net", "/media", "/_next/image", "../assets"))
        return f"{host}/{self.slug()}.jpg?w={width}&amp;q=75"

    def srcset(self) -> str:
        """One image in all widths."""
        slug = self.slug()
        return ", ".join(f"{self.sized_image.format(slug=slug, width=width)} {width}w" for width in self.widths)

    def data_url(self, low: int = 200, high: int = 4_000) -> str:
        data = base64.b64encode(self.rng.randbytes(self.rng.randint(low, high))).decode()
        return f"data:image/{self.rng.choice(('png', 'webp', 'gif'))};base64,{data}"

    def state(self, entries: int) -> str:
        """The state that a framework writes into the page for its script."""
        return json.dumps(
            [
                {
                    "id": self.rng.randint(1, 10**8),
                    "slug": self.slug(),
                    "title": self.words(3, 9),
                    "image": {"src": f"/media/{self.slug()}.jpg", "width": 1200, "height": 800},
                    "html": f"<p>{self.words(3, 20)} <a href='/{self.slug()}'>more</a></p>",
                }
                for _ in range(entries)
            ],
            ensure_ascii=False,
        )

    def script(self) -> str:
        """A program of a few KB, or some tens."""
        body = "".join(
            self.rng.choice(_STATEMENTS).format(
                a=self.identifier(),
                b=self.identifier(),
                c=self.identifier(),
                n=self.rng.randint(0, 9999),
                w=self.rng.choice(_PLAIN_WORDS),
            )
            for _ in range(self.rng.randint(20, 300))
        )
        return f"<script>!function(){{{body}}}();</script>\n"

    def hydration(self) -> str:
        state = self.state(self.rng.randint(5, 40)).replace("<", "\\u003c")
        return f'<script id="state-{self.rng.randint(1, 999)}" type="application/json">{state}</script>\n'

    def style(self) -> str:
        rules = []
        for _ in range(self.rng.randint(20, 120)):
            name = re.sub("[^a-z0-9]+", "-", self.rng.choice(_UTILITIES))
            rules.append(f".{name}{{display:grid;margin:0 auto {self.rng.randint(1, 9)}rem}}")
            if self.rng.random() < 0.15:
                rules.append(f".bg-{name}{{background:url(/static/{self.slug()}.svg) no-repeat 50%/cover}}")
            if self.rng.random() < 0.08:
                sources = f'url("../fonts/{self.slug()}.woff2") format("woff2"),url(/{self.slug()}.woff)'
                rules.append(f"@font-face{{font-family:F;src:{sources}}}")
            if self.rng.random() < 0.02:
                rules.append(f".i{{background-image:url({self.data_url(100, 1_500)})}}")
        return f"<style>{''.join(rules)}@media (min-width:640px){{.sm{{padding:0}}}}</style>\n"

    def card(self) -> str:
        settings = json.dumps({"id": self.number, "tags": self.words(1, 4).split(), "open": False})
        source = self.data_url(30, 120) if self.rng.random() < 0.25 else self.image()
        sizes = 'sizes="(min-width: 1024px) 33vw, 100vw"'
        sources = "".join(
            f'<source type="image/{form}" srcset="{self.srcset()}" {sizes}>\n      ' for form in self.formats
        )
        return f"""<article{self.classes()} data-card='{escape(settings, quote=False)}'>
  <a href="{self.link()}"{self.classes(2, 6)} aria-label="{self.words(2, 6)}">
    <picture>
      {sources}<img src="{source}" srcset="{self.srcset()}" {sizes}
        alt="{self.words(2, 8)}" width="800" height="450" loading="lazy" decoding="async"{self.classes()}>
    </picture>
  </a>
  <h3{self.classes(2, 8)}>
    <a href="{self.link()}"><span class="absolute inset-0"></span>{self.words(3, 9)}</a>
  </h3>
  <p{self.classes(2, 8)}>{self.words(12, 40)}</p>
  <button type="button"{self.classes()} data-action="click->card#save" aria-pressed="false">
    {self.icon()}<span class="sr-only">{self.words(1, 3)}</span>
  </button>
</article>
"""

    def drawing(self) -> str:
        commands = "".join(
            f"{self.rng.choice('MLCQa')}{self.rng.randint(0, 240) / 10} {self.rng.randint(-99, 240) / 10}"
            for _ in range(self.rng.randint(10, 60))
        )
        return f'<path stroke-linecap="round" stroke-width="1.5" d="{commands}z"/>'

    def icon(self) -> str:
        content = f'<use href="#i{self.rng.randint(0, 30)}"/>' if self.has_sprites else self.drawing()
        return f'<svg class="h-5 w-5" aria-hidden="true" fill="none" viewBox="0 0 24 24">{content}</svg>'

    def sprites(self) -> str:
        if not self.has_sprites:
            return ""
        symbols = "".join(
            f'<symbol id="i{number}" viewBox="0 0 24 24" fill="url(#g)">{self.drawing()}</symbol>\n'
            for number in range(31)
        )
        return f"""<svg xmlns="http://www.w3.org/2000/svg" style="display:none">
<defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>
{symbols}</svg>
"""

    def prose(self) -> str:
        paragraphs = []
        for _ in range(self.rng.randint(3, 9)):
            link = f' <a href="{self.link()}" class="underline">{self.words(1, 4)}</a>' * (self.rng.random() < 0.6)
            paragraphs.append(f"<p>{self.words(20, 60)}{link} {self.words(10, 50)}.</p>\n")
        name = self.slug()
        heading = f'<h2><a href="#{name}">{self.words(2, 6)}</a></h2>'
        return f'<section id="{name}">{heading}\n{"".join(paragraphs)}</section>\n'

    def navigation(self, name: str) -> str:
        items = []
        for _ in range(self.rng.randint(8, 30)):
            link = f'<a href="{self.link()}"{self.classes(2, 7)}>{self.icon()}{self.words(1, 3)}</a>'
            items.append(f"<li{self.classes(1, 5)}>{link}</li>\n")
        return f'<nav aria-label="{name}"{self.classes()}><ul role="list">{"".join(items)}</ul></nav>\n'

    def form(self) -> str:
        return f"""<form action="/search?src=page&amp;v={self.number}" method="get"{self.classes()}>
  <input type="search" name="q" placeholder="{self.words(2, 4)}"{self.classes()} required>
  <input type="hidden" name="token" value="{self.rng.randbytes(32).hex()}">
  <select name="where">
    <option value="1" selected>{self.words(1, 2)}</option>
    <option>{self.words(1, 2)}</option>
  </select>
  <button type="submit" formaction="../find"{self.classes()}>{self.words(1, 2)}</button>
</form>
"""

    def media(self) -> str:
        return f"""<figure>
  <video poster="{self.image()}" preload="none" controls playsinline{self.classes()}>
    <source src="/video/{self.slug()}.webm" type="video/webm">
    <source src="../video/{self.slug()}.mp4" type="video/mp4">
    <track kind="captions" src="/captions/{self.slug()}.vtt">
  </video>
  <iframe src="https://player.example.net/embed/{self.slug()}?rel=0" title="{self.words(2, 5)}" loading="lazy"
    allow="autoplay; encrypted-media" style="border:0;background:url({self.image(40)})"></iframe>
</figure>
<noscript><img src="https://metrics.example.net/px.gif?id={self.number}" alt=""></noscript>
<!-- {self.words(3, 12)}: <a href="/{self.slug()}"> -->
<img src="{self.data_url()}" alt="{self.words(1, 5)}">
"""

    def head(self) -> str:
        slug, title = self.slug(), self.words(3, 9)
        languages = ("en", "de", "fr", "es", "pt-BR", "ja", "zh-Hans", "pl", "x-default")
        links = "".join(f'<link rel="alternate" hreflang="{code}" href="/{code}/{slug}/">\n' for code in languages)
        preloads = "".join(f'<link rel="modulepreload" href="/_app/chunks/{self.slug()}.js">\n' for _ in range(8))
        metadata = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": title, "url": f"/{slug}"}
        imports = {"imports": {name: f"/vendor/{name}@3/index.js" for name in ("alpine", "htmx", "lit")}}
        return f"""<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{self.words(12, 30)}">
<meta property="og:image" content="/media/{slug}-og.jpg">
<meta property="og:url" content="https://www.example.com/{slug}">
<meta name="twitter:card" content="summary_large_image">
<link rel="preconnect" href="https://cdn.example.net" crossorigin>
<link rel="icon" href="/favicon.ico" sizes="any">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="../site.webmanifest">
<link rel="canonical" href="https://www.example.com/{slug}">
{links}{preloads}<link rel="preload" as="image" imagesrcset="{self.srcset()}" imagesizes="100vw">
<link rel="stylesheet" href="/_app/assets/{slug}.css">
{self.style()}<script type="application/ld+json">{json.dumps(metadata, ensure_ascii=False)}</script>
<script type="importmap">{json.dumps(imports)}</script>
<script type="module" src="/_app/entry-{slug}.js"></script>
<script async src="https://tags.example.net/gtm.js?id=GTM-{self.number}"></script>
{self.script()}</head>
"""

    def whole(self, size: int) -> str:
        """The page: a random mixture of blocks, up to about this size."""
        weights: dict[Callable[[], str], float] = {
            self.card: self.rng.uniform(2, 8),
            self.prose: self.rng.uniform(1, 9),
            self.media: self.rng.uniform(0, 0.5),
            self.script: self.rng.uniform(0.5, 2.5),
            self.hydration: self.rng.uniform(0, 2.5),
            self.style: self.rng.uniform(0.2, 1),
        }
        start = f"""<!DOCTYPE html>
<html lang="en"{self.classes(1, 4)} data-theme="light">
{self.head()}<body{self.classes()}>
{self.sprites()}<header>{self.navigation("main")}{self.form()}</header>
<main>
"""
        end = f"</main>\n<footer>{self.navigation('footer')}</footer>\n{self.script()}</body>\n</html>\n"
        blocks = [start]
        length = len(start) + len(end)
        while length < size:
            (block,) = self.rng.choices(list(weights), list(weights.values()))
            blocks.append(block())
            length += len(blocks[-1])
        return "".join(blocks) + end


def minified(page: str) -> str:
    """The page minified, except scripts and styles."""
    pieces = re.split("(<(?:script|style).*?</(?:script|style)>)", page, flags=re.DOTALL)
    for number in range(0, len(pieces), 2):
        markup = re.sub(r">\s*\n\s*", ">", pieces[number])
        markup = re.sub("</li>(?=<li|</ul)|</p>(?=<p|</section)", "", markup)
        pieces[number] = re.sub("<[a-z][^<>]*>", lambda tag: _TAG_ATTRIBUTE.sub(r"=\1", tag[0]), markup)
    return "".join(pieces)


def pages(count: int = PAGES, seed: int = SEED) -> Iterator[bytes]:
    """Make pages, in UTF-8; the first ones do not depend on the number."""
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        # most are small, some are large
        page = _Page(rng, number).whole(int(SMALLEST + (LARGEST * 0.94 - SMALLEST) * rng.random() ** 1.8))
        yield (minified(page) if number % 5 == 4 else page).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write pages as sites of today send them.")
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write them to")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"how many (default {PAGES})")
    parser.add_argument("--seed", type=int, default=SEED, help="other seeds give other pages")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(pages(options.pages, options.seed), 1):
        (options.out / f"{number:03}.html").write_bytes(page)


if __name__ == "__main__":
    main()

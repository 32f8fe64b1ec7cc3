"""Decoys: references that lead nowhere, beside a file that is much like what they name, and not what they mean.

- What they mean is not there: a page that was removed, or is not written yet. No checker can correct that.
- There are three kinds. *Words* that differ on purpose, by a letter or two; beside them the page says the word, as
  pages do, or a picture has it for its text, but for one in six. *Siblings*: folders beside each other, each of which
  has files of its own. *Languages* and versions, in the names of files and of folders, and in ids.
- They are pages of their own, beside those of a made site (`made_pages`), so that there is much else to be mistaken
  for. What is there instead is known, and so are the bytes of the pages: what differs behind `--fix` was touched.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

WORDS: Final = re.findall(
    r"\w+",
    "upload unload getter setter compliment complement stationary stationery server serves users user planet planes "
    "desert dessert linear lineal vector sector mapping tapping affect effect later latter bitmap bitmaps encoder "
    "encodes format formal signal signals filter filler binder finder parent patent listen listed border broader "
    "cookie cookies angle angles model modes mount count panel panels sender render stream streams table tables "
    "static statics global globals public publish canvas canvass principal principle casual causal trail trial angel "
    "angle united untied calvary cavalry dairy diary marital martial conversation conservation lightening lightning "
    "personal personnel moral morale human humane though through trough tough where were quite quiet expect except "
    "allusion illusion elicit illicit device devise advice advise prophet profit precede proceed adapter adopter "
    "addition edition access excess eminent imminent ensure insure farther further formerly formally breath breathe "
    "cloths clothes choose chose loose lose metal medal petal pedal waist waste weather whether brake break coarse "
    "course council counsel current currant faze phase flair flare grisly grizzly hangar hanger incite insight",
)
TREES: Final = (
    ("android", "ios"),
    ("linux", "windows"),
    ("client", "server"),
    ("python", "java"),
    ("beginner", "expert"),
    ("mysql", "postgres"),
    ("admin", "editor"),
    ("light", "dark"),
    ("inputs", "outputs"),
    ("desktop", "mobile"),
    ("spring", "autumn"),
    ("cats", "dogs"),
    ("getters", "setters"),
)
TOPICS: Final = ("setup", "install", "reading", "permissions", "upgrade", "troubles", "shortcuts", "signing")
LANGUAGES: Final = (
    "en",
    "fr",
    "de",
    "pt-br",
    "pt",
    "zh-cn",
    "zh-tw",
    "zh_Hans",
    "es-419",
    "en-us",
    "en-gb",
    "japanese",
)
VERSIONS: Final = ("v1", "v2", "1.9", "1.10", "latest", "stable", "2023", "2024")


class Decoy(NamedTuple):
    """A reference, with what is there, and is not meant: a file, or an id of the page itself."""

    reference: str
    there: str
    text: str = ""

    def markup(self) -> str:
        """It as it stands in a page."""
        if self.reference.endswith(".png"):
            return f'<img src="{self.reference}" alt="{self.text}">'
        return f'<a href="{self.reference}">{self.text or "<b></b>"}</a>'


def make_decoys(folder: Path, count: int, rng: random.Random) -> dict[str, bytes]:
    """Write that many decoys into pages of a site; what is in these, by their paths below the folder."""
    decoys = [*_words(rng), *_siblings(rng), *_editions(rng)]
    chosen = rng.sample(decoys, count)
    pages: dict[str, bytes] = {}
    for number in range(0, count, 10):
        some = chosen[number : number + 10]
        ids = [decoy.there[1:] for decoy in some if decoy.there.startswith("#")]
        names = "".join(f'<h2 id="{name}">x</h2>\n' for name in ids)
        links = "".join(f"<p>{decoy.markup()}\n" for decoy in some)
        pages[f"decoys-{number}.html"] = f"<!doctype html>\n<title>x</title>\n{names}{links}".encode()
    for decoy in chosen:
        if not decoy.there.startswith("#"):
            file = folder / decoy.there
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"<!doctype html>" if file.suffix == ".html" else b"\x89PNG")
    for path, data in pages.items():
        (folder / path).write_bytes(data)
    return pages


def _words(rng: random.Random) -> Iterator[Decoy]:
    """Of each pair one that is there, and one that is meant."""
    for number, pair in enumerate(zip(WORDS[::2], WORDS[1::2], strict=True)):
        meant, there = rng.sample(pair, 2)
        text = meant.title() if number % 6 else ""
        kind = rng.choice(["page", "page", "folder", "picture", "id"])
        if kind == "id":
            yield Decoy(f"#{meant}", f"#{there}", text)
        elif kind == "folder":
            yield Decoy(f"words/{meant}/", f"words/{there}/index.html", text)
        else:
            ending = "png" if kind == "picture" else "html"
            yield Decoy(f"words/about-{meant}.{ending}", f"words/about-{there}.{ending}", text)


def _siblings(rng: random.Random) -> Iterator[Decoy]:
    """Of each two folders one that has the file, and one that is meant; neither may have any other, or both may."""
    for number, pair in enumerate(TREES):
        meant, there = rng.sample(pair, 2)
        for topic in TOPICS:
            name = f"{topic}-{number}"
            name = f"{topic}.html" if number % 2 else f"{name.replace('-', 'x')}-guide.html"
            yield Decoy(f"{meant}/{name}", f"{there}/{name}", topic.title())


def _editions(rng: random.Random) -> Iterator[Decoy]:
    """Of each two languages or versions one that has the page, and one that is meant."""
    for editions in (LANGUAGES, VERSIONS):
        for number, topic in enumerate((*TOPICS, "overview", "glossary", "licence", "history")):
            meant, there = rng.sample(editions, 2)
            yield Decoy(f"{topic}-{meant}.html", f"{topic}-{there}.html", topic.title())
            meant, there = rng.sample(editions, 2)
            yield Decoy(f"{meant}/about-{topic}.html", f"{there}/about-{topic}.html", topic.title())
            meant, there = rng.sample(editions, 2)
            yield Decoy(f"#{topic}-{number}-{meant}", f"#{topic}-{number}-{there}", topic.title())
            meant, there = rng.sample(editions, 2)
            yield Decoy(f"shots/{meant}/{topic}-screen.png", f"shots/{there}/{topic}-screen.png", topic.title())

"""Pairs of states of a small site: pages with text of their own, and the menu that all pages of a site have."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from checked.contexts import written

_WORDS = (
    "anchor batten block boom bow buoy cabin cleat crew current deck draft fender galley gust halyard harbour "
    "heel helm hull jib keel knot leech line luff mast mooring oar port rail reef rigging rope rudder sail sheet "
    "shroud spar stern tack tide tiller trim wake wave winch wind yawl"
)
MENU = "<nav><a href=/>Home</a> Guide, reference, and news about the boats of this club and their crews</nav>"


def text(seed: str, words: int = 80) -> str:
    """Text that no other seed gives."""
    draw, names = random.Random(seed), _WORDS.split()
    return " ".join(draw.choice(names) for _ in range(words))


def section(name: str, seed: str | None = None, heading: str | None = None, words: int = 60) -> str:
    """A section with an id, a heading and text."""
    return f"<h2 id={name}>{heading or (seed or name).title()}</h2>\n<p>{text(seed or name, words)}</p>\n"


def page(title: str, *body: str, head: str = "") -> str:
    """A page; without a body, its text comes from its title."""
    inside = "".join(body) or f"<p>{text(title)}</p>"
    return f"<!DOCTYPE html><title>{title} | Boats</title>{head}\n{MENU}\n<h1>{title}</h1>\n{inside}\n"


def site(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a site with a home page and two other pages that nothing changes."""
    usual = {"index.html": page("Home"), "news.html": page("News"), "club.html": page("Club")}
    return written(folder, {**usual, **files})

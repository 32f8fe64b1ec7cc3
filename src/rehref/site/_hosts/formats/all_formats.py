"""The formats of redirects, by the names of their files."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rehref.site._hosts.formats import htaccess, netlify_toml, nginx_map, redirects_file, vercel_json
from rehref.site._hosts.formats.redirect_format import Format

FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "_redirects": redirects_file.FORMAT,
        ".htaccess": htaccess.FORMAT,
        "netlify.toml": netlify_toml.FORMAT,
        "vercel.json": vercel_json.FORMAT,
        "*.map": nginx_map.FORMAT,
    }
)


def format_of(path: str) -> Format | None:
    """Return the format of a file, by its name; None if it is not one with redirects."""
    name = path.rpartition("/")[2]
    return FORMATS.get("*.map" if name.endswith(".map") else name)

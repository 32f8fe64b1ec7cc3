"""Fragments that scripts use as routes, by the names of the conventions: `--client-routes`.

They are patterns for whole fragments, decoded, like those of `CheckOptions.script_ids`, and hold for every page.
Without the option, only the fragments in `rehref.site._pages.fragments` are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CLIENT_ROUTES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "hash": re.compile(r"/.*", re.DOTALL),  # Vue Router, React Router, docsify
        "hashbang": re.compile(r"!.*", re.DOTALL),  # AngularJS, and the form that search engines once recommended
        "params": re.compile(r"\?.*|[\w.~-]+=.*", re.DOTALL),  # the state of a page: #tab=install&os=linux
    }
)
"""The patterns, by the names of the presets."""

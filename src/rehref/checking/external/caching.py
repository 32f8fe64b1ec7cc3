"""Which cache a run has, from the options: a file that is named, the one in its usual place, or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rehref.checking.external.remembered import Remembered
from rehref.option_errors import OptionError
from rehref.web.cache.ages import ages_of
from rehref.web.cache.cache import Cache
from rehref.web.cache.file import default_place
from rehref.web.options import WebOptions


def remembered(
    given: Mapping[str, Any], options: WebOptions, say: Callable[[str], None], *, usually: bool
) -> Remembered:
    """What is known from runs before. `usually`: whether there is a cache in its usual place if none is named.

    `say`: called with one line for each thing that is wrong with the file. Raises `OptionError`.
    """
    ages, file = ages_of(given["cache_age"]), given["cache"]
    if file == "":
        raise OptionError("--cache", "is empty", "name a file")
    if given["no_cache"] and file is not None:
        raise OptionError("--no-cache", "and --cache: there is to be one, and none", "leave one of them out")
    place = default_place() if file is None and usually else file
    if place is None or given["no_cache"]:
        return Remembered(Cache.none())
    return Remembered(Cache.open(Path(place), ages, options, say))

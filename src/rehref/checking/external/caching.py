"""What asks servers in a run: ready, with what is known from runs before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rehref.checking.external.outside import Outside
from rehref.checking.external.remembered import Remembered
from rehref.checking.options import CheckOptions
from rehref.option_errors import OptionError
from rehref.web.asking import require_web
from rehref.web.cache.ages import ages_of
from rehref.web.cache.cache import Cache
from rehref.web.cache.file import default_place
from rehref.web.options import WebOptions


@contextmanager
def asking(
    options: CheckOptions, given: Mapping[str, Any], say: Callable[[str], None], *, named: str, usually: bool
) -> Iterator[Outside]:
    """What asks servers, for a run; what was learnt is kept, however that ends.

    `given`: the options by name. `say`: called with one line for each thing that is wrong with the cache. `named`: what
    asking is asked for by. `usually`: whether there is a cache in its usual place if none is named. Raises
    `OptionError`, also if a package is missing.
    """
    require_web(named)
    remembered = _remembered(given, options.web, say, usually=usually)
    try:
        yield Outside(options, remembered=remembered)
    finally:
        remembered.close()


def _remembered(
    given: Mapping[str, Any], options: WebOptions, say: Callable[[str], None], *, usually: bool
) -> Remembered:
    """What is known from runs before (see `asking`). Raises `OptionError`."""
    ages, file = ages_of(given["cache_age"]), given["cache"]
    if file == "":
        raise OptionError("--cache", "is empty", "name a file")
    if given["no_cache"] and file is not None:
        raise OptionError("--no-cache", "and --cache: there is to be one, and none", "leave one of them out")
    place = default_place() if file is None and usually else file
    if place is None or given["no_cache"]:
        return Remembered(Cache.none())
    return Remembered(Cache.open(Path(place), ages, options, say))

"""Prepares what asks servers in a run, with what earlier runs learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rehref.exceptions import OptionError
from rehref.site._external.fragments_elsewhere import Remembered
from rehref.site._external.outside import Outside
from rehref.site.check_options import CheckOptions
from rehref.web.asking import require_web
from rehref.web.cache_ages import ages_of
from rehref.web.kept_answers import Cache


@contextmanager
def asking(options: CheckOptions, say: Callable[[str], None], *, named: str, usually: bool) -> Iterator[Outside]:
    """Yield what asks servers in a run; keep what was learnt, also after an error.

    `say`: called with one line for each problem of the cache. `named`: the name of the
    option that asks servers. `usually`: whether to use a cache in its usual place if none is named. Raises
    `OptionError`, also if a package is missing.
    """
    require_web(named)
    remembered = _remembered(options, say, usually=usually)
    try:
        yield Outside(options, remembered=remembered)
    finally:
        remembered.close()


def _remembered(options: CheckOptions, say: Callable[[str], None], *, usually: bool) -> Remembered:
    """What earlier runs learnt (see `asking`). Raises `OptionError`."""
    given = options.given
    ages, file = ages_of(given["cache_age"]), given["cache"]
    if file == "":
        raise OptionError("--cache", "is empty", "name a file")
    if given["no_cache"] and file is not None:
        raise OptionError("--no-cache", "and --cache contradict each other", "leave one of them out")
    place = Cache.usual_place() if file is None and usually else file
    if place is None or given["no_cache"]:
        return Remembered(Cache.none())
    return Remembered(Cache.open(Path(place), ages, options.web, say))

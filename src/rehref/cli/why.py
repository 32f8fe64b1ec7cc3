"""`rehref check --why URL`: how a target is treated, step by step.

1. A relative reference is resolved against the site's URI first.
2. It is told whether it is left out, or outside of the site, and if not, which file it leads to, or why to none; and
   whether the fragment is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rehref.cli import output
from rehref.reports.text import visible
from rehref.uri.privacy import mask_text

if TYPE_CHECKING:
    from rehref.checking.surroundings import Surroundings


def why(around: Surroundings, url: str) -> int:
    """Tell it: the exit code."""
    broken = False
    for line, wrong in _told(around, url):
        broken = broken or wrong
        output.write_bytes(output.for_people(visible(mask_text(line)) + "\n", output.screen().encoding))
    return 1 if broken else 0


def _told(around: Surroundings, url: str) -> Iterator[tuple[str, bool]]:
    """What there is to tell, and whether it says that the target is broken."""
    from rehref.uri.resolver import resolve

    options = around.options
    target = resolve(around.uri, url)
    if target != url:
        yield f"{url} is {target}, relative to the site's URI", False
    for pattern in options.exclude:
        if pattern.search(target):
            yield f"it is skipped: --exclude {pattern.pattern} is found in it", False
            return
    if options.include and not any(pattern.search(target) for pattern in options.include):
        yield "it is skipped: none of --include is found in it", False
        return
    document, _, fragment = target.partition("#")
    found = around.locator.locate(document)
    if found.code:
        yield f"{found.code}: {found.message}", True
    elif found.outside:
        yield f"it is not on this site ({around.uri}), and not checked", False
    if found.path is None:
        return
    yield f"it leads to the file {found.path}", False
    if fragment and options.fragments:
        yield from _fragment(around, found.path, fragment)


def _fragment(around: Surroundings, path: str, fragment: str) -> Iterator[tuple[str, bool]]:
    from rehref.checking.fragments import is_top, names_one_of, without_directive

    name = without_directive(fragment)
    names = around.names_of(path)
    if names is None:
        yield f"the fragment #{fragment} is not looked for in a file of this type", False
    elif is_top(name):
        yield f"the fragment #{fragment} is the top of every document", False
    elif names_one_of(name, names):
        yield f"the fragment #{fragment} is there", False
    else:
        yield f"missing-fragment: nothing in it is called {name!r}", True

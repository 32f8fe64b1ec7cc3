"""Fragments: what they name in a document (HTML Standard, "scrolling to a fragment"; SVG 2 §16.2).

1. A fragment names the element with that `id`, in any namespace, or the `a` with that `name`. It is tried as written,
   and then percent-decoded, as UTF-8.
2. An empty fragment, and `top` in any case, mean the top of every document.
3. From `:~:` on, a fragment has directives for the browser, which name nothing (URL Fragment Text Directives, "the
   fragment directive"). The text before them is the fragment.
4. In SVG, `svgView(…)` and media fragments (`xywh=`, `t=`) name a view, not an element.
5. The content of a `template` is not part of the document.
6. Scripts create ids, too. Patterns say which fragments are assumed to exist; they match a whole fragment, decoded; and
   some are built in (`rehref.checking.browsing.scripts`).
7. If a document refreshes with the fragment, the fragment may also name something in the target document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.checking.browsing.scripts import NO_SCRIPTS, Scripts, is_for_scripts
from rehref.checking.browsing.sending_on import LeadsOn
from rehref.checking.expressions import Searched

DIRECTIVE = ":~:"
"""The beginning of the directives of a fragment."""

_LONGEST_SHOWN: Final = 200
_MOST_SENT_ON: Final = 20  # the same number as for redirections
_VIEW = re.compile(r"svgView\(|(?:xywh|t|track|id|viewBox|preserveAspectRatio|transform|zoomAndPan)=").match


class Defined(NamedTuple):
    """What makes fragments of a document right: its names; its scripts; where it refreshes to."""

    names: frozenset[str]
    scripts: Scripts = NO_SCRIPTS
    sent_on: LeadsOn | None = None


def without_directive(fragment: str) -> str:
    """Return a fragment up to its directives (rule 3)."""
    return fragment.partition(DIRECTIVE)[0]


def shown_fragment(fragment: str) -> str:
    """Return a fragment for people, in quotes: decoded, if it is the encoding of a text."""
    text = unquote(fragment)
    text = fragment if "\ufffd" in text else text
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")


def is_top(fragment: str) -> bool:
    """Whether a fragment without directives means the top of every document (rule 2)."""
    return fragment == "" or unquote(fragment).lower() == "top"


def names_one_of(fragment: str, names: Container[str]) -> bool:
    """Whether a fragment without directives names an element; `names`: the ids and names of a document (rule 1)."""
    return fragment in names or ("%" in fragment and unquote(fragment) in names)


def is_right(
    path: str,
    fragment: str,
    names: Container[str],
    script_ids: Sequence[Searched],
    scripts: Scripts = NO_SCRIPTS,
) -> bool:
    """Whether a fragment, without directives, exists in the document at `path`, which defines `names`."""
    return (
        names_one_of(fragment, names)
        or is_top(fragment)
        or (path.lower().endswith(".svg") and _VIEW(fragment) is not None)
        or is_for_scripts(fragment, names, scripts)
        or any(pattern.fullmatch(unquote(fragment)) for pattern in script_ids)
    )


def names_something(
    path: str, fragment: str, defined: Callable[[str], Defined | None], script_ids: Sequence[Searched]
) -> bool:
    """Whether a fragment, without directives, exists in the document at `path`, or where that refreshes to (rule 7).

    `defined`: returns what a document defines; None: that is not known, and the fragment may be right.
    """
    for _ in range(_MOST_SENT_ON):
        found = defined(path)
        if found is None or is_right(path, fragment, found.names, script_ids, found.scripts):
            return True
        if found.sent_on is None or not found.sent_on.keeps_fragment:
            return False
        path = found.sent_on.path
    return False

"""Findings with what to write instead.

1. Findings about files and fragments get a suggestion, where there is one (`suggestions.py`), written as the author
   wrote the reference (`fixing.py`).
2. Nobody reads many thousands of suggestions: beyond a number of different targets there are none. They are looked for
   target by target, so that what is known of a file is needed once.
3. What is there, and only looks different from what is meant, the message says too (`as_written.py`).
4. None is sure of which there is some doubt (`doubts.py`). There is none for a target in whose place another is judged
   (`target_map.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, TypeAlias
from urllib.parse import unquote

from rehref.base import clean, without_fragment
from rehref.checking.browsing.fragments import without_directive
from rehref.checking.model import Finding
from rehref.checking.pages.classifier import MISSING_FRAGMENT
from rehref.checking.paths import decode_path, encode, shown
from rehref.checking.repair.as_written import form_of, is_other_form, named_literally
from rehref.checking.repair.doubts import MISSING_FILES, Doubts
from rehref.checking.repair.fixing import DOTS, new_reference
from rehref.checking.repair.lost_schemes import lost_scheme
from rehref.checking.repair.said_words import Misspelt, not_misspelt
from rehref.checking.repair.suggestions import Suggester, Suggestion
from rehref.checking.site.serving import Located
from rehref.checking.site.site_context import SiteContext
from rehref.codes import CODES
from rehref.uri.components import split

MOST_SUGGESTED: Final = 3000
"""Different targets for which something is suggested, unless more is asked for."""
_KEPT: Final = 512
_NONE: Final = frozenset[str]()

Suggested: TypeAlias = tuple[Finding, frozenset[str]]
"""A finding, and the words in it, in lower case, that are taken for misspelt ones."""


def with_suggestions(
    context: SiteContext,
    findings: Sequence[Finding],
    names: Callable[[str], frozenset[str] | None],
    most: int | None,
    *,
    doubts: Iterable[Finding],
) -> list[Finding]:
    """The findings with suggestions for `most` different targets (None: for all).

    `names`: what fragments can name in the document at a path; None if that is not known. `doubts`: all that was found,
    these and what is not reported: it may say that links work all the same.
    """
    suggester = Suggester(
        context.files,
        lru_cache(maxsize=_KEPT)(lambda path: names(path) or frozenset()),
        context.uri_of,
        index_names=context.host.index_names,
        extensions=context.host.fallback_extensions,
    )
    doubtful = Doubts(context, doubts)
    targets = dict.fromkeys(finding.target for finding in findings if CODES[finding.code].severity == "error")
    chosen = targets if most is None else set(islice(targets, most))
    found = list(findings)
    misspelt: list[Misspelt] = []
    numbers = [number for number, finding in enumerate(findings) if finding.target in chosen]
    for number in sorted(numbers, key=lambda number: findings[number].target or ""):
        found[number], words = suggested(context, suggester, doubtful, findings[number])
        if words and found[number].sure:
            misspelt.append(Misspelt(number, found[number], words))
    for number in not_misspelt(context, misspelt):
        found[number] = found[number]._replace(sure=False)
    return found


def suggested(context: SiteContext, suggester: Suggester, doubts: Doubts, finding: Finding) -> Suggested:
    """A finding with what to write instead, if that is known, and the words that are taken for misspelt ones."""
    target, base = finding.target, finding.base
    if target is None or base is None:
        return finding, _NONE
    document = without_fragment(target)
    if context.locator.mapped(document) != document:
        return finding, _NONE
    wanted, fragment = _wanted(target, context.uri, context.locator.root_dir)
    suggestion: Suggestion | None = None
    if finding.code in MISSING_FILES:
        literal = _named_literally(context, suggester, doubts, finding)
        if literal is not None:
            return literal, _NONE
        names = split(clean(finding.reference)).path.split("/")
        suggestion = suggester.for_missing_file(wanted, finding.document, sum(name not in DOTS for name in names))
        meant = lost_scheme(clean(finding.reference))
        if meant is not None and meant.goes_before(None if suggestion is None else suggestion.path):
            return finding._replace(suggestion=meant.uri), _NONE
    elif finding.code == MISSING_FRAGMENT and fragment is not None:
        file = suggester.file_of(wanted)
        # a redirection may have led to another file, or with another fragment
        if file is not None and context.locator.locate(document) == Located(file, "", ""):
            suggestion = suggester.for_missing_fragment(file, fragment)
            finding = _with_form(finding, fragment, suggestion)
    if suggestion is None and finding.code == "missing-index":
        index = context.locator.other_indexes.get(wanted.rstrip("/"))
        suggestion = None if index is None else Suggestion(index, sure=False)
    if suggestion is None:
        return finding, _NONE
    new = new_reference(suggestion, finding.reference, base.uri, suggester.uri_of)
    if new is None or new == finding.reference:
        return finding, _NONE
    sure = suggestion.sure and not doubts.any_about(finding)
    return finding._replace(suggestion=new, sure=sure), suggestion.misspelt


def _named_literally(context: SiteContext, suggester: Suggester, doubts: Doubts, finding: Finding) -> Finding | None:
    """A finding whose reference is the name of a file as it stands (`as_written.py`, rule 1), with how to write it."""
    target, reference = finding.target or "", clean(finding.reference)
    named = named_literally(target.removeprefix(context.uri), context.files.paths)
    if named is None or not target.startswith(context.uri) or finding.base is None:
        return None
    path, tail = named
    cut = reference.removesuffix(tail).partition("?")[0].partition("#")[0]
    new = new_reference(Suggestion(path, sure=True), cut, finding.base.uri, suggester.uri_of)
    if new is None:
        return None
    message = f"{finding.message}; {shown(path)} is there, and is written {encode(path.rpartition('/')[2])}"
    return finding._replace(message=message, suggestion=new + tail, sure=not doubts.any_about(finding))


def _with_form(finding: Finding, fragment: str, suggestion: Suggestion | None) -> Finding:
    """The finding, which says so if only the normalization form differs (`as_written.py`, rule 2)."""
    wanted, name = unquote(without_directive(fragment)), None if suggestion is None else suggestion.fragment
    if name is None or not is_other_form(wanted, name):
        return finding
    forms = f"in another Unicode normalization form: {form_of(name)}, and the reference in {form_of(wanted)}"
    return finding._replace(message=f"{finding.message}; the one that looks the same is {forms}")


@lru_cache(maxsize=64)  # a site has few targets that are wrong, and many references to each
def _wanted(target: str, site_uri: str, root_dir: str | None) -> tuple[str, str | None]:
    """The path below the folder that a target URI leads to, decoded, and its fragment."""
    parts = split(target)
    path, site_path = decode_path(parts.path), decode_path(split(site_uri).path)
    if root_dir is not None and not path.startswith(site_path):
        path = f"{root_dir}{path}"
    return path.removeprefix(site_path).lstrip("/"), parts.fragment

"""Where the references of a page lead: each distinct value of its ordinary places, and all others one by one.

A target on the site is written as a slash and the rest after the URI of the site. That is short, and most references
only need to be glued to the path of a folder for it. Any other target is a URI. References that are not checked count
as skipped; those that `include` and `exclude` leave out are skipped, whatever is wrong with them. An empty resource is
not a reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rehref.documents.base import Problem, clean, without_fragment
from rehref.documents.document import Document
from rehref.documents.link import Link, Reference, Values
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import (
    MISSING_FRAGMENT,
    Verdict,
    leads_elsewhere,
    missing_fragment,
    uri_of,
)
from rehref.site._pages.fragments import is_right, names_svg_font, without_directive
from rehref.site._pages.image_candidates import dropped
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.written import DROPPED, noticed, wrong_as_written
from rehref.site.findings import UNKNOWN_HOST

_MOST_REMEMBERED = 50_000
_dropped = lru_cache(maxsize=64)(dropped)  # called for each candidate of a value
is_for_browsers = re.compile(r"[^?#]*\\|\s*(?:(?:https?|file):(?!//)|///)", re.IGNORECASE).match
"""Matches references that only browsers read as intended."""
_ANY_FILE = "\0/\0.\0"
_ANY_FOLDER = "*"
_OF_DOCUMENT = ("", "#", "?")
"""The beginnings of references that depend on the name of the document."""
_WITH_STATEMENTS = frozenset({"meta", "script", "json-ld"})
"""Elements, or what represents one (`rehref.documents._formats.json_ld`), whose statements lead somewhere."""
_NOWHERE = ("file:", f"{UNKNOWN_HOST}/")  # the beginnings of the URIs of sites that are on no host of the web


class ReferenceOutcome(NamedTuple):
    """The result for a reference: its target (None: it is not checked), and whether it has a problem.

    `verdict`: what is wrong with it as it is written (`written.py`); it is wrong wherever it leads, to other sites too.
    """

    target: str | None
    odd: bool
    verdict: Verdict | None = None


class Wrong(NamedTuple):
    """The target of a reference (None: it has no target), and what is wrong with it."""

    target: str | None
    verdict: Verdict


class Other(NamedTuple):
    """A reference in a place that is not ordinary: where it leads, or what is wrong with it, if known."""

    reference: Reference
    target: str | None
    odd: bool
    verdict: Verdict | None


@dataclass(slots=True)
class Used:
    """The references of a page.

    `found`: the values of its ordinary places. `targets`: of these, by their numbers; None if the value is not judged.
    `odd`: values with a problem. `wrong`: values that are known to be wrong. `others`: the references in all other
    places. `links`, `skipped`: the number of references, and how many of them are not checked.
    """

    found: Values
    targets: list[str | None]
    odd: set[str] = field(default_factory=set)
    wrong: dict[str, Wrong] = field(default_factory=dict)
    others: list[Other] = field(default_factory=list)
    links: int = 0
    skipped: int = 0

    def judged(self) -> Iterator[tuple[str, int, str]]:
        """Yield the values to judge, with their numbers and targets."""
        for number, (value, target) in enumerate(zip(self.found.texts, self.targets, strict=True)):
            if target is not None:
                yield value, number, target


def leads_somewhere(reference: Reference, link: Link) -> bool:
    """Whether a reference is more than a name or a statement; `link`: its result."""
    return not is_statement(link) and reference.fetched


def is_statement(link: Link) -> bool:
    """Whether a reference is a name (`namespace`, `base`) or a statement (`metadata`), and leads nowhere.

    Statements in `meta` and the URLs of JSON-LD do lead somewhere. References that are never fetched do not, such as
    scopes, the `@id` of JSON-LD, and what a `link` prepares to connect to.
    """
    return link.kind == "namespace" or (link.kind == "metadata" and link.element not in _WITH_STATEMENTS)


def is_odd(problems: Iterable[Problem]) -> bool:
    """Whether a reference has a problem, whatever it leads to.

    An undeclared encoding of a page is one only if it leads to no file; the encoding may be why.
    """
    return any(not problem.is_of_encoding for problem in problems)


def followed(
    in_browsers: Callable[[str], str | None], reference: str, target: str | None, problems: Sequence[Problem]
) -> str | None:
    r"""Return where a browser that follows a reference arrives: its target, nearly always.

    References that only browsers read as intended (`img\a.png`, `https:a.html`) lead where browsers go: a link works if
    it works for its readers. Its problems are still reported.
    """
    return (in_browsers(reference) or target) if problems and is_for_browsers(reference) else target


def arrived_at(document: Document, reference: Reference, link: Link) -> str | None:
    """Return where a browser that follows a reference of a document arrives; `link`: its result."""
    document, inmost = document.innermost(reference)
    resolver = document.resolver if inmost.base is None else inmost.base
    return followed(resolver.in_browsers, link.reference, link.target, link.problems)


class Targets:
    """Finds the references of the pages of a site; their results are remembered from one page to the next."""

    def __init__(self, context: SiteContext) -> None:
        self._context = context
        self._fragments = context.options.fragments
        # references to the document itself are looked up, unless `include` or `exclude` may leave them out
        self._at_once = self._fragments and not context.scope.is_narrowed
        files = context.files
        self._is_without_root = files.types.has_sources and context.options.how.dialect is None
        self._may_have_other_root = self._is_without_root or files.may_be_made(_ANY_FILE)
        self._is_mapped = bool(context.options.remap or context.options.own_hosts)
        scheme = re.escape(context.uri.partition(":")[0])
        self._has_scheme = re.compile(rf"(?!{scheme}:)[a-z][a-z0-9+.-]*:", re.IGNORECASE).match
        self._known: dict[tuple[str, str], ReferenceOutcome] = {}

    def of(self, page: SitePage) -> Used:
        """Return the references of a page."""
        found, parsed = page.values, page.document.parsed
        # those of a template language, only a generator knows
        skipped = found.inert + parsed.skipped
        used = Used(found, found.targets.copy(), links=sum(found.counts) + skipped, skipped=skipped)
        folder, others = page.folders[0] if page.folders and page.is_utf8 else None, found.others
        for number, (value, target) in enumerate(zip(found.texts, found.targets, strict=True)):
            if target == Values.HERE and (self._at_once or value != ""):
                used.targets[number] = None if self._at_once else page.own + value
            elif value == "":  # whose meaning depends on what carries it
                used.targets[number] = None
                used.links -= found.counts[number]
                others = sorted((*others, *found.at([text == "" for text in found.texts])))
            elif target is None or target[:1] != "/" or (self._may_have_other_root and value[:1] == "/"):
                used.targets[number] = None
                self._take(page, used, number, "" if target else folder)
        for number in others:
            for reference, link in page.resolved(number):
                self._add(page, used, reference, link)
        if self._context.scope.is_narrowed:
            self._leave_out(page, used)
        return used

    def _leave_out(self, page: SitePage, used: Used) -> None:
        """Remove what is not checked."""
        chooses, resolver = self._context.scope.chooses, page.document.resolver
        for number, value in enumerate(used.found.texts):
            target, wrong = used.targets[number], used.wrong.get(value)
            is_checked = target is not None or wrong is not None
            if not is_checked and value not in used.odd:
                continue
            uri = wrong.target if wrong is not None else resolver(value)[0] if target is None else target
            if not chooses(uri_of(self._context, uri or ""), value):
                used.targets[number] = None
                used.wrong.pop(value, None)
                used.odd.discard(value)
                used.skipped += used.found.counts[number] * is_checked
        others = []
        for other in used.others:
            link = page.document.resolved(other.reference)
            if chooses(uri_of(self._context, other.target or link.target or ""), link.reference):
                others.append(other)
            else:
                used.skipped += other.target is not None or other.verdict is not None
        used.others = others

    def _take(self, page: SitePage, used: Used, number: int, folder: str | None) -> None:
        """Add a value, by its number, that cannot be glued."""
        value = used.found.texts[number]
        target, odd, verdict = self._outcome(page, value, folder)
        if odd:
            used.odd.add(value)
        if verdict is not None:
            used.wrong[value] = Wrong(target, verdict)
        elif target is None:
            used.skipped += used.found.counts[number]
        elif self._at_once and not page.scripts.possible and without_fragment(target) == page.own:
            verdict = self._look_up(page, target)
            if verdict is not None:
                used.wrong[value] = Wrong(target, verdict)
        else:
            used.targets[number] = target

    def _outcome(self, page: SitePage, value: str, folder: str | None) -> ReferenceOutcome:
        """Return the result for a value, computed once for each folder: it nearly always depends on that of the base at
        most.

        `folder`: the path of the base's folder, if the result depends on that alone; "" for a value that is its own
        target.
        """
        key = None if folder is None or value[:1] in _OF_DOCUMENT else (folder, value)
        if folder and self._has_scheme(value):  # of another scheme than the base, which does not matter then
            key = (_ANY_FOLDER, value)
        outcome = None if key is None else self._known.get(key)
        if outcome is None:
            if folder == "":
                outcome = self._judged(value, value)
            else:
                resolver = page.document.resolver
                uri, _, problems = resolver(value)
                outcome = self._judged(value, followed(resolver.in_browsers, value, uri, problems), problems)
            if key is not None:
                if len(self._known) >= _MOST_REMEMBERED:
                    self._known.clear()
                self._known[key] = outcome
        return outcome

    def _judged(self, value: str, uri: str | None, problems: Sequence[Problem] = ()) -> ReferenceOutcome:
        """Return the result for a reference that leads to a URI."""
        verdict = wrong_as_written(self._context, value, uri, problems)
        odd = is_odd(noticed(self._context, value, uri, problems))
        return ReferenceOutcome(uri if verdict is not None else self._target(uri, value), odd, verdict)

    def _target(self, uri: str | None, reference: str) -> str | None:
        """Return a target URI as targets are written here; None if it is not checked.

        That is one on another site. A path that leads out of the site, but stays on its host, is reported, unless the
        reference names the host. Where it is not known what makes a site of sources, a path from the root that leads to
        no file of theirs may lead to one of the site, and is skipped.
        """
        if uri is None:
            return None
        site = self._context.uri
        if uri.startswith(site):
            is_unsure = self._may_have_other_root and reference[:1] == "/"
            there = without_fragment(uri)
            if is_unsure and self._context.locator.locate(there).path is None:
                path = there[len(site) :].partition("?")[0]
                if self._is_without_root or self._context.files.may_be_made(path):
                    return None
            return "/" + uri[len(site) :]
        is_nowhere = not self._is_mapped and site.startswith(_NOWHERE)
        if is_nowhere and uri.startswith(("http:", "https:")) and not uri.startswith(_NOWHERE):
            return None
        return None if leads_elsewhere(self._context, uri, reference) else uri

    def _look_up(self, page: SitePage, target: str) -> Verdict | None:
        """Return what is wrong with a target in the page itself. `usemap` names a `map`.

        In a style sheet or a `srcdoc`, such a reference means something in another document: it is not checked there.
        """
        fragment = without_directive(target.partition("#")[2])
        if (
            not self._fragments
            or not page.is_shown
            or is_right(fragment, page.names, self._context.options.script_ids, page.scripts)
        ):
            return None
        return missing_fragment(fragment)

    def _add(self, page: SitePage, used: Used, reference: Reference, link: Link) -> None:
        """Add a reference in a place that is not ordinary, with its result."""
        used.links += 1
        if page.is_for_nobody(reference.place):
            used.skipped += 1
            return
        odd = is_odd(noticed(self._context, link.reference, link.target, link.problems))
        if link.kind == "base" and page.is_html:
            document, inmost = page.document.innermost(reference)
            odd = odd or document.noticed.get(inmost.place, ()) != ()
        checked, target, verdict = self._of_link(page, reference, link)
        used.skipped += not checked
        if odd or target is not None or verdict is not None:
            used.others.append(Other(reference, target, odd, verdict))

    def _as_written(self, document: Document, reference: Reference, link: Link) -> Verdict | None:
        """Return the verdict on a reference as it is written; `document`: the innermost one with it."""
        if reference.syntax == "srcset" and self._context.scope.chooses(link.target or "", link.reference):
            why = _dropped(document.parsed.places[reference.place].value).get(reference.start)
            if why is not None:
                return Verdict(DROPPED, f"browsers drop this candidate: {why}")
        return wrong_as_written(self._context, link.reference, link.target, link.problems)

    def _of_link(self, page: SitePage, reference: Reference, link: Link) -> tuple[bool, str | None, Verdict | None]:
        """Return whether a reference is checked, its target, if it must be judged, and the verdict, if known."""
        is_origin = reference.syntax == "origin"
        if not (leads_somewhere(reference, link) or is_origin):
            return False, None, None
        document, inmost = page.document.innermost(reference)
        verdict = self._as_written(document, inmost, link)
        if verdict is not None or link.kind == "base" or is_origin:
            return verdict is not None, None, verdict
        if link.reference == "" and link.kind == "resource":
            return True, None, None
        is_local = link.kind == "fragment"
        target = self._target(arrived_at(page.document, reference, link), link.reference)
        if target is not None and inmost.syntax == "css" and names_svg_font(document, inmost):
            target = without_fragment(target)
        at_once = self._at_once and not page.scripts.possible  # what is possible is counted when all is read
        if not is_local and (target is None or not at_once or without_fragment(target) != page.own):
            return target is not None, target, None
        if reference.inner is not None or not page.is_shown:
            return False, None, None
        if not self._fragments or page.parsed.places[reference.place].in_template:
            return True, None, None
        if link.attribute == "usemap":
            name = link.reference.removeprefix("#")
            fine = name in page.name_table.maps
            return True, None, None if fine else Verdict(MISSING_FRAGMENT, f"there is no map with the name {name!r}")
        return True, None, self._look_up(page, clean(link.reference) if target is None else target)

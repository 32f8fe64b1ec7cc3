"""`rehref check --why URL`: how a target is treated, step by step.

1. What is inferred of the site is said first. The URL is taken for the href of a link. One that is relative is so to
   the site's URI. What is odd about it is reported as the check does.
2. Whether it is checked, and what comes of that, is asked of what checks the links of pages (`rehref.checking.pages`),
   so that the answer is the same; why it comes out so is said besides. Comments in pages are not asked.
3. The exit code is 1 if the check would call it an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from rehref.cli import output
from rehref.reports.check.words import place_of_site
from rehref.reports.text import visible
from rehref.uri.privacy import mask_text

if TYPE_CHECKING:
    from rehref.checking.browsing.fragments import Defined
    from rehref.checking.expressions import Searched
    from rehref.checking.site.site_context import SiteContext
    from rehref.documents.link import Link

_NAME = ".why.html"  # of a page that is nowhere, in which the link stands


class Statement(NamedTuple):
    """What there is to say of a URL, and whether it is an error."""

    text: str
    is_error: bool = False


def explain_url(context: SiteContext, url: str) -> int:
    """Say how it is treated: the exit code."""
    status = 0
    for statement in _statements(context, url):
        status |= statement.is_error
        output.show(visible(mask_text(statement.text)) + "\n")
    return status


def _statements(context: SiteContext, url: str) -> Iterator[Statement]:
    from rehref.base import without_fragment
    from rehref.checking.ignoring import read_ignore_file
    from rehref.checking.pages.classifier import BROKEN, SKIPPED, TargetClassifier
    from rehref.checking.pages.noticed import noticed
    from rehref.checking.pages.page import Page
    from rehref.checking.pages.targets import Targets

    # the base that stands in the page is what makes it relative to the site's URI
    how = replace(context.options.how, ignore_embedded_base=False)
    reading = replace(context, options=replace(context.options, how=how))
    markup = f'\ufeff<base href="{escape(context.uri)}"><a href="{escape(url)}">'
    page = Page(reading, _NAME, markup.encode("utf-8", "surrogateescape"))
    used = Targets(reading).of(page)
    target = next((one for one in (*used.targets, *(other.target for other in used.others)) if one is not None), None)
    link = next(link for link in page.document.links() if link.element == "a")
    uri = link.target if target is None else context.uri + target[1:] if target.startswith("/") else target
    place = place_of_site(context.place)
    if place != "":
        yield Statement(place)
    if uri is not None and uri != url:
        yield Statement(f"{url} is {uri}, relative to the site's URI")
    for problem in noticed(context, link.reference, link.target, link.problems):
        if problem.code != "leaves-document":  # that is on account of the base
            yield Statement(f"{problem.code} (a warning): {problem.message}")
    left_out = _left_out(context, uri or "", url)
    if left_out != "":
        yield Statement(left_out)
        return
    if target is None or uri is None:
        yield Statement(_not_asked(context, link))
        return
    ignoring = _first(read_ignore_file(context.folder).uris, uri, url)
    if ignoring is not None:
        yield Statement(f"nothing is said of it: {ignoring} of .rehrefignore is found in it")
        return
    judged = context.locator.mapped(without_fragment(uri))
    if judged != without_fragment(uri):
        yield Statement(f"{judged} is looked up in its place")
    classifier = TargetClassifier(context)
    mark = classifier[target]
    if mark == BROKEN:
        verdict = classifier.broken[target]
        yield Statement(f"{verdict.code}: {verdict.message}", is_error=True)
    elif mark == SKIPPED:
        if context.locator.locate(without_fragment(uri)).outside:
            yield Statement(f"it leads out of this site ({context.uri}), and is not checked")
        else:
            yield Statement("it leads into a folder that cannot be read, and is not checked")
    else:
        path = classifier.paths[target]
        is_folder = path == "" or path.endswith("/")
        yield Statement(f"it leads to the {'folder' if is_folder else 'file'} {path or 'of the site'}")
        yield from _fragment(context, classifier.paths[target], uri)


def _not_asked(context: SiteContext, link: Link) -> str:
    """Why a link is not checked that does not get as far as the options."""
    from rehref.base import without_fragment

    if link.target is None:
        return "it leads nowhere, and is not checked"
    located = context.locator.locate(without_fragment(link.target))
    if located.code == "":
        return f"it is not on this site ({context.uri}), and not checked"
    return f"it is not checked, for it names its host: {located.message}"


def _left_out(context: SiteContext, uri: str, reference: str) -> str:
    """Why a reference is not to be checked; "" if it is."""
    if context.scope.chooses(uri, reference):
        return ""
    found = _first(context.options.exclude, uri, reference)
    if found is not None:
        return f"it is skipped: --exclude {found} is found in it"
    return "it is skipped: none of --include is found in it"


def _first(patterns: Sequence[Searched], uri: str, reference: str) -> str | None:
    from rehref.checking.site.check_scope import is_found

    return next((pattern.pattern for pattern in patterns if is_found((pattern,), uri, reference)), None)


def _fragment(context: SiteContext, path: str, uri: str) -> Iterator[Statement]:
    """What there is to say of the fragment of a URI that leads to the file at a path."""
    from rehref.checking.browsing.fragments import without_directive
    from rehref.checking.checks.registry import reported
    from rehref.checking.pages.classifier import missing_fragment
    from rehref.checking.pages.definitions import defined_in

    document, _, fragment = uri.partition("#")
    redirected = context.locator.locate(document).fragment
    if redirected is not None:
        fragment = redirected
        yield Statement(f"the redirection puts the fragment #{fragment} there")
    name = without_directive(fragment)
    if name != "":
        defined = defined_in(context, path)
        reason = _why_right(context, path, name, defined)
        if reason == "":
            verdict = missing_fragment(name, path, None if defined is None else defined.sent_on)
            yield Statement(f"{verdict.code}: {verdict.message}", is_error=True)
        else:
            yield Statement(f"the fragment #{name} {reason}")
    if name != fragment and "text-fragment" in reported(context.options):
        yield Statement("whether the page has the text that is asked for is only found out by the check itself")


def _why_right(context: SiteContext, path: str, name: str, defined: Defined | None) -> str:
    """Why a fragment in the file at a path is not an error; "" if it is one. `defined`: None if that is not known."""
    from rehref.checking.browsing.fragments import is_right, is_top, names_one_of, names_something
    from rehref.checking.browsing.scripts import is_for_scripts
    from rehref.checking.pages.definitions import defined_in

    patterns = context.options.script_ids
    if not context.options.fragments:
        return "is not looked for (--no-fragments)"
    if defined is None:
        return "is not looked for in a file of this type"
    if names_one_of(name, defined.names):
        return "is there"
    if is_top(name):
        return "is the top of every document"
    if is_right(path, name, defined.names, ()):
        return "is a view of the image"
    if is_for_scripts(name, defined.names, defined.scripts):
        return "is for the scripts of the page"
    if is_right(path, name, defined.names, patterns):
        return "is one that scripts make (--script-ids)"
    if names_something(path, name, partial(defined_in, context), patterns):
        return "is right where the page sends browsers on to with it"
    return ""

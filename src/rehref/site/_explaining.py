"""Why a target is judged as it is, step by step (`rehref check --why URL`).

The URL is treated as the href of a link, and resolved against the site's URI. Rules for its target are named, whatever
pages and codes they are for. The code that checks the links of pages (`rehref.site._pages`) decides whether the URL is
checked, and the result, so that the answer is the same; the explanation adds the reasons. Comments in pages are not
considered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import Final, NamedTuple

from rehref.documents.base import without_fragment
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.site._checks.all_checks import reported
from rehref.site._expressions import Searched
from rehref.site._grounds.site_context import SiteContext, is_found
from rehref.site._ignoring import read_ignore_file
from rehref.site._pages.classifier import BROKEN, SKIPPED, TargetClassifier, missing_fragment, names_lines
from rehref.site._pages.fragments import (
    Defined,
    is_for_scripts,
    is_right,
    is_top,
    is_view,
    names_one_of,
    names_something,
    without_directive,
)
from rehref.site._pages.read_page import defined_in
from rehref.site._pages.script_fragments import CODE as MADE_BY_SCRIPTS
from rehref.site._pages.script_fragments import is_made_by_scripts
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import MissingFragments
from rehref.site._pages.targets import Targets
from rehref.site._pages.written import noticed
from rehref.site.codes import CODES

_NAME = ".why.html"  # of an imaginary page that has the link
_MADE: Final = "it may be what the generator of the site makes, so it is not checked"


class UrlStatement(NamedTuple):
    """A statement about a URL, and whether it is an error."""

    text: str
    is_error: bool = False


def explained(context: SiteContext, url: str) -> Iterator[UrlStatement]:
    """Yield how a URL is treated, step by step. Raises `FileError`."""
    # the base element of the page makes the URL relative to the site's URI
    how = replace(context.options.how, ignore_embedded_base=False)
    reading = context._replace(options=context.options._replace(how=how))
    markup = f'\ufeff<base href="{escape(context.uri)}"><a href="{escape(url)}">'
    page = SitePage(reading, _NAME, markup.encode("utf-8", "surrogateescape"))
    used = Targets(reading).of(page)
    target = next((one for one in (*used.targets, *(other.target for other in used.others)) if one is not None), None)
    link = next(link for link in page.document.links() if link.element == "a")
    uri = link.target if target is None else context.uri + target[1:] if target.startswith("/") else target
    if uri is not None and uri != url:
        yield UrlStatement(f"{url} is {uri}, relative to the site's URI")
    for problem in noticed(context, link.reference, link.target, link.problems):
        if problem.code != "leaves-document":  # caused by that base element
            yield UrlStatement(f"{problem.code} (a warning): {problem.message}")
    for rule in context.options.rules:
        if rule.targets and rule.is_for(uri or "", url):
            yield UrlStatement(f"a rule is for it: {rule.shown}")
    left_out = _left_out(context, uri or "", url)
    if left_out != "":
        yield UrlStatement(left_out)
        return
    ignoring = _first(read_ignore_file(context.folder).uris, uri or "", url)
    if ignoring is not None:
        yield UrlStatement(f"it is not reported: {ignoring} in .rehrefignore matches")
        return
    wrong = next((one.verdict for one in used.wrong.values()), None)
    if wrong is not None:
        yield UrlStatement(f"{wrong.code}: {wrong.message}", is_error=CODES[wrong.code].severity == "error")
        return
    if target is None or uri is None:
        yield UrlStatement(_not_asked(context, link))
        return
    judged = context.locator.mapped(without_fragment(uri))
    if judged != without_fragment(uri):
        yield UrlStatement(f"{judged} is looked up instead")
    classifier = TargetClassifier(context)
    mark = classifier[target]
    if mark == BROKEN:
        verdict = classifier.broken[target]
        yield UrlStatement(f"{verdict.code}: {verdict.message}", is_error=True)
    elif mark == SKIPPED:
        if context.locator.locate(without_fragment(uri)).outside:
            yield UrlStatement(f"it leads out of this site ({context.uri}), so it is not checked")
        else:
            is_known = not context.files.types.has_sources or context.files.errors
            yield UrlStatement(
                "it leads into a folder that cannot be read, so it is not checked" if is_known else _MADE
            )
    else:
        path = classifier.path(target)
        assert path is not None
        is_folder = path == "" or path.endswith("/")
        yield UrlStatement(f"it leads to the {'folder' if is_folder else 'file'} {path or 'of the site'}")
        yield from _fragment(context, path, uri)


def _not_asked(context: SiteContext, link: Link) -> str:
    """Return why a link is not checked, where no option is the reason."""
    located = context.locator.locate(without_fragment(link.target or ""))
    if located.code == "":
        return f"it is not on this site ({context.uri}), so it is not checked"
    if not located.outside:
        return _MADE
    return f"it is not checked, since it names its host: {located.message}"


def _left_out(context: SiteContext, uri: str, reference: str) -> str:
    """Return why options leave a reference out; "" if they do not."""
    if context.scope.chooses(uri, reference):
        return ""
    found = _first(context.options.exclude, uri, reference)
    if found is not None:
        return f"it is skipped: --exclude {found} matches"
    return "it is skipped: no --include matches"


def _first(patterns: Sequence[Searched], uri: str, reference: str) -> str | None:
    return next((pattern.pattern for pattern in patterns if is_found((pattern,), uri, reference)), None)


def _fragment(context: SiteContext, path: str, uri: str) -> Iterator[UrlStatement]:
    """Yield statements about the fragment of a URI that leads to the file at a path."""
    document, _, fragment = uri.partition("#")
    redirected = context.locator.locate(document).fragment
    if redirected is not None:
        fragment = redirected
        yield UrlStatement(f"the redirect sets the fragment #{fragment}")
    name = without_directive(fragment)
    if name != "":
        defined = defined_in(context, path)
        is_of_lines = names_lines(context, document, path, name)
        reason = "names lines, which a forge shows" if is_of_lines else _why_right(context, path, name, defined)
        if reason == "":
            verdict = missing_fragment(name, path, None if defined is None else defined.sent_on)
            if defined is not None and is_made_by_scripts(context, MissingFragments(path, {0: name}, 1, defined)):
                yield UrlStatement(f"{MADE_BY_SCRIPTS} (a warning): {verdict.message}: scripts may make it")
            else:
                yield UrlStatement(f"{verdict.code}: {verdict.message}", is_error=True)
        else:
            yield UrlStatement(f"the fragment #{name} {reason}")
        types = context.files.types
        if types.of(path) == MediaType.MARKDOWN and types.ids_by and context.options.fragments:
            yield UrlStatement(types.ids_by)
    if name != fragment and "text-fragment" in reported(context.options):
        yield UrlStatement("only the check itself finds out whether the page has the text")


def _why_right(context: SiteContext, path: str, name: str, defined: Defined | None) -> str:
    """Return why a fragment in the file at a path is not an error; "" if it is. `defined`: None if not known."""
    patterns = context.options.script_ids
    if not context.options.fragments:
        return "is not checked (--no-fragments)"
    if defined is None:
        return "is not checked in a file of this type"
    if names_one_of(name, defined.names):
        return "exists"
    if is_top(name):
        return "is the top of every document"
    if is_view(name, defined.scripts):
        return "is a view of the image"
    if names_one_of(name, defined.scripts.possible):
        return "exists in some dialects of Markdown only, and counts as skipped"
    if defined.scripts.unseen:
        return "may be in what a generator puts into the page"
    if is_for_scripts(name, defined.names, defined.scripts):
        return "is for the scripts of the page"
    if is_right(name, defined.names, patterns):
        return "is created by scripts (--script-ids)"
    if names_something(path, name, partial(defined_in, context), patterns):
        return "exists in the page that this one redirects to"
    return ""

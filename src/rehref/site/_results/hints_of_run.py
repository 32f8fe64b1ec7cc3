"""Hints, for people: what to do about many findings at once, one hint for all of them.

If pages with several encodings refer to a style sheet that declares none, one of them counts, which is a hint.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rehref.containers.inherited_encodings import disagreement
from rehref.documents.media_types import MediaType
from rehref.site._checks.all_checks import UnknownCodeError
from rehref.site._grounds.site_context import SiteContext
from rehref.site._grounds.source_files import INSTALLING, NEEDS_PYROMARK
from rehref.site._grounds.source_signs import dialect_of
from rehref.site._hosts.hosts import HOSTS
from rehref.site._paths import decode_path, shown
from rehref.site._results.crowds import ESCAPES_SITE, MISSING, above_folder, entered
from rehref.site.findings import Finding

NO_ENCODINGS: Final[Mapping[str, Sequence[str]]] = {}
_PAGE: Final = ".html"
_INDEX: Final = "index.html"
_ASCIIDOC: Final = (".adoc", ".asciidoc")
_FEWEST_ABOVE: Final = 10
_FIRST: Final = 3


def hints(
    context: SiteContext,
    findings: Iterable[Finding],
    unknown: Sequence[tuple[str, str]] = (),
    encodings: Mapping[str, Sequence[str]] = NO_ENCODINGS,
) -> tuple[str, ...]:
    """The hints about findings. `unknown`: documents, each with a name in it that is not a code.

    `encodings`: those that style sheets have by several pages.
    """
    findings = list(findings)
    of_sheets = disagreement({shown(path): names for path, names in encodings.items()})
    of_findings = (_clean_urls(context, findings), _above(context, findings))
    return tuple(
        filter(
            None,
            (
                _unread(context),
                _unsent(context),
                _asciidoc(context),
                _sites_below(context),
                *of_findings,
                _unknown_codes(unknown),
                of_sheets,
            ),
        )
    )


def _unread(context: SiteContext) -> str:
    """The hint about Markdown that is not read: beside pages, or without the package pyromark; "" if there is none.

    Named files are all that was asked for.
    """
    paths = [path for path in context.files.unread if not context.scope.leaves_out(path)]
    if not paths or context.is_sent or context.scope.named is not None:
        return ""
    folder, number = shown(str(context.folder)), len(paths)
    if context.files.types.needs_package:
        return f"Markdown in {folder} is skipped: reading Markdown {NEEDS_PYROMARK}; {INSTALLING}"
    has_notebooks = any(context.files.types.of(path) != MediaType.MARKDOWN for path in paths)
    what = ("file" if has_notebooks else "Markdown file") + "s" * (number > 1)
    kinds = "Markdown and notebooks" if has_notebooks else "Markdown"
    dialect = dialect_of(context.folder) or "github"
    why = f"it counts as a built site; --dialect {dialect} reads {kinds}, too"
    return f"{number:,} {what} in {folder} {_not_read(number)} {shown(paths[0])}: {why}"


def _unsent(context: SiteContext) -> str:
    """The hint about pages that no host sends as such; "" if there is none."""
    paths = sorted(path for path in context.files.types.unsent if not context.scope.leaves_out(path))
    if not paths or context.scope.named is not None:
        return ""
    number, endings = len(paths), sorted({path.rpartition(".")[2] for path in paths})
    what = "files in {} look like pages, and" if number > 1 else "file in {} looks like a page, and"
    remedy = f"no host sends such files as pages; --document-extensions {shown(','.join(endings[:_FIRST]))} reads them"
    return f"{number:,} {what.format(shown(str(context.folder)))} {_not_read(number)} {shown(paths[0])}: {remedy}"


def _asciidoc(context: SiteContext) -> str:
    """The hint about AsciiDoc in a folder of sources, which is never read; "" if there is none."""
    found = (path for path in context.files.paths if path.lower().endswith(_ASCIIDOC))
    paths = sorted(path for path in found if not context.scope.leaves_out(path))
    types = context.files.types
    pages = sum(types.of(path) in MediaType.PAGES for path in context.files.paths) if paths else 0
    if not paths or context.is_sent or context.scope.named is not None or not (types.has_sources or len(paths) > pages):
        return ""
    number, is_of_antora = len(paths), any(f"/{path}".endswith("/antora.yml") for path in context.files.paths)
    maker = "Antora" if is_of_antora else "its generator"
    what = "AsciiDoc file" + "s" * (number > 1)
    remedy = f"rehref does not read AsciiDoc; check the site that {maker} makes"
    return f"{number:,} {what} in {shown(str(context.folder))} {_not_read(number)} {shown(paths[0])}: {remedy}"


def _sites_below(context: SiteContext) -> str:
    """The hint about folders of sources that are sites of their own (`source_signs.py`); "" if there are none."""
    sites = context.files.sites
    if not sites or context.scope.named is not None:
        return ""
    first = min(sites, key=lambda at: (at.count("/"), at))
    more = len(sites) - 1
    others = "" if not more else f", and so {'are' if more > 1 else 'is'} {more:,} more"
    place, configuration = shown(f"{context.folder}/{first}"), shown(sites[first])
    skipped = f"what leads nowhere there is skipped; check it alone (rehref check {place})"
    return f"{place} is a site of its own{others} ({configuration}): {skipped}"


def _not_read(number: int) -> str:
    return "are not read, such as" if number > 1 else "is not read,"


def _above(context: SiteContext, findings: Iterable[Finding]) -> str:
    """The hint about references above the folder, which may be one of a larger site; "" if it does not apply.

    Half of the missing files, and at least `_FEWEST_ABOVE`, must be above it (`crowds.py`). If an option says where the
    folder is, they are `escapes-site`, which can be ignored.
    """
    by_target = {one.target: one for one in findings if one.code in MISSING or one.code == ESCAPES_SITE}
    above = [above_folder(context, one) for one in by_target.values()]
    found = sorted(path for path in above if path is not None)
    if len(found) < max(_FEWEST_ABOVE, len(above) / 2):
        return ""
    places = list(dict.fromkeys(map(entered, found)))
    first = ", ".join(map(shown, places[:_FIRST]))
    more = f" and {len(places) - _FIRST:,} more" if len(places) > _FIRST else ""
    folder = os.path.normpath(context.folder / max(place.rpartition("/")[0] for place in places))
    place = f"--site-url https://HOST/PATH/{context.folder.resolve().name}/ " * (context.place.basis == "root")
    return (
        f"links lead above {shown(str(context.folder))}, to {first}{more}: check the folder that has all of them "
        f"(rehref check {shown(folder)}), or leave these links out ({place}--ignore {ESCAPES_SITE})"
    )


def _unknown_codes(unknown: Sequence[tuple[str, str]]) -> str:
    """The hint about names that are not codes (`rehref-ignore missing-fil`).

    The first, and the number of the others.
    """
    if not unknown:
        return ""
    document, name = unknown[0]
    more = "" if len(unknown) == 1 else f" (and {len(unknown) - 1:,} more such)"
    return f"{shown(document)}: rehref-ignore names {name}, which is not a code{more}; {UnknownCodeError(name).remedy}"


def _clean_urls(context: SiteContext, findings: Iterable[Finding]) -> str:
    """The hint about hosts that serve `a.html` as `/a`; "" if it does not apply.

    It does if enough links lead so: to a third of such pages, and three quarters of the missing paths that end in no
    extension; and only if no option says what the host does.
    """
    options = context.options
    if options.host is not None or options.fallback_extensions is not None or context.host.fallback_extensions:
        return ""
    targets = {finding.target for finding in findings if finding.code == "missing-file" and finding.target is not None}
    paths = {
        decode_path("/" + target[len(context.uri) :].partition("#")[0].partition("?")[0])[1:]
        for target in targets
        if target.startswith(context.uri)
    }
    missing = sorted(path for path in paths if path.rstrip("/") and "." not in path.rstrip("/").rpartition("/")[2])
    pages = [path for path in missing if path.rstrip("/") + _PAGE in context.files.paths]
    all_pages = sum(path.endswith(_PAGE) and not path.endswith(_INDEX) for path in context.files.paths)
    if not pages or 4 * len(pages) < 3 * len(missing) or 3 * len(pages) < all_pages:
        return ""
    first, hosts = pages[0], ", ".join(host.name for host in HOSTS.values() if _PAGE[1:] in host.fallback_extensions)
    file = shown(first.rstrip("/") + _PAGE)
    some = (
        "all are like this" if len(pages) == len(missing) > 1 else f"{len(pages):,} of {len(missing):,} are like this"
    )
    some = "" if len(missing) == 1 else f"; {some}"
    return (
        f"there is no {shown(first)}, but there is {file}{some}: if the host serves it, say --host ({hosts}) or "
        "--fallback-extensions html"
    )

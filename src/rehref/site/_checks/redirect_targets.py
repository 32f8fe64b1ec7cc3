"""The targets of a host's redirections, checked like links: at their lines in the files of the host.

Only plain targets are checked (`rehref.site._hosts.redirect_rules.Pointer`). One is right if there is a file for it,
with its fragment, or if another rule leads on from it: faults there are reported at that rule, and a loop at the links
that lead into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final

from rehref.documents.base import without_fragment
from rehref.files.file_errors import FileError
from rehref.site._grounds.locating import Locator
from rehref.site._grounds.serving import Located
from rehref.site._grounds.site_context import SiteContext
from rehref.site._hosts.host_files import HTACCESS, read_host_file, text_of
from rehref.site._hosts.redirect_rules import Pointer, Redirection
from rehref.site._pages.classifier import TargetClassifier, Verdict
from rehref.site._pages.read_page import defined_in
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding
from rehref.text.source_text import SourceText

_KEPT: Final = 64
_MOST_ASKED: Final = 250_000  # 500 rules, about as many targets


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for redirections that lead nowhere. Their targets are counted among the links."""
    locator = context.locator
    if context.redirects is None or not isinstance(locator, Locator):
        return
    classifier, asking, types = TargetClassifier(context), _Asking(locator, _MOST_ASKED), context.files.types
    text_of = lru_cache(maxsize=1)(partial(_text_of, context))
    defined = lru_cache(maxsize=_KEPT)(partial(defined_in, context))
    for pointer in context.redirects.pointers:
        if context.scope.leaves_out(pointer.file):
            continue
        table.links += 1
        target = locator.uri_of(pointer.to)
        located = _located(locator, pointer, target, asking)
        is_made = not types.has_root or context.files.may_be_made(target.removeprefix(context.uri).partition("#")[0])
        is_elsewhere = types.has_sources and located is not None and located.path is None and is_made
        if located is None or is_elsewhere or not context.scope.chooses(target, pointer.to):
            table.skipped += 1
            continue
        verdict = Verdict(located.code, located.message) if located.code else None
        if verdict is None and _is_more_than_file(locator, target):
            verdict = classifier.verdict(target, defined)
        if verdict is not None:
            yield _finding(pointer, target, verdict, text_of(pointer.file))


@dataclass(slots=True)
class _Asking:
    """Tries the rules for targets without a file, or with a fragment, each once. `left`: how many times still.

    Targets beyond `_MOST_ASKED` tries count as skipped.
    """

    locator: Locator
    left: int
    _steps: dict[str, Redirection | None] = field(default_factory=dict)

    def may_lead_on(self, target: str, *, after: str) -> bool:
        """Whether another rule than that at `after` leads on from a target without its fragment, or may do so."""
        if target not in self._steps:
            rules = self.locator.rules_for(target)
            if rules > self.left:
                return True
            self.left -= rules
            self._steps[target] = self.locator.step_from(target)
        step = self._steps[target]
        return step is not None and step.where != after and step.status < 400


def _is_more_than_file(locator: Locator, target: str) -> bool:
    """Whether a file for a target is not enough: the target has a fragment, or is mapped to another."""
    return "#" in target or locator.mapped(target) != target


def _located(locator: Locator, pointer: Pointer, target: str, asking: _Asking) -> Located | None:
    """Return what a rule leads to; None if that is not checked.

    Not checked are other sites and excluded targets, nor targets in a folder that could not be read; they count as
    skipped. So do those that lead to no file in a folder of sources, if its paths from the root are not known. A folder
    is enough in `.htaccess`: `Redirect` leads everything below one folder into another. A rule for a path with a file,
    and without precedence over files, has no effect.
    """
    if pointer.source != "" and not pointer.always and locator.has_file(pointer.source):
        return None
    plain = without_fragment(target)
    located = locator.locate_at_once(plain)
    is_folder = located.code == "missing-index" and pointer.file.endswith(HTACCESS)
    if is_folder or (located.path is None and located.code == ""):
        return None
    asks = located.code != "" or _is_more_than_file(locator, target)
    return None if asks and asking.may_lead_on(plain, after=pointer.where) else located


def _text_of(context: SiteContext, file: str) -> SourceText | None:
    """Return the text of a file of the host; None if it was removed meanwhile."""
    try:
        return text_of(read_host_file(context.folder, file))
    except FileError:
        return None


def _finding(pointer: Pointer, target: str, verdict: Verdict, text: SourceText | None) -> Finding:
    """Return the finding for a rule, at the place of its target; else at its line."""
    line, column = (pointer.line, 1) if pointer.span is None or text is None else text.position(pointer.span[0])
    return Finding(
        document=pointer.file,
        code=verdict.code,
        message=verdict.message,
        line=line,
        column=column,
        span=pointer.span,
        reference=pointer.to,
        target=target,
    )

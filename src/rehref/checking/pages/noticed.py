"""The problems of a reference (`docs/problems.md`) that the check of a site reports: all, with these exceptions.

1. `not-a-uri` is not reported for `data:` URIs, which nobody requests; for fragments, which browsers do not send; and
   for characters outside ASCII, which browsers percent-encode. The other faults may reach a server in another form.
2. A reference to the reader's own computer (`localhost`, a name below it, 127.0.0.0/8, `[::1]`; RFC 6761 §6.3, RFC 1122
   §3.2.1.3) is `local-address` in a published site: one whose own URI is on the web. It is not one if such hosts are
   asked, too (`--external --allow-private`): their answers are reported.
3. References that `--include` and `--exclude` leave out are not examined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rehref.base import clean
from rehref.checking.model import UNKNOWN_HOST
from rehref.checking.site.site_context import SiteContext
from rehref.documents.link import Problem
from rehref.documents.problems import grammar_problems

LOCAL_ADDRESS: Final = "local-address"
"""The code of a reference to the reader's own computer."""

_EXTERNAL: Final = "external"
"""The name of the check that asks servers."""
_NOT_A_URI: Final = "not-a-uri"
_ASCII_FOR_OTHERS = re.compile("[^\0-\x7f]")
_IS_DATA = re.compile("data:", re.IGNORECASE).match
_ON_WEB: Final = ("http://", "https://")
_IS_LOCAL = re.compile(
    r"https?://(?:[^/?#@]*@)?(?:(?:[^/?#@:]*\.)?localhost\.?|127(?:\.[0-9]{1,3}){3}|\[::1\])(?=[:/?#]|\Z)",
    re.IGNORECASE,
).match


def noticed(
    context: SiteContext, reference: str, target: str | None, problems: Sequence[Problem] = ()
) -> Sequence[Problem]:
    """Return the problems of a reference that leads to `target`; `problems`: all problems found in it."""
    if any(problem.code == _NOT_A_URI for problem in problems):
        others = [problem for problem in problems if problem.code != _NOT_A_URI]
        problems = [*others, *_of_grammar(context, clean(reference))]
    if target is not None and is_local_address(context, target, reference):
        message = "it leads to the reader's own computer"
        problems = [*problems, Problem(LOCAL_ADDRESS, message)]
    return problems


def is_local_address(context: SiteContext, uri: str, reference: str = "") -> bool:
    """Whether a URI leads to the reader's own computer, from a published site (rules 2, 3)."""
    if _IS_LOCAL(uri) is None or not context.uri.startswith(_ON_WEB) or _IS_LOCAL(context.uri) is not None:
        return False
    if context.uri.startswith(f"{UNKNOWN_HOST}/"):
        return False
    if context.options.web.allows_private and _EXTERNAL in context.options.checks:
        return False
    return context.scope.chooses(uri, reference)


def _of_grammar(context: SiteContext, reference: str) -> list[Problem]:
    """Return the problems that rule 1 keeps."""
    if _IS_DATA(reference) is not None:
        return []
    in_ascii = _ASCII_FOR_OTHERS.sub("~", reference.partition("#")[0])
    return grammar_problems(in_ascii, context.options.how.profile)

"""Apply a rule to a document: `rewrite_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rehref.containers.streams import AnyBytes
from rehref.documents.document import Document
from rehref.rewriting._asking_rules import Asked
from rehref.rewriting.rule import DocumentRule, Rule, offered_by, rule_for
from rehref.text.encoding import Splice


class Rewritten(NamedTuple):
    """A document's new source, of the same type as the old, and how many references were changed.

    `content`: the source; a large one is made in pieces. `asked`: the rule, asked about it; its table says what was
    written. `otherwise`: how many references a built-in rule would have written differently if browsers read them like
    the RFC (`link_properties`).
    `splices`: what was replaced in the bytes of the source (from, to, by what), if requested and known.
    `refused`: lines and columns of references that stay, since the new ones would be read differently there.
    `keeps_base`: the rule would have removed the base, but the document needs it.
    """

    content: AnyBytes | str
    changed: int
    asked: Asked
    splices: Sequence[Splice[bytes]] | None = None
    otherwise: int = 0
    refused: Sequence[tuple[int | None, int | None]] = ()
    keeps_base: bool = False

    @property
    def references(self) -> int:
        """How many references there are."""
        return self.asked.table.references()

    @property
    def data(self) -> bytes | str:
        """The source as a whole."""
        return self.content if isinstance(self.content, str) else bytes(self.content)


def rewrite_document(
    document: Document, rule: Rule | DocumentRule, *, splices: bool = False, percent_encode: bool = False
) -> Rewritten:
    """Apply a rule to a document. `percent_encode`: write every reference as a valid URI."""
    kept = _with_needed_base(document, rule)
    if kept is not None:
        made = rewrite_document(document, kept, splices=splices, percent_encode=percent_encode)
        return made._replace(keeps_base=True)
    splices = splices and document.parsed.recoded is None  # else it has other bytes
    here = rule_for(rule, document.own, document.base, document.how.profile)
    asked = Asked(document, here, valid=percent_encode)
    new = asked.table.rewritten(splices=splices)
    rewritten = Rewritten(new.content, new.changed, asked, new.splices, asked.otherwise, new.refused)
    return _with_policies(document, rewritten)


def _with_needed_base(document: Document, rule: Rule | DocumentRule) -> Rule | DocumentRule | None:
    """A rule that keeps the base of a document, if `rule` does not, and the document needs it; else None.

    Patterns of speculation rules are relative to an embedded base, and stay as they are.
    """
    if document.base.origin != "embedded" or (with_base_kept := offered_by(rule).with_base_kept) is None:
        return None
    kept = with_base_kept()
    return kept if kept is not None and document.declared.relative_patterns else None


def _with_policies(document: Document, made: Rewritten) -> Rewritten:
    """A changed document with its policies right: a hash there that matched before matches after."""
    content = document.source.data if not isinstance(made.content, bytes | str) else made.content
    if made.changed == 0 or not document.may_have_policy(content) or document.reader not in ("html", "xml"):
        return made
    after = document.guarded(document.source._replace(data=made.data))
    if not after.has_hashes:
        return made
    kept = after.following(document.guarded())
    return made if kept == made.data else made._replace(content=kept, splices=None)

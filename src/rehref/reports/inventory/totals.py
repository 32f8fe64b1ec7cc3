"""Sums over all documents of an inventory, in bounded memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rehref.reports.inventory.facts import Facts
from rehref.reports.inventory.structure import Structure
from rehref.reports.inventory.tally import Tally


@dataclass(slots=True)
class Totals:
    """Sums over documents; `Facts` describes each.

    `base_documents`: documents by the origin of their base; `bases`: references by the origin of theirs. `not_read`:
    the number of inputs that could not be read.
    """

    documents: int = 0
    references: int = 0
    rejected: int = 0
    with_problems: int = 0
    not_read: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    base_documents: Counter[str] = field(default_factory=Counter)
    bases: Counter[str] = field(default_factory=Counter)
    places: Tally = field(default_factory=Tally)
    hosts: Tally = field(default_factory=Tally)
    embedded: Tally = field(default_factory=Tally)
    structure: Structure = field(default_factory=Structure)

    def add(self, facts: Facts) -> None:
        """Take in a document."""
        self.documents += 1
        self.references += facts.references
        self.rejected += facts.rejected
        self.with_problems += bool(facts.problems)
        self.kinds.update(facts.kinds)
        self.problems.update(facts.problems)
        self.base_documents[facts.base.origin] += 1
        self.bases.update(facts.bases)
        self.places.add(facts.places)
        self.hosts.add(facts.hosts)
        self.embedded.add(facts.embedded)
        self.structure.add(facts)

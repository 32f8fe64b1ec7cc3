"""Adds to findings what to write instead: findings about files and fragments, and some of the warnings.

A suggestion (`suggestions.py`) is written as the author wrote the reference (`fixing.py`). One that is doubtful is not
sure (`doubts.py`). There is none for a target that is judged by another one (`_target_map.py`), nor beyond a number of
different targets: nobody reads many thousands. They are looked for target by target, so that facts about a file are
needed once. If something is there that only looks different from the wanted name, the message says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.documents.base import Base, clean, without_fragment
from rehref.files.file_documents import folder_uri
from rehref.site._found.repeated import Repeated
from rehref.site._grounds.serving import Located
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import MISSING_FRAGMENT
from rehref.site._pages.fragments import Defined, names_something, without_directive
from rehref.site._pages.targets import is_for_browsers
from rehref.site._pages.written import (
    FILE_URI,
    SUSPICIOUS_HOST,
    UNKNOWN_SCHEME,
    has_two_schemes,
    scheme_meant,
)
from rehref.site._paths import decode_path, encode, shown, wanted_path
from rehref.site._repair.doubts import MISSING_FILES, Doubts, Misspelt, not_misspelt
from rehref.site._repair.fixing import DOTS, new_reference
from rehref.site._repair.lost_schemes import lost_scheme, with_slashes
from rehref.site._repair.names_found import form_of, is_other_form, may_show
from rehref.site._repair.second_signs import NeedsSign, OfOneName, without_sign
from rehref.site._repair.suggestions import Suggester, Suggestion
from rehref.site._series import editions
from rehref.site.codes import CODES
from rehref.site.findings import Finding
from rehref.uri.components import split, unsplit
from rehref.uri.resolver import Resolver

_KEPT: Final = 512
_SURROUNDINGS_KEPT: Final = 20_000
_BEFORE_NAME = re.compile(r"(?:https?:|\\\\)(?=[^/\\?#])", re.IGNORECASE).match
_NONE: Final = frozenset[str]()
_NOT_THERE: Final = frozenset({"missing-file", "missing-index"})
_SPELLING: Final = frozenset({"not-a-uri", "browser-differs"})


def with_suggestions(
    context: SiteContext,
    rows: Sequence[Repeated],
    defined: Callable[[str], Defined | None],
    most: int | None,
    *,
    doubts: Iterable[Repeated],
    only: Collection[str | None] | None = None,
) -> list[Finding]:
    """The first findings of rows, with suggestions for `most` different targets (None: for all).

    `defined`: what fragments may lead to in the document at a path; None if that is not known. `doubts`: all rows,
    these and those that are not reported: they may say that links work anyway. `only`: the targets that get a
    suggestion, if not all do.
    """
    findings = [row.finding for row in rows]
    defined = lru_cache(maxsize=_KEPT)(defined)
    suggester = Suggester(
        context.files,
        lambda path: _NONE if (here := defined(path)) is None else here.names,
        context.uri_of,
        index_names=context.host.index_names,
        extensions=context.host.fallback_extensions,
    )
    suggesting = Suggesting(context, suggester, Doubts(context, doubts), defined)
    targets = dict.fromkeys(finding.target for finding in findings if _may_have_one(finding))
    chosen = set(targets if most is None else islice(targets, most))
    chosen = chosen if only is None else chosen.intersection(only)
    found = list(findings)
    misspelt, alone = list[Misspelt](), list[NeedsSign]()
    numbers: dict[str, list[int]] = {}
    for number, finding in enumerate(findings):
        if finding.target is not None and finding.target in chosen:
            numbers.setdefault(finding.target, []).append(number)
    for target in sorted(numbers):
        remembered: dict[tuple[object, ...], MeantReference] = {}
        for number in numbers[target]:
            found[number], meant = suggesting.suggested(findings[number], remembered)
            if found[number].sure and meant.misspelt:
                misspelt.append(Misspelt(number, rows[number], meant.misspelt))
            if found[number].sure and meant.of_one_name is not None:
                alone.append(NeedsSign(number, found[number], meant.of_one_name))
    lonely = without_sign(context, alone, _missing(context, found, alone), defined) if alone else set[int]()
    for number in not_misspelt(context, misspelt) | lonely:
        found[number] = found[number]._replace(sure=False)
    return found


def _missing(context: SiteContext, found: Sequence[Finding], alone: Iterable[NeedsSign]) -> set[str]:
    """Return the paths that are missing, and stay so whatever else is corrected."""
    in_need = {one.number for one in alone}
    targets = {
        one.target
        for number, one in enumerate(found)
        if one.target is not None and one.code in MISSING_FILES and (not one.sure or number in in_need)
    }
    return {wanted_path(each, context.uri, context.locator.root_dir)[0] for each in targets}


def _may_have_one(finding: Finding) -> bool:
    """Whether there may be a suggestion for a finding."""
    if finding.code in _SPELLING:
        return is_for_browsers(finding.reference) is not None
    return finding.code == SUSPICIOUS_HOST or CODES[finding.code].severity == "error"


class MeantReference(NamedTuple):
    """What is known about a wrong reference.

    `written`: what to write instead, None if not known; `path`: where that leads (`Suggestion.path`). `sure`,
    `misspelt`: as in `Suggestion`, as far as the document does not matter. `note`: a clause to add to the message.
    `of_one_name`: the names for which a second sign is needed.
    """

    written: str | None = None
    path: str | None = None
    sure: bool = False
    misspelt: frozenset[str] = frozenset()
    note: str = ""
    of_one_name: OfOneName | None = None


@dataclass(frozen=True, slots=True)
class Suggesting:
    """Adds suggestions to the findings of one site; `defined`: as for `with_suggestions`."""

    context: SiteContext
    suggester: Suggester
    doubts: Doubts
    defined: Callable[[str], Defined | None]

    def suggested(
        self, finding: Finding, remembered: dict[tuple[object, ...], MeantReference]
    ) -> tuple[Finding, MeantReference]:
        """A finding with what to write instead, if that is known, and what is known about its reference.

        `remembered`: the results for other references with the same target, of all documents of a folder: nothing else
        of a document matters, except whether it is itself the target, and the editions in its name (`_series.py`).
        """
        if finding.target is None or finding.base is None:
            return finding, MeantReference()
        key = (finding.code, finding.reference, _surroundings(finding.document, finding.base.uri or ""))
        meant = remembered.get(key)
        if meant is None or self._is_itself(meant, finding.document):
            meant = self._meant(finding, finding.target, finding.base)
            if not self._is_itself(meant, finding.document):
                remembered[key] = meant
        if meant.written is None or not self._is_there(finding, meant):
            return (finding._replace(message=finding.message + meant.note) if meant.note else finding), MeantReference()
        sure = meant.sure and not self.doubts.any_about(finding)
        return finding.with_suggestion(finding.message + meant.note, meant.written, sure=sure), meant

    def _is_itself(self, meant: MeantReference, document: str) -> bool:
        return meant.path is not None and self.suggester.file_of(meant.path) == document

    def _is_there(self, finding: Finding, meant: MeantReference) -> bool:
        """Whether the new reference leads to something, and not to the document itself, unless that has the fragment.

        No file is suggested for a reference with a fragment that names nothing there, as far as that is known.
        """
        file = None if meant.path is None else self.suggester.file_of(meant.path)
        if file is None:
            return True
        if not may_show(finding.element, file):
            return False
        fragment = without_directive((meant.written or "").partition("#")[2])
        if file == finding.document and finding.code in _NOT_THERE and (fragment == "" or self.defined(file) is None):
            return False
        return names_something(file, fragment, self.defined, self.context.options.script_ids)

    def _meant(self, finding: Finding, target: str, base: Base) -> MeantReference:
        """What is known about the reference of a finding."""
        if finding.code == FILE_URI:
            return self._of_file_uri(target, base)
        if finding.code in (UNKNOWN_SCHEME, SUSPICIOUS_HOST):
            return MeantReference(self._with_another_beginning(clean(finding.reference), base))
        if finding.code in _SPELLING:
            beside = self._beside(clean(finding.reference), base)
            return beside or MeantReference(with_slashes(clean(finding.reference), base.uri or "", target), sure=True)
        document = without_fragment(target)
        if self.context.locator.mapped(document) != document:
            return MeantReference()
        wanted, fragment = wanted_path(target, self.context.uri, self.context.locator.root_dir)
        suggestion: Suggestion | None = None
        note = ""
        if finding.code in MISSING_FILES or finding.code == MISSING_FRAGMENT:
            literal = self._named_literally(target, clean(finding.reference), base)
            if literal is not None and literal.path != self.suggester.file_of(wanted):
                return literal
        if finding.code in MISSING_FILES:
            names = split(clean(finding.reference)).path.split("/")
            suggestion = self.suggester.for_missing_file(
                wanted,
                finding.document,
                sum(name not in DOTS for name in names),
                unquote(without_directive(fragment or "")),
            )
            if suggestion is not None and self._is_elsewhere_too(finding.reference, wanted, suggestion.path):
                suggestion = None
            scheme = lost_scheme(clean(finding.reference))
            is_folder = scheme is not None and not scheme.evident and scheme.host in self.context.files.folders
            if (
                scheme is not None
                and not is_folder
                and scheme.precedes(None if suggestion is None else suggestion.path)
            ):
                return MeantReference(scheme.uri)
        elif finding.code == MISSING_FRAGMENT and fragment is not None:
            file = self.suggester.file_of(wanted)
            # a redirection may have led to another file, or with another fragment
            if file is not None and self.context.locator.locate(document) == Located(file, "", ""):
                query_last = self._with_query_first(finding.reference, file)
                if query_last is not None:
                    return query_last
                suggestion = self.suggester.for_missing_fragment(file, fragment)
                note = _on_form(fragment, suggestion)
        if suggestion is None and finding.code == "missing-index":
            index = self.context.locator.other_indexes.get(wanted.rstrip("/"))
            suggestion = None if index is None else Suggestion(index, sure=False)
        if suggestion is None:
            return MeantReference(note=note)
        new = new_reference(suggestion, finding.reference, base.uri, self.suggester.uri_of)
        if new is None or new == finding.reference:
            return MeantReference(note=note)
        alike = self._of_one_name(wanted, fragment, suggestion) if suggestion.needs_sign else None
        return MeantReference(new, suggestion.path, suggestion.sure, suggestion.misspelt, note, alike)

    def _is_elsewhere_too(self, reference: str, wanted: str, found: str) -> bool:
        """Whether a path from the root seems wrong only because the folder is taken for the root, which nothing says.

        `/kites/style.css` is right where the folder is at `/kites/`: it must not become `/style.css`.
        """
        first, slash, _ = wanted.partition("/")
        is_guessed = self.context.place.basis == "root" and clean(reference).startswith("/")
        return (
            is_guessed
            and slash != ""
            and first not in self.context.files.folders
            and (found.count("/") < wanted.count("/"))
        )

    def _of_one_name(self, wanted: str, fragment: str | None, suggestion: Suggestion) -> OfOneName:
        file = self.suggester.file_of(suggestion.path) or suggestion.path
        if suggestion.fragment is not None:
            return OfOneName(unquote(without_directive(fragment or "")), suggestion.fragment, file, is_id=True)
        return OfOneName(wanted, suggestion.path, file, occurs_once=self.suggester.occurs_once(suggestion.path))

    def _named_literally(self, target: str, reference: str, base: Base) -> MeantReference | None:
        """What is known about a reference that is literally the name of a file (`names_found.named_literally`)."""
        named = self.suggester.named_literally(target.removeprefix(self.context.uri))
        if named is None or not target.startswith(self.context.uri):
            return None
        path, name, tail = named
        cut = reference.removesuffix(tail).partition("?")[0].partition("#")[0]
        new = new_reference(Suggestion(path, sure=True), cut, base.uri, self.suggester.uri_of)
        if new is None:
            return None
        which = "" if path.endswith(name) else f"{shown(name)} "
        note = f"; {shown(path)} is there, and {which}is written {encode(name)}"
        return MeantReference(new + tail, path, sure=True, note=note)

    def _beside(self, reference: str, base: Base) -> MeantReference | None:
        r"""What is known about `http:a.html` or `\\a.html`: a file beside the page may be meant, not a host."""
        lost = _BEFORE_NAME(reference)
        if lost is None:
            return None
        written = reference[lost.end() :]
        path = wanted_path(
            Resolver(base.uri or "", relative_base=True)(written), self.context.uri, self.context.locator.root_dir
        )[0]
        file = self.suggester.file_of(path)
        return None if file is None else MeantReference(written, path)

    def _with_query_first(self, reference: str, file: str) -> MeantReference | None:
        """What is known about `#id?x=1`: a query comes before the fragment."""
        before, _, fragment = clean(reference).partition("#")
        name, mark, query = fragment.partition("?")
        here = self.defined(file) if mark else None
        if here is None or unquote(name) not in here.names:
            return None
        return MeantReference(f"{before}{'&' if '?' in before else '?'}{query}#{name}", file)

    def _of_file_uri(self, target: str, base: Base) -> MeantReference:
        """What is known about a `file:` URI: if it names a file of the folder, that file is meant.

        It is not sure: a generated one, such as a canonical link, may have to be a whole URI.
        """
        parts, folder = split(target), decode_path(split(folder_uri(self.context.folder)).path)
        whole = decode_path(parts.path)
        path = whole.removeprefix(folder)
        if parts.authority or not whole.startswith(folder) or self.suggester.file_of(path) is None:
            return MeantReference()
        new = new_reference(Suggestion(path, sure=True), "", base.uri, self.suggester.uri_of)
        return (
            MeantReference()
            if new is None
            else MeantReference(unsplit(split(new)._replace(query=parts.query, fragment=parts.fragment)), path)
        )

    def _with_another_beginning(self, reference: str, base: Base) -> str | None:
        """What to write for a reference with a scheme or a host that hardly is one. It is never sure.

        A misspelt scheme becomes the common one; the first of two schemes is removed; two slashes and a host of one
        label become the path from the root of the file that has such a path in the folder.
        """
        if (twice := has_two_schemes(reference)) is not None:
            inner = reference[twice.start(1) :]
            return inner if (meant := lost_scheme(inner)) is None else meant.uri
        if (scheme := scheme_meant(reference)) is not None:
            return scheme + reference[reference.index(":") :]
        rooted = "/" + reference.replace("\\", "/").lstrip("/")
        path = decode_path(split(rooted).path[1:])
        is_there = self.suggester.file_of(path) is not None
        return (
            new_reference(Suggestion(path, sure=False), rooted, base.uri, self.suggester.uri_of) if is_there else None
        )


@lru_cache(maxsize=_SURROUNDINGS_KEPT)  # asked for each target again
def _surroundings(document: str, base: str) -> tuple[str, frozenset[str], str]:
    """The facts about a document and its base that affect the result and its form: folders, and editions."""
    names = document.split("/")
    return "/".join(names[:-1]), editions(names), base if "?" in base else base.rpartition("/")[0]


def _on_form(fragment: str, suggestion: Suggestion | None) -> str:
    """A clause for the message if only the normalization form differs."""
    wanted, name = unquote(without_directive(fragment)), None if suggestion is None else suggestion.fragment
    if name is None or not is_other_form(wanted, name):
        return ""
    forms = f"in another Unicode normalization form: {form_of(name)}, and the reference in {form_of(wanted)}"
    return f"; the one that looks the same is {forms}"

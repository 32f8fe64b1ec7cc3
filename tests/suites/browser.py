"""What Chromium says of documents made for this: the same places, the same base, the same targets.

- The answers list every attribute that may carry a reference, in tree order: element, namespace, attribute, value, and
  the URL that resolving the value gives. Style, metadata and what templates hold are not in them.
- In the profile `whatwg`, places, base and targets are the same.
- In the profile `rfc3986`, a link carries `browser-differs` if a browser makes another URL of the reference than of
  the target that link has, or none, and only then.
- What differs all the same is named by the document and what differs there (`order`, `target of` a reference).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

import rehref
from rehref.documents._carriers.html_attributes import HTML_CARRIERS, MATHML_CARRIERS, SVG_CARRIERS
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.files.sources import open_document
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, IN_TEMPLATE, MATHML, SVG, Place, Wanted
from rehref.text.encoding import Source
from rehref.uri.resolver import Profile, parse_or_none
from suites import TESTS, Result, listed

CORE = core()

ANSWERS = TESTS.parent / "fixtures" / "browser" / "answers.json"
LIST = TESTS / "documents" / "browser_expected_differences.txt"

_NAMESPACES = {"xhtml": HTML, "svg": SVG, "MathML": MATHML}
_TABLES = {HTML: HTML_CARRIERS, SVG: SVG_CARRIERS, MATHML: MATHML_CARRIERS}
_LISTS = ("srcset", "imagesrcset", "ping")
# in the order in which the answers have those of one element
ATTRIBUTES = (
    *("href", "xlink:href", "src", "action", "formaction", "data", "poster", "cite", "background", "longdesc"),
    *("srcset", "imagesrcset", "usemap", "codebase", "manifest", "ping", "lowsrc"),
)


class Answer(NamedTuple):
    """One attribute, as Chromium has it; `target` None: it finds no URL there."""

    element: str
    namespace: str
    attribute: str
    value: str
    target: str | None


class Case(NamedTuple):
    """A document, its URL, and Chromium's answers."""

    name: str
    url: str
    html: str
    base: str
    answers: list[Answer]


class Announcement(NamedTuple):
    """Whether a browser makes another URL of a reference than of its target, and whether the link says so."""

    name: str
    answer: Answer
    target: str | None
    differs: bool
    said: bool


def read_cases() -> list[Case]:
    """The documents and their answers."""
    read = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return [
        Case(
            each["name"],
            each["url"],
            each["html"],
            each["baseURI"],
            [Answer(element, _NAMESPACES[space], *rest) for element, space, *rest in each["links"]],
        )
        for each in read
    ]


def places(cases: list[Case]) -> Result:
    """Hold the places that are found to Chromium's."""
    failed = set()
    for case in cases:
        found = [place[:4] for place in places_of(case)]
        answers = [answer[:4] for answer in case.answers]
        if found != answers:
            failed.add(f"{case.name}\t{'order' if sorted(found) == sorted(answers) else 'places'}")
    return Result(len(cases), frozenset(failed))


def bases(cases: list[Case]) -> Result:
    """Hold the bases in the profile `whatwg` to Chromium's."""
    failed = set()
    for case in cases:
        found = open_document(case.html, SourceOptions(url=case.url, how=ReadOptions(profile="whatwg"))).base.uri
        if found != parse_or_none(case.base.partition("#")[0]):
            failed.add(f"{case.name}\tbase")
    return Result(len(cases), frozenset(failed))


def targets(cases: list[Case]) -> Result:
    """Hold the targets in the profile `whatwg` to Chromium's; lists and `base` elements aside."""
    compared = 0
    failed = set()
    for case in cases:
        for answer, link in _links_of(case, "whatwg"):
            compared += 1
            if link.target != (case.url.partition("#")[0] if _is_own(answer) else answer.target):
                failed.add(_target(case, answer))
    return Result(compared, frozenset(failed))


def announcements(cases: list[Case]) -> list[Announcement]:
    """Where browsers go, and what links in the profile `rfc3986` say of that.

    Left out are references within the document, and those of which Chromium is known to say something odd.
    """
    odd = listed(LIST)
    found = []
    for case in cases:
        for answer, link in _links_of(case, "rfc3986"):
            if _is_own(answer) or link.kind == "fragment" or _target(case, answer) in odd:
                continue
            said = any(problem.code == "browser-differs" for problem in link.problems)
            differs = answer.target is None or link.target is None or parse_or_none(link.target) != answer.target
            found.append(Announcement(case.name, answer, link.target, differs, said))
    return found


def announced(cases: list[Case]) -> Result:
    """Hold the problem `browser-differs` to where Chromium goes."""
    found = announcements(cases)
    failed = {f"{each.name}\t{each.answer.value} to {each.target}" for each in found if each.differs and not each.said}
    return Result(len(found), frozenset(failed | {f"{each.name}\t{each.answer.value}" for each in needless(found)}))


def needless(found: list[Announcement]) -> list[Announcement]:
    """Those that are said to differ and do not.

    A target without an authority, where browsers have one, is announced in any case.
    """
    rooted = ("http:", "https:", "///")
    return [each for each in found if each.said and not each.differs and not each.answer.value.startswith(rooted)]


def places_of(case: Case) -> list[Place]:
    """Every attribute of a document that the answers would have, in the order they would have it in."""
    wanted = Wanted(frozenset(ATTRIBUTES))
    parsed = CORE.parse(Source(case.html), wanted)
    found = [Place._make(place) for place in parsed.places]
    if parsed.recoded is not None:
        at = parsed.recoded.at
        found = [each._replace(start=at(each.start or 0), end=at(each.end or 0)) for each in found]
    found = [place for place in found if not place.flags & IN_TEMPLATE]
    return sorted(found, key=lambda place: (place.tag, ATTRIBUTES.index(place.attribute or "")))


def _links_of(case: Case, profile: Profile) -> Iterator[tuple[Answer, rehref.Link]]:
    """Each answer about a single reference, `base` elements aside, with the link there."""
    links = rehref.links(case.html, url=case.url, profile=profile)
    answers = list(case.answers)
    for place in places_of(case):
        answer = next(each for each in answers if each[:4] == place[:4])
        answers.remove(answer)
        carrier = _TABLES[place.namespace].get((place.element, place.attribute or ""))
        carrier = carrier or _TABLES[place.namespace].get(("*", place.attribute or ""))
        if carrier is None or place.attribute in _LISTS or (place.element, place.namespace) == ("base", HTML):
            continue
        assert place.start is not None
        assert place.end is not None
        here = [
            link
            for link in links
            if (link.element, link.attribute) == (place.element, place.attribute)
            and link.span is not None
            and place.start <= link.span[0] <= link.span[1] <= place.end
        ]
        assert len(here) == 1, (case.name, place, here)
        yield answer, here[0]


def _target(case: Case, answer: Answer) -> str:
    """What a difference in the target of a reference is called."""
    return f"{case.name}\ttarget of {answer.value}"


def _is_own(answer: Answer) -> bool:
    """Whether the reference means the document itself, whatever the base: an empty action."""
    return answer.value == "" and answer.attribute in ("action", "formaction")

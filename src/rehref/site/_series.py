"""Names and paths that mean something else than the wanted ones: other members of a series, or other editions.

Case does not count. The time of everything depends on the length of the names only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rehref.text.encoding import alike_up_to

_LAST_CAPITAL = re.compile(r"(?<=[a-z])[A-Z](?![A-Za-z])")
_WORD = re.compile(r"\d+|[^\W\d_]+")
_PLAIN = re.compile(r"[\d\s._-]+")
_ROMAN = re.compile(r"[ivx]{2,5}").fullmatch
_TWO_LETTERS = re.compile(r"[a-z]{2}").fullmatch
_LOCALE = re.compile(r"([a-z]{2})(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?").fullmatch  # RFC 5646 §2.1
_NOT_DONE = r"(?:[._-]?(?:alpha|beta|rc|dev|pre|a|b)\d*)?"
_VERSION = re.compile(rf"v\d+(?:[._-](?:\d+|x))*{_NOT_DONE}|\d+(?:\.(?:\d+|x))+{_NOT_DONE}").fullmatch
_FEWEST: Final = 3
_STANDS_FOR_ANOTHER = re.compile(r"^[@~$%#:\[(]|[{<]").search

_LISTS: Final = {
    "codes": (
        "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el "
        "en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it "
        "iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt "
        "my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl "
        "sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo "
        "za zh zu"
    ),
    "languages": (
        "arabic chinese czech danish dutch english finnish french german greek hebrew hindi hungarian italian japanese "
        "korean norwegian polish portuguese romanian russian spanish swedish turkish ukrainian "
        "deutsch espanol español francais français italiano nederlands polski portugues português"
    ),
    "versions": (
        "alpha beta canary current dev devel development edge latest lts main master next nightly preview snapshot "
        "stable trunk unstable"
    ),
    "everywhere": (
        "appendix background banner changelog changes chapter contents cover default eq equation fig figure home icon "
        "image img page part photo pic picture preview readme screen screenshot section slide table thumb thumbnail toc"
    ),
}
_CODES: Final = frozenset(_LISTS["codes"].split())
_LANGUAGES: Final = frozenset(_LISTS["languages"].split())
_VERSIONS: Final = frozenset(_LISTS["versions"].split())
_EVERYWHERE: Final = frozenset(_LISTS["everywhere"].split())


def is_in_series_with(one: str, other: str) -> bool:
    """Whether two different names, without extensions, may be members of one series.

    They are if they differ only in words that count in a series (`fig-a` and `fig-b`, `part-1` and `part`, `guide.en`
    and `guide.fr`), or if both are the name of an edition.
    """
    words, others = _words(one), _words(other)
    same = alike_up_to(words, others)
    words, others = words[same:], others[same:]
    same = alike_up_to(words[::-1], others[::-1])
    rest = [*words[: len(words) - same], *others[: len(others) - same]]
    if not rest:  # only the separators differ
        return False
    return all(map(_counts, rest)) or (_may_be_edition(one.lower()) and _may_be_edition(other.lower()))


def editions(names: Iterable[str]) -> frozenset[str]:
    """The names, of some in lower case, that are surely names of editions: a language or a version.

    A language is its code, with a region or without, or its usual name; any two letters, beside another edition. A
    version is a number, `v2`, `1.2.x`, `latest`. If there is nothing to compare it with, it must be one for sure: a
    language with a known code or name, or a version with a name, a `v` or a dot.
    """
    return frozenset(
        name for name in map(str.lower, names) if _is_language(name) or name in _VERSIONS or _VERSION(name)
    )


def is_distinctive(name: str) -> bool:
    """Whether a name, without extension, probably occurs once.

    It has at least `_FEWEST` characters, without digits and separators of words, and is not one that every folder may
    have (`readme`, `cover`, `chapter-2`).
    """
    if "".join(word for word in _words(name) if not _counts(word)) in _EVERYWHERE:
        return False
    return len(_PLAIN.sub("", name)) >= _FEWEST or not name.isascii()


def is_numbered(name: str) -> bool:
    """Whether a name, without extension, ends in a number: every folder may have a file of that name (`form_0`)."""
    words = _words(name)
    return bool(words) and words[-1].isdigit()


def _words(name: str) -> list[str]:
    """The words of a name, in lower case.

    Letters in a row, digits in a row, and a capital letter at the end of a word.
    """
    return _WORD.findall(_LAST_CAPITAL.sub(r" \g<0>", name).lower())


def _counts(word: str) -> bool:
    """Whether a word may distinguish members of a series.

    That is a number, a single letter, a Roman numeral of `i`, `v` and `x`, or the code of a language (ISO 639-1).
    """
    return len(word) == 1 or word.isdigit() or word in _CODES or _ROMAN(word) is not None


def _is_language(name: str) -> bool:
    locale = _LOCALE(name)
    return name in _LANGUAGES or (locale is not None and locale[1] in _CODES)


def _may_be_edition(name: str) -> bool:
    return (
        name in _VERSIONS
        or name.isdigit()
        or _is_language(name)
        or _TWO_LETTERS(name) is not None
        or _VERSION(name) is not None
    )


_NO_DIGITS = re.compile(r"\D+")
_MOST_EDITS: Final = 2
_PAGES: Final = frozenset({".htm", ".html", ".shtml", ".xhtml", ".xht", ".php", ".asp", ".aspx", ".md"})


def is_another(wanted: str, name: str) -> bool:
    """Whether two different names mean different things, rather than one being a misspelling.

    They do if they are of one series, or an edit or two away with a different number.
    """
    if is_in_series_with(wanted, name):
        return True
    return _NO_DIGITS.sub("", wanted) != _NO_DIGITS.sub("", name) and edits(wanted, name) <= _MOST_EDITS


def is_another_path(wanted: str, found: str, document: str) -> bool:
    """Whether a path that was found for a wanted one may lead to something else.

    If two folders are at the same depth, one must not be a different one (`is_another`): `v1/api/guide.html` is not
    `v2/api/guide.html`. `document`: the path of the document with the reference. All paths are below the folder; that
    of a folder ends with a slash.
    """
    _, names, others = _folders(wanted, found)
    if any(one != other and is_another(one, other) for one, other in zip(names, others, strict=False)):
        return True
    return is_another_edition(wanted, found, document)


def is_another_edition(wanted: str, found: str, document: str) -> bool:
    """Whether a path may lead to another edition than a wanted one, or to where only a program leads.

    It does if one path names a language or version, and the other names none, or another one: the page `fr/about.html`
    is not `about.html`. But if a reference from within an edition lacks its name, it means that edition; and a file
    that is not a page, and in no edition, belongs to all of them. `document`: as in `is_another_path`; "" if it is not
    on the host that the paths are on.
    """
    _, names, others = _differing(wanted.rstrip("/").split("/"), found.rstrip("/").split("/"))
    if _signs(names) != _signs(others):
        return True
    here, there = editions(names), editions(others)
    if here == there or (not here and there <= editions(document.split("/"))):
        return False
    before, dot, extension = found.rpartition("/")[2].rpartition(".")
    return bool(there) or before == "" or (dot + extension).lower() in _PAGES


def folders_beside(wanted: str, found: str) -> tuple[str, str] | None:
    """The two folders in which two paths differ, if these are siblings; else None."""
    above, names, others = _folders(wanted, found)
    return ("/".join((*above, *names)), "/".join((*above, *others))) if len(names) == len(others) == 1 else None


def folder_left_out(wanted: str, found: str) -> str | None:
    """The first folder of a wanted path that the found one does not have; None if it has all of them."""
    above, names, _ = _folders(wanted, found)
    return "/".join((*above, names[0])) if names else None


def ends_alike(one: str, other: str) -> bool:
    """Whether one path is the end of the other, and names a folder."""
    shorter, longer = sorted((one, other), key=len)
    return "/" in shorter[:-1] and longer.endswith(f"/{shorter}")


def _folders(one: str, other: str) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The folders above both of two paths, and the folders below them in which they differ.

    Their common beginning and end do not count.
    """
    return _differing(one.rstrip("/").split("/")[:-1], other.rstrip("/").split("/")[:-1])


def _signs(names: Iterable[str]) -> list[str]:
    """The signs by which some names stand for others.

    A name that begins with a sign, or has a brace, stands for a folder that only a program knows, such as `@` (Zola),
    `@site` (Docusaurus), `~`, `$lib` or `{{ root }}`; or it is a name of its own, such as `@anna`. A path with such a
    name is not one without it.
    """
    return [sign[0] for sign in map(_STANDS_FOR_ANOTHER, names) if sign is not None]


def _differing(names: Sequence[str], others: Sequence[str]) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The names that two lists begin with, and in each the names that are not in the common beginning or end."""
    above = alike_up_to(names, others)
    below = alike_up_to(names[above:][::-1], others[above:][::-1])
    return names[:above], names[above : len(names) - below], others[above : len(others) - below]


def edits(one: str, other: str) -> int:
    """How many edits turn one text into another, a swap only as the last of them; 3 for any above 2.

    An edit inserts, deletes or replaces a character, or swaps two neighbours.
    """
    if one == other:
        return 0
    if abs(len(one) - len(other)) > 2:
        return 3
    same = alike_up_to(one, other)
    one, other = one[same:], other[same:]
    same = alike_up_to(one[::-1], other[::-1])
    one, other = one[: len(one) - same], other[: len(other) - same]
    if one == "" or other == "":
        return len(one) + len(other)
    if len(one) == len(other) == 1 or (len(one) == len(other) == 2 and one == other[::-1]):
        return 1
    # both the first and the last characters differ: one edit is at the beginning, and one at the end
    first = ((one[1:], other[1:]), (one[1:], other), (one, other[1:]))
    return 2 if any(_is_edited_at_the_end(rest, other_rest) for rest, other_rest in first) else 3


def _is_edited_at_the_end(one: str, other: str) -> bool:
    more = len(one) - len(other)
    if more == 0:
        return one[:-1] == other[:-1] or (one[:-2] == other[:-2] and one[-2:] == other[:-3:-1])
    return one[:-1] == other if more == 1 else more == -1 and one == other[:-1]

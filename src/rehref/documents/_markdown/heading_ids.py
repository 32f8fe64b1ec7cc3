"""The ids that generators and forges give to headings, by dialect: what remains of the characters of a heading's text.

Where it is not known for certain which id a heading gets, all that it may get count (`IdRules.texts`). A
repeated id gets a number. `{#id}` at the end of a heading is its id instead, where the dialect has that.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from itertools import dropwhile
from types import MappingProxyType
from typing import Final, NamedTuple
from unicodedata import category, normalize

from rehref.documents._markdown.read_markdown import Heading
from rehref.text.encoding import Splice

Ids = Callable[[bytes, Sequence[Heading]], Sequence[tuple[str, ...]]]
"""Gives the ids of headings in a text: none, one, or several."""

_OPENING = re.compile(r"\A[ \t]{0,3}#{1,6}[ \t]*")
_UNDERLINE = re.compile(rb"[ \t]*+(?:=++|-++)").fullmatch
_LISTS = re.compile(rb"\{:?([^{}\n]*+)\}").finditer
_LABELS = re.compile(rb"^#\|[ \t]*label:[ \t]*(\S+)", re.MULTILINE).finditer
_LINES = re.compile(
    rb"^[ \t>]*(?:(`{3,}|~{3,})|\{\{[<%][ \t]*highlight\b)[^\n]*?\blineanchors[ \t]*=[ \t]*\"?([\w-]+)[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.IGNORECASE,
)
_FIRST_LINE = re.compile(rb"\blinenostart[ \t]*=[ \t]*(\d{1,9})", re.IGNORECASE).search
_END_OF_LINES = re.compile(rb"\{\{[<%][ \t]*/[ \t]*highlight").search
_IN_HTML = re.compile(rb"<h([1-6])\b[^<>]*+>([^<]*+(?:<(?!/?h[1-6]\b)[^<]*+)*)</h\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*+>")
_ID = re.compile(rb"(?<!\S)#(\S+)")
_NEXT_LINE = re.compile(rb"[ ]{0,3}\{:([^{}\n]*+)\}[ \t]*+\r?(?:\n|\Z)").match
_DASHES = re.compile("-{2,3}")
_UNDEFINED = re.compile(r"\[([^\[\]]*+)\]\[[^\[\]]*+\]")
_NUMBERED = re.compile(r"(.*)_([0-9]{1,18})").fullmatch
_SIGNS = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")
_NOT_IN_DOCSIFY = re.compile("[\u2000-\u206f\u2e00-\u2e7f\\\\'!\"#$%&()*+,./:;<=>?@\\[\\]^`{|}~]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_CONFIGURED = re.compile(r":id=([^\s:]+)").search
_NOT_IN_GITBOOK = re.compile("[\\]\\[!\"'#$%&()*+,./:;<=>?@^_`{|}~©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_EMOJI = re.compile(r":[\w+-]+:")
_KEPT: Final = frozenset({"Nd", "Nl", "Pc"})


def _github(text: str) -> str:
    """github-slugger: letters, marks, digits, `_`, `-` remain.

    MDC's (`nuxt`), Starlight's and Docusaurus' are the same.
    """
    return "".join(
        "-" if char == " " else char
        for char in text.lower()
        if char in "- " or category(char)[0] in "LM" or category(char) in _KEPT
    )


def _gitlab(text: str) -> str:
    """As GitHub, but runs of hyphens become one, and only digits get `anchor-` before them.

    (By its source text, not run.)
    """
    made = re.sub("-+", "-", _github(text.strip()))
    return f"anchor-{made}" if made.isdecimal() else made


def _mkdocs(text: str) -> str:
    """Python-Markdown's toc: ASCII alone, after decomposition (NFKD); runs of spaces and hyphens become one."""
    ascii_only = normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())


def _hugo(written: str) -> str:
    """Hugo's type `github`: no marks; an empty text is `heading`."""
    kept = (char for char in written.strip() if char in " -_" or category(char)[0] == "L" or category(char) == "Nd")
    return "".join("-" if char == " " else char.lower()[0] for char in kept) or "heading"


def _vitepress(text: str) -> str:
    """`slugify` of @mdit-vue/shared: after decomposition (NFKD), runs of ASCII signs and spaces become one hyphen."""
    plain = "".join(char for char in normalize("NFKD", text) if char >= " ")
    made = _SIGNS.sub("-", _ACCENTS.sub("", plain)).strip("-").lower()
    return f"_{made}" if "0" <= made[:1] <= "9" else made


def _mdbook(text: str) -> str:
    lowered = _ACCENTS.sub("", text.lower())
    kept = (char for char in lowered if char.isspace() or char in "-_" or category(char)[0] in "LMN")
    return "".join("-" if char.isspace() else char for char in kept)


def _zola(text: str) -> str:
    """The crate slug: ASCII alone."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def _docsify(written: str) -> str:
    """The heading as it is written, without signs and emoji."""
    text = re.sub("[A-Z]+", lambda found: found[0].lower(), normalize("NFC", written.strip()))
    kept = (char for char in _NOT_IN_DOCSIFY.sub("", _TAG.sub("", text)) if category(char) != "So" and char != "\ufe0f")
    made = re.sub(r"\s", "-", "".join(kept))
    return f"_{made}" if "0" <= made[:1] <= "9" else made


def _gitbook(text: str) -> str:
    """kramed, in HonKit: all but some signs remains; nothing is numbered."""
    return _NOT_IN_GITBOOK.sub("", text.replace("\t", "    ")).replace(" ", "-").lower().removeprefix("-")


def _quarto(text: str) -> str:
    """pandoc: letters, digits, `_`, `-`, `.` from the first letter on; `section` if none is left."""
    kept = "".join(char for char in text.lower() if char.isspace() or char in "_-." or category(char)[0] in "LN")
    return "".join(dropwhile(lambda char: not char.isalpha(), "-".join(kept.split()))) or "section"


def _joined_once(ids: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Ids as `_counted` makes them, with runs of hyphens as one, none around them, and no digit first."""
    joined = (re.sub("-+", "-", id).strip("-") for id in _counted(ids, taken))
    return [f"_{id}" if "0" <= id[:1] <= "9" else id for id in joined]


def _text_end(data: bytes, heading: Heading) -> int:
    """Where the text of a heading ends: before its underline, or its closing `#`s."""
    text = data[heading.start : heading.end].rstrip()
    above, _, last = text.rpartition(b"\n")
    text = above.rstrip() if above and _UNDERLINE(last) else text
    unclosed = text.rstrip(b"#")
    return heading.start + len(unclosed.rstrip() if unclosed[-1:] in (b" ", b"\t") else text)


def _attributes(rules: IdRules, data: bytes, heading: Heading) -> re.Match[bytes] | None:
    """The attributes of a heading: on the line behind it, if an id is there, or at its end.

    `{#id}`; in Python-Markdown also `{: #id }`, in Hugo `{ #id }`, in Docusaurus `{/* #id */}`, in Docsify `:id=x`.
    kramdown wants nothing else in the braces, and nothing behind them, and takes the next line.
    """
    if rules.attributes is None:
        return None
    found = _NEXT_LINE(data, heading.end) if rules.has_next_line else None
    if found is not None and _id_in(found[1]):
        return found
    end = _text_end(data, heading)
    start = data.rfind(b"{", heading.start, end)
    return None if start == -1 else rules.attributes.fullmatch(data, start, end)


def _id_in(attributes: bytes) -> str:
    """The id in a list of attributes, or ""."""
    return b"".join(_ID.findall(attributes)[-1:]).decode()


def _counted(ids: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Ids, of which each is used once: what is taken is counted on (`hello-1-1`), but not in kramdown and GitLab.

    The number is behind `-`, for `mkdocs` behind `_`.
    """
    counts = dict.fromkeys(taken, 0)
    made = []
    for id in ids:
        new = id
        while new in counts:
            counts[id] += 1
            new = f"{id}-{counts[id]}"
        counts[new] = 0
        made.append(new)
    return made


def _numbered(ids: Iterable[str], _: Iterable[str]) -> list[str]:
    """The same, but a number is not looked up again."""
    uses: dict[str, int] = {}
    made = []
    for id in ids:
        made.append(f"{id}-{uses[id]}" if id in uses else id)
        uses[id] = uses.get(id, 0) + 1
    return made


def _next(id: str) -> str:
    found = _NUMBERED(id)
    return f"{found[1]}_{int(found[2]) + 1}" if found else f"{id}_1"


def _numbered_by_toc(ids: Iterable[str], others: Iterable[str]) -> list[str]:
    """The same with `_`, by Python-Markdown's `unique`: an empty id is always numbered."""
    behind = {"": "_1"} | {each: _next(each) for each in others}  # for each id that is taken, one that may be free
    made = []
    for id in ids:
        taken = []
        while id in behind:
            taken.append(id)
            id = behind[id]
        behind[id] = _next(id)
        behind.update(dict.fromkeys(taken, behind[id]))
        made.append(id)
    return made


class _Written(NamedTuple):
    """A heading: its text, what is shown of it, and its bytes, without attributes."""

    text: str
    shown: str
    with_markup: str
    data: bytes

    @property
    def source(self) -> str:
        """The heading as it is written, without its marks."""
        return _OPENING.sub("", self.data.decode().replace("\r", ""), count=1)


def _of_github(written: _Written) -> Sequence[str]:
    return written.text.strip(), written.text, written.with_markup


def _of_docsify(written: _Written) -> Sequence[str]:
    found = _CONFIGURED(written.source)
    source = written.source if found is None else found[1]
    return source, re.sub(r"[\s-]+", "-", source.strip())


def _of_zola(written: _Written) -> Sequence[str]:
    return _NOT_ASCII.sub("", normalize("NFKD", written.text)), _NOT_ASCII.sub("-", written.text)


def _undashed(text: str) -> str:
    return _DASHES.sub("", text)


_BRACES: Final = re.compile(rb"\{([^{}\n]*+)\}")


def _nowhere(_: bytes) -> Iterator[tuple[int, str]]:
    yield from ()


def _in_lists(data: bytes) -> Iterator[tuple[int, str]]:
    yield from ((found.start(), id) for found in _LISTS(data) if (id := _id_in(found[1])))


def _in_lists_and_labels(data: bytes) -> Iterator[tuple[int, str]]:
    yield from _in_lists(data)
    yield from ((found.start(), found[1].decode()) for found in _LABELS(data))


def _of_lines(data: bytes) -> Iterator[tuple[int, str]]:
    found = _LINES.search(data)
    while found is not None:
        closing = data.find(b"\n" + found[1], found.end()) if found[1] else -1
        closed = None if found[1] else _END_OF_LINES(data, found.end())
        end = closing if closing != -1 else closed.start() if closed is not None else len(data)
        first = _FIRST_LINE(found[0])
        start = 1 if first is None else int(first[1])
        count = data.count(b"\n", found.end(), end) + 1
        yield from ((found.start(), f"{found[2].decode()}-{number}") for number in range(start, start + count))
        found = _LINES.search(data, max(end, found.end()))


class IdRules(NamedTuple):
    """How a dialect makes ids. `slug`: of a text; `unique`: so that each is used once.

    `texts`: what an id may be made of. What GitHub takes of HTML and images in a heading, and of spaces beside them, is
    not known for certain. Old versions of Hugo take the heading as it is written, so that the URL of a link counts,
    too, new ones its text. Hyphens that typography joins to dashes vanish in some dialects, except in code. In
    `mkdocs`, the plugin autorefs takes `[File][files.File]` that no definition explains. In `vitepress`, the id without
    what may be an emoji (`:tada:`) counts, too.

    `attributes`: what looks like these behind a heading; `has_next_line`, `lists`: whether they are on the next line,
    or behind anything (Python-Markdown, kramdown, Quarto). `takes_own`: whether no other heading gets an id that one
    has as its own. `first_level`: of the headings whose ids are shown: the theme of Docusaurus leaves out that of level
    1, which takes a number all the same. `has_html`: whether headings in HTML get ids, too, and are numbered with the
    others (GitHub).
    """

    slug: Callable[[str], str]
    unique: Callable[[Iterable[str], Iterable[str]], list[str]]
    texts: Callable[[_Written], Sequence[str]] = lambda written: (written.text,)
    attributes: re.Pattern[bytes] | None = None
    has_next_line: bool = False
    elsewhere: Callable[[bytes], Iterator[tuple[int, str]]] = _nowhere
    takes_own: bool = False
    first_level: int = 1
    has_html: bool = False


_NONE: Final = IdRules(lambda _: "", lambda ids, _: list(ids))
_MADE: Final[Mapping[str, IdRules]] = MappingProxyType(
    {
        "github": IdRules(_github, _counted, _of_github, has_html=True),
        "gitlab": IdRules(_gitlab, _numbered),
        "mkdocs": IdRules(
            _mkdocs,
            _numbered_by_toc,
            lambda written: (written.text, _UNDEFINED.sub(r"\1", written.text)),
            re.compile(rb"(?<=[ \t])\{:?([^{}\n]*+)\}"),
            elsewhere=_in_lists,
            takes_own=True,
        ),
        "docusaurus": IdRules(
            _github,
            _counted,
            _of_github,
            re.compile(rb"\{(?:/\*[ \t]*+)?(#[^{}*\n]*+)(?:\*/)?\}"),
            first_level=2,
        ),
        "hugo": IdRules(
            _hugo,
            _counted,
            lambda written: (written.source, written.shown, _undashed(written.shown)),
            re.compile(rb"\{(?=[ \t]*+[#.]|[^:{}=\n]*+=)([^{}\n]*+)\}"),
            elsewhere=_of_lines,
            takes_own=True,
        ),
        "jekyll": IdRules(
            _github,
            _numbered,
            lambda written: (_undashed(written.text).replace("\t", " "), written.text),
            re.compile(rb"(?<=[ \t])\{(#[A-Za-z][\w:.-]*+)\}"),
            has_next_line=True,
            elsewhere=_in_lists,
        ),
        "vitepress": IdRules(
            _vitepress,
            _counted,
            lambda written: (written.text, escape(written.text), _EMOJI.sub("", written.text)),
            _BRACES,
            takes_own=True,
        ),
        "starlight": IdRules(
            _github, _counted, lambda written: (_undashed(written.text), written.text, written.text.strip())
        ),
        "mdbook": IdRules(
            _mdbook,
            _counted,
            lambda written: (_undashed(written.text).strip(), written.text.strip()),
            _BRACES,
            takes_own=True,
        ),
        "zola": IdRules(_zola, _counted, _of_zola, _BRACES, takes_own=True),
        "docsify": IdRules(_docsify, _numbered, _of_docsify),
        "gitbook": IdRules(
            _gitbook, lambda ids, _: list(ids), attributes=re.compile(rb"\{(#[^{}\n]*+)\}"), takes_own=True
        ),
        "quarto": IdRules(
            _quarto,
            _counted,
            lambda written: (_undashed(written.shown), written.shown),
            _BRACES,
            elsewhere=_in_lists_and_labels,
            takes_own=True,
        ),
        "nuxt": IdRules(_github, _joined_once),
    }
)
"""How ids are made, by dialect."""


GIVING: Final = tuple(_MADE)
"""The dialects that give ids to headings."""


def ids_of(dialect: str, data: bytes, headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """The ids that headings in a text get in a dialect, none in `commonmark`."""
    rules = _MADE.get(dialect)
    if rules is None:
        return [()] * len(headings)
    listed = [_attributes(rules, data, each) for each in headings]
    explicit = ["" if each is None else _id_in(each[1]) for each in listed]
    pairs = zip(headings, listed, strict=True)
    texts = [rules.texts(_written(data, *pair)) for pair, own in zip(pairs, explicit, strict=True) if not own]
    taken = {own for own in explicit if own and rules.takes_own}
    made = (rules.unique(map(rules.slug, each), taken) for each in dict.fromkeys(zip(*texts, strict=True)))
    found = zip(*made, strict=True)
    ids = [(own,) if own else tuple({id: None for id in next(found) if id}) for own in explicit]
    return [those if each.level >= rules.first_level else () for each, those in zip(headings, ids, strict=True)]


def _written(data: bytes, heading: Heading, listed: re.Match[bytes] | None) -> _Written:
    """A heading as it is written. `listed`: its attributes."""
    text, shown = heading.text, heading.with_markup
    shown = text if text == shown else _TAG.sub("", shown)
    if listed is not None:
        text, shown = (each.rpartition("{")[0].rstrip(" \t") for each in (text, shown))
    end = _text_end(data, heading) if listed is None else listed.start()
    return _Written(text, shown, heading.with_markup, data[heading.start : end])


def in_html(dialect: str, data: bytes, stretches: Sequence[tuple[int, int]]) -> list[Heading]:
    """The headings in stretches of HTML that get ids like others."""
    starts = [start for start, _ in stretches]
    found = _IN_HTML.finditer(data) if _MADE.get(dialect, _NONE).has_html and stretches else ()
    return [
        Heading(each.start(), each.end(), int(each[1]), text, text)
        for each in found
        if (number := bisect_right(starts, each.start())) and each.start() < stretches[number - 1][1]
        for text in [unescape(_TAG.sub("", each[2].decode("utf-8", "replace")))]
    ]


def ids_elsewhere(dialect: str, data: bytes) -> Iterator[tuple[int, str]]:
    """Where lists of attributes are in a text, and the id in each.

    What they belong to in kramdown is not looked for. In Quarto, the output of a cell has its label (`#| label:
    fig-x`).
    """
    yield from _MADE.get(dialect, _NONE).elsewhere(data)


def id_splice(dialect: str, data: bytes, heading: Heading, id: str) -> Splice[bytes] | None:
    """What to replace in a text so that a heading has that id written behind it.

    None in dialects that read none there, and behind closing `#`s, where dialects differ.
    """
    rules = _MADE.get(dialect, _NONE)
    end, listed = _text_end(data, heading), _attributes(rules, data, heading)
    if rules.attributes is None or b"#" in data[end - 1 : heading.end]:
        return None
    if listed is None:
        return end, end, f" {{#{id}}}".encode()
    first = listed.start(1)
    for found in [*_ID.finditer(listed[1])][-1:]:
        return first + found.start(1), first + found.end(1), id.encode()
    first += len(listed[1]) - len(listed[1].lstrip())
    return first, first, f"#{id} ".encode()

"""The built-in rules, and their rows: names and options. The command line offers what is listed here.

A new rule is a class and a row of `RULES`: the name is for `--to`, the class for Python. How it writes references is a
module of `_rules/`, which is loaded for the first document. An option is a keyword argument of the rules that have it,
and an option of the command line with the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, get_args

from rehref.exceptions import OptionError, refuse_no_flags
from rehref.option_rows import Found
from rehref.rewriting.rule import BaseElement, Drop, RowRule, offered_by

if TYPE_CHECKING:
    from rehref.documents.base import Base
    from rehref.documents.link import Link
    from rehref.rewriting._rules.absolute import AbsoluteWriter
    from rehref.rewriting._rules.template import Filled
    from rehref.rewriting.rule import DocumentRule, Rule
    from rehref.uri.resolver import Profile

OFFLINE: Final = "offline"
TEMPLATE: Final = "TEMPLATE"
"""Stands for every text that is a template. (A table, `mapping.py`, has no row: `--map` names it.)"""
SCHEMES: Final = ("http", "https")
"""The schemes of targets that are put into a template."""
OWN: Final = ("uri", "kind", "modifier")
"""Names that have a value of their own."""
RESERVED: Final = (*OWN, "metadata", "schemes", "file_urls")
"""Names that cannot be given a value."""
_TIMESTAMP = "timestamp"


@dataclass(frozen=True, slots=True)
class Absolute:
    """Make every relative reference absolute.

    `base_element`: what to do with the `href` of a `base` element: make it `absolute` (scripts may depend on it),
    `keep` it, make it `empty` (`href=""`), or `drop` it (the element is removed only if it has no other attribute).
    `same_document`: make `#x` and `""` absolute too. `metadata`: also rewrite references in statements about the page
    (`<meta property="og:image">`, JSON-LD), which are otherwise only reported. `file_urls`: write the `file:` URIs of
    this machine, too, if a document has no other URI; without this option such references stay.

    References that browsers read differently (`browser-differs`) stay; if their base is removed, they are written as
    browsers read them. A base against which browsers resolve nothing (`mailto:x`) stays.
    """

    base_element: BaseElement = "absolute"
    same_document: bool = False
    metadata: bool = False
    file_urls: bool = False

    def __post_init__(self) -> None:
        refuse_no_flags(same_document=self.same_document, metadata=self.metadata, file_urls=self.file_urls)
        if self.base_element not in get_args(BaseElement):
            raise OptionError.of(
                f"unknown base_element {self.base_element!r}; choose from {', '.join(get_args(BaseElement))}"
            )

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for one document."""
        return self._writer().for_document(own, base, profile)

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        return self._writer().of_link(link)

    def _writer(self) -> AbsoluteWriter:
        from rehref.rewriting._rules.absolute import AbsoluteWriter

        return AbsoluteWriter(self.base_element, self.same_document, self.metadata, self.file_urls)

    def with_file_urls(self) -> Absolute | None:
        """See `Offer`."""
        return None if self.file_urls else replace(self, file_urls=True)

    def with_base_kept(self) -> Absolute | None:
        """See `Offer`."""
        return replace(self, base_element="keep") if self.base_element in ("drop", "empty") else None


@dataclass(frozen=True, slots=True)
class Relative:
    """Make every reference to the document's own scheme and host relative to the document's own URI.

    These are compared like `rehref.equivalent` does, in the `whatwg` profile as the URL Standard serializes them.

    Only relative paths are written, which keep working when the documents are moved or opened from a disk. The `href`
    of a `base` element becomes empty, since the references must be relative to the document. A document without a URI
    of its own stays unchanged. `metadata`: as with `Absolute`, but absolute references in JSON-LD stay, since only they
    are references below `@base: null`; references relative to an `@base` become absolute. References that browsers read
    differently are treated as with `Absolute`; below a base against which browsers resolve nothing, nothing changes.
    """

    may_miss_files: ClassVar[bool] = True
    metadata: bool = False

    def __post_init__(self) -> None:
        refuse_no_flags(metadata=self.metadata)

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for one document."""
        from rehref.rewriting._rules.relative import rule_of_document

        return rule_of_document(own, base, profile, metadata=self.metadata)

    def __call__(self, link: Link) -> str | None:
        """Return the reference relative to the link's base, since no document is known."""
        return self.for_document(link.base, link.base, "rfc3986")(link)  # type: ignore[return-value]


class Template:
    """Put every target into a template for replay servers: `https://replay.example/{timestamp}{modifier}/{uri}`.

    `_rules/template.py` explains the names; values for other names are keyword arguments. The `href` of a `base`
    element is put into the template too, so that references which scripts resolve against it lead to the same place.
    `metadata`, `file_urls`: as with `Absolute`; `schemes`: the schemes of targets to put into the template. So the
    template cannot have these names.
    Raises ValueError if there is no `{uri}`, or a name has no value; and when a document without a date is rewritten,
    but the template needs one.
    """

    __slots__ = ("_file_urls", "_filled", "_metadata", "_parts", "_schemes", "_text", "_values")

    def __init__(
        self,
        template: str,
        /,
        *,
        metadata: bool = False,
        schemes: Collection[str] = SCHEMES,
        file_urls: bool = False,
        **values: str,
    ) -> None:
        from rehref.rewriting._rules.template import parts_of

        if not isinstance(template, str):
            raise TypeError(f"a template is a str, not {type(template).__name__}")
        refuse_no_flags(metadata=metadata, file_urls=file_urls)
        self._text = template
        self._file_urls = file_urls
        self._metadata = metadata
        is_collection = isinstance(schemes, Collection) and not isinstance(schemes, str | bytes)
        if not is_collection or not all(isinstance(scheme, str) for scheme in schemes):
            raise TypeError("schemes is a collection of texts, such as ['http', 'https']")
        self._schemes = frozenset(scheme.lower() for scheme in schemes)
        self._values = values
        self._parts = parts_of(template, values)
        for name in values:
            if name in RESERVED:
                raise OptionError.of(f"{{{name}}} has a value of its own")
            if not isinstance(values[name], str):
                raise TypeError(f"the value of {{{name}}} is a str, not {type(values[name]).__name__}")
        self._filled: Filled | None = None

    def _value(self) -> tuple[object, ...]:
        return self._text, frozenset(self._values.items()), self._schemes, self._metadata, self._file_urls

    def __eq__(self, other: object) -> bool:
        """Return whether the other is the same template with the same values and options."""
        return self._value() == other._value() if isinstance(other, Template) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        options: dict[str, object] = {name: True for name in ("metadata", "file_urls") if getattr(self, f"_{name}")}
        if self._schemes != frozenset(SCHEMES):
            options["schemes"] = sorted(self._schemes)
        given = "".join(f", {name}={value!r}" for name, value in {**options, **self._values}.items())
        return f"Template({self._text!r}{given})"

    @property
    def needs_date(self) -> bool:
        """Return whether it names `{timestamp}`, and no value is given for it."""
        return _TIMESTAMP in self._parts[1::2] and _TIMESTAMP not in self._values

    def dated(self, date: str) -> Template:
        """Return the template for documents of a date in WARC's form; itself, if it needs no date."""
        from rehref.containers.parts import timestamp

        values = {**self._values, _TIMESTAMP: timestamp(date)}
        return self._with(values, file_urls=self._file_urls) if self.needs_date and values[_TIMESTAMP] else self

    def with_file_urls(self) -> Template | None:
        """See `Offer`."""
        return None if self._file_urls else self._with(self._values, file_urls=True)

    def _with(self, values: Mapping[str, str], *, file_urls: bool) -> Template:
        return Template(self._text, metadata=self._metadata, schemes=self._schemes, file_urls=file_urls, **values)

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """The rule for one document. Raises ValueError if it needs a date."""
        if self.needs_date:
            raise OptionError.of(
                f"the template {self._text!r} names {{timestamp}}, but the document is not in a record that has a date"
            )
        if self._filled is None:
            from rehref.rewriting._rules.template import Filled

            self._filled = Filled(self._parts, self._values, self._schemes, self._metadata, self._file_urls)
        return RowRule(self._filled.write, None if base.local else self._filled.beginnings)

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link, without a known document; None if it stays."""
        return self.for_document(link.base, link.base, "rfc3986")(link)


class RuleOption(NamedTuple):
    """An option of rules: one of `choices`; a text (or several) if it has a `metavar`; else a flag.

    `found`: as in `rehref.option_rows.Option`.
    """

    name: str
    help: str
    found: Found
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    multiple: bool = False


class RuleEntry(NamedTuple):
    """A rule: its class, and the module of that. `does` is a part of the help of `--to`."""

    name: str
    type_name: str
    does: str
    options: tuple[RuleOption, ...]
    module: str = __name__

    def load(self) -> Callable[..., Rule | DocumentRule]:
        """Return the class of the rule, which takes the values of its options by name."""
        made: Callable[..., Rule | DocumentRule] = getattr(import_module(self.module), self.type_name)
        return made


_SET = RuleOption(
    "set", "A value for {NAME} in the template; may be repeated.", "counts", metavar="NAME=VALUE", multiple=True
)
_SCHEMES = RuleOption(
    "schemes",
    "With a template: put targets with these schemes into it, separated by commas. Other references stay. Default: "
    "http,https.",
    "counts",
    metavar="NAMES",
)
_METADATA = RuleOption("metadata", "Rewrite metadata too: <meta> (og:image and the like), JSON-LD.", "counts")
_BASE_ELEMENT = RuleOption(
    "base_element",
    "What to write as the href of <base>. absolute (the default): its absolute URI; keep: no change; empty: "
    'href="", so that references are relative to the document; drop: remove the attribute. With --to offline: empty '
    "(the default there) or drop.",
    "counts",
    get_args(BaseElement),
)
_SAME_DOCUMENT = RuleOption("same_document", 'With --to absolute: make "#x" and "" absolute, too.', "counts")
_FILE_URLS = RuleOption(
    "file_urls",
    "With --to absolute or a template, but without --url: write file: URIs of this machine, which mean nothing "
    "elsewhere. Without this option such references stay.",
    "yours",
)

RULES: Final = (
    RuleEntry(
        "absolute",
        "Absolute",
        "make references absolute",
        (_BASE_ELEMENT, _SAME_DOCUMENT, _METADATA, _FILE_URLS),
    ),
    RuleEntry(
        "relative",
        "Relative",
        "make them relative to the document's own URI",
        (_METADATA,),
    ),
    RuleEntry(
        OFFLINE,
        "Offline",
        "in a mirrored folder, make them relative if they lead to saved files, and absolute if not",
        (_BASE_ELEMENT, _METADATA),
        "rehref.rewriting.offline_rule",
    ),
    RuleEntry(
        TEMPLATE,
        "Template",
        "put their targets into a template with {uri} or {uri:encoded}, and perhaps {timestamp} (of the record in a "
        "WARC), {kind}, {modifier} (im_, cs_, js_ …, as in pywb)",
        (_SET, _SCHEMES, _METADATA, _FILE_URLS),
    ),
)
"""The rules; the first is the default."""

OPTIONS: Final = tuple(dict.fromkeys(option for rule in RULES for option in rule.options))
"""The options of all rules."""


def refuse_other_rules(rule: object) -> None:
    """Raise TypeError for what is not a rule; the message says what to give instead, if that is clear."""
    if isinstance(rule, type):
        raise TypeError(f"a rule is an object or a function, not a class: give {rule.__name__}(…)")
    if callable(rule) or offered_by(rule).for_document is not None:
        return
    what, remedy = type(rule).__name__, "such as rehref.Absolute(), or a function of a Link"
    if isinstance(rule, str):
        found = rule_named(rule)
        what = f"the str {rule!r}"
        if found is not None:
            remedy = f"rehref.{found.type_name}({'files' if found.name == OFFLINE else ''})"
        elif "{uri" in rule:
            remedy = f"rehref.Template({rule!r})"
    elif isinstance(rule, Mapping):
        remedy = "rehref.Mapping(…) of it"
    raise TypeError(f"a rule is an object or a function, not {what}: give {remedy}")


def rule_named(name: str) -> RuleEntry | None:
    """Return the row of a rule, or None if there is no rule of that name."""
    return next((rule for rule in RULES if rule.name == name), None)

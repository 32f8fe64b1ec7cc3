"""The built-in rules by name, and the options of each. The command line offers what is listed here.

1. A new rule is a module of this folder and a row of `RULES`: the name is for `--to`, the class for Python.
2. An option is a keyword argument of the rules that have it, and an option of the command line with the same name.
3. `TEMPLATE` stands for every text that is a template. A table (`Mapping`) has no row: `--map` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from rehref.option_rows import Found
from rehref.rewriting.rule import BaseElement, offered_by

if TYPE_CHECKING:
    from rehref.rewriting.rule import DocumentRule, Rule

OFFLINE: Final = "offline"
TEMPLATE: Final = "TEMPLATE"


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
    module: str
    type_name: str
    does: str
    options: tuple[RuleOption, ...]

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
        "rehref.rewriting._rules.absolute",
        "Absolute",
        "make references absolute",
        (_BASE_ELEMENT, _SAME_DOCUMENT, _METADATA, _FILE_URLS),
    ),
    RuleEntry(
        "relative",
        "rehref.rewriting._rules.relative",
        "Relative",
        "make them relative to the document's own URI",
        (_METADATA,),
    ),
    RuleEntry(
        OFFLINE,
        "rehref.rewriting.offline_rule",
        "Offline",
        "in a mirrored folder, make them relative if they lead to saved files, and absolute if not",
        (_BASE_ELEMENT, _METADATA),
    ),
    RuleEntry(
        TEMPLATE,
        "rehref.rewriting._rules.template",
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

"""The built-in rules by name, and the options of each: what the command line offers follows from it.

1. A new rule is a module of this folder and a row of `RULES`. Its name is what `--to` takes, its class what Python has.
2. An option is a keyword argument of the rules that have it, and an option of the command line by the same name.
3. `TEMPLATE` stands for every text that is a template. A table (`Mapping`) has no row: `--map` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from rehref.rewriting.contract import BaseElement

if TYPE_CHECKING:
    from rehref.rewriting.contract import DocumentRule, Rule

OFFLINE: Final = "offline"
TEMPLATE: Final = "TEMPLATE"


class RuleOption(NamedTuple):
    """An option of rules: one of `choices`, a text if it has a `metavar` (or many), and else a flag."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    multiple: bool = False


class RuleEntry(NamedTuple):
    """A rule: its class and the module that has it; `does` is a part of the help of `--to`."""

    name: str
    module: str
    type_name: str
    does: str
    options: tuple[RuleOption, ...]

    def load(self) -> Callable[..., Rule | DocumentRule]:
        """What makes the rule, of the values of its options by name."""
        made: Callable[..., Rule | DocumentRule] = getattr(import_module(self.module), self.type_name)
        return made


_SET = RuleOption("set", "A value for {NAME} in the template; may be repeated.", metavar="NAME=VALUE", multiple=True)
_SCHEMES = RuleOption(
    "schemes",
    "With a template: put these into it, separated by commas, instead of http,https; what else there is stays.",
    metavar="NAMES",
)
_METADATA = RuleOption(
    "metadata", "Rewrite metadata too, which else is left alone: <meta> (og:image and the like), JSON-LD."
)
_BASE_ELEMENT = RuleOption(
    "base_element",
    "What becomes of the href of a <base>. absolute (the default): it is written in full; keep: it stays; empty: "
    'href="", so that all is relative to the document; drop: the attribute goes. With --to offline: empty (the default '
    "there) or drop.",
    get_args(BaseElement),
)
_SAME_DOCUMENT = RuleOption("same_document", 'With --to absolute: make "#x" and "" absolute, too.')
_FILE_URLS = RuleOption(
    "file_urls",
    "With --to absolute or a template, where no --url is given: write the file: URIs of this machine, which mean "
    "nothing elsewhere. Without, such references stay.",
)

RULES: Final = (
    RuleEntry(
        "absolute",
        "rehref.rewriting.rules.absolute",
        "Absolute",
        "make references absolute",
        (_BASE_ELEMENT, _SAME_DOCUMENT, _METADATA, _FILE_URLS),
    ),
    RuleEntry(
        "relative",
        "rehref.rewriting.rules.relative",
        "Relative",
        "make them relative to the document's own URI",
        (_METADATA,),
    ),
    RuleEntry(
        OFFLINE,
        "rehref.rewriting.rules.offline",
        "Offline",
        "make them, in a mirrored folder, relative to what is saved there and absolute to all else",
        (_BASE_ELEMENT, _METADATA),
    ),
    RuleEntry(
        TEMPLATE,
        "rehref.rewriting.rules.template",
        "Template",
        "put their targets into a template that names {uri} or {uri:encoded}, perhaps {timestamp} (of the record in a "
        "WARC), {kind}, {modifier} (im_, cs_, js_ …, as pywb has them)",
        (_SET, _SCHEMES, _METADATA, _FILE_URLS),
    ),
)
"""The rules; the first is the default."""

OPTIONS: Final = tuple(dict.fromkeys(option for rule in RULES for option in rule.options))
"""The options of all rules."""


def refuse_other_rules(rule: object) -> None:
    """Raise TypeError for what is not a rule; the message says what to give where that is clear."""
    if isinstance(rule, type):
        raise TypeError(f"a rule is an object or a function, not a class: give {rule.__name__}(…)")
    if callable(rule) or hasattr(rule, "for_document"):
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
    """The row of a rule; None if there is none of that name."""
    return next((rule for rule in RULES if rule.name == name), None)

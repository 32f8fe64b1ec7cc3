"""What is wrong with the addresses of `mailto:` URIs and the numbers of `tel:` URIs.

RFC 6068 §2, non-ASCII characters as in RFC 6532; RFC 3966 §3.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

_WORD = r"[^\x00-\x20\x7f\"(),.:;<>@\[\\\]]+"
_LABEL = r"[^\W_](?:[\w-]*[^\W_])?"
_IS_ADDRESS = re.compile(
    rf"""(?:{_WORD}(?:\.{_WORD})*|"(?:[^"\\\r\n]|\\.)*")@(?:{_LABEL}(?:\.{_LABEL})*|\[[^\[\]\\]+\])"""
).fullmatch
_LONGEST_ADDRESS = 320  # RFC 5321 §4.5.3.1: 64 characters, "@", 255
_IS_NUMBER = re.compile(r"\+?[-0-9.()*#,]*[0-9*#][-0-9.()*#,]*", re.ASCII).fullmatch
_NOT_IN_A_NUMBER = re.compile(r"[^-0-9.()*#,]", re.ASCII).search
_LONGEST_NUMBER = 200
_LONGEST_SHOWN = 60


def mailto_fault(uri: str) -> str | None:
    """What is wrong with a URI of the scheme `mailto`: the first fault, for people, or None.

    The addresses are before the `?`, and in a field `to` after it, separated by commas. A URI with fields needs no
    address: the user who writes the mail adds it.
    """
    rest = uri.partition("#")[0].partition(":")[2]
    to, _, fields = rest.partition("?")
    if to.startswith("//"):
        return 'after "mailto:" there is "//", which is not part of an address'
    texts = [unquote(text) for text in to.split(",")] if to else []
    for field in fields.split("&"):
        name, _, value = field.partition("=")
        texts += unquote(value).split(",") if name.lower() == "to" else []
    if not texts and not fields:
        return "it has no address"
    return next((fault for fault in map(_address_fault, texts) if fault is not None), None)


def _address_fault(address: str) -> str | None:
    """What is wrong with an address for mail: a local part, `@`, and a domain.

    The local part is words separated by dots, or quoted text; the domain is labels separated by dots, or an address in
    brackets.
    """
    if len(address) <= _LONGEST_ADDRESS and _IS_ADDRESS(address) is not None:
        return None
    if address.strip() == "":
        return "an address is empty"
    shown = _shown(address)
    local, at, domain = address.rpartition("@")
    if at == "":
        return f'{shown} is not an address: there is no "@" in it'
    if local == "" or domain == "":
        return f'{shown} is not an address: there is nothing {"before" if local == "" else "after"} the "@"'
    white = re.search(r"\s", address)
    return f"{shown} is not an address" + (": there is white space in it" if white is not None else "")


def tel_fault(uri: str) -> str | None:
    """What is wrong with a URI of the scheme `tel`: the first fault, for people, or None.

    A number has digits, with `-`, `.`, `(` and `)` between them; it may begin with `+`. Local numbers may also have
    `*`, `#` (part of the number here, though in a URI it begins a fragment), and commas, at which dialling pauses. A
    local number should have a `phone-context` (§5.1.5). Hardly any has one, and phones do not need it: a missing one is
    not reported. Phones skip parameters, after a `;`, that they do not know.
    """
    number = unquote(uri.partition(":")[2].partition(";")[0].partition("?")[0])
    if number.startswith("//"):
        return 'after "tel:" there is "//", which is not part of a number'
    if number.strip() == "":
        return "it has no number"
    if len(number) <= _LONGEST_NUMBER and _IS_NUMBER(number) is not None:
        return None
    shown = _shown(number)
    wrong = _NOT_IN_A_NUMBER(number.removeprefix("+"))
    if wrong is None:
        return f"{shown} is not a number"
    what = "white space" if wrong[0].isspace() else repr(wrong[0])
    return f"{shown} is not a number: there is {what} in it"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")

"""The references in structured fields of HTTP, and in a Content Security Policy.

`Speculation-Rules: "/rules.json"` and `Reporting-Endpoints: main="/reports"` have them in strings (RFC 9651 §3.3.3): an
item of a list, or the value of a member, but not a parameter. A policy has them in the words of its first `report-uri`
(CSP 3 §6.5.1). Browsers ignore a whole field with a mistake in it; here all that look like references are found.
"""

from __future__ import annotations

import re

from rehref.text import WHITE_SPACE
from rehref.uri._syntaxes.link_header import trimmed_quoted
from rehref.uri.syntaxes import Occurrence

# a string without its closing quote goes on to the end
_TOKEN = re.compile(r'[,;]|"([^"\\]*(?:\\[\s\S][^"\\]*)*)("?)')
_POLICY = re.compile(r"[^,]+")
_DIRECTIVE = re.compile(r"[^;]+")
_WORD = re.compile(r"[^\t\n\f\r ]+")
_ENDS_WORD = re.compile(r"[\t\n\f\r ,;]")


def find_strings(value: str) -> list[Occurrence]:
    """The references of a list or a dictionary of strings (RFC 9651 §3.1, §3.2)."""
    found = []
    is_item = True
    for token in _TOKEN.finditer(value):
        if token[0] in ",;":
            is_item = token[0] == ","
        elif is_item and token[2]:
            found.append(trimmed_quoted(value, *token.span(1), "quoted"))
            is_item = False
    return found


def find_report_uris(value: str) -> list[Occurrence]:
    """The references of a list of policies (CSP 3 §2.2.2, §6.5.1): of several directives of a name the first counts."""
    found = []
    for policy in _POLICY.finditer(value):
        for directive in _DIRECTIVE.finditer(value, *policy.span()):
            words = list(_WORD.finditer(value, *directive.span()))
            if words and words[0][0].lower() == "report-uri":
                found += [Occurrence(word.start(), word.end(), word[0], "") for word in words[1:]]
                break
    return found


def write_report_uri(text: str, form: str) -> str:
    """Write `text` where `find_report_uris` found a reference."""
    return _ENDS_WORD.sub(lambda match: f"%{ord(match[0]):02X}", text.strip(WHITE_SPACE)) or "#"

"""Names and passwords for servers, and the hosts that they are sent to.

1. They come from the userinfo of a URL, or from files and texts in the format of netrc. An entry of a host is for that
   host only, on any port; `default`, which would be for every host, is ignored.
2. The userinfo of a URL is for the origin that the URL names. It is kept after a redirect to the same origin: the same
   host with the same scheme and port, or from http to https at their default ports.
3. Once a request of a question was sent by https, nothing is sent by http.
4. The scheme is Basic (RFC 7617), in UTF-8.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import unquote

from yarl import URL

from rehref.exceptions import OptionError
from rehref.files.reading import read_small
from rehref.web.options import NETRC_VARIABLE

_NOT_ENTRIES = re.compile(r"^[ \t]*#.*|^[ \t]*macdef\b(?:.*\n)+?(?=[ \t]*$)", re.MULTILINE)
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_ESCAPED = re.compile(r"\\(.)")


def read_credentials(path: str | None, text: str | None) -> Mapping[str, str]:
    """Return `Authorization` by host, from a file and from a text, which takes precedence (rule 1).

    Raises `OptionError`; its text contains no password.
    """
    found: dict[str, str] = {}
    if path is not None:
        try:
            text_of_file = read_small(path).decode("utf-8").replace("\r\n", "\n")
        except OSError as error:
            raise OptionError(f"--netrc {path}", f"cannot be read ({error.strerror})", "correct the path") from None
        except UnicodeDecodeError:
            raise OptionError(f"--netrc {path}", "is not a netrc file (not UTF-8)", "correct it") from None
        found |= _parsed(text_of_file, f"--netrc {path}")
    if text:
        found |= _parsed(text, f"${NETRC_VARIABLE}")
    return MappingProxyType(found)


def _parsed(text: str, name: str) -> dict[str, str]:
    """Return the entries of a text in the format of netrc; of two entries for one host the first counts."""
    words = [_unquoted(word) for word in _WORD.findall(_NOT_ENTRIES.sub("", text))]
    entries: dict[str, dict[str, str]] = {}
    entry: dict[str, str] = {}
    position = 0
    while position < len(words):
        word, value = words[position], words[position + 1] if position + 1 < len(words) else None
        if word == "default":  # rule 1
            entry = {}
            position += 1
            continue
        if value is None or word not in ("machine", "login", "password", "account"):
            remedy = 'write such as "machine example.org login NAME password PASSWORD"'
            raise OptionError(name, "is not in the format of netrc", remedy)
        if word == "machine":
            entry = {}
            entries.setdefault(value.lower(), entry)
        else:
            entry[word] = value
        position += 2
    return {host: basic(entry.get("login", ""), entry.get("password", "")) for host, entry in entries.items()}


def _unquoted(word: str) -> str:
    return _ESCAPED.sub(r"\1", word[1:-1]) if len(word) > 1 and word[0] == word[-1] == '"' else word


def basic(name: str, password: str) -> str:
    """Return the value of `Authorization` (RFC 7617 §2)."""
    return "Basic " + b64encode(f"{name}:{password}".encode("utf-8", "surrogateescape")).decode("ascii")


def of_userinfo(url: URL) -> str | None:
    """Return the value of `Authorization` for the userinfo of a URL; None if it has none."""
    if not url.raw_user and not url.raw_password:
        return None
    return basic(unquote(url.raw_user or ""), unquote(url.raw_password or ""))


def is_same_place(first: URL, second: URL) -> bool:
    """Return whether credentials for the first URL may be sent to the second (rule 2)."""
    if first.raw_host != second.raw_host:
        return False
    if first.scheme == second.scheme:
        return first.port == second.port
    return (first.scheme, first.port, second.scheme, second.port) == ("http", 80, "https", 443)

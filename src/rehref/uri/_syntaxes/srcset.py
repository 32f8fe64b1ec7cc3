"""The references of a `srcset` or `imagesrcset` attribute.

HTML Standard, "parse a srcset attribute": the splitting loop and the descriptor tokenizer, step for step. A URL extends
to the next white space, with the commas inside it (those of a `data:` URL); commas at its end are not part of it, and
end the candidate. A candidate whose descriptors are invalid is found like any other: browsers ignore it, but to a
reader of the page it is a reference.
"""

from __future__ import annotations

import re

from rehref.uri._syntaxes.lists import write_spaces
from rehref.uri.syntaxes import Occurrence

# Each candidate once. Repetitions never give back what they matched, since nothing after them can fail: linear.
_CANDIDATE = re.compile(
    r"""
    ([^\t\n\f\r ,] [^\t\n\f\r ]*+)          # the URL, and commas at its end
    (?: (?<=,)                              # which end the candidate
      | (?: [^(,]++ | \([^)]*+\)?+ )* ,?+  # or else its descriptors
    )
    """,
    re.VERBOSE,
)
_END_COMMAS = re.compile(r",+\Z")


def find(value: str) -> list[Occurrence]:
    """The URLs of a srcset value, in order."""
    urls = ((match.start(), match[1].rstrip(",")) for match in _CANDIDATE.finditer(value))
    return [Occurrence(start, start + len(url), url, "") for start, url in urls]


def write(text: str, form: str) -> str:
    """Write `text` where `find` found a URL: white space and the empty reference as in `lists.write_spaces`.

    Commas at the end are percent-encoded. Those at the beginning get `./` before them: `%2C` is not equivalent (RFC
    3986 §2.2).
    """
    written = _END_COMMAS.sub(lambda match: "%2C" * len(match[0]), write_spaces(text, form))
    return f"./{written}" if written.startswith(",") else written

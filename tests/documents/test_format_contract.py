"""What the encoding lacks, in any format."""

from __future__ import annotations

from rehref.documents._formats.format_contract import escaping
from rehref.markup.parsed import Edit


def test_what_the_encoding_lacks_is_escaped_by_itself() -> None:
    escape = escaping(lambda char: f"<{ord(char):x}>")
    edits = [Edit(0, 1, 2, "aéb"), Edit(0, 3, 4, None), Edit(0, 5, 6, "ab")]
    assert escape("", edits, str.isascii) == [Edit(0, 1, 2, "a<e9>b"), *edits[1:]]

"""A bound for the work that damage causes: bytes unpacked in vain, or more than once.

1. What seems to be a member may be none, or damaged at its end, and others may begin within it. To unpack all of them
   could take time in proportion to the square of a file's size.
2. So the bytes that are unpacked in vain, or may be unpacked again, are counted. There may be `FREE` of them, and
   `TIMES` as many as the bytes of the file so far. Files that were not made to be slow need far fewer.
"""

from __future__ import annotations

from typing import Final

FREE: Final = 1 << 26
TIMES: Final = 64
FAILED: Final = 1 << 17
"""The number of bytes that a failed step of unpacking may have given before it failed."""


class RepeatedWork:
    """Counts bytes (rule 2)."""

    def __init__(self, offset: int) -> None:
        """`offset`: where in the file the work begins."""
        self._from = offset
        self._done = 0

    def may_take(self, size: int, offset: int) -> bool:
        """Whether there may be so many bytes more, up to an offset of the file; if so, they are counted."""
        if self._done + size > FREE + TIMES * (offset - self._from):
            return False
        self._done += size
        return True

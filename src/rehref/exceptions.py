"""The exceptions of rehref: what they have in common, and the warning.

1. Every exception of our own is a `RehrefError`, and keeps the exception of Python's own as a second base that it is
   in meaning: ValueError for a value that cannot be used, LookupError for a name that does not exist.
2. What Python has an exception for is raised as such: OSError for a file that cannot be read, TypeError for an argument
   of the wrong type.
"""

from __future__ import annotations


class RehrefError(Exception):
    """The base class of all exceptions of rehref's own."""


class SourceResemblesPathWarning(UserWarning):
    """A str was given as a source that looks like a path or a URL; it was read as the document itself."""

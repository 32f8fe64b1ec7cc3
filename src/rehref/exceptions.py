"""The exceptions of rehref: what they have in common, and the warning.

1. A value of an option or argument that cannot be used is an `OptionError`, which is a RehrefError and a ValueError.
2. Every exception of our own is a `RehrefError`, and keeps the exception of Python's own as a second base that it is
   in meaning: ValueError for a value that cannot be used, LookupError for a name that does not exist.
3. What Python has an exception for is raised as such: OSError for a file that cannot be read, TypeError for an argument
   of the wrong type.
"""

from __future__ import annotations

import sys
from itertools import pairwise


class RehrefError(Exception):
    """The base class of all exceptions of rehref's own.

    A value of an option that cannot be used raises one of them: mostly `OptionError`, which is also a ValueError. An
    argument of the wrong type is a TypeError, and a file that cannot be read an OSError.
    """


def other_module(error: BaseException) -> str:
    """Return the module of another package (a core, a rule) that an exception comes from; "" if it is not from one.

    Only `documents` and `rewriting` call cores and rules.
    """
    from traceback import walk_tb

    names = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)]
    called = (name for before, name in pairwise(names) if before.startswith(("rehref.documents.", "rehref.rewriting.")))
    return next((name for name in called if name.partition(".")[0] not in {"rehref", *sys.stdlib_module_names}), "")


class SourceResemblesPathWarning(UserWarning):
    """A str was given as a source that looks like a path or a URL; it was read as the document itself."""

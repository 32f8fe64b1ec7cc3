"""The errors of Spark in one line."""

from __future__ import annotations

import re

from py4j.protocol import Py4JJavaError

_NAME = re.compile(r"[a-z][\w$]*(?:\.[\w$]+)+: ").match
_LINE = re.compile(r"^\S.*", re.MULTILINE).findall


def in_one_line(error: Exception) -> str:
    """The message of an error of Spark, Java or rehref.

    It is that of the innermost cause: the outer ones say which job and task failed. Of it, the first line counts,
    without the name of the exception; of a traceback of Python, the last one that is not indented.
    """
    text = _innermost(error.java_exception) if isinstance(error, Py4JJavaError) else str(error)
    lines = [line for line in _LINE(text) if not line.startswith("at ")] or [type(error).__name__]
    line = str(lines[-1] if any("Traceback" in each for each in lines) else lines[0])
    name = _NAME(line)
    return line if name is None else line[name.end() :]


def _innermost(java: object) -> str:
    """The text of the innermost cause of a Java exception."""
    text = ""
    while java is not None:
        text = java.toString()  # type: ignore[attr-defined]
        java = java.getCause()  # type: ignore[attr-defined]
    return text

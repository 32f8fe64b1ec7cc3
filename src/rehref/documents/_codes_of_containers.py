"""The codes of diagnostics: what cannot be read or written in a container (`rehref.documents.codes.DIAGNOSTICS`)."""

from __future__ import annotations

from typing import Final

DIAGNOSTIC_ROWS: Final = (
    (
        "truncated",
        "It is incomplete: the file was cut off, a body is too short, or a boundary is missing.",
        "Everything up to that place was read. Save it again, completely.",
        "error",
    ),
    (
        "damaged",
        "The container breaks the rules of its format.",
        "The parts that can be recognized were read. Save it again, or repair it with a tool for that format.",
        "error",
    ),
    (
        "too-large",
        "It exceeds a limit.",
        "It was not read, since it may be malicious. Allow more with --max-size or --max-time if you trust it.",
        "error",
    ),
    (
        "unsupported",
        "It cannot be read: it is encrypted, its coding or type is not supported, or a package is missing.",
        "It was left unchanged. Save it without encryption, or install what the message names.",
        "error",
    ),
    (
        "unreadable",
        "It cannot be read for another reason, which the message gives.",
        "Remove the cause that the message gives, and try again.",
        "error",
    ),
    (
        "kept",
        "It was read, but not changed, since a change could not be written back.",
        "Unpack the container, and rewrite the file.",
        "error",
    ),
    (
        "stale",
        "It no longer fits the file that it is about: an index, a hash or a signature.",
        "Create it again.",
        "error",
    ),
    (
        "odd",
        "It is not as it should be, but was read.",
        "There is nothing to do.",
        "info",
    ),
    (
        "fault",
        "rehref failed because of an error of its own.",
        "Report it as a bug of rehref, with the file if you can.",
        "error",
    ),
)
"""Name, meaning, what to do, and severity, if it is not a warning."""

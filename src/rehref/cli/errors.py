"""Errors, each reported in one line; and the exit code.

1. A message is one line on standard error: `rehref: FILE: what; what to do`. It has no password and no control
   character.
2. Usage, configuration and I/O errors exit with 2, and so does a bug of rehref, which is reported in one line, too.
3. After an interrupt (Ctrl-C) the program ends with 130 and prints no message; what is in the buffer of standard output
   is not written. If the reader closes the pipe early (`| head`), the program ends with 141, like other programs in a
   shell, and prints no message; what fits into the pipe is written. The program's help says so.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

import click
from click.core import ParameterSource

from rehref.cli._interrupts import INTERRUPTED
from rehref.exceptions import OptionError as OptionError
from rehref.exceptions import RehrefError, SlowExpressionError, WorkerError
from rehref.files.file_errors import FileError
from rehref.files.file_errors import fault as fault
from rehref.reports.terminal import count, visible
from rehref.uri.components import mask_text

FAILED = 2
READER_GONE = 141
_MUCH = 0.7

# errors of writing name no file; errors of reading always do
_OF_WRITING = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EAGAIN, errno.EDQUOT})

CONFIG_FILE = "rehref.config_file"
"""The key of the configuration file's name in the context of the program."""
CONFIGURED = "rehref.configured"
"""The key of the context of the command that has its defaults from that file."""
_MOST_UNWRITTEN = 100


class ReaderGoneError(RehrefError):
    """The reader of standard output has closed the pipe."""


def one_line(message: str) -> str:
    """Return a message as one line, without control characters."""
    return visible(mask_text(" ".join(message.split())))


def say(message: str) -> None:
    """Print a message for people on standard error, if possible: the work and its exit code do not depend on it."""
    line = f"rehref: {one_line(message)}\n"
    encoding = sys.stderr.encoding or "utf-8"
    try:
        sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()
    except OSError:  # a full disk, or a pipe that is closed
        _silence(sys.stderr)


def guarded(run: Callable[[], object]) -> int:
    """Run the program, and return its exit code. Every exception becomes one line."""
    try:
        status = run()
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGoneError):
        return _reader_gone()
    except (KeyboardInterrupt, click.Abort):
        _silence(sys.stdout)  # the reader may never read it
        return INTERRUPTED
    except (FileError, OptionError, SlowExpressionError, WorkerError) as error:
        say(str(error))
    except click.ClickException as error:
        say(_usage(error))
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None:
            return _reader_gone()  # that is what Windows says of a closed pipe
        if isinstance(error.filename, str):
            say(str(FileError.of(error.filename, "cannot be accessed", error)))
        else:
            where = "standard output" if error.errno in _OF_WRITING else "the operating system"
            closed = error.errno == errno.EBADF
            say(f"{where}: {'it is closed' if closed else (error.strerror or str(error)).lower()}")
        _silence(sys.stdout)
    except MemoryError:
        say("there is not enough memory; try fewer --jobs, or smaller documents")
    except Exception as error:
        say(fault(error))
    else:
        return status if isinstance(status, int) else 0
    return FAILED


def _usage(error: click.ClickException) -> str:
    """Return a usage error as one line, with its source and where to look for help."""
    message = _no_such_option(error) if isinstance(error, click.NoSuchOption) else error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return message
    param = error.param if isinstance(error, click.BadParameter) else None
    if param is not None and context.get_parameter_source(param.name or "") is ParameterSource.DEFAULT_MAP:
        file = context.find_root().meta.get(CONFIG_FILE, "configuration")
        return f"{file}: {config_keys(param)[0]}: {message}"
    command = " ".join(context.command_path.split()[1:])
    see = "" if message.endswith("?") else f"; see {context.command_path} --help"
    return f"{command + ': ' if command else ''}{message}{see}"


def _no_such_option(error: click.NoSuchOption) -> str:
    """Return a message that names the unknown option, and the nearest one that exists: `--format html` for `--htlm`."""
    from rehref.exceptions import nearest

    context, unknown = error.ctx, error.option_name
    parameters = [] if context is None else context.command.get_params(context)
    options = [name for each in parameters for name in each.opts if name.startswith("--")]
    meant = {
        str(value): f"{max(each.opts, key=len)} {value}"
        for each in reversed(parameters)
        for value in getattr(each.type, "choices", ())
    } | {name[2:]: name for name in options}
    near = meant.get(nearest(unknown.lstrip("-"), meant, _MUCH) or "") or nearest(unknown, options)
    return f"no such option {error.option_name!r}" + ("" if near is None else f"; did you mean {near}?")


def with_origin(context: click.Context, message: str) -> str:
    """Return a message about an option (`--exclude (: …`) with file and key instead, if a configuration sets it."""
    command: click.Context | None = context.meta.get(CONFIGURED)
    option = re.match("--[a-z-]+", message)
    if command is None or option is None:
        return message
    for param in command.command.params:
        if option[0] in param.opts:
            if command.get_parameter_source(param.name or "") is not ParameterSource.DEFAULT_MAP:
                break
            return f"{context.meta[CONFIG_FILE]}: {config_keys(param)[0]}{message[option.end() :]}"
    return message


def config_keys(option: click.Parameter) -> list[str]:
    """Return the keys of an option in a configuration file: its long names with `_` for `-`, the usual one first."""
    return [name[2:].replace("-", "_") for name in option.opts if name.startswith("--")]


def _reader_gone() -> int:
    _silence(sys.stdout)
    return READER_GONE


def _silence(stream: TextIO) -> None:
    """Discard what is still in the buffer, so that ending the process does not fail again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        return


def say_parted(files: int) -> None:
    """Print how many files had other names (hard links), if any had."""
    if files:
        say(f"{count(files, 'file')} had other names (hard links), which keep the old content")


def say_hashes(files: int, stale: Sequence[object]) -> None:
    """Print in how many files hashes were written anew, if in any, and which stay since they were wrong before."""
    if files:
        say(f"hashes written anew in {count(files, 'file')}")
    for each in stale[:_MOST_UNWRITTEN]:
        say(mask_text(str(each)))
    if len(stale) > _MOST_UNWRITTEN:
        say(f"the same holds for {count(len(stale) - _MOST_UNWRITTEN, 'more reference')}")


def say_unwritten(unwritten: Sequence[tuple[str, str]]) -> None:
    """Print which redirects were not written, each in a line."""
    for url, reason in unwritten[:_MOST_UNWRITTEN]:
        say(mask_text(f"not redirected: /{url}: {reason}"))
    if len(unwritten) > _MOST_UNWRITTEN:
        say(f"not redirected: {count(len(unwritten) - _MOST_UNWRITTEN, 'more URL')}")

"""What goes wrong, reported in one line; and the exit code.

1. A message is one line on standard error: `rehref: FILE: what; what to do`. No password in it, no control character.
2. Usage, configuration and I/O errors exit with 2, and so does a fault of our own: it is reported in one line like the
   rest.
3. An interrupt (Ctrl-C) ends without a word, with 130; what is in the buffer of standard output then is not written. A
   reader that has gone before all is written (`| head`) ends us
   without a word, with 141, as the shell has it; what fits into the pipe is written. The program's help says so.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable

import click
from click.core import ParameterSource

from rehref.checking.expressions import SlowExpressionError
from rehref.cli.interrupts import INTERRUPTED
from rehref.exceptions import RehrefError
from rehref.files.file_errors import FileError
from rehref.files.file_errors import fault as fault
from rehref.files.pool import WorkerError
from rehref.option_errors import OptionError as OptionError
from rehref.reports.text import visible
from rehref.uri.privacy import mask_text

FAILED = 2
READER_GONE = 141

# what writing fails with, where no file is named; reading always names one
_OF_WRITING = frozenset({errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EAGAIN, errno.EDQUOT})

CONFIG_FILE = "rehref.config_file"
"""Where the context of the program keeps the name of the configuration file."""
CONFIGURED = "rehref.configured"
"""Where it keeps the context of the command that has its defaults from there."""


class ReaderGoneError(RehrefError):
    """Nobody reads standard output any more."""


def one_line(message: str) -> str:
    """A message as one line, fit for a terminal."""
    return visible(mask_text(" ".join(message.split())))


def say(message: str) -> None:
    """Say something to people, on standard error."""
    line = f"rehref: {one_line(message)}\n"
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


def guarded(run: Callable[[], object]) -> int:
    """Run the program: its exit code. Every exception becomes one line."""
    try:
        status = run()
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGoneError):
        return _reader_gone()
    except (KeyboardInterrupt, click.Abort):
        _silence_stdout()  # whoever should read it may never do so
        return INTERRUPTED
    except (FileError, OptionError, SlowExpressionError, WorkerError) as error:
        say(str(error))
    except click.ClickException as error:
        say(_usage(error))
    except OSError as error:
        if sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None:
            return _reader_gone()  # that is what Windows says of a closed pipe
        if isinstance(error.filename, str):
            say(str(FileError.of(error.filename, "cannot be looked at", error)))
        else:
            where = "standard output" if error.errno in _OF_WRITING else "the operating system"
            closed = error.errno == errno.EBADF
            say(f"{where}: {'it is closed' if closed else (error.strerror or str(error)).lower()}")
        _silence_stdout()
    except MemoryError:
        say("there is not enough memory; try fewer --jobs, or smaller documents")
    except Exception as error:
        say(fault(error))
    else:
        return status if isinstance(status, int) else 0
    return FAILED


def _usage(error: click.ClickException) -> str:
    """A usage error in one line, with where it comes from and where to look."""
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
    """Which option there is not, and the nearest that there is."""
    from rehref.text.nearest import nearest

    context = error.ctx
    parameters = [] if context is None else context.command.get_params(context)
    near = nearest(error.option_name, [name for each in parameters for name in each.opts if name.startswith("--")])
    return f"no such option {error.option_name!r}" + ("" if near is None else f"; did you mean {near}?")


def with_origin(context: click.Context, message: str) -> str:
    """What is said of an option (`--exclude (: …`): of its file and key, if its value is from a configuration."""
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
    """What an option is called in a configuration file: its long names with `_` for `-`, the usual one first."""
    return [name[2:].replace("-", "_") for name in option.opts if name.startswith("--")]


def _reader_gone() -> int:
    _silence_stdout()
    return READER_GONE


def _silence_stdout() -> None:
    """Let what is still in the buffer go nowhere, so that ending the process does not fail once more."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        return

"""What goes to standard error: messages, each in one line, and a progress bar; and the exit code.

A message is `rehref: FILE: what; what to do`, without passwords and control characters. Usage, configuration and I/O
errors exit with 2, and so does a bug of rehref. After an interrupt (Ctrl-C) the program ends with 130; if the reader
closes the pipe early (`| head`), with 141, like other programs in a shell; both without a message.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.core import ParameterSource

from rehref.cli._interrupts import INTERRUPTED
from rehref.exceptions import OptionError as OptionError
from rehref.exceptions import RehrefError, SlowExpressionError, WorkerError
from rehref.files.file_errors import FileError
from rehref.files.file_errors import fault as fault
from rehref.reports.terminal import count, visible
from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichProgress

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
_PATIENCE = 0.5
_EVERY = 0.1
_LARGE = 64 << 20
"""Bytes that surely take longer than the bar waits to appear."""


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


def is_terminal(stream: TextIO) -> bool:
    """Return whether people see the stream; one that is closed is seen by nobody."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def wanted(*, quiet: bool, no_progress: bool, prints_results: bool) -> bool:
    """Whether to show a bar: if standard error is a terminal, and neither `--quiet` nor `--no-progress` is given.

    If results go to a terminal too, there is none, since the results show the progress.
    """
    if quiet or no_progress or not is_terminal(sys.stderr):
        return False
    return not (prints_results and is_terminal(sys.stdout))


def beside_messages(given: Mapping[str, Any]) -> Progress:
    """Return a bar, if it is wanted, for work whose results come after it. `given`: the options of the command."""
    return Progress(shown=wanted(quiet=given["quiet"], no_progress=given["no_progress"], prints_results=False))


class Progress:
    """A context that shows how much of some work is done, and prints messages above the bar.

    The bar appears after half a second, so that short work does not make it flicker; or at once if there is much to do.
    `of_bytes`: bytes are counted. `clock` returns seconds; the bar is drawn on `console`.
    """

    def __init__(
        self,
        *,
        shown: bool,
        of_bytes: bool = False,
        clock: Callable[[], float] = time.monotonic,
        console: Console | None = None,
    ) -> None:
        self._shown, self._of_bytes, self._clock, self._console = shown, of_bytes, clock, console
        self._began = clock()
        self._latest = self._began + _PATIENCE - _EVERY
        self._done = self._known = 0
        self._bar: RichProgress | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, total: int | None, what: str = "documents", *, is_new: bool = True) -> None:
        """Show that `done` of `total` (None: not known) is done.

        `what`: a text. `is_new`: not done by an interrupted run before.
        """
        if not is_new:
            self._known += done - self._done
        self._done = done
        now = self._clock()
        takes_long = self._of_bytes and self._bar is None and total is not None and total - done > _LARGE
        if not self._shown or (now - self._latest < _EVERY and not takes_long):
            return
        self._latest = now
        if self._bar is None:
            self._bar = _bar(total, of_bytes=self._of_bytes, console=self._console)
        rate, left = self._estimate(now, total)
        task = self._bar.task_ids[0]
        self._bar.update(task, completed=done, total=total, description=what, rate=rate, left=left)
        if self._bar.live.is_started:
            self._bar.refresh()
        else:
            self._bar.start()

    def _estimate(self, now: float, total: int | None) -> tuple[str, str]:
        """The rate and the remaining time of this run, for people; "" while they are not known."""
        from datetime import timedelta

        from rich.filesize import decimal

        seconds, new = now - self._began, self._done - self._known
        if seconds <= 0 or new <= 0:
            return "", ""
        rate = new / seconds
        left = "" if total is None else f"{timedelta(seconds=round((total - self._done) / rate))} left"
        return (f"{decimal(int(rate))}/s" if self._of_bytes else ""), left

    def say(self, message: str) -> None:
        """Print a message, above the bar if there is one."""
        if self._bar is not None:
            self._bar.stop()
        say(message)


def _bar(total: int | None, *, of_bytes: bool, console: Console | None) -> RichProgress:
    """Draw the bar. No thread draws it, since threads and forked processes do not go well together."""
    from rich import progress
    from rich.console import Console

    much = (progress.DownloadColumn(), progress.TextColumn("{task.fields[rate]}")) if of_bytes else ()
    text, left = progress.TextColumn("{task.description}"), progress.TextColumn("{task.fields[left]}")
    columns = (text, progress.BarColumn(), *(much or (progress.MofNCompleteColumn(),)), left)
    bar = progress.Progress(*columns, console=console or Console(stderr=True), auto_refresh=False, transient=True)
    bar.add_task("documents", total=total, rate="", left="")
    return bar

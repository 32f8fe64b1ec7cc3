"""Opens a state, whatever it is: a folder, a contract, an archive, or a site that is crawled.

A folder is a site in that folder. A file is a contract or a web archive by its content. A URL is crawled (`--recursive`
with its pages), only if `external` allows it. A side that is not a site, or has nothing, is refused in one line.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from rehref.documents.options import SourceOptions
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.files.sources import opened
from rehref.site.check import is_page
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site
from rehref.site.states import State


def open_state(
    name: str,
    options: CheckOptions,
    stack: ExitStack,
    progress: Callable[[int, int], None] | None = None,
) -> State:
    """Return a state; what it needs is kept until the stack is closed.

    Raises `FileError`, `OptionError`, and what `check_folder` raises.
    """
    path = Path(name)
    if is_page(name):
        state = State.crawled(name, options, stack, progress)
    elif path.is_dir():
        state = State.of(Site.of(path, options), name, progress)
    else:
        try:
            with opened(path, SourceOptions.DEFAULT) as found:
                if found.container is not None and found.container.kind.holds_records:
                    from rehref.plugins.compare._captured_state import state_of_archive

                    folder = Path(stack.enter_context(TemporaryDirectory()))
                    state = state_of_archive(found.container, name, options, folder, progress)
                else:
                    contract = State.of_contract(found.stored, name) if isinstance(found.stored, bytes) else None
                    if contract is None:
                        remedy = "name a folder, a contract (which --save writes), a WARC or WACZ, or a URL"
                        raise FileError(name, "is not a site", remedy)
                    state = contract
        except OSError as error:
            raise FileError.of(name, "cannot be read", error) from error
    if not any(each.named is not None for each in state.resources.values()):
        raise OptionError(name, "has no pages", "name a folder, a contract, an archive or a URL with pages")
    return state

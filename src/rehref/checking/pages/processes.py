"""Work on many documents, in as many processes as are useful."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rehref.checking.site.site_context import SiteContext
from rehref.files.jobs import chunks_of, how_many
from rehref.files.pool import results

_WORTH_A_PROCESS = 40
_LONGEST_CHUNK = 100

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_processes(
    context: SiteContext, task: Callable[[Sequence[_Item]], _Result], items: Sequence[_Item]
) -> Iterator[_Result]:
    """Yield the result of a task for each chunk of items, in order. Raises what `rehref.files.pool.results` raises."""
    jobs = how_many(context.options.jobs, len(items), _WORTH_A_PROCESS)
    return results(task, chunks_of(items, jobs, _LONGEST_CHUNK), jobs)

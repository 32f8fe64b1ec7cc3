"""Threads: eight give what one gives, and while the twin works on a large source, others run.

gcc's thread sanitizer sees the twin, and the locks and the memory of Python; with a race, the exit code is 66:

    gcc -std=c99 -fPIC -shared -g -O1 -fsanitize=thread -DPy_LIMITED_API=0x030b0000 -I INCLUDE \\
        src/rehref/_native/*.c -o COPY/rehref/_native/_twin.abi3.so
    export LD_PRELOAD=$(gcc -print-file-name=libtsan.so) PYTHONPATH=COPY:tests REHREF_NATIVE=require
    python -m pytest -p no:xdist tests/native/test_threads.py -k give
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import rehref
from markup.asked_of_cores import wanted_in_html
from rehref._native import TWIN
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.twin import plan_for

THREADS = 8
ROWS = (
    "<a href='page{0}.html#x'>x</a>",
    "<img srcset='a{0}.png 1x, b&amp;{0}.png 2x'>",
    "<link rel=stylesheet href=s{0}.css>",
    "<meta name=x content='{0}'><é href=x><x-y style='background: url(a b{0}.png)'>",
    "<p>text, text, text, and more of it: {0} é</p>\n",
    "<a rel='nofollow me' href='../ä{0}'>y</a><template><a href=z{0}></template>",
)
PAGES = [
    "".join(row.format(at % (7 + number)) for at in range(600) for row in ROWS[number:] + ROWS[:1]).encode()
    for number in range(len(ROWS))
]
URL = "http://h.example/a/{}/page.html"


def answer(number: int) -> tuple[list[rehref.Link], bytes, bytes]:
    """All that is made of a page."""
    page, url = PAGES[number % len(PAGES)], URL.format(number % 13)
    return rehref.links(page, url=url), rehref.rewrite(page, url=url), rehref.rewrite(page, lambda link: "x", url=url)


@pytest.fixture
def often() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("often")
def test_eight_threads_give_what_one_gives() -> None:
    numbers = range(3 * THREADS)
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(answer, numbers))
    assert together == list(map(answer, numbers))


@pytest.mark.usefixtures("often")
def test_threads_that_write_one_table_give_what_one_gives() -> None:
    document = read_document(PAGES[0] * 9, None, None, Layers(retrieval=URL.format(1)), ReadOptions.DEFAULT)
    table: Any = document.table()
    if table._twin is None:
        pytest.skip("there is no compiled twin")
    rows = table.rows()
    table.write([row.number for row in rows], [f"new/{row.text}" for row in rows])
    table._twin.fit()
    with ThreadPoolExecutor(THREADS) as pool:
        assert len(set(pool.map(lambda _: table._twin.spliced([]), range(2 * THREADS)))) == 1


def works() -> dict[str, Callable[[], Callable[[], object]]]:
    """What prepares work that is done without the lock."""
    page = PAGES[0] * 60
    layers = Layers(retrieval=URL.format(1))
    plan: Any = plan_for(wanted_in_html(ReadOptions.DEFAULT))

    def scan() -> Callable[[], object]:
        return lambda: TWIN.Scan(page, plan.capsule, False)  # type: ignore[union-attr]

    def table() -> Callable[[], object]:
        document = read_document(page, None, None, layers, ReadOptions.DEFAULT)
        return document.table

    def splice() -> Callable[[], object]:
        table: Any = read_document(page * 9, None, None, layers, ReadOptions.DEFAULT).table()._twin
        table.fit()
        return lambda: table._table.spliced(1, 9 * len(page))

    return {"scan": scan, "table": table, "splice": splice}


@pytest.mark.skipif(TWIN is None, reason="there is no compiled twin")
@pytest.mark.parametrize("name", ["scan", "table", "splice"])
def test_while_the_twin_works_others_run(name: str) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(100)  # the lock changes hands only where it is given back
    try:
        assert any(others_run(works()[name]()) for _ in range(20))  # nothing gives the other thread its turn at once
    finally:
        sys.setswitchinterval(before)


def others_run(work: Callable[[], object]) -> bool:
    """Whether this thread runs before a work of another is done."""
    done: list[object] = []
    begins = threading.Event()

    def run() -> None:
        begins.set()
        done.append(work())

    thread = threading.Thread(target=run)
    thread.start()
    begins.wait()
    was_first = not done
    thread.join()
    return was_first

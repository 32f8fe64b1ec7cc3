"""Fixtures for all tests. It lets them import what they share, which pytest's way of importing tests does not."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import Phase, settings

sys.path.append(str(Path(__file__).resolve().parent))

from examples import ALL, examples, outside_the_sample
from suites import suites_folder
from together import are_apart, item_of_all

# How long something takes depends on what else the machine does. Where a change is judged (CI), the same examples are
# tried each time; everywhere else, others each time.
settings.register_profile("rehref", max_examples=examples(100), deadline=None, derandomize=bool(os.environ.get("CI")))
# A mutant (scripts/mutate) meets the same examples each time, and the first that kills it will do.
settings.register_profile(
    "mutants", deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("rehref")

_NUMBERS = count()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer each value of a test as a test."""
    parser.addoption("--apart", action="store_true", help="make each value of a test an item of its own")


@pytest.hookimpl(tryfirst=True)  # before pytest makes an item of each value
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> pytest.Item | None:
    """Make one item for all values of a test, where that is the same."""
    return None if are_apart(collector.config) else item_of_all(collector, name, obj)


@pytest.hookimpl(tryfirst=True)  # markers are looked at after it
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make what is not in the sample slow, unless all is tried."""
    if not ALL:
        for item in list(outside_the_sample(items)):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Have the garbage collector leave what was collected alone, which stays to the end of the run."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _interrupts() -> Iterator[None]:
    """A child process ends at an interrupt, even where who runs the tests has it ignored, as in a background job.

    What is ignored stays so in a child process; what is handled does not.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def _no_cache_from_before(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What servers answered is kept for no other test, nor in anybody's own cache."""
    folder = tmp_path_factory.getbasetemp() / "caches" / str(next(_NUMBERS))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder with the conformance data; without it, tests that need it are skipped."""
    folder = suites_folder()
    if not folder.is_dir():
        pytest.skip("no conformance data: run scripts/suites")
    return folder


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of documents written for these tests."""
    return Path(__file__).resolve().parents[1] / "fixtures"

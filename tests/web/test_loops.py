"""The event loop that asks servers, uvloop's or asyncio's: what is asked and reported is the same, and so is Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")

from patience import PATIENCE, wait_until
from rehref.web import _loops
from rehref.web.answers import Answer, Question
from rehref.web.asking import ask
from rehref.web.asking_options import WebOptions
from web.load_server import counting
from web.servers import Sent, serving

UVLOOP = pytest.param("uvloop", marks=pytest.mark.skipif(find_spec("uvloop") is None, reason="uvloop is not installed"))
LOOPS = ["asyncio", UVLOOP]


@pytest.fixture(params=LOOPS)
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "asyncio":
        monkeypatch.setitem(sys.modules, "uvloop", None)
    return str(request.param)


def test_the_loop_is_the_one_that_is_installed(loop: str) -> None:
    async def module() -> None:
        running = type(asyncio.get_running_loop())
        assert any(each.__module__.startswith(loop) for each in running.__mro__[:2])

    _loops.run(module)


def test_limits_are_kept_as_the_server_counts_them(loop: str) -> None:
    """At most so many requests at a time, in all and to one host; and not more in a second than the interval allows."""
    with counting(0.01) as server:
        urls = [server.url(number % 8, number) for number in range(400)]
        found: list[Answer] = []
        options = WebOptions(host_interval=0.02, max_concurrency=6, host_concurrency=2, allows_private=True)
        ask(map(Question, urls), options, lambda answer: found.append(answer) or ())
    assert [answer.status for answer in found] == [200] * 400
    counted = server.report
    assert (counted["requests"], counted["urls"], counted["hosts"]) == (400, 400, 8)
    assert 1 < counted["most"] <= 6
    assert counted["most at a host"] <= 2
    assert counted["most in a second"] <= 1 / 0.02 + 2
    assert counted["connections"] <= 16


# Ctrl-C

only_with_signals = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")


def interrupted(loop: str, folder: Path, after: int, then: float, number: int = 2) -> tuple[int, str, str]:
    """What a run gives, and says, that gets a signal so many seconds after so many of its requests have come."""

    def send(path: str) -> Sent:
        if path.endswith("7"):
            time.sleep(0.2)
        return Sent(404 if path.endswith("3") else 200)

    hides = "sys.modules['uvloop'] = None; " if loop == "asyncio" else ""
    program = f"import sys; {hides}from rehref.cli import main; main(sys.argv[1:])"
    options = ("--external", "--allow-private", "--no-cache", "--host-request-interval", "0s", "--format", "json")
    with serving(send) as server:
        links = "".join(f"<a href={server.url}{number}>{number}</a>\n" for number in range(3000))
        (folder / "index.html").write_text(f"<a href=#nothing>nothing</a>{links}")
        arguments = [sys.executable, "-c", program, "check", str(folder), *options]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            wait_until(lambda: len(server.requests) >= after)
            time.sleep(then)
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def reported_as_far_as_known(loop: str, folder: Path, after: int, then: float) -> None:
    status, out, err = interrupted(loop, folder, after, then)
    assert (status, "Traceback" in err) == (130, False), err
    assert "stopped: links to other sites were checked as far as servers had answered" in err
    report = json.loads(out)
    assert report["problems"][0]["code"] == "missing-fragment"
    assert 0 < report["summary"]["asked"] < 3000
    assert report["summary"]["asked"] + report["summary"]["skipped"] == 3000
    wrong = [problem["target"] for problem in report["problems"] if problem["code"] == "web-not-found"]
    assert all(url.endswith("3") for url in wrong)


@only_with_signals
@pytest.mark.parametrize("after", [20, 300])
def test_ctrl_c_reports_what_is_known(loop: str, tmp_path: Path, after: int) -> None:
    reported_as_far_as_known(loop, tmp_path, after, 0.0)


@only_with_signals
@pytest.mark.slow
@pytest.mark.parametrize("turn", range(40))
def test_ctrl_c_reports_what_is_known_at_any_moment(loop: str, tmp_path: Path, turn: int) -> None:
    reported_as_far_as_known(loop, tmp_path, 10 + 31 * turn, turn % 7 * 0.003)


@only_with_signals
def test_a_request_to_terminate_ends_the_run_at_once(loop: str, tmp_path: Path) -> None:
    assert interrupted(loop, tmp_path, 20, 0.0, signal.SIGTERM)[0] == -signal.SIGTERM


@only_with_signals
@pytest.mark.parametrize("comes", ["before", "while asking", "in the last answer", "afterwards"])
def test_ctrl_c_is_raised_once_and_what_handled_it_before_does_again(loop: str, comes: str) -> None:
    """Whenever it comes; a second one is handled as the first would have been."""
    taken: list[str] = []

    def handler(number: int, frame: object) -> None:
        taken.append(comes)
        raise KeyboardInterrupt

    async def session() -> None:
        if comes == "while asking":
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(9)
            raise AssertionError
        if comes == "in the last answer":
            signal.raise_signal(signal.SIGINT)

    def begin() -> object:
        if comes == "before":
            signal.raise_signal(signal.SIGINT)
        return session()

    before = signal.signal(signal.SIGINT, handler)
    try:
        if comes == "afterwards":
            _loops.run(session)
            assert signal.getsignal(signal.SIGINT) is handler
        else:
            with pytest.raises(KeyboardInterrupt):
                _loops.run(begin)  # type: ignore[arg-type]
            assert taken == [comes]
            assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)


@only_with_signals
def test_ctrl_c_that_is_ignored_stays_ignored(loop: str) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    ended: list[bool] = []

    async def session() -> None:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
        ended.append(True)

    try:
        _loops.run(session)
        assert (ended, signal.getsignal(signal.SIGINT)) == ([True], signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_loop_runs_in_any_thread(loop: str) -> None:
    async def session() -> None:
        ran.append(threading.current_thread())

    ran: list[threading.Thread] = []
    thread = threading.Thread(target=_loops.run, args=(session,))
    thread.start()
    thread.join(PATIENCE)
    assert ran == [thread]

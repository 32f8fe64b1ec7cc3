"""Drives a headless Chromium through its DevTools protocol, over a pipe.

- One browser, one tab at a time; `Tab.open` loads a URL and waits for its load event.
- Nothing leaves the machine: every host but one leads nowhere, and that one to a port of this machine. `*.localhost`
  is this machine, as in every browser.
- `Tab.evaluate` runs an expression in the main frame and in every frame below it, in the order of the frame tree,
  apart from the page's own scripts; `Tab.run` where they are.
"""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import chromium

from patience import PATIENCE


class Browser:
    """The protocol's connection: commands, and the events that come between their answers."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer
        self._number = 0
        self._buffer = b""
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Give a command: its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]  # type: ignore[no-any-return]
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> None:
        """Wait for an event."""
        while True:
            for number, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    del self.events[number]
                    return
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            assert select.select([self._reader], [], [], PATIENCE)[0], "Chromium does not answer"
            read = os.read(self._reader, 1 << 20)
            assert read, "Chromium has gone"
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)  # type: ignore[no-any-return]


class Tab:
    """A tab of the browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._send("Page.enable")

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.send(method, self._session, **parameters)

    def open(self, url: str) -> None:
        """Load a URL."""
        self._browser.events.clear()
        result = self._send("Page.navigate", url=url)
        assert "errorText" not in result, f"{url}: {result['errorText']}"
        self._browser.wait_for("Page.loadEventFired", self._session)

    def failures(self, url: str) -> list[str]:
        """Load a URL: the URLs that could not be loaded for it."""
        self._send("Network.enable")
        self.open(url)
        asked: dict[str, str] = {}
        failed = []
        self.evaluate("new Promise(done => setTimeout(() => done(true), 50))")  # what the page asks for late
        for event in self._browser.events:
            parameters = event.get("params", {})
            if event.get("method") == "Network.requestWillBeSent":
                asked[parameters["requestId"]] = parameters["request"]["url"]
            elif event.get("method") == "Network.loadingFailed":
                failed.append(asked.get(parameters["requestId"], parameters["requestId"]))
        return failed

    def requested(self) -> list[str]:
        """The URLs that were asked for since `failures` began to load a page."""
        events = self._browser.events
        sent = (each["params"] for each in events if each.get("method") == "Network.requestWillBeSent")
        return [each["request"]["url"] for each in sent]

    def snapshot(self) -> bytes:
        """The page as MHTML."""
        data: str = self._send("Page.captureSnapshot", format="mhtml")["data"]
        return data.encode("utf-8")

    def evaluate(self, expression: str) -> list[Any]:
        """What an expression gives in each frame, the main frame first."""
        return [self._in_frame(frame, expression) for frame in _frames(self._send("Page.getFrameTree")["frameTree"])]

    def look(
        self, scheme: str = "light", width: int = 1280, height: int = 900, media: str = "", *, forced: bool = False
    ) -> None:
        """See pages in that colour scheme, or in forced colours, in a window of that size, as if it had the focus.

        `media`: otherwise than they are used, `print`.
        """
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "forced-colors", "value": "active" if forced else "none"},
        ]
        self._send("Emulation.setEmulatedMedia", media=media, features=features)
        self._send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._send("Emulation.setFocusEmulationEnabled", enabled=True)
        self._send("Runtime.enable")
        self._send("Log.enable")

    def dense(self, density: int) -> None:
        """See pages on a screen with so many device pixels for a CSS pixel."""
        size = {"width": 1280, "height": 900, "mobile": False}
        self._send("Emulation.setDeviceMetricsOverride", deviceScaleFactor=density, **size)

    def scripts(self, *, enabled: bool) -> None:
        """Let pages run scripts, or not."""
        self._send("Emulation.setScriptExecutionDisabled", value=not enabled)

    def run(self, expression: str) -> Any:
        """What an expression, or the promise that it is, gives where the page's scripts are."""
        result = self._send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def complaints(self) -> list[str]:
        """What came on the console since a page was opened, and errors that nothing caught."""
        names = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self._browser.events if event.get("method") in names]

    def press(self, key: str) -> None:
        """Press a key, by its name: `Tab`, `ArrowDown`, `a`."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36}
        codes |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        code = codes.get(key, ord(key[0].upper()))
        self._send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        self._send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def point(self, x: float, y: float) -> None:
        """Move the pointer there, in CSS pixels of the window; again, if nothing was painted yet that it could meet."""
        met = f"document.elementFromPoint({x}, {y})?.matches(':hover')"
        for _ in range(20):
            self._send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
            if self.run(met):
                return
            time.sleep(0.01)

    def pdf(self) -> bytes:
        """The page, printed."""
        return base64.b64decode(self._send("Page.printToPDF")["data"])

    def picture(self) -> bytes:
        """What is seen of the page, as PNG."""
        return base64.b64decode(self._send("Page.captureScreenshot", format="png", optimizeForSpeed=False)["data"])

    def allow(self, *permissions: str) -> None:
        """Grant pages these permissions."""
        self._browser.send("Browser.grantPermissions", permissions=list(permissions))

    def _in_frame(self, frame: str, expression: str) -> Any:
        world = self._send("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        result = self._send(
            "Runtime.evaluate", expression=expression, contextId=world, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"]["value"]


def _frames(tree: dict[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", ()):
        yield from _frames(child)


@contextmanager
def browser(program: str, port: int, profile: Path) -> Iterator[Browser]:
    """Start Chromium; `port` is where the host of `chromium.py` leads to, `profile` an empty folder for its use."""
    to_read, to_write = os.pipe(), os.pipe()

    def take_places() -> None:
        # the protocol's pipes are file descriptors 3 (commands) and 4 (answers) there
        commands, answers = os.dup(to_write[0]), os.dup(to_read[1])
        os.dup2(os.dup(commands) if commands in (3, 4) else commands, 3)
        os.dup2(answers, 4)

    process = subprocess.Popen(
        [
            program,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-proxy-server",
            f"--host-resolver-rules=MAP {chromium.HOST} 127.0.0.1:{port}, MAP * ~NOTFOUND, "
            "EXCLUDE localhost, EXCLUDE *.localhost",
            f"--user-data-dir={profile}",
            "--remote-debugging-pipe",
            "about:blank",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=take_places,
        pass_fds=(3, 4),
    )
    os.close(to_write[0])
    os.close(to_read[1])
    try:
        yield Browser(to_read[0], to_write[1])
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(to_read[0])
        os.close(to_write[1])

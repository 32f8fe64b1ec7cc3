"""A server on loopback that counts: how many requests there are at once, in all and of each host, and when they come.

    python tests/web/load_server.py [SECONDS]

It says its port, answers every request after so many seconds, and at the end of its standard input, what it counted, as
JSON. Every address 127.x.y.z is a host of its own.

- A request counts from when its head has come until its answer is written.
- It is fast: one process, one loop, no parsing of what does not matter. It has to be faster than who is measured.
- `/429/N/…` asks to wait for N seconds at the first request for each such URL.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

_BODY = b"<!DOCTYPE html><title>t</title>" + b"<p>text</p>" * 50
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(_BODY)
_PORTS = range(7000, 10_000)
"""URLs with them are read as fast as those of the web, which have no port; others have to be looked at twice."""
_WAIT = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n"


class Counts:
    """What is counted."""

    def __init__(self) -> None:
        self.requests = 0
        self.connections = 0
        self.urls: Counter[bytes] = Counter()
        self.times: dict[bytes, list[float]] = {}
        self.now: Counter[bytes] = Counter()
        self.most: Counter[bytes] = Counter()
        self.now_in_all = self.most_in_all = 0

    def report(self) -> dict[str, Any]:
        """For JSON. `gaps`: from one request to the next at the same host, the shortest ones first."""
        gaps = sorted(later - before for times in self.times.values() for before, later in pairwise(times))
        all_times = [time for times in self.times.values() for time in times]
        return {
            "requests": self.requests,
            "connections": self.connections,
            "urls": len(self.urls),
            "hosts": len(self.times),
            "most": self.most_in_all,
            "most at a host": max(self.most.values(), default=0),
            "seconds": max(all_times, default=0) - min(all_times, default=0),
            "gaps": {str(part): gaps[int(part * (len(gaps) - 1))] for part in (0, 0.001, 0.01, 0.5)} if gaps else {},
            "most in a second": max((_most_in(times, 1.0) for times in self.times.values()), default=0),
        }


def _most_in(times: list[float], seconds: float) -> int:
    """How many of these times are within any so many seconds."""
    most = first = 0
    for last, time in enumerate(times):
        while times[first] <= time - seconds:
            first += 1
        most = max(most, last - first + 1)
    return most


class Connection(asyncio.Protocol):
    """One connection, with one request after the other."""

    def __init__(self, counts: Counts, takes: float) -> None:
        self.counts, self.takes, self.loop = counts, takes, asyncio.get_running_loop()
        self.rest = b""
        self.under_way: bytes | None = None
        counts.connections += 1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        head, end, self.rest = data.partition(b"\r\n\r\n")
        if not end:
            self.rest = data
            return
        method, url, _ = head.split(b" ", 2)
        at = head.lower().find(b"\r\nhost:") + 7
        host = head[at : head.find(b":", at)].strip()
        answer = self._count(host, url)
        if method != b"HEAD" and answer is _HEAD:
            answer += _BODY
        if self.takes:
            self.loop.call_later(self.takes, self._answer, host, answer)
        else:
            self._answer(host, answer)

    def _count(self, host: bytes, url: bytes) -> bytes:
        counts, url = self.counts, host + url
        counts.requests += 1
        counts.urls[url] += 1
        counts.times.setdefault(host, []).append(self.loop.time())
        counts.now[host] += 1
        counts.most[host] = max(counts.most[host], counts.now[host])
        counts.now_in_all += 1
        counts.most_in_all = max(counts.most_in_all, counts.now_in_all)
        _, _, rest = url.partition(b"/429/")
        return _WAIT % rest.partition(b"/")[0] if rest and counts.urls[url] == 1 else _HEAD

    def _answer(self, host: bytes, answer: bytes) -> None:
        self.counts.now[host] -= 1
        self.counts.now_in_all -= 1
        self.transport.write(answer)


async def _serve(takes: float) -> None:
    counts = Counts()
    loop = asyncio.get_running_loop()
    for port in random.sample(_PORTS, 20):
        with suppress(OSError):  # it is in use
            server = await loop.create_server(lambda: Connection(counts, takes), "0.0.0.0", port, backlog=1000)
            break
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    print(json.dumps(counts.report()), flush=True)


class Counting:
    """The server, as a process of its own. `port`; `report`: what was counted, when it has ended."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.port = int(process.stdout.readline())
        self.report: dict[str, Any] = {}

    def url(self, host: int, path: object) -> str:
        """A URL of one of 65,536 hosts."""
        return f"http://127.1.{host >> 8}.{host & 255}:{self.port}/{path}"


@contextmanager
def counting(takes: float = 0.0) -> Iterator[Counting]:
    """A server that counts, for as long as the context lasts."""
    command = [sys.executable, str(Path(__file__)), str(takes)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        server = Counting(process)
        try:
            yield server
        finally:
            server.report = json.loads(process.communicate("")[0])


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0))

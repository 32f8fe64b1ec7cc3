"""A request at the gate that is cancelled."""

from __future__ import annotations

import asyncio

import pytest

from rehref.web._gate import Gate
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords
from web.stub import clockwork


@pytest.mark.parametrize("steps", range(20))
def test_a_request_that_is_cancelled_at_the_gate_holds_nothing(steps: int) -> None:
    async def run() -> None:
        gate = Gate(WebOptions(max_concurrency=1, host_concurrency=1, host_interval=0.35), HostRecords())

        async def request(url: str) -> None:
            async with gate(url):
                await asyncio.sleep(0.2)

        await request("http://a/")  # the next one waits for the interval first, and then for the other host
        other = asyncio.ensure_future(request("http://b/"))
        await asyncio.sleep(0.1)
        cancelled = asyncio.ensure_future(request("http://a/"))
        await asyncio.sleep(0.01 + 0.02 * steps)
        cancelled.cancel()
        await asyncio.gather(other, cancelled, return_exceptions=True)
        async with asyncio.timeout(9):
            for url in ("http://a/", "http://b/"):
                await request(url)

    with asyncio.Runner(loop_factory=clockwork) as runner:
        runner.run(run())

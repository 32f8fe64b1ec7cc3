"""Pages that only browsers pass."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import rehref
from rehref.web._challenges import challenger
from web.servers import listening

ANUBIS = b'<!doctype html><title>Making sure</title><script id="anubis_challenge" type="application/json">{}</script>'
CLOUDFLARE = b"<script>a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=1'</script>"


@pytest.mark.parametrize(
    ("status", "headers", "body", "program"),
    [
        (200, {"cf-mitigated": "challenge"}, None, "Cloudflare"),
        (405, {"x-amzn-waf-action": "captcha"}, None, "AWS WAF"),
        (200, {}, ANUBIS, "Anubis"),
        (503, {}, CLOUDFLARE, "Cloudflare"),
        (200, {}, CLOUDFLARE, ""),  # a page about challenges
        (200, {"server": "cloudflare"}, b"<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>", ""),
        (None, {}, None, ""),
    ],
)
def test_whose_challenge_it_is(status: int | None, headers: dict[str, str], body: bytes | None, program: str) -> None:
    assert challenger(status, headers, body) == program


@pytest.mark.parametrize(
    ("status", "field", "body"),
    [
        (200, b"X: y", ANUBIS),
        (403, b"cf-mitigated: challenge", b"<title>Just a moment...</title>"),
        (503, b"cf-mitigated: challenge\r\nRetry-After: 1000", CLOUDFLARE),
        (202, b"x-amzn-waf-action: challenge", b""),
    ],
)
def test_a_challenge_is_no_missing_fragment(tmp_path: Path, status: int, field: bytes, body: bytes) -> None:
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        head = b"HTTP/1.1 %d X\r\nContent-Type: text/html\r\n%b\r\nContent-Length: %d\r\n\r\n" % (
            status,
            field,
            len(body),
        )
        writer.write(head + body)
        writer.close()

    async def run() -> rehref.CheckResult:
        async with listening(serve) as base:
            (tmp_path / "a.html").write_text(f"<!doctype html><title>x</title><a href='{base}/p#x'>x</a>")
            return await asyncio.to_thread(rehref.check, tmp_path, external=True, allow_private=True)

    result = asyncio.run(run())
    assert [(each.code, each.severity) for each in result.findings] == [("web-forbidden", "warning")]
    assert "answers with a test that only browsers pass, not with the page" in result.findings[0].message
    assert len(asked) == 1

"""What asks servers: what is kept of the answers, and what ends it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from checked.asked_sites import Check, OutsideAndResult, found
from checked.made_web import Servers
from rehref.site._external.outside import OFFLINE
from rehref.web.answers import Answer

A = "https://a.example"


def test_several_folders_ask_once(outside_and_result: OutsideAndResult, tmp_path: Path, servers: Servers) -> None:
    outside = None
    for name in ("one", "two"):
        outside, result = outside_and_result(tmp_path / name, f"<a href={A}/x>", outside)
        assert [one.code for one in result.findings] == ["web-not-found"]
        assert result.summary.asked == 1
    assert servers.urls == [f"{A}/x"]


def test_what_hosts_asked_for_holds_for_all_folders(
    outside_and_result: OutsideAndResult, tmp_path: Path, servers: Servers
) -> None:
    outside, _ = outside_and_result(tmp_path / "one", f"<a href={A}/one>")
    outside_and_result(tmp_path / "two", f"<a href={A}/two>", outside)
    assert len(servers.records) == 2
    assert all(each is outside.hosts for each in servers.records)


def test_ctrl_c_leaves_what_is_known(outside_and_result: OutsideAndResult, tmp_path: Path, servers: Servers) -> None:
    servers.interrupt_after = 1
    page = f"<a href={A}/x><a href={A}/y><a href=gone.html>"
    outside, result = outside_and_result(tmp_path, page)
    assert outside.stopped
    assert sorted(one.code for one in result.findings) == ["missing-file", "web-not-found"]
    assert (result.summary.checked, result.summary.skipped, result.summary.asked) == (2, 1, 1)
    outside_and_result(tmp_path, page, outside)
    assert len(servers.asked) == 1


@pytest.mark.parametrize(("hosts", "is_offline"), [(4, False), (5, True)])
def test_without_a_network_nothing_is_said_of_links(
    outside_and_result: OutsideAndResult, tmp_path: Path, servers: Servers, hosts: int, is_offline: bool
) -> None:
    urls = [f"https://h{number}.example/" for number in range(hosts)]
    for url in urls:
        servers.answers[url] = Answer(url, failure="unknown-host", detail="its name has no address")
    outside, result = outside_and_result(tmp_path, "".join(f"<a href={url}>" for url in urls))
    assert outside.is_offline == is_offline
    assert len(result.findings) == (0 if is_offline else hosts)
    assert result.summary.checked == (0 if is_offline else hosts)
    assert (OFFLINE in result.hints) == is_offline


def test_without_a_network_what_is_known_from_before_counts(check: Check, servers: Servers, tmp_path: Path) -> None:
    now, cache = datetime.now(tz=UTC).timestamp(), str(tmp_path / "web.sqlite")
    for name in ("gone", "fine"):
        servers.answers[f"{A}/{name}"] = Answer(
            f"{A}/{name}", 404 if name == "gone" else 200, final=f"{A}/{name}", checked_at=now
        )
    known = f"<a href={A}/gone><a href={A}/fine>"
    assert found(check(known, cache=cache, cache_age=["1d"])) == [("web-not-found", f"{A}/gone")]
    urls = [f"https://h{number}.example/" for number in range(5)]
    servers.answers = {url: Answer(url, failure="no-connection", checked_at=now) for url in urls}
    result = check(known + "".join(f"<a href={url}>" for url in urls), cache=cache, cache_age=["1d"])
    assert found(result) == [("web-not-found", f"{A}/gone")]
    assert (result.summary.checked, result.summary.skipped, result.summary.asked) == (2, 5, 2)
    assert OFFLINE in result.hints


def test_without_a_network_private_addresses_are_as_private(check: Check, servers: Servers) -> None:
    urls = [f"https://h{number}.example/" for number in range(5)]
    servers.answers = {url: Answer(url, failure="unknown-host") for url in urls}
    servers.answers["http://127.0.0.1/"] = Answer("http://127.0.0.1/", failure="private-address")
    result = check("".join(f"<a href={url}>" for url in [*urls, "http://127.0.0.1/"]))
    assert [code for code, _ in found(result) if code.startswith("web-")] == ["web-private-address"]
    assert OFFLINE in result.hints


@pytest.mark.parametrize(
    "local", ["http://127.0.0.1:8000", "http://localhost", "http://[::1]:81", "http://box.local", "http://10.1.2.3"]
)
def test_one_that_is_local_does_not(check: Check, servers: Servers, local: str) -> None:
    urls = [f"https://h{number}.example/" for number in range(5)]
    servers.answers = {url: Answer(url, failure="unknown-host") for url in urls}
    servers.page(f"{local}/", "<p>")
    result = check("".join(f"<a href={url}>" for url in [*urls, f"{local}/"]))
    assert [code for code, _ in found(result) if code.startswith("web-")] == []
    assert OFFLINE in result.hints

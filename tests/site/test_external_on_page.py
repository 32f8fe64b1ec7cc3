"""The URLs outside of a site that a page has."""

from __future__ import annotations

from pathlib import Path

from checked.contexts import checked
from rehref.site._pages.external_on_page import external_urls
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.site import Site


def told(result: CheckResult) -> list[tuple[str, str]]:
    return [(finding.reference, finding.code) for finding in result.findings]


def test_what_nobody_sees_is_nothing_to_any_check(tmp_path: Path) -> None:
    inside = "<img src=''><a href='b.html#:~:text=no'><a href=https://elsewhere.example/>"
    files = {"a.html": f"<template>{inside}</template><link rev=x href=https://elsewhere.example/2>", "b.html": "yes"}
    context = Site.of(tmp_path, CheckOptions(jobs=1))
    every = frozenset({"text_fragments"})
    assert told(checked(tmp_path, files, checks=every)) == []
    assert external_urls(context.page("a.html", files["a.html"].encode())) == {}
    shadow = {**files, "a.html": f"<div><template shadowrootmode=open>{inside}</template></div>"}
    codes = [code for _, code in told(checked(tmp_path, shadow, checks=every))]
    assert codes == ["empty-reference", "text-fragment"]
    assert list(external_urls(context.page("a.html", shadow["a.html"].encode()))) == ["https://elsewhere.example/"]

"""Ids that a document has twice."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

import lxml.html
import pytest

from checked.contexts import checked, written
from rehref.site._checks import ids
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST, CheckResult, Finding
from rehref.site.site import Site


def check(folder: Path, files: Mapping[str, str | bytes] | None = None, **options: Any) -> CheckResult:
    return checked(folder, files or {}, **options)


@pytest.mark.parametrize(
    ("markup", "ids"),
    [
        ("<a href=#x>", ["x"]),
        ("<a href=a.html#x>", ["x"]),
        ("<a href='#%78:~:text=a'>", ["x"]),
        ("<svg><use href='#x'/></svg>", ["x"]),
        ("<a href=b.html#x><a href=#>", []),
        ("<base href=b/><a href=#x>", []),
        ("<base href=b/><a href=../a.html#x>", ["x"]),
        ("<label for=x>", []),
        ("<a href='?q#x'>", ["x"]),
    ],
)
def test_double_ids_matter_where_something_leads_there(tmp_path: Path, markup: str, ids: list[str]) -> None:
    files = {"a.html": f"{markup}<p id=x><p id=x><p id=y><p id=y>", "b.html": "<p id=x>", "b/a.html": "<p id=x>"}
    assert [one.reference for one in check(tmp_path, files).findings if one.code == "duplicate-id"] == ids


def test_only_double_ids_that_are_reported_are_located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []
    finding = ids._finding

    def counted(page: Any, number: int) -> Finding:
        numbers.append(number)
        return finding(page, number)

    monkeypatch.setattr(ids, "_finding", counted)
    page = "<p id=x><p id=y>\n<p id=y><p id=x><p id=x>"
    found = check(tmp_path, {"a.html": page * 20, "b.html": page, "c.html": "<a href=b.html#y>"}).findings
    assert [(one.document, one.line, one.column, one.reference) for one in found] == [("b.html", 2, 7, "y")]
    assert numbers == [2]


def test_double_ids_of_a_document_that_has_changed_are_not_reported(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p id=x><p id=x>")
    context = Site.of(tmp_path, CheckOptions(jobs=1))
    wanted = {1: "x"}
    assert [one[0] for one in ids.located(context, [("a.html", wanted)])] == ["a.html"]
    for content in ("<p id=x>", "<p id=x><p id=y>"):
        (tmp_path / "a.html").write_text(content)
        assert ids.located(context, [("a.html", wanted)]) == []
    (tmp_path / "a.html").unlink()
    assert ids.located(context, [("a.html", wanted)]) == []


def slow_check(folder: Path) -> set[tuple[str, str, str]]:
    names: dict[str, set[str]] = {}
    uses: list[tuple[str, str, str]] = []
    for path in folder.rglob("*.html"):
        tree = lxml.html.document_fromstring(path.read_bytes(), parser=lxml.html.HTMLParser(encoding="utf-8"))
        document = path.relative_to(folder).as_posix()
        names[os.fspath(path)] = {*tree.xpath("//@id"), *tree.xpath("//a/@name")}
        bases = tree.xpath("//base/@href")
        own = f"{UNKNOWN_HOST}/{quote(document)}"
        base = urljoin(own, bases[0]) if bases else own
        uses += [(document, value, urljoin(base, value)) for value in tree.xpath("//a/@href | //img/@src")]
    found = set()
    for document, value, uri in uses:
        if not uri.startswith(f"{UNKNOWN_HOST}/"):
            continue
        file = os.fspath(folder) + unquote(urlsplit(uri).path)
        fragment = urlsplit(uri).fragment
        if os.path.isdir(file):  # noqa: PTH112
            file = os.path.join(file, "index.html")  # noqa: PTH118
        if not os.path.isfile(file):  # noqa: PTH113
            found.add((document, value, "missing"))
        elif fragment not in ("", "top") and unquote(fragment) not in names[file]:
            found.add((document, value, "missing-fragment"))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_findings_are_those_of_an_independent_checker(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    folders = ["", "a/", "a/b/", "c é/"]
    names = ["index.html", "x.html", "y z.html", "ü.html"]
    ids = ["top", "one", "zwei", "drei-é", "%", "a.b"]
    references = [
        up + folder + name + fragment
        for up in ("", "../", "./", "../../")
        for folder in ("", "a/", "b/", "c%20é/", "a/../")
        for name in ("", "x.html", "y%20z.html", "y z.html", "%C3%BC.html", "no.html")
        for fragment in ("", "#one", "#zwei", "#drei-%C3%A9", "#no", "#")
    ]
    for folder in folders:
        for name in names:
            base = choose.choice(["", "", "<base href='../'>", "<base href='a/'>"])
            body = "".join(f'<p id="{one}">' for one in choose.sample(ids, 3))
            body += "".join(f'<a href="{one}">x</a>\n' for one in choose.sample(references, 40))
            written(
                tmp_path, {folder + name: f"<!DOCTYPE html><html><head><meta charset=utf-8>{base}</head><body>{body}"}
            )
    for jobs in (1, 2):
        result = check(tmp_path, jobs=jobs)
        mine = {
            (finding.document, finding.reference, re.sub("missing-(file|index)|escapes-site", "missing", finding.code))
            for finding in result.findings
            if finding.severity == "error"
        }
        assert mine == slow_check(tmp_path)
        assert result.summary.links == sum(path.read_text().count("href=") for path in tmp_path.rglob("*.html"))

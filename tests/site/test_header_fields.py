"""Header fields that a host is told to send (checks/header_fields.py, hosting/header_files.py)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from checked.contexts import host_named, written
from growth import assert_proportional
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST, Finding
from rehref.site.site import Site

URL = "https://example.org/"
PAGES = {"index.html": "<p id=here>", "blog/index.html": "<p id=b>", "style.css": "", "blog/style.css": ""}


def found(folder: Path, files: Mapping[str, str | bytes], host: str = "netlify", **options: Any) -> list[Finding]:
    written(folder, {**PAGES, **files})
    context = Site.of(folder, CheckOptions(**{"jobs": 1, "site_url": URL, "host": host_named(host), **options}))
    return [
        each
        for each in CheckRun().check(context).result.findings
        if each.document not in (*PAGES, *context.scope.documents, "_redirects")
    ]


def told(folder: Path, headers: str, **options: Any) -> list[tuple[str, str]]:
    return [(finding.reference, finding.code) for finding in found(folder, {"_headers": headers}, **options)]


# `_headers`


# `.htaccess`


# what is read


def test_what_is_excluded_is_not_read(tmp_path: Path) -> None:
    assert told(tmp_path, "/*\n Link: </gone>", exclude_paths=("_headers",)) == []


# what a reference is relative to


def test_a_broken_reference_is_reported_where_it_stands(tmp_path: Path) -> None:
    data = '\ufeff# é\r\n/blog/\r\n  Link: <style.css>; title="é", <no.css>; rel="preload"\r\n'.encode()
    (finding,) = found(tmp_path, {"_headers": data})
    assert (finding.document, finding.line, finding.column) == ("_headers", 3, 34)
    assert finding.span is not None
    assert data[slice(*finding.span)] == b"no.css"
    assert (finding.element, finding.attribute, finding.reference) == ("", "Link", "no.css")
    assert (finding.target, finding.code, finding.severity) == (URL + "blog/no.css", "missing-file", "error")
    assert finding.base is not None
    assert (finding.base.uri, finding.base.origin) == (URL + "blog/", "retrieval")


def test_location_and_refresh_are_followed(tmp_path: Path) -> None:
    assert told(tmp_path, "/blog/x\n Refresh: 5; url=../no.html\n location: no\n Content-Location: /no") == [
        ("../no.html", "missing-file"),
        ("no", "missing-file"),
    ]


def test_an_anchor_is_a_reference_too(tmp_path: Path) -> None:
    assert told(tmp_path, '/blog/\n Link: <style.css>; anchor="#b", <style.css>; anchor="#c"') == [
        ("#c", "missing-fragment")
    ]


def test_with_a_splat_only_what_does_not_depend_on_it_is_checked(tmp_path: Path) -> None:
    references = "<no>, <./no>, <../../../../no>, <#no>, <?no>, </no>, <https://example.org/no/>, <//example.org/no#x>"
    assert told(tmp_path, f"/blog/*\n Link: {references}") == [
        ("/no", "missing-file"),
        ("https://example.org/no/", "missing-file"),
        ("//example.org/no#x", "missing-file"),
    ]


def test_with_a_placeholder_only_what_does_not_depend_on_it_is_checked(tmp_path: Path) -> None:
    assert told(tmp_path, "/blog/:name\n Link: <style.css>, <no>, <#no>, </no>") == [
        ("no", "missing-file"),
        ("/no", "missing-file"),
    ]
    assert told(tmp_path, "/:name/x\n Link: <no>, <../no>, </no>") == [
        ("../no", "missing-file"),
        ("/no", "missing-file"),
    ]


def test_what_a_placeholder_is_put_in_is_not_checked(tmp_path: Path) -> None:
    assert told(tmp_path, "/:a/*\n Link: </:a.css>, </x/:splat>, </:b>") == [("/:b", "missing-file")]


# where paths from the root begin


@pytest.mark.parametrize("url", [None, "https://example.org/docs/"])
def test_in_headers_a_path_from_the_root_begins_at_the_folder(tmp_path: Path, url: str | None) -> None:
    text = "/blog/\n Link: </style.css>, </blog/style.css>, <style.css>, <../style.css>, </no.css>, <//o.example/x>"
    (finding,) = found(tmp_path, {"_headers": text}, site_url=url)
    site = f"{UNKNOWN_HOST}/" if url is None else url
    assert (finding.reference, finding.target) == ("/no.css", site + "no.css")
    # without a base there is no suggestion: a path that is relative to it would be another on the host
    assert (finding.base is None) == (url is not None)


# what is told


def test_fragments_are_looked_for(tmp_path: Path) -> None:
    text = "/*\n Link: </#here>, </#no>, </blog/#:~:text=x>, </style.css#no>, </#script-1>"
    script_ids = (re.compile(r"script-\d"),)
    (finding,) = found(tmp_path, {"_headers": text}, script_ids=script_ids)
    assert (finding.reference, finding.code) == ("/#no", "missing-fragment")
    assert finding.message == "nothing in index.html has the id 'no'"
    assert told(tmp_path, text, fragments=False) == []


def test_the_fragment_of_a_redirection_goes_before(tmp_path: Path) -> None:
    files = {"_redirects": "/ok /#here\n/wrong /#gone\n", "_headers": "/\n Link: </ok#gone>\n Link: </wrong#here>"}
    (finding,) = found(tmp_path, files)
    assert (finding.code, finding.message) == ("missing-fragment", "nothing in index.html has the id 'gone'")
    assert finding.reference == "/wrong#here"


def test_what_is_odd_is_a_warning(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, {"_headers": "/*\n Link: </../style.css>"})
    assert (finding.code, finding.severity, finding.line) == ("above-root", "warning", 2)


def test_other_sites_are_not_judged(tmp_path: Path) -> None:
    assert told(tmp_path, "/*\n Link: <https://o.example/x>, <mailto:a@o.example>, <data:,x>") == []


def test_the_base_is_that_of_all_paths_of_a_rule(tmp_path: Path) -> None:
    bases = [
        None if finding.base is None else finding.base.uri
        for finding in found(tmp_path, {"_headers": "/blog/a*\n Link: </no>\n/blog/:x\n Link: </no>, <no>"})
    ]
    assert bases == [URL + "blog/", URL + "blog/", None]


# what cannot be read


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    text = "/*\n Link: </gone>\n"
    (finding,) = found(tmp_path, {"_headers": text + "#" * (1 << 20)})
    assert (finding.document, finding.code, finding.severity) == ("_headers", "unreadable", "error")
    assert "1 MiB" in finding.message
    (finding,) = found(tmp_path, {"_headers": text + "#" * ((1 << 20) - len(text))})
    assert finding.code == "missing-file"


def test_a_file_that_is_gone_is_reported(tmp_path: Path) -> None:
    (tmp_path / "_headers").write_text("/*\n Link: </gone>\n")
    context = Site.of(tmp_path, CheckOptions(jobs=1))
    (tmp_path / "_headers").unlink()
    (finding,) = CheckRun().check(context).result.findings
    assert (finding.document, finding.code) == ("_headers", "unreadable")


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "/" + "*" * (n // 10) + "\n" + " Link: <" + "/" * (8 * n) + ">\n",
        lambda n: "/" + ":a" * (n // 10) + "\n" + " Link:<:a>\n" * (n // 10),
        lambda n: "/*\n" + " Link: " + "<a>;anchor=b," * n + "\n",
        lambda n: "/a\n" * (3 * n),
    ],
)
@pytest.mark.slow
def test_time_is_linear(tmp_path: Path, text: Callable[[int], str]) -> None:
    assert_proportional(lambda n: partial(found, tmp_path, {"_headers": text(n)}), 300)

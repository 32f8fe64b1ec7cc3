"""The facts of a document in an inventory."""

from __future__ import annotations

import pytest

from rehref.reports._inventory.facts import LONGEST, facts_of, host_drawn
from reports.made_facts import read

CORES = ("source", "lxml", "html5lib")


@pytest.mark.parametrize("parser", CORES)
def test_the_facts_of_a_document(parser: str) -> None:
    page = '<base href="//O/x/"><a href=a#f>1</a><a href=a>2</a><a href=#f>3</a><img src="data:,' + "x" * LONGEST + '">'
    page += '<a href="mailto:a@b">4</a><object codebase=sub/ data=y></object><a href="http://u:p@Other:80/">5</a>'
    _, links, base = read(page, parser)
    found = facts_of("p", "http://h/d/page.html#top", base, links)
    assert (found.uri, found.references, found.base.uri) == ("http://h/d/page.html", len(links), "http://O/x/")
    assert found.targets["http://O/x/a"] == 2
    assert set(found.targets) - {"http://O/x/sub/"} == {
        "http://O/x/a",
        *("http://O/x/", "http://O/x/sub/y", "data:", "mailto:a@b", "http://u:p@Other:80/"),
    }
    assert found.hosts["o"] == sum(count for target, count in found.targets.items() if "//O/" in target)
    assert (found.hosts["other"], found.hosts["data:"], found.hosts["mailto:"]) == (1, 1, 1)
    assert found.embedded["http://O/x/sub/"] >= 1
    assert found.problems["leaves-document"] == 1
    assert sum(found.kinds.values()) == sum(found.places.values()) == sum(found.bases.values()) == len(links)


def test_a_base_that_is_the_documents_own_is_no_other() -> None:
    page = '<base href="page.html#x"><a href=a>1</a>'
    _, links, base = read(page)
    assert facts_of("p", "http://h/d/page.html", base, links).embedded == {}
    assert facts_of("p", "http://h/d/other.html", base, links).embedded.total() == 1


def test_the_host_of_a_uri() -> None:
    uris = ("http://u:p@H.example:8080/x", "mailto:a@b", "file:///x", "http://[::1]:80/", "x", "http:///x")
    assert [host_drawn(uri) for uri in uris] == ["h.example", "mailto:", "file:", "[::1]", ":", "http:"]

"""What is put into a page."""

from __future__ import annotations

from rehref.archives._copies.put_into_pages import Modules
from rehref.archives._copies.remaining import CopiedFile

SITE = "https://h.example/"


def test_an_import_map_completes_nothing_that_the_end_of_the_page_cuts_off(tmp_path):
    files = {name: CopiedFile(SITE, "text/javascript", lambda uri: None) for name in ("a.js",)}
    of_page = Modules(CopiedFile(SITE, "text/html", lambda uri: None), files, lambda path: b"1")
    of_page.reference("src", "a.js", {"type": "module"})
    cut_off = b"<!DOCTYPE html><img src=/x onerror='"
    assert of_page.with_map(cut_off).endswith(b"</script><img src=/x onerror='")

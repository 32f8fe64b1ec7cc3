"""Which bases Chromium lets count under a Content Security Policy: those that rehref's tests say."""

from __future__ import annotations

from pathlib import Path

import chromium
import pytest

from base_policies import ALLOWED, BASES, PLACES, page

pytestmark = pytest.mark.browser


def test_chromium_takes_the_bases_that_are_listed(tmp_path: Path) -> None:
    program = chromium.needed()
    cases = {
        f"/p/{number}-{at}.html": (page(policy, base), base in allowed)
        for number, (policy, allowed) in enumerate(ALLOWED.items())
        for at, base in enumerate(BASES)
    }
    cases |= {
        f"/q/{number}.html": (html if "srcdoc" in html else f"{html}<a href=x>", counts)
        for number, (html, counts) in enumerate(PLACES.values())
    }
    documents = [chromium.Document(path, "", html.encode()) for path, (html, _) in cases.items()]
    answers = chromium.ask(program, documents, tmp_path)
    for path, (html, counts) in cases.items():
        own = chromium.url(path)
        [link] = [found.url for found in answers[path, ""].found if found.element == "a"]
        unchanged = f"{own.rpartition('/')[0]}/x"
        is_base = answers[path, ""].base != own or ("srcdoc" in html and link != unchanged)
        assert is_base is counts, html

"""Pages that refresh, as `rehref compare --write-redirects FOLDER` writes them, in Chromium: the fragment is kept."""

from __future__ import annotations

from pathlib import Path

import devtools
import pytest

import rehref
from patience import wait_until
from plugins.compare.sites import page, section, site

pytestmark = pytest.mark.browser

GUIDE = page("Guide", section("sails"), section("masts"))


def test_an_old_url_leads_to_the_new_page_with_its_fragment(tab: devtools.Tab, tmp_path: Path) -> None:
    old = site(tmp_path / "old", {"a b/guide.html": GUIDE})
    new = site(tmp_path / "new", {"c/begin'1.html": GUIDE + "<p>more"})
    rehref.compare(old, new, write_redirects=new)
    for fragment in ("", "#masts"):
        tab.open(f"{(new / 'a b').as_uri()}/guide.html{fragment}")
        wanted = (new / "c" / "begin'1.html").as_uri().replace("%27", "'") + fragment
        wait_until(lambda wanted=wanted: tab.evaluate("location.href")[0].replace("%27", "'") == wanted)

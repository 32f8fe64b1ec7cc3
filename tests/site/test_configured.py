"""Files in which a host is configured: one that is there no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import host_named
from rehref.site._hosts.configured import read_redirects


@pytest.mark.parametrize(("name", "host"), [("_redirects", "netlify"), (".htaccess", "apache")])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str, host: str) -> None:
    redirects = read_redirects(tmp_path, frozenset({name}), host_named(host), "file:///x/")
    assert redirects is not None
    assert redirects.unread[0][:2] == (name, None)
    assert "cannot be read" in redirects.unread[0].reason

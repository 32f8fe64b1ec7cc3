"""Targets are compared as URIs, not as texts: the keys of a table, and what is on the document's own host."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import program
from rehref.uri.resolver import Profile

CORES = ("source", "lxml", "html5lib")
MESSY = "HTTP://Example.ORG:80/%61"


def mapped(reference: str, table: dict[str, str], url: str | None = None, profile: Profile = "rfc3986") -> str | None:
    """What becomes of a reference under a table; None if it stays."""
    after = rehref.rewrite(f'<a href="{reference}">', rehref.Mapping(table), url=url, profile=profile)
    new = after.removeprefix('<a href="').removesuffix('">')
    return None if new == reference else new


@pytest.mark.parametrize(
    ("key", "reference"),
    [
        ("http://example.org/a", MESSY),
        (MESSY, "http://example.org/a"),
        ("http://h", "http://h/"),
        ("http://h/", "http://h"),
        ("http://bücher.example/", "http://xn--bcher-kva.example"),
        ("http://xn--bcher-kva.example/", "http://b%C3%BCcher.example/"),
        ("file:///x", "file://localhost/x"),
        ("http://h/a/../b", "http://h/b"),
        ("mailto:a@H", "mailto:a@h"),
    ],
)
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396"])
def test_exact_keys(key: str, reference: str, profile: Profile) -> None:
    assert mapped(reference, {key: "https://new.example/"}, profile=profile) == "https://new.example/"
    assert mapped(reference + "#f", {key: "https://new.example/"}, profile=profile) == "https://new.example/#f"
    assert mapped(reference + "?x", {key: "https://new.example/"}, profile=profile) is None


@pytest.mark.parametrize(
    ("key", "reference", "new"),
    [
        ("http://example.org/*", MESSY, "n:a"),
        ("HTTP://Example.ORG:80/%61*", "http://example.org/abc?q#f", "n:bc?q#f"),
        ("http://example.org/*", "http://example.org/%61", "n:%61"),  # as it is, where the prefix fits so
        ("http://example.org*", "HTTP://example.org/", "n:/"),
        ("http://example.org:80*", "http://example.org:80/x", "n:/x"),
        ("http://BÜCHER.example/*", "http://xn--bcher-kva.example/a", "n:a"),
        ("http://h/a/.*", "http://H/a/.well-known", "n:well-known"),
        ("http://h/*", "HTTP://h", "n:"),
        ("http://h/%6*", "http://h/%61", "n:1"),
        ("*", "HTTP://h/", "n:HTTP://h/"),
        ("http://example.org/b*", MESSY, None),
        ("http://example.or/*", MESSY, None),
    ],
)
def test_prefixes(key: str, reference: str, new: str | None) -> None:
    assert mapped(reference, {key: "n:*"}) == new


def test_the_longest_prefix_counts_as_it_is_normalized() -> None:
    table = {"HTTP://EXAMPLE.ORG:80/*": "short:", "http://example.org/a/*": "long:"}
    assert mapped("http://Example.org/a/b", table) == "long:b"
    assert mapped("http://Example.org/b", table) == "short:b"


def test_a_key_that_is_the_target_goes_first_and_then_the_first_of_equals() -> None:
    table = {"http://h/%61": "one:", "http://h/a": "two:"}
    assert mapped("http://h/a", table) == "two:"
    assert mapped("http://H/a", table) == "one:"


def test_for_browsers_keys_are_serialized() -> None:
    assert mapped("x y", {"http://h/x y": "n:"}, url="http://h/", profile="whatwg") == "n:"
    assert mapped("http://0x7f.1", {"http://127.0.0.1/": "n:"}, profile="whatwg") == "n:"
    assert mapped(r"http:\\H\a\b", {"HTTP://h/a/*": "n:"}, profile="whatwg") == "n:b"
    assert mapped("http://h/%61", {"http://h/a": "n:"}, profile="whatwg") is None
    assert mapped("http://0x7f.1", {"http://127.0.0.1/": "n:"}) is None


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
@pytest.mark.parametrize(
    ("own", "target", "reference"),
    [
        ("http://example.org/d/p.html", "HTTP://Example.ORG:80/d/q.html", "q.html"),
        ("http://Example.org:80/d/p.html", "http://example.org/q.html#f", "../q.html#f"),
        ("http://bücher.example/d/p", "http://xn--bcher-kva.example/d/q", "q"),
        ("http://xn--bcher-kva.example/d/p", "http://bücher.example/d/q", "q"),
        ("http://h/d/p", "http://h", ".."),
        ("http://h/p", "http://H?q", ".?q"),
        ("file:///d/p", "file://localhost/d/q", "q"),
    ],
)
def test_what_is_on_the_own_host_becomes_relative(
    own: str, target: str, reference: str, profile: Profile, core: str
) -> None:
    after = rehref.rewrite(
        f'<p><a href="{target}">x</a></p>',
        rehref.Relative(),
        url=own,
        profile=profile,
        parser=core,
    )
    (before,) = rehref.links(f'<a href="{target}">', url=own, profile=profile)
    (link,) = rehref.links(after, url=own, profile=profile)
    assert link.reference == reference
    assert before.target is not None
    assert link.target is not None
    assert rehref.equivalent(link.target, before.target)


@pytest.mark.parametrize("target", ["https://h/q", "http://h:81/q", "http://anna@h/q", "http://h.example/q"])
def test_what_is_on_another_host_stays(target: str) -> None:
    html = f'<a href="{target}">'
    assert rehref.rewrite(html, rehref.Relative(), url="http://h/p") == html


def test_the_command_compares_so_too(tmp_path: Path) -> None:
    page, table = tmp_path / "p.html", tmp_path / "map.csv"
    page.write_text(f'<a href="{MESSY}"><a href="http://xn--bcher-kva.example/x">')
    table.write_text("http://example.org/a,https://new.example/\nhttp://bücher.example/*,https://books.example/*\n")
    result = CliRunner().invoke(program, ["rewrite", "-q", "--map", str(table), str(page)])
    assert result.output == '<a href="https://new.example/"><a href="https://books.example/x">'


@pytest.mark.parametrize("profile", ["rfc3986", "whatwg"])
@pytest.mark.parametrize(
    ("site", "written"),
    [
        ("https://xn--bcher-kva.example/shop/", "https://bücher.example/shop/"),
        ("https://bücher.example/shop/", "https://xn--bcher-kva.example/shop/"),
        ("https://bücher.example/shop/", "HTTPS://B%C3%BCcher.example:443/shop/"),
    ],
)
def test_a_site_is_itself_in_unicode_and_in_punycode(tmp_path: Path, site: str, written: str, profile: Profile) -> None:
    (tmp_path / "index.html").write_text(
        f'<meta charset=utf-8><a href="{written}"><a href="{written}gone.html"><a href="https://other.example/x">',
        encoding="utf-8",
    )
    arguments = ["check", str(tmp_path), "--site-url", site, "--profile", profile, "--format", "csv"]
    result = CliRunner().invoke(program, arguments)
    assert result.exit_code == 1
    assert result.stdout.count("missing-file") == 1
    assert "there is no file gone.html" in result.stdout

"""Options that say what is looked for besides: scripting, conditional comments, attributes of one's own, metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

CORES = ("source", "lxml", "html5lib")
URL = ("--url", "http://h/d/page.html")


def references(run: Run, page: bytes, *options: str) -> list[str]:
    result = run("links", *URL, "--format", "json", *options, "-", input=page)
    assert result.exit_code == 0, result.stderr
    return [link["reference"] for link in json.loads(result.stdout)]


def written(run: Run, page: bytes, *options: str) -> str:
    result = run("rewrite", *URL, *options, "-", input=page)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(run: Run, *arguments: str) -> str:
    """The one line said about an option, without what every one begins with."""
    result = run(*arguments, "-", input=b"<a href=x>")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr.removeprefix("rehref: ").rstrip("\n")


# --- what is looked for


@pytest.mark.parametrize("parser", CORES)
def test_with_scripting_noscript_holds_text(run: Run, parser: str) -> None:
    page = b"<!DOCTYPE html><body><noscript><img src=a></noscript><img src=b>"
    assert references(run, page, "--parser", parser) == ["a", "b"]
    assert references(run, page, "--parser", parser, "--scripting") == ["b"]


@pytest.mark.parametrize("parser", CORES)
def test_conditional_comments_on_request(run: Run, parser: str) -> None:
    page = b"<!DOCTYPE html><!--[if IE]><link rel=stylesheet href=a><![endif]--><body><!-- <a href=no> --><img src=b>"
    assert references(run, page, "--parser", parser) == ["b"]
    assert references(run, page, "--parser", parser, "--conditional-comments") == ["a", "b"]


LAZY_PAGE = b"<!DOCTYPE html><body><img data-src=a data-srcset='b 1x, c 2x' data-original=d><div data-href=e data-x=f>"


@pytest.mark.parametrize("parser", CORES)
def test_attributes_for_loading_late_on_request(run: Run, parser: str) -> None:
    assert references(run, LAZY_PAGE, "--parser", parser) == []
    assert references(run, LAZY_PAGE, "--parser", parser, "--lazy") == ["a", "b", "c", "d", "e"]


def test_the_help_names_the_attributes_for_loading_late(run: Run) -> None:
    text = re.sub(r"-\s+", "-", run("links", "--help").stdout)
    for name in ("data-src", "data-srcset", "data-lazy-src", "data-original", "data-bg"):
        assert name in text
        assert references(run, f"<img {name}=x.png>".encode(), "--lazy") == ["x.png"]


@pytest.mark.parametrize("lazy", [[], ["--lazy"]])
def test_other_attributes_for_loading_late(run: Run, lazy: list[str]) -> None:
    assert references(run, LAZY_PAGE, *lazy, "--lazy-attributes", "Data-Original, data-x") == ["d", "f"]


@pytest.mark.parametrize("parser", CORES)
def test_an_attribute_of_ones_own(run: Run, parser: str) -> None:
    options = ("--parser", parser, "--attribute", "img@data-original", "--attribute", "*@data-x=spaces")
    page = b"<!DOCTYPE html><body><img data-original=a data-x='b c'><p data-original=no data-x=d>"
    assert references(run, page, *options) == ["a", "b", "c", "d"]


def test_what_is_said_of_an_attribute_goes_before_what_its_name_tells(run: Run) -> None:
    page = b"<img data-src='a 1x, b 2x' data-srcset='c,d'>"
    options = ("--attribute", "data-src=srcset", "--attribute", "img@data-srcset=commas")
    assert references(run, page, "--lazy", *options) == ["a", "b", "c", "d"]


def test_what_is_found_besides_is_rewritten(run: Run) -> None:
    page = b"<img data-src=a><!--[if IE]><a href=b><![endif]-->"
    assert written(run, page, "--lazy", "--conditional-comments") == (
        "<img data-src=http://h/d/a><!--[if IE]><a href=http://h/d/b><![endif]-->"
    )
    assert written(run, b"<noscript><a href=a></a></noscript>", "--scripting") == "<noscript><a href=a></a></noscript>"


def test_they_can_be_configured(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text(
        'scripting = true\nconditional_comments = true\nlazy = true\nattribute = ["p@data-x", "img@data-y=spaces"]\n'
        '[rewrite]\nlazy_attributes = "data-z"\n'
    )
    page = b"<noscript><img src=no></noscript><!--[if IE]><a href=a><![endif]--><p data-x=b data-src=c data-z=d>"
    assert references(run, page) == ["a", "b", "c"]
    assert "data-x=http://h/d/b data-src=c data-z=http://h/d/d" in written(run, page)
    (tmp_path / "rehref.toml").write_text('attribute = "p@data-x"\n')
    assert references(run, b"<p data-x=b>") == ["b"]
    (tmp_path / "rehref.toml").write_text("attribute = 1\n")
    assert refused(run, "links").endswith("attribute must be a text, or a list of texts; it is 1")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            ["--attribute", "img@"],
            "--attribute img@: 'img@' does not name an attribute; write element@name, such as img@data-src",
        ),
        (["--attribute", "a b@c"], "--attribute a b@c: 'a b@c' does not name an attribute; write "),
        (
            ["--attribute", "img@x=urls"],
            "--attribute img@x=urls: 'urls' is not a micro-syntax; there are url, srcset, spaces, commas, css",
        ),
        (["--attribute", "img@x="], "--attribute img@x=: '' is not a micro-syntax; there are "),
        (
            ["--lazy-attributes", ""],
            "--lazy-attributes: '' is not the name of an attribute; separate names by ",
        ),
        (["--lazy-attributes", "a,,b"], "--lazy-attributes: '' is not the name of an attribute; "),
        (["--lazy-attributes", "a b"], "--lazy-attributes: 'a b' is not the name of an attribute; "),
        (["--lazy-attributes", "img@x"], "--lazy-attributes: 'img@x' is not the name of an attribute; "),
        (["--lazy-attributes", "x=css"], "--lazy-attributes: 'x=css' is not the name of an attribute; "),
    ],
)
@pytest.mark.parametrize("command", ["links", "rewrite"])
def test_an_impossible_attribute(run: Run, command: str, options: list[str], line: str) -> None:
    assert refused(run, command, *options).startswith(line)


# --- metadata


PAGE = (
    b"<meta property=og:image content=i.png>"
    b'<script type="application/ld+json">{"@context":{"@base":"/y/"},"@id":"me"}</script>'
)


@pytest.mark.parametrize(
    ("options", "image", "base", "id_"),
    [
        ([], "http://h/d/i.png", "http://h/y/", "http://h/y/me"),
        (["--to", "relative"], "i.png", "../y/", "http://h/y/me"),
        (["--to", "http://r/{uri}"], "http://r/http://h/d/i.png", "http://r/http://h/y/", "http://r/http://h/y/me"),
        (["--map", "map"], "http://n/i.png", "http://n/y", "http://h/y/me"),
    ],
)
def test_metadata_on_request(run: Run, tmp_path: Path, options: list[str], image: str, base: str, id_: str) -> None:
    (tmp_path / "map").write_text("http://h/d/*,http://n/\nhttp://h/y/,http://n/y\n")
    assert written(run, PAGE, *options) == PAGE.decode()
    changed = PAGE.decode().replace("i.png", image).replace("/y/", base).replace('"me"', f'"{id_}"')
    assert written(run, PAGE, "--metadata", *options) == changed


def test_metadata_can_be_configured(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text("[rewrite]\nmetadata = true\n")
    assert "content=http://h/d/i.png" in written(run, PAGE)


def test_a_template_may_have_a_name_for_anything_but_its_options(run: Run) -> None:
    for name in ("template", "self", "values"):
        options = ("--to", f"http://r/{{{name}}}/{{uri}}", "--set", f"{name}=1")
        assert written(run, b"<a href=x>", *options) == "<a href=http://r/1/http://h/d/x>"
    for name, what in (("uri", "has a value of its own"), ("metadata", "cannot be given a value")):
        line = refused(run, "rewrite", "--to", f"http://r/{{{name}}}/{{uri}}", "--set", f"{name}=1")
        assert line == f"--set {name}=1: {{{name}}} {what}; use another name, in the template too"
    assert refused(run, "rewrite", "--to", "x{uri}", "--set", "a") == (
        "--set a: is not NAME=VALUE; use a name that the template has in braces, except uri, kind and modifier"
    )

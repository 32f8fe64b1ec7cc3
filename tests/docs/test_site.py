"""The documentation site, as `scripts/docs` builds it.

- The build has no warning. rehref finds nothing wrong with the links of what is built.
- No page loads anything from another host.
- What is made from the code is complete: names, options, codes, micro-syntaxes, profiles.
- Each page of `docs/` is in the navigation.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import click
import pytest

import rehref
from built_docs import built
from rehref.cli.program import command_names, import_command
from rehref.site.codes import CODES, DIAGNOSTICS
from rehref.uri.resolver import PROFILES
from rehref.uri.syntaxes import SYNTAXES

COMMANDS = command_names(installed=False)

ROOT = Path(__file__).resolve().parents[2]
AT = "https://docs.example/"
LOADED = frozenset({"script", "style", "img", "source", "image", "iframe", "video", "audio", "object", "embed", "use"})

slow = pytest.mark.slow


class Ids(HTMLParser):
    """The ids of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return built(tmp_path_factory.mktemp("site"))


def read(site: Path, page: str) -> Ids:
    parsed = Ids()
    parsed.feed((site / page).read_text("utf-8"))
    return parsed


@slow
def test_rehref_finds_nothing_wrong(site: Path) -> None:
    result = rehref.check(str(site), site_url=AT)
    assert [(each.document, each.line, each.code, each.target) for each in result.findings] == []
    assert result.summary.checked > 2_000


@slow
def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    documents = [path for path in site.rglob("*") if path.suffix in {".html", ".css", ".svg"}]
    loaded = [
        (path.name, link.element, link.target)
        for path in documents
        for link in rehref.links(path, url=AT + path.relative_to(site).as_posix(), scripting=False)
        if (link.kind == "resource" or link.element in LOADED)
        and not (link.target or "").startswith((AT, "data:"))
        and not link.same_document
    ]
    assert loaded == []
    assert len(documents) > 40


@slow
def test_each_public_name_is_there(site: Path) -> None:
    ids = read(site, "reference/python.html").ids
    assert [name for name in rehref.__all__ if f"rehref.{name}" not in ids] == []


@slow
@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_there(site: Path, name: str) -> None:
    parsed = read(site, f"reference/commands/{name}.html")
    options = [each for each in import_command(name).params if isinstance(each, click.Option) and not each.hidden]
    assert [max(each.opts, key=len) for each in options if max(each.opts, key=len) not in parsed.ids] == []
    flat = " ".join(parsed.text.split())
    assert [each.help for each in options if " ".join((each.help or "").split()) not in flat] == []


@slow
def test_each_code_is_there(site: Path) -> None:
    ids = read(site, "reference/codes.html").ids
    assert {*CODES, *(row.name for row in DIAGNOSTICS)} - {*ids} == set()
    assert len(ids) == len(set(ids))


@slow
def test_each_micro_syntax_and_profile_is_there(site: Path) -> None:
    syntaxes = read(site, "reference/micro-syntaxes.html").text
    profiles = read(site, "reference/profiles.html").text
    assert [name for name in SYNTAXES if name not in syntaxes] == []
    assert [name for name in PROFILES if name not in profiles] == []
    assert "a.png" in syntaxes
    assert "http://a/b/c/?y" in profiles


def test_each_page_is_in_the_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f" {page}\n" not in nav] == []


@slow
def test_functions_that_take_the_options_refer_to_them(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text("utf-8")
    assert page.count('<a href="python.html#options">') == 5

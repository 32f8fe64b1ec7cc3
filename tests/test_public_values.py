"""What the package gives is plain: links as the JSON report has them, rules that compare and print by value."""

from __future__ import annotations

import json
import pydoc
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from rehref.cli.program import program
from rehref.documents.options import DECLARED

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
DOCUMENTS = [
    path
    for folder in (FIXTURES, FIXTURES / "containers")
    for path in sorted(folder.iterdir())
    if path.suffix in (".html", ".xml", ".css", ".mhtml", ".epub")
]


def reported(path: Path) -> list[dict[str, Any]]:
    """What `rehref links --format json` prints of a document."""
    result = CliRunner().invoke(program, ["links", "--format", "json", "-q", str(path)], catch_exceptions=False)
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.name))
def test_a_link_as_a_dict_is_the_object_of_the_json_report(path: Path) -> None:
    links = [link.as_dict() for link in rehref.links(path)]
    objects = reported(path)
    assert [list(each) for each in links] == [list(each)[1:] for each in objects]  # the first key is `document`
    assert {next(iter(each)) for each in objects} <= {"document"}
    masked = json.loads(json.dumps(links).replace("user:secret@", "user:***@"))
    assert masked == [{key: value for key, value in each.items() if key != "document"} for each in objects]


def test_a_link_in_a_warc_has_part_where_the_report_has_record() -> None:
    path = FIXTURES / "containers" / "pages.warc.gz"
    (first, *_), (its, *_) = rehref.links(path), reported(path)
    ours = first.as_dict()
    assert ours.pop("part") == its.pop("record")
    its.pop("document")
    assert ours == its


def test_passwords_are_masked_in_reports_only() -> None:
    (link,) = rehref.links("<a href=http://u:secret@h/>")
    assert link.as_dict()["target"] == "http://u:secret@h/"


def test_links_of_all_kinds_are_among_the_documents() -> None:
    dicts = [link.as_dict() for path in DOCUMENTS for link in rehref.links(path)]
    assert any(each["problems"] for each in dicts)
    assert any("part" in each and "inside" in each for each in dicts)
    assert any(each["base"]["rejected"] for each in dicts)


def same(link: rehref.Link) -> str | None:
    return None


def other(link: rehref.Link) -> str | None:
    return None


RULES = [
    (
        lambda: rehref.Absolute(),
        "Absolute(base_element='absolute', same_document=False, metadata=False, file_urls=False)",
    ),
    (
        lambda: rehref.Absolute("drop"),
        "Absolute(base_element='drop', same_document=False, metadata=False, file_urls=False)",
    ),
    (lambda: rehref.Relative(), "Relative(metadata=False)"),
    (lambda: rehref.Relative(metadata=True), "Relative(metadata=True)"),
    (lambda: rehref.Mapping({"http://h/a": "b"}), "Mapping({'http://h/a': 'b'})"),
    (lambda: rehref.Mapping({"http://h/a": "c"}), "Mapping({'http://h/a': 'c'})"),
    (lambda: rehref.Mapping({"http://h/a": "b"}, metadata=True), "Mapping({'http://h/a': 'b'}, metadata=True)"),
    (lambda: rehref.Mapping(same), f"Mapping({same!r})"),
    (lambda: rehref.Mapping(other), f"Mapping({other!r})"),
    (lambda: rehref.Template("https://r/{uri}"), "Template('https://r/{uri}')"),
    (lambda: rehref.Template("https://r/{a}/{uri}", a="1"), "Template('https://r/{a}/{uri}', a='1')"),
    (lambda: rehref.Template("https://r/{a}/{uri}", a="2"), "Template('https://r/{a}/{uri}', a='2')"),
    (
        lambda: rehref.Template("https://r/{uri}", metadata=True, schemes=["ftp", "http"]),
        "Template('https://r/{uri}', metadata=True, schemes=['ftp', 'http'])",
    ),
    (
        lambda: rehref.Offline({"http://h/": "index.html"}),
        "Offline(files={'http://h/': 'index.html'}, at=None, base_element='empty', metadata=False, "
        "first=None, only_saved=frozenset())",
    ),
    (
        lambda: rehref.Offline({"http://h/": "other.html"}),
        "Offline(files={'http://h/': 'other.html'}, at=None, base_element='empty', metadata=False, "
        "first=None, only_saved=frozenset())",
    ),
]


def test_rules_compare_by_value() -> None:
    first, second = [make() for make, _ in RULES], [make() for make, _ in RULES]
    for number, rule in enumerate(first):
        assert [rule == each for each in second] == [number == at for at in range(len(second))]
        assert hash(rule) == hash(second[number])
    assert len({*first, *second}) == len(RULES)
    assert rehref.Mapping({}) != {}
    assert rehref.Template("{uri}") != "{uri}"


@pytest.mark.parametrize(("make", "text"), RULES, ids=range(len(RULES)))
def test_rules_print_by_value(make: Any, text: str) -> None:
    assert repr(make()) == text
    if "<function" not in text:
        assert eval(text, vars(rehref)) == make()


def test_a_table_is_what_it_was_when_it_was_given() -> None:
    table = {"http://h/x": "http://i/"}
    rule = rehref.Mapping(table)
    table.clear()
    assert rehref.rewrite("<a href=x>", rule, url="http://h/") == "<a href=http://i/>"


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_any_kind_are_a_source(kind: Any) -> None:
    page = kind(b"<a href=x>")
    assert [link.target for link in rehref.links(page, url="http://h/")] == ["http://h/x"]
    assert rehref.rewrite(page, url="http://h/") == b"<a href=http://h/x>"
    assert type(rehref.rewrite(page)) is bytes
    archive = kind((FIXTURES / "containers" / "pages.warc.gz").read_bytes())
    assert len(rehref.links(archive)) == len(rehref.links(bytes(archive))) > 0


@pytest.mark.parametrize("name", ["links", "iter_links", "rewrite", "rewrite_into"])
def test_help_lists_every_option(name: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(rehref, name)))
    missing = [option for option in DECLARED if f"`{option}`: " not in text]
    assert missing == []


def test_validators_follow_the_grammar_asked_for() -> None:
    assert rehref.is_valid("http://h/a?b")
    assert not rehref.is_valid("http://h/a b")
    (fault,) = rehref.violations("http://h/a b")
    assert (fault.component, fault.rule, fault.position) == ("path", "segment", 10)
    assert rehref.is_valid("?y")
    assert not rehref.is_valid("?y", "rfc2396")
    assert rehref.is_valid("http://h/", production="absolute-URI")
    assert not rehref.is_valid("x", production="URI")
    assert not rehref.is_valid("http://h/#f", "rfc2396", "absoluteURI")


@pytest.mark.parametrize(
    "text",
    [
        "Resolver('http://h/a/b', 'rfc3986')",
        "Resolver('http://h/', 'whatwg')",
        "Relativizer('http://h/a/b', 'rfc2396')",
        "Relativizer('http://h/', 'rfc3986', paths_only=True)",
    ],
)
def test_resolvers_print_their_arguments(text: str) -> None:
    assert repr(eval(text, {name: getattr(rehref, name) for name in ("Resolver", "Relativizer")})) == text

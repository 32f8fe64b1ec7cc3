"""The words of the project are those of `docs/style.md`.

- Each rule finds its example.
- A rule finds words that a line break separates, in comments too.
- In Markdown, code is skipped; lines and columns stay right.
- A module opens with few lines, and numbers nothing.
- A page has few words; code and tables that scripts write do not count.
- Nothing that a person reads has words that we do not write.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tests.modules import module_at

ROOT = Path(__file__).resolve().parents[1]
prose = module_at(ROOT / "scripts" / "prose.py", "prose")
RULES = prose.rules()
EXAMPLES = [(row["name"], row["example"]) for row in tomllib.loads(prose.RULES.read_text("utf-8"))["rule"]]


def named(text: str, *, markdown: bool = False) -> list[tuple[int, int, str]]:
    return [(each.line, each.column, each.rule.name) for each in prose.occurrences(text, RULES, markdown=markdown)]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example(name: str, example: str) -> None:
    assert name in [rule for _, _, rule in named(example)]


@pytest.mark.parametrize("gap", ["\n", "\n    # ", "\n * ", "\n// "])
def test_line_break(gap: str) -> None:
    assert named(f"The reader is{gap}told of it.") == [(1, 12, "told")]


def test_two_rules_at_one_place_are_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules have no order: only the places of what is found do."""
    page = tmp_path / "page.md"
    page.write_text("we mend it\n")
    mend = next(rule for rule in RULES if rule.name == "mend")
    again = mend._replace(exception=None, words=prose.re.compile("mend"))
    monkeypatch.setattr(prose, "rules", lambda: [mend._replace(exception=prose.re.compile("zz")), again])
    assert prose.main([str(page)]) == 1


def test_right_words() -> None:
    assert not named("There is no folder. It is no longer there. A base tells the two apart. None is None.")


def test_markdown() -> None:
    page = "one `is told` two\n```console\nis told\n```\nwe mend it\n"
    assert named(page, markdown=True) == [(5, 4, "mend")]


def test_openings() -> None:
    wrong = prose.in_openings
    assert not list(wrong('"""One.\n\n' + "more\n" * 6 + '"""'))
    assert [each.words for each in wrong('"""One.\n\n' + "more\n" * 7 + '"""')] == ["9 lines"]
    assert [(each.line, each.words) for each in wrong('"""One.\n\n1. Two.\n"""')] == [(3, "1.")]


def test_long_pages() -> None:
    code = f"```sh\n{'rehref ' * prose.LONGEST_PAGE}\n```\n"
    table = f"<!-- list: codes, written by scripts/lists -->\n{'| a ' * prose.LONGEST_PAGE}\n<!-- end -->\n"
    page = code + "word\n" * (prose.LONGEST_PAGE - 1) + table + "word\n"
    assert not list(prose.in_page(page))
    assert [each.words for each in prose.in_page(page + "word")] == ["2,501 words"]


def test_the_project_has_none_of_the_words() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{each.line}: {each.rule.name}: {each.words}"
        for file in prose.files()
        for each in prose.wrong_in(file, RULES)
    ]
    assert not found
    assert {ROOT / "scripts" / "docs_pages" / "codes.py"} <= set(prose.files())
    assert {ROOT / "README.md", ROOT / "docs" / "style.md", ROOT / "src" / "rehref" / "api.py"} <= set(prose.files())

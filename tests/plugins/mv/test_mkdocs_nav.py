"""What mkdocs.yml says about sources: `nav` follows a move, and redirects may go into the map of a plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.contexts import written
from rehref.plugins.mv._mkdocs_nav import with_new_names, with_redirect_maps

pytest.importorskip("pyromark", reason="needs the package pyromark")
NAMES = {"a.md": "b c.md", "d/e.md": "f.md", "x: y.md": "z.md"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("nav:\n  - a.md\n", "nav:\n  - b c.md\n"),
        ("nav:\n- a.md # a.md\n- Title: a.md\nx: a.md\n", "nav:\n- b c.md # a.md\n- Title: b c.md\nx: a.md\n"),
        ("nav:\r\n  - 'A: b': 'a.md'\r\n", "nav:\r\n  - 'A: b': 'b c.md'\r\n"),
        ('nav:\n  - "a.md": d/e.md\n\n  # - a.md\n  - T:\n      - "a.md"\n', None),
        ("nav: [a.md, {T: d/e.md}, 'a.md', a.md b.md]\n", "nav: [b c.md, {T: f.md}, 'b c.md', a.md b.md]\n"),
        ("nav:\n  - ba.md\n  - a.md, a.md\n  - a.md.md\n  - https://h/a.md\n", ""),
        ("extra:\n  nav: x\n  - a.md\nnav_more:\n  - a.md\n", ""),
        ("nav:\n  - 'x: y.md'\n  - \"x: y.md\"\n", "nav:\n  - 'z.md'\n  - \"z.md\"\n"),
        ("plugins:\n  - redirects:\n      redirect_maps:\n        o.md: a.md#x\n        a.md: d/e.md\n", None),
        ("nav:\n  - long: >-\n      x: y.md\n  - a.md\n", "nav:\n  - long: >-\n      z.md\n  - b c.md\n"),
        (
            "nav:\n  - |  # 1\n\n    a.md\n\n  - T: |-\n      d/e.md",
            "nav:\n  - |  # 1\n\n    b c.md\n\n  - T: |-\n      f.md",
        ),
        ("nav:\n  - long: >-\n      some/\n      a.md\n  - >\n    a.md\n    a.md\n", ""),
        ("nav:\n  - long: some\n      a.md\n  - a.md\n    and more\n", ""),
        (
            "nav:\n  - T:\n      a.md\n  - U: x.md\n    V: a.md\n",
            "nav:\n  - T:\n      b c.md\n  - U: x.md\n    V: b c.md\n",
        ),
    ],
)
def test_values_that_name_a_source_follow_and_all_else_stays(before: str, after: str | None) -> None:
    if after is None:
        after = before.replace(": d/e.md", ": f.md").replace('- "a.md"\n', '- "b c.md"\n').replace(": a.md", ": b c.md")
    new, count = with_new_names(before.encode(), NAMES)
    assert new.decode() == (after or before)
    assert (count > 0) == (after != "")


def test_a_path_that_needs_quotes_gets_them() -> None:
    for new, shown in (("a: b.md", '"a: b.md"'), ("#.md", '"#.md"'), ("é.md", "é.md"), ("it's.md", '"it\'s.md"')):
        assert with_new_names(b"nav:\n  - a.md\n  - 'a.md'", {"a.md": new})[0].decode() == (
            f"nav:\n  - {shown}\n  - " + (f"'{new}'" if "'" not in new else shown)
        )


MAP = "plugins:\n  - search\n  - redirects:\n      redirect_maps:{}\ntheme: x\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\n        a.md: b.md"),
        (" # mine\n          'o.md': 'p.md'", " # mine\n          'o.md': 'p.md'\n          a.md: b.md"),
        ("\n        b.md: a.md\n        # mine", "\n        a.md: b.md\n        # mine"),
        ("\n        a.md: b.md", "\n        a.md: b.md"),
        (" {}", None),
    ],
)
def test_old_paths_are_added_to_the_map(before: str, after: str | None) -> None:
    new = with_redirect_maps(MAP.format(before).encode(), {"a.md": "b.md"})
    assert (None if new is None else new.decode()) == (None if after is None else MAP.format(after))


def test_a_project_moves_back_and_forth(tmp_path: Path) -> None:
    nav = "nav:\n  - Home: index.md\n  - 'Wind': guide/wind.md # 1\n  - All: guide/\n"
    configuration = "site_name: W\n" + nav + MAP.format("\n        gale.md: guide/wind.md#x")
    folder = written(
        tmp_path, {"mkdocs.yml": configuration, "docs/index.md": "[w](guide/wind.md)\n", "docs/guide/wind.md": "# W\n"}
    )
    how = {"folder": folder / "docs", "redirects": folder / "mkdocs.yml"}
    result = rehref.move(folder / "docs/guide", folder / "docs/book", **how)  # type: ignore[arg-type]
    assert (result.references, result.redirects) == (4, 1)
    after = configuration.replace("guide/", "book/").replace("\ntheme", "\n        guide/wind.md: book/wind.md\ntheme")
    assert (folder / "mkdocs.yml").read_text() == after
    assert rehref.move(folder / "docs/guide", folder / "docs/book", **how).redirects == 0  # type: ignore[arg-type]
    assert (folder / "mkdocs.yml").read_text() == after
    rehref.move(folder / "docs/book", folder / "docs/guide", **how)  # type: ignore[arg-type]
    back = configuration.replace("\ntheme", "\n        book/wind.md: guide/wind.md\ntheme")
    assert (folder / "mkdocs.yml").read_text() == back
    (folder / "mkdocs.yml").write_text("site_name: W\n")
    with pytest.raises(ValueError, match="no redirect_maps in lines of its own"):
        rehref.move(folder / "docs/guide", folder / "docs/book", **how)  # type: ignore[arg-type]
    assert (folder / "docs/guide/wind.md").exists()


def test_a_block_scalar_gets_no_quotes() -> None:
    yaml = pytest.importorskip("yaml")
    for new in ("a: b.md", "#.md", "é.md", "it's.md", "- x.md", '"q".md', "w?z.md"):
        for header in (">-", "|-", ">", "|", ">2-", "|-2"):
            before = f"nav:\n- T: {header}\n    a.md\n"
            after, count = with_new_names(before.encode(), {"a.md": new})
            assert yaml.safe_load(after)["nav"][0]["T"].strip() == new
            assert count == 1

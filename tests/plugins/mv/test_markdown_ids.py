"""Ids in Markdown that are renamed: written behind headings where the dialect has that, and in HTML inside."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import written
from rehref.exceptions import OptionError
from rehref.plugins.mv.moving import move

pytest.importorskip("pyromark")
REFERENCES = "[1](#gale) [2](a.md#gale) [3][r] [4](#gales) <a href='#gale'>5</a>\n\n[r]: a.md?q#gale 'T'\n"


def renamed(folder: Path, text: str, dialect: str | None, old: str = "gale", new: str = "storm") -> str:
    """What `text` is after the renaming of an id in it."""
    written(folder, {"a.md": text + "\n\n" + REFERENCES, "b.md": REFERENCES})
    move(f"{folder}/a.md#{old}", f"{folder}/a.md#{new}", folder=folder, dialect=dialect)
    corrected = REFERENCES.replace("a.md#gale", "a.md#storm").replace("?q#gale", "?q#storm")
    assert (folder / "b.md").read_text() == corrected
    own = corrected.replace("(#gale)", "(#storm)").replace("'#gale'", "'#storm'")
    text = (folder / "a.md").read_bytes().decode()
    assert text.endswith(own)
    return text.removesuffix("\n\n" + own)


@pytest.mark.parametrize("dialect", ["mkdocs", "hugo", "docusaurus", "jekyll"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## Gale", "## Gale {#storm}"),
        ("x\n\n> ## Gale  \n", "x\n\n> ## Gale {#storm}  \n"),
        ("Gale\n----", "Gale {#storm}\n----"),
        ("## Wind {#gale}", "## Wind {#storm}"),
        ("Wind {#gale}\n---", "Wind {#storm}\n---"),
        ("## Gale\r\n\r\n# Ö\r\n", "## Gale {#storm}\r\n\r\n# Ö\r\n"),
        ('<a id="gale"></a>\n', '<a id="storm"></a>\n'),
        ('x <a name="gale"></a>\n', 'x <a name="storm"></a>\n'),
        ('<h2 id="gale">G</h2>\n\n`gale`', '<h2 id="storm">G</h2>\n\n`gale`'),
    ],
)
def test_an_id_in_markdown_is_renamed(tmp_path: Path, dialect: str, before: str, after: str) -> None:
    assert renamed(tmp_path, before, dialect) == after


def test_the_attributes_of_a_heading_get_the_id(tmp_path: Path) -> None:
    assert renamed(tmp_path, "# Gale { .big }", "mkdocs") == "# Gale { #storm .big }"
    assert renamed(tmp_path, "# Gale {: .big}", "mkdocs") == "# Gale {: #storm .big}"
    for dialect in ("mkdocs", "hugo"):  # the others read nothing else there
        assert renamed(tmp_path, "# Ünd {.big #gale}", dialect) == "# Ünd {.big #storm}"


@pytest.mark.parametrize("dialect", ["github", "gitlab"])
def test_on_forges_only_html_has_ids_of_its_own(tmp_path: Path, dialect: str) -> None:
    assert renamed(tmp_path, '<a name="gale"></a>', dialect) == '<a name="storm"></a>'
    with pytest.raises(OSError, match=r"follows from the text of a heading.*; change the heading"):
        renamed(tmp_path, "# Gale", dialect)
    assert (tmp_path / "a.md").read_text().startswith("# Gale\n")


@pytest.mark.parametrize("text", ["# Gale #", "# Gale\n\n## Gale"])
def test_what_would_change_more_than_the_id_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(OSError, match=r"none can be written|other ids"):
        renamed(tmp_path, text, "mkdocs")


def test_an_id_that_not_every_dialect_reads_is_refused(tmp_path: Path) -> None:
    for new in ("böe", "1a", "a}b"):
        with pytest.raises(OptionError, match="for Markdown"):
            renamed(tmp_path, "# Gale", "mkdocs", new=new)
    with pytest.raises(OSError, match="--dialect"):
        renamed(tmp_path, "# Gale", None)


def test_in_mkdocs_an_extension_reads_ids(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: W\n")
    with pytest.raises(OSError, match=r"attr_list; add that to mkdocs\.yml"):
        renamed(tmp_path, "# Gale", None)
    assert renamed(tmp_path, '<a id="gale"></a>', None) == '<a id="storm"></a>'
    (tmp_path / "mkdocs.yml").write_text("site_name: W\nmarkdown_extensions: [attr_list]\n")
    assert renamed(tmp_path, "# Gale", None) == "# Gale {#storm}"

"""Where the references in a document tree of Sphinx are written: their sources and lines.

The source is a file, perhaps an included one; for generated text (`module.py:docstring of f`), the line is that of the
node. Notes may be kept in a file, as JSON. A file that cannot be read counts as empty.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.addnodes import pending_xref

import rehref

_REACH = 60
"""The number of lines of a block that are searched."""


class Written(NamedTuple):
    """A reference in a document tree: its `source` and the `line` in which its block begins, 1-based.

    `texts`: how it may be written there, the most likely text first.
    """

    reference: str
    source: str
    line: int
    texts: tuple[str, ...]


def references_in(doctree: nodes.document) -> Iterator[Written]:
    """The references of a document tree, in its order.

    They are those that a writer of HTML turns into links and images, and those in raw HTML, as `rehref.links` finds
    them.
    """
    for node in doctree.findall(nodes.Element):
        at = _place_of(node)
        if at is None:
            continue
        if isinstance(node, nodes.reference):
            reference = node["refuri"] if node.get("refuri") else f"#{node.get('refid', '')}"
            yield Written(reference, *at, _texts(node, reference))
        elif isinstance(node, pending_xref):
            yield Written("", *at, _texts(node, ""))
        elif isinstance(node, nodes.image):
            yield Written(node["uri"], *at, (node["uri"],))
        elif isinstance(node, nodes.raw) and "html" in node.get("format", "").split():
            source, line = (node["source"], 1) if node.get("source") else at
            for link in rehref.links(node.astext(), media_type="text/html"):
                yield Written(link.reference, source, line, (link.reference,))


def _place_of(node: nodes.Element) -> tuple[str, int] | None:
    """The source of a node and the line of its block; None if not known."""
    source: str | None = None
    line: int | None = None
    above: nodes.Node | None = node
    while above is not None and (source is None or line is None):
        source, line, above = source or above.source, line or above.line, above.parent
    return None if source is None or line is None else (source, line)


def _texts(node: nodes.Element, reference: str) -> tuple[str, ...]:
    """The possible texts of a link: its markup, that of a role in it, or its target."""
    raw = [each.rawsource for each in (node, *node.findall(nodes.Element)) if each.rawsource]
    texts = (*(text.splitlines()[0] for text in raw if text.strip()), reference, node.astext())
    return tuple(dict.fromkeys(text for text in texts if text))


def with_markup(resolved: Sequence[Written], unresolved: Sequence[Written]) -> list[Written]:
    """The resolved references, with their texts from before.

    When Sphinx resolves a reference to another document, its markup is lost. The markup is that of the unresolved
    reference at the same position in the same block, if the block has as many as before.
    """
    before, now = _blocks(unresolved), _blocks(resolved)
    found: dict[Written, tuple[str, ...]] = {}
    for place, own in now.items():
        if len(own) == len(before.get(place, ())):
            found |= {new: (*old.texts, *new.texts) for new, old in zip(own, before[place], strict=True)}
    return [each._replace(texts=found.get(each, each.texts)) for each in resolved]


def _blocks(references: Iterable[Written]) -> dict[tuple[str, int], list[Written]]:
    """The references of each block, in order; by its source and line."""
    found: dict[tuple[str, int], list[Written]] = {}
    for each in references:
        found.setdefault((each.source, each.line), []).append(each)
    return found


def line_of(written: Written, source: Sequence[str]) -> int:
    """The line in which a reference is written. `source`: the lines of its source.

    Docutils knows the line of a block (a paragraph, a directive), not those of its content. In the lines from there on,
    the reference is searched as it was written, then as it was resolved; if neither is found, the block's line counts.
    """
    lines = source[written.line - 1 :][:_REACH]
    for text in written.texts:
        for number, line in enumerate(lines):
            if text in line:
                return written.line + number
    return written.line


def lines_in(source: str) -> Sequence[str]:
    """The lines of a file; none if it cannot be read, or is not a file."""
    try:
        return Path(source).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ()


def keep_notes(file: Path, noted: Mapping[str, Sequence[Written]]) -> None:
    """Write the notes about documents to a file. Raises `OSError`."""
    file.write_text(json.dumps(noted), encoding="utf-8")


def kept_notes(file: Path) -> dict[str, list[Written]]:
    """The notes about documents in a file; none if it is missing or damaged."""
    try:
        noted = json.loads(file.read_bytes())
        return {
            docname: [Written(reference, source, line, tuple(texts)) for reference, source, line, texts in found]
            for docname, found in noted.items()
        }
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}

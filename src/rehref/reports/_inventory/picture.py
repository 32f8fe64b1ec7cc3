"""The picture of which documents link where: the positions in it. The template writes the SVG.

Documents, or their folders, are in a column on the left, each on a line of its own with its name beside it; the targets
outside of them are in a column on the right. So names are readable, whatever the number of connections. For screen
readers it is one image, with a title and a description; a table beside it has the same content.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2, sqrt
from typing import Final, NamedTuple

from rehref.reports._inventory.grouping import Drawing, Drawn, DrawnNode
from rehref.reports.terminal import count, readable, width

_ROW: Final = 26
_MARGIN: Final = 20
_BESIDE: Final = 16
"""From the middle of a node to its name."""
_NARROWEST: Final = 160
_WIDEST: Final = 360
"""The distance of the columns, for few nodes and for many."""
_LONGEST: Final = 42
"""The longest name, in letters; a longer one is shortened in the middle."""
_LETTER: Final = 7.6
"""The width of a letter, on average at most."""
_WIDE: Final = {**dict.fromkeys("MW@%", 12.0), **dict.fromkeys("ABCDEFGHKNOPQRSUVXYZmw_&+=<>", 9.6)}
"""Letters that are wider."""

_BUSY: Final = 20
"""The number of references for the greatest width of a curve; if no curve has as many, all are thin."""
_SPREAD: Final = 10
"""The least number of lines for the strongest bend of a curve."""


class Curve(NamedTuple):
    """A connection: an SVG path, its width, and its title."""

    path: str
    width: float
    title: str


class Spot(NamedTuple):
    """A node: its middle, radius and name; its title; and the curves that begin there.

    They belong to it, so that pointing at the node shows them without a script.
    """

    x: int
    y: float
    radius: float
    inside: bool
    name: str
    title: str
    curves: tuple[Curve, ...]


class Picture(NamedTuple):
    """The whole picture, in units that are pixels at full size."""

    width: int
    height: int
    description: str
    spots: tuple[Spot, ...]


def picture_of(drawing: Drawing) -> Picture:
    """The positions in a drawing."""
    inside, outside = drawing.inside, len(drawing.nodes) - drawing.inside
    rows = max(inside, outside)
    names = [_name(node) for node in drawing.nodes]
    left = _MARGIN + _room(names[:inside])
    right = left + min(_WIDEST, _NARROWEST + 10 * rows)
    places = [(left, _y(number, inside, rows)) for number in range(inside)]
    places += [(right, _y(number, outside, rows)) for number in range(outside)]
    most = max((each.references for each in drawing.connections), default=1)
    curves: dict[int, list[Curve]] = {}
    for each in drawing.connections:
        curves.setdefault(each.source, []).append(_curve(each, drawing, places, most))
    return Picture(
        width=right + _room(names[inside:]) + _MARGIN,
        height=rows * _ROW + 2 * _MARGIN,
        description=_description(drawing),
        spots=tuple(
            _spot(node, names[number], *places[number], inside=number < inside, curves=curves.get(number, ()))
            for number, node in enumerate(drawing.nodes)
        ),
    )


def _y(number: int, count: int, rows: int) -> float:
    """The line of a node: nodes of the shorter column are spread over the height."""
    return round(_MARGIN + _ROW * rows * (number + 0.5) / count, 1)


def _description(drawing: Drawing) -> str:
    """A description of the picture, in words."""
    most = "; ".join(
        f"{readable(drawing.nodes[each.source].name, 80)} to {readable(drawing.nodes[each.target].name, 80)}, "
        f"{count(each.references, 'reference')}"
        for each in drawing.connections[:3]
    )
    return (
        f"On the left {count(drawing.inside, 'node')}: documents, or folders of them. On the right "
        f"{count(len(drawing.nodes) - drawing.inside, 'other place')} that they refer to. "
        f"{count(len(drawing.connections), 'connection')}{f'; most references lead from {most}' if most else ''}. "
        "The table has the same content."
    )


def _room(names: list[str]) -> int:
    """The width for the names beside the nodes."""
    return _BESIDE + ceil(max(map(_length, names), default=0))


def _length(name: str) -> float:
    """In units of the picture."""
    return sum(_WIDE.get(letter) or _LETTER * width(letter) for letter in name)


def _name(node: DrawnNode) -> str:
    """The name beside a node."""
    tally = f" ({node.documents:,})" if node.documents > 1 else ""
    return _cut(readable(node.name, 200), _LONGEST - len(tally)) + tally


def _spot(node: DrawnNode, name: str, x: int, y: float, *, inside: bool, curves: Sequence[Curve]) -> Spot:
    about = [readable(node.name, 200)]
    if node.documents > 1:
        about.append(count(node.documents, "document"))
    if node.within:
        about.append(f"{count(node.within, 'reference')} within")
    radius = round(3.5 + min(6.0, log2(max(1, node.documents)) / 2), 1)
    return Spot(x, y, radius, inside=inside, name=name, title=", ".join(about), curves=tuple(curves))


def _cut(text: str, longest: int) -> str:
    """The text, shortened in the middle."""
    if len(text) <= longest:
        return text
    head = longest // 2
    return f"{text[:head]}…{text[len(text) - (longest - head - 1) :]}"


def _curve(drawn: Drawn, drawing: Drawing, places: list[tuple[int, float]], most: int) -> Curve:
    """A connection: its width shows the number of references.

    From left to left it bends to the right, between the columns it runs straight; an arrow shows where it leads.
    """
    (x1, y1), (x2, y2) = places[drawn.source], places[drawn.target]
    if drawn.target < drawing.inside:  # both ends are a little apart from the curve in the other direction
        x1, x2, y1, y2 = x1 + 8, x2 + 12, y1 + 2, y2 - 2
        bend = round(30 + 0.8 * _WIDEST * (abs(y2 - y1) / (_ROW * max(drawing.inside, _SPREAD))) ** 0.8, 1)
        path = f"M{x1} {y1}C{x1 + bend} {y1} {x2 + bend} {y2} {x2} {y2}"
    else:
        x1, x2 = x1 + 8, x2 - 8
        middle = (x1 + x2) // 2
        path = f"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"
    source, target = (readable(drawing.nodes[number].name, 200) for number in drawn[:2])
    stroke = round(0.8 + 5.2 * sqrt(drawn.references / max(most, _BUSY)), 1)
    return Curve(path, stroke, f"{source} → {target}: {count(drawn.references, 'reference')}")

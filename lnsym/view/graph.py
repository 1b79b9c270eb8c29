"""The dependency map: a layered drawing of which theorem rests on which, as inline SVG with a list beside it. Standard library only.

Each chapter is a band. In a band, a theorem stands below the theorems of the same chapter that it rests on, so that edges run downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from lnsym.errors import LnsymError
from lnsym.view.status import Status, status

_COLUMNS = 4
_WIDTH, _HEIGHT = 185, 40
_BETWEEN, _BELOW = 12, 26
_BAND_HEAD, _BAND_FOOT = 30, 14
_MARGIN = 12
_LETTERS = 22  # of a line: they fit in the widest serif that a browser may have to take


@dataclass(frozen=True)
class Node:
    """A theorem on the map: its name is also the page anchor; `status` is a key of lnsym.view.status; `uses` names its premises."""

    name: str
    title: str
    chapter: str
    status: str
    uses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where a node stands: its left and top edge."""

    x: int
    y: int


@dataclass(frozen=True)
class Band:
    """A chapter's part of the map: its title, top edge and height."""

    title: str
    y: int
    height: int


@dataclass(frozen=True)
class Layout:
    """The places of all nodes, the bands of the chapters and the size of the drawing."""

    places: Mapping[str, Place]
    bands: tuple[Band, ...]
    width: int
    height: int


def layout(nodes: Sequence[Node]) -> Layout:
    """Places for all nodes; chapters keep the order in which they first appear, and so do nodes that nothing else orders."""
    _check(nodes)
    depths = _depths(nodes)
    places: dict[str, Place] = {}
    bands = []
    top = _MARGIN
    for chapter in dict.fromkeys(node.chapter for node in nodes):
        members = [node for node in nodes if node.chapter == chapter]
        y = top + _BAND_HEAD
        for row in _rows(members, depths):
            ordered = sorted(row, key=lambda node: (_pull(node, places), members.index(node)))
            step = _WIDTH + _BETWEEN
            x = _MARGIN + (_COLUMNS - len(ordered)) * step // 2
            for node in ordered:
                places[node.name] = Place(x, y)
                x += step
            y += _HEIGHT + _BELOW
        bands.append(Band(chapter, top, y - _BELOW + _BAND_FOOT - top))
        top = y - _BELOW + _BAND_FOOT + 10
    return Layout(places, tuple(bands), 2 * _MARGIN + _COLUMNS * _WIDTH + (_COLUMNS - 1) * _BETWEEN, top + _MARGIN - 10)


def svg(nodes: Sequence[Node]) -> str:
    """The map as an SVG element whose nodes are links to the theorems; the script adds the highlighting of ancestors."""
    plan = layout(nodes)
    parts = [
        f'<svg class="map" viewBox="0 0 {plan.width} {plan.height}" role="group" aria-label="Dependency map: {len(nodes)} theorems">',
        *(_band(band, plan.width) for band in plan.bands),
        *(_edge(premise, node.name, plan) for node in nodes for premise in node.uses),
        *(_node(node, plan.places[node.name]) for node in nodes),
        "</svg>",
    ]
    return "\n".join(parts)


def listing(nodes: Sequence[Node]) -> str:
    """The same map in words: each theorem with the theorems that it rests on, as an HTML list."""
    titles = {node.name: node.title for node in nodes}

    def link(name: str) -> str:
        return f'<a href="#{escape(name)}">{escape(titles[name])}</a>'

    def premises(node: Node) -> str:
        return "rests on " + ", ".join(map(link, node.uses)) if node.uses else "rests on the definitions alone"

    return '<ul class="premises">' + "".join(f"<li>{link(node.name)} {premises(node)}.</li>" for node in nodes) + "</ul>"


def ancestors(nodes: Iterable[Node], name: str) -> frozenset[str]:
    """All theorems that the named one rests on, directly or through others."""
    uses = {node.name: node.uses for node in nodes}
    found: set[str] = set()
    waiting = list(uses[name])
    while waiting:
        premise = waiting.pop()
        if premise not in found:
            found.add(premise)
            waiting.extend(uses[premise])
    return frozenset(found)


def _check(nodes: Sequence[Node]) -> None:
    names = [node.name for node in nodes]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LnsymError(f"expected each theorem once on the dependency map, got {', '.join(twice)} twice; give each its own name")
    for node in nodes:
        missing = sorted(set(node.uses) - set(names))
        if missing:
            raise LnsymError(f"theorem {node.name} rests on {', '.join(missing)}, not on the dependency map; add the premise to the nodes")
        if node.name in ancestors(nodes, node.name):
            raise LnsymError(f"theorem {node.name} rests on itself; the dependency map needs premises without a cycle")


def _depths(nodes: Sequence[Node]) -> dict[str, int]:
    """The longest chain of premises within a node's own chapter."""
    by_name = {node.name: node for node in nodes}
    depths: dict[str, int] = {}

    def depth(node: Node) -> int:
        if node.name not in depths:
            within = [by_name[name] for name in node.uses if by_name[name].chapter == node.chapter]
            depths[node.name] = 1 + max(map(depth, within), default=-1)
        return depths[node.name]

    for node in nodes:
        depth(node)
    return depths


def _rows(members: Sequence[Node], depths: Mapping[str, int]) -> Iterable[list[Node]]:
    """Rows of at most _COLUMNS nodes: each node below its premises, and rows as full as that allows."""
    rows: list[list[Node]] = []
    row_of: dict[str, int] = {}
    for node in sorted(members, key=lambda node: depths[node.name]):
        first = max((row_of[name] + 1 for name in node.uses if name in row_of), default=0)
        number = next((n for n in range(first, len(rows)) if len(rows[n]) < _COLUMNS), len(rows))
        if number == len(rows):
            rows.append([])
        rows[number].append(node)
        row_of[node.name] = number
    return rows


def _pull(node: Node, places: Mapping[str, Place]) -> float:
    """The mean abscissa of the premises already placed: nodes stand near what they rest on."""
    xs = [places[name].x for name in node.uses if name in places]
    return sum(xs) / len(xs) if xs else _COLUMNS * (_WIDTH + _BETWEEN) / 2


def _band(band: Band, width: int) -> str:
    return (
        f'<g class="band"><rect x="2" y="{band.y}" width="{width - 4}" height="{band.height}" rx="6"/>'
        f'<text x="{_MARGIN}" y="{band.y + 19}">{escape(band.title)}</text></g>'
    )


def _edge(premise: str, conclusion: str, plan: Layout) -> str:
    start, end = plan.places[premise], plan.places[conclusion]
    x1, y1 = start.x + _WIDTH // 2, start.y + _HEIGHT
    x2, y2 = end.x + _WIDTH // 2, end.y
    bend = max(abs(y2 - y1) // 2, 18)
    return (
        f'<path class="edge" data-from="{escape(premise)}" data-to="{escape(conclusion)}" '
        f'd="M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"/>'
    )


def _node(node: Node, place: Place) -> str:
    kind: Status = status(node.status)
    lines = wrap(node.title, _LETTERS)
    if len(lines) > 2:
        kept = lines[1] if len(lines[1]) < _LETTERS else lines[1].rpartition(" ")[0] or lines[1][: _LETTERS - 1]
        lines = [lines[0], kept.rstrip(" ,;:") + "…"]
    first = 24 if len(lines) == 1 else 17
    words = "".join(f'<tspan x="26" y="{first + 15 * number}">{escape(line)}</tspan>' for number, line in enumerate(lines))
    name = escape(node.name)
    return (
        f'<a class="node {kind.key}" href="#{name}" data-node="{name}" transform="translate({place.x} {place.y})">'
        f"<title>{escape(node.title)} ({escape(kind.text)})</title>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="5"/><text class="sign" x="8" y="24">{kind.sign}</text><text>{words}</text></a>'
    )

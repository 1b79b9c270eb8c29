"""An audit's curves as SVG: logarithmic axes, a mark for each curve, crosses where there is no number. Imports the view's table.

Beside colour, each curve has a mark of its own and a dash pattern; the look comes from the page's style and the audit's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import isfinite, log10

from lnsym.view.figures import Axis, Table

_WIDTH, _HEIGHT = 680, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 660, 72, 372
_CROSSES = 18  # above the frame's top: the line of the crosses
_DASHES = {"solid": "", "dashed": "8 4", "dashdot": "10 4 2 4", "dotted": "2 4"}
_MARKS = (  # a filled disc for the subject, open shapes for ours; the bound has none
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z",
    "M-4 -4H4V4H-4Z",
    "M0 -5L5 4H-5Z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
    "",
)
_CROSS = "M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5"
Place = Callable[[float], float]


def svg(table: Table) -> str:
    """The figure: the first column is the subject and lies on top, the last one the bound."""
    across, up = _scale(table.x, _LEFT, _RIGHT), _scale(table.y, _BOTTOM, _TOP)
    order = [*range(len(table.columns) - 1, 0, -1), 0]
    parts = [
        f'<title id="figure-{table.name}-title">{escape(table.title)}</title>',
        f'<desc id="figure-{table.name}-desc">{escape(table.description)}</desc>',
        *_axes(table, across, up),
        *_legend(table),
        *(line for number in order for line in _curve(table, number, across, up)),
    ]
    head = (
        f'<svg class="plot errors" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-labelledby="figure-{table.name}-title figure-{table.name}-desc">'
    )
    return "\n".join((head, *parts, "</svg>"))


def _scale(axis: Axis, start: int, end: int) -> Place:
    """Where a number lies on the logarithmic axis; beyond an end it lies at that end."""
    low, high = log10(float(axis.low)), log10(float(axis.high))

    def place(value: float) -> float:
        part = (log10(value) - low) / (high - low) if value > 0 else 0.0
        return round(start + (end - start) * min(max(part, 0.0), 1.0), 2)

    return place


def _axes(table: Table, across: Place, up: Place) -> Iterator[str]:
    top = _TOP - _CROSSES if _lost(table) else _TOP
    yield f'<path class="frame" d="M{_LEFT} {top}V{_BOTTOM}H{_RIGHT}"/>'
    for value, text in table.x.ticks:
        x = across(float(value))
        yield f'<path class="grid" d="M{x} {_TOP}V{_BOTTOM}"/>'
        yield f'<text class="tick" x="{x}" y="{_BOTTOM + 20}" text-anchor="middle">{text}</text>'
    for value, text in table.y.ticks:
        y = up(float(value))
        yield f'<path class="grid" d="M{_LEFT} {y}H{_RIGHT}"/>'
        yield f'<text class="tick" x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{text}</text>'
    if _lost(table):
        yield f'<path class="guide" d="M{_LEFT} {_TOP - _CROSSES}H{_RIGHT}"/>'
        yield f'<text class="tick" x="{_LEFT - 8}" y="{_TOP - _CROSSES + 4}" text-anchor="end">NaN, ∞</text>'
    yield f'<text class="axis" x="{(_LEFT + _RIGHT) // 2}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(table.x.text)}</text>'
    middle = (_TOP + _BOTTOM) // 2
    yield f'<text class="axis" transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">{escape(table.y.text)}</text>'


def _lost(table: Table) -> bool:
    """Whether some implementation gave no number somewhere."""
    return any(not isfinite(float(cell)) for row in table.rows for cell in row[1:-1])


def _legend(table: Table) -> Iterator[str]:
    room = (_RIGHT - _LEFT) // len(table.columns)
    for number, column in enumerate(table.columns):
        x = _LEFT + number * room
        yield f'<g class="key {_class(number)}" transform="translate({x} 20)"><path class="curve" d="M0 0H34"{_dash(column.dash)}/>'
        yield f'{_mark(_MARKS[number], 17, 0)}<text x="42" y="5">{escape(column.text)}</text></g>'


def _curve(table: Table, number: int, across: Place, up: Place) -> Iterator[str]:
    """One curve: a line through neighbouring numbers, a mark at each, and crosses above the frame where there is none."""
    bound = number == len(table.columns) - 1
    yield f'<g class="{_class(number)}">'
    for run in _runs(table.rows, number + 1):
        line = "L".join(f"{across(x)} {up(y)}" for x, y in run)
        yield f'<path class="curve" d="M{line}"{_dash(table.columns[number].dash)}/>'
        if not bound:
            yield from (_mark(_MARKS[number], across(x), up(y)) for x, y in run)
    if not bound:
        lost = (float(row[0]) for row in table.rows if not isfinite(float(row[number + 1])))
        # Crosses of several curves at one place stand beside each other.
        yield from (_mark(_CROSS, across(x) + 5 * number, _TOP - _CROSSES, "cross") for x in lost)
    yield "</g>"


def _runs(rows: Sequence[Sequence[str]], column: int) -> Iterator[list[tuple[float, float]]]:
    run: list[tuple[float, float]] = []
    for row in rows:
        x, y = float(row[0]), float(row[column])
        if isfinite(y):
            run.append((x, y))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _class(number: int) -> str:
    return "yours" if number == 0 else f"c{number}"


def _mark(shape: str, x: float, y: float, kind: str = "point") -> str:
    return f'<path class="{kind}" transform="translate({x} {y})" d="{shape}"/>' if shape else ""


def _dash(name: str) -> str:
    return f' stroke-dasharray="{_DASHES[name]}"' if _DASHES[name] else ""

"""The four figures: each one data table, drawn as SVG for the page and as pgfplots for LaTeX. Imports the standard library only.

Numbers are decimals of 30 digits rounded to a few, never floats, so that the bytes are equal on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from html import escape
from pathlib import Path

_CONTEXT = Context(prec=30, rounding=ROUND_HALF_EVEN)
_DIGITS = Decimal("0.000001")


@dataclass(frozen=True)
class Column:
    """One curve: its name as text and as LaTeX, and the dash pattern that marks it beside its colour."""

    text: str
    latex: str
    dash: str = "solid"


@dataclass(frozen=True)
class Axis:
    """One axis: its name as text and as LaTeX, the interval that it shows and the ticks (value, printed text)."""

    text: str
    latex: str
    low: str
    high: str
    ticks: tuple[tuple[str, str], ...]
    log: bool = False


@dataclass(frozen=True)
class Guide:
    """A straight dashed line at a height of the vertical axis."""

    height: str
    text: str
    latex: str


@dataclass(frozen=True)
class Mark:
    """A marked point; `side` says where its words stand: n, e, s, w and their pairs."""

    x: str
    y: str
    text: str
    latex: str
    side: str = "e"


@dataclass(frozen=True)
class Live:
    """The curve that a slider redraws: the script knows `curve` by name; values are those of the parameter."""

    curve: str
    low: str
    high: str
    start: str
    label: str


@dataclass(frozen=True)
class Table:
    """The data of one figure. A row is the abscissa followed by one height for each column, all as decimal text.

    `labels` is the end at which the SVG names its curves, `legend` the corner in which pgfplots does. A live curve moves the first mark.
    """

    name: str
    title: str
    caption: str
    description: str
    x: Axis
    y: Axis
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    guides: tuple[Guide, ...] = ()
    marks: tuple[Mark, ...] = ()
    labels: str = "right"
    legend: str = "north east"
    live: Live | None = None

    def csv(self) -> str:
        """The numbers as comma-separated text with a line of names."""
        head = (self.x.text, *(column.text for column in self.columns))
        return "\n".join(",".join(row) for row in (tuple(cell.replace(",", ";") for cell in head), *self.rows)) + "\n"


def figure_tables() -> dict[str, Table]:
    """The data table of each figure, by name, in the order of the page."""
    with localcontext(_CONTEXT):
        tables = (_response(), _variance(), _eigenvalues(), _amplification())
    return {table.name: table for table in tables}


def response(eps: Decimal, t: Decimal) -> Decimal:
    """h_eps(t) = t / sqrt(2 t^2 / 3 + eps), the third coordinate of the core of (-t, 0, t)."""
    return t / (2 * t * t / 3 + eps).sqrt()


def radial(eps: Decimal, q: Decimal) -> Decimal:
    """The eigenvalue eps / (q + eps)^(3/2) of the Jacobian along the deviations v."""
    return eps / ((q + eps) * (q + eps).sqrt())


def orthogonal(eps: Decimal, q: Decimal) -> Decimal:
    """The eigenvalue (q + eps)^(-1/2) of the Jacobian on vectors orthogonal to 1 and v; at d >= 2 the norm of J at q = 0."""
    return 1 / (q + eps).sqrt()


def _response() -> Table:
    values = (("1/10", "solid"), ("1/3", "dashed"), ("1", "dashdot"), ("4", "dotted"))
    height = _text(Decimal("1.5").sqrt())
    half = _text(Decimal(3).sqrt() / 2)
    return Table(
        name="response",
        title="The response of one coordinate",
        caption=r"$h_\varepsilon(t)=t/\sqrt{2t^2/3+\varepsilon}$, the third coordinate of the core of $(-t,0,t)$. "
        r"A larger $\varepsilon$ flattens the curve near $0$, where its slope is $\varepsilon^{-1/2}$; every curve approaches the "
        r"dashed lines $\pm\sqrt{3/2}$ and reaches neither. At the marked point $q=\varepsilon$ and the height is $\sqrt3/2$.",
        description="Four increasing S-shaped curves through the origin, for eps = 1/10, 1/3, 1 and 4. The smaller eps, the steeper the "
        "curve at 0. All four stay between the dashed lines at plus and minus the square root of 3/2.",
        x=Axis("t", "t", "-4", "4", _ticks("-4", "-2", "0", "2", "4")),
        y=Axis("h(t)", r"h_\varepsilon(t)", "-1.75", "1.75", _ticks("-1", "0", "1")),
        columns=tuple(Column(f"ε = {eps}", rf"\varepsilon={eps}", dash) for eps, dash in values),
        rows=_rows((_decimal(Fraction(k, 20)) for k in range(-80, 81)), [_curve(response, eps) for eps, _ in values]),
        guides=(Guide(height, "√(3/2)", r"\sqrt{3/2}"), Guide(f"-{height}", "−√(3/2)", r"-\sqrt{3/2}")),
        marks=(Mark(_text(Decimal("0.5").sqrt()), half, "q = ε", r"q=\varepsilon", "se"),),
        legend="south east",
        live=Live("response", "0.01", "10", "0.333333", "ε"),
    )


def _variance() -> Table:
    return Table(
        name="variance",
        title="The variance of the core",
        caption=r"$\rho=q/(q+\varepsilon)$, the coordinate variance of the core, against $q/\varepsilon$. It is one half exactly at "
        r"$q=\varepsilon$, and never $1$.",
        description="One increasing curve on a logarithmic horizontal axis, from near 0 at the left to near 1 at the right, through "
        "one half at q/eps = 1, which is marked.",
        x=Axis("q/ε", r"q/\varepsilon", "0.001", "1000", _decades(-3, 3), log=True),
        y=Axis("ρ", r"\rho", "0", "1.2", _ticks("0", "0.5", "1")),
        columns=(Column("ρ = q/(q + ε)", r"\rho=q/(q+\varepsilon)"),),
        rows=_rows(_decade_grid(-3, 3, 12), [lambda x: x / (1 + x)]),
        guides=(Guide("1", "ρ = 1", r"\rho=1"),),
        marks=(Mark("1", "0.5", "q = ε, ρ = 1/2", r"q=\varepsilon,\ \rho=1/2", "se"),),
        legend="south east",
    )


def _eigenvalues() -> Table:
    top = _text(Decimal(3).sqrt())
    return Table(
        name="eigenvalues",
        title="The three eigenvalues of the Jacobian",
        caption=r"The eigenvalues of $J$ at $\varepsilon=1/3$: $0$ on $\mathbf 1$, $\varepsilon/(q+\varepsilon)^{3/2}$ on $v$, "
        r"$(q+\varepsilon)^{-1/2}$ on what is orthogonal to both. At $q=0$ the last two meet in $\varepsilon^{-1/2}=\sqrt3$.",
        description="Against the variance q from 0 to 4, at eps = 1/3: a flat line at 0, and two decreasing curves that start together at "
        "the square root of 3. The radial eigenvalue falls faster than the orthogonal one.",
        x=Axis("q", "q", "0", "4", _ticks("0", "1", "2", "3", "4")),
        y=Axis("eigenvalue", r"\text{eigenvalue}", "-0.1", "2", _ticks("0", "0.5", "1", "1.5", "2")),
        columns=(
            Column("orthogonal", r"(q+\varepsilon)^{-1/2}", "solid"),
            Column("radial, v", r"\varepsilon/(q+\varepsilon)^{3/2}", "dashed"),
            Column("offset, 1", "0", "dotted"),
        ),
        rows=_rows(
            (_decimal(Fraction(k, 40)) for k in range(161)), [_curve(orthogonal, "1/3"), _curve(radial, "1/3"), lambda _: Decimal(0)]
        ),
        marks=(Mark("0", top, "q = 0: 1/√ε = √3", r"q=0:\ \varepsilon^{-1/2}=\sqrt3", "e"),),
    )


def _amplification() -> Table:
    values = (("1/10000", "dotted"), ("1/100", "dashdot"), ("1", "dashed"))
    names = {"1/10000": "10⁻⁴", "1/100": "10⁻²", "1": "1"}
    latex = {"1/10000": "10^{-4}", "1/100": "10^{-2}", "1": "1"}
    return Table(
        name="amplification",
        title="Local amplification near zero variance",
        caption=r"$\lVert J\rVert=(q+\varepsilon)^{-1/2}$ for $d\ge3$ (at $d=2$ only at $q=0$), on logarithmic axes. "
        r"A smaller $\varepsilon$ raises the plateau $\varepsilon^{-1/2}$ at the left; at a fixed $q>0$ every curve stays below "
        r"$q^{-1/2}$, so the growth is confined to $q\to0$.",
        description="Three curves on logarithmic axes, for eps = 1, 1/100 and 1/10000. Each is flat at the left, at the height eps to the "
        "power -1/2, then bends to follow the straight line q to the power -1/2, which bounds them all.",
        x=Axis("q", "q", "0.000001", "100", _decades(-6, 2, 2), log=True),
        y=Axis("‖J‖", r"\lVert J\rVert", "0.05", "1000", _decades(-1, 3), log=True),
        columns=(
            *(Column(f"ε = {names[eps]}", rf"\varepsilon={latex[eps]}", dash) for eps, dash in values),
            Column("1/√q", "q^{-1/2}", "solid"),
        ),
        rows=_rows(_decade_grid(-6, 2, 8), [*(_curve(orthogonal, eps) for eps, _ in values), lambda q: 1 / q.sqrt()]),
        labels="left",
    )


def _curve(function: Callable[[Decimal, Decimal], Decimal], eps: str) -> Callable[[Decimal], Decimal]:
    value = _decimal(Fraction(eps))
    return lambda x: function(value, x)


def _rows(abscissas: Iterable[Decimal], curves: Sequence[Callable[[Decimal], Decimal]]) -> tuple[tuple[str, ...], ...]:
    return tuple((_text(x), *(_text(curve(x)) for curve in curves)) for x in abscissas)


def _decade_grid(low: int, high: int, parts: int) -> list[Decimal]:
    return [Decimal(10) ** _decimal(Fraction(k, parts)) for k in range(low * parts, high * parts + 1)]


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _text(value: Decimal) -> str:
    """At most six decimals, and at least six significant digits for small numbers; no exponent, no negative zero."""
    digits = _DIGITS if value == 0 or abs(value) >= 1 else Decimal(1).scaleb(min(-6, value.adjusted() - 5))
    rounded = value.quantize(digits, context=_CONTEXT)
    text = format(rounded, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _ticks(*values: str) -> tuple[tuple[str, str], ...]:
    return tuple((value, value.replace("-", "−")) for value in values)


def _decades(low: int, high: int, step: int = 1) -> tuple[tuple[str, str], ...]:
    raised = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    names = {0: "1", 1: "10"}
    return tuple((_text(Decimal(10) ** k), names.get(k, "10" + str(k).translate(raised))) for k in range(low, high + 1, step))


# --- SVG -------------------------------------------------------------------------------------------------------------

_WIDTH, _HEIGHT = 680, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 560, 20, 344
_GAP = 17
_DASHES = {"solid": "", "dashed": "9 5", "dashdot": "10 4 2 4", "dotted": "2 4"}


def svg(table: Table, standalone: bool = False) -> str:
    """The figure as an SVG element; `standalone` adds the style sheet and the namespace that a file of its own needs."""
    with localcontext(_CONTEXT):
        across, up = _scale(table.x, _LEFT, _RIGHT), _scale(table.y, _BOTTOM, _TOP)
        parts = [
            f'<title id="figure-{table.name}-title">{escape(table.title)}</title>',
            f'<desc id="figure-{table.name}-desc">{escape(table.description)}</desc>',
            *_svg_axes(table, across, up),
            *_svg_guides(table, up),
            *_svg_curves(table, across, up),
            *_svg_live(table, across, up),
            *_svg_marks(table, across, up),
        ]
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    if standalone:
        parts.insert(0, f"<style>{Path(__file__).with_name('figure.css').read_text(encoding='utf-8')}</style>")
    head = (
        f'<svg{namespace} class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-labelledby="figure-{table.name}-title figure-{table.name}-desc">'
    )
    return "\n".join((head, *parts, "</svg>"))


def _scale(axis: Axis, start: int, end: int) -> Callable[[str], Decimal]:
    def measure(text: str) -> Decimal:
        return Decimal(text).log10() if axis.log else Decimal(text)

    low, high = measure(axis.low), measure(axis.high)

    def place(value: str) -> Decimal:
        return (start + (end - start) * (measure(value) - low) / (high - low)).quantize(Decimal("0.01"))

    return place


def _svg_axes(table: Table, across: Callable[[str], Decimal], up: Callable[[str], Decimal]) -> Iterable[str]:
    yield f'<path class="frame" d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}"/>'
    for value, text in table.x.ticks:
        x = across(value)
        yield f'<path class="grid" d="M{x} {_TOP}V{_BOTTOM}"/>'
        yield f'<text class="tick" x="{x}" y="{_BOTTOM + 20}" text-anchor="middle">{text}</text>'
    for value, text in table.y.ticks:
        y = up(value)
        yield f'<path class="grid" d="M{_LEFT} {y}H{_RIGHT}"/>'
        yield f'<text class="tick" x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{text}</text>'
    yield f'<text class="axis" x="{(_LEFT + _RIGHT) // 2}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(table.x.text)}</text>'
    middle = (_TOP + _BOTTOM) // 2
    yield f'<text class="axis" transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">{escape(table.y.text)}</text>'


def _svg_guides(table: Table, up: Callable[[str], Decimal]) -> Iterable[str]:
    for guide in table.guides:
        y = up(guide.height)
        yield f'<path class="guide" d="M{_LEFT} {y}H{_RIGHT}"/>'
        yield f'<text class="note" x="{_LEFT + 8}" y="{y + _outward(guide, -6, 16)}">{escape(guide.text)}</text>'


def _outward(guide: Guide, above: int, below: int) -> int:
    """The offset of a guide's words, which stand on its side away from zero, where no curve runs."""
    return below if guide.height.startswith("-") else above


def _svg_curves(table: Table, across: Callable[[str], Decimal], up: Callable[[str], Decimal]) -> Iterable[str]:
    edge = -1 if table.labels == "right" else 0
    ends = [up(table.rows[edge][number]) for number in range(1, len(table.columns) + 1)]
    for number, (column, label) in enumerate(zip(table.columns, _spread(ends), strict=True), start=1):
        points = [(across(row[0]), up(row[number])) for row in table.rows]
        line = "M" + "L".join(f"{x} {y}" for x, y in points)
        dash = f' stroke-dasharray="{_DASHES[column.dash]}"' if _DASHES[column.dash] else ""
        yield f'<path class="curve c{number}" d="{line}"{dash}/>'
        y = points[edge][1]
        if table.labels == "right":
            yield f'<path class="leader c{number}" d="M{_RIGHT + 2} {y}L{_RIGHT + 18} {label}"/>'
            yield f'<text class="label c{number}" x="{_RIGHT + 22}" y="{label + 4}">{escape(column.text)}</text>'
        else:
            right, down = (34, 10) if y < _TOP + 16 else (10, -7)  # at the top edge there is room beside the curve only
            yield f'<text class="label c{number}" x="{_LEFT + right}" y="{y + down}">{escape(column.text)}</text>'


def _spread(heights: Sequence[Decimal]) -> list[Decimal]:
    """Label heights at least a line apart, in the order of the curves, moved down from the topmost."""
    placed: dict[int, Decimal] = {}
    last = Decimal("-Infinity")
    for number in sorted(range(len(heights)), key=lambda n: (heights[n], n)):
        last = placed[number] = max(heights[number], last + _GAP)
    return [placed[number] for number in range(len(heights))]


def _svg_live(table: Table, across: Callable[[str], Decimal], up: Callable[[str], Decimal]) -> Iterable[str]:
    if table.live is None:
        return
    start = Decimal(table.live.start)
    line = "M" + "L".join(f"{across(row[0])} {up(_text(response(start, Decimal(row[0]))))}" for row in table.rows)
    box = {
        "curve": table.live.curve,
        "x": [float(table.x.low), float(table.x.high), _LEFT, _RIGHT],
        "y": [float(table.y.low), float(table.y.high), _BOTTOM, _TOP],
    }
    yield f'<path class="curve live" data-live="{escape(json.dumps(box))}" d="{line}"/>'


def _svg_marks(table: Table, across: Callable[[str], Decimal], up: Callable[[str], Decimal]) -> Iterable[str]:
    for number, mark in enumerate(table.marks):
        x, y = across(mark.x), up(mark.y)
        right = 12 if "e" in mark.side else -12 if "w" in mark.side else 0
        down = 18 if "s" in mark.side else -10 if "n" in mark.side else 5
        anchor = "start" if right > 0 else "end" if right < 0 else "middle"
        moves = ' data-live-mark=""' if table.live and number == 0 else ""
        yield f'<g class="mark"{moves} transform="translate({x} {y})"><circle r="4.5"/>'
        yield f'<text class="note" x="{right}" y="{down}" text-anchor="{anchor}">{escape(mark.text)}</text></g>'


# --- pgfplots --------------------------------------------------------------------------------------------------------

_PGF_DASHES = {"solid": "solid", "dashed": "dashed", "dashdot": "dash dot", "dotted": "densely dotted"}
_PGF_ANCHORS = {"n": "south", "e": "west", "s": "north", "w": "east", "ne": "south west", "se": "north west"}


def pgfplots(table: Table) -> str:
    """The figure as a tikzpicture whose numbers stand in it; it needs the packages amsmath and pgfplots only."""
    options = [
        "width=0.78\\textwidth, height=0.46\\textwidth",
        f"xlabel={{${table.x.latex}$}}, ylabel={{${table.y.latex}$}}",
        f"xmin={table.x.low}, xmax={table.x.high}, ymin={table.y.low}, ymax={table.y.high}",
        *(f"{name}mode=log" for name, axis in (("x", table.x), ("y", table.y)) if axis.log),
        f"legend pos={table.legend}, legend cell align=left, legend style={{draw=none, font=\\footnotesize}}",
        "axis lines=left, grid=major, grid style={black!10}",
    ]
    lines = ["\\begin{tikzpicture}", "\\begin{axis}[", *(f"  {option}," for option in options), "]"]
    for guide in table.guides:
        ends = f"({table.x.low},{guide.height}) ({table.x.high},{guide.height})"
        anchor = "north west" if guide.height.startswith("-") else "south west"
        words = f"node[pos=0, anchor={anchor}, font=\\footnotesize] {{${guide.latex}$}}"
        lines.append(f"\\addplot[gray, dashed, forget plot] coordinates {{{ends}}} {words};")
    for number, column in enumerate(table.columns, start=1):
        points = " ".join(f"({row[0]},{row[number]})" for row in table.rows)
        lines.append(f"\\addplot[thick, {_PGF_DASHES[column.dash]}] coordinates {{{points}}};")
        lines.append(f"\\addlegendentry{{${column.latex}$}}")
    for mark in table.marks:
        anchor = _PGF_ANCHORS[mark.side]
        lines.append(
            f"\\addplot[only marks, mark=*, forget plot] coordinates {{({mark.x},{mark.y})}} "
            f"node[anchor={anchor}, font=\\footnotesize] {{${mark.latex}$}};"
        )
    return "\n".join((*lines, "\\end{axis}", "\\end{tikzpicture}", ""))

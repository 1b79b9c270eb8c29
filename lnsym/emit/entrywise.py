"""From steps to JavaScript: each vector entry by entry, as a formula of floats or as calls on fractions. Imports the steps and the printer.

A row function holds one `const` for each named step and returns its results by name. `meanOf`, `vectorOf` and the like are helpers that
the module brings along. Every statement keeps to the small part of JavaScript that lnsym.emit.readback reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from lnsym.emit.printer import ATOM, PRODUCT, SIGN, SUM
from lnsym.emit.statements import EXACT_INTEGERS, FIRST, LAST, Node, Steps
from lnsym.errors import EmitError
from lnsym.kernel.terms import ROWS

Axes = frozenset[str]
NONE, ROW_AXES, BOTH = frozenset[str](), frozenset({LAST}), frozenset({FIRST, LAST})
SWAPPED = {FIRST: LAST, LAST: FIRST}
CALLS = {"add": "plus", "negate": "minus", "multiply": "times", "divide": "over"}
AXES_OF = {"row": ROW_AXES, "column": ROW_AXES, "scalar": NONE, "matrix": BOTH}


def row_function(name: str, found: Steps, arguments: Sequence[str], fractions: bool = False, also: Mapping[str, str] | None = None) -> str:
    """The function of one row: arguments in the order given, a line for each step, the results by name and what is returned beside them."""
    writer = _Writer(found, fractions)
    owner = "x" if "x" in found.vectors else next(iter(found.vectors), "")
    lines = [f"  const d = {owner}.length;"] if owner else []
    lines += [f"  const {line};" for line in writer.lines()]
    values = [f"    {_key(one)}: {value}," for one, value in (*writer.results(), *(also or {}).items())]
    return "\n".join([f"function {name}({', '.join(arguments)}) {{", *lines, "  return {", *values, "  };", "}"])


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


class _Writer:
    """The state of one function: along which axes each of its names runs."""

    def __init__(self, found: Steps, fractions: bool) -> None:
        self.found, self.fractions = found, fractions
        self.known: dict[str, Axes] = dict.fromkeys(found.vectors, ROW_AXES) | dict.fromkeys(found.scalars, NONE)

    def lines(self) -> Iterator[str]:
        for line in self.found.lines:
            axes = self.axes(line.node)
            yield f"{line.name} = {self.whole(line.node, axes)}"
            self.known[line.name] = axes

    def results(self) -> Iterator[tuple[str, str]]:
        for result in self.found.results:
            match result.node:
                case Node("column_sum", (part,)) if result.shape == "column":
                    node = part  # what this row adds to the sum; the caller adds the rows up
                case node if result.shape == "column":
                    raise EmitError(f"{result.name}: a sum over rows is a part of a formula; offer it as a result of its own")
                case node:
                    pass
            yield result.name, self.whole(node, AXES_OF[result.shape])

    # ------------------------------------------------------------ whole arrays

    def whole(self, node: Node, axes: Axes) -> str:
        """A scalar, or all entries of a vector or matrix."""
        if len(axes) == 2:
            return f"matrixOf(d, (i, j) => {self.entry(node, {FIRST: 'i', LAST: 'j'})})"
        if axes:
            return f"vectorOf(d, (i) => {self.entry(node, dict.fromkeys(axes, 'i'))})"
        return self.entry(node, {})

    def axes(self, node: Node) -> Axes:
        """The axes along which an expression runs."""
        match node:
            case Node("name", _, str(spelled)):
                return self.known[spelled]
            case Node("mean" | "sum", (arg,)):
                if FIRST in self.axes(arg):
                    raise EmitError("the product of a matrix with a vector stays; code is printed where it can be taken row by row")
                return NONE
            case Node("entry" | "count"):
                return NONE
            case Node("transpose", (arg,)):
                return frozenset(SWAPPED[axis] for axis in self.axes(arg))
            case Node("eye"):
                return BOTH
            case Node("column_sum"):
                raise EmitError("a sum over rows is a part of a formula; offer it as a result of its own")
        return NONE.union(*map(self.axes, node.args))

    # ------------------------------------------------------------ one entry

    def entry(self, node: Node, at: Mapping[str, str], level: int = SUM) -> str:
        """The node at the places given for its axes, in brackets where it holds together less tightly than asked."""
        text, own = self.written(node, at)
        return text if own >= level else f"({text})"

    def written(self, node: Node, at: Mapping[str, str]) -> tuple[str, int]:
        match node:
            case Node("name", _, str(spelled)):
                return spelled + "".join(f"[{at[axis]}]" for axis in (FIRST, LAST) if axis in self.known[spelled]), ATOM
            case Node("number", _, Fraction() as value):
                return self.number(value)
            case Node("count", _, length) if length != ROWS.length:
                return ("fraction(d)" if self.fractions else "d"), ATOM
            case Node("power", (base,), int(exponent)):
                return f"power({self.entry(base, at)}, {exponent})", ATOM
            case Node("root", (arg,)):
                return f"{'rootOf' if self.fractions else 'Math.sqrt'}({self.entry(arg, at)})", ATOM
            case Node("mean" | "sum" as op, (arg,)):
                return f"{op}Of(d, (i) => {self.entry(arg, {LAST: 'i'})})", ATOM
            case Node("transpose", (arg,)):
                return self.written(arg, {SWAPPED[axis]: place for axis, place in at.items()})
            case Node("eye"):
                return f"delta({at[FIRST]}, {at[LAST]})", ATOM
            case Node("entry", (Node("name", _, str(spelled)),), int(place)):
                return f"entryOf({spelled}, {place})", ATOM
            case Node("add" | "negate" | "multiply" | "divide" as op, args):
                return (self.call(op, args, at), ATOM) if self.fractions else self.infix(op, args, at)
        raise EmitError(f"no JavaScript form for {node.op}")

    def call(self, op: str, args: tuple[Node, ...], at: Mapping[str, str]) -> str:
        return f"{CALLS[op]}({', '.join(self.entry(arg, at) for arg in args)})"

    def infix(self, op: str, args: tuple[Node, ...], at: Mapping[str, str]) -> tuple[str, int]:
        if op == "negate":
            return f"-{self.entry(args[0], at, ATOM)}", SIGN  # two signs in a row would be a decrement
        if op == "divide":
            return f"{self.entry(args[0], at, PRODUCT)} / {self.entry(args[1], at, SIGN)}", PRODUCT
        text = self.entry(args[0], at, PRODUCT)
        if op == "multiply":
            # A quotient before the last factor reads back from the left: a / b * c is (a / b) * c.
            return " * ".join([text, *(self.entry(arg, at, SIGN) for arg in args[1:])]), PRODUCT
        for arg in args[1:]:
            negative = arg.op == "negate"
            text += f" {'-' if negative else '+'} {self.entry(arg.args[0] if negative else arg, at, PRODUCT)}"
        return text, SUM

    def number(self, value: Fraction) -> tuple[str, int]:
        p, q = value.numerator, value.denominator
        if max(abs(p), q) > EXACT_INTEGERS:
            raise EmitError(f"the number {str(value)[:20]} has more digits than a number of JavaScript holds; emit this formula for NumPy")
        if self.fractions:
            return f"fraction({p}, {q})" if q != 1 else f"fraction({p})", ATOM
        return (str(p), ATOM if p >= 0 else SIGN) if q == 1 else (f"{p} / {q}", PRODUCT if p >= 0 else SIGN)

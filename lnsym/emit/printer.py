"""From steps to NumPy statements: every operation written out, in the order of the formula. Imports the steps.

A number is printed without loss: p/q as the quotient of two integers, an integer beyond 2^53 through float(), which rounds correctly.
A power keeps its integer exponent. Each expression is bracketed by the precedence of Python, so that it reads back as the same tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lnsym.emit.statements import EXACT_INTEGERS, Node, Steps
from lnsym.errors import EmitError
from lnsym.kernel.terms import ROWS

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)


def lines(steps: Steps) -> Iterator[str]:
    """One assignment for each named step."""
    for line in steps.lines:
        yield f"{line.name} = {expression(line.node)}"


def expression(node: Node, level: int = SUM) -> str:
    """The node as a Python expression, in brackets where it holds together less tightly than asked."""
    text, own = _written(node)
    return text if own >= level else f"({text})"


def _written(node: Node) -> tuple[str, int]:
    match node:
        case Node("name", _, str(spelling)):
            return spelling, ATOM
        case Node("number", _, Fraction() as value):
            return _number(value)
        case Node("count", (vector,), length):
            return f"{expression(vector, ATOM)}.shape[{0 if length == ROWS.length else -1}]", ATOM
        case Node("add", args):
            return _sum(args), SUM
        case Node("negate", (arg,)):
            return f"-{expression(arg, SIGN)}", SIGN
        case Node("multiply", (*first, last)):
            # A quotient before the last factor reads back from the left: a / b * c is (a / b) * c.
            return " * ".join([expression(first[0], PRODUCT), *(expression(x, SIGN) for x in (*first[1:], last))]), PRODUCT
        case Node("divide", (over, under)):
            return f"{expression(over, PRODUCT)} / {expression(under, SIGN)}", PRODUCT
        case Node("power", (base,), int(exponent)):
            return f"{expression(base, ATOM)}**{exponent}", POWER
        case Node("root", (arg,)):
            return f"np.sqrt({expression(arg)})", ATOM
        case Node("mean" | "sum" as op, (arg,)):
            return f"np.{op}({expression(arg)}, axis=-1, keepdims=True)", ATOM
        case Node("column_sum", (arg,)):
            return f"np.sum({expression(arg)}, axis=0)", ATOM
        case Node("transpose", (arg,)):
            return f"{expression(arg, ATOM)}.T", ATOM
        case Node("eye", (vector,)):
            return f"np.eye({expression(vector, ATOM)}.shape[-1])", ATOM
        case Node("entry", (arg,), int(place)):
            return f"{expression(arg, ATOM)}[..., {place - 1}:{place}]", ATOM
    raise EmitError(f"no NumPy form for {node.op}")


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        integer = value.numerator
        if abs(integer) <= EXACT_INTEGERS:
            return str(integer), ATOM if integer >= 0 else SIGN
        try:
            float(integer)
        except OverflowError:
            raise EmitError(f"the number {str(integer)[:12]}... of {len(str(integer))} digits lies beyond float64") from None
        return f"float({integer})", ATOM
    return f"{value.numerator} / {value.denominator}", PRODUCT if value >= 0 else SIGN


def _sum(args: tuple[Node, ...]) -> str:
    text = expression(args[0], PRODUCT)
    for arg in args[1:]:
        negative = arg.op == "negate"
        text += f" {'-' if negative else '+'} {expression(arg.args[0] if negative else arg, PRODUCT)}"
    return text


def spoken(steps: Steps) -> Iterator[str]:
    """The steps and results in short form, for a docstring: mean(x) where the code says over which axis."""
    taken = {*steps.vectors, *steps.scalars, *(line.name for line in steps.lines)}
    for line in steps.lines:
        yield f"{line.name} = {_short(line.node)}"
    for result in steps.results:
        if (value := _short(result.node)) != result.name:
            yield f"{result.name} = {value}" if result.name not in taken else f"result {result.name} = {value}"


def _short(node: Node) -> str:
    text = expression(node)
    for long, brief in (("np.", ""), (", axis=-1, keepdims=True", ""), (", axis=0", " over rows"), ("x.shape[-1]", "d"), (".T", "[i]")):
        text = text.replace(long, brief)
    return text

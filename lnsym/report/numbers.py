"""Exact numbers of the book: the points and examples of a theorem, judged and written as LaTeX. Imports up to refute."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lnsym.derivation import point_of
from lnsym.kernel.terms import Array, Hypothesis, Index, Relation, Term, Theory, free_indices
from lnsym.refute import Point, exact_value, holds
from lnsym.surd import Interval, Surd

__all__ = ["number", "point_of", "Shown", "Table", "table", "value_of", "verdict"]

Shown = Fraction | Surd | Interval
Table = Shown | tuple["Table", ...]


def verdict(relation: Relation, point: Point, given: Sequence[Hypothesis], theory: Theory) -> bool | None:
    """Whether the relation holds at the point; None where a hypothesis fails there, or where it is not decided."""
    return holds(theory, point, relation, given)


def value_of(side: Term | Array, point: Point, theory: Theory) -> Table:
    """The exact value of a side: a number, or a table of numbers over its open and free indices."""
    relation = Relation("=", side, side)
    term = relation.opened()[0]
    return _table(term, tuple(free_indices(term)), {}, point, theory)


def _table(term: Term, free: tuple[Index, ...], at: dict[Index, int], point: Point, theory: Theory) -> Table:
    if not free:
        return exact_value(theory, point, term, at)
    first, *rest = free
    places = range(1, point.sizes[first.range.length] + 1)
    return tuple(_table(term, tuple(rest), {**at, first: place}, point, theory) for place in places)


# ---------------------------------------------------------------- as LaTeX


def number(value: Shown) -> str:
    """A number as LaTeX: exact, or bounds of it where a root stands under a root."""
    if isinstance(value, Interval):
        return f"{_decimal(value.low)}\\ldots"
    parts = value.parts if isinstance(value, Surd) else {1: value}
    text = ""
    for radicand, factor in sorted(parts.items()):
        sign = "-" if factor < 0 else "+" if text else ""
        text += sign + _multiple(abs(factor), radicand)
    return text


def _multiple(factor: Fraction, radicand: int) -> str:
    over, under = factor.numerator, factor.denominator
    root = "" if radicand == 1 else f"\\sqrt{{{radicand}}}"
    top = root if root and over == 1 else f"{over}{root}"
    return top if under == 1 else f"\\tfrac{{{top}}}{{{under}}}"


def _decimal(value: Fraction) -> str:
    """Six decimals, cut and not rounded."""
    scaled = abs(value.numerator) * 10**6 // value.denominator
    return f"{'-' if value < 0 else ''}{scaled // 10**6}.{scaled % 10**6:06d}"


def table(value: Table) -> str:
    """A number, a vector or a matrix as LaTeX."""
    if not isinstance(value, tuple):
        return number(value)
    if value and isinstance(value[0], tuple):
        rows = (" & ".join(table(cell) for cell in row) for row in value if isinstance(row, tuple))
        return "\\begin{pmatrix}" + " \\\\ ".join(rows) + "\\end{pmatrix}"
    return "(" + ",\\,".join(map(table, value)) + ")"

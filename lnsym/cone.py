"""Nonnegative combinations: whether a target lies in the cone of some columns, by exact linear programming.

Imports the standard library only.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
Row = dict[int, Fraction]
Number = int | Fraction

MAX_WORK = 30_000  # entries of the tableau touched; beyond it the search gives up


class _Tableau:
    """A simplex tableau in sparse rows: `basis[n]` is the variable that row n is solved for, -1 an artificial one."""

    def __init__(self, rows: list[Row], values: list[Fraction]) -> None:
        self.rows, self.values = rows, values
        count: dict[int, int] = {}
        for row in rows:
            for k in row:
                count[k] = count.get(k, 0) + 1
        self.basis = [next((k for k in sorted(row) if row[k] == 1 and count[k] == 1), -1) for row in rows]
        self.work = 0

    def pivot(self, at: int, k: int) -> None:
        """Solve row `at` for variable k."""
        scale = self.rows[at][k]
        row = {j: x / scale for j, x in self.rows[at].items()}
        value = self.values[at] / scale
        self.rows[at], self.values[at], self.basis[at] = row, value, k
        for n, other in enumerate(self.rows):
            if n != at and (factor := other.get(k)):
                self.work += len(row)
                for j, x in row.items():
                    left = other.get(j, 0) - factor * x
                    if left:
                        other[j] = Fraction(left)
                    else:
                        other.pop(j, None)
                self.values[n] -= factor * value

    def leaving(self, k: int) -> int | None:
        """The row that bounds variable k; a row of an artificial variable that is 0 must keep it so."""
        for n, row in enumerate(self.rows):
            if self.basis[n] == -1 and not self.values[n] and row.get(k):
                return n
        bounds = [(self.values[n] / row[k], self.basis[n], n) for n, row in enumerate(self.rows) if row.get(k, 0) > 0]
        return min(bounds)[2] if bounds else None

    def entering(self, gain: Row) -> int | None:
        """The first variable of positive gain: Bland's rule, which cannot cycle."""
        return min((k for k, x in gain.items() if x > 0), default=None)

    def feasible(self) -> bool:
        """Drive the artificial variables to 0."""
        while any(b == -1 and value for b, value in zip(self.basis, self.values, strict=True)):
            gain: Row = {}
            for n, row in enumerate(self.rows):
                if self.basis[n] == -1:
                    self.work += len(row)
                    for j, x in row.items():
                        gain[j] = gain.get(j, Fraction(0)) + x
            k = self.entering(gain)
            at = None if k is None else self.leaving(k)
            if k is None or at is None or self.work > MAX_WORK:
                return False
            self.pivot(at, k)
        return True

    def solution(self) -> dict[int, Fraction]:
        """The variables that are not 0."""
        return {k: value for k, value in zip(self.basis, self.values, strict=True) if value}

    def reach(self, wanted: set[int]) -> dict[int, Fraction] | None:
        """A solution in which one of the wanted variables is positive."""
        while not wanted & self.solution().keys():
            gain = {j: Fraction(1) for j in wanted if j not in self.basis}
            for n, row in enumerate(self.rows):
                if self.basis[n] in wanted:
                    self.work += len(row)
                    for j, x in row.items():
                        gain[j] = gain.get(j, Fraction(0)) - x
            k = self.entering({j: x for j, x in gain.items() if j not in self.basis})
            if k is None or self.work > MAX_WORK:
                return None
            at = self.leaving(k)
            if at is None:  # k may grow without end: 1 will do
                moved = {b: self.values[n] - self.rows[n].get(k, 0) for n, b in enumerate(self.basis) if b != -1}
                return {b: x for b, x in {**moved, k: Fraction(1)}.items() if x}
            self.pivot(at, k)
        return self.solution()


def nonnegative_combination(
    target: Mapping[K, Number], columns: Sequence[Mapping[K, Number]], wanted: set[int] | None = None
) -> dict[int, Fraction] | None:
    """Numbers x_k > 0 with sum_k x_k columns[k] = target, or None; with `wanted`, one of these k must be among them."""
    keys = list(dict.fromkeys([*target, *(key for column in columns for key in column)]))
    rows: dict[K, Row] = {key: {} for key in keys}
    for k, column in enumerate(columns):
        for key, x in column.items():
            sign = -1 if target.get(key, 0) < 0 else 1
            rows[key][k] = Fraction(sign * x)
    tableau = _Tableau([rows[key] for key in keys], [abs(Fraction(target.get(key, 0))) for key in keys])
    if not tableau.feasible():
        return None
    return tableau.solution() if wanted is None else tableau.reach(wanted)

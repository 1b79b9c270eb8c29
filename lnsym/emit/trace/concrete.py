"""Cells that are exact numbers, fractions and sums of square roots: on arrays of them emitted text gives exact values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any

from lnsym.emit.trace.paths import Formula, Truth, Vocabulary, conjunction, disjunction, negation
from lnsym.surd import Surd, exact_root, inverse, sign

Cell = Any
COMPARED = {"less": "<", "less_equal": "<=", "equal": "==", "not_equal": "!=", "greater": ">", "greater_equal": ">="}


class Numbers:
    """The domain of exact numbers: there is no axis of unknown length."""

    def no_axis(self, *_: Any) -> Any:
        """Never called: there are no components that stand for all."""
        raise Vocabulary("an axis of unknown length in a run on exact numbers")

    total = move = place = pick = extreme = no_axis

    def length(self) -> Any:
        """Never called."""
        return self.no_axis()

    identity = length

    def varies(self, _: Cell) -> bool:
        """No mask speaks of a component that stands for others."""
        return False

    def some(self, cell: Cell) -> Cell:
        """A mask of one component."""
        return cell

    def unwritten(self) -> Cell:
        """What np.empty holds."""
        return float("nan")

    def lift(self, value: object, kind: str) -> Cell:
        """A cell from a number; kind is that of the array: f, i or b."""
        if kind == "b":
            return value if isinstance(value, Formula) else bool(value)
        if kind in "iu":
            return int(value)  # type: ignore[call-overload]
        if isinstance(value, (Surd, Fraction)):
            return value
        if isinstance(value, int):
            return Fraction(value)
        number = float(value)  # type: ignore[arg-type]
        return Fraction(number) if isfinite(number) else number

    def whole_number(self, cell: Cell) -> int:
        """A number as a whole number, cut towards 0."""
        return int(cell)

    def function(self, name: str) -> Callable[..., Cell]:
        """What a ufunc does with cells."""
        if name in COMPARED:
            return lambda a, b: self.compare(COMPARED[name], a, b)
        own = getattr(self, "do_" + {"true_divide": "divide", "fabs": "absolute"}.get(name, name), None)
        if own is None:
            raise Vocabulary(f"np.{name} is not among the functions that exact numbers have")
        return own  # type: ignore[no-any-return]

    def do_add(self, a: Cell, b: Cell) -> Cell:
        return a + b

    def do_subtract(self, a: Cell, b: Cell) -> Cell:
        return a - b

    def do_multiply(self, a: Cell, b: Cell) -> Cell:
        return a * b

    def do_negative(self, a: Cell) -> Cell:
        return -a

    def do_positive(self, a: Cell) -> Cell:
        return a

    def do_square(self, a: Cell) -> Cell:
        return a * a

    def do_reciprocal(self, a: Cell) -> Cell:
        return self.do_divide(Fraction(1), a)

    def do_divide(self, a: Cell, b: Cell) -> Cell:
        b = Fraction(b) if isinstance(b, int) else b
        if isinstance(a, float) or isinstance(b, float) or not b:
            return float("nan")
        return a * inverse(b)

    def do_power(self, a: Cell, b: Cell) -> Cell:
        result: Cell = Fraction(1)
        for _ in range(abs(int(b))):
            result = result * a
        return result if b >= 0 else self.do_reciprocal(result)

    def do_floor_divide(self, a: int, b: int) -> int:
        return a // b

    def do_right_shift(self, a: int, b: int) -> int:
        return a >> b

    def do_remainder(self, a: int, b: int) -> int:
        return a % b

    def do_logical_not(self, a: Truth) -> Truth:
        return negation(a)

    def do_logical_and(self, a: Truth, b: Truth) -> Truth:
        return conjunction(a, b)

    def do_logical_or(self, a: Truth, b: Truth) -> Truth:
        return disjunction(a, b)

    do_invert, do_bitwise_and, do_bitwise_or = do_logical_not, do_logical_and, do_logical_or

    def do_isfinite(self, a: Cell) -> Truth:
        return not isinstance(a, float)

    def do_isnan(self, a: Cell) -> Truth:
        return isinstance(a, float) and a != a

    def do_isinf(self, a: Cell) -> Truth:
        return isinstance(a, float) and a == a

    def decide(self, cell: Cell) -> bool:
        """The truth of a mask's cell."""
        return bool(cell)

    def choose(self, condition: Cell, a: Cell, b: Cell) -> Cell:
        """np.where of one cell."""
        return a if condition else b

    def sign(self, a: Cell) -> int:
        """The sign of a number."""
        return sign(a) if isinstance(a, (Surd, Fraction)) else (a > 0) - (a < 0)

    def compare(self, name: str, a: Cell, b: Cell) -> Truth:
        """A comparison, exact also for square roots."""
        if isinstance(a, float) or isinstance(b, float):
            if a != a or b != b:
                return name == "!="
            near = [float(x.enclosure(64)[0] if isinstance(x, Surd) else x) for x in (a, b)]  # one of them is infinite
            return Numbers.said(name, (near[0] > near[1]) - (near[0] < near[1]))
        return Numbers.said(name, self.sign(a - b))

    @staticmethod
    def said(name: str, order: int) -> bool:
        """A comparison from the sign of the difference."""
        return {"<": order < 0, "<=": order <= 0, "==": order == 0, "!=": order != 0, ">": order > 0, ">=": order >= 0}[name]

    def do_absolute(self, a: Cell) -> Cell:
        return -a if self.sign(a) < 0 else a

    def do_maximum(self, a: Cell, b: Cell) -> Cell:
        return a if isinstance(a, float) or self.compare(">=", a, b) else b

    def do_minimum(self, a: Cell, b: Cell) -> Cell:
        return a if isinstance(a, float) or self.compare("<=", a, b) else b

    def do_signbit(self, a: Cell) -> bool:
        return self.sign(a) < 0

    def do_sqrt(self, a: Cell) -> Cell:
        return float("nan") if isinstance(a, float) or self.sign(a) < 0 else exact_root(a)

    def do_ldexp(self, a: Cell, k: int) -> Cell:
        return a * Fraction(2) ** k if not isinstance(a, float) else a

    def do_frexp(self, a: Cell) -> tuple[Cell, int]:
        if isinstance(a, float) or self.sign(a) == 0:
            return a, 0
        low = self.do_absolute(a).enclosure(64)[0] if isinstance(a, Surd) else abs(a)
        k = low.numerator.bit_length() - low.denominator.bit_length()
        k += low >= Fraction(2) ** k
        return a * Fraction(2) ** -k, k

"""The model: z, mu, v, q, eps, s, u, y, P, J as SymPy objects. Imports SymPy and the book's definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import sympy as sp

from lnsym.derivations import definitions as book
from lnsym.errors import TermError
from lnsym.kernel.terms import Array, Term
from lnsym.lang import D, Sym, core, i, j, var
from lnsym.model.names import Names
from lnsym.model.writer import to_sympy, written

Exact: TypeAlias = "sp.Expr | int | Fraction | str"
VECTORS = ("z", "gamma", "beta")
RESERVED = frozenset("ij")  # bound indices keep away: SymPy lets them capture a derivative by z[j] (its issue 21891)


class Model:
    """Layer normalization with epsilon as SymPy objects, every one unfolded to z, eps, gamma and beta.

    Formula:
        core = (z - mean(z)) / sqrt(var(z) + eps), y = gamma * core + beta.
    Shapes:
        At fixed d vectors are d x 1 and matrices d x d. At symbolic d an attribute is the entry i (or i, j) of its object.
    Units:
        z, mu, v, s in U; q, eps in U^2; u, gamma, rho in 1; J in 1/U.

    Args:
        d: The number of coordinates, or None for symbolic d.
        values: What has been put in by `at`.

    Returns:
        An object with the attributes z, mu, v, q, eps, s, u, core, variance, gamma, beta, y, P, J, jacobian.

    Raises:
        TermError: d is no whole number >= 1.
    Source:
        The definitions of the book.

    >>> from sympy import Rational, simplify
    >>> m = Model(3)
    >>> simplify(m.variance - m.q / (m.q + m.eps))
    0
    >>> m.at(z=(1, 2, 3), eps=Rational(1, 3)).core.T
    Matrix([[-1, 0, 1]])
    """

    def __init__(self, d: int | None = None, values: Mapping[sp.Basic, sp.Expr] | None = None) -> None:
        self._fixed = d
        self._names = Names(book.THEORY)
        self._values = dict(values or {})
        self.eps = self._put(self._names.scalar("eps"))
        self.d = self._names.scalar("d") if d is None else d
        self._plain = {name: to_sympy(getattr(book, name), d) for name in VECTORS}
        self.z, self.gamma, self.beta = (self._put(self._plain[name]) for name in VECTORS)

    def _put(self, expression: sp.Basic) -> sp.Basic:
        return expression.subs(self._values) if self._values else expression

    def _raw(self, node: Term | Array) -> sp.Basic:
        if self._fixed is None and isinstance(node, Array):
            node = node[(i, j)[: len(node.indices)]]
        return self._put(written(node, self._fixed, raw=True, reserved=RESERVED))

    @cached_property
    def mu(self) -> sp.Basic:
        """The coordinate mean of z."""
        return self._raw(book.mu)

    @cached_property
    def v(self) -> sp.Basic:
        """The deviations z - mu."""
        return self._raw(book.v)

    @cached_property
    def q(self) -> sp.Basic:
        """The coordinate variance of z, divisor d."""
        return self._raw(book.q)

    @cached_property
    def s(self) -> sp.Basic:
        """sqrt(q + eps)."""
        return self._raw(book.s)

    @cached_property
    def core(self) -> sp.Basic:
        """The normalized core u = v / sqrt(q + eps)."""
        return self._raw(book.u)

    @property
    def u(self) -> sp.Basic:
        """The core under its short name."""
        return self.core

    @cached_property
    def y(self) -> sp.Basic:
        """The full output gamma * u + beta."""
        return self._raw(book.y)

    @cached_property
    def variance(self) -> sp.Basic:
        """The coordinate variance of the core, unsimplified."""
        return self._raw(var(book.u))

    @cached_property
    def P(self) -> sp.Basic:  # noqa: N802 - the mathematical name
        """The centering matrix I - 1 1^T / d."""
        return self._raw(book.P)

    @cached_property
    def J(self) -> sp.Basic:  # noqa: N802 - the mathematical name
        """The closed form (P - v v^T / (d (q + eps))) / s of the Jacobian."""
        return self._raw(book.J)

    @cached_property
    def jacobian(self) -> sp.Basic:
        """The Jacobian of the core, by SymPy's own differentiation of the raw definition."""
        if self._fixed is not None:
            return self._put(to_sympy(book.u, self._fixed, raw=True).jacobian(self._plain["z"]))
        unevaluated = self._raw(D(book.u[i], book.z[j]))
        return unevaluated.expr.diff(*unevaluated.variables)

    def scaled(self, a: Exact) -> sp.Basic:
        """The core of a z, where eps stays as it is."""
        factor = Sym("a")
        return self._raw(core(factor * book.z)).subs(self._names.scalar("a"), _exact("a", a))

    def at(
        self,
        z: Iterable[Exact] | None = None,
        eps: Exact | None = None,
        gamma: Iterable[Exact] | None = None,
        beta: Iterable[Exact] | None = None,
    ) -> Model:
        """The model with exact numbers (or expressions) put in; whatever is left out stays a symbol."""
        if self._fixed is None:
            raise TermError("numbers need a fixed number of coordinates: model(3).at(z=(1, 2, 3))")
        values = dict(self._values)
        for name, given in zip(VECTORS, (z, gamma, beta), strict=True):
            if given is not None:
                entries = [_exact(name, entry) for entry in given]
                if len(entries) != self._fixed:
                    raise TermError(f"{name} has {len(entries)} entries, expected {self._fixed}")
                values |= dict(zip(self._plain[name], entries, strict=True))
        if eps is not None:
            number = _exact("eps", eps)
            if number.is_positive is False:
                raise TermError(f"eps is {number}: expected a positive number")
            values[self._names.scalar("eps")] = number
        return Model(self._fixed, values)

    def __repr__(self) -> str:
        values = "".join(f", {name} = {value}" for name, value in self._values.items())
        return f"<layer normalization at {'symbolic d' if self._fixed is None else f'd = {self._fixed}'}{values}>"


def _exact(name: str, value: Exact) -> sp.Expr:
    if isinstance(value, str):
        try:
            value = Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise TermError(f"{name}: expected a number such as 1/3, got {value!r}") from None
    if isinstance(value, Fraction):
        value = sp.Rational(value.numerator, value.denominator)
    if isinstance(value, int) and not isinstance(value, bool):
        value = sp.Integer(value)
    if not isinstance(value, sp.Expr) or value.has(sp.Float):
        raise TermError(f"{name}: {value!r} is not exact; write Rational(1, 3) or '1/3' instead of 0.333")
    return value


def model(d: int | str | None = None) -> Model:
    """Make the SymPy model of layer normalization at fixed or symbolic d.

    Formula:
        core = (z - mean(z)) / sqrt(var(z) + eps).
    Shapes:
        Vectors d x 1, matrices d x d; entries i and i, j at symbolic d.
    Units:
        z in U, eps in U^2, core in 1.

    Args:
        d: A whole number from 1 to 6; "d" or nothing for symbolic d.

    Returns:
        A Model.

    Raises:
        TermError: Another d.
    Source:
        The definitions of the book.

    >>> from sympy import simplify, sqrt, symbols, zeros
    >>> m = model(3)
    >>> a = symbols("a", positive=True)
    >>> simplify(m.scaled(a) - a * m.v / sqrt(a**2 * m.q + m.eps)) == zeros(3, 1)
    True
    >>> simplify(m.jacobian - m.J) == zeros(3, 3)
    True
    >>> model().mu
    Sum(z[k], (k, 1, d))/d
    """
    if d is None or d == "d":
        return Model()
    whole = int(d) if isinstance(d, (int, sp.Integer)) and not isinstance(d, bool) else 0
    if not 1 <= whole <= 6:
        raise TermError(f'expected d from 1 to 6, or "d" for symbolic d, got {d!r}')
    return Model(whole)

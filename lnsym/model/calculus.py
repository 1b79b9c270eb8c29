"""Scalar calculus by SymPy itself: limits, derivatives, integrals, suprema. Imports SymPy only.

A fact is a list of SymPy relations with an unevaluated left side; SymPy evaluates it when the fact is asked for, and compares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from lnsym.errors import StatementError

t = sp.Symbol("t", real=True)
x, eps, q, r, tau, a = sp.symbols("x epsilon q r tau a", positive=True)
c = sp.Symbol("c", real=True)
ASYMPTOTE = sp.sqrt(sp.Rational(3, 2))

Relations = list[sp.Basic]


def curve(at: sp.Expr = t, regularizer: sp.Expr = eps) -> sp.Expr:
    """The curve of the figure, h_eps(t): the third entry of the core of (-t, 0, t)."""
    return at / sp.sqrt(sp.Rational(2, 3) * at**2 + regularizer)


def share(ratio: sp.Expr = x) -> sp.Expr:
    """The core's variance rho = q/(q + eps) as a function of x = q/eps."""
    return ratio / (1 + ratio)


def stretch(factor: sp.Expr = a) -> sp.Expr:
    """What the core of a z has in front of v: a/sqrt(a^2 q + eps)."""
    return factor / sp.sqrt(factor**2 * q + eps)


def norm_of_jacobian(variance: sp.Expr = q, regularizer: sp.Expr = eps) -> sp.Expr:
    """The largest eigenvalue of the Jacobian of the core for d >= 3, 1/sqrt(q + eps)."""
    return 1 / sp.sqrt(variance + regularizer)


def bare_core(direction: tuple[int, ...], entry: int) -> sp.Expr:
    """An entry of the core without eps at c 1 + r h, beside the constant input c 1."""
    z = sp.symbols(f"z_1:{len(direction) + 1}", real=True)
    mean = sp.Add(*z) / len(z)
    core = (z[entry] - mean) / sp.sqrt(sp.Add(*((one - mean) ** 2 for one in z)) / len(z))
    return sp.Subs(core, z, [c + r * step for step in direction])


def _eq(left: sp.Expr, right: sp.Expr) -> sp.Basic:
    return sp.Eq(left, right, evaluate=False)


def _positive(expression: sp.Expr) -> sp.Basic:
    return sp.Gt(expression, 0, evaluate=False)


def _negative(expression: sp.Expr) -> sp.Basic:
    return sp.Lt(expression, 0, evaluate=False)


def _only_at(equation: sp.Basic, variable: sp.Symbol, domain: sp.Set, *solutions: sp.Expr) -> sp.Basic:
    return _eq(sp.ConditionSet(variable, equation, domain), sp.FiniteSet(*solutions))


def _at(value: sp.Expr) -> sp.Expr:
    return sp.Subs(curve(), t, value)


def _limit(expression: sp.Expr, variable: sp.Symbol, to: sp.Expr) -> sp.Expr:
    return sp.Limit(expression, variable, to, "-" if to == sp.oo else "+")


@dataclass(frozen=True)
class CalculusFact:
    """A claim of scalar calculus with what SymPy found: `holds` is computed when the fact is made, never typed."""

    name: str
    catalogue: str
    title: str
    latex: str
    text: str
    holds: bool


@dataclass(frozen=True)
class _Claim:
    name: str
    catalogue: str
    title: str
    relations: Callable[[], Relations]

    def fact(self) -> CalculusFact:
        relations = self.relations()
        latex = r",\quad ".join(map(sp.latex, relations))
        return CalculusFact(self.name, self.catalogue, self.title, latex, "; ".join(map(_text, relations)), all(map(_holds, relations)))


def _text(relation: sp.Basic) -> str:
    sign = {sp.Eq: "=", sp.Ne: "!=", sp.StrictGreaterThan: ">", sp.StrictLessThan: "<"}[relation.func]
    return f"{_said(relation.lhs)} {sign} {_said(relation.rhs)}"


def _said(side: sp.Basic) -> str:
    """SymPy's text of one side, its unevaluated head in words."""
    match side:
        case sp.Limit():
            return f"limit of {_said(side.args[0])} as {side.args[1]} -> {side.args[2]}"
        case sp.Derivative():
            return f"d^{side.derivative_count}/d{side.variables[0]}^{side.derivative_count} {side.expr}".replace("^1", "")
        case sp.Integral():
            return f"integral of {side.function} for {side.limits[0][0]} from {side.limits[0][1]} to {side.limits[0][2]}"
        case sp.Subs():
            return f"{_said(side.expr)} at {', '.join(f'{x} = {value}' for x, value in zip(side.variables, side.point, strict=True))}"
        case sp.ConditionSet():
            return f"the set of {side.sym} in {side.base_set} with {_text(side.condition)}"
    return str(side)


def _holds(relation: sp.Basic) -> bool:
    """Whether SymPy, evaluating the left side by itself, reaches the relation."""
    left, right = relation.lhs, relation.rhs
    if isinstance(left, sp.ConditionSet):
        equation = left.condition
        return bool(sp.solveset(equation.lhs.doit() - equation.rhs, left.sym, left.base_set) == right)
    left = left.doit()
    if left in (sp.oo, -sp.oo) or right in (sp.oo, -sp.oo):
        return bool(relation.func(left, right))
    difference = sp.simplify(left - right)
    match relation:
        case sp.Eq():
            return bool(difference == 0)
        case sp.Ne():
            return difference.is_zero is False
        case sp.StrictGreaterThan():
            return difference.is_positive is True
        case sp.StrictLessThan():
            return difference.is_negative is True
    raise StatementError(f"{type(relation).__name__} is not judged here")


def _inverse(value: sp.Expr, factor: sp.Expr) -> sp.Expr:
    return sp.sqrt(eps) * value / sp.sqrt(1 - factor * value**2)


def _area(constant: sp.Expr) -> Relations:
    closed = sp.Rational(3, 2) * (sp.sqrt(sp.Rational(2, 3) * tau**2 + eps) - constant)
    return [_eq(sp.Integral(curve(t), (t, 0, tau)), closed)]


_RADICAND = sp.Rational(2, 3) * t**2 + eps
_SECOND = sp.Derivative(curve(), (t, 2))

FACTS = (
    _Claim("rho_limit_large", "S07", "The core's variance tends to 1 as q/eps grows.", lambda: [_eq(_limit(share(), x, sp.oo), 1)]),
    _Claim("rho_limit_small", "S07", "The core's variance tends to 0 with q/eps.", lambda: [_eq(_limit(share(), x, 0), 0)]),
    _Claim(
        "rho_increasing", "S07", "The core's variance increases strictly with q/eps.",
        lambda: [_eq(sp.Derivative(share(), x), (1 + x) ** -2), _positive(sp.Derivative(share(), x))],
    ),
    _Claim(
        "rho_half", "S07", "The core's variance is 1/2 exactly where q = eps.",
        lambda: [_only_at(sp.Eq(share(), sp.Rational(1, 2), evaluate=False), x, sp.Interval.open(0, sp.oo), sp.Integer(1))],
    ),
    _Claim(
        "core_eps0_no_limit", "S02", "Without eps the core has no limit at a constant input: two directions give two limits.",
        lambda: [
            _eq(_limit(bare_core((1, 0), 0), r, 0), 1),
            _eq(_limit(bare_core((0, 1), 0), r, 0), -1),
            _eq(_limit(bare_core((1, 0, 0), 0), r, 0), sp.sqrt(2)),
            _eq(_limit(bare_core((0, 1, 0), 0), r, 0), -1 / sp.sqrt(2)),
            sp.Ne(_limit(bare_core((1, 0, 0), 0), r, 0), -1 / sp.sqrt(2), evaluate=False),
        ],
    ),
    _Claim(
        "scaled_core_increasing", "S23", "The factor a/sqrt(a^2 q + eps) of the scaled core increases strictly with a.",
        lambda: [
            _eq(sp.Derivative(stretch(), a), eps / (a**2 * q + eps) ** sp.Rational(3, 2)),
            _positive(sp.Derivative(stretch(), a)),
            _eq(_limit(stretch(), a, sp.oo), 1 / sp.sqrt(q)),
        ],
    ),
    _Claim(
        "h_limit_plus", "S40", "h_eps tends to sqrt(3/2) as t grows.", lambda: [_eq(_limit(curve(), t, sp.oo), ASYMPTOTE)],
    ),
    _Claim(
        "h_limit_minus", "S40", "h_eps tends to -sqrt(3/2) as t falls.", lambda: [_eq(_limit(curve(), t, -sp.oo), -ASYMPTOTE)],
    ),
    _Claim("h_odd", "S40", "h_eps is odd.", lambda: [_eq(_at(-t), -curve())]),
    _Claim("h_increasing", "S40", "h_eps increases strictly.", lambda: [_positive(sp.Derivative(curve(), t))]),
    _Claim(
        "h_below_asymptote", "S40", "h_eps stays strictly between its asymptotes.",
        lambda: [
            _eq(sp.Rational(3, 2) - curve() ** 2, sp.Rational(3, 2) * eps / _RADICAND),
            _positive(sp.Rational(3, 2) - curve() ** 2),
        ],
    ),
    _Claim(
        "h_derivative", "S39", "The derivative of h_eps is eps (2t^2/3 + eps)^(-3/2).",
        lambda: [_eq(sp.Derivative(curve(), t), eps / _RADICAND ** sp.Rational(3, 2))],
    ),
    _Claim(
        "h_slope_at_zero", "S41", "The slope of h_eps at 0 is eps^(-1/2).",
        lambda: [_eq(sp.Subs(sp.Derivative(curve(), t), t, 0), 1 / sp.sqrt(eps))],
    ),
    _Claim(
        "h_second_derivative", "S41", "The second derivative of h_eps; its single inflection is at 0.",
        lambda: [
            _eq(_SECOND, -2 * eps * t / _RADICAND ** sp.Rational(5, 2)),
            _only_at(sp.Eq(_SECOND, 0, evaluate=False), t, sp.S.Reals, sp.Integer(0)),
            _negative(sp.Subs(_SECOND, t, tau)),
            _positive(sp.Subs(_SECOND, t, -tau)),
        ],
    ),
    _Claim("h_integral", "S41", "The integral of h_eps from 0 to tau.", lambda: _area(sp.sqrt(eps))),
    _Claim("h_inverse", "S41", "The inverse of h_eps.", lambda: [_eq(_inverse(curve(), sp.Rational(2, 3)), t)]),
    _Claim(
        "h_scale_collapse", "S41", "One curve for every eps: h_eps(t) = h_1(t/sqrt(eps)).",
        lambda: [_eq(curve(), curve(t / sp.sqrt(eps), sp.Integer(1)))],
    ),
    _Claim(
        "h_at_unit_ratio", "S41", "Where q = eps the curve is at sqrt(3)/2.",
        lambda: [
            _eq(_at(sp.sqrt(3 * eps / 2)), sp.sqrt(3) / 2),
            _eq(_at(-sp.sqrt(3 * eps / 2)), -sp.sqrt(3) / 2),
            _eq(sp.Subs(sp.Rational(2, 3) * t**2, t, sp.sqrt(3 * eps / 2)), eps),
        ],
    ),
    _Claim(
        "jacobian_norm_sup", "S37", "The norm of the Jacobian falls strictly with q, from eps^(-1/2) at q = 0: that is its supremum.",
        lambda: [
            _negative(sp.Derivative(norm_of_jacobian(), q)),
            _eq(_limit(norm_of_jacobian(), q, 0), 1 / sp.sqrt(eps)),
            _eq(sp.Subs(norm_of_jacobian(), q, 0), 1 / sp.sqrt(eps)),
            _positive(norm_of_jacobian() - eps * norm_of_jacobian() ** 3),
        ],
    ),
    _Claim(
        "jacobian_norm_sup_decreasing", "S37", "The supremum eps^(-1/2) falls strictly with eps.",
        lambda: [_negative(sp.Derivative(norm_of_jacobian(sp.Integer(0)), eps))],
    ),
    _Claim(
        "jacobian_norm_sup_unbounded", "S37", "The supremum eps^(-1/2) is unbounded as eps tends to 0.",
        lambda: [_eq(_limit(norm_of_jacobian(sp.Integer(0)), eps, 0), sp.oo)],
    ),
    _Claim(
        "jacobian_norm_at_fixed_variance", "S37", "At fixed q > 0 the norm stays below q^(-1/2).",
        lambda: [_eq(_limit(norm_of_jacobian(), eps, 0), 1 / sp.sqrt(q)), _negative(sp.Derivative(norm_of_jacobian(), eps))],
    ),
)  # fmt: skip

NEAR_MISSES = (
    _Claim(
        "rho_limit_half", "S07", "The variance would tend to 1/2.",
        lambda: [_eq(_limit(share(), x, sp.oo), sp.Rational(1, 2))],
    ),
    _Claim("rho_decreasing", "S07", "The variance would fall.", lambda: [_negative(sp.Derivative(share(), x))]),
    _Claim(
        "rho_half_at_two_eps", "S07", "The variance would be 1/2 at q = 2 eps.",
        lambda: [_only_at(sp.Eq(share(), sp.Rational(1, 2), evaluate=False), x, sp.Interval.open(0, sp.oo), sp.Integer(2))],
    ),
    _Claim(
        "core_eps0_one_limit", "S02", "Two directions would give one limit.",
        lambda: [_eq(_limit(bare_core((1, 0, 0), 0), r, 0), -1 / sp.sqrt(2))],
    ),
    _Claim("h_limit_one", "S40", "The curve would tend to 1.", lambda: [_eq(_limit(curve(), t, sp.oo), 1)]),
    _Claim("h_limit_coordinate_bound", "S40", "The curve would tend to sqrt(2).", lambda: [_eq(_limit(curve(), t, sp.oo), sp.sqrt(2))]),
    _Claim("h_even", "S40", "The curve would be even.", lambda: [_eq(_at(-t), curve())]),
    _Claim(
        "h_derivative_root_only", "S39", "The derivative would be 1/s.",
        lambda: [_eq(sp.Derivative(curve(), t), 1 / sp.sqrt(_RADICAND))],
    ),
    _Claim(
        "h_inflection_elsewhere", "S41", "The inflection would be where q = eps.",
        lambda: [_only_at(sp.Eq(_SECOND, 0, evaluate=False), t, sp.S.Reals, sp.sqrt(3 * eps / 2))],
    ),
    _Claim("h_integral_without_constant", "S41", "The integral would lack sqrt(eps).", lambda: _area(sp.Integer(0))),
    _Claim(
        "h_inverse_wrong_factor", "S41", "The inverse would have 3/2 for 2/3.",
        lambda: [_eq(_inverse(curve(), sp.Rational(3, 2)), t)],
    ),
    _Claim(
        "h_scale_collapse_by_eps", "S41", "The curves would collapse under t/eps.",
        lambda: [_eq(curve(), curve(t / eps, sp.Integer(1)))],
    ),
    _Claim(
        "jacobian_norm_sup_increasing", "S37", "The supremum would grow with eps.",
        lambda: [_positive(sp.Derivative(norm_of_jacobian(sp.Integer(0)), eps))],
    ),
    _Claim(
        "jacobian_norm_sup_bounded", "S37", "The supremum would stay at 1 as eps tends to 0.",
        lambda: [_eq(_limit(norm_of_jacobian(sp.Integer(0)), eps, 0), 1)],
    ),
)  # fmt: skip


def scalar_calculus() -> tuple[CalculusFact, ...]:
    """Every fact of scalar calculus on which the book leans, worked out by SymPy now.

    >>> {fact.name for fact in scalar_calculus() if not fact.holds}
    set()
    """
    return tuple(claim.fact() for claim in FACTS)


def near_misses() -> tuple[CalculusFact, ...]:
    """False variants of the facts, worked out by SymPy now: none holds."""
    return tuple(claim.fact() for claim in NEAR_MISSES)


def fact_names() -> tuple[str, ...]:
    """The names of the facts; nothing is computed."""
    return tuple(claim.name for claim in FACTS)


def calculus_fact(name: str) -> CalculusFact:
    """One fact by its name, worked out by SymPy now.

    >>> fact = calculus_fact("h_limit_plus")
    >>> fact.catalogue, fact.holds
    ('S40', True)
    """
    for claim in FACTS:
        if claim.name == name:
            return claim.fact()
    raise StatementError(f"no fact of scalar calculus is named {name!r}; there are {', '.join(fact_names())}")

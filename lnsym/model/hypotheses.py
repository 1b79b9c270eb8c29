"""Hypotheses at one fixed d: equalities solved for some of their variables. Imports SymPy and the kernel's terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import sympy as sp

from lnsym.errors import LnsymError
from lnsym.kernel.terms import Components, Hypothesis, Num, Relation, Sym, free_indices
from lnsym.model.writer import Writer

Replaced: TypeAlias = "dict[sp.Symbol, sp.Expr]"
LIMIT = 400  # terms of an equation that may be solved
FACTORED = 4  # variables of an equation that may be factored: SymPy's algorithm draws lots where there are many


class Fails(LnsymError):
    """A hypothesis cannot hold at this d; the claim says nothing there."""


class Beyond(LnsymError):
    """An equality that is not solved here."""


@dataclass(frozen=True)
class Condition:
    """expression kind 0, where kind is one of < <= != and reads 0 < expression, 0 <= expression, expression != 0."""

    kind: str
    expression: sp.Expr

    def holds(self, value: sp.Expr) -> bool:
        """Whether the condition holds where the expression has this value."""
        return bool({"<": value > 0, "<=": value >= 0, "!=": sp.Ne(value, 0)}[self.kind])


@dataclass(frozen=True)
class Case:
    """One way to meet the equalities: what each solved variable is, in terms of the rest."""

    replaced: Replaced = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()

    def with_solution(self, variable: sp.Symbol, value: sp.Expr) -> Case:
        """The case in which, further, the variable has this value."""
        earlier = {x: sp.together(e.xreplace({variable: value})) if e.has(variable) else e for x, e in self.replaced.items()}
        return Case({**earlier, variable: value}, self.conditions)

    def put(self, expression: sp.Expr) -> sp.Expr:
        """The expression with the solved variables replaced."""
        return expression.xreplace(self.replaced)


def assumed(given: Iterable[Hypothesis]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the symbols that the hypotheses make positive, and of those that they make zero."""
    positive, zero = set(), set()
    for hypothesis in given:
        match hypothesis:
            case Relation("<", Num(bound), Sym(name)) if bound >= 0:
                positive.add(name)
            case Relation("=", Sym(name), Num(value)) if value == 0:
                zero.add(name)
    return frozenset(positive - zero), frozenset(zero)


def curves(given: Iterable[Hypothesis], writer: Writer) -> Replaced:
    """The entries that a hypothesis fixes."""
    table: Replaced = {}
    for hypothesis in given:
        if isinstance(hypothesis, Components):
            if writer.size(hypothesis.range) != len(hypothesis.entries):
                raise Fails(f"{hypothesis.vector} has {len(hypothesis.entries)} entries")
            for place, entry in enumerate(hypothesis.entries, start=1):
                table[writer.names.entry(hypothesis.vector, (place,))] = writer.write(entry, {})
    return table


def cases(given: Iterable[Hypothesis], writer: Writer, fixed: Mapping[sp.Symbol, sp.Expr]) -> list[Case]:
    """Every way to meet the hypotheses at this d. Raises Fails where there is none, Beyond where an equality is not solved."""
    found = [Case(dict(fixed))]
    conditions: list[Condition] = []
    for hypothesis in given:
        if isinstance(hypothesis, Components):
            continue
        for left, right in instances(hypothesis, writer):
            if hypothesis.kind == "=":
                found = [further for case in found for further in _solved(left - right, case)]
                if not found:
                    raise Fails("the hypotheses exclude one another")
            else:
                conditions.append(Condition(hypothesis.kind, left - right if hypothesis.kind == "!=" else right - left))
    kept = [case for case in (_conditioned(case, conditions) for case in found) if case is not None]
    if not kept:
        raise Fails("none of the solutions that were found for the equations meets the other hypotheses")
    return kept


def instances(relation: Relation, writer: Writer) -> list[tuple[sp.Expr, sp.Expr]]:
    """Both sides of a relation at every place of its free indices."""
    left, right = relation.opened()
    free = tuple({**free_indices(left), **free_indices(right)})
    return [(writer.write(left, at), writer.write(right, at)) for at in writer.values(free)]


def _conditioned(case: Case, conditions: Iterable[Condition]) -> Case | None:
    """The case with the conditions that are still open; None where one of them fails."""
    kept = []
    for condition in conditions:
        value = case.put(condition.expression)
        if not value.is_number and not value.has(sp.Function):
            value = sp.cancel(value) if value.is_rational_function() else value
        if not value.is_number:
            kept.append(Condition(condition.kind, value))
        elif not condition.holds(value):
            return None
    return Case(case.replaced, tuple(kept))


def _solved(equation: sp.Expr, case: Case) -> list[Case]:
    """The case refined by equation = 0: one case for each irreducible factor that can be zero."""
    equation = case.put(equation)
    bare = _bare(equation)
    if bare is not None:
        return [case.with_solution(*bare)]
    numerator = sp.numer(sp.together(equation))
    symbols = sorted(numerator.free_symbols, key=_preference)
    if not numerator.is_polynomial(*symbols):
        raise Beyond("an equality with roots among the hypotheses is not solved here")
    if not symbols:
        return [case] if numerator.equals(0) else []
    polynomial = sp.Poly(numerator, *symbols)
    if polynomial.is_zero:
        return [case]
    if len(polynomial.terms()) > LIMIT:
        raise Beyond("a hypothesis is too large to be solved")
    exponents, polynomial = polynomial.terms_gcd()
    zeros = [case.with_solution(x, sp.Integer(0)) for x, n in zip(polynomial.gens, exponents, strict=True) if n and not x.is_positive]
    return zeros + _root_of(polynomial, case)


def _bare(equation: sp.Expr) -> tuple[sp.Symbol, sp.Expr] | None:
    """symbol - expression = 0, whatever the expression is made of."""
    for term in sp.Add.make_args(equation):
        sign, symbol = term.as_coeff_Mul()
        rest = equation - term
        if symbol.is_Symbol and sign.is_Rational and not rest.has(symbol) and not symbol.is_positive and not rest.is_rational_function():
            return symbol, -rest / sign
    return None


def _preference(symbol: sp.Symbol) -> tuple[bool, bool, tuple[int, ...], str]:
    """Auxiliary vectors before the input, later entries before earlier ones, positive symbols last."""
    name, _, place = symbol.name.rpartition("_")
    return bool(symbol.is_positive), name.rstrip("'") in ("z", ""), (-int(place),) if place.isdigit() else (0,), symbol.name


def _root_of(polynomial: sp.Poly, case: Case) -> list[Case]:
    """The cases in which a polynomial without monomial factors is zero."""
    coefficients = polynomial.coeffs()
    if all(x.is_positive for x in polynomial.free_symbols_in_domain | polynomial.free_symbols) and len({c > 0 for c in coefficients}) == 1:
        return []  # a sum of positive terms is never zero
    slopes = [(x, polynomial.diff(x)) for x in polynomial.gens if polynomial.degree(x) == 1]
    # Division by a number loses nothing; division by an expression loses the points at which it vanishes, a thin set.
    for variable, slope in sorted(slopes, key=lambda pair: not pair[1].is_ground):
        rest = polynomial - slope * sp.Poly(variable, *polynomial.gens)
        shared = slope.gcd(rest)
        value = -rest.quo(shared).as_expr() / slope.quo(shared).as_expr()
        return [case.with_solution(variable, value), *([] if shared.is_ground else _root_of(shared, case))]
    forms = _square_forms(polynomial)
    if forms is None:
        return _by_factors(polynomial, case)
    result = [case]
    for form in forms:
        result = [further for one in result for further in _solved(form, one)]
    return result


def _by_factors(polynomial: sp.Poly, case: Case) -> list[Case]:
    factors = _factors_of_one_variable(polynomial)
    if not factors and len(polynomial.free_symbols) <= FACTORED:
        factors = [factor for factor, _ in polynomial.factor_list()[1]]
    if not factors or factors[0].total_degree() == polynomial.total_degree():
        raise Beyond("an equality among the hypotheses is linear in no variable and no sum of squares: it is not solved here")
    return [further for factor in factors for further in _root_of(factor, case)]


def _factors_of_one_variable(polynomial: sp.Poly) -> list[sp.Poly]:
    """The factors in one variable x, such as x^2 - 1, and what is left; nothing where there are none."""
    for x in polynomial.gens:
        others = [y for y in polynomial.gens if y != x]
        if others and polynomial.degree(x) > 1:
            content = sp.Poly(polynomial.as_expr(), *others, domain=sp.QQ[x]).content()
            if content.has(x):
                shared = sp.Poly(content, *polynomial.gens)
                own = [sp.Poly(factor.as_expr(), *polynomial.gens) for factor, _ in sp.Poly(content, x).factor_list()[1]]
                return [*own, polynomial.quo(shared)]
    return []


def _square_forms(factor: sp.Poly) -> list[sp.Expr] | None:
    """Linear forms that vanish together exactly where a semidefinite quadratic form does."""
    if not factor.is_homogeneous or factor.total_degree() != 2:
        return None
    matrix = sp.hessian(factor.as_expr(), factor.gens)
    if not (matrix.is_positive_semidefinite or matrix.is_negative_semidefinite):
        return None
    return list(matrix.rref()[0] * sp.Matrix(factor.gens))

"""SymPy to terms; refuses by name what the algebra does not hold. Imports SymPy and the kernel's terms."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from sympy.core.function import AppliedUndef

from lnsym.errors import StatementError, TermError
from lnsym.kernel.terms import (
    COORDINATES,
    STEPS,
    Add,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Range,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
)
from lnsym.model.names import EXPECTED, RANGES, plain, read_entry

NODE_LIMIT = 50_000


def from_sympy(expression: sp.Basic | int | Fraction) -> Term | Relation:
    """Read a SymPy expression or relation as a term or relation of ours.

    Formula:
        Sum(z[i], (i, 1, d))/d becomes the sum of the entries of z over d.
    Shapes:
        Scalars and relations of scalars; free indices mean every coordinate. A Matrix is refused: give one entry.
    Units:
        Those of the expression.

    Args:
        expression: Built from integers, rationals, symbols, z[i], z_1, KroneckerDelta, +, *, integer and half-integer
            powers, Abs, Sum from 1 to d (n, N, T), Derivative, and Eq, Ne, Le, Lt, Ge, Gt.

    Returns:
        A Term, or a Relation. epsilon is read as eps.

    Raises:
        StatementError: A float, an unknown head, a sum over another range, an exponent that is no half-integer.
    Source:
        SymPy's expression trees.

    >>> from sympy import Eq, IndexedBase, Sum, symbols
    >>> i, d = symbols("i d", integer=True, positive=True)
    >>> relation = from_sympy(Eq(Sum(IndexedBase("z")[i], (i, 1, d)), 0))
    >>> relation.kind, type(relation.left).__name__
    ('=', 'Sum')
    """
    if isinstance(expression, float):
        raise StatementError(f"{expression!r} is a float, which is not exact: write Rational(1, 3) instead of 0.333")
    if isinstance(expression, (int, Fraction)) and not isinstance(expression, bool):
        return Num(Fraction(expression))
    if not isinstance(expression, (sp.Basic, sp.MatrixBase)):
        raise StatementError(f"expected a SymPy expression or relation, got {type(expression).__name__}")
    try:
        for count, _ in enumerate(sp.preorder_traversal(expression)):
            if count > NODE_LIMIT:
                raise StatementError(f"the expression has more than {NODE_LIMIT} parts: state it with names such as q and v")
        if isinstance(expression, sp.core.relational.Relational):
            return _relation(expression)
        return _term(expression, {})
    except RecursionError:
        raise StatementError("the expression is nested too deeply: state it with names such as q and v") from None
    except TermError as error:
        raise StatementError(str(error)) from None


def _relation(relation: sp.core.relational.Relational) -> Relation:
    left, right = _term(relation.lhs, {}), _term(relation.rhs, {})
    match relation:
        case sp.Eq():
            return Relation("=", left, right)
        case sp.Ne():
            return Relation("!=", left, right)
        case sp.Le():
            return Relation("<=", left, right)
        case sp.Lt():
            return Relation("<", left, right)
        case sp.Ge():
            return Relation("<=", right, left)
        case sp.Gt():
            return Relation("<", right, left)
    raise StatementError(f"expected Eq, Ne, Le, Lt, Ge or Gt, got {type(relation).__name__}")


Bound = dict[sp.Basic, Index]


def _term(node: sp.Basic, bound: Bound) -> Term:
    match node:
        case sp.Float():
            raise StatementError(f"{node} is a float, which is not exact: write Rational(1, 3) instead of 0.333")
        case sp.Rational():
            return Num(Fraction(int(node.p), int(node.q)))
        case sp.Idx():
            raise StatementError(f"the index {node} stands where a number is expected: write it only inside brackets, as in z[{node}]")
        case sp.Symbol():
            if node in bound:
                raise StatementError(f"the index {node} stands where a number is expected: write it only inside brackets, as in z[{node}]")
            return _symbol(node)
        case sp.Indexed():
            return Entry(plain(str(node.base)), tuple(_index(place, bound) for place in node.indices))
        case sp.KroneckerDelta():
            return Delta(_index(node.args[0], bound), _index(node.args[1], bound))
        case sp.Add():
            return Add(tuple(_term(arg, bound) for arg in node.args))
        case sp.Mul():
            return Mul(tuple(_term(arg, bound) for arg in node.args))
        case sp.Pow():
            return _power(node, bound)
        case sp.Abs():
            return Root(Pow(_term(node.args[0], bound), 2))
        case sp.Sum():
            return _sum(node, bound)
        case sp.Derivative():
            return _derivative(node, bound)
        case sp.MatrixBase() | sp.MatrixExpr():
            raise StatementError(f"{type(node).__name__} is a matrix: state one entry with free indices, such as z[i], at symbolic d")
        case sp.logic.boolalg.BooleanAtom():
            raise StatementError(f"SymPy has already evaluated this relation to {node}: build it with evaluate=False")
        case AppliedUndef() if node.func == EXPECTED and len(node.args) > 1:
            return Expectation(_term(node.args[0], bound), tuple(str(name) for name in node.args[1:]))
    raise StatementError(
        f"{type(node).__name__} is outside the algebra of lnsym: use +, *, integer and half-integer powers, Sum from 1 to d, "
        "KroneckerDelta and Derivative"
    )


def _symbol(node: sp.Symbol) -> Term:
    entry = read_entry(node.name)
    return Sym(plain(node.name)) if entry is None else Entry(*entry)


def _index(place: sp.Basic, bound: Bound) -> Index:
    if place in bound:
        return bound[place]
    if isinstance(place, sp.Integer) and place > 0:
        return Index(str(place))
    if isinstance(place, sp.Idx):
        return Index(str(place.label), COORDINATES if place.upper is None else _range(place, place.lower, place.upper))
    if isinstance(place, sp.Symbol):
        return Index(place.name)
    name, shift = _symbol_plus_integer(place)
    if name is not None and shift > 0:
        return Index(f"{name}+{shift}", STEPS)
    raise StatementError(f"the index {place} is neither a name, nor a positive integer, nor t plus one")


def _range(index: sp.Basic, lower: sp.Basic, upper: sp.Basic) -> Range:
    if lower != 1 or str(upper) not in RANGES:
        raise StatementError(f"{index} runs from {lower} to {upper}: sums run from 1 to d (or n, N, T)")
    return RANGES[str(upper)]


def _power(node: sp.Pow, bound: Bound) -> Term:
    base, exponent = node.args
    if isinstance(exponent, sp.Integer):
        return Pow(_term(base, bound), int(exponent))
    if isinstance(exponent, sp.Rational) and exponent.q == 2:
        root = Root(_term(base, bound))
        return root if exponent.p == 1 else Pow(root, int(exponent.p))
    name, shift = _symbol_plus_integer(exponent)
    if isinstance(base, sp.Symbol) and name is not None:
        return Power(Sym(plain(base.name)), Sym(name), shift)
    raise StatementError(f"the exponent {exponent} of {node} is refused: integers, halves, and t plus an integer over a symbol are read")


def _symbol_plus_integer(expression: sp.Basic) -> tuple[str | None, int]:
    number, rest = expression.as_coeff_Add()
    if isinstance(number, sp.Integer) and isinstance(rest, sp.Symbol) and not isinstance(rest, sp.Idx):
        return plain(rest.name), int(number)
    return None, 0


def _sum(node: sp.Sum, bound: Bound) -> Term:
    body, scope, layers = node.function, dict(bound), []
    for limit in reversed(node.limits):  # the last limit is the outermost sum
        symbol, lower, upper = limit
        name = str(symbol.label) if isinstance(symbol, sp.Idx) else symbol.name
        if str(upper) not in RANGES and len(node.limits) == 1:
            return _geometric(node, Index(name, STEPS), bound)
        index = Index(name, _range(symbol, lower, upper))
        scope[symbol] = index
        layers.append(index)
    term = _term(body, scope)
    for index in reversed(layers):
        term = Sum(index, term)
    return term


def _geometric(node: sp.Sum, index: Index, bound: Bound) -> Term:
    symbol, lower, upper = node.limits[0]
    name, shift = _symbol_plus_integer(upper)
    factors = sp.Mul.make_args(node.function)
    for place, factor in enumerate(factors):
        if name is None or lower != 1 or not isinstance(factor, sp.Pow) or not isinstance(factor.base, sp.Symbol):
            continue
        if sp.expand(factor.exp - upper + symbol) == 0:
            body = _term(sp.Mul(*factors[:place], *factors[place + 1 :]), {**bound, symbol: index})
            return Geometric(Sym(plain(factor.base.name)), Sym(name), shift, index, body)
    raise StatementError(f"{symbol} runs from {lower} to {upper}: sums run from 1 to d (or n, N, T), or are b**(t - i)*x[i] from 1 to t")


def _derivative(node: sp.Derivative, bound: Bound) -> Term:
    term = _term(node.expr, bound)
    for variable, count in node.variable_count:
        by = _term(variable, bound)
        if not isinstance(by, (Sym, Entry)) or not isinstance(count, sp.Integer):
            raise StatementError(f"{node} differentiates by {variable}: differentiate by a symbol or by an entry such as z[j]")
        for _ in range(int(count)):
            term = Derivative(term, by)
    return term

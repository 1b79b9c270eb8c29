"""Terms to SymPy and back: the same value after a round trip, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from lnsym.derivations.definitions import THEORY, J, P, a, beta, c, d, eps, gamma, h, mu, q, rho, s, t, u, v, y, z

from lnsym.errors import StatementError, TermError
from lnsym.evaluate import Point, exact_value
from lnsym.kernel.terms import Array, Entry, Index, Power, Relation, Root, Sym, Term, free_indices
from lnsym.lang import (
    COORDINATES,
    INPUTS,
    STEPS,
    D,
    Eq,
    Le,
    Lt,
    Ne,
    core,
    dot,
    expectation,
    geometric,
    i,
    j,
    jacobian,
    matrix,
    mean,
    norm,
    sqrt,
    total,
    trace,
    var,
    vector,
)
from lnsym.model import from_sympy, to_sympy

POINT = Point(
    sizes={"d": 3, "n": 2},
    vectors={
        "z": (Fraction(1), Fraction(2), Fraction(3)),
        "gamma": (Fraction(1), Fraction(-2), Fraction(1, 2)),
        "beta": (Fraction(0), Fraction(1), Fraction(-3)),
        "h": (Fraction(2), Fraction(0), Fraction(5)),
        "W": ((Fraction(1), Fraction(2)), (Fraction(0), Fraction(1)), (Fraction(3), Fraction(-1))),
        "x": (Fraction(1), Fraction(4)),
    },
    scalars={"eps": Fraction(1, 3), "a": Fraction(2), "c": Fraction(-1)},
)
W, x = matrix("W", COORDINATES, INPUTS), vector("x", INPUTS)
TERMS: dict[str, Term] = {
    "mean": mean(z), "variance": var(z), "core": u[i], "output": y[i], "J": J[i, j], "P": P[i, j], "norm": norm(v), "dot": dot(v, h),
    "root": s, "share": rho, "scaled core": core(a * z)[i], "shifted core": core(z + c)[i], "trace": trace(J), "apply": (J @ h)[i],
    "derivative": D(u[i], z[j]), "derivative of q": D(q, z[i]), "derivative by eps": D(s, eps), "second": D(D(s, z[i]), z[j]),
    "mean of the core": mean(u), "raw input": (W @ x)[i], "core of a raw input": core(W @ x)[i], "first entry": z[Index("1")] ** 3 / s,
    "difference": q - mean(z**2) + mu**2, "sum": total(gamma * beta) * d,
}  # fmt: skip


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("name", TERMS)
def test_round_trip_at_symbolic_d(name: str, raw: bool) -> None:
    term = TERMS[name]
    back = from_sympy(to_sympy(term, raw=raw))
    assert isinstance(back, Term)
    free = tuple(free_indices(term))
    for places in ((1, 2), (3, 3), (2, 1)):
        at = dict(zip(free, places, strict=False))
        assert exact_value(THEORY, POINT, back, at) == exact_value(THEORY, POINT, term, at)


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("name", [name for name, term in TERMS.items() if not free_indices(term)])
def test_round_trip_at_fixed_d(name: str, raw: bool) -> None:
    back = from_sympy(to_sympy(TERMS[name], 3, raw=raw))
    assert isinstance(back, Term)
    assert exact_value(THEORY, POINT, back) == exact_value(THEORY, POINT, TERMS[name])


ATOMS = [z[Index("1")], z[Index("3")], h[Index("2")], Sym("a"), Sym("c"), Sym("eps"), q, mean(z), var(h), dot(z, h)]
EXPRESSIONS = st.recursive(
    st.sampled_from(ATOMS) | st.integers(-3, 3).map(lambda n: 0 * Sym("a") + n),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        inner.map(lambda term: term**2),
        inner.map(lambda term: 1 / (1 + term**2)),
        inner.map(lambda term: sqrt(1 + term**2)),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS)
def test_round_trip_of_any_expression(term: Term) -> None:
    assert float_of(from_sympy(to_sympy(term))) == pytest.approx(float_of(term))


def float_of(term: Term | Relation) -> float:
    """The value at the point by floats, which sums of several roots allow too."""
    assert isinstance(term, Term)
    expression = to_sympy(term, 3, raw=True)
    values = {"z_1": 1, "z_2": 2, "z_3": 3, "h_1": 2, "h_2": 0, "h_3": 5, "epsilon": sp.Rational(1, 3), "a": 2, "c": -1}
    return float(expression.subs({symbol: values[symbol.name] for symbol in expression.free_symbols}))


@pytest.mark.parametrize(
    ("relation", "kind"), [(Eq(q, eps), "="), (Ne(a, 1), "!="), (Le(rho, 1), "<="), (Lt(0, a), "<"), (Eq(J @ v, eps * v / s**3), "=")]
)
def test_relations_keep_their_kind(relation: Relation, kind: str) -> None:
    back = from_sympy(to_sympy(relation))
    assert isinstance(back, Relation)
    assert back.kind == kind


def test_greater_than_is_turned_round() -> None:
    one, two = sp.symbols("a c", real=True)
    assert from_sympy(sp.Ge(one, two)) == Le(c, a)
    assert from_sympy(sp.Gt(one, two)) == Lt(c, a)


def test_a_relation_of_arrays_at_fixed_d_is_one_relation_for_each_entry() -> None:
    assert len(to_sympy(Eq(v, z - mu), 3)) == 3
    assert len(to_sympy(Eq(jacobian(u, z), J), 2)) == 4
    assert to_sympy(Eq(q, eps), 3) == sp.Eq(sp.Symbol("q", nonnegative=True), sp.Symbol("epsilon", positive=True))


def test_names() -> None:
    assert from_sympy(sp.Symbol("epsilon")) == from_sympy(sp.Symbol("eps")) == Sym("eps")
    assert from_sympy(sp.Symbol("z_3")) == Entry("z", (Index("3"),))
    assert from_sympy(sp.Symbol("z'_1")) == Entry("z'", (Index("1"),))
    assert from_sympy(sp.Symbol("W_1_2")) == Entry("W", (Index("1"), Index("2")))
    assert from_sympy(sp.IndexedBase("gamma")[sp.Symbol("i")]) == gamma[i]


def test_half_integer_powers_are_roots() -> None:
    base = sp.Symbol("a", positive=True)
    assert from_sympy(base ** sp.Rational(1, 2)) == Root(Sym("a"))
    assert from_sympy(base ** sp.Rational(-3, 2)) == Root(Sym("a")) ** -3


def test_symbolic_powers_and_geometric_sums() -> None:
    b, steps = Sym("b"), vector("g", STEPS)
    assert from_sympy(to_sympy(Power(b, t, 1))) == Power(b, t, 1)
    weighted = geometric(b, t, steps)
    assert from_sympy(to_sympy(weighted)) == weighted
    base, first, second = sp.symbols("b g_1 g_2", real=True)
    assert to_sympy(weighted, 1, sizes={"t": 2, "T": 4}) == base * first + second


def test_expectations_return() -> None:
    steps = vector("g", STEPS)
    term = expectation(steps[Index("1", STEPS)], steps)
    assert type(from_sympy(to_sympy(term))).__name__ == "Expectation"


def test_under_a_derivative_every_name_is_unfolded() -> None:
    # Derivative(q, z_1) with q a plain symbol would be zero to SymPy: silently wrong.
    expression = to_sympy(D(q, z[Index("1")]), 2)
    z1, z2 = (sp.Symbol(f"z_{n}", real=True) for n in (1, 2))
    assert sp.expand(expression.doit() - (z1 - z2) / 2) == 0


def test_no_bound_index_is_captured() -> None:
    # SymPy issue 21891: Sum(z[k], (k, 1, d)).diff(z[k]) is d, not 1.
    for index in (i, j, Index("k"), Index("l")):
        expression = to_sympy(D(q, z[index]))
        bound = {str(limit[0]) for one in expression.expr.atoms(sp.Sum) for limit in one.limits}
        assert index.name not in bound


X, n, k, dd = sp.IndexedBase("z"), sp.Symbol("n"), sp.Symbol("k"), sp.Symbol("d")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (sp.Float("0.5") * sp.Symbol("a"), r"0\.5\d* is a float, which is not exact: write Rational"),
        (0.25, r"0\.25 is a float"),
        (sp.sin(sp.Symbol("a")), "sin is outside the algebra of lnsym"),
        (sp.exp(sp.Symbol("a")), "exp is outside the algebra"),
        (sp.pi, "Pi is outside the algebra"),
        (sp.I * sp.Symbol("a"), "ImaginaryUnit is outside the algebra"),
        (sp.oo, "Infinity is outside the algebra"),
        (sp.Function("f")(sp.Symbol("a")), "f is outside the algebra"),
        (sp.Sum(X[k], (k, 0, dd)), "k runs from 0 to d: sums run from 1 to d"),
        (sp.Sum(X[k], (k, 1, dd - 1)), "k runs from 1 to d - 1: sums run"),
        (sp.Sum(X[k], (k, 1, 5)), "k runs from 1 to 5"),
        (sp.Sum(k, (k, 1, dd)), "the index k stands where a number is expected"),
        (X[2 * k], r"the index 2\*k is neither a name"),
        (sp.Symbol("a") ** sp.Rational(1, 3), "the exponent 1/3 of"),
        (sp.Symbol("a") ** sp.Symbol("b") ** 2, "the exponent"),
        (sp.Matrix([1, 2]), "Matrix is a matrix: state one entry"),
        (sp.MatrixSymbol("A", 2, 2), "MatrixSymbol is a matrix"),
        (sp.true, "already evaluated this relation to True: build it with evaluate=False"),
        (sp.Derivative(sp.Symbol("a") ** 2, (sp.Symbol("a"), sp.Symbol("m"))), "differentiate by a symbol"),
        ("z_1", "expected a SymPy expression or relation, got str"),
        (True, "expected a SymPy expression or relation, got bool"),
        (sp.Product(X[k], (k, 1, dd)), "Product is outside the algebra"),
    ],
)
def test_refusals(expression: object, message: str) -> None:
    with pytest.raises(StatementError, match=message):
        from_sympy(expression)


def test_an_expression_too_deep_or_too_large_is_refused() -> None:
    a_symbol = sp.Symbol("a")
    deep = a_symbol
    for _ in range(400):
        deep = sp.Pow(sp.Add(deep, 1, evaluate=False), 2, evaluate=False)
    with pytest.raises(StatementError, match="nested too deeply"):
        from_sympy(deep)
    with pytest.raises(StatementError, match="more than 50000 parts"):
        from_sympy(sp.Add(*(sp.Symbol(f"a{n}") * sp.Symbol(f"b{n}") for n in range(20_000))))


@pytest.mark.parametrize(
    ("node", "size", "message"),
    [
        (z[i], 2, "free index i at fixed d"),
        (z[Index("3")], 2, r"place 3 lies outside 1\.\.2"),
        (W, 2, "the number of inputs is open"),
        (D(u[i], v[j]), None, "v is a name for something that depends on the input"),
        (z, 0, "expected a whole number d >= 1"),
        ("z", None, "expected a term, an array or a relation"),
        (1 / (mu - mean(z)), 2, "a denominator is zero here"),
    ],
)
def test_terms_that_cannot_be_written(node: Term | Array, size: int | None, message: str) -> None:
    with pytest.raises(TermError, match=message):
        to_sympy(node, size, raw=size == 2 and not free_indices(node) if isinstance(node, Term) else False)

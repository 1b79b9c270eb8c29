"""The refuter: exact values, words against their expansions, derivatives, hypotheses, and small counterexamples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product
from time import process_time
from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as some
from lnsym.derivations.definitions import THEORY as DECLARED
from lnsym.derivations.definitions import J, a, beta, c, d, eps, g, gamma, h, mu, q, q_, r, rho, s, t, u, v, v_, w, y, z

from lnsym.errors import TermError
from lnsym.kernel.terms import (
    COORDINATES,
    INPUTS,
    LENGTHS,
    ROWS,
    STEPS,
    Array,
    Components,
    Entry,
    Hypothesis,
    Index,
    Power,
    Relation,
    Sym,
    Term,
    Word,
    hole,
    lift,
)
from lnsym.lang import (
    D,
    Eq,
    Le,
    Lt,
    Ne,
    P,
    at_least,
    core,
    cov,
    delta,
    diag,
    dot,
    expectation,
    fraction,
    geometric,
    gradient,
    i,
    identity,
    j,
    jacobian,
    k,
    matrix,
    mean,
    norm,
    one,
    outer,
    positive,
    rms,
    sqrt,
    sum_over,
    symbols,
    total,
    trace,
    var,
    vector,
)
from lnsym.refute import (
    Counterexample,
    Point,
    enclose,
    evaluate,
    exact_value,
    find_counterexample,
    find_point,
    holds,
    sample_points,
    satisfies,
)
from lnsym.surd import Exact, Interval, Irrational, Surd, Undefined, exact_root, inverse_exact, root_bounds, sign

Q = Fraction
THEORY = replace(DECLARED, positive=DECLARED.positive | {"eps"})


def point(entries: tuple[int, ...], epsilon: int | str, **vectors: tuple[int, ...]) -> Point:
    named = {"z": entries, **vectors}
    exact = {name: tuple(map(Q, numbers)) for name, numbers in named.items()}
    return Point({"d": len(entries)}, exact, {"eps": Q(epsilon)})


def values(array: Array, where: Point) -> list[Fraction]:
    """All entries, row by row."""
    at = (i, j)[: len(array.indices)]
    everywhere = product(range(1, where.sizes["d"] + 1), repeat=len(at))
    return [evaluate(THEORY, where, array[at], dict(zip(at, places, strict=True))) for places in everywhere]


def refute(relation: Relation, *hypotheses: Hypothesis, **options: Any) -> Counterexample:
    found = find_counterexample(THEORY, relation, hypotheses, **options)
    assert found is not None, "no counterexample found"
    assert satisfies(THEORY, found.point, hypotheses)
    assert holds(THEORY, found.point, relation, hypotheses) is False
    return found


# ---------------------------------------------------------------- the exact test bench of the catalogue

BENCH: dict[str, tuple[Any, ...]] = {
    # z, eps: mu, q, s, rho, eps r^3, tr J, ||J||^2, 1 + mu^2/q, u
    "X01": ((1, 2, 3), "1/3", "2", "2/3", "1", "2/3", "1/3", "4/3", "10/9", "7", ("-1", "0", "1")),
    "X02": ((1, 3), "3", "2", "1", "2", "1/4", "3/8", "3/8", "9/64", "5", ("-1/2", "1/2")),
    "X03": ((0, 1, 2, 3, 4), "1/4", "2", "2", "3/2", "8/9", "2/27", "56/27", "976/729", "3", ("-4/3", "-2/3", "0", "2/3", "4/3")),
    "X04": ((1, 1, -1, -1), "5/4", "0", "1", "3/2", "4/9", "10/27", "46/27", "748/729", "1", ("2/3", "2/3", "-2/3", "-2/3")),
    "X05": ((0, 11, -11), "1/3", "0", "242/3", "9", "242/243", "1/2187", "244/2187", "59050/4782969", "1", ("0", "11/9", "-11/9")),
    "X06": ((1, 2, 4), "11/9", "7/3", "14/9", "5/3", "14/25", "33/125", "108/125", "6714/15625", "9/2", ("-4/5", "-1/5", "1")),
}


@pytest.mark.parametrize("name", BENCH)
def test_bench(name: str) -> None:
    entries, epsilon, *numbers, core_entries = BENCH[name]
    where = point(entries, epsilon)
    by_definition = jacobian(u, z)
    squares = sum_over(i, sum_over(j, by_definition[i, j] ** 2))
    terms = (mu, q, s, rho, eps * r**3, trace(by_definition), squares, 1 + mu**2 / q)
    assert [evaluate(THEORY, where, term) for term in terms] == [Q(str(x)) for x in numbers]
    assert values(u, where) == values(core(z), where) == [Q(x) for x in core_entries]
    assert values(J, where) == values(by_definition, where)


def test_first_bench_point_in_full() -> None:
    where = point((1, 2, 3), "1/3", g=(1, 2, 3))
    assert values(J, where) == [Q(x, 3) for x in (1, -1, 0, -1, 2, -1, 0, -1, 1)]
    assert values(J.T @ g, where) == [Q(-1, 3), 0, Q(1, 3)]
    first = z[Index("1")]
    assert [evaluate(THEORY, where, D(D(u[i], first), first), {i: n}) for n in (1, 2, 3)] == [Q(1, 3), Q(-2, 9), Q(-1, 9)]
    inverse = s * (P + outer(v, v) / (d * eps))
    assert values(inverse, where) == [Q(x, 3) for x in (5, -1, -4, -1, 2, -1, -4, -1, 5)]
    assert values(J @ inverse, where) == values(P, where)


def test_derivative_that_is_positive_off_the_diagonal() -> None:
    assert evaluate(THEORY, point((0, 11, -11), "1/3"), D(u[Index("2")], z[Index("3")])) == Q(40, 2187)


def test_pair_of_points() -> None:
    where = Point({"d": 3}, {"z": (Q(1), Q(2), Q(3)), "z'": (Q(0), Q(11), Q(-11))}, {"eps": Q(1, 3)})
    u_other = core(vector("z'"))
    assert evaluate(THEORY, where, norm(u - u_other) ** 2) == Q(602, 81)
    assert evaluate(THEORY, where, dot(u - u_other, v - v_)) == Q(370, 9)
    assert evaluate(THEORY, where, q_) == Q(242, 3)


def test_core_of_core() -> None:
    assert values(core(core(z, 3), fraction(3, 4)), point((1, 3), 1)) == [Q(-1, 2), Q(1, 2)]


# ---------------------------------------------------------------- what has no value


def test_undefined() -> None:
    where = point((2, 2), 1)
    for term in (1 / q, sqrt(q - 1), D(sqrt(q), z[Index("1")]), 0 * (1 / q), z[Index("3")], Power(Sym("b"), Sym("m"))):
        with pytest.raises(Undefined):
            evaluate(THEORY, Point(where.sizes, where.vectors, {**where.scalars, "b": Q(2), "m": Q(1, 2)}), term)
    with pytest.raises(Undefined, match="derivative of a root at 0"):
        evaluate(THEORY, where, D(sqrt(q), z[Index("1")]))
    assert evaluate(THEORY, where, D(sqrt(q + 1), z[Index("1")])) == 0


def test_zeroth_power_of_zero_is_one() -> None:
    where = Point({}, {}, {"b": Q(0), "m": Q(0)})
    assert evaluate(THEORY, where, Power(Sym("b"), Sym("m"))) == 1
    assert evaluate(THEORY, where, Sym("b") ** 0) == 1
    assert evaluate(THEORY, where, Power(Sym("b"), Sym("m"), 1)) == 0


def test_a_name_without_a_value_is_an_error() -> None:
    for term in (Sym("nothing"), vector("nothing")[i], z[Index("m")]):
        with pytest.raises(TermError, match=r"nothing|place"):
            evaluate(THEORY, point((1, 2), 1), term, {i: 1})
    for name in (mu, q, s, d):
        with pytest.raises(TermError, match="cannot differentiate"):
            evaluate(THEORY, point((1, 2), 1), D(q, name))


def test_irrational_values_are_exact_or_enclosed() -> None:
    where = point((1, 2, 3), "4/3")
    with pytest.raises(Irrational):
        evaluate(THEORY, where, u[i], {i: 3})
    assert exact_value(THEORY, where, u[i], {i: 3}) == Surd({2: Q(1, 2)})
    assert evaluate(THEORY, where, u[i] ** 2, {i: 3}) == Q(1, 2)
    low, high = enclose(THEORY, where, u[i], {i: 3}, bits=40)
    assert low < high
    assert 2 * low**2 < 1 < 2 * high**2
    assert high - low < Q(1, 2**37)
    assert enclose(THEORY, where, q) == (Q(2, 3), Q(2, 3))


# ---------------------------------------------------------------- numbers

small = some.fractions(min_value=-6, max_value=6, max_denominator=4)
surds = some.dictionaries(some.sampled_from([1, 2, 3, 6, 10, 15]), small, max_size=4)


def build(parts: Mapping[int, Fraction]) -> Exact:
    total_: Exact = Q(0)
    for n, x in parts.items():
        total_ = exact_root(Q(n)) * x + total_
    return total_


@for_all(surds, surds)
def test_surds_are_a_field(first: dict[int, Fraction], second: dict[int, Fraction]) -> None:
    x, b = build(first), build(second)
    assert (x + b) * (x - b) == x * x - b * b
    if x != 0:
        assert x * inverse_exact(x) == 1
        assert sign(x) * sign(x) == 1
        assert sign(x * x) == 1


def test_surds_by_value() -> None:
    assert exact_root(Q(8, 9)) == Surd({2: Q(2, 3)})
    assert exact_root(Q(9, 4)) == Q(3, 2)
    assert exact_root(Q(2)) * exact_root(Q(8)) == 4
    assert sign(exact_root(Q(2)) + exact_root(Q(3)) - exact_root(Q(10))) == -1
    assert str(Surd({1: Q(-1), 5: Q(2, 5)})) == "-1 + 2*sqrt(5)/5"
    with pytest.raises(Irrational):
        exact_root(exact_root(Q(2)))
    with pytest.raises(Undefined):
        exact_root(Q(-1))


@for_all(some.fractions(min_value=0, max_value=1000), some.integers(1, 60))
def test_root_bounds_are_tight(x: Fraction, bits: int) -> None:
    low, high = root_bounds(x, bits)
    assert low * low <= x <= high * high
    assert high - low <= Q(1, 2**bits)


def test_intervals_contain() -> None:
    x = Interval(Q(1), Q(2), 64)
    y_ = x * -3 + 1
    assert (y_.low, y_.high) == (Q(-5), Q(-2))
    assert (x * x - x).low <= 0 <= (x * x - x).high
    assert str(Interval(Q(-1, 3), Q(1, 3), 64)) == "[-0.333333333334, 0.333333333334]"
    with pytest.raises(Irrational):
        Interval(Q(-1), Q(1), 64).inverse()


# ---------------------------------------------------------------- words by meaning and by expansion


def expanded(node: Any) -> Any:
    """The term with every word replaced by its expansion."""
    if isinstance(node, Word):
        return expanded(node.expansion)
    if isinstance(node, tuple):
        return tuple(map(expanded, node))
    if isinstance(node, Term):
        return type(node)(*(expanded(getattr(node, field.name)) for field in fields(node)))  # type: ignore[arg-type]
    return node


A, B = matrix("A"), matrix("B")
WORDS: list[Term | Array] = [
    mean(z), total(h), var(g), cov(g, h), dot(v, h), norm(u), core(h), core(core(z), 2), rms(z), P, J, identity(), one, outer(u, h),
    diag(g), trace(A), trace(J @ J), A @ B, A @ g, A.T, (A @ B).T @ h, jacobian(u, z), jacobian(core(rms(z)), z), gradient(var(z), z),
    gradient(norm(core(z)), z), D(dot(core(z), h), z[k]), mean(y), D(D(J[i, j], z[k]), z[k]), D(norm(g) * norm(h), eps),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(WORDS)))
@settings(max_examples=6, deadline=None)
@for_all(some.data())
def test_words_mean_what_they_expand_to(number: int, data: some.DataObject) -> None:
    word = WORDS[number]
    size = data.draw(some.integers(2, 3))
    entry = some.integers(-3, 3).map(Q)
    row = some.tuples(*[entry] * size)
    square = some.tuples(*[row] * size)
    vectors = {name: data.draw(square if name in ("A", "B") else row) for name in ("z", "g", "h", "gamma", "beta", "A", "B")}
    where = Point({"d": size}, vectors, {"eps": data.draw(some.sampled_from([Q(1), Q(1, 3), Q(5, 2)]))})
    term = word[(i, j)[: len(word.indices)]] if isinstance(word, Array) else word
    at = {index: data.draw(some.integers(1, size)) for index in (i, j, k)}
    results: list[Any] = []
    for form in (term, expanded(term)):
        try:
            results.append(exact_value(THEORY, where, form, at))
        except Undefined:
            results.append(None)
        except Irrational:
            results.append(enclose(THEORY, where, form, at))
    if isinstance(results[0], tuple):
        (low, high), (other_low, other_high) = results
        assert low <= other_high
        assert other_low <= high
    else:
        assert results[0] == results[1]


# ---------------------------------------------------------------- derivatives


def second(three: int | Fraction = 3) -> Term:
    """The closed form of the core's second derivative; its last coefficient is 3."""
    value: Term = -(u[k] * P[i, j] + u[j] * P[i, k] + u[i] * P[j, k] - three * u[i] * u[j] * u[k] / d) / (d * s**2)
    return value


DERIVATIVES = [
    Eq(D(u[i], z[j]), J[i, j]),
    Eq(D(D(u[i], z[j]), z[k]), D(D(u[i], z[k]), z[j])),
    Eq(D(D(u[i], z[j]), z[k]), second()),
    Eq(D(q, z[j]), 2 * v[j] / d),
    Eq(D(s, z[j]), v[j] / (d * s)),
    Eq(D(r, eps), -(r**3) / 2),
    Eq(D(D(u[i], eps), eps), fraction(3, 4) * r**4 * u[i]),
    Eq(D(a**3, a), 3 * a**2),
    Eq(D(z[i] * D(z[i] * z[j], z[j]), z[j]), z[j] * delta(i, j) ** 2 * 4 + (1 - delta(i, j)) * 0),
    Eq(D(dot(A @ z, z), Sym("t")), 0),
    Eq(D(trace(A @ B), Entry("A", (i, j))), B[j, i]),
]


@pytest.mark.parametrize("relation", DERIVATIVES, ids=range(len(DERIVATIVES)))
def test_derivatives_in_closed_form(relation: Relation) -> None:
    points = list(sample_points(THEORY, [relation], (), 8, seed=3))
    assert len(points) == 8
    assert [holds(THEORY, where, relation) for where in points] == [True] * 8


def test_derivative_along_a_curve() -> None:
    curve = Components("z", COORDINATES, (-t, lift(0), t))
    claim = Eq(D(u[Index("3")], t), eps / s**3)
    assert find_counterexample(THEORY, claim, (curve,), tries=20) is None
    found = refute(Eq(D(u[Index("3")], t), eps / s**2), curve)
    assert found.point.sizes == {"d": 3}
    assert found.point.vectors["z"] == (-found.point.scalars["t"], Q(0), found.point.scalars["t"])


# ---------------------------------------------------------------- powers and expectations

b_, step = symbols("b t")
signal = vector("g", STEPS)


def test_geometric_sums() -> None:
    where = Point({"T": 3}, {"g": (Q(1), Q(2), Q(5))}, {"b": Q(1, 2), "t": Q(2)})
    assert evaluate(THEORY, where, geometric(b_, step, signal)) == Q(5, 2)
    assert evaluate(THEORY, where, geometric(b_, step, signal, 1)) == Q(25, 4)
    with pytest.raises(Undefined):
        evaluate(THEORY, where, geometric(b_, step, signal, 2))
    ones_ = Array((hole(1, STEPS),), lift(1))
    bounds = (Le(0, b_), Lt(b_, 1))
    assert find_counterexample(THEORY, Eq((1 - b_) * geometric(b_, step, ones_), 1 - Power(b_, step)), bounds, tries=60) is None
    found = refute(Eq((1 - b_) * geometric(b_, step, ones_), 1 - Power(b_, step, 1)), *bounds)
    assert 0 <= found.point.scalars["b"] < 1


def test_expectation_is_linear_and_no_more() -> None:
    x, m = vector("g"), Sym("m")
    assert find_counterexample(THEORY, Eq(expectation(x[i] * h[i], x), m * h[i]), (Eq(expectation(x[i], x), m),), tries=30) is None
    refute(Eq(expectation(x[i] ** 2, x), expectation(x[i], x) ** 2))
    third = expectation((x[i] - expectation(x[i], x)) ** 3, x)
    refute(Eq(third, 0))
    refute(Eq(expectation(x[i] * x[j], x), expectation(x[i], x) * expectation(x[j], x)))


# ---------------------------------------------------------------- wrong statements

w0 = Eq(total(w), 0)
scaled = core(a * z)
vjp = r * (g - mean(g) - u * mean(g * u))
outside = v / (sqrt(q) + eps)
DOUBLE = D(dot(J @ h, g), z[k])

# name: the claim, its hypotheses, and the left and right values, where they are known
WRONG: dict[str, tuple[Relation, tuple[Hypothesis, ...], tuple[str, str] | None]] = {
    "1/d dropped, N01": (Eq(J, r * (P - outer(u, u))), (), ("8/27", "7/27")),
    "eps outside": (Eq(u, outside), (), ("-1/3", "-1/5")),
    "unbiased, N05": (Eq(u, v / sqrt(d * q / (d - 1) + eps)), (), ("-3/4", "-3/5")),
    "eigenvalue": (Eq(J @ v, v / s), (), ("-8/27", "-1/3")),
    "second derivative": (Eq(D(D(u[i], z[j]), z[k]), second(2)), (), ("8/81", "25/243")),
    "scale invariant": (Eq(scaled, u), (positive(a),), None),
    "double backward": (Eq(DOUBLE, -(u[k] * dot(h, P @ g) + dot(u, h) * (P @ g)[k]) / (d * s**2)), (), None),
    "N02": (Eq(J @ g, (g / s - u / s**2 * g * u) / d), (), None),
    "N03": (Eq(u, v / (q + eps)), (), ("-1/3", "-2/9")),
    "N03 squared": (Eq(u, v / (q + eps) ** 2), (), None),
    "N04": (Eq(u, v / sqrt(norm(z) ** 2 + eps)), (), None),
    "N06": (Eq(J @ g, g / s), (), None),
    "N07": (Eq(jacobian(gamma * u, z), J), (), None),
    "N08": (Eq(J @ w, w / s), (w0, Eq(d, 2)), None),
    "N10": (Eq(q, var(Array((hole(1),), u.body))), (), None),
    "N11": (Le(norm(outside - core(h)), norm(z - h) / sqrt(eps)), (), None),
    "N12": (Eq(D(v[i], z[j]), delta(i, j) + 1 / d), (), ("1/2", "3/2")),
    "variance one": (Eq(var(u), 1), (), None),
    "too small a bound": (Le(norm(J @ h) ** 2, norm(h) ** 2 / (4 * eps)), (), None),
    "with roots": (Le(norm(J @ h), norm(h) / (2 * sqrt(eps))), (), None),
    "strict": (Lt(0, q), (), ("0", "0")),
    "unequal": (Ne(q, eps), (), None),
    "true at d = 2 only": (Eq(v[i] * v[j], q * (2 * delta(i, j) - 1)), (), ("1/9", "2/9")),
    "nested roots": (Eq(core(outside), u), (), None),
    "gain": (Eq(var(y), rho), (Eq(gamma[i], c), Eq(beta[i], 0)), None),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_statements_are_refuted_at_small_points(name: str) -> None:
    relation, hypotheses, sides = WRONG[name]
    start = process_time()
    found = refute(relation, *hypotheses)
    assert process_time() - start < 3  # typically 5 ms; a limit that a busy machine keeps
    assert found.point.sizes["d"] == (3 if name == "true at d = 2 only" else 2)
    assert all(abs(Q(str(x))) <= 4 for x in found.point.vectors.get("z", ()))
    if sides:
        assert (str(found.left), str(found.right)) == sides


def test_double_backward_without_a_fault_stands() -> None:
    full = -(u[k] * dot(h, P @ g) + dot(u, h) * (P @ g)[k] + dot(u, g) * (P @ h)[k] - 3 * dot(u, h) * dot(u, g) * u[k] / d) / (d * s**2)
    assert find_counterexample(THEORY, Eq(DOUBLE, full), tries=40) is None


def test_the_first_witness_in_full() -> None:
    found = refute(Eq(J, r * (P - outer(u, u))))
    expected = {"d": 2, "z": ["0", "1"], "eps": "2", "at": {"i": 1, "j": 1}, "kind": "=", "left": "8/27", "right": "7/27"}
    assert found.as_dict() == expected
    assert str(found) == "at d = 2, z = (0, 1), eps = 2, i = 1, j = 1: the left side is 8/27, the right side is 7/27, and = fails"


def test_a_sign_may_be_a_hypothesis() -> None:
    bare = replace(DECLARED, positive=DECLARED.positive - {"eps"})
    claim = Eq(J, r * (P - outer(u, u)))
    assert find_counterexample(bare, claim, (positive(eps),)) == refute(claim)
    zero = find_counterexample(bare, Eq(J @ v, v / s), (Eq(eps, 0), positive(q)))
    assert zero is not None
    assert zero.point.scalars == {"eps": 0}
    assert find_counterexample(bare, Eq(J @ v, 0), (Eq(eps, 0), positive(q)), tries=40) is None


def test_irrational_sides_are_shown_exactly() -> None:
    found = refute(Eq(sqrt(lift(2)), 1))
    assert found.as_dict() == {"kind": "=", "left": "sqrt(2)", "right": "1"}


def test_nested_roots_are_refuted_by_enclosures() -> None:
    found = refute(Eq(sqrt(sqrt(lift(2))), fraction(6, 5)))
    assert str(found.left) == "[1.189207115002, 1.189207115003]"


TRUE: list[tuple[Relation, tuple[Hypothesis, ...]]] = [
    (Eq(jacobian(u, z), J), ()),
    (Eq(J @ g, vjp), ()),
    (Eq(scaled, a * v / sqrt(a**2 * q + eps)), (positive(a),)),
    (Eq(core(z + c * one), u), ()),
    (Eq(J @ w, w / s), (w0, Eq(dot(v, w), 0))),
    (Eq(rho, fraction(1, 2)), (Eq(q, eps), positive(q))),
    (Eq(J, P / sqrt(eps)), (Eq(q, 0),)),
    (Le(norm(J @ h), norm(h) / sqrt(eps)), ()),
    (Lt(var(u), 1), ()),
    (Eq(var(gamma * u), c**2 * rho), (Eq(gamma[i], c),)),
    (Eq(core(core(z)), v / sqrt(q + eps * (q + eps))), ()),
    (Ne(u[i], u[j] + 2 + d), ()),
]


@pytest.mark.parametrize("number", range(len(TRUE)))
def test_true_statements_are_not_refuted(number: int) -> None:
    relation, hypotheses = TRUE[number]
    assert find_counterexample(THEORY, relation, hypotheses, tries=40) is None
    assert find_point(THEORY, hypotheses, [relation]) is not None, "the hypotheses would be vacuous"


# ---------------------------------------------------------------- hypotheses, ranges, options

HYPOTHESES: list[tuple[Hypothesis, ...]] = [
    (w0, Eq(dot(v, w), 0)),
    (Eq(mean(z), 0), Eq(q, eps), positive(q)),
    (Eq(q, 0),),
    (Eq(z[i], c),),
    (Eq(gamma[i], c), Ne(c, 1)),
    (Le(0, Sym("b")), Lt(Sym("b"), 1)),
    (at_least(d, 4),),
    (Le(8, d),),
    (Eq(d, 1),),
    (Eq(mean(w), 0), Eq(var(w), 1)),
    (Eq(mean(w), 0), Eq(var(w), fraction(49, 9))),
    (Eq(norm(h), 1),),
    (Eq(mu, 0), Eq(q, 1 - eps), Lt(0, 1 - eps)),
    (Eq(dot(gamma, u), 0), Eq(q, eps), positive(q)),
    (Components("z", COORDINATES, (-t, lift(0), t)), positive(t)),
    (Eq(s, 1),),
    (Ne(a, 0), Lt(a, 0)),
    (Eq(expectation(g[i], g), c),),
]


@pytest.mark.parametrize("number", range(len(HYPOTHESES)))
def test_hypotheses_have_points(number: int) -> None:
    hypotheses = HYPOTHESES[number]
    points = list(sample_points(THEORY, [], hypotheses, 2, seed=1))
    assert points
    for where in points:
        assert satisfies(THEORY, where, hypotheses)
        assert all(where.scalars.get(name, Q(1)) > 0 for name in THEORY.positive - set(LENGTHS.values()))


def test_contradictory_hypotheses_have_none() -> None:
    for hypotheses in ((Lt(q, 0),), (Eq(d, 2), Le(3, d)), (Eq(c, 1), Eq(c, 2))):
        assert find_point(THEORY, hypotheses) is None
        assert find_counterexample(THEORY, Eq(q, 1), hypotheses, tries=30) is None


def test_a_failed_hypothesis_settles_nothing() -> None:
    where = point((1, 2), 1)
    assert holds(THEORY, where, Eq(q, 5)) is False
    assert holds(THEORY, where, Eq(q, 5), (Lt(q, 0),)) is None
    assert holds(THEORY, where, Eq(1 / (q - q), 5)) is None
    assert holds(THEORY, where, Eq(sqrt(q + eps), sqrt(lift(5)) / 2)) is True
    assert not satisfies(THEORY, where, [Components("z", COORDINATES, (lift(1), lift(2), lift(3)))])
    assert satisfies(THEORY, where, [Components("z", COORDINATES, (lift(1), lift(2)))])
    assert not satisfies(THEORY, where, [Components("z", COORDINATES, (lift(1), lift(3)))])


def test_one_coordinate_comes_last() -> None:
    only_there = Eq(d * (d - 1), d * (d - 1) * z[i] / z[i])
    assert find_counterexample(THEORY, only_there, dmin=1, tries=20) is None
    fails_there = Ne(d, 1)
    assert find_counterexample(THEORY, fails_there, tries=20) is None
    assert refute(fails_there, dmin=1, tries=20).point.sizes == {"d": 1}


def test_fixed_values_stay() -> None:
    found = refute(Eq(var(u), 1), fixed={"eps": Q(7, 3), "d": Q(4)})
    assert found.point.scalars["eps"] == Q(7, 3)
    assert found.point.sizes["d"] == 4


def test_other_ranges() -> None:
    weights, x, shift = matrix("W", COORDINATES, INPUTS), vector("x", INPUTS), vector("r0", INPUTS)
    moved = weights @ x + outer(one, shift) @ x
    assert find_counterexample(THEORY, Eq(core(moved), core(weights @ x)), tries=30) is None
    found = refute(Eq(moved, weights @ x))
    assert found.point.sizes.keys() == {"d", "n"}
    n, m = Index("n", ROWS), Index("m", ROWS)
    batch = matrix("X", ROWS)
    row = Array((hole(1),), batch[n, hole(1)])
    effect = D(core(row)[i], Entry("X", (m, j)))
    assert find_counterexample(THEORY, Eq((1 - delta(n, m)) * effect, 0), tries=30) is None
    assert refute(Eq(effect, 0)).at["m"] == refute(Eq(effect, 0)).at["n"]


def test_the_same_seed_gives_the_same_point() -> None:
    claim = Eq(DOUBLE, 0)
    first, again, other = (find_counterexample(THEORY, claim, seed=number) for number in (5, 5, 6))
    assert first == again
    assert first is not None
    assert other is not None


def test_points_read_well() -> None:
    where = Point({"d": 2}, {"z": (Q(1), Q(-1, 2)), "W": ((Q(1), Q(0)), (Q(0), Q(1)))}, {"eps": Q(1, 3)})
    assert str(where) == "d = 2, z = (1, -1/2), W = ((1, 0), (0, 1)), eps = 1/3"
    assert where.as_dict() == {"d": 2, "z": ["1", "-1/2"], "W": [["1", "0"], ["0", "1"]], "eps": "1/3"}

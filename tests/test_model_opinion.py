"""The second opinion and the third look: they agree with what is true, disagree with what is not, and say what they cannot do."""

from __future__ import annotations

from importlib import import_module

import pytest
import sympy as sp
from lnsym.derivations.definitions import THEORY, J, P, a, beta, c, d, eps, gamma, h, mu, q, rho, s, t, u, u_, v, y, z

from lnsym.kernel.terms import Array, Components, Definition, Entry, Hypothesis, Power, Relation, Theory, hole
from lnsym.lang import (
    COORDINATES,
    INPUTS,
    ROWS,
    STEPS,
    D,
    Eq,
    Index,
    Le,
    Lt,
    Ne,
    Sym,
    at_least,
    core,
    delta,
    dot,
    expectation,
    fraction,
    geometric,
    gradient,
    i,
    j,
    jacobian,
    k,
    matrix,
    mean,
    norm,
    one,
    ones,
    outer,
    positive,
    sqrt,
    total,
    var,
    vector,
)
from lnsym.model import mpmath_check, opinion
from lnsym.model.zero import Roots, TooMuch

EPS = positive(eps)
w = vector("w")
TANGENT = (EPS, Eq(total(w), 0), Eq(dot(v, w), 0))
CURVE = Components("z", COORDINATES, (-t, 0 * t, t))
THIRD = Index("3")
W, x, r = matrix("W", COORDINATES, INPUTS), vector("x", INPUTS), vector("r", INPUTS)
b, m, g = Sym("b"), Sym("m"), vector("g", STEPS)


def row(index: Index) -> Array:
    return Array((hole(1),), Entry("X", (index, hole(1))))


FIRST, SECOND = Index("1", ROWS), Index("2", ROWS)
Claim = tuple[Relation, tuple[Hypothesis, ...], tuple[int, ...]]
ALL = (1, 2, 3, 4)
TRUE: dict[str, Claim] = {
    "S05 mean zero": (Eq(mean(u), 0), (EPS,), ALL),
    "S06 variance": (Eq(var(u), q / (q + eps)), (EPS,), ALL),
    "S07 half": (Eq(rho, fraction(1, 2)), (EPS, Eq(q, eps)), (2, 3, 4)),
    "S12 mean of a shift": (Eq(mean(z + c), mu + c), (), ALL),
    "S14 shift": (Eq(gamma * core(z + c) + beta, y), (EPS,), ALL),
    "S21 weights": (Eq(core((W + outer(one, r)) @ x), core(W @ x)), (EPS,), ALL),
    "S22 scaling": (Eq(core(a * z), a * v / sqrt(a**2 * q + eps)), (EPS,), ALL),
    "S24 eps = 0": (Eq(core(a * z, 0), core(z, 0)), (positive(a), positive(q)), (2, 3, 4)),
    "S24 eps = 0 as a hypothesis": (Eq(core(a * z), core(z)), (positive(a), positive(q), Eq(eps, 0)), (2, 3, 4)),
    "S28 Jacobian": (Eq(jacobian(u, z), J), (EPS,), ALL),
    "S29 ones": (Eq(jacobian(u, z) @ one, 0), (EPS,), ALL),
    "S30 deviations": (Eq(jacobian(u, z) @ v, eps / s**3 * v), (EPS,), ALL),
    "S31 tangent": (Eq(jacobian(u, z) @ w, w / s), TANGENT, ALL),
    "S32 constant input, q = 0": (Eq(jacobian(u, z), P / sqrt(eps)), (EPS, Eq(q, 0)), ALL),
    "S32 constant input, v = 0": (Eq(J, P / sqrt(eps)), (EPS, Eq(v, 0)), ALL),
    "S38 curve": (Eq(u[THIRD], t / sqrt(2 * t**2 / 3 + eps)), (EPS, CURVE), (3,)),
    "S39 slope": (Eq(D(u[THIRD], t), eps / sqrt(2 * t**2 / 3 + eps) ** 3), (EPS, CURVE), (3,)),
    "S42 cases": (Eq(D(core(row(FIRST))[i], Entry("X", (SECOND, j))), 0), (EPS,), ALL),
    "S50 weights": (Eq((1 - b) * geometric(b, t, ones(STEPS)), 1 - Power(b, t)), (), ALL),
    "S50 expectation": (
        Eq(expectation((1 - b) * geometric(b, t, g), g), (1 - Power(b, t)) * m), (Eq(expectation(g[Index("i", STEPS)], g), m),), ALL,
    ),
    "gradient": (Eq(gradient(d * s, z), u), (EPS,), ALL),
    "second derivatives": (Eq(D(J[i, j], z[k]), D(J[i, k], z[j])), (EPS,), ALL),
    "core of the core": (Eq(core(core(z)), v / sqrt(q + eps * (q + eps))), (EPS,), ALL),
    "norm": (Eq(norm(u), sqrt(d * rho)), (EPS,), ALL),
    "two points": (Eq(dot(u - u_, u - u_), d * mean(u**2) + d * mean(u_**2) - 2 * dot(u, u_)), (EPS,), ALL),
    "S08 factor of one": (Eq(var(c * u), var(u)), (EPS, Eq(c**2 * q, q)), ALL),
    "a product that is zero": (Eq(a * c * mean(u**2), 0), (EPS, Eq(a * c * q, 0)), ALL),
    "one coordinate": (Eq(u, 0), (EPS, Eq(d, 1)), (1,)),
    "three or more": (Eq(mean(u), 0), (EPS, at_least(d, 3)), (3, 4)),
}  # fmt: skip
FALSE: dict[str, Claim] = {
    "S05 mean one": (Eq(mean(u), 1), (EPS,), ALL),
    "S06 unit variance": (Eq(var(u), 1), (EPS,), ALL),
    "S06 eps twice": (Eq(var(u), q / (q + 2 * eps)), (EPS,), (2, 3, 4)),
    "S07 half elsewhere": (Eq(rho, fraction(1, 2)), (EPS, Eq(q, 2 * eps)), (2, 3, 4)),
    "S12 mean of a shift": (Eq(mean(z + c), mu), (), ALL),
    "S14 unequal shift": (Eq(core(z + h), core(z)), (EPS,), (2, 3, 4)),
    "S21 other weights": (Eq(core((W + outer(v, r)) @ x), core(W @ x)), (EPS,), (2, 3, 4)),
    "S22 invariance": (Eq(core(a * z), u), (EPS, positive(a)), (2, 3, 4)),
    "S24 negative factor": (Eq(core(a * z, 0), core(z, 0)), (Lt(a, 0), positive(q)), (2, 3, 4)),
    "S28 no 1/d": (Eq(jacobian(u, z), (P - outer(v, v) / (q + eps)) / s), (EPS,), (2, 3, 4)),
    "S29 other direction": (Eq(jacobian(u, z) @ h, 0), (EPS,), (2, 3, 4)),
    "S30 eigenvalue 1/s": (Eq(jacobian(u, z) @ v, v / s), (EPS,), (2, 3, 4)),
    "S31 not orthogonal to v": (Eq(jacobian(u, z) @ w, w / s), (EPS, Eq(total(w), 0)), (2, 3, 4)),
    "S32 P/eps": (Eq(J, P / eps), (EPS, Eq(q, 0)), (2, 3, 4)),
    "S38 eps outside": (Eq(u[THIRD], t / (sqrt(2 * t**2 / 3) + eps)), (EPS, CURVE), (3,)),
    "S39 slope": (Eq(D(u[THIRD], t), 1 / sqrt(2 * t**2 / 3 + eps)), (EPS, CURVE), (3,)),
    "S42 own case": (Eq(D(core(row(FIRST))[i], Entry("X", (FIRST, j))), 0), (EPS,), (2, 3, 4)),
    "S50 one power more": (Eq((1 - b) * geometric(b, t, ones(STEPS)), 1 - Power(b, t, 1)), (), ALL),
    "gradient without d": (Eq(gradient(s, z), u), (EPS,), (2, 3, 4)),
    "true at d = 2 only": (Eq(v[i] * v[j], q * (2 * delta(i, j) - 1)), (), (1, 3, 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_sympy_agrees(name: str) -> None:
    relation, given, dimensions = TRUE[name]
    found = opinion(relation, given)
    assert (found.status, found.dimensions) == ("agrees", dimensions), found


@pytest.mark.parametrize("name", FALSE)
def test_sympy_disagrees(name: str) -> None:
    relation, given, dimensions = FALSE[name]
    found = opinion(relation, given)
    assert found.status == "disagrees", found
    assert set(found.dimensions) <= set(dimensions)
    assert "left - right is" in found.reason


@pytest.mark.parametrize("name", [name for name in TRUE if "expectation" not in name])
def test_numbers_agree(name: str) -> None:
    relation, given, _ = TRUE[name]
    found = mpmath_check(relation, given)
    assert (found.status, found.points) == ("agrees", 3), found


@pytest.mark.parametrize("name", FALSE)
def test_numbers_disagree(name: str) -> None:
    relation, given, _ = FALSE[name]
    assert mpmath_check(relation, given, points=8).status == "disagrees"


@pytest.mark.parametrize(
    ("relation", "status"),
    [
        (Le(norm(jacobian(u, z) @ h), norm(h) / sqrt(eps)), "agrees"),
        (Le(norm(J @ h), norm(h) / sqrt(eps) / 3), "disagrees"),
        (Le(u[i] ** 2, (d - 1) * rho), "agrees"),
        (Lt(u[i] ** 2, (d - 1) * rho), "disagrees"),
        (Lt(rho, 1), "agrees"),
        (Ne(var(u), 1), "agrees"),
        (Ne(mean(u), 0), "disagrees"),
    ],
)
def test_numbers_of_inequalities(relation: Relation, status: str) -> None:
    assert mpmath_check(relation, (EPS,), points=6).status == status
    assert opinion(relation, (EPS,)).status == "not applicable"


def test_a_small_error_far_behind_the_point_is_seen() -> None:
    tiny = 1 + fraction(1, 10**45)
    assert mpmath_check(Eq(var(u), rho * tiny), (EPS,)).status == "disagrees"
    assert opinion(Eq(var(u), rho * tiny), (EPS,), d=3).status != "agrees"


def test_hypotheses_that_exclude_every_input_are_said() -> None:
    found = opinion(Eq(mean(u), 1), (EPS, Lt(q, 0), Eq(q, 0)))
    assert found.status == "not applicable"
    assert len(found.skipped) == 4


def test_an_unsolved_equality_is_said() -> None:
    found = opinion(Eq(a, 1), (EPS, Eq(core(a * z), u), positive(a)), d=2)
    assert found.status == "not applicable"
    assert "roots among the hypotheses" in found.reason
    assert mpmath_check(Eq(a, 1), (EPS, Eq(core(a * z), u), positive(a), positive(q))).status == "not applicable"


def test_a_cancelled_denominator_that_hypotheses_make_zero_is_seen() -> None:
    # At d = 1, SymPy turns q/(q + eps) into 0 before q = eps makes it 0/0.
    found = opinion(Eq(rho, fraction(1, 2)), (Eq(q, eps),), d=1)
    assert found.status == "undecided"
    assert "denominator vanishes" in found.reason


def test_expectations_have_no_number() -> None:
    assert mpmath_check(Eq(expectation(g[Index("1", STEPS)], g), m)).status == "not applicable"


def test_too_large_is_undecided_by_a_count() -> None:
    p, n = sp.symbols("p n", positive=True)
    power = (p + n + 1) ** 8
    difference = power - sp.expand(power)
    assert Roots([difference], {}).vanishes(difference)
    with pytest.raises(TooMuch):
        Roots([difference], {}, budget=1500).vanishes(difference)


def test_roots_that_depend_on_one_another() -> None:
    p, n = sp.symbols("p n", positive=True)
    true = [
        sp.sqrt(6 * p) - sp.sqrt(2) * sp.sqrt(3) * sp.sqrt(p),
        sp.sqrt(p + n) * sp.sqrt(p + n) - p - n,
        1 / sp.sqrt(p + n) - sp.sqrt(p + n) / (p + n),
        sp.sqrt(sp.Add(p**2, 2 * p * n, n**2)) - p - n,
        sp.sqrt(p / (p + n) + 1) - sp.sqrt(2 * p + n) / sp.sqrt(p + n),
    ]
    for expression in true:
        assert Roots([expression], {}).vanishes(expression), expression
        assert not Roots([expression + p], {}).vanishes(expression + p)


def test_the_definition_that_the_theory_holds_is_differentiated() -> None:
    definitions = tuple(Definition("s", sqrt(q + 2 * eps)) if x.name == "s" else x for x in THEORY.definitions)
    other = Theory(THEORY.families, definitions, THEORY.positive)
    assert opinion(Eq(jacobian(u, z), J), (EPS,), d=2, theory=other).status == "disagrees"
    assert opinion(Eq(jacobian(u, z) @ one, 0), (EPS,), d=2, theory=other).status == "agrees"
    without = Theory(THEORY.families, tuple(x for x in THEORY.definitions if x.name != "u"), THEORY.positive)
    assert opinion(Eq(jacobian(u, z), J), (EPS,), d=2, theory=without).status == "disagrees"


def test_entries_of_great_size_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("lnsym.model.opinion"), "SIZE_LIMIT", 3)
    assert opinion(Eq(jacobian(u, z), J), (EPS,), d=2).status == "undecided"

"""check(): what it proves, what it refutes and where, what it leaves open, and that no input makes it fail."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from lnsym.derivations.definitions import THEORY, eps

import lnsym
from lnsym.cone import nonnegative_combination
from lnsym.consequences import consequences, with_families
from lnsym.decide import Verdict, _Case, check
from lnsym.errors import NotProved, StatementError
from lnsym.kernel.terms import Entry, Family, Index, Power, Relation, Sym
from lnsym.lang import ones, positive
from lnsym.refute import Counterexample, find_counterexample, holds, sample_points
from lnsym.statement import parse_given, parse_statement
from lnsym.surd import Surd

# ---------------------------------------------------------------- what is proved

PROVED = """
mean(u^2) = q/(q+eps)
mean(u) = 0
q = mean(z^2) - mu^2
dot(J(g), h) = dot(g, J(h))
dot(v, J(h)) = eps*dot(v, h)/s^3
trace(P) = d - 1
P @ P = P
core(z + c*one) = u
core(-z) = -u
D(s, z_i) = v_i/(d*s)
norm(J(h))^2 <= norm(h)^2/eps
norm(J(h)) <= norm(h)/sqrt(eps)
var(u) < 1
var(u) <= 1
0 <= var(h)
dot(g,h)^2 <= norm(g)^2*norm(h)^2
dot(g,h) <= norm(g)*norm(h)
-norm(g)*norm(h) <= dot(g,h)
dot(v,h)^2 <= d*q*norm(h)^2
mean(h)^2 <= mean(h^2)
sqrt(mean(h)^2) <= sqrt(mean(h^2))
mean(h^2)^2 <= mean(h^4)
total(h)^2 <= d*norm(h)^2
norm(P(h)) <= norm(h)
cov(g,h)^2 <= var(g)*var(h)
q <= mean(z^2)
s >= sqrt(eps)
s > sqrt(q)
s - sqrt(q) > 0
rho < 1
rho >= 0
rho^2 <= rho
1/s <= 1/sqrt(eps)
dot(u,u) < d
norm(u)^2 <= d
norm(u) < sqrt(d)
u_i^2 < d
u_i^2 <= d - 1
u_i <= sqrt(d)
a^2 + c^2 >= 2*a*c
4*a^2 + c^2 >= 4*a*c
(a^2 + c^2)*(t^2 + mu^2) >= (a*t + c*mu)^2
2*sqrt(q*eps) <= q + eps
sqrt(q + eps) <= sqrt(q) + sqrt(eps)
norm(g + h)^2 <= 2*norm(g)^2 + 2*norm(h)^2
norm(g + h) <= norm(g) + norm(h)
norm(g) - norm(h) <= norm(g - h)
var(g + h) <= 2*var(g) + 2*var(h)
dot(h, J(h)) >= 0
dot(h, J(J(h))) >= 0
norm(u) <= norm(z)/sqrt(eps)
norm(u - u')^2 <= norm(z - z')^2/eps
J[i,i] <= 1/sqrt(eps)
mean(gamma^2*u^2) <= mean(gamma^2*v^2)/eps
u_1^2 <= d - 1
J[1,1] >= 0
(u_i - u_j)^2 <= 2*d*rho
norm(z + h) <= norm(z) + norm(h)
norm(g) <= norm(g - h) + norm(h)
norm(a*z) = sqrt(a^2)*norm(z)
sqrt(2)*sqrt(3) = sqrt(6)
sqrt(8) = 2*sqrt(2)
rho != 1
s != 0
""".strip().split("\n")

PROVED_UNDER = [
    ("core(a*z) = u", "a > 0, eps = 0, q > 0"),
    ("s = sqrt(q)", "eps = 0"),
    ("mean(u^2) = 1", "eps = 0, q > 0"),
    ("sqrt(a^2) = a", "a >= 0"),
    ("core(a*z) <= sqrt(d)", "a >= 1"),
    ("1/a <= 1", "a >= 1"),
    ("a^2 <= a", "0 <= a <= 1"),
    ("a*c <= 1", "0 <= a <= 1 and 0 <= c <= 1"),
    ("rho > 0", "q > 0"),
    ("trace(J) >= 0", "d >= 2"),
    ("1/d <= 1/20", "d >= 20"),
    ("u = 0", "d = 1"),
    ("u_1 + u_2 = 0", "d = 2"),
    ("mean(J(h)) = 0", "d = 12"),
    ("u = 0", "v = 0"),
    ("dot(w, z) = dot(w, v)", "total(w) = 0"),
    ("q != 0", "q > 0"),
    ("u = v/s", "a*c = 1"),
    ("sqrt(a)*sqrt(c) = sqrt(a*c)", "a >= 0, c >= 0"),
    ("core(u) = u", "eps = 0, q > 0"),
    ("rho > 99/100", "q >= 100*eps"),
]

FOR_EVERY_PLACE = [  # a hypothesis with an index holds for every index, at a place with a number, and summed
    ("h_j >= 0", "h_i >= 0"),
    ("z_1 <= c", "z_i <= c"),
    ("h_2 <= g_2", "h <= g"),
    ("sum_j h_j*g_j >= 0", "h_i >= 0, g_k >= 0"),
    ("mu >= 0", "z_i >= 0"),
    ("mu > 0", "z > 0"),
    ("mean(h) < c", "h_j < c"),
    ("mean(h) <= mean(g)", "h <= g"),
    ("norm(h)^2 <= d*c^2", "h_i^2 <= c^2"),
    ("q <= c^2", "z_i <= c, z_i >= -c"),
    ("norm(gamma*h) <= c*norm(h)", "gamma_i <= c, gamma_i >= -c, c >= 0"),
]

BY_CONSEQUENCES = [  # the kernel puts an equation in, and does not see by itself what follows from it
    ("u = 0", "q = 0"),
    ("u = 0", "0 = q"),
    ("u' = 0", "q' = 0"),
    ("z_i = z_j", "q = 0"),
    ("z_1 = z_2", "q = 0, d = 2"),
    ("y = beta", "var(z) = 0"),
    ("u = 0", "z = 0"),
    ("u = 0", "z = c*one"),
    ("u = 0", "z_i = c"),
    ("q = 0", "z = c*one"),
    ("q = 0", "v = 0"),
    ("rho <= 0", "v = 0"),
    ("J(h) = P(h)/sqrt(eps)", "v = 0"),
    ("q = 0", "u = 0"),
    ("v = 0", "u = 0"),
    ("z_i = z_j", "u = 0"),
    ("u = u'", "z = z'"),
    ("q = 4*q'", "z = 2*z' + c*one"),
    ("v = v'", "u = u'"),
    ("core(z + w) = u", "P(w) = 0"),
    ("core(z + w) = u", "var(w) = 0"),
    ("dot(g, w) = mean(w)*total(g)", "P(w) = 0"),
    ("w_i = w_j", "var(w) = 0"),
    ("w = 0", "norm(w)^2 = 0"),
]


@pytest.mark.parametrize("statement", PROVED)
def test_proved(statement: str) -> None:
    verdict = check(statement)
    assert (verdict.verdict, verdict.needs, verdict.counterexample) == ("proved", (), None), verdict
    assert str(verdict).startswith("proved for every d >= 1 and eps > 0: ")


@pytest.mark.parametrize(("statement", "given"), PROVED_UNDER + FOR_EVERY_PLACE + BY_CONSEQUENCES)
def test_proved_under_hypotheses(statement: str, given: str) -> None:
    verdict = check(statement, given)
    assert (verdict.verdict, verdict.needs) == ("proved", ()), verdict


@pytest.mark.parametrize(
    ("statement", "given", "scope"),
    [
        ("u_1 + u_2 = 0", "d = 2", "d = 2 and eps > 0"),
        ("u_i < sqrt(d - 1)", "d >= 2", "every d >= 2 and eps > 0"),
        ("core(a*z) = u", "d = 3, eps = 0, q > 0, a > 0", "d = 3 and eps = 0 with q > 0 and a > 0"),
        ("rho > 0", "q > 0, d > 1", "every d >= 1 and eps > 0 with q > 0 and d > 1"),
        ("z_3 <= norm(z)", "", "every d >= 3 and eps > 0"),  # there is no z_3 for a smaller d
        ("z_3 <= norm(z)", "d >= 2", "every d >= 3 and eps > 0"),
        ("(z_1 - z_2)^2 <= 2*d*q", "", "every d >= 2 and eps > 0"),
        ("P[1,4] = -1/d", "d >= 6", "every d >= 6 and eps > 0"),
    ],
)
def test_the_scope_says_for_which_d(statement: str, given: str, scope: str) -> None:
    assert str(check(statement, given or ())) == f"proved for {scope}: {statement}"


def test_a_difference_that_vanishes_proves_either_order() -> None:
    for statement in ("var(u) <= rho", "rho <= var(u)", "eps*r^2 <= 1 - rho"):
        assert check(statement).verdict == "proved"
    assert check("var(u) < rho").verdict == "refuted"


@pytest.mark.parametrize(
    "statement", ["dot(z, w) <= norm(z)*norm(w)", "dot(z, z')^2 <= norm(z)^2*norm(z')^2", "mean(z*w)^2 <= mean(z^2)*mean(w^2)"]
)
def test_cauchy_schwarz_for_the_input_itself(statement: str) -> None:
    """The normal form has mean and deviations in place of z."""
    assert check(statement).verdict == "proved"
    assert check(statement.replace("<=", "<")).verdict == "refuted"


@pytest.mark.parametrize(
    ("statement", "given"),
    [(s, g) for s, g in PROVED_UNDER + FOR_EVERY_PLACE if s not in ("u = v/s", "mean(J(h)) = 0", "core(a*z) <= sqrt(d)")],
)  # these hold without their hypothesis
def test_the_hypotheses_are_needed(statement: str, given: str) -> None:
    assert check(statement).verdict != "proved"


def test_side_conditions_are_told() -> None:
    assert check("a*c/c = a").needs == ("c != 0",)
    assert check("u/u = one").needs == ("v_i != 0",)
    assert check("sqrt(a)^2 = a").needs == ("a >= 0",)
    assert "(where c != 0)" in str(check("a*c/c = a"))
    assert check("a*c/c = a", "c != 0").needs == ()
    assert check("mean(u) = 0", "eps = 0").needs == ("q != 0",)  # not eps + q != 0


@pytest.mark.parametrize(
    ("statement", "given"), [("mean(u) = 0", "eps = 0"), ("a*c/c = a", ""), ("sqrt(a)^2 = a", ""), ("1/(a - c)*(a - c) = 1", "")]
)
def test_what_is_needed_is_needed_no_more_once_it_is_given(statement: str, given: str) -> None:
    needs = check(statement, given or ()).needs
    assert needs
    assert check(statement, [*filter(None, [given]), *needs]).needs == ()


def test_no_side_condition_is_lost() -> None:
    """Whatever condition the kernel states is either told or shown; here each one matters."""
    for statement, needs in [
        ("sqrt(c)/c*c = sqrt(c)", {"c != 0", "c >= 0"}),
        ("sqrt(a)^2*norm(h)/norm(h) = a", {"a >= 0", "norm(h)^2 != 0"}),
        ("sqrt(1/a)^2 = 1/a", {"a != 0", "1/a >= 0"}),
    ]:
        verdict = check(statement)
        assert verdict.verdict == "proved", verdict
        assert len(verdict.needs) == len(needs), verdict.needs
    assert len(check("1/(a - c) = 1/(a - c)").needs) == 1


def test_side_conditions_that_hold_are_not_told() -> None:
    assert check("norm(P(h))^2 = d*var(h)").needs == ()
    assert check("sqrt(a^2 + c^2 - 2*a*c)^2 = (a - c)^2").needs == ()


# ---------------------------------------------------------------- what is refuted, looked at by floating point alone

REFUTED = """
norm(J(h))^2 <= norm(h)^2/(4*eps)
rho <= 1/2
var(u) >= 1/2
norm(P(h)) < norm(h)
mean(u^2) = 1
mean(u^2) = q
core(2*z) = u
core(a*z) = u
core(z) = v/sqrt(q)
q = mean(z^2)
dot(g,h)^2 <= norm(g)*norm(h)
norm(g + h) <= norm(g)
norm(g + h)^2 <= norm(g)^2 + norm(h)^2
mean(h)^2 >= mean(h^2)
cov(g,h) <= var(g)
s <= sqrt(q)
s < sqrt(eps) + sqrt(q)
1/s <= 1/sqrt(q + 2*eps)
u_i < 1
u_i^2 < d - 1
q > 0
a^2 + c^2 > 2*a*c
a^2 >= a
sqrt(a^2) = a
norm(u) >= 1
dot(u, h) <= norm(h)
rho != 1/2
var(z) = q + eps
norm(u - u') <= norm(z - z')
norm(z) < norm(v)
J(v) = v/s
P(h) = h
norm(h)^2 <= total(h)^2
d >= 3
""".strip().split("\n")


class Vector(list[float]):
    """Entries under operations entry by entry: enough arithmetic to read a statement as Python."""

    def apply(self, other: Vector | float, f: Callable[[float, float], float]) -> Vector:
        return Vector(map(f, self, other if isinstance(other, Vector) else [other] * len(self)))

    def __add__(self, other: Vector | float) -> Vector:  # type: ignore[override]
        return self.apply(other, lambda x, y: x + y)

    def __sub__(self, other: Vector | float) -> Vector:
        return self.apply(other, lambda x, y: x - y)

    def __mul__(self, other: Vector | float) -> Vector:  # type: ignore[override]
        return self.apply(other, lambda x, y: x * y)

    def __rmul__(self, other: float) -> Vector:  # type: ignore[override]
        return self * other

    def __truediv__(self, other: Vector | float) -> Vector:
        return self.apply(other, lambda x, y: x / y)

    def __pow__(self, exponent: int) -> Vector:
        return self.apply(exponent, lambda x, n: x**n)


def mean(x: Vector) -> float:
    return sum(x) / len(x)


def cov(x: Vector, y: Vector) -> float:
    return mean((x - mean(x)) * (y - mean(y)))


def model(point: dict[str, object]) -> dict[str, object]:
    """The notions at a point, in floating point and from the definitions."""
    values: dict[str, object] = {
        name: Vector(float(Fraction(x)) for x in value) if isinstance(value, list) else float(Fraction(str(value)))
        for name, value in point.items() if name not in ("at", "kind", "left", "right")
    }  # fmt: skip
    e = values.get("eps", 1.0)
    assert isinstance(e, float)

    def core(x: Vector) -> Vector:
        return (x - mean(x)) / math.sqrt(cov(x, x) + e)

    for prime in ("", "_"):
        z = values.get(f"z{prime}".replace("_", "'"))
        if isinstance(z, Vector):
            q = cov(z, z)
            values |= {f"z{prime}": z, f"v{prime}": z - mean(z), f"q{prime}": q, f"s{prime}": math.sqrt(q + e), f"u{prime}": core(z)}
            values |= {"rho": q / (q + e)} if not prime else {}

    def dot(x: Vector, y: Vector) -> float:
        return sum(x * y)

    def jacobian(h: Vector) -> Vector:
        v, q = values["v"], values["q"]
        assert isinstance(v, Vector)
        assert isinstance(q, float)
        return (h - mean(h) - v * (dot(v, h) / (len(v) * (q + e)))) / math.sqrt(q + e)

    words = {"mean": mean, "cov": cov, "var": lambda x: cov(x, x), "dot": dot, "norm": lambda x: math.sqrt(dot(x, x)), "total": sum,
             "sqrt": math.sqrt, "core": core, "P": lambda x: x - mean(x), "J": jacobian}  # fmt: skip
    return {**values, **words}


def side(text: str, names: dict[str, object], at: dict[str, int]) -> float:
    """One side of a statement as Python reads it; a vector at the place of the counterexample."""
    text = re.sub(r"\b([a-z]+)_i\b", r"\1[i]", text.replace("^", "**").replace("'", "_"))
    place = next(iter(at.values()), 1) - 1
    value = eval(text, {"i": place, **names})
    return float(value[place]) if isinstance(value, Vector) else float(value)


def as_float(x: object) -> float:
    if isinstance(x, Surd):
        return float(x.enclosure(64)[0])
    assert isinstance(x, Fraction)
    return float(x)


@pytest.mark.parametrize("statement", REFUTED)
def test_refuted(statement: str) -> None:
    verdict = check(statement)
    assert verdict.verdict == "refuted", verdict
    hit = verdict.counterexample
    assert isinstance(hit, Counterexample)
    left, kind, right = re.split(r"\s(<=|>=|!=|=|<|>)\s", statement)
    names = model(hit.as_dict())
    own = [side(x, names, dict(hit.at)) for x in ((right, left) if ">" in kind else (left, right))]
    told = [as_float(hit.left), as_float(hit.right)]
    assert own == pytest.approx(told, abs=1e-9)
    gap = own[1] - own[0]
    fails = {"=": abs(gap) > 1e-6, "!=": abs(gap) < 1e-9, "<": gap < 1e-9, "<=": gap < -1e-6}[kind.replace(">", "<")]
    assert fails, (own, kind)


@pytest.mark.parametrize(
    ("statement", "given"),
    [("core(a*z) = u", "a > 0"), ("rho >= 1/2", "q > 0"), ("a^2 <= a", "a >= 0"), ("u_1 = u_2", "d = 2"), ("trace(J) >= 1", "d >= 2"),
     ("mean(u^2) < 1", "eps = 0, q > 0"), ("u = v", "d = 3, total(h) = 0"), ("norm(u) <= 1", "d >= 20"),
     ("u = 1", "q = 0"), ("z = 0", "q = 0"), ("mu = 0", "u = 0"), ("q > 0", "v = 0"), ("q = q'", "u = 0"), ("mu = mu'", "v = v'"),
     ("u = u'", "z = z' + w"), ("u = u'", "mu = mu'"), ("q = 2*q'", "z = 2*z'"), ("z = c*one", "mu = c"), ("v = 0", "z_1 = z_2"),
     ("h_2 <= 1", "h_1 <= 1"), ("h_j <= 1", "h_1 <= 1"), ("mean(h) <= 1", "h_1 <= 1"), ("mu > 0", "z_i >= 0"), ("z_1 <= 0", "z_i <= 1"),
     ("sqrt(a^2*q) = a*s", "a >= 0"), ("norm(gamma*h) <= c*norm(h)", "gamma_i <= c"),
     ("core(z + w) = u", "mean(w) = 0"), ("w = 0", "P(w) = 0"), ("z + w = z", "var(w) = 0"), ("core(g + w) = core(h)", "P(w) = 0")],
)  # fmt: skip
def test_refuted_where_the_hypotheses_hold(statement: str, given: str) -> None:
    verdict = check(statement, given)
    assert verdict.counterexample is not None, verdict
    hypotheses = parse_given(given)
    assert holds(THEORY, verdict.counterexample.point, parse_statement(statement).relation, hypotheses) is False


@pytest.mark.parametrize(
    ("statement", "given"),
    [("eps <= 1000", ""), ("eps >= 1/1000", ""), ("q <= 1000", ""), ("norm(z) <= 100", ""), ("mean(h) <= 12", ""), ("c <= 5000", ""),
     ("dot(g,h) <= 10^9", ""), ("norm(J(h)) <= 100*norm(h)", ""), ("rho <= 1/2", "eps = 10^6"), ("z_i <= 10^30", "")],
)  # fmt: skip
def test_false_beyond_the_numbers_stated_only(statement: str, given: str) -> None:
    verdict = check(statement, given or ())
    assert verdict.counterexample is not None, verdict
    assert holds(THEORY, verdict.counterexample.point, parse_statement(statement).relation, parse_given(given) if given else ()) is False


def test_false_only_at_d_1() -> None:
    hit = check("trace(P) > 0").counterexample
    assert hit is not None
    assert hit.point.sizes == {"d": 1}


# ---------------------------------------------------------------- what is left open, and what is refused

UNDECIDED = [
    ("a > 0", "a > 0, a < 0", "contradict"),
    ("u = 2*u", "1 = 2", "contradict"),
    ("sqrt(-q - eps) = sqrt(-q - eps)", "", "defined"),
    ("a*c = 1", "a*c = 1", "the hypothesis a*c = 1 could not be used"),
    ("w = 0", "norm(w) = 0", "the hypothesis norm(w) = 0 could not be used"),
]


@pytest.mark.parametrize(("statement", "given", "why"), UNDECIDED)
def test_undecided(statement: str, given: str, why: str) -> None:
    verdict = check(statement, given or ())
    assert verdict.verdict == "undecided", verdict
    assert why in verdict.why
    assert verdict.why in str(verdict)


REFUSED = [
    ("u = 0", "eps < 0", "eps must be > 0, found eps < 0"),
    ("u = 0", "eps = -1", "eps must be > 0"),
    ("u = 0", "eps <= 0", "eps must be > 0"),
    ("u = 0", "d = 0", "d must be one of 1, 2, 3"),
    ("u = 0", "d < 1", "d must be one of 1, 2, 3"),
    ("u = 0", "d = 1/2", "d must be one of 1, 2, 3"),
    ("u = 0", "d = 1000000000", "d is limited to 12 in such a hypothesis"),
    ("1/(q - q) = 1", "", "division by an expression that is zero"),
    ("q/(mu - mu) = 1", "", "division by an expression that is zero"),
    ("1/0 = 1", "", "division by zero"),
    ("D(q, mu) = 1", "", "differentiate by"),
    ("q = 0.5", "", "Write 1/2"),
    ("foo = 1", "", "not a word of the language"),
    ("__import__('os') = 1", "", "unexpected character"),
    ("z = P", "", "unequal shapes"),
    ("q", "", "expected an operator or a relation"),
    ("", "", "found nothing"),
]


@pytest.mark.parametrize(("statement", "given", "message"), REFUSED)
def test_refused(statement: str, given: str, message: str) -> None:
    with pytest.raises(StatementError) as caught:
        check(statement, given or ())
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


EIGHT = ("z", "v", "u", "w", "h", "g", "gamma", "beta")
LONG = f"norm({'+'.join(EIGHT)})"
HOSTILE = [
    "(" * 10_000 + "z" + ")" * 10_000,
    "(" * 4_000 + "q" + ")" * 4_000 + "=q",
    "-" * 9_000 + "q=q",
    "a" * 9_999 + "=1",
    "q=" + "q+" * 3_000 + "q",
    "\x00 = 1",
    "q" + "=" * 1_000,
    "9^64^64=1",
    "(9^64)^64=1",
    "*".join(["9" * 190 + "^20"] * 40) + "=1",
    "+".join(["(a+c+t+q+mu+d)^64"] * 50) + " = 0",
    "(a+c+t+q+mu+d+w_1+w_2+g_1+g_2)^30 >= 0",
    "(norm(g)+norm(h)+norm(z)+norm(w)+norm(gamma)+norm(beta)+1)^32 >= 0",
    "*".join(f"(norm({x})+1)" for x in EIGHT) + " >= 0",
    "(1/(a+1)+1/(c+1)+1/(t+1)+1/(q+1)+1/(mu+2))^6 = 0",
    "sum_i " * 45 + "z_i = 0",
    "sum_i sum_j " * 20 + "(z_i+z_j+g_j) = 0",
    "sum_i((z_i+g_i+h_i+w_i+gamma_i+beta_i)^20) >= 0",
    "sqrt(q+" * 40 + "q" + ")" * 40 + " >= 0",
    "1/(1+" * 45 + "q" + ")" * 45 + " >= 0",
    "core(core(core(core(z)))) = u",
    "J@J@J@J@J@J = J",
    "trace(J@J@J@J@J@J) >= 0",
    "D(D(D(D(D(D(u_i,z_j),z_k),z_l),z_m),z_1),z_2) = 0",
    "var(core(var(z)*z+P(J(h)))) <= 1",
    LONG + " <= " + "+".join(f"norm({x})" for x in EIGHT),
    LONG.replace("norm(", "norm(J(") + ")^2 <= " + LONG + "^2/eps",
    "norm(J(J(J(h)))) <= norm(h)/(eps*sqrt(eps))",
    "norm(outer(u,u)@J@outer(h,h)@g) <= 1",
    "z_99 = 0",
    "q = " + "q^64*" * 1_500 + "q",
    "q = " + "*".join(["(a+c+1/3)^64"] * 300),
    "mean(z^63) >= 0",
]
HOSTILE_GIVEN = [
    ("sum_i sum_j sum_k sum_l z_i*z_j*z_k*z_l*h_i = 0", "d = 12"),
    ("J@J@J = J", "d = 8"),
    ("D(norm(J(h))^2, z_1) = 0", "d = 10"),
    ("u = 0", "d = 10^9"),
    ("u = 0", "a^2+c^2=1, a*c*t=2, mean(z*g)=a, norm(h)=2, dot(g,h)=1"),
    ("a = 0", ", ".join(f"a+c*{n} = t^{n}" for n in range(1, 30))),
    ("a <= 10", ", ".join(f"a+c+{n}*t >= mu*{n}" for n in range(1, 40))),
    ("u = 0", ", ".join(f"{x} = {y}" for x in EIGHT for y in (f"P(J({x}))", "c*core(g)"))),
    ("u = 0", "J(J(J(z))) = core(core(z'))"),
    ("u = 0", "var(J(P(z+w))*core(h)+g+gamma+beta)^4 = 0"),
    ("u = 0", "w = g^20*h^20 + (gamma+beta+c*one)^12"),
    ("norm(u) <= 1", ", ".join(f"var({x}) = 0, P({x}) = 0" for x in EIGHT)),
    ("u = 0", "z = c*one, z' = a*one, " + ", ".join(f"var({x}+{y}) = 0" for x in EIGHT[:5] for y in EIGHT)),
    ("u = 0", ", ".join(f"var({x}+{y}) = 0" for x in EIGHT for y in EIGHT)),
]


@pytest.mark.parametrize(("statement", "given"), [*((s, "") for s in HOSTILE), *HOSTILE_GIVEN], ids=lambda text: text[:30])
def test_no_input_takes_long(statement: str, given: str) -> None:
    start = time.process_time()
    with contextlib.suppress(StatementError):
        assert check(statement, given or ()).verdict in ("proved", "refuted", "undecided")
    assert time.process_time() - start < 5  # a third of that on an idle machine


# ---------------------------------------------------------------- the two judges agree

SCALARS = ["q", "eps", "rho", "s", "a", "c", "d", "mu", "1", "2", "mean(u)", "var(h)", "norm(h)", "dot(g,h)", "dot(u,h)", "mean(u^2)"]


def combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(parts, st.sampled_from("+-*"), parts).map(lambda x: f"({x[0]} {x[1]} {x[2]})"),
        parts.map(lambda x: f"{x}^2"),
        parts.map(lambda x: f"1/({x})"),
        parts.map(lambda x: f"sqrt({x})"),
    )


EXPRESSIONS = st.recursive(st.sampled_from(SCALARS), combined, max_leaves=4)
STATEMENTS = st.tuples(EXPRESSIONS, st.sampled_from(["=", "<=", "<", ">=", "!="]), EXPRESSIONS).map(" ".join)


@settings(max_examples=30)
@drawn(STATEMENTS)
def test_nothing_is_both_proved_and_refuted(statement: str) -> None:
    both_judges(statement)


@pytest.mark.full
@settings(max_examples=300)
@drawn(STATEMENTS)
def test_nothing_is_both_proved_and_refuted_at_length(statement: str) -> None:
    both_judges(statement)


def both_judges(statement: str) -> None:
    """Whatever is proved has no counterexample, and whatever is refuted fails at the point; the same answer each time."""
    try:
        verdict = check(statement)
    except StatementError:
        return
    relation, assumed = parse_statement(statement).relation, (positive(eps),)
    if verdict.verdict == "proved":
        under = (*assumed, *(h for need in verdict.needs for h in parse_given(need)))
        assert find_counterexample(THEORY, relation, under, seed=7, budget=20_000) is None, statement
        points = sample_points(THEORY, [relation], under, 5, seed=3, limit=50_000)
        assert all(holds(THEORY, p, relation, under) is not False for p in points)
    if verdict.counterexample is not None:
        assert holds(THEORY, verdict.counterexample.point, relation, assumed) is False, statement
    assert check(statement) == verdict


# ---------------------------------------------------------------- the verdict and its inputs


def test_a_verdict_reads_well() -> None:
    assert repr(check("mean(u^2) = q/(q + eps)")) == "proved for every d >= 1 and eps > 0: mean(u^2) = q/(q + eps)"
    assert str(check("core(a*z) = u", "a > 0, eps = 0, q > 0")) == (
        "proved for every d >= 1 and eps = 0 with a > 0 and q > 0: core(a*z) = u"
    )
    assert str(check("rho <= 1/2")) == "refuted at d = 2, z = (0, 2), eps = 1/2: rho <= 1/2 (left 2/3, right 1/2)"


def test_a_verdict_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match="compare"):
        bool(Verdict("undecided", "q = 1"))


def test_vectors_of_ones_own() -> None:
    assert check("norm(P(x))^2 <= norm(x)^2", vectors=("x",)).verdict == "proved"
    with pytest.raises(StatementError, match="--vector"):
        check("norm(xx) = 0")


def test_hypotheses_in_several_texts() -> None:
    assert check("a*c > 0", ("a > 0", "c > 0")).verdict == check("a*c > 0", "a > 0, c > 0").verdict == "proved"


def test_nothing_given_may_be_none() -> None:
    assert check("rho < 1", given=None, vectors=None) == check("rho < 1")


@pytest.mark.parametrize("wrong", [3, None, True, ["q = q"], {"q": 1}, ones()])
def test_what_is_no_relation_is_refused(wrong: Any) -> None:
    with pytest.raises(StatementError, match=f"expected a relation, got {type(wrong).__name__}.*Give a text"):
        check(wrong)
    with pytest.raises(StatementError, match="expected a relation, got"):
        check("q = q", (wrong,))


def test_what_was_drawn_from_the_hypotheses_is_told() -> None:
    case = _Case(parse_statement("u = 1").relation, "u = 1", parse_given("q = 0"), (*parse_given("q = 0"), positive(eps)))
    with pytest.raises(NotProved):
        case.prove()
    assert "only v_i = 0 was drawn" in case.obstacle(NotProved("no"))
    case = _Case(parse_statement("u = 1").relation, "u = 1", parse_given("a = c"), (*parse_given("a = c"), positive(eps)))
    with pytest.raises(NotProved):
        case.prove()
    assert "nothing was drawn from the hypothesis a = c" in case.obstacle(NotProved("no"))


# ---------------------------------------------------------------- what follows from equations


@pytest.mark.parametrize("given", ["q = 0", "d*q = 0", "z = z' + c*one", "u = 0", "rho = 0", "P(z) = 0", "norm(w)^2 + a = 0"])
def test_each_consequence_holds_where_the_hypotheses_do(given: str) -> None:
    hypotheses = (*parse_given(given), positive(eps))
    drawn = consequences(THEORY, hypotheses)
    points = list(sample_points(THEORY, [], hypotheses, 4, limit=40_000))
    assert all(holds(THEORY, point, x.relation, hypotheses) is not False for x in drawn for point in points)
    assert all(set(x.given) <= set(hypotheses) and not x.conditions for x in drawn)
    assert points
    assert bool(drawn) == (given != "norm(w)^2 + a = 0")


def test_other_vectors_get_families_only_where_an_equation_speaks_of_them() -> None:
    statement = parse_statement("w = h").relation
    extended = with_families(THEORY, statement, parse_given("P(w) = 0, q > mean(h)"))
    assert extended.families == (*THEORY.families, Family("w", "P(w)", "mean(w)", "var(w)"))
    assert with_families(THEORY, statement, parse_given("P(z) = 0, u = y")) == THEORY


@pytest.mark.parametrize("name", ["P(w)", "mean(w)", "var(w)"])
def test_a_symbol_of_the_users_is_not_taken_for_a_name_that_is_added(name: str) -> None:
    given = parse_given("P(w) = 0")
    for own in (Sym(name), Power(Sym(name), Sym("n"))):
        statement = Relation("=", own, Entry("w", (Index("1"),)))
        assert with_families(THEORY, statement, given) == THEORY
        assert check(statement, given).verdict != "proved"
    assert check(Relation("=", Sym(name), Sym("a")), parse_given("w = a*one, P(w) = 0")).verdict == "refuted"
    assert with_families(THEORY, parse_statement("q = 0").relation, (*given, Relation("=", Sym(name), Sym("a")))) == THEORY


def test_sympy_relations() -> None:
    import sympy as sp

    q, e, rho = sp.symbols("q epsilon rho")
    assert lnsym.check(sp.Eq(rho, q / (q + e))).verdict == "proved"
    assert lnsym.check(sp.Le(rho, sp.Rational(1, 2))).verdict == "refuted"
    assert lnsym.check(sp.Gt(rho, 0), [sp.Gt(q, 0)]).verdict == "proved"
    with pytest.raises(StatementError, match="expected a relation"):
        lnsym.check(rho + q)


# ---------------------------------------------------------------- the cone


def column(**parts: int) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in parts.items()}


def test_a_combination_is_found_and_is_right() -> None:
    columns = [column(x=1), column(y=1), column(x=1, y=-2, z=1), column(z=1)]
    target = column(x=3, y=-2, z=1)
    found = nonnegative_combination(target, columns)
    assert found is not None
    assert min(found.values()) > 0
    keys = {"x", "y", "z"}
    assert {k: sum(f * columns[n].get(k, 0) for n, f in found.items()) for k in keys} == target


def test_no_combination_outside_the_cone() -> None:
    assert nonnegative_combination(column(x=-1), [column(x=1), column(x=1, y=1)]) is None
    assert nonnegative_combination(column(x=1, y=-1), [column(x=1), column(y=1)]) is None


def test_a_wanted_column_is_used() -> None:
    columns = [column(x=1, y=1), column(x=1), column(y=1)]
    found = nonnegative_combination(column(x=1, y=1), columns, {1, 2})
    assert found is not None
    assert found.keys() & {1, 2}
    assert nonnegative_combination(column(x=1), columns, {0}) is None
    assert nonnegative_combination(column(x=1), [column(x=1), column(x=-1, y=1), column(x=1, y=-1)], {1}) is not None

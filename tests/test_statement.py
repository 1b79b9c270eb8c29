"""The parser of statements: what it accepts, what it refuses and where, and that nothing hostile gets through or takes long."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from lnsym.derivations.definitions import (
    THEORY,
    J,
    P,
    a,
    beta,
    c,
    d,
    eps,
    g,
    gamma,
    h,
    mu,
    q,
    r,
    rho,
    s,
    sigma,
    t,
    u,
    u_,
    v,
    v_,
    w,
    y,
    z,
    z_,
)

from lnsym import lang
from lnsym.errors import StatementError
from lnsym.kernel.terms import ROWS, Add, Array, Index, Mul, Num, Pow, Relation, Sum, Sym, Term, lift
from lnsym.lang import (
    D,
    Eq,
    Le,
    Lt,
    Ne,
    core,
    cov,
    delta,
    dot,
    fraction,
    i,
    j,
    k,
    mean,
    norm,
    one,
    sqrt,
    symbols,
    total,
    trace,
    var,
    vector,
)
from lnsym.notation.text import text as printed
from lnsym.statement import MAX_NESTING, caret, parse_given, parse_point, parse_statement
from lnsym.tokens import MAX_DIGITS, MAX_LENGTH

q_, s_, mu_ = symbols("q' s' mu'")
x = vector("x")
first = Index("1")


def over(scalar: object, array: Array) -> Array:
    """scalar / array, entry by entry."""
    return Array(array.indices, lift(scalar) / array.body)


ACCEPTED: dict[str, Relation] = {
    "mean(u^2) = q/(q+eps)": Eq(mean(u**2), q / (q + eps)),
    "mean(u**2) == q / (q + eps)": Eq(mean(u**2), q / (q + eps)),
    "mean(u²) = q/(q+ε)": Eq(mean(u**2), q / (q + eps)),
    "var(u) = rho": Eq(var(u), rho),
    "var(u) < 1": Lt(var(u), 1),
    "var(u) ≤ ρ": Le(var(u), rho),
    "1 > var(u)": Lt(var(u), 1),
    "rho >= 0": Le(0, rho),
    "ρ ≥ 0": Le(0, rho),
    "s != 0": Ne(s, 0),
    "s ≠ 0": Ne(s, 0),
    "r = 1/s": Eq(r, 1 / s),
    "s = sqrt(q + eps)": Eq(s, sqrt(q + eps)),
    "s = √(q + ε)": Eq(s, sqrt(q + eps)),
    "sigma^2 = q": Eq(sigma**2, q),
    "σ² = q": Eq(sigma**2, q),
    "v = z - mu": Eq(v, z - mu),
    "v = z − μ": Eq(v, z - mu),
    "v = z - mu*one": Eq(v, z - mu * one),
    "z = mu + v": Eq(z, mu + v),
    "v_i = z_i - mu": Eq(v[i], z[i] - mu),
    "vᵢ = zᵢ - μ": Eq(v[i], z[i] - mu),
    "v[i] = z[i] - mu": Eq(v[i], z[i] - mu),
    "v_{j} = z_{j} - mu": Eq(v[j], z[j] - mu),
    "z_1 = mu + v_1": Eq(z[first], mu + v[first]),
    "z₁ = μ + v₁": Eq(z[first], mu + v[first]),
    "y = gamma*u + beta": Eq(y, gamma * u + beta),
    "y = γ·u + β": Eq(y, gamma * u + beta),
    "y = γ × u + β": Eq(y, gamma * u + beta),
    "sum_i(v_i) = 0": Eq(Sum(i, v[i]), 0),
    "sum_i v_i^2 = d*q": Eq(Sum(i, v[i] ** 2), d * q),
    "∑ᵢ vᵢ² = d·q": Eq(Sum(i, v[i] ** 2), d * q),
    "sum_{i} v_i*h_i = dot(v, h)": Eq(Sum(i, v[i] * h[i]), dot(v, h)),
    "sum_i v_i + 1 = 1": Eq(Sum(i, v[i]) + 1, 1),
    "sum_i(v_i)*q = 0": Eq(Sum(i, v[i]) * q, 0),
    "sum_i sum_j v_i*v_j = 0": Eq(Sum(i, Sum(j, v[i] * v[j])), 0),
    "sum_ij v_i*v_j = 0": Eq(Sum(i, Sum(j, v[i] * v[j])), 0),
    "(sum_i v_i)*v_i = 0": Eq(Sum(i, v[i]) * v[i], 0),
    "1/(sum_i v_i^2)*q = 1/d": Eq(1 / Sum(i, v[i] ** 2) * q, 1 / d),
    "total(v) = 0": Eq(total(v), 0),
    "‖v‖² = d*q": Eq(norm(v) ** 2, d * q),
    "norm(u)^2 < d": Lt(norm(u) ** 2, d),
    "dot(u, one) = 0": Eq(dot(u, one), 0),
    "cov(z, z) = q": Eq(cov(z, z), q),
    "J(h) = (P(h) - u*mean(u*h))/s": Eq(J(h), (P(h) - u * mean(u * h)) / s),
    "J @ h = J(h)": Eq(J @ h, J(h)),
    "J(one) = 0": Eq(J(one), 0),
    "P @ P = P": Eq(P @ P, P),
    "P = I - outer(one, one)/d": Eq(P, lang.identity() - lang.outer(one, one) / d),
    "P_ij = delta_ij - 1/d": Eq(P[i, j], delta(i, j) - 1 / d),
    "P[i,j] = δᵢⱼ - 1/d": Eq(P[i, j], delta(i, j) - 1 / d),
    "D(u_i, z_j) = J[i,j]": Eq(D(u[i], z[j]), J[i, j]),
    "D(mu, z_j) = 1/d": Eq(D(mu, z[j]), 1 / d),
    "trace(J) = (d - 1 - rho)/s": Eq(trace(J), (d - 1 - rho) / s),
    "core(z) = u": Eq(core(z), u),
    "core(z + c) = core(z)": Eq(core(z + c), core(z)),
    "core(a*z, a^2*eps) = core(z)": Eq(core(a * z, a**2 * eps), core(z)),
    "core(z)_i = u_i": Eq(core(z)[i], u[i]),
    "(z - mu)[k] = v_k": Eq((z - mu)[k], v[k]),
    "2u = u + u": Eq(2 * u, u + u),
    "2 u_i^2 = 2(u_i*u_i)": Eq(2 * u[i] ** 2, 2 * (u[i] * u[i])),
    "3(a+c) - t = -a": Eq(3 * (a + c) - t, -a),
    "-2 = a": Eq(fraction(-2), a),
    "-a^2 <= 1/3": Le(-(a**2), fraction(1, 3)),
    "a - -c = a + c": Eq(a - (-c), a + c),
    "a^-2 = a^(-2)": Eq(a**-2, a**-2),
    "a⁻² = 1/a^2": Eq(a**-2, 1 / a**2),
    "a/c/t = a/(c*t)": Eq(a / c / t, a / (c * t)),
    "1/gamma = r": Eq(over(1, gamma), r),
    "u' = v'/s'": Eq(u_, v_ / s_),
    "q' = var(z′)": Eq(q_, var(z_)),
    "mean(z') = μ'": Eq(mean(z_), mu_),
    "mean(gamma*g) <= w_i": Le(mean(gamma * g), w[i]),
    "n/N = T": Eq(Sym("n") / lang.length(ROWS), Sym("T")),
    "P(x) = x - mean(x)": Eq(P(x), x - mean(x)),
    "diag(gamma) @ u = gamma * u": Eq(lang.diag(gamma) @ u, gamma * u),
    "core(core(z)) = u": Eq(core(core(z)), u),
    "diag(gamma)(u)_i = y_i": Eq((lang.diag(gamma) @ u)[i], y[i]),
    "transpose(J) = J": Eq(J.T, J),
    "rms(z) != u": Ne(lang.rms(z), u),
}

EXACT: dict[str, str] = {
    "": 'column 1: expected a statement, found nothing. Write a relation, for example "mean(u^2) = q/(q+eps)".',
    "mean(u^2)": "column 10: expected an operator or a relation such as =, found the end. "
    'Write a relation, for example "mean(u^2) = q/(q+eps)".',
    "a = (c + )": "column 10: expected an operand, found ')'. An operand is a number, a name such as z, or a bracket.",
    "0 <= a < 1": "column 8: expected one relation, found more. State them one by one: 0 <= a < 1 is 0 <= a, then a < 1.",
    "eps = 0.1": "column 7: decimal number '0.1': numbers are exact here. Write 1/10.",
    "eps = 1e-5": "column 7: decimal number '1e-5': numbers are exact here. Write 1/100000.",
    "d = 1e400": "column 5: decimal number '1e400': numbers are exact here. Write an exact fraction, such as 1/10.",
    "gama = 1": "column 1: 'gama' is not a word of the language. Did you mean 'gamma'?",
    "x = 1": "column 1: 'x' is not a word of the language. A free scalar is a, c or t; a vector of your own is declared with --vector.",
    "a = |gamma|": "column 5: unexpected character '|'. Write norm(x) for a norm and sqrt(a^2) for an absolute value.",
    "max(gamma) = 1": "column 1: 'max' is not a word of the language. State a bound for every coordinate instead: gamma^2 <= c^2.",
    "a c = 1": "column 3: expected an operator or a relation such as =, found 'c'. "
    "Write * for a product: it may be left out only after a number.",
    "mean(q) = 1": "column 1: mean takes a vector here, found a scalar. Write c*one for a constant vector.",
    "a = 1 / 0": "column 7: division by zero. Change the denominator.",
    "P = z": "column 3: unequal shapes: a matrix on the left, a vector on the right. Compare vectors with vectors.",
    "D(a, 2) = 0": "column 1: differentiate by a symbol or by an entry such as z[j].",
    "J*J = P": "column 2: cannot take matrix * matrix. Write P(x) for a matrix applied to a vector, J @ J for a product of matrices.",
    "a = " + "(" * 60: "column 55: more than 50 levels of brackets, signs and sums. Simplify the statement.",
    "a\u202e = 1": "column 2: unexpected character 'U+202E'. Remove it.",
}

# The text and the column of the error.
REFUSED: dict[str, int] = {
    "   ": 1,
    "=": 1,
    "a =": 4,
    "= a": 1,
    "a = = c": 5,
    "a <=> c": 5,
    "a = c = t": 7,
    "a = c, t = c": 6,
    "a = c and t = c": 7,
    "and = 1": 1,
    "a": 2,
    "a = c)": 6,
    "(a = c": 4,
    "a = [1]": 5,
    "mean = 1": 6,
    "mean() = 1": 6,
    "mean(z, v) = 1": 1,
    "dot(z) = 1": 1,
    "mean(u_i^2) = q": 1,
    "sqrt(z) = z": 1,
    "trace(z) = 1": 1,
    "core(q) = u": 1,
    "norm(J) = 1": 1,
    "cov(z) = 1": 1,
    "u(z) = 1": 2,
    "a(c) = 1": 2,
    "J(J) = P": 2,
    "J(z, v) = u": 2,
    "q_i = 1": 2,
    "z_ij = 1": 2,
    "P[i] = 1": 2,
    "J_12 = 1": 2,
    "z_0 = 1": 3,
    "z_100 = 1": 3,
    "z_n = 1": 3,
    "z[] = 1": 3,
    "z[i = 1": 5,
    "z_ = 1": 4,
    "i = 1": 1,
    "delta = 1": 7,
    "delta_i = 1": 1,
    "sum(z) = 1": 4,
    "sum_i z = 0": 1,
    "sum_1 z_1 = 0": 1,
    "sum_i(v_i)^2 = 0": 11,
    "sum_i(v_i)*v_i = 0": 11,
    "1/sum_i v_i^2 = q": 3,
    "1/-sum_i v_i^2 = q": 4,
    "a = 1/2q": 6,
    "2 3 = a": 3,
    "a^2c = 1": 4,
    "2(a)(c) = 1": 5,
    "a^c = 1": 3,
    "a^(1/2) = c": 5,
    "a^2^2 = c": 4,
    "a^65 = c": 2,
    "((a^8)^8)^2 = c": 10,
    "0^-1 = a": 2,
    "J^2 = P": 2,
    "u / 0 = z": 3,
    "J @ a = z": 3,
    "z @ z = a": 3,
    "J*z = u": 2,
    "z/J = u": 2,
    "J + 1 = P": 3,
    "J <= P": 3,
    "P = 1": 3,
    "z = 1.": 5,
    "z = .5": 5,
    "z.__class__ = 1": 2,
    "__import__('os') = 1": 12,
    "__import__ = 1": 1,
    "lambda z: z": 9,
    '"z" = 1': 1,
    "z; z = 1": 2,
    "z\x00 = 1": 2,
    "z \ud800 = 1": 3,
    "ℵ = 1": 1,
    "√q = σ": 2,
    "‖z = 1": 4,
    "a! = 1": 2,
    "a = ∞": 5,
    "exp(a) = 1": 1,
    "std(z) = 1": 1,
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    """Each text gives the relation that the author's words give."""
    assert parse_statement(text, ["x"]).relation == ACCEPTED[text]
    assert parse_given(text, ["x"]) == (ACCEPTED[text],)


def test_no_two_different_meanings_in_the_table() -> None:
    """The comparison above can fail: neighbours of different meaning are unequal."""
    assert sum(left != right for left, right in pairwise(ACCEPTED.values())) > 50


@pytest.mark.parametrize("text", EXACT)
def test_refused_in_these_words(text: str) -> None:
    """The message names column, what was expected or found, and the remedy."""
    with pytest.raises(StatementError) as caught:
        parse_statement(text)
    assert str(caught.value) == EXACT[text]


@pytest.mark.parametrize("text", REFUSED)
def test_refused_at(text: str) -> None:
    """The error is one line, told at the right place, and can be shown with a caret."""
    with pytest.raises(StatementError) as caught:
        parse_statement(text)
    error, message = caught.value, str(caught.value)
    assert message.startswith(f"column {REFUSED[text]}: ")
    assert error.position == REFUSED[text] - 1
    assert message.isprintable()
    assert message[-1] in ".?"
    if not text.strip():
        assert caret(error) == ""
        return
    shown, pointer = caret(error).split("\n")
    assert shown.isprintable()
    assert pointer == " " * error.position + "^"


def test_caret_shows_the_surroundings_of_a_far_error() -> None:
    """A long text is cut to a window around the error."""
    text = "a + " * 100 + "? + " + "a + " * 100
    with pytest.raises(StatementError) as caught:
        parse_statement(text)
    shown, pointer = caret(caught.value).split("\n")
    assert len(shown) == 72
    assert shown[pointer.index("^")] == "?"
    assert caret(StatementError("no place")) == ""


def test_statement_keeps_its_text() -> None:
    """The text is kept as written."""
    assert parse_statement("σ² = q").text == "σ² = q"


def test_every_declared_name_is_a_word() -> None:
    """What definitions.py declares can be written."""
    for family in THEORY.families:
        for name in (family.vector, family.deviation):
            assert parse_statement(f"{name}_i = 0").relation == Eq(vector(name)[i], 0)
        for name in (family.mean, family.variance):
            assert parse_statement(f"{name} = 0").relation == Eq(Sym(name), 0)
    for definition in THEORY.definitions:
        value = vector(definition.name) if isinstance(definition.value, Array) else Sym(definition.name)
        assert parse_statement(f"{definition.name} = 0").relation == Eq(value, 0)


# ---------------------------------------------------------------- hypotheses, declared vectors, points


def test_given_several() -> None:
    """Commas, "and" and chains give several hypotheses."""
    assert parse_given("0 <= a < 1, q > 0 and gamma != 0") == (Le(0, a), Lt(a, 1), Lt(0, q), Ne(gamma, 0))
    assert parse_given("1 > a >= 0") == (Lt(a, 1), Le(0, a))
    assert parse_given("sum_i w_i = 0") == (Eq(Sum(i, w[i]), 0),)


@pytest.mark.parametrize(
    ("text", "column"), [("", 1), ("q", 2), ("q > 0,", 7), ("q > 0 and", 10), ("q > 0 or a > 0", 7), ("q > 0.5", 5), ("q c", 3)]
)
def test_given_refused(text: str, column: int) -> None:
    """A hypothesis that cannot be read is told at its place."""
    with pytest.raises(StatementError, match=f"^column {column}: "):
        parse_given(text)


def test_declared_vectors() -> None:
    """A declared name is a vector; Greek letters and primes are names too."""
    assert parse_statement("x + x2 = dx'", ["x", "x2", "dx'"]).relation == Eq(x + vector("x2"), vector("dx'"))
    assert parse_statement("xi = ξ", ["ξ"]).relation == Eq(vector("xi"), vector("xi"))


@pytest.mark.parametrize("name", ["", "i", "a", "mean", "P", "sum", "2x", "x y", "x_i", "x\n\ud800", "__class__", "and", "σ"])
def test_declared_vectors_refused(name: str) -> None:
    """A name that has a meaning, or is no name, is refused in one line."""
    with pytest.raises(StatementError) as caught:
        parse_statement("z = z", [name])
    assert str(caught.value).isprintable()


def test_point() -> None:
    """Scalars are fractions and vectors are tuples of fractions, under their plain names."""
    half = Fraction(1, 2)
    assert parse_point("z=(1,-2,1/2), ε=1/3") == {"z": (1, -2, half), "eps": Fraction(1, 3)}
    assert parse_point("d = 2, z' = [1/2, -1/2], z = (0, 1,)") == {"d": 2, "z'": (half, -half), "z": (0, 1)}
    assert parse_point("x = (7)", ["x"]) == {"x": (7,)}
    assert all(type(value) is Fraction for value in parse_point("a = 2, c = −3").values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'column 1: expected a point, found nothing. Write for example "z=(1,2,3), eps=1/3".'),
        ("eps=0.1", "column 5: decimal number '0.1': numbers are exact here. Write 1/10."),
        ("eps=-1", "column 5: eps cannot be negative, found -1. Give eps > 0, such as 1/3."),
        ("d=0", "column 3: d is a number of values and cannot be 0. Give 1, 2, 3, ...."),
        ("d=3/2", "column 3: d is a number of values and cannot be 3/2. Give 1, 2, 3, ...."),
        ("d=2000", "column 1: d would be 2000, the limit is 1000. Give fewer entries."),
        ("z=3", "column 3: 'z' is a vector and takes a list. Write z = (1, 2, 3)."),
        ("eps=(1,2)", "column 5: 'eps' is a scalar and takes one number. Write eps = 1/3."),
        ("z=()", "column 4: expected a number, found ')'. Write whole numbers and fractions, such as -2 or 1/3."),
        ("z=(1,2), v=(1,2,3)", "column 10: unequal lengths: d would be 2 and 3. Give every vector the same number of entries."),
        ("d=2, z=(1,2,3)", "column 6: unequal lengths: d would be 2 and 3. Give every vector the same number of entries."),
        ("a=1/0", "column 5: division by zero. Change the denominator."),
        ("a=1, a=2", "column 6: 'a' is given twice. Remove one."),
        ("P=1", "column 1: 'P' is computed and cannot be given. Give the values of z and eps."),
        ("foo=1", EXACT["x = 1"].replace("'x'", "'foo'")),
        ("a=1 c=2", "column 5: expected a comma or the end, found 'c'. Write * for a product: it may be left out only after a number."),
        ("a=1+1", "column 4: expected a comma or the end, found '+'."),
        ("a", "column 2: expected '=', found the end. Write a = ...."),
        ("z=(1,2", "column 7: expected ')', found the end."),
    ],
)
def test_point_refused(text: str, message: str) -> None:
    """Each error of a point names its column and remedy."""
    with pytest.raises(StatementError) as caught:
        parse_point(text)
    assert str(caught.value) == message


# ---------------------------------------------------------------- hostile input


def nested(opening: str, times: int, middle: str, closing: str = "") -> str:
    """The middle inside many brackets."""
    return opening * times + middle + closing * times


HOSTILE = [
    nested("(", 4_000, "a", ")") + " = a",
    "(" * 10_000,
    "-" * 9_000 + "a = 1",
    "sum_i " * 1_600 + "v_i = 0",
    "‖" * 9_000,
    nested("sqrt(", 1_000, "a", ")") + " = a",
    nested("core(", 40, "z", ")") + " = u",
    nested("var(one*", 45, "q*one", ")") + " = q",
    nested("mean(z*", 45, "z", ")") + " = q",
    nested("J(", 45, "z", ")") + " = u",
    "P@" * 3_000 + "P = P",
    "J[i,j]+" * 1_400 + "a = 0",
    "a^" * 4_000 + "2 = a",
    nested("(", 45, "9", "^64)") + " = a",
    nested("(", 45, "a", "^2)") + " = a",
    "9" * 9_999,
    "a = " + "9" * 9_000,
    "a^" + "9" * 200 + " = 1",
    "a⁹⁹⁹⁹⁹⁹⁹⁹⁹ = 1",
    "z_" + "9" * 200 + " = 1",
    "a = 1e" + "9" * 500,
    "x" * 9_999 + "= 1",
    "a+" * 10**6 + "a = a",
    "\u202e" * 100,
    "a = \ud800\udfff",
    "\x00" * 5_000,
    "__import__('os').system('true')",
    "(lambda: 0)() = 1",
    "[z for z in z] = 1",
    "f'{z}' = 1",
    "z[" * 4_000,
    "sum_" + "ij" * 4_000 + " v_i = 0",
]
LARGE_BUT_FINE = [
    "a+" * 4_900 + "a = a",
    "z*" * 4_900 + "z = z",
    "sum_i(v_i)*" * 900 + "a = 0",
    nested("(", MAX_NESTING - 1, "a", ")") + " = a",
    "a = " + "9" * MAX_DIGITS,
    nested("core(", 4, "z", ")") + " = u",
    "mean(z)+" * 1_000 + "a = a",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_refused_at_once(text: str) -> None:
    """One printable line, quickly, at any depth of nesting and from any reader of texts."""
    for read in (parse_statement, parse_given, parse_point):
        start = time.process_time()
        with pytest.raises(StatementError) as caught:
            read(text)
        assert time.process_time() - start < 2  # a fraction of that on an idle machine
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 250
        assert len(caret(caught.value).split("\n")) == 2


@pytest.mark.parametrize("text", LARGE_BUT_FINE, ids=range(len(LARGE_BUT_FINE)))
def test_large_text_within_the_limits_is_read_at_once(text: str) -> None:
    """The limits are not so tight that honest statements fail."""
    start = time.process_time()
    parse_statement(text)
    assert time.process_time() - start < 2  # a fraction of that on an idle machine


def test_length_limit() -> None:
    """The last character allowed and the first that is not."""
    parse_statement("a = a".ljust(MAX_LENGTH))
    with pytest.raises(StatementError, match=f"^column {MAX_LENGTH + 1}: the text has {MAX_LENGTH + 1} characters"):
        parse_statement("a = a".ljust(MAX_LENGTH + 1))


def test_nested_text_from_a_deep_caller() -> None:
    """The deepest text allowed needs less than half of Python's stack."""

    def deep(levels: int) -> Relation:
        if levels:
            return deep(levels - 1)
        return parse_statement(nested("sum_i(", MAX_NESTING - 2, "a+1*-a", ")") + " = a").relation

    assert deep(sys.getrecursionlimit() // 2).right == a


@pytest.mark.parametrize("value", [None, 3, b"a = 1", ["a = 1"]])
def test_what_is_no_text(value: object) -> None:
    """Anything but a text is refused by its type."""
    with pytest.raises(StatementError, match=f"expected a statement as text, got {type(value).__name__}"):
        parse_statement(value)  # type: ignore[arg-type]


WORDS = [
    *"azuvPJDI123()[]{}_^*/+-=<>,@'.‖√∑ε²ᵢ ", "<=", "!=", "mean", "core", "sum_i", "dot", "delta_ij", "sqrt", "z_i", "and", "trace", "2",
]  # fmt: skip


TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=25).map("".join),
    st.lists(st.sampled_from(WORDS)).map(" ".join),
)


def refusal(read: Callable[[str], object], text: str) -> StatementError | None:
    """The error of a reader, if it refuses; any other exception passes through and fails the test."""
    try:
        read(text)
    except StatementError as error:
        return error
    return None


@settings(max_examples=300, deadline=10_000)
@given(TEXTS)
@example("mean(u^2) = \ud800")
def test_random_text_gives_a_relation_or_one_line(text: str) -> None:
    """Nothing but StatementError comes out, with a position inside the text."""
    for error in filter(None, (refusal(read, text) for read in (parse_statement, parse_given, parse_point))):
        assert str(error).isprintable()
        assert error.position is not None
        assert 0 <= error.position <= len(text)
        assert caret(error).count("\n") == bool(text.strip())


POINT = {"a": Fraction(2, 3), "c": Fraction(-5, 7), "t": Fraction(11), "q": Fraction(1, 13)}


def value(term: Term | Array) -> Fraction:
    """The value of a term of arithmetic at POINT."""
    match term:
        case Num(number):
            return number
        case Sym(name):
            return POINT[name]
        case Add(args):
            return sum(map(value, args), Fraction(0))
        case Mul(args):
            return prod(map(value, args), start=Fraction(1))
        case Pow(base, exponent):
            return value(base) ** exponent
    raise AssertionError(term)


def arithmetic(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Longer texts of arithmetic out of shorter ones; brackets only around some."""
    binary = st.tuples(inner, st.sampled_from(["+", " - ", "*", "/"]), inner).map("".join)
    return binary | inner.map("({})".format) | inner.map("({})**3".format) | inner.map("-{}".format)


TEXTS_OF_ARITHMETIC = st.recursive(st.sampled_from(["a", "c", "t", "q", "2", "7", "a**2", "c**-1"]), arithmetic, max_leaves=12).filter(
    lambda text: text.count("**3") <= 3  # deeper powers of powers pass the limit of 64, as they should
)


@settings(max_examples=300, deadline=10_000)
@given(TEXTS_OF_ARITHMETIC)
def test_operators_bind_as_in_python(text: str) -> None:
    """Python's own arithmetic, on the same text and fractions, gives the same value."""
    exact = re.sub(r"(?<!\*\*)(?<!\*\*-)\b\d+", r"F(\g<0>)", text)
    try:
        expected = eval(exact, {"F": Fraction, **POINT})
    except ZeroDivisionError:
        assume(False)
    assert value(parse_statement(f"{text} = 0").relation.left) == expected


def test_power_binds_closer_than_the_sign() -> None:
    """-a^2 is -(a^2), and 2a^2 is 2*(a^2)."""
    assert parse_statement("-a^2 = 2a^2").relation == Eq(-Pow(a, 2), 2 * Pow(a, 2))


# ---------------------------------------------------------------- what is printed can be read again


@pytest.mark.parametrize("notation", ["index", "matrix"])
@pytest.mark.parametrize("text", ACCEPTED)
def test_printed_statement_is_read_again(text: str, notation: str) -> None:
    """The ASCII print of a relation is in the language, and reads as the same relation."""
    relation = ACCEPTED[text]
    shown = printed(relation, notation, ascii=True)
    again = parse_statement(shown, ["x"]).relation
    assert printed(again, notation, ascii=True) == shown
    assert printed(again) == printed(relation)


@settings(max_examples=200, deadline=10_000)
@given(TEXTS_OF_ARITHMETIC)
def test_printed_arithmetic_keeps_its_value(text: str) -> None:
    """Printing and reading a term of arithmetic does not change its value."""
    term = parse_statement(f"{text} = 0").relation.left
    again = parse_statement(printed(Eq(term, 0), ascii=True)).relation.left
    try:
        expected = value(term)
    except ZeroDivisionError:
        assume(False)
    assert value(again) == expected

"""The SymPy model at fixed and symbolic d: the README's first session, the Jacobian, the eigen relations, numbers put in."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy as sp

from lnsym.errors import TermError
from lnsym.model import Model, model


def is_zero(matrix: sp.Matrix) -> bool:
    return all(entry == 0 for entry in sp.simplify(matrix))


def test_the_first_session() -> None:
    m = model(3)
    a = sp.symbols("a", positive=True)
    assert m.core.shape == (3, 1)
    assert sp.simplify(m.variance - m.q / (m.q + m.eps)) == 0
    assert is_zero(m.scaled(a) - a * m.v / sp.sqrt(a**2 * m.q + m.eps))
    assert is_zero(m.jacobian - m.J)
    assert m.at(z=(1, 2, 3), eps=sp.Rational(1, 3)).core == sp.Matrix([-1, 0, 1])


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_jacobian_is_sympys_own_and_equals_the_closed_form(d: int) -> None:
    m = model(d)
    by_hand = sp.Matrix(d, d, lambda i, j: sp.diff(m.core[i], m.z[j]))
    assert m.jacobian == by_hand
    assert is_zero(m.jacobian - m.J)


def test_another_closed_form_does_not_equal_the_jacobian() -> None:
    m = model(2)
    without_d = (m.P - m.v * m.v.T / (m.q + m.eps)) / m.s
    assert not is_zero(m.jacobian - without_d)


def test_eigen_relations() -> None:
    m = model(3)
    w = m.v.cross(sp.ones(3, 1))  # orthogonal to v and to the vector of ones
    assert is_zero(m.jacobian * sp.ones(3, 1))
    assert is_zero(m.jacobian * m.v - m.eps / m.s**3 * m.v)
    assert is_zero(m.jacobian * w - w / m.s)
    assert not is_zero(m.jacobian * m.v - m.v / m.s)


def test_numbers() -> None:
    point = model(3).at(z=(1, 2, 4), eps="1/3")
    assert (point.mu, point.q) == (sp.Rational(7, 3), sp.Rational(14, 9))
    assert point.core == sp.Matrix([-4, -1, 5]) / sp.sqrt(17)
    assert point.jacobian == point.J
    assert point.at(gamma=(1, 1, 1), beta=(0, 0, 0)).y == point.core
    assert model(3).at(z=(1, 2, 3), eps=Fraction(1, 3)).scaled(2) == sp.Matrix([-2, 0, 2]) / sp.sqrt(3)


def test_a_part_of_the_numbers_may_be_left_out() -> None:
    m = model(2).at(eps=1)
    assert m.eps == 1
    assert m.q == model(2).q
    assert repr(m) == "<layer normalization at d = 2, epsilon = 1>"


def test_a_whole_number_of_sympy_is_one_too() -> None:
    assert repr(model(sp.Integer(3))) == repr(model(3))


def test_assumptions_of_the_symbols() -> None:
    m = model(3)
    assert m.eps.is_positive
    assert all(entry.is_real for entry in m.z)
    assert sp.sympify(model().d).is_integer


def test_symbolic_d() -> None:
    m = model("d")
    i, j = sp.symbols("i j", integer=True, positive=True)
    assert m.z == sp.IndexedBase("z", real=True)[i]
    assert sp.KroneckerDelta(i, j) - 1 / m.d == m.P
    for name in ("mu", "v", "q", "s", "u", "y", "J", "variance", "jacobian"):
        bound = {limit[0] for total in getattr(m, name).atoms(sp.Sum) for limit in total.limits}
        assert bound
        assert not bound & {i, j}, f"a bound index of {name} would be captured"


def test_the_symbolic_jacobian_has_the_value_of_the_closed_form() -> None:
    m, small = model(), model(3).at(z=(1, 2, 4), eps="1/3")
    i, j = sp.symbols("i j", integer=True, positive=True)
    z = sp.IndexedBase("z", real=True)
    for row, column in ((1, 1), (1, 3)):
        value = m.jacobian.subs({i: row, j: column}).subs(m.d, 3).doit().subs({z[1]: 1, z[2]: 2, z[3]: 4, m.eps: sp.Rational(1, 3)})
        assert sp.simplify(value - small.J[row - 1, column - 1]) == 0


@pytest.mark.parametrize("d", [0, 7, -1, True, 2.0, "n"])
def test_other_d_are_refused(d: object) -> None:
    with pytest.raises(TermError, match="expected d from 1 to 6"):
        model(d)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"z": (1, 2)}, "z has 2 entries, expected 3"),
        ({"z": (1, 2, 0.5)}, "0.5 is not exact"),
        ({"eps": 0}, "expected a positive number"),
        ({"eps": "one"}, "expected a number such as 1/3, got 'one'"),
        ({"eps": "1/0"}, "expected a number"),
    ],
)
def test_wrong_numbers_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(TermError, match=message):
        model(3).at(**values)  # type: ignore[arg-type]


def test_numbers_need_a_fixed_d() -> None:
    with pytest.raises(TermError, match=r"model\(3\)\.at"):
        Model().at(eps=1)


def test_lnsym_alone_does_not_import_sympy() -> None:
    code = "import sys, lnsym; print('sympy' in sys.modules, 'mpmath' in sys.modules); import lnsym.model; print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False False\nTrue\n"

"""Answers typed by hand: right and wrong lines, slips of the catalogue and of algebra, coefficients and numbers."""

from __future__ import annotations

import pytest
from lnsym.derivations.definitions import eps

from lnsym.kernel.terms import Num
from lnsym.lang import positive
from lnsym.lesson import book
from lnsym.lesson.marking import mark
from lnsym.lesson.records import Task
from lnsym.statement import parse_expression
from tests.lesson.samples import BACKWARD, CORE, JACOBIAN, VARIANCE, line
from tests.lesson.truth import insist_on_truth

RIGHT = {
    VARIANCE: (
        "q/(q+eps)", "= q/(q + ε)", "q/s^2 = q/(q+eps)", "rho", "1 - eps/(q+eps).", "var(z)/(var(z)+eps)", "(1/d)*sum_k v_k^2/(ε + q)",
        "q / (eps + q)", "q*r^2", "var(u) = ρ",
    ),
    CORE: ("v/s", "(z - mean(z))/sqrt(var(z) + eps)", "v_i/√(q + ε)", "r*(z_i - mu)", "u", "P(z)/s", "uᵢ"),
    JACOBIAN: (
        "(P - outer(u, u)/d)/s", "J", "(delta_ij - 1/d - u_i*u_j/d)/s", "J[i,j]", "r*(P[i,j] - u_i*u_j/d)",
        "D(u_i, z_j) = (P - outer(v, v)/(d*s^2))/s",
    ),
    BACKWARD: (
        "r*(gamma*g - mean(gamma*g) - u*mean(gamma*g*u))", "(γ*g - mean(γ*g) - u*mean(γ*g*u))/s", "(P(gamma*g) - u*dot(gamma*g, u)/d)/s",
        "dx = (gamma_i*g_i - (1/d)*sum_j gamma_j*g_j - u_i*mean(gamma*g*u))/s", "(γ ⊙ g - mean(γ ⊙ g) - u·⟨γ ⊙ g, u⟩/d)/s",
        "J(gamma*g) = r*(gamma*g - mean(gamma*g) - u*mean(gamma*g*u))",
    ),
}  # fmt: skip

SLIPS = {
    CORE: {
        "v/(sqrt(q) + eps)": "LN101", "v/(s + eps)": "LN102", "v/sqrt(q + eps^2)": "LN103", "v/sqrt(q + eps/d)": "LN107",
        "v/sqrt(q + 2eps)": "LN110", "v/sqrt(q - eps)": "LN113", "v/(sqrt(d*q/(d-1)) + eps)": "LN114", "v/sqrt(q) + eps": "LN115",
        "v*(1/sqrt(q) + eps)": "LN116", "v/sqrt(sqrt(q) + eps)": "LN117", "v/sqrt(d*q/(d - 1) + eps)": "LN120",
        "v/sqrt(sum_i(v_i^2) + eps)": "LN121", "z/sqrt(mean(z^2) + eps)": "LN126", "z/s": "LN127", "v/sqrt(mean(z^2) + eps)": "LN128",
        "v/(q + eps)": "LN129", "v/(q + eps)^2": "LN130", "v*s": "LN131", "v^2/s": "LN132", "z - mu/s": "LN163", "z/s - mu": "LN164",
    },
    VARIANCE: {
        "q/(sqrt(q) + eps)^2": "LN101", "q/(q + 2*eps)": "LN110", "q/(q+eps)^2": "LN129", "q/s": "a root too many",
        "sum_i(v_i^2)/(q+eps)": "a sum in place of a mean", "2q/(q+eps)": "a needless factor", "-q/(q+eps)": "a sign",
        "q": "a missing division", "q/q + eps": "missing brackets",
    },
    JACOBIAN: {
        "(P[i,j] - v_i*v_j/(q+eps))/s": "a missing factor",
        "(delta_ij - v_i*v_j/(d*(q+eps)))/s": "not centered", "P[i,j]/s": "a missing term",
        "(P[i,j] + v_i*v_j/(d*(q+eps)))/s": "a sign", "P[i,j] - v_i*v_j/(d*(q+eps))": "a missing division",
    },
    BACKWARD: {
        "gamma*g/s": "LN301", "(gamma*g - u*mean(gamma*g*u))/s": "LN302", "(gamma*g - mean(gamma*g))/s": "LN303",
        "(g - mean(g) - u*mean(g*u))/s": "LN304", "(gamma^2*g - mean(gamma^2*g) - u*mean(gamma^2*g*u))/s": "LN305",
        "gamma*(g - mean(g) - u*mean(g*u))/s": "LN306", "(gamma*g - total(gamma*g) - u*dot(gamma*g, u))/s": "LN310",
        "(gamma*g + mean(gamma*g) - u*mean(gamma*g*u))/s": "LN313", "(gamma*g - mean(gamma*g) + u*mean(gamma*g*u))/s": "LN314",
        "(gamma*g - mean(gamma*g) - v*mean(gamma*g*u))/s": "LN316", "gamma*g - mean(gamma*g) - u*mean(gamma*g*u)": "LN317",
        "(gamma*g - mean(gamma*g) - u*mean(g*u))/s": "LN320", "(gamma*g - mean(gamma*g) - y*mean(gamma*g*y))/s": "LN315",
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "answer"), [(name, one) for name, answers in RIGHT.items() for one in answers])
def test_right_lines(name: str, answer: str) -> None:
    """As one types mathematics."""
    assert mark(line(name), answer).done, mark(line(name), answer)


@pytest.mark.parametrize(("name", "answer", "slip"), [(name, *one) for name, answers in SLIPS.items() for one in answers.items()])
def test_slips(name: str, answer: str, slip: str) -> None:
    """The slip that was made is the one that is named."""
    said = mark(line(name), answer)
    assert (said.verdict, said.slip) == ("slip", slip), said
    insist_on_truth(line(name), answer, said)


def test_what_is_true_under_an_assumption_names_it() -> None:
    """And the assumption is real: the witness speaks against the line without it."""
    for name, answer, needs in (
        (VARIANCE, "1", ("eps = 0",)), (CORE, "v/sqrt(q)", ("eps = 0",)), (JACOBIAN, "eps/s^3*P[i,j]", ("d = 2",)),
        ("core_smul.1.3", "v_i/s", ("a = 1",)), ("core_affine_eq_core_div_sq.1.2", "v_i/sqrt(q)", ("eps = 0",)),
    ):  # fmt: skip
        said = mark(line(name), answer)
        assert (said.verdict, said.needs) == ("needs", needs), said
        insist_on_truth(line(name), answer, said)


def test_a_division_that_may_be_by_zero_is_told() -> None:
    """v_i may be 0, so v_i^2/(v_i s) is not the core everywhere."""
    said = mark(line(CORE), "v_i^2/(v_i*s)")
    assert (said.verdict, said.needs) == ("needs", ("v_i != 0",))


def test_a_division_by_d_minus_1_is_told() -> None:
    """Where the line is 0 anyway, only d = 1 speaks against another divisor."""
    assert mark(line(CORE), "(d - 1)*v/((d - 1)*s)").needs == ("d != 1",)


def test_a_line_without_a_value_is_wrong() -> None:
    """It has no point to show, and says why."""
    for answer in ("v/sqrt(-(q + eps))", "v/sqrt(-1 - q)"):
        said = mark(line(CORE), answer)
        assert said.verdict == "different", said
        assert "no value" in said.message


def test_the_line_above_is_no_step() -> None:
    """Nor is it in another order; but an equal line in other words is one."""
    assert mark(line(VARIANCE), "q/s^2").message.startswith("That is the line you have")
    assert mark(line("variance_core_eq.1.3"), "s^(-2)*mean(v^2)").message.startswith("That is the line you have")
    assert mark(line(VARIANCE), "mean(v^2)/s^2").done


def test_the_other_sides_of_a_line_must_be_the_line_above() -> None:
    """A whole line counts as a whole."""
    said = mark(line(VARIANCE), "q/s = q/(q+eps)")
    assert said.verdict == "different"
    assert "q/s" in said.message
    assert said.witness is not None
    assert mark(line(VARIANCE), "mean(u^2) = q/s^2 = rho").done


def test_what_is_right_is_said_first() -> None:
    """Terms, the numerator or the denominator."""
    assert mark(line(BACKWARD), "(gamma*g - mean(gamma*g))/s").right == "The terms gamma_i*g_i/s and -mean(gamma*g)/s are right."
    assert mark(line(VARIANCE), "q/s").right == "The numerator q is right."
    assert mark(line(JACOBIAN), "-(P[i,j] - v_i*v_j/(d*(q+eps)))/s").right == "The denominator s is right."


def test_shapes_are_told() -> None:
    """A vector is no number."""
    assert mark(line(VARIANCE), "z").message == "Your answer is a vector, and a number is asked for."
    assert mark(line(CORE), "J").message == "Your answer is a matrix, and a vector is asked for."


WRONG_COEFFICIENTS = {"1/s^3": "a missing factor", "eps/s^2": "a power", "eps/s": "", "-eps/s^3": "a sign", "eps*s^3": "LN131"}


def test_a_coefficient_is_marked_like_a_line() -> None:
    """Five right and five wrong."""
    task = Task("t", "coefficient", "", (), (positive(eps),), parse_expression("eps/s^3"))
    for answer in ("eps/s^3", "eps*r^3", "ε/(s*(q+ε))", "(1/s)*(1 - rho)", "eps/sqrt(q + eps)^3"):
        assert mark(task, answer).done, answer
    for answer, slip in WRONG_COEFFICIENTS.items():
        said = mark(task, answer)
        assert said.verdict in ("slip", "different"), said
        assert not slip or said.slip == slip, said
        insist_on_truth(task, answer, said)


def test_indices_are_those_of_the_line_above() -> None:
    """Another name is told; one index too many is told in place of a witness."""
    tasks = {task.id: task for task in book.tasks(*book.lesson("jacobian_pieces"))}
    assert mark(tasks["jacobian_pieces.5"], "u_i").message == "Correct."
    assert mark(tasks["jacobian_pieces.5"], "u_k").message == "Correct, with k in place of i."
    assert mark(tasks["jacobian_pieces.5"], "v_k/s").message == "Correct, with k in place of i."
    said = mark(tasks["jacobian_pieces.5"], "u_i - u_j")
    assert said.message == "Not yet. Your answer depends on the indices i and j, and one index can stand there."
    assert mark(line(VARIANCE), "u_i^2").message == "Not yet. Your answer depends on the index i, and no index can stand there."


def test_what_holds_somewhere_is_not_said_to_hold_only_there() -> None:
    """core(a z) = a core(z) also where a is 0; and points at which a scalar is 0 name no slip."""
    tasks = {task.id: task for name in ("scaling", "mean_and_deviations") for task in book.tasks(*book.lesson(name))}
    assert "It is true where a = 1, but not in general." in mark(tasks["scaling.2"], "a*u_i").message
    assert "the division by d is missing" in mark(tasks["mean_and_deviations.2"], "mu + d*c").message


def test_numbers_are_exact() -> None:
    """Five right and five wrong, and decimals."""
    target = parse_expression("-2*sqrt(3)/3")
    task = Task("t", "compute", "", (), target=target)
    for answer in ("-2*sqrt(3)/3", "-2/sqrt(3)", "= -2*√(3)/3", "-sqrt(4/3)", "h = -2sqrt(3)/3"):
        assert mark(task, answer).done, answer
    for answer, verdict in (("2*sqrt(3)/3", "slip"), ("4/3", "slip"), ("-sqrt(3)/2", "slip"), ("0", "different"), ("q", "different")):
        assert mark(task, answer).verdict == verdict, mark(task, answer)
    assert "near" in mark(task, "-1.1547").right
    assert "near" not in mark(task, "-1.3").message
    assert not mark(task, "-1.1547").done
    assert mark(Task("t", "compute", "", (), target=Num(parse_expression("2/3").value)), "4/6").done  # type: ignore[union-attr]


def test_vectors_of_numbers() -> None:
    """Entry by entry."""
    task = Task("t", "compute", "", (), right="(-1, 0, 1)")
    for answer in ("(-1, 0, 1)", "-1,0,1", "u = (-1, 0, 1)", "[-1, 0, 2/2]", "(-1, 1 - 1, 1)"):
        assert mark(task, answer).done, answer
    said = mark(task, "(-1, 0, 2)")
    assert (said.verdict, said.right) == ("different", "Entries 1, 2 are right.")
    for answer in ("(1, 0, -1)", "(-1, 0)", "0", "(-1, 0, 1, 2)", "(0, 0, 0)"):
        assert not mark(task, answer).done, answer


def test_the_root_of_a_number_may_stand_beside_another_root() -> None:
    """The kernel does not draw it in; a wrong number there is met with a point."""
    tasks = {task.id: task for name in ("core", "family") for task in book.tasks(name, book.lessons()[name])}
    right = {
        "core.1": (
            "sqrt(2)*v_i/sqrt(2*q + 2*eps)",
            "v_i/(sqrt(2)*sqrt((q + eps)/2))",
            "sqrt(3)*v_i/√(3*(q + ε))",
            "sqrt(1/2)*v/sqrt((q + eps)/2)",
        ),
        "family.1": ("sqrt(3)*t/sqrt(2t^2 + 3eps)", "t*sqrt(3/2)/sqrt(t^2 + 3eps/2)", "t*√6/√(4t² + 6ε)"),
    }
    wrong = {
        "core.1": ("sqrt(2)*v_i/sqrt(q + eps)", "v_i/(sqrt(2)*sqrt(2*q + 2*eps))", "-sqrt(2)*v_i/sqrt(2*q + 2*eps)"),
        "family.1": ("sqrt(2)*t/sqrt(2t^2 + 3eps)", "t/sqrt(2t^2 + 3eps)"),
    }
    for task, answers in right.items():
        for answer in answers:
            assert mark(tasks[task], answer).verdict == "another form", (answer, mark(tasks[task], answer))
    for task, answers in wrong.items():
        for answer in answers:
            said = mark(tasks[task], answer)
            assert said.witness is not None, answer
            assert not said.done, answer


def test_a_derivative_by_the_dial_may_be_typed_as_it_is_printed() -> None:
    (task,) = (task for task in book.tasks("family", book.lessons()["family"]) if task.id == "family.3")
    for move in ("d/dt(sqrt(2t^2/3 + eps))", "d(sqrt(2t^2/3 + eps))/dt", "∂/∂t (√(2·t²/3 + ε))", "D(sqrt(2*t^2/3 + eps), t)"):
        assert mark(task, f"1/sqrt(2t^2/3 + eps) - t*{move}/(2t^2/3 + eps)").done, move

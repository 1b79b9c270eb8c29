"""No text makes marking fail, and what cannot be read gets a caret and a suggestion that can."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lnsym.kernel.terms import Num
from lnsym.lesson import book
from lnsym.lesson.marking import mark
from lnsym.lesson.records import Task
from lnsym.statement import parse_expression
from tests.lesson.samples import BACKWARD, CORE, JACOBIAN, VARIANCE, line, rule_task

REPAIRS = {
    "2xhat": "2u", "q/(q+eps": "q/(q+eps)", "q q": "q*q", "mean(v^2) s": "mean(v^2)*s", "gamma g": "gamma*g", "q/(q+epsi)": "q/(q+eps)",
    "0.5*q": "1/2*q", "Mean(v)": "mean(v)", "std": "s", "q/(q+eps))": "q/(q+eps)", "weight*g": "gamma*g", "|v|": "norm(v)",
    "sqrt q": "sqrt(q)", "x_i - mu": "z_i - mu", "qs": "q*s", "\\gamma*g": "gamma*g", "1/2q": "1/(2*q)", "q/(q+EPS)": "q/(q+eps)",
    "core(J z)": "core(J(z))", "vi": "v_i", "v_i/s_i": "v_i/s", "v^T v": "dot(v, v)", "q:(q+eps)": "q/(q+eps)",
    "v/sqrt(var + eps)": "v/sqrt(q+ eps)",
    "\\frac{z-\\mu}{\\sqrt{q+\\varepsilon}}": "(z-mu)/(sqrt(q+eps))",
    "1/(q+eps)^(1/2)": "1/sqrt(q+eps)", "q*var(z)^(-1/2)": "q*1/sqrt(var(z))", "17^(1/2)": "sqrt(17)",
    "(∑ᵢ (zᵢ - μ)²)/d": "(∑ᵢ((zᵢ - μ)²))/d", "1/d*sum_k (z_k-mu)^2": "1/d*sum_k((z_k-mu)^2)",
    "q*mean(1)": "q*mean(one)", "mean(z) + mean(c)": "mean(z) + mean(c*one)", "D(v_i/s)": "D(v_i/s, z_j)",
    "E[v^2]/s^2": "mean(v^2)/s^2", "E(v^2)": "mean(v^2)", "<v, v>/d": "dot(v, v)/d", "vᵀv": "dot(v, v)", "abs(q)": "sqrt((q)^2)",
    "(q+eps)^(3/2)": "sqrt(q+eps)^3", "(q+eps)^(-3/2)": "1/sqrt(q+eps)^3", "Pv": "P(v)", "|P h|^2/eps": "norm(P(h))^2/eps",
    "Jᵀ(g)": "transpose(J)(g)", "dy*xhat": "g*u", "E[x]": "mean(z)",
    "(weight*dy - mean(weight*dy) - xhat*mean(weight*dy*xhat))*rstd": "(gamma*g - mean(gamma*g) - u*mean(gamma*g*u))*r",
    "|q|": "sqrt(q^2)", "sum v_i^2": "sum_i v_i^2", "sum (z_i-mu)^2": "sum_i((z_i-mu)^2)", "mean(v_i^2)": "mean(v^2)",
    "mean(vᵢ²)": "mean(v²)", "mean(z_i)": "mean(z)", "qr²": "q*r²", "qv_i": "q*v_i", "δij": "δ_ij", "delta(i,j)": "delta_ij",
    "Pij": "P[i,j]", "P*z": "P(z)", "(P - v v^T/(d(q+eps)))/s": "(P - outer(v, v)/(d*(q+eps)))/s", "r(P - u uᵀ/d)": "r*(P - outer(u, u)/d)",
    "q + 1 1/2": "q + 1 + 1/2", "1 000*q": "1000*q",
}  # fmt: skip


@pytest.mark.parametrize(("answer", "meant"), REPAIRS.items())
def test_a_repair_is_suggested(answer: str, meant: str) -> None:
    """And the repaired text can be read."""
    said = mark(line(VARIANCE), answer)
    assert said.verdict == "unreadable"
    assert f"Did you mean {meant}?" in said.message, said
    assert mark(line(VARIANCE), meant).verdict != "unreadable"
    assert len(said.caret.splitlines()) == 2


@pytest.mark.parametrize("answer", ["1/0", "10^400", "1.2.3"])
def test_nothing_is_suggested_that_would_be_another_number(answer: str) -> None:
    """Such as 1/0 without the sign of the division."""
    assert "Did you mean" not in mark(line(VARIANCE), answer).message


@pytest.mark.parametrize(
    "answer",
    [
        "∂/∂zⱼ (vᵢ/s)",
        "d/dz_j (v_i/s)",
        "∂(vᵢ/s)/∂zⱼ",
        "d(v_i/s)/dz_j",
        "d (v_i/s) / d z_j",
        "∂ u_i / ∂ z_j",
        "(dz_i/dz_j - dmu/dz_j)/s - v_i*∂(s)/∂z_j/s^2",
        "(∂vᵢ/∂zⱼ)/s - vᵢ·(∂s/∂zⱼ)/s²",
        "dv_i/dz_j/s - v_i*(ds/dz_j)/s^2",
    ],
)
def test_a_derivative_as_it_is_printed_can_be_typed(answer: str) -> None:
    said = mark(line(JACOBIAN), answer)
    assert said.done, said


@pytest.mark.parametrize(
    ("answer", "column"),
    [("∂/∂zⱼ (foo/s)", 7), ("2*∂/∂zⱼ (v_i/foo) + 1", 13), ("ds/dz_j + foo", 10), ("2*∂(v_i/foo)/∂zⱼ", 8), ("d(v_i)/dz_j + foo", 14)],
)
def test_the_caret_of_a_printed_derivative_stands_in_what_was_typed(answer: str, column: int) -> None:
    text, caret = mark(line(JACOBIAN), answer).caret.splitlines()
    assert (text, caret.index("^")) == (answer, column)


def test_the_caret_stands_under_the_fault() -> None:
    """Also in the last side of a whole line, and behind a leading equals sign."""
    for answer, column in (("q/(q+foo)", 5), ("= q/(q+foo)", 7), ("q/s^2 = q/(q+foo)", 13)):
        text, caret = mark(line(VARIANCE), answer).caret.splitlines()
        assert text == answer
        assert caret.index("^") == column


def number(value: str) -> Task:
    return Task("t", "compute", "", (), target=parse_expression(value))


def test_a_right_number_is_right_however_it_is_spelled() -> None:
    """As a fraction, a decimal that is exact, with an exponent, in percent, or with its digits in groups."""
    spelled = {
        "3/4": (
            "0.75",
            ".75",
            "+.75",
            "75%",
            "7.5e-1",
            "75E-2",
            "¾",
            "= 0.75",
            "x = 0.75",
            "≈ 0.75",
            "(0.75)",
            "3 / 4",
            "0.750",
            "6/8",
            "3÷4",
            "1 - ¼",
        ),
        "-16": ("-16.0", "−16", "−16.0", "-1.6e1", "-16.", "-32/2"),
        "5006": ("5 006", "5'006", "5_006", "5006.0", "5.006e3", "5006."),
        "2/3": ("⅔", "2÷3", "2 ⁄ 3", "4/6", "1/(3/2)"),
    }
    for value, answers in spelled.items():
        for answer in answers:
            assert mark(number(value), answer).done, (value, answer, mark(number(value), answer))


def test_a_wrong_number_is_answered_however_it_is_spelled() -> None:
    said = {
        "0.66": "Give the exact value, such as -2/3",
        "66%": "Give the exact value",
        "0.67...": "Give the exact value",
        "~0.67": "Give the exact value",
        "0.5": "The value is larger than 0.5.",
        ".5": "The value is larger than .5.",
        "1e5": "The value is smaller than 1e5.",
        "1e400": "The value is smaller than 1e400.",
        "1e-400": "The value is larger than 1e-400.",
        "5.": "The value is smaller than 5.",
        "9" * 150: "The value is smaller than that.",
        "1.5": "This is the inverse of the value.",
        "½": "The value is larger than 1/2.",
        "0,67": "and one number is asked for. Did you mean 0.67?",
        "1,5": "Did you mean 1.5?",
        "5,006": "Did you mean 5006?",
        "1 000": "The value is smaller than 1000.",
        "1e99999": "numbers are exact here",
        "0.6, 0.7": "One number is asked for; you gave 2.",
    }
    for answer, message in said.items():
        found = mark(number("2/3"), answer)
        assert not found.done, answer
        assert found.message.removeprefix("Not yet. ").startswith(message) or message in found.message, (answer, found)
        assert ".." not in found.message, found


def test_where_nought_is_asked_for_beside_entries_a_row_of_them_is_right() -> None:
    """The line above has an index, so the answer may have one."""
    tasks = {task.id: task for name in ("why_eps", "core") for task in book.tasks(name, book.lessons()[name])}
    for answer in ("0", "0*one", "v", "v_i/s"):
        assert mark(tasks["why_eps.7"], answer).done, answer
    assert mark(tasks["why_eps.7"], "one").verdict == "different"
    assert mark(tasks["core.5"], "0*one").message == "Your answer is a vector, and a number is asked for."


WORDS = ("q", "eps", "s", "u", "v_i", "mean(", "sum_i", "J", "P", "z", "g", "ε", "√", "≤", "xhat", "²", "d", "\\", "|", "$", "⟨", "⊙")
ALPHABET = st.sampled_from([*"()[]{}=<>+-*/^_,. 0123456789", *WORDS])
TEXTS = st.one_of(st.text(max_size=30), st.lists(ALPHABET, max_size=14).map("".join))
ANY_TASK = [
    lambda: line(VARIANCE), lambda: line(CORE), lambda: line(JACOBIAN), lambda: line(BACKWARD), lambda: rule_task("variance_core_eq", 1, 4),
    lambda: Task("t", "compute", "", (), target=Num(parse_expression("2/3").value)),  # type: ignore[union-attr]
    lambda: Task("t", "compute", "", (), right="(-1, 0, 1)"),
    lambda: Task("t", "predict", "", choices=("it changes", "it stays"), right="a", theorem="variance_core_eq"),
    lambda: Task("t", "flaw", "", choices=("a = b", "c = d"), right="a", theorem="variance_core_eq"),
]  # fmt: skip


@settings(max_examples=250)
@given(text=TEXTS, which=st.integers(0, len(ANY_TASK) - 1))
@example(text="1/0", which=0)
@example(text="q/(q-q)", which=0)
@example(text="sqrt(-1)", which=0)
@example(text="0^(-1)", which=5)
@example(text="(" * 200, which=1)
@example(text="u" * 20_000, which=1)
@example(text="=", which=2)
@example(text="= =", which=2)
@example(text="1e999999", which=5)
@example(text="(u+v+z+g+h+w)^64", which=1)
@example(text="((((q+eps)^4)^4)^4)", which=0)
@example(text="a = b = c = d = eps = q", which=0)
def test_no_text_makes_it_fail(text: str, which: int) -> None:
    """Every text has an answer, and what cannot be read has words."""
    said = mark(ANY_TASK[which](), text)
    assert said.message
    assert not said.caret or len(said.caret.split("\n")) == 2


def test_hostile_texts_take_little_time() -> None:
    """Long powers, deep words, many sums."""
    slow = ("(u+v+z+g+h+w)^64", "mean(" * 30 + "v" + ")" * 30, "sum_i sum_j sum_k sum_l (v_i*v_j*v_k*v_l)^9", "sqrt(" * 20 + "q" + ")" * 20,
            "core(core(core(core(core(z)))))", "(q+eps+1)^30/(q+eps+2)^30", "1/(1+1/(1+1/(1+1/(1+1/(1+q)))))")  # fmt: skip
    for text in slow:
        began = time.process_time()
        mark(line(CORE), text)
        assert time.process_time() - began < 2.5, text

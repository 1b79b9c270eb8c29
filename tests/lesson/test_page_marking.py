"""The page's script in Node: it reads, computes and marks as the parser, the evaluator and the kernel do, and claims no more."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from lnsym.derivations.definitions import THEORY

from lnsym.errors import LnsymError, StatementError
from lnsym.evaluate import Evaluator
from lnsym.kernel.terms import Array, free_indices
from lnsym.lesson import book
from lnsym.lesson.marking import mark
from lnsym.lesson.shipped import pool
from lnsym.oracle import normalize
from lnsym.statement import parse_expression
from lnsym.surd import Irrational
from tests.lesson.marking_script import course, damaged, expression, node
from tests.lesson.rewrites import right_answers, wrong_answers
from tests.lesson.test_reading import REPAIRS

pytestmark = pytest.mark.node


def exact(text: str, point: int) -> str | None:
    """The exact value, i and j at 1 and 2; "none" where there is none, None where a root stands under a root."""
    term = parse_expression(text)
    assert not isinstance(term, Array)
    env = {index: {"i": 1, "j": 2}[index.name] for index in free_indices(term)}
    try:
        return str(Evaluator(THEORY, pool()[point]).value(term, env))
    except Irrational:
        return None
    except LnsymError:
        return "none"


def test_the_script_computes_what_the_evaluator_computes() -> None:
    order = random.Random(3)
    asked: list[tuple[str, int, str]] = []
    while len(asked) < 400:
        text, point = expression(order, order.choice((1, 2, 2, 3))), order.randrange(len(pool()) - 1)
        try:
            wanted = exact(text, point)
        except StatementError:
            continue
        if wanted is not None:
            asked.append((text, point, wanted))
    found = node([("value", text, point) for text, point, _ in asked])
    assert [(*one, said) for one, said in zip(asked, found, strict=True) if said != one[2]] == []
    assert sum("sqrt" in wanted for _, _, wanted in asked) > 20
    assert sum(wanted == "none" for _, _, wanted in asked) < 60


def test_the_script_refuses_what_the_parser_refuses_and_at_the_same_place() -> None:
    order = random.Random(4)
    texts = [damaged(order, expression(order, 2)) for _ in range(400)]
    wanted: list[int | None] = []
    for text in texts:
        try:
            parse_expression(text)
            wanted.append(-1)
        except StatementError as error:
            wanted.append(error.position)
    found = node([("read", text) for text in texts])
    assert [one for one in zip(texts, wanted, found, strict=True) if one[1] != one[2]] == []
    assert 100 < sum(one >= 0 for one in found) < 390


def test_the_definitions_give_what_the_emitted_exact_code_gives() -> None:
    calls: list[tuple[object, ...]] = []
    for n, point in enumerate(pool()[:-1]):  # the last has no second place
        x, eps = [str(entry) for entry in point.vectors["z"]], str(point.scalars["eps"])
        calls += [("normalize", x, eps), ("jacobian", x, eps), ("value", "u_i", n), ("value", "J[i,j]", n)]
    found = node(calls)
    for core, jacobian, first, corner in zip(*(found[k::4] for k in range(4)), strict=True):
        assert (core[0], jacobian[0][1]) == (first, corner)


def test_half_precision_is_that_of_numpy() -> None:
    order = random.Random(5)
    xs = [0.0, 2.0**-25, 2.0**-24 * 1.5, 65519.0, 65520.0, -(2.0**-14)]
    xs += [10 ** order.uniform(-9, 5) * order.choice((1, -1)) for _ in range(500)]
    (found,) = node([("half", xs)])
    with np.errstate(over="ignore"):
        wanted = [float(np.float16(x)) for x in xs]
    assert [float(one.replace("Infinity", "inf")) for one in found] == wanted
    assert any(math.isinf(one) for one in wanted)


def test_the_vectors_are_the_oracle_s_and_the_emitted_code_keeps_its_bound() -> None:
    rows = course()["vectors"]
    assert len(rows) == 100
    for x, eps, core, _ in rows[::9]:
        assert [float(one) for one in normalize([x], eps=Fraction(eps))[0]] == core
    assert node([("vectors",)]) == [[True] * 100]


# ---------------------------------------------------------------- marking


def judged() -> Iterator[tuple[str, str, bool]]:
    """Answers to each expression of the course: rewrites, which are right, and mutants, most of which are wrong."""
    for name, lesson in book.lessons().items():
        for task in book.tasks(name, lesson):
            if course()["tasks"][task.id]["kind"] == "expression" and task.target is not None:
                order = random.Random(task.id)
                yield from ((task.id, one, True) for one in right_answers(task.target, 4, order))
                yield from ((task.id, one, False) for one in wrong_answers(task.target, 4, order))


@pytest.mark.full
def test_rewrites_of_the_right_line_are_right_and_mutants_are_wrong() -> None:
    asked = list(judged())
    found = node([("mark", task, answer) for task, answer, _ in asked])
    tasks = {task.id: task for name, lesson in book.lessons().items() for task in book.tasks(name, lesson)}
    for (task, answer, is_right), said in zip(asked, found, strict=True):
        if bool(said.get("done")) != is_right and said["head"] != "Not compared":
            # A mutant may be right by chance, and a rewrite may give the line above or divide by what may be 0: the kernel decides.
            assert bool(said.get("done")) == mark(tasks[task], answer).done, (task, answer, said)
    assert len(asked) > 400
    assert sum(said["head"] == "Not compared" for said in found) < len(asked) / 20


def typed(sent: object) -> str:
    """A line as it was sent to the page, as a text; empty where it was sent as a tree."""
    return sent if isinstance(sent, str) else str(sent[0]) if isinstance(sent, list) else ""


def test_the_line_asked_for_is_right_and_its_known_slips_are_named() -> None:
    tasks = {name: task for name, task in course()["tasks"].items() if task["kind"] == "expression"}
    lines = [(name, line) for name, task in tasks.items() if (line := typed(task["target"]))]
    slips = [(name, line) for name, task in tasks.items() for _, sent in task["slips"][:3] if (line := typed(sent))]
    found = node([("mark", name, line) for name, line in (*lines, *slips)])
    assert [one for one, said in zip(lines, found, strict=False) if not said.get("done")] == []
    assert len(lines) > 40
    named = [bool(said.get("slip")) for said in found[len(lines) :]]
    assert sum(named) > 0.9 * len(named) > 100  # the rest are right where a hypothesis holds, or the line above


def test_replies_say_what_the_page_may_say() -> None:
    asked = {
        ("core_variance.2", "dot(u, u)/d"): ("Right", "It agrees at 20 exact points."),
        ("core_variance.2", "mean(u^2)"): ("Right", "It is the line asked for, and agrees at 20 exact points."),
        ("core_variance.2", "var(u)"): ("Not yet", "That is the line you have. Take one step from it."),
        ("core_variance.2", "u^2"): ("Not yet", "Your answer is a vector, and a number is asked for."),
        ("core_variance.6", "2/3"): ("Right", "The exact value is 2/3."),
        ("core_variance.6", "0.66"): ("Nearly", "Give the exact value, such as -2/3 or 2*sqrt(3)/3."),
        ("core_variance.6", "0.5"): ("Not yet", "The value is larger than 1/2."),
        ("core_variance.6", "1e5"): ("Not yet", "The value is smaller than 100000."),
        ("core_variance.6", "0,67"): ("Not read", "A comma parts the entries of a row, and one number is asked for."),
        ("adam.1", "0.75"): ("Right", "The exact value is 3/4."),
        ("adam.1", "¾"): ("Right", "The exact value is 3/4."),
        ("adam.3", "c"): ("Right", "It is the line asked for, and agrees at 20 exact points."),
        ("case_and_batch.6", "5 006"): ("Right", "The exact value is 5006."),
        ("computing.5", "−1.6e1"): ("Right", "The exact value is -16."),
        ("variance.3", "(d - 1)*q/(d - 1)"): (
            "Nearly",
            "It agrees at 19 exact points. At z = (0) it has no value, though the line asked for has one.",
        ),
        ("scaling.5", "a^2*v_i/(a*sqrt(a^2*q + eps))"): (
            "Nearly",
            "It agrees at 19 exact points. At z = (0, 4), a = 0, eps = 5, i = 1 it has no value, though the line asked for has one.",
        ),
        ("why_eps.7", "0*one"): ("Right", "It agrees at 20 exact points."),
        ("core_variance.6", "q"): ("Not yet", "A number is asked for, such as -2/3 or 2*sqrt(3)/3. Put the values in."),
    }
    for (key, wanted), said in zip(asked.items(), node([("mark", *key) for key in asked]), strict=True):
        assert (said["head"], said["text"]) == wanted, key
        assert "prove" not in json.dumps(said)


def test_slips_are_named_with_a_point_and_unreadable_text_with_a_repair() -> None:
    calls = [
        ("mark", "backward.2", "r*(gamma*g - mean(gamma*g))"),
        ("mark", "core_variance.2", "sum_i u_i^2"),
        ("mark", "core_variance.6", "3/2"),
        ("mark", "core_variance.2", "mean(xhat^2"),
        ("mark", "core_variance.2", "mean(u2)"),
        ("mark", "core_variance.2", "mean(u) = mean(u^2)"),
        ("mark", "core.1", "v_i/sqrt(q)"),
        ("mark", "core_variance.2", "(" * 60),
        ("mark", "core_variance.2", "u" * 500),
    ]
    backward, total, inverse, unreadable, glued, chain, without_eps, deep, long = node(calls)
    assert backward["slip"].startswith("LN303: ")
    assert "yours" in backward["text"]
    assert total["slip"].startswith("A sum stands in place of mean(u^2)")
    assert total["text"].startswith("At z = (")
    assert inverse["slip"] == "This is the inverse of the value."
    assert unreadable["meant"] == "mean(u^2)"
    assert unreadable["caret"] == ["mean(xhat^2", "     ^"]
    assert glued["meant"] == "mean(u^2)"
    assert chain["text"].startswith("The side mean(u) of your line is not the line above. At z = (")
    assert without_eps["slip"] == "LN104: eps is not used: the row is divided by sqrt(var). It agrees where eps = 0, but not in general."
    assert deep["head"] == long["head"] == "Not read"


def test_an_assumption_that_is_missing_is_named() -> None:
    asked = {
        ("core_variance.4", "1"): "eps = 0",
        ("scaling.5", "sqrt(a^2)*v_i/sqrt(a^2*q + eps)"): "a > 0",
        ("scaling.5", "v_i/sqrt(q + eps)"): "a = 1",
        ("mean_and_deviations.3", "mean(z)"): "c = 0",
        ("variance.3", "mean(z^2)"): "mean(z) = 0",
        ("gain_and_bias.1", "u_i + beta_i"): "all gains are 1",
        ("gain_and_bias.1", "gamma_i*u_i"): "beta = 0",
        ("gain_and_bias.2", "gamma_1*mean(u) + mean(beta)"): "all gains are 1",
        ("backward.2", "r*(gamma_i*g_i - u_i*mean(gamma*g*u))"): "mean(gamma*g) = 0",
        ("backward.2", "r*(gamma_i*g_i - mean(gamma*g))"): "gamma*g is orthogonal to u",
        ("backward.2", "r*gamma_i*g_i"): "mean(gamma*g) = 0 and gamma*g is orthogonal to u",
        ("jacobian_pieces.2", "delta_ij - 1/2"): "d = 2",
    }
    for (key, wanted), said in zip(asked.items(), node([("mark", *key) for key in asked]), strict=True):
        assert f"It agrees where {wanted}, but not in general." in said["slip"], (key, said)
    without = (("gain_and_bias.1", "u_i"), ("core_variance.4", "q/eps"), ("core.5", "mean(z)/s"), ("core.5", "1"))
    for key, said in zip(without, node([("mark", *key) for key in without]), strict=True):
        assert said["head"] == "Not yet", key
        assert "agrees where" not in said["slip"], (key, said)


def test_the_page_suggests_what_the_terminal_suggests() -> None:
    asked = [(task, answer) for answer in REPAIRS for task in ("core_variance.4", "jacobian.5") if "." not in answer]
    tasks = {task.id: task for name in ("core_variance", "jacobian") for task in book.tasks(name, book.lessons()[name])}
    differ = []
    for key, said in zip(asked, node([("mark", *key) for key in asked]), strict=True):
        meant = mark(tasks[key[0]], key[1]).message.partition(" Did you mean ")[2].removesuffix("?")
        if meant[:1] != "'" and said.get("meant", "") != meant:
            differ.append((key, said.get("meant"), meant))
    assert differ == []
    assert len(asked) > 90


def test_every_task_has_enough_points_and_those_that_tasks_share_have_rational_roots() -> None:
    counts = {len(task["points"]) for task in course()["tasks"].values() if task["kind"] == "expression"}
    assert min(counts) >= 12
    assert max(counts) == 20
    for point in pool():
        assert isinstance(Evaluator(THEORY, point).symbol("s"), Fraction)
    assert any(len(set(point.vectors["z"])) == 1 for point in pool())

"""The text of emitted JavaScript: any theorem's formula is printed, read back and proved; what is changed in a text is caught."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from lnsym.derivations.definitions import d, eps, s, u, v, z

from lnsym import library, oracle
from lnsym.derivation import Claim, Derivation, Offer, Theorem, algebra, by, centred, check, split, unfold, variance
from lnsym.emit.build import assembled
from lnsym.emit.entrywise import row_function
from lnsym.emit.plan import Plan, plan_of, plans, verified
from lnsym.emit.readback import NotRead, proved
from lnsym.emit.statements import Node, Result, Steps, name, number
from lnsym.emit.targets import target
from lnsym.emit.targets.javascript import HOLDS
from lnsym.errors import EmitError
from lnsym.kernel.terms import Index
from lnsym.lang import Eq, core, delta, dot, fraction, i, j, matrix, mean, positive, sqrt, symbols, total, vector
from tests.emit.javascript import alike, battery, mutants
from tests.emit.node import outcomes, run, source

TIERS = ("plain", "exact")
a = symbols("a")[0]
w = vector("w")
node = pytest.mark.node


def theorem(*claims: Claim, offers: Sequence[Offer], **fields: Any) -> Theorem:
    derivation = Derivation("A temporary theorem.", "T00", claims, offers=tuple(offers), **fields)
    return check(derivation, library.book().theory, "temporary", "temporary")


def same(left: Any, right: Any) -> Claim:
    return Claim(Eq(left, right), by(algebra, why="Both sides are the same."))


def written(*claims: Claim, offers: Sequence[Offer], tier: str = "plain", **fields: Any) -> str:
    """The module of a temporary theorem."""
    planned = {plan.op: plan for plan in plan_of(theorem(*claims, offers=offers, **fields))}
    return assembled(target("javascript"), planned, tuple(planned), tier, "lnsym emit javascript").source


def called(text: str, op: str, *values: Any) -> Any:
    """What a function of a text gives."""
    (found,) = outcomes(text, [(op, values)])
    assert not found.error, found.error
    return found.result


# ---------------------------------------------------------------- any theorem that offers a formula


@node
@pytest.mark.parametrize(
    "symbol", ["x0", "mean", "core", "x", "deviations", "await", "delete", "arguments", "vectorOf", "batch", "n", "i", "d'", "part"]
)
def test_a_symbol_never_collides_with_a_name_of_the_code(symbol: str) -> None:
    other = vector(symbol)
    claim = Claim(Eq(other * v / s + z, other * u + z), by(unfold(u), why="The definition of the core."))
    text = written(claim, offers=[Offer("f", "y")], given=(positive(eps),))
    arguments = re.search(r"^export function f\((.*?), eps = 1e-5\)", text, re.MULTILINE)[1].split(", ")  # type: ignore[index]
    values = {"x": [1.0, 2.0, 4.0]}
    got = called(text, "f", *(values.get(one, [0.5, -2.0, 3.0]) for one in arguments), 0.25)
    factor = np.array([0.5, -2.0, 3.0])
    np.testing.assert_allclose(got, oracle.normalize([[1.0, 2.0, 4.0]], 0.25)[0] * factor + [1.0, 2.0, 4.0], rtol=1e-14)


@node
def test_words_constants_entries_matrices_and_several_results() -> None:
    text = written(
        same(dot(w, w) * a + total(w) / d + mean(w * w), a * dot(w, w) + mean(w * w) + total(w) / d),
        same(a * delta(i, j) + w[i] * w[j], w[i] * w[j] + delta(i, j) * a),
        same(w[Index("2")] * z + z - z, z * w[Index("2")]),
        same(mean(z) - mean(z) + 7 + mean(0 * w), 7 + mean(0 * z)),
        same(z - z + a, a + z * 0),
        offers=[Offer("words", "y"), Offer("square", "m", 2), Offer("second", "y", 3), Offer("both", "seven", 4), Offer("both", "a'", 5)],
    )
    assert called(text, "words", [[1.0, 2.0], [3.0, 4.0]], 2.0) == [10.0 + 1.5 + 2.5, 50.0 + 3.5 + 12.5]
    assert called(text, "square", [1.0, 2.0, 4.0], 10.0) == [[11.0, 2.0, 4.0], [2.0, 14.0, 8.0], [4.0, 8.0, 26.0]]
    order = re.search(r"^export function second\((.*)\)", text, re.MULTILINE)[1].split(", ")  # type: ignore[index]
    given = {"x": [[1.0, 2.0], [5.0, 7.0]], "w": [1.0, 3.0]}
    assert called(text, "second", *(given[one] for one in order)) == [[3.0, 6.0], [15.0, 21.0]]
    assert called(text, "both", [[1.0, 2.0]], 3.0) == {"seven": [7.0], "a'": [[3.0, 3.0]]}
    short, wrong = outcomes(text, [("second", [[1.0], [1.0]]), ("second", [[1.0, 2.0], [1.0]])])
    assert short.error == "RangeError: expected at least 2 entries in a row, got 1"
    assert wrong.error.startswith("RangeError: ")


@node
@pytest.mark.parametrize("exponent", [-3, -1, 0, 2, 5])
def test_powers_and_numbers_keep_their_values(exponent: int) -> None:
    first, second = 2 * a**exponent / eps, a * fraction(2, 3) - a
    claim = Claim(Eq(first + second, second + first), by(algebra, why="The same."), given=(positive(a), positive(eps)))
    for tier, convert in (("plain", float), ("exact", str)):
        text = written(claim, offers=[Offer("f", "value")], tier=tier)
        order = re.search(r"^export function f\((.*)\)", text, re.MULTILINE)[1].split(", ")  # type: ignore[index]
        got = called(text, "f", *(convert(7 if one.startswith("eps") else 3) for one in order))
        want = 2 * Fraction(3) ** exponent / 7 - 1
        assert Fraction(got) == want if tier == "exact" else got == pytest.approx(float(want), rel=1e-15)


def test_what_has_no_form_is_refused() -> None:
    for claim, message in (
        (same(a * (10**20) + a - a, a * 10**20), "more digits than a number of JavaScript holds"),
        (same((matrix("M") @ w)[i] + 0, (matrix("M") @ w)[i]), "the product of a matrix with a vector stays"),
    ):
        with pytest.raises(EmitError, match=message):
            written(claim, offers=[Offer("f", "y")])
    with pytest.raises(EmitError, match="'delete' of an offer is no name for a function of JavaScript"):
        written(same(a + 0, a), offers=[Offer("delete", "y")])


def test_the_core_of_another_vector_has_lines_of_its_own() -> None:
    claim = Claim(
        Eq(core(z) * core(w) + 0 * z, core(z) * core(w)), by(algebra, split, centred, variance, why="The same."), given=(positive(eps),)
    )
    text = written(claim, offers=[Offer("f", "y")])
    assert "const core_w = vectorOf(d, (i) => deviations_w[i] / root_w);" in text


# ---------------------------------------------------------------- the text of a row function


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (Node("negate", (Node("negate", (name("a"),)),)), "-(-a)"),
        (Node("negate", (Node("power", (name("a"),), 2),)), "-power(a, 2)"),
        (Node("divide", (name("a"), Node("multiply", (name("b"), name("c"))))), "a / (b * c)"),
        (Node("multiply", (name("a"), Node("divide", (name("b"), name("c"))))), "a * (b / c)"),
        (Node("add", (name("a"), Node("negate", (Node("add", (name("b"), name("c"))),)))), "a - (b + c)"),
        (Node("add", (name("a"), Node("multiply", (Node("negate", (name("b"),)), name("c"))))), "a + -b * c"),
        (Node("divide", (name("a"), number(Fraction(1, 3)))), "a / (1 / 3)"),
        (Node("multiply", (name("a"), Node("negate", (name("b"),)))), "a * -b"),
    ],
)
def test_brackets_follow_javascript(one: Node, text: str) -> None:
    found = Steps((), ("a", "b", "c"), (), (Result("y", one, "scalar"),))
    assert f"    y: {text},\n" in row_function("f_row", found, ("a", "b", "c"))


@node
def test_the_printed_text_reads_back_as_node_reads_it() -> None:
    """The value that Node gives to a text is that of its tree, for expressions whose brackets are easily lost."""
    trees = [
        Node("add", (name("a"), Node("negate", (Node("add", (name("b"), Node("negate", (name("c"),)))),)))),
        Node("divide", (Node("divide", (name("a"), name("b"))), Node("multiply", (name("c"), Node("negate", (name("a"),)))))),
        Node("negate", (Node("multiply", (Node("negate", (name("a"),)), Node("add", (name("b"), name("c"))))),)),
    ]
    values = [4.0 - (2.0 - 8.0), (4.0 / 2.0) / (8.0 * -4.0), -(-4.0 * (2.0 + 8.0))]
    for tree, value in zip(trees, values, strict=True):
        found = Steps((), ("a", "b", "c"), (), (Result("y", tree, "scalar"),))
        text = "export " + row_function("f_row", found, ("a", "b", "c")) + source("plain").partition("// Numbers")[2]
        assert called(text, "f_row", 4.0, 2.0, 8.0) == {"y": value}


def test_texts_outside_what_is_read_are_refused() -> None:
    (plan,) = plans(["normalize"])
    text = source("plain")
    for old, new in (
        ("u: vectorOf(d, (i) => deviations[i] / root),", "u: vectorOf(d, (i) => deviations[i] ** root),"),
        ("const mean = meanOf(d, (i) => x[i]);", "let mean = meanOf(d, (i) => x[i]);"),
        ("const mean = meanOf(d, (i) => x[i]);", "const mean = meanOf(d, (i) => x[j]);"),
        ("const mean = meanOf(d, (i) => x[i]);", "const mean = meanOf(d, (i) => y[i]);"),
        ("const mean = meanOf(d, (i) => x[i]);", "if (d) const mean = meanOf(d, (i) => x[i]);"),
        ("function normalize_row(x, eps)", "function normalize_row(x, eps, more)"),
        ("function normalize_row(x, eps)", "function other_row(x, eps)"),
        ("\n/** Whether a value is a list", "\nfunction normalize_row(x, eps) {\n  return {\n  };\n}\n\n/** Whether a value is a list"),
    ):
        assert old in text
        with pytest.raises(NotRead):
            proved(text.replace(old, new, 1), plan, (HOLDS,))
    with pytest.raises(EmitError, match="which is not the"):
        proved(text.replace("Math.sqrt(variance + eps)", "Math.sqrt(variance) + eps"), plan, (HOLDS,))
    with pytest.raises(EmitError, match="no theorem states more"):
        proved(text.replace("    u: vectorOf", "    more: eps,\n    u: vectorOf", 1), plan, (HOLDS,))


# ---------------------------------------------------------------- mutants


def generic() -> tuple[Plan, ...]:
    """Operations that only a temporary theorem knows, which use what the book's do not: entries at a place, rows beside batches."""
    c = symbols("c")[0]
    second, quotient = w[Index("2")] * z, a / c * (1 / c**2)
    root = Claim(Eq(sqrt(c) + 0, sqrt(c)), by(algebra, why="The same."), given=(positive(c),))
    offers = [Offer("second", "y", 1), Offer("ratio", "value", 2), Offer("root", "value", 3)]
    ratio = Claim(Eq(quotient + 0, quotient), by(algebra, why="The same."), given=(positive(c),))
    return plan_of(theorem(same(second + z - z, second), ratio, root, offers=offers))


def parts(tier: str, *others: Plan) -> tuple[str, str, str]:
    """A module cut in three: public functions, row functions, helpers; test vectors are left off."""
    planned = {plan.op: plan for plan in (*plans(), *others)}
    text = assembled(target("javascript"), planned, tuple(planned), tier, "lnsym emit javascript", validate=False).source
    line = f"// {'-' * 64} "
    public, _, rest = text.partition(f"{line}one row each")
    rows, _, helpers = rest.partition(f"{line}arguments and results")
    return public, f"{line}one row each{rows}", f"{line}arguments and results" + helpers.partition(f"{line}test vectors")[0]


def is_refused(text: str, plan: Plan) -> bool:
    """Whether the proofs fail."""
    try:
        proved(text, plan, (HOLDS,))
    except EmitError:
        return True
    return False


@pytest.mark.parametrize("tier", TIERS)
def test_every_mutant_of_a_row_function_is_refused_by_the_proofs(tier: str) -> None:
    _, rows, _ = parts(tier)
    planned = {plan.op: verified(plan) for plan in plans()}
    tried, alive = 0, []
    for function in re.findall(r"^function \w+_row.*?^\}$", rows, re.DOTALL | re.MULTILINE):
        op = re.match(r"function (\w+)_row", function)[1]  # type: ignore[index]
        head, _, body = function.partition("\n")
        assert proved(function, planned[op], (HOLDS,)).proofs
        for changed, mutant in mutants(body):
            tried += 1
            if not is_refused(f"{head}\n{mutant}", planned[op]):
                alive.append(changed)
    assert not alive
    assert tried > 60


GCD = "let a = p < 0n ? -p : p, b = q < 0n ? -q : q; | 0n -> 1n"
NEWTON = "let root = 1n << BigInt((n.toString(2).length + 1) >> 1);"
# Mutants that compute the same, each with the reason; the one of the greatest common divisor is made twice.
EQUIVALENT: dict[str, dict[str, str]] = {
    "plain": {},
    "exact": {
        "return { rows, d, isBatch, isPlain: Array.isArray(isBatch ? value[0] : value) }; | 0 -> 1": "rows of texts have one kind",
        GCD: "for p = 0 the sign of 0 changes, and BigInt has one 0; q is not 0",
        "return q < 0n ? [-p / a, -q / a] : [p / a, q / a]; | 0n -> 1n": "q is not 0",
        f"{NEWTON} | 1n -> 2n": "Newton's method comes down from any number above the root",
        f"{NEWTON} | 1 -> 2": "Newton's method comes down from any number above the root",
        'const zeros = parameterFrom("ddx", null, batch.d, ZERO); | ZERO -> ONE': "a common shift of z changes nothing",
    },
}


@node
@pytest.mark.parametrize("tier", TIERS)
def test_mutants_of_public_functions_and_helpers_are_caught(tier: str) -> None:
    public, rows, helpers = parts(tier, *generic())
    made = [(changed, public + rows + mutant) for changed, mutant in mutants(helpers)]
    made += [(changed, mutant + rows + helpers) for changed, mutant in mutants(public)]
    calls = battery(tier)
    right, *found = run([public + rows + helpers, *(text for _, text in made)], calls, limit=1000)
    assert not isinstance(right, str)
    alive = [changed for (changed, _), one in zip(made, found, strict=True) if not isinstance(one, str) and all(map(alike, right, one))]
    assert set(alive) == set(EQUIVALENT[tier])
    assert len(alive) == len(EQUIVALENT[tier]) + (GCD in alive)
    assert len(made) > 60

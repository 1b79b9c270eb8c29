"""Names the mistake in a wrong line: a slip of the catalogue, a slip of algebra, or an assumption that is missing; and what is right.

A slip is put into the right line and compared with the answer at exact points. Imports the terms, the kernel and the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice

from lnsym.derivations.definitions import THEORY, beta, d, eps, g, gamma, mu, q, s, u, v, y, z
from lnsym.errors import KernelError, TooLarge
from lnsym.evaluate import Exhausted
from lnsym.kernel.normal import BUDGET, Normalizer
from lnsym.kernel.prove import prove
from lnsym.kernel.terms import Add, Array, Entry, Hypothesis, Mul, Num, Relation, Root, Sym, Term, Word, walk
from lnsym.lang import Eq, P, dot, mean, one, positive, sqrt, var, vector
from lnsym.lesson.marking.parts import (
    DIVISION,
    DIVISOR,
    FACTOR,
    MINUS,
    NO_MEAN,
    NO_SUM,
    NUMBER,
    SIGN,
    denominator,
    numerator,
    rewrite,
    shortened,
    shown,
    summands,
    total,
    variants,
)
from lnsym.lesson.marking.sample import Sample
from lnsym.lesson.records import Task
from lnsym.points import find_point
from lnsym.refute import Counterexample

SIZE = 1_500  # nodes of an answer and a line for which slips and assumptions are looked for
OPERATIONS = 2_000  # multiplications in their normal forms

Named = tuple[str, str, Term]  # a code of the catalogue, what happened, and the line with that slip in it


@dataclass(frozen=True)
class Findings:
    """What was found in a wrong line."""

    right: str = ""
    slip: tuple[str, str] | None = None  # a code or the kind of slip, and what happened in words
    needs: tuple[str, ...] = ()
    agreed: int = 0  # exact points at which answer and line agree, where nothing else is known


def examine(task: Task, answer: Term, target: Term, witness: Counterexample | None) -> Findings:
    """What is right in a wrong line, and what the mistake is, as far as it is found with little work."""
    found = Findings()
    with suppress(Exhausted):
        sample = Sample(answer, target, task.given, witness)
        if not sample.differs:
            return Findings(agreed=sample.points)
        found = Findings(right=right_part(sample, answer, target))
        if not _is_small(answer, target):
            return found
        found = replace(found, needs=next(_needs(task, answer, target), ()))
        found = replace(found, slip=next(_slips(sample, answer, target), None))
    return found


# ---------------------------------------------------------------- slips


def _slips(sample: Sample, answer: Term, target: Term) -> Iterator[tuple[str, str]]:
    """Every slip that gives the answer, those of the catalogue first."""
    for code, what, term in catalogued(sample, target):
        if sample.is_answer(term):
            yield code, what
    for kind, what, term in variants(target):
        if sample.is_answer(term):
            yield kind, what
    for kind, what, term in shortened(answer):
        if sample.is_target(term):
            yield kind, what
    for kind, what, factor in FACTORS:
        if sample.is_answer(factor * target):
            yield kind, what


def catalogued(sample: Sample, target: Term) -> Iterator[Named]:
    """The line with each slip of the catalogue in it, with its code and what happened."""
    yield from (*_backward(sample), *_core(sample), *_roots(target))


ZERO = Num(Fraction(0))
FACTORS: tuple[tuple[str, str, Term], ...] = (
    (SIGN, "The sign is wrong", MINUS),
    (NO_MEAN, "A sum stands in place of a mean: the division by d is missing", d),
    (NO_SUM, "There is a division by d too many", 1 / d),
    (NUMBER, "There is a factor 2 too many", Num(Fraction(2))),
    (NUMBER, "A factor 2 is missing", Num(Fraction(1, 2))),
    (DIVISION, "A division by s is missing, or there is a factor s too many", s),
    (FACTOR, "There is a division by s too many, or a factor s is missing", 1 / s),
    (FACTOR, "There is a factor s^2 too many, as when s stands in place of r", s**2),
    (FACTOR, "There is a division by s^2 too many, as when r stands in place of s", 1 / s**2),
    (DIVISOR, "The divisor is d - 1 where it should be d", d / (d - 1)),
    (DIVISOR, "The divisor is d where it should be d - 1", (d - 1) / d),
)

RootOf = Callable[[Term, Term], Term]
ROOTS: tuple[tuple[str, str, RootOf], ...] = (
    ("LN104", "eps is not used: the row is divided by sqrt(var)", lambda x, _: sqrt(x)),
    ("LN101", "eps is added to the standard deviation, not to the variance", lambda x, e: sqrt(x) + e),
    ("LN102", "eps is added under the root and once more to the root", lambda x, e: sqrt(x + e) + e),
    ("LN103", "eps is squared under the root", lambda x, e: sqrt(x + e**2)),
    ("LN107", "eps is added to the sum of squares, before the division by d", lambda x, e: sqrt(x + e / d)),
    ("LN110", "eps is added twice under the root", lambda x, e: sqrt(x + 2 * e)),
    ("LN113", "eps is subtracted from the variance", lambda x, e: sqrt(x - e)),
    ("LN114", "the standard deviation has the divisor d - 1, and eps is added outside the root", lambda x, e: sqrt(x * d / (d - 1)) + e),
    ("LN117", "the root is taken of the standard deviation plus eps, not of the variance plus eps", lambda x, e: sqrt(sqrt(x) + e)),
    ("LN120", "the variance has the divisor d - 1 (sample variance)", lambda x, e: sqrt(x * d / (d - 1) + e)),
    ("LN121", "the sum of squares is not divided by d", lambda x, e: sqrt(d * x + e)),
    ("LN129", "the row is divided by var + eps: the root is missing", lambda x, e: x + e),
    ("LN130", "the row is divided by (var + eps)^2: the exponent 2 stands for 1/2", lambda x, e: (x + e) ** 2),
    ("LN131", "the deviations are multiplied by the standard deviation instead of divided by it", lambda x, e: 1 / sqrt(x + e)),
)


def _roots(target: Term) -> Iterator[Named]:
    """The line with the root of the stabilized variance taken wrongly, wherever it stands."""
    for code, what, root in ROOTS:
        slipped = rewrite(target, partial(_with_root, root=root))
        if slipped != target:
            yield code, what, slipped
    for code, factor in (("LN120", d / (d - 1)), ("LN121", d)):
        what = next(what for known, what, _ in ROOTS if known == code)
        slipped = rewrite(target, partial(_with_variance, factor=factor))
        if slipped != target:
            yield code, what, slipped


def _with_root(node: Term, root: RootOf) -> Term | None:
    """A node that holds the root of q + eps, with another root in its place."""
    slipped: Term | None = None
    match node:
        case Sym("s" | "s'" | "r" | "rho" as name):
            x = Sym("q'") if name.endswith("'") else q
            wrong = root(x, eps)
            slipped = {"s": wrong, "r": 1 / wrong, "rho": x / _squared(wrong)}[name.rstrip("'")]
        case Entry("u", (index,)):
            slipped = v[index] / root(q, eps)
        case Entry("u'", (index,)):
            slipped = vector("v'")[index] / root(Sym("q'"), eps)
        case Entry("y", (index,)):
            slipped = gamma[index] * v[index] / root(q, eps) + beta[index]
        case Word("J", _, (i, j), _):
            wrong = root(q, eps)
            slipped = (P[i, j] - v[i] * v[j] / (d * _squared(wrong))) / wrong
        case Word("core", (Array() as x, Term() as e), (index,), _):
            slipped = (x[index] - mean(x)) / root(var(x), e)
        case Root(Add(args)) if (parts := _beside_eps(args)) is not None:
            slipped = root(*parts)
        case Add(args) if (parts := _beside_eps(args)) is not None:
            slipped = _squared(root(*parts))
    return slipped


def _squared(root: Term) -> Term:
    return root.radicand if isinstance(root, Root) else root**2


def _with_variance(node: Term, factor: Term) -> Term | None:
    """A node that holds a variance, with the variance multiplied by a factor."""
    match node:
        case Sym("q" | "q'") | Word("var", _, _, _):
            return Mul((factor, node))
    return _with_root(node, lambda x, e: sqrt(rewrite(x, lambda inner: _with_variance(inner, factor)) + e))


def _beside_eps(args: tuple[Term, ...]) -> tuple[Term, Term] | None:
    """The rest of a sum and its summand with eps, where there is one."""
    for n, x in enumerate(args):
        if x == eps or (isinstance(x, Mul) and eps in x.args):
            return total([*args[:n], *args[n + 1 :]]), x
    return None


def _core(sample: Sample) -> Iterator[Named]:
    """Slips in the core and in the output, where the line is one of these."""
    if len(sample.free) != 1:
        return
    (i,) = sample.free
    if sample.is_target(v[i] / s):
        square = mean(z**2)
        yield "LN126", "the row is not centered: this is the root mean square norm", z[i] / sqrt(square + eps)
        yield "LN127", "the row is divided by its standard deviation without being centered", z[i] / s
        what = "the deviations are divided by the root mean square of the row, not by its standard deviation"
        yield "LN128", what, v[i] / sqrt(square + eps)
        yield "LN132", "the squared deviations are scaled and returned, not the deviations", v[i] ** 2 / s
        yield "LN115", "eps is added to the quotient: a parenthesis is missing around the denominator", v[i] / sqrt(q) + eps
        yield "LN116", "eps is added to 1/sqrt(var), not to the variance", v[i] * (1 / sqrt(q) + eps)
        yield "LN163", "only the mean is divided: a parenthesis is missing around x - mean", z[i] - mu / s
        yield "LN164", "the mean is subtracted after the division, undivided", z[i] / s - mu
    elif sample.is_target(gamma[i] * v[i] / s + beta[i]):
        core, weight, bias = v[i] / s, gamma[i], beta[i]
        yield "LN150", "the weight is ignored", core + bias
        yield "LN151", "the bias is ignored", weight * core
        yield "LN152", "the weight is applied twice", weight**2 * core + bias
        yield "LN153", "the weight is taken as zero-centered: 1 + weight is applied", (1 + weight) * core + bias
        yield "LN154", "the bias is added before the weight is applied, so it is multiplied too", weight * (core + bias)
        yield "LN155", "weight and bias are swapped", bias * core + weight
        yield "LN156", "the weight is added as if it were the bias, and no weight is applied", core + weight
        yield "LN158", "the bias is subtracted", weight * core - bias
        yield "LN126", "the row is not centered: this is the root mean square norm", weight * z[i] / sqrt(mean(z**2) + eps) + bias
        yield "LN127", "the row is divided by its standard deviation without being centered", weight * z[i] / s + bias


def _backward(sample: Sample) -> Iterator[Named]:
    """Slips in the backward pass of the core, where the line is J(k) for k = g or k = gamma g."""
    if len(sample.free) != 1:
        return
    (i,) = sample.free
    for k, plain in ((g, None), (gamma * g, g)):
        if not sample.is_target((k[i] - mean(k) - u[i] * mean(k * u)) / s):
            continue
        first, second = mean(k), mean(k * u)
        yield "LN301", "mean and variance are treated as constants in dx", k[i] / s
        yield "LN302", "the mean is treated as a constant in dx: the term mean(g) is missing", (k[i] - u[i] * second) / s
        yield "LN303", "the variance is treated as a constant in dx: the term u mean(g u) is missing", (k[i] - first) / s
        yield "LN310", "both sums of dx lack the division by d", (k[i] - d * first - d * u[i] * second) / s
        yield "LN311", "both sums of dx are divided by d - 1", (k[i] - (first + u[i] * second) * d / (d - 1)) / s
        yield "LN313", "the term mean(g) of dx has the wrong sign", (k[i] + first - u[i] * second) / s
        yield "LN314", "the term u mean(g u) of dx has the wrong sign", (k[i] - first + u[i] * second) / s
        what = "dx uses the deviations v where the core u belongs ({} of 2 places)"
        yield "LN316", what.format(1), (k[i] - first - v[i] * second) / s
        yield "LN316", what.format(2), (k[i] - first - v[i] * mean(k * v)) / s
        yield "LN317", "dx is not divided by s", k[i] - first - u[i] * second
        for power in (-1, 2, 3):
            yield "LN318", f"dx carries rstd to the power {power}, not 1", (k[i] - first - u[i] * second) / s**power
        yield "LN319", "the term u mean(g u) of dx is doubled", (k[i] - first - 2 * u[i] * second) / s
        yield "LN347", "the sum in the term u mean(g u) of dx lacks the division by d", (k[i] - first - d * u[i] * second) / s
        yield "LN348", "the sum in the term mean(g) of dx lacks the division by d", (k[i] - d * first - u[i] * second) / s
        yield "LN336", "the last term of dx uses x in place of the deviations x - mean", (k[i] - first - z[i] / s * second) / s
        yield "LN365", "the mean in the term u mean(g u) of dx is not taken", (k[i] - first - u[i] * k[i] * u[i]) / s
        yield "LN366", "the term mean(g) of dx is not divided by s", (k[i] - u[i] * second) / s - first
        yield "LN367", "the term u mean(g u) of dx is halved", (k[i] - first - u[i] * second / 2) / s
        line = (k[i] - first - u[i] * second) / s
        bare = rewrite(line, lambda node: _with_root(node, lambda x, _: sqrt(x)))
        yield "LN309", "eps is missing in the backward pass", bare
        outside = rewrite(line, lambda node: _with_root(node, lambda x, e: sqrt(x) + e))
        yield "LN333", "the backward pass adds eps to the standard deviation, not to the variance", outside
        if plain is not None:
            square = gamma**2 * plain
            yield "LN304", "the weight is left out of dx", (plain[i] - mean(plain) - u[i] * mean(plain * u)) / s
            yield "LN305", "the weight is multiplied in twice in dx", (square[i] - mean(square) - u[i] * mean(square * u)) / s
            what = "the weight is multiplied in after the projection in dx, not before"
            yield "LN306", what, gamma[i] * (plain[i] - mean(plain) - u[i] * mean(plain * u)) / s
            yield "LN315", "dx uses the full output y where the core u belongs", (k[i] - first - y[i] * mean(k * y)) / s
            yield "LN320", "the term u mean(g u) of dx is formed with dy and lacks the weight", (k[i] - first - u[i] * mean(plain * u)) / s
            yield "LN344", "the term mean(g) of dx is formed with dy and lacks the weight", (k[i] - mean(plain) - u[i] * second) / s
            yield "LN345", "both sums of dx are formed with dy and lack the weight", (k[i] - mean(plain) - u[i] * mean(plain * u)) / s


# ---------------------------------------------------------------- assumptions that are missing


def _is_small(*terms: Term) -> bool:
    """Whether terms and their normal forms take little work, so that slips and assumptions may be looked for."""
    if sum(1 for term in terms for _ in islice(walk(term), SIZE)) >= SIZE:
        return False
    trial = Normalizer(THEORY)
    trial.operations = BUDGET - OPERATIONS
    try:
        for term in terms:
            trial.normal(term)
    except KernelError as error:
        return not isinstance(error, TooLarge)
    return True


def _needs(task: Task, answer: Term, target: Term) -> Iterator[tuple[str, ...]]:
    """Assumptions, one or two, under which the answer is right: each proved by the kernel, and held by some point."""
    given = tuple(h for h in task.given if h != positive(eps))
    if _holds(_without_eps(answer), _without_eps(target), (*given, positive(q))):
        yield ("eps = 0",)
    for names, more in _assumptions(answer, target):
        if _holds(answer, target, (*task.given, *more)):
            yield names


def _holds(answer: Term, target: Term, given: tuple[Hypothesis, ...]) -> bool:
    """Whether both are proved equal under the hypotheses, which hold at some point; and not since the line is then 0."""
    if not _proved(Eq(answer, target), given) or (answer != ZERO and _proved(Eq(target, ZERO), given)):
        return False
    return find_point(THEORY, given, [Eq(answer, target)], limit=10_000) is not None


def _proved(relation: Relation, given: tuple[Hypothesis, ...]) -> bool:
    try:
        return not prove(THEORY, relation, given).conditions
    except KernelError:
        return False


def _without_eps(term: Term) -> Term:
    """The term with 0 for eps, also in what s, u and the other notions stand for."""
    written = rewrite(term, partial(_with_root, root=lambda x, e: sqrt(x + e)))
    return rewrite(written, lambda node: ZERO if node == eps else None)


def _assumptions(answer: Term, target: Term) -> Iterator[tuple[tuple[str, ...], tuple[Relation, ...]]]:
    spoken = [node for side in (answer, target) for node in walk(side)]
    names = {node.name for node in spoken if isinstance(node, Sym)} | {node.vector for node in spoken if isinstance(node, Entry)}
    plain: list[tuple[str, Array]] = [(name, vector(name)) for name in ("g", "h", "w") if name in names]
    plain += [("gamma*g", gamma * g)] if {"gamma", "g"} <= names else []
    for name in sorted(names & {"a", "c", "t", "m", "b", "delta"}):
        x = Sym(name)
        yield (f"{name} > 0",), (positive(x),)
        yield (f"{name} = 1",), (Eq(x, 1),)
        yield (f"{name} = 0",), (Eq(x, 0),)
    for name, k in plain:
        first, second = Eq(mean(k), 0), Eq(dot(k, u), 0)
        yield (f"mean({name}) = 0",), (first,)
        yield (f"{name} is orthogonal to u",), (second,)
        yield (f"mean({name}) = 0", f"{name} is orthogonal to u"), (first, second)
    yield ("mean(z) = 0",), (Eq(mu, 0),)
    if "gamma" in names:
        yield ("all gains are 1",), (Eq(gamma, one),)
    if "beta" in names:
        yield ("beta = 0",), (Eq(beta, 0 * one),)
    if "gamma" in names:
        yield ("all gains are equal",), (Eq(gamma, Sym("c") * one),)
    yield ("d = 2",), (Eq(d, 2),)


# ---------------------------------------------------------------- what is right


PARTS: tuple[tuple[str, Callable[[Term], Term]], ...] = (("numerator", numerator), ("denominator", denominator))


def right_part(sample: Sample, answer: Term, target: Term) -> str:
    """What of a wrong line stands in the right one: summands, else the numerator or the denominator; empty where nothing does."""
    left = list(summands(target))
    if len(left) > 1:
        found = []
        for part in summands(answer):
            match = next((one for one in left if sample.equal(part, one)), None)
            if match is not None:
                left.remove(match)
                found.append(shown(part))
        if found and left:
            *first, last = found
            return f"The terms {', '.join(first)} and {last} are right." if first else f"The term {last} is right."
    over = denominator(target) != Num(Fraction(1))
    for name, take in PARTS:
        if over and not isinstance(take(answer), Num) and sample.equal(take(answer), take(target)):
            return f"The {name} {shown(take(answer))} is right."
    return ""

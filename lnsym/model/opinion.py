"""The second opinion: at fixed d SymPy differentiates the raw definitions and must reach the claim. Imports SymPy and terms."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import mpmath
import sympy as sp

from lnsym.derivations.definitions import THEORY
from lnsym.errors import LnsymError, TermError
from lnsym.kernel.terms import Geometric, Hypothesis, Power, Relation, Sym, Theory, index_names, walk
from lnsym.model.hypotheses import Beyond, Case, Fails, assumed, cases, curves, instances
from lnsym.model.names import Names
from lnsym.model.writer import Writer
from lnsym.model.zero import Roots, TooMuch, Unfit, parts

AGREES, DISAGREES, NOT_APPLICABLE, UNDECIDED = "agrees", "disagrees", "not applicable", "undecided"
DIMENSIONS = (1, 2, 3, 4)
OTHER_LENGTH = 2  # of batches and raw inputs
EXPONENTS = (1, 2, 3)
SIZE_LIMIT = 60_000  # distinct parts of the differentiated entries


@dataclass(frozen=True)
class Opinion:
    """What SymPy says of a claim.

    Formula:
        left - right = 0 at every entry, from the raw definitions.
    Shapes:
        One verdict for all entries and all the dimensions in `dimensions`.
    Units:
        None.

    Args:
        status: "agrees", "disagrees", "not applicable" or "undecided".
        reason: Why it is not "agrees", or what was left out.
        dimensions: The d at which SymPy reached the claim (or, disagreeing, the d at which it does not hold).
        skipped: The d left out, each with the reason.

    Returns:
        A record.

    Raises:
        Nothing.
    Source:
        SymPy.

    >>> from lnsym.lang import Eq, mean
    >>> from lnsym.derivations.definitions import u
    >>> opinion(Eq(mean(u), 0)).status
    'agrees'
    """

    status: str
    reason: str = ""
    dimensions: tuple[int, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()


def opinion(
    relation: Relation,
    given: Iterable[Hypothesis] = (),
    d: int | Iterable[int] = DIMENSIONS,
    theory: Theory = THEORY,
) -> Opinion:
    """Ask SymPy whether a claim holds at fixed d, from the raw definitions alone.

    Formula:
        SymPy differentiates the definitions in z_1, ..., z_d and eps; left - right must vanish as a rational function
        of the symbols and the square roots.
    Shapes:
        Every entry of arrays, every value of free indices; n = N = 2, and t = 1, 2, 3 for symbolic exponents.
    Units:
        Those of the claim.

    Args:
        relation: The claim.
        given: Its hypotheses. Equalities are solved for some of their variables.
        d: One or several numbers of coordinates.
        theory: Where the derived names are declared.

    Returns:
        An Opinion. A number of coordinates at which the hypotheses cannot hold is skipped.

    Raises:
        Nothing for a well-formed claim: what SymPy cannot be asked is "not applicable" or "undecided".
    Source:
        SymPy's differentiation and its polynomials over the rationals.

    >>> from lnsym.lang import Eq, jacobian
    >>> from lnsym.derivations.definitions import J, u, z
    >>> opinion(Eq(jacobian(u, z), J), d=(1, 2, 3)).dimensions
    (1, 2, 3)
    >>> opinion(Eq(jacobian(u, z), 2 * J), d=3).status
    'disagrees'
    """
    given, dimensions = tuple(given), (d,) if isinstance(d, int) else tuple(d)
    if relation.kind != "=":
        return Opinion(NOT_APPLICABLE, "an inequality: SymPy is asked for equalities only")
    found: dict[int, tuple[str, str]] = {dimension: _at(relation, given, dimension, theory) for dimension in dimensions}
    done = tuple(n for n, (status, _) in found.items() if status == AGREES)
    skipped = tuple((n, reason) for n, (status, reason) in found.items() if status in (NOT_APPLICABLE, UNDECIDED))
    for status in (DISAGREES, AGREES, UNDECIDED, NOT_APPLICABLE):
        these = [(n, reason) for n, (own, reason) in found.items() if own == status]
        if these:
            reason = "; ".join(f"d = {n}: {why}" for n, why in these) if status == DISAGREES else these[0][1]
            return Opinion(status, reason, tuple(n for n, _ in these) if status == DISAGREES else done, skipped)
    raise TermError("expected at least one number of coordinates")


def exponents(relation: Relation, given: Iterable[Hypothesis]) -> frozenset[str]:
    """The names that stand in symbolic exponents and in positions such as t+1."""
    sides = [side for one in (relation, *given) if isinstance(one, Relation) for side in (one.left, one.right)]
    nodes = [node for side in sides for node in walk(side)]
    found = {n.exponent.name if isinstance(n, Power) else n.upper.name for n in nodes if isinstance(n, (Power, Geometric))}
    return frozenset(found | {name.rpartition("+")[0] for name in index_names(*sides) if "+" in name})


def sizes_at(d: int, names: frozenset[str]) -> list[dict[str, int]]:
    """The lengths of the ranges at d, once for each value of the symbolic exponents."""
    base = {"d": d, "n": OTHER_LENGTH, "N": OTHER_LENGTH, "B": OTHER_LENGTH, "T": max(EXPONENTS) + 3}
    return [{**base, **dict.fromkeys(names, t)} for t in EXPONENTS] if names else [base]


def _at(relation: Relation, given: tuple[Hypothesis, ...], d: int, theory: Theory) -> tuple[str, str]:
    statuses = []
    for sizes in sizes_at(d, exponents(relation, given)):
        try:
            statuses.append(_judged(relation, given, sizes, theory))
        except (Fails, Beyond) as error:
            statuses.append((NOT_APPLICABLE, str(error)))
        except (TooMuch, Unfit) as error:
            statuses.append((UNDECIDED, str(error)))
        except LnsymError as error:
            statuses.append((NOT_APPLICABLE, str(error)))
        except RecursionError:
            statuses.append((UNDECIDED, "nested too deeply for SymPy"))
    for status in (DISAGREES, UNDECIDED, AGREES):
        for own, reason in statuses:
            if own == status:
                return own, reason
    return statuses[0]


def prepared(given: tuple[Hypothesis, ...], sizes: Mapping[str, int], theory: Theory) -> tuple[Writer, list[Case]]:
    """A writer of raw expressions for these sizes, and the cases in which the hypotheses hold."""
    positive, zero = assumed(given)
    relaxed = Theory(theory.families, theory.definitions, theory.positive - zero)
    writer = Writer(Names(relaxed, positive), relaxed, sizes, raw=True, differentiate=True)
    writer.curves = curves(given, writer)
    return writer, cases(given, writer, writer.curves)


def _judged(relation: Relation, given: tuple[Hypothesis, ...], sizes: Mapping[str, int], theory: Theory) -> tuple[str, str]:
    writer, ways = prepared(given, sizes, theory)
    differences = [left - right for left, right in instances(relation, writer)]
    differences = [one for one in differences if one != 0]
    if len(parts(differences)) > SIZE_LIMIT:
        raise TooMuch(f"the entries have more than {SIZE_LIMIT} distinct parts")
    variances = [writer.write(Sym(family.variance), {}) for family in theory.families]
    for case in ways:
        _refuse_zero_divisors(writer, case)
        # A point is cheaper than a proof: claims that fail nearly everywhere end here.
        for difference in differences:
            point = _witness(difference, case, tries=1)
            if point is not None:
                return DISAGREES, point
        used = set().union(*(one.free_symbols for one in differences)) if differences else set()
        known = [q for q in variances if q.free_symbols <= used] + [one.expression for one in case.conditions if one.kind != "!="]
        eps = writer.names.scalar("eps")
        free = None if eps in case.replaced else eps
        test = Roots(differences, _needed(case, used), [k for k in known if k.is_polynomial(*k.free_symbols)], free)
        for difference in differences:
            if not test.vanishes(difference):
                point = _witness(difference, case)
                if point is None:
                    return UNDECIDED, "SymPy leaves a remainder that is zero at every point tried"
                return DISAGREES, point
    return AGREES, ""


def _refuse_zero_divisors(writer: Writer, case: Case) -> None:
    """A claim says nothing where one of its denominators is zero, even if SymPy has cancelled it."""
    for divisor in writer.divisors:
        if not divisor.free_symbols.isdisjoint(case.replaced):
            needed = _needed(case, divisor.free_symbols)
            drawn = draw((divisor.free_symbols - set(needed)) | {x for e in needed.values() for x in e.free_symbols}, random.Random(1))
            with mpmath.workdps(50):
                try:
                    value = number(divisor, {**drawn, **{x: number(e, drawn) for x, e in needed.items()}})
                except (ZeroDivisionError, Unfit):
                    continue
                if abs(value) < mpmath.mpf(10) ** -40:
                    raise Unfit("a denominator vanishes under the hypotheses")


def _needed(case: Case, used: set[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    return {symbol: value for symbol, value in case.replaced.items() if symbol in used}


# ---------------------------------------------------------------- numbers


def draw(symbols: Iterable[sp.Symbol], rng: random.Random) -> dict[sp.Symbol, sp.Rational]:
    """A small random rational for each symbol, positive where it must be."""
    point = {}
    for symbol in sorted(symbols, key=str):
        low = 1 if symbol.is_positive else 0 if symbol.is_nonnegative else -9
        point[symbol] = sp.Rational(rng.randint(low, 9) or 1, rng.randint(1, 5))
    return point


def number(expression: sp.Expr, point: Mapping[sp.Symbol, object]) -> mpmath.mpf:
    """The value of an expression at a point, at mpmath's current precision."""
    values: dict[sp.Expr, mpmath.mpf] = {}
    for node in parts([expression]):
        if node.is_Symbol:
            value = point[node]
            values[node] = mpmath.mpf(value.p) / value.q if isinstance(value, sp.Rational) else mpmath.mpf(value)
        elif node.is_Rational:
            values[node] = mpmath.mpf(int(node.p)) / int(node.q)
        elif node.is_Add:
            values[node] = mpmath.fsum(values[arg] for arg in node.args)
        elif node.is_Mul:
            values[node] = mpmath.fprod(values[arg] for arg in node.args)
        elif node.is_Pow:
            values[node] = values[node.base] ** values[node.exp]
        elif isinstance(node, sp.Abs):
            values[node] = abs(values[node.args[0]])
        elif isinstance(node, sp.sign):
            values[node] = mpmath.sign(values[node.args[0]])
        else:
            raise Unfit(f"{type(node).__name__} has no number here")
    if isinstance(values[expression], mpmath.mpc):
        raise Unfit("a root of a negative number")
    return values[expression]


def _witness(difference: sp.Expr, case: Case, tries: int = 60) -> str | None:
    """A point that meets the hypotheses and at which the difference is not zero."""
    rng = random.Random(0)
    used = difference.free_symbols | {x for one in case.conditions for x in one.expression.free_symbols}
    needed = _needed(case, used)
    open_symbols = (used - set(needed)) | {x for value in needed.values() for x in value.free_symbols}
    with mpmath.workdps(50):
        for _ in range(tries):
            drawn = draw(open_symbols, rng)
            try:
                point = {**drawn, **{x: number(value, drawn) for x, value in needed.items()}}
                met = all(x.is_positive is not True or point[x] > 0 for x in point)
                met = met and all(one.holds(number(one.expression, point)) for one in case.conditions)
                if met and abs(number(difference, point)) > mpmath.mpf(10) ** -30:
                    return _shown(point)
            except (ZeroDivisionError, Unfit):
                continue
    return None


def _shown(point: Mapping[sp.Symbol, object]) -> str:
    values = (f"{x} = {value if isinstance(value, sp.Rational) else mpmath.nstr(value, 6)}" for x, value in point.items())
    return f"left - right is not zero at {', '.join(values)}" if point else "left - right is a number other than zero"

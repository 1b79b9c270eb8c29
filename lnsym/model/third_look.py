"""The third look: both sides of a claim as mpmath numbers, straight from our terms. Imports mpmath and the kernel's terms.

Derivatives are mpmath's numerical ones at raised precision, so that neither the kernel's rules nor SymPy's are used on the claim;
SymPy only solves the hypotheses for a point.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import mpmath
import sympy as sp

from lnsym.derivations.definitions import THEORY
from lnsym.errors import LnsymError, TermError
from lnsym.kernel.terms import (
    Add,
    Array,
    Components,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Hypothesis,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    free_indices,
    walk,
)
from lnsym.model.hypotheses import Beyond, Case, Fails
from lnsym.model.names import fixed_place, meanings, plain, read_entry
from lnsym.model.opinion import AGREES, DISAGREES, NOT_APPLICABLE, UNDECIDED, draw, exponents, number, prepared, sizes_at
from lnsym.model.writer import Writer
from lnsym.model.zero import Unfit

DIMENSIONS = (3, 2, 4, 5, 1)
TRIES = 60
Places: TypeAlias = tuple[int, ...]
Key: TypeAlias = tuple[str, Places]


@dataclass(frozen=True)
class Agreement:
    """What numbers at many digits say of a claim.

    Formula:
        |left - right| <= 10^(10 - digits) max(1, |left|, |right|) for an equality.
    Shapes:
        Every entry, at each point.
    Units:
        None.

    Args:
        status: "agrees", "disagrees", "not applicable" or "undecided".
        reason: Why it is not "agrees".
        points: How many points were evaluated.
        digits: The decimal digits of the evaluation.
        difference: The largest relative difference of an equality, or the smallest margin of an inequality.

    Returns:
        A record.

    Raises:
        Nothing.
    Source:
        mpmath.

    >>> from lnsym.lang import Le, positive
    >>> from lnsym.derivations.definitions import eps, rho
    >>> mpmath_check(Le(rho, 1), given=(positive(eps),)).status
    'agrees'
    """

    status: str
    reason: str = ""
    points: int = 0
    digits: int = 60
    difference: str = ""


@dataclass
class Evaluator:
    """The value of terms at one point. A derivative evaluates its body again with one input changed."""

    meanings: Mapping[str, Term | Array]
    sizes: Mapping[str, int]
    scalars: Mapping[str, mpmath.mpf]
    entries: Mapping[Key, mpmath.mpf]
    curves: Mapping[Key, Term]
    _found: dict[tuple[object, ...], mpmath.mpf] = field(default_factory=dict)
    _free: dict[int, tuple[Index, ...]] = field(default_factory=dict)

    def value(self, term: Term, at: Mapping[Index, int]) -> mpmath.mpf:
        """The number that a term is at this point."""
        match term:
            case Num(value):
                return mpmath.mpf(value.numerator) / value.denominator
            case Sym(name):
                return self._scalar(name)
            case Entry(name, indices):
                return self._entry(name, tuple(self._place(index, at) for index in indices))
            case Delta(left, right):
                return mpmath.mpf(self._place(left, at) == self._place(right, at))
            case Add(args):
                return mpmath.fsum(self.value(arg, at) for arg in args)
            case Mul(args):
                return mpmath.fprod(self.value(arg, at) for arg in args)
            case Pow(base, exponent):
                return self.value(base, at) ** exponent
            case Power(base, exponent, shift):
                return self.value(base, at) ** (int(self._scalar(exponent.name)) + shift)
            case Root(radicand):
                return self._root(self.value(radicand, at))
            case Sum(index, body):
                return mpmath.fsum(self.value(body, {**at, index: n}) for n in range(1, self.sizes[index.range.length] + 1))
            case Geometric(base, upper, shift, index, body):
                last, b = int(self._scalar(upper.name)) + shift, self.value(base, at)
                return mpmath.fsum(b ** (last - n) * self.value(body, {**at, index: n}) for n in range(1, last + 1))
            case Derivative(body, variable):
                return self._derivative(body, variable, at)
            case Word():
                return self._word(term, at)
        raise TermError(f"{type(term).__name__} has no number at one point")

    def _place(self, index: Index, at: Mapping[Index, int]) -> int:
        number = at[index] if index in at else fixed_place(index, self.sizes)
        if number is None:
            raise TermError(f"the index {index.name} stands nowhere")
        return number

    @staticmethod
    def _root(radicand: mpmath.mpf) -> mpmath.mpf:
        # Rounding may leave a zero slightly negative.
        if radicand < -(mpmath.mpf(10) ** (10 - mpmath.mp.dps)):
            raise Unfit("a root of a negative number")
        return mpmath.sqrt(max(radicand, 0))

    def _once(self, key: tuple[object, ...], term: Term, at: Mapping[Index, int]) -> mpmath.mpf:
        key = (mpmath.mp.prec, *key)
        if key not in self._found:
            self._found[key] = self.value(term, at)
        return self._found[key]

    def _scalar(self, name: str) -> mpmath.mpf:
        if name in self.sizes:
            return mpmath.mpf(self.sizes[name])
        meaning = self.meanings.get(name)
        return self._once((name,), meaning, {}) if isinstance(meaning, Term) else self.scalars[name]

    def _entry(self, name: str, places: Places) -> mpmath.mpf:
        meaning = self.meanings.get(name)
        if isinstance(meaning, Array):
            return self._once((name, *places), meaning.body, dict(zip(meaning.indices, places, strict=True)))
        if (name, places) in self.curves:
            return self.value(self.curves[name, places], {})
        if (name, places) not in self.entries:
            raise TermError(f"{name} has no entry {places}")
        return self.entries[name, places]

    def _word(self, word: Word, at: Mapping[Index, int]) -> mpmath.mpf:
        if id(word) not in self._free:
            self._free[id(word)] = tuple(free_indices(word))
        return self._once((id(word), *(self._place(index, at) for index in self._free[id(word)])), word.expansion, at)

    def _derivative(self, body: Term, variable: Sym | Entry, at: Mapping[Index, int]) -> mpmath.mpf:
        if isinstance(variable, Sym):
            start = self.scalars[variable.name]
            return mpmath.diff(lambda x: self._changed(scalars={variable.name: x}).value(body, at), start)
        key = variable.vector, tuple(self._place(index, at) for index in variable.indices)
        return mpmath.diff(lambda x: self._changed(entries={key: x}).value(body, at), self._entry(*key))

    def _changed(self, scalars: Mapping[str, mpmath.mpf] | None = None, entries: Mapping[Key, mpmath.mpf] | None = None) -> Evaluator:
        curves = {key: term for key, term in self.curves.items() if not entries or key not in entries}
        inputs = {**self.scalars, **(scalars or {})}, {**self.entries, **(entries or {})}
        return Evaluator(self.meanings, self.sizes, *inputs, curves, {}, self._free)


def mpmath_check(
    relation: Relation,
    given: Iterable[Hypothesis] = (),
    theory: Theory = THEORY,
    digits: int = 60,
    points: int = 3,
    seed: int = 0,
) -> Agreement:
    """Compare both sides of a claim as numbers of many digits at random points that meet its hypotheses.

    Formula:
        |left - right| <= 10^(10 - digits) max(1, |left|, |right|); for an inequality, right - left against the same bound.
    Shapes:
        Every entry and every value of free indices, at d = 3, 2, 4, 5, 1 in this order until there are enough points.
    Units:
        None.

    Args:
        relation: The claim.
        given: Its hypotheses.
        theory: Where the derived names are declared.
        digits: Decimal digits.
        points: How many points.
        seed: Of the random small rationals.

    Returns:
        An Agreement.

    Raises:
        Nothing for a well-formed claim.
    Source:
        mpmath's roots and its numerical derivatives at raised precision.

    >>> from lnsym.lang import Eq, norm, sqrt
    >>> from lnsym.derivations.definitions import d, q, v
    >>> mpmath_check(Eq(norm(v), sqrt(d * q))).status
    'agrees'
    >>> mpmath_check(Eq(norm(v), sqrt(q))).status
    'disagrees'
    """
    given = tuple(given)
    rng, done, reason, extreme = random.Random(seed), 0, "", None
    names, unsolved = exponents(relation, given), dict[int, str]()
    if any(isinstance(node, Expectation) for side in (relation.left, relation.right) for node in walk(side)):
        return Agreement(NOT_APPLICABLE, "an expectation is no number at one point", digits=digits)
    for d in DIMENSIONS * (4 * points):
        if done >= points:
            break
        if d in unsolved:
            continue
        sizes = rng.choice(sizes_at(d, names))
        try:
            with mpmath.workdps(digits + 30):
                evaluator = _drawn(relation, given, sizes, theory, rng)
            with mpmath.workdps(digits):
                verdict, difference = _compared(relation, evaluator, mpmath.mpf(10) ** (10 - digits))
        except Beyond as error:
            unsolved[d] = str(error)
            continue
        except (LnsymError, ZeroDivisionError) as error:
            reason = reason or f"d = {d}: {error}"
            continue
        done += 1
        if not verdict:
            where = ", ".join(f"{key[0]}_{'_'.join(map(str, key[1]))} = {mpmath.nstr(x, 6)}" for key, x in evaluator.entries.items())
            return Agreement(DISAGREES, f"d = {d}, {where}", done, digits, mpmath.nstr(difference, 3))
        if extreme is None or (difference > extreme if relation.kind == "=" else difference < extreme):
            extreme = difference
    if not done and unsolved:
        return Agreement(NOT_APPLICABLE, next(iter(unsolved.values())), digits=digits)
    if not done:
        return Agreement(UNDECIDED, reason or "no point meets the hypotheses", digits=digits)
    return Agreement(AGREES, "", done, digits, mpmath.nstr(extreme, 3))


def _compared(relation: Relation, evaluator: Evaluator, tolerance: mpmath.mpf) -> tuple[bool, mpmath.mpf]:
    """Whether the relation holds at every place, and the difference (the margin, for an inequality) that is worst."""
    left, right = relation.opened()
    free = tuple({**free_indices(left), **free_indices(right)})
    worst = None
    for at in _everywhere(free, evaluator.sizes):
        a, b = evaluator.value(left, at), evaluator.value(right, at)
        scale = max(1, abs(a), abs(b))
        margin = {"=": -abs(a - b), "!=": abs(a - b)}.get(relation.kind, b - a) / scale
        worst = margin if worst is None else min(worst, margin)
    assert worst is not None
    strict = relation.kind in ("<", "!=")
    return (worst > tolerance if strict else worst >= -tolerance), abs(worst) if relation.kind == "=" else worst


def _everywhere(free: tuple[Index, ...], sizes: Mapping[str, int]) -> list[dict[Index, int]]:
    ways: list[dict[Index, int]] = [{}]
    for index in free:
        ways = [{**way, index: n} for way in ways for n in range(1, sizes[index.range.length] + 1)]
    return ways


# ---------------------------------------------------------------- points


def _drawn(relation: Relation, given: tuple[Hypothesis, ...], sizes: Mapping[str, int], theory: Theory, rng: random.Random) -> Evaluator:
    """An evaluator at a random point that meets the hypotheses."""
    writer, ways = prepared(given, sizes, theory)
    table = meanings(theory)
    symbols = _inputs(relation, given, writer, table)
    curves: dict[Key, Term] = {
        (hypothesis.vector, (place,)): entry
        for hypothesis in given
        if isinstance(hypothesis, Components)
        for place, entry in enumerate(hypothesis.entries, start=1)
    }
    for _ in range(TRIES):
        case = rng.choice(ways)
        point = _point(symbols, case, rng)
        if point is not None:
            scalars, entries = {}, {}
            for symbol, value in point.items():
                entry = read_entry(symbol.name)
                if entry is None:
                    scalars[plain(symbol.name)] = value
                else:
                    entries[entry[0], tuple(int(index.name) for index in entry[1])] = value
            return Evaluator(table, sizes, scalars, entries, curves)
    raise Fails("no point was found that meets the hypotheses")


def _point(symbols: set[sp.Symbol], case: Case, rng: random.Random) -> dict[sp.Symbol, mpmath.mpf] | None:
    wanted = symbols | {x for one in case.conditions for x in one.expression.free_symbols}
    wanted |= {x for value in case.replaced.values() for x in value.free_symbols} | set(case.replaced)
    drawn = draw(wanted - set(case.replaced), rng)
    try:
        exact = {x: number(x, drawn) for x in drawn}
        point = {**exact, **{x: number(value, exact) for x, value in case.replaced.items()}}
        met = all(x.is_positive is not True or point[x] > 0 for x in point)
        return point if met and all(one.holds(number(one.expression, point)) for one in case.conditions) else None
    except (ZeroDivisionError, Unfit):
        return None


def _inputs(relation: Relation, given: tuple[Hypothesis, ...], writer: Writer, table: Mapping[str, Term | Array]) -> set[sp.Symbol]:
    """The symbols on which both sides and the hypotheses depend: the undefined names that occur, and what definitions mention."""
    pending: list[Term | Array] = [relation.left, relation.right]
    for hypothesis in given:
        pending += hypothesis.entries if isinstance(hypothesis, Components) else (hypothesis.left, hypothesis.right)
    found: set[sp.Symbol] = set()
    seen: set[str] = set()
    while pending:
        for node in walk(pending.pop()):
            for one in (node, node.variable) if isinstance(node, Derivative) else (node,):
                if not isinstance(one, (Sym, Entry)):
                    continue
                name = one.name if isinstance(one, Sym) else one.vector
                meaning = table.get(name)
                if isinstance(meaning, Term if isinstance(one, Sym) else Array):
                    pending += [meaning] if name not in seen else []
                    seen.add(name)
                elif isinstance(one, Entry):
                    found |= {writer.names.entry(name, tuple(way.values())) for way in _all_places(one, writer)}
                elif name not in writer.known_sizes:
                    found.add(writer.names.scalar(name))
    return found


def _all_places(entry: Entry, writer: Writer) -> list[dict[Index, int]]:
    own = tuple(Index(f"#{n}", index.range) for n, index in enumerate(entry.indices))
    return _everywhere(own, writer.known_sizes)

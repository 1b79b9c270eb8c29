"""Points at which hypotheses hold, and what a relation says there.

Imports the kernel's terms, lnsym.evaluate, lnsym.surd and lnsym.errors only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any, cast

from lnsym.evaluate import EXACT_ROOT, SAMPLE, Entries, Env, Evaluator, Exhausted, Meter, Point
from lnsym.kernel.terms import (
    COORDINATES,
    LENGTHS,
    STEPS,
    Array,
    Components,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Hypothesis,
    Index,
    Num,
    Power,
    Range,
    Relation,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    free_indices,
    walk,
)
from lnsym.surd import Interval, Irrational, Plain, Undefined, Value, enclosing_root, rational_root, sign

MAX_SIZE = 100  # of a range, however large a hypothesis asks for it
BITS = 128  # binary places of the enclosures that stand in for nested roots
SIMPLE = tuple(Fraction(text) for text in ["1", "2", "1/2", "3", "1/3", "4", "1/4", "5", "9", "1/9", "100", "1/100"])


# ---------------------------------------------------------------- one relation at one point


@dataclass(frozen=True)
class Opened:
    """A relation between terms, with the free indices over which it is meant."""

    kind: str
    left: Term
    right: Term
    free: tuple[Index, ...]

    def assignments(self, point: Point) -> Iterator[Env]:
        """Every choice of places for the free indices."""
        for places in product(*(range(1, point.sizes[index.range.length] + 1) for index in self.free)):
            yield dict(zip(self.free, places, strict=True))


def open_relation(relation: Relation) -> Opened:
    """The relation between terms, its free indices in the order of their names."""
    left, right = relation.opened()
    return Opened(relation.kind, left, right, tuple(sorted({**free_indices(left), **free_indices(right)}, key=lambda index: index.name)))


def compare(kind: str, left: Plain, right: Plain) -> bool | None:
    """Whether left kind right; None where enclosures leave it open."""
    gap = right - left
    low, high = (gap.low, gap.high) if isinstance(gap, Interval) else (sign(gap),) * 2
    equal = True if low == high == 0 else None if low <= 0 <= high else False
    match kind:
        case "=":
            return equal
        case "!=":
            return None if equal is None else not equal
        case "<":
            return True if low > 0 else False if high <= 0 else None
        case _:
            return True if low >= 0 else False if high < 0 else None


class Judge:
    """Evaluates sides at one point: exactly, or by enclosures where a root stands under a root."""

    def __init__(self, theory: Theory, point: Point, meter: Meter | None = None) -> None:
        self.theory, self.point, self.meter = theory, point, meter or Meter()
        self.exact = Evaluator(theory, point, EXACT_ROOT, self.meter)
        self.enclosing: Evaluator | None = None

    def sides(self, relation: Opened, env: Env) -> tuple[Plain, Plain]:
        """Both sides. Raises Undefined, and Irrational where not even bounds can be given."""
        try:
            return self._both(self.exact, relation, env)
        except Irrational:
            self.enclosing = self.enclosing or Evaluator(self.theory, self.point, enclosing_root(BITS), self.meter)
            return self._both(self.enclosing, relation, env)

    @staticmethod
    def _both(evaluator: Evaluator, relation: Opened, env: Env) -> tuple[Plain, Plain]:
        return cast("tuple[Plain, Plain]", (evaluator.value(relation.left, env), evaluator.value(relation.right, env)))

    def verdict(self, relation: Opened) -> bool | None:
        """True where it holds for all places, False where it fails at some, else None."""
        open_at_some = False
        for env in relation.assignments(self.point):
            try:
                found = compare(relation.kind, *self.sides(relation, env))
            except (Undefined, Irrational):
                found = None
            if found is False:
                return False
            open_at_some |= found is None
        return None if open_at_some else True


def satisfies(theory: Theory, point: Point, given: Sequence[Hypothesis]) -> bool:
    """Whether every hypothesis is known to hold at the point."""
    judge = Judge(theory, point)
    return all(_has(judge, h) if isinstance(h, Components) else judge.verdict(open_relation(h)) is True for h in given)


def _has(judge: Judge, components: Components) -> bool:
    entries = judge.point.vectors.get(components.vector, ())
    if judge.point.sizes.get(components.range.length) != len(components.entries) or len(entries) != len(components.entries):
        return False
    return all(judge.exact.value(term, {}) == entry for term, entry in zip(components.entries, entries, strict=True))


def holds(theory: Theory, point: Point, relation: Relation, given: Sequence[Hypothesis] = ()) -> bool | None:
    """Whether the relation holds at the point, for all values of its free indices.

    None where a hypothesis fails (see `satisfies`), a side is undefined, or enclosures overlap.
    """
    return Judge(theory, point).verdict(open_relation(relation)) if satisfies(theory, point, given) else None


# ---------------------------------------------------------------- what a statement leaves open


@dataclass
class Needs:
    """The base vectors, scalars and lengths on which terms depend, definitions unfolded."""

    vectors: dict[str, tuple[Range, ...]] = field(default_factory=dict)
    scalars: set[str] = field(default_factory=set)
    naturals: set[str] = field(default_factory=set)
    random: set[str] = field(default_factory=set)
    least: dict[str, int] = field(default_factory=dict)  # the length symbols, and the least number that fixed positions allow
    horizons: set[tuple[str, int]] = field(default_factory=set)  # (t, shift): entries up to t + shift are read

    @property
    def names(self) -> set[str]:
        """All that can be chosen, lengths apart."""
        return {*self.vectors, *self.scalars}


def _needs(theory: Theory, terms: Iterable[Term | Array]) -> Needs:
    needs, todo, unfolded = Needs(), list(terms), set[str]()
    definitions = {definition.name: definition.value for definition in theory.definitions}
    families = {family.deviation: family.vector for family in theory.families}
    moments = {name: family.vector for family in theory.families for name in (family.mean, family.variance)}

    def unfold(name: str) -> None:
        if name not in unfolded:
            unfolded.add(name)
            todo.append(definitions[name])

    def symbol(name: str) -> None:
        if name in LENGTHS.values():
            needs.least.setdefault(name, 1)
        elif name in moments:
            needs.vectors.setdefault(moments[name], (COORDINATES,))
            needs.least.setdefault(COORDINATES.length, 1)
        elif name in definitions:
            unfold(name)
        else:
            needs.scalars.add(name)

    def places(*indices: Index) -> None:
        for index in indices:
            name, later, shift = index.name.partition("+")
            position = int(name) if name.isdigit() else 1
            if later:
                symbol(name)
                needs.naturals.add(name)
                needs.horizons.add((name, int(shift)))
            needs.least[index.range.length] = max(position, needs.least.get(index.range.length, 1))

    def entry(name: str, indices: tuple[Index, ...]) -> None:
        places(*indices)
        if name in definitions:
            unfold(name)
        else:
            needs.vectors[families.get(name, name)] = tuple(index.range for index in indices)

    while todo:
        for node in walk(todo.pop()):
            match node:
                case Sym(name) | Derivative(_, Sym(name)):
                    symbol(name)
                case Entry(name, indices) | Derivative(_, Entry(name, indices)):
                    entry(name, indices)
                case Delta(left, right):
                    places(left, right)
                case Sum(index, _):
                    places(index)
                case Power(base, exponent, _):
                    symbol(base.name)
                    symbol(exponent.name)
                    needs.naturals.add(exponent.name)
                case Geometric(base, upper, shift, index, _):
                    places(index)
                    symbol(base.name)
                    symbol(upper.name)
                    needs.naturals.add(upper.name)
                    needs.horizons.add((upper.name, shift))
                case Expectation(_, random):
                    needs.random.update(random)
                case Word(_, _, indices, _) | Array(indices, _):
                    places(*indices)
    needs.naturals -= needs.least.keys()
    needs.scalars -= needs.least.keys()
    return needs


def _lower_bounds(relations: Iterable[Relation]) -> Iterator[tuple[str, int]]:
    """The lengths that hypotheses such as 20 <= d or d = 20 keep above a number."""
    for relation in relations:
        match relation:
            case Relation("=" | "<=" | "<", Num(bound), Sym(name)) | Relation("=", Sym(name), Num(bound)) if name in LENGTHS.values():
                yield name, int(bound) if 1 <= bound <= MAX_SIZE else 1


# ---------------------------------------------------------------- points that satisfy hypotheses


class Points:
    """Draws points for given terms, and repairs them so that the hypotheses hold. `scale` makes vectors and free scalars larger."""

    def __init__(
        self,
        theory: Theory,
        terms: Sequence[Term],
        given: Sequence[Hypothesis],
        seed: int = 0,
        dmin: int = 1,
        dmax: int = 6,
        fixed: Mapping[str, Fraction] | None = None,
        limit: int | None = None,
        scale: int = 1,
    ) -> None:
        fixed, self.scale = fixed or {}, scale
        self.theory, self.given, self.fixed, self.random, self.meter = theory, given, fixed, Random(seed), Meter(limit)
        components = [h for h in given if isinstance(h, Components)]
        self.curves = {h.vector: h.entries for h in components}
        relations = [h for h in given if isinstance(h, Relation)]
        self.conditions = [(opened, self._read(opened)) for opened in map(open_relation, relations)]
        self.equalities = [(opened, needs.names - fixed.keys()) for opened, needs in self.conditions if opened.kind == "="]
        both = [side for opened, _ in self.conditions for side in (opened.left, opened.right)]
        spread = [Entry(h.vector, (Index("1", h.range),)) for h in components]
        self.needs = self._read_terms([*terms, *both, *spread])
        for length, bound in _lower_bounds(relations):
            if length in self.needs.least:
                self.needs.least[length] = max(bound, self.needs.least[length])
        self.pinned = {h.range.length: len(h.entries) for h in components}
        self.pinned |= {name: int(value) for name, value in fixed.items() if name in self.needs.least}
        signs = [h for h in relations if h.kind == "<" and h.left == Num(Fraction(0))]
        self.positive = theory.positive | {h.right.name for h in signs if isinstance(h.right, Sym)}
        self.sizes = self._allowed_sizes(dmin, dmax)
        self.orders = self._orders()

    def _read(self, relation: Opened) -> Needs:
        return self._read_terms([relation.left, relation.right])

    def _read_terms(self, terms: Sequence[Term]) -> Needs:
        """What the terms need, the vectors given by their components replaced by the scalars in those."""
        needs = _needs(self.theory, terms)
        used = [entry for name in self.curves if name in needs.vectors for entry in self.curves[name]]
        more = _needs(self.theory, used)
        vectors = {name: ranges for name, ranges in needs.vectors.items() if name not in self.curves}
        return replace(needs, vectors=vectors, scalars=needs.scalars | more.scalars)

    # ---- drawing

    def _allowed_sizes(self, dmin: int, dmax: int) -> list[dict[str, int]]:
        """The sizes that fit the hypotheses which speak of lengths only, small ones first; 1 only where nothing else fits."""
        lengths = sorted(self.needs.least, key=lambda name: (name != COORDINATES.length, name))
        for low, slack in ((2, 0), (2, 8), (1, 0)):
            ranges = []
            for name in lengths:
                first = max(low, self.needs.least[name], dmin if name == COORDINATES.length and low > 1 else 1)
                last = max(dmax if name == COORDINATES.length else 3, first) + slack
                ranges.append([self.pinned[name]] if name in self.pinned else range(first, last + 1))
            found = [dict(zip(lengths, sizes, strict=True)) for sizes in product(*ranges)]
            found = [sizes for sizes in found if self._fits(Point(sizes))]
            if found:
                return sorted(found, key=lambda sizes: sum(sizes.values()))
        return []

    def _fits(self, point: Point) -> bool:
        """Whether the hypotheses hold that need no more than the point has."""
        have = {*point.vectors, *point.scalars, *point.curves}
        judge = Judge(self.theory, point, self.meter)
        return all(judge.verdict(opened) is True for opened, needs in self.conditions if needs.names <= have)

    def admits_sizes(self, sizes: Mapping[str, int]) -> bool:
        """Whether no fixed position, pinned length or hypothesis on lengths stands against the sizes."""
        roomy = all(size >= self.needs.least.get(name, 1) and self.pinned.get(name, size) == size for name, size in sizes.items())
        return roomy and self._fits(Point(sizes))

    def without_a_place(self, point: Point) -> Iterator[Point]:
        """The point with one place of one range dropped, where the sizes allow it; coordinates stay at least two."""
        for name, size in point.sizes.items():
            sizes = {**point.sizes, name: size - 1}
            if size - 1 < (2 if name == COORDINATES.length else 1) or not self.admits_sizes(sizes):
                continue
            for dropped in range(1, size + 1):
                vectors = {vector: self._dropped(vector, entries, name, dropped) for vector, entries in point.vectors.items()}
                yield replace(point, sizes=sizes, vectors=vectors)

    def _dropped(self, vector: str, entries: Entries, length: str, place: int) -> Entries:
        ranges = self.needs.vectors.get(vector.removesuffix(SAMPLE), ())
        for depth, range_ in enumerate(ranges):
            if range_.length == length:
                entries = _without(entries, depth, place)
        return entries

    def draw(self, attempt: int, sizes: Mapping[str, int] | None = None) -> Point | None:
        """A random point at which the hypotheses hold, small numbers first; None where this attempt found none."""
        if sizes is None:
            room = 2 + attempt // 8
            sizes = self.random.choice([s for s in self.sizes if s.get(COORDINATES.length, 0) <= room] or self.sizes[:1])
        scalars = self._draw_scalars(attempt, sizes)
        if scalars is None:
            return None
        reach = {STEPS.length: max([0, *(shift for name, shift in self.needs.horizons if name in sizes)])}
        if STEPS.length in sizes and STEPS.length not in self.pinned:
            horizon = max([0, *(int(scalars[name]) + shift for name, shift in self.needs.horizons if name in scalars)])
            sizes = {**sizes, STEPS.length: max(sizes[STEPS.length], horizon)}
        vectors: dict[str, Entries] = {}
        for name, ranges in sorted(self.needs.vectors.items()):
            shape = [sizes[r.length] + reach.get(r.length, 0) for r in ranges]
            for sample in (name, name + SAMPLE) if name in self.needs.random else (name,):
                vectors[sample] = self._draw_vector(shape, attempt)
        return self.repair(self._nice_eps(Point(sizes, vectors, scalars, self.curves)))

    def _draw_scalars(self, attempt: int, sizes: Mapping[str, int]) -> dict[str, Fraction] | None:
        for _ in range(20):
            scalars = {name: self._draw_scalar(name, attempt) for name in sorted(self.needs.scalars)}
            if self.equalities or self._fits(Point(sizes, {}, scalars, self.curves)):  # equalities are repaired later
                return scalars
        return None

    def _draw_scalar(self, name: str, attempt: int) -> Fraction:
        if name in self.fixed:
            return self.fixed[name]
        if name in self.needs.naturals:
            return Fraction(self.random.randint(0, 3))
        size = self.random.choice(SIMPLE[: 4 + attempt // 4]) * (1 if name in self.theory.positive else self.scale)
        return size if name in self.positive else size * self.random.choice((1, 1, -1, 0))

    def _draw_vector(self, shape: list[int], attempt: int) -> Entries:
        bound, constant = 2 + attempt // 20, self.random.random() < 0.1
        flat = [Fraction(self.random.randint(-bound, bound) * self.scale) for _ in range(prod(shape))]
        flat = [flat[0]] * len(flat) if constant else flat
        return tuple(flat) if len(shape) == 1 else tuple(tuple(flat[k : k + shape[1]]) for k in range(0, len(flat), shape[1]))

    def _nice_eps(self, point: Point) -> Point:
        """Every other time, eps is set to s^2 - q for a simple s, so that the first family's root is rational."""
        name = "eps"
        if name not in point.scalars or name in self.fixed or not self.theory.families or self.random.random() < 0.5:
            return point
        family = self.theory.families[0]
        if family.vector not in {**point.vectors, **point.curves}:
            return point
        variance = Evaluator(self.theory, point, EXACT_ROOT, self.meter).symbol(family.variance)
        eps = self.random.choice(SIMPLE[:8]) ** 2 - cast("Fraction", variance)
        return replace(point, scalars={**point.scalars, name: eps}) if eps > 0 else point

    # ---- repairing

    def _orders(self) -> list[list[str]]:
        """In which order names may be solved for: an equality is solved for the last name in it."""
        bases = {family.vector for family in self.theory.families}
        base = sorted(self.needs.vectors.keys() & bases)
        others = sorted(self.needs.vectors.keys() - bases)
        scalars = sorted(self.needs.scalars - self.needs.naturals - self.fixed.keys())
        return [base + scalars + others, base + scalars[::-1] + others, scalars + base + others, base + others + scalars]

    def repair(self, point: Point) -> Point | None:
        """The point, changed so that the hypotheses hold; None where that does not succeed."""
        if not self.equalities:
            solved: Point | None = self._complete(point)
            return solved if solved and self._admits(solved) else None
        for order in list(self.orders):
            solved = self._solve(point, order)
            solved = self._complete(solved) if solved else None
            if solved and self._admits(solved):
                self.orders.remove(order)
                self.orders.insert(0, order)  # what worked once is tried first
                return solved
        return None

    def _complete(self, point: Point) -> Point | None:
        """The point with the entries of vectors that are terms of scalars filled in, so that it can be shown."""
        if not self.curves:
            return point
        evaluator = Evaluator(self.theory, point, EXACT_ROOT, self.meter)
        try:
            shown = {name: tuple(evaluator.value(entry, {}) for entry in entries) for name, entries in self.curves.items()}
        except (Undefined, Irrational):
            return None
        if not all(isinstance(x, Fraction) for entries in shown.values() for x in entries):
            return None
        return replace(point, vectors={**point.vectors, **cast("dict[str, Entries]", shown)})

    def _admits(self, point: Point) -> bool:
        if any(value <= 0 for name, value in point.scalars.items() if name in self.positive):
            return False
        return self._fits(point)

    def _solve(self, point: Point, order: list[str]) -> Point | None:
        known = {*self.needs.naturals}
        for name in order:
            known.add(name)
            equations = [opened for opened, names in self.equalities if name in names and names <= known]
            if equations:
                solved = self._solve_for(point, name, equations)
                if solved is None:
                    return None
                point = solved
        return point

    def _solve_for(self, point: Point, name: str, equations: list[Opened]) -> Point | None:
        """The equations solved for one scalar or the entries of one vector.

        One Newton step is exact where they are affine in those; else a constant vector or a simple scalar may do.
        """
        if self._vanish(point, equations):
            return point
        stepped = self._newton(point, name, equations)
        candidates = [] if stepped is None else [stepped]
        if len(equations) > 1 or stepped is None or not self._vanish(stepped, equations):
            candidates += self._scaled(point, name, equations)
        if name in point.scalars:
            candidates += [replace(point, scalars={**point.scalars, name: x}) for x in (*SIMPLE[:2], Fraction(0), Fraction(-1))]
        elif len(self.needs.vectors[name]) == 1:
            length = len(point.vectors[name])
            candidates += [_with_vector(point, name, (cast("Fraction", x),) * length) for x in (point.vectors[name][0], Fraction(0))]
        return next((candidate for candidate in candidates if self._vanish(candidate, equations)), None)

    def _scaled(self, point: Point, name: str, equations: list[Opened]) -> Iterator[Point]:
        """Points that solve the affine equations, scaled to meet one that is homogeneous, such as var(w) = 1."""
        affine, rest = list[Opened](), list[Opened]()
        for equation in equations:
            stepped = self._newton(point, name, [*affine, equation])
            if stepped is not None and self._vanish(stepped, [*affine, equation]):
                point = stepped
                affine.append(equation)
            else:
                rest.append(equation)
        for equation in rest:
            try:
                left, right = Judge(self.theory, point, self.meter).sides(equation, next(equation.assignments(point)))
            except (Undefined, Irrational):
                continue
            if isinstance(left, Fraction) and isinstance(right, Fraction) and left and right / left > 0:
                for factor in (right / left, rational_root(right / left)):
                    if factor:
                        yield _scaled(point, name, factor)

    def _vanish(self, point: Point, equations: list[Opened]) -> bool:
        judge = Judge(self.theory, point, self.meter)
        return all(judge.verdict(equation) is True for equation in equations)

    def _newton(self, point: Point, name: str, equations: list[Opened]) -> Point | None:
        evaluator = Evaluator(self.theory, point, EXACT_ROOT, self.meter)
        shape = [] if name in point.scalars else shape_of(point.vectors[name])
        unknowns = list(product(*(range(1, n + 1) for n in shape)))
        self.random.shuffle(unknowns)
        rows: list[list[Value]] = []
        try:
            for equation in equations:
                gap = equation.left - equation.right
                rows += [
                    [*(_slope(evaluator, gap, env, name, places) for places in unknowns), -evaluator.value(gap, env)]
                    for env in equation.assignments(point)
                ]
        except (Undefined, Irrational):
            return None
        if not all(isinstance(x, Fraction) for row in rows for x in row):
            return None
        step = _solve_linear(cast("list[list[Fraction]]", rows), len(unknowns))
        return None if step is None else _moved(point, name, dict(zip(unknowns, step, strict=True)))


def _scaled(point: Point, name: str, factor: Fraction) -> Point:
    if name in point.scalars:
        return replace(point, scalars={**point.scalars, name: point.scalars[name] * factor})
    return replace(point, vectors={**point.vectors, name: changed(point.vectors[name], lambda x, _at: x * factor)})


def _slope(evaluator: Evaluator, term: Term, env: Env, name: str, places: tuple[int, ...]) -> Value:
    return evaluator.derivative(lambda ev: ev.value(term, env), name, places)


def shape_of(entries: Entries) -> list[int]:
    """The number of entries or, for rows, of rows and columns."""
    return [len(entries), len(entries[0])] if isinstance(entries[0], tuple) else [len(entries)]


def _with_vector(point: Point, name: str, entries: Entries) -> Point:
    samples = [sample for sample in (name, name + SAMPLE) if sample in point.vectors]
    return replace(point, vectors={**point.vectors, **dict.fromkeys(samples, entries)})


def _moved(point: Point, name: str, step: Mapping[tuple[int, ...], Fraction]) -> Point:
    """The point with a scalar, or the entries of a vector in both its samples, moved by a step."""
    if name in point.scalars:
        return replace(point, scalars={**point.scalars, name: point.scalars[name] + step[()]})
    vectors = dict(point.vectors)
    for sample in (name, name + SAMPLE):
        if sample in vectors:
            vectors[sample] = changed(vectors[sample], lambda x, at: x + step[at])
    return replace(point, vectors=vectors)


def _without(entries: Entries, depth: int, place: int) -> Entries:
    """The entries without one row (depth 0) or one column (depth 1)."""
    rows: Any = entries
    return cast("Entries", tuple(_without(row, 0, place) for row in rows) if depth else rows[: place - 1] + rows[place:])


def changed(entries: Entries, change: Callable[[Fraction, tuple[int, ...]], Fraction]) -> Entries:
    """The entries, each replaced by what `change` makes of it and its places."""
    rows: Any = entries
    if isinstance(entries[0], tuple):
        return tuple(tuple(change(x, (i, j)) for j, x in enumerate(row, 1)) for i, row in enumerate(rows, 1))
    return tuple(change(x, (i,)) for i, x in enumerate(rows, 1))


def _solve_linear(rows: list[list[Fraction]], width: int) -> list[Fraction] | None:
    """A solution of the augmented system, unknowns without a pivot 0; None where there is none."""
    rows, pivots = [list(row) for row in rows], list[int]()
    for column in range(width):
        found = next((row for row in rows[len(pivots) :] if row[column]), None)
        if found is None:
            continue
        rows.remove(found)
        found = [x / found[column] for x in found]
        rows = [[x - row[column] * y for x, y in zip(row, found, strict=True)] for row in rows]
        rows.insert(len(pivots), found)
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    solution = [Fraction(0)] * width
    for row, column in zip(rows, pivots, strict=False):
        solution[column] = row[-1]
    return solution


# ---------------------------------------------------------------- what others call


def sample_points(
    theory: Theory,
    relations: Sequence[Relation],
    given: Sequence[Hypothesis],
    count: int,
    seed: int = 0,
    limit: int | None = None,
    scale: int = 1,
) -> Iterator[Point]:
    """Up to `count` different points at which the hypotheses hold and all sides of the relations are defined.

    Raises: Exhausted once more than `limit` nodes have been evaluated.
    """
    opened = [open_relation(relation) for relation in relations]
    terms = [side for relation in opened for side in (relation.left, relation.right)]
    points = Points(theory, terms, given, seed, limit=limit, scale=scale)
    seen: list[Point] = []
    for attempt in range(50 * count if points.sizes else 0):
        point = points.draw(attempt)
        if point and point not in seen and _defined(Judge(theory, point, points.meter), opened):
            seen.append(point)
            yield point
            if len(seen) == count:
                return


def find_point(
    theory: Theory, given: Sequence[Hypothesis], relations: Sequence[Relation] = (), limit: int | None = None
) -> Point | None:
    """A point at which the hypotheses hold, and all sides of the relations are defined; None where none was found within the limit."""
    try:
        return next(sample_points(theory, relations, given, 1, limit=limit), None)
    except Exhausted:
        return None


def _defined(judge: Judge, relations: list[Opened]) -> bool:
    try:
        for relation in relations:
            for env in relation.assignments(judge.point):
                judge.sides(relation, env)
    except (Undefined, Irrational):
        return False
    return True

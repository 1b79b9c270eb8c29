"""What the page needs to mark answers by itself: terms, exact points and known slips as data for its script. Imports up to the marking.

A term is its text in the language of statements, where reading that text gives the term back, else a nested list, as page/language.js
says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from lnsym.derivations.definitions import THEORY, beta, g, gamma, h, u, w
from lnsym.errors import LnsymError
from lnsym.evaluate import Entries, Evaluator, Meter, Point
from lnsym.kernel.terms import (
    COORDINATES,
    Add,
    Array,
    Delta,
    Derivative,
    Entry,
    Hypothesis,
    Index,
    Mul,
    Num,
    Pow,
    Range,
    Root,
    Sum,
    Sym,
    Term,
    Word,
    free_indices,
)
from lnsym.lang import Eq, P, identity, one
from lnsym.lesson.marking.expressions import at_the_entry
from lnsym.lesson.marking.parts import shown, variants
from lnsym.lesson.marking.reading import names_of
from lnsym.lesson.marking.repairs import ALIASES
from lnsym.lesson.marking.same import same
from lnsym.lesson.marking.sample import Sample
from lnsym.lesson.marking.slips import FACTORS, catalogued
from lnsym.lesson.records import Task
from lnsym.points import Points, satisfies
from lnsym.statement import MATRICES, SCALARS, VECTORS, parse_expression
from lnsym.surd import Surd

POINTS = 20
LEAST = 12  # points that a task must have
DRAWN = 60  # points from which they are chosen
SLIPS = 24
LIMIT = 60_000  # evaluated nodes
TAUGHT = (  # the words that the script knows by their meaning
    "mean", "var", "norm", "total", "cov", "dot", "outer", "diag", "core", "rms", "trace", "transpose", "apply", "matmul", "jacobian",
    "gradient",
)  # fmt: skip
Data = Any  # nested lists and texts


class Unshippable(LnsymError):
    """A term that the page's script cannot evaluate."""


# ---------------------------------------------------------------- terms


def tree(node: Term | Array) -> Data:
    """A term as a nested list."""
    match node:
        case Num(value):
            return ["n", str(value)]
        case Sym(name):
            return ["s", name]
        case Entry(vector, indices):
            return ["e", vector, [_index(i) for i in indices]]
        case Delta(left, right):
            return ["δ", _index(left), _index(right)]
        case Add(args) | Mul(args):
            return ["+" if isinstance(node, Add) else "*", *map(tree, args)]
        case Pow(base, exponent):
            return ["^", tree(base), exponent]
        case Root(radicand):
            return ["√", tree(radicand)]
        case Sum(index, body):
            return ["Σ", _index(index), tree(body)]
        case Derivative(body, variable):
            return ["D", tree(body), tree(variable)]
        case Array(indices, body):
            return ["a", [_index(i) for i in indices], tree(body)]
        case Word(name, args, indices, expansion):
            if name in TAUGHT or name in WORDS:
                return ["w", name, list(map(tree, args)), [_index(i) for i in indices]]
            return tree(expansion)
    raise Unshippable(f"the page cannot evaluate {type(node).__name__}; this task is marked in the terminal")


def _index(index: Index) -> str:
    return index.name if index.range == COORDINATES else f"{index.name}:{index.range.name}"


WORDS: dict[str, Array] = {"J": MATRICES["J"], "P": P, "one": one, "identity": identity()}


def theory() -> Data:
    """The definitions of the book, and the words that stand for a vector or matrix of their own, by what they abbreviate."""
    families = [{"vector": f.vector, "deviation": f.deviation, "mean": f.mean, "variance": f.variance} for f in THEORY.families]
    return {
        "families": families,
        "definitions": {one.name: tree(one.value) for one in THEORY.definitions},
        "words": {name: ["a", [_index(i) for i in word.indices], tree(_expansion(word))] for name, word in WORDS.items()},
        "names": {name: tree(value) for name, value in {**SCALARS, **VECTORS, **MATRICES}.items()},
        "aliases": ALIASES,
        "factors": [[what, shown(factor)] for _, what, factor in FACTORS],
    }


def _expansion(array: Array) -> Term:
    return array.body.expansion if isinstance(array.body, Word) else array.body


def sent(node: Term | Array, task: Task) -> Data:
    """A term as its text, a vector or matrix with the names of its open indices, where the text reads back as the term."""
    written = shown(node)
    try:
        term = parse_expression(written, task.vectors, names_of(task))
        if isinstance(term, Term) and same(*at_the_entry(term, node)):
            holes = [index.name for index in sorted(free_indices(term), key=lambda index: index.name)] if isinstance(node, Array) else []
            return [written, holes] if holes else written
    except LnsymError:
        pass
    return {"tree": tree(node)}


# ---------------------------------------------------------------- points


@cache
def pool() -> tuple[Point, ...]:
    """Points that most tasks share, the simplest first: rows of two to four entries, eps chosen so that q + eps is a square; last two
    points where a division by what may be 0 shows: by a, c or t, and by d - 1.
    """
    order = random.Random(5)
    found = []
    for n in range(2 * POINTS):
        d = 2 + n % 3
        vectors = {name: _drawn(order, d) for name in ("z", "g", "h", "w", "gamma", "beta")}
        vectors["z'"] = _drawn(order, d)
        if n % 10 == 9:
            vectors["z"] = (vectors["z"][0],) * d  # a constant row, at which q = 0
        scalars = {name: order.choice(VALUES) for name in ("a", "c", "t")} | {"eps": Fraction(1)}
        found.append(_squared(Point({"d": d}, vectors, scalars), n // 3))
    first, *_ = found = sorted(found, key=_weight)
    single = {name: entries[:1] for name, entries in first.vectors.items()}
    nought = replace(first, scalars={**first.scalars, "a": Fraction(0), "c": Fraction(0), "t": Fraction(0)})
    return (*found, nought, Point({"d": 1}, single, {**first.scalars, "eps": Fraction(1, 4)}))


VALUES = tuple(map(Fraction, ("2", "3", "1/2", "-2", "3/2", "-1/2", "4", "1/3")))


def _drawn(order: random.Random, d: int) -> tuple[Fraction, ...]:
    entries = tuple(Fraction(order.randint(-3, 4)) for _ in range(d))
    return entries if len(set(entries)) > 1 else _drawn(order, d)


def _squared(point: Point, turn: int) -> Point:
    """The point with one of the simplest eps > 0 for which q + eps is a square, another one each turn; never 1, which hides too much."""
    q = Evaluator(THEORY, point).symbol("q")
    assert isinstance(q, Fraction)
    roots = (Fraction(n, m) for m in (1, 2, 3) for n in range(1, 40) if Fraction(n, m) ** 2 > q)
    simplest = sorted({root**2 - q for root in roots} - {Fraction(1)}, key=lambda x: (x.numerator + x.denominator, x))
    return replace(point, scalars={**point.scalars, "eps": simplest[turn % 3]})


def _weight(point: Point) -> tuple[int, int]:
    numbers = [x for entries in point.vectors.values() for x in _flat(entries)]
    return sum(point.sizes.values()), sum(abs(x.numerator) + x.denominator - 1 for x in (*numbers, *point.scalars.values()))


def _flat(entries: object) -> Iterator[Fraction]:
    if isinstance(entries, tuple):
        for entry in entries:
            yield from _flat(entry)
    elif isinstance(entries, Fraction):
        yield entries


def point_data(point: Point) -> Data:
    """A point: lengths by range, entries and values as texts; rows of a matrix are parted by semicolons."""
    sizes = {_range_name(length): size for length, size in point.sizes.items()}
    found = {"sizes": sizes, "vectors": {name: _listed(x) for name, x in point.vectors.items()}, "scalars": _texts(point.scalars)}
    return found | ({"curves": {name: list(map(tree, terms)) for name, terms in point.curves.items()}} if point.curves else {})


def _texts(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def _listed(entries: Entries) -> str:
    rows = [entry if isinstance(entry, tuple) else (entry,) for entry in entries]
    matrix = any(isinstance(entry, tuple) for entry in entries)
    return ";".join(" ".join(map(str, row)) for row in rows) if matrix else " ".join(str(row[0]) for row in rows)


def _range_name(length: str) -> str:
    return {"d": "", "n": "inputs", "N": "rows", "T": "steps", "B": "blocks"}[length]


class Chooser:
    """Chooses the points at which a task is marked: those of the pool where they fit, else points of its own, drawn by the refuter."""

    def __init__(self) -> None:
        self.own: list[Point] = []

    def choose(self, task: Task) -> list[int]:
        """The numbers of the points, the simplest first; of the pool some with longer rows as well, and the last two, if they fit."""
        assert task.target is not None
        fitting = [n for n, point in enumerate(pool()) if _fits(point, task.target, task.given)]
        if len(fitting) >= LEAST:
            half = POINTS // 2
            return [*fitting[:half], *fitting[half:-2:2][: half - 2], *fitting[half:][-2:]]
        start = len(pool()) + len(self.own)
        self.own += _own_points(task.target, task.given)
        return list(range(start, len(pool()) + len(self.own)))

    @property
    def points(self) -> tuple[Point, ...]:
        """All points chosen from."""
        return (*pool(), *self.own)


def _fits(point: Point, target: Term | Array, given: Sequence[Hypothesis]) -> bool:
    try:
        return satisfies(THEORY, point, given) and _defined(point, target)
    except LnsymError:
        return False


def _defined(point: Point, node: Term | Array) -> bool:
    """Whether a term has a value without a root of a root, whatever its free indices."""
    term = node.body if isinstance(node, Array) else node
    evaluator = Evaluator(THEORY, point, meter=Meter(LIMIT))
    for env in _assignments(list(free_indices(term)), point):
        value = evaluator.value(term, env)
        if not isinstance(value, (Fraction, Surd)):
            return False
    return True


def _assignments(free: Sequence[Index], point: Point) -> Iterator[dict[Index, int]]:
    if not free:
        yield {}
        return
    for place in range(1, point.sizes[free[0].range.length] + 1):
        yield from ({free[0]: place, **rest} for rest in _assignments(free[1:], point))


def _own_points(target: Term | Array, given: Sequence[Hypothesis]) -> list[Point]:
    """Points for a task whose hypotheses those of the pool do not meet, with as many names besides its own as can be had."""
    own, *beside = (Eq(x, x).opened()[0] for x in (target, u, gamma, beta, g, h, w))
    for more in (beside, beside[:1], []):
        try:
            points = list(islice(_drawn_points([own, *more], target, given), POINTS))
        except LnsymError:
            continue
        if len(points) >= LEAST:
            return sorted(points, key=_weight)
    raise Unshippable("too few exact points were found; this task is marked in the terminal")


def _drawn_points(needed: Sequence[Term], target: Term | Array, given: Sequence[Hypothesis]) -> Iterator[Point]:
    drawing = Points(THEORY, needed, given, 1, 2, 4, {}, LIMIT)
    sizes = sorted(drawing.sizes, key=lambda x: (sum(x.values()), x.get(COORDINATES.length, 0)))[:3]
    seen: list[Point] = []
    for attempt in range(DRAWN if sizes else 0):
        point = drawing.draw(attempt, sizes[attempt % len(sizes)])
        point = point and _nicer(point, given, attempt)
        if point and point not in seen and _fits(point, target, given):
            seen.append(point)
            yield point


def _nicer(point: Point, given: Sequence[Hypothesis], turn: int) -> Point:
    """The point with an eps at which the root is rational, where the hypotheses leave it open."""
    if point.curves or "eps" not in point.scalars or "z" not in point.vectors:
        return point
    try:
        other = _squared(point, turn)
        return other if satisfies(THEORY, other, given) else point
    except (LnsymError, IndexError):
        return point


# ---------------------------------------------------------------- tasks


def answer_data(task: Task, chooser: Chooser) -> Data:
    """What the script needs to mark an expression or a number."""
    assert task.target is not None
    if task.kind == "compute":
        return {"kind": "number", "target": sent(task.target, task)}
    data: dict[str, Data] = {"kind": "expression", "target": sent(task.target, task), "points": chooser.choose(task)}
    if task.before is not None:
        with suppress(Unshippable):  # a line that the page cannot compute cannot be typed either, so no answer repeats it
            data["before"] = sent(task.before, task)
    if names := names_of(task) | {name: _vector(name) for name in task.vectors if name not in names_of(task)}:
        data["names"] = {name: tree(value) for name, value in names.items()}
    data["slips"] = list(islice(_slips(task), SLIPS))
    return data


def _vector(name: str) -> Array:
    hole = Index("·1", Range("coordinates", "d"))
    return Array((hole,), Entry(name, (hole,)))


def _slips(task: Task) -> Iterator[list[Data]]:
    """Known slips in the line asked for, each a sentence and the wrong line; those of the catalogue come first."""
    assert task.target is not None
    target, _ = at_the_entry(task.target, task.target)
    seen = {shown(target)}
    for code, what, term in (*catalogued(Sample(target, target, task.given), target), *variants(target)):
        written = shown(term)
        if written in seen:
            continue
        seen.add(written)
        try:
            data = sent(term, task)
        except LnsymError:
            continue
        if isinstance(data, str):
            yield [f"{code}: {what}" if code.startswith("LN") else what, data]

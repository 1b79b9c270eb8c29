"""The value of a term at a point, exactly and from the definitions: an evaluator that knows nothing of the kernel's rules.

A word is computed from its meaning where that is known here, and not from its expansion, so that the two check each other.
Imports the kernel's terms, lnsym.surd and lnsym.errors only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar, Union, cast

from lnsym.errors import LnsymError, TermError
from lnsym.kernel.terms import (
    Add,
    Array,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Family,
    Geometric,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Range,
    Root,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    free_indices,
    walk,
)
from lnsym.surd import Exact, Interval, Irrational, Jet, Surd, Undefined, Value, enclosing_root, exact_root, inverse, root
from lnsym.surd import Root as RootOf

Entries = Union[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]
Env = dict[Index, int]
T = TypeVar("T")
SAMPLE = "#2"  # g#2 is the second value that the random vector g takes
EXACT_ROOT = cast("RootOf", exact_root)
WEIGHTS = (Fraction(1, 3), Fraction(2, 3))  # unequal, so that odd central moments do not vanish


@dataclass(frozen=True)
class Point:
    """Exact values of everything that a statement leaves open.

    `sizes` maps the length symbol of a range to a number, `vectors` a name to its entries (rows, for two indices),
    `scalars` a name to its value. `curves` holds the entries of those vectors that are terms of scalars, which
    matters only where such a vector is differentiated by a scalar.
    """

    sizes: Mapping[str, int]
    vectors: Mapping[str, Entries] = field(default_factory=dict)
    scalars: Mapping[str, Fraction] = field(default_factory=dict)
    curves: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [f"{name} = {size}" for name, size in self.sizes.items()]
        parts += [f"{name} = {_written(entries)}" for name, entries in self.vectors.items()]
        return ", ".join(parts + [f"{name} = {value}" for name, value in self.scalars.items()])

    def as_dict(self) -> dict[str, object]:
        """The point for JSON: sizes as numbers, exact values as text."""
        vectors = {name: _listed(entries) for name, entries in self.vectors.items()}
        return {**self.sizes, **vectors, **{name: str(value) for name, value in self.scalars.items()}}


def _written(value: object) -> str:
    return f"({', '.join(map(_written, value))})" if isinstance(value, tuple) else str(value)


def _listed(value: object) -> object:
    return [_listed(x) for x in value] if isinstance(value, tuple) else str(value)


class Exhausted(LnsymError):
    """An evaluation that goes beyond the limit of its meter."""

    exit_code = 3


class Meter:
    """Counts evaluated nodes, so that a search can end after so much work and not after so much time.

    It also keeps, for the whole search, which indices are free in a node; with the node, so that its id stays its own.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.spent, self.limit = 0, limit
        self.free: dict[int, tuple[Term | Array, tuple[Index, ...]]] = {}

    def spend(self, work: int) -> None:
        """Count some work. Raises Exhausted beyond the limit."""
        self.spent += work
        if self.limit is not None and self.spent > self.limit:
            raise Exhausted("evaluating this takes too much work; state a smaller part of it")


def weight(value: Value) -> int:
    """The work in a product with this value, in nodes: small for a fraction, more for a sum of roots or with derivatives."""
    if isinstance(value, Fraction):
        return (value.numerator.bit_length() + value.denominator.bit_length()) >> 10
    if isinstance(value, Jet):
        return sum(1 + weight(part) for part in value.parts.values())
    return len(value.parts) ** 2 >> 2 if isinstance(value, Surd) else 2


class Evaluator:
    """Evaluates terms at one point. `plain_root` says what becomes of an irrational root.

    Under n derivatives the seeded entries carry the tags 0, ..., n-1, one for each; the tag of an inner derivative
    is thus never that of an outer one.
    """

    def __init__(self, theory: Theory, point: Point, plain_root: RootOf = EXACT_ROOT, meter: Meter | None = None) -> None:
        self.theory, self.point, self.plain_root, self.meter = theory, point, plain_root, meter or Meter()
        self.seeds: tuple[tuple[str, tuple[int, ...]], ...] = ()
        self.samples: Mapping[str, str] = {}
        self.deviations = {family.deviation: family for family in theory.families}
        self.moments = {name: family for family in theory.families for name in (family.mean, family.variance)}
        self.definitions = {definition.name: definition.value for definition in theory.definitions}
        self.memo: dict[tuple[object, ...], Value] = {}
        self.branches: dict[object, Evaluator] = {}

    def value(self, term: Term, env: Env) -> Value:
        """The value of a term, the free indices at the places of env."""
        self.meter.spend(1 << len(self.seeds))
        result = _RULES[type(term)](self, term, env)
        if work := weight(result):
            self.meter.spend(work)
        return result

    def size(self, range_: Range) -> int:
        """The number of places of a range."""
        if range_.length not in self.point.sizes:
            raise TermError(f"the point gives no value for the length {range_.length}; add it to its sizes")
        return self.point.sizes[range_.length]

    def places(self, indices: Iterable[Index], env: Env) -> tuple[int, ...]:
        """Where the indices stand, counted from 1."""
        return tuple(self._place(index, env) for index in indices)

    def _place(self, index: Index, env: Env) -> int:
        if index in env:
            return env[index]
        if not index.is_fixed:
            raise TermError(f"the index {index.name} has no place; give one in `at`")
        symbol, later, shift = index.name.partition("+")
        position = self.natural(Sym(symbol), int(shift)) if later else int(symbol)
        if not 1 <= position <= self.size(index.range):
            raise Undefined(f"position {index.name} of {self.size(index.range)}")
        return position

    def branch(self, key: object, **changes: object) -> Evaluator:
        """The same evaluator with a seed or a sample more; the same change gives the same object, with its memo."""
        if key not in self.branches:
            other = Evaluator(self.theory, self.point, self.plain_root, self.meter)
            other.seeds, other.samples = self.seeds, self.samples
            for name, change in changes.items():
                setattr(other, name, change)
            self.branches[key] = other
        return self.branches[key]

    def derivative(self, body: Callable[[Evaluator], Value], name: str, places: tuple[int, ...]) -> Value:
        """The derivative by an entry of a base vector or, without places, by a scalar."""
        derived = name in self.definitions or name in self.deviations or name in self.moments or name in self.point.sizes
        if derived:
            raise TermError(f"cannot differentiate by {name}: it depends on others; differentiate by a vector such as z or a free scalar")
        tag = 1 << len(self.seeds)
        result = body(self.branch((name, places), seeds=(*self.seeds, (name, places))))
        if not isinstance(result, Jet):
            return Fraction(0)
        rest = result.coefficient(tag)
        return rest if self.seeds else rest.parts[0]

    def _seeded(self, value: Value, name: str, places: tuple[int, ...]) -> Value:
        for position, seed in enumerate(self.seeds):
            if seed == (name, places):
                value = Jet({0: Fraction(0), 1 << position: Fraction(1)}) + value
        return value

    # ---- names

    def entry(self, name: str, places: tuple[int, ...]) -> Value:
        """One entry of a vector or matrix: a base one, a family's deviations, or a definition."""
        if name in self.deviations:
            family = self.deviations[name]
            return self.base(family.vector, places) - self._mean(family)
        if name in self.definitions:
            return self._recall(("definition", name, places), lambda: self._defined(name, places))
        return self.base(name, places)

    def _defined(self, name: str, places: tuple[int, ...]) -> Value:
        array = self.definitions[name]
        if isinstance(array, Array):
            return self.value(array.body, dict(zip(array.indices, places, strict=True)))
        return self.value(array, {})

    def base(self, name: str, places: tuple[int, ...]) -> Value:
        """One entry of a vector that the point itself gives."""
        name_at_point = name + self.samples.get(name, "")
        if name in self.point.curves:
            value = self.value(_within(self.point.curves[name], places[0]), {})
        elif name_at_point not in self.point.vectors:
            raise TermError(f"the point gives no value for the vector {name}; add it to its vectors")
        else:
            found: object = self.point.vectors[name_at_point]
            for place in places:
                found = _within(cast("tuple[object, ...]", found), place)
            value = cast("Fraction", found)
        return self._seeded(value, name, places)

    def family_entries(self, family: Family) -> list[Value]:
        """All entries of a family's vector."""
        length = len(self.point.curves.get(family.vector) or self.point.vectors.get(family.vector, ()))
        if not length:
            raise TermError(f"the point gives no value for the vector {family.vector}; add it to its vectors")
        return [self.base(family.vector, (place,)) for place in range(1, length + 1)]

    def _mean(self, family: Family) -> Value:
        return self._recall(("mean", family.vector), lambda: average(self.family_entries(family)))

    def _variance(self, family: Family) -> Value:
        def compute() -> Value:
            return covariance(entries := self.family_entries(family), entries)

        return self._recall(("variance", family.vector), compute)

    def symbol(self, name: str) -> Value:
        """The value of a scalar symbol."""
        if name in self.point.sizes:
            return Fraction(self.point.sizes[name])
        if name in self.moments:
            family = self.moments[name]
            return self._mean(family) if name == family.mean else self._variance(family)
        if name in self.definitions:
            return self._recall(("definition", name, ()), lambda: self._defined(name, ()))
        if name not in self.point.scalars:
            raise TermError(f"the point gives no value for the symbol {name}; add it to its scalars")
        return self._seeded(self.point.scalars[name], name, ())

    def natural(self, symbol: Sym, shift: int) -> int:
        """An exponent symbol + shift, for a symbol that holds a whole number >= 0."""
        value = self.symbol(symbol.name)
        if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
            raise Undefined(f"the exponent {symbol.name} is not one of 0, 1, 2, ...")
        return int(value) + shift

    # ---- arrays

    def _recall(self, key: tuple[object, ...], compute: Callable[[], Value]) -> Value:
        if key not in self.memo:
            self.memo[key] = compute()
        return self.memo[key]

    def local(self, node: Term | Array, env: Env, places: tuple[int, ...], compute: Callable[[], Value]) -> Value:
        """What `compute` gives, once for each value of the indices that are free in node."""
        free = self.meter.free
        if id(node) not in free:
            free[id(node)] = (node, tuple(free_indices(node)))
        return self._recall((id(node), places, *(env.get(index) for index in free[id(node)][1])), compute)

    def at(self, argument: Term | Array, places: tuple[int, ...], env: Env) -> Value:
        """One entry of an array, its holes filled."""
        self.meter.spend(1 << len(self.seeds))
        if not isinstance(argument, Array):
            return self.value(argument, env)
        inner = {**env, **dict(zip(argument.indices, places, strict=True))}
        return self.local(argument, env, places, lambda: self.value(argument.body, inner))

    def entries(self, argument: Term | Array, env: Env) -> list[Value]:
        """All entries of a vector."""
        array = cast("Array", argument)
        return [self.at(array, (place,), env) for place in range(1, self.size(array.indices[0].range) + 1)]


# ---------------------------------------------------------------- sums and moments of lists


def _within(row: tuple[T, ...], place: int) -> T:
    if place > len(row):
        raise Undefined(f"position {place} of {len(row)}")
    return row[place - 1]


def add_up(values: Iterable[Value]) -> Value:
    """The sum."""
    result: Value = Fraction(0)
    for value in values:
        result = result + value
    return result


def average(values: list[Value]) -> Value:
    """The arithmetic mean."""
    return add_up(values) * Fraction(1, len(values))


def covariance(xs: list[Value], ys: list[Value]) -> Value:
    """The covariance, with divisor len(xs)."""
    mean_x, mean_y = average(xs), average(ys)
    return average([(x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)])


def inner(xs: list[Value], ys: list[Value]) -> Value:
    """The inner product."""
    return add_up(x * y for x, y in zip(xs, ys, strict=True))


def power(base: Value, exponent: int) -> Value:
    """An integer power; the zeroth is 1, also of 0."""
    base = inverse(base) if exponent < 0 else base
    if isinstance(base, Fraction):
        return base ** abs(exponent)
    result: Value = Fraction(1)
    for _ in range(abs(exponent)):
        result = result * base
    return result


# ---------------------------------------------------------------- nodes


def _sum(ev: Evaluator, term: Sum, env: Env) -> Value:
    return add_up(ev.value(term.body, {**env, term.index: place}) for place in range(1, ev.size(term.index.range) + 1))


def _product(ev: Evaluator, term: Mul, env: Env) -> Value:
    result: Value = Fraction(1)
    for factor in term.args:  # no early end at 0: every factor must be defined
        result = result * ev.value(factor, env)
    return result


def _power(ev: Evaluator, term: Pow, env: Env) -> Value:
    base = ev.value(term.base, env)
    ev.meter.spend(abs(term.exponent) * weight(base))
    return power(base, term.exponent)


def _geometric(ev: Evaluator, term: Geometric, env: Env) -> Value:
    base, last = ev.symbol(term.base.name), ev.natural(term.upper, term.shift)
    return add_up(power(base, last - place) * ev.value(term.body, {**env, term.index: place}) for place in range(1, last + 1))


def _derivative(ev: Evaluator, term: Derivative, env: Env) -> Value:
    variable = term.variable
    name, places = (variable.vector, ev.places(variable.indices, env)) if isinstance(variable, Entry) else (variable.name, ())
    return ev.derivative(lambda seeded: seeded.value(term.body, env), name, places)


def _expectation(ev: Evaluator, term: Expectation, env: Env) -> Value:
    branches = [
        ev.branch(("sample", term.random, sample), samples={**ev.samples, **dict.fromkeys(term.random, sample)}) for sample in ("", SAMPLE)
    ]
    return add_up(weight * branch.value(term.body, env) for weight, branch in zip(WEIGHTS, branches, strict=True))


def _word(ev: Evaluator, term: Word, env: Env) -> Value:
    meaning = WORDS.get(term.name)
    if meaning is None:
        return ev.value(term.expansion, env)
    if term.indices:
        return meaning(ev, term, env)
    return ev.local(term, env, (), lambda: meaning(ev, term, env))


_RULES: dict[type, Callable[..., Value]] = {
    Num: lambda _ev, term, _env: term.value,
    Sym: lambda ev, term, _env: ev.symbol(term.name),
    Entry: lambda ev, term, env: ev.entry(term.vector, ev.places(term.indices, env)),
    Delta: lambda ev, term, env: Fraction(len(set(ev.places((term.left, term.right), env))) == 1),
    Add: lambda ev, term, env: add_up(ev.value(a, env) for a in term.args),
    Mul: _product,
    Pow: _power,
    Power: lambda ev, term, _env: power(ev.symbol(term.base.name), ev.natural(term.exponent, term.shift)),
    Sum: _sum,
    Geometric: _geometric,
    Root: lambda ev, term, env: root(ev.value(term.radicand, env), ev.plain_root),
    Derivative: _derivative,
    Expectation: _expectation,
    Word: _word,
}


# ---------------------------------------------------------------- words, by their meaning


def _core(ev: Evaluator, word: Word, env: Env) -> Value:
    xs = ev.entries(word.args[0], env)
    scale = root(covariance(xs, xs) + ev.at(word.args[1], (), env), ev.plain_root)
    return (xs[_first(ev, word, env) - 1] - average(xs)) * inverse(scale)


def _rms(ev: Evaluator, word: Word, env: Env) -> Value:
    xs = ev.entries(word.args[0], env)
    scale = root(average([x * x for x in xs]) + ev.at(word.args[1], (), env), ev.plain_root)
    return xs[_first(ev, word, env) - 1] * inverse(scale)


def _jacobian_of_core(ev: Evaluator, word: Word, env: Env) -> Value:
    """(delta_ij - 1/d - v_i v_j / (d (q + eps))) / s; a J of another theory, without eps, is left to its expansion."""
    if not ev.theory.families or not _mentions_eps(ev, word.expansion):
        return ev.value(word.expansion, env)
    i, j = ev.places(word.indices, env)
    zs = ev.family_entries(ev.theory.families[0])
    ev.meter.spend(2 * len(zs))
    share, square = Fraction(1, len(zs)), covariance(zs, zs) + ev.symbol("eps")
    v_i, v_j = zs[i - 1] - average(zs), zs[j - 1] - average(zs)
    radial = v_i * v_j * share * inverse(square)
    return (Fraction(i == j) - share - radial) * inverse(root(square, ev.plain_root))


def _mentions_eps(ev: Evaluator, term: Term) -> bool:
    key = (id(term), "mentions eps")
    found = ev.memo.get(key)
    if found is None:
        todo, names = [term], set[str]()
        while todo:
            for node in walk(todo.pop()):
                if isinstance(node, Sym) and node.name not in names:
                    names.add(node.name)
                    value = ev.definitions.get(node.name)
                    todo += [value] if isinstance(value, Term) else []
        found = ev.memo[key] = Fraction("eps" in names)
    return found == 1


def _matrix_product(ev: Evaluator, word: Word, env: Env) -> Value:
    left, right = cast("tuple[Array, Array]", word.args)
    row, *column = ev.places(word.indices, env)
    middle = range(1, ev.size(left.indices[1].range) + 1)
    return add_up(ev.at(left, (row, k), env) * ev.at(right, (k, *column), env) for k in middle)


def _trace(ev: Evaluator, word: Word, env: Env) -> Value:
    square = cast("Array", word.args[0])
    return add_up(ev.at(square, (k, k), env) for k in range(1, ev.size(square.indices[0].range) + 1))


def _differentiated(ev: Evaluator, word: Word, env: Env) -> Value:
    """An entry of a jacobian or a gradient: the last place is that of the variable."""
    by = cast("Entry", cast("Array", word.args[1]).body)
    *row, column = ev.places(word.indices, env)
    return ev.derivative(lambda seeded: seeded.at(word.args[0], tuple(row), env), by.vector, (column,))


def _norm(ev: Evaluator, word: Word, env: Env) -> Value:
    xs = ev.entries(word.args[0], env)
    return root(inner(xs, xs), ev.plain_root)


def _variance(ev: Evaluator, word: Word, env: Env) -> Value:
    xs = ev.entries(word.args[0], env)
    return covariance(xs, xs)


def _diagonal(ev: Evaluator, word: Word, env: Env) -> Value:
    i, j = ev.places(word.indices, env)
    return ev.at(word.args[0], (i,), env) * Fraction(i == j)


def _outer(ev: Evaluator, word: Word, env: Env) -> Value:
    i, j = ev.places(word.indices, env)
    return ev.at(word.args[0], (i,), env) * ev.at(word.args[1], (j,), env)


def _first(ev: Evaluator, word: Word, env: Env) -> int:
    return ev.places(word.indices, env)[0]


def _same(ev: Evaluator, word: Word, env: Env) -> Fraction:
    i, j = ev.places(word.indices, env)
    return Fraction(i == j)


WORDS: dict[str, Callable[[Evaluator, Word, Env], Value]] = {
    "total": lambda ev, word, env: add_up(ev.entries(word.args[0], env)),
    "mean": lambda ev, word, env: average(ev.entries(word.args[0], env)),
    "var": _variance,
    "cov": lambda ev, word, env: covariance(ev.entries(word.args[0], env), ev.entries(word.args[1], env)),
    "dot": lambda ev, word, env: inner(ev.entries(word.args[0], env), ev.entries(word.args[1], env)),
    "norm": _norm,
    "core": _core,
    "rms": _rms,
    "one": lambda _ev, _word, _env: Fraction(1),
    "identity": _same,
    "P": lambda ev, word, env: _same(ev, word, env) - Fraction(1, ev.size(word.indices[0].range)),
    "J": _jacobian_of_core,
    "outer": _outer,
    "diag": _diagonal,
    "trace": _trace,
    "transpose": lambda ev, word, env: ev.at(word.args[0], ev.places(word.indices, env)[::-1], env),
    "apply": _matrix_product,
    "matmul": _matrix_product,
    "jacobian": _differentiated,
    "gradient": _differentiated,
}


# ---------------------------------------------------------------- what others call


def exact_value(theory: Theory, point: Point, term: Term, at: Mapping[Index, int] | None = None) -> Exact:
    """The exact value of a term, a rational or a sum of square roots; the free indices stand at the places of `at`, from 1."""
    return cast("Exact", Evaluator(theory, point).value(term, dict(at or {})))


def evaluate(theory: Theory, point: Point, term: Term, at: Mapping[Index, int] | None = None) -> Fraction:
    """The exact value of a term where it is rational.

    Raises: Irrational where it is not; Undefined for a division by zero, the root of a negative number, or the
    derivative of a root at 0.
    """
    value = exact_value(theory, point, term, at)
    if isinstance(value, Surd):
        raise Irrational(f"the value is {value}; use exact_value or enclose")
    return value


def enclose(
    theory: Theory, point: Point, term: Term, at: Mapping[Index, int] | None = None, bits: int = 128
) -> tuple[Fraction, Fraction]:
    """Rational bounds of the value of a term, from integer square roots to the given number of binary places."""
    value = Evaluator(theory, point, enclosing_root(bits)).value(term, dict(at or {}))
    if isinstance(value, Interval):
        return value.low, value.high
    plain = cast("Fraction", value)
    return plain, plain

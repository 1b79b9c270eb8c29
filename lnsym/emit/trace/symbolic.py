"""Cells that hold terms: each operation builds the term that it stands for and has the kernel prove a short form equal to it.

The short form is a guess made here; that it equals the term as computed is proved by lnsym.kernel.prove, each time. So terms stay short
however long the text is, and a correction that vanishes in real arithmetic is seen to vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import frexp, isfinite
from typing import Any

from lnsym.emit.trace.paths import (
    COMPOSED,
    Decisions,
    Formula,
    Truth,
    Vocabulary,
    compose,
    conjunction,
    disjunction,
    literal,
    negation,
    within,
)
from lnsym.errors import KernelError
from lnsym.kernel import terms as t
from lnsym.kernel.normal import Condition, Gen, Mono, Normalizer, Poly, generators, release
from lnsym.kernel.prove import prove

POWERS = 4000  # symbols for powers of two, positive numbers of which nothing else is known
LARGEST_EXPONENT = 2200  # more than that of any ratio of floats
EPS = t.Sym("eps")
GIVEN = (t.Relation("<", t.Num(Fraction(0)), EPS),)
D = t.Sym("d")
MOST_BRANCHES = 64


def place(position: int) -> t.Index:
    """The open index of an axis over the coordinates, counted from the right: 1 is the last axis."""
    return t.hole(position)


# ---------------------------------------------------------------- cells


class Value:
    """A number given by a term in short form. Made by Algebra alone, one object for each term."""

    __slots__ = ("needs", "open", "term")

    def __init__(self, term: t.Term, needs: frozenset[Condition]) -> None:
        self.term, self.needs, self.open = term, needs, tuple(t.free_indices(term))

    def __str__(self) -> str:
        return written(self.term)


@dataclass(frozen=True)
class Special:
    """What is no real number: nan, inf, -inf, or a reason why there is no value."""

    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class Anchor:
    """A large number that is added to a number and taken away again, so that the number is rounded to a grid; with what it was added to."""

    scale: Any  # a term: what it is a multiple of
    added: Any = None

    def __str__(self) -> str:
        return "an anchor" if self.added is None else f"{self.added} beside an anchor"


NAN, INFINITY, MINUS_INFINITY = Special("nan"), Special("inf"), Special("-inf")
OPPOSITE = {INFINITY: MINUS_INFINITY, MINUS_INFINITY: INFINITY}
UNWRITTEN = Special("an entry that was never written")
Guard = frozenset[tuple[Formula, bool]]


@dataclass(frozen=True)
class Either:
    """A component whose value depends on masks of components: for each branch what holds there, and the value."""

    branches: tuple[tuple[Guard, Any], ...]

    def __str__(self) -> str:
        return " or ".join(str(value) for _, value in self.branches)


Unknown = tuple[str, tuple[t.Index, ...]]  # the name of an unknown whole number, and the component to which it belongs


@dataclass(frozen=True)
class Exponent:
    """A whole number: a combination of unknown ones, plus a constant."""

    parts: tuple[tuple[Unknown, int], ...]
    constant: int = 0

    def __str__(self) -> str:
        return " + ".join([*(f"{n}*{name}" for (name, _), n in self.parts), str(self.constant)])


def shown(value: Fraction) -> str:
    """A number, a power of two as such."""
    large = max(abs(value.numerator), value.denominator)
    if large < 10**6:
        return str(value)
    if large & (large - 1) == 0 and min(abs(value.numerator), value.denominator) == 1:
        return f"{'-' if value < 0 else ''}2^{'' if value.denominator == 1 else '-'}{large.bit_length() - 1}"
    return f"{float(value):.6g}" if -(10**300) < value < 10**300 else "a large number"


def written(term: t.Term) -> str:
    """A term on one line, for messages."""
    match term:
        case t.Num(value):
            return shown(value)
        case t.Sym(name):
            return name
        case t.Entry(name, indices):
            return f"{name}[{','.join(i.name for i in indices)}]"
        case t.Add(args):
            return "(" + " + ".join(map(written, args)) + ")"
        case t.Mul(args):
            return "*".join(map(written, args))
        case t.Pow(base, exponent):
            return f"{written(base)}^{exponent}"
        case t.Sum(index, body):
            return f"sum_{index.name}({written(body)})"
        case t.Root(radicand):
            return f"sqrt({written(radicand)})"
        case t.Word(_, _, _, expansion):
            return written(expansion)
        case t.Delta(left, right):
            return f"delta({left.name},{right.name})"
    return str(term)


# ---------------------------------------------------------------- short forms


class Algebra:
    """Terms of several rows, brought to a short form that the kernel proves equal. Keeps what it proved, for all paths."""

    def __init__(self, theory: t.Theory, roots: Iterable[t.Term] = ()) -> None:
        self.theory = theory
        self.normalizer = Normalizer(theory, GIVEN)
        for root in roots:  # first of all, so that 1 / (q + eps) is read as a power of its root
            self.normalizer.normal(t.Root(root))
        self.values: dict[tuple[t.Term, frozenset[Condition]], Value] = {}
        self.memo: dict[tuple[Any, ...], Value | Special] = {}
        self.proofs = 0
        self.powers: dict[tuple[Any, ...], str] = {}
        self.opaque: dict[tuple[Any, ...], str] = {}
        self.origins: dict[str, tuple[Any, ...]] = {}  # what unknown numbers come from
        self.about: dict[Any, frozenset[str]] = {}
        self.exclusions: dict[Any, bool] = {}

    def begin_path(self) -> None:
        """Forget what was concluded from the outcomes of another path."""
        self.exclusions.clear()

    def value(self, term: t.Term, needs: frozenset[Condition] = frozenset()) -> Value:
        """The one Value of a term in short form."""
        key = (term, needs)
        if key not in self.values:
            self.values[key] = Value(term, needs)
        return self.values[key]

    def short(self, term: t.Term, needs: frozenset[Condition] = frozenset()) -> Value | Special:
        """The Value of any term, its short form proved equal by the kernel."""
        try:
            guess = self.guess(term)
            proved = prove(self.theory, t.Relation("=", term, guess), GIVEN)
        except KernelError as error:
            return Special(str(error))
        self.proofs += 1
        return self.value(guess, needs | frozenset(proved.conditions))

    def guess(self, term: t.Term) -> t.Term:
        """A short form of a term, by the kernel's normal form."""
        normalizer = self.normalizer
        normalizer.operations = 0
        poly = normalizer.normal(term)
        extensions = generators(poly, "e")
        if len(poly) > 1 and extensions:
            if not normalizer.residual(poly):
                return t.Num(Fraction(0))
            poly = self.reduced(poly, extensions)
        return self.read_back(poly)

    def reduced(self, poly: Poly, extensions: list[Gen]) -> Poly:
        """The polynomial with eps = s^2 - q for a root s of q + eps, and the like for inverses: then powers of s cancel."""
        owners: dict[Gen, list[tuple[Gen, Poly]]] = {}
        for g in extensions:
            if solved := self.solved(g):
                owners.setdefault(solved[0], []).append((g, solved[1]))
        for symbol, claims in owners.items():
            if len(claims) == 1 and all(e >= 0 for m in poly for x, e in m if x == symbol):
                powers = [self.normalizer.power(claims[0][1], n) for n in range(1 + max(dict(m).get(symbol, 0) for m in poly))]
                poly = self.normalizer.by_exponent(poly, symbol, powers.__getitem__)
        return poly

    def solved(self, generator: Gen) -> tuple[Gen, Poly] | None:
        """A scalar that occurs linearly in what stands behind a root or an inverse, and its value in terms of these."""
        kind, value = self.normalizer.extensions[generator[1]].kind, self.normalizer.value_of(generator)
        alone = [m[0][0] for m in value if len(m) == 1 and m[0][1] == 1 and m[0][0][0] == "c"]
        once = [g for g in alone if g[1] != "d" and not g[1].startswith("2^") and sum(g == x for m in value for x, _ in m) == 1]
        if not once:
            return None
        symbol = min(once, key=lambda g: (g[1] != "eps", g))
        factor = Fraction(value[((symbol, 1),)])
        whole: Mono = ((generator, 2 if kind == "root" else -1),)
        return symbol, {whole: 1 / factor, **{m: -x / factor for m, x in value.items() if m != ((symbol, 1),)}}

    # ------------------------------------------------------------ polynomials to terms

    def read_back(self, poly: Poly) -> t.Term:
        """A term with this normal form."""
        parts = [self.read_mono(mono, Fraction(x)) for mono, x in sorted(poly.items(), key=lambda part: repr(part[0]))]
        return t.Num(Fraction(0)) if not parts else parts[0] if len(parts) == 1 else t.Add(tuple(parts))

    def read_mono(self, mono: Mono, factor: Fraction) -> t.Term:
        factors: list[t.Term] = [] if factor == 1 and mono else [t.Num(factor)]
        for g, e in mono:
            base = self.read_generator(g)
            if isinstance(base, t.Pow):
                e, base = base.exponent * e, base.base
            factors.append(base if e == 1 else t.Pow(base, e))
        return factors[0] if len(factors) == 1 else t.Mul(tuple(factors))

    def read_generator(self, g: Gen) -> t.Term:
        match g[0]:
            case "c":
                return t.Sym(g[1])
            case "x":
                return t.Entry(g[1], tuple(map(index_of, g[2])))
            case "k":
                first, *others = map(index_of, g[1])
                deltas = [t.Delta(first, x) for x in others]
                return deltas[0] if len(deltas) == 1 else t.Mul(tuple(deltas))
            case "p":
                body, bound = release(g)
                inside = self.read_back(body)
                index = t.fresh_index(t.COORDINATES, inside)
                return t.Sum(index, t.substitute_indices(inside, {index_of(bound): index}))
            case "e":
                value = self.read_back(self.normalizer.value_of(g))
                return t.Root(value) if self.normalizer.extensions[g[1]].kind == "root" else t.Pow(value, -1)
        raise KernelError(f"outside the tracer: {g!r}")

    # ------------------------------------------------------------ unknown numbers

    def named(self, table: dict[tuple[Any, ...], str], prefix: str, limit: int, *what: Any) -> str:
        """A name of its own for each thing, the same whenever it is met."""
        if what not in table:
            if len(table) >= limit:
                raise Vocabulary(f"more than {limit} unknown numbers")
            table[what] = f"{prefix}{len(table) + 1}"
            self.origins[table[what]] = what
        return table[what]

    def exponent(self, *what: Any) -> Exponent:
        """An unknown whole number; one for each component where it comes from numbers of components."""
        indices, what = settled(what)
        return Exponent((((self.named(self.powers, "2^", POWERS, *what), indices), 1),))

    def unknown(self, *what: Any) -> Value:
        """An unknown real number; one for each component where it comes from numbers of components."""
        indices, what = settled(what)
        name = self.named(self.opaque, "unknown.", 10**6, *what)
        return self.value(t.Entry(name, indices) if indices else t.Sym(name))

    # ------------------------------------------------------------ what a statement speaks of

    def rows_of(self, x: Any) -> frozenset[str]:
        """The rows that a cell or a statement speaks of."""
        if isinstance(x, str):
            _, colon, row = x.rpartition(":")
            origin = self.origins.get(x.partition(" ")[0])
            return frozenset(row) if colon else self.rows_of(origin) if origin else frozenset()
        if isinstance(x, (Value, Formula, Exponent)):
            key = ("rows", id(x)) if isinstance(x, Value) else ("rows", x)
            if key not in self.about:
                parts = (x.term,) if isinstance(x, Value) else (x.parts,)
                self.about[key] = frozenset().union(*map(self.rows_of, parts))
            return self.about[key]
        inside: Iterable[Any] = x if isinstance(x, (tuple, frozenset)) else (x.branches,) if isinstance(x, Either) else ()
        if isinstance(x, t.Term):
            inside = [getattr(x, name) for name in type(x).__match_args__]  # type: ignore[attr-defined]
        return frozenset().union(*map(self.rows_of, inside))

    def solved_zeros(self, zeros: Iterable[Value]) -> tuple[frozenset[t.Term], list[t.Relation]]:
        """From numbers that are 0: the entries and symbols that must be, and for numbers of rows the equations."""
        entries: set[t.Term] = set()
        relations = []
        for value in zeros:
            factors = value.term.args if isinstance(value.term, t.Mul) else (value.term,)
            rest = [x for x in factors if isinstance(x, t.Entry) or (isinstance(x, t.Sym) and x.name not in self.theory.positive)]
            if len(rest) == 1 and all(x in rest or self.is_unit(x) for x in factors):
                entries.add(rest[0])
                if isinstance(rest[0], t.Entry) and rest[0].vector.startswith("v:"):  # then so is the entry of the core
                    entries.add(t.Entry("u" + rest[0].vector[1:], rest[0].indices))
            elif not value.open:
                relations.append(t.Relation("=", value.term, t.Num(Fraction(0))))
        return frozenset(entries), relations

    def is_unit(self, term: t.Term) -> bool:
        """Whether a factor of a short form is a number or a power of something positive."""
        base = term.base if isinstance(term, t.Pow) else term
        return isinstance(base, t.Num) or self.normalizer.sign(base) == 2

    def about_finiteness(self, f: Any, outcome: bool, row: str) -> bool:
        """Whether an outcome says that the entries of a row are not all finite."""
        again = [self.about_finiteness(x, outcome, row) for x in f.parts] if f.head in ("and", "or") else []
        match f.head:
            case "not" | "any":
                return (f.head == "not" or outcome) and self.about_finiteness(f.parts[0], outcome != (f.head == "not"), row)
            case "and" | "or":
                return any(again) if outcome == (f.head == "and") else all(again)
            case "finite" | "nan" | "infinite":
                return outcome != (f.head == "finite") and row in self.rows_of(f) and self.is_input(f.parts[0])
        return False

    def is_input(self, cell: Any) -> bool:
        """Whether a cell is an entry of an argument, its mean and deviation together, or the largest of such."""
        if not isinstance(cell, Value):
            return False
        names = {x.name if isinstance(x, t.Sym) else x.vector for x in t.walk(cell.term) if isinstance(x, (t.Sym, t.Entry))}
        return bool(names) and all(x.partition(":")[0] in INPUTS or x[:2] == "2^" or self.from_input(x) for x in names)

    def from_input(self, name: str) -> bool:
        """Whether an unknown number is the largest or least entry of arguments."""
        terms = [x for x in leaves(self.origins.get(name, ())) if isinstance(x, t.Term)]
        return bool(terms) and all(self.is_input(Value(x, frozenset())) for x in terms)


def leaves(x: Any) -> list[Any]:
    """What stands in nested tuples, guards of branches aside."""
    return [y for part in x for y in leaves(part)] if isinstance(x, tuple) else [] if isinstance(x, frozenset) else [x]


INPUTS = {"v", "mu", "dx", "dy", "ddx", "weight", "d"}


def power(unknown: Unknown) -> t.Term:
    """2 to an unknown whole number: a positive number; for components, any one times a number that is at least 1."""
    name, indices = unknown
    return t.Sym(name) * t.Root(1 + t.Entry(name + " beyond", indices) ** 2) if indices else t.Sym(name)


def settled(what: tuple[Any, ...]) -> tuple[tuple[t.Index, ...], tuple[Any, ...]]:
    """The open indices of some cells, and the cells with other indices in their places, the same whichever these were."""
    indices = tuple(dict.fromkeys(i for x in what for i in open_indices(x)))
    table = {old: t.Index(f"place{n}") for n, old in enumerate(indices, 1)}
    return indices, tuple(in_words(x, table) for x in what)


def open_indices(cell: Any) -> tuple[t.Index, ...]:
    """The open indices of a cell, in order."""
    match cell:
        case Value():
            return cell.open
        case Exponent():
            return tuple(i for (_, indices), _ in cell.parts for i in indices)
        case Formula():
            if "open" not in cell.__dict__:
                inside = () if cell.head == "any" else tuple(dict.fromkeys(i for x in cell.parts for i in open_indices(x)))
                cell.__dict__["open"] = inside
            return cell.__dict__["open"]  # type: ignore[no-any-return]
        case Either():
            return tuple(i for guard, x in cell.branches for y in (*sorted((f for f, _ in guard), key=str), x) for i in open_indices(y))
    return ()


def in_words(cell: Any, table: dict[t.Index, t.Index]) -> Any:
    """A cell with other indices, as a key of a table."""
    match cell:
        case Value():
            return t.substitute_indices(cell.term, table)
        case Exponent():
            return Exponent(tuple(((name, tuple(table.get(i, i) for i in own)), n) for (name, own), n in cell.parts), cell.constant)
        case Formula():
            return (cell.head, *(in_words(x, table) for x in cell.parts))
        case Either():
            return tuple((frozenset((in_words(f, table), holds) for f, holds in guard), in_words(x, table)) for guard, x in cell.branches)
    return cell


def index_of(key: str) -> t.Index:
    """The index behind its name inside polynomials."""
    return t.Index(key.lstrip("#"))


# ---------------------------------------------------------------- operations


Cell = Any  # Value | Special | Either | Exponent | Formula | bool | int
Build = Callable[..., t.Term]


def _half(total: t.Term, gap: t.Term) -> t.Term:
    return t.Mul((t.Num(Fraction(1, 2)), total + gap))


BUILD: dict[str, Build] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negative": lambda a: -a,
    "positive": lambda a: a,
    "absolute": lambda a: t.Root(a**2),
    "sqrt": t.Root,
    "square": lambda a: a**2,
    "reciprocal": lambda a: 1 / a,
    "maximum": lambda a, b: _half(a + b, t.Root((a - b) ** 2)),
    "minimum": lambda a, b: _half(a + b, -t.Root((a - b) ** 2)),
}
REAL = ("divide", "sqrt", "reciprocal")  # whose results are real numbers even for whole ones
ALIASES = {"true_divide": "divide", "fabs": "absolute", "fmax": "maximum", "fmin": "minimum"}
MIRRORED = {"greater": "<", "greater_equal": "<="}
STRAIGHT = {"less": "<", "less_equal": "<=", "equal": "=="}
ASKED = {"isfinite": "finite", "isnan": "nan", "isinf": "infinite", "signbit": "signbit"}


class Symbolic:
    """The domain of terms: how NumPy's functions act on cells."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.decisions = Decisions()  # set anew for each path
        self.loose = True  # which of two scales a mask chooses is left open: any other would have to do as well

    def decide(self, f: Truth) -> bool:
        """The outcome of a statement about a row."""
        return self.decisions.decide(f)

    def known(self, f: Truth) -> bool | None:
        """The outcome of a statement about a row, if there is one already."""
        return self.decisions.known(f)

    # ------------------------------------------------------------ from numbers

    def lift(self, value: object, kind: str) -> Cell:
        """A cell from a number; kind is that of the array: f, i or b."""
        if isinstance(value, (Value, Special, Either, Exponent, Formula, Anchor)):
            return value
        if kind == "b":
            return bool(value)
        if kind in "iu":
            return int(value)  # type: ignore[call-overload]
        if isinstance(value, (int, Fraction)):
            return self.algebra.value(t.Num(Fraction(value)))
        number = float(value)  # type: ignore[arg-type]
        if isfinite(number):
            return self.algebra.value(t.Num(Fraction(number)))
        return NAN if number != number else INFINITY if number > 0 else MINUS_INFINITY

    def whole_number(self, cell: Cell) -> int:
        """A constant as a whole number."""
        value = number(cell)
        if value is None or value.denominator != 1:
            raise Vocabulary("makes whole numbers of data")
        return int(value)

    # ------------------------------------------------------------ NumPy's functions, entry by entry

    def function(self, name: str) -> Callable[..., Cell]:
        """What a ufunc does with cells."""
        name = ALIASES.get(name, name)
        for table, act in ((BUILD, self.arithmetic), (STRAIGHT, self.compare), (MIRRORED, self.compare), (ASKED, self.ask)):
            if name in table:
                return lambda *cells, name=name, act=act: self.spread(act, name, *cells)
        own = getattr(self, "do_" + name, None)
        if own is None:
            raise Vocabulary(f"np.{name} is not among the functions that the tracer can follow; give it a small function with a contract")
        return lambda *cells: self.spread(lambda _, *x: own(*x), name, *cells)

    def spread(self, act: Callable[..., Cell], name: str, *cells: Cell) -> Cell:
        """Apply an operation in every branch of components that depend on masks."""
        if not any(isinstance(c, Either) for c in cells):
            return act(name, *cells)
        branches = []
        for choice in product(*(c.branches if isinstance(c, Either) else ((frozenset(), c),) for c in cells)):
            guard: Guard = frozenset().union(*(g for g, _ in choice))
            if not self.excluded(guard):
                branches.append((guard, act(name, *(x for _, x in choice))))
        if branches and isinstance(branches[0][1], tuple):
            return tuple(either([(guard, x[n]) for guard, x in branches]) for n in range(len(branches[0][1])))
        return either(branches)

    def arithmetic(self, name: str, *cells: Cell) -> Cell:
        """A real operation; on whole numbers, one on exponents."""
        if any(isinstance(c, (Exponent, Formula)) for c in cells) or (all(isinstance(c, int) for c in cells) and name not in REAL):
            return self.whole(name, *cells)
        if any(isinstance(c, Anchor) for c in cells):
            return self.anchored(name, *cells)
        if special := next((c for c in cells if isinstance(c, Special)), None):
            return self.beyond(name, special, *cells)
        values = [self.lift(c, "f") for c in cells]
        if name == "multiply" and any(number(v) == 0 for v in values):
            return self.lift(0, "f")  # a bound that vanishes, whatever it was a multiple of
        key = (name, *map(id, values))
        if key not in self.algebra.memo:
            try:
                raw = BUILD[name](*(v.term for v in values))
            except KernelError as error:
                return Special(str(error))
            self.algebra.memo[key] = self.algebra.short(raw, frozenset().union(*(v.needs for v in values)))
        found = self.algebra.memo[key]
        if name in ("absolute", "maximum", "minimum") and isinstance(found, Value) and found.needs:
            return self.algebra.unknown(name, *values)  # its term hides that it is a square under the root; any number must do as well
        return found

    def anchored(self, name: str, *cells: Cell) -> Cell:
        """An operation on an anchor: (x + anchor) - anchor is some number, whatever grid it lies on."""
        match name, cells:
            case _, _ if any(isinstance(c, Special) for c in cells):
                return NAN if NAN in cells else Special("an anchor in a calculation with what is no number")
            case "multiply", (Anchor(scale, None), x) | (x, Anchor(scale, None)):
                factor = self.arithmetic("multiply", scale, x)
                return Anchor(factor) if number(factor) != 0 else self.lift(0, "f")
            case "add", (Anchor(scale, None), x) | (x, Anchor(scale, None)):
                return Anchor(scale, self.lift(x, "f"))
            case "subtract", (Anchor(scale, added), Anchor(again, None)) if added is not None and same(scale, again):
                return added if number(added) == 0 else self.algebra.unknown("rounded", added, scale)
        raise Vocabulary("uses the number that rounds to a grid for something else than x + anchor - anchor")

    def anchor(self) -> Anchor:
        """The anchor of the grid of whole numbers."""
        return Anchor(self.lift(1, "f"))

    def beyond(self, name: str, special: Special, *cells: Cell) -> Cell:
        """An operation on something that is no real number."""
        if any(c == NAN for c in cells):
            return NAN
        if name in ("maximum", "minimum"):
            neutral = MINUS_INFINITY if name == "maximum" else INFINITY
            if neutral in cells:
                return next((c for c in cells if c != neutral), neutral)
        if other := next((c for c in cells if isinstance(c, Special) and c not in OPPOSITE), None):
            return other
        if name == "negative":
            return OPPOSITE[special]
        if name == "absolute":
            return INFINITY
        if name in ("add", "subtract"):
            left, right = cells[0], OPPOSITE.get(cells[1], cells[1]) if name == "subtract" else cells[1]
            ends = [x for x in (left, right) if x in OPPOSITE]
            return NAN if len(set(ends)) == 2 else ends[0]
        if name == "multiply" and (factor := number(cells[0] if cells[1] in OPPOSITE else cells[1])):
            return special if factor > 0 else OPPOSITE[special]
        return Special("the result of a calculation with infinity")

    def whole(self, name: str, *cells: Cell) -> Cell:
        """An operation on exponents; a mask counts as an unknown one."""
        cells = tuple(self.algebra.exponent("mask", x) if isinstance(x, Formula) else x for x in cells)
        a, b = (*(x if isinstance(x, Exponent) else Exponent((), int(x)) for x in cells), Exponent(()))[:2]
        match name:
            case "add":
                return combine(a, b)
            case "subtract":
                return combine(a, b, -1)
            case "negative":
                return combine(Exponent(()), a, -1)
            case "positive":
                return plain(a)
            case "multiply" if not a.parts or not b.parts:
                number, other = (a.constant, b) if not a.parts else (b.constant, a)
                return combine(Exponent(()), other, number)
            case "absolute" | "maximum" | "minimum":
                if not a.parts and not b.parts:
                    known = {"absolute": abs(a.constant), "maximum": max(a.constant, b.constant), "minimum": min(a.constant, b.constant)}
                    return known[name]
                return plain(a) if a == b else self.algebra.exponent(name, a, b)
        raise Vocabulary(f"np.{name} of whole numbers is not among what the tracer can follow")

    def compare(self, name: str, a: Cell, b: Cell) -> Truth:
        """A comparison: open, whatever real arithmetic says of it, for rounding may decide otherwise."""
        if NAN in (a, b):
            return False
        if not any(isinstance(x, (Exponent, Formula, bool)) for x in (a, b)) and not (isinstance(a, int) and isinstance(b, int)):
            a, b = self.lift(a, "f"), self.lift(b, "f")
        if name in MIRRORED:
            name, a, b = MIRRORED[name], b, a
        else:
            name = STRAIGHT[name]
        numbers = [number(x) for x in (a, b)]
        if None not in numbers:
            left, right = numbers
            return {"<": left < right, "<=": left <= right, "==": left == right}[name]  # type: ignore[operator]
        return Formula(name, (a, b))

    def ask(self, name: str, a: Cell) -> Truth:
        """isfinite and the like."""
        if number(a) is not None:
            return name == "isfinite" or (name == "signbit" and number(a) < 0)  # type: ignore[operator]
        if a == NAN:
            return name == "isnan"
        return False if isinstance(a, Exponent) else Formula(ASKED[name], (a,))

    def do_not_equal(self, a: Cell, b: Cell) -> Truth:
        return True if NAN in (a, b) else negation(self.compare("equal", a, b))

    def do_logical_not(self, a: Truth) -> Truth:
        return negation(truth(a))

    def do_logical_and(self, a: Truth, b: Truth) -> Truth:
        return conjunction(truth(a), truth(b))

    def do_logical_or(self, a: Truth, b: Truth) -> Truth:
        return disjunction(truth(a), truth(b))

    def do_logical_xor(self, a: Truth, b: Truth) -> Truth:
        a, b = truth(a), truth(b)
        return disjunction(conjunction(a, negation(b)), conjunction(negation(a), b))

    def do_invert(self, a: Truth) -> Truth:
        return self.do_logical_not(a)

    def do_bitwise_or(self, a: Truth, b: Truth) -> Truth:
        return self.do_logical_or(a, b)

    def do_bitwise_xor(self, a: Truth, b: Truth) -> Truth:
        return self.do_logical_xor(a, b)

    def do_bitwise_and(self, a: Cell, b: Cell) -> Cell:
        if isinstance(a, Exponent) and b == 1:
            return self.do_remainder(a, 2)
        return self.do_logical_and(a, b)

    # ------------------------------------------------------------ powers of two

    def do_ldexp(self, a: Cell, k: Cell) -> Cell:
        k = k if isinstance(k, Exponent) else Exponent((), int(k))
        key = ("ldexp", k)
        if key not in self.algebra.memo or abs(k.constant) > LARGEST_EXPONENT:
            far = abs(k.constant) > LARGEST_EXPONENT  # a stand-in for "no exponent": any power of two must do as well
            factor: t.Term = t.Num(Fraction(2) ** (0 if far else k.constant))
            if far:
                factor = power(self.algebra.exponent("constant", abs(k.constant)).parts[0][0]) ** (1 if k.constant > 0 else -1)
            for unknown, n in k.parts:
                factor = factor * power(unknown) ** n
            self.algebra.memo[key] = self.algebra.short(factor)
        return self.arithmetic("multiply", a, self.algebra.memo[key])

    def do_frexp(self, a: Cell) -> tuple[Cell, Cell]:
        if isinstance(a, Special):
            return a, self.algebra.exponent("frexp", a)
        if (known := number(a)) is not None:
            mantissa, exponent = frexp(known)
            return self.lift(mantissa, "f"), exponent
        k = self.algebra.exponent("frexp", a)
        return self.do_ldexp(a, self.whole("negative", k)), k

    def do_floor_divide(self, a: Cell, b: Cell) -> Cell:
        if not isinstance(a, Exponent) or not isinstance(b, int):
            if isinstance(a, int) and isinstance(b, int):
                return a // b
            raise Vocabulary("// is followed for exponents only")
        return self.algebra.exponent("//", a, b)

    def do_right_shift(self, a: Cell, b: Cell) -> Cell:
        return self.do_floor_divide(a, 2 ** int(b))

    def do_left_shift(self, a: Cell, b: Cell) -> Cell:
        return self.whole("multiply", a, 2 ** int(b))

    def do_remainder(self, a: Cell, b: Cell) -> Cell:
        return self.whole("subtract", a, self.whole("multiply", b, self.do_floor_divide(a, b)))

    def do_power(self, a: Cell, b: Cell) -> Cell:
        exponent = number(b)
        if exponent == Fraction(1, 2):
            return self.arithmetic("sqrt", a)
        if exponent is None or exponent.denominator != 1 or isinstance(a, Special):
            raise Vocabulary("powers are followed for whole exponents that are constants")
        value = self.lift(a, "f")
        return self.algebra.short(value.term ** int(exponent), value.needs)

    # ------------------------------------------------------------ axes

    def place(self, position: int) -> t.Index:
        """The open index of an axis."""
        return place(position)

    def pick(self, mask: Truth) -> t.Index:
        """An index for the components that a mask picks."""
        return t.Index(self.algebra.named(self.algebra.opaque, "pick", 10**6, "pick", mask))

    def length(self) -> Value:
        """The number of coordinates."""
        return self.algebra.value(D)

    def unwritten(self) -> Special:
        """What np.empty holds."""
        return UNWRITTEN

    def identity(self) -> Value:
        """The cell of the unit matrix."""
        return self.algebra.value(t.Delta(place(2), place(1)))

    def total(self, cell: Cell, position: int) -> Cell:
        """The sum along an axis over the coordinates."""
        if isinstance(cell, Either):
            if any(self.varies(f) for guard, _ in cell.branches for f, _ in guard):
                return Special("a sum over components that were chosen by a mask")
            return either([(guard, self.total(x, position)) for guard, x in cell.branches])
        if isinstance(cell, Special):
            return cell
        key = ("total", id(cell), position)
        if key not in self.algebra.memo:
            self.algebra.memo[key] = self.algebra.short(t.Sum(place(position), cell.term), cell.needs)
        return self.algebra.memo[key]

    def move(self, cell: Cell, table: dict[t.Index, t.Index]) -> Cell:
        """The cell with the index of an axis renamed."""
        match cell:
            case Value():
                key = ("move", id(cell), tuple(table.items()))
                if key not in self.algebra.memo:
                    self.algebra.memo[key] = self.algebra.short(t.substitute_indices(cell.term, table), cell.needs)
                return self.algebra.memo[key]
            case Formula():
                return Formula(cell.head, tuple(self.move(x, table) for x in cell.parts))
            case Exponent():
                return in_words(cell, table)
            case Either():
                moved = (frozenset((self.move(f, table), holds) for f, holds in guard) for guard, _ in cell.branches)
                return Either(tuple(zip(moved, (self.move(x, table) for _, x in cell.branches), strict=True)))
        return cell

    def varies(self, cell: Cell) -> bool:
        """Whether a mask speaks of a component, and not of a row."""
        return bool(open_indices(cell))

    def some(self, f: Truth) -> Truth:
        """Whether a statement holds for some component of a row; what it says of the row alone is taken out."""
        if not isinstance(f, Formula) or not self.varies(f):
            return f
        if f.head == "not" and f.parts[0].head in ("and", "or"):  # type: ignore[attr-defined]
            turned = disjunction if f.parts[0].head == "and" else conjunction  # type: ignore[attr-defined]
            return self.some(turned(*map(negation, f.parts[0].parts)))  # type: ignore[attr-defined]
        if f.head == "or":
            return disjunction(*map(self.some, f.parts))  # type: ignore[arg-type]
        if f.head == "and" and not all(map(self.varies, f.parts)):
            return conjunction(*map(self.some, f.parts))  # type: ignore[arg-type]
        return Formula("any", (f,))

    def extreme(self, name: str, cell: Cell) -> Cell:
        """The largest or least cell along the coordinates: an unknown number."""
        _, what = settled((cell,))
        if not isinstance(cell, (int, Exponent)):
            return self.algebra.value(t.Sym(self.algebra.named(self.algebra.opaque, "unknown.", 10**6, name, *what)))
        return Exponent((((self.algebra.named(self.algebra.powers, "2^", POWERS, name, *what), ()), 1),))

    def choose(self, f: Truth, a: Cell, b: Cell) -> Cell:
        """np.where of one cell: a where f holds, else b; both where that is open."""
        if same(a, b):
            return a
        known = self.known_of_components(f) if self.varies(f) else self.known(f)
        if known is not None:
            return a if known else b
        if self.loose and all(isinstance(x, (int, Exponent)) and not isinstance(x, bool) for x in (a, b)):
            return self.algebra.exponent("where", f, a, b)
        statement, holds = literal(f)  # type: ignore[arg-type]
        branches = [(g | {(statement, holds)}, x) for g, x in _branches(a)] + [(g | {(statement, not holds)}, x) for g, x in _branches(b)]
        return either([(g, x) for g, x in branches if not self.excluded(g)])

    def excluded(self, guard: Guard) -> bool:
        """Whether the outcomes so far, or the parts of a guard among themselves, exclude a branch."""
        key = (guard, len(self.decisions.outcomes))
        if key not in self.algebra.exclusions:
            self.algebra.exclusions[key] = self.contradicts(guard)
        return self.algebra.exclusions[key]

    def contradicts(self, guard: Guard) -> bool:
        """Whether a guard contradicts itself or the outcomes so far."""
        if any((f, not holds) in guard or self.under(guard - {(f, holds)}, f) is (not holds) for f, holds in guard):
            return True
        assumed: dict[Formula, bool] = {}
        for f, holds in guard:
            seen = self.some(f if holds else negation(f))
            if isinstance(seen, Formula):
                statement, affirmed = literal(seen)
                assumed[statement] = affirmed
        whole = [f for f in self.decisions.outcomes if f.head in COMPOSED and not within(f).isdisjoint(assumed)]
        memo: dict[Formula, bool | None] = {}
        return any(self.composed(f, assumed, memo) is (not self.decisions.outcomes[f]) for f in whole)

    def composed(self, f: Truth, assumed: dict[Formula, bool], memo: dict[Formula, bool | None]) -> bool | None:
        """What assumptions and outcomes for its parts say of a statement, whatever its own outcome is."""
        if isinstance(f, bool):
            return f
        if f in assumed:
            return assumed[f]
        if f not in memo:
            parts = [self.composed(x, assumed, memo) for x in f.parts] if f.head in COMPOSED else []  # type: ignore[arg-type]
            memo[f] = compose(f.head, parts) if parts else self.known(f)
        return memo[f]

    def under(self, guard: Guard, f: Truth) -> bool | None:
        """What a guard and the outcomes so far say of a statement."""
        if isinstance(f, bool):
            return f
        for holds in (True, False):
            if (f, holds) in guard:
                return holds
        if (known := self.known_everywhere(f)) is not None:
            return known
        return compose(f.head, [self.under(guard, x) for x in f.parts]) if f.head in COMPOSED else None  # type: ignore[arg-type]

    def vanishing(self, guard: Guard) -> list[Value]:
        """The numbers that are 0 by the outcomes so far and a guard, among those that were compared with 0."""
        spoken = {x for f in (*self.decisions.outcomes, *(f for f, _ in guard)) for x in within(f)}
        found = []
        for f in spoken:
            if f.head == "==" and any(number(x) == 0 for x in f.parts) and self.excluded(guard | {(f, False)}):
                found += [x for x in f.parts if isinstance(x, Value) and number(x) is None]
        return found

    def known_everywhere(self, f: Formula) -> bool | None:
        """The outcome of a statement about a row, or about all components of a row."""
        return self.known_of_components(f) if self.varies(f) else self.known(f)

    def known_of_components(self, f: Truth) -> bool | None:
        """Whether the outcomes so far say that a statement holds for all components, or for none."""
        if self.known(self.some(f)) is False:
            return False
        return True if self.known(self.some(negation(f))) is False else None


def _branches(cell: Cell) -> tuple[tuple[Guard, Cell], ...]:
    return cell.branches if isinstance(cell, Either) else ((frozenset(), cell),)


def same(a: Cell, b: Cell) -> bool:
    """Whether two cells are seen to be equal."""
    if isinstance(a, Value) and isinstance(b, Value):
        return a.term == b.term
    return type(a) is type(b) and bool(a == b)


def either(branches: list[tuple[Guard, Cell]]) -> Cell:
    """The branches as one cell; a plain one where all are equal."""
    if not branches:
        return Special("a value on a branch that contradicts the path")
    if all(same(branches[0][1], x) for _, x in branches[1:]):
        return branches[0][1]
    if all(isinstance(x, (bool, Formula)) for _, x in branches):
        return joined(branches)
    if len(branches) > MOST_BRANCHES:
        raise Vocabulary(f"a component depends on masks in more than {MOST_BRANCHES} ways")
    return Either(tuple(branches))


def joined(branches: list[tuple[Guard, Truth]]) -> Truth:
    """A statement that depends on masks as one statement."""
    whole: Truth = False
    for guard, f in branches:
        for statement, holds in sorted(guard, key=str):
            f = conjunction(statement if holds else negation(statement), f)
        whole = disjunction(whole, f)
    return whole


def number(cell: Cell) -> Fraction | None:
    """The number that a cell is known to be."""
    if isinstance(cell, Value):
        return cell.term.value if isinstance(cell.term, t.Num) else None
    if isinstance(cell, Exponent):
        return None if cell.parts else Fraction(cell.constant)
    return Fraction(cell) if isinstance(cell, int) else None


def truth(cell: Cell) -> Truth:
    """A cell as a statement."""
    if isinstance(cell, (bool, Formula)):
        return cell
    raise Vocabulary("&, | and ~ are followed for masks only")


def plain(e: Exponent) -> Exponent | int:
    """An exponent without unknown parts as an int."""
    return e if e.parts else e.constant


def combine(a: Exponent, b: Exponent, factor: int = 1) -> Exponent | int:
    """a + factor * b."""
    parts = dict(a.parts)
    for name, n in b.parts:
        parts[name] = parts.get(name, 0) + factor * n
    return plain(Exponent(tuple(sorted((x, n) for x, n in parts.items() if n)), a.constant + factor * b.constant))

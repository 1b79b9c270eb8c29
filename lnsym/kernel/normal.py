"""TRUSTED. The normal form: polynomials over power sums, in which no bound index is left.

Imports the standard library, lnsym.errors and terms.py only.

A polynomial is a dict from monomials to fractions; a monomial is a sorted tuple of (generator, exponent).
Generators:
    ("c", name)                   a scalar symbol; a positive one may have negative exponents
    ("x", name, indices)          an entry with free indices
    ("k", indices)                Kronecker's delta: all the indices agree
    ("p", range, items)           a power sum: the sum over * of the product of the items, * their bound place
    ("e", number, indices)        an extension: a root t with t^2 = R, or an inverse t with t R = 1
    ("t", base, exponent)         base^exponent for a symbolic exponent
    ("g", base, upper, items)     the sum over * = 1..upper of base^(upper - *) times the product of the items
    ("m", names, items)           the expected value of the product of the items, the named vectors random
    ("n", name)                   what a symbol with a lower bound has beyond it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import gcd, isqrt, lcm
from typing import Any

from lnsym.errors import KernelError, TooLarge
from lnsym.kernel import terms as t

Gen = tuple[Any, ...]
Mono = tuple[tuple[Gen, int], ...]
Number = Fraction | int  # divide only what is known to be a Fraction: int / int would be a float
Poly = dict[Mono, Number]
Piece = tuple[Mono, Number, Mono]  # one part of a sum: the coefficient's monomial and number, and the items summed

ONE: Mono = ()
UNIT: Poly = {ONE: 1}
BUDGET = 150_000  # multiplications of monomials; beyond it the verdict is "undecided"
MAX_EXPONENT = 64
BASIC_FACTS = frozenset({"split", "count", "centred", "variance", "root", "given", "derivative"})


# ---------------------------------------------------------------- polynomials


def collect(pairs: Iterable[tuple[Mono | None, Number]]) -> Poly:
    """The polynomial with these parts; equal monomials are added, zeros and None dropped."""
    result: Poly = {}
    for mono, value in pairs:
        if mono is not None:
            result[mono] = result[mono] + value if mono in result else value
    return {mono: value for mono, value in result.items() if value}


def const(value: Number) -> Poly:
    """The constant polynomial."""
    return {ONE: value.numerator if value.denominator == 1 else value} if value else {}


def gen(generator: Gen, exponent: int = 1) -> Poly:
    """One generator to a power."""
    return {((generator, exponent),): 1}


def add(left: Poly, right: Poly, factor: Number = 1) -> Poly:
    """left + factor * right."""
    return collect(chain(left.items(), ((m, factor * x) for m, x in right.items())))


def total(polys: Iterable[Poly]) -> Poly:
    """The sum of polynomials."""
    return collect(pair for poly in polys for pair in poly.items())


def generators(poly: Poly, kind: str) -> list[Gen]:
    """The generators of one kind at the top level, the latest first."""
    return sorted({g for m in poly for g, _ in m if g[0] == kind}, reverse=True)


def key(index: t.Index, bound: bool = False) -> str:
    """The name of an index inside polynomials: # before a fixed position, the range before its own letters."""
    if set(index.name) & set("*#?!.") or t.LENGTHS.get(index.range.name) != index.range.length or (bound and index.is_fixed):
        raise KernelError(f"{index.name} over {index.range.name} is not an index; use letters and a known range")
    name = str(int(index.name)) if index.name.isdecimal() else index.name
    return "#" + name if index.is_fixed else name if index.range == t.COORDINATES else f"{index.range.name}.{name}"


def indices_of(generator: Gen) -> set[str]:
    """The free indices and bound places that occur in a generator."""
    if generator[0] in "pgm":
        return {i for g, _ in generator[-1] for i in indices_of(g)}
    return set(generator[-1]) if generator[0] in "xek" else set()


def rename_gen(generator: Gen, table: dict[str, str]) -> Gen:
    """The generator with indices renamed."""
    if generator[0] in "pgm":
        return (*generator[:-1], tuple(sorted((rename_gen(g, table), e) for g, e in generator[-1])))
    if generator[0] == "k":
        return ("k", tuple(sorted({table.get(i, i) for i in generator[-1]})))
    return (*generator[:-1], tuple(table.get(i, i) for i in generator[-1])) if generator[0] in "xe" else generator


def mono_of(pairs: Iterable[tuple[Gen, int]]) -> Mono | None:
    """The canonical monomial: deltas merged and applied; None if two fixed positions would have to agree."""
    factors: dict[Gen, int] = {}
    blocks: list[set[str]] = []
    for g, e in pairs:
        if g[0] == "k":
            meeting = [b for b in blocks if b & set(g[1])]
            blocks = [b for b in blocks if b not in meeting] + [set(g[1]).union(*meeting)]
        else:
            factors[g] = factors.get(g, 0) + e
    if not blocks:
        return tuple(sorted([x for x in factors.items() if x[1]]))
    if any(sum(i[0] == "#" and "+" not in i for i in block) > 1 for block in blocks):
        return None
    table = {i: min(block) for block in blocks for i in block}
    applied = mono_of((rename_gen(g, table), e) for g, e in factors.items())
    return tuple(sorted((*(applied or ONE), *((("k", tuple(sorted(b))), 1) for b in blocks if len(b) > 1))))


def rename(poly: Poly, table: dict[str, str]) -> Poly:
    """The polynomial with free indices renamed; nothing can be captured, for no index is bound."""
    return collect((mono_of((rename_gen(g, table), e) for g, e in mono), value) for mono, value in poly.items())


def split(mono: Mono, inside: Callable[[Gen], bool]) -> tuple[Mono, Mono]:
    """The factors inside and the rest."""
    return tuple(x for x in mono if inside(x[0])), tuple(x for x in mono if not inside(x[0]))


def bind(items: Mono, index: str) -> Mono:
    """The items of a sum over the index: the index becomes the bound place *n, n above every place inside."""
    depth = 1 + max((int(i[1:]) for g, _ in items for i in indices_of(g) if i[0] == "*"), default=0)
    return tuple(sorted((rename_gen(g, {index: f"*{depth}"}), e) for g, e in items))


def release(generator: Gen, *avoid: str) -> tuple[Poly, str]:
    """The body of a power sum at a fresh free index, and that index."""
    place = max((i for g, _ in generator[2] for i in indices_of(g) if i[0] == "*"), key=lambda i: int(i[1:]), default="*1")
    fresh = "!" * (1 + max((len(i) for i in (*avoid, *indices_of(generator)) if i[0] == "!"), default=0))
    return rename({generator[2]: 1}, {place: fresh}), fresh


def fit(pattern: Gen, generator: Gen) -> dict[str, str]:
    """How the one free index of the pattern is to be renamed to give the generator; empty if it cannot be."""
    free = [i for i in indices_of(pattern) if i[0] not in "*#"]
    found = ({free[0]: i} for i in indices_of(generator) if len(free) == 1 and rename_gen(pattern, {free[0]: i}) == generator)
    return {"": ""} if pattern == generator else next(found, {})


def proportional(left: Poly, right: Poly) -> Fraction:
    """The number c with left = c * right, or 0 if there is none."""
    ratios = {Fraction(left[m]) / right[m] for m in left} if left.keys() == right.keys() else set()
    return ratios.pop() if len(ratios) == 1 else Fraction(0)


@dataclass(frozen=True)
class Extension:
    """A generator of its own: the root ("root") or the inverse ("inverse") of `value`, over placeholders for its indices."""

    kind: str
    value: Poly
    sign: int  # 2: value > 0, 1: value >= 0, 0: unknown


@dataclass(frozen=True)
class Condition:
    """A side condition: value is "nonzero" or "nonnegative"."""

    kind: str
    value: tuple[tuple[Mono, Number], ...]


class Normalizer:
    """Normal forms under declared families, definitions and hypotheses, with only the facts allowed.

    `level` 0 unfolds v, mu and q into power sums of z. `stage` (name, 0 or 1) reads a symbol as 0, or as itself + 1.
    """

    def __init__(self, theory: t.Theory, given: Iterable[t.Hypothesis] = (), facts: frozenset[str] | None = None, level: int = 1,
                 lemmas: Iterable[t.Relation] = (), stage: tuple[str, int] | None = None) -> None:  # fmt: skip
        self.theory, self.given, self.level, self.lemmas, self.stage = theory, tuple(given), level, tuple(lemmas), stage
        self.definitions = {d.name: d.value for d in theory.definitions}
        self.family = {f.vector: f for f in theory.families}
        self.deviation = {f.deviation: f for f in theory.families}
        self.moments = {name: f for f in theory.families for name in (f.mean, f.variance)}
        names = [x for f in theory.families for x in (f.vector, f.deviation, f.mean, f.variance)] + [d.name for d in theory.definitions]
        if double := sorted({x for x in names if names.count(x) > 1}):
            raise KernelError(f"declared twice: {', '.join(double)}; each name may have one meaning")
        self.facts = facts if facts is not None else BASIC_FACTS | {"unfold:" + x for x in self.definitions}
        self.positive, self.nonnegative = set(theory.positive), {f.variance for f in theory.families}
        self.bounds = dict.fromkeys(t.LENGTHS.values(), Fraction(1))
        self.sizes: dict[str, int] = {}
        self.components: dict[str, tuple[t.Term, ...]] = {}
        self.shapes: dict[str, tuple[str, ...]] = {x: ("coordinates",) for f in theory.families for x in (f.vector, f.deviation)}
        self.shapes |= {d.name: tuple(i.range.name for i in d.value.indices) for d in theory.definitions if isinstance(d.value, t.Array)}
        self.extensions: list[Extension] = []
        self.conditions: dict[Condition, None] = {}
        self.signs: list[tuple[Poly, int]] = []
        self.sums: dict[t.Sum, tuple[Piece, ...]] = {}
        self.operations = 0
        self.unfolded: dict[str, Poly] = {}
        self.solved: list[tuple[Gen, Poly]] | None = None
        self.declare()

    # ------------------------------------------------------------ hypotheses on sizes and signs

    def declare(self) -> None:
        """Read the hypotheses that concern sizes and signs; equalities wait for the zero test."""
        for hypothesis in self.given:
            match hypothesis:
                case t.Components(name, range_, entries):
                    if self.sizes.setdefault(range_.length, len(entries)) != len(entries):
                        raise KernelError(f"two lengths for {range_.length}")
                    self.components[name], self.shapes[name], self.level = entries, (range_.name,), 0
                case t.Relation("=", t.Sym(name), t.Num(size)) if name in t.LENGTHS.values() and size.denominator == 1 and size > 0:
                    self.sizes[name], self.level = int(size), 0
                case t.Relation("<" | "<=" as kind, t.Num(bound), t.Sym(name)) if bound >= 0:
                    (self.positive if bound or kind == "<" else self.nonnegative).add(name)
                    if bound:
                        self.bounds[name] = max(bound, self.bounds.get(name, bound))
        for name, value in self.definitions.items():
            if isinstance(value, t.Term) and "unfold:" + name not in self.facts and (sign := self.sign(value)):
                (self.positive if sign == 2 else self.nonnegative).add(name)
        self.extensions, self.unfolded, self.solved = [], {}, None  # what a definition presupposes holds only where it is used
        for relation in (*self.given, *self.lemmas):
            if isinstance(relation, t.Relation) and relation.kind != "=":
                left, right = map(self.normal, relation.opened())
                gap = self.lower(add(right, left, -1))
                sign = {"<": 2, "<=": 1, "!=": -1}[relation.kind]
                if not (self.nonzero(gap) if sign < 0 else self.sign_of(gap) >= sign):  # what is seen without it is not remembered
                    self.signs.append((self.content(gap, 1)[2] if gap else gap, sign))
        self.conditions, self.sums, self.unfolded = {}, {}, {}  # to be recorded again where they are used

    # ------------------------------------------------------------ products, with a budget

    def mul(self, *factors: Poly) -> Poly:
        """The product."""
        result = factors[0]
        for right in factors[1:]:
            self.operations += len(result) * len(right)
            if self.operations > BUDGET:
                raise TooLarge("the normal form of this term is too large; state a smaller lemma first")
            product = ((mono_of((*m, *n)) if m and n else m or n, x * y) for m, x in result.items() for n, y in right.items())
            result = right if result == UNIT else collect(product)
        return result

    def power(self, base: Poly, exponent: int) -> Poly:
        """An integer power."""
        return self.mul(UNIT, *[self.inverse(base) if exponent < 0 else base] * abs(exponent))

    def by_exponent(self, poly: Poly, generator: Gen, image: Callable[[int], Poly]) -> Poly:
        """The polynomial with each power of a top-level generator replaced by its image."""
        images = {e: image(e) for e in {dict(m).get(generator, 0) for m in poly}}
        return total(self.mul({split(m, generator.__ne__)[0]: x}, images[dict(m).get(generator, 0)]) for m, x in poly.items())

    # ------------------------------------------------------------ terms to polynomials

    def normal(self, term: t.Term) -> Poly:
        """The normal form of a term."""
        match term:
            case t.Num(value):
                return const(value)
            case t.Sym(name):
                return self.symbol(name)
            case t.Entry(name, indices):
                return self.entry(name, indices)
            case t.Delta(left, right):
                return self.delta(key(left), key(right))
            case t.Add(args):
                return total(map(self.normal, args))
            case t.Mul(args):
                return self.mul(const(1), *map(self.normal, args))
            case t.Pow(base, exponent):
                if abs(exponent) > MAX_EXPONENT:
                    raise TooLarge(f"exponent {exponent} is beyond {MAX_EXPONENT}")
                return self.power(self.normal(base), exponent)
            case t.Sum(index, body):
                if size := self.sizes.get(index.range.length):
                    places = (t.Index(str(n), index.range) for n in range(1, size + 1))
                    return total(self.normal(t.substitute_indices(body, {index: place})) for place in places)
                return self.contract(self.normal(body), key(index, bound=True), index.range.name, term)
            case t.Root(radicand):
                return self.root(self.normal(radicand), lambda: self.sign(radicand))
            case t.Word(_, _, _, expansion):
                return self.normal(expansion)
            case t.Derivative(body, variable):
                return self.differentiate(body, variable)
            case t.Power(base, exponent, shift):
                known, bare = self.at_stage(exponent, shift)
                return self.mul(self.power(self.symbol(base.name), known), gen(("t", base.name, exponent.name)) if bare else const(1))
            case t.Geometric():
                return self.geometric(term)
            case t.Expectation(body, random):
                return self.expectation(self.normal(body), random)
        raise KernelError(f"not a term: {term!r}")

    def delta(self, left: str, right: str) -> Poly:
        """Kronecker's delta of two indices."""
        apart = left != right and left[0] == right[0] == "#" and "+" not in left + right
        return {} if apart else const(1) if left == right else gen(("k", tuple(sorted((left, right)))))

    def symbol(self, name: str) -> Poly:
        """A scalar symbol, unfolded where it is defined."""
        if name in self.sizes:
            return const(self.sizes[name])
        if self.stage and name == self.stage[0]:
            return add(gen(("c", name)), const(1)) if self.stage[1] else {}
        if isinstance(self.definitions.get(name), t.Term):
            value = self.unfold(name)  # for its side conditions in any case
            return value if "unfold:" + name in self.facts else gen(("c", name))
        if self.level == 0 and name in self.moments:
            family = self.moments[name]
            centre = self.average(family.vector, 1)
            return centre if name == family.mean else add(self.average(family.vector, 2), self.mul(centre, centre), -1)
        return gen(("c", name))

    def average(self, vector: str, exponent: int) -> Poly:
        """The mean of a power of a vector, by its entries alone."""
        return self.mul(self.normal(t.Sum(i := t.Index("i"), t.Entry(vector, (i,)) ** exponent)), self.inverse(self.symbol("d")))

    def unfold(self, name: str) -> Poly:
        """The normal form of a definition, holes left as they are."""
        if name not in self.unfolded:
            value = self.definitions[name]
            self.unfolded[name] = self.normal(value.body if isinstance(value, t.Array) else value)
        return self.unfolded[name]

    def entry(self, name: str, indices: tuple[t.Index, ...]) -> Poly:
        """An entry of a vector or matrix."""
        ranges = tuple(i.range.name for i in indices)
        if self.shapes.setdefault(name, ranges) != ranges:
            raise KernelError(f"{name} is indexed by {' and '.join(ranges)}, before by {' and '.join(self.shapes[name])}")
        keys, value = tuple(map(key, indices)), self.definitions.get(name)
        if isinstance(value, t.Array):
            poly = rename(self.unfold(name), dict(zip(map(key, value.indices), keys, strict=True)))
            return self.put_components(poly if "unfold:" + name in self.facts else gen(("x", name, keys)))
        if self.level == 0 and (family := self.deviation.get(name)):
            return add(self.entry(family.vector, indices), self.average(family.vector, 1), -1)
        if name in self.family and self.level and "split" in self.facts:
            return add(gen(("c", self.family[name].mean)), gen(("x", self.family[name].deviation, keys)))
        return self.put_components(gen(("x", name, keys)))

    def put_components(self, poly: Poly) -> Poly:
        """The polynomial with the entries given put in at fixed positions."""

        def change(g: Gen) -> Poly | None:
            if g[0] != "x" or g[1] not in self.components or g[2][0][0] != "#":
                return None
            entries, place = self.components[g[1]], g[2][0][1:]
            if not place.isdigit() or not 1 <= int(place) <= len(entries):
                raise KernelError(f"{g[1]} has {len(entries)} entries; there is no entry {place}")
            return self.normal(entries[int(place) - 1])

        return self.homomorphism(poly, change) if self.components else poly

    # ------------------------------------------------------------ sums, symbolic powers, expectations

    def contract(self, poly: Poly, index: str, range_: str, source: t.Sum | None = None) -> Poly:
        """The sum over an index: deltas are applied, constants come out, the rest is a power sum."""
        parts, pieces = [], []
        for mono, value in self.lower(poly).items():
            if block := next((g[1] for g, _ in mono if g[0] == "k" and index in g[1]), None):
                parts.append(rename({mono: value}, {index: next(i for i in block if i != index)}))
            else:
                inner, rest = split(mono, lambda g: index in indices_of(g))
                pieces.append((rest, value, bind(inner, index)))
                parts.append(self.mul({rest: value}, self.power_sum(range_, pieces[-1][2])))
        if source is not None:
            self.sums[source] = tuple(pieces)
        return total(parts)

    def power_sum(self, range_: str, items: Mono) -> Poly:
        """The sum over * of the items, reduced by the facts sum 1 = d, sum v = 0, sum v^2 = d q."""
        if not items and "count" in self.facts:
            return self.symbol(t.LENGTHS[range_])
        if self.level and len(items) == 1 and items[0][0][0] == "x" and items[0][0][1] in self.deviation:
            if items[0][1] == 1 and "centred" in self.facts:
                return {}
            if items[0][1] == 2 and "variance" in self.facts:
                return self.mul(self.symbol("d"), self.symbol(self.deviation[items[0][0][1]].variance))
        return gen(("p", range_, items))

    def at_stage(self, upper: t.Sym, shift: int) -> tuple[int, bool]:
        """upper + shift as a number and whether the bare symbol remains."""
        return (shift + self.stage[1], bool(self.stage[1])) if self.stage and upper.name == self.stage[0] else (shift, True)

    def geometric(self, term: t.Geometric) -> Poly:
        """G(0) = 0 and G(t + 1) = b G(t) + x_(t+1): only the sum up to the bare symbol is left."""
        shift, bare = self.at_stage(term.upper, term.shift)
        index, body = key(term.index, bound=True), self.normal(term.body)
        if term.index.range != t.STEPS or not 0 <= term.shift <= MAX_EXPONENT or generators(body, "k"):
            raise KernelError("a geometric sum runs over steps, up to a symbol plus 0, 1, 2, ..., without deltas")
        result: Poly = {}
        for mono, value in body.items() if bare else ():
            inner, rest = split(mono, lambda g: index in indices_of(g))
            result = add(result, self.mul({rest: value}, gen(("g", term.base.name, term.upper.name, bind(inner, index)))))
        for step in range(1, shift + 1):
            place = f"#{term.upper.name}+{step}" if bare else f"#{step}"
            result = add(self.mul(self.symbol(term.base.name), result), rename(body, {index: place}))
        return result

    def expectation(self, poly: Poly, random: tuple[str, ...]) -> Poly:
        """Linear; what is not random comes out; it passes inside a sum."""
        result, names = const(0), self.dependent(*random)
        for mono, value in poly.items():
            inner, rest = split(mono, lambda g: self.mentions(g, names))
            if len(inner) == 1 and inner[0][0][0] in "pg" and inner[0][1] == 1 and not names & {*inner[0][0][1:-1]}:
                chance, fixed = split(inner[0][0][-1], lambda g: self.mentions(g, names))
                inner = (((*inner[0][0][:-1], tuple(sorted((*fixed, (self.expected(chance, random), 1))))), 1),)
            elif inner:
                inner = ((self.expected(inner, random), 1),)
            result = add(result, self.mul({rest: value}, {inner: 1}))
        return result

    def expected(self, items: Mono, random: tuple[str, ...]) -> Gen:
        """The generator of an expected value, with the random vectors that matter to it."""
        return ("m", tuple(sorted({x for x in random if any(self.mentions(g, self.dependent(x)) for g, _ in items)})), items)

    def dependent(self, *names: str) -> frozenset[str]:
        """The names, with every name whose value may depend on theirs."""
        parts = (x for f in self.theory.families if f.vector in names for x in (f.deviation, f.mean, f.variance))
        return frozenset({*names, *parts, *self.definitions})

    def mentions(self, generator: Gen, names: frozenset[str]) -> bool:
        """Whether one of the named vectors or scalars occurs in the generator, or may: entries at an open place are unknown."""
        if generator[0] == "e":
            return any(self.mentions(g, names) for m in self.extensions[generator[1]].value for g, _ in m)
        own = {"x": generator[1:2], "c": generator[1:2], "t": generator[1:3], "g": generator[1:3]}.get(generator[0], ())
        inside = generator[-1] if generator[0] in "pgm" else ()
        return not {*own}.isdisjoint({*names, *self.components}) or any(self.mentions(g, names) for g, _ in inside)

    # ------------------------------------------------------------ signs: 2 positive, 1 nonnegative, 0 unknown

    def sign(self, term: t.Term) -> int:
        """The sign of a term by its structure or by a hypothesis, where it is defined at all."""
        if isinstance(term, t.Word):
            return self.sign(term.expansion)
        known = self.structure(term)
        return known if known == 2 or not self.signs else max(known, self.sign_of(self.normal(term)))

    def structure(self, term: t.Term) -> int:
        """The sign of a term by its structure."""
        match term:
            case t.Num(value):
                return 2 if value > 0 else int(value == 0)
            case t.Sym(name) if name in self.positive | self.nonnegative:
                return 2 if name in self.positive else max(1, self.sign_of(self.normal(term)))
            case t.Sum(_, body) | t.Power(body, _, _):
                return self.sign(body)
            case t.Pow(base, exponent):
                below = self.sign(base)
                if exponent % 2 == 0:
                    return 2 if below == 2 or exponent <= 0 else 1
                return 2 if below and exponent < 0 else below
            case t.Mul(args):
                return min(map(self.sign, args), default=2) or self.sign_of(self.normal(term))
            case t.Add(args):
                signs = [self.sign(a) for a in args]
                return max(signs) if all(signs) else self.sign_of(self.normal(term))
            case t.Expectation(body, random):  # a hypothesis says nothing of the other values that a random vector takes
                supposed = {g for poly, _ in self.signs for m in poly for g, _ in m}
                return 0 if any(self.mentions(g, self.dependent(*random)) for g in supposed) else self.sign(body)
            case t.Root(radicand):
                return max(1, self.sign(radicand))
            case t.Delta():
                return 1
            case t.Geometric(base, _, _, _, body):
                return int(min(self.sign(base), self.sign(body)) > 0)
        return self.sign_of(self.normal(term)) if isinstance(term, (t.Sym, t.Entry)) else 0

    def sign_gen(self, generator: Gen) -> int:
        """The sign of a generator."""
        match generator[0]:
            case "c" | "t":
                return 2 if generator[1] in self.positive else int(generator[1] in self.nonnegative)
            case "e":
                extension = self.extensions[generator[1]]
                return max(extension.sign, 1) if extension.kind == "root" else 2 * (extension.sign == 2)
            case "p":
                return min((self.sign_power(g, e) for g, e in generator[2]), default=2)
        return int(generator[0] in "kn")

    def unit(self, generator: Gen) -> bool:
        """Whether the generator is known to be positive, so that it may be divided by."""
        return self.sign_gen(generator) == 2

    def sign_power(self, generator: Gen, exponent: int) -> int:
        """The sign of a power of a generator."""
        return max(self.sign_gen(generator), exponent % 2 == 0) if exponent > 0 else 2 * self.unit(generator)

    def sign_of(self, poly: Poly) -> int:
        """The sign by the look of the polynomial, or by a hypothesis."""
        by_hypothesis = max((sign for sign, ratio in self.compared(poly) if ratio > 0 and sign > 0), default=0)
        for candidate in (poly, self.from_bounds(poly)):
            signs = [min((self.sign_power(g, e) for g, e in mono), default=2) if value > 0 else 0 for mono, value in candidate.items()]
            if all(signs):
                return max(by_hypothesis, *(signs or [1]))
        return by_hypothesis

    def compared(self, poly: Poly) -> list[tuple[int, Number]]:
        """The signs that hypotheses state, each with the number c by which poly is c times a positive factor times what they speak of."""
        core = self.content(poly, 1)[2] if poly and self.signs else {}
        return [(sign, proportional(core, known)) for known, sign in self.signs]

    def from_bounds(self, poly: Poly) -> Poly:
        """The polynomial with each bounded symbol written as its bound plus a nonnegative rest."""
        for name, bound in self.bounds.items():
            exponents = [e for m in poly for g, e in m if g == ("c", name)]
            if exponents and min(exponents) > 0:
                shifted = add(const(bound), gen(("n", name)))
                poly = self.by_exponent(poly, ("c", name), lambda e, x=shifted: self.power(x, e))  # type: ignore[misc]
        return poly

    def nonzero(self, poly: Poly) -> bool:
        """Whether the polynomial is known not to vanish."""
        if 2 in (self.sign_of(poly), self.sign_of(add({}, poly, -1))) or any(sign != 1 and ratio for sign, ratio in self.compared(poly)):
            return True
        return len(poly) == 1 and all(self.unit(g) or (poly.keys() != {((g, 1),)} and self.nonzero(gen(g))) for m in poly for g, _ in m)

    def require(self, kind: str, poly: Poly) -> None:
        """Record a side condition unless it is known to hold; refuse one that cannot."""
        if poly.keys() == {ONE} and poly[ONE] < 0 and kind == "nonnegative":
            raise KernelError("root of a negative number")
        condition = Condition(kind, tuple(sorted(poly.items())))
        if not self.holds(condition):
            self.conditions[condition] = None

    def holds(self, condition: Condition) -> bool:
        """Whether a side condition is known to hold."""
        poly = dict(condition.value)
        return self.nonzero(poly) if condition.kind == "nonzero" else self.sign_of(poly) > 0

    # ------------------------------------------------------------ inverses and roots

    def content(self, poly: Poly, step: int) -> tuple[Mono, Fraction, Poly]:
        """poly = mono^step * number * rest with mono in units (or, for roots, in nonnegative generators)."""
        exponents = [dict(m) for m in poly]
        known = {g for m in exponents for g in m if self.unit(g) or (step == 2 and self.sign_gen(g) == 1 and g[0] != "k")}
        mono = tuple((g, e) for g in sorted(known) if (e := min(m.get(g, 0) for m in exponents) // step))
        number = Fraction(gcd(*(x.numerator for x in poly.values())), lcm(*(x.denominator for x in poly.values())))
        return mono, number, self.mul({tuple((g, -step * e) for g, e in mono): 1 / number}, poly)

    def register(self, kind: str, poly: Poly, sign: int = 0) -> Poly:
        """The generator of an extension, new or known, over placeholders for the free indices of poly."""
        free = sorted({i for m in poly for g, _ in m for i in indices_of(g) if i[0] not in "*#"})
        general = rename(poly, {i: f"?{n}" for n, i in enumerate(free)})
        number = next((n for n, x in enumerate(self.extensions) if x.kind == kind and x.value == general), len(self.extensions))
        known = self.extensions[number].sign if number < len(self.extensions) else self.sign_of(general)
        self.extensions[number : number + 1] = [Extension(kind, general, max(sign, known))]
        return gen(("e", number, tuple(free)))

    def value_of(self, generator: Gen) -> Poly:
        """The polynomial R behind an extension, at its indices."""
        return rename(self.extensions[generator[1]].value, {f"?{n}": i for n, i in enumerate(generator[2])})

    def inverse(self, poly: Poly) -> Poly:
        """1/poly. A denominator that is zero is refused; one that may be zero is recorded."""
        if not self.residual(self.lower(poly)):
            raise KernelError("division by an expression that is zero")
        mono, number, rest = self.content(poly, 1)
        rest, result = self.lower(rest), self.mul(const(1 / number), {tuple((g, -e) for g, e in mono): 1})
        if len(rest) == 1:
            ((factors, value),) = rest.items()
            return self.mul(result, const(1 / Fraction(value)), *(self.power(self.inverse_gen(g), e) for g, e in factors))
        if rest[min(rest)] < 0:
            rest, result = add({}, rest, -1), add({}, result, -1)
        for n, extension in enumerate(self.extensions if "root" in self.facts else ()):
            if extension.kind == "root" and extension.value == rest and extension.sign == 2:
                return self.mul(result, gen(("e", n, ()), -2))
        self.require("nonzero", rest)
        return self.mul(result, self.register("inverse", rest))

    def inverse_gen(self, generator: Gen) -> Poly:
        """The inverse of one generator that is not known to be positive."""
        if generator[0] == "k":
            raise KernelError("division by a delta is outside the algebra")
        if generator[0] == "e":
            value = self.value_of(generator)
            return value if self.extensions[generator[1]].kind == "inverse" else self.mul(gen(generator), self.inverse(value))
        self.require("nonzero", gen(generator))
        return self.register("inverse", gen(generator))

    def root(self, poly: Poly, sign: Callable[[], int]) -> Poly:
        """The nonnegative root: sqrt(m^2 R) = m sqrt(R) for m >= 0; a radicand that may be negative is recorded."""
        poly, outside = self.lower(poly), UNIT
        for g in generators(poly, "e"):
            top = max(dict(m).get(g, 0) for m in poly)
            if self.extensions[g[1]].kind == "inverse" and self.unit(g) and top > 0:
                poly, outside = self.clear(poly, g, top + top % 2), self.mul(outside, gen(g, (top + 1) // 2))
        if not poly:
            return {}
        mono, number, rest = self.content(poly, 2)
        units, _, rest = self.content(rest, 1)  # a positive factor has a root of its own
        p, q = isqrt(number.numerator), isqrt(number.denominator)
        square = p * p == number.numerator and q * q == number.denominator
        rest = self.lower(rest if square else self.mul(const(number), rest))
        roots = (self.register("root", gen(g), 2) for g, _ in units)
        outside = self.mul(outside, {mono: Fraction(p, q) if square else 1}, *roots)
        if rest == UNIT:
            return outside
        # where a factor taken out vanishes, the sign of the radicand says nothing of the rest
        known = self.sign_of(rest) or (sign() if all(self.unit(g) for g, _ in mono) else 0)
        if not known:
            self.require("nonnegative", rest)
        return self.mul(outside, self.register("root", rest, known))

    def lower(self, poly: Poly) -> Poly:
        """t^2 -> R for every root, positive powers only."""
        for g in generators(poly, "e"):
            if self.squares(g) and any(dict(m).get(g, 0) > 1 for m in poly):
                poly = self.replace_even(poly, g, 0)
        return poly

    def squares(self, generator: Gen) -> bool:
        """Whether t^2 = R may be used: always for the root of one factor, which is made by splitting, else by the fact "root"."""
        extension = self.extensions[generator[1]]
        return extension.kind == "root" and ("root" in self.facts or (len(extension.value) == 1 and ONE not in extension.value))

    def replace_even(self, poly: Poly, generator: Gen, shift: int) -> Poly:
        """poly * t^shift with t^2 -> R; negative exponents that are left stay."""
        value = self.value_of(generator)

        def image(exponent: int) -> Poly:
            half, odd = divmod(exponent + shift, 2) if exponent + shift > 0 else (0, exponent + shift)
            return self.mul(self.power(value, half), gen(generator, odd) if odd else const(1))

        return self.by_exponent(poly, generator, image)

    def clear(self, poly: Poly, generator: Gen, top: int) -> Poly:
        """N with poly = N * x^top for an inverse x of R."""
        value = self.value_of(generator)
        return self.by_exponent(poly, generator, lambda exponent: self.power(value, top - exponent))

    # ------------------------------------------------------------ derivatives

    def differentiate(self, body: t.Term, variable: t.Sym | t.Entry) -> Poly:
        """The partial derivative by an independent symbol or entry."""
        if "derivative" not in self.facts:
            raise KernelError("this step differentiates; name the rule derivative")
        name, keys = (variable.name, None) if isinstance(variable, t.Sym) else (variable.vector, tuple(map(key, variable.indices)))
        if name in {*self.definitions, *self.deviation, *self.moments, *self.components, *t.LENGTHS.values(), *(self.stage or ())}:
            raise KernelError(f"{name} is not an independent variable; differentiate by an entry of z or by a free symbol")
        if name in self.nonnegative - self.positive:
            raise KernelError(f"{name} >= 0 has a boundary at which there is no derivative; assume {name} > 0")
        self.normal(variable)  # checks the ranges of an entry
        return self.derive(self.normal(body), name, keys)

    def derive(self, poly: Poly, name: str, keys: tuple[str, ...] | None) -> Poly:
        """Linear, and Leibniz' rule."""
        return total(
            self.mul({mono_of((*mono, (g, -1))) or ONE: value * e}, slope)
            for mono, value in poly.items() for g, e in mono if (slope := self.derive_gen(g, name, keys))
        )  # fmt: skip

    def derive_gen(self, generator: Gen, name: str, keys: tuple[str, ...] | None) -> Poly:
        """The table: the derivative of one generator."""
        kind, own = generator[0], generator[1]
        if kind in "cx" and own in {*self.definitions, *self.components}:
            raise KernelError(f"unfold {own}, or give its index a number, before differentiating")
        if kind == "c" and keys is None:
            return const(own == name)
        if kind == "c" and own in self.moments and self.moments[own].vector == name and keys:
            family = self.moments[own]
            slope = const(1) if own == family.mean else self.mul(const(2), gen(("x", family.deviation, keys)))
            return self.mul(slope, self.inverse(self.symbol("d")))
        if kind == "x" and keys:
            if own == name:
                return self.mul(const(1), *map(self.delta, generator[2], keys))
            if own in self.deviation and self.deviation[own].vector == name:
                return add(self.delta(generator[2][0], keys[0]), self.inverse(self.symbol("d")), -1)
        if kind == "p" and generator[2]:
            body, place = release(generator, *(keys or ()))
            return self.contract(self.derive(body, name, keys), place, own)
        if kind == "e" and (slope := self.derive(self.value_of(generator), name, keys)):
            if self.extensions[own].kind == "inverse":
                return self.mul({((generator, 2),): -1}, slope)
            return self.mul(const(Fraction(1, 2)), gen(generator, -1) if self.unit(generator) else self.inverse_gen(generator), slope)
        if kind in "tgm" and self.mentions(generator, self.dependent(name)):
            raise KernelError("the derivative of a symbolic power, a geometric sum or an expectation is outside the algebra")
        return {}

    # ------------------------------------------------------------ equality hypotheses and the zero test

    def homomorphism(self, poly: Poly, change: Callable[[Gen], Poly | None]) -> Poly:
        """Replace generators everywhere, inside power sums, roots and inverses too; None leaves one as it is."""

        def image(g: Gen, exponent: int) -> Poly:
            return gen(g, exponent) if (new := self.changed(g, change)) is None else self.power(new, exponent)

        return total(self.mul({ONE: factor}, *(image(g, e) for g, e in mono)) for mono, factor in poly.items())

    def changed(self, generator: Gen, change: Callable[[Gen], Poly | None]) -> Poly | None:
        """The image of one generator, or None if nothing in it changes."""
        if (new := change(generator)) is not None or generator[0] not in "ep":
            return new
        value, place = release(generator) if generator[0] == "p" else (self.value_of(generator), "")
        image = self.homomorphism(value, change)
        if image == value:
            return None
        if place:
            return self.contract(image, place, generator[1])
        extension = self.extensions[generator[1]]
        return self.root(image, lambda: extension.sign) if extension.kind == "root" else self.inverse(image)

    def hypotheses(self) -> list[tuple[Gen, Poly]]:
        """Each equality hypothesis solved for one generator; a lemma that cannot be solved is left out."""
        if self.solved is None:
            self.solved = []
            for number, h in enumerate((*self.given, *self.lemmas)):
                if isinstance(h, t.Relation) and h.kind == "=" and getattr(h.left, "name", None) not in self.sizes:
                    try:
                        left, right = map(self.normal, h.opened())
                        poly = self.assumed(add(left, right, -1))
                        if (cleared := self.residual(poly)) or number < len(self.given):
                            self.solved.append(self.solve(poly, cleared))
                    except KernelError:
                        if number < len(self.given):
                            raise
        return self.solved

    def solve(self, *polys: Poly) -> tuple[Gen, Poly]:
        """poly = 0 solved for a generator that occurs in one monomial only, linearly, beside units; the first poly that can be."""
        if not polys[-1]:
            raise KernelError("a hypothesis that always holds, or repeats another, says nothing; remove it")
        for poly in polys:
            candidates = []
            for g, mono in ((g, m) for m in poly for g, e in m if e == 1 and g[0] in "xpcgmt"):
                if all(x == g or self.unit(x) for x, _ in mono):
                    scale: Poly = {tuple((x, -n) for x, n in mono if x != g): -1 / Fraction(poly[mono])}
                    value = self.mul(scale, {m: x for m, x in poly.items() if m != mono})
                    if not self.occurs(g, value):
                        rank = 2 if g[1] in self.moments else {"x": 4, "c": 1, "t": 0}.get(g[0], 3)
                        candidates.append((rank, sum(n for _, n in g[2]) if g[0] == "p" else 0, g, value))
            if candidates:
                return max(candidates, key=lambda c: c[:3])[2:]
        raise KernelError("a hypothesis that cannot be solved for a sum, a symbol or an entry")

    def assume(self, poly: Poly, generator: Gen, value: Poly) -> Poly:
        """Apply one solved hypothesis; one free index in it stands for every index."""
        return self.homomorphism(poly, lambda g: rename(value, table) if (table := fit(generator, g)) else None)

    def occurs(self, generator: Gen, poly: Poly) -> bool:
        """Whether a solved hypothesis would change the polynomial; nothing is changed in finding out."""
        met: list[Gen] = []
        self.homomorphism(poly, lambda g: met.append(g) if fit(generator, g) else None)
        return bool(met)

    def assumed(self, poly: Poly) -> Poly:
        """Apply the hypotheses, in order."""
        for generator, value in self.hypotheses() if "given" in self.facts and poly else ():
            poly = self.assume(poly, generator, value)
        return poly

    def residual(self, poly: Poly) -> Poly:
        """Hypotheses applied, denominators cleared, roots reduced; empty exactly if poly is zero by the facts allowed."""
        poly = self.assumed(poly)
        before: Poly = {}
        while poly != before:
            before = poly
            for g in generators(poly, "e"):
                exponents = [dict(m).get(g, 0) for m in poly] or [0]
                if self.extensions[g[1]].kind == "inverse":
                    poly = self.clear(poly, g, max(*exponents, 0))
                elif self.squares(g) and (min(exponents) < 0 or max(exponents) > 1):
                    poly = self.replace_even(poly, g, max(-min(exponents), 0))
        return poly

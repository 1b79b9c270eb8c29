"""Looks for the certificate of an inequality, which the kernel then checks: nothing here is trusted.

The difference of the sides is freed of its denominators, and the polynomial that is left is sought as a combination, with
coefficients >= 0, of what is seen not to be negative: products of nonnegative symbols, squares, Lagrange's sums of squares
(Cauchy-Schwarz), and the hypotheses, also summed over their index. Imports the kernel, the author's words, lnsym.cone and
lnsym.scribe only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lnsym.cone import nonnegative_combination
from lnsym.errors import KernelError, NotProved, TooLarge
from lnsym.kernel.normal import BUDGET, ONE, Gen, Mono, Normalizer, Poly, add, const, generators
from lnsym.kernel.prove import Certificate, Given, Proved, lemmas, prove
from lnsym.kernel.terms import (
    COORDINATES,
    Array,
    Delta,
    Entry,
    Index,
    Num,
    Relation,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    free_indices,
    hole,
    walk,
)
from lnsym.lang import mean, ones, vector
from lnsym.scribe import RANGES, Scribe, Unwritable, add_up, index_of, power, product

MAX_VECTORS, MAX_HALVES, MAX_ATOMS, MAX_LEMMAS = 7, 10, 80, 6
MAX_REST = 12  # monomials of a target of which one is compared with all others
MAX_OPERATIONS = 20_000  # multiplications of monomials in one search
ROUNDS = (120, 220)  # columns after each round of choosing multiples that meet what is lacking
FAMILIAR = {"dot", "norm", "mean", "var", "cov", "total"}


def prove_order(theory: Theory, relation: Relation, given: Given, known: tuple[Proved, ...] = ()) -> Proved:
    """Prove left <= right or left < right, or raise NotProved; without lemmas first, then with comparisons of roots.

    `known` theorems may be used, as in prove().
    """
    try:
        return prove(theory, relation, given, known=known)
    except NotProved:
        reason: KernelError = NotProved("no certificate was found")
    for with_lemmas in (False, True):
        for attempt in (_by_difference, _by_squares, _by_squares_of_negatives):
            try:
                return attempt(theory, relation, given, known, with_lemmas)
            except KernelError as error:
                reason = error if isinstance(error, TooLarge) else reason
        if isinstance(reason, TooLarge):
            break
    raise reason


def _by_difference(theory: Theory, relation: Relation, given: Given, known: tuple[Proved, ...], with_lemmas: bool) -> Proved:
    return _Search(theory, relation, given, known, with_lemmas).proof(squared=False)


def _by_squares(theory: Theory, relation: Relation, given: Given, known: tuple[Proved, ...], with_lemmas: bool) -> Proved:
    if not Normalizer(theory, given, lemmas=lemmas(theory, given, known)).sign(relation.opened()[1]):
        raise NotProved("the right side may be negative")
    return _Search(theory, relation, given, known, with_lemmas).proof(squared=True)


def _by_squares_of_negatives(theory: Theory, relation: Relation, given: Given, known: tuple[Proved, ...], with_lemmas: bool) -> Proved:
    """-right <= -left, with -left >= 0, by squares; the kernel then recognizes the difference."""
    left, right = relation.opened()
    lemma = _by_squares(theory, Relation(relation.kind, -right, -left), given, known, with_lemmas)
    return prove(theory, relation, given, known=(*known, lemma))


# ---------------------------------------------------------------- what is known not to be negative


@dataclass(frozen=True)
class Atom:
    """An expression known to be nonnegative (sign 1) or positive (sign 2), as a term and as a polynomial without denominators."""

    term: Term
    poly: Poly
    sign: int = 1


@dataclass(frozen=True)
class _Column:
    """A nonnegative monomial, times an atom where there is one."""

    mono: Mono
    atom: Atom | None
    poly: Poly
    sign: int


class _Search:
    """The search for one certificate."""

    def __init__(self, theory: Theory, relation: Relation, given: Given, known: tuple[Proved, ...], with_lemmas: bool) -> None:
        self.theory, self.relation, self.given, self.known, self.with_lemmas = theory, relation, given, known, with_lemmas
        self.known_signs: dict[Mono, int] = {}
        self.normalizer = Normalizer(theory, given, lemmas=lemmas(theory, given, known))
        self.normalizer.operations = BUDGET - MAX_OPERATIONS
        self.scribe = Scribe(self.normalizer)
        self.left, self.right = relation.opened()
        self.lemmas: list[Proved] = []

    def proof(self, squared: bool) -> Proved:
        """The theorem, with the certificate found."""
        gap = self.right**2 - self.left**2 if squared else self.right - self.left
        target, factors = self.cleared(self.normalizer.normal(gap), whole=True)
        strict = self.relation.kind == "<"
        if self.with_lemmas and not any(g[0] == "e" for m in target for g, _ in m):
            raise NotProved("there are no roots to compare")
        if not target and strict:
            raise NotProved("the sides are equal")
        if not target:  # the kernel reads no sign off a difference that vanishes only with roots and denominators cleared
            return self.checked(Certificate(Num(Fraction(0)), squared))
        for columns in self.columns(target):
            wanted = {k for k, column in enumerate(columns) if column.sign == 2} if strict else None
            found = nonnegative_combination(target, [column.poly for column in columns], wanted)
            if found is not None:
                parts = [self.written(columns[k], x) for k, x in sorted(found.items())]
                term = product([add_up(parts), *(power(base, e) for base, e in factors)])
                return self.checked(Certificate(term, squared))
        raise NotProved("no certificate was found")

    def checked(self, certificate: Certificate) -> Proved:
        """The theorem, if the kernel accepts the certificate."""
        return prove(self.theory, self.relation, self.given, certificate=certificate, known=(*self.known, *self.lemmas))

    def written(self, column: _Column, factor: Fraction) -> Term:
        """The term of a multiple of a column."""
        mono = self.scribe.mono(column.mono, factor)
        return product([mono, column.atom.term]) if column.atom else mono

    # ------------------------------------------------------------ polynomials without denominators

    def mul(self, *factors: Poly) -> Poly:
        """The product, roots reduced."""
        return self.normalizer.lower(self.normalizer.mul(const(1), *factors))

    def cleared(self, poly: Poly, whole: bool = False) -> tuple[Poly, list[tuple[Term, int]]]:
        """N and powers with poly = N * their product, which is positive; `whole`: it may vanish, as a common factor q may."""
        normalizer, factors = self.normalizer, list[tuple[Term, int]]()
        poly = normalizer.assumed(poly)
        before: Poly = {}
        while poly != before:
            before = poly
            for g in generators(poly, "e"):
                exponents = [dict(m).get(g, 0) for m in poly]
                if not exponents:
                    continue
                top, low = max(exponents), min(exponents)
                if normalizer.extensions[g[1]].kind == "inverse" and top > 0:
                    top += 0 if normalizer.unit(g) else top % 2  # an even power is nonnegative whatever the sign
                    factors.append((self.scribe.generator(g), top))
                    poly = normalizer.clear(poly, g, top)
                elif normalizer.extensions[g[1]].kind == "root" and (low < 0 or top > 1):
                    shift = max(-low, 0)
                    factors += [(self.scribe.generator(g), -shift)] if shift else []
                    poly = normalizer.replace_even(poly, g, shift)
        for g, e in self.common(poly, whole):
            factors.append((self.scribe.generator(g), e))
            poly = self.mul({((g, -e),): Fraction(1)}, poly)
        return poly, factors

    def common(self, poly: Poly, whole: bool) -> list[tuple[Gen, int]]:
        """The powers that all monomials share: of positive generators and, for `whole`, of what is nonnegative."""
        found = []
        for g in sorted({g for m in poly for g, _ in m}):
            e = min(dict(m).get(g, 0) for m in poly)
            sign = self.normalizer.sign_gen(g)
            if whole and not sign:
                e -= e % 2
            if e and (whole or sign == 2):
                found.append((g, e))
        return found

    def sign(self, mono: Mono) -> int:
        """The sign of a monomial."""
        if mono not in self.known_signs:
            self.known_signs[mono] = self.normalizer.sign_of({mono: Fraction(1)})
        return self.known_signs[mono]

    # ------------------------------------------------------------ columns: multiples of atoms that meet what is to be met

    def columns(self, target: Poly) -> Iterator[list[_Column]]:
        """More and more columns: multiples of atoms that meet the target, or what others leave over; and the nonnegative monomials."""
        columns: list[_Column] = []
        seen: set[tuple[int, Mono]] = set()
        lacking = {(mono, value > 0) for mono, value in target.items() if value < 0 or not self.sign(mono)}
        met: set[tuple[Mono, bool]] = set()
        atoms = list(self.atoms(target))[:MAX_ATOMS]
        for room in ROUNDS:
            new: list[_Column] = []
            for number, atom in enumerate(atoms):
                for mono in self.multipliers(atom, lacking - met):
                    if (number, mono) not in seen and len(columns) + len(new) < room:
                        seen.add((number, mono))
                        new.append(_Column(mono, atom, self.mul({mono: Fraction(1)}, atom.poly), min(atom.sign, self.sign(mono))))
            met |= lacking
            columns += new
            lacking = {(mono, value < 0) for column in new for mono, value in column.poly.items() if value > 0 or not self.sign(mono)}
            monos = sorted({*target, *(mono for column in columns for mono in column.poly)})
            units = [_Column(mono, None, {mono: Fraction(1)}, sign) for mono in monos if (sign := self.sign(mono))]
            yield [*units, *columns]
            if not new:
                return

    def multipliers(self, atom: Atom, lacking: set[tuple[Mono, bool]]) -> Iterator[Mono]:
        """The nonnegative monomials that carry a monomial of the atom to one that is lacking, with the sign that is needed."""
        found = {
            mono
            for wanted, positive in lacking for own, value in atom.poly.items()
            if (value > 0) == positive and (mono := _quotient(wanted, own)) is not None and self.sign(mono)
        }  # fmt: skip
        return iter(sorted(found))

    # ------------------------------------------------------------ atoms

    def atoms(self, target: Poly) -> Iterator[Atom]:
        """All that may help, the plain before the involved; what cannot be computed is left out."""
        vectors = self.vectors(target)
        yield from self.hypotheses(target, vectors)
        compared = list(self.comparisons(target)) if self.with_lemmas else []
        yield from compared
        yield from self.squares(target)
        gram = {(n, m): x for n, m in _pairs(len(vectors)) if (x := self.inner(vectors[n], vectors[m])) is not None}
        for n in range(len(vectors)):
            if (n, n) in gram:
                for norm in self.atom(_norm_square(vectors[n]), gram[n, n]):
                    yield norm
                    yield from (Atom(other.term * norm.term, self.mul(other.poly, norm.poly)) for other in compared)
        for n, m in sorted(gram):
            if n != m and {(n, n), (m, m)} <= gram.keys():
                yield from self.two_vectors(target, vectors[n], vectors[m], gram[n, n], gram[n, m], gram[m, m])

    def atom(self, term: Term, poly: Poly, sign: int = 1) -> Iterator[Atom]:
        """The atom of a term that is known not to be negative, its denominators multiplied out."""
        try:
            poly, factors = self.cleared(poly)
        except (TooLarge, Unwritable):
            return
        if poly:
            yield Atom(product([term, *(power(base, -e) for base, e in factors)]), poly, sign)

    def hypotheses(self, target: Poly, vectors: Sequence[Array]) -> Iterator[Atom]:
        """The given inequalities, the bounds of symbols such as d >= 1, their products by twos, and the sums of all these."""
        given = [h for h in self.given if isinstance(h, Relation) and h.kind in ("<", "<=")]
        known = [(right - left, 1 + (h.kind == "<")) for h in given for left, right in [h.opened()]]
        names = {g[1] for m in target for g, _ in m if g[0] == "c"}
        known += [(Sym(name) - bound, 1) for name, bound in sorted(self.normalizer.bounds.items()) if name in names]
        found = [(term, self.normalizer.normal(term), sign) for term, sign in known]
        for term, poly, sign in found:
            if len(poly) > 1:  # the sign of a monomial is seen without it
                yield from self.atom(term, poly, sign)
            yield from self.summed(term, sign, vectors)
        for (one, p, a), (two, q, b) in combinations([x for x in found if len(x[1]) > 1][:4], 2):
            yield from self.atom(one * two, self.mul(p, q), min(a, b))
            yield from self.summed(one * two, min(a, b), vectors)

    def summed(self, term: Term, sign: int, vectors: Sequence[Array]) -> Iterator[Atom]:
        """A hypothesis for every i, summed over i: as it is, and times the squares of a vector's entries.

        The index keeps its name, by which the kernel knows the hypothesis.
        """
        if len(own := tuple(free_indices(term))) != 1:
            return
        (index,) = own
        squares = [x[index] ** 2 for x in vectors if isinstance(x.body, Entry) and x.indices[0].range == index.range]
        for total, known in ((Sum(index, term), sign), *((Sum(index, term * square), 1) for square in squares)):
            with suppress(KernelError):  # what cannot be computed is left out
                yield from self.atom(total, self.normalizer.normal(total), known)

    def squares(self, target: Poly) -> Iterator[Atom]:
        """(x + t y)^2 for the roots x, y of the squares in the target, where x y helps."""
        roots = {((g, 1),) for m in target for g, _ in m if g[0] == "e"}
        halves = sorted({ONE, *roots, *(half for mono in target if (half := self.half(mono)) is not None)}, key=lambda m: (len(m), m))
        for x, y in combinations(halves[:MAX_HALVES], 2):
            square = {name: self.mul({a: Fraction(1)}, {b: Fraction(1)}) for name, a, b in (("xx", x, x), ("xy", x, y), ("yy", y, y))}
            if any(_quotient(mono, own) is not None for mono in target for own in square["xy"]):
                for t in _ratios(target, square["xx"], square["xy"], square["yy"]):
                    term = (self.scribe.mono(x) + t * self.scribe.mono(y)) ** 2
                    yield from self.atom(term, add(add(square["xx"], square["xy"], 2 * t), square["yy"], t * t))

    def half(self, mono: Mono) -> Mono | None:
        """The root of the square in a monomial whose rest is nonnegative."""
        if any(e % 2 and not self.normalizer.sign_gen(g) for g, e in mono):
            return None
        return tuple((g, e // 2) for g, e in mono if e > 1)

    def vectors(self, target: Poly) -> list[Array]:
        """The vectors in the target and in the statement, 1, and the coordinate vectors of its places, their differences and deviations."""
        named = sorted({(g[1], g[2]) for g in _all_generators(self.normalizer, target) if g[0] == "x" and len(g[2]) == 1})
        shapes = self.normalizer.shapes
        plain = [vector(name, RANGES[shapes.get(name, (COORDINATES.name,))[0]]) for name in dict.fromkeys(name for name, _ in named)]
        places = {key for mono in target for g, _ in mono if g[0] in "xk" for key in g[-1] if key[0] != "*" and "." not in key}
        basis = [Array((hole(1),), Delta(index_of(key, COORDINATES), hole(1))) for key in sorted(places)]
        basis += [x - y for x, y in combinations(basis, 2)]
        words = [node for node in (*walk(self.left), *walk(self.right)) if isinstance(node, Word) and node.name in FAMILIAR]
        written = [x for word in words for x in word.args if isinstance(x, Array) and not isinstance(x.body, Entry)]
        spoken = {node.vector for node in (*walk(self.left), *walk(self.right)) if isinstance(node, Entry)}
        spoken |= {family.vector for family in self.theory.families if ("c", family.mean) in _all_generators(self.normalizer, target)}
        # z itself is not in the normal form, which has mean and deviations in its place
        written += [vector(family.vector) for family in self.theory.families if family.vector in spoken]
        ranges = dict.fromkeys(x.indices[0].range for x in (*plain, *written))
        moving = [x for x in (*plain, *basis, *written) if not self.is_centred(x)]
        found = [*plain, *map(ones, ranges), *basis, *written, *(x - mean(x) for x in moving)]
        return list(dict.fromkeys(found))[:MAX_VECTORS]

    def is_centred(self, x: Array) -> bool:
        """Whether the entries are known to sum to zero."""
        return isinstance(x.body, Entry) and x.body.vector in self.normalizer.deviation

    def inner(self, x: Array, y: Array) -> Poly | None:
        """The inner product, where it can be computed."""
        if x.indices != y.indices:
            return None
        try:
            return self.normalizer.normal(_sum_of(lambda i: x[i] * y[i], x))
        except KernelError:
            return None

    def two_vectors(self, target: Poly, x: Array, y: Array, xx: Poly, xy: Poly, yy: Poly) -> Iterator[Atom]:
        """Lagrange's sum of squares, |x|^2 |y|^2 - (x.y)^2, and |x + t y|^2."""
        lagrange = _sum_of(lambda i: _sum_of(lambda j: (x[i] * y[j] - x[j] * y[i]) ** 2, x, "b"), x)
        yield from self.atom(lagrange, add(add({}, self.mul(xx, yy), 2), self.mul(xy, xy), -2))
        if xy:
            for t in _ratios(target, xx, xy, yy):
                yield from self.atom(_norm_square(x + t * y), add(add(xx, xy, 2 * t), yy, t * t))

    def comparisons(self, target: Poly) -> Iterator[Atom]:
        """Where roots occur: a part of the target against another or all others; a common summand c of radicands as c <= root * root."""
        ahead = sorted((mono for mono, value in target.items() if value > 0 and self.sign(mono)), key=repr)
        behind = sorted((mono for mono, value in target.items() if value < 0 or not self.sign(mono)), key=repr)
        pairs: list[tuple[Mono, Mono, int]] = []
        roots = [g for g in generators(target, "e") if self.normalizer.extensions[g[1]].kind == "root"]
        for one, two in combinations(roots, 2):
            common = self.normalizer.value_of(one).keys() & self.normalizer.value_of(two).keys()
            pairs += [(((two, 1), (one, 1)), mono, 1) for mono in sorted(common) if self.sign(mono) == 2]
        pairs += [(_without(m, n), _without(n, m), 1 if target[n] < 0 else -1) for n in behind for m in ahead]
        candidates = [
            (sign * self.scribe.mono(small), self.scribe.mono(large))
            for large, small, sign in list(dict.fromkeys(pairs))[:MAX_LEMMAS]
            if self.sign(large) and any(g[0] == "e" for g, _ in (*large, *small))
        ]
        rooted = [mono for mono in ahead if any(g[0] == "e" for g, _ in mono)]
        if len(rooted) == 1 and 2 < len(target) <= MAX_REST:  # all the rest against it, as in the triangle inequality
            rest = {mono: -value for mono, value in target.items() if mono != rooted[0]}
            candidates.append((self.scribe.poly(rest), self.scribe.mono(rooted[0], target[rooted[0]])))
        for left, right in candidates:
            for kind in ("<", "<="):
                try:
                    self.lemmas.append(_by_squares(self.theory, Relation(kind, left, right), self.given, self.known, False))
                except KernelError:
                    continue
                yield from self.atom(right - left, self.normalizer.normal(right - left), 1 + (kind == "<"))
                break


# ---------------------------------------------------------------- helpers


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    return ((n, m) for n in range(count) for m in range(n, count))


def _sum_of(body: Callable[[Index], Term], x: Array, letter: str = "a") -> Term:
    """The sum of body(i) over the range of the vector x."""
    index = Index(f"q{letter}", x.indices[0].range)
    return Sum(index, body(index))


def _norm_square(x: Array) -> Term:
    return _sum_of(lambda i: x[i] ** 2, x)


def _quotient(mono: Mono, other: Mono) -> Mono | None:
    """mono/other, where that is a monomial."""
    rest = dict(mono)
    for g, e in other:
        rest[g] = rest.get(g, 0) - e
        if rest[g] < 0:
            return None
    return tuple((g, e) for g, _ in mono if (e := rest[g]))


def _without(mono: Mono, other: Mono) -> Mono:
    """mono without the factors that it shares with the other."""
    shared = dict(other)
    return tuple((g, e - min(e, shared.get(g, 0))) for g, e in mono if e > shared.get(g, 0))


def _ratios(target: Poly, xx: Poly, xy: Poly, yy: Poly) -> list[Fraction]:
    """Numbers t for which (x + t y)^2 may fit the target: 1, -1, and those that use up one of its squares."""
    found = {Fraction(1), Fraction(-1)}
    if all(len(p) == 1 for p in (xx, xy, yy)):
        a, b, c = (Fraction(target.get(m, 0)) / v for p in (xx, xy, yy) for m, v in p.items())
        if b and a:
            found.add(b / (2 * a))
        if b and c:
            found.add(2 * c / b)
    return sorted(found)


def _all_generators(normalizer: Normalizer, poly: Poly) -> Iterator[Gen]:
    """The generators of a polynomial, those inside power sums and roots too."""
    todo: list[Iterable[Gen]] = [[g for m in poly for g, _ in m]]
    while todo:
        for g in todo.pop():
            yield g
            if g[0] in "pgm":
                todo.append([h for h, _ in g[-1]])
            elif g[0] == "e":
                todo.append([h for m in normalizer.extensions[g[1]].value for h, _ in m])

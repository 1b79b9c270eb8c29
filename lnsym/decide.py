"""Decides a statement: proved by the kernel, refuted at an exact point, or undecided.

Imports the kernel, the searches for certificates and consequences, the refuter, the parser and the printers. SymPy only where it
is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, TypeAlias, Union

from lnsym.certify import prove_order
from lnsym.consequences import consequences, with_families
from lnsym.derivations.definitions import THEORY, eps
from lnsym.errors import KernelError, NotProved, StatementError, TermError, TooLarge
from lnsym.evaluate import Exhausted
from lnsym.kernel.normal import BUDGET as NORMAL_BUDGET
from lnsym.kernel.normal import Condition, Gen, Normalizer
from lnsym.kernel.prove import Certificate, Given, Proved, prove
from lnsym.kernel.terms import (
    COORDINATES,
    LENGTHS,
    Add,
    Array,
    Delta,
    Entry,
    Hypothesis,
    Index,
    Mul,
    Num,
    Pow,
    Relation,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    children,
    free_indices,
    substitute_indices,
    walk,
)
from lnsym.lang import Eq, Le, Lt, Ne, positive
from lnsym.notation.text import text
from lnsym.refute import Counterexample, find_counterexample, find_point, sample_points
from lnsym.scribe import Scribe
from lnsym.statement import parse_given, parse_statement
from lnsym.surd import Plain, Surd
from lnsym.tokens import clip

if TYPE_CHECKING:
    import sympy

Statement: TypeAlias = Union[str, "sympy.Basic", Relation]
Hypotheses: TypeAlias = Union[Statement, Sequence[Statement], None]

__all__ = ["Verdict", "check"]

MAX_SIZE = 12  # of a length that is given as a number: all sums are then written out
MAX_LEAST = 100  # of a lower bound for a length
MAX_PARTS = 20_000  # of a statement with its sums written out
MAX_BITS = 4_000  # of the numbers in a statement, powers multiplied out
MAX_TERMS = 3_000  # of a side, its sums over a length given as a number written out
MAX_OPERATIONS = 30_000  # multiplications in the normal form of the sides
THEORY_SCALARS = {"q", "q'", *(definition.name for definition in THEORY.definitions)}
MAX_HYPOTHESES = 50
MAX_DIGITS = 4_000  # binary, of the values at a counterexample
BUDGET = 20_000  # evaluated nodes in one search for a point
SMALL = 8  # numbers that the first search reaches anyway
MIRRORED = {"<": ">", "<=": ">=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Verdict:
    """What is known of a statement: "proved", "refuted" or "undecided", and why.

    `needs` holds the side conditions of a proved statement that could not be shown; they are hypotheses of it.
    `why` says what stands in the way of a decision. `places` is how many entries it names: z_3 is there for d >= 3 only.
    """

    verdict: str
    statement: str
    given: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    needs: tuple[str, ...] = ()
    why: str = ""
    places: int = 1

    def __bool__(self) -> bool:
        raise TypeError('a verdict is not a truth value: it may be undecided; compare .verdict with "proved" or "refuted"')

    def __str__(self) -> str:
        if (hit := self.counterexample) is not None:
            return f"refuted at {hit.place}: {self.statement} (left {hit.left}, right {hit.right})"
        if self.verdict == "proved":
            needs = f" (where {' and '.join(self.needs)})" if self.needs else ""
            return f"proved for {self.scope}: {self.statement}{needs}"
        return f"undecided: {self.statement} ({self.why})"

    __repr__ = __str__

    @property
    def scope(self) -> str:
        """For what the statement was decided."""
        stated = next((x for x in self.given if re.fullmatch(r"d (=|>=) [0-9]+", x)), "d >= 1")
        first = next((x for x in self.given if x in ("eps = 0", "eps >= 0")), "eps > 0")
        others = [x for x in self.given if x not in (stated, first)]
        every, length = ("", stated) if stated.startswith("d =") else ("every ", f"d >= {max(self.places, int(stated[5:]))}")
        return f"{every}{length} and {first}" + (f" with {' and '.join(others)}" if others else "")


def check(statement: Statement, given: Hypotheses = (), vectors: Sequence[str] | None = ()) -> Verdict:
    """Decide a statement: proved for every d, refuted at an exact point, or undecided.

    Formula:
        Any relation = <= >= < > != in the words of lnsym, such as mean(u^2) = q/(q + eps).
    Shapes:
        z, v, u, y, h, g, w, gamma, beta and the vectors declared: (d,). P, J: (d, d).
        A relation between vectors means every coordinate.
    Units:
        z in U, eps in U^2, u in 1; not checked.

    Args:
        statement: a text, or a SymPy relation over the objects of `lnsym.model`.
        given: hypotheses, as a text "a > 0, d >= 2" or a sequence of texts or SymPy relations. eps > 0 and d >= 1 are
            assumed; eps = 0 may be given instead.
        vectors: names of further vectors that the texts use.

    Returns:
        A Verdict with `.verdict`, `.counterexample`, `.needs` and `.why`.

    Raises:
        StatementError: a text that cannot be read, what is no text and no relation, or hypotheses against d >= 1 or eps >= 0.
    Source:
        The kernel proves, an independent evaluator refutes; neither guesses.

    >>> check("mean(u^2) = q/(q+eps)")
    proved for every d >= 1 and eps > 0: mean(u^2) = q/(q+eps)
    >>> check("rho <= 1/2").verdict
    'refuted'
    """
    try:
        relation, shown = _read(statement, vectors or ())
        hypotheses = list(_read_given(() if given is None else given, vectors or ()))
        return _Case(relation, shown, tuple(h for h, _ in hypotheses), _assumed(hypotheses)).decide()
    except RecursionError:
        return Verdict("undecided", statement if isinstance(statement, str) else "the relation", why="it is nested too deeply")


# ---------------------------------------------------------------- reading


def _read(statement: Statement, vectors: Sequence[str]) -> tuple[Relation, str]:
    if isinstance(statement, str):
        return parse_statement(statement, vectors).relation, " ".join(statement.split())
    relation = statement if isinstance(statement, Relation) else _from_sympy(statement)
    return relation, text(relation, ascii=True)


def _from_sympy(statement: sympy.Basic) -> Relation:
    if not hasattr(statement, "free_symbols"):  # asked without importing SymPy, which may be missing
        wrong = f"{type(statement).__name__} {clip(repr(statement))}"
        raise StatementError(f'expected a relation, got {wrong}. Give a text such as "rho < 1", or a SymPy relation.')
    from lnsym.model import from_sympy

    found = from_sympy(statement)
    if not isinstance(found, Relation):
        raise StatementError("expected a relation, got an expression; compare it with another, as in sympy.Eq(left, right)")
    return found


def _read_given(given: Statement | Sequence[Statement], vectors: Sequence[str]) -> Iterator[tuple[Relation, str]]:
    """Each hypothesis, with the text in which it stands."""
    for one in given if isinstance(given, (tuple, list)) else (given,):
        if isinstance(one, str):
            yield from ((relation, one) for relation in parse_given(one, vectors))
        else:
            yield (one if isinstance(one, Relation) else _from_sympy(one)), ""


def _bounds(hypotheses: Iterable[Hypothesis]) -> Iterator[tuple[str, str, Fraction]]:
    """The hypotheses that compare a symbol with a number: (name, relation, number)."""
    for hypothesis in hypotheses:
        match hypothesis:
            case Relation(kind, Sym(name), Num(value)):
                yield name, kind, value
            case Relation(kind, Num(value), Sym(name)):
                yield name, MIRRORED[kind], value


def _assumed(hypotheses: Sequence[tuple[Relation, str]]) -> Given:
    """The hypotheses, with eps > 0 unless they say eps = 0 or eps >= 0. Refuses those against eps >= 0 and d >= 1."""
    assume_eps = True
    for hypothesis, source in hypotheses:
        for name, kind, value in _bounds([hypothesis]):
            if name == "eps":
                fault = _fault_of_eps(kind, value)
                assume_eps = assume_eps and (value != 0 or kind not in ("=", ">="))
            else:
                fault = _fault_of_length(name, kind, value) if name in LENGTHS.values() else ""
            if fault:
                position = re.search(rf"\b{name}\b", source)
                raise StatementError(fault.format(clip(f"{name} {kind} {value}")), source, position and position.start())
    given = tuple(h for h, _ in hypotheses)
    return (*given, positive(eps)) if assume_eps else given


def _fault_of_eps(kind: str, value: Fraction) -> str:
    below = (kind == "=" and value < 0) or (kind in ("<", "<=") and value <= 0)
    return "eps must be > 0, found {}. Leave it out, or give eps = 0." if below else ""


def _fault_of_length(name: str, kind: str, value: Fraction) -> str:
    if (kind == "=" and (value < 1 or value.denominator > 1)) or (kind == "<" and value <= 1) or (kind == "<=" and value < 1):
        return f"{name} must be one of 1, 2, 3, ..., found {{}}. Give {name} >= 1 or more."
    limit = {"=": MAX_SIZE, ">": MAX_LEAST, ">=": MAX_LEAST}.get(kind)
    if limit is not None and value > limit:
        remedy = f"Leave {name} open: what holds for every {name} holds there too."
        return f"{name} is limited to {limit} in such a hypothesis, found {{}}. {remedy}"
    return ""


# ---------------------------------------------------------------- how large a statement is


def _bits(node: Term | Array) -> int:
    """The binary places that the numbers in a term may take, powers multiplied out."""
    match node:
        case Num(value):
            return value.numerator.bit_length() + value.denominator.bit_length() - 1
        case Pow(base, exponent):
            return abs(exponent) * _bits(base)
        case Word(_, _, _, expansion):
            return _bits(expansion)
    return sum(map(_bits, children(node)))


def _parts(node: Term | Array, sizes: dict[str, int]) -> int:
    """The number of parts, sums over a range of known length written out."""
    match node:
        case Sum(index, body):
            return sizes.get(index.range.length, 1) * _parts(body, sizes)
        case Word(_, _, _, expansion):
            return _parts(expansion, sizes)
        case Mul(args) | Add(args):
            return sum(_parts(x, sizes) for x in args)
        case Pow(base, exponent):
            return max(1, abs(exponent)) * _parts(base, sizes)
    return 1 + sum(_parts(x, sizes) for x in children(node))


# ---------------------------------------------------------------- deciding


def _as_relation(condition: Condition, scribe: Scribe) -> Relation:
    """A side condition as a relation, hypotheses such as eps = 0 put in."""
    poly = dict(condition.value)
    with suppress(KernelError):
        poly = scribe.normalizer.assumed(poly)
    term = scribe.poly(poly)
    return Ne(term, 0) if condition.kind == "nonzero" else Le(0, term)


def _indices(node: Term | Array) -> tuple[Index, ...]:
    """The indices that an entry or a delta has."""
    match node:
        case Entry(_, indices):
            return indices
        case Delta(left, right):
            return left, right
    return ()


def _is_equation(hypothesis: Hypothesis) -> bool:
    return isinstance(hypothesis, Relation) and hypothesis.kind == "="


def _has_extension(condition: Condition) -> bool:
    """Whether a root or an inverse occurs in a side condition."""
    return any(_inside(g) for mono, _ in condition.value for g, _ in mono)


def _inside(generator: Gen) -> bool:
    """Whether a generator is, or holds, a root or an inverse."""
    return generator[0] == "e" or (generator[0] in "pgm" and any(_inside(g) for g, _ in generator[-1]))


def _digits(value: Plain) -> int:
    """About how many binary digits it takes to write a value."""
    parts = value.parts.values() if isinstance(value, Surd) else [value] if isinstance(value, Fraction) else []
    return sum(x.numerator.bit_length() + x.denominator.bit_length() for x in parts)


class _Case:
    """One statement under its hypotheses."""

    def __init__(self, relation: Relation, shown: str, hypotheses: Given, given: Given) -> None:
        self.relation, self.shown, self.extra, self.given = relation, shown, hypotheses, given
        self.unused: list[str] = []
        self.drawn: dict[str, None] = {}  # what was drawn from the hypotheses, for the reasons given
        bounds = _bounds(given)
        self.sizes = {name: int(value) for name, kind, value in bounds if kind == "=" and name in LENGTHS.values()}

    def verdict(self, verdict: str, counterexample: Counterexample | None = None, needs: tuple[str, ...] = (), why: str = "") -> Verdict:
        given = tuple(text(h, ascii=True) for h in self.extra)
        return Verdict(verdict, self.shown, given, counterexample, needs, why, self.places())

    def places(self) -> int:
        """The largest number of a coordinate that the sides name; 1 if they name none."""
        parts = (node for side in self.relation.opened() for node in walk(side))
        named = (index for node in parts for index in _indices(node) if index.range == COORDINATES and index.name.isdigit())
        return max((int(index.name) for index in named), default=1)

    def undecided(self, why: str) -> Verdict:
        return self.verdict("undecided", why=why)

    def decide(self) -> Verdict:
        """Prove it, or else find a counterexample, or else say why neither succeeded."""
        if len(self.given) > MAX_HYPOTHESES:
            return self.undecided(f"there are more than {MAX_HYPOTHESES} hypotheses; give those that matter")
        if self.is_too_large():
            return self.undecided("it is too large; state a smaller part of it first")
        try:
            return self.judged()
        except Exhausted as error:
            return self.undecided(str(error))
        except TermError as error:
            raise StatementError(f"{error}.") from None

    def judged(self) -> Verdict:
        """The verdict, where evaluating does not take too much work."""
        try:
            proved = self.prove()
        except KernelError as error:
            reason = error
        else:
            return self.confirmed(proved)
        if self.is_undefined(reason):
            raise StatementError(f"{reason}, so that a side has no value. Change that part.")
        hit = next(filter(None, self.searches()), None)
        if hit is None:
            return self.undecided(self.obstacle(reason))
        if _digits(hit.left) + _digits(hit.right) > MAX_DIGITS:
            return self.undecided("it fails at a point, but the values of its sides there are too long to write")
        return self.verdict("refuted", hit)

    def is_undefined(self, error: KernelError) -> bool:
        """Whether the kernel has shown that a side is nowhere defined."""
        if "zero" not in str(error) or isinstance(error, (NotProved, TooLarge)):
            return False
        return self.has_point() and not self.has_point(self.relation)

    def is_too_large(self) -> bool:
        sides = [side for r in (self.relation, *self.given) if isinstance(r, Relation) for side in (r.left, r.right)]
        return sum(map(_bits, sides)) > MAX_BITS or sum(_parts(side, self.sizes) for side in sides) > MAX_PARTS

    # ------------------------------------------------------------ proving

    def prove(self) -> Proved:
        """Ask the kernel: for every d first where d is given as a number, for sums that are written out cost more."""
        given = self.usable()
        open_d = tuple(h for h in given if not self.fixes_length(h))
        try:
            return self.attempts(open_d)
        except KernelError:
            if open_d == given:
                raise
        if sum(map(self.terms, self.relation.opened())) > MAX_TERMS:
            raise TooLarge("with its sums written out this is too large; leave d open, or state a smaller part of it")
        return self.attempts(given)

    def attempts(self, given: Given) -> Proved:
        """By the hypotheses as they are, then with what follows from them."""
        try:
            return self.attempt(given)
        except NotProved as error:
            reason = error
        for theory in dict.fromkeys((THEORY, with_families(THEORY, self.relation, given))):
            known = consequences(theory, given)
            if theory == THEORY:
                self.drawn.update((text(x.relation, ascii=True), None) for x in known)
                if not known:
                    continue
            with suppress(KernelError):
                proved = self.attempt(given, known, theory)
                if theory == THEORY or not proved.conditions:  # a condition on the added names has no words here
                    return proved
        raise reason

    def attempt(self, given: Given, known: tuple[Proved, ...] = (), theory: Theory = THEORY) -> Proved:
        """One attempt under some of the hypotheses."""
        trial = Normalizer(theory, given)
        trial.operations = NORMAL_BUDGET - MAX_OPERATIONS
        for side in self.relation.opened():
            trial.normal(side)
        if self.relation.kind == "=":
            try:
                return prove(theory, self.relation, given, known=known)
            except NotProved:
                with suppress(KernelError):
                    return self.by_squares(theory, given, known)
                raise
        if self.relation.kind != "!=":
            return prove_order(theory, self.relation, given, known)
        try:
            return prove(theory, self.relation, given, known=known)
        except NotProved:
            left, right = self.relation.opened()
        for lower, upper in ((left, right), (right, left)):
            try:
                apart = prove_order(theory, Lt(lower, upper), given, known)
                return prove(theory, self.relation, given, known=(*known, apart))
            except NotProved:
                continue
        raise NotProved("the two sides are not seen to differ always")

    def by_squares(self, theory: Theory, given: Given, known: tuple[Proved, ...]) -> Proved:
        """An equation of two sides that are not negative and have the same square: each is <= the other. Returns one of the two proofs."""
        left, right = self.relation.opened()
        same = Certificate(Num(Fraction(0)), squared=True)
        one, other = (prove(theory, Le(*sides), given, certificate=same, known=known) for sides in ((left, right), (right, left)))
        if one.conditions != other.conditions:
            raise NotProved("the two sides are defined under different conditions")
        return one

    def fixes_length(self, hypothesis: Hypothesis) -> bool:
        return any(name in LENGTHS.values() and kind == "=" for name, kind, _ in _bounds([hypothesis]))

    def terms(self, term: Term | Array) -> int:
        """About how many products a side has, once its sums over a known length are written out."""
        match term:
            case Sym(name) if name in THEORY_SCALARS:
                return self.size("d") ** 2
            case Sum(index, body):
                return self.size(index.range.length) * self.terms(body)
            case Word(_, _, _, expansion):
                return self.terms(expansion)
            case Mul(args):
                return min(prod(map(self.terms, args)), 10 * MAX_TERMS)
            case Pow(base, exponent):
                return min(int(self.terms(base) ** min(abs(exponent), 16)), 10 * MAX_TERMS)
            case Entry():
                return self.size("d")
        return sum(map(self.terms, children(term))) or 1

    def size(self, length: str) -> int:
        return self.sizes.get(length, 1)

    def usable(self) -> Given:
        """The hypotheses that the kernel accepts; the fewer there are, the more is proved."""
        kept: Given = ()
        for hypothesis in sorted(self.given, key=_is_equation):  # signs first: by them an equation is divided
            try:
                Normalizer(THEORY, (*kept, hypothesis)).hypotheses()
            except KernelError as error:
                if "says nothing" not in str(error):
                    self.unused.append(text(hypothesis, ascii=True))
                continue
            kept = (*kept, hypothesis)
        return (*kept, *self.instances(kept))

    def instances(self, given: Given) -> Given:
        """The inequalities for every i at the other places of the statement: the kernel knows them by the name of their index."""
        places = dict.fromkeys(index for side in self.relation.opened() for node in walk(side) for index in _indices(node))
        found: dict[Relation, None] = {}
        for hypothesis in given:
            if not isinstance(hypothesis, Relation) or hypothesis.kind not in ("<", "<="):
                continue
            sides = hypothesis.opened()
            own = dict.fromkeys(index for side in sides for index in free_indices(side))
            if len(own) == 1:
                (index,) = own
                others = [place for place in places if place.range == index.range]
                found |= {Relation(hypothesis.kind, *substitute_indices(sides, {index: place})): None for place in others}
        return tuple(h for h in found if h not in given)[:MAX_HYPOTHESES]

    def confirmed(self, proved: Proved) -> Verdict:
        """The verdict of a proof: it must not be vacuous, and its side conditions are told."""
        if (self.extra or proved.conditions) and not self.has_point(self.relation):
            return self.undecided(self.vacuous())
        needs = self.needs(proved)
        if needs is None:
            return self.undecided("it is proved under a side condition that cannot be written here")
        return self.verdict("proved", needs=needs)

    def has_point(self, *relations: Relation) -> bool:
        """Whether a point is found at which the hypotheses hold and the sides of the relations are defined. Raises Exhausted."""
        return any(
            next(sample_points(THEORY, relations, self.given, 1, limit=BUDGET, scale=scale), None) is not None
            for scale in dict.fromkeys((1, self.magnitude()))
        )

    def vacuous(self) -> str:
        if not self.has_point():
            return "no point was found at which the hypotheses hold: do they contradict each other?"
        return "no point was found at which both sides are defined: is a denominator zero, a radicand negative, or an index larger than d?"

    def needs(self, proved: Proved) -> tuple[str, ...] | None:
        """The side conditions that cannot be shown, in words of the statement; None where one has no words.

        A Proved does not keep what its roots and inverses stand for, so conditions on them are read off the statement again.
        """
        if not proved.conditions:
            return ()
        normalizer = Normalizer(THEORY, proved.given)
        for side in proved.relation.opened():
            normalizer.normal(side)
        own = [c for c in normalizer.conditions if _has_extension(c) and not normalizer.holds(c)]
        if sum(map(_has_extension, proved.conditions)) > len(own):
            return None
        scribe = Scribe(normalizer)
        relations = [_as_relation(c, scribe) for c in (*own, *(c for c in proved.conditions if not _has_extension(c)))]
        return tuple(dict.fromkeys(text(r, ascii=True) for r in relations if not self.follows(r, proved.given)))

    def follows(self, condition: Relation, given: Given) -> bool:
        """Whether a side condition can be shown after all."""
        with suppress(KernelError):
            if not prove(THEORY, condition, given).conditions:
                return True
        sides = [(condition.left, condition.right)]
        if condition.kind == "!=":
            sides.append((condition.right, condition.left))
        kind = "<" if condition.kind == "!=" else condition.kind
        for left, right in sides:
            try:
                if not prove_order(THEORY, Relation(kind, left, right), given).conditions:
                    return True
            except KernelError:
                continue
        return False

    # ------------------------------------------------------------ refuting

    def searches(self) -> Iterator[Counterexample | None]:
        """Search everywhere, then where counterexamples hide: eps small or large against q, large numbers, both sides equal, d = 1."""
        yield find_counterexample(THEORY, self.relation, self.given, budget=BUDGET)
        beyond = self.magnitude()
        if not any(name == "eps" for name, _, _ in _bounds(self.extra)):
            values = (Fraction(1, 9), Fraction(9), *((Fraction(beyond), Fraction(1, beyond), Fraction(1, beyond**2)) if beyond > 1 else ()))
            for value in values:
                yield find_counterexample(THEORY, self.relation, self.given, fixed={"eps": value}, budget=BUDGET // 4)
        if beyond > 1:
            yield find_counterexample(THEORY, self.relation, self.given, scale=beyond, budget=BUDGET // 4)
        yield self.touching()
        yield find_counterexample(THEORY, self.relation, self.given, fixed={"d": Fraction(1)}, tries=40, budget=BUDGET // 4)

    def magnitude(self) -> int:
        """A whole number beyond all numbers of the statement and its inverses, so that q <= 1000 can fail; 1 where those are small."""
        sides = [side for r in (self.relation, *self.given) if isinstance(r, Relation) for side in r.opened()]
        nodes = (node for side in sides for node in walk(side))
        powers = ((node.base, node.exponent) if isinstance(node, Pow) else (node, 1) for node in nodes)
        numbers = [abs(base.value) ** exponent for base, exponent in powers if isinstance(base, Num) and base.value]
        largest = int(max((max(x, 1 / x) for x in numbers), default=1))
        return largest + 1 if largest > SMALL else 1

    def touching(self) -> Counterexample | None:
        """For < and !=, a point at which both sides are equal."""
        if self.relation.kind not in ("<", "!="):
            return None
        left, right = self.relation.opened()
        meeting = find_point(THEORY, (*self.given, Eq(left, right)), [self.relation], limit=BUDGET)
        if meeting is None:
            return None
        fixed = {**{name: Fraction(size) for name, size in meeting.sizes.items()}, **meeting.scalars}
        return find_counterexample(THEORY, self.relation, (*self.given, Eq(left, right)), fixed=fixed, budget=BUDGET)

    def obstacle(self, reason: KernelError) -> str:
        """Why there is no decision."""
        if isinstance(reason, TooLarge):
            return str(reason)
        if not self.has_point(self.relation):
            return self.vacuous()
        if self.unused:
            hint = f"; the hypothesis {self.unused[0]} could not be used"
        elif self.drawn:
            hint = f"; from the hypotheses only {' and '.join(self.drawn)} was drawn"
        else:
            equations = [text(h, ascii=True) for h in self.extra if _is_equation(h)]
            hint = f"; nothing was drawn from the hypothesis {equations[0]}, which was only put in" if equations else ""
        return f"no proof and no counterexample was found{hint}"

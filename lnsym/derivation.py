"""The records that a theorem file holds, and check(), which lets the kernel judge them. Imports up to points and lang."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Union, cast

from lnsym.errors import DerivationError, KernelError, NotProved, TermError
from lnsym.evaluate import Entries, Point, exact_value
from lnsym.kernel.normal import Normalizer
from lnsym.kernel.prove import Certificate, Proved, compose, prove, prove_by_induction, prove_only_if, show
from lnsym.kernel.terms import (
    COORDINATES,
    LENGTHS,
    Array,
    Components,
    Entry,
    Hypothesis,
    Index,
    Num,
    Range,
    Relation,
    Sym,
    Term,
    Theory,
    Word,
    lift,
    walk,
)
from lnsym.lang import Eq
from lnsym.points import satisfies

# ---------------------------------------------------------------- rules


@dataclass(frozen=True)
class Rule:
    """What a step may use: facts of the kernel, or a theorem by its name."""

    name: str
    says: str
    facts: frozenset[str] = frozenset()
    theorem: str | None = None


algebra = Rule("algebra", "ordinary algebra: sums are linear, bound indices may be renamed, deltas contract")
count = Rule("count", "the sum of 1 over all indices is their number", frozenset({"count"}))
centred = Rule("centred", "the deviations sum to zero", frozenset({"count", "centred"}))
variance = Rule("variance", "the squared deviations sum to d q", frozenset({"count", "variance"}))
split = Rule("split", "z is its mean plus its deviations", frozenset({"split"}))
given = Rule("given", "by a hypothesis of the theorem", frozenset({"given"}))
DIFFERENTIATE = frozenset({"derivative", *(f"unfold:{x}" for x in ("s", "s'", "r", "rho", "u", "u'", "y"))})
derivative = Rule("derivative", "linearity, product and chain rule, with the derivatives of mean, deviations and variance", DIFFERENTIATE)


def _name(notion: Sym | Array | Term) -> str:
    body = notion.body if isinstance(notion, Array) else notion
    match body:
        case Sym(name) | Entry(name, _) | Word(name, _, _, _):
            return name
    raise DerivationError("unfold and fold take a defined name such as u or s")


def unfold(*notions: Sym | Array) -> Rule:
    """The definition of one or more notions put in."""
    names = [_name(x) for x in notions]
    return Rule("unfold " + ", ".join(names), "the definition put in", frozenset(f"unfold:{x}" for x in names))


def fold(*notions: Sym | Array) -> Rule:
    """A definition recognized and its name written."""
    names = [_name(x) for x in notions]
    facts = {"count", "variance"} if "q" in names or "q'" in names else set()
    return Rule("fold " + ", ".join(names), "the definition recognized", frozenset({f"unfold:{x}" for x in names} | facts))


def square_of_root(root: Sym) -> Rule:
    """The square of the root is its radicand."""
    return Rule(f"square of {root.name}", "the square of the root is what stands under it", frozenset({"root", f"unfold:{root.name}"}))


def theorem(name: str) -> Rule:
    """An earlier theorem of the book; every claim of it may be used."""
    return Rule(f"theorem {name}", "by an earlier theorem", theorem=name)


squares = Rule("squares", "the square of a root is what stands under it", frozenset({"root"}))
Rules = Rule | tuple[Rule, ...]


# ---------------------------------------------------------------- proofs


@dataclass(frozen=True)
class Step:
    """One line of a chain: kind and the new expression, the rules that justify it, and why in words."""

    kind: str
    after: Term | Array
    rules: tuple[Rule, ...]
    why: str
    certificate: Certificate | None = None


@dataclass(frozen=True)
class Chain:
    """A calculation: start = ... = end, or with some <= or < steps."""

    start: Term | Array
    steps: tuple[Step, ...] = ()

    def to(self, after: Term | Array | int | Fraction, *, by: Rules, why: str) -> Chain:
        """The next equal expression."""
        return self._next("=", after, by, why, None)

    def at_most(self, after: Term | Array | int | Fraction, *, gap: Term, why: str, by: Rules = algebra, strict: bool = False) -> Chain:
        """The next expression, larger by `gap`, which is nonnegative (positive, where strict) by its structure."""
        return self._next("<" if strict else "<=", after, by, why, Certificate(lift(gap)))

    def _next(self, kind: str, after: Term | Array | int | Fraction, by: Rules, why: str, certificate: Certificate | None) -> Chain:
        end = after if isinstance(after, Array) else lift(after)
        rules = by if isinstance(by, tuple) else (by,)
        return Chain(self.start, (*self.steps, Step(kind, end, rules, why, certificate)))

    @property
    def relation(self) -> Relation:
        """What the chain shows."""
        kinds = {s.kind for s in self.steps}
        return Relation("<" if "<" in kinds else "<=" if "<=" in kinds else "=", self.start, self.steps[-1].after)


def chain(start: Term | Array) -> Chain:
    """A calculation that starts from this expression."""
    return Chain(start)


@dataclass(frozen=True)
class Gap:
    """A proof of left <= right: right - left = term >= 0 by structure; `squared`: for the squares of both sides."""

    term: Term
    why: str
    squared: bool = False


@dataclass(frozen=True)
class OnlyIf:
    """A proof of a conclusion from an equation: left - right = cofactor times the conclusion's difference (or its square)."""

    premise: Relation
    cofactor: Term
    why: str


@dataclass(frozen=True)
class Induction:
    """A proof for every t = 0, 1, 2, ..."""

    variable: Sym
    why: str


@dataclass(frozen=True)
class Direct:
    """A proof in one step by the rules named."""

    rules: tuple[Rule, ...]
    why: str


@dataclass(frozen=True)
class Calculus:
    """A fact of scalar calculus that SymPy decides; `fact` names it in lnsym.model's table."""

    fact: str
    why: str


def by(*rules: Rule, why: str) -> Direct:
    """A proof in one step by the rules named."""
    return Direct(rules, why)


Proof = Chain | Gap | OnlyIf | Induction | Direct | Calculus


@dataclass(frozen=True)
class Claim:
    """One relation with its proof; `given` holds further hypotheses of this claim alone. A Calculus claim has no relation."""

    relation: Relation | None
    proof: Proof
    given: tuple[Hypothesis, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class Iff:
    """Both directions of an equivalence, each a claim: `forward` from left to right, `backward` from right to left."""

    left: tuple[Relation, ...]
    right: tuple[Relation, ...]
    forward: tuple[Claim, ...]
    backward: tuple[Claim, ...]
    label: str = ""


Exact = Union[Fraction, tuple["Exact", ...]]  # a scalar, the entries of a vector, or the rows of a matrix


@dataclass(frozen=True)
class At:
    """An exact point: vectors and scalars by name, integers, fractions or texts such as "1/3"; `value` of the claim's left side there."""

    values: Mapping[str, Exact]
    value: Term | None = None

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.values.items())))


def _exact(value: object) -> Exact:
    if isinstance(value, tuple):
        return tuple(map(_exact, value))
    if isinstance(value, (int, str, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise DerivationError(f"a point has integers, fractions or texts such as '1/3', not {value!r}")


def at(value: Term | int | str | Fraction | None = None, **values: object) -> At:
    """A point of exact numbers, for example `at(z=(1, 2, 3), eps="1/3")`."""
    exact = {name: _exact(x) for name, x in values.items()}
    return At(exact, lift(Fraction(value)) if isinstance(value, str) else None if value is None else lift(value))


def point_of(at: At, statements: Iterable[Relation], given: Sequence[Hypothesis], theory: Theory) -> Point:
    """The point that an author wrote, with the lengths of its vectors and the entries that a hypothesis fixes."""
    shapes = _shapes([*statements, *given], theory)
    fixed = [hypothesis for hypothesis in given if isinstance(hypothesis, Components)]
    sizes = {hypothesis.range.length: len(hypothesis.entries) for hypothesis in fixed}
    vectors: dict[str, Entries] = {}
    scalars: dict[str, Fraction] = {}
    for name, value in at.values.items():
        if isinstance(value, tuple):
            for range_, size in zip(shapes.get(name, (COORDINATES,)), _lengths(value), strict=True):
                if sizes.setdefault(range_.length, size) != size:
                    there = sizes[range_.length]
                    raise DerivationError(f"a point gives {size} {range_.name} to {name}, but there are {there}; make them equal")
            vectors[name] = cast("Entries", value)
        elif name in LENGTHS.values():
            sizes[name] = int(value)
        else:
            scalars[name] = value
    for hypothesis in fixed:
        bare = Point(sizes, vectors, scalars)
        entries = [exact_value(theory, bare, entry) for entry in hypothesis.entries]
        vectors[hypothesis.vector] = tuple(entry for entry in entries if isinstance(entry, Fraction))
    return Point(sizes, vectors, scalars, {hypothesis.vector: hypothesis.entries for hypothesis in fixed})


def _lengths(value: object) -> tuple[int, ...]:
    """The shape of a vector or of a matrix given by its rows."""
    return (len(value), *_lengths(value[0])) if isinstance(value, tuple) and value else ()


def _shapes(statements: Iterable[Hypothesis], theory: Theory) -> dict[str, tuple[Range, ...]]:
    """What each vector and matrix runs over, read off where it stands."""
    nodes: list[Term | Array] = []
    for one in statements:
        nodes += one.entries if isinstance(one, Components) else (one.left, one.right)
    nodes += [definition.value for definition in theory.definitions]
    entries = (node for top in nodes for node in walk(top) if isinstance(node, Entry))
    return {entry.vector: tuple(index.range for index in entry.indices) for entry in entries}


@dataclass(frozen=True)
class Example:
    """Relations evaluated exactly at a point."""

    relations: tuple[Relation, ...]
    at: At
    why: str


def entries(x: Array, values: tuple[Term | int | Fraction | str, ...]) -> tuple[Relation, ...]:
    """The relations x_1 = first value, x_2 = second value, ..."""
    place = x.indices[0].range
    return tuple(Eq(x[Index(str(n), place)], Fraction(e) if isinstance(e, str) else e) for n, e in enumerate(values, 1))


@dataclass(frozen=True)
class NearMiss:
    """A false relation near the theorem: the kernel must refuse it, the refuter must find a point against it.

    `given` replaces the hypotheses of the theorem, where the miss is to forget one.
    """

    relation: Relation
    why: str
    given: tuple[Hypothesis, ...] | None = None


@dataclass(frozen=True)
class Offer:
    """A computation that a theorem licenses: operation `op` gives, under the name `result`, the right side of claim number `claim`.

    Claims count from 1, each direction of an equivalence on its own. `names` says what the symbols and vectors of the claim are
    called in code, where they differ from the usual x, weight, bias, eps, dx (for h) and dy (for g).
    """

    op: str
    result: str
    claim: int = 1
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Derivation:
    """What a theorem file holds."""

    title: str
    catalogue: tuple[str, ...] | str
    claims: tuple[Claim | Iff | Example, ...]
    cites: tuple[str, ...] = ()
    given: tuple[Hypothesis, ...] = ()
    points: tuple[At, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    leans_on: tuple[str, ...] = ()  # principles of analysis
    keep: Mapping[int, str] = field(default_factory=dict)  # number of a hypothesis -> why it is stated though not needed
    offers: tuple[Offer, ...] = ()  # what code may be emitted from it
    note: str = ""

    def __hash__(self) -> int:
        return hash((self.title, self.claims))


@dataclass(frozen=True)
class Record:
    """A bibliographic record or a remark on provenance: no mathematics, kept as data."""

    title: str
    catalogue: str
    says: str
    fields: tuple[tuple[str, str], ...] = ()
    cites: tuple[str, ...] = ()


PRINCIPLES = {
    "mean value inequality": "If the derivative of a map on a convex set is bounded by L, the map is Lipschitz with constant L.",
    "spectral theorem": "A symmetric matrix has an orthogonal basis of eigenvectors; its norm is the largest absolute eigenvalue.",
    "standard model of floating-point arithmetic": "Without overflow and underflow, each operation and each root gives the exact value "
    "times a factor between 1 - e and 1 + e, where e is the unit roundoff.",
    "continuity of composition": "Sums, products, quotients with nonzero denominator and roots of positive functions are analytic.",
}


# ---------------------------------------------------------------- checking


@dataclass(frozen=True)
class CheckedStep:
    """A step that the kernel accepted: relation, the facts its rules allow, and the theorems they name."""

    relation: Relation
    step: Step
    facts: frozenset[str]
    known: tuple[Proved, ...]
    proved: Proved

    @cached_property
    def needed(self) -> frozenset[str]:
        """A smallest set of facts, among those that the rules allow, with which the step still holds."""
        given = self.proved.given
        usable = tuple(k for k in self.known if set(k.given) <= set(given))
        allowed = self.facts | ({"given"} if usable else set())
        return needed_facts(self.proved.theory, self.relation, given, self.step.certificate, usable, allowed)


def fixed_dimension(given: Iterable[Hypothesis]) -> int | None:
    """The number of coordinates, where a hypothesis fixes it."""
    for hypothesis in given:
        match hypothesis:
            case Components(_, Range(_, "d"), entries):
                return len(entries)
            case Relation("=", Sym("d"), Num(value)):
                return int(value)
    return None


@dataclass(frozen=True)
class CheckedClaim:
    """A claim with the kernel's verdict; `proved` is None for a fact of scalar calculus or an example."""

    claim: Claim | Example
    given: tuple[Hypothesis, ...]
    proved: Proved | None
    steps: tuple[CheckedStep, ...] = ()

    @property
    def status(self) -> str:
        """The status, computed: never typed by an author."""
        if self.proved is not None:
            return "proved for every d" if self.dimension is None else f"proved at d = {self.dimension}"
        return "evaluated exactly" if isinstance(self.claim, Example) else "scalar calculus"

    @property
    def dimension(self) -> int | None:
        """The number of coordinates, where a hypothesis fixes it."""
        return fixed_dimension(self.given)


@dataclass(frozen=True)
class Theorem:
    """A theorem of the book, checked in this process."""

    name: str
    chapter: str
    derivation: Derivation
    claims: tuple[CheckedClaim, ...]
    premises: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<theorem {self.name}: {self.derivation.title}>"

    @property
    def proved(self) -> tuple[Proved, ...]:
        """What the kernel proved, in order."""
        return tuple(c.proved for c in self.claims if c.proved is not None)

    def sympy(self, d: int | None = None) -> tuple[object, ...]:
        """The claims as SymPy relations: at symbolic d, or with explicit coordinates at a given d.

        >>> from lnsym.library import theorem
        >>> theorem("mean_core_eq_zero").sympy()[0].rhs
        0
        """
        from lnsym.model import to_sympy

        relations = (r for c in self.claims for r in (c.claim.relations if isinstance(c.claim, Example) else (c.claim.relation,)))
        return tuple(to_sympy(r, d) for r in relations if r is not None)

    @property
    def catalogue(self) -> tuple[str, ...]:
        """The ids of the catalogue that this theorem settles."""
        ids = self.derivation.catalogue
        return (ids,) if isinstance(ids, str) else ids


def claims_of(derivation: Derivation) -> tuple[Claim | Example, ...]:
    """The claims in order, each direction of an equivalence on its own."""
    flat: list[Claim | Example] = []
    for claim in derivation.claims:
        if isinstance(claim, Iff):
            flat += [Claim(c.relation, c.proof, (*claim.left, *c.given), c.label) for c in claim.forward]
            flat += [Claim(c.relation, c.proof, (*claim.right, *c.given), c.label) for c in claim.backward]
        else:
            flat.append(claim)
    return tuple(flat)


def check(
    derivation: Derivation, theory: Theory, name: str = "", chapter: str = "", earlier: Mapping[str, Theorem] | None = None
) -> Theorem:
    """Check every step and claim of a derivation; raises DerivationError naming theorem, step and rule.

    `earlier` holds the theorems that may be cited, by name.
    """
    checker = _Checker(derivation, theory, name, earlier or {})
    claims = tuple(checker.claim(n, c) for n, c in enumerate(claims_of(derivation), 1))
    checker.hypotheses_are_needed(claims)
    checker.hypotheses_are_satisfied()
    checker.offers_are_proved(claims)
    return Theorem(name, chapter, derivation, claims, tuple(sorted(checker.premises)))


class _Checker:
    """The state of one check: which theorems were named."""

    def __init__(self, derivation: Derivation, theory: Theory, name: str, earlier: Mapping[str, Theorem]) -> None:
        self.derivation, self.theory, self.name, self.earlier = derivation, theory, name or derivation.title, earlier
        self.premises: set[str] = set()
        if unknown := sorted(set(derivation.leans_on) - set(PRINCIPLES)):
            raise self.error("", f"unknown principle {unknown[0]!r}; known: {', '.join(PRINCIPLES)}")
        if not derivation.claims:
            raise self.error("", "no claims; state at least one")
        for iff in (c for c in derivation.claims if isinstance(c, Iff)):
            for side, wanted, claims in (("forward", iff.right, iff.forward), ("backward", iff.left, iff.backward)):
                if not set(wanted) <= {c.relation for c in claims}:
                    raise self.error("", f"the {side} part of an equivalence does not prove all that stands on the other side; add a claim")

    def error(self, where: str, what: str) -> DerivationError:
        return DerivationError(f"{self.name}{', ' + where if where else ''}: {what}")

    def claim(self, number: int, claim: Claim | Example) -> CheckedClaim:
        where = f"claim {number}"
        if isinstance(claim, Example):
            return CheckedClaim(claim, self.derivation.given, None)
        hypotheses = (*self.derivation.given, *claim.given)
        if isinstance(claim.proof, Calculus):
            return CheckedClaim(claim, hypotheses, None)
        if claim.relation is None:
            raise self.error(where, "no relation; only a fact of scalar calculus goes without")
        steps: tuple[CheckedStep, ...] = ()
        proof = claim.proof
        if isinstance(proof, Chain):
            steps = self.chain(where, claim.relation, proof, hypotheses)
        elif isinstance(proof, Direct):
            step = Step(claim.relation.kind, claim.relation.right, proof.rules, proof.why)
            steps = (self.step(where, claim.relation, step, hypotheses),)
        try:
            proved = self.prove(claim.relation, proof, hypotheses, steps)
        except KernelError as error:
            raise self.error(where, f"{error}{_rest(error)}") from None
        if proved.conditions:
            raise self.error(where, f"needs a side condition: {_conditions(proved)}; state it in given")
        return CheckedClaim(claim, hypotheses, proved, steps)

    def prove(self, relation: Relation, proof: Proof, hypotheses: tuple[Hypothesis, ...], steps: tuple[CheckedStep, ...]) -> Proved:
        """The claim itself: by its steps where these leave no side condition, else with all facts, whatever the steps say."""
        match proof:
            case OnlyIf(premise, cofactor, _):
                if premise not in hypotheses:
                    raise KernelError("the premise of an only-if must be among the hypotheses")
                return prove_only_if(self.theory, premise, relation, lift(cofactor), tuple(h for h in hypotheses if h != premise))
            case Induction(variable, _):
                return prove_by_induction(self.theory, relation, variable, hypotheses)
            case Gap(term, _, squared):
                return prove(self.theory, relation, hypotheses, certificate=Certificate(lift(term), squared))
        if steps:
            own = tuple(s.proved for s in steps)
            proved = compose(self.theory, relation, own, hypotheses) if isinstance(proof, Chain) else own[0]
            if not proved.conditions:
                return proved
        known = tuple(dict.fromkeys(k for s in steps for k in s.known))
        gaps = [s.step.certificate.term for s in steps if s.step.certificate]
        if relation.kind == "=" or not gaps:
            return prove(self.theory, relation, hypotheses, known=known)
        gap = gaps[0]
        for other in gaps[1:]:
            gap = gap + other
        return prove(self.theory, relation, hypotheses, certificate=Certificate(gap), known=known)

    def chain(self, where: str, relation: Relation, proof: Chain, hypotheses: tuple[Hypothesis, ...]) -> tuple[CheckedStep, ...]:
        if not proof.steps:
            raise self.error(where, "a chain without steps")
        if proof.relation != relation:
            raise self.error(where, "the chain shows another relation than the claim; start, end and kind must agree")
        before, steps = proof.start, []
        for number, step in enumerate(proof.steps, 1):
            here = f"{where}, step {number} ({', '.join(getattr(r, 'name', repr(r)) for r in step.rules)})"
            steps.append(self.step(here, Relation(step.kind, before, step.after), step, hypotheses))
            before = step.after
        return tuple(steps)

    def step(self, where: str, relation: Relation, step: Step, hypotheses: tuple[Hypothesis, ...]) -> CheckedStep:
        if not step.rules or not all(isinstance(r, Rule) for r in step.rules):
            raise self.error(where, "unknown rule; use the rules of lnsym.derivation")
        facts = frozenset().union(*(r.facts for r in step.rules))
        cited = tuple(r.theorem for r in step.rules if r.theorem is not None)
        known = tuple(k for name in cited for k in self.cited(where, name, hypotheses))
        if proved := self.attempt(relation, step, hypotheses, facts, known):
            for name in cited:
                others = tuple(k for other in cited if other != name for k in self.cited(where, other, hypotheses))
                without = self.attempt(relation, step, hypotheses, facts, others)
                if without and set(without.conditions) <= set(proved.conditions):  # else the theorem serves to discharge a side condition
                    raise self.error(where, f"theorem {name} is named but not needed; remove it")
            self.premises.update(cited)
            return CheckedStep(relation, step, facts, known, proved)
        try:
            prove(self.theory, relation, hypotheses, certificate=step.certificate, known=known)
        except NotProved as error:
            raise self.error(where, f"the step does not hold by the kernel{_rest(error)}") from None
        except KernelError as error:
            raise self.error(where, str(error)) from None
        needs = ", ".join(sorted(needed_facts(self.theory, relation, hypotheses, step.certificate, known))) or "nothing"
        raise self.error(where, f"true, but not by this rule; it needs: {needs}")

    def attempt(
        self, relation: Relation, step: Step, hypotheses: tuple[Hypothesis, ...], facts: frozenset[str], known: tuple[Proved, ...]
    ) -> Proved | None:
        allowed = facts | {"given"} if known else facts
        try:
            return prove(self.theory, relation, hypotheses, certificate=step.certificate, facts=allowed, known=known)
        except KernelError:
            return None

    def cited(self, where: str, name: str, hypotheses: tuple[Hypothesis, ...]) -> tuple[Proved, ...]:
        """What a theorem proves under hypotheses that hold here."""
        if name not in self.earlier:
            raise self.error(where, f"cites {name}, which is not an earlier theorem of the book")
        usable = tuple(p for p in self.earlier[name].proved if set(p.given) <= set(hypotheses))
        if not usable:
            raise self.error(where, f"no claim of theorem {name} can be used here; state its hypotheses in given")
        return usable

    def hypotheses_are_needed(self, claims: tuple[CheckedClaim, ...]) -> None:
        """Refuse a hypothesis without which every claim re-proves with no new side condition."""
        for number, hypothesis in enumerate(self.derivation.given):
            needed = all(c.proved is None for c in claims) or any(self.needs(c, hypothesis) for c in claims)
            if needed == (number in self.derivation.keep):
                word = "is needed, so it must not be marked as kept" if needed else "is not needed; remove it, or keep it with a reason"
                raise self.error("", f"hypothesis {number + 1} {word}")

    def hypotheses_are_satisfied(self) -> None:
        """Refuse hypotheses that hold at none of the points given: from what never holds everything follows."""
        relations = tuple(r for c in claims_of(self.derivation) for r in (c.relations if isinstance(c, Example) else (c.relation,)) if r)
        given, points = self.derivation.given, self.derivation.points
        try:
            if given and points and not any(satisfies(self.theory, point_of(p, relations, given, self.theory), given) for p in points):
                raise self.error("", "the hypotheses hold at none of its points; give a point at which they do, or they say nothing")
        except TermError as error:
            raise self.error("", f"a point is incomplete: {error}") from None

    def offers_are_proved(self, claims: tuple[CheckedClaim, ...]) -> None:
        """Refuse an offer whose claim is not an equation that the kernel proved, or that names what does not occur."""
        made: set[tuple[str, str]] = set()
        for number, offer in enumerate(self.derivation.offers, 1):
            where, what = f"offer {number}", f"{offer.result} of {offer.op}"
            if (offer.op, offer.result) in made:
                raise self.error(where, f"{what} is offered twice; keep one")
            made.add((offer.op, offer.result))
            if not 1 <= offer.claim <= len(claims):
                raise self.error(where, f"{what} by claim {offer.claim}, but there are {len(claims)}; claims count from 1")
            proved = claims[offer.claim - 1].proved
            if proved is None or proved.relation.kind != "=":
                raise self.error(where, f"{what} by claim {offer.claim}, which is no equation proved by the kernel; offer one that is")
            if unknown := sorted(offer.names.keys() - _names_in(claims)):
                raise self.error(where, f"{what} names {unknown[0]}, which occurs in no claim; name its symbols and vectors")

    def needs(self, claim: CheckedClaim, hypothesis: Hypothesis) -> bool:
        if claim.proved is None or not isinstance(claim.claim, Claim) or claim.claim.relation is None:
            return False
        rest = tuple(h for h in claim.given if h != hypothesis)
        try:
            normalizer = Normalizer(self.theory, rest)
            for side in claim.claim.relation.opened():
                normalizer.normal(side)
            if not all(map(normalizer.holds, normalizer.conditions)):
                return True  # a side condition has appeared: no need to go on to the zero test
            return bool(self.prove(claim.claim.relation, claim.claim.proof, rest, ()).conditions)
        except KernelError:
            return True


def _names_in(claims: tuple[CheckedClaim, ...]) -> set[str]:
    """The names of the symbols, vectors and matrices in what the kernel proved."""
    sides = (side for c in claims if c.proved is not None for side in c.proved.relation.opened())
    nodes = (node for side in sides for node in walk(side))
    return {node.name if isinstance(node, Sym) else node.vector for node in nodes if isinstance(node, (Sym, Entry))}


def needed_facts(
    theory: Theory,
    relation: Relation,
    hypotheses: tuple[Hypothesis, ...] = (),
    certificate: Certificate | None = None,
    known: tuple[Proved, ...] = (),
    start: frozenset[str] | None = None,
) -> frozenset[str]:
    """A minimal set of facts that still proves the relation, found by leaving out one fact after another."""
    keep = start if start is not None else Normalizer(theory).facts
    for fact in sorted(keep):
        try:
            prove(theory, relation, hypotheses, certificate=certificate, known=known, facts=keep - {fact})
        except KernelError:
            continue
        keep = keep - {fact}
    return keep


def _rest(error: KernelError) -> str:
    return f"; left over: {error.residual[:300]}" if isinstance(error, NotProved) and error.residual else ""


def _conditions(proved: Proved) -> str:
    return "; ".join(f"{show(dict(c.value))} {c.kind}" for c in proved.conditions)

"""TRUSTED. Proofs: the only place where a Proved is made. Imports the standard library, lnsym.errors, terms.py and normal.py."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from lnsym.errors import KernelError, NotProved
from lnsym.kernel import terms as t
from lnsym.kernel.normal import Condition, Normalizer, Piece, Poly, add

Given = tuple[t.Hypothesis, ...]
_TOKEN = object()


@dataclass(frozen=True)
class Certificate:
    """Why left <= right: right - left = `term`, which is nonnegative by its structure.

    `squared`: right^2 - left^2 = `term` and right >= 0 instead.
    """

    term: t.Term
    squared: bool = False


@dataclass(frozen=True)
class Evidence:
    """What an independent checker replays: the kind of proof, its terms, and each sum as (coefficient, summand) pieces."""

    kind: str  # equality | inequality | squares | distinct | only-if | induction
    terms: tuple[t.Term, ...]
    sums: tuple[tuple[t.Sum, tuple[Piece, ...]], ...] = ()


@dataclass(frozen=True, init=False)
class Proved:
    """A relation proved for all values of its free indices, symbols and vectors, under `given` and `conditions`.

    Only the functions of this file make one. Python cannot stop a forger; the verdict that counts comes from a fresh process.
    """

    theory: t.Theory
    relation: t.Relation
    given: Given
    conditions: tuple[Condition, ...]
    evidence: Evidence

    def __init__(self, token: object, *values: object) -> None:
        if token is not _TOKEN:
            raise KernelError("only the kernel makes a Proved; call prove()")
        for name, value in zip(("theory", "relation", "given", "conditions", "evidence"), values, strict=True):
            object.__setattr__(self, name, value)


def prove(theory: t.Theory, relation: t.Relation, given: Given = (), *, certificate: Certificate | None = None,
          known: tuple[Proved, ...] = (), facts: frozenset[str] | None = None, level: int = 1) -> Proved:  # fmt: skip
    """Prove a relation, or raise NotProved. `known` theorems may be used where their hypotheses hold under `given`."""
    normalizer = Normalizer(theory, given, facts, level, lemmas(theory, given, known))
    left, right = relation.opened()
    if relation.kind == "=":
        zero(normalizer, left, right)
        return made(normalizer, relation, given, known, "equality", left, right)
    if relation.kind == "!=":
        if not all(map(normalizer.nonzero, differences(normalizer, left, right))):
            raise NotProved("the two sides are not seen to differ always")
        return made(normalizer, relation, given, known, "distinct", left, right)
    gap = certificate.term if certificate else right - left
    squared = certificate is not None and certificate.squared
    if squared and not normalizer.sign(right):
        raise NotProved("the right side is not nonnegative by its structure, so squares cannot be compared")
    zero(normalizer, right**2 - left**2 if squared else right - left, gap)
    if normalizer.sign(gap) < (2 if relation.kind == "<" else 1):
        raise NotProved(f"the certificate is not {'positive' if relation.kind == '<' else 'nonnegative'} by its structure")
    return made(normalizer, relation, given, known, "squares" if squared else "inequality", left, right, gap)


def prove_only_if(theory: t.Theory, premise: t.Relation, conclusion: t.Relation, cofactor: t.Term, given: Given = (),
                  known: tuple[Proved, ...] = ()) -> Proved:  # fmt: skip
    """From L = R the conclusion F = G, where L - R is a nonzero cofactor times F - G, its square, or the sum of its squares."""
    if premise.kind != "=" or conclusion.kind != "=":
        raise KernelError("an only-if goes from an equation to an equation")
    normalizer, cofactor = Normalizer(theory, given, lemmas=lemmas(theory, given, known)), t.lift(cofactor)
    left, right = premise.opened()
    if normalizer.sign(cofactor) != 2 and not normalizer.nonzero(normalizer.normal(cofactor)):
        raise NotProved("the cofactor is not positive by its structure")
    first, second = conclusion.opened()
    forms = [first - second, (first - second) ** 2]
    for index in t.free_indices(forms[1]):
        forms.append(t.Sum(index, forms[-1]))
    for form in forms:
        if not any(differences(normalizer, left - right, cofactor * form)):
            return made(normalizer, conclusion, (*given, premise), known, "only-if", left, right, cofactor, form)
    raise NotProved("left - right is not the cofactor times the difference of the conclusion, its square, or the sum of its squares")


def prove_by_induction(theory: t.Theory, relation: t.Relation, variable: t.Sym, given: Given = ()) -> Proved:
    """An equation for every value 0, 1, 2, ... of a symbol: at 0, and at t + 1 from its truth at t."""
    left, right = relation.opened()
    spoken = [x for h in given for x in (h.opened() if isinstance(h, t.Relation) else h.entries)] + [d.value for d in theory.definitions]
    spoken += [x.base for side in (left, right) for x in t.walk(side) if isinstance(x, (t.Power, t.Geometric))]
    names = {part for name in t.index_names(left, right, *spoken) for part in name.split("+")} | {*theory.positive, *t.LENGTHS.values()}
    if relation.kind != "=" or variable.name in names or any(variable in t.walk(x) for x in spoken):
        raise KernelError(f"induction proves an equation; no hypothesis, definition, base, index or length may speak of {variable.name}")
    conditions: dict[Condition, None] = {}
    base, step = (Normalizer(theory, given, stage=(variable.name, value)) for value in (0, 1))
    for normalizer in (base, step):
        truth = Normalizer(theory, (*given, t.Relation("=", left, right)) if normalizer is step else given)
        truth.extensions = normalizer.extensions
        if rest := next(filter(None, map(truth.residual, differences(normalizer, left, right))), None):
            raise NotProved(f"the equation does not follow at {variable.name} {'+ 1' if normalizer is step else '= 0'}", show(rest))
        conditions.update({**normalizer.conditions, **truth.conditions})
    proved = made(step, relation, given, (), "induction", left, right, variable)
    return Proved(_TOKEN, theory, relation, given, tuple({**dict.fromkeys(proved.conditions), **conditions}), proved.evidence)


def compose(theory: t.Theory, relation: t.Relation, steps: tuple[Proved, ...], given: Given = ()) -> Proved:
    """Transitivity: from a = b, b = c, ... the relation of a and the last; one < makes it <, else one <= makes it <=."""
    kinds, ends = {s.relation.kind for s in steps}, [s.relation.right for s in steps]
    kind = next((k for k in ("!=", "<", "<=", "=") if k in kinds), "")
    linked = [s.relation.left for s in steps] == [relation.left, *ends[:-1]] and relation == t.Relation(kind, relation.left, ends[-1])
    if not linked or kind == "!=" or any(s.theory != theory or not {*s.given} <= {*given} or not isinstance(s, Proved) for s in steps):
        raise KernelError("the steps do not link up to the relation under its hypotheses")
    evidence = Evidence("chain", tuple(x for s in steps for x in s.relation.opened()))
    return Proved(_TOKEN, theory, relation, given, tuple(dict.fromkeys(c for s in steps for c in s.conditions)), evidence)


# ---------------------------------------------------------------- helpers


def lemmas(theory: t.Theory, given: Given, known: tuple[Proved, ...]) -> tuple[t.Relation, ...]:
    """The relations of known theorems, once their hypotheses are seen to hold here."""
    for theorem in known:
        if theorem.theory != theory or not {*theorem.given} <= {*given} or not isinstance(theorem, Proved):
            raise NotProved("a known theorem must be a Proved of the same theory, its hypotheses among those given here")
    return tuple(x.relation for x in known)


def places(normalizer: Normalizer, *terms: t.Term) -> list[dict[t.Index, t.Index]]:
    """The values of the free indices to be tried one by one: those over a range of known length."""
    free = [i for i in dict.fromkeys(i for x in terms if normalizer.sizes for i in t.free_indices(x)) if i.range.length in normalizer.sizes]
    choices = [[t.Index(str(n + 1), i.range) for n in range(normalizer.sizes[i.range.length])] for i in free]
    return [dict(zip(free, choice, strict=True)) for choice in product(*choices)]


def differences(normalizer: Normalizer, left: t.Term, right: t.Term) -> list[Poly]:
    """left - right, reduced; one for each place where an index runs over a range of known length."""
    sides = (tuple(normalizer.normal(t.substitute_indices(x, at)) for x in (left, right)) for at in places(normalizer, left, right))
    return [normalizer.residual(add(first, second, -1)) for first, second in sides]


def zero(normalizer: Normalizer, left: t.Term, right: t.Term) -> None:
    """Insist that left = right."""
    for rest in filter(None, differences(normalizer, left, right)):
        raise NotProved("the two sides differ in the normal form", show(rest))


def made(normalizer: Normalizer, relation: t.Relation, given: Given, known: tuple[Proved, ...], kind: str, *terms: t.Term) -> Proved:
    """The theorem, once no side condition contradicts the hypotheses; those of known theorems are inherited."""
    conditions = {c: None for c in normalizer.conditions if not normalizer.holds(c)}
    if any(c.kind == "nonzero" and not normalizer.residual(dict(c.value)) for c in conditions):
        raise KernelError("a denominator is zero under the hypotheses")
    inherited = dict.fromkeys(c for x in known for c in x.conditions)
    proof = Evidence(kind, terms, tuple(normalizer.sums.items()))
    return Proved(_TOKEN, normalizer.theory, relation, given, tuple({**conditions, **inherited}), proof)


def show(poly: Poly) -> str:
    """A polynomial in raw form, for messages."""
    return " + ".join(f"{x}*{'*'.join(f'{g}^{e}' for g, e in m) or 1}" for m, x in sorted(poly.items(), key=repr)) or "0"

"""Mutants of the book: theorems, steps, hypotheses and certificates with one thing changed, and what becomes of each.

`python -m tests.mutate` judges the whole set and writes tests/data/equivalent_mutants.json. Imports up to library and refute.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from lnsym.derivation import (
    Chain,
    CheckedClaim,
    Claim,
    Gap,
    Induction,
    OnlyIf,
    Rule,
    Step,
    Theorem,
    algebra,
    centred,
    count,
    derivative,
    given,
    split,
    squares,
    variance,
)
from lnsym.errors import KernelError, TermError
from lnsym.kernel.prove import Certificate, Proved, prove, prove_by_induction, prove_only_if
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
)
from lnsym.library import book, theorems
from lnsym.points import holds, sample_points
from lnsym.refute import find_counterexample

TABLE = Path(__file__).parent / "data" / "equivalent_mutants.json"
PER_CLAIM = 6
QUICK = 120
SWAPPED = {"v": "z", "u": "v", "v'": "z'", "u'": "v'", "w": "h", "gamma": "beta"}
RULES = (algebra, count, centred, variance, split, squares, derivative, given)
Node = Term | Array


# ---------------------------------------------------------------- one thing changed in a term


def variants(node: Any) -> Iterator[tuple[str, Any]]:
    """Every term that differs from this one in one place, with a word for the change; a word is changed in its expansion."""
    match node:
        case Array(indices, body):
            yield from ((tag, Array(indices, new)) for tag, new in variants(body))
            return
        case Word(_, _, _, expansion):
            yield from variants(expansion)
            return
        case Num(value) if value:
            yield "coefficient + 1", Num(value + 1)
            yield "sign", Num(-value)
        case Num():
            yield "coefficient + 1", Num(Fraction(1))
        case Sym("d"):
            yield "d to d - 1", node - 1
        case Sym("q" | "s" | "eps"):
            yield "scalar doubled", 2 * node
        case Entry(name, indices):
            if name in SWAPPED:
                yield f"{name} to {SWAPPED[name]}", Entry(SWAPPED[name], indices)
            if len(indices) == 2 and indices[0].range == indices[1].range and indices[0] != indices[1]:
                yield "indices swapped", Entry(name, indices[::-1])
        case Delta():
            yield "delta to 1", Num(Fraction(1))
        case Add(args) if len(args) > 1:
            for n, term in enumerate(args):
                yield "term dropped", _remake(Add, (*args[:n], *args[n + 1 :]))
                yield "sign of a term", Add((*args[:n], -term, *args[n + 1 :]))
        case Mul(args) if len(args) > 1:
            for n in range(len(args)):
                yield "factor dropped", _remake(Mul, (*args[:n], *args[n + 1 :]))
        case Pow(base, exponent):
            yield "exponent - 1", Pow(base, exponent - 1)
        case Power(base, exponent_, shift):
            yield "symbolic exponent + 1", Power(base, exponent_, shift + 1)
        case Geometric():
            yield "one step more", replace(node, shift=node.shift + 1)
        case Root(radicand):
            yield "root dropped", radicand
        case Expectation(body, _) | Derivative(body, _):
            yield "operator dropped", body
    yield from _inside(node)


def _remake(kind: type, args: tuple[Term, ...]) -> Term:
    return args[0] if len(args) == 1 else kind(args)


def _inside(node: Term) -> Iterator[tuple[str, Term]]:
    """The changes below a node."""
    if isinstance(node, (Add, Mul)):
        for n, term in enumerate(node.args):
            yield from ((tag, type(node)((*node.args[:n], new, *node.args[n + 1 :]))) for tag, new in variants(term))
    elif isinstance(node, (Pow, Sum, Root, Derivative, Expectation, Geometric)):
        place = next(f.name for f in fields(node) if f.name in ("base", "body", "radicand"))
        if place == "base" and isinstance(node, Geometric):
            place = "body"
        yield from ((tag, replace(node, **{place: new})) for tag, new in variants(getattr(node, place)))


def changed_relations(relation: Relation) -> Iterator[tuple[str, Relation]]:
    """The relation with one side changed in one place, or with another sign between the sides."""
    yield from ((f"right: {tag}", replace(relation, right=new)) for tag, new in variants(relation.right))
    yield from ((f"left: {tag}", replace(relation, left=new)) for tag, new in variants(relation.left))
    if relation.kind == "<=":
        yield "<= to <", replace(relation, kind="<")
    if relation.kind in ("<", "<="):
        yield "turned around", Relation(relation.kind, relation.right, relation.left)


def changed_hypotheses(hypotheses: tuple[Hypothesis, ...]) -> Iterator[tuple[str, tuple[Hypothesis, ...]]]:
    """The hypotheses with one of them dropped, turned around, weakened or changed in one place."""
    for n, one in enumerate(hypotheses):
        before, after = hypotheses[:n], hypotheses[n + 1 :]
        yield f"hypothesis {n + 1} dropped", (*before, *after)
        if isinstance(one, Components):
            continue
        if one.kind in ("<", "<="):
            yield f"hypothesis {n + 1} turned around", (*before, Relation(one.kind, one.right, one.left), *after)
        if one.kind == "<":
            yield f"hypothesis {n + 1} weakened", (*before, replace(one, kind="<="), *after)
        if one.kind == "=":
            yield from (
                (f"hypothesis {n + 1}, right: {tag}", (*before, replace(one, right=new), *after)) for tag, new in variants(one.right)
            )


# ---------------------------------------------------------------- mutants of a theorem


@dataclass(frozen=True)
class Mutant:
    """A changed statement with the way in which it is to be proved; `name` says where it comes from and what was changed."""

    name: str
    relation: Relation
    given: tuple[Hypothesis, ...]
    known: tuple[Proved, ...] = ()
    facts: frozenset[str] | None = None
    certificate: Certificate | None = None
    only_if: tuple[Relation, Term] | None = None
    induction: Sym | None = None

    def prove(self, theory: Theory) -> Proved:
        """Try it, as the checker would."""
        if self.only_if is not None:
            premise, cofactor = self.only_if
            if premise not in self.given:
                raise KernelError("the premise of an only-if must be among the hypotheses")
            return prove_only_if(theory, premise, self.relation, cofactor, tuple(h for h in self.given if h != premise))
        if self.induction is not None:
            return prove_by_induction(theory, self.relation, self.induction, self.given)
        usable = tuple(k for k in self.known if set(k.given) <= set(self.given))
        facts = None if self.facts is None else self.facts | {"given"} if usable else self.facts
        return prove(theory, self.relation, self.given, certificate=self.certificate, known=usable, facts=facts)


def _of_claim(name: str, checked: CheckedClaim) -> Iterator[Mutant]:
    claim = checked.claim
    if not isinstance(claim, Claim) or claim.relation is None or checked.proved is None:
        return
    base = Mutant("", claim.relation, checked.given, tuple(dict.fromkeys(k for s in checked.steps for k in s.known)))
    match claim.proof:
        case Gap(term, _, squared):
            base = replace(base, certificate=Certificate(term, squared))
            yield from (replace(base, name=f"certificate: {tag}", certificate=Certificate(new, squared)) for tag, new in variants(term))
        case OnlyIf(premise, cofactor, _):
            base = replace(base, only_if=(premise, cofactor))
            yield from (replace(base, name=f"cofactor: {tag}", only_if=(premise, new)) for tag, new in variants(cofactor))
        case Induction(variable, _):
            base = replace(base, induction=variable)
        case Chain(_, steps) if any(s.certificate for s in steps):
            gaps = [s.certificate.term for s in steps if s.certificate]
            base = replace(base, certificate=Certificate(gaps[0] if len(gaps) == 1 else Add(tuple(gaps))))
    yield from (replace(base, name=tag, relation=new) for tag, new in changed_relations(claim.relation))
    yield from (replace(base, name=tag, given=new) for tag, new in changed_hypotheses(checked.given))
    for number, one in enumerate(checked.steps, 1):
        step = Mutant("", one.relation, checked.given, one.known, one.facts, one.step.certificate)
        yield from (replace(step, name=f"step {number}, {tag}", relation=new) for tag, new in changed_relations(one.relation))
        yield from (
            replace(step, name=f"step {number}, rule to {rule.name}", facts=rule.facts, known=()) for rule in _other_rules(one.step)
        )
        if one.step.certificate:
            changed = ((tag, Certificate(new)) for tag, new in variants(one.step.certificate.term))
            yield from (replace(step, name=f"step {number}, certificate: {tag}", certificate=new) for tag, new in changed)


def _other_rules(step: Step) -> list[Rule]:
    return [rule for rule in RULES if rule not in step.rules]


def mutants(theorem: Theorem) -> Iterator[Mutant]:
    """A seeded choice of the mutants of a theorem's claims: the same on every run, and no change twice."""
    for number, checked in enumerate(theorem.claims, 1):
        prefix = f"{theorem.name}, claim {number}"
        named, seen = list[Mutant](), Counter[str]()
        for mutant in _of_claim(theorem.name, checked):
            seen[mutant.name] += 1
            named.append(replace(mutant, name=f"{prefix}, {mutant.name} #{seen[mutant.name]}"))
        yield from Random(prefix).sample(named, min(PER_CLAIM, len(named)))


def all_mutants() -> list[Mutant]:
    """The whole set, in the order of the book's names."""
    return [mutant for theorem in sorted(theorems(), key=lambda x: x.name) for mutant in mutants(theorem)]


def some_mutants() -> list[Mutant]:
    """A part of the whole set of about QUICK mutants."""
    whole = all_mutants()
    return whole[:: max(1, len(whole) // QUICK)]


# ---------------------------------------------------------------- what becomes of a mutant

REFUSED, REFUTED, EQUIVALENT, WRONG = "refused", "refuted", "equivalent", "proved and refuted"


def judged(mutant: Mutant, theory: Theory) -> str:
    """refuted: not proved, with a point against it; refused: not proved; equivalent: proved, and no point stands against it."""
    try:
        proved = not mutant.prove(theory).conditions
    except (KernelError, TermError):
        proved = False
    try:
        found = find_counterexample(theory, mutant.relation, mutant.given, tries=40)
        if proved and not found:
            points = sample_points(theory, [mutant.relation], mutant.given, 3, seed=1)
            found = next((p for p in points if holds(theory, p, mutant.relation, mutant.given) is False), None)  # type: ignore[assignment]
    except TermError:
        found = None
    if proved:
        return WRONG if found else EQUIVALENT
    return REFUTED if found else REFUSED


def survey(chosen: list[Mutant]) -> dict[str, list[str]]:
    """The names of the mutants by what becomes of them."""
    theory, classes = book().theory, dict[str, list[str]]()
    for mutant in chosen:
        classes.setdefault(judged(mutant, theory), []).append(mutant.name)
    return classes


def listed() -> list[str]:
    """The names of the equivalent mutants in the committed table."""
    return list(json.loads(TABLE.read_text(encoding="utf-8"))["equivalent"])


def main() -> int:
    """Judge the whole set and write the table of the equivalent ones."""
    classes = survey(all_mutants())
    TABLE.parent.mkdir(exist_ok=True)
    counts = {name: len(members) for name, members in sorted(classes.items())}
    table = {"written by": "python -m tests.mutate", "counts": counts, "equivalent": sorted(classes.get(EQUIVALENT, []))}
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    sys.stdout.write(f"{counts}\n")
    sys.stdout.writelines(f"{WRONG}: {name}\n" for name in classes.get(WRONG, []))
    return 1 if WRONG in classes else 0


if __name__ == "__main__":
    sys.exit(main())

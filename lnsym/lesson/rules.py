"""Rules in words for a learner, and rules that do not lead to a step, to stand beside the one that does. Imports up to the library."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lnsym.derivation import (
    CheckedStep,
    Rule,
    Theorem,
    algebra,
    centred,
    count,
    derivative,
    fold,
    split,
    square_of_root,
    unfold,
    variance,
)
from lnsym.derivations.definitions import q, s, u
from lnsym.errors import KernelError
from lnsym.kernel.prove import Proved, prove
from lnsym.kernel.terms import Sym
from lnsym.lesson.pieces import Formula, Words, listed, written
from lnsym.lesson.references import named
from lnsym.library import book
from lnsym.statement import SCALARS, VECTORS

MIXTURES = 40  # tries for a rule that does not lead to a step
COMMON: tuple[Rule, ...] = (algebra, count, centred, variance, split, derivative, unfold(u), fold(q), square_of_root(s))
PLAIN = {
    "algebra": "ordinary algebra",
    "count": "a constant, summed over all entries, is taken as often as there are entries",
    "given": "what is given",
    "derivative": "the rules of differentiation",
}


def rule_words(rules: Sequence[Rule]) -> Words:
    """Rules in words for a learner; no internal names."""
    return listed(map(_rule, rules), "; ")


def _rule(rule: Rule) -> Words:
    kind, _, rest = rule.name.partition(" ")
    names = listed(Formula(VECTORS.get(name, SCALARS.get(name, Sym(name))), "matrix") for name in rest.split(", "))
    many = "s" if ", " in rest else ""
    if rule.theorem is not None:
        return ("an earlier result: " + named(rule.theorem).derivation.title.rstrip("."),)
    if kind == "unfold":
        return (f"put in the definition{many} of ", *names)
    if kind == "fold":
        return (f"recognize the definition{many} of ", *names)
    if kind == "square":
        return ("the square of ", *listed([Formula(Sym(rest.removeprefix("of ")))]), " is what stands under its root")
    return (PLAIN.get(rule.name, rule.says),)


def misleading(found: Theorem, step: CheckedStep, order: random.Random, most: int) -> list[Words]:
    """As many rules as lead to a step, which do not: those of the same theorem first, then mixtures of those used most."""
    size = len(step.step.rules)
    near = [other.step.rules for checked in found.claims for other in checked.steps if len(other.step.rules) == size]
    order.shuffle(near)
    kept: dict[str, Words] = {}
    for group in (*near, *(tuple(order.sample(COMMON, min(size, len(COMMON)))) for _ in range(MIXTURES))):
        said = rule_words(group)
        if any(rule.facts & step.needed for rule in group if rule not in step.step.rules):
            continue  # partly right by another name: it would mislead too well
        if len(kept) < most and written(said) not in kept and not leads(group, step):
            kept[written(said)] = said
    return list(kept.values())


def leads(rules: Sequence[Rule], step: CheckedStep) -> bool:
    """Whether these rules alone justify a step."""
    given = step.proved.given
    known: list[Proved] = [one for rule in rules if rule.theorem for one in named(rule.theorem).proved if set(one.given) <= set(given)]
    facts = frozenset[str]().union(*(rule.facts for rule in rules)) | ({"given"} if known else set())
    try:
        prove(book().theory, step.relation, given, certificate=step.step.certificate, facts=facts, known=tuple(known))
    except KernelError:
        return False
    return True

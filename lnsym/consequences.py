"""Looks for what follows from equations that are hypotheses, for the kernel to prove: nothing here is trusted.

A vector equation gives one for the means and one for the variances; where a sum of squares is 0, each of them is.
Imports the kernel and the author's words only.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from lnsym.errors import KernelError, NotProved
from lnsym.kernel.normal import BUDGET, Normalizer
from lnsym.kernel.prove import Given, Proved, differences, prove, prove_only_if
from lnsym.kernel.terms import COORDINATES, Array, Entry, Family, Relation, Theory, free_indices, hole, substitute_indices, walk
from lnsym.lang import Eq, P, lift, mean, norm, var, vector

__all__ = ["consequences", "with_families"]

MAX_PREMISES = 4  # equations from which something is drawn
MAX_VECTORS = 3  # in these, beyond those of the theory
MAX_OPERATIONS = 2_000  # multiplications in one trial


def consequences(theory: Theory, given: Given) -> tuple[Proved, ...]:
    """What the kernel proves of the means, variances and deviations of the vectors in the equations among the hypotheses."""
    premises = _premises(given)
    moments = [goal for premise in premises for goal in _moments(premise)]
    families = (vector(x) for f in theory.families for x in (f.deviation, f.vector))
    vanishing = (*families, *(y for w in map(vector, _plain_vectors(theory, given)) for y in (w, P @ w))) if premises else ()
    known: tuple[Proved, ...] = ()
    for turn in range(len(premises[:2])):  # one equation may need what another gives
        if turn and not known:
            break
        for goal in moments:
            with suppress(KernelError):
                known = (*known, _by_putting_in(theory, goal, given, known))
        for x in vanishing:
            with suppress(KernelError):
                known = (*known, _by_squares(theory, x, premises[0], given, known))
    return known


def with_families(theory: Theory, relation: Relation, given: Given) -> Theory:
    """The theory with names for the mean, the deviations and the variance of the other vectors in these equations.

    Names for what exists anyway add nothing, as long as neither the relation nor a hypothesis speaks of them; a vector for which
    they do is left out. With such names P(w) = 0 leaves w = mean(w) to be seen.
    """
    families = [Family(x, f"P({x})", f"mean({x})", f"var({x})") for x in _plain_vectors(theory, given)]
    spoken = repr((relation, given))  # whatever it is that has such a name
    new = [f for f in families if not any(repr(name) in spoken for name in (f.deviation, f.mean, f.variance))]
    return replace(theory, families=(*theory.families, *new))


def _premises(given: Given) -> list[Relation]:
    return [h for h in given if isinstance(h, Relation) and h.kind == "="][:MAX_PREMISES]


def _plain_vectors(theory: Theory, given: Given) -> list[str]:
    """The vectors in the equations that the theory does not speak of."""
    spoken = {name for f in theory.families for name in (f.vector, f.deviation)} | {x.name for x in theory.definitions}
    entries = (x for premise in _premises(given) for side in premise.opened() for x in walk(side) if isinstance(x, Entry))
    plain = (x.vector for x in entries if [i.range for i in x.indices] == [COORDINATES] and x.vector not in spoken)
    return list(dict.fromkeys(plain))[:MAX_VECTORS]


def _moments(premise: Relation) -> list[Relation]:
    """For an equation a = b of vectors: mean(a) = mean(b) and var(a) = var(b)."""
    left, right = premise.opened()
    free = list(dict.fromkeys((*free_indices(left), *free_indices(right))))
    if [i.range for i in free] != [COORDINATES]:
        return []
    a, b = (Array((hole(1),), substitute_indices(side, {free[0]: hole(1)})) for side in (left, right))
    return [Eq(mean(a), mean(b)), Eq(var(a), var(b))]


def _by_putting_in(theory: Theory, goal: Relation, given: Given, known: tuple[Proved, ...]) -> Proved:
    """A proof in which the equation is put in for a vector, or for its deviations, before the sums of squares are reduced."""
    always = {"given", "count", "root", *(f"unfold:{x.name}" for x in theory.definitions)}
    _insist_on_news(theory, goal, given, known)
    for facts in (frozenset(always), frozenset({*always, "split", "centred"})):
        with suppress(KernelError):
            if _holds(theory, goal, given, known, facts):
                return _unconditional(prove(theory, goal, given, known=known, facts=facts))
    raise NotProved("this equation does not follow from the hypotheses put in")


def _by_squares(theory: Theory, x: Array, premise: Relation, given: Given, known: tuple[Proved, ...]) -> Proved:
    """x = 0, where |x|^2 = 0 under the hypotheses, of which the premise is one."""
    goal = Eq(x, 0)
    if not _holds(theory, Eq(norm(x) ** 2, 0), given, known):
        raise NotProved("its squares are not seen to vanish")
    _insist_on_news(theory, goal, given, known)
    return _unconditional(prove_only_if(theory, premise, goal, lift(1), given, known))


def _insist_on_news(theory: Theory, goal: Relation, given: Given, known: tuple[Proved, ...]) -> None:
    if _holds(theory, goal, given, known):
        raise NotProved("the kernel sees this already")


def _holds(theory: Theory, goal: Relation, given: Given, known: tuple[Proved, ...], facts: frozenset[str] | None = None) -> bool:
    """Whether an equation is seen with little work."""
    trial = Normalizer(theory, given, facts, lemmas=[x.relation for x in known])
    trial.operations = BUDGET - MAX_OPERATIONS
    return not any(differences(trial, *goal.opened()))


def _unconditional(proved: Proved) -> Proved:
    if proved.conditions:
        raise KernelError("a consequence under side conditions is of no use")
    return proved

"""Brings an answer nearer to a line where the kernel does not see that two roots are the same. Imports the verdict and the parts.

The kernel compares what stands under two roots as polynomials; a fraction under a root, such as eps*s/s, is not cancelled there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lnsym.derivations.definitions import eps, q, s
from lnsym.kernel.terms import Add, Array, Pow, Relation, Root, Sym, Term, Word, walk
from lnsym.lang import Eq, mean, var
from lnsym.lesson.marking.parts import rewrite

MAX_ROOTS = 6
Proves = Callable[[Relation], bool]


def aligned(answer: Term, target: Term, proves: Proves) -> Term:
    """The answer with each root, and each sum that divides, replaced by one of the line's that is proved equal to it."""
    mine, theirs = written_out(answer), written_out(target)
    wanted = list(dict.fromkeys([*_held(theirs), q + eps]))[:MAX_ROOTS]
    table = {one: other for one in list(_held(mine))[:MAX_ROOTS] for other in wanted if one != other and proves(Eq(one, other))}
    return rewrite(mine, lambda node: _replaced(node, table))


def _held(term: Term) -> Iterator[Term]:
    """What stands under the roots of a term, and the sums by which it divides, the inner ones first."""
    yield from dict.fromkeys(reversed([held for node in walk(term) if (held := _holder(node)) is not None]))


def _holder(node: Term | Array) -> Term | None:
    match node:
        case Root(radicand):
            return radicand
        case Pow(Add() as base, exponent) if exponent < 0:
            return base
    return None


def _replaced(node: Term, table: dict[Term, Term]) -> Term | None:
    held = _holder(node)
    if held is None or held not in table:
        return None
    other = table[held]
    if isinstance(node, Pow):
        return Pow(other, node.exponent)
    return s if other == q + eps else Root(other)


def written_out(term: Term) -> Term:
    """The term with its cores written as deviations over a root, and r as 1/s."""
    return rewrite(term, _opened)


def _opened(node: Term) -> Term | None:
    match node:
        case Sym("r"):
            return Pow(s, -1)
        case Word("core", (Array() as x, Term() as e), (index,), _):
            opened: Term = (x[index] - mean(x)) / Root(var(x) + e)
            return opened
    return None

"""Brings an answer nearer to a line where the kernel does not see that two roots are the same. Imports the verdict and the parts.

The kernel compares what stands under two roots as polynomials; a fraction under a root, such as eps*s/s, is not cancelled there, and the
root of a number beside another root is not drawn into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from lnsym.derivations.definitions import eps, q, s
from lnsym.kernel.terms import Add, Array, Mul, Num, Pow, Relation, Root, Sym, Term, Word, walk
from lnsym.lang import Eq, mean, var
from lnsym.lesson.marking.parts import factors, product, rewrite

MAX_ROOTS = 6
Proves = Callable[[Relation], bool]


def aligned(answer: Term, target: Term, proves: Proves) -> Term:
    """The answer with each root, and each sum that divides, replaced by one of the line's that is proved equal to it."""
    mine, theirs = rewrite(written_out(answer), _gathered), written_out(target)
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


def _gathered(node: Term) -> Term | None:
    """A product in which the root of a number is drawn into another root: t/sqrt(q/3) for sqrt(3) t/sqrt(q)."""
    number, roots, rest = Fraction(1), list[tuple[Term, int]](), list[Term]()
    for x in factors(node) if isinstance(node, Mul) else ():
        match (x.base, x.exponent) if isinstance(x, Pow) else (x, 1):
            case (Root(Num(value)), (1 | -1) as exponent) if value > 0:
                number *= value**exponent
            case (Root(radicand), (1 | -1) as exponent) if not roots:
                roots.append((radicand, exponent))
            case _:
                rest.append(x)
    if number == 1 or not roots:
        return None
    ((radicand, power),) = roots
    root = Root(product([Num(number**power), radicand]))
    return product([*rest, root if power == 1 else Pow(root, -1)])


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

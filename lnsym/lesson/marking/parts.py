"""The parts of a term and what becomes of it when one of them is changed. Imports the terms and the words that rebuild them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice

from lnsym import lang
from lnsym.derivations.definitions import J, d, r, s, v, z
from lnsym.kernel.terms import (
    Add,
    Array,
    Delta,
    Derivative,
    Entry,
    Index,
    Mul,
    Num,
    Pow,
    Root,
    Sum,
    Sym,
    Term,
    Word,
    free_indices,
    substitute_indices,
)
from lnsym.notation.text import text
from lnsym.notation.writer import Unwritable

Change = Callable[[Term], "Term | None"]
MAX_SUMMANDS = 12
MAX_VARIANTS = 200
WORDS: dict[str, Callable[..., Term | Array]] = {
    "total": lang.total, "mean": lang.mean, "var": lang.var, "cov": lang.cov, "dot": lang.dot, "norm": lang.norm, "core": lang.core,
    "rms": lang.rms, "outer": lang.outer, "diag": lang.diag, "trace": lang.trace, "apply": lambda a, x: a @ x,
    "matmul": lambda a, b: a @ b, "transpose": lambda a: a.T, "P": lambda: lang.P, "one": lambda: lang.one, "identity": lang.identity,
    "J": lambda: J, "jacobian": lang.jacobian, "gradient": lang.gradient,
}  # fmt: skip


# ---------------------------------------------------------------- changing parts


def rewrite(node: Term, change: Change) -> Term:
    """The term with every part for which `change` gives another one replaced, from the top; words are built anew."""
    if (other := change(node)) is not None:
        return other
    match node:
        case Add(args):
            return Add(tuple(rewrite(x, change) for x in args))
        case Mul(args):
            return Mul(tuple(rewrite(x, change) for x in args))
        case Pow(base, exponent):
            return Pow(rewrite(base, change), exponent)
        case Root(radicand):
            return Root(rewrite(radicand, change))
        case Sum(index, body):
            return Sum(index, rewrite(body, change))
        case Derivative(body, variable):
            return Derivative(rewrite(body, change), variable)
        case Word(name, args, _, _) if args and name in WORDS:
            return rebuilt(node, tuple(_rewritten(x, change) for x in args))
    return node


def _rewritten(argument: Term | Array, change: Change) -> Term | Array:
    return Array(argument.indices, rewrite(argument.body, change)) if isinstance(argument, Array) else rewrite(argument, change)


def rebuilt(word: Word, args: tuple[Term | Array, ...]) -> Term:
    """The same word of other arguments."""
    if args == word.args:
        return word
    built = WORDS[word.name](*args)
    return built[word.indices] if isinstance(built, Array) else built


# ---------------------------------------------------------------- summands, numerator, denominator


def summands(term: Term) -> tuple[Term, ...]:
    """The term as a sum, a sum that is a factor multiplied out; a single summand where it is none."""
    return tuple(islice(_summands(term), MAX_SUMMANDS))


def _summands(term: Term) -> Iterator[Term]:
    match term:
        case Add(args):
            for x in args:
                yield from _summands(x)
        case Mul(args):
            place = next((n for n, x in enumerate(args) if isinstance(x, (Add, Mul)) and len(summands(x)) > 1), None)
            if place is None:
                yield term
            else:
                for x in summands(args[place]):
                    yield from _summands(product([*args[:place], x, *args[place + 1 :]]))
        case _:
            yield term


def product(factors: list[Term]) -> Term:
    """The product, signs and numbers in front; 1 for none."""
    flat = [y for x in factors for y in (x.args if isinstance(x, Mul) else (x,))]
    number = Fraction(1)
    rest = []
    for x in flat:
        if isinstance(x, Num):
            number *= x.value
        else:
            rest.append(x)
    if not rest:
        return Num(number)
    if number != 1:
        rest.insert(0, Num(number))
    return rest[0] if len(rest) == 1 else Mul(tuple(rest))


def numerator(term: Term) -> Term:
    """What stands above the line; the term itself where there is no line."""
    return product([x for x in factors(term) if not (isinstance(x, Pow) and x.exponent < 0)])


def denominator(term: Term) -> Term:
    """What stands below the line; 1 where there is none."""
    under = (x for x in factors(term) if isinstance(x, Pow) and x.exponent < 0)
    return product([Pow(x.base, -x.exponent) if x.exponent < -1 else x.base for x in under])


def factors(term: Term) -> list[Term]:
    """The factors of a product, those of products in it as well; the term itself where it is none."""
    return [y for x in term.args for y in factors(x)] if isinstance(term, Mul) else [term]


def total(terms: list[Term]) -> Term:
    """The sum; 0 for none."""
    return Num(Fraction(0)) if not terms else terms[0] if len(terms) == 1 else Add(tuple(terms))


# ---------------------------------------------------------------- words for parts


def shown(term: Term | Array) -> str:
    """The term as a learner types it, an open index written as i or j."""
    term = term.body if isinstance(term, Array) else term
    open_ones = {index: Index("ij"[index.name == "·2"], index.range) for index in free_indices(term) if index.name.startswith("·")}
    try:
        return text(substitute_indices(term, open_ones), ascii=True)
    except Unwritable:
        return text(substitute_indices(term, open_ones))


# ---------------------------------------------------------------- slips of algebra

Variant = tuple[str, str, Term]  # the kind of slip, what happened in a sentence, and the term with the slip in it


def variants(term: Term) -> Iterator[Variant]:
    """The term with one slip of algebra in it: slips in its summands first, then changes of one part, likely ones first."""
    yield from _of_summands(term)
    yield from (found for _, found in sorted(islice(_inside(term, lambda x: x), MAX_VARIANTS), key=lambda one: one[0]))


def _of_summands(term: Term) -> Iterator[Variant]:
    parts = list(summands(term))
    if len(parts) < 2:
        return
    for n, part in enumerate(parts):
        named = shown(part)
        yield SIGN, f"The sign of the term {named} is wrong", total([*parts[:n], product([MINUS, part]), *parts[n + 1 :]])
        yield MISSING, f"The term {named} is missing", total([*parts[:n], *parts[n + 1 :]])
        yield DOUBLED, f"The term {named} is there twice", total([*parts, part])


Put = Callable[[Term], Term]


def _inside(term: Term, put: Put) -> Iterator[tuple[int, Variant]]:
    """Changes of one node anywhere, with a rank: likely slips have a low one."""
    yield from ((rank, (kind, what, put(other))) for rank, kind, what, other in _slipped(term))
    match term:
        case Add(args) | Mul(args):
            for n, x in enumerate(args):
                yield from _inside(x, lambda y, n=n: put(type(term)((*args[:n], y, *args[n + 1 :]))))  # type: ignore[misc]
        case Pow(base, exponent):
            yield from _inside(base, lambda y: put(Pow(y, exponent)))
        case Root(radicand):
            yield from _inside(radicand, lambda y: put(Root(y)))
        case Sum(index, body):
            yield from _inside(body, lambda y: put(Sum(index, y)))
        case Derivative(body, variable):
            yield from _inside(body, lambda y: put(Derivative(y, variable)))
        case Word(name, args, _, _) if name in WORDS:
            for n, argument in enumerate(args):

                def again(y: Term, n: int = n, old: Term | Array = argument) -> Term:
                    new = Array(old.indices, y) if isinstance(old, Array) else y
                    return put(rebuilt(term, (*args[:n], new, *args[n + 1 :])))

                yield from _inside(argument.body if isinstance(argument, Array) else argument, again)


def shortened(term: Term) -> Iterator[Variant]:
    """The term with one summand or factor left out, wherever it stands: what was left out was too many."""
    for found in islice(_inside(term, lambda x: x), MAX_VARIANTS):
        kind, what, other = found[1]
        if kind in (MISSING, FACTOR, DIVISION):
            yield f"{kind.replace('missing', 'needless')}", what.replace("is missing", "is too many"), other


MINUS = Num(Fraction(-1))
SIGN, MISSING, DOUBLED, EXTRA_ROOT, EXTRA_SQUARE = "a sign", "a missing term", "a doubled term", "a root too many", "a square too many"
FACTOR, DIVISION, POWER, NO_SQUARE, NO_ROOT = "a missing factor", "a missing division", "a power", "a missing square", "a missing root"
NO_MEAN, NO_SUM, ORDER = "a sum in place of a mean", "a mean in place of a sum", "a transposed product"
NUMBER, INVERSE, DIVISOR, OFF_CENTER = "a number", "an inverse", "the divisor d - 1", "not centered"

Slipped = tuple[int, str, str, Term]


def _slipped(node: Term) -> Iterator[Slipped]:
    """The slips that may happen at one node, each with its rank."""
    match node:
        case Add(args):
            yield from _in_a_sum(node, args)
        case Mul(args):
            yield from _in_a_product(node, args)
        case Pow(base, exponent) if abs(exponent) > 1:
            sign, named = (1 if exponent > 0 else -1), shown(base)
            if abs(exponent) == 2:
                yield 4, NO_SQUARE, f"The square of {named} is missing", Pow(base, sign) if sign < 0 else base
            else:
                yield 7, POWER, f"{named} has the power {abs(exponent) - 1} in place of {abs(exponent)}", Pow(base, exponent - sign)
            yield 7, POWER, f"{named} has the power {abs(exponent) + 1} in place of {abs(exponent)}", Pow(base, exponent + sign)
            yield 7, INVERSE, f"{shown(node)} stands on the wrong side of the fraction line", Pow(base, -exponent)
        case Root(radicand):
            yield 3, NO_ROOT, f"The root of {shown(radicand)} is missing", radicand
            if isinstance(radicand, Add):
                split = Add(tuple(Root(x) for x in radicand.args))
                yield 4, "a root of a sum", f"The root of a sum is not the sum of the roots: {shown(node)} is not {shown(split)}", split
        case Word():
            yield from _at_a_word(node)
        case Sum(index, _):
            yield 1, NO_SUM, f"A mean stands in place of the sum {shown(node)}: it is not divided by d", node / Sym(index.range.length)
        case Num(value) if value not in (0, 1, -1):
            others = (value + 1, value - 1, 2 * value, value / 2, 1 / value)
            yield from ((6, NUMBER, f"The number {value} is wrong", Num(other)) for other in others)
            yield 6, SIGN, f"The number {value} has the wrong sign", Num(-value)
        case Sym("s" | "r" as name):
            other = r if name == "s" else s
            yield 5, INVERSE, f"{other.name} stands in place of {name}, and each is the inverse of the other", other
            yield 7, EXTRA_SQUARE, f"The square of {name} stands in place of {name}", node**2
        case Sym("q" | "eps" as name):
            yield 6, EXTRA_ROOT, f"The root of {name} stands in place of {name}", Root(node)
            yield 6, EXTRA_SQUARE, f"The square of {name} stands in place of {name}", node**2
        case Sym("d"):
            yield 5, DIVISOR, "d - 1 stands in place of d", node - 1
            yield 6, NUMBER, "d + 1 stands in place of d", node + 1
        case Entry("v", (index,)):
            yield 6, OFF_CENTER, f"{shown(z[index])} stands in place of {shown(node)}: the mean is not taken off", z[index]
        case Entry("u", (index,)):
            yield 6, "v for u", f"{shown(v[index])} stands in place of {shown(node)}: it is not divided by s", v[index]
        case Delta():
            yield 6, "a missing delta", f"1 stands in place of {shown(node)}", Num(Fraction(1))


def _in_a_sum(node: Term, args: tuple[Term, ...]) -> Iterator[Slipped]:
    for n, x in enumerate(args):
        there = f"{shown(x)} in {shown(node)}"
        yield 2, SIGN, f"The sign of {there} is wrong", Add((*args[:n], product([MINUS, x]), *args[n + 1 :]))
        yield 3, MISSING, f"The term {there} is missing", total([*args[:n], *args[n + 1 :]])
        yield 4, DOUBLED, f"The term {there} is there twice", Add((*args, x))
    yield 5, EXTRA_ROOT, f"There is a root of {shown(node)} where there should be none", Root(node)
    yield 5, EXTRA_SQUARE, f"There is a square of {shown(node)} where there should be none", Pow(node, 2)


def _in_a_product(node: Term, args: tuple[Term, ...]) -> Iterator[Slipped]:
    for n, x in enumerate(args):
        others = product([*args[:n], *args[n + 1 :]])
        loose: Term | None = None
        match x:
            case Pow(Add((first, *rest)), -1):
                loose = total([product([others, Pow(first, -1)]), *rest])
            case Add((*rest, last)):
                loose = total([*rest, product([last, others])])
        if loose is not None:
            yield 2, "missing brackets", f"Brackets are missing: {shown(node)} is not {shown(loose)}", loose
        if isinstance(x, Pow) and x.exponent < 0:
            under = Pow(x.base, -x.exponent) if x.exponent < -1 else x.base
            yield 6, DIVISION, f"The division by {shown(under)} is missing", others
            yield 6, INVERSE, f"{shown(under)} multiplies where it should divide", product([*args[:n], under, *args[n + 1 :]])
            yield 8, EXTRA_SQUARE, f"The division by {shown(under)} is there twice", product([*args, x])
        elif x == MINUS:
            yield 1, SIGN, f"The sign of {shown(node)} is wrong", others
        else:
            yield 6, FACTOR, f"The factor {shown(x)} of {shown(node)} is missing", others
            yield 8, EXTRA_SQUARE, f"The factor {shown(x)} of {shown(node)} is there twice", product([*args, x])


def _at_a_word(node: Word) -> Iterator[Slipped]:
    match node:
        case Word("mean", (Array() as x,), _, _):
            yield 1, NO_MEAN, f"A sum stands in place of {shown(node)}: the division by d is missing", d * node
            yield 5, DIVISOR, f"The sum in {shown(node)} is divided by d - 1, not by d", node * d / (d - 1)
            if isinstance(x.body, Pow) and x.body.exponent == 2:
                squared = lang.mean(Array(x.indices, x.body.base)) ** 2
                yield 2, "the square of a mean", f"The square of the mean stands in place of {shown(node)}", squared
            if isinstance(x.body, Mul):
                split = product([lang.mean(Array(x.indices, y)) for y in x.body.args])
                yield 3, "a mean of a product", f"The mean of a product is not the product of the means, in {shown(node)}", split
        case Word("total" | "dot", _, _, _):
            yield 1, NO_SUM, f"A mean stands in place of the sum {shown(node)}: it is not divided by d", node / d
        case Word("var", (Array() as x,), _, _):
            yield 2, NO_MEAN, f"A sum stands in place of {shown(node)}: the division by d is missing", d * node
            yield 2, OFF_CENTER, f"The mean of the squares stands in place of {shown(node)}: the mean is not taken off", lang.mean(x**2)
            yield 3, DIVISOR, f"{shown(node)} has the divisor d - 1 here, not d", node * d / (d - 1)
        case Word("norm", _, _, _):
            yield 3, NO_ROOT, f"The root in {shown(node)} is missing", node**2
        case Word("matmul", (left, right), _, _):
            yield 2, ORDER, f"The factors of {shown(node)} are the wrong way round", rebuilt(node, (right, left))
        case Word("transpose", (Array() as inner,), indices, _):
            yield 2, ORDER, f"{shown(node)} is not transposed", inner[indices]
        case Word("apply", (Array() as matrix, Array() as x), indices, _):
            if matrix.indices[0].range == matrix.indices[1].range:
                yield 2, ORDER, f"The matrix in {shown(node)} is transposed", rebuilt(node, (matrix.T, x))
                yield 3, FACTOR, f"The matrix in {shown(node)} is missing", x[indices]
        case Word("P", _, (i, j), _):
            yield 5, OFF_CENTER, "The identity stands in place of P: the mean moves too", Delta(i, j)
        case Word("outer", (Array() as x, Array() as y), (i, j), _) if x != y:
            yield 2, ORDER, f"The factors of {shown(node)} are the wrong way round", y[i] * x[j]

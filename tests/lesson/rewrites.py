"""Right answers made from a line by eight named rewrites, and wrong ones by mutants. Imports the terms and the author's words only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from lnsym.derivations.definitions import J, d, eps, mu, q, r, s, u, v, z

from lnsym import lang
from lnsym.errors import LnsymError
from lnsym.kernel.terms import (
    Add,
    Array,
    Delta,
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
    fresh_index,
    index_names,
    substitute_indices,
)
from lnsym.notation.text import text
from lnsym.notation.writer import Unwritable
from lnsym.statement import parse_expression

Put = Callable[[Term], Term]
ONE, MINUS = Num(Fraction(1)), Num(Fraction(-1))
BUILD: dict[str, Callable[..., Term | Array]] = {
    "total": lang.total, "mean": lang.mean, "var": lang.var, "cov": lang.cov, "dot": lang.dot, "norm": lang.norm, "core": lang.core,
    "rms": lang.rms, "outer": lang.outer, "diag": lang.diag, "trace": lang.trace, "apply": lambda a, x: a @ x, "matmul": lambda a, b: a @ b,
    "transpose": lambda a: a.T,
}  # fmt: skip


def contexts(term: Term, put: Put = lambda x: x) -> Iterator[tuple[Term, Put]]:
    """Every part of a term, with what puts another one in its place."""
    yield term, put
    match term:
        case Add(args) | Mul(args):
            for n, x in enumerate(args):
                yield from contexts(x, lambda y, n=n: put(type(term)((*args[:n], y, *args[n + 1 :]))))  # type: ignore[misc]
        case Pow(base, exponent):
            yield from contexts(base, lambda y: put(Pow(y, exponent)))
        case Root(radicand):
            yield from contexts(radicand, lambda y: put(Root(y)))
        case Sum(index, body):
            yield from contexts(body, lambda y: put(Sum(index, y)))
        case Word(name, args, indices, _) if name in BUILD:
            for n, argument in enumerate(args):

                def again(y: Term, n: int = n, old: Term | Array = argument) -> Term:
                    new = Array(old.indices, y) if isinstance(old, Array) else y
                    built = BUILD[name](*args[:n], new, *args[n + 1 :])
                    return put(built[indices] if isinstance(built, Array) else built)

                yield from contexts(argument.body if isinstance(argument, Array) else argument, again)


def times(*factors: Term) -> Term:
    """The product without factors 1 inside one another."""
    flat = [y for x in factors for y in (x.args if isinstance(x, Mul) else (x,)) if y != ONE]
    return Mul(tuple(flat)) if len(flat) > 1 else flat[0] if flat else ONE


def plus(*parts: Term) -> Term:
    """The sum."""
    flat = [y for x in parts for y in (x.args if isinstance(x, Add) else (x,))]
    return Add(tuple(flat)) if len(flat) > 1 else flat[0]


def somewhere(change: Callable[[Term, Random], Term | None]) -> Callable[[Term, Random], Term | None]:
    """A change of one part, wherever it can be made."""

    def change_one(term: Term, order: Random) -> Term | None:
        spots = list(contexts(term))
        order.shuffle(spots)
        for node, put in spots:
            if (other := change(node, order)) is not None and other != node:
                return put(other)
        return None

    return change_one


# ---------------------------------------------------------------- right answers


def _reorder(node: Term, order: Random) -> Term | None:
    if not isinstance(node, (Add, Mul)) or len(node.args) < 2:
        return None
    args = list(node.args)
    order.shuffle(args)
    return type(node)(tuple(args))


def _expand(node: Term, _: Random) -> Term | None:
    match node:
        case Pow(Add((a, b)), 2):
            return plus(Pow(a, 2), times(Num(Fraction(2)), a, b), Pow(b, 2))
        case Pow(base, 2):
            return times(base, base)
        case Mul(args):
            for n, x in enumerate(args):
                if isinstance(x, Add):
                    return plus(*(times(*args[:n], y, *args[n + 1 :]) for y in x.args))
    return None


def _factor(node: Term, order: Random) -> Term | None:
    if isinstance(node, Add):
        factors = [list(x.args) if isinstance(x, Mul) else [x] for x in node.args]
        for common in factors[0]:
            if all(common in one for one in factors) and common != MINUS:
                rest = []
                for one in factors:
                    one.remove(common)
                    rest.append(times(*one))
                return times(common, plus(*rest))
        return times(MINUS, plus(*(times(MINUS, x) for x in node.args)))
    number = Num(Fraction(order.choice((2, 3))))
    return times(number, node, Pow(number, -1)) if isinstance(node, (Sym, Entry, Mul)) else None


def _fraction(node: Term, order: Random) -> Term | None:
    match node:
        case Mul(args):
            under = [x for x in args if isinstance(x, Pow) and x.exponent < 0]
            over = [x for x in args if x not in under]
            if len(under) > 1:
                return times(*over, Pow(times(*(Pow(x.base, -x.exponent) if x.exponent < -1 else x.base for x in under)), -1))
            if under and isinstance(under[0].base, Mul):
                return times(*over, *(Pow(x, under[0].exponent) for x in under[0].base.args))
            if under and over:
                common = order.choice((s, d, Num(Fraction(2))))
                below = under[0].base if under[0].exponent == -1 else Pow(under[0].base, -under[0].exponent)
                return times(*over, common, Pow(times(below, common), -1))
        case Pow(base, exponent) if exponent < -1:
            return Pow(Pow(base, -1), -exponent)
        case Sym() | Entry():
            common = order.choice((s, d, q + eps))
            return times(node, common, Pow(common, -1))
    return None


def _word(node: Term, order: Random) -> Term | None:
    ways: list[Term] = []
    match node:
        case Sym("s"):
            ways = [Root(q + eps), Pow(r, -1)]
        case Sym("r"):
            ways = [Pow(s, -1), Pow(Root(q + eps), -1)]
        case Sym("q"):
            ways = [lang.var(z), lang.mean(v**2), s**2 - eps]
        case Sym("rho"):
            ways = [q / (q + eps), lang.mean(u**2)]
        case Sym("mu"):
            ways = [lang.mean(z)]
        case Entry("u", (index,)):
            ways = [v[index] / s, lang.core(z)[index], r * v[index]]
        case Entry("v", (index,)):
            ways = [z[index] - mu, (lang.P @ z)[index], s * u[index]]
        case Root(Add((Sym("q"), Sym("eps")))):
            ways = [s]
        case Add((Sym("q"), Sym("eps"))):
            ways = [s**2, Pow(r, -2)]
        case Word("P", _, (i, j), _):
            ways = [Delta(i, j) - 1 / d]
        case Word("J", _, (i, j), _):
            ways = [(lang.P[i, j] - u[i] * u[j] / d) / s, J[j, i]]
        case Word("mean", (Array() as x,), _, _):
            ways = [lang.total(x) / d]
        case Word("total", (Array() as x,), _, _):
            ways = [d * lang.mean(x)]
        case Word("norm", (Array() as x,), _, _):
            ways = [Root(lang.dot(x, x))]
        case Word("var", (Array() as x,), _, _):
            ways = [lang.mean((x - lang.mean(x)) ** 2), lang.cov(x, x)]
        case Word("dot", (Array() as x, Array() as y), _, _):
            ways = [d * lang.mean(x * y), lang.dot(y, x)]
    return order.choice(ways) if ways else None


def _explicit_sum(node: Term, _: Random) -> Term | None:
    match node:
        case Word("mean", (Array() as x,), _, _):
            index = fresh_index(x.indices[0].range, x)
            return Mul((Sum(index, x[index]), Pow(Sym(index.range.length), -1)))
        case Word("total", (Array() as x,), _, _):
            index = fresh_index(x.indices[0].range, x)
            return Sum(index, x[index])
        case Word("dot", (Array() as x, Array() as y), _, _):
            index = fresh_index(x.indices[0].range, x, y)
            return Sum(index, x[index] * y[index])
        case Word("norm", (Array() as x,), _, _):
            index = fresh_index(x.indices[0].range, x)
            return Root(Sum(index, x[index] ** 2))
        case Sym("q"):
            return Mul((Sum(Index("k"), v[Index("k")] ** 2), Pow(d, -1)))
        case Sym("mu"):
            return Mul((Sum(Index("k"), z[Index("k")]), Pow(d, -1)))
    return None


def _rename(node: Term, order: Random) -> Term | None:
    """A bound index with another name; a word with a sum in it is written out for it."""
    if isinstance(node, Sum):
        free = [letter for letter in "ijklm" if letter not in index_names(node)]
        new = Index(order.choice(free), node.index.range) if free else node.index
        return Sum(new, substitute_indices(node.body, {node.index: new}))
    written = _explicit_sum(node, order)
    again = somewhere(lambda x, o: _rename(x, o) if isinstance(x, Sum) else None)
    return None if written is None else again(written, order)


def greek(shown: str, order: Random) -> str:
    """A text with some names and signs in other spellings."""
    table = {
        "eps": "ε", "gamma": "γ", "beta": "β", "rho": "ρ", "mu": "μ", "*": order.choice(("·", "×", "*", " * ")), "^2": "²", "^3": "³",
        "_i": order.choice(("ᵢ", "[i]")), "_j": order.choice(("ⱼ", "[j]")), "-": "−", "sum": "∑", "sqrt": "√",
    }  # fmt: skip
    chosen = [old for old in table if old in shown and order.random() < 0.7] or [old for old in table if old in shown][:1]
    for old in chosen:
        if old in ("_i", "_j") and "sum_" in shown:
            continue
        shown = shown.replace(old, table[old])
    return shown


RIGHT: dict[str, Callable[[Term, Random], Term | None]] = {
    "reorder": somewhere(_reorder), "expand": somewhere(_expand), "factor": somewhere(_factor), "fraction": somewhere(_fraction),
    "word": somewhere(_word), "rename": somewhere(_rename), "explicit sum": somewhere(_explicit_sum),
}  # fmt: skip
NAMES = (*RIGHT, "greek")  # eight; the last changes the text


# ---------------------------------------------------------------- wrong answers


OTHERS: dict[str, tuple[Term, ...]] = {
    "s": (r, s**2, Root(q) + eps), "r": (s,), "q": (Root(q), q + eps, q**2), "d": (d - 1,), "eps": (eps**2, 2 * eps, q), "rho": (q,),
}  # fmt: skip
TWINS = {"u": "v", "v": "z", "z": "v", "g": "h", "h": "g"}


def _mutants(node: Term) -> Iterator[Term]:
    """Wrong terms near one part: a coefficient, a sign, a term, a factor, a power, a name."""
    yield from (times(Num(Fraction(2)), node), times(MINUS, node), plus(node, ONE), times(node, Pow(d, -1)), times(node, s))
    match node:
        case Num(value):
            yield from (Num(value + 1), Num(value - 1))
        case Add(args):
            yield from (plus(*args[:n], *args[n + 1 :]) for n in range(len(args)))
            yield from (plus(*args[:n], times(MINUS, x), *args[n + 1 :]) for n, x in enumerate(args))
        case Mul(args):
            yield from (times(*args[:n], *args[n + 1 :]) for n in range(len(args)))
        case Pow(base, exponent):
            yield from (Pow(base, exponent + 1), Pow(base, exponent - 1)) if abs(exponent) > 1 else (Pow(base, 2), base)
        case Root(radicand):
            yield radicand
        case Word("mean", (Array() as x,), _, _):
            yield from (lang.total(x), lang.mean(x**2))
        case Sym(name):
            yield from OTHERS.get(name, ())
        case Entry(name, indices) if name in TWINS:
            yield Entry(TWINS[name], indices)


def mutant(term: Term, order: Random) -> Term:
    """A term with one mutation in it."""
    node, put = order.choice(list(contexts(term)))
    return put(order.choice(list(_mutants(node))))


# ---------------------------------------------------------------- as texts


def typed(line: Term | Array) -> Term:
    """A line as a learner types it: a vector or matrix by its entry."""
    return line[tuple(Index("ij"[n], one.range) for n, one in enumerate(line.indices))] if isinstance(line, Array) else line


def written(term: Term, longest: int = 300) -> str | None:
    """The text of a term, where the language can say it and it is not too long."""
    try:
        shown = text(term, ascii=True)
        parse_expression(shown)
    except (Unwritable, LnsymError):
        return None
    return shown if len(shown) <= longest else None


def right_answers(line: Term | Array, count: int, order: Random) -> dict[str, tuple[str, ...]]:
    """Different right answers with the names of the rewrites that made each, every rewrite tried in turn."""
    found: dict[str, tuple[str, ...]] = {}
    for attempt in range(20 * count):
        names = (NAMES[attempt % len(NAMES)], *(order.choice(NAMES) for _ in range(order.choice((0, 0, 1, 2)))))
        term, done = typed(line), []
        for name in names:
            other = RIGHT[name](term, order) if name in RIGHT else None
            if other is not None:
                term = other
                done.append(name)
        shown = written(term)
        if shown is not None and "greek" in names and (other_text := greek(shown, order)) != shown:
            shown = other_text
            done.append("greek")
        if shown is not None and done:
            found.setdefault(shown, tuple(done))
        if len(found) == count:
            break
    return found


def wrong_answers(line: Term | Array, count: int, order: Random) -> list[str]:
    """Different mutants of a line; some may be right by chance."""
    texts = (written(mutant(typed(line), order)) for _ in range(10 * count))
    return list(dict.fromkeys(one for one in texts if one is not None))[:count]

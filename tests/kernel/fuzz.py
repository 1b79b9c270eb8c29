"""Random statements for the kernel: a term, a rewriting of it that is sometimes wrong, and hypotheses. Imports the words and terms only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from random import Random
from typing import Any

from derivations.definitions import a, c, d, eps, g, h, mu, q, r, rho, s, u, v, w, z, z_
from lnsym.kernel.terms import (
    COORDINATES,
    Add,
    Components,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Hypothesis,
    Index,
    Mul,
    Num,
    Pow,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
    Word,
    free_indices,
    substitute_indices,
)
from lnsym.lang import D, Eq, Le, Lt, Ne, delta, dot, i, j, k, matrix, mean, norm, sqrt, sum_over, total, var

ONE, TWO = Index("1"), Index("2")
W = matrix("W")
VECTORS = (z, v, u, w, g, h)
SCALARS = (a, c, eps, q, mu, s, d, r, rho)
VARIABLES = (a, c, eps)

# Each group is one consistent set of hypotheses.
HYPOTHESES: tuple[tuple[Hypothesis, ...], ...] = (
    (),
    (Lt(0, eps),),
    (Lt(0, eps), Lt(0, a)),
    (Lt(0, eps), Le(0, a)),
    (Lt(0, eps), Ne(a, 0)),
    (Lt(0, eps), Ne(0, c), Lt(0, q)),
    (Lt(0, eps), Eq(total(w), 0)),
    (Lt(0, eps), Eq(dot(v, w), 0)),
    (Lt(0, eps), Eq(w, 2 * g)),
    (Lt(0, eps), Eq(a, c + 1)),
    (Lt(0, eps), Eq(w[ONE], a)),
    (Lt(0, eps), Eq(total(w), 0), Eq(dot(w, w), 1)),
    (Lt(0, eps), Le(2, d)),
    (Lt(0, eps), Le(1, a), Eq(c, 2 * a)),
    (Lt(0, eps), Lt(a, c)),
    (Lt(0, eps), Le(0, w)),
    (Lt(0, eps), Lt(0, w[i])),
    (Lt(0, eps), Eq(W[i, j], W[j, i])),
    (Lt(0, eps), Eq(W[i, i], 0)),
    (Lt(0, eps), Eq(q, 2)),
    (Lt(0, eps), Le(1, q), Eq(q, 2)),
    (Lt(0, eps), Eq(z, c)),
    (Lt(0, eps), Lt(0, a - c), Eq(a + c, 3)),
    (Lt(0, eps), Components("z", COORDINATES, (-a, Num(Fraction(0)), a))),
    (Lt(0, eps), Components("w", COORDINATES, (Num(Fraction(1)), a))),
    (Lt(0, eps), Eq(d, 2)),
)


class Maker:
    """Draws terms and rewrites them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def pick(self, options: Any) -> Any:
        return self.random.choice(options)

    # ------------------------------------------------------------ terms

    def term(self, depth: int, indices: tuple[Index, ...] = (i, j)) -> Term:
        """A random term; its free indices are among those given."""
        if depth <= 0:
            return self.leaf(indices)
        branch: Callable[[], Term] = self.pick(
            [
                lambda: self.term(depth - 1, indices) + self.term(depth - 1, indices),
                lambda: self.term(depth - 1, indices) * self.term(depth - 1, indices),
                lambda: self.term(depth - 1, indices) - self.term(depth - 2, indices),
                lambda: Pow(self.term(depth - 1, indices), self.pick((2, 2, 3, -1, -2, 0))),
                lambda: 1 / self.term(depth - 1, indices),
                lambda: sqrt(self.term(depth - 1, indices)),
                lambda: sqrt(self.term(depth - 1, indices) ** 2),
                lambda: self.sum(depth, indices),
                lambda: self.sum(depth, indices),
                lambda: self.derivative(depth, indices),
                lambda: Expectation(self.term(depth - 1, indices), (self.pick(("g", "h", "z")),)),
                self.word,
                lambda: self.leaf(indices),
            ]
        )
        return branch()

    def sum(self, depth: int, indices: tuple[Index, ...]) -> Term:
        bound = self.pick((i, j, k))
        return sum_over(bound, self.term(depth - 1, (*indices, bound, bound)))

    def derivative(self, depth: int, indices: tuple[Index, ...]) -> Term:
        variable = self.pick([*VARIABLES, z[self.pick(indices)], w[self.pick(indices)], z[ONE], z_[self.pick(indices)]])
        return D(self.term(depth - 1, indices), variable)

    def word(self) -> Term:
        x, y = self.pick(VECTORS), self.pick(VECTORS)
        build: Callable[[], Term] = self.pick([lambda: mean(x), lambda: total(x * y), lambda: dot(x, y), lambda: norm(x), lambda: var(x)])
        return build()

    def leaf(self, indices: tuple[Index, ...]) -> Term:
        at = [*indices, *indices, ONE, TWO]
        build: Callable[[], Term] = self.pick(
            [
                lambda: self.pick(VECTORS)[self.pick(at)],
                lambda: self.pick(VECTORS)[self.pick(at)],
                lambda: W[self.pick(at), self.pick(at)],
                lambda: delta(self.pick(at), self.pick(at)),
                lambda: self.pick(SCALARS),
                lambda: self.pick(SCALARS),
                lambda: Num(Fraction(self.pick((-2, -1, 1, 2, 3)), self.pick((1, 1, 2)))),
            ]
        )
        return build()

    # ------------------------------------------------------------ rewritings, right and wrong

    def rewritten(self, term: Term) -> Term:
        """The term with up to two of its parts rewritten."""
        for _ in range(self.pick((1, 1, 2))):
            sites = [(path, new) for path, part in parts(term) for new in self.rules(part)]
            if not sites:
                break
            path, new = self.pick(sites)
            term = replaced(term, path, new)
        return term

    def rules(self, part: Term) -> Iterator[Term]:
        """What a part might be rewritten to."""
        match part:
            case Root(Pow(x, 2)):
                yield x
                yield -x
            case Root(Mul(args)) if len(args) > 1:
                yield Root(args[0]) * Root(Mul(args[1:]) if len(args) > 2 else args[1])
            case Root(x):
                yield sqrt(x**2) / sqrt(x)
                yield x / sqrt(x)
            case Pow(Pow(x, n), m):
                yield Pow(x, n * m)
            case Pow(Root(x), 2):
                yield x
            case Pow(x, 0):
                yield Num(Fraction(1))
            case Pow(Mul(args), n):
                yield Mul(tuple(Pow(x, n) for x in args))
            case Mul((x, Pow(y, -1))) if x == y:
                yield Num(Fraction(1))
            case Mul(args):
                yield Mul(args[::-1])
                for n, x in enumerate(args):
                    if isinstance(x, Add):
                        yield Add(tuple(Mul((*args[:n], y, *args[n + 1 :])) for y in x.args))
                for x in args:
                    if isinstance(x, Delta):
                        rest = Mul(tuple(y for y in args if y is not x))
                        yield x * substitute_indices(rest, {x.left: x.right})
            case Add(args):
                yield Add(args[::-1])
            case Sum(index, Mul(args)) if len(args) > 1:
                yield args[0] * Sum(index, Mul(args[1:]))
                yield Sum(index, args[0]) * Sum(index, Mul(args[1:]))
            case Sum(index, Add(args)):
                yield Add(tuple(Sum(index, x) for x in args))
            case Sum(index, Sum(other, x)):
                yield Sum(other, Sum(index, x))
            case Sum(index, body) if index not in free_indices(body):
                yield d * body
                yield body
            case Sum(index, body):
                yield Sum(k, substitute_indices(body, {index: k}))
            case Derivative(Mul(args), x):
                yield Add(tuple(Mul((*args[:n], Derivative(y, x), *args[n + 1 :])) for n, y in enumerate(args)))
            case Derivative(Add(args), x):
                yield Add(tuple(Derivative(y, x) for y in args))
            case Derivative(Pow(y, n), x):
                yield n * Pow(y, n - 1) * Derivative(y, x)
            case Derivative(Root(y), x):
                yield Derivative(y, x) / (2 * Root(y))
            case Derivative(Derivative(y, x), x_):
                yield Derivative(Derivative(y, x_), x)
            case Derivative(Sum(index, y), x):
                yield Sum(index, Derivative(y, x))
            case Derivative(y, x):
                yield Num(Fraction(0))
                if isinstance(y, Entry) and isinstance(x, Entry):
                    yield delta(y.indices[0], x.indices[0])
            case Expectation(Add(args), names):
                yield Add(tuple(Expectation(x, names) for x in args))
            case Expectation(Mul(args), names):
                yield Mul(tuple(Expectation(x, names) for x in args))
                yield args[0] * Expectation(Mul(args[1:]), names)
            case Expectation(Sum(index, x), names):
                yield Sum(index, Expectation(x, names))
            case Expectation(x, _):
                yield x
                yield Expectation(x, ("h",))
            case Entry("u", (index,)):
                yield v[index] / s
            case Entry("v", (index,)):
                yield z[index] - mu
                yield z[index] - mean(z)
            case Entry("W", (x, y)):
                yield W[y, x]
                yield Num(Fraction(0))
            case Entry("w", (index,)):
                yield 2 * g[index]
                yield Num(Fraction(0))
            case Entry(name, (index,)):
                yield Entry(name, (self.pick((i, j, ONE)),))
            case Sym("s"):
                yield sqrt(q + eps)
            case Sym("q"):
                yield mean(v**2)
                yield mean(z**2) - mu**2
                yield Num(Fraction(2))
            case Sym("mu"):
                yield mean(z)
            case Sym("a"):
                yield c + 1
            case Sym("rho"):
                yield q / s**2
            case Sym("r"):
                yield 1 / s
            case Delta(x, y):
                yield Delta(y, x)
                yield Delta(x, y) ** 2

    # ------------------------------------------------------------ statements

    def statement(self) -> tuple[Relation, tuple[Hypothesis, ...]]:
        """A relation and hypotheses."""
        given, term = self.pick(HYPOTHESES), self.term(self.pick((1, 2, 2, 3)))
        kind = self.pick(("=", "=", "=", "=", "<=", "<", "!="))
        if kind == "=":
            return Relation("=", term, self.rewritten(term)), given
        if self.random.random() < 0.5:
            return Relation(kind, Num(Fraction(0)), term), given
        return Relation(kind, self.leaf((i, j)), term), given


def parts(term: Term) -> Iterator[tuple[tuple[object, ...], Term]]:
    """Every part of a term that a rewriting may touch, with the way to it; words are left alone."""
    yield (), term
    if isinstance(term, (Word, Entry, Sym, Num, Delta)):
        return
    for field in fields(term):  # type: ignore[arg-type]
        if field.name == "variable":
            continue
        value = getattr(term, field.name)
        for n, x in enumerate(value if isinstance(value, tuple) else (value,)):
            if isinstance(x, Term):
                at = (field.name, n) if isinstance(value, tuple) else (field.name,)
                for path, part in parts(x):
                    yield (at, *path), part


def replaced(term: Any, path: tuple[Any, ...], new: Term) -> Any:
    """The term with the part at the end of the way replaced."""
    if not path:
        return new
    assert is_dataclass(term)
    (name, *place), rest = path[0], path[1:]
    values = {f.name: getattr(term, f.name) for f in fields(term)}
    value = values[name]
    if place:
        n = place[0]
        values[name] = (*value[:n], replaced(value[n], rest, new), *value[n + 1 :])
    else:
        values[name] = replaced(value, rest, new)
    return type(term)(**values)  # type: ignore[misc]

"""From a formula's term to named steps over rows, the same for every target language. Imports the kernel's terms and the plan.

The coordinates of a row lie along the last axis, the rows of a batch along the first. A Node is an expression over whole arrays:
`mean` and `sum` reduce the last axis and keep it with length 1, `column_sum` reduces the rows. The definitions of the book (mean,
deviations, variance, root, ...) and every part that is used twice become named lines.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from lnsym.emit.plan import Formula
from lnsym.errors import EmitError
from lnsym.kernel.terms import (
    LENGTHS,
    ROWS,
    Add,
    Array,
    Delta,
    Entry,
    Family,
    Index,
    Mul,
    Num,
    Pow,
    Root,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    children,
    free_indices,
    substitute_indices,
)

ARGUMENTS = {"z": "x", "gamma": "weight", "beta": "bias", "h": "dx", "g": "dy", "eps": "eps"}
LINES = {"mu": "mean", "v": "deviations", "q": "variance", "s": "root", "r": "rstd", "rho": "ratio", "u": "core", "y": "output"}
EXACT_INTEGERS = 2**53  # integers up to here are floats
LONG = 16  # parts of an expression that go on one line
VECTOR, SCALAR = "vector", "scalar"
LAST, FIRST, ROW = "last", "first", "rows"  # the axis along which an index runs


@dataclass(frozen=True)
class Node:
    """An expression over whole arrays.

    op is one of name, number, count, add, multiply, divide, negate, power, root, mean, sum, column_sum, transpose, eye, entry.
    """

    op: str
    args: tuple[Node, ...] = ()
    value: str | Fraction | int | None = None

    def __hash__(self) -> int:
        return self._hash

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.op, self.args, self.value)))

    _hash: int = field(init=False, repr=False, compare=False)


def name(identifier: str) -> Node:
    """The expression that is a name."""
    return Node("name", (), identifier)


def number(value: Fraction | int) -> Node:
    """The expression that is an exact number."""
    return Node("number", (), Fraction(value))


class Argument(NamedTuple):
    """What an argument is known by: vector or scalar, and its fixed name in code or its own symbol."""

    kind: str
    known_as: str


@dataclass(frozen=True)
class Line:
    """A named step."""

    name: str
    node: Node


@dataclass(frozen=True)
class Result:
    """What is computed under a name; `shape` is row (n, d), scalar (n, 1), column (d,) or matrix (d, d)."""

    name: str
    node: Node
    shape: str


@dataclass(frozen=True)
class Steps:
    """Everything that a function needs: its arguments, its lines in order, its results."""

    vectors: tuple[str, ...]
    scalars: tuple[str, ...]
    lines: tuple[Line, ...]
    results: tuple[Result, ...]


# ---------------------------------------------------------------- names


def spelling(symbol: str) -> str:
    """A symbol as an identifier."""
    plain = re.sub(r"\W", "_", symbol.replace("'", "_prime"), flags=re.ASCII)
    return plain if plain[:1].isalpha() else f"v{plain}"


class Names:
    """Hands out spellings, each once; what is reserved beforehand is never handed out."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self.taken = {*keyword.kwlist, *keyword.softkwlist, *reserved}

    def fresh(self, wanted: str) -> str:
        """The spelling wanted if it is free, else with a number after it."""
        plain = spelling(wanted)
        found = next(x for n in range(1, 10**6) if (x := plain if n == 1 else f"{plain}_{n}") not in self.taken)
        self.taken.add(found)
        return found


# ---------------------------------------------------------------- terms to nodes


def steps(formulas: Iterable[Formula], reserved: Iterable[str] = (), arguments: Iterable[str] = ()) -> Steps:
    """The steps that compute the formulas together; `arguments` are spellings kept for arguments of these names."""
    return _Lowering(tuple(formulas), reserved, tuple(arguments)).steps()


class _Lowering:
    """The state of one translation: what the symbols of the book are called, and the lines made so far."""

    def __init__(self, formulas: tuple[Formula, ...], reserved: Iterable[str], arguments: tuple[str, ...]) -> None:
        self.formulas = formulas
        self.names = Names(reserved)
        self.kept = {wanted: self.names.fresh(wanted) for wanted in arguments}
        self.spelled: dict[Argument, str] = {}
        self.vectors: dict[str, None] = {}
        self.scalars: dict[str, None] = {}
        self.lines: dict[str, Node] = {}
        self.made: dict[Node, str] = {}
        self.known: dict[tuple[str, str], str] = {}  # a notion of the book and the vector that it belongs to -> the name of its line
        self.renamed: Mapping[str, str] = {}
        self.theory: Theory = Theory((), (), frozenset())
        # All arguments first, so that a line never takes the spelling of one; and of these first the ones whose name in code is fixed.
        for fixed, wanted in product((True, False), (SCALAR, VECTOR)):
            for formula in formulas:
                self.enter(formula)
                for symbol, kind in _arguments(formula.term, self.theory):
                    if kind == wanted and self.has_fixed_name(symbol) == fixed:
                        self.argument(symbol, kind)

    def enter(self, formula: Formula) -> None:
        self.renamed, self.theory = formula.names, formula.theory

    def steps(self) -> Steps:
        results = []
        for formula in self.formulas:
            self.enter(formula)
            try:
                results.append(self.result(formula))
            except EmitError as error:
                raise EmitError(f"theorem {formula.theorem.name}, claim {formula.claim}, {formula.result}: {error}") from None
        return Steps(tuple(self.vectors), tuple(self.scalars), *self.arranged(results))

    def result(self, formula: Formula) -> Result:
        left, right = formula.relation.opened()
        free = dict.fromkeys((*free_indices(left), *free_indices(right)))
        own = [index for index in free if index.range != ROWS]
        if len(own) > 2:
            raise EmitError("more than two free indices; code is printed for scalars, rows and matrices")
        axes = {index: ROW for index in free if index.range == ROWS}
        axes.update(zip(own, (LAST,) if len(own) < 2 else (FIRST, LAST), strict=False))
        node = self.node(right, axes)
        summed = ROW not in axes.values() and _sums_rows(right)
        shape = "matrix" if len(own) == 2 else "scalar" if not own else "column" if summed else "row"
        return Result(formula.result, node, shape)

    # ------------------------------------------------------------ arguments and notions

    def has_fixed_name(self, symbol: str) -> bool:
        return symbol in self.renamed or symbol in ARGUMENTS

    def argument(self, symbol: str, kind: str) -> str:
        """What an argument is called in code. Two symbols with the same fixed name are one argument; else each has its own."""
        wanted = spelling(self.renamed.get(symbol) or ARGUMENTS.get(symbol, symbol))
        key = Argument(kind, wanted if self.has_fixed_name(symbol) else f"own {symbol}")
        if key not in self.spelled:
            self.spelled[key] = self.kept.pop(wanted, "") or self.names.fresh(wanted)
        return self.spelled[key]

    def vector(self, symbol: str) -> Node:
        argument = self.argument(symbol, VECTOR)
        self.vectors[argument] = None
        return name(argument)

    def scalar(self, symbol: str) -> Node:
        argument = self.argument(symbol, SCALAR)
        self.scalars[argument] = None
        return name(argument)

    def line(self, notion: str, owner: str, node: Node) -> Node:
        """The line that holds a notion of the book, such as the variance of x; `owner` is the vector's spelling in code."""
        if (notion, owner) not in self.known:
            first = not any(known == notion for known, _ in self.known)
            wanted = LINES.get(notion, notion)
            own = self.names.fresh(wanted if first else f"{wanted}_{owner}")
            self.known[notion, owner] = own
            self.lines[own] = node
            self.made[node] = own
        return name(self.known[notion, owner])

    def statistics(self, vector: Node, notion: str) -> Node:
        """Mean, deviations or variance of a vector: mu, v or q."""
        owner = str(vector.value)
        mean = self.line("mu", owner, Node("mean", (vector,)))
        if notion == "mu":
            return mean
        deviations = self.line("v", owner, Node("add", (vector, Node("negate", (mean,)))))
        if notion == "v":
            return deviations
        return self.line("q", owner, Node("mean", (Node("multiply", (deviations, deviations)),)))

    def notion(self, symbol: str) -> Node | None:
        """What a symbol of the book stands for, as the name of a line; None where it is an argument."""
        if symbol in self.renamed:
            return None
        for family in self.theory.families:
            for part, notion in ((family.mean, "mu"), (family.deviation, "v"), (family.variance, "q")):
                if symbol == part:
                    return self.statistics(self.vector(family.vector), notion)
        for definition in self.theory.definitions:
            if symbol == definition.name:
                value = definition.value
                axes = {value.indices[0]: LAST} if isinstance(value, Array) else {}
                node = self.node(value.body if isinstance(value, Array) else value, axes, fold=False)
                plain = symbol.rstrip("'")
                owner = "_".join(["", *self.families_of(value)]) if symbol != plain else ""
                return self.line(plain, owner, node)
        return None

    def families_of(self, value: Term | Array) -> tuple[str, ...]:
        return tuple(self.argument(family.vector, VECTOR) for family in self.theory.families if _speaks_of(value, family, self.theory))

    # ------------------------------------------------------------ terms

    def node(self, term: Term, axes: Mapping[Index, str], fold: bool = True) -> Node:
        """The expression for a term whose free indices run along the axes given."""
        if fold and (defined := self.definition_of(term)):
            return defined
        match term:
            case Num(value):
                return number(value) if value >= 0 else Node("negate", (number(-value),))
            case Sym(symbol):
                return self.symbol(symbol)
            case Entry(vector, indices):
                return self.entry(vector, indices, axes)
            case Delta(left, right):
                return self.delta(left, right, axes)
            case Add(args):
                return Node("add", tuple(self.node(arg, axes) for arg in args))
            case Mul(args):
                return self.product(args, axes)
            case Pow(base, exponent):
                return self.product((term,), axes) if exponent < 0 else _power(self.node(base, axes), exponent)
            case Root(radicand):
                return Node("root", (self.node(radicand, axes),))
            case Sum(index, body):
                return self.summed(index, body, axes)
            case Word():
                return self.word(term, axes)
        kind = type(term).__name__.lower()
        raise EmitError(f"a {kind} is left in the formula; offer a claim whose right side is worked out")

    def definition_of(self, term: Term) -> Node | None:
        if isinstance(term, (Mul, Pow, Root)):
            for definition in self.theory.definitions:
                if definition.value == term and definition.name not in self.renamed:
                    return self.notion(definition.name)
        return None

    def symbol(self, symbol: str) -> Node:
        found = self.notion(symbol)
        if found is not None:
            return found
        if symbol in LENGTHS.values() and symbol not in self.renamed:
            return Node("count", (), symbol)
        return self.scalar(symbol)

    def entry(self, vector: str, indices: tuple[Index, ...], axes: Mapping[Index, str]) -> Node:
        rows, own = [i for i in indices if i.range == ROWS], [i for i in indices if i.range != ROWS]
        if len(own) != 1 or len(rows) > 1 or any(i.is_fixed or axes.get(i) != ROW for i in rows):
            raise EmitError(f"the entries of {vector} are not those of a row; code is printed for rows and batches of rows")
        whole = self.notion(vector) or self.vector(vector)
        (index,) = own
        if index.is_fixed:
            if not index.name.isdigit():
                raise EmitError(f"the position {index.name} of {vector} is not a number")
            return Node("entry", (whole,), int(index.name))
        return Node("transpose", (whole,)) if axes[index] == FIRST else whole

    def delta(self, left: Index, right: Index, axes: Mapping[Index, str]) -> Node:
        if {axes.get(left), axes.get(right)} != {FIRST, LAST}:
            raise EmitError("a delta that no sum takes up; offer a claim whose right side is worked out")
        return Node("eye")

    def product(self, args: Iterable[Term], axes: Mapping[Index, str]) -> Node:
        over, under, sign = [], [], 1
        for arg in args:
            match arg:
                case Num(value) if max(abs(value.numerator), value.denominator) > EXACT_INTEGERS:
                    over.append(self.node(arg, axes))  # as one number, rounded once
                case Num(value):
                    sign = -sign if value < 0 else sign
                    over += [number(abs(value.numerator))] if abs(value.numerator) != 1 else []
                    under += [number(value.denominator)] if value.denominator != 1 else []
                case Pow(base, exponent) if exponent < 0:
                    under.append(_power(self.node(base, axes), -exponent))
                case _:
                    over.append(self.node(arg, axes))
        negative = [part for part in over if part.op == "negate"]
        if len(over) == 1 and negative and sign < 0:
            over, sign = [negative[0].args[0]], 1
        top = over[0] if len(over) == 1 else Node("multiply", tuple(over)) if over else number(1)
        whole = Node("divide", (top, under[0] if len(under) == 1 else Node("multiply", tuple(under)))) if under else top
        whole = _as_mean(whole)
        whole = name(self.made[whole]) if whole in self.made else whole
        return Node("negate", (whole,)) if sign < 0 else whole

    # ------------------------------------------------------------ sums and words

    def summed(self, index: Index, body: Term, axes: Mapping[Index, str]) -> Node:
        """A sum: along a row, or over the rows; what does not depend on its index is taken out where the axes would clash."""
        if index.range == ROWS:
            return Node("column_sum", (self.node(body, {**axes, index: ROW}),))
        if not any(place != ROW for other, place in axes.items() if other in free_indices(body)):
            return self.reduced("sum", index, body, axes)
        parts = [self.contracted(index, factors, axes) for factors in _monomials(body, index)]
        return parts[0] if len(parts) == 1 else Node("add", tuple(parts))

    def reduced(self, op: str, index: Index, body: Term, axes: Mapping[Index, str]) -> Node:
        rows = {other: place for other, place in axes.items() if place == ROW}
        node = Node(op, (self.node(body, {**rows, index: LAST}),))
        return name(self.made[node]) if node in self.made else node

    def contracted(self, index: Index, factors: tuple[Term, ...], axes: Mapping[Index, str]) -> Node:
        """The sum over one product: a delta with the index is used up, the factors without it stand outside."""
        for place, factor in enumerate(factors):
            if isinstance(factor, Delta) and index in (factor.left, factor.right):
                other = factor.right if factor.left == index else factor.left
                rest = factors[:place] + factors[place + 1 :]
                return self.product([substitute_indices(x, {index: other}) for x in rest], axes) if rest else number(1)
        inside = tuple(x for x in factors if index in free_indices(x))
        outside = tuple(x for x in factors if index not in free_indices(x))
        if any(place != ROW for other, place in axes.items() if any(other in free_indices(x) for x in inside)):
            raise EmitError("the product of a matrix with a vector stays; code is printed where it can be taken row by row")
        if not inside:
            total = Node("count", (), index.range.length)
        else:
            total = self.reduced("sum", index, Mul(inside) if len(inside) > 1 else inside[0], axes)
        return _times(self.product(outside, axes), total) if outside else total

    def word(self, word: Word, axes: Mapping[Index, str]) -> Node:
        match word:
            case Word("mean" | "total" as op, (Array((place,), body),), _, _) if place.range != ROWS:
                vector = self.plain_vector(body, place, axes)
                if vector is not None and op == "mean" and self.is_family(vector):
                    return self.statistics(vector, "mu")
                return self.reduced("mean" if op == "mean" else "sum", *_opened(place, body, axes), axes)
            case Word("var", (Array((place,), body),), _, _) if (vector := self.plain_vector(body, place, axes)) is not None:
                return self.statistics(vector, "q")
            case Word("core", (Array((place,), body), eps), (index,), _) if (vector := self.plain_vector(body, place, axes)) is not None:
                return self.core(vector, eps, index, axes)  # type: ignore[arg-type]
        return self.node(word.expansion, axes)

    def core(self, vector: Node, eps: Term, index: Index, axes: Mapping[Index, str]) -> Node:
        owner = str(vector.value)
        root = Node("root", (Node("add", (self.statistics(vector, "q"), self.node(eps, axes))),))
        if eps == Sym("eps"):
            root = self.line("s", "" if self.is_family(vector) else owner, root)
            core = Node("divide", (self.statistics(vector, "v"), root))
            core = self.line("u", "" if self.is_family(vector) else owner, core)
        else:
            core = Node("divide", (self.statistics(vector, "v"), root))
        return Node("transpose", (core,)) if axes.get(index) == FIRST else core

    def plain_vector(self, body: Term, place: Index, axes: Mapping[Index, str]) -> Node | None:
        """The argument itself, where a word is applied to all entries of an argument and nothing else."""
        match body:
            case Entry(vector, (*rows, last)) if last == place and all(axes.get(i) == ROW for i in rows):
                return self.vector(vector) if self.notion(vector) is None else None
        return None

    def is_family(self, vector: Node) -> bool:
        """Whether the argument is the book's z, under whatever name."""
        first = self.theory.families[0].vector if self.theory.families else ""
        return vector.value == self.spelled.get(Argument(VECTOR, ARGUMENTS.get(first, first)))

    # ------------------------------------------------------------ order, and parts used twice

    def arranged(self, results: list[Result]) -> tuple[tuple[Line, ...], tuple[Result, ...]]:
        """The lines in the order of their use, and the results, once every part used twice has a name."""
        self.share([result.node for result in results])
        ordered: dict[str, Node] = {}
        finished = []
        for result in results:
            self.shorten(result.node)
            finished.append(Result(result.name, self.settled(result.node, ordered), result.shape))
        parts = [line for line in ordered if re.fullmatch(r"part(_\d+)?", line) and line not in self.spelled.values()]
        owner = self.owner()
        renumbered = dict(zip(parts, sorted(parts, key=lambda part: (len(part), part)), strict=True))
        lines = tuple(Line(renumbered.get(line, line), _finished(node, renumbered, owner)) for line, node in ordered.items())
        return lines, tuple(Result(one.name, _finished(one.node, renumbered, owner), one.shape) for one in finished)

    def owner(self) -> Node | None:
        """The vector whose length is d: x where there is one."""
        return name("x" if "x" in self.vectors else next(iter(self.vectors))) if self.vectors else None

    def shorten(self, node: Node) -> None:
        """Name the longer terms of each sum that is too long for a line."""
        for arg in node.args:
            self.shorten(arg)
        if node.op == "add" and self.length(node) > LONG:
            for arg in node.args:
                inner = arg.args[0] if arg.op == "negate" else arg
                if self.length(inner) > LONG // 3 and inner not in self.made:
                    self.name(inner)

    def length(self, node: Node) -> int:
        """How much of a line the node takes, its named parts counted as names."""
        return 1 + sum(1 if arg in self.made else self.length(arg) for arg in node.args)

    def name(self, node: Node) -> None:
        self.made[node] = self.names.fresh(_label(node))
        self.lines[self.made[node]] = node

    def share(self, tops: list[Node]) -> None:
        """Name every mean and sum, and every other composite part that occurs twice, the smallest first."""
        counts: Counter[Node] = Counter()
        seen: set[Node] = set()
        stack = [*tops]
        counts.update(top for top in tops if top.op not in ("name", "number"))
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            inner = [self.lines[str(node.value)]] if node.op == "name" and node.value in self.lines else list(node.args)
            counts.update(arg for arg in inner if node.op != "name")
            stack += inner
        for node in sorted(counts, key=_size):
            twice = counts[node] > 1 and node.op in ("add", "multiply", "divide", "root", "column_sum")
            if (twice or node.op in ("mean", "sum")) and node not in self.made:
                self.name(node)

    def settled(self, node: Node, ordered: dict[str, Node], own: str = "") -> Node:
        """The node with named parts replaced by their names, the lines that it needs put in order first."""
        made = self.made.get(node)
        if made is not None and made != own:
            node = name(made)
        if node.op == "name":
            if node.value in self.lines and node.value not in ordered:
                line = str(node.value)
                ordered[line] = self.settled(self.lines[line], ordered, line)
            return node
        return Node(node.op, tuple(self.settled(arg, ordered) for arg in self.with_named_prefix(node)), node.value)

    def with_named_prefix(self, node: Node) -> tuple[Node, ...]:
        """The factors of a product, the first ones as one factor where their product has a name: a * b * c is (a * b) * c."""
        if node.op == "multiply":
            for length in range(len(node.args) - 1, 1, -1):
                if (prefix := Node("multiply", node.args[:length])) in self.made:
                    return (prefix, *node.args[length:])
        return node.args


# ---------------------------------------------------------------- small helpers


def _power(base: Node, exponent: int) -> Node:
    return base if exponent == 1 else number(1) if exponent == 0 else Node("power", (base,), exponent)


def _as_mean(node: Node) -> Node:
    """sum/d is a mean."""
    match node:
        case Node("divide", (Node("sum", (body,)), Node("count", (), "d"))):
            return Node("mean", (body,))
    return node


def _times(factor: Node, total: Node) -> Node:
    """The product, where the factor may be a quotient: a/b times a sum is a * sum / b."""
    match factor:
        case Node("negate", (inner,)):
            return Node("negate", (_times(inner, total),))
        case Node("divide", (over, under)):
            return _as_mean(Node("divide", (_times(over, total), under)))
        case Node("number", _, value) if value == 1:
            return total
    return Node("multiply", (factor, total))


def _opened(place: Index, body: Term, axes: Mapping[Index, str]) -> tuple[Index, Term]:
    """The body with a bound index that no outer index is confused with."""
    if place not in axes:
        return place, body
    inner = Index(f"{place.name}·", place.range)
    return inner, substitute_indices(body, {place: inner})


def _monomials(term: Term, index: Index) -> list[tuple[Term, ...]]:
    """The products whose sum is the term, opened as far as the index reaches."""
    if index not in free_indices(term):
        return [(term,)]
    match term:
        case Add(args):
            return [one for arg in args for one in _monomials(arg, index)]
        case Mul(args):
            products: list[tuple[Term, ...]] = [()]
            for arg in args:
                products = [(*left, *right) for left in products for right in _monomials(arg, index)]
            return products
        case Pow(base, exponent) if exponent > 1 and isinstance(base, (Add, Mul)):
            return _monomials(Mul((base,) * exponent), index)
        case Word(_, _, _, expansion):
            return _monomials(expansion, index)
    return [(term,)]


def _size(node: Node) -> int:
    return 1 + sum(map(_size, node.args))


def _leaves(node: Node) -> Iterator[str]:
    if node.op == "name":
        yield str(node.value)
    for arg in node.args:
        yield from _leaves(arg)


def _label(node: Node) -> str:
    """A name for a part that is used twice."""
    leaves = tuple(dict.fromkeys(_leaves(node)))
    match node:
        case Node("mean" | "sum" | "column_sum" as op, _):
            return "_".join((op.removeprefix("column_"), *leaves)) if len(leaves) <= 3 else op
        case Node("add", (vector, Node("negate", (Node("mean", (other,)),)))) if vector == other and len(leaves) <= 3:
            return "_".join(("centred", *leaves))
        case Node("multiply", args) if all(arg.op == "name" for arg in args) and len(args) == 2:
            return "_".join(leaves)
    return "part"


def _finished(node: Node, table: Mapping[str, str], owner: Node | None) -> Node:
    """The node with lines renamed, and with lengths that are read off a vector."""
    if node.op == "name":
        return name(table.get(str(node.value), str(node.value)))
    if node.op in ("count", "eye"):
        if owner is None:
            raise EmitError("the number of coordinates occurs, but no vector of which to read it off; offer a formula with a vector in it")
        return Node(node.op, (owner,), node.value)
    return Node(node.op, tuple(_finished(arg, table, owner) for arg in node.args), node.value)


def _sums_rows(term: Term) -> bool:
    match term:
        case Sum(index, body):
            return index.range == ROWS or _sums_rows(body)
        case Add(args) | Mul(args):
            return any(map(_sums_rows, args))
        case Pow(base, _):
            return _sums_rows(base)
    return False


def _arguments(term: Term, theory: Theory) -> Iterator[tuple[str, str]]:
    """The vectors and scalars that must be given, in the order met, each with its kind."""
    owners = {x: family.vector for family in theory.families for x in (family.deviation, family.mean, family.variance)}
    values = {definition.name: definition.value for definition in theory.definitions}
    stack: list[Term | Array] = [term]
    while stack:
        node = stack.pop(0)
        match node:
            case Array(_, body):
                stack.insert(0, body)
            case Sym(symbol) | Entry(symbol, _):
                if symbol in owners:
                    yield owners[symbol], VECTOR
                elif symbol in values:
                    stack.insert(0, values[symbol])
                elif isinstance(node, Entry):
                    yield symbol, VECTOR
                elif symbol not in LENGTHS.values():
                    yield symbol, SCALAR
            case Word(_, _, _, expansion):
                stack[:0] = children(node)[:-1] or [expansion]
            case _:
                stack[:0] = children(node)


def _speaks_of(value: Term | Array, family: Family, theory: Theory) -> bool:
    return (family.vector, VECTOR) in set(_arguments(value.body if isinstance(value, Array) else value, theory))

"""Proofs that printed row functions of JavaScript say what their theorem says: the text is read as terms, the kernel judges each result.

What is proved holds in real arithmetic for every number of coordinates, with helpers (`meanOf`, `power`, ...) that do what their names say;
the helpers, the checks of arguments and the sums over rows are tested, not proved. Imports the validation's statements of theorems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from lnsym.emit.plan import Plan
from lnsym.emit.statements import ARGUMENTS, spelling
from lnsym.emit.trace.symbolic import GIVEN, written
from lnsym.emit.validate import naming, stated, theory_of
from lnsym.errors import EmitError, KernelError
from lnsym.kernel import terms as t
from lnsym.kernel.prove import prove

HELPERS = ("meanOf", "sumOf", "vectorOf", "matrixOf", "power", "delta", "entryOf", "fraction", "plus", "minus", "times", "over", "rootOf")
# What named steps stand for, tried one by one: a step that is proved to be a notion of the book is from there on written as that notion.
NOTIONS = {"mean": "mu", "deviations": "v", "variance": "q", "root": "s", "rstd": "r", "ratio": "rho", "core": "u"}
TOKEN = re.compile(r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_$][\w$]*)|(?P<mark>=>|[-+*/()\[\]{}.,:;=])|(?P<end>$))")

Value = t.Term | t.Array


class NotRead(EmitError):
    """A text that is outside the part of JavaScript that is read."""


@dataclass(frozen=True)
class Proof:
    """What was proved of one row function: its named steps, and those of them that are notions of the book."""

    steps: int
    proofs: int


def proved(source: str, plan: Plan, beside: tuple[str, ...] = ()) -> Proof:
    """Read the row function of an operation from the text of a module, and have the kernel prove each of its results.

    `beside` are names under which the function may return more than its results; what stands there is not read.
    """
    book = plan.formulas[0].theory
    theory = theory_of(book, 1)
    found = _Function(source, plan, theory, beside).read()
    for formula in plan.formulas:
        if formula.result not in found.results:
            raise EmitError(f"{plan.op}: the text gives no {formula.result}")
        wanted, value = stated(formula, 1, 1, {}, book), _opened(found.results[formula.result])
        if fault := _disproof(theory, value, wanted):
            where = f"claim {formula.claim} of {formula.theorem.name}"
            raise EmitError(f"{plan.op}: {formula.result} is {written(value)}, which is not the {written(wanted)} of {where} ({fault})")
    if extra := [name for name in found.results if name not in plan.results]:
        raise EmitError(f"{plan.op}: no theorem states {', '.join(extra)}, which the text gives")
    return Proof(found.steps, found.notions + len(plan.formulas))


def _opened(value: Value) -> t.Term:
    """A result with its free indices named as the statements of theorems name them: the last axis is 1, the first of two is 2."""
    if isinstance(value, t.Term):
        return value
    return value[tuple(t.hole(len(value.indices) - n) for n in range(len(value.indices)))]


def _disproof(theory: t.Theory, left: t.Term, right: t.Term) -> str:
    """Why the kernel does not accept that two terms are equal; empty where it does, wherever the right one has a value."""
    try:
        needs = {*prove(theory, t.Relation("=", left, right), GIVEN).conditions}
        needs -= {*prove(theory, t.Relation("=", right, right), GIVEN).conditions}
    except KernelError as error:
        return str(error)
    return f"only where {needs}" if needs else ""


# ---------------------------------------------------------------- reading


@dataclass
class _Read:
    results: dict[str, Value]
    steps: int = 0
    notions: int = 0


class _Function:
    """One row function: its tokens, and what its names stand for."""

    def __init__(self, source: str, plan: Plan, theory: t.Theory, beside: tuple[str, ...]) -> None:
        self.op, self.theory, self.beside = plan.op, theory, beside
        texts = re.findall(rf"^function {re.escape(plan.op)}_row\((.*?)\) \{{\n(.*?)^\}}$", source, re.MULTILINE | re.DOTALL)
        if len(texts) != 1 or source.count(f"function {plan.op}_row") != 1:
            raise NotRead(f"{plan.op}: the text must have one function {plan.op}_row")
        arguments, body = texts[0]
        self.tokens = list(_tokens(body))
        self.place = 0
        self.bound = 0
        known = dict(_symbols(plan))
        self.names: dict[str, Value] = {}
        self.indices: dict[str, t.Index] = {}
        for argument in filter(None, arguments.split(", ")):
            if argument not in known:
                raise NotRead(f"{plan.op}: the argument {argument} is no symbol of its theorem under its own name")
            self.names[argument] = known[argument]

    def read(self) -> _Read:
        found = _Read({})
        while self.next() == "const":
            name = self.name()
            self.expect("=")
            value = self.length() if name == "d" else self.expression()
            self.expect(";")
            if name in self.names:
                raise NotRead(f"{self.op}: {name} is given twice")
            self.names[name] = value
            found.steps += 1
            if (notion := self.notion(name, value)) is not None:
                self.names[name] = notion
                found.notions += 1
        self.back().expect("return", "{")
        while not self.found("}"):
            name = self.name()
            self.expect(":")
            if name in self.beside:
                self.skip()
            else:
                found.results[name] = self.expression()
            self.expect(",")
        self.expect(";", "")
        return found

    def length(self) -> t.Term:
        """The length of a vector: d."""
        self.vector()
        self.expect(".", "length")
        return t.Sym("d")

    def notion(self, name: str, value: Value) -> Value | None:
        """The notion of the book that a step is proved to be, if its name says one."""
        if name not in NOTIONS:
            return None
        symbol = f"{NOTIONS[name]}:1"
        own = t.Array((t.hole(1),), t.Entry(symbol, (t.hole(1),))) if isinstance(value, t.Array) else t.Sym(symbol)
        return own if not _disproof(self.theory, _opened(value), _opened(own)) else None

    # ------------------------------------------------------------ expressions

    def expression(self) -> Value:
        """A sum."""
        value = self.product()
        while (mark := self.next()) in ("+", "-"):
            other = self.scalar(self.product())
            value = self.scalar(value) + other if mark == "+" else self.scalar(value) - other
        self.back()
        return value

    def product(self) -> Value:
        value = self.signed()
        while (mark := self.next()) in ("*", "/"):
            value, other = self.scalar(value), self.scalar(self.signed())
            value = _product(value, other) if mark == "*" else value / other
        self.back()
        return value

    def signed(self) -> Value:
        if self.found("-"):
            return -self.scalar(self.atom())
        return self.atom()

    def atom(self) -> Value:
        token = self.next()
        if token.isdigit():
            return t.Num(Fraction(int(token)))
        if token == "(":
            value = self.expression()
            self.expect(")")
            return value
        if token == "Math":
            self.expect(".", "sqrt")
            return t.Root(self.arguments(1)[0])
        if token in HELPERS:
            return self.helper(token)
        self.back()
        return self.named()

    def named(self) -> Value:
        """A name with as many indices as it has; without any, it is the whole."""
        name = self.name()
        if name not in self.names:
            raise NotRead(f"{self.op}: {name} is not known where it is used")
        value = self.names[name]
        places = []
        while self.found("["):
            places.append(self.index())
            self.expect("]")
        if not places:
            return value
        if not isinstance(value, t.Array) or len(places) != len(value.indices):
            raise NotRead(f"{self.op}: {name} has other indices than those given")
        found: t.Term = value[tuple(places)]
        return found

    def helper(self, name: str) -> Value:
        match name:
            case "vectorOf" | "matrixOf":
                return self.array(1 if name == "vectorOf" else 2)
            case "meanOf" | "sumOf":
                (index,), body = self.each(1)
                total = t.Sum(index, body)
                return total / t.Sym("d") if name == "meanOf" else total
            case "delta":
                self.expect("(")
                left = self.index()
                self.expect(",")
                right = self.index()
                self.expect(")")
                return t.Delta(left, right)
            case "entryOf":
                self.expect("(")
                vector = self.vector()
                self.expect(",")
                place = self.next()
                self.expect(")")
                return vector[t.Index(place)]
            case "power":
                base, exponent = self.arguments(2)
                if not isinstance(exponent, t.Num) or exponent.value.denominator != 1:
                    raise NotRead(f"{self.op}: the exponent {written(exponent)} is no integer")
                return t.Pow(base, exponent.value.numerator)
            case "fraction":
                parts = self.arguments()
                return parts[0] / parts[1] if len(parts) == 2 else parts[0]
            case "plus":
                return t.Add(tuple(self.arguments()))
            case "times":
                return reduce(_product, self.arguments())
            case "minus":
                return -self.arguments(1)[0]
            case "over":
                over, under = self.arguments(2)
                return t.Mul((over, t.Pow(under, -1)))
        return t.Root(self.arguments(1)[0])

    def arguments(self, count: int = 0) -> list[t.Term]:
        """The arguments of a call in brackets."""
        self.expect("(")
        found = [self.scalar(self.expression())]
        while self.found(","):
            found.append(self.scalar(self.expression()))
        self.expect(")")
        if count and len(found) != count:
            raise NotRead(f"{self.op}: {count} arguments are expected, not {len(found)}")
        return found

    def array(self, axes: int) -> t.Array:
        indices, body = self.each(axes)
        holes = tuple(t.hole(n + 1) for n in range(axes))
        return t.Array(holes, t.substitute_indices(body, dict(zip(indices, holes, strict=True))))

    def each(self, axes: int) -> tuple[tuple[t.Index, ...], t.Term]:
        """(d, (i) => body): the indices, each new, and the body."""
        self.expect("(", "d", ",", "(")
        outer = dict(self.indices)
        indices = []
        for n in range(axes):
            if n:
                self.expect(",")
            self.bound += 1
            index = self.indices[self.name()] = t.Index(f"i{self.bound}")
            indices.append(index)
        self.expect(")", "=>")
        body = self.scalar(self.expression())
        self.expect(")")
        self.indices = outer
        return tuple(indices), body

    def index(self) -> t.Index:
        name = self.name()
        if name not in self.indices:
            raise NotRead(f"{self.op}: {name} is no index here")
        return self.indices[name]

    def vector(self) -> t.Array:
        value = self.names.get(name := self.name())
        if not isinstance(value, t.Array) or len(value.indices) != 1:
            raise NotRead(f"{self.op}: {name} is no vector")
        return value

    def scalar(self, value: Value) -> t.Term:
        if isinstance(value, t.Array):
            raise NotRead(f"{self.op}: an array stands where a number is expected")
        return value

    # ------------------------------------------------------------ tokens

    def next(self) -> str:
        self.place += 1
        return self.tokens[min(self.place, len(self.tokens)) - 1]

    def back(self) -> _Function:
        self.place -= 1
        return self

    def found(self, mark: str) -> bool:
        if self.next() == mark:
            return True
        self.back()
        return False

    def name(self) -> str:
        token = self.next()
        if not re.match(r"[A-Za-z_$]", token):
            raise NotRead(f"{self.op}: a name is expected before {token!r}")
        return token

    def expect(self, *marks: str) -> None:
        for mark in marks:
            if (token := self.next()) != mark:
                raise NotRead(f"{self.op}: {mark!r} is expected, not {token!r}")

    def skip(self) -> None:
        """Pass over a call whose value is no result."""
        depth = 0
        while not ((token := self.next()) == "," and depth == 0):
            depth += {"(": 1, ")": -1}.get(token, 0)
            if token == "":
                raise NotRead(f"{self.op}: the text ends within a call")
        self.back()


def _product(left: t.Term, right: t.Term) -> t.Term:
    """The product; of equal factors it is a square, which the kernel sees to be nonnegative."""
    return left**2 if left == right else left * right


def _tokens(text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise NotRead(f"a row function holds {text[place : place + 20].strip()!r}, which is not read")
        place = found.end()
        yield found[0].strip()
    yield ""


def _symbols(plan: Plan) -> Iterator[tuple[str, Value]]:
    """What the arguments of a row function are called in code, and what each is in the statements of the theorems."""
    for formula in plan.formulas:
        names: Callable[[str], str] = naming(formula.theory, formula.names, 1)
        for symbol, is_vector in _free(formula.term, formula.theory):
            name = names(symbol)
            code = spelling(formula.names.get(symbol) or ARGUMENTS.get(symbol, symbol))
            yield code, t.Array((t.hole(1),), t.Entry(name, (t.hole(1),))) if is_vector else t.Sym(name)


def _free(term: t.Term, theory: t.Theory) -> Iterator[tuple[str, bool]]:
    """The symbols of a term and of the definitions behind it, vectors or not."""
    values: Mapping[str, object] = {one.name: one.value for one in theory.definitions}
    owners = {part: one.vector for one in theory.families for part in (one.deviation, one.mean, one.variance)}
    todo: list[object] = [term]
    while todo:
        node = todo.pop()
        match node:
            case t.Sym(name) | t.Entry(name, _):
                if name in owners:
                    yield owners[name], True
                elif name in values:
                    todo.append(values[name])
                else:
                    yield name, isinstance(node, t.Entry)
            case t.Array(_, body):
                todo.append(body)
            case t.Word(_, _, _, expansion):
                todo.append(expansion)
            case t.Term():
                todo += t.children(node)

"""A relation as Python source for SymPy at symbolic d, with the declarations that it needs. Imports the kernel's terms; not SymPy."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lnsym.kernel.terms import (
    LENGTHS,
    Add,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
    Word,
)

_BUILD = {"=": "Eq", "<=": "Le", "<": "Lt", "!=": "Ne"}
_PLAIN = {"lambda": "lambda_", "E": "E_", "I": "I_", "N": "N_", "S": "S_", "Q": "Q_"}  # names that Python or SymPy has taken


def source(relation: Relation, positive: frozenset[str] = frozenset()) -> str:
    """Three or more lines of Python: import, symbols, and the relation as `claim`, sums and derivatives unevaluated."""
    writer = _Writer(positive)
    left, right = (writer.write(side) for side in relation.opened())
    return "\n".join(("from sympy import *", *writer.declarations(), f"claim = {_BUILD[relation.kind]}({left}, {right}, evaluate=False)"))


class _Writer:
    """Writes terms and remembers the names that they use."""

    def __init__(self, positive: frozenset[str]) -> None:
        self.positive = positive
        self.scalars: set[str] = set()
        self.vectors: set[str] = set()
        self.indices: set[str] = set()

    def declarations(self) -> Iterable[str]:
        """One line for each name, in alphabetical order."""
        for name in sorted(self.indices):
            yield f'{name} = Symbol("{name}", integer=True, positive=True)'
        for name in sorted(self.scalars):
            yield f'{_python(name)} = Symbol("{_shown(name)}", {self.kind(name)})'
        for name in sorted(self.vectors):
            yield f'{_python(name)} = IndexedBase("{_shown(name)}", real=True)'

    def kind(self, name: str) -> str:
        """What SymPy is told of a scalar."""
        if name in LENGTHS.values():
            return "integer=True, positive=True"
        return "positive=True" if name in self.positive else "real=True"

    def write(self, term: Term) -> str:
        """The term as an expression that may stand inside any other."""
        match term:
            case Num(value):
                text = str(value.numerator) if value.denominator == 1 else f"Rational({value.numerator}, {value.denominator})"
                return f"({text})" if value < 0 else text
            case Sym(name):
                self.scalars.add(name)
                return _python(name)
            case Entry(name, indices):
                self.vectors.add(name)
                return f"{_python(name)}[{', '.join(map(self.index, indices))}]"
            case Delta(left, right):
                return f"KroneckerDelta({self.index(left)}, {self.index(right)})"
            case Add(args):
                return "(" + " + ".join(map(self.write, args)) + ")"
            case Mul(args):
                return self._product(args)
            case Pow(base, exponent):
                return f"{self.write(base)}**{exponent}" if exponent > 0 else f"(1/{self.write(base)}**{-exponent})"
            case Power(base, exponent, shift):
                return f"{self.write(base)}**({self.write(exponent)} + {shift})"
            case Root(radicand):
                return f"sqrt({self.write(radicand)})"
            case Sum(index, body):
                return f"Sum({self.write(body)}, ({self.index(index)}, 1, {self.write(Sym(index.range.length))}))"
            case Geometric(base, upper, shift, index, body):
                end, place = f"{self.write(upper)} + {shift}", self.index(index)
                return f"Sum({self.write(base)}**({end} - {place})*{self.write(body)}, ({place}, 1, {end}))"
            case Derivative(body, variable):
                return f"Derivative({self.write(body)}, {self.write(variable)})"
            case Expectation(body, random):
                names = "".join(f', Symbol("{_shown(name)}")' for name in random)
                return f'Function("E")({self.write(body)}{names})'
            case Word(_, _, _, expansion):
                return self.write(expansion)
        raise TypeError(f"expected a term, got {term!r}")

    def _product(self, args: tuple[Term, ...]) -> str:
        over = [self.write(arg) for arg in args if not _inverse(arg)]
        under = [self.write(Pow(arg.base, -arg.exponent)) for arg in args if isinstance(arg, Pow) and _inverse(arg)]
        return "(" + "*".join(over or ["Integer(1)"]) + "".join(f"/{factor}" for factor in under) + ")"

    def index(self, index: Index) -> str:
        """An index: a number, a letter, or a letter and a number."""
        name = index.name.replace("·", "p")
        if not name.isdigit():
            self.indices.add(name.partition("+")[0])
        return name


def _inverse(term: Term) -> bool:
    return isinstance(term, Pow) and term.exponent < 0


def _python(name: str) -> str:
    plain = name.replace("'", "_prime")
    return _PLAIN.get(plain, plain)


def _shown(name: str) -> str:
    return re.sub(r"^eps\b", "epsilon", name)

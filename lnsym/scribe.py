"""Writes the kernel's normal forms as terms that have that normal form. Imports the kernel only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, islice

from lnsym.errors import KernelError
from lnsym.kernel.normal import Gen, Mono, Normalizer, Poly, indices_of, release, rename
from lnsym.kernel.terms import COORDINATES, LENGTHS, LETTERS, Delta, Entry, Index, Num, Pow, Power, Range, Root, Sum, Sym, Term

RANGES = {name: Range(name, length) for name, length in LENGTHS.items()}


class Unwritable(KernelError):
    """A part of a normal form that no term is written for."""


class Scribe:
    """Writes the polynomials of one normalizer."""

    def __init__(self, normalizer: Normalizer) -> None:
        self.normalizer = normalizer
        self.depth = 0  # sums inside one another

    def poly(self, poly: Poly) -> Term:
        """The term of a polynomial, positive parts first."""
        parts = [self.mono(mono, value) for mono, value in sorted(poly.items(), key=lambda part: (part[1] < 0, repr(part[0])))]
        return add_up(parts)

    def mono(self, mono: Mono, value: Fraction | int = 1) -> Term:
        """The term of a number times a monomial."""
        factors = [power(self.generator(g), e) for g, e in mono]
        return product([Num(Fraction(value)), *factors] if value != 1 else factors)

    def generator(self, generator: Gen) -> Term:
        """The term of a generator."""
        match generator:
            case ("c", name):
                return Sym(name)
            case ("t", base, exponent):
                return Power(Sym(base), Sym(exponent))
            case ("x", name, keys):
                ranges = self.normalizer.shapes.get(name, (COORDINATES.name,) * len(keys))
                return Entry(name, tuple(index_of(key, RANGES[range_]) for key, range_ in zip(keys, ranges, strict=True)))
            case ("k", keys):
                first, *rest = (index_of(key, COORDINATES) for key in keys)
                return product([Delta(first, other) for other in rest])
            case ("p", range_, _):
                body, place = release(generator)
                free = indices_of(generator)
                names = (f"{letter}{n or ''}" for n in count() for letter in LETTERS.get(range_, "ijklm"))
                keys = ((x, x if range_ == COORDINATES.name else f"{range_}.{x}") for x in names)
                name, key = next(islice((pair for pair in keys if pair[1] not in free), self.depth, None))
                self.depth += 1
                term = Sum(Index(name, RANGES[range_]), self.poly(rename(body, {place: key})))
                self.depth -= 1
                return term
            case ("e", number, _):
                value = self.poly(self.normalizer.value_of(generator))
                return Root(value) if self.normalizer.extensions[number].kind == "root" else Pow(value, -1)
        raise Unwritable("a geometric sum or an expectation has no term here")


def index_of(key: str, range_: Range) -> Index:
    """The index behind its name inside polynomials."""
    if key.startswith("#"):
        return Index(key[1:], range_)
    name, dot, own = key.partition(".")
    return Index(own, RANGES[name]) if dot else Index(key)


def power(base: Term, exponent: int) -> Term:
    """An integer power, the first left unwritten."""
    return base if exponent == 1 else Pow(base, exponent)


def add_up(parts: Sequence[Term]) -> Term:
    """The sum of terms; 0 for none."""
    result: Term = parts[0] if parts else Num(Fraction(0))
    for part in parts[1:]:
        result = result + part
    return result


def product(factors: Sequence[Term]) -> Term:
    """The product of terms; 1 for none."""
    result: Term = factors[0] if factors else Num(Fraction(1))
    for factor in factors[1:]:
        result = result * factor
    return result

"""The SymPy symbols that stand for the names of a theory, with their assumptions. Imports SymPy and the kernel's terms."""

from __future__ import annotations

import re
from collections.abc import Mapping

import sympy as sp

from lnsym.kernel.terms import BLOCKS, COORDINATES, INPUTS, ROWS, STEPS, Array, Index, Range, Root, Term, Theory
from lnsym.lang import mean, var, vector

RANGES = {range_.length: range_ for range_ in (COORDINATES, INPUTS, ROWS, STEPS, BLOCKS)}
GREEK = {"eps": "epsilon"}
PLAIN = {"epsilon": "eps", "varepsilon": "eps", "ε": "eps", "ϵ": "eps", "μ": "mu", "γ": "gamma", "β": "beta", "ρ": "rho", "σ": "sigma"}
ENTRY_NAME = re.compile(r"(?P<vector>.*?[^_\d]\d*?)_(?P<places>\d+(?:_\d+)?)")
EXPECTED = sp.Function("E")


def plain(name: str) -> str:
    """Our name for a SymPy name: epsilon is eps."""
    return PLAIN.get(name, name)


def meanings(theory: Theory) -> dict[str, Term | Array]:
    """What each derived name of the theory stands for: deviations, means, variances and the definitions."""
    table: dict[str, Term | Array] = {}
    for family in theory.families:
        z = vector(family.vector)
        table |= {family.deviation: z - mean(z), family.mean: mean(z), family.variance: var(z)}
    return table | {definition.name: definition.value for definition in theory.definitions}


def fixed_place(index: Index, sizes: Mapping[str, int]) -> int | None:
    """The number of a fixed position: 3, or t+1 where t has a number; None where it has none."""
    symbol, _, shift = index.name.rpartition("+")
    if not symbol:
        return int(shift)
    return sizes[symbol] + int(shift) if symbol in sizes else None


class Names:
    """SymPy symbols by our names. Equal names give equal symbols, so that they meet across expressions."""

    def __init__(self, theory: Theory, positive: frozenset[str] = frozenset({"eps"})) -> None:
        self.positive = theory.positive | positive
        roots = {one.name for one in theory.definitions if isinstance(one.value, Root)}
        self.nonnegative = roots | {family.variance for family in theory.families}

    def scalar(self, name: str) -> sp.Symbol:
        """The symbol of a scalar."""
        shown = GREEK.get(name, name)
        if name in RANGES:
            return sp.Symbol(shown, integer=True, positive=True)
        if name in self.positive:
            return sp.Symbol(shown, positive=True)
        if name in self.nonnegative:
            return sp.Symbol(shown, nonnegative=True)
        return sp.Symbol(shown, real=True)

    def entry(self, vector: str, places: tuple[sp.Expr | int, ...]) -> sp.Expr:
        """z_1 at fixed places, z[i] where a place is an index."""
        if all(isinstance(place, int) for place in places):
            return sp.Symbol("_".join((GREEK.get(vector, vector), *map(str, places))), real=True)
        return sp.IndexedBase(GREEK.get(vector, vector), real=True)[places]

    def index(self, name: str, range_: Range) -> sp.Expr:
        """The symbol of an index; away from the coordinates it carries its range."""
        if range_ == COORDINATES:
            return sp.Symbol(name, integer=True, positive=True)
        return sp.Idx(name, (1, self.scalar(range_.length)))


def read_entry(name: str) -> tuple[str, tuple[Index, ...]] | None:
    """The vector and the places behind a symbol such as z_1, or None for a scalar."""
    found = ENTRY_NAME.fullmatch(name)
    if found is None:
        return None
    return plain(found["vector"]), tuple(map(Index, found["places"].split("_")))

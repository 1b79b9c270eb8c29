"""Facts of scalar calculus as formulas, one for each relation; nothing is judged here. Imports SymPy when called."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lnsym.errors import DerivationError

_LONGEST = 220  # a longer formula says less than the fact's title


@dataclass(frozen=True)
class Fact:
    """What a fact of scalar calculus says: in words, and as formulas."""

    title: str
    formulas: tuple[str, ...]


def fact(name: str, theorem: str) -> Fact:
    """The fact that a claim of a theorem names."""
    import sympy

    from lnsym.model.calculus import FACTS

    for one in FACTS:
        if one.name == name:
            written = (_plain(sympy.latex(relation)) for relation in one.relations())
            return Fact(one.title, tuple(formula for formula in written if len(formula) <= _LONGEST))
    raise DerivationError(f"{theorem}: no fact of scalar calculus is named {name!r}; there are {', '.join(one.name for one in FACTS)}")


def _plain(latex: str) -> str:
    """SymPy's LaTeX with our epsilon, and without constructions that only some printers know."""
    latex = latex.replace("\\epsilon", "\\varepsilon").replace("\\int\\limits", "\\int").replace("\\;", "\\ ").replace("\\middle|", "\\mid")
    latex = re.sub(r"\\substack\{ (.*?) \}", lambda found: found[1].replace("\\\\", ",\\ "), latex)
    return latex.replace("\\left\\{", "\\{").replace("\\right\\}", "\\}")

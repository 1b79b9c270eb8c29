"""The words of a report: facts, rules, hypotheses, shapes and points, as texts with $formulas$. Imports up to notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from lnsym.derivation import Rule
from lnsym.evaluate import SAMPLE
from lnsym.kernel.terms import Array, Hypothesis, Range, Relation, Sym, Term, Theory, free_indices
from lnsym.lang import vector
from lnsym.notation import latex
from lnsym.refute import Point
from lnsym.report.numbers import table

RELATIONS = {"=": "=", "<=": "\\le", "<": "<", "!=": "\\ne"}
FACTS = {
    "count": "$\\sum_i 1=d$",
    "centred": "$\\sum_i v_i=0$",
    "variance": "$\\sum_i v_i^2=dq$",
    "split": "$z_i=\\mu+v_i$",
    "given": "a hypothesis or an earlier theorem",
    "root": "$(\\sqrt{x})^2=x$",
    "derivative": "the rules of differentiation",
}


def fact(name: str, theory: Theory) -> str:
    """A fact of the kernel in words."""
    if name in FACTS:
        return FACTS[name]
    notion = name.removeprefix("unfold:")
    return f"${definition(notion, theory)}$"


def definition(notion: str, theory: Theory) -> str:
    """The definition of a notion as a LaTeX equation, entry by entry for a vector."""
    value = next(one.value for one in theory.definitions if one.name == notion)
    left = vector(notion, value.indices[0].range) if isinstance(value, Array) else Sym(notion)
    return latex(Relation("=", left, value))


def rule(rules: Sequence[Rule], titles: Mapping[str, str]) -> str:
    """The rules of a step in words; a theorem by its title."""
    return "; ".join(f"by the theorem “{titles[r.theorem].rstrip('.')}”" if r.theorem else f"`{r.name}`: {r.says}" for r in rules)


def hypothesis(one: Hypothesis) -> str:
    """A hypothesis as a formula in a text."""
    return f"${latex(one)}$"


def shapes(relation: Relation) -> str:
    """The shape of both sides: over which indices a line is meant."""
    whole = next((side for side in (relation.left, relation.right) if isinstance(side, Array)), None)
    if whole is not None:
        lengths = " \\times ".join(latex(Sym(index.range.length)) for index in whole.indices)
        kind = "a vector of length" if len(whole.indices) == 1 else "a matrix of size"
        return f"{kind} ${lengths}$, entry by entry"
    left, right = (side for side in (relation.left, relation.right) if isinstance(side, Term))
    free = {**free_indices(left), **free_indices(right)}
    if not free:
        return "a number"
    groups: dict[Range, list[str]] = {}
    for index in free:
        groups.setdefault(index.range, []).append(latex(Sym(index.name)))
    texts = (f"${','.join(names)}=1,\\ldots,{latex(Sym(range_.length))}$" for range_, names in groups.items())
    return "a number for each " + " and ".join(texts)


def parts(at: Point, given: Mapping[str, int] | None = None) -> tuple[str, ...]:
    """A point as equations in LaTeX; a length is told only where no vector shows it. `given` places free indices."""
    seen = {len(entries) for entries in at.vectors.values()}
    found = [f"{name(size)}={number}" for size, number in sorted(at.sizes.items()) if number not in seen]
    found += [f"{name(vector_)}={table(entries)}" for vector_, entries in at.vectors.items()]
    found += [f"{name(scalar)}={table(Fraction(value))}" for scalar, value in at.scalars.items()]
    return (*found, *(f"{name(index)}={place}" for index, place in (given or {}).items()))


def point(at: Point, given: Mapping[str, int] | None = None) -> str:
    """A point as one formula."""
    return ",\\ ".join(parts(at, given))


def name(text: str) -> str:
    """A name as LaTeX; the second value of a random vector is marked."""
    return latex(Sym(text.removesuffix(SAMPLE))) + ("^{(2)}" if text.endswith(SAMPLE) else "")

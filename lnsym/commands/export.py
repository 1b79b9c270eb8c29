"""`lnsym show --format latex|sympy`: a theorem's claims as LaTeX displays, and as Python that can be run. Imports up to the report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lnsym.commands.layout import values
from lnsym.derivation import Calculus, Claim, Example, Theorem
from lnsym.kernel.terms import Relation, opened
from lnsym.notation import latex, text

LATEX_SIGNS = {"=": "=", "<=": "\\le", "<": "<", "!=": "\\ne"}


def as_latex(theorem: Theorem) -> Iterator[str]:
    """For each claim its hypotheses and a display: an aligned calculation where it has one, else the relation. Needs amsmath."""
    for checked in theorem.claims:
        claim = checked.claim
        if checked.given and not isinstance(claim, Example):
            yield f"If ${', '.join(map(latex, checked.given))}$:"
        if checked.steps:
            sides = opened(checked.steps[0].relation.left, *(step.relation.right for step in checked.steps))
            lines = [latex(sides[0])]
            for step, side in zip(checked.steps, sides[1:], strict=True):
                rules = ", ".join(rule.name for rule in step.step.rules).replace("_", "\\_")
                lines.append(f"&{LATEX_SIGNS[step.relation.kind]} {latex(side)} && \\text{{({rules})}}")
            yield "\\begin{align*}\n" + lines[0] + "\n" + " \\\\\n".join(lines[1:]) + "\n\\end{align*}"
            continue
        for relation in _of(claim):
            yield "\\[\n" + latex(relation) + "\n\\]"
        if isinstance(claim, Claim) and claim.relation is None:
            from lnsym.model import calculus_fact

            assert isinstance(claim.proof, Calculus)
            yield "\\[\n" + calculus_fact(claim.proof.fact).latex + "\n\\]"


def as_sympy(theorem: Theorem) -> Iterator[str]:
    """Python that can be run: the symbols of the theorem, then each relation as SymPy."""
    import sympy as sp

    from lnsym.model import to_sympy

    lines: list[tuple[str, str, sp.Basic]] = []
    notes = []
    for number, checked in enumerate(theorem.claims, 1):
        claim = checked.claim
        if isinstance(claim, Claim) and isinstance(claim.proof, Calculus):
            notes.append(f"# claim {number} is SymPy's own calculus: lnsym.model.calculus_fact({claim.proof.fact!r})")
        for part, relation in enumerate(_of(claim), 1):
            name = f"claim_{number}" + (f"_{part}" if isinstance(claim, Example) else "")
            where = f"at {values(claim.at)}" if isinstance(claim, Example) else checked.status
            given = "" if isinstance(claim, Example) or not checked.given else f"if {', '.join(map(text, checked.given))}: "
            lines.append((name, f"{given}{text(relation)}  ({where})", to_sympy(relation)))
    yield "from sympy import *"
    yield ""
    atoms = set().union(*(one.atoms(sp.Symbol, sp.Idx, sp.IndexedBase) for _, _, one in lines))
    bases = {atom.label for atom in atoms if isinstance(atom, (sp.IndexedBase, sp.Idx))}
    labels = {str(atom) for atom in atoms if isinstance(atom, sp.IndexedBase)}
    atoms = {atom for atom in atoms - bases if not (isinstance(atom, sp.Symbol) and atom.name in labels)}
    for atom in sorted(atoms, key=lambda atom: (isinstance(atom, sp.Idx), isinstance(atom, sp.IndexedBase), str(atom))):
        yield f"{_python(atom)} = {_declared(atom)}"
    for function in sorted({str(one.func) for _, _, x in lines for one in x.atoms(sp.core.function.AppliedUndef)}):
        yield f'{function} = Function("{function}")'
    for name, says, one in lines:
        yield f"\n# {says}\n{name} = {_python(one)}"
    yield from notes


def _python(one: object) -> str:
    """SymPy's text of an expression, as Python that makes it again: 2/3 would be a float there."""
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):  # type: ignore[misc]
        def _print_Rational(self, number: Any) -> str:  # noqa: N802 - SymPy's name
            return f"Rational({number.p}, {number.q})"

    return str(Printer().doprint(one)).replace("'", "_prime")


def _declared(atom: Any) -> str:
    """The call that makes a SymPy symbol again, with what is assumed of it."""
    kind = type(atom).__name__
    if kind == "Idx":
        return f'Idx("{atom.label}", ({atom.lower}, {atom.upper}))'
    given = (atom.label if kind == "IndexedBase" else atom).assumptions0
    assumed = [word for word in ("integer", "positive", "nonnegative", "real") if given.get(word)]
    implied = {"positive": ("nonnegative", "real"), "nonnegative": ("real",), "integer": ("real",)}
    kept = [word for word in assumed if not any(word in implied.get(other, ()) for other in assumed)]
    return f'{kind}("{atom}", {", ".join(f"{word}=True" for word in kept)})'


def _of(claim: Claim | Example) -> tuple[Relation, ...]:
    return claim.relations if isinstance(claim, Example) else (claim.relation,) if claim.relation else ()

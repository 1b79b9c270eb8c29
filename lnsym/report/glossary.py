"""The glossary: each notion of the book's definitions, its shape and units, and its names elsewhere. Imports up to notation."""

from __future__ import annotations

from dataclasses import dataclass

from lnsym.kernel.terms import Sym, Theory
from lnsym.notation import latex
from lnsym.report.records import Notion
from lnsym.report.words import definition

FRAMEWORKS = ("PyTorch", "JAX (Flax)", "ONNX")


@dataclass(frozen=True)
class _Entry:
    """What the definitions cannot say: the word, its shape and units, and its name in PyTorch, Flax and ONNX."""

    word: str
    shape: str
    units: str
    names: tuple[str | None, str | None, str | None] = (None, None, None)
    meaning: str | None = None


VECTOR, NUMBER, MATRIX = "$d$", "1", "$d\\times d$"
_WORDS = {
    "z": _Entry("input", VECTOR, "U", ("input", "x", "X"), "one row, the axis that is normalized"),
    "d": _Entry("number of coordinates", NUMBER, "1", ("normalized_shape", "x.shape[-1]", "axis"), "fixed there by shape or axis"),
    "mu": _Entry("coordinate mean", NUMBER, "U", ("mean", "mean", "Mean"), "$\\mu=\\frac1d\\sum_i z_i$"),
    "v": _Entry("deviations", VECTOR, "U", meaning="$v_i=z_i-\\mu$"),
    "q": _Entry("coordinate variance", NUMBER, "U²", ("var", "var", None), "$q=\\frac1d\\sum_i v_i^2$, with divisor $d$ and not $d-1$"),
    "eps": _Entry("epsilon", NUMBER, "U²", ("eps", "epsilon", "epsilon"), "added to the variance, under the root"),
    "s": _Entry("root of the stabilized variance", NUMBER, "U"),
    "r": _Entry("its inverse", NUMBER, "1/U", ("rstd", None, "InvStdDev")),
    "rho": _Entry("variance of the core", NUMBER, "1"),
    "u": _Entry("normalized core", VECTOR, "1", meaning="the output before gain and bias"),
    "gamma": _Entry("gain", VECTOR, "output", ("weight", "scale", "Scale")),
    "beta": _Entry("bias", VECTOR, "output", ("bias", "bias", "B")),
    "y": _Entry("full output", VECTOR, "output", ("output", "y", "Y")),
    "P": _Entry("centering matrix", MATRIX, "1", meaning="$P=I-\\frac1d\\mathbf 1\\mathbf 1^\\top$, so that $v=Pz$"),
    "J": _Entry("Jacobian of the core", MATRIX, "1/U", ("torch.func.jacrev", "jax.jacobian", None), "$J_{ij}=\\partial u_i/\\partial z_j$"),
    "h": _Entry("direction", VECTOR, "U", ("tangents", "tangents", None), "$Jh$ is the JVP"),
    "g": _Entry("output cotangent", VECTOR, "1/output", ("grad_output", "cotangents", None), "$J^\\top(\\gamma\\odot g)$ is the VJP"),
}


def glossary(theory: Theory) -> tuple[Notion, ...]:
    """Every notion of the theory; those of a second input differ by their primes only and have no line of their own."""
    declared = {name for family in theory.families for name in (family.vector, family.deviation, family.mean, family.variance)}
    defined = {one.name for one in theory.definitions}
    missing = sorted(name for name in declared | defined if not name.endswith("'") and name not in _WORDS)
    if missing:
        raise KeyError(f"the glossary has no word for {', '.join(missing)}; add it to {__name__}")
    return tuple(_notion(name, entry, theory, defined) for name, entry in _WORDS.items())


def _notion(name: str, entry: _Entry, theory: Theory, defined: set[str]) -> Notion:
    formula = f"${definition(name, theory)}$" if name in defined else None
    meaning = ", ".join(filter(None, (formula, entry.meaning)))
    return Notion(latex(Sym(name)), entry.word, meaning or None, entry.shape, entry.units, dict(zip(FRAMEWORKS, entry.names, strict=True)))


def markdown(theory: Theory) -> str:
    """The glossary as the table of the README."""
    head = ["notion", "word", "meaning", "shape", "units", *FRAMEWORKS]
    rows = [head, ["---"] * len(head)]
    for one in glossary(theory):
        names = [f"`{one.names[x]}`" if one.names[x] else "" for x in FRAMEWORKS]
        rows.append([f"${one.latex}$", one.word, one.meaning or "", one.shape, one.units, *names])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)

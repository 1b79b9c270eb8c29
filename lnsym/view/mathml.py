"""MathML from our LaTeX, with the source kept as a TeX annotation. Imports math_core when first called."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lnsym.errors import LnsymError, MissingTool

if TYPE_CHECKING:
    from math_core import LatexToMathML

# The converter writes HTML's named entity, which XML parsers do not know; and over a letter the combining low line, which browsers set
# beside what is narrow.
_MENDED = {
    "&ApplyFunction;": "\u2061",
    '<mo stretchy="true">\u0332</mo></mover>': '<mo stretchy="true">\u203e</mo></mover>',
}


class FormulaError(LnsymError):
    """A LaTeX formula that the converter cannot read: our own printers wrote it, hence our own bug."""

    exit_code = 70


@cache
def mathml(latex: str, display: bool = False) -> str:
    """The MathML element of a LaTeX formula; `display` makes a centred block with full-size sums and fractions."""
    from math_core import LatexError

    try:
        element = _converter().convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise FormulaError(
            f"expected a formula that math-core can read, got {latex!r}, which fails at position {error} Write it with other commands."
        ) from error
    for written, mended in _MENDED.items():
        element = element.replace(written, mended)
    return element


@cache
def _converter() -> LatexToMathML:
    try:
        from math_core import LatexToMathML
    except ImportError as error:
        raise MissingTool("formulas on a page need the package math-core: pip install math-core") from error
    return LatexToMathML(annotation=True, fancy_error=False)

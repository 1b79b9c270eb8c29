r"""Formulas in which a part is marked \wrong{...}: as MathML, where the mark is a class, and without the mark. Imports the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lnsym.view.mathml import mathml

if TYPE_CHECKING:
    from markupsafe import Markup

MARK = r"\wrong{"
# The converter knows no classes: the mark travels as a colour that no formula has, and the page's style says how it looks.
_COLOUR, _STYLE, _CLASS = r"\textcolor{red}{", '<mrow style="color:#FF0000;">', '<mrow class="wrong">'


def marked(latex: str) -> Markup:
    """The formula as a block of MathML; its TeX annotation has the marked part underlined."""
    from markupsafe import Markup

    element = mathml(latex.replace(MARK, _COLOUR), display=True)
    return Markup(element.replace(_STYLE, _CLASS).replace(_COLOUR, r"\underline{"))


def unmarked(latex: str) -> str:
    """The formula without its marks."""
    while MARK in latex:
        start = latex.index(MARK)
        end = _closing(latex, start + len(MARK))
        latex = latex[:start] + latex[start + len(MARK) : end] + latex[end + 1 :]
    return latex


def _closing(latex: str, start: int) -> int:
    """Where the brace closes that was opened just before `start`."""
    depth = 1
    for place in range(start, len(latex)):
        depth += (latex[place] == "{") - (latex[place] == "}")
        if not depth:
            return place
    raise ValueError(f"a brace is not closed in {latex}")

"""Formulas of the page: well-formed MathML that keeps its LaTeX, and errors that name the formula."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from lnsym.view.mathml import FormulaError, mathml

FORMULAS = (
    r"\mu=\frac{1}{d}\sum_{i=1}^{d}z_i",
    r"v=z-\mu\mathbf{1}",
    r"q=\frac{1}{d}\lVert v\rVert_2^2",
    r"u=\frac{v}{\sqrt{q+\varepsilon}}",
    r"y=\gamma\odot u+\beta",
    r"\operatorname{mean}(u)=0",
    r"\operatorname{var}(u)=\frac{q}{q+\varepsilon}<1",
    r"\rho\le 1",
    r"P=I-\tfrac1d\mathbf{1}\mathbf{1}^{\mathsf T}",
    r"P^{\mathsf T}=P,\quad Pv=v",
    r"J=\frac{1}{s}\left(P-\frac{vv^{\mathsf T}}{d\,s^2}\right)",
    r"\frac{\partial u_i}{\partial z_j}=\frac{1}{s}\left(\delta_{ij}-\frac1d-\frac{v_iv_j}{d\,s^2}\right)",
    r"\lVert J\rVert_2\le\varepsilon^{-1/2}",
    r"\max_i\lvert\gamma_i\rvert",
    r"\begin{aligned}a&=b\\&=c\end{aligned}",
    r"\text{if } q>0\text{ and }a\ne1",
    r"z'\mapsto u'",
    r"\lim_{t\to\infty}h_\varepsilon(t)=\sqrt{\tfrac32}",
    r"\int_0^t h_\varepsilon(\tau)\,d\tau",
    r"\bigl(1-\beta_1^{\,t+1}\bigr)\cdot\hat m\in\mathbb{R}^d",
)


@pytest.mark.parametrize("latex", FORMULAS)
@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_well_formed_and_keeps_its_source(latex: str, display: bool) -> None:
    root = ET.fromstring(mathml(latex, display))
    assert root.tag == "math"
    assert root.get("display") == ("block" if display else None)
    annotation = root.find("semantics/annotation")
    assert annotation is not None
    assert annotation.get("encoding") == "application/x-tex"
    assert annotation.text == latex


def test_the_structure_is_that_of_the_formula() -> None:
    root = ET.fromstring(mathml(r"\frac{q}{\sqrt{q+\varepsilon}}"))
    (fraction,) = root.iter("mfrac")
    numerator, denominator = fraction
    assert numerator.text == "q"
    assert denominator.tag == "msqrt"
    assert "".join(denominator.itertext()) == "q+ε"


def test_a_line_over_a_letter_is_an_overline_and_one_under_it_the_low_line() -> None:
    over, under = (ET.fromstring(mathml(latex)) for latex in (r"\overline{g}", r"\underline{g}"))
    assert [x.text for x in next(over.iter("mover"))] == ["g", "\u203e"]
    assert [x.text for x in next(under.iter("munder"))] == ["g", "\u0332"]


@pytest.mark.parametrize("latex", [r"\frac{1}", r"\unknown{x}", r"\left(x"])
def test_an_error_names_the_formula_and_the_remedy(latex: str) -> None:
    with pytest.raises(FormulaError) as caught:
        mathml(latex)
    assert repr(latex) in str(caught.value)
    assert "Write it with other commands." in str(caught.value)
    assert caught.value.exit_code == 70

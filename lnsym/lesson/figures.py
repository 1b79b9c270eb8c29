"""The figures of the lessons' page, by the name that a lesson gives: what to see, and what can be moved. Standard library only.

The page's script draws them (page/figures.js); a figure says something before anyone touches it, and its numbers are read out below it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Control:
    """A slider: its name in the script, its label, its ends and where it begins; `log` for equal ratios at equal distances."""

    name: str
    label: str
    low: float
    high: float
    start: float
    log: bool = True


@dataclass(frozen=True)
class Figure:
    """One figure. Texts may hold $formulas$."""

    name: str
    title: str
    caption: str
    description: str  # for those who do not see it
    controls: tuple[Control, ...]
    height: int = 300


EPS = Control("eps", "ε", 0.001, 100, 1 / 3)

FIGURES = {
    figure.name: figure
    for figure in (
        Figure(
            "bars",
            "From a row to its output",
            r"The row $z=a\,(1,2,3)$ loses its mean, and what is left, $v$, is divided by $\sqrt{q+\varepsilon}$; then gain and bias act. "
            r"While $q$ is much larger than $\varepsilon$, the scale $a$ hardly shows in the core $u$. Where $q$ is much smaller, the core "
            r"shrinks with $a$.",
            "Four groups of three bars: the input, its deviations from the mean, the core, and the output after gain and bias.",
            (EPS, Control("scale", "scale a", 0.01, 100, 1)),
        ),
        Figure(
            "variance_share",
            "How much of the variance is kept",
            r"$\rho=q/(q+\varepsilon)$, the variance of the core, depends on $q/\varepsilon$ alone. It is one half where "
            r"$q=\varepsilon$; a hundred times more variance than $\varepsilon$ gives $0.99$, and $1$ is never reached. "
            r"Drag the point along the curve.",
            "An increasing S-shaped curve on a logarithmic horizontal axis, from near 0 to near 1, with a point that can be moved.",
            (Control("ratio", "q/ε", 0.001, 1000, 1),),
        ),
        Figure(
            "response",
            "One coordinate's response",
            r"The core of $(-t,0,t)$ is $(-h,0,h)$ with $h_\varepsilon(t)=t/\sqrt{2t^2/3+\varepsilon}$. Near $0$ it is a line of "
            r"slope $\varepsilon^{-1/2}$; far out it flattens towards $\sqrt{3/2}$, which it never reaches. A smaller "
            r"$\varepsilon$ makes the step steeper.",
            "An increasing S-shaped curve through the origin between two dashed lines, with its tangent at 0 and a point to be moved.",
            (EPS, Control("t", "t", -4, 4, 1, log=False)),
        ),
        Figure(
            "jacobian_split",
            "What the Jacobian does to a direction",
            r"At $z=(1,2,4)$ a direction $h$ is parted into a piece along $\mathbf 1$, a piece along $v$ and the rest. $J$ deletes the "
            r"first, multiplies the second by $\varepsilon/(q+\varepsilon)^{3/2}$ and the rest by $(q+\varepsilon)^{-1/2}$: a small "
            r"$\varepsilon$ nearly deletes the second too.",
            "Two groups of bars, before and after: the lengths of the three pieces of a direction and of what the Jacobian makes of them.",
            (EPS, Control("angle", "turn in degrees", 0, 180, 60, log=False)),
        ),
        Figure(
            "eps_cliff",
            "The cliff of ε in half precision",
            r"The largest gain $1/\sqrt{\varepsilon}$ of a row with no variance, with $\varepsilon$ as it is and as the nearest number of "
            r"half precision. Below about $6\cdot10^{-8}$ half precision has steps only, and from $3\cdot10^{-8}$ down $\varepsilon$ is "
            r"stored as $0$: a constant row is then divided by $0$.",
            "A falling line on logarithmic axes; beside it, a staircase that leaves the plot where eps is stored as 0.",
            (Control("eps", "ε", 1e-9, 1e-2, 1e-7),),
        ),
    )
}

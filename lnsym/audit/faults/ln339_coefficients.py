"""LN339: the terms mean(g) and u mean(g u) of dx carry the wrong factors. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, answers, mean


def gradient(rows: Rows, dy: Array, a: float, b: float) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - a * mean(g) - b * rows.u * mean(g * rows.u)) / rows.s}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    terms, left = [], []
    for rows, dy, found in answers(seen, "x"):
        g = rows.weight * dy
        size = np.abs(g / rows.s).max(initial=0.0) or 1.0
        both = np.stack([np.broadcast_to(mean(g), g.shape), rows.u * mean(g * rows.u)], axis=-1) / rows.s[..., None]
        terms.append(both.reshape(-1, 2) / size)
        left.append((g / rows.s - found).ravel() / size)
    if terms:
        a, b = np.linalg.lstsq(np.concatenate(terms), np.concatenate(left))[0]
        yield {"a": float(a), "b": float(b)}


FAULT = Fault(
    code="LN339",
    title="the terms mean(g) and u mean(g u) of dx carry the factors {a:.4g} and {b:.4g}, not 1",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \wrong{a}\,\overline{g} - \wrong{b}\,u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - a mean(g) - b u mean(g u))/s with constants a and b",
    slips="Where g sums to 0, or is orthogonal to u, one of the two terms is 0 and its factor does not show.",
    repair="Both factors are 1, for every width and every eps.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled"),
    gradient=gradient,
    parameters=parameters,
)

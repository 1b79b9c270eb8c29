"""LN350: the backward pass uses a fixed eps. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, answers, dweight_with_root, dx_with_root, mean


def gradient(rows: Rows, dy: Array, eps: float) -> Gradient:
    """The gradients as the mistake computes them."""
    root = np.sqrt(rows.q + eps)
    return {"x": dx_with_root(rows, dy, root), "weight": dweight_with_root(rows, dy, root)}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    # Across 1 and v the gradient is 1/root times the cotangent there. The eps that it shows is best known where the variance is small.
    """The constants worth trying, from what was seen."""
    found = []
    for rows, dy, dx in answers(seen, "x"):
        g = rows.weight * dy
        across = g - mean(g) - rows.v * mean(g * rows.v) / np.where(rows.q > 0, rows.q, 1)
        size, shown = mean(across**2), mean(across * dx)
        for q, one, other in zip(rows.q.flat, size.flat, shown.flat, strict=True):
            if one > 1e-6 * mean(g**2).max() and other > 0:
                found.append((float(q), float((one / other) ** 2 - q)))
    if found:
        yield {"eps": max(min(found)[1], 0.0)}
    for eps in (1e-5, 1e-6, 1e-3, 1e-12):
        yield {"eps": eps}


FAULT = Fault(
    code="LN350",
    title="the backward pass uses eps = {eps:.4g} whatever it is given",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{\hat s}\left(g - \overline{g} - \hat u\,\overline{g \hat u}\right), \quad \hat s = \sqrt{q + "
        r"\wrong{\varepsilon'}},\ \hat u = v/\hat s"
    ),
    instead_of=DX,
    words="dx with sqrt(variance + a fixed eps) in place of s, also in u",
    slips="A test with the default eps cannot see that another one is ignored.",
    repair="Hand eps to the backward pass, or save rstd in the forward pass.",
    witness=Witness(
        x=("0", "0", "3"),
        eps="2",
        yours=("1/3", "-1/3", "0"),
        exact=("1/2", "-1/2", "0"),
        quantity="dx",
        dy=("1", "-1", "0"),
    ),
    theorems=("gradient_dot_output_eq", "dot_gradient_core_eq", "core_eq_core_iff_eps_eq"),
    gradient=gradient,
    parameters=parameters,
)

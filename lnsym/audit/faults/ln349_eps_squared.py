"""LN349: the backward pass squares eps. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dweight_with_root, dx_with_root


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    root = np.sqrt(rows.q + rows.eps**2)
    return {"x": dx_with_root(rows, dy, root), "weight": dweight_with_root(rows, dy, root)}


FAULT = Fault(
    code="LN349",
    title="the backward pass squares eps",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{\hat s}\left(g - \overline{g} - \hat u\,\overline{g \hat u}\right), \quad \hat s = \sqrt{q + "
        r"\wrong{\varepsilon^2}},\ \hat u = v/\hat s"
    ),
    instead_of=DX,
    words="dx with sqrt(variance + eps^2) in place of s, also in u",
    slips="With eps = 1e-5 and variance 1 the difference is below a usual tolerance, and at eps = 1 there is none.",
    repair="Use the same root in both passes: save rstd in the forward pass.",
    witness=Witness(x=("1", "1"), eps="1/4", yours=("2", "-2"), exact=("1", "-1"), quantity="dx", dy=("1", "0")),
    theorems=("gradient_dot_output_eq", "core_eq_core_iff_eps_eq"),
    gradient=gradient,
)

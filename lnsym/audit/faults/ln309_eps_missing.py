"""LN309: eps is missing in the backward pass. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dweight_with_root, dx_with_root


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    root = np.sqrt(rows.q)
    return {"x": dx_with_root(rows, dy, root), "weight": dweight_with_root(rows, dy, root)}


FAULT = Fault(
    code="LN309",
    title="eps is missing in the backward pass",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{\hat s}\left(g - \overline{g} - \hat u\,\overline{g \hat u}\right), \quad \hat s = \sqrt{q "
        r"\wrong{{}+ 0}},\ \hat u = v/\hat s"
    ),
    instead_of=DX,
    words="dx with sqrt(variance) in place of s, also in u",
    slips=(
        "With eps = 1e-5 and variance 1 the difference is below a usual tolerance. It shows where the variance is comparable to "
        "eps."
    ),
    repair="Use the same root in both passes: save rstd in the forward pass.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "0"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "dot_gradient_core_eq", "jacobian_core_zero_eps_eq"),
    gradient=gradient,
)

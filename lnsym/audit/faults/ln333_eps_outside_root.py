"""LN333: the backward pass adds eps to the standard deviation, not to the variance.

Imports the records of a mistake and the backward pass.
"""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dweight_with_root, dx_with_root


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    root = np.sqrt(rows.q) + rows.eps
    return {"x": dx_with_root(rows, dy, root), "weight": dweight_with_root(rows, dy, root)}


FAULT = Fault(
    code="LN333",
    title="the backward pass adds eps to the standard deviation, not to the variance",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{\hat s}\left(g - \overline{g} - \hat u\,\overline{g \hat u}\right), \quad \hat s = "
        r"\wrong{\sqrt{q} + \varepsilon},\ \hat u = v/\hat s"
    ),
    instead_of=DX,
    words="dx with sqrt(variance) + eps in place of s, also in u",
    slips="With eps = 1e-5 and variance 1 the difference is below a usual tolerance.",
    repair="Use the same root in both passes: save rstd in the forward pass.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("15/64", "-15/64"),
        exact=("3/8", "-3/8"),
        quantity="dx",
        dy=("1", "-1"),
    ),
    theorems=("lipschitz_ne_of_eps_outside", "norm_jacobian_outside_apply_le"),
    gradient=gradient,
)

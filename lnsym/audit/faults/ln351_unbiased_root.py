"""LN351: the backward pass takes the variance with divisor d - 1, not d.

Imports the records of a mistake and the backward pass.
"""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dweight_with_root, dx_with_root


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    root = np.sqrt(rows.q * rows.d / max(rows.d - 1, 1) + rows.eps)
    return {"x": dx_with_root(rows, dy, root), "weight": dweight_with_root(rows, dy, root)}


FAULT = Fault(
    code="LN351",
    title="the backward pass takes the variance with divisor d - 1, not d",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{\hat s}\left(g - \overline{g} - \hat u\,\overline{g \hat u}\right), \quad \hat s = "
        r"\sqrt{\wrong{\frac{d}{d - 1}} q + \varepsilon},\ \hat u = v/\hat s"
    ),
    instead_of=DX,
    words="dx with sqrt(variance d/(d-1) + eps) in place of s, also in u",
    slips="For wide rows d and d - 1 differ by less than a usual tolerance.",
    repair="Use the same root in both passes: save rstd in the forward pass.",
    witness=Witness(
        x=("0", "3"),
        eps="7/4",
        yours=("16/125", "-16/125"),
        exact=("7/64", "-7/64"),
        quantity="dx",
        dy=("1", "0"),
    ),
    theorems=("gradient_dot_output_eq", "core_ne_core_unbiased"),
    gradient=gradient,
)

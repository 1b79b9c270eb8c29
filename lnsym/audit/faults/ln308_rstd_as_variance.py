"""LN308: the backward pass takes the saved rstd for a variance and inverts it again.

Imports the records of a mistake and the backward pass.
"""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dweight_with_root, dx_with_root


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    root = np.sqrt(1 / rows.s + rows.eps)
    return {"x": dx_with_root(rows, dy, root), "weight": dweight_with_root(rows, dy, root)}


FAULT = Fault(
    code="LN308",
    title="the backward pass takes the saved rstd for a variance and inverts it again",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{\hat s}\left(g - \overline{g} - \hat u\,\overline{g \hat u}\right), \quad \hat s = "
        r"\sqrt{\wrong{1/s} + \varepsilon},\ \hat u = v/\hat s"
    ),
    instead_of=DX,
    words="dx with sqrt(1/s + eps) in place of s, also in u",
    slips="Where the variance is about 1, as in most random test data, rstd and variance are nearly equal.",
    repair="Use the saved rstd as it is: u = v rstd. Let its name say which of the two it is.",
    witness=Witness(x=("0", "3"), eps="7/4", yours=("0", "0"), exact=("7/64", "-7/64"), quantity="dx", dy=("1", "0")),
    theorems=("gradient_dot_output_eq", "inverse_root_ne_inverse_variance"),
    reports=("ooples/AiDotNet.Tensors#784",),
    gradient=gradient,
)

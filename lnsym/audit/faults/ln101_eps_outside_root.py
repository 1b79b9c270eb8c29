"""LN101: eps is added to the standard deviation. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / (np.sqrt(rows.q) + rows.eps))


FAULT = Fault(
    code="LN101",
    title="eps is added to the standard deviation, not to the variance",
    kind="function",
    computes=r"u = \frac{v}{\wrong{\sqrt{q} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/(sqrt(var) + eps) + bias",
    slips=(
        "At var = 1 and eps = 1e-5 the results differ by 5e-6 of their size, within usual tolerances. At var = eps the right "
        "denominator is sqrt(2 eps) and this one about sqrt(eps), and near var = eps^2 it is off by the factor 1/(2 sqrt(eps))."
    ),
    repair="Write sqrt(var + eps): add eps to the variance, then take the root.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/4", "1/4"), exact=("-1/2", "1/2")),
    theorems=("core_outside_eq", "norm_jacobian_outside_apply_le", "lipschitz_ne_of_eps_outside"),
    reports=(
        "tracel-ai/burn#2185",
        "openvinotoolkit/openvino#8142",
        "openvinotoolkit/openvino#3314",
        "openvinotoolkit/openvino#4238",
        "NVIDIA/TransformerEngine#364",
    ),
    model=model,
)

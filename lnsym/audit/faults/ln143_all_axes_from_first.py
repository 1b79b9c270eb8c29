"""LN143: all axes from the first one on. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._shared import affine_rows, normalized


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    return affine_rows(call, normalized(call.x.astype(np.float64), tuple(range(call.axes[0], call.x.ndim)), call.eps))


FAULT = Fault(
    code="LN143",
    title="the axis is taken as the first of the normalized ones: all axes behind it are normalized too",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{axis and all behind it}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{axis and "
        r"all behind it}}}\left((x - \mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="the layer norm over the axes from the one that was asked for to the last",
    slips="For the last axis both readings agree. In ONNX this is what the attribute axis means, so code from there brings it along.",
    repair="Reduce over the axes that were asked for and no others, or document that axis is the first of several.",
    witness=None,
    theorems=("core_ne_group_core", "core_pooled_steps"),
    whole=model,
)

"""LN136: the last axis, whatever axis was asked for. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._shared import affine_rows, normalized


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    return affine_rows(call, normalized(call.x.astype(np.float64), -1, call.eps))


FAULT = Fault(
    code="LN136",
    title="the last axis is normalized, whatever axis was asked for",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{last axis}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{last axis}}}\left((x "
        r"- \mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="the layer norm along axis -1 in place of the axis that was asked for",
    slips="The default axis is the last one, and tests call with the default.",
    repair="Use the argument axis in both reductions. Test channels first: axis 1 of an array with four axes.",
    witness=None,
    theorems=("core_pooled_steps", "jacobian_batch_core_eq"),
    reports=(
        "pytorch/pytorch#71465",
        "facebookresearch/ConvNeXt#112",
        "facebookresearch/ConvNeXt#136",
        "keras-team/tf-keras#173",
        "tensorflow/tensorflow#39942",
    ),
    whole=model,
)

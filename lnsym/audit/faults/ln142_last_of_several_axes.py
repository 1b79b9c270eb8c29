"""LN142: only the last of several axes. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._shared import affine_rows, normalized


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    return affine_rows(call, normalized(call.x.astype(np.float64), call.axes[-1], call.eps))


FAULT = Fault(
    code="LN142",
    title="of several axes only the last is normalized",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{last of the axes}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{last of the "
        r"axes}}}\left((x - \mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="the layer norm along the last of the axes that were asked for",
    slips="Tests ask for one axis.",
    repair="Hand the whole tuple of axes to both reductions. Test two axes.",
    witness=None,
    theorems=("core_ne_group_core", "core_pooled_steps"),
    whole=model,
)

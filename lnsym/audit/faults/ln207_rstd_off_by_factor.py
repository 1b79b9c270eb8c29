"""LN207: the reciprocal deviation is off by a constant factor. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Iterable, Sequence

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._shared import excess_scale, least_doubtful, shortest


def model(rows: Rows, k: float) -> Array:
    """y as the mistake computes it."""
    return rows.affine((1 + k) * rows.u)


def errors(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The relative error of the best known row, where it is below a hundredth: a larger one is another formula."""
    one = least_doubtful(excess_scale(seen))
    return () if one is None or not one.doubt < abs(one.value) < 0.01 else ({"k": shortest(one)},)


FAULT = Fault(
    code="LN207",
    title="the reciprocal deviation has a constant relative error of {k}",
    kind="function",
    computes=r"u = \wrong{(1 + k)} \frac{v}{\sqrt{q + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(1 + {k})*(x - mean)/sqrt(var + eps) + bias",
    slips="An estimate of the reciprocal root without refinement is right to about 12 bits, which tolerances of 1e-3 let pass.",
    repair="Refine the estimate by Newton steps, or use the square root and a division.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-4001/8000", "4001/8000"), exact=("-1/2", "1/2")),
    theorems=("inverse_root_ne_inverse_variance", "core_shifted_mean_eq"),
    reports=("Tencent/ncnn#6903", "tenstorrent/tt-metal#51420", "Xilinx/finn#1667"),
    model=model,
    parameters=errors,
)

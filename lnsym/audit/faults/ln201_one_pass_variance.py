"""LN201: one-pass variance. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import finished, is_half, rows_of


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    x = rows_of(call)
    mean = x.mean(axis=1, keepdims=True)
    variance = (x * x).mean(axis=1, keepdims=True) - mean * mean
    return finished(call, (x - mean) / np.sqrt(variance + x.dtype.type(call.eps)))


def in_half(call: Call) -> Array:
    """The same in the half format of x."""
    if not is_half(call):
        return simulate(call)
    x = call.flat(call.x)
    mean = x.mean(axis=1, keepdims=True)
    variance = (x * x).mean(axis=1, keepdims=True) - mean * mean
    return finished(call, (x - mean) / np.sqrt(variance + x.dtype.type(call.eps)))


FAULT = Fault(
    code="LN201",
    title="the variance is taken in one pass, as mean(x^2) - mean(x)^2",
    kind="arithmetic",
    computes=r"q = \wrong{\frac{1}{d} \sum_i x_i^2 - \mu^2}",
    instead_of=r"q = \frac{1}{d} \sum_i (x_i - \mu)^2",
    words="var = mean(x^2) - mean(x)^2 in the working format",
    slips=(
        "In real numbers the two formulas are equal, and for |mean| near the spread or below the rounding is harmless. The relative "
        "error of the variance grows with (mean/spread)^2: at a ratio of 4096 in float32 nothing of it is right. It can come out "
        "negative, and then the root is NaN."
    ),
    repair="Subtract the mean first and average the squares of the deviations, or use shifted or Welford sums.",
    witness=Witness(x=("100000000", "100000002"), eps="3", yours=("-sqrt(5)/5", "sqrt(5)/5"), exact=("-1/2", "1/2")),
    theorems=("variance_one_pass_eq",),
    reports=(
        "pytorch/pytorch#51102",
        "pytorch/pytorch#22265",
        "pytorch/pytorch#40308",
        "pytorch/pytorch#81090",
        "apache/tvm#19592",
        "ml-explore/mlx#2238",
        "jax-ml/jax#37358",
        "google/flax#1491",
        "microsoft/onnxruntime#21935",
        "intel/torch-xpu-ops#1374",
        "PaddlePaddle/Paddle#33420",
    ),
    simulate=simulate,
    orders=(in_half,),
)

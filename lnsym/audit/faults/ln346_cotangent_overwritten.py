"""LN346: dx is built in the buffer of dy, which is read again after it was overwritten.

Imports the records of a mistake and the backward pass.
"""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (-mean(g) - 2 * rows.u * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN346",
    title="dx is built in the buffer of dy, which is read again after it was overwritten",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(\wrong{{}-u\,\overline{g u}} - \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (-u mean(g u) - mean(g) - u mean(g u))/s: the last term stands where g belongs",
    slips="With separate buffers the same code is right. Only a call that lets dx and dy share memory shows it.",
    repair="Read dy for the last time before dx is first written, or refuse buffers that overlap.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq",),
    reports=("ggml-org/ggml#1519", "ggml-org/llama.cpp#24305"),
    gradient=gradient,
)

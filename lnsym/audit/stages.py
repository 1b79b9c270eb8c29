"""Which step of a plain calculation leaves the format of the input. Imports NumPy, the calls and the formats of the oracle."""

from __future__ import annotations

import numpy as np

from lnsym import oracle
from lnsym.audit.call import Array, Call


def leaves(call: Call, yours: Array, exact: Array) -> str:
    """The first step that overflows or underflows in a row whose answer is not finite, or 0 in place of a number; else nothing.

    Steps: sum, squares of the deviations, their sum, variance + eps, product with the weight, squares of the entries themselves.
    """
    form = oracle.FORMATS.get(call.x.dtype.name)
    if form is None or yours.shape != call.x.shape or not call.x.size:
        return ""
    with np.errstate(all="ignore"):
        lost = np.isfinite(exact) & (~np.isfinite(yours.astype(np.float64)) | ((yours == 0) & (exact != 0)))
        bad = call.flat(lost).any(axis=1) & np.isfinite(call.flat(call.x).astype(np.float64)).all(axis=1)
        if not bad.any():
            return ""
        rows = call.but(x=call.flat(call.x)[bad][:1], axis=(-1,)).rows()
        largest = float(np.ldexp(2 - 2.0 ** (1 - form.precision), form.largest))
        least = float(np.ldexp(1.0, form.least + form.precision - 1))
        squares = rows.v**2
        beyond = {
            "the sum of the row": np.abs(rows.x.sum()),
            "the square of a deviation": squares.max(),
            "the sum of the squares": squares.sum(),
            "the core times the weight": np.abs(rows.weight * rows.u).max(),
            "the square of an entry": (rows.x**2).max(),
        }
        if squares.mean() < least and abs(rows.eps) < least:
            return f"in {call.x.dtype.name} variance and eps are both below {least:.3g}, the least normal number"
        step = next((name for name, size in beyond.items() if not size <= largest), "")
    return f"in {call.x.dtype.name} {step} is beyond {largest:.5g}, the largest number" if step else ""

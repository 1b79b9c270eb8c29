"""The plain tier keeps its conditional bound on every row for which it does not warn."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from lnsym import oracle
from tests.emit import families
from tests.emit.modules import emitted

U = 2.0**-53
USED = 0.52  # the part of the bound that may be used; beyond it the sentence in promise.py is to be changed


def bounds(x: Any, u: Any, eps: float) -> tuple[Any, Any]:
    """The bound of each component as the docstring states it, in float64, and the rows for which it is stated."""
    d, wide = x.shape[1], x.astype(np.float64)
    with np.errstate(all="ignore"):
        mean = wide.mean(1, keepdims=True)
        q = ((wide - mean) ** 2).mean(1, keepdims=True)
        s, k = np.sqrt(q + eps), 20 + math.log2(d)
        checked = k * U * (np.abs(mean) + np.sqrt(q)) / s
        loss = k * U * np.abs(wide).mean(1, keepdims=True) / s
        valid = (checked <= 2.0**-26) & (q + eps >= 2.0**-960) & (q + eps <= 2.0**1000)
        bound = loss + U * np.abs(u) * ((k + 3) / 2 + 4) + np.abs(u) * loss**2 / 2 + 2.0**-1074 * (1 + 1 / s)
    return bound, valid[:, 0]


def share(form: Any, name: str, d: int, eps: float) -> float:
    """The largest part of the bound that is used on a family of rows."""
    x = families.rows(form, name, d, 12)
    u = oracle.normalize(x, eps, "float64")
    bound, valid = bounds(x, u, eps)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = emitted("plain").normalize(x.astype(np.float64), eps)
    assert bool(caught) == (not valid.all()), (form, name, d, eps)
    with np.errstate(all="ignore"):
        used = np.abs(found - u) / (bound + U * np.abs(u))  # u itself is rounded
    return float(used[valid].max(initial=0.0))


@pytest.mark.parametrize("form", ["float64", "float32", "float16"])
def test_the_bound_holds_wherever_it_is_stated(form: Any) -> None:
    worst = max(share(form, name, d, eps) for name in families.names(form) for d in (1, 2, 3, 7, 64, 768) for eps in (1e-5, 1e-12))
    assert worst <= USED

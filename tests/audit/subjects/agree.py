"""How far a subject's answers and derivatives are from the exact ones. Imports the references."""

from __future__ import annotations

import numpy as np

from lnsym.audit import reference
from lnsym.audit.call import Array, Call
from lnsym.audit.session import Session
from tests.audit.subjects.conftest import rows


def call_for(session: Session, fmt: str = "float64", width: int = 6) -> Call:
    """A call with what the subject takes."""
    about = session.about
    d = about.width or width
    weight = (rows(d) + 1).astype(fmt) if "weight" in about.takes else None
    bias = rows(d).astype(fmt) if "bias" in about.takes else None
    return Call(rows(3, d).astype(fmt), weight, bias, session.eps_for(0.25))


def errors(session: Session, call: Call, verbs: str = "forward gradient jvp double") -> dict[str, float]:
    """The largest error of each answer."""
    dy, dx = (rows(*call.x.shape, seed=seed).astype(call.x.dtype) for seed in (1, 2))
    found: dict[str, float] = {}
    if "forward" in verbs:
        found["y"] = _off(session.forward(call), reference.output(call))
    if "gradient" in verbs:
        exact = reference.gradient(call, dy)
        found |= {f"d{name}": _off(one, exact[name]) for name, one in session.gradient(call, dy).items()}
    if "jvp" in verbs:
        found["jvp"] = _off(session.jvp(call, dx), reference.jvp(call, dx))
    if "double" in verbs:
        exact = reference.double(call, dy, dx)
        found |= {f"double {name}": _off(one, exact[name]) for name, one in session.double(call, dy, dx).items()}
    return found


def _off(yours: Array, exact: Array) -> float:
    return float(np.abs(yours.astype(np.float64) - exact).max(initial=0))

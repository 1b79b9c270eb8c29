"""Our own emitted functions as subjects and as curves to compare with. Imports up to emit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from lnsym.emit.build import build

TIERS = ("exact", "safe", "plain")


@cache
def emitted(tier: str, op: str = "layer_norm") -> Callable[..., Any]:
    """The emitted function of a tier, made in this process; validation of its text is left to `lnsym emit`."""
    namespace: dict[str, Any] = {}
    exec(compile(build("numpy", (op,), tier, validate=False).source, f"{op}_{tier}.py", "exec"), namespace)
    function: Callable[..., Any] = namespace[op]
    return function

"""The records of a check: cases to try, and how one case is judged. Checks are found by scanning lnsym/audit/checks."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from lnsym.audit.call import Array, Call

if TYPE_CHECKING:
    from lnsym.audit.session import Session

@dataclass(frozen=True, eq=False)
class Case:
    """One input of a check. `more` holds what a law needs besides: a shift, a factor, an order."""

    call: Call
    name: str = ""
    dy: Array | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of one comparison: yours, what it should be, and how far it may be from that. All in the shape of `yours`."""

    quantity: str  # y, mean, rstd, dx, dweight, dbias, jvp, ...
    yours: Array
    exact: Array
    tolerance: Array
    reason: str = ""  # in words, where the numbers do not say it
    fault: str = ""  # the code of the mistake that this failure is by itself the sign of

    @property
    def wrong(self) -> Array:
        """Where yours is too far off: NaN agrees with NaN only, an infinity with itself only."""
        yours, exact = self.yours.astype(np.float64), self.exact.astype(np.float64)
        with np.errstate(all="ignore"):
            near = np.abs(yours - exact) <= self.tolerance
        same: Array = (yours == exact) | (np.isnan(yours) & np.isnan(exact)) | (near & np.isfinite(yours))
        return ~same

    @property
    def failed(self) -> bool:
        return bool(self.wrong.any())


Judge = Callable[["Session", Case], Iterable[Outcome]]


@dataclass(frozen=True, eq=False)
class Check:
    """One thing that a right implementation does: code, one line, the theorem that says so, and the cases to try it on.

    `needs` names what the subject must offer: weight, bias, eps, axis, mask, vjp, jvp, double, widths (any width),
    ranks (more axes than two), half (a half format). `fits` says that its cases show the formula, and are what mistakes are fitted to.
    `strict` checks ask for more than ordinary two-pass code gives: they count only with range="full", and are a note otherwise.
    """

    code: str
    title: str
    theorem: str
    cases: Callable[[Session], Iterable[Case]]
    judge: Judge
    needs: frozenset[str] = frozenset()
    fits: bool = False
    strict: bool = False
    raising: str = ""  # the code of the mistake where the subject raises, or gives no such array


FAMILIES = "VMDFSP"  # values, laws, derivatives, formats, shapes, purity: the order in which they are tried and told


@cache
def checks() -> dict[str, Check]:
    """Every check by its code, family by family, within a family as written."""
    folder = import_module("lnsym.audit.checks")  # by name: lnsym.audit is a function
    found: dict[str, Check] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(folder.__path__)):
        for check in getattr(import_module(f"{folder.__name__}.{module}"), "CHECKS", ()):
            if check.code in found:
                raise ValueError(f"two checks have the code {check.code}")
            found[check.code] = check
    return dict(sorted(found.items(), key=lambda item: FAMILIES.index(item[0][0])))

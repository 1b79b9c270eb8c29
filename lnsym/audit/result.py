"""What an audit found: checks with their witnesses, the mistake that explains them, and the verdict. Imports the records of the audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from lnsym.audit.call import Array
from lnsym.audit.check import Case, Check
from lnsym.audit.fault import Fault, Parameters, filled
from lnsym.audit.stages import leaves
from lnsym.audit.subject import About
from lnsym.errors import LnsymError

SCHEMA = "lnsym.audit/1"
Status = Literal["held", "failed", "not_run"]
Verdict = Literal["held", "failed", "undecided"]


class AuditFailed(LnsymError):
    """An implementation that does not do what a layer norm does; the message names the mistake and the smallest input."""

    exit_code = 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """A failure, shrunk: the case, and yours beside the right answer."""

    id: str  # check and number of the case, as in V01.3
    case: Case
    quantity: str
    yours: Array | None  # None where the subject gave no array
    exact: Array | None
    tolerance: Array | None
    reason: str

    @property
    def worst(self) -> tuple[int, ...]:
        """The index of the component that is furthest off, in tolerances."""
        assert self.yours is not None
        assert self.exact is not None
        yours, exact = self.yours.astype(np.float64), self.exact.astype(np.float64)
        with np.errstate(all="ignore"):
            off = np.abs(yours - exact) / np.maximum(np.broadcast_to(np.asarray(self.tolerance), yours.shape), np.finfo(np.float64).tiny)
        off = np.where(np.isnan(off) & ~(np.isnan(yours) & np.isnan(exact)), np.inf, off)
        return tuple(int(k) for k in np.unravel_index(int(np.argmax(np.nan_to_num(off, nan=-1.0))), off.shape))

    @property
    def right(self) -> str:
        """What `exact` is called: a law compares two answers of the subject, of which neither is exact."""
        return "wanted" if self.id[0] in "MP" else "exact"

    @property
    def stage(self) -> str:
        """Which step leaves the format, where y is not finite or 0 in place of a number."""
        if self.quantity != "y" or self.yours is None or self.exact is None:
            return ""
        return leaves(self.case.call, self.yours, self.exact)

    @property
    def factor(self) -> str:
        """How far off the worst component is, in words."""
        if self.yours is None or self.exact is None or not self.yours.size:
            return ""
        yours, exact = float(self.yours[self.worst]), float(self.exact[self.worst])
        if not np.isfinite(yours):
            return "not a number" if np.isnan(yours) else "infinite"
        if exact == 0:
            return f"{yours:.3g} instead of 0"
        ratio = yours / exact
        if ratio < 0:
            return "of the wrong sign"
        if ratio == 0:
            return f"0 instead of {exact:.3g}"
        large, word = (ratio, "large") if ratio > 1 else (1 / ratio, "small")
        return f"{large:.3g} times too {word}" if large >= 1.005 else f"off by {abs(ratio - 1):.2g} of its size"


@dataclass(frozen=True, eq=False)
class CheckResult:
    """One check: held, failed or not run, with the reason."""

    check: Check
    status: Status
    reason: str = ""
    evidence: Evidence | None = None
    fault: str = ""  # the code of a mistake that this failure is by itself the sign of
    expected: str = ""  # why a failure was expected
    note: str = ""

    def as_dict(self) -> dict[str, object]:
        """The entry of the JSON."""
        reason = f"expected: {self.expected}; {self.reason}" if self.expected else self.reason
        return {
            "id": self.check.code, "title": self.check.title, "theorem": self.check.theorem, "status": self.status,
            "reason": reason, "expected": bool(self.expected), "note": self.note,
            "witness": None if self.evidence is None else witness_dict(self.evidence),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """A mistake of the catalogue and how much of what was seen it explains."""

    fault: Fault
    parameters: Parameters
    explains: int
    of: int
    about: str  # what was explained: output, dx, dweight, dbias, arithmetic, behaviour
    beside: Fault | None = None  # the other mistake, where two together explain it
    sure: bool = True  # whether nothing else of the catalogue explains as much, as far as is known

    @property
    def complete(self) -> bool:
        """Whether it explains all probes."""
        return self.explains == self.of

    @property
    def title(self) -> str:
        """The mistake in one line, with the constants that were found, and where it shows if that is not all that it speaks of."""
        title = filled(self.fault.title, self.parameters)
        spoken = [name for name in ("dx", "dweight", "dbias") if name in self.fault.title]
        only = self.fault.kind == "gradient" and set(self.about.split(", ")) < set(spoken)
        return f"{title} (here: {self.about})" if only else title

    @property
    def words(self) -> str:
        """The formula in one line, with the constants that were found."""
        return filled(self.fault.words, self.parameters)


@dataclass(frozen=True, eq=False)
class Result:
    """The outcome of an audit; `raise_if_failed()` makes a test of it, `as_dict()` is what --json prints, `str()` what a terminal shows."""

    about: About
    checks: tuple[CheckResult, ...]
    diagnosis: tuple[Diagnosis, ...]
    seed: int
    formats: tuple[str, ...]
    eps: float
    full_range: bool
    seconds: float
    notes: tuple[str, ...] = ()
    command: str = ""  # the command that repeats this audit
    unexplained: tuple[str, ...] = ()  # of what is wrong, what no named mistake accounts for: y, dx, dweight, dbias

    @property
    def named(self) -> tuple[Diagnosis, ...]:
        """The mistakes that explain all that they speak of."""
        return tuple(one for one in self.diagnosis if one.complete and one.sure)

    @property
    def possible(self) -> tuple[Diagnosis, ...]:
        """The mistakes that all explain the few answers that were seen."""
        return tuple(one for one in self.diagnosis if one.complete and not one.sure)

    @property
    def near(self) -> tuple[Diagnosis, ...]:
        """The mistakes that explain much of what they speak of, but not all; what explains less than half is no hint."""
        return tuple(one for one in self.diagnosis if not one.complete and 2 * one.explains >= one.of)

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        """The checks that failed and were not expected to."""
        return tuple(one for one in self.checks if one.status == "failed" and not one.expected)

    @property
    def counts(self) -> dict[str, int]:
        """How many checks held, failed and were not run; together they are all checks."""
        return {status: sum(one.status == status for one in self.checks) for status in ("held", "failed", "not_run")}

    @property
    def verdict(self) -> Verdict:
        """Failed if a check failed unexpectedly; undecided if no check could be run; else held."""
        if self.failed:
            return "failed"
        return "held" if any(one.status != "not_run" for one in self.checks) else "undecided"

    @property
    def main(self) -> CheckResult | None:
        """The failed check to show first: one whose cases show the formula, before a law or a format; wrong numbers before words."""
        first = self.named[0] if self.named else None
        code = "" if first is None else first.fault.code
        shows = () if first is None else {"gradient": tuple(first.about.split(", ")), "arithmetic": ("y",)}.get(first.fault.kind, ())

        def rank(one: CheckResult) -> tuple[bool, ...]:
            told = one.evidence is not None and bool(one.evidence.reason)
            elsewhere = bool(shows) and one.evidence is not None and one.evidence.quantity not in shows
            return not code or one.fault != code, elsewhere, not one.check.fits, one.evidence is None, told

        return min(self.failed, key=rank, default=None)

    def raise_if_failed(self) -> Result:
        """Raise AuditFailed with the text of the report, unless the audit held."""
        if self.verdict != "held":
            raise AuditFailed(str(self))
        return self

    def as_dict(self) -> dict[str, object]:
        """The result as plain data, in the schema that --json prints."""
        return {
            "schema": SCHEMA,
            "subject": self.about.name,
            "framework": self.about.framework,
            "verdict": self.verdict,
            "diagnosis": [
                {"code": one.fault.code, "title": one.title, "formula": one.words, "explains": one.explains, "of": one.of,
                 "about": one.about, "parameters": dict(one.parameters), "together_with": one.beside.code if one.beside else None}
                for one in self.diagnosis
            ],
            "checks": [one.as_dict() for one in self.checks],
            "counts": self.counts,
            "seed": self.seed,
            "formats": list(self.formats),
            "eps": self.eps,
            "range": "full" if self.full_range else "ordinary",
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        from lnsym.audit.text import lines

        return "\n".join(lines(self))


def witness_dict(evidence: Evidence) -> dict[str, object]:
    """A witness as plain data: every number as the text that reads back to the same float, NaN and infinities by name."""
    case, call = evidence.case, evidence.case.call
    inputs = {"x": call.x, "weight": call.weight, "bias": call.bias, "mask": call.mask, "dy": case.dy}
    inputs |= {name: value for name, value in case.more.items() if isinstance(value, np.ndarray)}
    return {
        "id": evidence.id, "case": case.name, "quantity": evidence.quantity, "dtype": call.x.dtype.name, "eps": call.eps,
        "axis": list(call.axis), **{name: numbers(array) for name, array in inputs.items() if array is not None},
        "yours": None if evidence.yours is None else numbers(evidence.yours),
        "exact": None if evidence.exact is None else numbers(evidence.exact),
        "factor": evidence.factor, "reason": evidence.reason,
    }  # fmt: skip


def numbers(array: Array) -> Any:
    """An array as nested lists that JSON can hold: numbers, and "nan", "inf", "-inf" as text. Long arrays are cut and say so."""
    if array.size > 4096:
        return {"shape": list(array.shape), "first": numbers(array.reshape(-1)[:16])}
    values = array.tolist() if array.dtype.kind in "biu" else array.astype(np.float64).tolist()
    return _plain(values)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value if not isinstance(value, float) or np.isfinite(value) else str(value)

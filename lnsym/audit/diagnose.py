"""Which mistake of the catalogue explains what was seen. Imports the records of the audit and the right answers.

A mistake is named only if it explains every probe that it speaks of. What a probe cannot tell apart counts as explained: a mistake that
agrees with the right formula there agrees with a right answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lnsym.audit import reference
from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Parameters, Seen, faults
from lnsym.audit.result import Diagnosis

SLACK = 4.0  # the rounding of a wrong formula may be this many times that of the right one
PLACES = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
NEAR = 64.0  # and this many units in the last place of its own result
LIKE = 32.0  # how far apart the errors of two codes with the same weakness of arithmetic may be
PLAIN = "LN203"  # two passes as in the textbook: where they explain everything, nothing else is to blame
ABOUT_MASKS = ("LN141", "LN147", "LN148")
SHOWN = 3  # how many incomplete explanations are worth showing


@dataclass(frozen=True, eq=False)
class Observation:
    """One answer for y, for mistakes of arithmetic: what came, what was right, what was allowed."""

    call: Call
    yours: Array
    exact: Array
    tolerance: Array


def diagnose(seen: Sequence[Seen], observed: Sequence[Observation], signs: Mapping[str, tuple[int, int]]) -> tuple[Diagnosis, ...]:
    """The mistakes that explain what was seen; `signs` holds failures that name their mistake themselves: how many cases, of how many."""
    with np.errstate(all="ignore"):  # wrong formulas divide by zero and overflow
        return _diagnose(seen, observed, signs)


def _diagnose(seen: Sequence[Seen], observed: Sequence[Observation], signs: Mapping[str, tuple[int, int]]) -> tuple[Diagnosis, ...]:
    outputs = [
        _Probe(one, _shown(one.call, one.y), _shown(one.call, _rows(one.call, reference.output(one.call))), one.tolerance["y"])
        for one in seen
        if one.y is not None
    ]
    masked = [one for one in outputs if one.seen.call.mask is not None]  # they tell mistakes about masks where the rest is right
    found = _output([one for one in outputs if one not in masked]) or _output(masked, ABOUT_MASKS)
    named = any(one.complete for one in found)
    wrong_output = any(probe.is_wrong for probe in outputs)
    gradients = [one for one in seen if one.gradient]
    for name, label in (("x", "dx"), ("weight", "dweight"), ("bias", "dbias")):
        found += _gradient(gradients, name, label, wrong_output)
    if not named:
        weak = _arithmetic(observed)
        # The nearest formula says little where arithmetic explains everything.
        found = weak + ([] if any(one.complete for one in weak) else found) if wrong_output else found + weak
    idle = ORDINARY if wrong_output else {"LN420"} if "LN401" in signs else frozenset()  # it raises where it may not write
    found += _behaviour({code: sign for code, sign in signs.items() if code not in idle}, any(one.complete for one in found))
    if "LN402" in signs:
        found = [one for one in found if one.fault.code in ("LN401", "LN402")]  # of what changes by itself, nothing else can be said
    return tuple(_once(found))


def _of_kind(kind: str) -> list[Fault]:
    return [fault for fault in faults().values() if fault.kind == kind]


# ---------------------------------------------------------------- formulas


@dataclass(frozen=True, eq=False)
class _Probe:
    """An answer beside the right one, as rows."""

    seen: Seen
    yours: Array
    exact: Array
    tolerance: Array

    @property
    def is_wrong(self) -> bool:
        return _differs(self.yours, self.exact, self.tolerance)

    def is_explained(self, fault: Fault, parameters: Parameters, modelled: Array) -> bool:
        """Whether the mistake gives this answer. Where its argument is left out, the right answer will do, and so will 0 in its place."""
        if _agrees(self.yours, modelled, self.tolerance, self.seen.call):
            return not self.is_wrong or _nearer(self.yours, modelled, self.exact, self.tolerance)
        call = self.seen.call
        if fault.shown_by <= {name for name in ("weight", "bias") if getattr(call, name) is not None}:
            return False
        none = np.zeros(call.width)
        rows = self.seen.rows
        nothing = replace(rows, weight=none if call.weight is None else rows.weight, bias=none if call.bias is None else rows.bias)
        return not self.is_wrong or _agrees(
            self.yours, _modelled(fault, parameters, replace(self.seen, rows=nothing)), self.tolerance, call
        )


def _nearer(yours: Array, modelled: Array, exact: Array, tolerance: Array) -> bool:
    """Whether a wrong answer is nearer to what the formula gives than to the right one; else the formula does not say why it is wrong."""

    def off(other: Array) -> float:
        found = np.where(np.isfinite(other), np.abs(yours - other) / tolerance, 0.0)  # where it is no number, anything goes
        return float(np.nan_to_num(found, nan=np.inf, posinf=np.inf).max(initial=0.0))

    return off(modelled) < off(exact)


def _output(probes: Sequence[_Probe], codes: Sequence[str] = ()) -> list[Diagnosis]:
    """The formula that explains the outputs, where some are wrong, or the nearest few."""
    wrong = [probe for probe in probes if probe.is_wrong]
    if not wrong:
        return []
    seen = [probe.seen for probe in probes]
    found = []
    for fault in (one for one in _of_kind("function") if not codes or one.code in codes):
        for parameters in fault.parameters(seen):
            models = {id(probe): _modelled(fault, parameters, probe.seen) for probe in probes}
            # A formula that is the right one wherever yours is wrong explains nothing.
            if any(_differs(models[id(probe)], probe.exact, probe.tolerance) for probe in wrong):
                explains = sum(probe.is_explained(fault, parameters, models[id(probe)]) for probe in probes)
                found.append(Diagnosis(fault, parameters, explains, len(probes), "output"))
    return _best(found)


def _modelled(fault: Fault, parameters: Parameters, seen: Seen) -> Array:
    if fault.whole is not None:
        return _shown(seen.call, _rows(seen.call, fault.whole(seen.call, **parameters)))
    assert fault.model is not None
    return _shown(seen.call, fault.model(seen.rows, **parameters))


def _shown(call: Call, rows: Array) -> Array:
    """Rows with 0 behind the mask, where any value is right."""
    return rows if call.mask is None or rows.shape != (kept := call.flat(call.mask)).shape else np.where(kept, rows, 0.0)


def _agrees(yours: Array, modelled: Array, tolerance: Array, call: Call) -> bool:
    """Whether the answer is what the formula gives, as far as rounding lets one see; where the formula gives no number, anything goes."""
    if modelled.shape != yours.shape:
        return False
    allowed = SLACK * tolerance + NEAR * PLACES[call.x.dtype.name] * np.abs(modelled)
    near = np.abs(yours - modelled) <= allowed
    return bool((near | ~np.isfinite(modelled)).all())


def _differs(yours: Array, exact: Array, tolerance: Array) -> bool:
    if yours.shape != exact.shape:
        return True
    return bool((~(np.abs(yours - exact) <= tolerance)).any())


def _rows(call: Call, array: Array) -> Array:
    return call.flat(np.asarray(array)).astype(np.float64)


def _gradient(seen: Sequence[Seen], name: str, label: str, wrong_output: bool) -> list[Diagnosis]:
    """The mistakes that explain one of the gradients, where it is wrong on some probe."""
    probes = [one for one in seen if name in one.gradient]
    right = {id(one): _right_gradient(one, name) for one in probes}
    if not any(_differs(one.gradient[name], right[id(one)], one.tolerance[name]) for one in probes):
        return []
    found: list[Diagnosis] = []
    for fault in _of_kind("gradient"):
        for parameters in fault.parameters(probes):
            explains, speaks = 0, False
            for one in probes:
                assert fault.gradient is not None
                assert one.dy is not None
                modelled = fault.gradient(one.rows, one.dy, **parameters)
                speaks |= name in modelled
                explains += _explained(one, name, modelled.get(name, right[id(one)]), right[id(one)])
            if speaks:
                found.append(Diagnosis(fault, parameters, explains, len(probes), label))
    best = _best(found)
    # The derivative of a wrong function is not a second mistake: it is named only where it fits.
    return [one for one in best if one.complete] if wrong_output else best


def _explained(one: Seen, name: str, modelled: Array, exact: Array) -> bool:
    yours, tolerance = one.gradient[name], one.tolerance[name]
    if not _agrees(yours, modelled, tolerance, one.call):
        return False
    return not _differs(yours, exact, tolerance) or _nearer(yours, modelled, exact, tolerance)


def _right_gradient(seen: Seen, name: str) -> Array:
    assert seen.dy is not None
    found = reference.gradient(seen.call, seen.call.shaped(seen.dy))[name]
    return _rows(seen.call, found) if name == "x" else found.astype(np.float64).reshape(-1)


def _best(found: Iterable[Diagnosis]) -> list[Diagnosis]:
    """The complete explanation with the fewest constants, or the nearest few."""
    ranked = sorted(found, key=lambda one: (-one.explains, len(one.parameters), one.fault.code))
    if ranked and ranked[0].complete:
        return ranked[:1]
    return [one for one in ranked if one.explains][:SHOWN]


# ---------------------------------------------------------------- arithmetic


def _arithmetic(observed: Sequence[Observation]) -> list[Diagnosis]:
    """The weakness of arithmetic that is wrong where the subject is wrong and about as wrong, the most alike first."""
    mine = [_size(one.yours, one) for one in observed]
    if not any(size > 1 for size in mine):
        return []
    found: list[tuple[float, Diagnosis]] = []
    for fault in _of_kind("arithmetic"):
        assert fault.simulate is not None
        theirs = [_size(np.asarray(fault.simulate(one.call)), one) for one in observed]
        pairs = list(zip(mine, theirs, strict=True))
        if fault.code == PLAIN and not all(other > 1 for size, other in pairs if size > 1):
            continue  # they are right where the subject is wrong
        if any(_alike(*pair) for pair in pairs if pair[0] > 1):
            explains = sum(_alike(*pair) or _by_luck(pair[0], one) for pair, one in zip(pairs, observed, strict=True))
            found.append((sum(map(_distance, pairs)), Diagnosis(fault, {}, explains, len(observed), "arithmetic")))
    ranked = sorted(
        found, key=lambda pair: (-pair[1].explains, pair[1].complete and pair[1].fault.code != PLAIN, pair[0], pair[1].fault.code)
    )
    if ranked and ranked[0][1].complete:
        return [ranked[0][1]]
    return [one for _, one in ranked[:SHOWN]]


def _by_luck(mine: float, one: Observation) -> bool:
    """Whether the answer is right for constant rows only: there rounding errors may cancel, so it speaks against no weakness."""
    rows = one.call.flat(one.call.x)
    return mine <= 1 and bool((rows == rows[:, :1]).all())


def _distance(pair: tuple[float, float]) -> float:
    """How far apart two errors are, in powers of two; what both allow is no difference."""
    mine, theirs = (min(max(size, 1.0), 2.0**64) for size in pair)
    return abs(float(np.log2(mine) - np.log2(theirs)))


def _size(answer: Array, one: Observation) -> float:
    """The worst error in tolerances; infinity for what is not finite where the right answer is."""
    off = np.abs(answer.astype(np.float64) - one.exact) / one.tolerance
    off = np.where(np.isfinite(one.exact), np.where(np.isnan(off) & np.isfinite(answer.astype(np.float64)), 0.0, off), 0.0)
    return float(np.nan_to_num(off, nan=np.inf, posinf=np.inf).max(initial=0.0))


def _alike(mine: float, theirs: float) -> bool:
    if mine <= 1 or theirs <= 1:
        return max(mine, theirs) <= LIKE if min(mine, theirs) > 0.1 else max(mine, theirs) <= 1
    if np.isinf(mine) or np.isinf(theirs):
        return min(mine, theirs) > LIKE
    return max(mine, theirs) <= LIKE * min(mine, theirs)


# ---------------------------------------------------------------- behaviour

# What a wrong formula may bring with it, and what therefore says nothing beside one.
ORDINARY = frozenset({"LN410", "LN411", "LN422"})  # what a layout or a late row shows only where an ordinary row is right
FOLLOWS = frozenset({"LN410", "LN411", "LN412", "LN413", "LN416", "LN417", "LN420", "LN422"})


def _behaviour(signs: Mapping[str, tuple[int, int]], is_named: bool) -> list[Diagnosis]:
    """The mistakes that a failure is by itself the sign of."""
    codes = [code for code in sorted(signs) if code in faults() and not (is_named and code in FOLLOWS)]
    return [Diagnosis(faults()[code], {}, *signs[code], "behaviour") for code in codes]


# ---------------------------------------------------------------- all


def _once(found: Iterable[Diagnosis]) -> list[Diagnosis]:
    """Each mistake once: with what it explains taken together."""
    merged: dict[str, Diagnosis] = {}
    for one in found:
        code = one.fault.code
        if code in merged:
            old = merged[code]
            one = Diagnosis(one.fault, old.parameters, old.explains + one.explains, old.of + one.of, f"{old.about}, {one.about}")
        merged[code] = one
    return sorted(merged.values(), key=lambda one: not one.complete)

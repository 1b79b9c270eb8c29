"""Which mistake of the catalogue explains what was seen. Imports the records of the audit and the right answers.

A mistake is named only if it explains every probe that it speaks of. What a probe cannot tell apart counts as explained: a mistake that
agrees with the right formula there agrees with a right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lnsym.audit import reference
from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Parameters, Seen, faults
from lnsym.audit.pairs import Pair, pairs
from lnsym.audit.result import Diagnosis
from lnsym.audit.tolerance import output

SLACK = 4.0  # the rounding of a wrong formula may be this many times that of the right one
PLACES = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
NEAR = 64.0  # and this many units in the last place of its own result
LIKE = 32.0  # how far apart the errors of two codes with the same weakness of arithmetic may be
PLAIN = "LN203"  # two passes as in the textbook: where they explain everything, nothing else is to blame
SINGLE = "LN210"  # float64 rows in float32
ABOUT_MASKS = ("LN141", "LN147", "LN148")
ENOUGH = 8  # answers: with fewer, several mistakes may explain them all
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
    named, possible = (any(one.complete and one.sure is sure for one in found) for sure in (True, False))
    wrong_output = any(probe.is_wrong for probe in outputs)
    gradients = [one for one in seen if one.gradient]
    for name, label in (("x", "dx"), ("weight", "dweight"), ("bias", "dbias")):
        found += _gradient(gradients, name, label, wrong_output)
    if not named:
        weak = _arithmetic(observed)
        if possible:  # and few answers
            weak, found = [], found + [replace(one, sure=False) for one in weak if one.complete]
        # The nearest formula says little where arithmetic explains everything.
        found = weak + ([] if any(one.complete for one in weak) else found) if wrong_output else found + weak
    idle = (ORDINARY if wrong_output else frozenset()) | ({"LN420"} if "LN401" in signs else set())  # it raises where it may not write
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
        if not self.is_wrong:
            return True
        as_nothing = _modelled(fault, parameters, replace(self.seen, rows=nothing))
        if not _differs(as_nothing, self.exact, self.tolerance):
            return False  # a right answer does not say why this one is wrong
        return _agrees(self.yours, as_nothing, self.tolerance, call) and _nearer(self.yours, as_nothing, self.exact, self.tolerance)


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
    best = _formula(probes, wrong, codes)
    if codes or any(one.complete for one in best):
        return best
    return _two(probes, wrong) or _in_single(probes) or best


def _formula(probes: Sequence[_Probe], wrong: Sequence[_Probe], codes: Sequence[str] = ()) -> list[Diagnosis]:
    """The one formula that explains the outputs, or the nearest few."""
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


def _two(probes: Sequence[_Probe], wrong: Sequence[_Probe]) -> list[Diagnosis]:
    """The first two mistakes that together explain all outputs, if any do."""
    telling = sorted(wrong, key=lambda probe: -probe.seen.rows.x.size)
    ordered = [*telling, *(probe for probe in probes if not probe.is_wrong)]
    if len(probes) < ENOUGH or not np.isfinite(ordered[0].yours).all():
        return []  # few answers, NaN and infinity could come of many pairs
    for pair in pairs([probe.seen for probe in probes]):
        if all(_is_pair(probe, pair) for probe in ordered):
            first = Diagnosis(pair.first.fault, pair.first.parameters, len(probes), len(probes), "output", pair.second)
            return [first, replace(first, fault=pair.second, parameters={}, beside=first.fault)]
    return []


def _in_single(probes: Sequence[_Probe]) -> list[Diagnosis]:
    """A wrong formula in float32 for rows of float64: its answers without weight and bias are numbers of float32."""
    bare = [probe.yours for probe in probes if probe.seen.call.weight is None and probe.seen.call.bias is None]
    if len(probes) < ENOUGH or not bare or any(probe.seen.call.x.dtype != np.float64 for probe in probes):
        return []
    if any((one.astype(np.float32) != one).any() for one in bare):
        return []
    wide = [replace(probe, tolerance=_rows(probe.seen.call, output(probe.seen.call, "float32"))) for probe in probes]
    wrong = [probe for probe in wide if probe.is_wrong]
    found = _formula(wide, wrong) if wrong else []
    single = faults()[SINGLE]
    return [both for one in found if one.complete for both in (replace(one, beside=single), replace(one, fault=single, beside=one.fault))]


def _is_pair(probe: _Probe, pair: Pair) -> bool:
    """Whether two mistakes give this answer; here NaN and infinity are told by NaN and infinity only."""
    for modelled in pair.models(probe.seen):
        if modelled.shape == probe.yours.shape and bool((np.isfinite(modelled) | ~np.isfinite(probe.yours)).all()):
            agrees = _agrees(probe.yours, modelled, probe.tolerance, probe.seen.call)
            if agrees and (not probe.is_wrong or _nearer(probe.yours, modelled, probe.exact, probe.tolerance)):
                return True
    return False


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
    return [one for one in best if one.complete and one.sure] if wrong_output else best


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
        return _told([one for one in ranked if one.complete and len(one.parameters) == len(ranked[0].parameters)])
    return [one for one in ranked if one.explains][:SHOWN]


def _told(complete: list[Diagnosis]) -> list[Diagnosis]:
    """The first of the complete explanations; where there are few answers and several explain them, those, of which none is sure."""
    if complete[0].of >= ENOUGH or len({one.fault.code for one in complete}) == 1:
        return complete[:1]
    return [replace(one, sure=False) for one in complete[:SHOWN]]


# ---------------------------------------------------------------- arithmetic


def _arithmetic(observed: Sequence[Observation]) -> list[Diagnosis]:
    """The weakness of arithmetic that is wrong where the subject is wrong and about as wrong; first what gives the same wrong answers."""
    mine = [_size(one.yours, one) for one in observed]
    if not any(size > 1 for size in mine):
        return []
    found: list[tuple[int, float, Diagnosis]] = []
    for fault, simulate in _weaknesses():
        answers = [np.asarray(simulate(one.call)) for one in observed]
        theirs = [_size(answer, one) for answer, one in zip(answers, observed, strict=True)]
        pairs = list(zip(mine, theirs, strict=True))
        if fault.code == PLAIN and not all(other > 1 for size, other in pairs if size > 1):
            continue  # they are right where the subject is wrong
        if any(_alike(*pair) for pair in pairs if pair[0] > 1):
            explains = sum(_alike(*pair) or _by_luck(pair[0], one) for pair, one in zip(pairs, observed, strict=True))
            same = sum(size > 1 and np.array_equal(answer, one.yours) for size, answer, one in zip(mine, answers, observed, strict=True))
            same = same if 2 * same >= sum(size > 1 for size in mine) else 0  # a few may be the same by luck
            found.append((-same, sum(map(_distance, pairs)), Diagnosis(fault, {}, explains, len(observed), "arithmetic")))

    def rank(entry: tuple[int, float, Diagnosis]) -> tuple[float, ...]:
        same, distance, one = entry
        return -one.explains, one.complete and one.fault.code != PLAIN, same, distance

    best: dict[str, Diagnosis] = {}
    for _, _, one in sorted(found, key=rank):
        best.setdefault(one.fault.code, one)  # of several orders of its steps the nearest
    if complete := [one for one in best.values() if one.complete]:
        return _told(complete)
    return list(best.values())[:SHOWN]


def _weaknesses() -> Iterator[tuple[Fault, Callable[[Call], Array]]]:
    """Every weakness of arithmetic with every order of its steps."""
    for fault in _of_kind("arithmetic"):
        assert fault.simulate is not None
        yield from ((fault, simulate) for simulate in (fault.simulate, *fault.orders))


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

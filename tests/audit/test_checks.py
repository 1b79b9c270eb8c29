"""The checks: right implementations pass them all, shrunk cases too, and for every check there is a wrong implementation that fails it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest

from lnsym import library
from lnsym.audit.call import Array, Call
from lnsym.audit.check import Case, Check, Outcome, checks
from lnsym.audit.checks.inputs import laid_out, one_row
from lnsym.audit.fault import faults
from lnsym.audit.session import Here, Session
from lnsym.audit.shrink import shrink
from lnsym.audit.subject import SubjectFailed
from tests.audit.honest import HALF, Core, Emitted, FiftyDigits, Textbook, mean

ALL = ("float64", "float32", "float16", "bfloat16")
CHECKS = tuple(checks().values())
ORDINARY = tuple(one for one in CHECKS if not one.strict)


def code(check: Check) -> str:
    return check.code


def session(subject: Textbook, formats: tuple[str, ...] = ALL, **settings: Any) -> Session:
    return Session(Here(subject), formats=formats, full_range=True, **settings)


def offered(of: Session) -> set[str]:
    """What the subject offers, in the words of `needs`."""
    about = of.about
    words = set(about.takes) | set(about.gradients)
    words |= {"widths"} if about.width is None else set()
    words |= {"ranks"} if about.rank is None else set()
    words |= {"half"} if set(of.formats) & set(HALF) else set()
    return words | ({"several"} if len(of.formats) > 1 else set())


def outcomes(check: Check, of: Session) -> Iterator[tuple[Case, Outcome]]:
    for case in check.cases(of):
        for outcome in check.judge(of, case):
            yield case, outcome


def failures(of: Session, among: tuple[Check, ...] = ORDINARY) -> list[str]:
    """What fails, as texts."""
    found = []
    for check in among:
        if check.needs <= offered(of):
            try:
                found += [f"{check.code} {case.name}: {one.quantity} {one.reason}" for case, one in outcomes(check, of) if one.failed]
            except SubjectFailed as error:
                found.append(f"{check.code}: {error}")
    return found


# ---------------------------------------------------------------- honest implementations


@pytest.mark.many(3)
@pytest.mark.parametrize("formats", [ALL, ("float32", "float16"), ("float16",), ("bfloat16", "float32")], ids="-".join)
@pytest.mark.parametrize("subject", [Textbook, FiftyDigits, Emitted])
def test_honest_implementations_pass(subject: type[Textbook], formats: tuple[str, ...]) -> None:
    made = subject()
    kept = tuple(one for one in formats if one in made.about.formats)
    assert failures(session(made, kept or ("float32",))) == []


class Wide(Textbook):
    """Statistics in float64, whatever the format."""

    def rows(self, call: Call) -> Array:
        rows: Array = call.flat(call.x).astype(np.float64)
        return rows


class InOrder(Textbook):
    """Sums from the first entry to the last."""

    def center(self, x: Array, kept: Array) -> Array:
        count = kept.sum(axis=1, keepdims=True).astype(x.dtype)
        return np.where(kept, x - np.add.accumulate(np.where(kept, x, 0), axis=1)[:, -1:] / count, 0)

    def variance(self, v: Array, kept: Array) -> Array:
        q: Array = np.add.accumulate(v * v, axis=1)[:, -1:] / kept.sum(axis=1, keepdims=True).astype(v.dtype)
        return q


class Broadcasting(Textbook):
    """Weight and bias multiply and add as NumPy broadcasts them."""

    takes = Textbook.takes - {"mask"}

    def forward(self, call: Call) -> Any:
        y = super().forward(call.but(weight=None, bias=None))
        y = y if call.weight is None else y * call.weight
        return y if call.bias is None else y + call.bias


class Folded(Textbook):
    """x r - mean r in place of (x - mean) r, and the gradient by sums of products with x."""

    takes = Textbook.takes - {"mask"}

    def core(self, call: Call) -> Core:
        found, x = super().core(call), self.rows(call)
        return found._replace(u=x * found.r - mean(x) * found.r)

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Mapping[str, Array]:
        found, x = self.core(call), self.rows(call)
        k = call.flat(dy).astype(x.dtype) * found.weight
        b = (k.sum(axis=1, keepdims=True) * mean(x) - (k * x).sum(axis=1, keepdims=True)) * found.r**3 / x.dtype.type(call.width)
        dx = k * found.r + b * x - b * mean(x) - mean(k) * found.r
        return {**super().gradient(call, dy, wrt), **({"x": call.shaped(dx).astype(call.x.dtype)} if "x" in wrt else {})}


@pytest.mark.many(3)
@pytest.mark.parametrize("subject", [Wide, InOrder, Folded, Broadcasting])
@pytest.mark.parametrize("formats", [ALL, ("float32",)], ids="-".join)
def test_other_ways_to_calculate_pass(subject: type[Textbook], formats: tuple[str, ...]) -> None:
    meant = tuple(one for one in formats if one not in HALF or subject is not Broadcasting)  # that one rounds halves more than once
    assert failures(session(subject(), meant)) == []


@pytest.mark.parametrize(
    "about",
    [
        {"width": 6},
        {"rank": 1},
        {"rank": 3},
        {"takes": frozenset(), "eps": 1e-3, "gradients": frozenset({"vjp"})},
        {"takes": frozenset({"eps"}), "weight": (1.0, 2.0, -1.0, 0.5), "bias": (0.0, 1.0, 2.0, 3.0)},
        {"takes": frozenset({"weight"}), "eps": 0.5, "width": 5, "rank": 2},
    ],
    ids=str,
)
def test_narrow_subjects_pass(about: Mapping[str, Any]) -> None:
    assert failures(session(Textbook(**about), ("float64", "float16"))) == []


@pytest.mark.parametrize("axis", [(0,), (1,), (-2, -1), (1, 2)], ids=str)
@pytest.mark.parametrize("takes", [frozenset({"weight", "bias", "eps"}), Textbook.takes], ids=["fixed axis", "any axis"])
def test_other_axes_pass(axis: tuple[int, ...], takes: frozenset[str]) -> None:
    assert failures(session(Textbook(takes=takes), ("float64",), axis=axis)) == []


@pytest.mark.parametrize("seed", range(3))
def test_other_seeds_pass(seed: int) -> None:
    assert failures(session(Textbook(), ("float32", "float16"), seed=seed)) == []


def test_what_is_shrunk_is_rounded_to_no_minus_zero() -> None:
    case = Case(Call(np.array([[-0.25, 0.75, 2.0, 3.0]])))
    found = shrink(case, lambda _: True, 60)
    assert not np.signbit(found.call.x[found.call.x == 0]).any()


@pytest.mark.many(4)
@pytest.mark.parametrize("check", ORDINARY, ids=code)
def test_shrinking_accuses_no_honest_implementation(check: Check) -> None:
    of = session(Textbook())

    def wrong(case: Case) -> bool:
        try:
            return any(one.failed for one in check.judge(of, case))
        except (ArithmeticError, ValueError, IndexError):
            return False

    for case in list(check.cases(of))[:4]:
        if case.call.x.size < 1000:
            assert shrink(case, wrong, 60) is case


# ---------------------------------------------------------------- wrong implementations


def mutant(step: str, change: Callable[..., Any], **settings: Any) -> Callable[[], Textbook]:
    """The textbook with one step replaced by change(subject, the right step, arguments)."""

    def made() -> Textbook:
        right = getattr(Textbook, step)
        kind = type("Mutant", (Textbook,), {step: lambda self, *given: change(self, lambda *other: right(self, *other), *given)})
        return kind(**settings)  # type: ignore[no-any-return] # a Textbook by its bases

    return made


def on_call(change: Callable[[Call], Call]) -> Callable[..., Any]:
    """A step that works on another call than the one that was asked."""
    return lambda _, right, call, *more: right(change(call), *more)


def _forward_if(wrong: Callable[[Call], bool], answer: Callable[[Call, Array], Array]) -> Callable[[], Textbook]:
    return mutant("forward", lambda _, right, call: answer(call, right(call)) if wrong(call) else right(call))


def _in_memory_order(call: Call) -> Call:
    if 0 in call.x.strides:
        return call.but(x=np.resize(call.x[:1].ravel() * np.arange(2), call.x.shape).astype(call.x.dtype))
    return call.but(x=call.x.ravel(order="K").reshape(call.x.shape))


def _one_pass(subject: Textbook, _: Any, call: Call, least: float = 0.0) -> Core:
    x = subject.rows(call)
    q = np.maximum(mean(x * x) - mean(x) ** 2, x.dtype.type(least))
    r = subject.root(q, call.eps)
    return Core((x - mean(x)) * r, r, *subject.parameters(call, x.dtype))


def _blocks(size: int) -> Callable[..., Any]:
    """Only whole blocks of a long row count."""

    def center(_: Textbook, right: Any, x: Array, kept: Array) -> Array:
        d = x.shape[1]
        if d <= size or d % size == 0:
            return np.asarray(right(x, kept))
        return np.asarray(x - mean(x[:, : d - d % size]))

    return center


def _unbiased(_: Textbook, right: Any, v: Array, kept: Array) -> Array:
    d = v.shape[1]
    with np.errstate(all="ignore"):
        return np.asarray(right(v, kept) * np.float64(d) / np.float64(d - 1)).astype(v.dtype)


def _whole_batch(_: Textbook, right: Any, x: Array, kept: Array) -> Array:
    return np.asarray(x - (x.mean() if x.size else 0))


def _eps_outside(_: Textbook, right: Any, q: Array, eps: float) -> Array:
    return np.asarray(1 / (np.sqrt(q) + eps)).astype(q.dtype)


def _in_half(_: Textbook, right: Any, v: Array, kept: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(right(v.astype(np.float16), kept)).astype(v.dtype)


def _counting() -> Callable[..., Any]:
    count = iter(range(10**9))
    return lambda _, right, *given: _scaled(right(*given), 1 + next(count) / 8)


def _scaled(value: Any, factor: float) -> Any:
    if isinstance(value, Mapping):
        return {name: one * one.dtype.type(factor) for name, one in value.items()}
    return value * value.dtype.type(factor)


def _one_buffer() -> Callable[[], Textbook]:
    kept: dict[tuple[Any, ...], Array] = {}

    def forward(_: Textbook, right: Any, call: Call) -> Array:
        y = np.asarray(right(call))
        buffer = kept.setdefault((y.shape, y.dtype.str), np.empty_like(y))
        buffer[...] = y
        return buffer

    return mutant("forward", forward)


def _writing(step: str) -> Callable[[], Textbook]:
    def change(_: Textbook, right: Any, call: Call, *more: Any) -> Any:
        found = right(call, *more)
        target = more[0] if more else call.x
        if target.flags.writeable:
            target[...] = 0
        return found

    return mutant(step, change)


def _without_gain(subject: Textbook, right: Any, call: Call, dy: Array, ddx: Array) -> Mapping[str, Array]:
    plain = right(call.but(weight=None), dy, ddx)
    return {**right(call, dy, ddx), "dy": plain["dy"]}


def _nonfinite_leaks(_: Textbook, right: Any, x: Array, kept: Array) -> Array:
    return np.asarray(right(x, kept) + 0 * x.sum())


def _subset(_: Textbook, right: Any, call: Call, dy: Array, wrt: tuple[str, ...]) -> Mapping[str, Array]:
    whole = right(call, dy, ("x", "weight", "bias"))
    return {name: whole[name] * (0 if name == "weight" and "x" not in wrt else 1) for name in wrt}


def _rows_left_out(_: Textbook, right: Any, found: Core, g: Array) -> Array:
    n = g.shape[0]
    last = n - n % 8 if n > 8 else n
    return np.asarray(right(found._replace(u=found.u[:last]), g[:last]))


def _misread_axis(call: Call) -> Call:
    return call.but(axis=tuple(-1 if axis < 0 else axis for axis in call.axis)) if len(call.axis) == 1 else call


def _on_last_axis(call: Call) -> Array:
    """Weight and bias lined up with the last axis, whichever was normalized."""
    bare = Textbook().forward(call.but(weight=None, bias=None))
    assert call.weight is not None
    assert call.bias is not None
    return np.asarray(bare * call.weight.reshape(-1) + call.bias.reshape(-1))


def _late_rows(call: Call, y: Array) -> Array:
    y = y.copy()
    y[65535:] = 7
    return y


def _like_x(call: Call, change: Callable[[Array], Any]) -> Call:
    return call.but(x=np.asarray(change(call.x)).astype(call.x.dtype))


MUTANTS: Mapping[str, Callable[[], Textbook]] = {
    "V01": mutant("root", _eps_outside),
    "V02": mutant("forward", on_call(lambda call: call.but(eps=max(call.eps, 1e-6)))),
    "V03": mutant("variance", _unbiased),
    "V04": mutant("affine", lambda _, right, found: right(found) * found.weight),
    "V05": mutant("affine", lambda _, right, found: right(found) if (found.weight != 1).any() else found.u),
    "V06": mutant("affine", lambda _, right, found: right(found._replace(weight=found.bias, bias=found.weight))),
    "V07": _forward_if(
        lambda call: call.x.ndim == 2 and call.x.shape[0] == call.x.shape[1],
        lambda call, _: Textbook().forward(call.but(x=np.ascontiguousarray(call.x.T))).T,
    ),
    "V08": mutant("center", _whole_batch),
    "V09": mutant("root", lambda _, right, q, eps: np.where(q == 0, np.nan, right(q, eps)).astype(q.dtype)),
    "V10": mutant("center", _blocks(4)),
    "V11": mutant("root", lambda _, right, q, eps: right(q, eps) * q.dtype.type(1.0001)),
    "V12": mutant("center", _blocks(512)),
    "V13": mutant("affine", lambda _, right, found: right(found) * (np.nan if not found.bias.any() and found.weight[0] != 1 else 1)),
    "M01": mutant("center", lambda _, _right, x, _kept: x - 0 * x),
    "M02": mutant("center", lambda _, _right, x, _kept: x - x[:, :1]),
    "M03": mutant("center", lambda _, _right, x, _kept: x - mean(np.abs(x))),
    "M04": mutant("root", lambda _, right, q, eps: right(q, eps**2)),
    "M05": mutant("center", _whole_batch),
    "M06": mutant("forward", on_call(_in_memory_order)),
    "M07": mutant("forward", on_call(_in_memory_order)),
    "M08": mutant("root", lambda _, right, q, eps: np.where(q < 1e-10, np.nan, right(q, eps)).astype(q.dtype)),
    "M09": mutant("variance", _unbiased),
    "M10": mutant("affine", lambda _, right, found: right(found._replace(weight=np.abs(found.weight)))),
    "M11": mutant("affine", lambda _, right, found: right(found._replace(bias=found.bias / 2))),
    "D01": mutant("dx", lambda _, _right, found, k: found.r * k),
    "D02": mutant("gradient", lambda _, right, call, dy, wrt: right(call.but(weight=None), dy, wrt)),
    "D03": mutant(
        "dx", lambda _, _right, found, k: found.r * (k - mean(k) - found.u * mean(found.u * k) / np.maximum(mean(found.u**2), 1e-9))
    ),
    "D04": mutant("dweight", lambda _, right, found, g: right(found, g)[::-1]),
    "D05": mutant("dx", lambda _, _right, found, k: found.r * (k - found.u * mean(found.u * k))),
    "D06": mutant("dx", lambda _, right, found, k: right(found, np.where(np.arange(k.shape[1]) < 256, k, 0))),
    "D07": mutant("dx", lambda _, right, found, k: right(found, k) / (found.u.any(axis=1, keepdims=True) & True)),
    "D08": mutant("core", _one_pass),
    "D09": mutant("dx", lambda _, _right, found, k: found.r * (k - found.u * mean(found.u * k))),
    "D10": mutant("dx", lambda _, _right, found, k: found.r * (k - found.u * mean(found.u * k))),
    "D11": mutant("dx", lambda _, _right, found, k: found.r * (k - mean(k))),
    "D12": mutant("dbias", lambda _, right, g: right(np.abs(g))),
    "D13": mutant("dbias", lambda _, right, g: right(g) / g.dtype.type(g.shape[0] or 1)),
    "D14": mutant("gradient", _subset),
    "D15": mutant("jvp", lambda _, right, call, dx: right(call.but(eps=call.eps * 2), dx)),
    "D16": mutant("jvp", lambda _, right, call, dx: right(call.but(weight=None), dx)),
    "D17": mutant("double", _without_gain),
    "F01": mutant("forward", lambda _, right, call: right(call).astype(np.float64)),
    "F02": mutant("variance", _in_half),
    "F03": mutant("dx", lambda _, right, found, k: right(found, k.astype(np.float16).astype(k.dtype) / 3 * 3) * found.u.dtype.type(1.001)),
    "F04": mutant("root", lambda _, right, q, eps: right(q, eps) if q.dtype == np.float64 else right(q, float(np.float16(eps)))),
    "F05": mutant("variance", _in_half),
    "F06": mutant("parameters", lambda _, right, call, _dtype: right(call, call.x.dtype)),
    "F07": _forward_if(lambda call: call.x.dtype.kind == "i", lambda call, y: y.astype(call.x.dtype)),
    "F08": mutant("core", _one_pass),
    "F09": mutant("core", partial(_one_pass, least=-np.inf)),
    "F10": mutant("root", lambda _, right, q, eps: right(np.minimum(q, 1e60), eps)),
    "F11": Textbook,
    "F12": mutant("forward", on_call(lambda call: _like_x(call, lambda x: np.where(np.abs(x) < np.finfo(x.dtype).tiny, 0, x)))),
    "F13": mutant("root", lambda _, right, q, eps: right(q, float(np.float32(eps)))),
    "F14": mutant("center", lambda _, _right, x, _kept: x - mean(x[:, : 2**15])),
    "F15": mutant("dx", lambda _, right, found, k: right(found._replace(u=found.u.astype(np.float16).astype(k.dtype)), k)),
    "F16": Textbook,  # the mean of seven equal numbers is rounded
    "F17": mutant("center", lambda _, _right, x, _kept: x - np.add.accumulate(x, axis=1)[:, -1:] / x.dtype.type(x.shape[1])),
    "S01": mutant("variance", _unbiased),
    "S02": _forward_if(lambda call: call.x.size == 0, lambda call, _: call.x[0]),
    "S03": mutant("forward", on_call(lambda call: call.but(axis=(min(1, call.x.ndim - 1),), weight=None, bias=None))),
    "S04": mutant("forward", on_call(_misread_axis)),
    "S05": _forward_if(lambda call: call.weight is not None and len(set(call.x.shape)) == 1, lambda call, _: _on_last_axis(call)),
    "S06": mutant("forward", on_call(lambda call: call.but(axis=call.axes[-1:], weight=None, bias=None))),
    "S07": mutant("center", _blocks(32)),
    "S08": _forward_if(lambda call: call.x.shape[0] > 65535, _late_rows),
    "S09": mutant("dweight", _rows_left_out),
    "S10": mutant("dx", lambda _, right, found, k: right(found, k) / (k.shape[1] - 1)),
    "S11": mutant("dbias", lambda _, right, g: right(g) if g.size else np.full(g.shape[1], np.nan)),
    "S12": mutant(
        "gradient", lambda _, right, call, dy, wrt: right(call, dy, wrt) if call.x.ndim < 3 else _scaled(right(call, dy, wrt), 2)
    ),
    "S13": mutant("forward", on_call(lambda call: call.but(mask=None))),
    "S14": mutant("center", _nonfinite_leaks),
    "S15": mutant("forward", on_call(lambda call: call.but(eps=call.eps or 1e-5))),
    "S16": mutant("forward", on_call(lambda call: call.but(eps=abs(call.eps)))),
    "P01": _writing("forward"),
    "P02": mutant("forward", _counting()),
    "P03": _one_buffer(),
    "P04": mutant("forward", lambda _, _right, call: call.x),
    "P05": _writing("gradient"),
    "P06": mutant("gradient", _counting()),
}


def test_every_check_has_a_wrong_implementation() -> None:
    assert list(MUTANTS) == sorted(MUTANTS, key=lambda one: ("VMDFSP".index(one[0]), one))
    assert set(MUTANTS) == set(checks())


@pytest.mark.parametrize("check", CHECKS, ids=code)
@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_every_check_fails_a_wrong_implementation(check: Check) -> None:
    of = session(MUTANTS[check.code]())
    assert check.needs <= offered(of)
    assert failures(of, (check,))


@pytest.mark.parametrize("check", CHECKS, ids=code)
def test_signs_are_mistakes_of_the_catalogue(check: Check) -> None:
    of = session(MUTANTS[check.code]())
    named = {check.raising}
    try:
        with np.errstate(all="ignore"):
            named |= {one.fault for _, one in outcomes(check, of)}
    except SubjectFailed:
        pass
    assert named - {""} <= set(faults())


BEHAVIOUR = {
    "P01": "LN401", "P02": "LN402", "P03": "LN419", "P05": "LN401", "P06": "LN402", "F01": "LN405", "F07": "LN423", "D07": "LN414",
    "D14": "LN418", "M05": "LN412", "M06": "LN410", "S04": "LN417", "S08": "LN422", "S14": "LN413", "S16": "LN415", "V13": "LN425",
}  # fmt: skip


@pytest.mark.parametrize("name", BEHAVIOUR)
@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_some_failures_name_their_mistake(name: str) -> None:
    of = session(MUTANTS[name]())
    assert BEHAVIOUR[name] in {one.fault for _, one in outcomes(checks()[name], of) if one.failed}


# ---------------------------------------------------------------- the table of checks


@pytest.mark.parametrize("check", CHECKS, ids=code)
def test_a_check_says_what_it_stands_on(check: Check) -> None:
    assert check.theorem in library.book().derivations
    assert len(check.title) < 70
    assert not check.title.endswith(".")


def test_titles_differ() -> None:
    assert len({check.title for check in CHECKS}) == len(CHECKS)


@pytest.mark.parametrize("check", CHECKS, ids=code)
def test_cases_are_made_again_alike(check: Check) -> None:
    first, second = (list(check.cases(session(Textbook()))) for _ in range(2))
    assert first
    for one, other in zip(first, second, strict=True):
        assert one.name == other.name
        for left, right in ((one.call.x, other.call.x), (one.dy, other.dy)):
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("check", ORDINARY, ids=code)
def test_every_check_says_something(check: Check) -> None:
    bounded = [np.isfinite(one.tolerance).any() or not one.yours.size for _, one in outcomes(check, session(Textbook()))]
    assert all(bounded)


def test_the_checks_are_quick() -> None:
    started = time.process_time()
    of = session(Textbook(gradients=frozenset()))
    assert failures(of, CHECKS[:0] + ORDINARY) == []
    assert time.process_time() - started < 3


# ---------------------------------------------------------------- the inputs


@pytest.mark.parametrize("axis", [(-1,), (0,), (1,), (-2, -1), (0, 2)], ids=str)
def test_rows_are_laid_out_and_found_again(axis: tuple[int, ...]) -> None:
    batch = (2,) if max(axis) < 2 else (3,)
    rows = np.arange(batch[0] * 6.0).reshape(batch[0], 6)
    x, sizes = laid_out(rows, axis, batch)
    call = Call(x, axis=axis)
    assert int(np.prod(sizes)) == call.width == 6
    np.testing.assert_array_equal(call.flat(x), rows)
    for k in range(batch[0]):
        single = one_row(call, k)
        np.testing.assert_array_equal(single.flat(single.x), rows[k : k + 1])

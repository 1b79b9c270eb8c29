# Written by `lnsym emit numpy --tier exact`.
"""Layer normalization with epsilon for NumPy, exact tier.

Exact tier: results are correctly rounded, whatever the input: one answer for each argument, the same for a
row alone or in a batch, in any layout, after any permutation. Only the gradient by the weight over several
rows has a bound instead. Fast stages carry a bound for their own error; whole numbers decide what the bound
leaves open.

The promises suppose binary IEEE 754 arithmetic with round to nearest even and gradual underflow, NumPy's
operations neither reordered nor contracted, finite inputs, eps > 0 (or eps = 0 and no constant row), and at
most 2^20 entries in a row. In the bounds p is the number of digits of the result's format (53, 24, 11 for
float64, float32, float16, and 8 for bfloat16), eta its least subnormal, q the variance of the row, s = sqrt(q
+ eps), rho = q/(q + eps), u its core.

Results have the widest format of all array arguments; float16 beside bfloat16 gives float32. Integers and
booleans count as float64. Means and rstds are float32 where that format is a half format. A row that holds
NaN or infinity comes out as NaN, and affects no other row, only sums over the rows. Any memory layout, byte
order and batch shape will do, empty batches too.

Theorems, each proved in the process that wrote this file: gradient_dot_output_eq, output_eq,
parameter_gradient_sums_cases, statistics_merge_eq.

Certificate: sha256 f8312c324387854aaa010454c0a5cc71e1c82eee68be9d43fc8f621b789533d1, printed in full by the command above with --json.

Run this file with --check to have it tried on its own test vectors.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import sys
import warnings
from fractions import Fraction
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["layer_norm", "layer_norm_vjp", "merge_stats", "normalize"]

_Array = NDArray[Any]


def normalize(x: ArrayLike, eps: float = 1e-5, axis: int | tuple[int, ...] = -1, *, out: _Array | None = None) -> _Array:
    """Return the normalized core of each row: its deviations from the mean over sqrt(variance + eps).

    Parameters
    ----------
    x : array
        Input; its entries along axis form the rows.
    eps : float
        Added to the variance, under the root, in the units of x squared; finite and > 0, or 0 if no row is constant. An int or a
        Fraction counts as the float64 nearest to it.
    axis : int or tuple of int
        The axes over which mean and variance are taken.
    out : array or None
        Where to put the result; of its shape and format. It may overlap the arguments.

    Returns
    -------
    array
        The core, of the shape of x, without units; all 0 for a constant row.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    Over the d entries of a row, by theorem output_eq of lnsym::

        mean = mean(x)
        deviations = x - mean
        variance = mean(deviations * deviations)
        root = sqrt(variance + eps)
        u = deviations / root

    Bound: every component is the correctly rounded value of the real function.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: on paper, from
    the bounds of double-word arithmetic: the constants by which a fast stage knows whether its answer is
    decided. Measured: no component that differs from what integer arithmetic gives, of more than ten million.

    Examples
    --------
    >>> normalize([1.0, 3.0], eps=3.0)
    array([-0.5,  0.5])
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    array = _checked_array("x", x)
    axes, eps = _checked_axes(axis, array.shape), _checked_eps(eps)
    rows = _as_rows(array, axes)
    target = _room(out, array.shape, axes, array.dtype, (rows,))
    with np.errstate(all="ignore"):
        if eps == 0.0:
            _refuse_constant_rows(rows, _batch_shape(array.shape, axes))
        _layer_norm_rows(rows, None, None, eps, target)
    return _delivered(target, out, array.shape, axes)


@overload
def layer_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    eps: float = 1e-5,
    axis: int | tuple[int, ...] = -1,
    *,
    return_stats: Literal[False] = False,
    out: _Array | None = None,
) -> _Array: ...


@overload
def layer_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    eps: float = 1e-5,
    axis: int | tuple[int, ...] = -1,
    *,
    return_stats: Literal[True],
    out: _Array | None = None,
) -> tuple[_Array, _Array, _Array]: ...


def layer_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    eps: float = 1e-5,
    axis: int | tuple[int, ...] = -1,
    *,
    return_stats: bool = False,
    out: _Array | None = None,
) -> _Array | tuple[_Array, _Array, _Array]:
    """Normalize each row, then apply gain and bias: weight * core + bias.

    Parameters
    ----------
    x : array
        Input; its entries along axis form the rows.
    weight : array or None
        Gain, of the shape of the normalized axes of x; None stands for ones.
    bias : array or None
        Bias, of the shape of the normalized axes of x; None stands for zeros.
    eps : float
        Added to the variance, under the root, in the units of x squared; finite and > 0, or 0 if no row is constant. An int or a
        Fraction counts as the float64 nearest to it.
    axis : int or tuple of int
        The axes over which mean and variance are taken.
    return_stats : bool
        Whether to return the mean and the rstd = 1/sqrt(variance + eps) of each row too.
    out : array or None
        Where to put the result; of its shape and format. It may overlap the arguments.

    Returns
    -------
    array, or tuple of three arrays
        y, of the shape of x and in the units of bias; with return_stats (y, mean, rstd), the last two of the shape of the batch.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    Over the d entries of a row, by theorem output_eq of lnsym::

        mean = mean(x)
        deviations = x - mean
        variance = mean(deviations * deviations)
        root = sqrt(variance + eps)
        core = deviations / root
        rstd = 1 / root
        y = weight * core + bias

    Bound: every component of y, with weight and bias taken as they are, and every mean and rstd is the
    correctly rounded value of the real function.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: on paper, from
    the bounds of double-word arithmetic: the constants by which a fast stage knows whether its answer is
    decided. Measured: no component that differs from what integer arithmetic gives, of more than ten million.

    Examples
    --------
    >>> layer_norm([[2.0, 6.0]], [2.0, 4.0], [0.5, 0.0], eps=12.0)
    array([[-0.5,  2. ]])
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    array = _checked_array("x", x)
    shape = array.shape
    axes, eps = _checked_axes(axis, shape), _checked_eps(eps)
    weight_row, bias_row = _checked_parameter("weight", weight, shape, axes), _checked_parameter("bias", bias, shape, axes)
    rows = _as_rows(array, axes)
    target = _room(out, shape, axes, _result_format(array, weight_row, bias_row), (rows, weight_row, bias_row))
    with np.errstate(all="ignore"):
        if eps == 0.0:
            _refuse_constant_rows(rows, _batch_shape(shape, axes))
        mean, rstd = _layer_norm_rows(rows, weight_row, bias_row, eps, target)
    result = _delivered(target, out, shape, axes)
    if not return_stats:
        return result
    batch = _batch_shape(shape, axes)
    return result, mean.reshape(batch), rstd.reshape(batch)


def layer_norm_vjp(
    dy: ArrayLike,
    x: ArrayLike,
    weight: ArrayLike | None = None,
    eps: float = 1e-5,
    axis: int | tuple[int, ...] = -1,
    *,
    wrt: tuple[str, ...] = ("x", "weight", "bias"),
) -> tuple[_Array, ...]:
    """Return the gradients of a scalar by x, weight and bias, from its gradient dy by the output of layer_norm.

    Parameters
    ----------
    dy : array
        Gradient by the output, of the shape of x.
    x : array
        Input; its entries along axis form the rows.
    weight : array or None
        Gain, of the shape of the normalized axes of x; None stands for ones.
    eps : float
        Added to the variance, under the root, in the units of x squared; finite and > 0, or 0 if no row is constant. An int or a
        Fraction counts as the float64 nearest to it.
    axis : int or tuple of int
        The axes over which mean and variance are taken.
    wrt : tuple of str
        Which gradients to return, in which order: any of "x", "weight" and "bias".

    Returns
    -------
    tuple of arrays
        One gradient for each name in wrt: that by x of the shape of x, those by weight and bias of the shape of the normalized
        axes, summed over the rows.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    Over the d entries of a row, by theorems parameter_gradient_sums_cases, gradient_dot_output_eq of lnsym::

        mean = mean(x)
        deviations = x - mean
        variance = mean(deviations * deviations)
        root = sqrt(variance + eps)
        core = deviations / root
        rstd = 1 / root
        weight_dy = weight * dy
        mean_weight_dy = mean(weight_dy)
        mean_weight_dy_core = mean(weight_dy * core)
        dweight = sum(dy * core over rows)
        dbias = sum(dy over rows)
        dx = rstd * (weight_dy - mean_weight_dy - core * mean_weight_dy_core)

    Bound: every component of dx and dbias, and of dweight where x is one row, is the correctly rounded value
    of the real function; of more rows |error of dweight| <= 2^-53 (1 + 2^-30) |dweight| + 2^-1075 + sum
    (2^-66 |dy| + 2^-600 max |dy|) max |u| in float64, and 2^-p |dweight| + 2^-38 sum |dy| (|u| + sqrt(rho))
    in the narrower formats, each sum over the rows and each maximum over a row.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: on paper, from
    the bounds of double-word arithmetic: the constants by which a fast stage knows whether its answer is
    decided. Measured: no component that differs from what integer arithmetic gives, of more than ten million.

    Examples
    --------
    >>> layer_norm_vjp([1.0, 0.0], [1.0, 3.0], eps=3.0)
    (array([ 0.1875, -0.1875]), array([-0.5,  0. ]), array([1., 0.]))
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    array = _checked_array("x", x)
    shape = array.shape
    axes, eps = _checked_axes(axis, shape), _checked_eps(eps)
    wrt = _checked_names(wrt)
    cotangent, weight_row = _checked_like("dy", dy, shape), _checked_parameter("weight", weight, shape, axes)
    rows, cotangent_rows = _as_rows(array, axes), _as_rows(cotangent, axes)
    form, d = _result_format(cotangent, array, weight_row), rows.shape[1]
    dx = np.empty_like(rows, dtype=form) if "x" in wrt else None
    dweight = np.empty(d, form) if "weight" in wrt else None
    dbias = np.empty(d, form) if "bias" in wrt else None
    with np.errstate(all="ignore"):
        if eps == 0.0:
            _refuse_constant_rows(rows, _batch_shape(shape, axes))
        _vjp_rows(cotangent_rows, rows, weight_row, eps, dx, dweight, dbias)
    found = {"x": dx if dx is None else _delivered(dx, None, shape, axes)}
    for name, gradient in (("weight", dweight), ("bias", dbias)):
        found[name] = gradient if gradient is None or len(axes) == 1 else gradient.reshape(tuple(shape[one] for one in axes))
    return tuple(gradient for name in wrt if (gradient := found[name]) is not None)


def merge_stats(
    first: tuple[ArrayLike, ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike, ArrayLike]
) -> tuple[_Array, _Array, _Array]:
    """Return count, mean and sum of squared deviations of the union of two shards.

    Parameters
    ----------
    first, second : tuple (n, mean, m2)
        Number of members, their mean, and the sum of their squared deviations from it: numbers, or arrays that broadcast together.
        A shard with n = 0 may have any mean and m2.

    Returns
    -------
    tuple (n, mean, m2)
        The same of the union; variance = m2/n.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    For two shards, by theorem statistics_merge_eq of lnsym::

        part = n + n_prime
        result n = part
        result mean = (n * mean + n_prime * mean_prime) / part
        result m2 = m2 + m2_prime + n * n_prime * (mean_prime - mean)**2 / part

    Bound: n, mean and m2 are the correctly rounded values of the real functions.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: nothing, since
    whole numbers decide each result. Measured: nothing beyond the tests.

    Examples
    --------
    >>> merge_stats((2, 4.0, 8.0), (2, 0.0, 20000.0))
    (array(4.), array(2.), array(20024.))
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    shards = _checked_shards(first, second)
    n, mean, m2, other_n, other_mean, other_m2 = (array.reshape(-1) for array in shards)
    with np.errstate(all="ignore"):
        # An empty shard has neither mean nor deviations: whatever stands there, the other shard's mean takes its place.
        own, other = n == 0.0, other_n == 0.0
        mean, m2 = np.where(own, other_mean, mean), np.where(own, m2.dtype.type(0), m2)
        other_mean, other_m2 = np.where(other, mean, other_mean), np.where(other, m2.dtype.type(0), other_m2)
        both = own & other
        total, mean, m2 = _merge_stats((np.where(both, n.dtype.type(1), n), mean, m2), (other_n, other_mean, other_m2))
        total, mean = np.where(both, 0.0, total), np.where(both, 0.0, mean)
        form, shape = shards[1].dtype, shards[0].shape
        return total.astype(n.dtype).reshape(shape), mean.astype(form).reshape(shape), m2.astype(form).reshape(shape)


# Arguments: what comes in is checked and laid out as rows, and results are brought back into the caller's shape.

_FLOAT64, _FLOAT32 = np.dtype(np.float64), np.dtype(np.float32)
_LEAST_NORMAL, _HALF = 2.0**-1022, 0.5


def _flushes_to_zero() -> bool:
    """Whether this process turns subnormal numbers into 0, which some libraries make the processor do."""
    return _LEAST_NORMAL * _HALF == 0.0


def _warn_of_flushing() -> None:
    """Say that the promises of this module suppose gradual underflow."""
    warnings.warn(
        "this process flushes subnormal numbers to zero, so results whose computation meets them may be wrong; "
        "gradual underflow was switched off by a library loaded before, and has to be switched on again there",
        RuntimeWarning,
        stacklevel=3,
    )


def _checked_eps(eps: object) -> float:
    """The float64 nearest to eps, which must be a finite real number, not negative."""
    if isinstance(eps, bool) or not isinstance(eps, (float, int, Fraction, np.floating, np.integer)):
        raise TypeError(f"eps: expected a real number, got {type(eps).__name__}; give a float, an int or a Fraction")
    try:
        value = float(eps)
    except OverflowError:
        value = math.inf if eps > 0 else -math.inf
    if not 0.0 <= value < math.inf:
        raise ValueError(f"eps: expected a finite number > 0, got {value}; the usual value is 1e-5")
    if value == 0.0 and eps != 0:
        raise ValueError("eps: a number that is not 0, but too small for float64; the least positive value is 5e-324")
    return value


def _checked_array(name: str, value: object) -> _Array:
    """The argument as an array of float64, float32, float16 or bfloat16 in native byte order; integers and booleans become float64."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name}: expected an array, got nested sequences of unequal lengths; make the rows equally long") from None
    if array is not value and isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected an array without a mask, got a masked one; fill it first, for no entry of a row is left out")
    form = array.dtype
    if form is _FLOAT64 or form is _FLOAT32:
        return array
    if form.kind in "iub":
        return array.astype(np.float64)
    if (form.kind == "f" and form.char != "g") or form.name == "bfloat16":
        return array if form.isnative else array.astype(form.newbyteorder("="))
    raise TypeError(f"{name}: expected float64, float32, float16, bfloat16, integers or booleans, got {form}; convert it with astype")


def _checked_axes(axis: object, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The axes to normalize, counted from 0 and in order."""
    if not shape:
        raise ValueError("x: expected an array with at least one axis, got a single number")
    if type(axis) is int and axis == -1:
        axes: tuple[int, ...] = (len(shape) - 1,)
    else:
        given = axis if isinstance(axis, tuple) else (axis,)
        for one in given:
            if isinstance(one, bool) or not isinstance(one, (int, np.integer)):
                raise TypeError(f"axis: expected an int or a tuple of ints, got {axis!r}")
            if not -len(shape) <= one < len(shape):
                raise ValueError(f"axis: {one} is out of range for x with {len(shape)} axes; expected {-len(shape)} to {len(shape) - 1}")
        axes = tuple(sorted(int(one) % len(shape) for one in given))
        if not axes:
            raise ValueError("axis: expected at least one axis, got ()")
        if len(set(axes)) < len(axes):
            raise ValueError(f"axis: expected each axis once, got {axis}")
    for one in axes:
        if shape[one] == 0:
            raise ValueError(f"x: axis {one} is normalized and has length 0; expected at least one entry in a row")
    return axes


def _checked_like(name: str, value: object, shape: tuple[int, ...]) -> _Array:
    """An array that must have the shape of x."""
    array = _checked_array(name, value)
    if array.shape != shape:
        raise ValueError(f"{name}: expected the shape of x, {shape}, got {array.shape}")
    return array


def _checked_parameter(name: str, value: object, shape: tuple[int, ...], axes: tuple[int, ...]) -> _Array | None:
    """A parameter of the normalized axes as one contiguous row, or None."""
    if value is None:
        return None
    array = _checked_array(name, value)
    expected = shape[axes[0] :] if axes[0] == len(shape) - len(axes) else tuple(shape[one] for one in axes)
    if array.shape != expected:
        raise ValueError(f"{name}: expected shape {expected}, that of the normalized axes of x, got {array.shape}")
    return _contiguous(array if array.ndim == 1 else array.reshape(-1))


def _checked_names(wrt: object) -> tuple[str, ...]:
    """The names of the gradients asked for."""
    if not isinstance(wrt, (tuple, list)) or not all(isinstance(one, str) and one in ("x", "weight", "bias") for one in wrt):
        raise ValueError(f"wrt: expected a tuple of 'x', 'weight' and 'bias', got {wrt!r}")
    return tuple(wrt)


def _contiguous(array: _Array) -> _Array:
    """The array, copied unless it lies in memory in C order and aligned."""
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else array.copy(order="C")


def _as_rows(x: _Array, axes: tuple[int, ...]) -> _Array:
    """The rows over the axes as a contiguous array of shape (n, d), a view of x where it lies so already."""
    first = x.ndim - len(axes)
    if axes[0] != first:
        x = x.transpose(*(one for one in range(x.ndim) if one not in axes), *axes)
    x = _contiguous(x)
    return x if x.ndim == 2 and first == 1 else x.reshape(math.prod(x.shape[:first]), math.prod(x.shape[first:]))


def _batch_shape(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape without the normalized axes."""
    return tuple(size for one, size in enumerate(shape) if one not in axes)


def _result_format(*arrays: _Array | None) -> np.dtype[Any]:
    """The widest format of the arrays; float16 beside bfloat16 gives float32."""
    forms = [array.dtype for array in arrays if array is not None]
    widest = forms[0]
    for form in forms:
        if form != widest:
            widest = _FLOAT32 if form.itemsize == widest.itemsize == 2 else max(form, widest, key=lambda one: one.itemsize)
    return widest


def _statistics_format(form: np.dtype[Any]) -> np.dtype[Any]:
    """The format of means and rstds beside results of this format: half formats are too narrow for them."""
    return _FLOAT32 if form.itemsize == 2 else form


def _refuse_constant_rows(rows: _Array, batch: tuple[int, ...]) -> None:
    """With eps = 0 a constant row has no core: q + eps is 0."""
    constant = np.isfinite(rows).all(axis=1) & (rows == rows[:, :1]).all(axis=1)
    if constant.any():
        place = tuple(int(one) for one in np.unravel_index(int(constant.argmax()), batch))
        raise ValueError(f"eps: 0 is allowed only if no row is constant, and row {place} of x is; give eps > 0")


def _room(
    out: _Array | None, shape: tuple[int, ...], axes: tuple[int, ...], form: np.dtype[Any], inputs: tuple[_Array | None, ...]
) -> _Array:
    """Rows to write results into: those of out where no input can be overwritten, else new ones."""
    first = len(shape) - len(axes)
    rows = (shape[0], shape[1]) if len(shape) == 2 and axes == (1,) else None
    if out is not None:
        if type(out) is not np.ndarray:
            raise TypeError(f"out: expected a plain NumPy array, got {type(out).__name__}")
        if out.shape != shape or out.dtype.newbyteorder("=") != form:
            raise ValueError(f"out: expected shape {shape} and format {form}, got {out.shape} and {out.dtype}")
        if not out.flags.writeable:
            raise ValueError("out: expected an array that can be written, got a read-only one")
        if out.size > 0 and any(step == 0 and size > 1 for step, size in zip(out.strides, out.shape, strict=True)):
            raise ValueError("out: expected an array whose entries do not share memory, got a broadcast view")
        direct = axes[0] == first and out.dtype.isnative and out.flags.c_contiguous and out.flags.aligned
        if direct and not any(one is not None and np.may_share_memory(out, one) for one in inputs):
            return out if rows else out.reshape(math.prod(shape[:first]), math.prod(shape[first:]))
    if rows is None:
        rows = (math.prod(_batch_shape(shape, axes)), math.prod(shape[one] for one in axes))
    return np.empty(rows, form)


def _delivered(rows: _Array, out: _Array | None, shape: tuple[int, ...], axes: tuple[int, ...]) -> _Array:
    """Rows in the caller's shape and order of axes, in out if one was given."""
    first = len(shape) - len(axes)
    if axes[0] == first:
        result = rows if len(shape) == 2 and first == 1 else rows.reshape(shape)
    else:
        order = (*(one for one in range(len(shape)) if one not in axes), *axes)
        result = rows.reshape(tuple(shape[one] for one in order)).transpose(np.argsort(order))
        result = result if out is not None else result.copy(order="C")
    if out is None:
        return result
    if not np.may_share_memory(out, rows):
        np.copyto(out, result)
    return out


def _checked_shards(first: object, second: object) -> tuple[_Array, ...]:
    """Both triples (n, mean, m2), broadcast together: counts in one format, means and m2 in one."""
    parts: list[_Array] = []
    for name, shard in (("first", first), ("second", second)):
        if not isinstance(shard, tuple) or len(shard) != 3:
            raise TypeError(f"{name}: expected a tuple (n, mean, m2), got {shard!r}")
        parts += [_checked_array(f"{name}: {part}", value) for part, value in zip(("n", "mean", "m2"), shard, strict=True)]
        if not (np.isfinite(parts[-3]) & (parts[-3] >= 0)).all():
            raise ValueError(f"{name}: n: expected finite counts >= 0, got {parts[-3]}")
        if (parts[-1] < 0).any():
            raise ValueError(f"{name}: m2: expected sums of squares >= 0, got {parts[-1]}")
    try:
        shape = np.broadcast_shapes(*(part.shape for part in parts))
    except ValueError:
        raise ValueError(f"first, second: expected shapes that broadcast together, got {[part.shape for part in parts]}") from None
    counts = _statistics_format(_result_format(parts[0], parts[3]))
    others = _statistics_format(_result_format(parts[1], parts[2], parts[4], parts[5]))
    return tuple(np.broadcast_to(part, shape).astype(others if place % 3 else counts) for place, part in enumerate(parts))


# Rows: blocks that stay in the cache, and sums along and across rows.

_BLOCK_ROWS = 2048  # the most rows in a block
_GROUP = 64  # longer sums are sums of sums of so many entries: a matrix product may add its terms one by one, which loses more
_ONES: dict[int, _Array] = {8: np.ones(_BLOCK_ROWS), 4: np.ones(_BLOCK_ROWS, np.float32)}  # by the size of an entry


def _is_short(d: int) -> bool:
    """Size: whether rows are so short that NumPy's own cost for each of them counts."""
    return d < 256


def _blocks(n: int, rows: int) -> list[tuple[int, int]]:
    """Where each block starts and stops."""
    return [(start, min(n, start + rows)) for start in range(0, n, max(1, rows))]


def _use_small_buffers(d: int) -> int:
    """Keep NumPy from repeating an operand that is broadcast along long rows, and return the buffer size to restore.

    With its usual buffer of 8192 entries NumPy first fills the buffer with copies of the one number of each row, which takes as long as the
    arithmetic itself; with a buffer shorter than a row it does not.
    """
    return np.getbufsize() if _is_short(d) else np.setbufsize(16)


def _repeated(vector: _Array, rows: int, d: int) -> _Array:
    """The vector itself, or for short rows a block of copies of it, which NumPy goes through without a step for each row."""
    return np.tile(vector, (rows, 1)) if _is_short(d) else vector


def _first_rows(vector: _Array, rows: int) -> _Array:
    """As many copies of a repeated vector as a block has rows."""
    return vector[:rows] if vector.ndim == 2 else vector


def _row_max(x: _Array) -> _Array:
    """Largest size of an entry of each row."""
    largest: _Array = np.maximum(np.maximum.reduce(x, axis=1), -np.minimum.reduce(x, axis=1))
    return largest


def _column_sum(x: _Array) -> _Array:
    """Sum of each column of a block."""
    rows, d = x.shape
    ones = _ONES[x.itemsize]
    groups = rows // _GROUP
    rest = rows - groups * _GROUP
    total: _Array
    if rows <= _GROUP:
        total = ones[:rows] @ x
    else:
        total = np.add.reduce(ones[:_GROUP] @ x[: rows - rest].reshape(groups, _GROUP, d), axis=0)
        if rest:
            total += ones[:rest] @ x[rows - rest :]
    return total


def _all(mask: _Array) -> bool:
    """Whether the mask holds everywhere."""
    return bool(np.count_nonzero(mask) == mask.size)


# Words: a number carried as the unevaluated sum of a float64 and one or two much smaller ones. Every bound is a multiple of _U.

_U = 2.0**-53  # unit roundoff of float64
_ANCHOR = 1.5 * 2.0**52  # adding and subtracting _ANCHOR * g rounds |x| <= 2^51 g to a multiple of g
_SPLITTER = 2.0**27 + 1.0


def _two_sum(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """Sum and its rounding error, exactly."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _fast_two_sum(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """Sum and its rounding error, exactly if |a| >= |b| or a = 0."""
    total = a + b
    return total, b - (total - a)


def _split(a: _Array) -> tuple[_Array, _Array]:
    """Two halves of at most 26 bits with sum a, if |a| < 2^996."""
    shifted = a * _SPLITTER
    head = shifted - (shifted - a)
    return head, a - head


def _two_product(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """Product and its rounding error, exactly unless a part leaves the normal range."""
    product = a * b
    a_head, a_tail = _split(a)
    b_head, b_tail = _split(b)
    return product, ((a_head * b_head - product) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail


def _two_square(a: _Array) -> tuple[_Array, _Array]:
    """Square and its rounding error, exactly unless a part leaves the normal range."""
    square = a * a
    head, tail = _split(a)
    return square, ((head * head - square) + 2.0 * head * tail) + tail * tail


def _multiply_words(a: _Array, a_low: _Array, b: _Array, b_low: _Array) -> tuple[_Array, _Array]:
    """(a + a_low) * (b + b_low) as two words, relative error below 8 _U^2 for |low| <= _U |high|."""
    product, error = _two_product(a, b)
    return _fast_two_sum(product, error + (a * b_low + a_low * b))


def _divide_words(a: _Array, a_low: _Array, b: _Array, b_low: _Array) -> tuple[_Array, _Array]:
    """(a + a_low) / (b + b_low) as two words, relative error below 16 _U^2 for |low| <= _U |high|."""
    quotient = a / b
    product, error = _two_product(quotient, b)
    return _fast_two_sum(quotient, ((a - product) - error + (a_low - quotient * b_low)) / b)


def _divide_by_count(high: _Array, low: _Array, lowest: _Array, count: _Array) -> tuple[_Array, _Array, _Array, _Array]:
    """(high + low + lowest) / count as three words, and count times what they miss at most: 0 where they are the quotient exactly.

    That is not divided by count here, since something tiny could become 0.
    """
    first = high / count
    product, error = _two_product(first, count)
    rest, lost1 = _two_sum(high - product, low)  # high - product is exact, since product is high but for two roundings
    rest, lost2 = _two_sum(rest, -error)
    second = rest / count
    product, error = _two_product(second, count)
    lost, lost3 = _two_sum(lost1, lost2)
    lost, lost4 = _two_sum(lost, lowest)
    rest, lost5 = _two_sum((rest - product) - error, lost)
    third = rest / count
    product, error = _two_product(third, count)
    left = np.abs((rest - product) - error) + np.abs(lost3) + np.abs(lost4) + np.abs(lost5)
    return first, second, third, left


def _reciprocal_root_words(high: _Array, low: _Array, count: _Array) -> tuple[_Array, _Array]:
    """1 / sqrt((high + low) / count) as two words, relative error below 32 _U^2, for |low| <= |high| / 8 within 2^+-600.

    One Newton step: with v = (high + low) / count and r near 1 / sqrt(v), r + r (1 - r^2 v) / 2 is off by 3/8 (1 - r^2 v)^2.
    """
    high, low = _fast_two_sum(high, low)
    root = 1.0 / np.sqrt(high / count)
    square, square_error = _two_square(root)
    product, error = _two_product(square, high)
    rest = (count - product) - error - (square_error * high + square * low)
    return _fast_two_sum(root, root * rest / (2.0 * count))


def _round_to_grid(x: _Array, spacing: _Array) -> _Array:
    """The multiple of spacing (powers of two) nearest to x, for |x| <= 2^51 spacing."""
    anchor = _ANCHOR * spacing
    return (x + anchor) - anchor


def _power_above(x: _Array) -> _Array:
    """A power of two in (|x|, 2|x|], 1 for x = 0."""
    power: _Array = np.ldexp(1.0, np.frexp(x)[1])
    return power


def _slice_bits(d: int) -> int:
    """Size: bits of numbers on one grid of which d sum exactly in any order."""
    return 52 - d.bit_length()


def _sum_exact(x: _Array) -> _Array:
    """Sums along the rows of numbers on one grid per row whose every partial sum is a float: exact in any order."""
    total: _Array = x @ np.ones(x.shape[1])
    return total


def _sum_words(x: _Array, top: _Array) -> tuple[_Array, _Array, _Array, _Array]:
    """Sums along the rows as three words, and a bound of what they miss: 0 where they are the sum exactly.

    top (powers of two, one per row) bounds |x|. Three slices on grids sum exactly; what lies below them is summed in any order.
    """
    step = 2.0 ** -_slice_bits(x.shape[1])
    sums = []
    for _ in range(3):
        top = top * step
        part = _round_to_grid(x, top[:, None])
        sums.append(_sum_exact(part))
        x = x - part
    below = _sum_exact(np.abs(x))
    tail, error2 = _two_sum(sums[2], _sum_exact(x))
    tail, error1 = _two_sum(sums[1], tail)
    total, error0 = _two_sum(sums[0], tail)
    low, rest = _two_sum(error0, error1)
    lowest, lost = _two_sum(rest, error2)
    total, low = _two_sum(total, low)
    low, lowest = _two_sum(low, lowest)
    return total, low, lowest, _U * (2.0 * x.shape[1]) * below + np.abs(lost)


# The integer stage: whatever the fast stages could not decide is decided here, by whole numbers alone.
#
# Every finite float is a whole number times a power of two. With x_i = a_i 2^E, S = sum a_i and C_i = d a_i - S,
#     u_i    = C_i / sqrt(W)                  W = d sum a_i^2 - S^2 + d^2 eps / 4^E
# and with g_i = weight_i dy_i = b_i 2^F, G_i = d b_i - sum b_j and T = sum b_j C_j,
#     dx_i   = 2^(F - E) (G_i W - C_i T) / W^(3/2).
# So everything asked for here is K 2^e / sqrt(M) + B, with whole K and M > 0, and B a float. Every point at which rounding
# to a format changes over is a multiple of half its least subnormal, so the whole part of a value in such units,
# and whether anything was left over, settle the rounding. No precision is guessed and no loop can fail to end.

# Format: digits of the significand, exponent of the least subnormal, exponent of the first power of two beyond the range.
_FORMATS = {
    "float64": (53, -1074, 1024),
    "float32": (24, -149, 128),
    "float16": (11, -24, 16),
    "bfloat16": (8, -133, 128),
}
# Digits kept of a row's 1 / sqrt(M) beyond those of float64: all but about one component in 2^70 is settled by these.
_ROOT_DIGITS = 53 + 75


def _nearest(n: int, exponent: int, form: tuple[int, int, int]) -> float:
    """Return the number nearest to n 2^exponent in a format, ties to even, infinite beyond its range."""
    digits, least, top = form
    size = abs(n)
    drop = max(size.bit_length() - digits, least - exponent)
    if drop > 0:
        kept = size >> drop
        rest = size - (kept << drop)
        half = 1 << (drop - 1)
        size = kept + (rest > half or (rest == half and kept & 1))
        exponent += drop
    value = math.inf if size.bit_length() + exponent > top else math.ldexp(size, exponent)
    return -value if n < 0 else value


def _nearest_ratio(numerator: int, denominator: int, form: tuple[int, int, int]) -> float:
    """Return the number nearest to numerator / denominator in a format; the denominator is positive."""
    shift = 1 - form[1]
    whole, rest = divmod(numerator << shift, denominator)
    return _nearest(2 * whole + (rest != 0), -shift - 1, form)


def _reciprocal_root(m: int) -> tuple[int, int]:
    """Return (root, t), where root is the whole part of 2^t / sqrt(m) and has _ROOT_DIGITS digits or one more."""
    t = (m.bit_length() + 1) // 2 + _ROOT_DIGITS
    return math.isqrt((1 << 2 * t) // m), t


def _nearest_root_form(k: int, e: int, m: int, root: tuple[int, int], bias: tuple[int, int], form: tuple[int, int, int]) -> float:
    """Return the number nearest to k 2^e / sqrt(m) + bias[0] 2^bias[1]; root is _reciprocal_root(m)."""
    # First with the root cut after _ROOT_DIGITS digits: the value lies between low and high.
    unit = min(e - root[1], bias[1])
    low, high = (k * root[0], k * (root[0] + 1)) if k >= 0 else (k * (root[0] + 1), k * root[0])
    offset = bias[0] << (bias[1] - unit)
    low = (low << (e - root[1] - unit)) + offset
    high = (high << (e - root[1] - unit)) + offset
    first = _nearest(low, unit, form)
    if low == high or ((low > 0 or high < 0) and first == _nearest(high, unit, form)):
        return first
    # Otherwise the whole part in units in which every change-over point is whole.
    unit = min(form[1] - 1, bias[1])
    shift = 2 * (e - unit)
    numerator, denominator = (k * k << shift, m) if shift >= 0 else (k * k, m << -shift)
    whole = math.isqrt(numerator // denominator)
    more = whole * whole * denominator != numerator
    if k < 0:
        whole = -whole - more
    return _nearest(2 * (whole + (bias[0] << (bias[1] - unit))) + more, unit - 1, form)


def _whole(value: float) -> tuple[int, int]:
    """Return (n, e) with value == n 2^e, exactly."""
    numerator, denominator = value.as_integer_ratio()
    return numerator, 1 - denominator.bit_length()


def _odd_parts(values: _Array) -> tuple[list[int], list[int]]:
    """Return lists (n, e) with values == n 2^e, exactly, every n odd or 0."""
    significands, exponents = np.frexp(values.astype(np.float64))
    n = (significands * 2.0**53).astype(np.int64)
    zeros = np.frexp((n & -n).astype(np.float64))[1] - 1
    zeros = np.where(n == 0, 0, zeros)
    return (n >> zeros).tolist(), (exponents + (zeros - 53)).tolist()


def _common_scale(numbers: list[int], exponents: list[int]) -> tuple[list[int], int]:
    """Return (a, e) with numbers * 2^exponents == a 2^e, exactly: one exponent for all."""
    least = min((e for n, e in zip(numbers, exponents, strict=True) if n), default=0)
    return [n << (e - least) if n else 0 for n, e in zip(numbers, exponents, strict=True)], least


def _row_integers(row: _Array, eps: float) -> tuple[list[int], int, int, int, int]:
    """Return (a, E, S, N, h) of the formulas above, with W = N 4^h, N whole and h <= 0."""
    a, exponent = _common_scale(*_odd_parts(row))
    d, total = len(a), sum(a)
    spread = d * sum(n * n for n in a) - total * total
    eps_whole, eps_exponent = _whole(eps)
    shift = eps_exponent - 2 * exponent
    h = min(0, shift // 2)
    return a, exponent, total, (spread << -2 * h) + (d * d * eps_whole << (shift - 2 * h)), h


def _grouped(rows: _Array, columns: _Array) -> list[tuple[int, list[int]]]:
    """Return the components (rows[k], columns[k]) as pairs of a row and its columns."""
    if not len(rows):
        return []
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order])) + 1
    return [(int(rows[part[0]]), columns[part].tolist()) for part in np.split(order, starts)]


def _exact_output_components(
    x: _Array, weight: _Array | None, bias: _Array | None, eps: float, rows: _Array, columns: _Array, out: _Array
) -> None:
    """Integer stage: write the correctly rounded weight * u + bias at the components (rows[k], columns[k]); these rows are finite."""
    form = _FORMATS[out.dtype.name]
    for row, chosen in _grouped(rows, columns):
        a, _, total, n, h = _row_integers(x[row], eps)
        root = _reciprocal_root(n)
        values = []
        for i in chosen:
            factor = 1.0 if weight is None else float(weight[i])
            term = 0.0 if bias is None else float(bias[i])
            k = len(a) * a[i] - total
            if not math.isfinite(factor) or not math.isfinite(term):
                values.append(factor * _nearest_root_form(k, -h, n, root, (0, 0), _FORMATS["float64"]) + term)
                continue
            w, e = _whole(factor)
            values.append(_nearest_root_form(k * w, e - h, n, root, _whole(term), form))
        out[row, chosen] = np.array(values).astype(out.dtype)


def _exact_row_statistics(x: _Array, eps: float, rows: _Array, mean: _Array, rstd: _Array) -> None:
    """Integer stage: write the correctly rounded mean and 1 / sqrt(q + eps) of the given finite rows at mean[rows] and rstd[rows]."""
    form = _FORMATS[mean.dtype.name]
    for row in rows.tolist():
        a, exponent, total, n, h = _row_integers(x[row], eps)
        numerator, denominator = (total << exponent, len(a)) if exponent >= 0 else (total, len(a) << -exponent)
        mean[row] = _nearest_ratio(numerator, denominator, form)
        rstd[row] = _nearest_root_form(len(a), -exponent - h, n, _reciprocal_root(n), (0, 0), form)


def _exact_gradient_components(dy: _Array, x: _Array, weight: _Array | None, eps: float, rows: _Array, columns: _Array, dx: _Array) -> None:
    """Integer stage: write the correctly rounded dx at the components (rows[k], columns[k]); these rows and the weight are finite."""
    form = _FORMATS[dx.dtype.name]
    w, w_exponents = ([1] * x.shape[1], [0] * x.shape[1]) if weight is None else _odd_parts(weight)
    for row, chosen in _grouped(rows, columns):
        a, x_exponent, total, n, h = _row_integers(x[row], eps)
        y, y_exponents = _odd_parts(dy[row])
        exponents = [p + q for p, q in zip(y_exponents, w_exponents, strict=True)]
        b, g_exponent = _common_scale([p * q for p, q in zip(y, w, strict=True)], exponents)
        d, g_total = len(a), sum(b)
        moment = (d * sum(p * q for p, q in zip(a, b, strict=True)) - total * g_total) << -2 * h
        cube = n * n * n
        root = _reciprocal_root(cube)
        numbers = [(d * b[i] - g_total) * n - (d * a[i] - total) * moment for i in chosen]
        values = [_nearest_root_form(k, g_exponent - x_exponent - h, cube, root, (0, 0), form) for k in numbers]
        dx[row, chosen] = np.array(values).astype(dx.dtype)


def _exact_column_sums(dy: _Array, columns: _Array, out: _Array) -> None:
    """Integer stage: write the correctly rounded sums of the given finite columns of dy at out[columns]."""
    form = _FORMATS[out.dtype.name]
    for column in columns.tolist():
        numbers, exponent = _common_scale(*_odd_parts(dy[:, column]))
        out[column] = _nearest(sum(numbers), exponent, form)


# The exact tier, forward. Every stage computes y = weight * u + bias to more digits than it keeps, with a bound of its error, and keeps a
# component only if both ends of the error interval round to the same number of the result's format. The others go to the next stage:
#
#     first    float64: words, the large parts on a grid where sums and products are exact; narrower: plain float64   (everything)
#     second   float64: the mean of the first stage in three words                                                    (one in 10^4)
#     third    rows scaled by powers of two, mean in three words, any range of inputs and results                     (hard rows)
#     last     integers, which decide everything                                                                      (ties and near-ties)
#
# Sums along rows:
#     _grouped_sum(x), _grouped_dot(a)            the sum of x, of a * a
#     _sum_split(x, top, work) -> (high, low)     high + low is the sum of x; overwrites work
#     _sum_squares(a, unit) -> (high, low, fits)  high + low is the sum of a * a
#     _sum_exact, _sum_words of words.py.j2       the sum; words that add up to it

_GRID = 2.0**-23  # spacing of the grid of the large parts of a row, relative to a power of two above the row
_EXACT_BLOCK = 2**16  # components in a block: it and its scratch arrays stay in the cache
_PANEL = 2**20  # components in a panel, whose undecided ones are collected before the next stage
_LOW, _HIGH = 2.0**-300, 2.0**300  # between these bounds of rows and weights no product leaves the normal range

# The error bounds, each the sum of what is listed where it is used, rounded up. Tests shrink them until a wrong component gets through.
_PART_SLACK = 8.0
_VARIANCE_SLACK = 6.0
_WEIGHT_SLACK = 12.0
_BIAS_SLACK = 4.0
_PLAIN_SLACK = 12.0
_DRIFT_SLACK = 3.0
_WORDS_SLACK = 64.0

_Arrays = tuple[_Array, ...]


# ---- sizes


def _exact_block_rows(d: int) -> int:
    """Size: rows in a block."""
    return max(1, _EXACT_BLOCK // d)


def _panel_rows(d: int) -> int:
    """Size: rows in a panel, a whole number of blocks."""
    rows = _exact_block_rows(d)
    return rows * max(1, _PANEL // (rows * d))


def _growth(d: int) -> float:
    """Size: sums by groups of 64 numbers have an error below this times _U times the sum of the sizes, in any order."""
    return min(d, 64) + d / 64.0


def _reach(d: int) -> float:
    """Size: twice the quotient of _row_bound and |mean| in a constant row."""
    return 2.0 * math.sqrt(d) if _is_short(d) else 2.0


# ---- sums along rows


def _row_bound(x: _Array) -> _Array:
    """A bound of the sizes in each row; for short rows their root sum of squares, which costs less than the largest."""
    return np.sqrt(np.vecdot(x, x)) * (1.0 + 512.0 * _U) if _is_short(x.shape[1]) else _row_max(x)


def _size_bound(x: _Array, square_sum: _Array) -> _Array:
    """The same where the sum of squares is known: only in very long rows is the largest so much smaller that it pays to look for it."""
    return np.sqrt(square_sum) * (1.0 + 4096.0 * _U) if x.shape[1] < 1536 else _row_max(x)


def _is_constant(x: _Array) -> _Array:
    """Which rows have equal entries."""
    same: _Array = (x == x[:, :1]).all(axis=1)
    return same


def _row_first(x: _Array) -> _Array:
    """An entry of each row."""
    return x[:, 0]


def _sum_groups(x: _Array) -> _Array:
    """Sums over groups of at most 64 columns, (rows, groups)."""
    rows, d = x.shape
    groups, rest = divmod(d, 64)
    sums = np.empty((rows, groups + (rest > 0)))
    if rest == 0:
        np.matmul(x.reshape(rows * groups, 64), _ONES[8][:64], out=sums.reshape(rows * groups))
        return sums
    if groups:
        np.matmul(x[:, : d - rest].reshape(rows, groups, 64), _ONES[8][:64], out=sums[:, :-1])
    np.matmul(x[:, d - rest :], _ONES[8][:rest], out=sums[:, -1])
    return sums


def _dot_groups(a: _Array) -> _Array:
    """Sums of squares over groups of at most 64 columns, (rows, groups)."""
    rows, d = a.shape
    groups, rest = divmod(d, 64)
    sums = np.empty((rows, groups + (rest > 0)))
    if groups:
        head = a[:, : d - rest].reshape(rows, groups, 64)
        np.vecdot(head, head, out=sums[:, :groups])
    if rest:
        tail = a[:, d - rest :]
        np.vecdot(tail, tail, out=sums[:, -1])
    return sums


def _over_groups(ufunc: np.ufunc, groups: _Array) -> _Array:
    """Sum or largest over the groups of each row; ufunc.reduce takes longer if they are few."""
    if groups.shape[1] > 8:
        return np.asarray(ufunc.reduce(groups, axis=1))
    result = groups[:, 0]
    for column in groups.T[1:]:
        result = ufunc(result, column)
    return result


def _grouped_sum(x: _Array) -> _Array:
    """Sum of each row, with the error of _growth."""
    return _over_groups(np.add, _sum_groups(x))


def _grouped_dot(a: _Array) -> _Array:
    """Sum of squares of each row, with the error of _growth."""
    return _over_groups(np.add, _dot_groups(a))


def _sum_split(x: _Array, top: _Array, work: _Array) -> tuple[_Array, _Array]:
    """Two words that add up to the sum of each row, the first one exact, the second of parts below 2^-33 top; overwrites work.

    top (powers of two) bounds |x|. The parts in the first word have 32 bits, so that up to 2^20 of them add exactly in any order.
    """
    anchor = (_ANCHOR * 2.0**-32 * top)[:, None]
    np.add(x, anchor, out=work)
    work -= anchor
    high = _grouped_sum(work)
    np.subtract(x, work, out=work)
    return high, _grouped_sum(work)


def _sum_squares(a: _Array, unit: _Array) -> tuple[_Array, _Array, _Array]:
    """Two words that add up to the sum of squares of each row of multiples of unit, exactly where the third result says so.

    A group's sum is exact in any order if it is at most 2^52 unit^2. Its upper and its lower half then add exactly over all groups.
    """
    sums = _dot_groups(a)
    square = unit * unit
    fits = _over_groups(np.maximum, sums) <= 2.0**52 * square
    upper = _round_to_grid(sums, (2.0**27 * square)[:, None])
    return _over_groups(np.add, upper), _over_groups(np.add, sums - upper), fits


# ---- lists of arrays


def _chosen(parts: _Arrays, rows: _Array) -> _Arrays:
    """Some rows of each array."""
    return tuple(part[rows] for part in parts)


def _joined(blocks: list[_Arrays]) -> _Arrays:
    """The arrays of several blocks, one after the other."""
    return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))


def _undecided(mask: _Array, start: int) -> tuple[_Array, _Array]:
    """Rows and columns where mask holds in a block that starts at row start."""
    rows, columns = divmod(np.flatnonzero(mask), mask.shape[1])  # faster than np.nonzero of two dimensions
    return rows + start, columns


def _distinct(rows: _Array) -> tuple[_Array, _Array]:
    """The distinct ones among rows, in order, and for each of rows its place among them."""
    return np.unique(rows, return_inverse=True)


# ---- weight and bias


def _columns(weight: _Array | None, bias: _Array | None, d: int) -> tuple[_Array | None, _Array | None]:
    """Weight and bias in float64, the weight 1 if there is a bias only; for short rows a block of copies of each."""
    if weight is None and bias is not None:
        weight = np.ones_like(bias)
    rows = _exact_block_rows(d)
    factor = None if weight is None else _repeated(weight.astype(np.float64), rows, d)
    return factor, None if bias is None else _repeated(bias.astype(np.float64), rows, d)


def _error_scale(factor: _Array | None, term: _Array | None, share: float, low: float) -> _Array:
    """What a row's error bound is multiplied by: |weight| + share |bias|, NaN where the weight is out of range, so that nothing passes."""
    if factor is None:
        return np.ones((1, 1))
    scale = np.abs(factor)
    usable = (scale < _HIGH) & ((scale > low) | (scale == 0))
    return np.where(usable, scale if term is None else scale + share * np.abs(term), np.nan)


# ---- first stage, float64


def _split_on_grid(x: _Array, grid: _Array, large: _Array, small: _Array) -> tuple[_Array, _Array]:
    """Write large + small = x, exactly, large on the grid and |small| <= grid / 2; return the sum of large and its mean on the grid."""
    anchor = _ANCHOR * grid
    np.add(x, anchor[:, None], out=large)
    large -= anchor[:, None]
    np.subtract(x, large, out=small)
    total = _grouped_sum(large)
    return total, (total / x.shape[1] + anchor) - anchor


def _moved(x: _Array, bound: _Array, far: _Array) -> tuple[_Array, _Array, _Array, _Array]:
    """Rows far from 0 minus a pivot near their mean, if that is exact; bounds of them, the pivots, and which rows were constant.

    If |x - p| <= |p| / 2 then x - p has no rounding error (Sterbenz). Other rows stay as they are, with pivot 0. Constant ones become 0.
    """
    constant = _is_constant(x)
    pivot = np.where(far, np.where(constant, _row_first(x), _grouped_sum(x) / x.shape[1]), 0.0)
    moved = x - pivot[:, None]
    moved_bound = _row_bound(moved)
    near = (2.0 * moved_bound <= np.abs(pivot)) | (pivot == 0)
    if not near.all():
        pivot = np.where(near, pivot, 0.0)
        np.subtract(x, pivot[:, None], out=moved)
    return moved, np.where(near, moved_bound, bound), pivot, constant


def _centre_on_grid(x: _Array, large: _Array, small: _Array, work: _Array) -> tuple[_Array, _Array, _Array, _Arrays, _Array]:
    """Write large + small = x - mean, large on a grid, and return bounds of both, the grid, the mean in pieces, and which rows are usable.

    The mean is pivot + mean + below, where below = (rest + low) / d but for two roundings. The sum of the large parts is exact, and so is
    that of the upper 32 bits of the small ones; the sum of what lies below is off by _growth * _U * 2^-33 grid for each column.
    """
    d = x.shape[1]
    bound = _row_bound(x)
    usable = (bound > _LOW) & (bound < _HIGH)
    pivot = np.zeros_like(bound)
    grid = _GRID * _power_above(bound)
    total, mean = _split_on_grid(x, grid, large, small)
    far = _reach(d) * np.abs(mean) >= bound
    if far.any():
        x, bound, pivot, constant = _moved(x, bound, far)
        usable = (usable & (bound > _LOW)) | (constant & (bound == 0))
        grid = np.where(bound > 0, _GRID * _power_above(bound), 0.0)
        total, mean = _split_on_grid(x, grid, large, small)
    high, low = _sum_split(small, grid, work)
    rest, rest_low = _two_sum(total - d * mean, high)
    low += rest_low
    below = (rest + low) / d
    large -= mean[:, None]
    small -= below[:, None]
    return bound + (np.abs(mean) + grid), 0.5 * grid + np.abs(below), grid, (pivot, mean, below, rest, low), usable


def _root_on_grid(
    large: _Array, small: _Array, grid: _Array, top: _Array, h: _Array, eps: _Arrays, work: _Array, work2: _Array
) -> tuple[_Array, _Array, _Array, _Array]:
    """1 / sqrt(q + eps) in two words, its relative error, and which rows are usable; eps is (d, two words of d eps).

    The squares of the large parts sum exactly. With |small| <= h and the mean square rms^2, the rest, 2 large small + small^2, is off by
    at most, in units of _U h d rms: 2 from the rounding of small, 2 from that of the products, and less than 1 from squares and sums, if
    rms is not below grid * _growth; and a little as rms is not that of large alone: _VARIANCE_SLACK. Half of it goes into the root.
    """
    count, eps_high, eps_low = eps
    d = large.shape[1]
    high, low, usable = _sum_squares(large, grid)
    np.multiply(large, small, out=work)
    cross, cross_low = _sum_split(work, _power_above(top * h), work2)
    q_high, q_low = _two_sum(high, low)
    q_high, more = _two_sum(q_high, 2.0 * cross)
    rms = np.sqrt(q_high / d)
    v_high, v_low = _two_sum(q_high, eps_high)
    v_low = v_low + (more + (q_low + (2.0 * cross_low + _grouped_dot(small))) + eps_low)
    r, r_low = _reciprocal_root_words(v_high, v_low, count)
    relative = (0.5 * _VARIANCE_SLACK * _U) * h / (rms + _LOW * _LOW) + _WORDS_SLACK * _U * _U
    usable &= (rms >= (8.0 + _growth(d)) * grid) & (v_high > _LOW * _LOW) & (v_high < _HIGH * _HIGH)
    return r, r_low, relative, usable


def _multiply_parts(large: _Array, small: _Array, r: _Array, r_low: _Array, product: _Array) -> None:
    """Write (large + small) (r + r_low) as product + small, the product exact; overwrites large."""
    head = _round_to_grid(r, 2.0**-29 * _power_above(r))  # 29 bits, and large has 24
    np.multiply(large, head[:, None], out=product)
    large *= ((r - head) + r_low)[:, None]
    small *= r[:, None]
    small += large


def _weigh_parts(product: _Array, small: _Array, u_bound: _Array, factors: _Arrays, work: _Array) -> None:
    """Replace product + small = u by weight * u, product being exact; factors are the weight, its head and its tail.

    u is cut to 26 bits on a grid, and so is the weight, so that the product of the heads is exact.
    """
    factor, head, tail = factors
    anchor = (_ANCHOR * 2.0**-26 * _power_above(u_bound))[:, None]
    np.add(product, anchor, out=work)
    work -= anchor
    product -= work
    small += product
    np.multiply(work, head, out=product)
    work *= tail
    small *= factor
    small += work


def _add_to_parts(product: _Array, small: _Array, term: _Array, total: _Array, work: _Array, work2: _Array) -> None:
    """Write total + small = product + small + term as _two_sum does, the two errors added to small; overwrites product."""
    np.add(product, term, out=total)
    np.subtract(total, product, out=work)
    np.subtract(total, work, out=work2)
    product -= work2
    small += product
    np.subtract(term, work, out=work)
    small += work


def _round_parts(product: _Array, small: _Array, error: _Array, out: _Array, undecided: _Array, work: _Array) -> None:
    """Write product + small to out where adding and subtracting the error gives the same number; overwrites small."""
    np.add(small, error, out=work)
    np.add(product, work, out=out)
    small -= error
    small += product
    np.not_equal(out, small, out=undecided)


def _grid_blocks(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array) -> tuple[_Arrays, _Arrays]:
    """First stage for float64 results: fill out, and return the undecided components (rows, columns) and what is known of the rows.

    In units of _U h / sqrt(q + eps), with |small| <= h: 1 from the rounding of small, 1 from that of its mean, 1 and 1 from small times r
    and its lost lower word, 1 and 1 from the two sums, and a little from large times the tail of r: _PART_SLACK. The error of r comes on
    top. With a weight, heads and tails of 26 bits give 7 roundings of numbers below 2^-26 |weight u| or half of that, and 5 of numbers
    below h: _WEIGHT_SLACK. Adding a bias gives 3 errors of _U^2 |weight u + bias|: _BIAS_SLACK.
    """
    n, d = x.shape
    step = _exact_block_rows(d)
    count = np.full_like(x, d, shape=(1,), dtype=np.float64)
    eps_words = (count, *_two_product(count, np.full_like(count, eps)))
    factor, term = _columns(weight, bias, d)
    factors = () if factor is None else (factor, *_split(factor))
    scale = _error_scale(factor, term, _BIAS_SLACK * 2.0**40 * _U, _LOW)
    scratch = [np.empty_like(x, shape=(step, d), dtype=np.float64) for _ in range(4)]
    undecided = np.empty_like(x, shape=(step, d), dtype=np.bool_)
    known: list[_Arrays] = []
    left: list[_Arrays] = []
    for start, stop in _blocks(n, step):
        rows = stop - start
        y, mask = out[start:stop], undecided[:rows]
        large, small, work, work2 = (array[:rows] for array in scratch)
        top, h, grid, mean, usable = _centre_on_grid(x[start:stop].astype(np.float64, copy=False), large, small, work)
        r, r_low, relative, sure = _root_on_grid(large, small, grid, top, h, eps_words, work, work2)
        usable &= sure
        _multiply_parts(large, small, r, r_low, work)
        error = np.where(usable, r * (top * relative + (_PART_SLACK * _U) * h), np.nan)
        if not factors:
            _round_parts(work, small, error[:, None], y, mask, large)
        else:
            _weigh_parts(work, small, top * r, tuple(_first_rows(v, rows) for v in factors), large)
            error += r * ((_WEIGHT_SLACK * _U) * (2.0**-26 * top + 0.5 * h))
            if term is not None:
                _add_to_parts(work, small, _first_rows(term, rows), large, work2, y)
                work, large = large, work
                error = np.where(error == 0, 0.0, error + 2.0**-40 * _U)  # so that scale times it covers the bias
            _round_parts(work, small, np.multiply(error[:, None], _first_rows(scale, rows), out=work2), y, mask, large)
        known.append((*mean, r, r_low, np.where(usable, relative, np.nan), np.where(usable, grid, np.nan)))
        left.append(_undecided(mask, start))
    return _joined(left), _joined(known)


# ---- first stage, narrower formats


def _plain_rows(x: _Array, eps: float) -> tuple[_Array, _Array, _Array, _Array, _Array, _Array]:
    """Overwrite x with u in plain float64; return the mean in two parts, a bound of its error, r, a bound of |u|, and the usable rows.

    In units of _U times the root mean square of what is summed, the mean is off by _growth, by 1 from the division and, where it is far
    from 0 beside the spread and the mean of the deviations is taken away too, by 2 from these: _DRIFT_SLACK.
    """
    d = x.shape[1]
    mean = _grouped_sum(x) / d
    x -= mean[:, None]
    square_sum = _grouped_dot(x)
    variance = square_sum / d
    level, shift = mean, np.zeros_like(mean)
    far = (mean * mean > 16.0 * variance) & (variance > 0)
    if far.any():
        shift = np.where(far, _grouped_sum(x) / d, 0.0)
        x -= shift[:, None]
        square_sum = _grouped_dot(x)
        variance = square_sum / d
        level = np.where(far, shift, mean)
    constant = variance == 0  # the squares of these formats do not underflow
    usable = (level * level <= 2.0**24 * variance) | constant
    drift = np.where(constant, 0.0, ((_growth(d) + _DRIFT_SLACK) * _U) * np.sqrt(level * level + variance))
    r = 1.0 / np.sqrt(variance + eps)
    u_bound = _size_bound(x, square_sum) * r
    x *= r[:, None]
    return mean, shift, drift, r, u_bound, usable


def _plain_blocks(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array) -> tuple[_Arrays, _Arrays]:
    """First stage for narrower results, as _grid_blocks.

    Relative to u, in units of _U: 2 from centring, _growth / 2 + 6 from the variance and its root, 1 each from the products with r and
    with the weight and from adding the error: _PLAIN_SLACK. The sum with the bias is rounded once.
    """
    n, d = x.shape
    step = _exact_block_rows(d)
    relative = (0.5 * _growth(d) + _PLAIN_SLACK) * _U
    factor, term = _columns(weight, bias, d)
    cut = out.dtype.kind != "f"  # see _round_into: subnormal results would be rounded twice, so what could become one is left undecided
    scale = _error_scale(factor, term, 2.0, 2.0**-50 if cut else 0.0)
    in_range = np.isfinite(_first_rows(scale, 1))
    u, work = (np.empty_like(x, shape=(step, d), dtype=np.float64) for _ in range(2))
    other = np.empty_like(out, shape=(step, d))
    undecided = np.empty_like(x, shape=(step, d), dtype=np.bool_)
    known: list[_Arrays] = []
    left: list[_Arrays] = []
    for start, stop in _blocks(n, step):
        rows = stop - start
        y, t, mask = u[:rows], work[:rows], undecided[:rows]
        np.copyto(y, x[start:stop])
        mean, shift, drift, r, u_bound, usable = _plain_rows(y, eps)
        error = relative * u_bound + (1.0 + 2.0**-6) * (drift * r)
        still = drift == 0
        usable &= (error > (2.0**-60 if cut else _LOW * _LOW)) | still
        if factor is None:
            spread_error = error[:, None]
        else:
            y *= _first_rows(factor, rows)
            if term is not None:
                y += _first_rows(term, rows)
                error = np.where(error == 0, 0.0, error + _U)  # so that scale times it covers the bias
            spread_error = error[:, None] * _first_rows(scale, rows)
        np.add(y, spread_error, out=t)
        _round_into(t, out[start:stop])
        np.subtract(y, spread_error, out=t)
        _round_into(t, other[:rows])
        _differ(out[start:stop], other[:rows], mask)
        if still.any():
            mask &= ~still[:, None]  # -0 differs from 0 although nothing is uncertain in constant rows
        if not (_all(usable) and _all(in_range)):
            mask |= ~(usable[:, None] & in_range)
        known.append((mean, shift, np.where(usable, drift, np.nan), np.where(usable, r, np.nan)))
        left.append(_undecided(mask, start))
    return _joined(left), _joined(known)


def _round_into(x: _Array, out: _Array) -> None:
    """Write x, rounded to the format of out, to out; overwrites x. Where x is near the middle of two numbers, either.

    float64 becomes bfloat16, no format of NumPy's own, by way of float32, in two roundings; so x is cut to 8 bits first, as in _split.
    """
    if out.dtype.kind != "f":
        shifted = x * (2.0**45 + 1.0)
        x = shifted - (shifted - x)
    np.copyto(out, x, casting="unsafe")


def _differ(a: _Array, b: _Array, out: _Array) -> None:
    """Write to out where a and b differ, be it only in the sign of a zero."""
    bits = np.uint16 if a.itemsize == 2 else np.uint32
    np.not_equal(a.view(bits), b.view(bits), out=out)


# ---- words of single components

# What is known of a row is (shift, m1, m2, m3, drift, r1, r2, relative, lift): the mean is (m1 + m2 + m3) 2^shift but for drift 2^shift,
# and u_i = (x_i 2^-shift - m1 - m2 - m3) (r1 + r2) 2^lift, where r1 + r2 has a relative error of at most relative.


def _core_words(x: _Array, known: _Arrays) -> tuple[_Array, _Array, _Array, _Array]:
    """u of components x, as two words times 2^exponent, and a bound of the error; known is what is known of each component's row.

    The components are centred with a relative error below 4 _U^2, but for the drift of the mean. What sinks below the normal range on the
    way is below the last bound.
    """
    shift, m1, m2, m3, drift, r, r_low, relative, lift = known
    c, error1 = _two_sum(np.ldexp(x, -shift), -m1)
    c, error2 = _two_sum(c, -m2)
    c, low = _fast_two_sum(c, (error1 + error2) - m3)
    u, u_low = _multiply_words(c, low, r, r_low)
    error = np.abs(u) * (relative + _WORDS_SLACK * _U * _U) + (1.0 + 2.0**-6) * (drift * r)
    return u, u_low, error + np.where(c == 0, 0.0, 2.0**-900 * _U), lift


def _weigh_words(
    u: _Array, u_low: _Array, error: _Array, exponent: _Array, factor: _Array | None, term: _Array | None
) -> tuple[_Array, _Array, _Array, _Array]:
    """factor u + term, as two words times 2^exponent, and a bound of the error."""
    if factor is not None:
        factor, factor_exponent = np.frexp(factor)
        error = np.abs(factor) * (error + (8.0 * _U * _U) * np.abs(u))
        u, u_low = _multiply_words(u, u_low, factor, np.zeros_like(factor))
        exponent = exponent + factor_exponent
    if term is not None:
        term, term_exponent = np.frexp(term)
        u_exponent = np.where(u == 0, -(2**20), np.frexp(u)[1] + exponent)
        term_exponent = np.where(term == 0, -(2**20), term_exponent)
        top = np.maximum(u_exponent, term_exponent)
        lost = np.where(np.minimum(u_exponent, term_exponent) < top - 800, 2.0**-700 * _U, 0.0)
        down = exponent - top
        u, u_low, term = np.ldexp(u, down), np.ldexp(u_low, down), np.ldexp(term, term_exponent - top)
        error = np.ldexp(error, down) + lost + (8.0 * _U * _U) * (np.abs(u) + np.abs(term))
        total, total_low = _two_sum(u, term)
        u, u_low = _fast_two_sum(total, total_low + u_low)
        exponent = top
    return u, u_low, error, exponent


def _round_words(high: _Array, low: _Array, error: _Array, exponent: _Array, form: tuple[int, int, int]) -> tuple[_Array, _Array]:
    """(high + low) 2^exponent rounded to a format, |low| <= _U |high|, and where an error of that size cannot change the result.

    Everything is counted in last places of the result, 2^place, so that the formats differ by two numbers only, and subnormal results
    and overflow need nothing of their own. Below a power of two the last place is half as large.
    """
    digits, least, _ = form
    size, place = np.frexp(high)
    place = place - ((np.abs(size) == 0.5) & (low != 0) & ((low < 0) != (high < 0)))
    place = np.maximum(place - digits, least - exponent)
    scaled = np.ldexp(high, -place)
    whole = np.rint(scaled)
    rest, lost = _two_sum(scaled - whole, np.ldexp(low, -place))
    bound = np.ldexp(error, -place) + np.abs(lost)
    bound = np.where(bound == 0, 0.0, bound * (1.0 + 2.0**-40) + (4.0 * _U) * np.abs(rest))
    step = np.rint(rest + bound)
    certain = step == np.rint(rest - bound)
    step = np.where((np.abs(rest) == 0.5) & (np.rint(0.5 * whole) != 0.5 * whole), 2.0 * rest, step)  # a tie goes to the even one
    whole = whole + step
    zero = whole == 0
    certain &= ~zero | ((high == 0) & (low == 0) & (error == 0)) | (np.abs(high) > 2.0 * (np.abs(low) + error))
    value = np.where(zero, np.where(high < 0, -0.0, 0.0), np.ldexp(whole, place + exponent))
    return value, certain


def _settle_components(
    x: _Array, weight: _Array | None, bias: _Array | None, components: _Arrays, known: _Arrays, out: _Array
) -> _Arrays:
    """Write the components (rows, columns) of out which the words of their rows decide; return the others. known is per component."""
    rows, columns = components
    form = _FORMATS[out.dtype.name]
    left: list[_Arrays] = [(rows[:0], columns[:0])]
    for start, stop in _blocks(len(rows), _EXACT_BLOCK):
        i, j = rows[start:stop], columns[start:stop]
        words = _core_words(x[i, j].astype(np.float64), tuple(part[start:stop] for part in known))
        factor = None if weight is None else weight[j].astype(np.float64)
        term = None if bias is None else bias[j].astype(np.float64)
        value, certain = _round_words(*_weigh_words(*words, factor, term), form)
        out[i, j] = value.astype(out.dtype)
        left.append((i[~certain], j[~certain]))
    return _joined(left)


# ---- second stage, float64


def _grid_words(pieces: _Arrays, d: int) -> _Arrays:
    """What the first stage knows of rows, with the mean in three words: the quotient below is carried one word further."""
    pivot, mean, below, rest, low, r, r_low, relative, grid = pieces
    product, error = _two_product(below, np.full_like(below, d))
    words = _three_words(pivot, mean, below, (((rest - product) - error) + low) / d)
    drift = _U * ((2.0**-32 * _growth(d) + 16.0 * _U) * grid + np.abs(words[2]))
    zero = np.zeros_like(pivot, dtype=np.int64)
    return zero, *words, drift, r, r_low, relative, zero


def _three_words(a: _Array, b: _Array, c: _Array, d: _Array) -> tuple[_Array, _Array, _Array]:
    """a + b + c + d, whose sizes decrease, as three words whose sizes decrease by _U but for cancellation; off by _U times the third."""
    c, d = _two_sum(c, d)
    b, c = _two_sum(b, c)
    a, b = _two_sum(a, b)
    c, d = _two_sum(c, d)
    b, c = _two_sum(b, c)
    return a, b, c + d


# ---- third stage


def _mean_words(x: _Array) -> tuple[_Array, _Arrays]:
    """Finite rows of float64 divided by a power of two above them; and that power's exponent, the means in three words and their drift.

    The drift is 0 only where the words are the mean exactly. Otherwise it covers what sinks below the least number on the way.
    """
    d = x.shape[1]
    _, shift = np.frexp(_row_max(x))
    z = np.ldexp(x, -shift[:, None])
    sunk = _row_max(np.ldexp(z, shift[:, None]) - x)
    high, low, lowest, missing = _sum_words(z, np.ones_like(sunk))
    m1, m2, m3, left = _divide_by_count(high, low, lowest, np.full_like(sunk, d))
    missing += left
    drift = np.where(missing + sunk == 0, 0.0, (1.0 + 8.0 * _U) * missing / d + 2.0**-1000 * _U)
    return z, (shift, m1, m2, m3, drift)


def _careful_rows(x: _Array, eps: float) -> _Arrays:
    """What is known of finite rows of float64 by sums of words, for any sizes. q + eps is divided by 4^half, so that it is near 1.

    Its relative error is _U^2 times d from the sum of the low words and less than 40 from the centred components, their squares and sums.
    """
    d = x.shape[1]
    count = np.full_like(x, d, shape=(1,))
    z, (shift, m1, m2, m3, drift) = _mean_words(x)
    c, error1 = _two_sum(z, -m1[:, None])
    c, error2 = _two_sum(c, -m2[:, None])
    c, low = _fast_two_sum(c, (error1 + error2) - m3[:, None])
    square, square_low = _two_square(c)
    square_low += 2.0 * c * low
    q, q_low, _, missing = _sum_words(square, _power_above(_row_max(c)) ** 2)
    q_low = q_low + _sum_exact(square_low)
    none = -(2**20)
    q_exponent = np.where(q > 0, np.frexp(q / d)[1] + 2 * shift, none)
    half = (np.maximum(q_exponent, np.frexp(eps)[1] if eps > 0 else none) + 1) // 2
    eps_high, eps_low = _two_product(np.ldexp(eps, -2 * half), count)
    v, v_low = _two_sum(np.ldexp(q, 2 * (shift - half)), eps_high)
    r, r_low = _reciprocal_root_words(v, v_low + (np.ldexp(q_low, 2 * (shift - half)) + eps_low), count)
    relative = (d + _WORDS_SLACK) * _U * _U + np.where(q > 0, missing / np.where(q > 0, q, 1.0), 0.0)
    return shift, m1, m2, m3, drift, r, r_low, relative, shift - half


def _settle_means(known: _Arrays, form: tuple[int, int, int]) -> tuple[_Array, _Array]:
    """Means of rows, rounded, and where the words decide them."""
    shift, m1, m2, m3, drift = known
    high, low = _two_sum(m1, m2)
    low, lost = _two_sum(low, m3)
    high, low = _fast_two_sum(high, low)
    return _round_words(high, low, drift + np.abs(lost), shift, form)


def _settle_rows(
    x: _Array,
    weight: _Array | None,
    bias: _Array | None,
    eps: float,
    components: _Arrays,
    out: _Array,
    unsure: _Array,
    mean: _Array,
    rstd: _Array,
) -> None:
    """Third and last stage: the components (rows, columns) of out, and mean and rstd where unsure. Rows that are not finite become NaN."""
    rows, columns = components
    form = _FORMATS[mean.dtype.name]
    hard, place = _distinct(np.concatenate((rows, np.nonzero(unsure)[0])))
    place = place[: len(rows)]
    for start, stop in _blocks(len(hard), _exact_block_rows(x.shape[1])):
        chosen = hard[start:stop]
        block = x[chosen].astype(np.float64)
        finite = np.isfinite(_row_max(block))
        if not _all(finite):
            lost = chosen[~finite]
            out[lost] = np.nan
            mean[lost] = rstd[lost] = np.nan
            block[~finite] = 0.0
        known = shift, *_, r, r_low, relative, lift = _careful_rows(block, eps)
        here = np.nonzero((place >= start) & (place < stop))[0]
        here = here[finite[place[here] - start]]
        left = _settle_components(x, weight, bias, (rows[here], columns[here]), _chosen(known, place[here] - start), out)
        _exact_output_components(x, weight, bias, eps, left[0], left[1], out)
        row_mean, certain = _settle_means(known[:5], form)
        row_rstd, sure = _round_words(r, r_low, (relative + _WORDS_SLACK * _U * _U) * r, lift - shift, form)
        wanted = np.nonzero(unsure[chosen] & finite)[0]
        chosen = chosen[wanted]
        mean[chosen], rstd[chosen] = row_mean[wanted].astype(mean.dtype), row_rstd[wanted].astype(rstd.dtype)
        _exact_row_statistics(x, eps, chosen[~(certain & sure)[wanted]], mean, rstd)


# ---- the row function


def _layer_norm_rows(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array) -> tuple[_Array, _Array]:
    """Write weight * u + bias, correctly rounded, to out, and return mean and 1 / sqrt(q + eps) of the rows, correctly rounded."""
    n, d = x.shape
    wide = out.dtype == np.float64
    mean, rstd = (np.empty_like(x, shape=(n,), dtype=np.float64 if wide else np.float32) for _ in range(2))
    stages = _grid_stages if wide else _plain_stages
    buffers = _use_small_buffers(d)
    try:
        with np.errstate(all="ignore"):
            for start, stop in _blocks(n, _panel_rows(d)):
                stages(x[start:stop], weight, bias, eps, out[start:stop], mean[start:stop], rstd[start:stop])
    finally:
        np.setbufsize(buffers)
    return mean, rstd


def _rounded(high: _Array, low: _Array, error: _Array, out: _Array) -> _Array:
    """Write high + low, rounded, to out, and return where an error of that size cannot change it."""
    out[...] = high + (low + error)
    sure: _Array = (out == (high + (low - error)).astype(out.dtype)) & ((out != 0) | (error == 0))
    return sure


def _grid_stages(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array, mean: _Array, rstd: _Array) -> None:
    """All stages for a panel with float64 results."""
    d = x.shape[1]
    components, pieces = _grid_blocks(x, weight, bias, eps, out)
    pivot, large, below, _, _, r, r_low, relative, grid = pieces
    high, low = _two_sum(pivot, large)
    low += below
    drift = _U * ((4.0 + 2.0**-32 * _growth(d)) * grid + 2.0 * np.abs(low))
    sure = _rounded(high, low, drift, mean), _rounded(r, r_low, relative * r, rstd)
    components = _settle_components(x, weight, bias, components, _grid_words(_chosen(pieces, components[0]), d), out)
    _finish_panel(x, weight, bias, eps, components, out, sure, mean, rstd)


def _plain_stages(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array, mean: _Array, rstd: _Array) -> None:
    """All stages for a panel with narrower results."""
    components, (first, shift, drift, r) = _plain_blocks(x, weight, bias, eps, out)
    relative = (0.5 * _growth(x.shape[1]) + _PLAIN_SLACK) * _U
    sure = _rounded(first, shift, drift, mean), _rounded(r, np.zeros_like(r), relative * r, rstd)
    _finish_panel(x, weight, bias, eps, components, out, sure, mean, rstd)


def _finish_panel(
    x: _Array,
    weight: _Array | None,
    bias: _Array | None,
    eps: float,
    components: _Arrays,
    out: _Array,
    sure: tuple[_Array, _Array],
    mean: _Array,
    rstd: _Array,
) -> None:
    """The third stage, where anything is left. First the means alone: many are half-way between two numbers if d is a power of two."""
    mean_sure, rstd_sure = sure
    rows = np.nonzero(~mean_sure & rstd_sure)[0]
    if len(rows):
        value, mean_sure[rows] = _settle_means(_mean_words(x[rows].astype(np.float64))[1], _FORMATS[mean.dtype.name])
        mean[rows] = value.astype(mean.dtype)
    unsure = ~(mean_sure & rstd_sure)
    if len(components[0]) or unsure.any():
        _settle_rows(x, weight, bias, eps, components, out, unsure, mean, rstd)


# Gradients, correctly rounded. With the mean m and variance q of a row x, h = g - mean(g), v = q + eps and r = 1 / sqrt(v),
#     dx_i = r (h_i - (x_i - m) mean(h x) / v) = r g_i - slope x_i + offset,
#     slope = r^3 (mean(g x) - mean(g) m),  offset = slope m - r mean(g):
# three numbers per row, and the sums mean(x), mean(x^2), mean(g), mean(g x) that they are made of, decide everything.
# Rows are shifted and scaled by powers of two so that |x|, |g| <= 1, and cut on fixed grids, x = head + middle + low, where products
# of heads and middles sum exactly in any order. The moments then have an absolute error below _U _moment_growth(d), about 2^-88.

_HEAD = _ANCHOR * 2.0**-23  # adding and subtracting it leaves a multiple of 2^-23, at most 2^23 of them
_MIDDLE = _ANCHOR * 2.0**-46
_BAND = 400  # numbers from 2^-400 to 2^400 can be multiplied and split without thought
_FAR = 900  # results from 2^-900 to 2^900 come out of the fast stage as they are
# The fast stage's result is exact but for its tail, whose parts are below 2^-22.6 of the largest term: four products and
# five sums in float64 lose less than 2^-20 _U of it.
_TAIL_ERROR = _U * 2.0**-19
# The same in units of _U with all numbers in two words: four products that lose 8 _U^2, and sums.
_WORDS_ERROR = 128.0 * _U


def _gradient_rows(d: int) -> int:
    """Size: rows in a block; its fourteen scratch arrays of 2^16 numbers stay in the cache."""
    return min(_BLOCK_ROWS, max(1, 2**16 // d))


def _moment_growth(d: int) -> float:
    """Size: bound of the absolute error of the means of x, g, x^2 and g x, for |x|, |g| <= 1, in units of _U.

    Heads and middles sum exactly; what is left, below 2^-47, is summed with an error below _growth(d) 2^-99, and putting
    the parts together in two words, the second below 2^-39, takes less than 16 roundings of it.
    """
    return 2.0**-35 + _growth(d) * 2.0**-44


# ---------------------------------------------------------------- sums along rows


def _row_range(x: _Array) -> tuple[_Array, _Array]:
    """The least and the largest entry of each row, NaN if it has a NaN; used for shifting, scaling and bounds only."""
    return np.minimum.reduce(x, axis=1), np.maximum.reduce(x, axis=1)


def _sum_of_slices(head: _Array, middle: _Array, low: _Array) -> tuple[_Array, _Array]:
    """Sums of head + middle + low along the rows as two words."""
    ones = np.ones(head.shape[1])
    high, error = _two_sum(head @ ones, middle @ ones)
    return high, error + _grouped_sum(low)


def _dot_of_slices(a: _Array, b: _Array, unit: float) -> tuple[_Array, _Array]:
    """Sums of a * b along the rows as two words, exactly, if a is a multiple of 2^-23 and b of 2^-23 unit, |a| <= 1 and |b| <= unit."""
    n, d = a.shape
    whole = d - d % 64
    parts = np.vecdot(a[:, :whole].reshape(n, -1, 64), b[:, :whole].reshape(n, -1, 64)) if whole else np.zeros((n, 0))
    if whole < d:
        parts = np.concatenate((parts, np.vecdot(a[:, whole:], b[:, whole:])[:, None]), axis=1)
    if parts.shape[1] == 1:
        return parts[:, 0], np.zeros(n)
    anchor = _ANCHOR * 2.0**-32 * unit  # every part is below 2^53 units: cut once more, both cuts sum exactly
    high = (parts + anchor) - anchor
    parts -= high
    return np.add.reduce(high, axis=1), np.add.reduce(parts, axis=1)


def _grouped_product(a: _Array, b: _Array) -> _Array:
    """Sum of the products of the entries of each row, with the error of _growth."""
    rows, d = a.shape
    groups, rest = divmod(d, 64)
    total = np.zeros(rows)
    if groups:
        shape = (rows, groups, 64)
        total += np.add.reduce(np.vecdot(a[:, : d - rest].reshape(shape), b[:, : d - rest].reshape(shape)), axis=1)
    if rest:
        total += np.vecdot(a[:, d - rest :], b[:, d - rest :])
    return total


# ---------------------------------------------------------------- shifting, scaling, cutting


def _shift_of_range(low: _Array, high: _Array) -> _Array:
    """A number amid each row whose subtraction from the row's entries is exact; 0 where there is none better."""
    far = ((low > 0) & (0.5 * high <= low)) | ((high < 0) & (0.5 * low >= high))
    return np.where(far, low + 0.5 * (high - low), 0.0)


def _exponent_of(x: _Array, none: int = 0) -> _Array:
    """The least k with x < 2^k, or none for 0, NaN and Inf."""
    return np.where((x > 0) & np.isfinite(x), np.frexp(x)[1], none)


def _scale(x: _Array, exponents: _Array, out: _Array) -> None:
    """Write the rows of x times 2^exponents, exactly but for what is below 2^-1000."""
    half = exponents // 2
    if (np.abs(exponents) < 2 * _BAND).all():
        np.multiply(x, np.ldexp(1.0, exponents)[:, None], out=out)
    else:
        np.multiply(x, np.ldexp(1.0, half)[:, None], out=out)
        out *= np.ldexp(1.0, exponents - half)[:, None]


def _shift_and_scale(x: _Array, out: _Array) -> tuple[_Array, _Array, _Array]:
    """Write (x - shift) 2^-exponent, at most 1; return shift, exponent and whether the row is finite."""
    low, high = _row_range(x)
    shift = _shift_of_range(low, high)
    reach = np.maximum(high - shift, shift - low)
    exponent = _exponent_of(reach, -600)  # for a constant row one that leaves the choice of units to eps
    if (shift != 0).any():
        np.subtract(x, shift[:, None], out=out)
        _scale(out, -exponent, out)
    else:
        _scale(x, -exponent, out)
    return shift, exponent, np.isfinite(low) & np.isfinite(high)


def _cut(slices: list[_Array], extra: _Array | None = None) -> None:
    """Cut the last array, with something far smaller added, into head + middle + low, leaving middle + low in the last."""
    head, middle, low, rest = slices
    np.add(rest, _HEAD, out=head)
    head -= _HEAD
    rest -= head
    np.add(rest, _MIDDLE, out=middle)
    middle -= _MIDDLE
    np.subtract(rest, middle, out=low)
    if extra is not None:
        low += extra
        rest += extra


def _halves(a: _Array, head: _Array, tail: _Array) -> None:
    """Write the two halves of a, of 26 bits each."""
    np.multiply(a, _SPLITTER, out=head)
    np.subtract(head, a, out=tail)
    head -= tail
    np.subtract(a, head, out=tail)


def _error_of_product(product: _Array, halves: list[_Array], other: list[_Array], error: _Array, work: _Array) -> None:
    """Write the rounding error of the product of two numbers given in halves."""
    np.multiply(halves[0], other[0], out=error)
    error -= product
    np.multiply(halves[0], other[1], out=work)
    error += work
    np.multiply(halves[1], other[0], out=work)
    error += work
    np.multiply(halves[1], other[1], out=work)
    error += work


# ---------------------------------------------------------------- three numbers per row


def _second_moments(xs: list[_Array], gs: list[_Array]) -> tuple[_Array, _Array]:
    """Sums of x^2 and of g x along the rows as two words, one after the other; xs and gs hold head, middle, low and middle + low."""
    square, square_low = _dot_of_slices(xs[0], xs[0], 1.0)
    middle, middle_low = _dot_of_slices(xs[0], xs[1], 2.0**-23)
    square, error = _two_sum(square, 2.0 * middle)
    square_low = error + (square_low + 2.0 * middle_low + (2.0 * _grouped_product(xs[0], xs[2]) + _grouped_product(xs[3], xs[3])))

    mixed, mixed_low = _dot_of_slices(xs[0], gs[0], 1.0)
    middle, middle_low = _dot_of_slices(xs[0], gs[1], 2.0**-23)
    mixed, error = _two_sum(mixed, middle)
    mixed_low += error + middle_low
    middle, middle_low = _dot_of_slices(gs[0], xs[1], 2.0**-23)
    mixed, error = _two_sum(mixed, middle)
    rest = _grouped_product(xs[0], gs[2]) + _grouped_product(gs[0], xs[2]) + _grouped_product(xs[3], gs[3])
    mixed_low += error + (middle_low + rest)
    return np.concatenate((square, mixed)), np.concatenate((square_low, mixed_low))


def _subtract_words(a: _Array, a_low: _Array, b: _Array, b_low: _Array) -> tuple[_Array, _Array]:
    """(a + a_low) - (b + b_low) as two words, with an error below 2 _U^2 (|a| + |b|)."""
    high, error = _two_sum(a, -b)
    return _two_sum(high, error + (a_low - b_low))


def _half_exponent(eps: float) -> _Array:
    """The least k with eps <= 4^k; for eps = 0 less than any exponent."""
    return np.where(eps > 0, (np.frexp(eps)[1] + 1) // 2, -5000)


def _row_words(xs: list[_Array], gs: list[_Array], eps: float, x_exponent: _Array, g_exponent: _Array) -> list[_Array]:
    """Numbers of each row: r, slope and offset, in two words each, the exponent of the result, and a bound of the error.

    dx is (r g - slope x + offset) 2^exponent, for x and g cut in slices; the bound is of what is multiplied by 2^exponent.
    Then the mean of x in two words, and k: u is r (x - mean) 2^k.
    """
    n, d = xs[0].shape
    x_sum, x_sum_low = _sum_of_slices(xs[0], xs[1], xs[2])
    g_sum, g_sum_low = _sum_of_slices(gs[0], gs[1], gs[2])
    second, second_low = _second_moments(xs, gs)
    high, low = np.concatenate((x_sum, g_sum, second)), np.concatenate((x_sum_low, g_sum_low, second_low))
    mean, mean_low = _divide_words(high, low, d, np.zeros(1))
    twice, twice_low = np.concatenate((mean[:n], mean[:n])), np.concatenate((mean_low[:n], mean_low[:n]))
    product, product_low = _multiply_words(twice, twice_low, mean[: 2 * n], mean_low[: 2 * n])
    centred, centred_low = _subtract_words(mean[2 * n :], mean_low[2 * n :], product, product_low)

    # q and eps in units of 4^k, so that their sum is between 1 / (8 d) and 2
    k = np.maximum(x_exponent, _half_exponent(eps))
    to_k = np.ldexp(1.0, 2 * (x_exponent - k))
    q, q_low, moment, moment_low = centred[:n] * to_k, centred_low[:n] * to_k, centred[n:] * to_k, centred_low[n:] * to_k
    v, error = _two_sum(q, np.ldexp(eps, -2 * k))
    r, r_low = _reciprocal_root_words(v, error + q_low, np.ones(1))
    slope, slope_low = _multiply_words(r, r_low, r, r_low)
    slope, slope_low = _multiply_words(moment, moment_low, slope, slope_low)
    slope, slope_low = _multiply_words(slope, slope_low, r, r_low)
    product, product_low = _multiply_words(np.concatenate((slope, r)), np.concatenate((slope_low, r_low)), mean[: 2 * n], mean_low[: 2 * n])
    offset, offset_low = _subtract_words(product[:n], product_low[:n], product[n:], product_low[n:])
    # An error D of the moments makes r wrong by r D / (2 v), slope by r D / v + 3 slope D / (2 v), the means by D; x and g vary by 2.
    slack = _U * (4.0 * _moment_growth(d) + _WORDS_ERROR) * (r + np.abs(slope)) * (1.0 + r * r)
    return [r, r_low, slope, slope_low, offset, offset_low, g_exponent - k, slack, mean[:n], mean_low[:n], x_exponent - k]


# ---------------------------------------------------------------- the fast stage in float64


def _round_gradient(xs: list[_Array], gs: list[_Array], words: list[_Array], out: _Array, work: list[_Array]) -> _Array:
    """Write dx from slices and row numbers; return where its rounding is not settled.

    The heads of r, slope and offset have so few bits that their products with heads, and the sum of these, are exact in float64.
    """
    exponent = words[6]
    near = np.abs(exponent) < _FAR
    scale = np.ldexp(1.0, np.where(near, exponent, 0))
    r, r_low, slope, slope_low, offset, offset_low = (word * scale for word in words[:6])
    top = np.frexp(np.maximum(r, np.abs(slope)))[1]
    anchor = np.ldexp(_ANCHOR, top - 27)
    r_head, slope_head = (r + anchor) - anchor, (slope + anchor) - anchor
    anchor = np.ldexp(_ANCHOR, top - 50)
    offset_head = (offset + anchor) - anchor
    r_tail, slope_tail, offset_tail = (r - r_head) + r_low, (slope - slope_head) + slope_low, (offset - offset_head) + offset_low
    bound = np.where(near, np.ldexp(_TAIL_ERROR, top) + words[7] * scale, np.inf)

    head, tail, term = work
    np.multiply(gs[0], r_head[:, None], out=head)
    np.multiply(xs[0], slope_head[:, None], out=term)
    head -= term
    head += offset_head[:, None]
    np.multiply(gs[3], r[:, None], out=tail)
    np.multiply(gs[0], r_tail[:, None], out=term)
    tail += term
    np.multiply(xs[3], slope[:, None], out=term)
    tail -= term
    np.multiply(xs[0], slope_tail[:, None], out=term)
    tail -= term
    tail += (offset_tail + bound)[:, None]
    np.add(head, tail, out=out)
    tail -= (2.0 * bound)[:, None]
    tail += head
    return np.asarray(out != tail)


# ---------------------------------------------------------------- what a fast stage leaves: two words, one component at a time


def _retry_gradient(
    dy: _Array, x: _Array, weight: list[_Array], words: list[_Array], where: tuple[_Array, _Array, _Array], dx: _Array
) -> _Array:
    """Write dx at the components (rows[k], columns[k]) from two words of everything; return where its rounding is not settled.

    The numbers of the row of component k are those at at[k].
    """
    rows, columns, at = where
    r, r_low, slope, slope_low, offset, offset_low, exponent, slack = (word[at] for word in words[:8])
    x_shift, x_exponent, g_shift, dy_exponent = (word[at] for word in words[11:15])
    z = np.ldexp(x[rows, columns].astype(np.float64) - x_shift, -x_exponent)
    g = np.ldexp(dy[rows, columns].astype(np.float64), -dy_exponent)
    g, g_low = _two_product(g, weight[0][columns]) if weight else (g, np.zeros_like(g))
    g, error = _two_sum(g, -g_shift)
    g, g_low = _two_sum(g, error + g_low)
    first, first_low = _multiply_words(r, r_low, g, g_low)
    second, second_low = _multiply_words(slope, slope_low, z, np.zeros_like(z))
    size = np.abs(first) + np.abs(second) + np.abs(offset)
    first, first_low = _subtract_words(first, first_low, second, second_low)
    high, low = _subtract_words(first, first_low, -offset, -offset_low)
    value, settled = _round_words(high, low, slack + _U * _WORDS_ERROR * size, exponent, _FORMATS[dx.dtype.name])
    dx[rows, columns] = value
    return ~settled


def _in_rows(mask: _Array, rows: _Array) -> _Array:
    """The mask in these rows, and nothing elsewhere."""
    return mask if _all(rows) else mask & rows[:, None]


def _finish_gradient(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, words: list[_Array], where: tuple[_Array, _Array, _Array], dx: _Array
) -> None:
    """Write dx at components that a fast stage left: from two words, or from integers where these do not settle it."""
    rows, columns, _ = where
    unsettled = _retry_gradient(dy, x, _prepared_weight(weight)[0], words, where, dx)
    if unsettled.any():
        _exact_gradient_components(dy, x, weight, eps, rows[unsettled], columns[unsettled], dx)


# ---------------------------------------------------------------- sums over rows


def _column_sum_words(x: _Array) -> tuple[_Array, _Array, _Array]:
    """Sums of the columns as two words, and the sum of the sizes of what went into the second; overwrites x."""
    low, lost = np.zeros(x.shape[1:]), np.zeros(x.shape[1:])
    n = len(x)
    while n > 1:
        half = n // 2
        total, error = _two_sum(x[:half], x[n - half : n])
        low += _column_sum(error)
        lost += _column_sum(np.abs(error, out=error))
        x[:half] = total
        n -= half
    return x[0].copy(), low, lost


def _column_sum_tree(x: _Array) -> _Array:
    """Sum of each column of a block with an error below log2(rows) _U times the sum of the sizes; overwrites x."""
    n = len(x)
    while n > 1:
        half = n // 2
        x[:half] += x[n - half : n]
        n -= half
    return np.array(x[0])


def _no_columns(d: int, like: _Array) -> list[_Array]:
    """A total of nothing: three words of each column, and the sum of the sizes of what went into the second."""
    return [np.zeros_like(like, shape=(d,), dtype=np.float64) for _ in range(4)]


def _add_columns(total: list[_Array], high: _Array, low: _Array, lost: _Array) -> None:
    """Add sums over a block, as _column_sum_words gives them, to the total."""
    total[0], error = _two_sum(total[0], high)
    total[3] += np.abs(error) + lost
    total[1], error = _two_sum(total[1], error + low)
    total[2] += error


def _round_columns(total: list[_Array], bound: _Array, exponent: int, out: _Array) -> tuple[_Array, _Array]:
    """The total times 2^exponent in the format of out, and where an error of bound in the total cannot change it."""
    high, low = _two_sum(total[0], total[1])
    low, rest = _two_sum(low, total[2])
    high, low = _two_sum(high, low)
    return _round_words(high, low, bound + np.abs(rest), np.full(high.shape, exponent, dtype=np.int32), _FORMATS[out.dtype.name])


def _add_weight_gradient(
    xs: list[_Array], halves: list[_Array], work: list[_Array], words: list[_Array], exponent: _Array, total: list[_Array]
) -> None:
    """Add the sums over a block of dy * u; overwrites halves and work, where work[0] is dy 2^-exponent and halves are its halves.

    u = r (x - mean) is an exact sum of products of heads, and a tail; it is cut into 26 bits, whose products with halves of dy are exact,
    and a rest. What is lost of the sum is below 2^-70 sum |dy| r, and r is at most 8 times the largest |u| of its row, since |x - mean| is
    somewhere 1 / 8 at least.
    """
    scaled, head, tail, term = work
    scale = words[10] + exponent
    mean, mean_low = _multiply_words(words[0], words[1], words[8], words[9])
    r, r_low, mean, mean_low = (np.ldexp(word, scale) for word in (words[0], words[1], mean, mean_low))
    top = np.frexp(r)[1]
    anchor = np.ldexp(_ANCHOR, top - 27)
    r_head = (r + anchor) - anchor
    anchor = np.ldexp(_ANCHOR, top - 50)
    mean_head = (mean + anchor) - anchor
    np.multiply(xs[0], r_head[:, None], out=head)
    head -= mean_head[:, None]
    np.multiply(xs[3], r[:, None], out=tail)
    np.multiply(xs[0], ((r - r_head) + r_low)[:, None], out=term)
    tail += term
    tail -= ((mean - mean_head) + mean_low)[:, None]
    anchor = np.ldexp(_ANCHOR, top - 25)[:, None]
    np.add(head, anchor, out=term)
    term -= anchor
    head -= term
    head += tail
    halves[0] *= term
    halves[1] *= term
    head *= scaled
    head += halves[1]
    high, low, lost = _column_sum_words(halves[0])
    _add_columns(total, high, low + _column_sum_tree(head), lost)


def _careful_column_sums(x: _Array) -> list[_Array]:
    """A total of the columns of a block whose second word has no error but that of its third, so that ties are seen; overwrites x."""
    errors = np.zeros_like(x)
    n = len(x)
    while n > 1:
        half = n // 2
        x[:half], errors[n - half : n] = _two_sum(x[:half], x[n - half : n])
        n -= half
    high = np.array(x[0])
    return [high, *_column_sum_words(errors)]


def _bias_gradient(dy: _Array, out: _Array) -> None:
    """Write the sums of the columns of dy, correctly rounded."""
    n, d = dy.shape
    total = _no_columns(d, dy)
    for start, stop in _blocks(n, _gradient_rows(d)):
        _add_columns(total, *_column_sum_words(dy[start:stop].astype(np.float64)))
    bound = _U * 2.0**12  # a block has 2048 rows at most
    out[...], settled = _round_columns(total, bound * total[3], 0, out)
    left = np.flatnonzero(~settled)
    if len(left) and n <= _BLOCK_ROWS:
        total = _careful_column_sums(dy[:, left].astype(np.float64))
        out[left], settled = _round_columns(total, bound * total[3], 0, out)
        left = left[~settled]
    if len(left):
        finite = np.isfinite(dy[:, left]).all(axis=0)
        _exact_column_sums(dy, left[finite], out)
        out[left[~finite]] = np.add.reduce(dy[:, left[~finite]].astype(np.float64), axis=0).astype(out.dtype)


# ---------------------------------------------------------------- blocks of rows


def _prepared_weight(weight: _Array | None) -> tuple[list[_Array], _Array]:
    """The weight times 2^-k in float64 and its two halves, nothing if there is none, and k: 0 unless entries are very large or small."""
    if weight is None:
        return [], np.zeros(1, dtype=np.int32)
    w = weight.astype(np.float64)
    k = _exponent_of(_row_max(w[None, :]))
    k = np.where(np.abs(k) > _BAND, k, 0)
    w = np.ldexp(w, -k)
    return [w, *_split(w)], k


def _in_band(x: _Array) -> _Array:
    """Which x > 0 can be multiplied and split without thought."""
    return (x > 2.0**-_BAND) & (x < 2.0**_BAND)


def _cut_cotangent(dy: _Array, weight: list[_Array], gs: list[_Array], halves: list[_Array], work: list[_Array]) -> list[_Array]:
    """Cut g = weight * dy 2^-k - shift into slices, with |g| <= 1; return shift, k, and whether the row is finite.

    dy 2^-k is left in work[0] and its halves in halves.
    """
    scaled, error, term, product = work[0], work[1], work[2], gs[3]
    first = np.zeros(len(dy), dtype=np.int32)
    if weight:
        np.multiply(dy, weight[0], out=product)
    low, high = _row_range(product if weight else dy)
    if weight and not _in_band(np.maximum(high, -low)).all():
        first = _exponent_of(_row_max(dy))
        _scale(dy, -first, scaled)
        np.multiply(scaled, weight[0], out=product)
        low, high = _row_range(product)
    shift = _shift_of_range(low, high)
    # The products' rounding errors may be all that shifting leaves.
    reach = np.maximum(high - shift, shift - low) + 2.0**-52 * np.abs(shift)
    exponent = np.maximum(_exponent_of(reach), -_FAR)
    _scale(dy, -(first + exponent), scaled)
    _halves(scaled, *halves)
    shift = np.ldexp(shift, -exponent)
    if not weight:
        np.subtract(scaled, shift[:, None], out=product)
        _cut(gs)
    else:
        np.multiply(scaled, weight[0], out=product)
        _error_of_product(product, halves, weight[1:], error, term)
        if (shift != 0).any():
            product -= shift[:, None]
            product[...], error[...] = _two_sum(product, error)
        _cut(gs, error)
    return [shift, first + exponent, np.isfinite(low) & np.isfinite(high)]


def _gradient_scratch(n: int, d: int, like: _Array) -> list[_Array]:
    """Arrays for a block: slices of x (4) and of g (4), halves of dy (2), and work (4)."""
    rows = min(n, _gradient_rows(d))
    return [np.empty_like(like, shape=(rows, d), dtype=np.float64) for _ in range(14)]


def _block_words(dy: _Array, x: _Array, weight: list[_Array], w_exponent: _Array, eps: float, scratch: list[_Array]) -> list[_Array]:
    """Cut a block of rows into scratch; return the numbers of _row_words, shift and exponent of x and of g, and which rows are finite."""
    xs, gs, halves, work = scratch[0:4], scratch[4:8], scratch[8:10], scratch[10:14]
    x_shift, x_exponent, x_finite = _shift_and_scale(x.astype(np.float64, copy=False), xs[3])
    _cut(xs)
    g_shift, dy_exponent, g_finite = _cut_cotangent(dy.astype(np.float64, copy=False), weight, gs, halves, work)
    words = _row_words(xs, gs, eps, x_exponent, dy_exponent + w_exponent)
    return [*words, x_shift, x_exponent, g_shift, dy_exponent, x_finite & g_finite]


def _float64_gradients(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, dx: _Array | None, total: list[_Array] | None, exponent: int
) -> None:
    """Write dx, correctly rounded to float64, and add 2^exponent dy * u to the total over rows."""
    n, d = x.shape
    scratch = _gradient_scratch(n, d, x)
    prepared, w_exponent = _prepared_weight(weight)
    kept: list[_Arrays] = []
    left: list[_Arrays] = []
    for start, stop in _blocks(n, _gradient_rows(d)):
        part = [array[: stop - start] for array in scratch]
        words = _block_words(dy[start:stop], x[start:stop], prepared, w_exponent, eps, part)
        if total is not None:
            _add_weight_gradient(part[0:4], part[8:10], part[10:14], words, words[14] + exponent, total)
        if dx is not None:
            unsettled = _round_gradient(part[0:4], part[4:8], words, dx[start:stop], part[10:13])
            left.append(_undecided(_in_rows(unsettled, words[15]), start))
            kept.append(tuple(words))
    if dx is not None:
        words = list(_joined(kept))
        rows, columns = _joined(left)
        dx[~words[15]] = np.nan
        _finish_gradient(dy, x, weight, eps, words, (rows, columns, rows), dx)


# ---------------------------------------------------------------- narrower formats: plain float64 first


def _plain_words(w: _Array, h: _Array, eps: float) -> tuple[list[_Array], _Array, _Array]:
    """Shift x and g, given in w and h, by their means; return numbers of each row, which rows they are good for, and which are finite.

    The numbers: both means, r, slope and offset with dx = r h - slope w + offset, the mean of w, the unit and the tilt of the error.
    With K = _growth(d), a and s the root mean squares of h and w, and v = q + eps, what float64 loses of dx is at most
        _U r ((K/2 + 14) |h| + (3 K + 40) a s / v |w| + (2 K + 8) a)
    as long as the squares of the means of w and h are below _U s^2 and _U a^2, which is what is looked at.
    """
    d = w.shape[1]
    mean, g_mean = _grouped_sum(w) / d, _grouped_sum(h) / d
    w -= mean[:, None]
    h -= g_mean[:, None]
    w_mean, h_mean = _grouped_sum(w) / d, _grouped_sum(h) / d
    square, h_square = _grouped_product(w, w) / d, _grouped_product(h, h) / d
    v = square + eps
    r = 1.0 / np.sqrt(v)
    slope = r * (_grouped_product(h, w) / d / v)
    offset = slope * w_mean - r * h_mean
    unit = r * np.sqrt(h_square)
    fine = (w_mean * w_mean <= _U * square) & (h_mean * h_mean <= _U * h_square)
    fine &= np.isfinite(unit) & np.isfinite(slope) & np.isfinite(offset)
    finite = np.isfinite(mean) & np.isfinite(g_mean)
    return [mean, g_mean, r, slope, offset, w_mean, unit, np.sqrt(square) / v], fine, finite


def _plain_growth(d: int) -> float:
    """Size: the bound of _plain_words in units of _U r a, for |h| <= sqrt(d) a and |w| <= sqrt(d) s."""
    return (6.0 * _growth(d) + 80.0) * math.sqrt(d)


def _narrow_block(w: _Array, h: _Array, words: list[_Array], out: _Array, other: _Array) -> tuple[_Array, _Array]:
    """Write dx from what _plain_words left; return where its rounding is not settled, and the rows whose rounding can be settled so."""
    bound = (_U * _plain_growth(w.shape[1])) * words[6]
    h *= words[2][:, None]
    w *= words[3][:, None]
    h -= w
    h += (words[4] + bound)[:, None]
    np.subtract(h, (2.0 * bound)[:, None], out=w)
    _round_into(h, out)
    _round_into(w, other)
    unsettled = np.empty_like(out, dtype=np.bool_)
    _differ(out, other, unsettled)
    # What is subnormal in bfloat16 is rounded twice: it must never settle anything, and does not if its two ends have different signs.
    return unsettled, (bound == 0) | (bound > (0.0 if out.dtype.kind == "f" else 2.0**-120))


def _narrow_retry(dy: _Array, x: _Array, weight: _Array | None, words: list[_Array], rows: _Array, columns: _Array, dx: _Array) -> _Array:
    """Write dx at the components (rows[k], columns[k]) with the bound of _plain_words as it is; return where it is not settled."""
    mean, g_mean, r, slope, offset, _, unit, tilt = (word[rows] for word in words)
    h = dy[rows, columns].astype(np.float64)
    if weight is not None:
        h = h * weight[columns].astype(np.float64)
    h, w = h - g_mean, x[rows, columns].astype(np.float64) - mean
    growth = _growth(x.shape[1])
    bound = r * np.abs(h) * (0.5 * growth + 16.0) + unit * tilt * np.abs(w) * (3.0 * growth + 44.0) + unit * (2.0 * growth + 10.0)
    value = (r * h - slope * w) + offset
    zero = np.zeros_like(value)
    dx[rows, columns], settled = _round_words(value, zero, _U * bound, zero.astype(np.int32), _FORMATS[dx.dtype.name])
    return ~settled


def _narrow_gradients(dy: _Array, x: _Array, weight: _Array | None, eps: float, dx: _Array | None, total: list[_Array] | None) -> None:
    """Write dx, correctly rounded to a format narrower than float64, and add dy * u to the total over rows."""
    n, d = x.shape
    step = min(n, _gradient_rows(d))
    scratch = [np.empty_like(x, shape=(step, d), dtype=np.float64) for _ in range(3)]
    other = None if dx is None else np.empty_like(dx, shape=(step, d))
    factor = None if weight is None else weight.astype(np.float64)
    kept: list[_Arrays] = []
    left: list[_Arrays] = []
    hard: list[_Arrays] = []
    for start, stop in _blocks(n, step):
        w, h, y = (array[: stop - start] for array in scratch)
        np.copyto(w, x[start:stop], casting="unsafe")
        np.copyto(y, dy[start:stop], casting="unsafe")
        np.multiply(y, 1.0 if factor is None else factor, out=h)
        words, fine, finite = _plain_words(w, h, eps)
        if total is not None:
            scale = np.where(fine, words[2], 0.0)
            shifted = -(scale * words[5]) @ y
            y *= w
            _add_columns(total, scale @ y, shifted, np.abs(shifted))
            if not _all(fine):
                _float64_gradients(dy[start:stop][~fine], x[start:stop][~fine], weight, eps, None, total, 0)
        if dx is not None and other is not None:
            unsettled, in_range = _narrow_block(w, h, words, dx[start:stop], other[: stop - start])
            fine &= in_range
            left.append(_undecided(_in_rows(unsettled, fine), start))
            hard.append(_undecided(np.broadcast_to((finite & ~fine)[:, None], unsettled.shape), start))
            kept.append((*words, finite))
    if dx is not None:
        *words, finite = _joined(kept)
        rows, columns = _joined(left)
        unsettled = _narrow_retry(dy, x, weight, words, rows, columns, dx)
        rows, columns = _joined([*hard, (rows[unsettled], columns[unsettled])])
        _narrow_finish(dy, x, weight, eps, rows, columns, dx)
        dx[~finite] = np.nan


def _narrow_finish(dy: _Array, x: _Array, weight: _Array | None, eps: float, rows: _Array, columns: _Array, dx: _Array) -> None:
    """Write dx at components that plain float64 left, from the row numbers of their rows in two words."""
    if not len(rows):
        return
    d = x.shape[1]
    hard, at = _distinct(rows)
    scratch = _gradient_scratch(len(hard), d, x)
    prepared, w_exponent = _prepared_weight(weight)
    kept: list[_Arrays] = []
    for start, stop in _blocks(len(hard), _gradient_rows(d)):
        some = hard[start:stop]
        part = [array[: stop - start] for array in scratch]
        kept.append(tuple(_block_words(dy[some], x[some], prepared, w_exponent, eps, part)))
    _finish_gradient(dy, x, weight, eps, list(_joined(kept)), (rows, columns, at), dx)


# ---------------------------------------------------------------- the row function


def _gradient_panel(d: int) -> int:
    """Size: rows after which what the fast stage left is finished."""
    return max(_gradient_rows(d), 2**18 // d)


def _add_gradients(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, dx: _Array | None, total: list[_Array] | None, wide: bool
) -> None:
    """Write dx and add dy * u to the total over rows; wide says that the results are float64."""
    for start, stop in _blocks(len(x), _gradient_panel(x.shape[1])):
        part = None if dx is None else dx[start:stop]
        if wide:
            _float64_gradients(dy[start:stop], x[start:stop], weight, eps, part, total, 0)
        else:
            _narrow_gradients(dy[start:stop], x[start:stop], weight, eps, part, total)


def _round_weight_gradient(dy: _Array, x: _Array, weight: _Array | None, eps: float, total: list[_Array], out: _Array) -> None:
    """Write the total over rows; where it left the range on the way or lost digits below it, from one scaled by a power of two."""
    none = np.zeros_like(total[0])
    out[...], _ = _round_columns(total, none, 0, out)
    if out.dtype != np.float64:
        return
    for lift, again in ((-64, ~np.isfinite(out)), (600, np.abs(out) < 2.0**-_FAR)):
        if again.any():
            total = _no_columns(x.shape[1], x)
            for start, stop in _blocks(len(x), _gradient_panel(x.shape[1])):
                _float64_gradients(dy[start:stop], x[start:stop], weight, eps, None, total, lift)
            scaled, _ = _round_columns(total, none, -lift, out)
            again &= ~np.isnan(scaled)
            out[again] = scaled[again]


def _vjp_rows(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, dx: _Array | None, dweight: _Array | None, dbias: _Array | None
) -> None:
    """Write the gradients that are not None.

    dx and dbias are correctly rounded, and so is dweight of a single row. For more rows, with p the digits of the format, |error| of
    dweight is at most 2^-p |dweight| + 2^-38 sum |dy| (|u| + sqrt(rho)) in formats narrower than float64, with rho = q / (q + eps), and
    2^-53 (1 + 2^-30) |dweight| + 2^-1075 + sum (2^-66 |dy| + 2^-600 max |dy|) max |u| in float64, each maximum taken over the row.
    """
    n, d = x.shape
    if dbias is not None:
        _bias_gradient(dy, dbias)
    if dweight is not None and n == 1:
        _layer_norm_rows(x, dy[0], None, eps, dweight[None, :])
        dweight = None
    out = dweight if dx is None else dx
    if out is None:
        return
    total = None if dweight is None else _no_columns(d, x)
    size = _use_small_buffers(d)
    try:
        _add_gradients(dy, x, weight, eps, dx, total, out.dtype == np.float64)
        if dweight is not None and total is not None:
            _round_weight_gradient(dy, x, weight, eps, total, dweight)
    finally:
        np.setbufsize(size)


# ---------------------------------------------------------------- merging statistics


def _merged(n: float, mean: float, m2: float, other_n: float, other_mean: float, other_m2: float) -> tuple[Fraction, Fraction]:
    """The mean and the sum of squared deviations of two sets of numbers taken together."""
    count, other_count = Fraction(n), Fraction(other_n)
    share = other_count / (count + other_count)
    gap = Fraction(other_mean) - Fraction(mean)
    return Fraction(mean) + share * gap, Fraction(m2) + Fraction(other_m2) + count * share * gap * gap


def _merge_stats(first: tuple[_Array, _Array, _Array], second: tuple[_Array, _Array, _Array]) -> tuple[_Array, _Array, _Array]:
    """Integer stage: the count, the mean and the sum of squared deviations of two sets taken together, each correctly rounded."""
    n, mean, m2 = first[0] + second[0], np.full_like(first[1], np.nan), np.full_like(first[2], np.nan)
    numbers = np.stack([part.astype(np.float64) for part in (*first, *second)], axis=1)
    for i in np.flatnonzero(np.isfinite(numbers).all(axis=1)).tolist():
        exact_mean, exact_m2 = _merged(*numbers[i].tolist())
        mean[i] = _nearest_ratio(exact_mean.numerator, exact_mean.denominator, _FORMATS[mean.dtype.name])
        m2[i] = _nearest_ratio(exact_m2.numerator, exact_m2.denominator, _FORMATS[m2.dtype.name])
    return n, mean, m2


# Test vectors: a function, the format of its arrays, its arguments, and each answer, correctly rounded, with the error allowed.

_VECTORS: tuple[tuple[Any, str, dict[str, Any], tuple[tuple[Any, float], ...]], ...] = (
    (
        normalize, "float64", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.2222222222222223, -1.2222222222222223),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3333333333333333, -0.6666666666666666, 0.0, 0.6666666666666666, 1.3333333333333333),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((1.0, 1.0, -1.0, -1.0),), "eps": 1.25},
        ((((0.6666666666666666, 0.6666666666666666, -0.6666666666666666, -0.6666666666666666),), 0.0),),
    ),
    (normalize, "float64", {"x": ((1.0, 2.0, 3.0),), "eps": 0.3333333333333333}, ((((-1.0, 0.0, 1.0),), 0.0),)),
    (
        normalize, "float64", {"x": ((1.0, 2.0, 4.0),), "eps": 1.2222222222222223},
        ((((-0.7999999999999999, -0.19999999999999998, 1.0),), 0.0),),
    ),
    (normalize, "float64", {"x": ((1.0, 3.0),), "eps": 3.0}, ((((-0.5, 0.5),), 0.0),)),
    (
        normalize, "float64", {"x": ((134217728.0, 134217729.0),), "eps": 1e-05},
        ((((-0.99998000059998, 0.99998000059998),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((100000000.0, 100000000.0, 100000000.00000001),), "eps": 1e-12},
        ((((-0.004966931190541518, -0.004966931190541518, 0.009933862381083037),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((1e+154, -3e+154, 2e+154),), "eps": 1e-05},
        ((((0.46291004988627577, -1.3887301496588271, 0.9258200997725514),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((1.7e+308, -1.7e+308, 1.7e+308, 1e+300),), "eps": 1e-300},
        ((((0.9045340324434028, -1.5075567254685944, 0.9045340324434028, -0.3015113394182112),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((5e-324, 0.0, 1.5e-323),), "eps": 5e-324},
        ((((-7.409195831616925e-163, -2.96367833264677e-162, 3.7045979158084626e-162),), 0.0),),
    ),
    (
        normalize, "float64", {"x": ((1e-300, 1.0, 1e+300),), "eps": 1e-05},
        ((((-0.7071067811865476, -0.7071067811865476, 1.4142135623730951),), 0.0),),
    ),
    (normalize, "float64", {"x": ((0.1, 0.1, 0.1),), "eps": 5e-324}, ((((0.0, 0.0, 0.0),), 0.0),)),
    (normalize, "float64", {"x": ((7.0,),), "eps": 1e-05}, ((((0.0,),), 0.0),)),
    (
        normalize, "float32", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.2222222089767456, -1.2222222089767456),), 0.0),),
    ),
    (
        normalize, "float32", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3333333730697632, -0.6666666865348816, 0.0, 0.6666666865348816, 1.3333333730697632),), 0.0),),
    ),
    (
        normalize, "float32", {"x": ((1.0, 1.0, -1.0, -1.0),), "eps": 1.25},
        ((((0.6666666865348816, 0.6666666865348816, -0.6666666865348816, -0.6666666865348816),), 0.0),),
    ),
    (
        normalize, "float32", {"x": ((1999.5, 2000.25, 2000.75, 2001.5),), "eps": 1e-05},
        ((((-1.3719757795333862, -0.34299394488334656, 0.34299394488334656, 1.3719757795333862),), 0.0),),
    ),
    (
        normalize, "float32", {"x": ((16777216.0, 16777218.0, 16777216.0),), "eps": 1e-12},
        ((((-0.7071067690849304, 1.4142135381698608, -0.7071067690849304),), 0.0),),
    ),
    (
        normalize, "float32",
        {"x": ((3.0000000054977558e+38, -3.0000000054977558e+38, 3.0000000054977558e+38),), "eps": 1e-300},
        ((((0.7071067690849304, -1.4142135381698608, 0.7071067690849304),), 0.0),),
    ),
    (
        normalize, "float32", {"x": ((1.401298464324817e-45, 0.0, 2.802596928649634e-45),), "eps": 1e-300},
        ((((0.0, -1.2247449159622192, 1.2247449159622192),), 0.0),),
    ),
    (
        normalize, "float32",
        {"x": ((37.137001037597656, 37.137001037597656, 37.137001037597656, 37.137001037597656),), "eps": 1e-05},
        ((((0.0, 0.0, 0.0, 0.0),), 0.0),),
    ),
    (
        normalize, "float16", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.22265625, -1.22265625),), 0.0),),
    ),
    (
        normalize, "float16", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3330078125, -0.66650390625, 0.0, 0.66650390625, 1.3330078125),), 0.0),),
    ),
    (
        normalize, "float16", {"x": ((60000.0, 60000.0, 60000.0, 60000.0),), "eps": 1e-12}, ((((0.0, 0.0, 0.0, 0.0),), 0.0),),
    ),
    (
        normalize, "float16", {"x": ((65504.0, -65504.0, 1.0),), "eps": 1e-05},
        ((((1.224609375, -1.224609375, 1.245737075805664e-05),), 0.0),),
    ),
    (
        normalize, "bfloat16", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333}, ((((0.0, 1.21875, -1.21875),), 0.0),),
    ),
    (
        normalize, "bfloat16", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3359375, -0.66796875, 0.0, 0.66796875, 1.3359375),), 0.0),),
    ),
    (
        normalize, "bfloat16", {"x": ((3.00405527047391e+38, -3.00405527047391e+38, 1.0),), "eps": 1e-05},
        ((((1.2265625, -1.2265625, 2.7550648847397363e-39),), 0.0),),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4444444444444444, 4.222222222222222),), 0.0), ((0.0,), 0.0), ((0.1111111111111111,), 0.0)),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0), "bias": (0.25, -1.0, 3.0, 0.25, -1.0),
            "return_stats": True, "eps": 0.25,
        },
        (
            (((-0.4166666666666667, -2.3333333333333335, 3.0, 0.5833333333333334, 1.6666666666666667),), 0.0), ((2.0,), 0.0),
            ((0.6666666666666666,), 0.0),
        ),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((134217728.0, 134217729.0),), "weight": (0.5, 2.0), "bias": (0.25, -1.0), "return_stats": True,
            "eps": 1e-05,
        },
        ((((-0.24999000029999, 0.99996000119996),), 0.0), ((134217728.5,), 0.0), ((1.99996000119996,), 0.0)),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((100000000.0, 100000000.0, 100000000.00000001),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0),
            "return_stats": True, "eps": 1e-12,
        },
        (
            (((0.24751653440472923, -1.009933862381083, 2.990066137618917),), 0.0), ((100000000.0,), 0.0),
            ((999975.3292902265,), 0.0),
        ),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((1e+154, -3e+154, 2e+154),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 1e-05,
        },
        (
            (((0.48145502494313785, -3.7774602993176543, 2.0741799002274486),), 0.0), ((-4.961885691191343e+137,), 0.0),
            ((4.629100498862757e-155,), 0.0),
        ),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4444444179534912, 4.222222328186035),), 0.0), ((0.0,), 0.0), ((0.1111111119389534,), 0.0)),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((1999.5, 2000.25, 2000.75, 2001.5),), "weight": (0.5, 2.0, -1.0, 0.5), "bias": (0.25, -1.0, 3.0, 0.25),
            "return_stats": True, "eps": 1e-05,
        },
        (
            (((-0.4359878897666931, -1.6859878301620483, 2.657006025314331, 0.9359878897666931),), 0.0), ((2000.5,), 0.0),
            ((1.3719757795333862,), 0.0),
        ),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((16777216.0, 16777218.0, 16777216.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0),
            "return_stats": True, "eps": 1e-12,
        },
        (
            (((-0.1035533919930458, 1.8284270763397217, 3.707106828689575),), 0.0), ((16777216.0,), 0.0),
            ((1.0606601238250732,), 0.0),
        ),
    ),
    (
        layer_norm, "float16",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4443359375, 4.22265625),), 0.0), ((0.0,), 0.0), ((0.1111111119389534,), 0.0)),
    ),
    (
        layer_norm, "float16",
        {
            "x": ((60000.0, 60000.0, 60000.0, 60000.0),), "weight": (0.5, 2.0, -1.0, 0.5), "bias": (0.25, -1.0, 3.0, 0.25),
            "return_stats": True, "eps": 1e-12,
        },
        ((((0.25, -1.0, 3.0, 0.25),), 0.0), ((60000.0,), 0.0), ((1000000.0,), 0.0)),
    ),
    (
        layer_norm, "bfloat16",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4453125, 4.21875),), 0.0), ((0.0,), 0.0), ((0.1111111119389534,), 0.0)),
    ),
    (
        layer_norm, "bfloat16",
        {
            "x": ((3.00405527047391e+38, -3.00405527047391e+38, 1.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0),
            "return_stats": True, "eps": 1e-05,
        },
        ((((0.86328125, -3.453125, 3.0),), 0.0), ((0.3333333432674408,), 0.0), ((4.0769713832697666e-39,), 0.0)),
    ),
    (
        layer_norm_vjp, "float64",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.2037037037037037, -0.10265203475080019, -0.10105166895290352),), 0.0),
            ((0.0, -2.4444444444444446, -0.6111111111111112), 2.1e-15), ((1.0, -2.0, 0.5), 9.3e-16),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {
            "dy": ((1.0, -2.0, 0.5, 4.0, 1.0),), "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0),
            "eps": 0.25,
        },
        (
            (((1.4, -2.1333333333333333, -0.3333333333333333, 0.8, 0.26666666666666666),), 0.0),
            ((-1.3333333333333333, 1.3333333333333333, 0.0, 2.6666666666666665, 1.3333333333333333), 2.1e-15),
            ((1.0, -2.0, 0.5, 4.0, 1.0), 9.3e-16),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {"dy": ((1.0, -2.0),), "x": ((134217728.0, 134217729.0),), "weight": (0.5, 2.0), "eps": 1e-05},
        (
            (((0.00017998920053997482, -0.00017998920053997482),), 0.0), ((-0.99998000059998, -1.99996000119996), 1.9e-15),
            ((1.0, -2.0), 9.3e-16),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {
            "dy": ((1.0, -2.0, 0.5),), "x": ((100000000.0, 100000000.0, 100000000.00000001),), "weight": (0.5, 2.0, -1.0),
            "eps": 1e-12,
        },
        (
            (((1833308.6618627612, -2666580.319943258, 833271.6580804968),), 0.0),
            ((-0.004966931190541518, 0.009933862381083037, 0.004966931190541518), 1.6e-17), ((1.0, -2.0, 0.5), 9.3e-16),
        ),
    ),
    (
        layer_norm_vjp, "float32",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.20370370149612427, -0.10265203565359116, -0.10105166584253311),), 0.0),
            ((0.0, -2.444444417953491, -0.6111111044883728), 1.1e-06), ((1.0, -2.0, 0.5), 5e-07),
        ),
    ),
    (
        layer_norm_vjp, "float32",
        {
            "dy": ((1.0, -2.0, 0.5, 4.0),), "x": ((1999.5, 2000.25, 2000.75, 2001.5),), "weight": (0.5, 2.0, -1.0, 0.5),
            "eps": 1e-05,
        },
        (
            (((2.905331611633301, -4.418576240539551, -0.38333895802497864, 1.8965835571289062),), 0.0),
            ((-1.3719757795333862, 0.6859878897666931, 0.17149697244167328, 5.487903118133545), 1.2e-06),
            ((1.0, -2.0, 0.5, 4.0), 5e-07),
        ),
    ),
    (
        layer_norm_vjp, "float16",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.2037353515625, -0.1026611328125, -0.10107421875),), 0.0), ((0.0, -2.4453125, -0.611328125), 0.0091),
            ((1.0, -2.0, 0.5), 0.0041),
        ),
    ),
    (
        merge_stats, "float64", {"first": (2.0, 4.0, 8.0), "second": (2.0, 0.0, 20000.0)},
        ((4.0, 0.0), (2.0, 0.0), (20024.0, 0.0)),
    ),
    (
        merge_stats, "float64", {"first": (3.0, 0.1, 0.0), "second": (5.0, 0.7, 1.5)},
        ((8.0, 0.0), (0.475, 0.0), (2.175, 0.0)),
    ),
    (
        merge_stats, "float64", {"first": (0.0, 9.0, 0.0), "second": (3.0, 2.0, 6.0)}, ((3.0, 0.0), (2.0, 0.0), (6.0, 0.0)),
    ),
)


def _format_named(name: str) -> np.dtype[Any] | None:
    """The format of this name; None for bfloat16 where the package ml_dtypes, which brings it, is not installed."""
    if name == "bfloat16" and importlib.util.find_spec("ml_dtypes") is None:
        return None
    return np.dtype(importlib.import_module("ml_dtypes").bfloat16 if name == "bfloat16" else name)


def _passes(function: Any, form: np.dtype[Any], arguments: dict[str, Any], answers: tuple[tuple[Any, float], ...]) -> bool:
    """Whether a call gives its answers."""
    scalars = ("eps", "return_stats", "first", "second")
    given = {name: value if name in scalars else np.array(value, form) for name, value in arguments.items()}
    found = function(**given)
    results = found if isinstance(found, tuple) else (found,)
    return len(results) == len(answers) and all(
        result.shape == np.shape(value) and bool((np.abs(result.astype(np.float64) - np.array(value)) <= allowed).all())
        for result, (value, allowed) in zip(results, answers, strict=True)
    )


def _check() -> int:
    """Run the test vectors and print how many passed and failed; return 1 if one failed."""
    counts = {"passed": 0, "failed": 0, "not run, for want of ml_dtypes": 0}
    for function, name, arguments, answers in _VECTORS:
        form = _format_named(name)
        outcome = "not run, for want of ml_dtypes" if form is None else "passed"
        if form is not None and not _passes(function, form, arguments, answers):
            outcome = "failed"
            sys.stdout.write(f"failed: {function.__name__}, {name}, {arguments}\n")
        counts[outcome] += 1
    said = [f"{count} {outcome}" for outcome, count in counts.items() if count or outcome in ("passed", "failed")]
    sys.stdout.write(", ".join(said) + "\n")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        sys.stderr.write(f"usage: python {sys.argv[0]} --check\n")
        sys.exit(2)
    sys.exit(_check())

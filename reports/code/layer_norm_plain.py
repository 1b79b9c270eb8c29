# Written by `lnsym emit numpy --tier plain`.
"""Layer normalization with epsilon for NumPy, plain tier.

Plain tier: the textbook's two passes, written as the theorems state them. The bound that each function states
holds under a condition on the row, which is checked at run time: a RuntimeWarning tells when it is void.

The promises suppose binary IEEE 754 arithmetic with round to nearest even and gradual underflow, NumPy's
operations neither reordered nor contracted, finite inputs, eps > 0 (or eps = 0 and no constant row), and at
most 2^20 entries in a row. In the bounds p is the number of digits of the result's format (53, 24, 11 for
float64, float32, float16, and 8 for bfloat16), eta its least subnormal, q the variance of the row, s = sqrt(q
+ eps), rho = q/(q + eps), u its core.

Results have the widest format of all array arguments; float16 beside bfloat16 gives float32. Integers and
booleans count as float64. Means and rstds are float32 where that format is a half format. A row that holds
NaN or infinity comes out as NaN, and affects no other row, only sums over the rows. Any memory layout, byte
order and batch shape will do, empty batches too.

Theorems, each proved in the process that wrote this file: derivative_output_apply_eq, gradient_backward_eq,
gradient_backward_sums_cases, gradient_dot_output_eq, jacobian_forms, output_eq,
parameter_gradient_sums_cases, statistics_merge_eq.

Certificate: sha256 daab0fb17dc14d3b2eb5aef5fe28b7058cedcee2e1ad3eeabb2589e764281e72, printed in full by the command above with --json.

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

__all__ = ["jacobian", "layer_norm", "layer_norm_jvp", "layer_norm_vjp", "layer_norm_vjp_vjp", "merge_stats", "normalize"]

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

    Bound: with A the mean of |x| and K = 20 + log2(d), for a row with K 2^-53 A/s <= 2^-26 whose q + eps lies
    between 2^-960 and 2^1000: |error| <= 2^-53 (K A/s + |u| ((K + 3)/2 + 4)) + |u| (K 2^-53 A/s)^2/2 +
    2^-1074 (1 + 1/s), and one rounding to the format; a RuntimeWarning names a row for which this is void.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: the bound, on
    paper, to first order. Measured: at most 0.52 of the bound is used by any row of the families tried.

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

    Bound: with A the mean of |x| and K = 20 + log2(d), for a row with K 2^-53 A/s <= 2^-26 whose q + eps lies
    between 2^-960 and 2^1000: |error of u| <= 2^-53 (K A/s + |u| ((K + 3)/2 + 4)) + |u| (K 2^-53 A/s)^2/2 +
    2^-1074 (1 + 1/s), then one product, one sum and one rounding; a RuntimeWarning names a row for which this
    is void.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: the bound, on
    paper, to first order. Measured: at most 0.52 of the bound is used by any row of the families tried.

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


def layer_norm_jvp(
    x: ArrayLike,
    dx: ArrayLike,
    weight: ArrayLike | None = None,
    eps: float = 1e-5,
    axis: int | tuple[int, ...] = -1,
    *,
    out: _Array | None = None,
) -> _Array:
    """Return the derivative of layer_norm by x in direction dx.

    Parameters
    ----------
    x : array
        Input; its entries along axis form the rows.
    dx : array
        Direction, of the shape of x.
    weight : array or None
        Gain, of the shape of the normalized axes of x; None stands for ones.
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
        dy, of the shape of x: how y changes for each unit along dx.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    Over the d entries of a row, by theorem derivative_output_apply_eq of lnsym::

        mean = mean(x)
        deviations = x - mean
        variance = mean(deviations * deviations)
        root = sqrt(variance + eps)
        rstd = 1 / root
        mean_dx = mean(dx)
        core = deviations / root
        mean_core_dx = mean(core * dx)
        dy = weight * rstd * (dx - mean_dx - core * mean_core_dx)

    Bound: none beyond that of the core, which normalize states; a RuntimeWarning names a row for which even
    that is void.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: no bound.
    Measured: nothing beyond the tests.

    Examples
    --------
    >>> layer_norm_jvp([1.0, 3.0], [1.0, 0.0], eps=3.0)
    array([ 0.1875, -0.1875])
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    array = _checked_array("x", x)
    shape = array.shape
    axes, eps = _checked_axes(axis, shape), _checked_eps(eps)
    direction, weight_row = _checked_like("dx", dx, shape), _checked_parameter("weight", weight, shape, axes)
    rows, direction_rows = _as_rows(array, axes), _as_rows(direction, axes)
    target = _room(out, shape, axes, _result_format(array, direction, weight_row), (rows, direction_rows, weight_row))
    with np.errstate(all="ignore"):
        if eps == 0.0:
            _refuse_constant_rows(rows, _batch_shape(shape, axes))
        _jvp_rows(rows, direction_rows, weight_row, eps, target)
    return _delivered(target, out, shape, axes)


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

    Bound: none beyond that of the core, which normalize states; a RuntimeWarning names a row for which even
    that is void.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: no bound.
    Measured: nothing beyond the tests.

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


def layer_norm_vjp_vjp(
    ddx: ArrayLike | None,
    ddweight: ArrayLike | None,
    ddbias: ArrayLike | None,
    dy: ArrayLike,
    x: ArrayLike,
    weight: ArrayLike | None = None,
    eps: float = 1e-5,
    axis: int | tuple[int, ...] = -1,
) -> tuple[_Array, _Array, _Array]:
    """Return the gradients of <ddx, dx> + <ddweight, dweight> + <ddbias, dbias> by dy, x and weight: double backward.

    Parameters
    ----------
    ddx : array or None
        Cotangent of the gradient by x, of the shape of x; None stands for zeros.
    ddweight, ddbias : array or None
        Cotangents of the gradients by weight and bias, of the shape of the normalized axes; None stands for zeros.
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

    Returns
    -------
    tuple of three arrays
        (ddy, dx, dweight): the gradients by dy and x, of the shape of x, and by weight, of the shape of the normalized axes.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    Over the d entries of a row, by theorems gradient_backward_eq, gradient_backward_sums_cases of lnsym::

        mean = mean(x)
        deviations = x - mean
        variance = mean(deviations * deviations)
        root = sqrt(variance + eps)
        rstd = 1 / root
        mean_ddx = mean(ddx)
        core = deviations / root
        mean_core_ddx = mean(core * ddx)
        part = ddx - mean_ddx - core * mean_core_ddx
        weight_dy = weight * dy
        mean_core_weight_dy = mean(core * weight_dy)
        part_2 = mean_core_weight_dy * (ddx - mean_ddx)
        mean_weight_dy = mean(weight_dy)
        centred_weight_dy = weight_dy - mean_weight_dy
        mean_ddx_weight_dy = mean(ddx * centred_weight_dy)
        part_3 = (mean_ddx_weight_dy - 3 * mean_core_ddx * mean_core_weight_dy) * core
        part_4 = rstd**2 * (part_2 + mean_core_ddx * centred_weight_dy + part_3)
        ddweight_dy = ddweight * dy
        mean_ddweight_dy = mean(ddweight_dy)
        mean_core_ddweight_dy = mean(core * ddweight_dy)
        part_5 = rstd * (ddweight_dy - mean_ddweight_dy - core * mean_core_ddweight_dy)
        ddy = weight * (rstd * part) + ddweight * core + ddbias
        dx = -part_4 + part_5
        dweight = sum(dy * (part / root) over rows)

    Bound: none beyond that of the core, which normalize states; a RuntimeWarning names a row for which even
    that is void.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: no bound.
    Measured: nothing beyond the tests.

    Examples
    --------
    >>> ddy, dx, dweight = layer_norm_vjp_vjp([1.0, 0.0], None, None, [1.0, 0.0], [1.0, 3.0], eps=3.0)
    >>> ddy
    array([ 0.1875, -0.1875])
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    array = _checked_array("x", x)
    shape = array.shape
    axes, eps = _checked_axes(axis, shape), _checked_eps(eps)
    cotangent, weight_row = _checked_like("dy", dy, shape), _checked_parameter("weight", weight, shape, axes)
    second = None if ddx is None else _checked_like("ddx", ddx, shape)
    second_weight = _checked_parameter("ddweight", ddweight, shape, axes)
    second_bias = _checked_parameter("ddbias", ddbias, shape, axes)
    rows, cotangent_rows = _as_rows(array, axes), _as_rows(cotangent, axes)
    second_rows = None if second is None else _as_rows(second, axes)
    form = _result_format(cotangent, array, weight_row, second, second_weight, second_bias)
    ddy, dx, dweight = np.empty_like(rows, dtype=form), np.empty_like(rows, dtype=form), np.empty(rows.shape[1], form)
    with np.errstate(all="ignore"):
        if eps == 0.0:
            _refuse_constant_rows(rows, _batch_shape(shape, axes))
        _vjp_vjp_rows(second_rows, second_weight, second_bias, cotangent_rows, rows, weight_row, eps, ddy, dx, dweight)
    return (
        _delivered(ddy, None, shape, axes),
        _delivered(dx, None, shape, axes),
        dweight if len(axes) == 1 else dweight.reshape(tuple(shape[one] for one in axes)),
    )


def jacobian(x: ArrayLike, eps: float = 1e-5) -> _Array:
    """Return the Jacobian of the core at one row, as a dense matrix.

    Parameters
    ----------
    x : array
        One row, of shape (d,).
    eps : float
        Added to the variance, under the root, in the units of x squared; finite and > 0, or 0 if no row is constant. An int or a
        Fraction counts as the float64 nearest to it.

    Returns
    -------
    array
        Shape (d, d): entry (i, j) is the derivative of the core's component i by x[j], in units of 1/x.

    Raises
    ------
    TypeError
        An argument of another type, such as complex or object arrays.
    ValueError
        A shape, axis or value that does not fit; the message says which one, and what was expected.

    Notes
    -----
    Over the d entries of a row, by theorem jacobian_forms of lnsym::

        mean = mean(x)
        deviations = x - mean
        variance = mean(deviations * deviations)
        root = sqrt(variance + eps)
        rstd = 1 / root
        core = deviations / root
        jacobian = rstd * (eye(d) - (1 + core[i] * core) / d)

    Bound: none beyond that of the core, which normalize states; a RuntimeWarning names a row for which even
    that is void.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: no bound.
    Measured: nothing beyond the tests.

    Examples
    --------
    >>> jacobian([1.0, 3.0], eps=3.0)
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])
    """
    if _flushes_to_zero():
        _warn_of_flushing()
    array, eps = _checked_array("x", x), _checked_eps(eps)
    if array.ndim != 1:
        raise ValueError(f"x: expected one row, of shape (d,), got shape {array.shape}; call jacobian for each row")
    d = array.shape[0]
    if d == 0:
        raise ValueError("x: the row has length 0; expected at least one entry")
    row = _contiguous(array).reshape(1, d)
    result = np.empty((d, d), array.dtype)
    with np.errstate(all="ignore"):
        if eps == 0.0:
            _refuse_constant_rows(row, (1,))
        _jacobian_rows(row, eps, result)
    return result


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

    Bound: none; each operation of the formula is rounded once.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: no bound.
    Measured: nothing beyond the tests.

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


# Row functions: the formulas as the theorems state them, in float64 and rounded once.

_U = 2.0**-53  # unit roundoff of float64
_LARGEST_LOSS = 2.0**-26  # of the part of a row's bound that grows with mean/spread: half of the digits are gone
_LEAST_SQUARE, _LARGEST_SQUARE = 2.0**-960, 2.0**1000


def _wide(x: _Array) -> _Array:
    """The array in float64."""
    return x.astype(np.float64, copy=False)


def _wide_or(x: _Array | None, default: float, like: _Array) -> _Array:
    """The array in float64; for None an array full of the default."""
    return np.full_like(like, default) if x is None else x.astype(np.float64, copy=False)


def _warn_where_void(x: _Array, mean: _Array, variance: _Array, eps: float) -> None:
    """Contract: gives nothing. Warns of rows for which the bound stated above is void: mean/spread too large, or squares out of range."""
    square = variance + eps
    loss = (20.0 + math.log2(x.shape[-1])) * _U * (np.abs(mean) + np.sqrt(variance)) / np.sqrt(square)
    void = (loss > _LARGEST_LOSS) | (square < _LEAST_SQUARE) | (square > _LARGEST_SQUARE)
    broken = ~np.isfinite(square)
    if broken.any():  # through the row itself, or through a sum that overflowed
        void = np.where(broken, np.isfinite(x).all(axis=-1, keepdims=True), void)
    if void.any():
        warnings.warn(
            f"the error bound is void for {np.count_nonzero(void)} of {void.size} rows, row {int(void.argmax())} for one: its mean is too "
            "large for its spread, or its squares leave the range of float64; use the safe tier",
            RuntimeWarning,
            stacklevel=4,
        )


def _layer_norm_rows(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array) -> tuple[_Array, _Array]:
    """Write weight * core + bias into out; return mean and rstd of each row."""
    x, weight, bias = _wide(x), _wide_or(weight, 1.0, x), _wide_or(bias, 0.0, x)
    mean = np.mean(x, axis=-1, keepdims=True)
    deviations = x - mean
    variance = np.mean(deviations * deviations, axis=-1, keepdims=True)
    root = np.sqrt(variance + eps)
    core = deviations / root
    rstd = 1 / root
    _warn_where_void(x, mean, variance, eps)
    np.copyto(out, weight * core + bias, casting="unsafe")
    form = _statistics_format(out.dtype)
    return mean[:, 0].astype(form), rstd[:, 0].astype(form)


def _jvp_rows(x: _Array, dx: _Array, weight: _Array | None, eps: float, out: _Array) -> None:
    """Write the derivative of each row in direction dx into out."""
    x, dx, weight = _wide(x), _wide(dx), _wide_or(weight, 1.0, x)
    mean = np.mean(x, axis=-1, keepdims=True)
    deviations = x - mean
    variance = np.mean(deviations * deviations, axis=-1, keepdims=True)
    root = np.sqrt(variance + eps)
    rstd = 1 / root
    mean_dx = np.mean(dx, axis=-1, keepdims=True)
    core = deviations / root
    mean_core_dx = np.mean(core * dx, axis=-1, keepdims=True)
    _warn_where_void(x, mean, variance, eps)
    np.copyto(out, weight * rstd * (dx - mean_dx - core * mean_core_dx), casting="unsafe")


def _vjp_rows(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, dx: _Array | None, dweight: _Array | None, dbias: _Array | None
) -> None:
    """Write the gradients by x, weight and bias into those arrays that are given."""
    dy, x, weight = _wide(dy), _wide(x), _wide_or(weight, 1.0, x)
    mean = np.mean(x, axis=-1, keepdims=True)
    deviations = x - mean
    variance = np.mean(deviations * deviations, axis=-1, keepdims=True)
    root = np.sqrt(variance + eps)
    core = deviations / root
    rstd = 1 / root
    weight_dy = weight * dy
    mean_weight_dy = np.mean(weight_dy, axis=-1, keepdims=True)
    mean_weight_dy_core = np.mean(weight_dy * core, axis=-1, keepdims=True)
    _warn_where_void(x, mean, variance, eps)
    if dx is not None:
        np.copyto(dx, rstd * (weight_dy - mean_weight_dy - core * mean_weight_dy_core), casting="unsafe")
    if dweight is not None:
        np.copyto(dweight, np.sum(dy * core, axis=0), casting="unsafe")
    if dbias is not None:
        np.copyto(dbias, np.sum(dy, axis=0), casting="unsafe")


def _vjp_vjp_rows(
    ddx: _Array | None,
    ddweight: _Array | None,
    ddbias: _Array | None,
    dy: _Array,
    x: _Array,
    weight: _Array | None,
    eps: float,
    ddy: _Array | None,
    dx: _Array | None,
    dweight: _Array | None,
) -> None:
    """Write the gradients of <ddx, dx> + <ddweight, dweight> + <ddbias, dbias> by dy, x and weight into those arrays that are given."""
    dy, x, weight = _wide(dy), _wide(x), _wide_or(weight, 1.0, x)
    ddx, ddweight, ddbias = _wide_or(ddx, 0.0, x), _wide_or(ddweight, 0.0, x), _wide_or(ddbias, 0.0, x)
    mean = np.mean(x, axis=-1, keepdims=True)
    deviations = x - mean
    variance = np.mean(deviations * deviations, axis=-1, keepdims=True)
    root = np.sqrt(variance + eps)
    rstd = 1 / root
    mean_ddx = np.mean(ddx, axis=-1, keepdims=True)
    core = deviations / root
    mean_core_ddx = np.mean(core * ddx, axis=-1, keepdims=True)
    part = ddx - mean_ddx - core * mean_core_ddx
    weight_dy = weight * dy
    mean_core_weight_dy = np.mean(core * weight_dy, axis=-1, keepdims=True)
    part_2 = mean_core_weight_dy * (ddx - mean_ddx)
    mean_weight_dy = np.mean(weight_dy, axis=-1, keepdims=True)
    centred_weight_dy = weight_dy - mean_weight_dy
    mean_ddx_weight_dy = np.mean(ddx * centred_weight_dy, axis=-1, keepdims=True)
    part_3 = (mean_ddx_weight_dy - 3 * mean_core_ddx * mean_core_weight_dy) * core
    part_4 = rstd**2 * (part_2 + mean_core_ddx * centred_weight_dy + part_3)
    ddweight_dy = ddweight * dy
    mean_ddweight_dy = np.mean(ddweight_dy, axis=-1, keepdims=True)
    mean_core_ddweight_dy = np.mean(core * ddweight_dy, axis=-1, keepdims=True)
    part_5 = rstd * (ddweight_dy - mean_ddweight_dy - core * mean_core_ddweight_dy)
    _warn_where_void(x, mean, variance, eps)
    if ddy is not None:
        np.copyto(ddy, weight * (rstd * part) + ddweight * core + ddbias, casting="unsafe")
    if dx is not None:
        np.copyto(dx, -part_4 + part_5, casting="unsafe")
    if dweight is not None:
        np.copyto(dweight, np.sum(dy * (part / root), axis=0), casting="unsafe")


def _jacobian_rows(x: _Array, eps: float, out: _Array) -> None:
    """Write the Jacobian of the core of one row into out."""
    x = _wide(x)
    mean = np.mean(x, axis=-1, keepdims=True)
    deviations = x - mean
    variance = np.mean(deviations * deviations, axis=-1, keepdims=True)
    root = np.sqrt(variance + eps)
    rstd = 1 / root
    core = deviations / root
    _warn_where_void(x, mean, variance, eps)
    np.copyto(out, rstd * (np.eye(x.shape[-1]) - (1 + core.T * core) / x.shape[-1]), casting="unsafe")


def _merge_stats(first: tuple[_Array, _Array, _Array], second: tuple[_Array, _Array, _Array]) -> tuple[_Array, _Array, _Array]:
    """Return count, mean and sum of squared deviations of the union."""
    n, mean, m2 = map(_wide, first)
    n_prime, mean_prime, m2_prime = map(_wide, second)
    part = n + n_prime
    return part, (n * mean + n_prime * mean_prime) / part, m2 + m2_prime + n * n_prime * (mean_prime - mean)**2 / part


# Test vectors: a function, the format of its arrays, its arguments, and each answer, correctly rounded, with the error allowed.

_VECTORS: tuple[tuple[Any, str, dict[str, Any], tuple[tuple[Any, float], ...]], ...] = (
    (
        normalize, "float64", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.2222222222222223, -1.2222222222222223),), 3.3e-14),),
    ),
    (
        normalize, "float64", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3333333333333333, -0.6666666666666666, 0.0, 0.6666666666666666, 1.3333333333333333),), 3.4e-14),),
    ),
    (
        normalize, "float64", {"x": ((1.0, 1.0, -1.0, -1.0),), "eps": 1.25},
        ((((0.6666666666666666, 0.6666666666666666, -0.6666666666666666, -0.6666666666666666),), 2e-14),),
    ),
    (normalize, "float64", {"x": ((1.0, 2.0, 3.0),), "eps": 0.3333333333333333}, ((((-1.0, 0.0, 1.0),), 2.7e-14),)),
    (
        normalize, "float64", {"x": ((1.0, 2.0, 4.0),), "eps": 1.2222222222222223},
        ((((-0.7999999999999999, -0.19999999999999998, 1.0),), 2.6e-14),),
    ),
    (normalize, "float64", {"x": ((1.0, 3.0),), "eps": 3.0}, ((((-0.5, 0.5),), 1.5e-14),)),
    (
        normalize, "float32", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.2222222089767456, -1.2222222089767456),), 1.4e-07),),
    ),
    (
        normalize, "float32", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3333333730697632, -0.6666666865348816, 0.0, 0.6666666865348816, 1.3333333730697632),), 1.4e-07),),
    ),
    (
        normalize, "float32", {"x": ((1.0, 1.0, -1.0, -1.0),), "eps": 1.25},
        ((((0.6666666865348816, 0.6666666865348816, -0.6666666865348816, -0.6666666865348816),), 8.3e-08),),
    ),
    (
        normalize, "float16", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.22265625, -1.22265625),), 0.0011),),
    ),
    (
        normalize, "float16", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3330078125, -0.66650390625, 0.0, 0.66650390625, 1.3330078125),), 0.0012),),
    ),
    (
        normalize, "bfloat16", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.21875, -1.21875),), 0.0091),),
    ),
    (
        normalize, "bfloat16", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3359375, -0.66796875, 0.0, 0.66796875, 1.3359375),), 0.0093),),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        (
            (((0.25, 1.4444444444444444, 4.222222222222222),), 1.1e-13), ((0.0,), 1.6e-13), ((0.1111111111111111,), 1.7e-15),
        ),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0), "bias": (0.25, -1.0, 3.0, 0.25, -1.0),
            "return_stats": True, "eps": 0.25,
        },
        (
            (((-0.4166666666666667, -2.3333333333333335, 3.0, 0.5833333333333334, 1.6666666666666667),), 1.1e-13),
            ((2.0,), 6e-14), ((0.6666666666666666,), 9.9e-15),
        ),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4444444179534912, 4.222222328186035),), 4.7e-07), ((0.0,), 6.9e-07), ((0.1111111119389534,), 7e-09)),
    ),
    (
        layer_norm, "float16",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4443359375, 4.22265625),), 0.0038), ((0.0,), 6.9e-07), ((0.1111111119389534,), 7e-09)),
    ),
    (
        layer_norm, "bfloat16",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4453125, 4.21875),), 0.031), ((0.0,), 6.9e-07), ((0.1111111119389534,), 7e-09)),
    ),
    (
        layer_norm_jvp, "float64",
        {"x": ((0.0, 11.0, -11.0),), "dx": ((3.0, 1.0, -1.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        ((((0.1111111111111111, -0.22130772748056698, 0.11156835848193873),), 2.4e-14),),
    ),
    (
        layer_norm_jvp, "float64",
        {
            "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "dx": ((3.0, 1.0, -1.0, 3.0, 1.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0),
            "eps": 0.25,
        },
        ((((0.4148148148148148, -0.7703703703703704, 1.6, 0.5925925925925926, -0.05925925925925926),), 1.5e-13),),
    ),
    (
        layer_norm_jvp, "float32",
        {"x": ((0.0, 11.0, -11.0),), "dx": ((3.0, 1.0, -1.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        ((((0.1111111119389534, -0.22130772471427917, 0.11156836152076721),), 1e-07),),
    ),
    (
        layer_norm_jvp, "float16",
        {"x": ((0.0, 11.0, -11.0),), "dx": ((3.0, 1.0, -1.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        ((((0.111083984375, -0.2213134765625, 0.111572265625),), 0.00083),),
    ),
    (
        layer_norm_vjp, "float64",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.2037037037037037, -0.10265203475080019, -0.10105166895290352),), 1.5e-14),
            ((0.0, -2.4444444444444446, -0.6111111111111112), 1.3e-13), ((1.0, -2.0, 0.5), 6e-14),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {
            "dy": ((1.0, -2.0, 0.5, 4.0, 1.0),), "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0),
            "eps": 0.25,
        },
        (
            (((1.4, -2.1333333333333333, -0.3333333333333333, 0.8, 0.26666666666666666),), 1.1e-13),
            ((-1.3333333333333333, 1.3333333333333333, 0.0, 2.6666666666666665, 1.3333333333333333), 1.4e-13),
            ((1.0, -2.0, 0.5, 4.0, 1.0), 6e-14),
        ),
    ),
    (
        layer_norm_vjp, "float32",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.20370370149612427, -0.10265203565359116, -0.10105166584253311),), 6.2e-08),
            ((0.0, -2.444444417953491, -0.6111111044883728), 1.1e-06), ((1.0, -2.0, 0.5), 5e-07),
        ),
    ),
    (
        layer_norm_vjp, "float16",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.2037353515625, -0.1026611328125, -0.10107421875),), 0.00051), ((0.0, -2.4453125, -0.611328125), 0.0091),
            ((1.0, -2.0, 0.5), 0.0041),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float64",
        {
            "ddx": ((3.0, 1.0, -1.0),), "ddweight": (0.25, -1.0, 3.0), "ddbias": (1.0, -2.0, 0.5), "dy": ((1.0, -2.0, 0.5),),
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333,
        },
        (
            (((1.1111111111111112, -3.443529949702789, -3.055098308184728),), 1.8e-13),
            (((-0.09434537418076512, 0.01984086662489345, 0.07450450755587168),), 4.3e-13),
            ((0.2222222222222222, 0.22130772748056698, -0.055784179240969366), 4.8e-14),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float64",
        {
            "ddx": ((3.0, 1.0, -1.0, 3.0, 1.0),), "ddweight": (0.25, -1.0, 3.0, 0.25, -1.0),
            "ddbias": (1.0, -2.0, 0.5, 4.0, 1.0), "dy": ((1.0, -2.0, 0.5, 4.0, 1.0),), "x": ((0.0, 1.0, 2.0, 3.0, 4.0),),
            "weight": (0.5, 2.0, -1.0, 0.5, 2.0), "eps": 0.25,
        },
        (
            (((1.0814814814814815, -2.1037037037037036, 2.1, 4.7592592592592595, -0.3925925925925926),), 3.1e-13),
            (
                (
                    (
                        -0.26222222222222225, 1.0051851851851852, 1.7207407407407407, -0.8822222222222222,
                        -1.5814814814814815,
                    ),
                ),
                1.5e-11,
            ),
            ((0.8296296296296296, 0.7703703703703704, -0.8, 4.7407407407407405, -0.02962962962962963), 2.9e-13),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float32",
        {
            "ddx": ((3.0, 1.0, -1.0),), "ddweight": (0.25, -1.0, 3.0), "ddbias": (1.0, -2.0, 0.5), "dy": ((1.0, -2.0, 0.5),),
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333,
        },
        (
            (((1.1111111640930176, -3.4435298442840576, -3.055098295211792),), 7.7e-07),
            (((-0.09434537589550018, 0.019840866327285767, 0.07450450956821442),), 1.8e-06),
            ((0.2222222238779068, 0.22130772471427917, -0.055784180760383606), 2e-07),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float16",
        {
            "ddx": ((3.0, 1.0, -1.0),), "ddweight": (0.25, -1.0, 3.0), "ddbias": (1.0, -2.0, 0.5), "dy": ((1.0, -2.0, 0.5),),
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333,
        },
        (
            (((1.111328125, -3.443359375, -3.0546875),), 0.0063),
            (((-0.0943603515625, 0.01983642578125, 0.07452392578125),), 0.015),
            ((0.22216796875, 0.2213134765625, -0.0557861328125), 0.0017),
        ),
    ),
    (
        jacobian, "float64", {"x": (0.0, 11.0, -11.0), "eps": 0.3333333333333333},
        (
            (
                (
                    (0.07407407407407407, -0.037037037037037035, -0.037037037037037035),
                    (-0.037037037037037035, 0.018747142203932327, 0.01828989483310471),
                    (-0.037037037037037035, 0.01828989483310471, 0.018747142203932327),
                ),
                9.8e-15,
            ),
        ),
    ),
    (
        jacobian, "float64", {"x": (0.0, 1.0, 2.0, 3.0, 4.0), "eps": 0.25},
        (
            (
                (
                    (
                        0.2962962962962963, -0.2518518518518518, -0.13333333333333333, -0.014814814814814815,
                        0.1037037037037037,
                    ),
                    (
                        -0.2518518518518518, 0.4740740740740741, -0.13333333333333333, -0.07407407407407407,
                        -0.014814814814814815,
                    ),
                    (
                        -0.13333333333333333, -0.13333333333333333, 0.5333333333333333, -0.13333333333333333,
                        -0.13333333333333333,
                    ),
                    (
                        -0.014814814814814815, -0.07407407407407407, -0.13333333333333333, 0.4740740740740741,
                        -0.2518518518518518,
                    ),
                    (
                        0.1037037037037037, -0.014814814814814815, -0.13333333333333333, -0.2518518518518518,
                        0.2962962962962963,
                    ),
                ),
                6.1e-14,
            ),
        ),
    ),
    (
        jacobian, "float32", {"x": (0.0, 11.0, -11.0), "eps": 0.3333333333333333},
        (
            (
                (
                    (0.07407407462596893, -0.03703703731298447, -0.03703703731298447),
                    (-0.03703703731298447, 0.01874714158475399, 0.018289895728230476),
                    (-0.03703703731298447, 0.018289895728230476, 0.01874714158475399),
                ),
                4.1e-08,
            ),
        ),
    ),
    (
        jacobian, "float16", {"x": (0.0, 11.0, -11.0), "eps": 0.3333333333333333},
        (
            (
                (
                    (0.0740966796875, -0.03704833984375, -0.03704833984375),
                    (-0.03704833984375, 0.0187530517578125, 0.0182952880859375),
                    (-0.03704833984375, 0.0182952880859375, 0.0187530517578125),
                ),
                0.00034,
            ),
        ),
    ),
    (
        merge_stats, "float64", {"first": (2.0, 4.0, 8.0), "second": (2.0, 0.0, 20000.0)},
        ((4.0, 6e-14), (2.0, 6e-14), (20024.0, 3e-10)),
    ),
    (
        merge_stats, "float64", {"first": (3.0, 0.1, 0.0), "second": (5.0, 0.7, 1.5)},
        ((8.0, 1.2e-13), (0.475, 1e-14), (2.175, 3.2e-14)),
    ),
    (
        merge_stats, "float64", {"first": (0.0, 9.0, 0.0), "second": (3.0, 2.0, 6.0)},
        ((3.0, 4.5e-14), (2.0, 1.3e-13), (6.0, 9e-14)),
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

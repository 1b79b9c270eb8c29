# Written by `lnsym emit numpy --tier safe`.
"""Layer normalization with epsilon for NumPy, safe tier.

Safe tier: for every finite input and every eps > 0 down to the least one the error is within the bound that
each function states; no NaN appears, and an infinity only where the exact value plus its bound is beyond the
largest number.

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

Certificate: sha256 058122c2bba27671af6c6797436a9e1579f25b1cbd3d77f8059652d90b1502a8, printed in full by the command above with --json.

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

    Bound: |error| <= k 2^-p (|u| + sqrt(rho)) + eta; never NaN, and infinite only where the exact value plus
    this bound is beyond the largest number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

    Bound: |error of y| <= k 2^-p (|weight| (|u| + sqrt(rho)) + |y|) + (1 + |weight|) eta, |error of mean| <=
    k 2^-p mean|x| and |error of rstd| <= k 2^-p rstd, these two in their own format; never NaN, and infinite
    only where the exact value plus this bound is beyond the largest number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

    Bound: |error| <= k 2^-p |weight| E(dx) + (1 + |weight|) eta, where E(h) = (|c| + (1 + |u|) rms(c))/s with
    c = h - mean(h); never NaN, and infinite only where the exact value plus this bound is beyond the largest
    number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

    Bound: |error of dx| <= k 2^-p E(weight*dy) + eta, where E(h) = (|c| + (1 + |u|) rms(c))/s with c = h -
    mean(h), and with a weight |c| and rms(c) are increased by |h| + mean|h|; |error of dweight| <= k 2^-p sum
    |dy| (|u| + sqrt(rho)) + N eta and |error of dbias| <= k 2^-p sum |dy|, over the N rows; never NaN, and
    infinite only where the exact value plus this bound is beyond the largest number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

    Bound: |error of ddy| <= k 2^-p (|weight| E(ddx) + |ddweight| (|u| + sqrt(rho)) + |ddbias|) + eta, |error
    of dweight| <= k 2^-p sum |dy| E(ddx) + N eta over the N rows, |error of dx| <= k 2^-p ((|a| rms(g) + |g|
    rms(a) + (1 + 4 |u|) rms(a) rms(g))/s^2 + E(ddweight*dy)) + eta, where E(h) = (|c| + (1 + |u|) rms(c))/s
    with c = h - mean(h), a = ddx - mean(ddx) and g is weight*dy less its mean; never NaN, and infinite only
    where the exact value plus this bound is beyond the largest number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

    Bound: |error| <= k 2^-p (delta_ij + (1 + (|u_i| + sqrt(rho)) (|u_j| + sqrt(rho)))/d)/s + eta; never NaN,
    and infinite only where the exact value plus this bound is beyond the largest number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

    Bound: for counts that are whole numbers up to 2^53, |error| of n, mean and m2 <= k 2^-p times the sum of
    the sizes of the terms of its formula, (mean' - mean)^2 counted as (|mean| + |mean'|)^2, plus eta; never
    NaN, and infinite only where the exact value plus this bound is beyond the largest number.

    Proved: the formula, by the theorems named, for every d and in real arithmetic. Derived: k = 300, on
    paper, for rows whose mean does not dwarf their spread. Measured: k below 16 on every input tried: the
    tests of lnsym fail above.

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

_BLOCK_BYTES = 2**19  # a block of rows and its results: small enough for the cache, and large beside the cost of a call
_BLOCK_ROWS = 2048  # the most rows in a block
_GROUP = 64  # longer sums are sums of sums of so many entries: a matrix product may add its terms one by one, which loses more
_FEW = 4096  # for so few numbers one call that is not the fastest is better than several
_ONES: dict[int, _Array] = {8: np.ones(_BLOCK_ROWS), 4: np.ones(_BLOCK_ROWS, np.float32)}  # by the size of an entry


def _block_rows(d: int, itemsize: int) -> int:
    """Size: the most rows in a block."""
    return min(_BLOCK_ROWS, max(1, _BLOCK_BYTES // (d * itemsize)))


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


def _row_sum(x: _Array) -> _Array:
    """Sum of each row."""
    rows, d = x.shape
    ones = _ONES[x.itemsize]
    groups = d // _GROUP
    rest = d - groups * _GROUP
    total: _Array
    if rows * d <= _FEW:
        total = np.add.reduce(x, axis=1)
    elif d < _GROUP + _GROUP // 2:
        total = x @ ones[:d]
    elif d < 4 * _GROUP:
        total = x[:, d - rest :] @ ones[:rest]
        for start in range(0, d - rest, _GROUP):
            total += x[:, start : start + _GROUP] @ ones[:_GROUP]
    elif rest == 0:
        total = np.add.reduce((x.reshape(rows * groups, _GROUP) @ ones[:_GROUP]).reshape(rows, groups), axis=1)
    else:
        total = np.add.reduce(x[:, : d - rest].reshape(rows, groups, _GROUP) @ ones[:_GROUP], axis=1) + x[:, d - rest :] @ ones[:rest]
    return total


def _row_dot(a: _Array, b: _Array) -> _Array:
    """Sum of the products of the entries of each row."""
    rows, d = a.shape
    few = rows * d <= _FEW
    if d < 256 and (d >= _GROUP or few):
        return _products(a, b)
    if d < _GROUP or few:
        return _row_sum(a * b)
    groups = d // 256
    rest = d - groups * 256
    total: _Array = np.add.reduce(_products(*(x[:, : d - rest].reshape(rows, groups, 256) for x in (a, b))), axis=1)
    return total if rest == 0 else total + _products(a[:, d - rest :], b[:, d - rest :])


def _products(a: _Array, b: _Array) -> _Array:
    """Sum of the products of the entries along the last axis."""
    total: _Array = np.vecdot(a, b)
    return total


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


def _add_to(partial_sums: list[Any], block_sum: Any, block: int, add: Any = np.add) -> None:
    """Append the sum over a block, after adding to it the partial sums over as many blocks: a tree of about log2(blocks) additions."""
    while block & 1:
        block_sum = add(partial_sums.pop(), block_sum)
        block >>= 1
    partial_sums.append(block_sum)


def _total(partial_sums: list[Any], zero: Any, add: Any = np.add) -> Any:
    """What the partial sums amount to; zero if there are none."""
    total: Any = partial_sums.pop() if partial_sums else zero
    while partial_sums:
        total = add(partial_sums.pop(), total)
    return total


def _all(mask: _Array) -> bool:
    """Whether the mask holds everywhere."""
    return bool(np.count_nonzero(mask) == mask.size)


# The safe tier. Ordinary rows are computed in blocks in the working format, float64 or float32; a test of two numbers of a row tells which
# rows are. The others are computed in float64 with powers of two taken out, so that nothing overflows and nothing is lost.

_WIDE, _NARROW = np.dtype(np.float64), np.dtype(np.float32)  # the formats of the arithmetic

# An ordinary row's variance lies between these, and so do the variances of what is multiplied with it.
_VARIANCES = {8: (2.0**-800, 2.0**1000), 4: (2.0**-80, 2.0**120)}


def _working_format(*arrays: _Array | None) -> Any:
    """The format of the arithmetic on ordinary rows: float64 if an array has it, else float32."""
    for array in arrays:
        if array is not None and array.dtype == _WIDE:
            return _WIDE
    return _NARROW


def _limits(working: Any, eps: float) -> tuple[float, float]:
    """Between which the variance of an ordinary row lies; no row is ordinary if eps is huge."""
    low, high = _VARIANCES[working.itemsize]
    return low, high if eps < high else 0.0


def _is_moderate(vector: _Array, high: float) -> bool:
    """Whether the products of the vector with the entries of a core are far from overflow."""
    return bool(vector.dot(vector) < high)


def _in_float64(array: _Array) -> _Array:
    """The array in float64."""
    return array.astype(np.float64, copy=False)


def _scratch(x: _Array, rows: int, working: Any) -> _Array:
    """Room for a block of rows."""
    return np.empty_like(x, shape=(rows, x.shape[1]), dtype=working)


def _place(out: _Array, start: int, stop: int, scratch: _Array) -> _Array:
    """Where a block is computed: its place in out, or scratch if out is narrower than the working format."""
    return out[start:stop] if out.dtype == scratch.dtype else scratch[: stop - start]


def _is_few(n: int, d: int) -> bool:
    """Size: whether the number of calls counts more than what they do."""
    return n <= 4 and n * d <= _FEW


# ---- ordinary rows


def _is_ordinary(mean: _Array, variance: _Array, low: float, high: float) -> _Array:
    """Which rows lose nothing: their mean is at most twice their spread, and their variance is in range; False for NaN."""
    ordinary: _Array = (mean * mean <= 4 * variance) & (variance > low) & (variance < high)
    return ordinary


def _centre(x: _Array, low: float, high: float, out: _Array) -> tuple[_Array, _Array, _Array]:
    """Write x - mean(x) to out, and return mean, variance, and which rows are ordinary."""
    d = x.shape[1]
    mean = _row_sum(x) / d
    np.subtract(x, mean[:, None], out=out)
    variance = _row_dot(out, out) / d
    ordinary = _is_ordinary(mean, variance, low, high)
    if not _all(ordinary):
        mean, variance, ordinary = _centre_again(out, mean, variance, low, high)
    return mean, variance, ordinary


def _centre_again(c: _Array, mean: _Array, variance: _Array, low: float, high: float) -> tuple[_Array, _Array, _Array]:
    """Take their mean away from the deviations c of rows whose first mean, large beside their spread, was not accurate enough.

    A row of zeros is ordinary too: nothing is lost in it.
    """
    d = c.shape[1]
    shift = np.where(mean * mean <= 4 * variance, 0, _row_sum(c) / d)
    c -= shift[:, None]
    variance = _row_dot(c, c) / d
    ordinary = _is_ordinary(shift, variance, low, high)
    still = np.nonzero(variance == 0)[0]
    ordinary[still] = _row_max(c[still]) == 0
    return mean + shift, variance, ordinary


def _normalize(x: _Array, eps: float, low: float, high: float, out: _Array) -> tuple[_Array, _Array, _Array]:
    """Write the core u to out, and return mean, 1/sqrt(variance + eps), and which rows are ordinary."""
    mean, variance, ordinary = _centre(x, low, high, out)
    if eps < low:
        ordinary &= variance > low
    rstd = 1 / np.sqrt(variance + eps)
    out *= rstd[:, None]
    return mean, rstd, ordinary


def _apply_jacobian(u: _Array, rstd: _Array, h: _Array, work: _Array) -> None:
    """Replace centred rows h by J h = rstd (h - u mean(h u))."""
    along = _row_dot(h, u) / h.shape[1]
    np.multiply(u, along[:, None], out=work)
    h -= work
    h *= rstd[:, None]


# ---- numbers with an exponent beside them: a pair (m, e) is the number m 2^e


_EXPONENT_OF_ZERO = -5000  # below every other, so that a zero does not decide to which power of two others are scaled


def _exponent(x: Any) -> _Array:
    """Integers e with |x| < 2^e, as small as possible where x is finite."""
    return np.where(np.isfinite(x) & (x != 0), np.frexp(x)[1], _EXPONENT_OF_ZERO)


def _scaled(m: _Array, e: Any = 0) -> tuple[_Array, _Array]:
    """Pair: m 2^e, with 1/2 <= |m| < 1."""
    own = _exponent(m)
    return np.ldexp(m, -own), own + e


def _scaled_product(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """Pair: a b."""
    a, i = _scaled(a)
    b, j = _scaled(b)
    return a * b, i + j


def _scaled_sum(a: _Array, i: Any, b: _Array, j: Any) -> tuple[_Array, _Array]:
    """Pair: a 2^i + b 2^j."""
    a, i = _scaled(a, i)
    b, j = _scaled(b, j)
    top = np.maximum(i, j)
    return np.ldexp(a, i - top) + np.ldexp(b, j - top), top


def _scaled_rows(m: _Array, e: _Array) -> tuple[_Array, _Array]:
    """Pair: m 2^e, with one exponent for each row."""
    m, e = _scaled(m, e)
    top = np.maximum.reduce(e, axis=1)
    return np.ldexp(m, e - top[:, None]), top


def _scaled_column_sum(m: _Array, e: _Array) -> tuple[_Array, _Array]:
    """Pair: the sum of m 2^e over the rows of a block."""
    m, e = _scaled(m, e)
    top = np.maximum.reduce(e, axis=0)
    return _column_sum(np.ldexp(m, e - top)), top


def _add_pairs(first: tuple[_Array, _Array], second: tuple[_Array, _Array]) -> tuple[_Array, _Array]:
    """Pair: the sum of two pairs."""
    return _scaled_sum(*first, *second)


# ---- any rows, in float64


def _centre_scaled(x: _Array) -> tuple[_Array, _Array, _Array]:
    """Deviations c and exponents e, x - mean(x) = c 2^e, and the mean."""
    d = x.shape[1]
    top = _exponent(_row_max(x))
    c = np.ldexp(x, -top[:, None])
    mean = _row_sum(c) / d
    c -= mean[:, None]
    for _ in range(2):  # what the first mean missed; the second time counts in rows that are constant but for one last place
        shift = _row_sum(c) / d
        c -= shift[:, None]
        mean += shift
    own = _exponent(_row_max(c))
    return np.ldexp(c, -own[:, None]), own + top, np.ldexp(mean, top)


def _centre_product_scaled(a: _Array, b: _Array | None) -> tuple[_Array, _Array]:
    """Deviations c and exponents e, a b - mean(a b) = c 2^e; a alone if b is None."""
    if b is None:
        c, e, _ = _centre_scaled(a)
        return c, e
    rows, top = _scaled_rows(*_scaled_product(a, b))
    c, e, _ = _centre_scaled(rows)
    return c, e + top


def _normalize_scaled(x: _Array, eps: float) -> tuple[_Array, _Array, _Array, _Array, _Array]:
    """The core u 2^a with a <= 0, sqrt(variance + eps) = s 2^f, and the mean: (u, a, s, f, mean)."""
    c, e, mean = _centre_scaled(x)
    f = np.maximum(e, (_exponent(eps) + 1) // 2)
    s = np.sqrt(np.ldexp(_row_dot(c, c) / x.shape[1], 2 * (e - f)) + np.ldexp(eps, -2 * f))
    return c / s[:, None], e - f, s, f, mean


def _apply_jacobian_scaled(u: _Array, a: _Array, s: _Array, h: _Array) -> _Array:
    """(h - u mean(h u)) / s for centred rows h and the core u 2^a."""
    along = _row_dot(h, u) / h.shape[1]
    product: _Array = (h - np.ldexp(u * along[:, None], 2 * a[:, None])) / s[:, None]
    return product


def _weighted(weight: _Array | None, m: _Array, e: _Array) -> tuple[_Array, _Array]:
    """Pair: weight m 2^e, with an exponent e for each row."""
    if weight is None:
        return m, e[:, None]
    m, k = _scaled_product(m, _in_float64(weight))
    return m, k + e[:, None]


# ---- layer normalization


def _layer_norm_scaled(x: _Array, weight: _Array | None, bias: _Array | None, eps: float) -> tuple[_Array, _Array, _Array]:
    """Output, mean and 1/sqrt(variance + eps) of any rows, in float64."""
    u, a, s, f, mean = _normalize_scaled(_in_float64(x), eps)
    y, e = _weighted(weight, u, a)
    if bias is not None:
        y, e = _scaled_sum(y, e, _in_float64(bias), 0)
    return np.ldexp(y, e), mean, np.ldexp(1 / s, -f)


def _none_is_special(mean: _Array, variance: _Array, low: float, high: float) -> bool:
    """Whether all rows are ordinary, of so few that Python is faster than NumPy."""
    return all(low < v < high and m * m <= 4 * v for m, v in zip(mean.tolist(), variance.tolist(), strict=True))


def _layer_norm_few(
    x: _Array, weight: _Array | None, bias: _Array | None, eps: float, low: float, high: float, out: _Array
) -> tuple[_Array, _Array] | None:
    """Write weight * u + bias to out and return mean and 1/sqrt(variance + eps), with few calls; None if a row is not ordinary."""
    d = x.shape[1]
    mean = _row_sum(x) / d
    np.subtract(x, mean[:, None], out=out)
    variance = _row_dot(out, out) / d
    if not _none_is_special(mean, variance, low, high):
        return None
    rstd = 1 / np.sqrt(variance + eps)
    out *= rstd[:, None]
    if weight is not None:
        out *= weight
    if bias is not None:
        out += bias
    return mean, rstd


def _layer_norm_blocks(
    x: _Array, weight: _Array | None, bias: _Array | None, eps: float, low: float, high: float, out: _Array, working: Any
) -> tuple[_Array, _Array, _Array]:
    """Write weight * u + bias to out block by block, and return mean, 1/sqrt(variance + eps), and which rows are ordinary."""
    n, d = x.shape
    rows = min(n, _block_rows(d, working.itemsize))
    mean = np.empty_like(x, shape=(n,), dtype=working)
    rstd, ordinary = np.empty_like(mean), np.empty_like(mean, dtype=np.bool_)
    scratch = _scratch(x, rows, working)
    weight = None if weight is None else _repeated(weight, rows, d)
    bias = None if bias is None else _repeated(bias, rows, d)
    buffer = _use_small_buffers(d)
    try:
        for start, stop in _blocks(n, rows):
            y = _place(out, start, stop, scratch)
            block = x[start:stop].astype(working, copy=False)
            mean[start:stop], rstd[start:stop], ordinary[start:stop] = _normalize(block, eps, low, high, y)
            if weight is not None:
                y *= _first_rows(weight, stop - start)
            if bias is not None:
                y += _first_rows(bias, stop - start)
            if y.dtype != out.dtype:
                np.copyto(out[start:stop], y, casting="unsafe")
    finally:
        np.setbufsize(buffer)
    return mean, rstd, ordinary


def _layer_norm_rows(x: _Array, weight: _Array | None, bias: _Array | None, eps: float, out: _Array) -> tuple[_Array, _Array]:
    """Write weight * u + bias to out, and return mean and 1/sqrt(variance + eps)."""
    n, d = x.shape
    working = _working_format(out)
    low, high = _limits(working, eps)
    w = None if weight is None else weight.astype(working, copy=False)
    b = None if bias is None else bias.astype(working, copy=False)
    if w is not None and b is not None and not _is_moderate(w, high):
        high = 0.0  # weight * u may overflow where weight * u + bias does not
    if _is_few(n, d) and x.dtype == working and out.dtype == working:
        statistics = _layer_norm_few(x, w, b, eps, low, high, out)
        if statistics is not None:
            return statistics
    mean, rstd, ordinary = _layer_norm_blocks(x, w, b, eps, low, high, out, working)
    if not _all(ordinary):
        rest = np.nonzero(~ordinary)[0]
        for start, stop in _blocks(len(rest), _block_rows(d, 8)):
            some = rest[start:stop]
            out[some], mean[some], rstd[some] = _layer_norm_scaled(x[some], weight, bias, eps)
    return mean, rstd


# ---- its derivative


def _jvp_scaled(x: _Array, h: _Array, weight: _Array | None, eps: float) -> _Array:
    """The derivative of the output of any rows x along h, in float64."""
    u, a, s, f, _ = _normalize_scaled(_in_float64(x), eps)
    c, e, _ = _centre_scaled(_in_float64(h))
    return np.ldexp(*_weighted(weight, _apply_jacobian_scaled(u, a, s, c), e - f))


def _jvp_block(
    x: _Array, h: _Array, weight: _Array | None, eps: float, low: float, high: float, u: _Array, work: _Array, out: _Array
) -> _Array:
    """Write weight * J h to out, and return which rows are ordinary; u and work are scratch."""
    _, rstd, ordinary = _normalize(x, eps, low, high, u)
    ordinary &= _centre(h, low, high, out)[2]
    _apply_jacobian(u, rstd, out, work)
    if weight is not None:
        out *= weight
    return ordinary


def _jvp_rows(x: _Array, h: _Array, weight: _Array | None, eps: float, out: _Array) -> None:
    """Write weight * J h to out: the derivative of the output along h."""
    n, d = x.shape
    working = _working_format(out)
    low, high = _limits(working, eps)
    rows = min(n, _block_rows(d, working.itemsize))
    u, work, scratch = _scratch(x, rows, working), _scratch(x, rows, working), _scratch(x, rows, working)
    repeated = None if weight is None else _repeated(weight.astype(working, copy=False), rows, d)
    buffer = _use_small_buffers(d)
    try:
        for start, stop in _blocks(n, rows):
            size = stop - start
            w = None if repeated is None else _first_rows(repeated, size)
            y = _place(out, start, stop, scratch)
            x_block, h_block = x[start:stop].astype(working, copy=False), h[start:stop].astype(working, copy=False)
            ordinary = _jvp_block(x_block, h_block, w, eps, low, high, u[:size], work[:size], y)
            if y.dtype != out.dtype:
                np.copyto(out[start:stop], y, casting="unsafe")
            if not _all(ordinary):
                rest = start + np.nonzero(~ordinary)[0]
                out[rest] = _jvp_scaled(x[rest], h[rest], weight, eps)
    finally:
        np.setbufsize(buffer)


# ---- its transpose


def _vjp_scaled(dy: _Array, x: _Array, weight: _Array | None, eps: float) -> tuple[_Array, _Array, _Array]:
    """The gradient of any rows x in float64, and dy u = m 2^e."""
    dy = _in_float64(dy)
    u, a, s, f, _ = _normalize_scaled(_in_float64(x), eps)
    c, e = _centre_product_scaled(dy, None if weight is None else _in_float64(weight))
    dx = np.ldexp(_apply_jacobian_scaled(u, a, s, c), (e - f)[:, None])
    return dx, *_weighted(dy, u, a)


def _vjp_block(dy: _Array, weight: _Array | None, u: _Array, rstd: _Array, low: float, high: float, work: _Array, dx: _Array) -> _Array:
    """Write J (weight * dy) to dx, and return for which rows dy is ordinary; work is scratch."""
    product = dy if weight is None else np.multiply(dy, weight, out=dx)
    _, variance, ordinary = _centre(product, low, high, dx)
    if weight is not None and not _all(variance > 0):
        ordinary &= ~_has_vanished(dy, weight, variance)
    _apply_jacobian(u, rstd, dx, work)
    return ordinary


def _has_vanished(dy: _Array, weight: _Array, variance: _Array) -> _Array:
    """In which rows products of numbers that are not 0 have become 0, and nothing else is left."""
    vanished: _Array = variance == 0
    rows = np.nonzero(vanished)[0]
    vanished[rows] = ((dy[rows] != 0) & (_first_rows(weight, len(rows)) != 0)).any(axis=1)
    return vanished


def _vjp_few(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, low: float, high: float, dx: _Array, dweight: _Array, dbias: _Array
) -> bool:
    """Write the gradients with few calls, and return whether they are good: whether all rows are ordinary."""
    d = x.shape[1]
    mean = _row_sum(x) / d
    u = x - mean[:, None]
    variance = _row_dot(u, u) / d
    if not _none_is_special(mean, variance, low, high):
        return False
    rstd = (1 / np.sqrt(variance + eps))[:, None]
    u *= rstd
    g = dy if weight is None else np.multiply(dy, weight, out=dx)
    mean = _row_sum(g) / d
    np.subtract(g, mean[:, None], out=dx)
    if not _none_is_special(mean, _row_dot(dx, dx) / d, low, high):
        return False
    dx -= u * (_row_dot(dx, u) / d)[:, None]
    dx *= rstd
    u *= dy
    dweight[...] = _column_sum(u)
    dbias[...] = _column_sum(dy)
    return _is_moderate(dweight, high) and _is_moderate(dbias, high)


def _vjp_rows(
    dy: _Array, x: _Array, weight: _Array | None, eps: float, dx: _Array | None, dweight: _Array | None, dbias: _Array | None
) -> None:
    """Write the gradients of x, weight and bias to those of dx, dweight and dbias that are not None."""
    n, d = x.shape
    working = _working_format(dy, x, weight)
    low, high = _limits(working, eps)
    few = _is_few(n, d) and x.dtype == dy.dtype == working
    if few and dx is not None and dweight is not None and dbias is not None and _vjp_few(dy, x, weight, eps, low, high, dx, dweight, dbias):
        return
    rows = min(n, _block_rows(d, working.itemsize))
    u, work, scratch = _scratch(x, rows, working), _scratch(x, rows, working), _scratch(x, rows, working)
    repeated = None if weight is None else _repeated(weight.astype(working, copy=False), rows, d)
    weight_sums: list[_Array] = []
    bias_sums: list[_Array] = []
    buffer = _use_small_buffers(d)
    try:
        for block, (start, stop) in enumerate(_blocks(n, rows)):
            size = stop - start
            g = dy[start:stop].astype(working, copy=False)
            if dbias is not None:
                _add_to(bias_sums, _column_sum(g), block)
            if dx is None and dweight is None:
                continue
            _, rstd, ordinary = _normalize(x[start:stop].astype(working, copy=False), eps, low, high, u[:size])
            if dx is not None:
                h = _place(dx, start, stop, scratch)
                w = None if repeated is None else _first_rows(repeated, size)
                ordinary &= _vjp_block(g, w, u[:size], rstd, low, high, work[:size], h)
                if h.dtype != dx.dtype:
                    np.copyto(dx[start:stop], h, casting="unsafe")
            if dweight is not None:
                np.multiply(g, u[:size], out=work[:size])
            if not _all(ordinary):
                rest = np.nonzero(~ordinary)[0]
                gradient, product, e = _vjp_scaled(g[rest], x[start + rest], weight, eps)
                if dx is not None:
                    dx[start + rest] = gradient
                work[rest] = np.ldexp(product, e)
            if dweight is not None:
                _add_to(weight_sums, _column_sum(work[:size]), block)
        for sums, out in ((weight_sums, dweight), (bias_sums, dbias)):
            if out is not None:
                np.copyto(out, _total(sums, 0), casting="unsafe")
        _repair_sums(dy, x, eps, dweight, dbias)
    finally:
        np.setbufsize(buffer)


def _repair_sums(dy: _Array, x: _Array, eps: float, dweight: _Array | None, dbias: _Array | None) -> None:
    """Compute the entries of dweight and dbias that are not finite anew if all inputs are: a partial sum may have overflowed."""
    n, d = x.shape
    for out in (dweight, dbias):
        if out is None or _all(np.isfinite(out)) or not (_all(np.isfinite(dy)) and _all(np.isfinite(x))):
            continue
        sums: list[tuple[_Array, _Array]] = []
        for block, (start, stop) in enumerate(_blocks(n, _block_rows(d, 8))):
            terms = _scaled(_in_float64(dy[start:stop]))
            if out is dweight:
                u, a, _, _, _ = _normalize_scaled(_in_float64(x[start:stop]), eps)
                terms = _weighted(_in_float64(dy[start:stop]), u, a)
            _add_to(sums, _scaled_column_sum(*terms), block, _add_pairs)
        total = np.ldexp(*_total(sums, (0.0, 0), _add_pairs))
        np.copyto(out, total, where=~np.isfinite(out), casting="unsafe")


# ---- the transpose's derivative


def _second_derivative_scaled(u: _Array, a: _Array, s: _Array, h: _Array, k: _Array) -> _Array:
    """-(mean(u k) h + mean(u h) k + (mean(h k) - 3 mean(u h) mean(u k) 2^2a) u) / s^2 for centred rows h, k and the core u 2^a."""
    d = u.shape[1]
    uh, uk, hk = _row_dot(u, h) / d, _row_dot(u, k) / d, _row_dot(h, k) / d
    along = hk - np.ldexp(3 * uh * uk, 2 * a)
    second: _Array = -(uk[:, None] * h + uh[:, None] * k + along[:, None] * u) / (s * s)[:, None]
    return second


def _vjp_vjp_scaled(
    ddx: _Array | None, ddweight: _Array | None, ddbias: _Array | None, dy: _Array, x: _Array, weight: _Array | None, eps: float
) -> tuple[tuple[_Array, _Array], tuple[_Array, _Array], tuple[_Array, _Array]]:
    """The rows of ddy and dx, and the terms of dweight, as pairs, of any rows."""
    ddx, ddweight, ddbias, weight = (None if one is None else _in_float64(one) for one in (ddx, ddweight, ddbias, weight))
    dy = _in_float64(dy)
    u, a, s, f, _ = _normalize_scaled(_in_float64(x), eps)
    nothing = np.zeros_like(u), np.zeros_like(a)[:, None]
    ddy, dx, dweight = nothing, nothing, nothing
    if ddx is not None:
        h, e = _centre_product_scaled(ddx, None)
        k, j = _centre_product_scaled(dy, weight)
        along = _apply_jacobian_scaled(u, a, s, h)
        ddy = _weighted(weight, along, e - f)
        dx = _second_derivative_scaled(u, a, s, h, k), (a + e + j - 2 * f)[:, None]
        dweight = _weighted(dy, along, e - f)
    if ddweight is not None:
        k, j = _centre_product_scaled(dy, ddweight)
        ddy = _scaled_sum(*ddy, *_weighted(ddweight, u, a))
        dx = _scaled_sum(*dx, _apply_jacobian_scaled(u, a, s, k), (j - f)[:, None])
    if ddbias is not None:
        ddy = _scaled_sum(*ddy, ddbias, 0)
    return ddy, dx, dweight


def _centre_twice(x: _Array, low: float, high: float, out: _Array) -> tuple[_Array, _Array]:
    """Write x - mean(x) to out, and return the variance and which rows are ordinary after what the first mean missed was taken away."""
    d = x.shape[1]
    np.subtract(x, (_row_sum(x) / d)[:, None], out=out)
    shift = _row_sum(out) / d
    out -= shift[:, None]
    variance = _row_dot(out, out) / d
    return variance, _is_ordinary(shift, variance, low, high)


def _second_derivative(u: _Array, rstd: _Array, h: _Array, k: _Array, out: _Array) -> None:
    """Write -rstd^2 (mean(u k) h + mean(u h) k + (mean(h k) - 3 mean(u h) mean(u k)) u) to out for centred rows h and k; k is lost."""
    d = u.shape[1]
    uh, uk, hk = _row_dot(u, h) / d, _row_dot(u, k) / d, _row_dot(h, k) / d
    k *= uh[:, None]
    np.multiply(h, uk[:, None], out=out)
    out += k
    np.multiply(u, (hk - 3 * uh * uk)[:, None], out=k)
    out += k
    out *= -(rstd * rstd)[:, None]


def _vjp_vjp_block(
    ddx: _Array | None,
    ddweight: _Array | None,
    ddbias: _Array | None,
    dy: _Array,
    x: _Array,
    weight: _Array | None,
    eps: float,
    low: float,
    high: float,
    u: _Array,
    k: _Array,
    work: _Array,
    ddy: _Array,
    dx: _Array,
    dweight: _Array,
) -> _Array:
    """Write the rows of ddy and dx and the terms of dweight, and return which rows are ordinary; u, k and work are scratch."""
    variance, ordinary = _centre_twice(x, low, high, u)
    rstd = 1 / np.sqrt(variance + eps)
    u *= rstd[:, None]
    of_h = of_g = np.ones_like(ordinary)
    if ddx is None:
        for nothing in (ddy, dx, dweight):
            nothing[...] = 0
    else:
        of_h = _centre_twice(ddx, low, high, dweight)[1]
        of_g = _centre_twice(dy if weight is None else np.multiply(dy, weight, out=k), low, high, k)[1]
        _second_derivative(u, rstd, dweight, k, dx)
        _apply_jacobian(u, rstd, dweight, work)
        np.multiply(dweight, 1 if weight is None else weight, out=ddy)
        dweight *= dy
    if ddweight is not None:
        np.multiply(dy, ddweight, out=k)
        of_g = of_g & _centre_twice(k, low, high, k)[1]
        _apply_jacobian(u, rstd, k, work)
        dx += k
        u *= ddweight
        ddy += u
    if ddbias is not None:
        ddy += ddbias
    finite = np.isfinite(_row_sum(ddy)) & np.isfinite(_row_sum(dx))  # else products overflowed that other terms may bring back
    if not _all(ordinary & of_h & of_g):  # nothing is lost in rows of zeros either
        ordinary |= (_row_max(x) == 0) & (eps > low)
        of_g |= _row_max(dy) == 0
        if ddx is not None:
            of_h |= _row_max(ddx) == 0
    result: _Array = ordinary & of_h & of_g & finite
    return result


def _vjp_vjp_rows(
    ddx: _Array | None,
    ddweight: _Array | None,
    ddbias: _Array | None,
    dy: _Array,
    x: _Array,
    weight: _Array | None,
    eps: float,
    ddy: _Array,
    dx: _Array,
    dweight: _Array,
) -> None:
    """Write the cotangents of dy, x and weight, for those of the results of _vjp_rows, to ddy, dx and dweight."""
    n, d = x.shape
    working = _working_format(ddx, ddweight, ddbias, dy, x, weight)
    low, high = _limits(working, eps)
    rows = min(n, _block_rows(d, working.itemsize))
    u, k, work, terms, scratch_ddy, scratch_dx = (_scratch(x, rows, working) for _ in range(6))
    vectors = [None if v is None else _repeated(v.astype(working, copy=False), rows, d) for v in (ddweight, ddbias, weight)]
    sums: list[_Array] = []
    buffer = _use_small_buffers(d)
    try:
        for block, (start, stop) in enumerate(_blocks(n, rows)):
            size = stop - start
            a = None if ddx is None else ddx[start:stop].astype(working, copy=False)
            b, c, w = (None if v is None else _first_rows(v, size) for v in vectors)
            g, z = dy[start:stop].astype(working, copy=False), x[start:stop].astype(working, copy=False)
            y, h = _place(ddy, start, stop, scratch_ddy), _place(dx, start, stop, scratch_dx)
            ordinary = _vjp_vjp_block(a, b, c, g, z, w, eps, low, high, u[:size], k[:size], work[:size], y, h, terms[:size])
            if y.dtype != ddy.dtype:
                np.copyto(ddy[start:stop], y, casting="unsafe")
                np.copyto(dx[start:stop], h, casting="unsafe")
            if not _all(ordinary):
                rest = np.nonzero(~ordinary)[0]
                some = None if ddx is None else ddx[start + rest]
                pairs = _vjp_vjp_scaled(some, ddweight, ddbias, dy[start + rest], x[start + rest], weight, eps)
                ddy[start + rest], dx[start + rest], terms[rest] = (np.ldexp(*pair) for pair in pairs)
            _add_to(sums, _column_sum(terms[:size]), block)
        np.copyto(dweight, _total(sums, 0), casting="unsafe")
        if ddx is not None and not _all(np.isfinite(dweight)):  # a partial sum may have overflowed
            dweight[...] = _dweight_scaled(ddx, dy, x, weight, eps)
    finally:
        np.setbufsize(buffer)


def _dweight_scaled(ddx: _Array, dy: _Array, x: _Array, weight: _Array | None, eps: float) -> _Array:
    """The cotangent of weight for any rows, in float64."""
    n, d = x.shape
    sums: list[tuple[_Array, _Array]] = []
    for block, (start, stop) in enumerate(_blocks(n, _block_rows(d, 8))):
        _, _, terms = _vjp_vjp_scaled(ddx[start:stop], None, None, dy[start:stop], x[start:stop], weight, eps)
        _add_to(sums, _scaled_column_sum(*terms), block, _add_pairs)
    total: _Array = np.ldexp(*_total(sums, None, _add_pairs))
    return total


# ---- the Jacobian matrix


def _add_to_diagonal(matrix: _Array, value: float) -> None:
    """Add the value to each entry of the diagonal."""
    matrix.reshape(-1)[:: matrix.shape[0] + 1] += value


def _jacobian_rows(x: _Array, eps: float, out: _Array) -> None:
    """Write the matrix J of one row x to out: rstd (1 - (1 + u_i u_j)/d) on the diagonal, -rstd (1 + u_i u_j)/d beside it."""
    d = x.shape[1]
    u, a, s, f, _ = _normalize_scaled(_in_float64(x), eps)
    core, rstd = np.ldexp(u[0], a[0]), 1 / s[0]
    matrix = core[:, None] * core[None, :]
    matrix += 1
    matrix *= -rstd / d
    _add_to_diagonal(matrix, rstd)
    out[...] = np.ldexp(matrix, -f[0])


# ---- statistics of two sets of numbers together


def _merge_stats(first: tuple[_Array, _Array, _Array], second: tuple[_Array, _Array, _Array]) -> tuple[_Array, _Array, _Array]:
    """Count, mean and sum of squared deviations of the union of two sets, not both empty, from those of each."""
    (n1, mean1, m1), (n2, mean2, m2) = first, second
    n = n1 + n2
    share1, share2 = n1 / n, n2 / n
    top = np.maximum(_exponent(mean1), _exponent(mean2))
    a, b = np.ldexp(mean1, -top), np.ldexp(mean2, -top)
    gap = b - a
    # from the mean of the larger set, so that nothing cancels, and equal means stay as they are
    mean = np.where(share1 < share2, b - share1 * gap, a + share2 * gap)
    within = _scaled_sum(m1, 0, m2, 0)
    return n, np.ldexp(mean, top), np.ldexp(*_scaled_sum(*within, n1 * share2 * gap * gap, 2 * top))


# Test vectors: a function, the format of its arrays, its arguments, and each answer, correctly rounded, with the error allowed.

_VECTORS: tuple[tuple[Any, str, dict[str, Any], tuple[tuple[Any, float], ...]], ...] = (
    (
        normalize, "float64", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.2222222222222223, -1.2222222222222223),), 4.1e-15),),
    ),
    (
        normalize, "float64", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3333333333333333, -0.6666666666666666, 0.0, 0.6666666666666666, 1.3333333333333333),), 4.2e-15),),
    ),
    (
        normalize, "float64", {"x": ((1.0, 1.0, -1.0, -1.0),), "eps": 1.25},
        ((((0.6666666666666666, 0.6666666666666666, -0.6666666666666666, -0.6666666666666666),), 2.5e-15),),
    ),
    (normalize, "float64", {"x": ((1.0, 2.0, 3.0),), "eps": 0.3333333333333333}, ((((-1.0, 0.0, 1.0),), 3.4e-15),)),
    (
        normalize, "float64", {"x": ((1.0, 2.0, 4.0),), "eps": 1.2222222222222223},
        ((((-0.7999999999999999, -0.19999999999999998, 1.0),), 3.3e-15),),
    ),
    (normalize, "float64", {"x": ((1.0, 3.0),), "eps": 3.0}, ((((-0.5, 0.5),), 1.9e-15),)),
    (
        normalize, "float64", {"x": ((134217728.0, 134217729.0),), "eps": 1e-05},
        ((((-0.99998000059998, 0.99998000059998),), 3.7e-15),),
    ),
    (
        normalize, "float64", {"x": ((100000000.0, 100000000.0, 100000000.00000001),), "eps": 1e-12},
        ((((-0.004966931190541518, -0.004966931190541518, 0.009933862381083037),), 3.2e-17),),
    ),
    (
        normalize, "float64", {"x": ((1e+154, -3e+154, 2e+154),), "eps": 1e-05},
        ((((0.46291004988627577, -1.3887301496588271, 0.9258200997725514),), 4.5e-15),),
    ),
    (
        normalize, "float64", {"x": ((1.7e+308, -1.7e+308, 1.7e+308, 1e+300),), "eps": 1e-300},
        ((((0.9045340324434028, -1.5075567254685944, 0.9045340324434028, -0.3015113394182112),), 4.7e-15),),
    ),
    (
        normalize, "float64", {"x": ((5e-324, 0.0, 1.5e-323),), "eps": 5e-324},
        ((((-7.409195831616925e-163, -2.96367833264677e-162, 3.7045979158084626e-162),), 1.2e-176),),
    ),
    (
        normalize, "float64", {"x": ((1e-300, 1.0, 1e+300),), "eps": 1e-05},
        ((((-0.7071067811865476, -0.7071067811865476, 1.4142135623730951),), 4.5e-15),),
    ),
    (normalize, "float64", {"x": ((0.1, 0.1, 0.1),), "eps": 5e-324}, ((((0.0, 0.0, 0.0),), 8.4e-323),)),
    (normalize, "float64", {"x": ((7.0,),), "eps": 1e-05}, ((((0.0,),), 8.4e-323),)),
    (
        normalize, "float32", {"x": ((0.0, 11.0, -11.0),), "eps": 0.3333333333333333},
        ((((0.0, 1.2222222089767456, -1.2222222089767456),), 2.2e-06),),
    ),
    (
        normalize, "float32", {"x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "eps": 0.25},
        ((((-1.3333333730697632, -0.6666666865348816, 0.0, 0.6666666865348816, 1.3333333730697632),), 2.3e-06),),
    ),
    (
        normalize, "float32", {"x": ((1.0, 1.0, -1.0, -1.0),), "eps": 1.25},
        ((((0.6666666865348816, 0.6666666865348816, -0.6666666865348816, -0.6666666865348816),), 1.3e-06),),
    ),
    (
        normalize, "float32", {"x": ((1999.5, 2000.25, 2000.75, 2001.5),), "eps": 1e-05},
        ((((-1.3719757795333862, -0.34299394488334656, 0.34299394488334656, 1.3719757795333862),), 2.4e-06),),
    ),
    (
        normalize, "float32", {"x": ((16777216.0, 16777218.0, 16777216.0),), "eps": 1e-12},
        ((((-0.7071067690849304, 1.4142135381698608, -0.7071067690849304),), 2.4e-06),),
    ),
    (
        normalize, "float32",
        {"x": ((3.0000000054977558e+38, -3.0000000054977558e+38, 3.0000000054977558e+38),), "eps": 1e-300},
        ((((0.7071067690849304, -1.4142135381698608, 0.7071067690849304),), 2.4e-06),),
    ),
    (
        normalize, "float32", {"x": ((1.401298464324817e-45, 0.0, 2.802596928649634e-45),), "eps": 1e-300},
        ((((0.0, -1.2247449159622192, 1.2247449159622192),), 2.2e-06),),
    ),
    (
        normalize, "float32",
        {"x": ((37.137001037597656, 37.137001037597656, 37.137001037597656, 37.137001037597656),), "eps": 1e-05},
        ((((0.0, 0.0, 0.0, 0.0),), 2.4e-44),),
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
        normalize, "float16", {"x": ((60000.0, 60000.0, 60000.0, 60000.0),), "eps": 1e-12},
        ((((0.0, 0.0, 0.0, 0.0),), 6.3e-08),),
    ),
    (
        normalize, "float16", {"x": ((65504.0, -65504.0, 1.0),), "eps": 1e-05},
        ((((1.224609375, -1.224609375, 1.245737075805664e-05),), 0.0011),),
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
        normalize, "bfloat16", {"x": ((3.00405527047391e+38, -3.00405527047391e+38, 1.0),), "eps": 1e-05},
        ((((1.2265625, -1.2265625, 2.7550648847397363e-39),), 0.0091),),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        (
            (((0.25, 1.4444444444444444, 4.222222222222222),), 1.4e-14), ((0.0,), 2.1e-14), ((0.1111111111111111,), 2.1e-16),
        ),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0), "bias": (0.25, -1.0, 3.0, 0.25, -1.0),
            "return_stats": True, "eps": 0.25,
        },
        (
            (((-0.4166666666666667, -2.3333333333333335, 3.0, 0.5833333333333334, 1.6666666666666667),), 1.4e-14),
            ((2.0,), 7.5e-15), ((0.6666666666666666,), 1.2e-15),
        ),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((134217728.0, 134217729.0),), "weight": (0.5, 2.0), "bias": (0.25, -1.0), "return_stats": True,
            "eps": 1e-05,
        },
        ((((-0.24999000029999, 0.99996000119996),), 1.3e-14), ((134217728.5,), 2.5e-07), ((1.99996000119996,), 3.7e-15)),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((100000000.0, 100000000.0, 100000000.00000001),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0),
            "return_stats": True, "eps": 1e-12,
        },
        (
            (((0.24751653440472923, -1.009933862381083, 2.990066137618917),), 5.7e-15), ((100000000.0,), 1.9e-07),
            ((999975.3292902265,), 1.9e-09),
        ),
    ),
    (
        layer_norm, "float64",
        {
            "x": ((1e+154, -3e+154, 2e+154),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 1e-05,
        },
        (
            (((0.48145502494313785, -3.7774602993176543, 2.0741799002274486),), 1.5e-14),
            ((-4.961885691191343e+137,), 5.6e+139), ((4.629100498862757e-155,), 8.6e-170),
        ),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        (
            (((0.25, 1.4444444179534912, 4.222222328186035),), 7.5e-06), ((0.0,), 1.1e-05), ((0.1111111119389534,), 1.1e-07),
        ),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((1999.5, 2000.25, 2000.75, 2001.5),), "weight": (0.5, 2.0, -1.0, 0.5), "bias": (0.25, -1.0, 3.0, 0.25),
            "return_stats": True, "eps": 1e-05,
        },
        (
            (((-0.4359878897666931, -1.6859878301620483, 2.657006025314331, 0.9359878897666931),), 7.8e-06),
            ((2000.5,), 0.002), ((1.3719757795333862,), 1.4e-06),
        ),
    ),
    (
        layer_norm, "float32",
        {
            "x": ((16777216.0, 16777218.0, 16777216.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0),
            "return_stats": True, "eps": 1e-12,
        },
        (
            (((-0.1035533919930458, 1.8284270763397217, 3.707106828689575),), 7.8e-06), ((16777216.0,), 17.0),
            ((1.0606601238250732,), 1.1e-06),
        ),
    ),
    (
        layer_norm, "float16",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4443359375, 4.22265625),), 0.0038), ((0.0,), 1.1e-05), ((0.1111111119389534,), 1.1e-07)),
    ),
    (
        layer_norm, "float16",
        {
            "x": ((60000.0, 60000.0, 60000.0, 60000.0),), "weight": (0.5, 2.0, -1.0, 0.5), "bias": (0.25, -1.0, 3.0, 0.25),
            "return_stats": True, "eps": 1e-12,
        },
        ((((0.25, -1.0, 3.0, 0.25),), 0.0015), ((60000.0,), 0.06), ((1000000.0,), 1.0)),
    ),
    (
        layer_norm, "bfloat16",
        {
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0), "return_stats": True,
            "eps": 0.3333333333333333,
        },
        ((((0.25, 1.4453125, 4.21875),), 0.031), ((0.0,), 1.1e-05), ((0.1111111119389534,), 1.1e-07)),
    ),
    (
        layer_norm, "bfloat16",
        {
            "x": ((3.00405527047391e+38, -3.00405527047391e+38, 1.0),), "weight": (0.5, 2.0, -1.0), "bias": (0.25, -1.0, 3.0),
            "return_stats": True, "eps": 1e-05,
        },
        ((((0.86328125, -3.453125, 3.0),), 0.031), ((0.3333333432674408,), 3e+32), ((4.0769713832697666e-39,), 2.8e-44)),
    ),
    (
        layer_norm_jvp, "float64",
        {"x": ((0.0, 11.0, -11.0),), "dx": ((3.0, 1.0, -1.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        ((((0.1111111111111111, -0.22130772748056698, 0.11156835848193873),), 3e-15),),
    ),
    (
        layer_norm_jvp, "float64",
        {
            "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "dx": ((3.0, 1.0, -1.0, 3.0, 1.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0),
            "eps": 0.25,
        },
        ((((0.4148148148148148, -0.7703703703703704, 1.6, 0.5925925925925926, -0.05925925925925926),), 1.8e-14),),
    ),
    (
        layer_norm_jvp, "float64",
        {"x": ((134217728.0, 134217729.0),), "dx": ((3.0, 1.0),), "weight": (0.5, 2.0), "eps": 1e-05},
        ((((3.9997600119994405e-05, -0.00015999040047997762),), 3e-14),),
    ),
    (
        layer_norm_jvp, "float64",
        {
            "x": ((100000000.0, 100000000.0, 100000000.00000001),), "dx": ((3.0, 1.0, -1.0),), "weight": (0.5, 2.0, -1.0),
            "eps": 1e-12,
        },
        ((((999950.6594934113, -98.67918726064516, 1999851.9793931923),), 1.4e-08),),
    ),
    (
        layer_norm_jvp, "float32",
        {"x": ((0.0, 11.0, -11.0),), "dx": ((3.0, 1.0, -1.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        ((((0.1111111119389534, -0.22130772471427917, 0.11156836152076721),), 1.6e-06),),
    ),
    (
        layer_norm_jvp, "float32",
        {
            "x": ((1999.5, 2000.25, 2000.75, 2001.5),), "dx": ((3.0, 1.0, -1.0, 3.0),), "weight": (0.5, 2.0, -1.0, 0.5),
            "eps": 1e-05,
        },
        ((((0.8675759434700012, -1.533381700515747, 3.349236488342285, 1.1903877258300781),), 2.2e-05),),
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
            (((0.2037037037037037, -0.10265203475080019, -0.10105166895290352),), 1.8e-15),
            ((0.0, -2.4444444444444446, -0.6111111111111112), 1.7e-14), ((1.0, -2.0, 0.5), 7.5e-15),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {
            "dy": ((1.0, -2.0, 0.5, 4.0, 1.0),), "x": ((0.0, 1.0, 2.0, 3.0, 4.0),), "weight": (0.5, 2.0, -1.0, 0.5, 2.0),
            "eps": 0.25,
        },
        (
            (((1.4, -2.1333333333333333, -0.3333333333333333, 0.8, 0.26666666666666666),), 1.4e-14),
            ((-1.3333333333333333, 1.3333333333333333, 0.0, 2.6666666666666665, 1.3333333333333333), 1.7e-14),
            ((1.0, -2.0, 0.5, 4.0, 1.0), 7.5e-15),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {"dy": ((1.0, -2.0),), "x": ((134217728.0, 134217729.0),), "weight": (0.5, 2.0), "eps": 1e-05},
        (
            (((0.00017998920053997482, -0.00017998920053997482),), 3.4e-14),
            ((-0.99998000059998, -1.99996000119996), 1.5e-14), ((1.0, -2.0), 7.5e-15),
        ),
    ),
    (
        layer_norm_vjp, "float64",
        {
            "dy": ((1.0, -2.0, 0.5),), "x": ((100000000.0, 100000000.0, 100000000.00000001),), "weight": (0.5, 2.0, -1.0),
            "eps": 1e-12,
        },
        (
            (((1833308.6618627612, -2666580.319943258, 833271.6580804968),), 8.6e-09),
            ((-0.004966931190541518, 0.009933862381083037, 0.004966931190541518), 1.3e-16), ((1.0, -2.0, 0.5), 7.5e-15),
        ),
    ),
    (
        layer_norm_vjp, "float32",
        {"dy": ((1.0, -2.0, 0.5),), "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333},
        (
            (((0.20370370149612427, -0.10265203565359116, -0.10105166584253311),), 9.9e-07),
            ((0.0, -2.444444417953491, -0.6111111044883728), 8.9e-06), ((1.0, -2.0, 0.5), 4e-06),
        ),
    ),
    (
        layer_norm_vjp, "float32",
        {
            "dy": ((1.0, -2.0, 0.5, 4.0),), "x": ((1999.5, 2000.25, 2000.75, 2001.5),), "weight": (0.5, 2.0, -1.0, 0.5),
            "eps": 1e-05,
        },
        (
            (((2.905331611633301, -4.418576240539551, -0.38333895802497864, 1.8965835571289062),), 1.5e-05),
            ((-1.3719757795333862, 0.6859878897666931, 0.17149697244167328, 5.487903118133545), 9.5e-06),
            ((1.0, -2.0, 0.5, 4.0), 4e-06),
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
            (((1.1111111111111112, -3.443529949702789, -3.055098308184728),), 2.3e-14),
            (((-0.09434537418076512, 0.01984086662489345, 0.07450450755587168),), 5.3e-14),
            ((0.2222222222222222, 0.22130772748056698, -0.055784179240969366), 6e-15),
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
            (((1.0814814814814815, -2.1037037037037036, 2.1, 4.7592592592592595, -0.3925925925925926),), 3.8e-14),
            (
                (
                    (
                        -0.26222222222222225, 1.0051851851851852, 1.7207407407407407, -0.8822222222222222,
                        -1.5814814814814815,
                    ),
                ),
                1.9e-12,
            ),
            ((0.8296296296296296, 0.7703703703703704, -0.8, 4.7407407407407405, -0.02962962962962963), 3.6e-14),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float64",
        {
            "ddx": ((3.0, 1.0),), "ddweight": (0.25, -1.0), "ddbias": (1.0, -2.0), "dy": ((1.0, -2.0),),
            "x": ((134217728.0, 134217729.0),), "weight": (0.5, 2.0), "eps": 1e-05,
        },
        (
            (((0.750044997450125, -3.00013999100046),), 4.8e-14),
            (((0.0010098962073495563, -0.0010098962073495563),), 6.7e-12),
            ((7.999520023998881e-05, 0.00015999040047997762), 6e-14),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float64",
        {
            "ddx": ((3.0, 1.0, -1.0),), "ddweight": (0.25, -1.0, 3.0), "ddbias": (1.0, -2.0, 0.5), "dy": ((1.0, -2.0, 0.5),),
            "x": ((100000000.0, 100000000.0, 100000000.00000001),), "weight": (0.5, 2.0, -1.0), "eps": 1e-12,
        },
        (
            (((999951.6582516786, -100.67422032945463, 1999852.5091947794),), 1.4e-08),
            (((13244108996.649921, -23176505912.80225, 9932396916.152328),), 0.26),
            ((1999901.3189868226, 98.67918726064516, -999925.9896965962), 2.7e-08),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float32",
        {
            "ddx": ((3.0, 1.0, -1.0),), "ddweight": (0.25, -1.0, 3.0), "ddbias": (1.0, -2.0, 0.5), "dy": ((1.0, -2.0, 0.5),),
            "x": ((0.0, 11.0, -11.0),), "weight": (0.5, 2.0, -1.0), "eps": 0.3333333333333333,
        },
        (
            (((1.1111111640930176, -3.4435298442840576, -3.055098295211792),), 1.2e-05),
            (((-0.09434537589550018, 0.019840866327285767, 0.07450450956821442),), 2.9e-05),
            ((0.2222222238779068, 0.22130772471427917, -0.055784180760383606), 3.2e-06),
        ),
    ),
    (
        layer_norm_vjp_vjp, "float32",
        {
            "ddx": ((3.0, 1.0, -1.0, 3.0),), "ddweight": (0.25, -1.0, 3.0, 0.25), "ddbias": (1.0, -2.0, 0.5, 4.0),
            "dy": ((1.0, -2.0, 0.5, 4.0),), "x": ((1999.5, 2000.25, 2000.75, 2001.5),), "weight": (0.5, 2.0, -1.0, 0.5),
            "eps": 1e-05,
        },
        (
            (((1.524582028388977, -3.190387725830078, 4.878218173980713, 5.533381462097168),), 3.3e-05),
            (((2.7417783737182617, 2.2528738975524902, 2.7608251571655273, -7.755477428436279),), 0.0047),
            ((1.7351518869400024, 1.533381700515747, -1.6746182441711426, 9.523101806640625), 4.4e-05),
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
                1.2e-15,
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
                7.7e-15,
            ),
        ),
    ),
    (
        jacobian, "float64", {"x": (134217728.0, 134217729.0), "eps": 1e-05},
        (
            (
                ((3.9997600119994405e-05, -3.9997600119994405e-05), (-3.9997600119994405e-05, 3.9997600119994405e-05)),
                1.9e-14,
            ),
        ),
    ),
    (
        jacobian, "float64", {"x": (100000000.0, 100000000.0, 100000000.00000001), "eps": 1e-12},
        (
            (
                (
                    (666641.9962612126, -333333.3330290139, -333308.66323219874),
                    (-333333.3330290139, 666641.9962612126, -333308.66323219874),
                    (-333308.66323219874, -333308.66323219874, 666617.3264643975),
                ),
                1.9e-09,
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
                6.6e-07,
            ),
        ),
    ),
    (
        jacobian, "float32", {"x": (1999.5, 2000.25, 2000.75, 2001.5), "eps": 1e-05},
        (
            (
                (
                    (0.38335832953453064, -0.504399836063385, -0.1815880686044693, 0.3026295602321625),
                    (-0.504399836063385, 0.9886303544044495, -0.30264246463775635, -0.1815880686044693),
                    (-0.1815880686044693, -0.30264246463775635, 0.9886303544044495, -0.504399836063385),
                    (0.3026295602321625, -0.1815880686044693, -0.504399836063385, 0.38335832953453064),
                ),
                9.1e-06,
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
        ((4.0, 7.5e-15), (2.0, 7.5e-15), (20024.0, 3.7e-11)),
    ),
    (
        merge_stats, "float64", {"first": (3.0, 0.1, 0.0), "second": (5.0, 0.7, 1.5)},
        ((8.0, 1.5e-14), (0.475, 1.3e-15), (2.175, 4.1e-15)),
    ),
    (
        merge_stats, "float64", {"first": (0.0, 9.0, 0.0), "second": (3.0, 2.0, 6.0)},
        ((3.0, 5.6e-15), (2.0, 1.7e-14), (6.0, 1.1e-14)),
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

"""Correctly rounded answers for layer normalization, decided by integer comparison: no working precision, no tolerance.

Arrays of rows go in and come out; the last axis is normalized. A row that holds NaN or infinity comes out as NaN.
Scalar functions on integers and fractions are in lnsym.oracle.scalar, measures of error in lnsym.oracle.measure.
Imports the scalar part; NumPy is loaded when a function is called.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lnsym.oracle.scalar import FORMATS, Format, Number, OracleError, Value, epsilon, format_of, round_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from lnsym.oracle.rows import Exact

    Array = NDArray[Any]

__all__ = [
    "FORMATS", "Format", "OracleError", "Value", "agrees", "dbias", "dweight", "dweight_bounds", "exact_jvp", "exact_layer_norm",
    "exact_vjp", "exact_vjp_vjp", "format_of", "jacobian", "jvp", "layer_norm", "mean", "normalize", "round_value", "rstd", "vjp",
    "vjp_vjp",
]  # fmt: skip


def agrees(got: ArrayLike, exact: Exact) -> Array:
    """Which components are correctly rounded, with the sign of zero, in the format of the array.

    Formula:
        got = RN(exact).

    Shapes:
        got: as what exact stands for; the result as got.

    Units:
        got as exact.

    Args:
        got: the array to judge.
        exact: exact numbers from one of the functions exact_...

    Returns:
        array of bool; NaN agrees where there is no answer.

    Raises:
        OracleError: a format that cannot be read, or shapes that differ.

    Source:
        comparison with the correctly rounded array.

    >>> from fractions import Fraction
    >>> agrees([[-1.0, -0.0, 1.0]], exact_layer_norm([[1.0, 2.0, 3.0]], eps=Fraction(1, 3))).tolist()
    [[True, False, True]]
    """
    import numpy as np

    mine = _rows(got, "got")
    if mine.shape != exact.shape:
        raise OracleError(f"got: expected the shape {exact.shape} of the exact numbers, got {mine.shape}")
    one, other = mine.astype(np.float64), exact.rounded(mine.dtype).astype(np.float64)
    same: Array = ((one == other) & (np.signbit(one) == np.signbit(other))) | (np.isnan(one) & np.isnan(other))
    return same


def normalize(x: ArrayLike, eps: Number = 1e-5, dtype: object = None) -> Array:
    """The core of every row, correctly rounded.

    Formula:
        u = (z - mu)/sqrt(q + eps), q the variance with divisor d.

    Shapes:
        x: (..., d), d >= 1; the result as x.

    Units:
        x in U, eps in U^2, u in 1.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for that of x.

    Returns:
        array of dtype: each entry the nearest number, ties to even; +0 where z = mu; NaN in a row that is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        theorem output_eq of the book; u_i^2 is rational, so that comparing with a rounding boundary compares integers.

    >>> from fractions import Fraction
    >>> normalize([[1.0, 2.0, 3.0]], Fraction(1, 3)).tolist()
    [[-1.0, 0.0, 1.0]]
    """
    return exact_layer_norm(x, None, None, eps).rounded(dtype)


def layer_norm(
    x: ArrayLike, weight: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-5, dtype: object = None
) -> Array:
    """The full output of every row, correctly rounded.

    Formula:
        y = weight * u + bias.

    Shapes:
        x: (..., d); weight, bias: (d,); the result as x.

    Units:
        x in U, eps in U^2, weight, bias and y in one unit V.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        weight: the gains, finite; None for ones.
        bias: the biases, finite; None for zeros.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for the smallest that holds those of all arrays.

    Returns:
        array of dtype: each entry the nearest number, ties to even; +0 where y = 0; NaN in a row that is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        theorem output_eq of the book; a + b sqrt(r) is compared with a rounding boundary by integers.

    >>> layer_norm([[2.0, 6.0]], [2.0, 4.0], [0.5, 0.0], eps=12).tolist()
    [[-0.5, 2.0]]
    """
    return exact_layer_norm(x, weight, bias, eps).rounded(dtype)


def exact_layer_norm(x: ArrayLike, weight: ArrayLike | None = None, bias: ArrayLike | None = None, eps: Number = 1e-5) -> Exact:
    """The output of every row as exact numbers, which can be rounded to any format and compared with what code returns.

    Formula:
        y = weight * u + bias.

    Shapes:
        x: (..., d); weight, bias: (d,); the result as x.

    Units:
        x in U, eps in U^2, weight, bias and y in one unit V.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        weight: the gains, finite; None for ones.
        bias: the biases, finite; None for zeros.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        Exact: rounded(dtype) is the array, value(row, column) one number a + b sqrt(r).

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        theorem output_eq of the book.

    >>> exact_layer_norm([[2.0, 6.0]], eps=1).value(0, 1).compare(Fraction(1))
    -1
    """
    from lnsym.oracle import rows

    z, w, b = _rows(x), _vector(weight, "weight"), _vector(bias, "bias")
    d = z.shape[-1]
    scale, offset = rows.decode_vector(w, d, "weight"), rows.decode_vector(b, d, "bias")
    form = rows.result_format((z, w, b))
    return rows.exact_rows(lambda s: rows.output_row(s, scale, offset), form, z, epsilon(eps))


def mean(x: ArrayLike, dtype: object = None) -> Array:
    """The mean of every row, correctly rounded.

    Formula:
        mu = (sum z)/d.

    Shapes:
        x: (..., d); the result (...).

    Units:
        x and mu in U.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        dtype: the format of the result; None for that of x.

    Returns:
        array of dtype; NaN for a row that is not finite.

    Raises:
        OracleError: a format or shape that cannot be read.

    Source:
        theorem statistics_eq of the book.

    >>> mean([[1.0, 2.0, 4.0]], "float32").tolist()
    [2.3333332538604736]
    """
    from lnsym.oracle import rows

    return rows.map_rows(_rows(x), dtype, lambda a, e: Value(Fraction(sum(a), len(a)) * Fraction(2) ** e, Fraction(0), Fraction(0)))


def rstd(x: ArrayLike, eps: Number = 1e-5, dtype: object = None) -> Array:
    """The reciprocal root of variance plus eps of every row, correctly rounded.

    Formula:
        r = 1/sqrt(q + eps).

    Shapes:
        x: (..., d); the result (...).

    Units:
        x in U, eps in U^2, r in 1/U.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for that of x.

    Returns:
        array of dtype; NaN for a row that is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        theorem output_eq of the book.

    >>> rstd([[1.0, 3.0]], eps=3).tolist()
    [0.5]
    """
    from lnsym.oracle import rows

    exact = epsilon(eps)
    return rows.map_rows(_rows(x), dtype, lambda a, e: rows.rstd_value(rows.statistics(a, e, exact)))


def jvp(x: ArrayLike, h: ArrayLike, weight: ArrayLike | None = None, eps: Number = 1e-5, dtype: object = None) -> Array:
    """The derivative of every row's output along a direction, correctly rounded.

    Formula:
        weight * J h = weight * r (h - mean(h) - u mean(h u)).

    Shapes:
        x, h: (..., d); weight: (d,); the result as x.

    Units:
        x and h in U, eps in U^2, weight and the result in one unit V.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        h: the direction, row by row.
        weight: the gains, finite; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for the smallest that holds those of all arrays.

    Returns:
        array of dtype: each entry the nearest number, ties to even; NaN in a row that is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue S28, T24.

    >>> jvp([[1.0, 3.0]], [[1.0, 0.0]], eps=3).tolist()
    [[0.1875, -0.1875]]
    """
    return exact_jvp(x, h, weight, eps).rounded(dtype)


def exact_jvp(x: ArrayLike, h: ArrayLike, weight: ArrayLike | None = None, eps: Number = 1e-5) -> Exact:
    """The derivative of every row's output along a direction, as exact numbers.

    Formula:
        weight * J h = weight * r (h - mean(h) - u mean(h u)).

    Shapes:
        x, h: (..., d); weight: (d,); the result as x.

    Units:
        x and h in U, eps in U^2, weight and the result in one unit V.

    Args:
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        h: the direction, row by row.
        weight: the gains, finite; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        Exact: rounded(dtype) is the array, value(row, column) one number a + b sqrt(r).

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue S28, T24.

    >>> exact_jvp([[1.0, 3.0]], [[1.0, 0.0]], eps=3).rounded("float16").tolist()
    [[0.1875, -0.1875]]
    """
    from lnsym.oracle import rows

    z, direction, w = _rows(x), _rows(h, "h", x), _vector(weight, "weight")
    scale = rows.decode_vector(w, z.shape[-1], "weight")
    form = rows.result_format((z, direction, w))
    return rows.exact_rows(lambda s, g: rows.jacobian_row(s, g, scale), form, z, epsilon(eps), direction)


def vjp(dy: ArrayLike, x: ArrayLike, weight: ArrayLike | None = None, eps: Number = 1e-5, dtype: object = None) -> Array:
    """The gradient of every row with respect to its input, correctly rounded.

    Formula:
        dx = r (g - mean(g) - u mean(g u)), g = weight * dy, the product exact.

    Shapes:
        dy, x: (..., d); weight: (d,); the result as x.

    Units:
        x in U, eps in U^2, dy in W, weight in 1, dx in W/U.

    Args:
        dy: the cotangent of the output, row by row.
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        weight: the gains, finite; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for the smallest that holds those of all arrays.

    Returns:
        array of dtype: each entry the nearest number, ties to even, infinite where that overflows; NaN in a row that is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue T24; dx_i^2 is rational, so that comparing with a rounding boundary compares integers.

    >>> from fractions import Fraction
    >>> vjp([[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]], eps=Fraction(1, 3), dtype="float16").tolist()
    [[-0.333251953125, 0.0, 0.333251953125]]
    """
    return exact_vjp(dy, x, weight, eps).rounded(dtype)


def exact_vjp(dy: ArrayLike, x: ArrayLike, weight: ArrayLike | None = None, eps: Number = 1e-5) -> Exact:
    """The gradient of every row with respect to its input, as exact numbers.

    Formula:
        dx = r (g - mean(g) - u mean(g u)), g = weight * dy, the product exact.

    Shapes:
        dy, x: (..., d); weight: (d,); the result as x.

    Units:
        x in U, eps in U^2, dy in W, weight in 1, dx in W/U.

    Args:
        dy: the cotangent of the output, row by row.
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        weight: the gains, finite; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        Exact: rounded(dtype) is the array, value(row, column) one number a + b sqrt(r).

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue T24.

    >>> exact_vjp([[1.0, 1.0]], [[1.0, 3.0]]).value(0, 0).sign()
    0
    """
    from lnsym.oracle import rows

    z, g, w = _rows(x), _rows(dy, "dy", x), _vector(weight, "weight")
    scale = rows.decode_vector(w, z.shape[-1], "weight")
    form = rows.result_format((z, g, w))
    return rows.exact_rows(lambda s, one: rows.jacobian_row(s, rows.times(one, scale)), form, z, epsilon(eps), g)


def dweight(dy: ArrayLike, x: ArrayLike, eps: Number = 1e-5, dtype: object = None) -> Array:
    """The gradient with respect to the weight, summed over all rows, correctly rounded.

    Formula:
        sum over rows of dy * u.

    Shapes:
        dy, x: (..., d); the result (d,).

    Units:
        x in U, eps in U^2, dy and the result in one unit W.

    Args:
        dy: the cotangent of the output, row by row.
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for the smallest that holds those of all arrays.

    Returns:
        array of dtype: each entry the nearest number, ties to even; NaN or infinity where a row that is not finite makes it so.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue T24; a sum of square roots is brought to independent roots, after which it is rational or never on a boundary.

    >>> dweight([[1.0, 1.0], [1.0, 2.0]], [[1.0, 3.0], [3.0, 1.0]], eps=3).tolist()
    [0.0, -0.5]
    """
    from lnsym.oracle import rows

    z, g = _flat(x), _flat(_rows(dy, "dy", x))
    form = rows.result_format((z, g)) if dtype is None else format_of(dtype)
    finite, spoilt = rows.split_finite(g)
    exact = _dweight_rows(finite, z, eps)
    result = rows.round_columns([row for row in exact.rows if row is not None], exact.d, form)
    if spoilt.any() or None in exact.rows:
        with rows.quiet():
            terms = spoilt * normalize(z, eps, "float64")  # 0 * NaN is NaN: a row of x that is not finite spoils every column
        result = rows.overrule(result, terms)
    return result.astype(rows.numpy_type(form))


def dweight_bounds(dy: ArrayLike, x: ArrayLike, eps: Number = 1e-5, bits: int = 160) -> tuple[list[Fraction], list[Fraction]]:
    """Rational bounds of the gradient with respect to the weight, for finite rows.

    Formula:
        lower <= sum over rows of dy * u <= upper.

    Shapes:
        dy, x: (..., d); the results (d,).

    Units:
        x in U, eps in U^2, dy and the results in one unit W.

    Args:
        dy: the cotangent of the output, row by row, finite.
        x: rows in float64, float32, float16 or bfloat16, finite; integers count as float64.
        eps: a float (its exact value), an int or a Fraction, not negative.
        bits: of each root; each term is off by less than 2^(1-bits) of itself.

    Returns:
        lower and upper, lists of Fraction.

    Raises:
        OracleError: a format, shape or eps that cannot be read, a row that is not finite, or a constant row with eps = 0.

    Source:
        catalogue T24; integer roots.

    >>> lower, upper = dweight_bounds([[1.0, 1.0]], [[2.0, 6.0]], eps=1)
    >>> lower[1] ** 2 <= Fraction(4, 5) <= upper[1] ** 2, float(upper[1] - lower[1]) < 1e-40
    (True, True)
    """
    from lnsym.oracle import rows

    exact = _dweight_rows(dy, x, eps)
    known = [row for row in exact.rows if row is not None]
    if len(known) < len(exact.rows):
        raise OracleError("expected finite rows, got NaN or infinity: no bounds hold them")
    low, high, exponent = rows.column_bounds(known, exact.d, bits)
    scale = Fraction(2) ** exponent
    return [n * scale for n in low], [n * scale for n in high]


def dbias(dy: ArrayLike, dtype: object = None) -> Array:
    """The gradient with respect to the bias, summed over all rows, correctly rounded.

    Formula:
        sum over rows of dy.

    Shapes:
        dy: (..., d); the result (d,).

    Units:
        dy and the result in one unit W.

    Args:
        dy: the cotangent of the output, row by row.
        dtype: the format of the result; None for that of dy.

    Returns:
        array of dtype: each entry the nearest number, ties to even; NaN or infinity where an entry that is not finite makes it so.

    Raises:
        OracleError: a format or shape that cannot be read.

    Source:
        catalogue T24; the sum is rational.

    >>> dbias([[1e16, 1.0], [1.0, 2.0], [-1e16, 3.0]]).tolist()
    [1.0, 6.0]
    """
    from lnsym.oracle import rows

    g = _flat(_rows(dy, "dy"))
    form = rows.result_format((g,)) if dtype is None else format_of(dtype)
    return rows.round_column_sums(g, form).astype(rows.numpy_type(form))


def vjp_vjp(
    ddx: ArrayLike | None,
    ddweight: ArrayLike | None,
    ddbias: ArrayLike | None,
    dy: ArrayLike,
    x: ArrayLike,
    weight: ArrayLike | None = None,
    eps: Number = 1e-5,
    dtype: object = None,
) -> tuple[Array, Array, Array]:
    """The double backward pass, correctly rounded: the gradients of what vjp returns, for cotangents of dx, dweight and dbias.

    Formula:
        to dy: weight * J A + B u + C; to x: T[A, weight * dy] + J (B dy); to weight: sum over rows of dy * J A,
        with A, B, C = ddx, ddweight, ddbias, J the Jacobian and T the second derivative of the core.

    Shapes:
        ddx, dy, x: (..., d); ddweight, ddbias, weight: (d,); the results as dy, x and weight.

    Units:
        x in U, eps in U^2; the others as the formulas demand.

    Args:
        ddx: the cotangent of dx; None for zeros.
        ddweight: the cotangent of dweight, finite; None for zeros.
        ddbias: the cotangent of dbias, finite; None for zeros.
        dy: the cotangent of the output, row by row.
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        weight: the gains, finite; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the results; None for the smallest that holds those of all arrays.

    Returns:
        the gradients to dy, x and weight, arrays of dtype; NaN in a row that is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue T31, T32; every component is a + b sqrt(r), the gradient to the weight a sum of such.

    >>> from fractions import Fraction
    >>> unit = [[1.0, 0.0, 0.0]]
    >>> vjp_vjp(unit, None, None, unit, [[1.0, 2.0, 3.0]], eps=Fraction(1, 3), dtype="bfloat16")[1].astype(float).tolist()
    [[0.333984375, -0.22265625, -0.111328125]]
    """
    from lnsym.oracle import rows

    to_dy, to_x, to_weight = exact_vjp_vjp(ddx, ddweight, ddbias, dy, x, weight, eps)
    form = to_dy.form if dtype is None else format_of(dtype)
    known = [row for row in to_weight.rows if row is not None]
    summed = rows.round_columns(known, to_weight.d, form)
    if len(known) < len(to_weight.rows):
        summed[:] = float("nan")
    return to_dy.rounded(form), to_x.rounded(form), summed.astype(rows.numpy_type(form))


def exact_vjp_vjp(
    ddx: ArrayLike | None,
    ddweight: ArrayLike | None,
    ddbias: ArrayLike | None,
    dy: ArrayLike,
    x: ArrayLike,
    weight: ArrayLike | None = None,
    eps: Number = 1e-5,
) -> tuple[Exact, Exact, Exact]:
    """The double backward pass as exact numbers; the gradient to the weight row by row, not yet summed.

    Formula:
        to dy: weight * J A + B u + C; to x: T[A, weight * dy] + J (B dy); to weight, per row: dy * J A,
        with A, B, C = ddx, ddweight, ddbias, J the Jacobian and T the second derivative of the core.

    Shapes:
        ddx, dy, x: (..., d); ddweight, ddbias, weight: (d,); the results as x.

    Units:
        x in U, eps in U^2; the others as the formulas demand.

    Args:
        ddx: the cotangent of dx; None for zeros.
        ddweight: the cotangent of dweight, finite; None for zeros.
        ddbias: the cotangent of dbias, finite; None for zeros.
        dy: the cotangent of the output, row by row.
        x: rows in float64, float32, float16 or bfloat16; integers count as float64.
        weight: the gains, finite; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        three Exact: to dy, to x, and each row's part of the gradient to the weight.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue T31, T32.

    >>> exact_vjp_vjp([[1.0, 0.0]], None, None, [[1.0, 2.0]], [[0.75, 0.0]], eps=0.25)[1].value(0, 0).sign()
    1
    """
    import numpy as np

    from lnsym.oracle import rows

    z, g = _rows(x), _rows(dy, "dy", x)
    a = np.zeros(z.shape, dtype=z.dtype) if ddx is None else _rows(ddx, "ddx", x)
    vectors = {"weight": weight, "ddweight": ddweight, "ddbias": ddbias}
    arrays = {what: _vector(vector, what) for what, vector in vectors.items()}
    form = rows.result_format((z, g, a, *arrays.values()))
    w, b, c = (rows.decode_vector(array, z.shape[-1], what) for what, array in arrays.items())
    exact = epsilon(eps)
    to_dy = rows.exact_rows(lambda s, k, _: rows.double_backward_dy_row(s, k, b, c, w), form, z, exact, a, g)
    to_x = rows.exact_rows(lambda s, k, t: rows.double_backward_x_row(s, k, t, b, w), form, z, exact, a, g)
    to_weight = rows.exact_rows(rows.jacobian_row, form, z, exact, a, g)
    return to_dy, to_x, to_weight


def jacobian(x: ArrayLike, eps: Number = 1e-5, dtype: object = None) -> Array:
    """The Jacobian of the core at one row, correctly rounded.

    Formula:
        J_ij = r (delta_ij - 1/d - u_i u_j / d).

    Shapes:
        x: (d,) or (1, d); the result (d, d).

    Units:
        x in U, eps in U^2, J in 1/U.

    Args:
        x: one row in float64, float32, float16 or bfloat16; integers count as float64.
        eps: a float (its exact value), an int or a Fraction, not negative.
        dtype: the format of the result; None for that of x.

    Returns:
        array of dtype: each entry the nearest number, ties to even; all NaN when x is not finite.

    Raises:
        OracleError: a format, shape or eps that cannot be read, or a constant row with eps = 0.

    Source:
        catalogue S28.

    >>> jacobian([1.0, 3.0], eps=3).tolist()
    [[0.1875, -0.1875], [-0.1875, 0.1875]]
    """
    import numpy as np

    z = _flat(_rows(x))
    if len(z) != 1:
        raise OracleError(f"x: expected one row, got the shape {np.shape(x)}")
    d = z.shape[1]
    return jvp(np.repeat(z, d, axis=0), np.eye(d, dtype=z.dtype), None, eps, dtype)  # J is symmetric: its rows are its columns


def _dweight_rows(dy: ArrayLike, x: ArrayLike, eps: Number) -> Exact:
    from lnsym.oracle import rows

    z, g = _rows(x), _rows(dy, "dy", x)
    return rows.exact_rows(lambda s, one: rows.output_row(s, one, None), rows.result_format((z, g)), z, epsilon(eps), g)


def _flat(values: ArrayLike) -> Array:
    array = _rows(values)
    return array.reshape(-1, array.shape[-1])


def _rows(values: ArrayLike, what: str = "x", like: ArrayLike | None = None) -> Array:
    import numpy as np

    from lnsym.oracle import rows

    array = rows.array_of(values, what)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise OracleError(f"{what}: expected rows of at least one number, got the shape {array.shape}")
    if like is not None and array.shape != np.shape(like):
        raise OracleError(f"{what}: expected the shape {np.shape(like)} of x, got {array.shape}")
    return array


def _vector(values: ArrayLike | None, what: str) -> Array | None:
    from lnsym.oracle import rows

    return None if values is None else rows.array_of(values, what)

"""A small module in the vocabulary of emitted code, on which the validator is tried: blocks, a branch on data, scaling, scatter."""

SOURCE = '''
"""Layer normalization in the vocabulary of the tracer."""

import numpy as np

_U = 2.0**-53
_SLACK = 8.0 * _U


def _block_rows(d: int, itemsize: int) -> int:
    """Size: rows in a block."""
    return max(1, 4096 // (d * itemsize))


def _row_sum(x):
    """Sum of each row."""
    return x @ np.ones(x.shape[1])


def _row_dot(a, b):
    """Sum of the products of the entries of each row."""
    return np.vecdot(a, b)


def _row_max(x):
    """Largest size of an entry of each row."""
    return np.maximum.reduce(np.abs(x), axis=1)


def _column_sum(x):
    """Sum of each column of a block."""
    return np.add.reduce(x, axis=0)


def _centred(x, eps):
    """Deviations of rows in units of 2^k, 1 / sqrt(q + eps) in the same units, and the mean."""
    d = x.shape[1]
    k = np.frexp(_row_max(x))[1]
    c = np.ldexp(x, -k[:, None])
    mean = _row_sum(c) / d
    c = c - mean[:, None]
    shift = _row_sum(c) / d
    c -= shift[:, None]
    q = _row_dot(c, c) / d
    return c, 1 / np.sqrt(q + np.ldexp(eps, -2 * k)), np.ldexp(mean + shift, k), k


def _core_rows(x, eps, out):
    """Write the core of rows to out; return mean and 1 / sqrt(q + eps)."""
    n, d = x.shape
    mean, rstd = np.empty_like(x, shape=(n,)), np.empty_like(x, shape=(n,))
    step = _block_rows(d, x.itemsize)
    for start in range(0, n, step):
        stop = min(n, start + step)
        block = x[start:stop]
        m = _row_sum(block) / d
        c = block - m[:, None]
        q = _row_dot(c, c) / d
        r = 1 / np.sqrt(q + eps)
        out[start:stop] = c * r[:, None]
        mean[start:stop], rstd[start:stop] = m, r
        sure = out[start:stop] + _SLACK == out[start:stop] - _SLACK
        rows = np.nonzero(~(m * m <= 4 * q))[0]
        if len(rows):
            c, r, m, k = _centred(block[rows], eps)
            out[start + rows] = c * r[:, None]
            mean[start + rows], rstd[start + rows] = m, np.ldexp(r, -k)
        where = np.nonzero(~sure)
        if len(where[0]):
            again = (x[start:stop][where] - mean[start:stop][where[0]]) * rstd[start:stop][where[0]]
            out[start + where[0], where[1]] = again
    return mean, rstd


def normalize(x, eps=1e-5, axis=-1):
    """The core."""
    out = np.empty_like(x)
    _core_rows(x, eps, out)
    return out


def layer_norm(x, weight=None, bias=None, eps=1e-5, axis=-1, *, return_stats=False):
    """weight * core + bias."""
    out = np.empty_like(x)
    mean, rstd = _core_rows(x, eps, out)
    if weight is not None:
        out *= weight
    if bias is not None:
        out += bias
    return (out, mean, rstd) if return_stats else out


def layer_norm_vjp(dy, x, weight=None, eps=1e-5, axis=-1, *, wrt=("x", "weight", "bias")):
    """The gradients."""
    d = x.shape[1]
    u = np.empty_like(x)
    _, r = _core_rows(x, eps, u)
    g = dy if weight is None else weight * dy
    h = g - (_row_sum(g) / d)[:, None] - u * (_row_dot(g, u) / d)[:, None]
    found = {"x": h * r[:, None], "weight": _column_sum(dy * u), "bias": _column_sum(dy)}
    return tuple(found[name] for name in wrt)
'''

# One mistake each: what is written, and what stands there instead.
MISTAKES = {
    "divisor d - 1": ("q = _row_dot(c, c) / d\n        r", "q = _row_dot(c, c) / (d - 1)\n        r"),
    "eps outside the root": ("r = 1 / np.sqrt(q + eps)", "r = 1 / (np.sqrt(q) + eps)"),
    "eps not scaled": ("np.ldexp(eps, -2 * k)", "np.ldexp(eps, -k)"),
    "correction of the mean dropped": ("np.ldexp(mean + shift, k)", "np.ldexp(mean + 2 * shift + 1, k)"),
    "scale not undone": ("np.ldexp(r, -k)", "np.ldexp(r, k)"),
    "uncentred squares": ("q = _row_dot(c, c) / d\n        r", "q = _row_dot(block, block) / d\n        r"),
    "term missing in the gradient": (" - u * (_row_dot(g, u) / d)[:, None]", ""),
    "factor in the gradient": ("(_row_dot(g, u) / d)", "(2 * _row_dot(g, u) / d)"),
    "weight missing in the gradient": ("g = dy if weight is None else weight * dy", "g = dy"),
    "bias forgotten": ("out += bias", "out += 0 * bias"),
    "block one row short": ("stop = min(n, start + step)", "stop = min(n - 1, start + step)"),
    "rows of another block": ("out[start + rows] = c", "out[rows] = c"),
    "rows not gathered": ("_centred(block[rows], eps)", "_centred(x[rows], eps)"),
    "mean of another row": ("mean[start:stop][where[0]]", "mean[where[0]]"),
    "component of another row": ("out[start + where[0], where[1]]", "out[where[0], where[1]]"),
    "weight gradient without the core": ("_column_sum(dy * u)", "_column_sum(dy * x)"),
    "only the last row summed": ("_column_sum(dy)}", "_column_sum(dy[-1:])}"),
    "eps dropped in the slow rows": ("np.sqrt(q + np.ldexp(eps, -2 * k))", "np.sqrt(q)"),
    "biased repair": ("* rstd[start:stop][where[0]]", "* rstd[start:stop][where[0]] + 1e-30"),
}

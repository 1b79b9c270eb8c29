"""What stands in the place of functions while a text is traced: their contracts, for sums along rows, sizes, and the integer stage."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from lnsym.emit.trace.arrays import Domain, Traced, lifted
from lnsym.emit.trace.standin import StandIn, functions
from lnsym.errors import EmitError

Contract = Callable[..., Any]


def _total(x: Traced) -> Traced:
    return x.sum(axis=-1)  # type: ignore[no-any-return]


def _add_to_diagonal(domain: Any, matrix: Traced, value: Any) -> None:
    matrix += StandIn(domain).eye(matrix.shape[0]) * value


def _nothing(x: Traced) -> Any:
    """A zero for each row."""
    return np.zeros_like(x, shape=x.shape[:-1], dtype=np.float64)


def _words(x: Any) -> tuple[Any, Any]:
    """A number as two words, the second 0."""
    return x, x * 0


def _sum_split(_: Domain, x: Traced, __: Traced, work: Traced) -> tuple[Any, Any]:
    work[...] = np.nan
    return _total(x), _nothing(x)


def _column_words(_: Domain, x: Traced) -> tuple[Any, Any, Any]:
    sums = x.sum(axis=0)
    x[...] = np.nan
    return sums, np.zeros_like(sums), np.zeros_like(sums)


def _round_words(_: Domain, high: Traced, low: Traced, error: Traced, exponent: Traced, __: Any) -> tuple[Traced, Traced]:
    return np.ldexp(high + low, exponent), high + error == high - error


def _undecided(_: Domain, mask: Traced, start: int) -> tuple[Any, Any]:
    rows, columns = np.nonzero(mask)
    return rows + start, columns


def _differ(_: Domain, a: Traced, b: Traced, out: Traced) -> None:
    out[...] = a != b


# Each takes the domain first. The docstring of a function in the text and its contract here must say the same.
CONTRACTS: dict[str, Contract] = {
    # rows
    "_row_sum": lambda _, x: _total(x),
    "_row_dot": lambda _, a, b: _total(a * b),
    "_row_max": lambda _, x: abs(x).max(axis=-1),
    "_add_to_diagonal": _add_to_diagonal,
    "_is_constant": lambda _, x: (x == x.max(axis=-1)[:, None]).all(axis=1),
    "_row_first": lambda _, x: x.max(axis=-1),
    "_row_bound": lambda _, x: abs(x).max(axis=-1),
    "_size_bound": lambda _, x, __: abs(x).max(axis=-1),
    "_grouped_sum": lambda _, x: _total(x),
    "_grouped_dot": lambda _, a: _total(a * a),
    "_grouped_product": lambda _, a, b: _total(a * b),
    "_sum_split": _sum_split,
    "_sum_squares": lambda _, a, unit: (_total(a * a), _nothing(a), _total(a * a) <= unit),
    "_sum_exact": lambda _, x: _total(x),
    "_sum_words": lambda _, x, __: (_total(x), _nothing(x), _nothing(x), _nothing(x)),
    "_row_range": lambda _, x: (x.min(axis=-1), x.max(axis=-1)),
    "_sum_of_slices": lambda _, head, middle, low: (_total(head + middle + low), _nothing(head)),
    "_dot_of_slices": lambda _, a, b, __: (_total(a * b), _nothing(a)),
    # words: a number as the sum of two
    "_multiply_words": lambda _, a, a_low, b, b_low: _words((a + a_low) * (b + b_low)),
    "_divide_words": lambda _, a, a_low, b, b_low: _words((a + a_low) / (b + b_low)),
    "_reciprocal_root_words": lambda _, high, low, count: _words(1 / np.sqrt((high + low) / count)),
    # components and rounding
    "_undecided": _undecided,
    "_round_words": _round_words,
    "_round_into": lambda _, x, out: np.copyto(out, x, casting="unsafe"),
    "_differ": _differ,
    # across rows
    "_column_sum": lambda _, x: x.sum(axis=0),
    "_column_sum_words": _column_words,
    "_column_sum_tree": lambda _, x: x.sum(axis=0),
    "_careful_column_sums": lambda _, x: [x.sum(axis=0), *(np.zeros_like(x[0]) for _ in range(3))],
    "_all": lambda _, mask: bool(mask.all()),
}


def _formula(x: Traced, eps: Any) -> tuple[Traced, Traced, Traced]:
    """Core, mean and 1 / sqrt(q + eps) by the definition."""
    mean = x.mean(axis=-1)
    centred = x - mean[..., None]
    rstd = 1 / np.sqrt((centred * centred).mean(axis=-1) + eps)
    return centred * rstd[..., None], mean, rstd


def _output_components(_: Domain, x: Traced, weight: Any, bias: Any, eps: Any, rows: Any, columns: Any, out: Traced) -> None:
    y = _formula(x, eps)[0]
    y = y if weight is None else y * weight
    out[rows, columns] = (y if bias is None else y + bias)[rows, columns]


def _row_statistics(_: Domain, x: Traced, eps: Any, rows: Any, mean: Traced, rstd: Traced) -> None:
    means, rstds = _formula(x, eps)[1:]
    mean[rows], rstd[rows] = means[rows], rstds[rows]


def _gradient_components(_: Domain, dy: Traced, x: Traced, weight: Any, eps: Any, rows: Any, columns: Any, dx: Traced) -> None:
    u, rstd = _formula(x, eps)[::2]
    g = dy if weight is None else dy * weight
    found = rstd[:, None] * (g - g.mean(axis=-1)[:, None] - u * (g * u).mean(axis=-1)[:, None])
    dx[rows, columns] = found[rows, columns]


def _column_sums(_: Domain, dy: Traced, columns: Any, out: Traced) -> None:
    out[columns] = dy.sum(axis=0)[columns]


def _merged(_: Domain, first: Any, second: Any) -> tuple[Any, Any, Any]:
    (n, mean, m2), (other_n, other_mean, other_m2) = first, second
    total = n + other_n
    gap = other_mean - mean
    return total, (n * mean + other_n * other_mean) / total, m2 + other_m2 + n * other_n / total * gap * gap


# The integer stage: the formula, entered where the text asks for it. The oracle covers what really stands there.
STAGES: dict[str, Contract] = {
    "_exact_output_components": _output_components,
    "_exact_row_statistics": _row_statistics,
    "_exact_gradient_components": _gradient_components,
    "_exact_column_sums": _column_sums,
    "_merge_stats": _merged,
}


ROUNDING = {"_round_words", "_round_into", "_differ"}  # what has no meaning for exact numbers as it stands: these are not rounded


def size_functions(tree: ast.Module) -> dict[str, tuple[Callable[..., Any], ...]]:
    """The functions marked 'Size:', with the constant functions that replace them in turn."""
    returns = {node.name: ast.unparse(node.returns) if node.returns else "" for node in tree.body if isinstance(node, ast.FunctionDef)}
    choices: dict[str, tuple[Any, ...]] = {"bool": (False, True), "int": (1000, 1, 2)}
    found = {}
    for name, says in functions(tree).items():
        if says.startswith("Size:"):
            values = choices.get(returns[name], (1000,))
            found[name] = tuple((lambda *_, value=value: value) for value in values)
    return found


SILENT = {"_warn_where_void"}  # warns, gives nothing and changes nothing


def stand_ins(domain: Domain, tree: ast.Module, met: set[str], own_sums: bool = False) -> dict[str, Callable[..., Any]]:
    """What replaces functions of a module, sums among them unless these are to be its own.

    The names of integer stages that were entered are added to `met`.
    """
    found: dict[str, Callable[..., Any]] = {}
    for name, says in functions(tree).items():
        if name in (ROUNDING if own_sums else CONTRACTS):
            found[name] = lambda *args, contract=CONTRACTS[name], **kwargs: contract(domain, *args, **kwargs)
        elif says.startswith("Integer stage:"):
            if name not in STAGES:
                raise EmitError(f"{name} is marked as an integer stage; give it a formula in STAGES of lnsym/emit/trace/contracts.py")
            found[name] = _stage(domain, name, met)
        elif name in SILENT:
            found[name] = lambda *_, **__: None
    found["_checked_eps"] = lambda eps: lifted(domain, eps)
    found["_flushes_to_zero"] = lambda: False
    return found


def _stage(domain: Domain, name: str, met: set[str]) -> Callable[..., Any]:
    def enter(*args: Any, **kwargs: Any) -> Any:
        met.add(name)
        return STAGES[name](domain, *args, **kwargs)

    return enter

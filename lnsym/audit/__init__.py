"""The audit of anybody's layer norm against the exact oracle. `lnsym.audit` is the function; its parts are the modules beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lnsym.audit.result import Result

__all__ = ["audit"]


def audit(
    subject: str | Callable[..., Any],
    *,
    grad: str | Callable[..., Any] | None = None,
    mapping: Mapping[str, str | int] | str | None = None,
    framework: str | None = None,
    eps: float | None = None,
    axis: int | Sequence[int] = -1,
    dtype: str | Sequence[str] | None = None,
    full_range: bool = False,
    seed: int = 0,
    only: Sequence[str] = (),
    exit_first: bool = False,
    expect_fail: Mapping[str, str] | Sequence[str] = (),
    time_limit: float = 10.0,
    isolate: bool = True,
) -> Result:
    """Compare an implementation of layer norm with the exact oracle and the laws of the book, and name its mistake.

    Formula:
        y = weight * (x - mean)/sqrt(var + eps) + bias, var with divisor d, and its derivatives.

    Shapes:
        x of any shape; weight and bias of the normalized axes.

    Units:
        x in U, eps in U^2, weight, bias and y in one unit V.

    Args:
        subject: a function, class or module, or where it is: "mynorm.py:layer_norm", "package.module:object", "model.onnx".
        grad: a hand-written gradient (dy, x, weight, eps) -> (dx, dweight, dbias), or where it is. PyTorch and JAX bring their own.
        mapping: our words for the subject's arguments, as "x=h,weight=a,eps=e", where their names do not say it.
        framework: numpy, torch, jax or onnx; None to tell it from the subject.
        eps: the eps of a subject that takes none, and the usual one of a subject that does; None for 1e-5.
        axis: the axis or axes that are normalized.
        dtype: the formats to audit, the first is the main one; None for those that the subject answers in.
        full_range: whether rows beyond what two-pass arithmetic can do count as failures: squares that overflow, tiny eps.
        seed: of the random inputs; the same seed gives the same audit.
        only: codes of checks; none for all.
        exit_first: whether to stop at the first failure.
        expect_fail: reasons of known failures by the code of the check.
        time_limit: seconds for one call of the subject.
        isolate: whether the subject runs in a process of its own, so that a crash or a hang is a result.

    Returns:
        Result: verdict, diagnosis, checks, counts; str() is the report, raise_if_failed() makes a test of it.

    Raises:
        SubjectError: a subject, argument or option that cannot be read.
        MissingTool: a framework that is not installed.

    Source:
        the theorems that the checks name, the oracle, and the bounds of lnsym.audit.tolerance.

    >>> def layer_norm(x, weight=1.0, bias=0.0, eps=1e-5):
    ...     v = x - x.mean(-1, keepdims=True)
    ...     return weight * v / ((v**2).mean(-1, keepdims=True) ** 0.5 + eps) + bias
    >>> found = audit(layer_norm, dtype="float64")
    >>> found.verdict, [one.fault.code for one in found.named]
    ('failed', ['LN101'])
    """
    from lnsym.audit import asked
    from lnsym.audit.run import run
    from lnsym.audit.subjects import open_subject

    asked.subject(subject, grad, mapping)
    limit = asked.seconds(time_limit)
    command = asked.command(
        subject, grad=grad, mapping=mapping, framework=framework, eps=eps, axis=axis, dtype=dtype, full_range=full_range, seed=seed,
        time_limit=limit,
    )  # fmt: skip
    options = asked.options(
        eps=eps, axis=axis, dtype=dtype, full_range=full_range, seed=seed, only=only, expect_fail=expect_fail, exit_first=exit_first,
        command=command,
    )  # fmt: skip
    runner = open_subject(subject, mapping=mapping, grad=grad, framework=framework, eps=options.eps, time_limit=limit, isolate=isolate)
    try:
        return run(runner, options)
    finally:
        runner.close()

"""Verified numeric code: from proved theorems to one self-contained file. Imports up to the library; Jinja2 when called."""

from __future__ import annotations

from collections.abc import Iterable

from lnsym.emit.build import DEFAULT_TIER, build
from lnsym.emit.plan import EmitInputError
from lnsym.errors import EmitError

__all__ = ["EmitError", "EmitInputError", "emit"]


def emit(target: str = "numpy", ops: Iterable[str] | None = None, tier: str = DEFAULT_TIER) -> str:
    """Write the source of one self-contained module, from theorems that are proved in this process.

    Formula:
        those of the theorems behind the operations; the module's docstrings state them.

    Shapes:
        those of the emitted functions; rows lie along any axis or axes.

    Units:
        x in U, eps in U^2, mean in U, rstd in 1/U, the core in 1.

    Args:
        target: the language; `lnsym emit --list` names them all.
        ops: the functions, such as ("normalize", "layer_norm"), or the name of one; None for all that the tier has.
        tier: "safe" (a stated error bound for every finite input), "exact" (correctly rounded) or "plain" (the textbook's two passes).

    Returns:
        str: the text of the file, the same on every machine.

    Raises:
        EmitInputError: an operation, tier or target that does not exist, or that do not go together.
        EmitError: a theorem that is not proved, or a form that is refused.

    Source:
        the theorems with offers in derivations/.

    >>> source = emit(ops=("normalize",), tier="plain")
    >>> "def normalize(" in source, "def layer_norm(" in source
    (True, False)
    """
    return build(target, (ops,) if isinstance(ops, str) else ops, tier).source

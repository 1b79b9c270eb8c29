"""The NumPy target: one module that imports NumPy and the standard library. Imports the plan, the steps, the printer and the promises."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lnsym.emit import promise
from lnsym.emit.plan import Plan
from lnsym.emit.printer import ATOM, SUM, expression, lines, spoken
from lnsym.emit.reach import reached
from lnsym.emit.statements import Node, Steps, steps
from lnsym.emit.targets import CERTIFICATE
from lnsym.emit.vectors import vectors, written
from lnsym.errors import EmitError

if TYPE_CHECKING:
    import jinja2

TEMPLATES = Path(__file__).parents[1] / "templates" / "numpy"
ROWS = {
    "safe": ("rows", "safe"),
    "exact": ("rows", "words", "integers", "exact", "exact_vjp"),
    "plain": ("plain",),
}
EXACT = ("normalize", "layer_norm", "layer_norm_vjp", "merge_stats")
EVERYWHERE = (*EXACT, "layer_norm_jvp", "layer_norm_vjp_vjp", "jacobian")
# Spellings that the plain row functions use for their own arguments, beside those of the formula.
OUTPUTS = {"layer_norm_vjp": ("dx", "dweight", "dbias"), "layer_norm_vjp_vjp": ("ddy", "dx", "dweight")}
RESERVED = ("np", "math", "warnings", "out", "form", "first", "second", "Any")
ARGUMENTS = {
    "layer_norm": ("x", "weight", "bias", "eps"),
    "layer_norm_jvp": ("x", "dx", "weight", "eps"),
    "layer_norm_vjp": ("dy", "x", "weight", "eps"),
    "layer_norm_vjp_vjp": ("ddx", "ddweight", "ddbias", "dy", "x", "weight", "eps"),
    "jacobian": ("x", "eps"),
    "merge_stats": ("n", "mean", "m2", "n_prime", "mean_prime", "m2_prime"),
}
COLUMNS = ("mean", "rstd")  # results of which the template takes the only column
WIDTH = 110


class NumpyTarget:
    """One module of NumPy code."""

    name = "numpy"
    title = "NumPy"
    suffix = ".py"
    mark = "# Written by `lnsym emit numpy"
    trial = "python {} --check"

    def tiers(self, op: str) -> tuple[str, ...]:
        """The tiers in which an operation exists, the default first; one that only a theorem file knows is printed as it stands."""
        if op not in EVERYWHERE:
            return ("plain",)
        return ("safe", "exact", "plain") if op in EXACT else ("safe", "plain")

    def rests_on(self, ops: Sequence[str], tier: str) -> tuple[str, ...]:
        """The operations whose formulas the code uses: normalize is layer_norm without weight and bias."""
        needed = dict.fromkeys(ops)
        if tier == "plain" and "normalize" in needed:
            needed["layer_norm"] = None
        return tuple(needed)

    def source(self, plans: Mapping[str, Plan], ops: Sequence[str], tier: str, command: str) -> str:
        """The module."""
        public = [op for op in ops if op in EVERYWHERE]
        others = [op for op in ops if op not in EVERYWHERE]
        for op in others:
            if not op.isidentifier() or op.startswith("_"):
                raise EmitError(f"the operation {op!r} of an offer is no name for a function; use letters, digits and underscores")
        printed = {op: _printed(op, plan) for op, plan in plans.items() if tier == "plain" and op in ARGUMENTS}
        parts = [_rendered("public", ops=public, notes=lambda op: _notes(op, plans, tier))]
        parts += [_generic(plans[op]) for op in others]
        parts.append(_rendered("arguments"))
        parts += [_rendered(part, rows=printed) if part == "plain" else _as_it_stands(part) for part in ROWS[tier]]
        parts.append(_rendered("vectors", vectors=written(list(vectors(public, tier)))))
        module = _rendered(
            "module",
            head=f"{self.mark} {command.removeprefix('lnsym emit numpy ')}`.",
            title=f"Layer normalization with epsilon for NumPy, {tier} tier.",
            about=_about(plans, tier),
            names=", ".join(f'"{op}"' for op in sorted(ops)),
            body="\n".join(parts),
        )
        return reached(module, (*ops, "__all__"))

    def records(self, source: str, plans: Sequence[Plan], tier: str) -> list[dict[str, object]]:
        """What was proved of the very text, function by function."""
        from lnsym.emit.validate import validate

        records = validate(source, plans, tier, thorough=tier != "exact")  # the stages of the exact tier have too many paths
        printed = [plan.op for plan in plans if plan.op not in EVERYWHERE]
        if printed:
            records.append({"functions": printed, "method": "printed from the formula as it stands; this text was not traced"})
        return records


TARGET = NumpyTarget()


# ---------------------------------------------------------------- templates


@cache
def _environment() -> jinja2.Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(TEMPLATES, encoding="utf-8")
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)


def _rendered(part: str, **values: Any) -> str:
    return _environment().get_template(f"{part}.py.j2").render(**values)


def _as_it_stands(part: str) -> str:
    """The text of a part without directives: all of it is Python, so that it can be read, run and checked by itself."""
    return (TEMPLATES / f"{part}.py.j2").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the plain tier


def _printed(op: str, plan: Plan) -> dict[str, str]:
    """The lines of a row function, and the expression of each result."""
    found = steps(plan.formulas, (*RESERVED, *OUTPUTS.get(op, ())), ARGUMENTS[op])
    level = dict.fromkeys(COLUMNS, ATOM) if op == "layer_norm" else {}
    values = {result.name: expression(result.node, level.get(result.name, SUM)) for result in found.results}
    return {"lines": "\n".join(f"    {line}" for line in lines(found)), **values}


def _generic(plan: Plan) -> str:
    """The function of an operation that has no template of its own: arguments, lines and results are those of its formulas."""
    found = steps(plan.formulas, (*RESERVED, "shape", plan.op), ())
    if any(result.shape == "column" for result in found.results):
        raise EmitError(f"{plan.op}: sums over rows have no function of their own; offer a formula for one row")
    return _rendered(
        "generic",
        op=plan.op,
        found=found,
        matrix=any(result.shape == "matrix" for result in found.results),
        signature=", ".join([*(f"{name}: ArrayLike" for name in found.vectors), *map(_scalar, found.scalars)]),
        returns="_Array" if len(found.results) == 1 else "tuple[_Array, ...]",
        body="\n".join(f"        {line}" for line in lines(found)),
        values=", ".join(_whole(result.node, result.shape, found) for result in found.results),
        title=plan.formulas[0].theorem.derivation.title.replace("\\", "\\\\").replace('"', "'"),
        formula=_formula(found),
        theorems=", ".join(plan.theorems),
    )


def _scalar(name: str) -> str:
    return f"{name}: float = 1e-5" if name == "eps" else f"{name}: float"


def _whole(node: Node, shape: str, found: Steps) -> str:
    """A result in its full shape: a formula without a vector in it must not lose the batch."""
    value = expression(node)
    if not found.vectors or shape == "matrix":
        return f"np.asarray({value})"
    return f"np.broadcast_to({value}, shape).copy()" if shape == "row" else f"np.broadcast_to({value}, (*shape[:-1], 1))[..., 0].copy()"


# ---------------------------------------------------------------- words


def _wrapped(text: str, indent: int = 4) -> str:
    space = " " * indent
    return textwrap.fill(text, WIDTH, initial_indent=space, subsequent_indent=space, break_long_words=False, break_on_hyphens=False)


def _formula(found: Steps) -> str:
    """The formulas as lines of a docstring."""
    return "\n".join(f"        {line}" for line in spoken(found))


def _notes(op: str, plans: Mapping[str, Plan], tier: str) -> str:
    """The notes of a docstring: formula and theorems, units, bound."""
    plan = plans[op]
    found = steps(plan.formulas, (), ARGUMENTS.get(op, ("x", "eps")))
    given = promise.promise(op, tier)
    count = "theorem" if len(plan.theorems) == 1 else "theorems"
    over = "For two shards" if op == "merge_stats" else "Over the d entries of a row"
    blocks = [
        _wrapped(f"{over}, by {count} {', '.join(plan.theorems)} of lnsym::").strip(),
        _formula(found),
        _wrapped(f"Bound: {given.bound}."),
        _wrapped(f"Proved: {given.proved}. Derived: {given.derived}. Measured: {given.measured}."),
    ]
    return "\n\n".join(blocks)


def _about(plans: Mapping[str, Plan], tier: str) -> str:
    """What the module says of itself."""
    theorems = sorted({name for plan in plans.values() for name in plan.theorems})
    blocks = [
        promise.tier_promise(tier),
        f"The promises suppose {promise.HYPOTHESES}. In the bounds {promise.SYMBOLS}.",
        (
            "Results have the widest format of all array arguments; float16 beside bfloat16 gives float32. Integers and booleans count as "
            "float64. Means and rstds are float32 where that format is a half format. A row that holds NaN or infinity comes out as NaN, "
            "and affects no other row, only sums over the rows. Any memory layout, byte order and batch shape will do, empty batches too."
        ),
        f"Theorems, each proved in the process that wrote this file: {', '.join(theorems)}.",
        f"Certificate: sha256 {CERTIFICATE}, printed in full by the command above with --json.",
        "Run this file with --check to have it tried on its own test vectors.",
    ]
    return "\n\n".join(_wrapped(block, 0) for block in blocks)

"""The JavaScript target: one ES module without dependencies, of float64 or of fractions. Imports the plan, the steps and the printer."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lnsym.emit.entrywise import row_function
from lnsym.emit.plan import Plan
from lnsym.emit.printer import spoken
from lnsym.emit.statements import Steps, steps
from lnsym.emit.targets import CERTIFICATE
from lnsym.emit.vectors import Vector, vectors
from lnsym.errors import EmitError

if TYPE_CHECKING:
    import jinja2

TEMPLATES = Path(__file__).parents[1] / "templates" / "javascript"
NUMBERS = {"plain": "floats", "exact": "fractions"}
ENTRY = {"plain": "number", "exact": "(string | number | bigint)"}
USUAL_EPS = {"plain": "1e-5", "exact": '"1/100000"'}
HOLDS = "holds"  # under this name a row function of floats says whether the bound of its row holds
WORDS = """
arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for
function get if implements import in instanceof interface let new null of package private protected public return set static super switch
this throw true try typeof undefined var void while with yield Array ArrayBuffer BigInt DataView Float64Array Infinity JSON Math NaN Number
Object RangeError TypeError globalThis process
"""
RESERVED = (*re.findall(r"\w+", WORDS), "d", "i", "j")
LOCAL = ("batch", "found", "n")  # names within the functions of operations that have no template of their own
WIDTH = 110


@dataclass(frozen=True)
class Signature:
    """What the public function of an operation hands to its row function, and the names of the results as it returns them."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]


SIGNATURES = {
    "normalize": Signature(("x", "eps"), ("u",)),
    "layer_norm": Signature(("x", "weight", "bias", "eps"), ("y", "mean", "rstd")),
    "layer_norm_jvp": Signature(("x", "dx", "weight", "eps"), ("dy",)),
    "layer_norm_vjp": Signature(("dy", "x", "weight", "eps"), ("dx", "dweight", "dbias")),
    "layer_norm_vjp_vjp": Signature(("ddx", "ddweight", "ddbias", "dy", "x", "weight", "eps"), ("ddy", "dx", "dweight")),
    "jacobian": Signature(("x", "eps"), ("jacobian",)),
    "merge_stats": Signature(("n", "mean", "m2", "n_prime", "mean_prime", "m2_prime"), ("n", "mean", "m2")),
}

PROVED = "the formula, by the theorems named, for every d and in real arithmetic; and that the lines of {op}_row below, read back, equal it"
# Why, with U = 2^-53: a caught sum of up to 2^20 numbers errs by U of itself and 2^-66 of their sizes, so that the first mean errs by
# 2 U mean|x|. What is left is taken again: U |mean| for the last rounding and U sqrt(q) for that of the differences, and 0.01 of both is
# room for the second order. A square of a deviation errs by 3 U, the mean of the squares by 3 U more, the sum with eps by 1 U; the root
# halves these and adds 1 U. So u errs by 1 U of its deviation, 4.5 U of the root and 1 U of the quotient, and by U/4 for the square of the
# error of the mean under the condition.
BOUND = (
    "for a row with (|mean| + sqrt(variance))/root <= 2^26 whose variance + eps lies between 2^-960 and 2^1000, |error of {core}| <= 2^-53 "
    "(1.01 (|mean| + sqrt(variance))/root + 7 |{core}|) + 2^-1074 (1 + 1/root){more}; console.warn names a row for which this is void"
)
MORE = (
    ", then one product and one sum, each rounded once; |error of mean| <= 2^-53 1.01 (|mean| + sqrt(variance)) + 2^-1074 and "
    "|error of rstd| <= 2^-53 7 rstd"
)
BOUNDS = {
    "normalize": BOUND.format(core="u", more=""),
    "layer_norm": BOUND.format(core="core", more=MORE),
    "merge_stats": "none; each operation of the formula is rounded once",
}
OTHER_BOUND = "none beyond that of the core, which normalize states; console.warn names a row for which even that is void"
DERIVED = (
    "the bound, on paper, for at most 2^20 entries: a sum catches its rounding errors (Neumaier), a mean is taken again of what is left; "
    "the tests of lnsym find up to 0.99 of it used"
)
ABOUT = {
    "plain": """
Plain tier: the formulas as the theorems state them, in float64. The bound that a function states holds under a condition on the row, which
is checked at run time: console.warn tells when it is void. Bounds suppose finite inputs.

Rows are arrays or typed arrays of numbers; results are plain arrays for plain arrays, else Float64Array. A row with NaN or infinity comes
out as NaN and touches no other row; dweight and dbias, which are sums over rows, become NaN with it.
""",
    "exact": """
Exact tier: the formulas as the theorems state them, in fractions of whole numbers of any size. Nothing is rounded. A row whose variance +
eps is not the square of a fraction is refused with a RangeError.

Numbers come in as whole numbers, BigInt or texts such as "-2/3" and "0.25", and go out as texts in lowest terms.
""",
}


class JavaScriptTarget:
    """One module of JavaScript code."""

    name = "javascript"
    title = "JavaScript"
    suffix = ".mjs"
    mark = "// Written by `lnsym emit javascript"
    trial = "node {} --check"

    def tiers(self, op: str) -> tuple[str, ...]:  # noqa: ARG002 - every operation has both
        """The tiers in which an operation exists, the default first."""
        return ("plain", "exact")

    def rests_on(self, ops: Sequence[str], tier: str) -> tuple[str, ...]:  # noqa: ARG002 - the same in both
        """The operations whose formulas the code of these operations uses: themselves."""
        return tuple(ops)

    def source(self, plans: Mapping[str, Plan], ops: Sequence[str], tier: str, command: str) -> str:
        """The module."""
        public = [op for op in ops if op in SIGNATURES]
        helpers = _helpers(tier)
        taken = (*RESERVED, *_declared(helpers), *ops, *(f"{op}_row" for op in ops))
        words = {"tier": tier, "entry": ENTRY[tier], "usual_eps": USUAL_EPS[tier]}
        parts = [_rendered("public", ops=public, notes=lambda op: _notes(plans[op], tier), **words)]
        parts += [_generic(plans[op], tier, taken, words) for op in ops if op not in SIGNATURES]
        parts.append(f"\n// {'-' * 64} one row each: the formulas as the theorems state them\n")
        parts += ["\n" + _row(plans[op], tier, taken) + "\n" for op in ops]
        parts = [*parts, _reached(helpers, "".join(parts)), _rendered("vectors", vectors=_vectors(plans, public, tier), tier=tier)]
        return _rendered(
            "module",
            head=f"{self.mark} {command.removeprefix('lnsym emit javascript ')}`.",
            title=f"Layer normalization with epsilon for JavaScript, {tier} tier.",
            about=_about(plans, tier),
            body="".join(parts),
            **words,
        )

    def records(self, source: str, plans: Sequence[Plan], tier: str) -> list[dict[str, object]]:  # noqa: ARG002 - the same in both
        """What was proved of the very text, function by function."""
        from lnsym.emit.readback import NotRead, proved

        records: list[dict[str, object]] = []
        for plan in plans:
            try:
                found = proved(source, plan, (HOLDS,))
            except NotRead:
                if plan.op in SIGNATURES:
                    raise
                method = "printed from the formula as it stands; this text was not read back"
                records.append({"functions": [plan.op], "method": method})
                continue
            records.append(
                {
                    "function": plan.op,
                    "method": (
                        "the lines of its row function read back from the text as terms, each result proved equal to the theorem by the "
                        "kernel, in real arithmetic; helpers, sums over rows and the public function are tested only"
                    ),
                    "results": [{"result": f.result, "theorem": f.theorem.name, "claim": f.claim, "d": "every d"} for f in plan.formulas],
                    "paths": 1,  # a row function has no branches
                    "steps": found.steps,
                    "proofs": found.proofs,
                }
            )
        return records


TARGET = JavaScriptTarget()


# ---------------------------------------------------------------- templates


@cache
def _environment() -> jinja2.Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(TEMPLATES, encoding="utf-8")
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)


def _rendered(part: str, **values: Any) -> str:
    return _environment().get_template(f"{part}.mjs.j2").render(**values)


def _helpers(tier: str) -> str:
    """What every function uses: arguments and results, and the numbers of the tier."""
    return _rendered("shapes") + _rendered(NUMBERS[tier])


def _declared(text: str) -> list[str]:
    """The names that a part declares at its top."""
    return [name for line in re.findall(r"^(?:function \w+|const .*)", text, re.MULTILINE) for name in re.findall(r"(\w+)(?= =|$)", line)]


def _reached(helpers: str, users: str) -> str:
    """The helpers without those that neither the users nor other helpers need; a block is what stands between blank lines at the top."""
    blocks = re.split(r"\n\n(?=/|function|const)", helpers)
    used = set(re.findall(r"\w+", users))
    while more := {x for one in blocks if used & {*_declared(one)} for x in re.findall(r"\w+", one)} - used:
        used |= more
    return "\n\n".join(one for one in blocks if not _declared(one) or used & {*_declared(one)}).rstrip("\n") + "\n"


# ---------------------------------------------------------------- functions


def _row(plan: Plan, tier: str, taken: Sequence[str]) -> str:
    """The row function of an operation."""
    known = SIGNATURES.get(plan.op)
    found = _steps(plan, taken)
    if known is None:
        return row_function(f"{plan.op}_row", found, (*found.vectors, *found.scalars), tier == "exact")
    if {*known.results} != {*plan.results}:
        raise EmitError(f"{plan.op}: the book offers {', '.join(plan.results)}, but its function returns {', '.join(known.results)}")
    also = {}
    if tier == "plain" and found.vectors:
        if not {"mean", "variance"} <= {line.name for line in found.lines}:
            raise EmitError(f"{plan.op}: its formula has no mean and variance, on which its bound rests")
        also[HOLDS] = "boundHolds(x, mean, variance, eps)"
    return row_function(f"{plan.op}_row", found, known.arguments, tier == "exact", also)


def _steps(plan: Plan, taken: Sequence[str]) -> Steps:
    known = SIGNATURES.get(plan.op)
    return steps(plan.formulas, taken if known else (*taken, *LOCAL), known.arguments if known else ())


def _generic(plan: Plan, tier: str, taken: Sequence[str], words: Mapping[str, str]) -> str:
    """The function of an operation that has no template of its own: arguments, lines and results are those of its formulas."""
    op, found = plan.op, _steps(plan, taken)
    if not re.fullmatch(r"[A-Za-z]\w*", op, re.ASCII) or op in {*RESERVED, *_declared(_helpers(tier)), "check"}:
        raise EmitError(f"the operation {op!r} of an offer is no name for a function of JavaScript; take another of letters and digits")
    if any(result.shape == "column" for result in found.results):
        raise EmitError(f"{op}: sums over rows have no function of their own; offer a formula for one row")
    given = {"row": "rowsGiven", "scalar": "numbersGiven", "matrix": "matrixGiven"}
    batched, alone = '{}(batch, found, "{}")', 'numberGiven(found[0]["{1}"])'
    values = [(batched if found.vectors else alone).format(given[one.shape], one.name) for one in found.results]
    keyed = ", ".join(f'"{one.name}": {value}' for one, value in zip(found.results, values, strict=True))
    return _rendered(
        "generic",
        op=op,
        found=found,
        matrix=any(result.shape == "matrix" for result in found.results),
        signature=", ".join([*found.vectors, *(f"eps = {words['usual_eps']}" if name == "eps" else name for name in found.scalars)]),
        arguments=", ".join([*(f"rowAt({name}, n)" for name in found.vectors), *found.scalars]),
        values=values[0] if len(values) == 1 else f"{{ {keyed} }}",
        title=plan.formulas[0].theorem.derivation.title.replace("*/", "* /"),
        notes=_lines(_formula(found, plan)),
        **words,
    )


# ---------------------------------------------------------------- words


def _lines(blocks: Sequence[str]) -> str:
    """Paragraphs as lines of a comment."""
    return "\n".join(f" * {line}".rstrip() for line in "\n\n".join(blocks).split("\n"))


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _formula(found: Steps, plan: Plan) -> list[str]:
    count = "theorem" if len(plan.theorems) == 1 else "theorems"
    over = "For two shards" if plan.op == "merge_stats" else "Over the d entries of a row"
    return [_filled(f"{over}, by {count} {', '.join(plan.theorems)} of lnsym:"), "\n".join(f"    {line}" for line in spoken(found))]


def _notes(plan: Plan, tier: str) -> str:
    """The description of a function: formula and theorems, bound, what it rests on."""
    blocks = _formula(_steps(plan, ()), plan)
    if tier == "plain":
        derived = f" Derived: {DERIVED}." if plan.op in ("normalize", "layer_norm") else " Derived: no bound."
        blocks += [_filled(f"Bound: {BOUNDS.get(plan.op, OTHER_BOUND)}."), _filled(f"Proved: {PROVED.format(op=plan.op)}.{derived}")]
    else:
        blocks += [_filled(f"Exact: nothing is rounded. Proved: {PROVED.format(op=plan.op)}.")]
    return _lines(blocks)


def _about(plans: Mapping[str, Plan], tier: str) -> str:
    """What the module says of itself."""
    theorems = sorted({name for plan in plans.values() for name in plan.theorems})
    blocks = [
        *ABOUT[tier].strip().split("\n\n"),
        f"Theorems, each proved in the process that wrote this file: {', '.join(theorems)}.",
        f"Certificate: sha256 {CERTIFICATE}, printed in full by the command above with --json.",
        "check() tries this module on its own test vectors, and so does `node FILE --check`.",
    ]
    return _lines([_filled(block) for block in blocks])


# ---------------------------------------------------------------- test vectors


def _vectors(plans: Mapping[str, Plan], ops: Sequence[str], tier: str) -> str:
    rows = _exact_vectors(plans, ops) if tier == "exact" else map(_plain_vector, vectors(ops, tier))
    return "[\n" + "".join(f"  {row},\n" for row in rows if row) + "]"


def _plain_vector(vector: Vector) -> str:
    """A vector in float64 as JavaScript; empty for one in another format."""
    if vector.form != "float64":
        return ""
    given = vector.arguments
    if vector.function == "merge_stats":
        called = [_shard(given[name]) for name in ("first", "second")]
    else:
        called = [_literal(given.get(name)) for name in SIGNATURES[vector.function].arguments]
        called += ["{ returnStats: true }"] * ("return_stats" in given)
    return f"[{vector.function}, [{', '.join(called)}], {_literal(vector.answers)}]"


def _exact_vectors(plans: Mapping[str, Plan], ops: Sequence[str]) -> Iterator[str]:
    from lnsym.emit.exact_vectors import exact_calls

    for op in ops:
        known = SIGNATURES[op]
        for given, answers in exact_calls(plans[op], known.arguments, known.results):
            if op == "merge_stats":
                values = tuple(map(str, given.values()))
                called = [_shard(values[:3]), _shard(values[3:])]
            else:
                called = [_literal(_texts(given[name])) for name in known.arguments]
                called += ["{ returnStats: true }"] * (op == "layer_norm")
            yield f"[{op}, [{', '.join(called)}], {_literal(_texts(tuple(answers)))}]"


def _texts(value: Any) -> Any:
    return tuple(map(_texts, value)) if isinstance(value, tuple) else str(value)


def _shard(values: Sequence[Any]) -> str:
    return f"{{ n: {_literal(values[0])}, mean: {_literal(values[1])}, m2: {_literal(values[2])} }}"


def _literal(value: Any) -> str:
    match value:
        case None:
            return "null"
        case str():
            return f'"{value}"'
        case tuple():
            return f"[{', '.join(map(_literal, value))}]"
    return repr(value)

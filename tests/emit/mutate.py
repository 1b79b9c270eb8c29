"""Mutants of the emitted source: one operator, constant, condition or statement of a row function changed, and what becomes of each.

`python -m tests.emit.mutate` judges all mutants of all tiers and writes tests/data/equivalent_code_mutants.json. Changes are made in the
syntax tree, so that they do not depend on how the text is laid out. Imports the battery, the oracle and the emitted code.
"""

from __future__ import annotations

import ast
import builtins
import copy
import json
import multiprocessing
import os
import re
import resource
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from tests.emit.battery import FILL, Names, Probe, probes
from tests.emit.contracts import Contract

TABLE = Path(__file__).parents[1] / "data" / "equivalent_code_mutants.json"
TIERS = ("exact", "safe", "plain")
SECONDS = 5.0  # a call that takes longer, of a few milliseconds, is taken to go on for ever
MEMORY = 4 * 2**30
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # else the order of a sum depends on how many processors there are
SWAPPED_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SWAPPED_FUNCTIONS = {
    "add": "subtract",
    "subtract": "add",
    "multiply": "divide",
    "divide": "multiply",
    "maximum": "minimum",
    "minimum": "maximum",
}
FLIPPED_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
DROPPABLE = (ast.Add, ast.Sub, ast.BitAnd, ast.BitOr)
Node = ast.AST
Replace = Callable[[Node], None]


@dataclass(frozen=True)
class Mutant:
    """One changed function of a module; `name` says which, and what was changed."""

    name: str
    function: str
    line: int
    code: CodeType = field(repr=False, compare=False)


# ---------------------------------------------------------------- one thing changed


def _changes(node: Node) -> Iterator[tuple[str, Node]]:
    """What may stand in place of this node: a word for the change, and the other node."""
    match node:
        case ast.Constant(value=bool() | None):
            return
        case ast.Constant(value=int(value)):
            yield "constant + 1", ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield "constant halved" if value else "constant 0 to 1", ast.Constant(value / 2 if value else 1.0)
        case ast.BinOp(left, op, right):
            yield from _of_operator(left, op, right)
        case ast.UnaryOp(ast.USub() | ast.Invert() | ast.Not(), operand):
            yield "sign dropped", operand
        case ast.Compare(left, [comparison], right_side) if type(comparison) in FLIPPED_COMPARISONS:
            yield "comparison flipped", ast.Compare(left, [FLIPPED_COMPARISONS[type(comparison)]()], right_side)
        case ast.BoolOp(_, values):
            yield from (("condition dropped", value) for value in values)
        case ast.IfExp(_, body, orelse):
            yield "always the first", body
            yield "always the second", orelse
        case ast.Call(ast.Attribute(module, "where", context), [_, first, second], []):
            yield "where: always the first", first
            yield "where: always the second", second
        case ast.Call(ast.Attribute(module, name, context), args, keywords) if name in SWAPPED_FUNCTIONS:
            yield f"{name} to {SWAPPED_FUNCTIONS[name]}", ast.Call(ast.Attribute(module, SWAPPED_FUNCTIONS[name], context), args, keywords)
        case ast.AugAssign(target, op, value):
            yield "statement dropped", ast.Pass()
            if type(op) in SWAPPED_OPERATORS:
                yield "operator swapped", ast.AugAssign(target, SWAPPED_OPERATORS[type(op)](), value)
        case ast.Expr(ast.Call()):
            yield "statement dropped", ast.Pass()
        case ast.Assign([target], value) if isinstance(target, ast.Subscript) or _names(target) & _names(value):
            yield "statement dropped", ast.Pass()
        case ast.If(test, body, orelse) if not isinstance(test, ast.Constant):
            yield "branch always taken", ast.If(ast.Constant(True), body, orelse)
            yield "branch never taken", ast.If(ast.Constant(False), body, orelse)
        case _:
            return


def _of_operator(left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[tuple[str, Node]]:
    if type(op) in SWAPPED_OPERATORS:
        yield "operator swapped", ast.BinOp(left, SWAPPED_OPERATORS[type(op)](), right)
    if isinstance(op, DROPPABLE):
        yield "right term dropped", left
    if isinstance(op, (ast.BitAnd, ast.BitOr)):
        yield "left term dropped", right


def _names(node: Node) -> set[str]:
    """The variables that are set or read in it."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


# ---------------------------------------------------------------- where in a function


def _places(node: Node) -> Iterator[tuple[Node, Replace]]:
    """Every node below this one, with what puts another in its place; annotations and docstrings are left out."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "ctx", "type_ignores"):
            continue
        if isinstance(value, ast.AST):
            yield value, lambda new, name=name: setattr(node, name, new)  # type: ignore[misc]
            yield from _places(value)
        elif isinstance(value, list):
            for k, one in enumerate(value):
                if isinstance(one, ast.AST) and not _is_text(one):
                    yield one, lambda new, k=k, value=value: value.__setitem__(k, new)  # type: ignore[misc]
                    yield from _places(one)


def _is_text(node: Node) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _one_line(node: Node) -> str:
    """The beginning of a statement or expression as text."""
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 70 else text[:67] + "..."


def _statement_of(function: ast.FunctionDef) -> dict[int, ast.stmt]:
    """The innermost statement around each node, by the node's identity."""
    around: dict[int, ast.stmt] = {}

    def visit(node: Node, statement: ast.stmt) -> None:
        here = node if isinstance(node, ast.stmt) else statement
        around[id(node)] = here
        for child in ast.iter_child_nodes(node):
            visit(child, here)

    visit(function, function)
    return around


def mutants_of(function: ast.FunctionDef, tier: str = "") -> Iterator[Mutant]:
    """All mutants of one function, each compiled to code that defines it."""
    seen: Counter[str] = Counter()
    function = copy.deepcopy(function)
    statements = _statement_of(function)
    module = ast.Module([function], [])
    for node, replace in list(_places(function)):
        statement = _one_line(statements[id(node)])
        for word, new in _changes(node):
            name = f"{tier}{function.name}: {statement} | {word}: {_one_line(node)} -> {_one_line(new)}"
            seen[name] += 1
            replace(new)
            ast.fix_missing_locations(module)
            code = builtins.compile(module, f"<{name}>", "exec")
            replace(node)
            yield Mutant(name if seen[name] == 1 else f"{name} #{seen[name]}", function.name, getattr(node, "lineno", 0), code)


def mutants(source: str, functions: frozenset[str], tier: str = "") -> Iterator[Mutant]:
    """All mutants of the named top-level functions of a module, in the order of its text."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            yield from mutants_of(node, tier)


# ---------------------------------------------------------------- the functions of a module


def functions_of(source: str) -> dict[str, ast.FunctionDef]:
    """The private functions at the top of a module."""
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name.startswith("_")}


def reached(source: str, operations: Iterable[str]) -> set[str]:
    """The private functions that one of the operations reaches, itself included."""
    functions = functions_of(source)
    found, todo = set[str](), [*operations]
    while todo:
        name = todo.pop()
        if name in functions and name not in found:
            found.add(name)
            todo += _names(functions[name])
    return found


def loaded(code: CodeType, mutant: Mutant | None = None) -> Names:
    """The names of a module, with one function replaced by its mutant."""
    names: Names = {"__name__": "emitted"}
    exec(code, names)
    if "np" in names:
        names["np"] = FILLED
    if mutant is not None:
        exec(mutant.code, names)
    return names


def _filled() -> ModuleType:
    """NumPy whose empty arrays hold NaN, those of whole numbers 77: reading what was not written has the same outcome every time."""
    filled = ModuleType("numpy")
    filled.__dict__.update(vars(np))

    def fill(array: Any) -> Any:
        array[...] = np.nan if array.dtype.kind in "fV" else FILL
        return array

    filled.__dict__["empty"] = lambda *args, **options: fill(np.empty(*args, **options))
    filled.__dict__["empty_like"] = lambda *args, **options: fill(np.empty_like(*args, **options))
    return filled


FILLED = _filled()


# Arguments that say which components or rows an earlier stage left undecided.
LEFT = ("rows", "columns")
SLOW = "_scaled"  # the end of the names of functions for rows that are out of the ordinary


def count_work(names: Names) -> Counter[str]:
    """Make the module count, for each function that takes what an earlier stage left or rows out of the ordinary, how much that is."""
    work = Counter[str]()

    def counting(function: FunctionType, place: int) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            if len(args) > place and isinstance(args[place], np.ndarray):
                work[function.__name__] += args[place].size
            return function(*args)

        return counted

    for name, value in list(names.items()):
        if isinstance(value, FunctionType) and name.startswith("_"):
            parameters = value.__code__.co_varnames[: value.__code__.co_argcount]
            place = next((k for k, one in enumerate(parameters) if one in LEFT), 0 if name.endswith(SLOW) else None)
            if place is not None:
                names[name] = counting(value, place)
    return work


# ---------------------------------------------------------------- what becomes of a mutant


LESS = "less work"
SLACK = "fewer components go on to later stages, and all are right: the bound has slack, see tests/data/slack.json"


class TooLongError(Exception):
    """A mutant that does not come to an end."""


def _give_up(_: int, __: FrameType | None) -> None:
    raise TooLongError


def failure(names: Names, tier: str, chosen: Iterable[Probe | Contract], seconds: float = SECONDS) -> str | None:
    """The first thing that is wrong with a module, or None."""
    signal.signal(signal.SIGVTALRM, _give_up)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for probe in chosen:
                signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
                if found := probe.failure(names, tier):
                    return found
    except Exception as error:  # noqa: BLE001 a mutant may fail in any way
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _called(names: Names, tier: str, probe: Probe | Contract) -> set[str]:
    """The functions of the module that a probe calls."""
    found = set[str]()
    code = {value.__code__: name for name, value in names.items() if isinstance(value, FunctionType)}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in code:
            found.add(code[frame.f_code])

    sys.setprofile(note)
    try:
        wrong = failure(names, tier, [probe], 60.0)
    finally:
        sys.setprofile(None)
    if wrong:
        raise AssertionError(f"the {tier} tier itself fails: {wrong}")
    return found


def judged_mutants(source: str, tier: str, battery: Iterable[Probe | Contract]) -> list[Mutant]:
    """All mutants of the functions that the battery reaches."""
    return list(mutants(source, frozenset(reached(source, {probe.operation for probe in battery})), f"{tier} "))


class Judge:
    """A module with its battery; a mutant is judged by the probes that call the changed function."""

    def __init__(self, source: str, tier: str, battery: list[Probe | Contract]) -> None:
        """Compile the module, list its mutants, and make sure that the module itself passes."""
        self.tier, self.code = tier, builtins.compile(source, f"<{tier}>", "exec")
        self.probes: dict[str, list[tuple[Probe | Contract, Counter[str]]]] = {}
        for probe in battery:
            names = loaded(self.code)
            called = _called(names, tier, probe)
            work = count_work(names)
            failure(names, tier, [probe])
            for name in called:
                self.probes.setdefault(name, []).append((probe, work))
        self.mutants = judged_mutants(source, tier, battery)

    def verdict(self, number: int) -> str | None:
        """How this mutant fails: a wrong answer, or more work for later stages. None, or LESS for less work, if it passes.

        The probe that catches a mutant is the first to be tried on the function's next one. Probes leave nothing behind, so that their
        order has no part in whether a mutant is caught.
        """
        mutant, less = self.mutants[number], False
        try:
            names = loaded(self.code, mutant)
        except Exception as error:  # noqa: BLE001 a mutant may fail in any way
            return type(error).__name__
        work = count_work(names)
        chosen = self.probes.get(mutant.function, [])
        for place, (probe, usual) in enumerate(chosen):
            work.clear()
            wrong = failure(names, self.tier, [probe])
            if wrong is None and (more := [name for name in work if work[name] > usual[name]]):
                wrong = f"{probe.name}: more is left to {more[0]}"
            if wrong:
                chosen.insert(0, chosen.pop(place))
                return wrong
            less |= work != usual
        return LESS if less else None


_judge: Judge | None = None


def _start(source: str, tier: str, battery: list[Probe | Contract]) -> None:
    """Make the judge of this process."""
    global _judge  # noqa: PLW0603 a worker process has one
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    _judge = Judge(source, tier, battery)


def _judged(numbers: list[int]) -> list[tuple[int, str | None]]:
    """The verdicts on some mutants."""
    assert _judge is not None
    return [(number, _judge.verdict(number)) for number in numbers]


def verdicts(
    source: str, tier: str, battery: list[Probe | Contract], wanted: Callable[[int, str], bool] = lambda *_: True, workers: int = 2
) -> list[tuple[Mutant, str | None]]:
    """The mutants whose number and name are wanted, and what becomes of each; by fresh processes, or by this one if workers is 1."""
    found = judged_mutants(source, tier, battery)
    chosen = [number for number, mutant in enumerate(found) if wanted(number, mutant.name)]
    if workers == 1:
        judge = Judge(source, tier, battery)
        return [(found[n], judge.verdict(n)) for n in chosen]
    parts = [chosen[k :: 8 * workers] for k in range(8 * workers)]
    context = multiprocessing.get_context("spawn")
    with patch.dict(os.environ, ONE_THREAD), ProcessPoolExecutor(workers, context, _start, (source, tier, battery)) as pool:
        judged = dict(pair for part in pool.map(_judged, parts) for pair in part)
    return [(found[n], judged[n]) for n in chosen]


def passing(judged: Iterable[tuple[Mutant, str | None]]) -> dict[str, str]:
    """The mutants that pass, each with the reason why it may, or with none."""
    return {mutant.name: SLACK if verdict else reason_for(mutant.name) or "" for mutant, verdict in judged if verdict in (None, LESS)}


# ---------------------------------------------------------------- mutants that change nothing that is promised

BOUND = "an error bound: changed, it still covers the errors of all rows that were tried (how much slack there is: tests/data/slack.json)"
# Why a mutant may pass: a pattern of its name, and the reason. The first that fits counts; what fits none is a finding.
REASONS: tuple[tuple[str, str], ...] = (
    (r"^plain .*sign dropped: -1 -> 1", "rows are the second of two axes: axis 1 is axis -1"),
    (r"_warn_where_void: warnings.warn.*constant", "stacklevel: which of the caller's lines a warning names"),
    (r"_warn_where_void: if broken.any\(\).*always taken", "the test saves time only: where nothing is broken, nothing is replaced"),
    (
        r" _(exact_)?(block_rows|is_short|is_few|blocks|repeated|use_small_buffers|gradient_rows|gradient_panel|panel_rows): ",
        "how many rows are taken at once, and in which layout, changes the time only",
    ),
    (r"_block_rows\(d, 8\).*constant", "how many rows are taken at once changes the time only"),
    (r" _(layer_norm_blocks): (weight|bias) = .*statement dropped", "a repeated vector saves time only"),
    (
        r" _(row_sum|row_dot|column_sum|add_to|sum_groups|dot_groups|grouped_product|dot_of_slices): ",
        "the same sum in another order or by another form, which the bounds allow for",
    ),
    (r"if (ddy|dx|dweight|dbias) is not None.*always taken", "what nobody asked for is computed and thrown away: time only"),
    (
        r"(mean \+ shift|_centre_scaled: mean \+= shift)",
        "the mean before its correction is within the bound; what counts are the deviations, which are corrected too",
    ),
    (r" _(is_ordinary|none_is_special): .*constant", "where ordinary rows end is a choice: on both sides both ways are within the bound"),
    (
        r"if (not _all\(ordinary\)|not _none_is_special.*|[yh].dtype != \w+.dtype).*always taken",
        "an empty set of rows is treated, or a block copied onto itself: time only",
    ),
    (r" _exponent: .*isfinite", "a row that is not finite comes out NaN whatever power of two it is divided by"),
    (r" _centre_scaled: for _ in range", "one correction more than needed"),
    (r" _normalize_scaled: f = ", "the power of two of the root lies near that of eps either way: nothing overflows or vanishes"),
    (r" _layer_norm_rows: if statistics is not None.*never taken", "the way for many rows gives the same for few"),
    (
        r"(_vjp_scaled: dy = _in_float64|_vjp_vjp_rows: ddweight, ddbias, weight = ).*statement dropped",
        "numbers of a narrower format are widened in the next product, or that product is within the bound in float32",
    ),
    (r" _(vjp_block: if weight is not None|has_vanished: )", "rows go the slow way without need, or rows of zeros stay: time only"),
    (r" _repair_sums: if out is None", "a sum over a row that is not finite is NaN, also when it is formed again"),
    (r" _add_to_diagonal: .*constant \+ 1: 1 -> 2", "NumPy takes every negative size for the one that is left open"),
    (r" _add_to_diagonal: .*constant \+ 1: 0 -> 1", "the matrix is square"),
    (r" _merge_stats: .*first\[1\]", "the arrays have one format"),
    (
        r"_(repair_sums|vjp_vjp_rows): .*_total\(sums, \(0.0, 0\)",
        "the total of nothing, which is not asked for: no rows leave no sum to repair",
    ),
    (r" _layer_norm_rows: if _is_few", "the way for few rows and the way for many give answers within the bound"),
    (r" _centre_again: shift = ", "a mean that is small enough is taken away, too, which does no harm"),
    (
        r"exact _(nearest_root_form|reciprocal_root): ",
        "an enclosure by some more digits saves time; what it leaves open is settled by whole numbers",
    ),
    (
        r"exact _(weigh_words|core_words|growth|row_bound|size_bound|error_scale|reach|grid_stages|grid_words|narrow_retry): ",
        BOUND,
    ),
    (
        r"exact (_sum_squares: fits|_root_on_grid: cross, cross_low = .*top \* h -> top / h$)",
        "sums that are still exact, or whose lost digits the bound of the root covers in all rows that were tried",
    ),
    (r"exact (_moment_growth|_row_words: slack|_retry_gradient: value, settled|_narrow_block: return)", BOUND),
    (r"exact _(exponent_of|shift_and_scale): ", "another power of two taken out of a row: what is left is as exact"),
    (r"exact _round_gradient: (np.add|tail)", "where the rounding is settled, any number within the bound gives the answer"),
    (r"exact _in_rows: ", "a test that saves time"),
    (r"exact _cut_cotangent: reach", "another power of two taken out of a row: what is left is as exact"),
    (r"exact _float64_gradients: (unsettled|dx\[)", "a part of scratch that nothing is read from; rows that come out NaN by themselves"),
    (r"exact _plain_words: finite", "a row that is not finite is found by its other mean"),
    (r"exact _narrow_finish: part", "scratch has no more rows than a block"),
    (
        r"safe (_vjp_few|_vjp_rows: (if few|few = .*condition dropped.* -> x\.dtype == dy\.dtype == working$))",
        "the way for few rows and the way for many give answers within the bound",
    ),
    (
        r"safe _vjp_vjp_(block|rows): (of_|if not _all|ordinary|finite|result|if ddx|if out|[yh] = )",
        "rows go the slow way without need, rows of zeros stay, or what nobody asked for is computed: time only",
    ),
    (
        r"exact \w+: (error|bound|drift|relative|left|lost|size|total\[3\]|scale = _error_scale|row_rstd|sure|usable &= \(error) ",
        BOUND,
    ),
    (
        r"exact _(divide_by_count|sum_words|mean_words|centre_on_grid|settle_means|round_columns|core_words|rounded): (return|sure)",
        BOUND,
    ),
    (
        r"exact \w+: (usable|certain|near|fine|far|level|shift|pivot|known|if far|if not near|if not \(_all|if still|scale|return \(x >)",
        "by which form or stage a row is treated: each gives the right answer, and no more is left to later ones",
    ),
    (
        r"exact _(three_words|careful_rows|sum_words|settle_means|round_columns|retry_gradient|reciprocal_root_words): .*two_sum",
        "words that overlap a little: what follows puts them in order, within the bounds",
    ),
    (r"exact (_three_words: return|_centre_on_grid: low)|exact _add_columns: total\[2\]", "the last word, below what the bounds allow for"),
    (
        r"exact \w+: (anchor|head|upper|shifted|middle, |mixed, |square, )|exact _slice_bits",
        "a grid twice as coarse or as fine: parts still add or split exactly",
    ),
    (
        r"exact (_half_exponent|_scale|_shift_of_range|_in_band|_prepared_weight|_careful_rows: (half|none|q_exp)|_plain_words: offset)",
        "another power of two or another shift taken out of a row: what is left is as exact",
    ),
    (
        r"exact _(cut_cotangent|shift_and_scale|block_words): return",
        "a row that is not finite is found by its other end, or by another array",
    ),
    (
        r"exact \w+: (xs, gs, halves|scaled, error, term|_add_weight_gradient|return \[np|rows = stop|np.multiply\(scaled|n, d = )",
        "a scratch array more, or a part of one that nothing is read from",
    ),
    (
        r"exact \w+: if ",
        "a test that saves time: without it nothing is done twice, or what is done anew comes out the same",
    ),
    (r"exact _(round_weight_gradient|vjp_rows|narrow_gradients): ", "sums at the ends of the range, within the stated bound either way"),
    (r"exact _round_words: ", "a case that cannot occur beside the others: the bound has made the component uncertain already"),
    (
        r"exact _(settle_rows|finish_panel|bias_gradient|plain_blocks): ",
        "an empty selection, or rows that come out NaN by themselves; the integers that stand behind have probes of their own",
    ),
    (
        r"exact _(odd_parts|common_scale|nearest|nearest_ratio): ",
        "the exponent of zero, or a power of two put elsewhere: the same number",
    ),
    (
        r"exact _(exact_output_components|exact_row_statistics|exact_gradient_components): ",
        "a number of the other form of zero, or digits beyond those of the format: the same number",
    ),
    (r"exact _columns: ", "a weight of ones in place of none"),
    (
        r" _merge_stats: (share1, share2|mean = np.where)",
        "either formula is within the bound; the choice keeps an empty shard exact, which the public function sees to as well",
    ),
)


def reason_for(name: str) -> str | None:
    """Why this mutant may pass, or None."""
    return next((reason for pattern, reason in REASONS if re.search(pattern, name)), None)


def listed() -> dict[str, str]:
    """The mutants that pass, with the reasons, as they are committed."""
    return dict(json.loads(TABLE.read_text(encoding="utf-8"))["equivalent"])


def main(tiers: Iterable[str] = TIERS) -> int:
    """Judge all mutants of the tiers, and write the table of those that pass; what it says of other tiers stays."""
    from tests.emit.modules import source

    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {"counts": {}, "equivalent": {}}
    counts = {tier: table["counts"][tier] for tier in TIERS if tier in table["counts"]}
    equivalent = {name: reason for name, reason in table["equivalent"].items() if name.split()[0] not in tiers}
    for tier in tiers:
        judged = verdicts(source(tier), tier, probes(tier))
        passed = passing(judged)
        counts[tier] = {"mutants": len(judged), "caught": len(judged) - len(passed), "equivalent": len(passed)}
        equivalent |= passed
    table = {"written by": "python -m tests.emit.mutate", "counts": counts, "equivalent": equivalent}
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    sys.stdout.write(f"{counts}\n")
    findings = [name for name, reason in equivalent.items() if not reason]
    sys.stdout.writelines(f"passes without a reason: {name}\n" for name in findings)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or TIERS))

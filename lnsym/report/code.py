"""The emitted code in the report: which function of which file computes what by which theorem, and what is promised. Imports up to emit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lnsym.emit.build import Emitted, build
from lnsym.emit.plan import ORDER, Formula, Plan, plans
from lnsym.emit.promise import HYPOTHESES, SYMBOLS, TIERS, promise, tier_promise
from lnsym.emit.targets import target
from lnsym.notation import latex
from lnsym.report.records import Code, Function, Link, Module, Promised, Result

TARGET = "numpy"
FOLDER = "code"


def emitted(tier: str) -> Emitted:
    """The module of one tier with every function that the tier has, its text validated."""
    return build(TARGET, None, tier)


def file_name(tier: str) -> str:
    """Where a report keeps the module of a tier."""
    return f"{FOLDER}/layer_norm_{tier}{target(TARGET).suffix}"


def code(made: Mapping[str, Emitted], titles: Mapping[str, str]) -> Code:
    """The functions with their theorems, and the module of each tier."""
    planned = {plan.op: plan for plan in plans()}
    tiers = target(TARGET).tiers
    functions = tuple(_function(planned[op], tiers(op), titles) for op in ORDER if op in planned)
    return Code(functions, tuple(_module(tier, made[tier]) for tier in TIERS if tier in made), HYPOTHESES, SYMBOLS)


def _function(plan: Plan, tiers: Sequence[str], titles: Mapping[str, str]) -> Function:
    return Function(plan.op, tuple(tiers), tuple(_result(formula, titles) for formula in plan.formulas))


def _result(formula: Formula, titles: Mapping[str, str]) -> Result:
    name = formula.theorem.name
    return Result(formula.result, latex(formula.term), Link(name, titles[name]), formula.claim)


def _module(tier: str, made: Emitted) -> Module:
    certificate: Mapping[str, Any] = made.certificate
    promised = []
    for op in certificate["operations"]:
        given = promise(op, tier)
        promised.append(Promised(op, given.bound, given.proved, given.derived, given.measured))
    validated = tuple(_validated(certificate["validation"]))
    return Module(tier, file_name(tier), tier_promise(tier), tuple(promised), validated, made.hash, made.source)


def _validated(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What was proved of the text: a line for each public function, then the identities, then what answers to the oracle."""
    pieces = []
    for record in records:
        if "proofs" in record:
            paths, proofs = _counted(record["paths"], "path"), _counted(record["proofs"], "equation")
            yield f"`{record['function']}`: {paths} through the text, {proofs} proved for every $d$"
        elif "identities" in record:
            pieces.append(record)
    for method in dict.fromkeys(piece["method"] for piece in pieces):
        own = [piece for piece in pieces if piece["method"] == method]
        sizes = sorted({d for piece in own for d in piece["d"]})
        yield f"{_listed(piece['function'] for piece in own)}, at $d$ = {', '.join(map(str, sizes))}: {method}"
    for record in records:
        if "functions" in record:
            yield f"{_listed(record['functions'])}: {record['method']}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

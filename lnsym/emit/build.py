"""From operations to an emitted file with its certificate: plan, gate, target, validation, hash. Imports the parts of emit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lnsym.emit.plan import EmitInputError, Plan, in_order, offers, plans, suggestion, verified
from lnsym.emit.promise import TIERS
from lnsym.emit.targets import CERTIFICATE, Target, target
from lnsym.notation import text as written

DEFAULT_TIER = "safe"


@dataclass(frozen=True)
class Emitted:
    """A file, and what was proved of it."""

    source: str
    certificate: Mapping[str, object]

    @property
    def hash(self) -> str:
        """The certificate's hash, as the file states it."""
        return digest(self.certificate)


def build(language: str = "numpy", ops: Iterable[str] | None = None, tier: str = DEFAULT_TIER, validate: bool = True) -> Emitted:
    """The file for the operations named, or for all that the tier has; refused unless every theorem behind it is proved here and now."""
    chosen = target(language)
    own = chosen_ops(chosen, ops, tier)
    needed = chosen.rests_on(own, tier)
    return assembled(chosen, {plan.op: plan for plan in plans(needed)}, own, tier, command(language, ops, own, tier), validate)


def assembled(chosen: Target, planned: Mapping[str, Plan], ops: Sequence[str], tier: str, made_by: str, validate: bool = True) -> Emitted:
    """The file for given plans, each of which must pass the gate."""
    checked = {op: verified(plan) for op, plan in planned.items()}
    draft = chosen.source(checked, ops, tier, made_by)
    records = chosen.records(draft, tuple(checked.values()), tier) if validate else []
    found = certificate(chosen, tuple(checked.values()), ops, tier, records) | {"text": hashlib.sha256(draft.encode()).hexdigest()}
    return Emitted(draft.replace(CERTIFICATE, digest(found)), found)


def chosen_ops(chosen: Target, ops: Iterable[str] | None, tier: str) -> tuple[str, ...]:
    """The operations asked for, in order, each of which must exist in the tier; all of the tier's when none is named."""
    known = offers()
    every = tuple(dict.fromkeys(one for op in known for one in chosen.tiers(op)))
    if tier in TIERS and tier not in every:
        raise EmitInputError(f"{chosen.name} has no tier {tier}; choose the tier among {', '.join(every)}: see lnsym emit --list")
    if tier not in every:
        raise EmitInputError(f"no tier {tier!r}; {suggestion(tier, every)}")
    if ops is None:
        return tuple(op for op in known if tier in chosen.tiers(op))
    wanted = tuple(ops)
    for op in wanted:
        if op not in known:
            raise EmitInputError(f"no operation {op!r}; {suggestion(op, known)}")
        if tier not in chosen.tiers(op):
            there = ", ".join(chosen.tiers(op)) or "no tier"
            raise EmitInputError(f"{op} does not exist in the tier {tier}; it exists in {there}: see lnsym emit --list")
    if not wanted:
        raise EmitInputError(f"no operation named; choose among {', '.join(known)}")
    return in_order(wanted)


def command(language: str, ops: Iterable[str] | None, own: Sequence[str], tier: str) -> str:
    """The command that makes the file."""
    named = f" --op {','.join(own)}" if ops is not None else ""
    return f"lnsym emit {language} --tier {tier}{named}"


def certificate(
    chosen: Target, checked: Sequence[Plan], ops: Sequence[str], tier: str, records: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    """What was proved for which function; holds no date, path or version."""
    formulas = [
        {
            "operation": plan.op,
            "result": formula.result,
            "theorem": formula.theorem.name,
            "claim": formula.claim,
            "status": formula.theorem.claims[formula.claim - 1].status,
            "statement": written(formula.relation, ascii=True),
            "given": [written(hypothesis, ascii=True) for hypothesis in formula.given],
            "names": dict(sorted(formula.names.items())),
        }
        for plan in checked
        for formula in plan.formulas
    ]
    return {
        "schema": "lnsym.emit/1",
        "target": chosen.name,
        "tier": tier,
        "operations": list(ops),
        "formulas": formulas,
        "validation": [dict(record) for record in records],
    }


def digest(found: Mapping[str, object]) -> str:
    """The SHA-256 of a certificate."""
    return hashlib.sha256(json.dumps(found, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

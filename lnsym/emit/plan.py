"""From proved theorems to what emitted functions must compute. Imports up to the library.

A plan says, for one operation, which formula gives each result, and of which theorem the formula is the right side. verified()
proves those theorems anew, in the process that emits, and compares formula by formula: what it does not accept is not emitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from typing import cast

from lnsym import library
from lnsym.derivation import Claim, Derivation, Example, Offer, Theorem, check, claims_of
from lnsym.errors import DerivationError, EmitError, LnsymError
from lnsym.kernel.terms import Add, Array, Entry, Hypothesis, Mul, Num, Pow, Relation, Sum, Sym, Term, Theory, Word, children

ORDER = ("normalize", "layer_norm", "layer_norm_jvp", "layer_norm_vjp", "layer_norm_vjp_vjp", "jacobian", "merge_stats")


class EmitInputError(LnsymError):
    """An operation, tier or target that does not exist, or that do not go together."""


@dataclass(frozen=True)
class Formula:
    """One result of an operation: the right side of a claim of a theorem, and what its symbols are called in code."""

    result: str
    relation: Relation
    theorem: Theorem
    claim: int
    names: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.result, self.relation, self.theorem.name, self.claim))

    @property
    def term(self) -> Term:
        """What is computed: the right side, with the holes of an array filled."""
        return self.relation.opened()[1]

    @property
    def given(self) -> tuple[Hypothesis, ...]:
        """The hypotheses under which it was proved."""
        return self.theorem.claims[self.claim - 1].given

    @property
    def theory(self) -> Theory:
        """The definitions in which it is stated."""
        proved = self.theorem.claims[self.claim - 1].proved
        return proved.theory if proved is not None else library.book().theory


@dataclass(frozen=True)
class Plan:
    """What one operation computes: its results in order, each with its formula."""

    op: str
    formulas: tuple[Formula, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """The names of the results."""
        return tuple(formula.result for formula in self.formulas)

    @property
    def theorems(self) -> tuple[str, ...]:
        """The names of the theorems behind it, each once."""
        return tuple(dict.fromkeys(formula.theorem.name for formula in self.formulas))

    def formula(self, result: str) -> Formula:
        """The formula of one result."""
        return next(formula for formula in self.formulas if formula.result == result)


# ---------------------------------------------------------------- from the book


def offers() -> dict[str, tuple[tuple[str, Offer], ...]]:
    """Every computation that a theorem of the book offers, by operation, found by scanning; nothing is proved."""
    found: dict[str, list[tuple[str, Offer]]] = {}
    for name, (_, derivation) in library.book().derivations.items():
        for offer in derivation.offers:
            found.setdefault(offer.op, []).append((name, offer))
    for op, own in found.items():
        for result, names in _by_result(own).items():
            if len(names) > 1:
                raise EmitError(f"{op}: {result} is offered by {' and by '.join(names)}; keep one of the two offers")
    return {op: tuple(found[op]) for op in in_order(found)}


def _by_result(own: Iterable[tuple[str, Offer]]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for name, offer in own:
        names.setdefault(offer.result, []).append(name)
    return names


def in_order(ops: Iterable[str]) -> tuple[str, ...]:
    """The operations in the order of the README, others after them by name."""
    return tuple(sorted(set(ops), key=lambda op: (ORDER.index(op) if op in ORDER else len(ORDER), op)))


def plans(ops: Iterable[str] | None = None) -> tuple[Plan, ...]:
    """The plans of the operations named, or of all, from theorems proved in this process."""
    found = offers()
    wanted = tuple(found) if ops is None else tuple(ops)
    for op in wanted:
        if op not in found:
            raise EmitInputError(f"no theorem of the book offers the operation {op!r}; {suggestion(op, found)}")
    theorems = library.prove(sorted({name for op in wanted for name, _ in found[op]}))
    return tuple(plan_from(op, tuple((theorems[name], offer) for name, offer in found[op])) for op in in_order(wanted))


def plan_from(op: str, offered: Iterable[tuple[Theorem, Offer]]) -> Plan:
    """The plan of one operation from theorems and their offers, in the order given."""
    return Plan(op, tuple(_formula(op, theorem, offer) for theorem, offer in offered))


def plan_of(theorem: Theorem) -> tuple[Plan, ...]:
    """The plans of all that one theorem offers, whether or not it is in the book."""
    ops = in_order(offer.op for offer in theorem.derivation.offers)
    return tuple(plan_from(op, [(theorem, offer) for offer in theorem.derivation.offers if offer.op == op]) for op in ops)


def _formula(op: str, theorem: Theorem, offer: Offer) -> Formula:
    where = f"{theorem.name} offers {op}: {offer.result}"
    if not 1 <= offer.claim <= len(theorem.claims):
        raise EmitError(f"{where} from its claim {offer.claim}, but it has {len(theorem.claims)}")
    claim = theorem.claims[offer.claim - 1].claim
    relation = claim.relation if isinstance(claim, Claim) else None
    if relation is None or relation.kind != "=":
        raise EmitError(f"{where} from its claim {offer.claim}, which is not an equation; offer an equation")
    return Formula(offer.result, relation, theorem, offer.claim, dict(offer.names))


def suggestion(name: str, known: Iterable[str]) -> str:
    """The nearest known names, or all of them."""
    every = tuple(known)
    near = get_close_matches(name, every, n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"choose among {', '.join(every)}"


# ---------------------------------------------------------------- the gate


def verified(plan: Plan) -> Plan:
    """The plan itself, once each of its theorems has been proved anew and each formula found to be its right side."""
    for formula in plan.formulas:
        fresh = _proved_anew(plan.op, formula)
        claim = fresh.claims[formula.claim - 1] if 1 <= formula.claim <= len(fresh.claims) else None
        name = formula.theorem.name
        refused, where = f"{plan.op} is not emitted", f"claim {formula.claim} of theorem {name}"
        if claim is None or claim.proved is None:
            raise EmitError(f"{refused}: {where} is not proved by the kernel; offer one that is")
        if formula.relation.kind != "=" or formula.relation.right != claim.proved.relation.right:
            raise EmitError(
                f"{refused}: the formula for {formula.result} is not the right side of {where}; make the plan with lnsym.emit.plan.plans"
            )
        if formula.theorem.claims != fresh.claims:
            raise EmitError(f"{refused}: theorem {name} as given is not what was proved just now; take it from lnsym.theorem")
        refuse_one_pass(plan.op, formula)
    return plan


def _proved_anew(op: str, formula: Formula) -> Theorem:
    """The theorem of a formula, checked from its derivation; nothing that the plan says about its status is believed."""
    theorem = formula.theorem
    derivation: object = theorem.derivation
    if not isinstance(derivation, Derivation):
        raise EmitError(f"{op} is not emitted: {theorem.name} has no derivation; only a theorem that this process proves is emitted")
    cited = [name for name in library.cited_by(derivation) if name in library.book().derivations]
    try:
        return check(derivation, library.book().theory, theorem.name, theorem.chapter, library.prove(cited))
    except DerivationError as error:
        raise EmitError(f"{op} is not emitted, since its theorem is not proved: {error}") from None


# ---------------------------------------------------------------- the form that is refused

ONE_PASS = "variance_one_pass_eq"  # the theorem about this form; its examples are two numbers at which it fails


def one_pass_refused(op: str) -> EmitError:
    """The refusal of E[x^2] - E[x]^2, with what it gives on the two numbers of its theorem."""
    derivation = library.book().derivations[ONE_PASS][1]
    z = next(claim.at.values["z"] for claim in claims_of(derivation) if isinstance(claim, Example))
    first, second = (float(x) for x in cast("tuple[Fraction, ...]", z))
    mean = (first + second) / 2
    computed, exact = (first * first + second * second) / 2 - mean * mean, (second - first) ** 2 / 4
    return EmitError(
        f"{op} is not emitted with the variance as E[x^2] - E[x]^2: for x = ({first:.0f}, {second:.0f}) that is {computed:g} in float64, "
        f"where {exact:g} is right, so that the square root is not a number (theorem {ONE_PASS}); keep the variance at two-pass"
    )


def refuse_one_pass(op: str, formula: Formula) -> None:
    """Refuse a formula that holds mean(x^2) - mean(x)^2 of some vector x."""
    for term in expanded(formula.term):
        if isinstance(term, Add):
            squares = {name for part in term.args if (name := _mean_of_square(part))}
            if squares & {name for part in term.args if (name := _minus_square_of_mean(part, formula.theory))}:
                raise one_pass_refused(op)


def expanded(term: Term) -> Iterator[Term]:
    """The term and every part of it; a word's arguments, not its expansion."""
    yield term
    for part in children(term)[:-1] if isinstance(term, Word) else children(term):
        yield from expanded(part.body if isinstance(part, Array) else part)


def _mean_of_square(term: Term) -> str | None:
    match term:
        case Word("mean", (Array(_, body),), _, _):
            return _square(body)
        case Mul(args) if any(isinstance(arg, Pow) and arg.exponent == -1 and isinstance(arg.base, Sym) for arg in args):
            sums = [arg for arg in args if isinstance(arg, Sum) or (isinstance(arg, Word) and arg.name in ("total", "dot"))]
            return _summed_square(sums[0]) if len(sums) == 1 else None
    return None


def _summed_square(term: Term) -> str | None:
    match term:
        case Sum(_, body) | Word("total", (Array(_, body),), _, _):
            return _square(body)
        case Word("dot", (Array(_, Entry(left, _)), Array(_, Entry(right, _))), _, _) if left == right:
            return left
    return None


def _square(body: Term) -> str | None:
    match body:
        case Pow(Entry(name, _), 2):
            return name
        case Mul((Entry(left, _), Entry(right, _))) if left == right:
            return left
    return None


def _minus_square_of_mean(term: Term, theory: Theory) -> str | None:
    means = {family.mean: family.vector for family in theory.families}
    match tuple(_factors(term)):
        case (Num(value), one, other) if value == -1 and one == other:
            match one:
                case Word("mean", (Array(_, Entry(name, _)),), _, _):
                    return name
                case Sym(name):
                    return means.get(name)
    return None


def _factors(term: Term) -> Iterator[Term]:
    """The factors of a product, those of inner products and of squares too."""
    match term:
        case Mul(args):
            for arg in args:
                yield from _factors(arg)
        case Pow(base, 2):
            yield from (*_factors(base), *_factors(base))
        case _:
            yield term

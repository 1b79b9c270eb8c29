"""Proofs that emitted text computes what its theorem says: the text is run on terms, on every path, and the kernel judges each result.

What is proved holds in real arithmetic for every number of coordinates, for the numbers of rows tried. How close floats come to it is
what the bounds, the oracle and the tests are for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from lnsym.emit.calls import CALLS, SHARDS, Call
from lnsym.emit.plan import Formula, Plan
from lnsym.emit.trace.arrays import Length, Traced, filled
from lnsym.emit.trace.contracts import CONTRACTS, size_functions, stand_ins
from lnsym.emit.trace.identities import identities
from lnsym.emit.trace.paths import Decisions, Reach, TooManyPaths, explore, negation
from lnsym.emit.trace.paths import Formula as Statement
from lnsym.emit.trace.standin import Module, functions
from lnsym.emit.trace.symbolic import EPS, GIVEN, NAN, POWERS, Algebra, Either, Guard, Special, Symbolic, Value, place, written
from lnsym.errors import EmitError, KernelError
from lnsym.kernel import terms as t
from lnsym.kernel.normal import Condition
from lnsym.kernel.prove import prove

MOST_ROWS = 3


@dataclass(frozen=True)
class Effort:
    """How far paths are explored: with one row, where some arguments are absent, with several rows, and in narrower formats."""

    one: tuple[Reach, ...]
    partly: tuple[Reach, ...]
    several: tuple[tuple[int, Reach], ...]
    narrow: Reach
    ends: tuple[Reach, ...] = (Reach(True, 0), Reach(False, 0))  # for other ways to call it, and for each of these sizes and formats
    others: tuple[tuple[int, str], ...] = ()


NO, YES = False, True  # the outcome of every branch on the path that turns are counted from
EVERY = (Reach(),)
ENDS = (Reach(YES, 0), Reach(NO, 0))
SOON = Effort((Reach(YES, 2), Reach(NO, 2)), ENDS, ((2, Reach(YES, 2)), (2, Reach(NO, 1)), (3, Reach(YES, 1))), Reach(YES, 1))
OTHERS = ((1, "float64"), (2, "float64"), (0, "float32"), (1, "float16"))
FULL = Effort(EVERY, EVERY, ((2, Reach(YES, 2)), (2, Reach(NO, 2)), (3, Reach(YES, 1)), (3, Reach(NO, 1))), Reach(YES, 2), ENDS, OTHERS)
# Texts with several stages have so many branches that not every path can be run.
SOON_STAGED = Effort((Reach(NO, 1), ENDS[0]), ENDS, ((2, ENDS[0]), (2, ENDS[1]), (3, ENDS[0])), Reach(NO, 1))
FULL_STAGED = Effort(
    (Reach(NO, 2), Reach(YES, 1)), (Reach(NO, 1), Reach(YES, 1)), ((2, Reach(YES, 1)), (2, Reach(NO, 1)), (3, ENDS[1])), Reach(NO, 2)
)
LIMIT = 20_000  # paths of one function in one setting
Record = dict[str, object]

# What symbols of claims are called in code, where an offer does not say otherwise.
USUAL = {"z": "x", "gamma": "weight", "beta": "bias", "h": "dx", "g": "dy"}
SHARED = {"weight", "bias", "eps", "ddweight", "ddbias"}  # the same for all rows


# ---------------------------------------------------------------- the theory of several rows


def theory_of(book: t.Theory, rows: int) -> t.Theory:
    """The book's definitions for each of several rows: row 2 has x:2, its deviations v:2, its mean mu:2, and so on."""
    names = range(1, rows + 1)
    families = tuple(t.Family(f"x:{k}", f"v:{k}", f"mu:{k}", f"q:{k}") for k in names)
    own = [d for d in book.definitions if not d.name.endswith("'")]
    definitions = tuple(t.Definition(f"{d.name}:{k}", renamed(d.value, naming(book, {}, k))) for k in names for d in own)
    powers = {f"2^{n}" for n in range(1, POWERS + 1)}
    return t.Theory(families, definitions, frozenset({*book.positive, "n'", *powers}))


Names = Callable[[str], str]


def naming(book: t.Theory, offered: Mapping[str, str], row: int) -> Names:
    """What a name of a claim is called in the trace, for one row."""
    family = next(f for f in book.families if f.vector == "z")
    fixed = {family.vector: "x", family.deviation: "v", family.mean: "mu", family.variance: "q"}
    defined = {d.name for d in book.definitions}

    def rename(name: str) -> str:
        code = offered.get(name) or USUAL.get(name, name)
        if name in fixed and name not in offered:
            return f"{fixed[name]}:{row}"
        if name in defined or (code not in SHARED and code not in ("d", *SHARDS)):
            return f"{code}:{row}"
        return code

    return rename


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A term with a change made to each of its parts; a word gives way to what it stands for."""
    if isinstance(node, t.Word):
        return change(node.expansion)
    if isinstance(node, tuple):
        return tuple(map(change, node))
    if isinstance(node, (t.Term, t.Array)):
        return type(node)(*(change(getattr(node, name)) for name in node.__match_args__))  # type: ignore[union-attr]
    return node


def renamed(node: Any, names: Names, absent: Mapping[str, t.Term] | None = None) -> Any:
    """A term with other names for its symbols and vectors, absent arguments replaced by what they stand for."""
    match node:
        case t.Sym(name):
            return t.Sym(names(name))
        case t.Entry(name, indices):
            return (absent or {}).get(names(name)) or t.Entry(names(name), indices)
    return rebuilt(node, lambda part: renamed(part, names, absent))


def row_of(node: Any, index: t.Index, row: int, offered: Mapping[str, str]) -> Any:
    """The term with entries of matrices at one row: X[n, i] becomes the entry i of that row's vector."""
    match node:
        case t.Entry(name, (first, *rest)) if first == index:
            return t.Entry(f"{offered.get(name, name)}:{row}", tuple(rest))
    return rebuilt(node, lambda part: row_of(part, index, row, offered))


def stated(formula: Formula, rows: int, row: int, absent: Mapping[str, t.Term], book: t.Theory) -> t.Term:
    """What a theorem says of one row, or of the sum over all rows where it is about that."""
    term, offered = formula.term, formula.names
    if isinstance(term, t.Sum) and term.index.range == t.ROWS:
        whole = t.Add(tuple(row_of(term.body, term.index, k, offered) for k in range(1, rows + 1)))
        term = renamed(whole, lambda name: name if ":" in name else offered.get(name, USUAL.get(name, name)), absent)
    else:
        term = renamed(term, naming(book, offered, row), absent)
    free = sorted(t.free_indices(formula.term), key=lambda i: i.name)
    return t.substitute_indices(term, {index: place(len(free) - n) for n, index in enumerate(free)})  # type: ignore[no-any-return]


# ---------------------------------------------------------------- one function


@dataclass(frozen=True)
class Setting:
    """In what a run differs from another: number of rows, absent arguments, formats, sizes."""

    rows: int
    absent: tuple[str, ...]
    formats: Mapping[str, str]
    sizes: int
    reach: Reach
    way: int = 0  # 0 for the usual way to call it, else the number of another

    def __str__(self) -> str:
        missing = f", without {' and '.join(self.absent)}" if self.absent else ""
        called = f", called in way {self.way + 1}" if self.way else ""
        return f"{self.rows} row{'s' if self.rows > 1 else ''} of {self.formats['x']}{missing}, sizes {self.sizes + 1}{called}"


@dataclass
class Verdict:
    """What was proved of one function."""

    op: str
    formulas: tuple[Formula, ...]
    paths: int = 0
    settings: list[Setting] = field(default_factory=list)
    proofs: set[tuple[t.Term, t.Term]] = field(default_factory=set)
    stages: set[str] = field(default_factory=set)
    refusals: int = 0


@dataclass(frozen=True)
class Goal:
    """What a result must be: the term that a theorem states for one row, or for the sum over rows."""

    formula: Formula
    rows: tuple[int, ...]
    term: t.Term

    @property
    def name(self) -> str:
        """The result."""
        return f"{self.formula.result} of row {self.rows[0]}" if len(self.rows) == 1 else self.formula.result

    @property
    def theorem(self) -> str:
        """Where it is stated."""
        return f"claim {self.formula.claim} of {self.formula.theorem.name}"


class Validator:
    """Runs the functions of one emitted text on terms and has every result proved."""

    def __init__(self, source: str, plans: Iterable[Plan], tier: str = "", thorough: bool = False, limit: int = LIMIT) -> None:
        self.source, self.tier, self.limit = source, tier, limit
        self.plans = {plan.op: plan for plan in plans}
        self.book = next(iter(self.plans.values())).formulas[0].theory
        self.theory = theory_of(self.book, MOST_ROWS)
        self.algebra = Algebra(self.theory, [t.Sym(f"q:{k}") + EPS for k in range(1, MOST_ROWS + 1)])
        self.domain = Symbolic(self.algebra)
        self.module = Module(source, self.domain)
        self.anchor = self.module.names.get("_ANCHOR")
        self.sizes = size_functions(self.module.tree)
        staged = any(says.startswith("Integer stage:") for says in functions(self.module.tree).values())
        self.effort = {(False, False): SOON, (True, False): FULL, (False, True): SOON_STAGED, (True, True): FULL_STAGED}[thorough, staged]
        self.proved: dict[tuple[t.Term, t.Term], frozenset[Condition]] = {}
        self.wanted: dict[tuple[object, ...], t.Term] = {}
        self.stage: set[str] = set()

    # ------------------------------------------------------------ settings

    def settings(self, op: str) -> Iterator[Setting]:
        """The settings in which a function is tried: every choice of absent arguments, several rows, narrower formats."""
        call, effort = CALLS[op], self.effort
        everything = dict.fromkeys((*call.rows, *call.parameters), "float64") or {"x": "float64"}
        for present in product((True, False), repeat=len(call.optional)):
            absent = tuple(x for x, there in zip(call.optional, present, strict=True) if not there)
            for sizes, reach in enumerate(effort.one if absent in ((), call.optional) else effort.partly):
                yield Setting(1, absent, everything, sizes, reach)
            for way in range(1, len(call.also) + 1):
                for reach in effort.ends:
                    yield Setting(1, absent, everything, 0, reach, way)
            for sizes, form in effort.others:
                for reach in effort.ends:
                    yield Setting(1, absent, dict.fromkeys(everything, form), sizes, reach)
        for sizes, (rows, reach) in enumerate(effort.several if call.rows and op != "jacobian" else (), 1):
            yield Setting(rows, (), everything, sizes, reach)
        for sizes, form in enumerate(("float32", "float16"), 1):
            yield Setting(1, (), dict.fromkeys(everything, form), sizes, effort.narrow)

    # ------------------------------------------------------------ runs

    def function(self, op: str) -> Verdict:
        """Run one function in every setting on every path, and prove its results."""
        verdict = Verdict(op, self.plans[op].formulas)
        for setting in self.settings(op):
            try:
                self.run(verdict, setting)
            except EmitError:
                if not self.domain.loose:
                    raise
                self.domain.loose = False
                self.run(verdict, setting)
        self.domain.loose = True
        if not verdict.proofs:
            raise EmitError(f"{op} ({self.tier}): no path of the function gives a result; the emitted text refuses everything")
        return verdict

    def run(self, verdict: Verdict, setting: Setting) -> None:
        """One setting: every path."""
        op = verdict.op
        self.stage.clear()
        self.module.replace(self.replaced(setting))
        arguments = self.arguments(CALLS[op], setting)
        facts = self.facts(arguments)
        call, name = (CALLS[op].call, *CALLS[op].also)[setting.way], op

        def once(decisions: Decisions) -> Mapping[str, Any] | Exception:
            self.domain.decisions = decisions
            self.algebra.begin_path()
            fresh = {key: x.copy() if isinstance(x, Traced) else x for key, x in arguments.items()}
            try:
                return call(self.module[name], fresh)
            except EmitError as error:
                raise type(error)(self.say(op, setting, decisions, str(error))) from error
            except (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError) as error:
                if isinstance(error, (TypeError, ValueError)) and raised_by_text(error):
                    return error
                raise EmitError(self.say(op, setting, decisions, f"fails on the tracer: {type(error).__name__}: {error}")) from error

        try:
            for decisions, results in explore(once, self.limit, setting.reach, facts):
                verdict.paths += 1
                if isinstance(results, Exception):
                    verdict.refusals += 1
                else:
                    self.judge(verdict, setting, decisions, results)
        except TooManyPaths as error:
            raise TooManyPaths(self.say(op, setting, Decisions(), str(error))) from None
        verdict.settings.append(setting)
        verdict.stages |= self.stage
        self.stage.clear()

    def say(self, op: str, setting: Setting, decisions: Decisions, what: str) -> str:
        """A message that names function, setting and path."""
        return f"{op} ({self.tier or 'emitted text'}) with {setting}; path: {decisions}: {what}"

    def replaced(self, setting: Setting) -> dict[str, Any]:
        """The names of the module that stand for something else while it is traced.

        With one row, what rounds to a grid gives an arbitrary number, so that nothing may be lost beside it. With several rows it gives
        the number itself: the branches of all rows together would be too many.
        """
        # each size takes its choices at a pace of its own, so that two do not always change together
        pace = {name: setting.sizes * (place % 2 + 1) for place, name in enumerate(self.sizes)}
        sizes = {name: choices[pace[name] % len(choices)] for name, choices in self.sizes.items()}
        anchor = filled(self.domain, (), "float64", self.domain.anchor()) if setting.rows == 1 else self.anchor
        return {"_U": 0, "_ANCHOR": anchor, **stand_ins(self.domain, self.module.tree, self.stage), **sizes}

    def arguments(self, call: Call, setting: Setting) -> dict[str, Any]:
        """The arguments of a run: rows of vectors of their own, parameters shared by all rows."""
        d = Length(self.domain)
        found: dict[str, Any] = {}
        for name in call.rows:
            array = found[name] = filled(self.domain, (setting.rows, d), setting.formats[name], None)
            array.data[:, 0] = [self.entry(f"{name}:{k}") for k in range(1, setting.rows + 1)]
        for name in call.parameters:
            found[name] = filled(self.domain, (d,), setting.formats[name], self.entry(name))
        for name in setting.absent:
            found[name] = None
        found["eps"] = filled(self.domain, (), "float64", self.algebra.value(EPS))
        if not call.rows:
            found |= {name: filled(self.domain, (), "float64", self.algebra.value(t.Sym(name))) for name in SHARDS}
        return found

    def entry(self, name: str) -> Value | Special:
        """The generic entry of a vector, in short form."""
        return self.algebra.short(t.Entry(name, (place(1),)))

    def facts(self, arguments: Mapping[str, Any]) -> dict[Statement, bool]:
        """Outcomes that the hypotheses force: eps > 0, and for shards finite numbers, n > 0 and m2 >= 0."""
        zero = self.domain.lift(0, "f")
        found: dict[Statement, bool] = {}
        cells = {name: arguments[name].data[()] for name in ("eps", *SHARDS) if name in arguments}
        for name, cell in cells.items():
            found[Statement("finite", (cell,))] = True
            if name in ("eps", "n", "n'"):
                found |= {Statement("<", (zero, cell)): True, Statement("<=", (zero, cell)): True, Statement("<", (cell, zero)): False}
                found |= {Statement("==", (cell, zero)): False, Statement("==", (zero, cell)): False}
            if name in ("m2", "m2'"):
                found[Statement("<", (cell, zero))] = False
        return found

    # ------------------------------------------------------------ judgement

    def judge(self, verdict: Verdict, setting: Setting, decisions: Decisions, results: Mapping[str, Any]) -> None:
        """Prove every result of one path."""
        absent = {name: t.Num(Fraction(1 if name == "weight" else 0)) for name in setting.absent}
        absent |= {f"{name}:{k}": t.Num(Fraction(0)) for name in setting.absent for k in range(1, setting.rows + 1) if name not in SHARED}
        for name, result in results.items():
            formula = self.plans[verdict.op].formula(name)
            of_rows = name not in CALLS[verdict.op].summed and bool(CALLS[verdict.op].rows) and verdict.op != "jacobian"
            shape = (setting.rows,) * of_rows + (Length(self.domain),) * len(t.free_indices(formula.term))
            if result.shape != shape:
                raise EmitError(self.say(verdict.op, setting, decisions, f"{name} has shape {result.shape}, where {shape} is expected"))
            for row, cell in enumerate(result.data.reshape(setting.rows if of_rows else 1, -1)[:, 0], 1):
                key = (verdict.op, name, setting.rows, row, setting.absent)
                if key not in self.wanted:
                    self.wanted[key] = stated(formula, setting.rows, row, absent, self.book)
                goal = Goal(formula, (row,) if of_rows else tuple(range(1, setting.rows + 1)), self.wanted[key])
                for guard, value in cell.branches if isinstance(cell, Either) else ((frozenset(), cell),):
                    if not self.domain.excluded(guard):
                        self.result(verdict, goal, value, guard, lambda what: self.say(verdict.op, setting, decisions, what))

    def result(self, verdict: Verdict, goal: Goal, value: Any, guard: Guard, say: Callable[[str], str]) -> None:
        """Prove one result, where `guard` holds."""
        outcomes = [*self.domain.decisions.outcomes.items(), *guard]
        if value == NAN and any(self.algebra.about_finiteness(f, outcome, str(row)) for f, outcome in outcomes for row in goal.rows):
            return  # as a row that is not finite must come out
        if not isinstance(value, Value):
            where = "".join(f" where {f if holds else negation(f)}" for f, holds in guard)
            raise EmitError(say(f"{goal.name}{where} is {value}, where {goal.theorem} gives {written(goal.term)}"))
        found: frozenset[Condition] | str | None = self.proved.get((value.term, goal.term))
        found = self.prove(value.term, goal.term, guard) if found is None else found
        if isinstance(found, str):
            raise EmitError(say(f"{goal.name} is {written(value.term)}, which is not the {written(goal.term)} of {goal.theorem} ({found})"))
        if conditions := found | value.needs:
            needs = "; ".join(f"{written(self.algebra.read_back(dict(c.value)))} {c.kind}" for c in sorted(conditions, key=repr))
            raise EmitError(say(f"{goal.name} equals {goal.theorem} only if {needs}; the text must not need that"))
        verdict.proofs.add((value.term, goal.term))

    def prove(self, term: t.Term, wanted: t.Term, guard: Any) -> frozenset[Condition] | str:
        """Have the kernel prove that a result is what the theorem says: the side conditions that it needs, or why it does not.

        Where that fails, what is 0 by the outcomes of the path or in the branch is put in.
        """
        first = self.attempt(term, wanted)
        if not isinstance(first, str):
            self.proved[term, wanted] = first  # holds on every path
            return first
        zeros = self.domain.vanishing(guard)
        entries, relations = self.algebra.solved_zeros(zeros)
        for given in ((), *((r,) for r in relations), tuple(relations)):
            found = self.attempt(without(term, entries), without(wanted, entries), given)
            if not isinstance(found, str):
                return found
        return first

    def attempt(self, term: t.Term, wanted: t.Term, given: tuple[t.Relation, ...] = ()) -> frozenset[Condition] | str:
        """One call of the kernel."""
        try:
            return frozenset(prove(self.theory, t.Relation("=", term, wanted), (*GIVEN, *given)).conditions)
        except KernelError as error:
            return str(error)


def without(node: Any, zeros: frozenset[t.Term]) -> Any:
    """A term with 0 for those symbols and entries that vanish."""
    return t.Num(Fraction(0)) if node in zeros else rebuilt(node, lambda part: without(part, zeros))


def raised_by_text(error: Exception) -> bool:
    """Whether the emitted text itself raises an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename == "<emitted>"


# ---------------------------------------------------------------- a whole text


def validate(source: str, plans: Iterable[Plan], tier: str = "", thorough: bool = False) -> list[Record]:
    """Prove that the public functions of an emitted text compute what the theorems of their plans say; a record for each.

    Raises EmitError with function, theorem, path and both sides where the kernel does not accept a result.
    """
    plans = tuple(plans)
    validator = Validator(source, plans, tier, thorough)
    public = {node.name for node in validator.module.tree.body if isinstance(node, ast.FunctionDef)}
    proved = [record(validator, validator.function(plan.op)) for plan in plans if plan.op in public and plan.op in CALLS]
    return proved + identities(source, tier)


def record(validator: Validator, verdict: Verdict) -> Record:
    """What was proved of one function, for a certificate."""
    return {
        "function": verdict.op,
        "method": "the emitted text run on terms; on each path, each result proved equal to the theorem by the kernel, in real arithmetic",
        "results": [{"result": f.result, "theorem": f.theorem.name, "claim": f.claim, "d": "every d"} for f in verdict.formulas],
        "settings": [described(s) for s in verdict.settings],
        "paths": verdict.paths,
        "proofs": len(verdict.proofs),
        "by contract": sorted(name for name in CONTRACTS if name in validator.module),
        "by the oracle only": sorted(verdict.stages),
    }


def described(setting: Setting) -> dict[str, object]:
    """A setting, for a certificate."""
    reach = setting.reach
    usual = f"{reach.turns} turns from the path on which every branch answers {'yes' if reach.usual else 'no'}"
    return {
        "rows": setting.rows,
        "rounding to a grid": "an arbitrary number" if setting.rows == 1 else "exact",
        "absent": list(setting.absent),
        "formats": sorted(set(setting.formats.values())),
        "sizes": setting.sizes + 1,
        "call": setting.way + 1,
        "paths": "every path" if reach.turns is None else usual,
    }

"""Mutants of the kernel: one rule of its source weakened, the rest as it is. Imports the standard library and the errors only."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
FILES = ("normal", "prove")


@dataclass(frozen=True)
class Mutant:
    """A change of the text of normal.py or prove.py; `old` occurs there `times` times, as a rule once."""

    name: str
    file: str
    old: str
    new: str


def source(file: str) -> str:
    """The text of a file of the kernel."""
    return (ROOT / "lnsym" / "kernel" / f"{file}.py").read_text(encoding="utf-8")


def modules(mutant: Mutant | None = None) -> tuple[ModuleType, ModuleType]:
    """normal.py and prove.py as modules of their own, with the change of the mutant; what is imported elsewhere stays as it is."""
    made: dict[str, ModuleType] = {}
    before = {name: sys.modules.get(f"lnsym.kernel.{name}") for name in FILES}
    try:
        for name in FILES:
            text = source(name)
            if mutant is not None and mutant.file == name:
                assert text.count(mutant.old) == 1, f"mutant {mutant.name!r}: its text occurs {text.count(mutant.old)} times in {name}.py"
                text = text.replace(mutant.old, mutant.new)
            made[name] = ModuleType(f"lnsym.kernel.{name}")
            sys.modules[f"lnsym.kernel.{name}"] = made[name]
            exec(compile(text, f"{name}.py, mutated", "exec"), vars(made[name]))  # the project's own text
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[f"lnsym.kernel.{name}"]
            else:
                sys.modules[f"lnsym.kernel.{name}"] = module
    return made["normal"], made["prove"]


def _mutants(file: str, *rows: tuple[str, str, str]) -> tuple[Mutant, ...]:
    return tuple(Mutant(name, file, old, new) for name, old, new in rows)


MUTANTS = _mutants(
    "normal",
    # polynomials, indices, deltas
    ("equal monomials replace each other", "result[mono] = result[mono] + value if mono in result else value", "result[mono] = value"),
    ("subtraction adds", "((m, factor * x) for m, x in right.items())", "((m, abs(factor) * x) for m, x in right.items())"),
    ("positions are read as text", "str(int(index.name)) if index.name.isdecimal() else index.name", "index.name"),
    ("a position may be bound", " or (bound and index.is_fixed)", ""),
    ("any range is known", "t.LENGTHS.get(index.range.name) != index.range.length", "False"),
    ("ranges are not told apart", 'f"{index.range.name}.{name}"', "name"),
    ("deltas are not merged", "meeting = [b for b in blocks if b & set(g[1])]", "meeting = []"),
    ("deltas are not applied", "table = {i: min(block) for block in blocks for i in block}", "table = {}"),
    ("two positions may agree", 'if any(sum(i[0] == "#" and "+" not in i for i in block) > 1 for block in blocks):', "if False:"),
    ("a symbolic position is none of the others", 'sum(i[0] == "#" and "+" not in i for i in block)', 'sum(i[0] == "#" for i in block)'),
    ("two different positions are equal", "return {} if apart else const(1) if left == right", "return const(1) if apart or left == right"),
    (
        "binding does not go deeper",
        'depth = 1 + max((int(i[1:]) for g, _ in items for i in indices_of(g) if i[0] == "*"), default=0)',
        "depth = 1",
    ),
    (
        "a released index is not fresh",
        'fresh = "!" * (1 + max((len(i) for i in (*avoid, *indices_of(generator)) if i[0] == "!"), default=0))',
        'fresh = next(iter(avoid), "!")',
    ),
    ("a pattern fits any index", "rename_gen(pattern, {free[0]: i}) == generator", "rename_gen(generator, {i: free[0]}) == pattern"),
    (
        "proportional without looking",
        "return ratios.pop() if len(ratios) == 1 else Fraction(0)",
        "return ratios.pop() if ratios else Fraction(0)",
    ),
    ("no budget", "if self.operations > BUDGET:", "if self.operations > BUDGET**9:"),
    ("no bound on exponents", "if abs(exponent) > MAX_EXPONENT:", "if False:"),
    # declarations and hypotheses on signs
    ("the shape of a family's vector is open", '{x: ("coordinates",) for f in theory.families for x in (f.vector, f.deviation)}', "{}"),
    ("the shape of a definition is open", "for d in theory.definitions if isinstance(d.value, t.Array)}", "for d in ()}"),
    ("shapes are not compared", "if self.shapes.setdefault(name, ranges) != ranges:", "if False:"),
    ("a name may have two meanings", "if double := sorted({x for x in names if names.count(x) > 1}):", "if double := []:"),
    (
        "two lengths",
        "if self.sizes.setdefault(range_.length, len(entries)) != len(entries):",
        "if self.sizes.setdefault(range_.length, len(entries)) is None:",
    ),
    ("x >= 0 is x > 0", '(self.positive if bound or kind == "<" else self.nonnegative).add(name)', "self.positive.add(name)"),
    ("x > -1 is x > 0", "t.Num(bound), t.Sym(name)) if bound >= 0:", "t.Num(bound), t.Sym(name)) if True:"),
    (
        "a bound of any symbol fixes a length",
        "if name in t.LENGTHS.values() and size.denominator",
        "if name in self.bounds and size.denominator",
    ),
    ("x != y is x < y", '"!=": -1}[relation.kind]', '"!=": 2}[relation.kind]'),
    ("x <= y is x < y", '{"<": 2, "<=": 1,', '{"<": 2, "<=": 2,'),
    ("hypotheses turned around", "gap = self.lower(add(right, left, -1))", "gap = self.lower(add(left, right, -1))"),
    (
        "side conditions forgotten where signs are read",
        "self.conditions, self.sums, self.unfolded = {}, {}, {}",
        "self.conditions, self.sums = {}, {}",
    ),
    # terms
    (
        "a folded definition has no side conditions",
        "value = self.unfold(name)  # for its side conditions in any case",
        'value = self.unfold(name) if "unfold:" + name in self.facts else {}',
    ),
    ("any symbol may be unfolded", 'return value if "unfold:" + name in self.facts else gen(("c", name))', "return value"),
    (
        "any vector may be unfolded",
        'self.put_components(poly if "unfold:" + name in self.facts else gen(("x", name, keys)))',
        "self.put_components(poly)",
    ),
    ("a vector's name is a scalar", "if isinstance(self.definitions.get(name), t.Term):\n", "if name in self.definitions:\n"),
    (
        "splitting needs no name",
        'if name in self.family and self.level and "split" in self.facts:',
        "if name in self.family and self.level:",
    ),
    (
        "level 0 has the wrong variance",
        "add(self.average(family.vector, 2), self.mul(centre, centre), -1)",
        "self.average(family.vector, 2)",
    ),
    (
        "level 0 has uncentred deviations",
        "return add(self.entry(family.vector, indices), self.average(family.vector, 1), -1)",
        "return self.entry(family.vector, indices)",
    ),
    ("entries beyond those given", "if not place.isdigit() or not 1 <= int(place) <= len(entries):", "if False:"),
    ("the first entry given for all", "return self.normal(entries[int(place) - 1])", "return self.normal(entries[0])"),
    # sums
    (
        "a delta is dropped from a sum",
        "parts.append(rename({mono: value}, {index: next(i for i in block if i != index)}))",
        "parts.append({mono: value})",
    ),
    (
        "sums ignore deltas",
        'if block := next((g[1] for g, _ in mono if g[0] == "k" and index in g[1]), None):',
        'if block := next((g[1] for g, _ in mono if g[0] == "none"), None):',
    ),
    (
        "a constant leaves a sum as it is",
        "parts.append(self.mul({rest: value}, self.power_sum(range_, pieces[-1][2])))",
        "parts.append(self.mul({rest: value}, self.power_sum(range_, pieces[-1][2])) if pieces[-1][2] else {rest: value})",
    ),
    ("the sum of 1 over rows is d", "return self.symbol(t.LENGTHS[range_])", 'return self.symbol("d")'),
    ("entries sum to zero too", "items[0][0][1] in self.deviation:", 'items[0][0][1] != "":'),
    ("centring needs no name", 'if items[0][1] == 1 and "centred" in self.facts:', "if items[0][1] == 1:"),
    ("the variance needs no name", 'if items[0][1] == 2 and "variance" in self.facts:', "if items[0][1] == 2:"),
    (
        "the squares sum to q",
        'return self.mul(self.symbol("d"), self.symbol(self.deviation[items[0][0][1]].variance))',
        "return self.symbol(self.deviation[items[0][0][1]].variance)",
    ),
    (
        "every variance is the first",
        "self.symbol(self.deviation[items[0][0][1]].variance))",
        "self.symbol(self.theory.families[0].variance))",
    ),
    # symbolic powers, geometric sums, expectations
    (
        "b^(t + 1) is b^t",
        'return self.mul(self.power(self.symbol(base.name), known), gen(("t", base.name, exponent.name)) if bare else const(1))',
        'return gen(("t", base.name, exponent.name)) if bare else const(1)',
    ),
    (
        "G(t + 1) without the factor b",
        "result = add(self.mul(self.symbol(term.base.name), result), rename(body, {index: place}))",
        "result = add(result, rename(body, {index: place}))",
    ),
    ("G(t + 1) at the wrong place", 'place = f"#{term.upper.name}+{step}" if bare else f"#{step}"', 'place = "#1"'),
    ("a geometric sum over any range", "if term.index.range != t.STEPS or", "if"),
    (
        "expectations multiply",
        "            elif inner:\n                inner = ((self.expected(inner, random), 1),)",
        "            elif inner:\n                inner = tuple((self.expected(((g, e),), random), 1) for g, e in inner)",
    ),
    (
        "an expectation of a known vector's parts is known",
        "parts = (x for f in self.theory.families if f.vector in names for x in (f.deviation, f.mean, f.variance))",
        "parts = ()",
    ),
    (
        "what is random has no name",
        "tuple(sorted({x for x in random if any(self.mentions(g, self.dependent(x)) for g, _ in items)}))",
        "()",
    ),
    ("definitions are not random", "return frozenset({*names, *parts, *self.definitions})", "return frozenset({*names, *parts})"),
    ("entries at an open place are known", "not {*own}.isdisjoint({*names, *self.components})", "not {*own}.isdisjoint(names)"),
    (
        "extensions hide what they mention",
        "return any(self.mentions(g, names) for m in self.extensions[generator[1]].value for g, _ in m)",
        "return False",
    ),
    # signs
    ("an odd power is nonnegative", "return 2 if below and exponent < 0 else below", "return 2 if below and exponent < 0 else 1"),
    ("an even power is positive", "return 2 if below == 2 or exponent <= 0 else 1", "return 2"),
    (
        "one positive term is enough",
        "return max(signs) if all(signs) else self.sign_of(self.normal(term))",
        "return max(signs) if any(signs) else self.sign_of(self.normal(term))",
    ),
    (
        "one nonnegative factor is enough",
        "return min(map(self.sign, args), default=2) or",
        "return max(map(self.sign, args), default=2) or",
    ),
    ("a root is positive", "return max(1, self.sign(radicand))", "return 2"),
    ("a delta is positive", "case t.Delta():\n                return 1", "case t.Delta():\n                return 2"),
    (
        "a random vector obeys a hypothesis",
        "return 0 if any(self.mentions(g, self.dependent(*random)) for g in supposed) else self.sign(body)",
        "return self.sign(body)",
    ),
    (
        "signs of coefficients do not matter",
        "for g, e in mono), default=2) if value > 0 else 0 for mono, value in candidate.items()]",
        "for g, e in mono), default=2) for mono, value in candidate.items()]",
    ),
    ("any term's sign is the sum's", "            if all(signs):\n", "            if any(signs):\n"),
    ("a hypothesis read backwards", "if ratio > 0 and sign > 0), default=0)", "if ratio and sign > 0), default=0)"),
    ("a bounded symbol exceeds its bound", 'return int(generator[0] in "kn")', 'return 2 * int(generator[0] in "kn")'),
    # side conditions
    ("side conditions are not recorded", "        if not self.holds(condition):\n            self.conditions[condition] = None\n", ""),
    ("a root of a negative number", 'if poly.keys() == {ONE} and poly[ONE] < 0 and kind == "nonnegative":', "if False:"),
    (
        "nonnegative is nonzero",
        "if 2 in (self.sign_of(poly), self.sign_of(add({}, poly, -1)))",
        "if self.sign_of(poly) or self.sign_of(add({}, poly, -1))",
    ),
    ("division by a hidden zero", "if not self.residual(self.lower(poly)):", "if not poly:"),
    (
        "division by a delta",
        'if generator[0] == "k":\n            raise KernelError("division by a delta is outside the algebra")',
        'if generator[0] == "k":\n            return gen(generator)',
    ),
    ("a single factor needs no condition", '        self.require("nonzero", gen(generator))\n', ""),
    ("a sum needs no condition", '        self.require("nonzero", rest)\n', ""),
    ("a root needs no condition", '            self.require("nonnegative", rest)\n', "            pass\n"),
    (
        "the root of a square of unknown sign",
        'if self.unit(g) or (step == 2 and self.sign_gen(g) == 1 and g[0] != "k")}',
        'if self.unit(g) or (step == 2 and g[0] != "k")}',
    ),
    (
        "a nonnegative factor is divided by",
        "known = {g for m in exponents for g in m if self.unit(g) or (step == 2 and",
        "known = {g for m in exponents for g in m if self.unit(g) or (",
    ),
    (
        "equations solved too early are kept",
        "self.extensions, self.unfolded, self.solved = [], {}, None",
        "self.extensions, self.unfolded = [], {}",
    ),
    ("a factor that vanishes keeps the sign", "(sign() if all(self.unit(g) for g, _ in mono) else 0)", "sign()"),
    (
        "an inverse is its own inverse",
        'return value if self.extensions[generator[1]].kind == "inverse" else',
        'return gen(generator) if self.extensions[generator[1]].kind == "inverse" else',
    ),
    ("roots and inverses are not told apart", "if x.kind == kind and x.value == general)", "if x.value == general)"),
    (
        "roots square to 1",
        "return self.mul(self.power(value, half), gen(generator, odd) if odd else const(1))",
        "return gen(generator, odd) if odd else const(1)",
    ),
    ("inverses cleared too far", "lambda exponent: self.power(value, top - exponent)", "lambda exponent: self.power(value, top)"),
    # derivatives
    ("a derivative needs no name", 'if "derivative" not in self.facts:', "if False:"),
    (
        "anything is a variable",
        "if name in {*self.definitions, *self.deviation, *self.moments, *self.components, *t.LENGTHS.values(), *(self.stage or ())}:",
        "if False:",
    ),
    ("a variable of an induction", "*t.LENGTHS.values(), *(self.stage or ())}:", "*t.LENGTHS.values()}:"),
    ("the boundary has a derivative", "if name in self.nonnegative - self.positive:", "if False:"),
    (
        "hypotheses act under a derivative",
        "return self.derive(self.normal(body), name, keys)",
        "return self.derive(self.residual(self.normal(body)), name, keys)",
    ),
    (
        "folded definitions are constant",
        'if kind in "cx" and own in {*self.definitions, *self.components}:',
        'if kind in "cx" and own in self.components:',
    ),
    (
        "entries at an open place are constant",
        'if kind in "cx" and own in {*self.definitions, *self.components}:',
        'if kind in "cx" and own in self.definitions:',
    ),
    ("the mean moves by 1", 'return self.mul(slope, self.inverse(self.symbol("d")))', "return slope"),
    ("the variance moves by v/d", 'self.mul(const(2), gen(("x", family.deviation, keys)))', 'gen(("x", family.deviation, keys))'),
    (
        "the mean stands still below a deviation",
        'return add(self.delta(generator[2][0], keys[0]), self.inverse(self.symbol("d")), -1)',
        "return self.delta(generator[2][0], keys[0])",
    ),
    (
        "the exponent is not multiplied",
        "self.mul({mono_of((*mono, (g, -1))) or ONE: value * e}, slope)",
        "self.mul({mono_of((*mono, (g, -1))) or ONE: value}, slope)",
    ),
    (
        "the index of the variable is captured",
        "body, place = release(generator, *(keys or ()))",
        'body, place = rename({generator[2]: 1}, {"*1": (keys or ("!",))[0]}), (keys or ("!",))[0]',
    ),
    (
        "the root's derivative without 1/2",
        "return self.mul(const(Fraction(1, 2)), gen(generator, -1)",
        "return self.mul(const(1), gen(generator, -1)",
    ),
    (
        "the inverse's derivative without its sign",
        "return self.mul({((generator, 2),): -1}, slope)",
        "return self.mul({((generator, 2),): 1}, slope)",
    ),
    (
        "roots are constant",
        'if kind == "e" and (slope := self.derive(self.value_of(generator), name, keys)):',
        'if kind == "none" and (slope := self.derive(self.value_of(generator), name, keys)):',
    ),
    ("symbolic powers are constant", 'if kind in "tgm" and self.mentions(generator, self.dependent(name)):', "if False:"),
    # equality hypotheses and the zero test
    ("any hypothesis may be used", 'self.hypotheses() if "given" in self.facts and poly else ():', "self.hypotheses() if poly else ():"),
    (
        "a hypothesis says nothing",
        '            raise KernelError("a hypothesis that always holds, or repeats another, says nothing; remove it")',
        '            return ("c", ""), {}',
    ),
    ("a hypothesis solved beside what may vanish", "if all(x == g or self.unit(x) for x, _ in mono):", "if True:"),
    ("a hypothesis solved for what it contains", "if not self.occurs(g, value):", "if True:"),
    ("a hypothesis solved with the wrong sign", "-1 / Fraction(poly[mono])}", "1 / Fraction(poly[mono])}"),
    (
        "denominators are not cleared but dropped",
        "poly = self.clear(poly, g, max(*exponents, 0))",
        "poly = self.by_exponent(poly, g, lambda exponent: const(1))",
    ),
)
MUTANTS += _mutants(
    "prove",
    ("anybody makes a Proved", "if token is not _TOKEN:", "if False:"),
    (
        "equal without looking",
        '        zero(normalizer, left, right)\n        return made(normalizer, relation, given, known, "equality", left, right)',
        '        return made(normalizer, relation, given, known, "equality", left, right)',
    ),
    (
        "different at one place",
        "if not all(map(normalizer.nonzero, differences(normalizer, left, right))):",
        "if not any(map(normalizer.nonzero, differences(normalizer, left, right))):",
    ),
    ("a certificate is not compared", "    zero(normalizer, right**2 - left**2 if squared else right - left, gap)\n", ""),
    ("squares without a sign", "if squared and not normalizer.sign(right):", "if False:"),
    ("< is <=", 'if normalizer.sign(gap) < (2 if relation.kind == "<" else 1):', "if normalizer.sign(gap) < 1:"),
    ("no sign is needed", 'if normalizer.sign(gap) < (2 if relation.kind == "<" else 1):', "if False:"),
    ("any cofactor will do", "if normalizer.sign(cofactor) != 2 and not normalizer.nonzero(normalizer.normal(cofactor)):", "if False:"),
    ("a nonnegative cofactor will do", "if normalizer.sign(cofactor) != 2 and not", "if not normalizer.sign(cofactor) and not"),
    ("only if, without the factorization", "if not any(differences(normalizer, left - right, cofactor * form)):", "if True:"),
    ("only if, a sum instead of a sum of squares", "forms.append(t.Sum(index, forms[-1]))", "forms.append(t.Sum(index, forms[0]))"),
    ("only if, from inequalities", 'if premise.kind != "=" or conclusion.kind != "=":', "if False:"),
    ("induction without a base", "for normalizer in (base, step):", "for normalizer in (step,):"),
    ("induction without a step", "for normalizer in (base, step):", "for normalizer in (base,):"),
    (
        "induction with the claim as hypothesis at 0",
        '(*given, t.Relation("=", left, right)) if normalizer is step else given)',
        '(*given, t.Relation("=", left, right)))',
    ),
    ("induction for any relation", 'if relation.kind != "=" or variable.name in names', "if variable.name in names"),
    ("induction on any symbol", "or variable.name in names or", "or"),
    ("induction under hypotheses on t", " or any(variable in t.walk(x) for x in spoken):", ":"),
    (
        "induction looks at one place",
        "if rest := next(filter(None, map(truth.residual, differences(normalizer, left, right))), None):",
        "if rest := next(map(truth.residual, differences(normalizer, left, right)), None):",
    ),
    ("a chain need not link up", 'if not linked or kind == "!="', 'if kind == "!="'),
    ("a chain of differences", 'if not linked or kind == "!="', "if not linked"),
    ("a chain under any hypotheses", "s.theory != theory or not {*s.given} <= {*given} or", "s.theory != theory or"),
    ("a chain of anything", " or not isinstance(s, Proved) for s in steps):", " for s in steps):"),
    ("a chain of <= is =", 'for k in ("!=", "<", "<=", "=") if k in kinds', 'for k in ("!=", "<", "=", "<=") if k in kinds'),
    (
        "known theorems without their hypotheses",
        "if theorem.theory != theory or not {*theorem.given} <= {*given} or",
        "if theorem.theory != theory or",
    ),
    ("known theorems of another theory", "if theorem.theory != theory or not {*theorem.given}", "if not {*theorem.given}"),
    ("known theorems that nobody proved", " or not isinstance(theorem, Proved):", ":"),
    (
        "known theorems without their conditions",
        "inherited = dict.fromkeys(c for x in known for c in x.conditions)",
        "inherited = dict[Condition, None]()",
    ),
    ("only the first place is looked at", "for at in places(normalizer, left, right))", "for at in places(normalizer, left, right)[:1])"),
    (
        "side conditions are dropped",
        "return Proved(_TOKEN, normalizer.theory, relation, given, tuple({**conditions, **inherited}), proof)",
        "return Proved(_TOKEN, normalizer.theory, relation, given, tuple(inherited), proof)",
    ),
)

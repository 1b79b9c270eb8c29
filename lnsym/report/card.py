"""The card of one theorem: statements, calculations, points and near misses, every status computed. Imports up to notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from lnsym.derivation import (
    At,
    Calculus,
    Chain,
    CheckedClaim,
    CheckedStep,
    Claim,
    Derivation,
    Direct,
    Example,
    Gap,
    Iff,
    Induction,
    NearMiss,
    OnlyIf,
    Theorem,
    fixed_dimension,
)
from lnsym.errors import DerivationError, KernelError, LnsymError, TermError
from lnsym.kernel.prove import prove
from lnsym.kernel.terms import Hypothesis, Num, Relation, Sym, Term, opened
from lnsym.library import Book
from lnsym.notation import latex, text
from lnsym.refute import Counterexample as FoundPoint
from lnsym.refute import Point
from lnsym.report import calculus, numbers, words
from lnsym.report.choice import Choice, Findings
from lnsym.report.records import Badge, Calculation, Card, Counterexample, Link, Miss, Statement, Step, Value
from lnsym.report.source import source
from lnsym.view.typeset import typeset

_SHORT = 70  # of the LaTeX of a claim that may stand in a heading
_BOLD = re.compile(r"\\(?:mathbf|boldsymbol)\{([A-Za-z]|\\[a-z]+)\}")
NOT_RUN = Badge("not-run", "SymPy: not run")


class CardWriter:
    """Writes the card of one theorem."""

    def __init__(
        self, theorem: Theorem, book: Book, titles: Mapping[str, str], choice: Choice, findings: Findings, used_by: Sequence[str]
    ) -> None:
        self.theorem, self.theory, self.titles, self.choice, self.used_by = theorem, book.theory, titles, choice, used_by
        self.against, self.opinions = findings.against[theorem.name], findings.opinions
        self.derivation: Derivation = theorem.derivation
        self.numbered = list(enumerate(theorem.claims, 1))

    def card(self) -> Card:
        """The card."""
        theorem, derivation = self.theorem, self.derivation
        statements = tuple(self.statements())
        points = tuple(map(self.value, derivation.points))
        misses = tuple(self.miss(miss, found) for miss, found in zip(derivation.near_misses, self.against, strict=True))
        principles = derivation.leans_on
        return Card(
            name=theorem.name,
            title=self.titles[theorem.name],
            sources=(*theorem.catalogue, *derivation.cites),
            badges=self.summary(statements, points, misses),
            doc=typeset(derivation.note) or None,
            hypotheses=tuple(map(words.hypothesis, derivation.given)),
            statements=statements,
            chains=tuple(self.calculations()),
            points=points,
            near_misses=misses,
            principles=tuple(f"the {name}" for name in principles),
            uses=tuple(self.link(name) for name in theorem.premises),
            used_by=tuple(map(self.link, self.used_by)),
            emitted=() if self.choice.only else tuple(f"{offer.op}: {offer.result}" for offer in derivation.offers),
        )

    def link(self, name: str) -> Link:
        return Link(name, self.titles[name])

    def summary(self, statements: Sequence[Statement], points: Sequence[Value], misses: Sequence[Miss]) -> tuple[Badge, ...]:
        tally = Counter(badge.kind for statement in statements for badge in statement.badges)
        tally["evaluated"] += sum(value.badge is not None for value in points)
        tally["refuted"] += sum(miss.badge.kind == "refuted" for miss in misses)
        said = {
            "proved": self.span(statements),
            "sympy": "SymPy at d = 1..4",
            "checked": "mpmath at 60 digits",
            "calculus": "scalar calculus",
            "evaluated": f"evaluated exactly at {_several(tally['evaluated'], 'point')}",
            "refuted": f"{_several(tally['refuted'], 'near miss', 'near misses')} refuted",
            "not-run": "SymPy: not run",
        }
        found = [Badge(kind, text) for kind, text in said.items() if tally[kind]]
        return (*found, *(Badge("principle", f"rests on the {name}") for name in self.derivation.leans_on))

    @staticmethod
    def span(statements: Sequence[Statement]) -> str:
        """For which d the theorem is proved, where all its statements agree on that."""
        texts = {badge.text for statement in statements for badge in statement.badges if badge.kind == "proved"}
        return texts.pop() or "proved for every d" if len(texts) == 1 else "proved for every d, or the d given"

    # ------------------------------------------------------------ statements

    def statements(self) -> Iterable[Statement]:
        """Each claim; an equivalence as one."""
        numbered = iter(self.numbered)
        for claim in self.derivation.claims:
            if isinstance(claim, Iff):
                parts = [next(numbered) for _ in (*claim.forward, *claim.backward)]
                yield self.equivalence(claim, parts)
            else:
                number, checked = next(numbered)
                yield from self.statement(number, checked)

    def statement(self, number: int, checked: CheckedClaim) -> Iterable[Statement]:
        claim = checked.claim
        if isinstance(claim, Example):
            yield from self.example(claim)
        elif claim.relation is None:
            yield self.fact(number, claim)
        else:
            relation, own = claim.relation, claim.given
            yield self.written(
                tuple(_implied(own, latex(relation, notation), notation) for notation in ("index", "matrix")),
                typeset(claim.label),
                None,
                (proved(checked.given), *self.opinion(number)),
                source(relation, self.positive(checked.given)),
            )

    def written(self, both: tuple[str, ...], label: str, why: str | None, badges: tuple[Badge, ...], copy: str | None) -> Statement:
        """A statement in the notations asked for; where the two agree it stands once."""
        index, matrix = both
        matrix = index if _BOLD.sub(r"\1", matrix) == index else matrix  # letters in bold alone are no second notation
        shown_index = index if self.choice.notation != "matrix" else None
        shown_matrix = matrix if self.choice.notation != "index" and (matrix != index or shown_index is None) else None
        return Statement(shown_index, shown_matrix, label or None, why, badges, shown_index or matrix, copy)

    def equivalence(self, claim: Iff, parts: Sequence[tuple[int, CheckedClaim]]) -> Statement:
        def side(relations: tuple[Relation, ...], notation: str) -> str:
            return "\\ \\text{and}\\ ".join(latex(relation, notation) for relation in relations)

        both = tuple(f"{side(claim.left, n)} \\iff {side(claim.right, n)}" for n in ("index", "matrix"))
        opinions = dict.fromkeys(badge for number, _ in parts for badge in self.opinion(number))
        return self.written(both, typeset(claim.label), None, (proved(parts[0][1].given), *opinions), None)

    def example(self, claim: Example) -> Iterable[Statement]:
        point = numbers.point_of(claim.at, claim.relations, self.derivation.given, self.theory)
        for relation in claim.relations:
            self.insist(relation, point, (), f"the example {text(relation)}")
        where = ", ".join(f"${part}$" for part in words.parts(point))
        whole = tuple(",\\quad ".join(latex(relation, notation) for relation in claim.relations) for notation in ("index", "matrix"))
        label = f"At {where}" if where else "Numbers"
        whole = (whole[0], whole[0]) if self.choice.notation != "matrix" else whole  # numbers need no second notation
        yield self.written(whole, label, typeset(claim.why), (Badge("evaluated", "evaluated exactly"),), None)

    def fact(self, number: int, claim: Claim) -> Statement:
        assert isinstance(claim.proof, Calculus)
        fact = calculus.fact(claim.proof.fact, self.theorem.name)
        formulas = ",\\quad ".join(fact.formulas) or None
        badges = (Badge("not-run", "scalar calculus: not run"),) if self.opinions is None else self.opinion(number)
        return Statement(formulas, None, typeset(fact.title), None, badges, formulas or fact.title, None)

    def opinion(self, number: int) -> tuple[Badge, ...]:
        return (NOT_RUN,) if self.opinions is None else self.opinions.get((self.theorem.name, number), ())

    def positive(self, given: Iterable[Hypothesis]) -> frozenset[str]:
        signs = (h for h in given if isinstance(h, Relation) and h.kind == "<" and isinstance(h.left, Num) and h.left.value >= 0)
        return self.theory.positive | {h.right.name for h in signs if isinstance(h.right, Sym)}

    # ------------------------------------------------------------ calculations

    def calculations(self) -> Iterable[Calculation]:
        """The proof of each claim that has one."""
        several = sum(checked.proved is not None for _, checked in self.numbered) > 1
        for number, checked in self.numbered:
            claim = checked.claim
            if not isinstance(claim, Claim) or claim.relation is None:
                continue
            written = latex(claim.relation)
            named = typeset(claim.label) or (f"${written}$" if len(written) <= _SHORT else f"claim {number}")
            title = f"Derivation: {named}" if several else None
            yield Calculation(title, *self.calculation(claim, checked))

    def calculation(self, claim: Claim, checked: CheckedClaim) -> tuple[str, tuple[Step, ...]]:
        assert claim.relation is not None
        match claim.proof:
            case Chain(start, steps):
                first, *after = opened(start, *(step.after for step in steps))
                return latex(first), tuple(self.step(one, term, checked.given) for one, term in zip(checked.steps, after, strict=True))
            case Direct():
                first, last = opened(claim.relation.left, claim.relation.right)
                return latex(first), (self.step(checked.steps[0], last, checked.given),)
            case Gap(term, why, squared):
                return self.gap(claim.relation, term, why, squared, checked)
            case OnlyIf():
                return self.only_if(claim.relation, claim.proof, checked)
            case Induction(variable, why):
                first, last = opened(claim.relation.left, claim.relation.right)
                t = latex(variable)
                rule = f"`induction`: true at ${t}=0$, and at ${t}+1$ wherever it is true at ${t}$"
                return latex(first), (self.plain("=", last, why, rule, claim.relation, checked),)
        raise DerivationError(f"{self.theorem.name}: a proof of an unknown kind, {type(claim.proof).__name__}")

    def step(self, checked: CheckedStep, after: Term, given: tuple[Hypothesis, ...]) -> Step:
        """A line of a chain; the facts are a smallest set that still proves it, the assumptions those without which it fails."""
        step, relation = checked.step, checked.relation
        cited = next((rule.theorem for rule in step.rules if rule.theorem), None)
        written = latex(after)
        sign = words.RELATIONS[step.kind]
        return Step(
            relation=sign,
            latex=written,
            why=typeset(step.why),
            rule=words.rule(step.rules, self.titles),
            rule_link=cited,
            facts=tuple(words.fact(name, self.theory) for name in sorted(checked.needed)),
            assumptions=tuple(words.hypothesis(h) for h in given if self.matters(h, checked, given)),
            shapes=words.shapes(relation),
            copy_latex=latex(relation),
            copy_sympy=source(relation, self.positive(given)),
        )

    def matters(self, hypothesis: Hypothesis, checked: CheckedStep, given: tuple[Hypothesis, ...]) -> bool:
        """Whether the step fails, or needs a new side condition, without the hypothesis."""
        rest = tuple(h for h in given if h != hypothesis)
        known = tuple(k for k in checked.known if set(k.given) <= set(rest))
        if len(known) < len(checked.known):
            return True
        facts = checked.facts | ({"given"} if known else set())
        try:
            again = prove(self.theory, checked.relation, rest, certificate=checked.step.certificate, known=known, facts=frozenset(facts))
        except KernelError:
            return True
        return bool(again.conditions)

    def plain(self, sign: str, after: Term, why: str, rule: str, relation: Relation, checked: CheckedClaim) -> Step:
        """A line that is no step of a chain."""
        assumptions = tuple(map(words.hypothesis, checked.given))
        shape, copy = words.shapes(relation), source(relation, self.positive(checked.given))
        return Step(sign, latex(after), typeset(why), rule, None, (), assumptions, shape, latex(relation), copy)

    def gap(self, relation: Relation, term: Term, why: str, squared: bool, checked: CheckedClaim) -> tuple[str, tuple[Step, ...]]:
        left, right = opened(relation.left, relation.right)
        start = difference(right**2, left**2) if squared else difference(right, left)
        strict = relation.kind == "<"
        rule = "`sign certificate`: the difference is a term whose sign shows in its structure"
        first = self.plain("=", term, why, rule, Relation("=", start, term), checked)
        because = f"`structure`: {'positive' if strict else 'not negative'}, being made of squares, roots, variances and positive symbols"
        close = Step(
            ">" if strict else "\\ge", "0", "So it holds for the squares, hence for the sides." if squared else "So the claim holds.",
            because, None, (), first.assumptions, first.shapes, latex(relation), source(relation, self.positive(checked.given)),
        )  # fmt: skip
        return latex(start), (first, close)

    def only_if(self, relation: Relation, proof: OnlyIf, checked: CheckedClaim) -> tuple[str, tuple[Step, ...]]:
        left, right = opened(proof.premise.left, proof.premise.right)
        assert checked.proved is not None
        product = proof.cofactor * checked.proved.evidence.terms[3]
        rule = "`only if`: the difference is a factor that is never 0 times what must vanish"
        first = self.plain("=", product, proof.why, rule, Relation("=", difference(left, right), product), checked)
        sides = opened(relation.left, relation.right)
        end = Step(
            "\\Longrightarrow", f"{latex(sides[0])} = {latex(sides[1])}", "The left side is 0 by hypothesis, and the first factor is not.",
            rule, None, (), first.assumptions, words.shapes(relation), latex(relation), source(relation, self.positive(checked.given)),
        )  # fmt: skip
        return latex(difference(left, right)), (first, end)

    # ------------------------------------------------------------ numbers

    def insist(self, relation: Relation, point: Point, given: Sequence[Hypothesis], what: str) -> None:
        """Refuse a report that says what is not so."""
        try:
            found = numbers.verdict(relation, point, given, self.theory)
        except LnsymError as error:
            raise DerivationError(f"{self.theorem.name}: {what} at {point}: {error}") from None
        if found is not True:
            how = "is false" if found is False else "is not decided, or a hypothesis fails there"
            raise DerivationError(f"{self.theorem.name}: {what} at {point} {how}; mend the point or the claim")

    def value(self, at: At) -> Value:
        """No claim may fail at an author's point; shown is the left side of the first whose hypotheses hold there."""
        stated = [(x.claim.relation, x) for x in self.theorem.claims if isinstance(x.claim, Claim) and x.claim.relation]
        relations = [relation for relation, _ in stated]  # of every claim: a vector of the point may stand in another claim only
        for relation, checked in stated:
            point = numbers.point_of(at, relations, checked.given, self.theory)
            try:
                found = numbers.verdict(relation, point, checked.given, self.theory)
            except TermError:  # the point leaves open what this claim speaks of
                continue
            if found is False:
                raise DerivationError(f"{self.theorem.name}: a claim is false at {point}; mend the point or the claim")
            if found:
                return self.shown(relation, point, at)
        raise DerivationError(f"{self.theorem.name}: at no claim the hypotheses hold at the point {dict(at.values)}; mend or remove it")

    def shown(self, relation: Relation, point: Point, at: At) -> Value:
        value = numbers.value_of(relation.left, point, self.theory)
        if at.value is not None and numbers.value_of(at.value, point, self.theory) != value:
            raise DerivationError(f"{self.theorem.name}: at {point} the left side is {value}, not the value stated; correct it")
        side = latex(opened(relation.left)[0])
        side = f"({side})" if isinstance(value, tuple) else side
        return Value(words.point(point), f"{side}={numbers.table(value)}", Badge("evaluated", "evaluated exactly"))

    def miss(self, miss: NearMiss, found: FoundPoint | None) -> Miss:
        written = latex(miss.relation)
        if miss.given is not None:
            dropped = [h for h in self.derivation.given if h not in miss.given]
            added = [h for h in miss.given if h not in self.derivation.given]
            written = _implied(tuple(added), written, "index")
            without = ", ".join(map(words.hypothesis, dropped))
        else:
            without = ""
        why = typeset(miss.why) + (f" (Here {without} is not assumed.)" if without else "")
        if found is None:
            return Miss(written, why, None, Badge("undecided", "no counterexample found"))
        shown = Counterexample(
            words.point(found.point, found.at), numbers.number(found.left), words.RELATIONS[found.kind], numbers.number(found.right)
        )
        return Miss(written, why, shown, Badge("refuted"))


def proved(given: Iterable[Hypothesis]) -> Badge:
    """The kernel's badge; where a hypothesis fixes d, that is said."""
    d = fixed_dimension(given)
    return Badge("proved") if d is None else Badge("proved", f"proved at d = {d}, which is given")


def difference(left: Term, right: Term) -> Term:
    """left - right as a reader writes it: nothing is taken away where the right side is 0."""
    return left if right == Num(Fraction(0)) else left - right


def _implied(given: tuple[Hypothesis, ...], conclusion: str, notation: str) -> str:
    if not given:
        return conclusion
    return ",\\ ".join(latex(one, notation) for one in given) + " \\implies " + conclusion


def _several(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"

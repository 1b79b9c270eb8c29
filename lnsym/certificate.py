"""The book as JSON that another checker can replay for every d: terms, claims, evidence, steps, hashes. Imports up to library's records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

from lnsym.derivation import At, Calculus, CheckedClaim, CheckedStep, Example, NearMiss, Theorem
from lnsym.errors import TermError
from lnsym.kernel.normal import Gen, Mono, Normalizer, Poly, indices_of, key, rename, rename_gen, split
from lnsym.kernel.prove import Proved, lemmas, show
from lnsym.kernel.terms import (
    LENGTHS,
    STEPS,
    Add,
    Array,
    Components,
    Definition,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Family,
    Geometric,
    Hypothesis,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Range,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    hole,
    opened,
    walk,
)

SCHEMA = "lnsym certificate 1"
WIDTH = 140
Json = Any  # what json.dumps takes; a whole number is always a reference to the table of terms, every other number a text

RANGES = {name: Range(name, length) for name, length in LENGTHS.items()}


def certificate(
    theorems: Sequence[Theorem],
    theory: Theory,
    opinions: Mapping[str, Json] | None = None,
    counterexamples: Mapping[str, Json] | None = None,
    needed: bool = False,
) -> dict[str, Json]:
    """Everything that an independent checker needs to replay these theorems, with hashes.

    A theorem must stand after those that it cites. `opinions` and `counterexamples` are kept as they come, by theorem
    (the latter one for each near miss, as `Counterexample.as_dict` gives it). With `needed` each step also names a
    minimal set of facts, which takes longer to find.
    """
    table = _Table()
    declared = {
        "families": [[f.vector, f.deviation, f.mean, f.variance, *_open(table, _split(f))] for f in theory.families],
        "definitions": [[d.name, *_open(table, d.value)] for d in (*_moments(theory), *theory.definitions)],
        "positive": sorted(theory.positive),
        "lengths": [["<=", table.ref(Num(Fraction(1))), table.ref(Sym(x))] for x in sorted(LENGTHS.values())],
    }
    written = [_theorem(table, x, needed) for x in theorems]
    digests = _term_digests(table.rows)
    own = _digest(declared, digests)
    known: dict[str, str] = {}
    for entry in written:
        known[entry["name"]] = entry["hash"] = _digest([own, [known[x] for x in entry["premises"]], entry], digests)
    return {
        "schema": SCHEMA,
        "theory": declared,
        "theorems": written,
        "terms": table.rows,
        "opinions": dict(opinions or {}),
        "counterexamples": dict(counterexamples or {}),
        "hash": _digest([own, *known.values()], digests),
    }


def dumps(content: Mapping[str, Json]) -> str:
    """The certificate as text: sorted keys, one short value a line."""
    return _laid_out(content, 0) + "\n"


# ---------------------------------------------------------------- text and hashes


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _laid_out(value: Json, depth: int) -> str:
    line = _compact(value)
    if len(line) + depth <= WIDTH or not isinstance(value, (dict, list)):
        return line
    pad, inner = " " * depth, " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{inner}{_compact(k)}: {_laid_out(value[k], depth + 1)}" for k in sorted(value)]
        return "{\n" + ",\n".join(parts) + f"\n{pad}}}"
    return "[\n" + ",\n".join(inner + _laid_out(x, depth + 1) for x in value) + f"\n{pad}]"


def _by_content(value: Json, digests: Sequence[str]) -> Json:
    """The value with each reference replaced by the digest of its term, so that a hash does not depend on the table's order."""
    if isinstance(value, dict):
        return {k: _by_content(x, digests) for k, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [_by_content(x, digests) for x in value]
    return digests[value] if type(value) is int else value


def _digest(value: Json, digests: Sequence[str]) -> str:
    return sha256(_compact(_by_content(value, digests)).encode()).hexdigest()


def _term_digests(rows: Sequence[list[Json]]) -> list[str]:
    digests: list[str] = []
    for row in rows:
        digests.append(_digest(row, digests))
    return digests


# ---------------------------------------------------------------- terms


def _index(index: Index) -> str:
    """The range's length and the name; a fixed place as #1 or, the symbol's value plus a number, #t:1."""
    return f"{index.range.length}:{'#' if index.is_fixed else ''}{index.name.replace('+', ':')}"


class _Table:
    """The distinct terms, each a row that refers to earlier rows by their number."""

    def __init__(self) -> None:
        self.rows: list[list[Json]] = []
        self.numbers: dict[tuple[Json, ...], int] = {}
        self.seen: dict[int, tuple[Term, int]] = {}  # the term is kept, so that its id stays its own

    def ref(self, term: Term) -> int:
        """The number of a term."""
        if id(term) not in self.seen:
            row = self.row(term)
            if row not in self.numbers:
                self.numbers[row] = len(self.rows)
                self.rows.append(list(row))
            self.seen[id(term)] = (term, self.numbers[row])
        return self.seen[id(term)][1]

    def row(self, term: Term) -> tuple[Json, ...]:
        """A term as a flat row: its kind, texts, and the numbers of its parts."""
        match term:
            case Num(value):
                return ("num", str(value))
            case Sym(name):
                return ("sym", name)
            case Entry(vector, indices):
                return ("entry", vector, *map(_index, indices))
            case Delta(left, right):
                return ("delta", _index(left), _index(right))
            case Add(args):
                return ("add", *map(self.ref, args))
            case Mul(args):
                return ("mul", *map(self.ref, args))
            case Pow(base, exponent):
                return ("pow", self.ref(base), str(exponent))
            case Power(base, exponent, shift):
                return ("power", base.name, exponent.name, str(shift))
            case Sum(index, body):
                return ("sum", _index(index), self.ref(body))
            case Geometric(base, upper, shift, index, body):
                return ("geometric", base.name, upper.name, str(shift), _index(index), self.ref(body))
            case Root(radicand):
                return ("root", self.ref(radicand))
            case Derivative(body, variable):
                return ("derivative", self.ref(body), self.ref(variable))
            case Expectation(body, random):
                return ("expectation", self.ref(body), *random)
            case Word(_, _, _, expansion):
                return self.row(expansion)
        raise TermError(f"not a term: {term!r}")


def _open(table: _Table, value: Term | Array) -> list[Json]:
    if isinstance(value, Array):
        return [[_index(i) for i in value.indices], table.ref(value.body)]
    return [[], table.ref(value)]


def _split(family: Family) -> Array:
    """The vector as its mean plus its deviations."""
    return Array((hole(1),), Sym(family.mean) + Entry(family.deviation, (hole(1),)))


def _moments(theory: Theory) -> Iterator[Definition]:
    """Mean, deviations and variance of each family, written out."""
    place, index, over = hole(1), Index("i"), Pow(Sym("d"), -1)
    for family in theory.families:
        yield Definition(family.mean, over * Sum(index, Entry(family.vector, (index,))))
        yield Definition(family.deviation, Array((place,), Entry(family.vector, (place,)) - Sym(family.mean)))
        yield Definition(family.variance, over * Sum(index, Entry(family.deviation, (index,)) ** 2))


# ---------------------------------------------------------------- evidence


class _Terms:
    """The kernel's polynomials written as terms again."""

    def __init__(self, normalizer: Normalizer) -> None:
        self.normalizer = normalizer
        self.depth = 0  # of the bound places released

    def sum_step(self, term: Sum) -> list[tuple[Term, Term]]:
        """The body as a combination: (coefficient, summand) pairs, the coefficients free of the index."""
        index, grouped = key(term.index), dict[Mono, Poly]()
        for mono, value in self.normalizer.lower(self.normalizer.normal(term.body)).items():
            summand, rest = split(mono, lambda g: index in indices_of(g))
            grouped.setdefault(summand, {})[rest] = value
        return [(self.poly(coefficient), self.mono(summand)) for summand, coefficient in sorted(grouped.items())]

    def poly(self, poly: Poly) -> Term:
        parts = [self.mono(mono, value) for mono, value in sorted(poly.items())]
        return parts[0] if len(parts) == 1 else Add(tuple(parts)) if parts else Num(Fraction(0))

    def mono(self, mono: Mono, value: Fraction | int = 1) -> Term:
        factors = [self.generator(g) if e == 1 else Pow(self.generator(g), e) for g, e in mono]
        if value != 1 or not factors:
            factors.insert(0, Num(Fraction(value)))
        return factors[0] if len(factors) == 1 else Mul(tuple(factors))

    def generator(self, generator: Gen) -> Term:
        match generator:
            case ("n", name):
                return Add((Sym(name), Num(-Fraction(self.normalizer.bounds[name]))))
            case ("c", name):
                return Sym(name)
            case ("x", name, keys):
                return Entry(name, tuple(map(_read, keys, self.normalizer.shapes.get(name, ("coordinates",) * len(keys)))))
            case ("k", keys):
                spans = [x.range for x in map(_read, keys) if not x.is_fixed]
                first, *rest = (Index(_read(x).name, spans[0]) for x in keys)
                deltas = tuple(Delta(first, x) for x in rest)
                return deltas[0] if len(deltas) == 1 else Mul(deltas)
            case ("p", range_, items):
                place, body = self.bound(generator, range_)
                return Sum(place, body)
            case ("g", base, upper, items):
                place, body = self.bound(generator, STEPS.name)
                return Geometric(Sym(base), Sym(upper), 0, place, body)
            case ("t", base, exponent):
                return Power(Sym(base), Sym(exponent))
            case ("m", random, items):
                return Expectation(self.mono(items), random)
        extension = self.normalizer.extensions[generator[1]]
        value = self.poly(rename(extension.value, {f"?{n}": i for n, i in enumerate(generator[2])}))
        return Root(value) if extension.kind == "root" else Pow(value, -1)

    def bound(self, generator: Gen, range_: str) -> tuple[Index, Term]:
        """The bound place of a generator as an index of its own, and the body."""
        place = max((i for i in indices_of(generator) if i[0] == "*"), key=lambda i: int(i[1:]), default="*1")
        self.depth += 1
        body = self.mono(tuple((rename_gen(g, {place: f"!{self.depth}"}), e) for g, e in generator[-1]))
        self.depth -= 1
        return Index(f"!{self.depth + 1}", RANGES[range_]), body


def _read(text: str, range_: str = "coordinates") -> Index:
    """An index from its key in polynomials; a key without a range stands in the range given."""
    if text[0] in "#!":
        return Index(text.lstrip("#"), RANGES[range_])
    span, dot, name = text.partition(".")
    return Index(name, RANGES[span]) if dot else Index(text)


class _Evidence:
    """What the checker cannot find by itself: sum steps, and gaps written so that their sign is seen."""

    def __init__(self, table: _Table, proved: Proved, steps: Iterable[Proved], known: Iterable[Proved]) -> None:
        # the premise of an only-if, which comes last, is used once and not solved for
        given = proved.given[:-1] if proved.evidence.kind == "only-if" else proved.given
        usable = tuple(k for k in dict.fromkeys(known) if {*k.given} <= {*proved.given})
        self.table, self.evidence = table, [x.evidence for x in (proved, *steps)]
        facts = Normalizer(proved.theory).facts - {"given"}  # equations among the hypotheses change no sum and no sign
        self.normalizer = Normalizer(proved.theory, given, facts, lemmas=lemmas(proved.theory, proved.given, usable))
        self.terms = _Terms(self.normalizer)

    def sums(self) -> list[Json]:
        steps = []
        for term in dict.fromkeys(term for x in self.evidence for term, _ in x.sums):
            pairs = self.terms.sum_step(term)
            steps.append([self.table.ref(term), [[self.table.ref(c), self.table.ref(x)] for c, x in pairs]])
        return steps

    def form(self, term: Term) -> list[int]:
        """The term and its normal form, which shows the sign where the term's own structure does not."""
        poly = self.normalizer.normal(term)
        seen = poly if all(x > 0 for x in poly.values()) else self.normalizer.from_bounds(poly)
        return [self.table.ref(term), self.table.ref(self.terms.poly(seen))]


# ---------------------------------------------------------------- theorems


def _relation(table: _Table, relation: Relation) -> list[Json]:
    return [relation.kind, *map(table.ref, relation.opened())]


def _given(table: _Table, hypotheses: Iterable[Hypothesis]) -> list[Json]:
    """The hypotheses; one that fixes a length or the entries of a vector reads ["fixed", name, value]."""
    written: list[Json] = []
    for hypothesis in hypotheses:
        match hypothesis:
            case Components(vector, range_, entries):
                written += [["fixed", vector, list(map(table.ref, entries))], ["fixed", range_.length, str(len(entries))]]
            case Relation("=", Sym(name), Num(size)) if name in LENGTHS.values():
                written.append(["fixed", name, str(size)])
            case Relation():
                written.append(_relation(table, hypothesis))
    return written


def _point(table: _Table, at: At, parts: Sequence[Term | Array]) -> dict[str, Json]:
    """A point with the lengths of the ranges; a vector that the parts do not name runs over the coordinates."""
    spans = {x.vector: [i.range.length for i in x.indices] for part in parts for x in walk(part) if isinstance(x, Entry)}
    values: dict[str, Json] = {}
    for name, value in sorted(at.values.items()):
        values[name] = entries = _listed(value)
        for length in spans.get(name, ["d"]) if isinstance(entries, list) else ():
            values[length], entries = str(len(entries)), entries[0]
    return {"values": values} if at.value is None else {"values": values, "value": table.ref(at.value)}


def _theorem(table: _Table, theorem: Theorem, needed: bool) -> dict[str, Json]:
    derivation = theorem.derivation
    return {
        "name": theorem.name,
        "chapter": theorem.chapter,
        "title": derivation.title,
        "catalogue": list(theorem.catalogue),
        "sources": list(derivation.cites),
        "leans on": list(derivation.leans_on),
        "premises": list(theorem.premises),
        "given": _given(table, derivation.given),
        "claims": [_claim(table, c, needed) for c in theorem.claims],
        "near misses": [_near_miss(table, m, derivation.given) for m in derivation.near_misses],
        "points": [_point(table, p, _sides(_relations(theorem))) for p in derivation.points],
    }


def _listed(value: object) -> Json:
    return list(map(_listed, value)) if isinstance(value, tuple) else str(value)


def _relations(theorem: Theorem) -> list[Relation]:
    hypotheses = (h for c in theorem.claims for h in c.given if isinstance(h, Relation))
    return [*(c.proved.relation for c in theorem.claims if c.proved), *hypotheses]


def _sides(relations: Iterable[Relation]) -> list[Term | Array]:
    return [side for r in relations for side in (r.left, r.right)]


def _near_miss(table: _Table, miss: NearMiss, given: tuple[Hypothesis, ...]) -> dict[str, Json]:
    return {"claim": _relation(table, miss.relation), "given": _given(table, given if miss.given is None else miss.given), "why": miss.why}


def _claim(table: _Table, checked: CheckedClaim, needed: bool) -> dict[str, Json]:
    claim, proved = checked.claim, checked.proved
    if isinstance(claim, Example):
        point = _point(table, claim.at, _sides(claim.relations))
        relations = [_relation(table, r) for r in claim.relations]
        parts = [_fixed(x, point["values"]) for x in relations if x[0] == "="]
        return {"status": checked.status, "why": claim.why, "at": point, "relations": relations, "parts": parts}
    if proved is None:
        assert isinstance(claim.proof, Calculus)
        return {"status": checked.status, "label": claim.label, "fact": claim.proof.fact, "why": claim.proof.why}
    places = _places(proved.relation)
    extra = _Evidence(table, proved, (s.proved for s in checked.steps), (k for s in checked.steps for k in s.known))
    steps = [_step(table, s, places, needed) for s in checked.steps]
    sides = [_at(x, places) for x in (proved.relation.left, proved.relation.right)]
    gaps = [_gap(s, places) for s in checked.steps if s.relation.kind != "="]
    kind, terms = proved.evidence.kind, list(proved.evidence.terms)
    if kind == "distinct":
        terms.append(sides[0] - sides[1])
    elif kind == "only-if" and terms[3] != sides[0] - sides[1]:
        kind = "only-if-square"  # the form is the square of the conclusion's difference, or a sum of the squares
    signed = [*gaps, *(terms[1:3] if kind not in ("equality", "induction", "chain") else ())]
    spoken = _sides([proved.relation, *(h for h in proved.given if isinstance(h, Relation)), *(s.relation for s in checked.steps)])
    return {
        "status": checked.status,
        "label": claim.label,
        "claim": [proved.relation.kind, *map(table.ref, sides)],
        "given": _given(table, proved.given),
        "conditions": [f"{show(dict(c.value))} {c.kind}" for c in proved.conditions],
        "evidence": {"kind": kind, "terms": list(map(table.ref, sides if kind == "chain" else terms)), "sums": extra.sums()},
        "forms": [extra.form(x) for x in dict.fromkeys(signed)],
        "exponents": _exponents(spoken),
        "steps": steps,
    }


def _fixed(relation: list[Json], values: Mapping[str, Json]) -> dict[str, Json]:
    """An equation between numbers as a claim whose hypotheses fix every variable."""
    given = [["fixed", name, value] for name, value in values.items()]
    evidence = {"kind": "equality", "terms": relation[1:], "sums": []}
    return {"claim": relation, "given": given, "evidence": evidence, "forms": [], "exponents": [], "steps": []}


def _exponents(parts: Iterable[Term | Array]) -> list[str]:
    """The symbols that count: exponents, and the places t + 1, t + 2, ..."""
    found = set[str]()
    for part in (x for top in parts for x in walk(top)):
        match part:
            case Power(_, Sym(name), _) | Geometric(_, Sym(name), _, _, _):
                found.add(name)
            case Entry(_, indices):
                found.update(i.name.split("+")[0] for i in indices if "+" in i.name)
    return sorted(found)


def _places(relation: Relation) -> tuple[Index, ...]:
    """The indices at which the kernel opens a relation between arrays, so that steps and evidence speak of the same entry."""
    holes = next((x.indices for x in (relation.left, relation.right) if isinstance(x, Array)), ())
    probe = opened(relation.left, relation.right, Array(holes, Entry("", holes)))[-1] if holes else None
    return probe.indices if isinstance(probe, Entry) else ()


def _at(side: Term | Array, places: tuple[Index, ...]) -> Term:
    return side[places] if isinstance(side, Array) else side


def _gap(step: CheckedStep, places: tuple[Index, ...]) -> Term:
    if step.step.certificate:
        return step.step.certificate.term
    return Add((_at(step.relation.right, places), -_at(step.relation.left, places)))


def _step(table: _Table, checked: CheckedStep, places: tuple[Index, ...], needed: bool) -> dict[str, Json]:
    step, relation = checked.step, checked.relation
    written = {
        "before": table.ref(_at(relation.left, places)),
        "after": table.ref(_at(relation.right, places)),
        "kind": relation.kind,
        "gap": [] if relation.kind == "=" else [table.ref(_gap(checked, places))],
        "rules": [r.name for r in step.rules],
        "facts": sorted(checked.facts),
        "theorems": [r.theorem for r in step.rules if r.theorem is not None],
        "why": step.why,
    }
    if needed:
        written["needed"] = sorted(checked.needed)
    return written

"""The point of `lnsym show --at`: what a theorem speaks of, read from a text such as "z=(1,2,3), eps=1/3". Imports up to refute."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from lnsym.derivation import At, Claim, Exact, Gap, OnlyIf, Theorem, point_of
from lnsym.errors import LnsymError, StatementError
from lnsym.kernel.terms import (
    LENGTHS,
    Array,
    Components,
    Entry,
    Expectation,
    Geometric,
    Hypothesis,
    Range,
    Relation,
    Sum,
    Sym,
    Term,
    Theory,
    walk,
)
from lnsym.notation import text
from lnsym.refute import Point, satisfies
from lnsym.tokens import plain_name

LONGEST, MOST = 2000, 64  # characters of a point, entries of a vector
_TOKEN = re.compile(r"\s*(?:(?P<name>[^\W\d]\w*['′’]*)|(?P<number>[0-9]+)|(?P<sign>[-−+()\[\],=/])|(?P<other>\S))")
_EXAMPLE = "z=(1,2,3), eps=1/3"

Named = dict[str, tuple[Range, ...]]  # a name with the ranges that it runs over, none for a scalar


def read(theorem: Theorem, theory: Theory, given: str) -> Point:
    """The point of a text, with values for all that the theorem speaks of, at which its hypotheses hold."""
    if _expects(theorem):
        raise StatementError(f"{theorem.name} speaks of expectations, and a point has one value for each name; leave out --at")
    wanted = speaks_of(theorem, theory)
    values = _Reader(given, wanted, theorem, theory).values()
    if missing := [name for name in wanted if name not in values]:
        known = suggestion(theorem, theory)
        remedy = f'write for example --at "{known}"' if known else "add it" if len(missing) == 1 else "add them"
        raise StatementError(f"the point leaves {_listed(missing)} open; {remedy}")
    along = {len(x) for name, x in values.items() if isinstance(x, tuple) and [r.length for r in wanted[name]] == ["d"]}
    if len(along) > 1:
        raise StatementError(f"vectors of {_listed(map(str, sorted(along)))} entries are given, a point has one d; make them equally long")
    try:
        point = point_of(At(values), _relations(theorem), theorem.derivation.given, theory)
    except LnsymError as error:
        raise StatementError(f"--at: {error}") from None
    for hypothesis in theorem.derivation.given:
        if not satisfies(theory, point, (hypothesis,)):
            raise StatementError(f"{theorem.name} is stated for {text(hypothesis)}, which does not hold at {point}; choose another point")
    return point


def suggestion(theorem: Theorem, theory: Theory) -> str | None:
    """A point of the theorem's own that --at can read and that leaves nothing open; None where it has none."""
    if _expects(theorem):
        return None
    wanted = speaks_of(theorem, theory)
    for at in theorem.derivation.points:
        fixed = {h.vector for h in theorem.derivation.given if isinstance(h, Components)}
        values = {name: value for name, value in at.values.items() if name in wanted and name not in fixed}
        if set(wanted) <= set(values):
            return ", ".join(f"{name}={_plain(value)}" for name, value in values.items())
    return None


def speaks_of(theorem: Theorem, theory: Theory) -> Named:
    """What a point must give: vectors, matrices and scalars that are not made of others, and lengths that no vector shows."""
    found: Named = {}
    derived = {f.deviation: f.vector for f in theory.families} | {f.mean: f.vector for f in theory.families}
    derived |= {f.variance: f.vector for f in theory.families}
    meanings = {one.name: one.value for one in theory.definitions}
    fixed = {h.vector: h.entries for h in theorem.derivation.given if isinstance(h, Components)}
    coordinates = Range("coordinates", "d")
    stack: list[Term | Array] = list(_nodes(theorem))
    seen: set[str] = set()
    while stack:
        for node in walk(stack.pop()):
            if isinstance(node, (Sum, Geometric)):
                found.setdefault(node.index.range.length, ())
            if not isinstance(node, (Sym, Entry)):
                continue
            name = node.name if isinstance(node, Sym) else node.vector
            name = derived.get(name, name)
            ranges = tuple(i.range for i in node.indices) if isinstance(node, Entry) else (coordinates,) * (name in derived.values())
            if name in seen:
                continue
            seen.add(name)
            if name in meanings:
                stack.append(meanings[name])
            elif name in fixed:
                stack += fixed[name]
            else:
                found[name] = ranges
    shown = {range_.length for ranges in found.values() for range_ in ranges}
    shown |= {h.range.length for h in theorem.derivation.given if isinstance(h, Components)}
    order = sorted(found.keys() - shown, key=lambda name: (name in LENGTHS.values(), not found[name], name not in ("z", "eps"), name))
    return {name: found[name] for name in order}


def _expects(theorem: Theorem) -> bool:
    """Whether it speaks of expectations: a random vector has several values, and a text gives one."""
    return any(isinstance(part, Expectation) for node in _nodes(theorem) for part in walk(node))


def _nodes(theorem: Theorem) -> Iterable[Term | Array]:
    hypotheses: list[Hypothesis] = list(theorem.derivation.given)
    for checked in theorem.claims:
        claim = checked.claim
        if isinstance(claim, Claim) and claim.relation is not None:
            hypotheses += [*claim.given, claim.relation, *(step.relation for step in checked.steps)]
            if isinstance(claim.proof, Gap):
                yield claim.proof.term
            if isinstance(claim.proof, OnlyIf):
                yield claim.proof.cofactor
    for one in hypotheses:
        yield from (one.left, one.right) if isinstance(one, Relation) else one.entries


def _relations(theorem: Theorem) -> list[Relation]:
    return [c.claim.relation for c in theorem.claims if isinstance(c.claim, Claim) and c.claim.relation is not None]


def _plain(value: Exact) -> str:
    return f"({','.join(map(_plain, value))})" if isinstance(value, tuple) else str(value)


def _listed(names: Iterable[str]) -> str:
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


# ---------------------------------------------------------------- reading


class _Reader:
    """Reads name = value, ...; a value is a number, a vector (1, 2, 3) or a matrix ((1, 2), (3, 4))."""

    def __init__(self, given: str, wanted: Mapping[str, tuple[Range, ...]], theorem: Theorem, theory: Theory) -> None:
        if len(given) > LONGEST:
            raise StatementError(f"the point has {len(given)} characters, the limit is {LONGEST}; give fewer entries")
        self.given, self.wanted, self.theorem = given, wanted, theorem
        self.computed = {x for f in theory.families for x in (f.deviation, f.mean, f.variance)} | {x.name for x in theory.definitions}
        self.fixed = {h.vector for h in theorem.derivation.given if isinstance(h, Components)}
        self.tokens: list[tuple[str, str, int]] = []
        for found in _TOKEN.finditer(given):
            kind = str(found.lastgroup)
            self.tokens.append((kind, plain_name(found[kind]).replace("−", "-"), found.start(kind)))
        self.place = 0

    def values(self) -> dict[str, Exact]:
        found: dict[str, Exact] = {}
        while True:
            name = self.name()
            if name in found:
                raise StatementError(f"the point gives {name} twice; remove one")
            self.take("=") or self.fail(f"'=' after {name}")
            found[name] = self.value(name, self.wanted[name])
            if not self.take(","):
                break
        if self.place < len(self.tokens):
            self.fail("a comma or the end")
        return found

    def name(self) -> str:
        if self.place >= len(self.tokens) or self.tokens[self.place][0] != "name":
            self.fail("a name")
        name = self.tokens[self.place][1]
        self.place += 1
        if name in self.wanted:
            return name
        if name in self.fixed:
            raise StatementError(f"{self.theorem.name} fixes the entries of {name} itself; leave {name} out of the point")
        if name in LENGTHS.values():
            raise StatementError(f"{name} is the number of entries that the point gives; leave it out")
        if name in self.computed:
            raise StatementError(f"{name} is computed from the rest of the point; leave it out")
        spoken = _listed(self.wanted) if self.wanted else "nothing that is open"
        raise StatementError(f"{self.theorem.name} does not speak of {name[:40]!r}; it speaks of {spoken}")

    def value(self, name: str, ranges: Sequence[Range]) -> Exact:
        if not ranges:
            number = self.number()
            if name in LENGTHS.values() and (number.denominator != 1 or not 1 <= number <= MOST):
                raise StatementError(f"{name} is a number of values, a whole number from 1 to {MOST}; found {number}")
            return number
        shape = "vector" if len(ranges) == 1 else "matrix"
        opening = self.take("(") or self.take("[") or self.fail(f"a bracket, since {name} is a {shape}")
        entries = [self.value(name, ranges[1:])]
        while self.take(","):
            if self.place < len(self.tokens) and self.tokens[self.place][1] in ")]":
                break
            entries.append(self.value(name, ranges[1:]))
        self.take(")" if opening == "(" else "]") or self.fail("a comma or the closing bracket")
        if len(entries) > MOST:
            raise StatementError(f"{name} has {len(entries)} entries, the limit is {MOST}; give fewer")
        if len({len(x) for x in entries if isinstance(x, tuple)}) > 1:
            raise StatementError(f"the rows of {name} are not equally long; a matrix is written ((1, 2), (3, 4))")
        return tuple(entries)

    def number(self) -> Fraction:
        sign = self.take("-") or self.take("+")
        over, under = self.digits(), self.digits() if self.take("/") else 1
        if under == 0:
            raise StatementError("a value of the point is divided by zero; change the denominator")
        return Fraction(-over if sign == "-" else over, under)

    def digits(self) -> int:
        if self.place >= len(self.tokens) or self.tokens[self.place][0] != "number":
            self.fail("a whole number or a fraction such as 1/3")
        self.place += 1
        number = self.tokens[self.place - 1][1]
        if len(number) > 40:
            raise StatementError(f"a number of {len(number)} digits is too long for a point; give at most 40")
        return int(number)

    def take(self, sign: str) -> str | None:
        if self.place < len(self.tokens) and self.tokens[self.place][1] == sign:
            self.place += 1
            return sign
        return None

    def fail(self, expected: str) -> str:
        kind, token, start = self.tokens[self.place] if self.place < len(self.tokens) else ("end", "the end", len(self.given))
        number = ", exact numbers only: 0.5 is 1/2" if token == "." else ""
        found = "the end" if kind == "end" else f"'{token[:20]}' at position {start + 1}"
        raise StatementError(f'--at: expected {expected}, found {found}{number}; write for example --at "{_EXAMPLE}"')

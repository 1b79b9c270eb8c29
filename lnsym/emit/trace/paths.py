"""Which way a branch on data goes: formulas over opaque comparisons, and the exploration of every outcome. Imports errors only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from lnsym.errors import EmitError

T = TypeVar("T")


class Vocabulary(EmitError):
    """The emitted text does something that the tracer cannot follow."""


class TooManyPaths(EmitError):
    """A function with more outcomes of its branches than the limit allows."""


@dataclass(frozen=True)
class Formula:
    """A statement about data: an atom such as < (left, right), or not, and, or of formulas. Plain bools are its constants."""

    head: str
    parts: tuple[object, ...]
    key: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", hash((self.head, self.parts)))

    def __hash__(self) -> int:
        return self.key

    def __str__(self) -> str:
        match self.head, self.parts:
            case "not", (inside,):
                return f"not ({inside})"
            case ("and" | "or" | "<" | "<=" | "==") as head, (left, right):
                return f"({left} {head} {right})"
        return f"{self.head}({', '.join(map(str, self.parts))})"


Truth = Formula | bool


def negation(f: Truth) -> Truth:
    """Not f."""
    if isinstance(f, bool):
        return not f
    return f.parts[0] if f.head == "not" else Formula("not", (f,))  # type: ignore[return-value]


def conjunction(f: Truth, g: Truth) -> Truth:
    """Both f and g."""
    if isinstance(f, bool):
        return g if f else False
    if isinstance(g, bool):
        return f if g else False
    return f if f == g else Formula("and", (f, g))


def disjunction(f: Truth, g: Truth) -> Truth:
    """f or g."""
    if isinstance(f, bool):
        return True if f else g
    if isinstance(g, bool):
        return True if g else f
    return f if f == g else Formula("or", (f, g))


def literal(f: Formula) -> tuple[Formula, bool]:
    """A formula without the negation in front, and whether it is meant to hold."""
    return (f.parts[0], False) if f.head == "not" else (f, True)  # type: ignore[return-value]


COMPOSED = ("not", "and", "or")


def compose(head: str, parts: list[bool | None]) -> bool | None:
    """What is known of not, and, or of parts, from what is known of the parts."""
    if head == "not":
        return None if parts[0] is None else not parts[0]
    deciding = head == "or"
    return deciding if deciding in parts else None if None in parts else not deciding


def within(f: Formula) -> frozenset[Formula]:
    """A formula and the formulas that it is composed of."""
    if "within" not in f.__dict__:
        inside = [within(x) for x in f.parts if isinstance(x, Formula)] if f.head in COMPOSED else []
        f.__dict__["within"] = frozenset({f}).union(*inside)
    return f.__dict__["within"]  # type: ignore[no-any-return]


class Decisions:
    """The outcomes on one path: a script from earlier runs first, then always the same outcome, `usual`.

    `facts` are outcomes that the theorem's hypotheses force.
    """

    def __init__(self, script: tuple[bool, ...] = (), usual: bool = False, facts: Mapping[Formula, bool] | None = None) -> None:
        self.script, self.usual, self.facts = script, usual, facts or {}
        self.outcomes: dict[Formula, bool] = dict(self.facts)
        self.taken: list[bool] = []
        self.seen: dict[Formula, bool | None] = {}  # what known() said since the last outcome

    def known(self, f: Truth) -> bool | None:
        """What the outcomes so far say of a formula, None if they leave it open."""
        if isinstance(f, bool):
            return f
        if f in self.outcomes:
            return self.outcomes[f]
        if f not in self.seen:
            parts = [self.known(x) for x in f.parts] if f.head in COMPOSED else []  # type: ignore[arg-type]
            self.seen[f] = compose(f.head, parts) if parts else self.implied(f)
        return self.seen[f]

    def implied(self, atom: Formula) -> bool | None:
        """The outcome that another outcome forces. With NaN about, neither a < b nor b <= a need hold; they never hold both."""

        def holds(head: str, *parts: object) -> bool:
            return self.outcomes.get(Formula(head, parts), False)

        match atom.head, atom.parts:
            case "<", (a, b):
                return False if holds("<", b, a) or holds("<=", b, a) or holds("==", a, b) or holds("==", b, a) else None
            case "<=", (a, b):
                return False if holds("<", b, a) else True if holds("<", a, b) or holds("==", a, b) or holds("==", b, a) else None
            case "==", (a, b):
                if holds("<", a, b) or holds("<", b, a):
                    return False
                return self.outcomes.get(Formula("==", (b, a)))
            case "any", (f,):  # there is at least one component
                return True if self.outcomes.get(Formula("any", (negation(f),))) is False else None  # type: ignore[arg-type]
            case (("nan" | "infinite"), (a,)):
                return False if holds("finite", a) else None
            case "finite", (a,):
                return False if holds("nan", a) or holds("infinite", a) else None
        return None

    def decide(self, f: Truth) -> bool:
        """The outcome of a formula, chosen now if it is open. A branch depends on the whole and not on which part of it fails."""
        verdict = self.known(f)
        if verdict is not None:
            return verdict
        statement, holds = literal(f)  # type: ignore[arg-type]
        place = len(self.taken)
        outcome = self.script[place] if place < len(self.script) else self.usual
        self.taken.append(outcome)
        self.record(statement, outcome)
        return outcome == holds

    def record(self, f: Truth, outcome: bool) -> None:
        """Remember an outcome, and what follows from it for the parts of statements."""
        if isinstance(f, bool):
            return
        statement, holds = literal(f)
        self.outcomes[statement] = outcome == holds
        self.seen.clear()
        for whole in [x for x in self.outcomes if x.head in ("and", "or")]:
            open_parts = [x for x in whole.parts if self.known(x) is None]  # type: ignore[arg-type]
            verdict = self.outcomes[whole]
            settled = verdict == (whole.head == "and")  # then every part is as the whole, else one at least
            if settled or (len(open_parts) == 1 and all(self.known(x) is not verdict for x in whole.parts)):  # type: ignore[arg-type]
                for part in open_parts:
                    self.record(part, verdict)  # type: ignore[arg-type]

    def __str__(self) -> str:
        chosen = (a if outcome else negation(a) for a, outcome in self.outcomes.items() if a not in self.facts)
        return ", ".join(map(str, chosen)) or "no decisions"


@dataclass(frozen=True)
class Reach:
    """How far paths are explored: `turns` from the path on which every outcome is `usual`, None for every path."""

    usual: bool = False
    turns: int | None = None


def explore(
    run: Callable[[Decisions], T], limit: int, reach: Reach = Reach(), facts: Mapping[Formula, bool] | None = None
) -> Iterator[tuple[Decisions, T]]:
    """Run a function on every path within reach: again with the last usual outcome turned, until none is left."""
    script: list[bool] = []
    for _ in range(limit):
        decisions = Decisions(tuple(script), reach.usual, facts)
        yield decisions, run(decisions)
        script = decisions.taken
        while script and (script[-1] != reach.usual or not _may_turn(script[:-1], reach)):
            script.pop()
        if not script:
            return
        script[-1] = not reach.usual
    raise TooManyPaths(f"more than {limit} outcomes of its branches; put decisions about sizes into functions marked 'Size:'")


def _may_turn(before: list[bool], reach: Reach) -> bool:
    return reach.turns is None or sum(outcome != reach.usual for outcome in before) < reach.turns

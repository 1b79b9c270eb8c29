"""Marks an exact number, or a vector of them. Imports the evaluator, the reader and the records of lessons."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lnsym.derivations.definitions import THEORY
from lnsym.errors import LnsymError
from lnsym.evaluate import Evaluator, Meter, Point
from lnsym.kernel.terms import Entry, Num, Sym, Term, Word, walk
from lnsym.lesson.marking.reading import Value, decimals, grouped, read_numbers, with_comma
from lnsym.lesson.marking.same import same
from lnsym.lesson.records import Mark, Task
from lnsym.surd import Exact, Surd, exact_root, inverse_exact, sign

LONGEST = 24  # characters of a number that is repeated
LIMIT = 20_000  # evaluated nodes
NEAR = Fraction(1, 100)  # relatively: how far a decimal may be from the value and still be called near
EXPRESSION = "A number is asked for, such as -2/3 or 2*sqrt(3)/3; put the values in."


def number(task: Task, answer: str) -> Mark:
    """What is to be said of a number, or of a vector of numbers."""
    wanted = _wanted(task)
    answer = grouped(answer)
    if rough := decimals(answer):
        return _compared(list(rough), wanted, rough=answer.strip().rstrip("."))
    if len(wanted) == 1 and (meant := with_comma(answer)):
        return Mark("unreadable", f"A comma parts the entries of a row, and one number is asked for. Did you mean {meant}?")
    terms = read_numbers(task, answer)
    if any(isinstance(node, (Sym, Entry, Word)) for term in terms for node in walk(term)):
        return Mark("different", EXPRESSION)
    pairs = zip(terms, wanted, strict=False)
    alike = all(isinstance(x, Term) and isinstance(y, Term) and same(x, y) for x, y in pairs)
    return _compared([_value(term) for term in terms], wanted, alike=alike)


def _compared(found: list[Exact], terms: tuple[Value, ...], *, alike: bool = False, rough: str = "") -> Mark:
    """What is to be said of the numbers found; `rough` is the text of an answer with a decimal in it."""
    wanted = [_value(term) for term in terms]
    if len(found) != len(wanted):
        some = f"{len(wanted)} numbers are" if len(wanted) > 1 else "One number is"
        return Mark("different", f"{some} asked for; you gave {len(found)}.")
    if found == wanted:
        return Mark("correct", "Correct.") if alike else Mark("another form", f"Correct: that is {_shown(found)}.")
    if rough and all(map(_near, found, wanted)):
        return Mark("different", "Give the exact value, such as -2/3 or 2*sqrt(3)/3.", right="That is near.")
    return _wrong(found, wanted, rough or str(found[0]))


def _wanted(task: Task) -> tuple[Value, ...]:
    """The number asked for, or the entries of the vector."""
    return (task.target,) if task.target is not None else read_numbers(task, task.right)


def _value(term: Value) -> Exact:
    if isinstance(term, Num):
        return term.value
    if not isinstance(term, Term):
        raise LnsymError("a number is expected here, found a vector")
    return Evaluator(THEORY, Point({}), meter=Meter(LIMIT)).value(term, {})  # type: ignore[return-value]


def _shown(values: list[Exact]) -> str:
    return str(values[0]) if len(values) == 1 else f"({', '.join(map(str, values))})"


def _near(rough: Exact, exact: Exact) -> bool:
    gap = rough - exact
    return sign(gap * gap - NEAR**2 * (exact * exact)) <= 0


def _wrong(found: list[Exact], wanted: list[Exact], said: str) -> Mark:
    right = [n for n, (x, y) in enumerate(zip(found, wanted, strict=True), 1) if x == y]
    several = f"Entries {', '.join(map(str, right))} are right." if len(right) > 1 else f"Entry {right[0]} is right." if right else ""
    for kind, what, slipped in _slips(wanted):
        if found == slipped:
            return Mark("slip", f"Not yet. {what}.", several, slip=kind)
    return Mark("different", f"Not yet. {_direction(found, wanted, said)}".rstrip(), several)


def _slips(wanted: list[Exact]) -> Iterator[tuple[str, str, list[Exact]]]:
    yield "a sign", "The sign is wrong", [-x for x in wanted]
    yield "a missing root", "This is the square of the value: a root is missing", [x * x for x in wanted]
    yield "a missing square", "The square of this is the value: a square is missing", [y for x in wanted if (y := _root(x)) is not None]
    yield "an inverse", "This is the inverse of the value", [inverse_exact(x) for x in wanted if sign(x)]
    yield "a number", "This is twice the value", [2 * x for x in wanted]
    yield "a number", "This is half of the value", [x * Fraction(1, 2) for x in wanted]


def _root(x: Exact) -> Exact | None:
    return None if isinstance(x, Surd) or x < 0 else exact_root(x)


def _direction(found: list[Exact], wanted: list[Exact], said: str) -> str:
    """Where a single number lies, without telling the value."""
    if len(found) != 1 or len(wanted) != 1:
        return ""
    return f"The value is {'larger' if sign(wanted[0] - found[0]) > 0 else 'smaller'} than {said if len(said) <= LONGEST else 'that'}."

"""Reads what a learner types: an expression, a whole line, a vector of numbers. Imports the parser of statements and the records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from lnsym.errors import StatementError
from lnsym.kernel.terms import Array, Components, Entry, Relation, Sym, Term, hole, walk
from lnsym.lesson.records import Task
from lnsym.statement import MATRICES, SCALARS, VECTORS, parse_expression
from lnsym.tokens import fail, tokens

MAX_ANSWER = 400  # characters
SIGNS = {
    "⊙": "*", "⟨": "dot(", "⟩": ")", "𝟏": "one", "∘": "*", "∗": "*", "⁄": "/", "÷": "/", "–": "-", "‐": "-", "½": "(1/2)", "⅓": "(1/3)",
    "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)",
}  # fmt: skip
_NAME = r"[A-Za-zα-ω][A-Za-z0-9_ᵢⱼₖₗₘ₀-₉]*"
_ENTRY = r"[A-Za-zα-ω](?:_[a-z1-9]|[ᵢⱼₖₗₘ₁-₉])"
_PRINTED = re.compile(
    rf"[{''.join(SIGNS)}]|√ ?([0-9]+|{_NAME})(?![\w^'(⁰¹²³⁴-⁹])|∂ ?({_NAME}) ?/ ?∂ ?({_NAME})"
    rf"|(?<!\w)d ?({_ENTRY}|s|q|mu|μ) ?/ ?d ?({_ENTRY})(?![\w(])"
)
_DECIMAL = re.compile(r"([+-]?(?:\d{1,60}\.?\d{0,60}|\.\d{1,60})(?:[eE][+-]?\d{1,3})?)\s*(%?)")
_OPERATOR = re.compile(rf"(?:∂/∂ ?({_NAME})|(?<!\w)d/d ?({_ENTRY}|t)) ?(?=\()")
_NUMERATOR = re.compile(r"(?:∂|(?<!\w)d) ?(?=\()")
_DENOMINATOR = re.compile(rf" ?/ ?(?:∂ ?({_NAME})|d ?({_ENTRY}|t)(?![\w(]))")

Value = Term | Array


@dataclass(frozen=True)
class Line:
    """What was typed: the expressions between the equals signs, the last of which counts, and each one's text."""

    sides: tuple[tuple[str, Value], ...]

    @property
    def last(self) -> Value:
        """The expression that counts."""
        return self.sides[-1][1]


def names_of(task: Task) -> dict[str, Value]:
    """The symbols, vectors and matrices of a task that the language does not know, by name."""
    return {name: value for name, value in _spoken(_terms(task)) if name not in SCALARS and name not in VECTORS and name not in MATRICES}


def _terms(task: Task) -> Iterator[Value]:
    for one in (task.target, task.before, *task.lines, *task.given):
        if isinstance(one, Relation):
            yield from (one.left, one.right)
        elif isinstance(one, Components):
            yield from one.entries
        elif one is not None:
            yield one


def _spoken(terms: Iterable[Value]) -> Iterator[tuple[str, Value]]:
    for node in (node for term in terms for node in walk(term)):
        if isinstance(node, Sym):
            yield node.name, node
        elif isinstance(node, Entry) and node.indices:
            holes = tuple(hole(n, index.range) for n, index in enumerate(node.indices, 1))
            yield node.vector, Array(holes, Entry(node.vector, holes))


def read_line(task: Task, answer: str) -> Line:
    """The expression typed, or all sides of a line with equals signs. Raises StatementError, its position that in the answer."""
    shown = _plain(answer)
    if len(shown) > MAX_ANSWER:
        fail(shown, MAX_ANSWER, f"the answer has {len(shown)} characters, the limit is {MAX_ANSWER}. Write it in fewer words.")
    text, places = spelled(shown)
    sides: list[tuple[str, Value]] = []
    try:
        segments = list(_segments(text))
        for number, (start, end) in enumerate(segments):
            if number == 0 < len(segments) - 1 and _is_label(text[start:end], task):
                continue  # as in "dx = ...": a name for the line, which says nothing
            sides.append((text[start:end].strip(), _parsed(task, text, start, end)))
    except StatementError as error:
        raise _placed(error, shown, places) from None
    return Line(tuple(sides))


def _parsed(task: Task, text: str, start: int, end: int) -> Value:
    """The expression in a part of a text, whose positions stay those of the text."""
    return parse_expression(" " * start + text[start:end], task.vectors, names_of(task))


def spelled(shown: str) -> tuple[str, list[int]]:
    """The text with the signs of printed formulas in words, and for each character the place that it comes from."""
    text, places, done = "", list[int](), 0
    for sign in _PRINTED.finditer(shown):
        text += shown[done : sign.start()]
        places += range(done, sign.start())
        words = SIGNS.get(sign.group()) or (f"sqrt({sign[1]})" if sign[1] else f"D({sign[2] or sign[4]}, {sign[3] or sign[5]})")
        text += words
        places += [sign.start()] * len(words)
        done = sign.end()
    return _with_operators(text + shown[done:], [*places, *range(done, len(shown) + 1)])


def _with_operators(text: str, places: list[int]) -> tuple[str, list[int]]:
    """The text and its places with the variable of a derivative inside its brackets: D(v_i/s, z_j) for ∂/∂zⱼ (vᵢ/s) and ∂(vᵢ/s)/∂zⱼ."""
    while (sign := _OPERATOR.search(text)) and (end := closing(text, sign.end())):
        text, places = _as_word(text, places, sign, end, sign, end + 1)
    for sign in reversed(list(_NUMERATOR.finditer(text))):
        if (end := closing(text, sign.end())) and (under := _DENOMINATOR.match(text, end + 1)):
            text, places = _as_word(text, places, sign, end, under, under.end())
    return text, places


def _as_word(text: str, places: list[int], sign: re.Match[str], end: int, variable: re.Match[str], after: int) -> tuple[str, list[int]]:
    """The text with D in place of a sign, and the variable before the bracket that closes at `end`; it goes on at `after`."""
    start, behind = sign.start(), f", {variable[1] or variable[2]})"
    made = text[:start] + "D" + text[sign.end() : end] + behind + text[after:]
    return made, [*places[: start + 1], *places[sign.end() : end], *[places[end]] * len(behind), *places[after:]]


def _placed(error: StatementError, shown: str, places: list[int]) -> StatementError:
    """The error with its position in the text that was typed."""
    if error.position is None:
        return error
    place = places[min(error.position, len(places) - 1)]
    said = re.sub(r"^column \d+", f"column {place + 1}", str(error))
    word = re.search(r"found '(\w+)'", said)
    if word and place < len(shown) and not shown.startswith(word[1], place):  # a word that was read for a sign
        said = said.replace(word[0], f"found '{shown[place]}'")
    return StatementError(said, shown, place)


def _plain(answer: str) -> str:
    """The answer without dollar signs around it and a full stop behind it; columns stay as they are."""
    text = answer.rstrip()
    if text.endswith((".", ";", ",")) and not text.endswith(".."):
        text = text[:-1]
    return text.replace("$", " ").rstrip() if text.strip().startswith("$") and text.endswith("$") else text


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Where the sides of a line begin and end; a sign of relation at the start opens the only or first side."""
    start = 0
    relations = [one for one in tokens(text) if one.kind in ("=", "<=", "<")]
    for one in relations:
        if text[start : one.position].strip():
            yield start, one.position
        start = one.position + (2 if text[one.position : one.position + 2] in ("==", "<=") else 1)
    yield start, len(text)


def _is_label(text: str, task: Task) -> bool:
    """Whether a side is only a name that the language does not know, such as dx or dL/dx."""
    if re.fullmatch(r"\s*[A-Za-z]\w*(/[A-Za-z]\w*)?('|\[\w\]|\(\w\))?\s*", text) is None:
        return False
    try:
        _parsed(task, text, 0, len(text))
    except StatementError:
        return True
    return False


# ---------------------------------------------------------------- exact numbers


def read_numbers(task: Task, answer: str) -> tuple[Value, ...]:
    """An exact number, or the entries of a vector such as (-1, 0, 1). Raises StatementError."""
    shown = _plain(answer)
    text, places = spelled(shown)
    cuts = list(_commas(text, *_inside(text)))
    if len(cuts) < 2 or len(shown) > MAX_ANSWER:
        return (read_line(task, answer).last,)
    try:
        return tuple(_parsed(task, text, begin, stop) for begin, stop in cuts)
    except StatementError as error:
        raise _placed(error, shown, places) from None


def _inside(text: str) -> tuple[int, int]:
    """Where the list stands in text: after a name and =, and within its brackets where these enclose it all."""
    start = text.rfind("=") + 1
    shown = text[start:].strip()
    if shown[:1] in ("(", "[") and shown[-1:] in (")", "]") and _closes_last(shown):
        first = text.index(shown[0], start)
        return first + 1, text.rindex(shown[-1])
    return start, len(text)


def _closes_last(shown: str) -> bool:
    return closing(shown, 0) == len(shown) - 1


def closing(text: str, start: int) -> int | None:
    """Where the bracket closes that opens at a place."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place
    return None


def _commas(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    depth = 0
    for place in range(start, end):
        depth += (text[place] in "([") - (text[place] in ")]")
        if text[place] == "," and depth == 0:
            yield start, place
            start = place + 1
    yield start, end


def decimals(answer: str) -> tuple[Fraction, ...]:
    """The numbers of an answer in which one is a decimal, has an exponent or is in percent; none if it holds anything else."""
    text = re.split("[=≈~]", answer.replace("−", "-"))[-1].strip("()[] ")
    found = [_DECIMAL.fullmatch(one.strip()) for one in re.sub(r"\.{2,}$|…$", "", text).split(",")]
    if not re.search("[.eE%]", text) or not all(found):
        return ()
    return tuple(Fraction(one[1]) / (100 if one[2] else 1) for one in found if one)


def grouped(answer: str) -> str:
    """A whole number whose digits stand in groups, as in 1 000 or 1'000, without what parts them."""
    return re.sub(r"\D", "", answer) if re.fullmatch(r"\s*\d{1,3}(?:[ '’_\u00a0\u202f]\d{3})+\s*", answer) else answer


def with_comma(answer: str) -> str:
    """What is meant by a number with a comma in it: a point, or nothing between groups of three digits."""
    text = answer.strip()
    if re.fullmatch(r"[-+−]?[1-9]\d{0,2}(,\d{3})+", text):
        return text.replace(",", "")
    return text.replace(",", ".") if re.fullmatch(r"[-+−]?\d+,\d+", text) else ""

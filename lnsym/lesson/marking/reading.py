"""Reads what a learner types: an expression, a whole line, a vector of numbers; and suggests what was meant where it cannot be read.

Imports the parser of statements and the records of lessons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

from lnsym.errors import LnsymError, StatementError
from lnsym.kernel.terms import Array, Components, Entry, Relation, Sym, Term, hole, walk
from lnsym.lesson.records import Task
from lnsym.statement import FUNCTIONS, MATRICES, SCALARS, VECTORS, parse_expression
from lnsym.tokens import fail, tokens

MAX_ANSWER = 400  # characters
MAX_REPAIRS = 3  # in one suggestion
ALIASES = {  # what others call it
    "xhat": "u", "x_hat": "u", "zhat": "u", "z_hat": "u", "normalized": "u", "x": "z", "input": "z", "inputs": "z", "xs": "z",
    "weight": "gamma", "scale": "gamma", "gain": "gamma", "bias": "beta", "shift": "beta", "dy": "g", "dx": "h", "grad": "g",
    "rstd": "r", "invstd": "r", "inv_std": "r", "std": "s", "stdev": "s", "sd": "s", "n": "d", "N": "d", "D": "d", "len": "d", "m": "mu",
    "xmean": "mu", "zmean": "mu", "zbar": "mu", "xbar": "mu", "avg": "mean", "average": "mean", "variance": "var", "Var": "var",
    "Mean": "mean", "Sum": "sum", "SUM": "sum", "sqr": "sqrt", "root": "sqrt", "e": "eps", "epsilon": "eps", "ones": "one", "Cov": "cov",
    "length": "norm", "inner": "dot", "Id": "I", "identity": "I", "Jac": "J", "tr": "trace", "T": "transpose", "sig": "sigma", "ro": "rho",
}  # fmt: skip
SIGNS = {"⊙": "*", "⟨": "dot(", "⟩": ")", "𝟏": "one", "∘": "*", "∗": "*", "⁄": "/", "÷": "/", "–": "-", "‐": "-"}
_NAME = r"[A-Za-zα-ω][A-Za-z0-9_ᵢⱼₖₗₘ₀-₉]*"
_ENTRY = r"[A-Za-zα-ω](?:_[a-z1-9]|[ᵢⱼₖₗₘ₁-₉])"
_PRINTED = re.compile(
    rf"[{''.join(SIGNS)}]|√ ?([0-9]+|{_NAME})(?![\w^'(⁰¹²³⁴-⁹])|∂({_NAME})/∂({_NAME})|(?<!\w)d({_ENTRY}|s|q)/d({_ENTRY})(?![\w(])"
)
_OPERATOR = re.compile(rf"(?:∂/∂({_NAME})|(?<!\w)d/d({_ENTRY})) ?(?=\()")

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
    """The text and its places with the variable of a derivative inside its brackets: D(v_i/s, z_j) for ∂/∂zⱼ (vᵢ/s)."""
    while (sign := _OPERATOR.search(text)) and (end := _closing(text, sign.end())):
        start, behind = sign.start(), f", {sign[1] or sign[2]})"
        text = text[:start] + "D" + text[sign.end() : end] + behind + text[end + 1 :]
        places = [*places[: start + 1], *places[sign.end() : end], *[places[end]] * len(behind), *places[end + 1 :]]
    return text, places


def _placed(error: StatementError, shown: str, places: list[int]) -> StatementError:
    """The error with its position in the text that was typed."""
    if error.position is None:
        return error
    place = places[min(error.position, len(places) - 1)]
    return StatementError(re.sub(r"^column \d+", f"column {place + 1}", str(error)), shown, place)


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
    return _closing(shown, 0) == len(shown) - 1


def _closing(text: str, start: int) -> int | None:
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
    """The numbers of an answer in which one is written as a decimal; none if it holds anything else."""
    if not re.search(r"\d\.\d|\.\d|\de-?\d", answer):
        return ()
    text = answer.rpartition("=")[2].strip().strip("()[]")
    try:
        return tuple(Fraction(one.strip()) for one in text.split(",")) if len(text) <= 200 and not re.search(r"e-?\d{3}", text) else ()
    except (ValueError, ZeroDivisionError):
        return ()


# ---------------------------------------------------------------- suggestions


def suggestion(task: Task, error: StatementError) -> str:
    """The answer with one to three small repairs that make it readable; empty if none do."""
    names, text, at = names_of(task), error.text, error.position
    for _ in range(MAX_REPAIRS):
        if at is None or len(text) > MAX_ANSWER // 2:
            return ""
        furthest: tuple[int, str, int | None] = (-1, "", None)
        for repaired in _repairs(text, at, {**SCALARS, **VECTORS, **MATRICES, **names}):
            fault = _fault(task, repaired)
            if fault is None:
                return repaired.strip()
            if fault.position is not None and fault.position > max(at + 1, furthest[0]):
                furthest = (fault.position, repaired, fault.position)
        _, text, at = furthest
    return ""


def _fault(task: Task, text: str) -> StatementError | None:
    try:
        read_line(task, text)
    except StatementError as error:
        return error
    except (LnsymError, RecursionError):
        return StatementError("")
    return None


def _repairs(text: str, at: int, names: Mapping[str, Value]) -> Iterator[str]:
    """The text with something changed at a position: what is most likely meant comes first."""
    before, after = text[:at], text[at:]
    word = match.group() if (match := re.match(r"[A-Za-zα-ωϵ]\w*'*", after)) else ""
    rest = after[len(word) :]
    if word:
        known = names.keys() | FUNCTIONS.keys()
        if word[-1] in "ijk" and isinstance(names.get(word[:-1]), Array):
            yield f"{before}{word[:-1]}_{word[-1]}{rest}"
        if word in ALIASES:
            yield before + ALIASES[word] + rest
        base, _, tail = word.partition("_")
        if tail and base not in known and base in ALIASES:
            yield before + ALIASES[base] + "_" + tail + rest
        yield from (before + one + rest for one in known if one.lower() == word.lower() and one != word)
        factor = names.get(re.findall(r"\w*'*", before.rstrip() or " ")[-2:][0])
        if isinstance(factor, Array) and len(factor.indices) == 2 and word in names:
            yield f"{before.rstrip()}({word}){rest}"
        if word in names:
            yield before.rstrip() + "*" + after
        else:
            yield from (before + "*".join(parts) + rest for parts in _split(word, known))
            yield from (before + one + rest for one in get_close_matches(word, sorted(known), n=2, cutoff=0.6))
    if word == "D" and rest[:1] == "(" and (end := _closing(rest, 0)):
        yield f"{before}D{rest[:end]}, z_j{rest[end:]}"
    if constant := re.match(r"((?:mean|var)\()(\w+)(?=\))", after):
        yield f"{before}{constant[1]}{'' if constant[2] == '1' else constant[2] + '*'}one{after[constant.end() :]}"
    yield from _powers(before, after)
    if decimal := re.match(r"\d*\.\d+", after):
        yield before + _fraction(decimal.group()) + after[decimal.end() :]
    if index := re.match(r"_\w|\[\w+\]", after):
        yield before + after[index.end() :]
    if transposed := re.search(r"(\w+'*)\^T\s*\*?\s*(\w+'*)", text):
        yield f"{text[: transposed.start()]}dot({transposed.group(1)}, {transposed.group(2)}){text[transposed.end() :]}"
    if after[:1] == ":":
        yield f"{before}/{after[1:]}"
    if after[:1] == "\\":
        yield _from_latex(text)
    if after[:1] == "|" and (norm := re.match(r"\|+([^|]*)\|+", after)):
        yield f"{before}norm({norm.group(1)}){after[norm.end() :]}"
    if before.rstrip() and (word or after[:1] in "([" or after[:1].isdigit()):
        yield before.rstrip() + "*" + after
    if opened := before.count("(") + after.count("(") - before.count(")") - after.count(")"):
        yield text + ")" * opened if opened > 0 else before + after[1:] if after[:1] == ")" else "(" * -opened + text
    if missing := re.search(r"(var|mean)\s*$", before):
        yield before[: missing.start()] + {"var": "q", "mean": "mu"}[missing.group(1)] + after
    if (root := re.match(r"(sqrt|√|mean|var|norm)\s*([A-Za-z]\w*|\d+)", text[(back := _word_start(before)) :])) is not None:
        yield f"{text[:back]}{root.group(1)}({root.group(2)}){text[back + root.end() :]}"
    if over := re.match(r"/\s*(\d+)\s*\*?\s*([A-Za-z]\w*)", after):
        yield f"{before}/({over.group(1)}*{over.group(2)}){after[over.end() :]}"
    if after[:1] in "+-*/^_,.:;!?()[]{}&%#@~`'=<>|" and not after.startswith("/0"):  # a slip of the finger
        yield before + after[1:]


def _powers(before: str, after: str) -> Iterator[str]:
    """A half power as a root, and a square behind a sum as a sum of squares."""
    if (half := re.search(r"\^\((-?)1$", before)) and after.startswith("/2)"):
        opened = _opening(before, half.start())
        base = re.search(r"[A-Za-zα-ω]\w*$|\d+$|$", before[:opened]).start()  # type: ignore[union-attr]
        inside = before[base : half.start()] if base < opened else before[opened + 1 : half.start() - 1]
        yield f"{before[:base]}{'1/' * bool(half[1])}sqrt({inside}){after[3:]}"
    if (power := re.match(r"\^\d+|[²³]", after)) and before.endswith(")"):
        opened = _opening(before, len(before))
        if re.search(r"(sum|∑|Σ)_?\w\s*$", before[:opened]):
            yield f"{before[:opened].rstrip()}({before[opened:]}{power.group()}){after[power.end() :]}"


def _opening(text: str, end: int) -> int:
    """Where the bracket opens that closes before a place; the place itself where none does."""
    depth = 0
    for place in range(end - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if depth == 0:
            return place if text[place] == "(" else end
    return end


def _from_latex(text: str) -> str:
    """LaTeX's fractions, roots and names as they are typed here."""
    before = ""
    while text != before:  # the inner ones first
        before = text
        text = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", text)
        text = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", text)
        text = re.sub(r"\\(?:bar|overline)\{([^{}]*)\}", r"mean(\1)", text)
    text = re.sub(r"\\(?:odot|cdot|times)\b ?", "*", text)
    return re.sub(r"\\(?:left|right|,|;|!|quad)?", "", text.replace("\\varepsilon", "eps").replace("\\epsilon", "eps"))


def _word_start(before: str) -> int:
    match = re.search(r"(sqrt|√|mean|var|norm)\s*$", before)
    return match.start() if match else len(before)


def _split(word: str, known: set[str]) -> Iterator[tuple[str, ...]]:
    """Two or three known names that make up the word."""
    for cut in range(len(word) - 1, 0, -1):
        if word[:cut] in known:
            if word[cut:] in known:
                yield word[:cut], word[cut:]
            for more in _split(word[cut:], known) if len(word) < 12 else ():
                if len(more) == 2:
                    yield (word[:cut], *more)


def _fraction(decimal: str) -> str:
    return str(Fraction(decimal)) if len(decimal) < 12 else decimal

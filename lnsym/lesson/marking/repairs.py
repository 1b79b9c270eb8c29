"""Suggests what was meant by an answer that cannot be read: one to three small repairs. Imports the reader and the records of lessons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction

from lnsym.errors import LnsymError, StatementError
from lnsym.kernel.terms import Array
from lnsym.lesson.marking.reading import MAX_ANSWER, Value, closing, names_of, read_line
from lnsym.lesson.records import Task
from lnsym.statement import FUNCTIONS, MATRICES, SCALARS, VECTORS

MAX_REPAIRS = 3  # in one suggestion
ALIASES = {  # what others call it
    "xhat": "u", "x_hat": "u", "zhat": "u", "z_hat": "u", "normalized": "u", "x": "z", "input": "z", "inputs": "z", "xs": "z",
    "weight": "gamma", "scale": "gamma", "gain": "gamma", "bias": "beta", "shift": "beta", "dy": "g", "dx": "h", "grad": "g",
    "rstd": "r", "invstd": "r", "inv_std": "r", "std": "s", "stdev": "s", "sd": "s", "n": "d", "N": "d", "D": "d", "len": "d", "m": "mu",
    "xmean": "mu", "zmean": "mu", "zbar": "mu", "xbar": "mu", "avg": "mean", "average": "mean", "variance": "var", "Var": "var",
    "Mean": "mean", "Sum": "sum", "SUM": "sum", "sqr": "sqrt", "root": "sqrt", "e": "eps", "epsilon": "eps", "ones": "one", "Cov": "cov",
    "length": "norm", "inner": "dot", "Id": "I", "identity": "I", "Jac": "J", "tr": "trace", "T": "transpose", "sig": "sigma", "ro": "rho",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-zα-ωϵ](?:(?![⁰¹²³⁴-⁹])\w)*'*")
_ALIAS = re.compile(r"(?<!\w)(?:x_hat|z_hat|inv_std|[A-Za-z]+)(?![A-Za-z0-9])")
_NOTATIONS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (  # how others write it
    (re.compile(r"(?<!\w)[E𝔼]\[([^\[\]]*)\]"), r"mean(\1)"),
    (re.compile(r"(?<!\w)[E𝔼]\("), "mean("),
    (re.compile(r"<([^<>,=]+),([^<>,=]+)>"), r"dot(\1,\2)"),
    (re.compile(r"(?<!\w)([PJ])(?:\^T|ᵀ) ?(?=\()"), r"transpose(\1)"),
    (re.compile(r"(?<!\w)([PJ])([ghuvwyz])(?![\w(\[])"), r"\1(\2)"),
    (re.compile(r"(\w{1,9}'?) ?\*? ?(\w{1,9}'?)(?:\^T|ᵀ)(?! ?\*? ?[A-Za-zα-ω])"), r"outer(\1, \2)"),
    (re.compile(r"(\w{1,9}'?)(?:\^T|ᵀ) ?\*? ?(\w{1,9}'?)"), r"dot(\1, \2)"),
    (re.compile(r"(?<!\w)abs\(([^()]*)\)"), r"sqrt((\1)^2)"),
    (re.compile(r"(?<!\w)(delta|δ) ?\(? ?([ijklm]) ?,? ?([ijklm])(?: ?\)|(?!\w))"), r"\1_\2\3"),
    (re.compile(r"(?<!\w)([PIJ])([ijklm])([ijklm])(?!\w)"), r"\1[\2,\3]"),
    (re.compile(r"(?<!\w)([PIJ]) ?\* ?([A-Za-z]\w*)(?![\w(\[])"), r"\1(\2)"),
    (re.compile(r"(sum|[∑Σ]) ?(?=\(?[A-Za-z]\w*_([ijklm]))"), r"\1_\2 "),
    (re.compile(r"(?<!\w)(mean|var|norm|total)\(([^()]*)\)"), lambda found: f"{found[1]}({_without_index(found[2])})"),
)


def suggestion(task: Task, error: StatementError) -> str:
    """The answer with one to three small repairs that make it readable; empty if none do."""
    if len(error.text) > MAX_ANSWER // 2:
        return ""
    names = {**SCALARS, **VECTORS, **MATRICES, **names_of(task), **FUNCTIONS}
    translated = _ALIAS.sub(lambda found: found[0] if found[0] in names else ALIASES.get(found[0], found[0]), error.text)
    for pattern, put in _NOTATIONS:
        translated = pattern.sub(put, translated)
    fault = _fault(task, translated)
    if fault is None:
        return translated.strip()
    return _mended(task, error) or (_mended(task, fault) if translated != error.text else "")


def _mended(task: Task, error: StatementError) -> str:
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
    word = match.group() if (match := _WORD.match(after)) else ""
    rest = after[len(word) :]
    yield from (other for pattern, put in _NOTATIONS if (other := pattern.sub(put, text)) != text)
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
            stem = re.split(r"(?<=\w)[_0-9ᵢⱼₖₗₘ]", word)[0]
            yield from (before + "*".join(parts) + after[len(stem) :] for parts in _split(stem, known))
            yield from (before + one + rest for one in get_close_matches(word, sorted(known), n=2, cutoff=0.6))
    if word == "D" and rest[:1] == "(" and (end := closing(rest, 0)):
        yield f"{before}D{rest[:end]}, z_j{rest[end:]}"
    if constant := re.match(r"((?:mean|var)\()([A-Za-z0-9]+)(?=\))", after):
        yield f"{before}{constant[1]}{'' if constant[2] == '1' else constant[2] + '*'}one{after[constant.end() :]}"
    yield from _powers(before, after)
    if (decimal := re.match(r"\d*\.\d+(?![.\d])", after)) and not before[-1:].isdigit():
        yield before + _fraction(decimal.group()) + after[decimal.end() :]
    if index := re.match(r"_\w|\[\w+\]", after):
        yield before + after[index.end() :]
    if after[:1] == ":":
        yield f"{before}/{after[1:]}"
    if after[:1] == "\\":
        yield _from_latex(text)
    if after[:1] == "|" and (norm := re.match(r"\|+([^|]*)\|+", after)):
        scalar = norm.group(1) in names and not isinstance(names[norm.group(1)], Array)
        yield f"{before}{f'sqrt({norm.group(1)}^2)' if scalar else f'norm({norm.group(1)})'}{after[norm.end() :]}"
    if before.rstrip()[-1:].isdigit() and after[:1].isdigit():  # 1 000, or 1 1/2
        yield before.rstrip() + ("" if re.match(r"\d{3}(?!\d)", after) else " + " if re.match(r"\d+/\d", after) else "*") + after
    elif before.rstrip() and (word or after[:1] in "([" or after[:1].isdigit()):
        yield before.rstrip() + "*" + after
    if opened := before.count("(") + after.count("(") - before.count(")") - after.count(")"):
        yield text + ")" * opened if opened > 0 else before + after[1:] if after[:1] == ")" else "(" * -opened + text
    if missing := re.search(r"(var|mean)\s*$", before):
        yield before[: missing.start()] + {"var": "q", "mean": "mu"}[missing.group(1)] + after
    if (root := re.match(r"(sqrt|√|mean|var|norm)\s*([A-Za-z]\w*|\d+)", text[(back := _word_start(before)) :])) is not None:
        yield f"{text[:back]}{root.group(1)}({root.group(2)}){text[back + root.end() :]}"
    if over := re.match(r"/\s*(\d+)\s*\*?\s*([A-Za-z]\w*)", after):
        yield f"{before}/({over.group(1)}*{over.group(2)}){after[over.end() :]}"
    joins = before[-1:].isdigit() and after[1:2].isdigit()  # without what stands between them, two numbers would be one
    if after[:1] in "+-*/^_,.:;!?()[]{}&%#@~`'=<>|" and not joins and not after.startswith("/0"):  # a slip of the finger
        yield before + after[1:]


def _without_index(text: str) -> str:
    return re.sub(r"_[ijklm](?!\w)|\[[ijklm]\]|[ᵢⱼₖₗₘ]", "", text)


def _powers(before: str, after: str) -> Iterator[str]:
    """A half power as a root, and a square behind a sum as a sum of squares."""
    if (half := re.search(r"\^\((-?)(\d*[13579])$", before)) and after.startswith("/2)"):
        opened = _opening(before, half.start())
        base = re.search(r"[A-Za-zα-ω]\w*$|\d+$|$", before[:opened]).start()  # type: ignore[union-attr]
        inside = before[base : half.start()] if base < opened else before[opened + 1 : half.start() - 1]
        yield f"{before[:base]}{'1/' * bool(half[1])}sqrt({inside}){f'^{half[2]}' * (half[2] != '1')}{after[3:]}"
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
